#ifndef delassus_time_integration_effective_inverse_h
#define delassus_time_integration_effective_inverse_h

#include <delassus/bodies/piece_classes.h>
#include <delassus/linear_solvers/memory_budget.h>
#include <delassus/linear_solvers/symmetric_factor.h>

namespace delassus
{
/// w = (M + h theta V + h^2 theta^2 K)^{-1} of one body, piece by piece: one
/// factor for each class of congruent pieces. Driven dofs are condensed: w is
/// zero on their rows and columns.
template <int dim>
class EffectiveInverse
{
public:
  EffectiveInverse(const SolidBody<dim> &body,
                   const DrivenDofs<dim> &driven,
                   const PieceClasses &classes,
                   const LinearSolverParameters &solver    = {},
                   std::shared_ptr<MemoryBudget> budget_in = nullptr);

  ~EffectiveInverse();

  /// V = rayleigh_mass M + rayleigh_stiffness K.
  void reinit(const double h, const double theta);

  /// Quasi-static: M = 0 and V = rayleigh_stiffness K, theta = 1,
  ///   w = (M_f + h V + h^2 K)^{-1},  M_f = h^2 f M,
  /// with the factor f (1/time^2) of each class: zero for pieces that their
  /// driven dofs hold, else a fictitious mass.
  void reinit_quasi_static(const double h,
                           const std::vector<double> &fictitious);

  /// y = M' x, M' the mass term of the effective matrix.
  void mass_vmult(Vector &y, const Vector &x) const;

  /// x := w x on this rank's pieces.
  void apply(Vector &x);

  /// y = (M + h theta V + h^2 theta^2 K) x, not condensed.
  void effective_vmult(Vector &y, const Vector &x) const;

  /// w restricted to the dofs of some nodes of the representative piece of a
  /// class (numbers within the piece), row-major, dim*n x dim*n. Only on ranks
  /// that own a piece of the class.
  std::vector<double> compliance(const unsigned int class_index,
                                 const std::vector<unsigned int> &piece_nodes);

  /// Mean diagonal of the effective matrix at the given nodes of a class.
  double effective_diagonal(const unsigned int class_index,
                            const std::vector<unsigned int> &piece_nodes) const;

  bool has_class(const unsigned int class_index) const
  {
    return factors[class_index] != nullptr;
  }

  std::size_t memory_consumption() const;

  std::string description() const;

  /// What users should know of the last reinit(): solvers chosen for lack of
  /// memory.
  std::vector<std::string> notes;

  /// What factors and compliances may take; shared by all bodies.
  const std::shared_ptr<MemoryBudget> budget;

private:
  /// The solver asked for, or by size; multigrid where a factor does not fit.
  std::unique_ptr<SymmetricFactor> make_factor(const SymmetricMatrix &A,
                                               const unsigned int piece);

  /// The rigid-body motions of a piece, zero at driven dofs.
  std::vector<double> rigid_modes(const unsigned int piece) const;

  void give_back();
  SymmetricMatrix effective_matrix(const unsigned int piece) const;
  void factorize_classes();

  const SolidBody<dim> &body;
  const DrivenDofs<dim> &driven;
  const PieceClasses &classes;
  std::vector<double> factor_M; ///< of M, per class
  double factor_K = 0.;         ///< of K
  const LinearSolverParameters solver;
  double bytes_taken = 0.;                               ///< of the budget
  std::vector<std::unique_ptr<SymmetricFactor>> factors; ///< per class
  std::vector<std::vector<double>> diagonals;
  std::vector<std::vector<unsigned int>> owned_pieces; ///< per class
  std::vector<double> block;
  mutable Vector work;
};
} // namespace delassus

#endif
