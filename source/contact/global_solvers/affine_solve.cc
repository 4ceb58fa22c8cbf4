#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/affine_solve.h>
#include <delassus/contact/global_solvers/rank_errors.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// Times that a method goes on to a smaller tolerance.
constexpr unsigned int n_attempts = 4;

/// g and |q| of the problem over all ranks.
template <int dim>
void scales(const ContactProblem<dim> &problem,
            RankCoupling<dim> *coupling,
            double &g,
            double &norm_q)
{
  const double n = problem.n_contacts();
  g              = effective_impulse_scale(problem);
  norm_q         = norm_of_free_velocity(problem);
  if (coupling == nullptr)
    return;
  double values[3] = { g * n, n, norm_q * norm_q };
  coupling->sum(values, 3);
  if (!(problem.impulse_scale > 0.))
    g = values[1] > 0. ? values[0] / values[1] : 1.;
  norm_q = std::sqrt(values[2]);
}
} // namespace


template <int dim>
const ContactResult &
AffineSolve<dim>::solve(ContactSolver<dim> &method,
                        const StandardUse use,
                        const ContactSolverParameters parameters,
                        const ContactProblem<dim> &problem,
                        std::vector<double> &P,
                        std::vector<double> &U,
                        RankCoupling<dim> *coupling)
{
  const std::size_t n = problem.n_contacts();
  double g = 1., norm_q = 0.;
  std::string error;
  try
  {
    check_problem(problem);
    if (!P.empty() && P.size() != dim * n)
      throw ComputationError("Contact solver: the starting impulses are not as "
                             "many as the contacts.");
  }
  catch (const ComputationError &e)
  {
    error = e.what();
  }
  if (coupling != nullptr)
    error = coupling->first_error(error);
  if (!error.empty())
    throw ComputationError(error);
  scales(problem, coupling, g, norm_q);
  // Collective where W is applied by all ranks.
  if (!standard.reinit(problem, use, coupling))
  {
    not_definite(problem, standard.diagnosis(), P, U, coupling, result);
    result.solver = method.name();
    return result;
  }

  start.assign(dim * n, 0.);
  calP.clear();
  double given = parameters.warm_start && !P.empty();
  if (coupling != nullptr)
    coupling->maximum(&given, 1);
  if (given > 0.)
  {
    P.resize(dim * n, 0.);
    start = P;
    standard.to_standard(P, calP);
  }
  standard.set_guess(P);

  // The same g: then F is the same, and only |q| is another.
  standard.set_impulse_scale(g);
  const ContactProblem<dim> &changed = standard.problem();
  double standard_g = g, standard_q = 0.;
  scales(changed, coupling, standard_g, standard_q);
  double tolerance = parameters.tolerance;
  if (parameters.criterion == ContactCriterion::unit_free && norm_q > 0. &&
      standard_q > 0.)
    tolerance *= norm_q / standard_q;
  const double allowed = parameters.criterion == ContactCriterion::relaxed
                             ? 1.
                             : parameters.tolerance;
  unsigned int sweeps  = 0;
  std::size_t n_visits = 0;
  try
  {
    for (unsigned int i = 0; i < n_attempts; ++i)
    {
      method.set_tolerance(tolerance);
      result = method.solve(changed, calP, calU, coupling);
      sweeps += result.sweeps;
      n_visits += result.n_visits;
      const bool solved   = result.converged;
      const double change = result.errors.impulse_change;
      standard.from_standard(calP, calU, P);
      result.errors = errors_of_all_ranks(problem, g, norm_q, P, U, coupling);
      result.errors.impulse_change = change;
      const double value           = criterion_of_all_ranks(
          result.errors, problem, parameters, P, U, coupling);
      result.converged = value <= allowed;
      if (result.converged || !solved)
        break;
      tolerance *= 0.5 * std::max(1e-3, allowed / value);
    }
  }
  catch (...)
  {
    method.set_tolerance(parameters.tolerance);
    throw;
  }
  method.set_tolerance(parameters.tolerance);
  result.sweeps   = sweeps;
  result.n_visits = n_visits;
  double n_open   = standard.n_left_open();
  if (coupling != nullptr)
    coupling->sum(&n_open, 1);
  result.n_immovable += n_open;
  if (result.converged)
  {
    result.diagnosis.clear();
    return result;
  }
  // What it began with may have been better.
  const ContactErrors at_start =
      errors_of_all_ranks(problem, g, norm_q, start, start_U, coupling);
  if (at_start.unit_free < result.errors.unit_free)
  {
    P             = start;
    U             = start_U;
    result.errors = at_start;
  }
  return result;
}


template <int dim>
void AffineSolve<dim>::not_definite(const ContactProblem<dim> &problem,
                                    const std::string &diagnosis,
                                    std::vector<double> &P,
                                    std::vector<double> &U,
                                    RankCoupling<dim> *coupling,
                                    ContactResult &result)
{
  double g = 1., norm_q = 0.;
  scales(problem, coupling, g, norm_q);
  P.resize(dim * problem.n_contacts(), 0.);
  result            = ContactResult();
  result.converged  = false;
  result.indefinite = true;
  result.diagnosis  = diagnosis;
  result.errors     = errors_of_all_ranks(problem, g, norm_q, P, U, coupling);
  result.status.assign(problem.n_contacts(), ContactStatus::open);
  result.n_open = problem.n_contacts();
}

template class AffineSolve<2>;
template class AffineSolve<3>;
} // namespace delassus
