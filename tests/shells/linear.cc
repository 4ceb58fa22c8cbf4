// Linear reference problems: deflections over their references.
#include "linear_cases.h"

#include <gtest/gtest.h>

using namespace shells;

namespace
{
const ShellFormulation formulations[4] = { { false, false },
                                           { true, false },
                                           { false, true },
                                           { true, true } };
const Distortion regular, random_nodes{ 0.25, false, false },
    graded{ 0., true, false }, mirrored{ 0., true, true };

/// Without tying and modes, with tying, with modes, with both: the last one is
/// the element.
double row(const std::string &name,
           const std::function<double(const ShellFormulation &)> &solve)
{
  double values[4];
  std::printf("%-46s", name.c_str());
  for (unsigned int k = 0; k < 4; ++k)
  {
    values[k] = solve(formulations[k]);
    std::printf(" %7.4f", values[k]);
  }
  std::printf("\n");
  return values[3];
}

/// Not below what was published for MITC4+ by more than this.
constexpr double published = 0.005;
} // namespace

TEST(Linear, ScordelisLo)
{
  EXPECT_GT(row("Scordelis-Lo, 16",
                [](const ShellFormulation &f)
                { return scordelis_lo(16, f, regular); }),
            0.9973 - published);
  EXPECT_GT(row("Scordelis-Lo, 16, graded",
                [](const ShellFormulation &f)
                { return scordelis_lo(16, f, graded); }),
            0.9942 - published);
  EXPECT_NEAR(row("Scordelis-Lo, 16, random",
                  [](const ShellFormulation &f)
                  { return scordelis_lo(16, f, random_nodes); }),
              1.,
              0.02);
}

TEST(Linear, PinchedCylinder)
{
  EXPECT_GT(row("pinched cylinder, 16",
                [](const ShellFormulation &f)
                { return pinched_cylinder(16, f, regular); }),
            0.9313 - published);
  row("pinched cylinder, 16, graded",
      [](const ShellFormulation &f)
      { return pinched_cylinder(16, f, graded); });
  row("pinched cylinder, 16, graded the other way",
      [](const ShellFormulation &f)
      { return pinched_cylinder(16, f, mirrored); });
  EXPECT_NEAR(row("pinched cylinder, 32",
                  [](const ShellFormulation &f)
                  { return pinched_cylinder(32, f, regular); }),
              1.,
              0.02);
  row("pinched cylinder, 32, graded",
      [](const ShellFormulation &f)
      { return pinched_cylinder(32, f, graded); });
}

TEST(Linear, Hemisphere)
{
  // Of a force of 1 and a thickness of 0.04; thickness^3 over force is kept.
  const auto solve =
      [](const unsigned int n, const Distortion &distortion, const bool thin)
  {
    return [=](const ShellFormulation &f)
    {
      return hemisphere(
                 n, f, distortion, thin ? 0.004 : 0.04, thin ? 1e-3 : 1.) /
             0.093;
    };
  };
  row("hemisphere, 8", solve(8, regular, false));
  EXPECT_GT(row("hemisphere, 16", solve(16, regular, false)),
            1.003 - published);
  EXPECT_GT(row("hemisphere, 16, graded", solve(16, graded, false)),
            0.9958 - published);
  EXPECT_NEAR(
      row("hemisphere, 16, random", solve(16, random_nodes, false)), 1., 0.02);
  EXPECT_GT(row("hemisphere, t/R = 4e-4, 16", solve(16, regular, true)),
            0.9834 - published);
  EXPECT_GT(row("hemisphere, t/R = 4e-4, 16, graded", solve(16, graded, true)),
            0.9736 - published);
  row("hemisphere, t/R = 4e-4, 16, random", solve(16, random_nodes, true));
}

TEST(Linear, TwistedBeam)
{
  const double references[2][2] = { { 0.9982, 0.9978 }, { 0.9973, 0.9971 } };
  for (const unsigned int n : { 2u, 8u })
    for (const bool thick : { true, false })
      for (const bool in_plane : { true, false })
      {
        const double value =
            row("twisted beam " + std::to_string(n) + " x " +
                    std::to_string(6 * n) + (thick ? ", thick" : ", thin") +
                    (in_plane ? ", in plane" : ", out of plane"),
                [=](const ShellFormulation &f)
                { return twisted_beam(n, 6 * n, f, in_plane, thick); });
        if (n == 8)
        {
          EXPECT_GT(value, references[thick][in_plane] - published);
        }
      }
}

// Kirchhoff's plate does not shear: 0.5 % of the deflection at this thickness.
TEST(Linear, ClampedPlate)
{
  EXPECT_NEAR(row("clamped plate, 16",
                  [](const ShellFormulation &f)
                  { return clamped_plate(16, f, regular); }),
              1.,
              0.02);
  EXPECT_NEAR(row("clamped plate, 16, random",
                  [](const ShellFormulation &f)
                  { return clamped_plate(16, f, random_nodes); }),
              1.,
              0.02);
}

TEST(Linear, HyperbolicParaboloid)
{
  EXPECT_GT(row("hyperbolic paraboloid 32 x 16, t = 1e-3",
                [](const ShellFormulation &f)
                { return hyperbolic_paraboloid(32, f, false); }),
            0.9762 - published);
  EXPECT_GT(row("hyperbolic paraboloid 16 x 8, t = 1e-4",
                [](const ShellFormulation &f)
                { return hyperbolic_paraboloid(16, f, true); }),
            0.9762 - published);
}

TEST(Linear, RaaschHook)
{
  EXPECT_GT(row("Raasch's hook, 8 x 72",
                [](const ShellFormulation &f) { return raasch_hook(8, f); }),
            0.9782 - published);
}
