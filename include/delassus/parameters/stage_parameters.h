#ifndef delassus_parameters_stage_parameters_h
#define delassus_parameters_stage_parameters_h

#include <delassus/parameters/parameters.h>

#include <set>
#include <string>
#include <vector>

namespace delassus
{
enum class StageAction
{
  zero_velocity,       ///< v = 0 everywhere, displacements and impulses kept
  release_condition,   ///< its reactions go to zero over the stage
  release_interaction, ///< its contact forces do
  write,               ///< a result file
  checkpoint
};

/// A part of a run: what differs from the sections of the file.
struct StageParameters
{
  std::string name;
  TimeParameters time; ///< from the end of the stage before to its own
  NewtonParameters newton;
  /// Names of what is active; shapes are obstacles, at rest or moving, and
  /// rigid bodies (entry 'Tools').
  std::set<std::string> conditions, interactions, shapes;

  struct Action
  {
    StageAction type;
    std::string name; ///< of what is released
  };
  std::vector<Action> actions; ///< at its beginning, in this order

  /// Conditions, or interactions, that are released at its beginning.
  std::set<std::string> released(const StageAction type) const
  {
    std::set<std::string> names;
    for (const auto &action : actions)
      if (action.type == type)
        names.insert(action.name);
    return names;
  }
};
} // namespace delassus

#endif
