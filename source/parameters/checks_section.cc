#include <delassus/parameters/sections.h>

#include <algorithm>

namespace delassus
{
SectionDeclaration ChecksSection::declaration()
{
  SectionDeclaration section;
  section.kind = "Checks";
  section.documentation =
      "What a run is watched for: results of solved equations that should not "
      "be trusted all the same. May be left out.";
  section.entries = {
    declare::number("Energy residual",
                    "1e-6",
                    Range::positive(),
                    "share of the energy exchanged",
                    "Energy that no term of the balance explains and that is "
                    "told when there is more of it; a hundred times "
                    "Newton/Tolerance where that is more, in Newton runs. A "
                    "tenth of the energy fails the run."),
    declare::number("Numerical dissipation",
                    "0.1",
                    Range::nonnegative(),
                    "share of the energy exchanged",
                    "What the scheme may dissipate, or the integration of "
                    "internal forces be wrong by, before it is told. For "
                    "Scheme = dynamic."),
    declare::number("Small strain",
                    "0.05",
                    Range::positive(),
                    "",
                    "Small-strain materials (linear elastic, J2 small strain): "
                    "principal strain of a cell above which their theory is "
                    "left."),
    declare::number("Small rotation",
                    "0.1",
                    Range::positive(),
                    "radian",
                    "The same for the rotation."),
    declare::choice("If distorted",
                    "stop",
                    { "stop", "go on" },
                    "Small-strain materials: what becomes of a run in which a "
                    "cell is turned inside out or has twice or half its "
                    "volume.")
  };
  return section;
}

CheckParameters ChecksSection::parse(const SectionReader &reader,
                                     const Parameters &parameters)
{
  CheckParameters checks;
  checks.energy_residual       = reader.number("Energy residual");
  checks.numerical_dissipation = reader.number("Numerical dissipation");
  checks.small_strain          = reader.number("Small strain");
  checks.small_rotation        = reader.number("Small rotation");
  checks.stop_if_distorted     = reader.text("If distorted") == "stop";
  if (parameters.time.scheme == TimeScheme::quasi_static)
    reader.forbid("Numerical dissipation",
                  "it is for Scheme = dynamic and Scheme = quasi static");
  const bool small_strain = std::any_of(
      parameters.bodies.begin(),
      parameters.bodies.end(),
      [&](const BodyParameters &body)
      {
        for (const auto &material : parameters.materials)
          if (material.name == body.material)
            return material.model == MaterialModel::linear_elastic ||
                   material.model == MaterialModel::j2_small_strain;
        return true; // a name that does not exist is an error of its own
      });
  if (!small_strain)
    for (const char *entry :
         { "Small strain", "Small rotation", "If distorted" })
      if (reader.given(entry))
        // A file may serve several materials: told, not refused.
        reader.warn(std::string(entry) +
                    " is without effect: all bodies are of finite strain.");
  return checks;
}
} // namespace delassus
