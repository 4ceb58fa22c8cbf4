#ifndef delassus_contact_global_solvers_best_iterate_h
#define delassus_contact_global_solvers_best_iterate_h

#include <delassus/contact/global_solvers/contact_result.h>
#include <delassus/contact/global_solvers/standard_rows.h>

#include <chrono>
#include <limits>
#include <vector>

namespace delassus
{
/// What the methods on all contacts share: the best iterate in the true error,
/// whether it is good enough, and when to give up.
template <int dim>
class BestIterate
{
public:
  /// @p problem and @p rows must live as long as this is used.
  void start(const ContactProblem<dim> &problem,
             const StandardRows<dim> &rows,
             const ContactSolverParameters &parameters);

  /// The true error of r, u = W r + q; r is kept if it is the best so far.
  double note(const std::vector<double> &r, const std::vector<double> &u);

  /// The same, with the product.
  double note(const std::vector<double> &r);

  /// Whether the best iterate satisfies the criterion of the parameters.
  bool good_enough();

  /// Whether the time limit has passed.
  bool out_of_time() const;

  double error() const
  {
    return best_error;
  }

  const std::vector<double> &impulses() const
  {
    return best;
  }

  /// Impulses, velocities, errors, statuses and counts of the result.
  void
  finish(std::vector<double> &P, std::vector<double> &U, ContactResult &result);

private:
  const ContactProblem<dim> *problem = nullptr;
  const StandardRows<dim> *rows      = nullptr;
  ContactSolverParameters parameters;
  std::chrono::steady_clock::time_point begin;
  std::vector<double> best, velocities, U;
  double best_error = std::numeric_limits<double>::infinity();
  double checked    = std::numeric_limits<double>::infinity();
  bool accepted     = false;
};
} // namespace delassus

#endif
