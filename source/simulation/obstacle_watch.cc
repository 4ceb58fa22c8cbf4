#include <delassus/simulation/obstacle_watch.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

template <int dim>
ObstacleWatch<dim>::ObstacleWatch(const Model<dim> &model)
    : model(model)
    , obstacle_of_pair(model.pairs.size(), -1)
    , smallest_face(model.obstacles.size(), 0.)
    , box(model.obstacles.size())
    , told_speed(model.obstacles.size(), false)
    , had_contact(model.pairs.size(), false)
    , told_leaving(model.pairs.size(), false)
{
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
    for (unsigned int o = 0; o < model.obstacles.size(); ++o)
      if (model.pairs[p].antagonist == model.obstacles[o].name)
        obstacle_of_pair[p] = o;
  const auto &surfaces = *model.surfaces;
  for (unsigned int o = 0; o < model.obstacles.size(); ++o)
  {
    Point<dim> low, high;
    for (const auto &interaction : model.interactions)
      if (std::find(interaction.obstacles.begin(),
                    interaction.obstacles.end(),
                    o) != interaction.obstacles.end())
        for (unsigned int p = interaction.first_point;
             p < interaction.end_point;
             ++p)
        {
          const auto &point  = surfaces.points[p];
          const Point<dim> x = surfaces.position(point, surfaces.reference);
          const bool first   = smallest_face[o] == 0.;
          for (unsigned int c = 0; c < dim; ++c)
          {
            low[c]  = first ? x[c] : std::min(low[c], x[c]);
            high[c] = first ? x[c] : std::max(high[c], x[c]);
          }
          smallest_face[o] =
              first ? point.size : std::min(smallest_face[o], point.size);
        }
    box[o] = BoundingBox<dim>({ low, high });
  }
}

namespace
{
bool has_obstacle(const Interaction &interaction, const unsigned int o)
{
  return std::find(interaction.obstacles.begin(),
                   interaction.obstacles.end(),
                   o) != interaction.obstacles.end();
}
} // namespace

template <int dim>
double ObstacleWatch<dim>::closest_approach(const unsigned int o) const
{
  constexpr unsigned int n_times = 50, n_points = 1000;
  const auto &time     = model.parameters.time;
  const auto &surfaces = *model.surfaces;
  double closest       = std::numeric_limits<double>::max();
  for (const auto &interaction : model.interactions)
  {
    if (!has_obstacle(interaction, o))
      continue;
    const unsigned int stride =
        1 + (interaction.end_point - interaction.first_point) / n_points;
    for (unsigned int i = 0; i <= n_times; ++i)
      for (unsigned int p = interaction.first_point; p < interaction.end_point;
           p += stride)
        closest = std::min(
            closest,
            model.obstacles[o].distance(
                surfaces.position(surfaces.points[p], surfaces.reference),
                time.start_time +
                    (time.end_time - time.start_time) * i / n_times));
  }
  return closest;
}

template <int dim>
bool ObstacleWatch<dim>::candidates_stay(const unsigned int o) const
{
  if (model.parameters.time.scheme != TimeScheme::quasi_static ||
      model.obstacles[o].is_body())
    return false;
  // Bodies that a condition moves, or that none holds, may go anywhere.
  for (const auto &condition : model.parameters.boundary_conditions)
    if (condition.type == BoundaryConditionType::displacement ||
        condition.type == BoundaryConditionType::velocity)
      return false;
  const auto &surfaces = *model.surfaces;
  for (const auto &interaction : model.interactions)
    if (has_obstacle(interaction, o))
      for (unsigned int p = interaction.first_point; p < interaction.end_point;
           ++p)
      {
        const unsigned int system =
            surfaces.nodes[surfaces.points[p].nodes[0]].system;
        if (system >= model.driven.size() ||
            model.driven[system]->n_dofs() == 0)
          return false;
      }
  return true;
}

template <int dim>
std::vector<std::string> ObstacleWatch<dim>::at_start() const
{
  std::vector<std::string> messages;
  const auto &surfaces = *model.surfaces;
  // Of a rigid body, whose points touch others.
  const auto is_candidate = [&](const unsigned int o)
  {
    return model.obstacles[o].is_body() &&
           std::any_of(surfaces.points.begin(),
                       surfaces.points.end(),
                       [&](const auto &point)
                       { return point.piece == model.obstacles[o].piece(); });
  };
  for (unsigned int o = 0; o < model.obstacles.size(); ++o)
  {
    const auto &obstacle = model.obstacles[o];
    if (smallest_face[o] == 0. && !is_candidate(o))
      messages.push_back(fmt::format(
          "{}: no interaction has this obstacle among its antagonists: it "
          "touches nothing.",
          model.parameters.where(model.section_of(o), "Type")));
    if (smallest_face[o] > 0. && candidates_stay(o))
    {
      const auto &corners   = box[o].get_boundary_points();
      const double distance = closest_approach(o);
      if (distance > corners.first.distance(corners.second))
        messages.push_back(fmt::format(
            "{}: the obstacle never comes nearer than {:.3g} to its "
            "candidates, which extend over {:.3g} and stay where they are: it "
            "will touch nothing.",
            model.parameters.where(model.section_of(o), "Type"),
            distance,
            corners.first.distance(corners.second)));
    }
    if (!obstacle.keeps_normals())
      continue;
    // Bodies turn little: what does not face a plane now never will.
    for (const auto &interaction : model.interactions)
    {
      if (!has_obstacle(interaction, o))
        continue;
      bool faces = false;
      std::vector<ShapeSide<dim>> sides;
      for (unsigned int p = interaction.first_point;
           p < interaction.end_point && !faces;
           ++p)
      {
        const auto &point = surfaces.points[p];
        obstacle.touch(surfaces.position(point, surfaces.reference),
                       surfaces.point_normal(point, surfaces.reference),
                       model.parameters.time.start_time,
                       std::numeric_limits<double>::max(),
                       0.,
                       sides);
        faces = !sides.empty();
      }
      if (!faces)
        messages.push_back(fmt::format(
            "{}: no candidate faces the obstacle '{}' ({}): they can never "
            "touch.",
            model.parameters.where("Interaction " + interaction.name,
                                   "Candidates"),
            obstacle.name,
            obstacle.shape->describe()));
    }
  }
  return messages;
}

template <int dim>
std::vector<std::string> ObstacleWatch<dim>::look_at_speed(const double t,
                                                           const double h)
{
  std::vector<std::string> messages;
  for (unsigned int o = 0; o < model.obstacles.size(); ++o)
  {
    if (told_speed[o] || smallest_face[o] == 0.)
      continue;
    const double way = model.obstacles[o].travel(box[o], t, t + h);
    if (way <= smallest_face[o])
      continue;
    told_speed[o] = true;
    messages.push_back(fmt::format(
        "obstacle '{}' moves by up to {:.3g} in the step from t = {:.6g} "
        "(speed {:.3g}), more than the smallest face that may touch it "
        "({:.3g}). Contacts are still found, but coarsely: a 'Time/Step' of "
        "{:.2g} moves it by one face a step.",
        model.obstacles[o].name,
        way,
        t,
        way / h,
        smallest_face[o],
        h * smallest_face[o] / way));
  }
  return messages;
}

template <int dim>
std::vector<std::string>
ObstacleWatch<dim>::look_at_pair(const unsigned int pair,
                                 const unsigned int n_near,
                                 const bool closed,
                                 const double t)
{
  had_contact[pair] = had_contact[pair] || closed;
  if (obstacle_of_pair[pair] < 0 || !had_contact[pair] || told_leaving[pair] ||
      n_near > 0)
    return {};
  told_leaving[pair] = true;
  return { fmt::format("'{}' has left the obstacle '{}' (interaction '{}') at "
                       "t = {:.6g}: none of its candidates is within reach.",
                       model.pairs[pair].candidate,
                       model.pairs[pair].antagonist,
                       model.interactions[model.pairs[pair].interaction].name,
                       t) };
}

template <int dim>
void ObstacleWatch<dim>::judge(Verdict &verdict) const
{
  std::vector<bool> used(model.interactions.size(), false);
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
    used[model.pairs[p].interaction] =
        used[model.pairs[p].interaction] || had_contact[p];
  for (unsigned int o = 0; o < model.obstacles.size(); ++o)
  {
    // Its pairs, of which one at least belongs to an interaction that touches
    // elsewhere: otherwise that is what is told.
    bool touched = false, told = true;
    for (unsigned int p = 0; p < model.pairs.size(); ++p)
      if (obstacle_of_pair[p] == int(o))
      {
        touched = touched || had_contact[p];
        told    = told && !used[model.pairs[p].interaction];
      }
    if (!touched && !told)
      verdict.remarks.push_back(fmt::format(
          "the obstacle '{}' never touched anything: look at its place and "
          "motion in obstacles.pvd",
          model.obstacles[o].name));
  }
  for (unsigned int k = 0; k < used.size(); ++k)
    if (!used[k])
    {
      std::string antagonists;
      for (const auto &name : model.parameters.interactions[k].antagonists)
        antagonists += (antagonists.empty() ? "'" : ", '") + name + "'";
      verdict.remarks.push_back(
          fmt::format("the interaction '{}' never had a closed contact: no "
                      "candidate of it touched {}",
                      model.interactions[k].name,
                      antagonists));
    }
}

template <int dim>
void ObstacleWatch<dim>::archive(Archive &archive)
{
  archive("told of speed", told_speed);
  archive("had contact", had_contact);
  archive("told of leaving", told_leaving);
}

template class ObstacleWatch<2>;
template class ObstacleWatch<3>;
} // namespace delassus
