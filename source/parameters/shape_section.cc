#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace delassus
{
namespace
{
/// Entries that only some types use, with those types.
struct Use
{
  const char *entry;
  std::vector<ObstacleType> types;
};

const std::vector<Use> &uses()
{
  using T                            = ObstacleType;
  static const std::vector<Use> list = {
    { "Normal", { T::plane, T::extruded_profile } },
    { "Axis",
      { T::cylinder,
        T::cone,
        T::torus,
        T::extruded_profile,
        T::revolved_profile } },
    { "Radius", { T::sphere, T::cylinder, T::cone, T::torus } },
    { "Minor radius", { T::torus } },
    { "Half angle", { T::cone } },
    { "Length", { T::cylinder, T::cone } },
    { "Size", { T::box } },
    { "Rounding", { T::box, T::cylinder, T::cone } },
    { "Profile", { T::extruded_profile, T::revolved_profile } },
    { "Fillets", { T::extruded_profile, T::revolved_profile } },
    { "File", { T::surface } },
    { "Physical name", { T::surface } },
    { "Allow scripts", { T::surface } },
    { "Scale", { T::surface } }
  };
  return list;
}

const std::vector<std::string> &type_names()
{
  static const std::vector<std::string> names = {
    "plane", "sphere",           "cylinder",         "cone",   "torus",
    "box",   "extruded profile", "revolved profile", "surface"
  };
  return names;
}

/// "0,0; 10,0; 10,5".
std::vector<std::vector<double>> points_of(const SectionReader &reader)
{
  std::vector<std::vector<double>> points;
  const std::string rule =
      "allowed: two numbers for each point, points separated by semicolons "
      "('0,0; 10,0; 10,5').";
  for (const auto &item : reader.list("Profile"))
  {
    std::vector<double> point;
    std::istringstream numbers(item);
    std::string number;
    while (std::getline(numbers, number, ','))
    {
      std::size_t end = 0;
      double value    = 0.;
      try
      {
        value = std::stod(number, &end);
      }
      catch (const std::exception &)
      {
        end = 0;
      }
      if (end == 0 ||
          number.find_first_not_of(" \t", end) != std::string::npos ||
          !std::isfinite(value))
      {
        reader.error("Profile",
                     fmt::format("'{}' is not a number; {}", number, rule));
        return {};
      }
      point.push_back(value);
    }
    if (point.size() != 2)
    {
      reader.error("Profile",
                   fmt::format("'{}' is not a point; {}", item, rule));
      return {};
    }
    points.push_back(point);
  }
  if (points.size() < 2)
  {
    reader.error("Profile", "there are fewer than two points; " + rule);
    return {};
  }
  return points;
}

/// Checks of the numbers that the types need.
void check_sizes(const SectionReader &reader,
                 ShapeParameters &shape,
                 const unsigned int dim)
{
  const std::string type = reader.text("Type");
  const auto positive    = [&](const std::string &entry, const double value)
  {
    if (!(value > 0.))
      reader.error(entry,
                   "allowed for Type = " + type + ": a number greater than 0.");
  };
  double smallest = 0.; // what bounds the rounding
  switch (shape.type)
  {
    case ObstacleType::sphere:
      positive("Radius", shape.radius);
      break;
    case ObstacleType::cylinder:
      positive("Radius", shape.radius);
      smallest = shape.radius;
      if (shape.length > 0.)
        smallest = std::min(smallest, 0.5 * shape.length);
      else
        reader.forbid("Rounding",
                      "a cylinder without end (Length = 0) has no edge");
      break;
    case ObstacleType::cone:
      positive("Half angle", shape.half_angle);
      break;
    case ObstacleType::torus:
      positive("Radius", shape.radius);
      positive("Minor radius", shape.minor_radius);
      if (shape.minor_radius >= shape.radius)
        reader.error("Minor radius",
                     "the tube is as thick as the ring is wide; allowed: less "
                     "than Radius.");
      break;
    case ObstacleType::box:
      if (reader.require("Size", "for Type = box") && shape.size.size() == dim)
      {
        smallest = *std::min_element(shape.size.begin(), shape.size.end());
        if (smallest <= 0.)
          reader.error("Size", "allowed: numbers greater than 0.");
        smallest *= 0.5;
      }
      break;
    default:
      break;
  }
  if (smallest > 0. && shape.rounding > smallest * (1. + 1e-12))
    reader.error("Rounding",
                 fmt::format("it does not fit; allowed: at most {:.6g}, half "
                             "of the smallest side (cylinder: at most the "
                             "radius).",
                             smallest));
}
} // namespace

std::vector<double> unit_vector(const SectionReader &reader,
                                const std::string &entry,
                                const unsigned int dim)
{
  auto v         = reader.vector(entry, dim);
  double largest = 0., norm = 0.;
  for (const double c : v)
    largest = std::max(largest, std::abs(c));
  if (!v.empty() && largest == 0.)
    reader.error(entry, "it has no direction; allowed: not all zero.");
  if (largest == 0.)
    return {};
  for (const double c : v)
    norm += (c / largest) * (c / largest);
  for (double &c : v)
    c = (c / largest) / std::sqrt(norm);
  return v;
}

std::vector<EntryDeclaration> shape_entries()
{
  auto profile =
      declare::text("Profile",
                    "",
                    "points 'a,b' separated by semicolons",
                    "Polyline. extruded: two coordinates across the axis (in "
                    "the plane x,y); revolved: along the axis, from the axis. "
                    "Closed if the last point is the first; open: going along "
                    "it, the bodies are to the left.");
  profile.separator = ';';
  return {
    declare::choice("Type",
                    "plane",
                    type_names(),
                    "In the plane: plane (a line), sphere (a circle), box, "
                    "extruded profile (as it is), surface (lines)."),
    declare::numbers("Point",
                     Range::any(),
                     "length",
                     "plane: a point of it; sphere, torus: centre; cylinder, "
                     "cone: centre of the end from which Axis leads (cone of "
                     "radius 0: apex); box: lowest corner; profile, surface: "
                     "where its origin is put.")
        .without_default("the origin"),
    declare::numbers("Normal",
                     Range::any(),
                     "",
                     "plane: towards the bodies, of any length; extruded "
                     "profile in space: direction of its second coordinate.")
        .without_default("plane: must be given; profile: z, or y if Axis is z"),
    declare::numbers("Axis",
                     Range::any(),
                     "",
                     "Of cylinder, cone, torus and profiles in space, of any "
                     "length.")
        .without_default("must be given for these types"),
    declare::number("Radius",
                    "0",
                    Range::nonnegative(),
                    "length",
                    "sphere, cylinder; torus: of the tube's centre line; cone: "
                    "at Point (0: a tip)."),
    declare::number("Minor radius",
                    "0",
                    Range::nonnegative(),
                    "length",
                    "torus: of the tube."),
    declare::number("Half angle",
                    "0",
                    Range::closed(0., 89.9),
                    "degrees",
                    "cone: between axis and surface; it widens along Axis."),
    declare::number("Length",
                    "0",
                    Range::nonnegative(),
                    "length",
                    "cylinder, cone: along Axis, with flat ends; 0: without "
                    "end (cylinder: on both sides)."),
    declare::numbers("Size", Range::any(), "length", "box: along x, y[, z].")
        .without_default("must be given for a box"),
    declare::number("Rounding",
                    "0",
                    Range::nonnegative(),
                    "length",
                    "box, cylinder, cone: radius of the edges."),
    profile.without_default("must be given for profiles"),
    declare::numbers("Fillets",
                     Range::nonnegative(),
                     "length",
                     "Radii at the corners of Profile: one for all, or one for "
                     "each (open: without the two ends).")
        .without_default("sharp corners"),
    declare::text("File",
                  "",
                  "a .geo, .msh or .stl file, looked for as those of bodies",
                  "surface: triangles (in the plane: lines). A closed one is "
                  "turned outwards; an open one has the bodies on the side of "
                  "its normals (lines: to the left).")
        .without_default("must be given for a surface"),
    declare::text("Physical name",
                  "",
                  "a name the mesh file has",
                  "surface: of the group of triangles (lines).")
        .without_default("the only group"),
    declare::flag("Allow scripts",
                  false,
                  "surface: a .geo script may start programs, write files and "
                  "read those of other folders."),
    declare::number(
        "Scale", "1", Range::positive(), "", "surface: of its coordinates."),
    declare::flag("Hollow",
                  false,
                  "The bodies are inside (bore, die cavity); of open profiles "
                  "and surfaces: on the other side.")
  };
}

bool has_axis(const ObstacleType type)
{
  const auto &types = std::find_if(uses().begin(),
                                   uses().end(),
                                   [](const Use &use)
                                   { return use.entry == std::string("Axis"); })
                          ->types;
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool parse_shape(const SectionReader &reader,
                 const SectionContext &context,
                 ShapeParameters &shape)
{
  const unsigned int dim = context.dim;
  shape.name             = reader.name();
  shape.type             = reader.choice<ObstacleType>("Type");
  const std::string type = reader.text("Type");
  using T                = ObstacleType;

  if (dim == 2 && (shape.type == T::cylinder || shape.type == T::cone ||
                   shape.type == T::torus || shape.type == T::revolved_profile))
  {
    reader.error("Type",
                 "contradictory settings: it is for Dimension = 3; allowed: "
                 "plane, sphere (a circle), box, extruded profile, surface.");
    return false;
  }
  for (const auto &use : uses())
    if (std::find(use.types.begin(), use.types.end(), shape.type) ==
        use.types.end())
    {
      std::string types;
      for (const auto t : use.types)
        types += (types.empty() ? "" : ", ") +
                 type_names()[static_cast<unsigned int>(t)];
      reader.forbid(use.entry, "it is for " + types + " and Type = " + type);
    }
  if (shape.type == T::plane)
    reader.forbid("Hollow", "a plane has its side by Normal");

  shape.point = reader.vector("Point", dim);
  if (shape.point.empty())
    shape.point.assign(dim, 0.);
  shape.hollow        = reader.flag("Hollow");
  shape.radius        = reader.number("Radius");
  shape.minor_radius  = reader.number("Minor radius");
  shape.half_angle    = reader.number("Half angle");
  shape.length        = reader.number("Length");
  shape.rounding      = reader.number("Rounding");
  shape.size          = reader.vector("Size", dim);
  shape.scale         = reader.number("Scale");
  shape.allow_scripts = reader.flag("Allow scripts");

  if (dim == 2)
  {
    if (shape.type == T::extruded_profile)
    {
      reader.forbid("Axis", "it is for Dimension = 3");
      reader.forbid("Normal",
                    "in the plane the coordinates of a profile are x and y");
    }
  }
  else if (has_axis(shape.type) && reader.require("Axis", "for Type = " + type))
    shape.axis = unit_vector(reader, "Axis", dim);
  if (shape.type == T::plane)
    reader.require("Normal");
  shape.normal = unit_vector(reader, "Normal", dim);
  if (dim == 3 && shape.type == T::extruded_profile && shape.axis.size() == 3)
  {
    if (shape.normal.empty())
      shape.normal = std::abs(shape.axis[2]) > 0.99
                         ? std::vector<double>{ 0., 1., 0. }
                         : std::vector<double>{ 0., 0., 1. };
    double product = 0.;
    for (unsigned int c = 0; c < 3; ++c)
      product += shape.axis[c] * shape.normal[c];
    if (std::abs(product) > 1. - 1e-9)
      reader.error("Normal",
                   "contradictory settings: it is along Axis; allowed: the "
                   "direction of the profile's second coordinate, across it.");
  }
  check_sizes(reader, shape, dim);

  if (shape.type == T::extruded_profile || shape.type == T::revolved_profile)
    if (reader.require("Profile", "for Type = " + type))
    {
      shape.profile       = points_of(reader);
      shape.fillets       = reader.numbers("Fillets");
      const std::size_t n = shape.profile.size();
      const bool closed =
          n > 3 && shape.profile.front() == shape.profile.back();
      const std::size_t most = n < 2 ? 0 : closed ? n - 1 : n - 2;
      if (n >= 2 && shape.fillets.size() > 1 && shape.fillets.size() != most)
        reader.error("Fillets",
                     fmt::format("there are {} numbers for {} corners; "
                                 "allowed: one, or {}.",
                                 shape.fillets.size(),
                                 most,
                                 most));
      if (shape.type == T::revolved_profile)
        for (const auto &p : shape.profile)
          if (p[1] < 0.)
          {
            reader.error("Profile",
                         "the second number of a point is its distance from "
                         "the axis; allowed: 0 or greater.");
            break;
          }
    }
  if (shape.type == T::surface && reader.require("File", "for Type = surface"))
  {
    shape.file = find_mesh_file(reader, "File");
    if (std::filesystem::path(shape.file).extension() != ".geo")
      reader.forbid("Allow scripts",
                    "it is for .geo scripts and File = " + shape.file);
    warn_of_scripts(reader);
  }
  shape.physical_name = reader.text("Physical name");

  return true;
}
} // namespace delassus
