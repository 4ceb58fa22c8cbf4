#ifndef delassus_contact_global_solvers_auto_solver_h
#define delassus_contact_global_solvers_auto_solver_h

#include <delassus/contact/global_solvers/admm.h>
#include <delassus/contact/global_solvers/newton.h>
#include <delassus/contact/global_solvers/projected_gradient.h>

#include <string>
#include <vector>

namespace delassus
{
/// The method chosen from the problem, handing over from one to the next:
///
///  1. Sweeps of Gauss-Seidel, 20 plain ones, then up to 1000 (more for large
///     problems) accelerated by Anderson's method: about what a factorization
///     and the iterations after it cost.
///  2. ADMM from there: one factorization, products after that. In the global
///     form where W is not stored or too large to be factorized.
///  3. Newton's method, to finish where ADMM slows down, with sweeps in
///     between.
///  4. Again from 2 with twice the iterations, and damped sweeps between,
///     as long as an error half of the last one is found.
///
/// Each begins at the best iterate known; only the true error decides. Work is
/// counted, not timed, so that a run can be repeated.
///
/// Affine laws and contacts shared by ranks are left to Gauss-Seidel; a W that
/// is applied only, without global form or with one whose factors do not fit
/// into memory, to projected gradients. Where W is
/// too large to be factorized, sweeps go on with Anderson's acceleration.
template <int dim>
class AutoSolver final : public ContactSolver<dim>
{
public:
  explicit AutoSolver(const ContactSolverParameters &parameters);

  const ContactResult &solve(const ContactProblem<dim> &problem,
                             std::vector<double> &P,
                             std::vector<double> &U,
                             RankCoupling<dim> *coupling = nullptr) override;

  const char *name() const override
  {
    return "auto";
  }

  void set_time_limit(const double seconds) override
  {
    parameters.time_limit = seconds;
  }

private:
  /// One method from the best iterate on; true if it solved the problem.
  /// Iterations are added, the name is noted.
  bool attempt(ContactSolver<dim> &method, const ContactProblem<dim> &problem);

  /// Plain, then accelerated sweeps.
  bool sweep(const ContactProblem<dim> &problem);

  bool out_of_time() const;

  ContactSolverParameters parameters;
  GaussSeidel<dim> sweeps, damped_sweeps, accelerated_sweeps;
  Admm<dim> admm, global_admm;
  Newton<dim> newton, global_newton;
  ProjectedGradient<dim> products;

  std::chrono::steady_clock::time_point begin;
  std::vector<double> best, best_U, trial, trial_U;
  double best_error       = 0.;
  unsigned int iterations = 0;
  ContactResult result;
};
} // namespace delassus

#endif
