#include <delassus/simulation/zone_watch.h>
#include <delassus/simulation/contact_zone.h>
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
/// The force by which a pair has to grow for another look at it.
constexpr double growth = 1.1;
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
    // (A joint is no zone that grows under its load.)
    if (forces[pair] <= growth * zones[pair].peak ||
        model.laws[c.interaction]->holds(nullptr))
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
  std::vector<unsigned int> closed;
  for (const unsigned int a : group.contacts)
    if (table.P[dim * a] > 0.)
      closed.push_back(table.contacts[a].point);
  const auto &contact = table.contacts[group.contacts[0]];
  const auto measured = measure_zone(
      *model.surfaces, model.interactions[contact.interaction], closed);
  zone.across   = measured.across;
  zone.n_closed = measured.n_closed;
  zone.n_around = measured.n_around;
  zone.place    = measured.place;
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
