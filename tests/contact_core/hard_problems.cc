// Problems at and beyond the limits: every method solves them, or says that it
// does not.

#include "contact_core/solver_family.h"

#include <delassus/contact/delassus/applied_delassus.h>

#include <limits>

using namespace delassus;
using namespace delassus_tests;

namespace
{
constexpr double tolerance = 1e-8;

/// All methods; Newton's and the automatic choice must converge if @p solvable.
template <int dim>
std::vector<Outcome> try_all(const TestProblem<dim> &test,
                             const bool solvable,
                             const unsigned int n_iterations = 3000,
                             const double tolerance          = ::tolerance)
{
  Family<dim> family(tolerance, n_iterations);
  std::vector<Outcome> outcomes;
  for (std::size_t k = 0; k < family.size(); ++k)
  {
    if (!family.can_solve(k, test.problem))
      continue;
    outcomes.push_back(family.solve(k, test.problem));
    const Outcome &outcome = outcomes.back();
    EXPECT_TRUE(outcome.converged() || !solvable ||
                family.entry(k).share < 0.99)
        << family.entry(k).name << ": error " << outcome.result.errors.unit_free
        << " " << outcome.result.diagnosis << outcome.message;
  }
  return outcomes;
}

/// A column of points of alternating masses, each on the next one: contact a
/// between body a and a-1, or the ground. In global form A is diagonal.
template <int dim>
TestProblem<dim> column_of_points(const std::vector<double> &masses,
                                  const unsigned int n_copies,
                                  const double mu)
{
  const std::size_t n_v = dim * masses.size(), n = masses.size() * n_copies;
  std::vector<double> A(n_v * n_v, 0.), A_inverse(n_v * n_v, 0.);
  std::vector<double> H(n_v * dim * n, 0.);
  for (std::size_t i = 0; i < n_v; ++i)
  {
    A[i * n_v + i]         = masses[i / dim];
    A_inverse[i * n_v + i] = 1. / masses[i / dim];
  }
  for (std::size_t a = 0; a < n; ++a)
    for (int c = 0; c < dim; ++c)
    {
      const std::size_t body = a / n_copies, j = dim * a + c;
      H[(dim * body + c) * dim * n + j] = 1.;
      if (body > 0)
        H[(dim * (body - 1) + c) * dim * n + j] = -1.;
    }
  auto test = from_bodies<dim>(n, n_v, A, A_inverse, H);
  test.set_friction(mu);
  // Everything falls, and moves sideways at its own pace.
  for (std::size_t i = 0; i < n_v; ++i)
    for (std::size_t j = 0; j < dim * n; ++j)
      test.problem.U_free[j] +=
          H[i * dim * n + j] *
          (i % dim == 0 ? -1. : 0.1 * std::sin(1. + 2.3 * i));
  return test;
}

template <int dim>
void mass_ratios()
{
  for (const double ratio : { 1e4, 1e8 })
    for (const double mu : { 0., 0.3 })
      for (const bool light_below : { false, true })
      {
        SCOPED_TRACE(testing::Message()
                     << dim << "D, ratio " << ratio << ", mu " << mu
                     << (light_below ? ", light below" : ", heavy below"));
        // The heavy one's impulse passes through the contact of the light one:
        // velocities of rounding are 1e-16 ratio, times the operations.
        const double attainable         = std::max(tolerance, 1e-14 * ratio);
        const std::vector<double> light = { 1., ratio }, heavy = { ratio, 1. };
        try_all(column_of_points<dim>(light_below ? light : heavy, 1, mu),
                true,
                3000,
                attainable);
        // A light one between two heavy ones, each contact three times.
        try_all(column_of_points<dim>({ ratio, 1., ratio }, 3, mu),
                true,
                3000,
                attainable);
      }
}

template <int dim>
void frictions()
{
  Random random(301 + dim);
  for (const double mu : { 0., 0.01, 0.3, 1., 3., 10. })
    for (unsigned int i = 0; i < 5; ++i)
    {
      SCOPED_TRACE(testing::Message() << dim << "D, mu " << mu);
      try_all(random_definite<dim>(random, 6, 20., mu), true);
    }
}

/// W + 1e-3 times anything: the symmetric part is still positive definite.
template <int dim>
void nonsymmetric()
{
  Random random(311 + dim);
  for (unsigned int i = 0; i < 10; ++i)
  {
    SCOPED_TRACE(i);
    auto test   = random_definite<dim>(random, 6, 10., 0.2);
    auto matrix = test.matrix;
    for (double &x : matrix)
      x += 1e-3 * random.uniform(-1., 1.);
    test.set_matrix(test.n, matrix);
    test.problem.global = nullptr; // A would be another one
    // Monotony needs the symmetric part only; |difference| <= 1e-3 * 18.
    test.lambda_min -= 1e-3 * dim * test.n;
    test.lambda_max += 1e-3 * dim * test.n;
    const double bound = bound_on_velocities(test, tolerance);
    const auto all     = try_all(test, true);
    for (const Outcome &outcome : all)
      EXPECT_TRUE(!outcome.converged() ||
                  distance(outcome.U, all.back().U) <= bound);
  }
}

/// The smallest eigenvalue is negative: by rounding, or in earnest.
template <int dim>
void indefinite(const double smallest, const bool solvable)
{
  Random random(321 + dim);
  for (unsigned int i = 0; i < 10; ++i)
  {
    SCOPED_TRACE(testing::Message() << dim << "D, " << smallest << ", " << i);
    const std::size_t n = 5;
    std::vector<double> eigenvalues(dim * n), W, unused;
    for (double &x : eigenvalues)
      x = random.uniform(0.1, 1.);
    eigenvalues[0] = smallest;
    random_spectrum(random, eigenvalues, W, unused);
    TestProblem<dim> test;
    test.set_matrix(n, W);
    test.set_friction(0.3);
    // u = 0.1 on all normals can be reached.
    std::vector<double> v(dim * n);
    for (double &x : v)
      x = random.normal();
    W = test.matrix;
    for (std::size_t p = 0; p < dim * n; ++p)
      for (std::size_t q = 0; q < dim * n; ++q)
        test.problem.U_free[p] += W[p * dim * n + q] * v[q];
    for (auto &law : test.problem.laws)
      law.shift[0] = 0.1;
    try_all(test, solvable, 300);
  }
}

/// Two contacts on the two sides of one body, both of which ask it to go away.
template <int dim>
void squeezed()
{
  const std::size_t m = 2 * dim;
  std::vector<double> A(dim * dim, 0.), H(dim * m, 0.);
  for (int c = 0; c < dim; ++c)
  {
    A[c * dim + c]     = 1.;
    H[c * m + c]       = 1.;
    H[c * m + dim + c] = -1.;
  }
  auto test = from_bodies<dim>(2, dim, A, A, H);
  for (const double mu : { 0., 0.5 })
  {
    SCOPED_TRACE(mu);
    test.set_friction(mu);
    test.problem.U_free.assign(m, 0.);
    test.problem.U_free[0] = test.problem.U_free[dim] = -1.;
    test.problem.U_free[1]                            = 0.3;
    // U_N of both adds up to -2 whatever the impulses are.
    for (const Outcome &outcome : try_all(test, false, 200))
      EXPECT_FALSE(outcome.converged());
  }
}

/// The second of three contacts cannot move.
template <int dim>
void immovable()
{
  const std::size_t n = 3, m = dim * n;
  std::vector<double> A(m * m, 0.), H(m * m, 0.);
  for (std::size_t i = 0; i < m; ++i)
  {
    A[i * m + i] = 1.;
    H[i * m + i] = i / dim == 1 ? 0. : 1.;
  }
  auto test = from_bodies<dim>(n, m, A, A, H);
  test.set_friction(0.5);
  for (std::size_t a = 0; a < n; ++a)
    test.problem.U_free[dim * a] = -1.;
  for (const Outcome &outcome : try_all(test, false, 200))
  {
    EXPECT_FALSE(outcome.converged());
    if (outcome.refused)
      continue;
    EXPECT_EQ(outcome.result.n_immovable, 1u);
    EXPECT_EQ(outcome.result.errors.worst_contact, 1u);
    EXPECT_NEAR(outcome.P[0], 1., 1e-6);
    EXPECT_EQ(outcome.P[dim], 0.);
    EXPECT_NEAR(outcome.P[2 * dim], 1., 1e-6);
  }
  // It may as well be open, and all is well.
  test.problem.U_free[dim] = 1.;
  for (const Outcome &outcome : try_all(test, true))
    EXPECT_TRUE(outcome.converged());
  // Nothing can move at all: open is a solution, closed is none.
  test.set_matrix(n, std::vector<double>(m * m, 0.));
  test.form->H           = compressed(std::vector<double>(m * m, 0.), m, m);
  test.problem.U_free[0] = test.problem.U_free[2 * dim] = 1.;
  for (const Outcome &outcome : try_all(test, true))
    EXPECT_TRUE(outcome.converged());
  test.problem.U_free[0] = -1.;
  for (const Outcome &outcome : try_all(test, false, 200))
    EXPECT_FALSE(outcome.converged());
}

template <int dim>
void nothing_to_do()
{
  Random random(331 + dim);
  auto test = random_definite<dim>(random, 4, 10., 0.3);
  for (const SolverCase &entry : all_solvers())
  {
    SCOPED_TRACE(entry.name);
    auto parameters       = parameters_of(entry.type, tolerance, 100);
    parameters.warm_start = true;
    const auto solver     = make_contact_solver<dim>(parameters);

    // No contacts, with W and without.
    TestProblem<dim> none;
    for (const bool has_W : { false, true })
    {
      if (has_W)
      {
        none.set_matrix(0, {});
        none.form           = std::make_unique<GlobalForm>();
        none.form->A        = compressed({ 1. }, 1, 1);
        none.form->H        = compressed({}, 1, 0);
        none.problem.global = none.form.get();
      }
      Outcome outcome = Family<dim>::run(*solver, none.problem);
      EXPECT_TRUE(outcome.converged()) << outcome.message;
      EXPECT_TRUE(outcome.P.empty() && outcome.U.empty());
    }

    // Nothing moves: no impulses, even from a warm start.
    auto at_rest = test.problem;
    at_rest.U_free.assign(dim * test.n, 0.);
    for (auto &law : at_rest.laws)
      law.shift.fill(0.);
    std::vector<double> P(dim * test.n, 1.), U;
    EXPECT_TRUE(solver->solve(at_rest, P, U).converged);
    EXPECT_EQ(norm_of(P), 0.);
    EXPECT_EQ(norm_of(U), 0.);

    // All inactive: no impulses, whatever U is.
    auto inactive = test.problem;
    for (auto &law : inactive.laws)
      law.active = false;
    P.assign(dim * test.n, 1.);
    EXPECT_TRUE(solver->solve(inactive, P, U).converged);
    EXPECT_EQ(norm_of(P), 0.);
    EXPECT_EQ(U, inactive.U_free);
    // They are open.
    const auto n_counted = [&]()
    {
      const auto &found = solver->solve(inactive, P, U);
      return found.n_open + found.n_stick + found.n_slip;
    };
    EXPECT_EQ(n_counted(), test.n) << entry.name;

    // One inactive: as if it were not there.
    inactive.laws           = test.problem.laws;
    inactive.laws[2].active = false;
    P.assign(dim * test.n, 1.);
    const auto &result = solver->solve(inactive, P, U);
    EXPECT_TRUE(result.converged);
    for (int c = 0; c < dim; ++c)
      EXPECT_EQ(P[2 * dim + c], 0.);
    EXPECT_EQ(n_counted(), test.n) << entry.name;
  }
}

template <int dim>
void in_a_hurry()
{
  Random random(341 + dim);
  const auto test = random_definite<dim>(random, 20, 100., 0.3);
  for (const SolverCase &entry : all_solvers())
  {
    SCOPED_TRACE(entry.name);
    for (const unsigned int n_iterations : { 0u, 1u, 2u, 3u })
    {
      const auto solver = make_contact_solver<dim>(
          parameters_of(entry.type, 1e-14, n_iterations));
      Family<dim>::check_honest(Family<dim>::run(*solver, test.problem),
                                test.problem,
                                1e-14,
                                n_iterations,
                                entry.name);
    }
    auto parameters       = parameters_of(entry.type, 1e-14, 100);
    parameters.time_limit = 1e-9;
    const auto solver     = make_contact_solver<dim>(parameters);
    Family<dim>::check_honest(Family<dim>::run(*solver, test.problem),
                              test.problem,
                              1e-14,
                              100,
                              entry.name);
  }
}

/// Wrong data are refused, the contact is named, and the solver can be used
/// afterwards.
template <int dim>
void wrong_data()
{
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  Random random(351 + dim);
  const auto good = random_definite<dim>(random, 4, 10., 0.3);
  for (const SolverCase &entry : all_solvers())
  {
    SCOPED_TRACE(entry.name);
    auto parameters       = parameters_of(entry.type, tolerance, 100);
    parameters.warm_start = true;
    const auto solver     = make_contact_solver<dim>(parameters);
    const auto refused    = [&](const ContactProblem<dim> &problem,
                             std::vector<double> P,
                             const std::string &text)
    {
      std::vector<double> U;
      try
      {
        solver->solve(problem, P, U);
        ADD_FAILURE() << "accepted; expected: " << text;
      }
      catch (const ComputationError &e)
      {
        EXPECT_NE(std::string(e.what()).find(text), std::string::npos)
            << e.what();
      }
      P.clear();
      EXPECT_TRUE(solver->solve(good.problem, P, U).converged);
    };
    for (const double bad : { nan, inf })
    {
      auto problem            = good.problem;
      problem.U_free[dim + 1] = bad;
      refused(problem, {}, "Contact 1");
      problem                  = good.problem;
      problem.laws[2].shift[0] = bad;
      refused(problem, {}, "Contact 2");
      problem                  = good.problem;
      problem.laws[3].friction = bad;
      refused(problem, {}, "Contact 3");
      problem = good.problem;
      std::vector<double> P(dim * good.n, 0.);
      P[dim] = bad;
      refused(problem, P, "Contact 1");

      auto matrix                                  = good.matrix;
      matrix[(dim + 1) * (dim * good.n) + dim + 1] = bad;
      const DenseDelassus<dim> W(good.n, matrix);
      problem.W = &W;
      refused(problem, {}, "ontact");
    }
    auto problem             = good.problem;
    problem.laws[3].friction = -0.1;
    refused(problem, {}, "Contact 3");
    problem = good.problem;
    refused(problem, std::vector<double>(3, 0.), "starting impulses");
    problem.U_free.pop_back();
    refused(problem, {}, "do not fit");
    if (entry.global)
    {
      problem        = good.problem;
      problem.global = nullptr;
      refused(problem, {}, "global form");
    }
  }
}
} // namespace

TEST(HardProblems, MassRatios)
{
  mass_ratios<2>();
  mass_ratios<3>();
}

TEST(HardProblems, Frictions)
{
  frictions<2>();
  frictions<3>();
}

TEST(HardProblems, NonsymmetricW)
{
  nonsymmetric<2>();
  nonsymmetric<3>();
}

TEST(HardProblems, IndefiniteW)
{
  for (const double smallest : { -1e-8, -0.05, -0.5 })
  {
    indefinite<2>(smallest, false);
    indefinite<3>(smallest, false);
  }
}

TEST(HardProblems, SqueezedBody)
{
  squeezed<2>();
  squeezed<3>();
}

TEST(HardProblems, ImmovableContacts)
{
  immovable<2>();
  immovable<3>();
}

TEST(HardProblems, NothingToDo)
{
  nothing_to_do<2>();
  nothing_to_do<3>();
}

TEST(HardProblems, FewIterationsAndLittleTime)
{
  in_a_hurry<2>();
  in_a_hurry<3>();
}

TEST(HardProblems, WrongData)
{
  wrong_data<2>();
  wrong_data<3>();
}
