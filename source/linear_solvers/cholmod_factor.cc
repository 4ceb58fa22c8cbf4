#include <delassus/linear_solvers/symmetric_factor.h>

#include <cholmod.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace delassus
{
namespace
{
class SparseCholesky : public SymmetricFactor
{
public:
  SparseCholesky(const SymmetricMatrix &A, const double bytes_allowed)
      : size(A.n)
  {
    cholmod_start(&common);
    common.print        = 0;
    common.final_ll     = 1;
    std::size_t n_lower = 0;
    for (unsigned int column = 0; column < A.n; ++column)
      for (int k = A.column_start[column]; k < A.column_start[column + 1]; ++k)
        n_lower += A.row[k] >= int(column);
    lower = cholmod_allocate_sparse(
        A.n, A.n, n_lower, 1, 1, -1, CHOLMOD_REAL, &common);
    int *p = static_cast<int *>(lower->p), *i = static_cast<int *>(lower->i);
    int count = 0;
    for (unsigned int column = 0; column < A.n; ++column)
    {
      p[column] = count;
      for (int k = A.column_start[column]; k < A.column_start[column + 1]; ++k)
        if (A.row[k] >= int(column))
          i[count++] = A.row[k];
    }
    p[A.n] = count;
    copy_values(A);
    // CHOLMOD's default strategy: AMD, then METIS if AMD leaves much fill.
    factor = cholmod_analyze(lower, &common);
    if (common.status == CHOLMOD_OK)
    {
      bytes = predicted_bytes();
      if (bytes > bytes_allowed)
      {
        release();
        throw MemoryLimitError(
            fmt::format("CHOLMOD's factor of {} unknowns", size),
            bytes,
            bytes_allowed);
      }
      cholmod_factorize(lower, factor, &common);
    }
    try
    {
      check();
    }
    catch (...)
    {
      release();
      throw;
    }
  }

  bool refactorize(const SymmetricMatrix &A) override
  {
    if (!lower)
      return false;
    copy_values(A);
    common.status = CHOLMOD_OK;
    cholmod_factorize(lower, factor, &common);
    check();
    return true;
  }

  ~SparseCholesky() override
  {
    release();
  }

  SparseCholesky(const SparseCholesky &)            = delete;
  SparseCholesky &operator=(const SparseCholesky &) = delete;

  unsigned int n() const override
  {
    return size;
  }

  void solve(double *X, const unsigned int n_columns) override
  {
    constexpr unsigned int block = right_hand_side_block;
    for (unsigned int first = 0; first < n_columns; first += block)
    {
      const unsigned int columns = std::min(block, n_columns - first);
      double *x                  = X + std::size_t(first) * size;
      cholmod_dense b            = {};
      b.nrow                     = size;
      b.ncol                     = columns;
      b.nzmax                    = std::size_t(size) * columns;
      b.d                        = size;
      b.x                        = x;
      b.xtype                    = CHOLMOD_REAL;
      b.dtype                    = CHOLMOD_DOUBLE;
      // solve2 keeps its workspaces (solution, Y, E) between calls.
      cholmod_solve2(CHOLMOD_A,
                     factor,
                     &b,
                     nullptr,
                     &solution,
                     nullptr,
                     &workspace_Y,
                     &workspace_E,
                     &common);
      std::memcpy(x, solution->x, b.nzmax * sizeof(double));
    }
  }

  std::size_t memory_consumption() const override
  {
    return std::max<double>(common.memory_inuse, bytes);
  }

  const char *name() const override
  {
    return "CHOLMOD";
  }

private:
  /// Known after the analysis: the factor with its indices, the largest update
  /// matrix, and the two workspaces of a block of right-hand sides.
  double predicted_bytes() const
  {
    const double values = factor->is_super
                              ? double(factor->xsize) + factor->maxcsize
                              : common.lnz;
    const double indices =
        factor->is_super ? double(factor->ssize) : common.lnz;
    return sizeof(double) *
               (values + 2. * double(size) * right_hand_side_block) +
           sizeof(int) * indices;
  }

  void copy_values(const SymmetricMatrix &A)
  {
    double *x = static_cast<double *>(lower->x);
    for (unsigned int column = 0; column < A.n; ++column)
      for (int k = A.column_start[column]; k < A.column_start[column + 1]; ++k)
        if (A.row[k] >= int(column))
          *x++ = A.value[k];
  }

  /// Throws if the last factorization failed.
  void check() const
  {
    const int status = common.status;
    if (status == CHOLMOD_OK)
      return;
    if (status == CHOLMOD_NOT_POSDEF)
      throw_not_positive_definite(
          fmt::format("pivot {}", factor ? int(factor->minor) : 0));
    throw ComputationError(fmt::format(
        "CHOLMOD could not factor a matrix of {} unknowns (status {}{}).",
        size,
        status,
        status == CHOLMOD_OUT_OF_MEMORY ? ", out of memory"
        : status == CHOLMOD_TOO_LARGE
            ? ", too large for 32-bit indices: choose Type = mumps or amg"
            : ""));
  }

  void release()
  {
    cholmod_free_sparse(&lower, &common);
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&workspace_Y, &common);
    cholmod_free_dense(&workspace_E, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }

  const unsigned int size;
  double bytes               = 0.; ///< workspaces of solve() included
  cholmod_common common      = {};
  cholmod_sparse *lower      = nullptr;
  cholmod_factor *factor     = nullptr;
  cholmod_dense *solution    = nullptr;
  cholmod_dense *workspace_Y = nullptr;
  cholmod_dense *workspace_E = nullptr;
};
} // namespace

std::unique_ptr<SymmetricFactor> make_cholmod_factor(const SymmetricMatrix &A,
                                                     const double bytes_allowed)
{
  return std::make_unique<SparseCholesky>(A, bytes_allowed);
}
} // namespace delassus
