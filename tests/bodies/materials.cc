#include <delassus/materials/linear_elastic.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;

namespace
{
constexpr double E = 210., nu = 0.28, rho = 7.8;
const double G = E / (2. * (1. + nu));

LinearElastic law(const Assumption assumption)
{
  MaterialParameters material;
  material.density       = rho;
  material.young_modulus = E;
  material.poisson_ratio = nu;
  return LinearElastic(material, assumption);
}

void expect_near(const Voigt &a, const Voigt &b)
{
  for (unsigned int i = 0; i < 6; ++i)
    EXPECT_NEAR(a[i], b[i], 1e-13 * E) << "component " << i;
}
} // namespace

TEST(Materials, UniaxialTensionGivesYoungsModulusIn3D)
{
  for (const auto assumption :
       { Assumption::three_dimensional, Assumption::axisymmetric })
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      Voigt strain{}, stress{};
      for (unsigned int i = 0; i < 3; ++i)
        strain[i] = i == axis ? 1. : -nu;
      stress[axis] = E;
      expect_near(law(assumption).stress(strain), stress);
    }
}

TEST(Materials, BulkAndShearModulus)
{
  const double K = E / (3. * (1. - 2. * nu));
  expect_near(
      law(Assumption::three_dimensional).stress({ { 1, 1, 1, 0, 0, 0 } }),
      { { 3 * K, 3 * K, 3 * K, 0, 0, 0 } });
  expect_near(
      law(Assumption::three_dimensional).stress({ { 0, 0, 0, 1, 2, 3 } }),
      { { 0, 0, 0, G, 2 * G, 3 * G } });
}

TEST(Materials, PlaneStrain)
{
  const double c = E / ((1. + nu) * (1. - 2. * nu));
  const Voigt s =
      law(Assumption::plane_strain).stress({ { 2., 3., 0., 5., 0., 0. } });
  expect_near(s,
              { { c * ((1. - nu) * 2. + nu * 3.),
                  c * (nu * 2. + (1. - nu) * 3.),
                  c * nu * 5.,
                  5. * G,
                  0.,
                  0. } });
  EXPECT_NEAR(s[2], nu * (s[0] + s[1]), 1e-12 * E);
}

TEST(Materials, PlaneStress)
{
  const auto plane = law(Assumption::plane_stress);
  expect_near(plane.stress({ { 1., -nu, 0., 0., 0., 0. } }),
              { { E, 0, 0, 0, 0, 0 } });
  expect_near(plane.stress({ { -nu, 1., 0., 0., 0., 0. } }),
              { { 0, E, 0, 0, 0, 0 } });
  const double c = E / (1. - nu * nu);
  expect_near(
      plane.stress({ { 2., 3., 0., 5., 0., 0. } }),
      { { c * (2. + nu * 3.), c * (nu * 2. + 3.), 0., 5. * G, 0., 0. } });
}

TEST(Materials, ElasticityMatrixIsTheOneOfTheStress)
{
  const auto plane = law(Assumption::plane_stress);
  for (unsigned int j = 0; j < 6; ++j)
  {
    Voigt strain{};
    strain[j]          = 1.;
    const Voigt stress = plane.stress(strain);
    for (unsigned int i = 0; i < 6; ++i)
    {
      EXPECT_EQ(plane.elasticity_matrix()[i][j], stress[i]);
      EXPECT_EQ(plane.elasticity_matrix()[i][j],
                plane.elasticity_matrix()[j][i]);
    }
  }
}

TEST(Materials, WaveSpeed)
{
  const double solid =
      std::sqrt(E * (1. - nu) / ((1. + nu) * (1. - 2. * nu) * rho));
  EXPECT_NEAR(law(Assumption::three_dimensional).pressure_wave_speed(),
              solid,
              1e-13 * solid);
  EXPECT_NEAR(law(Assumption::plane_strain).pressure_wave_speed(),
              solid,
              1e-13 * solid);
  const double plate = std::sqrt(E / (rho * (1. - nu * nu)));
  EXPECT_NEAR(law(Assumption::plane_stress).pressure_wave_speed(),
              plate,
              1e-13 * plate);
}

TEST(Materials, VonMises)
{
  EXPECT_NEAR(von_mises({ { -4., 0, 0, 0, 0, 0 } }), 4., 1e-14);
  EXPECT_NEAR(von_mises({ { 0, 0, 4., 0, 0, 0 } }), 4., 1e-14);
  EXPECT_NEAR(von_mises({ { 7., 7., 7., 0, 0, 0 } }), 0., 1e-14);
  for (unsigned int i = 3; i < 6; ++i)
  {
    Voigt shear{};
    shear[i] = 2.;
    EXPECT_NEAR(von_mises(shear), 2. * std::sqrt(3.), 1e-14);
  }
  // Uniaxial tension along (1, 1, 0): the same number in turned axes.
  EXPECT_NEAR(von_mises({ { 1., 1., 0., 1., 0., 0. } }), 2., 1e-14);
}

TEST(Materials, StrainOfAGradient)
{
  dealii::Tensor<2, 3> g;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      g[i][j] = 1. + 3. * i + j * j;
  const Voigt e = strain_of_gradient<3>(g, 0.);
  EXPECT_EQ(e[0], g[0][0]);
  EXPECT_EQ(e[1], g[1][1]);
  EXPECT_EQ(e[2], g[2][2]);
  EXPECT_EQ(e[3], g[0][1] + g[1][0]);
  EXPECT_EQ(e[4], g[1][2] + g[2][1]);
  EXPECT_EQ(e[5], g[2][0] + g[0][2]);
  dealii::Tensor<2, 2> turn;
  turn[0][1] = 1.;
  turn[1][0] = -1.;
  for (const double component : strain_of_gradient<2>(turn, 0.))
    EXPECT_EQ(component, 0.);
  EXPECT_EQ(strain_of_gradient<2>(turn, 0.25)[2], 0.25);
}

TEST(Materials, StressTensor)
{
  const auto s = stress_tensor<3>({ { 1, 2, 3, 4, 5, 6 } });
  EXPECT_EQ(s[0][0], 1);
  EXPECT_EQ(s[1][1], 2);
  EXPECT_EQ(s[2][2], 3);
  EXPECT_EQ(s[0][1], 4);
  EXPECT_EQ(s[1][2], 5);
  EXPECT_EQ(s[2][0], 6);
  const auto plane = stress_tensor<2>({ { 1, 2, 3, 4, 5, 6 } });
  EXPECT_EQ(plane[1][1], 2);
  EXPECT_EQ(plane[1][0], 4);
}
