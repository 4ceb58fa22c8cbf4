#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/imported_problem.h>
#include <delassus/contact/exchange/solve_problem.h>
#include <delassus/contact/global_solvers/contact_solver.h>

#include <chrono>

namespace delassus
{
namespace
{
/// Methods on the matrix of the bodies.
bool is_global(const ContactSolverType type)
{
  return type == ContactSolverType::global_admm ||
         type == ContactSolverType::global_newton;
}

template <int dim>
SolvedProblem solve(const ExchangeProblem &exchanged,
                    const ContactSolverParameters &parameters)
{
  const auto begin  = std::chrono::steady_clock::now();
  const auto solver = make_contact_solver<dim>(parameters);
  if (is_global(parameters.type) && !exchanged.global)
    throw InputError("The problem is local, that is given by W; this method "
                     "needs a global one, given by the matrix of the bodies.");
  const ImportedProblem<dim> imported(exchanged,
                                      is_global(parameters.type)
                                          ? Condensation::applied
                                          : Condensation::formed);
  if (is_global(parameters.type) && imported.problem().global == nullptr)
    throw InputError("The matrix M is not symmetric and positive definite, "
                     "which this method needs.");
  SolvedProblem solved;
  solved.result =
      solver->solve(imported.problem(), solved.solution.r, solved.solution.u);
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - begin;
  solved.seconds = time.count();
  solved.errors =
      compute_errors(imported.problem(), solved.solution.r, solved.solution.u);
  solved.asked = parameters.criterion == ContactCriterion::siconos
                     ? solved.errors.siconos
                     : solved.errors.unit_free;
  solved.met   = solved.asked <= parameters.tolerance;
  if (solved.result.solver.empty())
    solved.result.solver = solver->name();
  return solved;
}
} // namespace


SolvedProblem solve_problem(const ExchangeProblem &problem,
                            const ContactSolverParameters &parameters)
{
  if (parameters.criterion != ContactCriterion::unit_free &&
      parameters.criterion != ContactCriterion::siconos)
    throw InputError("Exchanged problems are solved to the criterion 'unit "
                     "free' or 'siconos'.");
  return problem.dim == 2 ? solve<2>(problem, parameters)
                          : solve<3>(problem, parameters);
}
} // namespace delassus
