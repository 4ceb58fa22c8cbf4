// Exchanged problems as the solvers get them.

#include "problems.h"

#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/imported_problem.h>
#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/contact/problem/contact_error.h>

#include <gtest/gtest.h>

#include <memory>

using namespace delassus;
using namespace exchange_tests;

namespace
{
template <int dim>
std::vector<double> columns_of(const DelassusOperator<dim> &W)
{
  const std::size_t m = dim * W.n_contacts();
  std::vector<double> unit(m, 0.), result(m * m);
  for (std::size_t j = 0; j < m; ++j)
  {
    unit[j] = 1.;
    W.multiply(unit.data(), result.data() + j * m);
    unit[j] = 0.;
  }
  return result;
}

template <int dim>
void expect_condensed()
{
  const ExchangeProblem exchanged = make_problem(dim, true, 9);
  const ImportedProblem<dim> formed(exchanged),
      applied(exchanged, Condensation::applied);
  const auto &problem = formed.problem();
  EXPECT_NE(problem.global, nullptr);
  EXPECT_NE(applied.problem().global, nullptr);
  EXPECT_STREQ(applied.problem().W->name(), "applied only");
  const std::size_t m = exchanged.w.size(), n = exchanged.f.size();
  const auto W         = columns_of(*problem.W),
             W_applied = columns_of(*applied.problem().W);
  for (std::size_t j = 0; j < m; ++j)
  {
    // M x = H_j by its definition: M (M^{-1} H_j) = H_j, W_ij = H_i . x.
    std::vector<double> x(n, 0.), Mx(n, 0.);
    for (std::size_t k = exchanged.H.start[j]; k < exchanged.H.start[j + 1];
         ++k)
      x[exchanged.H.row[k]] = exchanged.H.value[k];
    const std::vector<double> h = x;
    formed.inverse()->solve(x.data(), 1);
    add_product(exchanged.M, x.data(), Mx.data());
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(Mx[i], h[i], 1e-13);
    std::vector<double> column(m, 0.);
    add_transposed_product(exchanged.H, x.data(), column.data());
    for (std::size_t i = 0; i < m; ++i)
    {
      EXPECT_NEAR(W[j * m + i], column[i], 1e-13);
      EXPECT_NEAR(W_applied[j * m + i], column[i], 1e-13);
      EXPECT_EQ(W[j * m + i], W[i * m + j]);
    }
  }
  // q = H^T M^{-1} f + w.
  std::vector<double> v = exchanged.f, q = exchanged.w;
  formed.inverse()->solve(v.data(), 1);
  add_transposed_product(exchanged.H, v.data(), q.data());
  for (std::size_t i = 0; i < m; ++i)
    EXPECT_NEAR(problem.U_free[i], q[i], 1e-13);
  double sum = 0.;
  for (std::size_t i = 0; i < n; ++i)
    sum += entry(exchanged.M, i, i);
  EXPECT_NEAR(problem.impulse_scale, n / sum, 1e-12 * n / sum);
}
} // namespace


TEST(Imported, GlobalProblemsAreCondensed)
{
  expect_condensed<2>();
  expect_condensed<3>();
}

TEST(Imported, LocalProblemsAreTakenAsTheyAre)
{
  for (const std::size_t n_contacts : { 3, 40 })
  {
    const ExchangeProblem exchanged = make_problem(3, false, n_contacts);
    const ImportedProblem<3> imported(exchanged);
    const auto W        = columns_of(*imported.problem().W);
    const std::size_t m = 3 * n_contacts;
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t i = 0; i < m; ++i)
        EXPECT_EQ(W[j * m + i], entry(exchanged.W, i, j));
    EXPECT_EQ(imported.problem().U_free, exchanged.q);
    EXPECT_EQ(imported.problem().impulse_scale, 0.);
    for (std::size_t a = 0; a < n_contacts; ++a)
      EXPECT_EQ(imported.problem().laws[a].friction, exchanged.mu[a]);
  }
}

// Bodies that touch others only: most blocks are not there.
TEST(Imported, StorageFollowsTheMatrix)
{
  ExchangeProblem exchanged = make_problem(2, false, 30);
  EXPECT_STREQ(ImportedProblem<2>(exchanged).problem().W->name(), "dense");
  std::vector<Triplet> entries;
  for (std::size_t i = 0; i < 60; ++i)
    entries.push_back({ i, i, 1. + i });
  exchanged.W = compress_columns(60, 60, entries);
  EXPECT_STREQ(ImportedProblem<2>(exchanged).problem().W->name(),
               "block sparse");
}

TEST(Imported, OtherMatricesOfBodies)
{
  // Not symmetric: W is right, but there is no global form.
  ExchangeProblem exchanged = make_problem(2, true);
  exchanged.M.value[1] *= 1.5;
  const ImportedProblem<2> imported(exchanged);
  EXPECT_EQ(imported.problem().global, nullptr);
  std::vector<double> v = exchanged.f, Mv(v.size(), 0.);
  imported.inverse()->solve(v.data(), 1);
  add_product(exchanged.M, v.data(), Mv.data());
  for (std::size_t i = 0; i < v.size(); ++i)
    EXPECT_NEAR(Mv[i], exchanged.f[i], 1e-12);
  // A body without mass.
  ExchangeProblem singular = make_problem(2, true);
  for (std::size_t j = 0; j < singular.M.n_columns; ++j)
    for (std::size_t k = singular.M.start[j]; k < singular.M.start[j + 1]; ++k)
      if (j < 6)
        singular.M.value[k] = 0.;
  try
  {
    ImportedProblem<2> wrong(singular);
    FAIL();
  }
  catch (const InputError &e)
  {
    EXPECT_NE(std::string(e.what()).find("singular"), std::string::npos);
  }
  EXPECT_THROW(ImportedProblem<3>{ make_problem(2, true) }, InputError);
}

// A problem, written and read, has the same solution in both forms.
TEST(Imported, IsSolved)
{
  const ExchangeProblem exchanged = make_problem(3, true, 5);
  const std::string file          = scratch("solved.hdf5");
  write_problem(file, exchanged);
  const ImportedProblem<3> imported(read_problem(file));
  ContactSolverParameters parameters;
  parameters.tolerance  = 1e-10;
  parameters.max_sweeps = 100000;
  const auto solver     = make_contact_solver<3>(parameters);
  std::vector<double> P, U;
  const ContactResult &result = solver->solve(imported.problem(), P, U);
  EXPECT_TRUE(result.converged);
  EXPECT_LE(compute_errors(imported.problem(), P, U).unit_free, 1e-10);
}
