// Small random problems: in 2D all solutions are found by trying all statuses,
// in 3D the methods are compared where theory says that there is one solution.

#include "contact_core/solver_family.h"

using namespace delassus;
using namespace delassus_tests;

namespace
{
constexpr double tolerance = 1e-10;

enum Status2D : unsigned int
{
  open,
  stick,
  slip_forward, ///< U_T >= 0, P_T = -mu P_N
  slip_backward
};

/// The linear problem of one choice of statuses.
struct Branch
{
  std::vector<double> P, U; ///< of all contacts
  double inverse_norm;      ///< of the matrix solved with
};

/// All solutions of a problem in 2D. An answer with natural map F is the exact
/// solution P', U' of a problem with q + d (see backward_error()); it belongs
/// to one of the statuses, and the linear solution with q instead is at most
/// |M^{-1}| |d| away from it. It therefore violates inequalities by at most
/// that times |W|: branches are kept with this slack, and no solution is lost.
class Enumeration
{
public:
  Enumeration(const TestProblem<2> &test, const double d)
      : n(test.n)
      , W(test.matrix)
      , d(d)
      , norm_W(norm_of(test.matrix))
  {
    for (std::size_t a = 0; a < n; ++a)
    {
      mu.push_back(test.problem.laws[a].friction);
      for (int c = 0; c < 2; ++c)
        q.push_back(test.problem.U_free[2 * a + c] +
                    test.problem.laws[a].shift[c]);
    }
    unsigned int n_branches = 1;
    for (std::size_t a = 0; a < n; ++a)
      n_branches *= 4;
    std::vector<unsigned int> status(n);
    for (unsigned int k = 0; k < n_branches; ++k)
    {
      unsigned int digits = k;
      for (auto &s : status)
      {
        s = digits % 4;
        digits /= 4;
      }
      try_statuses(status);
    }
  }

  std::vector<Branch> solutions;
  bool singular = false; ///< some branch has no answer

  /// How far a branch's impulses may be from those of an answer.
  double slack_P(const Branch &branch) const
  {
    return branch.inverse_norm * d;
  }

  double slack_U(const Branch &branch) const
  {
    return norm_W * slack_P(branch) + d;
  }

private:
  void try_statuses(const std::vector<unsigned int> &status)
  {
    // Unknowns: (P_N, P_T) of sticking contacts, P_N of sliding ones, with a
    // column of E for each; equations U = 0, or U_N = 0.
    const std::size_t m = 2 * n;
    columns.clear();
    rows.clear();
    for (std::size_t a = 0; a < n; ++a)
      if (status[a] == stick)
      {
        columns.push_back({ 2 * a, 0. });
        columns.push_back({ 2 * a + 1, 0. });
        rows.push_back(2 * a);
        rows.push_back(2 * a + 1);
      }
      else if (status[a] != open)
      {
        columns.push_back(
            { 2 * a, status[a] == slip_forward ? -mu[a] : mu[a] });
        rows.push_back(2 * a);
      }
    const std::size_t size = rows.size();
    matrix.assign(size * size, 0.);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
      {
        const auto &column   = columns[j];
        matrix[i * size + j] = W[rows[i] * m + column.first];
        if (column.second != 0.)
          matrix[i * size + j] +=
              column.second * W[rows[i] * m + column.first + 1];
      }
    if (!invert(size))
    {
      singular = true;
      return;
    }
    Branch branch;
    branch.P.assign(m, 0.);
    branch.U            = q;
    branch.inverse_norm = 0.;
    for (std::size_t j = 0; j < size; ++j)
    {
      double x = 0.;
      for (std::size_t i = 0; i < size; ++i)
      {
        x -= inverse[j * size + i] * q[rows[i]];
        branch.inverse_norm += inverse[j * size + i] * inverse[j * size + i];
      }
      branch.P[columns[j].first] += x;
      if (columns[j].second != 0.)
        branch.P[columns[j].first + 1] += columns[j].second * x;
    }
    // P_T = -+ mu P_N is as uncertain as P_N, times mu.
    branch.inverse_norm = std::sqrt(branch.inverse_norm) * (1. + largest_mu());
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j)
        branch.U[i] += W[i * m + j] * branch.P[j];

    const double p = slack_P(branch), u = slack_U(branch);
    for (std::size_t a = 0; a < n; ++a)
    {
      const double P_N = branch.P[2 * a], P_T = branch.P[2 * a + 1];
      const double U_N = branch.U[2 * a], U_T = branch.U[2 * a + 1];
      const bool fits =
          status[a] == open ? U_N >= -u
          : status[a] == stick
              ? std::abs(P_T) <= mu[a] * P_N + (1. + mu[a]) * p
              : P_N >= -p && (status[a] == slip_forward ? U_T >= -u : U_T <= u);
      if (!fits)
        return;
    }
    solutions.push_back(branch);
  }

  double largest_mu() const
  {
    return *std::max_element(mu.begin(), mu.end());
  }

  /// Gauss and Jordan with pivots; false if singular to working precision.
  bool invert(const std::size_t size)
  {
    inverse.assign(size * size, 0.);
    double largest = 0.;
    for (std::size_t i = 0; i < size; ++i)
      inverse[i * size + i] = 1.;
    for (const double x : matrix)
      largest = std::max(largest, std::abs(x));
    for (std::size_t k = 0; k < size; ++k)
    {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < size; ++i)
        if (std::abs(matrix[i * size + k]) > std::abs(matrix[pivot * size + k]))
          pivot = i;
      if (!(std::abs(matrix[pivot * size + k]) > 1e-13 * largest))
        return false;
      for (std::size_t j = 0; j < size && pivot != k; ++j)
      {
        std::swap(matrix[k * size + j], matrix[pivot * size + j]);
        std::swap(inverse[k * size + j], inverse[pivot * size + j]);
      }
      const double reciprocal = 1. / matrix[k * size + k];
      for (std::size_t j = 0; j < size; ++j)
      {
        matrix[k * size + j] *= reciprocal;
        inverse[k * size + j] *= reciprocal;
      }
      for (std::size_t i = 0; i < size; ++i)
        if (i != k)
        {
          const double factor = matrix[i * size + k];
          for (std::size_t j = 0; j < size; ++j)
          {
            matrix[i * size + j] -= factor * matrix[k * size + j];
            inverse[i * size + j] -= factor * inverse[k * size + j];
          }
        }
    }
    return true;
  }

  std::size_t n;
  const std::vector<double> &W;
  double d, norm_W;
  std::vector<double> q, mu;
  std::vector<std::pair<std::size_t, double>> columns;
  std::vector<std::size_t> rows;
  std::vector<double> matrix, inverse;
};

/// An answer that claims to be one must be among the solutions.
void check_answer(const TestProblem<2> &test,
                  const Enumeration &all,
                  const Outcome &outcome,
                  const char *name)
{
  if (!outcome.converged())
    return;
  if (all.solutions.empty())
  {
    EXPECT_TRUE(all.singular) << name
                              << " claims a solution of a problem that "
                                 "has none";
    return;
  }
  // The answer itself is F/g from P' and (1 + mu) F from U'.
  const double F = tolerance * test.norm_q();
  const double g = effective_impulse_scale(test.problem);
  bool found     = false;
  for (const Branch &branch : all.solutions)
    found =
        found ||
        (distance(branch.P, outcome.P) <= 2. * all.slack_P(branch) + F / g &&
         [&]()
         {
           auto U = outcome.U;
           for (std::size_t a = 0; a < test.n; ++a)
             for (int c = 0; c < 2; ++c)
               U[2 * a + c] += test.problem.laws[a].shift[c];
           return distance(branch.U, U) <=
                  2. * all.slack_U(branch) + (1. + test.largest_friction()) * F;
         }());
  EXPECT_TRUE(found || all.singular)
      << name << ": error " << outcome.result.errors.unit_free
      << ", but none of the " << all.solutions.size() << " solutions";
}

/// n contacts, symmetric positive definite, friction up to 2.
void definite_2d(const unsigned int n_problems)
{
  Random random(201);
  Family<2> family(tolerance, 3000);
  Score<2> score(family);
  unsigned int n_several = 0, n_singular = 0;
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    // One in four with so much coupling and friction that there may be several
    // solutions.
    const bool wild = i % 4 == 0;
    auto test       = random_definite<2>(
        random,
        1 + random.index(4),
        std::pow(wild ? 100. : 30., random.uniform(wild ? 0.5 : 0.01, 1.)),
        0.);
    for (auto &law : test.problem.laws)
      law.friction = random.uniform(0., wild ? 2. : 0.5);
    const Enumeration all(
        test, backward_error(test, norm_of(test.matrix), tolerance));
    // Klarbring: W positive definite has a solution for every q.
    EXPECT_TRUE(!all.solutions.empty() || all.singular);
    n_several += all.solutions.size() > 1;
    n_singular += all.singular;
    for (std::size_t k = 0; k < family.size(); ++k)
    {
      const Outcome outcome = family.solve(k, test.problem);
      check_answer(test, all, outcome, family.entry(k).name);
      score.note(k, outcome);
    }
  }
  score.check();
  EXPECT_GT(n_several, 0u); // those have been tested, too
  EXPECT_LT(n_singular, n_problems / 100);
}

/// W = positive definite + anything: neither symmetric nor definite, but with
/// diagonal blocks that are. There may be no solution, or many.
void indefinite_2d(const unsigned int n_problems)
{
  Random random(202);
  Family<2> family(tolerance, 200);
  unsigned int n_none = 0, n_solved = 0, n_with = 0;
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const std::size_t n = 2 + random.index(2), m = 2 * n;
    auto test   = random_definite<2>(random, n, 10., random.uniform(0., 1.));
    auto matrix = test.matrix;
    for (std::size_t p = 0; p < m; ++p)
      for (std::size_t q = 0; q < m; ++q)
        if (p / 2 != q / 2)
          matrix[p * m + q] += 0.7 * random.normal();
    test.set_matrix(n, matrix);
    test.problem.global = nullptr; // it has no such form
    const Enumeration all(
        test, backward_error(test, norm_of(test.matrix), tolerance));
    const bool none = all.solutions.empty() && !all.singular;
    n_none += none;
    n_with += !none;
    for (std::size_t k = 0; k < family.size(); ++k)
      if (family.can_solve(k, test.problem))
      {
        const Outcome outcome = family.solve(k, test.problem);
        check_answer(test, all, outcome, family.entry(k).name);
        if (family.entry(k).type == ContactSolverType::automatic)
          n_solved += outcome.converged();
      }
  }
  // Both kinds occurred.
  EXPECT_GT(n_none, n_problems / 20);
  EXPECT_GT(n_with, n_problems / 20);
  EXPECT_LE(n_solved, n_with);
  EXPECT_GT(n_solved, 0.9 * n_with);
}

/// 3D with the friction for which one solution is certain.
void small_friction_3d(const unsigned int n_problems)
{
  Random random(203);
  Family<3> family(tolerance, 3000);
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const double condition = std::pow(30., random.uniform(0.01, 1.));
    const auto test =
        random_definite<3>(random,
                           1 + random.index(4),
                           condition,
                           random.uniform(0., 0.9) / std::sqrt(condition));
    const double bound = bound_on_velocities(test, tolerance);
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
      EXPECT_LE(distance(U, outcome.U), bound) << name;
    }
  }
}

/// 3D with any friction: solutions exist, answers are honest.
void any_friction_3d(const unsigned int n_problems)
{
  Random random(204);
  Family<3> family(1e-8, 3000);
  Score<3> score(family);
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    auto test = random_definite<3>(random,
                                   1 + random.index(4),
                                   std::pow(30., random.uniform(0.01, 1.)),
                                   0.);
    for (auto &law : test.problem.laws)
      law.friction = random.uniform(0., 1.5);
    for (std::size_t k = 0; k < family.size(); ++k)
      score.note(k, family.solve(k, test.problem));
  }
  score.check();
}
} // namespace

TEST(SolverEnumeration, Definite2D)
{
  definite_2d(10000 * effort());
}

TEST(SolverEnumeration, Indefinite2D)
{
  indefinite_2d(500 * effort());
}

TEST(SolverEnumeration, SmallFriction3D)
{
  small_friction_3d(5000 * effort());
}

TEST(SolverEnumeration, AnyFriction3D)
{
  any_friction_3d(5000 * effort());
}
