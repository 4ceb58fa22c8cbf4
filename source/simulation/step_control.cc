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
  while (part_done < H)
  {
    // Equal parts of what is left, none larger than the control allows: the end
    // of the step is hit exactly.
    const double left   = H - part_done;
    const double parts  = std::ceil(left / controlled_h * (1. - 1e-9));
    const double h      = parts <= 1. ? left : left / parts;
    const double t_here = t + part_done;
    const bool last     = parts <= 1.;

    bool good       = false;
    double shrink   = 0.5;
    std::string why = "";
    set_step(h);
    Archive before; // an interrupted attempt has taught nothing
    newton.archive(before);
    try
    {
      good = newton.solve(step, t_here, h);
      if (!good)
        why = newton.failure();
    }
    catch (const Interrupted &)
    {
      Archive again(before.bytes(), "");
      newton.archive(again);
      keep_state_before_step();
      throw;
    }
    catch (const ComputationError &)
    {
      // Nothing of this substep was accepted: the state is that before it.
      keep_state_before_step();
      throw;
    }
    if (good && newton.too_large(h))
    {
      // A little more than allowed is left alone where nothing smaller is.
      good   = false;
      shrink = std::max(0.1, 0.9 / newton.limit_ratio);
      why    = newton.failure() + " is more than allowed";
    }
    if (good)
      for (auto *scheme : model.newton_schemes)
        if (good && !scheme->end_step())
        {
          good = false;
          why  = "at the end of the step " + newton.trouble();
        }
    if (!good)
    {
      if (tried == 0.)
        tried = h;
      recorder.note_cut(newton.iterations);
      contact.restore();
      if (h * shrink < floor)
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
    contact.result.sweeps = newton.sweeps;
    accept_step(t_here, h);
    recorder.note_substep(
        t_here + h, h, newton.iterations, newton.momentum_error);
    recorder.note_matrices(newton.n_matrices, newton.n_indefinite);
    part_done = last ? H : part_done + h;
    tried     = 0.;
    // Few iterations, nothing near its limit: grow.
    const unsigned int easy =
        std::max(4u, model.parameters.newton.max_iterations / 4);
    if (newton.iterations <= easy && newton.limit_ratio < 0.7)
      controlled_h = std::max(controlled_h, h) * 1.5;
    else if (newton.iterations > 2 * easy)
      controlled_h = 0.75 * h;
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
  recorder.note_matrices(newton.n_matrices, newton.n_indefinite);
  const std::string worst = contact.worst_contact();
  // Before the result file that is only written because the run ends here.
  keep_state_before_step();
  recorder.write_last_state(step, t, h, part_done > 0.);
  std::string text = fmt::format(
      "The step from t = {:.6g} failed down to h = {:.3g}: {}.", t, h, why);
  if (newton.contact_failed)
  {
    if (!worst.empty())
      text += fmt::format(" Worst contact: {}.", worst);
    text += " Try more sweeps ('Contact solver/Maximum sweeps') or a looser "
            "'Tolerance'.";
  }
  else
    text += " Look at loads, prescribed motions and tools there; a finer or "
            "better shaped mesh, a smaller 'Time/Step' and 'Newton/Smallest "
            "step' help where cells collapse.";
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
