// Runs that are stopped, killed and resumed, from outside.
#include "compare_runs.h"
#include "run_program.h"

#include <random>

namespace
{
using namespace test;

/// A soft block between a foot and a platen: few steps of many iterations.
const char *pinch = R"(subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.25
end
subsection Material rubber
  set Model         = neo-Hookean
  set Density       = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Size      = 1, 1
    set Divisions = 40, 40
  end
end
subsection Boundary condition foot
  set Surfaces = block/bottom
end
subsection Obstacle platen
  set Point        = 0, 1
  set Normal       = 0, -1
  set Displacement = 0; -0.2 * t
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction top
  set Candidates  = block/top
  set Antagonists = platen
  set Law         = dry
  set Points      = nodes
end
subsection Output
  set Interval = 0.5
end
)";

class Resume : public Program
{
protected:
  void SetUp() override
  {
    Program::SetUp();
    write("stack.prm", stack);
  }

  /// Send @p signal when the run @p name has a checkpoint; returns the exit
  /// code.
  int stop_when_running(const std::vector<std::string> &arguments,
                        const std::string &name,
                        const int signal) const
  {
    const pid_t process = start(arguments);
    wait_for_file(name + "/checkpoint.bin");
    kill(process, signal);
    return exit_code_of(process);
  }

  /// Change one byte of a file, at a place in [0, 1].
  void damage(const std::string &file, const double place) const
  {
    std::fstream stream(folder / file,
                        std::ios::in | std::ios::out | std::ios::binary);
    const auto position = static_cast<std::streamoff>(
        place * (double(fs::file_size(folder / file)) - 1.));
    stream.seekg(position);
    const char byte = stream.get();
    stream.seekp(position);
    stream.put(byte ^ 0x10);
  }
};

TEST_F(Resume, KilledAtRandomMoments)
{
  const auto begin = Clock::now();
  ASSERT_EQ(run("run stack.prm --output whole --quiet").exit_code, 0);
  const double duration =
      std::chrono::duration<double>(Clock::now() - begin).count();

  std::mt19937 random(20240607);
  std::uniform_real_distribution<double> when(0.1, 0.9);
  unsigned int n_kills = 0;
  bool ended           = false;
  for (unsigned int attempt = 0; attempt < 12 && !ended; ++attempt)
  {
    // Before the first checkpoint a killed run starts anew.
    std::vector<std::string> arguments = {
      "run", "stack.prm", "--output", "killed", "--quiet"
    };
    arguments.push_back(
        fs::exists(folder / "killed/checkpoint.bin") ||
                fs::exists(folder / "killed/checkpoint_previous.bin")
            ? "--resume"
            : "--overwrite");
    const pid_t process = start(arguments);
    if (attempt < 7)
    {
      // The first ones early: the run may be faster than it was above.
      std::this_thread::sleep_for(std::chrono::duration<double>(
          (attempt < 2 ? 0.3 : 1.) * when(random) * duration));
      kill(process, SIGKILL);
    }
    const int status = wait_for(process);
    n_kills += WIFSIGNALED(status);
    ended = WIFEXITED(status);
    if (ended)
    {
      EXPECT_EQ(WEXITSTATUS(status), 0) << read(folder / "error.txt");
    }
  }
  EXPECT_TRUE(ended);
  EXPECT_GE(n_kills, 2u);
  expect_same_files(folder / "whole", folder / "killed");
  // Nothing that was not completed is left.
  for (const auto &file : fs::recursive_directory_iterator(folder / "killed"))
    EXPECT_EQ(file.path().string().find(".part"), std::string::npos)
        << file.path();
}

TEST_F(Resume, SignalsWriteACheckpoint)
{
  ASSERT_EQ(run("run stack.prm --output whole --quiet").exit_code, 0);
  for (const int signal : { SIGTERM, SIGINT, SIGHUP })
  {
    const std::string name = "stopped" + std::to_string(signal);
    EXPECT_EQ(
        stop_when_running(
            { "run", "stack.prm", "--output", name, "--quiet" }, name, signal),
        1);
    const std::string error = read(folder / "error.txt");
    EXPECT_EQ(count(error, "delassus: error:"), 1u) << error;
    const std::string command =
        "delassus run stack.prm --output " + name + " --resume";
    expect_parts(error, { "Interrupted after step", "To go on", command });
    expect_parts(read(folder / name / "summary.json"), { "Interrupted" });
    const auto outcome = run("run stack.prm --output " + name + " --resume");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    expect_parts(outcome.out, { "resumed after step" });
    expect_same_files(folder / "whole", folder / name);
    // Once more: it is finished.
    const auto again = run("run stack.prm --output " + name + " --resume");
    EXPECT_EQ(again.exit_code, 0) << again.error;
    expect_parts(again.out, { "is finished", name });
    EXPECT_EQ(read(folder / name / "log.txt").find("is finished"),
              std::string::npos);
  }
}

TEST_F(Resume, SignalsAreHeededInsideSteps)
{
  write("pinch.prm", pinch);
  for (const std::string n_ranks : { "1", "2" })
  {
    std::vector<std::string> arguments = {
      "run",   "pinch.prm", "--verbose",      "--ranks",
      n_ranks, "--output",  "whole" + n_ranks
    };
    ASSERT_EQ(exit_code_of(start(arguments)), 0) << read(folder / "error.txt");
    const std::string parts = "parts" + n_ranks;
    arguments.back()        = parts;
    unsigned int n_inside   = 0;
    int code                = 1;
    for (unsigned int attempt = 0; attempt < 20 && code != 0; ++attempt)
    {
      fs::remove(folder / "out.txt");
      const pid_t process = start(arguments);
      // In the middle of a step: after the first, second, ... iteration.
      const auto begin = Clock::now();
      while (attempt < 3 &&
             count(read(folder / "out.txt"), "iteration ") < attempt + 1 &&
             Clock::now() - begin < std::chrono::seconds(120))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (attempt < 3)
        kill(process, SIGTERM);
      code                    = exit_code_of(process);
      const std::string error = read(folder / "error.txt");
      n_inside += count(error, "delassus: error: Interrupted in step");
      EXPECT_NE(code, 2) << error;
      if (attempt == 0)
        arguments.push_back("--resume");
    }
    EXPECT_EQ(code, 0);
    EXPECT_GE(n_inside, 1u);
    expect_same_files(folder / ("whole" + n_ranks), folder / parts);
  }
}

TEST_F(Resume, SignalsReachAllRanks)
{
  ASSERT_EQ(run("run stack.prm --ranks 2 --output whole --quiet",
                "env -u OMPI_COMM_WORLD_SIZE -u PMIX_RANK -u PMI_SIZE")
                .exit_code,
            0);
  const std::vector<std::string> arguments = { "run",    "stack.prm", "--ranks",
                                               "2",      "--output",  "two",
                                               "--quiet" };
  EXPECT_EQ(stop_when_running(arguments, "two", SIGINT), 1);
  const std::string error = read(folder / "error.txt");
  EXPECT_EQ(count(error, "delassus: error:"), 1u) << error;
  expect_parts(error, { "Interrupted after step", "--ranks 2 --resume" });
  const auto outcome =
      run("run stack.prm --ranks 2 --output two --quiet --resume",
          "env -u OMPI_COMM_WORLD_SIZE -u PMIX_RANK -u PMI_SIZE");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  expect_same_files(folder / "whole", folder / "two");
}

TEST_F(Resume, NothingToResume)
{
  const auto nothing = run("run stack.prm --output nowhere --resume");
  EXPECT_EQ(nothing.exit_code, 2);
  expect_parts(nothing.error, { "no checkpoint", "'nowhere'" });
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
}

TEST_F(Resume, DamagedCheckpoints)
{
  ASSERT_EQ(
      run("run stack.prm --output run --quiet --set Time/End=0.005").exit_code,
      0);
  const std::string last = "run/checkpoint.bin",
                    old  = "run/checkpoint_previous.bin";
  ASSERT_TRUE(fs::exists(folder / old));
  const std::string good = bytes_of(folder / last);
  const std::string arguments =
      "run stack.prm --output run --set Time/End=0.006 --resume";
  const auto resume_with = [&](const std::string &content)
  {
    std::ofstream(folder / last, std::ios::binary) << content;
    return run(arguments);
  };

  // The one before is not touched by a refusal.
  fs::rename(folder / old, folder / "kept.bin");
  const std::string history = read(folder / "run/history.csv");
  const auto cut            = resume_with(good.substr(0, good.size() / 2));
  EXPECT_EQ(cut.exit_code, 2);
  expect_parts(cut.error, { "checkpoint.bin", "not complete" });
  const auto empty = resume_with("");
  EXPECT_EQ(empty.exit_code, 2);
  expect_parts(empty.error, { "not complete (0 bytes)" });
  const auto foreign = resume_with("step,time\n1,2\n3,4\n5,6\n7,8\n9,10\n");
  EXPECT_EQ(foreign.exit_code, 2);
  expect_parts(foreign.error, { "not a checkpoint of delassus" });
  const auto longer = resume_with(good + "x");
  EXPECT_EQ(longer.exit_code, 2);
  expect_parts(longer.error, { "damaged" });
  for (const double place : { 0.001, 0.02, 0.3, 0.7, 1. })
  {
    std::ofstream(folder / last, std::ios::binary) << good;
    damage(last, place);
    const auto damaged = run(arguments);
    EXPECT_EQ(damaged.exit_code, 2) << place;
    expect_parts(damaged.error, { "checkpoint.bin" });
  }
  std::string other_version = good;
  other_version[12] += 1;
  const auto version = resume_with(other_version);
  EXPECT_EQ(version.exit_code, 2);
  expect_parts(version.error, { "version" });
  EXPECT_EQ(read(folder / "run/history.csv"), history);

  // With the one before, the run goes on from there.
  fs::rename(folder / "kept.bin", folder / old);
  const auto resumed = resume_with(good.substr(0, 1000));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  expect_parts(resumed.out,
               { "not complete", "the checkpoint before", "after step 4" });
  ASSERT_EQ(run("run stack.prm --output whole --quiet --set Time/End=0.006")
                .exit_code,
            0);
  expect_same_files(folder / "whole", folder / "run");
}

TEST_F(Resume, ChangesOfTheParameterFile)
{
  ASSERT_EQ(
      run("run stack.prm --output run --quiet --set Time/End=0.004").exit_code,
      0);
  const auto resume = [&](const std::string &more)
  { return run("run stack.prm --output run --resume " + more); };
  const std::string longer = "--set Time/End=0.006 ";

  const auto step = resume(longer + "--set Time/Step=2e-3 --set 'Material "
                                    "stone/Density=501'");
  EXPECT_EQ(step.exit_code, 2);
  expect_parts(step.error,
               { "'Time/Step' = '2e-3' (in the checkpoint: '1e-3')",
                 "'Material stone/Density' = '501'" });
  const auto mesh = resume(longer + "--set 'Body wall/Mesh/Courses=4'");
  EXPECT_EQ(mesh.exit_code, 2);
  expect_parts(mesh.error, { "'Body wall/Mesh/Courses' = '4'" });
  const auto event = resume(longer + "--set 'Event half/Time=0.0035'");
  EXPECT_EQ(event.exit_code, 2);
  expect_parts(event.error, { "'Event half/Time'" });
  const auto earlier =
      run("run stack.prm --output run --resume --set Time/End=0.002 --set "
          "'Event half/Time=0.001'");
  EXPECT_EQ(earlier.exit_code, 2);

  // A table that is not the run's.
  const std::string history = read(folder / "run/history.csv");
  write("run/history.csv", "step,time\n");
  const auto table = resume(longer);
  EXPECT_EQ(table.exit_code, 2);
  expect_parts(table.error, { "history.csv", "columns" });
  write("run/history.csv", history.substr(0, history.size() / 2));
  const auto shorter = resume(longer);
  EXPECT_EQ(shorter.exit_code, 2);
  expect_parts(shorter.error, { "history.csv" });
  // What comes after the checkpoint is cut, a torn line too.
  write("run/history.csv", history + "5,0.005,1,2\n6,0.0");

  // The same value in other words, and what does not matter.
  const auto fine = resume(longer + "--set Time/Step=0.001 --set 'Contact "
                                    "solver/Tolerance=1e-6' --set "
                                    "Output/Interval=0.002 --set Title=Other");
  EXPECT_EQ(fine.exit_code, 0) << fine.error;
  std::istringstream rows(read(folder / "run/history.csv"));
  std::string row;
  std::getline(rows, row);
  for (unsigned int n = 1; n <= 6; ++n)
  {
    ASSERT_TRUE(std::getline(rows, row)) << n;
    EXPECT_EQ(row.substr(0, row.find(',')), std::to_string(n));
  }
  EXPECT_FALSE(std::getline(rows, row));
}

TEST_F(Resume, ANewRunForgetsOldCheckpoints)
{
  // Checkpoints after events come too: the only one of these comes with the
  // end.
  const std::string arguments = "run stack.prm --output run --quiet "
                                "--overwrite --set Time/End=0.004 --set "
                                "'Event half/Time=0.004'";
  ASSERT_EQ(run(arguments).exit_code, 0);
  EXPECT_TRUE(fs::exists(folder / "run/checkpoint_previous.bin"));
  // Only one at the end.
  ASSERT_EQ(run(arguments + " --set 'Output/Checkpoint steps=0'").exit_code, 0);
  EXPECT_TRUE(fs::exists(folder / "run/checkpoint.bin"));
  EXPECT_FALSE(fs::exists(folder / "run/checkpoint_previous.bin"));
  // By time: steps 2 and 4.
  ASSERT_EQ(run(arguments + " --set 'Output/Checkpoint steps=0' --set "
                            "'Output/Checkpoint interval=0.002'")
                .exit_code,
            0);
  EXPECT_TRUE(fs::exists(folder / "run/checkpoint_previous.bin"));
}
} // namespace
