#ifndef delassus_systems_find_surfaces_h
#define delassus_systems_find_surfaces_h

#include <delassus/systems/skin.h>

namespace delassus
{
/// What the user names "body/surface", "surface" (of all bodies that have one
/// of this name) or "body" (its whole boundary), resolved.
struct SurfaceReference
{
  unsigned int body;   ///< number of the skin
  std::string surface; ///< "*": the whole boundary
};

/// Resolve @p text. Throws InputError beginning with @p asked_by with the
/// nearest name; @p others, obstacles, are compared too.
template <int dim>
std::vector<SurfaceReference>
find_surfaces(const std::vector<const Skin<dim> *> &skins,
              const std::string &text,
              const std::string &asked_by,
              const std::vector<std::string> &others = {});
} // namespace delassus

#endif
