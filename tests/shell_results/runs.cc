// What runs with sheets write: result files read back, tables, summary.
#include "sheet_runs.h"

#include <delassus/base/exceptions.h>

#include <algorithm>

using namespace delassus;
using namespace test;

namespace
{
std::array<double, 3> vector_at(const std::vector<float> &values,
                                const std::size_t point)
{
  return {
    { values[3 * point], values[3 * point + 1], values[3 * point + 2] }
  };
}

/// Largest absolute value and largest deviation from a value.
double farthest(const std::vector<float> &values, const double from)
{
  double most = 0.;
  for (const float value : values)
    most = std::max(most, std::abs(value - from));
  return most;
}
} // namespace

// M = EI kappa: a moment of 25 pi/3 bends to a quarter of a circle (less a
// share of (kappa t)^2 that the law has).
TEST(SheetRuns, BentStrip)
{
  const SheetRun run(bent_strip);
  ASSERT_EQ(run.failure, "");
  const auto fields = run.fields();
  expect_complete(fields);
  // 16 elements, three levels of four corners each.
  const std::size_t n = fields.at("Points").size() / 3;
  ASSERT_EQ(n, 16u * 12u);
  const double t = 0.1, width = 2., E = 1.2e6, M = 25. * M_PI / 3. / width,
               kappa = M / (E * t * t * t / 12.);
  EXPECT_NEAR(farthest(fields.at("thickness"), t), 0., 1e-7);
  EXPECT_NEAR(farthest(fields.at("thinning"), 0.), 0., 1e-6);
  const auto &x = fields.at("Points"), &u = fields.at("displacement"),
             &director = fields.at("director"),
             &section  = fields.at("section_moment"),
             &force    = fields.at("section_force");
  for (std::size_t i = 0; i < n; ++i)
  {
    // The outer face is in compression: it is bent towards the normals (z).
    EXPECT_NEAR(section[3 * i], -M, 2e-3 * M);
    EXPECT_NEAR(section[3 * i + 1], 0., 2e-3 * M);
    EXPECT_NEAR(force[3 * i], 0., 2e-3 * M / t);
    const double side    = i / 4 % 3 == 0   ? 1.
                           : i / 4 % 3 == 1 ? 0.
                                            : -1.,
                 stretch = 1. + side * 0.5 * t * kappa,
                 stress  = E * stretch * 0.5 * (stretch * stretch - 1.);
    EXPECT_NEAR(fields.at("von_mises_stress")[i],
                std::abs(stress),
                1e-2 * E * 0.5 * t * kappa);
    EXPECT_NEAR(fields.at("major_strain")[i],
                std::max(0., std::log(stretch)),
                1e-2 * 0.5 * t * kappa);
    EXPECT_NEAR(fields.at("minor_strain")[i],
                std::min(0., std::log(stretch)),
                1e-2 * 0.5 * t * kappa);
    // Points at rest are on the faces, and so they are now.
    EXPECT_NEAR(x[3 * i + 2], -side * 0.5 * t, 1e-6);
    if (i / 4 % 3 == 0)
    {
      const auto d = vector_at(director, i);
      for (unsigned int c = 0; c < 3; ++c)
      {
        const double inner = x[3 * i + c] + u[3 * i + c],
                     outer = x[3 * (i + 8) + c] + u[3 * (i + 8) + c];
        EXPECT_NEAR(outer - inner, t * d[c], 1e-5);
      }
    }
  }
  // The stress of the outer face of the first element is along the strip.
  EXPECT_LT(fields.at("stress_xx")[8], 0.);
  EXPECT_GT(fields.at("stress_xx")[0], 0.);

  // The end: a quarter of a circle about (0, 12/(pi/2)).
  const double R = 1. / kappa, phi = 12. * kappa;
  EXPECT_NEAR(run.last("end:u_x"), R * std::sin(phi) - 12., 0.02);
  EXPECT_NEAR(run.last("end:u_z"), R * (1. - std::cos(phi)), 0.02);
  EXPECT_NEAR(run.last("end:director_x"), -std::sin(phi), 3e-3);
  EXPECT_NEAR(run.last("end:director_z"), std::cos(phi), 3e-3);
  EXPECT_NEAR(run.last("end:thickness"), t, 1e-10);
  EXPECT_GT(run.last("end:v_z"), 0.);
  // At the end the strip stands up: stresses of its faces are along z.
  const double bent = 0.5 * t * kappa;
  EXPECT_NEAR(run.last("end:inner_stress_zz"), E * bent, 0.01 * E * bent);
  EXPECT_NEAR(run.last("end:outer_stress_zz"), -E * bent, 0.01 * E * bent);
  EXPECT_NEAR(run.last("end:inner_strain_zz"), bent, 0.01 * bent);
  EXPECT_NEAR(run.last("strip:greatest_major_strain"), bent, 0.01 * bent);
  EXPECT_NEAR(run.last("strip:least_thickness"), t, 1e-10);
  EXPECT_EQ(run.history.count("strip:greatest_plastic_strain"), 0u);
  // What holds it takes up the moment, and no force; loads have no reactions.
  EXPECT_NEAR(run.last("held:reaction_moment_y"), M * width, 1e-5 * M);
  EXPECT_NEAR(run.last("held:reaction_moment_x"), 0., 1e-5 * M);
  EXPECT_NEAR(run.last("held:reaction_x"), 0., 1e-4 * M);
  EXPECT_EQ(run.history.count("turned:reaction_x"), 0u);
  const auto &state = run.summary["states"].back();
  EXPECT_NEAR(double(state["sheets"]["strip"]["greatest_major_strain"]),
              bent,
              0.01 * bent);
  EXPECT_NEAR(
      double(state["largest_von_mises_stress"]), E * bent, 0.01 * E * bent);
  EXPECT_EQ(run.summary["counts"]["bodies"], 1);
  EXPECT_EQ(run.summary["counts"]["cells"], 16);
  EXPECT_EQ(run.summary["counts"]["dofs"], 34 * 5);
  EXPECT_EQ(run.summary["counts"]["driven_dofs"], 2 * 5);
}

// Tension: the stress is that of the tensile test, and so are the strains.
TEST(SheetRuns, TensionOfAPlasticSheet)
{
  const SheetRun run(stretched_sheet);
  ASSERT_EQ(run.failure, "");
  const auto fields = run.fields();
  expect_complete(fields);
  // Logarithmic: eps = s/E + p, s = sy + H p, tau = s, sigma = tau / J.
  const double E = 200000., nu = 0.3, sy = 200., H = 1000., eps = std::log(1.1),
               p = (eps - sy / E) / (1. + H / E), s = sy + H * p,
               lateral = -0.5 * p - nu * s / E,
               J = std::exp(eps + 2. * lateral), sigma = s / J,
               t = 0.5 * std::exp(lateral), width = 10. * std::exp(lateral);
  EXPECT_NEAR(farthest(fields.at("stress_xx"), sigma), 0., 1e-4 * sigma);
  EXPECT_NEAR(farthest(fields.at("stress_yy"), 0.), 0., 1e-4 * sigma);
  EXPECT_NEAR(farthest(fields.at("von_mises_stress"), sigma), 0., 1e-4 * sigma);
  EXPECT_NEAR(
      farthest(fields.at("principal_stress_1"), sigma), 0., 1e-4 * sigma);
  EXPECT_NEAR(farthest(fields.at("plastic_strain"), p), 0., 1e-5);
  EXPECT_NEAR(farthest(fields.at("major_strain"), eps), 0., 1e-5);
  EXPECT_NEAR(farthest(fields.at("minor_strain"), lateral), 0., 1e-5);
  EXPECT_NEAR(farthest(fields.at("strain_xx"), eps), 0., 1e-5);
  EXPECT_NEAR(farthest(fields.at("strain_zz"), lateral), 0., 1e-5);
  EXPECT_NEAR(farthest(fields.at("thickness"), t), 0., 1e-5);
  EXPECT_NEAR(farthest(fields.at("thinning"), 1. - t / 0.5), 0., 1e-5);
  EXPECT_NEAR(farthest(fields.at("volume_ratio"), J), 0., 1e-5);
  EXPECT_EQ(farthest(fields.at("body"), 0.), 0.);
  for (std::size_t i = 0; i < fields.at("body").size(); ++i)
  {
    EXPECT_NEAR(fields.at("section_force")[3 * i], sigma * t, 1e-4 * sigma);
    EXPECT_NEAR(fields.at("material_direction")[3 * i], 1., 1e-6);
    EXPECT_NEAR(fields.at("velocity")[3 * i],
                fields.at("displacement")[3 * i],
                1e-3); // 2 t at x = 20
  }
  EXPECT_NEAR(run.last("pulled:reaction_x"), sigma * t * width, 1e-3);
  EXPECT_NEAR(run.last("x0:reaction_x"), -sigma * t * width, 1e-3);
  EXPECT_NEAR(run.last("x0:reaction_moment_y"), 0., 1e-3);
  EXPECT_NEAR(run.last("inside:outer_stress_xx"), sigma, 1e-6 * sigma);
  EXPECT_NEAR(run.last("inside:inner_stress_xx"), sigma, 1e-6 * sigma);
  EXPECT_NEAR(run.last("inside:outer_strain_yy"), lateral, 1e-8);
  EXPECT_NEAR(run.last("inside:thickness"), t, 1e-7);
  EXPECT_NEAR(run.last("inside:u_x"), 1., 1e-6);
  EXPECT_NEAR(run.last("sheet:least_thickness"), t, 1e-7);
  EXPECT_NEAR(run.last("sheet:greatest_thinning"), 1. - t / 0.5, 1e-7);
  EXPECT_NEAR(run.last("sheet:greatest_plastic_strain"), p, 1e-7);
  EXPECT_NEAR(run.last("sheet:greatest_major_strain"), eps, 1e-7);
  EXPECT_NEAR(
      run.last("largest_displacement"), std::hypot(2., 10. - width), 1e-6);
}

// A pressure of 3 comes out at the face that is pressed, with its sign.
TEST(SheetRuns, ContactTractionIsOfTheFaceThatTouches)
{
  for (const bool below : { true, false })
  {
    std::vector<std::string> changes;
    if (!below)
      changes = { "Body sheet/Mesh/Origin=0, 0, -0.25",
                  "Obstacle ground/Normal=0, 0, -1",
                  "Interaction foot/Candidates=sheet/outer",
                  "Boundary condition weight/Surfaces=sheet/inner" };
    const SheetRun run(pressed_sheet, changes);
    ASSERT_EQ(run.failure, "");
    const auto fields = run.fields();
    expect_complete(fields);
    const auto &pressure = fields.at("contact_pressure"),
               &traction = fields.at("contact_traction");
    for (std::size_t i = 0; i < pressure.size(); ++i)
    {
      const std::size_t level = i / 4 % 3;
      const double expected   = level == (below ? 0u : 2u) ? 3. : 0.;
      EXPECT_NEAR(pressure[i], expected, 1e-4) << level;
      EXPECT_NEAR(traction[3 * i + 2], below ? expected : -expected, 1e-4);
    }
    EXPECT_NEAR(run.last("foot:force_z"), (below ? 1. : -1.) * 48., 1e-5);
    // sigma = 1/V sum OP (x) r: the reactions below the middle.
    EXPECT_NEAR(fields.at("moment_stress_zz")[0], -1.5, 1e-4);
    EXPECT_NEAR(fields.at("moment_stress_xx")[0], 0., 1e-4);
    const auto block = read_vtu(run.path() + "/vtu/blocks_000002.vtu");
    ASSERT_EQ(block.at("volume").size(), 1u);
    EXPECT_NEAR(block.at("volume")[0], 8., 1e-4);
    // Half the sheet is pressed in by p a / (2 E).
    const double middle = 0.25 - 3. * 0.5 / (2. * 2000.);
    EXPECT_NEAR(block.at("Points")[2], below ? middle : -middle, 1e-6);
    EXPECT_NEAR(block.at("moment_stress_zz")[0], -1.5, 1e-4);
  }
}

namespace
{
/// A block beside the sheet that nothing touches.
const char *block_beside = R"(
subsection Material stone
  set Density       = 1e-9
  set Young modulus = 1000
  set Poisson ratio = 0.2
end
subsection Body block
  set Material = stone
  subsection Mesh
    set Type   = box
    set Size   = 1, 1, 1
    set Origin = 10, 0, 0
  end
end
subsection Boundary condition block
  set Surfaces = block/bottom
end
subsection Boundary condition squeezed
  set Type       = displacement
  set Surfaces   = block/top
  set Components = z
  set Value      = -0.01*t
end
subsection Probe top
  set Body  = block
  set Point = 10, 0, 1
end
subsection Probe sheet
  set Body  = sheet
  set Point = 10, 0, 1
end
)";
} // namespace

// Cells of solids and of sheets are in one file, with the same fields.
TEST(SheetRuns, BesideSolids)
{
  const SheetRun alone(pressed_sheet),
      both(std::string(pressed_sheet) + block_beside);
  ASSERT_EQ(both.failure, "");
  const auto fields = both.fields(), sheet = alone.fields();
  expect_complete(fields);
  ASSERT_EQ(fields.at("body").size(), 8u + 16u * 12u);
  for (unsigned int i = 0; i < 8; ++i)
  {
    EXPECT_EQ(fields.at("body")[i], 0.f);
    EXPECT_EQ(fields.at("thickness")[i], 0.f);
    EXPECT_NEAR(fields.at("strain_zz")[i], -0.01, 1e-6);
  }
  for (unsigned int i = 8; i < fields.at("body").size(); ++i)
    EXPECT_EQ(fields.at("body")[i], 1.f);
  for (const auto &[name, values] : sheet)
  {
    const auto &other   = fields.at(name);
    const std::size_t n = other.size() - values.size();
    if (name == "body")
      continue;
    double size = 1e-3;
    for (const float value : values)
      size = std::max<double>(size, std::abs(value));
    if (name.find("principal_direction") == 0)
      continue; // of equal values anything
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(values[i], other[n + i], 1e-4 * size) << name;
  }
  EXPECT_NEAR(both.last("top:u_z"), -0.01, 1e-9);
  EXPECT_EQ(both.history.count("top:thickness"), 0u);
  EXPECT_NEAR(both.last("sheet:thickness"), 0.5, 1e-6);
  EXPECT_NEAR(both.last("sheet:u_x"), both.last("sheet:u_y"), 1e-9);
  EXPECT_GT(both.last("squeezed:reaction_z"), -20.);
  EXPECT_LT(both.last("squeezed:reaction_z"), -9.);
}

TEST(SheetRuns, EveryLayer)
{
  const std::string layers = R"(
subsection Body sheet
  subsection Shell
    set Layers          = metal, metal, metal
    set Layer fractions = 0.25, 0.5, 0.25
  end
end
)";
  std::string text         = stretched_sheet;
  text.replace(text.find("  set Material  = metal\n"), 24, "");
  const SheetRun run(text + layers,
                     { "Output/Shell layers=true", "Time/End=0.2" });
  ASSERT_EQ(run.failure, "");
  const auto fields = run.fields();
  expect_complete(fields);
  ASSERT_EQ(fields.at("layer").size(), 8u * 24u);
  const double zeta[] = { -1., -0.5, -0.5, 0.5, 0.5, 1. };
  for (std::size_t i = 0; i < fields.at("layer").size(); ++i)
  {
    EXPECT_EQ(fields.at("layer")[i], float(i / 8 % 3));
    EXPECT_NEAR(fields.at("Points")[3 * i + 2], 0.25 * zeta[i / 4 % 6], 1e-6);
  }
}

// The last good state is written where a run cannot go on, and it is one.
TEST(SheetRuns, WhatCannotBeCarriedLeavesTheLastGoodState)
{
  // A tension above what the sheet bears.
  std::string text = stretched_sheet;
  const auto at    = text.find("subsection Boundary condition pulled");
  text.replace(at,
               text.find("subsection Probe") - at,
               "subsection Boundary condition pulled\n"
               "  set Type     = force\n"
               "  set Surfaces = sheet/right\n"
               "  set Value    = 2000*t; 0; 0\n"
               "end\n");
  const SheetRun run(text,
                     { "Material metal/Hardening modulus=0",
                       "Newton/Maximum iterations=20",
                       "Newton/Smallest step=0.01" });
  EXPECT_NE(run.failure, "");
  EXPECT_EQ(run.summary["completed"], false);
  const auto fields = run.fields();
  expect_complete(fields);
  for (const float stress : fields.at("von_mises_stress"))
    EXPECT_LE(stress, 200.1f);
  double largest = 0.;
  for (const float stress : fields.at("stress_xx"))
    largest = std::max<double>(largest, stress);
  EXPECT_GT(largest, 100.);
}
