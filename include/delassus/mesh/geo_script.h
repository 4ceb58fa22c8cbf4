#ifndef delassus_mesh_geo_script_h
#define delassus_mesh_geo_script_h

#include <delassus/mesh/geo_tokens.h>

#include <set>
#include <string>
#include <vector>

namespace delassus
{
/// What the text of a .geo script (and of the scripts it includes) says about
/// its numbers; Gmsh itself accepts any number silently.
struct GeoScript
{
  /// Throws InputError, beginning with @p where, if the script cannot be read;
  /// those that it includes are passed over then.
  GeoScript(const std::string &file, const std::string &where);

  /// Names that can be set from outside: the variables of DefineConstant[...],
  /// their ONELAB names, and those asked for with Exists(...).
  std::set<std::string> settable;

  /// All identifiers of the script, and those assigned outside DefineConstant.
  std::set<std::string> words, assigned;

private:
  void read(const std::string &file, const std::string &where);
  void look_at(const std::vector<GeoToken> &tokens, const std::string &file);

  std::set<std::string> seen; ///< files
};

/// The bytes of a script. Throws InputError, beginning with @p where.
std::string read_script(const std::string &file, const std::string &where);

/// What @p name in the script @p from means: from the root, or beside it.
std::string path_in_script(const std::string &name, const std::string &from);
} // namespace delassus

#endif
