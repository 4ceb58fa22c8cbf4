#include <delassus/contact/global_solvers/best_iterate.h>
#include <delassus/contact/global_solvers/rank_errors.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
template <int dim>
void BestIterate<dim>::start(const ContactProblem<dim> &problem_in,
                             const StandardRows<dim> &rows_in,
                             const ContactSolverParameters &parameters_in)
{
  problem    = &problem_in;
  rows       = &rows_in;
  parameters = parameters_in;
  begin      = std::chrono::steady_clock::now();
  best.assign(dim * rows->n(), 0.);
  velocities.resize(dim * rows->n());
  best_error = checked = std::numeric_limits<double>::infinity();
  accepted             = false;
}


template <int dim>
double BestIterate<dim>::note(const std::vector<double> &r,
                              const std::vector<double> &u)
{
  const bool siconos = parameters.criterion == ContactCriterion::siconos;
  const double error = rows->error(r, u, siconos);
  if (error < best_error)
  {
    best_error = error;
    best       = r;
  }
  return error;
}


template <int dim>
double BestIterate<dim>::note(const std::vector<double> &r)
{
  rows->velocities(r.data(), velocities.data());
  return note(r, velocities);
}


template <int dim>
bool BestIterate<dim>::good_enough()
{
  if (accepted)
    return true;
  const bool measured = parameters.criterion == ContactCriterion::siconos ||
                        parameters.criterion == ContactCriterion::unit_free;
  if (measured && best_error > parameters.tolerance)
    return false;
  // The other criteria cost a product and are looked at when the natural map
  // has become smaller.
  if (best_error >= 0.7 * checked)
    return false;
  checked                    = best_error;
  const ContactErrors errors = errors_of_all_ranks<dim>(
      *problem, rows->g, rows->norm_q, best, U, nullptr);
  const bool change = parameters.criterion == ContactCriterion::impulse_change;
  const double value =
      change ? errors.unit_free
             : criterion_of_all_ranks<dim>(
                   errors, *problem, parameters, best, U, nullptr);
  accepted = value <= (parameters.criterion == ContactCriterion::relaxed
                           ? 1.
                           : parameters.tolerance);
  return accepted;
}


template <int dim>
bool BestIterate<dim>::out_of_time() const
{
  return parameters.time_limit > 0. &&
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
                 .count() > parameters.time_limit;
}


template <int dim>
void BestIterate<dim>::finish(std::vector<double> &P,
                              std::vector<double> &U_out,
                              ContactResult &result)
{
  P                  = best;
  result.converged   = accepted;
  result.n_immovable = rows->n_immovable;
  result.n_ill_posed = rows->n_ill_posed;
  result.ill_posed   = rows->ill_posed;
  result.errors      = errors_of_all_ranks<dim>(
      *problem, rows->g, rows->norm_q, P, U_out, nullptr);
  if (!result.converged && result.diagnosis.empty() && out_of_time())
    result.diagnosis = fmt::format("the time limit of {} s was reached",
                                   parameters.time_limit);

  // The branch of the projection that each contact is in.
  const std::size_t n = rows->n();
  result.status.assign(n, ContactStatus::open);
  result.n_open = result.n_stick = result.n_slip = 0;
  for (std::size_t a = 0; a < n; ++a)
  {
    if (!problem->laws[a].active)
    {
      ++result.n_open;
      continue;
    }
    LocalVector<dim> r, u;
    problem->laws[a].to_standard(
        [&]()
        {
          LocalVector<dim> value;
          std::copy_n(U_out.begin() + dim * a, dim, value.begin());
          return value;
        }(),
        [&]()
        {
          LocalVector<dim> value;
          std::copy_n(P.begin() + dim * a, dim, value.begin());
          return value;
        }(),
        u,
        r);
    const double D     = rows->D[a];
    LocalVector<dim> z = subtract(scale(D, r), u);
    const double radius =
        rows->threshold[a] >= 0. ? D * rows->threshold[a] : rows->mu[a] * z[0];
    auto &status    = result.status[a];
    const bool tied = problem->laws[a].is_tied();
    if (rows->fixed[a] || (!tied && (!(z[0] > 0.) || !(r[0] > 0.))))
      ++result.n_open;
    else if (tied || tangential_norm(z) < radius)
    {
      status = ContactStatus::stick;
      ++result.n_stick;
    }
    else
    {
      status = ContactStatus::slip;
      ++result.n_slip;
    }
  }
}

template class BestIterate<2>;
template class BestIterate<3>;
} // namespace delassus
