// The compliance of a sheet through its thickness, in series with each law that
// has a gap: forces against displacements and the balance of energy (which
// MassOnGround asks of every step).

#include "contact_core/dimensions.h"
#include "contact_core/law_steps.h"
#include "contact_core/random_problems.h"

#include <cmath>

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <typename T>
class ThicknessComplianceTest : public ::testing::Test
{
};
TYPED_TEST_SUITE(ThicknessComplianceTest, Dimensions);

/// a / (2 E A) of a sheet of steel of 1 mm, 10 mm x 10 mm of it.
constexpr double area = 1e-4, c = 0.5e-3 / (2.1e11 * area);

ContactLawParameters law_of(const ContactLawType type)
{
  ContactLawParameters parameters;
  parameters.name                 = "dry";
  parameters.type                 = type;
  parameters.friction             = 0.3;
  parameters.shear_limit          = 1e7;
  parameters.normal_stiffness     = 2. / (c * area);
  parameters.tangential_stiffness = 1. / (c * area);
  parameters.tensile_strength     = 1e6;
  return parameters;
}

const std::vector<ContactLawType> laws_of_gaps = {
  ContactLawType::gap_signorini_coulomb,
  ContactLawType::frictionless,
  ContactLawType::tresca,
  ContactLawType::elastic_joint,
  ContactLawType::cohesive
};
} // namespace

// Pressed in by delta: R_N = delta / c, with a joint delta / (c + 1/k); the
// same on the way out, and nothing beyond.
TYPED_TEST(ThicknessComplianceTest, ForceIsThatOfTheSpring)
{
  constexpr int dim = TypeParam::value;
  for (const auto type : laws_of_gaps)
    for (const double h : { 1e-2, 1e-5 })
    {
      if (type == ContactLawType::cohesive)
        continue;
      SCOPED_TRACE(int(type));
      MassOnGround<dim> mass(law_of(type), driven, area, 1., c);
      mass.start();
      const double all = c * (type == ContactLawType::elastic_joint ? 1.5 : 1.);
      const double delta = 1e-6;
      LocalVector<dim> v{};
      for (const double way : { -delta, delta })
        for (unsigned int i = 0; i < (way < 0. ? 5 : 7); ++i)
        {
          v[0] = way / h;
          mass.drive(h, v, i % 2 == 0);
          EXPECT_NEAR(mass.force[0],
                      std::max(0., -mass.q[0]) / all,
                      1e-9 * delta / all);
          EXPECT_NEAR(mass.stored,
                      0.5 * all * mass.force[0] * mass.force[0],
                      1e-9 * delta * delta / all);
        }
      EXPECT_EQ(mass.force[0], 0.);
      EXPECT_EQ(mass.stored, 0.);
    }
}

// Friction is that of the law: Coulomb's bound follows the pressure of the
// spring, Tresca's does not.
TYPED_TEST(ThicknessComplianceTest, FrictionIsThatOfTheLaw)
{
  constexpr int dim = TypeParam::value;
  for (const auto type :
       { ContactLawType::gap_signorini_coulomb, ContactLawType::tresca })
    for (const double delta : { 1e-6, 3e-6 })
    {
      MassOnGround<dim> mass(law_of(type), driven, area, 1., c);
      mass.start();
      const double h = 1e-3;
      LocalVector<dim> v{};
      v[0] = -delta / h;
      mass.drive(h, v);
      v[0]           = 0.;
      v[dim - 1]     = 0.1;
      const double N = delta / c;
      for (unsigned int i = 0; i < 3; ++i)
        mass.drive(h, v);
      EXPECT_NEAR(mass.force[0], N, 1e-9 * N);
      EXPECT_NEAR(mass.force[dim - 1],
                  type == ContactLawType::tresca ? -1e7 * area : -0.3 * N,
                  1e-9 * N);
      EXPECT_EQ(mass.solution.status, ContactStatus::slip);
    }
}

// A bond stretches the sheet by c times its force, and breaks at its strength.
TYPED_TEST(ThicknessComplianceTest, BondStretchesTheSheet)
{
  constexpr int dim = TypeParam::value;
  MassOnGround<dim> mass(law_of(ContactLawType::cohesive), driven, area, 1., c);
  mass.start();
  const double h = 1e-3, strongest = 1e6 * area;
  LocalVector<dim> v{};
  v[0] = 0.3 * strongest * c / h;
  for (unsigned int i = 1; i <= 6; ++i)
  {
    mass.drive(h, v);
    if (i <= 3)
    {
      EXPECT_NEAR(mass.force[0], -0.3 * i * strongest, 1e-9 * strongest);
    }
  }
  EXPECT_EQ(mass.force[0], 0.);
}

// A mass that falls on it swings with m x'' = -x / c and leaves again: half a
// period. Implicit Euler takes h w of its speed away each radian.
TYPED_TEST(ThicknessComplianceTest, BouncesLikeASpring)
{
  constexpr int dim = TypeParam::value;
  const double m = 0.1, w = 1. / std::sqrt(m * c), h = 1e-3 / w;
  MassOnGround<dim> mass(
      law_of(ContactLawType::gap_signorini_coulomb), m, area, 1., c);
  mass.start();
  mass.v[0]      = -1.;
  unsigned int n = 0;
  while (n < 4000 && (n < 2 || mass.force[0] > 0.))
  {
    mass.step(h, LocalVector<dim>{});
    ++n;
  }
  EXPECT_NEAR(n * h * w, M_PI, 0.01);
  // |lambda|^2 = 1 / (1 + (h w)^2) a step: exp(-pi h w / 2) in half a period.
  EXPECT_NEAR(mass.v[0], std::exp(-0.5 * M_PI * h * w), 3e-3);
}

// No compliance: the law itself, to the last bit.
TYPED_TEST(ThicknessComplianceTest, WithoutComplianceTheLawItself)
{
  constexpr int dim = TypeParam::value;
  for (const auto type : laws_of_gaps)
  {
    MassOnGround<dim> plain(law_of(type), 2., area),
        wrapped(law_of(type), 2., area, 1., 0.);
    plain.start();
    wrapped.start();
    LocalVector<dim> F{};
    F[0]       = -20.;
    F[dim - 1] = 7.;
    for (unsigned int i = 0; i < 20; ++i)
    {
      plain.step(1e-3, F);
      wrapped.step(1e-3, F);
      EXPECT_EQ(plain.q, wrapped.q);
      EXPECT_EQ(plain.force, wrapped.force);
    }
    EXPECT_GT(plain.force[0], 0.);
  }
}
