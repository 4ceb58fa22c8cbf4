#ifndef delassus_simulation_checkpoint_h
#define delassus_simulation_checkpoint_h

#include <delassus/base/archive.h>

#include <mpi.h>

#include <map>
#include <string>
#include <vector>

namespace delassus
{
/// Who wrote a checkpoint, and of what.
struct CheckpointLabel
{
  std::string program_version;
  unsigned int dimension = 0;
  unsigned int n_ranks   = 0;
  unsigned int step      = 0;     ///< the last one that was completed
  bool stopped           = false; ///< by an event
  double time            = 0.;
  std::map<std::string, std::string> entries; ///< of the parameter file
  unsigned int stage = 0;                     ///< if the run has stages

  void archive(Archive &archive);
};

/// The state of a run: what all ranks know alike, and what each rank owns.
struct Checkpoint
{
  CheckpointLabel label;
  std::string common; ///< only rank 0's is written

  /// Written: one string, of this rank. Read: one for each rank that wrote it;
  /// on the same number of ranks those of others are empty.
  std::vector<std::string> ranks;
};

/// Write checkpoint.bin in @p directory: magic number, format version, lengths
/// and checksums of all parts, then the parts. It takes its name when it is
/// complete and on the disk; those before stay as checkpoint_previous.bin,
/// checkpoint_previous_2.bin, ... so that @p n_kept are there. Collective;
/// returns the same on all ranks: nothing, or why it failed.
std::string write_checkpoint(const std::string &directory,
                             const unsigned int n_kept,
                             const Checkpoint &checkpoint,
                             MPI_Comm communicator);

/// Read checkpoint.bin, or if it is missing or damaged the newest of those
/// before (then @p warning says so). Throws InputError on all ranks if there is
/// none that can be read. Collective.
Checkpoint read_checkpoint(const std::string &directory,
                           std::string &warning,
                           MPI_Comm communicator);

/// What differs between the entries of a checkpoint and of this run and would
/// change the results: one line each, "'Time/Step' = '0.1' (in the checkpoint:
/// '0.2')". Numbers count as equal if their values are. Stages after number
/// @p stage may differ, the others not.
std::vector<std::string>
differing_entries(const std::map<std::string, std::string> &checkpoint,
                  const std::map<std::string, std::string> &now,
                  const unsigned int stage = 0);
} // namespace delassus

#endif
