#ifndef delassus_bodies_solid_body_h
#define delassus_bodies_solid_body_h

#include <delassus/materials/linear_elastic.h>
#include <delassus/mesh/mesh_data.h>
#include <delassus/parameters/parameters.h>

#include <deal.II/distributed/shared_tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/hp/q_collection.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
using Vector = dealii::TrilinosWrappers::MPI::Vector;
using Matrix = dealii::TrilinosWrappers::SparseMatrix;

/// A face of the boundary. Its nodes are ordered so that the normal points out
/// of the body: in 2D the segment turned by -90 degrees, in 3D
/// counter-clockwise seen from outside.
struct BodyFace
{
  std::array<unsigned int, 4> nodes;
  unsigned int n_nodes;
  unsigned int piece;
  unsigned int cell; ///< active cell index
  unsigned int face; ///< number of the face in its cell
};

/// One connected piece of a body: a block.
template <int dim>
struct Piece
{
  unsigned int first_node, n_nodes;
  unsigned int first_cell, n_cells;
  unsigned int rank; ///< the MPI rank that owns it
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
  std::map<std::string, std::vector<unsigned int>> surfaces;
};
} // namespace delassus

#endif
