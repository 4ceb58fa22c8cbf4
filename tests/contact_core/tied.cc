// What is tied: held in all directions, pull as well as pressure.
#include "law_steps.h"
#include "solver_family.h"

#include <delassus/contact/laws/law_table.h>

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <int dim>
void check_local()
{
  Random random(11);
  unsigned int n_pulled = 0;
  for (unsigned int i = 0; i < 2000; ++i)
  {
    const auto W = random_positive_definite<dim>(random, 100.);
    LocalVector<dim> q;
    for (double &value : q)
      value = random.normal();
    const auto solution = solve_local_tresca<dim>(W, q, tied_threshold);
    EXPECT_EQ(solution.status, ContactStatus::stick);
    EXPECT_LT(norm(solution.U), 1e-11 * (1. + norm(q)));
    n_pulled += solution.P[0] < 0.;
  }
  EXPECT_GT(n_pulled, 500u);
}

/// U of the tied contacts is zero, the others are as their laws want them.
template <int dim>
void expect_tied(const ContactProblem<dim> &problem,
                 const Outcome &outcome,
                 const double tolerance,
                 const char *who)
{
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
    if (problem.laws[a].is_tied())
    {
      EXPECT_EQ(outcome.result.status[a], ContactStatus::stick) << who;
      for (int c = 0; c < dim; ++c)
        EXPECT_NEAR(
            outcome.U[dim * a + c] + problem.laws[a].shift[c], 0., tolerance)
            << who;
    }
}
} // namespace

TEST(Tied, OneContact)
{
  check_local<2>();
  check_local<3>();
  // Where nothing moves along the tangent, the normal alone.
  const auto solution = solve_local_tresca<2>(
      { { 2., 0., 0., 0. } }, { { 3., 0. } }, tied_threshold);
  EXPECT_NEAR(solution.P[0], -1.5, 1e-12);
  EXPECT_EQ(solution.P[1], 0.);
}

TEST(Tied, ErrorsAreOpenings)
{
  const DenseDelassus<2> W(1, { 2., 0., 0., 2. });
  ContactProblem<2> problem;
  problem.W      = &W;
  problem.U_free = { 3., 1. };
  problem.laws.resize(1);
  problem.laws[0].threshold = tied_threshold;
  problem.h                 = 0.1;
  std::vector<double> U;
  // P = 0 lets all of q through.
  const auto free = compute_errors(problem, { 0., 0. }, U);
  EXPECT_NEAR(free.unit_free, 1., 1e-14);
  EXPECT_NEAR(free.penetration, 0.1 * std::sqrt(10.), 1e-14);
  const auto held = compute_errors(problem, { -1.5, -0.5 }, U);
  EXPECT_EQ(held.unit_free, 0.);
  EXPECT_EQ(held.cone, 0.);
  EXPECT_EQ(held.complementarity, 0.);
  EXPECT_EQ(relaxed_violation(problem, { -1.5, -0.5 }, U, 1e-9, 1e-9), 0.);
  compute_errors(problem, { -1.5, 0. }, U);
  EXPECT_NEAR(relaxed_violation(problem, { -1.5, 0. }, U, 0.1, 1e-9), 1., 1e-9);
}

// All are tied: W P = -q, by every method.
template <int dim>
void check_linear()
{
  Random random(12);
  Family<dim> family(1e-10, 20000);
  for (unsigned int i = 0; i < 5; ++i)
  {
    auto test = random_definite<dim>(random, 8, 30., 0.);
    for (auto &law : test.problem.laws)
      law.threshold = tied_threshold;
    for (std::size_t k = 0; k < family.size(); ++k)
    {
      const auto outcome = family.solve(k, test.problem);
      ASSERT_TRUE(outcome.converged())
          << family.entry(k).name << " " << outcome.message;
      // |u| <= 1e-10 |q|
      expect_tied(
          test.problem, outcome, 1e-10 * test.norm_q(), family.entry(k).name);
      EXPECT_EQ(outcome.result.n_stick, 8u) << family.entry(k).name;
      EXPECT_LT(*std::min_element(outcome.P.begin(), outcome.P.end()), 0.);
    }
  }
}

TEST(Tied, EveryMethodSolvesTheLinearProblem)
{
  check_linear<2>();
  check_linear<3>();
}

// Beside contacts with friction, and one of them twice, as the two ends of an
// edge through the thickness would be on a rigid body: W is singular then.
template <int dim>
void check_mixed()
{
  Random random(13);
  Family<dim> family(1e-9, 50000);
  for (unsigned int i = 0; i < 5; ++i)
  {
    const std::size_t n = 9, n_v = dim * n + 6;
    std::vector<double> eigenvalues(n_v), A, A_inverse;
    for (double &x : eigenvalues)
      x = std::exp(random.uniform(0., 3.));
    random_spectrum(random, eigenvalues, A, A_inverse);
    std::vector<double> H(n_v * dim * n, 0.);
    for (std::size_t k = 0; k < dim * n; ++k)
      H[k * dim * n + k] = 1.;
    // The last one is the one before, with the same velocity.
    for (std::size_t c = 0; c < dim; ++c)
    {
      const std::size_t last = dim * (n - 1) + c;
      for (std::size_t r = 0; r < n_v; ++r)
        H[r * dim * n + last] = H[r * dim * n + last - dim];
    }
    auto test = from_bodies<dim>(n, n_v, A, A_inverse, H);
    load_randomly(random, test);
    for (std::size_t a = 0; a < n; ++a)
      if (a % 3 == 0)
        test.problem.laws[a].friction = 0.3;
      else
        test.problem.laws[a].threshold = tied_threshold;
    test.problem.laws[n - 2].shift    = test.problem.laws[n - 1].shift;
    test.problem.laws[n - 2].friction = test.problem.laws[n - 1].friction = 0.;
    test.problem.laws[n - 2].threshold = test.problem.laws[n - 1].threshold =
        tied_threshold;
    for (std::size_t c = 0; c < dim; ++c)
      test.problem.U_free[dim * (n - 1) + c] =
          test.problem.U_free[dim * (n - 2) + c];
    std::vector<double> U;
    for (std::size_t k = 0; k < family.size(); ++k)
    {
      const auto outcome = family.solve(k, test.problem);
      ASSERT_TRUE(outcome.converged())
          << family.entry(k).name << " " << outcome.message;
      expect_tied(
          test.problem, outcome, 1e-9 * test.norm_q(), family.entry(k).name);
      // Velocities are unique, impulses of the pair are not.
      if (k == 0)
        U = outcome.U;
      // lambda_min(A) |dU|^2 <= |dU| |F| (1 + ...): the conditions are strongly
      // monotone in the velocities.
      EXPECT_LT(distance(U, outcome.U), 1e-5 * norm_of(U))
          << family.entry(k).name;
    }
  }
}

TEST(Tied, BesideFrictionAndRedundant)
{
  check_mixed<2>();
  check_mixed<3>();
}

TEST(Tied, HoldsUnderPullPressureAndShear)
{
  ContactLawParameters parameters;
  parameters.type = ContactLawType::tied;
  for (const double theta : { 1., 0.5 })
  {
    MassOnGround<3> mass(parameters, 2., 1., theta);
    mass.q[0] = 4e-4; // within a thousandth of its size
    mass.start();
    EXPECT_EQ(mass.states.begin(0)[0], 1.);
    const double h = 0.01;
    for (const LocalVector<3> &F : { LocalVector<3>{ { 50., 0., 0. } },
                                     LocalVector<3>{ { -80., 3., -4. } },
                                     LocalVector<3>{ { 1e-3, 1e5, 0. } } })
      for (unsigned int i = 0; i < 3; ++i)
      {
        mass.step(h, F, i == 1);
        for (int c = 0; c < 3; ++c)
        {
          EXPECT_NEAR(mass.force[c], -F[c], 1e-9 * norm(F));
          EXPECT_NEAR(mass.q[c], c == 0 ? 4e-4 : 0., 1e-12 * norm(F));
        }
      }
    EXPECT_EQ(mass.all_dissipated, 0.);
  }
}

TEST(Tied, OnlyWhatTouchesWhenTheRunBegins)
{
  ContactLawParameters parameters;
  parameters.type   = ContactLawType::tied;
  const auto begins = [&](const double gap, const bool at_start)
  {
    const auto law = make_contact_law<3>(parameters);
    CandidateState<3> candidate;
    candidate.h        = 1.;
    candidate.gap      = gap;
    candidate.area     = 4.; // of size 2
    candidate.at_start = at_start;
    double state[2];
    law->initialize(candidate, state);
    const auto change = law->prepare(candidate, state, state);
    EXPECT_EQ(change.active, law->holds(state));
    EXPECT_EQ(change.is_tied(), law->holds(state));
    EXPECT_TRUE(law->holds(nullptr));
    return law->holds(state);
  };
  EXPECT_TRUE(begins(0., true));
  EXPECT_FALSE(begins(0., false));
  EXPECT_TRUE(begins(1.9e-3, true));
  EXPECT_TRUE(begins(-1.9e-3, true));
  EXPECT_FALSE(begins(2.1e-3, true));
  EXPECT_FALSE(begins(-2.1e-3, true));
  parameters.bonding_gap = 0.5;
  EXPECT_TRUE(begins(-0.4, true));
  EXPECT_FALSE(begins(0.6, true));
  parameters.bonding_gap = -1.;
  EXPECT_THROW(make_contact_law<3>(parameters), InputError);
}
