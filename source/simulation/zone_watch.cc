#include <delassus/simulation/zone_watch.h>
#include <delassus/simulation/overlaps.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace delassus
{
using namespace dealii;

namespace
{
/// Points across a zone that are enough.
constexpr double enough = 4.5;

/// The force by which a pair has to grow for another look at it.
constexpr double growth = 1.1;

/// Cosines: of normals that are the same, and of those of one side of a body.
constexpr double same = 0.9994, same_side = 0.5;

template <int dim>
bool are_parallel(const std::vector<Tensor<1, dim>> &normals)
{
  for (const auto &normal : normals)
    if (normal * normals[0] < same)
      return false;
  return true;
}
} // namespace

template <int dim>
ZoneWatch<dim>::ZoneWatch(const Model<dim> &model)
    : model(model)
    , zones(model.pairs.size())
{
}

template <int dim>
bool ZoneWatch<dim>::is_due(const std::vector<double> &forces) const
{
  for (unsigned int p = 0; p < forces.size(); ++p)
    if (forces[p] > growth * zones[p].peak)
      return true;
  return false;
}

template <int dim>
void ZoneWatch<dim>::look(const std::vector<double> &forces,
                          const ContactPhase<dim> &contact,
                          const double t)
{
  const auto table = contact.gathered();
  std::map<std::pair<unsigned int, unsigned int>, Group> groups;
  for (unsigned int a = 0; a < table.contacts.size(); ++a)
  {
    const auto &c           = table.contacts[a];
    const unsigned int pair = model.pair_of(c);
    if (forces[pair] <= growth * zones[pair].peak)
      continue;
    auto &group = groups[{ pair, model.surfaces->points[c.point].piece }];
    group.contacts.push_back(a);
    group.force += table.P[dim * a];
  }
  for (unsigned int p = 0; p < zones.size(); ++p)
    if (forces[p] > growth * zones[p].peak)
    {
      zones[p]      = Zone();
      zones[p].peak = forces[p];
      zones[p].time = t;
    }
  // The piece that carries most.
  std::map<unsigned int, const Group *> strongest;
  for (const auto &[key, group] : groups)
  {
    const Group *&best = strongest[key.first];
    if (best == nullptr || group.force > best->force)
      best = &group;
  }
  for (const auto &[pair, group] : strongest)
    if (!is_flat(table, *group))
      measure(table, *group, zones[pair]);
}

template <int dim>
bool ZoneWatch<dim>::is_flat(const ContactSet<dim> &table,
                             const Group &group) const
{
  const auto &surfaces = *model.surfaces;
  std::vector<Tensor<1, dim>> own, opposite;
  for (const unsigned int a : group.contacts)
  {
    const auto &contact = table.contacts[a];
    own.push_back(surfaces.point_normal(surfaces.points[contact.point],
                                        surfaces.reference));
    opposite.push_back(contact.normal());
    if (contact.obstacle >= 0 &&
        !model.obstacles[contact.obstacle].shape->is_plane())
      return false;
  }
  return are_parallel<dim>(own) && are_parallel<dim>(opposite);
}

template <int dim>
void ZoneWatch<dim>::measure(const ContactSet<dim> &table,
                             const Group &group,
                             Zone &zone) const
{
  const auto &surfaces = *model.surfaces;
  // Closed points, once each, and the normal of their middle.
  std::vector<unsigned int> closed;
  Tensor<1, dim> normal;
  for (const unsigned int a : group.contacts)
    if (table.P[dim * a] > 0.)
      closed.push_back(table.contacts[a].point);
  std::sort(closed.begin(), closed.end());
  closed.erase(std::unique(closed.begin(), closed.end()), closed.end());
  if (closed.empty())
    return;
  double area = 0., size = 0.;
  for (const unsigned int p : closed)
  {
    const auto &point = surfaces.points[p];
    normal += surfaces.point_normal(point, surfaces.reference);
    area += point.area;
    size += point.size;
  }
  if (normal.norm() == 0.)
    return;
  normal /= normal.norm();
  size = dim == 3 && area > 0. ? std::sqrt(area / closed.size())
                               : size / closed.size();

  // The points of the same side of the piece, and how far both reach along the
  // tangents.
  const auto frame  = make_frame<dim>(normal);
  const auto extend = [&](std::array<double, 2>(&range)[dim],
                          const unsigned int p,
                          const bool first)
  {
    const Point<dim> x =
        surfaces.position(surfaces.points[p], surfaces.reference);
    for (unsigned int r = 1; r < dim; ++r)
    {
      double s = 0.;
      for (unsigned int c = 0; c < dim; ++c)
        s += frame[dim * r + c] * x[c];
      range[r] = first ? std::array<double, 2>{ { s, s } }
                       : std::array<double, 2>{ { std::min(range[r][0], s),
                                                  std::max(range[r][1], s) } };
    }
  };
  std::array<double, 2> around[dim] = {}, inside[dim] = {};
  const auto &contact      = table.contacts[group.contacts[0]];
  const auto &interaction  = model.interactions[contact.interaction];
  const unsigned int piece = surfaces.points[contact.point].piece;
  unsigned int n_around    = 0;
  for (unsigned int p = interaction.first_point; p < interaction.end_point; ++p)
  {
    const auto &point = surfaces.points[p];
    if (point.piece == piece &&
        surfaces.point_normal(point, surfaces.reference) * normal > same_side)
      extend(around, p, n_around++ == 0);
  }
  for (unsigned int i = 0; i < closed.size(); ++i)
    extend(inside, closed[i], i == 0);
  // A zone that fills the face is not limited by its shape.
  if (2 * closed.size() >= n_around)
    return;
  double across = 0.;
  for (unsigned int r = 1; r < dim; ++r)
  {
    const bool low  = inside[r][0] <= around[r][0] + 0.75 * size;
    const bool high = inside[r][1] >= around[r][1] - 0.75 * size;
    if (low && high)
      continue;
    // At an end of the surface, a plane of symmetry, half of a zone is seen.
    const double extent =
        dim == 2 ? closed.size() - 1. : (inside[r][1] - inside[r][0]) / size;
    const double here = 1. + (low || high ? 2. : 1.) * extent;
    across            = across == 0. ? here : std::min(across, here);
  }
  if (across == 0. || across >= enough)
    return;
  zone.across   = across;
  zone.n_closed = closed.size();
  zone.n_around = n_around;
  zone.place    = surfaces.position(surfaces.points[closed[closed.size() / 2]],
                                 surfaces.reference);
}

template <int dim>
void ZoneWatch<dim>::judge(Verdict &verdict) const
{
  std::string list;
  for (unsigned int p = 0; p < zones.size(); ++p)
    if (zones[p].across > 0.)
      list += fmt::format(
          "{} '{}' on '{}' (interaction '{}') has {:.1f}, {} of {} points "
          "around {}, under its largest force, {:.3g} at t = {:.6g}",
          list.empty() ? ":" : ",",
          model.pairs[p].candidate,
          model.pairs[p].antagonist,
          model.interactions[model.pairs[p].interaction].name,
          zones[p].across,
          zones[p].n_closed,
          zones[p].n_around,
          text_of(zones[p].place),
          zones[p].peak,
          zones[p].time);
  if (!list.empty())
    verdict.remarks.push_back(
        "contact zones are too coarse, so that forces and pressures there are "
        "those of the mesh: refine it to about 5 active points across" +
        list);
}

template <int dim>
void ZoneWatch<dim>::archive(Archive &archive)
{
  auto saved = zones;
  archive("contact zones", saved);
  if (saved.size() == zones.size())
    zones = saved;
}

template class ZoneWatch<2>;
template class ZoneWatch<3>;
} // namespace delassus
