#include <delassus/simulation/simulation.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/simulation/overlaps.h>
#include <delassus/simulation/signals.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// --verbose: where the time went.
void tell_times(Log &log, const PhaseTimer &timer)
{
  if (!log.is_verbose())
    return;
  const double total = timer.total();
  log.detail(fmt::format("wall time {:.2f} s, of which", total));
  for (const auto &phase : timer.phases())
    log.detail(fmt::format("  {:>9.2f} s  {:>5.1f} %  {} ({})",
                           phase.seconds,
                           100. * phase.seconds / total,
                           phase.name,
                           counted(phase.n_calls, "time")));
}
} // namespace

template <int dim>
Simulation<dim>::Simulation(const ParsedParameters &parameters,
                            const RunOptions &options,
                            MPI_Comm communicator,
                            const unsigned int stage,
                            std::unique_ptr<StageEnd<dim>> left)
    : model(
          parameters.values_of(stage),
          communicator,
          {},
          { parameters.stages,
            stage,
            left ? std::move(left->bodies) : typename StageOfRun<dim>::Solids(),
            left ? std::move(left->sheets)
                 : std::vector<std::shared_ptr<const SheetMesh>>() })
    , contact(model)
    , equilibrium(model, contact)
    , input(parameters)
    , before(std::move(left))
    , options(options)
    , communicator(communicator)
    , recorder(model, contact, input, options.quiet, options.verbose, timer)
    , dumps(model, contact, recorder.log)
    , attempts(model, contact, equilibrium, dumps, recorder.log, timer)
    , substeps(model.parameters.newton,
               model.parameters.time.step,
               model.is_nonlinear())
    , events(model)
    , checkpoints(model.parameters.output, communicator, recorder.log)
{
}

template <int dim>
void Simulation<dim>::set_step(const double h)
{
  if (h == current_h)
    return;
  {
    // Those whose w depends on nothing else make it now.
    const auto scope = timer.scope("factor and compliance");
    bool changed     = false;
    for (auto *system : model.systems)
    {
      const unsigned int version = system->inverse().version;
      system->set_step(h);
      changed = changed || system->inverse().version != version;
      if (!system->is_linear())
        continue;
      for (const auto &notes :
           Utilities::MPI::all_gather(communicator, system->notes()))
        for (const auto &note : notes)
          recorder.log.warning(note, "memory of factors");
    }
    if (Utilities::MPI::max(int(changed), communicator) > 0)
      contact.update_compliance();
  }
  // Reactions persist, so impulses P = h R change with h.
  if (current_h > 0.)
    contact.scale_impulses(h / current_h);
  current_h = h;
}

template <int dim>
std::string Simulation<dim>::inspect_start()
{
  const auto &time = model.parameters.time;
  check_sides_of_obstacles(model);
  for (auto *system : model.systems)
    system->begin_step(time.start_time, false);
  contact.detect(time.start_time, time.step);
  contact.build_kinematics(time.start_time, time.step);

  return judge_overlaps(find_overlaps(model, contact));
}

template <int dim>
void Simulation<dim>::refuse_distortion(const double t, const double h)
{
  const auto scope             = timer.scope("checks");
  const auto &time             = model.parameters.time;
  const std::string distortion = recorder.look_at_distortion(
      step, t + h, h, t + h >= time.end_time - 1e-6 * time.step);
  if (distortion.empty())
    return;
  if (!checkpoints.state_before_step)
    keep_state_before_step();
  recorder.write_last_state(step, t, h, substeps.part_done > 0.);
  throw ComputationError(fmt::format(
      "{} at t = {:.6g}, which small strains cannot be: a material of finite "
      "strain ('Material/Model = Saint Venant-Kirchhoff' or 'neo-Hookean') is "
      "made for this, or look at loads, prescribed motions and tools ('Checks/"
      "If distorted = go on' goes on all the same). The last good state, of t "
      "= {:.6g}, is in the run directory.",
      distortion,
      t + h,
      t));
}

template <int dim>
void Simulation<dim>::accept_step(const double t, const double h)
{
  refuse_distortion(t, h);
  const auto scope               = timer.scope("energy");
  totals                         = StepTotals();
  totals.energy_before           = energy_now;
  constexpr unsigned int n_terms = EnergyTerms::n_terms;
  std::array<double, n_terms + 7> local{};
  for (auto *system : model.systems)
  {
    const auto terms = system->accept().values();
    for (unsigned int i = 0; i < terms.size(); ++i)
      local[i] += terms[i];
  }
  // Works of this rank's contacts: normal, tangential, friction, obstacles,
  // what normal impulses give.
  contact.accept(t, h);
  const double theta = model.parameters.time.theta;
  const double end   = // weight of U+
      model.parameters.time.scheme == TimeScheme::quasi_static ? 1. : 0.5;
  for (unsigned int a = 0; a < contact.contacts.size(); ++a)
    for (unsigned int c = 0; c < dim; ++c)
    {
      const unsigned int i = dim * a + c;
      const double U_theta =
          theta * contact.U[i] + (1. - theta) * contact.U_start[i];
      local[n_terms + (c == 0 ? 0 : 1)] += contact.P[i] * U_theta;
      if (c > 0)
        local[n_terms + 2] += contact.P[i] * contact.U[i];
      else
        local[n_terms + 4] += contact.P[i] * (end * contact.U[i] +
                                              (1. - end) * contact.U_start[i]);
      local[n_terms + 3] -= contact.P[i] * contact.U_imposed[i];
    }
  // What springs of joints give back, contact does not create.
  local[n_terms + 4] += std::min(0., contact.law_energies.stored_change);
  local[n_terms + 5] = contact.law_energies.stored;
  local[n_terms + 6] = contact.law_energies.dissipated;
  auto all           = local;
  MPI_Allreduce(
      local.data(), all.data(), all.size(), MPI_DOUBLE, MPI_SUM, communicator);
  totals.energy.set_values(all.data());
  energy_now                = totals.energy.kinetic + totals.energy.elastic;
  totals.contact_normal     = all[n_terms];
  totals.contact_tangential = all[n_terms + 1];
  totals.friction           = all[n_terms + 2];
  totals.obstacle           = all[n_terms + 3];
  totals.contact_gain       = all[n_terms + 4];
  totals.law_stored         = all[n_terms + 5];
  totals.law_dissipated     = all[n_terms + 6];
  // Where systems have other thetas than contact, the work of its impulses is
  // that of the systems.
  if (model.has_other_thetas())
    totals.contact_normal += totals.energy.contact - totals.contact_work();
  recorder.add_step(totals);
  recorder.note_contact(t + h);
  recorder.note_equilibrium(t + h,
                            equilibrium.iterations,
                            equilibrium.out_of_balance,
                            equilibrium.balanced,
                            equilibrium.reason);
}

template <int dim>
void Simulation<dim>::trigger_events(const double t, const double h)
{
  const auto &parameters = model.parameters.events;
  for (unsigned int e = 0; e < parameters.size(); ++e)
  {
    const auto &event = parameters[e];
    double exact      = t;
    if (!events.happens(
            e,
            t,
            h,
            [this](const unsigned int k) { return recorder.resultant(k); },
            exact))
      continue;
    recorder.note_event(event, step, t, exact);
    for (const auto action : event.actions)
      switch (action)
      {
        case EventAction::write:
          recorder.write_results(step, t, h);
          break;
        case EventAction::zero_velocity:
        {
          double taken = 0.;
          for (auto *system : model.systems)
            taken += system->zero_velocity();
          taken = Utilities::MPI::sum(taken, communicator);
          energy_now -= taken;
          recorder.add_event_energy(-taken);
          break;
        }
        case EventAction::stop:
          stop_asked = true;
          break;
      }
  }
}

template <int dim>
double Simulation<dim>::time_of(const unsigned int n) const
{
  // Times are counted, not summed, so that they do not drift.
  const auto &time         = model.parameters.time;
  const double exact_steps = (time.end_time - time.start_time) / time.step;
  const unsigned int k     = n - first_step; // of the stage
  return k >= std::ceil(exact_steps - 1e-6) ? time.end_time
                                            : time.start_time + k * time.step;
}

template <int dim>
void Simulation<dim>::start(RunDirectory &directory)
{
  const auto &time = model.parameters.time;
  const double h   = time.step;
  set_step(h);
  for (auto *system : model.systems)
    system->start(time.start_time);
  // Nothing of an earlier run is overwritten before this one is known to start.
  const std::string warning = inspect_start();
  directory.begin();
  recorder.begin();
  dumps.begin(0);
  if (!warning.empty() && recorder.root)
    recorder.log.warning(warning);
  energy_now = 0.;
  for (const auto *system : model.systems)
    energy_now += system->kinetic_energy();
  energy_now = Utilities::MPI::sum(energy_now, communicator);

  step = 0;
  if (recorder.results_due(step, time.start_time, h))
    recorder.write_results(step, time.start_time, h);
  act_at_start();
}

template <int dim>
void Simulation<dim>::run()
{
  const auto directory =
      options.directory
          ? options.directory
          : claim_directory(model.parameters, options, communicator);
  // Runs in stages have one that also sees what comes between them.
  const auto guard =
      model.stage.stages.empty() ? std::make_unique<SignalGuard>() : nullptr;
  const bool is_first = before == nullptr;
  if (!is_first)
    begin_stage();
  else if (!options.resume)
    start(*directory);
  else if (!resume())
  {
    already_finished = true;
    return;
  }
  for (const auto &note : directory->notes)
    if (is_first)
      recorder.log.info(note);
  checkpoints.start_clock();
  try
  {
    run_steps();
  }
  catch (const Interrupted &e)
  {
    // On all ranks.
    std::string message = e.what();
    const bool inside   = message.empty();
    if (inside)
      message = fmt::format("Interrupted in step {}, at t = {:.6g}.",
                            step + 1,
                            time_reached(step));
    message += write_state_before_step();
    recorder.log.detail("Error: " + message);
    if (inside)
      recorder.write_last_state(
          step + 1, time_reached(step), current_h, substeps.part_done > 0.);
    recorder.finish(step, time_reached(step), message);
    throw Interrupted(message);
  }
  catch (const ComputationError &e)
  {
    const std::string failure = e.what() + write_state_before_step();
    recorder.log.detail("Error: " + failure);
    recorder.finish(step, time_reached(step), failure);
    throw ComputationError(failure);
  }
  catch (const std::exception &e)
  {
    recorder.log.detail(std::string("Error: ") + e.what());
    recorder.finish(step, time_of(step), e.what());
    throw;
  }
  if (goes_on())
    return;
  tell_times(recorder.log, timer);
  recorder.finish(step, time_of(step), "");
  const Verdict verdict = recorder.verdict(step);
  if (verdict.failed)
    throw ComputationError(fmt::format(
        "{}The run has reached t = {:.6g} all the same; its results are in the "
        "run directory.",
        verdict.doubts(),
        time_of(step)));
}

template <int dim>
void Simulation<dim>::run_steps()
{
  const auto &time           = model.parameters.time;
  const double h             = time.step;
  const double exact_steps   = (time.end_time - time.start_time) / h;
  const unsigned int n_own   = std::ceil(exact_steps - 1e-6);
  const unsigned int n_steps = first_step + n_own; // of the run, up to here
  const bool is_last_stage   = !model.stage.has_next();
  // The last step is shorter if the end is not a multiple of h.
  const bool last_is_shorter = n_own > exact_steps + 1e-6;
  const auto checkpoint      = [&](const bool by_clock = false)
  {
    if (checkpoints.last.step == int(step))
      return;
    const auto scope = timer.scope("checkpoint");
    const auto state = save_state(step);
    // A run that is resumed makes its matrices anew; so does this one, that
    // both go on alike. Not by the clock, on which no result may depend.
    if (!by_clock)
      attempts.forget();
    checkpoints.write(state);
  };
  // One that ended between its last checkpoint and its last result file.
  if ((step == n_steps && is_last_stage) || stop_asked)
    recorder.write_results(step, time_of(step), current_h);

  if (step < n_steps && !stop_asked && requests().end)
  {
    checkpoint();
    throw Interrupted(fmt::format("Interrupted before step {}.", step + 1));
  }
  while (step < n_steps && !stop_asked)
  {
    const double t  = time_of(step);
    const bool last = step + 1 == n_steps;
    // A run that is extended later goes on from a whole number of steps.
    if (last && last_is_shorter && is_last_stage)
      checkpoint();
    ++step;
    try
    {
      advance(t, last && last_is_shorter ? time.end_time - t : h);
    }
    catch (const InputError &e)
    {
      // What the start could not know: an expression has no value at a time or
      // place of this step. Nothing of the step, or substep, was accepted.
      if (!checkpoints.state_before_step)
        keep_state_before_step();
      if (checkpoints.state_before_step) // all ranks are here
        recorder.write_last_state(step,
                                  time_of(step - 1) + substeps.part_done,
                                  current_h,
                                  substeps.part_done > 0.);
      --step;
      throw ComputationError(
          fmt::format("{} The last good state, of t = {:.6g}, is in the run "
                      "directory.",
                      e.what(),
                      time_reached(step)));
    }
    catch (...)
    {
      --step;
      throw;
    }
    checkpoints.state_before_step.reset();
    const double t_new = time_of(step);
    recorder.record(step, t_new, current_h);
    if (on_step)
      on_step(t_new, current_h);
    const unsigned int n_before = events.n_done();
    trigger_events(t_new, current_h);
    // Events end a stage of the run.
    const bool stage_ends = events.n_done() != n_before;
    if (recorder.results_due(step, t_new, h))
    {
      const auto scope = timer.scope("output");
      recorder.write_results(step, t_new, current_h);
    }
    // Checkpoints come before result files that are only written because the
    // run ends here: a continued run has not got them.
    const auto asked = requests();
    if (!(last && last_is_shorter && is_last_stage))
    {
      if (checkpoint_due(step) || stage_ends || asked.end || last || stop_asked)
        checkpoint();
      else if (asked.checkpoint)
        checkpoint(true);
    }
    const bool ends = (last && is_last_stage) || stop_asked;
    if (ends || asked.end)
    {
      const auto scope = timer.scope("output");
      recorder.write_results(step, t_new, current_h);
    }
    if (asked.end && !ends)
      throw Interrupted(
          fmt::format("Interrupted after step {}, t = {:.6g}; the state is in "
                      "the run directory.",
                      step,
                      t_new));
  }
}

template class Simulation<2>;
template class Simulation<3>;
} // namespace delassus
