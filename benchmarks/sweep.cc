// Time of a Gauss-Seidel sweep over the contacts of a running-bond wall, for
// each storage of W, beside the copy bandwidth of the machine in the same run.
//
// Counters: time of a sweep and of one visit of a contact, bytes per second of
// the storage touched (W, its indices, what is prepared per contact, impulses;
// open contacts that a sweep leaves out do not count), and their ratio to the
// copy bandwidth. A summary of the ratios follows the table.

#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>

#include "contact_core/synthetic_wall.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace delassus;
using namespace delassus_tests;

namespace
{
/// Seconds of this thread on a processor: other programs on the machine do not
/// count.
double processor_time()
{
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/// Bytes read plus bytes written per second, the best of several copies of
/// arrays much larger than the caches.
double copy_bandwidth()
{
  static double result = 0.;
  if (result > 0.)
    return result;
  const std::size_t n = std::size_t(1) << 26; // 512 MiB each
  AlignedVector<double> from(n, 1.), to(n, 0.);
  for (unsigned int i = 0; i < 6; ++i)
  {
    const double start = processor_time();
    std::memcpy(to.data(), from.data(), n * sizeof(double));
    benchmark::ClobberMemory();
    result =
        std::max(result, 2. * n * sizeof(double) / (processor_time() - start));
  }
  return result;
}

/// Bytes per contact beside W: what is prepared, impulses, flags, status.
template <int dim>
std::size_t bytes_beside(const std::size_t n_contacts)
{
  return n_contacts * (sizeof(PreparedContact<dim>) +
                       2 * sweep_stride<dim> * sizeof(double) + 3);
}

struct Measured
{
  double per_block = 0., bandwidth = 0.;
};
std::map<std::string, Measured> &measurements()
{
  static std::map<std::string, Measured> all;
  return all;
}

/// The walls are kept: making the largest takes longer than a sweep.
const SyntheticWall &wall(const unsigned int n_courses,
                          const unsigned int n_columns)
{
  static std::map<std::pair<unsigned int, unsigned int>,
                  std::unique_ptr<SyntheticWall>>
      walls;
  auto &entry = walls[{ n_courses, n_columns }];
  if (!entry)
    entry = std::make_unique<SyntheticWall>(n_courses, n_columns);
  return *entry;
}

/// Time of one sweep in the middle of an iteration: the difference between
/// solves of few and of many sweeps, so that preparation and the final error
/// cancel. Processor time, the least of all repetitions.
void measure_sweeps(benchmark::State &state,
                    const std::string &name,
                    const SyntheticWall &blocks,
                    const DelassusOperator<2> &W)
{
  const ContactProblem<2> problem = blocks.closed_problem(W, 0.5);
  ContactSolverParameters parameters;
  parameters.tolerance = 1e-300;

  const std::size_t bytes =
      W.memory_consumption() + bytes_beside<2>(W.n_contacts());
  const unsigned int n_few  = 6;
  const unsigned int n_more = std::max<std::size_t>(10, 400000000 / bytes);
  parameters.max_sweeps     = n_few;
  GaussSeidel<2> few(parameters);
  parameters.max_sweeps = n_few + n_more;
  GaussSeidel<2> many(parameters);
  std::vector<double> P, U;

  double t_few = 1e300, t_many = 1e300, t_product = 1e300;
  std::size_t n_visits = 0;
  for (auto _ : state)
  {
    P.clear();
    double start = processor_time();
    n_visits     = few.solve(problem, P, U).n_visits;
    t_few        = std::min(t_few, processor_time() - start);
    P.clear();
    start             = processor_time();
    const auto result = many.solve(problem, P, U);
    const double t    = processor_time() - start;
    t_many            = std::min(t_many, t);
    n_visits          = result.n_visits - n_visits;
    start             = processor_time();
    compute_errors(problem, P, U);
    t_product = std::min(t_product, processor_time() - start);
    state.SetIterationTime(t / (n_few + n_more));
  }
  // The true error is recomputed at 10, 15, ... sweeps.
  unsigned int n_checks = 0;
  for (double check = 10.; check < n_few + n_more;
       check        = std::max(1.5 * std::ceil(check), std::ceil(check) + 1.))
    ++n_checks;
  const double share = double(n_visits) / (double(n_more) * W.n_contacts());
  const double t     = (t_many - t_few - n_checks * t_product) / n_more;

  Measured &result               = measurements()[name];
  result.per_block               = t / share / blocks.n_blocks;
  result.bandwidth               = share * bytes / t;
  state.counters["contacts"]     = W.n_contacts();
  state.counters["visited"]      = share;
  state.counters["us_per_sweep"] = 1e6 * t;
  state.counters["ns_per_visit"] = 1e9 * t / (share * W.n_contacts());
  state.counters["MB"]           = 1e-6 * bytes;
  state.counters["GB_per_s"]     = 1e-9 * result.bandwidth;
  state.counters["of_copy"]      = result.bandwidth / copy_bandwidth();
}

void block_sparse(benchmark::State &state)
{
  const SyntheticWall &blocks    = wall(state.range(0), state.range(1));
  const BlockSparseDelassus<2> W = assemble_block_sparse(blocks.data);
  state.counters["blocks_per_row"] =
      static_cast<double>(W.n_blocks()) / W.n_contacts();
  measure_sweeps(
      state, "block sparse " + std::to_string(blocks.n_blocks), blocks, W);
}

void matrix_free(benchmark::State &state)
{
  const SyntheticWall &blocks = wall(state.range(0), state.range(1));
  const BodyDelassus<2> W(blocks.data);
  measure_sweeps(
      state, "matrix free " + std::to_string(blocks.n_blocks), blocks, W);
}

void assembly(benchmark::State &state)
{
  const SyntheticWall &blocks = wall(state.range(0), state.range(1));
  BodyAssembler<2> assembler;
  BlockSparseDelassus<2> W;
  for (auto _ : state)
    assembler.assemble(blocks.data, W);
  state.counters["seconds_per_W_block"] =
      benchmark::Counter(W.n_blocks(),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

void copy(benchmark::State &state)
{
  for (auto _ : state)
    benchmark::DoNotOptimize(copy_bandwidth());
  state.counters["GB_per_s"] = 1e-9 * copy_bandwidth();
}

BENCHMARK(copy)->Iterations(1)->Unit(benchmark::kMillisecond);
// 144 blocks; 1 440 and 14 400; and one whose W is larger than any cache.
BENCHMARK(block_sparse)
    ->Args({ 12, 12 })
    ->Args({ 36, 40 })
    ->Args({ 120, 120 })
    ->Args({ 240, 240 })
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(matrix_free)
    ->Args({ 12, 12 })
    ->Args({ 36, 40 })
    ->Args({ 120, 120 })
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(assembly)
    ->Args({ 12, 12 })
    ->Args({ 120, 120 })
    ->Unit(benchmark::kMillisecond);
} // namespace

int main(int argc, char **argv)
{
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();

  const auto &all = measurements();
  std::printf("\nratios\n");
  for (const std::string storage : { "block sparse", "matrix free" })
  {
    const auto small = all.find(storage + " 1440");
    const auto large = all.find(storage + " 14400");
    if (small != all.end() && large != all.end())
      std::printf("  %s, cost per block and sweep, 14400 to 1440 blocks: "
                  "%.2f (wanted: below 1.3)\n",
                  storage.c_str(),
                  large->second.per_block / small->second.per_block);
  }
  // The storage that would be chosen for each size.
  const auto chosen = [&](const SyntheticWall &blocks) -> double
  {
    const bool free  = DelassusCost<2>(blocks.data).prefers_matrix_free();
    const auto entry = all.find((free ? "matrix free " : "block sparse ") +
                                std::to_string(blocks.n_blocks));
    return entry == all.end() ? 0. : entry->second.per_block;
  };
  const double small = chosen(wall(36, 40)), large = chosen(wall(120, 120));
  if (small > 0. && large > 0.)
    std::printf("  automatic storage, cost per block and sweep, 14400 to 1440 "
                "blocks: %.2f (wanted: below 1.3)\n",
                large / small);
  for (const std::string name : { "block sparse 14400", "block sparse 57600" })
    if (const auto entry = all.find(name); entry != all.end())
      std::printf("  %s, bytes per second to copy bandwidth: %.2f (wanted: "
                  "above 0.5 where it does not fit in cache)\n",
                  name.c_str(),
                  entry->second.bandwidth / copy_bandwidth());
  return 0;
}
