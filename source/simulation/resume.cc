#include <delassus/base/exceptions.h>
#include <delassus/simulation/signals.h>
#include <delassus/simulation/simulation.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
constexpr const char *origin = "The checkpoint";
} // namespace

std::shared_ptr<RunDirectory> claim_directory(const Parameters &parameters,
                                              const RunOptions &options,
                                              MPI_Comm communicator)
{
  return std::make_shared<RunDirectory>(
      parameters.output.directory,
      options.resume      ? RunDirectory::Use::resume
      : options.overwrite ? RunDirectory::Use::overwrite
                          : RunDirectory::Use::fresh,
      options.command,
      parameters.file,
      communicator);
}

template <int dim>
Checkpoint Simulation<dim>::save_state(const unsigned int completed)
{
  Checkpoint checkpoint;
  checkpoint.label = { DELASSUS_VERSION,
                       dim,
                       0,
                       completed,
                       stop_asked,
                       time_reached(completed),
                       input.entries,
                       model.stage.number };
  contact.prepare_archive();
  if (recorder.root)
  {
    Archive common;
    archive(common);
    checkpoint.common = common.bytes();
  }
  Archive mine;
  for (const auto *system : model.systems)
    system->save_state(mine);
  checkpoint.ranks = { mine.bytes() };
  return checkpoint;
}

template <int dim>
void Simulation<dim>::archive(Archive &archive)
{
  if (!model.stage.stages.empty())
    archive("first step of the stage", first_step);
  double h = current_h;
  archive("step size", h);
  // Before the contacts: impulses are those of this step size.
  if (!archive.saving())
    set_step(h);
  archive("energy", energy_now);
  events.archive(archive);
  archive("stop asked", stop_asked);
  substeps.archive(archive);
  archive("steps", attempts);
  archive("contact", contact);
  archive("recorder", recorder);
}

template <int dim>
void Simulation<dim>::load_systems(const Checkpoint &checkpoint)
{
  const unsigned int n_ranks = Utilities::MPI::n_mpi_processes(communicator);
  const unsigned int rank    = Utilities::MPI::this_mpi_process(communicator);
  using Saved                = std::vector<std::unique_ptr<SavedState>>;
  const auto read            = [&](const std::string &bytes)
  {
    Saved saved;
    Archive archive(bytes, origin);
    for (const auto *system : model.systems)
      saved.push_back(system->read_state(archive));
    archive.expect_end();
    return saved;
  };

  // Bit for bit where everything is numbered and owned as it was.
  bool same = checkpoint.ranks.size() == n_ranks;
  if (same)
  {
    const Saved mine = read(checkpoint.ranks[rank]);
    for (unsigned int b = 0; b < mine.size(); ++b)
      same = same && model.systems[b]->is_same(*mine[b]);
    same = Utilities::MPI::min(int(same), communicator) == 1;
    for (unsigned int b = 0; b < mine.size() && same; ++b)
      model.systems[b]->load_state(*mine[b]);
  }
  if (same)
    return;

  // Otherwise each rank looks for its parts among those of all.
  std::vector<std::string> parts = checkpoint.ranks;
  if (parts.size() == n_ranks)
    parts = Utilities::MPI::all_gather(communicator, parts[rank]);
  std::vector<Saved> all(model.systems.size()); // by system, then by rank
  for (const auto &part : parts)
  {
    Saved saved = read(part);
    for (unsigned int b = 0; b < saved.size(); ++b)
      all[b].push_back(std::move(saved[b]));
  }
  std::string error;
  for (unsigned int b = 0; b < all.size() && error.empty(); ++b)
    error = model.systems[b]->load_matching(all[b]);
  // One rank may miss a node that others do not look for.
  for (const auto &e : Utilities::MPI::all_gather(communicator, error))
    if (!e.empty())
      throw InputError(e);
}

template <int dim>
bool Simulation<dim>::resume()
{
  const auto &time            = model.parameters.time;
  const std::string directory = model.parameters.output.directory;
  std::string warning;
  const Checkpoint checkpoint = checkpoints.read(warning);
  const auto &label           = checkpoint.label;

  const auto differences =
      differing_entries(label.entries, input.entries, label.stage);
  if (label.dimension != dim || !differences.empty())
  {
    std::string list;
    for (const auto &difference : differences)
      list += "\n  " + difference;
    throw InputError(fmt::format(
        "--resume: '{}' is not what the checkpoint in '{}' was computed with:{}"
        "\nA run can be continued with another Title, Time/End, Output, "
        "Newton, Contact solver, Linear solver and Checks{}; for other changes "
        "start "
        "anew without --resume.",
        model.parameters.file,
        directory,
        list,
        model.stage.stages.empty()
            ? ""
            : ", and with other stages after the one it has come to"));
  }

  // The summary is the last file of a run.
  int finished = 0;
  if (recorder.root)
  {
    nlohmann::json summary;
    std::ifstream in(directory + "/summary.json");
    summary  = nlohmann::json::parse(in, nullptr, /*exceptions*/ false);
    finished = summary.is_object() && summary.value("completed", false) &&
               (label.stopped || !model.stage.has_next()) &&
               (label.stopped ||
                summary.value("time", 0.) >= time.end_time - 1e-6 * time.step);
    if (finished)
      recorder.log.info(fmt::format(
          "The run in '{}' is finished: it {} t = {:.6g}{}. There is nothing "
          "to "
          "resume{}.",
          directory,
          label.stopped ? "was stopped by an event at" : "has reached",
          summary.value("time", 0.),
          summary.value("trustworthy", true)
              ? ""
              : ", but is not trustworthy ('reasons' in summary.json)",
          label.stopped                ? ""
          : model.stage.stages.empty() ? "; a later 'Time/End' would extend it"
                                       : "; a further stage would extend it"));
  }
  MPI_Bcast(&finished, 1, MPI_INT, 0, checkpoints.own_communicator());
  if (finished)
    return false;
  if (label.time > time.end_time + 1e-6 * time.step)
    throw InputError(fmt::format("--resume: the checkpoint in '{}' is at t = "
                                 "{:.6g}, after Time/End = {:.6g}.",
                                 directory,
                                 label.time,
                                 time.end_time));

  load_systems(checkpoint);
  Archive common(checkpoint.common, origin);
  archive(common);
  common.expect_end();
  contact.places.load(label.time);
  if (!model.stage.stages.empty())
    for (const auto &scheme : model.schemes)
      scheme->ramp_released(time.start_time, time.end_time);
  step             = label.step;
  checkpoints.last = { int(label.step), label.time };
  recorder.resume(step, label.time);
  dumps.begin(step);
  if (recorder.root && !warning.empty())
    recorder.log.warning(warning);
  if (recorder.root && label.program_version != DELASSUS_VERSION)
    recorder.log.warning(
        fmt::format("the checkpoint was written by version {} of the program, "
                    "this is {}: results need not be the same to the last bit",
                    label.program_version,
                    DELASSUS_VERSION));
  return true;
}

template <int dim>
void Simulation<dim>::keep_state_before_step()
{
  contact.restore();
  if (!checkpoints.all_ranks_here())
    return;
  checkpoints.state_before_step =
      std::make_unique<Checkpoint>(save_state(step - 1));
}

template <int dim>
std::string Simulation<dim>::write_state_before_step()
{
  std::string text;
  // A stage that fails in its first step may be changed: the checkpoint of the
  // end of the one before is kept.
  const auto &state = checkpoints.state_before_step;
  const bool nothing_done =
      model.stage.number > 0 && state && state->label.step == first_step &&
      checkpoints.last.step == int(first_step) && substeps.part_done == 0.;
  if (state && !nothing_done && checkpoints.all_ranks_here())
  {
    const std::string failure = checkpoints.write(*state);
    if (!failure.empty())
      text += " " + failure;
  }
  if (checkpoints.last.step >= 0)
    text += fmt::format(" To go on from t = {:.6g}: {} --resume",
                        checkpoints.last.time,
                        options.command);
  return text;
}

template <int dim>
typename Simulation<dim>::Requests Simulation<dim>::requests() const
{
  const std::array<int, 2> mine = {
    { signal_received() != 0, recorder.root && checkpoints.clock_is_due() }
  };
  auto any = mine;
  MPI_Allreduce(mine.data(), any.data(), 2, MPI_INT, MPI_MAX, communicator);
  return { any[0] != 0, any[1] != 0 };
}

template <int dim>
void Simulation<dim>::checkpoint_by_clock()
{
  if (!requests().checkpoint)
    return;
  const auto scope = timer.scope("checkpoint");
  checkpoints.write(save_state(step - 1));
}

template <int dim>
bool Simulation<dim>::checkpoint_due(const unsigned int n) const
{
  const auto &output = model.parameters.output;
  const auto &time   = model.parameters.time;
  if (output.checkpoint_steps > 0)
    return n % output.checkpoint_steps == 0;
  if (output.checkpoint_interval <= 0.)
    return false;
  const auto n_intervals = [&](const unsigned int k)
  {
    return std::floor((time.start_time - model.run_start() +
                       (double(k) - first_step) * time.step +
                       1e-6 * time.step) /
                      output.checkpoint_interval);
  };
  return n > first_step && n_intervals(n) > n_intervals(n - 1);
}

#define INSTANTIATE(dim)                                                       \
  template Checkpoint Simulation<dim>::save_state(const unsigned int);         \
  template void Simulation<dim>::archive(Archive &);                           \
  template void Simulation<dim>::load_systems(const Checkpoint &);             \
  template bool Simulation<dim>::resume();                                     \
  template void Simulation<dim>::keep_state_before_step();                     \
  template std::string Simulation<dim>::write_state_before_step();             \
  template Simulation<dim>::Requests Simulation<dim>::requests() const;        \
  template void Simulation<dim>::checkpoint_by_clock();                        \
  template bool Simulation<dim>::checkpoint_due(const unsigned int) const;
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE
} // namespace delassus
