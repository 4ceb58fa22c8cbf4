#include <delassus/applications/commands.h>
#include <delassus/base/exceptions.h>

#include <iostream>

namespace
{
/// @p exit_code, unless what was printed could not be written (a full disk).
int printed(const int exit_code)
{
  if (std::cout.flush() || exit_code != delassus::exit_done)
    return exit_code;
  std::cerr << "delassus: error: standard output cannot be written."
            << std::endl;
  return delassus::exit_computation_failed;
}
} // namespace

int main(int argc, char **argv)
{
  using namespace delassus;

  const CommandLine command_line =
      parse_command_line(argc, argv, is_first_process());
  try
  {
    switch (command_line.command)
    {
      case Command::nothing:
        return printed(command_line.exit_code);
      case Command::parameters:
        return printed(print_parameters(command_line));
      case Command::examples:
        return printed(list_examples());
      case Command::verify:
        return printed(verify(command_line, argc, argv));
      case Command::solve:
        return printed(solve(command_line));
      case Command::run:
      case Command::check:
        if (command_line.n_ranks > 0 && !started_by_mpi())
          return restart_with_ranks(command_line, argv);
        return run_or_check(command_line, argc, argv);
    }
  }
  catch (const InputError &e)
  {
    std::cerr << "delassus: error: " << e.what() << std::endl;
    return exit_input_wrong;
  }
  catch (const std::exception &e)
  {
    std::cerr << "delassus: error: " << e.what() << std::endl;
    return exit_computation_failed;
  }
  return exit_done;
}
