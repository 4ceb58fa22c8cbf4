#include <delassus/parameters/sections.h>

#include <fmt/format.h>

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
  material.kinematic_modulus = reader.number("Kinematic hardening modulus");
  material.rate_exponent     = reader.number("Rate exponent");
  if (material.viscosity == 0.)
    reader.forbid("Rate exponent",
                  "it is for a Viscosity greater than 0 and Viscosity = 0");
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
      "An isotropic material: elastic, elastoplastic or viscoelastic. The "
      "equations are in doc/materials.md.";
  section.entries = {
    declare::choice("Model",
                    "linear elastic",
                    { "linear elastic",
                      "Saint Venant-Kirchhoff",
                      "neo-Hookean",
                      "J2 small strain",
                      "J2",
                      "Maxwell" },
                    "linear elastic and J2 small strain: small perturbations; "
                    "the others: finite strain. J2: von Mises' plasticity; "
                    "Maxwell: a viscoelastic fluid, elastic in volume."),
    declare::number(
        "Density", "", Range::positive(), "mass/length^3", "Mass density.")
        .without_default(),
    declare::number(
        "Young modulus", "", Range::positive(), stress, "Young's modulus.")
        .without_default(),
    declare::number(
        "Poisson ratio", "", Range::open(-1., 0.5), "", "Poisson's ratio.")
        .without_default(),
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
                    "sy, at plastic strain 0. For J2 with Hardening = linear, "
                    "Ludwik, Voce.")
        .without_default("must be given for linear, Ludwik, Voce"),
    declare::choice("Hardening",
                    "linear",
                    { "linear", "Ludwik", "Swift", "Voce", "table" },
                    "For J2: the yield stress as a function of the equivalent "
                    "plastic strain a: sy + H a; sy + K a^n; K (e0 + a)^n; "
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
    declare::number("Kinematic hardening modulus",
                    "0",
                    Range::nonnegative(),
                    stress,
                    "For J2: of Prager's back stress, which grows by 2/3 of "
                    "this times the plastic strain (in a uniaxial test by this "
                    "times it)."),
    declare::number("Viscosity",
                    "0",
                    Range::nonnegative(),
                    "J2: time; Maxwell: force time/length^2",
                    "J2: eta of Perzyna's rate of plastic strain, "
                    "<f/S>^(1/m)/eta, S the yield stress and f what exceeds "
                    "it; 0: no effect of the rate. Maxwell: eta of the viscous "
                    "rate of deformation dev(tau)/(2 eta), to be given."),
    declare::number("Rate exponent",
                    "1",
                    Range::positive(),
                    "",
                    "m of Perzyna's rate, for J2 with a Viscosity.")
  };
  return section;
}

MaterialParameters MaterialSection::parse(const SectionReader &reader)
{
  MaterialParameters material;
  material.name = reader.name();
  for (const auto *entry : { "Density", "Young modulus", "Poisson ratio" })
    reader.require(entry);
  material.model              = reader.choice<MaterialModel>("Model");
  material.density            = reader.number("Density");
  material.young_modulus      = reader.number("Young modulus");
  material.poisson_ratio      = reader.number("Poisson ratio");
  material.rayleigh_mass      = reader.number("Rayleigh mass");
  material.rayleigh_stiffness = reader.number("Rayleigh stiffness");

  const std::string model = reader.text("Model");
  const bool is_j2        = material.model == MaterialModel::j2 ||
                     material.model == MaterialModel::j2_small_strain;
  const bool is_maxwell = material.model == MaterialModel::maxwell;
  if (is_j2 || is_maxwell)
    material.viscosity = reader.number("Viscosity");
  else
    reader.forbid(
        "Viscosity",
        "it is for Model = J2 small strain, J2, Maxwell and Model = " + model);
  if (is_maxwell && material.viscosity == 0.)
    reader.error("Viscosity",
                 "it must be given for Model = Maxwell. Allowed: a number "
                 "greater than 0.");
  if (is_j2)
    parse_plasticity(reader, material);
  else
  {
    std::vector<std::string> entries = { "Hardening",
                                         "Kinematic hardening modulus",
                                         "Rate exponent" };
    for (const auto &use : uses())
      entries.push_back(use.entry);
    for (const auto &entry : entries)
      reader.forbid(
          entry, "it is for Model = J2 small strain, J2 and Model = " + model);
  }
  return material;
}
} // namespace delassus
