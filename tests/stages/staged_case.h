#ifndef tests_stages_staged_case_h
#define tests_stages_staged_case_h

#include "compare_runs.h"
#include "simulation/run_case.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <memory>

namespace test
{
inline unsigned int my_rank(MPI_Comm communicator = MPI_COMM_WORLD)
{
  return dealii::Utilities::MPI::this_mpi_process(communicator);
}

/// A directory that all ranks know, with a parameter file in it.
class StagedCase
{
public:
  explicit StagedCase(const std::string &text,
                      MPI_Comm communicator = MPI_COMM_WORLD)
      : communicator(communicator)
  {
    if (my_rank(communicator) == 0)
    {
      own  = std::make_unique<TemporaryDirectory>();
      path = own->path;
      write(text);
    }
    path = dealii::Utilities::MPI::broadcast(communicator, path);
  }

  /// Replaces the parameter file. Rank 0.
  void write(const std::string &text) const
  {
    std::ofstream(path + "/case.prm") << text;
  }

  /// Runs into @p directory; stopped by a signal after the step that ends at
  /// @p stop_at or later.
  template <int dim>
  void run(const std::string &directory,
           const bool resume                         = false,
           const double stop_at                      = 0.,
           const std::vector<std::string> &overrides = {})
  {
    auto all = overrides;
    all.push_back("Output/Directory=" + path + "/" + directory);
    delassus::RunOptions options;
    options.quiet   = true;
    options.resume  = resume;
    const auto work = [&]()
    {
      delassus::run_simulation<dim>(
          delassus::read_parameters(path + "/case.prm", all),
          options,
          communicator,
          [&](delassus::Simulation<dim> &simulation)
          {
            simulation.on_step = [&](const double t, const double)
            {
              if (stop_at > 0. && t >= stop_at * (1. - 1e-9) &&
                  my_rank(communicator) == 0)
                std::raise(SIGTERM);
            };
          });
    };
    MPI_Barrier(communicator);
    if (stop_at > 0.)
      EXPECT_THROW(work(), delassus::ComputationError);
    else
      work();
    MPI_Barrier(communicator);
  }

  /// What a run wrote, on rank 0; columns of words are left out.
  Results results(const std::string &directory) const
  {
    Results results;
    if (my_rank(communicator) != 0)
      return results;
    const std::string run = path + "/" + directory;
    results.history       = table(run + "/history.csv");
    results.energy        = table(run + "/energy.csv");
    std::ifstream(run + "/summary.json") >> results.summary;
    return results;
  }

  /// The last column of a table.
  std::vector<std::string> last_column(const std::string &file) const
  {
    std::ifstream in(path + "/" + file);
    std::vector<std::string> words;
    for (std::string line; std::getline(in, line);)
      words.push_back(line.substr(line.rfind(',') + 1));
    return words;
  }

  std::string path;

private:
  static Table table(const std::string &file)
  {
    std::ifstream in(file);
    std::string line, cell;
    std::vector<std::string> names;
    Table result;
    std::getline(in, line);
    for (std::istringstream header(line); std::getline(header, cell, ',');)
      names.push_back(cell);
    while (std::getline(in, line))
    {
      std::istringstream row(line);
      for (std::size_t i = 0; std::getline(row, cell, ','); ++i)
        if (names[i] != "stage")
          result[names[i]].push_back(std::stod(cell));
    }
    return result;
  }

  MPI_Comm communicator;
  std::unique_ptr<TemporaryDirectory> own;
};

inline void expect_same_staged_runs(const std::string &a, const std::string &b)
{
  expect_same_files(a, b);
  nlohmann::json summary_a, summary_b;
  std::ifstream(a + "/summary.json") >> summary_a;
  std::ifstream(b + "/summary.json") >> summary_b;
  for (auto *summary : { &summary_a, &summary_b })
    for (const char *name : { "wall_time", "memory" })
      summary->erase(name);
  EXPECT_EQ(summary_a, summary_b);
}
} // namespace test

#endif
