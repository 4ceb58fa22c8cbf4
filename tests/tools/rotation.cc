// Tools that turn freely: moments balance, energy is kept.
#include "cases.h"

using namespace test;

namespace
{
/// A lid with a hinge to the left of the block, which a torque shuts.
std::string lid()
{
  auto text = replaced(drop,
                       "set Free = y\n  set Mass = 2000\n"
                       "  set Initial velocity = 0, -1",
                       "set Center = -1, 1.005\n  set Free = rotation\n"
                       "  set Inertia = 3000\n  set Torque = -3e4");
  return replaced(text, "set Gravity = 0, -10", "set Gravity = 0, 0");
}

void expect_moments(const Table &history, const double h)
{
  const auto &spin   = history.at("plate:tool_spin");
  const auto &moment = history.at("plate:tool_moment");
  double before      = 0.;
  for (std::size_t i = 0; i < spin.size(); ++i)
  {
    EXPECT_NEAR(3000. * (spin[i] - before), h * (moment[i] - 3e4), 1e-8 * 3e3)
        << i;
    before = spin[i];
  }
  // It has shut, pressed on the corner of the block and opened again.
  EXPECT_GT(*std::max_element(moment.begin(), moment.end()), 3e4);
  EXPECT_LT(*std::min_element(spin.begin(), spin.end()), -0.1);
  EXPECT_GT(*std::max_element(spin.begin(), spin.end()), 0.);
}
} // namespace

TEST(Lid, BalancesMomentsAndEnergy)
{
  for (const double theta : { 0.5, 1. })
  {
    const auto results = run_everywhere<2>(
        lid(), { "Time/Theta=" + std::to_string(theta), "Time/End=0.15" });
    if (!has_tables())
      continue;
    expect_moments(results.history, 5e-4);
    EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-10);
    // The force of a contact at the right corner times its arm.
    const auto &force  = results.history.at("plate:tool_force_y");
    const auto &moment = results.history.at("plate:tool_moment");
    for (std::size_t i = 0; i < force.size(); ++i)
      if (force[i] > 0.)
      {
        EXPECT_GT(moment[i], 0.95 * force[i]);
        EXPECT_LT(moment[i], 2.05 * force[i]);
      }
  }
}

TEST(Lid, NewtonLoopsGiveNearlyTheSame)
{
  const auto linear =
      run_everywhere<2>(lid(), { "Time/Theta=1", "Time/End=0.1" });
  const auto newton = run_everywhere<2>(
      with_lines(lid(),
                 "subsection Material rubber",
                 "set Model = J2 small strain\nset Yield stress = 1e12"),
      { "Time/Theta=1", "Time/End=0.1", "Newton/Tolerance=1e-10" });
  if (!has_tables())
    return;
  EXPECT_LT(largest(newton.energy.at("relative_residual")), 1e-6);
  // The linear scheme keeps the frame of the beginning of the step.
  expect_same(linear.history, newton.history, { "plate:tool_angle" }, 1e-2);
}

TEST(Roller, RollsWithoutATorque)
{
  // A circle of radius 3 under a force is moved along a strip: it turns with
  // the surface, whose friction has no moment then and is far
  // below that of sliding (nodes make it a little rough).
  auto text = replaced(holder, "set Components = x\n", "");
  text      = replaced(text, "strip/left", "strip/bottom");
  text =
      replaced(text, "Candidates = strip/bottom", "Candidates = strip/right");
  text = replaced(text,
                  "set Normal = 0, -1\n  set Point = 0, 2.1\n  set Free = y",
                  "set Type = sphere\n  set Radius = 3\n  set Point = 4, 5\n"
                  "  set Free = y, rotation\n  set Displacement = t; 0");
  text = replaced(text, "-40*(1+t)", "-40");
  text = replaced(text, "Divisions = 10, 3", "Divisions = 20, 4");
  for (const bool newton : { false, true })
  {
    if (newton)
      text = with_lines(text,
                        "subsection Material soft",
                        "set Model = J2 small strain\nset Yield stress = 1e6");
    const auto results = run_everywhere<2>(
        text,
        { "Time/Step=0.1", "Time/End=0.5", "Contact solver/Tolerance=1e-10" });
    if (!has_tables())
      continue;
    for (std::size_t i = 0; i < 5; ++i)
    {
      EXPECT_NEAR(results.history.at("plate:tool_moment")[i], 0., 1e-5 * 120.);
      EXPECT_NEAR(results.history.at("plate:tool_force_y")[i], 40., 1e-5 * 40.);
      EXPECT_LT(std::abs(results.history.at("plate:tool_force_x")[i]),
                0.25 * 0.3 * 40.);
    }
    const double angle = results.history.at("plate:tool_angle").back();
    EXPECT_NEAR(angle * dealii::numbers::PI / 180., -0.5 / 3., 0.1 / 3.);
  }
}

TEST(Roller, TorqueIsBalancedInSpace)
{
  // A wheel on a block in space, pressed down and turned: sliding friction
  // carries the torque.
  const char *text   = R"(
set Dimension = 3
subsection Time
  set End = 0.02
  set Step = 1e-3
  set Theta = 0.5
end
subsection Material rubber
  set Density = 1000
  set Young modulus = 1e7
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 1, 0.5, 0.5
    set Divisions = 8, 2, 3
  end
end
subsection Boundary condition bottom
  set Type = fixed
  set Surfaces = block/bottom
end
subsection Obstacle wheel
  set Type = cylinder
  set Axis = 0, 1, 0
  set Radius = 0.4
  set Point = 0.5, 0, 0.9
  set Free = x, z, rotation
  set Mass = 100
  set Inertia = 8
  set Force = 0; 0; -2e4
  set Torque = 2000
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction up
  set Candidates = block/top
  set Antagonists = wheel
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-11
  set Maximum sweeps = 100000
end
subsection Output
  set Interval steps = 0
end
)";
  const auto results = run_everywhere<3>(text);
  if (!has_tables())
    return;
  EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-10);
  const auto &history = results.history;
  double spin = 0., v = 0.;
  for (std::size_t i = 0; i < history.at("time").size(); ++i)
  {
    EXPECT_NEAR(8. * (history.at("wheel:tool_spin")[i] - spin),
                1e-3 * (2000. + history.at("wheel:tool_moment")[i]),
                1e-7);
    EXPECT_NEAR(100. * (history.at("wheel:tool_v_x")[i] - v),
                1e-3 * history.at("wheel:tool_force_x")[i],
                1e-7);
    spin = history.at("wheel:tool_spin")[i];
    v    = history.at("wheel:tool_v_x")[i];
  }
  EXPECT_GT(spin, 0.);
  // Turned about y, the wheel is driven along x.
  EXPECT_GT(v, 0.);
}
