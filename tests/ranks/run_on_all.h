#ifndef tests_ranks_run_on_all_h
#define tests_ranks_run_on_all_h

#include "simulation/run_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace test
{
/// Run on all ranks; only rank 0 has tables.
template <int dim>
Results run_on_all(const std::string &file, std::vector<std::string> overrides)
{
  const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
  std::string path;
  std::unique_ptr<TemporaryDirectory> directory;
  if (rank == 0)
  {
    directory = std::make_unique<TemporaryDirectory>();
    path      = directory->path;
  }
  path = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, path);
  overrides.push_back("Output/Directory=" + path + "/run");
  delassus::RunOptions options;
  options.quiet = true;
  {
    delassus::Simulation<dim> simulation(
        delassus::read_parameters(file, overrides), options, MPI_COMM_WORLD);
    simulation.run();
  }
  Results results;
  if (rank == 0)
  {
    results.history = read_csv(path + "/run/history.csv");
    results.energy  = read_csv(path + "/run/energy.csv");
    std::ifstream(path + "/run/summary.json") >> results.summary;
  }
  return results;
}

/// Columns of two tables, to @p tolerance of the largest value of each.
inline void expect_same(const Table &a,
                        const Table &b,
                        const std::vector<std::string> &columns,
                        const double tolerance)
{
  for (const auto &column : columns)
  {
    double largest = 0.;
    for (const double value : a.at(column))
      largest = std::max(largest, std::abs(value));
    ASSERT_EQ(a.at(column).size(), b.at(column).size());
    for (std::size_t i = 0; i < a.at(column).size(); ++i)
      EXPECT_NEAR(a.at(column)[i], b.at(column)[i], tolerance * largest)
          << column << " row " << i;
  }
}
} // namespace test

#endif
