// The tangent of every law against differences of its stress.
#include "laws_under_test.h"

using namespace materials_test;

namespace
{
/// Whether the step just tried out is inelastic.
bool flows(const Point &point)
{
  if (point.law->is_elastic())
    return false;
  const unsigned int field = point.law->fields().at(0).first;
  return point.end[field] > point.begin[field];
}

/// c : d (see MaterialResponse) by differences: stresses at (I + e d) F (small
/// strain: F + e d), Richardson's extrapolation of central differences, error
/// e^4 over the fourth power of the strain at yield. @p edge: it reaches over
/// the edge between elastic and plastic, where there is no derivative.
Voigt difference(Point &point,
                 const Tensor &F,
                 const Tensor &d,
                 const double h,
                 const double e,
                 bool &edge)
{
  const bool finite = point.law->is_finite_strain();
  point.try_out(F, h, false);
  const bool flows_here = flows(point);
  const auto at         = [&](const double t)
  {
    const Tensor moved = finite ? (identity() + t * d) * F : F + t * d;
    const auto stress  = point.try_out(moved, h, false).stress;
    edge               = edge || flows(point) != flows_here;
    return stress;
  };
  const auto s1 = at(e), m1 = at(-e), s2 = at(2. * e), m2 = at(-2. * e);
  Voigt rate;
  for (unsigned int i = 0; i < 6; ++i)
    rate[i] = (8. * (s1[i] - m1[i]) - (s2[i] - m2[i])) / (12. * e);
  if (finite)
  {
    const Tensor tau = tensor(point.try_out(F, h, false).stress);
    const Tensor lie = d * tau + tau * d;
    for (unsigned int i = 0; i < 6; ++i)
      rate[i] -= lie[first[i]][second[i]];
  }
  return rate;
}

unsigned int n_edges = 0, n_checked = 0;

/// The error of the tangent relative to its largest entry; in plane stress
/// only directions in the plane.
double tangent_error(Point &point,
                     const Tensor &F,
                     const double h,
                     const bool plane_stress = false,
                     const double e          = 2e-6)
{
  const auto response = point.try_out(F, h);
  double size = 0., error = 0.;
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
    {
      size = std::max(size, std::abs(response.tangent[i][j]));
      EXPECT_NEAR(response.tangent[i][j],
                  response.tangent[j][i],
                  1e-13 * std::abs(response.tangent[0][0]));
    }
  bool edge = false;
  for (unsigned int j = 0; j < 6; ++j)
  {
    if (plane_stress && j != 0 && j != 1 && j != 3)
      continue;
    Tensor d;
    d[first[j]][second[j]] += 0.5;
    d[second[j]][first[j]] += 0.5;
    const auto rate = difference(point, F, d, h, e, edge);
    for (unsigned int i = 0; i < 6; ++i)
      error = std::max(error, std::abs(rate[i] - response.tangent[i][j]));
  }
  n_edges += edge;
  ++n_checked;
  return edge ? 0. : error / size;
}

Tensor random_tensor(std::mt19937 &random, const double size)
{
  std::uniform_real_distribution<double> number(-size, size);
  Tensor t;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      t[i][j] = number(random);
  return t;
}

Tensor plane(Tensor t)
{
  t[0][2] = t[1][2] = t[2][0] = t[2][1] = 0.;
  return t;
}

constexpr double tolerance = 1e-6;
} // namespace

// Random paths of several steps: elastic, then inelastic with a history that
// is not coaxial with the strain, large strains and rotations at the end.
TEST(Tangent, AlongRandomPaths)
{
  std::mt19937 random(1);
  n_edges = n_checked = 0;
  for (const auto assumption :
       { Assumption::three_dimensional, Assumption::plane_stress })
    for (const auto &[name, parameters] : all_laws())
      for (unsigned int trial = 0; trial < 10; ++trial)
      {
        const bool plane_stress = assumption == Assumption::plane_stress;
        Point point(parameters, assumption);
        const bool finite = point.law->is_finite_strain();
        Tensor F          = identity();
        if (finite)
          F = rotation(
                  0.3 * trial, plane_stress ? 0 : 1, plane_stress ? 0 : 2, 3) *
              F;
        for (unsigned int step = 0; step < 5; ++step)
        {
          const double size = step == 0 ? 1e-4 : finite ? 0.05 : 0.03;
          Tensor more       = random_tensor(random, size);
          if (plane_stress)
            more = plane(more);
          F = finite ? (identity() + more) * F : F + more;
          EXPECT_LT(tangent_error(point, F, 0.1, plane_stress), tolerance)
              << name << (plane_stress ? " plane stress" : "") << " trial "
              << trial << " step " << step;
          point.advance(F, 0.1);
        }
        EXPECT_TRUE(point.law->is_elastic() || point.field() > 1e-3) << name;
      }
  EXPECT_LT(n_edges, n_checked / 200);
}

// Equal and nearly equal stretches, from virgin and from turned histories.
TEST(Tangent, EqualAndNearlyEqualStretches)
{
  const Tensor Q = rotation(0.7, 1., -2., 0.5);
  for (const auto &[name, parameters] : all_laws())
    for (const bool with_past : { false, true })
      for (const double gap :
           { 0., 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.02, 0.2 })
        for (const unsigned int kind : { 0, 1, 2 })
        {
          Point point(parameters);
          if (with_past)
            point.advance(identity() + 0.02 * Q, 0.1);
          const double s = 1.07;
          // Two equal, all equal, one far from the two; in turned axes.
          const Tensor stretch =
              kind == 0   ? diagonal(s, s * (1. + gap), 0.9)
              : kind == 1 ? diagonal(s, s * (1. + gap), s * (1. - 0.3 * gap))
                          : diagonal(0.97, 1.02, 1.02 * (1. + gap));
          const Tensor F = Q * stretch * dealii::transpose(Q);
          // A purely volumetric strain has no flow direction: the law itself
          // has an edge there only if it flows, which it does not.
          EXPECT_LT(tangent_error(point, F, 0.1), tolerance)
              << name << " gap " << gap << " kind " << kind << " past "
              << with_past;
        }
}

// Moderate and huge stretches: closed forms of the divided differences.
TEST(Tangent, LargeStretches)
{
  const Tensor Q = rotation(1.1, 1., 1., 0.5), R = rotation(-2., 0., 1., 3.);
  for (const auto &[name, parameters] : all_laws())
  {
    if (!make_material(parameters, Assumption::three_dimensional)
             ->is_finite_strain())
      continue;
    for (const double s : { 1.5, 3., 8. })
    {
      Point point(parameters);
      const Tensor F = R * Q * diagonal(s, 1.1, 0.9 / s) * dealii::transpose(Q);
      EXPECT_LT(tangent_error(point, F, 0.1), tolerance) << name << " " << s;
      point.advance(F, 0.1);
      const Tensor next = (identity() + 0.03 * Q) * F;
      EXPECT_LT(tangent_error(point, next, 0.1), tolerance)
          << name << " then " << s;
    }
  }
}

// An elastic law that flows never: Hencky's, whose stress also needs the
// divided differences only in the tangent.
TEST(Tangent, HenckyElasticity)
{
  Point point(j2(MaterialModel::j2, 1e6));
  const Tensor Q = rotation(1.1, 1., 1., 0.5);
  for (const double s : { 1.01, 1.3, 2.5 })
    EXPECT_LT(
        tangent_error(point, Q * diagonal(s, 1. / s, 1.2), 1., false, 1e-4),
        tolerance);
}
