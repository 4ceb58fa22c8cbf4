#include <delassus/simulation/folding_faces.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace delassus
{
using namespace dealii;

template <int dim>
std::vector<unsigned int> folding_faces(
    const Skin<dim> &skin,
    const std::function<bool(unsigned int carrier, unsigned int c)> &is_driven,
    const std::vector<unsigned int> &surface)
{
  const auto &boundary = skin.skin_faces();
  const auto position  = [&](const unsigned int node)
  { return skin.carrier(node).reference; };
  // The surface's nodes are where the search begins; its extent ends it.
  std::unordered_map<unsigned int, unsigned int> began_at; // by node
  std::set<unsigned int> known(surface.begin(), surface.end());
  Point<dim> low, high;
  bool first = true;
  for (const unsigned int f : surface)
    for (unsigned int v = 0; v < boundary[f].n_nodes; ++v)
    {
      const unsigned int node = boundary[f].nodes[v];
      began_at[node]          = node;
      const Point<dim> x      = position(node);
      for (unsigned int c = 0; c < dim; ++c)
      {
        low[c]  = first ? x[c] : std::min(low[c], x[c]);
        high[c] = first ? x[c] : std::max(high[c], x[c]);
      }
      first = false;
    }
  double reach = 0.;
  for (unsigned int c = 0; c < dim; ++c)
    reach = std::max(reach, 0.5 * (high[c] - low[c]));

  std::unordered_map<unsigned int, std::vector<unsigned int>> faces_of_node;
  for (unsigned int f = 0; f < boundary.size(); ++f)
    for (unsigned int v = 0; v < boundary[f].n_nodes; ++v)
      faces_of_node[boundary[f].nodes[v]].push_back(f);

  std::vector<unsigned int> result, front;
  for (const auto &entry : began_at)
    front.push_back(entry.first);
  std::sort(front.begin(), front.end());
  while (!front.empty())
  {
    std::vector<unsigned int> next;
    for (const unsigned int node : front)
      for (const unsigned int f : faces_of_node[node])
      {
        if (!known.insert(f).second)
          continue;
        const auto &face        = boundary[f];
        const Point<dim> origin = position(began_at[node]);
        bool joins              = true;
        for (unsigned int v = 0; v < face.n_nodes && joins; ++v)
        {
          const unsigned int other = face.nodes[v];
          joins                    = position(other).distance(origin) <= reach;
          if (began_at.count(other) == 0)
            for (unsigned int c = 0; c < dim; ++c)
              joins = joins && !is_driven(other, c);
        }
        if (!joins)
          continue;
        result.push_back(f);
        for (unsigned int v = 0; v < face.n_nodes; ++v)
          if (began_at.insert({ face.nodes[v], began_at[node] }).second)
            next.push_back(face.nodes[v]);
      }
    front.swap(next);
  }
  return result;
}

template <int dim>
void add_further_nodes(ContactSurfaces<dim> &surfaces,
                       const std::vector<unsigned int> &faces,
                       const unsigned int first,
                       const std::string &asked_by)
{
  if (faces.empty())
    return;
  auto &points = surfaces.points;
  std::set<unsigned int> taken;
  for (unsigned int p = first; p < points.size(); ++p)
    for (unsigned int i = 0; i < points[p].n_nodes; ++i)
      taken.insert(points[p].nodes[i]);
  const unsigned int begin =
      surfaces.add_points(faces, CandidatePoints::nodes, {}, asked_by).first;
  points.erase(std::remove_if(points.begin() + begin,
                              points.end(),
                              [&](const auto &point)
                              { return taken.count(point.nodes[0]) > 0; }),
               points.end());
}

#define INSTANTIATE(dim)                                                       \
  template std::vector<unsigned int> folding_faces<dim>(                       \
      const Skin<dim> &,                                                       \
      const std::function<bool(unsigned int, unsigned int)> &,                 \
      const std::vector<unsigned int> &);                                      \
  template void add_further_nodes<dim>(ContactSurfaces<dim> &,                 \
                                       const std::vector<unsigned int> &,      \
                                       const unsigned int,                     \
                                       const std::string &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
