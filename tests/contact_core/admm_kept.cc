// What ADMM in the global form keeps from one problem to the next.
#include "contact_core/solver_family.h"

#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/global_solvers/admm.h>
#include <delassus/contact/global_solvers/semismooth_newton.h>

using namespace delassus;
using namespace delassus_tests;

namespace
{
constexpr double tolerance = 1e-8;

ContactSolverParameters warm_parameters()
{
  auto parameters =
      parameters_of(ContactSolverType::global_admm, tolerance, 3000);
  parameters.warm_start = true;
  return parameters;
}

/// The same bodies and contacts one step later: velocities by 5 % other ones.
template <int dim>
struct TwoSteps
{
  TestProblem<dim> test;
  ContactProblem<dim> next;

  explicit TwoSteps(const unsigned long version, const unsigned int seed = 5)
  {
    Random random(seed);
    test               = random_definite<dim>(random, 20, 100., 0.3);
    test.form->version = version;
    next               = test.problem;
    for (double &u : next.U_free)
      u *= 1. + 0.05 * random.uniform(-1., 1.);
  }
};

/// Both steps; the second begins with impulses and velocities of the first.
template <int dim>
struct TwoRuns
{
  unsigned int first_iterations = 0, next_iterations = 0;
  std::vector<double> P, U;

  TwoRuns(ContactSolver<dim> &solver, TwoSteps<dim> &steps, const bool forgets)
  {
    const auto &first = solver.solve(steps.test.problem, P, U);
    EXPECT_TRUE(first.converged);
    first_iterations = first.sweeps;
    if (forgets)
      solver.forget();
    steps.next.U_guess = U;
    const auto &second = solver.solve(steps.next, P, U);
    EXPECT_TRUE(second.converged);
    next_iterations = second.sweeps;
  }
};

template <int dim>
void factor_is_kept()
{
  TwoSteps<dim> steps(7);
  Admm<dim> admm(warm_parameters(), true);
  const TwoRuns<dim> run(admm, steps, false);
  EXPECT_EQ(admm.n_factorizations(), 1u);

  // Cold it takes more iterations and comes to the same: W is definite, both
  // are as far from the solution as the tolerance allows.
  Admm<dim> fresh(warm_parameters(), true);
  std::vector<double> P, U;
  const auto &cold = fresh.solve(steps.next, P, U);
  EXPECT_TRUE(cold.converged);
  EXPECT_LT(run.next_iterations, cold.sweeps);
  EXPECT_LT(distance(U, run.U), 1e-5 * steps.test.norm_q());
  EXPECT_LT(distance(P, run.P), 1e-5 * norm_of(P));
}

template <int dim>
void other_versions()
{
  TwoSteps<dim> steps(7);
  Admm<dim> admm(warm_parameters(), true);
  TwoRuns<dim> run(admm, steps, false);
  ASSERT_EQ(admm.n_factorizations(), 1u);
  // Another matrix of the same pattern, which the version tells.
  for (double &value : steps.test.form->A.value)
    value *= 1.5;
  std::vector<double> W = steps.test.matrix;
  for (double &value : W)
    value /= 1.5;
  DenseDelassus<dim> other_W(steps.test.n, W);
  steps.next.W                = &other_W;
  steps.test.form->version    = 8;
  const std::vector<double> P = run.P;
  const auto &result          = admm.solve(steps.next, run.P, run.U);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(admm.n_factorizations(), 2u);
  Admm<dim> fresh(warm_parameters(), true);
  std::vector<double> fresh_P = P, fresh_U;
  fresh.solve(steps.next, fresh_P, fresh_U);
  EXPECT_LT(distance(fresh_U, run.U), 1e-5 * steps.test.norm_q());

  // Not counted: nothing is known.
  steps.test.form->version = 0;
  for (const unsigned int n : { 3u, 4u })
  {
    run.P = P;
    admm.solve(steps.next, run.P, run.U);
    EXPECT_EQ(admm.n_factorizations(), n);
  }
}

/// A form of the same version in another place: the first may be gone.
template <int dim>
void forms_that_move()
{
  TwoSteps<dim> steps(7);
  Admm<dim> admm(warm_parameters(), true);
  TwoRuns<dim> run(admm, steps, false);
  const auto moved      = std::make_unique<GlobalForm>(*steps.test.form);
  *steps.test.form      = GlobalForm();
  steps.next.global     = moved.get();
  std::vector<double> P = run.P;
  for (double &u : steps.next.U_free)
    u *= 1.1;
  EXPECT_TRUE(admm.solve(steps.next, P, run.U).converged);
  EXPECT_EQ(admm.n_factorizations(), 1u);
}

/// After forget() the same bits as from one that has just been made.
template <int dim, typename Solver>
void forgets(const bool guess)
{
  TwoSteps<dim> steps(7);
  Solver used(warm_parameters(), true);
  TwoRuns<dim> run(used, steps, true);
  Solver first(warm_parameters(), true), fresh(warm_parameters(), true);
  std::vector<double> P, U;
  first.solve(steps.test.problem, P, U);
  steps.next.U_guess = U;
  fresh.solve(steps.next, P, U);
  EXPECT_EQ(P, run.P);
  EXPECT_EQ(U, run.U);
  // Also without velocities, after other problems.
  if (!guess)
    steps.next.U_guess.clear();
  TwoSteps<dim> others(9, 11);
  TwoRuns<dim> other(used, others, false);
  used.forget();
  std::vector<double> P_used = P, U_used;
  for (double &u : steps.next.U_free)
    u *= 1.1;
  used.solve(steps.next, P_used, U_used);
  Solver again(warm_parameters(), true);
  again.solve(steps.next, P, U);
  EXPECT_EQ(P, P_used);
  EXPECT_EQ(U, U_used);
}
} // namespace

TEST(AdmmKept, Factor)
{
  factor_is_kept<2>();
  factor_is_kept<3>();
}

TEST(AdmmKept, OtherVersions)
{
  other_versions<2>();
  other_versions<3>();
}

TEST(AdmmKept, FormsThatMove)
{
  forms_that_move<2>();
  forms_that_move<3>();
}

TEST(AdmmKept, Forgets)
{
  for (const bool guess : { false, true })
  {
    forgets<2, Admm<2>>(guess);
    forgets<3, Admm<3>>(guess);
    forgets<2, SemismoothNewton<2>>(guess);
    forgets<3, SemismoothNewton<3>>(guess);
  }
}

/// The automatic choice, which takes the global form where W is applied only.
TEST(AdmmKept, AutoForgets)
{
  TwoSteps<3> steps(7);
  std::vector<LocalMatrix<3>> diagonal(steps.test.n);
  for (std::size_t a = 0; a < steps.test.n; ++a)
    steps.test.W->diagonal_block(a, diagonal[a].data());
  const AppliedDelassus<3> W([&](const double *P, double *U)
                             { steps.test.W->multiply(P, U); },
                             diagonal);
  steps.test.problem.W = steps.next.W = &W;
  auto parameters                     = warm_parameters();
  parameters.type                     = ContactSolverType::automatic;
  const auto used                     = make_contact_solver<3>(parameters);
  const TwoRuns<3> run(*used, steps, true);
  const auto first = make_contact_solver<3>(parameters),
             fresh = make_contact_solver<3>(parameters);
  std::vector<double> P, U;
  first->solve(steps.test.problem, P, U);
  steps.next.U_guess = U;
  fresh->solve(steps.next, P, U);
  EXPECT_EQ(P, run.P);
  EXPECT_EQ(U, run.U);
}

namespace
{
/// W by products only, so that the automatic choice takes the global form.
struct ByProducts
{
  TestProblem<3> test;
  std::unique_ptr<AppliedDelassus<3>> W;

  ByProducts(const double condition, const unsigned int seed)
  {
    Random random(seed);
    test = random_definite<3>(random, 20, condition, 0.3);
    std::vector<LocalMatrix<3>> diagonal(test.n);
    for (std::size_t a = 0; a < test.n; ++a)
      test.W->diagonal_block(a, diagonal[a].data());
    W = std::make_unique<AppliedDelassus<3>>([this](const double *P, double *U)
                                             { test.W->multiply(P, U); },
                                             diagonal);
    test.problem.W = W.get();
  }
};
} // namespace

// Where mass dominates the automatic choice begins with ADMM; where that is
// slow all the same it goes on by Newton's method, begins with it from then on,
// and checkpoints know that.
TEST(AdmmKept, AutoBeginsWithItWhereMassDominates)
{
  auto parameters = warm_parameters();
  parameters.type = ContactSolverType::automatic;
  const ByProducts well(3., 5), badly(1e8, 5);
  const auto solver_of = [](ContactSolver<3> &solver, const ByProducts &problem)
  {
    std::vector<double> P, U;
    const auto &result = solver.solve(problem.test.problem, P, U);
    EXPECT_TRUE(result.converged) << result.diagnosis;
    return result.solver;
  };
  const auto solver = make_contact_solver<3>(parameters);
  EXPECT_EQ(solver_of(*solver, well), "global ADMM");
  EXPECT_EQ(solver_of(*solver, badly), "global ADMM, global Newton");
  EXPECT_EQ(solver_of(*solver, badly), "global Newton");

  Archive saved;
  solver->archive(saved);
  Archive loaded(saved.bytes(), "saved");
  const auto resumed = make_contact_solver<3>(parameters);
  resumed->archive(loaded);
  EXPECT_EQ(solver_of(*resumed, badly), "global Newton");
}
