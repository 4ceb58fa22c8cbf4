// Sheets joined by the contact law 'tied': to a solid, to a rigid body, to each
// other.
#include "joined_sheets.h"
#include "sheet_runs.h"

#include <delassus/base/exceptions.h>

using namespace delassus;
using namespace test;

namespace
{
// P L^3 / 3 E I, with the rows of linear elements: less by 1 / (4 n^2); and
// with shear, 6 P L / 5 G A.
constexpr double P = 0.01, L = 10., E = 1e6, I = 0.2 * 0.2 * 0.2 / 12.,
                 deflection = P * L * L * L / (3. * E * I) * (1. - 1. / 400.) +
                              1.2 * P * L / (0.5 * E * 0.2);

} // namespace

// A couple M on a strip of the width t of a block turns it by about 10 M / (E'
// t^2), and the end moves by L times that.
TEST(Joints, OfASheetAndASolid)
{
  const SheetRun clamped(text_of({ strip, at_rest, load, clamp })),
      tied(text_of({ strip, at_rest, load, to_block }));
  ASSERT_EQ(clamped.failure, "");
  ASSERT_EQ(tied.failure, "");
  EXPECT_NEAR(clamped.last("end:u_z"), deflection, 1e-4 * deflection);
  const double of_block = 100. * P * L * L / (1e10 * 0.2 * 0.2);
  EXPECT_NEAR(tied.last("end:u_z"), clamped.last("end:u_z"), of_block);
  // All of the force goes through the joint.
  EXPECT_NEAR(tied.last("held:reaction_z"), -P, 1e-7 * P);
  EXPECT_NEAR(tied.last("held:reaction_x"), 0., 1e-7 * P * L / 0.2);
}

// The forces of the joint are in balance with the load.
TEST(Joints, OfASheetAndARigidBody)
{
  const SheetRun clamped(text_of({ strip, at_rest, load, clamp })),
      tied(text_of({ strip, at_rest, load, to_hub("0") }));
  ASSERT_EQ(tied.failure, "");
  EXPECT_NEAR(tied.last("end:u_z"), clamped.last("end:u_z"), 1e-7 * deflection);
  EXPECT_NEAR(tied.last("end:u_x"), clamped.last("end:u_x"), 1e-7 * deflection);
  EXPECT_NEAR(tied.last("hub:force_z"), P, 1e-8 * P);
  const auto contact = read_vtu(tied.path() + "/vtu/contact_000001.vtu");
  const auto &x = contact.at("Points"), &R = contact.at("reaction");
  ASSERT_EQ(x.size(), 12u);
  double moment[3] = { 0., 0., 0. };
  for (unsigned int a = 0; a < 4; ++a)
    for (unsigned int c = 0; c < 3; ++c)
    {
      const unsigned int i = (c + 1) % 3, j = (c + 2) % 3;
      moment[c] += (x[3 * a + i] - (i == 1 ? 0.5 : 0.)) * R[3 * a + j] -
                   (x[3 * a + j] - (j == 1 ? 0.5 : 0.)) * R[3 * a + i];
    }
  // Files have seven digits, of forces of the size P L / t.
  const double digits = 1e-6 * P * L;
  EXPECT_NEAR(moment[1], P * (L + tied.last("end:u_x")), digits);
  EXPECT_NEAR(moment[0], 0., digits);
  EXPECT_NEAR(moment[2], 0., digits);
}

// Through a quarter of a turn, loaded: as if its edge were driven likewise.
TEST(Joints, TurnTogether)
{
  const char *in_eight_steps = R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.125
end
)";
  const std::string turned   = R"(
subsection Boundary condition turned
  set Type       = displacement
  set Surfaces   = strip/left
  set Components = x, y, z, rx, ry, rz
  set Value      = 0.5*(cos(pi/2*t) - 1); 0; -0.5*sin(pi/2*t); 0; pi/2*t; 0
end
)";
  const SheetRun tied(text_of({ strip, in_eight_steps, load, to_hub("90*t") })),
      driven(text_of({ strip, in_eight_steps, load, turned }));
  ASSERT_EQ(tied.failure, "");
  ASSERT_EQ(driven.failure, "");
  // To the tolerance of the loops, of motions of the size L.
  for (const char *column :
       { "end:u_x", "end:u_z", "end:director_x", "end:director_z" })
    for (std::size_t i = 0; i < driven.history.at(column).size(); ++i)
      EXPECT_NEAR(
          tied.history.at(column)[i], driven.history.at(column)[i], 1e-7 * L)
          << column;
  // A quarter of a turn, and as far as P bends it.
  EXPECT_NEAR(tied.last("end:u_x"), -(L + 0.5), 2. * deflection);
}

// A wing that is swung: what the body's drive puts in is there.
TEST(Joints, EnergyCloses)
{
  const SheetRun run(text_of({ strip,
                               R"(
subsection Time
  set Scheme = dynamic
  set Theta  = 1
  set End    = 0.2
  set Step   = 0.02
end
)",
                               to_hub("30*sin(20*t)") }));
  ASSERT_EQ(run.failure, "");
  const auto energy = read_csv(run.path() + "/energy.csv");
  for (const double residual : energy.at("relative_residual"))
    EXPECT_LT(std::abs(residual), 1e-7);
  // It is swung and bends.
  EXPECT_GT(energy.at("kinetic").back(), 0.1);
  EXPECT_GT(energy.at("elastic").back(), 1e-3);
}

// A web on a plate, both sheets: their parts have no node in common.
TEST(Joints, OfTwoSheets)
{
  const std::string plate = R"(
subsection Material stiff
  set Model         = Saint Venant-Kirchhoff
  set Density       = 1
  set Young modulus = 1e9
  set Poisson ratio = 0
end
subsection Body plate
  set Type      = shell
  set Material  = stiff
  set Thickness = 0.4
  subsection Mesh
    set File = plate.msh
  end
end
subsection Boundary condition held
  set Type     = clamped
  set Surfaces = plate/boundary
end
subsection Interaction joint
  set Candidates  = strip/left
  set Antagonists = plate/outer
  set Law         = weld
end
)";
  // In the plane x = -0.2, of 7 x 7 elements, normals along x.
  std::ostringstream mesh;
  mesh << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n64\n";
  for (unsigned int j = 0; j < 8; ++j)
    for (unsigned int i = 0; i < 8; ++i)
      mesh << 8 * j + i + 1 << " -0.2 " << -1. + 3. * i / 7. << " "
           << -1.5 + 3. * j / 7. << "\n";
  mesh << "$EndNodes\n$Elements\n49\n";
  for (unsigned int j = 0; j < 7; ++j)
    for (unsigned int i = 0; i < 7; ++i)
    {
      const unsigned int a = 8 * j + i + 1;
      mesh << 7 * j + i + 1 << " 3 2 1 1 " << a << " " << a + 1 << " " << a + 9
           << " " << a + 8 << "\n";
    }
  mesh << "$EndElements\n";
  const TemporaryDirectory directory;
  std::ofstream(directory.path + "/plate.msh") << mesh.str();
  std::string text = text_of({ strip, at_rest, load, plate });
  text.replace(text.find("plate.msh"), 9, directory.path + "/plate.msh");
  const SheetRun clamped(text_of({ strip, at_rest, load, clamp })), tied(text);
  ASSERT_EQ(tied.failure, "");
  EXPECT_NEAR(tied.last("end:u_z"), clamped.last("end:u_z"), 1e-4 * deflection);
  // Rounding of stresses, on the section of the plate around its edge.
  EXPECT_NEAR(tied.last("held:reaction_z"), -P, 1e-15 * 1e9 * 12. * 0.4);
}

// What does not touch is not tied, and that is told.
TEST(Joints, ThatDoNotTouchAreTold)
{
  const std::string text = text_of({ strip, at_rest, load, to_hub("0") });
  try
  {
    const SheetRun run(text, { "Rigid body hub/Point=-1.01, -0.5, -0.5" });
    FAIL();
  }
  catch (const InputError &e)
  {
    const std::string what = e.what();
    for (const char *part : { "section 'Interaction joint', entry 'Law'",
                              "of 4 candidate points none does",
                              "the smallest gap is 0.01, near (0, ",
                              "'Bonding gap'" })
      EXPECT_NE(what.find(part), std::string::npos) << part << ": " << what;
  }
  // Within the gap that is allowed it stays where it is.
  const SheetRun apart(text,
                       { "Rigid body hub/Point=-1.01, -0.5, -0.5",
                         "Contact law weld/Bonding gap=0.02" });
  ASSERT_EQ(apart.failure, "");
  EXPECT_NEAR(apart.last("hub:force_z"), P, 1e-8 * P);
  EXPECT_NEAR(apart.last("end:u_x"), 0., 1e-3 * deflection);
  // Half of the edge beside the body.
  const SheetRun half(text, { "Rigid body hub/Size=1, 1.4, 1" });
  ASSERT_EQ(half.failure, "");
  std::ostringstream log;
  log << std::ifstream(half.path() + "/log.txt").rdbuf();
  EXPECT_NE(log.str().find("interaction 'joint' ties 2 of 4 candidate points"),
            std::string::npos)
      << log.str();
}

// Two blocks that are tied node to node are one, by every method.
TEST(Joints, OfTwoSolidsMakeOne)
{
  const std::string common = R"(
set Gravity = 0, 0
subsection Time
  set End   = 0.2
  set Step  = 0.02
  set Theta = 0.5
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Material soft
  set Density       = 1
  set Young modulus = 100
  set Poisson ratio = 0.3
end
subsection Body a
  set Material = soft
  subsection Mesh
    set Type      = box
    set Size      = LENGTH, 1
    set Divisions = CELLS, 4
  end
end
subsection Boundary condition held
  set Type     = fixed
  set Surfaces = a/left
end
subsection Boundary condition pull
  set Type     = traction
  set Surfaces = LAST/right
  set Value    = 1; 0.3
end
subsection Probe end
  set Point = 2, 0.5
end
subsection Output
  set Interval steps = 0
end
)";
  const std::string second = R"(
subsection Body b
  set Material = soft
  subsection Mesh
    set Type      = box
    set Origin    = 1, 0
    set Size      = 1, 1
    set Divisions = 4, 4
  end
end
subsection Contact law weld
  set Type = tied
end
subsection Interaction joint
  set Candidates  = a/right
  set Antagonists = b/left
  set Law         = weld
  set Points      = nodes
end
)";
  const auto with          = [&](std::string text,
                        const std::string &length,
                        const std::string &cells,
                        const std::string &last)
  {
    text.replace(text.find("LENGTH"), 6, length);
    text.replace(text.find("CELLS"), 5, cells);
    text.replace(text.find("LAST"), 4, last);
    return text;
  };
  const TemporaryDirectory directory;
  const auto one =
      run_file<2>(write_case(directory, with(common, "2", "8", "a")));
  const std::string file =
      write_case(directory, with(common, "1", "4", "b") + second);
  for (const char *solver : { "auto",
                              "Gauss-Seidel",
                              "parallel Gauss-Seidel",
                              "projected gradient",
                              "ADMM",
                              "global ADMM",
                              "Newton",
                              "global Newton" })
  {
    const auto two =
        run_file<2>(file, { std::string("Contact solver/Solver=") + solver });
    for (const char *column : { "end:u_x", "end:u_y" })
      EXPECT_NEAR(two.history.at(column).back(),
                  one.history.at(column).back(),
                  1e-7 * one.history.at("end:u_y").back())
          << solver;
    for (const double residual : two.energy.at("relative_residual"))
      EXPECT_LT(std::abs(residual), 1e-8) << solver;
  }
}
