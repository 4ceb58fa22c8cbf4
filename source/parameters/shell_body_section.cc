// Bodies of type shell: their subsection Shell, and what else of a body's
// section means something for them.
#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <numeric>

namespace delassus
{
SectionDeclaration ShellBodySection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Shell";
  section.documentation = "How a body of type shell is made up.";
  section.entries       = {
          declare::names("Layers",
                   "Materials of the layers, from the inner face to the outer "
                         "one, to which normals point; instead of the body's "
                         "'Material'.")
              .without_default("one layer of the body's material"),
          declare::numbers("Layer fractions",
                     Range::positive(),
                     "",
                     "Shares of the thickness; their sum is 1.")
              .without_default("equal"),
          declare::numbers("Layer angles",
                     Range::any(),
                     "degrees",
                     "Of the layers' rolling directions (first axes) from "
                           "'Rolling direction', about the normal.")
              .without_default("0"),
          declare::count("Points", "5", 1, "Integration points through each layer."),
          declare::choice("Rule",
                    "Gauss",
                    { "Gauss", "Lobatto" },
                    "Of these points: Gauss, inside; Lobatto, the faces of the "
                          "layer among them (two at least)."),
          declare::numbers("Rolling direction",
                     Range::any(),
                     "",
                     "A direction whose projection on the sheet is the first "
                           "axis of the material.")
              .without_default("x, where that is across the sheet y"),
          declare::number("Shear correction",
                    "0.8333333333333334",
                    Range::positive(),
                    "",
                    "Of the transverse shear stiffness."),
          declare::number(
        "Fold angle",
        "5",
        Range::closed(0., 180.),
        "degrees",
        "Between normals of neighbours; above it the edge is a fold, "
              "whose nodes have three rotations."),
          declare::flag("Turn over",
                  false,
                  "The outer side is that which the mesh calls the inner one."),
          declare::flag("Enhanced modes",
                  true,
                  "Four strains in each element with which it bends in its "
                        "plane as it should."),
          declare::flag("Follow thickness",
                  true,
                  "What straining leaves of the thickness counts, in contact "
                        "too; otherwise it stays that of the beginning."),
          declare::flag(
        "Compliance",
        true,
        "In contact the sheet gives way through half its thickness: it "
              "makes the pressures on a sheet that is held on both "
              "sides unique."),
          declare::flag("Scaled inertia",
                  true,
                  "Matrix = lumped, two term, explicit: the rotary inertia is "
                        "made so large that rotations do not bound the step."),
          declare::expressions("Initial angular velocity",
                         "x,y,z",
                         "1/time",
                         "Of directors, one expression for each axis of space.")
              .without_default("at rest")
  };
  return section;
}

namespace
{
void parse_layers(const SectionReader &body,
                  const SectionReader &reader,
                  const SectionContext &context,
                  ShellParameters &shell)
{
  auto materials = reader.list("Layers");
  if (materials.empty())
  {
    for (const auto *entry : { "Layer fractions" })
      reader.forbid(entry, "'Layers' is not given");
    if (body.require("Material", "or Layers in subsection Shell"))
      materials = { body.text("Material") };
    else
      return;
    body.check_name(
        "Material", materials[0], context.names.at("Material"), "material");
  }
  else
  {
    body.forbid("Material", "subsection Shell has 'Layers'");
    for (const auto &material : materials)
      reader.check_name(
          "Layers", material, context.names.at("Material"), "material");
  }
  const unsigned int n = materials.size();
  auto fractions       = reader.vector("Layer fractions", n);
  auto angles          = reader.vector("Layer angles", n);
  if (fractions.size() != n)
    fractions.assign(n, 1. / n);
  if (angles.size() != n)
    angles.assign(n, 0.);
  const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.);
  if (std::abs(sum - 1.) > 1e-9)
    reader.error(
        "Layer fractions",
        fmt::format("their sum is {:.10g}; allowed: numbers with sum 1.", sum));
  for (unsigned int i = 0; i < n; ++i)
    shell.layers.push_back({ materials[i], fractions[i] / sum, angles[i] });
}
} // namespace

ShellParameters ShellBodySection::parse(const SectionReader &reader,
                                        const SectionContext &context)
{
  ShellParameters shell;
  shell.name        = reader.name();
  const auto inside = reader.subsection("Shell");
  if (context.dim != 3)
  {
    reader.error("Type",
                 "contradictory settings: shells are surfaces in space and "
                 "Dimension = 2; allowed: Dimension = 3, or Type = solid.");
    return shell;
  }
  for (const auto *entry : { "Degree", "Mass", "Dilatation", "Theta" })
    reader.forbid(entry, "it is for solids and Type = shell");
  parse_layers(reader, inside, context, shell);
  shell.physical_name = reader.text("Physical name");
  if (reader.require("Thickness", "for Type = shell"))
    shell.thickness = reader.expressions("Thickness", 1, "x,y,z");
  shell.n_points         = inside.count("Points");
  shell.rule             = inside.choice<ShellRule>("Rule");
  shell.shear_correction = inside.number("Shear correction");
  shell.fold_angle       = inside.number("Fold angle");
  if (shell.rule == ShellRule::lobatto && shell.n_points < 2)
    inside.error("Points",
                 "contradictory settings: Rule = Lobatto has both faces; "
                 "allowed: 2 or more.");
  shell.rolling_direction = unit_vector(inside, "Rolling direction", 3);
  shell.turn_over         = inside.flag("Turn over");
  shell.enhanced          = inside.flag("Enhanced modes");
  shell.follow_thickness  = inside.flag("Follow thickness");
  shell.compliant         = inside.flag("Compliance");
  shell.scaled_inertia    = inside.flag("Scaled inertia");
  shell.initial_angular_velocity =
      inside.expressions("Initial angular velocity", 3, "x,y,z");
  shell.body_force =
      reader.expressions("Body force", 3, context.variables(true));
  shell.initial_velocity =
      reader.expressions("Initial velocity", 3, context.variables(false));
  const auto matrix = reader.choice<unsigned int>("Matrix");
  shell.has_matrix  = matrix > 0;
  if (shell.has_matrix)
    shell.matrix = static_cast<CorrectingMatrix>(matrix - 1);
  const bool by_mass =
      shell.has_matrix && (shell.matrix == CorrectingMatrix::lumped ||
                           shell.matrix == CorrectingMatrix::two_term ||
                           shell.matrix == CorrectingMatrix::explicit_);
  if (by_mass && context.time.scheme == TimeScheme::quasi_static)
    reader.error("Matrix",
                 "contradictory settings: it is made of the mass, and Scheme = "
                 "quasi static has none; allowed: as Newton, full, step or "
                 "frozen.");
  if (context.time.scheme != TimeScheme::quasi_static &&
      context.time.theta != 1.)
    reader.error("Type",
                 "contradictory settings: shells take steps with Theta = 1; "
                 "allowed: Theta = 1 in section Time.");
  shell.mesh = MeshSection::parse_shell(reader.subsection("Mesh"));
  if (shell.mesh.type != MeshType::file)
    reader.forbid("Physical name",
                  "generated meshes have no physical names of cells");
  reader.add_origins(shell.origins, "");
  return shell;
}
} // namespace delassus
