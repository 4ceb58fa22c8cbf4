#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/global_solvers/semismooth_newton.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
// Smallest alpha: below it rounding in W dominates.
constexpr double smallest_alpha = 1e-13;

// Iterations without an error half of the last one after which sweeps lead on.
constexpr unsigned int patience = 16;

// Columns of an applied W that are made at once for the sweeps: that many
// products are also what one call of another method would take.
constexpr std::size_t largest_to_copy = 2000;

bool is_zero(const std::vector<double> &x)
{
  return std::all_of(
      x.begin(), x.end(), [](const double value) { return value == 0.; });
}

/// For Gauss-Seidel between Newton's iterations: it must not end early, nor
/// measure anything else than it is told.
ContactSolverParameters of_sweeps(ContactSolverParameters parameters)
{
  parameters.warm_start   = true;
  parameters.relaxation   = 1.;
  parameters.order        = SweepOrder::symmetric;
  parameters.acceleration = 0;
  return parameters;
}
} // namespace


template <int dim>
SemismoothNewton<dim>::SemismoothNewton(
    const ContactSolverParameters &parameters_in,
    const bool global_in)
    : parameters(parameters_in)
    , global(global_in)
    , max_iterations(parameters_in.max_sweeps)
    , between(of_sweeps(parameters_in))
{
}


template <int dim>
SemismoothNewton<dim>::Between::Between(
    const ContactSolverParameters &parameters)
    : sweeps(parameters)
    , products(parameters)
{
}


template <int dim>
void SemismoothNewton<dim>::set_limits(const unsigned int iterations,
                                       const unsigned int restarts)
{
  max_iterations = iterations;
  max_restarts   = restarts;
}


template <int dim>
void SemismoothNewton<dim>::Point::resize(const std::size_t n)
{
  r.assign(dim * n, 0.);
  u.assign(dim * n, 0.);
  true_u.assign(dim * n, 0.);
  F.assign(dim * n, 0.);
  branch.assign(n, Branch::open);
}


template <int dim>
void SemismoothNewton<dim>::evaluate(Point &point,
                                     const bool know_velocities) const
{
  if (!know_velocities)
    rows.velocities(point.r.data(), point.true_u.data());
  point.u     = point.true_u;
  point.merit = 0.;
  for (std::size_t a = 0; a < rows.n(); ++a)
  {
    const double *r = point.r.data() + dim * a;
    double *u       = point.u.data() + dim * a;
    double *F       = point.F.data() + dim * a;
    if (rows.fixed[a])
    {
      point.branch[a] = Branch::fixed;
      std::fill_n(F, dim, 0.);
      continue;
    }
    const double D = rows.D[a];
    double length2 = 0.;
    for (int c = 0; c < dim; ++c)
      u[c] += alpha * D * (r[c] - centre[dim * a + c]);
    for (int c = 1; c < dim; ++c)
      length2 += (D * r[c] - u[c]) * (D * r[c] - u[c]);
    const double z_N = D * r[0] - u[0];
    const double radius =
        rows.threshold[a] >= 0. ? D * rows.threshold[a] : rows.mu[a] * z_N;
    if (rows.threshold[a] == tied_threshold)
    {
      point.branch[a] = Branch::stick;
      std::copy_n(u, dim, F);
    }
    else if (!(z_N > 0.))
    {
      point.branch[a] = Branch::open;
      for (int c = 0; c < dim; ++c)
        F[c] = D * r[c];
    }
    else
    {
      F[0] = u[0];
      if (length2 <= radius * radius)
      {
        point.branch[a] = Branch::stick;
        for (int c = 1; c < dim; ++c)
          F[c] = u[c];
      }
      else
      {
        point.branch[a]    = Branch::slip;
        const double kappa = radius / std::sqrt(length2);
        for (int c = 1; c < dim; ++c)
          F[c] = D * r[c] - kappa * (D * r[c] - u[c]);
      }
    }
    for (int c = 0; c < dim; ++c)
      point.merit += F[c] * F[c];
  }
}


template <int dim>
void SemismoothNewton<dim>::jacobian(const std::size_t a,
                                     LocalMatrix<dim> &A,
                                     LocalMatrix<dim> &B) const
{
  A.fill(0.);
  B.fill(0.);
  for (int c = 0; c < dim; ++c)
    A[c * dim + c] = 1.;
  if (here.branch[a] != Branch::slip)
    return;
  // F_T = D r_T - R t with t = z_T/|z_T|, R = mu z_N, dz = D dr - du:
  // dF_T = D dr_T - mu t dz_N - R/|z_T| (I - t t) dz_T.
  double z[dim], length = 0.;
  for (int c = 0; c < dim; ++c)
    z[c] = rows.D[a] * here.r[dim * a + c] - here.u[dim * a + c];
  for (int c = 1; c < dim; ++c)
    length += z[c] * z[c];
  length            = std::sqrt(length);
  const bool tresca = rows.threshold[a] >= 0.;
  const double mu   = tresca ? 0. : rows.mu[a];
  const double kappa =
      (tresca ? rows.D[a] * rows.threshold[a] : mu * z[0]) / length;
  for (int i = 1; i < dim; ++i)
  {
    A[i * dim] = mu * z[i] / length;
    B[i * dim] = -A[i * dim];
    for (int j = 1; j < dim; ++j)
    {
      const double projector = (i == j) - z[i] * z[j] / (length * length);
      A[i * dim + j]         = kappa * projector;
      B[i * dim + j]         = (i == j) - kappa * projector;
    }
  }
}


template <int dim>
void SemismoothNewton<dim>::assemble_condensed()
{
  LocalMatrix<dim> A, B;
  for (std::size_t a = 0; a < rows.n(); ++a)
  {
    if (unknown[a] < 0)
      continue;
    jacobian(a, A, B);
    const std::size_t begin = rows.row_start[a], end = rows.row_start[a + 1];
    LocalVector<dim> known{}; // du of the steps that are known
    for (int i = 0; i < dim && !excess.empty(); ++i)
      known[i] = excess[dim * a + i];
    for (std::size_t k = begin; k < end; ++k)
    {
      const std::size_t b = rows.column[k];
      const double *W     = rows.blocks + dim * dim * k;
      if (here.branch[b] == Branch::open)
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            known[i] += W[i * dim + j] * step[dim * b + j];
    }
    for (int i = 0; i < dim; ++i)
    {
      for (std::size_t k = begin; k < end; ++k)
      {
        const std::size_t b = rows.column[k];
        const double *W     = rows.blocks + dim * dim * k;
        if (unknown[b] < 0)
          continue;
        for (int j = 0; j < dim; ++j)
        {
          double value = 0.;
          for (int l = 0; l < dim; ++l)
            value += A[i * dim + l] * W[l * dim + j];
          if (a == b)
            value += rows.D[a] * (B[i * dim + j] + alpha * A[i * dim + j]);
          factor.column.push_back(unknown[b] + j);
          factor.value.push_back(value);
        }
      }
      factor.row_start.push_back(factor.column.size());
      double value = -here.F[dim * a + i];
      for (int l = 0; l < dim; ++l)
        value -= A[i * dim + l] * known[l];
      rhs[unknown[a] + i] = value;
    }
  }
}


template <int dim>
bool SemismoothNewton<dim>::find_step()
{
  // (Ranks share no factor of that.)
  const bool by_saddle = global && stood_still && !rows.form->share;
  n_unknowns           = by_saddle ? rows.form->A.n_rows : 0;
  unknown.assign(rows.n(), -1);
  bool any = false;
  for (std::size_t a = 0; a < rows.n(); ++a)
    if (here.branch[a] == Branch::stick || here.branch[a] == Branch::slip)
    {
      unknown[a] = n_unknowns;
      n_unknowns += dim;
      any = true;
    }
    else
      for (int c = 0; c < dim; ++c)
        step[dim * a + c] =
            here.branch[a] == Branch::open ? -here.r[dim * a + c] : 0.;
  if (!any)
    return true;
  if (global && !by_saddle)
    return find_global_step();
  factor.row_start.assign(1, 0);
  factor.column.clear();
  factor.value.clear();
  rhs.resize(n_unknowns);
  if (by_saddle)
  {
    assemble_saddle_point();
    factor.merge_entries();
  }
  else
    assemble_condensed();
  if (!factor.factorize())
    return false;
  factor.solve(rhs.data());
  for (std::size_t a = 0; a < rows.n(); ++a)
    if (unknown[a] >= 0)
      for (int c = 0; c < dim; ++c)
      {
        step[dim * a + c] = rhs[unknown[a] + c];
        if (!std::isfinite(step[dim * a + c]))
          return false;
      }
  return true;
}


template <int dim>
bool SemismoothNewton<dim>::search_line()
{
  const unsigned int n = std::min<unsigned int>(n_history, history.size());
  const double bound = *std::max_element(history.begin(), history.begin() + n);
  // u is linear along the step: one product for all trials.
  for (std::size_t j = 0; j < step.size(); ++j)
    trial.r[j] = here.r[j] + step[j];
  rows.velocities(trial.r.data(), trial.true_u.data());
  u_along.resize(step.size());
  for (std::size_t j = 0; j < step.size(); ++j)
    u_along[j] = trial.true_u[j] - here.true_u[j];
  double t = 1.;
  for (unsigned int k = 0; k < 12; ++k, t *= 0.5)
  {
    for (std::size_t j = 0; j < step.size() && k > 0; ++j)
    {
      trial.r[j]      = here.r[j] + t * step[j];
      trial.true_u[j] = here.true_u[j] + t * u_along[j];
    }
    evaluate(trial, /* know_velocities */ true);
    if (trial.merit <= (1. - 1e-4 * t) * bound)
    {
      std::swap(here, trial);
      history[n_history++ % history.size()] = here.merit;
      return true;
    }
  }
  return false;
}


template <int dim>
void SemismoothNewton<dim>::move_centre()
{
  // Proximal points in one direction: go on along it as long as it pays.
  double error  = best.note(here.r);
  bool improved = false;
  for (double t = 1.; t < 1e4; t *= 2.)
  {
    for (std::size_t k = 0; k < trial.r.size(); ++k)
      trial.r[k] = here.r[k] + t * (here.r[k] - centre[k]);
    const double further = best.note(trial.r);
    if (!(further < 0.9 * error))
      break;
    error     = further;
    improved  = true;
    between.P = trial.r;
  }
  const std::vector<double> from = improved ? between.P : here.r;
  // With the same alpha a factor of the global form serves once more.
  const bool keep = global && n_centres++ == 0;
  begin_at(from,
           std::max(smallest_alpha, inner <= 8 && !keep ? 0.1 * alpha : alpha));
}


template <int dim>
void SemismoothNewton<dim>::begin_at(const std::vector<double> &r,
                                     const double new_alpha)
{
  alpha  = new_alpha;
  here.r = r;
  centre = r;
  evaluate(here);
  history[0] = here.merit;
  n_history  = 1;
  inner      = 0;
}


template <int dim>
void SemismoothNewton<dim>::predict(const ContactProblem<dim> &problem)
{
  // F is linearized where impulses and velocities belong together, though not
  // by this W and q:
  //   F + A (W dr + excess) + D B dr = 0,  excess = W r + q - u.
  begun = here;
  excess.resize(here.r.size());
  for (std::size_t a = 0; a < rows.n(); ++a)
    for (int c = 0; c < dim; ++c)
    {
      const std::size_t k = dim * a + c;
      const double u      = problem.U_guess[k] + problem.laws[a].shift[c];
      excess[k]           = here.true_u[k] - u;
      here.true_u[k]      = u;
    }
  evaluate(here, /* know_velocities */ true);
  const bool found = find_step();
  excess.clear();
  if (found)
  {
    for (std::size_t j = 0; j < step.size(); ++j)
      trial.r[j] = here.r[j] + step[j];
    evaluate(trial);
    best.note(trial.r, trial.true_u);
  }
  std::swap(here, found && trial.merit < begun.merit ? trial : begun);
  history[0] = here.merit;
  n_history  = 1;
}


template <int dim>
void SemismoothNewton<dim>::sweep_on(const ContactProblem<dim> &problem,
                                     const std::vector<double> &from,
                                     const unsigned int n_sweeps)
{
  between.P = from;
  between.sweeps.set_max_sweeps(n_sweeps);
  between.products.set_max_sweeps(n_sweeps);
  const bool applied =
      dynamic_cast<const AppliedDelassus<dim> *>(problem.W) != nullptr;
  const bool copy = applied && dim * rows.n() <= largest_to_copy;
  if (copy && between.copied == nullptr)
  {
    between.copied           = std::make_unique<DenseDelassus<dim>>(*problem.W);
    between.copied_problem   = problem;
    between.copied_problem.W = between.copied.get();
  }
  const ContactResult &swept_result =
      copy ? between.sweeps.solve(between.copied_problem, between.P, between.U)
      : applied ? between.products.solve(problem, between.P, between.U)
                : between.sweeps.solve(problem, between.P, between.U);
  result.n_visits += swept_result.n_visits;
  best.note(between.P);
}


template <int dim>
const ContactResult &
SemismoothNewton<dim>::solve(const ContactProblem<dim> &problem,
                             std::vector<double> &P,
                             std::vector<double> &U,
                             RankCoupling<dim> *coupling)
{
  if (StandardProblem<dim>::needed(problem))
    return affine().solve(*this,
                          global ? StandardUse::bodies : StandardUse::rows,
                          parameters,
                          problem,
                          P,
                          U,
                          coupling);
  StandardRows<dim>::check(problem, P, name(), true);
  result              = ContactResult();
  result.solver       = name();
  const std::size_t n = problem.n_contacts();
  if (n == 0)
  {
    P.clear();
    U.clear();
    return result;
  }
  rows.reinit(problem, global);
  between.copied.reset();
  excess.clear(); // a factor that did not fit may have left it
  // The factor of the last problem, if only velocities have changed.
  if (global &&
      (rows.form->version == 0 || rows.form->version != whole.version ||
       whole.branch.size() != n))
  {
    whole.version = rows.form->version;
    whole.matrix.reinit(*rows.form, problem.memory_limit);
    whole.branch.clear();
    if (whole.version == 0)
      whole.sizes = Sizes();
  }
  else if (global)
    whole.matrix.keep(*rows.form);
  // Impulses of the last problem know their branches.
  const bool is_warm =
      parameters.warm_start && P.size() == dim * n && !is_zero(P);
  const bool has_guess = is_warm && problem.U_guess.size() == dim * n;
  if (global)
    choose_sizes(has_guess);
  for (auto *x : { &step, &centre })
    x->assign(dim * n, 0.);
  here.resize(n);
  trial.resize(n);
  best.start(problem, rows, parameters);
  best.note(here.r);
  if (parameters.warm_start && P.size() == dim * n)
  {
    for (std::size_t a = 0; a < n; ++a)
      if (rows.fixed[a])
        std::fill_n(P.begin() + dim * a, dim, 0.);
    best.note(P);
  }

  unsigned int n_sweeps = 30, n_restarts = 0, stalled = 0;
  if (!best.good_enough() && !global && !has_guess)
    sweep_on(problem, best.impulses(), n_sweeps);
  n_centres   = 0;
  stood_still = false;
  // With velocities that belong to them the impulses given are a good start,
  // though those of this problem may make them a bad one.
  begin_at(has_guess && global ? P : best.impulses(), global ? 1e-6 : 1e-5);
  if (global && !best.good_enough() && max_iterations > 0)
  {
    if (!has_guess && is_zero(here.r))
    {
      suppose_sticking();
      result.sweeps = 1;
    }
    fit_sizes();
  }
  if (has_guess && !best.good_enough() && max_iterations > 0)
  {
    predict(problem);
    result.sweeps = 1;
  }
  std::vector<double> aside;
  double mark = best.error();
  for (unsigned int i = result.sweeps; !best.good_enough(); ++i)
  {
    if (i == max_iterations || best.out_of_time())
      break;
    result.sweeps = i + 1;
    if (stalled <= patience && inner < 40 && find_step() && search_line())
    {
      ++inner;
      const double error = best.note(here.r, here.true_u);
      stalled            = error < 0.5 * mark ? 0 : stalled + 1;
      mark               = error < 0.5 * mark ? error : mark;
      // The proximal problem is solved far better than the original one.
      if (std::sqrt(here.merit) <
          0.1 * rows.norm_q * std::max(error, parameters.tolerance))
        move_centre();
    }
    else
    {
      if (n_restarts++ == max_restarts)
        break;
      if (global && !stood_still)
        rows.take_block_sizes(problem);
      stood_still = true;
      n_sweeps    = std::min(2 * n_sweeps, 2000u);
      // Now and then from no impulses, as the local form begins: a kink draws
      // what begins near it. Then on from where it stood.
      if (global && n_restarts % 4 == 0)
      {
        aside = here.r;
        std::fill(here.r.begin(), here.r.end(), 0.);
      }
      else if (!aside.empty())
      {
        here.r = aside;
        aside.clear();
      }
      sweep_on(problem, here.r, n_sweeps);
      constexpr double alphas[] = { 1e-1, 1e-3, 1e-5 };
      begin_at(between.P, alphas[n_restarts % 3]);
      stalled = 0;
      mark    = best.note(between.P);
    }
  }
  best.finish(P, U, result);
  return result;
}

template class SemismoothNewton<2>;
template class SemismoothNewton<3>;
} // namespace delassus
