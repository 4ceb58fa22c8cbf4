// The files of a run directory: begun, and gone on with.
#include <delassus/simulation/recorder.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/terminal.h>
#include <delassus/base/text.h>
#include <delassus/output/atomic_file.h>
#include <delassus/shell_systems/shell_system.h>

#include <fmt/format.h>

#include <cstdio>
#include <iostream>

namespace delassus
{
using namespace dealii;

template <int dim>
void Recorder<dim>::on_root(const std::function<void()> &work) const
{
  // One rank touches the file system; all learn whether it worked.
  std::string error;
  if (root)
    try
    {
      work();
    }
    catch (const std::exception &e)
    {
      error = e.what();
    }
  if (Utilities::MPI::n_mpi_processes(model.communicator) > 1)
    error = Utilities::MPI::broadcast(model.communicator, error);
  if (!error.empty())
    throw InputError(error);
}

template <int dim>
void Recorder<dim>::open_files(const bool resumed)
{
  prepare_run_directory(directory);
  prepare_run_directory(directory + "/vtu");
  const auto stage     = stage_columns();
  auto history_columns = history.columns();
  auto energy_columns  = energy.columns();
  energy_columns.insert(energy_columns.begin(), { "step", "time" });
  for (auto *columns : { &history_columns, &energy_columns })
    columns->insert(columns->end(), stage.begin(), stage.end());
  // These may refuse: before anything else is changed.
  if (resumed)
    tables.resume(directory, history_columns, energy_columns);
  const bool json =
      input.values.file.size() > 5 &&
      input.values.file.substr(input.values.file.size() - 5) == ".json";
  write_file_atomically(directory + (json ? "/original.json" : "/original.prm"),
                        input.original);
  write_file_atomically(directory + "/parameters.prm", input.expanded);
  // That of the part before does not belong to this one.
  std::remove((directory + "/summary.json").c_str());
  log.open(directory + "/log.txt", false, resumed);
  results.open(resumed);
  if (!resumed)
    tables.begin(directory, history_columns, energy_columns);
  progress = std::make_unique<Progress>(std::cout,
                                        output_is_terminal(),
                                        quiet,
                                        model.run_start(),
                                        model.run_end(),
                                        model.is_nonlinear());
  log.before_terminal_line([this]() { progress->clear_line(); });
}

template <int dim>
void Recorder<dim>::begin()
{
  on_root(
      [this]()
      {
        open_files(false);
        unsigned int n_cells = 0, n_dofs = 0;
        for (const auto &body : model.bodies)
        {
          n_cells += body->n_all_cells;
          n_dofs += body->n_dofs();
        }
        for (const auto *sheet : model.shells)
          for (unsigned int p = 0; p < sheet->n_pieces(); ++p)
          {
            n_cells += sheet->piece(p).model().n_quads();
            n_dofs += sheet->piece(p).model().n_dofs();
          }
        log.info(fmt::format(
            "{}: {}{}, {}, {}, {}, {}, {}",
            model.parameters.title.empty() ? model.parameters.file
                                           : model.parameters.title,
            model.parameters.time.scheme == TimeScheme::quasi_static
                ? "quasi static, "
                : "",
            counted(
                model.bodies.size() + model.shells.size(), "body", "bodies"),
            counted(model.surfaces->n_pieces(), "piece"),
            counted(n_cells, "cell"),
            counted(n_dofs, "dof"),
            counted(model.surfaces->points.size(), "candidate"),
            counted(Utilities::MPI::n_mpi_processes(model.communicator),
                    "rank")));
        for (const auto &probe : history.describe_probes())
          log.info(probe);
        for (const auto &warning : input.warnings)
          log.warning(warning);
        for (const auto &warning : model.warnings)
          log.warning(warning);
        for (const auto &warning : watch.at_start())
          log.warning(warning);
        note_stage(0, model.parameters.time.start_time);
      });
  results.begin_at(model.parameters.time.start_time);
}

template <int dim>
void Recorder<dim>::resume(const unsigned int step, const double t)
{
  on_root(
      [&]()
      {
        open_files(true);
        results.remove_leftovers(step);
        progress->resume(t, step, unsolved.contact_loop.n);
        log.info(fmt::format(
            "resumed after step {}, t = {:.6g}, on {}",
            step,
            t,
            counted(Utilities::MPI::n_mpi_processes(model.communicator),
                    "rank")));
      });
  results.resume_at(t);
}

template <int dim>
void Recorder<dim>::begin_stage(const unsigned int step, const double t)
{
  on_root(
      [&]()
      {
        open_files(true);
        progress->resume(t, step, unsolved.contact_loop.n);
        note_stage(step, t);
      });
}

template <int dim>
void Recorder<dim>::end_stage()
{
  if (progress)
    progress->finish();
}

template <int dim>
void Recorder<dim>::archive(Archive &archive)
{
  // On the disk before the checkpoint that counts on it.
  if (archive.saving())
    sync_results();
  tables.archive(archive);
  results.archive(archive);
  watch.archive(archive);
  archive("distortion", distortion);
  archive("zones", zones);
  pairs.archive(archive);
  energy.archive(archive);
  newton.archive(archive);
  contact_problems.archive(archive);
  equilibria.archive(archive);
  unsolved.archive(archive);
  chronicle.archive(archive, !model.stage.stages.empty());
  archive("log", log);
  archive("timer", timer);
}

#define INSTANTIATE(dim)                                                       \
  template void Recorder<dim>::on_root(const std::function<void()> &) const;   \
  template void Recorder<dim>::open_files(const bool);                         \
  template void Recorder<dim>::begin();                                        \
  template void Recorder<dim>::resume(const unsigned int, const double);       \
  template void Recorder<dim>::begin_stage(const unsigned int, const double);  \
  template void Recorder<dim>::end_stage();                                    \
  template void Recorder<dim>::archive(Archive &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
