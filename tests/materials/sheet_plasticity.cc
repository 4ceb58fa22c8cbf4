// Plasticity of sheets against exact solutions: Hill's ratios, uniaxial tests,
// solids in plane stress, volume.
#include "sheets_under_test.h"

using namespace sheets_test;

namespace
{
constexpr std::array<double, 3> von_mises{ { 1., 1., 1. } };
constexpr double E = 210., nu = 0.28, pi = 3.14159265358979323846;

/// A step of the kernel from a virgin point to stress a multiple of @p T.
PlaneResult kernel_step(const HillKernel &kernel,
                        const PlaneVector &strain,
                        std::vector<double> &state)
{
  std::vector<double> end(kernel.n_state());
  PlaneResult result;
  EXPECT_TRUE(kernel.step(strain, 1., state.data(), end.data(), true, result));
  state = end;
  return result;
}

/// Uniaxial stress at an angle to the rolling direction.
PlaneVector along(const double angle, const double stress = 1.)
{
  const double c = std::cos(angle), s = std::sin(angle);
  return { { stress * c * c, stress * s * s, stress * c * s } };
}

/// The elastic trial strain whose stress after the flow is along T: stress of
/// size @p over times sy, all over 1 as plastic strain in the direction of the
/// flow that leads there. Found by Newton's method on the kernel.
PlaneResult load(const HillKernel &kernel, const PlaneVector &T)
{
  const auto &C    = kernel.elasticity.C;
  const double det = C[0][0] * C[1][1] - C[0][1] * C[0][1];
  PlaneVector e    = { { (C[1][1] * T[0] - C[0][1] * T[1]) / det,
                         (C[0][0] * T[1] - C[0][1] * T[0]) / det,
                         T[2] / C[2][2] } };
  PlaneResult result;
  for (unsigned int k = 0; k < 60; ++k)
  {
    std::vector<double> state(kernel.n_state(), 0.);
    result            = kernel_step(kernel, e, state);
    const auto &D     = result.tangent;
    const double r[3] = { T[0] - result.stress[0],
                          T[1] - result.stress[1],
                          T[2] - result.stress[2] };
    if (std::max({ std::abs(r[0]), std::abs(r[1]), std::abs(r[2]) }) <
        1e-15 * largest(T))
      break;
    // Cramer.
    const auto minor = [&](int i, int j)
    {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3,
                d = (j + 2) % 3;
      return D[a][c] * D[b][d] - D[a][d] * D[b][c];
    };
    const double whole =
        D[0][0] * minor(0, 0) + D[0][1] * minor(0, 1) + D[0][2] * minor(0, 2);
    for (int j = 0; j < 3; ++j)
      e[j] += (r[0] * minor(0, j) + r[1] * minor(1, j) + r[2] * minor(2, j)) /
              whole;
  }
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(result.stress[i], T[i], 1e-13 * largest(T));
  return result;
}

/// The stress at yield along @p T: linear hardening from two loads beyond it.
double yield_along(const std::array<double, 3> &r, const PlaneVector &T)
{
  const double sy = 2., H = 20.;
  HillKernel kernel(hill(r, sy, H));
  // Of proportional loading, stress = ratio (sy + H p).
  double size[2], p[2];
  for (const int i : { 0, 1 })
  {
    size[i]        = (i == 0 ? 4. : 5.) * sy;
    PlaneVector to = T;
    for (double &t : to)
      t *= size[i];
    const auto result = load(kernel, to);
    p[i]              = result.dissipated; // q p, q = sy + H p
    p[i]              = (-sy + std::sqrt(sy * sy + 4. * H * p[i])) / (2. * H);
  }
  // The two loads tell the same.
  const double ratio = size[0] / (sy + H * p[0]);
  EXPECT_NEAR(size[1] / (sy + H * p[1]), ratio, 1e-12);
  return ratio;
}

/// Hill's r at an angle, of r0, r45, r90.
double r_value(const std::array<double, 3> &r, const double angle)
{
  const double F = r[0] / r[2], G = 1., H = r[0],
               N  = (r[0] + r[2]) * (1. + 2. * r[1]) / (2. * r[2]);
  const double s2 = std::pow(std::sin(angle), 2),
               c2 = std::pow(std::cos(angle), 2);
  return (H + (2. * N - F - G - 4. * H) * s2 * c2) / (F * s2 + G * c2);
}

std::vector<Named> plastic_sheets()
{
  std::vector<Named> result;
  for (const auto &law : all_sheets())
    if (is_plastic(law.parameters))
      result.push_back(law);
  return result;
}

double yield_stress(const MaterialParameters &m, const double a)
{
  return Hardening(m).start(a).stress;
}
} // namespace

// Yield stresses over that of the rolling direction, and the numbers of a steel
// and an aluminium.
TEST(SheetPlasticity, HillsRatios)
{
  for (const auto &r : { steel, aluminium, von_mises })
  {
    const double r0 = r[0], r45 = r[1], r90 = r[2];
    EXPECT_NEAR(yield_along(r, along(0.)), 1., 1e-12);
    EXPECT_NEAR(yield_along(r, along(pi / 2.)),
                std::sqrt(r90 * (1. + r0) / (r0 * (1. + r90))),
                1e-12);
    EXPECT_NEAR(yield_along(r, along(pi / 4.)),
                std::sqrt(2. * r90 * (1. + r0) / ((r0 + r90) * (1. + r45))),
                1e-12);
    EXPECT_NEAR(yield_along(r, { { 1., 1., 0. } }),
                std::sqrt(r90 * (1. + r0) / (r0 + r90)),
                1e-12);
  }
  EXPECT_NEAR(yield_along(steel, along(pi / 2.)), 1.040195, 1e-6);
  EXPECT_NEAR(yield_along(steel, along(pi / 4.)), 1.114885, 1e-6);
  EXPECT_NEAR(yield_along(steel, { { 1., 1., 0. } }), 1.248970, 1e-6);
  EXPECT_NEAR(
      std::sqrt(3.) * yield_along(steel, { { 0., 0., 1. } }), 1.078946, 1e-6);
  EXPECT_NEAR(yield_along(aluminium, along(pi / 2.)), 0.995849, 1e-6);
  EXPECT_NEAR(yield_along(aluminium, along(pi / 4.)), 1.036630, 1e-6);
  EXPECT_NEAR(yield_along(aluminium, { { 1., 1., 0. } }), 0.921377, 1e-6);
  EXPECT_NEAR(std::sqrt(3.) * yield_along(aluminium, { { 0., 0., 1. } }),
              1.085854,
              1e-6);
}

// Tension at an angle, sides free: plastic strain across over that through the
// thickness.
TEST(SheetPlasticity, LankfordsCoefficients)
{
  for (const auto &r : { steel, aluminium })
  {
    const HillKernel kernel(hill(r, 2., 20.));
    for (unsigned int i = 0; i <= 12; ++i)
    {
      const double angle = i * pi / 24., c = std::cos(angle),
                   s      = std::sin(angle);
      const auto flow     = load(kernel, along(angle, 5.)).flow;
      const double across = s * s * flow[0] + c * c * flow[1] - s * c * flow[2];
      const double found  = across / -(flow[0] + flow[1]);
      EXPECT_NEAR(found, r_value(r, angle), 1e-10) << 7.5 * i;
    }
    EXPECT_NEAR(r_value(r, 0.), r[0], 1e-14);
    EXPECT_NEAR(r_value(r, pi / 4.), r[1], 1e-14);
    EXPECT_NEAR(r_value(r, pi / 2.), r[2], 1e-14);
  }
}

// The same of a whole sheet, at finite strain along and across: the sides from
// equilibrium, r from the total strains and their elastic parts.
TEST(SheetPlasticity, LankfordsCoefficientsAtFiniteStrain)
{
  for (const auto &r : { steel, aluminium })
    for (const bool across : { false, true })
    {
      auto m = hill(r, 2., 20.);
      if (across)
        m.r_values = { { r[2], r[1], r[0] } };
      SheetPoint point(m);
      for (const double e : { 0.02, 0.1, 0.4 })
      {
        const auto response = point.tension(0.5 * std::expm1(2. * e));
        const double T      = response.stress[0] * std::exp(2. * e);
        const double side   = 0.5 * std::log1p(2. * point.last[1]);
        const double found =
            (side + nu * T / E) / (response.thickness_strain + nu * T / E);
        EXPECT_NEAR(found, across ? r[2] : r[0], 1e-11);
        EXPECT_NEAR(T, 2. + 20. * point.field(), 1e-12 * E);
        EXPECT_NEAR(e, T / E + point.field(), 1e-13);
      }
    }
}

// Tension of von Mises' sheet: stress S(a) + H_k a, strain stress / E + a,
// sides and thickness -nu stress / E - a / 2; in steps of any size.
TEST(SheetPlasticity, UniaxialTension)
{
  for (const auto &[name, m] : plastic_sheets())
  {
    if (m.model != MaterialModel::j2 || m.viscosity > 0. ||
        !m.back_stress_moduli.empty())
      continue;
    for (const unsigned int n_steps : { 1, 7 })
      for (const double sign : { 1., -1. })
      {
        SheetPoint point(m);
        for (unsigned int step = 1; step <= n_steps; ++step)
        {
          const double e      = sign * 0.4 * step / n_steps;
          const auto response = point.tension(0.5 * std::expm1(2. * e));
          const double T      = response.stress[0] * std::exp(2. * e),
                       a      = point.field();
          EXPECT_NEAR(
              sign * T, yield_stress(m, a) + m.kinematic_modulus * a, 1e-12 * E)
              << name;
          EXPECT_NEAR(e, T / E + sign * a, 1e-13) << name;
          const double sides = -nu * T / E - sign * 0.5 * a;
          EXPECT_NEAR(0.5 * std::log1p(2. * point.last[1]), sides, 1e-13)
              << name;
          EXPECT_NEAR(response.thickness_strain, sides, 1e-13) << name;
        }
      }
  }
}

// Plane strain of perfect plasticity: what stays of the strain across is
// plastic flow of none, q^2 = T_11^2 (1 - P_12^2 / P_22); von Mises: 2/sqrt(3).
TEST(SheetPlasticity, PlaneStrainTension)
{
  for (const auto &r : { steel, aluminium, von_mises })
  {
    SheetPoint point(hill(r, 2.));
    double T = 0.;
    for (unsigned int step = 1; step <= 40; ++step)
      T = point.advance(green_of_log(0.01 * step, 0.)).stress[0] *
          std::exp(0.02 * step);
    const double P12 = -r[0] / (1. + r[0]),
                 P22 = r[0] * (1. + r[2]) / (r[2] * (1. + r[0]));
    EXPECT_NEAR(T, 2. / std::sqrt(1. - P12 * P12 / P22), 1e-10);
    if (r[0] == 1.)
    {
      EXPECT_NEAR(T, 4. / std::sqrt(3.), 1e-10);
    }
  }
}

// A wide sheet of perfect plasticity bent to a curvature k and let go: core c =
// s'/(E' k), moment s' (t^2/4 - c^2/3) with s' = 2/sqrt(3) sy, E' = E/(1-nu^2),
// curvature that stays k - 12 M / (E' t^3). Strains of 0.8 % and less are small
// enough for these to a thousandth.
TEST(SheetPlasticity, BendingAndSpringback)
{
  const double t = 0.78, k = 1. / 50.;
  auto m          = j2(MaterialModel::j2, 167.);
  m.young_modulus = 206e3;
  m.poisson_ratio = 0.3;
  for (const auto model : { MaterialModel::j2, MaterialModel::hill })
  {
    m.model              = model;
    const unsigned int n = 200;
    std::vector<SheetPoint> points;
    for (unsigned int i = 0; i < n; ++i)
      points.emplace_back(m);
    const auto moment = [&](const double curvature, const bool accept)
    {
      double sum = 0.;
      for (unsigned int i = 0; i < n; ++i)
      {
        const double z = t * ((i + 0.5) / n - 0.5), e = curvature * z;
        const auto to = green_of_log(e, 0.);
        const double T =
            (accept ? points[i].advance(to) : points[i].try_out(to)).stress[0] *
            std::exp(2. * e);
        sum += T * z * t / n;
      }
      return sum;
    };
    double M = 0.;
    for (unsigned int step = 1; step <= 20; ++step)
      M = moment(k * step / 20., true);
    EXPECT_NEAR(M, 29.2136, 1e-3 * 29.2136);
    // Unloading is elastic: a straight line to no moment.
    const double stiffness = (M - moment(0.9 * k, false)) / (0.1 * k);
    EXPECT_NEAR(
        stiffness, 206e3 / (1. - 0.09) * t * t * t / 12., 1e-3 * stiffness);
    EXPECT_NEAR(1. / (k - M / stiffness), 59.7489, 1e-3 * 59.7489);
  }
}

// r = 1 is von Mises.
TEST(SheetPlasticity, HillWithEqualStrengthsIsVonMises)
{
  for (const auto &[name, m] : plastic_sheets())
    if (m.model == MaterialModel::j2)
      for (const auto frame :
           { PlasticFrame::additive, PlasticFrame::multiplicative })
      {
        auto other     = m;
        other.model    = MaterialModel::hill;
        other.r_values = von_mises;
        SheetPoint a(std::make_unique<PlasticSheet>(m, frame)),
            b(std::make_unique<PlasticSheet>(other, frame));
        RandomPath path(7);
        for (unsigned int step = 0; step < 8; ++step)
        {
          const auto to = path.next();
          const auto x = a.advance(to, 0.1), y = b.advance(to, 0.1);
          EXPECT_EQ(x.stress, y.stress) << name;
          EXPECT_EQ(x.tangent, y.tangent) << name;
        }
      }
}

// Von Mises' sheet is the solid of the same material in plane stress, whose
// thickness is found by iteration: on paths that are not coaxial, all
// hardenings, Prager's back stress, Perzyna's overstress.
TEST(SheetPlasticity, SheetIsSolidInPlaneStress)
{
  for (const auto &[name, m] : plastic_sheets())
  {
    if (m.model != MaterialModel::j2 || !m.back_stress_moduli.empty())
      continue;
    for (unsigned int trial = 0; trial < 10; ++trial)
    {
      SheetPoint sheet(m), solid(std::make_unique<SolidSheet>(m));
      RandomPath path(trial);
      for (unsigned int step = 0; step < 8; ++step)
      {
        const auto to = path.next();
        const auto a = sheet.advance(to, 0.1), b = solid.advance(to, 0.1);
        const double size = largest(b.stress);
        double stiff      = 0.;
        for (const auto &row : b.tangent)
          stiff = std::max(stiff, largest(row));
        for (unsigned int i = 0; i < 3; ++i)
        {
          EXPECT_NEAR(a.stress[i], b.stress[i], 1e-8 * size) << name;
          for (unsigned int j = 0; j < 3; ++j)
            EXPECT_NEAR(a.tangent[i][j], b.tangent[i][j], 1e-7 * stiff)
                << name << " trial " << trial << " step " << step;
        }
        EXPECT_NEAR(a.thickness_strain, b.thickness_strain, 1e-10) << name;
        EXPECT_NEAR(a.stored, b.stored, 1e-8 * b.stored) << name;
        EXPECT_NEAR(sheet.field(), solid.field(), 1e-10) << name;
        EXPECT_NEAR(sheet.dissipated, solid.dissipated, 1e-8 * b.stored)
            << name;
      }
    }
  }
}

// Where the principal axes stay in the material both frames are the same
// (without memory of directions: isotropic).
TEST(SheetPlasticity, FramesAgreeInFixedAxes)
{
  for (const auto &[name, m] : plastic_sheets())
    for (const double angle : { 0., 0.5 })
    {
      if (m.model == MaterialModel::hill && angle != 0.)
        continue;
      SheetPoint a(std::make_unique<PlasticSheet>(m, PlasticFrame::additive)),
          b(std::make_unique<PlasticSheet>(m, PlasticFrame::multiplicative));
      std::mt19937 random(5);
      std::uniform_real_distribution<double> number(-0.3, 0.3);
      for (unsigned int step = 0; step < 8; ++step)
      {
        const auto to = green_of_log(number(random), number(random), angle);
        const auto x = a.advance(to, 0.1), y = b.advance(to, 0.1);
        for (unsigned int i = 0; i < 3; ++i)
          EXPECT_NEAR(x.stress[i], y.stress[i], 1e-12 * E) << name;
        EXPECT_NEAR(x.thickness_strain, y.thickness_strain, 1e-13) << name;
      }
    }
}

// Elsewhere they differ by the turning of axes, of second order in the strain.
TEST(SheetPlasticity, FramesDifferInSecondOrder)
{
  const auto m = j2(MaterialModel::j2, 2e-3, 0.2);
  double off[2];
  for (const unsigned int refine : { 0, 1 })
  {
    const double size = 0.1 / (1 << refine);
    SheetPoint a(std::make_unique<PlasticSheet>(m, PlasticFrame::additive)),
        b(std::make_unique<PlasticSheet>(m, PlasticFrame::multiplicative));
    SheetResponse x, y;
    for (const auto &to : { green_of_log(size, -0.5 * size, 0.),
                            green_of_log(size, 0., 0.8),
                            green_of_log(0.5 * size, size, 0.4) })
    {
      x = a.advance(to);
      y = b.advance(to);
    }
    off[refine] = 0.;
    for (unsigned int i = 0; i < 3; ++i)
      off[refine] = std::max(off[refine], std::abs(x.stress[i] - y.stress[i]));
    off[refine] /= largest(x.stress);
  }
  EXPECT_GT(off[0], 1e-6);
  EXPECT_LT(off[0], 0.1);
  EXPECT_LT(off[1], 0.35 * off[0]);
}

// Plastic flow keeps the volume: tr ln of all three stretches is that of the
// stress, (1 - 2 nu) tr T / E with tr T = S : C.
TEST(SheetPlasticity, PlasticFlowKeepsTheVolume)
{
  for (const auto &[name, m] : plastic_sheets())
  {
    SheetPoint point(m);
    RandomPath path(11);
    for (unsigned int step = 0; step < 10; ++step)
    {
      const auto to       = path.next();
      const auto response = point.advance(to, 0.1);
      const auto &S       = response.stress;
      const double trace = S[0] * (1. + 2. * to[0]) + S[1] * (1. + 2. * to[1]) +
                           2. * S[2] * to[2];
      EXPECT_NEAR(0.5 * std::log(determinant(to)) + response.thickness_strain,
                  (1. - 2. * nu) * trace / E,
                  1e-13)
          << name;
    }
  }
}

// Turned by a right angle a sheet is that with r0 and r90 exchanged and the
// yield stress of the other direction.
TEST(SheetPlasticity, RollingDirectionAcross)
{
  const double ratio =
      std::sqrt(steel[2] * (1. + steel[0]) / (steel[0] * (1. + steel[2])));
  SheetPoint a(hill(steel, 2.)),
      b(hill({ { steel[2], steel[1], steel[0] } }, 2. * ratio));
  RandomPath path(3);
  for (unsigned int step = 0; step < 8; ++step)
  {
    const auto to = path.next();
    const auto x = a.advance(to), y = b.advance({ { to[1], to[0], -to[2] } });
    EXPECT_NEAR(x.stress[0], y.stress[1], 1e-12 * E);
    EXPECT_NEAR(x.stress[1], y.stress[0], 1e-12 * E);
    EXPECT_NEAR(x.stress[2], -y.stress[2], 1e-12 * E);
    EXPECT_NEAR(x.thickness_strain, y.thickness_strain, 1e-12);
    EXPECT_NEAR(a.dissipated, b.dissipated, 1e-12 * a.dissipated + 1e-15 * E);
  }
}

// The return solves its equation to rounding: q(T - X) = S (1 + (eta x / h)^m)
// at the end, for steps of any size and hardenings with an infinite slope or a
// kink.
TEST(SheetPlasticity, ReturnToRounding)
{
  for (const auto &[name, m] : plastic_sheets())
    for (double over = 1e-12; over < 1e5; over *= 9.)
    {
      const HillKernel kernel(m);
      std::vector<double> state(kernel.n_state(), 0.);
      const double sy    = yield_stress(m, 0.);
      const double G     = E / (2. * (1. + nu));
      const double shear = (1. + over) * sy / (std::sqrt(3.) * G);
      const auto result  = kernel_step(kernel, { { shear, 0., shear } }, state);
      if (!result.flows)
        continue;
      PlaneVector xi = result.stress;
      for (unsigned int j = 1; j + 2 < state.size(); j += 3)
        for (unsigned int i = 0; i < 3; ++i)
          xi[i] -= state[j + i];
      const double q = equivalent(m.r_values, xi);
      const double S =
          yield_stress(m, state[0]) *
          (1. + (m.viscosity > 0.
                     ? std::pow(m.viscosity * state[0], m.rate_exponent)
                     : 0.));
      EXPECT_NEAR(q, S, 1e-14 * (S + E * (1. + shear))) << name << " " << over;
    }
}

// Any material that the section lets pass, steps of any size and direction:
// there is an answer, it dissipates, and the first one is on its yield surface.
TEST(SheetPlasticity, AnyMaterialAnyStep)
{
  std::mt19937 random(1);
  const auto number = [&](const double a, const double b)
  { return std::uniform_real_distribution<double>(a, b)(random); };
  const auto power = [&](const double a, const double b)
  { return std::exp(number(std::log(a), std::log(b))); };
  unsigned int n_flows = 0;
  for (unsigned int trial = 0; trial < 2000; ++trial)
  {
    const std::array<double, 3> r{
      { power(0.05, 10.), number(-0.4, 8.), power(0.05, 10.) }
    };
    auto m                  = hill(r, power(1e-5, 1.) * E, 0.);
    m.poisson_ratio         = number(-0.3, 0.49);
    m.hardening             = static_cast<HardeningType>(trial % 5);
    m.hardening_modulus     = trial % 3 == 0 ? 0. : power(1e-5, 1e2) * E;
    m.hardening_coefficient = power(1e-4, 10.) * E;
    m.hardening_exponent    = power(0.02, 1.);
    m.swift_strain          = power(1e-6, 0.1);
    m.saturation_stress     = m.yield_stress * power(1., 10.);
    m.saturation_rate       = power(0.1, 1000.);
    m.hardening_table       = { { { 0., m.yield_stress } },
                                { { power(1e-4, 0.1), 2. * m.yield_stress } },
                                { { power(0.11, 2.), 5. * m.yield_stress } } };
    if (trial % 7 < 2)
      m.kinematic_modulus = power(1e-4, 1e2) * E;
    for (unsigned int j = 0; j < trial % 11 / 2; ++j)
    {
      m.back_stress_moduli.push_back(power(1e-4, 1e2) * E);
      m.back_stress_rates.push_back(power(0.1, 1e4));
    }
    if (trial % 13 < 4)
    {
      m.viscosity     = power(1e-5, 1e3);
      m.rate_exponent = power(0.02, 3.);
    }
    const HillKernel kernel(m);
    std::vector<double> state(kernel.n_state(), 0.), end(kernel.n_state());
    for (unsigned int step = 0; step < 12; ++step)
    {
      const double size = power(1e-6, 3.), h = power(1e-4, 10.);
      const PlaneVector strain{
        { number(-size, size), number(-size, size), number(-size, size) }
      };
      PlaneResult result;
      ASSERT_TRUE(
          kernel.step(strain, h, state.data(), end.data(), true, result));
      EXPECT_GE(result.dissipated, 0.);
      EXPECT_TRUE(std::isfinite(largest(result.tangent[0])));
      n_flows += result.flows;
      if (step == 0 && result.flows)
      {
        PlaneVector xi = result.stress;
        // Rounding is that of the trial stress and of the back stresses.
        double scale = equivalent(r, kernel.elasticity.stress(strain));
        for (unsigned int j = 1; j + 2 < end.size(); j += 3)
        {
          for (unsigned int i = 0; i < 3; ++i)
            xi[i] -= end[j + i];
          scale += equivalent(r, { { end[j], end[j + 1], end[j + 2] } });
        }
        const double S =
            yield_stress(m, end[0]) *
            (1. + (m.viscosity > 0.
                       ? std::pow(m.viscosity * end[0] / h, m.rate_exponent)
                       : 0.));
        EXPECT_NEAR(equivalent(r, xi), S, 1e-14 * (S + scale));
      }
      state = end;
    }
  }
  EXPECT_GT(n_flows, 10000u);
}
