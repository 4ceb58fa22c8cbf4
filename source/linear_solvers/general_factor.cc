#include <delassus/linear_solvers/general_factor.h>

#include <umfpack.h>

#include <algorithm>
#include <cmath>
#include <utility>

extern "C"
{
  void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
  void dgetrs_(const char *,
               const int *,
               const int *,
               const double *,
               const int *,
               const int *,
               double *,
               const int *,
               int *);
}

namespace delassus
{
struct GeneralFactor::Sparse
{
  void *symbolic = nullptr, *numeric = nullptr;
  double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
  std::vector<int> pattern_start, pattern_column; ///< of `symbolic`
  std::vector<int> wi;
  std::vector<double> w;

  Sparse()
  {
    umfpack_di_defaults(control);
    // Newton's method corrects what rounding leaves.
    control[UMFPACK_IRSTEP] = 0;
    // Rows and columns of contacts: the pattern is symmetric.
    control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
  }

  ~Sparse()
  {
    umfpack_di_free_symbolic(&symbolic);
    umfpack_di_free_numeric(&numeric);
  }
};

GeneralFactor::GeneralFactor()
    : sparse(std::make_unique<Sparse>())
{
}

GeneralFactor::~GeneralFactor() = default;

void GeneralFactor::merge_entries()
{
  std::vector<std::pair<int, double>> line;
  std::size_t n_entries = 0;
  int begin             = 0;
  for (std::size_t i = 0; i + 1 < row_start.size(); ++i)
  {
    line.clear();
    for (int k = begin; k < row_start[i + 1]; ++k)
      line.emplace_back(column[k], value[k]);
    std::sort(line.begin(),
              line.end(),
              [](const auto &x, const auto &y) { return x.first < y.first; });
    begin            = row_start[i + 1];
    const auto first = n_entries;
    for (const auto &[j, x] : line)
      if (n_entries > first && column[n_entries - 1] == j)
        value[n_entries - 1] += x;
      else
      {
        column[n_entries] = j;
        value[n_entries]  = x;
        ++n_entries;
      }
    row_start[i + 1] = n_entries;
  }
  column.resize(n_entries);
  value.resize(n_entries);
}

bool GeneralFactor::factorize()
{
  const int n = row_start.size() - 1;
  // A sparse factorization has a price for every entry of about a hundred
  // dense operations.
  const double dense_cost = 2. / 3. * n * n * double(n);
  dense                   = n <= 60 || dense_cost < 300. * value.size() + 2e5 ||
          value.size() > 0.25 * n * double(n);
  if (dense)
  {
    // Rows as columns: the transposed matrix is factorized.
    lu.assign(std::size_t(n) * n, 0.);
    pivot.resize(n);
    for (int i = 0; i < n; ++i)
      for (int k = row_start[i]; k < row_start[i + 1]; ++k)
        lu[std::size_t(i) * n + column[k]] += value[k];
    int info = 0;
    dgetrf_(&n, &n, lu.data(), &n, pivot.data(), &info);
    if (info != 0)
      return false;
    double smallest = std::abs(lu[0]), largest = 0.;
    for (int i = 0; i < n; ++i)
    {
      const double d = std::abs(lu[std::size_t(i) * n + i]);
      if (!(d <= 1e300))
        return false;
      smallest = std::min(smallest, d);
      largest  = std::max(largest, d);
    }
    return smallest > 0.;
  }
  Sparse &s = *sparse;
  if (s.symbolic == nullptr || s.pattern_start != row_start ||
      s.pattern_column != column)
  {
    umfpack_di_free_symbolic(&s.symbolic);
    if (umfpack_di_symbolic(n,
                            n,
                            row_start.data(),
                            column.data(),
                            value.data(),
                            &s.symbolic,
                            s.control,
                            s.info) != UMFPACK_OK)
      return false;
    s.pattern_start  = row_start;
    s.pattern_column = column;
  }
  umfpack_di_free_numeric(&s.numeric);
  const int status = umfpack_di_numeric(row_start.data(),
                                        column.data(),
                                        value.data(),
                                        s.symbolic,
                                        &s.numeric,
                                        s.control,
                                        s.info);
  return status == UMFPACK_OK;
}

void GeneralFactor::solve(double *x)
{
  const int n = row_start.size() - 1;
  if (dense)
  {
    const int one = 1;
    int info      = 0;
    dgetrs_("T", &n, &one, lu.data(), &n, pivot.data(), x, &n, &info);
    return;
  }
  Sparse &s = *sparse;
  work.resize(n);
  s.wi.resize(n);
  s.w.resize(5 * n);
  std::copy_n(x, n, work.data());
  umfpack_di_wsolve(UMFPACK_At,
                    row_start.data(),
                    column.data(),
                    value.data(),
                    x,
                    work.data(),
                    s.numeric,
                    s.control,
                    s.info,
                    s.wi.data(),
                    s.w.data());
}
} // namespace delassus
