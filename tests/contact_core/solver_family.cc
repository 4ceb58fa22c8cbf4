// All contact solvers against the exact solution of one contact, against each
// other, and against themselves in other coordinates and units.

#include "contact_core/solver_family.h"

#include <delassus/contact/local_solvers/local_solver.h>

using namespace delassus;
using namespace delassus_tests;

namespace
{
constexpr double tolerance = 1e-10;

/// A friction for which the solution is unique, see bound_on_velocities().
double unique_friction(Random &random, const double condition)
{
  return random.uniform(0., 0.9) / std::sqrt(condition);
}

template <int dim>
void one_contact(const unsigned int n_problems)
{
  Random random(101 + dim);
  Family<dim> family(tolerance, 2000);
  std::map<ContactStatus, unsigned int> seen;
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const double condition = std::pow(100., random.uniform(0.01, 1.));
    auto test              = random_definite<dim>(
        random, 1, condition, unique_friction(random, condition));
    if (i % 3 == 0) // so that sticking occurs often
      for (int c = 1; c < dim; ++c)
        test.problem.U_free[c] *= 0.05;
    LocalMatrix<dim> W;
    LocalVector<dim> q;
    std::copy_n(test.matrix.begin(), dim * dim, W.begin());
    for (int c = 0; c < dim; ++c)
      q[c] = test.problem.U_free[c] + test.problem.laws[0].shift[c];
    const auto exact =
        solve_local<dim>(W, q, test.problem.laws[0].friction, {});
    ++seen[exact.status];
    const double bound = bound_on_velocities(test, tolerance);
    for (std::size_t k = 0; k < family.size(); ++k)
    {
      const Outcome outcome = family.solve(k, test.problem);
      const char *name      = family.entry(k).name;
      EXPECT_TRUE(outcome.converged()) << name << " " << outcome.message;
      if (!outcome.converged())
        continue;
      for (int c = 0; c < dim; ++c)
      {
        EXPECT_NEAR(
            outcome.U[c] + test.problem.laws[0].shift[c], exact.U[c], bound)
            << name;
        EXPECT_NEAR(outcome.P[c], exact.P[c], bound / test.lambda_min) << name;
      }
      check_statuses(test, outcome, bound, name);
    }
  }
  for (const auto status :
       { ContactStatus::open, ContactStatus::stick, ContactStatus::slip })
    EXPECT_GT(seen[status], n_problems / 20);
}

/// Friction and coupling as they come: a solution exists, W being positive
/// definite, and one contact is not much to ask.
template <int dim>
void one_contact_any_friction(const unsigned int n_problems)
{
  Random random(111 + dim);
  Family<dim> family(1e-8, 5000);
  Score<dim> score(family);
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const auto test =
        random_definite<dim>(random,
                             1,
                             std::pow(100., random.uniform(0.01, 1.)),
                             std::pow(10., random.uniform(-1., 1.)));
    for (std::size_t k = 0; k < family.size(); ++k)
      score.note(k, family.solve(k, test.problem));
  }
  // Steps along the gradient with De Saxce's correction need not contract.
  score.check();
}

template <int dim>
void definite(const unsigned int n_problems)
{
  Random random(121 + dim);
  Family<dim> family(tolerance, 5000);
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const double condition = std::pow(30., random.uniform(0.01, 1.));
    const auto test        = random_definite<dim>(random,
                                           2 + random.index(9),
                                           condition,
                                           unique_friction(random, condition));
    const double bound     = bound_on_velocities(test, tolerance);
    std::vector<double> U;
    for (std::size_t k = 0; k < family.size(); ++k)
    {
      const Outcome outcome = family.solve(k, test.problem);
      const char *name      = family.entry(k).name;
      EXPECT_TRUE(outcome.converged())
          << name << " error " << outcome.result.errors.unit_free;
      if (!outcome.converged())
        continue;
      check_statuses(test, outcome, bound, name);
      if (U.empty())
        U = outcome.U;
      else
        EXPECT_LE(distance(U, outcome.U), bound) << name;
    }
  }
}

/// Bodies with fewer degrees of freedom than there are components of contacts,
/// no friction: U and the resultants H P are unique, P is not. v = -v_free is
/// feasible.
template <int dim>
TestProblem<dim> redundant(Random &random,
                           const std::size_t n,
                           const std::size_t n_v,
                           std::vector<double> &H,
                           double &largest_A)
{
  std::vector<double> eigenvalues(n_v), A, A_inverse;
  largest_A = 0.;
  for (double &x : eigenvalues)
  {
    x         = std::pow(10., random.uniform(-0.5, 0.5));
    largest_A = std::max(largest_A, x);
  }
  random_spectrum(random, eigenvalues, A, A_inverse);
  H.resize(n_v * dim * n);
  for (double &x : H)
    x = random.normal() / std::sqrt(double(n_v));
  auto test = from_bodies<dim>(n, n_v, A, A_inverse, H);
  for (std::size_t i = 0; i < n_v; ++i)
  {
    const double v = random.normal();
    for (std::size_t j = 0; j < dim * n; ++j)
      test.problem.U_free[j] += H[i * dim * n + j] * v;
  }
  for (std::size_t a = 0; a < n; ++a)
    test.problem.laws[a].shift[0] = random.uniform(0.01, 0.3);
  for (std::size_t i = 0; i < dim * n; ++i)
    test.lambda_max += test.matrix[i * dim * n + i]; // at most the trace
  return test;
}

template <int dim>
void redundant_without_friction(const unsigned int n_problems)
{
  Random random(131 + dim);
  Family<dim> family(tolerance, 20000);
  Score<dim> score(family);
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const std::size_t n_v = 2 + random.index(5);
    const std::size_t n   = n_v + random.index(5);
    std::vector<double> H;
    double largest_A;
    const auto test = redundant<dim>(random, n, n_v, H, largest_A);
    // |x|^2 <= |P' - P''| |d' - d''| where W^{-1/2} does not exist.
    const double d = 2. * backward_error(test, test.lambda_max, tolerance);
    const double F = tolerance * test.norm_q();
    const double g = effective_impulse_scale(test.problem);
    Outcome first;
    for (std::size_t k = 0; k < family.size(); ++k)
    {
      const Outcome outcome = family.solve(k, test.problem);
      const char *name      = family.entry(k).name;
      score.note(k, outcome);
      if (!outcome.converged())
        continue;
      if (first.P.empty())
      {
        first = outcome;
        continue;
      }
      const double dP = distance(first.P, outcome.P) + 2. * F / g;
      const double x  = std::sqrt(dP * d);
      EXPECT_LE(distance(first.U, outcome.U),
                std::sqrt(test.lambda_max) * x + d + 2. * F)
          << name;
      // |H dP| <= |A^{1/2}| |A^{-1/2} H dP|, and P differs from P' by F/g.
      std::vector<double> resultant(n_v, 0.);
      double norm_H = 0.;
      for (std::size_t l = 0; l < n_v; ++l)
        for (std::size_t j = 0; j < dim * n; ++j)
        {
          resultant[l] += H[l * dim * n + j] * (first.P[j] - outcome.P[j]);
          norm_H += H[l * dim * n + j] * H[l * dim * n + j];
        }
      EXPECT_LE(norm_of(resultant),
                std::sqrt(largest_A) * x + 2. * std::sqrt(norm_H) * F / g)
          << name;
    }
  }
  score.check();
}

/// Redundant contacts with friction: a solution exists, for v = -v_free
/// satisfies the constraints strictly (Acary and Cadoux). Not every method
/// finds it always; all agree about what they claim.
template <int dim>
void redundant_with_friction(const unsigned int n_problems)
{
  Random random(141 + dim);
  Family<dim> family(1e-8, 5000);
  Score<dim> score(family);
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const std::size_t n_v = 2 + random.index(5);
    const std::size_t n   = n_v + random.index(5);
    std::vector<double> H;
    double largest_A;
    auto test = redundant<dim>(random, n, n_v, H, largest_A);
    test.set_friction(random.uniform(0., 1.));
    for (std::size_t k = 0; k < family.size(); ++k)
      score.note(k, family.solve(k, test.problem));
  }
  score.check();
}

/// Each contact k times, with friction: U is that of the problem with each
/// contact once, the sum of the copies' impulses its P.
template <int dim>
void repeated(const unsigned int n_problems, const unsigned int n_copies)
{
  Random random(151 + dim);
  Family<dim> family(tolerance, 20000);
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const double condition = std::pow(10., random.uniform(0.01, 1.));
    const std::size_t n    = 1 + random.index(4);
    const double mu        = unique_friction(random, condition);
    const auto single      = random_definite<dim>(random, n, condition, mu);
    Outcome expected;
    for (std::size_t k = 0; k < family.size(); ++k)
      if (family.entry(k).type == ContactSolverType::newton)
        expected = family.solve(k, single.problem);
    ASSERT_TRUE(expected.converged());

    const std::size_t m = dim * n, M = m * n_copies;
    std::vector<double> W(M * M), H(m * M, 0.);
    for (std::size_t p = 0; p < M; ++p)
    {
      H[(p % m) * M + p] = 1.;
      for (std::size_t q = 0; q < M; ++q)
        W[p * M + q] = single.matrix[(p % m) * m + q % m];
    }
    TestProblem<dim> test;
    test.set_matrix(n * n_copies, W);
    test.form           = std::make_unique<GlobalForm>();
    test.form->A        = single.form->A;
    test.form->H        = compressed(H, m, M);
    test.problem.global = test.form.get();
    for (std::size_t a = 0; a < test.n; ++a)
      test.problem.laws[a] = single.problem.laws[a % n];
    for (std::size_t p = 0; p < M; ++p)
      test.problem.U_free[p] = single.problem.U_free[p % m];

    // D = P' - sum of copies, x = W^{1/2} D. Of d the part -F is not the same
    // for all copies; it is multiplied by their impulses, bounded by size:
    //   |x|^2 (1 - mu sqrt(k)) <= |x| b + c.
    const double F  = tolerance * test.norm_q();
    const double g  = effective_impulse_scale(test.problem);
    const double d1 = backward_error(single, single.lambda_max, tolerance);
    for (std::size_t k = 0; k < family.size(); ++k)
    {
      const Outcome outcome = family.solve(k, test.problem);
      const char *name      = family.entry(k).name;
      EXPECT_TRUE(outcome.converged())
          << name << " error " << outcome.result.errors.unit_free;
      if (!outcome.converged())
        continue;
      double size = norm_of(expected.P);
      for (const double p : outcome.P)
        size += std::abs(p);
      size += std::sqrt(double(M)) * F / g;
      const double sum_F  = std::sqrt(double(n_copies)) * F; // of the copies' F
      const double lambda = single.lambda_max, small = single.lambda_min;
      const double a = 1. - mu * std::sqrt(condition);
      const double b = (1. + mu) * (d1 + lambda * sum_F / g) / std::sqrt(small);
      const double c = (1. + mu) * F * size;
      const double x = (b + std::sqrt(b * b + 4. * a * c)) / (2. * a);
      const double bound =
          std::sqrt(lambda) * x + d1 + (1. + mu) * F + lambda * sum_F / g;
      std::vector<double> U(outcome.U.begin(), outcome.U.begin() + m);
      EXPECT_LE(distance(U, expected.U), bound) << name;
      for (std::size_t p = m; p < M; ++p)
        // Equal rows of W, summed in the same order.
        EXPECT_EQ(outcome.U[p], outcome.U[p % m]) << name;
    }
  }
}

/// The same problem with components renamed: entry p of the new one is sum_q
/// T[p][q] of the old one, T orthogonal.
template <int dim>
TestProblem<dim> transformed(const TestProblem<dim> &test,
                             const std::vector<double> &T,
                             const std::vector<std::size_t> &from)
{
  const std::size_t m = dim * test.n;
  std::vector<double> TW(m * m, 0.), W(m * m, 0.), H(m * m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < m; ++k)
      if (T[i * m + k] != 0.)
        for (std::size_t j = 0; j < m; ++j)
          TW[i * m + j] += T[i * m + k] * test.matrix[k * m + j];
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t k = 0; k < m; ++k)
      if (T[j * m + k] != 0.)
        for (std::size_t i = 0; i < m; ++i)
          W[i * m + j] += TW[i * m + k] * T[j * m + k];
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      H[i * m + j] = T[j * m + i];
  TestProblem<dim> result;
  result.set_matrix(test.n, W);
  result.lambda_min     = test.lambda_min;
  result.lambda_max     = test.lambda_max;
  result.form           = std::make_unique<GlobalForm>();
  result.form->A        = test.form->A;
  result.form->H        = compressed(H, m, m);
  result.problem.global = result.form.get();
  for (std::size_t a = 0; a < test.n; ++a)
    result.problem.laws[a] = test.problem.laws[from[a]];
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      result.problem.U_free[i] += T[i * m + j] * test.problem.U_free[j];
  return result;
}

/// Other order of the contacts, or (3D) other tangents.
template <int dim>
void other_coordinates(const unsigned int n_problems, const bool permute)
{
  Random random(161 + dim);
  Family<dim> family(tolerance, 5000);
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const double condition = std::pow(30., random.uniform(0.01, 1.));
    const std::size_t n = 2 + random.index(6), m = dim * n;
    const auto test = random_definite<dim>(
        random, n, condition, unique_friction(random, condition));
    std::vector<std::size_t> from(n);
    for (std::size_t a = 0; a < n; ++a)
      from[a] = a;
    if (permute)
      std::shuffle(from.begin(), from.end(), random.engine);
    std::vector<double> T(m * m, 0.);
    for (std::size_t a = 0; a < n; ++a)
    {
      const std::size_t p = dim * a, q = dim * from[a];
      T[p * m + q]           = 1.;
      const double angle     = permute ? 0. : random.uniform(0., 2. * M_PI);
      T[(p + 1) * m + q + 1] = std::cos(angle);
      if (dim == 3)
      {
        T[(p + 1) * m + q + 2] = std::sin(angle);
        T[(p + 2) * m + q + 1] = -std::sin(angle);
        T[(p + 2) * m + q + 2] = std::cos(angle);
      }
    }
    const auto other   = transformed(test, T, from);
    const double bound = bound_on_velocities(test, tolerance);
    for (std::size_t k = 0; k < family.size(); ++k)
    {
      const Outcome one = family.solve(k, test.problem);
      const Outcome two = family.solve(k, other.problem);
      const char *name  = family.entry(k).name;
      ASSERT_TRUE(one.converged() && two.converged()) << name;
      std::vector<double> U(m, 0.);
      for (std::size_t p = 0; p < m; ++p)
        for (std::size_t q = 0; q < m; ++q)
          U[p] += T[p * m + q] * one.U[q];
      EXPECT_LE(distance(U, two.U), bound) << name;
      ContactStatus status;
      for (std::size_t a = 0; a < n; ++a)
        if (clear_status<dim>(
                other.problem, two, a, bound, bound / test.lambda_min, status))
        {
          EXPECT_EQ(one.result.status[from[a]], status) << name;
        }
    }
  }
}

/// Velocities times `velocity`, W times `compliance`.
template <int dim>
TestProblem<dim> in_other_units(const TestProblem<dim> &test,
                                const double velocity,
                                const double compliance)
{
  TestProblem<dim> result;
  auto W = test.matrix;
  for (double &x : W)
    x *= compliance;
  result.set_matrix(test.n, W);
  result.lambda_min = compliance * test.lambda_min;
  result.lambda_max = compliance * test.lambda_max;
  result.form       = std::make_unique<GlobalForm>(*test.form);
  for (double &x : result.form->A.value)
    x /= compliance;
  result.problem.global = result.form.get();
  result.problem.laws   = test.problem.laws;
  result.problem.U_free = test.problem.U_free;
  for (double &x : result.problem.U_free)
    x *= velocity;
  for (auto &law : result.problem.laws)
    for (double &x : law.shift)
      x *= velocity;
  return result;
}

template <int dim>
void other_units(const unsigned int n_problems)
{
  Random random(171 + dim);
  Family<dim> family(tolerance, 5000);
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const double condition = std::pow(30., random.uniform(0.01, 1.));
    const auto test        = random_definite<dim>(random,
                                           1 + random.index(8),
                                           condition,
                                           unique_friction(random, condition));
    // m to mm and kg to t; the same in powers of two, which are exact: every
    // bit must be the same.
    const auto decimal = in_other_units(test, 1e3, 1e3);
    const auto binary  = in_other_units(test, 1024., 1048576.);
    const double bound = bound_on_velocities(test, tolerance);
    for (std::size_t k = 0; k < family.size(); ++k)
    {
      const char *name  = family.entry(k).name;
      const Outcome one = family.solve(k, test.problem);
      const Outcome two = family.solve(k, decimal.problem);
      ASSERT_TRUE(one.converged() && two.converged()) << name;
      for (std::size_t p = 0; p < one.U.size(); ++p)
        EXPECT_NEAR(1e3 * one.U[p], two.U[p], 1e3 * bound) << name;
      const Outcome exact = family.solve(k, binary.problem);
      EXPECT_EQ(one.result.status, exact.result.status) << name;
      // The global form of Newton's method has velocities and impulses in one
      // matrix; its pivots depend on their ratio, the rest on rounding.
      if (family.entry(k).type == ContactSolverType::global_newton)
      {
        EXPECT_NEAR(one.result.sweeps, exact.result.sweeps, 1) << name;
        continue;
      }
      EXPECT_EQ(one.result.sweeps, exact.result.sweeps) << name;
      for (std::size_t p = 0; p < one.U.size(); ++p)
      {
        EXPECT_EQ(1024. * one.U[p], exact.U[p]) << name;
        EXPECT_EQ(one.P[p] / 1024., exact.P[p]) << name;
      }
    }
  }
}
/// Newton's method with the right derivative doubles the digits: from where the
/// first sweeps lead to on unique problems with many contacts it is there in a
/// few iterations. (With a wrong one it would still converge, by its sweeps.)
template <int dim>
void few_newton_iterations(const unsigned int n_problems)
{
  for (const auto type :
       { ContactSolverType::newton, ContactSolverType::global_newton })
  {
    Random random(181 + dim);
    const auto solver =
        make_contact_solver<dim>(parameters_of(type, 1e-12, 1000));
    unsigned int n_iterations = 0;
    for (unsigned int i = 0; i < n_problems; ++i)
    {
      const auto test =
          random_definite<dim>(random, 20, 300., 0.9 / std::sqrt(300.));
      const Outcome outcome = Family<dim>::run(*solver, test.problem);
      EXPECT_TRUE(outcome.converged());
      n_iterations += outcome.result.sweeps;
    }
    EXPECT_LE(n_iterations, 10 * n_problems) << dim << "D";
  }
}
} // namespace

TEST(SolverFamily, FewNewtonIterations)
{
  few_newton_iterations<2>(20);
  few_newton_iterations<3>(20);
}

TEST(SolverFamily, OneContact)
{
  one_contact<2>(5000 * effort());
  one_contact<3>(5000 * effort());
}

TEST(SolverFamily, OneContactWithAnyFriction)
{
  one_contact_any_friction<2>(2000 * effort());
  one_contact_any_friction<3>(2000 * effort());
}

TEST(SolverFamily, DefiniteProblems)
{
  definite<2>(500 * effort());
  definite<3>(500 * effort());
}

TEST(SolverFamily, RedundantContactsWithoutFriction)
{
  redundant_without_friction<2>(200 * effort());
  redundant_without_friction<3>(200 * effort());
}

TEST(SolverFamily, RedundantContactsWithFriction)
{
  redundant_with_friction<2>(200 * effort());
  redundant_with_friction<3>(200 * effort());
}

TEST(SolverFamily, EachContactTwoOrThreeTimes)
{
  for (const unsigned int n_copies : { 2, 3 })
  {
    repeated<2>(40 * effort(), n_copies);
    repeated<3>(40 * effort(), n_copies);
  }
}

TEST(SolverFamily, OrderOfContacts)
{
  other_coordinates<2>(100 * effort(), true);
  other_coordinates<3>(100 * effort(), true);
}

TEST(SolverFamily, TangentFrames)
{
  other_coordinates<3>(100 * effort(), false);
}

TEST(SolverFamily, Units)
{
  other_units<2>(100 * effort());
  other_units<3>(100 * effort());
}
