#ifndef delassus_simulation_energy_balance_h
#define delassus_simulation_energy_balance_h

#include <delassus/base/archive.h>
#include <delassus/simulation/energy_watch.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace delassus
{
/// Energies and works from the start of a run on: the rows of energy.csv, their
/// place in the summary, and what they say of the results. All its values are
/// the same on all ranks.
class EnergyBalance
{
public:
  /// @p negligible: energies that are roundings (negligible_energy());
  /// @p smallest: what others are compared to at least (smallest_energy());
  /// @p with_laws: some contact law remembers, and so has energies of its own.
  EnergyBalance(const double negligible,
                const double smallest,
                const bool with_laws);

  /// Of a (sub)step.
  void add_step(const StepTotals &totals);

  /// An event changed the kinetic energy by this.
  void add_event(const double change);

  /// Of energy.csv, after step and time.
  std::vector<std::string> columns() const;
  std::vector<double> values() const;

  nlohmann::json summary() const;

  /// Reasons and remarks on the energy, see EnergyWatch::judge().
  void judge(const Parameters &parameters,
             const bool nonlinear,
             const bool accepted,
             Verdict &verdict) const;

  /// Energies now, works from the start on.
  const StepTotals &totals() const
  {
    return sums;
  }

  /// What no term explains over the largest energy so far: of the last
  /// (sub)step, and the worst.
  double residual() const
  {
    return relative_residual;
  }
  double largest_residual() const
  {
    return worst_residual;
  }

  void archive(Archive &archive);

private:
  const double negligible, smallest;
  const bool with_laws;
  EnergyWatch watch;
  StepTotals sums;
  double scale         = 0.; ///< the largest energy that has been about
  double step_residual = 0., relative_residual = 0., worst_residual = 0.;
};
} // namespace delassus

#endif
