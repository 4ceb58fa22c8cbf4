#ifndef delassus_base_phase_timer_h
#define delassus_base_phase_timer_h

#include <delassus/base/archive.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace delassus
{
/// Wall time by named phase of a run. A phase inside another counts in both.
class PhaseTimer
{
public:
  using Clock = std::chrono::steady_clock;

  struct Phase
  {
    std::string name;
    double seconds      = 0.;
    std::size_t n_calls = 0;
  };

  /// Adds the time of its own life to a phase.
  class Scope
  {
  public:
    Scope(PhaseTimer &timer, const std::size_t phase)
        : timer(timer)
        , phase(phase)
        , begin(Clock::now())
    {
    }

    Scope(const Scope &)            = delete;
    Scope &operator=(const Scope &) = delete;

    ~Scope()
    {
      timer.list[phase].seconds +=
          std::chrono::duration<double>(Clock::now() - begin).count();
      ++timer.list[phase].n_calls;
    }

  private:
    PhaseTimer &timer;
    const std::size_t phase;
    Clock::time_point begin;
  };

  PhaseTimer()
      : start(Clock::now())
  {
  }

  /// The number of a phase, made if new; phases keep the order of this call.
  std::size_t phase(const std::string &name)
  {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i].name == name)
        return i;
    list.push_back({ name, 0., 0 });
    return list.size() - 1;
  }

  /// `const auto timing = timer.scope("detection");`
  Scope scope(const std::string &name)
  {
    return Scope(*this, phase(name));
  }

  Scope scope(const std::size_t number)
  {
    return Scope(*this, number);
  }

  const std::vector<Phase> &phases() const
  {
    return list;
  }

  /// Of one phase; 0 if there is none of this name.
  double seconds(const std::string &name) const
  {
    for (const auto &phase : list)
      if (phase.name == name)
        return phase.seconds;
    return 0.;
  }

  /// Name and seconds of every phase, in order.
  std::vector<std::pair<std::string, double>> seconds() const
  {
    std::vector<std::pair<std::string, double>> result;
    for (const auto &phase : list)
      result.emplace_back(phase.name, phase.seconds);
    return result;
  }

  /// Since the timer was made, and before that in the run it continues.
  double total() const
  {
    return earlier +
           std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// Loading adds the times of the run that is continued to what there is.
  void archive(Archive &archive)
  {
    std::vector<std::pair<std::string, std::pair<double, std::size_t>>> saved;
    for (const auto &phase : list)
      saved.push_back({ phase.name, { phase.seconds, phase.n_calls } });
    double seconds = total();
    archive("phases", saved);
    archive("total", seconds);
    if (archive.saving())
      return;
    for (const auto &[name, values] : saved)
    {
      Phase &known = list[phase(name)];
      known.seconds += values.first;
      known.n_calls += values.second;
    }
    earlier += seconds;
  }

private:
  Clock::time_point start;
  double earlier = 0.;
  std::vector<Phase> list;
};
} // namespace delassus

#endif
