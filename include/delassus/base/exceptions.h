#ifndef delassus_base_exceptions_h
#define delassus_base_exceptions_h

#include <stdexcept>
#include <string>
#include <vector>

namespace delassus
{
/// The input is wrong: the program ends with exit code 2. The message names
/// file, section, entry and value, and says what is allowed.
class InputError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// The computation could not go on: exit code 1, the last good state saved.
class ComputationError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// Exit codes of the program (the contract of the command line).
enum ExitCode : int
{
  exit_done               = 0,
  exit_computation_failed = 1,
  exit_input_wrong        = 2
};

/// The name in @p names closest to @p name by edit distance (case-blind), or
/// an empty string if nothing is reasonably close.
std::string nearest_name(const std::string &name,
                         const std::vector<std::string> &names);

/// " Did you mean 'X'?" or, where nothing is close, " Known: a, b, c." (the
/// sentence that ends every error about an unknown name).
std::string suggest_name(const std::string &name,
                         const std::vector<std::string> &names);
} // namespace delassus

#endif
