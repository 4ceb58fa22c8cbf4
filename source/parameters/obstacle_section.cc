#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
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
  section.entries                            = shape_entries();
  const std::vector<EntryDeclaration> motion = {
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
  section.entries.insert(section.entries.end(), motion.begin(), motion.end());
  return section;
}

ObstacleParameters ObstacleSection::parse(const SectionReader &reader,
                                          const SectionContext &context)
{
  const unsigned int dim = context.dim;
  ObstacleParameters obstacle;
  if (!parse_shape(reader, context, obstacle))
    return obstacle;
  if (dim == 2)
    reader.forbid("Rotation axis", "it is for Dimension = 3");

  parse_obstacle_motion(reader, context, obstacle);
  obstacle.rotation      = reader.expressions("Rotation", 1, "t");
  obstacle.center        = reader.vector("Center", dim);
  obstacle.rotation_axis = unit_vector(reader, "Rotation axis", dim);
  const bool turns       = !obstacle.rotation.empty() ||
                     (!obstacle.free.empty() && obstacle.free.back());
  if (!turns)
    for (const auto *entry : { "Center", "Rotation axis" })
      reader.forbid(entry, "it is for a Rotation, and there is none");
  else if (dim == 3 && obstacle.rotation_axis.empty())
  {
    obstacle.rotation_axis = obstacle.axis;
    if (!has_axis(obstacle.type))
      reader.require("Rotation axis",
                     "for a Rotation in space of Type = " +
                         reader.text("Type"));
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
