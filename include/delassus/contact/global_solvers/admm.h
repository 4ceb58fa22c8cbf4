#ifndef delassus_contact_global_solvers_admm_h
#define delassus_contact_global_solvers_admm_h

#include <delassus/contact/global_solvers/anderson.h>
#include <delassus/contact/global_solvers/affine_solve.h>
#include <delassus/contact/global_solvers/best_iterate.h>
#include <delassus/contact/global_solvers/contact_matrix.h>
#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/linear_solvers/general_factor.h>
#include <delassus/linear_solvers/symmetric_factor.h>

#include <memory>
#include <vector>

namespace delassus
{
/// Alternating directions of multipliers. With De Saxce's correction
/// s = mu |u_T| the problem is: least kinetic energy of the correction under
/// u + s in the dual cone C*, s depending on the solution. With y for the copy
/// of u + s in C* and lambda for the scaled multiplier, r = -R lambda,
///
///   y = proj_C*(Y), lambda = Y - y, s = mu |y_T|,
///   H^T dv = S (y - q - s - lambda),  u + s = H^T dv + q + s,
///   Y := omega (u + s) + (1 - omega) y + lambda.
///
/// S is one linear solution, in either of two equal forms,
///
///   S b = W (W + R^{-1})^{-1} b                   (local form),
///   S b = H^T (A + H R H^T)^{-1} H R b            (global form),
///
/// factorized once. In the global form the factor is kept for the next problem
/// if A, H and R are the same, its pattern for longer. The iteration in Y is
/// accelerated by Anderson's method with a way back: an iterate whose residual
/// is much larger than the best one is dropped and the memory begins anew.
///
/// R is a number for each contact, the reciprocal of its size D (see
/// StandardRows) times a factor. Where the iteration slows down another factor
/// is tried from the best iterate on, the first one again after the others,
/// then without acceleration. The next problem begins with the factor that
/// worked last.
///
/// Y = u + s - R^{-1} r of the impulses given and of u, their velocities: those
/// that came with them (ContactProblem::U_guess) if there are any, because at a
/// solution Y is a fixed point, and that of a problem nearby is near.
template <int dim>
class Admm final : public ContactSolver<dim>
{
public:
  /// @p global: in the global form; the problem must have it.
  explicit Admm(const ContactSolverParameters &parameters, bool global = false);

  /// Affine laws by way of the standard problem (AffineSolve). Refuses Tresca's
  /// friction and ranks by a ComputationError.
  const ContactResult &solve(const ContactProblem<dim> &problem,
                             std::vector<double> &P,
                             std::vector<double> &U,
                             RankCoupling<dim> *coupling = nullptr) override;

  const char *name() const override
  {
    return global ? "global ADMM" : "ADMM";
  }

  void set_time_limit(const double seconds) override
  {
    parameters.time_limit = seconds;
  }

  void set_tolerance(const double tolerance) override
  {
    parameters.tolerance = tolerance;
  }

  void forget() override
  {
    whole = Global();
  }

  /// Iterations after which it gives up; and how often R may be changed.
  void set_limits(unsigned int iterations, unsigned int changes);

  /// Of the global form, since it was made or has forgotten.
  std::size_t n_factorizations() const
  {
    return whole.matrix.n_factorizations;
  }
  std::size_t n_analyses() const
  {
    return whole.matrix.n_analyses;
  }

private:
  /// Factorize with R^{-1} = factor D; false if that is not possible.
  bool factorize_with(double factor);
  bool factorize_local();
  bool factorize_global();

  /// Whether W is symmetric as far as it matters.
  bool is_symmetric() const;

  /// b := S b
  void apply(std::vector<double> &b);

  /// T(Y) into TY, r of Y; returns |u + s - y|.
  double iterate();

  /// Y from impulses and their velocities.
  void begin_at(const std::vector<double> &r, const std::vector<double> &u);

  /// Impulses given, or zero, and their velocities into `start`.
  void find_start(const ContactProblem<dim> &problem,
                  const std::vector<double> &P);

  ContactSolverParameters parameters;
  const bool global;
  unsigned int max_iterations, max_changes = 8;
  MadeWhenNeeded<AffineSolve<dim>> affine;
  StandardRows<dim> rows;
  BestIterate<dim> best;
  std::vector<double> inverse_R; ///< one a contact
  std::unique_ptr<SymmetricFactor> symmetric;
  GeneralFactor general;
  bool use_general    = false;
  double memory_limit = 0.; ///< of the problem
  Anderson anderson;
  std::vector<double> Y, TY, y, b, r, best_TY, work;

  struct Start
  {
    std::vector<double> r, u;
  };
  Start start;

  /// What the global form keeps.
  struct Global
  {
    ContactMatrix<dim> matrix;
    std::vector<LocalMatrix<dim>> R;
    std::vector<double> inverse_R; ///< of the factor; empty: there is none
    unsigned long version    = 0;  ///< of the form that it belongs to
    unsigned int last_factor = 0;  ///< number of the one that worked last
  };
  Global whole;
  ContactResult result;
};
} // namespace delassus

#endif
