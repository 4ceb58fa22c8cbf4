// Rigid bodies in runs: candidates and antagonists, alone and beside others.
#include "cases.h"

#include <delassus/base/exceptions.h>

#include <cmath>
#include <map>
#include <regex>

using namespace test;

namespace
{
constexpr double pi = 3.14159265358979323846;

/// Two disks in the plane that meet off centre, without gravity.
const char *two_disks = R"(
subsection Time
  set End = 0.5
  set Step = 0.002
  set Theta = 0.5
end
subsection Rigid body left
  set Type = sphere
  set Point = 0, 0
  set Radius = 0.5
  set Density = 100
  set Initial velocity = 2, 0
end
subsection Rigid body right
  set Type = sphere
  set Point = 1.2, 0.3
  set Radius = 0.4
  set Density = 300
end
subsection Contact law dry
  set Type = velocity signorini coulomb
  set Friction = 0.3
end
subsection Interaction touch
  set Candidates = left
  set Antagonists = right
  set Law = dry
end
subsection Contact solver
  set Tolerance = 1e-12
end
subsection Output
  set Interval steps = 0
end
)";

/// A box that falls aslant on a plane in space and tumbles.
const char *tumbling = R"(
set Dimension = 3
set Gravity = 0, 0, -10
subsection Time
  set End = 0.3
  set Step = 0.002
  set Theta = 0.5
end
subsection Rigid body box
  set Type = box
  set Point = -0.1, -0.2, 0.3
  set Size = 0.2, 0.4, 0.6
  set Density = 1000
  set Orientation = 20, 30, 10
  set Initial angular velocity = 1, 2, 3
  set Initial velocity = 0.5, 0, -2
end
subsection Obstacle ground
  set Normal = 0, 0, 1
end
subsection Contact law dry
  set Type = velocity signorini coulomb
  set Friction = 0.3
end
subsection Interaction floor
  set Candidates = box
  set Antagonists = ground
  set Law = dry
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Output
  set Interval steps = 0
end
)";
} // namespace

TEST(RigidBodies, DisksKeepTheirMomenta)
{
  const double m = 100. * pi * 0.25, M = 300. * pi * 0.16;
  for (const bool exchanged : { false, true })
  {
    const auto text    = exchanged ? replaced(replaced(two_disks,
                                                    "Candidates = left",
                                                    "Candidates = right"),
                                           "Antagonists = right",
                                           "Antagonists = left")
                                   : std::string(two_disks);
    const auto results = run_everywhere<2>(text);
    if (!has_tables())
      continue;
    const auto &h = results.history;
    EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-10);
    double first = 0.;
    for (std::size_t i = 0; i < h.at("time").size(); ++i)
    {
      const double px = m * h.at("left:v_x")[i] + M * h.at("right:v_x")[i];
      const double py = m * h.at("left:v_y")[i] + M * h.at("right:v_y")[i];
      EXPECT_NEAR(px, 2. * m, 1e-9 * m);
      EXPECT_NEAR(py, 0., 1e-9 * m);
      const double L =
          m * (h.at("left:u_x")[i] * h.at("left:v_y")[i] -
               h.at("left:u_y")[i] * h.at("left:v_x")[i]) +
          M * ((1.2 + h.at("right:u_x")[i]) * h.at("right:v_y")[i] -
               (0.3 + h.at("right:u_y")[i]) * h.at("right:v_x")[i]) +
          0.5 * m * 0.25 * h.at("left:spin_z")[i] +
          0.5 * M * 0.16 * h.at("right:spin_z")[i];
      if (i == 0)
        first = L;
      // Up to where the midpoint step sees the point of contact.
      EXPECT_NEAR(L, first, 2e-3 * m);
    }
    // They have met, do not go through each other, and friction has turned both
    // the same way.
    EXPECT_GT(h.at("right:v_x").back(), 0.2);
    EXPECT_GT(h.at("left:spin_z").back() * h.at("right:spin_z").back(), 0.);
    const double dx = 1.2 + h.at("right:u_x").back() - h.at("left:u_x").back();
    const double dy = 0.3 + h.at("right:u_y").back() - h.at("left:u_y").back();
    EXPECT_GT(std::hypot(dx, dy), 0.9 - 5e-3);
  }
}

TEST(RigidBodies, BoxesTumbleInSpace)
{
  const auto results = run_everywhere<3>(tumbling);
  if (!has_tables())
    return;
  const auto &h = results.history;
  EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-6);
  // Before it touches: free fall, and an angular momentum that stays.
  EXPECT_NEAR(h.at("box:v_z")[20], -2. - 10. * 0.002 * 21, 1e-9);
  // It has touched and lies on the ground, not below.
  EXPECT_GT(largest(h.at("floor:force_z")), 48. * 10.);
}

TEST(RigidBodies, FreeObstaclesAreRigidBodies)
{
  // The plate that falls on a block, as an obstacle and as a rigid body.
  const auto obstacle = run_everywhere<2>(drop);
  auto text           = replaced(
      drop, "subsection Obstacle plate", "subsection Rigid body plate");
  const auto body = run_everywhere<2>(text);
  if (!has_tables())
    return;
  for (std::size_t i = 0; i < body.history.at("time").size(); ++i)
    EXPECT_NEAR(body.history.at("plate:u_y")[i],
                obstacle.history.at("plate:tool_u_y")[i],
                1e-12);
}

TEST(RigidBodies, DrivenOnesAreObstacles)
{
  // A punch that is pushed down and turned: the section Rigid body with nothing
  // free is the obstacle with the same motion.
  const std::string driven =
      "set Type = box\n  set Size = 0.4, 0.2\n  set Point = 0.3, 1.0\n"
      "  set Displacement = 0; -0.3*t\n";
  auto text =
      replaced(drop,
               "set Normal = 0, -1\n  set Point = 0, 1.005\n"
               "  set Free = y\n  set Mass = 2000\n"
               "  set Initial velocity = 0, -1\n",
               driven + "  set Center = 0.5, 1.1\n  set Rotation = 50*t\n");
  const auto obstacle = run_everywhere<2>(text);
  text                = replaced(
      text, "subsection Obstacle plate", "subsection Rigid body plate");
  text = replaced(
      text, "set Center = 0.5, 1.1", "set Free = none\n  set Pivot = 0.5, 1.1");
  const auto body = run_everywhere<2>(text);
  if (!has_tables())
    return;
  const auto &a = obstacle.history.at("impact:force_y");
  const auto &b = body.history.at("impact:force_y");
  ASSERT_EQ(a.size(), b.size());
  EXPECT_GT(largest(a), 1e3);
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-8 * largest(a)) << i;
}

TEST(RigidBodies, ThatNothingTouchesMoveOnTheirOwn)
{
  // Without an interaction: free flight, of theta = 1/2 exact in each step.
  const std::string flight = R"(
set Gravity = 0, -10
subsection Time
  set End = 0.5
  set Step = 0.01
  set Theta = 0.5
end
subsection Rigid body thrown
  set Type = box
  set Size = 0.4, 0.2
  set Density = 100
  set Initial velocity = 1, 2
  set Initial angular velocity = 3
end
subsection Output
  set Interval steps = 10
end
)";
  const auto results       = run_everywhere<2>(flight);
  if (!has_tables())
    return;
  const auto &h = results.history;
  ASSERT_EQ(h.at("time").size(), 50u);
  EXPECT_NEAR(h.at("thrown:u_x").back(), 0.5, 1e-12);
  EXPECT_NEAR(h.at("thrown:u_y").back(), 2. * 0.5 - 5. * 0.25, 1e-12);
  EXPECT_NEAR(h.at("thrown:rotation_z").back(), 1.5 * 180. / pi, 1e-10);
  EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-12);
}

TEST(RigidBodies, BondsHoldWithTheirStrengthTimesTheFace)
{
  // Blocks of a width of 1, and of thicknesses that differ, are pulled off the
  // floor, which holds with strength * width * thickness, until t = 1/4. (Shear
  // forces of two corners are not unique, so that bonds have none here. A bond
  // in tension is a contact.)
  const std::string bonded = R"(
subsection Time
  set End = 0.3
  set Step = 0.001
end
subsection Rigid body thick
  set Type = box
  set Point = 5, 0
  set Size = 1, 1
  set Density = 1000
  set Thickness = 2
  set Force = 0; 4000*t
end
subsection Rigid body thin
  set Type = box
  set Point = 0, 0
  set Size = 1, 1
  set Density = 1000
  set Thickness = 0.5
  set Force = 0; 1000*t
end
subsection Obstacle floor
  set Normal = 0, 1
end
subsection Contact law glue
  set Type = cohesive
  set Tensile strength = 500
  set Friction = 0.4
  set Cohesive friction = 0
end
subsection Interaction thickbond
  set Candidates = thick
  set Antagonists = floor
  set Law = glue
end
subsection Interaction thinbond
  set Candidates = thin
  set Antagonists = floor
  set Law = glue
end
subsection Output
  set Interval = 0
end
)";
  const auto results       = run_everywhere<2>(bonded);
  const std::string cube   = R"(
set Dimension = 3
subsection Time
  set End = 0.3
  set Step = 0.001
end
subsection Rigid body block
  set Type = box
  set Point = 0, 0, 0
  set Size = 1, 2, 0.5
  set Density = 1000
  set Force = 0; 0; 4000*t
end
subsection Obstacle floor
  set Normal = 0, 0, 1
end
subsection Contact law glue
  set Type = cohesive
  set Tensile strength = 500
  set Friction = 0.4
  set Cohesive friction = 0
end
subsection Interaction bond
  set Candidates = block
  set Antagonists = floor
  set Law = glue
end
subsection Output
  set Interval = 0
end
)";
  const auto in_space      = run_everywhere<3>(cube);
  if (!has_tables())
    return;
  EXPECT_NEAR(largest(results.history.at("thickbond:force_y")), 1000., 1e-3);
  EXPECT_NEAR(largest(results.history.at("thinbond:force_y")), 250., 1e-3);
  // Of four corners one may carry a little more than the others.
  const double held = largest(in_space.history.at("bond:force_z"));
  EXPECT_GT(held, 900.);
  EXPECT_LT(held, 1000. + 1e-3);
  EXPECT_TRUE(results.summary["remarks"].dump().find("never had") ==
              std::string::npos)
      << results.summary["remarks"];
}

TEST(RigidBodies, SpringsHoldThemQuasiStatically)
{
  const std::string held = R"(
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 0.1
end
subsection Rigid body disk
  set Type = sphere
  set Radius = 0.5
  set Mass = 2
  set Stiffness = 200, 50
  set Rotational stiffness = 10
  set Force = 10*t; 5*t
  set Torque = 3*t
end
subsection Output
  set Interval = 0
end
)";
  const auto results     = run_everywhere<2>(held);
  // One that nothing holds across.
  EXPECT_THROW(run_everywhere<2>(
                   replaced(held, "Stiffness = 200, 50", "Stiffness = 200, 0")),
               delassus::InputError);
  if (!has_tables())
    return;
  const auto &h = results.history;
  for (std::size_t i = 0; i < h.at("time").size(); ++i)
  {
    const double t = h.at("time")[i];
    EXPECT_NEAR(h.at("disk:u_x")[i], 10. * t / 200., 1e-9);
    EXPECT_NEAR(h.at("disk:u_y")[i], 5. * t / 50., 1e-9);
    EXPECT_NEAR(h.at("disk:rotation_z")[i], 0.3 * t * 180. / pi, 1e-6);
  }
}

TEST(RigidBodies, ContactsWithSeveralSidesKeepTheirKeys)
{
  // A disk that flies to and fro in a box, near all of its walls: which one is
  // the nearest changes, but each contact stays that of its wall, whatever it
  // remembers.
  const std::string cavity = R"(
subsection Time
  set End = 0.5
  set Step = 0.01
end
subsection Rigid body disk
  set Type = sphere
  set Point = 0.46, 0.48
  set Radius = 0.45
  set Mass = 2
  set Initial velocity = 0.3, 0.2
end
subsection Obstacle box
  set Type = box
  set Point = 0, 0
  set Size = 1, 1
  set Hollow = true
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction walls
  set Candidates = disk
  set Antagonists = box
  set Law = dry
end
subsection Output
  set Interval = 0
end
)";
  const TemporaryDirectory directory;
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      delassus::read_parameters(
          write_case(directory, cavity),
          { "Output/Directory=" + directory.path + "/run" }),
      options,
      MPI_COMM_SELF);
  std::map<delassus::ContactKey, dealii::Tensor<1, 2>> normals;
  simulation.on_step = [&](const double t, const double)
  {
    EXPECT_EQ(simulation.contact.contacts.size(), 4u);
    for (const auto &contact : simulation.contact.contacts)
    {
      const auto known =
          normals.insert({ contact.key(), contact.normal() }).first;
      EXPECT_GT(known->second * contact.normal(), 0.99) << t;
    }
  };
  simulation.run();
}

TEST(RigidBodies, StatusesAddUpToTheContacts)
{
  // Also where a Newton loop finds contacts after it has solved its problem.
  if (!has_tables())
    return;
  const std::string two_boxes = R"(
set Dimension = 3
set Gravity = 0, 0, -10
subsection Time
  set End = 0.6
  set Step = 0.005
  set Theta = 0.5
end
subsection Rigid body a
  set Type = box
  set Point = 0, 0, 0.3
  set Size = 0.4, 0.3, 0.2
  set Density = 100
  set Initial angular velocity = 1, 2, 3
end
subsection Rigid body b
  set Type = box
  set Size = 0.2, 0.2, 0.2
  set Point = 0.05, 0, 0.7
  set Density = 100
end
subsection Obstacle floor
  set Normal = 0, 0, 1
end
subsection Contact law dry
  set Type = velocity signorini coulomb
  set Friction = 0.3
end
subsection Interaction c
  set Candidates = rigid bodies
  set Antagonists = rigid bodies, floor
  set Law = dry
end
subsection Output
  set Interval = 0
end
)";
  const TemporaryDirectory directory;
  delassus::RunOptions options;
  options.verbose = true;
  testing::internal::CaptureStdout();
  {
    delassus::Simulation<3> simulation(
        delassus::read_parameters(
            write_case(directory, two_boxes),
            { "Output/Directory=" + directory.path + "/run" }),
        options,
        MPI_COMM_SELF);
    simulation.run();
  }
  std::istringstream out(testing::internal::GetCapturedStdout());
  const std::regex counts(
      R"((\d+) contacts? \((\d+) stick, (\d+) slip, (\d+) open\))");
  unsigned int n_lines = 0;
  std::smatch match;
  for (std::string line; std::getline(out, line);)
    if (std::regex_search(line, match, counts))
    {
      ++n_lines;
      EXPECT_EQ(std::stoi(match[1]),
                std::stoi(match[2]) + std::stoi(match[3]) + std::stoi(match[4]))
          << line;
    }
  EXPECT_EQ(n_lines, 120u);
}

TEST(RigidBodies, CheckCountsTheirFreeMotions)
{
  const TemporaryDirectory directory;
  const auto file = write_case(directory, two_disks);
  std::ostringstream out;
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      delassus::read_parameters(
          file, { "Output/Directory=" + directory.path + "/run" }),
      options,
      MPI_COMM_SELF);
  simulation.check(out);
  EXPECT_NE(out.str().find("rigid motions: 2 of 2 pieces with 6 in all"),
            std::string::npos)
      << out.str();
}

TEST(RigidBodies, MistakesAreNamed)
{
  const auto expect = [](const std::string &text, const std::string &what)
  {
    std::string message;
    try
    {
      run_everywhere<2>(text);
    }
    catch (const delassus::InputError &e)
    {
      message = e.what();
    }
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  // A ball against faces, a rigid body with the name of a surface, a plane as a
  // candidate.
  const auto body = [](const std::string &name, const std::string &lines)
  {
    return replaced(drop,
                    "subsection Contact law smooth",
                    "subsection Rigid body " + name + "\n" + lines +
                        "end\nsubsection Contact law smooth");
  };
  const std::string ball =
      "set Type = sphere\nset Radius = 0.1\nset Point = 0.5, 2\n"
      "set Density = 1000\n";
  expect(replaced(replaced(body("ball", ball),
                           "Candidates = block/top",
                           "Candidates = ball"),
                  "Antagonists = plate",
                  "Antagonists = block/top"),
         "a rigid ball is a candidate against rigid shapes only");
  expect(body("top", ball), "has a surface of this name");
  expect(replaced(body("wall", "set Normal = 1, 0\nset Free = none\n"),
                  "Candidates = block/top",
                  "Candidates = wall"),
         "has no boundary face");
}
