// The same problem by a solver of Siconos' numerics library: built only where
// that library is installed. It links nothing of ours, since Siconos brings a
// sequential MUMPS whose symbols are those of the parallel one.
//
//   benchmark_siconos ROWS SOLVER TOLERANCE
//
// ROWS is written by benchmark_contact_solvers --rows.

#include "contact_solvers/timing.h"

extern "C"
{
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
}

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace delassus_benchmarks;

namespace
{
/// W by block rows, q and mu.
struct Problem
{
  int dim       = 0;
  std::size_t n = 0;
  double g      = 1.;
  std::vector<std::size_t> row_start, column;
  std::vector<double> blocks, q, mu;
};

Problem read_rows(const char *file)
{
  std::ifstream in(file, std::ios::binary);
  const auto number = [&]()
  {
    double value = 0.;
    in.read(reinterpret_cast<char *>(&value), sizeof(double));
    return value;
  };
  Problem problem;
  problem.dim                = number();
  problem.n                  = number();
  const std::size_t n_blocks = number();
  problem.g                  = number();
  const auto fill            = [&](auto &values, const std::size_t n)
  {
    values.resize(n);
    for (auto &value : values)
      value = number();
  };
  fill(problem.row_start, problem.n + 1);
  fill(problem.column, n_blocks);
  fill(problem.blocks, problem.dim * problem.dim * n_blocks);
  fill(problem.q, problem.dim * problem.n);
  fill(problem.mu, problem.n);
  return problem;
}

/// |F| / size for r scaled by g, u recomputed: g = 1 and the largest of |q|,
/// |r|, |u| for size in Siconos' measure, |q| alone in the unit-free one.
double error_of(const Problem &problem,
                const std::vector<double> &r,
                const double g,
                const bool siconos)
{
  const int dim = problem.dim;
  double F2 = 0., q2 = 0., r2 = 0., u2 = 0.;
  for (std::size_t a = 0; a < problem.n; ++a)
  {
    double u[3] = { 0., 0., 0. }, z[3] = { 0., 0., 0. };
    for (int i = 0; i < dim; ++i)
      u[i] = problem.q[dim * a + i];
    for (std::size_t k = problem.row_start[a]; k < problem.row_start[a + 1];
         ++k)
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          u[i] += problem.blocks[dim * dim * k + i * dim + j] *
                  r[dim * problem.column[k] + j];
    const double mu = problem.mu[a];
    for (int i = 0; i < dim; ++i)
      z[i] = g * r[dim * a + i] - u[i];
    z[0] -= mu * std::hypot(u[1], u[2]);
    const double length = std::hypot(z[1], z[2]);
    double p[3]         = { 0., 0., 0. };
    if (length <= mu * z[0])
      std::copy_n(z, 3, p);
    else if (mu * length > -z[0])
    {
      p[0] = (mu * length + z[0]) / (1. + mu * mu);
      p[1] = mu * p[0] * z[1] / length;
      p[2] = mu * p[0] * z[2] / length;
    }
    for (int i = 0; i < dim; ++i)
    {
      const double F = g * r[dim * a + i] - p[i];
      F2 += F * F;
      q2 += problem.q[dim * a + i] * problem.q[dim * a + i];
      r2 += r[dim * a + i] * r[dim * a + i];
      u2 += u[i] * u[i];
    }
  }
  const double size = std::sqrt(siconos ? std::max({ q2, r2, u2 }) : q2);
  return std::sqrt(F2) / (size < 2.2e-16 ? 1. : size);
}

struct Choice
{
  int solver, local; ///< local: of Gauss-Seidel, or 0
  double relaxation;
};

const std::map<std::string, Choice> choices_3d = {
  { "NSGS", { SICONOS_FRICTION_3D_NSGS, 0, 1. } },
  { "NSGS projection",
    { SICONOS_FRICTION_3D_NSGS,
      SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone,
      1. } },
  { "NSGS local iteration",
    { SICONOS_FRICTION_3D_NSGS,
      SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
      1. } },
  { "NSGS Newton GP",
    { SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, 1. } },
  { "NSGS 0.7",
    { SICONOS_FRICTION_3D_NSGS,
      SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
      0.7 } },
  { "proximal", { SICONOS_FRICTION_3D_PROX, 0, 1. } },
  { "Newton AC", { SICONOS_FRICTION_3D_NSN_AC, 0, 1. } },
  { "Newton AC hybrid", { SICONOS_FRICTION_3D_NSN_AC_TEST, 0, 1. } },
  { "extra-gradient", { SICONOS_FRICTION_3D_VI_EG, 0, 1. } },
  { "fixed point", { SICONOS_FRICTION_3D_VI_FPP, 0, 1. } },
  { "ADMM", { SICONOS_FRICTION_3D_ADMM, 0, 1. } }
};

const std::map<std::string, Choice> choices_2d = {
  { "NSGS", { SICONOS_FRICTION_2D_NSGS, 0, 1. } },
  { "CPG", { SICONOS_FRICTION_2D_CPG, 0, 1. } },
  { "Lemke", { SICONOS_FRICTION_2D_LEMKE, 0, 1. } }
};

/// W by blocks, or full where Siconos' solver wants that.
NumericsMatrix *make_matrix(const Problem &rows, const bool dense)
{
  const int dim = rows.dim;
  const int n   = dim * rows.n;
  if (dense)
  {
    NumericsMatrix *M = NM_create(NM_DENSE, n, n);
    std::fill_n(M->matrix0, std::size_t(n) * n, 0.);
    for (std::size_t a = 0; a < rows.n; ++a)
      for (std::size_t k = rows.row_start[a]; k < rows.row_start[a + 1]; ++k)
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            M->matrix0[(dim * rows.column[k] + j) * std::size_t(n) + dim * a +
                       i] = rows.blocks[dim * dim * k + i * dim + j];
    return M;
  }
  NumericsMatrix *sparse = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(sparse, rows.column.size() * dim * dim);
  sparse->matrix2->origin = NSM_TRIPLET;
  for (std::size_t a = 0; a < rows.n; ++a)
    for (std::size_t k = rows.row_start[a]; k < rows.row_start[a + 1]; ++k)
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          CSparseMatrix_zentry(sparse->matrix2->triplet,
                               dim * a + i,
                               dim * rows.column[k] + j,
                               rows.blocks[dim * dim * k + i * dim + j],
                               0.);
  NumericsMatrix *M = NM_new();
  M->storageType    = NM_SPARSE_BLOCK;
  M->size0 = M->size1 = n;
  M->matrix1          = SBM_new();
  SBM_from_csparse(dim, NM_csc(sparse), M->matrix1);
  return M;
}

int solve(const Problem &rows, const std::string &name, const double tolerance)
{
  const int dim       = rows.dim;
  const auto &choices = dim == 2 ? choices_2d : choices_3d;
  if (choices.count(name) == 0)
    return 3;
  const Choice choice = choices.at(name);
  const bool dense    = name == "CPG" || name == "Lemke";

  std::vector<double> r, u;
  int iterations = 0;
  double seconds = 0.;
  {
    // Every run begins with a matrix of its own, since solvers keep factors
    // in it; making it is not timed.
    std::vector<double> times;
    double total = 0.;
    while (times.empty() || (total < 1. && times.size() < 7))
    {
      NumericsMatrix *W     = make_matrix(rows, dense);
      std::vector<double> q = rows.q, mu = rows.mu;
      FrictionContactProblem *problem = frictionContactProblem_new_with_data(
          dim, rows.n, W, q.data(), mu.data());
      SolverOptions *options = solver_options_create(choice.solver);
      if (choice.local != 0)
        solver_options_update_internal(options, 0, choice.local);
      if (choice.relaxation != 1.)
      {
        options->iparam[SICONOS_FRICTION_3D_NSGS_RELAXATION] = 1;
        options->dparam[SICONOS_FRICTION_3D_NSGS_RELAXATION_VALUE] =
            choice.relaxation;
      }
      options->dparam[SICONOS_DPARAM_TOL]      = tolerance;
      options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000000;
      r.assign(dim * rows.n, 0.);
      u.assign(dim * rows.n, 0.);
      times.push_back(median_time(
          [&]()
          {
            if (dim == 2)
              fc2d_driver(problem, r.data(), u.data(), options);
            else
              fc3d_driver(problem, r.data(), u.data(), options);
          },
          0.));
      total += times.back();
      iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    }
    std::nth_element(
        times.begin(), times.begin() + times.size() / 2, times.end());
    seconds = times[times.size() / 2];
  }
  report(seconds,
         iterations,
         error_of(rows, r, 1., true),
         error_of(rows, r, rows.g, false),
         rows.n);
  return 0;
}
} // namespace

int main(const int argc, char **argv)
{
  if (argc != 4)
  {
    std::cerr << "usage: ROWS SOLVER TOLERANCE\n";
    return 2;
  }
  return solve(read_rows(argv[1]), argv[2], std::atof(argv[3]));
}
