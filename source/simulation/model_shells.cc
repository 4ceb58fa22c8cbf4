// Shells of a model: what sections 'Body NAME' with Type = shell say.
#include <delassus/base/exceptions.h>
#include <delassus/materials/sheet_law.h>
#include <delassus/shell_systems/building/build_shell.h>
#include <delassus/simulation/model.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
namespace
{
/// Names that a condition can give to parts of a sheet.
std::vector<std::string> condition_names(const SheetMesh &sheet)
{
  auto names = sheet.part_names();
  for (const char *side : { "outer", "inner" })
    if (sheet.find(side) == nullptr)
      names.push_back(side);
  return names;
}

/// 1/E of the outer and of the inner half of a sheet, mean over its layers,
/// which go from the inner face outwards.
std::array<double, 2> flexibility_of(const ShellParameters &shell,
                                     const std::vector<const SheetLaw *> &laws)
{
  std::array<double, 2> mean{ { 0., 0. } };
  double below = 0.;
  for (unsigned int l = 0; l < laws.size(); ++l)
  {
    const double above = below + shell.layers[l].fraction,
                 inner = std::min(above, 0.5) - std::min(below, 0.5);
    mean[0] += 2. * (above - below - inner) / laws[l]->thickness_modulus();
    mean[1] += 2. * inner / laws[l]->thickness_modulus();
    below = above;
  }
  return mean;
}
} // namespace

template <int dim>
void Model<dim>::make_sheets()
{
  sheets = std::move(stage.sheets);
  stage.sheets.clear();
  const double most =
      MemoryBudget(LinearSolverParameters(), communicator).limit();
  for (unsigned int s = sheets.size(); s < parameters.shells.size(); ++s)
  {
    auto sheet = std::make_shared<const SheetMesh>(
        make_sheet_mesh(parameters.shells[s], most));
    if (sheet->n_turned > 0)
      warnings.push_back(fmt::format(
          "body '{}': {} of {} elements were turned over, so that all have the "
          "outer side that the first one has.",
          parameters.shells[s].name,
          sheet->n_turned,
          sheet->mesh.quads.size()));
    sheets.push_back(sheet);
  }
}

template <int dim>
std::vector<std::pair<unsigned int, std::string>>
Model<dim>::sheets_of(const std::string &text, const std::string &where) const
{
  const auto slash       = text.find('/');
  const std::string body = text.substr(0, slash);
  std::vector<std::pair<unsigned int, std::string>> found;
  for (unsigned int s = 0; s < sheets.size(); ++s)
  {
    const auto names       = condition_names(*sheets[s]);
    const bool named       = parameters.shells[s].name == body;
    const std::string part = slash != std::string::npos ? text.substr(slash + 1)
                             : named                    ? ""
                                                        : text;
    const bool is_part =
        std::find(names.begin(), names.end(), part) != names.end();
    if (slash != std::string::npos && !named)
      continue;
    if (is_part || (named && (part.empty() || part == "*")))
      found.emplace_back(s, part);
    else if (named)
      throw InputError(fmt::format(
          "{}: shell '{}' has no edge or surface '{}'. It has {}.{}",
          where,
          body,
          part,
          fmt::join(names, ", "),
          suggest_name(part, names)));
  }
  return found;
}

template <int dim>
std::vector<SurfaceReference>
Model<dim>::solids_of(const std::string &text, const std::string &where) const
{
  const auto solids = skins_of_solids();
  if (sheets_of(text, where).empty())
  {
    std::vector<std::string> others;
    for (unsigned int s = 0; s < sheets.size(); ++s)
      for (const auto &name : condition_names(*sheets[s]))
      {
        others.push_back(name);
        others.push_back(parameters.shells[s].name + "/" + name);
      }
    return find_surfaces(solids, text, where, others);
  }
  // A plain name of some solid too?
  for (const auto *skin : solids)
  {
    const auto names = skin->surface_names();
    if (std::find(names.begin(), names.end(), text) != names.end())
      return find_surfaces(solids, text, where);
  }
  return {};
}

template <>
void Model<2>::make_shells()
{
}

template <>
std::vector<char> Model<2>::director_nodes() const
{
  return std::vector<char>(surfaces->nodes.size(), 0);
}

template <>
std::vector<char> Model<3>::director_nodes() const
{
  std::vector<char> result;
  for (const auto &node : surfaces->nodes)
  {
    const auto *skin = dynamic_cast<const ShellSkin *>(skins[node.system]);
    result.push_back(skin != nullptr && skin->is_director(node.carrier));
  }
  return result;
}

template <>
void Model<3>::make_shells()
{
  // Functions of time are those of the whole run.
  const TimeParameters &begin =
      stage.stages.empty() ? parameters.time : stage.stages.front().time;
  TimeParameters run = begin;
  run.end_time       = run_end();
  std::vector<SheetConditions> conditions;
  for (unsigned int s = 0; s < sheets.size(); ++s)
    conditions.emplace_back(*sheets[s], parameters.shells[s], run);
  for (const auto &condition : parameters.boundary_conditions)
  {
    if (stage.parameters() != nullptr &&
        stage.parameters()->conditions.count(condition.name) == 0)
      continue;
    const std::string section = "Boundary condition " + condition.name;
    const std::string where   = parameters.where(section, "Surfaces");
    for (const auto &text : condition.surfaces)
      for (const auto &[s, part] : sheets_of(text, where))
        conditions[s].add(
            condition, part, where, parameters.where(section, "Value"));
  }
  for (unsigned int s = 0; s < sheets.size(); ++s)
  {
    const auto &shell = parameters.shells[s];
    conditions[s].add_body_force(shell.body_force,
                                 shell.where("Body force", "body force"));
    std::vector<const SheetLaw *> laws;
    bool has_axes = false;
    std::vector<double> damping;
    for (const auto &layer : shell.layers)
    {
      const auto material =
          std::find_if(parameters.materials.begin(),
                       parameters.materials.end(),
                       [&](const auto &m) { return m.name == layer.material; });
      if (material == parameters.materials.end())
        throw InputError(fmt::format("{}: there is no material '{}'.",
                                     shell.where("Material", "material"),
                                     layer.material));
      auto &law = sheet_laws[layer.material];
      if (!law)
        law = make_sheet_law(*material);
      has_axes = has_axes || material->model == MaterialModel::hill ||
                 material->model == MaterialModel::barlat ||
                 material->model == MaterialModel::orthotropic;
      laws.push_back(law.get());
      damping.push_back(material->rayleigh_mass);
    }
    NewtonParameters newton = parameters.newton;
    if (shell.has_matrix)
      newton.matrix = shell.matrix;
    const bool by_mass = newton.matrix == CorrectingMatrix::lumped ||
                         newton.matrix == CorrectingMatrix::two_term ||
                         newton.matrix == CorrectingMatrix::explicit_;
    auto given  = build_shell(shell,
                             *sheets[s],
                             conditions[s],
                             laws,
                             has_axes,
                             damping,
                             parameters.gravity,
                             warnings,
                             mass,
                             by_mass && shell.scaled_inertia ? 0.125 : 0.);
    auto system = std::make_unique<ShellSystem>(shell.name,
                                                std::move(given),
                                                parameters.time.scheme ==
                                                    TimeScheme::quasi_static,
                                                parameters.time.fictitious_mass,
                                                parameters.linear_solver,
                                                memory,
                                                communicator,
                                                newton);
    // Explicit ones are linear, but their forces are found each step.
    nonlinear = true;
    if (shell.compliant)
    {
      flexibility.resize(schemes.size() + others.size());
      flexibility.push_back(flexibility_of(shell, laws));
    }
    shells.push_back(system.get());
    others.push_back(std::move(system));
  }
}

template void Model<2>::make_sheets();
template void Model<3>::make_sheets();
template std::vector<SurfaceReference>
Model<2>::solids_of(const std::string &, const std::string &) const;
template std::vector<SurfaceReference>
Model<3>::solids_of(const std::string &, const std::string &) const;
template std::vector<std::pair<unsigned int, std::string>>
Model<2>::sheets_of(const std::string &, const std::string &) const;
template std::vector<std::pair<unsigned int, std::string>>
Model<3>::sheets_of(const std::string &, const std::string &) const;
} // namespace delassus
