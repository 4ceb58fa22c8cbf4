#ifndef delassus_simulation_substep_control_h
#define delassus_simulation_substep_control_h

#include <delassus/base/archive.h>
#include <delassus/parameters/parameters.h>

namespace delassus
{
/// How a step H of the run is divided into substeps: as few as it takes. They
/// are cut where one fails and, in Newton loops, grow again where they are
/// easy. Knows nothing of what is solved.
///
///   begin(H)
///   while (!done())
///     h = next(); attempt it
///     failed(): cut, go on behind a jump, or give up; or accepted()
class SubstepControl
{
public:
  /// @p step: the largest, 'Time/Step'. @p is_newton: substeps are Newton
  /// loops. Otherwise all systems are linear and have a factor for each h, so
  /// that the sizes are H/2^n, n at most 6, until the step is done; the next
  /// one begins with all of it again.
  SubstepControl(const NewtonParameters &parameters,
                 const double step,
                 const bool is_newton);

  /// A step begins; or what is left of it, in a run that goes on inside one.
  void begin(const double H);

  bool done() const
  {
    return !(part_done < H);
  }

  /// The size of the next substep.
  double next();

  /// Strains or slips of a substep that was solved, over those allowed.
  enum class Limit
  {
    kept,
    jump,    ///< shorter ones have no less of it: it is accepted
    exceeded ///< to be tried again, shorter by shrink()
  };
  Limit judge_limit(const double h, const double ratio);

  /// The part of a substep that is left of it after exceeding its limit.
  static double shrink(const double ratio);

  /// Iterations were spent on this step.
  void spend(const unsigned int iterations)
  {
    spent += iterations;
  }

  /// More than 'Newton/Maximum step iterations' were.
  bool too_many() const;
  unsigned int n_spent() const
  {
    return spent;
  }

  enum class AfterFailure
  {
    cut,    ///< tried again with next()
    jump,   ///< the same: it was too large at any size, and is accepted now
    give_up ///< it is as small as allowed
  };
  AfterFailure failed(const double h, const double part);

  /// The substep h, the last one that next() gave, was accepted.
  void accepted(const double h, const unsigned int iterations);

  /// The step is done: the next one begins at its beginning.
  void finish()
  {
    part_done = 0.;
  }

  void archive(Archive &archive);

  double part_done = 0.; ///< time of the step in work that is done

private:
  double smallest() const;

  const NewtonParameters parameters;
  const double step;
  const bool is_newton;
  bool is_counted = false; ///< 'Maximum step iterations' holds

  double allowed = 0.; ///< what the next substep is tried with
  // Of the step in work.
  double H           = 0.;
  bool is_last       = false; ///< the substep ends the step
  double tried       = 0.;    ///< the first size of this substep, if it was cut
  unsigned int spent = 0;
  /// The first substep that was cut for its strain or slip. Where shorter ones
  /// have no less of it the body jumps, and no step is short enough.
  double limited_h = 0., limited_ratio = 0.;
  bool jumps        = false;
  double last_ratio = 0.; ///< of judge_limit()
};
} // namespace delassus

#endif
