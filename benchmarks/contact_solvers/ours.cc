// One problem, one of our solvers, one tolerance: a line with the median time,
// the iterations and the errors. Or a generated problem as a file.
//
//   benchmark_contact_solvers FILE SOLVER TOLERANCE SECONDS MEASURE
//   benchmark_contact_solvers --sheet CELLS INERTIA FILE
//   benchmark_contact_solvers --rows FILE ROWS    W, q, mu as numbers, for
//                                                 programs that do not link
//                                                 ours

#include "contact_solvers/sheet.h"
#include "contact_solvers/timing.h"

#include <delassus/contact/exchange/imported_problem.h>
#include <delassus/contact/exchange/problem_files.h>
#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/contact/global_solvers/standard_rows.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

using namespace delassus;
using namespace delassus_benchmarks;

namespace
{
ContactSolverParameters named(const std::string &name)
{
  const std::map<std::string, ContactSolverType> types = {
    { "auto", ContactSolverType::automatic },
    { "Gauss-Seidel", ContactSolverType::gauss_seidel },
    { "Gauss-Seidel 0.7", ContactSolverType::gauss_seidel },
    { "Gauss-Seidel accelerated", ContactSolverType::gauss_seidel },
    { "projected gradient", ContactSolverType::projected_gradient },
    { "ADMM", ContactSolverType::admm },
    { "global ADMM", ContactSolverType::global_admm },
    { "Newton", ContactSolverType::newton },
    { "global Newton", ContactSolverType::global_newton }
  };
  ContactSolverParameters parameters;
  parameters.type         = types.at(name);
  parameters.warm_start   = false;
  parameters.relaxation   = name == "Gauss-Seidel 0.7" ? 0.7 : 1.;
  parameters.acceleration = name == "Gauss-Seidel accelerated" ? 10 : 0;
  parameters.max_sweeps   = 10000000;
  return parameters;
}

template <int dim>
void solve(const ExchangeProblem &exchanged,
           const ContactSolverParameters &parameters,
           const bool applied)
{
  const ImportedProblem<dim> imported(
      exchanged, applied ? Condensation::applied : Condensation::formed);
  auto solver = make_contact_solver<dim>(parameters);
  std::vector<double> P, U;
  ContactResult result;
  const double seconds = median_time(
      [&]()
      {
        P.clear();
        result = solver->solve(imported.problem(), P, U);
      });
  // The errors recomputed from the impulses alone.
  const ContactErrors errors = compute_errors(imported.problem(), P, U);
  report(seconds,
         result.sweeps,
         errors.siconos,
         errors.unit_free,
         exchanged.n_contacts());
  std::cerr << result.solver << ' ' << result.diagnosis << '\n';
}
template <int dim>
void write_rows(const ExchangeProblem &exchanged, const char *file)
{
  const ImportedProblem<dim> imported(exchanged);
  StandardRows<dim> rows;
  rows.reinit(imported.problem(), false);
  std::ofstream out(file, std::ios::binary);
  const auto write = [&](const auto *values, const std::size_t n)
  {
    for (std::size_t i = 0; i < n; ++i)
    {
      const double value = values[i];
      out.write(reinterpret_cast<const char *>(&value), sizeof(double));
    }
  };
  const std::size_t sizes[] = { dim, rows.n(), rows.n_blocks() };
  write(sizes, 3);
  write(&rows.g, 1);
  write(rows.row_start, rows.n() + 1);
  write(rows.column, rows.n_blocks());
  write(rows.blocks, dim * dim * rows.n_blocks());
  write(rows.q.data(), rows.q.size());
  write(rows.mu.data(), rows.mu.size());
}
} // namespace

int main(const int argc, char **argv)
{
  try
  {
    if (argc == 5 && std::strcmp(argv[1], "--sheet") == 0)
    {
      write_problem(argv[4],
                    make_sheet(std::atoi(argv[2]), std::atof(argv[3])));
      return 0;
    }
    if (argc == 4 && std::strcmp(argv[1], "--rows") == 0)
    {
      const ExchangeProblem problem = read_problem(argv[2]);
      if (problem.dim == 2)
        write_rows<2>(problem, argv[3]);
      else
        write_rows<3>(problem, argv[3]);
      return 0;
    }
    if (argc != 6)
    {
      std::cerr << "usage: FILE SOLVER TOLERANCE SECONDS MEASURE\n";
      return 2;
    }
    const ExchangeProblem problem      = read_problem(argv[1]);
    ContactSolverParameters parameters = named(argv[2]);
    parameters.tolerance               = std::atof(argv[3]);
    parameters.time_limit              = std::atof(argv[4]);
    parameters.criterion               = std::strcmp(argv[5], "siconos") == 0
                                             ? ContactCriterion::siconos
                                             : ContactCriterion::unit_free;
    const bool applied                 = problem.global &&
                         (parameters.type == ContactSolverType::global_admm ||
                          parameters.type == ContactSolverType::global_newton ||
                          problem.n_contacts() > 500);
    if (problem.dim == 2)
      solve<2>(problem, parameters, applied);
    else
      solve<3>(problem, parameters, applied);
  }
  catch (const std::exception &e)
  {
    std::cerr << e.what() << '\n';
    return 1;
  }
  return 0;
}
