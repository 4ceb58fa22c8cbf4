// The section Obstacle: what its types take, and what they refuse.
#include "good_file.h"

using namespace delassus;

namespace
{
/// The error of an obstacle with these lines, in 2 or 3 dimensions.
std::string error_of(const std::string &lines, const unsigned int dim = 2)
{
  const ScratchDirectory scratch;
  scratch.write("box.stl", "");
  std::string text = with("set Normal = 0, 2", lines);
  if (dim == 3)
    for (const auto &[from, to] :
         { std::pair<std::string, std::string>{ "Dimension = 2",
                                                "Dimension = 3" },
           { "Gravity   = 0, -9.81", "Gravity   = 0, 0, -9.81" },
           { "set Size              = 0.1, 0.05",
             "set Size              = 0.1, 0.05, 0.05" },
           { "set Cells             = 8 T3", "set Cells             = tensor" },
           { "set Point = 0.15, 0.2", "set Point = 0.15, 0.02, 0.2" } })
    {
      const auto at = text.find(from);
      if (at == std::string::npos)
        ADD_FAILURE() << from;
      else
        text.replace(at, from.size(), to);
    }
  const std::string file = scratch.write("wall.prm", text);
  try
  {
    read_parameters(file, {});
  }
  catch (const InputError &e)
  {
    return e.what();
  }
  return "";
}

struct Case
{
  unsigned int dim;
  std::string lines;
  std::vector<std::string> parts; ///< of the message; none: no error
};
} // namespace

TEST(Obstacles, TypesAndTheirMistakes)
{
  const std::vector<Case> cases = {
    // Good ones.
    { 2, "set Type = sphere\nset Radius = 1\nset Hollow = true", {} },
    { 2, "set Type = box\nset Size = 1, 2\nset Rounding = 0.5", {} },
    { 2,
      "set Type = extruded profile\nset Profile = 0,0; 10, 0 ; 10,5\n"
      "set Fillets = 2\nset Rotation = 90*t\nset Center = 1, 1",
      {} },
    { 2, "set Type = surface\nset File = box.stl\nset Scale = 2", {} },
    { 3,
      "set Type = cylinder\nset Axis = 0,0,2\nset Radius = 1\n"
      "set Rotation = t",
      {} },
    { 3,
      "set Type = cone\nset Axis = 0,0,2\nset Half angle = 30\n"
      "set Length = 2",
      {} },
    { 3,
      "set Type = torus\nset Axis = 0,0,2\nset Radius = 2\n"
      "set Minor radius = 1",
      {} },
    { 3,
      "set Type = revolved profile\nset Axis = 0,0,2\n"
      "set Profile = 0,0; 0,1; 1,1\nset Fillets = 0.1",
      {} },
    { 3,
      "set Type = extruded profile\nset Axis = 0,1,0\nset Profile = 0,0; 1,0",
      {} },
    { 2, "set Normal = 0, 1\nset Velocity = 0; -t", {} },
    { 2,
      "set Normal = 0, 1\nset Free = y\nset Mass = 2\n"
      "set Displacement = 3*t; 0\nset Force = 0; -10*t\nset Damping = 1\n"
      "set Initial velocity = 0, -1",
      {} },
    { 3, "set Normal = 0, 0, 1\nset Free = x, z\nset Mass = 2", {} },
    // Missing.
    { 2,
      "set Normal = 0, 1\nset Free = y",
      { "'Mass'", "must be given for Free translations" } },
    { 2, "set Type = sphere", { "'Radius'", "for Type = sphere" } },
    { 2, "set Type = plane", { "'Normal'" } },
    { 2, "set Type = box", { "'Size'", "for Type = box" } },
    { 2, "set Type = surface", { "'File'" } },
    { 2, "set Type = extruded profile", { "'Profile'" } },
    { 3, "set Type = cylinder\nset Radius = 1", { "'Axis'" } },
    { 3,
      "set Type = sphere\nset Radius = 1\nset Rotation = t",
      { "'Rotation axis'" } },
    // Without effect.
    { 2,
      "set Type = sphere\nset Radius = 1\nset Normal = 0, 1",
      { "'Normal' = '0, 1'", "Type = sphere" } },
    { 2,
      "set Normal = 0, 1\nset Radius = 1",
      { "'Radius' = '1'", "sphere, cylinder", "Type = plane" } },
    { 2, "set Normal = 0, 1\nset Hollow = true", { "'Hollow'", "Normal" } },
    { 2, "set Normal = 0, 1\nset Center = 0, 1", { "'Center'", "Rotation" } },
    { 2,
      "set Type = extruded profile\nset Profile = 0,0;1,0\nset Axis = 0, 1",
      { "'Axis'", "Dimension = 3" } },
    { 2, "set Type = cylinder\nset Radius = 1", { "Dimension = 3", "circle" } },
    { 3,
      "set Type = cylinder\nset Axis = 0,0,1\nset Radius = 1\n"
      "set Rounding = 0.1",
      { "'Rounding'", "without end" } },
    // Wrong.
    { 2,
      "set Type = sphere\nset Radius = 0",
      { "'Radius'", "greater than 0" } },
    { 2,
      "set Normal = 0, 1\nset Free = y\nset Mass = 0",
      { "'Mass' = '0'", "greater than 0" } },
    { 2,
      "set Normal = 0, 1\nset Free = z\nset Mass = 1",
      { "'Free' = 'z'", "allowed: x, y" } },
    { 2,
      "set Normal = 0, 1\nset Free = rotation",
      { "'Inertia'", "must be given for a Free rotation" } },
    { 2,
      "set Normal = 0, 1\nset Free = rotation\nset Inertia = 1\n"
      "set Rotation = t",
      { "'Rotation' = 't'", "Free and driven" } },
    { 2,
      "set Normal = 0, 1\nset Free = rotation\nset Inertia = 1\nset Mass = 1",
      { "'Mass' = '1'", "translations that are Free" } },
    { 3,
      "set Type = sphere\nset Radius = 1\nset Free = rotation\n"
      "set Inertia = 1",
      { "'Rotation axis'" } },
    { 2,
      "set Normal = 0, 1\nset Free = up\nset Mass = 1",
      { "'Free' = 'up'", "x, y, z" } },
    { 2,
      "set Normal = 0, 1\nset Free = y\nset Mass = 1\n"
      "set Displacement = 0; -t",
      { "'Displacement' = '0; -t'", "'y' is Free and driven", "0" } },
    { 2,
      "set Normal = 0, 1\nset Free = y\nset Mass = 1\nset Velocity = 1; 2",
      { "'Velocity' = '1; 2'", "'y' is Free and driven" } },
    { 2,
      "set Normal = 0, 1\nset Velocity = 1; 2\nset Displacement = t; t",
      { "'Velocity'", "Displacement too" } },
    { 2,
      "set Normal = 0, 1\nset Free = y\nset Mass = 1\nset Force = 5; 2",
      { "'Force' = '5; 2'", "'x' is not Free", "allowed for x: 0" } },
    { 2,
      "set Normal = 0, 1\nset Free = y\nset Mass = 1\n"
      "set Initial velocity = 1, 0",
      { "'Initial velocity' = '1, 0'", "'x' is not Free" } },
    { 2,
      "set Normal = 0, 1\nset Force = 5; 2",
      { "'Force' = '5; 2'", "translations that are Free" } },
    { 2, "set Type = sphere\nset Radius = -1", { "'Radius'" } },
    { 2, "set Type = ball", { "'Type' = 'ball'", "allowed" } },
    { 2,
      "set Type = box\nset Size = 1, 2\nset Rounding = 0.6",
      { "'Rounding' = '0.6'", "at most 0.5" } },
    { 2, "set Type = box\nset Size = 1, -2", { "'Size'", "greater than 0" } },
    { 2,
      "set Type = extruded profile\nset Profile = 0,0; 1,x",
      { "'x' is not a number", "0,0; 10,0; 10,5" } },
    { 2,
      "set Type = extruded profile\nset Profile = 0,0; 1,2,3",
      { "'1,2,3' is not a point" } },
    { 2,
      "set Type = extruded profile\nset Profile = 0,0",
      { "fewer than two points" } },
    { 2,
      "set Type = extruded profile\nset Profile = 0,0;1,0;1,1\n"
      "set Fillets = 0.1, 0.2",
      { "2 numbers for 1 corners" } },
    { 2,
      "set Type = surface\nset File = bix.stl",
      { "'bix.stl'", "does not exist", "Did you mean 'box.stl'?" } },
    { 3,
      "set Type = torus\nset Axis = 0,0,2\nset Radius = 1\n"
      "set Minor radius = 1",
      { "'Minor radius'", "less than Radius" } },
    { 3,
      "set Type = revolved profile\nset Axis = 0,0,2\nset Profile = 0,0; 0,-1",
      { "distance from the axis" } },
    { 3,
      "set Type = cylinder\nset Axis = 0,0,0\nset Radius = 1",
      { "'Axis'", "no direction" } },
    { 3,
      "set Type = extruded profile\nset Axis = 0,0,1\nset Normal = 0,0,2\n"
      "set Profile = 0,0; 1,0",
      { "'Normal'", "along Axis" } }
  };
  for (const auto &c : cases)
  {
    const std::string message = error_of(c.lines, c.dim);
    if (c.parts.empty())
    {
      EXPECT_EQ(message, "") << c.lines;
      continue;
    }
    EXPECT_NE(message.find("Obstacle ground"), std::string::npos)
        << c.lines << "\n"
        << message;
    for (const auto &part : c.parts)
      EXPECT_NE(message.find(part), std::string::npos) << c.lines << "\n"
                                                       << message;
  }
}

TEST(Obstacles, ValuesOfAProfile)
{
  const ScratchDirectory scratch;
  const std::string file = scratch.write(
      "wall.prm",
      with("set Normal = 0, 2",
           "set Type = extruded profile\n"
           "set Profile = -1, 0; 2.5,0; 2.5 , 1e1\nset Fillets = 0.25\n"
           "set Point = 1, 2\nset Rotation = 10*t\nset Hollow = yes"));
  const auto p = read_parameters(file, {}).values.obstacles.at(0);
  EXPECT_EQ(p.type, ObstacleType::extruded_profile);
  EXPECT_EQ(p.profile,
            (std::vector<std::vector<double>>{
                { -1., 0. }, { 2.5, 0. }, { 2.5, 10. } }));
  EXPECT_EQ(p.fillets, (std::vector<double>{ 0.25 }));
  EXPECT_EQ(p.center, p.point);
  EXPECT_TRUE(p.hollow);
}
