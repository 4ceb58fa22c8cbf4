#include <delassus/base/exceptions.h>
#include <delassus/contact/laws/friction.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
namespace
{
void check(const std::string &law, const char *what, const double value)
{
  if (!(value >= 0.) || !std::isfinite(value))
    throw InputError(
        fmt::format("Contact law '{}': {} is {}, but must be a number "
                    "greater than or equal to 0.",
                    law,
                    what,
                    value));
}
} // namespace

Friction::Friction(const double friction)
    : static_friction(friction)
    , dynamic_friction(friction)
{
  check("", "friction", friction);
}

Friction::Friction(const ContactLawParameters &parameters,
                   const Function &function)
    : name(parameters.name)
    , expression(parameters.friction_expression)
    , static_friction(parameters.friction)
    , dynamic_friction(parameters.dynamic_friction < 0.
                           ? parameters.friction
                           : parameters.dynamic_friction)
    , transition_velocity(parameters.transition_velocity)
{
  check(name, "friction", static_friction);
  check(name, "dynamic friction", dynamic_friction);
  check(name, "the transition velocity", transition_velocity);
  if (expression.empty())
    return;
  this->function = function;
  if (!function)
    throw InputError(
        fmt::format("Contact law '{}': nothing evaluates its friction '{}'.",
                    name,
                    expression));
}

double Friction::value(const FrictionState &state) const
{
  if (function)
  {
    const double mu = function(state);
    if (!(mu >= 0.) || !std::isfinite(mu))
      throw InputError(fmt::format("Contact law '{}': its friction '{}' is {} "
                                   "at x = {:.6g}, y = {:.6g}, "
                                   "z = {:.6g}, t = {:.6g}, v = {:.6g}, p = "
                                   "{:.6g}, but must be a number "
                                   "greater than or equal to 0.",
                                   name,
                                   expression,
                                   mu,
                                   state.position[0],
                                   state.position[1],
                                   state.position[2],
                                   state.time,
                                   state.speed,
                                   state.pressure));
    return mu;
  }
  if (static_friction == dynamic_friction)
    return static_friction;
  const double share = transition_velocity > 0.
                           ? std::exp(-state.speed / transition_velocity)
                           : (state.speed > 0. ? 0. : 1.);
  return dynamic_friction + (static_friction - dynamic_friction) * share;
}
} // namespace delassus
