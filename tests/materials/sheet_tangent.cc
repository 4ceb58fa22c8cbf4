// The tangent of every law of sheets against differences of its stress, and
// what the tangent's symmetric part does to Newton's method where there is
// another.
#include "sheets_under_test.h"

using namespace sheets_test;

namespace
{
unsigned int n_edges = 0, n_checked = 0;

/// dS/dE by Richardson's extrapolation of central differences. @p edge: it
/// reaches over the edge between elastic and plastic.
std::array<std::array<double, 3>, 3> difference(SheetPoint &point,
                                                const Strain &E,
                                                const double h,
                                                const double e,
                                                bool &edge)
{
  point.try_out(E, h, false);
  const bool flows_here = point.flows();
  std::array<std::array<double, 3>, 3> result;
  for (unsigned int j = 0; j < 3; ++j)
  {
    const auto at = [&](const double t)
    {
      auto moved = E;
      moved[j] += t;
      const auto stress = point.try_out(moved, h, false).stress;
      edge              = edge || point.flows() != flows_here;
      return stress;
    };
    const auto s1 = at(e), m1 = at(-e), s2 = at(2. * e), m2 = at(-2. * e);
    for (unsigned int i = 0; i < 3; ++i)
      result[i][j] = (8. * (s1[i] - m1[i]) - (s2[i] - m2[i])) / (12. * e);
  }
  return result;
}

/// The error of the tangent, and the part of the differences that is not
/// symmetric, relative to the largest entry.
struct Errors
{
  double symmetric = 0., skew = 0.;
};

Errors errors(SheetPoint &point,
              const Strain &E,
              const double h,
              const double e = 2e-6)
{
  const auto tangent = point.try_out(E, h).tangent;
  bool edge          = false;
  const auto exact   = difference(point, E, h, e, edge);
  double size        = 0.;
  Errors result;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
    {
      size = std::max(size, std::abs(tangent[i][j]));
      EXPECT_EQ(tangent[i][j], tangent[j][i]);
      result.symmetric =
          std::max(result.symmetric,
                   std::abs(0.5 * (exact[i][j] + exact[j][i]) - tangent[i][j]));
      result.skew =
          std::max(result.skew, 0.5 * std::abs(exact[i][j] - exact[j][i]));
    }
  n_edges += edge;
  ++n_checked;
  point.try_out(E, h); // the end of the step, again
  return edge ? Errors()
              : Errors{ result.symmetric / size, result.skew / size };
}

bool has_recall(const MaterialParameters &m)
{
  return !m.back_stress_rates.empty();
}

constexpr double tolerance = 1e-6;
} // namespace

TEST(SheetTangent, AlongRandomPaths)
{
  n_edges = n_checked = 0;
  for (const auto &[name, parameters] : all_sheets())
    for (unsigned int trial = 0; trial < 20; ++trial)
    {
      SheetPoint point(parameters);
      RandomPath path(trial);
      for (unsigned int step = 0; step < 8; ++step)
      {
        const auto E   = path.next();
        const auto off = errors(point, E, 0.1);
        EXPECT_LT(off.symmetric, tolerance)
            << name << " trial " << trial << " step " << step;
        if (!has_recall(parameters))
        {
          EXPECT_LT(off.skew, tolerance) << name << " trial " << trial;
        }

        point.advance(E, 0.1);
      }
      if (is_plastic(parameters))
      {
        EXPECT_GT(point.field(), 1e-2) << name;
      }
    }
  EXPECT_LT(n_edges, n_checked / 100);
}

// The same of both frames.
TEST(SheetTangent, Frames)
{
  for (const auto &[name, parameters] : all_sheets())
    if (is_plastic(parameters))
      for (const auto frame :
           { PlasticFrame::additive, PlasticFrame::multiplicative })
        for (unsigned int trial = 0; trial < 5; ++trial)
        {
          SheetPoint point(std::make_unique<PlasticSheet>(parameters, frame));
          RandomPath path(100 + trial);
          for (unsigned int step = 0; step < 6; ++step)
          {
            const auto E = path.next();
            EXPECT_LT(errors(point, E, 0.1).symmetric, tolerance) << name;
            point.advance(E, 0.1);
          }
        }
}

// Equal and nearly equal stretches, from virgin and from other histories; on
// both sides of where the series ends.
TEST(SheetTangent, EqualAndNearlyEqualStretches)
{
  for (const auto &[name, parameters] : all_sheets())
    for (const bool with_past : { false, true })
      for (const double gap : { 0.,
                                1e-15,
                                1e-12,
                                1e-9,
                                1e-7,
                                1e-5,
                                1e-3,
                                0.02,
                                0.2,
                                0.22,
                                0.225,
                                0.23,
                                0.25 })
        for (const double angle : { 0., 0.4 })
        {
          SheetPoint point(parameters);
          if (with_past)
            point.advance(green_of_log(0.03, -0.02, 0.7), 0.1);
          const auto E =
              green_of_log(0.05 + 0.5 * gap, 0.05 - 0.5 * gap, angle);
          EXPECT_LT(errors(point, E, 0.1).symmetric, tolerance)
              << name << " gap " << gap;
        }
}

TEST(SheetTangent, LargeStretches)
{
  for (const auto &[name, parameters] : all_sheets())
    for (const double e : { 0.5, 0.9, 1.5 })
    {
      // Saint Venant-Kirchhoff in plane stress ends where E_33 = -1/2.
      if (parameters.model == MaterialModel::saint_venant_kirchhoff && e > 0.6)
        continue;
      SheetPoint point(parameters);
      const auto E = green_of_log(e, -0.4 * e, 0.3);
      EXPECT_LT(errors(point, E, 0.1).symmetric, tolerance) << name << " " << e;
      point.advance(E, 0.1);
      const auto next = green_of_log(e - 0.05, -0.3 * e, 0.4);
      EXPECT_LT(errors(point, next, 0.1).symmetric, tolerance)
          << name << " then " << e;
    }
}

// What a recall takes from the symmetry is of the order of the step at least:
// smaller steps around one corner of the path, smaller skew part. In
// proportional loading there is none.
TEST(SheetTangent, SkewPartOfRecallGoesWithTheStep)
{
  const auto m = with_recall(hill(steel, 2., 3.));
  double skew[3];
  for (const unsigned int k : { 0, 1, 2 })
  {
    SheetPoint point(m);
    for (unsigned int step = 1; step <= 64; ++step)
      point.advance(green_of_log(0.03 * step / 64., 0.));
    EXPECT_GT(point.field(), 0.01);
    const double size = 0.004 / (1 << k);
    Strain to         = green_of_log(0.03, 0.);
    to[0] += size;
    to[1] += 0.3 * size;
    to[2] += size;
    skew[k] = errors(point, to, 1., 2e-7).skew;
  }
  EXPECT_GT(skew[0], 1e-4);
  EXPECT_LT(skew[1], 0.6 * skew[0]);
  EXPECT_LT(skew[2], 0.6 * skew[1]);

  SheetPoint proportional(with_recall(j2(MaterialModel::j2, 2., 3.)));
  for (const double e : { 0.01, 0.03, 0.08 })
  {
    const auto E = green_of_log(e, e);
    EXPECT_LT(errors(proportional, E, 1.).skew, tolerance);
    proportional.advance(E);
    EXPECT_GT(proportional.field(), 1e-3);
  }
}

// Newton's method for the free sides of a strip: quadratic where the tangent is
// all of the derivative; with its symmetric part a step or two more.
TEST(SheetTangent, NewtonForFreeSides)
{
  for (const auto &[name, parameters] : all_sheets())
    if (is_plastic(parameters) && parameters.yield_stress > 0. &&
        parameters.hardening == HardeningType::linear)
    {
      SheetPoint point(parameters);
      // A past in shear: nothing is proportional after it.
      point.last = green_of_log(0.02, -0.02, 0.6);
      point.advance(point.last, 0.1);
      unsigned int most = 0;
      for (unsigned int step = 1; step <= 10; ++step)
      {
        point.tension(point.last[0] + 0.01, 0.1);
        if (step > 1)
          most = std::max(most, point.n_iterations);
      }
      EXPECT_LE(most, has_recall(parameters) ? 14u : 8u) << name;
    }
}
