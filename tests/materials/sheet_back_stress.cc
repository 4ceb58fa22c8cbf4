// Back stresses of sheets: cycles against closed forms.
#include "sheets_under_test.h"

using namespace sheets_test;

namespace
{
constexpr double E = 210.;

/// A strip in cycles of logarithmic strain between +-amplitude, sides free.
class Strip
{
public:
  explicit Strip(const MaterialParameters &m)
      : point(m)
  {
  }

  /// The stress T_11 after steps to a logarithmic strain.
  double to(const double e, const unsigned int n_steps)
  {
    double T = 0.;
    for (unsigned int k = 1; k <= n_steps; ++k)
    {
      const double now = strain + (e - strain) * k / n_steps;
      T                = point.tension(0.5 * std::expm1(2. * now)).stress[0] *
          std::exp(2. * now);
    }
    strain = e;
    return T;
  }

  double plastic(const double T) const
  {
    return strain - T / E;
  }

  SheetPoint point;
  double strain = 0.;
};

/// No isotropic hardening, one back stress with a recall.
MaterialParameters
one_recall(const MaterialModel model, const double C, const double gamma)
{
  auto m               = j2(model, 2.);
  m.r_values           = steel; // has no effect in tension along 1, nor on J2
  m.back_stress_moduli = { C };
  m.back_stress_rates  = { gamma };
  if (model == MaterialModel::j2)
    m.r_values = MaterialParameters().r_values;
  return m;
}

constexpr MaterialModel models[] = { MaterialModel::j2, MaterialModel::hill };
} // namespace

// One step of backward Euler: X+ = (X + C d) / (1 + gamma d), and the yield
// function holds, T = sy + X, in steps of any size.
TEST(SheetBackStress, EachStepIsBackwardEuler)
{
  for (const auto model : models)
  {
    const double C = 300., gamma = 60.;
    Strip strip(one_recall(model, C, gamma));
    double X = 0., p = 0.;
    for (const double e : { 0.012, 0.02, 0.05, 0.3 })
    {
      const double T = strip.to(e, 1), d = strip.point.field() - p;
      p = strip.point.field();
      X = (X + C * d) / (1. + gamma * d);
      EXPECT_NEAR(T, 2. + X, 1e-12 * E);
      EXPECT_NEAR(e, T / E + p, 1e-13);
    }
    EXPECT_NEAR(X, C / gamma, 0.1 * C / gamma);
  }
}

// Tension: X = C/gamma (1 - exp(-gamma p)), of the first order in the step.
TEST(SheetBackStress, SaturatesInTension)
{
  for (const auto model : models)
  {
    const double C = 300., gamma = 60.;
    double error[2];
    for (const unsigned int refine : { 0, 1 })
    {
      Strip strip(one_recall(model, C, gamma));
      const double T = strip.to(0.05, 200 << refine);
      const double p = strip.point.field();
      error[refine]  = T - 2. - C / gamma * -std::expm1(-gamma * p);
    }
    // Backward Euler on X' = C - gamma X: gamma dp / 2 of C/gamma at most.
    EXPECT_LT(std::abs(error[0]), 0.5 * C * 0.05 / 200.);
    EXPECT_NEAR(error[0] / error[1], 2., 0.05);
    EXPECT_LT(std::abs(2. * error[1] - error[0]), 0.02 * std::abs(error[0]));
  }
}

// Symmetric cycles: on the stabilized loop of plastic amplitude a the back
// stress goes from -C/gamma tanh(gamma a) to +C/gamma tanh(gamma a). Several
// add up.
TEST(SheetBackStress, StabilizedCycleIsTanh)
{
  for (const auto model : models)
    for (const unsigned int n_back : { 1, 2 })
    {
      double error[2], size = 0.;
      for (const unsigned int refine : { 0, 1 })
      {
        auto m = one_recall(model, 300., 60.);
        if (n_back == 2)
        {
          m.back_stress_moduli.push_back(40.);
          m.back_stress_rates.push_back(15.);
        }
        Strip strip(m);
        const unsigned int n = 60 << refine;
        double top = 0., bottom = 0., a = 0.;
        for (unsigned int cycle = 0; cycle < 60; ++cycle)
        {
          top             = strip.to(0.04, n);
          const double up = strip.plastic(top);
          bottom          = strip.to(-0.04, n);
          a               = 0.5 * (up - strip.plastic(bottom));
        }
        // The beginning is forgotten as exp(-4 gamma a) in each cycle: no mean
        // stress is left.
        EXPECT_NEAR(top, -bottom, 1e-10 * E);
        double X = 0.;
        for (unsigned int j = 0; j < n_back; ++j)
          X += m.back_stress_moduli[j] / m.back_stress_rates[j] *
               std::tanh(m.back_stress_rates[j] * a);
        error[refine] = top - 2. - X;
        size          = X;
      }
      EXPECT_LT(std::abs(error[0]), 0.05 * size);
      EXPECT_NEAR(error[0] / error[1], 2., 0.1);
      EXPECT_LT(std::abs(2. * error[1] - error[0]), 0.1 * std::abs(error[0]));
    }
}

// Bauschinger: after tension, flow the other way begins 2 sy below the top, not
// at -top; without a back stress at -top.
TEST(SheetBackStress, BauschingerEffect)
{
  for (const auto model : models)
  {
    auto isotropic = j2(model, 2., 30.);
    if (model == MaterialModel::hill)
      isotropic.r_values = steel;
    auto prager              = isotropic;
    prager.hardening_modulus = 0.;
    prager.kinematic_modulus = 30.;
    for (const auto &m : { isotropic, prager, one_recall(model, 300., 60.) })
    {
      Strip strip(m);
      const double top = strip.to(0.05, 20), p = strip.point.field();
      const double range = m.hardening_modulus > 0. ? 2. * top : 4.;
      EXPECT_GT(top, 3.);
      double T = strip.to(0.05 - (1. - 1e-9) * range / E, 1);
      EXPECT_EQ(strip.point.field(), p);
      EXPECT_NEAR(T, top - range, 1e-7);
      strip.to(0.05 - (1. + 1e-6) * range / E, 1);
      EXPECT_GT(strip.point.field(), p);
    }
  }
}

// Prager's loop is bilinear and closes, as that of solids does.
TEST(SheetBackStress, PragersLoopCloses)
{
  const double sy = 2., Hk = 30.;
  for (const auto model : models)
  {
    auto m = j2(model, sy, 0., Hk);
    if (model == MaterialModel::hill)
      m.r_values = steel;
    Strip strip(m);
    const auto branch = [&](const double sign, const double e)
    { return (sign * sy + Hk * e) / (1. + Hk / E); };
    for (const double e : { 0.012, 0.03, 0.05 })
      EXPECT_NEAR(strip.to(e, 1), branch(1., e), 1e-12 * E);
    for (const double e : { 0.02, 0., -0.05 })
      EXPECT_NEAR(strip.to(e, 1), branch(-1., e), 1e-12 * E);
    for (const double e : { -0.01, 0.05 })
      EXPECT_NEAR(strip.to(e, 1), branch(1., e), 1e-12 * E);
  }
}

// Prager's entry and a recall of rate 0 are the same.
TEST(SheetBackStress, PragerIsARecallOfRateZero)
{
  for (const auto &r : { steel, aluminium })
  {
    auto listed               = hill(r, 2., 5.);
    listed.back_stress_moduli = { 30. };
    listed.back_stress_rates  = { 0. };
    SheetPoint a(hill(r, 2., 5., 30.)), b(listed);
    RandomPath path(9);
    for (unsigned int step = 0; step < 8; ++step)
    {
      const auto to = path.next();
      const auto x = a.advance(to), y = b.advance(to);
      EXPECT_EQ(x.stress, y.stress);
      EXPECT_EQ(x.tangent, y.tangent);
      EXPECT_EQ(x.stored, y.stored);
    }
  }
}

// Back stresses stay inside their bound, q(X) <= C / gamma, on any path.
TEST(SheetBackStress, StayInsideTheirBound)
{
  const auto m = with_recall(hill(aluminium, 2.));
  for (unsigned int trial = 0; trial < 10; ++trial)
  {
    SheetPoint point(m);
    RandomPath path(trial);
    for (unsigned int step = 0; step < 12; ++step)
    {
      point.advance(path.next());
      for (unsigned int j = 0; j < 2; ++j)
      {
        const double *X = &point.begin[4 + 3 * j];
        const double q  = equivalent(m.r_values, { { X[0], X[1], X[2] } });
        EXPECT_LE(
            q, m.back_stress_moduli[j] / m.back_stress_rates[j] * (1. + 1e-14));
      }
    }
  }
}

// Simple shear to a large angle: Hill's axes, and back stresses with them, turn
// with the material (R of F = R U), X is that of the total strain, and beside a
// small yield surface and small elastic strains
//   tau_12 = 2/3 H_k asinh(gamma/2) sin(2 angle),  tan(2 angle) = 2/gamma,
// which has one top and does not oscillate.
TEST(SheetBackStress, LargeSimpleShearDoesNotOscillate)
{
  const double sy = 3e-6, Hk = 3e-3;
  auto m      = hill({ { 1., 1., 1. } }, sy, 0., Hk);
  double last = 0.;
  bool falls  = false;
  SheetPoint point(m);
  for (unsigned int step = 1; step <= 500; ++step)
  {
    const double gamma  = 0.02 * step;
    const auto response = point.advance(green(1., gamma, 0., 1.));
    const double tau    = response.stress[2] + gamma * response.stress[1];
    const double exact  = 2. / 3. * Hk * std::asinh(0.5 * gamma) * 2. /
                         std::sqrt(4. + gamma * gamma);
    // The yield surface, and the elastic share of the strain.
    EXPECT_NEAR(tau, exact, 2. * sy + 2. * Hk / E * exact) << gamma;
    falls = falls || (step > 10 && tau < last);
    EXPECT_FALSE(falls && tau > last) << gamma;
    last = tau;
  }
  EXPECT_TRUE(falls);
}
