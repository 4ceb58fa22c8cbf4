#ifndef delassus_time_integration_newton_scheme_h
#define delassus_time_integration_newton_scheme_h

#include <delassus/bodies/internal_forces.h>
#include <delassus/time_integration/body_scheme.h>

namespace delassus
{
/// One body of any material in the Euler-Newton-Raphson loop. A step solves
///
///   M (v+ - v) = h [ P_ext(theta) - f(q_theta) - V v_theta ] + H P
///   v_theta = theta v+ + (1-theta) v,  q+ = q + h v_theta,
///   q_theta = q + theta h v_theta
///
/// for v+: implicit Euler with theta = 1, the midpoint rule with theta = 1/2.
/// From the iterate v_k an iteration goes to
///
///   v_free(k) = v_k + w [ -M (v_k - v) + h (P_ext - f - V v_theta) ]
///   v_{k+1} = v_free(k) + w H P,   w = (M + h theta V + h^2 theta^2 K)^-1
///
/// or with another matrix for w (CorrectingMatrix). Quasi-static steps leave M
/// out of the balance; a fictitious mass is in w only, so that it slows the
/// iteration down but does not change what it converges to.
///
/// In each iteration: evaluate, update_matrix, advance_free_motion, (contact),
/// apply_impulses.
template <int dim>
class NewtonScheme final : public BodyScheme<dim>
{
public:
  /// @p classes: each piece one of its own. The tangents of congruent pieces
  /// differ as soon as they deform; if they share a class, w is that of the
  /// first one and the loop converges slowly or not at all.
  NewtonScheme(const SolidBody<dim> &body,
               const DrivenDofs<dim> &driven,
               const PieceClasses &classes,
               Loads<dim> &loads,
               const TimeParameters &time,
               const NewtonParameters &newton,
               const Assumption assumption,
               const LinearSolverParameters &solver = {},
               std::shared_ptr<MemoryBudget> budget = nullptr);

  void set_step(const double h) override;

  /// The first iterate of the step from @p t: the velocity goes on, or, where
  /// @p from_rest, is zero (quasi-static).
  void begin_step(const double t, const bool from_rest);

  /// Forces, residual and, if asked for, the tangent at the iterate. Returns
  /// false, on all ranks, if a cell has no answer.
  bool evaluate(const bool with_tangent);

  /// w from the tangent of the last evaluation. Throws NotPositiveDefinite.
  /// @p shift: fictitious mass in the matrix, as a share of h^2 K's scale.
  void update_matrix(const double shift);

  /// The diagonal of the tangent of the last evaluation.
  const Vector &tangent_diagonal() const
  {
    return diagonal;
  }

  /// Add a block to the tangent: @p node of this rank, @p other one of a cell
  /// with it. Then finish_stiffness(), ranks together.
  void add_stiffness(const unsigned int node,
                     const unsigned int other,
                     const dealii::Tensor<2, dim> &block);
  void finish_stiffness();

  /// What such a block is known to do in the next correction: @p force per
  /// velocity, block times the change of the velocity.
  void add_held_impulse(const unsigned int node,
                        const dealii::Tensor<1, dim> &force);

  /// Half of the last correction, v_k + (v_{k+1} - v_k) / 2.
  void halve_correction();

  /// v_free(k), after evaluate() and update_matrix().
  void advance_free_motion(const double t) override;

  /// An explicit step: forces at q, one free motion and one contact problem,
  /// then the forces and histories at q+. Return false, on all ranks, if a cell
  /// has no answer.
  bool begin_explicit_step(const double t);
  bool end_explicit_step();

  /// Sums of squares over this rank's dofs, of impulses: the residual without
  /// and with contact (driven and hanging dofs left out), and what it is made
  /// of.
  struct Norms
  {
    double residual = 0., inertia = 0., internal = 0., external = 0.,
           contact = 0., rounding = 0.;
    static constexpr unsigned int n = 6;
  };
  Norms norms() const;

  /// After the last iteration: the materials at q+ itself, where the balance is
  /// that of another configuration (theta < 1). Returns false, on all ranks, if
  /// a cell has no answer there. accept() does it if it was not done.
  bool end_step();

  /// With the internal forces f0 and f1 at the beginning and the end of the
  /// step, f those of the balance:
  ///   numerical = (theta - 1/2) |Delta v|_M^2 + Delta q . (f - (f0 + f1)/2),
  /// the latter (theta - 1/2) |Delta q|_K^2 of linear ones, and
  ///   integration = Delta q . (f0 + f1)/2 - Delta(elastic) - inelastic.
  EnergyTerms accept() override;

  std::vector<Vector *> state() override
  {
    return { &q, &v, &Mv, &start_force };
  }

  /// After a resume, if that has not brought it: the elastic energy of the
  /// state that was read.
  void restart();

  /// Before and after a checkpoint alike: what is known of the last step but
  /// not kept is found again.
  void forget()
  {
    force_at_q = false;
  }

  /// Of the last step: the internal forces that it ended with are part of the
  /// state.
  bool start_known = false;

  InternalForces<dim> internal;

  /// Quasi-static: multiplies the fictitious mass that deformations of pieces
  /// meet that nothing holds (rigid motions: rigid_share). It is in w only:
  /// small ones need fewer iterations, large ones make more matrices definite.
  /// The Newton loop adapts it.
  double mass_scale = 1e-3;

  bool has_fictitious_mass() const
  {
    for (const double factor : free_pieces)
      if (factor > 0.)
        return true;
    return false;
  }

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
  using BodyScheme<dim>::rigid_share;

private:
  using BodyScheme<dim>::loads;
  using BodyScheme<dim>::theta;
  using BodyScheme<dim>::quasi_static;
  using BodyScheme<dim>::h;
  using BodyScheme<dim>::Mv;
  using BodyScheme<dim>::work;
  using BodyScheme<dim>::increment;

  bool is_approximate() const
  {
    return newton.matrix == CorrectingMatrix::lumped ||
           newton.matrix == CorrectingMatrix::two_term ||
           newton.matrix == CorrectingMatrix::explicit_;
  }

  const NewtonParameters newton;
  std::vector<double> free_pieces; ///< 1/time^2 of pieces that nothing holds
  double t             = 0.;
  bool first_iteration = true;
  bool force_at_q      = false; ///< internal.force is that of q
  bool ended           = false; ///< end_step() was called
  Vector work_force;            ///< the force that the step is made with
  Vector start_force;           ///< unless steps are explicit
  void balance(const Vector &force);
  Vector q_theta, Mv_new, damping, residual, diagonal;
  Vector v_before;     ///< the iterate that the last correction began from
  Vector held_impulse; ///< of the stiffness that contact holds
  bool has_held = false;
};
} // namespace delassus

#endif
