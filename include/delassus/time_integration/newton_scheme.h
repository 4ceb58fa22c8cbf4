#ifndef delassus_time_integration_newton_scheme_h
#define delassus_time_integration_newton_scheme_h

#include <delassus/bodies/internal_forces.h>
#include <delassus/time_integration/body_scheme.h>

namespace delassus
{
/// The internal forces, whose tangent w is made from, are there before w is.
template <int dim>
struct TangentOwner
{
  TangentOwner(const SolidBody<dim> &body, const Assumption assumption)
      : internal(body, assumption)
  {
  }

  InternalForces<dim> internal;
};

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
template <int dim>
class NewtonScheme final : private TangentOwner<dim>, public BodyScheme<dim>
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

  /// Explicit steps are linear: forces are those of the beginning.
  bool is_linear() const override
  {
    return is_explicit();
  }
  bool has_finite_motion() const override
  {
    return internal.law().is_finite_strain();
  }

  void set_step(const double h) override;

  void begin_step(const double t, const bool from_rest) override;

  /// Forces, residual and, if asked for, the tangent at the iterate. Explicit
  /// steps: forces at the beginning.
  bool evaluate(const unsigned int k,
                const bool with_tangent,
                const bool slow) override;
  bool evaluate(const bool with_tangent);

  const InternalForces<dim> *internal_forces() const override
  {
    return &internal;
  }

  std::string trouble() const override
  {
    return internal.trouble();
  }

  bool has_new_tangent() const override
  {
    return tangent_is_new;
  }
  bool update_inverse(const double shift, const bool anew) override;

  // What closed contacts hold.
  bool can_be_held() const override
  {
    return !is_approximate();
  }
  void add_held_stiffness(const unsigned int node,
                          const unsigned int other,
                          const dealii::Tensor<2, dim> &block) override;
  void add_held_impulse(const unsigned int node,
                        const dealii::Tensor<1, dim> &force) override;
  void finish_held() override;

  void halve_correction() override;
  void free_velocity() override;
  ImpulseNorms norms() const override;

  typename System<dim>::FrequencyBound frequency_bound() override;

  double largest_strain_increment() const override
  {
    // Stable explicit steps strain a cell by less than its deformation takes
    // to cross it; looking at each would cost a sixth of them.
    return is_explicit() ? 0. : internal.largest_strain_increment(q, q_new);
  }

  /// The materials at q+ itself, where the balance is that of another
  /// configuration (theta < 1, explicit steps). accept() does it if it was not
  /// done.
  bool end_step() override;

  void note_iterations(const unsigned int k) override;

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
  const Vector *displacement_of_loads() const override
  {
    return has_finite_motion() ? &q_new : nullptr;
  }
  const Vector *stiffness_diagonal() const override
  {
    return &diagonal;
  }

  bool make_heavier() override;
  bool update_rigid_share() override
  {
    remake = true; // the next matrix knows it
    return false;
  }

  // Checkpoints: also what the materials remember.
  void save_state(Archive &archive) const override;
  std::unique_ptr<SavedState> read_state(Archive &archive) const override;
  bool is_same(const SavedState &saved) const override;
  void load_state(const SavedState &saved) override;
  std::string
  load_matching(const std::vector<std::unique_ptr<SavedState>> &parts) override;
  void forget() override;
  void archive(Archive &archive) override;

  /// After a resume, if that has not brought it: the elastic energy of the
  /// state that was read.
  void restart();

  /// Of the last step: the internal forces that it ended with are part of the
  /// state.
  bool start_known = false;

  using TangentOwner<dim>::internal;

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

  bool is_explicit() const
  {
    return newton.matrix == CorrectingMatrix::explicit_;
  }

  bool wants_tangent(const unsigned int k, const bool slow) const;

  bool begin_explicit_step();

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

  bool has_tangent          = false;
  bool tangent_is_new       = false; ///< w is not made from it yet
  bool remake               = false; ///< w is to be made anew all the same
  double h_of_matrix        = 0.;    ///< step that w is made for; 0: none
  unsigned int matrix_steps = 0;     ///< since the tangent was renewed
  double frequency          = 0.;    ///< estimate of the highest one
  unsigned int steps_since_frequency = 0;
};
} // namespace delassus

#endif
