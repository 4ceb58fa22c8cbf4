#include <delassus/simulation/event_triggers.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

template <int dim>
EventTriggers<dim>::EventTriggers(const Model<dim> &model)
    : model(model)
    , done(model.parameters.events.size(), false)
    , last_resultant(model.parameters.events.size(), 0.)
{
}

template <int dim>
bool EventTriggers<dim>::happens(
    const unsigned int e,
    const double t,
    const double h,
    const std::function<Tensor<1, dim>(unsigned int)> &resultant,
    double &exact_time)
{
  if (done[e])
    return false;
  const auto &event = model.parameters.events[e];
  exact_time        = t;
  bool now          = false;
  if (event.trigger == EventTrigger::time)
  {
    now        = t >= event.time - 1e-6 * h;
    exact_time = event.time;
  }
  else
  {
    unsigned int k = 0;
    while (model.interactions[k].name != event.interaction)
      ++k;
    const double value = resultant(k)[event.component];
    const double target =
        event.value * (event.in_weights ? model.weight() : 1.);
    // First passage, from whichever side it started.
    const double before = last_resultant[e] - target;
    const double after  = value - target;
    now                 = before * after <= 0.;
    if (now && before != after)
      exact_time = t - h * after / (after - before);
    last_resultant[e] = value;
  }
  if (now)
    done[e] = true;
  return now;
}

template <int dim>
unsigned int EventTriggers<dim>::n_done() const
{
  return std::count(done.begin(), done.end(), true);
}

template <int dim>
void EventTriggers<dim>::archive(Archive &archive)
{
  archive("events done", done);
  archive("last resultants", last_resultant);
}

template class EventTriggers<2>;
template class EventTriggers<3>;
} // namespace delassus
