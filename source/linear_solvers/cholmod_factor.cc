#include <delassus/linear_solvers/bordered_factor.h>
#include <delassus/linear_solvers/supernodal_entries.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

extern "C"
{
  // The OpenMP runtime's, where CHOLMOD was built with it.
  int omp_get_max_active_levels() __attribute__((weak));
  void omp_set_max_active_levels(int) __attribute__((weak));
}

namespace delassus
{
namespace
{
/// CHOLMOD adds up updates of supernodes with four OpenMP threads, whatever
/// OMP_NUM_THREADS says: on as many cores as ranks, waking them takes as long
/// as all else in the factorization. Parallelism is by ranks here.
struct OneThread
{
  OneThread()
  {
    if (omp_get_max_active_levels && omp_set_max_active_levels)
    {
      levels = omp_get_max_active_levels();
      omp_set_max_active_levels(0);
    }
  }

  ~OneThread()
  {
    if (levels >= 0)
      omp_set_max_active_levels(levels);
  }

  OneThread(const OneThread &)            = delete;
  OneThread &operator=(const OneThread &) = delete;

  int levels = -1;
};

class SparseCholesky : public BorderedFactor
{
public:
  SparseCholesky(const SymmetricMatrix &A,
                 const double bytes_allowed,
                 const bool bordered,
                 const unsigned int n_border)
      : size(A.n)
      , n_border(n_border)
  {
    cholmod_start(&common);
    common.print    = 0;
    common.final_ll = 1;
    if (bordered)
      common.supernodal = CHOLMOD_SUPERNODAL;
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
    factor =
        n_border == 0 ? cholmod_analyze(lower, &common) : analyze_with_border();
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
      factorize_numerically();
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
    factorize_numerically();
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
    solve_system(CHOLMOD_A, X, n_columns);
  }

  bool has_border() const override
  {
    const int *order = static_cast<const int *>(factor->Perm);
    bool in_order    = true;
    for (unsigned int i = size - n_border; i < size && in_order; ++i)
      in_order = order[i] == int(i);
    return in_order;
  }

  void border(std::vector<double> &L_b) const override
  {
    L_b.assign(std::size_t(n_border) * n_border, 0.);
    copy_last_block(*factor, n_border, L_b.data());
  }

  void solve_lower(double *X, const unsigned int n_columns) override
  {
    solve_system(CHOLMOD_P, X, n_columns);
    solve_system(CHOLMOD_L, X, n_columns);
  }

  void solve_upper(double *X, const unsigned int n_columns) override
  {
    solve_system(CHOLMOD_Lt, X, n_columns);
    solve_system(CHOLMOD_Pt, X, n_columns);
  }

  void inner_entries(const std::vector<unsigned int> &rows,
                     const std::vector<unsigned int> &columns,
                     double *E,
                     double *Y_b) override
  {
    if (!entries_known)
      entries.reinit(*factor);
    entries_known = true;
    entries.compute(*factor, n_border, rows, columns, E, Y_b);
  }

  void inverse_entries(const std::vector<unsigned int> &rows,
                       const std::vector<unsigned int> &columns,
                       double *E) override
  {
    // Factors with little to do are not supernodal.
    if (!factor->is_super)
    {
      SymmetricFactor::inverse_entries(rows, columns, E);
      return;
    }
    if (!entries_known)
      entries.reinit(*factor);
    entries_known = true;
    entries.compute(*factor, 0, rows, columns, E, nullptr);
  }

  double work() const override
  {
    return common.fl;
  }

  double n_values() const override
  {
    return common.lnz;
  }

  std::size_t memory_consumption() const override
  {
    return std::max<double>(common.memory_inuse, bytes) +
           entries.memory_consumption();
  }

  const char *name() const override
  {
    return "CHOLMOD";
  }

private:
  void solve_system(const int system, double *X, const unsigned int n_columns)
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
      cholmod_solve2(system,
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

  /// The order of the first columns is found without the others, which follow.
  cholmod_factor *analyze_with_border()
  {
    const unsigned int n_first = size - n_border;
    const int *p               = static_cast<int *>(lower->p),
              *i               = static_cast<int *>(lower->i);
    std::vector<int> order(size);
    std::iota(order.begin(), order.end(), 0);
    if (n_first > 0)
    {
      cholmod_sparse *leading = cholmod_allocate_sparse(
          n_first, n_first, p[n_first], 1, 1, -1, CHOLMOD_PATTERN, &common);
      int *to_p = static_cast<int *>(leading->p),
          *to_i = static_cast<int *>(leading->i), count = 0;
      for (unsigned int column = 0; column < n_first; ++column)
      {
        to_p[column] = count;
        for (int k = p[column]; k < p[column + 1]; ++k)
          if (i[k] < int(n_first))
            to_i[count++] = i[k];
      }
      to_p[n_first] = count;
      // Nested dissection pays for matrices that are not small.
      if (n_first > 2000)
        cholmod_metis(leading, nullptr, 0, true, order.data(), &common);
      else
        cholmod_amd(leading, nullptr, 0, order.data(), &common);
      cholmod_free_sparse(&leading, &common);
    }
    common.nmethods           = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    return cholmod_analyze_p(lower, order.data(), nullptr, 0, &common);
  }

  void copy_values(const SymmetricMatrix &A)
  {
    double *x = static_cast<double *>(lower->x);
    for (unsigned int column = 0; column < A.n; ++column)
      for (int k = A.column_start[column]; k < A.column_start[column + 1]; ++k)
        if (A.row[k] >= int(column))
          *x++ = A.value[k];
  }

  void factorize_numerically()
  {
    const OneThread one_thread;
    cholmod_factorize(lower, factor, &common);
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

  const unsigned int size, n_border;
  double bytes               = 0.; ///< workspaces of solve() included
  cholmod_common common      = {};
  cholmod_sparse *lower      = nullptr;
  cholmod_factor *factor     = nullptr;
  cholmod_dense *solution    = nullptr;
  cholmod_dense *workspace_Y = nullptr;
  cholmod_dense *workspace_E = nullptr;
  SupernodalEntries entries;
  bool entries_known = false; ///< its tree
};
} // namespace

std::unique_ptr<SymmetricFactor> make_cholmod_factor(const SymmetricMatrix &A,
                                                     const double bytes_allowed)
{
  return std::make_unique<SparseCholesky>(A, bytes_allowed, false, 0);
}

std::unique_ptr<BorderedFactor>
make_bordered_factor(const SymmetricMatrix &A,
                     const double bytes_allowed,
                     const unsigned int n_border)
{
  return std::make_unique<SparseCholesky>(A, bytes_allowed, true, n_border);
}
} // namespace delassus
