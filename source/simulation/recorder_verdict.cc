#include <delassus/simulation/recorder.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

template <int dim>
void Recorder<dim>::note_contact(const double t)
{
  const auto &result = contact.result;
  if (!contact.friction.in_balance)
  {
    friction.note(t, contact.friction.change);
    if (root)
      log.warning(
          fmt::format("the coefficients of friction did not settle: sliding "
                      "forces still change by {:.2e} at t = {:.6g}",
                      contact.friction.change,
                      t),
          "the coefficients of friction did not settle");
  }
  if (!result.converged)
  {
    contact_loop.note(t, result.errors.unit_free);
    if (root)
      log.warning(fmt::format("the contact loop did not converge: error {:.2e} "
                              "after {} sweeps or iterations at t = {:.6g}{}{}",
                              result.errors.unit_free,
                              result.sweeps,
                              t,
                              result.diagnosis.empty() ? "" : ": ",
                              result.diagnosis),
                  "the contact loop did not converge");
  }
}

template <int dim>
std::string Recorder<dim>::look_at_distortion(const unsigned int step,
                                              const double t,
                                              const double h,
                                              const bool last)
{
  if (!distortion.is_due(step, last || results_due(step, t, h)))
    return "";
  for (const auto &message : distortion.look(t))
    log.warning(message);
  const std::string distorted = distortion.distorted();
  if (distorted.empty() || model.parameters.checks.stop_if_distorted)
    return distorted;
  log.warning(fmt::format("{} at t = {:.6g}", distorted, t), "distorted cells");
  return "";
}

template <int dim>
void Recorder<dim>::watch_zones(const double t)
{
  std::vector<double> forces;
  for (const auto &counts : pair_counts)
    forces.push_back(counts.normal_force);
  if (!zones.is_due(forces))
    return;
  const auto scope = timer.scope("checks");
  zones.look(forces, contact, t);
}

template <int dim>
std::vector<std::string> Recorder<dim>::unsolved(const unsigned int step) const
{
  std::vector<std::string> reasons;
  const auto add = [&](const Unsolved &kind, const std::string &what)
  {
    if (kind.n > 0)
      reasons.push_back(what + " " +
                        count_and_first(kind.n, step, kind.first_time) +
                        fmt::format(" (worst {:.2e})", kind.worst));
  };
  add(balance, "forces are out of balance");
  add(contact_loop, "the contact loop did not converge");
  add(friction, "the coefficients of friction did not settle");
  return reasons;
}

template <int dim>
Verdict Recorder<dim>::verdict(const unsigned int step) const
{
  const bool accepted = model.parameters.contact_solver.accept_not_converged;
  Verdict verdict;
  verdict.reasons = unsolved(step);
  verdict.failed  = !verdict.reasons.empty() && !accepted;
  const bool at_rest =
      energy_watch.exchanged() < negligible_energy(model.total_mass(),
                                                   model.weight(),
                                                   model.parameters.time.step);
  if (!at_rest)
    energy_watch.judge(model.parameters,
                       model.is_nonlinear() || newton_run.substeps > 0,
                       accepted && !verdict.reasons.empty(),
                       smallest_energy(model.total_mass(),
                                       model.weight(),
                                       model.parameters.time.step),
                       verdict);
  // Such a step is accepted only where impulses are not known better.
  if (momentum.n > 0)
    verdict.remarks.push_back(
        "the Newton loop stood still above its tolerance, but below that of "
        "the contact solver, " +
        count_and_first(momentum.n, step, momentum.first_time) +
        fmt::format(" (worst {:.2e})", momentum.worst));
  distortion.judge(verdict);
  if (root)
  {
    watch.judge(verdict);
    zones.judge(verdict);
  }
  return verdict;
}

#define INSTANTIATE(dim)                                                       \
  template void Recorder<dim>::note_contact(const double);                     \
  template std::string Recorder<dim>::look_at_distortion(                      \
      const unsigned int, const double, const double, const bool);             \
  template void Recorder<dim>::watch_zones(const double);                      \
  template std::vector<std::string> Recorder<dim>::unsolved(                   \
      const unsigned int) const;                                               \
  template Verdict Recorder<dim>::verdict(const unsigned int) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
