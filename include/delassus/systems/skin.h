#ifndef delassus_systems_skin_h
#define delassus_systems_skin_h

#include <delassus/systems/face_shape.h>

#include <deal.II/base/point.h>

#include <array>
#include <string>
#include <vector>

namespace delassus
{
/// A face of the skin. Its corners come first, ordered so that the normal
/// points out of the body: in 2D the segment turned by -90 degrees, in 3D
/// counter-clockwise seen from outside. On faces of degree 2 the middles of the
/// edges follow (0-1, 1-2, ..., last-0; in 2D the only one), then the centre of
/// a quadrilateral. FaceShape has the shape functions.
struct SkinFace
{
  std::array<unsigned int, max_face_nodes> nodes; ///< carriers
  unsigned int n_nodes;   ///< 2 or 3 in 2D; 3, 4, 6 or 9 in 3D
  unsigned int n_corners; ///< 2; 3 or 4
  unsigned int piece;
  unsigned int cell;   ///< behind it, of this rank's list, or none
  unsigned int face;   ///< number of the face in its cell
  double cell_measure; ///< area or volume of the cell behind it
};

/// A carrier and its share.
struct CarrierWeight
{
  unsigned int carrier;
  double weight;
};

/// The surface of a system: faces whose nodes are carriers. A carrier is a
/// vector that moves with the system: the position of a node, a director of a
/// shell, the centre or an axis of a rigid body. Some of them depend on others,
///   c = sum_i w_i c_i,
/// as hanging nodes do, the two sides of a shell and the vertices of a rigid
/// body: contact acts on those they depend on. All ranks know the whole skin.
template <int dim>
class Skin
{
public:
  virtual ~Skin() = default;

  virtual const std::string &name() const = 0;

  virtual const std::vector<SkinFace> &skin_faces() const = 0;

  /// Entries of skin_faces() by name; an empty name or "*" is all of them.
  /// Throws InputError, beginning with @p asked_by, with the nearest name.
  virtual const std::vector<unsigned int> &
  surface(const std::string &surface_name,
          const std::string &asked_by) const = 0;

  virtual std::vector<std::string> surface_names() const = 0;

  struct Carrier
  {
    dealii::Point<dim> reference; ///< at the beginning of the run
    unsigned int piece;
    unsigned int owner;   ///< MPI rank
    bool depends = false; ///< on others: see masters()
  };
  virtual Carrier carrier(const unsigned int number) const = 0;

  /// What a dependent carrier depends on; none of them depends on others.
  virtual std::vector<CarrierWeight>
  masters(const unsigned int number) const = 0;

  /// Whether pieces are rigid.
  virtual bool is_rigid() const
  {
    return false;
  }

  /// Whether what depends on others are points of the surface, which may be
  /// candidates themselves: vertices of rigid bodies, faces of sheets. (Hanging
  /// nodes are not.)
  virtual bool has_points() const
  {
    return is_rigid();
  }

  /// The carriers of a rigid piece: a point, and axes times a length.
  struct Frame
  {
    std::array<unsigned int, dim + 1> carriers;
    double length;
  };
  virtual Frame frame(const unsigned int /*piece*/) const
  {
    return {};
  }

  /// Rigid circles and spheres, which touch where they are nearest.
  struct Ball
  {
    unsigned int piece;
    double radius, area;
    std::vector<CarrierWeight> masters; ///< of the centre
  };
  virtual std::vector<Ball> balls(const std::string & /*surface_name*/) const
  {
    return {};
  }

  /// Number of a carrier within its piece, as CarrierInverse counts.
  virtual unsigned int number_in_piece(const unsigned int carrier) const = 0;

  virtual unsigned int n_pieces() const = 0;

  /// The MPI rank that owns a piece, unless it is split.
  virtual unsigned int piece_owner(const unsigned int piece) const = 0;

  /// Pieces may span ranks.
  virtual bool is_split() const = 0;

  /// Middle of a piece at the beginning of the run, for messages.
  virtual dealii::Point<dim> piece_centre(const unsigned int piece) const = 0;

  /// Whether the cells behind the faces are triangles or tetrahedra.
  virtual bool is_of_simplices() const
  {
    return false;
  }

  /// Thickness, or 2 pi r for axisymmetric bodies, at a reference position.
  virtual double out_of_plane(const dealii::Point<dim> &) const
  {
    return 1.;
  }

  /// The same on a piece, where pieces differ.
  virtual double out_of_plane_of(const unsigned int,
                                 const dealii::Point<dim> &position) const
  {
    return out_of_plane(position);
  }
};

/// The skins of bodies, or of whatever has one.
template <int dim, typename Bodies>
std::vector<const Skin<dim> *> skins_of(const Bodies &bodies)
{
  std::vector<const Skin<dim> *> skins;
  for (const auto &body : bodies)
    skins.push_back(&*body);
  return skins;
}
} // namespace delassus

#endif
