// One elastic, stiff block on a rigid plane: incline, sliding stop, free fall.
#include "run_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{
const double g = 9.81;

/// A flat block 0.4 x 0.1 on the plane y = 0.
std::string block(const double angle_in_degrees,
                  const double friction,
                  const std::string &more)
{
  const double a = angle_in_degrees * std::acos(-1.) / 180.;
  std::ostringstream text;
  text.precision(17);
  text << "set Gravity = " << g * std::sin(a) << ", " << -g * std::cos(a) << R"(
subsection Time
  set End = 0.6
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
  subsection Mesh
    set Type = box
    set Size = 0.4, 0.1
    set Divisions = 4, 1
  end
)" << more
       << R"(
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = )"
       << friction << R"(
end
subsection Interaction base
  set Candidates = block/bottom
  set Antagonists = ground
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-12
  set Maximum sweeps = 100000
end
subsection Probe corner
  set Point = 0, 0.1
end
subsection Output
  set Interval = 1
end
)";
  return text.str();
}
} // namespace

TEST(Incline, SticksBelowTheFrictionAngle)
{
  const auto run = test::run_text<2>(block(15, 0.3, ""));
  // What is left is the elastic lean of the block, dying out.
  EXPECT_LT(std::abs(run.history.at("corner:v_x").back()), 1e-8);
  EXPECT_LT(run.history.at("corner:u_x").back(), 1e-6);
  const double weight = run.summary["weight"];
  const double a      = 15 * std::acos(-1.) / 180.;
  EXPECT_NEAR(run.history.at("base:force_x").back(),
              -weight * std::sin(a),
              1e-8 * weight);
  EXPECT_NEAR(run.history.at("base:force_y").back(),
              weight * std::cos(a),
              1e-8 * weight);
}

TEST(Incline, SlidesWithTheAnalyticalAcceleration)
{
  for (const auto &[angle, expected] :
       { std::pair<double, double>(20, 0.589702), { 30, 2.356287 } })
  {
    const auto run  = test::run_text<2>(block(angle, 0.3, ""));
    const auto &v   = run.history.at("corner:v_x");
    const auto &u   = run.history.at("corner:u_x");
    const auto &t   = run.history.at("time");
    const auto &w   = run.energy.at("friction_work");
    const auto last = v.size() - 1, half = v.size() / 2;
    const double a = angle * std::acos(-1.) / 180.;
    // Second half: the vibrations of the sudden start have died out.
    EXPECT_NEAR((v[last] - v[half]) / (t[last] - t[half]), expected, 1e-6)
        << angle;
    const double mass = run.summary["mass"];
    EXPECT_NEAR(w[last] - w[half],
                -0.3 * mass * g * std::cos(a) * (u[last] - u[half]),
                1e-7 * std::abs(w[last] - w[half]))
        << angle;
    EXPECT_EQ(run.history.at("base:slip").back(), 5) << angle;
  }
}

TEST(Slide, StopsWhereAndWhenItShould)
{
  // v0 = 2, mu = 0.3: stops at v0/(mu g) = 0.679579 after v0^2/(2 mu g).
  const auto run =
      test::run_text<2>(block(0, 0.3, "  set Initial velocity = 2; 0\n"),
                        { "Time/End=0.9", "Time/Step=1e-3" });
  const auto &v  = run.history.at("corner:v_x");
  const auto &t  = run.history.at("time");
  double stopped = 0.;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (std::abs(v[i]) > 1e-3)
      stopped = t[i];
  EXPECT_NEAR(stopped, 0.679579, 2e-3);
  EXPECT_NEAR(run.history.at("corner:u_x").back(), 0.679579, 2 * 1e-3);
  EXPECT_LT(std::abs(v.back()), 1e-9);
  // The kinetic energy went into friction.
  const double mass = run.summary["mass"];
  EXPECT_NEAR(run.energy.at("friction_work").back(),
              -0.5 * mass * 4.,
              0.01 * 2. * mass);
}

TEST(Slide, VelocityLawDoesTheSame)
{
  const auto gap = test::run_text<2>(
      block(0, 0.3, "  set Initial velocity = 2; 0\n"), { "Time/End=0.8" });
  const auto velocity = test::run_text<2>(
      block(0, 0.3, "  set Initial velocity = 2; 0\n"),
      { "Time/End=0.8", "Contact law dry/Type=velocity signorini coulomb" });
  EXPECT_NEAR(gap.history.at("corner:u_x").back(),
              velocity.history.at("corner:u_x").back(),
              5e-3);
  EXPECT_LT(std::abs(velocity.history.at("corner:v_x").back()), 1e-9);
}

TEST(Slide, WithoutFrictionNothingStops)
{
  auto text        = block(0, 0.3, "  set Initial velocity = 2; 0\n");
  const auto begin = text.find("set Friction");
  text.replace(
      begin, text.find('\n', begin) - begin, "set Type = frictionless");
  const auto run = test::run_text<2>(text);
  EXPECT_NEAR(run.history.at("corner:v_x").back(), 2., 1e-6);
  EXPECT_LT(std::abs(run.history.at("base:force_x").back()), 1e-9);
}

TEST(FallingBlock, ReachesTheGroundAndRests)
{
  // Falls 0.05 in sqrt(2 * 0.05 / g) = 0.101 s: free flight is exact in
  // velocity, and the block is caught although it starts out of reach.
  const auto run =
      test::run_text<2>(block(0, 0.3, ""),
                        { "Body block/Mesh/Origin=0,0.05",
                          "Interaction base/Search distance=0.1" });
  const auto &v = run.history.at("corner:v_y");
  const auto &t = run.history.at("time");
  EXPECT_NEAR(v[40], -g * t[40], 1e-10);
  EXPECT_NEAR(run.history.at("corner:u_y").back(), -0.05, 1e-5);
  EXPECT_LT(run.summary["contact_solver"]["worst_penetration"], 1e-9);
}

TEST(MovingPlane, CarriesTheBlockAndPaysForIt)
{
  auto text = block(0, 0.5, "");
  text.replace(text.find("  set Normal = 0, 1"),
               19,
               "  set Normal = 0, 1\n"
               "  set Displacement = 0.01*(1-cos(4*t)); 0.02*(1-cos(4*t))");
  for (const char *theta : { "0.5", "1" })
  {
    const auto run =
        test::run_text<2>(text, { std::string("Time/Theta=") + theta });
    const double t = run.history.at("time").back();
    EXPECT_NEAR(run.history.at("corner:u_x").back(),
                0.01 * (1 - std::cos(4 * t)),
                2e-4);
    EXPECT_NEAR(run.history.at("corner:u_y").back(),
                0.02 * (1 - std::cos(4 * t)),
                2e-4);
    EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-11);
    EXPECT_GT(run.energy.at("obstacle_work").back(), 0.);
  }
}
