#ifndef delassus_rigid_bodies_rigid_system_h
#define delassus_rigid_bodies_rigid_system_h

#include <delassus/rigid_bodies/rigid_skin.h>
#include <delassus/systems/system.h>

#include <mpi.h>

namespace delassus
{
/// Rigid bodies as a system: each is a piece, stepped by the rank that owns it.
/// Contact acts on the carriers of the configuration that it has been found in:
/// the shifted one, or, in a Newton loop, that of the iterate.
///
/// In the plane, of balls, and about one fixed axis a body's equations are
/// linear in its velocities; bodies that tumble are not, and take the step into
/// a Newton loop.
template <int dim>
class RigidSystem : public System<dim>, private CarrierInverse<dim>
{
public:
  using Body          = RigidBody<dim>;
  using Configuration = typename Body::Configuration;
  using Velocity      = typename Body::Velocity;

  struct Given
  {
    RigidBodySettings<dim> settings;
    std::shared_ptr<const Shape<dim>> shape;
    double thickness      = 1.; ///< in the plane
    bool may_be_candidate = true;
  };

  /// @p fictitious_share: of section Time, for quasi-static steps.
  RigidSystem(const std::vector<Given> &given,
              const bool quasi_static,
              const double fictitious_share,
              std::shared_ptr<MemoryBudget> budget,
              MPI_Comm communicator);

  unsigned int n_bodies() const
  {
    return bodies.size();
  }
  /// A body. Its state is known to the rank that owns it.
  const Body &body(const unsigned int b) const
  {
    return bodies[b];
  }
  bool owns(const unsigned int b) const
  {
    return skin_.piece_owner(b) == rank;
  }

  /// Quasi-statically: what the fictitious mass of a body is made of, before
  /// shares: a stiffness against translations and one against rotations.
  void set_fictitious(const unsigned int b,
                      const double translations,
                      const double rotations);

  /// Bodies without free or driven components have no velocity, whatever they
  /// had in another stage of the run. Returns whether there are such.
  bool rest_unless_free();

  /// Places, rotation vectors, velocities and impulses of all bodies at the end
  /// of the last step, on all ranks: n values each.
  struct Motions
  {
    std::vector<double> displacement, velocity, impulse;
  };
  Motions gather_motions() const;

  const Skin<dim> &skin() const override
  {
    return skin_;
  }
  bool is_linear() const override
  {
    return linear;
  }
  bool has_finite_motion() const override
  {
    return false;
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

  CarrierInverse<dim> &inverse() override
  {
    return *this;
  }
  const PieceClasses &piece_classes() const override
  {
    return classes;
  }
  std::size_t factor_memory() const override;
  std::string describe_solver() const override;
  std::size_t n_unknowns() const override
  {
    return first_unknown.back();
  }
  bool is_sparse() const override
  {
    return true;
  }
  void for_each_entry(
      const std::function<void(std::size_t, std::size_t, double)> &add)
      const override;
  void for_each_unknown(
      const unsigned int carrier,
      const unsigned int c,
      const std::function<void(std::size_t, double)> &add) const override;
  void for_each_velocity(const std::function<void(std::size_t, double, double)>
                             &add) const override;

  void prepare_iterations() override
  {
    iterates = true;
  }
  void set_step(const double h) override;
  double step_size() const override
  {
    return h;
  }
  void start(const double t) override;
  void begin_step(const double t, const bool from_rest) override;
  bool evaluate(const unsigned int, const bool, const bool) override
  {
    return true;
  }
  bool update_inverse(const double shift, const bool anew) override;
  void free_velocity() override;
  bool correct() override;
  void halve_correction() override;
  ImpulseNorms norms() const override;
  std::vector<std::array<double, 2>> norms_of_pieces() const override;
  EnergyTerms accept() override;
  double kinetic_energy() const override;
  double zero_velocity() override;

  bool is_free(const unsigned int piece) const override
  {
    return bodies[piece].is_free();
  }
  double piece_stiffness(const unsigned int piece) const override;
  double resisting_stiffness(const unsigned int piece) const override;
  bool update_rigid_share() override;
  void keep_sparse() override
  {
  }
  void
  add_loads_of_pieces(double *sums,
                      std::vector<RigidMotions<dim>> &motions) const override;
  void look_at_centre(const bool with_products,
                      double *f,
                      double *old_times_change,
                      double *change_times_change,
                      double *travel) override;
  void move_centre(const double *omega) override;

  void save_state(Archive &archive) const override;
  std::unique_ptr<SavedState> read_state(Archive &archive) const override;
  bool is_same(const SavedState &saved) const override;
  void load_state(const SavedState &saved) override;
  std::string
  load_matching(const std::vector<std::unique_ptr<SavedState>> &parts) override;

private:
  // Of CarrierInverse.
  unsigned int n_carriers(const unsigned int) const override
  {
    return Body::n_carriers;
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
                     const std::vector<unsigned int> &carriers) const override;
  bool is_diagonal() const override
  {
    return false;
  }
  double least_available() const override;

  /// w of all bodies, and what contact sees of it, if @p anew or where they
  /// turn. Returns whether it is another one.
  bool make_inverses(const bool anew);

  /// B^T of impulses on carriers, of each body.
  void generalize(const std::vector<unsigned int> &carriers,
                  const double *impulses,
                  std::vector<Velocity> &result) const;

  /// The number of carrier @p k of its body in space, in the configuration of
  /// contact; on all ranks.
  dealii::Tensor<1, dim> axis(const unsigned int body,
                              const unsigned int k) const;

  RigidSkin<dim> skin_;
  std::vector<Body> bodies;
  MPI_Comm communicator;
  const unsigned int n_ranks, rank;
  const bool quasi_static;
  const double fictitious_share;
  std::vector<unsigned int> own;
  PieceClasses classes;
  std::vector<std::size_t> first_unknown;
  bool iterates = false; ///< steps have several iterations
  bool linear = true, any_turns = false, turns_freely = false;
  double h                 = 0.;
  bool inverse_is_new      = true; ///< w is to be made, whatever turns
  bool all_found           = true; ///< the last free velocities
  Configuration contact_at = Configuration::shifted;
  std::vector<Velocity> r; ///< contact impulses
  std::vector<Velocity> response;
  std::vector<Velocity> v_unshifted;
  bool is_shifted = false;
  std::vector<std::vector<double>> compliances;        ///< of own bodies
  std::vector<std::array<double, 2>> fictitious;       ///< before shares
  std::vector<std::array<double, dim * dim>> all_axes; ///< on several ranks
};
} // namespace delassus

#endif
