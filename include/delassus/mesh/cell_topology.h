#ifndef delassus_mesh_cell_topology_h
#define delassus_mesh_cell_topology_h

#include <delassus/mesh/mesh_data.h>

#include <array>
#include <unordered_map>
#include <vector>

namespace delassus
{
/// The local vertices of each face of a cell, every face seen from outside (see
/// NamedSurface) for a cell of positive measure; quadrilaterals in deal.II's
/// order. The faces come in deal.II's numbering.
const std::vector<std::vector<unsigned int>> &
outward_faces(const dealii::ReferenceCell &reference_cell);

/// "T3", "Q4", "Tet4", "H8".
std::string cell_kind_name(const dealii::ReferenceCell &reference_cell);

/// The smallest Jacobian determinant over the vertices of a cell: positive for
/// a valid cell (for simplices, exactly dim! times the measure).
template <int dim>
double smallest_jacobian(const std::vector<dealii::Point<dim>> &vertices,
                         const std::vector<unsigned int> &cell,
                         const dealii::ReferenceCell &reference_cell);

/// Area (2D) or volume (3D), signed.
template <int dim>
double cell_measure(const std::vector<dealii::Point<dim>> &vertices,
                    const std::vector<unsigned int> &cell,
                    const dealii::ReferenceCell &reference_cell);

/// Length (2D) or area (3D) of a face, times its outward normal.
template <int dim>
dealii::Tensor<1, dim>
face_area_vector(const std::vector<dealii::Point<dim>> &vertices,
                 const std::vector<unsigned int> &face);

/// Mean of the vertices, for messages and orientation.
template <int dim>
dealii::Point<dim> mean_point(const std::vector<dealii::Point<dim>> &vertices,
                              const std::vector<unsigned int> &indices);

/// A face by its sorted vertices: what identifies it whatever its orientation.
/// Triangles and lines leave the last entries at the largest index.
using FaceKey = std::array<unsigned int, 4>;

FaceKey face_key(const std::vector<unsigned int> &face);

struct FaceKeyHash
{
  std::size_t operator()(const FaceKey &key) const;
};

/// How many cells each face of the mesh has.
template <int dim>
std::unordered_map<FaceKey, unsigned int, FaceKeyHash>
count_cells_of_faces(const MeshData<dim> &mesh);

/// The boundary of a mesh: faces with exactly one cell, seen from outside, in
/// the order of cells and local faces.
struct BoundaryFace
{
  unsigned int cell;
  unsigned int local_face; ///< deal.II's number
  std::vector<unsigned int> vertices;
};

template <int dim>
std::vector<BoundaryFace> boundary_faces(const MeshData<dim> &mesh);
} // namespace delassus

#endif
