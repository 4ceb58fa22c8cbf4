// Solid shells in runs: pinched between two tools, thrown on the ground, with
// every matrix; the results on all ranks against those on one, and runs that
// are stopped and resumed.
#include "newton/cases.h"
#include "ranks/run_on_all.h"
#include "ranks/stop_and_resume.h"

using namespace test;

namespace
{
/// A quarter of a plastic plate that two balls press from both sides on its
/// axis.
const char *pinched_plate = R"(
set Dimension = 3
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.25
end
subsection Material metal
  set Model             = J2
  set Density           = 1000
  set Young modulus     = 1e7
  set Poisson ratio     = 0.3
  set Yield stress      = 1e5
  set Hardening modulus = 1e5
end
subsection Body sheet
  set Type      = solid shell
  set Material  = metal
  subsection Mesh
    set Type      = box
    set Origin    = 0, 0, -0.01
    set Size      = 0.08, 0.1, 0.02
    set Divisions = 4, 5, 1
  end
end
subsection Boundary condition x
  set Type       = fixed
  set Surfaces   = sheet/left
  set Components = x
end
subsection Boundary condition y
  set Type       = fixed
  set Surfaces   = sheet/front
  set Components = y
end
subsection Obstacle upper
  set Type         = sphere
  set Point        = 0, 0, 0.06
  set Radius       = 0.05
  set Displacement = 0; 0; -0.001*t
end
subsection Obstacle lower
  set Type         = sphere
  set Point        = 0, 0, -0.06
  set Radius       = 0.05
  set Displacement = 0; 0; 0.001*t
end
subsection Contact law dry
  set Friction = 0.2
end
subsection Interaction up
  set Candidates  = sheet/top
  set Antagonists = upper
  set Law         = dry
  set Points      = nodes
end
subsection Interaction down
  set Candidates  = sheet/bottom
  set Antagonists = lower
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Newton
  set Tolerance = 1e-9
end
subsection Probe above
  set Point = 0, 0, 0.01
end
subsection Probe below
  set Point = 0, 0, -0.01
end
subsection Output
  set Interval steps = 2
end
)";

/// A plastic dome, thrown at the ground upside down and askew.
const char *thrown_dome = R"(
set Dimension = 3
subsection Time
  set End  = 4e-3
  set Step = 1e-4
end
subsection Material metal
  set Model             = J2
  set Density           = 1000
  set Young modulus     = 1e7
  set Poisson ratio     = 0.3
  set Yield stress      = 1e5
  set Hardening modulus = 1e5
end
subsection Body dome
  set Type             = solid shell
  set Material         = metal
  set Thickness        = 0.01
  set Initial velocity = 2; 0; -8
  set Mass             = lumped
  subsection Mesh
    set Type      = sphere
    set Radius    = 0.1
    set Origin    = 0, 0, -0.049
    set Angles    = 0, 360
    set Latitudes = 30, 70
    set Divisions = 12, 4
  end
end
subsection Obstacle ground
  set Normal = 0, 0, 1
  set Point  = 0, 0, -0.005
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction foot
  set Candidates  = dome/bottom
  set Antagonists = ground
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Newton
  set Tolerance = 1e-9
end
subsection Probe rim
  set Point = 0.1, 0, 0
end
subsection Output
  set Interval steps = 10
end
)";

/// A file with this text, known to all ranks.
struct Text
{
  explicit Text(const char *text)
      : file(directory.path + "/case.prm")
  {
    if (rank_in(MPI_COMM_WORLD) == 0)
      std::ofstream(file) << text;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  SharedDirectory directory;
  std::string file;
};

/// Whatever the ranks: the tables of one.
Results expect_same_on_all(const char *text,
                           const std::vector<std::string> &changes,
                           const std::vector<std::string> &columns,
                           const double tolerance)
{
  const Text what(text);
  auto cut = changes;
  if (text == pinched_plate) // all ranks have a part of it
    cut.push_back("Body sheet/Mesh/Distribution=shared");
  const auto together = run_on_all<3>(what.file, cut);
  if (rank_in(MPI_COMM_WORLD) != 0)
    return together;
  const auto alone = run_file<3>(what.file, changes);
  expect_same(alone.history, together.history, columns, tolerance);
  expect_same(alone.energy,
              together.energy,
              { "kinetic", "elastic", "inelastic_work" },
              tolerance);
  EXPECT_LT(together.summary["energy"]["worst_relative_residual"], 1e-9);
  EXPECT_GT(together.summary["energy"]["inelastic_work"], 0.);
  const char *stress = "largest_von_mises_stress";
  const double a     = alone.summary["states"].back()[stress];
  const double b     = together.summary["states"].back()[stress];
  EXPECT_GT(a, 1e5);
  EXPECT_NEAR(a, b, 1e2 * tolerance * a);
  return together;
}

const std::vector<std::string> pinched_columns = { "up:force_z",
                                                   "down:force_z",
                                                   "above:u_z",
                                                   "below:u_z",
                                                   "contacts" };
const std::vector<std::string> thrown_columns  = {
   "foot:force_x", "foot:force_z", "rim:u_x", "rim:u_z", "rim:v_z", "contacts"
};
} // namespace

TEST(SolidShells, ArePinchedFromBothSides)
{
  const auto run = expect_same_on_all(pinched_plate, {}, pinched_columns, 1e-6);
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  // Both tools press equally, and what is between them becomes thinner by as
  // much as they move: a director shell would not.
  const auto &up   = run.history.at("up:force_z"),
             &down = run.history.at("down:force_z");
  EXPECT_GT(std::abs(up.back()), 1.);
  EXPECT_NEAR(up.back() + down.back(), 0., 1e-6 * std::abs(up.back()));
  EXPECT_NEAR(run.history.at("above:u_z").back(), -0.001, 1e-6);
  EXPECT_NEAR(run.history.at("below:u_z").back(), 0.001, 1e-6);
}

TEST(SolidShells, AreThrown)
{
  expect_same_on_all(thrown_dome, {}, thrown_columns, 1e-6);
}

// The matrix corrects, the residual decides: all agree but for the tolerance.
// Explicit steps are other ones.
TEST(SolidShells, AgreeWithEveryMatrix)
{
  const Text what(thrown_dome);
  const std::vector<std::string> time = { "Time/Step=2e-5", "Time/End=1e-3" };
  const auto full                     = run_on_all<3>(what.file, time);
  for (const char *matrix :
       { "step", "frozen", "lumped", "two term", "explicit" })
  {
    auto changes = time;
    changes.push_back(std::string("Newton/Matrix=") + matrix);
    if (std::string(matrix) == "explicit") // no loop, no tolerance
      changes.push_back("Newton/Tolerance=");
    const auto run = run_on_all<3>(what.file, changes);
    if (rank_in(MPI_COMM_WORLD) != 0)
      continue;
    SCOPED_TRACE(matrix);
    const bool is_explicit = std::string(matrix) == "explicit";
    for (const char *column : { "rim:u_x", "rim:u_z" })
    {
      const double a = full.history.at(column).back(),
                   b = run.history.at(column).back();
      EXPECT_NEAR(a, b, (is_explicit ? 2e-2 : 1e-5) * std::abs(a)) << column;
    }
    EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-9);
  }
}

TEST(SolidShells, StopAndResume)
{
  {
    const Text what(pinched_plate);
    stop_and_resume<3>({ what.file, { "Output/Interval steps=1" } }, { 2 });
  }
  const Text what(thrown_dome);
  stop_and_resume<3>({ what.file, {} }, { 15, 28 });
  stop_and_resume<3>({ what.file,
                       { "Newton/Matrix=explicit",
                         "Newton/Tolerance=",
                         "Output/Checkpoint steps=10",
                         "Time/Step=2e-5",
                         "Time/End=1e-3" } },
                     { 20 });
}
