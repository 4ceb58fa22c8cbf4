// A sheet that is squeezed gives way through its thickness: F = E A s / a,
// shared by both sides, whatever the start, the points and the solver.
#include "pressing.h"
#include "test_paths.h"

#include <delassus/base/exceptions.h>

using namespace delassus;
using namespace test;

namespace
{
constexpr double stiffness = 2000. * 16. / 0.5; ///< E A / a

/// Both plates press with the force of the squeeze, and the middle goes down by
/// half of it.
void expect_squeezed(const SheetRun &run,
                     const double squeeze,
                     const double whole = stiffness)
{
  ASSERT_EQ(run.failure, "");
  const double F = whole * squeeze;
  EXPECT_NEAR(run.last("below:force_z"), F, 1e-7 * F);
  EXPECT_NEAR(run.last("above:force_z"), -F, 1e-7 * F);
  EXPECT_NEAR(run.last("middle:u_z"), -0.5 * squeeze, 1e-7 * squeeze);
}
} // namespace

TEST(Thickness, ForceOfTheSqueeze)
{
  for (const char *points : { "automatic", "nodes", "gauss", "midpoints" })
  {
    SCOPED_TRACE(points);
    const SheetRun run(squeezed_sheet,
                       { std::string("Interaction below/Points=") + points,
                         std::string("Interaction above/Points=") + points });
    expect_squeezed(run, 1e-3);
  }
  const SheetRun run(squeezed_sheet,
                     { "Interaction below/Points=positions",
                       "Interaction below/Positions=0.25,0.75",
                       "Interaction above/Points=positions",
                       "Interaction above/Positions=0.5" });
  expect_squeezed(run, 1e-3);
}

TEST(Thickness, BothSidesByOneInteraction)
{
  const SheetRun run(squeezed_sheet,
                     { "Interaction below/Side=both",
                       "Interaction below/Antagonists=lower, upper",
                       "Interaction above/Antagonists=lower" });
  ASSERT_EQ(run.failure, "");
  const double F = stiffness * 1e-3;
  EXPECT_NEAR(run.last("below:sheet|lower:force_z"), F, 1e-7 * F);
  EXPECT_NEAR(run.last("below:sheet|upper:force_z"), -F, 1e-7 * F);
  // The outer side does not see what is behind the inner one.
  EXPECT_EQ(run.last("above:force_z"), 0.);
}

// Edges are held where they go, so that no method has to find out where a free
// sheet is; their contacts have no other compliance than this one.
TEST(Thickness, EveryLawAndSolver)
{
  const std::string text = squeezed_sheet + std::string(R"(
subsection Boundary condition edges
  set Type       = displacement
  set Surfaces   = sheet/left, sheet/right, sheet/bottom, sheet/top
  set Components = z
  set Value      = -0.5e-3*t
end
)");
  for (const char *law : { "gap signorini coulomb", "frictionless", "tresca" })
    for (const char *solver : { "auto",
                                "Gauss-Seidel",
                                "ADMM",
                                "Newton",
                                "global Newton",
                                "global ADMM" })
    {
      const bool tresca = std::string(law) == "tresca";
      if (tresca && std::string(solver).find("ADMM") != std::string::npos)
        continue;
      SCOPED_TRACE(std::string(law) + ", " + solver);
      std::vector<std::string> overrides = {
        std::string("Contact law plain/Type=") + law,
        std::string("Contact solver/Solver=") + solver,
        "Contact solver/Maximum sweeps=100000"
      };
      std::string of_law = text;
      if (std::string(law) != "gap signorini coulomb")
      {
        const std::string friction = "  set Friction = 0.1\n";
        of_law.replace(of_law.find(friction),
                       friction.size(),
                       tresca ? "  set Shear limit = 1\n" : "");
      }
      expect_squeezed(SheetRun(of_law, overrides), 1e-3);
    }
}

// One large step, or small ones; impulses of before or none; first the one
// plate and then the other.
TEST(Thickness, StartDoesNotMatter)
{
  expect_squeezed(SheetRun(squeezed_sheet, { "Time/Step=1" }), 1e-3);
  expect_squeezed(
      SheetRun(squeezed_sheet, { "Contact solver/Warm start=false" }), 1e-3);
  // 3e-3 from below first, then back to 1e-3 in all.
  const SheetRun run(squeezed_sheet,
                     { "Obstacle upper/Displacement=0; 0; 2e-3*t",
                       "Obstacle lower/Displacement=0; 0; 3e-3*min(1, 2*t)" });
  ASSERT_EQ(run.failure, "");
  const double F = stiffness * 1e-3;
  EXPECT_NEAR(run.last("below:force_z"), F, 1e-7 * F);
  EXPECT_NEAR(run.last("above:force_z"), -F, 1e-7 * F);
  EXPECT_NEAR(run.last("middle:u_z"), 2.5e-3, 1e-10);
}

// The same in m, kg, s: mm, t, s are 1e-3 m, 1e3 kg, and so N; and MPa.
TEST(Thickness, Units)
{
  std::string text = squeezed_sheet;
  for (const auto &[mm, m] : std::map<std::string, std::string>{
           { "7.8e-9", "7800" },
           { "= 2000", "= 2000e6" },
           { "Thickness = 0.5", "Thickness = 0.5e-3" },
           { "0, 0, 0.25", "0, 0, 0.25e-3" },
           { "4, 4\n    set Div", "4e-3, 4e-3\n    set Div" },
           { "0, 0, 0.5\n", "0, 0, 0.5e-3\n" },
           { "-1e-3*t", "-1e-6*t" },
           { "2, 2, 0.25", "2e-3, 2e-3, 0.25e-3" } })
  {
    const auto place = text.find(mm);
    ASSERT_NE(place, std::string::npos) << mm;
    text.replace(place, mm.size(), m);
  }
  const SheetRun in_mm(squeezed_sheet), in_m(text);
  ASSERT_EQ(in_m.failure, "");
  for (const char *column : { "below:force_z", "above:force_z" })
    EXPECT_NEAR(in_m.last(column),
                in_mm.last(column),
                1e-7 * std::abs(in_mm.last(column)));
  EXPECT_NEAR(in_m.last("middle:u_z"), 1e-3 * in_mm.last("middle:u_z"), 1e-12);
  EXPECT_EQ(in_m.history.at("newton_iterations"),
            in_mm.history.at("newton_iterations"));
}

// Layers: each half gives way by its own moduli. Two layers from the inner face
// outwards, the softer one 3/4 of the thickness.
TEST(Thickness, Layers)
{
  std::string text  = squeezed_sheet;
  const auto insert = [&](const std::string &before, const std::string &what)
  { text.insert(text.find(before), what); };
  insert("subsection Body sheet", R"(
subsection Material soft
  set Density       = 1e-9
  set Young modulus = 500
  set Poisson ratio = 0.3
end
)");
  insert("  set Thickness", R"(  subsection Shell
    set Layers          = soft, metal
    set Layer fractions = 0.75, 0.25
  end
)");
  text.replace(text.find("  set Material  = metal\n"), 24, "");
  const SheetRun run(text);
  ASSERT_EQ(run.failure, "");
  // Outer half: one half of it of each, inner half: the soft one.
  const double outer = 0.25 * (0.5 / 500. + 0.5 / 2000.) / 16.,
               inner = 0.25 / 500. / 16., F = 1e-3 / (outer + inner);
  EXPECT_NEAR(run.last("below:force_z"), F, 1e-7 * F);
  EXPECT_NEAR(run.last("middle:u_z"), -F * inner, 1e-7 * F * inner);
}

// A plate on one side: a sheet pressed by p goes down by p a / (2 E), without
// compliance not at all.
TEST(Thickness, OnOneSide)
{
  for (const bool compliant : { true, false })
  {
    const SheetRun run(pressed_sheet,
                       { std::string("Body sheet/Shell/Compliance=") +
                             (compliant ? "true" : "false"),
                         "Newton/Tolerance=1e-10" });
    ASSERT_EQ(run.failure, "");
    EXPECT_NEAR(run.last("foot:force_z"), 3. * 16., 1e-6);
    const auto fields = run.fields();
    const double down = compliant ? -3. * 0.5 / (2. * 2000.) : 0.;
    const auto &u     = fields.at("displacement");
    for (std::size_t i = 2; i < u.size(); i += 3)
      EXPECT_NEAR(u[i], down, 2e-5 * 3. * 0.5 / 4000.);
  }
}

// A sheet falls on a plate and leaves it again: what it is pressed in stores
// energy, and the balance closes.
TEST(Thickness, EnergyCloses)
{
  const SheetRun run(squeezed_sheet,
                     { "Time/Scheme=dynamic",
                       "Time/Theta=1",
                       "Time/End=6e-6",
                       "Time/Step=5e-8",
                       "Obstacle upper/Displacement=0; 0; 0",
                       "Obstacle upper/Point=0, 0, 1",
                       "Body sheet/Initial velocity=0; 0; -1000" });
  ASSERT_EQ(run.failure, "");
  const auto energy    = read_csv(run.path() + "/energy.csv");
  const double kinetic = 0.5 * 7.8e-9 * 16. * 0.5 * 1e6;
  double most          = 0.;
  for (std::size_t i = 0; i < energy.at("time").size(); ++i)
  {
    most = std::max(most, energy.at("law_stored")[i]);
    EXPECT_LE(std::abs(energy.at("step_residual")[i]), 1e-8 * kinetic);
    EXPECT_GE(energy.at("law_dissipation")[i], 0.);
  }
  // m x'' = - 2 E A x / a: all that implicit Euler does not take, which is
  // half of h w pi / 2 until the turn.
  const double w = std::sqrt(2. * stiffness / (7.8e-9 * 8.));
  EXPECT_NEAR(most, kinetic, 1.1 * w * 5e-8 * M_PI / 2. * kinetic);
  EXPECT_GT(run.last("middle:v_z"), 0.8 * 1000.);
}

// Sheets that are touched on one side take no more iterations for it: the first
// steps of a sheet that is drawn over a punch, with friction.
TEST(Thickness, CostsNoIterations)
{
  std::ifstream in(std::string(DELASSUS_SOURCE_DIR) +
                   "/parameter_files/stretching.prm");
  std::stringstream text;
  text << in.rdbuf();
  double iterations[2] = { 0., 0. }, sweeps[2] = { 0., 0. };
  for (const bool compliant : { true, false })
  {
    const SheetRun run(text.str(),
                       { std::string("Body sheet/Shell/Compliance=") +
                             (compliant ? "true" : "false"),
                         "Time/End=0.1",
                         "Output/Interval=0" });
    ASSERT_EQ(run.failure, "");
    for (const double n : run.history.at("newton_iterations"))
      iterations[compliant] += n;
    for (const double n : run.history.at("sweeps"))
      sweeps[compliant] += n;
  }
  EXPECT_LE(iterations[true], iterations[false]);
  EXPECT_LE(sweeps[true], 1.05 * sweeps[false]);
}

TEST(Thickness, MistakesOfSides)
{
  const auto error = [](const std::vector<std::string> &overrides)
  {
    try
    {
      const SheetRun run(squeezed_sheet, overrides);
      return "no error: " + run.failure;
    }
    catch (const InputError &e)
    {
      return std::string(e.what());
    }
  };
  const auto other = error({ "Interaction below/Candidates=sheet/outer" });
  EXPECT_NE(other.find("Side = inner and the candidate 'sheet/outer'"),
            std::string::npos)
      << other;
  const auto none = error({ "Obstacle upper/Displacement=0; 0; 0",
                            "Interaction below/Side=middle" });
  EXPECT_NE(none.find("both, outer, inner"), std::string::npos) << none;
}

// A holder under a force on a sheet that nothing else holds, in either system
// of units: it comes down by F a / (E A), and both sides carry F.
TEST(Thickness, AHolderUnderAForce)
{
  const double length[] = { 1., 1e-3 }, force[] = { 64., 64e-3 };
  for (unsigned int i = 0; i < 2; ++i)
  {
    const double l = length[i], F = force[i], E = 2000. * F / 64. / (l * l);
    const auto list = [&](const double x, const double y, const double z)
    { return fmt::format("{:.17g},{:.17g},{:.17g}", x * l, y * l, z * l); };
    const SheetRun run(
        squeezed_sheet,
        { fmt::format("Material metal/Young modulus={:.17g}", E),
          fmt::format("Body sheet/Thickness={:.17g}", 0.5 * l),
          "Body sheet/Mesh/Origin=" + list(0., 0., 0.25),
          fmt::format("Body sheet/Mesh/Size={:.17g},{:.17g}", 4. * l, 4. * l),
          "Obstacle upper/Type=box",
          "Obstacle upper/Normal=",
          "Obstacle upper/Point=" + list(-1., -1., 0.5),
          "Obstacle upper/Size=" + list(6., 6., 1.),
          "Obstacle upper/Displacement=",
          "Obstacle upper/Free=z",
          fmt::format("Obstacle upper/Force=0;0;-{:.17g}*t", F),
          "Probe middle/Point=" + list(2., 2., 0.25) });
    ASSERT_EQ(run.failure, "") << l;
    EXPECT_NEAR(run.last("below:force_z"), F, 1e-6 * F) << l;
    EXPECT_NEAR(run.last("above:force_z"), -F, 1e-6 * F) << l;
    EXPECT_NEAR(run.last("upper:tool_u_z"), -1e-3 * l, 1e-3 * 1e-3 * l) << l;
    EXPECT_NEAR(run.last("middle:u_z"), -0.5e-3 * l, 1e-3 * 1e-3 * l) << l;
    EXPECT_EQ(double(run.summary["newton"]["steps_cut"]), 0.);
  }
}

// Nothing else holds a thin sheet, whose bending resists a million times less
// than its thickness: what W loses by rounding is found without it.
TEST(Thickness, OfAThinSheetThatNothingElseHolds)
{
  const SheetRun run(squeezed_sheet,
                     { "Body sheet/Thickness=0.1",
                       "Body sheet/Mesh/Origin=0,0,0.05",
                       "Body sheet/Mesh/Divisions=6,6",
                       "Obstacle upper/Point=0,0,0.1",
                       "Obstacle upper/Displacement=0;0;-1e-4*t",
                       "Probe middle/Point=2,2,0.05" });
  ASSERT_EQ(run.failure, "");
  const double F = 2000. * 16. * 1e-3;
  EXPECT_NEAR(run.last("below:force_z"), F, 1e-6 * F);
  EXPECT_NEAR(run.last("above:force_z"), -F, 1e-6 * F);
  EXPECT_NEAR(run.last("middle:u_z"), -0.5e-4, 1e-4 * 1e-4);
}

// Hardly anything is strained there: what the enhanced modes of its elements
// are out of balance by is the rounding of stresses.
TEST(Thickness, OfASheetThatIsHardlyStrained)
{
  const SheetRun run(squeezed_sheet,
                     { "Material metal/Model=neo-Hookean",
                       "Body sheet/Thickness=0.2",
                       "Body sheet/Mesh/Origin=0,0,0.1",
                       "Body sheet/Mesh/Divisions=6,6",
                       "Obstacle upper/Point=0,0,0.2" });
  ASSERT_EQ(run.failure, "");
  const double F = 2000. * 16. * 1e-3 / 0.2;
  EXPECT_NEAR(run.last("below:force_z"), F, 1e-6 * F);
  EXPECT_NEAR(run.last("above:force_z"), -F, 1e-6 * F);
}
