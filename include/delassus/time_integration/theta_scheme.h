#ifndef delassus_time_integration_theta_scheme_h
#define delassus_time_integration_theta_scheme_h

#include <delassus/time_integration/body_scheme.h>

namespace delassus
{
/// The theta-scheme of one linear body in small perturbations:
///   v+ = v + w [ -h V v - h K (q + theta h v) + h P_ext(theta) + H P ]
///   q+ = q + h (theta v+ + (1 - theta) v)
///   w  = (M + h theta V + h^2 theta^2 K)^{-1}, computed once for all.
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
class ThetaScheme final : public BodyScheme<dim>
{
public:
  ThetaScheme(const SolidBody<dim> &body,
              const DrivenDofs<dim> &driven,
              const PieceClasses &classes,
              Loads<dim> &loads,
              const TimeParameters &time,
              const LinearSolverParameters &solver = {},
              std::shared_ptr<MemoryBudget> budget = nullptr);

  bool is_linear() const override
  {
    return true;
  }
  bool has_finite_motion() const override
  {
    return false;
  }

  /// Factor w for this step size (nothing to do if it has not changed).
  void set_step(const double h) override;

  void start(const double t) override;

  /// v_free of the step, and the centre of the fictitious mass.
  void begin_step(const double t, const bool from_rest) override;

  /// Forces are linear in the velocities at the end: part of v_free.
  bool evaluate(const unsigned int, const bool, const bool) override
  {
    return true;
  }
  bool update_inverse(const double, const bool) override
  {
    return false;
  }

  /// Of the first iteration: that of begin_step(). In a Newton loop of others
  /// the centre of the fictitious mass follows the iterates.
  void free_velocity() override;

  void prepare_iterations() override;
  void shift_free_velocity(const std::vector<unsigned int> &carriers,
                           const double *impulses) override;
  bool correct() override;
  void halve_correction() override;

  /// What has changed since the correction: r - r of then, and f.
  ImpulseNorms norms() const override;

  bool update_rigid_share() override;
  void look_at_centre(const bool with_products,
                      double *f,
                      double *old_times_change,
                      double *change_times_change,
                      double *travel) override;
  void move_centre(const double *omega) override;

  /// f = M_f (v+ - center) into @p f.
  void out_of_balance(Vector &f) const;

  /// Whether there is a piece that only a fictitious mass holds (on any rank).
  bool has_fictitious_mass() const;

  /// y = K x without the rounding noise of translations; returns this rank's
  /// part of x . K x.
  double stiffness_vmult(Vector &y, const Vector &x);

  /// numerical: (theta - 1/2)(|Delta v|_M^2 + |Delta q|_K^2), quasi-static:
  /// 1/2 |Delta q|_K^2 + v+ . f
  EnergyTerms accept() override;

  bool begin_stage(const typename BodyScheme<dim>::DrivenBefore &before,
                   const std::set<std::string> &released,
                   const double t,
                   const double step,
                   const bool at_rest,
                   const double contact_step) override;

  std::vector<Vector *> state() override
  {
    return { &q, &v, &Mv, &Kq, &Kv };
  }

  double zero_velocity() override;

  Vector center; ///< c of the fictitious mass (quasi-static)

  using BodyScheme<dim>::body;
  using BodyScheme<dim>::driven;
  using BodyScheme<dim>::classes;
  using BodyScheme<dim>::w;
  using BodyScheme<dim>::q;
  using BodyScheme<dim>::v;
  using BodyScheme<dim>::q_new;
  using BodyScheme<dim>::v_new;
  using BodyScheme<dim>::v_free;
  using BodyScheme<dim>::contact_impulse;
  using BodyScheme<dim>::external;
  using BodyScheme<dim>::reactions;

private:
  using BodyScheme<dim>::loads;
  using BodyScheme<dim>::theta;
  using BodyScheme<dim>::quasi_static;
  using BodyScheme<dim>::h;
  using BodyScheme<dim>::Mv;
  using BodyScheme<dim>::work;
  using BodyScheme<dim>::increment;

  void factorize();

  /// Quasi-static: v_free for another centre.
  void advance_from_center();

  std::vector<double> fictitious; // M_f = h^2 fictitious[class] M
  double given_share = 1.;        // that is in it
  Vector Kq, Kv;                  // at the beginning of the step
  Vector Mv_new, Kq_new, Kv_new;  // at its end
  Vector balance;                 // quasi-static: h (P_ext - K q), then f
  bool first_iteration = true;
  Vector v_before;       // the iterate before the last correction
  Vector used, before;   // r that v+ was found with, and of the iterate before
  Vector step, old_step; // of the centre, now and before
  mutable Vector scratch, difference;
  Vector shift; // impulses that v_free was shifted by
};
} // namespace delassus

#endif
