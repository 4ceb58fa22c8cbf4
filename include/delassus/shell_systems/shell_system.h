#ifndef delassus_shell_systems_shell_system_h
#define delassus_shell_systems_shell_system_h

#include <delassus/shell_systems/shell_skin.h>
#include <delassus/systems/system.h>

#include <mpi.h>

namespace delassus
{
/// Shells as a system: each connected sheet is a piece, stepped by the rank
/// that owns it, in the Newton loop with its tangent or another matrix, or
/// explicitly (CorrectingMatrix). Contact acts on positions and directors, in
/// the configuration that it has been found in. Ranks share the work on quads,
/// which does not change results.
/// All ranks know the meshes of all pieces, and, where there are several ranks,
/// the directors that contact impulses turn.
class ShellSystem : public System<3>, private CarrierInverse<3>
{
public:
  struct Given
  {
    std::unique_ptr<ShellModel> model; ///< connected; set_up() has been called
    ShellPieceSettings settings;
  };

  /// @p fictitious_share: of section Time, for quasi-static steps of pieces
  /// that nothing holds.
  ShellSystem(const std::string &name,
              std::vector<Given> given,
              const bool quasi_static,
              const double fictitious_share,
              const LinearSolverParameters &solver,
              std::shared_ptr<MemoryBudget> budget,
              MPI_Comm communicator,
              const NewtonParameters &newton = {});
  ~ShellSystem() override;

  unsigned int n_pieces() const
  {
    return pieces.size();
  }
  /// A piece. Its state is known to the rank that owns it.
  const ShellPiece &piece(const unsigned int p) const
  {
    return *pieces[p];
  }
  bool owns(const unsigned int p) const
  {
    return skin_.piece_owner(p) == rank;
  }

  const ShellSkin &skin() const override
  {
    return skin_;
  }
  /// Explicit steps are linear: forces are those of the beginning.
  bool is_linear() const override
  {
    return is_explicit();
  }
  bool has_finite_motion() const override
  {
    return true;
  }
  void set_contact_configuration(const bool iterate) override;
  void carrier_values(const CarrierField field,
                      const std::vector<unsigned int> &carriers,
                      double *values) const override;
  void set_contact_impulse(const std::vector<unsigned int> &carriers,
                           const double *impulses) override;
  void respond(const std::vector<unsigned int> &carriers,
               const double *impulses) override;
  void shift_free_velocity(const std::vector<unsigned int> &carriers,
                           const double *impulses) override;
  bool is_prescribed(const unsigned int carrier,
                     const unsigned int c) const override;

  CarrierInverse<3> &inverse() override
  {
    return *this;
  }
  const PieceClasses &piece_classes() const override
  {
    return classes;
  }
  std::size_t factor_memory() const override;
  FactorWork factor_work() const override;
  std::string describe_solver() const override;
  std::size_t n_unknowns() const override
  {
    return first_unknown.back();
  }
  bool is_sparse() const override
  {
    return newton.matrix != CorrectingMatrix::two_term;
  }
  void for_each_entry(
      const std::function<void(std::size_t, std::size_t, double)> &add)
      const override;
  void for_each_unknown(
      const unsigned int carrier,
      const unsigned int c,
      const std::function<void(std::size_t, double)> &add) const override;

  /// Secants of directors as rates about the axes of the iterate: but for what
  /// the squares of the angles in a step are.
  void for_each_velocity(const std::function<void(std::size_t, double, double)>
                             &add) const override;

  void set_step(const double h) override;
  double step_size() const override
  {
    return h;
  }
  void start(const double) override
  {
  }
  void begin_step(const double t, const bool from_rest) override;
  bool evaluate(const unsigned int k,
                const bool with_tangent,
                const bool slow) override;
  std::string trouble() const override
  {
    return what_is_wrong;
  }
  bool has_new_tangent() const override
  {
    return tangent_is_new;
  }
  bool update_inverse(const double shift, const bool anew) override;
  FrequencyBound frequency_bound() override;
  void free_velocity() override;
  bool correct() override;
  void halve_correction() override;
  bool end_step() override;
  ImpulseNorms norms() const override;
  double largest_strain_increment() const override;
  void note_iterations(const unsigned int k) override;
  EnergyTerms accept() override;
  double kinetic_energy() const override;
  double zero_velocity() override;

  // What closed contacts hold, as far as a point and its antagonist are of one
  // piece and of neighbouring elements.
  bool can_be_held() const override
  {
    return !by_mass();
  }
  void add_held_stiffness(const unsigned int carrier,
                          const unsigned int other,
                          const dealii::Tensor<2, 3> &block) override;
  void add_held_impulse(const unsigned int carrier,
                        const dealii::Tensor<1, 3> &force) override;

  bool make_heavier() override;
  bool is_free(const unsigned int piece) const override
  {
    return pieces[piece]->is_free();
  }
  double piece_stiffness(const unsigned int piece) const override
  {
    return pieces[piece]->frequency_squared() * pieces[piece]->mass();
  }
  bool update_rigid_share() override
  {
    remake = true; // the next matrix knows it
    return false;
  }
  void keep_sparse() override
  {
  }
  void
  add_loads_of_pieces(double *sums,
                      std::vector<RigidMotions<3>> &motions) const override;

  void save_state(Archive &archive) const override;
  std::unique_ptr<SavedState> read_state(Archive &archive) const override;
  bool is_same(const SavedState &saved) const override;
  void load_state(const SavedState &saved) override;
  std::string
  load_matching(const std::vector<std::unique_ptr<SavedState>> &parts) override;
  void archive(Archive &archive) override;
  void forget() override;

private:
  // Of CarrierInverse.
  unsigned int n_carriers(const unsigned int piece) const override
  {
    return pieces[piece]->n_carriers();
  }
  std::vector<double>
  compliance(const unsigned int class_index,
             const std::vector<unsigned int> &carriers) override;
  void entries(const unsigned int class_index,
               const std::vector<unsigned int> &rows,
               const std::vector<unsigned int> &columns,
               double *E) override;
  double
  effective_diagonal(const unsigned int class_index,
                     const std::vector<unsigned int> &carriers) const override
  {
    return pieces[class_index]->effective_diagonal(carriers);
  }
  /// Positions and directors are pieces of their own to W; not at folds, where
  /// the directors of a node turn with each other. Their 3 x 3 entries are
  /// those of compliance().
  bool is_diagonal() const override
  {
    return diagonal;
  }
  double least_available() const override
  {
    return this->budget->available();
  }

  void hand_on(const ShellPiece::Impulses kind,
               const std::vector<unsigned int> &carriers,
               const double *impulses);

  bool by_mass() const
  {
    return newton.matrix == CorrectingMatrix::lumped ||
           newton.matrix == CorrectingMatrix::two_term || is_explicit();
  }
  bool is_explicit() const
  {
    return newton.matrix == CorrectingMatrix::explicit_;
  }
  bool wants_tangent(const unsigned int k, const bool slow) const;

  /// Evaluate all pieces, by their owners and those who help them. Returns
  /// whether all have an answer.
  template <typename Evaluate>
  bool evaluate_pieces(const Evaluate &evaluate);

  /// Directors and axes of pieces of other ranks.
  void share_arms();

  /// Squared frequency of the fictitious mass of a piece.
  double fictitious(const unsigned int piece, const double shift) const;

  ShellSkin skin_;
  std::vector<std::unique_ptr<ShellPiece>> pieces;
  MPI_Comm communicator;
  const unsigned int n_ranks, rank;
  const bool quasi_static;
  const double fictitious_share;
  const LinearSolverParameters solver;
  const NewtonParameters newton;
  bool any_folds = false, diagonal = false; ///< w is
  std::vector<unsigned int> own;
  PieceClasses classes;
  std::vector<std::size_t> first_unknown;
  double h           = 0.;
  double h_of_matrix = 0.; ///< 0: none
  bool has_tangent = false, tangent_is_new = false, remake = false;
  bool starts_from_rest              = false; ///< the step
  unsigned int matrix_steps          = 0;     ///< since the tangent was renewed
  double frequency                   = 0.;    ///< estimate of the highest one
  unsigned int steps_since_frequency = 0;
  /// Quasi-static: multiplies the fictitious mass of pieces that nothing holds.
  double mass_scale  = 1e-3;
  double bytes_taken = 0.; ///< of the budget
  std::string what_is_wrong;
};
} // namespace delassus

#endif
