// Stresses at probes and contact pressures on all ranks against those on one,
// and an expression that has no value on one of the ranks only.
#include "read_vtu.h"
#include "run_on_all.h"

#include <delassus/base/exceptions.h>

using namespace delassus;
using namespace test;

namespace
{
/// A wall that settles.
const char *wall = R"(
set Gravity = 0, -9.81
subsection Time
  set End  = 0.02
  set Step = 1e-3
end
subsection Material block
  set Density       = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body wall
  set Material = block
  subsection Mesh
    set Type              = running bond wall
    set Size              = 0.10, 0.05
    set Courses           = 4
    set Blocks per course = 3
    set Cells             = 8 T3
  end
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Interaction joints
  set Candidates  = wall/bottom, wall/right
  set Antagonists = wall/top, wall/left
  set Law         = dry
  set Points      = midpoints
end
subsection Interaction foundation
  set Candidates  = wall/base
  set Antagonists = ground
  set Law         = dry
  set Points      = midpoints
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Probe low
  set Point = 0.1, 0.025
end
subsection Probe high
  set Point = 0.2, 0.2
end
subsection Output
  set Interval steps = 20
end
)";

/// One block that ranks share, of any material, on a plane.
const char *block = R"(
subsection Time
  set End  = 0.02
  set Step = 1e-3
end
subsection Material soft
  set Density       = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body block
  set Material   = soft
  set Body force = 0; -9.81
  subsection Mesh
    set Type         = box
    set Size         = 1, 0.5
    set Divisions    = 8, 4
    set Distribution = shared
  end
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Interaction foot
  set Candidates  = block/bottom
  set Antagonists = ground
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Probe inside
  set Point = 0.25, 0.25
end
subsection Output
  set Interval steps = 20
end
)";

struct Shown
{
  Table history;
  std::map<std::string, std::vector<float>> fields;
};

/// Run in a directory that rank 0 makes; it alone reads the results.
Shown run(const std::string &text,
          std::vector<std::string> overrides,
          MPI_Comm communicator)
{
  const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(communicator);
  std::string path;
  std::unique_ptr<TemporaryDirectory> directory;
  if (rank == 0)
  {
    directory = std::make_unique<TemporaryDirectory>();
    path      = directory->path;
    write_case(*directory, text);
  }
  path = dealii::Utilities::MPI::broadcast(communicator, path);
  overrides.push_back("Output/Directory=" + path + "/run");
  RunOptions options;
  options.quiet = true;
  Simulation<2>(
      read_parameters(path + "/case.prm", overrides), options, communicator)
      .run();
  Shown shown;
  if (rank == 0)
  {
    shown.history = read_csv(path + "/run/history.csv");
    shown.fields  = read_vtu(path + "/run/vtu/solution_000020.vtu");
  }
  MPI_Barrier(communicator);
  return shown;
}

/// Sums of powers, and of their sizes: cells may be in another order.
std::array<std::array<double, 2>, 3> moments(const std::vector<float> &values)
{
  std::array<std::array<double, 2>, 3> sums = {};
  for (const double value : values)
  {
    double power = 1.;
    for (auto &sum : sums)
    {
      power *= value;
      sum[0] += power;
      sum[1] += std::abs(power);
    }
  }
  return sums;
}

void compare(const std::string &text,
             const std::vector<std::string> &probes,
             const std::vector<std::string> &overrides = {})
{
  const bool root =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  const Shown together = run(text, overrides, MPI_COMM_WORLD);
  if (!root)
    return;
  const Shown alone = run(text, overrides, MPI_COMM_SELF);
  std::vector<std::string> columns;
  for (const auto &probe : probes)
    for (const char *tensor : { ":stress_", ":strain_" })
      for (const char *component : { "xx", "yy", "xy" })
        columns.push_back(probe + tensor + component);
  expect_same(alone.history, together.history, columns, 1e-6);
  EXPECT_NE(alone.history.at(probes[0] + ":stress_yy").back(), 0.);
  for (const char *name :
       { "contact_pressure", "contact_traction", "strain_yy" })
  {
    const auto &one = alone.fields.at(name), &all = together.fields.at(name);
    ASSERT_EQ(one.size(), all.size());
    const auto a = moments(one), b = moments(all);
    EXPECT_GT(a[1][0], 0.) << name;
    for (unsigned int k = 0; k < 3; ++k)
      EXPECT_NEAR(a[k][0], b[k][0], 1e-4 * a[k][1]) << name << " " << k;
  }
}
} // namespace

TEST(ValuesAtNodes, OfAWall)
{
  compare(wall, { "low", "high" });
}

TEST(ValuesAtNodes, OfABlockThatRanksShare)
{
  compare(block, { "inside" });
  compare(block, { "inside" }, { "Material soft/Model=neo-Hookean" });
}

TEST(Expressions, ThatFailOnOneRankEndAllOfThem)
{
  // Only the right end, at some time, or at the start.
  for (const char *force :
       { "0; sqrt(if(x > 0.9, 0.0105 - t, 1))", "0; sqrt(0.9 - x)" })
  {
    const bool at_start = std::string(force).find('t', 8) == std::string::npos;
    std::string input, computation;
    try
    {
      run(block,
          { std::string("Body block/Body force=") + force },
          MPI_COMM_WORLD);
    }
    catch (const InputError &e)
    {
      input = e.what();
    }
    catch (const ComputationError &e)
    {
      computation = e.what();
    }
    // The same on all ranks.
    const std::string &text = at_start ? input : computation;
    for (const char *part :
         { "--set", "entry 'Body force'", "not a number at x = 0.9" })
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    if (!at_start)
    {
      EXPECT_NE(text.find("last good state, of t = 0.01,"), std::string::npos)
          << text;
    }
  }
}
