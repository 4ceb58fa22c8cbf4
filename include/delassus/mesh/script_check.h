#ifndef delassus_mesh_script_check_h
#define delassus_mesh_script_check_h

#include <set>
#include <string>

namespace delassus
{
/// Throws InputError, beginning with @p where and naming file, line and word,
/// unless the .geo script @p file only describes and meshes a shape: every word
/// in it must be a variable of its own, one of @p given, or a command known to
/// be harmless. Commands that start programs, write files, read the
/// environment or build names while they run are not, nor are options other
/// than those of geometry and mesh. What it includes and merges must lie in its
/// folder or below (where symbolic links lead to) and is checked as well.
///
/// Gmsh's scanner has corners where it takes up a script in the middle of a
/// string or a comment; scripts that come near them are refused.
void check_script(const std::string &file,
                  const std::set<std::string> &given,
                  const std::string &where);

/// Throws InputError, beginning with @p where, unless @p file is a mesh in
/// Gmsh's format 2 or 4: $MeshFormat with a known version first, nothing
/// outside $Section ... $EndSection. Gmsh runs what does not begin so as a
/// script, whatever its name.
void check_msh(const std::string &file, const std::string &where);

/// The same for .stl: text that begins with "solid" and has facets, or binary
/// of the length that its number of triangles says.
void check_stl(const std::string &file, const std::string &where);

/// Whether scripts and parameter files may set this option of Gmsh ("Mesh.X").
bool is_harmless_option(const std::string &name);
} // namespace delassus

#endif
