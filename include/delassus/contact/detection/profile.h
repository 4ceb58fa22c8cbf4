#ifndef delassus_contact_detection_profile_h
#define delassus_contact_detection_profile_h

#include <delassus/contact/detection/shape.h>

#include <deal.II/numerics/rtree.h>

#include <functional>
#include <memory>

namespace delassus
{
/// A line in the plane, of straight pieces and arcs (fillets): one or several
/// chains, closed or open. Going along a chain the bodies are to the left:
///   normal = (-t_y, t_x),  left turns are concave, right turns convex.
/// Also the meridian of a surface of revolution: coordinates (s, r), r >= 0,
/// continued across the axis by its mirror image.
class Profile
{
public:
  using Point  = dealii::Point<2>;
  using Vector = dealii::Tensor<1, 2>;
  using Side   = ShapeSide<2>;

  /// A chain by its corners; radius 0: sharp corner. Open chains have no
  /// corner at their first and last point; closed ones do not repeat the first.
  struct Chain
  {
    std::vector<Point> points;
    std::vector<double> fillets; ///< one for each point (ends: ignored)
    bool closed             = false;
    bool infinite_start     = false; ///< the first piece comes from infinity
    bool infinite_end       = false; ///< the last goes to infinity
    unsigned int n_leading  = 0; ///< pieces at the start that are mirror images
    unsigned int n_trailing = 0; ///< and at the end
  };

  Profile() = default;

  /// Throws InputError, beginning with @p where, for pieces without length,
  /// fillets that do not fit, corners that turn back, pieces that cross.
  explicit Profile(const std::vector<Chain> &chains, const std::string &where);

  double distance(const Point &x) const;

  double
  find(const Point &x, const double reach, std::vector<Side> &sides) const;

  double
  side_distance(const unsigned int side, const Vector &N, const Point &x) const;

  bool is_flat(const unsigned int side) const;

  bool is_open() const
  {
    return open;
  }

  /// Calls @p add(x, w n) at points of a quadrature over the line without
  /// mirror images, n towards the bodies; exact for polynomials of degree 5 on
  /// straight pieces, to rounding on arcs. Returns why the line encloses
  /// nothing, or an empty text.
  std::string integrate(
      const std::function<void(const Point &, const Vector &)> &add) const;

  /// The chains as polylines, without mirror images; pieces without end reach
  /// as far as @p extent.
  std::vector<std::vector<Point>> polylines(const double extent) const;

  /// Twice the area enclosed by a polygon, counter-clockwise positive.
  static double doubled_area(const std::vector<Point> &points);

private:
  struct Piece
  {
    bool is_arc   = false;
    bool concave  = false; ///< arc: the centre is on the side of the bodies
    bool mirrored = false;
    Point a;       ///< start (straight: origin of s)
    Point b;       ///< end
    Vector t;      ///< straight: direction
    double s0, s1; ///< straight: range, possibly infinite
    Point center;
    double radius = 0.;
    Vector n0, n1; ///< normals at the ends
    Point middle;
    int joint0 = -1, joint1 = -1;

    Vector tangent(const bool at_end) const
    {
      const Vector &n = at_end ? n1 : n0;
      return Vector({ n[1], -n[0] });
    }
  };

  enum class Kind
  {
    smooth,
    convex,
    concave,
    end
  };

  struct Joint
  {
    Point x;
    int before = -1, after = -1;
    Kind kind = Kind::smooth;
    Vector pseudo_normal; ///< mean of its pieces' normals
    bool mirrored = false;
  };

  struct Foot
  {
    double distance; ///< to the piece itself, not negative
    double height;   ///< signed, to the piece continued
    double beyond;   ///< how far the foot lies outside the piece
    int where;       ///< -1 before it, 0 on it, 1 behind it
    Vector normal;   ///< of the piece continued
  };

  void add_chain(const Chain &chain, const std::string &where);
  void add_joint(const int before, const int after, const Point &x);

  /// Whether one of several closed chains lies within another.
  bool has_nested_chains() const;

  Foot project(const Piece &piece, const Point &x) const;

  /// The joint at which the line turns away from the bodies, or ends, if the
  /// foot lies there but for rounding, on the piece or beyond it; else -1.
  int rim(const Piece &piece, const Foot &foot, const Point &x) const;

  /// Looks at one piece: the nearest distance so far with its sign, and its
  /// sides if wanted.
  void look(const unsigned int p,
            const Point &x,
            const double reach,
            double &nearest,
            double &phi,
            std::vector<Side> *sides) const;

  std::vector<Piece> pieces;
  std::vector<Joint> joints;
  bool open   = false;
  double size = 0.; ///< of what is finite
  using Tree  = dealii::RTree<std::pair<dealii::BoundingBox<2>, unsigned int>>;
  std::shared_ptr<const Tree> tree; ///< if there are many pieces
};
} // namespace delassus

#endif
