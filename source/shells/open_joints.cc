// Where a mesh of quads ends although the sheet seems to go on.
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/shells/shell_mesh.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace delassus
{
namespace
{
using Edge = std::array<unsigned int, 2>;

/// Share of an edge's length within which a node lies on it: files have few
/// digits.
constexpr double on_edge = 1e-6;

/// Boxes of a grid, by their numbers along the axes, and what is in them.
class Grid
{
public:
  explicit Grid(const double size)
      : size(size)
  {
  }

  void add(const Vector3 &x, const unsigned int node)
  {
    nodes[key(x)].push_back(node);
  }

  /// Calls see(node) for all nodes in the box from @p low to @p high.
  template <typename See>
  void visit(const Vector3 &low, const Vector3 &high, See &&see) const
  {
    const auto a = key(low), b = key(high);
    for (long i = a[0]; i <= b[0]; ++i)
      for (long j = a[1]; j <= b[1]; ++j)
        for (long k = a[2]; k <= b[2]; ++k)
        {
          const auto found = nodes.find({ { i, j, k } });
          if (found != nodes.end())
            for (const unsigned int node : found->second)
              see(node);
        }
  }

private:
  using Key = std::array<long, 3>;
  Key key(const Vector3 &x) const
  {
    return { { std::lround(x[0] / size),
               std::lround(x[1] / size),
               std::lround(x[2] / size) } };
  }

  const double size;
  std::map<Key, std::vector<unsigned int>> nodes;
};

std::string place(const Vector3 &x)
{
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}
} // namespace

std::vector<std::string> find_open_joints(const ShellMesh &mesh,
                                          const std::string &name)
{
  std::map<Edge, unsigned int> count, quad_of;
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
    for (unsigned int i = 0; i < 4; ++i)
    {
      const unsigned int a = mesh.quads[q][i], b = mesh.quads[q][(i + 1) % 4];
      const Edge edge{ { std::min(a, b), std::max(a, b) } };
      ++count[edge];
      quad_of[edge] = q;
    }
  // Ends of the sheet, and the nodes on them.
  std::vector<Edge> ends;
  std::map<unsigned int, std::vector<unsigned int>> next;
  double longest = 0.;
  for (const auto &[edge, n] : count)
    if (n == 1)
    {
      ends.push_back(edge);
      next[edge[0]].push_back(edge[1]);
      next[edge[1]].push_back(edge[0]);
      longest =
          std::max(longest, norm(mesh.nodes[edge[1]] - mesh.nodes[edge[0]]));
    }
  if (ends.empty())
    return {};
  Grid grid(longest);
  for (const auto &[node, others] : next)
    grid.add(mesh.nodes[node], node);

  std::size_t n_double = 0, n_beside = 0;
  Vector3 first_double{}, first_beside{};
  for (const auto &[a, b] : ends)
  {
    const Vector3 x = mesh.nodes[a], t = mesh.nodes[b] - x;
    const double length = norm(t);
    Vector3 low, high;
    for (unsigned int c = 0; c < 3; ++c)
    {
      low[c]  = x[c] + std::min(0., t[c]) - on_edge * length;
      high[c] = x[c] + std::max(0., t[c]) + on_edge * length;
    }
    bool at_a = false, at_b = false; // another node there
    grid.visit(
        low,
        high,
        [&, a = a, b = b](const unsigned int node)
        {
          if (node == a || node == b)
            return;
          const Vector3 r = mesh.nodes[node] - x;
          const double s  = dot(r, t) / (length * length);
          if (norm(r - s * t) > on_edge * length || s < -on_edge ||
              s > 1. + on_edge)
            return;
          at_a = at_a || s < on_edge;
          at_b = at_b || s > 1. - on_edge;
          if (s < on_edge || s > 1. - on_edge)
            return;
          const auto &others = next.at(node);
          const auto joined  = [&](const unsigned int end) {
            return std::find(others.begin(), others.end(), end) != others.end();
          };
          if (joined(a) || joined(b))
          {
            const unsigned int q =
                quad_of.at({ { std::min(a, b), std::max(a, b) } });
            throw InputError(fmt::format(
                "Shell {}: the node at {} hangs: it lies on an edge of element "
                "{} at {} and is none of its corners, so that the sheet is "
                "open there. Divide that element to meet its neighbours, or "
                "make two bodies of them, joined by a contact law of Type = "
                "tied.",
                name,
                place(mesh.nodes[node]),
                q,
                place(mesh.centre(q))));
          }
          if (n_beside++ == 0)
            first_beside = mesh.nodes[node];
        });
    if (at_a && at_b && n_double++ == 0)
      first_double = x + 0.5 * t;
  }
  std::vector<std::string> warnings;
  if (n_double > 0)
    warnings.push_back(fmt::format(
        "Shell {}: the sheet ends on an edge with other nodes in the same "
        "places "
        "at {}, the first near {}: nothing joins them there. In Gmsh "
        "'Coherence;' makes one curve of two.",
        name,
        counted(n_double, "edge"),
        place(first_double)));
  if (n_beside > 0)
    warnings.push_back(fmt::format("Shell {}: the sheet ends on an edge of "
                                   "another part of it with {}, the "
                                   "first at {}: nothing joins them there.",
                                   name,
                                   counted(n_beside, "node"),
                                   place(first_beside)));
  return warnings;
}
} // namespace delassus
