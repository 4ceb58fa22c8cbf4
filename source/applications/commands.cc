#include <delassus/applications/build_info.h>
#include <delassus/applications/commands.h>
#include <delassus/base/exceptions.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/simulation.h>

#include <deal.II/base/mpi.h>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
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
    // A rank that fails alone names itself.
    char host[256] = {};
    gethostname(host, sizeof(host) - 1);
    if (rank != 0)
      std::cerr << "delassus: error: rank " << rank << " on host '" << host
                << "' failed: " << what << std::endl;
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

template <int dim>
int run_or_check(const ParsedParameters &parameters,
                 const CommandLine &command_line,
                 MPI_Comm errors)
{
  RunOptions options;
  options.quiet     = command_line.quiet;
  options.verbose   = command_line.verbose;
  options.resume    = command_line.resume;
  options.overwrite = command_line.overwrite;
  options.command   = run_command(command_line);
  // Before the meshes are made: that may take long.
  if (command_line.command == Command::run)
    options.directory =
        claim_directory(parameters.values, options, MPI_COMM_WORLD);
  if (command_line.command == Command::run && !parameters.stages.empty())
  {
    StagedRun<dim> stages(parameters, options, MPI_COMM_WORLD);
    return guarded(
        [&]() -> int
        {
          stages.run();
          return exit_done;
        },
        errors);
  }
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
