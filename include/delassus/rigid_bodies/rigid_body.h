#ifndef delassus_rigid_bodies_rigid_body_h
#define delassus_rigid_bodies_rigid_body_h

#include <delassus/base/archive.h>
#include <delassus/rigid_bodies/driven_motion.h>
#include <delassus/rigid_bodies/mass_properties.h>
#include <delassus/systems/energy_terms.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace delassus
{
/// What a rigid body is and what acts on it; vectors are in space-fixed axes.
template <int dim>
struct RigidBodySettings
{
  std::string name;
  MassProperties<dim> mass; ///< at rest; no mass: only driven, or quasi static
  /// The point whose place is the body's place, at rest: the centre of mass, or
  /// any point (a pivot, a hinge) if no translation is free.
  dealii::Point<dim> reference;
  std::array<bool, dim> free_translations{};
  /// Translations that are neither free nor driven: they stay as they are,
  /// wherever a stage of the run before has left them.
  std::array<bool, dim> stays{};
  /// Free rotations: orthonormal axes, fixed in space. The angular velocity is
  /// free along these and driven across them.
  std::vector<RotationVector<dim>> free_axes;
  dealii::Tensor<1, dim> stiffness, damping; ///< of each free translation
  double rotational_stiffness = 0., rotational_damping = 0.;
  Expression<dim> force, torque;
  DrivenMotion<dim> driven;
  dealii::Tensor<1, dim> gravity;
  RotationVector<dim> orientation; ///< at the start, if no angle is driven
  dealii::Tensor<1, dim> velocity; ///< at the start, of free components
  RotationVector<dim> angular_velocity;
  double start_time    = 0.;
  double theta         = 1.; ///< 1: implicit Euler; 1/2: Moreau's midpoint step
  double contact_theta = 1.; ///< of q~, where contact is found
  /// Of the axes as carriers; 0: the radius of gyration.
  double length     = 0.;
  bool quasi_static = false;
};

/// One rigid body in a time step. With the place x of its reference point, its
/// rotation R, velocity v and angular velocity omega (spatial),
///
///   x_m = x + (1-theta) h v,             x+ = x_m + theta h v+,
///   R_m = exp((1-theta) h omega) R,      R+ = exp(theta h omega+) R_m,
///   m (v+ - v) = h [F(theta) + m g - c v_theta - k d_theta] + r,
///   J(R+) omega+ - J(R) omega = h [T(theta) - c_r omega_theta - k_r phi_theta
///                                  + s_theta x m g] + tau,
///
/// a_theta = theta a+ + (1-theta) a, J(R) = R J R^T, d the displacement and phi
/// the rotation vector from the start, s from the reference point to the centre
/// of mass; r and tau are the contact impulse and its moment about x_m. In this
/// form the gyroscopic term is in J(R+) omega+: without moments the spatial
/// angular momentum is the same at the end of the step, to rounding. Driven
/// components are functions of time, exact in x and R; their velocities are the
/// mean ones over [t_m, t_m + h], t_m = t + (1-theta) h.
///
/// Velocities and impulses are (translations, rotations). To contact the body
/// is v+ = v_free + w r with a symmetric w, which leaves the change of J(R+)
/// out; the loop
///
///   begin_step; { update_inverse; free_velocity; contact -> r; correct(r) }
///
/// ends when residual() is small: with theta h |omega| small in few rounds, at
/// once in the plane, for spherical inertia, and without contact.
///
/// Quasi-statically the left sides are left out; a fictitious mass M_f =
/// h^2 fictitious is in w only, M_f (v+ - center), see move_center().
template <int dim>
class RigidBody
{
public:
  static constexpr unsigned int n = dim + n_rotations<dim>;
  using Turn                      = RotationVector<dim>;
  using Velocity                  = dealii::Tensor<1, n>;
  using Matrix                    = dealii::Tensor<2, n>;

  /// Carriers of contact points: the reference point, and the axes times a
  /// length, R e_k length(). A point with the coordinates X at rest, from the
  /// reference point, is carrier 0 + sum X_k / length() carrier (1 + k).
  static constexpr unsigned int n_carriers     = 1 + dim;
  static constexpr unsigned int n_carrier_dofs = dim * n_carriers;
  using Carriers = std::array<dealii::Tensor<1, dim>, n_carriers>;

  /// Beginning, middle (x_m, R_m) and end of the step. Impulses on carriers of
  /// the middle keep the angular momentum of bodies that touch.
  enum class Configuration
  {
    start,
    middle,
    end,
    shifted,  ///< as the middle, with theta of contact
    predicted ///< from there with the iterate's velocity over a whole step
  };

  explicit RigidBody(const RigidBodySettings<dim> &settings);

  /// Whether correct() solves the equations, whatever the impulses are.
  bool is_linear() const;

  /// Whether it turns, freely or not.
  bool turns() const;

  /// Free components.
  unsigned int n_free() const;

  /// A component that is not a function of time.
  bool is_free() const
  {
    return any_free;
  }

  /// Before the first step, of size @p h: driven components are as fast as in
  /// it. Does nothing once they move.
  void start_driven(const double h);

  void set_step(const double new_h)
  {
    h = new_h;
  }

  /// No velocity at the beginning of the next step: quasi-static ones.
  void rest()
  {
    now.v = Velocity();
  }

  /// The step from @p t: loads, driven motions, and the first iterate, the
  /// velocity of before or (@p from_rest) none.
  void begin_step(const double t, const double h, const bool from_rest = false);

  /// w at the iterate.
  void update_inverse();

  /// v_free = v*(r) - w r, v*(r) the solution of the equations above for the
  /// impulse r of the last correct(). Returns false if it was not found (steps
  /// that turn by radians).
  bool find_free_velocity();

  /// v+ = v_free + w r, and the place that follows. Returns false if something
  /// is not finite.
  bool correct(const Velocity &impulse);

  /// Another impulse, with the iterate as it is.
  void set_impulse(const Velocity &new_impulse)
  {
    impulse = new_impulse;
  }

  /// Half of the last correction.
  void halve_correction();

  /// What is left of the equations in free components: right sides less left
  /// sides, impulses and moments.
  Velocity residual() const;

  /// The largest |residual| and the largest impulse it is measured against, at
  /// least a millionth of the momentum, whose rounding is in the residual;
  /// moments as impulses on the arm length().
  std::array<double, 2> norms() const;

  /// Impulses of what drives the other components.
  Velocity reaction() const;

  /// Make the iterate the state; the terms of the energy balance.
  EnergyTerms accept();

  /// Back to the state.
  void revert();

  double kinetic_energy() const;

  /// Free components at rest. Returns the kinetic energy taken away.
  double zero_velocity();

  /// The state, as checkpoints have it.
  struct Saved
  {
    dealii::Point<dim> x;
    std::array<double, dim == 2 ? 1 : 4> R;
    Velocity v, impulse;
    Turn phi;
    bool started;
  };
  Saved save() const;
  void load(const Saved &saved);
  void archive(Archive &archive);

  /// Displacement and rotation vector from the start.
  Velocity displacement() const;

  /// Of contact in the last step.
  const Velocity &last_impulse() const
  {
    return impulse;
  }

  /// h times forces and torques from outside, of free components.
  Velocity load() const;

  void set_free_velocity(const Velocity &v)
  {
    v_free = v;
  }

  const Velocity &free_velocity() const
  {
    return v_free;
  }
  const Matrix &effective_inverse() const
  {
    return w;
  }

  /// The inverse of the full tangent of the equations, zero in driven
  /// components: not symmetric.
  Matrix tangent_inverse() const;

  /// The effective matrix of free components, translations first.
  void for_each_effective_entry(
      const std::function<void(unsigned int, unsigned int, double)> &add) const;

  /// Mean of its diagonal, moments of inertia over length() squared; 0: nothing
  /// is free.
  double mean_effective_mass() const;

  /// Quasi static: stiffness that makes the fictitious mass, of translations
  /// and of rotations. Returns whether it is another one.
  bool set_fictitious(const double translations, const double rotations);

  /// Quasi static, after correct(): the centre of the fictitious mass follows
  /// the iterates, center += factor (v+ - center), and what the factor is found
  /// from: |f| = |M_f (v+ - center)|, products of the step before with the
  /// change since then and of the change with itself in the metric M_f, and how
  /// far the body moves.
  struct CenterLook
  {
    double f = 0., old_times_change = 0., change_times_change = 0., travel = 0.;
  };
  CenterLook look_at_center();
  void move_center(const double factor);

  /// The centre is the iterate, as for solids in Newton loops.
  void center_at_iterate()
  {
    center = v_new;
  }

  Carriers carriers(const Configuration where) const;

  /// v and omega x carrier k, of a velocity (as v_free, w r, velocity()).
  Carriers carrier_velocities(const Velocity &u,
                              const Configuration where) const;

  /// B^T: impulse and moment of impulses on the carriers.
  Velocity generalized_impulse(const Carriers &impulses,
                               const Configuration where) const;

  /// B w B^T, n_carrier_dofs rows, into @p compliance of this size squared.
  void carrier_compliance(const Configuration where,
                          std::vector<double> &compliance) const;

  double length() const
  {
    return arm;
  }

  /// Where a point is whose place at rest is @p X, and back.
  dealii::Point<dim> place(const dealii::Point<dim> &X,
                           const Configuration where) const;
  dealii::Point<dim> rest_place(const dealii::Point<dim> &x,
                                const Configuration where) const;

  /// Of the state (start) or the iterate (end).
  const Velocity &velocity(const Configuration where) const
  {
    return where == Configuration::end ? v_new : now.v;
  }
  dealii::Point<dim> position(const Configuration where) const;
  Rotation<dim> rotation(const Configuration where) const;

  /// R J R^T about the reference point.
  RotationTensor<dim> inertia(const Configuration where) const;

  /// J(R) omega about the reference point.
  RotationVector<dim> angular_momentum(const Configuration where) const;

  const RigidBodySettings<dim> settings;

private:
  using Translation = dealii::Tensor<1, dim>;

  struct State
  {
    dealii::Point<dim> x;
    Rotation<dim> R;
    Velocity v;
    Turn phi; ///< rotation from the start
  };

  static Translation linear(const Velocity &u);
  static Turn angular(const Velocity &u);
  static Velocity join(const Translation &a, const Turn &b);

  /// The part of an angular velocity along the free axes.
  Turn free_part(const Turn &omega) const;

  /// Driven components: mean velocities over [t, t + h].
  Velocity mean_driven_velocity(const double t, const double h) const;

  /// Free components of @p u, the driven ones of this step, and x+, R+, phi+.
  void set_iterate(const Velocity &u);

  /// Right sides less left sides, all components.
  Velocity balance() const;

  /// balance() less the fictitious mass's M_f (v+ - center).
  Velocity augmented_balance() const;

  /// m + h theta c + h^2 theta^2 k of a translation (or with M_f).
  double effective_mass(const unsigned int c) const;

  /// J(R+) + (h theta c_r + h^2 theta^2 k_r) I (or with M_f).
  RotationTensor<dim> effective_inertia() const;

  /// - d balance / d omega+.
  RotationTensor<dim> rotation_tangent() const;

  /// Inverse on the free axes, zero across them.
  RotationTensor<dim> free_inverse(const RotationTensor<dim> &A) const;

  /// s = R (centre of mass - reference).
  Translation offset(const Rotation<dim> &R) const;

  RotationTensor<dim> J; ///< at rest, about the reference point
  Translation S;         ///< at rest, to the centre of mass
  Rotation<dim> R_start; ///< where springs have no force
  dealii::Point<dim> x_start;
  bool any_free = false, has_offset = false;
  double arm = 1.;

  State now;
  bool started = false; ///< velocities of driven components are there

  // The step.
  double t_begin = 0., h = 0.;
  Velocity external; ///< F(theta) + m g, T(theta)
  Velocity driven_velocity;
  dealii::Point<dim> x_driven_middle, x_driven_end;
  Turn psi_driven; ///< from the middle to the end
  dealii::Point<dim> x_middle, x_shifted, x_new;
  Rotation<dim> R_middle, R_shifted, R_new;
  Velocity v_new, v_before, v_corrected, v_free, impulse;
  Turn phi_new;
  Matrix w;

  // Quasi static.
  double fictitious = 0., rotational_fictitious = 0.;
  Velocity center, center_step, center_old_step;
};
} // namespace delassus

#endif
