// What runs say of contacts that no reaction moves, of contacts that are held
// twice, and of factors that do not fit.
#include "cases.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

namespace
{
/// A strip, clamped at its left end, that lies on the floor; a lid comes down
/// and just touches it at the end.
std::string clamped(const std::string &model, const std::string &divisions)
{
  return R"(
set Gravity = 0, -1
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.05
end
subsection Material rubber
  set Model         = )" +
         model + R"(
  set Density       = 1
  set Young modulus = 100
  set Poisson ratio = 0.3
end
subsection Body strip
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Size      = 4, 0.2
    set Divisions = )" +
         divisions + R"(
  end
end
subsection Boundary condition end
  set Type     = fixed
  set Surfaces = strip/left
end
subsection Obstacle floor
  set Type   = plane
  set Point  = 0, 0
  set Normal = 0, 1
end
subsection Obstacle lid
  set Type         = plane
  set Point        = 0, 1.2
  set Normal       = 0, -1
  set Displacement = 0; -1*min(1, 1.25*t)
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction below
  set Candidates  = strip/bottom
  set Antagonists = floor
  set Law         = dry
  set Points      = nodes
end
subsection Interaction above
  set Candidates  = strip/top
  set Antagonists = lid
  set Law         = dry
  set Points      = nodes
end
subsection Output
  set Interval = 0
end
)";
}

/// The lines of a run's log, without date and time, that have this in them.
std::vector<std::string> lines_with(const std::string &part,
                                    const std::string &text,
                                    std::vector<std::string> changes)
{
  const test::TemporaryDirectory directory;
  changes.push_back("Output/Directory=" + directory.path + "/run");
  delassus::RunOptions options;
  options.quiet = true;
  {
    delassus::Simulation<2> simulation(
        delassus::read_parameters(test::write_case(directory, text), changes),
        options,
        MPI_COMM_SELF);
    simulation.run();
  }
  std::vector<std::string> lines;
  std::ifstream log(directory.path + "/run/log.txt");
  for (std::string line; std::getline(log, line);)
    if (line.find(part) != std::string::npos)
      lines.push_back(line.substr(std::string("2026-01-01 00:00:00  ").size()));
  return lines;
}

struct Way
{
  std::string model, divisions, solver, working_set;
};
const std::vector<Way> ways = {
  { "linear elastic", "16, 2", "auto", "true" },
  { "linear elastic", "16, 2", "global Newton", "true" },
  { "neo-Hookean", "16, 2", "auto", "true" },
  { "neo-Hookean", "80, 4", "auto", "true" },
  { "neo-Hookean", "80, 4", "Gauss-Seidel", "true" },
  { "neo-Hookean", "80, 4", "auto", "false" },
  { "neo-Hookean", "80, 4", "global Newton", "true" },
  { "neo-Hookean", "80, 4", "global Newton", "false" },
};
} // namespace

// Once with the place, and again as the lid brings another one.
TEST(Diagnoses, ImmovableContactsAreToldOnce)
{
  for (const auto &way : ways)
  {
    SCOPED_TRACE(way.model + ", " + way.divisions + ", " + way.solver + ", " +
                 way.working_set);
    const std::vector<std::string> changes = {
      "Contact solver/Solver=" + way.solver,
      "Contact solver/Working set=" + way.working_set
    };
    const auto text         = clamped(way.model, way.divisions);
    const auto lines        = lines_with("prescribed dofs", text, changes);
    const std::string below = "interaction 'below', strip/bottom against "
                              "floor, near (0, 0)",
                      above = "interaction 'above', strip/top against lid, "
                              "near (0, 0.2)",
                      both =
                          "Warning: 2 contacts have only prescribed dofs: no "
                          "reaction can move them (step ";
    // The lid's comes later where contacts at rest are left out; else the last
    // contact problem of the first step may have it or not.
    const bool later = way.working_set == "true" && way.divisions == "80, 4";
    ASSERT_GE(lines.size(), later ? 2u : 1u);
    ASSERT_LE(lines.size(), 2u);
    if (lines.size() == 2)
    {
      EXPECT_EQ(lines[0],
                "Warning: 1 contact has only prescribed dofs: no reaction can "
                "move it (step 1): " +
                    below);
    }
    EXPECT_EQ(lines.back().find(both), 0u) << lines.back();
    EXPECT_NE(lines.back().find(below + "; " + above), std::string::npos)
        << lines.back();
    // Not counted at the end of the run.
    EXPECT_EQ(lines_with("immovable contacts", text, changes).size(), 0u);
  }
}

// Those that are free along the surface only are such contacts, with W and
// without.
TEST(Diagnoses, ContactsWhoseNormalMotionIsPrescribed)
{
  const std::string text = clamped("neo-Hookean", "16, 2") +
                           "subsection Boundary condition right\n  set Type = "
                           "fixed\n  set Surfaces = strip/right\n  set "
                           "Components = y\nend\n";
  for (const char *solver : { "Newton", "global Newton", "global ADMM" })
  {
    const auto lines =
        lines_with("prescribed dofs",
                   text,
                   { std::string("Contact solver/Solver=") + solver });
    ASSERT_EQ(lines.size(), 1u) << solver;
    EXPECT_EQ(lines[0].find("Warning: 4 contacts have"), 0u)
        << solver << ": " << lines[0];
  }
}

namespace
{
/// Two blocks with equal meshes, nodes of both sides candidates: each pair of
/// nodes is held twice, so that only the sum of its reactions is known.
std::string held_twice(const std::string &model, const std::string &modulus)
{
  const auto material = [&](const std::string &name, const std::string &value)
  {
    return "subsection Material " + name + "\n  set Model = " + model +
           "\n  set Density = 1000\n  set Young modulus = " + value +
           "\n  set Poisson ratio = 0.3\nend\n";
  };
  const auto block = [](const std::string &name, const std::string &height)
  {
    return "subsection Body " + name + "\n  set Material = " + name +
           "\n  subsection Mesh\n    set Type = box\n    set Origin = 0, " +
           height +
           "\n    set Size = 1, 0.5\n    set Divisions = 16, 8\n  end\nend\n";
  };
  return material("low", "1e6") + material("up", modulus) + block("low", "0") +
         block("up", "0.5") + R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.1
end
subsection Boundary condition base
  set Type     = fixed
  set Surfaces = low/bottom
end
subsection Boundary condition top
  set Type     = displacement
  set Surfaces = up/top
  set Value    = 0.02*t; -0.01*t
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction one
  set Candidates  = up/bottom
  set Antagonists = low/top
  set Law         = dry
  set Points      = nodes
end
subsection Interaction other
  set Candidates  = low/top
  set Antagonists = up/bottom
  set Law         = dry
  set Points      = nodes
end
subsection Output
  set Interval = 0
end
)";
}
} // namespace

TEST(Diagnoses, ContactsThatAreHeldTwiceAreSolved)
{
  for (const char *model : { "linear elastic", "neo-Hookean" })
    for (const char *modulus : { "1e6", "1e11" })
    {
      const test::TemporaryDirectory directory;
      const std::string file =
          test::write_case(directory, held_twice(model, modulus));
      double force = 0.;
      for (const char *solver :
           { "Newton", "auto", "global Newton", "global ADMM" })
      {
        SCOPED_TRACE(std::string(model) + ", " + modulus + ", " + solver);
        test::Results results;
        try
        {
          results = test::run_file<2>(
              file, { std::string("Contact solver/Solver=") + solver });
        }
        catch (const delassus::ComputationError &e)
        {
          // Slow where stiffnesses differ by 1e5, and says so.
          EXPECT_EQ(std::string(solver), "global ADMM");
          EXPECT_NE(std::string(e.what()).find("did not converge"),
                    std::string::npos)
              << e.what();
          continue;
        }
        EXPECT_TRUE(results.summary["trustworthy"].get<bool>());
        const double here = results.history.at("base:reaction_y").back();
        if (force == 0.)
          force = here;
        EXPECT_GT(std::abs(here), 1000.);
        EXPECT_LT(test::relative(here, force), 1e-6);
        // It slides, whatever the stiffness of the other block.
        EXPECT_LT(std::abs(results.history.at("base:reaction_x").back()),
                  0.3 * (1. + 1e-6) * std::abs(here));
      }
    }
}

TEST(Diagnoses, AFactorThatDoesNotFitIsTold)
{
  for (const char *model : { "linear elastic", "neo-Hookean" })
    for (const char *solver : { "global Newton", "global ADMM", "auto" })
    {
      SCOPED_TRACE(std::string(model) + ", " + solver);
      const test::TemporaryDirectory directory;
      const std::string file =
          test::write_case(directory, clamped(model, "80, 4"));
      std::string error;
      try
      {
        delassus::RunOptions options;
        options.quiet = true;
        delassus::Simulation<2> simulation(
            delassus::read_parameters(
                file,
                { std::string("Contact solver/Solver=") + solver,
                  "Linear solver/Memory limit=0.0015",
                  "Output/Directory=" + directory.path + "/run" }),
            options,
            MPI_COMM_SELF);
        simulation.run();
      }
      catch (const delassus::ComputationError &e)
      {
        error = e.what();
      }
      if (std::string(solver) == "auto")
      {
        EXPECT_EQ(error, "");
        continue;
      }
      EXPECT_NE(error.find("factor of all bodies and contacts"),
                std::string::npos)
          << error;
      EXPECT_NE(error.find("Memory limit"), std::string::npos) << error;
      EXPECT_NE(error.find("Solver = auto"), std::string::npos) << error;
      EXPECT_TRUE(
          std::filesystem::exists(directory.path + "/run/checkpoint.bin"));
    }
}
