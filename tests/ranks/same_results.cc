// The results on all ranks together against the same run on one rank.
#include "run_on_all.h"
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

const std::vector<std::string> works = { "kinetic",
                                         "elastic",
                                         "external_work",
                                         "friction_work" };

std::string example(const std::string &name)
{
  return std::string(DELASSUS_SOURCE_DIR) + "/parameter_files/" + name;
}

template <int dim>
void compare(const std::string &name,
             const std::vector<std::string> &overrides,
             const std::string &up,
             const double tolerance = 1e-5)
{
  const std::string file = example(name);
  const auto together    = run_on_all<dim>(file, overrides);
  const auto alone       = test::run_file<dim>(file, overrides, MPI_COMM_SELF);
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
              tolerance);
  expect_same(alone.energy, together.energy, works, tolerance);
  EXPECT_LT(together.summary["energy"]["worst_relative_residual"], 1e-12);
}

const std::vector<std::string> small_wall = {
  "Body wall/Mesh/Courses=4",      "Body wall/Mesh/Blocks per course=3",
  "Probe top/Point=0.2,0.2",       "Time/End=0.01",
  "Contact solver/Tolerance=1e-8", "Contact solver/Maximum sweeps=50000",
};
} // namespace

TEST(Ranks, WallOfBlocks)
{
  // Small enough for one rank, which sweeps as if it were alone.
  compare<2>("wall_2d.prm", small_wall, "y");
}

TEST(Ranks, WallSolvedByAllRanks)
{
  // Without friction velocities are unique, whatever the order of contacts.
  for (const std::string storage : { "block sparse", "matrix free", "dense" })
  {
    auto overrides = small_wall;
    overrides.push_back("Contact law dry/Friction=0");
    overrides.push_back("Contact solver/Distribution=all ranks");
    overrides.push_back("Contact solver/Storage=" + storage);
    SCOPED_TRACE(storage);
    compare<2>("wall_2d.prm", overrides, "y");
  }
  // With friction they depend on that order a little, since a block has more
  // contacts than dofs.
  auto overrides = small_wall;
  overrides.push_back("Contact solver/Distribution=all ranks");
  compare<2>("wall_2d.prm", overrides, "y", 1e-2);
}

TEST(Ranks, WallWithoutCompliances)
{
  // No memory for factors and compliances: W is applied only, by all ranks.
  auto overrides = small_wall;
  overrides.push_back("Contact law dry/Friction=0");
  overrides.push_back("Linear solver/Memory limit=1e-9");
  overrides.push_back("Linear solver/Tolerance=1e-12");
  compare<2>("wall_2d.prm", overrides, "y");
}

TEST(Ranks, WallInThreeDimensions)
{
  compare<3>("wall_3d_1h8.prm",
             { "Body wall/Mesh/Courses=3",
               "Body wall/Mesh/Blocks per course=3",
               "Time/End=0.006",
               "Contact law dry/Friction=0",
               "Contact solver/Tolerance=1e-8",
               "Contact solver/Distribution=all ranks",
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

TEST(Ranks, BlockPushedOverABlock)
{
  // All contacts act on both blocks, which belong to different ranks.
  for (const std::string distribution : { "one rank", "all ranks" })
  {
    const std::vector<std::string> overrides = {
      "Body lower/Mesh/Gmsh numbers=nx=8,ny=4,quadrilaterals=1",
      "Body upper/Mesh/Gmsh numbers=nx=8,ny=4,quadrilaterals=1",
      "Time/End=0.012",
      "Time/Step=4e-4",
      "Contact solver/Tolerance=1e-9",
      "Contact solver/Maximum sweeps=50000",
      "Contact solver/Distribution=" + distribution
    };
    const std::string file = example("two_blocks.prm");
    const auto together    = run_on_all<2>(file, overrides);
    const auto alone       = test::run_file<2>(file, overrides);
    if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
      continue;
    expect_same(alone.history,
                together.history,
                { "joint:force_x", "joint:force_y", "largest_displacement" },
                1e-6);
    expect_same(alone.energy, together.energy, works, 1e-6);
  }
}

namespace
{
/// A block slides along a row of blocks that belong to different ranks; the
/// candidates are on the row, so that contacts begin and end on each of them.
const std::string slider = R"(
set Gravity = 0, -9.81
subsection Time
  set End = 0.05
  set Step = 1e-3
end
subsection Material stone
  set Density = 2000
  set Young modulus = 1e8
  set Poisson ratio = 0.2
end
subsection Body row
  set Material = stone
  subsection Mesh
    set Type = running bond wall
    set Size = 0.10, 0.05
    set Courses = 1
    set Blocks per course = 8
    set Cells = 8 T3
  end
end
subsection Body slider
  set Material = stone
  set Initial velocity = 6; 0
  subsection Mesh
    set Type = box
    set Size = 0.20, 0.05
    set Origin = 0.1, 0.05
    set Divisions = 5, 2
  end
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction base
  set Candidates = row/base
  set Antagonists = ground
  set Law = dry
end
subsection Interaction joints
  set Candidates = row/right
  set Antagonists = row/left
  set Law = dry
end
subsection Interaction top
  set Candidates = row/crown
  set Antagonists = slider/bottom
  set Law = dry
  set Points = gauss
end
subsection Contact solver
  set Tolerance = 1e-9
  set Maximum sweeps = 50000
  set Distribution = all ranks
end
subsection Output
  set Interval = 1
end
)";
} // namespace

TEST(Ranks, ABlockSlidesFromRankToRank)
{
  // A file that all ranks see.
  std::string file;
  std::unique_ptr<test::TemporaryDirectory> directory;
  const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
  if (rank == 0)
  {
    directory = std::make_unique<test::TemporaryDirectory>();
    file      = test::write_case(*directory, slider);
  }
  file                = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, file);
  const auto together = run_on_all<2>(file, {});
  if (rank != 0)
    return;
  const auto alone = test::run_file<2>(file);
  EXPECT_GT(alone.summary["counts"]["detections"], 5);
  expect_same(alone.history,
              together.history,
              { "base:force_x",
                "base:force_y",
                "top:force_x",
                "top:force_y",
                "largest_displacement",
                "contacts" },
              1e-5);
  expect_same(alone.energy, together.energy, works, 1e-5);
  EXPECT_LT(together.summary["energy"]["worst_relative_residual"], 1e-12);
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
