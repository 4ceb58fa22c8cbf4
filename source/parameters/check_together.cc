#include <delassus/parameters/check_together.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace delassus
{
namespace
{
/// Directions of surfaces that two conditions prescribe; @p stage: of those
/// that are active in it. Each condition is told once.
void check_prescribed(const Parameters &parameters,
                      const StageParameters *stage,
                      std::set<std::string> &told,
                      const SectionByName &reader)
{
  const std::array<const char *, 6> names = {
    { "x", "y", "z", "rx", "ry", "rz" }
  };
  std::map<std::pair<std::string, unsigned int>, std::string> prescribed;
  for (const auto &condition : parameters.boundary_conditions)
  {
    if (condition.type == BoundaryConditionType::pressure ||
        condition.type == BoundaryConditionType::traction ||
        condition.type == BoundaryConditionType::force ||
        condition.type == BoundaryConditionType::moment ||
        !condition.point.empty() ||
        (stage != nullptr && stage->conditions.count(condition.name) == 0))
      continue;
    auto components = condition.components;
    if (components.empty())
      for (unsigned int d = 0; d < parameters.dimension; ++d)
        components.push_back(d);
    // Without its direction a plane has been told of.
    const bool is_plane = condition.type == BoundaryConditionType::symmetry;
    for (unsigned int d = 0; d < 3; ++d)
      if (condition.type == BoundaryConditionType::clamped ||
          (is_plane && condition.components.size() == 1 &&
           condition.components[0] != d))
        components.push_back(3 + d);
    for (const auto &surface : condition.surfaces)
      for (const unsigned int d : components)
      {
        const auto inserted =
            prescribed.emplace(std::make_pair(surface, d), condition.name);
        if (!inserted.second)
        {
          if (stage != nullptr && !told.insert(condition.name).second)
            break;
          reader("Boundary condition", "Boundary condition " + condition.name)
              .error("Surfaces",
                     fmt::format("contradictory settings: the direction "
                                 "{} of '{}' is prescribed by 'Boundary "
                                 "condition {}' too.",
                                 names[d],
                                 surface,
                                 inserted.first->second));
          break;
        }
      }
  }
}

/// Solid shells turn: no materials for small strains, nor damping by the
/// stiffness of plain hexahedra at rest.
void check_solid_shell(const BodyParameters &body,
                       const MaterialParameters &material,
                       const SectionByName &reader)
{
  const bool linear = material.model == MaterialModel::linear_elastic;
  if (linear || material.model == MaterialModel::j2_small_strain)
    reader("Body", "Body " + body.name)
        .error(
            "Material",
            fmt::format("contradictory settings: it has Model = {}, and "
                        "solid shells turn; allowed: {}.",
                        linear ? "linear elastic" : "J2 small strain",
                        linear ? "Saint Venant-Kirchhoff, neo-Hookean" : "J2"));
  if (material.rayleigh_stiffness != 0.)
    reader("Body", "Body " + body.name)
        .error("Material",
               "contradictory settings: it has a Rayleigh stiffness, which is "
               "that of plain hexahedra and locks in solid shells; allowed: "
               "0 for materials of solid shells.");
}

/// Solids of materials that only sheets have.
void check_solids(const Parameters &parameters, const SectionByName &reader)
{
  for (const auto &body : parameters.bodies)
    for (const auto &material : parameters.materials)
      if (material.name == body.material)
      {
        if (body.type == BodyType::solid_shell)
          check_solid_shell(body, material, reader);
        const bool by_model = material.model == MaterialModel::hill ||
                              material.model == MaterialModel::barlat ||
                              material.model == MaterialModel::orthotropic;
        if (by_model || !material.back_stress_moduli.empty())
          reader("Body", "Body " + body.name)
              .error("Material",
                     fmt::format(
                         "it has {}, which is for sheets, and the body is a "
                         "solid; allowed for solids: {}.",
                         !by_model ? "Back stress moduli"
                         : material.model == MaterialModel::hill
                             ? "Model = Hill"
                         : material.model == MaterialModel::barlat
                             ? "Model = Barlat"
                             : "Model = orthotropic",
                         by_model ? "linear elastic, Saint Venant-Kirchhoff, "
                                    "neo-Hookean, J2 small strain, J2, Maxwell"
                                  : "Kinematic hardening modulus"));
      }
}
/// What sheets do not have, and what is without effect on them.
void check_sheets(const Parameters &parameters,
                  const std::vector<StageParameters> &stages,
                  const SectionByName &reader)
{
  const auto by_mass = [](const CorrectingMatrix matrix)
  {
    return matrix == CorrectingMatrix::lumped ||
           matrix == CorrectingMatrix::two_term ||
           matrix == CorrectingMatrix::explicit_;
  };
  for (const auto &shell : parameters.shells)
  {
    const auto section = reader("Body", "Body " + shell.name);
    for (const auto &material : parameters.materials)
      if (material.rayleigh_stiffness != 0. &&
          std::any_of(shell.layers.begin(),
                      shell.layers.end(),
                      [&](const ShellLayerParameters &layer)
                      { return layer.material == material.name; }))
        reader("Material", "Material " + material.name)
            .error("Rayleigh stiffness",
                   fmt::format("contradictory settings: body '{}' is a shell, "
                               "and shells do not have it; allowed: 0 for "
                               "materials of shells ('Rayleigh mass' damps "
                               "them, Maxwell and a Viscosity do).",
                               shell.name));
    bool any =
        stages.empty() &&
        by_mass(shell.has_matrix ? shell.matrix : parameters.newton.matrix);
    for (const auto &stage : stages)
      any =
          any || by_mass(shell.has_matrix ? shell.matrix : stage.newton.matrix);
    const auto inside = section.subsection("Shell");
    if (!any && inside.given("Scaled inertia"))
      inside.error("Scaled inertia",
                   "contradictory settings: it is for matrices made of the "
                   "mass; allowed: Matrix = lumped, two term or explicit, of "
                   "the body or in section Newton, or no 'Scaled inertia'.");
  }
}
} // namespace

void check_together(const Parameters &parameters,
                    const std::vector<StageParameters> &stages,
                    const SectionByName &reader)
{
  // One direction of one surface is prescribed once, in each stage.
  std::vector<const StageParameters *> parts;
  for (const auto &stage : stages)
    parts.push_back(&stage);
  if (parts.empty())
    parts.push_back(nullptr);
  std::set<std::string> told;
  for (const auto *stage : parts)
    check_prescribed(parameters, stage, told, reader);

  check_solids(parameters, reader);
  check_sheets(parameters, stages, reader);

  std::set<std::string> materials, laws;
  for (const auto &body : parameters.bodies)
    materials.insert(body.material);
  for (const auto &shell : parameters.shells)
    for (const auto &layer : shell.layers)
      materials.insert(layer.material);
  for (const auto &interaction : parameters.interactions)
    laws.insert(interaction.law);
  for (const auto &material : parameters.materials)
    if (materials.count(material.name) == 0)
      reader("Material", "Material " + material.name)
          .warn("no body is made of this material.");
  for (const auto &law : parameters.laws)
    if (laws.count(law.name) == 0)
      reader("Contact law", "Contact law " + law.name)
          .warn("no interaction uses this law.");
}

void check_quasi_static(const Parameters &parameters,
                        const SectionByName &reader)
{
  if (parameters.time.scheme != TimeScheme::quasi_static)
    return;
  const std::string why      = "Time/Scheme = quasi static has no inertia";
  const auto forbid_velocity = [&](const auto &body)
  {
    if (!body.initial_velocity.empty())
      reader("Body", "Body " + body.name)
          .error("Initial velocity",
                 "contradictory settings: " + why +
                     "; allowed: no initial velocity.");
  };
  for (const auto &body : parameters.bodies)
    forbid_velocity(body);
  for (const auto &shell : parameters.shells)
    forbid_velocity(shell);
  for (const auto &material : parameters.materials)
    if (material.rayleigh_mass != 0.)
      reader("Material", "Material " + material.name)
          .error("Rayleigh mass",
                 "contradictory settings: " + why +
                     "; allowed: 0 (Rayleigh stiffness acts as viscosity).");
  for (const auto &event : parameters.events)
    if (std::find(event.actions.begin(),
                  event.actions.end(),
                  EventAction::zero_velocity) != event.actions.end())
      reader("Event", "Event " + event.name)
          .error("Actions",
                 "contradictory settings: " + why + "; allowed: write, stop.");
  for (const auto &law : parameters.laws)
    if (law.type == ContactLawType::velocity_signorini_coulomb)
      reader("Contact law", "Contact law " + law.name)
          .warn("the velocity law is made for impacts: with Time/Scheme = "
                "quasi static a gap stays open once its closing is forecast. "
                "Use Type = gap signorini coulomb.");
}
} // namespace delassus
