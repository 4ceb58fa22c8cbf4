#ifndef delassus_contact_detection_shape_h
#define delassus_contact_detection_shape_h

#include <delassus/contact/detection/solid_moments.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/point.h>

#include <limits>
#include <string>
#include <vector>

namespace delassus
{
/// A smooth part of a shape as a point sees it: a face, a piece of a curved
/// surface, or a convex edge or vertex.
template <int dim>
struct ShapeSide
{
  unsigned int side;             ///< number of the part
  double distance;               ///< signed, positive in front of it
  dealii::Tensor<1, dim> normal; ///< unit, outward (towards the bodies)
  dealii::Point<dim> middle;     ///< a point of the part
  bool only_behind = false; ///< holds only if the point is behind the surface
  /// A face, and the point is at its rim, but for rounding: at a convex edge or
  /// an end, beyond which the face would be none. It holds all the same, also
  /// if the nearest part of the surface is what lies beyond.
  bool at_rim = false;
};

/// Lines (2D), triangles and quadrilaterals (3D) that show a shape.
template <int dim>
struct ShapePicture
{
  std::vector<dealii::Point<dim>> points;
  std::vector<std::vector<unsigned int>> cells; ///< corners in VTK's order

  /// A strip of quadrilaterals between two rows of @p n points; @p closed: from
  /// the last ones to the first ones too.
  void add_quads(const unsigned int row,
                 const unsigned int next_row,
                 const unsigned int n,
                 const bool closed);
};

/// The surface of a rigid obstacle at rest. "Outside" is where the bodies are:
/// around a solid shape, within a hollow one.
///
/// A point must stay in front of each side that is a local minimum of its
/// distance to the surface: one side at a convex edge (the edge itself, with
/// the normal from the closest point to the point), both in a concave corner.
template <int dim>
class Shape
{
public:
  virtual ~Shape() = default;

  /// Signed distance phi(x) to the surface, positive outside.
  virtual double distance(const dealii::Point<dim> &x) const = 0;

  /// All sides within @p reach of x, and those with x behind them. Returns
  /// phi(x) (or a large number if nothing is within reach).
  virtual double find(const dealii::Point<dim> &x,
                      const double reach,
                      std::vector<ShapeSide<dim>> &sides) const = 0;

  /// Signed distance to one side, continued beyond its edges. Convex edges and
  /// vertices have no normal of their own: theirs is @p N.
  virtual double side_distance(const unsigned int side,
                               const dealii::Tensor<1, dim> &N,
                               const dealii::Point<dim> &x) const = 0;

  /// A plane without end: the same side, and the same normal, everywhere.
  virtual bool is_plane() const
  {
    return false;
  }

  /// Whether side_distance() is an affine function of x.
  virtual bool is_flat(const unsigned int side) const = 0;

  /// A sheet with an edge: its back is not the inside of anything.
  virtual bool is_open() const
  {
    return false;
  }

  /// Whether a rotation about this axis changes nothing (2D: about the centre).
  virtual bool turns_into_itself(const dealii::Point<dim> & /*center*/,
                                 const dealii::Tensor<1, 3> & /*axis*/) const
  {
    return false;
  }

  /// A circle or sphere that others touch from outside.
  virtual bool is_ball(dealii::Point<dim> & /*center*/,
                       double & /*radius*/) const
  {
    return false;
  }

  /// Volume, centre and second moments of the solid. Returns why there are none
  /// (it is hollow, open, without end), or an empty text.
  virtual std::string solid_moments(SolidMoments<dim> &moments) const = 0;

  /// Something to look at; what has no end is cut at the box @p around.
  virtual ShapePicture<dim>
  picture(const dealii::BoundingBox<dim> &around) const = 0;

  /// "sphere of radius 2 around (0, 1)".
  virtual std::string describe() const = 0;

  /// The sides that a candidate with the outward normal @p n must stay in
  /// front of: those that face it, within @p reach. Behind the surface (by
  /// whatever a bad start or the tolerance left) only the nearest side counts,
  /// with those that form a concave corner with it: the others are the far
  /// sides of the obstacle. Behind a sheet @p depth bounds what can be a
  /// penetration. Returns phi(x) (or a large number).
  double touch(const dealii::Point<dim> &x,
               const dealii::Tensor<1, dim> &n,
               const double reach,
               const double depth,
               std::vector<ShapeSide<dim>> &sides) const;

  /// Remove the sides that hold only behind the surface, in front of it.
  static void keep_valid(const double phi, std::vector<ShapeSide<dim>> &sides);

  /// The box around the surface at rest. Returns false if it has no end, or if
  /// the bodies are inside.
  bool bounding_box(dealii::BoundingBox<dim> &box) const;

  /// Whether the straight way from @p a to @p b goes through the surface from
  /// outside.
  bool is_crossed(const dealii::Point<dim> &a,
                  const dealii::Point<dim> &b) const;
};
} // namespace delassus

#endif
