#include <delassus/base/exceptions.h>
#include <delassus/contact/local_solvers/local_solver.h>

#include "random_problems.h"

#include <gtest/gtest.h>

#include <limits>

using namespace delassus;
using namespace delassus_tests;

namespace
{
const LocalMatrix<2> identity{ { 1., 0., 0., 1. } };

void expect_solution(const LocalMatrix<2> &W,
                     const LocalVector<2> &q,
                     const double mu,
                     const LocalVector<2> &P,
                     const LocalVector<2> &U,
                     const ContactStatus status)
{
  const auto solution = solve_local<2>(W, q, mu, { { 0., 0. } });
  for (int c = 0; c < 2; ++c)
  {
    EXPECT_NEAR(solution.P[c], P[c], 1e-12);
    EXPECT_NEAR(solution.U[c], U[c], 1e-12);
  }
  EXPECT_EQ(solution.status, status);
  EXPECT_TRUE(solution.well_posed);
}

/// The conditions themselves, branch by branch; the largest violation relative
/// to `size`, a velocity. Independent of the library's natural map.
double violation(const LocalMatrix<2> &W,
                 const LocalVector<2> &q,
                 const double mu,
                 const LocalSolution<2> &s,
                 const double size)
{
  const double U_N = q[0] + W[0] * s.P[0] + W[1] * s.P[1];
  const double U_T = q[1] + W[2] * s.P[0] + W[3] * s.P[1];
  double v         = std::max(std::abs(U_N - s.U[0]), std::abs(U_T - s.U[1]));
  const double w   = W[0];
  switch (s.status)
  {
    case ContactStatus::open:
      v = std::max({ v, w * std::abs(s.P[0]), w * std::abs(s.P[1]), -U_N });
      break;
    case ContactStatus::stick:
      v = std::max({ v,
                     std::abs(U_N),
                     std::abs(U_T),
                     w * (std::abs(s.P[1]) - mu * s.P[0]) });
      break;
    case ContactStatus::slip:
    {
      const double direction = s.P[1] > 0. ? -1. : 1.;
      v                      = std::max({ v,
                                          std::abs(U_N),
                                          -w * s.P[0],
                                          w * std::abs(std::abs(s.P[1]) - mu * s.P[0]),
                     mu > 0. ? -direction * U_T : 0. });
    }
  }
  return v / size;
}
} // namespace

TEST(LocalSolver2D, ReferenceCases)
{
  expect_solution(identity,
                  { { 0.2, 0.5 } },
                  0.3,
                  { { 0., 0. } },
                  { { 0.2, 0.5 } },
                  ContactStatus::open);
  expect_solution(identity,
                  { { -1., 0.3 } },
                  0.5,
                  { { 1., -0.3 } },
                  { { 0., 0. } },
                  ContactStatus::stick);
  expect_solution(identity,
                  { { -1., 0.8 } },
                  0.5,
                  { { 1., -0.5 } },
                  { { 0., 0.3 } },
                  ContactStatus::slip);
  expect_solution({ { 2., .5, .5, 1. } },
                  { { -1., 0.2 } },
                  0.3,
                  { { 1. / 1.85, -0.3 / 1.85 } },
                  { { 0., 0.2 + (0.5 - 0.3) / 1.85 } },
                  ContactStatus::slip);
  EXPECT_NEAR(0.2 + 0.2 / 1.85, 0.308108, 1e-6);
  expect_solution(identity,
                  { { 0., 0.4 } },
                  0.5,
                  { { 0., 0. } },
                  { { 0., 0.4 } },
                  ContactStatus::open);
  // Backward slip, and no friction at all.
  expect_solution(identity,
                  { { -1., -0.8 } },
                  0.5,
                  { { 1., 0.5 } },
                  { { 0., -0.3 } },
                  ContactStatus::slip);
  expect_solution({ { 2., .5, .5, 1. } },
                  { { -1., -0.8 } },
                  0.,
                  { { 0.5, 0. } },
                  { { 0., -0.55 } },
                  ContactStatus::slip);
}

TEST(LocalSolver2D, RandomProblemsSatisfyTheConditions)
{
  Random random(1);
  unsigned int counts[3] = { 0, 0, 0 }, n_ill_posed = 0;
  for (unsigned int i = 0; i < 20000; ++i)
  {
    LocalMatrix<2> W =
        random_positive_definite<2>(random, i % 2 == 0 ? 10. : 1e6);
    if (i % 10 == 4) // slightly nonsymmetric
      W[1] *= 1.002;
    const LocalVector<2> q{ { random.normal(), random.normal() } };
    const double mu = i % 3 == 0   ? random.uniform(0., 1.)
                      : i % 3 == 1 ? random.uniform(0., 10.)
                                   : 0.;
    const LocalVector<2> start{ { random.normal(), random.normal() } };
    const auto s = solve_local<2>(W, q, mu, start);
    // What is summed in U = q + W P.
    const double size = norm(q) + std::max({ W[0], W[3] }) * norm(s.P);
    ASSERT_LT(violation(W, q, mu, s, size), 1e-11) << "problem " << i;
    ASSERT_LT(s.residual, 1e-11);
    ASSERT_EQ(s.well_posed, mu * std::abs(W[1]) < W[0]);
    ++counts[static_cast<int>(s.status)];
    n_ill_posed += !s.well_posed;

    if (s.well_posed)
    {
      // Unique: the start does not matter, and no other branch holds.
      const auto other = solve_local<2>(W, q, mu, { { 0., 0. } });
      ASSERT_NEAR(norm(subtract(other.P, s.P)), 0., 1e-14 * norm(s.P));
    }
  }
  for (const unsigned int count : counts)
    EXPECT_GT(count, 1000u);
  EXPECT_GT(n_ill_posed, 100u);
}

TEST(LocalSolver2D, IllPosedContactTriesEveryBranch)
{
  // mu |W_NT| / W_NN = 1.8. Tests in the usual order would take the forward
  // slip with W_NN - mu W_NT < 0, that is P_N < 0.
  const LocalMatrix<2> W{ { 1., 0.9, 0.9, 1. } };
  const double mu             = 2.;
  unsigned int wrong_in_order = 0;
  Random random(2);
  for (unsigned int i = 0; i < 2000; ++i)
  {
    const LocalVector<2> q{ { -random.uniform(0., 1.), random.normal() } };
    const double det      = W[0] * W[3] - W[1] * W[2];
    const double stick_N  = -(W[3] * q[0] - W[1] * q[1]) / det;
    const double stick_T  = -(W[0] * q[1] - W[2] * q[0]) / det;
    const bool sticks     = std::abs(stick_T) <= mu * stick_N;
    const bool is_forward = !sticks && stick_T < -mu * stick_N;
    if (is_forward && -q[0] / (W[0] - mu * W[1]) < 0.)
      ++wrong_in_order;
    const auto s = solve_local<2>(W, q, mu, { { 0., 0. } });
    EXPECT_FALSE(s.well_posed);
    EXPECT_GE(s.P[0], 0.);
    EXPECT_LT(violation(W, q, mu, s, norm(q) + norm(s.P)), 1e-12);
  }
  EXPECT_GT(wrong_in_order, 50u) << "the test does not test what it should";
}

TEST(LocalSolver2D, AmongSeveralSolutionsTheNearestToTheStart)
{
  // Open and stick both hold: U_free,N > 0 and P_stick inside the cone.
  const LocalMatrix<2> W{ { 1., 0.9, 0.9, 1. } };
  const LocalVector<2> stick{ { 1., -1.5 } };
  const LocalVector<2> q = scale(-1., multiply<2>(W, stick));
  ASSERT_GT(q[0], 0.);
  const auto open = solve_local<2>(W, q, 2., { { 0., 0. } });
  EXPECT_EQ(open.status, ContactStatus::open);
  const auto kept = solve_local<2>(W, q, 2., { { 0.9, -1.4 } });
  EXPECT_EQ(kept.status, ContactStatus::stick);
  EXPECT_NEAR(kept.P[0], 1., 1e-12);
  EXPECT_NEAR(kept.P[1], -1.5, 1e-12);
}

TEST(LocalSolver2D, UnitsDoNotMatter)
{
  Random random(3);
  for (unsigned int i = 0; i < 3000; ++i)
  {
    const LocalMatrix<2> W = random_positive_definite<2>(random, 100.);
    const LocalVector<2> q{ { random.normal(), random.normal() } };
    const LocalVector<2> start{ { random.normal(), random.normal() } };
    const double mu      = random.uniform(0., 3.);
    const double flex    = std::pow(10., random.uniform(-12., 12.));
    const double speed   = std::pow(10., random.uniform(-6., 6.));
    const double impulse = speed / flex;
    const auto s         = solve_local<2>(W, q, mu, start);
    LocalMatrix<2> scaled_W;
    for (int k = 0; k < 4; ++k)
      scaled_W[k] = flex * W[k];
    const auto t =
        solve_local<2>(scaled_W, scale(speed, q), mu, scale(impulse, start));
    ASSERT_EQ(s.status, t.status);
    for (int c = 0; c < 2; ++c)
    {
      ASSERT_NEAR(t.P[c] / impulse, s.P[c], 1e-12 * norm(s.P));
      ASSERT_NEAR(t.U[c] / speed, s.U[c], 1e-12 * (norm(s.P) + norm(q)));
    }
  }
}

TEST(LocalSolver2D, TangentiallyFixedContact)
{
  // Nothing moves along T.
  const LocalMatrix<2> W{ { 2., 0., 0., 0. } };
  const auto rest = solve_local<2>(W, { { -1., 0. } }, 0.5, { { 0., 0. } });
  EXPECT_NEAR(rest.P[0], 0.5, 1e-12);
  EXPECT_NEAR(rest.P[1], 0., 1e-12);
  const auto driven = solve_local<2>(W, { { -1., 3. } }, 0.5, { { 0., 0. } });
  EXPECT_NEAR(driven.P[0], 0.5, 1e-12);
  EXPECT_NEAR(driven.P[1], -0.25, 1e-12);
  EXPECT_NEAR(driven.U[1], 3., 1e-12);
}

TEST(LocalSolver2D, FailuresAreSaid)
{
  const LocalVector<2> q{ { -1., 0. } }, zero{ { 0., 0. } };
  EXPECT_THROW(solve_local<2>({ { -1., 0., 0., 1. } }, q, 0.3, zero),
               ComputationError);
  EXPECT_THROW(solve_local<2>({ { 1., 2., 2., 1. } }, q, 0.3, zero),
               ComputationError);
  EXPECT_THROW(solve_local<2>({ { 0., 0., 0., 0. } }, q, 0.3, zero),
               ComputationError);
  EXPECT_THROW(solve_local<2>(identity, q, -0.1, zero), ComputationError);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solve_local<2>(identity, { { nan, 0. } }, 0.3, zero),
               ComputationError);
  EXPECT_THROW(solve_local<2>({ { nan, 0., 0., 1. } }, q, 0.3, zero),
               ComputationError);
}
