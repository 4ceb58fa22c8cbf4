// Quasi-static steps: equilibria of bodies that boundary conditions hold, and
// of bodies that only contact holds.
#include "run_case.h"
#include "test_paths.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>

namespace
{
/// A bar of length 10 and section 1 x 2 without lateral contraction, fixed on
/// the left and pulled on the right.
const char *bar = R"(
set Assumption = plane stress
subsection Time
  set Scheme = quasi static
  set End = 3
  set Step = 1
end
subsection Material steel
  set Density = 7.8e-9
  set Young modulus = 2.1e5
  set Poisson ratio = 0
end
subsection Body bar
  set Material = steel
  set Thickness = 2
  subsection Mesh
    set Type = box
    set Size = 10, 1
    set Divisions = 7, 2
  end
end
subsection Boundary condition wall
  set Type = fixed
  set Surfaces = bar/left
end
subsection Boundary condition pull
  set Type = traction
  set Surfaces = bar/right
  set Value = 30*t; 0
end
subsection Output
  set Interval steps = 0
end
subsection Probe end
  set Point = 10, 1
end
)";

/// A block 0.4 x 0.2 on the plane y = 0, pressed from above.
const char *block = R"(
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 0.5
end
subsection Material rubber
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 0.4, 0.2
    set Divisions = 8, 4
  end
end
subsection Boundary condition load
  set Type = pressure
  set Surfaces = block/top
  set Value = 2000*t
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
  set Maximum sweeps = 100000
end
subsection Output
  set Interval steps = 0
end
subsection Probe left
  set Point = 0, 0.2
end
subsection Probe right
  set Point = 0.4, 0.2
end
)";

std::string
replaced(std::string text, const std::string &from, const std::string &to)
{
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_closed_balance(const test::Results &run)
{
  // Of a few thousand roundings, whatever the processor.
  EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-10);
  for (const double kinetic : run.energy.at("kinetic"))
    EXPECT_EQ(kinetic, 0.);
}
} // namespace

TEST(QuasiStatic, BarUnderEndLoadIsExact)
{
  const auto run = test::run_text<2>(bar);
  for (unsigned int n = 0; n < 3; ++n)
  {
    const double t = n + 1.;
    EXPECT_NEAR(run.history.at("end:u_x")[n],
                30. * t / 2.1e5 * 10.,
                1e-12 * 30. * t / 2.1e5 * 10.);
    EXPECT_NEAR(run.history.at("wall:reaction_x")[n], -60. * t, 1e-9);
  }
  // Elastic energy F u / 2; the boundary holds the bar: no fictitious mass.
  EXPECT_NEAR(
      run.energy.at("elastic").back(), 0.5 * 180. * 90. / 2.1e5 * 10., 1e-10);
  EXPECT_EQ(run.summary["equilibrium"]["iterations"], 0);
  EXPECT_EQ(run.summary["scheme"], "quasi static");
  expect_closed_balance(run);
}

TEST(QuasiStatic, RayleighStiffnessIsViscosity)
{
  // Kelvin-Voigt under a sudden load: u = u_inf (1 - exp(-t / beta)), by
  // implicit Euler u_n = u_inf (1 - (1 + h / beta)^-n).
  const auto text = replaced(bar, "30*t", "30");
  const auto run  = test::run_text<2>(text,
                                     { "Material steel/Rayleigh stiffness=0.5",
                                        "Time/Step=0.01",
                                        "Time/End=1" });
  const double u  = 30. / 2.1e5 * 10.;
  for (const unsigned int n : { 1u, 10u, 100u })
    EXPECT_NEAR(run.history.at("end:u_x")[n - 1],
                u * (1. - std::pow(1.02, -double(n))),
                1e-11 * u);
  EXPECT_NEAR(
      run.history.at("end:u_x").back(), u * (1. - std::exp(-2.)), 3e-3 * u);
  EXPECT_GT(run.energy.at("damping").back(), 0.);
  expect_closed_balance(run);
}

TEST(QuasiStatic, ContactAloneHoldsTheBlock)
{
  // The exact resultant, whatever the fictitious mass and however many steps,
  // to the tolerance of the contact solver.
  for (const char *tolerance : { "1e-5", "1e-10" })
    for (const char *mass : { "0.1", "1", "10" })
      for (const char *step : { "1", "0.25" })
      {
        const auto run = test::run_text<2>(
            block,
            { std::string("Contact solver/Tolerance=") + tolerance,
              std::string("Time/Fictitious mass=") + mass,
              std::string("Time/Step=") + step });
        const double force = 2000. * 0.4;
        EXPECT_NEAR(run.history.at("base:force_y").back(),
                    force,
                    3. * std::stod(tolerance) * force)
            << mass << " " << step;
        EXPECT_LT(std::abs(run.history.at("base:force_x").back()),
                  3. * std::stod(tolerance) * force);
        EXPECT_EQ(run.summary["equilibrium"]["steps_not_balanced"], 0);
        EXPECT_LE(run.summary["equilibrium"]["worst_out_of_balance"],
                  std::stod(tolerance));
        expect_closed_balance(run);
      }
}

TEST(QuasiStatic, AnswerDependsNeitherOnTheStepsNorOnTheFictitiousMass)
{
  std::vector<double> u;
  for (const char *mass : { "0.1", "10" })
    for (const char *step : { "1", "0.05" })
      u.push_back(
          test::run_text<2>(block,
                            { "Contact solver/Tolerance=1e-11",
                              std::string("Time/Fictitious mass=") + mass,
                              std::string("Time/Step=") + step })
              .history.at("right:u_x")
              .back());
  EXPECT_GT(u[0], 1e-5);
  for (const double value : u)
    EXPECT_NEAR(value, u[0], 1e-8 * u[0]);
}

TEST(QuasiStatic, BlockBetweenTwoPlanes)
{
  // Nothing else holds it: plane strain compression by 0.001, sides free.
  auto text = replaced(block,
                       "subsection Contact law dry\n  set Friction = 0.4\nend",
                       R"(subsection Obstacle press
  set Point = 0, 0.2
  set Normal = 0, -1
  set Displacement = 0; -0.001*t
end
subsection Contact law dry
  set Type = frictionless
end
subsection Interaction top
  set Candidates = block/top
  set Antagonists = press
  set Law = dry
  set Points = nodes
end)");
  text      = replaced(text, "2000*t", "0");
  const auto run =
      test::run_text<2>(text, { "Contact solver/Tolerance=1e-11" });
  const double strain = 0.001 / 0.2;
  const double force  = 1e6 / (1. - 0.09) * strain * 0.4;
  const double side   = 0.3 / 0.7 * strain * 0.2;
  EXPECT_NEAR(run.history.at("base:force_y").back(), force, 1e-7 * force);
  EXPECT_NEAR(run.history.at("top:force_y").back(), -force, 1e-7 * force);
  EXPECT_NEAR(run.history.at("left:u_y").back(), -0.001, 1e-10);
  // It widens equally to both sides: nothing moves the block as a whole.
  EXPECT_NEAR(run.history.at("right:u_x").back(), side, 1e-7 * side);
  EXPECT_NEAR(run.history.at("left:u_x").back(), -side, 1e-7 * side);
  expect_closed_balance(run);
}

TEST(QuasiStatic, TwoBlocksOnTopOfEachOther)
{
  auto text = replaced(block, "subsection Boundary condition load", R"(
subsection Body upper
  set Material = rubber
  subsection Mesh
    set Type = box
    set Origin = 0.05, 0.2
    set Size = 0.3, 0.1
    set Divisions = 4, 2
  end
end
subsection Interaction joint
  set Candidates = upper/bottom
  set Antagonists = block/top
  set Law = dry
  set Points = nodes
end
subsection Boundary condition load)");
  text      = replaced(
      text, "block/top\n  set Value = 2000*t", "upper/top\n  set Value = 2000");
  text           = "set Gravity = 0, -10\n" + text;
  const auto run = test::run_text<2>(text, { "Contact solver/Tolerance=1e-9" });
  const double upper = 2000. * 0.3 + 1000. * 10. * 0.03;
  const double all   = upper + 1000. * 10. * 0.08;
  EXPECT_NEAR(run.history.at("joint:force_y").back(), upper, 1e-7 * all);
  EXPECT_NEAR(run.history.at("base:force_y").back(), all, 1e-7 * all);
  EXPECT_NEAR(run.history.at("base:force_x").back(), 0., 1e-7 * all);
  expect_closed_balance(run);
}

TEST(QuasiStatic, ClosesAGapFirst)
{
  // The load has to carry the block a hundred times its own compression
  // before anything resists.
  const auto run =
      test::run_text<2>(replaced(block,
                                 "Size = 0.4, 0.2",
                                 "Size = 0.4, 0.2\n    set Origin = 0, 0.01"),
                        { "Contact solver/Tolerance=1e-9" });
  EXPECT_NEAR(run.history.at("base:force_y").back(), 800., 1e-5);
  EXPECT_LT(run.history.at("left:u_y").back(), -0.01);
  EXPECT_GT(run.history.at("left:u_y").back(), -0.0106);
}

TEST(QuasiStatic, SaysWhenThereIsNoEquilibrium)
{
  // Pushed along the plane harder than friction can hold.
  const auto text = replaced(block, "subsection Obstacle ground", R"(
subsection Boundary condition push
  set Type = pressure
  set Surfaces = block/left
  set Value = 4001*t
end
subsection Obstacle ground)");
  const auto run =
      test::run_text<2>(text, { "Contact solver/If not converged=go on" });
  EXPECT_EQ(run.summary["equilibrium"]["steps_not_balanced"], 2);
  try
  {
    test::run_text<2>(text, { "Contact solver/If not converged=stop" });
    FAIL() << "no error";
  }
  catch (const delassus::ComputationError &e)
  {
    EXPECT_NE(std::string(e.what()).find("no equilibrium"), std::string::npos)
        << e.what();
  }
  // A little less is held.
  const auto held = test::run_text<2>(replaced(text, "4001", "1590"),
                                      { "Contact solver/Tolerance=1e-9" });
  EXPECT_EQ(held.summary["equilibrium"]["steps_not_balanced"], 0);
  EXPECT_NEAR(held.history.at("base:force_x").back(), -318., 1e-5);
}

TEST(QuasiStatic, CubeAndCylinderStandByContactAlone)
{
  const std::string cube = R"(
set Dimension = 3
set Gravity = 1, 0.5, -10
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 1
end
subsection Material rubber
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body cube
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 0.2, 0.3, 0.1
    set Divisions = 2, 3, 1
  end
end
subsection Obstacle ground
  set Normal = 0, 0, 1
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Interaction base
  set Candidates = cube/bottom
  set Antagonists = ground
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
  set Maximum sweeps = 100000
end
subsection Output
  set Interval steps = 0
end
)";
  const auto run3        = test::run_text<3>(cube);
  EXPECT_NEAR(run3.history.at("base:force_x").back(), -6., 1e-7);
  EXPECT_NEAR(run3.history.at("base:force_y").back(), -3., 1e-7);
  EXPECT_NEAR(run3.history.at("base:force_z").back(), 60., 1e-7);
  expect_closed_balance(run3);

  // Axisymmetric: only the motion along the axis is rigid. sigma = E epsilon.
  auto text = "set Assumption = axisymmetric\n" + std::string(block);
  text      = replaced(text, "set Friction = 0.4", "set Type = frictionless");
  const auto run =
      test::run_text<2>(text, { "Contact solver/Tolerance=1e-10" });
  const double force = 2000. * std::acos(-1.) * 0.16;
  EXPECT_NEAR(run.history.at("base:force_y").back(), force, 1e-7 * force);
  EXPECT_NEAR(run.history.at("right:u_y").back(), -2000. / 1e6 * 0.2, 1e-9);
  EXPECT_NEAR(
      run.history.at("right:u_x").back(), 0.3 * 2000. / 1e6 * 0.4, 1e-9);
}

TEST(QuasiStatic, RoughFoundationInAnyNumberOfSteps)
{
  // The case of rough_foundation.cc: an independent quasi-static program on the
  // same mesh printed these five digits, the same for 1, 5 and 20 steps.
  const std::vector<std::pair<std::string, double>> reference = {
    { "A", 2.8594 },
    { "B", 2.7217 },
    { "C", 2.2850 },
    { "D", 1.9796 },
    { "E", 1.5406 }
  };
  for (const char *step : { "1", "0.2", "0.05" })
  {
    const auto run =
        test::run_file<2>(std::string(DELASSUS_SOURCE_DIR) +
                              "/parameter_files/rough_foundation.prm",
                          { "Time/Scheme=quasi static",
                            std::string("Time/Step=") + step,
                            "Output/Interval=1" });
    for (const auto &[probe, expected] : reference)
      EXPECT_NEAR(
          100. * run.history.at(probe + ":u_x").back(), expected, 0.6e-4)
          << probe << " " << step;
    EXPECT_NEAR(run.history.at("base:force_y").back(), 200., 1e-5);
    EXPECT_NEAR(run.history.at("base:force_x").back(), -140.54, 6e-3);
    EXPECT_EQ(run.history.at("base:open").back(), 3);
    EXPECT_EQ(run.history.at("base:slip").back(), 21);
    EXPECT_EQ(run.history.at("base:stick").back(), 9);
    expect_closed_balance(run);
  }
}
