#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/affine_solve.h>
#include <delassus/contact/global_solvers/gauss_seidel_sweep.h>
#include <delassus/contact/global_solvers/rank_errors.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace delassus
{
using internal::store_impulse;

template <int dim>
template <typename Function>
void GaussSeidel<dim>::together(const Function &f) const
{
  if (coupling == nullptr)
  {
    f();
    return;
  }
  std::string error;
  try
  {
    f();
  }
  catch (const ComputationError &e)
  {
    error = e.what();
  }
  error = coupling->first_error(error);
  if (!error.empty())
    throw ComputationError(error);
}


template <int dim>
template <typename View>
void GaussSeidel<dim>::receive_ghosts(const View &W,
                                      const unsigned int lower,
                                      const unsigned int higher)
{
  if (!coupling->receive(lower, higher, arrived.data()))
    return;
  constexpr std::size_t stride = sweep_stride<dim>;
  const std::size_t n          = contacts.size();
  for (std::size_t i = 0; stride * i < arrived.size(); ++i)
  {
    const double *from = arrived.data() + stride * i;
    double *to         = impulses.data() + stride * (n + i);
    LocalVector<dim> change, P;
    for (int c = 0; c < dim; ++c)
    {
      P[c]      = from[c];
      change[c] = from[c] - to[c];
    }
    if (dot(change, change) == 0.)
      continue;
    store_impulse<dim>(to, P);
    W.change_impulse(n + i, change.data(), buffer.data());
  }
}


template <int dim>
template <typename View>
typename GaussSeidel<dim>::SweepSums
GaussSeidel<dim>::sweep_alone(const View &W, const bool forward)
{
  const std::size_t n = contacts.size();
  SweepSums sums;
  if (sweep_by_threads(forward, sums))
    ;
  else if (is_in_order())
    sums = sweep(W,
                 Consecutive{ 0 },
                 n,
                 forward,
                 (forward ? 1 : -1) * internal::prefetch_distance,
                 marks);
  else
  {
    shuffle(0);
    sums = sweep(W, Listed{ order[0].data() }, n, forward, 0, marks);
  }
  sums.out_of_time = is_out_of_time() ? 1. : 0.;
  return sums;
}


template <int dim>
template <typename View>
typename GaussSeidel<dim>::SweepSums
GaussSeidel<dim>::sweep_with_others(const View &W,
                                    const bool forward,
                                    const unsigned int message)
{
  using Range = typename RankCoupling<dim>::Range;
  SweepSums sums;
  const auto pass = [&](const std::vector<Range> &ranges, const unsigned int k)
  {
    if (is_in_order())
      for (std::size_t k = 0; k < ranges.size(); ++k)
      {
        const Range &range = ranges[forward ? k : ranges.size() - 1 - k];
        sums.add(sweep(W,
                       Consecutive{ range.begin },
                       range.end - range.begin,
                       forward,
                       (forward ? 1 : -1) * internal::prefetch_distance,
                       marks));
      }
    else
    {
      shuffle(k);
      sums.add(sweep(
          W, Listed{ order[k].data() }, order[k].size(), forward, 0, marks));
    }
  };
  if (forward)
    pass(coupling->first, 0);
  else
    pass(coupling->last, 2);
  // Colours whose turn is before this one's have been visited in this sweep,
  // the others in the last one.
  receive_ghosts(
      W, forward ? message : message - 1, forward ? message - 1 : message);
  pass(coupling->coupled, 1);
  coupling->send(impulses.data());
  if (forward)
    pass(coupling->last, 2);
  else
    pass(coupling->first, 0);
  // Ranks agree on whether time is over.
  double values[5] = { sums.natural_map,
                       sums.change,
                       sums.impulse,
                       is_out_of_time() ? 1. : 0.,
                       sums.n_settled };
  coupling->sum(values, 5);
  sums.n_settled   = values[4];
  sums.natural_map = values[0];
  sums.change      = values[1];
  sums.impulse     = values[2];
  sums.out_of_time = values[3];
  return sums;
}


template <int dim>
void GaussSeidel<dim>::report_not_finite(const std::vector<double> &P,
                                         const unsigned int sweep) const
{
  together(
      [&]()
      {
        for (std::size_t a = 0; a < contacts.size(); ++a)
          for (int c = 0; c < dim; ++c)
            if (!std::isfinite(P[dim * a + c]))
              throw ComputationError(fmt::format(
                  "Contact {}: its impulse became {} in sweep {}: W, the "
                  "free velocity or the law there are not finite.",
                  a,
                  P[dim * a + c],
                  sweep));
      });
  throw ComputationError(fmt::format(
      "Contact solver: the error is not finite after sweep {} (worst "
      "at contact {}).",
      sweep,
      result.errors.worst_contact));
}


template <int dim>
void GaussSeidel<dim>::visit_all_again()
{
  for (std::size_t a = 0; a < marks.pause.size(); ++a)
    if (marks.pause[a] != internal::never)
      marks.pause[a] = marks.quiet_visits[a] = 0;
}


// The estimate passes when the sum of all |F|^2 is below (tolerance |q|)^2. A
// contact is settled below a twentieth of its share of that: were all settled,
// the estimate would have passed long before.
template <int dim>
void GaussSeidel<dim>::find_settled_limits(const double tolerance,
                                           const double size)
{
  constexpr double share = 0.05;
  settled.map = settled.change = -1.;
  if (parameters.acceleration > 0)
    return;
  if (parameters.criterion == ContactCriterion::unit_free ||
      parameters.criterion == ContactCriterion::siconos)
  {
    const double scale = parameters.criterion == ContactCriterion::siconos
                             ? std::max(norm_q, size)
                             : norm_q;
    settled.map        = share * tolerance * tolerance * scale * scale / n_all;
    settled.change     = settled.map / (estimate_g * estimate_g);
  }
  else if (parameters.criterion == ContactCriterion::impulse_change)
  {
    settled.map    = std::numeric_limits<double>::infinity();
    settled.change = share * tolerance * tolerance * size * size / n_all;
  }
}


template <int dim>
void GaussSeidel<dim>::copy_impulses(std::vector<double> &P) const
{
  const std::size_t n = P.size() / dim;
  for (std::size_t a = 0; a < n; ++a)
    std::copy_n(
        impulses.data() + sweep_stride<dim> * a, dim, P.data() + dim * a);
}


template <int dim>
template <typename View>
void GaussSeidel<dim>::iterate(const ContactProblem<dim> &problem,
                               const View &W,
                               std::vector<double> &P,
                               std::vector<double> &U)
{
  const ContactCriterion criterion = parameters.criterion;
  const bool has_estimate = criterion != ContactCriterion::worst_violation &&
                            criterion != ContactCriterion::relaxed;
  // The relaxed criterion measures in units of its margins.
  const double tolerance =
      criterion == ContactCriterion::relaxed ? 1. : parameters.tolerance;

  // The true error costs about as much as a sweep. It is recomputed when the
  // estimate passes, and at sweeps that grow geometrically.
  double threshold    = tolerance;
  const double growth = has_estimate ? 1.5 : 1.15;
  double next_check   = has_estimate ? 10. : 1.;

  std::vector<double> &all = problem.W->n_ghosts() > 0 ? all_impulses : P;
  copy_impulses(all);
  start_of_best(all);
  find_settled_limits(tolerance, 0.);
  if (parameters.acceleration > 0)
    start_acceleration(problem);
  problem.W->begin_sweep(impulses.data(), buffer.data());
  result.converged = false;
  for (unsigned int i = 1; i <= parameters.max_sweeps; ++i)
  {
    const bool forward   = is_one_way() || i % 2 == 1;
    const SweepSums sums = coupling == nullptr
                               ? sweep_alone(W, forward)
                               : sweep_with_others(W, forward, ++message);
    result.sweeps        = i;
    result.n_visits += sums.n_visits;

    const double F    = std::sqrt(sums.natural_map);
    const double size = std::sqrt(sums.impulse);
    const double impulse_change =
        sums.change == 0. ? 0. : std::sqrt(sums.change) / size;
    double estimate = std::numeric_limits<double>::infinity();
    if (criterion == ContactCriterion::unit_free)
      estimate = F == 0. ? 0. : F / norm_q;
    else if (criterion == ContactCriterion::siconos)
      estimate = F == 0. ? 0. : F / std::max(norm_q, size);
    else if (criterion == ContactCriterion::impulse_change)
      estimate = impulse_change;

    const bool broken = !std::isfinite(F) || !std::isfinite(size);
    const bool passes = estimate <= threshold;
    const bool last   = i == parameters.max_sweeps || sums.out_of_time > 0.;
    find_settled_limits(threshold, size);
    const bool accelerates =
        parameters.acceleration > 0 && (is_one_way() || i % 2 == 0);
    if (!broken && !passes && i < next_check && !last)
    {
      if (accelerates)
        accelerate(problem);
      continue;
    }
    if (!broken && passes && sums.n_settled > 0. && !last)
    {
      // Convergence is near: all contacts are visited once more.
      visit_all_again();
      continue;
    }

    if (coupling != nullptr)
      receive_ghosts(W, message, message);
    copy_impulses(all);
    if (broken)
      report_not_finite(all, i);
    const double value = measure(problem, impulse_change, all, U);
    if (std::isnan(value))
      report_not_finite(all, i);
    if (value <= tolerance)
    {
      result.converged = true;
      break;
    }
    keep_if_best(value, all);
    if (last)
    {
      if (i < parameters.max_sweeps)
        result.diagnosis =
            fmt::format("The time limit of {} s was reached after {} sweeps.",
                        parameters.time_limit,
                        i);
      break;
    }
    if (passes)
    {
      // The estimate was too good by estimate / value: paused contacts
      // woke up, or later visits disturbed earlier ones.
      threshold = std::min(threshold, tolerance * (estimate / value));
      visit_all_again();
    }
    next_check = std::max(growth * i, i + 1.);
    // Rounding accumulated in the carried velocities starts anew.
    if (accelerates)
      accelerate(problem);
    else
      problem.W->begin_sweep(impulses.data(), buffer.data());
  }
  if (!result.converged)
    return_best(problem, all, U);
  if (&all != &P)
    std::copy_n(all.begin(), P.size(), P.begin());
}


template <int dim>
bool GaussSeidel<dim>::softens_too_much(const ContactProblem<dim> &problem,
                                        std::vector<double> &P,
                                        std::vector<double> &U)
{
  if (!StandardProblem<dim>::needed(problem))
    return false;
  check_problem(problem);
  if (!StandardProblem<dim>::softens(problem))
    return false;
  StandardProblem<dim> standard;
  try
  {
    if (standard.reinit(problem, StandardUse::rows))
      return false;
  }
  catch (const MemoryLimitError &)
  {
    return false; // only contact by contact, then
  }
  if (!parameters.warm_start)
    P.clear();
  AffineSolve<dim>::not_definite(
      problem, standard.diagnosis(), P, U, nullptr, result);
  result.solver = name();
  return true;
}


template <int dim>
const ContactResult &GaussSeidel<dim>::solve(const ContactProblem<dim> &problem,
                                             std::vector<double> &P,
                                             std::vector<double> &U,
                                             RankCoupling<dim> *others)
{
  coupling = others;
  start    = std::chrono::steady_clock::now();
  if (coupling == nullptr && softens_too_much(problem, P, U))
    return result;
  together([&]() { prepare_scales(problem, P); });
  if (coupling != nullptr)
    agree_on_scales(problem);
  together([&]() { prepare(problem, P); });
  prepare_order(problem);
  start_threads(problem);
  const std::size_t n = problem.n_contacts();
  P.resize(dim * n);
  U.resize(dim * n);
  copy_impulses(P);
  kept.is_last    = true;
  result.solver   = name();
  result.sweeps   = 0;
  result.n_visits = 0;
  result.diagnosis.clear();
  result.indefinite = false;
  result.converged  = true;
  result.errors     = ContactErrors();

  if (coupling != nullptr)
  {
    const std::size_t n_ghosts = problem.W->n_ghosts();
    constexpr auto stride      = sweep_stride<dim>;
    all_impulses.resize(dim * (n + n_ghosts));
    arrived.assign(stride * n_ghosts, 0.);
    message = 0;
    coupling->start();
    coupling->send(impulses.data());
    coupling->receive(0, 0, arrived.data());
    std::copy(arrived.begin(), arrived.end(), impulses.begin() + stride * n);
    double affine = has_affine;
    coupling->maximum(&affine, 1);
    has_affine = affine > 0.;
  }

  if (n > 0 || coupling != nullptr)
  {
    // Nothing moves the contacts: P = 0 is the solution. The iteration would
    // approach it for ever, relative to nothing.
    const bool at_rest = norm_q == 0. && !has_affine;
    if (at_rest)
      std::fill(P.begin(), P.end(), 0.);
    if (at_rest || parameters.max_sweeps == 0)
    {
      if (coupling != nullptr)
      {
        if (at_rest)
          std::fill(all_impulses.begin(), all_impulses.end(), 0.);
        else
          copy_impulses(all_impulses);
      }
      const auto &all = coupling != nullptr ? all_impulses : P;
      const double change =
          at_rest ? 0. : std::numeric_limits<double>::infinity();
      result.converged =
          measure(problem, change, all, U) <= parameters.tolerance;
      kept.is_last = false; // no sweep has seen statuses
    }
    else
    {
      buffer.resize(problem.W->sweep_buffer_size());
      if (const auto *W =
              dynamic_cast<const BlockSparseDelassus<dim> *>(problem.W))
        iterate(problem, BlockSparseSweep<dim>(*W), P, U);
      else if (const auto *W =
                   dynamic_cast<const DenseDelassus<dim> *>(problem.W))
        iterate(problem, DenseSweep<dim>(*W), P, U);
      else if (const auto *W =
                   dynamic_cast<const BodyDelassus<dim> *>(problem.W))
        iterate(problem, BodySweep<dim>(*W), P, U);
      else
        iterate(problem, VirtualSweep<dim>(*problem.W), P, U);
    }
  }
  finish_threads();
  result.status = marks.status;
  if (!kept.is_last)
    find_status(problem, P, U);

  result.n_open = result.n_stick = result.n_slip = 0;
  for (const ContactStatus status : result.status)
    switch (status)
    {
      case ContactStatus::open:
        ++result.n_open;
        break;
      case ContactStatus::stick:
        ++result.n_stick;
        break;
      case ContactStatus::slip:
        ++result.n_slip;
        break;
    }
  if (coupling != nullptr)
  {
    double counts[6] = { double(result.n_open),      double(result.n_stick),
                         double(result.n_slip),      double(result.n_ill_posed),
                         double(result.n_immovable), double(result.n_visits) };
    coupling->sum(counts, 6);
    result.n_open      = counts[0];
    result.n_stick     = counts[1];
    result.n_slip      = counts[2];
    result.n_ill_posed = counts[3];
    result.n_immovable = counts[4];
    result.n_visits    = counts[5];
  }
  return result;
}

template class GaussSeidel<2>;
template class GaussSeidel<3>;
} // namespace delassus
