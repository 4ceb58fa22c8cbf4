// The built program from outside: exit codes and what is printed.
#include "run_program.h"

#include <regex>
#include <thread>

namespace
{
using namespace test;

/// A block that falls on the ground in a few steps.
const char *block = R"(set Title   = One block
set Gravity = 0, -10
subsection Time
  set End  = 4e-3
  set Step = 1e-3
end
subsection Material stone
  set Density       = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body stone
  set Material = stone
  subsection Mesh
    set Type = box
    set Size = 0.1, 0.05
  end
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Interaction base
  set Candidates  = stone
  set Antagonists = ground
  set Law         = dry
end
subsection Output
  set Interval steps = 2
end
)";

TEST_F(Program, VersionAndHelp)
{
  const auto version = run("--version");
  EXPECT_EQ(version.exit_code, 0);
  expect_parts(version.out, { "delassus ", "deal.II ", "Trilinos ", "Gmsh " });
  const auto help = run("--help");
  EXPECT_EQ(help.exit_code, 0);
  expect_parts(help.out,
               { "run",
                 "check",
                 "parameters",
                 "examples",
                 "verify",
                 "solve",
                 "Exit codes" });
  const auto run_help = run("run --help");
  EXPECT_EQ(run_help.exit_code, 0);
  expect_parts(run_help.out,
               { "FILE",
                 "--set",
                 "--output",
                 "--ranks",
                 "--quiet",
                 "--verbose",
                 "--resume",
                 "--overwrite" });
  EXPECT_EQ(run("").exit_code, 2);
}

TEST_F(Program, WrongUsage)
{
  const auto command = run("rnu x.prm");
  EXPECT_EQ(command.exit_code, 2);
  expect_parts(command.error,
               { "delassus: error:", "'rnu'", "Did you mean 'run'?" });
  for (const std::string arguments : { "run",
                                       "run x.prm --nothing",
                                       "run x.prm --ranks none",
                                       "run x.prm --ranks 0",
                                       "run x.prm --quiet --verbose",
                                       "run x.prm --resume --overwrite",
                                       "--hlep" })
  {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(count(outcome.error, "delassus: error:"), 1u)
        << arguments << outcome.error;
  }
}

TEST_F(Program, ParametersAreDescribed)
{
  const auto all = run("parameters");
  EXPECT_EQ(all.exit_code, 0);
  expect_parts(all.out,
               { "subsection Time", "set Theta = 1", "subsection Body" });
  const auto one = run("parameters 'Contact solver'");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.out.find("Theta"), std::string::npos);
  const auto wrong = run("parameters Tyme");
  EXPECT_EQ(wrong.exit_code, 2);
  expect_parts(wrong.error, { "delassus: error:", "Did you mean 'Time'?" });
  const auto part = run("parameters contact");
  EXPECT_EQ(part.exit_code, 2);
  expect_parts(part.error, { "'Contact law' or 'Contact solver'?" });
}

TEST_F(Program, OutputThatCannotBeWrittenIsAnError)
{
  if (!fs::exists("/dev/full"))
    GTEST_SKIP();
  write("block.prm", block);
  for (const std::string arguments : { "parameters",
                                       "parameters Time",
                                       "examples",
                                       "--version",
                                       "--help",
                                       "check block.prm" })
  {
    const std::string command = "cd '" + folder.string() +
                                "' && '" DELASSUS_PROGRAM "' " + arguments +
                                " >/dev/full 2>error.txt";
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << arguments;
    EXPECT_EQ(count(read(folder / "error.txt"), "delassus: error:"), 1u)
        << arguments;
  }
}

TEST_F(Program, ExamplesAreListed)
{
  const auto outcome = run("examples");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const auto &file :
       fs::directory_iterator(DELASSUS_SOURCE_DIR "/parameter_files"))
    if (file.path().extension() == ".prm")
      expect_parts(outcome.out, { file.path().filename().string() });
}

TEST_F(Program, VerificationCases)
{
  const auto list = run("verify --list");
  EXPECT_EQ(list.exit_code, 0);
  expect_parts(list.out, { "incline", "quick", "bar_bounce" });
  const auto wrong = run("verify inclyne");
  EXPECT_EQ(wrong.exit_code, 2);
  expect_parts(wrong.error, { "'inclyne'", "Did you mean 'incline'?" });
  EXPECT_EQ(run("verify incline --all").exit_code, 2);
  const auto folder_missing =
      run("verify amplification --markdown nowhere/x.md");
  EXPECT_EQ(folder_missing.exit_code, 2);
  const auto one = run("verify amplification --markdown table.md");
  EXPECT_EQ(one.exit_code, 0) << one.out << one.error;
  expect_parts(one.out, { "quantity", "tolerance", "1 of 1 cases passed" });
  expect_parts(read(folder / "table.md"), { "## amplification", "| passed |" });
  EXPECT_TRUE(fs::exists(folder / "results/verification/amplification"));
}

TEST_F(Program, WrongInput)
{
  const auto missing = run("run nothing.prm");
  EXPECT_EQ(missing.exit_code, 2);
  expect_parts(missing.error, { "delassus: error:", "nothing.prm" });
  write("block.prm", block);
  const auto set = run("run block.prm --set 'Time/Stp=1'");
  EXPECT_EQ(set.exit_code, 2);
  expect_parts(set.error, { "--set \"Time/Stp=1\"", "Did you mean 'Step'?" });
  // Names that only the mesh knows.
  const auto surface =
      run("check block.prm --set 'Interaction base/Candidates=stone/botom'");
  EXPECT_EQ(surface.exit_code, 2);
  expect_parts(surface.error,
               { "delassus: error: --set \"Interaction "
                 "base/Candidates=stone/botom\": section 'Interaction base', "
                 "entry 'Candidates' = 'stone/botom'",
                 "Did you mean 'stone/bottom'?" });
  EXPECT_FALSE(fs::exists(folder / "results"));
}

TEST_F(Program, RunsAndChecks)
{
  write("block.prm", block);
  const auto check = run("check block.prm --output 'checked here'");
  EXPECT_EQ(check.exit_code, 0) << check.error;
  expect_parts(check.out, { "stone", "ground" });
  EXPECT_FALSE(fs::exists(folder / "checked here/history.csv"));

  const auto done =
      run("run block.prm --output 'run here' --set 'Title=Two words'");
  EXPECT_EQ(done.exit_code, 0) << done.error;
  for (const std::string file : { "original.prm",
                                  "parameters.prm",
                                  "history.csv",
                                  "energy.csv",
                                  "summary.json",
                                  "log.txt",
                                  "solution.pvd",
                                  "contact.pvd" })
    EXPECT_TRUE(fs::exists(folder / "run here" / file)) << file;
  EXPECT_EQ(read(folder / "run here/original.prm"), block);
  expect_parts(read(folder / "run here/parameters.prm"),
               { "set Title", "Two words", "set Theta " });
  // The complete parameters run too, and give the same.
  const auto again =
      run("run 'run here/parameters.prm' --output again --quiet");
  EXPECT_EQ(again.exit_code, 0) << again.error;
  EXPECT_EQ(again.out, "");
  EXPECT_EQ(read(folder / "run here/history.csv"),
            read(folder / "again/history.csv"));
}

TEST_F(Program, ChecksRefuseWhatRunsRefuse)
{
  write("block.prm", block);
  const std::string inside = " block.prm --set 'Obstacle ground/Point=0, 0.03'";
  for (const std::string command : { "check", "run" })
  {
    const auto outcome = run(command + inside);
    EXPECT_EQ(outcome.exit_code, 2) << command << outcome.error;
    EXPECT_EQ(count(outcome.error, "delassus: error:"), 1u) << outcome.error;
    expect_parts(outcome.error,
                 { "inside what it should touch", "the deepest by" });
  }
  // Check has told all before.
  expect_parts(run("check" + inside).out, { "rigid motions", "memory" });
  const auto on_ranks =
      run("check" + inside + " --ranks 2",
          "env -u OMPI_COMM_WORLD_SIZE -u PMIX_RANK -u PMI_SIZE");
  EXPECT_EQ(on_ranks.exit_code, 2);
  EXPECT_EQ(count(on_ranks.error, "delassus: error:"), 1u) << on_ranks.error;
}

TEST_F(Program, WordsOfARun)
{
  write("block.prm", block);
  const auto one = run("run block.prm --set Time/End=1e-3 --verbose");
  EXPECT_EQ(one.exit_code, 0) << one.error;
  expect_parts(one.out,
               { "1 body, 1 piece,", "1 step to t = 0.001 in ", " s:" });
  // More is said of steps and of times.
  expect_parts(one.out,
               { "step 1, t = 0.001: ", "wall time", "contact solver" });
  std::istringstream log(read(folder / "results/block/log.txt"));
  for (std::string line; std::getline(log, line);)
    EXPECT_TRUE(std::regex_search(
        line, std::regex(R"(^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d  )")))
        << line;
  const auto plain = run("run block.prm --overwrite");
  EXPECT_EQ(plain.out.find("step 1, t"), std::string::npos) << plain.out;
  expect_parts(plain.out, { "4 steps to t = 0.004 in " });
}

TEST_F(Program, WarningsArePrintedOnce)
{
  write("block.prm",
        std::string(block) + "subsection Contact law unused\n"
                             "  set Friction = 0.1\nend\n");
  const std::string warning = "no interaction uses this law";
  const auto loud           = run("run block.prm");
  EXPECT_EQ(loud.exit_code, 0) << loud.error;
  EXPECT_EQ(count(loud.out + loud.error, warning), 1u)
      << loud.out << loud.error;
  const auto quiet = run("run block.prm --quiet --output quiet");
  EXPECT_EQ(quiet.exit_code, 0) << quiet.error;
  EXPECT_EQ(quiet.out + quiet.error, "");
  EXPECT_EQ(count(read(folder / "quiet/log.txt"), warning), 1u);
  const auto check = run("check block.prm");
  EXPECT_EQ(count(check.out + check.error, warning), 1u);
}

TEST_F(Program, EmptyValuesTakeEntriesBack)
{
  write("block.prm", block);
  const auto outcome = run("check block.prm --set 'Gravity='");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  const auto step = run("check block.prm --set 'Time/Step='");
  EXPECT_EQ(step.exit_code, 2);
  expect_parts(step.error, { "'Step' = ''", "must be given" });
  const auto many = run("check block.prm --set 'Time/Step=1e-14'");
  EXPECT_EQ(many.exit_code, 2);
  expect_parts(many.error, { "4e+11 steps", "2147483647" });
}

TEST_F(Program, FailedComputationsAreSaid)
{
  write("block.prm", block);
  // Coupled contacts cannot converge in one sweep to less than rounding.
  const auto outcome =
      run("run block.prm --set 'Interaction base/Points=nodes' --set 'Contact "
          "solver/Maximum sweeps=1' --set "
          "'Contact solver/Tolerance=1e-300' --set "
          "'Contact solver/If not converged=stop' --set 'Obstacle "
          "ground/Displacement=0;10*t*t'");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_EQ(count(outcome.error, "delassus: error:"), 1u) << outcome.error;
}

TEST_F(Program, RanksByItself)
{
  write("block.prm", block);
  const std::string alone =
      "env -u OMPI_COMM_WORLD_SIZE -u PMIX_RANK -u PMI_SIZE";
  const auto done = run("run block.prm --ranks 2 --output two --quiet", alone);
  EXPECT_EQ(done.exit_code, 0) << done.error;
  EXPECT_TRUE(fs::exists(folder / "two/summary.json"));
  // An error on two ranks is printed once and ends both.
  const auto wrong = run("run block.prm --ranks 2 --set 'Time/Stp=1'", alone);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(count(wrong.error, "delassus: error:"), 1u) << wrong.error;
  // What a batch job sets does not make this process a rank.
  const auto batch = run("check block.prm --ranks 2",
                         alone + " SLURM_PROCID=0 SLURM_JOB_ID=1 PMIX_RANK=0");
  EXPECT_EQ(batch.exit_code, 0) << batch.error;
  expect_parts(batch.out, { "stone" });
  const auto usage =
      run("run block.prm --ranks 3", "mpirun -np 2 --oversubscribe");
  EXPECT_EQ(usage.exit_code, 2);
  EXPECT_EQ(count(usage.error, "delassus: error:"), 1u) << usage.error;
}

TEST_F(Program, NoEscapesInFilesWithRanks)
{
  write("block.prm", block);
  const std::string alone =
      "env -u OMPI_COMM_WORLD_SIZE -u PMIX_RANK -u PMI_SIZE "
      "-u DELASSUS_TERMINAL";
  for (const std::string ranks : { "", " --ranks 1", " --ranks 2" })
  {
    const auto outcome = run("run block.prm --overwrite" + ranks, alone);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NE(outcome.out, "");
    EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos) << outcome.out;
    EXPECT_EQ(count(outcome.out, "\r"), count(outcome.out, "\r\n"))
        << outcome.out;
  }
  const auto by_hand =
      run("run block.prm --overwrite", alone + " mpirun -np 2 --oversubscribe");
  EXPECT_EQ(by_hand.exit_code, 0) << by_hand.error;
  EXPECT_EQ(by_hand.out.find('\x1b'), std::string::npos) << by_hand.out;
  // Where the one who starts it says so, the bar is drawn.
  const auto told =
      run("run block.prm --overwrite", alone + " DELASSUS_TERMINAL=1");
  EXPECT_NE(told.out.find('\x1b'), std::string::npos) << told.out;
}

TEST_F(Program, PicturesOfNothing)
{
  if (std::system("python3 --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "no python3";
  fs::create_directories(folder / "empty");
  fs::create_directories(folder / "no results");
  write("no results/solution.pvd",
        "<?xml version=\"1.0\"?>\n<VTKFile><Collection/></VTKFile>\n");
  for (const std::string script : { "picture.py", "sheet.py" })
    for (const std::string directory : { "missing", "empty", "no results" })
    {
      const std::string command =
          "cd '" + folder.string() +
          "' && python3 '" DELASSUS_SOURCE_DIR "/postprocess/" + script +
          "' '" + directory + "' >out.txt 2>error.txt";
      const int status        = std::system(command.c_str());
      const std::string error = read(folder / "error.txt");
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << error;
      EXPECT_EQ(count(error, "\n"), 1u) << error;
      expect_parts(error, { directory });
    }
}

TEST_F(Program, LauncherTellsItsCommands)
{
  const int status =
      std::system(("'" DELASSUS_SOURCE_DIR "/delassus' --help >'" +
                   (folder / "out.txt").string() + "' 2>&1")
                      .c_str());
  EXPECT_EQ(status, 0);
  expect_parts(read(folder / "out.txt"),
               { "build", "test", "install", "picture", "run" });
}

TEST_F(Program, LauncherLeavesTheBuildOfAnotherFolder)
{
  // Stand-ins for CMake and for all packages being there.
  fs::create_directories(folder / "bin");
  write("bin/cmake", "#!/bin/sh\necho \"$@\" >>calls\n");
  write("bin/dpkg-query", "#!/bin/sh\necho installed\n");
  write("bin/apt-get", "#!/bin/sh\nexit 1\n");
  for (const char *file : { "bin/cmake", "bin/dpkg-query", "bin/apt-get" })
    fs::permissions(folder / file, fs::perms::owner_all);
  fs::create_directories(folder / "clone/build");
  fs::copy(DELASSUS_SOURCE_DIR "/delassus", folder / "clone/delassus");
  const auto build = [&](const std::string &environment)
  {
    const int status = std::system(
        ("cd '" + folder.string() +
         "' && env -u DELASSUS_BUILD_DIR -u DELASSUS_JOBS PATH=\"$PWD/bin:"
         "$PATH\" OMP_NUM_THREADS=1 " +
         environment + " clone/delassus build >out.txt 2>error.txt")
            .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const auto copied = [&](const std::string &home)
  {
    write("clone/build/CMakeCache.txt",
          "CMAKE_HOME_DIRECTORY:INTERNAL=" + home + "\n");
    write("clone/build/object.o", "");
  };
  copied(folder.string() + "/clone");
  EXPECT_EQ(build(""), 0) << read(folder / "error.txt");
  EXPECT_TRUE(fs::exists(folder / "clone/build/object.o"));
  copied("/somewhere/else");
  // A folder that was named is not removed.
  EXPECT_EQ(build("DELASSUS_BUILD_DIR=\"$PWD/clone/build\""), 2);
  expect_parts(read(folder / "error.txt"), { "/somewhere/else" });
  EXPECT_TRUE(fs::exists(folder / "clone/build/object.o"));
  EXPECT_EQ(build(""), 0) << read(folder / "error.txt");
  expect_parts(read(folder / "error.txt"), { "copy of another clone" });
  EXPECT_FALSE(fs::exists(folder / "clone/build/object.o"));
  // The number of compilers is not that of the program's threads.
  const unsigned int n_cores = std::thread::hardware_concurrency();
  const double memory =
      double(sysconf(_SC_AVPHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE));
  if (n_cores > 1 && memory > 4e9)
  {
    EXPECT_EQ(read(folder / "calls").find("--parallel 1\n"), std::string::npos)
        << read(folder / "calls");
  }
}

TEST_F(Program, PicturesGetASecondTry)
{
  // Stand-ins for ParaView and Xvfb: the first N calls are aborted.
  fs::create_directories(folder / "bin");
  write("bin/pvbatch", "#!/bin/sh\n");
  write("bin/xvfb-run",
        "#!/bin/sh\necho call >>calls\n"
        "if [ $(wc -l <calls) -le $N ]; then\n"
        "  echo aborted >&2\n  exit 134\nfi\necho done\n");
  for (const char *file : { "bin/pvbatch", "bin/xvfb-run" })
    fs::permissions(folder / file, fs::perms::owner_all);
  const auto picture = [&](const std::string &n_aborted)
  {
    fs::remove(folder / "calls");
    const int status =
        std::system(("cd '" + folder.string() + "' && N=" + n_aborted +
                     " PATH=\"$PWD/bin:$PATH\" '" DELASSUS_SOURCE_DIR
                     "/delassus' picture picture . >out.txt 2>error.txt")
                        .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(picture("1"), 0);
  EXPECT_EQ(read(folder / "out.txt"), "done\n");
  EXPECT_EQ(read(folder / "error.txt"), "");
  EXPECT_EQ(picture("9"), 134);
  EXPECT_EQ(read(folder / "error.txt"), "aborted\n");
  EXPECT_EQ(count(read(folder / "calls"), "call"), 2u);
}
} // namespace
