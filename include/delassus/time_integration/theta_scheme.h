#ifndef delassus_time_integration_theta_scheme_h
#define delassus_time_integration_theta_scheme_h

#include <delassus/bodies/loads.h>
#include <delassus/time_integration/effective_inverse.h>

namespace delassus
{
/// The terms of the energy identity of one step, exact for any theta:
///   Delta (kinetic + elastic) = external - damping + contact + driven
///                               - numerical
/// kinetic and elastic are values at the end of the step, the others are works
/// over the step.
struct EnergyTerms
{
  double kinetic = 0., elastic = 0.;
  double external  = 0.; ///< h v_theta . P_ext(theta)
  double damping   = 0.; ///< h v_theta . V v_theta
  double contact   = 0.; ///< v_theta . H P
  double driven    = 0.; ///< v_theta . (reaction impulses of driven dofs)
  double numerical = 0.; ///< (theta - 1/2)(|Delta v|_M^2 + |Delta q|_K^2),
                         ///< quasi-static: 1/2 |Delta q|_K^2 + v+ . f

  static constexpr unsigned int n_terms = 7;
};

/// The theta-scheme of one linear body in small perturbations:
///   v+ = v + w [ -h V v - h K (q + theta h v) + h P_ext(theta) + H P ]
///   q+ = q + h (theta v+ + (1 - theta) v)
///   w  = (M + h theta V + h^2 theta^2 K)^{-1}, computed once for all.
/// A step is: advance_free_motion, then (outside) the contact problem fills
/// contact_impulse with r = H P, apply_impulses, accept.
///
/// Quasi-static (theta = 1, no inertia): the step solves
///   h K q+ + h V v+ = h P_ext(t+) + H P - f,   q+ = q + h v+,
/// where f = M_f (v+ - c) is the out-of-balance impulse of the fictitious mass
/// of pieces that their driven dofs do not hold (elsewhere M_f = 0). The centre
/// c is zero when the step begins, so that no inertia is carried over; the step
/// is solved again with c := v+ until f vanishes (proximal points): contact
/// sees the whole increment h v+ each time, and the answer does not depend on
/// M_f.
template <int dim>
class ThetaScheme
{
public:
  ThetaScheme(const SolidBody<dim> &body,
              const DrivenDofs<dim> &driven,
              const PieceClasses &classes,
              Loads<dim> &loads,
              const TimeParameters &time,
              const LinearSolverParameters &solver = {},
              std::shared_ptr<MemoryBudget> budget = nullptr);

  /// Factor w for this step size (nothing to do if it has not changed).
  void set_step(const double h);

  double step_size() const
  {
    return h;
  }

  /// Before the first step: velocities of driven dofs (theta < 1), see
  /// DrivenDofs::start_velocity.
  void start_driven(const double t);

  /// v_free for the step that begins at @p t.
  void advance_free_motion(const double t);

  /// Quasi-static: v_free again, for another `center`.
  void advance_from_center();

  /// f = M_f (v+ - center) into @p f.
  void out_of_balance(Vector &f);

  /// Whether there is a piece that only a fictitious mass holds (on any rank).
  bool has_fictitious_mass() const;

  /// y = K x without the rounding noise of translations; returns this rank's
  /// part of x . K x.
  double stiffness_vmult(Vector &y, const Vector &x);

  /// v+ = v_free + w r and q+; returns false if something is not finite.
  bool apply_impulses();

  /// Make (q+, v+) the state; the terms of this rank's part of the balance.
  EnergyTerms accept();

  /// Kinetic energy of the state, this rank's part.
  double kinetic_energy() const;

  /// v := 0, q kept. Returns the kinetic energy taken away (this rank's part).
  double zero_velocity();

  /// The vectors a step begins from: what a checkpoint keeps. They have the
  /// body's layout, so that they can be read on another number of ranks.
  std::vector<Vector *> state()
  {
    return { &q, &v, &Mv, &Kq, &Kv };
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
  Vector center;          ///< c of the fictitious mass (quasi-static)

  /// Force of each driving condition on this rank's nodes in the last step,
  /// dim values a condition.
  std::vector<double> reactions;

private:
  void set_driven_increments(const double t);
  void choose_fictitious_mass(const double share);

  Loads<dim> &loads;
  const double theta;
  const bool quasi_static;
  std::vector<double> fictitious; // M_f = h^2 fictitious[class] M
  double h = 0.;
  Vector Mv, Kq, Kv;             // at the beginning of the step
  Vector Mv_new, Kq_new, Kv_new; // at its end
  Vector work, increment;
  Vector balance; // quasi-static: h (P_ext - K q), then f
};
} // namespace delassus

#endif
