// Result files, and what the summary tells of the course of a run.
#include <delassus/simulation/recorder.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

template <int dim>
void Recorder<dim>::write_results(const unsigned int step,
                                  const double t,
                                  const double h)
{
  typename ResultFiles<dim>::Stresses stresses;
  if (!results.write(step, t, h, unsolved.last_is_solved(), stresses))
    return;
  const auto &sheets  = history.of_sheets();
  const auto extremes = sheets.extremes(model.communicator);
  if (!root)
    return;
  chronicle.states.push_back(describe_state(step, t, stresses));
  for (unsigned int s = 0; s < sheets.n_sheets(); ++s)
  {
    const auto names  = SheetExtremes::names(sheets.is_plastic(s));
    const auto values = extremes[s].values(sheets.is_plastic(s));
    for (unsigned int k = 0; k < names.size(); ++k)
      chronicle.states.back()["sheets"][sheets.name(s)][names[k]] = values[k];
  }
}

template <int dim>
nlohmann::json Recorder<dim>::describe_state(
    const unsigned int step,
    const double t,
    const typename ResultFiles<dim>::Stresses &stresses) const
{
  nlohmann::json state;
  state["step"] = step;
  state["time"] = t;
  if (!model.stage.stages.empty())
    state["stage"] = model.stage.name();
  state["converged"] = contact.result.converged && unsolved.last_is_solved();
  state["kinetic_energy"]            = energy.totals().energy.kinetic;
  state["elastic_energy"]            = energy.totals().energy.elastic;
  state["largest_principal_stress"]  = stresses.extrema.largest_principal;
  state["smallest_principal_stress"] = stresses.extrema.smallest_principal;
  state["largest_von_mises_stress"]  = stresses.extrema.von_mises;
  state["largest_principal_moment_stress"]  = stresses.largest_moment;
  state["smallest_principal_moment_stress"] = stresses.smallest_moment;
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
  {
    nlohmann::json pair;
    pair["interaction"] = model.interactions[model.pairs[p].interaction].name;
    pair["candidate"]   = model.pairs[p].candidate;
    pair["antagonist"]  = model.pairs[p].antagonist;
    const auto &counts  = pairs.counts(p);
    std::vector<double> force(dim);
    for (unsigned int c = 0; c < dim; ++c)
      force[c] = pairs.force(p)[c];
    pair["force"]        = force;
    pair["normal_force"] = counts.normal_force;
    pair["open"]         = counts.status[0];
    pair["stick"]        = counts.status[1];
    pair["slip"]         = counts.status[2];
    state["pairs"].push_back(pair);
  }
  return state;
}

template <int dim>
void Recorder<dim>::write_last_state(const unsigned int step,
                                     const double t,
                                     const double h,
                                     const bool inside)
{
  // The impulses at hand belong to the failed attempt and are not converged:
  // contact points are written with that flag.
  if (inside)
    write_results(step, t, h);
  else if (step > 0 && !results.has_written(step - 1))
    write_results(step - 1, t, h);
}

template <int dim>
void Recorder<dim>::note_event(const EventParameters &event,
                               const unsigned int step,
                               const double t,
                               const double exact_time)
{
  if (!root)
    return;
  chronicle.events.push_back({ { "name", event.name },
                               { "step", step },
                               { "time", t },
                               { "interpolated_time", exact_time } });
  if (!model.stage.stages.empty())
    chronicle.events.back()["stage"] = model.stage.name();
  log.info(
      fmt::format("event '{}' at step {}, t = {:.6g}", event.name, step, t));
}

template <int dim>
void Recorder<dim>::note_stage(const unsigned int step, const double t)
{
  if (model.stage.stages.empty())
    return;
  const auto &stage       = *model.stage.parameters();
  const bool quasi_static = stage.time.scheme == TimeScheme::quasi_static;
  chronicle.stages.push_back(
      { { "name", stage.name },
        { "scheme", quasi_static ? "quasi static" : "dynamic" },
        { "step", step },
        { "time", t } });
  log.info(fmt::format("stage '{}' ({} of {}): {} from t = {:.6g} to {:.6g}, "
                       "step {:.6g}",
                       stage.name,
                       model.stage.number + 1,
                       model.stage.stages.size(),
                       quasi_static ? "quasi static" : "dynamic",
                       t,
                       stage.time.end_time,
                       stage.time.step));
}

#define INSTANTIATE(dim)                                                       \
  template void Recorder<dim>::write_results(                                  \
      const unsigned int, const double, const double);                         \
  template nlohmann::json Recorder<dim>::describe_state(                       \
      const unsigned int, const double, const ResultFiles<dim>::Stresses &)    \
      const;                                                                   \
  template void Recorder<dim>::write_last_state(                               \
      const unsigned int, const double, const double, const bool);             \
  template void Recorder<dim>::note_event(const EventParameters &,             \
                                          const unsigned int,                  \
                                          const double,                        \
                                          const double);                       \
  template void Recorder<dim>::note_stage(const unsigned int, const double)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
