// What no material may depend on: the observer, the axes of a virgin isotropic
// body, units, what was tried out; and the balance of energy.
#include "laws_under_test.h"

using namespace materials_test;

namespace
{
/// A path of large strains and flows, not coaxial; the plane of plane stress.
Tensor along_path(const double t, const bool plane)
{
  Tensor L;
  L[0][0] = 0.3 * t;
  L[1][1] = -0.2 * t + 0.1 * t * t;
  L[0][1] = 0.5 * t * t;
  L[1][0] = -0.1 * std::sin(3. * t);
  if (!plane)
  {
    L[2][2] = 0.1 * std::sin(2. * t);
    L[1][2] = 0.2 * t;
    L[2][0] = 0.15 * t * t * t;
  }
  return identity() + L;
}

Tensor turn_of(const unsigned int step, const bool plane)
{
  return plane ? rotation(0.9 * step * step, 0., 0., 1.)
               : rotation(0.9 * step * step, 1., 0.3 * step, -1.);
}

double distance(const Voigt &a, const Tensor &b)
{
  double result = 0.;
  for (unsigned int i = 0; i < 6; ++i)
    result = std::max(result, std::abs(a[i] - b[first[i]][second[i]]));
  return result;
}

constexpr Assumption assumptions[] = { Assumption::three_dimensional,
                                       Assumption::plane_stress };

/// c : d with d as in the definition of the tangent.
Tensor contract(const VoigtMatrix &c, const Tensor &d)
{
  Voigt rate, stress{};
  for (unsigned int i = 0; i < 6; ++i)
    rate[i] = i < 3 ? d[i][i] : d[first[i]][second[i]] + d[second[i]][first[i]];
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
      stress[i] += c[i][j] * rate[j];
  return tensor(stress);
}
} // namespace

// Each step is seen by an observer turned otherwise: stress and tangent turn,
// history, energy and dissipation do not notice.
TEST(Invariance, Observer)
{
  for (const auto &[name, m] : all_laws())
    for (const auto assumption : assumptions)
    {
      const bool plane = assumption == Assumption::plane_stress;
      Point still(m, assumption), turned(m, assumption);
      if (!still.law->is_finite_strain())
        continue;
      for (unsigned int step = 1; step <= 8; ++step)
      {
        const Tensor F    = along_path(step / 8., plane);
        const Tensor Q    = turn_of(step, plane);
        const auto a      = still.advance(F, 0.1);
        const auto b      = turned.advance(Q * F, 0.1);
        const double size = largest(a.stress);
        const Tensor tau  = Q * tensor(a.stress) * dealii::transpose(Q);
        EXPECT_LT(distance(b.stress, tau), 1e-11 * size) << name;
        EXPECT_NEAR(a.stored, b.stored, 1e-11 * std::abs(a.stored)) << name;
        EXPECT_NEAR(
            a.dissipated, b.dissipated, 1e-11 * (a.dissipated + a.stored))
            << name;
        Tensor d;
        d[0][0] = 1.;
        d[0][1] = d[1][0] = -0.6;
        if (!plane)
          d[1][2] = d[2][1] = 0.8;
        const Tensor turned_d = Q * d * dealii::transpose(Q);
        const Tensor expected =
            Q * contract(a.tangent, d) * dealii::transpose(Q);
        Voigt found;
        const Tensor applied = contract(b.tangent, turned_d);
        for (unsigned int i = 0; i < 6; ++i)
          found[i] = applied[first[i]][second[i]];
        EXPECT_LT(distance(found, expected), 1e-9 * largest(found)) << name;
        for (unsigned int i = 0; i < still.law->n_history(); ++i)
          EXPECT_NEAR(still.history(i), turned.history(i), 1e-11 * (1. + size))
              << name << " history " << i;
      }
    }
}

// Isotropy: another choice of the reference axes, F -> F Q, changes nothing.
TEST(Invariance, AxesOfTheVirginBody)
{
  for (const auto &[name, m] : all_laws())
    for (const auto assumption : assumptions)
    {
      const bool plane = assumption == Assumption::plane_stress;
      Point still(m, assumption), turned(m, assumption);
      if (!still.law->is_finite_strain())
        continue;
      const Tensor Q = turn_of(3, plane);
      for (unsigned int step = 1; step <= 8; ++step)
      {
        const Tensor F = along_path(step / 8., plane);
        const auto a   = still.advance(F, 0.1);
        const auto b   = turned.advance(F * Q, 0.1);
        EXPECT_LT(distance(b.stress, tensor(a.stress)),
                  1e-11 * largest(a.stress))
            << name;
        EXPECT_NEAR(a.stored, b.stored, 1e-11 * std::abs(a.stored)) << name;
      }
      EXPECT_TRUE(still.law->is_elastic() ||
                  std::abs(still.field() / turned.field() - 1.) < 1e-11);
    }
}

// A rigid motion of a virgin point gives no stress, and of a flowed one only
// turns it.
TEST(Invariance, RigidMotion)
{
  for (const auto &[name, m] : all_laws())
  {
    Point point(m);
    if (!point.law->is_finite_strain())
      continue;
    EXPECT_LT(largest(point.try_out(turn_of(5, false)).stress),
              1e-13 * m.young_modulus)
        << name;
  }
}

// Small-strain laws see the symmetric part only.
TEST(Invariance, SmallStrainLawsKnowNoRotation)
{
  for (const auto &[name, m] : all_laws())
  {
    Point a(m), b(m);
    if (a.law->is_finite_strain())
      continue;
    const Tensor F = along_path(0.1, false);
    Tensor symmetric;
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        symmetric[i][j] = 0.5 * (F[i][j] + F[j][i]);
    EXPECT_LT(distance(a.advance(F, 0.1).stress,
                       tensor(b.advance(symmetric, 0.1).stress)),
              1e-13 * m.young_modulus)
        << name;
  }
}

// SI against mm, t, s: stresses in Pa and in MPa, nothing else changes (time
// and strain have the same units).
TEST(Invariance, Units)
{
  for (const auto &[name, m] : all_laws())
    for (const auto assumption : assumptions)
    {
      const double unit = 1e-6;
      auto mm           = m;
      for (auto *value : { &mm.young_modulus,
                           &mm.yield_stress,
                           &mm.hardening_modulus,
                           &mm.hardening_coefficient,
                           &mm.saturation_stress,
                           &mm.kinematic_modulus })
        *value *= unit;
      for (auto &point : mm.hardening_table)
        point[1] *= unit;
      if (m.model == MaterialModel::maxwell)
        mm.viscosity *= unit;
      Point a(m, assumption), b(mm, assumption);
      const bool plane = assumption == Assumption::plane_stress;
      for (unsigned int step = 1; step <= 6; ++step)
      {
        const Tensor F = along_path(step / 10., plane);
        const auto one = a.advance(F, 0.1), other = b.advance(F, 0.1);
        for (unsigned int i = 0; i < 6; ++i)
        {
          EXPECT_NEAR(other.stress[i],
                      unit * one.stress[i],
                      1e-11 * unit * largest(one.stress))
              << name;
          for (unsigned int j = 0; j < 6; ++j)
            EXPECT_NEAR(other.tangent[i][j],
                        unit * one.tangent[i][j],
                        1e-10 * unit * m.young_modulus)
                << name;
        }
        EXPECT_NEAR(other.stored, unit * one.stored, 1e-11 * unit * one.stored);
      }
    }
}

// Nothing is remembered of what was only tried out, and the tangent changes
// nothing.
TEST(Invariance, TriesLeaveNoTrace)
{
  for (const auto &[name, m] : all_laws())
    for (const auto assumption : assumptions)
    {
      const bool plane = assumption == Assumption::plane_stress;
      Point point(m, assumption);
      for (unsigned int step = 1; step <= 4; ++step)
      {
        const auto before = point.begin;
        const Tensor F    = along_path(step / 4., plane);
        const auto once   = point.try_out(F, 0.1, true);
        const auto end    = point.end;
        point.try_out(along_path(0.9, plane), 0.3, true);
        EXPECT_EQ(point.begin, before) << name;
        // End is written whole, whatever was there.
        std::fill(point.end.begin(), point.end.end() - 1, 1e30);
        const auto again = point.try_out(F, 0.1, false);
        EXPECT_EQ(point.end, end) << name;
        EXPECT_EQ(again.stress, once.stress) << name;
        EXPECT_EQ(again.stored, once.stored) << name;
        EXPECT_EQ(again.dissipated, once.dissipated) << name;
        point.begin = point.end;
      }
    }
}

// A state on the yield surface, computed once more, does not flow again.
TEST(Invariance, RepeatedStateDoesNotFlow)
{
  for (const auto &[name, m] : all_laws())
  {
    Point point(m);
    if (point.law->is_elastic() || m.viscosity > 0.)
      continue;
    const Tensor F   = along_path(0.7, false);
    const auto first = point.advance(F, 0.1);
    const auto next  = point.advance(F, 0.1);
    // With a back stress that does not commute with the strain, the elastic
    // strain left by the flow is E - dEp to second order only.
    if (m.model == MaterialModel::j2 && m.kinematic_modulus > 0.)
      continue;
    EXPECT_EQ(next.dissipated, 0.) << name;
    EXPECT_LT(distance(next.stress, tensor(first.stress)),
              1e-11 * largest(first.stress))
        << name;
  }
}

// Stored and dissipated energy are the work of the stress, integral of
// tau : l along the path, when the steps are small: first order (second for
// elastic laws). Nothing is dissipated negatively, also on the way back.
TEST(Invariance, EnergyBalance)
{
  for (const auto &[name, m] : all_laws())
    for (const auto assumption : assumptions)
    {
      const bool plane = assumption == Assumption::plane_stress;
      double error[3], size = 0.;
      for (const unsigned int refine : { 0, 1, 2 })
      {
        Point point(m, assumption);
        const bool finite    = point.law->is_finite_strain();
        const unsigned int n = 200 << refine;
        double work          = 0.;
        Tensor before        = identity();
        MaterialResponse last;
        for (unsigned int step = 1; step <= n; ++step)
        {
          // There and half the way back.
          const double t      = std::sin(2.5 * step / n) * (finite ? 0.5 : 0.2);
          const Tensor F      = along_path(t, plane);
          const auto response = point.advance(F, 1. / n);
          EXPECT_GE(response.dissipated, 0.) << name;
          const Tensor dF = F - before;
          const Tensor tau =
              0.5 * (tensor(last.stress) + tensor(response.stress));
          const Tensor l =
              finite ? dF * dealii::invert(0.5 * (F + before)) : dF;
          work += dealii::scalar_product(tau, l);
          before = F;
          last   = response;
        }
        error[refine] = std::abs(last.stored + point.dissipated - work);
        size          = std::abs(work);
      }
      EXPECT_LT(error[1], 0.02 * size) << name << plane;
      EXPECT_LT(error[2], 0.6 * error[1] + 1e-13 * size)
          << name << plane << " " << error[0] << " " << error[1] << " "
          << error[2] << " of " << size;
    }
}
