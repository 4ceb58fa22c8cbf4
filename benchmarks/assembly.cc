// Forces and tangent of a finite-strain plastic solid beside the assembly of a
// plain linear elastic stiffness matrix on the same mesh.
//
//   benchmark_assembly [Google Benchmark's options]
//
// The block has 20^3 H8, all points flow plastically, mean dilatation. The
// linear loops: B^T D B with six-component strains, as SolidBody assembles, and
// the product of gradients with Lame's constants as in deal.II's step-8; both
// map the cells anew and go into a Trilinos matrix by add(). Also an
// axisymmetric bar of 250 Q4, as of a Taylor bar. The ratio at the end is of
// processor times.
#include <delassus/bodies/internal_forces.h>
#include <delassus/mesh/make_mesh.h>

#include <deal.II/base/mpi.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <map>

using namespace delassus;

namespace
{
template <int dim>
std::unique_ptr<SolidBody<dim>>
make_block(const MaterialModel model,
           const std::vector<double> &size,
           const std::vector<unsigned int> &divisions,
           const Assumption assumption)
{
  BodyParameters body;
  body.name           = "block";
  body.mesh.type      = MeshType::box;
  body.mesh.origin    = std::vector<double>(dim, 0.);
  body.mesh.size      = size;
  body.mesh.divisions = divisions;
  MaterialParameters material;
  material.model             = model;
  material.density           = 8930.;
  material.young_modulus     = 117e9;
  material.poisson_ratio     = 0.35;
  material.yield_stress      = 400e6;
  material.hardening_modulus = 100e6;
  return std::make_unique<SolidBody<dim>>(body,
                                          material,
                                          assumption,
                                          make_mesh<dim>(body),
                                          std::vector<unsigned int>{ 0 },
                                          MPI_COMM_WORLD);
}

/// Compressed by @p strain along the last axis, and not quite uniformly.
template <int dim>
Vector squeeze(const SolidBody<dim> &body, const double strain)
{
  Vector q = body.make_vector();
  for (unsigned int node = 0; node < body.n_nodes(); ++node)
    for (unsigned int c = 0; c < dim; ++c)
    {
      const auto &x = body.nodes[node];
      double u      = (c == dim - 1 ? -strain : 0.5 * strain) * x[c];
      u += 0.03 * strain * body.smallest_edge * std::sin(7. * node + 3. * c);
      q[dim * node + c] = u;
    }
  q.compress(dealii::VectorOperation::insert);
  return q;
}

template <int dim>
void evaluate(benchmark::State &state,
              const std::vector<double> &size,
              const std::vector<unsigned int> &divisions,
              const Assumption assumption,
              const bool with_tangent)
{
  const auto body =
      make_block<dim>(MaterialModel::j2, size, divisions, assumption);
  InternalForces<dim> forces(*body, assumption);
  if (!forces.evaluate(squeeze(*body, 0.05), 1., false))
    state.SkipWithError("no first state");
  forces.accept();
  const Vector q = squeeze(*body, 0.07);
  for (auto _ : state)
    if (!forces.evaluate(q, 1., with_tangent))
      state.SkipWithError(forces.trouble().c_str());
  state.counters["dofs"] = body->n_dofs();
  forces.accept();
  double least = 1.;
  for (const unsigned int cell : body->owned_cells)
    for (unsigned int p = 0; p < forces.n_points(); ++p)
      least = std::min(least, forces.history(cell, p)[9]);
  state.counters["least plastic strain"] = least;
}

/// @p six: strains of six components and the material's stresses.
void assemble_linear(benchmark::State &state, const bool six)
{
  const auto body = make_block<3>(MaterialModel::linear_elastic,
                                  { 1., 1., 1. },
                                  { 20, 20, 20 },
                                  Assumption::three_dimensional);
  const auto &law = body->elasticity();
  const double E = 117e9, nu = 0.35, mu = E / 2. / (1. + nu),
               lambda = E * nu / (1. + nu) / (1. - 2. * nu);
  Matrix K;
  K.reinit(body->stiffness); // its pattern
  const unsigned int n_nodes = body->element.n_nodes(), n = 3 * n_nodes;
  CellValues<3> values(body->element, body->element.quadrature(false));
  dealii::FullMatrix<double> cell_matrix(n, n);
  std::vector<dealii::Tensor<1, 6>> B(n), DB(n);
  std::vector<dealii::types::global_dof_index> dofs(n);
  for (auto _ : state)
  {
    K = 0.;
    for (const unsigned int cell : body->owned_cells)
    {
      const unsigned int *nodes = body->nodes_of_cell(cell);
      values.reinit(body->nodes, nodes);
      cell_matrix = 0.;
      for (unsigned int q = 0; q < values.n_points(); ++q)
      {
        const double w = values.JxW(q);
        if (six)
          for (unsigned int i = 0; i < n; ++i)
          {
            dealii::Tensor<2, 3> gradient;
            gradient[i % 3]    = values.gradient(i / 3, q);
            const Voigt strain = strain_of_gradient<3>(gradient, 0.);
            const Voigt stress = law.stress(strain);
            for (unsigned int k = 0; k < 6; ++k)
            {
              B[i][k]  = strain[k];
              DB[i][k] = stress[k];
            }
          }
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            if (six)
              cell_matrix(i, j) += (B[i] * DB[j]) * w;
            else
            {
              const unsigned int c = i % 3, d = j % 3;
              const auto &g_i = values.gradient(i / 3, q),
                         &g_j = values.gradient(j / 3, q);
              cell_matrix(i, j) +=
                  (lambda * g_i[c] * g_j[d] + mu * g_i[d] * g_j[c] +
                   (c == d ? mu * (g_i * g_j) : 0.)) *
                  w;
            }
      }
      for (unsigned int k = 0; k < n; ++k)
        dofs[k] = 3 * nodes[k / 3] + k % 3;
      K.add(dofs, cell_matrix);
    }
    K.compress(dealii::VectorOperation::add);
  }
  dealii::TrilinosWrappers::SparseMatrix difference;
  difference.reinit(body->stiffness);
  difference.copy_from(K);
  difference.add(-1., body->stiffness);
  state.counters["error"] =
      difference.frobenius_norm() / body->stiffness.frobenius_norm();
}

/// Keeps the processor times by name.
struct Reporter : benchmark::ConsoleReporter
{
  void ReportRuns(const std::vector<Run> &runs) override
  {
    for (const auto &run : runs)
      times[run.run_name.function_name] = run.GetAdjustedCPUTime();
    ConsoleReporter::ReportRuns(runs);
  }
  std::map<std::string, double> times;
};
} // namespace

int main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  using benchmark::RegisterBenchmark;
  const auto solid                  = Assumption::three_dimensional;
  const std::vector<unsigned int> n = { 20, 20, 20 };
  for (const bool tangent : { true, false })
  {
    RegisterBenchmark(tangent ? "plastic_3d" : "plastic_3d_forces_only",
                      [=](benchmark::State &state) {
                        evaluate<3>(state, { 1., 1., 1. }, n, solid, tangent);
                      })
        ->Unit(benchmark::kMillisecond);
    RegisterBenchmark(tangent ? "plastic_axisymmetric"
                              : "plastic_axisymmetric_forces_only",
                      [=](benchmark::State &state)
                      {
                        evaluate<2>(state,
                                    { 3.2, 32.4 },
                                    { 5, 50 },
                                    Assumption::axisymmetric,
                                    tangent);
                      })
        ->Unit(benchmark::kMillisecond);
  }
  for (const bool six : { true, false })
    RegisterBenchmark(six ? "linear_six_strains" : "linear_step_8",
                      [=](benchmark::State &state)
                      { assemble_linear(state, six); })
        ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  auto &times = reporter.times;
  for (const std::string linear : { "linear_six_strains", "linear_step_8" })
    if (times.count(linear) && times.count("plastic_3d"))
      std::printf("plastic_3d / %s: %.2f\n",
                  linear.c_str(),
                  times["plastic_3d"] / times[linear]);
}
