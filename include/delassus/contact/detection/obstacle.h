#ifndef delassus_contact_detection_obstacle_h
#define delassus_contact_detection_obstacle_h

#include <delassus/bodies/expression.h>
#include <delassus/contact/detection/shapes.h>

#include <array>

namespace delassus
{
/// A rigid obstacle: a shape that moves,
///   x(t) = c + R(t) (X - c) + d(t),
/// X a point of the shape at rest, c the centre of the rotation. R and d are
/// functions of time, but for the components of d that are free: what these are
/// in the present step is told by set_free_motion().
template <int dim>
class Obstacle
{
public:
  /// Errors begin with @p where(entry), the place of an entry in the file.
  explicit Obstacle(
      const ObstacleParameters &parameters,
      const std::function<std::string(const std::string &)> &where);

  /// For parameters that come from no file.
  explicit Obstacle(const ObstacleParameters &parameters);

  /// Signed distance at time t, positive towards the bodies.
  double distance(const dealii::Point<dim> &x, const double t) const;

  /// The sides that a candidate of outward normal @p n must stay in front of
  /// (see Shape::touch()), normals and distances at time t.
  double touch(const dealii::Point<dim> &x,
               const dealii::Tensor<1, dim> &n,
               const double t,
               const double reach,
               const double depth,
               std::vector<ShapeSide<dim>> &sides) const;

  /// Gap at x and time t to a side found before, whose normal was @p N.
  double gap(const unsigned int side,
             const dealii::Tensor<1, dim> &N,
             const dealii::Point<dim> &x,
             const double t) const;

  /// Free components of d and, last, the free angle: @p d at t0, moving with
  /// @p v until t1 and with @p v_after from then on.
  using Motion = dealii::Tensor<1, dim + 1>;
  void set_free_motion(const double t0,
                       const double t1,
                       const Motion &d,
                       const Motion &v,
                       const Motion &v_after);

  /// The free part of d and of the angle at time t.
  Motion free_motion_at(const double t) const;

  /// Velocity that the point of the surface next to @p x gets per angular
  /// velocity, for a contact with a side found before.
  dealii::Tensor<1, dim> lever(const unsigned int side,
                               const dealii::Tensor<1, dim> &N,
                               const dealii::Point<dim> &x,
                               const double t) const;

  /// All of d at time t.
  dealii::Tensor<1, dim> translation(const double t) const
  {
    return pose(t).d;
  }

  /// Velocity, averaged over [t, t + h], of the material point that is at x at
  /// time t: (d(t+h) - d(t)) / h + omega x (x - c - d(t)).
  dealii::Tensor<1, dim>
  velocity(const dealii::Point<dim> &x, const double t, const double h) const;

  /// Imposed relative velocity U_imp of a contact at x over [t, t + h], in
  /// global axes: its normal part is the change of the gap by the motion of
  /// the obstacle, its tangential part -velocity() of the surface. A turning
  /// cylinder has the speed of its surface but does not recede. Free components
  /// stay where they are at @p t_free: their velocities are unknowns.
  dealii::Tensor<1, dim> imposed_velocity(const unsigned int side,
                                          const dealii::Tensor<1, dim> &N,
                                          const dealii::Point<dim> &x,
                                          const double t,
                                          const double h,
                                          const double t_free) const;
  dealii::Tensor<1, dim> imposed_velocity(const unsigned int side,
                                          const dealii::Tensor<1, dim> &N,
                                          const dealii::Point<dim> &x,
                                          const double t,
                                          const double h) const
  {
    return imposed_velocity(side, N, x, t, h, t);
  }

  /// How far the surface moves towards points of a box between two times, at
  /// most: rotations of a shape into itself do not count.
  double travel(const dealii::BoundingBox<dim> &box,
                const double t0,
                const double t1) const;

  /// How far points of a box are from the centre of the rotation, at most; zero
  /// if the shape turns into itself.
  double farthest(const dealii::BoundingBox<dim> &box, const double t) const;

  /// Where the point X of the shape at rest is at time t, and back.
  dealii::Point<dim> place(const dealii::Point<dim> &X, const double t) const;
  dealii::Point<dim> rest_place(const dealii::Point<dim> &x,
                                const double t) const;

  /// Normals stay as they are from detection to detection.
  bool keeps_normals() const
  {
    return shape->is_plane() && !rotates();
  }
  bool moves() const
  {
    return !displacement.is_zero() || !speed.is_zero() || is_free || rotates();
  }
  bool rotates() const
  {
    return !rotation.is_zero() || turns_freely;
  }

  /// The surface at time t, to be looked at.
  ShapePicture<dim> picture(const dealii::BoundingBox<dim> &around,
                            const double t) const;

  std::string name;
  std::shared_ptr<const Shape<dim>> shape;

private:
  struct Pose
  {
    double t, t_free;
    dealii::Tensor<1, dim> d;
    double angle;
    dealii::Tensor<2, dim> R;
  };

  /// d, angle and R at time t. The last few are kept: a step asks for the
  /// same few times at every contact.
  const Pose &pose(const double t) const
  {
    return pose(t, t);
  }

  /// Given motions at time t, free ones at time t_free.
  const Pose &pose(const double t, const double t_free) const;

  dealii::Point<dim> rest_place(const dealii::Point<dim> &x,
                                const Pose &p) const;
  double gap(const unsigned int side,
             const dealii::Tensor<1, dim> &N,
             const dealii::Point<dim> &x,
             const Pose &p) const;
  dealii::Tensor<1, dim> velocity(const dealii::Point<dim> &x,
                                  const Pose &now,
                                  const Pose &then,
                                  const double h) const;

  /// alpha a x r (2D: alpha r turned by 90 degrees).
  dealii::Tensor<1, dim> turn(const double alpha,
                              const dealii::Tensor<1, dim> &r) const;

  /// The given part of d.
  dealii::Tensor<1, dim> driven_translation(const double t) const;

  Expression<dim> displacement, speed, rotation;
  double start_time = 0., time_step = 1.;
  /// The integral of the speed from the start, step by step.
  mutable std::vector<dealii::Tensor<1, dim>> way;
  bool is_free = false, turns_freely = false;
  struct
  {
    double t0 = 0., t1 = 0.;
    Motion d, v, v_after;
  } free_motion;
  dealii::Point<dim> center;
  dealii::Tensor<1, 3> axis;
  bool turns_into_itself = false;
  mutable std::array<Pose, 4> poses;
  mutable unsigned int n_poses = 0, next_pose = 0;
};
} // namespace delassus

#endif
