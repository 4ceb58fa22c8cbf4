#include <delassus/applications/build_info.h>
#include <delassus/applications/command_line.h>
#include <delassus/base/exceptions.h>

#include <deal.II/base/config.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>

namespace delassus
{
namespace
{
constexpr const char *command_names[] = { "run",      "check",  "parameters",
                                          "examples", "verify", "solve" };

constexpr const char *examples_text =
    R"(Examples:
  delassus run wall.prm                          run, results in results/wall
  delassus run wall.prm --set "Time/End=0.5" --output results/longer
  delassus run wall.prm --ranks 2                on two MPI ranks
  delassus run wall.prm --resume                 go on where it was stopped
  delassus run wall.prm --overwrite              again, after a change
  delassus check wall.prm                        what would run, without running
  delassus parameters "Contact solver"           entries of one section
  delassus verify                                quick reference problems
  delassus solve results/wall/problems           contact problems of a run again
  delassus solve problem.hdf5 --solver newton --tolerance 1e-8

Exit codes: 0 done, 1 the computation failed, 2 the input is wrong.)";

constexpr const char *set_help =
    R"(Replace a value of the file, for instance "Time/Step=1e-4" or "Body wall/Mesh/Courses=5"; may be given again)";

/// The first word of the command line that is not an option.
std::string first_word(const int argc, char **argv)
{
  return argc > 1 && argv[1][0] != '-' ? argv[1] : "";
}

/// CLI11's complaint as one sentence.
std::string sentence(std::string text)
{
  while (!text.empty() && (text.back() == '\n' || text.back() == '.'))
    text.pop_back();
  return text + ".";
}
} // namespace

std::string version_text()
{
  return fmt::format("delassus {} ({}, {})\n"
                     "deal.II  {}\n"
                     "Trilinos {}.{}.{}\n"
                     "Gmsh     {}\n"
                     "License  GPL-3.0-or-later",
                     build_info::version,
                     build_info::build_type,
                     build_info::compiler,
                     DEAL_II_PACKAGE_VERSION,
                     DEAL_II_TRILINOS_VERSION_MAJOR,
                     DEAL_II_TRILINOS_VERSION_MINOR,
                     DEAL_II_TRILINOS_VERSION_SUBMINOR,
                     build_info::gmsh_version);
}

CommandLine parse_command_line(const int argc, char **argv, const bool print)
{
  CommandLine result;
  CLI::App app("Deformable bodies in frictional contact by Non-Smooth "
               "Contact Dynamics.",
               "delassus");
  app.footer(examples_text);
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);

  auto *run   = app.add_subcommand("run", "Run the simulation of FILE");
  auto *check = app.add_subcommand(
      "check", "Tell what FILE would run, without running it");
  for (auto *command : { run, check })
  {
    command->add_option("FILE", result.file, "Parameter file (.prm or .json)")
        ->required();
    // One value each, so that what follows is not taken as another value.
    command->add_option("--set", result.overrides, set_help)
        ->type_name("\"Section/Name=value\"")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command->add_option("--output", result.output, "Run directory")
        ->type_name("DIR");
    command->add_option("--ranks", result.n_ranks, "Number of MPI ranks")
        ->type_name("N")
        ->check(CLI::Range(1u, 100000u));
    command->add_flag("--allow-scripts",
                      result.allow_scripts,
                      "Trust the .geo scripts: they may start programs and "
                      "write files");
    auto *quiet =
        command->add_flag("--quiet", result.quiet, "Print errors only");
    command
        ->add_flag("--verbose",
                   result.verbose,
                   "Print each step and iteration, and times by phase")
        ->excludes(quiet);
  }
  auto *resume =
      run->add_flag("--resume",
                    result.resume,
                    "Go on from the last checkpoint in the run directory");
  run->add_flag("--overwrite",
                result.overwrite,
                "Replace what an earlier run has left in the run directory")
      ->excludes(resume);

  auto *parameters = app.add_subcommand(
      "parameters", "Entries of parameter files with their defaults");
  parameters->add_option("SECTION",
                         result.section,
                         "One section only, for instance Time or Body/Mesh");
  auto *examples =
      app.add_subcommand("examples", "Parameter files that come with it");
  auto *verify = app.add_subcommand(
      "verify", "Reference problems with known answers, as tables");
  auto *names = verify->add_option(
      "CASE", result.cases, "Cases to run (default: the quick ones)");
  verify->add_flag("--all", result.all_cases, "Run every case")
      ->excludes(names);
  verify->add_flag("--list", result.list_cases, "List the cases, run nothing");
  verify
      ->add_option("--markdown", result.markdown, "Write the tables there too")
      ->type_name("FILE");
  verify
      ->add_option("--output",
                   result.output,
                   "Run directories (default: results/verification)")
      ->type_name("DIR");

  auto *solve = app.add_subcommand(
      "solve", "Solve contact problems of files (FCLIB, Siconos' text)");
  solve->add_option("PROBLEM", result.problems, "Files, or directories of them")
      ->required();
  solve
      ->add_option("--solver",
                   result.solver,
                   "Method, as in 'Contact solver/Solver' (default: auto)")
      ->type_name("NAME");
  solve
      ->add_option("--tolerance",
                   result.tolerance,
                   "Error at which it ends (default: 1e-5)")
      ->type_name("T")
      ->check(CLI::PositiveNumber);
  solve
      ->add_option("--criterion",
                   result.criterion,
                   "Error that decides: 'unit free' (default) or 'siconos'")
      ->type_name("NAME");
  solve
      ->add_option("--max-iterations",
                   result.max_iterations,
                   "After which it ends, not solved (default: 100000)")
      ->type_name("N")
      ->check(CLI::Range(1u, 4000000000u));
  solve
      ->add_option("--time-limit",
                   result.time_limit,
                   "Seconds of wall time for each problem (default: none)")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  solve
      ->add_option("--threads",
                   result.n_threads,
                   "Of the parallel Gauss-Seidel (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
  solve
      ->add_option("--output",
                   result.output,
                   "Write problem and solution as an FCLIB file")
      ->type_name("FILE");
  solve->add_flag("--json", result.json, "Print JSON");

  const auto fail = [&](const std::string &what)
  {
    if (print)
      std::cerr << "delassus: error: " << what << "\nTry 'delassus --help'.\n";
    result.command   = Command::nothing;
    result.exit_code = exit_input_wrong;
    return result;
  };

  const std::string word = first_word(argc, argv);
  const std::vector<std::string> known(std::begin(command_names),
                                       std::end(command_names));
  if (!word.empty() &&
      std::find(known.begin(), known.end(), word) == known.end())
    return fail(fmt::format(
        "there is no command '{}'.{}", word, suggest_name(word, known)));

  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::ParseError &e)
  {
    if (e.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
    {
      if (print)
        app.exit(e, std::cout, std::cerr);
      result.exit_code = exit_done;
      return result;
    }
    return fail(sentence(e.what()));
  }

  if (run->parsed())
    result.command = Command::run;
  else if (check->parsed())
    result.command = Command::check;
  else if (parameters->parsed())
    result.command = Command::parameters;
  else if (examples->parsed())
    result.command = Command::examples;
  else if (verify->parsed())
    result.command = Command::verify;
  else if (solve->parsed())
    result.command = Command::solve;
  else
  {
    if (print)
      std::cout << app.help();
    result.exit_code = exit_input_wrong;
  }
  return result;
}
} // namespace delassus
