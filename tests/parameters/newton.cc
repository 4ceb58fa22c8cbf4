// The section Newton: what contradicts itself or has no effect.
#include "good_file.h"

using namespace delassus;

namespace
{
/// The good file with a plastic material and these lines after its time.
std::string newton_file(const std::string &lines,
                        const std::string &material =
                            "  set Model = J2\n  set Yield stress = 1e3\n",
                        const std::string &time = "")
{
  std::string text   = with("  set Poisson ratio = 0.3\n",
                          "  set Poisson ratio = 0.3\n" + material);
  const auto at      = text.find("  set Step = 1e-3\n");
  const auto end     = text.find("end\n", at) + 4;
  std::string result = text.substr(0, end);
  result.insert(at, time);
  return result + "subsection Newton\n" + lines + "end\n" + text.substr(end);
}

void expect_error(const std::string &text,
                  const std::vector<std::string> &parts)
{
  const ScratchDirectory scratch;
  try
  {
    read_parameters(scratch.write("wall.prm", text));
    FAIL() << text;
  }
  catch (const InputError &e)
  {
    expect_parts(e.what(), parts);
  }
}
} // namespace

TEST(NewtonSection, IsRead)
{
  const ScratchDirectory scratch;
  const auto parsed  = read_parameters(scratch.write(
      "wall.prm",
      newton_file("  set Matrix = frozen\n  set Frozen steps = 7\n"
                   "  set Tolerance = 1e-6\n  set Largest slip = 3\n")));
  const auto &newton = parsed.values.newton;
  EXPECT_TRUE(parsed.warnings.empty());
  EXPECT_EQ(newton.matrix, CorrectingMatrix::frozen);
  EXPECT_EQ(newton.frozen_steps, 7u);
  EXPECT_EQ(newton.tolerance, 1e-6);
  EXPECT_EQ(newton.largest_slip, 3.);
}

TEST(NewtonSection, MistakesAreNamed)
{
  expect_error(newton_file("  set Matrix = fulll\n"),
               { "'Newton'", "'Matrix' = 'fulll'", "full, step" });
  expect_error(newton_file("  set Tolerance = 2\n"),
               { "'Tolerance' = '2'", "between 0 and 1" });
  expect_error(newton_file("  set Frozen steps = 3\n"),
               { "'Frozen steps' = '3'", "Matrix = full" });
  expect_error(newton_file("  set Matrix = lumped\n",
                           "  set Model = J2\n  set Yield stress = 1e3\n",
                           "  set Scheme = quasi static\n"),
               { "'Matrix' = 'lumped'", "quasi static" });
  expect_error(newton_file("  set Matrix = explicit\n",
                           "  set Model = J2\n  set Yield stress = 1e3\n",
                           "  set Theta = 0.5\n"),
               { "'Matrix' = 'explicit'", "Theta = 1" });
  expect_error(newton_file("  set Matrix = explicit\n  set Tolerance = 1e-3\n"),
               { "'Tolerance' = '1e-3'", "no Newton loop" });
  expect_error(newton_file("  set Matrix = lumped\n"
                           "  set Maximum step iterations = 10\n"),
               { "'Maximum step iterations' = '10'", "bound on the step" });
  expect_error(newton_file("  set Tolerance = 1e-6\n",
                           "  set Model = neo-Hookean\n"
                           "  set Rayleigh stiffness = 1e-3\n"),
               { "'Rayleigh stiffness' = '1e-3'", "linear elastic" });
}

TEST(NewtonSection, WithoutEffectIsTold)
{
  const ScratchDirectory scratch;
  const auto parsed = read_parameters(
      scratch.write("wall.prm", newton_file("  set Tolerance = 1e-6\n", "")));
  ASSERT_EQ(parsed.warnings.size(), 1u);
  expect_parts(parsed.warnings[0], { "Newton", "without effect" });
}
