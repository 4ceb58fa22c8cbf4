// Tresca's friction: local solver, error measure, sweep; and coefficients of
// friction that vary.
#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/projected_gradient.h>
#include <delassus/contact/laws/contact_law.h>

#include "random_problems.h"

#include <gtest/gtest.h>

#include <limits>

using namespace delassus;
using namespace delassus_tests;

namespace
{
/// Positive definite, symmetric or not.
template <int dim>
LocalMatrix<dim> random_W(Random &random, const bool symmetric)
{
  auto W = random_positive_definite<dim>(random, 100.);
  if (!symmetric)
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < i; ++j)
      {
        const double skew = 0.3 * random.normal();
        W[i * dim + j] += skew;
        W[j * dim + i] -= skew;
      }
  return W;
}

template <int dim>
LocalVector<dim> velocity(const LocalMatrix<dim> &W,
                          const LocalVector<dim> &q,
                          const LocalVector<dim> &P)
{
  LocalVector<dim> U = q;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      U[i] += W[i * dim + j] * P[j];
  return U;
}

/// The conditions as they are written, without projections: the largest
/// violation.
template <int dim>
double violation(const LocalMatrix<dim> &W,
                 const LocalVector<dim> &q,
                 const double s,
                 const LocalVector<dim> &P)
{
  const auto U = velocity<dim>(W, q, P);
  if (q[0] >= 0.) // open
  {
    double worst = 0.;
    for (const double p : P)
      worst = std::max(worst, std::abs(p));
    return worst;
  }
  const double P_T = tangential_norm(P), U_T = tangential_norm(U);
  double worst = std::max(
      { -U[0], -P[0], std::min(std::abs(U[0]), std::abs(P[0])), P_T - s });
  // P_T . U_T = -s |U_T|
  double product = s * U_T;
  for (int c = 1; c < dim; ++c)
    product += P[c] * U[c];
  return std::max(worst, std::abs(product));
}
} // namespace

TEST(Tresca, ByHand)
{
  // W = I, s = 0.4: open, stick, slip, and slip under any pressure.
  const LocalMatrix<2> I{ { 1., 0., 0., 1. } };
  const auto expect = [&](const LocalVector<2> &q,
                          const LocalVector<2> &P,
                          const ContactStatus status)
  {
    const auto solution = solve_local_tresca<2>(I, q, 0.4);
    EXPECT_NEAR(solution.P[0], P[0], 1e-15);
    EXPECT_NEAR(solution.P[1], P[1], 1e-15);
    EXPECT_EQ(solution.status, status);
  };
  expect({ { 0.1, 1. } }, { { 0., 0. } }, ContactStatus::open);
  expect({ { -1., 0.3 } }, { { 1., -0.3 } }, ContactStatus::stick);
  expect({ { -1., 0.9 } }, { { 1., -0.4 } }, ContactStatus::slip);
  expect({ { -1e-9, -0.9 } }, { { 1e-9, 0.4 } }, ContactStatus::slip);
  // In space the slip direction is that of the velocity only where W_TT is a
  // multiple of the identity.
  const auto space = solve_local_tresca<3>(
      { { 1., 0., 0., 0., 1., 0., 0., 0., 1. } }, { { -2., 0.6, 0.8 } }, 0.5);
  EXPECT_NEAR(space.P[0], 2., 1e-15);
  EXPECT_NEAR(space.P[1], -0.3, 1e-14);
  EXPECT_NEAR(space.P[2], -0.4, 1e-14);
  EXPECT_THROW(solve_local_tresca<2>(I, { { -1., 0. } }, -1.),
               ComputationError);
  EXPECT_THROW(
      solve_local_tresca<2>({ { 1., 2., 2., 1. } }, { { -1., 0. } }, 1.),
      ComputationError);
}

TEST(Tresca, RandomProblemsInThePlaneAgreeWithEnumeration)
{
  Random random(3);
  unsigned int n_lifted = 0;
  for (unsigned int i = 0; i < 20000; ++i)
  {
    const auto W   = random_W<2>(random, i % 2 == 0);
    const double s = i % 10 == 0 ? 0. : std::exp(random.uniform(-3., 3.));
    const LocalVector<2> q{ { random.normal(), random.normal() } };
    const auto solution = solve_local_tresca<2>(W, q, s);
    EXPECT_LT(violation<2>(W, q, s, solution.P), 1e-11 * (1. + s));
    EXPECT_LT(solution.residual, 1e-12);
    if (q[0] >= 0.)
      continue;
    // Every combination of {P_N = 0, U_N = 0} and {U_T = 0, P_T = -s, +s}: only
    // one satisfies all conditions, and it is this one.
    unsigned int n_solutions = 0;
    for (const bool pressed : { true, false })
      for (const int slip : { 0, -1, 1 })
      {
        LocalVector<2> P{};
        if (slip == 0 && pressed)
        {
          const double det = W[0] * W[3] - W[1] * W[2];
          P                = { { -(W[3] * q[0] - W[1] * q[1]) / det,
                                 -(W[0] * q[1] - W[2] * q[0]) / det } };
        }
        else if (slip == 0)
          P[1] = -q[1] / W[3];
        else
        {
          P[1] = slip * s;
          if (pressed)
            P[0] = -(q[0] + W[1] * P[1]) / W[0];
        }
        const auto U = velocity<2>(W, q, P);
        if (P[0] < 0. || U[0] < -1e-12 || std::abs(P[1]) > s ||
            slip * U[1] > 0.)
          continue;
        ++n_solutions;
        n_lifted += !pressed;
        EXPECT_NEAR(P[0], solution.P[0], 1e-9 * (1. + std::abs(P[0])));
        EXPECT_NEAR(P[1], solution.P[1], 1e-9 * (1. + s));
      }
    EXPECT_EQ(n_solutions, 1u) << i;
  }
  EXPECT_GT(n_lifted, 100u);
}

TEST(Tresca, RandomProblemsInSpaceSatisfyTheConditions)
{
  Random random(4);
  unsigned int count[3] = { 0, 0, 0 };
  for (unsigned int i = 0; i < 20000; ++i)
  {
    const auto W   = random_W<3>(random, i % 2 == 0);
    const double s = i % 10 == 0 ? 0. : std::exp(random.uniform(-6., 3.));
    const LocalVector<3> q{
      { random.normal(), random.normal(), random.normal() }
    };
    const auto solution = solve_local_tresca<3>(W, q, s);
    EXPECT_LT(violation<3>(W, q, s, solution.P), 1e-10 * (1. + s)) << i;
    EXPECT_LT(solution.iterations, 60u);
    ++count[static_cast<unsigned int>(solution.status)];
  }
  for (const unsigned int n : count)
    EXPECT_GT(n, 500u);
}

TEST(Tresca, ErrorsByHand)
{
  // W = 2 I, so g = 2; s = 0.5, q = (-3, 1).
  const DenseDelassus<2> W(1, { 2., 0., 0., 2. });
  ContactProblem<2> problem;
  problem.W      = &W;
  problem.U_free = { -3., 1. };
  problem.laws.resize(1);
  problem.laws[0].threshold = 0.5;
  problem.h                 = 0.1;
  std::vector<double> U;
  // P = 0 penetrates: open misses 3, closed misses (3, 1).
  EXPECT_NEAR(compute_errors(problem, { 0., 0. }, U).unit_free,
              3. / std::sqrt(10.),
              1e-14);
  // The solution P = (1.5, -0.5): U = (0, 0).
  const auto solved = compute_errors(problem, { 1.5, -0.5 }, U);
  EXPECT_EQ(solved.unit_free, 0.);
  EXPECT_EQ(solved.cone, 0.);
  EXPECT_EQ(solved.complementarity, 0.);
  // Too much friction: (0.7 - 0.5) / h; U_T = -0.4, z_T = -1.4 + 0.4 = -1 on
  // the disk of radius 1: F_T = -0.4.
  const auto beyond = compute_errors(problem, { 1.5, -0.7 }, U);
  EXPECT_NEAR(beyond.cone, 2., 1e-13);
  EXPECT_NEAR(beyond.unit_free, 0.4 / std::sqrt(10.), 1e-14);
  // An open contact may slide without friction, a closed one may not.
  problem.U_free = { 1., 5. };
  EXPECT_EQ(compute_errors(problem, { 0., 0. }, U).unit_free, 0.);
  EXPECT_EQ(compute_errors(problem, { 0., 0. }, U).complementarity, 0.);
  EXPECT_EQ(relaxed_violation(problem, { 0., 0. }, U, 1e-9, 1e-9), 0.);
  problem.U_free = { -2., 5. };
  EXPECT_GT(compute_errors(problem, { 1., 0. }, U).unit_free, 0.1);
  EXPECT_GT(relaxed_violation(problem, { 1., 0. }, U, 1e-9, 1e-9), 1.);
}

template <int dim>
void check_sweep(const double relaxation)
{
  Random random(5);
  const RandomBodies<dim> bodies(random, 12, 60);
  const BodyDelassus<dim> W(bodies.data);
  auto problem = random_loading<dim>(random, W, 0.);
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
    if (a % 4 != 0)
      problem.laws[a].threshold = random.uniform(0.05, 2.);
    else
      problem.laws[a].friction = 0.3;
  ContactSolverParameters parameters;
  parameters.tolerance  = 1e-12;
  parameters.max_sweeps = 50000;
  parameters.relaxation = relaxation;
  GaussSeidel<dim> solver(parameters);
  std::vector<double> P, U;
  const auto &result = solver.solve(problem, P, U);
  EXPECT_TRUE(result.converged) << result.errors.unit_free;
  EXPECT_GT(result.n_slip, 5u);
  EXPECT_GT(result.n_stick, 0u);
  EXPECT_GT(result.n_open, 0u);
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
  {
    const auto &law = problem.laws[a];
    if (!law.is_tresca())
      continue;
    LocalVector<dim> p, u;
    std::copy_n(&P[dim * a], dim, p.begin());
    std::copy_n(&U[dim * a], dim, u.begin());
    u[0] += law.shift[0];
    EXPECT_GT(p[0], -1e-9);
    EXPECT_GT(u[0], -1e-9);
    EXPECT_LT(p[0] * u[0], 1e-9);
    EXPECT_LT(tangential_norm(p), law.threshold + 1e-9);
    double product = 0.;
    for (int c = 1; c < dim; ++c)
      product += p[c] * u[c];
    if (p[0] > 1e-6)
    {
      EXPECT_NEAR(product, -law.threshold * tangential_norm(u), 1e-8);
    }
  }
}

TEST(Tresca, SweepInThePlane)
{
  check_sweep<2>(1.);
  check_sweep<2>(0.7);
}

TEST(Tresca, SweepInSpace)
{
  check_sweep<3>(1.);
  check_sweep<3>(0.7);
}

TEST(Tresca, ProjectedGradientsFindTheSameImpulses)
{
  // Contacts that do not feel each other, all pressed.
  Random random(6);
  const unsigned int n = 10;
  std::vector<double> matrix(9 * n * n, 0.);
  std::vector<LocalMatrix<3>> W;
  ContactProblem<3> problem;
  problem.laws.resize(n);
  for (unsigned int a = 0; a < n; ++a)
  {
    W.push_back(random_positive_definite<3>(random, 10.));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        matrix[3 * n * (3 * a + i) + 3 * a + j] = W[a][3 * i + j];
    problem.laws[a].threshold = random.uniform(0.05, 1.);
    problem.laws[a].shift[0]  = 0.5;
    problem.U_free.insert(problem.U_free.end(),
                          { -6., 2. * random.normal(), random.normal() });
  }
  const DenseDelassus<3> op(n, matrix);
  problem.W = &op;
  ContactSolverParameters parameters;
  parameters.tolerance  = 1e-9;
  parameters.max_sweeps = 50000;
  ProjectedGradient<3> gradients(parameters);
  std::vector<double> P, U;
  const auto &result = gradients.solve(problem, P, U);
  EXPECT_TRUE(result.converged) << result.errors.unit_free;
  for (unsigned int a = 0; a < n; ++a)
  {
    const auto exact = solve_local_tresca<3>(
        W[a],
        { { -5.5, problem.U_free[3 * a + 1], problem.U_free[3 * a + 2] } },
        problem.laws[a].threshold);
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(P[3 * a + c], exact.P[c], 1e-6) << a;
  }
}

TEST(Tresca, ThresholdIsStressTimesAreaTimesStep)
{
  ContactLawParameters parameters;
  parameters.type        = ContactLawType::tresca;
  parameters.shear_limit = 30.;
  const auto law         = make_contact_law<3>(parameters);
  CandidateState<3> state;
  state.h         = 0.01;
  state.area      = 2.;
  state.gap_tilde = 0.05;
  const auto made = law->prepare(state);
  EXPECT_DOUBLE_EQ(made.threshold, 0.6);
  EXPECT_DOUBLE_EQ(made.shift[0], 5.);
  parameters.shear_limit = -1.;
  EXPECT_THROW(make_contact_law<3>(parameters), InputError);
}

TEST(Friction, StaticAndDynamic)
{
  ContactLawParameters parameters;
  parameters.friction            = 0.6;
  parameters.dynamic_friction    = 0.2;
  parameters.transition_velocity = 0.5;
  const Friction smooth(parameters, {});
  EXPECT_TRUE(smooth.varies());
  FrictionState state;
  EXPECT_DOUBLE_EQ(smooth.value(state), 0.6);
  state.speed = 0.5;
  EXPECT_DOUBLE_EQ(smooth.value(state), 0.2 + 0.4 / std::exp(1.));
  state.speed = 1e3;
  EXPECT_DOUBLE_EQ(smooth.value(state), 0.2);

  parameters.transition_velocity = 0.;
  const Friction sharp(parameters, {});
  EXPECT_EQ(sharp.value(state), 0.2);
  state.speed = 0.;
  EXPECT_EQ(sharp.value(state), 0.6);

  EXPECT_FALSE(Friction(0.3).varies());
  parameters.dynamic_friction = -1.;
  EXPECT_FALSE(Friction(parameters, {}).varies());
  EXPECT_EQ(make_contact_law<2>(parameters)->varying_friction(), nullptr);
}

TEST(Friction, Functions)
{
  ContactLawParameters parameters;
  parameters.friction_expression = "x + p*v";
  EXPECT_THROW(Friction(parameters, {}), InputError);
  const auto law = make_contact_law<2>(
      parameters,
      [](const FrictionState &state)
      { return state.position[0] + state.pressure * state.speed; });
  ASSERT_NE(law->varying_friction(), nullptr);
  CandidateState<2> state;
  state.h                 = 1.;
  state.friction.position = { { 0.25, 0., 0. } };
  state.friction.pressure = 2.;
  state.friction.speed    = 0.125;
  EXPECT_EQ(law->prepare(state).friction, 0.5);
  state.friction.position[0] = -1.;
  EXPECT_THROW(law->prepare(state), InputError);
}

TEST(IllPosed, TheWorstContactIsNamed)
{
  // mu |W_NT| / W_NN = 0.9, 1.5, 1.2 for mu = 1.
  const double coupling[3] = { 0.9, 1.5, 1.2 };
  std::vector<double> W(36, 0.);
  for (unsigned int a = 0; a < 3; ++a)
  {
    W[6 * (2 * a) + 2 * a]         = 1.;
    W[6 * (2 * a) + 2 * a + 1]     = coupling[a];
    W[6 * (2 * a + 1) + 2 * a]     = coupling[a];
    W[6 * (2 * a + 1) + 2 * a + 1] = 4.;
  }
  const DenseDelassus<2> op(3, W);
  ContactProblem<2> problem;
  problem.W      = &op;
  problem.U_free = { -1., 0.1, -1., 0.1, -1., 0.1 };
  problem.laws.resize(3);
  for (auto &law : problem.laws)
    law.friction = 1.;
  GaussSeidel<2> solver(ContactSolverParameters{});
  std::vector<double> P, U;
  const auto &result = solver.solve(problem, P, U);
  EXPECT_EQ(result.n_ill_posed, 2u);
  EXPECT_EQ(result.ill_posed.contact, 1u);
  EXPECT_EQ(result.ill_posed.friction, 1.);
  EXPECT_NEAR(result.ill_posed.critical, 1. / 1.5, 1e-15);
}
