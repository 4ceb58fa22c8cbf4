// Plasticity of Barlat and Lian: its surface, its return, what it is made of.
#include "sheets_under_test.h"

using namespace sheets_test;

namespace
{
constexpr std::array<double, 3> von_mises{ { 1., 1., 1. } };
constexpr double pi = 3.14159265358979323846;

/// As published, of the coefficients.
double equivalent(const BarlatGauge &g, const double M, const PlaneVector &T)
{
  const double K1 = 0.5 * (T[0] + g.h * T[1]),
               K2 = std::hypot(0.5 * (T[0] - g.h * T[1]), g.p * T[2]);
  return std::pow(0.5 * (g.a * std::pow(std::abs(K1 + K2), M) +
                         g.a * std::pow(std::abs(K1 - K2), M) +
                         g.c * std::pow(2. * K2, M)),
                  1. / M);
}

PlaneVector along(const double angle)
{
  const double c = std::cos(angle), s = std::sin(angle);
  return { { c * c, s * s, c * s } };
}

/// Strain across over strain through the thickness in tension, by differences
/// of the published formula.
double r_value(const BarlatGauge &g, const double M, const double angle)
{
  const double e = 1e-6, c = std::cos(angle), s = std::sin(angle);
  PlaneVector n;
  for (unsigned int i = 0; i < 3; ++i)
  {
    auto more = along(angle), less = more;
    more[i] += e;
    less[i] -= e;
    n[i] = (equivalent(g, M, more) - equivalent(g, M, less)) / (2. * e);
  }
  return (s * s * n[0] + c * c * n[1] - s * c * n[2]) / -(n[0] + n[1]);
}
} // namespace

// The coefficients are those of the r values; in between they are not Hill's.
TEST(Barlat, Surface)
{
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1., 1.);
  for (const auto &r : { steel,
                         aluminium,
                         von_mises,
                         std::array<double, 3>{ { 0.2, -0.4, 3. } },
                         { { 5., 8., 0.1 } } })
    for (const double M : { 2., 2.5, 6., 8., 20. })
    {
      const BarlatGauge gauge(r, M);
      for (unsigned int k = 0; k < 3; ++k)
        EXPECT_NEAR(r_value(gauge, M, k * pi / 4.), r[k], 1e-6 * (1. + r[k]));
      EXPECT_NEAR(gauge.a + gauge.c, 2., 1e-15);
      for (unsigned int trial = 0; trial < 40; ++trial)
      {
        PlaneVector T{ { number(random), number(random), number(random) } };
        // The ridges of the formula: K2 = 0 and K1 = 0.
        if (trial % 4 == 1)
          T = { { gauge.h * T[1] * (1. + 1e-9 * (trial % 8 - 1)), T[1], 0. } };
        if (trial % 4 == 2)
          T[0] = -gauge.h * T[1];
        BarlatGauge::Value value;
        gauge.evaluate(T, true, value);
        EXPECT_NEAR(value.phi, equivalent(gauge, M, T), 1e-13 * value.phi);
        EXPECT_LE(largest(T), gauge.largest_stress() * value.phi);
        EXPECT_NEAR(contract(value.n, T), value.phi, 1e-13 * value.phi);
        for (unsigned int i = 0; i < 3; ++i)
        {
          EXPECT_NEAR(contract(value.H[i], T), 0., 1e-11);
          EXPECT_GE(value.H[i][i], 0.);
        }
      }
    }
}

// Yield stresses in closed form; r = 1 is Hosford's surface.
TEST(Barlat, ClosedForms)
{
  for (const double M : { 6., 8. })
  {
    const BarlatGauge gauge(steel, M);
    BarlatGauge::Value value;
    gauge.evaluate({ { 1., 0., 0. } }, false, value);
    EXPECT_NEAR(value.phi, 1., 1e-14);
    gauge.evaluate({ { 0., 1., 0. } }, false, value);
    EXPECT_NEAR(
        value.phi,
        std::sqrt(steel[0] * (1. + steel[2]) / ((1. + steel[0]) * steel[2])),
        1e-14);
    // Plane strain and pure shear.
    const BarlatGauge hosford(von_mises, M);
    hosford.evaluate({ { 1., 0.5, 0. } }, false, value);
    EXPECT_NEAR(
        value.phi, std::pow(0.5 * (1. + 2. * std::pow(0.5, M)), 1. / M), 1e-14);
    EXPECT_NEAR(value.n[1], 0., 1e-14);
    hosford.evaluate({ { 0., 0., 1. } }, false, value);
    EXPECT_NEAR(
        value.phi, std::pow(0.5 * (2. + std::pow(2., M)), 1. / M), 1e-13);
  }
}

// With M = 2 it is Hill's of 1948; with r = 1 also von Mises'.
TEST(Barlat, SquaresAreHills)
{
  for (const auto &r : { steel, aluminium, von_mises })
    for (const bool viscous : { false, true })
    {
      auto m = barlat(r, 2., 2., 5.);
      if (viscous)
      {
        m.viscosity     = 0.1;
        m.rate_exponent = 0.4;
      }
      auto other  = m;
      other.model = MaterialModel::hill;
      SheetPoint a(m), b(other);
      RandomPath path(11);
      for (unsigned int step = 0; step < 12; ++step)
      {
        const auto to = path.next();
        const auto x = a.advance(to, 0.1), y = b.advance(to, 0.1);
        double stiff = 0.;
        for (const auto &row : y.tangent)
          stiff = std::max(stiff, largest(row));
        for (unsigned int i = 0; i < 3; ++i)
        {
          EXPECT_NEAR(x.stress[i], y.stress[i], 1e-11 * stiff);
          for (unsigned int j = 0; j < 3; ++j)
            EXPECT_NEAR(x.tangent[i][j], y.tangent[i][j], 1e-9 * stiff);
        }
        EXPECT_NEAR(x.thickness_strain, y.thickness_strain, 1e-12);
        EXPECT_NEAR(x.dissipated, y.dissipated, 1e-11 * stiff);
        EXPECT_NEAR(a.field(), b.field(), 1e-12);
      }
    }
}

// Backward Euler's equations, from elastic trial strains of up to a hundred
// yield strains: T = C (eps - x n), phi(T) = Y, n the normal.
TEST(Barlat, Return)
{
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1., 1.);
  unsigned int n_flowing = 0;
  for (const auto &r : { steel, aluminium, von_mises })
    for (const double M : { 2., 6., 8., 20. })
      for (const double hardening : { 0., 20. })
      {
        const auto m = barlat(r, M, 2., hardening);
        const BarlatKernel kernel(m);
        for (unsigned int trial = 0; trial < 200; ++trial)
        {
          const double size = std::pow(10., -2. + 2. * (trial % 40) / 39.);
          PlaneVector strain{ { size * number(random),
                                size * number(random),
                                size * number(random) } };
          if (trial % 10 == 0)
            strain = { { size, size, 0. } };
          const double begin[1] = { trial % 3 * 0.02 };
          double end[1];
          PlaneResult result;
          ASSERT_TRUE(kernel.step(strain, 1., begin, end, true, result));
          const double x = end[0] - begin[0], Y = 2. + hardening * end[0];
          const double phi = equivalent(kernel.gauge, M, result.stress);
          if (!result.flows)
          {
            EXPECT_LE(phi, Y * (1. + 1e-12));
            continue;
          }
          ++n_flowing;
          EXPECT_NEAR(phi, Y, 1e-11 * Y);
          EXPECT_NEAR(
              contract(result.stress, result.flow), x * Y, 1e-11 * Y * x);
          EXPECT_NEAR(result.dissipated, x * Y, 1e-11 * Y * x);
          BarlatGauge::Value value;
          kernel.gauge.evaluate(result.stress, false, value);
          auto elastic = strain;
          for (unsigned int i = 0; i < 3; ++i)
          {
            EXPECT_NEAR(result.flow[i], x * value.n[i], 1e-6 * x);
            elastic[i] -= result.flow[i];
          }
          const auto T = kernel.elasticity.stress(elastic);
          for (unsigned int i = 0; i < 3; ++i)
            EXPECT_NEAR(T[i], result.stress[i], 1e-11 * 210. * size);
        }
      }
  EXPECT_GT(n_flowing, 4000u);
}

// A strip in tension along and across the rolling direction, at finite strain:
// the hardening curve, and r of what is left when it is unloaded.
TEST(Barlat, Tension)
{
  constexpr double E = 210., nu = 0.28;
  for (const auto &r : { steel, aluminium })
    for (const bool across : { false, true })
    {
      // Along 1 of a sheet whose axes are turned by 90 degrees: the yield
      // stress is the one of the tension that is tested.
      const std::array<double, 3> turned = { { r[2], r[1], r[0] } };
      SheetPoint point(barlat(across ? turned : r, 8., 2., 20.));
      for (const double e : { 0.02, 0.1, 0.4 })
      {
        const auto response = point.tension(0.5 * std::expm1(2. * e));
        const double T      = response.stress[0] * std::exp(2. * e);
        const double side   = 0.5 * std::log1p(2. * point.last[1]);
        EXPECT_NEAR((side + nu * T / E) /
                        (response.thickness_strain + nu * T / E),
                    across ? r[2] : r[0],
                    1e-10);
        EXPECT_NEAR(T, 2. + 20. * point.field(), 1e-11 * E);
      }
    }
}
