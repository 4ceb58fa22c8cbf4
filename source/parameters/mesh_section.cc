#include <delassus/parameters/sections.h>

#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

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
                            "ball sector",
                            "rectangle",
                            "disk",
                            "cylinder",
                            "sphere" },
                    "Read a file, or generate a wall of blocks in running "
                          "bond with half blocks at the ends, one box, a ball (in "
                          "2D a disk), its lower half, or of that the part with x "
                          "(in 3D and y) not less than the centre's. Shells: a "
                          "rectangle or a disk across z, the mantle of a cylinder "
                          "about z or a part of it, a part of a sphere."),
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
          declare::numbers(
        "Origin",
        Range::any(),
        "length",
        "Lower corner of the wall, box or rectangle, centre of the "
              "ball, disk or sphere, of the cylinder's lower end.")
              .without_default("the origin"),
          declare::numbers("Size",
                     Range::positive(),
                     "length",
                     "Of a whole block of the wall, of the box, of the "
                           "rectangle (two numbers); length of the cylinder.")
              .without_default("must be given for these"),
          declare::choice(
        "Cells",
        "tensor",
        { "8 T3", "4 T3", "tensor" },
        "Of a block: 8 T3, 2 x 2 quadrilaterals each cut in two; 4 "
              "T3, cut by both diagonals; tensor, Q4 or H8 by Divisions."),
          declare::counts(
        "Divisions",
        1,
        "Cells of a block in each direction, for Cells = tensor. "
              "Shells: of the rectangle along x and y, of the "
              "cylinder around and along it, of the sphere along the "
              "longitude and the latitude, of the disk from the centre to "
              "the side of the square in its middle and from there to the "
              "rim (with a hole: around and across).")
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
          declare::number("Radius",
                    "",
                    Range::positive(),
                    "length",
                    "Of the ball, disk, cylinder or sphere.")
              .without_default("must be given for these"),
          declare::count("Ball divisions",
                   "2",
                   1,
                   "Cells from the centre of the ball to the side of the cube "
                         "in its middle, and from there to the sphere."),
          declare::choice("Part",
                    "full",
                    { "full", "half", "quarter" },
                    "Of the disk: half has x not less than the centre's, "
                          "quarter also y."),
          declare::number("Hole radius",
                    "0",
                    Range::nonnegative(),
                    "length",
                    "Of a hole in the middle of the disk, which is then a "
                          "ring."),
          declare::numbers("Angles",
                     Range::any(),
                     "degrees",
                     "First and last angle of the cylinder, first and last "
                           "longitude of the sphere, from x about z.")
              .without_default("0, 360"),
          declare::numbers("Latitudes",
                     Range::closed(-90., 90.),
                     "degrees",
                     "First and last latitude of the sphere, not the poles.")
              .without_default("0, 90 less a hole: must be given"),
          declare::expressions(
        "Cut out",
        "x,y,z",
        "",
        "Of shells: elements in whose centres this is positive "
              "are left out.")
              .without_default("nothing"),
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

namespace
{
/// Entries of generated meshes: which ones the types use.
const std::map<std::string, std::set<MeshType>> &uses_of_entries()
{
  using T                                              = MeshType;
  static const std::map<std::string, std::set<T>> uses = {
    { "Origin",
      { T::running_bond_wall,
        T::box,
        T::ball,
        T::half_ball,
        T::ball_sector,
        T::rectangle,
        T::disk,
        T::cylinder,
        T::sphere } },
    { "Size", { T::rectangle, T::cylinder } },
    { "Divisions", { T::rectangle, T::disk, T::cylinder, T::sphere } },
    { "Radius", { T::disk, T::cylinder, T::sphere } },
    { "Part", { T::disk } },
    { "Hole radius", { T::disk } },
    { "Angles", { T::cylinder, T::sphere } },
    { "Latitudes", { T::sphere } },
    { "File", { T::file } },
    { "Gmsh numbers", { T::file } },
    { "Allow scripts", { T::file } }
  };
  return uses;
}

/// Two numbers that begin an interval.
void parse_interval(const SectionReader &reader,
                    const std::string &entry,
                    std::array<double, 2> &interval)
{
  const auto given = reader.vector(entry, 2);
  if (given.size() != 2)
    return;
  if (!(given[0] < given[1]))
    reader.error(entry, "allowed: two numbers, the second one larger.");
  interval = { { given[0], given[1] } };
}
} // namespace

bool is_for_shells(const MeshType type)
{
  return type == MeshType::rectangle || type == MeshType::disk ||
         type == MeshType::cylinder || type == MeshType::sphere;
}

MeshParameters MeshSection::parse_shell(const SectionReader &reader)
{
  MeshParameters mesh;
  mesh.type              = reader.choice<MeshType>("Type");
  const std::string type = reader.text("Type");
  if (mesh.type != MeshType::file && !is_for_shells(mesh.type))
  {
    reader.error("Type",
                 "contradictory settings: this is a mesh of solids and the "
                 "body is a shell; allowed: file, rectangle, disk, cylinder, "
                 "sphere.");
    return mesh;
  }
  for (const auto *entry : { "Cells",
                             "Courses",
                             "Blocks per course",
                             "Single piece",
                             "Ball divisions",
                             "Global refinement",
                             "Refine where",
                             "Refine levels",
                             "Distribution" })
    reader.forbid(entry, "it is for solids and the body is a shell");
  for (const auto &[entry, types] : uses_of_entries())
    if (types.count(mesh.type) == 0)
      reader.forbid(entry, "Type = " + type + " has no use for it");
  mesh.scale   = reader.number("Scale");
  mesh.cut_out = reader.expressions("Cut out", 1, "x,y,z");
  if (mesh.type == MeshType::file)
  {
    mesh.gmsh_numbers  = reader.number_map("Gmsh numbers");
    mesh.allow_scripts = reader.flag("Allow scripts");
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
  mesh.origin = reader.vector("Origin", 3);
  if (mesh.origin.empty())
    mesh.origin.assign(3, 0.);
  for (const double n : reader.vector("Divisions", 2))
    mesh.divisions.push_back(static_cast<unsigned int>(n));
  if (mesh.divisions.size() != 2)
    mesh.divisions.assign(2, 1);
  if (mesh.type == MeshType::rectangle || mesh.type == MeshType::cylinder)
  {
    reader.require("Size", "for Type = " + type);
    mesh.size = reader.vector("Size", mesh.type == MeshType::rectangle ? 2 : 1);
  }
  if (mesh.type != MeshType::rectangle)
  {
    reader.require("Radius", "for Type = " + type);
    mesh.radius = reader.given("Radius") ? reader.number("Radius") : 1.;
  }
  mesh.part        = reader.choice<DiskPart>("Part");
  mesh.hole_radius = reader.number("Hole radius");
  if (mesh.type == MeshType::disk && !(mesh.hole_radius < mesh.radius))
    reader.error("Hole radius", "allowed: a number less than 'Radius'.");
  parse_interval(reader, "Angles", mesh.angles);
  if (mesh.angles[1] - mesh.angles[0] > 360. * (1. + 1e-12))
    reader.error("Angles", "allowed: 360 degrees between them at most.");
  if (mesh.type == MeshType::sphere)
  {
    reader.require("Latitudes", "for Type = sphere");
    parse_interval(reader, "Latitudes", mesh.latitudes);
    if (std::max(-mesh.latitudes[0], mesh.latitudes[1]) >= 90.)
      reader.error("Latitudes",
                   "a pole would make elements without an edge; allowed: more "
                   "than -90 and less than 90 degrees (File: any mesh).");
  }
  return mesh;
}

MeshParameters MeshSection::parse(const SectionReader &reader,
                                  const SectionContext &context)
{
  MeshParameters mesh;
  mesh.type = reader.choice<MeshType>("Type");
  if (is_for_shells(mesh.type))
  {
    reader.error(
        "Type",
        "contradictory settings: this is a mesh of shells and the "
        "body is a solid; allowed: file, running bond wall, box, ball, "
        "half ball, ball sector, or Type = shell of the body.");
    return mesh;
  }
  for (const auto *entry :
       { "Part", "Hole radius", "Angles", "Latitudes", "Cut out" })
    reader.forbid(entry, "it is for shells and the body is a solid");
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
} // namespace delassus
