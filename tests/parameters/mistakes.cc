#include "good_file.h"

using namespace delassus;

namespace
{
/// A mistake made by replacing a piece of the good file, and what the message
/// must say besides the file and the line on which @p at stands.
struct Mistake
{
  std::string name;
  std::string from, to;
  std::string at; ///< piece of the wrong file; empty: no line
  std::vector<std::string> parts;
};

void PrintTo(const Mistake &mistake, std::ostream *out)
{
  *out << mistake.name;
}

class Mistakes : public testing::TestWithParam<Mistake>
{
};

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
  // Types and ranges.
  { "not_a_number",
    "set Step = 1e-3",
    "set Step = fast",
    "set Step",
    { "section 'Time'",
      "'Step' = 'fast'",
      "allowed: a number greater than 0" } },
  { "number_with_a_unit",
    "set Step = 1e-3",
    "set Step = 1e-3 s",
    "set Step",
    { "'Step' = '1e-3 s'", "allowed: a number" } },
  { "step_zero",
    "set Step = 1e-3",
    "set Step = 0",
    "set Step",
    { "'Step' = '0'", "greater than 0" } },
  { "theta_too_small",
    "set Step = 1e-3",
    "set Step = 1e-3\n  set Theta = 0.4",
    "set Theta",
    { "'Theta' = '0.4'", "from 0.5 to 1" } },
  { "no_such_scheme",
    "set Step = 1e-3",
    "set Step = 1e-3\n  set Scheme = static",
    "set Scheme",
    { "'Scheme' = 'static'", "dynamic, quasi static" } },
  { "theta_without_dynamics",
    "set Step = 1e-3",
    "set Step = 1e-3\n  set Scheme = quasi static\n  set Theta = 0.5",
    "set Theta",
    { "'Theta' = '0.5'", "Scheme = dynamic" } },
  { "fictitious_mass_of_dynamics",
    "set Step = 1e-3",
    "set Step = 1e-3\n  set Fictitious mass = 0.5",
    "set Fictitious",
    { "'Fictitious mass' = '0.5'", "Scheme = quasi static" } },
  { "fictitious_mass_zero",
    "set Step = 1e-3",
    "set Step = 1e-3\n  set Scheme = quasi static\n  set Fictitious mass = 0",
    "set Fictitious",
    { "'Fictitious mass' = '0'", "greater than 0" } },
  { "density_zero",
    "= 500",
    "= 0",
    "set Density",
    { "section 'Material stone'", "'Density' = '0'", "greater than 0" } },
  { "poisson_half",
    "= 0.3",
    "= 0.5",
    "set Poisson",
    { "'Poisson ratio' = '0.5'", "between -1 and 0.5, both excluded" } },
  { "poisson_minus_one",
    "= 0.3",
    "= -1",
    "set Poisson",
    { "'Poisson ratio' = '-1'", "between -1 and 0.5" } },
  { "friction_negative",
    "set Friction = 0.5",
    "set Friction = -0.5",
    "set Friction",
    { "section 'Contact law dry'", "'Friction' = '-0.5'", "0 or greater" } },
  { "friction_expression_not_understood",
    "set Friction = 0.5",
    "set Friction = 0.5*w",
    "set Friction",
    { "section 'Contact law dry'",
      "expression '0.5*w'",
      "variables x,y,t,v,p" } },
  { "friction_of_a_frictionless_law",
    "set Friction = 0.5",
    "set Friction = 0.5\n  set Type = frictionless",
    "set Friction",
    { "'Friction' = '0.5'", "no coefficient of friction" } },
  { "dynamic_above_static_friction",
    "set Friction = 0.5",
    "set Friction = 0.5\n  set Dynamic friction = 0.6",
    "set Dynamic",
    { "'Dynamic friction' = '0.6'", "up to Friction = 0.5" } },
  { "transition_without_dynamic_friction",
    "set Friction = 0.5",
    "set Friction = 0.5\n  set Transition velocity = 1",
    "set Transition",
    { "'Transition velocity' = '1'", "no Dynamic friction" } },
  { "dynamic_friction_beside_an_expression",
    "set Friction = 0.5",
    "set Friction = 0.5+x\n  set Dynamic friction = 0.2",
    "set Dynamic",
    { "'Dynamic friction' = '0.2'", "Friction is an expression" } },
  { "tresca_without_limit",
    "set Friction = 0.5",
    "set Type = tresca",
    "subsection Contact law dry",
    { "'Shear limit'", "for Type = tresca" } },
  { "shear_limit_of_coulomb",
    "set Friction = 0.5",
    "set Friction = 0.5\n  set Shear limit = 3",
    "set Shear",
    { "'Shear limit' = '3'", "Type = tresca" } },
  { "whole_number",
    "set Courses           = 4",
    "set Courses = 4.5",
    "set Courses",
    { "section 'Body wall/Mesh'", "'Courses' = '4.5'", "a whole number" } },
  { "no_such_choice",
    "set Cells             = 8 T3",
    "set Cells = 8T3",
    "set Cells",
    { "'Cells' = '8T3'", "8 T3, 4 T3, tensor", "Did you mean '8 T3'?" } },
  { "no_such_action",
    "= write, zero velocity",
    "= write, zero velocities",
    "set Actions",
    { "'Actions' = 'write, zero velocities'",
      "write, stop",
      "Did you mean 'zero velocity'?" } },
  { "list_with_text",
    "0, -9.81",
    "0, down",
    "set Gravity",
    { "'Gravity' = '0, down'", "each a number" } },
  { "boolean",
    "set Tolerance = 1e-7",
    "set Warm start = maybe",
    "set Warm",
    { "'Warm start' = 'maybe'", "true (yes) or false (no)" } },
  { "relaxation",
    "set Tolerance = 1e-7",
    "set Relaxation = 2",
    "set Relaxation",
    { "'Relaxation' = '2'", "between 0 and 2" } },
  { "positions_outside",
    "set Law         = dry",
    "set Law = dry\n  set Points = positions\n  set Positions = 0.5, 1.5",
    "set Positions",
    { "'Positions' = '0.5, 1.5'", "from 0 to 1" } },
  // Lists of the wrong length.
  { "gravity_3_in_2d",
    "0, -9.81",
    "0, 0, -9.81",
    "set Gravity",
    { "top level",
      "'Gravity' = '0, 0, -9.81'",
      "has 3 numbers",
      "Dimension = 2" } },
  { "size_too_short",
    "0.1, 0.05",
    "0.1",
    "set Size",
    { "'Size' = '0.1'", "has 1 numbers", "allowed: 2" } },
  { "normal_too_long",
    "0, 2",
    "0, 0, 2",
    "set Normal",
    { "section 'Obstacle ground'", "'Normal' = '0, 0, 2'", "allowed: 2" } },
  { "normal_zero",
    "0, 2",
    "0, 0",
    "set Normal",
    { "'Normal' = '0, 0'", "not all zero" } },
  // References.
  { "unknown_material",
    "set Material = stone",
    "set Material = stome",
    "set Material",
    { "section 'Body wall'",
      "'Material' = 'stome'",
      "no material 'stome'",
      "Did you mean 'stone'?" } },
  { "unknown_law",
    "set Law         = dry",
    "set Law = dri",
    "set Law",
    { "section 'Interaction joints'",
      "'Law' = 'dri'",
      "Did you mean 'dry'?" } },
  { "unknown_body_of_a_surface",
    "wall/bottom",
    "wal/bottom",
    "wal/bottom",
    { "section 'Interaction base'",
      "'Candidates' = 'wal/bottom'",
      "no body 'wal'",
      "Did you mean 'wall'?" } },
  { "unknown_body_of_a_condition",
    "wall/left",
    "wail/left",
    "wail/left",
    { "'Surfaces' = 'wail/left'", "Did you mean 'wall'?" } },
  { "unknown_body_of_a_probe",
    "set Body  = wall",
    "set Body = walls",
    "set Body =",
    { "section 'Probe top'", "'Body' = 'walls'", "Did you mean 'wall'?" } },
  { "unknown_interaction",
    "set Interaction = base",
    "set Interaction = bases",
    "set Interaction",
    { "section 'Event rest'",
      "'Interaction' = 'bases'",
      "Did you mean 'base'?" } },
  { "obstacle_as_candidate",
    "wall/bottom",
    "ground",
    "= ground",
    { "'Candidates' = 'ground'", "is an obstacle" } },
  { "obstacle_named_as_a_body",
    "Obstacle ground",
    "Obstacle wall",
    "Obstacle wall",
    { "a body is called 'wall' too" } },
  { "name_listed_without_section",
    "set Gravity ",
    "set Bodies = wall, tower\nset Gravity ",
    "set Bodies",
    { "'Bodies' = 'wall, tower'", "no 'subsection Body tower'" } },
  { "section_not_listed",
    "set Gravity ",
    "set Interactions = base\nset Gravity ",
    "set Interactions",
    { "'Interactions' = 'base'",
      "'subsection Interaction joints'",
      "not listed" } },
  // Missing.
  { "no_end",
    "  set End  = 0.1\n",
    "",
    "subsection Time",
    { "section 'Time'", "'End' = ''", "must be given" } },
  { "no_density",
    "  set Density       = 500\n",
    "",
    "subsection Material",
    { "section 'Material stone'", "'Density'", "must be given" } },
  { "no_material",
    "  set Material = stone\n",
    "",
    "subsection Body wall",
    { "section 'Body wall'", "'Material'", "must be given" } },
  { "no_size",
    "    set Size              = 0.1, 0.05\n",
    "",
    "subsection Mesh",
    { "section 'Body wall/Mesh'", "'Size'", "must be given" } },
  { "no_friction",
    "  set Friction = 0.5\n",
    "",
    "subsection Contact law",
    { "section 'Contact law dry'", "'Friction'", "must be given" } },
  { "no_candidates",
    "  set Candidates  = wall\n",
    "",
    "subsection Interaction joints",
    { "'Candidates'", "must be given" } },
  { "no_actions",
    "  set Actions     = write, zero velocity\n",
    "",
    "subsection Event",
    { "'Actions'", "must be given" } },
  { "no_output_interval",
    "  set Interval = 0.01\n",
    "",
    "subsection Output",
    { "'Interval'", "no output interval", "Interval steps" } },
  { "no_value",
    "  set Value      = 0.1 * sin(2 * pi * t) * y\n",
    "",
    "subsection Boundary",
    { "'Value'", "must be given for Type = velocity" } },
  // Expressions.
  { "expression_syntax",
    "0.1 * sin(2 * pi * t) * y",
    "0.1 * sin(2 * pi * t",
    "set Value      = 0.1",
    { "section 'Boundary condition push'",
      "expression '0.1 * sin(2 * pi * t'",
      "not understood" } },
  { "expression_unknown_variable",
    "0.1 * sin(2 * pi * t) * y",
    "z * t",
    "set Value      = z",
    { "expression 'z * t'", "variables x,y,t" } },
  { "expression_count",
    "0.1 * sin(2 * pi * t) * y",
    "1; 2",
    "set Value      = 1; 2",
    { "'Value' = '1; 2'", "has 2 expressions", "allowed: 1" } },
  { "expression_of_an_obstacle",
    "set Normal = 0, 2",
    "set Normal = 0, 2\n  set Displacement = x; 0",
    "set Displacement",
    { "expression 'x'", "variables t" } },
  // Contradictions.
  { "assumption_in_3d",
    "Dimension = 2",
    "Dimension = 3\nset Assumption = plane strain",
    "set Assumption",
    { "'Assumption' = 'plane strain'", "contradictory", "Dimension = 3" } },
  { "triangles_in_3d",
    "Dimension = 2",
    "Dimension = 3",
    "set Cells",
    { "'Cells' = '8 T3'", "contradictory", "allowed: tensor" } },
  { "radial_gravity",
    "0, -9.81",
    "1, 0\nset Assumption = axisymmetric",
    "set Gravity",
    { "contradictory", "axisymmetric" } },
  { "axisymmetric_with_z",
    "Components = x",
    "Components = z",
    "Components = z",
    { "'Components' = 'z'", "contradictory", "Dimension = 2 has no z" } },
  { "event_component_z",
    "set Component   = y",
    "set Component = z",
    "set Component = z",
    { "'Component' = 'z'", "contradictory" } },
  { "end_before_start",
    "set End  = 0.1",
    "set End = 0.1\n  set Start = 0.2",
    "set End",
    { "section 'Time'", "'End' = '0.1'", "contradictory", "Start = 0.2" } },
  { "step_longer_than_run",
    "set Step = 1e-3",
    "set Step = 1",
    "set Step",
    { "'Step' = '1'", "contradictory", "End - Start" } },
  { "interval_shorter_than_step",
    "set Interval = 0.01",
    "set Interval = 1e-4",
    "set Interval",
    { "section 'Output'", "'Interval' = '1e-4'", "Time/Step = 0.001" } },
  { "two_intervals",
    "set Interval = 0.01",
    "set Interval = 0.01\n  set Interval steps = 5",
    "set Interval steps",
    { "'Interval steps' = '5'", "contradictory" } },
  { "short_checkpoint_interval",
    "set Interval = 0.01",
    "set Interval = 0.01\n  set Checkpoint interval = 1e-4",
    "set Checkpoint interval",
    { "section 'Output'",
      "'Checkpoint interval' = '1e-4'",
      "Time/Step = 0.001" } },
  { "two_checkpoint_intervals",
    "set Interval = 0.01",
    "set Interval = 0.01\n  set Checkpoint interval = 0.02\n"
    "  set Checkpoint steps = 7",
    "set Checkpoint steps",
    { "'Checkpoint steps' = '7'", "contradictory", "0.02" } },
  { "file_and_generator",
    "set Size ",
    "set File = wall.msh\n    set Size ",
    "set File",
    { "'File' = 'wall.msh'", "contradictory", "Type = running bond wall" } },
  { "generator_entry_of_a_file",
    "set Type              = running bond wall",
    "set Type = file",
    "set Size",
    { "'Size' = '0.1, 0.05'", "contradictory", "Type = file" } },
  { "divisions_of_triangles",
    "set Size ",
    "set Divisions = 2, 2\n    set Size ",
    "set Divisions",
    { "'Divisions' = '2, 2'", "contradictory", "Cells = 8 T3" } },
  { "third_of_a_block",
    "set Blocks per course = 3",
    "set Blocks per course = 3.3",
    "set Blocks",
    { "'Blocks per course' = '3.3'", "a half" } },
  { "courses_of_a_box",
    "running bond wall",
    "box",
    "set Courses",
    { "'Courses' = '4'", "contradictory", "Type = box" } },
  { "friction_of_frictionless",
    "set Friction = 0.5",
    "set Friction = 0.5\n  set Type = frictionless",
    "set Friction",
    { "'Friction' = '0.5'", "contradictory", "frictionless" } },
  { "positions_without_points",
    "set Law         = dry",
    "set Law = dry\n  set Positions = 0.5",
    "set Positions",
    { "'Positions' = '0.5'", "contradictory", "Points = midpoints" } },
  { "points_of_mortar",
    "set Law         = dry",
    "set Law = dry\n  set Formulation = mortar\n  set Points = gauss",
    "set Points",
    { "'Points' = 'gauss'", "contradictory", "Formulation = mortar" } },
  { "normals_of_mortar",
    "set Law         = dry",
    "set Law = dry\n  set Formulation = mortar\n  set Normals = averaged",
    "set Normals",
    { "'Normals' = 'averaged'", "contradictory", "Formulation = mortar" } },
  { "three_passes",
    "set Law         = dry",
    "set Law = dry\n  set Passes = 3",
    "set Passes",
    { "'Passes' = '3'", "one of: 1, 2" } },
  { "unknown_formulation",
    "set Law         = dry",
    "set Law = dry\n  set Formulation = motar",
    "set Formulation",
    { "'Formulation' = 'motar'", "mortar" } },
  { "relaxed_without_margins",
    "set Tolerance = 1e-7",
    "set Criterion = relaxed",
    "subsection Contact solver",
    { "'Gap margin'", "'Force margin'", "Criterion = relaxed" } },
  { "margins_without_relaxed",
    "set Tolerance = 1e-7",
    "set Gap margin = 1e-7",
    "set Gap margin",
    { "'Gap margin' = '1e-7'", "contradictory" } },
  { "unknown_linear_solver",
    "subsection Contact solver",
    "subsection Linear solver\n  set Type = cholmd\nend\nsubsection Contact "
    "solver",
    "set Type = cholmd",
    { "'Type' = 'cholmd'", "cholmod" } },
  { "tolerance_of_a_direct_solver",
    "subsection Contact solver",
    "subsection Linear solver\n  set Type = mumps\n  set Tolerance = "
    "1e-8\nend\nsubsection Contact solver",
    "set Tolerance = 1e-8",
    { "'Tolerance' = '1e-8'", "contradictory", "Type = mumps" } },
  { "negative_memory_limit",
    "subsection Contact solver",
    "subsection Linear solver\n  set Memory limit = -1\nend\nsubsection "
    "Contact solver",
    "set Memory limit",
    { "'Memory limit' = '-1'", "0 or greater" } },
  { "value_of_fixed",
    "set Type       = velocity",
    "set Type = fixed",
    "set Value      = 0.1",
    { "'Value'", "contradictory", "fixed" } },
  { "components_of_a_pressure",
    "set Type       = velocity",
    "set Type = pressure",
    "set Components",
    { "'Components' = 'x'", "contradictory", "Type = pressure" } },
  { "event_of_two_triggers",
    "set Value       = 1",
    "set Value = 1\n  set Time = 0.05",
    "set Time =",
    { "'Time' = '0.05'", "contradictory", "Trigger = time" } },
  { "weight_without_gravity",
    "0, -9.81",
    "0, 0",
    "set Unit",
    { "'Unit' = 'weight'", "contradictory", "gravity" } },
  { "conditions_that_overlap",
    "subsection Obstacle",
    "subsection Boundary condition hold\n  set Surfaces = "
    "wall/left\nend\nsubsection Obstacle",
    "set Surfaces = wall/left",
    { "section 'Boundary condition hold'",
      "'Surfaces' = 'wall/left'",
      "contradictory",
      "'Boundary condition push'" } },
  { "thickness_of_a_ring",
    "set Material = stone",
    "set Material = stone\n  set Thickness = 2",
    "",
    {} },
};

// The last one needs another assumption: see below.
INSTANTIATE_TEST_SUITE_P(All,
                         Mistakes,
                         testing::ValuesIn(mistakes.begin(),
                                           mistakes.end() - 1),
                         [](const auto &info) { return info.param.name; });

TEST(MoreMistakes, ThicknessOfARing)
{
  const ScratchDirectory scratch;
  const Mistake &mistake = mistakes.back();
  expect_parts(
      message_of(scratch.write("wall.prm", with(mistake.from, mistake.to)),
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
