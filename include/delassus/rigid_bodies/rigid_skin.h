#ifndef delassus_rigid_bodies_rigid_skin_h
#define delassus_rigid_bodies_rigid_skin_h

#include <delassus/contact/detection/shape.h>
#include <delassus/rigid_bodies/rigid_body.h>
#include <delassus/systems/skin.h>

#include <map>
#include <memory>

namespace delassus
{
/// The surfaces of rigid bodies as contact sees them; each body is a piece, and
/// a surface of its name. Its carriers are the reference point and the axes
/// (RigidBody::carriers()); vertices of its faces depend on these. Faces are
/// those of the shape's picture, so that boxes, polygons and triangulated
/// surfaces have their own corners, and curved shapes points on them; circles
/// and spheres are balls instead.
template <int dim>
class RigidSkin : public Skin<dim>
{
public:
  using Body                              = RigidBody<dim>;
  static constexpr unsigned int n_of_body = Body::n_carriers;
  using typename Skin<dim>::Carrier;
  using typename Skin<dim>::Ball;
  using typename Skin<dim>::Frame;

  /// @p rank_of_body: the MPI rank that owns each.
  explicit RigidSkin(std::vector<unsigned int> rank_of_body);

  /// The next body. @p thickness in the plane; @p with_faces: it may be a
  /// candidate (its shape has an end).
  void add(const Body &body,
           const Shape<dim> &shape,
           const double thickness,
           const bool with_faces);

  const std::string &name() const override
  {
    return own_name;
  }
  const std::vector<SkinFace> &skin_faces() const override
  {
    return faces;
  }
  const std::vector<unsigned int> &
  surface(const std::string &surface_name,
          const std::string &asked_by) const override;
  std::vector<std::string> surface_names() const override
  {
    return names;
  }
  std::vector<Ball> balls(const std::string &surface_name) const override;
  Carrier carrier(const unsigned int number) const override;
  std::vector<CarrierWeight> masters(const unsigned int number) const override;
  unsigned int number_in_piece(const unsigned int carrier) const override
  {
    // Only those that contact acts on.
    return carrier % n_of_body;
  }
  unsigned int n_pieces() const override
  {
    return names.size();
  }
  unsigned int piece_owner(const unsigned int piece) const override
  {
    return ranks[piece];
  }
  bool is_split() const override
  {
    return false;
  }
  dealii::Point<dim> piece_centre(const unsigned int piece) const override
  {
    return centres[piece];
  }
  bool is_rigid() const override
  {
    return true;
  }
  Frame frame(const unsigned int piece) const override;
  double out_of_plane_of(const unsigned int piece,
                         const dealii::Point<dim> &) const override
  {
    return thicknesses[piece];
  }

  /// The piece of a carrier, and, of a vertex, its coordinates at rest from the
  /// reference point.
  unsigned int piece_of(const unsigned int carrier) const
  {
    return is_vertex(carrier) ? vertices[carrier - first_vertex()].piece
                              : carrier / n_of_body;
  }
  bool is_vertex(const unsigned int carrier) const
  {
    return carrier >= first_vertex();
  }
  const dealii::Tensor<1, dim> &coordinates(const unsigned int vertex) const
  {
    return vertices[vertex - first_vertex()].X;
  }

private:
  unsigned int first_vertex() const
  {
    return n_of_body * ranks.size();
  }

  struct Vertex
  {
    unsigned int piece;
    dealii::Tensor<1, dim> X;
  };

  const std::string own_name = "rigid bodies";
  const std::vector<unsigned int> ranks;
  std::vector<std::string> names;
  std::vector<dealii::Point<dim>> centres;
  std::vector<typename Body::Carriers> references; ///< at the start
  std::vector<double> lengths;
  std::vector<Vertex> vertices;
  std::vector<SkinFace> faces;
  std::vector<unsigned int> all_faces;
  std::vector<std::vector<unsigned int>> faces_of; ///< each body
  std::vector<Ball> all_balls;                     ///< of some bodies
  std::vector<double> thicknesses;                 ///< in the plane
  std::map<std::string, unsigned int> number;
};
} // namespace delassus

#endif
