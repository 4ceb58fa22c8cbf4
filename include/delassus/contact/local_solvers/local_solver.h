#ifndef delassus_contact_local_solvers_local_solver_h
#define delassus_contact_local_solvers_local_solver_h

#include <delassus/contact/local_solvers/local_algebra.h>

namespace delassus
{
enum class ContactStatus : unsigned char
{
  open,
  stick,
  slip
};

/// The solution of the standard problem of one contact.
template <int dim>
struct LocalSolution
{
  LocalVector<dim> P; ///< impulse exerted on the candidate
  LocalVector<dim> U; ///< U = U_free + W P
  ContactStatus status = ContactStatus::open;

  /// mu |W_NT| / W_NN < 1: in 2D the solution is then unique.
  bool well_posed = true;

  /// Newton iterations (3D slip), plus evaluations of the bracketed root
  /// finder where it was needed.
  unsigned int iterations = 0;

  /// |natural map|, with impulses measured by W_NN, divided by the larger of
  /// |U_free| and the terms summed in W P: of the order of rounding.
  double residual = 0.;
};

/// Solve, for a positive definite W (symmetric or not) and friction mu >= 0,
///
///   U = U_free + W P,  0 <= U_N _|_ P_N >= 0,  |P_T| <= mu P_N,
///   U_T != 0  =>  P_T = -mu P_N U_T / |U_T|.
///
/// 2D: closed form. Where mu |W_NT| / W_NN >= 1 every branch is tried, the one
/// with the least residual kept, the nearest to @p P_start among equals.
/// 3D: open and stick are decided directly; slip is found by damped
/// semismooth Newton on the projection form (Alart-Curnier) from @p P_start,
/// else by a bracketed root finder on the slip magnitude, which has a sign
/// change for every positive definite W.
///
/// A tangentially singular W (nothing can move along the tangent) is
/// accepted. Throws ComputationError for non-finite data, negative friction, a
/// W that is not positive definite, or if no solution is found.
template <int dim>
LocalSolution<dim> solve_local(const LocalMatrix<dim> &W,
                               const LocalVector<dim> &U_free,
                               double friction,
                               const LocalVector<dim> &P_start);

/// The cone |P_T| <= mu P_N: Euclidean projection of z.
template <int dim>
inline LocalVector<dim> project_on_cone(const LocalVector<dim> &z,
                                        const double friction)
{
  const double tangential = tangential_norm(z);
  if (friction * tangential <= -z[0])
    return LocalVector<dim>{};
  if (tangential <= friction * z[0])
    return z;
  const double normal =
      (friction * tangential + z[0]) / (1. + friction * friction);
  LocalVector<dim> P;
  P[0]                = normal;
  const double factor = friction * normal / tangential;
  for (int i = 1; i < dim; ++i)
    P[i] = factor * z[i];
  return P;
}

/// F = g P - proj_C(z), z = g P - u with u = (U_N + mu |U_T|, U_T): zero
/// exactly at solutions, a velocity. g > 0 turns impulses into velocities and
/// makes it unit-free.
///
/// Computed as u plus the part of z outside the cone: however large g P is, the
/// velocity of a contact that sticks is not lost in g P - (g P - u).
template <int dim>
inline LocalVector<dim> natural_map(const LocalVector<dim> &P,
                                    const LocalVector<dim> &U,
                                    const double friction,
                                    const double g)
{
  const LocalVector<dim> scaled = scale(g, P);
  LocalVector<dim> F            = U;
  F[0] += friction * tangential_norm(U);
  const LocalVector<dim> z = subtract(scaled, F);
  const double tangential  = tangential_norm(z);
  if (friction * tangential <= -z[0])
    return scaled;
  if (tangential <= friction * z[0])
    return F;
  // z - proj_C(z) = outside (-mu, z_T / |z_T|)
  const double outside =
      (tangential - friction * z[0]) / (1. + friction * friction);
  F[0] -= friction * outside;
  for (int i = 1; i < dim; ++i)
    F[i] += outside * z[i] / tangential;
  return F;
}
} // namespace delassus

#endif
