// Blocks that slide over joints and edges of others, without friction.
#include "run_case.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>

namespace
{
std::string box(const std::string &name,
                const std::string &origin,
                const std::string &size,
                const std::string &divisions,
                const std::string &more = "")
{
  return "subsection Body " + name +
         "\n  set Material = stone\n  set Mass = lumped\n" + more +
         "  subsection Mesh\n    set Type = box\n    set Origin = " + origin +
         "\n    set Size = " + size + "\n    set Divisions = " + divisions +
         "\n  end\nend\n";
}

std::string fixed(const std::string &body)
{
  return "subsection Boundary condition hold_" + body +
         "\n  set Surfaces = " + body + "/bottom\nend\n";
}

std::string scene(const int dim,
                  const std::string &bodies,
                  const std::string &antagonists,
                  const std::string &interaction)
{
  return std::string("set Dimension = ") + (dim == 2 ? "2" : "3") +
         "\nset Gravity = 0, " + (dim == 2 ? "" : "0, ") + R"(-10
subsection Time
  set End = 0.6
  set Step = 2e-3
end
subsection Material stone
  set Density = 2000
  set Young modulus = 1e9
  set Poisson ratio = 0.2
  set Rayleigh stiffness = 1e-4
end
subsection Contact law smooth
  set Type = frictionless
end
)" + bodies +
         R"(
subsection Interaction base
  set Candidates = slider
  set Antagonists = )" +
         antagonists + R"(
  set Law = smooth
)" + interaction +
         R"(
end
subsection Contact solver
  set Tolerance = 1e-9
end
subsection Output
  set Interval = 0
end
subsection Probe corner
  set Body = slider
  set Point = 0.1, )" +
         (dim == 2 ? "" : "0.1, ") + R"(0.5
end
)";
}
} // namespace

TEST(SlidingBlock, CrossesFacesAndTheJointOfTwoBlocks)
{
  // At 1 m/s from x = 0.1 to 0.7 over the joint at 0.5, and over the faces of
  // both blocks: nothing slows it down, at no moment.
  for (const char *interaction : { "  set Points = nodes",
                                   "  set Points = gauss",
                                   "  set Formulation = mortar",
                                   "  set Points = nodes\n  set Passes = 2" })
  {
    const auto run =
        test::run_text<2>(scene(2,
                                box("first", "0, 0", "0.5, 0.5", "5, 1") +
                                    box("second", "0.5, 0", "1, 0.5", "7, 1") +
                                    fixed("first") + fixed("second") +
                                    box("slider",
                                        "0.1, 0.5",
                                        "0.2, 0.1",
                                        "3, 1",
                                        "  set Initial velocity = 1; 0\n"),
                                "first, second",
                                interaction));
    const auto &v = run.history.at("corner:v_x");
    const auto &u = run.history.at("corner:u_y");
    for (std::size_t i = 0; i < v.size(); ++i)
    {
      EXPECT_NEAR(v[i], 1., 2e-3) << interaction << " step " << i;
      EXPECT_NEAR(u[i], 0., 1e-4) << interaction << " step " << i;
    }
    EXPECT_NEAR(run.history.at("corner:u_x").back(), 0.6, 1e-3) << interaction;
  }
}

TEST(SlidingBlock, CrossesTheJointInSpace)
{
  const auto run = test::run_text<3>(
      scene(3,
            box("first", "0, 0, 0", "0.5, 0.5, 0.5", "3, 2, 1") +
                box("second", "0.5, 0, 0", "1, 0.5, 0.5", "4, 2, 1") +
                fixed("first") + fixed("second") +
                box("slider",
                    "0.1, 0.1, 0.5",
                    "0.2, 0.2, 0.1",
                    "1, 1, 1",
                    "  set Initial velocity = 1; 0; 0\n"),
            "first, second",
            "  set Points = nodes"));
  for (const double v : run.history.at("corner:v_x"))
    EXPECT_NEAR(v, 1., 2e-3);
  for (const double u : run.history.at("corner:u_z"))
    EXPECT_NEAR(u, 0., 1e-4);
}

TEST(SlidingBlock, IsStoppedByARealStep)
{
  // The second block is higher by a tenth of the slider: it stops there.
  const auto run =
      test::run_text<2>(scene(2,
                              box("first", "0, 0", "0.5, 0.5", "5, 1") +
                                  box("second", "0.5, 0", "1, 0.51", "7, 1") +
                                  fixed("first") + fixed("second") +
                                  box("slider",
                                      "0.1, 0.5",
                                      "0.2, 0.1",
                                      "3, 1",
                                      "  set Initial velocity = 1; 0\n"),
                              "first, second",
                              "  set Points = nodes"));
  for (const double u : run.history.at("corner:u_x"))
    EXPECT_LT(u, 0.201); // the right side is 0.2 from the step
}

namespace
{
std::string message_of(const std::string &candidates,
                       const std::string &antagonists,
                       const std::string &more = "")
{
  try
  {
    test::run_text<2>(scene(2,
                            box("first", "0, 0", "0.5, 0.5", "1, 1") +
                                box("slider", "0, 0.5", "0.5, 0.5", "1, 1"),
                            antagonists,
                            more),
                      { "Interaction base/Candidates=" + candidates });
  }
  catch (const delassus::InputError &e)
  {
    return e.what();
  }
  return "";
}

void expect_parts(const std::string &text,
                  const std::vector<std::string> &parts)
{
  for (const auto &part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}
} // namespace

TEST(BadSurfaces, ThatNeverFaceEachOtherAreNamed)
{
  expect_parts(message_of("slider/bottom", "first/left"),
               { "Antagonists",
                 "'first/left' nowhere faces 'slider/bottom'",
                 "Was another surface meant?" });
  expect_parts(message_of("slider/top", "first/top"), { "first/top" });
  EXPECT_EQ(message_of("slider/bottom", "first/top"), "");
}

TEST(BadSurfaces, NothingForASecondPass)
{
  expect_parts(message_of("slider", "slider", "  set Passes = 2"),
               { "'Passes'", "contradictory", "second pass" });
}
