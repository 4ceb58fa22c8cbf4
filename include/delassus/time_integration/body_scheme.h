#ifndef delassus_time_integration_body_scheme_h
#define delassus_time_integration_body_scheme_h

#include <delassus/bodies/internal_forces.h>
#include <delassus/bodies/loads.h>
#include <delassus/systems/system.h>
#include <delassus/time_integration/effective_inverse.h>

#include <set>

namespace delassus
{
/// A solid body as a system: carriers are its nodes. What its two schemes have
/// in common: vectors, w, contact impulses, v+ = v_free + w r, pieces and
/// checkpoints.
template <int dim>
class BodyScheme : public System<dim>
{
public:
  BodyScheme(const SolidBody<dim> &body,
             const DrivenDofs<dim> &driven,
             const PieceClasses &classes,
             Loads<dim> &loads,
             const TimeParameters &time,
             const LinearSolverParameters &solver,
             std::shared_ptr<MemoryBudget> budget,
             const Matrix &stiffness);

  const Skin<dim> &skin() const override
  {
    return body;
  }

  // Carriers.
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
                     const unsigned int c) const override
  {
    return driven.is_driven(dim * carrier + c);
  }

  // w.
  CarrierInverse<dim> &inverse() override
  {
    return w;
  }
  const PieceClasses &piece_classes() const override
  {
    return classes;
  }
  FactorWork factor_work() const override
  {
    return w.factor_work();
  }
  std::size_t factor_memory() const override
  {
    return w.memory_consumption();
  }
  std::string describe_solver() const override
  {
    return w.description();
  }
  std::vector<std::string> notes() const override
  {
    return w.notes;
  }
  std::size_t n_unknowns() const override;
  bool is_sparse() const override
  {
    return !w.has_rigid_part();
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

  // The step.
  double step_size() const override
  {
    return h;
  }

  /// Velocities of driven dofs (theta < 1), see DrivenDofs::start_velocity.
  void start(const double t) override;

  // Runs in stages.

  /// Reactions of single dofs and what stages leave behind are part of the
  /// state. Before anything else is done with it.
  void keep_reactions();

  /// What drove this rank's dofs until now.
  struct DrivenBefore
  {
    std::vector<std::string> conditions; ///< their names
    std::vector<int> of_dof;             ///< number of the condition, or -1
  };
  DrivenBefore driven_now() const;

  /// A stage begins at @p t from the state that was read. Reactions of
  /// @p released conditions become loads, and with @p contact_step > 0 the
  /// contact impulses set last, as those of a step of this size. Dofs that are
  /// driven by another condition than before go on from where they are: with
  /// the motion q(t) + u - u(t) of a prescribed u; for theta < 1 with its rate
  /// as velocity, which all have if the body is @p at_rest. Returns whether
  /// velocities have changed. Collective.
  virtual bool begin_stage(const DrivenBefore &before,
                           const std::set<std::string> &released,
                           const double t,
                           const double step,
                           const bool at_rest,
                           const double contact_step);

  /// Loads of released conditions, read or of begin_stage(), go to zero between
  /// these times.
  void ramp_released(const double from, const double to);

  bool correct() override;

  double kinetic_energy() const override;
  double zero_velocity() override;

  // Pieces that only contact holds.
  bool is_free(const unsigned int piece) const override
  {
    return free_piece[piece];
  }
  double piece_stiffness(const unsigned int piece) const override
  {
    return stiffness_of_piece[piece];
  }
  void keep_sparse() override
  {
    w.sparse_only = true;
  }
  void
  add_loads_of_pieces(double *sums,
                      std::vector<RigidMotions<dim>> &motions) const override;

  // Checkpoints: nodal values by reference position and piece, so that it does
  // not matter how nodes are numbered and who owns them.
  void save_state(Archive &archive) const override;
  std::unique_ptr<SavedState> read_state(Archive &archive) const override;
  bool is_same(const SavedState &saved) const override;
  void load_state(const SavedState &saved) override;
  std::string
  load_matching(const std::vector<std::unique_ptr<SavedState>> &parts) override;

  /// The vectors a step begins from: what a checkpoint keeps. They have the
  /// body's layout, so that they can be read on another number of ranks.
  virtual std::vector<Vector *> state() = 0;

  /// Nonlinear internal forces; null: those of the body's stiffness.
  virtual const InternalForces<dim> *internal_forces() const
  {
    return nullptr;
  }

  const SolidBody<dim> &body;
  const DrivenDofs<dim> &driven;
  const PieceClasses &classes;
  EffectiveInverse<dim> w;
  Vector q, v;            ///< state at the beginning of the step
  Vector q_new, v_new;    ///< and at its end
  Vector v_free;          ///< velocity without contact impulses
  Vector contact_impulse; ///< r = H P
  Vector external;        ///< P_ext(theta)

  /// Force of each driving condition on this rank's nodes in the last step,
  /// dim values a condition.
  std::vector<double> reactions;

  using System<dim>::rigid_share;

protected:
  /// increment := v+ of driven dofs - @p from, zero elsewhere.
  void set_driven_increments(const double t, const Vector &from);

  /// The configuration that moments of external forces refer to; null: the
  /// reference configuration.
  virtual const Vector *displacement_of_loads() const
  {
    return nullptr;
  }

  /// The diagonal of the tangent; null: not known.
  virtual const Vector *stiffness_diagonal() const
  {
    return nullptr;
  }

  Loads<dim> &loads;
  const double theta;
  const bool quasi_static;
  double h = 0.;
  Vector Mv; ///< at the beginning of the step
  Vector work, increment;

  // Runs in stages; otherwise without size.
  Vector reaction_force; ///< of each driven dof in the last step
  Vector released_force; ///< see Loads::set_released()
  Vector offset;         ///< of a prescribed displacement: q = u + offset

  /// After a step, of an impulse on a driven dof of this rank.
  void note_reaction(const unsigned int dof, const double impulse)
  {
    const unsigned int i = dof - dim * body.first_owned_node;
    if (reaction_force.size() > 0)
      reaction_force.begin()[i] = impulse / h;
  }

  /// The owned part of @p vector := these values, zero elsewhere.
  void set_carriers(const std::vector<unsigned int> &carriers,
                    const double *values,
                    Vector &vector) const;

  /// What was added to v_free is forgotten: it is as before.
  void forget_shift()
  {
    if (shifted)
      v_free = v_unshifted;
    shifted = false;
  }

  bool is_shifted() const
  {
    return shifted;
  }

private:
  void number_unknowns() const;

  /// state(), and in runs with stages what these add.
  std::vector<Vector *> whole_state();

  Vector response;    ///< w r
  Vector v_unshifted; ///< v_free before shift_free_velocity()
  bool shifted = false;
  mutable std::vector<std::size_t> unknowns; ///< of each dof
  mutable std::size_t n_numbered = 0;
  std::vector<bool> free_piece; ///< quasi-static
  std::vector<double> stiffness_of_piece;
};
} // namespace delassus

#endif
