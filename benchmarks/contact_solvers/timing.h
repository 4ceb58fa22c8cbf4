#ifndef delassus_benchmarks_contact_solvers_timing_h
#define delassus_benchmarks_contact_solvers_timing_h

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace delassus_benchmarks
{
/// Seconds that this thread has computed: other programs on the machine do not
/// count. (The clock of the process is coarse under a limit of CPU time.)
inline double cpu_time()
{
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/// Runs until @p enough seconds have passed, once at least and at most seven
/// times; returns the median.
template <typename Run>
double median_time(const Run &run, const double enough = 1.)
{
  std::vector<double> times;
  double total = 0.;
  while (times.empty() || (total < enough && times.size() < 7))
  {
    const double begin = cpu_time();
    run();
    times.push_back(cpu_time() - begin);
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
