// Sweeps by threads: the same answers as from one.
#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/parallel_gauss_seidel.h>

#include "dimensions.h"
#include "random_problems.h"
#include "synthetic_wall.h"

#include <gtest/gtest.h>

#include <limits>

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <typename T>
class ParallelSweeps : public ::testing::Test
{
};
TYPED_TEST_SUITE(ParallelSweeps, Dimensions);

double difference(const std::vector<double> &x, const std::vector<double> &y)
{
  double result = 0.;
  for (std::size_t i = 0; i < x.size(); ++i)
    result = std::max(result, std::abs(x[i] - y[i]));
  return result;
}

/// A long row of pieces, so that there is something to cut.
template <int dim>
BlockSparseDelassus<dim> row_of_pieces(Random &random, const unsigned int n)
{
  RandomBodies<dim> bodies(random, n, 1);
  auto &data = bodies.data;
  data.entries.clear();
  data.frame.clear();
  data.h_start.assign(1, 0);
  for (unsigned int a = 0; a < 2 * n; ++a)
  {
    const unsigned int piece = a / 2;
    data.entries.push_back({ piece, a % 2, 1. });
    if (piece > 0)
      data.entries.push_back({ piece - 1, 2 + a % 2, -1. });
    data.h_start.push_back(data.entries.size());
    data.frame.push_back(random_rotation<dim>(random));
  }
  return assemble_block_sparse(data);
}
} // namespace


TYPED_TEST(ParallelSweeps, FindTheSolutionOfOneThread)
{
  constexpr int dim = TypeParam::value;
  for (unsigned int seed = 0; seed < 3; ++seed)
  {
    Random random(500 + seed);
    const auto W                      = row_of_pieces<dim>(random, 60);
    const ContactProblem<dim> problem = random_loading<dim>(random, W, 0.2);
    for (const SweepOrder order : { SweepOrder::forward,
                                    SweepOrder::symmetric,
                                    SweepOrder::random,
                                    SweepOrder::graph })
      for (const unsigned int memory : { 0u, 5u })
      {
        ContactSolverParameters parameters;
        parameters.tolerance    = 1e-10;
        parameters.order        = order;
        parameters.acceleration = memory;
        GaussSeidel<dim> sequential(parameters);
        std::vector<double> P_one, U_one;
        ASSERT_TRUE(sequential.solve(problem, P_one, U_one).converged);
        for (const unsigned int n_threads : { 1u, 2u, 3u, 5u })
        {
          SCOPED_TRACE(std::to_string(n_threads) + " threads, order " +
                       std::to_string(int(order)));
          parameters.n_threads = n_threads;
          ParallelGaussSeidel<dim> solver(parameters);
          std::vector<double> P, U, U_again;
          const ContactResult result = solver.solve(problem, P, U);
          EXPECT_EQ(solver.n_threads_used(), n_threads);
          EXPECT_TRUE(result.converged);
          EXPECT_EQ(result.solver, "parallel Gauss-Seidel");
          EXPECT_EQ(result.n_open + result.n_stick + result.n_slip,
                    problem.n_contacts());
          EXPECT_NEAR(compute_errors(problem, P, U_again).unit_free,
                      result.errors.unit_free,
                      1e-6 * result.errors.unit_free);
          EXPECT_LT(difference(U, U_again), 1e-14);
          EXPECT_LT(difference(U, U_one), 1e-7);
          if (n_threads == 1)
          {
            EXPECT_EQ(P, P_one);
          }

          // Bit for bit the same the second time, and by another object.
          const std::vector<double> first = P;
          P.clear();
          EXPECT_EQ(solver.solve(problem, P, U).n_visits, result.n_visits);
          EXPECT_EQ(P, first);
          ParallelGaussSeidel<dim> other(parameters);
          P.clear();
          EXPECT_EQ(other.solve(problem, P, U).sweeps, result.sweeps);
          EXPECT_EQ(P, first);
        }
      }
  }
}

TEST(ParallelWall, NeedsAsManySweeps)
{
  const SyntheticWall wall(16, 16);
  const auto W        = assemble_block_sparse(wall.data);
  const auto problem  = wall.closed_problem(W, 0.5);
  unsigned int sweeps = 0;
  for (const unsigned int n_threads : { 1u, 2u, 4u })
  {
    ContactSolverParameters parameters;
    parameters.tolerance = 1e-3;
    parameters.n_threads = n_threads;
    ParallelGaussSeidel<2> solver(parameters);
    std::vector<double> P, U;
    const ContactResult &result = solver.solve(problem, P, U);
    EXPECT_EQ(solver.n_threads_used(), n_threads);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(compute_errors(problem, P, U).unit_free, 1.000001e-3);
    if (n_threads == 1)
      sweeps = result.sweeps;
    // Another order of the contacts, but no other method.
    EXPECT_LT(result.sweeps, 2 * sweeps);
    EXPECT_LT(result.n_visits, double(result.sweeps) * W.n_contacts());
  }
}

TYPED_TEST(ParallelSweeps, OtherProblemsOneAfterAnother)
{
  // Patterns change and come back; other storages take one thread.
  constexpr int dim = TypeParam::value;
  Random random(520);
  const auto W1 = row_of_pieces<dim>(random, 30);
  const auto W2 = row_of_pieces<dim>(random, 47);
  const DenseDelassus<dim> dense(W1);
  const ContactProblem<dim> problem1 = random_loading<dim>(random, W1, 0.2);
  const ContactProblem<dim> problem2 = random_loading<dim>(random, W2, 0.2);
  ContactProblem<dim> problem3       = problem1;
  problem3.W                         = &dense;
  ContactSolverParameters parameters;
  parameters.tolerance = 1e-10;
  parameters.n_threads = 3;
  ParallelGaussSeidel<dim> solver(parameters);
  GaussSeidel<dim> sequential(parameters);
  const ContactProblem<dim> *all[] = {
    &problem1, &problem2, &problem1, &problem3
  };
  for (const ContactProblem<dim> *problem : all)
  {
    std::vector<double> P, U, P_one, U_one;
    EXPECT_TRUE(solver.solve(*problem, P, U).converged);
    EXPECT_EQ(solver.n_threads_used(), problem == &problem3 ? 1u : 3u);
    EXPECT_TRUE(sequential.solve(*problem, P_one, U_one).converged);
    EXPECT_LT(difference(U, U_one), 1e-7);
  }

  // Nothing to do, and hardly anything.
  std::vector<double> P, U;
  EXPECT_TRUE(solver.solve(ContactProblem<dim>(), P, U).converged);
  const auto tiny = row_of_pieces<dim>(random, 1);
  P.clear();
  EXPECT_TRUE(
      solver.solve(random_loading<dim>(random, tiny, 0.1), P, U).converged);
}

TYPED_TEST(ParallelSweeps, EverythingCoupledIsLeftToOneThread)
{
  constexpr int dim = TypeParam::value;
  Random random(530);
  const RandomBodies<dim> bodies(random, 3, 40);
  const auto W                      = assemble_block_sparse(bodies.data);
  const ContactProblem<dim> problem = random_loading<dim>(random, W, 0.1);
  ContactSolverParameters parameters;
  parameters.tolerance  = 1e-6;
  parameters.max_sweeps = 50;
  parameters.n_threads  = 4;
  ParallelGaussSeidel<dim> solver(parameters);
  GaussSeidel<dim> sequential(parameters);
  std::vector<double> P, U, P_one, U_one;
  solver.solve(problem, P, U);
  sequential.solve(problem, P_one, U_one);
  EXPECT_EQ(solver.n_threads_used(), 1u);
  EXPECT_EQ(P, P_one);
}

TYPED_TEST(ParallelSweeps, ErrorsAreNamed)
{
  constexpr int dim = TypeParam::value;
  Random random(540);
  const auto W                = row_of_pieces<dim>(random, 30);
  ContactProblem<dim> problem = random_loading<dim>(random, W, 0.3);
  ContactSolverParameters parameters;
  parameters.n_threads = 2;
  ParallelGaussSeidel<dim> solver(parameters);
  std::vector<double> P, U;
  problem.U_free[dim * 7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solver.solve(problem, P, U), ComputationError);

  const std::size_t n = W.n_contacts();
  std::vector<double> blocks(W.block_data(),
                             W.block_data() + dim * dim * W.n_blocks());
  const std::vector<std::size_t> rows(W.row_start_data(),
                                      W.row_start_data() + n + 1);
  const std::vector<unsigned int> columns(W.column_data(),
                                          W.column_data() + W.n_blocks());
  std::size_t k = rows[4];
  while (columns[k] == 4)
    ++k;
  blocks[dim * dim * k] = std::numeric_limits<double>::quiet_NaN();
  const BlockSparseDelassus<dim> broken(rows, columns, blocks);
  problem   = random_loading<dim>(random, W, 0.3);
  problem.W = &broken;
  EXPECT_THROW(solver.solve(problem, P, U), ComputationError);

  parameters.n_threads = 0;
  EXPECT_THROW(ParallelGaussSeidel<dim>{ parameters }, InputError);
  parameters.n_threads = 2;
  parameters.type      = ContactSolverType::parallel_gauss_seidel;
  EXPECT_STREQ(make_contact_solver<dim>(parameters)->name(),
               "parallel Gauss-Seidel");
}
