#ifndef delassus_contact_detection_shapes_h
#define delassus_contact_detection_shapes_h

#include <delassus/contact/detection/profile.h>
#include <delassus/parameters/parameters.h>

#include <functional>
#include <memory>

namespace delassus
{
/// The half-space behind a plane.
template <int dim>
class PlaneShape : public Shape<dim>
{
public:
  PlaneShape(const dealii::Point<dim> &point,
             const dealii::Tensor<1, dim> &normal);

  double distance(const dealii::Point<dim> &x) const override;
  double find(const dealii::Point<dim> &x,
              const double reach,
              std::vector<ShapeSide<dim>> &sides) const override;
  double side_distance(const unsigned int side,
                       const dealii::Tensor<1, dim> &N,
                       const dealii::Point<dim> &x) const override;
  bool is_plane() const override
  {
    return true;
  }
  bool is_flat(const unsigned int) const override
  {
    return true;
  }
  bool turns_into_itself(const dealii::Point<dim> &center,
                         const dealii::Tensor<1, 3> &axis) const override;
  ShapePicture<dim>
  picture(const dealii::BoundingBox<dim> &around) const override;
  std::string solid_moments(SolidMoments<dim> &moments) const override;
  std::string describe() const override;

private:
  const dealii::Point<dim> point;
  const dealii::Tensor<1, dim> normal;
};

/// A ball (2D: a disc), or the hole of its size.
template <int dim>
class SphereShape : public Shape<dim>
{
public:
  SphereShape(const dealii::Point<dim> &center,
              const double radius,
              const bool hollow);

  double distance(const dealii::Point<dim> &x) const override;
  double find(const dealii::Point<dim> &x,
              const double reach,
              std::vector<ShapeSide<dim>> &sides) const override;
  double side_distance(const unsigned int side,
                       const dealii::Tensor<1, dim> &N,
                       const dealii::Point<dim> &x) const override;
  bool is_flat(const unsigned int) const override
  {
    return false;
  }
  bool turns_into_itself(const dealii::Point<dim> &center,
                         const dealii::Tensor<1, 3> &axis) const override;
  ShapePicture<dim>
  picture(const dealii::BoundingBox<dim> &around) const override;
  std::string solid_moments(SolidMoments<dim> &moments) const override;
  bool is_ball(dealii::Point<dim> &ball_center,
               double &ball_radius) const override
  {
    ball_center = center;
    ball_radius = radius;
    return !hollow;
  }
  std::string describe() const override;

private:
  const dealii::Point<dim> center;
  const double radius;
  const bool hollow;
};

/// A ring of circular section.
class TorusShape : public Shape<3>
{
public:
  TorusShape(const dealii::Point<3> &center,
             const dealii::Tensor<1, 3> &axis,
             const double radius,
             const double minor_radius,
             const bool hollow);

  double distance(const dealii::Point<3> &x) const override;
  double find(const dealii::Point<3> &x,
              const double reach,
              std::vector<ShapeSide<3>> &sides) const override;
  double side_distance(const unsigned int side,
                       const dealii::Tensor<1, 3> &N,
                       const dealii::Point<3> &x) const override;
  bool is_flat(const unsigned int) const override
  {
    return false;
  }
  bool turns_into_itself(const dealii::Point<3> &center,
                         const dealii::Tensor<1, 3> &axis) const override;
  ShapePicture<3> picture(const dealii::BoundingBox<3> &around) const override;
  std::string solid_moments(SolidMoments<3> &moments) const override;
  std::string describe() const override;

private:
  /// The nearest point of the tube's centre line.
  dealii::Point<3> on_ring(const dealii::Point<3> &x) const;

  const dealii::Point<3> center;
  const dealii::Tensor<1, 3> axis;
  const double radius, minor_radius;
  const bool hollow;
};

/// A box along the axes, its edges and corners rounded by a radius: all points
/// at that distance from a smaller box, the core. Sides are numbered by where
/// the closest point of the core lies: 0 low, 1 between, 2 high along each
/// axis, as digits of a number to the base 3.
class BoxShape : public Shape<3>
{
public:
  BoxShape(const dealii::Point<3> &low,
           const dealii::Tensor<1, 3> &size,
           const double rounding,
           const bool hollow);

  double distance(const dealii::Point<3> &x) const override;
  double find(const dealii::Point<3> &x,
              const double reach,
              std::vector<ShapeSide<3>> &sides) const override;
  double side_distance(const unsigned int side,
                       const dealii::Tensor<1, 3> &N,
                       const dealii::Point<3> &x) const override;
  bool is_flat(const unsigned int side) const override;
  ShapePicture<3> picture(const dealii::BoundingBox<3> &around) const override;
  std::string solid_moments(SolidMoments<3> &moments) const override;
  std::string describe() const override;

private:
  /// Of the solid box.
  double solid_distance(const dealii::Point<3> &x) const;

  const dealii::Point<3> center;
  const dealii::Tensor<1, 3> core; ///< half sizes of the core
  const double rounding;
  const bool hollow;
};

/// A profile: in the plane as it is; in space drawn out along an axis without
/// end, or turned about one.
template <int dim>
class ProfileShape : public Shape<dim>
{
public:
  enum class Kind
  {
    plane,    ///< (x, y) - origin
    extruded, ///< coordinates along two axes
    revolved  ///< (along the axis, from the axis)
  };

  /// @p first and @p second: the axes of the profile's coordinates; revolved:
  /// @p first is the axis.
  ProfileShape(const Profile &profile,
               const Kind kind,
               const dealii::Point<dim> &origin,
               const dealii::Tensor<1, dim> &first,
               const dealii::Tensor<1, dim> &second,
               const std::string &name);

  double distance(const dealii::Point<dim> &x) const override;
  double find(const dealii::Point<dim> &x,
              const double reach,
              std::vector<ShapeSide<dim>> &sides) const override;
  double side_distance(const unsigned int side,
                       const dealii::Tensor<1, dim> &N,
                       const dealii::Point<dim> &x) const override;
  bool is_flat(const unsigned int side) const override;
  bool is_open() const override
  {
    return profile.is_open();
  }
  bool turns_into_itself(const dealii::Point<dim> &center,
                         const dealii::Tensor<1, 3> &axis) const override;
  ShapePicture<dim>
  picture(const dealii::BoundingBox<dim> &around) const override;
  std::string solid_moments(SolidMoments<dim> &moments) const override;
  std::string describe() const override;

private:
  /// Coordinates of the profile; @p second is its second axis at x.
  dealii::Point<2> flatten(const dealii::Point<dim> &x,
                           dealii::Tensor<1, dim> &second) const;

  const Profile profile;
  const Kind kind;
  const dealii::Point<dim> origin;
  const dealii::Tensor<1, dim> first, second;
  const std::string name;
};

/// The shape that an obstacle's parameters describe. Errors begin with the
/// place of the entry in the file: @p where(entry).
template <int dim>
std::shared_ptr<const Shape<dim>>
make_shape(const ShapeParameters &parameters,
           const std::function<std::string(const std::string &)> &where);

/// A unit vector at right angles to @p axis.
dealii::Tensor<1, 3> across(const dealii::Tensor<1, 3> &axis);

/// Whether an axis through @p a is the axis through @p b along @p direction, of
/// a shape of this @p size.
bool same_axis(const dealii::Point<3> &a,
               const dealii::Tensor<1, 3> &axis,
               const dealii::Point<3> &b,
               const dealii::Tensor<1, 3> &direction,
               const double size);

/// "(0, 1)", as describe() writes points and directions.
template <int dim>
std::string text_of_point(const dealii::Tensor<1, dim> &p);
} // namespace delassus

#endif
