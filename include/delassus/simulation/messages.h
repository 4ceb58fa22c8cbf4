#ifndef delassus_simulation_messages_h
#define delassus_simulation_messages_h

#include <mpi.h>

#include <vector>

namespace delassus
{
/// Tags of messages that are sent outside send_lists().
namespace message_tags
{
constexpr int lists      = 71;
constexpr int compliance = 72;
constexpr int impulses   = 73; ///< once a step
constexpr int sweep      = 74; ///< in every sweep
} // namespace message_tags

/// One list for each rank, possibly empty; returns one from each rank. Ranks
/// together.
template <typename T>
std::vector<std::vector<T>> send_lists(const std::vector<std::vector<T>> &to,
                                       MPI_Comm communicator);

/// The lists of all ranks, one after another. Ranks together.
template <typename T>
std::vector<std::vector<T>> gather_lists(const std::vector<T> &mine,
                                         MPI_Comm communicator);
} // namespace delassus

#endif
