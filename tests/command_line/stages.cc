// Runs in stages by the program: what check tells, exit codes, resuming.
#include "run_program.h"

namespace
{
using namespace test;

class StagesByProgram : public Program
{
protected:
  static std::string case_with(const std::string &stages)
  {
    std::string text      = stack;
    const std::string end = "  set End  = 0.06\n";
    return text.erase(text.find(end), end.size()) + stages;
  }
};

const std::string two = R"(
subsection Stage settle
  set End = 0.02
end
subsection Stage slide
  set End          = 0.04
  set Step         = 2e-3
  set Interactions = base
  set At start     = zero velocity, write
end
)";

TEST_F(StagesByProgram, CheckRunAndResume)
{
  write("stack.prm", case_with(two));
  auto outcome = run("check stack.prm");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  expect_parts(outcome.out,
               { "stage 'settle': 20 steps of 0.001 from 0 to 0.02",
                 "stage 'slide': 10 steps of 0.002 from 0.02 to 0.04",
                 "interactions: joints, base",
                 "interactions: base",
                 "obstacles: ground",
                 "at start: zero velocity, write" });
  outcome = run("run stack.prm");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  expect_parts(outcome.out, { "stage 'slide' (2 of 2)" });

  // Finished; extended; and what may not be changed.
  outcome = run("run stack.prm --resume");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  expect_parts(outcome.out, { "is finished", "a further stage" });
  write("stack.prm",
        case_with(two + "subsection Stage on\n  set End = 0.05\nend\n"));
  outcome = run("run stack.prm --resume");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  expect_parts(read(folder / "results/stack/summary.json"), { "\"on\"" });
  outcome = run("run stack.prm --resume --set 'Stage settle/End=0.01'");
  EXPECT_EQ(outcome.exit_code, 2);
  expect_parts(outcome.error,
               { "'Stage settle/End' = '0.01'", "stages after" });
}

TEST_F(StagesByProgram, MistakesAreWrongInput)
{
  write("stack.prm", case_with(two));
  for (const std::string change :
       { "Stage slide/End=0.01",
         "Stage slide/Interactions=bas",
         "Stage slide/At start=release base, release base" })
  {
    const auto outcome = run("run stack.prm --set '" + change + "'");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    expect_parts(outcome.error, { "section 'Stage slide'", "--set" });
    EXPECT_FALSE(fs::exists(folder / "results"));
  }
}
} // namespace
