#include <delassus/base/exceptions.h>
#include <delassus/simulation/signals.h>
#include <delassus/simulation/simulation.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
void Simulation<dim>::advance_controlled(const double t, const double H)
{
  const auto &control = model.parameters.newton;
  const double floor  = control.smallest_step * model.parameters.time.step;
  if (!(controlled_h > 0.))
    controlled_h = H;
  double tried = 0.; // the first size of this substep, if it was cut
  // Steps bounded by a frequency may be many, but their number is known.
  const bool counted = control.matrix == CorrectingMatrix::full ||
                       control.matrix == CorrectingMatrix::step ||
                       control.matrix == CorrectingMatrix::frozen;
  unsigned int spent = 0;
  // The first substep that was cut for its strain or slip. Where shorter ones
  // have no less of it the body jumps, and no step is short enough.
  double limited_h = 0., limited_ratio = 0.;
  bool jump = false;
  while (part_done < H)
  {
    // Equal parts of what is left, none larger than the control allows: the end
    // of the step is hit exactly. None is smaller than the floor, but for the
    // last of a step that others have cut.
    const double left   = H - part_done;
    const double parts  = std::min(std::ceil(left / controlled_h * (1. - 1e-9)),
                                  std::max(1., std::floor(left / floor)));
    const double h      = parts <= 1. ? left : left / parts;
    const double t_here = t + part_done;
    const bool last     = parts <= 1.;

    bool good       = false;
    double shrink   = 0.5;
    std::string why = "";
    set_step(h);
    Archive before; // an interrupted attempt has taught nothing
    attempts.archive(before);
    try
    {
      good = attempts.attempt(step, t_here, h);
      if (!good)
        why = attempts.failure();
    }
    catch (const Interrupted &)
    {
      Archive again(before.bytes(), "");
      attempts.archive(again);
      keep_state_before_step();
      throw;
    }
    catch (const ComputationError &)
    {
      // Nothing of this substep was accepted: the state is that before it.
      keep_state_before_step();
      throw;
    }
    if (good && attempts.too_large(h))
    {
      jump =
          jump || (h < 0.3 * limited_h &&
                   attempts.limit_ratio > 3. * limited_ratio * h / limited_h);
      // Ten times what is allowed is no snap but a collapse.
      if (jump && attempts.limit_ratio <= 10.)
        recorder.log.warning(
            fmt::format("a jump at t = {:.6g}: {} in a step of {:.3g}",
                        t_here,
                        attempts.failure(),
                        h),
            "jump");
      else
      {
        if (limited_h == 0.)
        {
          limited_h     = h;
          limited_ratio = attempts.limit_ratio;
        }
        good   = false;
        shrink = std::max(0.1, 0.9 / attempts.limit_ratio);
        why    = attempts.failure() + " is more than allowed";
      }
    }
    if (good)
      for (auto *system : model.systems)
        if (good && !system->end_step())
        {
          good = false;
          why  = "at the end of the step " + attempts.trouble();
        }
    spent += attempts.iterations;
    if (!good)
    {
      if (tried == 0.)
        tried = h;
      recorder.note_cut(attempts.iterations);
      contact.restore();
      const bool too_many = counted && spent >= control.max_step_iterations;
      if (too_many)
        why += fmt::format("; {} iterations were spent on this 'Time/Step' "
                           "('Newton/Maximum step iterations')",
                           spent);
      if (h * shrink < floor && !too_many && limited_h > h && !jump)
      {
        // It was cut because of a limit, not because it could not be solved.
        jump         = true;
        controlled_h = limited_h;
        continue;
      }
      if (h * shrink < floor || too_many)
      {
        // Who resumes, with other settings, starts where it got difficult.
        controlled_h = tried;
        give_up_control(t_here, h, why);
      }
      if (recorder.root)
        recorder.log.warning(
            fmt::format("step at t = {:.6g} cut from {:.3g} to {:.3g}: {}",
                        t_here,
                        h,
                        shrink * h,
                        why),
            "step cut");
      controlled_h = shrink * h;
      continue;
    }
    contact.result.sweeps = attempts.sweeps;
    accept_step(t_here, h);
    recorder.note_substep(
        t_here + h, h, attempts.iterations, attempts.momentum_error);
    recorder.note_matrices(attempts.n_matrices, attempts.n_indefinite);
    part_done = last ? H : part_done + h;
    tried     = 0.;
    if (counted && spent >= control.max_step_iterations && part_done < H)
      give_up_control(t + part_done,
                      h,
                      fmt::format("{} iterations were spent on this "
                                  "'Time/Step' ('Newton/Maximum step "
                                  "iterations')",
                                  spent));
    // Few iterations, nothing near its limit: grow.
    const unsigned int easy = std::max(4u, 2 * control.max_iterations / 5);
    if (attempts.limit_ratio > 1.)
      controlled_h = limited_h; // what lies behind a jump may be easy again
    else if (attempts.iterations <= easy && attempts.limit_ratio < 0.7)
      controlled_h = std::max(controlled_h, h) * 1.5;
    else if (attempts.iterations > control.max_iterations)
      controlled_h = std::max(0.75 * h, floor);
    controlled_h = std::min(controlled_h, model.parameters.time.step);
    if (part_done < H)
      checkpoint_by_clock();
  }
  part_done = 0.;
}

template <int dim>
void Simulation<dim>::give_up_control(const double t,
                                      const double h,
                                      const std::string &why)
{
  recorder.note_matrices(attempts.n_matrices, attempts.n_indefinite);
  const std::string worst = contact.worst_contact();
  // Before the result file that is only written because the run ends here.
  keep_state_before_step();
  recorder.write_last_state(step, t, h, part_done > 0.);
  std::string text = fmt::format(
      "The step from t = {:.6g} failed down to h = {:.3g}: {}.", t, h, why);
  if (attempts.contact_failed && !worst.empty())
    text += fmt::format(" Worst contact: {}.", worst);
  text += " " + (attempts.what_helps().empty()
                     ? std::string("Look at loads, prescribed motions and "
                                   "tools there; a smaller 'Time/Step' helps "
                                   "where they move too far in it.")
                     : attempts.what_helps());
  text += fmt::format(
      " The last good state, of t = {:.6g}, is in the run directory.", t);
  throw ComputationError(text);
}

template void Simulation<2>::advance_controlled(const double, const double);
template void Simulation<3>::advance_controlled(const double, const double);
template void
Simulation<2>::give_up_control(const double, const double, const std::string &);
template void
Simulation<3>::give_up_control(const double, const double, const std::string &);
} // namespace delassus
