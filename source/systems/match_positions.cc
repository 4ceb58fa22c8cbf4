#include <delassus/systems/match_positions.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace delassus
{
std::vector<unsigned int>
match_positions(const unsigned int dim,
                const std::vector<double> &from,
                const std::vector<unsigned int> &from_label,
                const std::vector<double> &to,
                const std::vector<unsigned int> &to_label)
{
  constexpr unsigned int none = std::numeric_limits<unsigned int>::max();
  double extent               = 0.;
  for (const double x : from)
    extent = std::max(extent, std::abs(x));
  // Rounding moves a position by 1e-16 of the extent, cells are much larger.
  const double tolerance = extent > 0. ? 1e-10 * extent : 1.;
  const double size      = 4. * tolerance;

  // Points by the cell of a grid that they lie in.
  const auto cell_key = [&](const unsigned int label,
                            const std::int64_t *cell) -> std::uint64_t
  {
    std::uint64_t key = label + 0x9e3779b97f4a7c15ull;
    for (unsigned int c = 0; c < dim; ++c)
    {
      key ^= static_cast<std::uint64_t>(cell[c]);
      key *= 0xff51afd7ed558ccdull;
      key ^= key >> 32;
    }
    return key;
  };
  std::vector<std::pair<std::uint64_t, unsigned int>> table(from_label.size());
  std::int64_t cell[3] = { 0, 0, 0 };
  for (unsigned int i = 0; i < from_label.size(); ++i)
  {
    for (unsigned int c = 0; c < dim; ++c)
      cell[c] = std::llround(from[dim * i + c] / size);
    table[i] = { cell_key(from_label[i], cell), i };
  }
  std::sort(table.begin(), table.end());

  std::vector<bool> taken(from_label.size(), false);
  std::vector<unsigned int> result(to_label.size(), none);
  unsigned int n_neighbours = 1;
  for (unsigned int c = 0; c < dim; ++c)
    n_neighbours *= 3;
  for (unsigned int i = 0; i < to_label.size(); ++i)
    for (unsigned int k = 0; k < n_neighbours; ++k)
    {
      // The cell itself first (offsets 0, 1, -1): nearly always enough.
      unsigned int digits = k;
      for (unsigned int c = 0; c < dim; ++c, digits /= 3)
        cell[c] = std::llround(to[dim * i + c] / size) +
                  (digits % 3 == 2 ? -1 : static_cast<int>(digits % 3));
      const std::uint64_t key = cell_key(to_label[i], cell);
      auto found =
          std::lower_bound(table.begin(), table.end(), std::make_pair(key, 0u));
      for (; found != table.end() && found->first == key; ++found)
      {
        const unsigned int j = found->second;
        bool same            = !taken[j] && from_label[j] == to_label[i];
        for (unsigned int c = 0; c < dim && same; ++c)
          same = std::abs(from[dim * j + c] - to[dim * i + c]) <= tolerance;
        if (same)
          break;
      }
      if (found != table.end() && found->first == key)
      {
        result[i]            = found->second;
        taken[found->second] = true;
        break;
      }
    }
  return result;
}
} // namespace delassus
