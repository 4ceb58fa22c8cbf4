// The built program as a process, in a scratch folder of its own.
#ifndef tests_command_line_run_program_h
#define tests_command_line_run_program_h

#include <gtest/gtest.h>

#include <test_paths.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace test
{
namespace fs = std::filesystem;

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
