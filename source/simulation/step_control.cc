#include <delassus/base/exceptions.h>
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
  double done = 0.; // of H
  bool kept   = false;
  while (done < H)
  {
    // Equal parts of what is left, none larger than the control allows: the end
    // of the step is hit exactly.
    const double left   = H - done;
    const double parts  = std::ceil(left / controlled_h * (1. - 1e-9));
    const double h      = parts <= 1. ? left : left / parts;
    const double t_here = t + done;
    const bool last     = parts <= 1.;

    bool good       = false;
    double shrink   = 0.5;
    std::string why = "";
    set_step(h);
    try
    {
      good = newton.solve(step, t_here, h);
      if (!good)
        why = newton.failure();
    }
    catch (const ComputationError &)
    {
      if (!kept)
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
    if (!good)
    {
      if (done == 0. && !kept)
      {
        keep_state_before_step();
        kept = true;
      }
      contact.restore();
      if (h * shrink < floor)
        give_up_control(t_here, h);
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
    done = last ? H : done + h;
    // Few iterations, nothing near its limit: grow.
    const unsigned int easy =
        std::max(4u, model.parameters.newton.max_iterations / 4);
    if (newton.iterations <= easy && newton.limit_ratio < 0.7)
      controlled_h = std::max(controlled_h, h) * 1.5;
    else if (newton.iterations > 2 * easy)
      controlled_h = 0.75 * h;
    controlled_h = std::min(controlled_h, model.parameters.time.step);
  }
  state_before_step.reset();
}

template <int dim>
void Simulation<dim>::give_up_control(const double t, const double h)
{
  recorder.write_last_state(step, t, h);
  const std::string worst = contact.worst_contact();
  std::string text =
      fmt::format("The step from t = {:.6g} failed down to h = {:.3g}: {}.",
                  t,
                  h,
                  newton.failure());
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
  text += " The last good state is in the run directory.";
  throw ComputationError(text);
}

template void Simulation<2>::advance_controlled(const double, const double);
template void Simulation<3>::advance_controlled(const double, const double);
template void Simulation<2>::give_up_control(const double, const double);
template void Simulation<3>::give_up_control(const double, const double);
} // namespace delassus
