// Residual and tangent of a sheet with five plastic points through its
// thickness beside one factorization of its matrix, an explicit step beside an
// iteration, two ranks beside one.
//
//   benchmark_shell_assembly [N]             N x N quads, 100
//   mpirun -np 2 benchmark_shell_assembly
//
// The sheet is a bowl of J2 metal that is stretched and bent on, so that all
// points flow. Ratios are of the least of some repetitions within one run: of
// processor times on one rank, of wall times where ranks share the work (they
// wait for each other).
#include <delassus/materials/sheet_law.h>
#include <delassus/shell_systems/shell_system.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

using namespace delassus;

namespace
{
constexpr double side = 1., thickness = 2e-3, sag = 0.1, step = 1e-4,
                 strain = 6e-3;

MaterialParameters metal()
{
  MaterialParameters material;
  material.name              = "metal";
  material.model             = MaterialModel::j2;
  material.density           = 7800.;
  material.young_modulus     = 200e9;
  material.poisson_ratio     = 0.3;
  material.yield_stress      = 200e6;
  material.hardening_modulus = 2e9;
  return material;
}

/// The bowl, which flies apart: stretched, and bent where it is curved.
std::unique_ptr<ShellSystem> bowl(const SheetLaw &law,
                                  const unsigned int n,
                                  const CorrectingMatrix matrix,
                                  MPI_Comm communicator)
{
  const auto mesh = shell_grid(
      n,
      n,
      [](const double u, const double v) -> Vector3
      {
        return {
          { side * u, side * v, -sag * std::sin(M_PI * u) * std::sin(M_PI * v) }
        };
      });
  ShellProperties properties;
  ShellLayer layer;
  layer.law      = &law;
  layer.n_points = 5;
  properties.sections.emplace_back(std::vector<ShellLayer>{ layer });
  properties.thickness_of_quad.assign(
      mesh.quads.size(), { { thickness, thickness, thickness, thickness } });
  properties.follow_thickness = true;
  std::vector<ShellSystem::Given> given(1);
  given[0].model = std::make_unique<ShellModel>(
      mesh, make_directors(mesh, 0.5, "bowl"), properties);
  auto &model    = *given[0].model;
  auto &settings = given[0].settings;
  model.set_up();
  settings.least_rotary = 0.125;
  settings.velocity     = [](const Vector3 &x) -> Vector3
  {
    return { { strain / step * (x[0] - 0.5),
               strain / step * (x[1] - 0.5),
               2. * strain / step * x[2] } };
  };
  NewtonParameters newton;
  newton.matrix = matrix;
  const LinearSolverParameters solver;
  return std::make_unique<ShellSystem>(
      "bowl",
      std::move(given),
      false,
      1e-3,
      solver,
      std::make_shared<MemoryBudget>(solver, communicator),
      communicator,
      newton);
}

double processor_time()
{
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

double wall_time()
{
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double least(const unsigned int repetitions,
             double (*clock)(),
             const std::function<void()> &work)
{
  double best = 1e300;
  for (unsigned int k = 0; k < repetitions; ++k)
  {
    const double begin = clock();
    work();
    best = std::min(best, clock() - begin);
  }
  return best;
}

void fail(const ShellSystem &system)
{
  std::printf("no answer: %s\n", system.trouble().c_str());
  std::exit(1);
}

/// To where all points flow: all nodes go on with the velocities they have, in
/// balance or not.
void stretch(ShellSystem &system)
{
  system.set_step(step);
  system.begin_step(0., false);
  if (!system.evaluate(0, true, false))
    fail(system);
  system.accept();
  system.begin_step(step, false);
  if (!system.evaluate(0, true, false))
    fail(system);
  system.update_inverse(0., false);
}

double flowing(const ShellModel &model)
{
  std::size_t n = 0, all = 0;
  for (unsigned int q = 0; q < model.n_quads(); ++q)
    for (unsigned int p = 0; p < 4; ++p)
      for (const auto &point : model.section(q).points())
      {
        ++all;
        // J2: four numbers of Fp, then the equivalent plastic strain.
        n += model.history(q, p)[point.first + 4] >
             model.accepted_history(q, p)[point.first + 4];
      }
  return double(n) / all;
}
} // namespace

int main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
  const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
  const unsigned int n               = argc > 1 ? std::atoi(argv[1]) : 100;
  const auto law                     = make_sheet_law(metal());
  constexpr unsigned int repetitions = 5;

  if (n_ranks > 1)
  {
    auto shared = bowl(*law, n, CorrectingMatrix::full, MPI_COMM_WORLD),
         alone  = bowl(*law, n, CorrectingMatrix::full, MPI_COMM_SELF);
    stretch(*shared);
    // Alone: one rank at a time has something to do.
    if (rank == 0)
      stretch(*alone);
    for (const bool tangent : { true, false })
    {
      double by_all = 1e300, by_one = 1e300;
      for (unsigned int k = 0; k < repetitions; ++k)
      {
        MPI_Barrier(MPI_COMM_WORLD);
        by_all = std::min(
            by_all,
            least(
                1, wall_time, [&]() { shared->evaluate(0, tangent, false); }));
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
          by_one = std::min(
              by_one,
              least(
                  1, wall_time, [&]() { alone->evaluate(0, tangent, false); }));
      }
      if (rank == 0)
        std::printf("%u ranks, %s: %.1f ms, one rank %.1f ms: %.2f times as "
                    "fast\n",
                    n_ranks,
                    tangent ? "residual and tangent" : "residual",
                    1e3 * by_all,
                    1e3 * by_one,
                    by_one / by_all);
    }
    return 0;
  }

  auto system = bowl(*law, n, CorrectingMatrix::full, MPI_COMM_SELF);
  stretch(*system);
  const double both     = least(repetitions,
                            processor_time,
                            [&]() { system->evaluate(0, true, false); }),
               residual = least(repetitions,
                                processor_time,
                                [&]() { system->evaluate(0, false, false); }),
               factor   = least(repetitions,
                              processor_time,
                              [&]() { system->update_inverse(0., true); }),
               solution = least(repetitions,
                                processor_time,
                                [&]() { system->free_velocity(); });
  std::printf("%u quads, %zu unknowns, %.0f %% of the points flow\n",
              n * n,
              system->n_unknowns(),
              100. * flowing(system->piece(0).model()));
  std::printf("residual and tangent %.1f ms, %.2f us an element; residual %.1f "
              "ms; factorization %.1f ms; solution %.1f ms\n",
              1e3 * both,
              1e6 * both / (n * n),
              1e3 * residual,
              1e3 * factor,
              1e3 * solution);
  std::printf("residual and tangent / factorization: %.2f\n", both / factor);
  const double iteration = both + factor + 2. * solution;

  // What two ranks do, one after the other, without waiting: a model of the
  // same state, the owner's share as of ShellSystem.
  {
    auto &model = const_cast<ShellModel &>(system->piece(0).model());
    const unsigned int most = model.n_quads(),
                       own  = 0.5 * (1. - 1. / 8.) * most;
    const ShellTask task;
    std::vector<double> packed(model.packed_size(task, own, most)),
        copy(packed.size());
    const double here =
                     least(repetitions,
                           processor_time,
                           [&]()
                           {
                             model.begin_evaluation(task);
                             model.evaluate_quads(step, task, nullptr, 0, own);
                           }),
                 there = least(repetitions,
                               processor_time,
                               [&]() {
                                 model.evaluate_quads(
                                     step, task, own, most, packed.data());
                               }),
                 sent  = least(repetitions,
                              processor_time,
                              [&]() {
                                std::copy(
                                    packed.begin(), packed.end(), copy.begin());
                              }),
                 added = least(repetitions,
                               processor_time,
                               [&]() {
                                 model.add_quads(
                                     copy.data(), task, nullptr, own, most);
                               });
    std::printf("two ranks: the owner %.1f ms and %.1f ms to copy and add, the "
                "other %.1f ms; one / the slower of two: %.2f\n",
                1e3 * here,
                1e3 * (sent + added),
                1e3 * there,
                both / std::max(here + sent + added, there));
  }

  auto by_mass = bowl(*law, n, CorrectingMatrix::explicit_, MPI_COMM_SELF);
  by_mass->set_step(1e-9);
  by_mass->begin_step(0., false);
  const auto bound = by_mass->frequency_bound();
  const double h   = 0.8 * bound.bound / bound.frequency;
  by_mass->set_step(h);
  unsigned int k     = 0;
  const auto advance = [&]()
  {
    by_mass->begin_step(h * k++, false);
    by_mass->evaluate(0, true, false);
    by_mass->update_inverse(0., false);
    by_mass->free_velocity();
    if (!by_mass->correct() || !by_mass->end_step())
      fail(*by_mass);
    by_mass->accept();
  };
  for (unsigned int i = 0; i < 3; ++i)
    advance();
  const double explicit_step = least(10, processor_time, advance);
  std::printf(
      "an explicit step %.1f ms (bound %.3g); an iteration / it: %.1f\n",
      1e3 * explicit_step,
      bound.bound / bound.frequency,
      iteration / explicit_step);
  return 0;
}
