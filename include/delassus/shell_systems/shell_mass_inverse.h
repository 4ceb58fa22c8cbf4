#ifndef delassus_shell_systems_shell_mass_inverse_h
#define delassus_shell_systems_shell_mass_inverse_h

#include <delassus/linear_solvers/symmetric_factor.h>

#include <functional>

namespace delassus
{
/// D = M^-1 of a lumped mass as inverse: one number for each translation and
/// each rotation about a tangent, a block of up to three where a node has
/// several directors; or D - D A D with a sparse A.
class ShellMassInverse : public SymmetricFactor
{
public:
  /// Forget all blocks.
  void clear();

  /// M of the next unknowns, as many as it has rows. Throws
  /// NotPositiveDefinite.
  void add_block(const unsigned int n, const double (&M)[3][3]);

  /// Two terms: A = @p factor K. Its values are copied.
  void set_stiffness(const SymmetricMatrix &K, const double factor);

  unsigned int n() const override
  {
    return first.size();
  }
  void solve(double *X, const unsigned int n_columns) override;
  void inverse_entries(const std::vector<unsigned int> &rows,
                       const std::vector<unsigned int> &columns,
                       double *E) override;
  std::size_t memory_consumption() const override;
  const char *name() const override
  {
    return two_terms ? "two terms of the lumped mass" : "lumped mass";
  }

  /// D, whose entry is zero outside of the blocks, and M.
  double inverse(const unsigned int row, const unsigned int column) const
  {
    return value(D, row, column);
  }
  double mass(const unsigned int row, const unsigned int column) const
  {
    return value(M, row, column);
  }
  /// y = M x, y = D x; y may not be x.
  void multiply_mass(const double *x, double *y) const
  {
    multiply(M, x, y);
  }
  void multiply_inverse(const double *x, double *y) const
  {
    multiply(D, x, y);
  }
  void for_each_mass(
      const std::function<void(unsigned int, unsigned int, double)> &add) const;

private:
  double value(const std::vector<double> &blocks,
               const unsigned int row,
               const unsigned int column) const
  {
    return first[row] == first[column]
               ? blocks[start[row] + column - first[row]]
               : 0.;
  }
  void
  multiply(const std::vector<double> &blocks, const double *x, double *y) const;

  // Of each unknown: the first one of its block, how many there are, and where
  // its row begins.
  std::vector<unsigned int> first, size, start;
  std::vector<double> M, D;
  bool two_terms = false;
  SymmetricMatrix A;
  std::vector<double> scaled, product;
};
} // namespace delassus

#endif
