#include <delassus/simulation/checkpoint_keeper.h>

#include <chrono>

#include <unistd.h>

namespace delassus
{
CheckpointKeeper::CheckpointKeeper(const OutputParameters &output,
                                   MPI_Comm run_communicator,
                                   Log &log)
    : output(output)
    , log(log)
{
  MPI_Comm_dup(run_communicator, &communicator);
}

CheckpointKeeper::~CheckpointKeeper()
{
  MPI_Comm_free(&communicator);
}

Checkpoint CheckpointKeeper::read(std::string &warning) const
{
  return read_checkpoint(output.directory, warning, communicator);
}

std::string CheckpointKeeper::write(const Checkpoint &checkpoint)
{
  const std::string failure = write_checkpoint(
      output.directory, output.n_checkpoints, checkpoint, communicator);
  // Again after the whole interval, also where the disk is full.
  start_clock();
  if (failure.empty())
    last = { int(checkpoint.label.step), checkpoint.label.time };
  else
    log.warning(failure);
  return failure;
}

bool CheckpointKeeper::clock_is_due() const
{
  const double minutes = output.checkpoint_minutes;
  const std::chrono::duration<double, std::ratio<60>> waited =
      PhaseTimer::Clock::now() - last_at;
  return minutes > 0. && waited.count() >= minutes;
}

bool CheckpointKeeper::all_ranks_here() const
{
  int n_ranks = 0;
  MPI_Comm_size(communicator, &n_ranks);
  if (n_ranks == 1)
    return true;
  MPI_Request request;
  int here = 0;
  MPI_Ibarrier(communicator, &request);
  constexpr unsigned int n_tries = 100, microseconds = 20000;
  for (unsigned int i = 0; i < n_tries && !here; ++i)
  {
    MPI_Test(&request, &here, MPI_STATUS_IGNORE);
    if (!here)
      usleep(microseconds);
  }
  return here != 0;
}
} // namespace delassus
