#ifndef delassus_simulation_run_directory_h
#define delassus_simulation_run_directory_h

#include <mpi.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace delassus
{
/// Who may write in a run directory, and what becomes of the files of an
/// earlier run there. Rank 0 holds a lock of the operating system on the file
/// run.lock, which ends with the process however that ends; the text of the
/// file says who it is. On all ranks alike, and collective.
class RunDirectory
{
public:
  enum class Use
  {
    fresh,     ///< refused where there are results of an earlier run
    overwrite, ///< these are removed
    resume     ///< these are continued
  };

  /// If the directory is there, lock it and see whether it may be used so.
  /// Throws InputError if another run is on in it, or if it has results that
  /// nobody has asked to overwrite. @p command is what the user has typed, for
  /// the message, @p input the parameter file, which is never removed.
  RunDirectory(const std::string &path,
               const Use use,
               const std::string &command,
               const std::string &input,
               MPI_Comm communicator);

  /// Takes the lock's file away.
  ~RunDirectory();

  RunDirectory(const RunDirectory &)            = delete;
  RunDirectory &operator=(const RunDirectory &) = delete;

  /// The run is about to write: make the directory if it is not there, and
  /// remove the files of an earlier run, those this program writes and no
  /// others. Throws as the constructor.
  void begin();

  /// What the user should know: a lock that was left behind, files removed.
  std::vector<std::string> notes;

private:
  void on_root(const std::function<void()> &work) const;
  void claim();
  void take_lock();
  void release();
  void look_for_results() const;

  const std::string path;
  const Use use;
  const std::string command, input;
  MPI_Comm communicator;
  bool claimed = false; ///< rank 0's
  int lock     = -1;    ///< descriptor; rank 0's
};

/// "process 12 on host 'a' since 2024-05-01 12:00:00" if a run is on in the
/// directory, else nothing.
std::string run_in(const std::string &directory);

/// The files of a run in the directory, those of `check` and the lock aside.
std::vector<std::filesystem::path> files_of_run(const std::string &directory);
} // namespace delassus

#endif
