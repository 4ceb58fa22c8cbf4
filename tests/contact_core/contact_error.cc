#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/problem/contact_error.h>

#include "random_problems.h"

#include <gtest/gtest.h>

#include <limits>

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <int dim>
ContactProblem<dim>
one_contact(const DenseDelassus<dim> &W, const LocalVector<dim> &q, double mu)
{
  ContactProblem<dim> problem;
  problem.W = &W;
  problem.U_free.assign(q.begin(), q.end());
  problem.laws.resize(1);
  problem.laws[0].friction = mu;
  problem.h                = 0.1;
  return problem;
}
} // namespace

TEST(ContactErrors, ByHandInTwoDimensions)
{
  // W = 2 I, so g = 2; mu = 0.5, q = (-3, 1).
  const DenseDelassus<2> W(1, { 2., 0., 0., 2. });
  const ContactProblem<2> problem = one_contact<2>(W, { { -3., 1. } }, 0.5);
  std::vector<double> U;

  // P = 0: u = q, z = (3 - 0.5, -1), mu z_N = 1.25 > |z_T|: inside the cone, so
  // F = -z, both measures the same up to their divisors.
  ContactErrors errors = compute_errors(problem, { 0., 0. }, U);
  const double q       = std::sqrt(10.);
  EXPECT_NEAR(errors.unit_free, std::hypot(2.5, 1.) / q, 1e-14);
  EXPECT_NEAR(errors.siconos, std::hypot(2.5, 1.) / q, 1e-14);
  EXPECT_NEAR(errors.penetration, 0.3, 1e-15);
  EXPECT_EQ(errors.cone, 0.);
  EXPECT_EQ(errors.complementarity, 0.);
  EXPECT_EQ(U, (std::vector<double>{ -3., 1. }));

  // P = (2, -1.5): u = (1, -2), unit free: g P = (4, -3),
  // z = (4 - 1 - 1, -3 + 2) = (2, -1), on the cone: F = g P - z = (2, -2).
  errors = compute_errors(problem, { 2., -1.5 }, U);
  EXPECT_EQ(U, (std::vector<double>{ 1., -2. }));
  EXPECT_NEAR(errors.unit_free, std::sqrt(8.) / q, 1e-14);
  // Siconos: z = (2 - 2, -1.5 + 2) = (0, 0.5), n = 0.25/1.25 = 0.2,
  // proj = (0.2, 0.1), F = (1.8, -1.6), over |q|.
  EXPECT_NEAR(errors.siconos, std::hypot(1.8, 1.6) / q, 1e-14);
  EXPECT_EQ(errors.penetration, 0.);
  // (1.5 - 0.5 * 2) / h
  EXPECT_NEAR(errors.cone, 5., 1e-13);
  // r . (u_N + mu |u_T|, u_T) = 2 * 2 + 1.5 * 2
  EXPECT_NEAR(errors.complementarity, 7., 1e-13);

  // The solution: stick, P = -q / 2.
  errors = compute_errors(problem, { 1.5, -0.5 }, U);
  EXPECT_LT(errors.unit_free, 1e-15);
  EXPECT_LT(errors.siconos, 1e-15);
}

TEST(ContactErrors, ByHandInThreeDimensions)
{
  const DenseDelassus<3> W(1, { 1., 0., 0., 0., 1., 0., 0., 0., 1. });
  ContactProblem<3> problem = one_contact<3>(W, { { -1., 3., 4. } }, 1.);
  problem.laws[0].shift     = { { 0.5, 0., 0. } };
  problem.impulse_scale     = 4.;
  std::vector<double> U;
  // r = (1, 0, 0), u = (0.5, 3, 4), mu |u_T| = 5, g r = (4, 0, 0):
  // z = (4 - 5.5, -3, -4), |z_T| = 5, n = (5 - 1.5)/2 = 1.75,
  // proj = (1.75, -1.05, -1.4), F = (2.25, 1.05, 1.4).
  const ContactErrors errors = compute_errors(problem, { 1., 0., 0. }, U);
  const double q             = std::sqrt(0.25 + 25.);
  EXPECT_NEAR(errors.unit_free,
              std::sqrt(2.25 * 2.25 + 1.05 * 1.05 + 1.4 * 1.4) / q,
              1e-14);
  EXPECT_NEAR(errors.complementarity, 5.5, 1e-14);
  EXPECT_EQ(U[0], 0.); // without the shift
}

TEST(ContactErrors, NegativeNormalImpulseIsOutOfTheCone)
{
  const DenseDelassus<2> W(1, { 1., 0., 0., 1. });
  const ContactProblem<2> problem = one_contact<2>(W, { { 1., 0. } }, 0.);
  std::vector<double> U;
  const ContactErrors errors = compute_errors(problem, { -0.2, 0. }, U);
  EXPECT_NEAR(errors.cone, 2., 1e-14);
  // F = g P - proj(..) = -0.2, over |q| = 1.
  EXPECT_NEAR(errors.unit_free, 0.2, 1e-14);
}

TEST(ContactErrors, InactiveContactsMustNotPush)
{
  const DenseDelassus<2> W(1, { 1., 0., 0., 1. });
  ContactProblem<2> problem = one_contact<2>(W, { { -1., 0. } }, 0.3);
  problem.laws[0].active    = false;
  std::vector<double> U;
  // Penetration does not count, an impulse does.
  EXPECT_EQ(compute_errors(problem, { 0., 0. }, U).unit_free, 0.);
  EXPECT_EQ(compute_errors(problem, { 0., 0. }, U).penetration, 0.);
  EXPECT_GT(compute_errors(problem, { 0.1, 0. }, U).unit_free, 0.);
}

TEST(ContactErrors, NothingToMeasure)
{
  ContactProblem<3> none;
  std::vector<double> U(7);
  const ContactErrors errors = compute_errors(none, {}, U);
  EXPECT_TRUE(U.empty());
  EXPECT_EQ(errors.unit_free, 0.);
  EXPECT_EQ(errors.siconos, 0.);

  const DenseDelassus<2> W(1, { 1., 0., 0., 1. });
  const ContactProblem<2> rest = one_contact<2>(W, { { 0., 0. } }, 0.3);
  EXPECT_EQ(compute_errors(rest, { 0., 0. }, U).unit_free, 0.);
  EXPECT_EQ(compute_errors(rest, { 1., 0. }, U).unit_free,
            std::numeric_limits<double>::infinity());
}

TEST(ContactErrors, WorstContactIsFound)
{
  Random random(31);
  const RandomBodies<2> bodies(random, 8, 30);
  const auto W              = assemble_block_sparse(bodies.data);
  ContactProblem<2> problem = random_loading<2>(random, W, 0.3);
  problem.U_free[2 * 17]    = -100.;
  std::vector<double> U;
  const std::vector<double> P(60, 0.);
  EXPECT_EQ(compute_errors(problem, P, U).worst_contact, 17u);
}

TEST(ContactErrors, UnitsAndTangentsDoNotMatter)
{
  Random random(32);
  const RandomBodies<3> bodies(random, 8, 25);
  const DenseDelassus<3> W(assemble_block_sparse(bodies.data));
  const ContactProblem<3> problem = random_loading<3>(random, W, 0.4);
  const std::size_t n             = 75;
  std::vector<double> P(n), U;
  for (double &p : P)
    p = random.normal();
  const ContactErrors here = compute_errors(problem, P, U);

  // Other units: W' = s W, velocities times t, impulses times t / s.
  const double s = 3e-7, t = 250.;
  std::vector<double> matrix(n * n), P_scaled(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      matrix[i * n + j] = s * W(i, j);
  const DenseDelassus<3> W_scaled(25, matrix);
  ContactProblem<3> scaled = problem;
  scaled.W                 = &W_scaled;
  for (std::size_t i = 0; i < n; ++i)
  {
    scaled.U_free[i] *= t;
    P_scaled[i] = P[i] * t / s;
  }
  for (auto &law : scaled.laws)
    law.shift[0] *= t;
  const ContactErrors there = compute_errors(scaled, P_scaled, U);
  EXPECT_NEAR(there.unit_free, here.unit_free, 1e-12 * here.unit_free);
  // Siconos' measure is not like that.
  EXPECT_GT(std::abs(there.siconos - here.siconos), 1e-3 * here.siconos);
  EXPECT_NEAR(there.penetration, t * here.penetration, 1e-10);

  // Tangents turned at each contact.
  std::vector<double> Q(n * n, 0.);
  for (std::size_t a = 0; a < 25; ++a)
  {
    const double angle     = random.uniform(0., 6.);
    const std::size_t i    = 3 * a;
    Q[i * n + i]           = 1.;
    Q[(i + 1) * n + i + 1] = Q[(i + 2) * n + i + 2] = std::cos(angle);
    Q[(i + 1) * n + i + 2]                          = std::sin(angle);
    Q[(i + 2) * n + i + 1]                          = -std::sin(angle);
  }
  const auto turn = [&](const std::vector<double> &x)
  {
    std::vector<double> y(n, 0.);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        y[i] += Q[i * n + j] * x[j];
    return y;
  };
  std::vector<double> half(n * n, 0.), turned(n * n, 0.);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        half[i * n + j] += Q[i * n + k] * W(k, j);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        turned[i * n + j] += half[i * n + k] * Q[j * n + k];
  const DenseDelassus<3> W_turned(25, turned);
  ContactProblem<3> rotated = problem;
  rotated.W                 = &W_turned;
  rotated.U_free            = turn(problem.U_free);
  const ContactErrors after = compute_errors(rotated, turn(P), U);
  EXPECT_NEAR(after.unit_free, here.unit_free, 1e-12 * here.unit_free);
  EXPECT_NEAR(after.siconos, here.siconos, 1e-12 * here.siconos);
  EXPECT_NEAR(after.cone, here.cone, 1e-10 * here.cone);
  EXPECT_EQ(after.worst_contact, here.worst_contact);
}

TEST(ContactErrors, RelaxedLawsHaveMargins)
{
  const DenseDelassus<2> W(1, { 1., 0., 0., 1. });
  ContactProblem<2> problem = one_contact<2>(W, { { 0., 0. } }, 0.5);
  // h = 0.1. Margins: 0.01 of length (0.1 of velocity), 2 of force (0.2).
  const auto violation =
      [&](const std::vector<double> &P, const std::vector<double> &U)
  { return relaxed_violation(problem, P, U, 0.01, 2.); };
  EXPECT_EQ(violation({ 0., 0. }, { 1., 3. }), 0.);              // open
  EXPECT_NEAR(violation({ 0., 0. }, { -0.05, 0. }), 0.5, 1e-12); // penetration
  EXPECT_NEAR(violation({ 0.1, 0. }, { 0.5, 0. }), 0.5, 1e-12);  // small force
  EXPECT_NEAR(violation({ 1., 0. }, { 0.3, 0. }), 3., 1e-12);    // neither
  EXPECT_NEAR(violation({ -0.4, 0. }, { 0., 0. }), 2., 1e-12);   // pulls
  EXPECT_NEAR(violation({ 1., 0.6 }, { 0., 0. }), 0.5, 1e-12);   // off the cone
  EXPECT_NEAR(violation({ 1., 0. }, { 0., 0.05 }), 0.5, 1e-12);  // creeps
  EXPECT_NEAR(violation({ 1., 0. }, { 0., 0.5 }), 2.5, 1e-12);  // slides freely
  EXPECT_NEAR(violation({ 1., -0.5 }, { 0., 0.5 }), 0., 1e-12); // Coulomb
}

TEST(ContactErrors, ProblemsThatDoNotFitAreRefused)
{
  const DenseDelassus<2> W(1, { 1., 0., 0., 1. });
  ContactProblem<2> problem = one_contact<2>(W, { { 0., 0. } }, 0.5);
  std::vector<double> U;
  problem.U_free.push_back(0.);
  EXPECT_THROW(compute_errors(problem, { 0., 0. }, U), ComputationError);
  problem.U_free = { 0., std::numeric_limits<double>::quiet_NaN() };
  EXPECT_THROW(compute_errors(problem, { 0., 0. }, U), ComputationError);
  problem.U_free           = { 0., 0. };
  problem.laws[0].friction = -1.;
  EXPECT_THROW(compute_errors(problem, { 0., 0. }, U), ComputationError);
}
