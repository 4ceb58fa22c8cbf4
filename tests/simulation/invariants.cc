// What must hold in every run: the energy identity, independence of units,
// storage, sweep order and of the way the parameters are written.
#include "run_case.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>

namespace
{
/// A small wall (3 courses of 3) with everything that works: gravity, damping,
/// a pressure growing in time, a driven side, moving ground, friction.
std::string wall(const double length, const double mass, const double force)
{
  std::ostringstream text;
  text.precision(17);
  const double stress = force / (length * length);
  text << "set Gravity = 0, " << -9.81 * length << R"(
subsection Time
  set End = 0.06
  set Step = 1e-3
  set Theta = 0.75
end
subsection Material block
  set Density = )"
       << 500 * mass / (length * length * length) << R"(
  set Young modulus = )"
       << 1e6 * stress << R"(
  set Poisson ratio = 0.3
  set Rayleigh mass = 2
  set Rayleigh stiffness = 1e-4
end
subsection Body wall
  set Material = block
  set Mass = lumped
  set Thickness = )"
       << length << R"(
  subsection Mesh
    set Type = running bond wall
    set Size = )"
       << 0.1 * length << ", " << 0.05 * length << R"(
    set Courses = 3
    set Blocks per course = 3
    set Cells = 8 T3
  end
end
subsection Boundary condition load
  set Type = pressure
  set Surfaces = wall/crown
  set Value = )"
       << 2e3 * stress << R"(*t/0.06
end
subsection Obstacle ground
  set Normal = 0, 1
  set Displacement = )"
       << 0.002 * length << "*sin(50*t); " << 0.001 * length << R"(*sin(30*t)
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Interaction joints
  set Candidates = wall/bottom, wall/right
  set Antagonists = wall/top, wall/left
  set Law = dry
end
subsection Interaction foundation
  set Candidates = wall/base
  set Antagonists = ground
  set Law = dry
end
subsection Contact solver
  set Tolerance = 1e-8
  set Maximum sweeps = 20000
end
subsection Probe top
  set Point = )"
       << 0.15 * length << ", " << 0.15 * length << R"(
end
subsection Output
  set Interval = 1
end
)";
  return text.str();
}

const std::string driven = R"(
set Gravity = 0, -9.81
subsection Time
  set End = 0.2
  set Step = 2e-3
end
subsection Material rubber
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
  set Rayleigh stiffness = 1e-3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 0.2, 0.1
    set Divisions = 4, 2
  end
end
subsection Boundary condition push
  set Type = displacement
  set Surfaces = block/top
  set Value = 0.02*sin(20*t); -0.005*sin(10*t)
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.4
end
subsection Interaction base
  set Candidates = block/bottom
  set Antagonists = ground
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
  set Maximum sweeps = 50000
end
subsection Output
  set Interval = 1
end
)";
} // namespace

TEST(Energy, IdentityToRoundingForAnyTheta)
{
  for (const char *theta : { "0.5", "0.75", "1" })
  {
    const auto run = test::run_text<2>(wall(1, 1, 1),
                                       { std::string("Time/Theta=") + theta });
    EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-12) << theta;
    EXPECT_GT(std::abs(run.energy.at("friction_work").back()), 1e-4) << theta;
    EXPECT_GT(std::abs(run.energy.at("obstacle_work").back()), 1e-4) << theta;
    EXPECT_GT(run.energy.at("damping").back(), 0.) << theta;
    const double numerical = run.energy.at("numerical_dissipation").back();
    if (std::string(theta) == "0.5")
      EXPECT_EQ(numerical, 0.);
    else
      EXPECT_GT(numerical, 0.);
    // Friction never gives energy: it acts on the velocity at the end.
    const auto &friction = run.energy.at("friction_work");
    for (std::size_t i = 1; i < friction.size(); ++i)
      EXPECT_LE(friction[i], friction[i - 1] + 1e-9);
  }
}

TEST(Energy, IdentityWithDrivenDofs)
{
  for (const char *theta : { "0.5", "0.75", "1" })
  {
    const auto run =
        test::run_text<2>(driven, { std::string("Time/Theta=") + theta });
    EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-12) << theta;
    EXPECT_GT(std::abs(run.energy.at("driven_work").back()), 1e-3) << theta;
    EXPECT_GT(run.history.at("base:slip").back() +
                  run.history.at("base:stick").back(),
              0);
  }
}

TEST(Units, SiAndMillimetreTonneSecondAgree)
{
  // mm, t, s: lengths x 1000, masses / 1000, forces unchanged.
  const auto si = test::run_text<2>(wall(1, 1, 1));
  const auto mm = test::run_text<2>(wall(1e3, 1e-3, 1));
  const auto &a = si.history, &b = mm.history;
  for (std::size_t i = 0; i < a.at("time").size(); ++i)
  {
    // The same run, sweep by sweep.
    EXPECT_EQ(a.at("sweeps")[i], b.at("sweeps")[i]) << i;
    EXPECT_EQ(a.at("contacts")[i], b.at("contacts")[i]) << i;
    EXPECT_EQ(a.at("joints:slip")[i], b.at("joints:slip")[i]) << i;
    EXPECT_NEAR(a.at("foundation:force_y")[i],
                b.at("foundation:force_y")[i],
                1e-7 * std::abs(a.at("foundation:force_y")[i]) + 1e-9)
        << i;
    EXPECT_NEAR(a.at("top:u_y")[i], b.at("top:u_y")[i] / 1e3, 1e-10) << i;
  }
}

TEST(Storage, OfTheDelassusOperatorDoesNotMatter)
{
  std::vector<test::Results> runs;
  for (const char *storage : { "block sparse", "dense", "matrix free" })
    runs.push_back(test::run_text<2>(
        wall(1, 1, 1), { std::string("Contact solver/Storage=") + storage }));
  for (unsigned int k : { 1, 2 })
    for (const char *column :
         { "foundation:force_y", "foundation:force_x", "top:u_y", "top:v_y" })
    {
      const auto &a  = runs[0].history.at(column),
                 &b  = runs[k].history.at(column);
      double largest = 0.;
      for (const double value : a)
        largest = std::max(largest, std::abs(value));
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], 1e-5 * largest) << column << i;
    }
  EXPECT_EQ(runs[2].summary["contact_solver"]["delassus_storage"],
            "matrix free by bodies");
}

TEST(Detection, OnceOrEveryStepGivesTheSameSmallPerturbations)
{
  const auto once   = test::run_text<2>(wall(1, 1, 1),
                                      { "Contact solver/Update distance=-1",
                                          "Obstacle ground/Displacement=0;0" });
  const auto always = test::run_text<2>(wall(1, 1, 1),
                                        { "Contact solver/Update distance=0",
                                          "Obstacle ground/Displacement=0;0" });
  EXPECT_EQ(once.summary["counts"]["detections"], 1);
  EXPECT_GT(always.summary["counts"]["detections"], 50);
  const auto &a = once.history.at("foundation:force_y");
  const auto &b = always.history.at("foundation:force_y");
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 0.02 * a.back()) << i;
}

TEST(Failure, StepsAreCutThenTheRunEndsWithAStateAndADiagnosis)
{
  const test::TemporaryDirectory directory;
  const std::string file = test::write_case(directory, wall(1, 1, 1));
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      delassus::read_parameters(file,
                                { "Output/Directory=" + directory.path + "/run",
                                  "Contact solver/Maximum sweeps=2",
                                  "Contact solver/Tolerance=1e-14",
                                  "Contact solver/If not converged=stop" }),
      options,
      MPI_COMM_SELF);
  try
  {
    simulation.run();
    FAIL() << "two sweeps cannot converge";
  }
  catch (const delassus::ComputationError &e)
  {
    const std::string message = e.what();
    for (const char *part :
         { "t = ", "interaction '", "near (", "Maximum sweeps" })
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  nlohmann::json summary;
  std::ifstream(directory.path + "/run/summary.json") >> summary;
  EXPECT_FALSE(summary["completed"]);
  EXPECT_NE(summary["failure"], "");
  EXPECT_TRUE(std::filesystem::exists(directory.path + "/run/solution.pvd"));
}

TEST(Failure, NotConvergedIsSaidEverywhere)
{
  const auto run =
      test::run_text<2>(wall(1, 1, 1),
                        { "Contact solver/Maximum sweeps=2",
                          "Contact solver/Tolerance=1e-14",
                          "Contact solver/If not converged=go on" });
  EXPECT_FALSE(run.summary["contact_solver"]["converged"]);
  EXPECT_EQ(run.summary["contact_solver"]["steps_not_converged"], 60);
  EXPECT_FALSE(run.summary["trustworthy"]);
  EXPECT_FALSE(run.summary["states"].back()["converged"]);
  for (const double converged : run.history.at("converged"))
    EXPECT_EQ(converged, 0.);
}

TEST(Failure, CutStepsThatSucceedGoOn)
{
  // A tolerance that only small steps meet within the sweeps allowed.
  const auto run = test::run_text<2>(wall(1, 1, 1),
                                     { "Contact solver/Maximum sweeps=60",
                                       "Contact solver/If not converged=stop",
                                       "Contact solver/Tolerance=1e-5",
                                       "Time/End=0.02",
                                       "Time/Step=4e-3" });
  EXPECT_TRUE(run.summary["completed"]);
  EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-12);
}

TEST(BadStart, OverlapsAreToldAndDeepOnesRefused)
{
  const auto deep = [](const char *depth)
  {
    return std::vector<std::string>{ std::string("Obstacle ground/Point=0,") +
                                     depth };
  };
  // A quarter of the half edge (0.05) deep: refused, with the place.
  try
  {
    test::run_text<2>(wall(1, 1, 1), deep("0.0125"));
    FAIL() << "a deep overlap must be refused";
  }
  catch (const delassus::InputError &e)
  {
    const std::string message = e.what();
    for (const char *part : { "start inside", "wall/base", "ground", " at (" })
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  // A hair's breadth is told and pushed out.
  const auto run = test::run_text<2>(wall(1, 1, 1), deep("1e-5"));
  EXPECT_TRUE(run.summary["completed"]);
}

TEST(BadNames, OfSurfacesAreSaidWithTheNearest)
{
  for (const auto &[override, part] :
       { std::pair<std::string, std::string>(
             "Interaction joints/Candidates=wall/botom", "'wall/bottom'"),
         { "Interaction joints/Antagonists=wal/top", "'wall'" },
         { "Boundary condition load/Surfaces=crwn", "crown" } })
    try
    {
      test::run_text<2>(wall(1, 1, 1), { override });
      FAIL() << override;
    }
    catch (const delassus::InputError &e)
    {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos)
          << e.what();
    }
}

namespace
{
/// Two blocks one above the other, the upper one shifted down by some depth.
std::string two_boxes(const std::string &origin)
{
  std::string text = R"(
subsection Time
  set End = 2e-3
  set Step = 1e-3
end
subsection Material stone
  set Density = 2000
  set Young modulus = 1e8
  set Poisson ratio = 0.2
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Output
  set Interval = 1
end
)";
  for (const auto &[name, place] :
       { std::pair<std::string, std::string>("lower", "0, 0"),
         { "upper", origin } })
    text += "subsection Body " + name +
            "\n  set Material = stone\n  subsection Mesh\n    set Type = box\n"
            "    set Origin = " +
            place +
            "\n    set Size = 1, 1\n    set Divisions = 10, 10\n  end\nend\n";
  return text + R"(
subsection Interaction joint
  set Candidates = upper/bottom
  set Antagonists = lower/top
  set Law = dry
end
)";
}

const std::string piston = R"(
subsection Time
  set End = 0.5
  set Step = 1e-2
end
subsection Material soft
  set Density = 1000
  set Young modulus = 1e7
  set Poisson ratio = 0.2
end
subsection Body block
  set Material = soft
  subsection Mesh
    set Type = box
    set Size = 0.1, 0.1
    set Divisions = 2, 2
  end
end
subsection Obstacle piston
  set Point = -0.3, 0
  set Normal = 1, 0
  set Displacement = t; 0
end
subsection Contact law smooth
  set Type = frictionless
end
subsection Interaction push
  set Candidates = block/left
  set Antagonists = piston
  set Law = smooth
  set Points = nodes
end
subsection Probe far
  set Point = 0.1, 0
end
subsection Output
  set Interval = 1
end
)";
} // namespace

TEST(BadStart, BodiesInsideEachOtherAreFoundHoweverDeep)
{
  for (const char *origin : { "0.2, 0.6", "0.3, 0.97" })
    EXPECT_THROW(test::run_text<2>(two_boxes(origin)), delassus::InputError)
        << origin;
  EXPECT_NO_THROW(test::run_text<2>(two_boxes("0.2, 1")));
}

TEST(BadStart, ObstacleWithItsNormalTheWrongWay)
{
  EXPECT_THROW(test::run_text<2>(piston, { "Obstacle piston/Point=5,0" }),
               delassus::InputError);
}

TEST(MovingPlane, HitsABodyAtRestFromAfar)
{
  // Nothing moves but the plane, from beyond the first search: it arrives at
  // t = 0.3 and pushes the block along at its speed.
  const auto run = test::run_text<2>(piston);
  EXPECT_EQ(run.history.at("far:v_x")[25], 0.);
  EXPECT_NEAR(run.history.at("far:v_x").back(), 1., 0.05);
  // Of the size of the default tolerance times the motion in a step.
  EXPECT_LT(run.summary["contact_solver"]["worst_penetration"],
            1e-5 * 1e-2 * 3.);
}

TEST(Reactions, OfPrescribedMotionsBalanceTheLoads)
{
  // Hung by its top: the support carries the weight.
  const auto hung = driven;
  auto text       = hung;
  const auto at   = text.find("  set Value = 0.02");
  text.replace(at, text.find('\n', at) - at, "  set Value = 0; 0.1");
  const auto run = test::run_text<2>(text, { "Time/End=1", "Time/Step=1e-2" });
  EXPECT_NEAR(run.history.at("push:reaction_y").back(),
              run.summary["weight"].get<double>(),
              1e-3 * run.summary["weight"].get<double>());
}

TEST(BadValues, ExpressionsThatAreNotFiniteAreNamed)
{
  try
  {
    test::run_text<2>(piston, { "Body block/Initial velocity=1/(x-x);0" });
    FAIL();
  }
  catch (const delassus::InputError &e)
  {
    EXPECT_NE(std::string(e.what()).find("1/(x-x)"), std::string::npos)
        << e.what();
  }
}

TEST(BadValues, PrescribedMotionIntoAnObstacleIsNamed)
{
  auto text = piston;
  text += R"(
subsection Boundary condition drive
  set Type = velocity
  set Surfaces = block/left
  set Value = -2; 0
end
)";
  try
  {
    test::run_text<2>(text);
    FAIL() << "nothing can stop a driven surface";
  }
  catch (const delassus::ComputationError &e)
  {
    const std::string message = e.what();
    for (const char *part : { "block/left", "piston", "prescribed" })
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(TimeSteps, TheLastOneEndsAtTheEnd)
{
  const auto run = test::run_text<2>(wall(1, 1, 1), { "Time/End=0.0105" });
  const auto &t  = run.history.at("time");
  EXPECT_EQ(t.size(), 11u);
  EXPECT_EQ(t.back(), 0.0105);
  EXPECT_NEAR(t[9], 0.010, 1e-15);
  EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-12);
}
