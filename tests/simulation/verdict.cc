// What a run that has reached its end says of itself: steps that were not
// solved, energy out of nothing, bodies beyond their theory, contact that is
// missing or not resolved.
#include "run_case.h"

#include <delassus/base/exceptions.h>
#include <delassus/simulation/energy_watch.h>

#include <gtest/gtest.h>

namespace
{
using namespace delassus;

struct Outcome
{
  test::Results results;
  std::string error, log;
  bool has_checkpoint = false;

  std::string all(const char *list) const
  {
    std::string text;
    for (const std::string item : results.summary[list])
      text += item + "\n";
    return text;
  }
};

Outcome run(const std::string &text, std::vector<std::string> overrides = {})
{
  const test::TemporaryDirectory directory;
  const std::string where = directory.path + "/run";
  overrides.push_back("Output/Directory=" + where);
  RunOptions options;
  options.quiet = true;
  Outcome outcome;
  {
    Simulation<2> simulation(
        read_parameters(test::write_case(directory, text), overrides),
        options,
        MPI_COMM_SELF);
    try
    {
      simulation.run();
    }
    catch (const ComputationError &e)
    {
      outcome.error = e.what();
    }
  }
  outcome.results.history = test::read_csv(where + "/history.csv");
  std::ifstream(where + "/summary.json") >> outcome.results.summary;
  std::stringstream log;
  log << std::ifstream(where + "/log.txt").rdbuf();
  outcome.log            = log.str();
  outcome.has_checkpoint = std::filesystem::exists(where + "/checkpoint.bin");
  return outcome;
}

#define EXPECT_SAYS(text, part)                                                \
  EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_SAYS_NOT(text, part)                                            \
  EXPECT_EQ((text).find(part), std::string::npos) << (text)

std::string last_line(const std::string &text)
{
  // Date and time stand before each message.
  const auto begin = text.rfind('\n', text.size() - 2);
  return text.substr(begin + 1 + std::string("2026-01-01 00:00:00  ").size());
}

/// A block of 1 x 1, with or without boundary conditions, tools and so on.
std::string block(const std::string &time,
                  const std::string &more,
                  const std::string &of_body = "",
                  const std::string &cells   = "set Divisions = 4, 4")
{
  return "subsection Time\n" + time + R"(
end
subsection Material m
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Body b
  set Material = m
)" + of_body +
         "\nsubsection Mesh\n set Type = box\n set Size = 1, 1\n" + cells + R"(
  end
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Output
  set Interval steps = 0
end
)" + more;
}

const std::string quasi_static = "set Scheme = quasi static\n set End = 1\n"
                                 "set Step = 0.1\n";

const std::string fixed_bottom = R"(
subsection Boundary condition fix
  set Surfaces = b/bottom
end
)";

std::string tool(const std::string &lines)
{
  return "subsection Obstacle tool\n" + lines + R"(
end
subsection Interaction press
  set Candidates = b/top
  set Antagonists = tool
  set Law = dry
  set Points = nodes
end
)";
}

std::string ground(const std::string &y)
{
  return "subsection Obstacle ground\n  set Normal = 0, 1\n  set Point = 0, " +
         y + R"(
end
subsection Interaction base
  set Candidates = b/bottom
  set Antagonists = ground
  set Law = dry
  set Points = nodes
end
)";
}

std::string pinch(const std::string &depth)
{
  return block(quasi_static,
               fixed_bottom +
                   tool("  set Type = plane\n  set Point = 0, 1\n  set Normal "
                        "= 0, -1\n  set Displacement = 0; -" +
                        depth + "*t"));
}

// Nothing holds the block against the traction.
TEST(Verdict, ForcesOutOfBalanceFailTheRunAtItsEnd)
{
  const std::string text = block(quasi_static, R"(
subsection Boundary condition push
  set Type = traction
  set Surfaces = b/right
  set Value = 1; 0
end
)");
  const auto failed      = run(text);
  EXPECT_SAYS(failed.error, "NOT TRUSTWORTHY: forces are out of balance");
  EXPECT_SAYS(failed.error, "in 10 of 10 steps, the first at t = 0.1");
  EXPECT_SAYS(failed.error, "reached t = 1");
  const auto &summary = failed.results.summary;
  EXPECT_TRUE(summary["completed"]);
  EXPECT_FALSE(summary["trustworthy"]);
  EXPECT_SAYS(failed.all("reasons"), "out of balance");
  EXPECT_EQ(summary["steps"], 10);
  for (const double converged : failed.results.history.at("converged"))
    EXPECT_EQ(converged, 0.);
  EXPECT_EQ(last_line(failed.log).find("NOT TRUSTWORTHY: "), 0u) << failed.log;

  const auto accepted = run(text, { "Contact solver/If not converged=go on" });
  EXPECT_EQ(accepted.error, "");
  EXPECT_TRUE(accepted.results.summary["completed"]);
  EXPECT_FALSE(accepted.results.summary["trustworthy"]);
  EXPECT_EQ(last_line(accepted.log).find("NOT TRUSTWORTHY: "), 0u);

  // Held, it is as it should be.
  const auto good = run(text + R"(
subsection Boundary condition hold
  set Surfaces = b/left
end
)");
  EXPECT_EQ(good.error, "");
  EXPECT_TRUE(good.results.summary["trustworthy"]) << good.results.summary;
  EXPECT_TRUE(good.results.summary["reasons"].empty());
  EXPECT_TRUE(good.results.summary["remarks"].empty());
}

// A lid that is sheared through friction needs more than two sweeps.
TEST(Verdict, ContactLoopsThatDoNotConvergeFailTheRunAtItsEnd)
{
  const std::string text =
      block(quasi_static,
            fixed_bottom +
                tool("  set Type = plane\n  set Point = 0, 1\n  set Normal = "
                     "0, -1\n  set Displacement = 0.01*t; -0.01*t"));
  const std::vector<std::string> early = { "Contact solver/Maximum sweeps=1",
                                           "Contact solver/Tolerance=1e-13",
                                           "Contact solver/Solver=Gauss-"
                                           "Seidel" };
  const auto failed                    = run(text, early);
  EXPECT_SAYS(failed.error, "the contact loop did not converge in 10 of 10");
  EXPECT_FALSE(failed.results.summary["trustworthy"]);
  EXPECT_FALSE(failed.results.summary["contact_solver"]["converged"]);
  for (const double converged : failed.results.history.at("converged"))
    EXPECT_EQ(converged, 0.);

  auto go_on = early;
  go_on.push_back("Contact solver/If not converged=go on");
  const auto accepted = run(text, go_on);
  EXPECT_EQ(accepted.error, "");
  EXPECT_FALSE(accepted.results.summary["trustworthy"]);

  const auto good = run(text);
  EXPECT_EQ(good.error, "");
  EXPECT_TRUE(good.results.summary["trustworthy"]);
}

TEST(Verdict, BlocksPressedFlatAreStopped)
{
  const auto stopped = run(pinch("1.5"));
  EXPECT_SAYS(stopped.error, "body 'b': the cell at (");
  EXPECT_SAYS(stopped.error, "times its area");
  EXPECT_SAYS(stopped.error, "strain 0.");
  EXPECT_SAYS(stopped.error, "The last good state, of t = 0.3");
  EXPECT_SAYS(stopped.error, "--resume");
  EXPECT_TRUE(stopped.has_checkpoint);
  EXPECT_FALSE(stopped.results.summary["completed"]);
  EXPECT_FALSE(stopped.results.summary["trustworthy"]);
  EXPECT_EQ(stopped.results.summary["steps"], 3);
  EXPECT_EQ(stopped.results.summary["states"].back()["step"], 3);
  // It was said when it began.
  EXPECT_SAYS(stopped.log,
              "Warning: body 'b' leaves the theory of small strains and "
              "rotations at t = 0.1: strain 0.");

  const auto all = run(pinch("1.5"), { "Checks/If distorted=go on" });
  EXPECT_EQ(all.error, "");
  EXPECT_TRUE(all.results.summary["completed"]);
  EXPECT_FALSE(all.results.summary["trustworthy"]);
  EXPECT_SAYS(all.all("reasons"), "is turned inside out");

  // Beyond the bound, but whole: told. Below: nothing.
  const auto bent = run(pinch("0.1"));
  EXPECT_EQ(bent.error, "");
  EXPECT_TRUE(bent.results.summary["trustworthy"]);
  EXPECT_SAYS(bent.all("remarks"), "has left the theory of small strains");
  EXPECT_SAYS(bent.all("remarks"), "Checks/Small strain = 0.05");
  const auto little = run(pinch("0.01"));
  EXPECT_TRUE(little.results.summary["remarks"].empty())
      << little.all("remarks");
  const auto allowed = run(
      pinch("0.1"), { "Checks/Small strain=0.3", "Checks/Small rotation=0.3" });
  EXPECT_TRUE(allowed.results.summary["remarks"].empty());
}

// A block that turns grows in this theory: 1 + a^2 times its area.
TEST(Verdict, BlocksThatTurnAreStoppedBeforeTheyDouble)
{
  for (const std::string cells : { "set Cells = 8 T3", "set Divisions = 2, 2" })
  {
    const auto stopped = run(block("set End = 2\n set Step = 0.01",
                                   "",
                                   "  set Initial velocity = -(y-0.5); x-0.5\n",
                                   cells));
    EXPECT_SAYS(stopped.error, "times its area, rotation 1");
    EXPECT_SAYS(stopped.log, "leaves the theory");
    // Looked at in every tenth step.
    EXPECT_NEAR(stopped.results.summary["time"].get<double>(), 1., 0.11);
  }
}

TEST(Verdict, ImpactsThatTheSchemeDampsAreTold)
{
  const std::string text = block("set End = 0.2\n set Step = 5e-3",
                                 ground("-0.001"),
                                 "  set Initial velocity = 0; -0.1\n");
  const auto damped      = run(text);
  EXPECT_EQ(damped.error, "");
  EXPECT_TRUE(damped.results.summary["trustworthy"]) << damped.all("reasons");
  EXPECT_SAYS(damped.all("remarks"), "the scheme has dissipated 0.");
  EXPECT_SAYS(damped.all("remarks"), "Time/Theta = 0.5");
  EXPECT_SAYS(last_line(damped.log), "the scheme has dissipated 0.");
  const double share =
      damped.results.summary["energy"]["numerical_share"].get<double>();
  EXPECT_GT(share, 0.13);
  EXPECT_LT(share, 0.9);
  const auto asked = run(text, { "Checks/Numerical dissipation=1" });
  EXPECT_TRUE(asked.results.summary["remarks"].empty());
  const auto kept = run(text, { "Time/Theta=0.5" });
  EXPECT_TRUE(kept.results.summary["remarks"].empty()) << kept.all("remarks");
  EXPECT_TRUE(kept.results.summary["trustworthy"]) << kept.all("reasons");
}

// What overlaps at the start is pushed out at the speed depth / h.
TEST(Verdict, ContactThatCreatesEnergyIsTold)
{
  const std::string text = block(
      "set End = 0.02\n set Step = 1e-3\n set Theta = 0.5", ground("0.01"));
  const auto pushed = run(text);
  EXPECT_EQ(pushed.error, "");
  EXPECT_FALSE(pushed.results.summary["trustworthy"]);
  EXPECT_SAYS(pushed.all("reasons"), "contact has created ");
  EXPECT_GT(pushed.results.summary["energy"]["created_by_contact_share"]
                .get<double>(),
            0.5);
}

TEST(Verdict, UnexplainedEnergyIsToldAndFailsTheRun)
{
  const auto judged =
      [](const double residual, const bool nonlinear, const double floor = 0.)
  {
    // A load does the work 1 in ten steps; a part of it gets lost.
    EnergyWatch watch;
    for (unsigned int i = 0; i < 10; ++i)
    {
      StepTotals step;
      step.energy_before   = 0.1 * i * (1. - residual);
      step.energy.elastic  = 0.1 * (i + 1) * (1. - residual);
      step.energy.external = 0.1;
      watch.add_step(step);
    }
    Parameters parameters;
    Verdict verdict;
    watch.judge(parameters, nonlinear, false, floor, verdict);
    return verdict;
  };
  EXPECT_TRUE(judged(1e-9, false).trustworthy());
  EXPECT_FALSE(judged(1e-5, false).trustworthy());
  EXPECT_FALSE(judged(1e-5, false).failed);
  EXPECT_FALSE(judged(1e-5, true).trustworthy());
  EXPECT_TRUE(judged(0.5, false).failed);
  EXPECT_SAYS(judged(0.5, true).doubts(), "NOT TRUSTWORTHY: 0.5 of the energy");
  // Nothing against what bodies at rest would gain in a step of free fall.
  EXPECT_TRUE(judged(0.5, false, 1e8).trustworthy());
}

TEST(Verdict, ToolsThatNeverTouchAreTold)
{
  const auto with_point = [](const std::string &point)
  {
    return block(quasi_static,
                 fixed_bottom +
                     tool("  set Type = sphere\n  set Radius = "
                          "0.5\n  set Point = " +
                          point + "\n  set Displacement = 0; -0.01*t"));
  };
  const auto far = run(with_point("0.5, 9"));
  EXPECT_SAYS(far.log, "never comes nearer than 7.49 to its candidates");
  EXPECT_SAYS(far.all("remarks"), "'press' never had a closed contact");
  EXPECT_SAYS(far.all("remarks"), "'tool'");
  EXPECT_SAYS(last_line(far.log), "'press' never had a closed contact");
  // Near, but not near enough: only the end shows it.
  const auto near = run(with_point("0.5, 1.6"));
  EXPECT_SAYS_NOT(near.log, "Warning");
  EXPECT_SAYS(near.all("remarks"), "'press' never had a closed contact");
  const auto touching = run(with_point("0.5, 1.5"));
  EXPECT_SAYS_NOT(touching.all("remarks"), "never");
}

TEST(Verdict, OneOfSeveralToolsThatNeverTouchesIsTold)
{
  std::string text = block(
      quasi_static,
      fixed_bottom +
          tool("  set Type = plane\n  set Point = 0, 1\n  set Normal "
               "= 0, -1\n  set Displacement = 0; -0.001*t") +
          "subsection Obstacle other\n  set Type = plane\n  set Point = 0, 2\n"
          "  set Normal = 0, -1\nend\n");
  const std::string one = "set Antagonists = tool";
  text.replace(text.find(one), one.size(), "set Antagonists = tool, other");
  const auto outcome = run(text);
  EXPECT_SAYS(outcome.all("remarks"), "'other' never touched anything");
  EXPECT_SAYS_NOT(outcome.all("remarks"), "'tool'");
  EXPECT_SAYS_NOT(outcome.all("remarks"), "coarse");
}

TEST(Verdict, ContactZonesThatAreTooCoarseAreTold)
{
  const auto pressed = [](const std::string &divisions)
  {
    return block(quasi_static,
                 fixed_bottom +
                     tool("  set Type = sphere\n  set Radius = 0.5\n  set "
                          "Point = 0.5, 1.5\n  set Displacement = 0; "
                          "-0.005*t"),
                 "",
                 "set Divisions = " + divisions);
  };
  const auto coarse = run(pressed("10, 5"));
  EXPECT_EQ(coarse.error, "");
  EXPECT_SAYS(coarse.all("remarks"), "'b/top' on 'tool' (interaction 'press')");
  EXPECT_SAYS(coarse.all("remarks"), "of 11 points around (0.5, 1)");
  const auto fine = run(pressed("80, 20"));
  EXPECT_TRUE(fine.results.summary["remarks"].empty()) << fine.all("remarks");
  // A face that touches as a whole has as many points as it has.
  const auto full = run(pinch("0.01"));
  EXPECT_TRUE(full.results.summary["remarks"].empty()) << full.all("remarks");
}
} // namespace
