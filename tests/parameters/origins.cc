// Where entries were written, entries taken back, numbers of steps, and the
// sections that `parameters` suggests.

#include "good_file.h"

using namespace delassus;

TEST(Origins, AreCarriedIntoTheValues)
{
  const ScratchDirectory scratch;
  scratch.write("bottom.prm", "# part\n\nset Candidates = wall/botom\n");
  const std::string text =
      with("set Candidates  = wall/bottom", "include bottom.prm");
  const std::string file = scratch.write("wall.prm", text);
  const auto values =
      read_parameters(file, { "Boundary condition push/Surfaces=wall/letf" })
          .values;

  EXPECT_EQ(values.where("Interaction joints", "Candidates"),
            file + ":" +
                std::to_string(line_of("set Candidates  = wall\n", text)) +
                ": section 'Interaction joints', entry 'Candidates' = 'wall'");
  EXPECT_EQ(values.where("Interaction base", "Candidates"),
            (scratch.path / "bottom.prm").string() +
                ":3: section 'Interaction base', entry 'Candidates' = "
                "'wall/botom'");
  EXPECT_EQ(values.where("Boundary condition push", "Surfaces"),
            "--set \"Boundary condition push/Surfaces=wall/letf\": section "
            "'Boundary condition push', entry 'Surfaces' = 'wall/letf'");
  // Not given: the line of the section, and the default.
  EXPECT_EQ(values.where("Interaction base", "Points"),
            file + ":" +
                std::to_string(line_of("subsection Interaction base", text)) +
                ": section 'Interaction base', entry 'Points' = 'automatic'");
  ASSERT_EQ(values.bodies.size(), 1u);
  EXPECT_EQ(values.bodies[0].where("Mesh/Type", "mesh"),
            file + ":" + std::to_string(line_of("set Type  ", text)) +
                ": section 'Body wall/Mesh', entry 'Type' = 'running bond "
                "wall'");

  // Parameters that were not read from a file.
  Parameters by_hand;
  EXPECT_EQ(by_hand.where("Interaction a", "Law"),
            "section 'Interaction a', entry 'Law'");
  by_hand.file = "a.prm";
  EXPECT_EQ(by_hand.where("Interaction a", "Law"),
            "a.prm: section 'Interaction a', entry 'Law'");
  BodyParameters body;
  body.name = "stone";
  EXPECT_EQ(body.where("Mesh/File", "mesh"), "Body 'stone', mesh");
}

TEST(EmptyValues, TakeAnEntryBack)
{
  const ScratchDirectory scratch;
  const std::string text =
      with("set Step = 1e-3", "set Step = 1e-3\n  set Theta = 0.6");
  const std::string file = scratch.write("wall.prm", text);
  EXPECT_EQ(read_parameters(file).values.time.theta, 0.6);
  EXPECT_EQ(read_parameters(file, { "Time/Theta=" }).values.time.theta, 1.);
  EXPECT_EQ(
      read_parameters(file, { "Gravity=", "Event rest/Unit=" }).values.gravity,
      std::vector<double>(2, 0.));
  // As if it had not been given.
  expect_parts(message_of(file, { "Time/Step=" }),
               { "'Step' = ''", "must be given" });
  const auto cleared = read_parameters(file, { "Time/Theta=" });
  expect_parts(cleared.expanded, { "set Theta           = 1  # default" });

  const std::string outer = scratch.write(
      "outer.prm", "include wall.prm\nsubsection Time\n  set Theta =\nend\n");
  EXPECT_EQ(read_parameters(outer).values.time.theta, 1.);
  // An entry that has no effect any more does not contradict.
  const std::string box = scratch.write("box.prm",
                                        "include wall.prm\n"
                                        "subsection Body wall\n"
                                        "  subsection Mesh\n"
                                        "    set Type              = box\n"
                                        "    set Courses           =\n"
                                        "    set Blocks per course =\n"
                                        "  end\n"
                                        "end\n");
  EXPECT_EQ(read_parameters(box).values.bodies[0].mesh.type, MeshType::box);
  EXPECT_EQ(read_parameters(box).values.bodies[0].mesh.n_courses, 1u);
  // In one file it is still given twice.
  expect_parts(message_of(scratch.write(
                   "twice.prm",
                   with("set Step = 1e-3", "set Step = 1e-3\n  set Step ="))),
               { "'Step' = ''", "given before" });
}

TEST(Steps, AreCountedBeforeTheRun)
{
  const ScratchDirectory scratch;
  const std::string file = scratch.write("wall.prm", good_file);
  expect_parts(message_of(file, { "Time/Step=1e-12", "Time/End=1" }),
               { "--set \"Time/Step=1e-12\"",
                 "section 'Time'",
                 "'Step' = '1e-12'",
                 "1e+12 steps",
                 "2147483647" });
  expect_parts(message_of(file, { "Time/Step=1e-320" }), { "steps" });
  // Just below.
  EXPECT_EQ(read_parameters(
                file, { "Time/Step=1", "Time/End=2e9", "Output/Interval=1e9" })
                .values.time.step,
            1.);
}

TEST(Describing, SuggestsSectionsByAPartOfTheirNames)
{
  const auto message = [](const std::string &section) -> std::string
  {
    try
    {
      return describe_parameters(section);
    }
    catch (const InputError &e)
    {
      return e.what();
    }
  };
  for (const std::string near : { "contact", "Conact", "CONTACTS" })
    expect_parts(message(near),
                 { "no section '" + near + "'",
                   "Did you mean 'Contact law' or 'Contact solver'?" });
  expect_parts(message("contact solvr"), { "Did you mean 'Contact solver'?" });
  expect_parts(message("Boundary"), { "Did you mean 'Boundary condition'?" });
  expect_parts(message("Body wall"), { "Did you mean 'Body'" });
  expect_parts(message("body/mash"), { "Did you mean 'Body/Mesh'?" });
  expect_parts(message("xyzzyxyzzy"), { "Known: Time, Newton, Material" });
  expect_parts(message("CONTACT law"), { "subsection Contact law NAME" });
}
