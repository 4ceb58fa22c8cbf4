#include <delassus/contact/detection/detector.h>
#include <delassus/contact/detection/face_projection.h>
#include <delassus/contact/detection/facing.h>

#include <algorithm>
#include <cmath>
#include <limits>

// What a candidate point may touch, and which of it it does.
namespace delassus
{
using namespace dealii;

namespace
{
constexpr unsigned int nobody = std::numeric_limits<unsigned int>::max();

/// Whether a point in front of the very end of a face is flush with the next
/// one beyond a convex edge, which looks at it too: it then slides over that
/// one, and the end of this face is no step. Where two corners meet exactly it
/// is open which one, and neither counts. The face has the number @p local in
/// @p faces.
template <int dim>
bool is_grazing(const std::vector<unsigned int> &faces,
                const unsigned int local,
                const std::array<unsigned int, 4> &neighbours,
                const unsigned int n_corners,
                const double size,
                const std::vector<Tensor<1, dim>> &face_normals,
                const Point<dim> &position,
                const Tensor<1, dim> &normal,
                const FaceProjection<dim> &foot,
                const std::array<Point<dim>, 9> &X)
{
  const double s = foot.s[0], r = foot.s[dim - 2];
  // How far the foot is from each edge, in coordinates of the face.
  std::array<double, 4> distance;
  if (dim == 2)
    distance = { { s, 1. - s, 1., 1. } };
  else if (n_corners == 3)
    distance = { { r, 1. - s - r, s, 1. } };
  else
    distance = { { r, 1. - s, 1. - r, s } };
  for (unsigned int e = 0; e < n_corners; ++e)
  {
    if (distance[e] > lowest_step || neighbours[e] == nobody)
      continue;
    const Tensor<1, dim> &N = face_normals[faces[local]],
                         &M = face_normals[faces[neighbours[e]]];
    const Tensor<1, dim> d  = position - X[e];
    Tensor<1, dim> inwards;
    for (unsigned int v = 0; v < n_corners; ++v)
      inwards += X[v] - X[e];
    if (N * M < 0.5 && M * normal < facing && inwards * M < 0. &&
        std::abs(d * M) < lowest_step * size &&
        (std::abs(d * M) < std::abs(d * N) ||
         std::abs(d * N) < lowest_step * size))
      return true;
  }
  return false;
}
} // namespace

template <int dim>
void Detector<dim>::add_entry(const Seeker &seeker,
                              Entry &entry,
                              const double outside)
{
  const auto &face = surfaces.faces[entry.face];
  if (std::abs(entry.gap) > seeker.alert)
    return;
  // Through its own piece a point sees the far side of the piece behind it, as
  // if it had sunk in by both thicknesses. A true penetration stays within the
  // cells that touch, unless it has grown from a contact.
  double parallel = -1.;
  bool known      = false;
  for (unsigned int i = 0; i < seeker.n_previous; ++i)
  {
    const double cosine = entry.N * seeker.previous[i].normal();
    parallel            = std::max(parallel, cosine);
    known =
        known || (cosine > 0.5 && continues(seeker, seeker.previous[i], entry));
  }
  if (!known && -entry.gap > std::max(seeker.point.depth, face.depth))
    return;
  if (face.piece == seeker.point.piece && entry.gap < 0. &&
      is_behind_material(seeker, entry))
    return;
  // Distance; where several are about as near, the one with the normal from
  // before, or that looks at the point most.
  if (seeker.n_previous == 0)
    parallel = -(entry.N * seeker.normal);
  entry.score = std::abs(entry.gap) + outside * face.size +
                0.5 * overhang * face.size * (1. - parallel);
  entry.wide = outside > overhang;
  entries.push_back(entry);
}

template <int dim>
bool Detector<dim>::looks_at(const unsigned int f, const Seeker &seeker) const
{
  const auto &face = surfaces.faces[f];
  // The normal of a curved face varies: try_face() looks at it again.
  return face_normals[f] * seeker.normal <=
             (face.n_nodes > face.n_corners ? 0.3 : facing) &&
         !(face.piece == seeker.point.piece &&
           lies_on(surfaces, seeker.point, f));
}

template <int dim>
bool Detector<dim>::is_behind_material(const Seeker &seeker,
                                       const Entry &entry) const
{
  Tensor<1, dim> present = seeker.position - Point<dim>();
  for (unsigned int v = 0; v < surfaces.faces[entry.face].n_nodes; ++v)
    present -= entry.weights[v] * X[v];
  const OwnPlace<dim> place = {
    surfaces.position(seeker.point, surfaces.reference),
    surfaces.point_faces.data() + seeker.point.first_face,
    seeker.point.n_faces
  };
  return is_through_material(
      surfaces,
      place,
      entry.face,
      reference_point(surfaces, entry.face, entry.weights),
      present.norm());
}

template <int dim>
bool Detector<dim>::continues(const Seeker &seeker,
                              const Contact<dim> &previous,
                              const Entry &entry) const
{
  const auto &before = surfaces.faces[previous.face],
             &face   = surfaces.faces[entry.face];
  if (before.piece != face.piece)
    return false;
  if (face.piece != seeker.point.piece)
    return true;
  Tensor<1, dim> way =
      reference_point(surfaces, entry.face, entry.weights) - Point<dim>();
  for (unsigned int i = previous.n_candidate_entries; i < previous.n_entries;
       ++i)
    for (unsigned int c = 0; c < dim; ++c)
      way[c] +=
          previous.weights[i] * surfaces.reference[dim * previous.nodes[i] + c];
  return way.norm() <= before.size + face.size + seeker.reach;
}

template <int dim>
bool Detector<dim>::try_face(const Seeker &seeker,
                             const unsigned int pass,
                             const unsigned int local,
                             const std::vector<double> &x)
{
  const unsigned int f = (*passes[pass].faces)[local];
  const auto &face     = surfaces.faces[f];
  if (!looks_at(f, seeker))
    return false;
  const bool curved = face.n_nodes > face.n_corners;
  surfaces.face_positions(face, x, X);
  const auto foot   = project_on_face<dim>(face.n_nodes, X, seeker.position);
  const bool beside = foot.outside > overhang;
  Entry entry;
  entry.face    = f;
  entry.edge    = false;
  entry.weights = foot.weights;
  entry.N       = face_normals[f];
  bool known    = false; // touched before, with this normal
  for (unsigned int i = 0; i < seeker.n_previous; ++i)
    known |= face_normals[f] * seeker.previous[i].normal() > 0.5;
  if (!known && is_grazing<dim>(*passes[pass].faces,
                                local,
                                topologies[pass].neighbours[local],
                                face.n_corners,
                                face.size,
                                face_normals,
                                seeker.position,
                                seeker.normal,
                                foot,
                                X))
    return beside;
  if (curved)
  {
    const FaceShape<dim> shape(face.n_nodes, foot.s);
    entry.N = shape.area_vector(face.n_nodes, X);
    entry.N /= entry.N.norm();
    if (!(entry.N * seeker.normal <= facing)) // no normal: collapsed
      return beside;
  }
  Tensor<1, dim> d = seeker.position - Point<dim>();
  for (unsigned int v = 0; v < face.n_nodes; ++v)
    d -= foot.weights[v] * X[v];
  entry.gap = entry.N * d;
  // A side of a concave corner is wanted as soon as the point can get there
  // before the next detection.
  if (beside && ((d - entry.gap * entry.N).norm() > seeker.reach ||
                 d.norm() > seeker.alert))
    return beside;
  add_entry(seeker, entry, foot.outside);
  return beside;
}

template <int dim>
unsigned int Detector<dim>::convex_edges(const unsigned int pass,
                                         const unsigned int local) const
{
  const auto &faces    = *passes[pass].faces;
  const unsigned int f = faces[local];
  const auto &face     = surfaces.faces[f];
  Point<dim> middle;
  for (unsigned int v = 0; v < face.n_corners; ++v)
    middle += X[v] / double(face.n_corners);
  unsigned int result = 0;
  for (unsigned int e = 0; e < face.n_corners; ++e)
  {
    const unsigned int other = topologies[pass].neighbours[local][e];
    if (other == nobody)
      continue;
    const Tensor<1, dim> &N = face_normals[f], &M = face_normals[faces[other]];
    // Flat: covered by the overhang.
    if (N * M <= 1. - 0.5 * overhang * overhang && (middle - X[e]) * M <= 0.)
      result |= 1u << e;
  }
  return result;
}

template <int dim>
void Detector<dim>::try_edges(const Seeker &seeker,
                              const unsigned int pass,
                              const unsigned int local,
                              const std::vector<double> &x)
{
  if (edges[local] == 0)
    return;
  const auto &faces    = *passes[pass].faces;
  const unsigned int f = faces[local];
  const auto &face     = surfaces.faces[f];
  if (!looks_at(f, seeker))
    return;
  surfaces.face_positions(face, x, X);
  if (edges[local] == unknown_edges)
    edges[local] = convex_edges(pass, local);
  for (unsigned int e = 0; e < face.n_corners; ++e)
  {
    if ((edges[local] >> e & 1) == 0)
      continue;
    const Tensor<1, dim>
        &N = face_normals[f],
        &M = face_normals[faces[topologies[pass].neighbours[local][e]]];
    const double cosine = N * M;
    // In the cone between the two normals, seen from a convex edge. (Behind a
    // concave one the same signs mean inside.) Both differences are square to
    // the edge, so any point of it will do.
    const Tensor<1, dim> r = seeker.position - X[e];
    if (r * (M - cosine * N) < 0. || r * (N - cosine * M) < 0.)
      continue;
    Entry entry;
    entry.face = f;
    entry.edge = true;
    project_on_edge<dim>(face.n_nodes, e, X, seeker.position, entry.weights);
    Tensor<1, dim> d = seeker.position - Point<dim>();
    for (unsigned int v = 0; v < face.n_nodes; ++v)
      d -= entry.weights[v] * X[v];
    if (d * (N + M) <= 0.)
      continue;
    // Flush with one of two faces that both look at the point: it passes by.
    if (cosine < 0.5 && N * seeker.normal < facing &&
        M * seeker.normal < facing &&
        std::min(std::abs(d * N), std::abs(d * M)) < lowest_step * face.size)
      continue;
    const double distance = d.norm();
    // At the edge itself the direction is that between the faces.
    entry.N = d + 1e-9 * face.size * (N + M);
    entry.N /= entry.N.norm();
    if (entry.N * seeker.normal > facing)
      continue;
    entry.gap = distance;
    add_entry(seeker, entry, 0.);
  }
}

template <int dim>
double Detector<dim>::height_above(const unsigned int f,
                                   const unsigned int g,
                                   const std::vector<double> &x) const
{
  const auto &face = surfaces.faces[f], &other = surfaces.faces[g];
  double highest = std::numeric_limits<double>::lowest();
  for (unsigned int v = 0; v < other.n_nodes; ++v)
  {
    double height = 0.;
    for (unsigned int c = 0; c < dim; ++c)
      height += face_normals[f][c] *
                (x[dim * other.nodes[v] + c] - x[dim * face.nodes[0] + c]);
    highest = std::max(highest, height);
  }
  return highest / std::min(face.size, other.size);
}

template <int dim>
bool Detector<dim>::is_hidden(const Seeker &seeker,
                              const Entry &entry,
                              const std::vector<double> &x) const
{
  const unsigned int piece = surfaces.faces[entry.face].piece;
  for (const auto &other : entries)
  {
    const unsigned int other_piece = surfaces.faces[other.face].piece;
    if (other.wide)
      continue;
    if (other_piece == piece)
    {
      // Of the point's own piece another layer may lie behind it.
      const double apart =
          surfaces.faces[other.face].size + surfaces.faces[entry.face].size;
      if (piece != seeker.point.piece ||
          reference_point(surfaces, other.face, other.weights)
                  .distance(reference_point(
                      surfaces, entry.face, entry.weights)) <= apart)
        continue;
    }
    const double cosine = other.N * entry.N;
    // Behind what was touched before and is penetrated now.
    if (other.gap < 0. && other.gap < entry.gap && cosine > 0.5)
      for (unsigned int i = 0; i < seeker.n_previous; ++i)
        if (other.N * seeker.previous[i].normal() > 0.5 &&
            continues(seeker, seeker.previous[i], other))
          return true;
    // The side of a joint between two pieces, which ends at their surface.
    if (other_piece != piece && cosine < 0.9 && !entry.edge && !other.edge &&
        height_above(other.face, entry.face, x) <= overhang &&
        height_above(entry.face, other.face, x) > overhang)
      return true;
  }
  return false;
}

template <int dim>
void Detector<dim>::choose(const Seeker &seeker,
                           const unsigned int pass,
                           const std::vector<double> &x)
{
  chosen.clear();
  // What is found does not depend on the order of the tree, not even where
  // distances agree but for rounding.
  const auto by_face = [](const Entry &a, const Entry &b)
  { return a.face < b.face; };
  if (!std::is_sorted(entries.begin(), entries.end(), by_face))
    std::sort(entries.begin(), entries.end(), by_face);
  if (!std::is_sorted(near_edges.begin(), near_edges.end()))
    std::sort(near_edges.begin(), near_edges.end());
  // Nearest first, equal ones by number.
  const auto nearer = [&](const Entry &a, const Entry &b)
  {
    const double equal = 1e-9 * surfaces.faces[a.face].size;
    return a.score < b.score - equal ||
           (a.score < b.score + equal && a.face < b.face);
  };
  unsigned int best       = nobody;
  const auto compare_from = [&](const unsigned int first)
  {
    for (unsigned int i = first; i < entries.size(); ++i)
      if (!entries[i].wide &&
          (best == nobody || nearer(entries[i], entries[best])) &&
          !(entries.size() > 1 && is_hidden(seeker, entries[i], x)))
        best = i;
  };
  compare_from(0);
  // An edge is taken only if it is the nearest, hides nothing and is no side of
  // a corner: those farther away than the best face need not be looked at. (The
  // score is not less than the distance.)
  for (const auto &near : near_edges)
  {
    if (best != nobody)
    {
      const double farthest =
          entries[best].score +
          2e-9 * surfaces.faces[(*passes[pass].faces)[near.first]].size;
      if (near.second > farthest * farthest)
        continue;
    }
    const unsigned int first = entries.size();
    try_edges(seeker, pass, near.first, x);
    compare_from(first);
  }
  if (best == nobody)
    return;
  chosen.push_back(best);
  if (entries[best].edge)
    return;
  // The other sides of a concave corner, nearest first.
  while (chosen.size() < dim)
  {
    unsigned int next = nobody;
    for (unsigned int i = 0; i < entries.size(); ++i)
    {
      if (entries[i].edge ||
          (next != nobody && !nearer(entries[i], entries[next])))
        continue;
      bool corner = true;
      for (const unsigned int c : chosen)
        corner = corner && entries[i].face != entries[c].face &&
                 height_above(entries[i].face, entries[c].face, x) > overhang &&
                 height_above(entries[c].face, entries[i].face, x) > overhang;
      if (corner && !is_hidden(seeker, entries[i], x))
        next = i;
    }
    if (next == nobody)
      return;
    chosen.push_back(next);
  }
}

#define INSTANTIATE(dim)                                                       \
  template bool Detector<dim>::try_face(const Seeker &,                        \
                                        const unsigned int,                    \
                                        const unsigned int,                    \
                                        const std::vector<double> &);          \
  template void Detector<dim>::choose(                                         \
      const Seeker &, const unsigned int, const std::vector<double> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
