#ifndef delassus_bodies_solid_body_h
#define delassus_bodies_solid_body_h

#include <delassus/bodies/body_mesh.h>
#include <delassus/materials/linear_elastic.h>
#include <delassus/mesh/mesh_data.h>
#include <delassus/parameters/parameters.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <memory>
#include <string>
#include <vector>

namespace delassus
{
using Vector = dealii::TrilinosWrappers::MPI::Vector;
using Matrix = dealii::TrilinosWrappers::SparseMatrix;

/// A named linear elastic body: mesh (BodyMesh), M and K. It may consist of any
/// number of disconnected pieces (the blocks of a wall). Each is owned by one
/// MPI rank and a contiguous range of every vector, unless the body is split.
/// Geometry is replicated on all ranks, matrices and vectors are distributed.
/// Displacements and geometry have the same element, of degree 1 or 2. M and K
/// are condensed: hanging nodes have empty rows and columns.
template <int dim>
class SolidBody : public BodyMesh<dim>, public Skin<dim>
{
public:
  /// @p mesh: of the body's degree, as make_mesh() gives it.
  SolidBody(const BodyParameters &body,
            const MaterialParameters &material,
            const Assumption assumption,
            const MeshData<dim> &mesh,
            const Partition &partition,
            MPI_Comm communicator);

  SolidBody(const SolidBody &) = delete;

  const std::string &name() const override
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

  // Skin: the carriers are the nodes; those that hang depend on their masters.
  const std::vector<unsigned int> &
  surface(const std::string &surface_name,
          const std::string &asked_by) const override;
  std::vector<std::string> surface_names() const override;
  const std::vector<SkinFace> &skin_faces() const override
  {
    return this->boundary;
  }
  typename Skin<dim>::Carrier carrier(const unsigned int node) const override
  {
    return { this->nodes[node],
             this->node_piece[node],
             this->owner_of(node),
             this->is_hanging(node) };
  }
  std::vector<CarrierWeight> masters(const unsigned int node) const override;
  unsigned int number_in_piece(const unsigned int node) const override
  {
    return node - this->pieces[this->node_piece[node]].first_node;
  }
  unsigned int n_pieces() const override
  {
    return this->pieces.size();
  }
  unsigned int piece_owner(const unsigned int piece) const override
  {
    return this->pieces[piece].rank;
  }
  bool is_split() const override
  {
    return this->split;
  }
  dealii::Point<dim> piece_centre(const unsigned int piece) const override
  {
    return this->pieces[piece].centroid;
  }
  bool is_of_simplices() const override
  {
    return this->has_simplices();
  }
  double out_of_plane(const dealii::Point<dim> &p) const override;

  /// A vector of the body's layout, zero.
  Vector make_vector() const;

  /// Set the values of hanging nodes from those of the free ones; collective.
  void distribute(Vector &x) const;

  /// The dofs that a local contribution to nodes goes to, hanging nodes
  /// replaced by their masters, and the contribution condensed for them.
  /// Called with the nodes of a cell or face and a force of dim values a node;
  /// adds to @p target, wherever the masters are owned.
  void add_force(const unsigned int n_nodes,
                 const unsigned int *nodes,
                 const std::vector<double> &force,
                 Vector &target) const;

  Assumption assumption;
  Matrix mass, stiffness;
  bool diagonal_mass = false;

private:
  void measure_pieces();
  void assemble_matrices();

  BodyParameters body;
  MaterialParameters material;
  LinearElastic law;
};

/// The values of a body's vector at the nodes of this rank's cells, whoever
/// owns them; making it is collective.
template <int dim>
class NodalValues
{
public:
  NodalValues(const SolidBody<dim> &body, const Vector &x);

  double operator()(const unsigned int dof) const
  {
    return ghosted ? (*ghosted)(dof) : values[dof - first];
  }

private:
  std::unique_ptr<Vector> ghosted;
  const double *values = nullptr;
  unsigned int first   = 0;
};
} // namespace delassus

#endif
