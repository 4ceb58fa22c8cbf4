// Where an iterate stands: balance of momentum, and when to go on.
#include <delassus/simulation/step.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
double Step<dim>::residual()
{
  // The worst body: its residual against the largest kind of impulse that acts
  // on it, or a thousandth of those on others, or what rounding leaves of the
  // stiffness times the displacement.
  constexpr unsigned int n    = ImpulseNorms::n;
  const unsigned int n_bodies = model.systems.size();
  std::vector<double> sums;
  for (const auto *system : model.systems)
    for (const double value : system->norms().values())
      sums.push_back(value);
  Utilities::MPI::sum(sums, model.communicator, sums);
  double largest = 0.;
  std::vector<double> size(n_bodies);
  for (unsigned int b = 0; b < n_bodies; ++b)
  {
    for (unsigned int i = 1; i < n - 1; ++i)
      size[b] = std::max(size[b], std::sqrt(sums[n * b + i]));
    largest = std::max(largest, size[b]);
  }
  // Pieces that are judged one by one.
  std::vector<std::array<double, 2>> of_pieces;
  for (const auto *system : model.systems)
    for (const auto &norms : system->norms_of_pieces())
      of_pieces.push_back(norms);
  for (const auto &norms : of_pieces)
    largest = std::max(largest, norms[1]);
  largest      = Utilities::MPI::max(largest, model.communicator);
  double error = 0.;
  for (const auto &norms : of_pieces)
    if (norms[0] > 0.)
      error = std::max(error, norms[0] / std::max(norms[1], 1e-3 * largest));
    else if (std::isnan(norms[0]))
      error = std::numeric_limits<double>::infinity();
  error = Utilities::MPI::max(error, model.communicator);
  for (unsigned int b = 0; b < n_bodies; ++b)
  {
    const double rounding =
        1e-14 * std::sqrt(sums[n * b + 5]) / parameters.tolerance;
    const double against = std::max({ size[b], 1e-3 * largest, rounding });
    if (sums[n * b] > 0. || std::isnan(sums[n * b]))
      error = std::max(error, std::sqrt(sums[n * b]) / against);
    if (std::isnan(sums[n * b]))
      return std::numeric_limits<double>::infinity();
  }
  // Norms of a stiff piece say nothing of its balance as a whole.
  if (pieces.any)
  {
    pieces.find_balance();
    error = std::max(error, pieces.worst);
  }
  return error;
}

template <int dim>
void Step<dim>::lighten_pieces()
{
  std::vector<unsigned int> late;
  for (unsigned int p = 0; p < pieces.error.size(); ++p)
    if (pieces.error[p] > parameters.tolerance && pieces.is_softly_held(p))
      late.push_back(p);
  pieces.lower(late, 0.1);
}

template <int dim>
typename Step<dim>::Judgement Step<dim>::judge(const unsigned int k,
                                               const double h)
{
  if (!iterates)
  {
    last.iterations = k;
    return equilibrium.accept() ? Judgement::done : Judgement::go_on;
  }
  last.momentum_error = residual();
  last.law_error      = contact.law_error(h);
  last.history.push_back(last.momentum_error);
  last.law_history.push_back(last.law_error);
  tell_iteration(k);
  if (last.momentum_error <= parameters.tolerance &&
      last.law_error <= contact_tolerance && !now.shortened)
    return Judgement::done;
  // Near the tolerance it is the error of the impulses that stays, which a
  // smaller fictitious mass makes larger: they have to be known better.
  if (k >= 6 && k % 4 == 2 &&
      last.momentum_error > 100. * parameters.tolerance &&
      last.momentum_error > 0.1 * last.history[k - 3])
    lighten_pieces();
  last.iterations = k;
  now.best        = std::min(now.best, last.momentum_error);
  now.n_worse     = last.momentum_error > now.best ? now.n_worse + 1 : 0;
  return judge_slow(k);
}

template <int dim>
typename Step<dim>::Judgement Step<dim>::judge_slow(const unsigned int k)
{
  // Impulses are known to the tolerance of the contact solver only: where the
  // residual stands still near it, they have to be known better, and if that is
  // not enough, it is all that can be had.
  const bool laws_hold = last.law_error <= contact_tolerance;
  const double factor  = contact.solvers.tolerance_factor;
  // Impulses that were good enough as they came are not improved by another
  // tenth: errors are small against gaps of contacts that are far open.
  const bool untouched = contact.result.sweeps == 0;
  const double finer =
      0.1 * (untouched
                 ? std::min(factor,
                            contact.result.errors.unit_free / contact_tolerance)
                 : factor);
  const unsigned int since = untouched ? 1 : 2; // iterations
  if (laws_hold && k > 2 * since - 1 && k % since == 0 && !now.shifted &&
      model.parameters.contact_solver.criterion ==
          ContactCriterion::unit_free &&
      (factor > 2. * finest_kept || untouched) &&
      contact_tolerance * finer > 1e-14 &&
      last.momentum_error < 1e4 * contact_tolerance &&
      last.momentum_error > 0.3 * last.history[k - 1 - since])
    contact.solvers.set_tolerance_factor(finer);
  if (laws_hold && k >= 10 && now.n_worse >= 3 && !now.shortened &&
      last.momentum_error <= contact_tolerance)
  {
    ++of_run.n_stagnated;
    log.warning(fmt::format("the momentum residual stands still at {:.1e}, "
                            "below the tolerance of the contact solver: "
                            "lower that one to go further",
                            last.momentum_error),
                "residual limited by contact");
    return Judgement::done;
  }
  if (!std::isfinite(last.momentum_error) ||
      (now.n_worse >= 10 && last.momentum_error > 10. * now.best &&
       last.momentum_error > contact_tolerance) ||
      (now.n_worse >= 2 && last.momentum_error > 1e3))
  {
    fail(fmt::format("the Newton loop diverges (momentum residual "
                     "{:.2e}, contact law {:.2e} after {} "
                     "iterations)",
                     last.momentum_error,
                     last.law_error,
                     k),
         "A smaller 'Time/Step' helps where loads or tools move "
         "too far in it, 'Time/Scheme = dynamic' where something "
         "gives way.");
    return Judgement::failed;
  }
  if (k >= parameters.max_iterations && !slow_but_sure())
  {
    fail(fmt::format("the Newton loop has a momentum residual of "
                     "{:.2e} (allowed {:.1e}) and a contact law "
                     "error of {:.2e} (allowed {:.1e}) after {} "
                     "iterations",
                     last.momentum_error,
                     parameters.tolerance,
                     last.law_error,
                     contact_tolerance,
                     k),
         last.law_error > contact_tolerance
             ? "Contacts do not settle: a smaller 'Time/Step', "
               "'Normals = averaged' or a finer antagonist help."
             : "'Newton/Maximum iterations' gives it more time, a "
               "smaller 'Contact solver/Tolerance' better impulses.");
    return Judgement::failed;
  }
  return Judgement::go_on;
}

template <int dim>
double Step<dim>::forcing(const unsigned int k) const
{
  // After this correction the laws are off by what the new configuration makes
  // of them, as far as the last step tells: impulses need not be exact beyond a
  // hundredth of that. (Momentum of the correction holds for any impulses.) In
  // the end, its last two iterations, the laws are asked for their tolerance.
  constexpr double part = 1e-2, most = 1e-3;
  if (!iterates || !model.parameters.contact_solver.inexact ||
      k + 2 >= learned.law_history.size() || now.shortened)
    return 0.;
  return std::min(most, part * learned.law_history[k]);
}

template <int dim>
double Step<dim>::frames_may_leave(const unsigned int k) const
{
  // A tenth of what this correction leaves in any case, as far as the last step
  // tells; if that was one of a few iterations. Where statuses turn to and fro
  // frames that are not followed lead on to other turns.
  constexpr double part         = 0.1;
  constexpr std::size_t quickly = 6;
  const std::size_t n           = learned.history.size();
  double residual               = parameters.tolerance;
  if (model.parameters.contact_solver.inexact && !now.shortened && k + 2 < n &&
      n <= quickly)
    residual = std::max(residual, learned.history[k]);
  return part * std::min(residual, 1.);
}

template <int dim>
bool Step<dim>::slow_but_sure() const
{
  // As fast as in the last iterations, would it get there in a few times what
  // is allowed?
  constexpr unsigned int window = 6, most = 4;
  const unsigned int k = last.history.size();
  if (k <= window || k >= most * parameters.max_iterations)
    return false;
  if (last.momentum_error <= parameters.tolerance)
    return true; // the laws are not there yet
  const double rate =
      std::log(last.momentum_error / last.history[k - 1 - window]) / window;
  return rate < 0. &&
         k + std::log(parameters.tolerance / last.momentum_error) / rate <=
             most * parameters.max_iterations;
}

#define INSTANTIATE(dim)                                                       \
  template double Step<dim>::residual();                                       \
  template void Step<dim>::lighten_pieces();                                   \
  template typename Step<dim>::Judgement Step<dim>::judge(const unsigned int,  \
                                                          const double);       \
  template typename Step<dim>::Judgement Step<dim>::judge_slow(                \
      const unsigned int);                                                     \
  template double Step<dim>::forcing(const unsigned int) const;                \
  template double Step<dim>::frames_may_leave(const unsigned int) const;       \
  template bool Step<dim>::slow_but_sure() const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
