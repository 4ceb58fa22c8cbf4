#ifndef delassus_simulation_event_triggers_h
#define delassus_simulation_event_triggers_h

#include <delassus/base/archive.h>
#include <delassus/simulation/model.h>

#include <functional>

namespace delassus
{
/// When the events of a run happen, each once: at a time, or when a component
/// of an interaction's resultant passes a value for the first time.
template <int dim>
class EventTriggers
{
public:
  explicit EventTriggers(const Model<dim> &model);

  /// Whether event @p e happens in the step h that ended at @p t;
  /// @p exact_time: when, within the step. @p resultant: that of an interaction
  /// at t.
  bool
  happens(const unsigned int e,
          const double t,
          const double h,
          const std::function<dealii::Tensor<1, dim>(unsigned int)> &resultant,
          double &exact_time);

  /// How many have happened.
  unsigned int n_done() const;

  void archive(Archive &archive);

private:
  const Model<dim> &model;
  std::vector<bool> done;
  std::vector<double> last_resultant; ///< of each event's quantity
};
} // namespace delassus

#endif
