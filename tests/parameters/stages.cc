// Sections 'Stage NAME'.
#include "good_file.h"

using namespace delassus;

namespace
{
/// The good file with these stages instead of Time/End.
std::string staged(const std::string &stages)
{
  return with("  set End  = 0.1\n", "") + R"(
subsection Boundary condition weight
  set Type     = pressure
  set Surfaces = wall/top
  set Value    = 10
end
)" + stages;
}

const std::string hold = R"(
subsection Stage hold
  set End = 0.1
end
)";

/// Lines of a second stage, and what is told of them.
struct Mistake
{
  std::string name, lines, at;
  std::vector<std::string> parts;
};

void PrintTo(const Mistake &mistake, std::ostream *out)
{
  *out << mistake.name;
}

class StageMistakes : public testing::TestWithParam<Mistake>
{
};

TEST_P(StageMistakes, AreReportedWithTheirPlace)
{
  const ScratchDirectory scratch;
  const auto &mistake = GetParam();
  const std::string text =
      staged(hold + "\nsubsection Stage draw\n" + mistake.lines + "\nend\n");
  const std::string file = scratch.write("wall.prm", text);
  auto parts             = mistake.parts;
  parts.push_back(file + ":" + std::to_string(line_of(mistake.at, text)) + ":");
  parts.push_back("section 'Stage draw");
  expect_parts(message_of(file), parts);
}

const std::string end = "set End = 0.2\n";

INSTANTIATE_TEST_SUITE_P(
    All,
    StageMistakes,
    testing::Values(
        Mistake{ "no_end",
                 "set Step = 1e-3",
                 "subsection Stage draw",
                 { "'End' = ''", "must be given" } },
        Mistake{ "ends_before_it_begins",
                 "set End = 0.05",
                 "set End = 0.05",
                 { "'End' = '0.05'",
                   "ends before it begins",
                   "more than 0.1",
                   "'Stage hold'" } },
        Mistake{ "ends_where_it_begins",
                 "set End = 1e-1",
                 "set End = 1e-1",
                 { "ends before it begins" } },
        Mistake{ "long_step",
                 end + "set Step = 0.3",
                 "set Step = 0.3",
                 { "'Step' = '0.3'", "longer than the stage", "up to 0.1" } },
        Mistake{ "short_step",
                 end + "set Step = 1e-12",
                 "set Step = 1e-12",
                 { "'Step' = '1e-12'", "steps up to here" } },
        Mistake{ "entry",
                 end + "set Stepp = 0.3",
                 "set Stepp = 0.3",
                 { "unknown entry", "'Step'" } },
        Mistake{ "scheme",
                 end + "set Scheme = static",
                 "set Scheme = static",
                 { "'Scheme' = 'static'", "dynamic, quasi static" } },
        Mistake{ "theta_of_equilibria",
                 end + "set Scheme = quasi static\nset Theta = 0.5",
                 "set Theta = 0.5",
                 { "'Theta' = '0.5'", "Scheme = dynamic" } },
        Mistake{ "fictitious_mass",
                 end + "set Fictitious mass = 0.5",
                 "set Fictitious mass = 0.5",
                 { "Scheme = quasi static" } },
        Mistake{ "no_such_condition",
                 end + "set Boundary conditions = pusch",
                 "set Boundary conditions = pusch",
                 { "'Boundary conditions' = 'pusch'",
                   "there is no boundary condition 'pusch'",
                   "Did you mean 'push'?" } },
        Mistake{ "no_such_interaction",
                 end + "set Interactions = bas, joints",
                 "set Interactions = bas, joints",
                 { "there is no interaction 'bas'", "Did you mean 'base'?" } },
        Mistake{ "no_such_tool",
                 end + "set Tools = grund",
                 "set Tools = grund",
                 { "there is no obstacle or rigid body 'grund'",
                   "Did you mean 'ground'?" } },
        Mistake{ "all_and_more",
                 end + "set Interactions = all, base",
                 "set Interactions = all, base",
                 { "'all' beside other names", "allowed: 'all' alone" } },
        Mistake{ "none_and_more",
                 end + "set Tools = ground, none",
                 "set Tools = ground, none",
                 { "'none' beside other names" } },
        Mistake{ "name_twice",
                 end + "set Interactions = base, base",
                 "set Interactions = base, base",
                 { "'base' is given twice" } },
        Mistake{ "no_such_action",
                 end + "set At start = zero velocities",
                 "set At start = zero velocities",
                 { "'At start' = 'zero velocities'",
                   "allowed: zero velocity, release NAME, write, checkpoint",
                   "Did you mean 'zero velocity'?" } },
        Mistake{ "release_nobody",
                 end + "set At start = release",
                 "set At start = release",
                 { "Release which one?" } },
        Mistake{ "release_what_is_not_there",
                 end + "set At start = release puhs",
                 "set At start = release puhs",
                 { "there is no boundary condition or interaction 'puhs'",
                   "Did you mean 'push'?" } },
        Mistake{ "release_twice",
                 end + "set At start = release push, write, release push",
                 "set At start = release push, write, release push",
                 { "'push' is released twice" } },
        Mistake{ "release_a_load",
                 end + "set At start = release weight",
                 "set At start = release weight",
                 { "'weight' is a load", "fixed, displacement or velocity" } },
        Mistake{ "release_and_hold",
                 end + "set Boundary conditions = push\n"
                       "set At start = release push",
                 "set Boundary conditions = push",
                 { "'push' is released", "contradictory" } },
        Mistake{ "rest_of_equilibria",
                 end + "set Scheme = quasi static\n"
                       "set At start = zero velocity",
                 "set At start = zero velocity",
                 { "begins at rest", "release NAME, write, checkpoint" } },
        Mistake{ "newton_entry",
                 end + "subsection Newton\nset Tolerance = 2\nend",
                 "set Tolerance = 2",
                 { "section 'Stage draw/Newton'",
                   "'Tolerance' = '2'",
                   "between 0 and 1" } },
        Mistake{ "matrix_of_mass",
                 end + "set Scheme = quasi static\n"
                       "subsection Newton\nset Matrix = lumped\nend",
                 "set Matrix = lumped",
                 { "section 'Stage draw/Newton'", "made of the mass" } }),
    [](const auto &info) { return info.param.name; });

TEST(Stages, OtherMistakes)
{
  const ScratchDirectory scratch;
  const auto message = [&](const std::string &text)
  { return message_of(scratch.write("wall.prm", text)); };
  // Ends of two kinds, and none.
  expect_parts(message(std::string(good_file) + hold),
               { "section 'Time', entry 'End'", "End of its own" });
  expect_parts(message(staged("subsection Stage hold\nend\n")),
               { "section 'Stage hold', entry 'End'", "must be given" });
  // Nothing to release in the first, and again what is gone.
  expect_parts(message(staged("subsection Stage hold\n  set End = 0.1\n"
                              "  set At start = release push\nend\n")),
               { "'push' has held nothing before the first stage" });
  const std::string next  = "subsection Stage draw\n  set End = 0.2\n"
                            "  set At start = release push\nend\n";
  const std::string third = "subsection Stage rest\n  set End = 0.3\n"
                            "  set At start = release push\nend\n";
  expect_parts(message(staged(hold + next + third)),
               { "section 'Stage rest', entry 'At start' = 'release push'",
                 "released twice",
                 "'Stage draw'",
                 "active again" });
  expect_parts(message(staged("subsection Stage hold\n  set End = 0.1\n"
                              "  set Boundary conditions = weight\nend\n" +
                              next)),
               { "'push' is not active in 'Stage hold'", "allowed: weight" });
  // A first stage without inertia.
  auto moving                = staged("subsection Stage hold\n  set End = 0.1\n"
                                      "  set Scheme = quasi static\nend\n"
                                      "subsection Stage draw\n  set End = 0.2\nend\n");
  const std::string material = "  set Material = stone\n";
  moving.replace(moving.find(material),
                 material.size(),
                 material + "  set Initial velocity = 1; 0\n");
  expect_parts(message(moving),
               { "'Initial velocity' = '1; 0'", "'Stage hold', the first" });
  // Two that drive the same, together and one after the other.
  const std::string twice = "subsection Boundary condition back\n"
                            "  set Type = fixed\n  set Surfaces = wall/left\n"
                            "  set Components = x\nend\n";
  expect_parts(message(staged(twice + hold)), { "prescribed by", "push" });
  EXPECT_NO_THROW(read_parameters(scratch.write(
      "wall.prm",
      staged(twice + "subsection Stage hold\n  set End = 0.1\n"
                     "  set Boundary conditions = push\nend\n"
                     "subsection Stage back\n  set End = 0.2\n"
                     "  set Boundary conditions = back\nend\n"))));
  // The order of the list counts.
  expect_parts(message(staged("set Stages = draw, hold\n" + hold + next)),
               { "section 'Stage draw'", "first stage" });
}

TEST(Stages, HaveWhatTheyDoNotSayFromOthers)
{
  const ScratchDirectory scratch;
  const auto parsed = read_parameters(scratch.write("wall.prm", staged(R"(
subsection Newton
  set Tolerance = 1e-7
end
subsection Stage hold
  set End    = 0.1
  set Scheme = quasi static
end
subsection Stage draw
  set End      = 0.3
  set Step     = 2e-3
  set Theta    = 0.6
  set Tools    = none
  set At start = release push, zero velocity, checkpoint
end
subsection Stage free
  set End          = 0.4
  set Interactions = joints
  subsection Newton
    set Tolerance = 1e-6
  end
end
)")));
  ASSERT_EQ(parsed.stages.size(), 3u);
  const auto &hold = parsed.stages[0], &draw = parsed.stages[1],
             &free = parsed.stages[2];
  EXPECT_EQ(hold.time.scheme, TimeScheme::quasi_static);
  EXPECT_EQ(hold.time.start_time, 0.);
  EXPECT_EQ(hold.time.step, 1e-3);
  EXPECT_EQ(hold.newton.tolerance, 1e-7);
  EXPECT_EQ(hold.conditions, (std::set<std::string>{ "push", "weight" }));
  EXPECT_EQ(hold.interactions, (std::set<std::string>{ "joints", "base" }));
  EXPECT_EQ(hold.shapes, (std::set<std::string>{ "ground" }));
  EXPECT_EQ(draw.time.scheme, TimeScheme::dynamic);
  EXPECT_EQ(draw.time.start_time, 0.1);
  EXPECT_EQ(draw.time.end_time, 0.3);
  EXPECT_EQ(draw.time.step, 2e-3);
  EXPECT_EQ(draw.time.theta, 0.6);
  EXPECT_EQ(draw.conditions, (std::set<std::string>{ "weight" }));
  EXPECT_EQ(draw.interactions, hold.interactions);
  EXPECT_TRUE(draw.shapes.empty());
  ASSERT_EQ(draw.actions.size(), 3u);
  EXPECT_EQ(draw.actions[0].name, "push");
  EXPECT_EQ(free.time.theta, 1.);
  EXPECT_EQ(free.time.step, 1e-3);
  EXPECT_EQ(free.conditions, draw.conditions);
  EXPECT_EQ(free.interactions, (std::set<std::string>{ "joints" }));
  EXPECT_TRUE(free.shapes.empty());
  EXPECT_EQ(free.newton.tolerance, 1e-6);
  EXPECT_EQ(parsed.values.time.end_time, 0.4);
  EXPECT_EQ(parsed.values_of(1).time.step, 2e-3);

  // The complete file says the same.
  const auto again =
      read_parameters(scratch.write("again.prm", parsed.expanded));
  ASSERT_EQ(again.stages.size(), 3u);
  EXPECT_EQ(again.entries, parsed.entries);
  for (unsigned int k = 0; k < 3; ++k)
  {
    EXPECT_EQ(again.stages[k].conditions, parsed.stages[k].conditions);
    EXPECT_EQ(again.stages[k].shapes, parsed.stages[k].shapes);
    EXPECT_EQ(again.stages[k].time.step, parsed.stages[k].time.step);
    EXPECT_EQ(again.stages[k].time.theta, parsed.stages[k].time.theta);
  }
}
} // namespace
