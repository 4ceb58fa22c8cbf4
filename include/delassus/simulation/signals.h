#ifndef delassus_simulation_signals_h
#define delassus_simulation_signals_h

#include <delassus/base/exceptions.h>

#include <mpi.h>

#include <array>
#include <csignal>

namespace delassus
{
/// A signal has asked the run to end: it is saved and ends in order. Thrown
/// without words inside a step, of which nothing is kept.
class Interrupted : public ComputationError
{
public:
  explicit Interrupted(const std::string &what = "")
      : ComputationError(what)
  {
  }
};

/// While it lives, signals that ask the process to end are remembered instead
/// of ending it: SIGINT (Ctrl-C), SIGTERM, SIGUSR1 (which mpirun passes on, and
/// batch systems send before a job's time is over), SIGHUP (a closed terminal,
/// unless it is ignored, as by nohup) and SIGPIPE (nobody reads the output any
/// more). A second SIGINT, SIGTERM or SIGUSR1 kills. Files that grow beyond the
/// limit of the shell are errors of writing (SIGXFSZ is ignored).
class SignalGuard
{
public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard &)            = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

private:
  std::array<struct sigaction, 6> old;
};

/// The signal that has asked this process to end; 0: none.
int signal_received();

/// Throws Interrupted on all ranks if a signal has asked one of them to end.
/// For places inside a step, where nothing of it is accepted yet. Collective.
void heed_signals(MPI_Comm communicator);
} // namespace delassus

#endif
