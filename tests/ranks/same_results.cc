// The results on all ranks together against the same run on one rank.
#include "simulation/run_case.h"
#include "test_paths.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>

namespace
{
/// Run on all ranks; only rank 0 has tables.
template <int dim>
test::Results run_on_all(const std::string &file,
                         std::vector<std::string> overrides)
{
  const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
  std::string path;
  std::unique_ptr<test::TemporaryDirectory> directory;
  if (rank == 0)
  {
    directory = std::make_unique<test::TemporaryDirectory>();
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
  test::Results results;
  if (rank == 0)
  {
    results.history = test::read_csv(path + "/run/history.csv");
    results.energy  = test::read_csv(path + "/run/energy.csv");
    std::ifstream(path + "/run/summary.json") >> results.summary;
  }
  return results;
}

void expect_same(const test::Table &a,
                 const test::Table &b,
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

template <int dim>
void compare(const std::string &example,
             const std::vector<std::string> &overrides,
             const std::string &up)
{
  const std::string file =
      std::string(DELASSUS_SOURCE_DIR) + "/parameter_files/" + example;
  const auto together = run_on_all<dim>(file, overrides);
  const auto alone    = test::run_file<dim>(file, overrides, MPI_COMM_SELF);
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
    return;
  EXPECT_EQ(together.summary["ranks"],
            dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD));
  expect_same(alone.history,
              together.history,
              { "foundation:force_" + up,
                "largest_displacement",
                "largest_speed",
                "contacts" },
              1e-5);
  expect_same(alone.energy,
              together.energy,
              { "kinetic", "elastic", "external_work", "friction_work" },
              1e-5);
  EXPECT_LT(together.summary["energy"]["worst_relative_residual"], 1e-12);
}
} // namespace

TEST(Ranks, WallOfBlocks)
{
  compare<2>("wall_2d.prm",
             { "Body wall/Mesh/Courses=5",
               "Body wall/Mesh/Blocks per course=4",
               "Probe top/Point=0.2,0.25",
               "Time/End=0.03",
               "Contact solver/Tolerance=1e-8",
               "Contact solver/Maximum sweeps=50000" },
             "y");
}

TEST(Ranks, WallInThreeDimensions)
{
  compare<3>("wall_3d_1h8.prm",
             { "Body wall/Mesh/Courses=3",
               "Body wall/Mesh/Blocks per course=3",
               "Time/End=0.01",
               "Contact solver/Tolerance=1e-8",
               "Contact solver/Maximum sweeps=50000" },
             "z");
}

TEST(Ranks, OnePieceIsOwnedByOneRank)
{
  // Ranks without any cell take part without harm.
  compare<2>("wall_2d_single_piece.prm",
             { "Body wall/Mesh/Courses=3",
               "Body wall/Mesh/Blocks per course=2",
               "Time/End=0.01",
               "Contact solver/Tolerance=1e-8" },
             "y");
}

TEST(Ranks, AFailedStepEndsOnEveryRank)
{
  EXPECT_THROW(run_on_all<2>(std::string(DELASSUS_SOURCE_DIR) +
                                 "/parameter_files/wall_2d.prm",
                             { "Body wall/Mesh/Courses=3",
                               "Body wall/Mesh/Blocks per course=3",
                               "Probe top/Point=0.1,0.1",
                               "Time/End=0.01",
                               "Contact solver/Maximum sweeps=1",
                               "Contact solver/Tolerance=1e-14",
                               "Contact solver/If not converged=stop" }),
               delassus::ComputationError);
}
