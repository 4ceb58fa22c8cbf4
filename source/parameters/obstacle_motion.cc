#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace delassus
{
namespace
{
/// Whether an expression says that there is nothing.
bool is_nothing(const std::string &expression)
{
  return expression.find_first_not_of(" \t0.") == std::string::npos;
}

} // namespace

void parse_obstacle_motion(const SectionReader &reader,
                           const SectionContext &context,
                           ObstacleParameters &obstacle)
{
  const unsigned int dim      = context.dim;
  obstacle.displacement       = reader.expressions("Displacement", dim, "t");
  obstacle.velocity           = reader.expressions("Velocity", dim, "t");
  obstacle.start_time         = context.time.start_time;
  obstacle.time_step          = context.time.step;
  obstacle.force              = reader.expressions("Force", dim, "t");
  obstacle.mass               = reader.number("Mass");
  obstacle.damping            = reader.number("Damping");
  obstacle.inertia            = reader.number("Inertia");
  obstacle.torque             = reader.expressions("Torque", 1, "t");
  obstacle.rotational_damping = reader.number("Rotational damping");
  if (!obstacle.displacement.empty() && !obstacle.velocity.empty())
    reader.error("Velocity",
                 "contradictory settings: there is a Displacement too; "
                 "allowed: one of the two.");

  const std::vector<std::string> of_translations = { "Mass",
                                                     "Force",
                                                     "Damping",
                                                     "Initial velocity" },
                                 of_rotation     = { "Inertia",
                                                     "Torque",
                                                     "Rotational damping" };
  const auto axes                                = reader.list("Free");
  std::vector<bool> free(dim + 1, false);
  for (const auto &axis : axes)
  {
    const unsigned int c = axis == "rotation" ? dim : axis[0] - 'x';
    if (axis == "z" && dim == 2)
      reader.error("Free",
                   "there is no z for Dimension = 2; allowed: x, y, rotation.");
    else if (c != 1 && context.assumption == Assumption::axisymmetric)
      reader.error("Free",
                   "contradictory settings: x is the radius (Assumption = "
                   "axisymmetric); allowed: y.");
    else if (free[c])
      reader.error("Free", fmt::format("'{}' is there twice.", axis));
    else
      free[c] = true;
  }
  const bool translates =
      std::find(free.begin(), free.end() - 1, true) != free.end() - 1;
  if (!translates)
    for (const auto &entry : of_translations)
      reader.forbid(entry, "it is for translations that are Free");
  if (!free[dim])
    for (const auto &entry : of_rotation)
      reader.forbid(entry, "it is for a rotation that is Free");
  if (axes.empty())
    return;
  obstacle.free = free;

  const auto components = [](const std::string &text)
  {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    std::string part;
    while (std::getline(stream, part, ';'))
      parts.push_back(part);
    return parts;
  };
  // What must be nothing in components that are (or are not) free.
  const auto must_be_zero = [&](const std::string &entry,
                                const std::string &text,
                                const bool where_free,
                                const std::string &why)
  {
    const auto parts = components(text);
    for (unsigned int c = 0; c < parts.size() && c < dim; ++c)
      if (free[c] == where_free && !is_nothing(parts[c]))
        reader.error(
            entry,
            fmt::format("contradictory settings: '{}' is {}; allowed for "
                        "{}: 0.",
                        "xyz"[c],
                        why,
                        "xyz"[c]));
  };
  for (const auto &entry : { "Displacement", "Velocity" })
    must_be_zero(entry, reader.text(entry), true, "Free and driven");
  must_be_zero(
      "Force", obstacle.force, false, "not Free, so that no force moves it");
  if (free[dim] && !is_nothing(reader.text("Rotation")))
    reader.error("Rotation",
                 "contradictory settings: the rotation is Free and driven; "
                 "allowed: one of the two.");
  obstacle.initial_velocity = reader.vector("Initial velocity", dim);
  for (unsigned int c = 0; c < obstacle.initial_velocity.size(); ++c)
    if (obstacle.initial_velocity[c] != 0. && !free[c])
      reader.error("Initial velocity",
                   fmt::format("contradictory settings: '{}' is not Free; "
                               "allowed for {}: 0.",
                               "xyz"[c],
                               "xyz"[c]));
  if (context.time.scheme == TimeScheme::quasi_static)
  {
    reader.forbid("Initial velocity",
                  "it is for Scheme = dynamic and Scheme = quasi static");
    reader.forbid("Inertia",
                  "it is for Scheme = dynamic and Scheme = quasi static");
    return;
  }
  if (translates)
    reader.require("Mass", "for Free translations and Scheme = dynamic");
  if (free[dim])
    reader.require("Inertia", "for a Free rotation and Scheme = dynamic");
}
} // namespace delassus
