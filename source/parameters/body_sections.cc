#include <delassus/parameters/sections.h>

#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace delassus
{
namespace
{
namespace fs = std::filesystem;

/// Where a mesh file may lie: beside the parameter file that names it, or in
/// the folder meshes/ of this folder or one above (parameter_files/x.prm uses
/// meshes/y.geo). A name from the command line is first looked for here.
/// Returns the path found, or an empty string and the folders tried.
std::string find_mesh(const std::string &name,
                      const InputOrigin &origin,
                      const std::string &parameter_file,
                      std::vector<std::string> &tried)
{
  std::vector<fs::path> folders;
  if (!origin.option.empty())
    folders.push_back(fs::current_path());
  const fs::path folder =
      fs::absolute(origin.option.empty() ? origin.file : parameter_file)
          .lexically_normal()
          .parent_path();
  folders.push_back(folder);
  for (fs::path above = folder;; above = above.parent_path())
  {
    if (fs::is_directory(above / "meshes"))
      folders.push_back(above / "meshes");
    if (above == above.parent_path())
      break;
  }
  if (fs::path(name).is_absolute())
    folders = { "" };
  for (const auto &f : folders)
  {
    std::error_code error;
    const fs::path path = (f / name).lexically_normal();
    if (fs::is_regular_file(path, error))
      return path.string();
    tried.push_back(path.parent_path().string());
  }
  return "";
}

std::vector<std::string> files_of(const std::vector<std::string> &folders)
{
  std::vector<std::string> names;
  for (const auto &folder : folders)
  {
    std::error_code error;
    if (fs::is_directory(folder, error))
      for (const auto &f : fs::directory_iterator(folder, error))
      {
        const std::string extension = f.path().extension().string();
        if (extension == ".geo" || extension == ".msh" || extension == ".inp" ||
            extension == ".vtk" || extension == ".unv" || extension == ".ucd" ||
            extension == ".stl")
          names.push_back(f.path().filename().string());
      }
  }
  std::sort(names.begin(), names.end());
  return names;
}
} // namespace

std::string find_mesh_file(const SectionReader &reader,
                           const std::string &entry)
{
  const std::string file = reader.text(entry);
  std::vector<std::string> tried;
  const std::string path =
      find_mesh(file, reader.origin(entry), reader.parameter_file(), tried);
  if (!path.empty())
  {
    reader.replace(entry, path);
    return path;
  }
  std::string folders;
  for (const auto &folder : tried)
    folders += (folders.empty() ? "" : ", ") + folder;
  const std::string near =
      nearest_name(fs::path(file).filename().string(), files_of(tried));
  reader.error(
      entry,
      fmt::format("the file does not exist; looked for in "
                  "{}.{}",
                  folders,
                  near.empty() ? "" : " Did you mean '" + near + "'?"));
  return file;
}

void warn_of_scripts(const SectionReader &reader)
{
  if (reader.flag("Allow scripts"))
    reader.warn("'Allow scripts' lets the script in 'File' start programs and "
                "write files.");
}

SectionDeclaration MeshSection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Mesh";
  section.documentation = "The mesh of a body: a file, or generated blocks.";
  section.entries       = {
          declare::choice("Type",
                    "file",
                    { "file",
                            "running bond wall",
                            "box",
                            "ball",
                            "half ball",
                            "ball sector" },
                    "Read a file, or generate a wall of blocks in running "
                          "bond with half blocks at the ends, one box, a ball (in "
                          "2D a disk), its lower half, or of that the part with x "
                          "(in 3D and y) not less than the centre's."),
          declare::text("File",
                  "",
                  "a .geo script, a .msh file or another format of deal.II",
                  "Looked for beside the parameter file, then in the folders "
                        "meshes/ of this folder and of those above.")
              .without_default("must be given for Type = file"),
          declare::number_map("Gmsh numbers",
                        "Passed to the .geo script (onelab numbers and "
                              "variables of these names)."),
          declare::flag("Allow scripts",
                  false,
                  "The .geo script may start programs, write files and read "
                        "those of other folders: only for scripts that you "
                        "trust."),
          declare::number(
        "Scale", "1", Range::positive(), "", "Multiplies all coordinates."),
          declare::numbers("Origin",
                     Range::any(),
                     "length",
                     "Lower corner of the wall or box, centre of the ball.")
              .without_default("the origin"),
          declare::numbers("Size",
                     Range::positive(),
                     "length",
                     "Of a whole block of the wall, or of the box.")
              .without_default("must be given for walls and boxes"),
          declare::choice(
        "Cells",
        "tensor",
        { "8 T3", "4 T3", "tensor" },
        "Of a block: 8 T3, 2 x 2 quadrilaterals each cut in two; 4 "
              "T3, cut by both diagonals; tensor, Q4 or H8 by Divisions."),
          declare::counts("Divisions",
                    1,
                    "Cells of a block in each direction, for Cells = tensor.")
              .without_default("1 in each direction"),
          declare::count("Courses", "1", 1, "Rows of blocks of the wall."),
          declare::number("Blocks per course",
                    "1",
                    Range::positive(),
                    "",
                    "Of the wall: a whole number or a whole number and a "
                          "half."),
          declare::flag(
        "Single piece", false, "The wall in one piece: its blocks are glued."),
          declare::number("Radius", "", Range::positive(), "length", "Of the ball.")
              .without_default("must be given for balls"),
          declare::count("Ball divisions",
                   "2",
                   1,
                   "Cells from the centre of the ball to the side of the cube "
                         "in its middle, and from there to the sphere."),
          declare::count("Global refinement",
                   "0",
                   0,
                   "How often all cells are halved in each direction."),
          declare::expressions("Refine where",
                         "x,y[,z]",
                         "",
                         "Regions whose cells (quadrilaterals, hexahedra) are "
                               "halved further: where an expression is positive "
                               "in a cell.")
              .without_default("nowhere"),
          declare::counts("Refine levels",
                    1,
                    "How often, one number for each region or one for all; "
                          "where regions overlap the larger one.")
              .without_default("1"),
          declare::choice("Distribution",
                    "automatic",
                    { "automatic", "shared", "distributed" },
                    "How MPI ranks hold the mesh: shared, all cells known to "
                          "all, pieces larger than the share of a rank cut; "
                          "distributed, by p4est (quadrilaterals and "
                          "hexahedra); automatic, distributed if it is refined "
                          "locally, else shared with pieces of up to 5000 cells "
                          "uncut.")
  };
  return section;
}

namespace
{
void parse_refinement(const SectionReader &reader,
                      const SectionContext &context,
                      MeshParameters &mesh)
{
  mesh.global_refinement = reader.count("Global refinement");
  mesh.distribution      = reader.choice<MeshDistribution>("Distribution");
  const auto regions     = reader.list("Refine where");
  if (regions.empty())
  {
    reader.forbid("Refine levels", "'Refine where' is not given");
    return;
  }
  reader.expressions("Refine where", regions.size(), context.variables(false));
  std::vector<double> levels = reader.numbers("Refine levels");
  if (levels.empty())
    levels = { 1. };
  if (levels.size() == 1)
    levels.resize(regions.size(), levels[0]);
  if (levels.size() != regions.size())
  {
    reader.error("Refine levels",
                 fmt::format("{} numbers for {} regions of 'Refine where'; "
                             "allowed: one for all or one for each.",
                             levels.size(),
                             regions.size()));
    return;
  }
  for (unsigned int r = 0; r < regions.size(); ++r)
    mesh.refinement.push_back(
        { regions[r], static_cast<unsigned int>(levels[r]) });
  if (mesh.distribution == MeshDistribution::shared)
    reader.error("Distribution",
                 "contradictory settings: 'Refine where' refines locally, "
                 "which only p4est does; allowed: automatic or distributed.");
}
} // namespace

MeshParameters MeshSection::parse(const SectionReader &reader,
                                  const SectionContext &context)
{
  MeshParameters mesh;
  mesh.type          = reader.choice<MeshType>("Type");
  mesh.file          = reader.text("File");
  mesh.gmsh_numbers  = reader.number_map("Gmsh numbers");
  mesh.allow_scripts = reader.flag("Allow scripts");
  mesh.scale         = reader.number("Scale");
  mesh.origin        = reader.vector("Origin", context.dim);
  mesh.size          = reader.vector("Size", context.dim);
  mesh.pattern       = reader.choice<CellPattern>("Cells");
  mesh.n_courses     = reader.count("Courses");
  mesh.length        = reader.number("Blocks per course");
  mesh.single_piece  = reader.flag("Single piece");
  for (const double n : reader.vector("Divisions", context.dim))
    mesh.divisions.push_back(static_cast<unsigned int>(n));

  const bool is_ball = mesh.type == MeshType::ball ||
                       mesh.type == MeshType::half_ball ||
                       mesh.type == MeshType::ball_sector;
  mesh.radius         = is_ball ? reader.number("Radius") : 0.;
  mesh.ball_divisions = reader.count("Ball divisions");
  if (!is_ball)
    for (const auto *entry : { "Radius", "Ball divisions" })
      reader.forbid(entry, "it is for balls and Type = " + reader.text("Type"));
  parse_refinement(reader, context, mesh);

  const std::string type = reader.text("Type");
  if (mesh.type == MeshType::file)
  {
    for (const auto *entry : { "Origin",
                               "Size",
                               "Cells",
                               "Divisions",
                               "Courses",
                               "Blocks per course",
                               "Single piece" })
      reader.forbid(entry, "it is for generated meshes and Type = file");
    if (reader.require("File", "for Type = file"))
    {
      mesh.file = find_mesh_file(reader, "File");
      if (fs::path(mesh.file).extension() != ".geo")
        for (const auto *entry : { "Gmsh numbers", "Allow scripts" })
          reader.forbid(entry,
                        "it is for .geo scripts and File = " + mesh.file);
      warn_of_scripts(reader);
    }
    return mesh;
  }

  for (const auto *entry : { "File", "Gmsh numbers", "Allow scripts" })
    reader.forbid(entry, "it is for Type = file and Type = " + type);
  if (mesh.origin.empty())
    mesh.origin.assign(context.dim, 0.);
  if (is_ball)
  {
    for (const auto *entry : { "Size",
                               "Cells",
                               "Divisions",
                               "Courses",
                               "Blocks per course",
                               "Single piece" })
      reader.forbid(entry, "it is for walls and boxes and Type = " + type);
    reader.require("Radius", "for Type = " + type);
    if (context.assumption == Assumption::axisymmetric &&
        (mesh.type != MeshType::ball_sector || mesh.origin[0] < 0.))
      reader.error(
          "Type",
          "contradictory settings: with Assumption = axisymmetric x is "
          "the radius, and this ball would cross the axis; allowed: "
          "ball sector with an Origin whose first number is 0 or "
          "greater.");
    return mesh;
  }
  reader.require("Size", "for Type = " + type);
  if (context.assumption == Assumption::axisymmetric && mesh.origin[0] < 0.)
    reader.error("Origin",
                 "contradictory settings: with Assumption = axisymmetric x is "
                 "the radius; allowed: 0 or greater as its first number.");
  if (context.dim == 3 && mesh.pattern != CellPattern::tensor)
    reader.error("Cells",
                 "contradictory settings: these are triangles and Dimension = "
                 "3; allowed: tensor.");
  if (mesh.pattern != CellPattern::tensor)
    reader.forbid("Divisions",
                  "it is for Cells = tensor and Cells = " +
                      reader.text("Cells"));
  if (mesh.pattern != CellPattern::tensor &&
      (!mesh.refinement.empty() ||
       mesh.distribution == MeshDistribution::distributed))
    reader.error("Cells",
                 fmt::format("contradictory settings: these are triangles and "
                             "{} is for quadrilaterals and hexahedra; allowed: "
                             "tensor.",
                             mesh.refinement.empty()
                                 ? "Distribution = distributed"
                                 : "'Refine where'"));
  if (mesh.divisions.empty())
    mesh.divisions.assign(context.dim, 1);
  if (mesh.type == MeshType::running_bond_wall)
  {
    const double halves = 2. * mesh.length;
    if (halves != std::floor(halves) || mesh.length < 1.)
      reader.error("Blocks per course",
                   "allowed: a whole number, or a whole number and a half "
                   "(1, 1.5, 2, ...).");
  }
  else
    for (const auto *entry : { "Courses", "Blocks per course", "Single piece" })
      reader.forbid(entry, "it is for Type = running bond wall and Type = box");
  return mesh;
}

SectionDeclaration BodySection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Body";
  section.named         = true;
  section.list          = "Bodies";
  section.documentation = "A deformable body: one mesh (of one or of many "
                          "disconnected blocks), one material.";
  section.entries       = {
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
          declare::number(
        "Thickness", "1", Range::positive(), "length", "Of plane bodies."),
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
  section.subsections = { MeshSection::declaration() };
  return section;
}

BodyParameters BodySection::parse(const SectionReader &reader,
                                  const SectionContext &context)
{
  BodyParameters body;
  body.name               = reader.name();
  body.material           = reader.text("Material");
  body.degree             = 1 + reader.choice<unsigned int>("Degree");
  body.mass               = reader.choice<MassType>("Mass");
  body.dilatation         = reader.choice<Dilatation>("Dilatation");
  body.thickness          = reader.number("Thickness");
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
  if (context.assumption != Assumption::plane_strain &&
      context.assumption != Assumption::plane_stress)
    reader.forbid("Thickness",
                  context.dim == 3
                      ? "it is for plane bodies and Dimension = 3"
                      : "it is for plane bodies and Assumption = axisymmetric");
  body.mesh = MeshSection::parse(reader.subsection("Mesh"), context);
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
        { "fixed", "displacement", "velocity", "pressure", "traction" },
        "fixed: no motion; displacement, velocity: prescribed; "
              "pressure: force per area along the inward normal; "
              "traction: force per area as a vector."),
          declare::names("Surfaces",
                   "Physical names of surfaces: 'surface' (of all bodies that "
                         "have it) or 'body/surface'.")
              .without_default(),
          declare::choices("Components",
                     "",
                     { "x", "y", "z" },
                     "Directions that are prescribed (fixed, displacement, "
                           "velocity).")
              .without_default("all"),
          declare::expressions("Value",
                         "x,y[,z],t",
                         "length, length/time or force/length^2",
                         "One expression for each component prescribed; one "
                               "for a pressure.")
              .without_default("must be given unless Type = fixed")
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
  const bool is_load =
      is_pressure || condition.type == BoundaryConditionType::traction;
  if (is_load)
    reader.forbid("Components",
                  "it is for prescribed motions and Type = " + type);
  condition.components = reader.choices<unsigned int>("Components");
  auto sorted          = condition.components;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    reader.error("Components", "a direction is given twice.");
  if (!sorted.empty() && sorted.back() >= context.dim)
    reader.error("Components",
                 "contradictory settings: Dimension = 2 has no z; allowed: x, "
                 "y.");

  if (condition.type == BoundaryConditionType::fixed)
  {
    reader.forbid("Value", "Type = fixed has no value");
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
    std::vector<std::string> by_direction(context.dim, "0");
    for (unsigned int i = 0; i < given.size(); ++i)
      if (condition.components[i] < context.dim)
        by_direction[condition.components[i]] = given[i];
    condition.value.clear();
    for (const auto &expression : by_direction)
      condition.value += (condition.value.empty() ? "" : "; ") + expression;
  }
  return condition;
}
} // namespace delassus
