#include <delassus/simulation/overlaps.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/contact/kinematics/contact_packing.h>
#include <delassus/simulation/messages.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/numerics/rtree.h>

#include <fmt/format.h>

#include <map>
#include <set>

namespace delassus
{
using namespace dealii;

template <int dim>
std::string text_of(const Point<dim> &p)
{
  std::string text = "(";
  for (unsigned int c = 0; c < dim; ++c)
    text += fmt::format("{}{:.6g}", c > 0 ? ", " : "", p[c]);
  return text + ")";
}

namespace
{
/// Faces of cells that are boundary, as cell * faces of a cell + face.
template <int dim>
std::set<std::size_t> boundary_of_cells(const SolidBody<dim> &body)
{
  std::set<std::size_t> faces;
  for (const auto &face : body.boundary)
    if (face.cell != no_node)
      faces.insert(std::size_t(face.cell) * body.element.faces().size() +
                   face.face);
  return faces;
}

/// How deep a point lies in the body of a convex cell (curved edges are taken
/// straight): the smallest distance to those of its faces that are boundary
/// (its diameter if none is); negative if the point is outside the cell.
template <int dim>
double depth_in_cell(const SolidBody<dim> &body,
                     const std::set<std::size_t> &boundary,
                     const unsigned int cell,
                     const Point<dim> &p)
{
  const unsigned int *nodes = body.nodes_of_cell(cell);
  double diameter           = 0.;
  for (unsigned int a = 0; a < body.element.n_corners(); ++a)
    for (unsigned int b = 0; b < a; ++b)
      diameter = std::max(diameter,
                          body.nodes[nodes[a]].distance(body.nodes[nodes[b]]));
  double depth            = diameter;
  const Point<dim> centre = body.centre_of_cell(cell);
  const auto &faces       = body.element.faces();
  for (unsigned int f = 0; f < faces.size(); ++f)
  {
    const Point<dim> &x = body.nodes[nodes[faces[f][0]]];
    const auto edge     = [&](const unsigned int v)
    { return body.nodes[nodes[faces[f][v]]] - x; };
    Tensor<1, dim> normal;
    if constexpr (dim == 2)
    {
      normal[0] = edge(1)[1];
      normal[1] = -edge(1)[0];
    }
    else
      normal = cross_product_3d(edge(1),
                                edge(n_face_corners<dim>(faces[f].size()) - 1));
    normal /= normal.norm();
    if (normal * (x - centre) < 0.)
      normal *= -1.;
    const double distance = normal * (x - p);
    if (distance < -1e-9 * diameter)
      return -1.;
    if (boundary.count(std::size_t(cell) * faces.size() + f) > 0)
      depth = std::min(depth, distance);
  }
  return depth;
}

template <int dim>
BoundingBox<dim> box_of_cell(const SolidBody<dim> &body,
                             const unsigned int cell)
{
  std::vector<Point<dim>> corners;
  for (unsigned int v = 0; v < body.element.n_corners(); ++v)
    corners.push_back(body.nodes[body.nodes_of_cell(cell)[v]]);
  return BoundingBox<dim>(corners);
}
} // namespace

template <int dim>
std::vector<Overlap> find_overlaps(const Model<dim> &model,
                                   const ContactPhase<dim> &contact)
{
  const auto &surfaces = *model.surfaces;
  std::vector<Overlap> overlaps;
  std::set<unsigned int> told;
  const auto add =
      [&](const double depth, const unsigned int point, const std::string &pair)
  {
    if (told.insert(point).second)
      overlaps.push_back(
          { depth,
            point,
            pair + " at " +
                text_of(surfaces.position(surfaces.points[point],
                                          surfaces.reference)) });
  };
  // Contacts of all ranks.
  struct Inside
  {
    double depth;
    unsigned int point, pair;
  };
  std::vector<char> message;
  for (unsigned int a = 0; a < contact.contacts.size(); ++a)
  {
    const auto &c      = contact.contacts[a];
    const double depth = -contact.gaps[a] / surfaces.points[c.point].size;
    if (depth > 1e-6)
      pack_value(Inside{ depth, c.point, model.pair_of(c) }, message);
  }
  for (const auto &part : gather_lists(message, model.communicator))
    for (const char *place = part.data(); place < part.data() + part.size();)
    {
      const auto inside = unpack_value<Inside>(place);
      const auto &pair  = model.pairs[inside.pair];
      add(inside.depth,
          inside.point,
          fmt::format("{} against {} in '{}'",
                      pair.candidate,
                      pair.antagonist,
                      model.interactions[pair.interaction].name));
    }

  // However deep, and whether or not they face what they are in.
  for (const auto &interaction : model.interactions)
    for (const unsigned int o : interaction.obstacles)
    {
      const auto &obstacle = model.obstacles[o];
      if (obstacle.shape->is_plane() || obstacle.shape->is_open())
        continue;
      for (unsigned int p = interaction.first_point; p < interaction.end_point;
           ++p)
      {
        const auto &point = surfaces.points[p];
        const double depth =
            -obstacle.distance(surfaces.position(point, surfaces.reference),
                               model.parameters.time.start_time) /
            point.size;
        if (depth > 1e-6)
          add(depth,
              p,
              fmt::format("a candidate of '{}' inside obstacle '{}'",
                          interaction.name,
                          obstacle.name));
      }
    }

  // Cells of pieces with antagonist faces; of distributed meshes each rank
  // looks into its own.
  bool distributed = false;
  std::vector<std::set<std::size_t>> boundary;
  for (const auto &body : model.bodies)
  {
    distributed = distributed || body->distributed;
    boundary.push_back(boundary_of_cells(*body));
  }
  for (const auto &interaction : model.interactions)
  {
    std::set<unsigned int> pieces;
    for (const unsigned int f : interaction.faces)
      pieces.insert(surfaces.faces[f].piece);
    if (pieces.empty())
      continue;
    struct CellOfBody
    {
      unsigned int body, cell;
    };
    std::vector<CellOfBody> cells;
    std::vector<std::pair<BoundingBox<dim>, unsigned int>> boxes, found;
    for (unsigned int b = 0; b < model.bodies.size(); ++b)
      for (unsigned int c = 0; c < model.bodies[b]->n_cells(); ++c)
      {
        if (pieces.count(surfaces.first_piece[b] +
                         model.bodies[b]->cell_piece[c]) == 0)
          continue;
        boxes.emplace_back(box_of_cell(*model.bodies[b], c), cells.size());
        cells.push_back({ b, c });
      }
    const auto tree = pack_rtree(boxes);
    // By candidate point and piece: depth and body.
    std::map<std::pair<unsigned int, unsigned int>,
             std::pair<double, unsigned int>>
        depths;
    const auto note = [&](const unsigned int p,
                          const unsigned int piece,
                          const double depth,
                          const unsigned int body)
    {
      const auto known = depths.insert({ { p, piece }, { depth, body } }).first;
      known->second.first = std::min(known->second.first, depth);
    };
    for (unsigned int p = interaction.first_point; p < interaction.end_point;
         ++p)
    {
      const auto &point  = surfaces.points[p];
      const Point<dim> x = surfaces.position(point, surfaces.reference);
      found.clear();
      tree.query(boost::geometry::index::intersects(x),
                 std::back_inserter(found));
      // A point on an edge is in several cells: on the boundary if one of
      // them says so.
      for (const auto &entry : found)
      {
        const auto &in   = cells[entry.second];
        const auto &body = *model.bodies[in.body];
        const unsigned int piece =
            surfaces.first_piece[in.body] + body.cell_piece[in.cell];
        if (piece == point.piece)
          continue;
        const double depth =
            depth_in_cell(body, boundary[in.body], in.cell, x) / point.size;
        if (depth >= 0.)
          note(p, piece, depth, in.body);
      }
    }
    if (distributed)
    {
      std::vector<double> mine;
      for (const auto &entry : depths)
        mine.insert(mine.end(),
                    { double(entry.first.first),
                      double(entry.first.second),
                      entry.second.first,
                      double(entry.second.second) });
      for (const auto &part :
           Utilities::MPI::all_gather(model.communicator, mine))
        for (std::size_t i = 0; i < part.size(); i += 4)
          note(part[i], part[i + 1], part[i + 2], part[i + 3]);
    }
    for (const auto &entry : depths)
      if (entry.second.first > 1e-6)
        add(entry.second.first,
            entry.first.first,
            fmt::format("a candidate of '{}' inside body '{}'",
                        interaction.name,
                        model.bodies[entry.second.second]->name()));
  }
  std::sort(overlaps.begin(),
            overlaps.end(),
            [](const Overlap &a, const Overlap &b) {
              return a.depth != b.depth ? a.depth > b.depth : a.point < b.point;
            });
  return overlaps;
}

template <int dim>
void check_sides_of_obstacles(const Model<dim> &model)
{
  const auto &surfaces = *model.surfaces;
  for (const auto &interaction : model.interactions)
    for (const unsigned int o : interaction.obstacles)
    {
      // Whole pieces behind it: sunk in is another mistake.
      const auto &obstacle = model.obstacles[o];
      const double t       = model.parameters.time.start_time;
      std::set<unsigned int> pieces;
      for (unsigned int p = interaction.first_point; p < interaction.end_point;
           ++p)
        pieces.insert(surfaces.points[p].piece);
      double highest = std::numeric_limits<double>::lowest();
      for (unsigned int b = 0; b < model.bodies.size() && highest < 0.; ++b)
        for (unsigned int n = 0; n < model.bodies[b]->n_nodes() && highest < 0.;
             ++n)
          if (pieces.count(surfaces.first_piece[b] +
                           model.bodies[b]->node_piece[n]) > 0)
            highest = std::max(highest,
                               obstacle.distance(model.bodies[b]->nodes[n], t));
      if (highest < 0.)
        throw InputError(fmt::format(
            "{}: all bodies of interaction '{}' start behind the obstacle "
            "({}). "
            "{}",
            model.parameters.where("Obstacle " + obstacle.name,
                                   obstacle.shape->is_plane() ? "Normal"
                                                              : "Hollow"),
            interaction.name,
            obstacle.shape->describe(),
            obstacle.shape->is_plane()
                ? "Its normal must point from the obstacle to the bodies."
                : "If they should be on that side, set Hollow the other way; "
                  "an open profile has the bodies to its left."));
    }
}

std::string judge_overlaps(const std::vector<Overlap> &overlaps)
{
  if (overlaps.empty())
    return "";
  const std::string message =
      fmt::format("{}, the deepest by {:.3g} of its face: {}.",
                  counted(overlaps.size(),
                          "candidate starts inside what it should touch",
                          "candidates start inside what they should touch"),
                  overlaps[0].depth,
                  overlaps[0].text);
  if (overlaps[0].depth > 0.1)
    throw InputError(message +
                     " Move the bodies apart or repair the mesh ('delassus "
                     "check' lists them).");
  return message;
}

#define INSTANTIATE(dim)                                                       \
  template std::string text_of<dim>(const Point<dim> &);                       \
  template std::vector<Overlap> find_overlaps<dim>(const Model<dim> &,         \
                                                   const ContactPhase<dim> &); \
  template void check_sides_of_obstacles<dim>(const Model<dim> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
