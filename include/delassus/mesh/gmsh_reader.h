#ifndef delassus_mesh_gmsh_reader_h
#define delassus_mesh_gmsh_reader_h

#include <delassus/mesh/raw_mesh.h>

#include <map>
#include <string>

namespace delassus
{
/// Run a .geo script (with the numbers set first) and mesh it in dimension dim,
/// or read a .msh file of format 2 or 4, in a child process; on this rank
/// alone. Scripts are checked (check_script()) and confined unless @p
/// allow_scripts. Gmsh's crashes, aborts and endless loops are InputErrors too.
///
/// The numbers replace the values of constants the script leaves open:
/// `DefineConstant[ n = 3 ];`, `DefineConstant[ n = {3, Name "Mesh/n"} ];` (as
/// "n" or as "Mesh/n"), or `If(!Exists(n)) n = 3; EndIf`. A number that the
/// script does not have, or sets itself with a plain `n = 3;`, is an
/// InputError.
///
/// Physical groups are called by their names (those without a name by their
/// number), bytes that are not UTF-8 as "\xE4". Throws InputError beginning
/// with @p where, with Gmsh's message, or with @p where_numbers if a number is
/// wrong.
template <int dim>
RawMesh<dim> read_gmsh(const std::string &file,
                       const std::map<std::string, double> &numbers,
                       bool allow_scripts,
                       const std::string &where,
                       const std::string &where_numbers);

/// Lines (2D) or triangles and quadrilaterals (3D) of a .geo script, a .msh or
/// an .stl file, by physical group (all of them in one group without a name if
/// there are no groups).
template <int dim>
RawMesh<dim> read_gmsh_surface(const std::string &file,
                               bool allow_scripts,
                               const std::string &where);

/// Triangles and quadrilaterals in space of a .geo script, a .msh or an .stl
/// file, by physical group (all of them in one group without a name if there
/// are no groups); groups of lines and of points are its surfaces.
RawMesh<3> read_gmsh_sheet(const std::string &file,
                           const std::map<std::string, double> &numbers,
                           bool allow_scripts,
                           const std::string &where,
                           const std::string &where_numbers);
} // namespace delassus

#endif
