#include <delassus/parameters/sections.h>

namespace delassus
{
SectionDeclaration NewtonSection::declaration()
{
  SectionDeclaration section;
  section.kind = "Newton";
  section.documentation =
      "The Newton loop of each step and the control of the steps, for runs "
      "with a material other than linear elastic. May be left out.";
  section.entries = {
    declare::choice(
        "Matrix",
        "full",
        { "full", "step", "frozen", "lumped", "two term", "explicit" },
        "What corrects the iterate: the effective matrix M + h^2 K of each "
        "iteration; of the first of each step; kept over several steps; the "
        "inverse of the lumped mass; two terms of its series, M^-1 - h^2 M^-1 "
        "K M^-1; or explicit steps with implicit contact. The last three need "
        "steps below a bound that is estimated and enforced; those that "
        "converge give the same answer."),
    declare::number("Tolerance",
                    "1e-8",
                    Range::open(0., 1.),
                    "",
                    "Of the momentum residual, against the largest impulses "
                    "that it is made of. Contact laws are held to the "
                    "tolerance of the contact solver."),
    declare::count("Maximum iterations",
                   "25",
                   1,
                   "Of a step; one that needs more is cut, unless it is "
                   "slow but sure: it may take four times as many."),
    declare::count("Maximum step iterations",
                   "1000",
                   1,
                   "Of all attempts at one Time/Step; where it takes more the "
                   "run ends. Not for matrices made of the mass."),
    declare::count("Frozen steps",
                   "20",
                   1,
                   "Matrix = frozen: steps after which the tangent is renewed "
                   "at the latest. lumped, two term and explicit: the same of "
                   "the bound on the step, later the farther the step is from "
                   "it."),
    declare::count("Frame updates",
                   "100",
                   0,
                   "Iterations of a step in which antagonists and contact "
                   "frames follow the configuration; kept from then on."),
    declare::number("Smallest step",
                    "1e-3",
                    Range::open(0., 1.),
                    "share of Time/Step",
                    "A step that fails is cut, and grows again when steps are "
                    "easy; where it would become smaller than this the run "
                    "ends."),
    declare::number("Largest strain",
                    "0.5",
                    Range::nonnegative(),
                    "",
                    "Largest strain or rotation increment of a step; more cuts "
                    "it. 0: no limit."),
    declare::number("Largest slip",
                    "2",
                    Range::nonnegative(),
                    "sizes of contact faces",
                    "Largest sliding of a closed contact in a step; more cuts "
                    "it. 0: no limit.")
  };
  return section;
}

NewtonParameters NewtonSection::parse(const SectionReader &reader,
                                      const SectionContext &context)
{
  NewtonParameters newton;
  newton.matrix              = reader.choice<CorrectingMatrix>("Matrix");
  newton.tolerance           = reader.number("Tolerance");
  newton.max_iterations      = reader.count("Maximum iterations");
  newton.max_step_iterations = reader.count("Maximum step iterations");
  newton.frozen_steps        = reader.count("Frozen steps");
  newton.frame_updates       = reader.count("Frame updates");
  newton.smallest_step       = reader.number("Smallest step");
  newton.largest_strain      = reader.number("Largest strain");
  newton.largest_slip        = reader.number("Largest slip");
  const bool by_mass         = newton.matrix == CorrectingMatrix::lumped ||
                       newton.matrix == CorrectingMatrix::two_term ||
                       newton.matrix == CorrectingMatrix::explicit_;
  if (by_mass && context.time.scheme == TimeScheme::quasi_static)
    reader.error("Matrix",
                 "contradictory settings: it is made of the mass, and Scheme = "
                 "quasi static has none; allowed: full, step or frozen.");
  if (newton.matrix == CorrectingMatrix::explicit_ && context.time.theta != 1.)
    reader.error("Matrix",
                 "contradictory settings: explicit steps have Theta = 1.");
  if (!by_mass && newton.matrix != CorrectingMatrix::frozen)
    reader.forbid("Frozen steps",
                  "it is for Matrix = frozen, lumped, two term or explicit and "
                  "Matrix = " +
                      reader.text("Matrix"));
  if (by_mass)
    reader.forbid("Maximum step iterations",
                  "Matrix = " + reader.text("Matrix") +
                      " has a bound on the step instead");
  if (newton.matrix == CorrectingMatrix::explicit_)
    for (const char *entry :
         { "Tolerance", "Maximum iterations", "Frame updates" })
      reader.forbid(entry, "explicit steps have no Newton loop");
  return newton;
}

void NewtonSection::check(
    const Parameters &parameters,
    const std::function<SectionReader(const std::string &, const std::string &)>
        &reader)
{
  bool nonlinear = !parameters.shells.empty();
  for (const auto &body : parameters.bodies)
    for (const auto &material : parameters.materials)
      nonlinear =
          nonlinear || (material.name == body.material &&
                        material.model != MaterialModel::linear_elastic);
  if (!nonlinear)
  {
    // A file may serve several materials: told, not refused.
    const std::string why =
        "without effect: all bodies are linear elastic, and "
        "their steps need no Newton loop.";
    const auto newton = reader("Newton", "Newton");
    bool given        = false;
    for (const auto &entry : declaration().entries)
      given = given || newton.given(entry.name);
    if (given)
      newton.warn(why);
    for (const auto &body : parameters.bodies)
    {
      const auto section = reader("Body", "Body " + body.name);
      if (section.given("Dilatation"))
        section.warn("Dilatation is " + why);
    }
  }
  for (const auto &body : parameters.bodies)
    for (const auto &material : parameters.materials)
      if (body.has_matrix && material.name == body.material &&
          material.model == MaterialModel::linear_elastic)
        reader("Body", "Body " + body.name)
            .warn("Matrix is without effect: linear elastic bodies have a "
                  "matrix of their own, made once.");
  for (const auto &material : parameters.materials)
    if (material.rayleigh_stiffness != 0. &&
        material.model != MaterialModel::linear_elastic)
      reader("Material", "Material " + material.name)
          .error("Rayleigh stiffness",
                 "contradictory settings: damping in proportion to the "
                 "stiffness is for Model = linear elastic, where the stiffness "
                 "does not change; allowed: 0 (Model = Maxwell is viscous, J2 "
                 "has a Viscosity).");
}
} // namespace delassus
