#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/standard_problem.h>
#include <delassus/contact/global_solvers/standard_problem_internal.h>
#include <delassus/linear_solvers/memory_budget.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace delassus
{
using internal::is_near;
using internal::local_values;
using internal::smallest_eigenvalue;
using internal::transposed;

template <int dim>
bool StandardProblem<dim>::needed(const ContactProblem<dim> &problem)
{
  for (const auto &law : problem.laws)
    if (law.active && !law.is_shift())
      return true;
  return false;
}


template <int dim>
bool StandardProblem<dim>::softens(const ContactProblem<dim> &problem)
{
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
    if (problem.laws[a].active && !problem.laws[a].is_shift())
    {
      LocalMatrix<dim> unused;
      if (!invert_small<dim>(problem.laws[a].affine->J_UU, unused))
        continue;
      const Change change = change_of(problem, a);
      if (smallest_eigenvalue<dim>(change.D) < 0. ||
          smallest_eigenvalue<dim>(change.C) < 0.)
        return true;
    }
  return false;
}


template <int dim>
double
StandardProblem<dim>::n_values_of_rows(const ContactProblem<dim> &problem)
{
  const std::size_t n = problem.n_contacts();
  const auto *W    = dynamic_cast<const BlockSparseDelassus<dim> *>(problem.W);
  const double all = std::pow(double(dim) * n, 2);
  if (W == nullptr)
    return all;
  // Springs that are coupled make one group, with all they are coupled with.
  std::vector<std::size_t> group(n);
  std::iota(group.begin(), group.end(), 0);
  const auto find = [&](std::size_t a)
  {
    while (group[a] != a)
      a = group[a] = group[group[a]];
    return a;
  };
  bool any = false;
  for (std::size_t a = 0; a < n; ++a)
  {
    const ChangeOfVariables<dim> &law = problem.laws[a];
    if (!law.active || law.is_shift() || law.affine->J_RU == LocalMatrix<dim>{})
      continue;
    any = true;
    for (std::size_t k = W->row_start_data()[a]; k < W->row_start_data()[a + 1];
         ++k)
      group[find(W->column_data()[k])] = find(a);
  }
  const double stored = double(dim * dim) * W->n_blocks();
  if (!any)
    return stored;
  std::vector<double> size(n, 0.);
  for (std::size_t a = 0; a < n; ++a)
    size[find(a)] += dim;
  double sum = 0.;
  for (const double x : size)
    sum += x > dim ? x * x : 0.;
  return std::min(all, stored + sum);
}


template <int dim>
typename StandardProblem<dim>::Change
StandardProblem<dim>::change_of(const ContactProblem<dim> &problem,
                                const std::size_t a)
{
  const ChangeOfVariables<dim> &law = problem.laws[a];
  Change change;
  change.L = change.S = identity_matrix<dim>();
  change.C = change.D = LocalMatrix<dim>{};
  change.U0 = change.p0 = LocalVector<dim>{};
  if (!law.active || law.is_shift())
    return change;
  const AffineLaw<dim> &J = *law.affine;
  if (!is_finite(J.J_UU) || !invert_small<dim>(J.J_UU, change.L))
    throw ComputationError(fmt::format(
        "Contact {}: its law cannot be solved for the standard velocity. Use "
        "Solver = Gauss-Seidel.",
        a));
  change.affine = true;
  change.C      = scale(-1., matrix_product<dim>(change.L, J.J_UR));
  change.D      = scale(-1., matrix_product<dim>(J.J_RU, change.L));
  change.S      = add(J.J_RR, matrix_product<dim>(J.J_RU, change.C));
  change.U0     = J.U0;
  change.p0     = add(J.P0, multiply<dim>(change.D, J.U0));
  change.spring = J.J_RU != LocalMatrix<dim>{};
  return change;
}


/// Ranks throw together, and agree on whether there are springs.
template <int dim>
void StandardProblem<dim>::read_laws()
{
  const std::size_t n = original->n_contacts();
  changes.resize(n);
  standard.laws  = original->laws;
  n_immovable    = 0;
  double springs = 0.;
  std::string error;
  try
  {
    if (original->W != nullptr && original->W->n_ghosts() > 0)
      throw ComputationError(
          "Contact solver: laws that are more than a shift of the velocity "
          "need all contacts on one rank with this method. Use Solver = auto "
          "or Gauss-Seidel, or Distribution = one rank.");
    const bool is_applied =
        dynamic_cast<const AppliedDelassus<dim> *>(original->W) != nullptr;
    double largest = 0.;
    LocalMatrix<dim> W;
    for (std::size_t a = 0; a < n; ++a)
    {
      original->W->diagonal_block(a, W.data());
      largest = std::max(largest, W[0]);
    }
    for (std::size_t a = 0; a < n; ++a)
    {
      Change &change = changes[a];
      change         = change_of(*original, a);
      if (!change.affine)
        continue;
      standard.laws[a].affine.reset();
      standard.laws[a].shift = LocalVector<dim>{};
      original->W->diagonal_block(a, W.data());
      if (!(W[0] > 1e-15 * largest) && !(change.C[0] > 1e-15 * largest))
      {
        // No impulse moves it, so it gets none.
        change   = Change();
        change.L = change.S     = identity_matrix<dim>();
        standard.laws[a].active = false;
        ++n_immovable;
        continue;
      }
      springs += change.spring;
      if (is_applied && use == StandardUse::products &&
          (!is_near<dim>(change.D, transposed<dim>(change.D)) ||
           smallest_eigenvalue<dim>(change.D) < 0. ||
           smallest_eigenvalue<dim>(change.C) < 0.))
        throw ComputationError(fmt::format(
            "Contact {}: its law softens or is not symmetric, which the form "
            "of W that is applied only does not support. Raise the memory "
            "limit (section 'Linear solver').",
            a));
    }
  }
  catch (const ComputationError &e)
  {
    error = e.what();
  }
  if (coupling != nullptr)
  {
    error = coupling->first_error(error);
    coupling->sum(&springs, 1);
  }
  if (!error.empty())
    throw ComputationError(error);
  has_springs = springs > 0.;
}


template <int dim>
bool StandardProblem<dim>::reinit(const ContactProblem<dim> &problem_in,
                                  const StandardUse use_in,
                                  RankCoupling<dim> *coupling_in)
{
  original = &problem_in;
  use      = use_in;
  coupling = coupling_in;
  why.clear();
  factor.reset();
  applied.reset();
  row_start.clear();
  root.clear();
  form = GlobalForm();

  read_laws();
  const bool is_stored =
      dynamic_cast<const BlockSparseDelassus<dim> *>(original->W) != nullptr;
  standard.h             = original->h;
  standard.memory_limit  = original->memory_limit;
  standard.impulse_scale = original->impulse_scale;
  standard.global        = nullptr;
  standard.make_global   = nullptr;

  if (use == StandardUse::bodies)
    make_bodies();
  else if (use == StandardUse::rows || (is_stored && !has_springs))
  {
    const double bytes     = 12. * n_values_of_rows(*original);
    const double available = available_memory();
    const double allowed   = original->memory_limit > 0.
                                 ? 0.5 * original->memory_limit
                             : available > 0. ? 0.4 * available
                                              : 1e300;
    if (bytes > allowed)
      throw MemoryLimitError(
          "W of contacts that springs couple", bytes, allowed);
    copy_rows();
    if (has_springs)
      factorize_springs();
    if (why.empty())
      form_rows();
  }
  else
    make_products();
  if (why.empty())
    set_free_velocity();
  if (why.empty() && use != StandardUse::bodies)
    check_definite();
  return why.empty();
}


/// calW^{aa} if no other contact had a spring.
template <int dim>
LocalMatrix<dim>
StandardProblem<dim>::diagonal_estimate(const std::size_t a) const
{
  LocalMatrix<dim> W;
  original->W->diagonal_block(a, W.data());
  return changes[a].affine ? StandardForm<dim>(original->laws[a], W).calW : W;
}


template <int dim>
void StandardProblem<dim>::set_free_velocity()
{
  const std::size_t n = changes.size();
  std::vector<double> x(dim * n), U(dim * n);
  bool any = coupling != nullptr;
  for (std::size_t a = 0; a < n; ++a)
  {
    const auto U_free = local_values<dim>(original->U_free.data(), a);
    const auto value =
        subtract(changes[a].p0, multiply<dim>(changes[a].D, U_free));
    any = any || value != LocalVector<dim>{};
    std::copy_n(value.begin(), dim, x.begin() + dim * a);
  }
  if (any)
    apply_W_prime(x.data(), U.data());
  standard.U_free = original->U_free;
  for (std::size_t a = 0; a < n; ++a)
  {
    auto q = add(local_values<dim>(original->U_free.data(), a),
                 local_values<dim>(U.data(), a));
    if (changes[a].affine)
      q = multiply<dim>(changes[a].L, subtract(q, changes[a].U0));
    std::copy_n(q.begin(), dim, standard.U_free.begin() + dim * a);
  }
}


template <int dim>
void StandardProblem<dim>::to_standard(const std::vector<double> &P,
                                       std::vector<double> &calP)
{
  const std::size_t n = changes.size();
  calP.resize(dim * n);
  work_2.resize(dim * n);
  original->W->multiply(P.data(), work_2.data());
  for (std::size_t a = 0; a < n; ++a)
  {
    const auto P_here  = local_values<dim>(P.data(), a);
    LocalVector<dim> r = P_here, u;
    if (changes[a].affine)
      original->laws[a].to_standard(
          add(local_values<dim>(work_2.data(), a),
              local_values<dim>(original->U_free.data(), a)),
          P_here,
          u,
          r);
    std::copy_n(r.begin(), dim, calP.begin() + dim * a);
  }
}


template <int dim>
void StandardProblem<dim>::set_guess(const std::vector<double> &P)
{
  standard.U_guess = original->U_guess;
  if (original->U_guess.size() != dim * changes.size() ||
      P.size() != original->U_guess.size())
  {
    standard.U_guess.clear();
    return;
  }
  for (std::size_t a = 0; a < changes.size(); ++a)
    if (changes[a].affine)
    {
      LocalVector<dim> u, r;
      original->laws[a].to_standard(
          local_values<dim>(original->U_guess.data(), a),
          local_values<dim>(P.data(), a),
          u,
          r);
      std::copy_n(u.begin(), dim, standard.U_guess.begin() + dim * a);
    }
}


template <int dim>
void StandardProblem<dim>::from_standard(const std::vector<double> &calP,
                                         const std::vector<double> &calU,
                                         std::vector<double> &P) const
{
  P = calP;
  for (std::size_t a = 0; a < changes.size(); ++a)
    if (changes[a].affine)
    {
      LocalVector<dim> U, P_here;
      original->laws[a].from_standard(local_values<dim>(calU.data(), a),
                                      local_values<dim>(calP.data(), a),
                                      U,
                                      P_here);
      std::copy_n(P_here.begin(), dim, P.begin() + dim * a);
    }
}

#define INSTANTIATE(dim)                                                       \
  template bool StandardProblem<dim>::needed(const ContactProblem<dim> &);     \
  template bool StandardProblem<dim>::softens(const ContactProblem<dim> &);    \
  template double StandardProblem<dim>::n_values_of_rows(                      \
      const ContactProblem<dim> &);                                            \
  template bool StandardProblem<dim>::reinit(                                  \
      const ContactProblem<dim> &, StandardUse, RankCoupling<dim> *);          \
  template LocalMatrix<dim> StandardProblem<dim>::diagonal_estimate(           \
      std::size_t) const;                                                      \
  template void StandardProblem<dim>::to_standard(const std::vector<double> &, \
                                                  std::vector<double> &);      \
  template void StandardProblem<dim>::set_guess(const std::vector<double> &);  \
  template void StandardProblem<dim>::from_standard(                           \
      const std::vector<double> &,                                             \
      const std::vector<double> &,                                             \
      std::vector<double> &) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
