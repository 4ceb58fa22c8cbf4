// What stages of a run change in its model.
#include <delassus/simulation/model.h>
#include <delassus/systems/find_surfaces.h>

#include <algorithm>

namespace delassus
{
template <int dim>
void Model<dim>::deactivate(Interaction &interaction) const
{
  const StageParameters *part = stage.parameters();
  if (part == nullptr)
    return;
  auto &obstacles_of = interaction.obstacles;
  obstacles_of.erase(
      std::remove_if(obstacles_of.begin(),
                     obstacles_of.end(),
                     [&](const unsigned int o)
                     { return part->shapes.count(obstacles[o].name) == 0; }),
      obstacles_of.end());
  // Nor are the points of rigid bodies that are away candidates.
  std::set<unsigned int> pieces_away;
  for (const auto &obstacle : obstacles)
    if (obstacle.is_body() && part->shapes.count(obstacle.name) == 0)
      pieces_away.insert(obstacle.piece());
  for (unsigned int p = interaction.first_point; p < interaction.end_point; ++p)
    surfaces->points[p].away = pieces_away.count(surfaces->points[p].piece) > 0;
  if (part->interactions.count(interaction.name) > 0)
    return;
  obstacles_of.clear();
  interaction.faces.clear();
  interaction.candidate_faces.clear();
  interaction.mortar_faces.clear();
  interaction.second_mortar_faces.clear();
}

template <int dim>
void Model<dim>::check_later_conditions() const
{
  for (unsigned int k = stage.number + 1; k < stage.stages.size(); ++k)
  {
    const auto &part = stage.stages[k];
    std::vector<std::unique_ptr<DrivenDofs<dim>>> later;
    for (const auto &body : bodies)
      later.push_back(std::make_unique<DrivenDofs<dim>>(*body, part.time));
    for (const auto &condition : parameters.boundary_conditions)
    {
      if (condition.type == BoundaryConditionType::pressure ||
          condition.type == BoundaryConditionType::traction ||
          part.conditions.count(condition.name) == 0)
        continue;
      const std::string section = "Boundary condition " + condition.name;
      const std::string where   = parameters.where(section, "Surfaces");
      for (const auto &text : condition.surfaces)
        for (const auto &reference : solids_of(text, where))
          later[reference.body]->add(
              condition,
              bodies[reference.body]->surface(reference.surface, where),
              where,
              parameters.where(section, "Value"));
    }
  }
}

template void Model<2>::deactivate(Interaction &) const;
template void Model<3>::deactivate(Interaction &) const;
template void Model<2>::check_later_conditions() const;
template void Model<3>::check_later_conditions() const;
} // namespace delassus
