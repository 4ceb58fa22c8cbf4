#include <delassus/parameters/sections.h>

#include <deal.II/base/symmetric_tensor.h>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace delassus
{
namespace
{
const std::array<std::string, 6> component_names = {
  { "x", "y", "z", "rx", "ry", "rz" }
};

/// The expressions of an entry that are not nothing, one for each component.
std::vector<bool> given_components(const SectionReader &reader,
                                   const std::string &entry,
                                   const unsigned int n)
{
  std::vector<bool> result;
  std::istringstream stream(reader.text(entry));
  std::string part;
  while (std::getline(stream, part, ';'))
    result.push_back(part.find_first_not_of(" \t0.") != std::string::npos);
  const bool all = result.size() == 1 && result[0];
  result.resize(n, all);
  return result;
}

/// The free components of a body, in the order of component_names.
void parse_free(const SectionReader &reader,
                const SectionContext &context,
                RigidBodyParameters &body)
{
  const bool plane  = context.dim == 2;
  const bool axial  = context.assumption == Assumption::axisymmetric;
  const auto exists = [&](const unsigned int c)
  { return axial ? c == 1 : !plane || c < 2 || c == 5; };
  const std::string what = axial   ? "y (Assumption = axisymmetric)"
                           : plane ? "x, y, rz"
                                   : "x, y, z, rx, ry, rz";
  auto names             = reader.list("Free");
  if (names.empty())
    names = { "all" };
  for (const auto &name : names)
  {
    if (name == "all" || name == "none")
    {
      if (names.size() > 1)
        reader.error("Free",
                     fmt::format("contradictory settings: '{}' beside others; "
                                 "allowed: '{}' alone.",
                                 name,
                                 name));
      for (unsigned int c = 0; c < 6; ++c)
        body.free[c] = name == "all" && exists(c);
      continue;
    }
    unsigned int c =
        std::find(component_names.begin(), component_names.end(), name) -
        component_names.begin();
    if (name == "rotation" && plane)
      c = 5;
    if (name == "rotation" && !plane)
    {
      body.free_about_axis = true;
      continue;
    }
    if (!exists(c))
      reader.error(
          "Free", fmt::format("there is no {} here; allowed: {}.", name, what));
    else if (body.free[c])
      reader.error("Free", fmt::format("'{}' is there twice.", name));
    else
      body.free[c] = true;
  }
  if (body.free_about_axis && (body.free[3] || body.free[4] || body.free[5]))
    reader.error(
        "Free",
        "contradictory settings: rotation (the only one, about "
        "Rotation axis) beside rx, ry or rz; allowed: one of the two.");
}

/// What moves the components that are not free.
void parse_driving(const SectionReader &reader,
                   const SectionContext &context,
                   RigidBodyParameters &body)
{
  const unsigned int dim = context.dim, n_turns = dim == 2 ? 1 : 3;
  body.displacement     = reader.expressions("Displacement", dim, "t");
  body.velocity         = reader.expressions("Velocity", dim, "t");
  body.rotation         = reader.expressions("Rotation", 1, "t");
  body.angular_velocity = reader.expressions("Angular velocity", n_turns, "t");
  const auto both       = [&](const std::string &one, const std::string &other)
  {
    if (reader.given(one) && reader.given(other))
      reader.error(other,
                   fmt::format("contradictory settings: there is a {} too; "
                               "allowed: one of the two.",
                               one));
  };
  both("Displacement", "Velocity");
  both("Rotation", "Angular velocity");
  both("Rotation", "Orientation");
  const auto compare = [&](const std::string &entry,
                           const unsigned int first,
                           const unsigned int n,
                           const bool where_free,
                           const std::string &why)
  {
    const auto given = given_components(reader, entry, n);
    for (unsigned int c = 0; c < n; ++c)
      if (given[c] && body.free[first + c] == where_free)
        reader.error(
            entry,
            fmt::format("contradictory settings: '{}' is {}; allowed for {}: "
                        "0.",
                        component_names[first + c],
                        why,
                        component_names[first + c]));
  };
  const unsigned int first_turn = dim == 2 ? 5 : 3;
  for (const auto *entry : { "Displacement", "Velocity" })
    compare(entry, 0, dim, true, "Free and driven");
  compare("Angular velocity", first_turn, n_turns, true, "Free and driven");
  const bool turns =
      body.free_about_axis || body.free[3] || body.free[4] || body.free[5];
  if (turns && reader.given("Rotation"))
    reader.error("Rotation",
                 "contradictory settings: a rotation is Free, and this drives "
                 "all of them; allowed: one of the two (Angular velocity "
                 "drives single components).");
  if (body.free_about_axis && reader.given("Angular velocity"))
    reader.error("Angular velocity",
                 "contradictory settings: the rotation is Free and driven; "
                 "allowed: one of the two.");
  const std::string why = "not Free, so that nothing that acts on it moves it";
  compare("Force", 0, dim, false, why);
  if (!body.free_about_axis)
    compare("Torque", first_turn, n_turns, false, why);
}

/// What acts on the components that are free.
void parse_loads(const SectionReader &reader,
                 const SectionContext &context,
                 RigidBodyParameters &body)
{
  const unsigned int dim = context.dim, n_turns = dim == 2 ? 1 : 3;
  body.force                = reader.expressions("Force", dim, "t");
  body.torque               = reader.expressions("Torque", n_turns, "t");
  body.rotational_stiffness = reader.number("Rotational stiffness");
  body.rotational_damping   = reader.number("Rotational damping");
  const auto check          = [&](const std::string &entry,
                         const std::vector<double> &values,
                         const unsigned int first)
  {
    for (unsigned int c = 0; c < values.size(); ++c)
      if (values[c] != 0. && !body.free[first + c])
        reader.error(entry,
                     fmt::format("contradictory settings: '{}' is not Free; "
                                 "allowed for {}: 0.",
                                 component_names[first + c],
                                 component_names[first + c]));
  };
  for (const auto &[entry, values] :
       { std::make_pair("Stiffness", &body.stiffness),
         std::make_pair("Damping", &body.damping) })
  {
    *values = reader.numbers(entry);
    if (values->size() > 1)
    {
      *values = reader.vector(entry, dim);
      check(entry, *values, 0);
      continue;
    }
    const double value = values->empty() ? 0. : (*values)[0];
    values->assign(dim, 0.);
    for (unsigned int c = 0; c < dim; ++c)
      if (body.free[c])
        (*values)[c] = value;
  }
  body.initial_velocity = reader.vector("Initial velocity", dim);
  check("Initial velocity", body.initial_velocity, 0);
  body.initial_angular_velocity =
      reader.vector("Initial angular velocity", n_turns);
  if (!body.free_about_axis)
    check("Initial angular velocity",
          body.initial_angular_velocity,
          dim == 2 ? 5 : 3);
}

/// What is wrong with moments of inertia xx, yy, zz[, xy, yz, zx]: as of any
/// mass the principal ones must be positive, and none greater than the sum of
/// the others.
std::string wrong_inertia(const std::vector<double> &J)
{
  dealii::SymmetricTensor<2, 3> tensor;
  for (unsigned int c = 0; c < 3; ++c)
  {
    tensor[c][c] = J[c];
    if (J.size() == 6)
      tensor[c][(c + 1) % 3] = J[3 + c];
  }
  const auto principal   = dealii::eigenvalues(tensor); // largest first
  const std::string text = fmt::format(
      "{:.6g}, {:.6g}, {:.6g}", principal[0], principal[1], principal[2]);
  if (!(principal[2] > 0.))
    return fmt::format("the principal moments are {}; allowed: all greater "
                       "than 0.",
                       text);
  if (principal[0] > (principal[1] + principal[2]) * (1. + 1e-9))
    return fmt::format("no mass has the principal moments {}: one is greater "
                       "than the sum of the others; allowed: at most the sum.",
                       text);
  return "";
}

void parse_inertia(const SectionReader &reader,
                   const unsigned int dim,
                   RigidBodyParameters &body)
{
  body.inertia        = reader.numbers("Inertia");
  const std::size_t n = body.inertia.size();
  if (n == 0)
    return;
  const bool one = dim == 2 || body.free_about_axis;
  if (dim == 2 ? n != 1 : !(n == 3 || n == 6 || (one && n == 1)))
    reader.error(
        "Inertia",
        fmt::format(
            "there are {} numbers; allowed: {}.",
            n,
            dim == 2 ? "one"
            : one ? "one (about Rotation axis), three (along x, y, z) or six "
                    "(xx, yy, zz, xy, yz, zx)"
                  : "three (along x, y, z) or six (xx, yy, zz, xy, yz, zx)"));
  else if (n == 1)
  {
    if (!(body.inertia[0] > 0.))
      reader.error("Inertia", "allowed: a number greater than 0.");
  }
  else if (const std::string wrong = wrong_inertia(body.inertia);
           !wrong.empty())
    reader.error("Inertia", wrong);
}

void parse_mass(const SectionReader &reader,
                const SectionContext &context,
                const bool translates,
                const bool turns,
                RigidBodyParameters &body)
{
  const bool dynamic = context.time.scheme == TimeScheme::dynamic;
  if (!translates && !turns)
  {
    for (const auto *entry : { "Density", "Mass", "Center", "Inertia" })
      reader.forbid(entry, "it is for bodies with a Free component");
    reader.forbid("Thickness", "it is for Density");
    return;
  }
  body.density           = reader.number("Density");
  body.thickness         = reader.number("Thickness");
  body.mass              = reader.number("Mass");
  body.center            = reader.vector("Center", context.dim);
  const bool has_density = reader.given("Density");
  if (has_density)
  {
    if (context.assumption == Assumption::axisymmetric)
      reader.forbid("Density",
                    "masses of revolution are not computed (Assumption = "
                    "axisymmetric); allowed: Mass");
    for (const auto *entry : { "Mass", "Center", "Inertia" })
      if (reader.given(entry))
        reader.error(entry,
                     "contradictory settings: it is computed from the shape "
                     "and Density; allowed: one of the two.");
  }
  if (!has_density || context.dim == 3)
    reader.forbid("Thickness",
                  context.dim == 3 ? "it is for Dimension = 2"
                                   : "it is for Density");
  if (!turns)
    for (const auto *entry : { "Center", "Inertia" })
      reader.forbid(entry, "it is for a rotation that is Free");
  if (!dynamic)
    reader.forbid("Inertia",
                  "it is for Scheme = dynamic and Scheme = quasi static");
  parse_inertia(reader, context.dim, body);
  if (!has_density && dynamic)
    reader.require("Mass",
                   "(or Density) for a Free component and Scheme = dynamic");
  else if (!has_density && !reader.given("Mass"))
    reader.forbid("Center", "it is for Mass");
  if (dynamic && turns && !has_density && reader.given("Center"))
    reader.require("Inertia", "beside Center, since the mass is not uniform");
}
} // namespace

SectionDeclaration RigidBodySection::declaration()
{
  SectionDeclaration section;
  section.kind  = "Rigid body";
  section.named = true;
  section.list  = "Rigid bodies";
  section.documentation =
      "A body that does not deform: a shape (entries as of obstacles, its "
      "place "
      "at the start), its mass, and for each translation and rotation whether "
      "forces decide on it or a function of time.";
  section.entries                           = shape_entries();
  const std::vector<EntryDeclaration> other = {
    declare::number(
        "Density",
        "",
        Range::positive(),
        "mass/length^3",
        "Mass, its centre and inertia are those of the shape, which "
        "must be closed.")
        .without_default("Mass is given"),
    declare::number("Thickness",
                    "1",
                    Range::positive(),
                    "length",
                    "In the plane, for Density."),
    declare::number("Mass",
                    "",
                    Range::positive(),
                    "mass",
                    "Instead of Density. Quasi static: only its weight counts.")
        .without_default("dynamic: must be given, or Density"),
    declare::numbers("Center",
                     Range::any(),
                     "length",
                     "Of Mass, at the start (before Orientation).")
        .without_default("that of the shape"),
    declare::numbers("Inertia",
                     Range::any(),
                     "mass*length^2",
                     "Of Mass, about its centre: in the plane one number; in "
                     "space along x, y, z, or xx, yy, zz, xy, yz, zx, or about "
                     "Rotation axis (Free = rotation).")
        .without_default("that of the shape with this Mass"),
    declare::choices(
        "Free",
        "all",
        { "all", "none", "x", "y", "z", "rx", "ry", "rz", "rotation" },
        "Components that forces decide on: translations, rotations "
        "about axes fixed in space, or the only rotation about "
        "Rotation axis. The others are driven, or at rest."),
    declare::numbers("Pivot",
                     Range::any(),
                     "length",
                     "Point about which the body turns if no translation is "
                     "Free; it is displaced with the body.")
        .without_default("centre of mass, or Point if there is none"),
    declare::numbers("Rotation axis",
                     Range::any(),
                     "",
                     "In space, of Rotation or Free = rotation; of any length.")
        .without_default("Axis, if the type has one"),
    declare::expressions("Displacement",
                         "t",
                         "length",
                         "Of components that are not Free, one expression for "
                         "each direction.")
        .without_default("none"),
    declare::expressions(
        "Velocity", "t", "length/time", "Instead of Displacement.")
        .without_default("none"),
    declare::expressions("Rotation",
                         "t",
                         "degrees",
                         "Angle about Pivot (in space: about Rotation axis) if "
                         "no rotation is Free.")
        .without_default("none"),
    declare::expressions("Angular velocity",
                         "t",
                         "radians/time",
                         "Of rotations that are not Free, in space one "
                         "expression for each axis x, y, z; instead of "
                         "Rotation.")
        .without_default("none"),
    declare::expressions("Force",
                         "t",
                         "force",
                         "On the centre of mass, one expression for each "
                         "direction (0 where not Free), beside gravity.")
        .without_default("none"),
    declare::expressions("Torque",
                         "t",
                         "force*length",
                         "In space one expression for each axis x, y, z (0 "
                         "where not Free).")
        .without_default("none"),
    declare::numbers("Stiffness",
                     Range::nonnegative(),
                     "force/length",
                     "Springs to the place at the start: one for all Free "
                     "translations, or one for each direction.")
        .without_default("0"),
    declare::numbers("Damping",
                     Range::nonnegative(),
                     "force*time/length",
                     "Dashpots, as Stiffness.")
        .without_default("0"),
    declare::number("Rotational stiffness",
                    "0",
                    Range::nonnegative(),
                    "force*length",
                    "Spring to the rotation at the start, per radian."),
    declare::number("Rotational damping",
                    "0",
                    Range::nonnegative(),
                    "force*length*time",
                    "Dashpot on Free rotations."),
    declare::numbers("Orientation",
                     Range::any(),
                     "degrees",
                     "Rotation at the start about the centre of mass (or "
                     "Pivot): in the plane an angle; in space a vector, axis "
                     "times angle.")
        .without_default("as the shape is"),
    declare::numbers("Initial velocity",
                     Range::any(),
                     "length/time",
                     "Of Free translations, for Scheme = dynamic.")
        .without_default("at rest"),
    declare::numbers("Initial angular velocity",
                     Range::any(),
                     "radians/time",
                     "Of Free rotations, in space about x, y, z, for Scheme = "
                     "dynamic.")
        .without_default("at rest"),
    declare::choice("Scheme",
                    "automatic",
                    { "automatic", "implicit Euler", "midpoint" },
                    "automatic: Theta of the run; implicit Euler: Theta = 1; "
                    "midpoint: Theta = 0.5, Moreau's step. For Time/Scheme = "
                    "dynamic.")
  };
  section.entries.insert(section.entries.end(), other.begin(), other.end());
  return section;
}

RigidBodyParameters RigidBodySection::parse(const SectionReader &reader,
                                            const SectionContext &context)
{
  const unsigned int dim = context.dim;
  RigidBodyParameters body;
  body.name = reader.name();
  if (!parse_shape(reader, context, body.shape))
    return body;
  parse_free(reader, context, body);
  const bool translates = body.free[0] || body.free[1] || body.free[2];
  const bool turns =
      body.free_about_axis || body.free[3] || body.free[4] || body.free[5];
  if (!translates)
    for (const auto *entry :
         { "Force", "Stiffness", "Damping", "Initial velocity" })
      reader.forbid(entry, "it is for translations that are Free");
  else
    reader.forbid("Pivot",
                  "a body with Free translations turns about its centre of "
                  "mass");
  if (!turns)
    for (const auto *entry : { "Torque",
                               "Rotational stiffness",
                               "Rotational damping",
                               "Initial angular velocity" })
      reader.forbid(entry, "it is for rotations that are Free");
  if (context.time.scheme == TimeScheme::quasi_static)
    for (const auto *entry :
         { "Initial velocity", "Initial angular velocity", "Scheme" })
      reader.forbid(
          entry,
          "it is for Time/Scheme = dynamic and Time/Scheme = quasi static");
  body.scheme = reader.choice<RigidBodyScheme>("Scheme");
  parse_driving(reader, context, body);
  parse_loads(reader, context, body);
  parse_mass(reader, context, translates, turns, body);
  body.pivot       = reader.vector("Pivot", dim);
  body.orientation = reader.vector("Orientation", dim == 2 ? 1 : 3);

  const bool needs_axis = reader.given("Rotation") || body.free_about_axis;
  if (dim == 2)
    reader.forbid("Rotation axis", "it is for Dimension = 3");
  else if (!needs_axis)
    reader.forbid("Rotation axis", "it is for Rotation and Free = rotation");
  else
  {
    body.rotation_axis = unit_vector(reader, "Rotation axis", dim);
    if (body.rotation_axis.empty())
      body.rotation_axis = body.shape.axis;
    if (body.rotation_axis.empty() && !has_axis(body.shape.type))
      reader.require("Rotation axis",
                     "for Rotation and Free = rotation of Type = " +
                         reader.text("Type"));
  }

  for (const std::string kind : { "Body", "Obstacle" })
  {
    const auto &names = context.names.at(kind);
    if (std::find(names.begin(), names.end(), body.name) != names.end())
      reader.section_error(
          fmt::format("a section '{} {}' has this name too; bodies, obstacles "
                      "and rigid bodies need different names.",
                      kind,
                      body.name));
  }
  return body;
}
} // namespace delassus
