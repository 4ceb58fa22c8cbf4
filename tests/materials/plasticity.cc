// Rate-independent plasticity against exact solutions.
#include "laws_under_test.h"

using namespace materials_test;

namespace
{
constexpr double E = 210., nu = 0.28;
const double G = E / (2. * (1. + nu));

/// The yield stress as doc/materials.md has it, written once more.
double yield_stress(const MaterialParameters &m, const double a)
{
  switch (m.hardening)
  {
    case HardeningType::linear:
      return m.yield_stress + m.hardening_modulus * a;
    case HardeningType::ludwik:
      return m.yield_stress +
             m.hardening_coefficient * std::pow(a, m.hardening_exponent);
    case HardeningType::swift:
      return m.hardening_coefficient *
             std::pow(m.swift_strain + a, m.hardening_exponent);
    case HardeningType::voce:
      return m.yield_stress + m.hardening_modulus * a +
             (m.saturation_stress - m.yield_stress) *
                 (1. - std::exp(-m.saturation_rate * a));
    case HardeningType::table:
      break;
  }
  const auto &t = m.hardening_table;
  for (unsigned int i = 1; i < t.size(); ++i)
    if (a <= t[i][0])
      return t[i - 1][1] + (t[i][1] - t[i - 1][1]) * (a - t[i - 1][0]) /
                               (t[i][0] - t[i - 1][0]);
  return t.back()[1];
}

std::vector<Named> rate_independent()
{
  std::vector<Named> result;
  for (const auto &law : all_laws())
    if (law.name.rfind("J2", 0) == 0 && law.parameters.viscosity == 0.)
      result.push_back(law);
  return result;
}

double strain_of(const Point &point, const double stretch)
{
  return point.law->is_finite_strain() ? std::log(stretch) : stretch - 1.;
}
} // namespace

// Tension: stress sy(a) + H_k a, strain stress / E + a; proportional, so exact
// in steps of any size. Then unloading, elastic.
TEST(Plasticity, UniaxialTension)
{
  for (const auto &[name, m] : rate_independent())
    for (const unsigned int n_steps : { 1, 7 })
      for (const double sign : { 1., -1. })
      {
        Point point(m);
        const double end = sign * (point.law->is_finite_strain() ? 0.4 : 0.1);
        double stress = 0., strain = 0.;
        for (unsigned int step = 1; step <= n_steps; ++step)
        {
          const double part = end * step / n_steps;
          const double s =
              point.law->is_finite_strain() ? std::exp(part) : 1. + part;
          stress         = point.uniaxial(s).stress[0];
          strain         = strain_of(point, s);
          const double a = point.field();
          EXPECT_NEAR(sign * stress,
                      yield_stress(m, a) + m.kinematic_modulus * a,
                      1e-12 * E)
              << name;
          EXPECT_NEAR(strain, stress / E + sign * a, 1e-14) << name;
          const double sides = point.law->is_finite_strain()
                                   ? std::log(point.side)
                                   : point.side - 1.;
          EXPECT_NEAR(sides, -nu * stress / E - sign * 0.5 * a, 1e-14) << name;
        }
        const double a    = point.field();
        const double back = strain - sign * 1e-3;
        const double unloaded =
            point
                .uniaxial(point.law->is_finite_strain() ? std::exp(back)
                                                        : 1. + back)
                .stress[0];
        EXPECT_NEAR(unloaded, stress - sign * 1e-3 * E, 1e-12 * E) << name;
        EXPECT_EQ(point.field(), a) << name;
      }
}

// Simo's necking law 450 + 129.24 a + 265 (1 - exp(-16.93 a)).
TEST(Plasticity, VoceIsSimosNeckingLaw)
{
  auto m              = j2(MaterialModel::j2, 450., 129.24);
  m.young_modulus     = 206900.;
  m.poisson_ratio     = 0.29;
  m.hardening         = HardeningType::voce;
  m.saturation_stress = 715.;
  m.saturation_rate   = 16.93;
  Point point(m);
  for (const double e : { 0.01, 0.1, 0.5, 1. })
  {
    const double stress = point.uniaxial(std::exp(e)).stress[0];
    const double a      = point.field();
    EXPECT_NEAR(
        stress, 450. + 129.24 * a + 265. * (1. - std::exp(-16.93 * a)), 1e-9);
  }
}

// Shear of small strain: sqrt(3) tau = sy(a) + H_k a, gamma = tau / G + sqrt(3)
// a.
TEST(Plasticity, SmallStrainShear)
{
  for (const auto &[name, m] : rate_independent())
    if (m.model == MaterialModel::j2_small_strain)
    {
      Point point(m);
      for (const double gamma : { 0.02, 0.05, 0.2 })
      {
        Tensor F         = identity();
        F[1][2]          = gamma;
        const double tau = point.advance(F).stress[4], a = point.field();
        EXPECT_NEAR(std::sqrt(3.) * tau,
                    yield_stress(m, a) + m.kinematic_modulus * a,
                    1e-13 * E)
            << name;
        EXPECT_NEAR(gamma, tau / G + std::sqrt(3.) * a, 1e-14) << name;
      }
    }
}

// Equal tension in the plane, plane stress: stress sy(a) + H_k a, strain
// (1 - nu) stress / E + a / 2.
TEST(Plasticity, PlaneStressBiaxialTension)
{
  for (const auto &[name, m] : rate_independent())
  {
    Point point(m, Assumption::plane_stress);
    for (const double e : { 0.004, 0.03, 0.1, 0.3 })
    {
      const double s = point.law->is_finite_strain() ? std::exp(e) : 1. + e;
      // What comes in as F_zz does not matter.
      const auto response = point.advance(diagonal(s, s, 17.));
      const double stress = response.stress[0], a = point.field();
      EXPECT_NEAR(stress, response.stress[1], 1e-13 * E) << name;
      EXPECT_EQ(response.stress[2], 0.);
      EXPECT_NEAR(a > 0. ? stress : yield_stress(m, 0.),
                  yield_stress(m, a) + m.kinematic_modulus * a,
                  1e-12 * E)
          << name;
      EXPECT_NEAR(e, (1. - nu) * stress / E + 0.5 * a, 1e-14) << name;
      EXPECT_NEAR(point.history(point.law->n_history() - 1),
                  -2. * nu * stress / E - a,
                  1e-13)
          << name;
    }
    EXPECT_GT(point.field(), 0.1);
  }
}

// Uniaxial plane stress is the uniaxial test in space.
TEST(Plasticity, PlaneStressUniaxialTension)
{
  for (const auto &[name, m] : rate_independent())
  {
    Point plane(m, Assumption::plane_stress), space(m);
    for (const double s : { 1.005, 1.03, 1.08, 1.05, 1.0 })
    {
      const auto expected = space.uniaxial(s);
      const auto found    = plane.advance(diagonal(s, space.side, 1.));
      EXPECT_NEAR(found.stress[0], expected.stress[0], 1e-12 * E) << name;
      EXPECT_NEAR(found.stress[1], 0., 1e-12 * E) << name;
      EXPECT_NEAR(plane.field(), space.field(), 1e-14) << name;
    }
  }
}

// Prager's bilinear loop: on both branches stress = +-sy + H_k ep, from a
// surface that has moved and not grown; back at the start it closes.
TEST(Plasticity, KinematicHardeningIsBilinearAndCloses)
{
  for (const auto model : { MaterialModel::j2_small_strain, MaterialModel::j2 })
  {
    const double sy = 2., Hk = 30.;
    Point point(j2(model, sy, 0., Hk));
    const bool finite = model == MaterialModel::j2;
    const auto to     = [&](const double e)
    { return point.uniaxial(finite ? std::exp(e) : 1. + e).stress[0]; };
    const auto branch = [&](const double sign, const double e)
    { return (sign * sy + Hk * e) / (1. + Hk / E); };
    const double e1 = 0.05;
    for (const double e : { 0.012, 0.03, e1 })
      EXPECT_NEAR(to(e), branch(1., e), 1e-12 * E);
    const double top = branch(1., e1);
    // Elastic over 2 sy, then the lower branch.
    const double turn = e1 - 2. * sy / E;
    EXPECT_NEAR(to(turn + 1e-6), top - 2. * sy + 1e-6 * E, 1e-12 * E);
    for (const double e : { turn - 1e-4, 0., -e1 })
      EXPECT_NEAR(to(e), branch(-1., e), 1e-12 * E);
    for (const double e : { -0.01, e1 })
      EXPECT_NEAR(to(e), branch(1., e), 1e-12 * E);
    for (const double e : { 0.01, -e1, 0.02, e1 })
      to(e);
    EXPECT_NEAR(to(e1), top, 1e-12 * E);
  }
}

// Simple shear to a large angle. The shear stress comes to k and does not
// oscillate: it rises with hardening; without, it falls by the share (k/G)^2
// that the normal stresses take of the yield stress, and stays.
TEST(Plasticity, LargeSimpleShearDoesNotOscillate)
{
  const double sy = 2., k = sy / std::sqrt(3.);
  for (const double hardening : { 0., 3. })
  {
    Point point(j2(MaterialModel::j2, sy, hardening));
    double before = 0.;
    for (unsigned int step = 1; step <= 1000; ++step)
    {
      Tensor F            = identity();
      F[0][1]             = 0.01 * step;
      const auto response = point.advance(F);
      const double tau    = response.stress[3];
      const double limit  = k + hardening * point.field() / std::sqrt(3.);
      EXPECT_LE(tau, limit * (1. + 1e-12));
      EXPECT_TRUE(step < 3 ||
                  tau > limit * (1. - 2. * limit * limit / (G * G)));
      EXPECT_LT(std::abs(response.stress[0]), 2. * limit * limit / G);
      EXPECT_TRUE(step < 3 ||
                  (hardening > 0. ? tau > before : tau < before + 1e-13 * E))
          << "at " << F[0][1];
      before = tau;
    }
    EXPECT_NEAR(point.field(), 10. / std::sqrt(3.), 0.1);
  }
}

// The stationary state of that, to first order in k/G: tau_xx = -tau_yy with
// 2 G (rate of plastic flow along tau_xx) = what the spin turns from shear into
// it, tau_xx = k^2 / G. First order in the step.
TEST(Plasticity, NormalStressOfStationaryShear)
{
  const double sy = 0.2, k = sy / std::sqrt(3.);
  double error[2];
  for (const unsigned int refine : { 0, 1 })
  {
    Point point(j2(MaterialModel::j2, sy));
    const unsigned int n = 1000 << refine;
    MaterialResponse response;
    for (unsigned int step = 1; step <= n; ++step)
    {
      Tensor F = identity();
      F[0][1]  = 20. * k / G * step / n;
      response = point.advance(F);
    }
    error[refine] = response.stress[0] / (k * k / G) - 1.;
    EXPECT_NEAR(response.stress[0], -response.stress[1], 1e-12 * E);
  }
  EXPECT_LT(std::abs(error[0]), 0.03);
  EXPECT_NEAR(error[0] / error[1], 2., 0.2);
}

// Prager's back stress lives on the intermediate configuration, which here has
// no spin of its own: it turns with the elastic rotation, for small elastic
// strains with the spin of the material. In simple shear its exact solution
// is B_xy = H_k/3 sin(gamma), B_xx = -B_yy = H_k/3 (1 - cos(gamma)), beside a
// yield surface of radius k: a known property of this law.
TEST(Plasticity, BackStressInLargeSimpleShear)
{
  const double sy = 0.001, Hk = 0.003, k = sy / std::sqrt(3.);
  double error[2];
  for (const unsigned int refine : { 0, 1 })
  {
    Point point(j2(MaterialModel::j2, sy, 0., Hk));
    const unsigned int n = 500 << refine;
    error[refine]        = 0.;
    for (unsigned int step = 1; step <= n; ++step)
    {
      Tensor F            = identity();
      F[0][1]             = 5. * step / n;
      const double gamma  = F[0][1];
      const auto response = point.advance(F);
      if (gamma < 0.1)
        continue;
      error[refine] = std::max(
          { error[refine],
            std::abs(response.stress[3] - k - Hk / 3. * std::sin(gamma)),
            std::abs(response.stress[0] - Hk / 3. * (1. - std::cos(gamma))) });
    }
  }
  // Backward Euler: first order, down to the elastic strains (2e-5).
  EXPECT_LT(error[0], 0.01 * Hk);
  EXPECT_LT(error[1], 0.6 * error[0]);
}

// Small elastic strains on a turned and flowed configuration: the volume keeps
// to the pressure, det Fp = 1.
TEST(Plasticity, PlasticFlowKeepsTheVolume)
{
  for (const double kinematic : { 0., 20. })
  {
    Point point(j2(MaterialModel::j2, 2., 5., kinematic));
    Tensor F = identity();
    MaterialResponse response;
    for (unsigned int step = 0; step < 300; ++step)
    {
      Tensor L;
      L[0][1]  = 0.02;
      L[1][2]  = 0.02 * std::sin(0.1 * step);
      L[2][0]  = -0.01;
      L[0][0]  = 0.005;
      L[1][1]  = -0.005;
      F        = (identity() + L) * F;
      response = point.advance(F);
    }
    const double K = E / (3. * (1. - 2. * nu));
    const double p =
        (response.stress[0] + response.stress[1] + response.stress[2]) / 3.;
    EXPECT_NEAR(p / K, std::log(dealii::determinant(F)), 1e-12);
    EXPECT_GT(point.field(), 3.);
  }
}

// The return solves its equation to rounding where the slope of the hardening
// has no bound (Ludwik at 0) or a kink (table), for steps of any size.
TEST(Plasticity, ReturnToRounding)
{
  for (const auto &[name, m] : rate_independent())
    if (m.model == MaterialModel::j2_small_strain)
      for (double over = 1e-13; over < 1e6; over *= 7.)
      {
        Point point(m);
        const double sy  = yield_stress(m, 0.);
        Tensor F         = identity();
        F[0][1]          = (1. + over) * sy / (std::sqrt(3.) * G);
        const double tau = point.advance(F).stress[3], a = point.field();
        const double S = yield_stress(m, a) + m.kinematic_modulus * a;
        EXPECT_NEAR(
            std::sqrt(3.) * tau, S, 1e-15 * (4. * S + 3. * G * (1. + F[0][1])))
            << name << " " << over;
      }
}
