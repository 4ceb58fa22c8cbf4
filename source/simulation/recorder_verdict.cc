// What a run is watched for, and what its results are worth.
#include <delassus/simulation/recorder.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

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
void Recorder<dim>::watch_obstacles(const double t, const double h)
{
  for (const auto &message : watch.look_at_speed(t - h, h))
    log.warning(message);
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
  {
    const auto &counts = pairs.counts(p);
    for (const auto &message :
         watch.look_at_pair(p, counts.n_contacts(), counts.touches(), t))
      log.info(message);
  }
}

template <int dim>
void Recorder<dim>::watch_zones(const double t)
{
  const std::vector<double> forces = pairs.normal_forces();
  if (!zones.is_due(forces))
    return;
  const auto scope = timer.scope("checks");
  zones.look(forces, contact, t);
}

template <int dim>
Verdict Recorder<dim>::verdict(const unsigned int step) const
{
  const bool accepted = model.parameters.contact_solver.accept_not_converged;
  Verdict verdict;
  verdict.reasons = unsolved.reasons(step);
  verdict.failed  = !verdict.reasons.empty() && !accepted;
  energy.judge(model.parameters,
               model.is_nonlinear() || newton.run().substeps > 0,
               accepted && !verdict.reasons.empty(),
               verdict);
  unsolved.remark(step, verdict);
  distortion.judge(verdict);
  if (root)
  {
    watch.judge(verdict);
    zones.judge(verdict);
  }
  return verdict;
}

#define INSTANTIATE(dim)                                                       \
  template std::string Recorder<dim>::look_at_distortion(                      \
      const unsigned int, const double, const double, const bool);             \
  template void Recorder<dim>::watch_obstacles(const double, const double);    \
  template void Recorder<dim>::watch_zones(const double);                      \
  template Verdict Recorder<dim>::verdict(const unsigned int) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
