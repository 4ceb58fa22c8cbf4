// Logarithmic strain in the plane against its definition by principal axes.
#include "sheets_under_test.h"

using namespace sheets_test;

namespace
{
/// S of a frozen T by principal axes, in long double: S_ab = T_ab g / sqrt(l_a
/// l_b), g = x / sinh x with x the difference of logarithmic strains.
std::array<long double, 3> by_axes(const std::array<long double, 3> &E,
                                   const std::array<double, 3> &T)
{
  const long double c = 1 + E[0] + E[1], d = E[0] - E[1], k = E[2],
                    R     = std::sqrt(d * d + k * k);
  const long double angle = std::atan2(k, d) / 2, l[2] = { c + R, c - R };
  const long double C = std::cos(angle), s = std::sin(angle);
  // T in the axes.
  const long double a = C * C * T[0] + s * s * T[1] + 2 * s * C * T[2],
                    b = s * s * T[0] + C * C * T[1] - 2 * s * C * T[2],
                    t = s * C * (T[1] - T[0]) + (C * C - s * s) * T[2];
  const long double x = std::atanh(R / c), g = x == 0 ? 1 : x / std::sinh(x);
  const long double A = a / l[0], B = b / l[1],
                    D = g * t / std::sqrt(l[0] * l[1]);
  return { { C * C * A + s * s * B - 2 * s * C * D,
             s * s * A + C * C * B + 2 * s * C * D,
             s * C * (A - B) + (C * C - s * s) * D } };
}
} // namespace

// Logarithmic strain without axes against the one with axes, in more digits,
// on both sides of where the series ends (strains that differ by 0.227).
TEST(SheetLogarithm, AgainstPrincipalAxes)
{
  const std::array<double, 3> T{ { 0.7, -1.3, 0.9 } };
  const PlaneMatrix none{};
  for (const double gap :
       { 1e-9, 1e-4, 0.01, 0.1, 0.2, 0.22, 0.226, 0.228, 0.24, 0.5, 1., 2. })
    for (const double mean : { -0.4, 0., 0.6 })
      for (const double angle : { 0., 0.3, 1.2 })
      {
        // What rounding of E becomes in its smaller stretch.
        const double rounding = 1e-15 * (1. + std::exp(2. * gap));
        const auto E = green_of_log(mean + 0.5 * gap, mean - 0.5 * gap, angle);
        LogarithmicPlane plane;
        ASSERT_TRUE(plane.set(E));
        const auto strain = plane.strain();
        const double c = std::cos(angle), s = std::sin(angle);
        EXPECT_NEAR(
            strain[0], mean + 0.5 * gap * (c * c - s * s), 2. * rounding);
        EXPECT_NEAR(
            strain[1], mean - 0.5 * gap * (c * c - s * s), 2. * rounding);
        EXPECT_NEAR(strain[2], 2. * gap * s * c, 2. * rounding);
        const std::array<long double, 3> at{ { E[0], E[1], E[2] } };
        const auto exact  = by_axes(at, T);
        const auto S      = plane.stress(T);
        const double size = largest(S);
        for (unsigned int i = 0; i < 3; ++i)
          EXPECT_NEAR(S[i], exact[i], 4. * rounding * size) << gap;
        // The tangent that T adds, by differences: of e over the smaller
        // eigenvalue of C, the fourth power.
        const auto L        = plane.tangent(T, none);
        const long double e = 1e-4L * std::exp(2. * mean - gap);
        double stiff        = 0.;
        for (const auto &row : L)
          stiff = std::max(stiff, largest(row));
        for (unsigned int j = 0; j < 3; ++j)
        {
          const auto moved = [&](const long double by)
          {
            auto to = at;
            to[j] += by;
            return by_axes(to, T);
          };
          const auto p = moved(e), m = moved(-e), P = moved(2 * e),
                     M = moved(-2 * e);
          for (unsigned int i = 0; i < 3; ++i)
            EXPECT_NEAR(L[i][j],
                        (8 * (p[i] - m[i]) - (P[i] - M[i])) / (12 * e),
                        1e-12 * stiff)
                << gap << " " << i << j;
        }
      }
}
