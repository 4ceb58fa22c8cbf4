// The Newton loop with the contact loop inside it.
#include "cases.h"

#include <gtest/gtest.h>

using test::relative;

namespace
{
/// The order of the last iterations, from e_{k+1} = C e_k^p: pairs that are
/// neither far from the solution nor lost in rounding.
void expect_quadratic(const std::vector<double> &errors)
{
  unsigned int n_pairs = 0;
  for (std::size_t k = 1; k < errors.size(); ++k)
  {
    const double before = errors[k - 1], after = errors[k];
    if (before > 3e-2 || before < 1e-7 || after < 1e-15)
      continue;
    // A method of first order with a good factor would leave e_k / 100.
    EXPECT_LT(after, 10. * before * before) << before << " -> " << after;
    ++n_pairs;
  }
  std::string all;
  for (const double error : errors)
    all += std::to_string(std::log10(error)) + " ";
  EXPECT_GT(n_pairs, 0u) << all;
}
} // namespace

// All matrices that converge find the same motion, plastic and with friction.
TEST(Newton, CorrectingMatricesAgree)
{
  const auto same = test::run_text<2>(test::rod(), { "Time/Step=2.5e-8" });
  EXPECT_GT(same.history.at("foot:u_x").back(), 0.3);
  for (const std::string matrix : { "step", "frozen", "lumped", "two term" })
  {
    // Those made of the mass converge slowly where h omega is near 1.
    const auto run = test::run_text<2>(test::rod(),
                                       { "Newton/Matrix=" + matrix,
                                         "Newton/Maximum iterations=200",
                                         "Time/Step=2.5e-8" });
    EXPECT_LT(relative(run.history.at("foot:u_x").back(),
                       same.history.at("foot:u_x").back()),
              1e-8)
        << matrix;
    EXPECT_LT(relative(run.history.at("foot:force_y").back(),
                       same.history.at("foot:force_y").back()),
              1e-6)
        << matrix;
    EXPECT_LT(run.summary["energy"]["worst_relative_residual"].get<double>(),
              1e-9)
        << matrix;
  }
}

// Without inertia or contact forces the tangent is that of the materials.
TEST(Newton, ConvergesQuadraticallyWithoutContact)
{
  std::vector<double> last;
  test::watch<2>(test::block(),
                 { "Obstacle floor/Point=0, -50",
                   "Boundary condition top/Value=0.2*t; 0.1*t",
                   "Time/Scheme=dynamic",
                   "Time/Step=0.05",
                   "Time/End=0.2" },
                 [&](const auto &simulation, double, double)
                 { last = simulation.last_attempt().last.history; });
  expect_quadratic(last);
}

// Points on a plane: once no status changes, the loop is Newton's method.
TEST(Newton, ConvergesQuadraticallyWithSettledContact)
{
  std::vector<double> last;
  test::watch<2>(test::block(),
                 { "Time/End=1", "Time/Step=0.5" },
                 [&](const auto &simulation, double, double)
                 { last = simulation.last_attempt().last.history; });
  expect_quadratic(last);
}

// Coulomb's law of the resultant on a plane; forces of both ends balance.
TEST(Newton, BlockIsPressedAndPushed)
{
  const auto run = test::run_text<2>(test::block());
  const double N = run.history.at("base:force_y").back(),
               T = run.history.at("base:force_x").back();
  EXPECT_GT(N, 0.5);
  EXPECT_LT(relative(-T, 0.2 * N), 1e-7);
  EXPECT_LT(relative(-N, run.history.at("top:reaction_y").back()), 1e-7);
  EXPECT_LT(relative(-T, run.history.at("top:reaction_x").back()), 1e-7);
  EXPECT_LT(run.summary["energy"]["worst_relative_residual"].get<double>(),
            1e-9);
  EXPECT_LT(run.summary["contact_solver"]["worst_penetration"].get<double>(),
            1e-7);
}

// Pressed and pushed more strongly, with stiffness of closed contacts in the
// matrix: the loop balances momentum to its tolerance, which is that of the
// contact solver, without cutting steps.
TEST(Newton, BlockIsPressedAndPushedStrongly)
{
  const auto run = test::run_text<2>(
      test::block(),
      { "Boundary condition top/Value=if(t<1, 0, 2*(t-1)); -0.2*min(t, 1)",
        "Contact law dry/Friction=0.3" });
  const double N = run.history.at("base:force_y").back(),
               T = run.history.at("base:force_x").back();
  EXPECT_LT(relative(-T, 0.3 * N), 1e-7);
  EXPECT_EQ(run.summary["newton"]["steps_cut"], 0);
  EXPECT_LT(run.summary["newton"]["worst_momentum_residual"].get<double>(),
            1e-10);
  EXPECT_GT(run.summary["newton"]["indefinite_tangents"], 0);
}

// Two bodies that slide over many faces of each other: action and reaction,
// no penetration, the energy balance; frames are those of the end.
TEST(Newton, BodiesSlideOverEachOther)
{
  const std::string base = R"(
subsection Body base
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Origin    = -1, -1
    set Size      = 6, 1
    set Divisions = 25, 4
  end
end
subsection Boundary condition ground
  set Type     = fixed
  set Surfaces = base/bottom
end
)";
  for (const std::string normals : { "face", "averaged" })
  {
    const auto run = test::run_text<2>(
        test::block(base),
        { "Interaction base/Antagonists=base/top",
          "Interaction base/Candidates=block/bottom",
          "Interaction base/Normals=" + normals,
          "Boundary condition top/Value=if(t<1, 0, 2.5*(t-1)); -0.1*min(t, 1)",
          "Contact solver/Tolerance=1e-7",
          "Newton/Tolerance=1e-8",
          "Time/Step=0.05" });
    const double N = run.history.at("base:force_y").back(),
                 T = run.history.at("base:force_x").back();
    EXPECT_GT(N, 0.2);
    // Surfaces tilt, the resultant is near the cone's side.
    EXPECT_NEAR(-T / N, 0.2, 0.03) << normals;
    EXPECT_LT(relative(run.history.at("ground:reaction_y").back(),
                       -run.history.at("top:reaction_y").back()),
              1e-6);
    EXPECT_LT(run.summary["energy"]["worst_relative_residual"].get<double>(),
              1e-6);
    EXPECT_LT(run.summary["contact_solver"]["worst_penetration"].get<double>(),
              1e-5);
  }
}

// A run in metres and kilograms is the run in millimetres and tonnes.
TEST(Newton, UnitsAreTheUsers)
{
  const auto mm = test::run_text<2>(test::rod());
  const auto m  = test::run_text<2>(test::rod(),
                                   { "Material copper/Density=8930",
                                      "Material copper/Young modulus=117e9",
                                      "Material copper/Yield stress=400e6",
                                      "Material copper/Hardening modulus=100e6",
                                      "Body rod/Initial velocity=0; -227",
                                      "Body rod/Mesh/Size=3.2e-3, 12.96e-3",
                                      "Probe top/Point=0, 12.96e-3",
                                      "Probe foot/Point=3.2e-3, 0" });
  EXPECT_LT(relative(mm.history.at("foot:u_x").back(),
                     1e3 * m.history.at("foot:u_x").back()),
            1e-9);
  EXPECT_LT(relative(mm.history.at("foot:force_y").back(),
                     m.history.at("foot:force_y").back()),
            1e-8);
  EXPECT_EQ(mm.history.at("sweeps"), m.history.at("sweeps"));
}

// The midpoint rule keeps what implicit Euler dissipates; explicit steps are
// near it.
TEST(Newton, MidpointAndExplicitStepsKeepEnergy)
{
  const auto dissipation = [](const test::Results &run)
  {
    return run.summary["energy"]["numerical_dissipation"].get<double>() /
           run.energy.at("kinetic").front();
  };
  const auto euler    = test::run_text<2>(test::rod());
  const auto midpoint = test::run_text<2>(test::rod(), { "Time/Theta=0.5" });
  const auto steps =
      test::run_text<2>(test::explicit_rod(), { "Time/Step=1e-8" });
  EXPECT_GT(dissipation(euler), 5. * std::abs(dissipation(midpoint)));
  EXPECT_LT(std::abs(dissipation(midpoint)), 5e-3);
  // Without friction: the foot's nodes bounce, more so without dissipation, and
  // what friction does depends on that.
  const std::string smooth = "Contact law rough/Friction=0";
  const auto fine          = test::run_text<2>(
      test::rod(), { "Time/Theta=0.5", "Time/Step=1e-8", smooth });
  const auto smooth_steps =
      test::run_text<2>(test::explicit_rod(), { "Time/Step=1e-8", smooth });
  EXPECT_LT(relative(fine.history.at("foot:u_x").back(),
                     smooth_steps.history.at("foot:u_x").back()),
            1e-2);
  for (const auto *run : { &euler, &midpoint, &steps })
    EXPECT_LT(run->summary["energy"]["worst_relative_residual"].get<double>(),
              1e-9);
}
