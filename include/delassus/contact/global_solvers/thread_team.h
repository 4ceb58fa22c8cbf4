#ifndef delassus_contact_global_solvers_thread_team_h
#define delassus_contact_global_solvers_thread_team_h

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace delassus
{
/// Threads that wait for work: for a short time awake, so that one sweep
/// follows the other at once, then asleep. They give way to other programs
/// where there are more threads than cores.
class ThreadTeam
{
public:
  /// The calling thread is one of the @p n_threads.
  explicit ThreadTeam(unsigned int n_threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam &)            = delete;
  ThreadTeam &operator=(const ThreadTeam &) = delete;

  unsigned int size() const
  {
    return threads.size() + 1;
  }

  /// f(0), f(1), ..., f(size()-1) at the same time; returns when all are done.
  /// f must not throw.
  template <typename Function>
  void run(const Function &f)
  {
    start([](const void *g, const unsigned int t)
          { (*static_cast<const Function *>(g))(t); },
          &f);
  }

  /// Wait until condition() holds.
  template <typename Condition>
  static void wait(const Condition &condition)
  {
    for (unsigned int i = 0; !condition(); ++i)
      relax(i);
  }

private:
  using Job = void (*)(const void *, unsigned int);

  void start(Job job, const void *data);
  void work(unsigned int t);
  static void relax(unsigned int i);

  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable wake;
  Job job          = nullptr;
  const void *data = nullptr;
  bool over        = false;
  alignas(64) std::atomic<unsigned int> round{ 0 };
  alignas(64) std::atomic<unsigned int> n_busy{ 0 };
};
} // namespace delassus

#endif
