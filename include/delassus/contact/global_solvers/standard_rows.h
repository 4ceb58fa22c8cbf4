#ifndef delassus_contact_global_solvers_standard_rows_h
#define delassus_contact_global_solvers_standard_rows_h

#include <delassus/contact/local_solvers/local_algebra.h>
#include <delassus/contact/problem/contact_problem.h>

#include <cstddef>
#include <vector>

namespace delassus
{
/// A contact problem whose laws are shifts (calU = U + shift, calP = P), as the
/// methods that work on all contacts at once see it: block rows of W, q, mu,
/// and a size D_a = tr W^{aa} / dim of each diagonal block.
///
/// Inactive contacts, and those that no impulse can move, are `fixed`: P = 0.
template <int dim>
class StandardRows
{
public:
  /// Whether all active laws are shifts.
  static bool supports(const ContactProblem<dim> &problem);

  /// W must have no ghosts. Its storage is used in place if it is block sparse,
  /// otherwise its non-zero blocks are copied.
  void reinit(const ContactProblem<dim> &problem);

  std::size_t n() const
  {
    return D.size();
  }

  std::size_t n_blocks() const
  {
    return row_start[n()];
  }

  /// u = W r + q; returns nothing.
  void velocities(const double *r, double *u) const;

  const std::size_t *row_start = nullptr;
  const unsigned int *column   = nullptr;
  const double *blocks         = nullptr; ///< row-major

  std::vector<double> q;         ///< standard free velocities
  std::vector<double> mu;        ///< friction
  std::vector<double> threshold; ///< Tresca's, or negative
  std::vector<double> D;
  std::vector<char> fixed;
  std::size_t n_fixed = 0, n_immovable = 0;
  double g = 1., norm_q = 0.; ///< of the errors

private:
  std::vector<std::size_t> own_start;
  std::vector<unsigned int> own_column;
  std::vector<double> own_blocks;
};
} // namespace delassus

#endif
