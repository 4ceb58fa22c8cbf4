// Rigid bodies in runs with stages: what needs a Newton loop in one stage and
// not in another, and bodies that are away.
#include "staged_case.h"

using namespace test;

namespace
{
/// A box on the floor; with the lines of the body, and stages.
std::string box_on_floor(const std::string &mass, const std::string &stages)
{
  return R"(
set Gravity = 0, -10
subsection Time
  set Scheme = quasi static
  set Step   = 0.5
end
subsection Rigid body box
  set Type  = box
  set Point = 0, 0
  set Size  = 0.4, 0.3
)" + mass +
         R"(
end
subsection Obstacle floor
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction c
  set Candidates  = box
  set Antagonists = floor
  set Law         = dry
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Output
  set Interval = 0
end
)" + stages;
}

/// The field data "stage" of a result file: codes of letters, and zero.
std::string stage_of_vtu(const std::string &file)
{
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  const std::string xml = text.str();
  const auto field      = xml.find("Name=\"stage\"");
  if (field == std::string::npos)
    return "none";
  std::istringstream codes(xml.substr(xml.find('>', field) + 1));
  std::string stage;
  for (unsigned int code; codes >> code && code > 0;)
    stage += static_cast<char>(code);
  return stage;
}

const char *slow_and_fast = R"(
subsection Stage slow
  set End = 1
end
subsection Stage fast
  set End    = 1.1
  set Scheme = dynamic
  set Step   = 0.01
end
)";
} // namespace

TEST(StagesOfRigidBodies, NewtonLoopsInOneStageOnly)
{
  // Quasi-statically a body that may turn needs the Newton loop, in dynamic
  // steps of the plane it does not.
  StagedCase run(box_on_floor("  set Density = 100", slow_and_fast));
  run.run<2>("run");
  run.run<2>("parts", false, 1.05);
  run.run<2>("parts", true);
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  const auto &n      = results.history.at("newton_iterations");
  ASSERT_EQ(n.size(), 12u);
  EXPECT_GE(n[1], 1.);
  for (unsigned int k = 2; k < 12; ++k)
    EXPECT_EQ(n[k], 0.);
  for (const double force : results.history.at("c:force_y"))
    EXPECT_NEAR(force, 120., 1e-4);
  EXPECT_TRUE(results.summary.contains("newton"));
  expect_same_staged_runs(run.path + "/run", run.path + "/parts");
}

TEST(StagesOfRigidBodies, InertiaOfALaterStage)
{
  // The mass alone: the carriers of contact are the same in a stage that has
  // no use for the inertia.
  StagedCase run(box_on_floor("  set Mass = 10", slow_and_fast));
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  for (const double force : results.history.at("c:force_y"))
    EXPECT_NEAR(force, 100., 1e-4);
}

TEST(StagesOfRigidBodies, ATumblingBodyThatIsAway)
{
  // In space: the Newton loop is the body's alone.
  const std::string text = R"(
set Dimension = 3
set Gravity   = 0, 0, -10
subsection Time
  set Step = 0.01
end
subsection Rigid body box
  set Type    = box
  set Size    = 0.4, 0.3, 0.2
  set Density = 10
end
subsection Obstacle floor
  set Normal = 0, 0, 1
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction c
  set Candidates  = box
  set Antagonists = floor
  set Law         = dry
end
subsection Stage there
  set End = 0.05
end
subsection Stage away
  set End   = 0.1
  set Tools = floor
end
subsection Stage back
  set End   = 0.15
  set Tools = all
end
subsection Output
  set Interval = 0
end
)";
  StagedCase run(text);
  run.run<3>("run");
  if (my_rank() != 0)
    return;
  const auto history = run.results("run").history;
  const auto &force  = history.at("c:force_z");
  ASSERT_EQ(force.size(), 15u);
  for (unsigned int k = 0; k < 15; ++k)
    EXPECT_NEAR(force[k], k / 5 == 1 ? 0. : 2.4, 1e-3) << k;
}

TEST(StagesOfRigidBodies, OneThatIsAwayIsNoCandidate)
{
  // The upper of two blocks falls through the place of the lower one while that
  // is away: no corner of the lower one holds it.
  const std::string text = R"(
set Gravity = 0, -10
subsection Time
  set Step = 0.001
end
subsection Rigid body lower
  set Type    = box
  set Point   = 0, 0
  set Size    = 1, 1
  set Density = 1000
end
subsection Rigid body upper
  set Type    = box
  set Point   = 0, 1
  set Size    = 1, 1
  set Density = 1000
end
subsection Obstacle floor
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction all
  set Candidates  = rigid bodies
  set Antagonists = rigid bodies, floor
  set Law         = dry
end
subsection Stage stack
  set End = 0.02
end
subsection Stage fall
  set End   = 0.12
  set Tools = upper, floor
end
subsection Output
  set Interval steps = 20
end
)";
  StagedCase run(text);
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  const auto &h      = results.history;
  EXPECT_NEAR(h.at("upper:u_y")[19], 0., 1e-6);
  EXPECT_NEAR(h.at("upper:v_y").back(), -10. * 0.1, 1e-6);
  EXPECT_EQ(h.at("lower:v_y").back(), 0.);
  EXPECT_EQ(h.at("all:normal_force").back(), 0.);
  // At rest nothing is created.
  EXPECT_TRUE(results.summary["trustworthy"]) << results.summary["reasons"];
  // All result files tell the stage.
  for (const char *kind : { "solution", "contact", "blocks", "obstacles" })
    for (const auto &[number, stage] :
         { std::pair<const char *, const char *>("000020", "stack"),
           std::pair<const char *, const char *>("000100", "fall") })
      EXPECT_EQ(
          stage_of_vtu(run.path + "/run/vtu/" + kind + "_" + number + ".vtu"),
          stage)
          << kind;
}

TEST(StagesOfRigidBodies, AToolThatTurnsHasItsColumnsWhileItIsAway)
{
  const std::string text = R"(
set Gravity = 0, -10
subsection Time
  set Scheme = quasi static
  set Step   = 0.5
end
subsection Material a
  set Density       = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.2
end
subsection Body base
  set Material = a
  subsection Mesh
    set Type      = box
    set Size      = 2, 0.5
    set Divisions = 8, 2
  end
end
subsection Boundary condition b
  set Type     = fixed
  set Surfaces = base/bottom
end
subsection Obstacle lid
  set Type   = box
  set Point  = 0.8, 0.5
  set Size   = 0.4, 0.3
  set Center = 1, 0.65
  set Free   = y, rotation
  set Force  = 0; -100
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction c
  set Candidates  = base/top
  set Antagonists = lid
  set Law         = dry
  set Points      = nodes
end
subsection Stage press
  set End = 1
end
subsection Stage gone
  set End   = 2
  set Tools = none
end
subsection Output
  set Interval = 0
end
)";
  StagedCase run(text);
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto h = run.results("run").history;
  ASSERT_EQ(h.at("lid:tool_angle").size(), 4u);
  EXPECT_NEAR(h.at("c:force_y")[1], -100., 1e-3);
  EXPECT_EQ(h.at("c:force_y")[3], 0.);
  EXPECT_EQ(h.at("lid:tool_spin")[3], 0.);
  EXPECT_EQ(h.at("lid:tool_angle")[3], h.at("lid:tool_angle")[2]);
}
