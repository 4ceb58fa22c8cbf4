#include <delassus/linear_solvers/blas.h>
#include <delassus/linear_solvers/symmetric_factor.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
namespace
{
class DenseInverse : public SymmetricFactor
{
public:
  explicit DenseInverse(const SymmetricMatrix &A)
      : size(A.n)
  {
    refactorize(A);
  }

  bool refactorize(const SymmetricMatrix &A) override
  {
    inverse.assign(std::size_t(size) * size, 0.);
    const int n = size;
    for (int column = 0; column < n; ++column)
      for (int k = A.column_start[column]; k < A.column_start[column + 1]; ++k)
        inverse[std::size_t(column) * n + A.row[k]] = A.value[k];
    int info = 0;
    dpotrf_("L", &n, inverse.data(), &n, &info);
    if (info != 0)
      throw_not_positive_definite(fmt::format("pivot {}", info));
    dpotri_("L", &n, inverse.data(), &n, &info);
    if (info != 0)
      throw_not_positive_definite(fmt::format("pivot {}", info));
    for (int column = 0; column < n; ++column)
      for (int row = column + 1; row < n; ++row)
        inverse[std::size_t(row) * n + column] =
            inverse[std::size_t(column) * n + row];
    return true;
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

} // namespace

std::unique_ptr<SymmetricFactor> make_dense_inverse(const SymmetricMatrix &A,
                                                    const double bytes_allowed)
{
  const double bytes = sizeof(double) * double(A.n) * A.n;
  if (bytes > bytes_allowed)
    throw MemoryLimitError(fmt::format("The dense inverse of {} unknowns", A.n),
                           bytes,
                           bytes_allowed);
  return std::make_unique<DenseInverse>(A);
}
} // namespace delassus
