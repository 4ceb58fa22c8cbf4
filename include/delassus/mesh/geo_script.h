#ifndef delassus_mesh_geo_script_h
#define delassus_mesh_geo_script_h

#include <set>
#include <string>

namespace delassus
{
/// What the text of a .geo script (and of the scripts it includes) says about
/// its numbers; Gmsh itself accepts any number silently.
struct GeoScript
{
  explicit GeoScript(const std::string &file);

  /// Names that can be set from outside: the variables of DefineConstant[...],
  /// their ONELAB names, and those asked for with Exists(...).
  std::set<std::string> settable;

  /// All identifiers of the script, and those assigned outside DefineConstant.
  std::set<std::string> words, assigned;

  /// Whether a number of this name can be passed to Gmsh's -setnumber.
  static bool is_identifier(const std::string &name);

private:
  void read(const std::string &file, unsigned int depth);
};
} // namespace delassus

#endif
