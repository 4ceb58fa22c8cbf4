#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/shells/shell_mesh.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace delassus
{
namespace
{
using Edge = std::array<unsigned int, 2>;

/// A quad at an edge, and whether it runs along it from the smaller number to
/// the larger one.
struct Side
{
  unsigned int quad;
  bool ascending;
};

std::map<Edge, std::vector<Side>> sides_of_edges(const ShellMesh &mesh)
{
  std::map<Edge, std::vector<Side>> edges;
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
    for (unsigned int i = 0; i < 4; ++i)
    {
      const unsigned int a = mesh.quads[q][i], b = mesh.quads[q][(i + 1) % 4];
      edges[{ { std::min(a, b), std::max(a, b) } }].push_back({ q, a < b });
    }
  return edges;
}

std::string place(const Vector3 &x)
{
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

std::string
who(const ShellMesh &mesh, const unsigned int quad, const std::string &name)
{
  return fmt::format(
      "Shell {}: element {} at {}", name, quad, place(mesh.centre(quad)));
}

/// (next - this) x (previous - this), the normal in a corner times the area of
/// its parallelogram.
Vector3 corner_normal(const std::array<Vector3, 4> &x, const unsigned int i)
{
  return cross(x[(i + 1) % 4] - x[i], x[(i + 3) % 4] - x[i]);
}

Vector3 middle_normal(const std::array<Vector3, 4> &x)
{
  return cross(x[2] - x[0], x[3] - x[1]);
}

/// Union-find: the representative of @p i.
unsigned int root_of(std::vector<unsigned int> &parent, unsigned int i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

/// Groups of corners (4 quad + corner) at a node that have no edge in common,
/// as elements that meet in a corner only: if the normals of all groups at the
/// node agree, they are one. Three rotations with directors that are all
/// parallel would leave the turning about them without stiffness: where normals
/// are opposite the mesh is refused.
void join_at_nodes(const ShellMesh &mesh,
                   const double cosine,
                   std::vector<unsigned int> &parent,
                   const std::string &name)
{
  std::vector<std::vector<unsigned int>> groups(mesh.nodes.size());
  for (unsigned int c = 0; c < parent.size(); ++c)
  {
    auto &of_node        = groups[mesh.quads[c / 4][c % 4]];
    const unsigned int g = root_of(parent, c);
    if (std::find(of_node.begin(), of_node.end(), g) == of_node.end())
      of_node.push_back(g);
  }
  std::vector<Vector3> normal(parent.size(), Vector3{ { 0., 0., 0. } });
  for (unsigned int c = 0; c < parent.size(); ++c)
    if (groups[mesh.quads[c / 4][c % 4]].size() > 1)
    {
      Vector3 &n = normal[root_of(parent, c)];
      n          = n + unit(corner_normal(mesh.corners(c / 4), c % 4));
    }
  for (unsigned int n = 0; n < mesh.nodes.size(); ++n)
  {
    const auto &of_node = groups[n];
    bool all_agree = of_node.size() > 1, all_parallel = all_agree;
    for (std::size_t i = 1; i < of_node.size(); ++i)
    {
      const double c = dot(unit(normal[of_node[0]]), unit(normal[of_node[i]]));
      all_agree      = all_agree && c >= cosine;
      all_parallel   = all_parallel && std::abs(c) >= cosine;
    }
    if (all_agree)
      for (const unsigned int g : of_node)
        parent[g] = of_node[0];
    else if (all_parallel)
      throw InputError(fmt::format(
          "{}: elements that meet only in its corner {} have opposite normals, "
          "so that nothing resists turning about them. Turn elements of the "
          "mesh around, or join them along an edge.",
          who(mesh, of_node[0] / 4, name),
          place(mesh.nodes[n])));
  }
}
} // namespace

Vector3 ShellMesh::centre(const unsigned int quad) const
{
  const auto x = corners(quad);
  return 0.25 * (x[0] + x[1] + x[2] + x[3]);
}

unsigned int orient(ShellMesh &mesh, const std::string &name)
{
  const auto edges = sides_of_edges(mesh);
  struct Neighbour
  {
    unsigned int quad;
    bool opposed; ///< both run along their edge the same way
  };
  std::vector<std::vector<Neighbour>> neighbours(mesh.quads.size());
  for (const auto &edge : edges)
    if (edge.second.size() == 2)
    {
      const Side &a = edge.second[0], &b = edge.second[1];
      const bool opposed = a.ascending == b.ascending;
      neighbours[a.quad].push_back({ b.quad, opposed });
      neighbours[b.quad].push_back({ a.quad, opposed });
    }
  enum : char
  {
    unknown,
    kept,
    turned
  };
  std::vector<char> state(mesh.quads.size(), unknown);
  std::vector<unsigned int> todo;
  unsigned int n_turned = 0;
  for (unsigned int first = 0; first < mesh.quads.size(); ++first)
  {
    if (state[first] != unknown)
      continue;
    state[first] = kept;
    todo.assign(1, first);
    while (!todo.empty())
    {
      const unsigned int quad = todo.back();
      todo.pop_back();
      for (const Neighbour &other : neighbours[quad])
      {
        const char wanted =
            (state[quad] == turned) != other.opposed ? turned : kept;
        if (state[other.quad] == unknown)
        {
          state[other.quad] = wanted;
          todo.push_back(other.quad);
        }
        else if (state[other.quad] != wanted)
          throw InputError(
              who(mesh, other.quad, name) +
              ": its normal cannot agree with those of all its neighbours, so "
              "the surface has one side only (a Moebius strip). Divide it, or "
              "leave elements out.");
      }
    }
  }
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
    if (state[q] == turned)
    {
      std::swap(mesh.quads[q][1], mesh.quads[q][3]);
      ++n_turned;
    }
  return n_turned;
}

std::vector<unsigned int> number_pieces(const ShellMesh &mesh)
{
  std::vector<unsigned int> parent(mesh.nodes.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&parent](const unsigned int i)
  { return root_of(parent, i); };
  for (const auto &quad : mesh.quads)
    for (const unsigned int node : quad)
      parent[root(node)] = root(quad[0]);
  std::vector<unsigned int> number(mesh.nodes.size(), -1u), piece;
  unsigned int n_pieces = 0;
  for (const auto &quad : mesh.quads)
  {
    unsigned int &k = number[root(quad[0])];
    if (k == -1u)
      k = n_pieces++;
    piece.push_back(k);
  }
  return piece;
}

std::vector<std::string> check_shell_mesh(const ShellMesh &mesh,
                                          const std::vector<double> &thickness,
                                          const std::string &name)
{
  unsigned int n_thick = 0, thick = 0;
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
  {
    for (const unsigned int node : mesh.quads[q])
      if (node >= mesh.nodes.size())
        throw InputError(fmt::format("Shell {}: element {} has node {}, but "
                                     "there are {} nodes only.",
                                     name,
                                     q,
                                     node,
                                     mesh.nodes.size()));
    const auto x = mesh.corners(q);
    double size2 = 0.;
    for (unsigned int i = 0; i < 4; ++i)
      for (unsigned int j = 0; j < i; ++j)
        size2 = std::max(size2, dot(x[i] - x[j], x[i] - x[j]));
    const Vector3 n = middle_normal(x);
    // Areas are differences of products of coordinates.
    constexpr double rounding = 1e-10;
    double shortest2          = size2;
    for (unsigned int i = 0; i < 4; ++i)
      shortest2 = std::min(shortest2,
                           dot(x[i] - x[(i + 1) % 4], x[i] - x[(i + 1) % 4]));
    if (!(norm(n) > rounding * size2) ||
        !(shortest2 > rounding * rounding * size2))
      throw InputError(who(mesh, q, name) +
                       " is degenerate: two of its corners are the same, or "
                       "all are on one line.");
    for (unsigned int i = 0; i < 4; ++i)
    {
      const Vector3 c     = corner_normal(x, i);
      const double cosine = dot(c, n) / (norm(c) * norm(n));
      if (!(norm(c) > rounding * size2) || !(cosine > 0.))
        throw InputError(
            fmt::format("{} is folded over, or not convex, at its corner {}.",
                        who(mesh, q, name),
                        place(x[i])));
      if (cosine < 0.5)
        throw InputError(fmt::format(
            "{} is warped: the normal at its corner {} is off the mean one by "
            "{:.3g} degrees, and 60 are allowed. Use smaller elements.",
            who(mesh, q, name),
            place(x[i]),
            std::acos(cosine) * 180. / 3.14159265358979323846));
    }
    if (!(thickness[q] > 0.))
      throw InputError(fmt::format("{} has the thickness {}: it is to be "
                                   "positive.",
                                   who(mesh, q, name),
                                   thickness[q]));
    if (thickness[q] * thickness[q] > 0.5 * norm(n))
    {
      if (n_thick == 0)
        thick = q;
      ++n_thick;
    }
  }
  std::vector<std::string> warnings;
  if (n_thick > 0)
    warnings.push_back(fmt::format(
        "{} is thicker ({:.4g}) than wide{}: a shell is thin, and such "
        "elements show no more than solids would.",
        who(mesh, thick, name),
        thickness[thick],
        n_thick > 1 ? fmt::format(", as are {} others", n_thick - 1) : ""));
  return warnings;
}

ShellDirectors make_directors(const ShellMesh &mesh,
                              const double fold_angle,
                              const std::string &name)
{
  // Corners that have a smooth edge in common are one group.
  std::vector<unsigned int> parent(4 * mesh.quads.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&parent](const unsigned int i)
  { return root_of(parent, i); };
  const auto corner_of =
      [&mesh](const unsigned int quad, const unsigned int node)
  {
    const auto &q = mesh.quads[quad];
    return static_cast<unsigned int>(std::find(q.begin(), q.end(), node) -
                                     q.begin());
  };
  // Below a thousandth of a radian nothing resists turning about the normals.
  constexpr double least_fold = 1e-3;
  const double cosine         = std::cos(std::max(fold_angle, least_fold));
  for (const auto &edge : sides_of_edges(mesh))
    if (edge.second.size() == 2)
      for (const unsigned int node : edge.first)
      {
        unsigned int index[2];
        Vector3 n[2];
        for (unsigned int k = 0; k < 2; ++k)
        {
          const unsigned int quad = edge.second[k].quad,
                             i    = corner_of(quad, node);
          index[k]                = 4 * quad + i;
          n[k]                    = unit(corner_normal(mesh.corners(quad), i));
        }
        if (dot(n[0], n[1]) >= cosine)
          parent[root(index[0])] = root(index[1]);
      }

  join_at_nodes(mesh, cosine, parent, name);

  ShellDirectors result;
  result.corner.resize(mesh.quads.size());
  std::vector<unsigned int> number(parent.size(), -1u);
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
  {
    const auto x = mesh.corners(q);
    for (unsigned int i = 0; i < 4; ++i)
    {
      const unsigned int group = root(4 * q + i);
      if (number[group] == -1u)
      {
        number[group] = result.director.size();
        result.director.push_back({ { 0., 0., 0. } });
        result.node.push_back(mesh.quads[q][i]);
      }
      result.corner[q][i] = number[group];
      const Vector3 c     = corner_normal(x, i);
      const double angle  = std::atan2(
          norm(c), dot(x[(i + 1) % 4] - x[i], x[(i + 3) % 4] - x[i]));
      Vector3 &d = result.director[number[group]];
      d          = d + angle * unit(c);
    }
  }
  for (Vector3 &d : result.director)
    d = unit(d);
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
    for (unsigned int i = 0; i < 4; ++i)
      if (!(dot(result.director[result.corner[q][i]],
                unit(corner_normal(mesh.corners(q), i))) > 0.5))
        throw InputError(fmt::format(
            "{}: the elements around its corner {} turn by more than 60 "
            "degrees against their mean normal, without a fold. Use smaller "
            "elements there.",
            who(mesh, q, name),
            place(mesh.nodes[mesh.quads[q][i]])));
  return result;
}

void keep_directors_in_plane(
    ShellDirectors &directors,
    const ShellMesh &mesh,
    const Vector3 &normal,
    const std::function<bool(const Vector3 &)> &on_plane)
{
  const Vector3 n = unit(normal);
  for (std::size_t i = 0; i < directors.director.size(); ++i)
    if (on_plane(mesh.nodes[directors.node[i]]))
    {
      Vector3 &d = directors.director[i];
      d          = unit(d - dot(d, n) * n);
    }
}
} // namespace delassus
