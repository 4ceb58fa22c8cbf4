#include <delassus/systems/find_surfaces.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
namespace
{
/// The sentence about a name that no surface has: the nearest name in the form
/// it is to be written in. After the slash the surfaces of that body are
/// compared; a plain name with bodies, @p others and surfaces of all bodies.
template <int dim>
std::string suggest_surface(const std::vector<const Skin<dim> *> &skins,
                            const std::string &text,
                            const std::vector<std::string> &others)
{
  const auto slash               = text.find('/');
  std::vector<std::string> plain = others, all = others;
  for (const auto &body : skins)
  {
    const auto surfaces = body->surface_names();
    if (slash != std::string::npos && text.substr(0, slash) == body->name())
    {
      const std::string near = nearest_name(text.substr(slash + 1), surfaces);
      if (!near.empty())
        return " Did you mean '" + body->name() + "/" + near + "'?";
    }
    plain.push_back(body->name());
    plain.insert(plain.end(), surfaces.begin(), surfaces.end());
    all.push_back(body->name());
    for (const auto &surface : surfaces)
      all.push_back(body->name() + "/" + surface);
  }
  const std::string wanted =
      slash == std::string::npos ? text : text.substr(slash + 1);
  const std::string near = nearest_name(wanted, plain);
  return near.empty() ? suggest_name(wanted, all)
                      : " Did you mean '" + near + "'?";
}
} // namespace

template <int dim>
std::vector<SurfaceReference>
find_surfaces(const std::vector<const Skin<dim> *> &skins,
              const std::string &text,
              const std::string &asked_by,
              const std::vector<std::string> &others)
{
  for (unsigned int b = 0; b < skins.size(); ++b)
    if (text == skins[b]->name())
      return { { b, "*" } };
  const auto slash = text.find('/');
  if (slash != std::string::npos)
  {
    for (unsigned int b = 0; b < skins.size(); ++b)
      if (text.substr(0, slash) == skins[b]->name())
      {
        const std::string surface = text.substr(slash + 1);
        const auto names          = skins[b]->surface_names();
        if (surface.empty() || surface == "*" ||
            std::find(names.begin(), names.end(), surface) != names.end())
          return { { b, surface } };
        throw InputError(
            fmt::format("{}: the mesh of body '{}' has no surface '{}'.{}",
                        asked_by,
                        skins[b]->name(),
                        surface,
                        suggest_surface(skins, text, others)));
      }
  }
  else
  {
    std::vector<SurfaceReference> found;
    for (unsigned int b = 0; b < skins.size(); ++b)
      for (const auto &surface : skins[b]->surface_names())
        if (surface == text)
          found.push_back({ b, surface });
    if (!found.empty())
      return found;
  }
  throw InputError(fmt::format("{}: there is no body{} or surface '{}'.{}",
                               asked_by,
                               others.empty() ? "" : ", obstacle",
                               text,
                               suggest_surface(skins, text, others)));
}

template std::vector<SurfaceReference>
find_surfaces<2>(const std::vector<const Skin<2> *> &,
                 const std::string &,
                 const std::string &,
                 const std::vector<std::string> &);
template std::vector<SurfaceReference>
find_surfaces<3>(const std::vector<const Skin<3> *> &,
                 const std::string &,
                 const std::string &,
                 const std::vector<std::string> &);
} // namespace delassus
