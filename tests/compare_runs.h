// The result files of two runs.
#ifndef tests_compare_runs_h
#define tests_compare_runs_h

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace test
{
inline std::string bytes_of(const std::filesystem::path &file)
{
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Names of tables, series and result files, relative to the run directory.
inline std::set<std::string>
result_files(const std::filesystem::path &directory)
{
  std::set<std::string> names;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(directory))
  {
    const std::string extension = entry.path().extension().string();
    if (extension == ".csv" || extension == ".pvd" || extension == ".vtu")
      names.insert(
          std::filesystem::relative(entry.path(), directory).generic_string());
  }
  return names;
}

/// The same files, and the same bytes in them.
inline void expect_same_files(const std::filesystem::path &a,
                              const std::filesystem::path &b)
{
  EXPECT_EQ(result_files(a), result_files(b));
  for (const auto &name : result_files(a))
    EXPECT_TRUE(bytes_of(a / name) == bytes_of(b / name)) << name;
}
} // namespace test

#endif
