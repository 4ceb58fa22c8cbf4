// Contact zones that will be too coarse are foreseen from prescribed motions.
#include "run_case.h"

#include <delassus/simulation/zone_forecast.h>

#include <gtest/gtest.h>

namespace
{
using namespace delassus;

template <int dim = 2>
std::string forecast(const std::string &text)
{
  const test::TemporaryDirectory directory;
  const auto input =
      read_parameters(test::write_case(directory, text),
                      { "Output/Directory=" + directory.path + "/run" });
  const Model<dim> model(input.values, MPI_COMM_SELF);
  std::string all;
  for (const auto &warning : ZoneForecast<dim>(model).warnings())
    all += warning + "\n";
  return all;
}

#define EXPECT_SAYS(text, part)                                                \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

const std::string begin = R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.1
end
subsection Material m
  set Density       = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Output
  set Interval steps = 0
end
)";

std::string body(const std::string &mesh)
{
  return "subsection Body b\n  set Material = m\n  subsection Mesh\n" + mesh +
         "\n  end\nend\n";
}

/// A block of 1 x 1 with nodes at a distance of 1/n along its top.
std::string block(const unsigned int n)
{
  return begin + body("set Type = box\n set Size = 1, 1\n set Divisions = " +
                      std::to_string(n) + ", 4");
}

std::string condition(const std::string &lines)
{
  return "subsection Boundary condition hold\n" + lines + "\nend\n";
}

const std::string fixed = condition("set Surfaces = b/bottom");

std::string tool(const std::string &lines,
                 const std::string &candidates = "b/top")
{
  return "subsection Obstacle tool\n" + lines +
         "\nend\nsubsection Interaction press\n  set Candidates = " +
         candidates +
         "\n  set Antagonists = tool\n  set Law = dry\n  set Points = nodes\n"
         "end\n";
}

/// A circle of radius 0.5 above the middle of the block's top, at height 1.
std::string circle(const std::string &more)
{
  return tool("set Type = sphere\n set Radius = 0.5\n set Point = 0.5, 1.5\n" +
              more);
}

/// Which goes down by @p d.
std::string pressed(const std::string &d)
{
  return circle("set Displacement = 0; -" + d + "*t");
}
} // namespace

TEST(ZoneForecast, CurvedTool)
{
  // Inside to sqrt(2 R d - d^2) = 0.14.
  const std::string coarse = forecast(block(10) + fixed + pressed("0.02"));
  EXPECT_SAYS(coarse, "'Interaction press', entry 'Candidates'");
  EXPECT_SAYS(coarse, "'b/top' on 'tool'");
  EXPECT_SAYS(coarse, "at most 3.0 points across");
  EXPECT_SAYS(coarse, "3 of 11 points around (0.5, 1) at t = 1");
  EXPECT_SAYS(coarse, "a factor of 1.7 or more");
  EXPECT_EQ(forecast(block(20) + fixed + pressed("0.02")), "");
  // 0.22: five points.
  EXPECT_EQ(forecast(block(10) + fixed + pressed("0.05")), "");
  // Not reached.
  EXPECT_EQ(forecast(block(10) + fixed +
                     circle("set Displacement = 0; 0.1 - 0.05*t")),
            "");
}

TEST(ZoneForecast, IsAnUpperBound)
{
  // The run has no more points than were foreseen: 5 of them, of which Hertz'
  // zone has about 0.22/sqrt(2): 3.
  const std::string text = block(10) + fixed + pressed("0.05");
  ASSERT_EQ(forecast(text), "");
  const auto results = test::run_text<2>(text);
  const auto closed  = results.history.at("press:stick").back() +
                      results.history.at("press:slip").back();
  EXPECT_LE(closed, 5.);
  EXPECT_GE(closed, 2.);
}

TEST(ZoneForecast, FlatPunch)
{
  const std::string punch = tool("set Type = box\n set Point = 0.38, 1\n set "
                                 "Size = 0.24, 0.5\n set Displacement = 0; "
                                 "-0.01*t");
  EXPECT_SAYS(forecast(block(10) + fixed + punch), "at most 3.0 points");
  EXPECT_EQ(forecast(block(40) + fixed + punch), "");
}

TEST(ZoneForecast, AtAPlaneOfSymmetryHalfAZoneIsSeen)
{
  const auto half = [](const unsigned int n)
  {
    return block(n) + fixed +
           tool("set Type = sphere\n set Radius = 0.5\n set Point = 0, 1.5\n "
                "set Displacement = 0; -0.02*t");
  };
  // Nodes at 0 and 0.1, and so at -0.1.
  EXPECT_SAYS(forecast(half(10)), "at most 3.0 points");
  EXPECT_SAYS(forecast(half(10)), "2 of 11 points");
  EXPECT_EQ(forecast(half(20)), "");
}

TEST(ZoneForecast, BodiesThatAreMoved)
{
  const std::string resting = circle("");
  EXPECT_SAYS(forecast(block(10) +
                       condition("set Type = displacement\n set Surfaces = "
                                 "b/bottom\n set Value = 0; 0.02*t") +
                       resting),
              "at most 3.0 points");
  EXPECT_SAYS(forecast(block(10) +
                       condition("set Type = velocity\n set Surfaces = "
                                 "b/bottom\n set Value = 0; 0.04*t") +
                       resting),
              "at most 3.0 points");
  // Curved candidates and a plane: of a disk of radius 1 that comes nearer by
  // 0.01 nodes are inside to sqrt(2 R d) = 0.14.
  const auto disk = [](const std::string &refinement)
  {
    return begin +
           body("set Type = half ball\n set Radius = 1\n set Ball divisions = "
                "2\n set Global refinement = " +
                refinement) +
           condition("set Type = displacement\n set Surfaces = b/flat\n set "
                     "Value = 0; -0.01*t") +
           tool("set Type = plane\n set Normal = 0, 1\n set Point = 0, -1",
                "b/sphere");
  };
  EXPECT_SAYS(forecast(disk("0")), "at most 1.0 points");
  EXPECT_EQ(forecast(disk("3")), "");
}

TEST(ZoneForecast, InSpace)
{
  const auto ball = [](const unsigned int n)
  {
    return "set Dimension = 3\n" + begin +
           body("set Type = box\n set Size = 1, 1, 1\n set Divisions = " +
                std::to_string(n) + ", " + std::to_string(n) + ", 2") +
           fixed +
           tool("set Type = sphere\n set Radius = 0.5\n set Point = 0.5, 0.5, "
                "1.5\n set Displacement = 0; 0; -0.02*t");
  };
  // Inside to 0.14: not the nodes across the diagonal, at 0.1414.
  EXPECT_SAYS(forecast<3>(ball(10)),
              "at most 3.0 points across it together, 5 of 121 points");
  EXPECT_EQ(forecast<3>(ball(20)), "");
}

TEST(ZoneForecast, NothingIsSaidOfWhatForcesDecide)
{
  const std::string coarse = pressed("0.02");
  // Bodies that are not held, or only in part.
  EXPECT_EQ(forecast(block(10) + coarse), "");
  EXPECT_EQ(forecast(block(10) +
                     condition("set Surfaces = b/bottom\n set Components = x") +
                     coarse),
            "");
  // That carry loads or are stretched.
  EXPECT_EQ(forecast(block(10) + fixed +
                     "subsection Boundary condition load\n  set Type = "
                     "pressure\n  set Surfaces = b/left\n  set Value = 1\n"
                     "end\n" +
                     coarse),
            "");
  EXPECT_EQ(forecast(block(10) + fixed +
                     "subsection Boundary condition load\n  set Type = "
                     "displacement\n  set Surfaces = b/left\n  set Components "
                     "= x\n  set Value = 0.1*t*y\nend\n" +
                     coarse),
            "");
  // Tools that are free, that rest, planes on flat faces.
  EXPECT_EQ(
      forecast(block(10) + fixed + circle("set Free = y\n set Force = 0; -t")),
      "");
  EXPECT_EQ(forecast(block(10) + fixed + circle("")), "");
  EXPECT_EQ(forecast(block(3) + fixed +
                     tool("set Type = plane\n set Normal = 0, -1\n set Point "
                          "= 0, 1\n set Displacement = 0; -0.01*t")),
            "");
}
