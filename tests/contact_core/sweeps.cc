// What sweeps have beside the plain iteration: best iterates, time limits,
// orders, settled contacts, acceleration.
#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>

#include "dimensions.h"
#include "random_problems.h"
#include "synthetic_wall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <typename T>
class Sweeps : public ::testing::Test
{
};
TYPED_TEST_SUITE(Sweeps, Dimensions);

constexpr SweepOrder all_orders[] = { SweepOrder::forward,
                                      SweepOrder::symmetric,
                                      SweepOrder::random,
                                      SweepOrder::graph };

double largest(const std::vector<double> &x)
{
  double result = 0.;
  for (const double value : x)
    result = std::max(result, std::abs(value));
  return result;
}

double difference(const std::vector<double> &x, const std::vector<double> &y)
{
  std::vector<double> d(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    d[i] = x[i] - y[i];
  return largest(d);
}

/// A pile of n blocks on the ground, one contact between each two: masses
/// alternate between 1 and @p ratio. W is block tridiagonal.
template <int dim>
struct Pile
{
  DenseDelassus<dim> W;
  ContactProblem<dim> problem;

  Pile(const std::size_t n, const double ratio, const double friction)
      : W(n, matrix(n, ratio))
  {
    problem.W = &W;
    problem.U_free.assign(dim * n, 0.);
    problem.U_free[0] = -1.; // all fall together, relative to the ground
    for (int c = 1; c < dim; ++c)
      problem.U_free[c] = 0.1 * c;
    problem.laws.resize(n);
    for (auto &law : problem.laws)
      law.friction = friction;
  }

  static std::vector<double> matrix(const std::size_t n, const double ratio)
  {
    // Contact a is between block a-1 (or the ground) and block a.
    const auto inverse_mass = [&](const std::size_t block)
    { return block % 2 == 0 ? 1. : 1. / ratio; };
    std::vector<double> result(dim * n * dim * n, 0.);
    for (std::size_t a = 0; a < n; ++a)
      for (int c = 0; c < dim; ++c)
      {
        const auto entry = [&](const std::size_t b) -> double &
        { return result[(dim * a + c) * dim * n + dim * b + c]; };
        entry(a) = inverse_mass(a) + (a > 0 ? inverse_mass(a - 1) : 0.);
        if (a > 0)
          entry(a - 1) = -inverse_mass(a - 1);
        if (a + 1 < n)
          entry(a + 1) = -inverse_mass(a);
      }
    return result;
  }
};
} // namespace


TYPED_TEST(Sweeps, TheBestIterateComesOut)
{
  // Over-relaxed iterates of hard problems do not improve steadily.
  constexpr int dim = TypeParam::value;
  for (unsigned int seed = 0; seed < 6; ++seed)
  {
    Random random(300 + seed);
    const RandomBodies<dim> bodies(random, 8, 60);
    const auto W                      = assemble_block_sparse(bodies.data);
    const ContactProblem<dim> problem = random_loading<dim>(random, W, 0.9);
    for (const ContactCriterion criterion :
         { ContactCriterion::unit_free, ContactCriterion::impulse_change })
      for (const SweepOrder order : all_orders)
      {
        ContactSolverParameters parameters;
        parameters.tolerance  = 1e-14;
        parameters.relaxation = 1.9;
        parameters.criterion  = criterion;
        parameters.order      = order;
        double before         = std::numeric_limits<double>::infinity();
        // The true error is known at 10, 15, 23, ... sweeps and at the end.
        for (const unsigned int n : { 0u, 10u, 15u, 23u, 35u })
        {
          parameters.max_sweeps = n;
          GaussSeidel<dim> solver(parameters);
          std::vector<double> P, U, U_again;
          const ContactResult &result = solver.solve(problem, P, U);
          EXPECT_FALSE(result.converged);
          EXPECT_EQ(result.sweeps, n);
          EXPECT_EQ(result.solver, "Gauss-Seidel");
          EXPECT_EQ(result.diagnosis, "");
          const ContactErrors errors = compute_errors(problem, P, U_again);
          EXPECT_EQ(errors.unit_free, result.errors.unit_free);
          EXPECT_EQ(U, U_again);
          EXPECT_LE(errors.unit_free, before);
          EXPECT_EQ(result.n_open + result.n_stick + result.n_slip, 60u);
          before = errors.unit_free;
        }
      }
  }
}

TYPED_TEST(Sweeps, AGoodStartIsNotLost)
{
  constexpr int dim = TypeParam::value;
  Random random(310);
  const RandomBodies<dim> bodies(random, 14, 30);
  const auto W                      = assemble_block_sparse(bodies.data);
  const ContactProblem<dim> problem = random_loading<dim>(random, W, 0.3);
  ContactSolverParameters parameters;
  parameters.tolerance = 1e-10;
  GaussSeidel<dim> solver(parameters);
  std::vector<double> P, U;
  ASSERT_TRUE(solver.solve(problem, P, U).converged);
  const double good     = compute_errors(problem, P, U).unit_free;
  parameters.tolerance  = 1e-15;
  parameters.relaxation = 1.95;
  for (const unsigned int n : { 1u, 2u, 5u })
  {
    parameters.max_sweeps = n;
    GaussSeidel<dim> wild(parameters);
    std::vector<double> P_again = P;
    const ContactResult &result = wild.solve(problem, P_again, U);
    EXPECT_LE(result.errors.unit_free, good);
    EXPECT_EQ(compute_errors(problem, P_again, U).unit_free,
              result.errors.unit_free);
  }
}

TYPED_TEST(Sweeps, TheTimeLimitIsKept)
{
  constexpr int dim = TypeParam::value;
  const Pile<dim> pile(400, 1e6, 0.5);
  ContactSolverParameters parameters;
  parameters.tolerance  = 1e-15;
  parameters.max_sweeps = 100000000;
  parameters.time_limit = 0.05;
  GaussSeidel<dim> solver(parameters);
  std::vector<double> P, U, U_again;
  const auto start            = std::chrono::steady_clock::now();
  const ContactResult &result = solver.solve(pile.problem, P, U);
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - start;
  EXPECT_FALSE(result.converged);
  EXPECT_GE(time.count(), 0.05);
  EXPECT_LT(time.count(), 10.); // a busy machine
  EXPECT_NE(result.diagnosis.find("time limit of 0.05 s"), std::string::npos);
  EXPECT_EQ(compute_errors(pile.problem, P, U_again).unit_free,
            result.errors.unit_free);
  EXPECT_EQ(U, U_again);
}

TYPED_TEST(Sweeps, WhateverMassesAndFrictionValuesAreFinite)
{
  constexpr int dim = TypeParam::value;
  for (const SweepOrder order : all_orders)
    for (const double ratio : { 1., 1e4, 1e8, 1e-8 })
      for (const double friction : { 0., 1e-3, 0.3, 1., 10. })
      {
        Pile<dim> pile(12, ratio, friction);
        pile.problem.U_free[dim * 5 + 1] = 0.7;
        ContactSolverParameters parameters;
        parameters.order      = order;
        parameters.max_sweeps = 300;
        GaussSeidel<dim> solver(parameters);
        std::vector<double> P, U, U_again;
        const ContactResult &result = solver.solve(pile.problem, P, U);
        EXPECT_TRUE(std::isfinite(result.errors.unit_free));
        EXPECT_EQ(compute_errors(pile.problem, P, U_again).unit_free,
                  result.errors.unit_free);
        EXPECT_LE(result.errors.unit_free, 1.);
        for (std::size_t i = 0; i < P.size(); ++i)
          EXPECT_TRUE(std::isfinite(P[i]) && std::isfinite(U[i]));
      }

  // Random bodies, every contact several times: W is singular.
  for (const double friction : { 0., 0.3, 1., 10. })
  {
    Random random(320);
    RandomBodies<dim> bodies(random, 6, 10);
    auto data = bodies.data;
    for (unsigned int copy = 0; copy < 3; ++copy)
      for (std::size_t a = 0; a < 10; ++a)
      {
        for (std::size_t e = data.h_start[a]; e < data.h_start[a + 1]; ++e)
        {
          const auto entry = data.entries[e];
          data.entries.push_back(entry);
        }
        data.h_start.push_back(data.entries.size());
        data.frame.push_back(data.frame[a]);
      }
    const auto W                = assemble_block_sparse(data);
    ContactProblem<dim> problem = random_loading<dim>(random, W, friction);
    for (std::size_t i = dim * 10; i < problem.U_free.size(); ++i)
      problem.U_free[i] = problem.U_free[i - dim * 10];
    for (std::size_t a = 10; a < 40; ++a)
      problem.laws[a].shift = problem.laws[a - 10].shift;
    for (const SweepOrder order : all_orders)
    {
      ContactSolverParameters parameters;
      parameters.order     = order;
      parameters.tolerance = 1e-8;
      GaussSeidel<dim> solver(parameters);
      std::vector<double> P, U;
      const ContactResult &result = solver.solve(problem, P, U);
      EXPECT_TRUE(std::isfinite(largest(P)));
      if (friction <= 0.3)
      {
        EXPECT_TRUE(result.converged) << friction;
        // Copies of a contact have the same velocity.
        for (std::size_t i = dim * 10; i < U.size(); ++i)
          EXPECT_NEAR(U[i], U[i - dim * 10], 1e-12 * largest(U));
      }
    }
  }
}

TEST(SweepOrders, RandomIsTheSameOnEveryRun)
{
  const SyntheticWall wall(6, 6);
  const auto W       = assemble_block_sparse(wall.data);
  const auto problem = wall.problem(W, 0.5);
  ContactSolverParameters parameters;
  parameters.order      = SweepOrder::random;
  parameters.max_sweeps = 25;
  std::vector<double> P1, P2, P3, U;
  GaussSeidel<2> one(parameters), two(parameters);
  one.solve(problem, P1, U);
  two.solve(problem, P2, U);
  EXPECT_EQ(P1, P2);
  // Also the second time.
  two.solve(problem, P3, U);
  P3.clear();
  two.solve(problem, P3, U);
  EXPECT_EQ(P1, P3);
}

TEST(SweepOrders, TheGraphIsWalkedFromContactToCoupledContact)
{
  // A pile whose contacts are numbered at random: the order is that of the
  // pile, from one end to the other, for every storage.
  const std::size_t n = 50;
  std::vector<unsigned int> number(n);
  std::iota(number.begin(), number.end(), 0);
  ReproducibleRandom random(5);
  random.shuffle(number);
  std::vector<double> matrix(4 * n * n, 0.);
  const auto ordered = Pile<2>::matrix(n, 3.);
  for (std::size_t i = 0; i < 2 * n; ++i)
    for (std::size_t j = 0; j < 2 * n; ++j)
      matrix[(2 * number[i / 2] + i % 2) * 2 * n + 2 * number[j / 2] + j % 2] =
          ordered[i * 2 * n + j];
  const DenseDelassus<2> dense(n, matrix);
  std::vector<std::size_t> start = { 0 };
  std::vector<unsigned int> column;
  std::vector<double> blocks;
  for (std::size_t a = 0; a < n; ++a)
  {
    for (std::size_t b = 0; b < n; ++b)
      if (dense(2 * a, 2 * b) != 0.)
      {
        column.push_back(b);
        for (std::size_t i = 0; i < 2; ++i)
          for (std::size_t j = 0; j < 2; ++j)
            blocks.push_back(dense(2 * a + i, 2 * b + j));
      }
    start.push_back(column.size());
  }
  const BlockSparseDelassus<2> sparse(start, column, blocks);
  // The same graph by pieces.
  BodyDelassusData<2> data;
  const std::vector<double> one = { 1., 0., 0., 1. };
  data.piece_compliance.assign(n, one.data());
  data.piece_n_dofs.assign(n, 2);
  data.h_start.push_back(0);
  std::vector<unsigned int> inverse(n);
  for (unsigned int k = 0; k < n; ++k)
    inverse[number[k]] = k;
  for (std::size_t a = 0; a < n; ++a)
  {
    data.entries.push_back({ inverse[a], 0, 1. });
    if (inverse[a] > 0)
      data.entries.push_back({ inverse[a] - 1, 0, -1. });
    data.h_start.push_back(data.entries.size());
    data.frame.push_back({ { 1., 0., 0., 1. } });
  }
  const BodyDelassus<2> body(data);

  for (const DelassusOperator<2> *W :
       { static_cast<const DelassusOperator<2> *>(&sparse),
         static_cast<const DelassusOperator<2> *>(&dense),
         static_cast<const DelassusOperator<2> *>(&body) })
  {
    ContactOrder<2> graph;
    std::vector<unsigned int> order;
    EXPECT_TRUE(graph.by_graph(*W, order));
    ASSERT_EQ(order.size(), n);
    if (order[0] != number[0])
      std::reverse(order.begin(), order.end());
    EXPECT_EQ(order, number) << W->name();
  }
}

TEST(SettledContacts, AreVisitedLessOftenAndTheErrorIsTheSame)
{
  // A wall at rest that is disturbed in one corner.
  const SyntheticWall wall(16, 16);
  const auto W      = assemble_block_sparse(wall.data);
  auto problem      = wall.closed_problem(W, 0.5);
  const auto n      = W.n_contacts();
  const auto result = [&](const ContactCriterion criterion,
                          std::vector<double> P,
                          std::vector<double> &U)
  {
    ContactSolverParameters parameters;
    parameters.criterion  = criterion;
    parameters.tolerance  = 1e-5;
    parameters.max_sweeps = 20000;
    GaussSeidel<2> solver(parameters);
    const ContactResult result = solver.solve(problem, P, U);
    EXPECT_TRUE(result.converged);
    const ContactErrors errors = compute_errors(problem, P, U);
    if (criterion == ContactCriterion::unit_free)
    {
      EXPECT_LE(errors.unit_free, 1e-5);
    }
    return result;
  };
  std::vector<double> P, U;
  ContactSolverParameters parameters;
  parameters.tolerance = 1e-5;
  GaussSeidel<2> solver(parameters);
  ASSERT_TRUE(solver.solve(problem, P, U).converged);
  for (std::size_t i = 0; i < 60; ++i)
    problem.U_free[i] *= 1.2;
  for (const ContactCriterion criterion : { ContactCriterion::unit_free,
                                            ContactCriterion::siconos,
                                            ContactCriterion::impulse_change })
  {
    const ContactResult few = result(criterion, P, U);
    EXPECT_LT(few.n_visits, 0.7 * few.sweeps * n);
    EXPECT_LT(few.n_open, 0.01 * n);
  }
}

TYPED_TEST(Sweeps, AccelerationCutsSweepsOfStiffProblems)
{
  constexpr int dim = TypeParam::value;
  for (const double ratio : { 1., 100. })
    for (const SweepOrder order : all_orders)
    {
      const Pile<dim> pile(40, ratio, 0.5);
      ContactSolverParameters parameters;
      parameters.order      = order;
      parameters.tolerance  = 1e-6;
      parameters.max_sweeps = 10000;
      std::vector<double> P, U, P_plain, U_plain;
      GaussSeidel<dim> plain(parameters);
      const unsigned int without =
          plain.solve(pile.problem, P_plain, U_plain).sweeps;
      parameters.acceleration = 10;
      GaussSeidel<dim> solver(parameters);
      const ContactResult &result = solver.solve(pile.problem, P, U);
      EXPECT_TRUE(result.converged);
      EXPECT_LE(compute_errors(pile.problem, P, U).unit_free, 1e-6);
      EXPECT_LT(5 * result.sweeps, without) << int(order) << ", " << ratio;
    }
}

TYPED_TEST(Sweeps, AccelerationLosesNothing)
{
  constexpr int dim = TypeParam::value;
  for (unsigned int seed = 0; seed < 8; ++seed)
  {
    Random random(400 + seed);
    const RandomBodies<dim> bodies(random, 20, 50);
    const auto sparse = assemble_block_sparse(bodies.data);
    const DenseDelassus<dim> dense(sparse);
    const BodyDelassus<dim> body(bodies.data);
    ContactProblem<dim> problem =
        random_loading<dim>(random, sparse, 0.1 * (seed % 4));
    for (const DelassusOperator<dim> *W :
         { static_cast<const DelassusOperator<dim> *>(&sparse),
           static_cast<const DelassusOperator<dim> *>(&dense),
           static_cast<const DelassusOperator<dim> *>(&body) })
      for (const SweepOrder order : all_orders)
      {
        problem.W = W;
        ContactSolverParameters parameters;
        parameters.order     = order;
        parameters.tolerance = 1e-10;
        std::vector<double> P, U, P_plain, U_plain;
        GaussSeidel<dim> plain(parameters);
        const ContactResult without = plain.solve(problem, P_plain, U_plain);
        ASSERT_TRUE(without.converged);
        for (const unsigned int memory : { 1u, 4u, 12u })
        {
          parameters.acceleration = memory;
          parameters.max_sweeps   = 5000;
          GaussSeidel<dim> solver(parameters);
          P.clear();
          const ContactResult result = solver.solve(problem, P, U);
          EXPECT_TRUE(result.converged);
          EXPECT_LE(compute_errors(problem, P, U).unit_free, 1e-10);
          EXPECT_LT(difference(U, U_plain), 1e-7 * largest(problem.U_free));
          EXPECT_LE(result.sweeps, without.sweeps + 4);
          // Where sweeps are cut off, the plain iteration has hardly got
          // farther.
          for (const unsigned int n : { 10u, 20u, 40u })
            if (n < result.sweeps)
            {
              parameters.max_sweeps = n;
              GaussSeidel<dim> accelerated(parameters);
              parameters.acceleration = 0;
              GaussSeidel<dim> not_accelerated(parameters);
              parameters.acceleration = memory;
              std::vector<double> P1, P2;
              EXPECT_LT(
                  accelerated.solve(problem, P1, U).errors.unit_free,
                  1.3 * not_accelerated.solve(problem, P2, U).errors.unit_free);
            }
        }
      }
  }
}

TEST(Acceleration, LawsThatAreNoShiftConverge)
{
  Random random(420);
  const RandomBodies<2> bodies(random, 12, 40);
  const auto W              = assemble_block_sparse(bodies.data);
  ContactProblem<2> problem = random_loading<2>(random, W, 0.3);
  const LocalMatrix<2> I    = identity_matrix<2>(), zero{};
  for (std::size_t a = 0; a < 40; ++a)
    if (a % 3 == 0)
      problem.laws[a].affine =
          std::make_shared<const AffineLaw<2>>(AffineLaw<2>::from_inverse(
              I, scale(0.1, I), zero, I, problem.laws[a].shift, {}));
    else if (a % 3 == 1)
      problem.laws[a].threshold = 0.1;
    else if (a % 7 == 0)
      problem.laws[a].active = false;
  ContactSolverParameters parameters;
  parameters.tolerance = 1e-10;
  GaussSeidel<2> plain(parameters);
  parameters.acceleration = 5;
  GaussSeidel<2> solver(parameters);
  std::vector<double> P, U, P_plain, U_plain;
  EXPECT_TRUE(plain.solve(problem, P_plain, U_plain).converged);
  EXPECT_TRUE(solver.solve(problem, P, U).converged);
  EXPECT_LT(difference(U, U_plain), 1e-7);
}
