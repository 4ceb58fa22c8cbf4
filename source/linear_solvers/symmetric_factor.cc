#include <delassus/linear_solvers/symmetric_factor.h>
#include <delassus/base/exceptions.h>

#include <cholmod.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

extern "C"
{
  // OpenBLAS's own, where that is the BLAS: blocks of a few dozen unknowns lose
  // by threads, and MPI ranks are the parallelism here.
  void openblas_set_num_threads(int) __attribute__((weak));
  void dpotrf_(const char *, const int *, double *, const int *, int *);
  void dpotri_(const char *, const int *, double *, const int *, int *);
  void dsymm_(const char *,
              const char *,
              const int *,
              const int *,
              const double *,
              const double *,
              const int *,
              const double *,
              const int *,
              const double *,
              double *,
              const int *);
}

namespace delassus
{
namespace
{
[[noreturn]] void not_positive_definite(const int row)
{
  throw ComputationError(fmt::format(
      "The effective matrix M + h theta V + h^2 theta^2 K is not positive "
      "definite (pivot {}). Check density and Young modulus (> 0), Poisson "
      "ratio (< 0.5) and cell shapes.",
      row));
}

class DenseInverse : public SymmetricFactor
{
public:
  explicit DenseInverse(const SymmetricMatrix &A)
      : size(A.n)
      , inverse(std::size_t(A.n) * A.n, 0.)
  {
    const int n = size;
    for (int column = 0; column < n; ++column)
      for (int k = A.column_start[column]; k < A.column_start[column + 1]; ++k)
        inverse[std::size_t(column) * n + A.row[k]] = A.value[k];
    int info = 0;
    dpotrf_("L", &n, inverse.data(), &n, &info);
    if (info != 0)
      not_positive_definite(info);
    dpotri_("L", &n, inverse.data(), &n, &info);
    if (info != 0)
      not_positive_definite(info);
    for (int column = 0; column < n; ++column)
      for (int row = column + 1; row < n; ++row)
        inverse[std::size_t(row) * n + column] =
            inverse[std::size_t(column) * n + row];
  }

  unsigned int n() const override
  {
    return size;
  }

  void solve(double *X, const unsigned int n_columns) override
  {
    work.resize(std::max(work.size(), std::size_t(size) * n_columns));
    const int n = size, m = n_columns;
    const double one = 1., zero = 0.;
    dsymm_("L",
           "L",
           &n,
           &m,
           &one,
           inverse.data(),
           &n,
           X,
           &n,
           &zero,
           work.data(),
           &n);
    std::copy_n(work.begin(), std::size_t(size) * n_columns, X);
  }

  std::size_t memory_consumption() const override
  {
    return (inverse.size() + work.size()) * sizeof(double);
  }

  const char *name() const override
  {
    return "dense inverse";
  }

private:
  const unsigned int size;
  std::vector<double> inverse, work;
};

class SparseCholesky : public SymmetricFactor
{
public:
  explicit SparseCholesky(const SymmetricMatrix &A)
      : size(A.n)
  {
    cholmod_start(&common);
    common.print        = 0;
    common.final_ll     = 1;
    std::size_t n_lower = 0;
    for (unsigned int column = 0; column < A.n; ++column)
      for (int k = A.column_start[column]; k < A.column_start[column + 1]; ++k)
        n_lower += A.row[k] >= int(column);
    cholmod_sparse *lower = cholmod_allocate_sparse(
        A.n, A.n, n_lower, 1, 1, -1, CHOLMOD_REAL, &common);
    int *p = static_cast<int *>(lower->p), *i = static_cast<int *>(lower->i);
    double *x = static_cast<double *>(lower->x);
    int count = 0;
    for (unsigned int column = 0; column < A.n; ++column)
    {
      p[column] = count;
      for (int k = A.column_start[column]; k < A.column_start[column + 1]; ++k)
        if (A.row[k] >= int(column))
        {
          i[count]   = A.row[k];
          x[count++] = A.value[k];
        }
    }
    p[A.n] = count;
    factor = cholmod_analyze(lower, &common);
    cholmod_factorize(lower, factor, &common);
    cholmod_free_sparse(&lower, &common);
    const int status = common.status;
    if (status != CHOLMOD_OK)
    {
      const int minor = factor ? int(factor->minor) : 0;
      release();
      if (status == CHOLMOD_NOT_POSDEF)
        not_positive_definite(minor);
      throw ComputationError(fmt::format(
          "CHOLMOD could not factor a matrix of {} unknowns (status {}{}).",
          size,
          status,
          status == CHOLMOD_OUT_OF_MEMORY ? ", out of memory" : ""));
    }
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
    constexpr unsigned int block = 64;
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
    return common.memory_inuse;
  }

  const char *name() const override
  {
    return "CHOLMOD";
  }

private:
  void release()
  {
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&workspace_Y, &common);
    cholmod_free_dense(&workspace_E, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }

  const unsigned int size;
  cholmod_common common      = {};
  cholmod_factor *factor     = nullptr;
  cholmod_dense *solution    = nullptr;
  cholmod_dense *workspace_Y = nullptr;
  cholmod_dense *workspace_E = nullptr;
};
} // namespace

std::unique_ptr<SymmetricFactor> factorize(const SymmetricMatrix &A,
                                           const unsigned int dense_limit)
{
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  if (A.n <= dense_limit)
    return std::make_unique<DenseInverse>(A);
  return std::make_unique<SparseCholesky>(A);
}
} // namespace delassus
