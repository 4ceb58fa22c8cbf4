#include "good_file.h"

#include <delassus/contact/laws/law_table.h>
#include <delassus/parameters/sections.h>

#include <test_paths.h>

#include <sstream>

using namespace delassus;

TEST(Reading, ValuesOfAPrmFile)
{
  const ScratchDirectory scratch;
  const auto parsed = read_parameters(scratch.write("wall.prm", good_file));
  const auto &p     = parsed.values;
  EXPECT_EQ(p.title, "Small wall");
  EXPECT_EQ(p.dimension, 2u);
  EXPECT_EQ(p.assumption, Assumption::plane_strain);
  EXPECT_EQ(p.gravity, (std::vector<double>{ 0., -9.81 }));
  EXPECT_EQ(p.time.end_time, 0.1);
  EXPECT_EQ(p.time.step, 1e-3);
  EXPECT_EQ(p.time.theta, 1.);
  ASSERT_EQ(p.materials.size(), 1u);
  EXPECT_EQ(p.materials[0].name, "stone");
  EXPECT_EQ(p.materials[0].young_modulus, 1e6);
  ASSERT_EQ(p.bodies.size(), 1u);
  const auto &mesh = p.bodies[0].mesh;
  EXPECT_EQ(mesh.type, MeshType::running_bond_wall);
  EXPECT_EQ(mesh.pattern, CellPattern::eight_triangles);
  EXPECT_EQ(mesh.n_courses, 4u);
  EXPECT_EQ(mesh.length, 3.);
  EXPECT_EQ(mesh.origin, (std::vector<double>{ 0., 0. }));
  ASSERT_EQ(p.boundary_conditions.size(), 1u);
  EXPECT_EQ(p.boundary_conditions[0].type, BoundaryConditionType::velocity);
  EXPECT_EQ(p.boundary_conditions[0].components,
            std::vector<unsigned int>{ 0 });
  EXPECT_EQ(p.boundary_conditions[0].value, "0.1 * sin(2 * pi * t) * y; 0");
  ASSERT_EQ(p.obstacles.size(), 1u);
  EXPECT_EQ(p.obstacles[0].normal, (std::vector<double>{ 0., 1. }));
  EXPECT_EQ(p.obstacles[0].point, (std::vector<double>{ 0., 0. }));
  ASSERT_EQ(p.interactions.size(), 2u);
  EXPECT_EQ(p.interactions[0].name, "joints");
  EXPECT_EQ(p.interactions[1].name, "base");
  EXPECT_EQ(p.interactions[1].candidates,
            std::vector<std::string>{ "wall/bottom" });
  EXPECT_EQ(p.interactions[0].points, CandidatePoints::automatic);
  EXPECT_EQ(p.contact_solver.tolerance, 1e-7);
  EXPECT_EQ(p.contact_solver.order, SweepOrder::symmetric);
  ASSERT_EQ(p.events.size(), 1u);
  EXPECT_EQ(p.events[0].component, 1u);
  EXPECT_TRUE(p.events[0].in_weights);
  EXPECT_EQ(p.events[0].actions,
            (std::vector<EventAction>{ EventAction::write,
                                       EventAction::zero_velocity }));
  ASSERT_EQ(p.probes.size(), 1u);
  EXPECT_EQ(p.output.directory, "results/wall");
  EXPECT_EQ(p.output.interval, 0.01);
  EXPECT_EQ(parsed.original, good_file);
  EXPECT_TRUE(parsed.warnings.empty());
}

// The defaults of a struct are the defaults of the file.
TEST(Reading, DefaultsAgreeWithTheStructs)
{
  const ScratchDirectory scratch;
  const auto p =
      read_parameters(
          scratch.write("wall.prm", with("  set Tolerance = 1e-7\n", "")))
          .values;
  const ContactSolverParameters solver;
  EXPECT_EQ(p.contact_solver.order, solver.order);
  EXPECT_EQ(p.contact_solver.criterion, solver.criterion);
  EXPECT_EQ(p.contact_solver.tolerance, solver.tolerance);
  EXPECT_EQ(p.contact_solver.max_sweeps, solver.max_sweeps);
  EXPECT_EQ(p.contact_solver.relaxation, solver.relaxation);
  EXPECT_EQ(p.contact_solver.warm_start, solver.warm_start);
  EXPECT_EQ(p.contact_solver.storage, solver.storage);
  EXPECT_EQ(p.contact_solver.update_distance, solver.update_distance);
  EXPECT_EQ(p.contact_solver.stop_if_not_converged,
            solver.stop_if_not_converged);
  EXPECT_EQ(p.contact_solver.accept_not_converged, solver.accept_not_converged);
  const CheckParameters checks;
  EXPECT_EQ(p.checks.energy_residual, checks.energy_residual);
  EXPECT_EQ(p.checks.numerical_dissipation, checks.numerical_dissipation);
  EXPECT_EQ(p.checks.small_strain, checks.small_strain);
  EXPECT_EQ(p.checks.small_rotation, checks.small_rotation);
  EXPECT_EQ(p.checks.stop_if_distorted, checks.stop_if_distorted);
  const InteractionParameters interaction;
  EXPECT_EQ(p.interactions[0].points, interaction.points);
  EXPECT_EQ(p.interactions[0].search_distance, interaction.search_distance);
  const BodyParameters body;
  EXPECT_EQ(p.bodies[0].mass, body.mass);
  EXPECT_EQ(p.bodies[0].thickness, body.thickness);
  EXPECT_EQ(p.bodies[0].mesh.scale, body.mesh.scale);
  const OutputParameters output;
  EXPECT_EQ(p.output.history_steps, output.history_steps);
  EXPECT_EQ(p.output.contact_points, output.contact_points);
  EXPECT_EQ(p.output.shell_layers, output.shell_layers);
  EXPECT_EQ(p.output.checkpoint_interval, output.checkpoint_interval);
  EXPECT_EQ(p.output.checkpoint_steps, output.checkpoint_steps);
  EXPECT_EQ(p.output.checkpoint_minutes, output.checkpoint_minutes);
  EXPECT_EQ(p.output.n_checkpoints, output.n_checkpoints);
}

TEST(Reading, EveryChoiceStandsForItsEnumerator)
{
  const ScratchDirectory scratch;
  const std::string file = scratch.write("wall.prm", good_file);
  const auto solver      = [&](const std::string &override)
  {
    return read_parameters(file, { "Contact solver/" + override })
        .values.contact_solver;
  };
  EXPECT_EQ(solver("Sweeps=forward").order, SweepOrder::forward);
  EXPECT_EQ(solver("Criterion=unit free").criterion,
            ContactCriterion::unit_free);
  EXPECT_EQ(solver("Criterion=siconos").criterion, ContactCriterion::siconos);
  EXPECT_EQ(solver("Criterion=impulse change").criterion,
            ContactCriterion::impulse_change);
  EXPECT_EQ(solver("Criterion=worst violation").criterion,
            ContactCriterion::worst_violation);
  EXPECT_EQ(solver("Storage=block sparse").storage,
            DelassusStorage::block_sparse);
  EXPECT_EQ(solver("Storage=dense").storage, DelassusStorage::dense);
  EXPECT_EQ(solver("Storage=matrix free").storage,
            DelassusStorage::matrix_free);
  EXPECT_FALSE(solver("Warm start=no").warm_start);
  EXPECT_TRUE(solver("If not converged=stop").stop_if_not_converged);
  EXPECT_FALSE(solver("If not converged=stop").accept_not_converged);
  EXPECT_TRUE(solver("If not converged=go on").accept_not_converged);
  EXPECT_FALSE(solver("If not converged=go on").stop_if_not_converged);
  EXPECT_FALSE(solver("If not converged=fail").accept_not_converged);
  const auto relaxed = read_parameters(file,
                                       { "Contact solver/Criterion=relaxed",
                                         "Contact solver/Gap margin=1e-6",
                                         "Contact solver/Force margin=2" })
                           .values.contact_solver;
  EXPECT_EQ(relaxed.criterion, ContactCriterion::relaxed);
  EXPECT_EQ(relaxed.force_margin, 2.);

  const auto values = [&](const std::vector<std::string> &overrides)
  { return read_parameters(file, overrides).values; };
  EXPECT_TRUE(values({ "Checks/If distorted=stop" }).checks.stop_if_distorted);
  EXPECT_FALSE(
      values({ "Checks/If distorted=go on" }).checks.stop_if_distorted);
  EXPECT_EQ(values({ "Checks/Small strain=0.2" }).checks.small_strain, 0.2);
  EXPECT_EQ(values({ "Assumption=plane stress" }).assumption,
            Assumption::plane_stress);
  EXPECT_EQ(values({ "Assumption=axisymmetric" }).assumption,
            Assumption::axisymmetric);
  EXPECT_EQ(values({ "Body wall/Mass=lumped" }).bodies[0].mass,
            MassType::lumped);
  EXPECT_EQ(values({ "Body wall/Mass=nodal" }).bodies[0].mass, MassType::nodal);
  EXPECT_EQ(values({ "Body wall/Mesh/Cells=4 T3" }).bodies[0].mesh.pattern,
            CellPattern::four_triangles);
  EXPECT_EQ(values({ "Body wall/Mesh/Cells=tensor" }).bodies[0].mesh.pattern,
            CellPattern::tensor);
  EXPECT_EQ(values({ "Contact law dry/Type=velocity signorini coulomb" })
                .laws[0]
                .type,
            ContactLawType::velocity_signorini_coulomb);
  EXPECT_EQ(values({ "Interaction base/Points=nodes" }).interactions[1].points,
            CandidatePoints::nodes);
  EXPECT_EQ(values({ "Interaction base/Points=gauss" }).interactions[1].points,
            CandidatePoints::gauss);
  EXPECT_EQ(
      values({ "Interaction base/Points=midpoints" }).interactions[1].points,
      CandidatePoints::midpoints);
  EXPECT_EQ(values({}).interactions[1].points, CandidatePoints::automatic);
  EXPECT_EQ(values({}).interactions[1].formulation, ContactFormulation::points);
  EXPECT_EQ(values({ "Interaction base/Formulation=mortar" })
                .interactions[1]
                .formulation,
            ContactFormulation::mortar);
  EXPECT_FALSE(values({}).interactions[1].two_pass);
  EXPECT_TRUE(values({ "Interaction base/Passes=2" }).interactions[1].two_pass);
  EXPECT_EQ(
      values({ "Interaction base/Normals=averaged" }).interactions[1].normals,
      ContactNormals::averaged);
  const auto positions = values({ "Interaction base/Points=positions",
                                  "Interaction base/Positions=0.25, 0.75" })
                             .interactions[1];
  EXPECT_EQ(positions.points, CandidatePoints::positions);
  EXPECT_EQ(positions.positions, (std::vector<double>{ 0.25, 0.75 }));
}

TEST(Reading, ThreeDimensions)
{
  const ScratchDirectory scratch;
  std::string text = with("Dimension = 2", "Dimension = 3");
  text             = with("0, -9.81", "0, 0, -9.81", text);
  text             = with("0.1, 0.05", "0.1, 0.05, 0.05", text);
  text = with("set Cells             = 8 T3", "set Divisions = 2, 2, 2", text);
  text = with("0, 2", "0, 0, 2", text);
  text = with("0.15, 0.2", "0.15, 0.2, 0", text);
  text = with("Components = x", "Components = z, x", text);
  text = with("0.1 * sin(2 * pi * t) * y", "z; x", text);
  const auto p = read_parameters(scratch.write("wall.prm", text)).values;
  EXPECT_EQ(p.assumption, Assumption::three_dimensional);
  EXPECT_EQ(p.bodies[0].mesh.divisions, (std::vector<unsigned int>{ 2, 2, 2 }));
  EXPECT_EQ(p.boundary_conditions[0].components,
            (std::vector<unsigned int>{ 2, 0 }));
  EXPECT_EQ(p.boundary_conditions[0].value, "x; 0; z");
}

TEST(Reading, CommentsContinuationAndIncludes)
{
  const ScratchDirectory scratch;
  scratch.write("common/material.prm",
                "subsection Material stone # shared\n"
                "  set Density = 500\r\n"
                "  set Young modulus = 1e6\n"
                "end\n");
  std::string text = with("subsection Material stone\n"
                          "  set Density       = 500\n"
                          "  set Young modulus = 1e6\n",
                          "include common/material.prm\n"
                          "SUBSECTION  Material   stone\n"
                          "  set Young   modulus = 2e6\n");
  text             = with("0, -9.81", "0, \\\n  # down\n", text);
  const auto place = text.find("# down\n") + 7;
  text.insert(place, "");
  text         = with("\\\n  # down\n", "\\\n    -9.81  # down\n", text);
  const auto p = read_parameters(scratch.write("wall.prm", text)).values;
  EXPECT_EQ(p.gravity, (std::vector<double>{ 0., -9.81 }));
  EXPECT_EQ(p.materials[0].density, 500.);
  // A file replaces what the files it includes say.
  EXPECT_EQ(p.materials[0].young_modulus, 2e6);
}

TEST(Reading, JsonSaysTheSame)
{
  const ScratchDirectory scratch;
  const std::string json = R"({
  "Title": "Small wall",
  "Gravity": [0, -9.81],
  "Time": {"End": 0.1, "Step": 1e-3},
  "Material stone": {"Density": 500, "Young modulus": 1e6, "Poisson ratio": 0.3},
  "Body wall": {
    "Material": "stone",
    "Body force": ["0", "-t"],
    "Mesh": {"Type": "running bond wall", "Size": [0.1, 0.05],
             "Cells": "8 T3", "Courses": 4, "Blocks per course": 3}
  },
  "Contact law dry": {"Friction": 0.5},
  "Interaction joints": {"Candidates": "wall", "Antagonists": ["wall"],
                         "Law": "dry"},
  "Contact solver": {"Warm start": false},
  "Output": {"Interval steps": 10}
})";
  const auto p = read_parameters(scratch.write("wall.json", json)).values;
  EXPECT_EQ(p.gravity, (std::vector<double>{ 0., -9.81 }));
  EXPECT_EQ(p.bodies[0].mesh.n_courses, 4u);
  EXPECT_EQ(p.bodies[0].body_force, "0; -t");
  EXPECT_EQ(p.time.step, 1e-3);
  EXPECT_FALSE(p.contact_solver.warm_start);
  EXPECT_EQ(p.output.interval_steps, 10u);
}

TEST(Reading, ExpandedFileReadsBackTheSame)
{
  const ScratchDirectory scratch;
  const auto first = read_parameters(scratch.write("wall.prm", good_file),
                                     { "Time/Theta=0.6" });
  for (const std::string entry : { "Update distance",
                                   "Rayleigh mass",
                                   "Scale",
                                   "History steps",
                                   "Bodies" })
    EXPECT_NE(first.expanded.find("set " + entry), std::string::npos) << entry;
  const auto second =
      read_parameters(scratch.write("wall_again.prm", first.expanded));
  EXPECT_EQ(second.values.time.theta, 0.6);
  EXPECT_EQ(second.values.boundary_conditions[0].value,
            first.values.boundary_conditions[0].value);
  EXPECT_EQ(second.values.title, first.values.title);

  // Apart from the marks of defaults the text is a fixed point.
  const auto strip = [](const std::string &text)
  {
    std::istringstream in(text);
    std::string line, result;
    while (std::getline(in, line))
    {
      line = line.substr(0, line.find("  # default"));
      result += line + '\n';
    }
    return result;
  };
  EXPECT_EQ(strip(first.expanded), strip(second.expanded));
}

TEST(Reading, ListsOfNamesGiveTheOrder)
{
  const ScratchDirectory scratch;
  const auto p = read_parameters(scratch.write("wall.prm", good_file),
                                 { "Interactions=base, joints" })
                     .values;
  EXPECT_EQ(p.interactions[0].name, "base");
  EXPECT_EQ(p.interactions[1].name, "joints");
}

TEST(Reading, MeshFilesOfTheProjectLayout)
{
  const ScratchDirectory scratch;
  const std::string geo = scratch.write("project/meshes/bar.geo", "// 1");
  std::string text      = good_file;
  text.replace(
      text.find("    set Type              = running"),
      text.find("  end\nend\n\nsubsection Boundary") -
          text.find("    set Type              = running"),
      "    set File = bar.geo\n    set Gmsh numbers = lc = 0.1, n=3\n");
  const std::string prm =
      scratch.write("project/parameter_files/bar.prm", text);
  const auto p = read_parameters(prm).values;
  EXPECT_EQ(p.bodies[0].mesh.file, geo);
  EXPECT_EQ(p.bodies[0].mesh.gmsh_numbers,
            (std::map<std::string, double>{ { "lc", 0.1 }, { "n", 3. } }));

  // Beside the parameter file comes first.
  const std::string near =
      scratch.write("project/parameter_files/bar.geo", "// 2");
  EXPECT_EQ(read_parameters(prm).values.bodies[0].mesh.file, near);

  std::filesystem::remove(geo);
  std::filesystem::remove(near);
  scratch.write("project/meshes/bars.geo", "");
  expect_parts(message_of(prm),
               { "bar.prm:",
                 "Body wall/Mesh",
                 "'File' = 'bar.geo'",
                 "does not exist",
                 "Did you mean 'bars.geo'?" });
}

TEST(Reading, OldNamesAreAcceptedWithAWarning)
{
  const ScratchDirectory scratch;
  const std::vector<RenamedEntry> renamed = {
    { "Time", "Time step", "Step" },
    { "Body/Mesh", "Rows", "Courses" },
    { "", "Name", "Title" }
  };
  std::string text = with("  set Step = 1e-3", "  set Time step = 2e-3");
  text = with("    set Courses           = 4", "    set Rows = 7", text);
  text = with("set Title ", "set Name ", text);
  const std::string file = scratch.write("wall.prm", text);
  const auto parsed      = read_parameters(file, {}, renamed);
  EXPECT_EQ(parsed.values.time.step, 2e-3);
  EXPECT_EQ(parsed.values.bodies[0].mesh.n_courses, 7u);
  EXPECT_EQ(parsed.values.title, "Small wall");
  ASSERT_EQ(parsed.warnings.size(), 3u);
  expect_parts(parsed.warnings[1], { "wall.prm:", "Time step", "'Step'" });
  EXPECT_NE(parsed.expanded.find("set Step            = 2e-3"),
            std::string::npos);
  // Unknown without the table, and still only once with it.
  EXPECT_THROW(read_parameters(file), InputError);
  expect_parts(
      message_of(
          scratch.write("twice.prm",
                        with("  set Step = 1e-3",
                             "  set Step = 1e-3\n  set Time step = 2e-3")),
          {},
          renamed),
      { "given before" });
}

TEST(Reading, UnusedMaterialsAndLawsAreWarned)
{
  const ScratchDirectory scratch;
  const auto parsed = read_parameters(scratch.write(
      "wall.prm",
      std::string(good_file) +
          "subsection Contact law wet\n  set Friction=0.1\nend\n"));
  ASSERT_EQ(parsed.warnings.size(), 1u);
  expect_parts(parsed.warnings[0], { "wall.prm:", "Contact law wet" });
}

TEST(Describing, SectionsAndTheirEntries)
{
  const std::string all = describe_parameters("");
  for (const auto &section : section_declarations())
  {
    EXPECT_NE(all.find("subsection " + section.kind), std::string::npos);
    for (const auto &entry : section.entries)
      EXPECT_NE(all.find("set " + entry.name + " ="), std::string::npos);
  }
  EXPECT_NE(describe_parameters("body/mesh").find("Courses"),
            std::string::npos);
  EXPECT_EQ(describe_parameters("Time").find("Courses"), std::string::npos);
  try
  {
    describe_parameters("Tyme");
    FAIL();
  }
  catch (const InputError &e)
  {
    expect_parts(e.what(), { "'Tyme'", "Did you mean 'Time'?" });
  }
}

// The two lists of contact laws: those that files name, those that are made.
TEST(Describing, ContactLawsAreThoseOfTheTable)
{
  const auto section = ContactLawSection::declaration();
  const auto &type   = section.entries.front();
  ASSERT_EQ(type.name, "Type");
  std::vector<std::string> names;
  for (const auto &law : law_table<2>())
    names.push_back(law.name);
  EXPECT_EQ(type.choices, names);
}

// The contract in the documentation is complete.
TEST(Describing, TheDocumentationNamesEveryEntry)
{
  std::ifstream in(DELASSUS_SOURCE_DIR "/doc/parameters.md");
  ASSERT_TRUE(in);
  std::ostringstream text;
  text << in.rdbuf();
  const auto check =
      [&](const std::string &heading, const SectionDeclaration &section)
  {
    const auto begin = text.str().find("## " + heading + "\n");
    ASSERT_NE(begin, std::string::npos) << heading;
    const auto end     = text.str().find("\n## ", begin + 3);
    const auto chapter = text.str().substr(begin, end - begin);
    for (const auto &entry : section.entries)
    {
      const auto row = chapter.find("| " + entry.name + " |");
      ASSERT_NE(row, std::string::npos) << heading << ": " << entry.name;
      const auto line = chapter.substr(row, chapter.find('\n', row + 1) - row);
      EXPECT_NE(line.find("| " +
                          (entry.default_value.empty()
                               ? entry.default_text
                               : "`" + entry.default_value + "`") +
                          " |"),
                std::string::npos)
          << line;
    }
  };
  check("Top level", TopLevel::declaration());
  for (const auto &section : section_declarations())
  {
    check(section.kind + (section.named ? " NAME" : ""), section);
    for (const auto &inner : section.subsections)
      check(section.kind + " NAME / " + inner.kind, inner);
  }
}

TEST(Examples, AreReadWithoutWarning)
{
  unsigned int n_files = 0;
  for (const auto &file : std::filesystem::directory_iterator(
           DELASSUS_SOURCE_DIR "/parameter_files"))
    if (file.path().extension() == ".prm" || file.path().extension() == ".json")
    {
      ++n_files;
      const auto parsed = read_parameters(file.path().string());
      EXPECT_TRUE(parsed.warnings.empty())
          << file.path() << ": " << parsed.warnings.front();
    }
  EXPECT_GT(n_files, 0u);
}
