#include <delassus/base/assert.h>
#include <delassus/linear_solvers/symmetric_factor.h>

#include <fmt/format.h>

#include <algorithm>

extern "C"
{
  // OpenBLAS's own, where that is the BLAS: blocks of a few dozen unknowns lose
  // by threads, and MPI ranks are the parallelism here.
  void openblas_set_num_threads(int) __attribute__((weak));
}

namespace delassus
{
#ifdef DELASSUS_DEBUG
namespace
{
/// Columns that begin one after another, rows that ascend and exist.
bool has_pattern(const SymmetricMatrix &A)
{
  if (A.column_start.size() != A.n + 1u || A.column_start.front() != 0 ||
      A.column_start.back() != static_cast<int>(A.row.size()) ||
      A.row.size() != A.value.size())
    return false;
  for (unsigned int j = 0; j < A.n; ++j)
    for (int k = A.column_start[j]; k < A.column_start[j + 1]; ++k)
      if (A.row[k] < 0 || A.row[k] >= static_cast<int>(A.n) ||
          (k > A.column_start[j] && A.row[k] <= A.row[k - 1]))
        return false;
  return true;
}
} // namespace
#endif

MemoryLimitError::MemoryLimitError(const std::string &what_needs_it,
                                   const double bytes_needed,
                                   const double bytes_allowed)
    : ComputationError(fmt::format(
          "{} would take {:.3g} GiB, more than the {:.3g} GiB left to it. "
          "Raise "
          "the memory limit (section 'Linear solver', entry 'Memory limit'), "
          "choose Type = amg there, or use more ranks.",
          what_needs_it,
          bytes_needed / (1 << 30),
          bytes_allowed / (1 << 30)))
    , needed(bytes_needed)
    , allowed(bytes_allowed)
{
}

void throw_not_positive_definite(const std::string &where)
{
  throw NotPositiveDefinite(fmt::format(
      "The effective matrix M + h theta V + h^2 theta^2 K is not positive "
      "definite ({}). Check density and Young modulus (> 0), Poisson "
      "ratio (< 0.5) and cell shapes.",
      where));
}

void SymmetricFactor::inverse_entries(const std::vector<unsigned int> &rows,
                                      const std::vector<unsigned int> &columns,
                                      double *E)
{
  const std::size_t size = n();
  for (std::size_t begin = 0; begin < columns.size();
       begin += right_hand_side_block)
  {
    const std::size_t count =
        std::min<std::size_t>(right_hand_side_block, columns.size() - begin);
    block.assign(size * count, 0.);
    for (std::size_t k = 0; k < count; ++k)
    {
      DELASSUS_ASSERT(columns[begin + k] < size, "a column of the matrix");
      block[k * size + columns[begin + k]] = 1.;
    }
    solve(block.data(), count);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < rows.size(); ++i)
        E[i + (begin + k) * rows.size()] = block[k * size + rows[i]];
  }
  if (block.size() > (std::size_t(1) << 20))
    block = std::vector<double>();
}

std::unique_ptr<SymmetricFactor> factorize(const SymmetricMatrix &A,
                                           const unsigned int dense_limit,
                                           const LinearSolverType type,
                                           const double bytes_allowed)
{
  DELASSUS_ASSERT(has_pattern(A), "compressed columns, rows ascending");
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  switch (type)
  {
    case LinearSolverType::dense:
      return make_dense_inverse(A, bytes_allowed);
    case LinearSolverType::mumps:
      return make_mumps_factor(A, bytes_allowed, MPI_COMM_SELF);
    case LinearSolverType::automatic:
      if (A.n <= dense_limit)
        return make_dense_inverse(A, bytes_allowed);
      return make_cholmod_factor(A, bytes_allowed);
    default:
      return make_cholmod_factor(A, bytes_allowed);
  }
}
} // namespace delassus
