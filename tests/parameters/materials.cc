// The section Material: its models, what they refuse, and the library of named
// materials.
#include "good_file.h"

#include <test_paths.h>

#include <set>

using namespace delassus;

namespace
{
/// The good file with these lines in its material.
std::string with_lines(const std::string &lines)
{
  return with("  set Poisson ratio = 0.3\n",
              "  set Poisson ratio = 0.3\n" + lines);
}

MaterialParameters material_of(const std::string &lines)
{
  const ScratchDirectory scratch;
  const auto parsed =
      read_parameters(scratch.write("wall.prm", with_lines(lines)));
  EXPECT_TRUE(parsed.warnings.empty());
  return parsed.values.materials.at(0);
}

struct Mistake
{
  std::string lines; ///< the last one is wrong
  std::vector<std::string> parts;
};
} // namespace

TEST(Materials, DefaultsAreThoseOfTheStruct)
{
  const auto m = material_of("");
  const MaterialParameters plain;
  EXPECT_EQ(m.model, plain.model);
  EXPECT_EQ(m.model, MaterialModel::linear_elastic);
  EXPECT_EQ(m.hardening, plain.hardening);
  const auto j2 = material_of("set Model = J2\nset Yield stress = 3\n");
  EXPECT_EQ(j2.hardening, HardeningType::linear);
  EXPECT_EQ(j2.hardening_modulus, 0.);
  EXPECT_EQ(j2.kinematic_modulus, plain.kinematic_modulus);
  EXPECT_EQ(j2.viscosity, plain.viscosity);
  EXPECT_EQ(j2.rate_exponent, plain.rate_exponent);
}

TEST(Materials, EveryChoiceStandsForItsEnumerator)
{
  EXPECT_EQ(material_of("set Model = linear elastic\n").model,
            MaterialModel::linear_elastic);
  EXPECT_EQ(material_of("set Model = Saint Venant-Kirchhoff\n").model,
            MaterialModel::saint_venant_kirchhoff);
  EXPECT_EQ(material_of("set Model = neo-Hookean\n").model,
            MaterialModel::neo_hookean);
  const auto maxwell = material_of("set Model = Maxwell\nset Viscosity = 7\n");
  EXPECT_EQ(maxwell.model, MaterialModel::maxwell);
  EXPECT_EQ(maxwell.viscosity, 7.);

  auto m = material_of("set Model = J2 small strain\nset Yield stress = 2\n"
                       "set Hardening modulus = 3\n"
                       "set Kinematic hardening modulus = 4\n"
                       "set Viscosity = 5\nset Rate exponent = 0.5\n");
  EXPECT_EQ(m.model, MaterialModel::j2_small_strain);
  EXPECT_EQ(m.hardening, HardeningType::linear);
  EXPECT_EQ(m.yield_stress, 2.);
  EXPECT_EQ(m.hardening_modulus, 3.);
  EXPECT_EQ(m.kinematic_modulus, 4.);
  EXPECT_EQ(m.viscosity, 5.);
  EXPECT_EQ(m.rate_exponent, 0.5);
  m = material_of("set Model = J2\nset Hardening = Ludwik\n"
                  "set Yield stress = 2\nset Hardening coefficient = 3\n"
                  "set Hardening exponent = 0.25\n");
  EXPECT_EQ(m.model, MaterialModel::j2);
  EXPECT_EQ(m.hardening, HardeningType::ludwik);
  EXPECT_EQ(m.hardening_coefficient, 3.);
  EXPECT_EQ(m.hardening_exponent, 0.25);
  m = material_of("set Model = J2\nset Hardening = Swift\n"
                  "set Hardening coefficient = 3\n"
                  "set Hardening exponent = 0.25\nset Swift strain = 0.01\n");
  EXPECT_EQ(m.hardening, HardeningType::swift);
  EXPECT_EQ(m.swift_strain, 0.01);
  m = material_of("set Model = J2\nset Hardening = Voce\n"
                  "set Yield stress = 450\nset Hardening modulus = 129.24\n"
                  "set Saturation stress = 715\nset Saturation rate = 16.93\n");
  EXPECT_EQ(m.hardening, HardeningType::voce);
  EXPECT_EQ(m.saturation_stress, 715.);
  EXPECT_EQ(m.saturation_rate, 16.93);
  m = material_of("set Model = J2\nset Hardening = table\n"
                  "set Hardening table = 0:2, 0.1 : 2.5,1:2.5\n");
  EXPECT_EQ(m.hardening, HardeningType::table);
  ASSERT_EQ(m.hardening_table.size(), 3u);
  EXPECT_EQ(m.hardening_table[1][0], 0.1);
  EXPECT_EQ(m.hardening_table[1][1], 2.5);
}

TEST(Materials, MistakesAreReportedWithTheirPlace)
{
  const std::string j2     = "set Model = J2\n";
  const std::string ludwik = j2 + "set Hardening = Ludwik\n"
                                  "set Yield stress = 2\n";
  const std::string swift  = j2 + "set Hardening = Swift\n"
                                  "set Hardening coefficient = 3\n"
                                  "set Hardening exponent = 0.25\n";
  const std::string voce   = j2 + "set Hardening = Voce\nset Yield stress = 2\n"
                                  "set Saturation rate = 10\n";
  const std::string table  = j2 + "set Hardening = table\n";
  const std::string rule   = "strains rising from 0";
  const std::vector<Mistake> mistakes = {
    // Names.
    { "set Model = neo Hookean\n",
      { "'Model' = 'neo Hookean'", "Did you mean 'neo-Hookean'?" } },
    { "set Model = J3\n", { "'Model' = 'J3'", "one of: linear elastic" } },
    { j2 + "set Yield stress = 2\nset Hardening = Swit\n",
      { "'Hardening' = 'Swit'", "Did you mean 'Swift'?" } },
    { j2 + "set Yeild stress = 2\n", { "Did you mean 'Yield stress'?" } },
    // Missing.
    { j2, { "'Yield stress'", "must be given for Hardening = linear" } },
    { ludwik + "set Hardening exponent = 0.5\n",
      { "'Hardening coefficient'", "must be given for Hardening = Ludwik" } },
    { swift, { "'Swift strain'", "must be given for Hardening = Swift" } },
    { voce, { "'Saturation stress'", "must be given for Hardening = Voce" } },
    { table, { "'Hardening table'", "must be given for Hardening = table" } },
    { "set Model = Maxwell\n",
      { "'Viscosity' = '0'", "must be given for Model = Maxwell" } },
    // Out of range.
    { j2 + "set Yield stress = 0\n",
      { "'Yield stress' = '0'", "a number greater than 0" } },
    { j2 + "set Yield stress = 2\nset Hardening modulus = -1\n",
      { "'Hardening modulus' = '-1'", "a number, 0 or greater" } },
    { j2 + "set Yield stress = 2\nset Kinematic hardening modulus = -1\n",
      { "'Kinematic hardening modulus' = '-1'", "0 or greater" } },
    { ludwik + "set Hardening coefficient = -3\n",
      { "'Hardening coefficient' = '-3'", "greater than 0" } },
    { ludwik + "set Hardening coefficient = 3\nset Hardening exponent = 1.5\n",
      { "'Hardening exponent' = '1.5'", "at most 1" } },
    { swift + "set Swift strain = 0\n",
      { "'Swift strain' = '0'", "greater than 0" } },
    { voce + "set Saturation stress = 1\n",
      { "'Saturation stress' = '1'",
        "would soften",
        "Yield stress (2) or greater" } },
    { "set Model = Maxwell\nset Viscosity = -2\n",
      { "'Viscosity' = '-2'", "0 or greater" } },
    { j2 + "set Yield stress = 2\nset Viscosity = 1\nset Rate exponent = 0\n",
      { "'Rate exponent' = '0'", "greater than 0" } },
    // Tables.
    { table + "set Hardening table = 0:2, 0.1\n",
      { "'0.1' is not of the form strain:stress", rule } },
    { table + "set Hardening table = 0:2, a:3\n",
      { "'a:3' is not of the form", rule } },
    { table + "set Hardening table = 0.1:2, 0.2:3\n",
      { "at '0.1:2' it does not start with strain 0", rule } },
    { table + "set Hardening table = 0:2, 0.2:3, 0.2:4\n",
      { "at '0.2:4' the strain does not rise", rule } },
    { table + "set Hardening table = 0:2, 0.2:1.9\n",
      { "at '0.2:1.9' the stress falls", rule } },
    { table + "set Hardening table = 0:0, 0.2:1.9\n",
      { "at '0:0' the stress is not greater than 0", rule } },
    // Without effect.
    { "set Yield stress = 2\n",
      { "'Yield stress' = '2'", "contradictory", "Model = linear elastic" } },
    { "set Model = neo-Hookean\nset Hardening = Voce\n",
      { "'Hardening' = 'Voce'", "contradictory", "Model = neo-Hookean" } },
    { "set Model = Saint Venant-Kirchhoff\nset Viscosity = 2\n",
      { "'Viscosity' = '2'", "J2 small strain, J2, Maxwell" } },
    { "set Model = Maxwell\nset Viscosity = 2\nset Rate exponent = 2\n",
      { "'Rate exponent' = '2'", "contradictory", "Model = Maxwell" } },
    { j2 + "set Yield stress = 2\nset Rate exponent = 2\n",
      { "'Rate exponent' = '2'", "Viscosity = 0" } },
    { j2 + "set Yield stress = 2\nset Swift strain = 0.1\n",
      { "'Swift strain' = '0.1'",
        "it is for Hardening = Swift and Hardening = linear" } },
    { j2 + "set Yield stress = 2\nset Hardening table = 0:1\n",
      { "'Hardening table' = '0:1'", "Hardening = linear" } },
    { ludwik + "set Hardening coefficient = 3\nset Hardening exponent = 0.5\n"
               "set Hardening modulus = 1\n",
      { "'Hardening modulus' = '1'", "Hardening = linear, Voce and" } },
    { swift + "set Swift strain = 0.1\nset Yield stress = 2\n",
      { "'Yield stress' = '2'", "has its own yield stress" } },
    { table + "set Hardening table = 0:2\nset Yield stress = 2\n",
      { "'Yield stress' = '2'", "has its own yield stress" } }
  };
  const ScratchDirectory scratch;
  for (const auto &mistake : mistakes)
  {
    SCOPED_TRACE(mistake.lines);
    const std::string text = with_lines(mistake.lines);
    const std::string file = scratch.write("wall.prm", text);
    auto parts             = mistake.parts;
    parts.push_back(file + ":");
    // What is there stands with its line, what is missing with the section's.
    const bool missing =
        mistake.parts.back().find("must be given") != std::string::npos;
    const std::string last = mistake.lines.substr(
        mistake.lines.rfind("set ", mistake.lines.size() - 2));
    parts.push_back(
        ":" +
        std::to_string(line_of(missing ? "subsection Material" : last, text)) +
        ": section 'Material stone', entry '");
    expect_parts(message_of(file), parts);
  }
}

TEST(Materials, PoissonsRatioAndModuli)
{
  const ScratchDirectory scratch;
  for (const std::string value : { "0.5", "0.7", "-1", "-3" })
    expect_parts(
        message_of(scratch.write(
            "wall.prm",
            with("set Poisson ratio = 0.3", "set Poisson ratio = " + value))),
        { "'Poisson ratio' = '" + value + "'", "between -1 and 0.5" });
  expect_parts(message_of(scratch.write(
                   "wall.prm",
                   with("set Young modulus = 1e6", "set Young modulus = -1"))),
               { "'Young modulus' = '-1'", "greater than 0" });
}

// The files of parameter_files/materials are taken by `include`, and say the
// same in SI and in mm, t, s.
TEST(Materials, Library)
{
  namespace fs           = std::filesystem;
  const std::string root = DELASSUS_SOURCE_DIR "/parameter_files/materials";
  std::set<std::string> names;
  for (const auto &file : fs::directory_iterator(root))
    if (file.path().extension() == ".prm")
      names.insert(file.path().filename().string());
  EXPECT_GE(names.size(), 5u);
  EXPECT_EQ(names.count("copper_taylor.prm"), 1u);
  const ScratchDirectory scratch;
  const auto read = [&](const std::string &file)
  {
    const std::string stone = "subsection Material stone\n"
                              "  set Density       = 500\n"
                              "  set Young modulus = 1e6\n"
                              "  set Poisson ratio = 0.3\nend\n";
    std::ifstream in(file);
    std::string line, name;
    while (std::getline(in, line))
      if (line.rfind("subsection Material ", 0) == 0)
        name = line.substr(20);
    EXPECT_FALSE(name.empty()) << file;
    const auto parsed = read_parameters(scratch.write(
        "wall.prm",
        with("set Material = stone",
             "set Material = " + name,
             with(stone,
                  "include " + fs::relative(file, scratch.path).string() +
                      "\n"))));
    EXPECT_TRUE(parsed.warnings.empty()) << file;
    EXPECT_EQ(parsed.values.materials.size(), 1u) << file;
    return parsed.values.materials.at(0);
  };
  for (const auto &name : names)
  {
    SCOPED_TRACE(name);
    const auto si = read(root + "/" + name);
    const auto mm = read(root + "/mm_t_s/" + name);
    EXPECT_EQ(si.model, mm.model);
    EXPECT_EQ(si.hardening, mm.hardening);
    EXPECT_EQ(si.poisson_ratio, mm.poisson_ratio);
    EXPECT_NEAR(si.density * 1e-12 / mm.density, 1., 1e-12);
    for (const auto value : { &MaterialParameters::young_modulus,
                              &MaterialParameters::yield_stress,
                              &MaterialParameters::hardening_modulus,
                              &MaterialParameters::hardening_coefficient,
                              &MaterialParameters::saturation_stress,
                              &MaterialParameters::kinematic_modulus })
      EXPECT_NEAR(si.*value * 1e-6, mm.*value, 1e-12 * mm.*value);
    for (const auto value : { &MaterialParameters::hardening_exponent,
                              &MaterialParameters::swift_strain,
                              &MaterialParameters::saturation_rate,
                              &MaterialParameters::viscosity,
                              &MaterialParameters::rate_exponent })
      EXPECT_EQ(si.*value, mm.*value);
  }
  const auto copper = read(root + "/copper_taylor.prm");
  EXPECT_EQ(copper.model, MaterialModel::j2);
  EXPECT_EQ(copper.young_modulus, 117e9);
  EXPECT_EQ(copper.yield_stress, 400e6);
  EXPECT_EQ(copper.hardening_modulus, 100e6);
}
