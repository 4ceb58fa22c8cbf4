// Tools under a force without inertia: forces balance, displacements are those
// of the bodies they press.
#include "cases.h"
#include "test_paths.h"

#include <delassus/base/exceptions.h>

using namespace test;

namespace
{
const char *newton_material = R"(  set Model = J2 small strain
  set Yield stress = 1e6)";

/// Force and displacement of the plate of `holder` in every step.
void expect_compressed(const Results &results, const double tolerance)
{
  const auto &force = results.history.at("plate:tool_force_y");
  const auto &u     = results.history.at("plate:tool_u_y");
  ASSERT_EQ(force.size(), 4u);
  for (unsigned int i = 0; i < 4; ++i)
  {
    const double F = 40. * (1. + 0.25 * (i + 1));
    EXPECT_NEAR(force[i], F, tolerance * F);
    // F L / (E A), and the way to the strip.
    const double expected = -0.1 - F * 2. / (1000. * 10.);
    EXPECT_NEAR(u[i], expected, tolerance * std::abs(expected));
  }
  EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-10);
}
} // namespace

TEST(Holder, PressesWithItsForce)
{
  const auto results = run_everywhere<2>(holder);
  if (has_tables())
    expect_compressed(results, 1e-8);
}

TEST(Holder, PressesWithItsForceInNewtonLoops)
{
  const auto results = run_everywhere<2>(
      with_lines(holder, "subsection Material soft", newton_material),
      { "Newton/Tolerance=1e-10" });
  if (has_tables())
    expect_compressed(results, 1e-7);
}

TEST(Holder, WeightIsAForce)
{
  auto text = replaced(holder, "-40*(1+t)", "-40*t");
  text      = with_lines(text, "subsection Obstacle plate", "set Mass = 4e-3");
  const auto results = run_everywhere<2>(text, { "Gravity=0,-1e4" });
  if (has_tables())
  {
    const auto &force = results.history.at("plate:tool_force_y");
    for (unsigned int i = 0; i < 4; ++i)
      EXPECT_NEAR(force[i], 40. * (1. + 0.25 * (i + 1)), 1e-5);
  }
}

TEST(Holder, DashpotCarriesItsShare)
{
  const auto results = run_everywhere<2>(
      with_lines(holder, "subsection Obstacle plate", "set Damping = 100"));
  if (!has_tables())
    return;
  const auto &force = results.history.at("plate:tool_force_y");
  const auto &v     = results.history.at("plate:tool_v_y");
  for (unsigned int i = 0; i < 4; ++i)
  {
    const double F = 40. * (1. + 0.25 * (i + 1));
    EXPECT_NEAR(force[i], F + 100. * v[i], 1e-7 * F);
    EXPECT_LT(v[i], 0.);
  }
  EXPECT_GT(results.energy.at("damping").back(), 0.);
  EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-10);
}

TEST(Holder, IsTheSameInOtherUnits)
{
  const auto in_mm = run_everywhere<2>(holder);
  auto text        = replaced(holder, "Density = 1e-9", "Density = 1e3");
  text = replaced(text, "Young modulus = 1000", "Young modulus = 1e9");
  text = replaced(text, "Size = 10, 2", "Size = 0.01, 0.002");
  text = replaced(text, "Point = 0, 2.1", "Point = 0, 0.0021");
  text = with_lines(text, "subsection Body strip", "set Thickness = 1e-3");
  const auto in_m = run_everywhere<2>(text);
  if (!has_tables())
    return;
  for (unsigned int i = 0; i < 4; ++i)
    EXPECT_NEAR(in_m.history.at("plate:tool_u_y")[i] * 1000.,
                in_mm.history.at("plate:tool_u_y")[i],
                1e-9);
}

TEST(Holder, DraggedPlateRubsWithItsLoad)
{
  // The strip is held below; the plate slides along it under its load.
  auto text = replaced(holder, "set Components = x\n", "");
  text      = replaced(text, "strip/left", "strip/bottom");
  text =
      replaced(text, "Candidates = strip/bottom", "Candidates = strip/right");
  text = with_lines(
      text, "subsection Obstacle plate", "set Displacement = 8*t; 0");
  for (const bool newton : { false, true })
  {
    if (newton)
      text = with_lines(text, "subsection Material soft", newton_material);
    const auto results = run_everywhere<2>(text);
    if (!has_tables())
      continue;
    for (unsigned int i = 0; i < 4; ++i)
    {
      const double F = 40. * (1. + 0.25 * (i + 1));
      EXPECT_NEAR(results.history.at("plate:tool_force_y")[i], F, 1e-6 * F);
      EXPECT_NEAR(
          results.history.at("plate:tool_force_x")[i], -0.3 * F, 1e-6 * F);
      EXPECT_NEAR(results.history.at("plate:tool_u_x")[i], 2. * (i + 1), 1e-12);
    }
    if (!newton)
    {
      EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-10);
    }
  }
}

TEST(Holder, RoundToolSinksInUntilItsForceIsCarried)
{
  // A cylinder of radius 3: from the linear and from the Newton loop.
  auto text   = replaced(holder,
                       "set Normal = 0, -1\n  set Point = 0, 2.1",
                       "set Type = sphere\n  set Radius = 3\n"
                         "  set Point = 5, 5.05");
  text        = replaced(text, "-40*(1+t)", "-40*t");
  text        = replaced(text, "Divisions = 10, 3", "Divisions = 40, 8");
  double u[2] = { 0., 0. };
  for (const bool newton : { false, true })
  {
    if (newton)
      text = with_lines(text, "subsection Material soft", newton_material);
    const auto results =
        run_everywhere<2>(text, { "Contact solver/Tolerance=1e-10" });
    if (!has_tables())
      continue;
    for (unsigned int i = 0; i < 4; ++i)
      EXPECT_NEAR(results.history.at("plate:tool_force_y")[i],
                  10. * (i + 1),
                  1e-6 * 10. * (i + 1));
    u[newton] = results.history.at("plate:tool_u_y").back();
    EXPECT_LT(u[newton], -0.05);
    EXPECT_GT(u[newton], -0.5);
  }
  if (!has_tables())
    return;
  EXPECT_NEAR(u[0], u[1], 0.05 * std::abs(u[1]));
}

TEST(Holder, InSpaceAllItsTranslationsBalance)
{
  const char *text   = R"(
set Dimension = 3
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 0.5
end
subsection Material soft
  set Density = 1e-9
  set Young modulus = 1000
  set Poisson ratio = 0
end
subsection Body block
  set Material = soft
  subsection Mesh
    set Type = box
    set Size = 2, 2, 1
    set Divisions = 2, 2, 2
  end
end
subsection Boundary condition bottom
  set Type = fixed
  set Surfaces = block/bottom
end
subsection Obstacle plate
  set Normal = 0, 0, -1
  set Point = 0, 0, 1
  set Free = x, y, z
  set Force = 4*t; -3*t; -20
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Interaction up
  set Candidates = block/top
  set Antagonists = plate
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
  for (unsigned int i = 0; i < 2; ++i)
  {
    const double t = 0.5 * (i + 1);
    EXPECT_NEAR(results.history.at("plate:tool_force_x")[i], -4. * t, 1e-7);
    EXPECT_NEAR(results.history.at("plate:tool_force_y")[i], 3. * t, 1e-7);
    EXPECT_NEAR(results.history.at("plate:tool_force_z")[i], 20., 1e-7);
    EXPECT_NEAR(results.history.at("plate:tool_u_z")[i], -20. / 4000., 1e-4);
    EXPECT_GT(results.history.at("plate:tool_u_x")[i], 0.);
  }
  EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-10);
}

TEST(Holder, ThatStartsInsideIsNamed)
{
  const auto text = replaced(holder, "Point = 0, 2.1", "Point = 0, 1.5");
  try
  {
    run_everywhere<2>(text);
    FAIL() << "not refused";
  }
  catch (const delassus::InputError &e)
  {
    EXPECT_NE(std::string(e.what()).find("plate"), std::string::npos)
        << e.what();
  }
}

TEST(Holder, ExampleHoldsItsStrip)
{
  const auto results = run_on_all<2>(std::string(DELASSUS_SOURCE_DIR) +
                                         "/parameter_files/blank_holder.prm",
                                     {});
  if (!has_tables())
    return;
  const auto &history = results.history;
  ASSERT_EQ(history.at("time").size(), 20u);
  for (std::size_t i = 0; i < 20; ++i)
  {
    const double F = 200. * std::min(1., 10. * history.at("time")[i]);
    EXPECT_NEAR(history.at("holder:tool_force_y")[i], F, 1e-5 * F);
    EXPECT_LT(history.at("holder:tool_u_y")[i], 0.);
  }
  EXPECT_NEAR(history.at("punch:tool_u_y").back(), -0.05 - 1.35, 1e-9);
  EXPECT_GT(history.at("punch:tool_force_y").back(), 0.);
  // The strip is drawn in.
  EXPECT_LT(history.at("edge:u_x").back(), 0.);
  EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-9);
}
