#include <delassus/simulation/recorder.h>
#include <delassus/base/text.h>
#include <delassus/output/atomic_file.h>

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <regex>
#include <set>

namespace delassus
{
using namespace dealii;

namespace
{
void archive_json(Archive &archive, const char *name, nlohmann::json &value)
{
  // CBOR keeps all bits of numbers.
  std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(value);
  archive(name, bytes);
  value = nlohmann::json::from_cbor(bytes);
}
} // namespace

template <int dim>
void Recorder<dim>::archive(Archive &archive)
{
  if (archive.saving())
  {
    // On the disk before the checkpoint that counts on it.
    sync_results();
    history->sync();
    energy->sync();
    table_bytes    = { { history->n_bytes(), energy->n_bytes() } };
    series_entries = { { solution_series->entries(),
                         contact_series->entries(),
                         block_series->entries(),
                         obstacle_series ? obstacle_series->entries()
                                         : PvdSeries::Entries() } };
  }
  archive("bytes of tables", table_bytes);
  archive("solution series", series_entries[0]);
  archive("contact series", series_entries[1]);
  archive("block series", series_entries[2]);
  archive("obstacle series", series_entries[3]);
  watch.archive(archive);
  archive("energy watched", energy_watch);
  archive("distortion", distortion);
  archive("zones", zones);
  archive("contact not converged", contact_loop);
  archive("friction not settled", friction);
  archive("not balanced", balance);
  archive("momentum limited", momentum);
  archive("step solved", step_solved);

  archive("forces of pairs", pair_force);
  archive("counts of pairs", pair_counts);
  archive("largest normal force", largest_normal_force);
  archive("sums", sums);
  archive("newton step", newton_step);
  archive("newton run", newton_run);
  archive("energy scale", energy_scale);
  archive("worst residual", worst_residual);
  archive("worst penetration", worst_penetration);
  archive("step residual", step_residual);
  archive("relative residual", relative_residual);
  archive("worst error", worst_error);
  archive("sweeps", n_sweeps);
  archive("most sweeps", most_sweeps);
  archive("most contacts", most_contacts);
  archive("ill posed", n_ill_posed);
  archive("wedged", n_wedged);
  archive("most wedged", most_wedged);
  archive("equilibrium iterations", n_equilibrium_iterations);
  archive("most equilibrium iterations", most_equilibrium_iterations);
  archive("worst out of balance", worst_out_of_balance);
  archive("ill posed contact", ill_posed);
  archive("last written", last_written);
  archive("next output", next_output);
  archive_json(archive, "events", events);
  archive_json(archive, "states", states);
  if (!model.stage.stages.empty())
    archive_json(archive, "stages", stages);
  archive("log", log);
  archive("timer", timer);
}

template <int dim>
void Recorder<dim>::remove_leftovers(const unsigned int step) const
{
  namespace fs = std::filesystem;
  std::set<std::string> known;
  for (const auto &series : series_entries)
    for (const auto &entry : series)
      known.insert(fs::path(entry.second).filename().string());
  const std::regex unfinished(R"((.*\.part\d*|\.writable\d+.*))");
  const std::regex result(R"((solution|contact|blocks|obstacles)_(\d+)\.vtu)");
  for (const auto &folder :
       { fs::path(directory), fs::path(directory) / "vtu" })
  {
    std::vector<fs::path> unwanted;
    for (const auto &file : fs::directory_iterator(folder))
    {
      const std::string name = file.path().filename().string();
      std::smatch match;
      if (std::regex_match(name, unfinished) ||
          (std::regex_match(name, match, result) && known.count(name) == 0 &&
           std::stoul(match[2]) >= step))
        unwanted.push_back(file.path());
    }
    for (const auto &file : unwanted)
      fs::remove(file);
  }
}

template <int dim>
void Recorder<dim>::resume(const unsigned int step, const double t)
{
  on_root(
      [&]()
      {
        open_files(true);
        remove_leftovers(step);
        progress->resume(t, step, contact_loop.n);
        log.info(fmt::format(
            "resumed after step {}, t = {:.6g}, on {}",
            step,
            t,
            counted(Utilities::MPI::n_mpi_processes(model.communicator),
                    "rank")));
      });
  // The interval may have changed: the next multiple of it after t.
  const auto &output = model.parameters.output;
  const double start = model.run_start();
  if (output.interval > 0.)
  {
    next_output = start;
    while (next_output <= t + 1e-6 * model.parameters.time.step)
      next_output += output.interval;
  }
}

template void Recorder<2>::archive(Archive &);
template void Recorder<3>::archive(Archive &);
template void Recorder<2>::remove_leftovers(const unsigned int) const;
template void Recorder<3>::remove_leftovers(const unsigned int) const;
template void Recorder<2>::resume(const unsigned int, const double);
template void Recorder<3>::resume(const unsigned int, const double);
} // namespace delassus
