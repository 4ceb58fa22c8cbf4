#include <delassus/simulation/overlaps.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/contact/kinematics/contact_packing.h>
#include <delassus/simulation/messages.h>

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
        if (obstacle.is_body() && obstacle.piece() == point.piece)
          continue;
        const double distance =
            obstacle.distance(surfaces.position(point, surfaces.reference),
                              model.parameters.time.start_time);
        const double depth = (point.radius - distance) / point.size;
        if (depth > 1e-6)
          add(depth,
              p,
              fmt::format("a candidate of '{}' inside obstacle '{}'",
                          interaction.name,
                          obstacle.name));
      }
    }

  // What is inside the pieces with antagonist faces; of distributed meshes each
  // rank looks into its own cells.
  for (const auto &interaction : model.interactions)
  {
    std::vector<std::set<unsigned int>> pieces(model.systems.size());
    for (const unsigned int f : interaction.faces)
    {
      const unsigned int system =
          surfaces.nodes[surfaces.faces[f].nodes[0]].system;
      pieces[system].insert(surfaces.faces[f].piece -
                            surfaces.first_piece[system]);
    }
    // By candidate point and piece: depth and system.
    std::map<std::pair<unsigned int, unsigned int>,
             std::pair<double, unsigned int>>
        depths;
    const auto note = [&](const unsigned int p,
                          const unsigned int piece,
                          const double depth,
                          const unsigned int system)
    {
      const auto known =
          depths.insert({ { p, piece }, { depth, system } }).first;
      known->second.first = std::min(known->second.first, depth);
    };
    bool distributed = false;
    for (unsigned int s = 0; s < pieces.size(); ++s)
    {
      const auto interior = model.interior_of(s, pieces[s]);
      if (!interior)
        continue;
      distributed = distributed || interior->is_distributed();
      for (unsigned int p = interaction.first_point; p < interaction.end_point;
           ++p)
      {
        // A point on an edge is in several cells: on the boundary if one of
        // them says so.
        const auto &point = surfaces.points[p];
        interior->find(surfaces.position(point, surfaces.reference),
                       [&](const unsigned int number, const double depth)
                       {
                         const unsigned int piece =
                             surfaces.first_piece[s] + number;
                         if (piece != point.piece)
                           note(p, piece, depth / point.size, s);
                       });
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
                        model.systems[entry.second.second]->skin().name()));
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
      // A rigid body's shape is for others.
      if (obstacle.is_body())
        pieces.erase(obstacle.piece());
      if (pieces.empty())
        continue;
      double highest = std::numeric_limits<double>::lowest();
      for (unsigned int p = interaction.first_point; p < interaction.end_point;
           ++p)
        if (surfaces.points[p].radius > 0. &&
            pieces.count(surfaces.points[p].piece) > 0)
          highest = std::max(
              highest,
              surfaces.points[p].radius +
                  obstacle.distance(
                      surfaces.position(surfaces.points[p], surfaces.reference),
                      t));
      for (unsigned int b = 0; b < model.systems.size(); ++b)
      {
        const auto &skin = model.systems[b]->skin();
        for (const auto &face : skin.skin_faces())
          for (unsigned int v = 0; v < face.n_nodes && highest < 0.; ++v)
            if (pieces.count(surfaces.first_piece[b] + face.piece) > 0)
              highest = std::max(
                  highest,
                  obstacle.distance(skin.carrier(face.nodes[v]).reference, t));
      }
      if (highest < 0.)
        throw InputError(fmt::format(
            "{}: all bodies of interaction '{}' start behind the obstacle "
            "({}). "
            "{}",
            model.parameters.where(model.section_of(o),
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
