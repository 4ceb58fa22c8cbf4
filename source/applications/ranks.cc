#include <delassus/applications/commands.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/terminal.h>

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <regex>

namespace delassus
{
bool started_by_mpi()
{
  const auto value = [](const char *variable) -> long
  {
    const char *text = std::getenv(variable);
    return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  };
  // The number of ranks, which only a launcher of MPI sets. That of a process
  // (SLURM_PROCID, PMIX_RANK) is set in batch scripts and interactive shells of
  // a job too, where --ranks may well start mpirun; with PMIx alone it is the
  // number of tasks of the step that tells ranks from such a shell.
  return value("OMPI_COMM_WORLD_SIZE") > 0 || value("PMI_SIZE") > 0 ||
         (std::getenv("PMIX_RANK") != nullptr &&
          value("SLURM_STEP_NUM_TASKS") > 1);
}

bool is_first_process()
{
  for (const char *variable :
       { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK" })
    if (const char *rank = std::getenv(variable))
      return std::strcmp(rank, "0") == 0;
  return true;
}

namespace
{
/// @p word for a shell.
std::string quoted(const std::string &word)
{
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                             "XYZ0123456789_-+=./,:%@") == std::string::npos)
    return word;
  std::string result = "'";
  for (const char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

volatile pid_t mpirun_process               = 0;
volatile std::sig_atomic_t n_signals_passed = 0;

/// mpirun ends its ranks at once on SIGINT and SIGTERM, but passes SIGUSR1 on
/// to them: they write a checkpoint and end. A second signal is meant
/// seriously; a terminal that is closed sends SIGHUP more than once.
void pass_signal(const int signal)
{
  if (n_signals_passed == 0)
    kill(mpirun_process, SIGUSR1);
  else if (signal != SIGHUP)
    kill(mpirun_process, SIGTERM);
  else
    return;
  n_signals_passed = n_signals_passed + 1;
}

/// What mpirun and the ranks say on standard error, passed on line by line.
/// mpirun tells between two lines of dashes, at length, that ranks have ended:
/// these are left out, but which rank was killed is remembered.
class Errors
{
public:
  void add(const char *text, const std::size_t n)
  {
    for (std::size_t i = 0; i < n; ++i)
      if (text[i] != '\n')
        line += text[i];
      else
        end_line();
  }

  void finish()
  {
    if (!line.empty())
      end_line();
    std::cerr << block << std::flush;
    block.clear();
  }

  std::string killed; ///< "rank 1 on host 'a' was ended by signal 9 (Killed)"

private:
  void end_line()
  {
    const bool dashes =
        line.size() > 60 && line.find_first_not_of('-') == std::string::npos;
    line += '\n';
    if (block.empty() && !dashes)
    {
      if (line.compare(0, 25, "mpirun: Forwarding signal") != 0)
        std::cerr << line << std::flush;
    }
    else
    {
      const bool ends = dashes && !block.empty();
      block += line;
      if (ends)
        end_block();
    }
    line.clear();
  }

  void end_block()
  {
    static const std::regex noticed(
        R"(process rank (\d+) with PID \d+ on node (\S+)\s+exited\s+on)"
        R"(\s+signal\s+(\d+)\s+\(([^)]*)\))");
    std::smatch match;
    if (std::regex_search(block, match, noticed))
      killed = fmt::format("rank {} on host '{}' was ended by signal {} ({})",
                           match[1].str(),
                           match[2].str(),
                           match[3].str(),
                           match[4].str());
    bool known = false;
    for (const char *words : { "mpirun noticed",
                               "mpirun detected",
                               "Primary job",
                               "MPI_ABORT was invoked" })
      known = known || block.find(words) != std::string::npos;
    if (!known)
      std::cerr << block << std::flush;
    block.clear();
  }

  std::string line, block;
};

/// Pass on what comes through @p pipe until its other end is closed. Where
/// nobody reads standard output any more, the ranks do not notice: it is
/// watched here.
void pass_errors_on(const int pipe, Errors &errors)
{
  bool watched                      = true;
  constexpr int without_time_limit  = -1;
  std::array<struct pollfd, 2> both = { { { pipe, POLLIN, 0 },
                                          { STDOUT_FILENO, 0, 0 } } };
  while (true)
  {
    const int n = poll(both.data(), watched ? 2 : 1, without_time_limit);
    if (n < 0 && errno != EINTR)
      return;
    if (n <= 0)
      continue;
    if (watched && both[1].revents != 0)
    {
      watched = false;
      if ((both[1].revents & (POLLERR | POLLHUP)) != 0)
        pass_signal(SIGHUP);
    }
    if (both[0].revents == 0)
      continue;
    char text[4096];
    const ssize_t length = read(pipe, text, sizeof(text));
    if (length > 0)
      errors.add(text, length);
    else if (length == 0 || errno != EINTR)
      return;
  }
}
} // namespace

std::string run_command(const CommandLine &command_line)
{
  std::string result = "delassus run " + quoted(command_line.file);
  for (const auto &option : command_line.overrides)
    result += " --set " + quoted(option);
  if (!command_line.output.empty())
    result += " --output " + quoted(command_line.output);
  if (command_line.n_ranks > 0)
    result += " --ranks " + std::to_string(command_line.n_ranks);
  if (command_line.allow_scripts)
    result += " --allow-scripts";
  return result;
}

int restart_with_ranks(const CommandLine &command_line, char **argv)
{
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string n = std::to_string(command_line.n_ranks);
  std::vector<std::string> words{
    "mpirun", "--oversubscribe", "-x", terminal_variable, "-np", n, program
  };
  for (char **argument = argv + 1; *argument != nullptr; ++argument)
    words.emplace_back(*argument);
  if (geteuid() == 0)
  {
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  }
  setenv(terminal_variable, output_is_terminal() ? "1" : "0", 1);
  // One thread a rank.
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  setenv("OMP_NUM_THREADS", "1", 0);
  std::vector<char *> pointers;
  for (auto &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);

  // Through the first pipe, which exec closes, comes the reason if it fails.
  int failure[2] = { -1, -1 }, messages[2] = { -1, -1 };
  if (pipe2(failure, O_CLOEXEC) != 0 || pipe2(messages, O_CLOEXEC) != 0)
    throw InputError(fmt::format("--ranks {}: {}.", n, std::strerror(errno)));
  mpirun_process = fork();
  if (mpirun_process == 0)
  {
    // Out of reach of the terminal's Ctrl-C, which is passed on instead; and
    // not longer than this process.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGTTOU, SIG_IGN);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0)
      dup2(nothing, STDIN_FILENO);
    dup2(messages[1], STDERR_FILENO);
    execvp("mpirun", pointers.data());
    const int reason = errno;
    if (write(failure[1], &reason, sizeof(reason)) < 0)
      _exit(exit_input_wrong);
    _exit(exit_input_wrong);
  }
  int reason = mpirun_process < 0 ? errno : 0;
  close(failure[1]);
  close(messages[1]);
  Errors errors;
  if (reason == 0)
  {
    struct sigaction action = {}, old = {};
    action.sa_handler = pass_signal;
    for (const int signal : { SIGINT, SIGTERM, SIGUSR1, SIGHUP })
    {
      sigaction(signal, &action, &old);
      if (signal == SIGHUP && old.sa_handler == SIG_IGN) // nohup
        sigaction(signal, &old, nullptr);
    }
    signal(SIGPIPE, SIG_IGN);
    while (read(failure[0], &reason, sizeof(reason)) < 0 && errno == EINTR)
      ;
    pass_errors_on(messages[0], errors);
    errors.finish();
  }
  close(failure[0]);
  close(messages[0]);
  int status = 0;
  if (mpirun_process > 0)
    while (waitpid(mpirun_process, &status, 0) < 0 && errno == EINTR)
      ;
  if (reason != 0)
    throw InputError(fmt::format("--ranks {}: mpirun cannot be started: {}.",
                                 command_line.n_ranks,
                                 std::strerror(reason)));
  const int code =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  // Codes above are those of signals.
  if (code <= exit_input_wrong)
    return code;
  std::string what = errors.killed;
  if (n_signals_passed > 1)
    what = "Ended by a second signal";
  else if (n_signals_passed == 1 && code == 128 + SIGUSR1)
    what = "Interrupted before the first step";
  else
  {
    if (what.empty())
      what = fmt::format("mpirun ended with code {}", code);
    if (code == 128 + SIGKILL)
      what += ", from outside or by the system for want of memory";
    if (!errors.killed.empty())
      what += "; the other ranks were ended with it";
  }
  std::cerr << "delassus: error: " << what << '.';
  if (command_line.command == Command::run)
    std::cerr << " To go on from the last checkpoint, if there is one: "
              << run_command(command_line) << " --resume";
  std::cerr << std::endl;
  return exit_computation_failed;
}
} // namespace delassus
