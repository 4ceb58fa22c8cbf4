// Units are the user's: with other units of length, mass and time, each changed
// by a power of two so that every number is rounded alike, a run must be the
// same one bit by bit. An absolute number anywhere in it would show.
#include "run_case.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <cmath>

namespace
{
/// One unit of length is 2^length of the other ones, and so on.
struct Units
{
  int length = 0, mass = 0, time = 0;

  double factor(const int l, const int m, const int t) const
  {
    return std::ldexp(1., l * length + m * mass + t * time);
  }

  /// A number of the parameter file: of the dimension L^l M^m T^t.
  std::string operator()(const double x,
                         const int l,
                         const int m = 0,
                         const int t = 0) const
  {
    return fmt::format("{:.17g}", x * factor(l, m, t));
  }
};

const std::vector<Units> others = { { 10, 0, 0 },
                                    { 0, -20, 0 },
                                    { 0, 0, 7 },
                                    { -17, 0, 0 },
                                    { 10, -10, -3 } };

/// Positions, velocities and impulses after each step.
struct Trace
{
  std::vector<std::vector<double>> q, v, P;
};

template <int dim>
Trace trace(const std::string &text)
{
  const test::TemporaryDirectory directory;
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<dim> simulation(
      delassus::read_parameters(
          test::write_case(directory, text),
          { "Output/Directory=" + directory.path + "/run" }),
      options,
      MPI_COMM_SELF);
  Trace trace;
  simulation.on_step = [&](const double, const double)
  {
    std::vector<double> q, v;
    for (const auto &scheme : simulation.model.schemes)
    {
      q.insert(q.end(), scheme->q.begin(), scheme->q.end());
      v.insert(v.end(), scheme->v.begin(), scheme->v.end());
    }
    trace.q.push_back(q);
    trace.v.push_back(v);
    trace.P.push_back(simulation.contact.P);
  };
  simulation.run();
  return trace;
}

/// All numbers of one are those of the other times a factor, bit by bit.
/// Returns how many are not zero.
unsigned int expect_same(const std::vector<std::vector<double>> &a,
                         const std::vector<std::vector<double>> &b,
                         const double factor,
                         const std::string &what)
{
  unsigned int n_nonzero = 0;
  EXPECT_EQ(a.size(), b.size()) << what;
  for (std::size_t step = 0; step < std::min(a.size(), b.size()); ++step)
  {
    EXPECT_EQ(a[step].size(), b[step].size()) << what << " of step " << step;
    for (std::size_t i = 0; i < std::min(a[step].size(), b[step].size()); ++i)
    {
      n_nonzero += a[step][i] != 0.;
      if (a[step][i] * factor != b[step][i])
      {
        ADD_FAILURE() << fmt::format("{} {} after step {}: {:.17g} times {} is "
                                     "not {:.17g}",
                                     what,
                                     i,
                                     step,
                                     a[step][i],
                                     factor,
                                     b[step][i]);
        return n_nonzero;
      }
    }
  }
  return n_nonzero;
}

template <int dim, typename Text>
void same_in_all_units(const Text &text)
{
  const Trace here = trace<dim>(text(Units()));
  for (const Units &units : others)
  {
    SCOPED_TRACE(fmt::format("length 2^{}, mass 2^{}, time 2^{}",
                             units.length,
                             units.mass,
                             units.time));
    const Trace there = trace<dim>(text(units));
    EXPECT_GT(expect_same(here.q, there.q, units.factor(1, 0, 0), "dof"), 10u);
    EXPECT_GT(expect_same(here.v, there.v, units.factor(1, 0, -1), "velocity"),
              10u);
    EXPECT_GT(expect_same(here.P, there.P, units.factor(1, 1, -1), "impulse"),
              10u);
    if (testing::Test::HasFailure())
      return;
  }
}

/// A wall of nine blocks, pressed from above, on ground that moves.
std::string wall(const Units &u)
{
  return fmt::format(
      R"(
set Gravity = 0, {}
subsection Time
  set End = {}
  set Step = {}
  set Theta = 0.75
end
subsection Material block
  set Density = {}
  set Young modulus = {}
  set Poisson ratio = 0.3
  set Rayleigh mass = {}
  set Rayleigh stiffness = {}
end
subsection Body wall
  set Material = block
  set Mass = lumped
  set Thickness = {}
  subsection Mesh
    set Type = running bond wall
    set Size = {}, {}
    set Courses = 3
    set Blocks per course = 3
    set Cells = 8 T3
  end
end
subsection Boundary condition load
  set Type = pressure
  set Surfaces = wall/crown
  set Value = {}*t
end
subsection Obstacle ground
  set Normal = 0, 1
  set Displacement = {}*sin({}*t); {}*sin({}*t)
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Interaction joints
  set Candidates = wall/bottom, wall/right
  set Antagonists = wall/top, wall/left
  set Law = dry
end
subsection Interaction foundation
  set Candidates = wall/base
  set Antagonists = ground
  set Law = dry
end
subsection Contact solver
  set Tolerance = 1e-4
end
subsection Output
  set Interval = 0
end
)",
      u(-9.81, 1, 0, -2),
      u(0.03, 0, 0, 1),
      u(1e-3, 0, 0, 1),
      u(500., -3, 1),
      u(1e6, -1, 1, -2),
      u(2., 0, 0, -1),
      u(1e-4, 0, 0, 1),
      u(1., 1),
      u(0.1, 1),
      u(0.05, 1),
      u(3e4, -1, 1, -3),
      u(0.002, 1),
      u(50., 0, 0, -1),
      u(0.001, 1),
      u(30., 0, 0, -1));
}

/// A block of rubber between a driven punch with edges and a second block.
std::string
press(const Units &u, const std::string &scheme, const unsigned int n_steps)
{
  return fmt::format(
      R"(
set Assumption = plane strain
subsection Time
  set Scheme = {}
  set End = {}
  set Step = {}
end
subsection Material rubber
  set Model = neo-Hookean
  set Density = {}
  set Young modulus = {}
  set Poisson ratio = 0.4
end
subsection Body lower
  set Material = rubber
  set Thickness = {}
  subsection Mesh
    set Type = box
    set Origin = {}, {}
    set Size = {}, {}
    set Divisions = 6, 3
  end
end
subsection Body upper
  set Material = rubber
  set Thickness = {}
  subsection Mesh
    set Type = box
    set Size = {}, {}
    set Divisions = 4, 2
  end
end
subsection Boundary condition base
  set Surfaces = lower/bottom
end
subsection Obstacle punch
  set Type = box
  set Point = {}, {}
  set Size = {}, {}
  set Displacement = {}*t; {}*t
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction between
  set Candidates = upper/bottom
  set Antagonists = lower/top
  set Law = dry
end
subsection Interaction tool
  set Candidates = upper/top
  set Antagonists = punch
  set Law = dry
end
subsection Output
  set Interval = 0
end
)",
      scheme,
      u(1e-3 * n_steps, 0, 0, 1),
      u(1e-3, 0, 0, 1),
      u(1100., -3, 1),
      u(2e6, -1, 1, -2),
      u(1., 1),
      u(-0.02, 1),
      u(-0.05, 1),
      u(0.14, 1),
      u(0.05, 1),
      u(1., 1),
      u(0.1, 1),
      u(0.05, 1),
      u(0.025, 1),
      u(0.05, 1),
      u(0.05, 1),
      u(0.02, 1),
      u(0.3, 1, 0, -1),
      u(-1., 1, 0, -1));
}

/// A cube pressed down and pushed along a ball, in space.
std::string cube(const Units &u)
{
  return fmt::format(
      R"(
set Dimension = 3
set Gravity = 0, 0, {}
subsection Time
  set End = {}
  set Step = {}
end
subsection Material m
  set Density = {}
  set Young modulus = {}
  set Poisson ratio = 0.3
end
subsection Body cube
  set Material = m
  subsection Mesh
    set Type = box
    set Size = {}, {}, {}
    set Divisions = 3, 3, 3
  end
end
subsection Boundary condition push
  set Type = velocity
  set Surfaces = cube/top
  set Value = {}; {}; {}
end
subsection Obstacle ball
  set Type = sphere
  set Point = {}, {}, {}
  set Radius = {}
end
subsection Contact law dry
  set Friction = 0.4
end
subsection Interaction tool
  set Candidates = cube/bottom
  set Antagonists = ball
  set Law = dry
end
subsection Output
  set Interval = 0
end
)",
      u(-9.81, 1, 0, -2),
      u(0.01, 0, 0, 1),
      u(1e-3, 0, 0, 1),
      u(1000., -3, 1),
      u(1e6, -1, 1, -2),
      u(0.1, 1),
      u(0.1, 1),
      u(0.1, 1),
      u(0.4, 1, 0, -1),
      u(0.1, 1, 0, -1),
      u(-0.3, 1, 0, -1),
      u(0.05, 1),
      u(0.05, 1),
      u(-0.1, 1),
      u(0.1, 1));
}
} // namespace

TEST(Units, OfAWallAreFree)
{
  same_in_all_units<2>(wall);
}

TEST(Units, OfANewtonRunAreFree)
{
  same_in_all_units<2>([](const Units &u) { return press(u, "dynamic", 10); });
}

TEST(Units, OfAQuasiStaticNewtonRunAreFree)
{
  same_in_all_units<2>([](const Units &u)
                       { return press(u, "quasi static", 2); });
}

TEST(Units, InSpaceAreFree)
{
  same_in_all_units<3>(cube);
}
