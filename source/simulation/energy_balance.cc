#include <delassus/simulation/energy_balance.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
EnergyBalance::EnergyBalance(const double negligible,
                             const double smallest,
                             const bool with_laws)
    : negligible(negligible)
    , smallest(smallest)
    , with_laws(with_laws)
{
}

void EnergyBalance::add_step(const StepTotals &totals)
{
  const auto &e = totals.energy;
  // The contact work from contact quantities, not from v_theta . H P: the
  // residual then also checks H against its transpose.
  const double contact_work = totals.contact_work();
  step_residual             = totals.residual();
  watch.add_step(totals);
  sums.energy.external += e.external;
  sums.energy.damping += e.damping;
  sums.energy.driven += e.driven;
  sums.energy.inelastic += e.inelastic;
  sums.energy.numerical += e.numerical;
  sums.energy.integration += e.integration;
  sums.contact_normal += totals.contact_normal;
  sums.contact_tangential += totals.contact_tangential;
  sums.friction += totals.friction;
  sums.obstacle += totals.obstacle;
  sums.law_stored = totals.law_stored;
  sums.law_dissipated += totals.law_dissipated;
  sums.energy.kinetic = e.kinetic;
  sums.energy.elastic = e.elastic;
  // Relative to the energies that have been about so far.
  scale = std::max({ scale,
                     totals.energy_before,
                     totals.law_stored,
                     e.kinetic + e.elastic,
                     std::abs(e.external),
                     std::abs(contact_work),
                     std::abs(e.driven),
                     e.inelastic,
                     e.numerical });
  // At rest: what a step of free fall would give.
  const double least = std::max(scale, smallest);
  relative_residual  = least > 0. ? std::abs(step_residual) / least : 0.;
  worst_residual     = std::max(worst_residual, relative_residual);
}

void EnergyBalance::add_event(const double change)
{
  sums.event += change;
  sums.energy.kinetic += change;
}

std::vector<std::string> EnergyBalance::columns() const
{
  std::vector<std::string> result = { "kinetic",
                                      "elastic",
                                      "external_work",
                                      "damping",
                                      "contact_normal_work",
                                      "contact_tangential_work",
                                      "friction_work",
                                      "obstacle_work",
                                      "driven_work",
                                      "inelastic_work",
                                      "numerical_dissipation",
                                      "integration_error",
                                      "event",
                                      "step_residual",
                                      "relative_residual" };
  if (with_laws)
    result.insert(result.end(), { "law_stored", "law_dissipation" });
  return result;
}

std::vector<double> EnergyBalance::values() const
{
  std::vector<double> result = { sums.energy.kinetic,
                                 sums.energy.elastic,
                                 sums.energy.external,
                                 sums.energy.damping,
                                 sums.contact_normal,
                                 sums.contact_tangential,
                                 sums.friction,
                                 sums.obstacle,
                                 sums.energy.driven,
                                 sums.energy.inelastic,
                                 sums.energy.numerical,
                                 sums.energy.integration,
                                 sums.event,
                                 step_residual,
                                 relative_residual };
  if (with_laws)
    result.insert(result.end(), { sums.law_stored, sums.law_dissipated });
  return result;
}

nlohmann::json EnergyBalance::summary() const
{
  nlohmann::json result = { { "kinetic", sums.energy.kinetic },
                            { "elastic", sums.energy.elastic },
                            { "external_work", sums.energy.external },
                            { "damping", sums.energy.damping },
                            { "contact_normal_work", sums.contact_normal },
                            { "contact_tangential_work",
                              sums.contact_tangential },
                            { "friction_work", sums.friction },
                            { "obstacle_work", sums.obstacle },
                            { "driven_work", sums.energy.driven },
                            { "inelastic_work", sums.energy.inelastic },
                            { "numerical_dissipation", sums.energy.numerical },
                            { "integration_error", sums.energy.integration },
                            { "event", sums.event },
                            { "worst_relative_residual", worst_residual },
                            { "exchanged", watch.largest_energy() },
                            { "unexplained_share", watch.unexplained() },
                            { "created_by_contact_share", watch.created() },
                            { "numerical_share", watch.dissipated() } };
  if (with_laws)
  {
    result["law_stored"]      = sums.law_stored;
    result["law_dissipation"] = sums.law_dissipated;
  }
  return result;
}

void EnergyBalance::judge(const Parameters &parameters,
                          const bool nonlinear,
                          const bool accepted,
                          Verdict &verdict) const
{
  const bool at_rest = watch.largest_energy() < negligible;
  if (!at_rest)
    watch.judge(parameters, nonlinear, accepted, smallest, verdict);
}

void EnergyBalance::archive(Archive &archive)
{
  archive("energy watched", watch);
  archive("sums", sums);
  archive("energy scale", scale);
  archive("worst residual", worst_residual);
  archive("step residual", step_residual);
  archive("relative residual", relative_residual);
}
} // namespace delassus
