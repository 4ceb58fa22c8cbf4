#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/row_product.h>
#include <delassus/contact/global_solvers/standard_problem.h>
#include <delassus/contact/global_solvers/standard_rows.h>
#include <delassus/contact/problem/contact_error.h>
#include <delassus/linear_solvers/memory_budget.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
template <int dim>
void StandardRows<dim>::check(const ContactProblem<dim> &problem,
                              const std::vector<double> &P,
                              const char *method,
                              const bool tresca)
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
  if (problem.W != nullptr && problem.W->n_ghosts() > 0)
    throw ComputationError(fmt::format(
        "Contact solver: {} needs all contacts on one rank. Use Solver = auto, "
        "Gauss-Seidel or projected gradient, or Distribution = one rank.",
        method));
  for (std::size_t a = 0; a < n; ++a)
  {
    const auto &law = problem.laws[a];
    if (law.active &&
        (!law.is_shift() || (law.is_tresca() && !law.is_tied() && !tresca)))
      throw ComputationError(fmt::format(
          "Contact {}: its law is {}, which {} does not support. Use Solver = "
          "auto or Gauss-Seidel.",
          a,
          law.is_shift() ? "Tresca's friction"
                         : "more than a shift of the velocity",
          method));
    for (std::size_t k = dim * a; k < dim * (a + 1) && !P.empty(); ++k)
      if (!std::isfinite(P[k]))
        throw ComputationError(
            fmt::format("Contact {}: its starting impulse is not finite.", a));
  }
}


template <int dim>
void StandardRows<dim>::reinit(const ContactProblem<dim> &problem,
                               const bool global)
{
  form = nullptr;
  if (global)
  {
    form = problem.global_form();
    if (form == nullptr)
      throw ComputationError(
          "Contact solver: the global form needs the matrix of the bodies and "
          "H, which this problem does not have. Use a solver on W.");
    row_start = nullptr;
    factor.reset();
    product = form->solve ? nullptr : problem.W;
    if (!form->solve && product == nullptr)
      factor = factorize_within_memory(symmetric_matrix(form->A),
                                       problem.memory_limit);
  }
  else if (const auto *W =
               dynamic_cast<const BlockSparseDelassus<dim> *>(problem.W))
  {
    row_start = W->row_start_data();
    column    = W->column_data();
    blocks    = W->block_data();
  }
  else
  {
    if (problem.W == nullptr)
      own_start.assign(1, 0);
    else
      block_rows(*problem.W, own_start, own_column, own_blocks);
    row_start = own_start.data();
    column    = own_column.data();
    blocks    = own_blocks.data();
  }
  read_laws(problem);
}


template <int dim>
void StandardRows<dim>::read_laws(const ContactProblem<dim> &problem)
{
  const std::size_t n = problem.n_contacts();
  g                   = effective_impulse_scale(problem);
  norm_q              = norm_of_free_velocity(problem);
  q.resize(dim * n);
  mu.resize(n);
  threshold.resize(n);
  D.assign(n, 0.);
  fixed.resize(n);
  n_immovable = n_ill_posed = 0;
  ill_posed                 = {};
  double largest            = 0.;
  LocalMatrix<dim> W;
  for (std::size_t a = 0; a < n; ++a)
  {
    const ChangeOfVariables<dim> &law = problem.laws[a];
    problem.W->diagonal_block(a, W.data());
    if (!is_finite(W))
      throw ComputationError(
          fmt::format("Contact {}: its block of W is not finite.", a));
    for (int c = 0; c < dim; ++c)
    {
      D[a] += W[c * dim + c] / dim;
      q[dim * a + c] = problem.U_free[dim * a + c] + law.shift[c];
    }
    mu[a]        = law.friction;
    threshold[a] = law.threshold;
    fixed[a]     = !law.active;
    largest      = std::max(largest, W[0]);
  }
  for (std::size_t a = 0; a < n; ++a)
  {
    problem.W->diagonal_block(a, W.data());
    if (fixed[a])
      continue;
    const bool moves = threshold[a] == tied_threshold
                           ? D[a] > 1e-15 * largest
                           : W[0] > 1e-15 * largest && D[a] > 0.;
    if (!moves)
    {
      fixed[a] = 1;
      ++n_immovable;
      continue;
    }
    LocalVector<dim> row;
    std::copy_n(W.begin(), dim, row.begin());
    const double coupling = tangential_norm(row);
    if (threshold[a] < 0. && mu[a] * coupling >= W[0])
    {
      const double critical = W[0] / coupling;
      if (n_ill_posed++ == 0 ||
          mu[a] * ill_posed.critical > ill_posed.friction * critical)
        ill_posed = { a, mu[a], critical };
    }
  }
  if (form != nullptr)
    global_sizes();
  for (std::size_t a = 0; a < n; ++a)
    if (!(D[a] > 0.))
      D[a] = g;
}


template <int dim>
void StandardRows<dim>::global_sizes()
{
  std::vector<double> diagonal(form->A.n_rows, 0.);
  if (form->share)
    diagonal = form->share->diagonal;
  for (std::size_t j = 0; j < form->A.n_columns && !form->share; ++j)
    for (std::size_t k = form->A.start[j]; k < form->A.start[j + 1]; ++k)
      if (form->A.row[k] == j)
        diagonal[j] += form->A.value[k];
  for (std::size_t a = 0; a < D.size(); ++a)
  {
    double sum = 0.;
    for (int c = 0; c < dim; ++c)
      for (std::size_t k = form->H.start[dim * a + c];
           k < form->H.start[dim * a + c + 1];
           ++k)
        sum += form->H.value[k] * form->H.value[k] / diagonal[form->H.row[k]];
    D[a] = sum / dim;
  }
}


template <int dim>
void StandardRows<dim>::take_block_sizes(const ContactProblem<dim> &problem)
{
  LocalMatrix<dim> W;
  for (std::size_t a = 0; a < n(); ++a)
  {
    problem.W->diagonal_block(a, W.data());
    double sum = 0.;
    for (int c = 0; c < dim; ++c)
      sum += W[c * dim + c] / dim;
    if (sum > 0.)
      D[a] = sum;
  }
}


template <int dim>
void StandardRows<dim>::velocities(const double *r, double *u) const
{
  const std::size_t n_contacts = n();
  if (form != nullptr && product != nullptr)
  {
    product->multiply(r, u);
    for (std::size_t k = 0; k < q.size(); ++k)
      u[k] += q[k];
    return;
  }
  if (form != nullptr)
  {
    const CompressedColumns &H = form->H;
    work.assign(form->A.n_rows, 0.);
    for (std::size_t j = 0; j < H.n_columns; ++j)
      if (r[j] != 0.)
        for (std::size_t k = H.start[j]; k < H.start[j + 1]; ++k)
          work[H.row[k]] += H.value[k] * r[j];
    if (factor != nullptr)
      factor->solve(work.data(), 1);
    else
      form->solve(work.data());
    for (std::size_t j = 0; j < H.n_columns; ++j)
    {
      double sum = q[j];
      for (std::size_t k = H.start[j]; k < H.start[j + 1]; ++k)
        sum += H.value[k] * work[H.row[k]];
      u[j] = sum;
    }
    return;
  }
  for (std::size_t a = 0; a < n_contacts; ++a)
  {
    const std::size_t begin = row_start[a];
    internal::row_product<dim, dim>(blocks + dim * dim * begin,
                                    column + begin,
                                    row_start[a + 1] - begin,
                                    r,
                                    u + dim * a,
                                    0);
    for (int c = 0; c < dim; ++c)
      u[dim * a + c] += q[dim * a + c];
  }
}


template <int dim>
double StandardRows<dim>::error(const std::vector<double> &r,
                                const std::vector<double> &u,
                                const bool siconos) const
{
  const double scale = siconos ? 1. : g;
  double F2 = 0., r2 = 0., u2 = 0.;
  for (std::size_t a = 0; a < n(); ++a)
  {
    if (fixed[a])
      continue;
    LocalVector<dim> P, U;
    std::copy_n(r.data() + dim * a, dim, P.data());
    std::copy_n(u.data() + dim * a, dim, U.data());
    const auto F = threshold[a] >= 0.
                       ? tresca_natural_map<dim>(P, U, threshold[a], scale)
                       : natural_map<dim>(P, U, mu[a], scale);
    F2 += dot(F, F);
    r2 += dot(P, P);
    u2 += dot(U, U);
  }
  const double size =
      siconos ? std::max({ norm_q, std::sqrt(r2), std::sqrt(u2) }) : norm_q;
  if (F2 == 0.)
    return 0.;
  if (!(F2 <= std::numeric_limits<double>::max()))
    return std::numeric_limits<double>::infinity();
  return std::sqrt(F2) / (siconos && size < 2.2e-16 ? 1. : size);
}


namespace
{
/// With the advice that helps here.
class ContactMemoryError : public MemoryLimitError
{
public:
  explicit ContactMemoryError(const MemoryLimitError &error)
      : MemoryLimitError(error)
      , text(fmt::format(
            "The contact solver's factor of all bodies and contacts together "
            "would take {:.3g} GiB, more than the {:.3g} GiB left to it. Raise "
            "the memory limit (section 'Linear solver', entry 'Memory limit') "
            "or set Solver = auto in section 'Contact solver', which goes "
            "without it.",
            error.needed / (1 << 30),
            error.allowed / (1 << 30)))
  {
  }
  const char *what() const noexcept override
  {
    return text.c_str();
  }

private:
  std::string text;
};
} // namespace

std::unique_ptr<SymmetricFactor>
factorize_within_memory(const SymmetricMatrix &A, const double limit)
{
  // Beside what the bodies have already, and another factor of this size.
  const double available = available_memory();
  try
  {
    return factorize(A,
                     250,
                     LinearSolverType::automatic,
                     limit > 0.       ? 0.5 * limit
                     : available > 0. ? 0.4 * available
                                      : 1e300);
  }
  catch (const MemoryLimitError &error)
  {
    throw ContactMemoryError(error);
  }
}

SymmetricMatrix symmetric_matrix(const CompressedColumns &A)
{
  SymmetricMatrix result;
  result.n = A.n_columns;
  result.column_start.assign(A.start.begin(), A.start.end());
  result.row.assign(A.row.begin(), A.row.end());
  result.value = A.value;
  return result;
}

template class StandardRows<2>;
template class StandardRows<3>;
} // namespace delassus
