#include <delassus/simulation/recorder.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/terminal.h>
#include <delassus/base/text.h>
#include <delassus/output/atomic_file.h>
#include <delassus/output/contact_output.h>
#include <delassus/output/tensor_components.h>
#include <delassus/bodies/results/solid_output.h>
#include <delassus/simulation/overlaps.h>

#include <fmt/format.h>

#include <cmath>
#include <iostream>

namespace delassus
{
using namespace dealii;

template <int dim>
Recorder<dim>::Recorder(const Model<dim> &model,
                        const ContactPhase<dim> &contact,
                        const ParsedParameters &input,
                        const bool quiet,
                        const bool verbose,
                        PhaseTimer &timer)
    : root(Utilities::MPI::this_mpi_process(model.communicator) == 0)
    , log(std::cout,
          quiet     ? Log::Verbosity::quiet
          : verbose ? Log::Verbosity::verbose
                    : Log::Verbosity::normal,
          root)
    , model(model)
    , contact(contact)
    , input(input)
    , quiet(quiet)
    , timer(timer)
    , directory(input.values.output.directory)
    , watch(model)
    , distortion(model)
    , zones(model)
    , pair_force(model.pairs.size())
    , pair_counts(model.pairs.size())
{
  if (!model.bodies.empty() && model.bodies[0]->n_nodes() > 0)
  {
    Point<dim> low = model.bodies[0]->nodes[0], high = low;
    for (const auto &body : model.bodies)
      for (const auto &x : body->nodes)
        for (unsigned int c = 0; c < dim; ++c)
        {
          low[c]  = std::min(low[c], x[c]);
          high[c] = std::max(high[c], x[c]);
        }
    bodies_box = BoundingBox<dim>({ low, high });
  }
  else if (!model.surfaces->points.empty())
  {
    // Rigid bodies alone.
    const auto &surfaces = *model.surfaces;
    Point<dim> low  = surfaces.position(surfaces.points[0], surfaces.reference),
               high = low;
    for (const auto &point : surfaces.points)
    {
      const Point<dim> x = surfaces.position(point, surfaces.reference);
      for (unsigned int c = 0; c < dim; ++c)
      {
        low[c]  = std::min(low[c], x[c] - point.radius);
        high[c] = std::max(high[c], x[c] + point.radius);
      }
    }
    bodies_box = BoundingBox<dim>({ low, high });
  }
  for (const auto &condition : model.parameters.boundary_conditions)
    if (condition.type != BoundaryConditionType::pressure &&
        condition.type != BoundaryConditionType::traction)
      driving.push_back(condition.name);
  for (const auto &probe : model.parameters.probes)
  {
    Point<dim> wanted;
    for (unsigned int c = 0; c < dim; ++c)
      wanted[c] = probe.point[c];
    ProbeNode best{ 0, 0 };
    double distance = std::numeric_limits<double>::max();
    for (unsigned int b = 0; b < model.bodies.size(); ++b)
      if (probe.body.empty() || probe.body == model.bodies[b]->name())
        for (unsigned int n = 0; n < model.bodies[b]->n_nodes(); ++n)
          if (model.bodies[b]->nodes[n].distance(wanted) < distance)
          {
            distance = model.bodies[b]->nodes[n].distance(wanted);
            best     = { b, n };
          }
    probes.push_back(best);
  }
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
  {
    std::vector<unsigned int> nodes;
    for (const auto &probe : probes)
      if (probe.body == b)
        nodes.push_back(probe.node);
    probe_stresses.push_back(std::make_unique<NodeStresses<dim>>(
        *model.bodies[b], model.schemes[b]->internal_forces(), nodes));
  }
}

template <int dim>
void Recorder<dim>::on_root(const std::function<void()> &work) const
{
  // One rank touches the file system; all learn whether it worked.
  std::string error;
  if (root)
    try
    {
      work();
    }
    catch (const std::exception &e)
    {
      error = e.what();
    }
  if (Utilities::MPI::n_mpi_processes(model.communicator) > 1)
    error = Utilities::MPI::broadcast(model.communicator, error);
  if (!error.empty())
    throw InputError(error);
}

template <int dim>
bool Recorder<dim>::laws_remember() const
{
  return std::any_of(model.laws.begin(),
                     model.laws.end(),
                     [](const auto &law) { return law->n_state() > 0; });
}

template <int dim>
void Recorder<dim>::open_files(const bool resumed)
{
  prepare_run_directory(directory);
  prepare_run_directory(directory + "/vtu");
  std::vector<std::string> energy_columns = { "step",
                                              "time",
                                              "kinetic",
                                              "elastic",
                                              "external_work",
                                              "damping",
                                              "contact_normal_work",
                                              "contact_tangential_work",
                                              "friction_work",
                                              "obstacle_work",
                                              "driven_work",
                                              "inelastic_work",
                                              "numerical_dissipation",
                                              "integration_error",
                                              "event",
                                              "step_residual",
                                              "relative_residual" };
  if (laws_remember())
    energy_columns.insert(energy_columns.end(),
                          { "law_stored", "law_dissipation" });
  if (!model.stage.stages.empty())
    energy_columns.push_back("stage");
  const std::string history_file = directory + "/history.csv",
                    energy_file  = directory + "/energy.csv";
  if (resumed)
  {
    // These may refuse: before anything else is changed.
    history = std::make_unique<CsvTable>(
        history_file, history_columns(), table_bytes[0]);
    energy =
        std::make_unique<CsvTable>(energy_file, energy_columns, table_bytes[1]);
  }
  const bool json =
      input.values.file.size() > 5 &&
      input.values.file.substr(input.values.file.size() - 5) == ".json";
  write_file_atomically(directory + (json ? "/original.json" : "/original.prm"),
                        input.original);
  write_file_atomically(directory + "/parameters.prm", input.expanded);
  // That of the part before does not belong to this one.
  std::remove((directory + "/summary.json").c_str());
  log.open(directory + "/log.txt", false, resumed);
  solution_series = std::make_unique<PvdSeries>(directory + "/solution.pvd");
  contact_series  = std::make_unique<PvdSeries>(directory + "/contact.pvd");
  block_series    = std::make_unique<PvdSeries>(directory + "/blocks.pvd");
  if (!model.obstacles.empty())
    obstacle_series = std::make_unique<PvdSeries>(directory + "/obstacles.pvd");
  if (resumed)
  {
    solution_series->restore(series_entries[0]);
    contact_series->restore(series_entries[1]);
    block_series->restore(series_entries[2]);
    if (obstacle_series)
      obstacle_series->restore(series_entries[3]);
  }
  else
  {
    history = std::make_unique<CsvTable>(history_file, history_columns());
    energy  = std::make_unique<CsvTable>(energy_file, energy_columns);
  }
  progress = std::make_unique<Progress>(std::cout,
                                        output_is_terminal(),
                                        quiet,
                                        model.run_start(),
                                        model.run_end(),
                                        model.is_nonlinear());
  log.before_terminal_line([this]() { progress->clear_line(); });
}

template <int dim>
void Recorder<dim>::begin()
{
  on_root(
      [this]()
      {
        open_files(false);
        unsigned int n_cells = 0, n_dofs = 0;
        for (const auto &body : model.bodies)
        {
          n_cells += body->n_all_cells;
          n_dofs += body->n_dofs();
        }
        log.info(fmt::format(
            "{}: {}{}, {}, {}, {}, {}, {}",
            model.parameters.title.empty() ? model.parameters.file
                                           : model.parameters.title,
            model.parameters.time.scheme == TimeScheme::quasi_static
                ? "quasi static, "
                : "",
            counted(model.bodies.size(), "body", "bodies"),
            counted(model.surfaces->n_pieces(), "piece"),
            counted(n_cells, "cell"),
            counted(n_dofs, "dof"),
            counted(model.surfaces->points.size(), "candidate"),
            counted(Utilities::MPI::n_mpi_processes(model.communicator),
                    "rank")));
        for (unsigned int k = 0; k < probes.size(); ++k)
          log.info(fmt::format(
              "probe '{}' is the node at {} of body '{}'",
              model.parameters.probes[k].name,
              text_of(model.bodies[probes[k].body]->nodes[probes[k].node]),
              model.bodies[probes[k].body]->name()));
        for (const auto &warning : input.warnings)
          log.warning(warning);
        for (const auto &warning : model.warnings)
          log.warning(warning);
        for (const auto &warning : watch.at_start())
          log.warning(warning);
        note_stage(0, model.parameters.time.start_time);
      });
  next_output = model.parameters.time.start_time;
}

template <int dim>
std::vector<std::string> Recorder<dim>::history_columns() const
{
  const char *axes                 = "xyz";
  std::vector<std::string> columns = { "step", "time" };
  for (const auto &interaction : model.interactions)
  {
    for (unsigned int c = 0; c < dim; ++c)
      columns.push_back(fmt::format("{}:force_{}", interaction.name, axes[c]));
    for (const char *quantity : { "normal_force", "stick", "slip", "open" })
      columns.push_back(fmt::format("{}:{}", interaction.name, quantity));
  }
  for (const auto &pair : model.pairs)
    for (unsigned int c = 0; c < dim; ++c)
      columns.push_back(fmt::format("{}:{}|{}:force_{}",
                                    model.interactions[pair.interaction].name,
                                    pair.candidate,
                                    pair.antagonist,
                                    axes[c]));
  for (const auto &name : driving)
    for (unsigned int c = 0; c < dim; ++c)
      columns.push_back(fmt::format("{}:reaction_{}", name, axes[c]));
  for (const char *quantity : { "contacts",
                                "sweeps",
                                "contact_error",
                                "converged",
                                "penetration",
                                "largest_normal_force",
                                "largest_displacement",
                                "largest_speed" })
    columns.push_back(quantity);
  if (has_newton_columns())
    for (const char *quantity : { "newton_iterations",
                                  "substeps",
                                  "smallest_substep",
                                  "momentum_residual" })
      columns.push_back(quantity);
  for (const auto &probe : model.parameters.probes)
  {
    for (const char *quantity : { "u", "v" })
      for (unsigned int c = 0; c < dim; ++c)
        columns.push_back(
            fmt::format("{}:{}_{}", probe.name, quantity, axes[c]));
    for (const char *quantity : { "stress", "strain" })
      for (unsigned int c = 0; c < NodeStresses<dim>::n_components; ++c)
        columns.push_back(fmt::format(
            "{}:{}_{}", probe.name, quantity, tensor_components[c]));
  }
  add_tool_columns(columns);
  if (!model.stage.stages.empty())
    columns.push_back("stage");
  return columns;
}

template <int dim>
void Recorder<dim>::update_resultants(const double h)
{
  std::fill(pair_force.begin(), pair_force.end(), Tensor<1, dim>());
  std::fill(pair_counts.begin(), pair_counts.end(), PairCounts());
  largest_normal_force = 0.;
  for (unsigned int a = 0; a < contact.contacts.size(); ++a)
  {
    const unsigned int p = model.pair_of(contact.contacts[a]);
    const double force   = contact.P[dim * a] / h;
    pair_force[p] += (model.is_second_pass(contact.contacts[a]) ? -1. : 1.) /
                     h * contact.contacts[a].to_global(&contact.P[dim * a]);
    pair_counts[p].normal_force += force;
    largest_normal_force = std::max(largest_normal_force, force);
    if (a < contact.status.size())
      ++pair_counts[p].status[static_cast<unsigned int>(contact.status[a])];
  }
  if (Utilities::MPI::n_mpi_processes(model.communicator) == 1)
    return;
  constexpr unsigned int n_values = dim + 4;
  std::vector<double> values;
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
  {
    for (unsigned int c = 0; c < dim; ++c)
      values.push_back(pair_force[p][c]);
    values.push_back(pair_counts[p].normal_force);
    for (const unsigned int count : pair_counts[p].status)
      values.push_back(count);
  }
  Utilities::MPI::sum(values, model.communicator, values);
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
  {
    const double *value = &values[n_values * p];
    for (unsigned int c = 0; c < dim; ++c)
      pair_force[p][c] = value[c];
    pair_counts[p].normal_force = value[dim];
    for (unsigned int s = 0; s < 3; ++s)
      pair_counts[p].status[s] = value[dim + 1 + s];
  }
  largest_normal_force =
      Utilities::MPI::max(largest_normal_force, model.communicator);
}

template <int dim>
void Recorder<dim>::watch_obstacles(const double t, const double h)
{
  for (const auto &message : watch.look_at_speed(t - h, h))
    log.warning(message);
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
  {
    const auto &status = pair_counts[p].status;
    for (const auto &message : watch.look_at_pair(
             p,
             status[0] + status[1] + status[2],
             // Bonds may be in tension.
             status[1] + status[2] > 0 || pair_counts[p].normal_force != 0.,
             t))
      log.info(message);
  }
}

template <int dim>
Tensor<1, dim> Recorder<dim>::resultant(const unsigned int interaction) const
{
  Tensor<1, dim> sum;
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
    if (model.pairs[p].interaction == interaction)
      sum += pair_force[p];
  return sum;
}

template <int dim>
void Recorder<dim>::add_step(const StepTotals &totals)
{
  const auto &e = totals.energy;
  // The contact work from contact quantities, not from v_theta . H P: the
  // residual then also checks H against its transpose.
  const double contact_work = totals.contact_work();
  step_residual             = totals.residual();
  energy_watch.add_step(totals);
  sums.energy.external += e.external;
  sums.energy.damping += e.damping;
  sums.energy.driven += e.driven;
  sums.energy.inelastic += e.inelastic;
  sums.energy.numerical += e.numerical;
  sums.energy.integration += e.integration;
  sums.contact_normal += totals.contact_normal;
  sums.contact_tangential += totals.contact_tangential;
  sums.friction += totals.friction;
  sums.obstacle += totals.obstacle;
  sums.law_stored = totals.law_stored;
  sums.law_dissipated += totals.law_dissipated;
  sums.energy.kinetic = e.kinetic;
  sums.energy.elastic = e.elastic;
  // Relative to the energies that have been about so far.
  energy_scale = std::max({ energy_scale,
                            totals.energy_before,
                            e.kinetic + e.elastic,
                            std::abs(e.external),
                            std::abs(contact_work),
                            std::abs(e.driven),
                            e.inelastic,
                            e.numerical });
  // At rest: what a step of free fall would give.
  const double scale = std::max(energy_scale,
                                smallest_energy(model.total_mass(),
                                                model.weight(),
                                                model.parameters.time.step));
  relative_residual  = scale > 0. ? std::abs(step_residual) / scale : 0.;
  worst_residual     = std::max(worst_residual, relative_residual);
}

template <int dim>
void Recorder<dim>::note_equilibrium(const double t,
                                     const unsigned int iterations,
                                     const double out_of_balance,
                                     const bool balanced,
                                     const std::string &reason)
{
  n_equilibrium_iterations += iterations;
  most_equilibrium_iterations =
      std::max<std::size_t>(most_equilibrium_iterations, iterations);
  worst_out_of_balance = std::max(worst_out_of_balance, out_of_balance);
  if (balanced)
    return;
  balance.note(t, out_of_balance);
  if (root)
    log.warning(fmt::format("no equilibrium was found in {} iterations at t = "
                            "{:.6g}: {}",
                            iterations,
                            t,
                            reason),
                "no equilibrium was found");
}

template <int dim>
void Recorder<dim>::add_event_energy(const double change)
{
  sums.event += change;
  sums.energy.kinetic += change;
}

template <int dim>
void Recorder<dim>::record_history(const unsigned int step, const double t)
{
  if (model.rigid)
    motions = model.rigid->gather_motions();
  // Largest nodal displacement and speed, probes: values of all ranks.
  std::array<double, 2> largest = { { 0., 0. } };
  probe_values.assign(n_probe_values * probes.size(), 0.);
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
  {
    const auto &scheme = *model.schemes[b];
    std::vector<double *> sums;
    for (unsigned int k = 0; k < probes.size(); ++k)
      if (probes[k].body == b)
        sums.push_back(&probe_values[n_probe_values * k + 2 * dim]);
    probe_stresses[b]->add(scheme.q, sums);
    const unsigned int n = model.bodies[b]->owned_dofs.n_elements() / dim;
    if (n == 0)
      continue;
    const double *q = &*scheme.q.begin(), *v = &*scheme.v.begin();
    for (unsigned int i = 0; i < n; ++i)
    {
      double uu = 0., vv = 0.;
      for (unsigned int c = 0; c < dim; ++c)
      {
        uu += q[dim * i + c] * q[dim * i + c];
        vv += v[dim * i + c] * v[dim * i + c];
      }
      largest[0] = std::max(largest[0], uu);
      largest[1] = std::max(largest[1], vv);
    }
    for (unsigned int k = 0; k < probes.size(); ++k)
      if (probes[k].body == b && model.bodies[b]->owns_node(probes[k].node))
        for (unsigned int c = 0; c < dim; ++c)
        {
          const unsigned int i =
              dim * (probes[k].node - model.bodies[b]->first_owned_node) + c;
          probe_values[n_probe_values * k + c]       = q[i];
          probe_values[n_probe_values * k + dim + c] = v[i];
        }
  }
  reactions.assign(dim * driving.size(), 0.);
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    for (unsigned int k = 0; k < model.driven[b]->n_conditions(); ++k)
    {
      const auto of = std::find(driving.begin(),
                                driving.end(),
                                model.driven[b]->condition_name(k)) -
                      driving.begin();
      for (unsigned int c = 0; c < dim; ++c)
        reactions[dim * of + c] += model.schemes[b]->reactions[dim * k + c];
    }
  if (Utilities::MPI::n_mpi_processes(model.communicator) > 1)
  {
    Utilities::MPI::sum(reactions, model.communicator, reactions);
    largest[0] = Utilities::MPI::max(largest[0], model.communicator);
    largest[1] = Utilities::MPI::max(largest[1], model.communicator);
    Utilities::MPI::sum(probe_values, model.communicator, probe_values);
  }
  if (!root)
    return;

  row.clear();
  row.push_back(step);
  row.push_back(t);
  for (unsigned int k = 0; k < model.interactions.size(); ++k)
  {
    const Tensor<1, dim> force = resultant(k);
    PairCounts counts;
    for (unsigned int p = 0; p < model.pairs.size(); ++p)
      if (model.pairs[p].interaction == k)
      {
        counts.normal_force += pair_counts[p].normal_force;
        for (unsigned int s = 0; s < 3; ++s)
          counts.status[s] += pair_counts[p].status[s];
      }
    for (unsigned int c = 0; c < dim; ++c)
      row.push_back(force[c]);
    row.push_back(counts.normal_force);
    row.push_back(counts.status[1]);
    row.push_back(counts.status[2]);
    row.push_back(counts.status[0]);
  }
  for (const auto &force : pair_force)
    for (unsigned int c = 0; c < dim; ++c)
      row.push_back(force[c]);
  row.insert(row.end(), reactions.begin(), reactions.end());
  row.push_back(contact.n_contacts);
  row.push_back(contact.result.sweeps);
  row.push_back(contact.result.errors.unit_free);
  row.push_back(step_solved);
  row.push_back(contact.result.errors.penetration);
  row.push_back(largest_normal_force);
  row.push_back(std::sqrt(largest[0]));
  row.push_back(std::sqrt(largest[1]));
  if (has_newton_columns())
  {
    row.push_back(newton_step.iterations);
    row.push_back(newton_step.substeps);
    row.push_back(newton_step.smallest_step);
    row.push_back(newton_step.worst_residual);
  }
  row.insert(row.end(), probe_values.begin(), probe_values.end());
  add_tool_values(t, row);
  history->add_row(row, stage_words());
}

template <int dim>
void Recorder<dim>::record(const unsigned int step,
                           const double t,
                           const double h)
{
  const auto &result = contact.result;
  last_h             = h;
  update_resultants(h);
  if (root)
    watch_obstacles(t, h);
  watch_zones(t);
  step_solved = true;
  for (auto *kind : { &contact_loop, &friction, &balance, &momentum })
  {
    step_solved = step_solved && !kind->now;
    kind->end_step(step);
  }
  if (step % model.parameters.output.history_steps == 0)
  {
    record_history(step, t);
    if (root)
    {
      std::vector<double> row = { double(step),
                                  t,
                                  sums.energy.kinetic,
                                  sums.energy.elastic,
                                  sums.energy.external,
                                  sums.energy.damping,
                                  sums.contact_normal,
                                  sums.contact_tangential,
                                  sums.friction,
                                  sums.obstacle,
                                  sums.energy.driven,
                                  sums.energy.inelastic,
                                  sums.energy.numerical,
                                  sums.energy.integration,
                                  sums.event,
                                  step_residual,
                                  relative_residual };
      if (laws_remember())
        row.insert(row.end(), { sums.law_stored, sums.law_dissipated });
      energy->add_row(row, stage_words());
    }
  }

  n_sweeps += result.sweeps;
  most_sweeps       = std::max<std::size_t>(most_sweeps, result.sweeps);
  most_contacts     = std::max(most_contacts, contact.n_contacts);
  worst_penetration = std::max(worst_penetration, result.errors.penetration);
  worst_error       = std::max(worst_error, result.errors.unit_free);
  n_ill_posed += result.n_ill_posed;
  // Below the critical friction a contact has one solution; above it, it may
  // have several. Only those that depend on it are worth a warning.
  if (result.n_ill_posed > 0 && ill_posed.empty())
  {
    ill_posed = contact.ill_posed_contact();
    log.detail(fmt::format("friction is above the bound that makes a contact's "
                           "own problem unique (mu |W_NT| / W_NN < 1) at {} "
                           "of step {}; the farthest: {}",
                           counted(result.n_ill_posed, "contact"),
                           step,
                           ill_posed));
  }
  // W of a tangent that is not positive definite is that of its replacement and
  // says nothing of the solution.
  const WedgedContacts wedged = newton_step.indefinite == 0
                                    ? contact.wedged_contacts()
                                    : WedgedContacts();
  n_wedged += wedged.n;
  most_wedged = std::max(most_wedged, wedged.share);
  // A point at the rim of a zone that opens does not matter.
  if (wedged.share > 0.01)
    log.warning(
        fmt::format("{:.2g} % of the normal forces at step {}, t = {:.6g}, are "
                    "carried by {} that friction alone holds closed (wedged): "
                    "open would be a solution as well, and the one nearest to "
                    "the last step is taken. The one that carries most: {}",
                    100. * wedged.share,
                    step,
                    t,
                    counted(wedged.n, "contact"),
                    wedged.worst),
        "contacts that friction alone holds closed");
  if (root)
  {
    // Of the contacts at hand: a Newton loop may have found some after the last
    // problem was solved.
    std::array<std::size_t, 3> n_of_status{};
    for (const auto &counts : pair_counts)
      for (unsigned int s = 0; s < 3; ++s)
        n_of_status[s] += counts.status[s];
    StepReport report;
    if (result.n_immovable > 0)
      log.warning(
          fmt::format(
              "{} only prescribed dofs: no reaction can move "
              "them (step {})",
              counted(result.n_immovable, "contact has", "contacts have"),
              step),
          "immovable contacts");
    report.step              = step;
    report.time              = t;
    report.sweeps            = result.sweeps;
    report.newton_iterations = newton_step.iterations;
    report.n_contacts        = contact.n_contacts;
    report.n_stick           = n_of_status[1];
    report.n_slip            = n_of_status[2];
    report.n_open            = n_of_status[0];
    report.penetration       = result.errors.penetration;
    report.energy_residual   = relative_residual;
    report.contact_error     = result.errors.unit_free;
    report.converged         = step_solved;
    progress->step(report);
    if (log.is_verbose())
      log.detail(fmt::format(
          "  step {}, t = {:.6g}: {} ({} stick, {} slip, {} open), {}, contact "
          "error {:.1e}, {:.2f} s so far",
          step,
          t,
          counted(contact.n_contacts, "contact"),
          report.n_stick,
          report.n_slip,
          report.n_open,
          counted(result.sweeps, "sweep"),
          result.errors.unit_free,
          timer.total()));
  }
  newton_step = NewtonReport();
}

template class Recorder<2>;
template class Recorder<3>;
} // namespace delassus
