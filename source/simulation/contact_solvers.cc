#include <delassus/base/exceptions.h>
#include <delassus/simulation/contact_solvers.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

namespace
{
/// In a Newton loop the laws are to hold, to the tolerance asked for, on the
/// configuration that it ends in: the loop itself leaves room for that.
template <int dim>
ContactSolverParameters solver_parameters(const Model<dim> &model,
                                          const double factor = 1.)
{
  auto parameters = model.parameters.contact_solver;
  parameters.tolerance *= (model.is_nonlinear() ? 0.5 : 1.) * factor;
  return parameters;
}
} // namespace

template <int dim>
ContactSolvers<dim>::ContactSolvers(const Model<dim> &model)
    : model(model)
    , named(make_contact_solver<dim>(solver_parameters(model)))
    , alike(make_contact_solver<dim>(solver_parameters(model)))
    , shared(solver_parameters(model))
    , of_products(solver_parameters(model))
    , tolerance_now(solver_parameters(model).tolerance)
{
}

template <int dim>
void ContactSolvers<dim>::set_tolerance_factor(const double factor)
{
  tolerance_factor = factor;
  set_tolerances();
}

template <int dim>
void ContactSolvers<dim>::set_forcing(const double error)
{
  // The other criteria are not measured against U_free.
  const auto criterion = model.parameters.contact_solver.criterion;
  forcing              = criterion == ContactCriterion::unit_free ||
                    criterion == ContactCriterion::siconos
                             ? error
                             : 0.;
  set_tolerances();
}

template <int dim>
void ContactSolvers<dim>::set_tolerances()
{
  const double tolerance =
      std::max(solver_parameters(model, tolerance_factor).tolerance, forcing);
  if (tolerance == tolerance_now)
    return;
  tolerance_now = tolerance;
  named->set_tolerance(tolerance);
  alike->set_tolerance(tolerance);
  shared.set_tolerance(tolerance);
  of_products.set_tolerance(tolerance);
}

template <int dim>
ContactResult ContactSolvers<dim>::solve(const ContactProblem<dim> &problem,
                                         const bool applied_only,
                                         ContactRanks<dim> &ranks,
                                         std::vector<double> &P,
                                         std::vector<double> &U)
{
  ContactResult result;
  const auto type     = model.parameters.contact_solver.type;
  const bool parallel = ranks.n_ranks > 1;
  const bool by_products =
      applied_only && (parallel || (type != ContactSolverType::automatic &&
                                    type != ContactSolverType::global_admm &&
                                    type != ContactSolverType::global_newton));
  if (by_products)
    result =
        of_products.solve(problem, P, U, parallel ? &ranks.messages : nullptr);
  else if (ranks.distributed)
    result = shared.solve(problem, P, U, &ranks.messages);
  else
  {
    std::string error;
    if (ranks.rank == 0)
      try
      {
        result = named->solve(problem, P, U);
      }
      catch (const ComputationError &e)
      {
        error = e.what();
      }
    error = ranks.first(error);
    if (parallel)
      ranks.share(result);
    if (!error.empty())
      throw ComputationError(error);
  }
  judge(result);
  return result;
}

template <int dim>
ContactResult ContactSolvers<dim>::solve(ContactReplica<dim> &replica,
                                         const ContactProblem<dim> &problem,
                                         std::vector<double> &P,
                                         std::vector<double> &U)
{
  ContactResult result = replica.solve(problem, *alike, P, U);
  judge(result);
  return result;
}

template <int dim>
void ContactSolvers<dim>::judge(ContactResult &result) const
{
  // More than what was asked for may be more than rounding allows.
  if (tolerance_factor < 1. && !result.converged)
    result.converged =
        result.errors.unit_free <= solver_parameters(model).tolerance;
}

template class ContactSolvers<2>;
template class ContactSolvers<3>;
} // namespace delassus
