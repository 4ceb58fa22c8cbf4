#ifndef delassus_time_integration_nodal_state_h
#define delassus_time_integration_nodal_state_h

#include <delassus/systems/system.h>

#include <vector>

namespace delassus
{
/// The nodal state of a rank's part of a body, in a checkpoint: by reference
/// position and piece.
struct NodalState : public SavedState
{
  std::vector<double> positions;
  std::vector<unsigned int> pieces;
  std::vector<std::vector<double>> values; ///< of each vector of the state

  void archive(Archive &archive)
  {
    archive("positions", positions);
    archive("pieces", pieces);
    archive("values", values);
  }

  void append(const NodalState &other)
  {
    positions.insert(
        positions.end(), other.positions.begin(), other.positions.end());
    pieces.insert(pieces.end(), other.pieces.begin(), other.pieces.end());
    values.resize(other.values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k].insert(
          values[k].end(), other.values[k].begin(), other.values[k].end());
  }
};
} // namespace delassus

#endif
