// Exit codes and last lines of runs that reach their end but should not be
// trusted.
#include "run_program.h"

namespace
{
using namespace test;

/// A block that nothing holds against its traction.
const char *free_block = R"(
subsection Time
  set Scheme = quasi static
  set End = 0.2
  set Step = 0.1
end
subsection Material m
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Body b
  set Material = m
  subsection Mesh
    set Type = box
    set Size = 1, 1
  end
end
subsection Boundary condition push
  set Type = traction
  set Surfaces = b/right
  set Value = 1; 0
end
subsection Output
  set Interval steps = 0
end
)";

std::string last_line(const std::string &text)
{
  return text.substr(text.rfind('\n', text.size() - 2) + 1);
}

TEST_F(Program, RunsThatAreNotSolvedFailAtTheirEnd)
{
  write("free.prm", free_block);
  const auto failed = run("run free.prm --output a");
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(
      last_line(failed.out)
          .find("NOT TRUSTWORTHY: forces are out of balance in 2 of 2 steps"),
      0u)
      << failed.out;
  EXPECT_EQ(failed.error.find("delassus: error: NOT TRUSTWORTHY: forces are "),
            0u)
      << failed.error;
  expect_parts(read(folder / "a/summary.json"),
               { "\"completed\": true", "\"trustworthy\": false" });

  const auto accepted = run("run free.prm --output b --set 'Contact solver/If "
                            "not converged=go on'");
  EXPECT_EQ(accepted.exit_code, 0) << accepted.error;
  EXPECT_EQ(last_line(accepted.out).find("NOT TRUSTWORTHY: "), 0u)
      << accepted.out;
  expect_parts(read(folder / "b/summary.json"), { "\"trustworthy\": false" });

  const auto stopped = run("run free.prm --output c --set 'Contact solver/If "
                           "not converged=stop'");
  EXPECT_EQ(stopped.exit_code, 1);
  expect_parts(read(folder / "c/summary.json"), { "\"completed\": false" });
}

TEST_F(Program, ToolsOutOfReachAreWarnedOfBeforeTheRun)
{
  std::string text = free_block;
  text += R"(
subsection Boundary condition hold
  set Surfaces = b/left
end
subsection Obstacle ball
  set Type = sphere
  set Radius = 1
  set Point = 0.5, 60
end
subsection Contact law smooth
  set Type = frictionless
end
subsection Interaction press
  set Candidates = b/top
  set Antagonists = ball
  set Law = smooth
end
)";
  write("far.prm", text);
  const auto checked = run("check far.prm");
  EXPECT_EQ(checked.exit_code, 0) << checked.error;
  expect_parts(
      checked.out,
      { "warning: ", "'Obstacle ball'", "never comes nearer than 58" });
  const auto ran = run("run far.prm");
  EXPECT_EQ(ran.exit_code, 0) << ran.error;
  expect_parts(last_line(ran.out),
               { "Note: the interaction 'press' never had a closed contact" });
}
} // namespace
