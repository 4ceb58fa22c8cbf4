#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/projected_gradient.h>
#include <delassus/contact/global_solvers/rank_errors.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
/// Iterates that Anderson's acceleration combines.
constexpr std::size_t memory = 12;

template <int dim>
LocalVector<dim> values_of(const std::vector<double> &x, const std::size_t a)
{
  LocalVector<dim> value;
  std::copy_n(x.begin() + dim * a, dim, value.begin());
  return value;
}
} // namespace

template <int dim>
ProjectedGradient<dim>::ProjectedGradient(
    const ContactSolverParameters &parameters)
    : parameters(parameters)
{
}

template <int dim>
void ProjectedGradient<dim>::sum(double *values, const std::size_t n) const
{
  if (coupling)
    coupling->sum(values, n);
}

template <int dim>
double ProjectedGradient<dim>::summed(double value) const
{
  sum(&value, 1);
  return value;
}

template <int dim>
double
ProjectedGradient<dim>::weighted_product(const std::vector<double> &a,
                                         const std::vector<double> &b) const
{
  // Impulses squared over weights: a work.
  double total = 0.;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].weight > 0.)
    {
      double here = 0.;
      for (int c = 0; c < dim; ++c)
        here += a[dim * i + c] * b[dim * i + c];
      total += here / contacts[i].weight;
    }
  return total;
}

template <int dim>
void ProjectedGradient<dim>::check(const ContactProblem<dim> &problem,
                                   const std::vector<double> &P) const
{
  check_problem(problem);
  const std::size_t n = problem.n_contacts();
  if (!P.empty() && P.size() != dim * n)
    throw ComputationError(
        fmt::format("Contact solver: {} starting impulses for {} contacts in "
                    "{}D.",
                    P.size(),
                    n,
                    dim));
  for (std::size_t a = 0; a < n; ++a)
  {
    LocalMatrix<dim> W;
    problem.W->diagonal_block(a, W.data());
    if (!is_finite(W))
      throw ComputationError(
          fmt::format("Contact {}: its block of W is not finite.", a));
    if (!P.empty() && !is_finite(values_of<dim>(P, a)))
      throw ComputationError(
          fmt::format("Contact {}: its starting impulse is not finite.", a));
  }
}

template <int dim>
void ProjectedGradient<dim>::prepare(const ContactProblem<dim> &problem,
                                     const std::vector<double> &P)
{
  const std::size_t n = problem.n_contacts();
  // The mean diagonal of W as a default scale, over all ranks.
  double sums[3] = { 0., 0., 0. };
  double largest = 0.;
  LocalMatrix<dim> W;
  contacts.resize(n);
  result.n_immovable = 0;
  for (std::size_t a = 0; a < n; ++a)
  {
    const auto &law = problem.laws[a];
    problem.W->diagonal_block(a, W.data());
    double mean = 0.;
    for (int c = 0; c < dim; ++c)
      mean += W[c * dim + c] / dim;
    contacts[a].q      = values_of<dim>(problem.U_free, a);
    contacts[a].law    = &law;
    contacts[a].weight = mean;
    if (law.active)
      for (int c = 0; c < dim; ++c)
        contacts[a].q[c] += law.shift[c];
    if (law.active)
      sums[0] += dot(contacts[a].q, contacts[a].q);
    sums[1] += mean;
    sums[2] += 1.;
    largest = std::max(largest, mean);
  }
  sum(sums, 3);
  if (coupling)
    coupling->maximum(&largest, 1);
  norm_q = std::sqrt(sums[0]);
  g      = problem.impulse_scale > 0. ? problem.impulse_scale
           : sums[1] > 0.             ? sums[1] / sums[2]
                                      : 1.;
  r.assign(dim * n, 0.);
  const bool warm = parameters.warm_start && !P.empty();
  for (std::size_t a = 0; a < n; ++a)
  {
    const bool movable = contacts[a].weight > 1e-15 * largest;
    if (problem.laws[a].active && !movable)
      ++result.n_immovable;
    contacts[a].weight =
        problem.laws[a].active && movable ? 1. / contacts[a].weight : 0.;
    if (warm && contacts[a].weight > 0.)
    {
      const auto start = problem.laws[a].project(values_of<dim>(P, a));
      std::copy(start.begin(), start.end(), r.begin() + dim * a);
    }
  }
  for (auto *vector : { &Wr, &y, &f, &best_y })
    vector->assign(dim * n, 0.);
  anderson.reinit(dim * n, memory);
  // Impulses squared over weights: a work.
  anderson.weight.assign(dim * n, 0.);
  for (std::size_t a = 0; a < n; ++a)
    if (contacts[a].weight > 0.)
      std::fill_n(
          anderson.weight.begin() + dim * a, dim, 1. / contacts[a].weight);
  anderson.sum_over_ranks = nullptr;
  if (coupling)
    anderson.sum_over_ranks = [this](double *values, const std::size_t n_values)
    { sum(values, n_values); };
}

template <int dim>
void ProjectedGradient<dim>::product(const ContactProblem<dim> &problem,
                                     const std::vector<double> &x,
                                     std::vector<double> &Wx)
{
  problem.W->multiply(x.data(), Wx.data());
  ++result.sweeps;
}

template <int dim>
void ProjectedGradient<dim>::find_step(const ContactProblem<dim> &problem)
{
  // A few power iterations; the solution corrects the estimate where it is too
  // low. Nothing is kept from one solution to the next, so that a run that is
  // resumed goes on alike.
  const std::size_t n = contacts.size();
  direction.resize(dim * n);
  for (std::size_t a = 0; a < n; ++a)
    for (int c = 0; c < dim; ++c)
      direction[dim * a + c] =
          contacts[a].weight * (1. + 0.3 * std::sin(1. + dim * a + c));
  largest_eigenvalue = 0.;
  for (unsigned int i = 0; i < 4; ++i)
  {
    const double norm =
        std::sqrt(summed(weighted_product(direction, direction)));
    if (!(norm > 0.))
      break;
    for (double &value : direction)
      value /= norm;
    product(problem, direction, Wr);
    double quotient = 0.;
    for (std::size_t a = 0; a < n; ++a)
      for (int c = 0; c < dim; ++c)
      {
        quotient += contacts[a].weight > 0.
                        ? direction[dim * a + c] * Wr[dim * a + c]
                        : 0.;
        direction[dim * a + c] = contacts[a].weight * Wr[dim * a + c];
      }
    largest_eigenvalue = std::max(largest_eigenvalue, summed(quotient));
  }
  if (!(largest_eigenvalue > 0.))
    largest_eigenvalue = 1.;
}

template <int dim>
double ProjectedGradient<dim>::fixed_point(double &natural_map_norm)
{
  const double step = 1. / largest_eigenvalue;
  double sums[2]    = { 0., 0. };
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    const Contact &contact = contacts[a];
    if (contact.weight == 0.)
      continue;
    const LocalVector<dim> r_here = values_of<dim>(r, a);
    const LocalVector<dim> u      = add(values_of<dim>(Wr, a), contact.q);
    const auto F                  = contact.law->natural_map(r_here, u, g);
    sums[1] += dot(F, F);
    LocalVector<dim> z = subtract(r_here, scale(step * contact.weight, u));
    // Tresca's law has no mu.
    z[0] -= step * contact.weight * contact.law->friction * tangential_norm(u);
    const auto projected = contact.law->project(z);
    const auto change    = subtract(projected, r_here);
    sums[0] += dot(change, change) / contact.weight;
    std::copy(projected.begin(), projected.end(), y.begin() + dim * a);
    std::copy(change.begin(), change.end(), f.begin() + dim * a);
  }
  sum(sums, 2);
  natural_map_norm = std::sqrt(sums[1]);
  return std::sqrt(sums[0]);
}

template <int dim>
void ProjectedGradient<dim>::accelerate()
{
  anderson.advance(r, y);
  for (std::size_t a = 0; a < contacts.size(); ++a)
    if (contacts[a].weight > 0.)
    {
      const auto inside = contacts[a].law->project(values_of<dim>(r, a));
      std::copy(inside.begin(), inside.end(), r.begin() + dim * a);
    }
}

template <int dim>
const ContactResult &
ProjectedGradient<dim>::solve(const ContactProblem<dim> &problem,
                              std::vector<double> &P,
                              std::vector<double> &U,
                              RankCoupling<dim> *ranks)
{
  double is_affine = StandardProblem<dim>::needed(problem);
  if (ranks)
    ranks->maximum(&is_affine, 1);
  if (is_affine > 0.)
    return affine().solve(
        *this, StandardUse::products, parameters, problem, P, U, ranks);
  coupling = ranks;
  result   = ContactResult();
  std::string error;
  try
  {
    check(problem, P);
  }
  catch (const ComputationError &e)
  {
    error = e.what();
  }
  if (coupling)
    error = coupling->first_error(error);
  if (!error.empty())
    throw ComputationError(error);
  prepare(problem, P);
  const std::size_t n = problem.n_contacts();
  P.resize(dim * n);
  U.resize(dim * n);
  result.status.assign(n, ContactStatus::open);
  if (summed(n) == 0.)
    return result;

  const bool unit_free   = parameters.criterion == ContactCriterion::unit_free;
  const double tolerance = parameters.criterion == ContactCriterion::relaxed
                               ? 1.
                               : parameters.tolerance;
  // Nothing moves the contacts: P = 0 is the solution.
  const bool at_rest = norm_q == 0.;
  largest_eigenvalue = 1.;
  if (at_rest)
    std::fill(r.begin(), r.end(), 0.);
  else
    find_step(problem);

  const auto begin   = std::chrono::steady_clock::now();
  result.converged   = false;
  double best        = std::numeric_limits<double>::infinity();
  double least       = best; // of the natural map, at least_r
  least_r            = r;
  bool fresh         = true; // no iterate before this one
  unsigned int worse = 0;
  double next_check  = unit_free ? 50. : 5.;
  std::vector<double> old_r, old_Wr;
  for (unsigned int i = 1; i <= parameters.max_sweeps; ++i)
  {
    product(problem, r, Wr);
    double natural_map_norm = 0.;
    const double residual   = fixed_point(natural_map_norm);
    const double estimate =
        natural_map_norm == 0. ? 0. : natural_map_norm / norm_q;
    if (!std::isfinite(residual))
      throw ComputationError(fmt::format(
          "Contact solver: the error is not finite after product {}: W or the "
          "free velocity are not.",
          result.sweeps));

    if (natural_map_norm < least)
    {
      least   = natural_map_norm;
      least_r = r;
    }

    // W may have a larger eigenvalue than was found: |dr|_W^2 > L |dr|^2.
    if (!fresh)
    {
      double sums[2] = { 0., 0. };
      for (std::size_t a = 0; a < n; ++a)
        if (contacts[a].weight > 0.)
          for (int c = 0; c < dim; ++c)
          {
            const std::size_t k = dim * a + c;
            const double d      = r[k] - old_r[k];
            sums[0] += d * (Wr[k] - old_Wr[k]);
            sums[1] += d * d / contacts[a].weight;
          }
      sum(sums, 2);
      if (sums[0] > 1.05 * largest_eigenvalue * sums[1])
      {
        largest_eigenvalue = 1.2 * sums[0] / sums[1];
        anderson.forget();
        best = std::numeric_limits<double>::infinity();
        fixed_point(natural_map_norm);
        r     = y;
        fresh = true;
        continue;
      }
    }

    // Ranks would have to agree on the time.
    const bool too_late =
        coupling == nullptr && parameters.time_limit > 0. &&
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
                .count() > parameters.time_limit;
    if (too_late)
      result.diagnosis = fmt::format("the time limit of {} s was reached",
                                     parameters.time_limit);
    const bool last = i == parameters.max_sweeps || at_rest || too_late;
    if ((unit_free && estimate <= tolerance) || i >= next_check || last)
    {
      double change = 0., size = 0.;
      for (std::size_t k = 0; k < r.size(); ++k)
      {
        change += f[k] * f[k];
        size += r[k] * r[k];
      }
      change        = summed(change);
      size          = summed(size);
      P             = r;
      result.errors = errors_of_all_ranks(problem, g, norm_q, P, U, coupling);
      result.errors.impulse_change =
          change == 0. ? 0. : std::sqrt(change / size);
      if (criterion_of_all_ranks(
              result.errors, problem, parameters, P, U, coupling) <= tolerance)
      {
        result.converged = true;
        result.diagnosis.clear();
        break;
      }
      next_check = unit_free ? 2. * i : i + 5.;
    }
    if (last)
      break;

    // Accept, unless much worse than the best.
    if (residual > 2. * best || (residual > best && ++worse > 2 * memory))
    {
      r = best_y;
      anderson.forget();
      best  = std::numeric_limits<double>::infinity();
      worse = 0;
      fresh = true;
      continue;
    }
    if (residual < best)
    {
      best   = residual;
      best_y = y;
      worse  = 0;
    }
    old_r  = r;
    old_Wr = Wr;
    fresh  = false;
    accelerate();
  }

  if (!result.converged)
  {
    // The best iterate, and what its contacts do.
    const double change = result.errors.impulse_change;
    P                   = least_r;
    result.errors = errors_of_all_ranks(problem, g, norm_q, P, U, coupling);
    result.errors.impulse_change = change;
    result.converged =
        criterion_of_all_ranks(
            result.errors, problem, parameters, P, U, coupling) <= tolerance;
    r = P;
    for (std::size_t k = 0; k < r.size(); ++k)
      Wr[k] = U[k] - problem.U_free[k];
    double unused = 0.;
    fixed_point(unused);
  }

  for (std::size_t a = 0; a < n; ++a)
  {
    const auto here    = values_of<dim>(y, a);
    const double bound = contacts[a].law->friction_bound(here[0]);
    auto &status       = result.status[a];
    // T puts sliding ones exactly on the cone, but for rounding.
    status = contacts[a].law->is_tied() && contacts[a].weight > 0.
                 ? ContactStatus::stick
             : !(here[0] > 0.) ? ContactStatus::open
             : tangential_norm(here) >= bound * (1. - 1e-12)
                 ? ContactStatus::slip
                 : ContactStatus::stick;
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
  }
  result.n_visits = n * result.sweeps;
  double counts[] = { double(result.n_open),
                      double(result.n_stick),
                      double(result.n_slip),
                      double(result.n_immovable),
                      double(result.n_visits) };
  sum(counts, 5);
  result.n_open      = counts[0];
  result.n_stick     = counts[1];
  result.n_slip      = counts[2];
  result.n_immovable = counts[3];
  result.n_visits    = counts[4];
  return result;
}

template class ProjectedGradient<2>;
template class ProjectedGradient<3>;
} // namespace delassus
