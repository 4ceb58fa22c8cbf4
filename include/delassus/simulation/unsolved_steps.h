#ifndef delassus_simulation_unsolved_steps_h
#define delassus_simulation_unsolved_steps_h

#include <delassus/base/archive.h>
#include <delassus/simulation/verdict.h>

#include <cstddef>
#include <string>
#include <vector>

namespace delassus
{
/// Steps that were not solved to their tolerances, by what was not.
class UnsolvedSteps
{
public:
  /// Those in which one thing was not.
  struct Kind
  {
    std::size_t n     = 0;
    double first_time = 0., worst = 0.;
    unsigned int first_step = 0;
    bool now                = false; ///< in the step at work

    void note(const double t, const double error)
    {
      if (n == 0 && !now)
        first_time = t;
      now = true;
      if (!(error <= worst))
        worst = error;
    }
    void end_step(const unsigned int step)
    {
      if (now && n++ == 0)
        first_step = step;
      now = false;
    }
  };

  Kind contact_loop, friction, balance, momentum;

  void end_step(const unsigned int step);

  /// The step that ended last.
  bool last_is_solved() const
  {
    return last_solved;
  }

  /// Why results of @p n_steps steps are not to be trusted.
  std::vector<std::string> reasons(const unsigned int n_steps) const;

  /// Remarks on steps that were accepted all the same.
  void remark(const unsigned int n_steps, Verdict &verdict) const;

  void archive(Archive &archive);

private:
  bool last_solved = true;
};
} // namespace delassus

#endif
