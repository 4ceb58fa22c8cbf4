// Problems that fall into independent parts: these are found, and the automatic
// choice, which solves them one by one, solves the whole.

#include "contact_core/solver_family.h"

#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/global_solvers/independent_parts.h>

using namespace delassus;
using namespace delassus_tests;

namespace
{
constexpr double tolerance = 1e-8;

/// Parts of the given numbers of contacts, each with a full W = B B^T of less
/// than full rank, nearly; their contacts are numbered in turn.
template <int dim>
struct Scattered
{
  std::vector<unsigned int> part_of;
  BlockSparseDelassus<dim> W;
  ContactProblem<dim> problem;

  Scattered(Random &random,
            const std::vector<std::size_t> &sizes,
            const double friction)
  {
    std::vector<std::size_t> left = sizes;
    for (bool any = true; any;)
    {
      any = false;
      for (unsigned int p = 0; p < left.size(); ++p)
        if (left[p] > 0)
        {
          --left[p];
          part_of.push_back(p);
          any = true;
        }
    }
    // Rows of B; parts differ in the size of their masses.
    const std::size_t n = part_of.size();
    std::vector<std::vector<double>> B(dim * n);
    for (std::size_t k = 0; k < dim * n; ++k)
    {
      const unsigned int p = part_of[k / dim];
      B[k].resize(2 * sizes[p] + 1);
      for (double &x : B[k])
        x = std::pow(10., double(p % 3)) * random.normal();
    }
    std::vector<std::size_t> row_start(1, 0);
    std::vector<unsigned int> column;
    std::vector<double> blocks;
    for (std::size_t a = 0; a < n; ++a)
    {
      for (std::size_t b = 0; b < n; ++b)
      {
        // A block of zeros connects nothing.
        const bool zero = b == (a + 1) % n && part_of[a] != part_of[b];
        if (part_of[a] != part_of[b] && !zero)
          continue;
        column.push_back(b);
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
          {
            double sum = a == b && i == j ? 1e-6 : 0.;
            if (!zero)
              for (std::size_t l = 0; l < B[dim * a].size(); ++l)
                sum += B[dim * a + i][l] * B[dim * b + j][l];
            blocks.push_back(sum);
          }
      }
      row_start.push_back(column.size());
    }
    W.reinit(row_start, column, blocks);
    problem = random_loading<dim>(random, W, friction);
  }
};

template <int dim>
void finds_parts()
{
  Random random(71);
  const std::vector<std::size_t> sizes = { 5, 1, 12, 3 };
  const Scattered<dim> test(random, sizes, 0.3);
  IndependentParts<dim> parts;
  ASSERT_EQ(parts.find(test.problem), sizes.size());
  std::vector<double> P(test.problem.U_free.size()), U(P.size());
  for (double &x : P)
    x = random.normal();
  test.W.multiply(P.data(), U.data());
  for (std::size_t k = 0; k < sizes.size(); ++k)
  {
    ASSERT_EQ(parts.size(k), sizes[k]);
    const auto &one = parts.make(test.problem, k, 2.);
    ASSERT_EQ(one.n_contacts(), sizes[k]);
    EXPECT_EQ(one.impulse_scale, 2.);
    std::vector<double> part_P, part_U(dim * sizes[k]);
    for (std::size_t i = 0; i < sizes[k]; ++i)
    {
      const unsigned int a = parts.contacts(k)[i];
      EXPECT_EQ(test.part_of[a], k);
      EXPECT_EQ(one.laws[i].shift, test.problem.laws[a].shift);
      for (int c = 0; c < dim; ++c)
      {
        part_P.push_back(P[dim * a + c]);
        EXPECT_EQ(one.U_free[dim * i + c], test.problem.U_free[dim * a + c]);
      }
    }
    one.W->multiply(part_P.data(), part_U.data());
    for (std::size_t i = 0; i < sizes[k]; ++i)
      for (int c = 0; c < dim; ++c)
      {
        const double expected = U[dim * parts.contacts(k)[i] + c];
        EXPECT_NEAR(
            part_U[dim * i + c], expected, 1e-12 * (1. + std::abs(expected)));
      }
  }
}

template <int dim>
void solves_parts(const ContactCriterion criterion)
{
  Random random(72);
  for (unsigned int trial = 0; trial < 10 * effort(); ++trial)
  {
    SCOPED_TRACE(trial);
    Scattered<dim> test(random, { 20, 1, 7, 30, 2, 2 }, 0.1 * (trial % 8));
    auto &problem = test.problem;
    // Nothing moves one part; a contact of another is inactive.
    for (std::size_t a = 0; a < test.part_of.size(); ++a)
      if (test.part_of[a] == 4)
      {
        problem.laws[a].shift = {};
        std::fill_n(problem.U_free.begin() + dim * a, dim, 0.);
      }
    problem.laws[0].active = false;
    auto parameters =
        parameters_of(ContactSolverType::automatic, tolerance, 20000);
    parameters.criterion  = criterion;
    parameters.warm_start = true;
    const auto solver     = make_contact_solver<dim>(parameters);
    std::vector<double> P, U;
    for (const bool again : { false, true })
    {
      const ContactResult result = solver->solve(problem, P, U);
      std::vector<double> true_U;
      const ContactErrors errors = compute_errors(problem, P, true_U);
      EXPECT_TRUE(result.converged) << result.diagnosis;
      EXPECT_LE(criterion == ContactCriterion::siconos ? errors.siconos
                                                       : errors.unit_free,
                tolerance);
      EXPECT_EQ(result.errors.unit_free, errors.unit_free);
      EXPECT_EQ(U, true_U);
      EXPECT_EQ(result.n_open + result.n_stick + result.n_slip,
                problem.n_contacts());
      EXPECT_LE(result.sweeps, 20000u);
      if (again)
      {
        EXPECT_LE(result.sweeps, 20u);
      }
      // A start that is wrong in the part that nothing moves.
      if (!again)
        for (std::size_t a = 0; a < test.part_of.size(); ++a)
          if (test.part_of[a] == 4)
            P[dim * a] = 1e-3;
    }
  }
}
} // namespace

TEST(IndependentParts, AreFound)
{
  finds_parts<2>();
  finds_parts<3>();
}

TEST(IndependentParts, AreSolvedUnitFree)
{
  solves_parts<2>(ContactCriterion::unit_free);
  solves_parts<3>(ContactCriterion::unit_free);
}

TEST(IndependentParts, AreSolvedInSiconosMeasure)
{
  solves_parts<2>(ContactCriterion::siconos);
  solves_parts<3>(ContactCriterion::siconos);
}

// Too few iterations: that is said, with the errors of what was found.
TEST(IndependentParts, TooFewIterations)
{
  Random random(73);
  for (const unsigned int n_iterations : { 10u, 11u, 15u })
  {
    const Scattered<3> test(random, { 25, 2, 25 }, 0.5);
    const auto solver = make_contact_solver<3>(
        parameters_of(ContactSolverType::automatic, tolerance, n_iterations));
    const Outcome outcome = Family<3>::run(*solver, test.problem);
    Family<3>::check_honest(
        outcome, test.problem, tolerance, n_iterations, "automatic");
    EXPECT_LE(outcome.result.sweeps, n_iterations);
    EXPECT_LT(outcome.result.errors.unit_free, 1.);
    // The first sweeps use all of them.
    if (n_iterations == 10)
    {
      EXPECT_FALSE(outcome.converged());
    }
  }
}
