#ifndef delassus_simulation_checkpoint_keeper_h
#define delassus_simulation_checkpoint_keeper_h

#include <delassus/base/log.h>
#include <delassus/base/phase_timer.h>
#include <delassus/parameters/parameters.h>
#include <delassus/simulation/checkpoint.h>

#include <memory>

namespace delassus
{
/// Writes the checkpoints of a run, knows the last one, and keeps the state
/// before a step that has failed until it is known whether it is to be written.
/// To be made and destroyed by all ranks together.
class CheckpointKeeper
{
public:
  /// A checkpoint that is in the run directory.
  struct Written
  {
    int step    = -1; ///< none
    double time = 0.; ///< simulated
  };

  /// @p output and @p log have to live as long.
  CheckpointKeeper(const OutputParameters &output,
                   MPI_Comm communicator,
                   Log &log);
  ~CheckpointKeeper();
  CheckpointKeeper(const CheckpointKeeper &)            = delete;
  CheckpointKeeper &operator=(const CheckpointKeeper &) = delete;

  /// The newest one of the run directory. Collective.
  Checkpoint read(std::string &warning) const;

  /// Returns why that failed, if it did; the log is told. Collective.
  std::string write(const Checkpoint &checkpoint);

  /// Whether all ranks come here within a few seconds: one that has failed may
  /// be alone.
  bool all_ranks_here() const;

  /// Count wall time from now on.
  void start_clock()
  {
    last_at = PhaseTimer::Clock::now();
  }

  /// Whether as much wall time has gone by as the file allows between two
  /// checkpoints. (Rank 0's clock counts.)
  bool clock_is_due() const;

  /// Its messages cannot be mistaken for those of the run.
  const MPI_Comm &own_communicator() const
  {
    return communicator;
  }

  Written last;

  /// If the step in work, or a substep of it, has failed.
  std::unique_ptr<Checkpoint> state_before_step;

private:
  const OutputParameters &output;
  MPI_Comm communicator;
  Log &log;
  PhaseTimer::Clock::time_point last_at = PhaseTimer::Clock::now();
};
} // namespace delassus

#endif
