#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace delassus
{
SectionDeclaration BodySection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Body";
  section.named         = true;
  section.list          = "Bodies";
  section.documentation = "A deformable body: one mesh (of one or of many "
                          "disconnected blocks), one material.";
  section.entries       = {
          declare::choice("Type",
                    "solid",
                    { "solid", "shell", "solid shell" },
                    "shell: a sheet, whose mesh is a surface of quadrilaterals "
                          "in space; solid shell: one hexahedron through the "
                          "thickness of a sheet."),
          declare::text("Material", "", "the name of a material", "Of the body.")
              .without_default(),
          declare::choice("Degree",
                    "1",
                    { "1", "2" },
                    "Of the elements: 1, T3, Q4, Tet4, H8; 2, T6, Q9, Tet10, "
                          "H27 with curved edges where the mesh has them."),
          declare::choice("Mass",
                    "consistent",
                    { "consistent", "lumped", "nodal" },
                    "Mass matrix: consistent; lumped, by row sums (Degree = 2: "
                          "its diagonal, scaled); nodal, the mass of a cell "
                          "shared equally by its nodes."),
          declare::choice("Dilatation",
                    "automatic",
                    { "automatic", "full", "mean" },
                    "In the Newton loop, against volumetric locking: the "
                          "volume ratio of each point, or its mean over the cell "
                          "(triangles and tetrahedra of degree 1: over a patch of "
                          "cells). automatic: mean for elements of degree 1 of "
                          "plastic or viscous materials and of Poisson ratios "
                          "from 0.4, but not in plane stress."),
          declare::number(
        "Theta",
        "",
        Range::closed(0.5, 1.),
        "",
        "Of this body's time integration; contacts are predicted with that of "
              "section Time.")
              .without_default("that of section Time"),
          declare::choice(
        "Matrix",
        "as Newton",
        { "as Newton",
                "full",
                "step",
                "frozen",
                "lumped",
                "two term",
                "explicit" },
        "What corrects the iterates of this body: as section Newton says, or "
              "one of its choices. Linear elastic bodies have a matrix of their "
              "own, made once."),
          declare::expressions("Thickness",
                         "x,y,z",
                         "length",
                         "Of plane bodies and of solid shells whose mesh is "
                               "generated from their middle surface a number "
                               "greater than 0; of shells, whose reference "
                               "surface is the middle, also an expression of "
                               "the place.")
              .without_default("1; must be given for shells and these"),
          declare::text("Physical name",
                  "",
                  "a name the mesh file has",
                  "Of the group of cells in the mesh file.")
              .without_default("the body's name, or the only group"),
          declare::expressions("Body force",
                         "x,y[,z],t",
                         "length/time^2",
                         "Acceleration (force per mass) added to gravity, one "
                               "expression for each direction.")
              .without_default("none"),
          declare::expressions("Initial velocity",
                         "x,y[,z]",
                         "length/time",
                         "One expression for each direction.")
              .without_default("at rest")
  };
  section.subsections = { MeshSection::declaration(),
                          ShellBodySection::declaration() };
  return section;
}

namespace
{
/// Of plane bodies, and of the generated sheets of solid shells.
double constant_thickness(const SectionReader &reader)
{
  if (!reader.given("Thickness"))
    return 1.;
  const std::string text = reader.text("Thickness");
  char *end              = nullptr;
  const double value     = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(value > 0.) || !std::isfinite(value))
    reader.error("Thickness",
                 "not allowed; allowed: a number greater than 0 (of shells "
                 "also an expression).");
  return value > 0. ? value : 1.;
}

/// The mesh of a solid shell: hexahedra as they are, or a sheet that is
/// generated and given its thickness.
MeshParameters parse_solid_shell_mesh(const SectionReader &body,
                                      const SectionContext &context)
{
  const auto reader      = body.subsection("Mesh");
  const auto type        = reader.choice<MeshType>("Type");
  const std::string kind = "Type = " + reader.text("Type");
  if (is_for_shells(type))
  {
    body.require("Thickness", "for a solid shell and Mesh/" + kind);
    return MeshSection::parse_shell(reader);
  }
  body.forbid("Thickness",
              "the mesh of a solid shell has it already and Mesh/" + kind);
  for (const auto *entry :
       { "Global refinement", "Refine where", "Refine levels" })
    reader.forbid(entry,
                  "a solid shell has one hexahedron through its thickness, "
                  "which this would divide");
  MeshParameters mesh = MeshSection::parse(reader, context);
  if (mesh.distribution == MeshDistribution::distributed)
    reader.error("Distribution",
                 "contradictory settings: cells of solid shells are turned, "
                 "which p4est cannot hold; allowed: automatic or shared.");
  return mesh;
}
} // namespace

BodyParameters BodySection::parse(const SectionReader &reader,
                                  const SectionContext &context)
{
  BodyParameters body;
  body.name = reader.name();
  body.type = reader.choice<BodyType>("Type");
  if (body.type == BodyType::solid_shell && context.dim != 3)
    reader.error("Type",
                 "contradictory settings: solid shells are hexahedra and "
                 "Dimension = 2; allowed: Dimension = 3, or Type = solid.");
  const bool solid_shell = body.type == BodyType::solid_shell;
  for (const auto &entry : ShellBodySection::declaration().entries)
    reader.subsection("Shell").forbid(
        entry.name, "it is for Type = shell and Type = " + reader.text("Type"));
  if (solid_shell)
    reader.forbid("Dilatation",
                  "Type = solid shell has enhanced modes against locking");
  body.material   = reader.text("Material");
  body.degree     = 1 + reader.choice<unsigned int>("Degree");
  body.mass       = reader.choice<MassType>("Mass");
  body.dilatation = reader.choice<Dilatation>("Dilatation");
  body.thickness  = constant_thickness(reader);
  if (solid_shell && body.degree == 2)
    reader.error("Degree",
                 "contradictory settings: solid shells have degree 1; "
                 "allowed: 1.");
  const bool quasi_static = context.time.scheme == TimeScheme::quasi_static;
  if (reader.given("Theta"))
    body.theta = reader.number("Theta");
  if (quasi_static)
    reader.forbid("Theta", "Scheme = quasi static has Theta = 1");
  // As section Newton, then its choices in their order.
  const auto matrix = reader.choice<unsigned int>("Matrix");
  body.has_matrix   = matrix > 0;
  if (body.has_matrix)
    body.matrix = static_cast<CorrectingMatrix>(matrix - 1);
  const bool by_mass =
      body.has_matrix && (body.matrix == CorrectingMatrix::lumped ||
                          body.matrix == CorrectingMatrix::two_term ||
                          body.matrix == CorrectingMatrix::explicit_);
  if (by_mass && quasi_static)
    reader.error("Matrix",
                 "contradictory settings: it is made of the mass, and Scheme = "
                 "quasi static has none; allowed: as Newton, full, step or "
                 "frozen.");
  if (by_mass && body.matrix == CorrectingMatrix::explicit_ &&
      (body.theta > 0. ? body.theta : context.time.theta) != 1.)
    reader.error("Matrix",
                 "contradictory settings: explicit steps have Theta = 1.");
  body.physical_name = reader.text("Physical name");
  body.body_force =
      reader.expressions("Body force", context.dim, context.variables(true));
  body.initial_velocity = reader.expressions(
      "Initial velocity", context.dim, context.variables(false));
  if (reader.require("Material"))
    reader.check_name(
        "Material", body.material, context.names.at("Material"), "material");
  if (!solid_shell && context.assumption != Assumption::plane_strain &&
      context.assumption != Assumption::plane_stress)
    reader.forbid("Thickness",
                  context.dim == 3
                      ? "it is for plane bodies and Dimension = 3"
                      : "it is for plane bodies and Assumption = axisymmetric");
  body.mesh = solid_shell && context.dim == 3
                  ? parse_solid_shell_mesh(reader, context)
                  : MeshSection::parse(reader.subsection("Mesh"), context);
  if (body.mesh.type != MeshType::file)
    reader.forbid("Physical name",
                  "generated meshes have no physical names of cells");
  reader.add_origins(body.origins, "");
  return body;
}

SectionDeclaration BoundaryConditionSection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Boundary condition";
  section.named         = true;
  section.list          = "Boundary conditions";
  section.documentation = "Something prescribed on surfaces of the bodies.";
  section.entries       = {
          declare::choice(
        "Type",
        "fixed",
        { "fixed",
                "displacement",
                "velocity",
                "pressure",
                "traction",
                "clamped",
                "symmetry",
                "force",
                "moment" },
        "fixed: no motion; displacement, velocity: prescribed; "
              "pressure: force per area along the inward normal; "
              "traction: force per area as a vector. Of shells also: clamped, no "
              "motion and no rotation; symmetry, the edge stays in a plane across "
              "Components, and the sheet at right angles to it; traction on an "
              "edge, force per length; force, moment: in all, on edges and "
              "points."),
          declare::names("Surfaces",
                   "Physical names of surfaces: 'surface' (of all bodies that "
                         "have it) or 'body/surface'.")
              .without_default(),
          declare::choices("Components",
                     "",
                     { "x", "y", "z", "rx", "ry", "rz" },
                     "Directions that are prescribed (fixed, displacement, "
                           "velocity); of shells also rotations about them.")
              .without_default("x, y, z"),
          declare::numbers("Point",
                     Range::any(),
                     "length",
                     "Of shells: the node nearest to this place instead of the "
                           "whole of Surfaces.")
              .without_default("all of Surfaces"),
          declare::expressions("Value",
                         "x,y[,z],t",
                         "length, radian, these per time, force/length^2, "
                               "force/length, force or moment",
                         "One expression for each component prescribed; one "
                               "for a pressure; three for forces.")
              .without_default(
            "must be given unless Type = fixed, clamped, symmetry")
  };
  return section;
}

BoundaryConditionParameters
BoundaryConditionSection::parse(const SectionReader &reader,
                                const SectionContext &context)
{
  BoundaryConditionParameters condition;
  condition.name     = reader.name();
  condition.type     = reader.choice<BoundaryConditionType>("Type");
  condition.surfaces = reader.list("Surfaces");
  reader.require("Surfaces");
  for (const auto &surface : condition.surfaces)
  {
    const auto slash = surface.find('/');
    if (slash != std::string::npos)
      reader.check_name("Surfaces",
                        surface.substr(0, slash),
                        context.names.at("Body"),
                        "body");
    else if (surface.empty())
      reader.error("Surfaces", "one of the names is empty.");
  }

  const std::string type = reader.text("Type");
  const bool is_pressure = condition.type == BoundaryConditionType::pressure;
  const bool of_point    = condition.type == BoundaryConditionType::force ||
                        condition.type == BoundaryConditionType::moment;
  const bool is_load = is_pressure || of_point ||
                       condition.type == BoundaryConditionType::traction;
  const bool is_symmetry = condition.type == BoundaryConditionType::symmetry;
  if (context.dim == 2 && (of_point || is_symmetry ||
                           condition.type == BoundaryConditionType::clamped))
    reader.error("Type",
                 "contradictory settings: it is for shells and Dimension = 2; "
                 "allowed: fixed, displacement, velocity, pressure, traction.");
  if (condition.type == BoundaryConditionType::clamped)
    reader.forbid("Components", "Type = clamped holds all");
  condition.point = reader.vector("Point", 3);
  if (context.dim == 2)
    reader.forbid("Point", "it is for shells and Dimension = 2");
  if (is_pressure || is_symmetry ||
      condition.type == BoundaryConditionType::traction)
    reader.forbid("Point", "it is of no use for Type = " + type);
  if (is_load)
    reader.forbid("Components",
                  "it is for prescribed motions and Type = " + type);
  condition.components = reader.choices<unsigned int>("Components");
  auto sorted          = condition.components;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    reader.error("Components", "a direction is given twice.");
  if (!sorted.empty() && context.dim == 2 && sorted.back() >= 2)
    reader.error("Components",
                 "contradictory settings: Dimension = 2 has no z, and no "
                 "rotations are prescribed there; allowed: x, y.");
  if (is_symmetry && (sorted.size() != 1 || sorted[0] > 2))
    reader.error("Components",
                 "the plane of symmetry is across one direction; allowed: x, y "
                 "or z.");

  if (condition.type == BoundaryConditionType::fixed || is_symmetry ||
      condition.type == BoundaryConditionType::clamped)
  {
    reader.forbid("Value", "Type = " + type + " has no value");
    return condition;
  }
  if (!reader.require("Value", "for Type = " + type))
    return condition;
  const unsigned int n_components = condition.components.empty() || is_load
                                        ? context.dim
                                        : condition.components.size();
  const auto given                = reader.list("Value");
  condition.value                 = reader.expressions(
      "Value", is_pressure ? 1 : n_components, context.variables(true));
  // In the struct, one expression for each direction in the order x, y, z,
  // zero where nothing is prescribed.
  if (!is_load && !condition.components.empty() &&
      given.size() == condition.components.size())
  {
    std::vector<std::string> by_direction(
        std::max(context.dim, 1 + sorted.back()), "0");
    for (unsigned int i = 0; i < given.size(); ++i)
      by_direction[condition.components[i]] = given[i];
    condition.value.clear();
    for (const auto &expression : by_direction)
      condition.value += (condition.value.empty() ? "" : "; ") + expression;
  }
  return condition;
}
} // namespace delassus
