#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/visits.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace delassus
{
namespace
{
using internal::never;
using internal::plain;
using internal::store_impulse;
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
void GaussSeidel<dim>::prepare_scales(const ContactProblem<dim> &problem,
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

  g       = effective_impulse_scale(problem);
  norm_q  = norm_of_free_velocity(problem);
  largest = 0.;
  n_all   = n;
  LocalMatrix<dim> W;
  for (std::size_t a = 0; a < n; ++a)
  {
    problem.W->diagonal_block(a, W.data());
    if (!is_finite(W))
      throw ComputationError(
          fmt::format("Contact {}: its block of W is not finite.", a));
    largest = std::max(largest, W[0]);
  }
}


template <int dim>
void GaussSeidel<dim>::agree_on_scales(const ContactProblem<dim> &problem)
{
  const double n   = problem.n_contacts();
  double values[3] = { g * n, n, norm_q * norm_q };
  coupling->sum(values, 3);
  if (!(problem.impulse_scale > 0.))
    g = values[1] > 0. ? values[0] / values[1] : 1.;
  n_all  = values[1];
  norm_q = std::sqrt(values[2]);
  coupling->maximum(&largest, 1);
}


template <int dim>
void GaussSeidel<dim>::prepare(const ContactProblem<dim> &problem,
                               const std::vector<double> &P)
{
  const std::size_t n        = problem.n_contacts();
  const std::size_t n_ghosts = problem.W == nullptr ? 0 : problem.W->n_ghosts();
  estimate_g = parameters.criterion == ContactCriterion::siconos ? 1. : g;

  contacts.resize(n);
  impulses.resize(sweep_stride<dim> * (n + n_ghosts));
  marks.pause.assign(n, 0);
  marks.quiet_visits.assign(n, 0);
  marks.status.assign(n, ContactStatus::open);
  special.clear();
  has_affine         = false;
  result.n_ill_posed = result.n_immovable = 0;
  result.ill_posed                        = {};

  LocalMatrix<dim> W;
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
      marks.pause[a] = never;
      start.fill(0.);
      store_impulse<dim>(impulses.data() + sweep_stride<dim> * a, start);
      continue;
    }

    problem.W->diagonal_block(a, W.data());
    PreparedState state = PreparedState::immovable;
    // A joint may give way where nothing else does.
    if (law.is_tied())
    {
      // Also where impulses move it along its tangents only.
      double trace = 0.;
      for (int c = 0; c < dim; ++c)
        trace += W[c * dim + c];
      if (trace > 1e-15 * largest)
      {
        state = PreparedState::well_posed;
        special.push_back({ &law, StandardForm<dim>(law, W), W, false });
        contact.kind = special.size();
      }
    }
    else if (W[0] > 1e-15 * largest ||
             (!law.is_shift() &&
              StandardForm<dim>(law, W).calW[0] > 1e-15 * largest))
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
        marks.pause[a] = never;
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
void GaussSeidel<dim>::prepare_order(const ContactProblem<dim> &problem)
{
  if (is_in_order())
    return;
  const std::size_t n = problem.n_contacts();
  random              = ReproducibleRandom();
  in_graph.contacts.resize(n);
  if (parameters.order == SweepOrder::graph && problem.W != nullptr)
    graph.by_graph(*problem.W, in_graph.contacts);
  else
    std::iota(in_graph.contacts.begin(), in_graph.contacts.end(), 0);
  if (coupling == nullptr)
  {
    order[0] = in_graph.contacts;
    return;
  }
  // The parts stay what they are; each in the order asked for.
  in_graph.position.resize(n);
  for (std::size_t k = 0; k < n; ++k)
    in_graph.position[in_graph.contacts[k]] = k;
  const std::vector<typename RankCoupling<dim>::Range> *parts[3] = {
    &coupling->first, &coupling->coupled, &coupling->last
  };
  for (unsigned int k = 0; k < 3; ++k)
  {
    order[k].clear();
    for (const auto &range : *parts[k])
      for (std::size_t a = range.begin; a < range.end; ++a)
        order[k].push_back(a);
    std::sort(order[k].begin(),
              order[k].end(),
              [&](const unsigned int a, const unsigned int b)
              { return in_graph.position[a] < in_graph.position[b]; });
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

#define INSTANTIATE(dim)                                                       \
  template GaussSeidel<dim>::GaussSeidel(const ContactSolverParameters &);     \
  template void GaussSeidel<dim>::prepare_scales(const ContactProblem<dim> &,  \
                                                 const std::vector<double> &); \
  template void GaussSeidel<dim>::agree_on_scales(                             \
      const ContactProblem<dim> &);                                            \
  template void GaussSeidel<dim>::prepare(const ContactProblem<dim> &,         \
                                          const std::vector<double> &);        \
  template void GaussSeidel<dim>::prepare_order(const ContactProblem<dim> &);  \
  template void GaussSeidel<dim>::note_ill_posed(                              \
      const std::size_t,                                                       \
      const LocalMatrix<dim> &,                                                \
      const ChangeOfVariables<dim> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
