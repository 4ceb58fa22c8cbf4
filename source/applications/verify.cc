#include <delassus/applications/build_info.h>
#include <delassus/applications/commands.h>
#include <delassus/base/exceptions.h>
#include <delassus/simulation/signals.h>
#include <delassus/verification/print.h>

#include <deal.II/base/mpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace delassus
{
namespace
{
namespace fs = std::filesystem;
using verification::Case;
using verification::CaseReport;

/// The folder with the parameter files of the cases.
std::string parameter_folder()
{
  for (const char *folder :
       { build_info::source_examples, build_info::installed_examples })
  {
    const fs::path cases = fs::path(folder) / "verification";
    std::error_code error;
    if (fs::is_directory(cases, error))
      return cases.string();
  }
  throw InputError(fmt::format(
      "the verification cases are neither in {}/verification nor in "
      "{}/verification.",
      build_info::source_examples,
      build_info::installed_examples));
}

std::vector<Case> chosen_cases(const CommandLine &command_line)
{
  const auto all = verification::all_cases();
  std::vector<std::string> names;
  for (const auto &one : all)
    names.push_back(one.name);
  for (const auto &name : command_line.cases)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(fmt::format("there is no verification case '{}'.{}",
                                   name,
                                   suggest_name(name, names)));
  std::vector<Case> chosen;
  for (const auto &one : all)
    if (command_line.all_cases ||
        (command_line.cases.empty()
             ? one.quick
             : std::find(command_line.cases.begin(),
                         command_line.cases.end(),
                         one.name) != command_line.cases.end()))
      chosen.push_back(one);
  return chosen;
}

int list_cases()
{
  const auto all    = verification::all_cases();
  std::size_t width = 0;
  for (const auto &one : all)
    width = std::max(width, one.name.size());
  for (const auto &one : all)
    std::cout << fmt::format(
        "  {:{}}  {:>5} s  {:5}  {}\n",
        one.name,
        width,
        one.seconds < 1. ? "< 1" : fmt::format("{:.0f}", one.seconds),
        one.quick ? "quick" : "",
        one.title);
  return exit_done;
}

/// Run one case; a run that fails is a failed case, not the end (Ctrl-C is).
CaseReport evaluate(const Case &one, const std::string &output)
{
  CaseReport report(parameter_folder(), output + "/" + one.name);
  try
  {
    one.evaluate(report);
  }
  catch (const Interrupted &)
  {
    throw;
  }
  catch (const std::exception &e)
  {
    report.fail(e.what());
  }
  report.finish();
  return report;
}
} // namespace

int verify(const CommandLine &command_line, int argc, char **argv)
{
  if (command_line.list_cases)
    return list_cases();
  const auto cases         = chosen_cases(command_line);
  const std::string output = command_line.output.empty()
                                 ? "results/verification"
                                 : command_line.output;
  // Found out before an hour is spent.
  std::ofstream markdown;
  if (!command_line.markdown.empty())
  {
    markdown.open(command_line.markdown + ".part");
    if (!markdown)
      throw InputError(fmt::format("--markdown {}: the file cannot be written.",
                                   command_line.markdown));
  }

  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  std::vector<CaseReport> reports;
  std::vector<std::string> failed;
  for (const auto &one : cases)
  {
    const auto begin = std::chrono::steady_clock::now();
    reports.push_back(evaluate(one, output));
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    verification::print_table(std::cout, one, reports.back());
    std::cout << fmt::format("  {} in {:.1f} s\n",
                             reports.back().passed() ? "passed" : "FAILED",
                             time.count())
              << std::endl;
    if (!reports.back().passed())
      failed.push_back(one.name);
  }
  if (markdown.is_open())
  {
    verification::print_markdown_head(markdown, cases, reports);
    for (std::size_t i = 0; i < cases.size(); ++i)
      verification::print_markdown(markdown, cases[i], reports[i]);
    markdown.close();
    if (!markdown)
      throw ComputationError(
          fmt::format("'{}' cannot be written.", command_line.markdown));
    fs::rename(command_line.markdown + ".part", command_line.markdown);
  }
  std::cout << fmt::format(
      "{} of {} cases passed{}\n",
      cases.size() - failed.size(),
      cases.size(),
      failed.empty() ? "."
                     : fmt::format("; FAILED: {}.", fmt::join(failed, ", ")));
  return failed.empty() ? exit_done : exit_computation_failed;
}
} // namespace delassus
