#ifndef delassus_applications_command_line_h
#define delassus_applications_command_line_h

#include <string>
#include <vector>

namespace delassus
{
enum class Command
{
  nothing, ///< the command line was a request for help or wrong: see exit_code
  run,
  check,
  parameters,
  examples,
  verify,
  solve
};

/// What the user asked for.
struct CommandLine
{
  Command command = Command::nothing;
  int exit_code   = 0; ///< of Command::nothing
  std::string file;
  std::string section; ///< of `parameters`
  std::string output;  ///< run directory; empty: the file's
  std::vector<std::string> overrides;
  unsigned int n_ranks = 0; ///< 0: as started
  bool quiet           = false;
  bool verbose         = false;
  bool resume          = false; ///< of `run`
  bool overwrite       = false; ///< of `run`
  bool allow_scripts   = false; ///< of all meshes of `run` and `check`

  // of `verify`
  std::vector<std::string> cases;
  std::string markdown; ///< file
  bool all_cases  = false;
  bool list_cases = false;

  // of `solve`
  std::vector<std::string> problems; ///< files and directories
  std::string solver          = "auto";
  std::string criterion       = "unit free";
  double tolerance            = 1e-5;
  unsigned int max_iterations = 100000;
  double time_limit           = 0.; ///< seconds a problem; 0: none
  unsigned int n_threads      = 1;
  bool json                   = false;
};

/// Read the command line. Help and versions are printed on std::cout, mistakes
/// as "delassus: error: ..." on std::cerr, both only if @p print.
CommandLine parse_command_line(int argc, char **argv, bool print);

/// The text of --version.
std::string version_text();
} // namespace delassus

#endif
