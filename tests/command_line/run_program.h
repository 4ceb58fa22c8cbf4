// The built program as a process, in a scratch folder of its own.
#ifndef tests_command_line_run_program_h
#define tests_command_line_run_program_h

#include <gtest/gtest.h>

#include <test_paths.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace test
{
namespace fs = std::filesystem;
using Clock  = std::chrono::steady_clock;

/// Blocks that fall on the ground and slide, with a checkpoint at each step.
inline const char *stack = R"(set Gravity = 3, -10
subsection Time
  set End  = 0.06
  set Step = 1e-3
end
subsection Material stone
  set Density       = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body wall
  set Material = stone
  subsection Mesh
    set Type              = running bond wall
    set Size              = 0.1, 0.05
    set Courses           = 3
    set Blocks per course = 2
    set Cells             = 8 T3
  end
end
subsection Obstacle ground
  set Normal       = 0, 1
  set Displacement = 0; 0.001 * sin(100 * t)
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction joints
  set Candidates  = wall/bottom, wall/right
  set Antagonists = wall/top, wall/left
  set Law         = dry
end
subsection Interaction base
  set Candidates  = wall/base
  set Antagonists = ground
  set Law         = dry
end
subsection Event half
  set Trigger = time
  set Time    = 0.003
  set Actions = zero velocity, write
end
subsection Probe top
  set Point = 0.1, 0.15
end
subsection Output
  set Interval         = 0.007
  set Checkpoint steps = 1
end
)";

struct Outcome
{
  int exit_code = -1;
  std::string out, error;
};

inline std::string read(const fs::path &file)
{
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class Program : public testing::Test
{
protected:
  void SetUp() override
  {
    const auto *info = testing::UnitTest::GetInstance()->current_test_info();
    // With a blank, as paths of users have.
    folder = fs::temp_directory_path() /
             (std::string("delassus program ") + info->name() + " " +
              std::to_string(getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
  }

  void TearDown() override
  {
    fs::remove_all(folder);
  }

  /// Run the program in the scratch folder with arguments for the shell.
  Outcome run(const std::string &arguments,
              const std::string &before = "") const
  {
    const std::string command = "cd '" + folder.string() + "' && " + before +
                                " '" DELASSUS_PROGRAM "' " + arguments +
                                " >out.txt 2>error.txt </dev/null";
    const int status = std::system(command.c_str());
    Outcome outcome;
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.out       = read(folder / "out.txt");
    outcome.error     = read(folder / "error.txt");
    return outcome;
  }

  /// Start the program and do not wait.
  pid_t start(const std::vector<std::string> &arguments) const
  {
    const pid_t process = fork();
    if (process != 0)
      return process;
    if (chdir(folder.c_str()) != 0)
      _exit(99);
    for (const char *variable :
         { "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE" })
      unsetenv(variable);
    // Whoever started the tests may ignore them.
    for (const int number : { SIGINT, SIGTERM, SIGHUP, SIGPIPE })
      signal(number, SIG_DFL);
    for (const auto &[name, descriptor] :
         { std::make_pair("out.txt", STDOUT_FILENO),
           std::make_pair("error.txt", STDERR_FILENO) })
      dup2(open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666), descriptor);
    std::vector<std::string> words = { DELASSUS_PROGRAM };
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char *> pointers;
    for (auto &word : words)
      pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(DELASSUS_PROGRAM, pointers.data());
    _exit(99);
  }

  static int wait_for(const pid_t process)
  {
    int status = 0;
    waitpid(process, &status, 0);
    return status;
  }

  static int exit_code_of(const pid_t process)
  {
    const int status = wait_for(process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  /// Until the file is there, for two minutes at most.
  void wait_for_file(const std::string &name) const
  {
    const auto begin = Clock::now();
    while (!fs::exists(folder / name) &&
           Clock::now() - begin < std::chrono::seconds(120))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ASSERT_TRUE(fs::exists(folder / name)) << name;
  }

  void write(const std::string &name, const std::string &text) const
  {
    std::ofstream(folder / name) << text;
  }

  fs::path folder;
};

inline void expect_parts(const std::string &text,
                         const std::vector<std::string> &parts)
{
  for (const auto &part : parts)
    EXPECT_NE(text.find(part), std::string::npos)
        << "'" << part << "' is missing in:\n"
        << text;
}

inline unsigned int count(const std::string &text, const std::string &what)
{
  unsigned int n = 0;
  for (auto i = text.find(what); i != std::string::npos;
       i      = text.find(what, i + 1))
    ++n;
  return n;
}
} // namespace test

#endif
