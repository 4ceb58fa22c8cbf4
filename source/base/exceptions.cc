#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>

#include <algorithm>
#include <numeric>

namespace delassus
{
namespace
{
/// Levenshtein's distance where two neighbours that changed places count as one
/// mistake, three rows of the table at a time.
std::size_t edit_distance(const std::string &a, const std::string &b)
{
  std::vector<std::size_t> older(b.size() + 1), previous(b.size() + 1),
      current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t(0));
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    current[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j)
    {
      current[j + 1] = std::min({ previous[j + 1] + 1,
                                  current[j] + 1,
                                  previous[j] + (a[i] == b[j] ? 0 : 1) });
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        current[j + 1] = std::min(current[j + 1], older[j - 1] + 1);
    }
    std::swap(older, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}
} // namespace

std::string nearest_name(const std::string &name,
                         const std::vector<std::string> &names)
{
  // Nobody means a name of that length, and the table would be large.
  if (name.size() > 200)
    return "";
  const std::string wanted = lower_case(name);
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2);
  for (const auto &candidate : names)
  {
    const std::size_t distance = edit_distance(wanted, lower_case(candidate));
    if (distance < best_distance)
    {
      best_distance = distance;
      best          = candidate;
    }
  }
  return best;
}

std::string suggest_name(const std::string &name,
                         const std::vector<std::string> &names)
{
  const std::string best = nearest_name(name, names);
  if (!best.empty())
    return " Did you mean '" + best + "'?";
  if (names.empty())
    return "";
  std::string list;
  constexpr unsigned int most = 20;
  for (std::size_t i = 0; i < names.size() && i < most; ++i)
    list += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most)
    list += ", ... (" + std::to_string(names.size()) + " in all)";
  return " Known: " + list + ".";
}
} // namespace delassus
