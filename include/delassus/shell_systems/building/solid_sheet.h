#ifndef delassus_shell_systems_building_solid_sheet_h
#define delassus_shell_systems_building_solid_sheet_h

#include <delassus/mesh/mesh_data.h>
#include <delassus/parameters/parameters.h>

namespace delassus
{
/// Whether the mesh of a solid shell is generated from that of its middle
/// surface.
bool is_generated_sheet(const BodyParameters &body);

/// The mesh of such a body: the generated quadrilaterals of its middle surface
/// (see make_sheet_mesh()) moved by half the thickness along the exact normals,
/// one hexahedron for each. Surfaces are 'outer', to which normals point,
/// 'inner', and the edges by their names.
MeshData<3> make_solid_sheet(const BodyParameters &body, const double memory);
} // namespace delassus

#endif
