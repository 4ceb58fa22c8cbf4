#ifndef delassus_linear_solvers_bordered_factor_h
#define delassus_linear_solvers_bordered_factor_h

#include <delassus/linear_solvers/symmetric_factor.h>

namespace delassus
{
/// The Cholesky factor of a matrix whose last columns, its border b, are
/// eliminated after all others, i:
///   L = ( L_i    0   )      L_b L_b^T = A_bb - A_bi A_ii^{-1} A_ib.
///       ( L_bi   L_b )
/// For what belongs to A_ii alone, half of a solution does.
class BorderedFactor : public SymmetricFactor
{
public:
  /// Whether the border is where it should be. CHOLMOD may put it elsewhere if
  /// the inner part is in pieces; nothing below may be called then.
  virtual bool has_border() const = 0;

  /// L_b, column by column, zero above the diagonal.
  virtual void border(std::vector<double> &L_b) const = 0;

  /// X := L^{-1} X in an order of its own in which b is last.
  virtual void solve_lower(double *X, const unsigned int n_columns) = 0;

  /// X := L^{-T} X, from that order.
  virtual void solve_upper(double *X, const unsigned int n_columns) = 0;

  /// E = (A_ii^{-1})(rows, columns), and column by column of Y_b the last rows
  /// of L^{-1} at the unit vectors of the columns, -L_b^{-1} A_bi A_ii^{-1}. No
  /// rows: Y_b only.
  virtual void inner_entries(const std::vector<unsigned int> &rows,
                             const std::vector<unsigned int> &columns,
                             double *E,
                             double *Y_b) = 0;
};

/// The last @p n_border columns of @p A are its border.
std::unique_ptr<BorderedFactor>
make_bordered_factor(const SymmetricMatrix &A,
                     const double bytes_allowed,
                     const unsigned int n_border);
} // namespace delassus

#endif
