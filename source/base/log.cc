#include <delassus/base/exceptions.h>
#include <delassus/base/log.h>
#include <delassus/base/text.h>

#include <cerrno>
#include <cstring>
#include <iostream>

namespace delassus
{
namespace
{
/// 1, 2, 3, 10, 100, 1000, ...
bool is_worth_a_line(std::size_t n)
{
  if (n <= 3)
    return true;
  while (n % 10 == 0)
    n /= 10;
  return n == 1;
}
} // namespace

Log::Log()
    : Log(std::cout)
{
}

Log::Log(std::ostream &terminal, const Verbosity verbosity, const bool active)
    : terminal(terminal)
    , verbosity(verbosity)
    , active(active)
{
}

void Log::archive(Archive &archive)
{
  std::vector<std::pair<std::string, Repetition>> list(warnings.begin(),
                                                       warnings.end());
  archive("warnings", list);
  archive("number of warnings", n_given);
  warnings = { list.begin(), list.end() };
}

void Log::open(const std::string &name, const bool quiet, const bool append)
{
  if (quiet)
    verbosity = Verbosity::quiet;
  if (!active)
    return;
  errno = 0;
  file.open(name, append ? std::ios::app : std::ios::trunc);
  file << earlier << std::flush;
  if (!file)
    throw InputError("Cannot write '" + name + "'" +
                     (errno != 0 ? std::string(": ") + std::strerror(errno)
                                 : std::string()) +
                     ".");
  file_name = name;
  earlier.clear();
}

void Log::before_terminal_line(const std::function<void()> &action)
{
  clear_terminal_line = action;
}

void Log::detail(const std::string &message)
{
  write(message, verbosity == Verbosity::verbose);
}

void Log::info(const std::string &message)
{
  write(message, verbosity != Verbosity::quiet);
}

void Log::warning(const std::string &message, const std::string &kind)
{
  ++n_given;
  Repetition &repetition = warnings[kind.empty() ? message : kind];
  ++repetition.n_given;
  if (!is_worth_a_line(repetition.n_given))
    return;
  std::string line = "Warning: " + message;
  if (repetition.n_given > repetition.n_written + 1)
    line += " (" + std::to_string(repetition.n_given) + " times so far)";
  repetition.n_written = repetition.n_given;
  write(line, verbosity != Verbosity::quiet);
}

void Log::error(const std::string &message)
{
  write("Error: " + message, true);
}

std::size_t Log::n_warnings() const
{
  return n_given;
}

void Log::summarize_warnings()
{
  for (auto &[kind, repetition] : warnings)
    if (repetition.n_given > repetition.n_written)
    {
      repetition.n_written = repetition.n_given;
      write("Warning: in all " + std::to_string(repetition.n_given) +
                " times: " + kind,
            verbosity != Verbosity::quiet);
    }
}

void Log::write(const std::string &line, const bool to_terminal)
{
  if (!active)
    return;
  if (to_terminal)
  {
    if (clear_terminal_line)
      clear_terminal_line();
    terminal << line << '\n' << std::flush;
  }
  if (file_name.empty())
    earlier += date_and_time() + "  " + line + '\n';
  else if (file.is_open())
  {
    file << date_and_time() << "  " << line << '\n' << std::flush;
    // A log must not end a computation (nor hide the error it reports): the
    // result files on the same disk do that.
    if (!file)
    {
      file.close();
      terminal << "Warning: '" << file_name << "' cannot be written any more.\n"
               << std::flush;
    }
  }
}
} // namespace delassus
