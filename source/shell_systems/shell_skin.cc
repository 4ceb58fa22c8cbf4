#include <delassus/base/exceptions.h>
#include <delassus/shell_systems/shell_skin.h>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace delassus
{
using namespace dealii;

namespace
{
Point<3> point(const Vector3 &a)
{
  return Point<3>(a[0], a[1], a[2]);
}
} // namespace

ShellSkin::ShellSkin(const std::string &name,
                     std::vector<unsigned int> rank_of_piece)
    : own_name(name)
    , ranks(std::move(rank_of_piece))
    , first(1, 0)
{
}

void ShellSkin::add(const ShellPiece &piece)
{
  const auto &model = piece.model();
  Vector3 sum{ { 0., 0., 0. } };
  for (const auto &x : model.reference().nodes)
    sum = sum + x;
  centres.push_back(point(1. / model.n_nodes() * sum));
  for (unsigned int n = 0; n < piece.n_carriers(); ++n)
    references.push_back(point(piece.rest_carrier(n)));
  first.push_back(first.back() + piece.n_carriers());
  n_positions.push_back(model.n_nodes());
}

void ShellSkin::make_faces(
    const std::vector<std::unique_ptr<ShellPiece>> &pieces)
{
  for (unsigned int p = 0; p < pieces.size(); ++p)
  {
    const auto &piece     = *pieces[p];
    const auto &model     = piece.model();
    const auto &mesh      = model.reference();
    const auto &directors = model.reference_directors();
    // One vertex for each director and each thickness that it has.
    std::map<std::pair<unsigned int, double>, unsigned int> known;
    const auto vertex = [&](const unsigned int node,
                            const unsigned int director,
                            const double weight)
    {
      const auto [place, is_new] = known.emplace(
          std::pair(director, weight), first.back() + vertices.size());
      if (is_new)
        vertices.push_back({ p,
                             first[p] + node,
                             first[p] + model.n_nodes() + director,
                             weight });
      return place->second;
    };
    for (unsigned int s = 0; s < 2; ++s)
      for (unsigned int q = 0; q < model.n_quads(); ++q)
      {
        SkinFace face;
        face.nodes.fill(0);
        face.n_nodes = face.n_corners = 4;
        face.piece                    = p;
        face.cell                     = numbers::invalid_unsigned_int;
        face.face                     = s;
        double thickness              = 0.;
        for (unsigned int i = 0; i < 4; ++i)
        {
          const unsigned int k = directors.corner[q][i];
          const double half    = model.geometry(q).half[i];
          thickness += 0.5 * half;
          const double weight = half / piece.rest_length(k);
          face.nodes[s == 0 ? i : 3 - i] =
              vertex(mesh.quads[q][i], k, s == 0 ? weight : -weight);
        }
        // Behind a face is the sheet as far as its middle.
        face.cell_measure = 0.5 * thickness * model.geometry(q).area;
        side[s].push_back(faces.size());
        all_faces.push_back(faces.size());
        faces.push_back(face);
      }
  }
  make_edges(pieces);
}

const std::vector<unsigned int> &
ShellSkin::surface(const std::string &surface_name,
                   const std::string &asked_by) const
{
  if (surface_name.empty() || surface_name == "*")
    return all_faces;
  const auto names = surface_names();
  for (unsigned int s = 0; s < 2; ++s)
    if (surface_name == names[s])
      return side[s];
  const auto edge = edges.find(surface_name);
  if (edge != edges.end())
    return edge->second;
  throw InputError(fmt::format(
      "{}: shell '{}' has no surface '{}'. It has 'outer', to which "
      "its normals point, 'inner'{}.{}",
      asked_by,
      own_name,
      surface_name,
      edges.empty() ? "" : " and the edges that the mesh names",
      suggest_name(surface_name, names)));
}

unsigned int ShellSkin::piece_of(const unsigned int carrier) const
{
  if (is_vertex(carrier))
    return vertices[carrier - first.back()].piece;
  return std::upper_bound(first.begin(), first.end(), carrier) - first.begin() -
         1;
}

Skin<3>::Carrier ShellSkin::carrier(const unsigned int n) const
{
  Carrier result;
  result.piece   = piece_of(n);
  result.owner   = ranks[result.piece];
  result.depends = is_vertex(n);
  if (!result.depends)
    result.reference = references[n];
  else
    for (const auto &master : masters(n))
      result.reference +=
          master.weight * Tensor<1, 3>(references[master.carrier]);
  return result;
}

std::vector<CarrierWeight> ShellSkin::masters(const unsigned int n) const
{
  if (!is_vertex(n))
    return { { n, 1. } };
  const Vertex &of = vertices[n - first.back()];
  return { { of.position, 1. }, { of.director, of.weight } };
}

unsigned int ShellSkin::number_in_piece(const unsigned int carrier) const
{
  return is_vertex(carrier)
             ? number_in_piece(vertices[carrier - first.back()].position)
             : carrier - first[piece_of(carrier)];
}
} // namespace delassus
