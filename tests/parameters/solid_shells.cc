// Bodies of type solid shell, and what goes wrong with them.
#include "good_file.h"

using namespace delassus;

namespace
{
const char *sheet = R"(set Dimension = 3
subsection Time
  set End  = 1
  set Step = 0.1
end
subsection Material metal
  set Model         = J2
  set Density       = 1
  set Young modulus = 1e6
  set Poisson ratio = 0.3
  set Yield stress  = 1e3
end
subsection Body sheet
  set Type      = solid shell
  set Material  = metal
  set Thickness = 0.1
  subsection Mesh
    set Type      = cylinder
    set Radius    = 2
    set Size      = 3
    set Angles    = 0, 90
    set Divisions = 4, 5
  end
end
subsection Output
  set Interval steps = 0
end
)";

/// The same as hexahedra of a box.
std::string box()
{
  auto text = with("    set Type      = cylinder\n"
                   "    set Radius    = 2\n"
                   "    set Size      = 3\n"
                   "    set Angles    = 0, 90\n"
                   "    set Divisions = 4, 5\n",
                   "    set Type      = box\n"
                   "    set Size      = 2, 3, 0.1\n"
                   "    set Divisions = 4, 5, 1\n",
                   sheet);
  return with("  set Thickness = 0.1\n", "", text);
}

struct Mistake
{
  std::string text, at;
  std::vector<std::string> parts;
};
} // namespace

TEST(SolidShells, AreRead)
{
  const ScratchDirectory scratch;
  const auto generated = read_parameters(scratch.write("a.prm", sheet)).values;
  ASSERT_EQ(generated.bodies.size(), 1u);
  EXPECT_TRUE(generated.shells.empty());
  const auto &body = generated.bodies[0];
  EXPECT_EQ(body.type, BodyType::solid_shell);
  EXPECT_EQ(body.thickness, 0.1);
  EXPECT_EQ(body.mesh.type, MeshType::cylinder);
  EXPECT_EQ(body.mesh.radius, 2.);
  EXPECT_EQ(body.mesh.divisions, (std::vector<unsigned int>{ 4, 5 }));
  const auto hexahedra = read_parameters(scratch.write("b.prm", box())).values;
  EXPECT_EQ(hexahedra.bodies[0].type, BodyType::solid_shell);
  EXPECT_EQ(hexahedra.bodies[0].mesh.type, MeshType::box);
}

TEST(SolidShells, MistakesAreReported)
{
  const std::string head              = "section 'Body sheet";
  const std::vector<Mistake> mistakes = {
    { with("set Thickness = 0.1", "", sheet),
      "",
      { head, "'Thickness'", "Mesh/Type = cylinder" } },
    { with("set Thickness = 0.1", "set Thickness = 0.1*x", sheet),
      "set Thickness",
      { head, "'Thickness' = '0.1*x'", "a number greater than 0" } },
    { with("set Material  = metal",
           "set Material  = metal\n  set Thickness = 0.1",
           box()),
      "set Thickness",
      { head, "'Thickness'", "has it already", "Mesh/Type = box" } },
    { with("set Material  = metal",
           "set Material  = metal\n  set Degree = 2",
           sheet),
      "set Degree",
      { head, "'Degree' = '2'", "solid shells have degree 1" } },
    { with("set Material  = metal",
           "set Material  = metal\n  set Dilatation = mean",
           sheet),
      "set Dilatation",
      { head, "'Dilatation' = 'mean'", "enhanced modes" } },
    { with("set Divisions = 4, 5, 1",
           "set Divisions = 4, 5, 1\n    set Global refinement = 1",
           box()),
      "set Global refinement",
      { head, "'Global refinement'", "one hexahedron through" } },
    { with("set Divisions = 4, 5, 1",
           "set Divisions = 4, 5, 1\n    set Refine where = x",
           box()),
      "set Refine where",
      { head, "'Refine where'", "one hexahedron through" } },
    { with("set Divisions = 4, 5, 1",
           "set Divisions = 4, 5, 1\n    set Distribution = distributed",
           box()),
      "set Distribution",
      { head, "'Distribution'", "p4est", "automatic or shared" } },
    { with("set Model         = J2",
           "set Model         = J2 small strain",
           sheet),
      "set Material  =",
      { head,
        "'Material' = 'metal'",
        "Model = J2 small strain",
        "allowed: J2" } },
    { with("  set Model         = J2\n",
           "",
           with("  set Yield stress  = 1e3\n", "", sheet)),
      "set Material  =",
      { head, "Model = linear elastic", "Saint Venant-Kirchhoff" } },
    { with("set Density       = 1",
           "set Density       = 1\n  set Rayleigh stiffness = 1e-3",
           sheet),
      "set Material  =",
      { head, "Rayleigh stiffness" } },
    { with("set Material  = metal",
           "set Material  = metal\n  subsection Shell\n    set Points = 3\n  "
           "end",
           sheet),
      "set Points",
      { head, "'Points' = '3'", "Type = shell" } }
  };
  for (const auto &mistake : mistakes)
  {
    const ScratchDirectory scratch;
    const std::string file    = scratch.write("sheet.prm", mistake.text);
    const std::string message = message_of(file);
    auto parts                = mistake.parts;
    if (!mistake.at.empty())
      parts.push_back(file + ":" +
                      std::to_string(line_of(mistake.at, mistake.text)) + ":");
    expect_parts(message, parts);
  }
}
