#ifndef delassus_contact_global_solvers_standard_rows_h
#define delassus_contact_global_solvers_standard_rows_h

#include <delassus/contact/global_solvers/contact_result.h>
#include <delassus/contact/local_solvers/local_algebra.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/linear_solvers/symmetric_factor.h>
#include <delassus/parameters/parameters.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace delassus
{
/// A contact problem whose laws are shifts (calU = U + shift, calP = P), as the
/// methods that work on all contacts at once see it: the product with W, q, mu,
/// and a size D_a of each diagonal block, a velocity for an impulse.
///
/// Local form: block rows of W, D_a = tr W^{aa} / dim. Global form: H and A, W
/// by products only (its own, or those of the form), D_a = mean over the
/// components of sum_i H_ia^2 / A_ii, which is at most W^{aa} and does not see
/// the motion of bodies as a whole.
///
/// Inactive contacts, and those that no impulse can move, are `fixed`: P = 0.
template <int dim>
class StandardRows
{
public:
  /// Throws ComputationError, naming the contact, for an affine law (to be made
  /// standard before, see AffineSolve), for ghosts, or for Tresca's friction
  /// unless @p tresca.
  static void check(const ContactProblem<dim> &problem,
                    const std::vector<double> &P,
                    const char *method,
                    bool tresca);

  /// Storage of W is used in place if it is block sparse, otherwise its
  /// non-zero blocks are copied.
  void reinit(const ContactProblem<dim> &problem, bool global);

  /// Global form: D as in the local form, of the blocks that W knows.
  void take_block_sizes(const ContactProblem<dim> &problem);

  std::size_t n() const
  {
    return D.size();
  }

  bool is_global() const
  {
    return form != nullptr;
  }

  std::size_t n_blocks() const
  {
    return row_start[n()];
  }

  /// u = W r + q.
  void velocities(const double *r, double *u) const;

  /// The natural map of r, u = W r + q over all contacts in the measure of the
  /// errors: the unit-free one, or that of Siconos if @p siconos.
  double error(const std::vector<double> &r,
               const std::vector<double> &u,
               bool siconos) const;

  // Local form:
  const std::size_t *row_start = nullptr;
  const unsigned int *column   = nullptr;
  const double *blocks         = nullptr; ///< row-major

  const GlobalForm *form = nullptr; ///< global form, else null

  std::vector<double> q;         ///< standard free velocities
  std::vector<double> mu;        ///< friction
  std::vector<double> threshold; ///< Tresca's, or negative
  std::vector<double> D;
  std::vector<char> fixed;
  std::size_t n_immovable = 0, n_ill_posed = 0;
  ContactResult::IllPosed ill_posed; ///< the worst
  double g = 1., norm_q = 0.;        ///< of the errors

private:
  void read_laws(const ContactProblem<dim> &problem);
  void global_sizes();

  std::vector<std::size_t> own_start;
  std::vector<unsigned int> own_column;
  std::vector<double> own_blocks;
  const DelassusOperator<dim> *product = nullptr; ///< W, global form
  std::unique_ptr<SymmetricFactor> factor;        ///< of A, if there is no W
  mutable std::vector<double> work;
};

/// A compressed-column matrix with both triangles as the factorizations take
/// it.
SymmetricMatrix symmetric_matrix(const CompressedColumns &A);

/// Its factor; MemoryLimitError, before it is attempted, if it would take more
/// than @p limit bytes (0: a large part of the memory that is left).
std::unique_ptr<SymmetricFactor>
factorize_within_memory(const SymmetricMatrix &A, double limit);
} // namespace delassus

#endif
