#ifndef delassus_contact_global_solvers_affine_solve_h
#define delassus_contact_global_solvers_affine_solve_h

#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/contact/global_solvers/standard_problem.h>

#include <memory>
#include <vector>

namespace delassus
{
/// Something that most never need.
template <typename T>
class MadeWhenNeeded
{
public:
  T &operator()()
  {
    if (object == nullptr)
      object = std::make_unique<T>();
    return *object;
  }

private:
  std::unique_ptr<T> object;
};

/// Affine laws for a method that knows shifts only: the problem is made
/// standard, solved by the method, and the impulses are taken back. Errors are
/// those of the problem as it was given, with U = W P + U_free computed anew:
/// where they are not small enough yet the method goes on to a smaller
/// tolerance.
template <int dim>
class AffineSolve
{
public:
  /// @p method must have the @p parameters (a copy, because its tolerance is
  /// changed for a while), and is left with their tolerance.
  const ContactResult &solve(ContactSolver<dim> &method,
                             const StandardUse use,
                             const ContactSolverParameters parameters,
                             const ContactProblem<dim> &problem,
                             std::vector<double> &P,
                             std::vector<double> &U,
                             RankCoupling<dim> *coupling);

  /// The result of a problem in which laws soften too much: not solved, P as it
  /// was (or zero).
  static void not_definite(const ContactProblem<dim> &problem,
                           const std::string &diagnosis,
                           std::vector<double> &P,
                           std::vector<double> &U,
                           RankCoupling<dim> *coupling,
                           ContactResult &result);

private:
  StandardProblem<dim> standard;
  std::vector<double> start, calP, calU, start_U;
  ContactResult result;
};
} // namespace delassus

#endif
