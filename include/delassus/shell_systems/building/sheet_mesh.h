#ifndef delassus_shell_systems_building_sheet_mesh_h
#define delassus_shell_systems_building_sheet_mesh_h

#include <delassus/parameters/parameters.h>
#include <delassus/shells/shell_mesh.h>

namespace delassus
{
/// Quads, edges or points of a sheet under one name.
struct SheetPart
{
  std::string name;
  std::vector<unsigned int> nodes; ///< ascending, each once
  std::vector<std::array<unsigned int, 2>> edges;
  std::vector<unsigned int> quads; ///< ascending; empty: edges or points
};

/// The mesh of a body of type shell, and what has a name in it: of generated
/// meshes their edges (left, right, bottom, top; rim, hole), of files their
/// physical groups, of all "boundary", the edges that one quad has.
struct SheetMesh
{
  ShellMesh mesh;
  std::vector<SheetPart> parts;
  unsigned int n_turned = 0; ///< quads, so that normals agree

  /// Null: there is none.
  const SheetPart *find(const std::string &name) const;
  std::vector<std::string> part_names() const;
};

/// From its file or generator; rank 0 reads files. Throws InputError naming the
/// body, the file and what is wrong, also if the quads are seen not to fit into
/// @p memory bytes (0: no limit).
SheetMesh make_sheet_mesh(const ShellParameters &shell, const double memory);
} // namespace delassus

#endif
