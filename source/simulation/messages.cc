#include <delassus/simulation/messages.h>

#include <algorithm>
#include <limits>

namespace delassus
{
template <typename T>
std::vector<std::vector<T>> send_lists(const std::vector<std::vector<T>> &to,
                                       MPI_Comm communicator)
{
  const int n_ranks = to.size();
  std::vector<unsigned long> sizes_to(n_ranks), sizes_from(n_ranks);
  for (int r = 0; r < n_ranks; ++r)
    sizes_to[r] = to[r].size() * sizeof(T);
  MPI_Alltoall(sizes_to.data(),
               1,
               MPI_UNSIGNED_LONG,
               sizes_from.data(),
               1,
               MPI_UNSIGNED_LONG,
               communicator);
  // Counts of MPI are ints: long messages go in parts.
  constexpr unsigned long part = std::numeric_limits<int>::max() / 2;
  std::vector<std::vector<T>> from(n_ranks);
  std::vector<MPI_Request> requests;
  for (int r = 0; r < n_ranks; ++r)
  {
    from[r].resize(sizes_from[r] / sizeof(T));
    for (unsigned long done = 0; done < sizes_from[r]; done += part)
    {
      requests.emplace_back();
      MPI_Irecv(reinterpret_cast<char *>(from[r].data()) + done,
                std::min(part, sizes_from[r] - done),
                MPI_BYTE,
                r,
                message_tags::lists,
                communicator,
                &requests.back());
    }
  }
  for (int r = 0; r < n_ranks; ++r)
    for (unsigned long done = 0; done < sizes_to[r]; done += part)
    {
      requests.emplace_back();
      MPI_Isend(reinterpret_cast<const char *>(to[r].data()) + done,
                std::min(part, sizes_to[r] - done),
                MPI_BYTE,
                r,
                message_tags::lists,
                communicator,
                &requests.back());
    }
  MPI_Waitall(requests.size(), requests.data(), MPI_STATUSES_IGNORE);
  return from;
}

template <typename T>
std::vector<std::vector<T>> gather_lists(const std::vector<T> &mine,
                                         MPI_Comm communicator)
{
  int n_ranks;
  MPI_Comm_size(communicator, &n_ranks);
  return send_lists(std::vector<std::vector<T>>(n_ranks, mine), communicator);
}

#define INSTANTIATE(T)                                                         \
  template std::vector<std::vector<T>> send_lists<T>(                          \
      const std::vector<std::vector<T>> &, MPI_Comm);                          \
  template std::vector<std::vector<T>> gather_lists<T>(const std::vector<T> &, \
                                                       MPI_Comm)
INSTANTIATE(char);
INSTANTIATE(unsigned int);
#undef INSTANTIATE
} // namespace delassus
