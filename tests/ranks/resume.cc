// A run that is stopped and resumed against the same run in one go: all files
// bit for bit on the same number of ranks, to solver tolerance on another.
#include "stop_and_resume.h"

using namespace test;

namespace
{
/// Blocks with an event, and a contact loop that fails at times, so that steps
/// are cut.
const Case cut_wall = example("wall_2d.prm",
                              { "Body wall/Mesh/Courses=4",
                                "Body wall/Mesh/Blocks per course=3",
                                "Probe top/Point=0.15,0.2",
                                "Time/Step=1e-3",
                                "Time/End=0.0155",
                                "Contact solver/If not converged=stop",
                                "Contact solver/Solver=Gauss-Seidel",
                                "Contact solver/Tolerance=1e-6",
                                "Contact solver/Maximum sweeps=500",
                                "Output/Interval=0.004" });
} // namespace

TEST(Resume, WallWithAnEventAndCutSteps)
{
  stop_and_resume<2>(cut_wall, { 1, 4, 9, 14 });
}

TEST(Resume, TheStepsOfTheWallAreReallyCut)
{
  const SharedDirectory directory;
  run<2>(cut_wall, directory.path + "/whole", false, 0, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  const std::string log = test::bytes_of(directory.path + "/whole/log.txt");
  EXPECT_NE(log.find("cut from"), std::string::npos) << log;
  EXPECT_NE(log.find("event 'rest'"), std::string::npos) << log;
}

TEST(Resume, StackInThreeDimensions)
{
  stop_and_resume<3>(example("wall_3d_1h8.prm",
                             { "Body wall/Mesh/Courses=3",
                               "Body wall/Mesh/Blocks per course=2",
                               "Time/End=0.01",
                               "Output/Interval=",
                               "Output/Interval steps=3",
                               "Output/History steps=2" }),
                     { 2, 3, 7 });
}

namespace
{
const char *sliding_block = R"(
set Gravity = 0, -10
subsection Time
  set End   = 0.03
  set Step  = 1e-3
  set Theta = 0.6
end
subsection Material rubber
  set Density                     = 1000
  set Young modulus               = 1e6
  set Poisson ratio               = 0.3
  set Rayleigh stiffness          = 1e-5
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Size      = 0.2, 0.1
    set Divisions = 4, 2
  end
end
subsection Boundary condition held
  set Type       = displacement
  set Surfaces   = block/left
  set Components = x
  set Value      = 0.02 * t
end
subsection Obstacle table
  set Normal       = 0, 1
  set Displacement = 0.2 * t; 0.0001 * sin(200 * t)
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction base
  set Candidates  = block/bottom
  set Antagonists = table
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-8
end
subsection Probe corner
  set Point = 0.2, 0.1
end
subsection Output
  set Interval steps = 4
end
)";
} // namespace

TEST(Resume, MovingObstacleAndPrescribedMotion)
{
  const SharedDirectory directory;
  const std::string file = directory.path + "/case.prm";
  if (rank_in(MPI_COMM_WORLD) == 0)
    std::ofstream(file) << sliding_block;
  MPI_Barrier(MPI_COMM_WORLD);
  stop_and_resume<2>({ file, {} }, { 5, 6, 20 });
}

TEST(Resume, BodyCutOverRanks)
{
  // Cut along a curve, held by p4est; by CHOLMOD, MUMPS and multigrid.
  const SharedDirectory directory;
  const std::string file = directory.path + "/case.prm";
  if (rank_in(MPI_COMM_WORLD) == 0)
    std::ofstream(file) << sliding_block;
  MPI_Barrier(MPI_COMM_WORLD);
  const std::vector<std::string> short_run = {
    "Body block/Mesh/Divisions=40, 20",
    "Time/End=0.012",
    "Contact solver/Tolerance=1e-6"
  };
  for (const std::vector<std::string> &more :
       { std::vector<std::string>{ "Body block/Mesh/Distribution=shared" },
         { "Body block/Mesh/Refine where=0.02 - y" },
         { "Body block/Mesh/Distribution=shared", "Linear solver/Type=mumps" },
         { "Body block/Mesh/Distribution=shared", "Linear solver/Type=amg" } })
  {
    auto overrides = short_run;
    overrides.insert(overrides.end(), more.begin(), more.end());
    stop_and_resume<2>({ file, overrides }, { 3, 8 });
  }
  // Large enough for MUMPS on two ranks to differ from run to run.
  stop_and_resume<3>(
      example("indentation_3d.prm", { "Body block/Mesh/Divisions=8, 8, 8" }),
      { 2 });
}

TEST(Resume, ALaterEndExtendsAFinishedRun)
{
  // Of the shorter run the last step is cut to its end; it is not part of the
  // longer one.
  const SharedDirectory directory;
  const Case wall         = example("wall_2d.prm",
                            { "Body wall/Mesh/Courses=3",
                                      "Body wall/Mesh/Blocks per course=2",
                                      "Probe top/Point=0.1,0.15",
                                      "Output/Interval=0.003" });
  const std::string whole = directory.path + "/whole",
                    parts = directory.path + "/parts";
  run<2>(wall, whole, false, 0, MPI_COMM_WORLD, { "Time/End=0.0125" });
  run<2>(wall, parts, false, 0, MPI_COMM_WORLD, { "Time/End=0.0054" });
  std::string before;
  if (rank_in(MPI_COMM_WORLD) == 0)
    before = test::bytes_of(parts + "/history.csv");
  // Finished: nothing is touched.
  run<2>(wall, parts, true, 0, MPI_COMM_WORLD, { "Time/End=0.0054" });
  if (rank_in(MPI_COMM_WORLD) == 0)
  {
    EXPECT_EQ(before, test::bytes_of(parts + "/history.csv"));
  }
  run<2>(wall, parts, true, 0, MPI_COMM_WORLD, { "Time/End=0.0125" });
  if (rank_in(MPI_COMM_WORLD) == 0)
    expect_same_runs(whole, parts);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Resume, OnAnotherNumberOfRanks)
{
  const Case wall = example("wall_2d.prm",
                            { "Body wall/Mesh/Courses=4",
                              "Body wall/Mesh/Blocks per course=3",
                              "Probe top/Point=0.15,0.2",
                              "Time/End=0.02",
                              "Contact solver/Tolerance=1e-10",
                              "Contact solver/Maximum sweeps=50000" });
  const SharedDirectory directory;
  const bool root         = rank_in(MPI_COMM_WORLD) == 0;
  const std::string whole = directory.path + "/whole",
                    fewer = directory.path + "/fewer",
                    more  = directory.path + "/more";
  run<2>(wall, fewer, false, 9, MPI_COMM_WORLD);
  if (root)
  {
    run<2>(wall, whole, false, 0, MPI_COMM_SELF);
    run<2>(wall, fewer, true, 0, MPI_COMM_SELF);
    run<2>(wall, more, false, 9, MPI_COMM_SELF);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  run<2>(wall, more, true, 0, MPI_COMM_WORLD);
  if (!root)
    return;
  for (const auto &other : { fewer, more })
  {
    expect_near(test::read_csv(whole + "/history.csv"),
                test::read_csv(other + "/history.csv"),
                { "step",
                  "foundation:force_y",
                  "contacts",
                  "largest_displacement",
                  "top:u_y" },
                1e-6);
    expect_near(test::read_csv(whole + "/energy.csv"),
                test::read_csv(other + "/energy.csv"),
                { "kinetic", "elastic", "external_work" },
                1e-6);
    // More contacts than dofs: another order of the sweeps finds other slips,
    // within the tolerance or beside them (doc/method.md, Several ranks). How
    // far they are apart depends on the rounding of the processor: up to
    // 1.5e-5 was seen.
    expect_near(test::read_csv(whole + "/energy.csv"),
                test::read_csv(other + "/energy.csv"),
                { "friction_work" },
                1e-4);
    expect_near(test::read_csv(whole + "/history.csv"),
                test::read_csv(other + "/history.csv"),
                { "largest_speed" },
                1e-4);
    EXPECT_EQ(test::result_files(whole), test::result_files(other));
  }
}

TEST(Resume, AfterAFailedStepWithMoreSweeps)
{
  // The wall that fails without halving far enough goes on from the last good
  // state when it is given more sweeps.
  const SharedDirectory directory;
  const std::string run_directory = directory.path + "/run";
  const Case wall                 = example("wall_2d.prm",
                            { "Body wall/Mesh/Courses=4",
                                              "Body wall/Mesh/Blocks per course=3",
                                              "Probe top/Point=0.15,0.2",
                                              "Time/End=0.012",
                                              "Output/Checkpoint steps=4",
                                              "Contact solver/Tolerance=1e-6",
                                              "Contact solver/If not converged=stop" });
  run<2>(wall, run_directory, false, 8, MPI_COMM_WORLD);
  // The same twice: what is kept of a failed step can fail again.
  for (unsigned int k = 0; k < 2; ++k)
    EXPECT_THROW(run<2>(wall,
                        run_directory,
                        true,
                        0,
                        MPI_COMM_WORLD,
                        { "Contact solver/Maximum sweeps=2" }),
                 delassus::ComputationError);
  run<2>(wall, run_directory, true, 0, MPI_COMM_WORLD);
  run<2>(wall, directory.path + "/whole", false, 0, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0)
  {
    const auto a = test::read_csv(directory.path + "/whole/history.csv"),
               b = test::read_csv(run_directory + "/history.csv");
    EXPECT_EQ(a.at("step"), b.at("step"));
    expect_near(a, b, { "foundation:force_y", "largest_displacement" }, 1e-3);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// Contacts that no reaction can move are told once, also if the run is resumed,
// and in the same words on any number of ranks.
TEST(Resume, ImmovableContactsAreToldOnce)
{
  const SharedDirectory directory;
  const std::string file = directory.path + "/clamped.prm";
  if (rank_in(MPI_COMM_WORLD) == 0)
    std::ofstream(file) << sliding_block;
  MPI_Barrier(MPI_COMM_WORLD);
  const Case clamped              = { file,
                                      { "Boundary condition held/Components=x, y",
                                        "Boundary condition held/Value=0.02*t; 0",
                                        "Obstacle table/Displacement=0.2*t; 0" } };
  const std::string run_directory = directory.path + "/parts";
  run<2>(clamped, run_directory, false, 5, MPI_COMM_WORLD);
  run<2>(clamped, run_directory, true, 9, MPI_COMM_WORLD);
  run<2>(clamped, run_directory, true, 0, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0)
  {
    const std::string log = test::bytes_of(run_directory + "/log.txt"),
                      said =
                          "Warning: 1 contact has only prescribed dofs: no "
                          "reaction can move it (step 1): interaction 'base', "
                          "block/bottom against table, near (";
    const auto at = log.find(said);
    EXPECT_NE(at, std::string::npos) << log;
    EXPECT_EQ(log.find("prescribed dofs", at + said.size()), std::string::npos)
        << log;
    EXPECT_EQ(log.find("immovable contacts"), std::string::npos) << log;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}
