#ifndef delassus_contact_kinematics_contact_surfaces_h
#define delassus_contact_kinematics_contact_surfaces_h

#include <delassus/parameters/parameters.h>
#include <delassus/systems/skin.h>

#include <boost/container/small_vector.hpp>

#include <mpi.h>

#include <array>
#include <functional>
#include <unordered_map>
#include <vector>

namespace delassus
{
/// A face that carries mortar multipliers: the one of row (a point)
/// entries[i].row is sum of entries[i].weight * (linear function of the corner
/// entries[i].corner).
struct MortarFace
{
  struct Entry
  {
    unsigned int row, corner;
    double weight;
  };
  unsigned int face;
  boost::container::small_vector<Entry, 4> entries;
};

/// The surfaces that may touch, of all systems together: their nodes (carriers,
/// called contact nodes and numbered across systems), faces and candidate
/// points. Everything here is replicated on all ranks; positions and velocities
/// are gathered.
template <int dim>
class ContactSurfaces
{
public:
  struct Node
  {
    unsigned int system, carrier; ///< carrier of its system
    unsigned int piece;           ///< numbered across systems
    unsigned int owner;           ///< MPI rank
    bool depends = false;         ///< on its masters
    bool point   = false; ///< of the surface all the same (has_points())
    bool place   = true;  ///< a point; false: an axis, a director
  };

  /// The carriers of a rigid piece as contact nodes: a point (a pole) and axes
  /// times a length.
  struct Frame
  {
    unsigned int pole = 0;
    std::array<unsigned int, dim> axes;
    double length = 1.;
  };

  struct Face
  {
    std::array<unsigned int, 9> nodes; ///< contact nodes, outward orientation
    unsigned int n_nodes;              ///< numbered as FaceShape does
    unsigned int n_corners;            ///< the first ones
    unsigned int piece;
    double size;  ///< reference: length, or root of area
    double depth; ///< of the cell behind it, reference
  };

  /// A point of a surface that carries a candidate, none of whose nodes depends
  /// on others.
  struct Point
  {
    boost::container::small_vector<unsigned int, 4> nodes;
    boost::container::small_vector<double, 4> weights;
    unsigned int n_nodes;
    unsigned int piece;
    double area;  ///< tributary area (2D: length x thickness)
    double size;  ///< smallest of the faces it lies on
    double depth; ///< likewise
    unsigned int first_face, n_faces; ///< in point_faces
    /// In point_shares, where the faces meet at an edge; else all are one side.
    unsigned int first_share = dealii::numbers::invalid_unsigned_int;
    /// Of a ball, whose centre this is: it touches where it is nearest. No
    /// faces then.
    double radius = 0.;
    bool away     = false; ///< touches nothing in this stage of the run
  };

  ContactSurfaces(std::vector<const Skin<dim> *> skins, MPI_Comm communicator);

  /// The numbers (in faces) of faces of a system's skin, added if new.
  std::vector<unsigned int>
  add_faces(const unsigned int system,
            const std::vector<unsigned int> &skin_faces);

  /// Candidate points on faces; returns the range [first, last) in points.
  /// Areas are such that area times a uniform pressure is the force on the
  /// point. The corners of triangles of degree 2 have none: they are candidates
  /// only where the surface ends or has an edge.
  std::pair<unsigned int, unsigned int>
  add_points(const std::vector<unsigned int> &faces,
             const CandidatePoints kind,
             const std::vector<double> &positions,
             const std::string &asked_by);

  /// Candidate points that are balls of a system's skin.
  void add_balls(const unsigned int system,
                 const std::vector<typename Skin<dim>::Ball> &balls);

  /// The frame of a rigid piece, added if new.
  const Frame &add_frame(const unsigned int system, const unsigned int piece);

  /// The frame of a piece (numbered across systems) that has one.
  const Frame &frame(const unsigned int piece) const
  {
    return frames.at(piece);
  }

  /// Call add(node, weight) so that the sum of weights times nodes is the
  /// material vector that is @p arm for node positions @p x:
  ///   sum_k (arm . R e_k / l) (l R e_k).
  template <typename Add>
  static void resolve_arm(const Frame &frame,
                          const dealii::Tensor<1, dim> &arm,
                          const std::vector<double> &x,
                          Add &&add)
  {
    for (const unsigned int node : frame.axes)
    {
      double product = 0.;
      for (unsigned int c = 0; c < dim; ++c)
        product += arm[c] * x[dim * node + c];
      add(node, product / (frame.length * frame.length));
    }
  }

  /// Rows of mortar type on faces: a multiplier for each corner, linear on each
  /// face (corners of faces that meet at an edge have one for each side). The
  /// points have the weights of the mean over the multiplier's support:
  ///   w_b = int psi N_b / int psi.
  std::pair<unsigned int, unsigned int>
  add_mortar_points(const std::vector<unsigned int> &faces,
                    std::vector<MortarFace> &mortar_faces);

  /// Call add(node, weight) for the nodes that a node's share goes to: itself,
  /// or those it depends on.
  template <typename Add>
  void resolve(const unsigned int node, const double weight, Add &&add) const
  {
    if (masters.empty() || !nodes[node].depends)
      add(node, weight);
    else
      for (const auto &master : masters.at(node))
        add(master.first, weight * master.second);
  }

  /// Positions of a face's nodes, n_nodes of them.
  void face_positions(const Face &face,
                      const std::vector<double> &x,
                      std::array<dealii::Point<dim>, 9> &X) const
  {
    for (unsigned int v = 0; v < face.n_nodes; ++v)
      for (unsigned int c = 0; c < dim; ++c)
        X[v][c] = x[dim * face.nodes[v] + c];
  }

  /// Thickness (2D), or 2 pi r, at a reference position on a face.
  double out_of_plane(const unsigned int face,
                      const dealii::Point<dim> &reference_position) const;

  /// Reads dim values for each of some carriers of a system that this rank
  /// owns.
  using Reader = std::function<void(const unsigned int system,
                                    const std::vector<unsigned int> &carriers,
                                    double *values)>;

  /// The values at the contact nodes of all ranks, dim values a node.
  void gather(const Reader &read, std::vector<double> &values) const;

  /// The same of some systems only, by their marks; other values stay.
  void gather_some(const std::vector<char> &systems,
                   const Reader &read,
                   std::vector<double> &values) const;

  /// The opposite: hand on the values of this rank's contact nodes, system by
  /// system.
  using Writer = std::function<void(const unsigned int system,
                                    const std::vector<unsigned int> &carriers,
                                    const double *values)>;
  void scatter(const std::vector<double> &values, const Writer &write) const;

  /// Outward unit normal of a face, as its corners say, for node positions x.
  dealii::Tensor<1, dim> face_normal(const unsigned int face,
                                     const std::vector<double> &x) const;

  /// Outward normal at a candidate point: mean of its faces.
  dealii::Tensor<1, dim> point_normal(const Point &point,
                                      const std::vector<double> &x) const;

  dealii::Point<dim> position(const Point &point,
                              const std::vector<double> &x) const;

  /// The area of a candidate point that touches something with the normal
  /// @p N: that of the side it touches with. At an edge or a corner (a block's)
  /// this is the face that looks against N most, with those that continue it.
  double touching_area(const Point &point,
                       const dealii::Tensor<1, dim> &N,
                       const std::vector<double> &x) const;

  /// Size of the smallest face, or radius of the smallest ball.
  double smallest_face() const;

  /// Whether some candidate is a ball.
  bool has_balls = false;

  std::vector<Node> nodes;
  std::vector<Face> faces;
  std::vector<Point> points;
  std::vector<unsigned int> point_faces;
  std::vector<double> point_shares;      ///< of faces in areas at edges
  std::vector<double> reference;         ///< positions, dim values a node
  std::vector<unsigned int> first_piece; ///< of each system, across systems

  unsigned int n_pieces() const
  {
    return first_piece.back();
  }

private:
  /// Points at the nodes of faces, or inside each face.
  void add_nodal_points(const std::vector<unsigned int> &faces);
  void add_face_points(const std::vector<unsigned int> &faces,
                       const CandidatePoints kind,
                       const std::vector<double> &positions,
                       const std::string &asked_by);

  /// Area of a face of linear shape.
  double face_area(const unsigned int face) const;

  unsigned int add_node(const unsigned int system, const unsigned int carrier);

  const std::vector<const Skin<dim> *> skins;
  MPI_Comm communicator;
  const unsigned int n_ranks, rank;
  /// Of each system: its contact nodes that this rank owns.
  struct Owned
  {
    std::vector<unsigned int> carriers, nodes;
  };
  std::vector<Owned> owned;
  std::vector<std::unordered_map<unsigned int, unsigned int>> node_index;
  std::vector<std::unordered_map<unsigned int, unsigned int>> face_index;
  std::vector<unsigned int> face_system;
  std::unordered_map<unsigned int, std::vector<std::pair<unsigned int, double>>>
      masters; ///< of dependent contact nodes
  std::unordered_map<unsigned int, Frame> frames; ///< of rigid pieces
  mutable std::vector<double> send, receive;
  mutable std::vector<int> counts, offsets;
};
} // namespace delassus

#endif
