#include <delassus/simulation/newton_loop.h>
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
NewtonLoop<dim>::NewtonLoop(Model<dim> &model,
                            ContactPhase<dim> &contact,
                            FreePieces<dim> &pieces,
                            ProblemDumps<dim> &dumps,
                            Log &log,
                            PhaseTimer &timer)
    : model(model)
    , contact(contact)
    , pieces(pieces)
    , dumps(dumps)
    , log(log)
    , timer(timer)
    , parameters(model.parameters.newton)
    , contact_tolerance(law_tolerance(model.parameters.contact_solver))
{
}

template <int dim>
bool NewtonLoop<dim>::fail(const std::string &why,
                           const std::string &what_helps)
{
  reason = why;
  advice = what_helps;
  if (pieces.worst > 1e-3)
    reason += "; " + pieces.description(pieces.worst_piece);
  from_rest  = true;
  slow       = true;
  held_share = 0.; // a shorter step may not need it
  return false;
}

template <int dim>
void NewtonLoop<dim>::adapt_mass(const unsigned int k)
{
  // Slow loops may be so because of it; where a tangent was indefinite it may
  // become less again.
  for (auto *scheme : model.newton_schemes)
    if (scheme->mass_scale > 2e-3 ? k <= 8 : k > 8)
      scheme->mass_scale = std::max(1e-6, 0.3 * scheme->mass_scale);
}

template <int dim>
std::string NewtonLoop<dim>::trouble() const
{
  std::string text;
  for (const auto *scheme : model.newton_schemes)
    if (text.empty())
      text = scheme->internal.trouble();
  // All ranks say the same.
  for (const auto &part : Utilities::MPI::all_gather(model.communicator, text))
    if (!part.empty())
      return part;
  return text;
}

template <int dim>
bool NewtonLoop<dim>::evaluate(const bool with_tangent)
{
  const auto scope =
      timer.scope(with_tangent ? "forces and tangent" : "forces");
  for (auto *scheme : model.newton_schemes)
    if (!scheme->evaluate(with_tangent))
      return false;
  has_tangent = has_tangent || with_tangent;
  return true;
}

template <int dim>
bool NewtonLoop<dim>::renew_tangent(const unsigned int k) const
{
  switch (parameters.matrix)
  {
    case CorrectingMatrix::full:
      return true;
    case CorrectingMatrix::step:
      return k == 0;
    case CorrectingMatrix::frozen:
      return !has_tangent ||
             (k == 0 && (slow || matrix_steps >= parameters.frozen_steps));
    case CorrectingMatrix::two_term:
      return k == 0;
    default:
      return !has_tangent;
  }
}

template <int dim>
bool NewtonLoop<dim>::update_matrices(const unsigned int k, const bool fresh)
{
  const double h = model.newton_schemes[0]->step_size();
  if (!fresh && h == h_of_matrix)
    return true;
  const auto scope = timer.scope("factor and compliance");
  // A tangent that is not definite need not mean that something gives way: it
  // does not know what contact holds. First a stiffness in the directions that
  // closed contacts hold is added, where the iterate does not move any more
  // once they stay closed; then, quasi-statically, a fictitious mass, while in
  // dynamics a smaller step helps.
  const bool quasi_static =
      model.parameters.time.scheme == TimeScheme::quasi_static;
  if (fresh && held_share > 0.)
    add_held_stiffness(held_share);
  double shift = 0.;
  for (unsigned int attempt = 0;; ++attempt)
  {
    std::string indefinite;
    try
    {
      for (auto *scheme : model.newton_schemes)
        scheme->update_matrix(shift);
    }
    catch (const NotPositiveDefinite &e)
    {
      indefinite = e.what();
    }
    if (Utilities::MPI::max(int(!indefinite.empty()), model.communicator) == 0)
      break;
    h_of_matrix = 0.;
    ++n_indefinite;
    // A piece under pressure that only contact holds would turn by itself.
    bool heavier = false;
    for (auto *scheme : model.newton_schemes)
      if (quasi_static && scheme->has_fictitious_mass() &&
          scheme->mass_scale < 0.5)
      {
        scheme->mass_scale *= 10.;
        heavier = true;
      }
    if (heavier)
      continue;
    if (held_share < 5. && contact.n_contacts > 0)
    {
      const double more = held_share == 0. ? 1. : 9. * held_share;
      add_held_stiffness(more);
      held_share += more;
      continue;
    }
    if (!quasi_static || shift > 1e3)
      return fail(fmt::format("the tangent of iteration {} is not positive "
                              "definite (material or geometry softens)",
                              k + 1),
                  quasi_static ? "Something gives way: 'Time/Scheme = dynamic' "
                                 "can go through it."
                               : "A smaller 'Newton/Smallest step' lets mass "
                                 "hold it.");
    shift   = shift == 0. ? 1e-3 : 5. * shift;
    shifted = true;
    log.warning(fmt::format("tangent not positive definite: a fictitious mass "
                            "of {:g} in the correcting matrix",
                            shift),
                "indefinite tangent");
  }
  for (const auto &scheme : model.schemes)
    for (const auto &note : scheme->w.notes)
      log.warning(note, "memory of factors");
  h_of_matrix = h;
  if (fresh)
    matrix_steps = 0;
  ++n_matrices;
  contact.update_compliance();
  return true;
}

template <int dim>
void NewtonLoop<dim>::lighten_pieces()
{
  std::vector<unsigned int> late;
  for (unsigned int p = 0; p < pieces.error.size(); ++p)
  {
    const auto [b, number] = pieces.body_of(p);
    if (pieces.error[p] > parameters.tolerance &&
        model.newton_schemes[b]
                ->rigid_share[model.classes[b]->class_of_piece[number]] < 1.)
      late.push_back(p);
  }
  if (pieces.lower(late, 0.1))
    h_of_matrix = 0.;
}

template <int dim>
double NewtonLoop<dim>::residual() const
{
  // The worst body: its residual against the largest kind of impulse that acts
  // on it, or a thousandth of those on others, or what rounding leaves of the
  // stiffness times the displacement.
  constexpr unsigned int n    = 6;
  const unsigned int n_bodies = model.newton_schemes.size();
  std::vector<double> sums;
  for (const auto *scheme : model.newton_schemes)
  {
    const auto norms = scheme->norms();
    for (const double value : { norms.residual,
                                norms.inertia,
                                norms.internal,
                                norms.external,
                                norms.contact,
                                norms.rounding })
      sums.push_back(value);
  }
  Utilities::MPI::sum(sums, model.communicator, sums);
  double largest = 0.;
  std::vector<double> size(n_bodies);
  for (unsigned int b = 0; b < n_bodies; ++b)
  {
    for (unsigned int i = 1; i < n - 1; ++i)
      size[b] = std::max(size[b], std::sqrt(sums[n * b + i]));
    largest = std::max(largest, size[b]);
  }
  for (const auto &tool : model.tools.tools)
    largest = std::max(largest, model.tools.norms(tool)[1]);
  double error = 0.;
  for (const auto &tool : model.tools.tools)
  {
    const auto norms = model.tools.norms(tool);
    if (norms[0] > 0.)
      error = std::max(error, norms[0] / std::max(norms[1], 1e-3 * largest));
  }
  for (unsigned int b = 0; b < n_bodies; ++b)
  {
    const double rounding =
        1e-14 * std::sqrt(sums[n * b + 5]) / parameters.tolerance;
    const double against = std::max({ size[b], 1e-3 * largest, rounding });
    if (sums[n * b] > 0. || std::isnan(sums[n * b]))
      error = std::max(error, std::sqrt(sums[n * b]) / against);
    if (std::isnan(sums[n * b]))
      return std::numeric_limits<double>::infinity();
  }
  // Norms of a stiff piece say nothing of its balance as a whole.
  if (pieces.any)
  {
    pieces.find_balance();
    error = std::max(error, pieces.worst);
  }
  return error;
}

template <int dim>
bool NewtonLoop<dim>::solve_contact(const unsigned int step,
                                    const double t,
                                    const double h)
{
  contact.forget_frames();
  if (!solve_problem(step, t, h))
    return false;
  return !contact.frames_follow() || follow_frames(step, t, h);
}

template <int dim>
bool NewtonLoop<dim>::solve_problem(const unsigned int step,
                                    const double t,
                                    const double h)
{
  const bool stop = model.parameters.contact_solver.stop_if_not_converged;
  {
    const auto scope = timer.scope("kinematics");
    contact.build_kinematics(t, h);
  }
  {
    const auto scope = timer.scope("delassus");
    contact.update_delassus();
    if (!contact.note.empty())
      log.warning(contact.note);
  }
  bool converged = true;
  {
    const auto scope = timer.scope("contact solver");
    converged        = contact.solve_contact().converged;
    sweeps += contact.result.sweeps;
    while (!contact.friction_settled(t, h))
    {
      heed_signals(model.communicator);
      converged = contact.solve_contact().converged;
      sweeps += contact.result.sweeps;
    }
  }
  dumps.after_solution(step, t, h);
  if (stop && (!converged || !contact.friction_in_balance))
  {
    contact_failed = true;
    return fail(fmt::format("the contact loop of iteration {} stopped at an "
                            "error of {:.2e}",
                            iterations + 1,
                            contact.result.errors.unit_free),
                "Try more sweeps ('Contact solver/Maximum sweeps') or a looser "
                "'Tolerance'.");
  }
  const auto scope = timer.scope("correction");
  contact.apply_impulses();
  bool finite = true;
  for (const auto &scheme : model.schemes)
    finite = scheme->apply_impulses() && finite;
  finite = model.tools.apply_impulses() && finite;
  if (!finite)
    return fail("the iteration gives values that are not finite");
  if (pieces.find_resistance())
    h_of_matrix = 0.; // the next matrix knows it
  return true;
}

template <int dim>
bool NewtonLoop<dim>::within_bound(const double h)
{
  // Approximate inverses converge, and explicit steps are stable, below a
  // bound on h omega_max.
  double bound = 1.;
  switch (parameters.matrix)
  {
    case CorrectingMatrix::explicit_:
      bound = 2.;
      break;
    case CorrectingMatrix::lumped:
    case CorrectingMatrix::two_term:
      break;
    default:
      return true;
  }
  const double theta = parameters.matrix == CorrectingMatrix::explicit_
                           ? 1.
                           : model.parameters.time.theta;
  // The farther from the bound, the later cells can be small enough for it.
  const double margin = bound / std::max(theta * frequency * h, 1e-300);
  // The tangent itself is part of the two-term form.
  const double wait = parameters.matrix == CorrectingMatrix::two_term
                          ? parameters.frozen_steps
                          : parameters.frozen_steps *
                                (1. + 2. * std::log(std::max(1., margin)));
  if (frequency == 0. || steps_since_frequency++ >= wait)
  {
    if (!evaluate(true))
      return fail(trouble());
    const auto scope = timer.scope("forces and tangent");
    const bool anew  = frequency == 0.;
    frequency        = 0.;
    for (auto *scheme : model.newton_schemes)
      frequency = std::max(frequency, scheme->internal.highest_frequency(anew));
    steps_since_frequency = 0;
  }
  const double h_most = bound / (theta * frequency);
  if (h <= h_most)
    return true;
  return fail(fmt::format("a step of {:.4g} is above the bound {:.4g} of "
                          "'Newton/Matrix' (highest frequency {:.4g})",
                          h,
                          h_most,
                          frequency));
}

template <int dim>
bool NewtonLoop<dim>::explicit_step(const unsigned int step,
                                    const double t,
                                    const double h)
{
  for (auto *scheme : model.newton_schemes)
    if (!scheme->begin_explicit_step(t))
      return fail(trouble());
  if (!update_matrices(0, h_of_matrix == 0.))
    return false;
  for (auto *scheme : model.newton_schemes)
    scheme->advance_free_motion(t);
  model.tools.advance_iteration();
  {
    const auto scope = timer.scope("detection");
    contact.detect(t, h);
  }
  if (!solve_contact(step, t, h))
    return false;
  iterations       = 1;
  const auto scope = timer.scope("forces");
  for (auto *scheme : model.newton_schemes)
    if (!scheme->end_explicit_step())
      return fail(trouble());
  return true;
}

template <int dim>
void NewtonLoop<dim>::finish(const unsigned int step,
                             const double t,
                             const double h,
                             const unsigned int k)
{
  iterations = k;
  n_iterations += k;
  ++matrix_steps;
  from_rest = false;
  slow      = k > 12;
  adapt_mass(k);
  contact.take_iterate();
  dumps.after_step(step, t, h);
}

template <int dim>
bool NewtonLoop<dim>::solve(const unsigned int step,
                            const double t,
                            const double h)
{
  iterations     = 0;
  sweeps         = 0;
  momentum_error = law_error = 0.;
  contact_failed             = false;
  shifted                    = false;
  pieces.worst               = 0.;
  history.clear();
  contact.begin_step();
  if (++steps_with_held > parameters.frozen_steps)
  {
    held_share      = 0.;
    steps_with_held = 0;
  }
  const bool quasi_static =
      model.parameters.time.scheme == TimeScheme::quasi_static;
  for (auto *scheme : model.newton_schemes)
  {
    scheme->set_step(h);
    scheme->begin_step(t, quasi_static && from_rest);
  }
  model.tools.begin_step(t, quasi_static && from_rest);
  if (!within_bound(h))
    return false;
  if (parameters.matrix == CorrectingMatrix::explicit_)
  {
    heed_signals(model.communicator);
    return explicit_step(step, t, h);
  }

  double best          = std::numeric_limits<double>::infinity();
  unsigned int n_worse = 0, last_halved = 0;
  bool shortened = false; // the last correction: nothing is reached yet
  for (unsigned int k = 0;; ++k)
  {
    heed_signals(model.communicator);
    // Where the last residual promises that this one will do, no tangent.
    const bool renew  = renew_tangent(k);
    const bool likely = k > 0 && momentum_error < 1e-4 &&
                        momentum_error * momentum_error < parameters.tolerance;
    const bool with_tangent = renew && !likely;
    if (!evaluate(with_tangent))
    {
      if (k == 0 || !step_back(with_tangent))
        return fail(trouble(),
                    "A smaller 'Time/Step', a finer or better shaped mesh help "
                    "where cells collapse.");
      shortened = true;
    }
    if (k > 0)
    {
      {
        const auto scope = timer.scope("detection");
        contact.follow(t, h, k <= parameters.frame_updates);
      }
      {
        const auto scope = timer.scope("kinematics");
        contact.build_kinematics(t, h);
        contact.apply_impulses();
      }
      momentum_error = residual();
      law_error      = contact.law_error(h);
      history.push_back(momentum_error);
      tell_iteration(k);
      if (momentum_error <= parameters.tolerance &&
          law_error <= contact_tolerance && !shortened)
      {
        finish(step, t, h, k);
        return true;
      }
      if (k >= 6 && k % 4 == 2 && momentum_error > 0.1 * history[k - 3])
        lighten_pieces();
      iterations = k;
      best       = std::min(best, momentum_error);
      n_worse    = momentum_error > best ? n_worse + 1 : 0;
      // Impulses are known to the tolerance of the contact solver only: where
      // the residual stands still near it, they have to be known better, and
      // if that is not enough, it is all that can be had.
      const bool laws_hold = law_error <= contact_tolerance;
      if (laws_hold && k >= 4 && k % 2 == 0 && !shifted &&
          model.parameters.contact_solver.criterion ==
              ContactCriterion::unit_free &&
          contact.tolerance_factor > 2e-3 &&
          contact_tolerance * contact.tolerance_factor > 1e-13 &&
          momentum_error < 1e4 * contact_tolerance &&
          momentum_error > 0.3 * history[history.size() - 3])
        contact.set_tolerance_factor(0.1 * contact.tolerance_factor);
      if (laws_hold && k >= 10 && n_worse >= 3 && !shortened &&
          momentum_error <= contact_tolerance)
      {
        ++n_stagnated;
        log.warning(fmt::format("the momentum residual stands still at {:.1e}, "
                                "below the tolerance of the contact solver: "
                                "lower that one to go further",
                                momentum_error),
                    "residual limited by contact");
        finish(step, t, h, k);
        return true;
      }
      if (!std::isfinite(momentum_error) ||
          (n_worse >= 10 && momentum_error > 10. * best &&
           momentum_error > contact_tolerance) ||
          (n_worse >= 2 && momentum_error > 1e3))
        return fail(fmt::format("the Newton loop diverges (momentum residual "
                                "{:.2e}, contact law {:.2e} after {} "
                                "iterations)",
                                momentum_error,
                                law_error,
                                k),
                    "A smaller 'Time/Step' helps where loads or tools move "
                    "too far in it, 'Time/Scheme = dynamic' where something "
                    "gives way.");
      if (k >= parameters.max_iterations && !slow_but_sure())
        return fail(
            fmt::format("the Newton loop has a momentum residual of "
                        "{:.2e} (allowed {:.1e}) and a contact law "
                        "error of {:.2e} (allowed {:.1e}) after {} "
                        "iterations",
                        momentum_error,
                        parameters.tolerance,
                        law_error,
                        contact_tolerance,
                        k),
            law_error > contact_tolerance
                ? "Contacts do not settle: a smaller 'Time/Step', "
                  "'Normals = averaged' or a finer antagonist help."
                : "'Newton/Maximum iterations' gives it more time, a "
                  "smaller 'Contact solver/Tolerance' better impulses.");
    }
    shortened  = false;
    bool fresh = with_tangent;
    if (renew && !with_tangent && momentum_error > parameters.tolerance)
    {
      if (!evaluate(true))
        return fail(trouble());
      fresh = true;
    }
    if (!update_matrices(k, fresh))
      return false;
    {
      const auto scope = timer.scope("free motion");
      for (auto *scheme : model.newton_schemes)
        scheme->advance_free_motion(t);
      model.tools.advance_iteration();
    }
    if (k == 0)
    {
      const auto scope = timer.scope("detection");
      contact.detect(t, h);
    }
    if (!solve_contact(step, t, h))
      return false;
    // Contacts that change their status forth and back: half of a correction
    // lies between their two states.
    if (k >= 5 && model.tools.empty() && k > last_halved + 1 &&
        momentum_error > 0.5 * history[k - 3] &&
        momentum_error > 10. * parameters.tolerance)
    {
      last_halved = k;
      shortened   = true;
      ++n_stepped_back;
      for (auto *scheme : model.newton_schemes)
        scheme->halve_correction();
    }
  }
}

template <int dim>
bool NewtonLoop<dim>::too_large(const double h)
{
  limit_ratio = 0.;
  // Stable explicit steps strain a cell by less than its deformation takes to
  // cross it; looking at each would cost a sixth of them.
  if (parameters.matrix == CorrectingMatrix::explicit_)
    return false;
  if (parameters.largest_strain > 0.)
  {
    double strain = 0.;
    for (const auto *scheme : model.newton_schemes)
      strain = std::max(
          strain,
          scheme->internal.largest_strain_increment(scheme->q, scheme->q_new));
    limit_ratio = strain / parameters.largest_strain;
    if (limit_ratio > 1.)
      reason = fmt::format("a strain or rotation increment of {:.3g}", strain);
  }
  if (parameters.largest_slip > 0.)
  {
    const double slip  = contact.largest_slip(h);
    const double ratio = slip / parameters.largest_slip;
    if (ratio > std::max(1., limit_ratio))
      reason = fmt::format("a slip of {:.3g} contact faces", slip);
    limit_ratio = std::max(limit_ratio, ratio);
  }
  return limit_ratio > 1.;
}

template class NewtonLoop<2>;
template class NewtonLoop<3>;
} // namespace delassus
