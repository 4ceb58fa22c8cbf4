#ifndef delassus_simulation_energy_watch_h
#define delassus_simulation_energy_watch_h

#include <delassus/parameters/parameters.h>
#include <delassus/simulation/verdict.h>
#include <delassus/time_integration/body_scheme.h>

namespace delassus
{
/// What one step did, on all ranks together.
struct StepTotals
{
  EnergyTerms energy;
  double contact_normal     = 0.; ///< sum P_N U_theta,N
  double contact_tangential = 0.; ///< sum P_T . U_theta,T
  double friction           = 0.; ///< sum P_T . U+_T (dissipated if negative)
  double obstacle           = 0.; ///< work of driven obstacles, -sum P . U_imp
  double event              = 0.; ///< energy added by events (negative: taken)
  /// Of contact laws that remember, a part of what the contact works are made
  /// of: what their springs store at the end of the step, and what the change
  /// of their states dissipates in it.
  double law_stored = 0., law_dissipated = 0.;
  double energy_before = 0.;

  /// What normal impulses did to the energy, whatever theta is: sum of
  /// P_N (U+_N + U_N) / 2, or P_N U+_N of quasi-static steps.
  double contact_gain = 0.;

  /// P of the contacts on the system, U of the system and of the obstacles.
  double contact_work() const
  {
    return contact_normal + contact_tangential + obstacle;
  }

  /// Of the identity of EnergyTerms: what none of its terms explains.
  double residual() const
  {
    return energy.kinetic + energy.elastic - energy_before -
           (energy.external - energy.damping - energy.inelastic +
            contact_work() + energy.driven - energy.numerical -
            energy.integration);
  }
};

/// Energies are measured by this one at least: a hundredth of what a step h of
/// free fall would give.
inline double
smallest_energy(const double mass, const double weight, const double h)
{
  return mass > 0. ? 1e-2 * 0.5 * weight * weight * h * h / mass : 0.;
}

/// Energies below this are roundings: of bodies that stay at rest all terms are
/// nothing against the energy that a step h of free fall would give them.
inline double
negligible_energy(const double mass, const double weight, const double h)
{
  return mass > 0. ? 1e-8 * 0.5 * weight * weight * h * h / mass : 0.;
}

/// The energy balance of a run, looked at as a whole. All its values are the
/// same on all ranks.
class EnergyWatch
{
public:
  void add_step(const StepTotals &totals);

  /// Reasons and remarks on the energy. @p accepted: the run has steps that are
  /// not solved, and they are accepted by name. Shares are those of @p floor
  /// at least: where nothing moves, roundings are not measured by roundings.
  void judge(const Parameters &parameters,
             const bool nonlinear,
             const bool accepted,
             const double floor,
             Verdict &verdict) const;

  /// The largest energy that there was and the largest work that was done from
  /// the start on, by or against anything: what users are told of as the energy
  /// exchanged.
  double largest_energy() const
  {
    return largest;
  }

  /// Shares of it: the largest energy of a step, or of the run so far, that no
  /// term explains; what unilateral contact has given (which it cannot); what
  /// the scheme has dissipated; what the integration of internal forces is off.
  double unexplained() const
  {
    return shares_of(largest).unexplained;
  }
  double created() const
  {
    return shares_of(largest).created;
  }
  double dissipated() const
  {
    return shares_of(largest).dissipated;
  }

private:
  struct Shares
  {
    double unexplained, created, dissipated, integration;
  };
  Shares shares_of(const double energy) const;

  double largest = 0.;
  // Works from the start on.
  double external = 0., driven = 0., obstacle = 0., contact = 0., damping = 0.;
  double inelastic = 0., numerical = 0., integration = 0.;
  double residual = 0., worst_residual = 0.;
  double gain = 0., least_gain = 0.; ///< of contact, now and at the lowest
};
} // namespace delassus

#endif
