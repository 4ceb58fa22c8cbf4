#ifndef delassus_contact_local_solvers_tresca_h
#define delassus_contact_local_solvers_tresca_h

#include <delassus/contact/local_solvers/local_solver.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
// Tresca's friction: |P_T| is bounded by a given threshold s, whatever P_N,
// while the contact is closed. A contact is either open and free,
//
//   P = 0, U_N >= 0,
//
// or satisfies the law of given friction,
//
//   0 <= U_N _|_ P_N >= 0,  |P_T| <= s,  U_T != 0  =>  P_T = -s U_T / |U_T|.
//
// The second alone would let friction act on open contacts; the first is taken
// whenever P = 0 does not penetrate.
//
// Where the threshold is infinite the contact is tied: it holds in all
// directions, pull as well as pressure,
//
//   U = 0,  P any impulse.
//
// Its admissible impulses are the whole space: a projection changes nothing,
// the natural map is U.

/// Of a contact that is tied.
constexpr double tied_threshold = std::numeric_limits<double>::infinity();

namespace internal
{
/// x in [-s, s] with A x + b = 0, or opposite to it on the boundary. Returns
/// whether that is strictly inside (stick).
inline bool given_friction(const double A,
                           const double b,
                           const double s,
                           double *x,
                           unsigned int & /*iterations*/)
{
  x[0] = -b / A;
  if (std::abs(x[0]) <= s)
    return true;
  x[0] = b > 0. ? -s : s;
  return false;
}

/// The same in the disk: A x + b = -lambda x with lambda >= 0, |x| <= s. A is
/// positive definite, so |x(lambda)| falls from |A^{-1} b| to zero: one root.
/// Newton's method on 1/|x| - 1/s, nearly linear in lambda, inside a bracket.
inline bool given_friction(const double A[4],
                           const double b[2],
                           const double s,
                           double *x,
                           unsigned int &iterations)
{
  double slope      = 0.; // d|x|^2 / (2 d lambda)
  const auto length = [&](const double lambda)
  {
    const double a0 = A[0] + lambda, a3 = A[3] + lambda;
    const double determinant = a0 * a3 - A[1] * A[2];
    x[0]                     = -(a3 * b[0] - A[1] * b[1]) / determinant;
    x[1]                     = -(a0 * b[1] - A[2] * b[0]) / determinant;
    const double y0          = (a3 * x[0] - A[1] * x[1]) / determinant;
    const double y1          = (a0 * x[1] - A[2] * x[0]) / determinant;
    slope                    = -(x[0] * y0 + x[1] * y1);
    return std::sqrt(x[0] * x[0] + x[1] * x[1]);
  };
  if (length(0.) <= s)
    return true;
  if (!(s > 0.))
  {
    x[0] = x[1] = 0.;
    return false;
  }
  double low = 0., high = std::sqrt(b[0] * b[0] + b[1] * b[1]) / s;
  double lambda = 0., size = length(0.);
  for (unsigned int i = 0; i < 200; ++i)
  {
    ++iterations;
    // phi = 1/size - 1/s, phi' = -slope / size^3
    double next = lambda + (size - s) * size * size / (-slope * s);
    if (!(next > low && next < high))
      next = 0.5 * (low + high);
    if (next == lambda)
      break;
    lambda                  = next;
    size                    = length(lambda);
    (size > s ? low : high) = lambda;
    if (std::abs(size - s) <= 1e-15 * s)
      break;
  }
  // Exactly on the circle.
  x[0] *= s / size;
  x[1] *= s / size;
  return false;
}
} // namespace internal

/// U = q + W P = 0. Directions in which nothing can move get no impulse.
template <int dim>
inline void
solve_tied(LocalMatrix<dim> W, const LocalVector<dim> &q, LocalVector<dim> &P)
{
  double size = 0.;
  for (int c = 0; c < dim; ++c)
    size = std::max(size, W[c * dim + c]);
  for (int c = 0; c < dim; ++c)
    W[c * dim + c] += 1e-14 * size;
  LocalMatrix<dim> inverse;
  if (invert_small<dim>(W, inverse))
    P = scale(-1., multiply<dim>(inverse, q));
  else
    P.fill(0.);
}

/// The solution for the local free velocity @p q and a positive definite W;
/// @p P is overwritten.
template <int dim>
inline ContactStatus solve_tresca(const LocalMatrix<dim> &W,
                                  const LocalVector<dim> &q,
                                  const double threshold,
                                  LocalVector<dim> &P,
                                  unsigned int &iterations)
{
  if (threshold == tied_threshold)
  {
    solve_tied<dim>(W, q, P);
    return ContactStatus::stick;
  }
  if (q[0] >= 0.)
  {
    P.fill(0.);
    return ContactStatus::open;
  }
  // Where nothing can move along the tangent, U_T = 0 and P_T = 0 instead of a
  // division by zero (as in PreparedContact).
  double least = W[0];
  for (int c = 1; c < dim; ++c)
    least = std::max(least, std::abs(W[c * dim + c]));
  least *= 1e-14;
  // Closed: U_N = 0 gives P_N = -(q_N + W_NT . P_T) / W_NN. If friction lifts
  // the contact, P_N = 0.
  for (const bool pressed : { true, false })
  {
    bool stick;
    if constexpr (dim == 2)
      stick = internal::given_friction(
          std::max(least, pressed ? W[3] - W[2] * W[1] / W[0] : W[3]),
          pressed ? q[1] - W[2] * q[0] / W[0] : q[1],
          threshold,
          &P[1],
          iterations);
    else
    {
      const double c1   = pressed ? W[3] / W[0] : 0.;
      const double c2   = pressed ? W[6] / W[0] : 0.;
      const double A[4] = { W[4] - c1 * W[1] + least,
                            W[5] - c1 * W[2],
                            W[7] - c2 * W[1],
                            W[8] - c2 * W[2] + least };
      const double b[2] = { q[1] - c1 * q[0], q[2] - c2 * q[0] };
      stick = internal::given_friction(A, b, threshold, &P[1], iterations);
    }
    double U_N = q[0];
    for (int c = 1; c < dim; ++c)
      U_N += W[c] * P[c];
    P[0] = pressed ? -U_N / W[0] : 0.;
    if (P[0] >= 0.)
      return stick ? ContactStatus::stick : ContactStatus::slip;
  }
  return ContactStatus::slip;
}

/// Nothing where z_N <= 0, else z_T brought into the disk: P = project(P - rho
/// U) holds at solutions.
template <int dim>
inline LocalVector<dim> project_on_tresca(const LocalVector<dim> &z,
                                          const double threshold)
{
  if (threshold == tied_threshold)
    return z;
  if (!(z[0] > 0.))
    return LocalVector<dim>{};
  LocalVector<dim> P      = z;
  const double tangential = tangential_norm(z);
  if (tangential > threshold)
    for (int c = 1; c < dim; ++c)
      P[c] *= threshold / tangential;
  return P;
}

/// Zero exactly at solutions, a velocity, as natural_map() is for Coulomb's
/// cone: the smaller of what is missing to an open contact and to given
/// friction.
template <int dim>
inline LocalVector<dim> tresca_natural_map(const LocalVector<dim> &P,
                                           const LocalVector<dim> &U,
                                           const double threshold,
                                           const double g)
{
  if (threshold == tied_threshold)
    return U;
  const LocalVector<dim> scaled = scale(g, P);
  LocalVector<dim> open         = scaled;
  open[0]                       = std::hypot(scaled[0], std::min(0., U[0]));

  const LocalVector<dim> z = subtract(scaled, U);
  const double tangential  = tangential_norm(z);
  const double bound       = g * threshold;
  const double factor      = tangential > bound ? bound / tangential : 1.;
  LocalVector<dim> closed;
  // As in natural_map(), U is not lost in a large g P.
  closed[0] = z[0] <= 0. ? scaled[0] : U[0];
  for (int c = 1; c < dim; ++c)
    closed[c] = factor == 1. ? U[c] : scaled[c] - factor * z[c];
  return dot(open, open) < dot(closed, closed) ? open : closed;
}

/// As solve_local(), with Tresca's friction.
template <int dim>
LocalSolution<dim> solve_local_tresca(const LocalMatrix<dim> &W,
                                      const LocalVector<dim> &U_free,
                                      double threshold);
} // namespace delassus

#endif
