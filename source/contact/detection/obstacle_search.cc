#include <delassus/contact/detection/obstacle_search.h>

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
  constexpr unsigned int most = 16; // the bits that a key has for slots
  std::array<bool, most> taken{};
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
          if (old->obstacle == c->obstacle && old->slot < most &&
              !taken[old->slot] && old->normal() * c->normal() > best)
          {
            best    = old->normal() * c->normal();
            contact = c;
            slot    = old->slot;
          }
    if (!contact)
      break;
    contact->slot = slot;
    taken[slot]   = true;
  }
  for (Contact<dim> *c = first; c != last; ++c)
    if (c->slot == none)
    {
      unsigned int slot = 0;
      while (slot + 1 < most && taken[slot])
        ++slot;
      c->slot     = slot;
      taken[slot] = true;
    }
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
    std::vector<Contact<dim>> &contacts) const
{
  const auto &point = surfaces.points[p];
  for (const unsigned int o : antagonists)
  {
    const auto &obstacle = obstacles[o];
    const double phi =
        obstacle.touch(position, normal, t, alert, point.depth, sides);
    // A plane without end cannot be passed: its back is inside.
    if (x_start && !obstacle.shape->is_plane() && phi < alert)
    {
      const Point<dim> from = surfaces.position(point, *x_start);
      const Point<dim> a    = obstacle.rest_place(from, t_start),
                       b    = obstacle.rest_place(position, t);
      if (a != b && obstacle.shape->is_crossed(a, b))
      {
        obstacle.touch(
            from, normal, t_start, alert + a.distance(b), point.depth, sides);
        for (auto &side : sides)
          side.distance = obstacle.gap(side.side, side.normal, position, t);
      }
    }
    const std::size_t first = contacts.size();
    for (const auto &side : sides)
    {
      Contact<dim> contact;
      contact.interaction         = interaction;
      contact.point               = p;
      contact.obstacle            = o;
      contact.face                = side.side;
      contact.n_candidate_entries = point.n_nodes;
      contact.area                = point.area;
      for (unsigned int i = 0; i < point.n_nodes; ++i)
        contact.add_entry(point.nodes[i], point.weights[i]);
      contact.frame = make_frame<dim>(side.normal);
      contacts.push_back(contact);
    }
    if (!sides.empty())
      give_slots(&contacts[first], &contacts[first] + sides.size());
  }
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
      point.size + 2. * std::abs(obstacle.gap(contact.face, N, position, t));
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
