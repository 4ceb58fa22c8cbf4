#include <delassus/base/exceptions.h>
#include <delassus/simulation/signals.h>
#include <delassus/simulation/simulation.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

template <int dim>
void Simulation<dim>::advance(const double t, const double H)
{
  substeps.begin(H);
  while (!substeps.done())
  {
    const double h      = substeps.next();
    const double t_here = t + substeps.part_done;
    double part         = 0.5; // that is left of a substep that fails
    std::string why;
    if (!solve_substep(t_here, h, part, why))
    {
      cut_substep(t_here, h, part, why);
      continue;
    }
    accept_step(t_here, h);
    if (model.is_nonlinear())
    {
      recorder.note_substep(t_here + h,
                            h,
                            attempts.last.iterations,
                            attempts.last.momentum_error);
      recorder.note_matrices(attempts.of_run.n_matrices,
                             attempts.of_run.n_indefinite);
    }
    substeps.accepted(h, attempts.last.iterations);
    if (substeps.done())
      break;
    if (substeps.too_many())
      give_up(t + substeps.part_done, h, iterations_spent());
    checkpoint_by_clock();
  }
  substeps.finish();
}

template <int dim>
bool Simulation<dim>::solve_substep(const double t,
                                    const double h,
                                    double &part,
                                    std::string &why)
{
  bool solved = false;
  Archive before; // an interrupted attempt has taught nothing
  try
  {
    set_step(h);
    if (model.is_nonlinear())
      attempts.archive(before);
    solved                = attempts.attempt(step, t, h);
    contact.result.sweeps = attempts.last.sweeps;
  }
  catch (const Interrupted &)
  {
    if (model.is_nonlinear())
    {
      Archive again(before.bytes(), "");
      attempts.archive(again);
    }
    keep_state_before_step();
    throw;
  }
  catch (const ComputationError &)
  {
    // Nothing of this substep was accepted: the state is that before it.
    keep_state_before_step();
    throw;
  }
  substeps.spend(attempts.last.iterations);
  if (!solved)
  {
    why = attempts.last.reason;
    return false;
  }
  attempts.too_large(h);
  switch (substeps.judge_limit(h, attempts.last.limit_ratio))
  {
    case SubstepControl::Limit::kept:
      break;
    case SubstepControl::Limit::jump:
      recorder.log.warning(
          fmt::format("a jump at t = {:.6g}: {} in a step of {:.3g}",
                      t,
                      attempts.last.reason,
                      h),
          "jump");
      break;
    case SubstepControl::Limit::exceeded:
      part = SubstepControl::shrink(attempts.last.limit_ratio);
      why  = attempts.last.reason + " is more than allowed";
      return false;
  }
  if (!model.is_nonlinear())
    return true;
  for (auto *system : model.systems)
    if (!system->end_step())
    {
      why = "at the end of the step " + attempts.trouble();
      return false;
    }
  return true;
}

template <int dim>
void Simulation<dim>::cut_substep(const double t,
                                  const double h,
                                  const double part,
                                  std::string why)
{
  if (model.is_nonlinear())
    recorder.note_cut(attempts.last.iterations);
  // Of the contacts as they were tried.
  const std::string worst =
      attempts.last.contact_failed ? contact.worst_contact() : "";
  if (!worst.empty())
    why += fmt::format(" (worst contact: {})", worst);
  contact.restore();
  switch (substeps.failed(h, part))
  {
    case SubstepControl::AfterFailure::jump:
      return;
    case SubstepControl::AfterFailure::give_up:
      give_up(
          t, h, substeps.too_many() ? why + "; " + iterations_spent() : why);
    case SubstepControl::AfterFailure::cut:
      if (recorder.root)
        recorder.log.warning(
            fmt::format("step at t = {:.6g} cut from {:.3g} to {:.3g}: {}",
                        t,
                        h,
                        part * h,
                        why),
            "step cut");
  }
}

template <int dim>
std::string Simulation<dim>::iterations_spent() const
{
  return fmt::format("{} iterations were spent on this 'Time/Step' ('Newton/"
                     "Maximum step iterations')",
                     substeps.n_spent());
}

template <int dim>
void Simulation<dim>::give_up(const double t,
                              const double h,
                              const std::string &why)
{
  if (model.is_nonlinear())
    recorder.note_matrices(attempts.of_run.n_matrices,
                           attempts.of_run.n_indefinite);
  // Before the result file that is only written because the run ends here.
  keep_state_before_step();
  recorder.write_last_state(step, t, h, substeps.part_done > 0.);
  std::string text = fmt::format(
      "The step from t = {:.6g} failed down to h = {:.3g}: {}.", t, h, why);
  text += " " + (attempts.last.advice.empty()
                     ? std::string("Look at loads, prescribed motions and "
                                   "tools there; a smaller 'Time/Step' helps "
                                   "where they move too far in it.")
                     : attempts.last.advice);
  text += fmt::format(
      " The last good state, of t = {:.6g}, is in the run directory.", t);
  throw ComputationError(text);
}

#define INSTANTIATE(dim)                                                       \
  template void Simulation<dim>::advance(const double, const double);          \
  template bool Simulation<dim>::solve_substep(                                \
      const double, const double, double &, std::string &);                    \
  template void Simulation<dim>::cut_substep(                                  \
      const double, const double, const double, std::string);                  \
  template std::string Simulation<dim>::iterations_spent() const;              \
  template void Simulation<dim>::give_up(                                      \
      const double, const double, const std::string &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
