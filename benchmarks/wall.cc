// The whole time step of running-bond walls of 144, 1 440 and 14 400 blocks
// (the block of parameter_files/wall_2d.prm: 8 T3), and of one in 3D, on one
// thread: time by phase, per block and sweep, detection against n log n, peak
// memory, and case 8.6 (the wall of 144 blocks against LMGC90's 70 ms a step).
// Targets are ratios within one run; a Markdown table of them follows Google
// Benchmark's own.
//
// All times are processor time of this thread: other programs on the machine
// steal cache, but not time.

#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/simulation.h>

#include <deal.II/base/utilities.h>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace delassus;

namespace
{
RunOptions quietly()
{
  RunOptions options;
  options.quiet = true;
  return options;
}

double processor_time()
{
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

enum Phase
{
  free_motion,
  detection,
  kinematics,
  assembly,
  contact_solver,
  correction,
  energy,
  n_phases
};
const std::array<const char *, n_phases> phase_names = { { "free_motion",
                                                           "detection",
                                                           "kinematics",
                                                           "W",
                                                           "contact_solver",
                                                           "correction",
                                                           "energy" } };

struct Size
{
  unsigned int courses, columns;
  double update_distance = -1.; ///< negative: as in the file
  std::string storage    = "automatic";
};

std::vector<std::string> overrides_of(const Size &size)
{
  std::vector<std::string> overrides = {
    "Event rest/Actions=write",
    "Body wall/Mesh/Courses=" + std::to_string(size.courses),
    "Body wall/Mesh/Blocks per course=" + std::to_string(size.columns),
  };
  overrides.push_back("Contact solver/Storage=" + size.storage);
  if (size.update_distance >= 0.)
    overrides.push_back("Contact solver/Update distance=" +
                        std::to_string(size.update_distance));
  return overrides;
}

const std::array<const char *, 3> storages = {
  { "automatic", "block sparse", "matrix free" }
};

/// A wall, and its step taken apart as Simulation::advance does it.
template <int dim>
class Wall
{
public:
  explicit Wall(const Size &size)
      : simulation(
            read_parameters(std::string(DELASSUS_PARAMETER_FILES) +
                                (dim == 2 ? "/wall_2d.prm" : "/wall_3d.prm"),
                            overrides_of(size)),
            quietly(),
            MPI_COMM_SELF)
      , h(simulation.model.parameters.time.step)
  {
    for (const auto &scheme : simulation.model.schemes)
      scheme->set_step(h);
    simulation.contact.update_compliance();
  }

  std::size_t n_blocks() const
  {
    return simulation.model.surfaces->n_pieces();
  }

  /// One step; the time of each phase.
  std::array<double, n_phases> step()
  {
    auto &contact       = simulation.contact;
    const auto &schemes = simulation.model.schemes;
    std::array<double, n_phases> times{};
    double start     = processor_time();
    const auto ended = [&](const Phase phase)
    {
      const double now = processor_time();
      times[phase] += now - start;
      start = now;
    };
    for (const auto &scheme : schemes)
      scheme->begin_step(t, false);
    ended(free_motion);
    contact.detect(t, h);
    ended(detection);
    contact.build_kinematics(t, h);
    ended(kinematics);
    contact.update_delassus();
    ended(assembly);
    contact.solve_contact();
    ended(contact_solver);
    contact.apply_impulses();
    for (const auto &scheme : schemes)
      scheme->correct();
    ended(correction);
    for (const auto &scheme : schemes)
      benchmark::DoNotOptimize(scheme->accept());
    contact.accept(t, h);
    ended(energy);
    t += h;
    return times;
  }

  Simulation<dim> simulation;

private:
  const double h;
  double t = 0.;
};

double median(std::vector<double> values)
{
  if (values.empty())
    return 0.;
  std::nth_element(
      values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// What is left of a benchmark for the final tables.
struct Measured
{
  std::string name;
  std::size_t n_blocks = 0, n_contacts = 0;
  double setup = 0., sweeps = 0., visited = 0.;
  std::array<double, n_phases> phases{}; ///< mean seconds a step
  double step            = 0.;           ///< their sum
  double per_block_sweep = 0.; ///< contact solver; median over the steps
  double step_per_sweep  = 0.; ///< the whole step; median over the steps
  double per_visit       = 0.; ///< contact solver; median over the steps
  double bandwidth       = 0.; ///< bytes the sweeps touch per second
};

std::map<std::string, Measured> &measurements()
{
  static std::map<std::string, Measured> all;
  return all;
}

template <int dim>
void steps(benchmark::State &state)
{
  const double start = processor_time();
  Wall<dim> wall({ static_cast<unsigned int>(state.range(0)),
                   static_cast<unsigned int>(state.range(1)),
                   -1.,
                   storages[state.range(3)] });
  Measured result;
  result.setup    = processor_time() - start;
  result.n_blocks = wall.n_blocks();
  // Past the first steps, where only the lowest courses press on each other.
  for (int i = 0; i < state.range(2); ++i)
    wall.step();

  const auto &contact = wall.simulation.contact;
  std::vector<double> solver, whole, visited;
  double n_steps = 0., n_visits = 0., bytes = 0.;
  for (auto _ : state)
  {
    const auto times = wall.step();
    double sum       = 0.;
    for (unsigned int p = 0; p < n_phases; ++p)
    {
      result.phases[p] += times[p];
      sum += times[p];
    }
    const double sweeps = std::max(1u, contact.result.sweeps);
    const double visits = contact.result.n_visits;
    solver.push_back(times[contact_solver] / (sweeps * wall.n_blocks()));
    whole.push_back(sum / (sweeps * wall.n_blocks()));
    visited.push_back(times[contact_solver] / std::max(1., visits));
    result.sweeps += sweeps;
    n_visits += visits;
    // Preparation and checks of the error count as time, not as bytes.
    bytes +=
        visits * (double(contact.delassus.bytes) / contact.contacts.size() +
                  sizeof(PreparedContact<dim>) +
                  2 * sweep_stride<dim> * sizeof(double) + 3);
    ++n_steps;
    state.SetIterationTime(sum);
  }
  result.n_contacts      = contact.contacts.size();
  result.visited         = n_visits / (result.sweeps * result.n_contacts);
  result.bandwidth       = bytes / result.phases[contact_solver];
  result.per_block_sweep = median(solver);
  result.step_per_sweep  = median(whole);
  result.per_visit       = median(visited);
  result.sweeps /= n_steps;
  for (unsigned int p = 0; p < n_phases; ++p)
  {
    result.phases[p] /= n_steps;
    result.step += result.phases[p];
    state.counters[std::string("us_") + phase_names[p]] =
        1e6 * result.phases[p];
  }
  state.counters["contacts"]           = result.n_contacts;
  state.counters["sweeps"]             = result.sweeps;
  state.counters["visited"]            = result.visited;
  state.counters["setup_s"]            = result.setup;
  state.counters["ns_per_visit"]       = 1e9 * result.per_visit;
  state.counters["ns_per_block_sweep"] = 1e9 * result.per_block_sweep;
  result.name = (dim == 2 ? "2D, " : "3D, ") + std::to_string(result.n_blocks) +
                " blocks";
  std::string key = std::to_string(dim) + "D " +
                    std::to_string(state.range(0)) + "x" +
                    std::to_string(state.range(1));
  if (state.range(3) > 0)
  {
    result.name += std::string(", ") + storages[state.range(3)];
    key += std::string(" ") + storages[state.range(3)];
  }
  measurements()[key] = result;
}

/// Detection in every step (update distance zero).
std::vector<std::pair<std::size_t, double>> &detections()
{
  static std::vector<std::pair<std::size_t, double>> all;
  return all;
}

void forced_detection(benchmark::State &state)
{
  Wall<2> wall({ static_cast<unsigned int>(state.range(0)),
                 static_cast<unsigned int>(state.range(1)),
                 0.,
                 "automatic" });
  wall.step();
  auto &contact  = wall.simulation.contact;
  const double h = wall.simulation.model.parameters.time.step;
  std::vector<double> times;
  for (auto _ : state)
  {
    const double start = processor_time();
    contact.detect(h, h);
    times.push_back(processor_time() - start);
    state.SetIterationTime(times.back());
  }
  const double n               = wall.simulation.model.surfaces->points.size();
  const double t               = median(times);
  state.counters["candidates"] = n;
  state.counters["ns_per_n"]   = 1e9 * t / n;
  state.counters["ns_per_nlogn"] = 1e9 * t / (n * std::log2(n));
  detections().emplace_back(n, t);
}

/// Seconds a step of the whole run of case 8.6, tables and result files
/// included.
double &run_of_case_86()
{
  static double seconds = 0.;
  return seconds;
}

class TemporaryDirectory
{
public:
  TemporaryDirectory()
  {
    std::string name =
        (std::filesystem::temp_directory_path() / "delassus_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("Cannot make a temporary directory.");
    path = name;
  }
  ~TemporaryDirectory()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

unsigned int run_wall(const Size &size, const unsigned int n_steps)
{
  const TemporaryDirectory directory;
  auto overrides = overrides_of(size);
  overrides.push_back("Output/Directory=" + directory.path + "/run");
  overrides.push_back("Time/End=" + std::to_string(1e-3 * n_steps));
  Simulation<2> simulation(
      read_parameters(std::string(DELASSUS_PARAMETER_FILES) + "/wall_2d.prm",
                      overrides),
      quietly(),
      MPI_COMM_SELF);
  simulation.run();
  return simulation.model.surfaces->n_pieces();
}

void case_86(benchmark::State &state)
{
  const unsigned int n_steps = 500;
  for (auto _ : state)
  {
    const double start = processor_time();
    run_wall({ 17, 8 }, n_steps);
    run_of_case_86() = (processor_time() - start) / n_steps;
    state.SetIterationTime(processor_time() - start);
  }
  state.counters["ms_per_step"] = 1e3 * run_of_case_86();
}

/// Bytes read plus bytes written per second, the best of several copies.
double copy_bandwidth()
{
  static double result = 0.;
  if (result > 0.)
    return result;
  const std::size_t n = std::size_t(1) << 26; // 512 MiB each
  std::vector<double> from(n, 1.), to(n, 0.);
  for (unsigned int i = 0; i < 5; ++i)
  {
    const double start = processor_time();
    std::memcpy(to.data(), from.data(), n * sizeof(double));
    benchmark::ClobberMemory();
    result =
        std::max(result, 2. * n * sizeof(double) / (processor_time() - start));
  }
  return result;
}

// Courses, blocks per course, steps before measuring, storage. Walls of 17
// courses are in the same state at the same time whatever their length; square
// ones are not: the wave needs longer to reach the top of the larger.
BENCHMARK(steps<2>)
    ->Args({ 17, 8, 20, 0 })
    ->UseManualTime()
    ->Iterations(480)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(steps<2>)
    ->Args({ 51, 28, 20, 0 })
    ->UseManualTime()
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(steps<2>)
    ->Args({ 17, 84, 20, 0 })
    ->Args({ 17, 847, 20, 0 })
    ->Args({ 170, 84, 20, 0 })
    ->Args({ 170, 84, 20, 1 })
    ->UseManualTime()
    ->Iterations(15)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(steps<3>)
    ->Args({ 17, 8, 5, 0 })
    ->UseManualTime()
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(forced_detection)
    ->Args({ 17, 8 })
    ->Args({ 51, 28 })
    ->Args({ 100, 45 })
    ->Args({ 170, 84 })
    ->UseManualTime()
    ->Iterations(15)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(case_86)->UseManualTime()->Iterations(1)->Unit(
    benchmark::kMillisecond);

/// Peak memory and time of a run of its own: this program again.
struct Run
{
  unsigned int n_blocks = 0;
  double peak_kib = 0., seconds = 0.;
};

Run run_in_child(const std::string &program)
{
  Run run;
  const std::string command = "'" + program + "' --peak-memory 170 84 3";
  if (FILE *pipe = popen(command.c_str(), "r"))
  {
    if (std::fscanf(
            pipe, "%u %lf %lf", &run.n_blocks, &run.peak_kib, &run.seconds) !=
        3)
      run = Run();
    pclose(pipe);
  }
  return run;
}

const char *verdict(const bool reached)
{
  return reached ? "reached" : "missed";
}

void print_phases()
{
  std::printf("\nTime of a step by phase, ms:\n\n| wall | blocks | contacts | "
              "sweeps | visited |");
  for (const auto *name : phase_names)
    std::printf(" %s |", name);
  std::printf(" step | set-up, s |\n|---|---|---|---|---|");
  for (unsigned int p = 0; p < n_phases; ++p)
    std::printf("---|");
  std::printf("---|---|\n");
  for (const auto &entry : measurements())
  {
    const Measured &m = entry.second;
    std::printf("| %s | %zu | %zu | %.0f | %.2f |",
                entry.first.c_str(),
                m.n_blocks,
                m.n_contacts,
                m.sweeps,
                m.visited);
    for (const double time : m.phases)
      std::printf(" %.3g |", 1e3 * time);
    std::printf(" %.3g | %.2g |\n", 1e3 * m.step, m.setup);
  }
}

void print_verdicts(const Run &child)
{
  const auto &all = measurements();
  std::printf(
      "\n| quantity | target | measured | verdict |\n|---|---|---|---|\n");
  const auto row = [](const std::string &what,
                      const char *target,
                      const double value,
                      const bool ok)
  {
    std::printf(
        "| %s | %s | %.3g | %s |\n", what.c_str(), target, value, verdict(ok));
  };
  const auto find = [&](const char *key) -> const Measured *
  {
    const auto it = all.find(key);
    return it == all.end() ? nullptr : &it->second;
  };
  const auto grows =
      [&](const char *shape, const Measured *small, const Measured *large)
  {
    if (small == nullptr || large == nullptr)
      return;
    const auto ratio = [&](const std::string &what, const double value)
    {
      row(what + ", " + shape + " wall, " + std::to_string(large->n_blocks) +
              " to " + std::to_string(small->n_blocks) + " blocks",
          "< 1.3",
          value,
          value < 1.3);
    };
    ratio("whole step per block and sweep",
          large->step_per_sweep / small->step_per_sweep);
    ratio("contact solver per block and sweep",
          large->per_block_sweep / small->per_block_sweep);
    ratio("contact solver per visit of a contact",
          large->per_visit / small->per_visit);
  };
  grows("long", find("2D 17x84"), find("2D 17x847"));
  grows("square", find("2D 51x28"), find("2D 170x84"));
  if (const Measured *sparse = find("2D 170x84 block sparse"))
    row("contact solver, " + sparse->name +
            ": bytes touched per second to copy bandwidth",
        ">= 0.5",
        sparse->bandwidth / copy_bandwidth(),
        sparse->bandwidth >= 0.5 * copy_bandwidth());
  const Measured *large = find("2D 170x84"), *wall = find("2D 17x8");
  for (const auto &entry : all)
  {
    const Measured &m = entry.second;
    row("share of detection in a step, " + m.name,
        "< 0.1",
        m.phases[detection] / m.step,
        m.phases[detection] < 0.1 * m.step);
  }
  if (detections().size() > 1)
  {
    const auto &first = detections().front(), &last = detections().back();
    const auto per = [](const std::pair<std::size_t, double> &d)
    { return d.second / (d.first * std::log2(double(d.first))); };
    row("detection over n log n, " + std::to_string(last.first) + " to " +
            std::to_string(first.first) + " candidates",
        "< 1.5",
        per(last) / per(first),
        per(last) < 1.5 * per(first));
    if (large != nullptr)
      row("detection forced in every step, share of a step of " +
              std::to_string(large->n_blocks) + " blocks",
          "(< 0.1)",
          last.second / large->step,
          last.second < 0.1 * large->step);
  }
  if (wall != nullptr)
    row("case 8.6, ms a step, computation",
        "<= 7",
        1e3 * wall->step,
        wall->step <= 7e-3);
  if (run_of_case_86() > 0.)
    row("case 8.6, ms a step, whole run with start and output",
        "<= 7",
        1e3 * run_of_case_86(),
        run_of_case_86() <= 7e-3);
  if (child.n_blocks > 0)
    row("peak memory of a run of " + std::to_string(child.n_blocks) +
            " blocks, GiB",
        "< 2",
        child.peak_kib / (1 << 20),
        child.peak_kib < 2. * (1 << 20));
  std::printf(
      "\nCopy bandwidth %.1f GB/s. A run of %u blocks over 3 steps with "
      "two result files takes %.1f s of processor time.\n",
      1e-9 * copy_bandwidth(),
      child.n_blocks,
      child.seconds);
}
} // namespace

int main(int argc, char **argv)
{
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe").string();
  // The linear algebra library reads the number of threads when it is loaded.
  if (const char *threads = std::getenv("OPENBLAS_NUM_THREADS");
      threads == nullptr || std::strcmp(threads, "1") != 0)
  {
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    execv(program.c_str(), argv);
    std::perror("benchmark_wall");
    return 1;
  }

  if (argc == 5 && std::strcmp(argv[1], "--peak-memory") == 0)
  {
    dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
    const double start = processor_time();
    const unsigned int n_blocks =
        run_wall({ unsigned(std::atoi(argv[2])), unsigned(std::atoi(argv[3])) },
                 std::atoi(argv[4]));
    dealii::Utilities::System::MemoryStats memory;
    dealii::Utilities::System::get_memory_stats(memory);
    std::printf("%u %lu %g\n",
                n_blocks,
                static_cast<unsigned long>(memory.VmHWM),
                processor_time() - start);
    return 0;
  }

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  // Before MPI starts here, so that the child is not taken for a part of it.
  const Run child = run_in_child(program);
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  benchmark::RunSpecifiedBenchmarks();
  print_phases();
  print_verdicts(child);
  return 0;
}
