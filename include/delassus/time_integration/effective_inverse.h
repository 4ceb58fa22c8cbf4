#ifndef delassus_time_integration_effective_inverse_h
#define delassus_time_integration_effective_inverse_h

#include <delassus/bodies/piece_classes.h>
#include <delassus/linear_solvers/memory_budget.h>
#include <delassus/linear_solvers/symmetric_factor.h>

#include <functional>

namespace delassus
{
/// w = (M + h theta V + h^2 theta^2 K)^{-1} of one body, piece by piece: one
/// factor for each class of congruent pieces. A body that is split over ranks
/// has one factor, which they share: all functions are then collective, and
/// node numbers within a piece are those of the body. Driven dofs are
/// condensed: w is zero on their rows and columns. Hanging nodes follow the
/// others. K is that of the body, or a tangent whose values change: reinit()
/// again then; patterns and symbolic factors are kept.
///
/// Cheap replacements (METHOD: w may be approximate in a Newton loop): the
/// inverse of the lumped mass, and its two-term form
///   w = M^-1 - h^2 theta^2 M^-1 K M^-1.
template <int dim>
class EffectiveInverse final : public CarrierInverse<dim>
{
public:
  EffectiveInverse(const SolidBody<dim> &body,
                   const DrivenDofs<dim> &driven,
                   const PieceClasses &classes,
                   const LinearSolverParameters &solver    = {},
                   std::shared_ptr<MemoryBudget> budget_in = nullptr,
                   const Matrix *stiffness                 = nullptr);

  ~EffectiveInverse() override;

  /// V = rayleigh_mass M + rayleigh_stiffness K.
  void reinit(const double h, const double theta);

  /// Quasi-static: M = 0 and V = rayleigh_stiffness K, theta = 1,
  ///   w = (M_f + h V + h^2 K)^{-1},  M_f = h^2 f M,
  /// with the factor f (1/time^2) of each class: zero for pieces that their
  /// driven dofs hold, else a fictitious mass. See set_rigid_share() for the
  /// others.
  void reinit_quasi_static(const double h,
                           const std::vector<double> &fictitious,
                           const std::vector<double> &rigid_share = {},
                           const Vector *u                        = nullptr);

  /// After reinit_quasi_static(): in rigid motions of a class that its driven
  /// dofs leave free the fictitious mass is only this share of M_f. With the
  /// motions Phi (of pieces displaced by @p u), Phi^T M Phi = 1, K Phi = 0,
  ///   M_f = h^2 f [M - (1 - share) M Phi Phi^T M]
  ///   w   = (h^2 f M + h^2 K)^{-1} + (1/share - 1)/(h^2 f) Phi Phi^T.
  /// The matrix that is factorized is as well conditioned as with share = 1,
  /// and the rigid part of w is exact: a piece that is 1e8 times stiffer than
  /// what holds it meets no resistance that is due to rounding. Ranks together.
  void set_rigid_share(const std::vector<double> &share,
                       const Vector *u = nullptr);

  /// Whether some class has a share below 1, alike on all ranks. The effective
  /// matrix is then not the sparse one of for_each_entry().
  bool has_rigid_part() const
  {
    return with_rigid_part;
  }

  /// For those who need for_each_entry(): M_f = h^2 f share M, all of it in the
  /// factorized matrix, whatever its condition.
  bool sparse_only = false;

  /// M^-1 with the lumped mass (row sums), or the two-term form.
  void reinit_lumped(const double h, const double theta, const bool two_terms);

  /// Whether w is diagonal: M^-1.
  bool is_diagonal() const override
  {
    return diagonal_only;
  }

  /// Of a diagonal w: its value at a dof of this rank.
  double diagonal_value(const unsigned int dof) const
  {
    return is_condensed(dof) ? 0. : lumped[dof - dim * body.first_owned_node];
  }

  /// y = M' x, M' the mass term of the effective matrix.
  void mass_vmult(Vector &y, const Vector &x) const;

  /// x := w x on this rank's pieces.
  void apply(Vector &x);

  /// y = (M + h theta V + h^2 theta^2 K) x, not condensed.
  void effective_vmult(Vector &y, const Vector &x) const;

  /// Call add(row, column, value) for the entries of the effective matrix in
  /// the columns that this rank owns (numbers of the body's dofs), without the
  /// rows and columns of driven dofs and hanging nodes: w is its inverse.
  void for_each_entry(
      const std::function<void(unsigned int, unsigned int, double)> &add) const;

  /// No unknown of its own: driven, or of a hanging node.
  bool is_condensed(const unsigned int dof) const
  {
    return driven.is_driven(dof) || body.is_hanging(dof / dim);
  }

  // CarrierInverse, whose carriers are nodes:
  std::vector<double>
  compliance(const unsigned int class_index,
             const std::vector<unsigned int> &piece_nodes) override;
  void entries(const unsigned int class_index,
               const std::vector<unsigned int> &row_nodes,
               const std::vector<unsigned int> &column_nodes,
               double *E) override;
  unsigned int n_carriers(const unsigned int class_index) const override;
  double effective_diagonal(
      const unsigned int class_index,
      const std::vector<unsigned int> &piece_nodes) const override;
  double least_available() const override;

  bool has_class(const unsigned int class_index) const
  {
    return factors[body.split ? 0 : class_index] != nullptr;
  }

  SymmetricFactor &factor(const unsigned int class_index)
  {
    return *factors[body.split ? 0 : class_index];
  }

  /// Of all factors together.
  FactorWork factor_work() const;

  std::size_t memory_consumption() const;

  std::string description() const;

  /// What users should know of the last reinit(): solvers chosen for lack of
  /// memory.
  std::vector<std::string> notes;

  using CarrierInverse<dim>::budget;
  using CarrierInverse<dim>::version;

private:
  /// The solver asked for, or by size; multigrid where a factor does not fit.
  std::unique_ptr<SymmetricFactor> make_factor(const SymmetricMatrix &A,
                                               const unsigned int begin_node,
                                               const unsigned int end_node);

  /// The rigid-body motions of some nodes, zero at condensed dofs.
  std::vector<double> rigid_modes(const unsigned int begin_node,
                                  const unsigned int end_node) const;

  void apply_factors(Vector &x);
  void apply_shared(Vector &x);
  void apply_by_pieces(Vector &x);
  void give_back();
  SymmetricMatrix effective_matrix(const unsigned int begin_node,
                                   const unsigned int end_node) const;
  void factorize_classes();

  /// The effective matrix of a class with where its values come from: value =
  /// factor_K *from_K + factor_M *from_M, null: nothing; both null: 1 (a
  /// condensed dof). Kept as long as the matrices' patterns are.
  struct Assembled
  {
    SymmetricMatrix A;
    std::vector<const double *> from_K, from_M;
    std::vector<int> diagonal; ///< place of each column's diagonal
  };
  void find_sources(const unsigned int begin_node,
                    const unsigned int end_node,
                    Assembled &assembled) const;
  void fill_values(const double factor, Assembled &assembled) const;

  /// See set_rigid_share(): the motions of the piece that this rank has the
  /// factor of, or of all pieces of a split body at the dofs of this rank.
  struct RigidPart
  {
    unsigned int n = 0;
    std::vector<double> Phi, M_Phi;          ///< motion by motion
    double of_compliance = 0., of_mass = 0.; ///< factors of both products
  };
  void make_rigid_parts(const std::vector<double> &share, const Vector *u);

  /// y += s B B^T x, B either.
  void add_rigid_part(const std::vector<double> RigidPart::*B,
                      const double RigidPart::*s,
                      const Vector &x,
                      Vector &y) const;

  /// The same of w at some dofs of a class.
  void add_rigid_entries(const unsigned int class_index,
                         const std::vector<unsigned int> &rows,
                         const std::vector<unsigned int> &columns,
                         double *E) const;

  const SolidBody<dim> &body;
  const DrivenDofs<dim> &driven;
  const PieceClasses &classes;
  const Matrix &stiffness;
  const bool changing; ///< K is not the body's
  std::vector<Assembled> assembled;
  bool diagonal_only = false;
  std::vector<double> lumped; ///< reciprocal lumped masses of this rank's dofs
  std::vector<double> factor_M; ///< of M, per class
  double factor_K = 0.;         ///< of K
  const LinearSolverParameters solver;
  double bytes_taken = 0.;                               ///< of the budget
  std::vector<std::unique_ptr<SymmetricFactor>> factors; ///< per class
  std::vector<std::vector<double>> diagonals;
  std::vector<std::vector<unsigned int>> owned_pieces; ///< per class
  std::vector<double> block;
  std::vector<RigidPart> rigid; ///< per class
  bool with_rigid_part = false;
  Vector rigid_input;
  mutable Vector work;
};
} // namespace delassus

#endif
