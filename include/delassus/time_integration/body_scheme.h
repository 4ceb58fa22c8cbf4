#ifndef delassus_time_integration_body_scheme_h
#define delassus_time_integration_body_scheme_h

#include <delassus/bodies/loads.h>
#include <delassus/time_integration/effective_inverse.h>

namespace delassus
{
/// The terms of the energy identity of one step, exact for any theta:
///   Delta (kinetic + elastic) = external - damping - inelastic + contact
///                               + driven - numerical - integration
/// kinetic and elastic are values at the end of the step, the others are works
/// over the step.
struct EnergyTerms
{
  double kinetic = 0., elastic = 0.;
  double external  = 0.; ///< h v_theta . P_ext(theta)
  double damping   = 0.; ///< h v_theta . V v_theta
  double contact   = 0.; ///< v_theta . H P
  double driven    = 0.; ///< v_theta . (reaction impulses of driven dofs)
  double numerical = 0.; ///< what the scheme dissipates, see accept()
  double inelastic = 0.; ///< plastic and viscous work of the materials
  /// Nonlinear internal forces: the work of the mean of those at the beginning
  /// and the end of the step, less what the materials store and dissipate.
  double integration = 0.;

  static constexpr unsigned int n_terms = 9;

  std::array<double, n_terms> values() const
  {
    return { { kinetic,
               elastic,
               external,
               damping,
               contact,
               driven,
               numerical,
               inelastic,
               integration } };
  }
  void set_values(const double *values)
  {
    kinetic     = values[0];
    elastic     = values[1];
    external    = values[2];
    damping     = values[3];
    contact     = values[4];
    driven      = values[5];
    numerical   = values[6];
    inelastic   = values[7];
    integration = values[8];
  }
};

/// How one body goes through a time step, as the contact phase sees it:
/// advance_free_motion gives v_free, the contact problem fills contact_impulse
/// with r = H P, apply_impulses gives v+ = v_free + w r.
template <int dim>
class BodyScheme
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

  virtual ~BodyScheme() = default;

  virtual void set_step(const double h) = 0;

  double step_size() const
  {
    return h;
  }

  /// Before the first step: velocities of driven dofs (theta < 1), see
  /// DrivenDofs::start_velocity.
  virtual void start_driven(const double t);

  /// v_free for the step that begins at @p t.
  virtual void advance_free_motion(const double t) = 0;

  /// v+ = v_free + w r and q+; returns false if something is not finite.
  virtual bool apply_impulses();

  /// Make (q+, v+) the state; the terms of this rank's part of the balance.
  virtual EnergyTerms accept() = 0;

  /// Kinetic energy of the state, this rank's part.
  double kinetic_energy() const;

  /// v := 0, q kept. Returns the kinetic energy taken away (this rank's part).
  virtual double zero_velocity();

  /// The vectors a step begins from: what a checkpoint keeps. They have the
  /// body's layout, so that they can be read on another number of ranks.
  virtual std::vector<Vector *> state() = 0;

  const SolidBody<dim> &body;
  const DrivenDofs<dim> &driven;
  const PieceClasses &classes;
  EffectiveInverse<dim> w;
  Vector q, v;            ///< state at the beginning of the step
  Vector q_new, v_new;    ///< and at its end
  Vector v_free;          ///< velocity without contact impulses
  Vector contact_impulse; ///< r = H P
  Vector external;        ///< P_ext(theta)

  /// Quasi-static: the share of the fictitious mass that rigid motions of each
  /// class of pieces meet, see EffectiveInverse::set_rigid_share().
  std::vector<double> rigid_share;

  /// Force of each driving condition on this rank's nodes in the last step,
  /// dim values a condition.
  std::vector<double> reactions;

protected:
  /// increment := v+ of driven dofs - @p from, zero elsewhere.
  void set_driven_increments(const double t, const Vector &from);

  Loads<dim> &loads;
  const double theta;
  const bool quasi_static;
  double h = 0.;
  Vector Mv; ///< at the beginning of the step
  Vector work, increment;
};
} // namespace delassus

#endif
