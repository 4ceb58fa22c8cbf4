// The cohesive law with one contact: when it breaks, what it holds before and
// after, and what that costs.

#include "contact_core/dimensions.h"
#include "contact_core/law_steps.h"

#include <delassus/base/exceptions.h>

#include <cmath>

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <typename T>
class CohesiveTest : public ::testing::Test
{
};
TYPED_TEST_SUITE(CohesiveTest, Dimensions);

constexpr double area = 0.02, strength = 5e3, c = strength * area; // 100
constexpr double tan_phi = 0.7, mu = 0.4, m = 2., h = 1e-3;

ContactLawParameters bond()
{
  ContactLawParameters parameters;
  parameters.name              = "bond";
  parameters.type              = ContactLawType::cohesive;
  parameters.friction          = mu;
  parameters.cohesive_friction = tan_phi;
  parameters.tensile_strength  = strength;
  return parameters;
}
} // namespace


// Pulled by a force that grows: it holds up to c, then flies off; by area or by
// contact.
TYPED_TEST(CohesiveTest, HoldsTensionUpToItsStrength)
{
  constexpr int dim = TypeParam::value;
  for (const bool per_contact : { false, true })
  {
    ContactLawParameters parameters = bond();
    if (per_contact)
    {
      parameters.tensile_strength = 0.;
      parameters.bond_force       = c;
    }
    MassOnGround<dim> mass(parameters, m, area);
    mass.start();
    LocalVector<dim> F{};
    for (unsigned int i = 1; i <= 100; ++i)
    {
      F[0] = 0.0199 * c * i; // passes c in step 51
      mass.step(h, F, i % 7 == 0);
      if (i <= 50)
      {
        EXPECT_NEAR(mass.force[0], -F[0], 1e-9 * c);
        EXPECT_NEAR(mass.q[0], 0., 1e-15);
        EXPECT_EQ(mass.states.begin(0)[0], 1.);
        EXPECT_EQ(mass.dissipated, 0.);
      }
      else if (i == 51)
      {
        EXPECT_NEAR(mass.force[0], -c, 1e-9 * c);
        EXPECT_GT(mass.q[0], 0.);
        EXPECT_EQ(mass.states.begin(0)[0], 0.);
        EXPECT_NEAR(mass.dissipated, c * mass.q[0], 1e-12 * c * mass.q[0]);
      }
      else
        EXPECT_EQ(mass.force[0], 0.);
    }
  }
}


// Pressed by N and sheared: tan phi (N + c), then mu N.
TYPED_TEST(CohesiveTest, ShearBreaksOnTheConeOfMohrAndCoulomb)
{
  constexpr int dim = TypeParam::value;
  for (const double N : { 60., 0., -40. })
  {
    MassOnGround<dim> mass(bond(), m, area);
    mass.start();
    const double limit = tan_phi * (N + c);
    LocalVector<dim> F{};
    F[0] = -N;
    for (unsigned int i = 1; i <= 40; ++i)
    {
      F[dim - 1] = -0.0399 * limit * i; // passes in step 26
      if (N < 0. && i > 26)
        break; // flies off
      mass.step(h, F);
      if (i <= 25)
      {
        EXPECT_NEAR(mass.force[dim - 1], -F[dim - 1], 1e-9 * c);
        EXPECT_NEAR(mass.force[0], N, 1e-9 * c);
        EXPECT_EQ(mass.states.begin(0)[0], 1.);
        EXPECT_NEAR(mass.all_sliding, 0., 1e-15 * c);
      }
      else if (i == 26)
      {
        // The last of the bond.
        EXPECT_NEAR(mass.force[dim - 1], limit, 1e-9 * c);
        EXPECT_EQ(mass.states.begin(0)[0], 0.);
        EXPECT_GT(mass.sliding, 0.);
      }
      else
      {
        EXPECT_NEAR(mass.force[dim - 1], mu * N, 1e-9 * c);
        EXPECT_NEAR(mass.force[0], N, 1e-9 * c);
      }
    }
    EXPECT_EQ(mass.states.begin(0)[0], 0.);
  }
}


// Unloaded and loaded again below the limit nothing is left behind; once broken
// it holds no tension, also after it has been closed again.
TYPED_TEST(CohesiveTest, IntactItForgetsAndBrokenItStaysBroken)
{
  constexpr int dim = TypeParam::value;
  MassOnGround<dim> mass(bond(), m, area);
  mass.start();
  LocalVector<dim> F{};
  for (unsigned int i = 0; i < 40; ++i)
  {
    F[0] = (i % 2 == 0 ? 0.95 : -2.) * c;
    F[1] = (i % 3 == 0 ? 0.03 : -0.02) * c;
    mass.step(h, F);
    EXPECT_NEAR(norm(add(mass.force, F)), 0., 1e-9 * c);
    EXPECT_NEAR(norm(mass.q), 0., 1e-15);
  }
  EXPECT_EQ(mass.states.begin(0)[0], 1.);
  EXPECT_NEAR(mass.all_dissipated + mass.all_sliding, 0., 1e-12);
  F    = LocalVector<dim>{};
  F[0] = 1.05 * c;
  mass.step(h, F);
  EXPECT_EQ(mass.states.begin(0)[0], 0.);
  F[0] = -c;
  for (unsigned int i = 0; i < 100; ++i)
    mass.step(h, F);
  EXPECT_NEAR(mass.force[0], c, 1e-9 * c);
  F[0] = 0.01 * c;
  mass.step(h, F);
  EXPECT_EQ(mass.force[0], 0.);
  EXPECT_GT(mass.v[0], 0.);
}


// tan phi = 0: it may slide and holds all the same.
TYPED_TEST(CohesiveTest, WithoutFrictionSlidingDoesNotBreakIt)
{
  constexpr int dim            = TypeParam::value;
  ContactLawParameters without = bond();
  without.cohesive_friction    = 0.;
  MassOnGround<dim> mass(without, m, area);
  mass.start();
  LocalVector<dim> F{};
  F[0] = 0.5 * c;
  F[1] = 3.;
  for (unsigned int i = 0; i < 20; ++i)
    mass.step(h, F);
  EXPECT_NEAR(mass.v[1], 20. * h * 3. / m, 1e-12);
  EXPECT_NEAR(mass.force[0], -0.5 * c, 1e-9 * c);
  EXPECT_EQ(mass.states.begin(0)[0], 1.);
  F[0] = 1.01 * c;
  mass.step(h, F);
  EXPECT_EQ(mass.states.begin(0)[0], 0.);
}


TEST(Cohesive, OnlyWhatTouchesAtTheStartIsBonded)
{
  ContactLawParameters parameters = bond();
  const auto exact                = make_contact_law<3>(parameters);
  parameters.bonding_gap          = 1e-3;
  const auto near                 = make_contact_law<3>(parameters);
  CandidateState<3> candidate;
  candidate.area = area;
  double state   = 7.;
  exact->initialize(candidate, &state);
  EXPECT_EQ(state, 0.); // it came later
  candidate.at_start = true;
  for (const double gap : { -1e-5, 0., 1e-14, 5e-4, 2e-3 })
  {
    candidate.gap = gap;
    exact->initialize(candidate, &state);
    EXPECT_EQ(state, gap < 1e-10 ? 1. : 0.) << gap;
    near->initialize(candidate, &state);
    EXPECT_EQ(state, gap < 1e-3 ? 1. : 0.) << gap;
  }
}


// theta = 1/2: the gap itself may be above zero within a step, what the
// condition looks at is not; a bond that holds does not break.
TEST(Cohesive, MidpointStepsDoNotBreakIt)
{
  MassOnGround<2> mass(bond(), m, area, 0.5);
  mass.start();
  mass.v = { { 0.02, 0. } };
  for (unsigned int i = 0; i < 20; ++i)
    mass.step(h, { { 0.3 * c, 0. } });
  EXPECT_EQ(mass.states.begin(0)[0], 1.);
  EXPECT_NEAR(mass.force[0], -0.3 * c, 1e-9 * c);
}


TEST(Cohesive, NonsenseIsRefused)
{
  for (double ContactLawParameters::*number :
       { &ContactLawParameters::tensile_strength,
         &ContactLawParameters::bond_force,
         &ContactLawParameters::bonding_gap })
    for (const double value : { -1., std::nan("") })
    {
      ContactLawParameters parameters = bond();
      parameters.*number              = value;
      EXPECT_THROW(make_contact_law<3>(parameters), InputError);
    }
}
