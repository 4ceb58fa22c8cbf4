#ifndef delassus_mesh_grid_in_reader_h
#define delassus_mesh_grid_in_reader_h

#include <delassus/mesh/raw_mesh.h>

#include <string>

namespace delassus
{
/// Read a mesh in one of the other formats deal.II knows, told by the name's
/// ending: .vtk, .vtu, .unv, .inp (Abaqus if it begins with '*', else UCD),
/// .ucd, .exo/.e (ExodusII), .xda. Boundary ids become surfaces called
/// "boundary N", material ids groups called "material N". Throws InputError
/// beginning with @p where.
template <int dim>
RawMesh<dim> read_with_grid_in(const std::string &file,
                               const std::string &where);
} // namespace delassus

#endif
