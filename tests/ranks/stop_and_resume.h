// A run that is stopped, and resumed, against the same run in one go.
#ifndef tests_ranks_stop_and_resume_h
#define tests_ranks_stop_and_resume_h

#include "compare_runs.h"
#include "simulation/run_case.h"
#include "test_paths.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <memory>

namespace test
{
inline unsigned int rank_in(MPI_Comm communicator)
{
  return dealii::Utilities::MPI::this_mpi_process(communicator);
}

/// A directory known to all ranks.
class SharedDirectory
{
public:
  SharedDirectory()
  {
    if (rank_in(MPI_COMM_WORLD) == 0)
    {
      own  = std::make_unique<TemporaryDirectory>();
      path = own->path;
    }
    path = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, path);
  }
  std::string path;

private:
  std::unique_ptr<TemporaryDirectory> own;
};

/// A parameter file with values to replace.
struct Case
{
  std::string file;
  std::vector<std::string> overrides;
};

inline Case example(const std::string &name,
                    const std::vector<std::string> &overrides)
{
  return { std::string(DELASSUS_SOURCE_DIR) + "/parameter_files/" + name,
           overrides };
}

/// Run in @p directory, and stop by a signal after step @p stop_at (0: not).
template <int dim>
void run(const Case &what,
         const std::string &directory,
         const bool resume,
         const unsigned int stop_at,
         MPI_Comm communicator,
         const std::vector<std::string> &more = {})
{
  auto overrides = what.overrides;
  overrides.insert(overrides.end(), more.begin(), more.end());
  overrides.push_back("Output/Directory=" + directory);
  delassus::RunOptions options;
  options.quiet  = true;
  options.resume = resume;
  delassus::Simulation<dim> simulation(
      delassus::read_parameters(what.file, overrides), options, communicator);
  const double h     = simulation.model.parameters.time.step;
  const double start = simulation.model.parameters.time.start_time;
  simulation.on_step = [&](const double t, const double)
  {
    // One rank is enough.
    if (stop_at > 0 && t >= start + (stop_at - 0.5) * h &&
        rank_in(communicator) == 0)
      std::raise(SIGTERM);
  };
  if (stop_at == 0)
    simulation.run();
  else
    EXPECT_THROW(simulation.run(), delassus::ComputationError);
}

inline void expect_same_runs(const std::string &a, const std::string &b)
{
  expect_same_files(a, b);
  nlohmann::json summary_a, summary_b;
  std::ifstream(a + "/summary.json") >> summary_a;
  std::ifstream(b + "/summary.json") >> summary_b;
  // Times and memory of the machine aside.
  for (auto *summary : { &summary_a, &summary_b })
    for (const char *name : { "wall_time", "memory" })
      summary->erase(name);
  EXPECT_EQ(summary_a, summary_b);
}

/// Stop after each of @p stops, resume, and compare with the run in one go.
template <int dim>
void stop_and_resume(const Case &what, const std::vector<unsigned int> &stops)
{
  const SharedDirectory directory;
  run<dim>(what, directory.path + "/whole", false, 0, MPI_COMM_WORLD);
  bool resume = false;
  for (const unsigned int stop : stops)
  {
    run<dim>(what, directory.path + "/parts", resume, stop, MPI_COMM_WORLD);
    resume = true;
  }
  run<dim>(what, directory.path + "/parts", true, 0, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0)
    expect_same_runs(directory.path + "/whole", directory.path + "/parts");
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Rows whose step lies in the second part of a run agree.
inline void expect_near(const Table &a,
                        const Table &b,
                        const std::vector<std::string> &columns,
                        const double tolerance)
{
  for (const auto &column : columns)
  {
    ASSERT_EQ(a.at(column).size(), b.at(column).size()) << column;
    double largest = 0.;
    for (const double value : a.at(column))
      largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < a.at(column).size(); ++i)
      EXPECT_NEAR(a.at(column)[i], b.at(column)[i], tolerance * largest)
          << column << " row " << i;
  }
}
} // namespace test

#endif
