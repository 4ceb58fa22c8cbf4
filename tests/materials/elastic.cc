// Elastic laws, and inelastic ones below yield, against closed forms.
#include "laws_under_test.h"

using namespace materials_test;

namespace
{
constexpr double E = 210., nu = 0.28;
const double G = E / (2. * (1. + nu)), K = E / (3. * (1. - 2. * nu)),
             lambda = K - 2. / 3. * G;

void expect_stress(const MaterialResponse &response, const Voigt &expected)
{
  for (unsigned int i = 0; i < 6; ++i)
    EXPECT_NEAR(response.stress[i],
                expected[i],
                1e-13 * E * std::max(1., largest(expected) / E))
        << "component " << i;
}

Tensor simple_shear(const double gamma)
{
  Tensor F = identity();
  F[0][1]  = gamma;
  return F;
}
} // namespace

TEST(Elastic, LinearElasticIsHookesLaw)
{
  Point point(elastic(MaterialModel::linear_elastic));
  EXPECT_FALSE(point.law->is_finite_strain());
  EXPECT_NEAR(point.uniaxial(1.003).stress[0], 0.003 * E, 1e-13 * E);
  EXPECT_NEAR(point.side, 1. - nu * 0.003, 1e-15);
  expect_stress(point.try_out(simple_shear(0.02)),
                { { 0, 0, 0, 0.02 * G, 0, 0 } });
  expect_stress(point.try_out(diagonal(1.01, 1.01, 1.01)),
                { { 0.03 * K, 0.03 * K, 0.03 * K, 0, 0, 0 } });
  EXPECT_NEAR(
      point.try_out(simple_shear(0.02)).stored, 0.5 * G * 4e-4, 1e-14 * G);
}

TEST(Elastic, SaintVenantKirchhoff)
{
  Point point(elastic(MaterialModel::saint_venant_kirchhoff));
  for (const double s : { 0.8, 0.95, 1.1, 1.6 })
  {
    const double green = 0.5 * (s * s - 1.);
    EXPECT_NEAR(point.uniaxial(s).stress[0], s * s * E * green, 1e-12 * E);
    EXPECT_NEAR(0.5 * (point.side * point.side - 1.), -nu * green, 1e-14);
    const double S = 2. * (lambda + G) * green;
    expect_stress(
        point.try_out(diagonal(s, s, 1.)),
        { { s * s * S, s * s * S, 2. * lambda * green, 0., 0., 0. } });
  }
  for (const double g : { -0.4, 0.1, 1.5 })
  {
    const double S11 = 0.5 * lambda * g * g, S22 = (0.5 * lambda + G) * g * g,
                 S12 = G * g;
    expect_stress(point.try_out(simple_shear(g)),
                  { { S11 + 2. * g * S12 + g * g * S22,
                      S22,
                      S11,
                      S12 + g * S22,
                      0.,
                      0. } });
  }
}

TEST(Elastic, NeoHookean)
{
  Point point(elastic(MaterialModel::neo_hookean));
  for (const double g : { -2., 0.1, 3. })
    expect_stress(point.try_out(simple_shear(g)),
                  { { G * g * g, 0., 0., G * g, 0., 0. } });
  for (const double s : { 0.3, 0.9, 1.4, 4. })
  {
    expect_stress(point.try_out(diagonal(s, s, 1.)),
                  { { G * (s * s - 1.) + 2. * lambda * std::log(s),
                      G * (s * s - 1.) + 2. * lambda * std::log(s),
                      2. * lambda * std::log(s),
                      0.,
                      0.,
                      0. } });
    // Free sides: mu (t^2 - 1) + lambda ln(s t^2) = 0 by bisection in ln t.
    double low = -3., high = 3.;
    for (unsigned int k = 0; k < 200; ++k)
    {
      const double t = 0.5 * (low + high);
      (G * std::expm1(2. * t) + lambda * (std::log(s) + 2. * t) > 0. ? high
                                                                     : low) = t;
    }
    const double t = std::exp(low);
    EXPECT_NEAR(
        point.uniaxial(s).stress[0], G * (s * s - t * t), 1e-12 * E * s * s);
    EXPECT_NEAR(point.side, t, 1e-13);
  }
}

// Below yield the finite-strain plasticity is Hencky's elasticity.
TEST(Elastic, Hencky)
{
  for (const double kinematic : { 0., 3. })
  {
    Point point(j2(MaterialModel::j2, 1e6, 0., kinematic));
    for (const double s : { 0.1, 0.9, 1.2, 5. })
    {
      EXPECT_NEAR(point.uniaxial(s).stress[0], E * std::log(s), 1e-12 * E);
      EXPECT_NEAR(point.side, std::pow(s, -nu), 1e-13);
      expect_stress(point.try_out(diagonal(s, s, 1.)),
                    { { 2. * (lambda + G) * std::log(s),
                        2. * (lambda + G) * std::log(s),
                        2. * lambda * std::log(s),
                        0.,
                        0.,
                        0. } });
    }
    for (const double g : { -3., 0.01, 0.7, 6. })
    {
      // Principal logarithmic strains +-asinh(g/2), cos and sin of twice the
      // angle of the axes of b.
      const double e = std::asinh(0.5 * g), root = std::sqrt(1. + 0.25 * g * g);
      const double cos2 = 0.5 * g / root, sin2 = 1. / root;
      expect_stress(point.try_out(simple_shear(g)),
                    { { 2. * G * e * cos2,
                        -2. * G * e * cos2,
                        0.,
                        2. * G * e * sin2,
                        0.,
                        0. } });
      EXPECT_NEAR(point.try_out(simple_shear(g)).stored,
                  2. * G * e * e,
                  1e-13 * G * (1. + e * e));
    }
  }
}

// Strains of 1e-12 that F can express exactly: all digits but those of the
// nonlinear terms are right, in all laws.
TEST(Elastic, TinyStrainsKeepTheirDigits)
{
  const double unit = std::ldexp(1., -40);
  Tensor H;
  const int numbers[3][3] = { { 3, -2, 0 }, { 5, -4, 0 }, { 0, 0, 2 } };
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      H[i][j] = unit * numbers[i][j];
  const Tensor F = identity() + H;
  for (const auto &[name, parameters] : all_laws())
    for (const bool plane_stress : { false, true })
    {
      Point point(parameters,
                  plane_stress ? Assumption::plane_stress
                               : Assumption::three_dimensional);
      // (Maxwell: a step too short to flow.)
      const auto response = point.try_out(F, 1e-14);
      const double l =
          plane_stress ? 2. * lambda * G / (lambda + 2. * G) : lambda;
      const double trace   = H[0][0] + H[1][1] + (plane_stress ? 0. : H[2][2]);
      const Voigt expected = { { l * trace + 2. * G * H[0][0],
                                 l * trace + 2. * G * H[1][1],
                                 plane_stress ? 0.
                                              : l * trace + 2. * G * H[2][2],
                                 G * (H[0][1] + H[1][0]),
                                 0.,
                                 0. } };
      double energy        = 0.;
      for (unsigned int i = 0; i < 6; ++i)
      {
        EXPECT_NEAR(response.stress[i], expected[i], 2e-11 * largest(expected))
            << name << " component " << i << " plane stress " << plane_stress;
        if (i != 2)
          energy += 0.5 * expected[i] *
                    (i < 3 ? H[i][i]
                           : H[first[i]][second[i]] + H[second[i]][first[i]]);
      }
      if (!plane_stress)
      {
        energy += 0.5 * expected[2] * H[2][2];
        EXPECT_NEAR(response.stored / energy, 1., 2e-11) << name;
      }
    }
}

// The stress is the derivative of the stored energy.
TEST(Elastic, StressDerivesFromTheEnergy)
{
  Tensor F = identity();
  F[0][1]  = 0.3;
  F[1][2]  = -0.2;
  F[2][0]  = 0.1;
  F[1][1]  = 1.3;
  for (auto parameters : { elastic(MaterialModel::saint_venant_kirchhoff),
                           elastic(MaterialModel::neo_hookean),
                           j2(MaterialModel::j2, 1e6) })
  {
    Point point(parameters);
    const auto response = point.try_out(F);
    for (unsigned int i = 0; i < 6; ++i)
    {
      Tensor d;
      d[first[i]][second[i]] += 0.5;
      d[second[i]][first[i]] += 0.5;
      const double e    = 1e-5;
      const double rate = (point.try_out((identity() + e * d) * F).stored -
                           point.try_out((identity() - e * d) * F).stored) /
                          (2. * e);
      EXPECT_NEAR(response.stress[i], rate, 1e-7 * E);
    }
  }
}

// F_zz is found from far away too: one step from the virgin state to large
// strains in the plane.
TEST(Elastic, PlaneStressInOneLargeStep)
{
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1., 1.);
  for (const auto &[name, parameters] : all_laws())
    for (unsigned int trial = 0; trial < 200; ++trial)
    {
      Point point(parameters, Assumption::plane_stress);
      const bool finite = point.law->is_finite_strain();
      // (Saint Venant-Kirchhoff's plates have no thickness left beyond some
      // stretch: nu tr(E) / (1 - nu) < 1/2 is needed.)
      const double size =
          parameters.model == MaterialModel::saint_venant_kirchhoff ? 0.2
          : finite                                                  ? 1.
                                                                    : 0.1;
      const Tensor F = diagonal(std::exp(size * number(random)),
                                std::exp(size * number(random)),
                                1.) *
                       rotation(3. * number(random), 0., 0., 1.);
      Tensor shear        = identity();
      shear[0][1]         = size * number(random);
      const auto response = point.try_out(shear * F, 0.1);
      EXPECT_EQ(response.stress[2], 0.) << name;
      for (unsigned int i = 0; i < 6; ++i)
        EXPECT_EQ(response.tangent[2][i], 0.) << name;
      // The law itself at that F_zz.
      const auto law = make_material(parameters, Assumption::three_dimensional);
      const double z = point.end[law->n_history()];
      Tensor full    = shear * F;
      full[2][2]     = finite ? std::exp(z) : 1. + z;
      MaterialResponse found;
      std::vector<double> end(law->n_history() + 1);
      EXPECT_TRUE(law->respond(
          full, 0.1, point.begin.data(), end.data(), false, found));
      EXPECT_NEAR(found.stress[2],
                  0.,
                  1e-13 * parameters.young_modulus *
                      (1. + largest(found.stress) / parameters.young_modulus))
          << name;
    }
}

TEST(Elastic, NoAnswerForAnInvertedCell)
{
  for (const auto &[name, parameters] : all_laws())
    for (const bool plane_stress : { false, true })
    {
      Point point(parameters,
                  plane_stress ? Assumption::plane_stress
                               : Assumption::three_dimensional);
      if (!point.law->is_finite_strain())
        continue;
      MaterialResponse response;
      for (const double bad : { -1., 0., std::nan("") })
        EXPECT_FALSE(point.law->respond(diagonal(bad, 1., 1.),
                                        1.,
                                        point.begin.data(),
                                        point.end.data(),
                                        true,
                                        response))
            << name;
    }
}
