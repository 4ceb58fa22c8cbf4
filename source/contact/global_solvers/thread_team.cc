#include <delassus/contact/global_solvers/thread_team.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace delassus
{
namespace
{
// How often to look before giving way, and before falling asleep: some
// microseconds, and about a millisecond.
constexpr unsigned int n_looks = 2000, n_yields = 4000;
} // namespace

ThreadTeam::ThreadTeam(const unsigned int n_threads)
{
  for (unsigned int t = 1; t < n_threads; ++t)
    threads.emplace_back([this, t]() { work(t); });
}

ThreadTeam::~ThreadTeam()
{
  {
    const std::lock_guard<std::mutex> lock(mutex);
    over = true;
    round.fetch_add(1, std::memory_order_release);
  }
  wake.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void ThreadTeam::relax(const unsigned int i)
{
#if defined(__x86_64__) || defined(__i386__)
  if (i < n_looks)
  {
    _mm_pause();
    return;
  }
#endif
  if (i >= n_looks / 4)
    std::this_thread::yield();
}

void ThreadTeam::start(const Job job_in, const void *data_in)
{
  n_busy.store(threads.size(), std::memory_order_relaxed);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    job  = job_in;
    data = data_in;
    round.fetch_add(1, std::memory_order_release);
  }
  wake.notify_all();
  job_in(data_in, 0);
  wait([this]() { return n_busy.load(std::memory_order_acquire) == 0; });
}

void ThreadTeam::work(const unsigned int t)
{
  unsigned int seen  = 0;
  const auto is_next = [&]()
  { return round.load(std::memory_order_acquire) != seen; };
  while (true)
  {
    for (unsigned int i = 0; !is_next() && i < n_looks + n_yields; ++i)
      relax(i);
    if (!is_next())
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, is_next);
    }
    // Rounds do not overlap: the next one starts when all are done.
    seen = round.load(std::memory_order_acquire);
    if (over)
      return;
    job(data, t);
    n_busy.fetch_sub(1, std::memory_order_acq_rel);
  }
}
} // namespace delassus
