// Contact without W: all ranks solve it together, with a factor that they
// share. Their results against those of one rank, and those with W.
#include "run_on_all.h"
#include "newton/cases.h"
#include "stop_and_resume.h"

using namespace test;

namespace
{
/// A strip that all ranks share, its ends held, over a softer block with rows
/// of mortar type; a disk with mass, free to roll, falls on it.
const char *disk_on_strip = R"(
set Gravity = 0, -10
subsection Time
  set End  = 0.06
  set Step = 3e-3
end
subsection Material rubber
  set Model         = neo-Hookean
  set Density       = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body strip
  set Material = rubber
  subsection Mesh
    set Type         = box
    set Origin       = 0, 0.2
    set Size         = 1, 0.05
    set Divisions    = 40, 3
    set Distribution = shared
  end
end
subsection Body base
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Origin    = 0.2, 0
    set Size      = 0.6, 0.19
    set Divisions = 17, 5
  end
end
subsection Boundary condition ends
  set Type     = fixed
  set Surfaces = strip/left, strip/right, base/bottom
end
subsection Rigid body disk
  set Type             = sphere
  set Point            = 0.45, 0.36
  set Radius           = 0.1
  set Density          = 4000
  set Initial velocity = 0.5, -3
end
subsection Contact law dry
  set Friction = 0.4
end
subsection Interaction above
  set Candidates  = strip/top
  set Antagonists = disk
  set Law         = dry
  set Points      = nodes
end
subsection Interaction below
  set Candidates  = strip/bottom
  set Antagonists = base/top
  set Law         = dry
  set Formulation = mortar
end
subsection Contact solver
  set Solver    = global Newton
  set Tolerance = 1e-10
end
subsection Newton
  set Tolerance = 1e-9
end
subsection Probe middle
  set Point = 0.5, 0.25
end
subsection Output
  set Interval steps   = 7
  set Checkpoint steps = 5
end
)";

struct DiskOnStrip
{
  DiskOnStrip()
      : file(directory.path + "/case.prm")
  {
    if (rank_in(MPI_COMM_WORLD) == 0)
      std::ofstream(file) << disk_on_strip;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  SharedDirectory directory;
  std::string file;
};

const std::vector<std::string> history = {
  "above:force_y", "above:force_x", "below:force_y", "contacts",
  "middle:u_x",    "middle:u_y",    "middle:v_y",    "largest_displacement"
};
} // namespace

TEST(WithoutW, OnAllRanks)
{
  const DiskOnStrip disk;
  const auto together = run_on_all<2>(disk.file, {});
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  const auto alone = run_file<2>(disk.file, {});
  const auto with_W =
      run_file<2>(disk.file, { "Contact solver/Solver=Newton" });
  expect_same(alone.history, together.history, history, 1e-6);
  expect_same(with_W.history, together.history, history, 1e-6);
  expect_same(alone.energy,
              together.energy,
              { "kinetic", "elastic", "friction_work" },
              1e-6);
  EXPECT_LT(together.summary["energy"]["worst_relative_residual"], 1e-10);
  // Both interactions carry, and sliding dissipates.
  double above = 0., below = 0.;
  for (std::size_t i = 0; i < together.history.at("above:force_y").size(); ++i)
  {
    above = std::max(above, std::abs(together.history.at("above:force_y")[i]));
    below = std::max(below, std::abs(together.history.at("below:force_y")[i]));
  }
  EXPECT_GT(above, 0.);
  EXPECT_GT(below, 0.);
  EXPECT_LT(together.energy.at("friction_work").back(), 0.);
  // W was not there.
  EXPECT_EQ(together.summary["contact_solver"]["delassus_storage"],
            "applied only");
  EXPECT_EQ(together.summary["contact_solver"]["steps_solved_by"].size(), 1u);
}

TEST(WithoutW, StoppedAndResumed)
{
  const DiskOnStrip disk;
  // Both runs have checkpoints where the second one is stopped: analyses are
  // made anew there.
  stop_and_resume<2>({ disk.file, {} }, { 5, 15 });
}
