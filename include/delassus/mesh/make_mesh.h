#ifndef delassus_mesh_make_mesh_h
#define delassus_mesh_make_mesh_h

#include <delassus/mesh/mesh_data.h>
#include <delassus/parameters/parameters.h>

namespace delassus
{
/// The mesh of @p body from its file or generator, checked: positive cell
/// measures, one kind of cell, no duplicate cells, surfaces made of boundary
/// faces. Throws InputError naming the body, the file and what is wrong.
template <int dim>
MeshData<dim> make_mesh(const BodyParameters &body);
} // namespace delassus

#endif
