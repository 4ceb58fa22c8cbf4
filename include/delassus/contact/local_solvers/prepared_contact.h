#ifndef delassus_contact_local_solvers_prepared_contact_h
#define delassus_contact_local_solvers_prepared_contact_h

#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/contact/local_solvers/slip_3d.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
/// What the solution of one contact needs of W^{aa} and mu, computed once and
/// used at every visit; laid out so that a sweep streams through it.
///
/// A visit works with increments: from the current P and the U that belongs to
/// it, P_stick = P - W^{-1} U. Rounding in W^{-1} then does not limit the
/// accuracy of the fixed point.
template <int dim>
struct PreparedContact;

/// How the preparation went.
enum class PreparedState
{
  well_posed,            ///< mu |W_NT| / W_NN < 1
  ill_posed,             ///< several solutions possible
  not_positive_definite, ///< W_NN > 0 but the tangential part is negative
  immovable              ///< W_NN <= 0: no impulse changes U_N
};

// The tangential Schur complement A = W_TT - W_TN W_NT / W_NN is lifted to at
// least this fraction of the diagonal: a contact that cannot move along its
// tangent (all its dofs prescribed) then has U_T = 0 and P_T = 0 instead of a
// division by zero.
constexpr double relative_singularity = 1e-14;
// More negative than this is not rounding.
constexpr double relative_indefiniteness = 1e-6;

template <>
struct PreparedContact<2>
{
  LocalVector<2> q;       ///< standard free velocity (of the global problem)
  LocalMatrix<2> inverse; ///< W^{-1}
  LocalVector<2> row_N;   ///< W_NN, W_NT
  double friction;        ///< mu
  double forward;         ///< 1 / (W_NN - mu W_NT): P_T = -mu P_N
  double backward;        ///< 1 / (W_NN + mu W_NT): P_T = +mu P_N
  unsigned int kind;      ///< for the user of this struct

  PreparedState prepare(const LocalMatrix<2> &W, const double mu)
  {
    row_N    = { { W[0], W[1] } };
    friction = mu;
    if (!(W[0] > 0.))
      return PreparedState::immovable;
    const double size = std::max(W[0], std::abs(W[3]));
    double A          = W[3] - W[2] * W[1] / W[0];
    if (!(A > -relative_indefiniteness * size))
      return PreparedState::not_positive_definite;
    A = std::max(A, relative_singularity * size);

    inverse[3] = 1. / A;
    inverse[1] = -W[1] / (W[0] * A);
    inverse[2] = -W[2] / (W[0] * A);
    inverse[0] = (1. + W[1] * W[2] / (W[0] * A)) / W[0];
    forward    = 1. / (W[0] - mu * W[1]);
    backward   = 1. / (W[0] + mu * W[1]);
    return mu * std::abs(W[1]) < W[0] ? PreparedState::well_posed
                                      : PreparedState::ill_posed;
  }

  /// The solution of a well-posed contact, given its present P and U (with the
  /// impulses of all other contacts fixed); P is overwritten.
  ContactStatus solve(LocalVector<2> &P,
                      const LocalVector<2> &U,
                      const LocalVector<2> & /*start*/,
                      unsigned int & /*iterations*/) const
  {
    const double P_N = P[0] - (inverse[0] * U[0] + inverse[1] * U[1]);
    const double P_T = P[1] - (inverse[2] * U[0] + inverse[3] * U[1]);
    if (P_N > 0. && std::abs(P_T) <= friction * P_N)
    {
      P = { { P_N, P_T } };
      return ContactStatus::stick;
    }
    const double q_N = U[0] - row_N[0] * P[0] - row_N[1] * P[1];
    if (q_N >= 0.)
    {
      P = { { 0., 0. } };
      return ContactStatus::open;
    }
    if (P_T < -friction * P_N)
    {
      const double normal = -q_N * forward;
      P                   = { { normal, -friction * normal } };
    }
    else
    {
      const double normal = -q_N * backward;
      P                   = { { normal, friction * normal } };
    }
    return ContactStatus::slip;
  }
};

template <>
struct PreparedContact<3>
{
  LocalVector<3> q;
  LocalMatrix<3> inverse;
  LocalMatrix<3> W;
  double A[4];      ///< W_TT - W_TN W_NT / W_NN
  double column[2]; ///< W_TN / W_NN
  double inverse_W_NN;
  double friction;
  unsigned int kind;

  PreparedState prepare(const LocalMatrix<3> &block, const double mu)
  {
    W        = block;
    friction = mu;
    if (!(W[0] > 0.))
      return PreparedState::immovable;
    inverse_W_NN      = 1. / W[0];
    column[0]         = W[3] * inverse_W_NN;
    column[1]         = W[6] * inverse_W_NN;
    A[0]              = W[4] - column[0] * W[1];
    A[1]              = W[5] - column[0] * W[2];
    A[2]              = W[7] - column[1] * W[1];
    A[3]              = W[8] - column[1] * W[2];
    const double size = std::max({ W[0], std::abs(W[4]), std::abs(W[8]) });

    // Smallest eigenvalue of the symmetric part.
    const double mean = 0.5 * (A[0] + A[3]);
    const double smallest =
        mean - std::hypot(0.5 * (A[0] - A[3]), 0.5 * (A[1] + A[2]));
    if (!(smallest > -relative_indefiniteness * size))
      return PreparedState::not_positive_definite;
    if (smallest < relative_singularity * size)
    {
      A[0] += relative_singularity * size - smallest;
      A[3] += relative_singularity * size - smallest;
    }

    // Block inverse around A.
    const double det = A[0] * A[3] - A[1] * A[2];
    inverse[4]       = A[3] / det;
    inverse[5]       = -A[1] / det;
    inverse[7]       = -A[2] / det;
    inverse[8]       = A[0] / det;
    const double n1 = W[1] * inverse_W_NN, n2 = W[2] * inverse_W_NN;
    inverse[1] = -(n1 * inverse[4] + n2 * inverse[7]);
    inverse[2] = -(n1 * inverse[5] + n2 * inverse[8]);
    inverse[3] = -(inverse[4] * column[0] + inverse[5] * column[1]);
    inverse[6] = -(inverse[7] * column[0] + inverse[8] * column[1]);
    inverse[0] =
        inverse_W_NN - (inverse[1] * column[0] + inverse[2] * column[1]);
    return mu * std::hypot(W[1], W[2]) < W[0] ? PreparedState::well_posed
                                              : PreparedState::ill_posed;
  }

  /// As in 2D; usable for ill-posed contacts as well (stick before open before
  /// slip, Newton from @p start).
  ContactStatus solve(LocalVector<3> &P,
                      const LocalVector<3> &U,
                      const LocalVector<3> &start,
                      unsigned int &iterations) const
  {
    const LocalVector<3> stick = subtract(P, multiply<3>(inverse, U));
    const double T2            = stick[1] * stick[1] + stick[2] * stick[2];
    const double bound         = friction * stick[0];
    if (stick[0] > 0. && T2 <= bound * bound)
    {
      P = stick;
      return ContactStatus::stick;
    }
    const LocalVector<3> q = subtract(U, multiply<3>(W, P));
    if (q[0] >= 0.)
    {
      P = { { 0., 0., 0. } };
      return ContactStatus::open;
    }
    if (!(friction > 0.))
    {
      P = { { -q[0] * inverse_W_NN, 0., 0. } };
      return ContactStatus::slip;
    }
    P = start;
    solve_slip(P, q, iterations);
    return ContactStatus::slip;
  }

  /// P: in, where Newton's method starts; out, the solution.
  void solve_slip(LocalVector<3> &P,
                  const LocalVector<3> &q,
                  unsigned int &iterations) const
  {
    SlipProblem3D slip;
    std::copy(A, A + 4, slip.A);
    slip.row[0]        = W[1] * inverse_W_NN;
    slip.row[1]        = W[2] * inverse_W_NN;
    slip.friction      = friction;
    slip.q_N_over_W_NN = q[0] * inverse_W_NN;
    slip.b[0]          = q[1] - column[0] * q[0];
    slip.b[1]          = q[2] - column[1] * q[0];

    double x = P[1], y = P[2];
    if (!(P[0] > 0.) || !(x * x + y * y > 0.))
    {
      const double radius = -friction * slip.q_N_over_W_NN;
      const double length =
          std::sqrt(slip.b[0] * slip.b[0] + slip.b[1] * slip.b[1]);
      x = -radius * slip.b[0] / length;
      y = -radius * slip.b[1] / length;
    }
    if (!slip_semismooth(slip, x, y, iterations) &&
        !slip_bracketed(slip, x, y, iterations))
    {
      // Only reachable with non-finite data: let it show.
      P = { { std::nan(""), std::nan(""), std::nan("") } };
      return;
    }

    // Exactly on the cone with U_N = 0, for the direction found.
    const double length = std::sqrt(x * x + y * y);
    const double dx = x / length, dy = y / length;
    const double denominator = W[0] + friction * (W[1] * dx + W[2] * dy);
    if (length > 0. && denominator > 1e-3 * W[0])
    {
      const double normal = -q[0] / denominator;
      P = { { normal, friction * normal * dx, friction * normal * dy } };
    }
    else
      P = { { slip.normal_impulse(x, y), x, y } };
  }
};
} // namespace delassus

#endif
