// The same problem by a solver of Siconos' numerics library, in the same
// format: built only where that library is installed.
//
//   benchmark_siconos FILE SOLVER TOLERANCE

#include "contact_solvers/timing.h"

#include <delassus/contact/exchange/imported_problem.h>
#include <delassus/contact/exchange/problem_files.h>
#include <delassus/contact/global_solvers/standard_rows.h>

extern "C"
{
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
}

#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace delassus;
using namespace delassus_benchmarks;

namespace
{
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
template <int dim>
NumericsMatrix *make_matrix(const StandardRows<dim> &rows, const bool dense)
{
  const int n = dim * rows.n();
  if (dense)
  {
    NumericsMatrix *M = NM_create(NM_DENSE, n, n);
    std::fill_n(M->matrix0, std::size_t(n) * n, 0.);
    for (std::size_t a = 0; a < rows.n(); ++a)
      for (std::size_t k = rows.row_start[a]; k < rows.row_start[a + 1]; ++k)
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            M->matrix0[(dim * rows.column[k] + j) * std::size_t(n) + dim * a +
                       i] = rows.blocks[dim * dim * k + i * dim + j];
    return M;
  }
  NumericsMatrix *sparse = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(sparse, rows.n_blocks() * dim * dim);
  sparse->matrix2->origin = NSM_TRIPLET;
  for (std::size_t a = 0; a < rows.n(); ++a)
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

template <int dim>
int solve(const ExchangeProblem &exchanged,
          const std::string &name,
          const double tolerance)
{
  const auto &choices = dim == 2 ? choices_2d : choices_3d;
  if (choices.count(name) == 0)
    return 3;
  const Choice choice = choices.at(name);
  const ImportedProblem<dim> imported(exchanged);
  StandardRows<dim> rows;
  rows.reinit(imported.problem(), false);
  const bool dense = name == "CPG" || name == "Lemke";

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
          dim, rows.n(), W, q.data(), mu.data());
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
      r.assign(dim * rows.n(), 0.);
      u.assign(dim * rows.n(), 0.);
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
  const ContactErrors errors = compute_errors(imported.problem(), r, u);
  report(seconds, iterations, errors.siconos, errors.unit_free, rows.n());
  return 0;
}
} // namespace

int main(const int argc, char **argv)
{
  if (argc != 4)
  {
    std::cerr << "usage: FILE SOLVER TOLERANCE\n";
    return 2;
  }
  try
  {
    const ExchangeProblem problem = read_problem(argv[1]);
    return problem.dim == 2 ? solve<2>(problem, argv[2], std::atof(argv[3]))
                            : solve<3>(problem, argv[2], std::atof(argv[3]));
  }
  catch (const std::exception &e)
  {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
