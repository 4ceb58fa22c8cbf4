// Steps that are hard for Newton's method: nearly incompressible bodies upset
// between rough platens, strong compression, curved bodies sliding over each
// other, loads that cannot be carried.
#include "cases.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <algorithm>

using test::relative;

namespace
{
/// A block of rubber between a symmetry plane and a platen that comes down by
/// 30 %.
std::string upset(const std::string &more = "")
{
  return R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.05
end
subsection Material rubber
  set Model         = neo-Hookean
  set Density       = 1000
  set Young modulus = 3e6
  set Poisson ratio = 0.4999
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Size      = 1, 1
    set Divisions = 8, 8
  end
end
subsection Boundary condition left
  set Surfaces   = block/left
  set Components = x
end
subsection Boundary condition base
  set Surfaces   = block/bottom
  set Components = y
end
subsection Obstacle platen
  set Point        = 0, 1
  set Normal       = 0, -1
  set Displacement = 0; -0.3*t
end
subsection Contact law rough
  set Friction = 0.5
end
subsection Interaction top
  set Candidates  = block/top, block/right
  set Antagonists = platen
  set Law         = rough
  set Points      = nodes
end
subsection Output
  set Interval = 0
end
)" + more;
}

/// A strip dragged over a soft roll: both curved and deformable.
std::string drag(const std::string &more = "")
{
  return R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.05
end
subsection Material rubber
  set Model         = neo-Hookean
  set Density       = 1
  set Young modulus = 10
  set Poisson ratio = 0.3
end
subsection Body strip
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Origin    = -1.5, -1.25
    set Size      = 3, 0.25
    set Divisions = 30, 2
  end
end
subsection Body roll
  set Material = rubber
  subsection Mesh
    set Type              = half ball
    set Radius            = 1
    set Ball divisions    = 2
    set Global refinement = 3
  end
end
subsection Boundary condition core
  set Surfaces = roll/flat
end
subsection Boundary condition ends
  set Type     = displacement
  set Surfaces = strip/left, strip/right
  set Value    = if(t<0.5, 0, 0.5*(t-0.5)); 0.6*min(t,0.5)
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction contact
  set Candidates  = strip/top
  set Antagonists = roll/sphere
  set Law         = dry
  set Points      = nodes
  set Normals     = averaged
end
subsection Output
  set Interval = 0
end
)" + more;
}

struct Effort
{
  double mean_iterations, smallest; ///< of the steps, in Time/Step
};

Effort effort(const test::Results &run, const double step)
{
  const auto &iterations = run.history.at("newton_iterations");
  const auto &smallest   = run.history.at("smallest_substep");
  double sum             = 0.;
  for (const double n : iterations)
    sum += n;
  return { sum / iterations.size(),
           *std::min_element(smallest.begin(), smallest.end()) / step };
}
} // namespace

// The bulk modulus is 5000 times the shear modulus: with the pressures of the
// iterates in the tangent these took hundreds of iterations and stopped.
TEST(HardSteps, NearlyIncompressibleBlockIsUpset)
{
  for (const std::string friction : { "0.3", "0.5", "5" })
  {
    const auto run = test::run_text<2>(
        upset(), { "Contact law rough/Friction=" + friction });
    EXPECT_EQ(run.history.at("time").back(), 1.) << friction;
    const auto needed = effort(run, 0.05);
    EXPECT_LE(needed.mean_iterations, 10.) << friction;
    EXPECT_GE(needed.smallest, 0.1) << friction;
    EXPECT_LT(relative(-run.history.at("base:reaction_y").back(),
                       run.history.at("top:force_y").back()),
              1e-6);
  }
}

TEST(HardSteps, IterationsDoNotGrowWithTheBulkModulus)
{
  double most = 0.;
  for (const std::string ratio : { "0.4", "0.49", "0.4999", "0.499999" })
  {
    const auto run =
        test::run_text<2>(upset(),
                          { "Material rubber/Poisson ratio=" + ratio,
                            "Contact law rough/Friction=5",
                            "Time/End=0.5" });
    const auto needed = effort(run, 0.05);
    most              = std::max(most, needed.mean_iterations);
    EXPECT_EQ(run.summary["newton"]["steps_cut"], 0) << ratio;
  }
  EXPECT_LE(most, 6.);
}

TEST(HardSteps, BlockIsCompressedTo40PerCent)
{
  for (const std::string points : { "nodes", "midpoints" })
  {
    const auto run =
        test::run_text<2>(upset(),
                          { "Material rubber/Poisson ratio=0.3",
                            "Body block/Mesh/Divisions=4, 4",
                            "Boundary condition left/Surfaces=block/bottom",
                            "Obstacle platen/Displacement=0; -0.6*t",
                            "Contact law rough/Friction=0.3",
                            "Interaction top/Candidates=block/top",
                            "Interaction top/Points=" + points,
                            "Time/Step=0.1" });
    EXPECT_EQ(run.history.at("time").back(), 1.) << points;
    if (points == "nodes")
    {
      EXPECT_LE(effort(run, 0.1).mean_iterations, 10.);
      EXPECT_EQ(run.summary["newton"]["steps_cut"], 0);
    }
  }
}

// Frames and feet of the contacts are part of the linearization.
TEST(HardSteps, CurvedBodiesSlideOverEachOther)
{
  std::vector<double> last;
  double iterations = 0.;
  unsigned int n    = 0;
  test::watch<2>(drag(),
                 {},
                 [&](const auto &simulation, double, double)
                 {
                   last = simulation.last_attempt().last.history;
                   iterations += simulation.last_attempt().last.iterations;
                   ++n;
                 });
  EXPECT_EQ(n, 20u);
  EXPECT_LE(iterations / n, 8.);
  // Linear convergence by a tenth at each iteration would not do.
  ASSERT_GE(last.size(), 2u);
  EXPECT_LT(last.back(), 0.03 * last[last.size() - 2]);
}

// Pressed by 20 and 30 % and dragged: the corner folds, and the side that comes
// to lie on the floor is a candidate by itself.
TEST(HardSteps, SoftBlocksArePressedAndDragged)
{
  for (const std::vector<std::string> &harder :
       { std::vector<std::string>{ "Boundary condition top/Value=if(t<1, 0, "
                                   "2*(t-1)); -0.3*min(t, 1)" },
         std::vector<std::string>{
             "Boundary condition top/Value=if(t<1, 0, 2*(t-1)); -0.2*min(t, 1)",
             "Body block/Mesh/Divisions=16, 8" } })
  {
    auto changes = harder;
    changes.push_back("Contact law dry/Friction=0.3");
    const auto run = test::run_text<2>(test::block(), changes);
    EXPECT_EQ(run.history.at("time").back(), 2.);
    const double N = run.history.at("base:force_y").back();
    EXPECT_GT(N, 0.5);
    // Most of it slides; what has just come down rolls.
    const double T = -run.history.at("base:force_x").back();
    EXPECT_LE(T, 0.3 * N * (1. + 1e-9));
    EXPECT_GT(T, 0.8 * 0.3 * N);
    EXPECT_LT(relative(T, run.history.at("top:reaction_x").back()), 1e-6);
    EXPECT_LT(relative(-N, run.history.at("top:reaction_y").back()), 1e-6);
    EXPECT_LT(run.summary["contact_solver"]["worst_penetration"].get<double>(),
              1e-7);
  }
}

// What cannot be carried ends soon, within the bounds that were set.
TEST(HardSteps, HopelessStepsEnd)
{
  for (const std::string bound :
       { "Newton/Smallest step=0.01", "Newton/Maximum step iterations=60" })
  {
    double smallest = 1.;
    std::string text;
    try
    {
      // The platen goes through the base.
      test::watch<2>(upset(),
                     { "Obstacle platen/Displacement=0; -1.2*t",
                       "Newton/Largest strain=0",
                       bound },
                     [&](const auto &, double, const double h)
                     { smallest = std::min(smallest, h); });
    }
    catch (const delassus::ComputationError &e)
    {
      text = e.what();
    }
    EXPECT_NE(text.find("failed down to h = "), std::string::npos) << text;
    if (bound.find("Maximum") != std::string::npos)
      EXPECT_NE(text.find("'Newton/Maximum step iterations'"),
                std::string::npos)
          << text;
    else
      EXPECT_GE(smallest, 0.05 * 0.01 * (1. - 1e-9));
  }
}
