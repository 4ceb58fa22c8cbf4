#ifndef delassus_linear_solvers_multigrid_multigrid_cg_h
#define delassus_linear_solvers_multigrid_multigrid_cg_h

#include <delassus/linear_solvers/symmetric_factor.h>

namespace delassus
{
/// Conjugate gradients preconditioned by algebraic multigrid (smoothed
/// aggregation, ML), one right-hand side after another, to a relative residual.
/// Takes a few times the memory of the matrix, whatever its fill would be.
struct MultigridOptions
{
  /// Unknowns of a node; consecutive.
  unsigned int n_components = 1;

  /// What the stiffness does not see, so that the coarse grids must: values of
  /// this rank's unknowns, one mode after another. Rigid-body motions for
  /// elasticity. Empty: constants of each component.
  std::vector<double> modes;

  bool higher_order           = false; ///< quadratic elements
  double tolerance            = 1e-10; ///< |A x - b| / |b|
  unsigned int max_iterations = 2000;
};

/// For a matrix that the ranks of @p communicator share, or that one rank has
/// alone (MPI_COMM_SELF). Collective. Solving throws ComputationError if A is
/// found not to be positive definite (conjugate gradients only see what the
/// right-hand side excites) or the tolerance is not reached.
std::unique_ptr<SymmetricFactor>
make_multigrid_cg(const SymmetricMatrix &A,
                  const MultigridOptions &options,
                  MPI_Comm communicator);
} // namespace delassus

#endif
