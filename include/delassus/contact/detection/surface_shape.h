#ifndef delassus_contact_detection_surface_shape_h
#define delassus_contact_detection_surface_shape_h

#include <delassus/contact/detection/shape.h>
#include <delassus/mesh/surface_mesh.h>

#include <deal.II/numerics/rtree.h>

namespace delassus
{
/// A triangulated surface. Sides are numbered: triangles, edges, vertices.
/// Whether a point lies in front is told by the angle-weighted normal of the
/// feature that is nearest to it.
class SurfaceShape : public Shape<3>
{
public:
  SurfaceShape(const SurfaceMesh<3> &mesh,
               const dealii::Point<3> &origin,
               const bool hollow,
               const std::string &name);

  double distance(const dealii::Point<3> &x) const override;
  double find(const dealii::Point<3> &x,
              const double reach,
              std::vector<ShapeSide<3>> &sides) const override;
  double side_distance(const unsigned int side,
                       const dealii::Tensor<1, 3> &N,
                       const dealii::Point<3> &x) const override;
  bool is_flat(const unsigned int side) const override
  {
    return side < triangles.size();
  }
  bool is_open() const override
  {
    return open;
  }
  ShapePicture<3> picture(const dealii::BoundingBox<3> &around) const override;
  std::string solid_moments(SolidMoments<3> &moments) const override;
  std::string describe() const override;

private:
  enum class Kind : unsigned char
  {
    smooth, ///< between triangles in one plane
    convex,
    concave,
    boundary
  };

  struct Triangle
  {
    std::array<unsigned int, 3> vertices, edges; ///< edge k: vertices k, k + 1
    dealii::Tensor<1, 3> normal;
  };

  struct Edge
  {
    unsigned int a, b;
    int first, second; ///< triangles; -1: none
    Kind kind;
    dealii::Tensor<1, 3> normal; ///< mean of its triangles' ones
  };

  /// The point of a triangle closest to x, and the feature it lies on: 0 the
  /// triangle itself, 1 + k its edge k, 4 + k its vertex k.
  struct Foot
  {
    dealii::Point<3> point;
    unsigned int feature;
  };

  Foot project(const unsigned int triangle, const dealii::Point<3> &x) const;

  void look(const unsigned int triangle,
            const dealii::Point<3> &x,
            const double reach,
            double &nearest,
            double &phi,
            std::vector<ShapeSide<3>> *sides) const;

  /// Whether x is flush with a convex edge or an end of a triangle, but for
  /// rounding.
  bool is_at_rim(const Triangle &triangle, const dealii::Point<3> &x) const;

  /// Whether x lies in the normal cone of a vertex.
  bool sees_vertex(const unsigned int v, const dealii::Point<3> &x) const;

  /// Whether one of several closed parts lies within another.
  bool has_nested_parts() const;

  std::vector<dealii::Point<3>> vertices;
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;
  std::vector<dealii::Tensor<1, 3>> vertex_normals;
  std::vector<std::vector<unsigned int>> vertex_edges;
  bool open;
  double size = 0.;
  std::string name;
  dealii::RTree<std::pair<dealii::BoundingBox<3>, unsigned int>> tree;
};
} // namespace delassus

#endif
