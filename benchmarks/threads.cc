// Gauss-Seidel sweeps by several threads against one, beside the copy bandwidth
// of as many cores against one in the same run:
//
//   benchmark_threads [side threads repetitions]
//
// on a wall of side x side blocks, W assembled. Each sweep, and each copy of
// about as many bytes out of arrays larger than the caches, is timed by itself,
// in wall time; copies and solves take turns. On a busy machine most of them
// are interrupted: the least times are those of quiet moments, the tenth
// percentile tells how rare these were.

#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/global_solvers/parallel_gauss_seidel.h>

#include "contact_core/synthetic_wall.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace delassus;
using namespace delassus_tests;

namespace
{
double now()
{
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Times
{
  std::vector<double> values;

  double percentile(const double share)
  {
    std::sort(values.begin(), values.end());
    return values[std::size_t(share * (values.size() - 1))];
  }
};

/// Notes when sweeps begin.
class Timed : public ParallelGaussSeidel<2>
{
public:
  using ParallelGaussSeidel<2>::ParallelGaussSeidel;
  std::vector<double> begins;

protected:
  bool sweep_by_threads(const bool forward, SweepSums &sums) override
  {
    begins.push_back(now());
    return ParallelGaussSeidel<2>::sweep_by_threads(forward, sums);
  }
};

/// Copies @p from in slices of @p n values, each cut among the threads.
void copy(ThreadTeam &team,
          const AlignedVector<double> &from,
          AlignedVector<double> &to,
          const std::size_t n,
          Times &times)
{
  const std::size_t share = n / team.size();
  for (std::size_t i = 0; i + n <= from.size(); i += n)
  {
    const double start = now();
    team.run(
        [&](const unsigned int t)
        {
          std::memcpy(to.data() + i + t * share,
                      from.data() + i + t * share,
                      share * sizeof(double));
        });
    times.values.push_back(now() - start);
  }
}

double row(const char *name, Times &one, Times &many)
{
  const double ratio = one.percentile(0.) / many.percentile(0.);
  std::printf("| %s | %.3f | %.3f | %.2f | %.3f | %.3f | %.2f |\n",
              name,
              1e3 * one.percentile(0.),
              1e3 * many.percentile(0.),
              ratio,
              1e3 * one.percentile(0.1),
              1e3 * many.percentile(0.1),
              one.percentile(0.1) / many.percentile(0.1));
  return ratio;
}
} // namespace

int main(int argc, char **argv)
{
  const auto argument = [&](const int i, const int value)
  { return argc > i ? std::atoi(argv[i]) : value; };
  const unsigned int side      = argument(1, 120);
  const unsigned int n_threads = argument(2, 2);
  const unsigned int n_times   = argument(3, 20);

  const SyntheticWall wall(side, side);
  const auto W        = assemble_block_sparse(wall.data);
  const auto problem  = wall.closed_problem(W, 0.5);
  const double bytes  = W.memory_consumption();
  const std::size_t n = std::min(0.5 * bytes / sizeof(double), 16e6) / 64 * 64;
  AlignedVector<double> from(std::size_t(1) << 26, 1.), to(from.size(), 0.);
  ThreadTeam alone(1), together(n_threads);
  ContactSolverParameters parameters;
  parameters.tolerance  = 1e-300;
  parameters.max_sweeps = 60;
  Timed one(parameters);
  parameters.n_threads = n_threads;
  Timed many(parameters);
  Times copies[2], sweeps[2];
  double errors[2];
  std::vector<double> P, U;
  for (unsigned int i = 0; i < n_times; ++i)
    for (unsigned int k = 0; k < 2; ++k)
    {
      copy(k == 0 ? alone : together, from, to, n, copies[k]);
      Timed &solver = k == 0 ? one : many;
      solver.begins.clear();
      P.clear();
      errors[k] = solver.solve(problem, P, U).errors.unit_free;
      // True errors, recomputed now and then, are longer than the least.
      for (std::size_t j = 1; j < solver.begins.size(); ++j)
        sweeps[k].values.push_back(solver.begins[j] - solver.begins[j - 1]);
    }

  std::printf("%zu contacts, W %.0f MB, %u threads asked for, %u used\n\n"
              "| | one, least ms | %u, least ms | ratio | one, 10%% | %u, 10%% "
              "| ratio |\n|---|---|---|---|---|---|---|\n",
              W.n_contacts(),
              1e-6 * bytes,
              n_threads,
              many.n_threads_used(),
              n_threads,
              n_threads);
  const double of_copies = row("copy", copies[0], copies[1]);
  const double of_sweeps = row("sweep", sweeps[0], sweeps[1]);
  std::printf("\nratio of sweeps to that of copies: %.2f (wanted: 0.8)\n"
              "errors after 60 sweeps: %.3g and %.3g\n",
              of_sweeps / of_copies,
              errors[0],
              errors[1]);
  return 0;
}
