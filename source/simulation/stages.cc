// Runs in stages: each is a simulation of its own, which begins with what the
// one before has left.
#include <delassus/base/text.h>
#include <delassus/simulation/signals.h>
#include <delassus/simulation/simulation.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
double Simulation<dim>::kinetic_energy() const
{
  double kinetic = 0.;
  for (const auto *system : model.systems)
    kinetic += system->kinetic_energy();
  return Utilities::MPI::sum(kinetic, communicator);
}

template <int dim>
void Simulation<dim>::zero_velocities()
{
  for (auto *system : model.systems)
    system->zero_velocity();
}

namespace
{
/// Names, in the order in which they stand in the file, of what is active.
template <typename List>
std::string names_of(const List &list, const std::set<std::string> &active)
{
  std::string text;
  for (const auto &item : list)
    if (active.count(item.name) > 0)
      text += (text.empty() ? "" : ", ") + item.name;
  return text.empty() ? "none" : text;
}

std::string describe_actions(const StageParameters &stage)
{
  std::string text;
  for (const auto &action : stage.actions)
  {
    text += text.empty() ? "" : ", ";
    switch (action.type)
    {
      case StageAction::zero_velocity:
        text += "zero velocity";
        break;
      case StageAction::release_condition:
      case StageAction::release_interaction:
        text += "release " + action.name;
        break;
      case StageAction::write:
        text += "write";
        break;
      case StageAction::checkpoint:
        text += "checkpoint";
        break;
    }
  }
  return text;
}
} // namespace

template <int dim>
std::string Simulation<dim>::describe_stages() const
{
  const auto &stages = model.stage.stages;
  const auto &all    = model.parameters;
  std::string text;
  for (unsigned int k = 0; k < stages.size(); ++k)
  {
    const auto &stage = stages[k];
    const auto &time  = stage.time;
    text += fmt::format(
        "  stage '{}': {} of {} from {} to {}, {}{}\n"
        "    boundary conditions: {}\n    interactions: {}\n",
        stage.name,
        counted(std::ceil((time.end_time - time.start_time) / time.step - 1e-6),
                "step"),
        time.step,
        time.start_time,
        time.end_time,
        time.scheme == TimeScheme::quasi_static
            ? "quasi static"
            : fmt::format("theta {}", time.theta),
        k == model.stage.number ? ", which is looked at here" : "",
        names_of(all.boundary_conditions, stage.conditions),
        names_of(all.interactions, stage.interactions));
    if (!all.obstacles.empty())
      text += fmt::format("    obstacles: {}\n",
                          names_of(all.obstacles, stage.shapes));
    if (!all.rigid_bodies.empty())
      text += fmt::format("    rigid bodies: {}\n",
                          names_of(all.rigid_bodies, stage.shapes));
    if (!stage.actions.empty())
      text += fmt::format("    at start: {}\n", describe_actions(stage));
  }
  return text;
}

template <int dim>
void Simulation<dim>::carry_over(Archive &archive)
{
  double h = current_h;
  archive("step size", h);
  if (!archive.saving())
    set_step(model.parameters.time.step);
  archive("energy", energy_now);
  events.archive(archive);
  attempts.carry_over(archive);
  archive("contact", contact);
  archive("recorder", recorder);
  if (archive.saving())
    return;
  // Reactions persist, so impulses P = h R change with h.
  if (h != current_h)
    contact.scale_impulses(current_h / h);
  contact.begin_stage();
}

template <int dim>
std::unique_ptr<StageEnd<dim>> Simulation<dim>::end_stage()
{
  auto left              = std::make_unique<StageEnd<dim>>();
  left->number           = model.stage.number;
  left->scheme           = model.parameters.time.scheme;
  left->last_checkpoint  = checkpoints.last;
  left->state.label.step = step;
  contact.prepare_archive();
  recorder.end_stage();
  if (recorder.root)
  {
    Archive common;
    carry_over(common);
    left->state.common = common.bytes();
  }
  if (Utilities::MPI::n_mpi_processes(communicator) > 1)
    left->state.common =
        Utilities::MPI::broadcast(communicator, left->state.common);
  Archive mine;
  for (const auto *system : model.systems)
    system->save_state(mine);
  left->state.ranks.resize(Utilities::MPI::n_mpi_processes(communicator));
  left->state.ranks[Utilities::MPI::this_mpi_process(communicator)] =
      mine.bytes();
  for (const auto &scheme : model.schemes)
    left->driven.push_back(scheme->driven_now());
  left->bodies = std::move(model.bodies);
  left->sheets = model.sheets;
  return left;
}

template <int dim>
void Simulation<dim>::begin_stage()
{
  const auto &time = model.parameters.time;
  const auto &part = *model.stage.parameters();
  step = first_step = before->state.label.step;
  checkpoints.last  = before->last_checkpoint;
  load_systems(before->state);
  Archive common(before->state.common, "The stage before");
  carry_over(common);
  common.expect_end();

  // Equilibria have velocities, but no inertia: a dynamic stage after one
  // begins at rest, and one without inertia has no kinetic energy.
  const double kinetic =
      before->scheme == TimeScheme::quasi_static ? 0. : kinetic_energy();
  const bool at_rest = before->scheme != time.scheme;
  // Where others hold or press an equilibrium does not go on as it did: the
  // Newton loop has no use for the velocities of the last one.
  const auto &last  = model.stage.stages[model.stage.number - 1];
  const bool others = last.conditions != part.conditions ||
                      last.interactions != part.interactions ||
                      last.shapes != part.shapes;
  if (at_rest || (others && time.scheme == TimeScheme::quasi_static))
    zero_velocities();
  bool changed = at_rest;
  // Rigid bodies that have nothing to do stand still.
  if (model.rigid && model.rigid->rest_unless_free())
    changed = true;
  contact.places.load(time.start_time);
  // Contact forces that are let go, on the bodies.
  const auto interactions = part.released(StageAction::release_interaction);
  if (!interactions.empty())
    contact.apply_impulses_of(interactions);
  for (unsigned int b = 0; b < model.schemes.size(); ++b)
  {
    changed = model.schemes[b]->begin_stage(
                  before->driven[b],
                  part.released(StageAction::release_condition),
                  time.start_time,
                  time.step,
                  at_rest,
                  interactions.empty() ? 0. : current_h) ||
              changed;
    model.schemes[b]->ramp_released(time.start_time, time.end_time);
  }
  before.reset();
  recorder.begin_stage(step, time.start_time);
  dumps.begin(step);
  if (changed)
  {
    const double change = kinetic_energy() - kinetic;
    energy_now += change;
    recorder.add_event_energy(change);
  }
  act_at_start();
}

template <int dim>
void Simulation<dim>::act_at_start()
{
  if (model.stage.stages.empty())
    return;
  for (const auto &action : model.stage.parameters()->actions)
    switch (action.type)
    {
      case StageAction::zero_velocity:
      {
        const double taken = kinetic_energy();
        zero_velocities();
        energy_now -= taken;
        recorder.add_event_energy(-taken);
        break;
      }
      case StageAction::release_condition: // by begin_stage()
      case StageAction::release_interaction:
        break;
      case StageAction::write:
        recorder.write_results(step, time_of(step), current_h);
        break;
      case StageAction::checkpoint:
        checkpoints.write(save_state(step));
        break;
    }
}

template <int dim>
StagedRun<dim>::StagedRun(const ParsedParameters &parameters,
                          const RunOptions &options,
                          MPI_Comm communicator)
    : parameters(parameters)
    , options(options)
    , communicator(communicator)
{
}

template <int dim>
void StagedRun<dim>::run()
{
  if (!options.directory)
    options.directory =
        claim_directory(parameters.values, options, communicator);
  const auto guard =
      parameters.stages.empty() ? nullptr : std::make_unique<SignalGuard>();
  unsigned int stage = 0;
  if (options.resume && !parameters.stages.empty())
  {
    std::string told_later;
    const auto label = read_checkpoint(parameters.values.output.directory,
                                       told_later,
                                       communicator)
                           .label;
    stage = std::min<unsigned int>(label.stage, parameters.stages.size() - 1);
  }
  std::unique_ptr<StageEnd<dim>> left;
  while (true)
  {
    current.reset(); // its factors are not needed any more
    current = std::make_unique<Simulation<dim>>(
        parameters, options, communicator, stage, std::move(left));
    if (prepare)
      prepare(*current);
    current->run();
    if (!current->goes_on())
      return;
    left = current->end_stage();
    ++stage;
  }
}

template <int dim>
void run_simulation(const ParsedParameters &parameters,
                    const RunOptions &options,
                    MPI_Comm communicator,
                    const std::function<void(Simulation<dim> &)> &prepare)
{
  StagedRun<dim> run(parameters, options, communicator);
  run.prepare = prepare;
  run.run();
}

#define INSTANTIATE(dim)                                                       \
  template double Simulation<dim>::kinetic_energy() const;                     \
  template std::string Simulation<dim>::describe_stages() const;               \
  template void Simulation<dim>::zero_velocities();                            \
  template void Simulation<dim>::carry_over(Archive &);                        \
  template std::unique_ptr<StageEnd<dim>> Simulation<dim>::end_stage();        \
  template void Simulation<dim>::begin_stage();                                \
  template void Simulation<dim>::act_at_start();                               \
  template class StagedRun<dim>;                                               \
  template void run_simulation<dim>(                                           \
      const ParsedParameters &,                                                \
      const RunOptions &,                                                      \
      MPI_Comm,                                                                \
      const std::function<void(Simulation<dim> &)> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
