// Two ranks against one: the time of a step of running-bond walls, of its
// contact loop and of detection, beside the copy bandwidth of two cores against
// one in the same run. Start it with
//
//   mpirun -np 2 benchmark_ranks [courses blocks_per_course steps storage]
//
// Each step is taken by rank 0 alone, then by all ranks together, so that
// whatever else the machine does disturbs both. Times are wall time: the
// machine should be quiet.

#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/simulation.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace delassus;

namespace
{
double now()
{
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Wait without keeping a core busy.
void wait_for_all()
{
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int done = 0; done == 0;)
  {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

double median(std::vector<double> values)
{
  std::nth_element(
      values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Bytes read plus bytes written per second: median of several copies by rank 0
/// alone, and of as many by all ranks at once.
std::pair<double, double> copy_bandwidths(const unsigned int rank)
{
  const std::size_t n = std::size_t(1) << 25; // 256 MiB each
  std::vector<double> from(n, 1.), to(n, 0.);
  const auto copy = [&]()
  {
    std::memcpy(to.data(), from.data(), n * sizeof(double));
    // Read something of it, so that it is not left out.
    volatile double seen = to[n / 3];
    (void)seen;
  };
  int n_ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  std::vector<double> one, all;
  for (unsigned int i = 0; i < 9; ++i)
  {
    wait_for_all();
    if (rank == 0)
    {
      const double start = now();
      copy();
      one.push_back(2. * n * sizeof(double) / (now() - start));
    }
    wait_for_all();
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = now();
    copy();
    MPI_Barrier(MPI_COMM_WORLD);
    all.push_back(n_ranks * 2. * n * sizeof(double) / (now() - start));
  }
  return { rank == 0 ? median(one) : 0., median(all) };
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
const std::array<const char *, n_phases> phase_names = { { "free motion",
                                                           "detection",
                                                           "kinematics",
                                                           "W",
                                                           "contact solver",
                                                           "correction",
                                                           "energy" } };

RunOptions quietly()
{
  RunOptions options;
  options.quiet = true;
  return options;
}

/// A wall, and its step taken apart as Simulation::advance does it.
class Wall
{
public:
  Wall(const std::vector<std::string> &overrides, MPI_Comm communicator)
      : simulation(read_parameters(std::string(DELASSUS_PARAMETER_FILES) +
                                       "/wall_2d.prm",
                                   overrides),
                   quietly(),
                   communicator)
      , h(simulation.model.parameters.time.step)
  {
    for (const auto &scheme : simulation.model.schemes)
      scheme->set_step(h);
    simulation.contact.update_compliance();
  }

  /// One step; the time of each phase.
  std::array<double, n_phases> step()
  {
    auto &contact       = simulation.contact;
    const auto &schemes = simulation.model.schemes;
    std::array<double, n_phases> times{};
    MPI_Barrier(simulation.model.communicator);
    double start     = now();
    const auto ended = [&](const Phase phase)
    {
      const double end = now();
      times[phase]     = end - start;
      start            = end;
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
      scheme->accept();
    contact.accept(t, h);
    MPI_Barrier(simulation.model.communicator);
    ended(energy);
    t += h;
    return times;
  }

  Simulation<2> simulation;

private:
  const double h;
  double t = 0.;
};
} // namespace

int main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
  const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
  const std::string courses    = argc > 1 ? argv[1] : "170";
  const std::string columns    = argc > 2 ? argv[2] : "84";
  const unsigned int n_steps   = argc > 3 ? std::atoi(argv[3]) : 15;
  const std::string storage    = argc > 4 ? argv[4] : "block sparse";
  constexpr unsigned int first = 10;

  const auto before = copy_bandwidths(rank);

  const std::vector<std::string> overrides = {
    "Event rest/Actions=write",
    "Body wall/Mesh/Courses=" + courses,
    "Body wall/Mesh/Blocks per course=" + columns,
    "Contact solver/Storage=" + storage,
  };
  std::unique_ptr<Wall> alone;
  if (rank == 0)
    alone = std::make_unique<Wall>(overrides, MPI_COMM_SELF);
  Wall together(overrides, MPI_COMM_WORLD);
  std::array<std::vector<double>, n_phases + 1> times[2];
  double sweeps[2] = { 0., 0. };
  std::vector<double> speed_of_sweep;
  for (unsigned int i = 0; i < first + n_steps; ++i)
  {
    double per_sweep[2] = { 0., 0. };
    for (unsigned int k = 0; k < 2; ++k)
    {
      wait_for_all();
      if (k == 0 && rank != 0)
        continue;
      Wall &wall           = k == 0 ? *alone : together;
      const auto of_phases = wall.step();
      if (i < first)
        continue;
      double sum = 0.;
      for (unsigned int p = 0; p < n_phases; ++p)
      {
        times[k][p].push_back(of_phases[p]);
        sum += of_phases[p];
      }
      times[k][n_phases].push_back(sum);
      const double n_sweeps = wall.simulation.contact.result.sweeps;
      sweeps[k] += n_sweeps / n_steps;
      per_sweep[k] = of_phases[contact_solver] / std::max(1., n_sweeps);
    }
    if (i >= first)
      speed_of_sweep.push_back(per_sweep[0] / per_sweep[1]);
  }
  const bool shared = together.simulation.contact.ranks.distributed;
  wait_for_all();
  const auto after = copy_bandwidths(rank);
  if (rank != 0)
    return 0;

  const auto mean = [](const std::vector<double> &values)
  {
    double sum = 0.;
    for (const double value : values)
      sum += value;
    return sum / values.size();
  };
  const double one  = 0.5 * (before.first + after.first);
  const double all  = 0.5 * (before.second + after.second);
  const double copy = all / one;
  std::printf("%s blocks by %s, storage %s, %zu contacts%s, %u ranks\n",
              courses.c_str(),
              columns.c_str(),
              storage.c_str(),
              together.simulation.contact.n_contacts,
              shared ? "" : " (all on rank 0)",
              n_ranks);
  std::printf("copy: %.1f GB/s by one rank, %.1f GB/s by all: ratio %.2f\n",
              1e-9 * one,
              1e-9 * all,
              copy);
  std::printf("sweeps a step: %.0f and %.0f\n\n", sweeps[0], sweeps[1]);
  std::printf("| phase | one rank, ms | all ranks, ms | ratio | ratio to that "
              "of copies |\n|---|---|---|---|---|\n");
  for (unsigned int p = 0; p <= n_phases; ++p)
  {
    const double t1 = mean(times[0][p]), t2 = mean(times[1][p]);
    std::printf("| %s | %.3g | %.3g | %.2f | %.2f |\n",
                p < n_phases ? phase_names[p] : "step",
                1e3 * t1,
                1e3 * t2,
                t1 / t2,
                t1 / t2 / copy);
  }
  std::printf("| contact solver per sweep (median) | | | %.2f | %.2f |\n",
              median(speed_of_sweep),
              median(speed_of_sweep) / copy);
  std::printf(
      "\ntarget: 0.8 of the ratio of copies for the contact solver (%s) "
      "and the step (%s)\n",
      mean(times[0][contact_solver]) / mean(times[1][contact_solver]) >=
              0.8 * copy
          ? "reached"
          : "missed",
      mean(times[0][n_phases]) / mean(times[1][n_phases]) >= 0.8 * copy
          ? "reached"
          : "missed");
  return 0;
}
