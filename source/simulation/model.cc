#include <delassus/simulation/model.h>
#include <delassus/base/exceptions.h>
#include <delassus/bodies/cell_interior.h>
#include <delassus/mesh/make_mesh.h>
#include <delassus/shell_systems/building/solid_sheet.h>
#include <delassus/systems/find_surfaces.h>

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace delassus
{
namespace
{
/// What conditions only say of shells.
void expect_for_solids(const BoundaryConditionParameters &condition,
                       const std::string &body,
                       const std::string &where)
{
  const bool turns = std::any_of(condition.components.begin(),
                                 condition.components.end(),
                                 [](const unsigned int c) { return c > 2; });
  if (condition.type > BoundaryConditionType::traction || turns ||
      !condition.point.empty())
    throw InputError(fmt::format(
        "{}: contradictory settings: body '{}' is a solid, and {} for shells; "
        "allowed: Type fixed, displacement, velocity, pressure or traction, "
        "with Components x, y, z.",
        where,
        body,
        turns                      ? "rotations are"
        : !condition.point.empty() ? "Point is"
                                   : "this type is"));
}

template <int dim>
MeshData<dim> mesh_of(const BodyParameters &body,
                      const double memory,
                      const unsigned int n_ranks)
{
  if constexpr (dim == 3)
    if (is_generated_sheet(body))
      return make_solid_sheet(body, memory);
  return make_mesh<dim>(body, memory, n_ranks);
}
} // namespace

template <int dim>
Model<dim>::Model(const Parameters &parameters,
                  MPI_Comm communicator,
                  std::vector<std::unique_ptr<System<dim>>> others_in,
                  StageOfRun<dim> stage_in)
    : parameters(parameters)
    , communicator(communicator)
    , stage(std::move(stage_in))
    , others(std::move(others_in))
{
  make_sheets();
  make_bodies();
  make_conditions();
  check_later_conditions();
  make_shells();
  for (const auto &scheme : schemes)
    systems.push_back(scheme.get());
  for (const auto &other : others)
  {
    systems.push_back(other.get());
    nonlinear = nonlinear || !other->is_linear();
  }
  make_rigid_bodies();
  for (const auto *system : systems)
    skins.push_back(&system->skin());
  make_interactions();
  hold_rigid_bodies();
  inspect_surfaces();
}

template <int dim>
void Model<dim>::make_bodies()
{
  const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(communicator);
  std::vector<MeshData<dim>> meshes;
  double n_cells = 0;
  // Meshes, masses and stiffnesses are those of the stage before.
  bodies = std::move(stage.bodies);
  stage.bodies.clear();
  for (const auto &body : bodies)
  {
    const auto &material = body->material_parameters();
    nonlinear = nonlinear || material.model != MaterialModel::linear_elastic;
    for (const auto &piece : body->pieces)
      mass += piece.volume * material.density;
  }
  if (!bodies.empty())
    return;
  const double most =
      MemoryBudget(LinearSolverParameters(), communicator).limit();
  for (const auto &body : parameters.bodies)
  {
    meshes.push_back(mesh_of<dim>(body, most, n_ranks));
    if (!is_distributed(body.mesh)) // p4est shares its cells itself
      n_cells += meshes.back().cells.size();
  }

  // Cells to ranks in order, equal numbers, whole pieces if they are small.
  double counted = 0;
  for (unsigned int b = 0; b < meshes.size(); ++b)
  {
    const auto &body = parameters.bodies[b];
    Partition partition(std::vector<unsigned int>(meshes[b].n_pieces, 0));
    if (!is_distributed(body.mesh))
    {
      // A small piece is solved by one rank before ranks have exchanged what a
      // shared factor needs.
      const double most_whole =
          body.mesh.distribution == MeshDistribution::shared ? 0. : 5000.;
      partition =
          make_partition(meshes[b], counted, n_cells, n_ranks, most_whole);
      counted += meshes[b].cells.size();
    }
    const auto material =
        std::find_if(parameters.materials.begin(),
                     parameters.materials.end(),
                     [&](const auto &m) { return m.name == body.material; });
    if (material == parameters.materials.end())
      throw InputError(
          fmt::format("{}: there is no material '{}'.",
                      parameters.where("Body " + body.name, "Material"),
                      body.material));
    bodies.push_back(std::make_unique<SolidBody<dim>>(body,
                                                      *material,
                                                      parameters.assumption,
                                                      meshes[b],
                                                      partition,
                                                      communicator));
    meshes[b] = MeshData<dim>();
    nonlinear = nonlinear || material->model != MaterialModel::linear_elastic;
    for (const auto &piece : bodies.back()->pieces)
      mass += piece.volume * material->density;
  }
}

template <int dim>
void Model<dim>::make_conditions()
{
  for (const auto &body : bodies)
  {
    driven.push_back(std::make_unique<DrivenDofs<dim>>(*body, time_of(*body)));
    if (stage.parameters() != nullptr)
      ever_driven.push_back(
          std::make_unique<DrivenDofs<dim>>(*body, time_of(*body)));
  }
  std::vector<std::vector<const BoundaryConditionParameters *>> load_conditions(
      bodies.size());
  std::vector<std::vector<std::vector<unsigned int>>> load_faces(bodies.size());
  std::vector<std::vector<std::string>> load_origins(bodies.size());
  for (const auto &condition : parameters.boundary_conditions)
    for (const auto &text : condition.surfaces)
    {
      const std::string section = "Boundary condition " + condition.name;
      const std::string where   = parameters.where(section, "Surfaces"),
                        value   = parameters.where(section, "Value");
      for (const auto &reference : solids_of(text, where))
      {
        expect_for_solids(condition,
                          bodies[reference.body]->name(),
                          parameters.where(section, "Type"));
        const auto &faces =
            bodies[reference.body]->surface(reference.surface, where);
        if (faces.empty())
          throw InputError(fmt::format(
              "{}: surface '{}' has no boundary face.", where, text));
        const bool drives = condition.type != BoundaryConditionType::pressure &&
                            condition.type != BoundaryConditionType::traction;
        if (drives && stage.parameters() != nullptr)
        {
          BoundaryConditionParameters held = condition;
          held.type                        = BoundaryConditionType::fixed;
          ever_driven[reference.body]->add(held, faces, where, value);
        }
        if (stage.parameters() != nullptr &&
            stage.parameters()->conditions.count(condition.name) == 0)
          continue;
        if (condition.type == BoundaryConditionType::pressure ||
            condition.type == BoundaryConditionType::traction)
        {
          load_conditions[reference.body].push_back(&condition);
          load_faces[reference.body].push_back(faces);
          load_origins[reference.body].push_back(value);
        }
        else
          driven[reference.body]->add(condition, faces, where, value);
      }
    }
  memory =
      std::make_shared<MemoryBudget>(parameters.linear_solver, communicator);
  for (unsigned int b = 0; b < bodies.size(); ++b)
  {
    loads.push_back(std::make_unique<Loads<dim>>(*bodies[b],
                                                 parameters.gravity,
                                                 load_conditions[b],
                                                 load_faces[b],
                                                 load_origins[b]));
    // Linear pieces that are congruent share one factor, made once, whatever
    // other bodies do. Pieces that deform differently have matrices of their
    // own.
    const bool linear =
        bodies[b]->material_parameters().model == MaterialModel::linear_elastic;
    classes.push_back(std::make_unique<PieceClasses>(
        linear ? find_piece_classes(*bodies[b], *driven[b])
               : separate_classes(*bodies[b])));
    if (linear)
      schemes.push_back(
          std::make_unique<ThetaScheme<dim>>(*bodies[b],
                                             *driven[b],
                                             *classes[b],
                                             *loads[b],
                                             time_of(*bodies[b]),
                                             parameters.linear_solver,
                                             memory));
    else
      schemes.push_back(
          std::make_unique<NewtonScheme<dim>>(*bodies[b],
                                              *driven[b],
                                              *classes[b],
                                              *loads[b],
                                              time_of(*bodies[b]),
                                              newton_of(*bodies[b]),
                                              parameters.assumption,
                                              parameters.linear_solver,
                                              memory));
    if (stage.parameters() != nullptr)
      schemes.back()->keep_reactions();
  }
}

template <int dim>
TimeParameters Model<dim>::time_of(const SolidBody<dim> &body) const
{
  TimeParameters time = parameters.time;
  if (body.parameters().theta > 0.)
    time.theta = body.parameters().theta;
  return time;
}

template <int dim>
NewtonParameters Model<dim>::newton_of(const SolidBody<dim> &body) const
{
  NewtonParameters newton = parameters.newton;
  if (body.parameters().has_matrix)
    newton.matrix = body.parameters().matrix;
  return newton;
}

template <int dim>
std::unique_ptr<Interior<dim>>
Model<dim>::interior_of(const unsigned int system,
                        const std::set<unsigned int> &pieces) const
{
  if (system >= bodies.size() || pieces.empty())
    return nullptr;
  return std::make_unique<CellInterior<dim>>(*bodies[system], pieces);
}

template <int dim>
bool Model<dim>::has_other_thetas() const
{
  const double theta = parameters.time.theta;
  for (const auto &body : parameters.bodies)
    if (body.theta > 0. && body.theta != theta)
      return true;
  for (unsigned int b = 0; rigid && b < rigid->n_bodies(); ++b)
    if (rigid->body(b).settings.theta != theta)
      return true;
  return false;
}

template <int dim>
double Model<dim>::weight() const
{
  double g = 0.;
  for (const double component : parameters.gravity)
    g += component * component;
  return mass * std::sqrt(g);
}

template class Model<2>;
template class Model<3>;
} // namespace delassus
