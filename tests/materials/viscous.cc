// Perzyna's viscoplasticity and Maxwell's fluid against exact solutions.
#include "laws_under_test.h"

using namespace materials_test;

namespace
{
constexpr double pi = 3.14159265358979323846;

/// The stretch that gives an axial stress, by secants, and a step there.
double creep(Point &point, const double stress, const double h, double &strain)
{
  double e[2] = { strain,
                  strain + stress / point.law->parameters.young_modulus };
  double r[2];
  for (unsigned int i = 0; i < 2; ++i)
  {
    auto saved  = point.begin;
    r[i]        = point.uniaxial(std::exp(e[i]), h).stress[0] - stress;
    point.begin = saved;
  }
  for (unsigned int k = 0;
       k < 50 && std::abs(r[1]) > 1e-14 * stress && r[0] != r[1];
       ++k)
  {
    const double next = e[1] - r[1] * (e[1] - e[0]) / (r[1] - r[0]);
    e[0]              = e[1];
    r[0]              = r[1];
    e[1]              = next;
    auto saved        = point.begin;
    r[1]              = point.uniaxial(std::exp(next), h).stress[0] - stress;
    point.begin       = saved;
  }
  strain = e[1];
  return point.uniaxial(std::exp(strain), h).stress[0];
}
} // namespace

// At a constant rate r the stress comes to sy (1 + (eta r)^m), which backward
// Euler has exactly.
TEST(Perzyna, StationaryOverstress)
{
  for (const auto model : { MaterialModel::j2_small_strain, MaterialModel::j2 })
    for (const double exponent : { 0.2, 1., 2.5 })
      for (const double rate : { 0.03, 1., 2. })
      {
        auto m          = j2(model, 2.);
        m.viscosity     = 0.7;
        m.rate_exponent = exponent;
        Point point(m);
        const double over = std::pow(0.7 * rate, exponent);
        // Many times the strain m sy (eta r)^m / E over which it settles.
        const double strain =
            0.02 + 25. * std::max(1., exponent) * over * 2. / 210.;
        const unsigned int n = 400;
        double stress        = 0.;
        for (unsigned int step = 1; step <= n; ++step)
        {
          const double e = strain * step / n;
          stress =
              point
                  .uniaxial(model == MaterialModel::j2 ? std::exp(e) : 1. + e,
                            strain / n / rate)
                  .stress[0];
        }
        EXPECT_NEAR(stress / (2. * (1. + over)), 1., 1e-8)
            << exponent << " " << rate;
      }
}

// The transient against its differential equation sigma' = E (r - a'),
// a' = <sigma/S - 1>^(1/m) / eta, by Runge and Kutta; first order.
TEST(Perzyna, TransientConverges)
{
  auto m          = j2(MaterialModel::j2, 2., 20.);
  m.viscosity     = 0.5;
  m.rate_exponent = 0.5;
  const double E = m.young_modulus, rate = 0.4, end = 0.08;
  const auto flow = [&](const double stress, const double a)
  {
    const double S = 2. + 20. * a;
    return std::pow(std::max(0., stress / S - 1.), 2.) / 0.5;
  };
  double stress = 0., a = 0.;
  const unsigned int n = 20000;
  const double h       = end / n;
  for (unsigned int step = 0; step < n; ++step)
  {
    const double k1 = flow(stress, a), s1 = E * (rate - k1);
    const double k2 = flow(stress + .5 * h * s1, a + .5 * h * k1),
                 s2 = E * (rate - k2);
    const double k3 = flow(stress + .5 * h * s2, a + .5 * h * k2),
                 s3 = E * (rate - k3);
    const double k4 = flow(stress + h * s3, a + h * k3), s4 = E * (rate - k4);
    stress += h / 6. * (s1 + 2. * s2 + 2. * s3 + s4);
    a += h / 6. * (k1 + 2. * k2 + 2. * k3 + k4);
  }
  double error[2];
  for (const unsigned int refine : { 0, 1 })
  {
    Point point(m);
    const unsigned int steps = 640 << refine;
    double found             = 0.;
    for (unsigned int step = 1; step <= steps; ++step)
      found = point.uniaxial(std::exp(rate * end * step / steps), end / steps)
                  .stress[0];
    error[refine] = std::abs(found - stress);
  }
  EXPECT_LT(error[0], 0.01 * stress);
  EXPECT_NEAR(error[0] / error[1], 2., 0.1);
}

// The return solves its equation to rounding for parameters of any size: from
// nearly elastic to nearly without viscosity, exponents far from 1.
TEST(Perzyna, ReturnToRounding)
{
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(0., 1.);
  for (unsigned int trial = 0; trial < 5000; ++trial)
  {
    auto m          = j2(MaterialModel::j2_small_strain, 2., 0., 7.);
    m.viscosity     = std::pow(10., 16. * number(random) - 8.);
    m.rate_exponent = std::pow(10., 2.4 * number(random) - 1.7);
    if (trial % 2 == 0)
    {
      m.hardening             = HardeningType::ludwik;
      m.hardening_coefficient = std::pow(10., 4. * number(random) - 2.);
      m.hardening_exponent    = 0.05 + 0.95 * number(random);
    }
    Point point(m);
    const double G       = point.law->shear_modulus();
    const double over    = std::pow(10., 12. * number(random) - 9.);
    Tensor F             = identity();
    F[0][1]              = (1. + over) * 2. / (std::sqrt(3.) * G);
    const double q       = std::sqrt(3.) * point.advance(F).stress[3];
    const double trial_q = std::sqrt(3.) * G * F[0][1], x = point.field();
    const double S =
        2. + m.hardening_coefficient * std::pow(x, m.hardening_exponent);
    const double v = std::pow(m.viscosity * x, m.rate_exponent);
    if (x == 0.)
    {
      // No number is that small: the rate that bears the overstress is less.
      EXPECT_GE(2. * std::pow(m.viscosity * 1e-290, m.rate_exponent), q - 2.);
      EXPECT_NEAR(q, trial_q, 1e-14 * trial_q);
      continue;
    }
    EXPECT_NEAR(q - 7. * x,
                S * (1. + v),
                2e-15 *
                    (trial_q + 3. * G + S * (1. + v * (1. + m.rate_exponent))))
        << "eta " << m.viscosity << " m " << m.rate_exponent << " over " << over
        << " n " << m.hardening_exponent;
  }
}

// Fast: elastic; slow: the rate-independent law.
TEST(Perzyna, Limits)
{
  auto m = j2(MaterialModel::j2, 2., 5.);
  Point still(m);
  m.viscosity = 1.;
  Point fast(m), slow(m);
  const double E = m.young_modulus, s = 1.05;
  EXPECT_NEAR(fast.uniaxial(s, 1e-12).stress[0], E * std::log(s), 1e-8 * E);
  EXPECT_NEAR(
      slow.uniaxial(s, 1e12).stress[0], still.uniaxial(s).stress[0], 1e-9 * E);
}

// E = 1e9, eta = 1e10 of the uniaxial element: here the dashpot is deviatoric
// and 3 Viscosity its uniaxial viscosity, tau = 3 Viscosity / E = 10 s; the
// volume stays elastic and changes nothing of that.
class MaxwellTest : public testing::Test
{
protected:
  static constexpr double E = 1e9, eta = 1e10, tau = 10.;
  const MaterialParameters m = maxwell(eta / 3., E, 0.3);
};

TEST_F(MaxwellTest, Relaxation)
{
  const double e0 = 1e-3, end = 10.;
  double error[2];
  for (const unsigned int refine : { 0, 1 })
  {
    Point point(m);
    const unsigned int n = 100 << refine;
    const double s       = std::exp(e0);
    double stress        = point.uniaxial(s, 1e-12 * tau).stress[0];
    EXPECT_NEAR(stress, E * e0, 1e-9 * E * e0);
    for (unsigned int step = 0; step < n; ++step)
    {
      const double before = stress;
      stress              = point.uniaxial(s, end / n).stress[0];
      EXPECT_NEAR(stress, before / (1. + end / n / tau), 1e-11 * E * e0);
    }
    error[refine] = stress / (E * e0) - std::exp(-1.);
  }
  EXPECT_LT(error[0], 0.002);
  EXPECT_NEAR(error[0] / error[1], 2., 0.02);
}

TEST_F(MaxwellTest, Creep)
{
  Point point(m);
  const double stress = 1e7;
  double strain       = 0.;
  creep(point, stress, 1e-12 * tau, strain);
  EXPECT_NEAR(strain, stress / E, 1e-11 * stress / E);
  for (unsigned int step = 1; step <= 20; ++step)
  {
    EXPECT_NEAR(creep(point, stress, 2., strain), stress, 1e-10 * stress);
    EXPECT_NEAR(strain, stress / E + stress * 2. * step / eta, 1e-10 * strain)
        << step;
  }
}

TEST_F(MaxwellTest, ConstantRate)
{
  const double rate = 1e-4, end = 15.;
  double error[2];
  for (const unsigned int refine : { 0, 1 })
  {
    Point point(m);
    const unsigned int n = 150 << refine;
    double stress        = 0.;
    for (unsigned int step = 1; step <= n; ++step)
      stress =
          point.uniaxial(std::exp(rate * end * step / n), end / n).stress[0];
    error[refine] =
        std::abs(stress - eta * rate * (1. - std::exp(-end / tau))) /
        (eta * rate);
  }
  EXPECT_LT(error[0], 0.005);
  EXPECT_NEAR(error[0] / error[1], 2., 0.02);
}

// gamma = g sin(omega t): tan(delta) = 1/(omega tau), tau = Viscosity / G in
// shear. First order.
TEST_F(MaxwellTest, LossOfACycle)
{
  const double G = E / 2.6, omega = 2. * G / m.viscosity, g = 1e-3;
  double error[2];
  for (const unsigned int refine : { 0, 1 })
  {
    Point point(m);
    const unsigned int n = 400 << refine, cycles = 6;
    double in_phase = 0., out_of_phase = 0.;
    for (unsigned int step = 1; step <= cycles * n; ++step)
    {
      const double phase  = 2. * pi * step / n;
      Tensor F            = identity();
      F[0][1]             = g * std::sin(phase);
      const double stress = point.advance(F, 2. * pi / omega / n).stress[3];
      if (step > (cycles - 1) * n)
      {
        in_phase += stress * std::sin(phase);
        out_of_phase += stress * std::cos(phase);
      }
    }
    error[refine] = std::abs(out_of_phase / in_phase - 0.5);
  }
  EXPECT_LT(error[0], 0.02);
  EXPECT_NEAR(error[0] / error[1], 2., 0.05);
}

// Large steady shear: the stress of a Newtonian fluid, 2 eta d, as long as the
// relaxation time is short; and pure pressure does not relax.
TEST_F(MaxwellTest, LargeFlowAndVolume)
{
  Point point(m);
  const double rate = 1e-4 / tau, h = 1e-2 / rate;
  MaterialResponse response;
  for (unsigned int step = 1; step <= 500; ++step)
  {
    Tensor F = identity();
    F[0][1]  = rate * h * step;
    response = point.advance(F, h);
  }
  EXPECT_NEAR(
      response.stress[3], m.viscosity * rate, 1e-3 * m.viscosity * rate);
  Point squeezed(m);
  const double K = E / (3. * 0.4);
  for (unsigned int step = 0; step < 3; ++step)
    response = squeezed.advance(0.9 * identity(), 1e3 * tau);
  for (unsigned int i = 0; i < 3; ++i)
    EXPECT_NEAR(response.stress[i], 3. * K * std::log(0.9), 1e-12 * K);
  EXPECT_NEAR(response.dissipated, 0., 1e-20 * K);
}
