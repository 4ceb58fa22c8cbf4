// The end of a run: summary.json and the last line.
#include <delassus/simulation/recorder.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/output/atomic_file.h>
#include <delassus/shell_systems/shell_system.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

template <int dim>
nlohmann::json Recorder<dim>::counts() const
{
  unsigned int n_cells = 0, n_dofs = 0, n_driven = 0, n_classes = 0;
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
  {
    n_cells += model.bodies[b]->n_all_cells;
    n_dofs += model.bodies[b]->n_dofs();
    n_driven += model.driven[b]->n_dofs();
    n_classes += model.classes[b]->n_classes();
  }
  for (const auto *sheet : model.shells)
    for (unsigned int p = 0; p < sheet->n_pieces(); ++p)
    {
      const auto &shell = sheet->piece(p).model();
      n_cells += shell.n_quads();
      n_dofs += shell.n_dofs();
      n_driven += shell.n_dofs() - shell.n_unknowns();
      ++n_classes;
    }
  return { { "bodies", model.bodies.size() + model.shells.size() },
           { "pieces", model.surfaces->n_pieces() },
           { "classes_of_congruent_pieces", n_classes },
           { "cells", n_cells },
           { "dofs", n_dofs },
           { "driven_dofs", n_driven },
           { "candidates", model.surfaces->points.size() },
           { "most_contacts", contact_problems.largest_number() },
           { "detections", contact.n_detections } };
}

template <int dim>
nlohmann::json Recorder<dim>::contact_summary(const unsigned int step) const
{
  nlohmann::json result                = contact_problems.summary(step);
  result["converged"]                  = unsolved.contact_loop.n == 0;
  result["steps_not_converged"]        = unsolved.contact_loop.n;
  result["first_step_not_converged"]   = unsolved.contact_loop.first_step;
  result["friction_iterations"]        = contact.friction.n_iterations;
  result["steps_friction_not_settled"] = unsolved.friction.n;
  result["method"]                     = contact.result.solver;
  result["delassus_storage"]           = contact.delassus.storage_name;
  result["delassus_bytes"]             = contact.delassus.bytes;
  return result;
}

template <int dim>
void Recorder<dim>::finish(const unsigned int step,
                           const double t,
                           const std::string &failure)
{
  const unsigned int n_ranks =
      Utilities::MPI::n_mpi_processes(model.communicator);
  Utilities::System::MemoryStats memory;
  Utilities::System::get_memory_stats(memory);
  double factor_bytes = 0.;
  for (const auto &scheme : model.schemes)
    factor_bytes += scheme->w.memory_consumption();
  for (const auto *sheet : model.shells)
    factor_bytes += sheet->factor_memory();
  // A rank that failed may be alone here: no communication then.
  const bool together = failure.empty() && n_ranks > 1;
  const double peak =
      together ? Utilities::MPI::sum(double(memory.VmHWM), model.communicator)
               : double(memory.VmHWM);
  if (together)
    factor_bytes = Utilities::MPI::sum(factor_bytes, model.communicator);
  // Each rank knows the factors of its pieces; those of a split body are
  // shared.
  std::vector<std::string> solvers, solved;
  for (unsigned int b = 0; b < model.schemes.size(); ++b)
  {
    solvers.push_back(model.schemes[b]->w.description());
    solved.push_back(model.bodies[b]->name());
  }
  for (const auto *sheet : model.shells)
  {
    solvers.push_back(sheet->describe_solver());
    solved.push_back(sheet->skin().name());
  }
  for (std::string &text : solvers)
    if (together)
    {
      const auto parts = Utilities::MPI::all_gather(model.communicator, text);
      text.clear();
      for (const std::string &part : parts)
        if (!part.empty() && text.find(part) == std::string::npos)
          text += (text.empty() ? "" : ", ") + part;
    }
  if (!root)
    return;
  if (progress)
    progress->finish();

  nlohmann::json summary;
  auto judged          = verdict(step);
  summary["title"]     = model.parameters.title;
  summary["completed"] = failure.empty();
  if (!failure.empty())
  {
    summary["failure"] = failure;
    judged.reasons.insert(judged.reasons.begin(),
                          "it did not reach its end: " + failure);
  }
  summary["trustworthy"] = judged.trustworthy();
  summary["reasons"]     = judged.reasons;
  summary["remarks"]     = judged.remarks;
  summary["steps"]       = step;
  summary["time"]        = t;
  summary["ranks"]       = n_ranks;
  bool quasi_static = model.parameters.time.scheme == TimeScheme::quasi_static;
  summary["scheme"] = quasi_static ? "quasi static" : "dynamic";
  for (const auto &stage : model.stage.stages)
    quasi_static =
        quasi_static || stage.time.scheme == TimeScheme::quasi_static;
  if (quasi_static)
    summary["equilibrium"] = equilibria.summary(unsolved.balance.n);
  if (model.is_nonlinear() || newton.run().substeps > 0) // of a stage before
    summary["newton"] =
        newton.summary(model.parameters.newton, unsolved.momentum.n);
  summary["versions"]       = { { "delassus", DELASSUS_VERSION },
                                { "deal.II", DEAL_II_PACKAGE_VERSION },
                                { "Trilinos",
                                  fmt::format("{}.{}.{}",
                                        DEAL_II_TRILINOS_VERSION_MAJOR,
                                        DEAL_II_TRILINOS_VERSION_MINOR,
                                        DEAL_II_TRILINOS_VERSION_SUBMINOR) },
                                { "Gmsh", DELASSUS_GMSH_VERSION },
                                { "compiler", __VERSION__ } };
  summary["counts"]         = counts();
  summary["mass"]           = model.total_mass();
  summary["weight"]         = model.weight();
  summary["contact_solver"] = contact_summary(step);
  summary["energy"]         = energy.summary();
  for (unsigned int k = 0; k < model.interactions.size(); ++k)
  {
    const Tensor<1, dim> force = resultant(k);
    std::vector<double> values(dim);
    for (unsigned int c = 0; c < dim; ++c)
      values[c] = force[c];
    summary["resultants"][model.interactions[k].name] = values;
  }
  summary["events"] = chronicle.events;
  if (!chronicle.stages.empty())
    summary["stages"] = chronicle.stages;
  summary["states"] = chronicle.states;
  for (const auto &phase : timer.phases())
    summary["wall_time"][phase.name] = phase.seconds;
  summary["wall_time"]["total"] = timer.total();
  for (unsigned int b = 0; b < solvers.size(); ++b)
    summary["linear_solvers"][solved[b]] = solvers[b];
  summary["memory"] = { { "peak_bytes", peak * 1024. },
                        { "factor_bytes", factor_bytes } };
  if (!tables.are_open())
    return;
  try
  {
    tables.flush();
    sync_results();
    log.summarize_warnings();
    // Paths may have bytes that are not UTF-8.
    write_file_atomically(
        directory + "/summary.json",
        summary.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
            "\n");
    if (failure.empty())
      log.info(fmt::format(
          "{}{}{} to t = {:.6g} in {}: {}, worst contact error {:.2e}, worst "
          "relative energy residual {:.1e}; results in {}",
          judged.doubts(),
          judged.notes(),
          counted(step, "step"),
          t,
          wall_time_text(timer.total()),
          counted(contact_problems.sweeps(), "sweep"),
          contact_problems.largest_error(),
          energy.largest_residual(),
          directory));
  }
  catch (const ComputationError &)
  {
    // A full disk, say: the first failure is the one to be told.
    if (failure.empty())
      throw;
  }
}

#define INSTANTIATE(dim)                                                       \
  template nlohmann::json Recorder<dim>::counts() const;                       \
  template nlohmann::json Recorder<dim>::contact_summary(const unsigned int)   \
      const;                                                                   \
  template void Recorder<dim>::finish(                                         \
      const unsigned int, const double, const std::string &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
