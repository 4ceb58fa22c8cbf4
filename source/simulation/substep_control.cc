#include <delassus/simulation/substep_control.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// Linear steps that fail are halved up to this many times.
constexpr double most_parts = 64.;

/// Where a limit is exceeded by more than this it is no snap but a collapse.
constexpr double largest_jump = 10.;
} // namespace

SubstepControl::SubstepControl(const NewtonParameters &parameters,
                               const double step,
                               const bool is_newton)
    : parameters(parameters)
    , step(step)
    , is_newton(is_newton)
{
  // Steps bounded by a frequency may be many, but their number is known.
  is_counted = is_newton && (parameters.matrix == CorrectingMatrix::full ||
                             parameters.matrix == CorrectingMatrix::step ||
                             parameters.matrix == CorrectingMatrix::frozen);
}

void SubstepControl::begin(const double whole)
{
  H = whole;
  if (!(allowed > 0.) || (!is_newton && part_done == 0.))
    allowed = H;
  tried     = 0.;
  spent     = 0;
  limited_h = limited_ratio = last_ratio = 0.;
  jumps                                  = false;
}

double SubstepControl::smallest() const
{
  return is_newton ? parameters.smallest_step * step : H / most_parts;
}

double SubstepControl::next()
{
  // Equal parts of what is left, none larger than allowed: the end of the step
  // is hit exactly. None is smaller than the smallest, but for the last of a
  // step that others have cut.
  const double left = H - part_done;
  const double parts =
      std::min(std::ceil(left / allowed * (1. - 1e-9)),
               std::max(1., std::floor(left / smallest() * (1. + 1e-9))));
  is_last = parts <= 1.;
  return is_last ? left : left / parts;
}

SubstepControl::Limit SubstepControl::judge_limit(const double h,
                                                  const double ratio)
{
  last_ratio = ratio;
  if (ratio <= 1.)
    return Limit::kept;
  jumps = jumps ||
          (h < 0.3 * limited_h && ratio > 3. * limited_ratio * h / limited_h);
  if (jumps && ratio <= largest_jump)
    return Limit::jump;
  if (limited_h == 0.)
  {
    limited_h     = h;
    limited_ratio = ratio;
  }
  return Limit::exceeded;
}

double SubstepControl::shrink(const double ratio)
{
  return std::max(0.1, 0.9 / ratio);
}

bool SubstepControl::too_many() const
{
  return is_counted && spent >= parameters.max_step_iterations;
}

SubstepControl::AfterFailure SubstepControl::failed(const double h,
                                                    const double part)
{
  if (tried == 0.)
    tried = h;
  const bool too_small = h * part < smallest() * (1. - 1e-9);
  if (too_small && !too_many() && limited_h > h && !jumps)
  {
    // It was cut because of a limit, not because it could not be solved.
    jumps   = true;
    allowed = limited_h;
    return AfterFailure::jump;
  }
  if (too_small || too_many())
  {
    // Who resumes, with other settings, starts where it got difficult.
    allowed = tried;
    return AfterFailure::give_up;
  }
  allowed = part * h;
  return AfterFailure::cut;
}

void SubstepControl::accepted(const double h, const unsigned int iterations)
{
  part_done = is_last ? H : part_done + h;
  tried     = 0.;
  if (!is_newton)
    return;
  // Few iterations, nothing near its limit: grow.
  const unsigned int easy = std::max(4u, 2 * parameters.max_iterations / 5);
  if (last_ratio > 1.)
    allowed = limited_h; // what lies behind a jump may be easy again
  else if (iterations <= easy && last_ratio < 0.7)
    allowed = std::max(allowed, h) * 1.5;
  else if (iterations > parameters.max_iterations)
    allowed = std::max(0.75 * h, smallest());
  allowed = std::min(allowed, step);
}

void SubstepControl::archive(Archive &archive)
{
  archive("controlled step size", allowed);
  archive("part of the step", part_done);
}
} // namespace delassus
