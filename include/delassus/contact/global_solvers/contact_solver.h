#ifndef delassus_contact_global_solvers_contact_solver_h
#define delassus_contact_global_solvers_contact_solver_h

#include <delassus/base/archive.h>
#include <delassus/contact/global_solvers/contact_result.h>
#include <delassus/contact/global_solvers/rank_coupling.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/parameters/parameters.h>

#include <memory>
#include <vector>

namespace delassus
{
/// A method for the Signorini-Coulomb problem of all contacts. Work arrays are
/// kept from one problem to the next.
template <int dim>
class ContactSolver
{
public:
  virtual ~ContactSolver() = default;

  /// @p P: in, the impulses to start from (empty, or ignored without warm
  /// start: zero); out, the solution or the best iterate. @p U: out,
  /// W P + U_free. The result lives until the next call.
  ///
  /// With a @p coupling all ranks solve one problem together, each its own
  /// contacts: errors and counts of the result are those of all ranks.
  virtual const ContactResult &solve(const ContactProblem<dim> &problem,
                                     std::vector<double> &P,
                                     std::vector<double> &U,
                                     RankCoupling<dim> *coupling = nullptr) = 0;

  virtual const char *name() const = 0;

  /// Seconds of wall time for the next problems; 0: no limit.
  virtual void set_time_limit(double seconds) = 0;

  /// What the criterion must come to for the next problems.
  virtual void set_tolerance(double tolerance) = 0;

  /// At checkpoints, in the run that writes and in the one that reads them:
  /// what is kept of earlier problems to save work is made anew, so that both
  /// go on alike.
  virtual void forget()
  {
  }

  /// What the problems before have taught, for checkpoints.
  virtual void archive(Archive &)
  {
  }
};

/// The method named by the parameters. Throws InputError for values out of
/// range.
template <int dim>
std::unique_ptr<ContactSolver<dim>>
make_contact_solver(const ContactSolverParameters &parameters);
} // namespace delassus

#endif
