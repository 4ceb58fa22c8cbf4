#include <delassus/base/exceptions.h>
#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/contact/local_solvers/prepared_contact.h>

#include "random_problems.h"

#include <gtest/gtest.h>

#include <limits>

using namespace delassus;
using namespace delassus_tests;

namespace
{
const LocalVector<3> zero{ { 0., 0., 0. } };

/// The conditions of each status, relative to `size`, a velocity.
double violation(const LocalMatrix<3> &W,
                 const LocalVector<3> &q,
                 const double mu,
                 const LocalSolution<3> &s,
                 const double size)
{
  const LocalVector<3> U = add(q, multiply<3>(W, s.P));
  const double w         = W[0];
  const double U_T       = std::hypot(U[1], U[2]);
  const double P_T       = std::hypot(s.P[1], s.P[2]);
  double v               = norm(subtract(U, s.U));
  switch (s.status)
  {
    case ContactStatus::open:
      v = std::max({ v, w * norm(s.P), -U[0] });
      break;
    case ContactStatus::stick:
      v = std::max({ v, norm(U), w * (P_T - mu * s.P[0]) });
      break;
    case ContactStatus::slip:
      // U_T = -lambda P_T, lambda >= 0: U_T . P_T = -|U_T| |P_T|.
      v = std::max(
          { v, std::abs(U[0]), -w * s.P[0], w * std::abs(P_T - mu * s.P[0]) });
      if (mu > 0.)
        for (int c = 1; c < 3; ++c)
          v = std::max(v, std::abs(U[c] + U_T * s.P[c] / P_T));
  }
  return v / size;
}

void expect_near(const LocalVector<3> &x,
                 const LocalVector<3> &y,
                 const double tol)
{
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(x[c], y[c], tol);
}

/// De Saxce's conditions in slip.
void expect_bipotential(const LocalSolution<3> &s, const double mu)
{
  EXPECT_NEAR(s.U[0] * s.P[0], 0., 1e-10);
  EXPECT_NEAR(std::hypot(s.P[1], s.P[2]), mu * s.P[0], 1e-10);
  EXPECT_NEAR(s.U[1] * s.P[2], s.U[2] * s.P[1], 1e-10);
  EXPECT_LE(s.U[1] * s.P[1] + s.U[2] * s.P[2], 0.);
}
} // namespace

TEST(LocalSolver3D, ReferenceCases)
{
  const auto simple =
      solve_local<3>(identity_matrix<3>(), { { -1., 0.6, 0.8 } }, 0.5, zero);
  expect_near(simple.P, { { 1., -0.3, -0.4 } }, 1e-8);
  expect_near(simple.U, { { 0., 0.3, 0.4 } }, 1e-8);
  expect_bipotential(simple, 0.5);

  const auto turned = solve_local<3>(
      diagonal_matrix<3>({ { 1., 1., 2. } }), { { -1., 0.8, 0.8 } }, 0.5, zero);
  expect_near(turned.P, { { 1., -0.4179060, -0.2745079 } }, 5.1e-8);
  expect_near(turned.U, { { 0., 0.3820940, 0.2509842 } }, 5.1e-8);
  expect_bipotential(turned, 0.5);

  const LocalMatrix<3> W{ { 2., .3, .1, .3, 1., .05, .1, .05, 1.2 } };
  const LocalVector<3> q{ { -1., .5, -.2 } };
  const auto slip = solve_local<3>(W, q, 0.4, zero);
  expect_near(slip.P, { { 0.52863625, -0.20633071, 0.04626708 } }, 1e-8);
  expect_near(slip.U, { { 0., 0.45457352, -0.10193242 } }, 1e-8);
  EXPECT_EQ(slip.status, ContactStatus::slip);
  expect_bipotential(slip, 0.4);
  const auto stick = solve_local<3>(W, q, 1.5, zero);
  expect_near(stick.P, { { 0.59561404, -0.68596491, 0.14561404 } }, 1e-8);
  expect_near(stick.U, zero, 1e-12);
  EXPECT_EQ(stick.status, ContactStatus::stick);

  const auto open = solve_local<3>(W, { { 0.1, .5, -.2 } }, 0.4, zero);
  expect_near(open.P, zero, 0.);
  EXPECT_EQ(open.status, ContactStatus::open);
  const auto smooth = solve_local<3>(W, q, 0., zero);
  expect_near(smooth.P, { { 0.5, 0., 0. } }, 1e-14);
}

TEST(LocalSolver3D, RandomProblemsSatisfyTheConditions)
{
  Random random(4);
  unsigned int counts[3] = { 0, 0, 0 }, iterations = 0, most = 0, n_slip = 0;
  for (unsigned int i = 0; i < 20000; ++i)
  {
    LocalMatrix<3> W =
        random_positive_definite<3>(random, i % 2 == 0 ? 10. : 1e5);
    if (i % 10 == 4)
      W[1] *= 1.002;
    const LocalVector<3> q{
      { random.normal() - 0.5, random.normal(), random.normal() }
    };
    const double mu = i % 3 == 0   ? random.uniform(0., 1.)
                      : i % 3 == 1 ? random.uniform(0., 10.)
                                   : std::pow(10., random.uniform(-6., 0.));
    const LocalVector<3> start{
      { random.normal(), random.normal(), random.normal() }
    };
    const auto s      = solve_local<3>(W, q, mu, i % 2 ? zero : start);
    const double size = norm(q) + std::max({ W[0], W[4], W[8] }) * norm(s.P);
    ASSERT_LT(violation(W, q, mu, s, size), 1e-10) << "problem " << i;
    ASSERT_LT(s.residual, 1e-10);
    ++counts[static_cast<int>(s.status)];
    if (s.status == ContactStatus::slip)
    {
      ++n_slip;
      iterations += s.iterations;
      most = std::max(most, s.iterations);
    }
  }
  for (const unsigned int count : counts)
    EXPECT_GT(count, 1000u);
  // A few Newton iterations as a rule.
  EXPECT_LT(iterations, 8 * n_slip);
  RecordProperty("iterations_per_slip",
                 std::to_string(double(iterations) / n_slip));
  RecordProperty("most_iterations", std::to_string(most));
}

TEST(LocalSolver3D, BracketedRootFinderNeverFails)
{
  Random random(5);
  unsigned int compared = 0;
  for (unsigned int i = 0; i < 20000; ++i)
  {
    const LocalMatrix<3> W =
        random_positive_definite<3>(random, i % 2 == 0 ? 10. : 1e7);
    const double mu = std::pow(10., random.uniform(-8., 1.));
    PreparedContact<3> contact{};
    const auto state = contact.prepare(W, mu);
    const LocalVector<3> q{
      { -random.uniform(0., 1.), random.normal(), random.normal() }
    };
    const LocalVector<3> stick = scale(-1., multiply<3>(contact.inverse, q));
    if (std::hypot(stick[1], stick[2]) <= mu * stick[0])
      continue;
    SlipProblem3D slip;
    std::copy(contact.A, contact.A + 4, slip.A);
    slip.row[0]        = W[1] / W[0];
    slip.row[1]        = W[2] / W[0];
    slip.friction      = mu;
    slip.q_N_over_W_NN = q[0] / W[0];
    slip.b[0]          = q[1] - W[3] / W[0] * q[0];
    slip.b[1]          = q[2] - W[6] / W[0] * q[0];
    double x, y;
    unsigned int iterations = 0;
    ASSERT_TRUE(slip_bracketed(slip, x, y, iterations));
    const double P_N   = slip.normal_impulse(x, y);
    const double U_x   = slip.A[0] * x + slip.A[1] * y + slip.b[0];
    const double U_y   = slip.A[2] * x + slip.A[3] * y + slip.b[1];
    const double r     = std::hypot(x, y);
    const double terms = std::abs(slip.q_N_over_W_NN) +
                         std::abs(slip.row[0] * x) + std::abs(slip.row[1] * y);
    EXPECT_NEAR(r, mu * P_N, 1e-12 * (r + mu * terms)) << "problem " << i;
    const double U_scale = std::hypot(slip.b[0], slip.b[1]);
    EXPECT_NEAR(U_x * y, U_y * x, 1e-10 * r * U_scale);
    EXPECT_LE(U_x * x + U_y * y, 1e-10 * r * U_scale);
    EXPECT_LT(iterations, 200u);

    // Where the solution is unique, Newton's method agrees.
    if (state == PreparedState::well_posed && mu < 1. && i % 2 == 0)
    {
      double u = -mu * P_N, v = 0.;
      if (slip_semismooth(slip, u, v, iterations))
      {
        EXPECT_NEAR(u, x, 1e-9 * r);
        EXPECT_NEAR(v, y, 1e-9 * r);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 3000u);
}

TEST(LocalSolver3D, UnitsDoNotMatter)
{
  Random random(6);
  for (unsigned int i = 0; i < 3000; ++i)
  {
    const LocalMatrix<3> W = random_positive_definite<3>(random, 30.);
    const LocalVector<3> q{
      { random.normal(), random.normal(), random.normal() }
    };
    const LocalVector<3> start{
      { random.normal(), random.normal(), random.normal() }
    };
    const double mu      = random.uniform(0., 1.);
    const double flex    = std::pow(10., random.uniform(-12., 12.));
    const double speed   = std::pow(10., random.uniform(-6., 6.));
    const double impulse = speed / flex;
    const auto s         = solve_local<3>(W, q, mu, start);
    LocalMatrix<3> scaled_W;
    for (int k = 0; k < 9; ++k)
      scaled_W[k] = flex * W[k];
    const auto t =
        solve_local<3>(scaled_W, scale(speed, q), mu, scale(impulse, start));
    ASSERT_EQ(s.status, t.status);
    for (int c = 0; c < 3; ++c)
      ASSERT_NEAR(t.P[c] / impulse, s.P[c], 1e-11 * norm(s.P)) << i;
  }
}

TEST(LocalSolver3D, TurningTheTangentsTurnsTheSolution)
{
  Random random(7);
  for (unsigned int i = 0; i < 2000; ++i)
  {
    const LocalMatrix<3> W = random_positive_definite<3>(random, 20.);
    const LocalVector<3> q{
      { random.normal() - 0.5, random.normal(), random.normal() }
    };
    const double mu    = random.uniform(0., 0.8);
    const double angle = random.uniform(0., 6.);
    const double c = std::cos(angle), s = std::sin(angle);
    const LocalMatrix<3> Q{ { 1., 0., 0., 0., c, s, 0., -s, c } };
    LocalMatrix<3> Q_T{};
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l)
        Q_T[k * 3 + l] = Q[l * 3 + k];
    const auto here = solve_local<3>(W, q, mu, zero);
    const auto there =
        solve_local<3>(matrix_product<3>(matrix_product<3>(Q, W), Q_T),
                       multiply<3>(Q, q),
                       mu,
                       zero);
    const LocalVector<3> expected = multiply<3>(Q, here.P);
    if (!here.well_posed)
      continue;
    ASSERT_EQ(here.status, there.status);
    expect_near(there.P, expected, 1e-10 * norm(here.P));
  }
}

TEST(LocalSolver3D, FailuresAreSaid)
{
  const LocalVector<3> q{ { -1., 0.1, 0. } };
  EXPECT_THROW(
      solve_local<3>(diagonal_matrix<3>({ { -1., 1., 1. } }), q, 0.3, zero),
      ComputationError);
  EXPECT_THROW(
      solve_local<3>(diagonal_matrix<3>({ { 1., 1., -1. } }), q, 0.3, zero),
      ComputationError);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(solve_local<3>(
                   identity_matrix<3>(), { { -1., infinity, 0. } }, 0.3, zero),
               ComputationError);
  // Nothing moves along the tangents: accepted.
  const auto fixed = solve_local<3>(
      diagonal_matrix<3>({ { 2., 0., 0. } }), { { -1., 3., 4. } }, 0.5, zero);
  expect_near(fixed.P, { { 0.5, -0.15, -0.2 } }, 1e-12);
}
