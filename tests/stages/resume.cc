// Stages that are stopped and resumed, with others after them, and on several
// ranks.
#include "staged_case.h"

#include <tuple>

using namespace test;

namespace
{
/// A finite strain block between the ground and a tool: pressed without
/// inertia, let go at its side, then without the tool, in motion.
const std::string common = R"(
set Gravity = 0, -9.81
subsection Time
  set Step  = 1e-3
end
subsection Material rubber
  set Model = neo-Hookean
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 0.4, 0.2
    set Divisions = 8, 4
  end
end
subsection Boundary condition side
  set Type = fixed
  set Surfaces = block/left
  set Components = x
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Obstacle tool
  set Normal = 0, -1
  set Point = 0, 0.2
  set Displacement = 0; -1*t
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction foot
  set Candidates  = block/bottom
  set Antagonists = ground
  set Law = dry
end
subsection Interaction press
  set Candidates  = block/top
  set Antagonists = tool
  set Law = dry
end
subsection Newton
  set Tolerance = 1e-9
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Output
  set Interval steps = 5
end
subsection Probe corner
  set Point = 0.4, 0.2
end
)";

const std::string stages = R"(
subsection Stage press
  set End    = 0.01
  set Scheme = quasi static
end
subsection Stage release
  set End      = 0.0195
  set Scheme   = quasi static
  set At start = release side
end
subsection Stage fly
  set End      = 0.03
  set Step     = 5e-4
  set Theta    = 0.5
  set Tools    = ground
  set At start = checkpoint
end
)";
const std::string fly_on = R"(
subsection Stage fall
  set End      = 0.035
  set At start = zero velocity, write
end
)";
} // namespace

TEST(ResumedStages, BitForBit)
{
  // In the middle of stages, at their ends, and between.
  StagedCase run(common + stages);
  run.run<2>("whole");
  run.run<2>("parts", false, 0.004);
  run.run<2>("parts", true, 0.01);
  run.run<2>("parts", true, 0.013);
  run.run<2>("parts", true, 0.0195);
  run.run<2>("parts", true, 0.02);
  run.run<2>("parts", true, 0.025);
  run.run<2>("parts", true);
  if (my_rank() == 0)
    expect_same_staged_runs(run.path + "/whole", run.path + "/parts");
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(ResumedStages, LinearBodies)
{
  std::string text        = common + stages;
  const std::string model = "set Model = neo-Hookean";
  text.replace(text.find(model), model.size(), "");
  StagedCase run(text);
  run.run<2>("whole");
  for (const double stop : { 0.01, 0.013, 0.0195, 0.025 })
    run.run<2>("parts", stop > 0.01, stop);
  run.run<2>("parts", true);
  if (my_rank() == 0)
    expect_same_staged_runs(run.path + "/whole", run.path + "/parts");
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(ResumedStages, OnOneRankAndOnAll)
{
  StagedCase alone(common + stages, MPI_COMM_SELF);
  alone.run<2>("run");
  StagedCase together(common + stages);
  together.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto a = alone.results("run"), b = together.results("run");
  for (const char *column : { "foot:force_y",
                              "press:force_y",
                              "side:reaction_x",
                              "corner:u_x",
                              "corner:u_y",
                              "corner:v_y",
                              "corner:stress_yy" })
  {
    const auto &x = a.history.at(column), &y = b.history.at(column);
    ASSERT_EQ(x.size(), y.size());
    double largest = 0.;
    for (const double value : x)
      largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], y[i], 1e-5 * largest) << column << " row " << i;
  }
}

TEST(ResumedStages, OnOtherRanks)
{
  // Stopped on all ranks while a condition is let go, resumed on one.
  StagedCase run(common + stages);
  run.run<2>("whole");
  run.run<2>("parts", false, 0.013);
  if (my_rank() == 0)
  {
    delassus::RunOptions options;
    options.quiet = options.resume = true;
    delassus::run_simulation<2>(
        delassus::read_parameters(
            run.path + "/case.prm",
            { "Output/Directory=" + run.path + "/parts" }),
        options,
        MPI_COMM_SELF);
    const auto a = run.results("whole"), b = run.results("parts");
    for (const char *column :
         { "foot:force_y", "press:force_y", "corner:u_x", "corner:u_y" })
    {
      const auto &x = a.history.at(column), &y = b.history.at(column);
      ASSERT_EQ(x.size(), y.size());
      double largest = 0.;
      for (const double value : x)
        largest = std::max(largest, std::abs(value));
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(x[i], y[i], 1e-5 * largest) << column << " row " << i;
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(ResumedStages, AStageThatFailsAtOnceMayBeChanged)
{
  // Nothing holds the block against the reaction that is let go, and there is
  // no inertia: with other supports the run goes on from the stage before.
  const std::string press = stages.substr(0, stages.find("subsection Stage r"));
  const std::string alone = "subsection Stage alone\n  set End = 0.02\n"
                            "  set Scheme = quasi static\n";
  StagedCase run(common + press + alone +
                 "  set Tools = none\n  set At start = release side\nend\n");
  EXPECT_THROW(run.run<2>("run"), delassus::ComputationError);
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0)
    run.write(common + press + alone + "end\n");
  run.run<2>("run", true);
  if (my_rank() == 0)
  {
    EXPECT_EQ(run.results("run").history.at("time").back(), 0.02);
    EXPECT_EQ(run.results("run").summary["stages"].size(), 2u);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(ResumedStages, LaterStagesMayBeOthers)
{
  const auto replaced =
      [](std::string text, const std::string &from, const std::string &to)
  {
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  // A run that was stopped in its second stage goes on with another third and a
  // fourth one: as if it had been told so from the start.
  const std::string other =
      common + replaced(stages, "set Step     = 5e-4", "set Step     = 7e-4") +
      fly_on;
  StagedCase run(other);
  run.run<2>("whole");
  if (my_rank() == 0)
    run.write(common + stages);
  run.run<2>("parts", false, 0.013);
  if (my_rank() == 0)
    run.write(other);
  run.run<2>("parts", true);
  if (my_rank() == 0)
    expect_same_staged_runs(run.path + "/whole", run.path + "/parts");
  MPI_Barrier(MPI_COMM_WORLD);

  // A finished run goes on with one more.
  if (my_rank() == 0)
    run.write(common + stages);
  run.run<2>("longer");
  if (my_rank() == 0)
    run.write(common + stages + fly_on);
  run.run<2>("longer", true);
  if (my_rank() == 0)
  {
    EXPECT_EQ(run.results("longer").summary["stages"].size(), 4u);
    EXPECT_EQ(run.results("longer").history.at("time").back(), 0.035);
  }

  // The stage it is in, and those before, are what they were.
  run.run<2>("refused", false, 0.0265, {});
  const auto refusal = [&](const std::string &text)
  {
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank() == 0)
      run.write(text);
    MPI_Barrier(MPI_COMM_WORLD);
    std::string message;
    try
    {
      run.run<2>("refused", true);
    }
    catch (const delassus::InputError &e)
    {
      message = e.what();
    }
    return message;
  };
  const std::string whole = common + stages + fly_on;
  for (const auto &[from, to, told] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           { "set End    = 0.01\n", "set End    = 0.011\n", "Stage press/End" },
           { "set Theta    = 0.5", "set Theta    = 0.6", "Stage fly/Theta" },
           { "set Tools    = ground", "set Tools    = all", "Stage fly/Tools" },
           { "Stage press\n", "Stage squeeze\n", "'Stages'" } })
  {
    const std::string message = refusal(replaced(whole, from, to));
    EXPECT_NE(message.find(told), std::string::npos) << message;
    EXPECT_NE(message.find("other stages after"), std::string::npos) << message;
  }
  EXPECT_EQ(refusal(whole), "");
}

TEST(OneStage, GivesTheBitsOfAFileWithout)
{
  StagedCase plain(common), staged(common + R"(
subsection Stage all
  set End = 0.0155
end
)");
  plain.run<2>("run", false, 0., { "Time/End=0.0155" });
  staged.run<2>("run");
  if (my_rank() != 0)
    return;
  for (const char *table : { "/run/history.csv", "/run/energy.csv" })
  {
    std::string text          = bytes_of(staged.path + table), without;
    const std::string words[] = { ",stage\n", ",all\n" };
    std::size_t row           = 0;
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; ++row)
    {
      std::string line        = text.substr(0, end + 1);
      const std::string &word = words[row == 0 ? 0 : 1];
      ASSERT_GE(line.size(), word.size());
      EXPECT_EQ(line.substr(line.size() - word.size()), word);
      without += line.substr(0, line.size() - word.size()) + "\n";
      text.erase(0, end + 1);
    }
    EXPECT_TRUE(without == bytes_of(plain.path + table)) << table;
  }
  for (const auto &name : result_files(plain.path + "/run"))
    if (name.find("contact") != std::string::npos)
    {
      // But for the name of the stage.
      std::string text        = bytes_of(staged.path + "/run/" + name);
      const std::string begin = "<FieldData>", end = "</FieldData>\n";
      const auto field = text.find(begin);
      EXPECT_EQ(field != std::string::npos,
                name.find(".vtu") != std::string::npos)
          << name;
      if (field != std::string::npos)
        text.erase(field, text.find(end) + end.size() - field);
      EXPECT_TRUE(bytes_of(plain.path + "/run/" + name) == text) << name;
    }
}
