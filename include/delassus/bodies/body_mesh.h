#ifndef delassus_bodies_body_mesh_h
#define delassus_bodies_body_mesh_h

#include <delassus/mesh/element.h>
#include <delassus/mesh/mesh_data.h>
#include <delassus/parameters/parameters.h>
#include <delassus/systems/skin.h>

#include <deal.II/base/index_set.h>
#include <deal.II/lac/affine_constraints.h>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace delassus
{
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
  unsigned int first_cell, n_cells; ///< contiguous, unless the body is split
  unsigned int rank; ///< the MPI rank that owns it, unless the body is split
  double volume;
  dealii::Point<dim> centroid;
};

/// Which rank has which cells of a mesh that all ranks know.
struct Partition
{
  /// Whole pieces: the rank of each, ascending.
  Partition(const std::vector<unsigned int> &piece_rank)
      : piece_rank(piece_rank)
  {
  }

  bool is_split() const
  {
    return !cell_order.empty();
  }

  std::vector<unsigned int> piece_rank;

  /// Split pieces: the cells along a curve that keeps neighbours together,
  /// piece by piece, and the rank of each place on it, ascending.
  std::vector<unsigned int> cell_order, rank_of_place;
};

/// Share the cells of a mesh between ranks: the k-th of @p n_total cells of all
/// bodies, of which @p n_before belong to bodies before this one, goes to rank
/// k n_ranks / n_total. Pieces stay whole unless one is larger than the share
/// of a rank and has more than @p most_whole cells.
template <int dim>
Partition make_partition(const MeshData<dim> &mesh,
                         const double n_before,
                         const double n_total,
                         const unsigned int n_ranks,
                         const double most_whole = 0.);

/// The nodes, cells, boundary and pieces of a body, and who owns what. Node n
/// carries the dofs dim*n ... dim*n+dim-1; each rank owns a contiguous range of
/// nodes. Nodes, boundary and hanging nodes are known to all ranks.
template <int dim>
struct BodyMesh
{
  BodyMesh(const dealii::ReferenceCell &cell,
           const unsigned int degree,
           MPI_Comm communicator)
      : element(cell, degree)
      , communicator(communicator)
  {
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
    return element.is_simplex();
  }

  /// The MPI rank that owns a node.
  unsigned int owner_of(const unsigned int node) const
  {
    return std::upper_bound(
               first_node_of_rank.begin(), first_node_of_rank.end(), node) -
           first_node_of_rank.begin() - 1;
  }

  /// Cells this rank knows: all of the body, unless p4est holds the mesh; then
  /// those it owns.
  unsigned int n_cells() const
  {
    return cell_piece.size();
  }

  /// Nodes of a cell in the order of the element.
  const unsigned int *nodes_of_cell(const unsigned int cell) const
  {
    return &cell_nodes[std::size_t(cell) * element.n_nodes()];
  }

  /// Mean of the corners of a cell.
  dealii::Point<dim> centre_of_cell(const unsigned int cell) const;

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

  Element<dim> element;
  MPI_Comm communicator;
  std::vector<dealii::Point<dim>> nodes; ///< reference positions
  std::vector<unsigned int> node_piece;
  std::vector<Piece<dim>> pieces;
  std::vector<unsigned int> cell_nodes, cell_piece;
  std::vector<unsigned int> owned_cells;
  std::vector<SkinFace> boundary;
  std::map<std::string, std::vector<unsigned int>> surfaces; ///< "*": all
  unsigned int n_all_cells      = 0; ///< of the body on all ranks
  unsigned int first_owned_node = 0, end_owned_node = 0;
  std::vector<unsigned int> first_node_of_rank; ///< and the number of nodes
  dealii::IndexSet owned_dofs;
  /// Of the owned nodes, of those of its cells and, where all ranks know all
  /// cells, of all cells that owned nodes belong to.
  dealii::IndexSet relevant_dofs;
  double smallest_edge = 0.; ///< shortest edge of any cell

  /// Pieces may span ranks: a rank owns a contiguous range of nodes that need
  /// not be whole pieces. Mass and stiffness have the owned dofs as rows.
  bool split = false;

  /// Each rank knows its own cells only.
  bool distributed = false;

  /// Number of each node that does not depend on the number of ranks; empty:
  /// the number itself does not.
  std::vector<unsigned int> node_id;

  /// The constraints of the hanging nodes' dofs, closed; only lines of this
  /// rank's nodes and of those its cells have.
  dealii::AffineConstraints<double> constraints;

  /// Masters of hanging nodes by node; empty if nothing hangs.
  std::vector<unsigned int> hanging_start;
  std::vector<NodeWeight> hanging_weights;

protected:
  /// Owned and relevant dofs, from the ranges of nodes and the owned cells.
  void make_index_sets();
};

/// A mesh that every rank knows as a whole. Nodes are numbered piece by piece
/// in the order of the mesh's vertices, so that a piece is a contiguous range
/// of every vector and congruent pieces are numbered alike; if pieces are
/// split, along the curve of the partition.
template <int dim>
BodyMesh<dim> make_shared_mesh(const MeshData<dim> &mesh,
                               const unsigned int degree,
                               const Partition &partition,
                               MPI_Comm communicator);

/// A mesh held and refined by p4est: @p mesh holds its coarse cells. Each rank
/// knows its own cells; node numbers do not depend on the number of ranks. New
/// nodes lie on the shape of the coarse cells (CellGeometry), hanging nodes on
/// the edges and faces they hang on.
template <int dim>
BodyMesh<dim> make_distributed_mesh(const MeshData<dim> &mesh,
                                    const BodyParameters &body,
                                    MPI_Comm communicator);
} // namespace delassus

#endif
