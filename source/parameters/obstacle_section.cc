#include <delassus/parameters/sections.h>

#include <delassus/base/exceptions.h>

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

/// The direction of an entry, of length 1.
std::vector<double> direction(const SectionReader &reader,
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
                 ObstacleParameters &obstacle,
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
  switch (obstacle.type)
  {
    case ObstacleType::sphere:
      positive("Radius", obstacle.radius);
      break;
    case ObstacleType::cylinder:
      positive("Radius", obstacle.radius);
      smallest = obstacle.radius;
      if (obstacle.length > 0.)
        smallest = std::min(smallest, 0.5 * obstacle.length);
      else
        reader.forbid("Rounding",
                      "a cylinder without end (Length = 0) has no edge");
      break;
    case ObstacleType::cone:
      positive("Half angle", obstacle.half_angle);
      break;
    case ObstacleType::torus:
      positive("Radius", obstacle.radius);
      positive("Minor radius", obstacle.minor_radius);
      if (obstacle.minor_radius >= obstacle.radius)
        reader.error("Minor radius",
                     "the tube is as thick as the ring is wide; allowed: less "
                     "than Radius.");
      break;
    case ObstacleType::box:
      if (reader.require("Size", "for Type = box") &&
          obstacle.size.size() == dim)
      {
        smallest =
            *std::min_element(obstacle.size.begin(), obstacle.size.end());
        if (smallest <= 0.)
          reader.error("Size", "allowed: numbers greater than 0.");
        smallest *= 0.5;
      }
      break;
    default:
      break;
  }
  if (smallest > 0. && obstacle.rounding > smallest * (1. + 1e-12))
    reader.error("Rounding",
                 fmt::format("it does not fit; allowed: at most {:.6g}, half "
                             "of the smallest side (cylinder: at most the "
                             "radius).",
                             smallest));
}
} // namespace

SectionDeclaration ObstacleSection::declaration()
{
  SectionDeclaration section;
  section.kind  = "Obstacle";
  section.named = true;
  section.list  = "Obstacles";
  section.documentation =
      "A rigid shape that bodies cannot enter (or, hollow, cannot leave), at "
      "rest or moving: a tool. Entries say its place at rest; it moves by "
      "Rotation about Center, then by Displacement or Velocity, or, where it "
      "is Free, by the forces on it.";
  auto profile =
      declare::text("Profile",
                    "",
                    "points 'a,b' separated by semicolons",
                    "Polyline. extruded: two coordinates across the axis (in "
                    "the plane x,y); revolved: along the axis, from the axis. "
                    "Closed if the last point is the first; open: going along "
                    "it, the bodies are to the left.");
  profile.separator = ';';
  section.entries   = {
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
                    "and surfaces: on the other side."),
      declare::expressions("Displacement",
                         "t",
                         "length",
                         "Of the obstacle, one expression for each direction.")
          .without_default("none"),
      declare::expressions("Velocity",
                         "t",
                         "length/time",
                         "Of the obstacle, one expression for each direction, "
                           "instead of Displacement.")
          .without_default("none"),
      declare::choices("Free",
                     "",
                     { "x", "y", "z", "rotation" },
                     "Motions that forces decide on: translations (contact, "
                       "Force, gravity times Mass, Damping) and the rotation "
                       "about Center (moments, Torque). The others are given.")
          .without_default("none"),
      declare::number("Mass",
                    "",
                    Range::positive(),
                    "mass",
                    "Of the free translations. Quasi static: only its weight "
                      "counts.")
          .without_default("dynamic: must be given where Free is"),
      declare::expressions("Force",
                         "t",
                         "force",
                         "On the free translations, one expression for each "
                           "direction (0 where not free).")
          .without_default("none"),
      declare::number("Damping",
                    "0",
                    Range::nonnegative(),
                    "force*time/length",
                    "Dashpot on the free translations."),
      declare::number("Inertia",
                    "",
                    Range::positive(),
                    "mass*length^2",
                    "Of a free rotation: moment of inertia about Center (in "
                      "space: about Rotation axis); Center is the mass centre "
                      "if translations are free too.")
          .without_default("dynamic: must be given where the rotation is Free"),
      declare::expressions("Torque", "t", "force*length", "On a free rotation.")
          .without_default("none"),
      declare::number("Rotational damping",
                    "0",
                    Range::nonnegative(),
                    "force*length*time",
                    "Dashpot on a free rotation."),
      declare::numbers("Initial velocity",
                     Range::any(),
                     "length/time",
                     "Of the free translations, for Scheme = dynamic.")
          .without_default("at rest"),
      declare::expressions("Rotation",
                         "t",
                         "degrees",
                         "Angle about Center (in space: about Rotation axis), "
                           "counter-clockwise.")
          .without_default("none"),
      declare::numbers("Center",
                     Range::any(),
                     "length",
                     "Of the rotation; it is displaced with the obstacle.")
          .without_default("Point"),
      declare::numbers(
        "Rotation axis", Range::any(), "", "In space, of any length.")
          .without_default("Axis, if the type has one")
  };
  return section;
}

ObstacleParameters ObstacleSection::parse(const SectionReader &reader,
                                          const SectionContext &context)
{
  const unsigned int dim = context.dim;
  ObstacleParameters obstacle;
  obstacle.name          = reader.name();
  obstacle.type          = reader.choice<ObstacleType>("Type");
  const std::string type = reader.text("Type");
  using T                = ObstacleType;

  if (dim == 2 &&
      (obstacle.type == T::cylinder || obstacle.type == T::cone ||
       obstacle.type == T::torus || obstacle.type == T::revolved_profile))
  {
    reader.error("Type",
                 "contradictory settings: it is for Dimension = 3; allowed: "
                 "plane, sphere (a circle), box, extruded profile, surface.");
    return obstacle;
  }
  for (const auto &use : uses())
    if (std::find(use.types.begin(), use.types.end(), obstacle.type) ==
        use.types.end())
    {
      std::string types;
      for (const auto t : use.types)
        types += (types.empty() ? "" : ", ") +
                 type_names()[static_cast<unsigned int>(t)];
      reader.forbid(use.entry, "it is for " + types + " and Type = " + type);
    }
  if (obstacle.type == T::plane)
    reader.forbid("Hollow", "a plane has its side by Normal");

  obstacle.point = reader.vector("Point", dim);
  if (obstacle.point.empty())
    obstacle.point.assign(dim, 0.);
  obstacle.hollow        = reader.flag("Hollow");
  obstacle.radius        = reader.number("Radius");
  obstacle.minor_radius  = reader.number("Minor radius");
  obstacle.half_angle    = reader.number("Half angle");
  obstacle.length        = reader.number("Length");
  obstacle.rounding      = reader.number("Rounding");
  obstacle.size          = reader.vector("Size", dim);
  obstacle.scale         = reader.number("Scale");
  obstacle.allow_scripts = reader.flag("Allow scripts");

  const bool has_axis = obstacle.type == T::cylinder ||
                        obstacle.type == T::cone || obstacle.type == T::torus ||
                        obstacle.type == T::revolved_profile ||
                        obstacle.type == T::extruded_profile;
  if (dim == 2)
  {
    reader.forbid("Rotation axis", "it is for Dimension = 3");
    if (obstacle.type == T::extruded_profile)
    {
      reader.forbid("Axis", "it is for Dimension = 3");
      reader.forbid("Normal",
                    "in the plane the coordinates of a profile are x and y");
    }
  }
  else if (has_axis && reader.require("Axis", "for Type = " + type))
    obstacle.axis = direction(reader, "Axis", dim);
  if (obstacle.type == T::plane)
    reader.require("Normal");
  obstacle.normal = direction(reader, "Normal", dim);
  if (dim == 3 && obstacle.type == T::extruded_profile &&
      obstacle.axis.size() == 3)
  {
    if (obstacle.normal.empty())
      obstacle.normal = std::abs(obstacle.axis[2]) > 0.99
                            ? std::vector<double>{ 0., 1., 0. }
                            : std::vector<double>{ 0., 0., 1. };
    double product = 0.;
    for (unsigned int c = 0; c < 3; ++c)
      product += obstacle.axis[c] * obstacle.normal[c];
    if (std::abs(product) > 1. - 1e-9)
      reader.error("Normal",
                   "contradictory settings: it is along Axis; allowed: the "
                   "direction of the profile's second coordinate, across it.");
  }
  check_sizes(reader, obstacle, dim);

  if (obstacle.type == T::extruded_profile ||
      obstacle.type == T::revolved_profile)
    if (reader.require("Profile", "for Type = " + type))
    {
      obstacle.profile    = points_of(reader);
      obstacle.fillets    = reader.numbers("Fillets");
      const std::size_t n = obstacle.profile.size();
      const bool closed =
          n > 3 && obstacle.profile.front() == obstacle.profile.back();
      const std::size_t most = n < 2 ? 0 : closed ? n - 1 : n - 2;
      if (n >= 2 && obstacle.fillets.size() > 1 &&
          obstacle.fillets.size() != most)
        reader.error("Fillets",
                     fmt::format("there are {} numbers for {} corners; "
                                 "allowed: one, or {}.",
                                 obstacle.fillets.size(),
                                 most,
                                 most));
      if (obstacle.type == T::revolved_profile)
        for (const auto &p : obstacle.profile)
          if (p[1] < 0.)
          {
            reader.error("Profile",
                         "the second number of a point is its distance from "
                         "the axis; allowed: 0 or greater.");
            break;
          }
    }
  if (obstacle.type == T::surface &&
      reader.require("File", "for Type = surface"))
  {
    obstacle.file = find_mesh_file(reader, "File");
    if (std::filesystem::path(obstacle.file).extension() != ".geo")
      reader.forbid("Allow scripts",
                    "it is for .geo scripts and File = " + obstacle.file);
    warn_of_scripts(reader);
  }
  obstacle.physical_name = reader.text("Physical name");

  parse_obstacle_motion(reader, context, obstacle);
  obstacle.rotation      = reader.expressions("Rotation", 1, "t");
  obstacle.center        = reader.vector("Center", dim);
  obstacle.rotation_axis = direction(reader, "Rotation axis", dim);
  const bool turns       = !obstacle.rotation.empty() ||
                     (!obstacle.free.empty() && obstacle.free.back());
  if (!turns)
    for (const auto *entry : { "Center", "Rotation axis" })
      reader.forbid(entry, "it is for a Rotation, and there is none");
  else if (dim == 3 && obstacle.rotation_axis.empty())
  {
    obstacle.rotation_axis = obstacle.axis;
    if (!has_axis)
      reader.require("Rotation axis",
                     "for a Rotation in space of Type = " + type);
  }
  if (obstacle.center.empty())
    obstacle.center = obstacle.point;

  const auto &bodies = context.names.at("Body");
  if (std::find(bodies.begin(), bodies.end(), obstacle.name) != bodies.end())
    reader.section_error(fmt::format(
        "a body is called '{}' too; bodies and obstacles need different names.",
        obstacle.name));
  return obstacle;
}
} // namespace delassus
