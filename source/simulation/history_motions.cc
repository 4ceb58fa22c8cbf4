// What history.csv has of obstacles that move and of rigid bodies.
#include <delassus/simulation/history_row.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

namespace
{
/// With more rigid bodies their motions are in result files only.
constexpr unsigned int most_recorded = 50;

/// Whether an obstacle turns freely, as the file says: a stage that it is away
/// in has it stand still.
template <int dim>
bool turns_freely(const ObstacleParameters &obstacle)
{
  return obstacle.free.size() > dim && obstacle.free[dim];
}

/// The axis that it turns about.
template <int dim>
RotationVector<dim> axis_of(const ObstacleParameters &obstacle)
{
  RotationVector<dim> axis;
  if constexpr (dim == 2)
    axis[0] = 1.;
  else
    for (unsigned int c = 0; c < dim; ++c)
      axis[c] = obstacle.rotation_axis[c];
  return axis / axis.norm();
}
} // namespace

template <int dim>
bool HistoryRow<dim>::has_newton_columns() const
{
  if (model.is_nonlinear() || model.stage.stages.empty())
    return model.is_nonlinear();
  return std::any_of(file.rigid_bodies.begin(),
                     file.rigid_bodies.end(),
                     [](const RigidBodyParameters &body)
                     {
                       return body.free_about_axis || body.free[3] ||
                              body.free[4] || body.free[5];
                     }) ||
         std::any_of(file.obstacles.begin(),
                     file.obstacles.end(),
                     [](const ObstacleParameters &obstacle)
                     { return turns_freely<dim>(obstacle); });
}

template <int dim>
void HistoryRow<dim>::add_motion_columns(
    std::vector<std::string> &columns) const
{
  const unsigned int n_obstacles = model.parameters.obstacles.size();
  for (unsigned int o = 0; o < n_obstacles; ++o)
  {
    const auto &obstacle = model.obstacles[o];
    if (!obstacle.moves())
      continue;
    for (const char *quantity : { "u", "v", "force" })
      for (unsigned int c = 0; c < dim; ++c)
        columns.push_back(
            fmt::format("{}:tool_{}_{}", obstacle.name, quantity, "xyz"[c]));
    if (turns_freely<dim>(file.obstacles[o]))
      for (const char *quantity : { "angle", "spin", "moment" })
        columns.push_back(fmt::format("{}:tool_{}", obstacle.name, quantity));
  }
  if (model.obstacles.size() - n_obstacles > most_recorded)
    return;
  for (unsigned int o = n_obstacles; o < model.obstacles.size(); ++o)
    for (const auto &[linear, angular] :
         { std::pair<const char *, const char *>("u", "rotation"),
           std::pair<const char *, const char *>("v", "spin"),
           std::pair<const char *, const char *>("force", "moment") })
    {
      const auto &name = model.obstacles[o].name;
      for (unsigned int c = 0; c < dim; ++c)
        columns.push_back(fmt::format("{}:{}_{}", name, linear, "xyz"[c]));
      for (unsigned int c = 0; c < n_rotations<dim>; ++c)
        columns.push_back(
            fmt::format("{}:{}_{}", name, angular, "xyz"[dim == 2 ? 2 : c]));
    }
}

template <int dim>
void HistoryRow<dim>::add_motion_values(const double t, const double h)
{
  constexpr unsigned int n       = RigidBody<dim>::n;
  constexpr double degrees       = 180. / numbers::PI;
  const unsigned int n_obstacles = model.parameters.obstacles.size();
  for (unsigned int o = 0; o < n_obstacles; ++o)
  {
    const auto &obstacle = model.obstacles[o];
    if (!obstacle.moves())
      continue;
    const int body    = model.body_of_obstacle(o);
    const double *own = body < 0 ? nullptr : &motions.displacement[n * body];
    Tensor<1, dim> u, v;
    if (body < 0)
    {
      u = obstacle.translation(t);
      v = (u - obstacle.translation(t - h)) / h;
    }
    else
      for (unsigned int c = 0; c < dim; ++c)
      {
        u[c] = own[c];
        v[c] = motions.velocity[n * body + c];
      }
    for (const auto &vector : { u, v, pairs.force_on(obstacle.name) })
      for (unsigned int c = 0; c < dim; ++c)
        row.push_back(vector[c]);
    if (body < 0 || !turns_freely<dim>(file.obstacles[o]))
      continue;
    const auto axis = axis_of<dim>(file.obstacles[o]);
    double angle = 0., spin = 0., moment = 0.;
    for (unsigned int c = 0; c < n_rotations<dim>; ++c)
    {
      const unsigned int i = n * body + dim + c;
      angle += axis[c] * motions.displacement[i];
      spin += axis[c] * motions.velocity[i];
      moment += axis[c] * motions.impulse[i];
    }
    row.push_back(angle * degrees);
    row.push_back(spin);
    row.push_back(moment / h);
  }
  if (model.obstacles.size() - n_obstacles > most_recorded)
    return;
  for (unsigned int o = n_obstacles; o < model.obstacles.size(); ++o)
  {
    const unsigned int b = model.body_of_obstacle(o);
    for (unsigned int c = 0; c < n; ++c)
      row.push_back(motions.displacement[n * b + c] * (c < dim ? 1. : degrees));
    for (unsigned int c = 0; c < n; ++c)
      row.push_back(motions.velocity[n * b + c]);
    // What drives all of a body takes up the forces on it.
    const bool free            = model.rigid->body(b).is_free();
    const Tensor<1, dim> force = pairs.force_on(model.obstacles[o].name);
    for (unsigned int c = 0; c < n; ++c)
      row.push_back(free      ? motions.impulse[n * b + c] / h
                    : c < dim ? force[c]
                              : 0.);
  }
}

template bool HistoryRow<2>::has_newton_columns() const;
template bool HistoryRow<3>::has_newton_columns() const;
template void
HistoryRow<2>::add_motion_columns(std::vector<std::string> &) const;
template void
HistoryRow<3>::add_motion_columns(std::vector<std::string> &) const;
template void HistoryRow<2>::add_motion_values(const double, const double);
template void HistoryRow<3>::add_motion_values(const double, const double);
} // namespace delassus
