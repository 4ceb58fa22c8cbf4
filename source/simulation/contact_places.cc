#include <delassus/simulation/contact_places.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// The box around contact nodes that are points.
template <int dim>
BoundingBox<dim> box_of(const ContactSurfaces<dim> &surfaces,
                        const std::vector<double> &x)
{
  Point<dim> low, high;
  bool first = true;
  for (std::size_t i = 0; i < surfaces.nodes.size(); ++i)
  {
    if (!surfaces.nodes[i].place)
      continue;
    for (unsigned int c = 0; c < dim; ++c)
    {
      low[c]  = first ? x[dim * i + c] : std::min(low[c], x[dim * i + c]);
      high[c] = first ? x[dim * i + c] : std::max(high[c], x[dim * i + c]);
    }
    first = false;
  }
  return BoundingBox<dim>({ low, high });
}
} // namespace

template <int dim>
ContactPlaces<dim>::ContactPlaces(Model<dim> &model)
    : model(model)
{
  for (const auto *system : model.systems)
  {
    is_rigid.push_back(system->skin().is_rigid());
    has_bodies = has_bodies || is_rigid.back();
  }
  if (!model.flexibility.empty())
    is_director = model.director_nodes();
}

template <int dim>
void ContactPlaces<dim>::gather(const CarrierField field,
                                std::vector<double> &values) const
{
  model.surfaces->gather(
      [&](const unsigned int system,
          const std::vector<unsigned int> &carriers,
          double *to)
      { model.systems[system]->carrier_values(field, carriers, to); },
      values);
}

template <int dim>
void ContactPlaces<dim>::gather_positions(std::vector<double> &positions) const
{
  gather(CarrierField::displacement, positions);
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] += model.surfaces->reference[i];
}

template <int dim>
void ContactPlaces<dim>::gather_bodies(const CarrierField field,
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
void ContactPlaces<dim>::begin(const double t, const double h)
{
  const double theta = model.parameters.time.theta;
  following          = false;
  for (auto *system : model.systems)
    system->set_contact_configuration(/* iterate */ false);
  gather_positions(x);
  gather(CarrierField::velocity, v);
  gather(CarrierField::free_velocity, v_free);
  x_tilde.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    x_tilde[i] = x[i] + (1. - theta) * h * v[i];
  if (!has_bodies)
    return;
  const double t_tilde = t + (1. - theta) * h;
  gather_bodies(CarrierField::shifted, x_tilde);
  x_predicted = x_tilde;
  gather_bodies(CarrierField::predicted, x_predicted);
  place_bodies(
      { { t, &x }, { t_tilde, &x_tilde }, { t_tilde + h, &x_predicted } });
}

template <int dim>
void ContactPlaces<dim>::follow(const double t, const double h)
{
  following = true;
  for (auto *system : model.systems)
    system->set_contact_configuration(/* iterate */ true);
  gather(CarrierField::new_velocity, v_iterate);
  x_iterate.resize(x_tilde.size());
  for (std::size_t i = 0; i < x_tilde.size(); ++i)
    x_iterate[i] = x_tilde[i] + h * v_iterate[i];
  if (!has_bodies)
    return;
  gather_bodies(CarrierField::predicted, x_iterate);
  // Velocities of the beginning too are those of the carriers here.
  model.surfaces->gather_some(
      is_rigid,
      [&](const unsigned int system,
          const std::vector<unsigned int> &carriers,
          double *to)
      {
        model.systems[system]->carrier_values(
            CarrierField::velocity, carriers, to);
      },
      v);
  place_bodies_at_iterate(t, h);
}

template <int dim>
void ContactPlaces<dim>::end(const double t, const double h)
{
  gather_positions(x_end);
  if (has_bodies)
    place_bodies({ { t, &x }, { t + h, &x_end } });
}

template <int dim>
void ContactPlaces<dim>::load(const double t)
{
  if (!has_bodies)
    return;
  gather_positions(x_end);
  place_bodies({ { t, &x_end } });
}

template <int dim>
void ContactPlaces<dim>::place_bodies_at_iterate(const double t, const double h)
{
  const double theta = model.parameters.time.theta;
  if (has_bodies)
    place_bodies({ { t, &x },
                   { t + (1. - theta) * h, &x_tilde },
                   { t + (2. - theta) * h, &x_iterate } });
}

template <int dim>
void ContactPlaces<dim>::place_bodies_at(const std::vector<double> &positions,
                                         const double t,
                                         const double t_end)
{
  if (has_bodies)
    place_bodies({ { t, &x }, { t_end, &positions } });
}

template <int dim>
void ContactPlaces<dim>::place_bodies_at(const std::vector<double> &positions,
                                         const double t)
{
  if (has_bodies)
    place_bodies({ { t, &positions } });
}

template <int dim>
typename ContactPlaces<dim>::Motion
ContactPlaces<dim>::motion(const std::vector<double> *x_before,
                           const double t_before,
                           const double t_tilde,
                           const double h) const
{
  const auto &surfaces = *model.surfaces;
  Motion motion;
  for (unsigned int i = 0; i < surfaces.nodes.size(); ++i)
  {
    if (!surfaces.nodes[i].place)
      continue;
    double m = 0., f = 0., f_free = 0.;
    for (unsigned int c = 0; c < dim; ++c)
    {
      if (x_before != nullptr)
        m += std::pow(x_tilde[dim * i + c] - (*x_before)[dim * i + c], 2);
      f += std::pow(v[dim * i + c], 2);
      f_free += std::pow(v_free[dim * i + c], 2);
    }
    motion.moved   = std::max(motion.moved, m);
    motion.fastest = std::max({ motion.fastest, f, f_free });
  }
  motion.moved   = std::sqrt(motion.moved);
  motion.fastest = std::sqrt(motion.fastest);
  if (model.obstacles.empty())
    return motion;
  const auto box = box_of<dim>(surfaces, x_tilde);
  for (unsigned int o = 0; o < model.obstacles.size(); ++o)
  {
    const auto &obstacle = model.obstacles[o];
    if (!obstacle.is_body())
    {
      if (x_before != nullptr)
        motion.moved =
            std::max(motion.moved, obstacle.travel(box, t_before, t_tilde));
      motion.fastest = std::max(motion.fastest,
                                obstacle.travel(box, t_tilde, t_tilde + h) / h);
      continue;
    }
    const auto now = place_of(o, x_tilde, 0.);
    if (x_before != nullptr)
      motion.moved = std::max(
          motion.moved, obstacle.travel(box, place_of(o, *x_before, 0.), now));
    for (const auto *velocities : { &v, &v_free })
    {
      // Rates of pole and axes, as if they were a place.
      const auto rate = place_of(o, *velocities, 0.);
      motion.fastest  = std::max(
          motion.fastest,
          obstacle.fastest(box, now, Tensor<1, dim>(rate.pole), rate.R));
    }
  }
  return motion;
}

template <int dim>
bool ContactPlaces<dim>::normals_change() const
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
bool ContactPlaces<dim>::frames_change() const
{
  for (const auto &interaction : model.interactions)
    if (!interaction.faces.empty())
      return true;
  return normals_change();
}

template <int dim>
bool ContactPlaces<dim>::is_of_rigid_body(const Contact<dim> &contact) const
{
  if (!has_bodies)
    return false;
  return is_rigid[model.surfaces->nodes[contact.nodes[0]].system] ||
         (contact.obstacle >= 0 && model.obstacles[contact.obstacle].is_body());
}

template <int dim>
Point<dim>
ContactPlaces<dim>::candidate(const Contact<dim> &contact,
                              const std::vector<double> &positions) const
{
  const auto &point = model.surfaces->points[contact.point];
  if (point.radius > 0.)
    return model.surfaces->position(point, positions) -
           point.radius * contact.normal();
  Point<dim> p;
  for (unsigned int i = 0; i < contact.n_candidate_entries; ++i)
    for (unsigned int c = 0; c < dim; ++c)
      p[c] += contact.weights[i] * positions[dim * contact.nodes[i] + c];
  return p;
}

template <int dim>
double ContactPlaces<dim>::gap(const Contact<dim> &contact,
                               const std::vector<double> &positions,
                               const double t) const
{
  return contact.obstacle < 0 ? contact.local_combination(positions)[0]
                              : model.obstacles[contact.obstacle].gap(
                                    contact.face,
                                    contact.normal(),
                                    candidate(contact, positions),
                                    t);
}

template <int dim>
double ContactPlaces<dim>::compliance(const Contact<dim> &contact) const
{
  if (is_director.empty() || !(contact.area > 0.))
    return 0.;
  // Directors are as long as half the sheet is thick: their sum is the way
  // from the middle to the face, outwards where weights are positive.
  const auto &positions = evaluated();
  double sum            = 0.;
  for (const bool of_candidate : { true, false })
  {
    const unsigned int begin = of_candidate ? 0 : contact.n_candidate_entries,
                       end   = of_candidate ? contact.n_candidate_entries
                                            : contact.n_entries;
    Tensor<1, dim> way;
    double outwards     = 0.;
    unsigned int system = 0;
    for (unsigned int i = begin; i < end; ++i)
    {
      if (!is_director[contact.nodes[i]])
        continue;
      system = model.surfaces->nodes[contact.nodes[i]].system;
      outwards += of_candidate ? contact.weights[i] : -contact.weights[i];
      for (unsigned int c = 0; c < dim; ++c)
        way[c] += contact.weights[i] * positions[dim * contact.nodes[i] + c];
    }
    if (outwards != 0. && system < model.flexibility.size())
      sum += way.norm() * model.flexibility[system][outwards > 0. ? 0 : 1];
  }
  return sum / contact.area;
}

template <int dim>
LocalVector<dim>
ContactPlaces<dim>::imposed_velocity(const Contact<dim> &contact,
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
typename Obstacle<dim>::Place
ContactPlaces<dim>::place_of(const unsigned int o,
                             const std::vector<double> &positions,
                             const double t) const
{
  const auto &frame = model.surfaces->frame(model.obstacles[o].piece());
  typename Obstacle<dim>::Place place;
  place.t = t;
  for (unsigned int c = 0; c < dim; ++c)
  {
    place.pole[c] = positions[dim * frame.pole + c];
    for (unsigned int k = 0; k < dim; ++k)
      place.R[c][k] = positions[dim * frame.axes[k] + c] / frame.length;
  }
  return place;
}

template <int dim>
void ContactPlaces<dim>::place_bodies(
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

template class ContactPlaces<2>;
template class ContactPlaces<3>;
} // namespace delassus
