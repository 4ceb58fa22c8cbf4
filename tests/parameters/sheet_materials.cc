// Materials of sheets in the section Material: Hill, orthotropic, back stresses
// with a recall; what solids refuse.
#include "good_file.h"

using namespace delassus;

namespace
{
/// The good file with a material of no body, that of a sheet.
std::string with_sheet(const std::string &lines)
{
  return with("subsection Body wall\n",
              "subsection Material sheet\n"
              "  set Density = 500\n" +
                  lines +
                  "end\n\n"
                  "subsection Body wall\n");
}

MaterialParameters sheet_of(const std::string &lines)
{
  const ScratchDirectory scratch;
  const auto parsed =
      read_parameters(scratch.write("wall.prm", with_sheet(lines)));
  EXPECT_EQ(parsed.warnings.size(), 1u); // no body is made of it
  return parsed.values.materials.at(1);
}

const std::string isotropic   = "set Young modulus = 1e6\n"
                                "set Poisson ratio = 0.3\n";
const std::string hill        = isotropic + "set Model = Hill\n"
                                            "set Yield stress = 2\n";
const std::string barlat      = isotropic + "set Model = Barlat\n"
                                            "set Yield stress = 2\n";
const std::string r_values    = "set r values = 1.79, 1.51, 2.27\n";
const std::string j2          = isotropic + "set Model = J2\n"
                                            "set Yield stress = 2\n";
const std::string orthotropic = "set Model = orthotropic\n";
const std::string young       = "set Young moduli = 140, 10\n";
const std::string poisson     = "set Poisson ratios = 0.3\n";
const std::string shear       = "set Shear moduli = 5, 6, 3\n";

struct Mistake
{
  std::string lines; ///< the last one is wrong
  std::vector<std::string> parts;
};
} // namespace

TEST(SheetMaterials, Barlat)
{
  auto m = sheet_of(barlat + r_values);
  EXPECT_EQ(m.model, MaterialModel::barlat);
  EXPECT_EQ(m.r_values, (std::array<double, 3>{ { 1.79, 1.51, 2.27 } }));
  EXPECT_EQ(m.yield_exponent, 8.);
  m = sheet_of(barlat + r_values +
               "set Yield exponent = 6\nset Viscosity = 5\n");
  EXPECT_EQ(m.yield_exponent, 6.);
  EXPECT_EQ(m.viscosity, 5.);
}

TEST(SheetMaterials, Hill)
{
  const auto m = sheet_of(hill + r_values +
                          "set Hardening modulus = 3\n"
                          "set Kinematic hardening modulus = 4\n"
                          "set Viscosity = 5\nset Rate exponent = 0.5\n"
                          "set Back stress moduli = 100, 30\n"
                          "set Back stress rates = 60, 0\n");
  EXPECT_EQ(m.model, MaterialModel::hill);
  EXPECT_EQ(m.r_values, (std::array<double, 3>{ { 1.79, 1.51, 2.27 } }));
  EXPECT_EQ(m.yield_stress, 2.);
  EXPECT_EQ(m.hardening_modulus, 3.);
  EXPECT_EQ(m.kinematic_modulus, 4.);
  EXPECT_EQ(m.viscosity, 5.);
  EXPECT_EQ(m.rate_exponent, 0.5);
  EXPECT_EQ(m.back_stress_moduli, (std::vector<double>{ 100., 30. }));
  EXPECT_EQ(m.back_stress_rates, (std::vector<double>{ 60., 0. }));
}

TEST(SheetMaterials, Orthotropic)
{
  auto m = sheet_of(orthotropic + young + poisson + shear);
  EXPECT_EQ(m.model, MaterialModel::orthotropic);
  EXPECT_EQ(m.young_moduli, (std::array<double, 3>{ { 140., 10., 10. } }));
  EXPECT_EQ(m.poisson_ratios, (std::array<double, 3>{ { 0.3, 0.3, 0.3 } }));
  EXPECT_EQ(m.shear_moduli, (std::array<double, 3>{ { 5., 6., 3. } }));
  m = sheet_of(orthotropic +
               "set Young moduli = 140, 10, 9\n"
               "set Poisson ratios = 0.3, 0.25, 0.4\n" +
               shear);
  EXPECT_EQ(m.young_moduli, (std::array<double, 3>{ { 140., 10., 9. } }));
  EXPECT_EQ(m.poisson_ratios, (std::array<double, 3>{ { 0.3, 0.25, 0.4 } }));
}

TEST(SheetMaterials, DefaultsAreThoseOfTheStruct)
{
  const MaterialParameters plain;
  const auto m = sheet_of(j2);
  EXPECT_EQ(m.r_values, plain.r_values);
  EXPECT_TRUE(m.back_stress_moduli.empty());
  EXPECT_TRUE(m.back_stress_rates.empty());
  EXPECT_EQ(m.young_moduli, plain.young_moduli);
}

TEST(SheetMaterials, MistakesAreReportedWithTheirPlace)
{
  const std::string many = "set Back stress rates = 1, 1, 1, 1, 1, 1, 1, 1\n"
                           "set Back stress moduli = 1, 1, 1, 1, 1, 1, 1, 1\n";
  const std::vector<Mistake> mistakes = {
    // Hill.
    { hill, { "'r values'", "must be given for Model = Hill" } },
    { isotropic + r_values + "set Model = Hill\n",
      { "'Yield stress'", "must be given for Hardening = linear" } },
    { hill + "set r values = 1, 1\n",
      { "'r values' = '1, 1'", "it has 2 numbers", "r0, r45, r90" } },
    { hill + "set r values = 1, one, 1\n", { "'r values'", "a list" } },
    { hill + "set r values = 0, 1, 1\n",
      { "would not be convex", "no closed surface", "greater than 0" } },
    { hill + "set r values = 1, 1, 0\n", { "would not be convex" } },
    { hill + "set r values = -0.5, 1, 1\n", { "would not be convex" } },
    { hill + "set r values = -0.5, 1, -0.5\n", { "would not be convex" } },
    { hill + "set r values = 1, -0.5, 1\n",
      { "would not be convex", "shear would never yield", "-1/2" } },
    { hill + "set r values = 1, -3, 1\n", { "shear would never yield" } },
    // Back stresses.
    { hill + r_values + "set Back stress moduli = 100\n",
      { "'Back stress moduli' = '100'",
        "1 Back stress moduli and 0 Back stress rates",
        "one rate for each modulus" } },
    { hill + r_values + "set Back stress rates = 10\n",
      { "'Back stress rates' = '10'", "one rate for each modulus" } },
    { j2 + "set Back stress rates = 1, 2, 3\nset Back stress moduli = 1, 2\n",
      { "2 Back stress moduli and 3 Back stress rates" } },
    { j2 + "set Back stress rates = 1\nset Back stress moduli = 0\n",
      { "'Back stress moduli' = '0'", "greater than 0" } },
    { j2 + "set Back stress moduli = 1\nset Back stress rates = -1\n",
      { "'Back stress rates' = '-1'", "0 or greater" } },
    { j2 + "set Kinematic hardening modulus = 1\n" + many,
      { "there are 9 back stresses", "included", "at most 8" } },
    // Orthotropic.
    { orthotropic + poisson + shear,
      { "'Young moduli'", "must be given for Model = orthotropic" } },
    { orthotropic + young + poisson,
      { "'Shear moduli'", "must be given for Model = orthotropic" } },
    { orthotropic + poisson + shear + "set Young moduli = 140\n",
      { "it has 1 number;", "E1, E2" } },
    { orthotropic + young + shear + "set Poisson ratios = 1, 2, 3, 4\n",
      { "it has 4 numbers", "nu12" } },
    { orthotropic + young + poisson + "set Shear moduli = 1, 2\n",
      { "it has 2 numbers", "G12, G13, G23" } },
    { orthotropic + young + poisson + "set Shear moduli = 1, 2, 0\n",
      { "'Shear moduli' = '1, 2, 0'", "greater than 0" } },
    { orthotropic + young + shear + "set Poisson ratios = 4\n",
      { "negative energy", "sqrt(E1/E2)" } },
    { orthotropic + young + shear + "set Poisson ratios = 0.3, 0.3, 1\n",
      { "negative energy", "nu23^2 E3/E2" } },
    { orthotropic + young + poisson + shear + "set Young modulus = 3\n",
      { "'Young modulus' = '3'", "Model = orthotropic has Young moduli" } },
    // Barlat.
    { barlat, { "'r values'", "must be given for Model = Barlat" } },
    { barlat + "set r values = -0.2, 1, -0.3\n",
      { "would not be convex", "r0 and r90 greater than 0" } },
    { barlat + "set r values = 1, -0.5, 1\n",
      { "shear would never yield", "r45 greater than -1/2" } },
    { barlat + r_values + "set Yield exponent = 1.5\n",
      { "'Yield exponent' = '1.5'", "2 to 20" } },
    { barlat + r_values + "set Kinematic hardening modulus = 3\n",
      { "Model = Barlat has no back stresses" } },
    { barlat + r_values + "set Back stress rates = 3\n",
      { "Model = Barlat has no back stresses" } },
    { barlat + r_values + "set Back stress moduli = 3\n",
      { "Model = Barlat has no back stresses" } },
    { hill + r_values + "set Yield exponent = 6\n",
      { "'Yield exponent' = '6'", "Model = Barlat and Model = Hill" } },
    // Without effect.
    { j2 + r_values,
      { "'r values'",
        "contradictory",
        "Model = Hill, Barlat and Model = J2" } },
    { isotropic + "set Model = J2 small strain\nset Yield stress = 1\n"
                  "set Back stress rates = 1\n",
      { "'Back stress rates' = '1'", "it is for Model = J2, Hill and" } },
    { isotropic + young, { "'Young moduli'", "Model = linear elastic" } },
    { isotropic + "set Back stress moduli = 1\n",
      { "'Back stress moduli' = '1'", "Model = linear elastic" } }
  };
  const ScratchDirectory scratch;
  for (const auto &mistake : mistakes)
  {
    SCOPED_TRACE(mistake.lines);
    const std::string text = with_sheet(mistake.lines);
    const std::string file = scratch.write("wall.prm", text);
    auto parts             = mistake.parts;
    const bool missing =
        mistake.parts.back().find("must be given") != std::string::npos;
    const std::string last = mistake.lines.substr(
        mistake.lines.rfind("set ", mistake.lines.size() - 2));
    parts.push_back(file + ":" +
                    std::to_string(line_of(
                        missing ? "subsection Material sheet" : last, text)) +
                    ": section 'Material sheet', entry '");
    expect_parts(message_of(file), parts);
  }
}

// A solid of such a material: told where the body names it.
TEST(SheetMaterials, SolidsRefuseThem)
{
  const ScratchDirectory scratch;
  const std::vector<Mistake> mistakes = {
    { hill + r_values, { "Model = Hill", "neo-Hookean, J2 small strain" } },
    { barlat + r_values, { "Model = Barlat" } },
    { orthotropic + young + poisson + shear, { "Model = orthotropic" } },
    { j2 + "set Back stress moduli = 1\nset Back stress rates = 1\n",
      { "Back stress moduli", "Kinematic hardening modulus" } }
  };
  for (const auto &mistake : mistakes)
  {
    const std::string text = with("set Material = stone",
                                  "set Material = sheet",
                                  with_sheet(mistake.lines));
    const std::string file = scratch.write("wall.prm", text);
    auto parts             = mistake.parts;
    parts.push_back(file + ":" +
                    std::to_string(line_of("set Material = sheet", text)) +
                    ": section 'Body wall', entry 'Material' = 'sheet'");
    parts.push_back("is for sheets, and the body is a solid");
    expect_parts(message_of(file), parts);
  }
}
