#include <delassus/simulation/problem_dumps.h>
#include <delassus/base/exceptions.h>
#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <regex>

namespace delassus
{
using namespace dealii;
namespace fs = std::filesystem;

namespace
{
/// A line of the descriptions, by which a resumed run knows its files.
constexpr const char *counts_format = "step=%u iterations=%u";

std::string name_of(const ContactSolverType type)
{
  for (const auto &entry : ContactSolverSection::declaration().entries)
    if (entry.name == "Solver")
      return entry.choices[static_cast<std::size_t>(type)];
  return "";
}

/// Step and iterations of the hardest problem written; none: zero.
std::array<unsigned int, 2> hardest_in(const fs::path &file)
{
  std::array<unsigned int, 2> counts = { { 0, 0 } };
  std::error_code error;
  if (!fs::exists(file, error))
    return counts;
  try
  {
    const std::string text = read_problem(file.string()).description;
    const auto position    = text.find("step=");
    if (position == std::string::npos || std::sscanf(text.c_str() + position,
                                                     counts_format,
                                                     &counts[0],
                                                     &counts[1]) != 2)
      counts = { { 0, 0 } };
  }
  catch (const InputError &)
  {
  }
  return counts;
}
} // namespace

template <int dim>
ProblemDumps<dim>::ProblemDumps(const Model<dim> &model,
                                ContactPhase<dim> &contact,
                                Log &log)
    : model(model)
    , contact(contact)
    , log(log)
    , parameters(model.parameters.contact_solver)
    , folder(model.parameters.output.directory + "/problems")
    , root(Utilities::MPI::this_mpi_process(model.communicator) == 0)
{
}

template <int dim>
void ProblemDumps<dim>::begin(const unsigned int step)
{
  n_failed = most_sweeps = last_failed = n_in_the_step = 0;
  std::array<unsigned int, 2> known                    = { { 0, 0 } };
  std::error_code error;
  if (root && fs::is_directory(folder, error))
  {
    const std::regex numbered(R"((step|failed)_(\d+)(_\d+)?\.hdf5)");
    std::vector<fs::path> unwanted;
    for (const auto &file : fs::directory_iterator(folder, error))
    {
      const std::string name = file.path().filename().string();
      std::smatch match;
      if (file.path().extension() == ".part")
        unwanted.push_back(file.path());
      else if (std::regex_match(name, match, numbered))
      {
        if (std::stoul(match[2]) > step)
          unwanted.push_back(file.path());
        else if (match[1] == "failed")
          ++known[0];
      }
    }
    const fs::path hardest = fs::path(folder) / "hardest.hdf5";
    const auto counts      = hardest_in(hardest);
    if (counts[0] > step || step == 0)
      unwanted.push_back(hardest);
    else
      known[1] = counts[1];
    for (const auto &file : unwanted)
      fs::remove(file, error);
    // Gone if nothing is in it.
    fs::remove(folder, error);
  }
  known       = Utilities::MPI::broadcast(model.communicator, known);
  n_failed    = known[0];
  most_sweeps = known[1];
}

template <int dim>
void ProblemDumps<dim>::after_solution(const unsigned int step,
                                       const double t,
                                       const double h)
{
  if (contact.n_contacts == 0)
    return;
  const ContactResult &result = contact.result;
  if (!result.converged && n_failed < parameters.dump_failed)
  {
    ++n_failed;
    n_in_the_step = step == last_failed ? n_in_the_step + 1 : 1;
    last_failed   = step;
    const std::string name =
        n_in_the_step == 1
            ? fmt::format("failed_{:06}", step)
            : fmt::format("failed_{:06}_{}", step, n_in_the_step);
    if (write(name, step, t, h) && root)
      log.info(fmt::format("step {}: the contact problem, not solved to the "
                           "tolerance, is in problems/{}.hdf5",
                           step,
                           name));
  }
  if (parameters.dump_hardest && result.sweeps > most_sweeps)
  {
    most_sweeps = result.sweeps;
    write("hardest", step, t, h);
  }
}

template <int dim>
void ProblemDumps<dim>::after_step(const unsigned int step,
                                   const double t,
                                   const double h)
{
  if (parameters.dump_steps > 0 && step % parameters.dump_steps == 0 &&
      contact.n_contacts > 0)
    write(fmt::format("step_{:06}", step), step, t, h);
}

template <int dim>
std::string ProblemDumps<dim>::description(const unsigned int step,
                                           const double t,
                                           const double h) const
{
  const ContactResult &result = contact.result;
  return fmt::format(
      "Contact problem of step {} of the run '{}', from t = {:.9g} by h = "
      "{:.9g}.\n"
      "r: impulses (forces are r / h), u: relative velocities with the gap "
      "divided by h in the normal one; normal component first. Units are those "
      "of the run's parameter file.\n"
      "Solver: {}; {} iterations, error {:.3e} (unit free), {:.3e} (Siconos): "
      "{}.\n"
      "step={} iterations={}",
      step,
      model.parameters.title,
      t,
      h,
      result.solver.empty() ? name_of(parameters.type) : result.solver,
      result.sweeps,
      result.errors.unit_free,
      result.errors.siconos,
      result.converged ? "converged" : "NOT converged",
      step,
      result.sweeps);
}

template <int dim>
bool ProblemDumps<dim>::write(const std::string &name,
                              const unsigned int step,
                              const double t,
                              const double h)
{
  ExchangeProblem problem;
  ExchangeSolution solution;
  std::string why =
      contact.exchanged(parameters.dump_global, problem, solution);
  if (!root)
    return why.empty();
  if (why.empty() && problem.n_contacts() == 0)
  {
    log.detail(fmt::format("step {}: no contact is active, so there is no "
                           "contact problem to write",
                           step));
    return false;
  }
  if (why.empty())
    try
    {
      problem.title =
          fmt::format("{}, step {}",
                      model.parameters.title.empty() ? std::string("Delassus")
                                                     : model.parameters.title,
                      step);
      problem.description = description(step, t, h);
      problem.math_info =
          problem.global
              ? "M is symmetric positive definite"
              : "W is symmetric positive semidefinite but for rounding";
      std::error_code error;
      fs::create_directories(folder, error);
      write_problem(folder + "/" + name + ".hdf5", problem, &solution);
    }
    catch (const std::exception &e)
    {
      why = e.what();
    }
  if (!why.empty())
    log.warning(fmt::format("step {}: the contact problem is not written to "
                            "problems/: {}",
                            step,
                            why),
                "problem not written: " + why);
  return why.empty();
}

template class ProblemDumps<2>;
template class ProblemDumps<3>;
} // namespace delassus
