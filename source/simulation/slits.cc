#include <delassus/simulation/slits.h>
#include <delassus/contact/detection/box_tree.h>
#include <delassus/contact/detection/face_projection.h>
#include <delassus/simulation/overlaps.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace delassus
{
using namespace dealii;

namespace
{
/// Faces nearer than this, in sizes of a face, lie on each other: far above the
/// rounding of coordinates in a mesh file, far below a gap that is meant.
constexpr double same_place = 1e-6;

/// A boundary face with straight edges.
template <int dim>
struct FlatFace
{
  std::array<Point<dim>, 9> X;
  unsigned int n_corners;
  Point<dim> centre;
  Tensor<1, dim> normal;
  double size;
};

template <int dim>
FlatFace<dim> flat_face(const Skin<dim> &skin, const SkinFace &face)
{
  FlatFace<dim> flat;
  flat.n_corners = face.n_corners;
  flat.size      = 0.;
  for (unsigned int v = 0; v < face.n_corners; ++v)
  {
    flat.X[v] = skin.carrier(face.nodes[v]).reference;
    flat.centre += flat.X[v] / double(face.n_corners);
  }
  for (unsigned int v = 0; v < face.n_corners; ++v)
    flat.size = std::max(flat.size, flat.X[v].distance(flat.centre));
  const FaceShape<dim> middle(face.n_corners,
                              FaceShape<dim>::middle(face.n_corners));
  flat.normal = middle.area_vector(face.n_corners, flat.X);
  flat.normal /= flat.normal.norm();
  return flat;
}

/// Whether the centre of @p f lies on @p g, which looks the other way.
template <int dim>
bool lies_on(const FlatFace<dim> &f, const FlatFace<dim> &g)
{
  if (!(f.normal * g.normal < -0.999))
    return false;
  const auto projection = project_on_face<dim>(g.n_corners, g.X, f.centre);
  if (projection.outside > same_place)
    return false;
  Point<dim> foot;
  for (unsigned int v = 0; v < g.n_corners; ++v)
    foot += projection.weights[v] * g.X[v];
  return foot.distance(f.centre) <= same_place * std::min(f.size, g.size);
}

/// The interactions by which pieces touch each other.
template <int dim>
class TouchingPieces
{
public:
  TouchingPieces(const Model<dim> &model)
  {
    const auto &surfaces = *model.surfaces;
    for (const auto &interaction : model.interactions)
    {
      sides.emplace_back();
      auto &[candidates, antagonists] = sides.back();
      for (const unsigned int f : interaction.candidate_faces)
        candidates.insert(surfaces.faces[f].piece);
      for (const unsigned int f : interaction.faces)
        antagonists.insert(surfaces.faces[f].piece);
    }
  }

  bool operator()(const unsigned int p, const unsigned int q) const
  {
    return std::any_of(
        sides.begin(),
        sides.end(),
        [&](const auto &side)
        {
          return (side.first.count(p) > 0 && side.second.count(q) > 0) ||
                 (side.first.count(q) > 0 && side.second.count(p) > 0);
        });
  }

private:
  std::vector<std::pair<std::set<unsigned int>, std::set<unsigned int>>> sides;
};

/// Faces that lie on others, and where the first one is.
template <int dim>
struct Slit
{
  unsigned int n_faces = 0;
  Point<dim> place;
};
} // namespace

template <int dim>
std::vector<std::string> find_slits(const Model<dim> &model)
{
  std::vector<std::string> warnings;
  const TouchingPieces<dim> touch(model);
  // Bodies of section Body are the first systems.
  for (unsigned int b = 0; b < model.parameters.bodies.size(); ++b)
  {
    const auto &given           = model.parameters.bodies[b];
    const auto &skin            = model.systems[b]->skin();
    const auto &boundary        = skin.skin_faces();
    const unsigned int n_pieces = skin.n_pieces();
    const unsigned int first    = model.surfaces->first_piece[b];
    const bool from_file        = given.mesh.type == MeshType::file;
    // Generated pieces are whole: only their neighbours are looked for.
    bool all_touch = !from_file;
    for (unsigned int p = 0; p < n_pieces && all_touch; ++p)
      all_touch = touch(first + p, first + p);
    if (all_touch || (!from_file && n_pieces == 1))
      continue;

    std::vector<FlatFace<dim>> faces;
    std::vector<Box<dim>> boxes;
    faces.reserve(boundary.size());
    for (const auto &face : boundary)
    {
      faces.push_back(flat_face(skin, face));
      Box<dim> box;
      for (unsigned int c = 0; c < dim; ++c)
      {
        box.low[c] = box.high[c] = faces.back().X[0][c];
        for (unsigned int v = 1; v < face.n_corners; ++v)
        {
          box.low[c]  = std::min(box.low[c], faces.back().X[v][c]);
          box.high[c] = std::max(box.high[c], faces.back().X[v][c]);
        }
      }
      boxes.push_back(box);
    }
    BoxTree<dim> tree;
    tree.build(boxes);
    Slit<dim> in_piece, between;
    for (unsigned int f = 0; f < faces.size(); ++f)
    {
      Box<dim> at;
      for (unsigned int c = 0; c < dim; ++c)
      {
        at.low[c]  = faces[f].centre[c] - same_place * faces[f].size;
        at.high[c] = faces[f].centre[c] + same_place * faces[f].size;
      }
      bool lies = false, lies_in_piece = false;
      tree.query(at,
                 [&](const unsigned int g)
                 {
                   if (g == f || lies_in_piece || !lies_on(faces[f], faces[g]))
                     return;
                   const unsigned int p = boundary[f].piece,
                                      q = boundary[g].piece;
                   lies_in_piece        = p == q;
                   lies = lies || p == q || !touch(first + p, first + q);
                 });
      auto &slit = lies_in_piece ? in_piece : between;
      if (lies && slit.n_faces++ == 0)
        slit.place = faces[f].centre;
    }

    const std::string where =
        given.where(from_file ? "Mesh/File" : "Mesh/Type", "mesh");
    const std::string merge =
        "merge the duplicate nodes (Gmsh: 'Coherence;' before the physical "
        "groups, 'BooleanFragments' for OpenCASCADE volumes, or 'Coherence "
        "Mesh;' after meshing)";
    if (in_piece.n_faces > 0)
      warnings.push_back(fmt::format(
          "{}: body '{}' is torn: {} of its boundary faces lie on each other "
          "inside one piece, one of them at {}. The sides of such a slit pass "
          "through each other, unless an interaction has them as Candidates "
          "and as Antagonists, as for a crack that is meant. To close it, {}.",
          where,
          given.name,
          in_piece.n_faces,
          text_of(in_piece.place),
          merge));
    if (between.n_faces > 0)
      warnings.push_back(fmt::format(
          "{}: body '{}' falls apart: {} boundary faces of its {} pieces lie "
          "on each other, one of them at {}, but they are not joined and no "
          "interaction lets these pieces touch. For one piece, {}; for blocks "
          "that touch, add an interaction with '{}' as Candidates and as "
          "Antagonists.",
          where,
          given.name,
          between.n_faces,
          n_pieces,
          text_of(between.place),
          from_file ? merge : "set Single piece = true",
          given.name));
  }
  return warnings;
}

template std::vector<std::string> find_slits<2>(const Model<2> &);
template std::vector<std::string> find_slits<3>(const Model<3> &);
} // namespace delassus
