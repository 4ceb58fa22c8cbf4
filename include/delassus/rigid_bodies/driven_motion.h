#ifndef delassus_rigid_bodies_driven_motion_h
#define delassus_rigid_bodies_driven_motion_h

#include <delassus/bodies/expression.h>
#include <delassus/rigid_bodies/rotation.h>

#include <vector>

namespace delassus
{
/// The integral of an expression of time from a start, component by component:
/// three Gauss points in each time step, so that jumps between steps are
/// integrated exactly.
template <int dim>
class TimeIntegral
{
public:
  TimeIntegral() = default;
  TimeIntegral(const Expression<dim> &rate,
               const unsigned int n_components,
               const double start,
               const double step);

  bool is_zero() const
  {
    return rate.is_zero();
  }

  double value(const double t, const unsigned int component) const;

private:
  double integral(const double from,
                  const double to,
                  const unsigned int component) const;

  Expression<dim> rate;
  unsigned int n_components = 0;
  double start = 0., step = 1.;
  mutable std::vector<double> way; ///< at the ends of steps
};

/// What a rigid body's components do that are given functions of time: a
/// translation d(t), and
/// - either an angle alpha(t) about an axis, R = exp(alpha a), exactly;
/// - or an angular velocity omega(t), components about space-fixed axes: the
///   body turns by exp of its integral over each (part of a) step.
template <int dim>
class DrivenMotion
{
public:
  DrivenMotion() = default;

  /// Texts as in parameter files, empty: none. Angles are in degrees, angular
  /// velocities in radians. @p where(entry) begins errors.
  template <typename Where>
  DrivenMotion(const std::string &displacement,
               const std::string &velocity,
               const std::string &angle,
               const std::string &angular_velocity,
               const RotationVector<dim> &axis,
               const double start,
               const double step,
               const Where &where)
      : displacement(displacement, dim, where("Displacement"))
      , way(Expression<dim>(velocity, dim, where("Velocity")), dim, start, step)
      , angle(angle, 1, where("Rotation"))
      , turned(Expression<dim>(angular_velocity,
                               n_rotations<dim>,
                               where("Angular velocity")),
               n_rotations<dim>,
               start,
               step)
      , axis(axis)
  {
  }

  double translation(const double t, const unsigned int component) const;

  /// Whether the whole rotation is a function of time: an angle about an axis.
  bool has_angle() const
  {
    return !angle.is_zero();
  }

  /// alpha(t) a, or the integral of omega from the start.
  RotationVector<dim> turn(const double t) const;

  bool turns() const
  {
    return !angle.is_zero() || !turned.is_zero();
  }

  bool is_zero() const
  {
    return displacement.is_zero() && way.is_zero() && angle.is_zero() &&
           turned.is_zero();
  }

private:
  Expression<dim> displacement;
  TimeIntegral<dim> way;
  Expression<dim> angle;
  TimeIntegral<dim> turned;
  RotationVector<dim> axis;
};
} // namespace delassus

#endif
