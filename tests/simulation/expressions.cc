// Expressions that have no value where a run needs it.
#include "run_case.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

using namespace delassus;

namespace
{
/// A block on a plane, pressed and pushed; a roller above it that touches
/// nothing.
const char *block = R"(set Title = expressions
subsection Time
  set End  = 1
  set Step = 0.1
end
subsection Material soft
  set Density       = 1
  set Young modulus = 1000
  set Poisson ratio = 0.2
end
subsection Body block
  set Material = soft
  set Body force = 0; -10
  set Initial velocity = 0; 0
  subsection Mesh
    set Type = box
    set Size = 1, 1
    set Divisions = 2, 2
    set Refine where = 0.2 - x
  end
end
subsection Boundary condition press
  set Type = pressure
  set Surfaces = top
  set Value = 1
end
subsection Boundary condition pull
  set Type = traction
  set Surfaces = right
  set Value = 0; 0
end
subsection Boundary condition hold
  set Type = displacement
  set Surfaces = left
  set Components = x
  set Value = 0
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Obstacle roller
  set Type = sphere
  set Point = 0.5, 3
  set Radius = 1
  set Free = y, rotation
  set Mass = 1
  set Inertia = 1
  set Force = 0; 0
  set Torque = 0
end
subsection Contact law dry
  set Friction = 0.3 + 0*v
end
subsection Interaction foot
  set Candidates = block/bottom
  set Antagonists = ground
  set Law = dry
  set Points = nodes
end
subsection Interaction head
  set Candidates = block/top
  set Antagonists = roller
  set Law = dry
  set Points = nodes
end
subsection Output
  set Interval steps = 100
end
)";

struct Case
{
  std::string entry, value, section;
  std::vector<std::string> parts;
};

/// The text of an error, with the run directory in @p directory; "no error".
template <typename Error>
std::string error_of(const std::string &directory,
                     const std::string &file,
                     const std::vector<std::string> &changes = {})
{
  auto overrides = changes;
  overrides.push_back("Output/Directory=" + directory);
  RunOptions options;
  options.quiet = true;
  try
  {
    Simulation<2> simulation(
        read_parameters(file, overrides), options, MPI_COMM_SELF);
    simulation.run();
  }
  catch (const Error &e)
  {
    return e.what();
  }
  return "no error";
}

/// The file with another value of an entry, and the number of its line.
std::string changed(const Case &one, unsigned int &line)
{
  std::istringstream in(block);
  std::string text, row, section;
  unsigned int number = 0;
  line                = 0;
  while (std::getline(in, row))
  {
    ++number;
    if (row.find("subsection ") != std::string::npos && row[0] == 's')
      section = row.substr(11);
    const auto at = row.find("set " + one.entry + " =");
    if (at != std::string::npos &&
        section == one.section.substr(0, section.size()))
    {
      row  = row.substr(0, at) + "set " + one.entry + " = " + one.value;
      line = number;
    }
    text += row + "\n";
  }
  return text;
}
} // namespace

TEST(Expressions, WithoutAValueAtTheStart)
{
  const std::vector<Case> cases = {
    { "Body force",
      "0; sqrt(-1 - x)",
      "Body block",
      { "expression 'sqrt(-1 - x)' is", "not a number at x = " } },
    { "Initial velocity", "log(x - 0.5); 0", "Body block", { "at x = " } },
    { "Refine where",
      "log(-1 - y)",
      "Body block/Mesh",
      { "expression 'log(-1 - y)' is", "at y = " } },
    { "Value",
      "1/(x - x)",
      "Boundary condition press",
      { "expression '1/(x - x)' is", "at x = " } },
    { "Value", "0; 1/0", "Boundary condition pull", { "'1/0' is infinite;" } },
    { "Friction",
      "0.3/(t*0)",
      "Contact law dry",
      { "'0.3/(t*0)' is inf at t = 0.1" } }
  };
  for (const Case &one : cases)
  {
    const test::TemporaryDirectory directory;
    unsigned int line;
    const std::string file = test::write_case(directory, changed(one, line));
    ASSERT_GT(line, 0u) << one.entry;
    const std::string text =
        error_of<InputError>(directory.path + "/run", file);
    for (const auto &part : { "case.prm:" + std::to_string(line) + ": ",
                              "section '" + one.section + "'",
                              "entry '" + one.entry + "'" })
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    for (const auto &part : one.parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    // Nothing was begun.
    EXPECT_FALSE(std::filesystem::exists(directory.path + "/run/history.csv"));
  }
}

TEST(Expressions, WithoutAValueInAStep)
{
  const std::vector<Case> cases = {
    { "Body force", "0; 1/(t - 0.5)", "Body block", { "infinite at t = 0.5" } },
    { "Value",
      "sqrt(0.45 - t)*y",
      "Boundary condition press",
      { "not a number at y = 1, t = 0.5" } },
    { "Value",
      "0; log(0.45 - t)",
      "Boundary condition pull",
      { "'log(0.45 - t)' is", "not a number at t = 0.5" } },
    { "Value",
      "0*log(0.45 - t)",
      "Boundary condition hold",
      { "not a number at t = 0.5" } },
    { "Force",
      "0; 0/(t - 0.5)",
      "Obstacle roller",
      { "not a number at t = 0.5" } },
    { "Torque",
      "0/(t - 0.5)",
      "Obstacle roller",
      { "not a number at t = 0.5" } },
    { "Friction",
      "0.45 - t + 0*p",
      "Contact law dry",
      { "is -0.05 at t = 0.5, p = ", "greater than or equal to 0" } }
  };
  for (const Case &one : cases)
  {
    const test::TemporaryDirectory directory;
    unsigned int line;
    const std::string file = test::write_case(directory, changed(one, line));
    ASSERT_GT(line, 0u) << one.entry;
    const std::string run  = directory.path + "/run";
    const std::string text = error_of<ComputationError>(run, file);
    for (const auto &part : { "case.prm:" + std::to_string(line) + ": ",
                              "section '" + one.section + "'",
                              "entry '" + one.entry + "'",
                              std::string("last good state, of t = 0.4"),
                              std::string("--resume") })
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    for (const auto &part : one.parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    EXPECT_EQ(test::read_csv(run + "/history.csv").at("time").back(), 0.4);
    EXPECT_TRUE(std::filesystem::exists(run + "/vtu/solution_000004.vtu"))
        << one.entry;
    EXPECT_TRUE(std::filesystem::exists(run + "/checkpoint.bin"));
  }
}

TEST(Expressions, OfMovingObstacles)
{
  for (const char *entry : { "Displacement", "Velocity", "Rotation" })
  {
    const test::TemporaryDirectory directory;
    const std::string file = test::write_case(directory, block);
    const bool rotation    = std::string(entry) == "Rotation";
    const std::string value =
        rotation ? "asin(2*t)" : "0*log(0.45 - t); 0*log(0.45 - t)";
    const std::string text = error_of<ComputationError>(
        directory.path + "/run",
        file,
        { std::string("Obstacle ground/") + entry + "=" + value });
    for (const std::string &part : { std::string("--set"),
                                     std::string("section 'Obstacle ground'"),
                                     "entry '" + std::string(entry) + "'",
                                     std::string("not a number at t = ") })
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST(Expressions, OfANewtonRunAndItsFollowingPressure)
{
  unsigned int line;
  const Case one = {
    "Value", "1 + sqrt(0.45 - t)", "Boundary condition press", {}
  };
  const test::TemporaryDirectory directory;
  const std::string file = test::write_case(directory, changed(one, line));
  const std::string text = error_of<ComputationError>(
      directory.path + "/run", file, { "Material soft/Model=neo-Hookean" });
  EXPECT_NE(text.find("case.prm:" + std::to_string(line)), std::string::npos)
      << text;
  EXPECT_NE(text.find("not a number at t = 0.5"), std::string::npos) << text;
  EXPECT_NE(text.find("last good state, of t = 0.4"), std::string::npos)
      << text;
}
