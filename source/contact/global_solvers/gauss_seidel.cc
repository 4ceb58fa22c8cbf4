#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/sweep_views.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/rank_errors.h>
#include <delassus/contact/global_solvers/visits.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace delassus
{
namespace
{
using internal::never;
using internal::plain;
using internal::store_impulse;

/// Back into the cone (or cylinder) along straight lines: normal part first.
template <int dim>
inline void limit_to_cone(LocalVector<dim> &P,
                          const double friction,
                          const double threshold = 0.)
{
  P[0]                    = std::max(0., P[0]);
  const double tangential = tangential_norm(P);
  const double bound      = threshold + friction * P[0];
  if (tangential > bound)
    for (int c = 1; c < dim; ++c)
      P[c] *= bound / tangential;
}
} // namespace


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
void GaussSeidel<dim>::note_ill_posed(const std::size_t a,
                                      const LocalMatrix<dim> &W,
                                      const ChangeOfVariables<dim> &law)
{
  const LocalMatrix<dim> calW = StandardForm<dim>(law, W).calW;
  LocalVector<dim> row;
  std::copy_n(calW.begin(), dim, row.begin());
  const double critical = row[0] / tangential_norm(row);
  auto &worst           = result.ill_posed;
  if (law.friction * worst.critical > worst.friction * critical ||
      worst.critical == 0.)
    worst = { a, law.friction, critical };
}


/// A contact with an affine law or Tresca's friction, or ill posed in 2D: in
/// standard variables and back.
template <int dim>
ContactStatus
GaussSeidel<dim>::solve_special(const PreparedContact<dim> &contact,
                                LocalVector<dim> &P,
                                const LocalVector<dim> &U,
                                LocalVector<dim> &F) const
{
  const SpecialContact &here = special[contact.kind - 1];
  const double mu            = contact.friction;
  const double omega         = parameters.relaxation;
  const LocalVector<dim> calU_free =
      here.form.calU_free(subtract(U, multiply<dim>(here.W, P)));
  LocalVector<dim> calU, calP;
  here.law->to_standard(U, P, calU, calP);
  F = here.law->natural_map(calP, calU, estimate_g);

  const LocalVector<dim> old = calP;
  ContactStatus status;
  if (here.law->is_tresca())
  {
    unsigned int iterations = 0;
    status                  = solve_tresca<dim>(
        here.form.calW, calU_free, here.law->threshold, calP, iterations);
  }
  else if (dim == 2 && here.ill_posed)
  {
    const auto solution = solve_local<dim>(here.form.calW, calU_free, mu, old);
    calP                = solution.P;
    status              = solution.status;
  }
  else
  {
    unsigned int iterations = 0;
    status                  = contact.solve(calP, calU, old, iterations);
  }
  if (omega != 1.)
  {
    calP = add(old, scale(omega, subtract(calP, old)));
    limit_to_cone<dim>(calP, mu, std::max(0., here.law->threshold));
  }
  calU = add(calU_free, multiply<dim>(here.form.calW, calP));
  LocalVector<dim> unused;
  here.law->from_standard(calU, calP, unused, P);
  return status;
}


template <int dim>
template <typename View>
typename GaussSeidel<dim>::SweepSums
GaussSeidel<dim>::sweep(const View &W,
                        const bool forward,
                        const std::size_t begin,
                        const std::size_t end)
{
  constexpr std::size_t stride         = sweep_stride<dim>;
  const std::size_t n                  = end - begin;
  const std::ptrdiff_t step            = forward ? 1 : -1;
  const PreparedContact<dim> *prepared = contacts.data();
  double *P_all                        = impulses.data();
  double *carried                      = buffer.data();
  ContactStatus *status                = result.status.data();
  unsigned char *pauses                = pause.data();
  unsigned char *n_open                = open_visits.data();
  const double omega                   = parameters.relaxation;
  const double scaling                 = estimate_g;
  SweepSums sums;
  std::size_t n_left_out     = 0;
  const std::ptrdiff_t ahead = (forward ? 1 : -1) * internal::prefetch_distance;

  std::ptrdiff_t a = static_cast<std::ptrdiff_t>(forward ? begin : end - 1);
  for (std::size_t i = 0; i < n; ++i, a += step)
  {
    if (pauses[a] != 0)
    {
      if (pauses[a] != never)
        --pauses[a];
      ++n_left_out;
      continue;
    }
    const PreparedContact<dim> &contact = prepared[a];
    double *P_here                      = P_all + stride * a;
    LocalVector<dim> U, P, F;
    W.velocity_at(a, P_all, carried, U.data(), ahead);
    U = add(U, contact.q);
    for (int c = 0; c < dim; ++c)
      P[c] = P_here[c];
    const LocalVector<dim> old = P;

    ContactStatus state;
    if (contact.kind == plain)
    {
      F = natural_map<dim>(P, U, contact.friction, scaling);
      unsigned int iterations = 0;
      state                   = contact.solve(P, U, old, iterations);
      if (omega != 1.)
      {
        P = add(old, scale(omega, subtract(P, old)));
        limit_to_cone<dim>(P, contact.friction);
      }
    }
    else
      state = solve_special(contact, P, U, F);

    store_impulse<dim>(P_here, P);
    const LocalVector<dim> change = subtract(P, old);
    W.change_impulse(a, change.data(), carried);
    sums.natural_map += dot(F, F);
    sums.change += dot(change, change);
    sums.impulse += dot(P, P);
    status[a] = state;

    // Open three times in a row: leave out one, two, ... at most seven visits.
    if (state == ContactStatus::open)
    {
      if (n_open[a] >= 3)
        pauses[a] = n_open[a] - 2;
      if (n_open[a] < 9)
        ++n_open[a];
    }
    else
      n_open[a] = 0;
  }
  result.n_visits += n - n_left_out;
  return sums;
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
GaussSeidel<dim>::sweep_with_others(const View &W,
                                    const bool forward,
                                    const unsigned int i)
{
  using Range     = typename RankCoupling<dim>::Range;
  double sums[3]  = { 0., 0., 0. };
  const auto pass = [&](const std::vector<Range> &ranges)
  {
    for (std::size_t k = 0; k < ranges.size(); ++k)
    {
      const Range &range   = ranges[forward ? k : ranges.size() - 1 - k];
      const SweepSums part = sweep(W, forward, range.begin, range.end);
      sums[0] += part.natural_map;
      sums[1] += part.change;
      sums[2] += part.impulse;
    }
  };
  pass(forward ? coupling->first : coupling->last);
  // Colours whose turn is before this one's have been visited in this sweep,
  // the others in the last one.
  receive_ghosts(W, forward ? i : i - 1, forward ? i - 1 : i);
  pass(coupling->coupled);
  coupling->send(impulses.data());
  pass(forward ? coupling->last : coupling->first);
  coupling->sum(sums, 3);
  return { sums[0], sums[1], sums[2] };
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
  for (std::size_t a = 0; a < pause.size(); ++a)
    if (pause[a] != never)
      pause[a] = open_visits[a] = 0;
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
  problem.W->begin_sweep(impulses.data(), buffer.data());
  result.converged = false;
  for (unsigned int i = 1; i <= parameters.max_sweeps; ++i)
  {
    const bool forward = parameters.order == SweepOrder::forward || i % 2 == 1;
    const SweepSums sums = coupling == nullptr
                               ? sweep(W, forward, 0, contacts.size())
                               : sweep_with_others(W, forward, i);
    result.sweeps        = i;

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
    if (!broken && !passes && i < next_check && i < parameters.max_sweeps)
      continue;

    if (coupling != nullptr)
      receive_ghosts(W, i, i);
    copy_impulses(all);
    if (broken)
      report_not_finite(all, i);
    result.errors = errors_of_all_ranks(problem, g, norm_q, all, U, coupling);
    result.errors.impulse_change = impulse_change;
    const double value           = criterion_of_all_ranks(
        result.errors, problem, parameters, all, U, coupling);
    if (std::isnan(value))
      report_not_finite(all, i);
    if (value <= tolerance)
    {
      result.converged = true;
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
    problem.W->begin_sweep(impulses.data(), buffer.data());
  }
  if (&all != &P)
    std::copy_n(all.begin(), P.size(), P.begin());
}


template <int dim>
const ContactResult &GaussSeidel<dim>::solve(const ContactProblem<dim> &problem,
                                             std::vector<double> &P,
                                             std::vector<double> &U,
                                             RankCoupling<dim> *others)
{
  coupling = others;
  together([&]() { prepare_scales(problem, P); });
  if (coupling != nullptr)
    agree_on_scales(problem);
  together([&]() { prepare(problem, P); });
  const std::size_t n = problem.n_contacts();
  P.resize(dim * n);
  U.resize(dim * n);
  copy_impulses(P);
  result.sweeps    = 0;
  result.n_visits  = 0;
  result.converged = true;
  result.errors    = ContactErrors();

  if (coupling != nullptr)
  {
    const std::size_t n_ghosts = problem.W->n_ghosts();
    constexpr auto stride      = sweep_stride<dim>;
    all_impulses.resize(dim * (n + n_ghosts));
    arrived.assign(stride * n_ghosts, 0.);
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
      result.errors = errors_of_all_ranks(problem, g, norm_q, all, U, coupling);
      result.converged =
          criterion_of_all_ranks(
              result.errors, problem, parameters, all, U, coupling) <=
          parameters.tolerance;
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
