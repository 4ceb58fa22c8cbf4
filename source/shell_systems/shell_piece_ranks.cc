// Quads of a sheet that several ranks share.
#include <delassus/shell_systems/shell_piece.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>

namespace delassus
{
namespace
{
constexpr int results_tag = 7301, memory_tag = 7302;

/// Quads in a message, so that the owner adds up while others evaluate.
constexpr unsigned int chunk = 256;

/// Counts of messages are ints.
constexpr std::size_t most = 1 << 28;

ShellModel::Numbers broadcast_from(const unsigned int owner, MPI_Comm comm)
{
  return [=](double *values, const std::size_t n)
  {
    for (std::size_t done = 0; done < n; done += most)
    {
      const int ierr = MPI_Bcast(
          values + done, std::min(most, n - done), MPI_DOUBLE, owner, comm);
      AssertThrowMPI(ierr);
    }
  };
}

void send(const std::vector<double> &values,
          const std::size_t n,
          const unsigned int to,
          const int tag,
          MPI_Comm comm)
{
  for (std::size_t done = 0; done < n; done += most)
  {
    const int ierr = MPI_Send(values.data() + done,
                              std::min(most, n - done),
                              MPI_DOUBLE,
                              to,
                              tag,
                              comm);
    AssertThrowMPI(ierr);
  }
}

void receive(std::vector<double> &values,
             const std::size_t n,
             const unsigned int from,
             const int tag,
             MPI_Comm comm)
{
  values.resize(n);
  for (std::size_t done = 0; done < n; done += most)
  {
    const int ierr = MPI_Recv(values.data() + done,
                              std::min(most, n - done),
                              MPI_DOUBLE,
                              from,
                              tag,
                              comm,
                              MPI_STATUS_IGNORE);
    AssertThrowMPI(ierr);
  }
}
} // namespace

void ShellPiece::share_beginning()
{
  if (!is_shared())
    return;
  const bool is_owner  = sharing.rank == sharing.owner;
  const auto broadcast = broadcast_from(sharing.owner, sharing.communicator);
  double is_new        = memory_is_new;
  broadcast(&is_new, 1);
  shell->exchange_beginning(broadcast);
  if (is_new != 0.)
    shell->exchange_memory(0, shell->n_quads(), broadcast);
  memory_is_new = false;
  if (!is_owner)
    shell->revert();
}

bool ShellPiece::evaluate_shared(const double step, const ShellTask &task)
{
  const auto broadcast = broadcast_from(sharing.owner, sharing.communicator);
  double header[2]     = { step, task.tangent ? 1. : 0. };
  broadcast(header, 2);
  shell->exchange_iterate(broadcast);
  shell->begin_evaluation(task);
  const auto &first = sharing.first_quad;
  bool good         = shell->evaluate_quads(
      step, task, &driven, first[sharing.owner], first[sharing.owner + 1]);
  for (unsigned int r = 0; r + 1 < first.size(); ++r)
  {
    if (r == sharing.owner || first[r] == first[r + 1])
      continue;
    // The first number says whether there is an answer.
    for (unsigned int q = first[r]; q < first[r + 1]; q += chunk)
    {
      const unsigned int end = std::min(q + chunk, first[r + 1]);
      const std::size_t n    = 1 + shell->packed_size(task, q, end);
      receive(packed, n, r, results_tag, sharing.communicator);
      good = good && packed[0] != 0.;
      if (good)
        shell->add_quads(packed.data() + 1, task, &driven, q, end);
    }
  }
  return good;
}

bool ShellPiece::help_evaluate()
{
  const auto broadcast = broadcast_from(sharing.owner, sharing.communicator);
  double header[2];
  broadcast(header, 2);
  shell->exchange_iterate(broadcast);
  const unsigned int first = sharing.first_quad[sharing.rank],
                     last  = sharing.first_quad[sharing.rank + 1];
  if (first == last)
    return true;
  ShellTask task;
  task.tangent = header[1] != 0.;
  packed.resize(shell->packed_size(task, first, last) +
                (last - first + chunk - 1) / chunk);
  requests.clear();
  double *message = packed.data();
  bool good       = true;
  for (unsigned int q = first; q < last; q += chunk)
  {
    const unsigned int end = std::min(q + chunk, last);
    const std::size_t n    = 1 + shell->packed_size(task, q, end);
    good = good && shell->evaluate_quads(header[0], task, q, end, message + 1);
    message[0] = good;
    requests.emplace_back();
    const int ierr = MPI_Isend(message,
                               n,
                               MPI_DOUBLE,
                               sharing.owner,
                               results_tag,
                               sharing.communicator,
                               &requests.back());
    AssertThrowMPI(ierr);
    message += n;
  }
  const int ierr =
      MPI_Waitall(requests.size(), requests.data(), MPI_STATUSES_IGNORE);
  AssertThrowMPI(ierr);
  return good;
}

void ShellPiece::gather_memory()
{
  if (!is_shared())
    return;
  const auto &first = sharing.first_quad;
  if (sharing.rank != sharing.owner)
  {
    shell->accept();
    const unsigned int begin = first[sharing.rank],
                       end   = first[sharing.rank + 1];
    packed.clear();
    shell->exchange_memory(begin,
                           end,
                           [&](double *values, const std::size_t n) {
                             packed.insert(packed.end(), values, values + n);
                           });
    send(
        packed, packed.size(), sharing.owner, memory_tag, sharing.communicator);
    return;
  }
  for (unsigned int r = 0; r + 1 < first.size(); ++r)
  {
    if (r == sharing.owner || first[r] == first[r + 1])
      continue;
    std::size_t size = 0;
    shell->exchange_memory(first[r],
                           first[r + 1],
                           [&](double *, const std::size_t n) { size += n; });
    receive(packed, size, r, memory_tag, sharing.communicator);
    const double *from = packed.data();
    shell->exchange_memory(first[r],
                           first[r + 1],
                           [&](double *values, const std::size_t n)
                           {
                             std::copy_n(from, n, values);
                             from += n;
                           });
  }
  shell->revert(); // the iterate is the state
}

double ShellPiece::largest_increment() const
{
  return is_shared()
             ? shell->largest_increment(sharing.first_quad[sharing.rank],
                                        sharing.first_quad[sharing.rank + 1])
             : shell->largest_increment();
}
} // namespace delassus
