#ifndef delassus_applications_commands_h
#define delassus_applications_commands_h

#include <delassus/applications/command_line.h>

namespace delassus
{
/// Whether this is the process that prints: rank 0, known before MPI is
/// initialized.
bool is_first_process();

/// Whether this process was started by mpirun (or another launcher of MPI).
bool started_by_mpi();

/// Run `mpirun -np N` of the same command line and return its exit code.
/// Signals that ask this process to end, and an output that nobody reads any
/// more, make the ranks write a checkpoint. A rank that is killed is named.
/// Throws InputError if mpirun cannot be started.
int restart_with_ranks(const CommandLine &command_line, char **argv);

/// What was typed to run this, for a shell; without --resume and --overwrite.
std::string run_command(const CommandLine &command_line);

/// `run` and `check`: MPI is initialized here. Returns the exit code.
int run_or_check(const CommandLine &command_line, int argc, char **argv);

/// `parameters [SECTION]` on std::cout.
int print_parameters(const CommandLine &command_line);

/// `examples`: the parameter files that come with the program and their titles,
/// on std::cout.
int list_examples();

/// `verify`: reference problems with known answers. Returns
/// exit_computation_failed if a row of a table fails.
int verify(const CommandLine &command_line, int argc, char **argv);

/// `solve`: contact problems from files. Returns exit_computation_failed if one
/// is not solved to the tolerance, exit_input_wrong if one cannot be read.
int solve(const CommandLine &command_line);
} // namespace delassus

#endif
