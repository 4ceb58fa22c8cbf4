// Newton's method in the global form: momentum and contact in one matrix.
#include <delassus/contact/global_solvers/semismooth_newton.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace delassus
{
namespace
{
// Contacts that may be in another branch than in the factor of the global form:
// each takes an iteration of GMRES or two.
constexpr std::size_t most_changes = 6;

// Iterations of GMRES that another factor costs, about.
constexpr unsigned int worth_a_factor = 15;

// What GMRES may leave of a step. Rigid motions make large velocities of small
// impulses: the iterations that this takes, a solution each, save steps, which
// take a factor.
constexpr double part_left = 1e-6, part_of_tolerance = 1e-6;

// D in units of r^T W r / r^T r. From 1 to 10 sheets, held and free, take about
// as many iterations.
constexpr double size_of_load = 4.;

// Change of that from which on D is another one, and the factor with it.
constexpr double other_size = 3.;
} // namespace


template <int dim>
bool SemismoothNewton<dim>::find_global_step()
{
  // With G = (D (B + alpha A))^{-1} of a closed contact, dr = -G (F + A du). A
  // and B have the form [1 0; A_TN A_TT], so that
  //   dr = e - K (du + o),  K = G A,
  // with o = F where it sticks, and o = (F_N, 0), e_T = G_TT (A_TN F_N - F_T)
  // where it slips: no difference of large numbers. What W r + q is away from
  // the velocities of the point adds to o.
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
    for (int i = 0; i < dim && !excess.empty(); ++i)
      o[i] += excess[dim * a + i];
    // Without what pressure does to friction: symmetric, never negative.
    whole.K_symmetric[a][0] = whole.K[a][0];
    for (int i = 1; i < dim; ++i)
      for (int j = 1; j < dim; ++j)
        whole.K_symmetric[a][dim * i + j] =
            0.5 * (whole.K[a][dim * i + j] + whole.K[a][dim * j + i]);
  }
  const double largest_D  = *std::max_element(rows.D.begin(), rows.D.end());
  const bool from_trace   = whole.sizes.from_trace;
  const double part       = from_trace ? 1e-3 : part_left,
               tolerances = from_trace ? 0.1 : part_of_tolerance;
  const auto solve = [&](const double tolerance, const unsigned int iterations)
  {
    return whole.matrix.solve(whole.K,
                              whole.offset,
                              whole.constant,
                              tolerance,
                              tolerances * parameters.tolerance * rows.norm_q /
                                  largest_D,
                              whole.dv,
                              iterations);
  };
  // A few contacts that have changed cost GMRES less than another factor; their
  // forces are as large as these are stiff.
  const bool keep = whole.branch.size() == n && whole.alpha == alpha &&
                    n_changed <= most_changes;
  if (!keep || !solve(n_changed > 0 ? part * alpha : part, worth_a_factor))
  {
    whole.branch.clear();
    if (!whole.matrix.factorize(whole.K_symmetric))
      return false;
    whole.branch = here.branch;
    whole.alpha  = alpha;
    solve(part, 60);
  }
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
void SemismoothNewton<dim>::suppose_sticking()
{
  // Without impulses D r - u = -u is tangential where tools draw: all contacts
  // would slide, and no step from there is a good one. Those that u closes
  // stick instead, F = u. Impulses outside of their cones then tell which ones
  // slide, and where to.
  for (std::size_t a = 0; a < rows.n(); ++a)
  {
    const bool has_friction =
        rows.threshold[a] >= 0. ? rows.threshold[a] > 0. : rows.mu[a] > 0.;
    if (here.branch[a] != Branch::slip || !has_friction)
      continue;
    here.branch[a] = Branch::stick;
    std::copy_n(here.u.data() + dim * a, dim, here.F.data() + dim * a);
  }
  if (find_step())
  {
    for (std::size_t j = 0; j < step.size(); ++j)
      trial.r[j] = here.r[j] + step[j];
    evaluate(trial);
    best.note(trial.r, trial.true_u);
    if (std::isfinite(trial.merit))
      std::swap(here, trial);
  }
  evaluate(here, /* know_velocities */ true);
  history[0] = here.merit;
  n_history  = 1;
}


template <int dim>
double SemismoothNewton<dim>::trace_ratio() const
{
  // E[x^T W x] = tr W for random signs x.
  constexpr unsigned int n_probes = 4;
  std::vector<double> x(rows.q.size()), Wx(rows.q.size());
  double of_W = 0., of_D = 0.;
  std::uint32_t state = 12345;
  for (unsigned int probe = 0; probe < n_probes; ++probe)
  {
    for (std::size_t k = 0; k < x.size(); ++k)
    {
      state = 1664525u * state + 1013904223u;
      x[k]  = rows.fixed[k / dim] ? 0. : state >> 31 ? 1. : -1.;
    }
    rows.velocities(x.data(), Wx.data());
    for (std::size_t k = 0; k < x.size(); ++k)
    {
      of_W += x[k] * (Wx[k] - rows.q[k]);
      of_D += x[k] * x[k] * rows.D[k / dim];
    }
  }
  return of_D > 0. && of_W > of_D ? of_W / of_D : 1.;
}


template <int dim>
void SemismoothNewton<dim>::choose_sizes(const bool has_guess)
{
  Sizes &sizes          = whole.sizes;
  const bool from_trace = has_guess && !sizes.by_load;
  if (from_trace != sizes.from_trace)
    whole.branch.clear();
  sizes.from_trace = from_trace;
  if (from_trace)
  {
    // Problems are alike as long as about as many contacts are there.
    const double n = std::count(rows.fixed.begin(), rows.fixed.end(), 0);
    if (!(n < 1.5 * sizes.n_measured) || !(sizes.n_measured < 1.5 * n))
    {
      sizes.n_measured = n;
      sizes.of_trace   = trace_ratio();
      whole.branch.clear();
    }
  }
  for (double &D : rows.D)
    D *= from_trace ? sizes.of_trace : sizes.of_load;
}


template <int dim>
void SemismoothNewton<dim>::fit_sizes()
{
  // r^T W r / r^T r of the load itself: W^{aa} of a body that is free has its
  // motion as a whole, which those that hold it do not see.
  double of_W = 0., of_D = 0.;
  for (std::size_t j = 0; j < here.r.size(); ++j)
  {
    of_W += here.r[j] * (here.true_u[j] - rows.q[j]);
    of_D += here.r[j] * here.r[j] * rows.D[j / dim];
  }
  if (!(of_D > 0.))
    return; // no load
  Sizes &sizes     = whole.sizes;
  const double old = sizes.from_trace ? sizes.of_trace : sizes.of_load;
  const double fit = std::max(1., size_of_load * old * of_W / of_D);
  if (!std::isfinite(fit))
    return;
  // The smaller one: where contacts hold the bodies the trace has motions that
  // the load does not see; where they bend a sheet the load has no more than
  // what single contacts feel.
  if (sizes.n_measured > 0.)
    sizes.by_load =
        fit < (sizes.by_load ? other_size : 1. / other_size) * sizes.of_trace;
  if (sizes.from_trace && !sizes.by_load)
    return;
  if (!sizes.from_trace && sizes.has_load && fit < other_size * old &&
      old < other_size * fit)
    return;
  sizes.from_trace = false;
  sizes.has_load   = true;
  sizes.of_load    = fit;
  for (double &D : rows.D)
    D *= fit / old;
  whole.branch.clear();
  evaluate(here, /* know_velocities */ true);
  history[0] = here.merit;
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

#define INSTANTIATE(dim)                                                       \
  template bool SemismoothNewton<dim>::find_global_step();                     \
  template void SemismoothNewton<dim>::suppose_sticking();                     \
  template double SemismoothNewton<dim>::trace_ratio() const;                  \
  template void SemismoothNewton<dim>::choose_sizes(const bool);               \
  template void SemismoothNewton<dim>::fit_sizes();                            \
  template void SemismoothNewton<dim>::assemble_saddle_point()
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
