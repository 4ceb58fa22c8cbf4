#ifndef delassus_simulation_verdict_h
#define delassus_simulation_verdict_h

#include <string>
#include <vector>

namespace delassus
{
/// What the results of a run that has reached its end are worth.
struct Verdict
{
  /// Why they are not to be trusted; none: they are.
  std::vector<std::string> reasons;

  /// What else users should know before they use them.
  std::vector<std::string> remarks;

  /// The run counts as failed (exit code 1).
  bool failed = false;

  bool trustworthy() const
  {
    return reasons.empty();
  }

  /// "NOT TRUSTWORTHY: ...; ... " or nothing: what a run's last line and its
  /// error begin with.
  std::string doubts() const;

  /// "Note: ...; ... " or nothing: what follows.
  std::string notes() const;
};

/// "in 3 of 20 steps, the first at t = 0.1".
std::string count_and_first(const std::size_t n,
                            const std::size_t n_steps,
                            const double first_time);
} // namespace delassus

#endif
