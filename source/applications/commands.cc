#include <delassus/applications/build_info.h>
#include <delassus/applications/commands.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/terminal.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/simulation.h>

#include <deal.II/base/mpi.h>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>

namespace delassus
{
namespace
{
/// Print the error once and end all ranks with @p exit_code. Returns only if
/// all ranks have come here; otherwise some wait for this one in a collective
/// call, and MPI_Abort() ends them. Then it is this rank that prints.
int end_with_error(const std::string &what,
                   const int exit_code,
                   MPI_Comm communicator)
{
  const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(communicator);
  if (rank == 0)
    std::cerr << "delassus: error: " << what << std::endl;
  if (dealii::Utilities::MPI::n_mpi_processes(communicator) == 1)
    return exit_code;

  MPI_Request request;
  int all_here = 0;
  MPI_Ibarrier(communicator, &request);
  constexpr unsigned int n_tries = 100, microseconds = 20000;
  for (unsigned int i = 0; i < n_tries && !all_here; ++i)
  {
    MPI_Test(&request, &all_here, MPI_STATUS_IGNORE);
    if (!all_here)
      usleep(microseconds);
  }
  if (!all_here)
  {
    if (rank != 0)
      std::cerr << "delassus: error: rank " << rank << ": " << what
                << std::endl;
    MPI_Abort(communicator, exit_code);
  }
  return exit_code;
}

/// The exit code of @p work; an exception ends all ranks.
template <typename Work>
int guarded(const Work &work, MPI_Comm communicator)
{
  try
  {
    return work();
  }
  catch (const InputError &e)
  {
    return end_with_error(e.what(), exit_input_wrong, communicator);
  }
  catch (const std::bad_alloc &)
  {
    return end_with_error(
        "not enough memory.", exit_computation_failed, communicator);
  }
  catch (const std::exception &e)
  {
    return end_with_error(e.what(), exit_computation_failed, communicator);
  }
}

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

/// What goes on with the run of this command line.
std::string resume_command(const CommandLine &command_line)
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
  return result + " --resume";
}

template <int dim>
int run_or_check(const ParsedParameters &parameters,
                 const CommandLine &command_line,
                 MPI_Comm errors)
{
  RunOptions options;
  options.quiet          = command_line.quiet;
  options.verbose        = command_line.verbose;
  options.resume         = command_line.resume;
  options.resume_command = resume_command(command_line);
  Simulation<dim> simulation(parameters, options, MPI_COMM_WORLD);
  // Its destructor frees communicators, which is collective: errors are dealt
  // with before it, so that a rank that fails alone does not wait there.
  return guarded(
      [&]() -> int
      {
        if (command_line.command == Command::check)
        {
          simulation.check(std::cout);
          // Before MPI ends: libraries that end with it flush it too.
          if (!std::cout.flush())
            throw ComputationError("standard output cannot be written.");
        }
        else
          simulation.run();
        return exit_done;
      },
      errors);
}

/// The value of `set Title` in a file, or else its first comment.
std::string title_of(const std::filesystem::path &file)
{
  std::ifstream in(file);
  std::string line, comment;
  while (std::getline(in, line))
  {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos)
      continue;
    if (line[begin] == '#')
    {
      const auto text = line.find_first_not_of("# \t");
      if (comment.empty() && text != std::string::npos)
        comment = line.substr(text);
    }
    else if (line.compare(begin, 4, "set ") == 0 &&
             line.find("Title") == line.find_first_not_of(" \t", begin + 4))
    {
      const auto equal = line.find('=');
      const auto text  = line.find_first_not_of(" \t", equal + 1);
      if (equal != std::string::npos && text != std::string::npos)
        return line.substr(text);
    }
  }
  return comment;
}
} // namespace

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
volatile pid_t mpirun_process               = 0;
volatile std::sig_atomic_t n_signals_passed = 0;

/// mpirun ends its ranks at once on SIGINT and SIGTERM, but passes SIGUSR1 on
/// to them: they finish their step and write a checkpoint. A second signal is
/// meant seriously.
void pass_signal(int)
{
  kill(mpirun_process, n_signals_passed == 0 ? SIGUSR1 : SIGTERM);
  n_signals_passed = n_signals_passed + 1;
}
} // namespace

int restart_with_ranks(const unsigned int n_ranks, char **argv)
{
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string n = std::to_string(n_ranks);
  std::vector<std::string> words{
    "mpirun", "--quiet", "--oversubscribe", "-x", terminal_variable, "-np",
    n,        program
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

  // Through this pipe, which exec closes, comes the reason if it fails.
  int failure[2] = { -1, -1 };
  if (pipe2(failure, O_CLOEXEC) != 0)
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
    execvp("mpirun", pointers.data());
    const int reason = errno;
    if (write(failure[1], &reason, sizeof(reason)) < 0)
      _exit(exit_input_wrong);
    _exit(exit_input_wrong);
  }
  int reason = mpirun_process < 0 ? errno : 0;
  close(failure[1]);
  if (reason == 0)
  {
    struct sigaction action = {};
    action.sa_handler       = pass_signal;
    for (const int signal : { SIGINT, SIGTERM, SIGUSR1 })
      sigaction(signal, &action, nullptr);
    while (read(failure[0], &reason, sizeof(reason)) < 0 && errno == EINTR)
      ;
  }
  close(failure[0]);
  int status = 0;
  if (mpirun_process > 0)
    while (waitpid(mpirun_process, &status, 0) < 0 && errno == EINTR)
      ;
  if (reason != 0)
    throw InputError(fmt::format("--ranks {}: mpirun cannot be started: {}.",
                                 n_ranks,
                                 std::strerror(reason)));
  return WIFEXITED(status) ? WEXITSTATUS(status) : exit_computation_failed;
}

int run_or_check(const CommandLine &command_line, int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  // Of its own: ranks that fail must not meet others in a collective call.
  MPI_Comm errors;
  MPI_Comm_dup(MPI_COMM_WORLD, &errors);
  const int exit_code = guarded(
      [&]() -> int
      {
        const unsigned int n_ranks =
            dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
        if (command_line.n_ranks > 0 && command_line.n_ranks != n_ranks)
          throw InputError(
              fmt::format("--ranks {} contradicts the {} ranks the "
                          "program was started with.",
                          command_line.n_ranks,
                          n_ranks));
        auto overrides = command_line.overrides;
        if (!command_line.output.empty())
          overrides.push_back("Output/Directory=" + command_line.output);
        ParsedParameters parameters =
            read_parameters(command_line.file, overrides);
        if (command_line.allow_scripts)
        {
          for (auto &body : parameters.values.bodies)
            body.mesh.allow_scripts = true;
          for (auto &obstacle : parameters.values.obstacles)
            obstacle.allow_scripts = true;
        }
        return parameters.values.dimension == 2
                   ? run_or_check<2>(parameters, command_line, errors)
                   : run_or_check<3>(parameters, command_line, errors);
      },
      errors);
  MPI_Comm_free(&errors);
  return exit_code;
}

int print_parameters(const CommandLine &command_line)
{
  std::cout << describe_parameters(command_line.section);
  return exit_done;
}

int list_examples()
{
  namespace fs = std::filesystem;
  for (const char *folder :
       { build_info::source_examples, build_info::installed_examples })
  {
    std::error_code error;
    if (!fs::is_directory(folder, error))
      continue;
    std::vector<fs::path> files;
    std::size_t width = 0;
    for (const auto &file : fs::directory_iterator(folder))
      if (file.path().extension() == ".prm")
      {
        files.push_back(file.path());
        width = std::max(width, file.path().filename().string().size());
      }
    std::sort(files.begin(), files.end());
    std::cout << "In " << folder << ":\n";
    for (const auto &file : files)
      std::cout << fmt::format(
          "  {:{}}  {}\n", file.filename().string(), width, title_of(file));
    return exit_done;
  }
  throw InputError(fmt::format("the examples are neither in {} nor in {}.",
                               build_info::source_examples,
                               build_info::installed_examples));
}
} // namespace delassus
