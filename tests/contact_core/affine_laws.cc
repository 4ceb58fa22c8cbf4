// Affine laws in every contact solver: they agree with each other and with the
// laws as they are written, whatever form W has; and laws that soften too much
// are told.

#include "contact_core/affine_problems.h"
#include "contact_core/synthetic_wall.h"

#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/global_solvers/standard_problem.h>
#include <delassus/contact/global_solvers/standard_rows.h>

#include <set>

using namespace delassus;
using namespace delassus_tests;

namespace
{
constexpr double tolerance = affine_tolerance;

template <int dim>
void all_agree(const std::vector<Kind> &kinds,
               const unsigned int n_problems,
               const bool tresca = false)
{
  Random random(301 + dim);
  std::vector<std::unique_ptr<ContactSolver<dim>>> solvers;
  const auto cases = with_threads();
  for (const auto &entry : cases)
    solvers.push_back(make<dim>(entry));
  std::set<ContactStatus> seen;
  for (unsigned int i = 0; i < n_problems && !testing::Test::HasFailure(); ++i)
  {
    SCOPED_TRACE(i);
    const AffineProblem<dim> affine(random, kinds, tresca);
    const auto &problem = affine.test.problem;
    double on_P = 0., on_U = 0.;
    if (!tresca)
      affine.bounds(on_P, on_U);
    Outcome first;
    for (std::size_t k = 0; k < cases.size(); ++k)
    {
      const char *name = cases[k].name;
      if (tresca && (cases[k].type == ContactSolverType::admm ||
                     cases[k].type == ContactSolverType::global_admm))
        continue;
      const Outcome outcome = Family<dim>::run(*solvers[k], problem);
      Family<dim>::check_honest(outcome, problem, tolerance, 100000, name);
      ASSERT_TRUE(outcome.converged())
          << name << " error " << outcome.result.errors.unit_free << " "
          << outcome.message << outcome.result.diagnosis;
      EXPECT_FALSE(outcome.result.indefinite);
      EXPECT_LE(error_from_scratch(affine.test, affine.written, outcome.P),
                1.01 * tolerance * affine.test.norm_q() +
                    1e-13 * norm_of(outcome.P))
          << name;
      if (first.P.empty())
        first = outcome;
      else if (!tresca)
      {
        EXPECT_LE(distance(first.U, outcome.U), on_U) << name;
        EXPECT_LE(distance(first.P, outcome.P), on_P) << name;
      }
      for (const auto status : outcome.result.status)
        seen.insert(status);
    }
  }
  EXPECT_EQ(seen.size(), 3u);
}
} // namespace

TEST(AffineLaws, CompliancesInEverySolver)
{
  all_agree<2>({ Kind::compliance }, 30 * effort());
  all_agree<3>({ Kind::compliance }, 30 * effort());
}

TEST(AffineLaws, SpringsInEverySolver)
{
  all_agree<2>({ Kind::spring }, 30 * effort());
  all_agree<3>({ Kind::spring }, 30 * effort());
}

TEST(AffineLaws, CohesionInEverySolver)
{
  all_agree<2>({ Kind::cohesion }, 20 * effort());
  all_agree<3>({ Kind::cohesion }, 20 * effort());
}

TEST(AffineLaws, AllKindsBesidePlainContacts)
{
  const std::vector<Kind> kinds = {
    Kind::compliance, Kind::spring, Kind::both, Kind::cohesion, Kind::plain
  };
  all_agree<2>(kinds, 40 * effort());
  all_agree<3>(kinds, 40 * effort());
}

TEST(AffineLaws, TrescaInEverySolverThatHasIt)
{
  const std::vector<Kind> kinds = { Kind::compliance,
                                    Kind::spring,
                                    Kind::plain };
  all_agree<2>(kinds, 20 * effort(), true);
  all_agree<3>(kinds, 20 * effort(), true);
}


// calW of the definition, by dense elimination: J_UU - W J_RU of all contacts.
TEST(AffineLaws, StandardProblemIsItsDefinition)
{
  constexpr int dim = 3;
  Random random(311);
  for (unsigned int i = 0; i < 20; ++i)
  {
    const AffineProblem<dim> affine(
        random, { Kind::compliance, Kind::spring, Kind::both, Kind::plain });
    const auto &problem = affine.test.problem;
    for (const auto use :
         { StandardUse::rows, StandardUse::products, StandardUse::bodies })
    {
      StandardProblem<dim> standard;
      ASSERT_TRUE(standard.reinit(problem, use));
      // Any calP: then calU, P, U = W P + U_free must belong together.
      std::vector<double> calP(dim * affine.test.n), calU(dim * affine.test.n);
      for (double &x : calP)
        x = random.normal();
      standard.problem().W->multiply(calP.data(), calU.data());
      for (std::size_t k = 0; k < calU.size(); ++k)
        calU[k] += standard.problem().U_free[k];
      std::vector<double> P, U(calU.size()), back;
      // Those that are shifts keep their shift.
      standard.from_standard(calP, calU, P);
      problem.W->multiply(P.data(), U.data());
      for (std::size_t a = 0; a < affine.test.n; ++a)
      {
        LocalVector<dim> u, r, U_here, P_here;
        for (int c = 0; c < dim; ++c)
        {
          U_here[c] = U[dim * a + c] + problem.U_free[dim * a + c];
          P_here[c] = P[dim * a + c];
        }
        problem.laws[a].to_standard(U_here, P_here, u, r);
        for (int c = 0; c < dim; ++c)
        {
          const double shift = standard.problem().laws[a].shift[c];
          EXPECT_NEAR(u[c], calU[dim * a + c] + shift, 1e-9);
          EXPECT_NEAR(r[c], calP[dim * a + c], 1e-9);
        }
      }
      standard.to_standard(P, back);
      EXPECT_LE(distance(back, calP), 1e-9);
      // The global form is the same operator.
      if (use == StandardUse::bodies)
      {
        const GlobalForm &form = *standard.problem().global_form();
        std::vector<double> v(form.A.n_rows, 0.), w;
        for (std::size_t j = 0; j < form.H.n_columns; ++j)
          for (std::size_t k = form.H.start[j]; k < form.H.start[j + 1]; ++k)
            v[form.H.row[k]] += form.H.value[k] * calP[j];
        w                 = v;
        const auto factor = factorize(symmetric_matrix(form.A));
        factor->solve(v.data(), 1);
        if (form.solve)
        {
          form.solve(w.data());
          EXPECT_LE(distance(v, w), 1e-10 * norm_of(v));
        }
        for (std::size_t j = 0; j < form.H.n_columns; ++j)
        {
          double u = standard.problem().U_free[j];
          for (std::size_t k = form.H.start[j]; k < form.H.start[j + 1]; ++k)
            u += form.H.value[k] * v[form.H.row[k]];
          EXPECT_NEAR(u, calU[j], 1e-9);
        }
      }
    }
  }
}


namespace
{
/// W of pieces that touch, as the operators of the program have it.
template <int dim>
void forms_of_W(const std::vector<Kind> &kinds)
{
  Random random(321 + dim);
  const RandomBodies<dim> bodies(random, 12, 40);
  const BodyDelassus<dim> body(bodies.data);
  const auto sparse = assemble_block_sparse(bodies.data);
  const DenseDelassus<dim> dense(body);
  std::vector<LocalMatrix<dim>> diagonal(40);
  for (std::size_t a = 0; a < 40; ++a)
    dense.diagonal_block(a, diagonal[a].data());
  const AppliedDelassus<dim> applied(
      [&](const double *P, double *U) { dense.multiply(P, U); }, diagonal);
  ContactProblem<dim> problem = random_loading(random, sparse, 0.2);
  for (auto &law : problem.laws)
  {
    const Kind kind = kinds[random.index(kinds.size())];
    if (kind == Kind::plain)
      continue;
    law.affine = random_law<dim>(random, kind, 0.5, 2.).law();
    law.shift  = LocalVector<dim>{};
  }
  std::vector<double> expected;
  for (const auto &entry : with_threads())
  {
    if (entry.global)
      continue;
    const auto solver = make<dim>(entry, 1e-9);
    for (const DelassusOperator<dim> *W :
         std::initializer_list<const DelassusOperator<dim> *>{
             &sparse, &dense, &body, &applied })
    {
      const bool products = entry.type == ContactSolverType::automatic ||
                            entry.type == ContactSolverType::projected_gradient;
      if (W == &applied && !products)
        continue;
      SCOPED_TRACE(std::string(entry.name) + " " + W->name());
      problem.W             = W;
      const Outcome outcome = Family<dim>::run(*solver, problem);
      Family<dim>::check_honest(outcome, problem, 1e-9, 100000, entry.name);
      ASSERT_TRUE(outcome.converged())
          << outcome.result.errors.unit_free << outcome.message;
      if (expected.empty())
        expected = outcome.U;
      // (No bound on the solution is known here: well below what a wrong
      // calW does.)
      EXPECT_LE(distance(expected, outcome.U), 1e-5 * norm_of(expected));
    }
  }
}
} // namespace

TEST(AffineLaws, EveryFormOfW)
{
  forms_of_W<2>({ Kind::compliance, Kind::plain });
  forms_of_W<3>({ Kind::compliance, Kind::cohesion });
  forms_of_W<2>({ Kind::spring, Kind::plain, Kind::plain });
  forms_of_W<3>({ Kind::spring, Kind::compliance, Kind::plain });
}


// Where springs would fill W the automatic choice sweeps first and goes on with
// products.
TEST(AffineLaws, ManySpringsDoNotFillW)
{
  const SyntheticWall wall(15, 15);
  const auto W = assemble_block_sparse(wall.data);
  ContactProblem<2> problem;
  problem.W      = &W;
  problem.U_free = wall.U_free;
  problem.laws.resize(W.n_contacts());
  Written<2> spring;
  spring.D     = diagonal_matrix<2>({ { 2., 1. } });
  spring.p0[0] = -0.01;
  for (auto &law : problem.laws)
  {
    law.friction = 0.5;
    law.affine   = spring.law();
  }
  EXPECT_GT(StandardProblem<2>::n_values_of_rows(problem), 1e7);
  const auto solver = make_contact_solver<2>(
      parameters_of(ContactSolverType::automatic, 1e-5, 20000));
  const Outcome outcome = Family<2>::run(*solver, problem);
  Family<2>::check_honest(outcome, problem, 1e-5, 100000, "automatic");
  EXPECT_TRUE(outcome.converged()) << outcome.result.errors.unit_free;
  EXPECT_NE(outcome.result.solver.find("projected gradient"), std::string::npos)
      << outcome.result.solver;
}


// A warm start is taken along: the solution is recognized at once.
TEST(AffineLaws, StartFromTheSolution)
{
  Random random(331);
  for (const auto &entry : with_threads())
  {
    const AffineProblem<3> affine(
        random, { Kind::compliance, Kind::spring, Kind::plain });
    auto parameters       = parameters_of(entry.type, 1e-8, 20000);
    parameters.warm_start = true;
    const auto solver     = make_contact_solver<3>(parameters);
    std::vector<double> P, U;
    ASSERT_TRUE(solver->solve(affine.test.problem, P, U).converged)
        << entry.name;
    const auto &again = solver->solve(affine.test.problem, P, U);
    EXPECT_TRUE(again.converged) << entry.name;
    EXPECT_LE(again.sweeps, 12u) << entry.name;
  }
}


// Joints between what is driven on both sides: nothing moves, but the joint
// gives way. A bond there gets no impulse.
TEST(AffineLaws, WhereNothingMoves)
{
  TestProblem<2> test;
  std::vector<double> W(36, 0.);
  W[0] = W[7] = 1.; // contact 0 can move
  test.set_matrix(3, W);
  test.form           = std::make_unique<GlobalForm>();
  test.form->A        = compressed({ 1., 0., 0., 1. }, 2, 2);
  test.form->H        = compressed({ 1.,
                                     0.,
                                     0.,
                                     0.,
                                     0.,
                                     0., //
                                     0.,
                                     1.,
                                     0.,
                                     0.,
                                     0.,
                                     0. },
                            2,
                            6);
  test.problem.global = test.form.get();
  test.problem.U_free = { -1., 0.1, -1., 0.1, 0., 0. };
  Written<2> joint, bond;
  joint.C                       = diagonal_matrix<2>({ { 0.5, 0.5 } });
  bond.p0[0]                    = -0.3;
  test.problem.laws[0].friction = test.problem.laws[1].friction = 0.5;
  test.problem.laws[1].affine                                   = joint.law();
  test.problem.laws[2].affine                                   = bond.law();
  for (const auto &entry : with_threads())
  {
    const Outcome outcome = Family<2>::run(*make<2>(entry), test.problem);
    ASSERT_TRUE(outcome.converged()) << entry.name << outcome.message;
    EXPECT_NEAR(outcome.P[0], 1., 1e-9) << entry.name;
    EXPECT_NEAR(outcome.P[2], 2., 1e-9) << entry.name;
    EXPECT_NEAR(outcome.P[3], -0.2, 1e-9) << entry.name;
    EXPECT_EQ(outcome.P[4], 0.) << entry.name;
    EXPECT_EQ(outcome.result.n_immovable, 1u) << entry.name;
  }
}


namespace
{
/// Two contacts, coupled by 0.9 in each direction, with springs -d.
template <int dim>
TestProblem<dim> softening(const double d)
{
  const std::size_t m = 2 * dim;
  std::vector<double> W(m * m, 0.), A(m * m, 0.), one(m * m, 0.);
  for (int c = 0; c < dim; ++c)
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
      {
        W[(dim * a + c) * m + dim * b + c] = a == b ? 1. : 0.9;
        A[(dim * a + c) * m + dim * b + c] = (a == b ? 1. : -0.9) / (1. - 0.81);
        one[(dim * a + c) * m + dim * b + c] = a == b;
      }
  TestProblem<dim> test;
  test.set_matrix(2, W);
  test.form           = std::make_unique<GlobalForm>();
  test.form->A        = compressed(A, m, m);
  test.form->H        = compressed(one, m, m);
  test.problem.global = test.form.get();
  for (int a = 0; a < 2; ++a)
  {
    Written<dim> law;
    law.D[0]                         = -d;
    law.p0[0]                        = -0.1;
    test.problem.laws[a].affine      = law.law();
    test.problem.laws[a].friction    = 0.1;
    test.problem.U_free[dim * a]     = 0.3 - 0.5 * a;
    test.problem.U_free[dim * a + 1] = 0.2;
  }
  return test;
}

template <int dim>
void softens()
{
  // The largest eigenvalue of W is 1.9: the limit is d = 1 / 1.9 = 0.526, that
  // of each contact alone 1.
  const auto definite = softening<dim>(0.4), indefinite = softening<dim>(0.6),
             local = softening<dim>(1.5);
  std::vector<double> expected;
  for (const auto &entry : with_threads())
  {
    SCOPED_TRACE(entry.name);
    const auto solver = make<dim>(entry);
    for (unsigned int again = 0; again < 2; ++again)
    {
      const Outcome good = Family<dim>::run(*solver, definite.problem);
      ASSERT_TRUE(good.converged()) << good.message << good.result.diagnosis;
      EXPECT_FALSE(good.result.indefinite);
      if (expected.empty())
        expected = good.U;
      EXPECT_LE(distance(expected, good.U), 1e-7);
      for (const auto *test : { &indefinite, &local })
      {
        const Outcome bad = Family<dim>::run(*solver, test->problem);
        ASSERT_FALSE(bad.refused) << bad.message;
        EXPECT_FALSE(bad.result.converged);
        EXPECT_TRUE(bad.result.indefinite);
        EXPECT_EQ(bad.result.sweeps, 0u);
        EXPECT_NE(bad.result.diagnosis.find("soften"), std::string::npos);
        ASSERT_EQ(bad.P.size(), 2u * dim);
        ASSERT_EQ(bad.result.status.size(), 2u);
        for (const double x : bad.P)
          EXPECT_TRUE(std::isfinite(x));
      }
    }
  }
}
} // namespace

TEST(AffineLaws, SofteningBeyondDefinitenessIsTold)
{
  softens<2>();
  softens<3>();
}


TEST(AffineLaws, OtherCriteria)
{
  Random random(341);
  for (const auto criterion : { ContactCriterion::siconos,
                                ContactCriterion::worst_violation,
                                ContactCriterion::impulse_change })
    for (const auto &entry : with_threads())
    {
      const AffineProblem<2> affine(
          random, { Kind::compliance, Kind::spring, Kind::plain });
      auto parameters       = parameters_of(entry.type, 1e-8, 20000);
      parameters.criterion  = criterion;
      const auto solver     = make_contact_solver<2>(parameters);
      const Outcome outcome = Family<2>::run(*solver, affine.test.problem);
      ASSERT_TRUE(outcome.converged()) << entry.name << outcome.message;
      std::vector<double> U;
      const auto errors = compute_errors(affine.test.problem, outcome.P, U);
      EXPECT_LE(criterion == ContactCriterion::siconos ? errors.siconos
                                                       : errors.unit_free,
                criterion == ContactCriterion::siconos ? 1e-8 : 1e-5)
          << entry.name;
    }
}


// What is not symmetric has no global form, but all others.
TEST(AffineLaws, LawsWithoutSymmetryOnWOnly)
{
  Random random(351);
  auto test = random_definite<2>(random, 3, 5., 0.1);
  Written<2> law;
  law.L  = diagonal_matrix<2>({ { 0.5, 0.8 } }); // shocks: (U + e U0) / (1 + e)
  law.U0 = { { -0.1, 0.2 } };
  test.problem.laws[1].affine = law.law();
  std::vector<double> expected;
  for (const auto &entry : with_threads())
  {
    const Outcome outcome = Family<2>::run(*make<2>(entry), test.problem);
    if (entry.global)
    {
      EXPECT_TRUE(outcome.refused);
      EXPECT_NE(outcome.message.find("Contact 1"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(outcome.converged()) << entry.name << outcome.message;
    if (expected.empty())
      expected = outcome.P;
    EXPECT_LE(distance(expected, outcome.P), 1e-7) << entry.name;
  }
}
