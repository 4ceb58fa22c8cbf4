// What turns a sheet about its normal has no effect.
#include <delassus/base/text.h>
#include <delassus/shell_systems/building/sheet_conditions.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace delassus
{
std::vector<std::string> SheetConditions::find_drilling(
    const std::function<const Vector3 *(unsigned int)> &director) const
{
  // Directions of which less than this goes to the tangents.
  constexpr double along         = 1e-6;
  constexpr unsigned int n_times = 4;
  const auto instant             = [&](const unsigned int i)
  {
    return time.start_time +
           (time.end_time - time.start_time) * i / double(n_times);
  };
  std::set<unsigned int> loaded, turned;
  for (const auto &load : all_loads)
  {
    const Vector3 *d = load.is_moment ? director(load.node) : nullptr;
    if (d == nullptr)
      continue;
    bool any = false, all = true;
    for (unsigned int i = 1; i <= n_times; ++i)
    {
      const Vector3 M   = load.value(instant(i));
      const double size = norm(M);
      any               = any || size > 0.;
      all               = all && norm(cross(M, *d)) <= along * size;
    }
    if (any && all)
      loaded.insert(load.node);
  }
  for (const auto &[key, prescribed] : all_prescribed)
  {
    const int axis = static_cast<int>(prescribed.component) - 3;
    const Vector3 *d =
        axis >= 0 && prescribed.value ? director(prescribed.node) : nullptr;
    if (d == nullptr || !(std::abs((*d)[axis]) > 1. - along))
      continue;
    for (unsigned int i = 1; i <= n_times; ++i)
      if (prescribed.value(instant(i)) != 0.)
        turned.insert(prescribed.node);
  }
  std::vector<std::string> warnings;
  const auto warn = [&](const std::set<unsigned int> &nodes, const char *what)
  {
    if (nodes.empty())
      return;
    const Vector3 &x = sheet.mesh.nodes[*nodes.begin()];
    warnings.push_back(fmt::format(
        "body '{}': {} at {}, the first at ({:.6g}, {:.6g}, {:.6g}), is about "
        "the normal of the sheet there, about which it has no stiffness: it "
        "has no effect unless the sheet turns. A couple of forces in the plane "
        "would have.",
        name,
        what,
        counted(nodes.size(), "node"),
        x[0],
        x[1],
        x[2]));
  };
  warn(loaded, "a moment");
  warn(turned, "a rotation that is prescribed");
  return warnings;
}
} // namespace delassus
