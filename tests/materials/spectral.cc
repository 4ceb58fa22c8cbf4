// Eigenvalues, divided differences of the logarithm, exponential.
#include <delassus/materials/spectral.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace delassus;

namespace
{
double
residual(const Symmetric &A, const double (&m)[3], const double (&V)[3][3])
{
  const double full[3][3] = { { A[0], A[3], A[5] },
                              { A[3], A[1], A[4] },
                              { A[5], A[4], A[2] } };
  double size = 0., worst = 0.;
  for (unsigned int i = 0; i < 6; ++i)
    size = std::max(size, std::abs(A[i]));
  for (unsigned int a = 0; a < 3; ++a)
    for (unsigned int i = 0; i < 3; ++i)
    {
      double r = -m[a] * V[i][a], orthogonal = i == a ? -1. : 0.;
      for (unsigned int j = 0; j < 3; ++j)
      {
        r += full[i][j] * V[j][a];
        orthogonal += V[j][a] * V[j][i];
      }
      worst = std::max({ worst, std::abs(r) / size, std::abs(orthogonal) });
    }
  return worst;
}
} // namespace

TEST(Spectral, EigenvaluesToRoundingOfAnySize)
{
  std::mt19937 random(2);
  std::uniform_real_distribution<double> number(-1., 1.);
  for (unsigned int trial = 0; trial < 2000; ++trial)
  {
    const double size = std::pow(10., -12. * std::abs(number(random)));
    const double off =
        std::pow(10., trial % 3 == 0 ? 0. : -16. * std::abs(number(random)));
    Symmetric A;
    for (unsigned int i = 0; i < 6; ++i)
      A[i] = size * number(random) * (i < 3 ? 1. : off);
    if (trial % 5 == 0)
      A[1] = A[0];
    if (trial % 10 == 0)
      A[2] = A[0];
    if (trial % 7 == 0)
      A[4] = A[5] = 0.;
    double m[3], V[3][3];
    eigen_symmetric(A, m, V);
    EXPECT_LT(residual(A, m, V), 3e-15);
  }
  double m[3], V[3][3];
  eigen_symmetric({ 0, 0, 0, 0, 0, 0 }, m, V);
  EXPECT_EQ(m[0], 0.);
  EXPECT_EQ(V[1][1], 1.);
}

// Against the closed forms in long double, whose own loss is eps / x^2.
TEST(Spectral, DividedDifferences)
{
  for (int k = -60; k <= 16; ++k)
    for (const double sign : { -1., 1. })
    {
      const double x      = sign * std::pow(10., k / 10.);
      const long double X = x;
      const long double s = std::sinh(X), c = std::cosh(X);
      const auto of     = log_differences(x);
      const double loss = 1e-18 / (x * x);
      const auto agree  = [&](const double value, const long double exact)
      {
        EXPECT_NEAR(value / static_cast<double>(exact), 1., 4e-15 + 10. * loss)
            << x;
      };
      agree(of.g, X / s);
      if (std::abs(x) > 1e-3)
      {
        agree(of.p, (s * c - X) / (s * s));
        agree(of.r, (X * c - s) / (s * s));
      }
      else
      {
        agree(of.p, 2.L / 3.L * X - 4.L / 45.L * X * X * X);
        agree(of.r, X / 3.L - 7.L / 90.L * X * X * X);
      }
    }
  EXPECT_EQ(log_differences(0.).g, 1.);
  EXPECT_EQ(log_differences(0.).p, 0.);
}

// f[a,b,c] = -1/2 int_0^inf dt / ((a+t)(b+t)(c+t)): Simpson's rule after
// t = exp(s), long double.
TEST(Spectral, DividedDifferencesOfThree)
{
  for (const double x : { 0., 1e-12, 1e-6, 1e-3, 0.014, 0.016, 0.1, 0.7, -0.4 })
    for (const double y : { 0., 1e-12, 1e-6, -1e-3, 0.0149, 0.02, 0.7, -0.9 })
    {
      const long double a = std::exp(2.L * x), c = std::exp(2.L * y);
      long double sum     = 0.;
      const int n         = 4000;
      const long double w = 120.L / n;
      for (int i = 0; i <= n; ++i)
      {
        const long double t = std::exp(-60.L + i * w);
        sum += (i == 0 || i == n ? .5L : 1.L) * w * t /
               ((a + t) * (1.L + t) * (c + t));
      }
      const double exact = -2.L * std::sqrt(a * c) * sum;
      EXPECT_NEAR(log_difference_of_three(x, y) / exact, 1., 3e-14)
          << x << " " << y;
    }
  // The cases with two equal ones.
  for (const double x : { 0.01, 0.3, -1.2 })
  {
    const auto of = log_differences(x);
    EXPECT_NEAR(log_difference_of_three(x, x), of.p - 1., 1e-14);
    EXPECT_NEAR(log_difference_of_three(0., x), -of.g + of.r, 1e-14);
  }
}

TEST(Spectral, Exponential)
{
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1., 1.);
  for (const double size : { 1e-12, 1e-4, 0.1, 0.5, 2. })
    for (unsigned int trial = 0; trial < 20; ++trial)
    {
      Symmetric A, X;
      for (auto &component : A)
        component = size * number(random);
      exp_minus_one(A, X);
      double m[3], V[3][3];
      eigen_symmetric(A, m, V);
      double scale = 0.;
      for (const double value : m)
        scale = std::max(scale, std::abs(std::expm1(value)));
      const unsigned int i[6] = { 0, 1, 2, 0, 1, 2 },
                         j[6] = { 0, 1, 2, 1, 2, 0 };
      for (unsigned int k = 0; k < 6; ++k)
      {
        double exact = 0.;
        for (unsigned int a = 0; a < 3; ++a)
          exact += std::expm1(m[a]) * V[i[k]][a] * V[j[k]][a];
        EXPECT_NEAR(X[k], exact, 1e-14 * scale);
      }
    }
}
