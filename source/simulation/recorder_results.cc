#include <delassus/simulation/recorder.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/output/atomic_file.h>
#include <delassus/output/contact_output.h>
#include <delassus/output/contact_traction.h>
#include <delassus/output/obstacle_output.h>
#include <delassus/bodies/results/solid_output.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

template <int dim>
bool Recorder<dim>::results_due(const unsigned int step,
                                const double t,
                                const double h) const
{
  const auto &output = model.parameters.output;
  if (output.interval_steps > 0 && step % output.interval_steps == 0)
    return true;
  return output.interval > 0. && t >= next_output - 1e-6 * h;
}

template <int dim>
ContactFields<dim> Recorder<dim>::fields_of(const ContactSet<dim> &table,
                                            const double h) const
{
  ContactFields<dim> fields = { model.surfaces.get(),
                                &table.contacts,
                                &table.P,
                                &table.U,
                                &table.gaps_end,
                                &positions,
                                &table.status,
                                h,
                                contact.result.converged && step_solved };
  add_law_fields(table, fields);
  return fields;
}

template <int dim>
void Recorder<dim>::add_law_fields(const ContactSet<dim> &table,
                                   ContactFields<dim> &fields) const
{
  // By name, in the order of the laws; zero for contacts of other laws.
  std::map<std::string, std::size_t> number;
  std::vector<std::vector<LawField<dim>>> of_law;
  for (const auto &law : model.laws)
  {
    of_law.push_back(law->fields());
    for (const auto &field : of_law.back())
      if (number.insert({ field.name, fields.of_laws.size() }).second)
        fields.of_laws.push_back(
            { field.name,
              field.is_vector,
              std::vector<double>(
                  (field.is_vector ? dim : 1) * table.contacts.size(), 0.) });
  }
  const std::size_t n = table.contacts.size();
  if (fields.of_laws.empty() || table.states.n_contacts() != n ||
      table.U.size() != dim * n || table.gaps_end.size() != n)
    return;
  for (std::size_t a = 0; a < n; ++a)
    for (const auto &field : of_law[table.contacts[a].interaction])
    {
      ContactSolution<dim> solution;
      for (unsigned int c = 0; c < dim; ++c)
      {
        solution.U[c] = table.U[dim * a + c];
        solution.P[c] = table.P[dim * a + c];
      }
      solution.status = table.status[a];
      solution.gap    = table.gaps_end[a];
      auto &values    = fields.of_laws[number[field.name]].values;
      std::array<double, dim> value{};
      field.evaluate(solution, table.states.end(a), value.data());
      if (!field.is_vector)
        values[a] = value[0];
      else
      {
        const auto global = table.contacts[a].to_global(value.data());
        for (unsigned int c = 0; c < dim; ++c)
          values[dim * a + c] = global[c];
      }
    }
}

template <int dim>
std::vector<std::unordered_map<unsigned int, std::array<double, dim + 1>>>
Recorder<dim>::tractions_of(const std::vector<PiecePlace<dim>> &places,
                            const ContactFields<dim> &contacts) const
{
  // Rank 0 has the contacts.
  const auto &nodes = model.surfaces->nodes;
  std::vector<double> values((dim + 1) * nodes.size());
  if (root)
    values = contact_tractions(places, contacts);
  if (Utilities::MPI::n_mpi_processes(model.communicator) > 1)
    Utilities::MPI::broadcast(
        values.data(), values.size(), 0, model.communicator);
  std::vector<std::unordered_map<unsigned int, std::array<double, dim + 1>>>
      result(model.systems.size());
  for (unsigned int n = 0; n < nodes.size(); ++n)
  {
    std::array<double, dim + 1> here;
    std::copy_n(&values[(dim + 1) * n], dim + 1, here.begin());
    if (here != std::array<double, dim + 1>{})
      result[nodes[n].system][nodes[n].carrier] = here;
  }
  return result;
}

template <int dim>
void Recorder<dim>::write_results(const unsigned int step,
                                  const double t,
                                  const double h)
{
  if (last_written == int(step))
    return;
  last_written       = step;
  const auto &output = model.parameters.output;
  while (output.interval > 0. && next_output <= t + 1e-6 * h)
    next_output += output.interval;

  contact.places.gather(CarrierField::displacement, positions);
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] += model.surfaces->reference[i];
  auto contacts = contact.gathered();
  // After a step that failed some are not known.
  if (root)
  {
    contacts.P.resize(dim * contacts.contacts.size());
    contacts.U.resize(dim * contacts.contacts.size());
    contacts.gaps_end.resize(contacts.contacts.size());
  }
  std::vector<std::vector<Voigt>> stresses_of_body(model.bodies.size());
  std::vector<SolidFields<dim>> fields;
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    fields.push_back({ model.bodies[b].get(),
                       &model.schemes[b]->q,
                       &model.schemes[b]->v,
                       &stresses_of_body[b],
                       model.schemes[b]->internal_forces() });
  const auto places    = places_of_pieces(fields, model.communicator);
  const auto tractions = tractions_of(places, fields_of(contacts, h));
  if (!model.interactions.empty())
    for (unsigned int b = 0; b < model.bodies.size(); ++b)
      fields[b].contact = &tractions[b];
  auto stresses = moment_stresses(places, fields_of(contacts, h));
  MPI_Bcast(stresses.data(),
            stresses.size() * sizeof(Voigt),
            MPI_BYTE,
            0,
            model.communicator);
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    stresses_of_body[b].assign(
        stresses.begin() + model.surfaces->first_piece[b],
        stresses.begin() + model.surfaces->first_piece[b + 1]);
  const std::string name = fmt::format("vtu/solution_{:06d}.vtu", step);
  write_solids(
      directory + "/" + name, fields, model.communicator, model.stage.name());
  const StressExtrema extrema = stress_extrema(fields, model.communicator);
  if (!root)
    return;
  solution_series->add(t, name);
  if (output.contact_points)
  {
    const std::string contact_name =
        fmt::format("vtu/contact_{:06d}.vtu", step);
    write_contacts(directory + "/" + contact_name,
                   fields_of(contacts, h),
                   model.stage.name());
    contact_series->add(t, contact_name);
    const std::string block_name = fmt::format("vtu/blocks_{:06d}.vtu", step);
    write_blocks(
        directory + "/" + block_name, places, stresses, model.stage.name());
    block_series->add(t, block_name);
  }

  if (obstacle_series)
  {
    const std::string obstacle_name =
        fmt::format("vtu/obstacles_{:06d}.vtu", step);
    write_obstacles(directory + "/" + obstacle_name,
                    model.obstacles,
                    bodies_box,
                    t,
                    model.stage.name());
    obstacle_series->add(t, obstacle_name);
  }

  nlohmann::json state;
  state["step"] = step;
  state["time"] = t;
  if (!model.stage.stages.empty())
    state["stage"] = model.stage.name();
  state["converged"]                 = contact.result.converged && step_solved;
  state["kinetic_energy"]            = sums.energy.kinetic;
  state["elastic_energy"]            = sums.energy.elastic;
  state["largest_principal_stress"]  = extrema.largest_principal;
  state["smallest_principal_stress"] = extrema.smallest_principal;
  state["largest_von_mises_stress"]  = extrema.von_mises;
  double most_tensile = 0., most_compressive = 0.;
  for (const Voigt &stress : stresses)
  {
    const auto principal = eigenvalues(stress_tensor<dim>(stress));
    most_tensile         = std::max(most_tensile, principal[0]);
    most_compressive     = std::min(most_compressive, principal[dim - 1]);
  }
  state["largest_principal_moment_stress"]  = most_tensile;
  state["smallest_principal_moment_stress"] = most_compressive;
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
  {
    nlohmann::json pair;
    pair["interaction"] = model.interactions[model.pairs[p].interaction].name;
    pair["candidate"]   = model.pairs[p].candidate;
    pair["antagonist"]  = model.pairs[p].antagonist;
    std::vector<double> force(dim);
    for (unsigned int c = 0; c < dim; ++c)
      force[c] = pair_force[p][c];
    pair["force"]        = force;
    pair["normal_force"] = pair_counts[p].normal_force;
    pair["open"]         = pair_counts[p].status[0];
    pair["stick"]        = pair_counts[p].status[1];
    pair["slip"]         = pair_counts[p].status[2];
    state["pairs"].push_back(pair);
  }
  states.push_back(state);
}

template <int dim>
void Recorder<dim>::write_last_state(const unsigned int step,
                                     const double t,
                                     const double h,
                                     const bool inside)
{
  // The impulses at hand belong to the failed attempt and are not converged:
  // contact points are written with that flag.
  if (inside)
    write_results(step, t, h);
  else if (step > 0 && last_written != int(step - 1))
    write_results(step - 1, t, h);
}

template <int dim>
void Recorder<dim>::note_event(const EventParameters &event,
                               const unsigned int step,
                               const double t,
                               const double exact_time)
{
  if (!root)
    return;
  events.push_back({ { "name", event.name },
                     { "step", step },
                     { "time", t },
                     { "interpolated_time", exact_time } });
  if (!model.stage.stages.empty())
    events.back()["stage"] = model.stage.name();
  log.info(
      fmt::format("event '{}' at step {}, t = {:.6g}", event.name, step, t));
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
  // A rank that failed may be alone here: no communication then.
  const bool together = failure.empty() && n_ranks > 1;
  const double peak =
      together ? Utilities::MPI::sum(double(memory.VmHWM), model.communicator)
               : double(memory.VmHWM);
  if (together)
    factor_bytes = Utilities::MPI::sum(factor_bytes, model.communicator);
  // Each rank knows the factors of its pieces; those of a split body are
  // shared.
  std::vector<std::string> solvers;
  for (const auto &scheme : model.schemes)
  {
    std::string text = scheme->w.description();
    if (together)
    {
      const auto parts = Utilities::MPI::all_gather(model.communicator, text);
      text.clear();
      for (const std::string &part : parts)
        if (!part.empty() && text.find(part) == std::string::npos)
          text += (text.empty() ? "" : ", ") + part;
    }
    solvers.push_back(text);
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
    summary["equilibrium"] = { { "iterations", n_equilibrium_iterations },
                               { "most_iterations",
                                 most_equilibrium_iterations },
                               { "worst_out_of_balance", worst_out_of_balance },
                               { "steps_not_balanced", balance.n } };
  if (model.is_nonlinear() || newton_run.substeps > 0) // of a stage before
  {
    const char *matrices[] = { "full",   "step",     "frozen",
                               "lumped", "two term", "explicit" };
    summary["newton"]      = {
           { "matrix",
             matrices[static_cast<unsigned int>(model.parameters.newton.matrix)] },
           { "iterations", newton_run.iterations },
           { "substeps", newton_run.substeps },
           { "steps_cut", newton_run.cuts },
           { "smallest_step", newton_run.smallest_step },
           { "matrices", newton_run.matrices },
           { "indefinite_tangents", newton_run.indefinite },
           { "worst_momentum_residual", newton_run.worst_residual },
           { "steps_above_tolerance", momentum.n }
    };
  }
  summary["versions"]  = { { "delassus", DELASSUS_VERSION },
                           { "deal.II", DEAL_II_PACKAGE_VERSION },
                           { "Trilinos",
                             fmt::format("{}.{}.{}",
                                        DEAL_II_TRILINOS_VERSION_MAJOR,
                                        DEAL_II_TRILINOS_VERSION_MINOR,
                                        DEAL_II_TRILINOS_VERSION_SUBMINOR) },
                           { "Gmsh", DELASSUS_GMSH_VERSION },
                           { "compiler", __VERSION__ } };
  unsigned int n_cells = 0, n_dofs = 0, n_driven = 0, n_classes = 0;
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
  {
    n_cells += model.bodies[b]->n_all_cells;
    n_dofs += model.bodies[b]->n_dofs();
    n_driven += model.driven[b]->n_dofs();
    n_classes += model.classes[b]->n_classes();
  }
  summary["counts"]         = { { "bodies", model.bodies.size() },
                                { "pieces", model.surfaces->n_pieces() },
                                { "classes_of_congruent_pieces", n_classes },
                                { "cells", n_cells },
                                { "dofs", n_dofs },
                                { "driven_dofs", n_driven },
                                { "candidates", model.surfaces->points.size() },
                                { "most_contacts", most_contacts },
                                { "detections", contact.n_detections } };
  summary["mass"]           = model.total_mass();
  summary["weight"]         = model.weight();
  summary["contact_solver"] = {
    { "converged", contact_loop.n == 0 },
    { "steps_not_converged", contact_loop.n },
    { "first_step_not_converged", contact_loop.first_step },
    { "sweeps", n_sweeps },
    { "mean_sweeps", step > 0 ? double(n_sweeps) / step : 0. },
    { "most_sweeps", most_sweeps },
    { "worst_error", worst_error },
    { "worst_penetration", worst_penetration },
    { "ill_posed_local_problems", n_ill_posed },
    { "ill_posed_contact", ill_posed },
    { "wedged_contacts", n_wedged },
    { "most_wedged_share", most_wedged },
    { "friction_iterations", contact.friction.n_iterations },
    { "steps_friction_not_settled", friction.n },
    { "method", contact.result.solver },
    { "delassus_storage", contact.delassus.storage_name },
    { "delassus_bytes", contact.delassus.bytes }
  };
  summary["energy"] = { { "kinetic", sums.energy.kinetic },
                        { "elastic", sums.energy.elastic },
                        { "external_work", sums.energy.external },
                        { "damping", sums.energy.damping },
                        { "contact_normal_work", sums.contact_normal },
                        { "contact_tangential_work", sums.contact_tangential },
                        { "friction_work", sums.friction },
                        { "obstacle_work", sums.obstacle },
                        { "driven_work", sums.energy.driven },
                        { "inelastic_work", sums.energy.inelastic },
                        { "numerical_dissipation", sums.energy.numerical },
                        { "integration_error", sums.energy.integration },
                        { "event", sums.event },
                        { "worst_relative_residual", worst_residual },
                        { "exchanged", energy_watch.exchanged() },
                        { "unexplained_share", energy_watch.unexplained() },
                        { "created_by_contact_share", energy_watch.created() },
                        { "numerical_share", energy_watch.dissipated() } };
  if (laws_remember())
  {
    summary["energy"]["law_stored"]      = sums.law_stored;
    summary["energy"]["law_dissipation"] = sums.law_dissipated;
  }
  for (unsigned int k = 0; k < model.interactions.size(); ++k)
  {
    const Tensor<1, dim> force = resultant(k);
    std::vector<double> values(dim);
    for (unsigned int c = 0; c < dim; ++c)
      values[c] = force[c];
    summary["resultants"][model.interactions[k].name] = values;
  }
  summary["events"] = events;
  if (!stages.empty())
    summary["stages"] = stages;
  summary["states"] = states;
  for (const auto &phase : timer.phases())
    summary["wall_time"][phase.name] = phase.seconds;
  summary["wall_time"]["total"] = timer.total();
  for (unsigned int b = 0; b < solvers.size(); ++b)
    summary["linear_solvers"][model.bodies[b]->name()] = solvers[b];
  summary["memory"] = { { "peak_bytes", peak * 1024. },
                        { "factor_bytes", factor_bytes } };
  if (!history)
    return;
  try
  {
    history->flush();
    energy->flush();
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
          counted(n_sweeps, "sweep"),
          worst_error,
          worst_residual,
          directory));
  }
  catch (const ComputationError &)
  {
    // A full disk, say: the first failure is the one to be told.
    if (failure.empty())
      throw;
  }
}

template bool
Recorder<2>::results_due(const unsigned int, const double, const double) const;
template void Recorder<2>::add_law_fields(const ContactSet<2> &,
                                          ContactFields<2> &) const;
template void Recorder<3>::add_law_fields(const ContactSet<3> &,
                                          ContactFields<3> &) const;
template ContactFields<2> Recorder<2>::fields_of(const ContactSet<2> &,
                                                 const double) const;
template void
Recorder<2>::write_results(const unsigned int, const double, const double);
template void Recorder<2>::write_last_state(const unsigned int,
                                            const double,
                                            const double,
                                            const bool);
template void Recorder<2>::note_event(const EventParameters &,
                                      const unsigned int,
                                      const double,
                                      const double);
template void
Recorder<2>::finish(const unsigned int, const double, const std::string &);
template bool
Recorder<3>::results_due(const unsigned int, const double, const double) const;
template ContactFields<3> Recorder<3>::fields_of(const ContactSet<3> &,
                                                 const double) const;
template void
Recorder<3>::write_results(const unsigned int, const double, const double);
template void Recorder<3>::write_last_state(const unsigned int,
                                            const double,
                                            const double,
                                            const bool);
template void Recorder<3>::note_event(const EventParameters &,
                                      const unsigned int,
                                      const double,
                                      const double);
template void
Recorder<3>::finish(const unsigned int, const double, const std::string &);
} // namespace delassus
