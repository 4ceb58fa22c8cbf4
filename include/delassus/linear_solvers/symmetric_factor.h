#ifndef delassus_linear_solvers_symmetric_factor_h
#define delassus_linear_solvers_symmetric_factor_h

#include <cstddef>
#include <memory>
#include <vector>

namespace delassus
{
/// A symmetric positive definite matrix as compressed columns with both
/// triangles present, rows of a column ascending.
struct SymmetricMatrix
{
  unsigned int n = 0;
  std::vector<int> column_start;
  std::vector<int> row;
  std::vector<double> value;
};

/// The inverse of such a matrix, applied to blocks of right-hand sides.
class SymmetricFactor
{
public:
  virtual ~SymmetricFactor() = default;

  virtual unsigned int n() const = 0;

  /// X := A^{-1} X for @p n_columns columns of length n, one after another.
  virtual void solve(double *X, const unsigned int n_columns) = 0;

  virtual std::size_t memory_consumption() const = 0;

  virtual const char *name() const = 0;
};

/// The explicit dense inverse (blocks of a few nodes: applying it is one
/// matrix product) up to @p dense_limit unknowns, CHOLMOD's sparse Cholesky
/// factor above. Throws ComputationError if A is not positive definite.
std::unique_ptr<SymmetricFactor>
factorize(const SymmetricMatrix &A, const unsigned int dense_limit = 250);
} // namespace delassus

#endif
