#ifndef delassus_mesh_sheet_cells_h
#define delassus_mesh_sheet_cells_h

#include <delassus/mesh/mesh_data.h>

#include <string>

namespace delassus
{
/// Turn the hexahedra of a sheet, one through its thickness, so that their
/// third direction goes through it, in all cells of a connected sheet from the
/// same side to the other. Which one it is, is told by
///   - surfaces named 'inner' and 'outer', if the mesh has both: from the one
///   to
///     the other;
///   - the only pair of opposite faces that both are boundary;
///   - the neighbours, across whose common faces it goes on;
///   - where all this says nothing, as in strips that are one cell wide, that
///   of
///     the pairs of opposite boundary faces which is larger by a tenth at
///     least.
/// Throws InputError, beginning with @p where and naming the place of the cell,
/// where it cannot be told, where two cells disagree, and for other cells than
/// hexahedra.
void turn_sheet_cells(MeshData<3> &mesh, const std::string &where);
} // namespace delassus

#endif
