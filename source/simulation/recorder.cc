#include <delassus/simulation/recorder.h>
#include <delassus/base/text.h>

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace delassus
{
using namespace dealii;

namespace
{
/// Whether some contact law has a state, and so energies of its own.
template <int dim>
bool laws_remember(const Model<dim> &model)
{
  return std::any_of(model.laws.begin(),
                     model.laws.end(),
                     [](const auto &law) { return law->n_state() > 0; });
}
} // namespace

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
    , pairs(model)
    , energy(negligible_energy(model.total_mass(),
                               model.weight(),
                               model.parameters.time.step),
             smallest_energy(model.total_mass(),
                             model.weight(),
                             model.parameters.time.step),
             laws_remember(model))
    , history(model, input.values, contact, pairs)
    , results(model, contact)
{
}

template <int dim>
void Recorder<dim>::note_contact(const double t)
{
  const auto &result = contact.result;
  if (!contact.friction.in_balance)
  {
    unsolved.friction.note(t, contact.friction.change);
    if (root)
      log.warning(
          fmt::format("the coefficients of friction did not settle: sliding "
                      "forces still change by {:.2e} at t = {:.6g}",
                      contact.friction.change,
                      t),
          "the coefficients of friction did not settle");
  }
  if (!result.converged)
  {
    unsolved.contact_loop.note(t, result.errors.unit_free);
    if (root)
      log.warning(fmt::format("the contact loop did not converge: error {:.2e} "
                              "after {} sweeps or iterations at t = {:.6g}{}{}",
                              result.errors.unit_free,
                              result.sweeps,
                              t,
                              result.diagnosis.empty() ? "" : ": ",
                              result.diagnosis),
                  "the contact loop did not converge");
  }
}

template <int dim>
void Recorder<dim>::note_equilibrium(const double t,
                                     const unsigned int iterations,
                                     const double out_of_balance,
                                     const bool balanced,
                                     const std::string &reason)
{
  equilibria.add(iterations, out_of_balance);
  if (balanced)
    return;
  unsolved.balance.note(t, out_of_balance);
  if (root)
    log.warning(fmt::format("no equilibrium was found in {} iterations at t = "
                            "{:.6g}: {}",
                            iterations,
                            t,
                            reason),
                "no equilibrium was found");
}

template <int dim>
void Recorder<dim>::note_substep(const double t,
                                 const double h,
                                 const unsigned int iterations,
                                 const double momentum_residual)
{
  if (!(momentum_residual <= model.parameters.newton.tolerance))
    unsolved.momentum.note(t, momentum_residual);
  newton.add_substep(h, iterations, momentum_residual);
}

template <int dim>
void Recorder<dim>::record(const unsigned int step,
                           const double t,
                           const double h)
{
  pairs.update(contact, h);
  if (root)
    watch_obstacles(t, h);
  watch_zones(t);
  unsolved.end_step(step);
  if (step % model.parameters.output.history_steps == 0)
  {
    const auto &values =
        history.values(step, t, h, unsolved.last_is_solved(), newton.step());
    if (root)
    {
      std::vector<double> energies = energy.values();
      energies.insert(energies.begin(), { double(step), t });
      tables.add_rows(values, energies, stage_words());
    }
  }

  // Below the critical friction a contact has one solution; above it, it may
  // have several. Only those that depend on it are worth a warning.
  if (contact_problems.find_ill_posed(contact))
    log.detail(fmt::format("friction is above the bound that makes a contact's "
                           "own problem unique (mu |W_NT| / W_NN < 1) at {} "
                           "of step {}; the farthest: {}",
                           counted(contact.result.n_ill_posed, "contact"),
                           step,
                           contact_problems.ill_posed_contact()));
  // W of a tangent that is not positive definite is that of its replacement and
  // says nothing of the solution.
  const WedgedContacts wedged = newton.step().indefinite == 0
                                    ? contact.wedged_contacts()
                                    : WedgedContacts();
  contact_problems.add_step(contact, wedged);
  tell_of_wedged(step, t, wedged);
  tell_of_immovable(step);
  if (root)
    show_progress(step, t);
  newton.end_step();
}

template <int dim>
void Recorder<dim>::tell_of_wedged(const unsigned int step,
                                   const double t,
                                   const WedgedContacts &wedged)
{
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
}

template <int dim>
void Recorder<dim>::tell_of_immovable(const unsigned int step)
{
  // Once, and again if there are more.
  const std::size_t n = contact.result.n_immovable;
  if (!contact_problems.more_immovable(n))
    return;
  const std::string place = contact.immovable_contact();
  log.warning(fmt::format("{} only prescribed dofs: no reaction can move {} "
                          "(step {}){}{}",
                          counted(n, "contact has", "contacts have"),
                          n == 1 ? "it" : "them",
                          step,
                          place.empty() ? "" : ": ",
                          place),
              "immovable contacts");
}

template <int dim>
void Recorder<dim>::show_progress(const unsigned int step, const double t)
{
  const auto &result = contact.result;
  StepReport report;
  report.step              = step;
  report.time              = t;
  report.sweeps            = result.sweeps;
  report.newton_iterations = newton.step().iterations;
  report.n_contacts        = contact.n_contacts;
  // Of the contacts at hand: a Newton loop may have found some after the last
  // problem was solved.
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
  {
    const auto &status = pairs.counts(p).status;
    report.n_open += status[0];
    report.n_stick += status[1];
    report.n_slip += status[2];
  }
  report.penetration     = result.errors.penetration;
  report.energy_residual = energy.residual();
  report.contact_error   = result.errors.unit_free;
  report.converged       = unsolved.last_is_solved();
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

template class Recorder<2>;
template class Recorder<3>;
} // namespace delassus
