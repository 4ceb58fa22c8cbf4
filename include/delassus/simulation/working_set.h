#ifndef delassus_simulation_working_set_h
#define delassus_simulation_working_set_h

#include <delassus/base/archive.h>

#include <array>
#include <cstddef>
#include <vector>

namespace delassus
{
/// Which contacts are concentrated: those that press, and those that the step
/// may close. The others rest, open, without rows in W and the loop. Whether
/// one may close is estimated,
///
///   calU_N of the velocities known so far  <=  reserve,
///
/// calU_N >= 0 being what its law asks for at the end of the step (the gap over
/// h), and the reserve twice what such estimates were wrong by the last time.
/// An estimate decides on cost only: after each solution those at rest are
/// looked at with the velocities found, and what violates its law joins. So the
/// solution is one of all contacts.
class WorkingSet
{
public:
  /// All contacts are in.
  void take_all(const std::size_t n);

  /// @p estimate: calU_N of each contact; @p may_rest: its law has no impulse
  /// where that is positive, and it has none now. @p iteration: of the Newton
  /// loop, whose corrections become smaller. Returns whether it has changed.
  bool choose(const std::vector<double> &estimate,
              const std::vector<char> &may_rest,
              const unsigned int iteration);

  /// After a solution: how far calU_N of contacts without impulse is below its
  /// estimate, at most; of this rank. Then learn() with that of all ranks.
  double surprise(const std::vector<double> &calU,
                  const std::vector<char> &is_open) const;
  void learn(const double surprise);

  /// Contacts at rest that violate their law join. Returns their number.
  std::size_t join(const std::vector<double> &calU);

  bool rests(const std::size_t a) const
  {
    return n_rest > 0 && at_rest[a] != 0;
  }

  std::size_t n_at_rest() const
  {
    return n_rest;
  }

  /// What was learned.
  void archive(Archive &archive);

  /// Solutions of a problem after which all contacts take part if still more
  /// want to join.
  unsigned int most_rounds = 8;

  std::size_t n_joined    = 0; ///< in all solutions, on this rank
  std::size_t n_taken_all = 0; ///< problems that had too many rounds

private:
  std::vector<char> at_rest, chosen;
  std::size_t n_rest = 0;
  std::vector<double> estimates;
  unsigned int level = 0; ///< iteration of the last choice, or the last level
  /// Surprises of the last steps, of their first iterations and of the others;
  /// negative: not known.
  std::array<double, 4> surprises = { { -1., -1., -1., -1. } };
};
} // namespace delassus

#endif
