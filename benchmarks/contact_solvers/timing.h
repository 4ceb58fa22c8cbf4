#ifndef delassus_benchmarks_contact_solvers_timing_h
#define delassus_benchmarks_contact_solvers_timing_h

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace delassus_benchmarks
{
/// Runs until @p enough seconds have passed, once at least and at most seven
/// times; returns the median.
template <typename Run>
double median_time(const Run &run, const double enough = 1.)
{
  std::vector<double> times;
  double total = 0.;
  while (times.empty() || (total < enough && times.size() < 7))
  {
    const auto begin = std::chrono::steady_clock::now();
    run();
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count());
    total += times.back();
  }
  std::nth_element(
      times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

/// The one line that the script reads.
inline void report(const double seconds,
                   const unsigned int iterations,
                   const double siconos,
                   const double unit_free,
                   const std::size_t n_contacts)
{
  std::printf("{\"seconds\": %.6e, \"iterations\": %u, \"siconos\": %.6e, "
              "\"unit_free\": %.6e, \"contacts\": %zu}\n",
              seconds,
              iterations,
              siconos,
              unit_free,
              n_contacts);
}
} // namespace delassus_benchmarks

#endif
