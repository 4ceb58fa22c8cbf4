#include <delassus/contact/detection/obstacle_search.h>

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
ObstacleSearch<dim>::ObstacleSearch(const ContactSurfaces<dim> &surfaces,
                                    const std::vector<Obstacle<dim>> &obstacles)
    : surfaces(surfaces)
    , obstacles(obstacles)
{
}

template <int dim>
void ObstacleSearch<dim>::start_from(const std::vector<double> &x,
                                     const double t,
                                     const std::vector<Contact<dim>> &before)
{
  x_start = &x;
  t_start = t;
  earlier = &before;
}

template <int dim>
void ObstacleSearch<dim>::give_slots(Contact<dim> *first,
                                     Contact<dim> *last) const
{
  using Iterator = typename std::vector<Contact<dim>>::const_iterator;
  std::pair<Iterator, Iterator> range;
  if (earlier)
    range = std::equal_range(earlier->begin(),
                             earlier->end(),
                             *first,
                             [](const Contact<dim> &a, const Contact<dim> &b)
                             {
                               return a.interaction != b.interaction
                                          ? a.interaction < b.interaction
                                          : a.point < b.point;
                             });
  constexpr unsigned int none = numbers::invalid_unsigned_int;
  // As many as a point has ever had at once; mostly one.
  boost::container::small_vector<bool, 16> taken;
  const auto is_taken = [&](const unsigned int slot)
  { return slot < taken.size() && taken[slot]; };
  const auto take = [&](const unsigned int slot)
  {
    if (slot >= taken.size())
      taken.resize(slot + 1, false);
    taken[slot] = true;
  };
  for (Contact<dim> *c = first; c != last; ++c)
    c->slot = none;
  // Best pairs first.
  while (true)
  {
    double best           = -2.;
    Contact<dim> *contact = nullptr;
    unsigned int slot     = 0;
    for (Contact<dim> *c = first; c != last; ++c)
      if (c->slot == none)
        for (auto old = range.first; old != range.second; ++old)
          if (old->obstacle == c->obstacle && !is_taken(old->slot) &&
              old->normal() * c->normal() > best)
          {
            best    = old->normal() * c->normal();
            contact = c;
            slot    = old->slot;
          }
    if (!contact)
      break;
    contact->slot = slot;
    take(slot);
  }
  for (Contact<dim> *c = first; c != last; ++c)
    if (c->slot == none)
    {
      unsigned int slot = 0;
      while (is_taken(slot))
        ++slot;
      c->slot = slot;
      take(slot);
    }
}

template <int dim>
void ObstacleSearch<dim>::prepare(const std::vector<unsigned int> &antagonists,
                                  const std::vector<double> &x,
                                  const double t)
{
  // With fewer, trying all is faster.
  constexpr std::size_t few = 8;
  x_now                     = &x;
  uses_tree                 = !by_brute_force && antagonists.size() > few;
  if (!uses_tree)
    return;
  bounds.resize(obstacles.size());
  everywhere.clear();
  in_tree.clear();
  std::vector<Box<dim>> boxes;
  for (unsigned int i = 0; i < antagonists.size(); ++i)
  {
    const unsigned int o = antagonists[i];
    auto &of             = bounds[o];
    if (!of.known)
    {
      of.known  = true;
      of.finite = obstacles[o].shape->bounding_box(of.box);
    }
    if (!of.finite)
    {
      everywhere.push_back(i);
      continue;
    }
    Box<dim> box;
    box.low.fill(std::numeric_limits<double>::max());
    box.high.fill(std::numeric_limits<double>::lowest());
    // Where it is, and where it has come from.
    for (const double when : { t, x_start ? t_start : t })
      for (unsigned int v = 0; v < GeometryInfo<dim>::vertices_per_cell; ++v)
      {
        const Point<dim> corner = obstacles[o].place(of.box.vertex(v), when);
        for (unsigned int c = 0; c < dim; ++c)
        {
          box.low[c]  = std::min(box.low[c], corner[c]);
          box.high[c] = std::max(box.high[c], corner[c]);
        }
      }
    boxes.push_back(box);
    in_tree.push_back(i);
  }
  tree.build(boxes);
}

template <int dim>
void ObstacleSearch<dim>::add_contacts(
    const unsigned int interaction,
    const std::vector<unsigned int> &antagonists,
    const unsigned int p,
    const Point<dim> &position,
    const Tensor<1, dim> &normal,
    const double alert,
    const double t,
    std::vector<Contact<dim>> &contacts)
{
  const auto &point = surfaces.points[p];
  if (!uses_tree)
  {
    for (const unsigned int o : antagonists)
      touch(interaction, o, p, position, normal, alert, t, contacts);
    return;
  }
  // Within the search distance, or on the way that the point has gone.
  Box<dim> box;
  const double reach = alert + point.radius;
  const Point<dim> from =
      x_start ? surfaces.position(point, *x_start) : position;
  for (unsigned int c = 0; c < dim; ++c)
  {
    box.low[c]  = std::min(from[c], position[c]) - reach;
    box.high[c] = std::max(from[c], position[c]) + reach;
  }
  near = everywhere;
  if (!tree.empty())
  {
    tree.collect(box, places);
    for (const unsigned int place : places)
      near.push_back(in_tree[tree.number_at(place)]);
  }
  // In the order of trying all.
  std::sort(near.begin(), near.end());
  for (const unsigned int i : near)
    touch(interaction, antagonists[i], p, position, normal, alert, t, contacts);
}

template <int dim>
void ObstacleSearch<dim>::add_entries(Contact<dim> &contact,
                                      const Point<dim> &position,
                                      const ShapeSide<dim> &side) const
{
  const auto &point = surfaces.points[contact.point];
  for (unsigned int i = 0; i < point.n_nodes; ++i)
    contact.add_entry(point.nodes[i], point.weights[i]);
  const auto add_arm = [&](const unsigned int piece,
                           const Tensor<1, dim> &arm,
                           const double factor)
  {
    surfaces.resolve_arm(surfaces.frame(piece),
                         arm,
                         *x_now,
                         [&](const unsigned int node, const double weight)
                         {
                           if (weight != 0.)
                             contact.add_entry(node, factor * weight);
                         });
  };
  if (point.radius > 0.)
    add_arm(point.piece, -point.radius * side.normal, 1.);
  contact.n_candidate_entries = contact.n_entries;
  const auto &obstacle        = obstacles[contact.obstacle];
  if (!obstacle.is_free_body())
    return;
  // The point of the body that is touched, seen from its pole.
  const auto &frame = surfaces.frame(obstacle.piece());
  contact.add_entry(frame.pole, -1.);
  Tensor<1, dim> arm = position - (side.distance + point.radius) * side.normal;
  for (unsigned int c = 0; c < dim; ++c)
    arm[c] -= (*x_now)[dim * frame.pole + c];
  if (obstacle.rotates())
    add_arm(obstacle.piece(), arm, -1.);
}

template <int dim>
void ObstacleSearch<dim>::touch(const unsigned int interaction,
                                const unsigned int o,
                                const unsigned int p,
                                const Point<dim> &position,
                                const Tensor<1, dim> &normal,
                                const double alert,
                                const double t,
                                std::vector<Contact<dim>> &contacts)
{
  const auto &point    = surfaces.points[p];
  const auto &obstacle = obstacles[o];
  // A rigid body does not touch itself.
  if (obstacle.is_body() && obstacle.piece() == point.piece)
    return;
  const double reach = alert + point.radius;
  const double phi =
      obstacle.touch(position, normal, t, reach, point.depth, sides);
  // A plane without end cannot be passed: its back is inside.
  if (x_start && !obstacle.shape->is_plane() && phi < reach)
  {
    const Point<dim> from = surfaces.position(point, *x_start);
    const Point<dim> a    = obstacle.rest_place(from, t_start),
                     b    = obstacle.rest_place(position, t);
    if (a != b && obstacle.shape->is_crossed(a, b))
    {
      sides_here.swap(sides);
      obstacle.touch(
          from, normal, t_start, reach + a.distance(b), point.depth, sides);
      // Where the point has sunk in and not come out elsewhere, it sees the
      // same sides from here, or those next to them that it has slid onto, with
      // the normals that they have here: as it would from just outside.
      const auto is_here = [&](const ShapeSide<dim> &side)
      {
        return std::any_of(sides_here.begin(),
                           sides_here.end(),
                           [&](const ShapeSide<dim> &other)
                           { return other.normal * side.normal > 0.5; });
      };
      if (!sides.empty() && std::all_of(sides.begin(), sides.end(), is_here))
        sides.swap(sides_here);
      else
        for (auto &side : sides)
          side.distance = obstacle.gap(side.side, side.normal, position, t);
    }
  }
  const std::size_t first = contacts.size();
  for (auto &side : sides)
  {
    side.distance -= point.radius;
    contacts.emplace_back();
    auto &contact       = contacts.back();
    contact.interaction = interaction;
    contact.point       = p;
    contact.obstacle    = o;
    contact.face        = side.side;
    contact.area        = surfaces.touching_area(point, side.normal, *x_now);
    contact.frame       = make_frame<dim>(side.normal);
    add_entries(contact, position, side);
  }
  if (!sides.empty())
    give_slots(&contacts[first], &contacts[first] + sides.size());
}

template <int dim>
void ObstacleSearch<dim>::renew_entries(Contact<dim> &contact,
                                        const Point<dim> &position,
                                        const Tensor<1, dim> &N,
                                        const std::vector<double> &x,
                                        const double t)
{
  const auto &point    = surfaces.points[contact.point];
  const auto &obstacle = obstacles[contact.obstacle];
  if (point.radius == 0. && !obstacle.is_free_body())
    return;
  ShapeSide<dim> side;
  side.normal   = N;
  side.distance = obstacle.gap(contact.face, N, position, t) - point.radius;
  contact.nodes.clear();
  contact.weights.clear();
  contact.n_entries = 0;
  x_now             = &x;
  add_entries(contact, position, side);
}

template <int dim>
bool ObstacleSearch<dim>::normal_at(const Contact<dim> &contact,
                                    const Point<dim> &position,
                                    const Tensor<1, dim> &normal,
                                    const double t,
                                    Tensor<1, dim> &N) const
{
  const auto &point    = surfaces.points[contact.point];
  const auto &obstacle = obstacles[contact.obstacle];
  N                    = contact.normal();
  if (obstacle.keeps_normals())
    return true;
  const double reach =
      point.size + point.radius +
      2. * std::abs(obstacle.gap(contact.face, N, position, t));
  obstacle.touch(position, normal, t, reach, point.depth, sides);
  for (const auto &side : sides)
    if (side.side == contact.face)
    {
      N = side.normal;
      return true;
    }
  return false;
}

template class ObstacleSearch<2>;
template class ObstacleSearch<3>;
} // namespace delassus
