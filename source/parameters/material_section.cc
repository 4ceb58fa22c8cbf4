#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace delassus
{
namespace
{
/// Entries of plasticity, with the hardening types that use them.
struct Use
{
  const char *entry;
  std::vector<HardeningType> types;
  bool required; ///< by those types
};

const std::vector<Use> &uses()
{
  using T                            = HardeningType;
  static const std::vector<Use> list = {
    { "Yield stress", { T::linear, T::ludwik, T::voce }, true },
    { "Hardening modulus", { T::linear, T::voce }, false },
    { "Hardening coefficient", { T::ludwik, T::swift }, true },
    { "Hardening exponent", { T::ludwik, T::swift }, true },
    { "Swift strain", { T::swift }, true },
    { "Saturation stress", { T::voce }, true },
    { "Saturation rate", { T::voce }, true },
    { "Hardening table", { T::table }, true }
  };
  return list;
}

bool is_number(const std::string &text, double &value)
{
  char *end = nullptr;
  value     = std::strtod(text.c_str(), &end);
  return end != text.c_str() &&
         std::string(end).find_first_not_of(" \t") == std::string::npos &&
         std::isfinite(value);
}

/// "0:400, 0.1:450": strains that rise from 0, stresses that do not fall.
std::vector<std::array<double, 2>> table_of(const SectionReader &reader)
{
  const std::string entry = "Hardening table";
  std::vector<std::array<double, 2>> table;
  const std::string rule =
      "allowed: strain:stress, separated by commas, strains rising from 0, "
      "stresses greater than 0 that do not fall ('0:400, 0.1:450').";
  for (const auto &item : reader.list(entry))
  {
    const auto colon = item.find(':');
    std::array<double, 2> point;
    if (colon == std::string::npos ||
        !is_number(item.substr(0, colon), point[0]) ||
        !is_number(item.substr(colon + 1), point[1]))
    {
      reader.error(
          entry,
          fmt::format("'{}' is not of the form strain:stress; {}", item, rule));
      return {};
    }
    const auto wrong = [&](const std::string &what)
    { reader.error(entry, fmt::format("at '{}' {}; {}", item, what, rule)); };
    if (table.empty() && point[0] != 0.)
      wrong("it does not start with strain 0");
    else if (!table.empty() && point[0] <= table.back()[0])
      wrong("the strain does not rise");
    else if (!(point[1] > 0.))
      wrong("the stress is not greater than 0");
    else if (!table.empty() && point[1] < table.back()[1])
      wrong("the stress falls");
    else
    {
      table.push_back(point);
      continue;
    }
    return {};
  }
  return table;
}

void parse_plasticity(const SectionReader &reader, MaterialParameters &material)
{
  material.hardening     = reader.choice<HardeningType>("Hardening");
  const std::string type = reader.text("Hardening");
  bool complete          = true;
  for (const auto &use : uses())
  {
    std::string for_types;
    bool used = false;
    for (const auto t : use.types)
    {
      static const char *names[] = {
        "linear", "Ludwik", "Swift", "Voce", "table"
      };
      for_types += (for_types.empty() ? "" : ", ") +
                   std::string(names[static_cast<unsigned int>(t)]);
      used = used || t == material.hardening;
    }
    if (!used)
      reader.forbid(use.entry,
                    fmt::format("it is for Hardening = {} and Hardening = {}{}",
                                for_types,
                                type,
                                use.entry == std::string("Yield stress")
                                    ? ", which has its own yield stress"
                                    : ""));
    else if (use.required)
      complete =
          reader.require(use.entry, "for Hardening = " + type) && complete;
  }
  material.yield_stress          = reader.number("Yield stress");
  material.hardening_modulus     = reader.number("Hardening modulus");
  material.hardening_coefficient = reader.number("Hardening coefficient");
  material.hardening_exponent    = reader.number("Hardening exponent");
  material.swift_strain          = reader.number("Swift strain");
  material.saturation_stress     = reader.number("Saturation stress");
  material.saturation_rate       = reader.number("Saturation rate");
  if (material.hardening == HardeningType::table && complete)
    material.hardening_table = table_of(reader);
  if (material.hardening == HardeningType::voce && complete &&
      material.saturation_stress < material.yield_stress)
    reader.error("Saturation stress",
                 fmt::format("the material would soften; allowed: Yield stress "
                             "({}) or greater.",
                             reader.text("Yield stress")));
  if (material.model == MaterialModel::barlat)
    reader.forbid("Kinematic hardening modulus",
                  "Model = Barlat has no back stresses (Model = Hill has)");
  else
    material.kinematic_modulus = reader.number("Kinematic hardening modulus");
  material.rate_exponent = reader.number("Rate exponent");
  if (material.viscosity == 0.)
    reader.forbid("Rate exponent",
                  "it is for a Viscosity greater than 0 and Viscosity = 0");
}

void parse_back_stresses(const SectionReader &reader,
                         MaterialParameters &material)
{
  material.back_stress_moduli = reader.numbers("Back stress moduli");
  material.back_stress_rates  = reader.numbers("Back stress rates");
  const std::size_t n         = material.back_stress_moduli.size();
  if (material.back_stress_rates.size() != n)
    reader.error(n == 0 ? "Back stress rates" : "Back stress moduli",
                 fmt::format("there are {} Back stress moduli and {} Back "
                             "stress rates; allowed: one rate for each "
                             "modulus (0: Prager's).",
                             n,
                             material.back_stress_rates.size()));
  const unsigned int others = material.kinematic_modulus > 0. ? 1 : 0;
  if (n + others > MaterialParameters::max_back_stresses)
    reader.error("Back stress moduli",
                 fmt::format("there are {} back stresses{}; allowed: at most "
                             "{}.",
                             n + others,
                             others == 0
                                 ? ""
                                 : ", that of Kinematic hardening modulus "
                                   "included",
                             MaterialParameters::max_back_stresses));
}

/// Hill's yield function is sigma^T P sigma: it bounds stresses, convex, if P
/// is positive definite. That of Barlat and Lian is convex where its a, c and h
/// are positive, and r45 of tension at 45 degrees is above -1/2 for each p: the
/// same numbers are allowed.
void parse_r_values(const SectionReader &reader, MaterialParameters &material)
{
  const std::string entry = "r values";
  if (!reader.require(entry, "for Model = " + reader.text("Model")))
    return;
  const auto r = reader.numbers(entry);
  if (r.size() != 3)
  {
    reader.error(entry,
                 fmt::format("it has {} number{}; allowed: 3, r0, r45, r90, of "
                             "tension along the rolling direction, at 45 "
                             "degrees to it and across it.",
                             r.size(),
                             r.size() == 1 ? "" : "s"));
    return;
  }
  const double r0 = r[0], r45 = r[1], r90 = r[2];
  const double P12 = -r0 / (1. + r0), P22 = r0 * (1. + r90) / (r90 * (1. + r0)),
               P33     = (r0 + r90) * (1. + 2. * r45) / (r90 * (1. + r0));
  const bool is_normal = r0 > 0. && r90 > 0. && P22 - P12 * P12 > 0. &&
                         std::isfinite(P22),
             is_shear = P33 > 0. && std::isfinite(P33);
  if (!is_normal || !is_shear)
  {
    reader.error(
        entry,
        fmt::format("the yield surface would not be convex: {}; allowed: r0 "
                    "and r90 greater than 0, r45 greater than -1/2.",
                    !is_normal ? "of r0 and r90 no closed surface can be made"
                               : "shear would never yield"));
    return;
  }
  material.r_values = { { r0, r45, r90 } };
}

/// Moduli of an orthotropic elastic sheet; the energy must be positive.
void parse_orthotropic(const SectionReader &reader,
                       MaterialParameters &material)
{
  bool complete    = true;
  const auto three = [&](const std::string &entry,
                         const std::size_t n_required,
                         const std::string &names,
                         std::array<double, 3> &values)
  {
    if (!reader.require(entry, "for Model = orthotropic"))
    {
      complete = false;
      return;
    }
    const auto given = reader.numbers(entry);
    if (given.size() < n_required || given.size() > 3)
    {
      reader.error(entry,
                   fmt::format("it has {} number{}; allowed: {}.",
                               given.size(),
                               given.size() == 1 ? "" : "s",
                               names));
      complete = false;
      return;
    }
    for (std::size_t i = 0; i < 3; ++i)
      values[i] = given[std::min(i, given.size() - 1)];
  };
  three("Young moduli",
        2,
        "E1, E2, or E1, E2, E3 (E3 = E2 if it is left out)",
        material.young_moduli);
  three("Poisson ratios",
        1,
        "nu12, or nu12, nu13, nu23 (those left out are the last one given)",
        material.poisson_ratios);
  three("Shear moduli", 3, "G12, G13, G23", material.shear_moduli);
  if (!complete)
    return;
  // Minors of the compliance.
  const auto &E = material.young_moduli, &nu = material.poisson_ratios;
  const double a = nu[0] * nu[0] * E[1] / E[0], b = nu[1] * nu[1] * E[2] / E[0],
               c = nu[2] * nu[2] * E[2] / E[1],
               d = nu[0] * nu[1] * nu[2] * E[2] / E[0];
  if (!(a < 1.))
    reader.error("Poisson ratios",
                 "some strain would have a negative energy; allowed: |nu12| "
                 "less than sqrt(E1/E2).");
  else if (!(1. - a - b - c - 2. * d > 0.))
    reader.error("Poisson ratios",
                 "some strain would have a negative energy; allowed: 1 - "
                 "nu12^2 E2/E1 - nu13^2 E3/E1 - nu23^2 E3/E2 - 2 nu12 nu13 "
                 "nu23 E3/E1 greater than 0.");
}
} // namespace

SectionDeclaration MaterialSection::declaration()
{
  const std::string stress = "force/length^2";
  SectionDeclaration section;
  section.kind  = "Material";
  section.named = true;
  section.list  = "Materials";
  section.documentation =
      "A material: elastic, elastoplastic or viscoelastic, isotropic but for "
      "those of sheets. The equations are in doc/materials.md.";
  section.entries = {
    declare::choice("Model",
                    "linear elastic",
                    { "linear elastic",
                      "Saint Venant-Kirchhoff",
                      "neo-Hookean",
                      "J2 small strain",
                      "J2",
                      "Maxwell",
                      "Hill",
                      "Barlat",
                      "orthotropic" },
                    "linear elastic and J2 small strain: small perturbations; "
                    "the others: finite strain. J2: von Mises' plasticity; "
                    "Maxwell: a viscoelastic fluid, elastic in volume. For "
                    "sheets only: Hill, his plasticity of 1948; Barlat, that "
                    "of Barlat and Lian (1989); orthotropic, elastic."),
    declare::number(
        "Density", "", Range::positive(), "mass/length^3", "Mass density.")
        .without_default(),
    declare::number(
        "Young modulus", "", Range::positive(), stress, "Young's modulus.")
        .without_default("must be given, but for orthotropic"),
    declare::number(
        "Poisson ratio", "", Range::open(-1., 0.5), "", "Poisson's ratio.")
        .without_default("must be given, but for orthotropic"),
    declare::number("Rayleigh mass",
                    "0",
                    Range::nonnegative(),
                    "1/time",
                    "alpha of the damping V = alpha M + beta K."),
    declare::number("Rayleigh stiffness",
                    "0",
                    Range::nonnegative(),
                    "time",
                    "beta of the damping V = alpha M + beta K."),
    declare::number("Yield stress",
                    "",
                    Range::positive(),
                    stress,
                    "sy, at plastic strain 0 (Hill, Barlat: in tension along "
                    "the rolling direction). For J2, Hill and Barlat with "
                    "Hardening = linear, Ludwik, Voce.")
        .without_default("must be given for linear, Ludwik, Voce"),
    declare::choice(
        "Hardening",
        "linear",
        { "linear", "Ludwik", "Swift", "Voce", "table" },
        "For J2, Hill and Barlat: the yield stress as a function of the "
        "equivalent plastic strain a: sy + H a; sy + K a^n; K (e0 + a)^n; "
        "sy + H a + (s_inf - sy) (1 - exp(-delta a)); a table."),
    declare::number("Hardening modulus",
                    "0",
                    Range::nonnegative(),
                    stress,
                    "H of Hardening = linear (0: perfect plasticity) and "
                    "Voce."),
    declare::number("Hardening coefficient",
                    "",
                    Range::positive(),
                    stress,
                    "K of Hardening = Ludwik and Swift.")
        .without_default("must be given for Ludwik and Swift"),
    declare::number("Hardening exponent",
                    "",
                    { std::numeric_limits<double>::denorm_min(),
                      1.,
                      "a number greater than 0, at most 1" },
                    "",
                    "n of Hardening = Ludwik and Swift.")
        .without_default("must be given for Ludwik and Swift"),
    declare::number("Swift strain",
                    "",
                    Range::positive(),
                    "",
                    "e0 of Hardening = Swift; the yield stress is K e0^n.")
        .without_default("must be given for Swift"),
    declare::number("Saturation stress",
                    "",
                    Range::positive(),
                    stress,
                    "s_inf of Hardening = Voce.")
        .without_default("must be given for Voce"),
    declare::number("Saturation rate",
                    "",
                    Range::positive(),
                    "",
                    "delta of Hardening = Voce.")
        .without_default("must be given for Voce"),
    declare::text("Hardening table",
                  "",
                  "strain:stress, separated by commas ('0:400, 0.1:450')",
                  "Equivalent plastic strain and yield stress "
                  "(force/length^2) of Hardening = table; straight lines "
                  "between, constant after the last.")
        .without_default("must be given for table"),
    declare::number(
        "Kinematic hardening modulus",
        "0",
        Range::nonnegative(),
        stress,
        "For J2 and Hill: of Prager's back stress, which grows by 2/3 of "
        "this times the plastic strain (in a uniaxial test by this "
        "times it)."),
    declare::number(
        "Viscosity",
        "0",
        Range::nonnegative(),
        "J2, Hill, Barlat: time; Maxwell: force time/length^2",
        "J2, Hill, Barlat: eta of Perzyna's rate of plastic strain, "
        "<f/S>^(1/m)/eta, S the yield stress and f what exceeds "
        "it; 0: no effect of the rate. Maxwell: eta of the viscous "
        "rate of deformation dev(tau)/(2 eta), to be given."),
    declare::number("Rate exponent",
                    "1",
                    Range::positive(),
                    "",
                    "m of Perzyna's rate, for J2, Hill and Barlat with a "
                    "Viscosity."),
    declare::numbers("r values",
                     Range::any(),
                     "",
                     "r0, r45, r90 of Hill and Barlat: strain across over "
                     "strain through the thickness, of tension along the "
                     "rolling direction, at 45 degrees and across it.")
        .without_default("must be given for Hill and Barlat"),
    declare::number("Yield exponent",
                    "8",
                    Range::closed(2., 20.),
                    "",
                    "M of Barlat: 8 for face-centred cubic metals (aluminium), "
                    "6 for body-centred ones (steel); 2 is Hill's law."),
    declare::numbers("Back stress moduli",
                     Range::positive(),
                     stress,
                     "C of back stresses X with the rate p' (C n - gamma X) "
                     "(Chaboche), n the direction of the flow: they saturate "
                     "at C/gamma. For J2 and Hill of sheets.")
        .without_default("no such back stress"),
    declare::numbers("Back stress rates",
                     Range::nonnegative(),
                     "",
                     "gamma of each of these.")
        .without_default("must be given with Back stress moduli"),
    declare::numbers("Young moduli",
                     Range::positive(),
                     stress,
                     "E1, E2 of orthotropic, 1 along the rolling direction; "
                     "E3 through the thickness, if not E2.")
        .without_default("must be given for orthotropic"),
    declare::numbers("Poisson ratios",
                     Range::any(),
                     "",
                     "nu12 of orthotropic (tension along 1 shortens 2 by nu12 "
                     "times its strain); nu13, nu23 if not the same.")
        .without_default("must be given for orthotropic"),
    declare::numbers("Shear moduli",
                     Range::positive(),
                     stress,
                     "G12, G13, G23 of orthotropic.")
        .without_default("must be given for orthotropic")
  };
  return section;
}

MaterialParameters MaterialSection::parse(const SectionReader &reader)
{
  MaterialParameters material;
  material.name             = reader.name();
  material.model            = reader.choice<MaterialModel>("Model");
  const bool is_orthotropic = material.model == MaterialModel::orthotropic;
  reader.require("Density");
  for (const auto *entry : { "Young modulus", "Poisson ratio" })
    if (is_orthotropic)
      reader.forbid(entry,
                    "Model = orthotropic has Young moduli, Poisson ratios, "
                    "Shear moduli");
    else
      reader.require(entry);
  material.density = reader.number("Density");
  if (!is_orthotropic)
  {
    material.young_modulus = reader.number("Young modulus");
    material.poisson_ratio = reader.number("Poisson ratio");
  }
  material.rayleigh_mass      = reader.number("Rayleigh mass");
  material.rayleigh_stiffness = reader.number("Rayleigh stiffness");

  const std::string model = reader.text("Model");
  const bool is_hill      = material.model == MaterialModel::hill;
  const bool is_barlat    = material.model == MaterialModel::barlat;
  const bool is_plastic   = is_hill || is_barlat ||
                          material.model == MaterialModel::j2 ||
                          material.model == MaterialModel::j2_small_strain;
  const bool is_maxwell = material.model == MaterialModel::maxwell;
  if (is_plastic || is_maxwell)
    material.viscosity = reader.number("Viscosity");
  else
    reader.forbid("Viscosity",
                  "it is for Model = J2 small strain, J2, Maxwell, Hill, "
                  "Barlat and Model = " +
                      model);
  if (is_maxwell && material.viscosity == 0.)
    reader.error("Viscosity",
                 "it must be given for Model = Maxwell. Allowed: a number "
                 "greater than 0.");
  if (is_plastic)
    parse_plasticity(reader, material);
  else
  {
    std::vector<std::string> entries = { "Hardening",
                                         "Kinematic hardening modulus",
                                         "Rate exponent" };
    for (const auto &use : uses())
      entries.push_back(use.entry);
    for (const auto &entry : entries)
      reader.forbid(entry,
                    "it is for Model = J2 small strain, J2, Hill, Barlat and "
                    "Model = " +
                        model);
  }

  // Sheets.
  if (is_hill || material.model == MaterialModel::j2)
    parse_back_stresses(reader, material);
  else
    for (const auto *entry : { "Back stress moduli", "Back stress rates" })
      reader.forbid(entry,
                    is_barlat
                        ? "Model = Barlat has no back stresses (Model = Hill "
                          "has)"
                        : "it is for Model = J2, Hill and Model = " + model);
  if (is_hill || is_barlat)
    parse_r_values(reader, material);
  else
    reader.forbid("r values",
                  "it is for Model = Hill, Barlat and Model = " + model);
  if (is_barlat)
    material.yield_exponent = reader.number("Yield exponent");
  else
    reader.forbid("Yield exponent",
                  "it is for Model = Barlat and Model = " + model);
  if (is_orthotropic)
    parse_orthotropic(reader, material);
  else
    for (const auto *entry :
         { "Young moduli", "Poisson ratios", "Shear moduli" })
      reader.forbid(entry,
                    "it is for Model = orthotropic and Model = " + model);
  return material;
}
} // namespace delassus
