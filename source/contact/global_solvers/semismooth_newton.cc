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

// Contacts that may be in another branch than in the factor of the global form:
// each takes an iteration of GMRES or two.
constexpr std::size_t most_changes = 6;

// Iterations without an error half of the last one after which sweeps lead on.
constexpr unsigned int patience = 16;

// Columns of an applied W that are made at once for the sweeps: that many
// products are also what one call of another method would take.
constexpr std::size_t largest_to_copy = 2000;

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
    if (!(z_N > 0.))
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
bool SemismoothNewton<dim>::find_global_step()
{
  // With G = (D (B + alpha A))^{-1} of a closed contact, dr = -G (F + A du). A
  // and B have the form [1 0; A_TN A_TT], so that
  //   dr = e - K (du + o),  K = G A,
  // with o = F where it sticks, and o = (F_N, 0), e_T = G_TT (A_TN F_N - F_T)
  // where it slips: no difference of large numbers.
  const std::size_t n = rows.n();
  for (auto *list : { &whole.G, &whole.K, &whole.K_symmetric })
    list->assign(n, LocalMatrix<dim>{});
  whole.offset.assign(dim * n, 0.);
  whole.constant.assign(dim * n, 0.);
  LocalMatrix<dim> A, B, E;
  std::size_t n_changed = 0;
  for (std::size_t a = 0; a < n; ++a)
  {
    const double *F = here.F.data() + dim * a;
    double *o       = whole.offset.data() + dim * a,
           *e       = whole.constant.data() + dim * a;
    n_changed += whole.branch.size() == n && whole.branch[a] != here.branch[a];
    if (unknown[a] < 0)
    {
      std::copy_n(step.data() + dim * a, dim, e);
      continue;
    }
    jacobian(a, A, B);
    for (int k = 0; k < dim * dim; ++k)
      E[k] = rows.D[a] * (B[k] + alpha * A[k]);
    if (!invert_small<dim>(E, whole.G[a]))
      return false;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        for (int l = 0; l < dim; ++l)
          whole.K[a][dim * i + j] += whole.G[a][dim * i + l] * A[dim * l + j];
    o[0] = F[0];
    for (int i = 1; i < dim; ++i)
      if (here.branch[a] == Branch::stick)
        o[i] = F[i];
      else
        for (int j = 1; j < dim; ++j)
          e[i] += whole.G[a][dim * i + j] * (A[dim * j] * F[0] - F[j]);
    // Without what pressure does to friction: symmetric, never negative.
    whole.K_symmetric[a][0] = whole.K[a][0];
    for (int i = 1; i < dim; ++i)
      for (int j = 1; j < dim; ++j)
        whole.K_symmetric[a][dim * i + j] =
            0.5 * (whole.K[a][dim * i + j] + whole.K[a][dim * j + i]);
  }
  // A few contacts that have changed cost GMRES less than another factor.
  const bool keep = whole.branch.size() == n && whole.alpha == alpha &&
                    n_changed <= most_changes;
  if (!keep)
  {
    whole.branch.clear();
    if (!whole.matrix.factorize(whole.K_symmetric))
      return false;
    whole.branch = here.branch;
    whole.alpha  = alpha;
  }
  // Forces of contacts that have changed are as large as these are stiff.
  whole.matrix.solve(whole.K,
                     whole.offset,
                     whole.constant,
                     keep && n_changed > 0 ? 1e-3 * alpha : 1e-3,
                     whole.dv);
  for (std::size_t a = 0; a < n; ++a)
  {
    if (unknown[a] < 0)
      continue;
    auto du = whole.matrix.velocity(a, whole.dv.data());
    for (int c = 0; c < dim; ++c)
      du[c] += whole.offset[dim * a + c];
    for (int i = 0; i < dim; ++i)
    {
      double value = whole.constant[dim * a + i];
      for (int l = 0; l < dim; ++l)
        value -= whole.K[a][dim * i + l] * du[l];
      step[dim * a + i] = value;
      if (!std::isfinite(value))
        return false;
    }
  }
  return true;
}


template <int dim>
void SemismoothNewton<dim>::assemble_saddle_point()
{
  // Unknowns: dv, then dr of the closed contacts. M dv - H dr = 0 first.
  const CompressedColumns &M = rows.form->A, &H = rows.form->H;
  const int n_v = M.n_rows;
  std::vector<std::vector<std::pair<int, double>>> lines(n_v);
  for (std::size_t j = 0; j < M.n_columns; ++j)
    for (std::size_t k = M.start[j]; k < M.start[j + 1]; ++k)
      lines[M.row[k]].emplace_back(j, M.value[k]);
  std::fill_n(rhs.begin(), n_v, 0.);
  for (std::size_t a = 0; a < rows.n(); ++a)
    for (int c = 0; c < dim; ++c)
      for (std::size_t k = H.start[dim * a + c]; k < H.start[dim * a + c + 1];
           ++k)
        if (unknown[a] >= 0)
          lines[H.row[k]].emplace_back(unknown[a] + c, -H.value[k]);
        else
          rhs[H.row[k]] += H.value[k] * step[dim * a + c];
  for (const auto &line : lines)
  {
    for (const auto &[j, value] : line)
    {
      factor.column.push_back(j);
      factor.value.push_back(value);
    }
    factor.row_start.push_back(factor.column.size());
  }

  // A H^T dv + D (B + alpha A) dr = -F.
  LocalMatrix<dim> A, B;
  for (std::size_t a = 0; a < rows.n(); ++a)
  {
    if (unknown[a] < 0)
      continue;
    jacobian(a, A, B);
    for (int i = 0; i < dim; ++i)
    {
      for (int l = 0; l < dim; ++l)
        if (A[i * dim + l] != 0.)
          for (std::size_t k = H.start[dim * a + l];
               k < H.start[dim * a + l + 1];
               ++k)
          {
            factor.column.push_back(H.row[k]);
            factor.value.push_back(A[i * dim + l] * H.value[k]);
          }
      for (int j = 0; j < dim; ++j)
      {
        factor.column.push_back(unknown[a] + j);
        factor.value.push_back(rows.D[a] *
                               (B[i * dim + j] + alpha * A[i * dim + j]));
      }
      factor.row_start.push_back(factor.column.size());
      rhs[unknown[a] + i] = -here.F[dim * a + i];
    }
  }
}


template <int dim>
bool SemismoothNewton<dim>::find_step()
{
  const bool by_saddle = global && stood_still;
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
  rows.reinit(problem, global, /* of_W */ true);
  between.copied.reset();
  // The factor of the last problem, if only velocities have changed.
  if (global &&
      (rows.form->version == 0 || rows.form->version != whole.version ||
       whole.branch.size() != n))
  {
    whole.version = rows.form->version;
    whole.matrix.reinit(*rows.form, problem.memory_limit);
    whole.branch.clear();
  }
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
  // Impulses of the last problem know their branches.
  const bool is_warm =
      parameters.warm_start && P.size() == dim * n &&
      std::any_of(P.begin(), P.end(), [](const double p) { return p != 0.; });
  if (!best.good_enough() && !(global && is_warm))
    sweep_on(problem, best.impulses(), n_sweeps);
  n_centres   = 0;
  stood_still = false;
  begin_at(best.impulses(), global ? 1e-6 : 1e-5);
  double mark = best.error();
  for (unsigned int i = 0; !best.good_enough(); ++i)
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
      stood_still = true;
      n_sweeps    = std::min(2 * n_sweeps, 2000u);
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
