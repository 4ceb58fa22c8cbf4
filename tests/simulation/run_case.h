#ifndef tests_simulation_run_case_h
#define tests_simulation_run_case_h

#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/simulation.h>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace test
{
/// A table of a run directory, column by column.
using Table = std::map<std::string, std::vector<double>>;

inline Table read_csv(const std::string &file)
{
  std::ifstream in(file);
  std::string line, cell;
  std::vector<std::string> names;
  Table table;
  std::getline(in, line);
  for (std::istringstream header(line); std::getline(header, cell, ',');)
    names.push_back(cell);
  while (std::getline(in, line))
  {
    std::istringstream row(line);
    for (std::size_t i = 0; std::getline(row, cell, ','); ++i)
      table[names[i]].push_back(std::stod(cell));
  }
  return table;
}

/// What a run wrote.
struct Results
{
  Table history, energy;
  nlohmann::json summary;
};

/// A directory of its own, removed at the end.
class TemporaryDirectory
{
public:
  TemporaryDirectory()
  {
    std::string name =
        (std::filesystem::temp_directory_path() / "delassus_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryDirectory()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

inline std::string write_case(const TemporaryDirectory &directory,
                              const std::string &text)
{
  const std::string file = directory.path + "/case.prm";
  std::ofstream(file) << text;
  return file;
}

/// Run a parameter file in process and read its tables back.
template <int dim>
Results run_file(const std::string &file,
                 std::vector<std::string> overrides = {},
                 MPI_Comm communicator              = MPI_COMM_SELF)
{
  const TemporaryDirectory directory;
  overrides.push_back("Output/Directory=" + directory.path + "/run");
  delassus::RunOptions options;
  options.quiet = true;
  {
    delassus::Simulation<dim> simulation(
        delassus::read_parameters(file, overrides), options, communicator);
    simulation.run();
  }
  Results results;
  const std::string run = directory.path + "/run";
  results.history       = read_csv(run + "/history.csv");
  results.energy        = read_csv(run + "/energy.csv");
  std::ifstream(run + "/summary.json") >> results.summary;
  return results;
}

template <int dim>
Results run_text(const std::string &text,
                 const std::vector<std::string> &overrides = {},
                 MPI_Comm communicator                     = MPI_COMM_SELF)
{
  const TemporaryDirectory directory;
  return run_file<dim>(write_case(directory, text), overrides, communicator);
}
} // namespace test

#endif
