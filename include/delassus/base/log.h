#ifndef delassus_base_log_h
#define delassus_base_log_h

#include <delassus/base/archive.h>

#include <fstream>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>

namespace delassus
{
/// Messages to the terminal and to log.txt. Everything goes to the file, with
/// date and time before each message; the terminal gets what its verbosity asks
/// for. A warning that repeats is
/// written the first three times, then the 10th, 100th, ... time with its
/// count. On ranks other than 0 a log that is not active does nothing.
class Log
{
public:
  enum class Verbosity
  {
    quiet,  ///< errors only
    normal, ///< and information and warnings
    verbose ///< and details
  };

  /// To standard output.
  Log();

  explicit Log(std::ostream &terminal,
               Verbosity verbosity = Verbosity::normal,
               bool active         = true);

  /// Begin the file, or with @p append go on with it; what was logged before
  /// goes into it as well. With @p quiet the terminal gets errors only from now
  /// on. Throws InputError if the file cannot be written.
  void open(const std::string &file, bool quiet = false, bool append = false);

  /// How often each warning was given.
  void archive(Archive &archive);

  /// Called before a line goes to the terminal: clears a progress bar there.
  void before_terminal_line(const std::function<void()> &action);

  void detail(const std::string &message);

  /// Whether details are worth being put into words that would be many.
  bool is_verbose() const
  {
    return active && verbosity == Verbosity::verbose;
  }

  void info(const std::string &message);

  /// Warnings with the same @p kind count as the same; default: the message.
  void warning(const std::string &message, const std::string &kind = "");

  void error(const std::string &message);

  /// All warnings given, repetitions counted.
  std::size_t n_warnings() const;

  /// One line for each warning of which not every occurrence was written.
  void summarize_warnings();

private:
  struct Repetition
  {
    std::size_t n_given = 0, n_written = 0;
  };

  void write(const std::string &line, bool to_terminal);

  std::ostream &terminal;
  Verbosity verbosity;
  bool active;
  std::ofstream file;
  std::string file_name;
  std::string earlier; ///< lines before the file is open
  std::function<void()> clear_terminal_line;
  std::map<std::string, Repetition> warnings;
  std::size_t n_given = 0;
};
} // namespace delassus

#endif
