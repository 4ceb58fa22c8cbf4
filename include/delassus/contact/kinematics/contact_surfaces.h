#ifndef delassus_contact_kinematics_contact_surfaces_h
#define delassus_contact_kinematics_contact_surfaces_h

#include <delassus/bodies/solid_body.h>

#include <boost/container/small_vector.hpp>

#include <array>
#include <unordered_map>
#include <vector>

namespace delassus
{
/// The surfaces that may touch, of all bodies together: their nodes (called
/// contact nodes and numbered across bodies), faces and candidate points.
/// Everything here is replicated on all ranks; positions and velocities are
/// gathered by update().
template <int dim>
class ContactSurfaces
{
public:
  struct Node
  {
    unsigned int body, node; ///< node of its body
    unsigned int piece;      ///< numbered across bodies
    unsigned int owner;      ///< MPI rank
  };

  struct Face
  {
    std::array<unsigned int, 9> nodes; ///< contact nodes, outward orientation
    unsigned int n_nodes;
    unsigned int piece;
    double size;  ///< reference: length, or root of area
    double depth; ///< of the cell behind it, reference
  };

  /// A point of a surface that carries a candidate: sum of weights 1.
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
  };

  ContactSurfaces(const std::vector<std::unique_ptr<SolidBody<dim>>> &bodies,
                  MPI_Comm communicator);

  /// The numbers (in faces) of boundary faces of a body, added if new.
  std::vector<unsigned int>
  add_faces(const unsigned int body,
            const std::vector<unsigned int> &boundary_faces);

  /// Candidate points on faces; returns the range [first, last) in points.
  std::pair<unsigned int, unsigned int>
  add_points(const std::vector<unsigned int> &faces,
             const CandidatePoints kind,
             const std::vector<double> &positions,
             const std::string &asked_by);

  /// Gather the values of one vector per body at the contact nodes of all
  /// ranks, dim values a node.
  void gather(const std::vector<const Vector *> &per_body,
              std::vector<double> &values) const;

  /// Outward unit normal of a face for node positions x.
  dealii::Tensor<1, dim> face_normal(const unsigned int face,
                                     const std::vector<double> &x) const;

  /// Outward normal at a candidate point: mean of its faces.
  dealii::Tensor<1, dim> point_normal(const Point &point,
                                      const std::vector<double> &x) const;

  dealii::Point<dim> position(const Point &point,
                              const std::vector<double> &x) const;

  double smallest_face() const;

  std::vector<Node> nodes;
  std::vector<Face> faces;
  std::vector<Point> points;
  std::vector<unsigned int> point_faces;
  std::vector<double> reference;         ///< positions, dim values a node
  std::vector<unsigned int> first_piece; ///< of each body, across bodies

  unsigned int n_pieces() const
  {
    return first_piece.back();
  }

private:
  unsigned int add_node(const unsigned int body, const unsigned int node);

  const std::vector<std::unique_ptr<SolidBody<dim>>> &bodies;
  MPI_Comm communicator;
  std::vector<std::unordered_map<unsigned int, unsigned int>> node_index;
  std::vector<std::unordered_map<unsigned int, unsigned int>> face_index;
  std::vector<unsigned int> face_body;
  mutable std::vector<double> send, receive;
  mutable std::vector<int> counts, offsets;
};
} // namespace delassus

#endif
