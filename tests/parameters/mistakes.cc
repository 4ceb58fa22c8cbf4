// Names and syntax, and what files as a whole get wrong.
#include "mistakes.h"

using namespace delassus;

TEST_P(Mistakes, AreReportedWithTheirPlace)
{
  const ScratchDirectory scratch;
  const Mistake &mistake    = GetParam();
  const std::string text    = with(mistake.from, mistake.to);
  const std::string file    = scratch.write("wall.prm", text);
  const std::string message = message_of(file);
  auto parts                = mistake.parts;
  parts.push_back(mistake.at.empty()
                      ? file + ":"
                      : file + ":" + std::to_string(line_of(mistake.at, text)) +
                            ":");
  expect_parts(message, parts);
}

namespace
{
const std::vector<Mistake> mistakes = {
  // Names.
  { "unknown_section",
    "subsection Time",
    "subsection Tine",
    "subsection Tine",
    { "unknown section 'Tine'", "Did you mean 'Time'?" } },
  { "unknown_named_section",
    "subsection Body wall",
    "subsection Bdy wall",
    "subsection Bdy wall",
    { "unknown section 'Bdy wall'", "Did you mean 'Body wall'?" } },
  { "unknown_inner_section",
    "subsection Mesh",
    "subsection Mash",
    "subsection Mash",
    { "'Body wall/Mash'", "Did you mean 'Mesh'?" } },
  { "section_without_name",
    "subsection Body wall",
    "subsection Body",
    "subsection Body",
    { "'Body' needs a name" } },
  { "name_with_a_comma",
    "subsection Probe top",
    "subsection Probe top,left",
    "subsection Probe top,left",
    { "'top,left'", "not allowed" } },
  { "unknown_entry",
    "set Density ",
    "set Densty ",
    "set Densty",
    { "section 'Material stone'",
      "'Densty' = '500'",
      "unknown entry",
      "Did you mean 'Density'?" } },
  { "unknown_entry_at_top",
    "set Title     = Small wall",
    "set Titel = Small wall",
    "set Titel",
    { "top level", "'Titel' = 'Small wall'", "Did you mean 'Title'?" } },
  { "entry_of_another_section",
    "set Title     = Small wall",
    "set Rayleigh stiffness = 1",
    "set Rayleigh",
    { "top level", "It belongs to section 'Material NAME'" } },
  // Syntax.
  { "missing_end",
    "  set Interval = 0.01\nend\n",
    "  set Interval = 0.01\n",
    "subsection Output",
    { "'Output'", "no 'end'" } },
  { "end_too_many",
    "  set Interval = 0.01\nend\n",
    "  set Interval = 0.01\nend\nend # more\n",
    "end # more",
    { "'end' without a 'subsection'" } },
  { "no_equal_sign",
    "set End  = 0.1",
    "set End 0.1",
    "set End 0.1",
    { "section 'Time'", "'set End 0.1'", "no '='" } },
  { "unknown_keyword",
    "set End  = 0.1",
    "sett End = 0.1",
    "sett End",
    { "'sett End = 0.1'", "Did you mean 'set'?" } },
  { "missing_include",
    "subsection Time",
    "include tim.prm\nsubsection Time",
    "include tim.prm",
    { "tim.prm", "does not exist" } },
  { "include_of_itself",
    "subsection Time",
    "include wall.prm\nsubsection Time",
    "include wall.prm",
    { "includes itself" } },
  { "repeated_entry",
    "  set Step = 1e-3",
    "  set Step = 1e-3\n  set Step = 2e-3",
    "set Step = 2e-3",
    { "section 'Time'",
      "'Step' = '2e-3'",
      "contradictory",
      "given before",
      "wall.prm:8" } },
};

INSTANTIATE_TEST_SUITE_P(Names, Mistakes, testing::ValuesIn(mistakes), name_of);

TEST(MoreMistakes, ThicknessOfARing)
{
  const ScratchDirectory scratch;
  const std::string text =
      with("set Material = stone", "set Material = stone\n  set Thickness = 2");
  expect_parts(message_of(scratch.write("wall.prm", text),
                          { "Assumption=axisymmetric" }),
               { "wall.prm:19:", "'Thickness' = '2'", "contradictory" });
}

TEST(MoreMistakes, NoFile)
{
  const ScratchDirectory scratch;
  scratch.write("wall.prm", good_file);
  expect_parts(message_of((scratch.path / "wal.prm").string()),
               { "wal.prm", "does not exist", "Did you mean 'wall.prm'?" });
  expect_parts(message_of(scratch.path.string()), { "is a directory" });
  expect_parts(message_of(scratch.write("wall.txt", good_file)),
               { "wall.txt", ".prm and .json" });
}

TEST(MoreMistakes, NoBodies)
{
  const ScratchDirectory scratch;
  expect_parts(message_of(scratch.write("empty.prm", "# nothing\n")),
               { "empty.prm", "there is no body", "subsection Body NAME" });
}

TEST(MoreMistakes, EventThatNeverComes)
{
  const ScratchDirectory scratch;
  expect_parts(message_of(scratch.write("wall.prm",
                                        std::string(good_file) +
                                            "subsection Event late\n"
                                            "  set Time = 3\n"
                                            "  set Actions = stop\n"
                                            "end\n")),
               { "section 'Event late'", "'Time' = '3'", "never comes" });
}

TEST(MoreMistakes, AllAreListedAtOnce)
{
  const ScratchDirectory scratch;
  std::string text = with("= 500", "= heavy");
  text             = with("set Step = 1e-3", "set Stp = 1e-3", text);
  expect_parts(message_of(scratch.write("wall.prm", text)),
               { "2 mistakes", "'Density' = 'heavy'", "'Stp' = '1e-3'" });
}

TEST(MoreMistakes, IncludedFilesAreQuoted)
{
  const ScratchDirectory scratch;
  scratch.write("part.prm", "# part\nset Grvity = 0, 1\n");
  expect_parts(
      message_of(scratch.write(
          "wall.prm", with("set Gravity   = 0, -9.81", "include part.prm"))),
      { "part.prm:2:", "'Grvity'", "Did you mean 'Gravity'?" });
  // Two files, none of which includes the other, contradict each other.
  scratch.write("a.prm", "set Gravity = 0, 1\n");
  scratch.write("b.prm", "set Gravity = 0, 2\n");
  expect_parts(message_of(scratch.write("wall.prm",
                                        with("set Gravity   = 0, -9.81",
                                             "include a.prm\ninclude b.prm"))),
               { "b.prm:1:", "given before, at", "a.prm:1" });
}

TEST(MoreMistakes, Json)
{
  const ScratchDirectory scratch;
  expect_parts(message_of(scratch.write("a.json", "{\n\"Title\": \"a\",\n}")),
               { "a.json:3:", "not well-formed JSON" });
  expect_parts(
      message_of(scratch.write("b.json", "{\n\"Time\": {\n\"Stp\": 1}}")),
      { "b.json:3:", "'Stp' = '1'", "Did you mean 'Step'?" });
  expect_parts(message_of(scratch.write("c.json",
                                        "{\"Time\": {\n\"Step\": 1,\n"
                                        "\"Step\": 2}}")),
               { "c.json:3:", "'Step' = '2'", "given before", "c.json:2" });
  expect_parts(message_of(scratch.write("d.json", "{\"Title\": null}")),
               { "d.json:1:", "null" });
  expect_parts(message_of(scratch.write("e.json", "[1, 2]")), { "e.json:1:" });
  expect_parts(message_of(scratch.write("f.json", "{\"Bodi x\": {}}")),
               { "f.json:1:", "'Bodi x'", "Did you mean 'Body x'?" });
}

TEST(MoreMistakes, OfQuasiStaticSteps)
{
  const ScratchDirectory scratch;
  const std::string file = scratch.write("wall.prm", good_file);
  const std::string set  = "Time/Scheme=quasi static";
  expect_parts(message_of(file,
                          { set,
                            "Body wall/Initial velocity=1; 0",
                            "Material stone/Rayleigh mass=2" }),
               { "'Initial velocity' = '1; 0'",
                 "no inertia",
                 "'Rayleigh mass' = '2'",
                 "Rayleigh stiffness",
                 "'Actions'",
                 "allowed: write, stop" });
}

TEST(MoreMistakes, OfTheCommandLine)
{
  const ScratchDirectory scratch;
  const std::string file = scratch.write("wall.prm", good_file);
  expect_parts(message_of(file, { "Time/Stp=1" }),
               { "--set \"Time/Stp=1\"",
                 "section 'Time'",
                 "'Stp' = '1'",
                 "Did you mean 'Step'?" });
  expect_parts(message_of(file, { "Tme/Step=1" }),
               { "--set \"Tme/Step=1\"", "'Tme'", "Did you mean 'Time'?" });
  expect_parts(message_of(file, { "Body wal/Mesh/Courses=5" }),
               { "'Body wal'", "Did you mean 'Body wall'?" });
  expect_parts(message_of(file, { "Body wall/Mesh/Courses=many" }),
               { "--set \"Body wall/Mesh/Courses=many\"",
                 "section 'Body wall/Mesh'",
                 "'Courses' = 'many'",
                 "a whole number" });
  expect_parts(message_of(file, { "Time/Step" }),
               { "--set \"Time/Step\"", "'='" });
  expect_parts(message_of(file, { "=5" }), { "empty name" });
  expect_parts(message_of(file, { "Time/=5" }), { "empty name" });
  expect_parts(message_of(file, { "Time/End=-1" }),
               { "--set \"Time/End=-1\"", "'End' = '-1'", "contradictory" });
  expect_parts(message_of(file, { "Time/Step=1e-4", "Time/Step=1e-5" }),
               { "--set \"Time/Step=1e-5\"", "given before" });
  EXPECT_EQ(
      read_parameters(file, { "Title=x = y", "Time/Step=1e-4" }).values.title,
      "x = y");
}
} // namespace
