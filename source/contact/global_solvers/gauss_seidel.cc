#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/sweep_views.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace delassus
{
namespace
{
/// PreparedContact::kind of a contact whose law is a shift. The others (affine
/// laws, and ill-posed contacts in 2D) have their index in `special` plus one.
constexpr unsigned int plain = 0;

/// Never visited: inactive or immovable.
constexpr unsigned char never = 255;

/// One store for the whole impulse, so that the next row can load it as one.
template <int dim>
inline void store_impulse(double *to, const LocalVector<dim> &P)
{
#if defined(__AVX2__) && defined(__FMA__)
  if constexpr (dim == 2)
    _mm_storeu_pd(to, _mm_set_pd(P[1], P[0]));
  else
    _mm256_storeu_pd(to, _mm256_set_pd(0., P[2], P[1], P[0]));
#else
  std::copy_n(P.data(), dim, to);
#endif
}

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
GaussSeidel<dim>::GaussSeidel(const ContactSolverParameters &parameters_in)
    : parameters(parameters_in)
{
  if (!(parameters.relaxation > 0.) || !(parameters.relaxation < 2.))
    throw InputError(fmt::format(
        "Contact solver: relaxation is {}, but must be greater than "
        "0 and less than 2.",
        parameters.relaxation));
  if (!(parameters.tolerance > 0.))
    throw InputError(
        fmt::format("Contact solver: tolerance is {}, but must be positive.",
                    parameters.tolerance));
  if (parameters.criterion == ContactCriterion::relaxed &&
      (!(parameters.gap_margin > 0.) || !(parameters.force_margin > 0.)))
    throw InputError(fmt::format(
        "Contact solver: the relaxed criterion needs a positive gap "
        "margin and a positive force margin, not {} and {}.",
        parameters.gap_margin,
        parameters.force_margin));
}


template <int dim>
void GaussSeidel<dim>::prepare(const ContactProblem<dim> &problem,
                               const std::vector<double> &P)
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

  g          = effective_impulse_scale(problem);
  norm_q     = norm_of_free_velocity(problem);
  estimate_g = parameters.criterion == ContactCriterion::siconos ? 1. : g;

  contacts.resize(n);
  impulses.resize(sweep_stride<dim> * n);
  pause.assign(n, 0);
  open_visits.assign(n, 0);
  special.clear();
  has_affine = false;
  result.status.assign(n, ContactStatus::open);
  result.n_ill_posed = result.n_immovable = 0;
  result.ill_posed                        = {};

  double largest = 0.;
  LocalMatrix<dim> W;
  for (std::size_t a = 0; a < n; ++a)
  {
    problem.W->diagonal_block(a, W.data());
    if (!is_finite(W))
      throw ComputationError(
          fmt::format("Contact {}: its block of W is not finite.", a));
    largest = std::max(largest, W[0]);
  }

  const bool warm = parameters.warm_start && !P.empty();
  for (std::size_t a = 0; a < n; ++a)
  {
    const ChangeOfVariables<dim> &law = problem.laws[a];
    PreparedContact<dim> &contact     = contacts[a];
    LocalVector<dim> start{};
    if (warm)
      std::copy_n(P.begin() + dim * a, dim, start.begin());
    if (!is_finite(start))
      throw ComputationError(
          fmt::format("Contact {}: its starting impulse is not finite.", a));

    std::copy_n(problem.U_free.begin() + dim * a, dim, contact.q.begin());
    contact.kind = plain;
    if (!law.active)
    {
      pause[a] = never;
      start.fill(0.);
      store_impulse<dim>(impulses.data() + sweep_stride<dim> * a, start);
      continue;
    }

    problem.W->diagonal_block(a, W.data());
    PreparedState state = PreparedState::immovable;
    if (W[0] > 1e-15 * largest)
    {
      const StandardForm<dim> form(law, W);
      state = contact.prepare(form.calW, law.is_tresca() ? 0. : law.friction);
      if (!law.is_shift() && state == PreparedState::immovable)
        state = PreparedState::not_positive_definite;
      // 3D needs no other treatment of ill-posed contacts: Newton's method
      // starts from the last impulse.
      if (law.is_shift() && !law.is_tresca() &&
          (dim == 3 || state != PreparedState::ill_posed))
        contact.q = add(contact.q, law.shift);
      else
      {
        special.push_back({ &law, form, W, state == PreparedState::ill_posed });
        contact.kind = special.size();
        has_affine   = has_affine || !law.is_shift();
      }
    }

    switch (state)
    {
      case PreparedState::well_posed:
        break;
      case PreparedState::ill_posed:
        ++result.n_ill_posed;
        note_ill_posed(a, W, law);
        break;
      case PreparedState::immovable:
        ++result.n_immovable;
        pause[a] = never;
        start.fill(0.);
        break;
      case PreparedState::not_positive_definite:
        throw ComputationError(
            fmt::format("Contact {}: its block of W is not positive definite "
                        "in the variables of its law; a smaller time step "
                        "makes the mass dominate.",
                        a));
    }
    store_impulse<dim>(impulses.data() + sweep_stride<dim> * a, start);
  }
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
typename GaussSeidel<dim>::SweepSums GaussSeidel<dim>::sweep(const View &W,
                                                             const bool forward)
{
  constexpr std::size_t stride         = sweep_stride<dim>;
  const std::size_t n                  = contacts.size();
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

  std::ptrdiff_t a = forward ? 0 : static_cast<std::ptrdiff_t>(n) - 1;
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
double GaussSeidel<dim>::measure(const ContactProblem<dim> &problem,
                                 const std::vector<double> &P,
                                 const std::vector<double> &U) const
{
  const ContactErrors &errors = result.errors;
  switch (parameters.criterion)
  {
    case ContactCriterion::unit_free:
      return errors.unit_free;
    case ContactCriterion::siconos:
      return errors.siconos;
    case ContactCriterion::impulse_change:
      return errors.impulse_change;
    case ContactCriterion::worst_violation:
      return std::max(
          { errors.penetration, errors.cone, errors.complementarity });
    case ContactCriterion::relaxed:
      return relaxed_violation(
          problem, P, U, parameters.gap_margin, parameters.force_margin);
  }
  return std::numeric_limits<double>::infinity();
}


template <int dim>
void GaussSeidel<dim>::report_not_finite(const std::vector<double> &P,
                                         const unsigned int sweep) const
{
  for (std::size_t a = 0; a < contacts.size(); ++a)
    for (int c = 0; c < dim; ++c)
      if (!std::isfinite(P[dim * a + c]))
        throw ComputationError(
            fmt::format("Contact {}: its impulse became {} in sweep {}: W, the "
                        "free velocity or the law there are not finite.",
                        a,
                        P[dim * a + c],
                        sweep));
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
  const std::size_t n = contacts.size();
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

  problem.W->begin_sweep(impulses.data(), buffer.data());
  result.converged = false;
  for (unsigned int i = 1; i <= parameters.max_sweeps; ++i)
  {
    const bool forward = parameters.order == SweepOrder::forward || i % 2 == 1;
    const SweepSums sums = sweep(W, forward);
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

    copy_impulses(P);
    if (broken)
      report_not_finite(P, i);
    result.errors                = compute_errors(problem, g, norm_q, P, U);
    result.errors.impulse_change = impulse_change;
    const double value           = measure(problem, P, U);
    if (std::isnan(value))
      report_not_finite(P, i);
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
}


template <int dim>
const ContactResult &GaussSeidel<dim>::solve(const ContactProblem<dim> &problem,
                                             std::vector<double> &P,
                                             std::vector<double> &U)
{
  prepare(problem, P);
  const std::size_t n = problem.n_contacts();
  P.resize(dim * n);
  U.resize(dim * n);
  copy_impulses(P);
  result.sweeps    = 0;
  result.n_visits  = 0;
  result.converged = true;
  result.errors    = ContactErrors();

  if (n > 0)
  {
    // Nothing moves the contacts: P = 0 is the solution. The iteration would
    // approach it for ever, relative to nothing.
    const bool at_rest = norm_q == 0. && !has_affine;
    if (at_rest)
      std::fill(P.begin(), P.end(), 0.);
    if (at_rest || parameters.max_sweeps == 0)
    {
      result.errors    = compute_errors(problem, g, norm_q, P, U);
      result.converged = measure(problem, P, U) <= parameters.tolerance;
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
  return result;
}

template class GaussSeidel<2>;
template class GaussSeidel<3>;
} // namespace delassus
