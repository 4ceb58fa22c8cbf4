#ifndef delassus_mesh_check_mesh_h
#define delassus_mesh_check_mesh_h

#include <delassus/mesh/mesh_data.h>

#include <string>

namespace delassus
{
/// Throws InputError, beginning with @p where, if the mesh cannot be computed
/// with: no cells, coordinates that are not numbers, cells that repeat a
/// vertex, are flat, twisted or inverted, cells given twice, faces shared by
/// more than two cells, surface faces that are not on the boundary.
template <int dim>
void check_mesh(const MeshData<dim> &mesh, const std::string &where);

/// Throws InputError if a cell of degree 2 folds: its Jacobian is not positive
/// at one of its nodes.
template <int dim>
void check_curved_cells(const MeshData<dim> &mesh, const std::string &where);

/// "(0.1, 0.25)".
template <int dim>
std::string to_text(const dealii::Point<dim> &point);
} // namespace delassus

#endif
