#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/body_inverse.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/linear_solvers/general_factor.h>
#include <delassus/linear_solvers/symmetric_factor.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
namespace
{
/// Written with 16 digits, a symmetric matrix is symmetric to this.
constexpr double symmetry_tolerance = 1e-14;
} // namespace


BodyInverse::BodyInverse(const CompressedColumns &M, const std::string &where)
    : size(M.n_columns)
    , symmetric(asymmetry(M) <= symmetry_tolerance)
{
  if (symmetric)
  {
    SymmetricMatrix A;
    A.n = static_cast<unsigned int>(size);
    A.column_start.assign(M.start.begin(), M.start.end());
    A.row.assign(M.row.begin(), M.row.end());
    A.value = M.value;
    try
    {
      factor = delassus::factorize(A);
      return;
    }
    catch (const ComputationError &)
    {
      // Not positive definite.
      factor.reset();
    }
  }
  const CompressedColumns rows = transpose(M);
  general_factor               = std::make_unique<GeneralFactor>();
  general_factor->row_start.assign(rows.start.begin(), rows.start.end());
  general_factor->column.assign(rows.row.begin(), rows.row.end());
  general_factor->value = rows.value;
  if (!general_factor->factorize())
    throw InputError(fmt::format(
        "{}: the matrix M is singular, so that W = H^T M^-1 H does not exist; "
        "expected is a symmetric positive definite one.",
        where));
}


BodyInverse::~BodyInverse() = default;


void BodyInverse::solve(double *X, const unsigned int n_columns) const
{
  if (factor != nullptr)
    factor->solve(X, n_columns);
  else
    for (unsigned int j = 0; j < n_columns; ++j)
      general_factor->solve(X + j * size);
}


CompressedColumns condense(const BodyInverse &inverse,
                           const CompressedColumns &H)
{
  const std::size_t n = H.n_rows, m = H.n_columns;
  CompressedColumns W;
  W.n_rows = W.n_columns = m;
  W.start.assign(1, 0);
  std::vector<double> X(n * right_hand_side_block), column(m);
  for (std::size_t first = 0; first < m; first += right_hand_side_block)
  {
    const std::size_t n_here =
        std::min<std::size_t>(right_hand_side_block, m - first);
    std::fill(X.begin(), X.end(), 0.);
    for (std::size_t j = 0; j < n_here; ++j)
      for (std::size_t k = H.start[first + j]; k < H.start[first + j + 1]; ++k)
        X[j * n + H.row[k]] = H.value[k];
    inverse.solve(X.data(), static_cast<unsigned int>(n_here));
    for (std::size_t j = 0; j < n_here; ++j)
    {
      std::fill(column.begin(), column.end(), 0.);
      add_transposed_product(H, X.data() + j * n, column.data());
      for (std::size_t i = 0; i < m; ++i)
        if (column[i] != 0.)
        {
          W.row.push_back(static_cast<unsigned int>(i));
          W.value.push_back(column[i]);
        }
      W.start.push_back(W.row.size());
    }
  }
  if (!inverse.is_symmetric())
    return W;
  // What rounding made nonsymmetric: (W + W^T)/2.
  std::vector<Triplet> entries;
  entries.reserve(2 * W.row.size());
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t k = W.start[j]; k < W.start[j + 1]; ++k)
    {
      entries.push_back({ W.row[k], j, 0.5 * W.value[k] });
      entries.push_back({ j, W.row[k], 0.5 * W.value[k] });
    }
  return compress_columns(m, m, entries);
}


std::vector<double> condensed_velocity(const BodyInverse &inverse,
                                       const ExchangeProblem &problem)
{
  std::vector<double> v = problem.f, q = problem.w;
  inverse.solve(v.data(), 1);
  add_transposed_product(problem.H, v.data(), q.data());
  return q;
}
} // namespace delassus
