#include "contact_core/random_problems.h"

#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/projected_gradient.h>

#include <gtest/gtest.h>

using namespace delassus;
using namespace delassus_tests;

namespace
{
/// The same operator, known by its products only.
template <int dim>
AppliedDelassus<dim> applied(const DelassusOperator<dim> &W,
                             unsigned int *n_products = nullptr)
{
  std::vector<LocalMatrix<dim>> diagonal(W.n_contacts());
  for (std::size_t a = 0; a < diagonal.size(); ++a)
    W.diagonal_block(a, diagonal[a].data());
  return AppliedDelassus<dim>(
      [&W, n_products](const double *P, double *U)
      {
        W.multiply(P, U);
        if (n_products)
          ++*n_products;
      },
      diagonal);
}

ContactSolverParameters strict()
{
  ContactSolverParameters parameters;
  parameters.tolerance  = 1e-9;
  parameters.max_sweeps = 5000;
  return parameters;
}

template <int dim>
void same_as_gauss_seidel(const DelassusOperator<dim> &W,
                          ContactProblem<dim> problem)
{
  GaussSeidel<dim> gauss_seidel(strict());
  std::vector<double> P, U, P_exact, U_exact;
  const auto expected = gauss_seidel.solve(problem, P_exact, U_exact);
  ASSERT_TRUE(expected.converged);

  unsigned int n_products = 0;
  const auto W_applied    = applied(W, &n_products);
  problem.W               = &W_applied;
  ProjectedGradient<dim> solver(strict());
  const auto &result = solver.solve(problem, P, U);
  ASSERT_TRUE(result.converged);
  EXPECT_LE(result.errors.unit_free, 1e-9);
  // It takes about as many products as the other sweeps; the error adds some.
  EXPECT_LE(result.sweeps, 1.5 * expected.sweeps);
  EXPECT_LE(n_products, result.sweeps + 20);
  EXPECT_EQ(result.n_open, expected.n_open);
  EXPECT_EQ(result.n_stick, expected.n_stick);
  EXPECT_EQ(result.n_slip, expected.n_slip);
  double largest = 0.;
  for (const double u : U_exact)
    largest = std::max(largest, std::abs(u));
  for (std::size_t i = 0; i < U.size(); ++i)
    EXPECT_NEAR(U[i], U_exact[i], 1e-6 * largest);
  for (std::size_t a = 0; a < W.n_contacts(); ++a)
    EXPECT_GE(P[dim * a], 0.);

  // From its own solution nothing is left to do.
  const auto &again = solver.solve(problem, P, U);
  EXPECT_TRUE(again.converged);
  EXPECT_LE(again.sweeps, 6u);

  // And it is as good after the contacts have changed.
  problem.U_free.resize(dim * (W.n_contacts() - 1));
  problem.U_free.resize(dim * W.n_contacts(), -0.5);
  P.assign(P.size(), 0.);
  EXPECT_TRUE(solver.solve(problem, P, U).converged);
}

template <int dim>
void random_problem(const double friction)
{
  Random random(5);
  RandomBodies<dim> bodies(random, 20, 60);
  const BodyDelassus<dim> W(bodies.data);
  same_as_gauss_seidel<dim>(W, random_loading<dim>(random, W, friction));
}

/// Boussinesq and Cerruti: W of m x m patches of an elastic half space, pressed
/// by a sphere and sheared.
void half_space(const unsigned int m, const double friction, const double shear)
{
  const unsigned int n = m * m;
  const double h = 1. / m, nu = 0.3;
  std::vector<double> M(std::size_t(9) * n * n, 0.);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
    {
      const double x = h * (double(i % m) - double(j % m));
      const double y = h * (double(i / m) - double(j / m));
      const double r = std::sqrt(x * x + y * y), r3 = r * r * r;
      const auto entry = [&](const unsigned int a,
                             const unsigned int b) -> auto &
      {
        return M[(3 * i + a) * (3 * n) + 3 * j + b];
      };
      if (i == j)
      {
        entry(0, 0) = 3.525 * (1. - nu) / h;
        entry(1, 1) = entry(2, 2) = 3.525 * (1. - nu / 2.) / h;
      }
      else
      {
        entry(0, 0) = (1. - nu) / r;
        entry(1, 1) = (1. - nu) / r + nu * x * x / r3;
        entry(2, 2) = (1. - nu) / r + nu * y * y / r3;
        entry(1, 2) = entry(2, 1) = nu * x * y / r3;
      }
    }
  const DenseDelassus<3> W(n, M);
  ContactProblem<3> problem;
  problem.W = &W;
  for (unsigned int i = 0; i < n; ++i)
  {
    const double x = (i % m + 0.5) * h - 0.5, y = (i / m + 0.5) * h - 0.5;
    problem.U_free.push_back(-0.1 + x * x + y * y);
    problem.U_free.push_back(shear);
    problem.U_free.push_back(0.2 * shear * y);
    ChangeOfVariables<3> law;
    law.friction = friction;
    problem.laws.push_back(law);
  }
  same_as_gauss_seidel<3>(W, problem);
}
} // namespace

TEST(ProjectedGradient, RandomProblems)
{
  for (const double friction : { 0.3, 0.8 })
  {
    random_problem<2>(friction);
    random_problem<3>(friction);
  }
}

TEST(ProjectedGradient, HalfSpace)
{
  half_space(10, 0.3, 0.01);
  half_space(10, 0.7, 0.05);
}

TEST(ProjectedGradient, DoesNotDependOnUnits)
{
  Random random(11);
  RandomBodies<3> bodies(random, 10, 30);
  const BodyDelassus<3> W(bodies.data);
  ContactProblem<3> problem = random_loading<3>(random, W, 0.4);
  unsigned int sweeps[2];
  for (const int k : { 0, 1 })
  {
    // Impulses a million times as large, velocities a thousand times.
    const double factor = k == 0 ? 1. : 1e-3;
    std::vector<LocalMatrix<3>> diagonal(W.n_contacts());
    for (std::size_t a = 0; a < diagonal.size(); ++a)
    {
      W.diagonal_block(a, diagonal[a].data());
      for (double &value : diagonal[a])
        value *= factor;
    }
    const AppliedDelassus<3> scaled(
        [&](const double *P, double *U)
        {
          W.multiply(P, U);
          for (std::size_t i = 0; i < 3 * W.n_contacts(); ++i)
            U[i] *= factor;
        },
        diagonal);
    ContactProblem<3> other = problem;
    other.W                 = &scaled;
    if (k == 1)
      for (std::size_t a = 0; a < W.n_contacts(); ++a)
        for (int c = 0; c < 3; ++c)
        {
          other.U_free[3 * a + c] *= 1e3;
          other.laws[a].shift[c] *= 1e3;
        }
    ProjectedGradient<3> solver(strict());
    std::vector<double> P, U;
    const auto &result = solver.solve(other, P, U);
    EXPECT_TRUE(result.converged);
    sweeps[k] = result.sweeps;
  }
  EXPECT_NEAR(double(sweeps[0]), double(sweeps[1]), 3.);
}

TEST(ProjectedGradient, InactiveAndImmovableContacts)
{
  // The second contact is inactive, the third has no dofs that can move.
  std::vector<double> M(36, 0.);
  for (unsigned int i = 0; i < 4; ++i)
    M[7 * i] = 2.;
  const DenseDelassus<2> W(3, M);
  const auto W_applied = applied<2>(W);
  ContactProblem<2> problem;
  problem.W      = &W_applied;
  problem.U_free = { -1., 0.1, -1., 0., -0.5, 0. };
  problem.laws.resize(3);
  for (auto &law : problem.laws)
    law.friction = 0.5;
  problem.laws[1].active = false;
  ProjectedGradient<2> solver(strict());
  std::vector<double> P = { 0., 0., 3., 0., 3., 0. }, U;
  const auto &result    = solver.solve(problem, P, U);
  EXPECT_EQ(result.n_immovable, 1u);
  EXPECT_FALSE(result.converged); // the third penetrates
  EXPECT_NEAR(P[0], 0.5, 1e-8);
  EXPECT_NEAR(P[1], -0.05, 1e-8);
  for (const unsigned int i : { 2, 3, 4, 5 })
    EXPECT_EQ(P[i], 0.);

  problem.laws[2].active = false;
  EXPECT_TRUE(solver.solve(problem, P, U).converged);
  EXPECT_EQ(result.n_immovable, 0u);

  // Nothing to do.
  problem.U_free.assign(6, 0.);
  EXPECT_TRUE(solver.solve(problem, P, U).converged);
  for (const double p : P)
    EXPECT_EQ(p, 0.);
}

TEST(ProjectedGradient, OtherCriteriaAndGivingUp)
{
  Random random(3);
  RandomBodies<3> bodies(random, 10, 30);
  const BodyDelassus<3> W(bodies.data);
  ContactProblem<3> problem = random_loading<3>(random, W, 0.4);
  const auto W_applied      = applied<3>(W);
  problem.W                 = &W_applied;
  std::vector<double> P, U;
  for (const auto criterion : { ContactCriterion::siconos,
                                ContactCriterion::impulse_change,
                                ContactCriterion::worst_violation,
                                ContactCriterion::relaxed })
  {
    ContactSolverParameters parameters = strict();
    parameters.criterion               = criterion;
    parameters.tolerance               = 1e-6;
    parameters.gap_margin = parameters.force_margin = 1e-4;
    ProjectedGradient<3> solver(parameters);
    P.clear();
    EXPECT_TRUE(solver.solve(problem, P, U).converged);
  }
  ContactSolverParameters impatient = strict();
  impatient.max_sweeps              = 4;
  ProjectedGradient<3> solver(impatient);
  P.clear();
  const auto &result = solver.solve(problem, P, U);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.errors.unit_free, 1e-9);
}

TEST(ProjectedGradient, RefusesWhatItCannotDo)
{
  const DenseDelassus<2> W(1, { 1., 0., 0., 1. });
  const auto W_applied = applied<2>(W);
  ContactProblem<2> problem;
  problem.W      = &W_applied;
  problem.U_free = { -1., 0. };
  problem.laws.resize(1);
  LocalMatrix<2> zero{}, one = identity_matrix<2>();
  // A spring that pushes: P = calP + calU / 2.
  problem.laws[0].affine = std::make_shared<AffineLaw<2>>(
      one, zero, scale(0.5, one), one, LocalVector<2>{}, LocalVector<2>{});
  ProjectedGradient<2> solver(strict());
  std::vector<double> P, U;
  EXPECT_THROW(solver.solve(problem, P, U), ComputationError);
}
