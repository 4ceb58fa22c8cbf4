// Elements of degree 2 and locally refined meshes through whole runs.
#include "run_case.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>

namespace
{
/// A plate under a uniform pressure on three steps, sliding on symmetry planes:
/// linear displacements, exact on any mesh.
const char *plate = R"(
set Assumption = plane stress
subsection Time
  set Scheme = quasi static
  set End = 2
  set Step = 1
end
subsection Material rubber
  set Density = 1
  set Young modulus = 100
  set Poisson ratio = 0.3
end
subsection Body plate
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 2, 1
  end
end
subsection Boundary condition left
  set Type = fixed
  set Surfaces = left
  set Components = x
end
subsection Boundary condition bottom
  set Type = fixed
  set Surfaces = bottom
  set Components = y
end
subsection Boundary condition press
  set Type = pressure
  set Surfaces = top
  set Value = 3*t
end
subsection Output
  set Interval steps = 1
end
)";

/// A cantilever, clamped, with a parabolic shear at its end; long enough for
/// Timoshenko's beam.
const char *cantilever = R"(
set Assumption = plane stress
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 1
end
subsection Material steel
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0
end
subsection Body beam
  set Material = steel
  set Degree = 2
  subsection Mesh
    set Type = box
    set Size = 10, 1
    set Divisions = 10, 1
  end
end
subsection Boundary condition clamp
  set Type = fixed
  set Surfaces = left
end
subsection Boundary condition shear
  set Type = traction
  set Surfaces = right
  set Value = 0; -6*y*(1-y)
end
subsection Probe end
  set Point = 10, 0.5
end
subsection Output
  set Interval steps = 0
end
)";

void expect_linear(const std::vector<std::string> &overrides)
{
  const test::TemporaryDirectory directory;
  auto all = overrides;
  all.push_back("Output/Directory=" + directory.path + "/run");
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      delassus::read_parameters(test::write_case(directory, plate), all),
      options,
      MPI_COMM_SELF);
  simulation.run();
  const auto &body = *simulation.model.bodies[0];
  const auto &q    = simulation.model.schemes[0]->q;
  for (unsigned int n = 0; n < body.n_nodes(); ++n)
  {
    const auto &x = body.nodes[n];
    EXPECT_NEAR(q[2 * n], 0.3 * 6. / 100. * x[0], 1e-12);
    EXPECT_NEAR(q[2 * n + 1], -6. / 100. * x[1], 1e-12);
  }
}
} // namespace

TEST(RefinedBodies, UniformStressIsExact)
{
  const std::string mesh                 = "Body plate/Mesh/",
                    divided              = mesh + "Divisions=4, 2";
  const std::vector<std::string> refined = {
    mesh + "Refine where=0.2 - (x-1)^2 - (y-1)^2; 0.1 - x",
    mesh + "Refine levels=2, 1"
  };
  for (const std::string degree :
       { "Body plate/Degree=1", "Body plate/Degree=2" })
  {
    expect_linear({ degree, divided });
    expect_linear({ degree, divided, mesh + "Global refinement=1" });
    expect_linear({ degree, divided, mesh + "Distribution=distributed" });
    expect_linear({ degree, mesh + "Cells=8 T3" });
    auto with_hanging = refined;
    with_hanging.push_back(degree);
    with_hanging.push_back(divided);
    expect_linear(with_hanging);
  }
}

TEST(RefinedBodies, Cantilever)
{
  // F L^3 / 3 E I with F = 1, I = 1/12, and shear F L / (5/6 G A): Timoshenko's
  // beam. A curvature that is constant in each element of length h misses
  // (h/L)^2/4 of the energy.
  const double exact     = 1000. / (3. * 1000. / 12.) + 10. / (5. / 6. * 500.);
  const std::string mesh = "Body beam/Mesh/";
  const auto end         = [&](const std::vector<std::string> &overrides)
  {
    return -test::run_text<2>(cantilever, overrides)
                .history.at("end:u_y")
                .back();
  };
  const double coarse = end({});
  EXPECT_NEAR(coarse, exact, 1e-2 * exact);
  EXPECT_NEAR(end({ mesh + "Distribution=distributed" }), coarse, 1e-9);
  // A finer space in the same problem: softer.
  const double local =
      end({ mesh + "Refine where=1 - x", mesh + "Refine levels=2" });
  const double fine = end({ mesh + "Global refinement=2" });
  EXPECT_GT(local, coarse);
  EXPECT_GT(fine, local);
  EXPECT_NEAR(fine, exact, 5e-3 * exact);
}

TEST(RefinedBodies, TrianglesAreRefusedByName)
{
  const test::TemporaryDirectory directory;
  std::ofstream(directory.path + "/square.geo")
      << "SetFactory(\"OpenCASCADE\");\nRectangle(1) = {0, 0, 0, 2, 1};\n"
         "Physical Curve(\"bottom\") = {1};\nPhysical Curve(\"top\") = {3};\n"
         "Physical Curve(\"left\") = {4};\nPhysical Surface(\"plate\") = "
         "{1};\n";
  std::string text(plate);
  const auto begin = text.find("    set Type = box");
  const auto end = text.find("  end\nend\nsubsection Boundary condition left");
  text.replace(begin,
               end - begin,
               "    set File = square.geo\n    set Refine where = x\n");
  try
  {
    test::run_file<2>(test::write_case(directory, text));
    FAIL();
  }
  catch (const delassus::InputError &e)
  {
    const std::string message = e.what();
    EXPECT_NE(message.find("triangles"), std::string::npos) << message;
    EXPECT_NE(message.find("Refine where"), std::string::npos) << message;
    EXPECT_NE(message.find("case.prm:"), std::string::npos) << message;
  }
}
