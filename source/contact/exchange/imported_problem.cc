#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/exchange/imported_problem.h>
#include <delassus/contact/exchange/problem_files.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
namespace
{
/// Full from this share of the blocks on.
constexpr double mostly_full = 0.5;

/// 1/(mean diagonal of M over the rows in which H has entries); 0 if there are
/// none, or the mean is not positive.
double reciprocal_mean_diagonal(const CompressedColumns &M,
                                const CompressedColumns &H)
{
  std::vector<bool> is_contact_dof(H.n_rows, false);
  for (std::size_t k = 0; k < H.row.size(); ++k)
    if (H.value[k] != 0.)
      is_contact_dof[H.row[k]] = true;
  double sum    = 0.;
  std::size_t n = 0;
  for (std::size_t j = 0; j < M.n_columns; ++j)
    if (is_contact_dof[j])
    {
      ++n;
      for (std::size_t k = M.start[j]; k < M.start[j + 1]; ++k)
        if (M.row[k] == j)
          sum += M.value[k];
    }
  return sum > 0. ? static_cast<double>(n) / sum : 0.;
}

/// H_a^T D^{-1} H_a with D the diagonal of M: an estimate of W^{aa}.
template <int dim>
std::vector<LocalMatrix<dim>> estimate_diagonal(const CompressedColumns &M,
                                                const CompressedColumns &H)
{
  std::vector<double> D(M.n_columns, 0.);
  for (std::size_t j = 0; j < M.n_columns; ++j)
    for (std::size_t k = M.start[j]; k < M.start[j + 1]; ++k)
      if (M.row[k] == j)
        D[j] = M.value[k];
  const std::size_t n = H.n_columns / dim;
  std::vector<LocalMatrix<dim>> blocks(n);
  std::vector<double> column(M.n_columns, 0.);
  for (std::size_t a = 0; a < n; ++a)
    for (int d = 0; d < dim; ++d)
    {
      const std::size_t j = dim * a + d;
      for (std::size_t k = H.start[j]; k < H.start[j + 1]; ++k)
        column[H.row[k]] = H.value[k];
      for (int c = 0; c < dim; ++c)
      {
        double sum = 0.;
        for (std::size_t k = H.start[dim * a + c]; k < H.start[dim * a + c + 1];
             ++k)
          if (D[H.row[k]] > 0.)
            sum += H.value[k] * column[H.row[k]] / D[H.row[k]];
        blocks[a][c * dim + d] = sum;
      }
      for (std::size_t k = H.start[j]; k < H.start[j + 1]; ++k)
        column[H.row[k]] = 0.;
    }
  return blocks;
}
} // namespace


template <int dim>
ImportedProblem<dim>::ImportedProblem(const ExchangeProblem &exchanged,
                                      const Condensation condensation)
{
  const std::string where =
      exchanged.title.empty() ? "Problem" : exchanged.title;
  check_exchange_problem(exchanged, where);
  if (exchanged.dim != dim)
    throw InputError(fmt::format(
        "{}: the problem is {}D, not {}D.", where, exchanged.dim, dim));
  contact_problem.laws.resize(exchanged.n_contacts());
  for (std::size_t a = 0; a < exchanged.n_contacts(); ++a)
    contact_problem.laws[a].friction = exchanged.mu[a];

  if (!exchanged.global)
  {
    contact_problem.U_free = exchanged.q;
    take_matrix(exchanged.W);
    return;
  }
  body_inverse           = std::make_unique<BodyInverse>(exchanged.M, where);
  contact_problem.U_free = condensed_velocity(*body_inverse, exchanged);
  contact_problem.impulse_scale =
      reciprocal_mean_diagonal(exchanged.M, exchanged.H);
  global_form.A = exchanged.M;
  global_form.H = exchanged.H;
  // Methods on the global form rely on a positive definite A.
  if (body_inverse->is_positive_definite())
    contact_problem.global = &global_form;
  if (condensation == Condensation::formed ||
      !body_inverse->is_positive_definite())
  {
    take_matrix(condense(*body_inverse, exchanged.H));
    return;
  }
  const auto product = [this](const double *P, double *U)
  {
    std::vector<double> v(global_form.A.n_rows, 0.);
    add_product(global_form.H, P, v.data());
    body_inverse->solve(v.data(), 1);
    std::fill_n(U, global_form.H.n_columns, 0.);
    add_transposed_product(global_form.H, v.data(), U);
  };
  W = std::make_unique<AppliedDelassus<dim>>(
      product, estimate_diagonal<dim>(global_form.A, global_form.H));
  contact_problem.W = W.get();
}


template <int dim>
void ImportedProblem<dim>::take_matrix(const CompressedColumns &A)
{
  const std::size_t n           = A.n_columns / dim;
  const CompressedColumns A_row = transpose(A); // rows of A, one after another
  // Block columns of each block row, ascending, with the diagonal.
  std::vector<std::size_t> row_start(1, 0);
  std::vector<unsigned int> column;
  std::vector<double> blocks;
  for (std::size_t a = 0; a < n; ++a)
  {
    const std::size_t begin = column.size();
    column.push_back(static_cast<unsigned int>(a));
    for (std::size_t k = A_row.start[dim * a]; k < A_row.start[dim * (a + 1)];
         ++k)
      column.push_back(A_row.row[k] / dim);
    std::sort(column.begin() + begin, column.end());
    column.erase(std::unique(column.begin() + begin, column.end()),
                 column.end());
    blocks.resize(column.size() * dim * dim, 0.);
    for (int c = 0; c < dim; ++c)
    {
      std::size_t position = begin;
      for (std::size_t k = A_row.start[dim * a + c];
           k < A_row.start[dim * a + c + 1];
           ++k)
      {
        while (column[position] != A_row.row[k] / dim)
          ++position;
        blocks[position * dim * dim + c * dim + A_row.row[k] % dim] =
            A_row.value[k];
      }
    }
    row_start.push_back(column.size());
  }
  auto sparse =
      std::make_unique<BlockSparseDelassus<dim>>(row_start, column, blocks);
  if (static_cast<double>(column.size()) > mostly_full * n * n)
    W = std::make_unique<DenseDelassus<dim>>(*sparse);
  else
    W = std::move(sparse);
  contact_problem.W = W.get();
}

template class ImportedProblem<2>;
template class ImportedProblem<3>;
} // namespace delassus
