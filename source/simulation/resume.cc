#include <delassus/base/exceptions.h>
#include <delassus/simulation/match_positions.h>
#include <delassus/simulation/material_state.h>
#include <delassus/simulation/signals.h>
#include <delassus/simulation/simulation.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <limits>

#include <unistd.h>

namespace delassus
{
using namespace dealii;

namespace
{
/// The nodal state of this rank's part of a body: by reference position and
/// piece, so that it does not matter how nodes are numbered and who owns them.
struct NodalState
{
  std::vector<double> positions;
  std::vector<unsigned int> pieces;
  std::vector<std::vector<double>> values; ///< of each vector of the state

  void archive(Archive &archive)
  {
    archive("positions", positions);
    archive("pieces", pieces);
    archive("values", values);
  }

  /// Without the values.
  template <int dim>
  void set_nodes(const SolidBody<dim> &body)
  {
    positions.reserve(body.owned_dofs.n_elements());
    pieces.reserve(body.owned_dofs.n_elements() / dim);
    for (const auto dof : body.owned_dofs)
    {
      const unsigned int node = dof / dim;
      positions.push_back(body.nodes[node][dof % dim]);
      if (dof % dim == 0)
        pieces.push_back(body.node_piece[node]);
    }
  }

  void append(const NodalState &other)
  {
    positions.insert(
        positions.end(), other.positions.begin(), other.positions.end());
    pieces.insert(pieces.end(), other.pieces.begin(), other.pieces.end());
    values.resize(other.values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k].insert(
          values[k].end(), other.values[k].begin(), other.values[k].end());
  }
};

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
  checkpoint.label = { DELASSUS_VERSION, dim,        0,
                       completed,        stop_asked, time_reached(completed),
                       input.entries };
  contact.prepare_archive();
  if (recorder.root)
  {
    Archive common;
    archive(common);
    checkpoint.common = common.bytes();
  }
  Archive mine;
  for (const auto &scheme : model.schemes)
  {
    NodalState state;
    state.set_nodes(scheme->body);
    for (const Vector *vector : scheme->state())
    {
      std::vector<double> values(vector->begin(), vector->end());
      state.values.push_back(std::move(values));
    }
    mine("body", state);
  }
  for (const auto *scheme : model.newton_schemes)
  {
    MaterialState state;
    state.save(*scheme);
    mine("materials", state);
  }
  checkpoint.ranks = { mine.bytes() };
  return checkpoint;
}

template <int dim>
void Simulation<dim>::archive(Archive &archive)
{
  double h = current_h;
  archive("step size", h);
  // Before the contacts: impulses are those of this step size.
  if (!archive.saving())
    set_step(h);
  archive("energy", energy_now);
  archive("events done", event_done);
  archive("last resultants", last_resultant);
  archive("stop asked", stop_asked);
  if (!model.tools.empty())
    archive("tools", model.tools);
  archive("controlled step size", controlled_h);
  archive("part of the step", part_done);
  archive("newton", newton);
  archive("contact", contact);
  if (!archive.saving())
    model.tools.place();
  archive("recorder", recorder);
}

template <int dim>
void Simulation<dim>::load_nodal_state(const Checkpoint &checkpoint)
{
  const unsigned int n_ranks = Utilities::MPI::n_mpi_processes(communicator);
  const unsigned int rank    = Utilities::MPI::this_mpi_process(communicator);
  const auto set             = [](Vector &vector, const auto &value)
  {
    auto entry = vector.begin();
    for (std::size_t i = 0; i < vector.locally_owned_size(); ++i, ++entry)
      *entry = value(i);
  };

  // Bit for bit where nodes are numbered and owned as they were.
  bool same = checkpoint.ranks.size() == n_ranks;
  std::vector<NodalState> here(model.schemes.size()),
      mine(model.schemes.size());
  std::vector<MaterialState> my_materials(model.newton_schemes.size());
  for (unsigned int b = 0; b < model.schemes.size(); ++b)
    here[b].set_nodes(*model.bodies[b]);
  if (same)
  {
    Archive archive(checkpoint.ranks[rank], origin);
    for (unsigned int b = 0; b < model.schemes.size(); ++b)
    {
      archive("body", mine[b]);
      same = same && mine[b].positions == here[b].positions &&
             mine[b].pieces == here[b].pieces;
    }
    for (unsigned int b = 0; b < my_materials.size(); ++b)
    {
      archive("materials", my_materials[b]);
      same = same && my_materials[b].is_of(*model.newton_schemes[b]);
    }
    archive.expect_end();
  }
  if (Utilities::MPI::min(int(same), communicator) == 1)
  {
    for (unsigned int b = 0; b < model.schemes.size(); ++b)
    {
      const auto vectors = model.schemes[b]->state();
      for (std::size_t k = 0; k < vectors.size(); ++k)
        set(*vectors[k],
            [&](const std::size_t i) { return mine[b].values.at(k)[i]; });
    }
    for (unsigned int b = 0; b < my_materials.size(); ++b)
      my_materials[b].load(*model.newton_schemes[b]);
    return;
  }

  // Otherwise each rank looks for its nodes among those of all.
  std::vector<std::string> parts = checkpoint.ranks;
  if (parts.size() == n_ranks)
    parts = Utilities::MPI::all_gather(communicator, parts[rank]);
  std::vector<NodalState> all(model.schemes.size());
  std::vector<MaterialState> all_materials(model.newton_schemes.size());
  for (const auto &part : parts)
  {
    Archive archive(part, origin);
    for (auto &state : all)
    {
      NodalState of_rank;
      archive("body", of_rank);
      state.append(of_rank);
    }
    for (unsigned int b = 0; b < all_materials.size(); ++b)
    {
      MaterialState of_rank;
      archive("materials", of_rank);
      all_materials[b].append(of_rank, dim);
    }
    archive.expect_end();
  }
  std::string error;
  for (unsigned int b = 0; b < model.schemes.size() && error.empty(); ++b)
  {
    const auto there = match_positions(dim,
                                       all[b].positions,
                                       all[b].pieces,
                                       here[b].positions,
                                       here[b].pieces);
    if (all[b].pieces.size() != model.bodies[b]->n_nodes() ||
        std::find(there.begin(),
                  there.end(),
                  std::numeric_limits<unsigned int>::max()) != there.end())
    {
      error = fmt::format("The mesh of body '{}' is not that of the checkpoint "
                          "({} nodes, {} there). Start anew without --resume.",
                          model.bodies[b]->name(),
                          model.bodies[b]->n_nodes(),
                          all[b].pieces.size());
      break;
    }
    const auto vectors = model.schemes[b]->state();
    for (std::size_t k = 0; k < vectors.size(); ++k)
      set(*vectors[k],
          [&](const std::size_t i)
          { return all[b].values.at(k)[dim * there[i / dim] + i % dim]; });
  }
  for (unsigned int b = 0; b < all_materials.size() && error.empty(); ++b)
    if (!all_materials[b].load_matching(*model.newton_schemes[b]))
      error = fmt::format("The cells of body '{}' are not those of the "
                          "checkpoint. Start anew without --resume.",
                          model.bodies[b]->name());
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
  const Checkpoint checkpoint =
      read_checkpoint(directory, warning, checkpoint_communicator);
  const auto &label = checkpoint.label;

  const auto differences = differing_entries(label.entries, input.entries);
  if (label.dimension != dim || !differences.empty())
  {
    std::string list;
    for (const auto &difference : differences)
      list += "\n  " + difference;
    throw InputError(fmt::format(
        "--resume: '{}' is not what the checkpoint in '{}' was computed with:{}"
        "\nA run can be continued with another Title, Time/End, Output, "
        "Newton, Contact solver, Linear solver and Checks; for other changes "
        "start "
        "anew without --resume.",
        model.parameters.file,
        directory,
        list));
  }

  // The summary is the last file of a run.
  int finished = 0;
  if (recorder.root)
  {
    nlohmann::json summary;
    std::ifstream in(directory + "/summary.json");
    summary  = nlohmann::json::parse(in, nullptr, /*exceptions*/ false);
    finished = summary.is_object() && summary.value("completed", false) &&
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
          label.stopped ? "" : "; a later 'Time/End' would extend it"));
  }
  MPI_Bcast(&finished, 1, MPI_INT, 0, checkpoint_communicator);
  if (finished)
    return false;
  if (label.time > time.end_time + 1e-6 * time.step)
    throw InputError(fmt::format("--resume: the checkpoint in '{}' is at t = "
                                 "{:.6g}, after Time/End = {:.6g}.",
                                 directory,
                                 label.time,
                                 time.end_time));

  load_nodal_state(checkpoint);
  Archive common(checkpoint.common, origin);
  archive(common);
  common.expect_end();
  step                 = label.step;
  last_checkpoint      = label.step;
  last_checkpoint_time = label.time;
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
  if (!all_ranks_here())
    return;
  state_before_step = std::make_unique<Checkpoint>(save_state(step - 1));
}

template <int dim>
std::string Simulation<dim>::write_state(const Checkpoint &checkpoint)
{
  const auto &output        = model.parameters.output;
  const std::string failure = write_checkpoint(output.directory,
                                               output.n_checkpoints,
                                               checkpoint,
                                               checkpoint_communicator);
  // Again after the whole interval, also where the disk is full.
  last_checkpoint_at = PhaseTimer::Clock::now();
  if (failure.empty())
  {
    last_checkpoint      = checkpoint.label.step;
    last_checkpoint_time = checkpoint.label.time;
  }
  else if (recorder.root)
    recorder.log.warning(failure);
  return failure;
}

template <int dim>
std::string Simulation<dim>::write_state_before_step()
{
  std::string text;
  if (state_before_step && all_ranks_here())
  {
    const std::string failure = write_state(*state_before_step);
    if (!failure.empty())
      text += " " + failure;
  }
  if (last_checkpoint >= 0)
    text += fmt::format(" To go on from t = {:.6g}: {} --resume",
                        last_checkpoint_time,
                        options.command);
  return text;
}

template <int dim>
typename Simulation<dim>::Requests Simulation<dim>::requests() const
{
  const double minutes = model.parameters.output.checkpoint_minutes;
  const std::chrono::duration<double, std::ratio<60>> waited =
      PhaseTimer::Clock::now() - last_checkpoint_at;
  const std::array<int, 2> mine = { { signal_received() != 0,
                                      recorder.root && minutes > 0. &&
                                          waited.count() >= minutes } };
  auto any                      = mine;
  MPI_Allreduce(mine.data(), any.data(), 2, MPI_INT, MPI_MAX, communicator);
  return { any[0] != 0, any[1] != 0 };
}

template <int dim>
void Simulation<dim>::checkpoint_by_clock()
{
  if (!requests().checkpoint)
    return;
  const auto scope = timer.scope("checkpoint");
  write_state(save_state(step - 1));
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
    return std::floor((k * time.step + 1e-6 * time.step) /
                      output.checkpoint_interval);
  };
  return n > 0 && n_intervals(n) > n_intervals(n - 1);
}

template <int dim>
bool Simulation<dim>::all_ranks_here() const
{
  if (Utilities::MPI::n_mpi_processes(communicator) == 1)
    return true;
  MPI_Request request;
  int here = 0;
  MPI_Ibarrier(checkpoint_communicator, &request);
  constexpr unsigned int n_tries = 100, microseconds = 20000;
  for (unsigned int i = 0; i < n_tries && !here; ++i)
  {
    MPI_Test(&request, &here, MPI_STATUS_IGNORE);
    if (!here)
      usleep(microseconds);
  }
  return here != 0;
}

#define INSTANTIATE(dim)                                                       \
  template Checkpoint Simulation<dim>::save_state(const unsigned int);         \
  template void Simulation<dim>::archive(Archive &);                           \
  template void Simulation<dim>::load_nodal_state(const Checkpoint &);         \
  template bool Simulation<dim>::resume();                                     \
  template void Simulation<dim>::keep_state_before_step();                     \
  template std::string Simulation<dim>::write_state(const Checkpoint &);       \
  template std::string Simulation<dim>::write_state_before_step();             \
  template Simulation<dim>::Requests Simulation<dim>::requests() const;        \
  template void Simulation<dim>::checkpoint_by_clock();                        \
  template bool Simulation<dim>::checkpoint_due(const unsigned int) const;     \
  template bool Simulation<dim>::all_ranks_here() const;
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE
} // namespace delassus
