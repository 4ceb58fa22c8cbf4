#include <delassus/base/exceptions.h>
#include <delassus/contact/detection/facing.h>
#include <delassus/contact/kinematics/surface_sides.h>
#include <delassus/simulation/model.h>
#include <delassus/simulation/overlaps.h>
#include <delassus/simulation/slits.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

// What contact surfaces must be like before anything is computed.
namespace delassus
{
using namespace dealii;

namespace
{
/// What is known of the faces behind one name of an interaction.
template <int dim>
struct NamedFaces
{
  std::string name;
  std::vector<unsigned int> faces;
  std::set<std::array<int, dim>> directions; ///< normals, rounded to a tenth
  Box<dim> box;
};

template <int dim>
Point<dim> middle_of(const ContactSurfaces<dim> &surfaces,
                     const typename ContactSurfaces<dim>::Face &face)
{
  Point<dim> middle;
  for (unsigned int v = 0; v < face.n_corners; ++v)
    for (unsigned int c = 0; c < dim; ++c)
      middle[c] += surfaces.reference[dim * face.nodes[v] + c] / face.n_corners;
  return middle;
}

/// Throws InputError for faces without area and for edges (2D: ends) that more
/// than two faces share.
template <int dim>
void check_faces(const ContactSurfaces<dim> &surfaces,
                 const NamedFaces<dim> &named,
                 const std::string &where)
{
  double largest = 0.;
  for (const unsigned int f : named.faces)
    largest = std::max(largest, surfaces.faces[f].size);
  std::map<std::pair<unsigned int, unsigned int>, unsigned int> count;
  for (const unsigned int f : named.faces)
  {
    const auto &face = surfaces.faces[f];
    std::array<Point<dim>, 9> X;
    surfaces.face_positions(face, surfaces.reference, X);
    double longest = dim == 2 ? largest : 0.;
    for (unsigned int v = 0; v < face.n_corners && dim == 3; ++v)
      longest = std::max(longest, X[v].distance(X[(v + 1) % face.n_corners]));
    if (!(std::pow(face.size, dim - 1) > 1e-10 * std::pow(longest, dim - 1)))
      throw InputError(fmt::format(
          "{}: surface '{}' has a face without area at {}. Repair the mesh.",
          where,
          named.name,
          text_of(middle_of(surfaces, face))));
    for (unsigned int v = 0; v < face.n_corners; ++v)
    {
      const unsigned int a = face.nodes[v],
                         b = dim == 2 ? a
                                      : face.nodes[(v + 1) % face.n_corners];
      if (++count[{ std::min(a, b), std::max(a, b) }] > 2)
        throw InputError(fmt::format(
            "{}: surface '{}' is not a manifold: more than two of its faces "
            "meet at the {} near {}, so it has no inside there. Repair the "
            "mesh (cells that touch in a single {} are not joined).",
            where,
            named.name,
            dim == 2 ? "node" : "edge",
            text_of(middle_of(surfaces, face)),
            dim == 2 ? "node" : "edge"));
    }
  }
}

/// The smallest cosine between a normal of one and a normal of the other.
template <int dim>
double most_opposed(const NamedFaces<dim> &a, const NamedFaces<dim> &b)
{
  double smallest = 1.;
  for (const auto &n : a.directions)
    for (const auto &m : b.directions)
    {
      double product = 0., nn = 0., mm = 0.;
      for (unsigned int c = 0; c < dim; ++c)
      {
        product += double(n[c]) * m[c];
        nn += double(n[c]) * n[c];
        mm += double(m[c]) * m[c];
      }
      smallest = std::min(smallest, product / std::sqrt(nn * mm));
    }
  return smallest;
}

/// Boxes around the pieces of all systems.
template <int dim>
std::vector<Box<dim>> boxes_of_pieces(const Model<dim> &model)
{
  Box<dim> empty;
  empty.low.fill(std::numeric_limits<double>::max());
  empty.high.fill(std::numeric_limits<double>::lowest());
  std::vector<Box<dim>> boxes(model.surfaces->n_pieces(), empty);
  for (unsigned int b = 0; b < model.systems.size(); ++b)
  {
    const auto &skin = model.systems[b]->skin();
    for (const auto &face : skin.skin_faces())
      for (unsigned int v = 0; v < face.n_nodes; ++v)
      {
        const Point<dim> x = skin.carrier(face.nodes[v]).reference;
        Box<dim> point;
        for (unsigned int c = 0; c < dim; ++c)
          point.low[c] = point.high[c] = x[c];
        boxes[model.surfaces->first_piece[b] + face.piece].add(point);
      }
  }
  return boxes;
}

/// How the faces of a surface lie to those of others that look against them.
template <int dim>
struct Sides
{
  bool in_one_piece = false; ///< which may fold on itself
  bool some_meet    = false; ///< face to face, or inside each other
  /// Of the nearest faces back to back, one right behind the other.
  double distance = std::numeric_limits<double>::max();
  Point<dim> place;
  const NamedFaces<dim> *other = nullptr;
};

/// Two faces are back to back if each lies behind the other and outside of its
/// piece: the bodies are between them. (Inside of it they overlap, which is
/// another mistake, or a press fit.) Ends at the first two that are not.
template <int dim>
Sides<dim> find_sides(const ContactSurfaces<dim> &surfaces,
                      const std::vector<Box<dim>> &piece_boxes,
                      const NamedFaces<dim> &named,
                      const std::vector<NamedFaces<dim>> &others)
{
  const auto outside = [&](const Point<dim> &x, const unsigned int piece)
  {
    const auto &box = piece_boxes[piece];
    for (unsigned int c = 0; c < dim; ++c)
      if (x[c] < box.low[c] || x[c] > box.high[c])
        return true;
    return false;
  };
  struct Seen
  {
    Point<dim> middle;
    Tensor<1, dim> normal;
    double size;
    unsigned int piece;
  };
  const auto see = [&](const unsigned int f) -> Seen
  {
    const auto &face = surfaces.faces[f];
    return { middle_of(surfaces, face),
             surfaces.face_normal(f, surfaces.reference),
             face.size,
             face.piece };
  };
  Sides<dim> sides;
  std::set<unsigned int> pieces;
  for (const unsigned int f : named.faces)
    pieces.insert(surfaces.faces[f].piece);
  for (const auto &other : others)
    for (const unsigned int f : other.faces)
      pieces.insert(surfaces.faces[f].piece);
  sides.in_one_piece = pieces.size() == 1;
  if (sides.in_one_piece)
    return sides;
  for (const auto &other : others)
  {
    std::vector<Seen> seen;
    for (const unsigned int f : other.faces)
      seen.push_back(see(f));
    for (const unsigned int f : named.faces)
    {
      const Seen a = see(f);
      for (const Seen &b : seen)
      {
        if (a.piece == b.piece)
          continue;
        if (a.normal * b.normal >= facing)
          continue;
        const Tensor<1, dim> way = b.middle - a.middle;
        const double rounding    = 1e-6 * (a.size + b.size);
        if (way * a.normal >= -rounding || way * b.normal <= rounding ||
            !outside(a.middle, b.piece) || !outside(b.middle, a.piece))
        {
          sides.some_meet = true;
          return sides;
        }
        const double behind = -(way * a.normal);
        if ((way + behind * a.normal).norm() < a.size + b.size &&
            behind < sides.distance)
        {
          sides.distance = behind;
          sides.place    = a.middle;
          sides.other    = &other;
        }
      }
    }
  }
  return sides;
}

/// Whether faces of one piece look at each other as it is, direction by
/// direction: some opposed face is in front of one that looks there. (Normals
/// are rounded: it may say so of a smooth surface without need.)
template <int dim>
bool look_at_each_other(const ContactSurfaces<dim> &surfaces,
                        const NamedFaces<dim> &named,
                        const std::vector<NamedFaces<dim>> &others)
{
  struct Seen
  {
    Point<dim> middle;
    Tensor<1, dim> normal;
  };
  const auto see = [&](const std::vector<unsigned int> &faces)
  {
    std::vector<Seen> seen;
    for (const unsigned int f : faces)
      seen.push_back({ middle_of(surfaces, surfaces.faces[f]),
                       surfaces.face_normal(f, surfaces.reference) });
    return seen;
  };
  const auto faces = see(named.faces);
  std::vector<std::vector<Seen>> other_faces;
  for (const auto &other : others)
    other_faces.push_back(see(other.faces));
  for (const auto &rounded : named.directions)
  {
    Tensor<1, dim> d;
    for (unsigned int c = 0; c < dim; ++c)
      d[c] = rounded[c];
    d /= d.norm();
    double lowest = std::numeric_limits<double>::max(), extent = 0.;
    for (const auto &face : faces)
    {
      bool there = true;
      for (unsigned int c = 0; c < dim; ++c)
        there = there && std::lround(10. * face.normal[c]) == rounded[c];
      if (there)
        lowest = std::min(lowest, d * face.middle);
    }
    for (unsigned int c = 0; c < dim; ++c)
      extent += named.box.high[c] - named.box.low[c];
    for (const auto &list : other_faces)
      for (const auto &other : list)
        if (other.normal * d < facing &&
            d * other.middle > lowest - 1e-6 * extent)
          return true;
  }
  return false;
}

template <int dim>
double distance(const Box<dim> &a, const Box<dim> &b)
{
  double sum = 0.;
  for (unsigned int c = 0; c < dim; ++c)
    sum += std::pow(
        std::max({ 0., a.low[c] - b.high[c], b.low[c] - a.high[c] }), 2);
  return std::sqrt(sum);
}

template <int dim>
bool have_common_piece(const ContactSurfaces<dim> &surfaces,
                       const NamedFaces<dim> &a,
                       const NamedFaces<dim> &b)
{
  std::set<unsigned int> pieces;
  for (const unsigned int f : a.faces)
    pieces.insert(surfaces.faces[f].piece);
  return std::any_of(b.faces.begin(),
                     b.faces.end(),
                     [&](const unsigned int f)
                     { return pieces.count(surfaces.faces[f].piece) > 0; });
}

/// Whether boundary conditions keep the pieces of all faces where they are.
template <int dim>
bool is_held(const Model<dim> &model, const NamedFaces<dim> &named)
{
  const auto &surfaces = *model.surfaces;
  std::set<unsigned int> pieces;
  std::set<unsigned int> bodies;
  for (const unsigned int f : named.faces)
  {
    pieces.insert(surfaces.faces[f].piece);
    bodies.insert(surfaces.nodes[surfaces.faces[f].nodes[0]].system);
  }
  for (const unsigned int b : bodies)
  {
    if (b >= model.driven.size())
      return false;
    const auto &driven = *model.driven[b];
    const auto &body   = *model.bodies[b];
    std::map<unsigned int, unsigned int> n_fixed;
    for (unsigned int dof = 0; dof < body.n_dofs(); ++dof)
      if (driven.is_driven(dof))
      {
        const auto &name = driven.condition_name(driven.condition_of(dof));
        for (const auto &condition : model.parameters.boundary_conditions)
          if (condition.name == name &&
              condition.type != BoundaryConditionType::fixed)
            return false;
        ++n_fixed[surfaces.first_piece[b] + body.node_piece[dof / dim]];
      }
    for (unsigned int p = 0; p < body.pieces.size(); ++p)
      if (pieces.count(surfaces.first_piece[b] + p) > 0 &&
          n_fixed[surfaces.first_piece[b] + p] < (dim == 2 ? 3 : 6))
        return false;
  }
  return true;
}
} // namespace

template <int dim>
void Model<dim>::inspect_surfaces()
{
  for (auto &slit : find_slits(*this))
    warnings.push_back(std::move(slit));
  const auto piece_boxes = boxes_of_pieces(*this);
  for (unsigned int k = 0; k < interactions.size(); ++k)
  {
    const auto &given = parameters.interactions[k];
    const auto where  = [&](const std::string &entry)
    { return parameters.where("Interaction " + given.name, entry); };
    const auto collect =
        [&](const std::vector<std::string> &names, const auto &name_of_face)
    {
      std::vector<NamedFaces<dim>> result;
      for (const auto &name : names)
      {
        result.emplace_back();
        result.back().name = name;
        result.back().box.low.fill(std::numeric_limits<double>::max());
        result.back().box.high.fill(std::numeric_limits<double>::lowest());
      }
      for (const auto &entry : name_of_face)
        result[entry.second].faces.push_back(entry.first);
      for (auto &named : result)
      {
        std::sort(named.faces.begin(), named.faces.end());
        for (const unsigned int f : named.faces)
        {
          const auto &face = surfaces->faces[f];
          for (unsigned int v = 0; v < face.n_nodes; ++v)
            for (unsigned int c = 0; c < dim; ++c)
            {
              const double x    = surfaces->reference[dim * face.nodes[v] + c];
              named.box.low[c]  = std::min(named.box.low[c], x);
              named.box.high[c] = std::max(named.box.high[c], x);
            }
        }
      }
      return result;
    };
    auto candidates =
        collect(given.candidates, pairs.sides(k).candidate_of_face);
    auto antagonists =
        collect(given.antagonists, pairs.sides(k).antagonist_of_face);
    for (auto *side : { &candidates, &antagonists })
      for (auto &named : *side)
      {
        check_faces(*surfaces,
                    named,
                    where(side == &candidates ? "Candidates" : "Antagonists"));
        for (const unsigned int f : named.faces)
        {
          const auto N = surfaces->face_normal(f, surfaces->reference);
          std::array<int, dim> direction;
          for (unsigned int c = 0; c < dim; ++c)
            direction[c] = std::lround(10. * N[c]);
          named.directions.insert(direction);
        }
      }

    // Bodies in small perturbations do not turn: normals that are nowhere
    // opposed never will be. (What the rounding of normals may hide counts as
    // opposed.)
    bool told_flat          = false;
    const auto check_facing = [&](const NamedFaces<dim> &named,
                                  const std::vector<NamedFaces<dim>> &others,
                                  const std::string &entry)
    {
      if (named.faces.empty())
        return;
      double smallest = 1.;
      std::string names;
      for (const auto &other : others)
        if (!other.faces.empty())
        {
          smallest = std::min(smallest, most_opposed(named, other));
          names += (names.empty() ? "'" : ", '") + other.name + "'";
        }
      if (names.empty())
        return;
      // What is one piece may fold: then normals turn, and sides that were back
      // to back meet.
      const auto sides = find_sides(*surfaces, piece_boxes, named, others);
      if (sides.in_one_piece)
      {
        if (!look_at_each_other(*surfaces, named, others) &&
            !std::exchange(told_flat, true))
          warnings.push_back(fmt::format(
              "{}: '{}' and {} are one connected piece and nowhere look at "
              "each other: they touch only if the body folds, in large "
              "deformations.",
              where(entry),
              named.name,
              names));
        return;
      }
      if (smallest > facing + 0.15)
        throw InputError(fmt::format(
            "{}: surface '{}' nowhere faces {}: their outward normals must "
            "point against each other (cosine below {}), but the most opposed "
            "ones have the cosine {:.2f}. Was another surface meant?",
            where(entry),
            named.name,
            names,
            facing,
            smallest));
      if (!sides.some_meet && sides.other)
        throw InputError(fmt::format(
            "{}: surface '{}' faces the wrong way: it looks away from '{}', "
            "which lies {:.4g} behind it at {} with the bodies between them, "
            "so that they can only meet back to back. Name the sides that "
            "face each other, or correct the place of one of the bodies "
            "('Mesh/Origin', or the coordinates in the mesh file).",
            where(entry),
            named.name,
            sides.other->name,
            sides.distance,
            text_of(sides.place)));
    };
    for (const auto &named : antagonists)
      check_facing(named, candidates, "Antagonists");
    if (interactions[k].obstacles.empty())
      for (const auto &named : candidates)
        check_facing(named, antagonists, "Candidates");

    const auto crowded = find_crowded_side(
        *surfaces, interactions[k].first_point, interactions[k].end_point);
    if (crowded.n_points > 0)
      warnings.push_back(fmt::format(
          "{}: there are more points than the surface can tell apart: {} on a "
          "side of {} faces near {}, which has {} nodes, {} of them not on its "
          "rim. Resultants are right, but pressures may alternate from point "
          "to point; points at the nodes ('Points = nodes', or automatic) and "
          "'Formulation = mortar' do not have this.",
          where("Points"),
          crowded.n_points,
          crowded.side.faces.size(),
          text_of(middle_of(*surfaces, surfaces->faces[crowded.side.faces[0]])),
          crowded.side.n_nodes,
          crowded.side.n_inner));

    for (const auto &antagonist : antagonists)
    {
      if (antagonist.faces.empty())
        continue;
      double nearest = std::numeric_limits<double>::max(), extent = 0.;
      // (A piece that is held in places may bend on itself.)
      bool held = is_held(*this, antagonist);
      for (const auto &candidate : candidates)
      {
        nearest = std::min(nearest, distance(candidate.box, antagonist.box));
        held    = held && is_held(*this, candidate) &&
               !have_common_piece(*surfaces, candidate, antagonist);
        for (const auto *box : { &candidate.box, &antagonist.box })
          for (unsigned int c = 0; c < dim; ++c)
            extent = std::max(extent, box->high[c] - box->low[c]);
      }
      if (held && nearest > 0.1 * extent)
        warnings.push_back(fmt::format(
            "{}: '{}' and the candidates start {:.4g} apart and boundary "
            "conditions hold both sides: they cannot touch.",
            where("Antagonists"),
            antagonist.name,
            nearest));
    }
  }
}

template void Model<2>::inspect_surfaces();
template void Model<3>::inspect_surfaces();
} // namespace delassus
