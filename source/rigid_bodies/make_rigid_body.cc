#include <delassus/base/exceptions.h>
#include <delassus/rigid_bodies/make_rigid_body.h>

#include <fmt/format.h>

#include <sstream>

namespace delassus
{
using namespace dealii;

namespace
{
template <int n>
Tensor<1, n> tensor(const std::vector<double> &values)
{
  Tensor<1, n> result;
  for (unsigned int c = 0; c < n && c < values.size(); ++c)
    result[c] = values[c];
  return result;
}

/// Whether an expression of several components, by semicolons, is zero in one.
bool is_nothing(const std::string &expressions, const unsigned int component)
{
  std::istringstream stream(expressions);
  std::string part = "0", text;
  for (unsigned int c = 0; std::getline(stream, text, ';'); ++c)
    if (c == component || c == 0) // one for all
      part = text;
  return part.find_first_not_of(" \t0.") == std::string::npos;
}

/// An expression times the components of an axis: the torque about it.
template <int n>
std::string along_axis(const std::string &expression, const Tensor<1, n> &axis)
{
  if (n == 1 || expression.empty())
    return expression;
  std::string text;
  for (unsigned int c = 0; c < n; ++c)
    text += fmt::format(
        "{}({}) * ({:.17g})", c > 0 ? "; " : "", expression, axis[c]);
  return text;
}

template <int dim>
bool turns_freely(const RigidBodyParameters &given)
{
  return given.free_about_axis || given.free[3] || given.free[4] ||
         given.free[5];
}
} // namespace

template <int dim>
MassProperties<dim> make_mass_properties(const RigidBodyParameters &given,
                                         const Parameters &parameters,
                                         const Shape<dim> &shape,
                                         const bool ever_dynamic)
{
  MassProperties<dim> result;
  SolidMoments<dim> moments;
  const std::string reason = shape.solid_moments(moments);
  const auto need          = [&](const std::string &entry,
                        const std::string &what,
                        const std::string &allowed)
  {
    if (!reason.empty())
      throw InputError(
          fmt::format("{}: {} of the {} cannot be computed: {}; allowed: {}.",
                      parameters.where("Rigid body " + given.name, entry),
                      what,
                      shape.describe(),
                      reason,
                      allowed));
  };
  if (given.density > 0.)
  {
    need("Density",
         "mass, centre and inertia",
         "a closed shape, or Mass, Center and Inertia");
    return mass_properties<dim>(moments, given.density, given.thickness);
  }
  result.mass   = given.mass;
  result.center = Point<dim>(tensor<dim>(given.shape.point));
  if (given.mass == 0. || !turns_freely<dim>(given))
  {
    if (reason.empty())
      result.center = moments.center;
    return result;
  }
  if (given.center.empty())
  {
    need("Center", "the centre of mass", "Center");
    result.center = moments.center;
  }
  else
    result.center = Point<dim>(tensor<dim>(given.center));
  const auto &J = given.inertia;
  if (J.empty())
  {
    if (!ever_dynamic)
      return result;
    need("Inertia", "the inertia", "Inertia");
    // Uniform: beside Center the section must have Inertia.
    result.inertia =
        mass_properties<dim>(moments, given.mass / moments.volume).inertia;
    return result;
  }
  for (unsigned int c = 0; c < n_rotations<dim>; ++c)
  {
    result.inertia[c][c] = J.size() == 1 ? J[0] : J[c];
    if constexpr (dim == 3)
      if (J.size() == 6)
      {
        const unsigned int d = (c + 1) % 3;
        result.inertia[c][d] = result.inertia[d][c] = J[3 + c];
      }
  }
  return result;
}

template <int dim>
RigidBodySettings<dim> make_rigid_body(const RigidBodyParameters &given,
                                       const Parameters &parameters,
                                       const Shape<dim> &shape,
                                       const TimeParameters &begin,
                                       const bool ever_dynamic)
{
  const auto where = [&](const std::string &entry)
  { return parameters.where("Rigid body " + given.name, entry); };
  constexpr unsigned int n_turns = n_rotations<dim>;
  RigidBodySettings<dim> s;
  s.name = given.name;
  for (unsigned int c = 0; c < dim; ++c)
  {
    s.free_translations[c] = given.free[c];
    s.stays[c] = !given.free[c] && is_nothing(given.displacement, c) &&
                 is_nothing(given.velocity, c);
  }
  if (given.free_about_axis)
    s.free_axes = { tensor<n_turns>(given.rotation_axis) };
  else
    for (unsigned int c = 0; c < n_turns; ++c)
      if (given.free[dim == 2 ? 5 : 3 + c])
      {
        s.free_axes.emplace_back();
        s.free_axes.back()[c] = 1.;
      }
  const bool translates = given.free[0] || given.free[1] || given.free[2];
  const bool turns      = turns_freely<dim>(given);
  if (translates || turns)
    s.mass = make_mass_properties<dim>(given, parameters, shape, ever_dynamic);
  if (!given.pivot.empty())
    s.reference = Point<dim>(tensor<dim>(given.pivot));
  else if (s.mass.mass > 0.)
    s.reference = s.mass.center;
  else
    s.reference = Point<dim>(tensor<dim>(given.shape.point));
  if (s.mass.mass == 0.)
    s.mass.center = s.reference;

  s.stiffness            = tensor<dim>(given.stiffness);
  s.damping              = tensor<dim>(given.damping);
  s.rotational_stiffness = given.rotational_stiffness;
  s.rotational_damping   = given.rotational_damping;
  s.force                = Expression<dim>(given.force, dim, where("Force"));
  s.torque           = Expression<dim>(given.torque, n_turns, where("Torque"));
  s.driven           = DrivenMotion<dim>(given.displacement,
                               given.velocity,
                               given.rotation,
                               given.angular_velocity,
                               dim == 2 ? tensor<n_turns>({ 1. })
                                                  : tensor<n_turns>(given.rotation_axis),
                               begin.start_time,
                               begin.step,
                               where);
  s.gravity          = tensor<dim>(parameters.gravity);
  s.orientation      = numbers::PI / 180. * tensor<n_turns>(given.orientation);
  s.velocity         = tensor<dim>(given.initial_velocity);
  s.angular_velocity = tensor<n_turns>(given.initial_angular_velocity);
  s.start_time       = begin.start_time;
  s.quasi_static     = parameters.time.scheme == TimeScheme::quasi_static;
  s.contact_theta    = parameters.time.theta;
  s.theta            = given.scheme == RigidBodyScheme::implicit_euler ? 1.
                       : given.scheme == RigidBodyScheme::midpoint     ? 0.5
                                                                   : parameters.time.theta;
  return s;
}

template <int dim>
RigidBodySettings<dim> make_free_obstacle(const ObstacleParameters &given,
                                          const Parameters &parameters,
                                          const TimeParameters &begin)
{
  const auto where = [&](const std::string &entry)
  { return parameters.where("Obstacle " + given.name, entry); };
  constexpr unsigned int n_turns = n_rotations<dim>;
  RigidBodySettings<dim> s;
  s.name = given.name;
  const RotationVector<dim> about =
      dim == 2 ? tensor<n_turns>({ 1. }) : tensor<n_turns>(given.rotation_axis);
  for (unsigned int c = 0; c < dim; ++c)
  {
    s.free_translations[c] = given.free[c];
    s.stays[c] = !given.free[c] && is_nothing(given.displacement, c) &&
                 is_nothing(given.velocity, c);
    s.damping[c] = given.damping;
    if (given.free[c] && c < given.initial_velocity.size())
      s.velocity[c] = given.initial_velocity[c];
  }
  const double length = about.norm();
  if (given.free[dim])
    s.free_axes = { about / length };
  s.rotational_damping = given.rotational_damping;
  s.mass.mass          = given.mass;
  s.mass.center = s.reference = Point<dim>(tensor<dim>(given.center));
  for (unsigned int c = 0; c < n_turns; ++c)
    s.mass.inertia[c][c] = given.inertia;
  // About its axis alone, in space; in the plane the only component.
  s.force  = Expression<dim>(given.force, dim, where("Force"));
  s.torque = Expression<dim>(
      along_axis(given.torque, about / (length > 0. ? length : 1.)),
      n_turns,
      where("Torque"));
  s.driven       = DrivenMotion<dim>(given.displacement,
                               given.velocity,
                               given.rotation,
                               "",
                               length > 0. ? about / length : about,
                               begin.start_time,
                               begin.step,
                               where);
  s.gravity      = tensor<dim>(parameters.gravity);
  s.start_time   = begin.start_time;
  s.quasi_static = parameters.time.scheme == TimeScheme::quasi_static;
  s.theta = s.contact_theta = parameters.time.theta;
  return s;
}

#define INSTANTIATE(dim)                                                       \
  template MassProperties<dim> make_mass_properties<dim>(                      \
      const RigidBodyParameters &,                                             \
      const Parameters &,                                                      \
      const Shape<dim> &,                                                      \
      const bool);                                                             \
  template RigidBodySettings<dim> make_free_obstacle<dim>(                     \
      const ObstacleParameters &, const Parameters &, const TimeParameters &); \
  template RigidBodySettings<dim> make_rigid_body<dim>(                        \
      const RigidBodyParameters &,                                             \
      const Parameters &,                                                      \
      const Shape<dim> &,                                                      \
      const TimeParameters &,                                                  \
      const bool)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
