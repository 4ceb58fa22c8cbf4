#ifndef delassus_simulation_chronicle_h
#define delassus_simulation_chronicle_h

#include <delassus/base/archive.h>

#include <nlohmann/json.hpp>

namespace delassus
{
/// What happened in a run, in the order of time, as the summary tells it: its
/// events, the states that were written, its stages. Rank 0's.
struct Chronicle
{
  nlohmann::json events = nlohmann::json::array();
  nlohmann::json states = nlohmann::json::array();
  nlohmann::json stages = nlohmann::json::array();

  /// @p with_stages: the run has some.
  void archive(Archive &archive, const bool with_stages);
};
} // namespace delassus

#endif
