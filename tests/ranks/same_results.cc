// The results on all ranks together against the same run on one rank.
#include "run_on_all.h"
#include "test_paths.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>

namespace
{
template <int dim>
void compare(const std::string &example,
             const std::vector<std::string> &overrides,
             const std::string &up)
{
  const std::string file =
      std::string(DELASSUS_SOURCE_DIR) + "/parameter_files/" + example;
  const auto together = test::run_on_all<dim>(file, overrides);
  const auto alone    = test::run_file<dim>(file, overrides, MPI_COMM_SELF);
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
    return;
  EXPECT_EQ(together.summary["ranks"],
            dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD));
  test::expect_same(alone.history,
                    together.history,
                    { "foundation:force_" + up,
                      "largest_displacement",
                      "largest_speed",
                      "contacts" },
                    1e-5);
  test::expect_same(alone.energy,
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
  EXPECT_THROW(test::run_on_all<2>(std::string(DELASSUS_SOURCE_DIR) +
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
