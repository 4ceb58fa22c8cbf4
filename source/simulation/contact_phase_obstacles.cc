#include <delassus/simulation/contact_phase.h>

namespace delassus
{
using namespace dealii;

template <int dim>
bool ContactPhase<dim>::normals_change() const
{
  // Of no contact in particular, so that all ranks agree. Balls have their
  // point of contact elsewhere as they turn.
  if (model.surfaces->has_balls)
    return true;
  for (const auto &interaction : model.interactions)
    for (const unsigned int o : interaction.obstacles)
      if (!model.obstacles[o].keeps_normals())
        return true;
  return false;
}

template <int dim>
bool ContactPhase<dim>::is_of_rigid_body(const Contact<dim> &contact) const
{
  if (!has_bodies)
    return false;
  return is_rigid[model.surfaces->nodes[contact.nodes[0]].system] ||
         (contact.obstacle >= 0 && model.obstacles[contact.obstacle].is_body());
}

template <int dim>
Point<dim> ContactPhase<dim>::candidate(const Contact<dim> &contact,
                                        const std::vector<double> &x) const
{
  const auto &point = model.surfaces->points[contact.point];
  if (point.radius > 0.)
    return model.surfaces->position(point, x) - point.radius * contact.normal();
  Point<dim> p;
  for (unsigned int i = 0; i < contact.n_candidate_entries; ++i)
    for (unsigned int c = 0; c < dim; ++c)
      p[c] += contact.weights[i] * x[dim * contact.nodes[i] + c];
  return p;
}

template <int dim>
LocalVector<dim>
ContactPhase<dim>::imposed_velocity(const Contact<dim> &contact,
                                    const double t_tilde,
                                    const double h) const
{
  const auto V = model.obstacles[contact.obstacle].imposed_velocity(
      contact.face,
      contact.normal(),
      candidate(contact, evaluated()),
      t_tilde,
      h);
  LocalVector<dim> U{};
  for (unsigned int r = 0; r < dim; ++r)
    for (unsigned int c = 0; c < dim; ++c)
      U[r] += contact.frame[dim * r + c] * V[c];
  return U;
}

template <int dim>
double ContactPhase<dim>::gap_at_end(const unsigned int a,
                                     const double t,
                                     const double h) const
{
  // U - U_imp is the velocity of the candidate in the contact's axes.
  const auto &contact = contacts[a];
  const double theta  = model.parameters.time.theta;
  LocalVector<dim> step{};
  for (unsigned int r = 0; r < dim; ++r)
    step[r] =
        h * (theta * U[dim * a + r] + (1. - theta) * U_start[dim * a + r] -
             U_imposed[dim * a + r]);
  return model.obstacles[contact.obstacle].gap(
      contact.face,
      contact.normal(),
      candidate(contact, x) + contact.to_global(step.data()),
      t + h);
}

template <int dim>
void ContactPhase<dim>::gather_places(const CarrierField field,
                                      std::vector<double> &positions) const
{
  model.surfaces->gather_some(
      is_rigid,
      [&](const unsigned int system,
          const std::vector<unsigned int> &carriers,
          double *to)
      { model.systems[system]->carrier_values(field, carriers, to); },
      positions);
  const auto &surfaces = *model.surfaces;
  for (std::size_t i = 0; i < surfaces.nodes.size(); ++i)
    for (unsigned int c = 0; c < dim && is_rigid[surfaces.nodes[i].system]; ++c)
      positions[dim * i + c] += surfaces.reference[dim * i + c];
}

template <int dim>
void ContactPhase<dim>::gather_positions(std::vector<double> &positions) const
{
  gather(CarrierField::displacement, positions);
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] += model.surfaces->reference[i];
}

template <int dim>
typename Obstacle<dim>::Place
ContactPhase<dim>::place_of(const unsigned int o,
                            const std::vector<double> &at,
                            const double t) const
{
  const auto &frame = model.surfaces->frame(model.obstacles[o].piece());
  typename Obstacle<dim>::Place place;
  place.t = t;
  for (unsigned int c = 0; c < dim; ++c)
  {
    place.pole[c] = at[dim * frame.pole + c];
    for (unsigned int k = 0; k < dim; ++k)
      place.R[c][k] = at[dim * frame.axes[k] + c] / frame.length;
  }
  return place;
}

template <int dim>
void ContactPhase<dim>::place_bodies(
    const std::vector<std::pair<double, const std::vector<double> *>> &at)
{
  std::vector<typename Obstacle<dim>::Place> places;
  for (unsigned int o = 0; o < model.obstacles.size(); ++o)
  {
    if (!model.obstacles[o].is_body())
      continue;
    places.clear();
    for (const auto &[t, positions] : at)
      places.push_back(place_of(o, *positions, t));
    model.obstacles[o].set_places(places);
  }
}

template <int dim>
void ContactPhase<dim>::place_loaded(const double t)
{
  if (!has_bodies)
    return;
  gather_positions(x_end);
  place_bodies({ { t, &x_end } });
}

template <int dim>
void ContactPhase<dim>::bound_bodies(const BoundingBox<dim> &box,
                                     double &moved,
                                     double &fastest) const
{
  for (unsigned int o = 0; o < model.obstacles.size(); ++o)
  {
    const auto &obstacle = model.obstacles[o];
    if (!obstacle.is_body())
      continue;
    const auto now = place_of(o, x_tilde, 0.);
    if (!first_detection)
      moved = std::max(moved,
                       obstacle.travel(box, place_of(o, x_detected, 0.), now));
    for (const auto *velocities : { &v, &v_free })
    {
      // Rates of pole and axes, as if they were a place.
      const auto rate = place_of(o, *velocities, 0.);
      fastest         = std::max(
          fastest,
          obstacle.fastest(box, now, Tensor<1, dim>(rate.pole), rate.R));
    }
  }
}

#define INSTANTIATE(dim)                                                       \
  template bool ContactPhase<dim>::normals_change() const;                     \
  template bool ContactPhase<dim>::is_of_rigid_body(const Contact<dim> &)      \
      const;                                                                   \
  template Point<dim> ContactPhase<dim>::candidate(                            \
      const Contact<dim> &, const std::vector<double> &) const;                \
  template LocalVector<dim> ContactPhase<dim>::imposed_velocity(               \
      const Contact<dim> &, const double, const double) const;                 \
  template void ContactPhase<dim>::gather_places(const CarrierField,           \
                                                 std::vector<double> &) const; \
  template void ContactPhase<dim>::gather_positions(std::vector<double> &)     \
      const;                                                                   \
  template void ContactPhase<dim>::place_bodies(                               \
      const std::vector<std::pair<double, const std::vector<double> *>> &);    \
  template void ContactPhase<dim>::place_loaded(const double);                 \
  template void ContactPhase<dim>::bound_bodies(                               \
      const BoundingBox<dim> &, double &, double &) const;                     \
  template double ContactPhase<dim>::gap_at_end(                               \
      const unsigned int, const double, const double) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
