#ifndef delassus_contact_global_solvers_method_sequence_h
#define delassus_contact_global_solvers_method_sequence_h

#include <delassus/base/archive.h>
#include <delassus/contact/global_solvers/admm.h>
#include <delassus/contact/global_solvers/semismooth_newton.h>
#include <delassus/contact/global_solvers/projected_gradient.h>

#include <string>
#include <vector>

namespace delassus
{
/// Methods that hand over from one to the next, each from the best iterate on:
///
///  1. A few plain sweeps of Gauss-Seidel (sweep_first).
///  2. Newton's method, if W is full and that is expected to cost less than the
///     sweeps, from the work of both and the iterations that they took the last
///     times. Then sweeps accelerated by Anderson's method, up to about what a
///     factorization and the iterations after it cost, as long as their pace
///     promises to be enough.
///  3. Newton's method with sweeps in between, on W where W is small, in the
///     global form where W is not stored or too large to be factorized.
///  4. ADMM: one factorization, products after that. (After that Newton's
///     method, if W is not small.)
///  5. Again from 3 with twice the iterations, and damped sweeps between,
///     as long as an error half of the last one is found.
///
/// Only the true error decides. Work is counted, not timed, so that a run can
/// be repeated.
template <int dim>
class MethodSequence
{
public:
  /// @p learns: problems come one after another and are alike.
  explicit MethodSequence(const ContactSolverParameters &parameters,
                          bool learns = false);

  /// What it has learned.
  void archive(Archive &archive);

  void forget()
  {
    global_newton.forget();
    global_admm.forget();
  }

  /// The next problem, which must live until finish(), from the impulses
  /// @p P (empty: zero) on. @p given: those before any sweep, from which ADMM
  /// begins. Time counts from @p begin.
  void start(const ContactProblem<dim> &problem,
             const std::vector<double> &P,
             const std::vector<double> &given,
             std::chrono::steady_clock::time_point begin);

  /// Iterations that are allowed, and what the criterion must come to.
  void set_limits(unsigned int max_iterations, double tolerance);

  /// Seconds; 0: no limit.
  void set_time_limit(double seconds);

  /// Step 1; true if that solved the problem.
  bool sweep_first();

  /// The other steps, or products alone where nothing else is possible.
  bool pursue();

  /// Impulses and velocities of the best iterate. Throws ComputationError if no
  /// method gave any, with the reason.
  const ContactResult &finish(std::vector<double> &P, std::vector<double> &U);

  bool out_of_time() const;

  /// Why a method failed.
  const std::string &diagnosis() const
  {
    return result.diagnosis;
  }

  /// Whether any method has given impulses.
  bool has_iterate() const
  {
    return !best_U.empty();
  }

private:
  /// One method from these impulses on; true if it solved the problem.
  /// Iterations are added, the name is noted.
  bool attempt(ContactSolver<dim> &method, const std::vector<double> &from);

  /// Step 2: the cost of Newton's method over that of sweeps, infinite if it is
  /// not known; and an attempt at it.
  double newton_over_sweeps(double n_values) const;
  bool newton_by_cost();
  bool sweep_on();

  /// Steps 3 to 5.
  bool alternate(bool use_global, bool newton_first);
  bool try_admm(bool use_global, unsigned int round);
  bool try_newton(bool use_global, unsigned int round, bool anew);

  /// Whether ADMM is expected to cost less than Newton's method in the global
  /// form; and an attempt at it.
  bool prefers_global_admm();
  bool admm_by_cost();

  /// Iterations that problems need.
  struct Learned
  {
    double sweeps, newton, global_admm;
  };

  ContactSolverParameters parameters;
  const bool learns;
  Learned learned;
  const ContactProblem<dim> *problem = nullptr;
  ContactProblem<dim> unguessed; ///< without U_guess, of attempt()
  bool applied = false;          ///< W is known by products only
  GaussSeidel<dim> sweeps, damped_sweeps, accelerated_sweeps;
  Admm<dim> admm, global_admm;
  SemismoothNewton<dim> newton, global_newton;
  ProjectedGradient<dim> products;

  std::chrono::steady_clock::time_point begin;
  std::vector<double> given, best, best_U, trial, trial_U;
  double best_error       = 0.;
  unsigned int iterations = 0;
  bool done               = false;
  ContactResult result;
};
} // namespace delassus

#endif
