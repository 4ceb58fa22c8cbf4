// Bodies of type shell, and what only they have.
#include "good_file.h"

using namespace delassus;

namespace
{
const char *sheet_file = R"(# A strip of two layers.
set Dimension = 3

subsection Time
  set End  = 1
  set Step = 0.1
end

subsection Material steel
  set Density       = 7.8e-9
  set Young modulus = 206000
  set Poisson ratio = 0.3
end

subsection Material lead
  set Density       = 1.1e-8
  set Young modulus = 16000
  set Poisson ratio = 0.44
end

subsection Body strip
  set Type      = shell
  set Thickness = 0.8 + 0.01*x
  subsection Shell
    set Layers            = steel, lead, steel
    set Layer fractions   = 0.25, 0.5, 0.25
    set Layer angles      = 0, 90, 0
    set Points            = 3
    set Rule              = Lobatto
    set Rolling direction = 0, 2, 0
    set Fold angle        = 10
  end
  subsection Mesh
    set Type      = rectangle
    set Size      = 12, 2
    set Divisions = 6, 1
  end
end

subsection Boundary condition held
  set Type     = clamped
  set Surfaces = strip/left
end

subsection Boundary condition turned
  set Type     = moment
  set Surfaces = strip/right
  set Value    = 0; t; 0
end

subsection Output
  set Interval = 0.5
end
)";

TEST(Shells, AreReadWithTheirLayers)
{
  const ScratchDirectory scratch;
  const auto p = read_parameters(scratch.write("strip.prm", sheet_file)).values;
  EXPECT_TRUE(p.bodies.empty());
  ASSERT_EQ(p.shells.size(), 1u);
  const auto &shell = p.shells[0];
  EXPECT_EQ(shell.name, "strip");
  EXPECT_EQ(shell.thickness, "0.8 + 0.01*x");
  ASSERT_EQ(shell.layers.size(), 3u);
  EXPECT_EQ(shell.layers[1].material, "lead");
  EXPECT_EQ(shell.layers[1].fraction, 0.5);
  EXPECT_EQ(shell.layers[1].angle, 90.);
  EXPECT_EQ(shell.n_points, 3u);
  EXPECT_EQ(shell.rule, ShellRule::lobatto);
  EXPECT_EQ(shell.rolling_direction, (std::vector<double>{ 0., 1., 0. }));
  EXPECT_EQ(shell.fold_angle, 10.);
  EXPECT_TRUE(shell.enhanced);
  EXPECT_TRUE(shell.follow_thickness);
  EXPECT_EQ(shell.mesh.type, MeshType::rectangle);
  EXPECT_EQ(shell.mesh.size, (std::vector<double>{ 12., 2. }));
  EXPECT_EQ(shell.mesh.divisions, (std::vector<unsigned int>{ 6, 1 }));
  ASSERT_EQ(p.boundary_conditions.size(), 2u);
  EXPECT_EQ(p.boundary_conditions[0].type, BoundaryConditionType::clamped);
  EXPECT_EQ(p.boundary_conditions[1].type, BoundaryConditionType::moment);
}

TEST(Shells, AreReadWithPlanesOfSymmetryAndRotations)
{
  const ScratchDirectory scratch;
  const auto p =
      read_parameters(scratch.write("strip.prm",
                                    with("  set Type     = clamped\n",
                                         "  set Type     = symmetry\n"
                                         "  set Components = x\n",
                                         with("  set Type     = moment\n"
                                              "  set Surfaces = strip/right\n"
                                              "  set Value    = 0; t; 0\n",
                                              "  set Type = displacement\n"
                                              "  set Surfaces = strip/right\n"
                                              "  set Components = z, ry\n"
                                              "  set Value = t; 0.1*t\n",
                                              sheet_file))))
          .values;
  EXPECT_EQ(p.boundary_conditions[0].type, BoundaryConditionType::symmetry);
  EXPECT_EQ(p.boundary_conditions[0].components,
            (std::vector<unsigned int>{ 0 }));
  EXPECT_EQ(p.boundary_conditions[1].components,
            (std::vector<unsigned int>{ 2, 4 }));
}

/// A piece of the file replaced, and what is told of it.
struct ShellMistake
{
  std::string name, from, to, at;
  std::vector<std::string> parts;
};

void PrintTo(const ShellMistake &mistake, std::ostream *out)
{
  *out << mistake.name;
}

class ShellMistakes : public testing::TestWithParam<ShellMistake>
{
};

TEST_P(ShellMistakes, AreReportedWithTheirPlace)
{
  const ScratchDirectory scratch;
  const auto &mistake    = GetParam();
  const std::string text = with(mistake.from, mistake.to, sheet_file);
  const std::string file = scratch.write("strip.prm", text);
  auto parts             = mistake.parts;
  parts.push_back(file + ":" + std::to_string(line_of(mistake.at, text)) + ":");
  expect_parts(message_of(file), parts);
}

const std::string layers    = "set Layers            = steel, lead, steel",
                  fractions = "set Layer fractions   = 0.25, 0.5, 0.25",
                  held      = "set Type     = clamped",
                  turned    = "set Type     = moment";

INSTANTIATE_TEST_SUITE_P(
    All,
    ShellMistakes,
    testing::Values(
        ShellMistake{ "type",
                      "set Type      = shell",
                      "set Type      = shel",
                      "set Type      = shel",
                      { "'Type' = 'shel'", "Did you mean 'shell'?" } },
        ShellMistake{ "plane",
                      "set Dimension = 3",
                      "set Dimension = 2",
                      "set Type      = shell",
                      { "surfaces in space", "Dimension = 3" } },
        ShellMistake{ "no_thickness",
                      "  set Thickness = 0.8 + 0.01*x\n",
                      "",
                      "subsection Body strip",
                      { "'Thickness'", "must be given" } },
        ShellMistake{ "thickness_of_time",
                      "0.8 + 0.01*x",
                      "0.8 + t",
                      "set Thickness = 0.8 + t",
                      { "'Thickness'", "x,y,z" } },
        ShellMistake{ "unknown_material",
                      layers,
                      "set Layers            = steel, led, steel",
                      "= steel, led, steel",
                      { "'led'", "Did you mean 'lead'?" } },
        ShellMistake{ "layers_and_material",
                      "  set Type      = shell\n",
                      "  set Type      = shell\n  set Material = lead\n",
                      "set Material = lead",
                      { "'Material'", "'Layers'" } },
        ShellMistake{ "sum_of_fractions",
                      fractions,
                      "set Layer fractions   = 0.25, 0.5, 0.5",
                      "set Layer fractions",
                      { "their sum is 1.25", "sum 1" } },
        ShellMistake{ "number_of_fractions",
                      fractions,
                      "set Layer fractions   = 0.5, 0.5",
                      "set Layer fractions",
                      { "'Layer fractions'", "3" } },
        ShellMistake{ "zero_fraction",
                      fractions,
                      "set Layer fractions   = 0, 0.5, 0.5",
                      "set Layer fractions",
                      { "'Layer fractions'", "greater than 0" } },
        ShellMistake{ "one_point_of_lobatto",
                      "set Points            = 3",
                      "set Points            = 1",
                      "set Points",
                      { "Lobatto", "2 or more" } },
        ShellMistake{ "no_direction",
                      "set Rolling direction = 0, 2, 0",
                      "set Rolling direction = 0, 0, 0",
                      "set Rolling direction",
                      { "'Rolling direction'" } },
        ShellMistake{ "degree",
                      "  set Type      = shell\n",
                      "  set Type      = shell\n  set Degree = 2\n",
                      "set Degree = 2",
                      { "'Degree'", "it is for solids" } },
        ShellMistake{ "theta",
                      "  set Step = 0.1\n",
                      "  set Step = 0.1\n  set Theta = 0.5\n",
                      "set Type      = shell",
                      { "Theta = 1" } },
        ShellMistake{ "mesh_of_solids",
                      "set Type      = rectangle",
                      "set Type      = box",
                      "set Type      = box",
                      { "a mesh of solids", "rectangle, disk" } },
        ShellMistake{ "radius_of_a_rectangle",
                      "    set Size      = 12, 2\n",
                      "    set Size      = 12, 2\n    set Radius = 3\n",
                      "set Radius = 3",
                      { "'Radius'", "Type = rectangle has no use for it" } },
        ShellMistake{ "refined",
                      "    set Size      = 12, 2\n",
                      "    set Size = 12, 2\n    set Global refinement = 1\n",
                      "set Global refinement = 1",
                      { "it is for solids and the body is a shell" } },
        ShellMistake{ "pole",
                      "    set Type      = rectangle\n"
                      "    set Size      = 12, 2\n",
                      "    set Type = sphere\n    set Radius = 1\n"
                      "    set Latitudes = 0, 90\n",
                      "set Latitudes = 0, 90",
                      { "a pole", "less than 90 degrees" } },
        ShellMistake{ "hole",
                      "    set Type      = rectangle\n"
                      "    set Size      = 12, 2\n",
                      "    set Type = disk\n    set Radius = 1\n"
                      "    set Hole radius = 1\n",
                      "set Hole radius = 1",
                      { "less than 'Radius'" } },
        ShellMistake{ "components_of_a_clamp",
                      held,
                      "set Components = x\n  set Type     = clamped",
                      "set Components = x",
                      { "Type = clamped holds all" } },
        ShellMistake{ "two_planes",
                      held,
                      "set Components = x, y\n  set Type     = symmetry",
                      "set Components = x, y",
                      { "'Components' = 'x, y'", "one direction" } },
        ShellMistake{ "no_plane",
                      held,
                      "set Type     = symmetry",
                      "subsection Boundary condition held",
                      { "Components" } },
        ShellMistake{ "moment_of_one_number",
                      "set Value    = 0; t; 0",
                      "set Value    = t",
                      "set Value    = t",
                      { "'Value'", "3" } },
        ShellMistake{ "held_twice",
                      turned + "\n  set Surfaces = strip/right\n"
                               "  set Value    = 0; t; 0\n",
                      "set Type = fixed # twice\n  set Surfaces = strip/left\n"
                      "  set Components = rx\n",
                      "set Surfaces = strip/left\n  set Components = rx",
                      { "contradictory", "'strip/left'", "rx" } },
        ShellMistake{ "rayleigh_stiffness",
                      "  set Poisson ratio = 0.44\n",
                      "  set Poisson ratio = 0.44\n"
                      "  set Rayleigh stiffness = 1e-5\n",
                      "set Rayleigh stiffness",
                      { "'Rayleigh stiffness'",
                        "body 'strip' is a shell",
                        "allowed: 0" } },
        ShellMistake{ "scaled_inertia_of_a_tangent",
                      "    set Points            = 3\n",
                      "    set Points            = 3\n"
                      "    set Scaled inertia = false\n",
                      "set Scaled inertia = false",
                      { "'Scaled inertia'",
                        "matrices made of the mass",
                        "lumped, two term or explicit" } },
        ShellMistake{ "explicit_without_mass",
                      "  set Step = 0.1\nend\n",
                      "  set Step = 0.1\n  set Scheme = quasi static\nend\n"
                      "subsection Newton\n  set Matrix = explicit\nend\n",
                      "set Matrix = explicit",
                      { "'Matrix'", "made of the mass", "quasi static" } }),
    [](const auto &info) { return info.param.name; });

TEST(Shells, SolidsRefuseWhatOnlySheetsHave)
{
  const ScratchDirectory scratch;
  const std::string file =
      scratch.write("wall.prm",
                    with("  set Material = stone\n",
                         "  set Material = stone\n"
                         "  subsection Shell\n    set Points = 7\n  end\n"));
  expect_parts(message_of(file),
               { "'Points'", "it is for Type = shell", "Type = solid" });
}
} // namespace
