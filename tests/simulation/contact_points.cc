// Where contact points are, which of them count, and what the loop's default
// tolerance is worth.
#include "run_case.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace
{
/// A rigid punch with edges exactly over nodes of a block, 16 cells wide under
/// it; all moved along by @p shift.
std::string punch(const double shift, const std::string &model)
{
  return fmt::format(R"(
set Assumption = plane stress
subsection Time
  set Scheme = quasi static
  set End = 2
  set Step = 1
end
subsection Material m
  set Density = 1
  set Model = {}
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = m
  subsection Mesh
    set Type = box
    set Origin = {:.17g}, {:.17g}
    set Size = 1.6, 0.8
    set Divisions = 64, 32
  end
end
subsection Boundary condition base
  set Surfaces = block/bottom
end
subsection Obstacle punch
  set Type = box
  set Point = {:.17g}, {:.17g}
  set Size = 0.4, 0.2
  set Displacement = 0; -1e-4*t
end
subsection Contact law free
  set Type = frictionless
end
subsection Interaction c
  set Candidates = block/top
  set Antagonists = punch
  set Law = free
end
subsection Output
  set Interval = 0
end
)",
                     model,
                     shift - 0.8,
                     shift - 0.8,
                     shift - 0.2,
                     shift);
}

/// Pressures of closed contacts from left to right.
std::vector<double> pressures(const std::string &text,
                              const std::vector<std::string> &overrides = {})
{
  const test::TemporaryDirectory directory;
  auto all = overrides;
  all.push_back("Output/Directory=" + directory.path + "/run");
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      delassus::read_parameters(test::write_case(directory, text), all),
      options,
      MPI_COMM_SELF);
  std::vector<std::pair<double, double>> found;
  simulation.on_step = [&](const double, const double h)
  {
    found.clear();
    const auto &contact  = simulation.contact;
    const auto &surfaces = *simulation.model.surfaces;
    for (unsigned int a = 0; a < contact.contacts.size(); ++a)
      if (contact.P[2 * a] > 0.)
        found.emplace_back(
            surfaces.position(surfaces.points[contact.contacts[a].point],
                              surfaces.reference)[0],
            contact.P[2 * a] / (h * contact.contacts[a].area));
  };
  simulation.run();
  std::sort(found.begin(), found.end());
  std::vector<double> result;
  for (const auto &point : found)
    result.push_back(point.second);
  return result;
}

template <int dim>
std::string checked(const std::string &text,
                    std::vector<std::string> overrides = {})
{
  const test::TemporaryDirectory directory;
  overrides.push_back("Output/Directory=" + directory.path + "/run");
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<dim> simulation(
      delassus::read_parameters(test::write_case(directory, text), overrides),
      options,
      MPI_COMM_SELF);
  std::ostringstream out;
  simulation.check(out);
  return out.str();
}

bool has(const std::string &text, const std::string &part)
{
  return text.find(part) != std::string::npos;
}

/// A wall of blocks on a beam with many cells.
const std::string wall_on_a_beam = R"(
set Gravity = 0, -9.81
subsection Time
  set End = 0.02
  set Step = 1e-3
end
subsection Material stone
  set Density = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body wall
  set Material = stone
  subsection Mesh
    set Type = running bond wall
    set Size = 0.1, 0.05
    set Courses = 2
    set Blocks per course = 3
    set Cells = 8 T3
  end
end
subsection Body beam
  set Material = stone
  subsection Mesh
    set Type = box
    set Origin = 0, -0.1
    set Size = 0.3, 0.1
    set Divisions = 10, 4
  end
end
subsection Obstacle ground
  set Point = 0, -0.1
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Interaction joints
  set Candidates = wall/bottom, wall/right
  set Antagonists = wall/top, wall/left
  set Law = dry
end
subsection Interaction all
  set Candidates = wall/base, beam/bottom
  set Antagonists = beam/top, ground
  set Law = dry
end
subsection Output
  set Interval = 0
end
)";

/// A block pressed on the ground and pushed to and fro below full sliding, so
/// that its ends slip: four cycles of 100 steps.
const std::string cycles = R"(
set Assumption = plane strain
subsection Time
  set Scheme = quasi static
  set End = 5
  set Step = 0.01
end
subsection Material steel
  set Density = 7850
  set Young modulus = 200e9
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = steel
  subsection Mesh
    set Type = box
    set Size = 0.04, 0.02
    set Divisions = 24, 8
  end
end
subsection Boundary condition top
  set Type = displacement
  set Surfaces = block/top
  set Value = if(t<1, 0, 2e-6*sin(2*pi*(t-1))); -2e-5*min(t,1)
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction c
  set Candidates = block/bottom
  set Antagonists = ground
  set Law = dry
end
subsection Output
  set Interval = 0
end
)";
} // namespace

// Nodes under the edges of the punch are among those that carry it, and the
// pressure is that of a rigid punch on a half-plane, P / (pi sqrt(a^2 - x^2)),
// but for the edges and what the finite block adds.
TEST(ContactPoints, UnderTheEdgesOfAPunchTouch)
{
  for (const char *model : { "linear elastic", "neo-Hookean" })
    for (const double shift : { 0., 400. })
    {
      SCOPED_TRACE(fmt::format("{}, shifted by {}", model, shift));
      const auto p = pressures(punch(shift, model));
      ASSERT_EQ(p.size(), 17u);
      // Nodes 0.025 apart; the outermost ones stand for the singularity.
      double force = 0.;
      for (std::size_t i = 0; i < p.size(); ++i)
        force += 0.025 * p[i];
      for (std::size_t i = 3; i < 14; ++i)
      {
        const double x   = -0.2 + 0.025 * i;
        const double ref = force / (M_PI * std::sqrt(0.04 - x * x));
        EXPECT_NEAR(p[i], ref, 0.12 * ref) << i;
      }
      EXPECT_NEAR(p.front(), p.back(), 1e-3 * p.front());
      EXPECT_GT(p.front(), 1.5 * p[1]);
    }
}

TEST(ContactPoints, AutomaticOnesAreMidpointsOfBlocksElseNodes)
{
  const std::string text = checked<2>(wall_on_a_beam);
  EXPECT_TRUE(has(text, "'joints': 25 candidates (mid-points, of blocks)") ||
              has(text, "candidates (mid-points, of blocks)"))
      << text;
  EXPECT_TRUE(has(text, "mid-points of 3 blocks, nodes of 1 other pieces"))
      << text;
  EXPECT_FALSE(has(text, "tell apart")) << text;
  EXPECT_TRUE(has(checked<2>(punch(0., "linear elastic")),
                  "'c': 65 candidates (nodes)"));
  // A run with them is the run with those that are named.
  const auto automatic = test::run_text<2>(
      wall_on_a_beam, { "Interaction all/Candidates=wall/base" });
  const auto named = test::run_text<2>(wall_on_a_beam,
                                       { "Interaction all/Candidates=wall/base",
                                         "Interaction joints/Points=midpoints",
                                         "Interaction all/Points=midpoints" });
  EXPECT_EQ(automatic.history, named.history);
}

TEST(ContactPoints, TooManyAreTold)
{
  const std::string text = punch(0., "linear elastic");
  for (const char *points : { "midpoints", "gauss" })
    EXPECT_TRUE(
        has(checked<2>(text, { std::string("Interaction c/Points=") + points }),
            "more points than the surface can tell apart"))
        << points;
  EXPECT_FALSE(
      has(checked<2>(text, { "Interaction c/Points=nodes" }), "tell apart"));
  EXPECT_FALSE(has(checked<2>(text, { "Interaction c/Formulation=mortar" }),
                   "tell apart"));
  // What the warning is about: pressures that alternate.
  const auto p = pressures(text, { "Interaction c/Points=gauss" });
  double most = 0., least = 1e300, mean = 0.;
  for (std::size_t i = p.size() / 4; i < 3 * p.size() / 4; ++i)
  {
    most  = std::max(most, p[i]);
    least = std::min(least, p[i]);
    mean += p[i] / (p.size() / 2);
  }
  EXPECT_GT(most - least, 0.5 * mean);
}

// What a loop leaves of each step adds up where friction remembers it.
TEST(DefaultTolerance, KeepsCyclesWithinATenthOfAPercent)
{
  const auto run = test::run_text<2>(cycles);
  const auto exact =
      test::run_text<2>(cycles,
                        { "Contact solver/Tolerance=1e-10",
                          "Contact solver/Maximum sweeps=100000" });
  const auto &f      = run.history.at("c:force_x");
  const auto &g      = exact.history.at("c:force_x");
  double amplitude   = 0.;
  double worst       = 0.;
  unsigned int slips = 0;
  for (std::size_t i = 0; i < g.size(); ++i)
  {
    amplitude = std::max(amplitude, std::abs(g[i]));
    worst     = std::max(worst, std::abs(f[i] - g[i]));
    slips +=
        exact.history.at("c:slip")[i] > 0 && exact.history.at("c:stick")[i] > 0;
  }
  EXPECT_GT(slips, 100u); // partial slip: neither stuck nor sliding
  EXPECT_LT(worst, 1e-3 * amplitude);
}
