#include <delassus/contact/kinematics/surface_sides.h>

#include <map>
#include <numeric>
#include <set>

namespace delassus
{
namespace
{
using Edge = std::pair<unsigned int, unsigned int>;

/// An edge (2D: an end) of a face by its free nodes: half an edge that ends in
/// a hanging node is part of the edge between the node's masters.
template <int dim>
Edge edge_of(const ContactSurfaces<dim> &surfaces,
             const typename ContactSurfaces<dim>::Face &face,
             const unsigned int e)
{
  const unsigned int a = face.nodes[e],
                     b = dim == 2 ? a : face.nodes[(e + 1) % face.n_corners];
  std::set<unsigned int> ends;
  for (const unsigned int node : { a, b })
    surfaces.resolve(node,
                     1.,
                     [&](const unsigned int master, const double)
                     { ends.insert(master); });
  return ends.size() == dim - 1 ? Edge(*ends.begin(), *ends.rbegin())
                                : Edge(std::min(a, b), std::max(a, b));
}
} // namespace

template <int dim>
std::vector<SurfaceSide>
find_surface_sides(const ContactSurfaces<dim> &surfaces,
                   const std::vector<unsigned int> &faces)
{
  // Faces of each edge, by their place in the list.
  std::map<Edge, std::vector<unsigned int>> edges;
  for (unsigned int i = 0; i < faces.size(); ++i)
  {
    const auto &face = surfaces.faces[faces[i]];
    for (unsigned int e = 0; e < face.n_corners; ++e)
      edges[edge_of(surfaces, face, e)].push_back(i);
  }
  // Join what meets without an edge.
  std::vector<unsigned int> parent(faces.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](unsigned int i)
  {
    while (parent[i] != i)
      i = parent[i] = parent[parent[i]];
    return i;
  };
  const auto join_smoothly = [&](const unsigned int i, const unsigned int j)
  {
    return surfaces.face_normal(faces[i], surfaces.reference) *
               surfaces.face_normal(faces[j], surfaces.reference) >
           cosine_of_edge;
  };
  for (const auto &edge : edges)
    for (const unsigned int i : edge.second)
      for (const unsigned int j : edge.second)
        if (i < j && join_smoothly(i, j))
        {
          const unsigned int a = root(i), b = root(j);
          parent[std::max(a, b)] = std::min(a, b);
        }

  std::vector<SurfaceSide> sides;
  std::map<unsigned int, unsigned int> side_of_root;
  std::vector<unsigned int> side_of(faces.size());
  for (unsigned int i = 0; i < faces.size(); ++i)
  {
    const auto inserted = side_of_root.insert({ root(i), sides.size() });
    if (inserted.second)
    {
      sides.emplace_back();
      sides.back().piece = surfaces.faces[faces[i]].piece;
    }
    side_of[i] = inserted.first->second;
    sides[side_of[i]].faces.push_back(faces[i]);
  }
  std::vector<std::set<unsigned int>> nodes(sides.size()), rim(sides.size());
  std::vector<unsigned int> n_triangles(sides.size(), 0);
  const auto add = [&](const unsigned int node, std::set<unsigned int> &to)
  {
    surfaces.resolve(node,
                     1.,
                     [&](const unsigned int master, const double)
                     { to.insert(master); });
  };
  for (unsigned int i = 0; i < faces.size(); ++i)
  {
    const auto &face     = surfaces.faces[faces[i]];
    const unsigned int s = side_of[i];
    n_triangles[s] += face.n_corners == 3;
    for (unsigned int v = 0; v < face.n_nodes; ++v)
      add(face.nodes[v], nodes[s]);
    for (unsigned int e = 0; e < face.n_corners; ++e)
    {
      const auto &here = edges[edge_of(surfaces, face, e)];
      bool alone       = true;
      for (const unsigned int j : here)
        alone = alone && (j == i || side_of[j] != s);
      if (!alone)
        continue;
      add(face.nodes[e], rim[s]);
      if (dim == 3)
      {
        add(face.nodes[(e + 1) % face.n_corners], rim[s]);
        if (is_quadratic_face<dim>(face.n_nodes))
          add(face.nodes[face.n_corners + e], rim[s]);
      }
    }
  }
  for (unsigned int s = 0; s < sides.size(); ++s)
  {
    sides[s].n_nodes = nodes[s].size();
    sides[s].n_inner = nodes[s].size() - rim[s].size();
    // Two triangles are as good as a quadrilateral.
    sides[s].few =
        2 * sides[s].faces.size() - n_triangles[s] <= 2u << (dim - 1);
  }
  return sides;
}

template <int dim>
std::vector<bool> find_blocks(const ContactSurfaces<dim> &surfaces,
                              const std::vector<unsigned int> &faces)
{
  std::vector<bool> is_block(surfaces.n_pieces(), false);
  for (const unsigned int f : faces)
    is_block[surfaces.faces[f].piece] = true;
  for (const auto &side : find_surface_sides(surfaces, faces))
    if (!side.few)
      is_block[side.piece] = false;
  return is_block;
}

template <int dim>
CrowdedSide find_crowded_side(const ContactSurfaces<dim> &surfaces,
                              const unsigned int first,
                              const unsigned int end)
{
  std::map<unsigned int, unsigned int> n_points;
  for (unsigned int p = first; p < end; ++p)
  {
    const auto &point = surfaces.points[p];
    if (point.n_faces == 1 && point.n_nodes > 1)
      ++n_points[surfaces.point_faces[point.first_face]];
  }
  std::vector<unsigned int> faces;
  for (const auto &entry : n_points)
    faces.push_back(entry.first);
  CrowdedSide worst;
  double most = 1.;
  for (const auto &side : find_surface_sides(surfaces, faces))
  {
    unsigned int n = 0;
    for (const unsigned int f : side.faces)
      n += n_points[f];
    const double ratio = double(n) / std::max(1u, side.n_inner);
    if (!side.few && ratio > most)
    {
      most  = ratio;
      worst = { n, side };
    }
  }
  return worst;
}

#define INSTANTIATE(dim)                                                       \
  template std::vector<SurfaceSide> find_surface_sides(                        \
      const ContactSurfaces<dim> &, const std::vector<unsigned int> &);        \
  template std::vector<bool> find_blocks(const ContactSurfaces<dim> &,         \
                                         const std::vector<unsigned int> &);   \
  template CrowdedSide find_crowded_side(                                      \
      const ContactSurfaces<dim> &, const unsigned int, const unsigned int)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
