#include <delassus/simulation/energy_watch.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// Unexplained energy of this share is of the order of the energy itself.
constexpr double share_that_fails = 0.1;

/// Contact may give this share of the energy: contact loops end at a tolerance,
/// and what one step leaves of a penetration the next one pushes out.
constexpr double share_of_contact = 0.01;
} // namespace

void EnergyWatch::add_step(const StepTotals &totals)
{
  const auto &e = totals.energy;
  external += e.external;
  driven += e.driven;
  obstacle += totals.obstacle;
  contact += totals.contact_normal + totals.contact_tangential;
  damping += e.damping;
  inelastic += e.inelastic;
  numerical += e.numerical;
  integration += e.integration;
  largest = std::max({ largest,
                       totals.energy_before,
                       e.kinetic + e.elastic,
                       std::abs(external),
                       std::abs(driven),
                       std::abs(obstacle),
                       std::abs(contact),
                       damping,
                       inelastic,
                       std::abs(numerical),
                       std::abs(integration) });
  // Small residuals of one sign add up to energy out of nothing.
  const double step_residual = totals.residual();
  residual += step_residual;
  for (const double r : { std::abs(step_residual), std::abs(residual) })
    if (!(r <= worst_residual))
      worst_residual = r;
  gain += totals.contact_gain;
  least_gain = std::min(least_gain, gain);
}

EnergyWatch::Shares EnergyWatch::shares_of(const double energy) const
{
  const auto share = [&](const double part)
  { return part != 0. ? part / energy : 0.; };
  return { share(worst_residual),
           share(gain - least_gain),
           share(numerical),
           share(integration) };
}

void EnergyWatch::judge(const Parameters &parameters,
                        const bool nonlinear,
                        const bool accepted,
                        const double floor,
                        Verdict &verdict) const
{
  const auto &checks    = parameters.checks;
  const double scale    = std::max(largest, floor);
  const Shares share    = shares_of(scale);
  const double residual = share.unexplained;
  const double allowed =
      nonlinear
          ? std::max(checks.energy_residual, 100. * parameters.newton.tolerance)
          : checks.energy_residual;
  if (!(residual <= allowed))
  {
    verdict.reasons.push_back(fmt::format(
        "{:.2g} of the energy exchanged ({:.3g}) is not explained by any work "
        "(Checks/Energy residual = {:.1g}): {}",
        residual,
        scale,
        allowed,
        nonlinear ? "lower Newton/Tolerance or Time/Step"
                  : "steps that are not solved, or a mistake of the program"));
    if (!(residual <= std::max(allowed, share_that_fails)) && !accepted)
      verdict.failed = true;
  }
  // In Newton runs normals are those of the end of the step, and sliding along
  // curved faces has a part along them, which is no opening of the contact.
  if (!nonlinear && !(share.created <= share_of_contact))
    verdict.reasons.push_back(fmt::format(
        "contact has created {:.3g}, {:.2g} of the energy exchanged, by "
        "pushing out what had penetrated: lower Contact solver/Tolerance or "
        "Time/Step{}",
        share.created * scale,
        share.created,
        parameters.time.scheme == TimeScheme::dynamic
            ? ", or take Contact law/Type = velocity signorini coulomb"
            : ""));

  // Quasi-static steps have no scheme that dissipates: their column is the
  // difference between loads at the end of a step and their mean.
  if (parameters.time.scheme == TimeScheme::quasi_static)
    return;
  if (share.dissipated > checks.numerical_dissipation)
    verdict.remarks.push_back(fmt::format(
        "the scheme has dissipated {:.2g} of the energy exchanged "
        "(Checks/Numerical dissipation = {:g}): {}",
        share.dissipated,
        checks.numerical_dissipation,
        parameters.time.theta > 0.5 &&
                parameters.newton.matrix != CorrectingMatrix::explicit_
            ? fmt::format(
                  "Time/Theta = 0.5 (it is {:g}) or a smaller Time/Step "
                  "keeps it",
                  parameters.time.theta)
            : "a smaller Time/Step keeps it"));
  if (std::abs(share.integration) > checks.numerical_dissipation)
    verdict.remarks.push_back(
        fmt::format("the works of internal forces are off by {:.2g} of the "
                    "energy exchanged: take a smaller Time/Step",
                    std::abs(share.integration)));
}
} // namespace delassus
