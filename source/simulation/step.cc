#include <delassus/simulation/step.h>
#include <delassus/simulation/signals.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// What the laws are asked for: the tolerance of the contact solver, where that
/// is relative.
double law_tolerance(const ContactSolverParameters &solver)
{
  switch (solver.criterion)
  {
    case ContactCriterion::worst_violation:
    case ContactCriterion::relaxed:
      return 1e-5;
    default:
      return solver.tolerance;
  }
}
} // namespace

template <int dim>
Step<dim>::Step(Model<dim> &model,
                ContactPhase<dim> &contact,
                Equilibrium<dim> &equilibrium,
                ProblemDumps<dim> &dumps,
                Log &log,
                PhaseTimer &timer)
    : model(model)
    , contact(contact)
    , equilibrium(equilibrium)
    , pieces(equilibrium.pieces)
    , dumps(dumps)
    , log(log)
    , timer(timer)
    , parameters(model.parameters.newton)
    , contact_tolerance(law_tolerance(model.parameters.contact_solver))
    , quasi_static(model.parameters.time.scheme == TimeScheme::quasi_static)
{
  for (const auto *system : model.systems)
    iterates = iterates || !system->is_linear();
  if (iterates)
    for (auto *system : model.systems)
      system->prepare_iterations();
}

template <int dim>
bool Step<dim>::attempt(const unsigned int step, const double t, const double h)
{
  number = step;
  begin(t);
  if (!within_bound(h))
    return false;
  for (unsigned int k = 0;; ++k)
  {
    if (k > 0 || model.is_nonlinear())
      heed_signals(model.communicator);
    // Forces and tangents of the iterate, and what it has reached.
    if (!evaluate(k))
      return false;
    if (k > 0)
    {
      follow_contacts(k, t, h);
      const Judgement judgement = judge(k, h);
      if (judgement != Judgement::go_on)
        return judgement == Judgement::done && finish(t, h, k);
    }
    // w(k) and v_free(k); the contacts, H and W; U, P; then q', q.
    if (!update_inverses(k))
      return false;
    free_velocity();
    if (k == 0 || !iterates)
      find_contacts(t, h);
    if (!solve_contact(k, t, h))
      return false;
    if (!iterates && !equilibrium.needed)
      return finish(t, h, 1);
    shorten(k);
  }
}

template <int dim>
void Step<dim>::begin(const double t)
{
  last.iterations     = 0;
  last.sweeps         = 0;
  last.momentum_error = last.law_error = 0.;
  last.contact_failed                  = false;
  now.shifted                          = false;
  now.without_tangent                  = false;
  now.shortened                        = false;
  now.best    = std::numeric_limits<double>::infinity();
  now.n_worse = now.last_halved = 0;
  pieces.worst                  = 0.;
  last.history.clear();
  last.law_history.clear();
  equilibrium.begin();
  if (iterates && contact.solvers.tolerance_factor < finest_kept)
    contact.solvers.set_tolerance_factor(finest_kept);
  if (model.is_nonlinear())
    contact.begin_step();
  if (++learned.steps_with_held > parameters.frozen_steps)
  {
    learned.held_share      = 0.;
    learned.steps_with_held = 0;
  }
  const auto scope = timer.scope("free motion");
  bool changed     = false;
  for (auto *system : model.systems)
  {
    const unsigned int version = system->inverse().version;
    system->begin_step(t, quasi_static && learned.from_rest);
    changed = changed || system->inverse().version != version;
  }
  // Linear systems that turn; others have w of set_step().
  if (changed && !model.is_nonlinear())
    contact.update_compliance();
}

template <int dim>
bool Step<dim>::within_bound(const double h)
{
  // The system with the least room.
  double h_most = std::numeric_limits<double>::infinity(), frequency = 0.;
  for (auto *system : model.systems)
  {
    const auto bound = system->frequency_bound();
    if (!bound.known)
      return fail(trouble());
    if (bound.bound == 0. ||
        bound.bound / (bound.theta * bound.frequency) >= h_most)
      continue;
    h_most    = bound.bound / (bound.theta * bound.frequency);
    frequency = bound.frequency;
  }
  if (h <= h_most)
    return true;
  return fail(fmt::format("a step of {:.4g} is above the bound {:.4g} of "
                          "'Newton/Matrix' (highest frequency {:.4g})",
                          h,
                          h_most,
                          frequency));
}

template <int dim>
bool Step<dim>::fail(const std::string &why, const std::string &what_helps)
{
  last.reason = why;
  last.advice = what_helps;
  if (pieces.worst > 1e-3)
    last.reason += "; " + pieces.description(pieces.worst_piece);
  learned.from_rest  = true;
  learned.slow       = true;
  learned.held_share = 0.; // a shorter step may not need it
  return false;
}

template <int dim>
std::string Step<dim>::trouble() const
{
  std::string text;
  for (const auto *system : model.systems)
    if (text.empty())
      text = system->trouble();
  // All ranks say the same.
  for (const auto &part : Utilities::MPI::all_gather(model.communicator, text))
    if (!part.empty())
      return part;
  return text;
}

template <int dim>
bool Step<dim>::evaluate_systems(const unsigned int k, const bool with_tangent)
{
  if (!model.is_nonlinear())
    return true;
  const auto scope =
      timer.scope(with_tangent ? "forces and tangent" : "forces");
  for (auto *system : model.systems)
    if (!system->evaluate(k, with_tangent, learned.slow))
      return false;
  return true;
}

template <int dim>
bool Step<dim>::evaluate(const unsigned int k)
{
  // Where the last residual promises that this one will do, no tangent.
  now.without_tangent =
      k > 0 && last.momentum_error < 1e-4 &&
      last.momentum_error * last.momentum_error < parameters.tolerance;
  if (evaluate_systems(k, !now.without_tangent))
    return true;
  if (k == 0 || !step_back(k, !now.without_tangent))
    return fail(trouble(),
                "A smaller 'Time/Step', a finer or better shaped mesh help "
                "where cells collapse.");
  now.shortened = true;
  return true;
}

template <int dim>
void Step<dim>::follow_contacts(const unsigned int k,
                                const double t,
                                const double h)
{
  if (!iterates)
    return;
  {
    const auto scope = timer.scope("detection");
    contact.follow(t, h, k <= parameters.frame_updates);
  }
  const auto scope = timer.scope("kinematics");
  contact.build_kinematics(t, h);
  tell_contact_notes();
  contact.apply_impulses();
}

template <int dim>
void Step<dim>::tell_contact_notes()
{
  for (const auto &note : contact.notes)
    log.warning(note);
  contact.notes.clear();
}

template <int dim>
void Step<dim>::free_velocity()
{
  if (!model.is_nonlinear())
    return;
  const auto scope = timer.scope("free motion");
  for (auto *system : model.systems)
    system->free_velocity();
  now.free_velocity_is_new = true;
}

template <int dim>
void Step<dim>::find_contacts(const double t, const double h)
{
  {
    const auto scope = timer.scope("detection");
    contact.detect(t, h);
  }
  const auto scope = timer.scope("kinematics");
  contact.build_kinematics(t, h);
  tell_contact_notes();
  now.free_velocity_is_new = false;
}

template <int dim>
bool Step<dim>::solve_contact(const unsigned int k,
                              const double t,
                              const double h)
{
  contact.solvers.set_forcing(forcing(k));
  contact.forget_frames();
  if (!solve_problem(t, h))
    return false;
  return !contact.frames_follow() || follow_frames(k, t, h);
}

template <int dim>
bool Step<dim>::solve_problem(const double t, const double h)
{
  // What is violated outside of the working set joins it.
  do
    if (!solve_working_set(t, h))
      return false;
  while (!contact.all_may_rest());
  if (iterates)
    pieces.find_resistance();
  return true;
}

template <int dim>
bool Step<dim>::solve_working_set(const double t, const double h)
{
  const bool stop = model.parameters.contact_solver.stop_if_not_converged;
  if (now.free_velocity_is_new)
  {
    const auto scope = timer.scope("kinematics");
    contact.renew_free_velocity();
    now.free_velocity_is_new = false;
  }
  {
    const auto scope = timer.scope("delassus");
    contact.update_delassus();
    if (!contact.delassus.note.empty())
      log.warning(contact.delassus.note);
  }
  bool converged = true;
  {
    const auto scope = timer.scope("contact solver");
    converged        = contact.solve_contact().converged;
    last.sweeps += contact.result.sweeps;
    // Free pieces make W large beside what they give way by.
    if (!converged && pieces.any && contact.spare_W())
    {
      contact.update_delassus();
      converged = contact.solve_contact().converged;
      last.sweeps += contact.result.sweeps;
    }
    while (!contact.friction_settled(t, h))
    {
      heed_signals(model.communicator);
      converged = contact.solve_contact().converged;
      last.sweeps += contact.result.sweeps;
    }
  }
  dumps.after_solution(number, t, h);
  if (contact.result.indefinite)
  {
    // Whatever comes of it is one of several solutions, or none.
    last.contact_failed = true;
    return fail(fmt::format("contact laws of iteration {} soften more than the "
                            "bodies hold: W in their variables is not positive "
                            "definite",
                            last.iterations + 1),
                quasi_static
                    ? "Something gives way: 'Time/Scheme = dynamic' can go "
                      "through it."
                    : "A smaller 'Time/Step' (in Newton runs 'Newton/"
                      "Smallest step') lets mass hold it.");
  }
  // In a Newton loop, in which of its solutions.
  const std::string where =
      iterates ? fmt::format(" of iteration {}", last.iterations + 1) : "";
  if (stop && !converged)
  {
    last.contact_failed = true;
    return fail(fmt::format("the contact loop{} stopped at an error of {:.2e} "
                            "after {} sweeps",
                            where,
                            contact.result.errors.unit_free,
                            contact.result.sweeps),
                "Try more sweeps ('Contact solver/Maximum sweeps'), a looser "
                "'Tolerance', 'Relaxation' below 1, or a smaller 'Time/Step'.");
  }
  if (stop && !contact.friction.in_balance)
    return fail(fmt::format("the coefficients of friction{} do not settle, the "
                            "sliding forces still change by {:.2e}",
                            where,
                            contact.friction.change),
                "A smaller 'Time/Step', or friction that changes less with "
                "speed and pressure, help.");
  const auto scope = timer.scope("correction");
  contact.apply_impulses();
  // Norms are sums over all ranks, so all ranks come to the same verdict.
  bool finite = true;
  for (auto *system : model.systems)
    finite = system->correct() && finite;
  if (!finite)
    return fail("the iteration gives values that are not finite",
                "Look at loads, prescribed motions and initial velocities.");
  return true;
}

template <int dim>
bool Step<dim>::finish(const double t, const double h, const unsigned int k)
{
  last.iterations   = k;
  learned.from_rest = false;
  if (iterates)
  {
    of_run.n_iterations += k;
    learned.slow = k > 12;
    for (auto *system : model.systems)
      system->note_iterations(k);
    contact.take_iterate();
    learned.history     = last.history;
    learned.law_history = last.law_history;
  }
  dumps.after_step(number, t, h);
  if (!equilibrium.needed || equilibrium.balanced ||
      !model.parameters.contact_solver.stop_if_not_converged)
    return true;
  return fail(fmt::format("no equilibrium is found in {} iterations: {}",
                          equilibrium.iterations,
                          equilibrium.reason),
              "Hold it by a boundary condition or by what it touches, load it "
              "less, or use 'Time/Scheme = dynamic'.");
}

template <int dim>
bool Step<dim>::too_large(const double h)
{
  last.limit_ratio = 0.;
  if (!iterates)
    return false;
  if (parameters.largest_strain > 0.)
  {
    double strain = 0.;
    for (const auto *system : model.systems)
      strain = std::max(strain, system->largest_strain_increment());
    last.limit_ratio = strain / parameters.largest_strain;
    if (last.limit_ratio > 1.)
      last.reason =
          fmt::format("a strain or rotation increment of {:.3g}", strain);
  }
  if (parameters.largest_slip > 0.)
  {
    const double slip  = contact.largest_slip(h);
    const double ratio = slip / parameters.largest_slip;
    if (ratio > std::max(1., last.limit_ratio))
      last.reason = fmt::format("a slip of {:.3g} contact faces", slip);
    last.limit_ratio = std::max(last.limit_ratio, ratio);
  }
  return last.limit_ratio > 1.;
}

template class Step<2>;
template class Step<3>;
} // namespace delassus
