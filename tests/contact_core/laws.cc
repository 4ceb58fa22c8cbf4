#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/laws/contact_law.h>

#include "dimensions.h"
#include "random_problems.h"

#include <gtest/gtest.h>

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <typename T>
class ChangeOfVariablesTest : public ::testing::Test
{
};
TYPED_TEST_SUITE(ChangeOfVariablesTest, Dimensions);

template <int dim>
LocalMatrix<dim> random_matrix(Random &random)
{
  LocalMatrix<dim> A;
  for (double &x : A)
    x = random.normal();
  return A;
}

template <int dim>
LocalVector<dim> random_vector(Random &random)
{
  LocalVector<dim> x;
  for (double &value : x)
    value = random.normal();
  return x;
}

/// One contact solved by the sweep, law as given.
template <int dim>
LocalVector<dim> solve_one(const LocalMatrix<dim> &W,
                           const LocalVector<dim> &U_free,
                           const ChangeOfVariables<dim> &law,
                           LocalVector<dim> &U)
{
  const DenseDelassus<dim> op(1, std::vector<double>(W.begin(), W.end()));
  ContactProblem<dim> problem;
  problem.W = &op;
  problem.U_free.assign(U_free.begin(), U_free.end());
  problem.laws = { law };
  ContactSolverParameters parameters;
  parameters.tolerance = 1e-13;
  GaussSeidel<dim> solver(parameters);
  std::vector<double> P_out, U_out;
  const ContactResult &result = solver.solve(problem, P_out, U_out);
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.sweeps, 2u);
  LocalVector<dim> P;
  std::copy_n(P_out.begin(), dim, P.begin());
  std::copy_n(U_out.begin(), dim, U.begin());
  return P;
}
} // namespace

TYPED_TEST(ChangeOfVariablesTest, StandardFormMatchesItsDefinition)
{
  constexpr int dim = TypeParam::value;
  Random random(11);
  for (unsigned int i = 0; i < 200; ++i)
  {
    ChangeOfVariables<dim> law;
    law.affine =
        std::make_shared<const AffineLaw<dim>>(random_matrix<dim>(random),
                                               random_matrix<dim>(random),
                                               random_matrix<dim>(random),
                                               random_matrix<dim>(random),
                                               random_vector<dim>(random),
                                               random_vector<dim>(random));
    const LocalMatrix<dim> W = random_positive_definite<dim>(random, 10.);
    const StandardForm<dim> form(law, W);
    const LocalVector<dim> U_loc = random_vector<dim>(random);

    // Any P gives U = U_loc + W P; in standard variables the same line must be
    // calU = calU_free + calW calP.
    const LocalVector<dim> P = random_vector<dim>(random);
    const LocalVector<dim> U = add(U_loc, multiply<dim>(W, P));
    LocalVector<dim> calU, calP;
    law.to_standard(U, P, calU, calP);
    const LocalVector<dim> expected =
        add(form.calU_free(U_loc), multiply<dim>(form.calW, calP));
    const double size = 1. + norm(calU) + norm(calP) + norm(expected);
    for (int c = 0; c < dim; ++c)
      EXPECT_NEAR(calU[c], expected[c], 1e-8 * size);

    // And back.
    LocalVector<dim> U_back, P_back;
    law.from_standard(calU, calP, U_back, P_back);
    for (int c = 0; c < dim; ++c)
    {
      EXPECT_NEAR(U_back[c], U[c], 1e-8 * size);
      EXPECT_NEAR(P_back[c], P[c], 1e-8 * size);
    }
  }
}

TYPED_TEST(ChangeOfVariablesTest, InverseFormIsTheSameLaw)
{
  constexpr int dim = TypeParam::value;
  Random random(12);
  const LocalMatrix<dim> A     = random_matrix<dim>(random),
                         B     = random_matrix<dim>(random),
                         C     = random_matrix<dim>(random),
                         D     = random_matrix<dim>(random);
  const LocalVector<dim> calU0 = random_vector<dim>(random),
                         calP0 = random_vector<dim>(random);
  ChangeOfVariables<dim> law;
  law.affine = std::make_shared<const AffineLaw<dim>>(
      AffineLaw<dim>::from_inverse(A, B, C, D, calU0, calP0));
  const LocalVector<dim> U = random_vector<dim>(random),
                         P = random_vector<dim>(random);
  LocalVector<dim> calU, calP;
  law.to_standard(U, P, calU, calP);
  const LocalVector<dim> expected_U =
      add(add(multiply<dim>(A, U), multiply<dim>(B, P)), calU0);
  const LocalVector<dim> expected_P =
      add(add(multiply<dim>(C, U), multiply<dim>(D, P)), calP0);
  for (int c = 0; c < dim; ++c)
  {
    EXPECT_NEAR(calU[c], expected_U[c], 1e-9);
    EXPECT_NEAR(calP[c], expected_P[c], 1e-9);
  }
}

TYPED_TEST(ChangeOfVariablesTest, IdentityIsTheShift)
{
  constexpr int dim = TypeParam::value;
  Random random(13);
  const LocalMatrix<dim> I = identity_matrix<dim>(), zero{};
  for (unsigned int i = 0; i < 200; ++i)
  {
    const LocalMatrix<dim> W = random_positive_definite<dim>(random, 10.);
    LocalVector<dim> U_free  = random_vector<dim>(random);
    U_free[0] -= 1.;
    ChangeOfVariables<dim> shift, affine;
    shift.friction = affine.friction = 0.3;
    shift.shift[0]                   = 0.4;
    LocalVector<dim> calU0{};
    calU0[0]      = 0.4;
    affine.affine = std::make_shared<const AffineLaw<dim>>(
        AffineLaw<dim>::from_inverse(I, zero, zero, I, calU0, {}));
    LocalVector<dim> U1, U2;
    const LocalVector<dim> P1 = solve_one<dim>(W, U_free, shift, U1);
    const LocalVector<dim> P2 = solve_one<dim>(W, U_free, affine, U2);
    for (int c = 0; c < dim; ++c)
    {
      EXPECT_NEAR(P1[c], P2[c], 1e-11 * (1. + norm(P1)));
      EXPECT_NEAR(U1[c], U2[c], 1e-11 * (1. + norm(P1)));
    }
  }
}

TYPED_TEST(ChangeOfVariablesTest, ElasticJointIsASpring)
{
  // calU_N = U_N + s P_N, no friction: U_N = -s P_N when closed, so
  // P_N = -U_free,N / (W_NN + s).
  constexpr int dim        = TypeParam::value;
  const LocalMatrix<dim> I = identity_matrix<dim>(), zero{};
  LocalMatrix<dim> compliance{};
  compliance[0] = 0.7;
  ChangeOfVariables<dim> law;
  law.affine = std::make_shared<const AffineLaw<dim>>(
      AffineLaw<dim>::from_inverse(I, compliance, zero, I, {}, {}));
  LocalMatrix<dim> W = identity_matrix<dim>();
  W[0]               = 2.;
  W[1] = W[dim] = 0.2;
  LocalVector<dim> U_free{}, U;
  U_free[0]                = -3.;
  const LocalVector<dim> P = solve_one<dim>(W, U_free, law, U);
  EXPECT_NEAR(P[0], 3. / 2.7, 1e-12);
  EXPECT_NEAR(P[1], 0., 1e-12);
  EXPECT_NEAR(U[0], -0.7 * P[0], 1e-12);
}

TYPED_TEST(ChangeOfVariablesTest, CohesionPullsUpToItsStrength)
{
  // calP_N = P_N + hc, mu = 0: P_N = -hc - ... the joint holds up to hc.
  constexpr int dim        = TypeParam::value;
  const LocalMatrix<dim> I = identity_matrix<dim>(), zero{};
  LocalVector<dim> cohesion{};
  cohesion[0] = 0.5;
  ChangeOfVariables<dim> law;
  law.affine = std::make_shared<const AffineLaw<dim>>(
      AffineLaw<dim>::from_inverse(I, zero, zero, I, {}, cohesion));
  const LocalMatrix<dim> W = scale(2., identity_matrix<dim>());
  LocalVector<dim> U_free{}, U;
  U_free[0]          = 0.6; // pulled apart, but held: P_N = -0.3 > -0.5
  LocalVector<dim> P = solve_one<dim>(W, U_free, law, U);
  EXPECT_NEAR(P[0], -0.3, 1e-12);
  EXPECT_NEAR(U[0], 0., 1e-12);
  U_free[0] = 1.4; // too much: P_N = -hc and the joint opens
  P         = solve_one<dim>(W, U_free, law, U);
  EXPECT_NEAR(P[0], -0.5, 1e-12);
  EXPECT_NEAR(U[0], 0.4, 1e-12);
  U_free[0] = -1.; // pressed
  P         = solve_one<dim>(W, U_free, law, U);
  EXPECT_NEAR(P[0], 0.5, 1e-12);
}

TYPED_TEST(ChangeOfVariablesTest, SingularChangesAreRefused)
{
  constexpr int dim        = TypeParam::value;
  const LocalMatrix<dim> I = identity_matrix<dim>(), zero{};
  EXPECT_THROW(AffineLaw<dim>(I, zero, zero, zero, {}, {}), ComputationError);
  // J_UU - W J_RU = 1 - W: singular for W = 1.
  ChangeOfVariables<dim> law;
  law.affine = std::make_shared<const AffineLaw<dim>>(
      I, zero, I, I, LocalVector<dim>{}, LocalVector<dim>{});
  EXPECT_THROW(StandardForm<dim>(law, I), ComputationError);
}

TEST(ContactLaws, GapSignoriniUsesTheConsistentGap)
{
  ContactLawParameters parameters;
  parameters.friction = 0.4;
  const auto law      = make_contact_law<3>(parameters);
  CandidateState<3> state;
  state.h           = 0.1;
  state.gap         = 0.5;
  state.gap_tilde   = 0.02;
  const auto change = law->prepare(state);
  EXPECT_TRUE(change.active);
  EXPECT_TRUE(change.is_shift());
  EXPECT_NEAR(change.shift[0], 0.2, 1e-15);
  EXPECT_EQ(change.shift[1], 0.);
  EXPECT_EQ(change.friction, 0.4);
}

TEST(ContactLaws, VelocitySignoriniForecasts)
{
  ContactLawParameters parameters;
  parameters.type     = ContactLawType::velocity_signorini_coulomb;
  parameters.friction = 0.4;
  const auto law      = make_contact_law<2>(parameters);
  CandidateState<2> state;
  state.h   = 0.1;
  state.gap = 0.05;
  EXPECT_FALSE(law->prepare(state).active);
  state.U_previous = { { -0.6, 0. } };
  EXPECT_TRUE(law->prepare(state).active);
  state.U_previous       = { { 0.3, 0. } };
  state.U_free_candidate = { { -0.5, 0. } };
  EXPECT_TRUE(law->prepare(state).active);
  state.U_free_candidate = { { -0.4, 0. } };
  EXPECT_FALSE(law->prepare(state).active);
  state.gap = 0.;
  EXPECT_TRUE(law->prepare(state).active);
  EXPECT_EQ(law->prepare(state).shift[0], 0.);
  EXPECT_EQ(law->prepare(state).friction, 0.4);
}

TEST(ContactLaws, FactoryKnowsAllAndRefusesNonsense)
{
  ContactLawParameters parameters;
  parameters.name     = "joint";
  parameters.type     = ContactLawType::frictionless;
  parameters.friction = 0.4;
  const auto law      = make_contact_law<2>(parameters);
  CandidateState<2> state;
  state.h         = 0.5;
  state.gap_tilde = 1.;
  EXPECT_EQ(law->prepare(state).friction, 0.);
  EXPECT_EQ(law->prepare(state).shift[0], 2.);
  EXPECT_EQ(law->name(), "frictionless");
  parameters.friction = -0.1;
  try
  {
    make_contact_law<2>(parameters);
    FAIL();
  }
  catch (const InputError &error)
  {
    EXPECT_NE(std::string(error.what()).find("joint"), std::string::npos);
  }
}
