#ifndef delassus_contact_detection_obstacle_h
#define delassus_contact_detection_obstacle_h

#include <delassus/bodies/expression.h>
#include <delassus/contact/detection/shapes.h>

#include <deal.II/base/types.h>

#include <array>

namespace delassus
{
/// A rigid obstacle: a shape that moves,
///   x(t) = c + R(t) (X - c) + d(t),
/// X a point of the shape at rest, c the centre of the rotation. R and d are
/// functions of time, or, for the shape of a rigid body, told by set_places()
/// for the times of the present step.
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

  /// The shape is that of a rigid body: piece @p piece of those in contact,
  /// whose pole is at @p pole at rest. A free one's velocities are unknowns;
  /// others are imposed.
  struct OfBody
  {
    unsigned int piece = 0;
    bool free = false, turns = false;
    dealii::Point<dim> pole;
  };
  void make_body(const OfBody &of_body);
  bool is_body() const
  {
    return body.piece != dealii::numbers::invalid_unsigned_int;
  }
  bool is_free_body() const
  {
    return is_body() && body.free;
  }
  unsigned int piece() const
  {
    return body.piece;
  }

  /// Where the body is at some times: its pole and its rotation. At other times
  /// it is where it was told to be at the nearest one.
  struct Place
  {
    double t;
    dealii::Point<dim> pole;
    dealii::Tensor<2, dim> R;
  };
  void set_places(const std::vector<Place> &places);

  /// How far points of a box go with the body from one place to another, and
  /// how fast with velocities of pole and axes (over their length), at most.
  double travel(const dealii::BoundingBox<dim> &box,
                const Place &from,
                const Place &to) const;
  double fastest(const dealii::BoundingBox<dim> &box,
                 const Place &place,
                 const dealii::Tensor<1, dim> &v,
                 const dealii::Tensor<2, dim> &R_rate) const;

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
  /// cylinder has the speed of its surface but does not recede. Zero for free
  /// bodies: their velocities are unknowns.
  dealii::Tensor<1, dim> imposed_velocity(const unsigned int side,
                                          const dealii::Tensor<1, dim> &N,
                                          const dealii::Point<dim> &x,
                                          const double t,
                                          const double h) const;

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
    return is_driven() || is_body();
  }
  bool rotates() const
  {
    return !rotation.is_zero() || (is_body() && body.turns);
  }

  /// The surface at time t, to be looked at.
  ShapePicture<dim> picture(const dealii::BoundingBox<dim> &around,
                            const double t) const;

  std::string name;
  std::shared_ptr<const Shape<dim>> shape;

private:
  struct Pose
  {
    double t;
    dealii::Tensor<1, dim> d;
    double angle;
    dealii::Tensor<2, dim> R;
  };

  /// By functions of time of its own.
  bool is_driven() const
  {
    return !displacement.is_zero() || !speed.is_zero() || !rotation.is_zero();
  }

  /// d, angle and R at time t. The last few are kept: a step asks for the
  /// same few times at every contact.
  const Pose &pose(const double t) const;

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

  /// alpha a x r (2D: alpha r turned by 90 degrees), alpha a the rotation from
  /// one pose to another.
  dealii::Tensor<1, dim> turn(const Pose &now,
                              const Pose &then,
                              const dealii::Tensor<1, dim> &r) const;

  /// The given part of d.
  dealii::Tensor<1, dim> driven_translation(const double t) const;

  Expression<dim> displacement, speed, rotation;
  double start_time = 0., time_step = 1.;
  /// The integral of the speed from the start, step by step.
  mutable std::vector<dealii::Tensor<1, dim>> way;
  OfBody body{ dealii::numbers::invalid_unsigned_int, false, false, {} };
  std::vector<Pose> told; ///< of a body
  dealii::Point<dim> center;
  dealii::Tensor<1, 3> axis;
  bool turns_into_itself = false;
  mutable std::array<Pose, 4> poses;
  mutable unsigned int n_poses = 0, next_pose = 0;
};
} // namespace delassus

#endif
