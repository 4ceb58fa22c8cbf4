#ifndef delassus_contact_laws_friction_h
#define delassus_contact_laws_friction_h

#include <delassus/parameters/parameters.h>

#include <array>
#include <functional>

namespace delassus
{
/// What a coefficient of friction may depend on, at one contact.
struct FrictionState
{
  std::array<double, 3> position{}; ///< of the candidate point
  double time     = 0.;             ///< end of the step
  double speed    = 0.;             ///< |U_T|
  double pressure = 0.;             ///< R_N / area
};

/// Coulomb's coefficient mu of a law: a number, or static and dynamic ones,
///
///   mu = mu_d + (mu_s - mu_d) exp(-|U_T| / v_t),
///
/// (v_t = 0: mu_s at rest, mu_d when sliding), or a function of the state.
class Friction
{
public:
  using Function = std::function<double(const FrictionState &)>;

  Friction(const double friction);

  /// Throws InputError for coefficients that are negative or not finite, and
  /// for an expression without its @p function.
  Friction(const ContactLawParameters &parameters, const Function &function);

  /// Whether it depends on speed, pressure, place or time.
  bool varies() const
  {
    return function || dynamic_friction != static_friction;
  }

  /// Throws InputError if the function is negative or not finite there.
  double value(const FrictionState &state) const;

private:
  std::string name, expression;
  double static_friction = 0., dynamic_friction = 0., transition_velocity = 0.;
  Function function;
};
} // namespace delassus

#endif
