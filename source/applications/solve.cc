#include <delassus/applications/commands.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/contact/exchange/solve_problem.h>
#include <delassus/parameters/sections.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

namespace delassus
{
namespace
{
namespace fs = std::filesystem;

/// One problem of the command line.
struct Row
{
  std::string file;
  ExchangeProblem problem;
  SolvedProblem solved;
  std::string failure; ///< why it is not solved; empty: it was tried
  bool wrong_input = false;

  bool good() const
  {
    return failure.empty() && solved.met;
  }
};

std::vector<std::string> choices_of(const std::string &entry)
{
  for (const auto &declared : ContactSolverSection::declaration().entries)
    if (declared.name == entry)
      return declared.choices;
  return {};
}

/// Small letters, with blanks for what joins words: gauss-seidel.
std::string plain(const std::string &text)
{
  std::string result = lower_case(text);
  std::replace(result.begin(), result.end(), '-', ' ');
  std::replace(result.begin(), result.end(), '_', ' ');
  return result;
}

/// The number of a choice, as spelled in parameter files or nearly so.
std::size_t choose(const std::string &option,
                   const std::string &given,
                   const std::vector<std::string> &choices)
{
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (plain(choices[i]) == plain(given))
      return i;
  throw InputError(fmt::format(
      "{}: there is no '{}'.{}", option, given, suggest_name(given, choices)));
}

/// Files in folders, in alphabetical order.
std::vector<std::string> find_files(const std::vector<std::string> &given)
{
  std::vector<std::string> files;
  for (const std::string &name : given)
  {
    std::error_code error;
    if (!fs::is_directory(name, error))
    {
      files.push_back(name);
      continue;
    }
    std::vector<std::string> here;
    for (const auto &entry : fs::directory_iterator(name, error))
    {
      const std::string extension = lower_case(entry.path().extension());
      if (extension == ".dat" || extension == ".hdf5" || extension == ".h5")
        here.push_back(entry.path().string());
    }
    if (error)
      throw InputError(fmt::format("{}: the directory cannot be read.", name));
    if (here.empty())
      throw InputError(fmt::format(
          "{}: there is no problem in this directory (.dat, .hdf5, .h5).",
          name));
    std::sort(here.begin(), here.end());
    files.insert(files.end(), here.begin(), here.end());
  }
  return files;
}

ContactSolverParameters parameters_of(const CommandLine &command_line)
{
  ContactSolverParameters parameters;
  parameters.type = static_cast<ContactSolverType>(
      choose("--solver", command_line.solver, choices_of("Solver")));
  parameters.criterion  = static_cast<ContactCriterion>(choose(
      "--criterion", command_line.criterion, { "unit free", "siconos" }));
  parameters.tolerance  = command_line.tolerance;
  parameters.max_sweeps = command_line.max_iterations;
  parameters.time_limit = command_line.time_limit;
  parameters.n_threads  = command_line.n_threads;
  parameters.warm_start = false;
  return parameters;
}

Row solve_file(const std::string &file,
               const ContactSolverParameters &parameters)
{
  Row row;
  row.file = file;
  try
  {
    row.problem = read_problem(file);
    row.solved  = solve_problem(row.problem, parameters);
  }
  catch (const InputError &e)
  {
    row.failure     = e.what();
    row.wrong_input = true;
  }
  catch (const ComputationError &e)
  {
    row.failure = e.what();
  }
  catch (const std::bad_alloc &)
  {
    row.failure = "not enough memory.";
  }
  // Methods do not know the file.
  if (!row.failure.empty() && row.failure.find(file) == std::string::npos)
    row.failure = file + ": " + row.failure;
  return row;
}

nlohmann::json as_json(const Row &row, const CommandLine &command_line)
{
  // Numbers that are not finite are no JSON.
  const auto number = [](const double x) -> nlohmann::json
  { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); };
  nlohmann::json result;
  result["problem"] = row.file;
  if (!row.failure.empty())
  {
    result["solved"]  = false;
    result["failure"] = row.failure;
    return result;
  }
  const ContactResult &found = row.solved.result;
  result["title"]            = row.problem.title;
  result["dim"]              = row.problem.dim;
  result["form"]             = row.problem.global ? "global" : "local";
  result["contacts"]         = row.problem.n_contacts();
  result["solver"]           = found.solver;
  result["solved"]           = row.solved.met;
  result["criterion"]        = plain(command_line.criterion);
  result["tolerance"]        = command_line.tolerance;
  result["iterations"]       = found.sweeps;
  result["error_unit_free"]  = number(row.solved.errors.unit_free);
  result["error_siconos"]    = number(row.solved.errors.siconos);
  result["open"]             = found.n_open;
  result["stick"]            = found.n_stick;
  result["slip"]             = found.n_slip;
  result["seconds"]          = row.solved.seconds;
  if (!found.diagnosis.empty())
    result["diagnosis"] = found.diagnosis;
  return result;
}

void print_one(const Row &row, const CommandLine &command_line)
{
  const ContactResult &found  = row.solved.result;
  const ContactErrors &errors = row.solved.errors;
  std::cout << fmt::format("{}\n"
                           "  contacts            {} in {}D, {} form\n"
                           "  solver              {}\n"
                           "  iterations          {}\n"
                           "  error, unit free    {:.3e}\n"
                           "  error of Siconos    {:.3e}\n"
                           "  open, stick, slip   {}, {}, {}\n"
                           "  wall time           {:.3g} s\n"
                           "  {} to {:g} ({})\n",
                           row.file,
                           row.problem.n_contacts(),
                           row.problem.dim,
                           row.problem.global ? "global" : "local",
                           found.solver,
                           found.sweeps,
                           errors.unit_free,
                           errors.siconos,
                           found.n_open,
                           found.n_stick,
                           found.n_slip,
                           row.solved.seconds,
                           row.solved.met ? "solved" : "NOT solved",
                           command_line.tolerance,
                           plain(command_line.criterion));
  if (!row.solved.met && !found.diagnosis.empty())
    std::cout << "  " << found.diagnosis << "\n";
}

void print_head(const std::size_t width)
{
  std::cout << fmt::format("{:{}}  contacts  iterations  unit free    Siconos  "
                           "  open   stick    slip    time/s\n",
                           "problem",
                           width);
}

void print_row(const Row &row, const std::size_t width)
{
  const std::string name = fs::path(row.file).filename().string();
  if (!row.failure.empty())
  {
    std::cout << fmt::format("{:{}}  {}: {}\n",
                             name,
                             width,
                             row.problem.n_contacts() == 0 ? "NOT READ"
                                                           : "NOT SOLVED",
                             row.failure);
    return;
  }
  const ContactResult &found = row.solved.result;
  std::cout << fmt::format(
      "{:{}}  {:8}  {:10}  {:9.2e}  {:9.2e}  {:6}  {:6}  {:6}  {:8.3g}{}\n",
      name,
      width,
      row.problem.n_contacts(),
      found.sweeps,
      row.solved.errors.unit_free,
      row.solved.errors.siconos,
      found.n_open,
      found.n_stick,
      found.n_slip,
      row.solved.seconds,
      row.solved.met ? "" : "  NOT solved");
}
} // namespace

int solve(const CommandLine &command_line)
{
  const ContactSolverParameters parameters = parameters_of(command_line);
  const auto files                         = find_files(command_line.problems);
  const bool one = files.size() == 1 && files == command_line.problems;
  if (!command_line.output.empty() && files.size() != 1)
    throw InputError(fmt::format("--output {}: it is for one problem, but {} "
                                 "are given.",
                                 command_line.output,
                                 files.size()));
  std::size_t width = 7;
  for (const std::string &file : files)
    width = std::max(width, fs::path(file).filename().string().size());

  auto list          = nlohmann::json::array();
  std::size_t n_good = 0;
  double seconds     = 0.;
  bool wrong_input   = false;
  if (!one && !command_line.json)
    print_head(width);
  for (const std::string &file : files)
  {
    const Row row = solve_file(file, parameters);
    if (one && !row.failure.empty() && !command_line.json)
    {
      if (row.wrong_input)
        throw InputError(row.failure);
      throw ComputationError(row.failure);
    }
    n_good += row.good();
    seconds += row.solved.seconds;
    wrong_input |= row.wrong_input;
    if (command_line.json)
      list.push_back(as_json(row, command_line));
    else if (one)
      print_one(row, command_line);
    else
    {
      print_row(row, width);
      std::cout.flush();
    }
    if (!command_line.output.empty() && row.failure.empty())
    {
      ExchangeProblem written = row.problem;
      written.description += fmt::format(
          "{}Solution by delassus ({}): {} iterations, error {:.3e} (unit "
          "free), {:.3e} (Siconos).",
          written.description.empty() ? "" : "\n",
          row.solved.result.solver,
          row.solved.result.sweeps,
          row.solved.errors.unit_free,
          row.solved.errors.siconos);
      write_problem(command_line.output, written, &row.solved.solution);
    }
  }
  if (command_line.json)
    std::cout << (one ? list[0] : list)
                     .dump(2,
                           ' ',
                           false,
                           nlohmann::json::error_handler_t::replace)
              << "\n";
  else if (!one)
    std::cout << fmt::format("{} of {} solved to {:g} ({}) in {:.3g} s.\n",
                             n_good,
                             files.size(),
                             command_line.tolerance,
                             plain(command_line.criterion),
                             seconds);
  return wrong_input              ? exit_input_wrong
         : n_good == files.size() ? exit_done
                                  : exit_computation_failed;
}
} // namespace delassus
