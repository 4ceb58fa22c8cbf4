// The edges of sheets as faces of contact.
#include <delassus/shell_systems/shell_skin.h>

#include <algorithm>

namespace delassus
{
void ShellSkin::make_edges(
    const std::vector<std::unique_ptr<ShellPiece>> &pieces)
{
  using Edge        = std::array<unsigned int, 2>;
  const auto sorted = [](const unsigned int a, const unsigned int b) -> Edge {
    return { { std::min(a, b), std::max(a, b) } };
  };
  unsigned int first_quad = 0;
  for (unsigned int p = 0; p < pieces.size(); ++p)
  {
    const auto &model = pieces[p]->model();
    const auto &quads = model.reference().quads;
    // Where a quad has each edge, and how many have it.
    struct Place
    {
      unsigned int quad, corner, n = 0;
    };
    std::map<Edge, Place> places;
    if (!pieces[p]->edges_of().empty())
      for (unsigned int q = 0; q < quads.size(); ++q)
        for (unsigned int i = 0; i < 4; ++i)
        {
          Place &place = places[sorted(quads[q][i], quads[q][(i + 1) % 4])];
          place.quad   = q;
          place.corner = i;
          ++place.n;
        }
    // An edge may have several names, and one face.
    std::map<Edge, unsigned int> known;
    for (const auto &[name, list] : pieces[p]->edges_of())
      for (const auto &edge : list)
      {
        const auto found = places.find(sorted(edge[0], edge[1]));
        if (found == places.end() || found->second.n != 1)
          continue;
        const auto [number, is_new] = known.emplace(found->first, faces.size());
        edges[name].push_back(number->second);
        if (!is_new)
          continue;
        // With t along the edge as the quad goes round and d to the outer side,
        // t x d points away from the quad: that is the way round of the inner
        // ends, then the outer ones.
        const unsigned int q = first_quad + found->second.quad,
                           i = found->second.corner, j = (i + 1) % 4;
        const auto &outer = faces[side[0][q]].nodes,
                   &inner = faces[side[1][q]].nodes;
        SkinFace face;
        face.nodes.fill(0);
        face.n_nodes = face.n_corners = 4;
        face.nodes[0]                 = inner[3 - i];
        face.nodes[1]                 = inner[3 - j];
        face.nodes[2]                 = outer[j];
        face.nodes[3]                 = outer[i];
        face.piece                    = p;
        face.cell                     = dealii::numbers::invalid_unsigned_int;
        face.face                     = 2;
        // Both halves of the sheet.
        face.cell_measure = 2. * faces[side[0][q]].cell_measure;
        faces.push_back(face);
      }
    first_quad += quads.size();
  }
}

std::vector<std::string> ShellSkin::surface_names() const
{
  std::vector<std::string> names = { "outer", "inner" };
  for (const auto &edge : edges)
    if (edge.first != "outer" && edge.first != "inner")
      names.push_back(edge.first);
  return names;
}
} // namespace delassus
