// What no law of sheets may depend on: axes of isotropic ones, units, what was
// tried out; and energy, dissipation, elastic laws, thickness, what has no
// answer.
#include "sheets_under_test.h"

#include <delassus/base/exceptions.h>

using namespace sheets_test;

namespace
{
constexpr double E = 210., nu = 0.28;

/// E in axes turned by an angle; S turns back the same way with half and
/// double shear.
Strain turned_strain(const Strain &e, const double angle)
{
  const double c = std::cos(angle), s = std::sin(angle);
  return { { c * c * e[0] + s * s * e[1] + s * c * e[2],
             s * s * e[0] + c * c * e[1] - s * c * e[2],
             2. * s * c * (e[1] - e[0]) + (c * c - s * s) * e[2] } };
}

std::array<double, 3> turned_stress(const std::array<double, 3> &t,
                                    const double angle)
{
  const double c = std::cos(angle), s = std::sin(angle);
  return { { c * c * t[0] + s * s * t[1] + 2. * s * c * t[2],
             s * s * t[0] + c * c * t[1] - 2. * s * c * t[2],
             s * c * (t[1] - t[0]) + (c * c - s * s) * t[2] } };
}

bool is_isotropic(const MaterialParameters &m)
{
  return m.model != MaterialModel::hill && m.model != MaterialModel::barlat &&
         m.model != MaterialModel::orthotropic;
}

/// A smooth path of large strains whose axes turn.
Strain along_path(const double t)
{
  return green(1. + 0.3 * t,
               0.5 * t * t,
               -0.1 * std::sin(3. * t),
               1. - 0.2 * t + 0.1 * t * t);
}
} // namespace

// Isotropic sheets do not know axes: stress, tangent, energies turn with them.
TEST(SheetLaws, AxesOfIsotropicSheets)
{
  const double angle = 0.83;
  for (const auto &[name, m] : all_sheets())
  {
    if (!is_isotropic(m))
      continue;
    SheetPoint a(m), b(m);
    RandomPath path(21);
    for (unsigned int step = 0; step < 8; ++step)
    {
      const auto to       = path.next();
      const auto x        = a.advance(to, 0.1),
                 y        = b.advance(turned_strain(to, angle), 0.1);
      const auto expected = turned_stress(x.stress, angle);
      const double size   = largest(x.stress);
      for (unsigned int i = 0; i < 3; ++i)
        EXPECT_NEAR(y.stress[i], expected[i], 1e-10 * size) << name;
      EXPECT_NEAR(x.stored, y.stored, 1e-10 * x.stored) << name;
      EXPECT_NEAR(x.dissipated, y.dissipated, 1e-10 * (x.stored + x.dissipated))
          << name;
      EXPECT_NEAR(x.thickness_strain, y.thickness_strain, 1e-11) << name;
      const Strain d      = { { 1., -0.3, 0.7 } };
      const auto turned   = turned_strain(d, angle);
      double quadratic[2] = {};
      for (unsigned int i = 0; i < 3; ++i)
        for (unsigned int j = 0; j < 3; ++j)
        {
          quadratic[0] += d[i] * x.tangent[i][j] * d[j];
          quadratic[1] += turned[i] * y.tangent[i][j] * turned[j];
        }
      EXPECT_NEAR(quadratic[0], quadratic[1], 1e-8 * std::abs(x.tangent[0][0]))
          << name;
    }
  }
}

// Units of stress, and of time, by powers of two: nothing but the exponents
// changes, to the last bit.
TEST(SheetLaws, Units)
{
  for (const auto &[name, m] : all_sheets())
    for (const int power : { -41, 23 })
    {
      const double stress = std::ldexp(1., power), time = std::ldexp(1., 7);
      auto other = m;
      for (const auto value : { &MaterialParameters::young_modulus,
                                &MaterialParameters::yield_stress,
                                &MaterialParameters::hardening_modulus,
                                &MaterialParameters::hardening_coefficient,
                                &MaterialParameters::saturation_stress,
                                &MaterialParameters::kinematic_modulus })
        other.*value *= stress;
      for (auto &point : other.hardening_table)
        point[1] *= stress;
      for (double &value : other.back_stress_moduli)
        value *= stress;
      for (unsigned int i = 0; i < 3; ++i)
      {
        other.young_moduli[i] *= stress;
        other.shear_moduli[i] *= stress;
      }
      other.viscosity *=
          m.model == MaterialModel::maxwell ? time * stress : time;
      SheetPoint a(m), b(other);
      RandomPath path(13);
      for (unsigned int step = 0; step < 8; ++step)
      {
        const auto to = path.next();
        const auto x = a.advance(to, 0.125), y = b.advance(to, 0.125 * time);
        for (unsigned int i = 0; i < 3; ++i)
        {
          EXPECT_EQ(y.stress[i], stress * x.stress[i]) << name;
          for (unsigned int j = 0; j < 3; ++j)
            EXPECT_EQ(y.tangent[i][j], stress * x.tangent[i][j]) << name;
        }
        EXPECT_EQ(y.stored, stress * x.stored) << name;
        EXPECT_EQ(y.dissipated, stress * x.dissipated) << name;
        EXPECT_EQ(y.thickness_strain, x.thickness_strain) << name;
      }
      EXPECT_EQ(b.law->shear_moduli()[0], stress * a.law->shear_moduli()[0]);
      EXPECT_EQ(b.law->thickness_modulus(),
                stress * a.law->thickness_modulus());
    }
}

// A law has no state, and the tangent's presence changes nothing.
TEST(SheetLaws, WhatWasTriedOutDoesNotMatter)
{
  for (const auto &[name, m] : all_sheets())
  {
    SheetPoint a(m), b(m);
    RandomPath path(17);
    for (unsigned int step = 0; step < 6; ++step)
    {
      const auto to     = path.next();
      const auto before = b.begin;
      b.try_out(green_of_log(0.3, -0.4, 0.2), 0.1);
      b.try_out(to, 0.1, false);
      const auto end = b.end;
      EXPECT_EQ(before, b.begin) << name;
      EXPECT_EQ(a.advance(to, 0.1).stress, b.advance(to, 0.1).stress) << name;
      EXPECT_EQ(end, b.begin) << name;
      EXPECT_EQ(a.begin, b.begin) << name;
    }
  }
}

// Nothing is created: dissipation is not negative, on any path.
TEST(SheetLaws, DissipationIsNotNegative)
{
  for (const auto &[name, m] : all_sheets())
    for (unsigned int trial = 0; trial < 20; ++trial)
    {
      SheetPoint point(m);
      RandomPath path(1000 + trial);
      for (unsigned int step = 0; step < 10; ++step)
      {
        const auto response = point.advance(path.next(), 0.1);
        EXPECT_GE(response.dissipated, 0.) << name;
        EXPECT_GE(response.stored, 0.) << name;
      }
      if (point.law->is_elastic())
      {
        EXPECT_EQ(point.dissipated, 0.);
      }
    }
}

// Work is what is stored and dissipated: elastic laws on a closed path take
// none, others up to the first order in the step.
TEST(SheetLaws, EnergyBalance)
{
  for (const auto &[name, m] : all_sheets())
  {
    double error[2], size = 0.;
    for (const unsigned int refine : { 0, 1 })
    {
      const unsigned int n = 400 << refine;
      SheetPoint point(m);
      Strain before{};
      std::array<double, 3> S{};
      double work = 0., stored = 0.;
      for (unsigned int step = 1; step <= n; ++step)
      {
        const auto to       = along_path(step * 1. / n);
        const auto response = point.advance(to, 1. / n);
        for (unsigned int i = 0; i < 3; ++i)
          work += 0.5 * (S[i] + response.stress[i]) * (to[i] - before[i]);
        before = to;
        S      = response.stress;
        stored = response.stored;
      }
      error[refine] = work - stored - point.dissipated;
      size          = work;
    }
    EXPECT_GT(size, 0.);
    EXPECT_LT(std::abs(error[0]), 0.01 * size) << name;
    EXPECT_LT(std::abs(error[1]),
              (dissipates(m) ? 0.6 : 0.3) * std::abs(error[0]) + 1e-12 * size)
        << name;
  }
}

// Small strains: S = C E with all the digits that E has, C that of Hooke's law
// in plane stress.
TEST(SheetLaws, SmallStrains)
{
  for (const auto &[name, m] : all_sheets())
  {
    if (m.model == MaterialModel::maxwell)
      continue;
    const bool elastic_digits =
        m.model != MaterialModel::neo_hookean; // F = U has fewer
    const PlaneElasticity hooke(m);
    SheetPoint point(m);
    for (const double size : { 1e-12, 1e-9, 1e-6 })
    {
      const Strain to     = { { size, -0.3 * size, 0.8 * size } };
      const auto response = point.try_out(to);
      const auto expected = hooke.stress(to);
      // The next terms of the strain are of relative size `size`.
      const double tolerance =
          elastic_digits ? 5. * size + 1e-14 : 5. * size + 1e-15 / size;
      for (unsigned int i = 0; i < 3; ++i)
        EXPECT_NEAR(
            response.stress[i], expected[i], tolerance * largest(expected))
            << name << " " << size;
      EXPECT_NEAR(response.thickness_strain,
                  hooke.thickness_strain(expected),
                  tolerance * size)
          << name;
    }
  }
}

// Hooke's law, isotropic and orthotropic, by its definition: tension along 1
// shortens 2 by nu_12, along 2 1 by nu_12 E_2 / E_1; thickness by nu_13, nu_23.
TEST(SheetLaws, OrthotropicHooke)
{
  const auto m = orthotropic();
  SheetPoint point(m);
  const double e = 0.01;
  auto response  = point.tension(0.5 * std::expm1(2. * e));
  const double T = response.stress[0] * std::exp(2. * e);
  EXPECT_NEAR(T, 140. * e, 1e-12);
  EXPECT_NEAR(0.5 * std::log1p(2. * point.last[1]), -0.3 * e, 1e-15);
  EXPECT_NEAR(response.thickness_strain, -0.25 * e, 1e-15);
  EXPECT_NEAR(response.stored, 0.5 * 140. * e * e, 1e-13);
  // Across.
  response = point.try_out(green_of_log(-0.3 * 10. / 140. * e, e));
  EXPECT_NEAR(response.stress[0], 0., 1e-14);
  EXPECT_NEAR(response.stress[1] * std::exp(2. * e), 10. * e, 1e-14);
  EXPECT_NEAR(response.thickness_strain, -0.4 * e, 1e-15);
  EXPECT_EQ(point.law->shear_moduli()[0], 6.);
  EXPECT_EQ(point.law->shear_moduli()[1], 3.);
  EXPECT_EQ(point.law->thickness_modulus(), 9.);

  // Equal moduli are isotropic.
  auto equal           = orthotropic();
  equal.young_moduli   = { { E, E, E } };
  equal.poisson_ratios = { { nu, nu, nu } };
  const double G       = E / (2. * (1. + nu));
  equal.shear_moduli   = { { G, G, G } };
  SheetPoint a(equal), b(elastic(MaterialModel::linear_elastic));
  RandomPath path(2);
  for (unsigned int step = 0; step < 8; ++step)
  {
    const auto to = path.next();
    EXPECT_EQ(a.advance(to).stress, b.advance(to).stress);
  }
  EXPECT_EQ(a.law->shear_moduli(), b.law->shear_moduli());
}

// Closed forms against the laws of solids in plane stress: Hencky's is von
// Mises' material that does not yield; Saint Venant-Kirchhoff's.
TEST(SheetLaws, ElasticSheetsAreSolidsInPlaneStress)
{
  const auto hencky = elastic(MaterialModel::linear_elastic),
             never  = j2(MaterialModel::j2, 1e6),
             svk    = elastic(MaterialModel::saint_venant_kirchhoff);
  for (const auto &[m, solid] :
       { std::make_pair(hencky, never), std::make_pair(svk, svk) })
  {
    SheetPoint a(m), b(std::make_unique<SolidSheet>(solid));
    RandomPath path(31);
    for (unsigned int step = 0; step < 10; ++step)
    {
      auto to = path.next();
      if (m.model == MaterialModel::saint_venant_kirchhoff)
        for (double &e : to)
          e *= 0.5;
      const auto x = a.advance(to), y = b.advance(to);
      for (unsigned int i = 0; i < 3; ++i)
      {
        EXPECT_NEAR(x.stress[i], y.stress[i], 1e-12 * E);
        for (unsigned int j = 0; j < 3; ++j)
          EXPECT_NEAR(x.tangent[i][j], y.tangent[i][j], 1e-11 * E);
      }
      EXPECT_NEAR(x.thickness_strain, y.thickness_strain, 1e-13);
      EXPECT_NEAR(x.stored, y.stored, 1e-13 * E);
    }
  }
}

// Neo-Hookean in equal tension of the plane: S = mu (1 - c / l^2) with c =
// C_33 from mu (c - 1) + lambda ln J = 0.
TEST(SheetLaws, NeoHookeanInEqualTension)
{
  SheetPoint point(elastic(MaterialModel::neo_hookean));
  const double mu     = E / (2. * (1. + nu)),
               lambda = E * nu / ((1. + nu) * (1. - 2. * nu));
  for (const double l : { 0.8, 1.2, 1.7 })
  {
    const double e = 0.5 * (l * l - 1.);
    const auto x   = point.try_out({ { e, e, 0. } });
    const double c = std::exp(2. * x.thickness_strain);
    EXPECT_NEAR(
        mu * (c - 1.) + lambda * std::log(l * l * std::sqrt(c)), 0., 1e-12 * E);
    EXPECT_NEAR(x.stress[0], mu * (1. - c / (l * l)), 1e-12 * E);
    EXPECT_NEAR(x.stress[1], x.stress[0], 1e-12 * E);
    EXPECT_NEAR(x.stress[2], 0., 1e-12 * E);
  }
}

// Maxwell's sheet in tension is a spring E and a dashpot 3 eta in series: at a
// constant rate of strain it comes to 3 eta times it.
TEST(SheetLaws, MaxwellFlows)
{
  const double eta = 30., rate = 0.05;
  SheetPoint point(maxwell(eta));
  double T = 0.;
  for (unsigned int step = 1; step <= 200; ++step)
  {
    const double e = rate * 0.05 * step;
    T              = point.tension(0.5 * std::expm1(2. * e), 0.05).stress[0] *
        std::exp(2. * e);
  }
  EXPECT_NEAR(T, 3. * eta * rate, 1e-6);
  EXPECT_GT(point.dissipated, 0.);
}

// Perzyna: flow at a constant rate r stands at S (1 + (eta r)^m), for Hill in
// tension along 1 too.
TEST(SheetLaws, OverstressOfAConstantRate)
{
  for (const auto model : { MaterialModel::j2, MaterialModel::hill })
  {
    auto m          = j2(model, 2.);
    m.viscosity     = 0.3;
    m.rate_exponent = 0.4;
    if (model == MaterialModel::hill)
      m.r_values = aluminium;
    for (const double rate : { 0.01, 1., 100. })
    {
      SheetPoint point(m);
      const double h = 0.01 / rate;
      double T       = 0.;
      for (unsigned int step = 1; step <= 60; ++step)
      {
        const double e = 0.01 * step;
        T              = point.tension(0.5 * std::expm1(2. * e), h).stress[0] *
            std::exp(2. * e);
      }
      EXPECT_NEAR(T, 2. * (1. + std::pow(0.3 * rate, 0.4)), 1e-9 * T);
    }
  }
}

// No answer to what is no deformation; none with not-a-number.
TEST(SheetLaws, NoAnswer)
{
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  for (const auto &[name, m] : all_sheets())
  {
    SheetPoint point(m);
    SheetResponse response;
    for (const Strain &to : { Strain{ { -0.5, 0., 0. } },
                              Strain{ { -0.6, 0.1, 0. } },
                              Strain{ { -0.7, -0.8, 0. } },
                              Strain{ { 0., 0., 1.1 } },
                              Strain{ { nan, 0., 0. } },
                              Strain{ { 0., 0., nan } },
                              Strain{ { inf, 0., 0. } } })
      EXPECT_FALSE(point.law->respond(
          to, 0.1, point.begin.data(), point.end.data(), true, response))
          << name << " " << to[0] << " " << to[1] << " " << to[2];
  }
}

// Which models sheets do not have; which solids do not.
TEST(SheetLaws, RefusedByName)
{
  try
  {
    make_sheet_law(j2(MaterialModel::j2_small_strain, 2.));
    FAIL() << "no error";
  }
  catch (const InputError &e)
  {
    EXPECT_NE(std::string(e.what()).find("J2 small strain"), std::string::npos);
  }
  for (const auto &m : { hill(steel), orthotropic() })
    EXPECT_THROW(make_material(m, Assumption::three_dimensional), InputError);
}

// What a point remembers.
TEST(SheetLaws, Histories)
{
  for (const auto &[name, m] : all_sheets())
  {
    SheetPoint point(m);
    EXPECT_EQ(point.law->is_elastic(), !dissipates(m)) << name;
    EXPECT_EQ(point.law->density(), 1.);
    if (m.model == MaterialModel::barlat)
    {
      EXPECT_EQ(point.law->n_history(), 4u) << name;
    }
    if (is_plastic(m))
    {
      const unsigned int n_back =
          (m.kinematic_modulus > 0. ? 1 : 0) + m.back_stress_moduli.size();
      EXPECT_EQ(point.law->n_history(),
                (m.model == MaterialModel::hill ? 4 : 5) + 3 * n_back)
          << name;
      EXPECT_EQ(point.law->fields().at(0).name, "plastic_strain");
    }
    for (unsigned int i = 0; i < point.law->n_history(); ++i)
      EXPECT_EQ(point.begin[i], 0.) << name;
    const auto response = point.try_out({ { 0., 0., 0. } }, 0.1);
    EXPECT_EQ(largest(response.stress), 0.) << name;
    EXPECT_EQ(response.stored, 0.) << name;
  }
}
