#ifndef delassus_linear_solvers_general_factor_h
#define delassus_linear_solvers_general_factor_h

#include <cstddef>
#include <memory>
#include <vector>

namespace delassus
{
/// LU factors of a square matrix without symmetry, given by compressed rows:
/// LAPACK's dense ones for small or full matrices, UMFPACK's sparse ones
/// otherwise. The arrays are filled by the user and kept from one matrix to the
/// next.
class GeneralFactor
{
public:
  GeneralFactor();
  ~GeneralFactor();
  GeneralFactor(const GeneralFactor &)            = delete;
  GeneralFactor &operator=(const GeneralFactor &) = delete;

  std::vector<int> row_start; ///< n + 1 values
  std::vector<int> column;
  std::vector<double> value;

  /// Sort the entries of each row and add those of the same column.
  void merge_entries();

  /// Factorize what the arrays hold. Returns false if the matrix is singular to
  /// working precision or not finite.
  bool factorize();

  /// x := A^{-1} x.
  void solve(double *x);

  bool is_dense() const
  {
    return dense;
  }

private:
  struct Sparse;
  bool dense = true;
  std::vector<double> lu;
  std::vector<int> pivot;
  std::unique_ptr<Sparse> sparse;
  std::vector<double> work;
};
} // namespace delassus

#endif
