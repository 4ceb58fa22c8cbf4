// Bodies against curved, cornered, moving and turning obstacles.
#include "run_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{
const double g = 9.81, pi = std::acos(-1.);

/// A stiff block on an obstacle called tool.
std::string block(const std::string &gravity,
                  const std::string &obstacle,
                  const std::string &more = "")
{
  return "set Gravity = " + gravity + R"(
subsection Time
  set End = 0.4
  set Step = 2e-3
end
subsection Material stone
  set Density = 2000
  set Young modulus = 1e9
  set Poisson ratio = 0.2
end
subsection Body block
  set Material = stone
  set Mass = lumped
)" + more +
         R"(
  subsection Mesh
    set Type = box
    set Size = 0.4, 0.1
    set Divisions = 4, 1
    set Origin = -0.2, 0
  end
end
subsection Obstacle tool
)" + obstacle +
         R"(
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction base
  set Candidates = block/bottom
  set Antagonists = tool
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-12
  set Maximum sweeps = 100000
end
subsection Probe corner
  set Point = -0.2, 0.1
end
subsection Probe front
  set Point = 0.2, 0
end
subsection Output
  set Interval = 1
end
)";
}

/// The whole block slides without friction.
const std::vector<std::string> frictionless = { "Contact law dry/Friction=0" };

std::vector<std::string> operator+(std::vector<std::string> a,
                                   const std::vector<std::string> &b)
{
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
} // namespace

TEST(Drum, CarriesABlockByFriction)
{
  // The surface of a large drum goes by at V = 1: the block slides at mu g
  // until t = V / (mu g) = 0.34, then rides. The drum's work is m V^2, half of
  // it lost by friction.
  const double R = 2000.;
  for (const char *theta : { "0.5", "1" })
  {
    std::ostringstream drum;
    drum.precision(17);
    drum << "  set Type = sphere\n  set Point = 0, " << -R
         << "\n  set Radius = " << R << "\n  set Rotation = -t*"
         << 180. / pi / R << "\n";
    const auto run = test::run_text<2>(
        block("0, -9.81", drum.str()),
        { std::string("Time/Theta=") + theta, "Time/End=0.5" });
    const auto &v       = run.history.at("corner:v_x");
    const auto &t       = run.history.at("time");
    const std::size_t i = 50, j = 150;
    EXPECT_NEAR((v[j] - v[i]) / (t[j] - t[i]), 0.3 * g, 2e-3 * 0.3 * g)
        << theta;
    EXPECT_NEAR(v.back(), 1., 2e-3) << theta;
    const double mass = run.summary["mass"];
    EXPECT_NEAR(run.energy.at("obstacle_work").back(), mass, 0.01 * mass);
    EXPECT_NEAR(
        run.energy.at("friction_work").back(), -0.5 * mass, 0.01 * mass);
    EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-11);
  }
}

TEST(Corner, StopsABlockThatSlidesIntoIt)
{
  // Pushed to the right on a floor that ends at a wall, 0.05 ahead.
  const std::string corner = "  set Type = extruded profile\n"
                             "  set Profile = -3,0; 0.25,0; 0.25,2\n";
  const auto run           = test::run_text<2>(
      block("2, -9.81", corner),
      frictionless + std::vector<std::string>{
                                   "Interaction base/Candidates=block/bottom,block/right",
                                   "Material stone/Rayleigh mass=20",
                                   "Time/End=1" });
  const double mass = run.summary["mass"];
  EXPECT_NEAR(run.history.at("base:force_x").back(), -2. * mass, 1e-4 * mass);
  EXPECT_NEAR(run.history.at("base:force_y").back(), g * mass, 1e-4 * mass);
  EXPECT_NEAR(run.history.at("front:u_x").back(), 0.05, 1e-9);
  for (const double u : run.history.at("front:u_x"))
    EXPECT_LT(u, 0.05 + 1e-9);
  for (const double u : run.history.at("front:u_y"))
    EXPECT_GT(u, -1e-9);
}

TEST(Corner, JointsInAFloorAreNotFelt)
{
  // Straight on over joints, then off the edge of the table.
  const std::string floor = "  set Type = extruded profile\n"
                            "  set Profile = -3,0; -0.15,0; 0.23,0; 0.3,0; "
                            "0.41,0; 0.9,0; 0.9,-1\n";
  const auto run          = test::run_text<2>(
      block("0, -9.81", floor, "  set Initial velocity = 3; 0\n"),
      frictionless);
  const auto &v = run.history.at("front:v_x");
  const auto &u = run.history.at("front:u_x");
  const auto &y = run.history.at("front:u_y");
  bool has_left = false;
  for (std::size_t i = 0; i < v.size(); ++i)
  {
    // Until its centre is over the edge.
    if (u[i] < 0.85)
    {
      EXPECT_NEAR(v[i], 3., 1e-3) << u[i];
      EXPECT_GT(y[i], -1e-4);
    }
    // Edges hold nothing back; the block tips while it leaves.
    EXPECT_GT(v[i], 3. - 0.3) << u[i];
    has_left = has_left || u[i] > 1.15;
  }
  EXPECT_TRUE(has_left);
  EXPECT_LT(run.history.at("corner:v_y").back(), 0.);
}

TEST(Bore, ABlockSwingsInAHollowCylinder)
{
  // A block on the bottom of a bore of radius R, touching with its two ends,
  // is a pendulum about the axis: omega^2 = m g L / (I + m L^2).
  const double R = 10., a = 0.4, b = 0.1;
  const double s0    = 0.3; // starts beside the lowest point
  const double floor = std::sqrt(R * R - 0.25 * a * a);
  const double L = floor - 0.5 * b, I = (a * a + b * b) / 12.;
  const double omega = std::sqrt(g * L / (I + L * L));
  std::ostringstream bore;
  bore.precision(17);
  const double angle = s0 / L;
  // The bore is put so that its bottom is tilted under the block.
  bore << "  set Type = sphere\n  set Hollow = true\n  set Radius = " << R
       << "\n  set Point = 0, " << floor << "\n";
  // Gravity turned instead of the block.
  std::ostringstream gravity;
  gravity.precision(17);
  gravity << g * std::sin(angle) << ", " << -g * std::cos(angle);
  auto text = block(gravity.str(), bore.str());
  text.replace(text.find("set Divisions = 4, 1"), 20, "set Divisions = 1, 1");
  const double quarter = 0.5 * pi / omega;
  const auto run       = test::run_text<2>(
      text,
      frictionless +
          std::vector<std::string>{
                    "Time/End=" + std::to_string(quarter * 1.05), "Time/Step=5e-3" });
  const auto &x = run.history.at("front:u_x");
  const auto &t = run.history.at("time");
  // Where the front node is at the lowest position of the block.
  const double at  = std::asin(0.5 * a / R);
  const double end = R * (std::sin(at + angle) - std::sin(at));
  double passed    = 0.;
  for (std::size_t i = 1; i < x.size() && passed == 0.; ++i)
    if (x[i] >= end)
      passed =
          t[i - 1] + (t[i] - t[i - 1]) * (end - x[i - 1]) / (x[i] - x[i - 1]);
  EXPECT_NEAR(passed, quarter, 0.01 * quarter);
  EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-11);
}

namespace
{
/// A soft block on the ground, pressed by a disc from above.
std::string pressed(const double unit)
{
  std::ostringstream text;
  text.precision(17);
  // Lengths in units of 1/unit metres; mass and time as they are.
  const double L = unit;
  text << R"(
subsection Time
  set End = 0.02
  set Step = 1e-4
end
subsection Material rubber
  set Density = )"
       << 1000. / (L * L * L) << "\n  set Young modulus = " << 1e7 / L << R"(
  set Poisson ratio = 0.3
  set Rayleigh mass = 500
end
subsection Body block
  set Material = rubber
  set Thickness = )"
       << L << R"(
  subsection Mesh
    set Type = box
    set Size = )"
       << 0.2 * L << ", " << 0.1 * L << R"(
    set Divisions = 16, 8
    set Origin = )"
       << -0.1 * L << ", 0"
       << R"(
  end
end
subsection Boundary condition hold
  set Surfaces = block/bottom
end
subsection Obstacle punch
  set Type = sphere
  set Radius = )"
       << 0.15 * L << "\n  set Point = 0, " << 0.2501 * L
       << "\n  set Displacement = " << 0.002 * L << "*sin(200*t); " << -L
       << "*min(t,0.01)*0.2"
       << R"(
end
subsection Contact law dry
  set Friction = 0.2
end
subsection Interaction press
  set Candidates = block/top
  set Antagonists = punch
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
  set Maximum sweeps = 10000
end
subsection Probe top
  set Point = 0, )"
       << 0.1 * L << R"(
end
subsection Output
  set Interval = 1
end
)";
  return text.str();
}
} // namespace

TEST(Disc, PressesABlock)
{
  const auto run = test::run_text<2>(pressed(1.));
  EXPECT_LT(run.summary["contact_solver"]["worst_penetration"], 1e-9);
  EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-11);
  // What the disc gives the support takes; the top follows the disc.
  const double down = run.history.at("press:force_y").back();
  EXPECT_LT(down, 0.);
  EXPECT_NEAR(
      run.history.at("hold:reaction_y").back(), -down, 0.05 * std::abs(down));
  EXPECT_NEAR(run.history.at("top:u_y").back(), -0.0019, 5e-5);
  EXPECT_GT(run.energy.at("obstacle_work").back(), 0.);
}

TEST(Disc, DoesTheSameInMillimetres)
{
  const auto metres      = test::run_text<2>(pressed(1.));
  const auto millimetres = test::run_text<2>(pressed(1000.));
  for (const char *column : { "top:u_x", "top:u_y" })
  {
    const auto &a = metres.history.at(column);
    const auto &b = millimetres.history.at(column);
    for (std::size_t i = 0; i < a.size(); i += 10)
      EXPECT_NEAR(1000. * a[i], b[i], 1e-7) << column << " " << i;
  }
}

TEST(Fast, AThinPlateDoesNotPassThroughABody)
{
  // A plate 0.002 thick hits a block of cells 0.05 at 1 m/s, with steps in
  // which it moves by 0.06.
  for (const char *theta : { "0.5", "0.75", "1" })
  {
    const auto run = test::run_text<2>(
        R"(
subsection Time
  set End = 0.6
  set Step = 6e-2
  set Theta = )" +
        std::string(theta) +
        R"(
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
subsection Obstacle plate
  set Type = box
  set Point = -0.305, -0.5
  set Size = 0.002, 1
  set Displacement = t; 0
end
subsection Contact law smooth
  set Type = frictionless
end
subsection Interaction push
  set Candidates = block/left
  set Antagonists = plate
  set Law = smooth
  set Points = nodes
end
subsection Probe near
  set Point = 0, 0
end
subsection Output
  set Interval = 1
end
)");
    // The plate's face is at -0.303 + t.
    const auto &u = run.history.at("near:u_x");
    const auto &t = run.history.at("time");
    for (std::size_t i = 0; i < u.size(); ++i)
      EXPECT_GT(u[i], -0.303 + t[i] - 0.06) << theta << " " << t[i];
    EXPECT_GT(u.back(), 0.29) << theta;
  }
}

namespace
{
/// What a run of this text says in its log.
std::string log_of(const std::string &text,
                   std::vector<std::string> overrides = {})
{
  const test::TemporaryDirectory directory;
  overrides.push_back("Output/Directory=" + directory.path + "/run");
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      delassus::read_parameters(test::write_case(directory, text), overrides),
      options,
      MPI_COMM_SELF);
  simulation.run();
  std::ostringstream log;
  log << std::ifstream(directory.path + "/run/log.txt").rdbuf();
  EXPECT_TRUE(std::filesystem::exists(directory.path + "/run/obstacles.pvd"));
  return log.str();
}

unsigned int count(const std::string &text, const std::string &part)
{
  unsigned int n = 0;
  for (auto at = text.find(part); at != std::string::npos;
       at      = text.find(part, at + 1))
    ++n;
  return n;
}
} // namespace

TEST(Watch, TellsOnceWhatHappensToObstacles)
{
  // Off the table.
  const std::string table = "  set Type = box\n  set Point = -3,-1\n"
                            "  set Size = 3.5, 1\n";
  const auto left =
      log_of(block("0, -9.81", table, "  set Initial velocity = 3; 0\n"),
             frictionless);
  EXPECT_EQ(count(left, "has left the obstacle 'tool'"), 1u) << left;

  // Faster than a face a step: 0.3 a step, faces of 0.1.
  const auto fast = log_of(block("0, -9.81",
                                 "  set Normal = 0, 1\n  set Displacement = "
                                 "150*t; 0"),
                           { "Time/End=0.02" });
  EXPECT_EQ(count(fast, "'tool' moves by up to 0.3 "), 1u) << fast;
  EXPECT_EQ(count(fast, "has left"), 0u) << fast;

  // Candidates that look away, and an obstacle that nobody has.
  const auto away =
      log_of(block("0, 0", "  set Normal = 0, 1") +
                 "subsection Obstacle spare\n  set Type = sphere"
                 "\n  set Radius = 1\nend\n",
             { "Interaction base/Candidates=block/top", "Time/End=0.01" });
  EXPECT_EQ(count(away, "can never touch"), 1u) << away;
  EXPECT_EQ(count(away, "no interaction has this obstacle"), 1u) << away;
}

TEST(BadStart, BodiesInsideASolidObstacle)
{
  const auto error = [](const std::string &obstacle) -> std::string
  {
    try
    {
      test::run_text<2>(block("0, -9.81", obstacle), { "Time/End=0.01" });
    }
    catch (const delassus::InputError &e)
    {
      return e.what();
    }
    return "";
  };
  // All inside a ball that should be hollow.
  const auto ball = error("  set Type = sphere\n  set Radius = 5\n");
  EXPECT_NE(ball.find("Hollow"), std::string::npos) << ball;
  EXPECT_NE(ball.find("behind the obstacle"), std::string::npos) << ball;
  // Partly inside.
  const auto part = error("  set Type = box\n  set Point = -1, -1\n"
                          "  set Size = 2, 1.06\n");
  EXPECT_NE(part.find("tool"), std::string::npos) << part;
  EXPECT_NE(part.find("start inside"), std::string::npos) << part;
}
