#include <delassus/simulation/signals.h>

namespace delassus
{
namespace
{
volatile std::sig_atomic_t received   = 0;
volatile std::sig_atomic_t n_received = 0;

constexpr std::array<int, 6> caught = {
  { SIGINT, SIGTERM, SIGUSR1, SIGHUP, SIGPIPE, SIGXFSZ }
};

/// A terminal that is closed sends SIGHUP more than once, each line written to
/// a closed pipe another SIGPIPE: these do not count as a second signal.
void remember(const int signal)
{
  received = signal;
  if (signal == SIGHUP || signal == SIGPIPE)
    return;
  n_received = n_received + 1;
  if (n_received > 1)
  {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}
} // namespace

SignalGuard::SignalGuard()
{
  received = n_received = 0;
  for (std::size_t i = 0; i < caught.size(); ++i)
  {
    struct sigaction action = {};
    action.sa_handler       = caught[i] == SIGXFSZ ? SIG_IGN : remember;
    action.sa_flags         = SA_RESTART;
    sigaction(caught[i], &action, &old[i]);
    if (caught[i] == SIGHUP && old[i].sa_handler == SIG_IGN)
      sigaction(SIGHUP, &old[i], nullptr);
  }
}

SignalGuard::~SignalGuard()
{
  // What is said at the end of a run may find nobody who reads it, too.
  for (std::size_t i = 0; i < caught.size(); ++i)
    if (!(caught[i] == SIGPIPE && received == SIGPIPE))
      sigaction(caught[i], &old[i], nullptr);
  received = 0;
}

int signal_received()
{
  return received;
}

void heed_signals(MPI_Comm communicator)
{
  int any = received, n_ranks = 1;
  MPI_Comm_size(communicator, &n_ranks);
  if (n_ranks > 1)
  {
    const int mine = any;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, communicator);
  }
  if (any != 0)
    throw Interrupted();
}
} // namespace delassus
