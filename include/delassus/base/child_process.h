#ifndef delassus_base_child_process_h
#define delassus_base_child_process_h

#include <functional>
#include <stdexcept>
#include <string>

namespace delassus
{
/// A child process died, or took too long; the text says how.
class ChildFailure : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

struct ChildLimits
{
  /// It may read files, but neither write any, nor start programs, nor use the
  /// network: the kernel refuses (where it can: Linux on x86-64 and ARM64).
  bool confined  = true;
  double seconds = 3600.; ///< of wall time, then it is ended
  double memory  = 0.;    ///< bytes of its data; 0: as of this process
};

/// What @p task returns, run in a copy of this process: what crashes it does
/// not crash this one, and what it changes is not changed here. An InputError
/// of the task is thrown here too, any other failure is a ChildFailure. The
/// task must not use MPI. Nothing it prints is seen.
std::string run_in_child(const std::function<std::string()> &task,
                         const ChildLimits &limits);
} // namespace delassus

#endif
