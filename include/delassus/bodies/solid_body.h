#ifndef delassus_bodies_solid_body_h
#define delassus_bodies_solid_body_h

#include <delassus/bodies/face_shape.h>
#include <delassus/materials/linear_elastic.h>
#include <delassus/mesh/mesh_data.h>
#include <delassus/parameters/parameters.h>

#include <deal.II/distributed/shared_tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/hp/q_collection.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
using Vector = dealii::TrilinosWrappers::MPI::Vector;
using Matrix = dealii::TrilinosWrappers::SparseMatrix;

/// A face of the boundary. Its corners come first, ordered so that the normal
/// points out of the body: in 2D the segment turned by -90 degrees, in 3D
/// counter-clockwise seen from outside. On faces of degree 2 the middles of the
/// edges follow (0-1, 1-2, ..., last-0; in 2D the only one), then the centre of
/// a quadrilateral. FaceShape has the shape functions.
struct BodyFace
{
  std::array<unsigned int, max_face_nodes> nodes;
  unsigned int n_nodes;   ///< 2 or 3 in 2D; 3, 4, 6 or 9 in 3D
  unsigned int n_corners; ///< 2; 3 or 4
  unsigned int piece;
  unsigned int cell;   ///< cell of this rank's list, or invalid_unsigned_int
  unsigned int face;   ///< number of the face in its cell
  double cell_measure; ///< area or volume of the cell behind it
};

/// A node and its share.
struct NodeWeight
{
  unsigned int node;
  double weight;
};

/// One connected piece of a body: a block.
template <int dim>
struct Piece
{
  /// A contiguous range of nodes. In a split body numbers within a piece are
  /// those of the body: first_node = 0, n_nodes = all nodes of the body.
  unsigned int first_node, n_nodes;
  unsigned int first_cell, n_cells;
  unsigned int rank; ///< the MPI rank that owns it, unless the body is split
  double volume;
  dealii::Point<dim> centroid;
};

/// A named linear elastic body: mesh, dofs, M and K. It may consist of any
/// number of disconnected pieces (the blocks of a wall), each owned by one MPI
/// rank. Nodes are numbered piece by piece and node n carries the dofs
/// dim*n ... dim*n+dim-1, so a piece is a contiguous range of every vector.
/// Geometry is replicated on all ranks, matrices and vectors are distributed.
template <int dim>
class SolidBody
{
public:
  /// @p piece_rank: the owner of each piece, ascending.
  SolidBody(const BodyParameters &body,
            const MaterialParameters &material,
            const Assumption assumption,
            MeshData<dim> mesh,
            const std::vector<unsigned int> &piece_rank,
            MPI_Comm communicator);

  SolidBody(const SolidBody &) = delete;

  const std::string &name() const
  {
    return body.name;
  }

  const BodyParameters &parameters() const
  {
    return body;
  }

  const MaterialParameters &material_parameters() const
  {
    return material;
  }

  const LinearElastic &elasticity() const
  {
    return law;
  }

  unsigned int n_nodes() const
  {
    return nodes.size();
  }

  unsigned int n_dofs() const
  {
    return dim * nodes.size();
  }

  bool owns_node(const unsigned int node) const
  {
    return node >= first_owned_node && node < end_owned_node;
  }

  /// Whether the cells are triangles or tetrahedra.
  bool has_simplices() const
  {
    return simplices;
  }

  /// The MPI rank that owns a node.
  unsigned int owner_of(const unsigned int node) const
  {
    return std::upper_bound(
               first_node_of_rank.begin(), first_node_of_rank.end(), node) -
           first_node_of_rank.begin() - 1;
  }

  /// Whether a node hangs on the edge or face of a coarser cell: it moves with
  /// other nodes, has no equation of its own (empty rows in mass and
  /// stiffness), and needs no contact candidate. Known on all ranks for all
  /// nodes.
  bool is_hanging(const unsigned int node) const
  {
    return !hanging_start.empty() &&
           hanging_start[node + 1] > hanging_start[node];
  }

  bool has_hanging_nodes() const
  {
    return !hanging_start.empty();
  }

  /// The free nodes that a node moves with: itself, or the masters of a hanging
  /// node: u_node = sum of weight u_master. None of them hangs. (Allocates:
  /// for use at the start.)
  std::vector<NodeWeight> resolve(const unsigned int node) const
  {
    if (!is_hanging(node))
      return { { node, 1. } };
    return { hanging_weights.begin() + hanging_start[node],
             hanging_weights.begin() + hanging_start[node + 1] };
  }

  /// Set the values of hanging nodes from those of the free ones; collective.
  void distribute(Vector &x) const;

  /// Entries of surfaces() by name; an empty name or "*" is the whole boundary.
  /// Throws InputError with the nearest name.
  const std::vector<unsigned int> &surface(const std::string &surface_name,
                                           const std::string &asked_by) const;

  std::vector<std::string> surface_names() const;

  /// Thickness, or 2 pi r for axisymmetric bodies.
  double out_of_plane(const dealii::Point<dim> &p) const;

  /// A vector of the body's layout, zero.
  Vector make_vector() const;

  Assumption assumption;
  MPI_Comm communicator;
  dealii::parallel::shared::Triangulation<dim> triangulation;
  std::unique_ptr<dealii::Mapping<dim>> mapping;
  std::unique_ptr<dealii::FESystem<dim>> fe;
  dealii::DoFHandler<dim> dof_handler;
  dealii::Quadrature<dim> quadrature;
  dealii::Quadrature<dim - 1> face_quadrature;
  dealii::IndexSet owned_dofs;
  std::vector<dealii::Point<dim>> nodes; ///< reference positions
  std::vector<unsigned int> node_piece;
  std::vector<Piece<dim>> pieces;
  std::vector<BodyFace> boundary;
  std::vector<unsigned int> cell_piece;
  std::vector<typename dealii::DoFHandler<dim>::active_cell_iterator> cells;
  unsigned int first_owned_node = 0, end_owned_node = 0;
  std::vector<unsigned int> first_node_of_rank; ///< and the number of nodes

  /// Pieces may span ranks: a rank owns a contiguous range of nodes that need
  /// not be whole pieces. Mass and stiffness have the owned dofs as rows.
  bool split = false;

  /// Number of each node that does not depend on the number of ranks; empty:
  /// the number itself does not.
  std::vector<unsigned int> node_id;

  /// The constraints of the hanging nodes' dofs, closed; only lines of this
  /// rank's nodes and of those its cells have.
  dealii::AffineConstraints<double> constraints;
  double smallest_edge = 0.; ///< shortest edge of any cell

  Matrix mass, stiffness;
  bool diagonal_mass = false;

private:
  void sort_nodes_by_piece(MeshData<dim> &mesh);
  void make_triangulation(const MeshData<dim> &mesh,
                          const std::vector<unsigned int> &piece_rank);
  void distribute_dofs();
  void make_boundary(const MeshData<dim> &mesh);
  void assemble_matrices();

  BodyParameters body;
  MaterialParameters material;
  LinearElastic law;
  bool simplices = false;
  /// Masters of hanging nodes by node; empty if nothing hangs.
  std::vector<unsigned int> hanging_start;
  std::vector<NodeWeight> hanging_weights;
  std::map<std::string, std::vector<unsigned int>> surfaces;
};
} // namespace delassus

#endif
