// Runs with a Newton loop: what is said before them and when they fail, loads
// of small perturbations, tiny loads.
#include "run_case.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace
{
/// A block of 1 x 1 on a plane, pressed from above.
std::string pressed(const std::string &model, const double push)
{
  return R"(
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 1
end
subsection Newton
  set Smallest step = 0.3
end
subsection Material soft
  set Model = )" +
         model + R"(
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = soft
  subsection Mesh
    set Type = box
    set Size = 1, 1
    set Divisions = 4, 4
  end
end
subsection Boundary condition push
  set Type = displacement
  set Surfaces = block/top
  set Value = 0; -)" +
         std::to_string(push) + R"(*t
end
subsection Obstacle plane
  set Normal = 0, 1
end
subsection Contact law smooth
  set Type = frictionless
end
subsection Interaction foot
  set Candidates = block/bottom
  set Antagonists = plane
  set Law = smooth
  set Points = nodes
end
subsection Output
  set Interval = 0
end
)";
}

delassus::ParsedParameters read(const test::TemporaryDirectory &directory,
                                const std::string &text,
                                std::vector<std::string> overrides = {})
{
  overrides.push_back("Output/Directory=" + directory.path + "/run");
  return delassus::read_parameters(test::write_case(directory, text),
                                   overrides);
}
} // namespace

TEST(NewtonRuns, CheckedBeforeTheyRun)
{
  const test::TemporaryDirectory directory;
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      read(directory, pressed("neo-Hookean", 0.1)), options, MPI_COMM_SELF);
  std::ostringstream out;
  simulation.check(out);
  // Five below, and two on each side that might fold onto the plane.
  EXPECT_NE(out.str().find("9 candidates (nodes), 5 face an antagonist"),
            std::string::npos)
      << out.str();
}

TEST(NewtonRuns, FailureWritesTheLastState)
{
  // Pressed through itself: no equilibrium.
  const test::TemporaryDirectory directory;
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      read(directory, pressed("neo-Hookean", 3.)), options, MPI_COMM_SELF);
  EXPECT_THROW(simulation.run(), delassus::ComputationError);
}

TEST(NewtonRuns, TinyLoadsConverge)
{
  // Strains of 1e-9: what rounding leaves of F = I + grad u is 1e-7 of the
  // forces.
  const test::TemporaryDirectory directory;
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      read(directory,
           pressed("Saint Venant-Kirchhoff", 1.),
           { "Boundary condition push/Value=0; -1e-9*t" }),
      options,
      MPI_COMM_SELF);
  simulation.run();
  double force = 0.;
  for (unsigned int a = 0; a < simulation.contact.contacts.size(); ++a)
    force += simulation.contact.P[2 * a];
  // Between free and held sides: E and E (1 - nu)/((1 + nu)(1 - 2 nu)).
  EXPECT_GT(force, 1000e-9);
  EXPECT_LT(force, 1346.2e-9);
}

TEST(NewtonRuns, PressureOnSmallPerturbationsKeepsItsPlace)
{
  // A bar whose end is pressed: at a strain of 10 % in width the force of a
  // following pressure would be larger by that.
  const char *text = R"(
set Assumption = plane stress
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 1
end
subsection Material soft
  set Model = J2 small strain
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0.4
  set Yield stress = 1e6
end
subsection Body bar
  set Material = soft
  subsection Mesh
    set Type = box
    set Size = 1, 1
  end
end
subsection Boundary condition wall
  set Type = fixed
  set Surfaces = bar/left
  set Components = x
end
subsection Boundary condition floor
  set Type = fixed
  set Surfaces = bar/bottom
  set Components = y
end
subsection Boundary condition press
  set Type = pressure
  set Surfaces = bar/right
  set Value = 250*t
end
subsection Probe end
  set Point = 1, 1
end
subsection Output
  set Interval = 0
end
)";
  const test::TemporaryDirectory directory;
  const auto results = test::run_file<2>(test::write_case(directory, text));
  EXPECT_NEAR(results.history.at("end:u_x").back(), -0.25, 1e-8);
  EXPECT_NEAR(results.history.at("end:u_y").back(), 0.1, 1e-8);
}
