#ifndef delassus_tests_shells_laws_h
#define delassus_tests_shells_laws_h

// Sheet laws of the tests.
#include <delassus/materials/sheet_law.h>

#include <algorithm>
#include <cmath>

/// St. Venant and Kirchhoff's in plane stress: S = C E.
class ElasticSheet : public delassus::SheetLaw
{
public:
  ElasticSheet(const double E, const double nu, const double rho = 1.)
      : E(E)
      , nu(nu)
      , rho(rho)
  {
    const double c = E / (1. - nu * nu);
    C              = { { { { c, nu * c, 0. } },
                         { { nu * c, c, 0. } },
                         { { 0., 0., 0.5 * (1. - nu) * c } } } };
  }

  unsigned int n_history() const override
  {
    return 0;
  }
  void initialize(double *) const override
  {
  }

  bool respond(const std::array<double, 3> &strain,
               const double,
               const double *,
               double *,
               const bool,
               delassus::SheetResponse &response) const override
  {
    response.stored = 0.;
    for (unsigned int i = 0; i < 3; ++i)
    {
      response.stress[i] =
          C[i][0] * strain[0] + C[i][1] * strain[1] + C[i][2] * strain[2];
      response.stored += 0.5 * response.stress[i] * strain[i];
    }
    response.tangent = C;
    // Green's strain across the plane is -nu/(1-nu) of those in it.
    const double across = -nu / (1. - nu) * (strain[0] + strain[1]);
    response.thickness_strain =
        0.5 * std::log(std::max(1. + 2. * across, 1e-3));
    return true;
  }

  std::array<double, 2> shear_moduli() const override
  {
    return { { 0.5 * E / (1. + nu), 0.5 * E / (1. + nu) } };
  }
  double thickness_modulus() const override
  {
    return E;
  }
  double density() const override
  {
    return rho;
  }
  bool is_elastic() const override
  {
    return true;
  }

private:
  double E, nu, rho;
  std::array<std::array<double, 3>, 3> C;
};

/// Hencky's elasticity and von Mises' plasticity with linear hardening in
/// logarithmic strain space, plane stress: eps = ln(I + 2 E) / 2.
class LogSheet : public delassus::SheetLaw
{
public:
  LogSheet(const double E,
           const double nu,
           const double yield     = 1e300,
           const double hardening = 0.)
      : E(E)
      , nu(nu)
      , yield(yield)
      , H(hardening)
  {
  }

  /// Plastic strains 11, 22, 2 * 12 and their length.
  unsigned int n_history() const override
  {
    return 4;
  }
  void initialize(double *history) const override
  {
    for (unsigned int i = 0; i < 4; ++i)
      history[i] = 0.;
  }

  bool respond(const std::array<double, 3> &strain,
               const double,
               const double *begin,
               double *end,
               const bool,
               delassus::SheetResponse &response) const override
  {
    using Vector     = std::array<double, 3>;
    using Matrix     = std::array<std::array<double, 3>, 3>;
    const double C11 = 1. + 2. * strain[0], C22 = 1. + 2. * strain[1],
                 C12    = strain[2];
    const double mean   = 0.5 * (C11 + C22),
                 radius = std::hypot(0.5 * (C11 - C22), C12),
                 c1 = mean + radius, c2 = mean - radius;
    if (!(c2 > 0.))
      return false;
    const double angle = 0.5 * std::atan2(C12, 0.5 * (C11 - C22)),
                 c = std::cos(angle), s = std::sin(angle);
    // Strains in principal axes, and how stresses come back.
    const Matrix Q  = { { { { c * c, s * s, c * s } },
                          { { s * s, c * c, -c * s } },
                          { { -2. * c * s, 2. * c * s, c * c - s * s } } } };
    const Matrix R  = { { { { c * c, s * s, -c * s } },
                          { { s * s, c * c, c * s } },
                          { { 2. * c * s, -2. * c * s, c * c - s * s } } } };
    const double e1 = 0.5 * std::log(c1), e2 = 0.5 * std::log(c2);
    Vector e = { { R[0][0] * e1 + R[0][1] * e2,
                   R[1][0] * e1 + R[1][1] * e2,
                   R[2][0] * e1 + R[2][1] * e2 } };
    Vector T;
    Matrix D;
    if (!small(e, begin, end, T, D, response))
      return false;

    Vector Tp{};
    Matrix Dp{};
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int k = 0; k < 3; ++k)
      {
        Tp[i] += R[k][i] * T[k];
        for (unsigned int m = 0; m < 3; ++m)
          for (unsigned int n = 0; n < 3; ++n)
            Dp[i][k] += R[m][i] * D[m][n] * R[n][k];
      }
    // Divided differences of ln(c) / 2.
    const double d  = c1 - c2;
    const bool same = d < 1e-4 * c1;
    const double f12 =
        same ? 0.5 / mean * (1. + d * d / (12. * mean * mean)) : (e1 - e2) / d;
    const auto third = [](const double x) { return -0.25 / (x * x); };
    const double f112 =
                     same ? third((2. * c1 + c2) / 3.) : (0.5 / c1 - f12) / d,
                 f122 =
                     same ? third((c1 + 2. * c2) / 3.) : (f12 - 0.5 / c2) / d;
    const Vector P = { { 1. / c1, 1. / c2, 2. * f12 } };
    Matrix K{};
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int k = 0; k < 3; ++k)
        K[i][k] = P[i] * Dp[i][k] * P[k];
    K[0][0] -= 2. * Tp[0] / (c1 * c1);
    K[1][1] -= 2. * Tp[1] / (c2 * c2);
    K[2][2] += 2. * (Tp[0] * f112 + Tp[1] * f122);
    K[0][2] += 4. * Tp[2] * f112;
    K[2][0] += 4. * Tp[2] * f112;
    K[1][2] += 4. * Tp[2] * f122;
    K[2][1] += 4. * Tp[2] * f122;
    for (unsigned int i = 0; i < 3; ++i)
    {
      response.stress[i] = 0.;
      for (unsigned int k = 0; k < 3; ++k)
      {
        response.stress[i] += Q[k][i] * P[k] * Tp[k];
        response.tangent[i][k] = 0.;
        for (unsigned int m = 0; m < 3; ++m)
          for (unsigned int n = 0; n < 3; ++n)
            response.tangent[i][k] += Q[m][i] * K[m][n] * Q[n][k];
      }
    }
    return true;
  }

  std::array<double, 2> shear_moduli() const override
  {
    return { { 0.5 * E / (1. + nu), 0.5 * E / (1. + nu) } };
  }
  double thickness_modulus() const override
  {
    return E;
  }
  double density() const override
  {
    return 1.;
  }
  bool is_elastic() const override
  {
    return !(yield < 1e300);
  }

private:
  /// In strains e: backward Euler. C^-1 and von Mises' P have the same
  /// eigenvectors: sum, difference, shear.
  bool small(const std::array<double, 3> &e,
             const double *begin,
             double *end,
             std::array<double, 3> &T,
             std::array<std::array<double, 3>, 3> &D,
             delassus::SheetResponse &response) const
  {
    const double C[3] = { E / (1. - nu), E / (1. + nu), 0.5 * E / (1. + nu) },
                 P[3] = { 0.5, 1.5, 3. }, r = std::sqrt(0.5);
    const double t[3] = { e[0] - begin[0], e[1] - begin[1], e[2] - begin[2] };
    const double trial[3] = { r * (t[0] + t[1]), r * (t[0] - t[1]), t[2] };
    double sigma[3], gamma = 0.;
    const auto stress = [&](const double g)
    {
      double sum = 0.;
      for (unsigned int i = 0; i < 3; ++i)
      {
        sigma[i] = C[i] * trial[i] / (1. + g * C[i] * P[i]);
        sum += P[i] * sigma[i] * sigma[i];
      }
      return std::sqrt(sum);
    };
    const double p0  = begin[3];
    double q         = stress(0.);
    const bool flows = q > yield + H * p0;
    if (flows)
    {
      // q(g) - yield - H (p0 + g q) falls: bisection, which cannot fail.
      double lower = 0., upper = 1. / E;
      const auto excess = [&](const double g)
      {
        q = stress(g);
        return q - yield - H * (p0 + g * q);
      };
      for (unsigned int k = 0; k < 100 && excess(upper) > 0.; ++k)
        upper *= 2.;
      for (unsigned int k = 0; k < 100; ++k)
      {
        gamma                                = 0.5 * (lower + upper);
        (excess(gamma) > 0. ? lower : upper) = gamma;
      }
      excess(gamma);
    }
    double Xi[3], n[3], nXn = 0.;
    for (unsigned int i = 0; i < 3; ++i)
    {
      Xi[i] = C[i] / (1. + gamma * C[i] * P[i]);
      n[i]  = P[i] * sigma[i];
      nXn += n[i] * Xi[i] * n[i];
    }
    double M[3][3];
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int k = 0; k < 3; ++k)
        M[i][k] = (i == k ? Xi[i] : 0.) -
                  (flows ? Xi[i] * n[i] * n[k] * Xi[k] /
                               (nXn + q * q * H / (1. - gamma * H))
                         : 0.);
    const double B[3][3] = { { r, r, 0. }, { r, -r, 0. }, { 0., 0., 1. } };
    double flow[3], elastic[3];
    response.stored = 0.;
    for (unsigned int i = 0; i < 3; ++i)
    {
      T[i] = flow[i] = 0.;
      for (unsigned int k = 0; k < 3; ++k)
      {
        T[i] += B[k][i] * sigma[k];
        flow[i] += B[k][i] * gamma * n[k];
        D[i][k] = 0.;
        for (unsigned int m = 0; m < 3; ++m)
          for (unsigned int l = 0; l < 3; ++l)
            D[i][k] += B[m][i] * M[m][l] * B[l][k];
      }
    }
    response.dissipated = 0.;
    for (unsigned int i = 0; i < 3; ++i)
    {
      end[i]     = begin[i] + flow[i];
      elastic[i] = e[i] - end[i];
      response.stored += 0.5 * elastic[i] * T[i];
      response.dissipated += T[i] * flow[i];
    }
    end[3] = p0 + gamma * q;
    response.stored += 0.5 * H * (end[3] * end[3] - p0 * p0);
    response.dissipated -= 0.5 * H * (end[3] * end[3] - p0 * p0);
    response.thickness_strain =
        -(end[0] + end[1]) - nu / (1. - nu) * (elastic[0] + elastic[1]);
    return true;
  }

  double E, nu, yield, H;
};

#endif
