#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/admm.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
constexpr double over_relaxation = 1.6;

// Of Anderson's method; in the global form it costs little beside a solution.
constexpr std::size_t local_memory = 10, global_memory = 20;

// Iterations without acceleration after it first went wrong.
constexpr unsigned int first_plain = 10;

// R^{-1} / D in the order in which they are tried.
constexpr double local_factors[]  = { 0.1, 0.01, 1. };
constexpr double global_factors[] = { 1., 10., 0.1 };
} // namespace


template <int dim>
Admm<dim>::Admm(const ContactSolverParameters &parameters_in,
                const bool global_in)
    : parameters(parameters_in)
    , global(global_in)
    , max_iterations(parameters_in.max_sweeps)
{
}


template <int dim>
void Admm<dim>::set_limits(const unsigned int iterations,
                           const unsigned int changes)
{
  max_iterations = iterations;
  max_changes    = changes;
}


template <int dim>
bool Admm<dim>::is_symmetric() const
{
  // |W x - W^T x| for one x without structure.
  const std::size_t n = rows.n();
  std::vector<double> x(dim * n), product(dim * n, 0.), transposed(dim * n, 0.);
  for (std::size_t k = 0; k < x.size(); ++k)
    x[k] = std::sin(1. + 1.7 * k) / rows.D[k / dim];
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t k = rows.row_start[a]; k < rows.row_start[a + 1]; ++k)
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
        {
          const double W      = rows.blocks[dim * dim * k + i * dim + j];
          const std::size_t p = dim * a + i, q = dim * rows.column[k] + j;
          product[p] += W * x[q];
          transposed[q] += W * x[p];
        }
  double difference = 0., size = 0.;
  for (std::size_t k = 0; k < x.size(); ++k)
  {
    difference += (product[k] - transposed[k]) * (product[k] - transposed[k]);
    size += product[k] * product[k];
  }
  return std::sqrt(difference) <=
         std::max(1e-12, 1e-3 * parameters.tolerance) * std::sqrt(size);
}


template <int dim>
bool Admm<dim>::factorize_local()
{
  general.row_start.assign(1, 0);
  general.column.clear();
  general.value.clear();
  for (std::size_t a = 0; a < rows.n(); ++a)
    for (int i = 0; i < dim; ++i)
    {
      for (std::size_t k = rows.row_start[a]; k < rows.row_start[a + 1]; ++k)
        for (int j = 0; j < dim; ++j)
        {
          const bool diagonal = rows.column[k] == a && i == j;
          general.column.push_back(dim * rows.column[k] + j);
          general.value.push_back(rows.blocks[dim * dim * k + i * dim + j] +
                                  (diagonal ? inverse_R[a] : 0.));
        }
      general.row_start.push_back(general.column.size());
    }
  general.merge_entries();
  use_general = !is_symmetric();
  if (!use_general)
    try
    {
      SymmetricMatrix matrix;
      matrix.n            = dim * rows.n();
      matrix.column_start = general.row_start;
      matrix.row          = general.column;
      matrix.value        = general.value;
      symmetric           = factorize_within_memory(matrix, memory_limit);
      return true;
    }
    catch (const MemoryLimitError &)
    {
      throw;
    }
    catch (const ComputationError &)
    {
      // W is indefinite by rounding, or more.
      use_general = true;
    }
  return general.factorize();
}


template <int dim>
bool Admm<dim>::factorize_global()
{
  if (!whole.inverse_R.empty() && whole.inverse_R == inverse_R)
    return true;
  whole.R.assign(rows.n(), LocalMatrix<dim>{});
  for (std::size_t a = 0; a < rows.n(); ++a)
    for (int c = 0; c < dim; ++c)
      whole.R[a][c * dim + c] = 1. / inverse_R[a];
  whole.inverse_R.clear();
  if (!whole.matrix.factorize(whole.R))
    return false;
  whole.inverse_R = inverse_R;
  return true;
}


template <int dim>
bool Admm<dim>::factorize_with(const double factor)
{
  inverse_R.resize(rows.n());
  for (std::size_t a = 0; a < rows.n(); ++a)
    inverse_R[a] = factor * rows.D[a];
  return global ? factorize_global() : factorize_local();
}


template <int dim>
void Admm<dim>::apply(std::vector<double> &x)
{
  if (!global)
  {
    // W (W + R^{-1})^{-1} x = x - R^{-1} (W + R^{-1})^{-1} x
    work = x;
    if (use_general)
      general.solve(work.data());
    else
      symmetric->solve(work.data(), 1);
    for (std::size_t a = 0; a < rows.n(); ++a)
      for (int c = 0; c < dim; ++c)
        x[dim * a + c] -= inverse_R[a] * work[dim * a + c];
    return;
  }
  const CompressedColumns &H = rows.form->H;
  work.assign(H.n_rows, 0.);
  for (std::size_t j = 0; j < H.n_columns; ++j)
    for (std::size_t k = H.start[j]; k < H.start[j + 1]; ++k)
      work[H.row[k]] += H.value[k] * x[j] / inverse_R[j / dim];
  whole.matrix.apply_inverse(work.data());
  for (std::size_t j = 0; j < H.n_columns; ++j)
  {
    x[j] = 0.;
    for (std::size_t k = H.start[j]; k < H.start[j + 1]; ++k)
      x[j] += H.value[k] * work[H.row[k]];
  }
}


template <int dim>
void Admm<dim>::begin_at(const std::vector<double> &r_start,
                         const std::vector<double> &u_start)
{
  // y = u + s and lambda = -R^{-1} r; at a solution Y is a fixed point.
  Y = u_start;
  for (std::size_t a = 0; a < rows.n(); ++a)
  {
    LocalVector<dim> u;
    std::copy_n(Y.data() + dim * a, dim, u.data());
    Y[dim * a] += rows.mu[a] * tangential_norm(u);
    for (int c = 0; c < dim; ++c)
      Y[dim * a + c] -= inverse_R[a] * r_start[dim * a + c];
  }
  anderson.forget();
}


template <int dim>
void Admm<dim>::find_start(const ContactProblem<dim> &problem,
                           const std::vector<double> &P)
{
  // One product at most: zero has the velocity q.
  const std::size_t n = rows.n();
  start.r.assign(dim * n, 0.);
  start.u = rows.q;
  best.note(start.r, start.u);
  if (!parameters.warm_start || P.size() != dim * n ||
      std::all_of(P.begin(), P.end(), [](const double p) { return p == 0.; }))
    return;
  rows.velocities(P.data(), b.data());
  const double at_zero = best.error();
  const bool is_better = best.note(P, b) < at_zero;
  if (problem.U_guess.size() == dim * n)
  {
    start.r = P;
    for (std::size_t a = 0; a < n; ++a)
      for (int c = 0; c < dim; ++c)
        start.u[dim * a + c] =
            problem.U_guess[dim * a + c] + problem.laws[a].shift[c];
  }
  else if (is_better)
  {
    start.r = P;
    start.u = b;
  }
}


template <int dim>
double Admm<dim>::iterate()
{
  for (std::size_t a = 0; a < rows.n(); ++a)
  {
    const std::size_t k = dim * a;
    LocalVector<dim> p{}; // R^{-1} r = -lambda
    if (!rows.fixed[a])
    {
      for (int c = 0; c < dim; ++c)
        p[c] = -Y[k + c];
      if (rows.threshold[a] != tied_threshold) // those take any impulse
        p = project_on_cone<dim>(p, rows.mu[a]);
    }
    LocalVector<dim> here;
    for (int c = 0; c < dim; ++c)
    {
      here[c]  = Y[k + c] + p[c];
      y[k + c] = here[c];
      r[k + c] = p[c] / inverse_R[a];
    }
    TY[k] = rows.q[k] + rows.mu[a] * tangential_norm(here); // q + s
    for (int c = 1; c < dim; ++c)
      TY[k + c] = rows.q[k + c];
    for (int c = 0; c < dim; ++c)
      b[k + c] = y[k + c] - TY[k + c] + p[c];
  }
  apply(b);
  double sum = 0.;
  for (std::size_t a = 0; a < rows.n(); ++a)
    for (std::size_t k = dim * a; k < dim * (a + 1); ++k)
    {
      // A contact that is fixed has no constraint: y = Y = u + s.
      const double step =
          rows.fixed[a] ? b[k] + TY[k] - Y[k] : b[k] + TY[k] - y[k];
      TY[k] = Y[k] + (rows.fixed[a] ? 1. : over_relaxation) * step;
      sum += step * step;
    }
  return std::sqrt(sum);
}


template <int dim>
const ContactResult &Admm<dim>::solve(const ContactProblem<dim> &problem,
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
  StandardRows<dim>::check(problem, P, name(), false);
  result              = ContactResult();
  result.solver       = name();
  const std::size_t n = problem.n_contacts();
  if (n == 0)
  {
    P.clear();
    U.clear();
    return result;
  }
  memory_limit = problem.memory_limit;
  rows.reinit(problem, global);
  // The factor of the last problem, if only velocities have changed.
  if (global &&
      (rows.form->version == 0 || rows.form->version != whole.version ||
       whole.inverse_R.size() != n))
  {
    whole.version = rows.form->version;
    whole.matrix.reinit(*rows.form, problem.memory_limit);
    whole.inverse_R.clear();
  }
  else if (global)
    whole.matrix.keep(*rows.form);
  for (auto *x : { &Y, &TY, &y, &b, &r, &best_TY })
    x->assign(dim * n, 0.);
  anderson.reinit(dim * n, global ? global_memory : local_memory);
  best.start(problem, rows, parameters);
  find_start(problem, P);

  constexpr double infinity = std::numeric_limits<double>::infinity();
  const unsigned int first  = global ? whole.last_factor : 0;
  unsigned int i = 0, n_changes = 0;
  while (!best.good_enough() && i < max_iterations && !best.out_of_time() &&
         n_changes <= max_changes)
  {
    // Where W is singular an extrapolation may lead far along its kernel, to
    // impulses from which every step is short. After all factors in vain, again
    // without: slow, but it converges where the problem is convex.
    const bool plain            = n_changes >= 3;
    const unsigned int patience = plain ? 600 : global ? 150 : 60;
    const bool from_start       = plain && n_changes < 6;
    // (In one expression g++ 12 with -fsanitize=bounds takes a wrong index.)
    const auto &factors       = global ? global_factors : local_factors;
    const unsigned int number = (first + n_changes) % 3;
    const double factor       = factors[number];
    const bool is_first       = n_changes == 0;
    ++n_changes;
    if (!factorize_with(factor))
    {
      result.diagnosis = "the matrix of ADMM is singular";
      continue;
    }
    if (is_first || from_start)
      begin_at(start.r, start.u);
    else
    {
      rows.velocities(best.impulses().data(), b.data());
      begin_at(best.impulses(), b);
    }
    // How much larger the true error is than the residual.
    double ratio = 1.;
    double least = infinity, mark = infinity;
    unsigned int since_mark = 0, next_check = i + 20;
    // Iterations that are left without acceleration, and how many next time.
    unsigned int n_plain = 0, next_plain = first_plain;
    while (i < max_iterations && since_mark < patience)
    {
      const double residual = iterate() / rows.norm_q;
      ++i;
      ++since_mark;
      if (ratio * residual <= parameters.tolerance || i >= next_check)
      {
        const double error = best.note(r);
        if (best.good_enough())
          whole.last_factor = number;
        if (best.good_enough() || best.out_of_time())
          break;
        // (It falls while statuses settle.)
        ratio      = std::min(1e6, std::max(0.1, 0.3 * error / residual));
        next_check = i + 20;
      }
      const bool accelerated = !plain && n_plain == 0;
      if (!(residual < (accelerated ? 2. * least : infinity)))
      {
        // Worse than the best by far: back to it, without memory, and on
        // without acceleration, longer each time: while fronts of sliding move,
        // nothing that was before tells what comes. (Also if not finite.)
        if (!accelerated || !std::isfinite(least))
          break;
        Y     = best_TY;
        least = infinity;
        anderson.forget();
        n_plain = next_plain;
        next_plain *= 2;
        continue;
      }
      if (residual < least)
      {
        least   = residual;
        best_TY = TY;
      }
      if (residual < 0.3 * mark)
      {
        mark       = residual;
        since_mark = 0;
      }
      if (accelerated)
        anderson.advance(Y, TY);
      else
        Y = TY;
      if (n_plain > 0 && --n_plain == 0)
        least = infinity;
    }
  }
  result.sweeps = i;
  best.finish(P, U, result);
  return result;
}

template class Admm<2>;
template class Admm<3>;
} // namespace delassus
