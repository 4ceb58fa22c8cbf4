// A sheet held between two tools, both faces closed: what one solution of its
// contact costs in units of one factorization of its matrix, from nothing and
// from the solution of a problem with other gaps and velocities of the tools.
//
//   benchmark_held_sheet [CELLS...]      21 44 89: 1000, 4000, 16 000
//   candidates benchmark_held_sheet --solver NAME INERTIA CELLS        one of
//   them alone
//
// One factorization: analysis and numbers, as the first one of a body. Times
// are those of this thread, all in one run.

#include "contact_solvers/sheet.h"
#include "contact_solvers/timing.h"

#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/exchange/imported_problem.h>
#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/contact/global_solvers/standard_rows.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>

using namespace delassus;
using namespace delassus_benchmarks;

namespace
{
struct Method
{
  ContactSolverType type;
  const char *name;
};

constexpr Method methods[] = {
  { ContactSolverType::global_newton, "global Newton" },
  { ContactSolverType::global_admm, "global ADMM" },
  { ContactSolverType::automatic, "auto" }
};

constexpr double tolerance = 1e-6, change = 0.05;

/// A step of a run: W by products with the body's factor, which are remembered,
/// and a form that says when it changes.
class HeldSheet
{
public:
  HeldSheet(const unsigned int n, const double inertia)
      : exchanged(make_held_sheet(n, inertia))
      , changed(make_held_sheet(n, inertia, change))
      , imported(exchanged, Condensation::applied)
      , form(*imported.problem().global)
  {
    form.version            = 1;
    const SymmetricMatrix A = symmetric_matrix(form.A);
    std::unique_ptr<SymmetricFactor> factor;
    factorization   = median_time([&]() { factor = factorize(A); });
    refactorization = median_time([&]() { factor->refactorize(A); });
    std::vector<double> x(A.n, 1.);
    solution = median_time([&]() { factor->solve(x.data(), 1); });
  }

  std::size_t n_contacts() const
  {
    return exchanged.n_contacts();
  }

  /// Seconds.
  double factorization, refactorization, solution;

  /// Prints a line for a method.
  void run(const Method &method, const double inertia)
  {
    ContactSolverParameters parameters;
    parameters.type       = method.type;
    parameters.tolerance  = tolerance;
    parameters.criterion  = ContactCriterion::unit_free;
    parameters.warm_start = true;
    parameters.max_sweeps = 3000;
    parameters.time_limit = 300.;

    const ContactProblem<3> &first = imported.problem();
    std::vector<LocalMatrix<3>> diagonal(n_contacts());
    for (std::size_t a = 0; a < n_contacts(); ++a)
      first.W->diagonal_block(a, diagonal[a].data());
    const AppliedDelassus<3> W([&](const double *P, double *U)
                               { first.W->multiply(P, U); },
                               diagonal,
                               /* remembers */ true);
    ContactProblem<3> problem = first;
    problem.W                 = &W;
    problem.global            = &form;
    const auto solver         = make_contact_solver<3>(parameters);
    std::vector<double> P, U;
    double begin             = cpu_time();
    const ContactResult cold = solver->solve(problem, P, U);
    const double time_cold   = cpu_time() - begin;

    // (f is zero: the free velocities are those of the tools.)
    problem.U_free           = changed.w;
    problem.U_guess          = U;
    begin                    = cpu_time();
    const ContactResult warm = solver->solve(problem, P, U);
    const double time_warm   = cpu_time() - begin;
    std::printf("| %zu | %g | %s | %u | %u | %.1f | %.1f | %.1e | %.1e |\n",
                n_contacts(),
                inertia,
                method.name,
                cold.sweeps,
                warm.sweeps,
                time_cold / factorization,
                time_warm / factorization,
                cold.errors.unit_free,
                warm.errors.unit_free);
    std::fflush(stdout);
    std::cerr << cold.solver << ": " << cold.n_open << " open, " << cold.n_stick
              << " stick, " << cold.n_slip << " slide; " << warm.solver << ' '
              << cold.diagnosis << ' ' << warm.diagnosis << '\n';
  }

private:
  const ExchangeProblem exchanged, changed;
  const ImportedProblem<3> imported;
  GlobalForm form;
};

void table(const std::vector<unsigned int> &cells,
           const std::vector<double> &inertias,
           const std::string &only)
{
  std::printf("| candidates | inertia | solver | iterations cold | warm | "
              "time cold | warm | error cold | warm |\n"
              "|---|---|---|---|---|---|---|---|---|\n");
  for (const unsigned int n : cells)
    for (const double inertia : inertias)
    {
      HeldSheet sheet(n, inertia);
      std::cerr << "one factorization: " << sheet.factorization
                << " s; of a known pattern: " << sheet.refactorization
                << " s; one solution with it: " << sheet.solution << " s\n";
      for (const Method &method : methods)
        if (only.empty() || only == method.name)
          sheet.run(method, inertia);
    }
}
} // namespace

int main(const int argc, char **argv)
{
  try
  {
    if (argc == 5 && std::strcmp(argv[1], "--solver") == 0)
    {
      table({ static_cast<unsigned int>(std::atoi(argv[4])) },
            { std::atof(argv[3]) },
            argv[2]);
      return 0;
    }
    std::vector<unsigned int> cells;
    for (int i = 1; i < argc; ++i)
      cells.push_back(std::atoi(argv[i]));
    if (cells.empty())
      cells = { 21, 44, 89 };
    table(cells, { 1e-6, 1. }, "");
  }
  catch (const std::exception &e)
  {
    std::cerr << e.what() << '\n';
    return 1;
  }
  return 0;
}
