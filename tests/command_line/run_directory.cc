// Run directories from outside: one run at a time, nothing written over
// unasked, checkpoints by the clock, full disks.
#include "compare_runs.h"
#include "run_program.h"

#include <map>

namespace
{
using namespace test;

/// Every file of a directory and what is in it.
std::map<std::string, std::string> content_of(const fs::path &directory)
{
  std::map<std::string, std::string> content;
  for (const auto &entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file())
      content[fs::relative(entry.path(), directory).string()] =
          bytes_of(entry.path());
  return content;
}

const std::string alone =
    "env -u OMPI_COMM_WORLD_SIZE -u PMIX_RANK -u PMI_SIZE";

class RunDirectory : public Program
{
protected:
  void SetUp() override
  {
    Program::SetUp();
    write("stack.prm", stack);
  }

  /// The processes of the rank @p rank that run in the scratch folder.
  std::vector<pid_t> ranks(const unsigned int rank) const
  {
    std::vector<pid_t> found;
    std::error_code error;
    for (const auto &process : fs::directory_iterator("/proc", error))
    {
      const fs::path cwd = fs::read_symlink(process.path() / "cwd", error);
      if (error || cwd != fs::canonical(folder, error))
        continue;
      // Strings that end with a zero each.
      const std::string environment =
          '\0' + bytes_of(process.path() / "environ");
      const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
      if (environment.find('\0' + wanted + '\0') != std::string::npos)
        found.push_back(std::stoi(process.path().filename().string()));
    }
    return found;
  }
};

TEST_F(RunDirectory, OneRunAtATime)
{
  // Longer than the test: ended at its end.
  const std::vector<std::string> arguments = {
    "run",           "stack.prm", "--output",
    "run",           "--quiet",   "--set",
    "Time/End=1000", "--set",     "Checks/If distorted=go on"
  };
  for (const bool with_ranks : { false, true })
  {
    auto all = arguments;
    if (with_ranks)
      all.insert(all.end(), { "--ranks", "2", "--overwrite" });
    // Nothing of the run before: the first checkpoint shows that the lock is
    // complete.
    fs::remove_all(folder / "run");
    const pid_t process = start(all);
    wait_for_file("run/run.lock");
    wait_for_file("run/checkpoint.bin");
    const std::string lock = read(folder / "run/run.lock");
    for (const std::string option :
         { "", " --overwrite", " --resume", " --overwrite --ranks 2" })
    {
      const auto second = run("run stack.prm --output run" + option, alone);
      EXPECT_EQ(second.exit_code, 2) << option << second.error;
      EXPECT_EQ(count(second.error, "delassus: error:"), 1u) << second.error;
      expect_parts(second.error,
                   { "A run is on", "'run'", "since 20", "--output" });
      if (!with_ranks)
        expect_parts(second.error,
                     { "process " + std::to_string(process) + " on host '" });
    }
    // Looking at it is allowed, and leaves its files alone.
    const auto check = run("check stack.prm --output run");
    EXPECT_EQ(check.exit_code, 0) << check.error;
    expect_parts(check.out, { "a run is on in 'run'" });
    EXPECT_FALSE(fs::exists(folder / "run/setup.vtu"));
    // Another directory is free.
    EXPECT_EQ(run("run stack.prm --output other --overwrite --quiet --set "
                  "Time/End=0.003")
                  .exit_code,
              0);
    EXPECT_EQ(read(folder / "run/run.lock"), lock);

    if (!with_ranks)
    {
      kill(process, SIGKILL);
      wait_for(process);
      // The lock of a dead process is told and taken over.
      const auto resumed =
          run("run stack.prm --output run --resume --set Time/End=0.003");
      EXPECT_EQ(resumed.exit_code, 2); // it is further
      EXPECT_FALSE(fs::exists(folder / "run/run.lock"));
      write("run/run.lock", lock);
      const auto anew =
          run("run stack.prm --output run --overwrite --set Time/End=0.003");
      EXPECT_EQ(anew.exit_code, 0) << anew.error;
      expect_parts(anew.out,
                   { "process " + std::to_string(process), "taken over" });
    }
    else
    {
      kill(process, SIGTERM);
      EXPECT_EQ(exit_code_of(process), 1);
    }
    EXPECT_FALSE(fs::exists(folder / "run/run.lock"));
  }
}

TEST_F(RunDirectory, NothingIsWrittenOverUnasked)
{
  const std::string run_stack = "run stack.prm --output run --set Time/End=";
  ASSERT_EQ(
      run(run_stack + "0.02 --set 'Contact solver/Dump steps=5'").exit_code, 0);
  write("run/notes.txt", "mine");
  write("run/vtu/mine_000001.vtu", "mine");
  const auto before = content_of(folder / "run");

  const auto again = run(run_stack + "0.003");
  EXPECT_EQ(again.exit_code, 2);
  expect_parts(
      again.error,
      { "'run' has the results of an earlier run (finished at t = 0.02",
        "delassus run stack.prm --set Time/End=0.003 --output run --overwrite",
        "--output DIR",
        "delassus run stack.prm --set Time/End=0.003 --output run --resume" });
  const auto on_ranks = run(run_stack + "0.003 --ranks 2", alone);
  EXPECT_EQ(on_ranks.exit_code, 2);
  EXPECT_EQ(count(on_ranks.error, "delassus: error:"), 1u) << on_ranks.error;
  // Wrong input is found before anything is removed.
  EXPECT_EQ(run(run_stack + "0.003 --overwrite --set 'Obstacle "
                            "ground/Point=0, 0.03'")
                .exit_code,
            2);
  EXPECT_EQ(content_of(folder / "run"), before);
  // Nor is a checkpoint alone lost.
  fs::create_directories(folder / "saved");
  fs::copy(folder / "run/checkpoint.bin", folder / "saved/checkpoint.bin");
  EXPECT_EQ(run("run stack.prm --output saved").exit_code, 2);
  EXPECT_EQ(bytes_of(folder / "saved/checkpoint.bin"),
            before.at("checkpoint.bin"));

  const auto replaced = run(run_stack + "0.003 --overwrite");
  EXPECT_EQ(replaced.exit_code, 0) << replaced.error;
  expect_parts(replaced.out, { "files of an earlier run removed from 'run'" });
  ASSERT_EQ(run("run stack.prm --output new --set Time/End=0.003").exit_code,
            0);
  auto there       = content_of(folder / "run");
  const auto fresh = content_of(folder / "new");
  // What the program has not written is still there.
  for (const char *name : { "notes.txt", "vtu/mine_000001.vtu" })
  {
    EXPECT_EQ(there[name], "mine");
    there.erase(name);
  }
  for (const auto &[name, content] : fresh)
    EXPECT_EQ(there.count(name), 1u) << name;
  EXPECT_EQ(there.size(), fresh.size());
  fs::remove(folder / "run/vtu/mine_000001.vtu");
  expect_same_files(folder / "new", folder / "run");

  // The complete parameters of a run, run again where they are.
  const std::string complete = read(folder / "run/parameters.prm");
  EXPECT_EQ(run("run run/parameters.prm --output run").exit_code, 2);
  EXPECT_EQ(run("run run/parameters.prm --output run --overwrite").exit_code,
            0);
  EXPECT_EQ(read(folder / "run/original.prm"), complete);
  // A directory with other files only is no run.
  fs::create_directories(folder / "mine");
  write("mine/notes.txt", "mine");
  EXPECT_EQ(
      run("run stack.prm --output mine --quiet --set Time/End=0.003").exit_code,
      0);
}

TEST_F(RunDirectory, CheckpointsByTheClock)
{
  // As many as the clock asks for: here after each step.
  const std::string arguments =
      "run stack.prm --quiet --set 'Output/Checkpoint steps=0' --set "
      "Time/End=0.012 --set 'Output/Checkpoint minutes=";
  ASSERT_EQ(run(arguments + "0' --output never").exit_code, 0);
  ASSERT_EQ(run(arguments + "1e-9' --output often --set "
                            "'Output/Checkpoints kept=4'")
                .exit_code,
            0);
  // No result depends on them.
  expect_same_files(folder / "never", folder / "often");
  // After the event and at the end.
  const auto n_kept = [&](const std::string &name)
  {
    unsigned int n = 0;
    for (const auto &file : fs::directory_iterator(folder / name))
      n += file.path().extension() == ".bin";
    return n;
  };
  EXPECT_EQ(n_kept("never"), 2u);
  EXPECT_EQ(n_kept("often"), 4u);
  // Each of the older ones will do, where newer ones are damaged.
  write("often/checkpoint.bin", "");
  fs::remove(folder / "often/checkpoint_previous.bin");
  write("often/checkpoint_previous_2.bin", "nothing");
  fs::remove(folder / "often/summary.json");
  const auto third = run("run stack.prm --output often --resume --set "
                         "'Output/Checkpoint steps=0' --set Time/End=0.012 "
                         "--set 'Output/Checkpoints kept=1'");
  EXPECT_EQ(third.exit_code, 0) << third.error;
  expect_parts(third.out, { "(0 bytes)", "(7 bytes)", "after step 9" });
  expect_same_files(folder / "never", folder / "often");
  EXPECT_EQ(n_kept("often"), 1u);

  // What is killed goes on from the last one.
  std::vector<std::string> killed = { "run",
                                      "stack.prm",
                                      "--quiet",
                                      "--set",
                                      "Output/Checkpoint steps=0",
                                      "--set",
                                      "Output/Checkpoint minutes=1e-9",
                                      "--output",
                                      "whole" };
  ASSERT_EQ(exit_code_of(start(killed)), 0);
  killed.back()       = "killed";
  const pid_t process = start(killed);
  wait_for_file("killed/checkpoint_previous.bin");
  kill(process, SIGKILL);
  wait_for(process);
  killed.push_back("--resume");
  EXPECT_EQ(exit_code_of(start(killed)), 0) << read(folder / "error.txt");
  expect_same_files(folder / "whole", folder / "killed");
}

TEST_F(RunDirectory, NobodyReadsTheOutput)
{
  // As `delassus run stack.prm | head -2`; the run would take minutes.
  for (const std::string ranks : { "", " --ranks 2" })
  {
    const std::string name = ranks.empty() ? "one" : "two";
    const std::string command =
        "cd '" + folder.string() + "' && (" + alone +
        " '" DELASSUS_PROGRAM
        "' run stack.prm --set Time/End=1000 --set Output/Interval=0 --verbose "
        "--output " +
        name + ranks + "; echo $? >code.txt) 2>error.txt | head -2 >out.txt";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read(folder / "code.txt"), "1\n");
    expect_parts(read(folder / "error.txt"), { "Interrupted", "--resume" });
    EXPECT_TRUE(fs::exists(folder / name / "checkpoint.bin"));
    EXPECT_FALSE(fs::exists(folder / name / "run.lock"));
  }
}

TEST_F(RunDirectory, ARankThatDiesIsNamed)
{
  const pid_t process = start({ "run",
                                "stack.prm",
                                "--ranks",
                                "2",
                                "--output",
                                "two",
                                "--quiet",
                                "--set",
                                "Time/End=1000" });
  wait_for_file("two/checkpoint.bin");
  const auto second = ranks(1);
  ASSERT_EQ(second.size(), 1u);
  const auto begin = Clock::now();
  kill(second[0], SIGKILL);
  EXPECT_EQ(exit_code_of(process), 1);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(60));
  const std::string error = read(folder / "error.txt");
  EXPECT_EQ(count(error, "delassus: error:"), 1u) << error;
  EXPECT_EQ(error.find("----"), std::string::npos) << error;
  expect_parts(
      error,
      { "rank 1 on host '",
        "signal 9 (Killed)",
        "delassus run stack.prm --set Time/End=1000 --output two --ranks "
        "2 --resume" });
  EXPECT_TRUE(ranks(0).empty());
}
} // namespace
