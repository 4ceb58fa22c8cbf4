// One large body: memory and time of each linear solver, and of the compliance
// that W is assembled from, against the triangular solves it needs.
//
//   benchmark_large_body [DIVISIONS] [SOLVER] [ACTIVE NODES]
//
// A graded block of DIVISIONS^3 hexahedra (46: 311 469 dofs), held at its
// bottom and pressed in a zone in the middle of its top.
#include <delassus/mesh/make_mesh.h>
#include <delassus/systems/active_compliance.h>
#include <delassus/time_integration/effective_inverse.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <cstdio>
#include <cstdlib>

using namespace delassus;

namespace
{
/// Processor seconds since the last call.
double lap()
{
  static std::clock_t last = std::clock();
  const std::clock_t now   = std::clock();
  const double seconds     = double(now - last) / CLOCKS_PER_SEC;
  last                     = now;
  return seconds;
}

double peak_gib()
{
  dealii::Utilities::System::MemoryStats memory;
  dealii::Utilities::System::get_memory_stats(memory);
  return memory.VmHWM / 1024. / 1024.;
}
} // namespace

int main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  lap();
  const unsigned int n        = argc > 1 ? std::atoi(argv[1]) : 46;
  const std::string type      = argc > 2 ? argv[2] : "cholmod";
  const unsigned int n_active = argc > 3 ? std::atoi(argv[3]) : 300;

  BodyParameters body;
  body.name           = "block";
  body.mesh.type      = MeshType::box;
  body.mesh.origin    = { -1., -1., -1. };
  body.mesh.size      = { 2., 2., 1. };
  body.mesh.divisions = { n, n, n };
  MaterialParameters material;
  material.density       = 1.;
  material.young_modulus = 1.;
  material.poisson_ratio = 0.3;
  auto mesh              = make_mesh<3>(body);
  // Graded towards the middle of the top.
  for (auto &vertex : mesh.vertices)
  {
    for (const unsigned int c : { 0, 1 })
      vertex[c] *= 0.3 + 0.7 * std::abs(vertex[c]);
    vertex[2] *= 0.3 + 0.7 * std::abs(vertex[2]);
  }
  const SolidBody<3> solid(body,
                           material,
                           Assumption::three_dimensional,
                           std::move(mesh),
                           std::vector<unsigned int>{ 0 },
                           MPI_COMM_WORLD);
  DrivenDofs<3> driven(solid);
  BoundaryConditionParameters held;
  held.name = "held";
  held.type = BoundaryConditionType::fixed;
  std::vector<unsigned int> faces;
  std::vector<std::pair<double, unsigned int>> top;
  for (unsigned int f = 0; f < solid.boundary.size(); ++f)
  {
    bool bottom = true;
    for (unsigned int k = 0; k < solid.boundary[f].n_nodes; ++k)
      bottom &= solid.nodes[solid.boundary[f].nodes[k]][2] < -0.999;
    if (bottom)
      faces.push_back(f);
  }
  driven.add(held, faces);
  const PieceClasses classes = find_piece_classes(solid, driven);
  for (unsigned int i = 0; i < solid.n_nodes(); ++i)
    if (solid.nodes[i][2] > -1e-9)
      top.push_back({ std::hypot(solid.nodes[i][0], solid.nodes[i][1]), i });
  std::sort(top.begin(), top.end());
  std::vector<unsigned int> active;
  for (unsigned int i = 0; i < std::min<std::size_t>(n_active, top.size()); ++i)
    active.push_back(top[i].second);
  std::printf("%u dofs, %zu active nodes; mesh and matrices %.1f s, peak %.2f "
              "GiB\n",
              solid.n_dofs(),
              active.size(),
              lap(),
              peak_gib());
  std::fflush(stdout);

  LinearSolverParameters solver;
  solver.type = type == "mumps" ? LinearSolverType::mumps
                : type == "amg" ? LinearSolverType::amg
                                : LinearSolverType::cholmod;
  EffectiveInverse<3> w(solid, driven, classes, solver);
  w.reinit(10., 1.); // nearly static
  std::printf("%s: factor %.1f s, %.2f GiB, peak %.2f GiB\n",
              w.description().c_str(),
              lap(),
              w.memory_consumption() / std::pow(1024., 3),
              peak_gib());
  std::fflush(stdout);

  Vector x = solid.make_vector();
  for (unsigned int i = 0; i < solid.n_dofs(); ++i)
    x.begin()[i] = std::sin(i);
  w.apply(x);
  std::printf("one right-hand side: %.2f s\n", lap());

  // What W needs: one column of w for each active dof, in blocks.
  ActiveCompliance<3> C(w, 0);
  C.require(active);
  const double compliance = lap();
  std::printf("compliance of %u dofs: %.1f s (%.3f s a column), peak %.2f "
              "GiB\n",
              C.n_dofs(),
              compliance,
              compliance / C.n_dofs(),
              peak_gib());
  std::fflush(stdout);
  // The same right-hand sides by the solver alone.
  SymmetricFactor &factor = w.factor(0);
  const std::size_t size  = factor.n();
  std::vector<double> columns(size * right_hand_side_block);
  lap();
  for (unsigned int begin = 0; begin < C.n_dofs();
       begin += right_hand_side_block)
  {
    const unsigned int count =
        std::min(right_hand_side_block, C.n_dofs() - begin);
    for (unsigned int k = 0; k < count; ++k)
      columns[k * size + 3 * active[(begin + k) / 3] + (begin + k) % 3] = 1.;
    factor.solve(columns.data(), count);
  }
  const double solves = lap();
  std::printf("triangular solves alone: %.1f s; ratio %.3f\n",
              solves,
              compliance / solves);
}
