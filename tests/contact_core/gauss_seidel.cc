#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>

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
class GaussSeidelTest : public ::testing::Test
{
};
TYPED_TEST_SUITE(GaussSeidelTest, Dimensions);

ContactSolverParameters with_tolerance(const double tolerance)
{
  ContactSolverParameters parameters;
  parameters.tolerance = tolerance;
  return parameters;
}

double distance(const std::vector<double> &x, const std::vector<double> &y)
{
  double sum = 0.;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

/// An operator the solver does not know.
template <int dim>
class Stranger : public DelassusOperator<dim>
{
public:
  explicit Stranger(const DelassusOperator<dim> &W)
      : W(W)
  {
  }
  std::size_t n_contacts() const override
  {
    return W.n_contacts();
  }
  void diagonal_block(std::size_t a, double *block) const override
  {
    W.diagonal_block(a, block);
  }
  void multiply(const double *P, double *U) const override
  {
    W.multiply(P, U);
  }
  void velocity_at(std::size_t a,
                   const double *P,
                   const double *buffer,
                   double *U) const override
  {
    W.velocity_at(a, P, buffer, U);
  }
  std::size_t memory_consumption() const override
  {
    return 0;
  }
  const char *name() const override
  {
    return "stranger";
  }

private:
  const DelassusOperator<dim> &W;
};
} // namespace

TYPED_TEST(GaussSeidelTest, AllStoragesAndOrdersAgree)
{
  constexpr int dim = TypeParam::value;
  for (unsigned int seed = 41; seed < 51; ++seed)
  {
    Random random(seed);
    const RandomBodies<dim> bodies(random, 14, 30);
    const BlockSparseDelassus<dim> sparse = assemble_block_sparse(bodies.data);
    const DenseDelassus<dim> dense(sparse);
    const BodyDelassus<dim> body(bodies.data);
    const Stranger<dim> stranger(sparse);
    ContactProblem<dim> problem = random_loading<dim>(random, sparse, 0.3);

    std::vector<double> P_first, U_first;
    for (const DelassusOperator<dim> *W :
         { static_cast<const DelassusOperator<dim> *>(&sparse),
           static_cast<const DelassusOperator<dim> *>(&dense),
           static_cast<const DelassusOperator<dim> *>(&body),
           static_cast<const DelassusOperator<dim> *>(&stranger) })
      for (const SweepOrder order : { SweepOrder::symmetric,
                                      SweepOrder::forward,
                                      SweepOrder::random,
                                      SweepOrder::graph })
      {
        problem.W                          = W;
        ContactSolverParameters parameters = with_tolerance(1e-11);
        parameters.order                   = order;
        GaussSeidel<dim> solver(parameters);
        std::vector<double> P, U;
        const ContactResult &result = solver.solve(problem, P, U);
        ASSERT_TRUE(result.converged) << W->name() << ", seed " << seed;
        EXPECT_LE(result.errors.unit_free, 1e-11);
        EXPECT_EQ(result.n_open + result.n_stick + result.n_slip, 30u);
        EXPECT_EQ(result.n_visits <= 30u * result.sweeps, true);

        // Independently of the solver's own book-keeping.
        std::vector<double> U_again;
        EXPECT_LE(compute_errors(problem, P, U_again).unit_free, 1.01e-11);
        EXPECT_EQ(U, U_again);
        for (std::size_t a = 0; a < 30; ++a)
          if (result.status[a] == ContactStatus::open)
          {
            EXPECT_EQ(P[dim * a], 0.);
          }
        if (P_first.empty())
        {
          P_first = P;
          U_first = U;
        }
        EXPECT_LT(distance(U, U_first), 1e-8);
        EXPECT_LT(distance(P, P_first), 1e-8);
      }
  }
}

TYPED_TEST(GaussSeidelTest, WarmStartNeedsOneSweepAtMost)
{
  constexpr int dim = TypeParam::value;
  Random random(52);
  const RandomBodies<dim> bodies(random, 14, 40);
  const auto W                      = assemble_block_sparse(bodies.data);
  const ContactProblem<dim> problem = random_loading<dim>(random, W, 0.4);
  GaussSeidel<dim> solver(with_tolerance(1e-9));
  std::vector<double> P, U;
  const unsigned int cold = solver.solve(problem, P, U).sweeps;
  EXPECT_GT(cold, 3u);
  const std::vector<double> solution = P;
  const ContactResult &warm          = solver.solve(problem, P, U);
  EXPECT_TRUE(warm.converged);
  EXPECT_LE(warm.sweeps, 1u);
  EXPECT_LT(distance(P, solution), 1e-7);

  ContactSolverParameters parameters = with_tolerance(1e-9);
  parameters.warm_start              = false;
  GaussSeidel<dim> forgetful(parameters);
  EXPECT_EQ(forgetful.solve(problem, P, U).sweeps, cold);
}

TYPED_TEST(GaussSeidelTest, RelaxationFindsTheSameSolution)
{
  constexpr int dim = TypeParam::value;
  Random random(53);
  const RandomBodies<dim> bodies(random, 14, 30);
  const auto W                      = assemble_block_sparse(bodies.data);
  const ContactProblem<dim> problem = random_loading<dim>(random, W, 0.3);
  std::vector<double> reference;
  for (const double omega : { 1., 0.5, 0.7, 1.2 })
  {
    ContactSolverParameters parameters = with_tolerance(1e-11);
    parameters.relaxation              = omega;
    GaussSeidel<dim> solver(parameters);
    std::vector<double> P, U;
    EXPECT_TRUE(solver.solve(problem, P, U).converged) << omega;
    if (reference.empty())
      reference = U;
    EXPECT_LT(distance(U, reference), 1e-8) << omega;
    for (std::size_t a = 0; a < 30; ++a)
    {
      // In the cone at all times, over-relaxed or not.
      LocalVector<dim> P_a;
      std::copy_n(P.begin() + dim * a, dim, P_a.begin());
      EXPECT_GE(P_a[0], 0.);
      EXPECT_LE(tangential_norm(P_a), 0.3 * P_a[0] * (1. + 1e-12));
    }
  }
}

TYPED_TEST(GaussSeidelTest, OverRelaxedIteratesStayInTheCone)
{
  constexpr int dim = TypeParam::value;
  Random random(61);
  const RandomBodies<dim> bodies(random, 14, 30);
  const auto W                      = assemble_block_sparse(bodies.data);
  const ContactProblem<dim> problem = random_loading<dim>(random, W, 0.3);
  for (unsigned int n = 1; n < 8; ++n)
  {
    ContactSolverParameters parameters = with_tolerance(1e-12);
    parameters.relaxation              = 1.8;
    parameters.max_sweeps              = n;
    GaussSeidel<dim> solver(parameters);
    std::vector<double> P, U;
    solver.solve(problem, P, U);
    for (std::size_t a = 0; a < 30; ++a)
    {
      LocalVector<dim> P_a;
      std::copy_n(P.begin() + dim * a, dim, P_a.begin());
      EXPECT_GE(P_a[0], 0.);
      EXPECT_LE(tangential_norm(P_a), 0.3 * P_a[0] * (1. + 1e-12));
    }
  }
}

TYPED_TEST(GaussSeidelTest, NotConvergedIsSaid)
{
  constexpr int dim = TypeParam::value;
  Random random(54);
  const RandomBodies<dim> bodies(random, 10, 40);
  const auto W                       = assemble_block_sparse(bodies.data);
  const ContactProblem<dim> problem  = random_loading<dim>(random, W, 0.3);
  ContactSolverParameters parameters = with_tolerance(1e-12);
  for (const unsigned int n : { 0u, 1u, 2u, 3u })
  {
    parameters.max_sweeps = n;
    GaussSeidel<dim> solver(parameters);
    std::vector<double> P, U, U_again;
    const ContactResult &result = solver.solve(problem, P, U);
    EXPECT_FALSE(result.converged);
    EXPECT_EQ(result.sweeps, n);
    EXPECT_GT(result.errors.unit_free, 1e-12);
    EXPECT_EQ(compute_errors(problem, P, U_again).unit_free,
              result.errors.unit_free);
    EXPECT_EQ(U, U_again);
  }
}

TYPED_TEST(GaussSeidelTest, EveryCriterionMeansWhatItSays)
{
  constexpr int dim = TypeParam::value;
  Random random(55);
  const RandomBodies<dim> bodies(random, 14, 40);
  const auto W                      = assemble_block_sparse(bodies.data);
  const ContactProblem<dim> problem = random_loading<dim>(random, W, 0.3);
  const double tolerance            = 1e-7;
  std::vector<double> P, U;
  const auto solve = [&](const ContactCriterion criterion)
  {
    ContactSolverParameters parameters = with_tolerance(tolerance);
    parameters.criterion               = criterion;
    parameters.gap_margin              = 1e-8;
    parameters.force_margin            = 1e-5;
    P.clear();
    GaussSeidel<dim> solver(parameters);
    const ContactResult result = solver.solve(problem, P, U);
    EXPECT_TRUE(result.converged);
    EXPECT_GT(result.sweeps, 1u);
    return result;
  };
  EXPECT_LE(solve(ContactCriterion::unit_free).errors.unit_free, tolerance);
  EXPECT_LE(solve(ContactCriterion::siconos).errors.siconos, tolerance);
  EXPECT_LE(solve(ContactCriterion::impulse_change).errors.impulse_change,
            tolerance);
  const ContactErrors errors = solve(ContactCriterion::worst_violation).errors;
  EXPECT_LE(errors.penetration, tolerance);
  EXPECT_LE(errors.cone, tolerance);
  EXPECT_LE(errors.complementarity, tolerance);
  solve(ContactCriterion::relaxed);
  EXPECT_LE(relaxed_violation(problem, P, U, 1e-8, 1e-5), 1.);
  EXPECT_GT(relaxed_violation(problem, P, U, 1e-14, 1e-11), 1.);
}

TYPED_TEST(GaussSeidelTest, UnitsDoNotMatter)
{
  constexpr int dim = TypeParam::value;
  Random random(56);
  RandomBodies<dim> bodies(random, 14, 40);
  const auto W                      = assemble_block_sparse(bodies.data);
  const ContactProblem<dim> problem = random_loading<dim>(random, W, 0.3);
  GaussSeidel<dim> solver(with_tolerance(1e-8));
  std::vector<double> P, U;
  const unsigned int sweeps = solver.solve(problem, P, U).sweeps;
  const auto status         = solver.solve(problem, P, U).status;
  for (const double s : { 1e-12, 1e-6, 1e6 })
    for (const double t : { 1e-6, 1e3 })
    {
      const std::size_t n = W.n_blocks() * dim * dim;
      std::vector<double> blocks(W.block_data(), W.block_data() + n);
      for (double &w : blocks)
        w *= s;
      const BlockSparseDelassus<dim> scaled_W(
          std::vector<std::size_t>(W.row_start_data(), W.row_start_data() + 41),
          std::vector<unsigned int>(W.column_data(),
                                    W.column_data() + W.n_blocks()),
          blocks);
      ContactProblem<dim> scaled = problem;
      scaled.W                   = &scaled_W;
      for (double &u : scaled.U_free)
        u *= t;
      for (auto &law : scaled.laws)
        law.shift[0] *= t;
      std::vector<double> P_scaled, U_scaled;
      const ContactResult &result = solver.solve(scaled, P_scaled, U_scaled);
      EXPECT_TRUE(result.converged);
      EXPECT_NEAR(result.sweeps, sweeps, 1);
      EXPECT_EQ(result.status, status);
      for (double &p : P_scaled)
        p *= s / t;
      EXPECT_LT(distance(P, P_scaled), 1e-6);
    }
}

TYPED_TEST(GaussSeidelTest, ElasticJointsEqualASofterW)
{
  // calU = U + S P with the standard law is W + S with the standard law.
  constexpr int dim = TypeParam::value;
  Random random(57);
  const std::size_t n = 25;
  const RandomBodies<dim> bodies(random, 10, n);
  const DenseDelassus<dim> W(assemble_block_sparse(bodies.data));
  ContactProblem<dim> plain = random_loading<dim>(random, W, 0.3);
  const LocalMatrix<dim> I  = identity_matrix<dim>(), zero{};
  const LocalMatrix<dim> S  = random_positive_definite<dim>(random, 5.);

  ContactProblem<dim> joints = plain;
  for (auto &law : joints.laws)
    law.affine = std::make_shared<const AffineLaw<dim>>(
        AffineLaw<dim>::from_inverse(I, S, zero, I, law.shift, {}));
  std::vector<double> matrix(dim * n * dim * n);
  for (std::size_t i = 0; i < dim * n; ++i)
    for (std::size_t j = 0; j < dim * n; ++j)
      matrix[i * dim * n + j] =
          W(i, j) + (i / dim == j / dim ? S[i % dim * dim + j % dim] : 0.);
  const DenseDelassus<dim> softer(n, matrix);
  plain.W = &softer;

  for (const double omega : { 1., 0.7 })
  {
    ContactSolverParameters parameters = with_tolerance(1e-11);
    parameters.relaxation              = omega;
    GaussSeidel<dim> solver(parameters);
    std::vector<double> P1, U1, P2, U2;
    EXPECT_TRUE(solver.solve(plain, P1, U1).converged);
    EXPECT_TRUE(solver.solve(joints, P2, U2).converged);
    EXPECT_LT(distance(P1, P2), 1e-8);
    // U of the joints is the bodies' own: W P + U_free.
    std::vector<double> U(dim * n);
    W.multiply(P2.data(), U.data());
    for (std::size_t i = 0; i < dim * n; ++i)
      EXPECT_NEAR(U2[i], U[i] + joints.U_free[i], 1e-12);
  }
}

TYPED_TEST(GaussSeidelTest, InactiveContactsAreLeftOut)
{
  constexpr int dim = TypeParam::value;
  Random random(58);
  const std::size_t n = 20;
  const RandomBodies<dim> bodies(random, 10, n);
  const DenseDelassus<dim> W(assemble_block_sparse(bodies.data));
  ContactProblem<dim> problem = random_loading<dim>(random, W, 0.3);
  // Half of them inactive, the others as a problem of their own.
  ContactProblem<dim> half;
  std::vector<double> matrix;
  std::vector<std::size_t> kept;
  for (std::size_t a = 0; a < n; ++a)
  {
    problem.laws[a].active = a % 2 == 0;
    if (a % 2 == 0)
    {
      kept.push_back(a);
      half.laws.push_back(problem.laws[a]);
      for (int c = 0; c < dim; ++c)
        half.U_free.push_back(problem.U_free[dim * a + c]);
    }
  }
  for (const std::size_t a : kept)
    for (int i = 0; i < dim; ++i)
      for (const std::size_t b : kept)
        for (int j = 0; j < dim; ++j)
          matrix.push_back(W(dim * a + i, dim * b + j));
  const DenseDelassus<dim> W_half(kept.size(), matrix);
  half.W = &W_half;
  GaussSeidel<dim> solver(with_tolerance(1e-11));
  std::vector<double> P(dim * n, 1.), U, P_half, U_half;
  EXPECT_TRUE(solver.solve(problem, P, U).converged);
  EXPECT_TRUE(solver.solve(half, P_half, U_half).converged);
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (int c = 0; c < dim; ++c)
    {
      EXPECT_NEAR(P[dim * kept[i] + c], P_half[dim * i + c], 1e-8);
      EXPECT_EQ(P[dim * (kept[i] + 1) + c], 0.);
    }
}

TYPED_TEST(GaussSeidelTest, NothingToDo)
{
  constexpr int dim = TypeParam::value;
  GaussSeidel<dim> solver(with_tolerance(1e-8));
  std::vector<double> P, U;
  const ContactResult &none = solver.solve(ContactProblem<dim>(), P, U);
  EXPECT_TRUE(none.converged);
  EXPECT_EQ(none.sweeps, 0u);
  EXPECT_TRUE(none.status.empty());

  // No velocity, no impulse, whatever the start.
  Random random(59);
  const RandomBodies<dim> bodies(random, 5, 6);
  const auto W                = assemble_block_sparse(bodies.data);
  ContactProblem<dim> problem = random_loading<dim>(random, W, 0.3);
  problem.U_free.assign(dim * 6, 0.);
  for (auto &law : problem.laws)
    law.shift.fill(0.);
  P.assign(dim * 6, 0.3);
  const ContactResult &rest = solver.solve(problem, P, U);
  EXPECT_TRUE(rest.converged);
  EXPECT_EQ(rest.errors.unit_free, 0.);
  for (const double p : P)
    EXPECT_EQ(p, 0.);

  // All separate: one sweep.
  for (std::size_t a = 0; a < 6; ++a)
    problem.U_free[dim * a] = 1.;
  P.clear();
  const ContactResult &apart = solver.solve(problem, P, U);
  EXPECT_TRUE(apart.converged);
  EXPECT_EQ(apart.sweeps, 1u);
  EXPECT_EQ(apart.n_open, 6u);
}

TYPED_TEST(GaussSeidelTest, WhatIsNotFiniteIsNamed)
{
  constexpr int dim = TypeParam::value;
  constexpr int d2  = dim * dim;
  Random random(60);
  const RandomBodies<dim> bodies(random, 6, 12);
  const auto W = assemble_block_sparse(bodies.data);
  GaussSeidel<dim> solver(with_tolerance(1e-8));
  const ContactProblem<dim> good = random_loading<dim>(random, W, 0.3);
  const double nan               = std::numeric_limits<double>::quiet_NaN();
  const auto message             = [&](const ContactProblem<dim> &problem,
                           std::vector<double> P) -> std::string
  {
    std::vector<double> U;
    try
    {
      solver.solve(problem, P, U);
    }
    catch (const ComputationError &error)
    {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(good, {}), "");
  ContactProblem<dim> bad = good;
  bad.U_free[dim * 7 + 1] = nan;
  EXPECT_NE(message(bad, {}).find("Contact 7"), std::string::npos);
  std::vector<double> start(dim * 12, 0.);
  start[dim * 5] = std::numeric_limits<double>::infinity();
  EXPECT_NE(message(good, start).find("Contact 5"), std::string::npos);
  EXPECT_NE(message(good, { 1. }), "");

  // A block beside the diagonal.
  const std::vector<std::size_t> rows(W.row_start_data(),
                                      W.row_start_data() + 13);
  const std::vector<unsigned int> columns(W.column_data(),
                                          W.column_data() + W.n_blocks());
  std::vector<double> blocks(W.block_data(),
                             W.block_data() + d2 * columns.size());
  std::size_t k = rows[4];
  while (columns[k] == 4)
    ++k;
  blocks[d2 * k] = nan;
  const BlockSparseDelassus<dim> broken(rows, columns, blocks);
  bad   = good;
  bad.W = &broken;
  EXPECT_NE(message(bad, {}).find("Contact"), std::string::npos);

  // A diagonal block that is not positive definite.
  blocks.assign(W.block_data(), W.block_data() + d2 * columns.size());
  k = rows[3];
  while (columns[k] != 3)
    ++k;
  blocks[d2 * k + d2 - 1] = -5.;
  const BlockSparseDelassus<dim> indefinite(rows, columns, blocks);
  bad.W = &indefinite;
  EXPECT_NE(message(bad, {}).find("Contact 3"), std::string::npos);
}

TEST(GaussSeidel, OneContactIsExact)
{
  // LOC-2D "slip, coupled" and LOC-3D, by the solver.
  GaussSeidel<2> solver(with_tolerance(1e-13));
  const DenseDelassus<2> W(1, { 2., .5, .5, 1. });
  ContactProblem<2> problem;
  problem.W      = &W;
  problem.U_free = { -1., 0.2 };
  problem.laws.resize(1);
  problem.laws[0].friction = 0.3;
  std::vector<double> P, U;
  EXPECT_EQ(solver.solve(problem, P, U).n_slip, 1u);
  EXPECT_NEAR(P[0], 1. / 1.85, 1e-12);
  EXPECT_NEAR(P[1], -0.3 / 1.85, 1e-12);

  GaussSeidel<3> solver3(with_tolerance(1e-13));
  const DenseDelassus<3> W3(1, { 2., .3, .1, .3, 1., .05, .1, .05, 1.2 });
  ContactProblem<3> problem3;
  problem3.W      = &W3;
  problem3.U_free = { -1., .5, -.2 };
  problem3.laws.resize(1);
  problem3.laws[0].friction = 0.4;
  P.clear();
  EXPECT_EQ(solver3.solve(problem3, P, U).n_slip, 1u);
  EXPECT_NEAR(P[0], 0.52863625, 1e-8);
  EXPECT_NEAR(P[1], -0.20633071, 1e-8);
  EXPECT_NEAR(P[2], 0.04626708, 1e-8);
}

TEST(GaussSeidel, IllPosedAndImmovableContactsAreCounted)
{
  // Contact 0 ill posed, contact 1 between prescribed dofs, contact 2 plain.
  std::vector<double> matrix(36, 0.);
  matrix[0] = matrix[7] = 1.;
  matrix[1] = matrix[6] = 0.9;
  matrix[28] = matrix[35] = 1.;
  const DenseDelassus<2> W(3, matrix);
  ContactProblem<2> problem;
  problem.W      = &W;
  problem.U_free = { -1., 0.2, 0., 0., -1., 0.1 };
  problem.laws.resize(3);
  for (auto &law : problem.laws)
    law.friction = 2.;
  GaussSeidel<2> solver(with_tolerance(1e-12));
  std::vector<double> P, U;
  const ContactResult &result = solver.solve(problem, P, U);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.n_ill_posed, 1u);
  EXPECT_EQ(result.n_immovable, 1u);
  EXPECT_EQ(P[2], 0.);

  // Driven into each other: cannot be helped, and is said.
  problem.U_free[2] = -1.;
  P.clear();
  EXPECT_FALSE(solver.solve(problem, P, U).converged);
}

TEST(GaussSeidel, WallInAllStorages)
{
  const SyntheticWall wall(12, 12);
  const auto sparse = assemble_block_sparse(wall.data);
  const BodyDelassus<2> body(wall.data);
  std::vector<double> reference;
  unsigned int sweeps = 0;
  for (const DelassusOperator<2> *W :
       { static_cast<const DelassusOperator<2> *>(&sparse),
         static_cast<const DelassusOperator<2> *>(&body) })
  {
    ContactProblem<2> problem = wall.problem(sparse, 0.5);
    problem.W                 = W;
    GaussSeidel<2> solver(with_tolerance(1e-3));
    std::vector<double> P, U, U_again;
    const ContactResult &result = solver.solve(problem, P, U);
    EXPECT_TRUE(result.converged) << W->name();
    EXPECT_LE(compute_errors(problem, P, U_again).unit_free, 1.01e-3);
    EXPECT_GT(result.n_stick, 100u);
    EXPECT_GT(result.n_open, 10u);
    // Those that stay open were visited less often.
    EXPECT_LT(result.n_visits, result.sweeps * W->n_contacts());
    if (reference.empty())
    {
      reference = U;
      sweeps    = result.sweeps;
    }
    // The same iteration, up to rounding.
    EXPECT_LT(distance(U, reference), 1e-7);
    EXPECT_NEAR(result.sweeps, sweeps, 2);
  }
}

TEST(GaussSeidel, ParametersOutOfRangeAreRefused)
{
  ContactSolverParameters parameters;
  parameters.relaxation = 2.;
  EXPECT_THROW(GaussSeidel<2>{ parameters }, InputError);
  parameters           = ContactSolverParameters();
  parameters.tolerance = 0.;
  EXPECT_THROW(GaussSeidel<3>{ parameters }, InputError);
  parameters           = ContactSolverParameters();
  parameters.criterion = ContactCriterion::relaxed;
  EXPECT_THROW(GaussSeidel<3>{ parameters }, InputError);
}
