#ifndef delassus_materials_spectral_h
#define delassus_materials_spectral_h

#include <cmath>

namespace delassus
{
/// Symmetric 3 x 3 tensors as xx yy zz xy yz zx, tensor components (no factor
/// 2 on shear). Plain doubles: these files know nothing of deal.II and are
/// compiled for the processor.
using Symmetric = double[6];

/// ln(1 + x). Strains are small mostly: then 2 artanh(x / (2 + x)) by its
/// series, which is as exact as std::log1p and costs less.
inline double log_one_plus(const double x)
{
  if (!(std::abs(x) < 0.02))
    return std::log1p(x);
  const double z = x / (2. + x), y = z * z;
  return 2. * z *
         (1. + y * (1. / 3. + y * (1. / 5. + y * (1. / 7. + y * (1. / 9.)))));
}

/// exp(x) - 1, in the same way.
inline double exp_less_one(const double x)
{
  if (!(std::abs(x) < 0.01))
    return std::expm1(x);
  return x *
         (1. + x * (1. / 2. +
                    x * (1. / 6. +
                         x * (1. / 24. +
                              x * (1. / 120. + x * (1. / 720. + x / 5040.))))));
}

/// The cube root; of numbers near 1, as ratios of volumes are, two steps of
/// Halley's method from the tangent.
inline double cube_root(const double x)
{
  const double d = x - 1.;
  if (!(std::abs(d) < 0.05))
    return std::cbrt(x);
  double y = 1. + d / 3.;
  for (int k = 0; k < 2; ++k)
  {
    const double cube = y * y * y;
    y *= (cube + 2. * x) / (2. * cube + x);
  }
  return y;
}

/// Eigenvalues and vectors, V[i][a] component i of vector a, by Jacobi's
/// rotations: the error is of rounding relative to the largest entry, also for
/// equal eigenvalues, and what is zero (plane problems) costs nothing.
inline void
eigen_symmetric(const Symmetric &A, double (&value)[3], double (&V)[3][3])
{
  double a[3] = { A[0], A[1], A[2] };
  // off[k] couples the two axes other than k
  double off[3] = { A[4], A[5], A[3] };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      V[i][j] = i == j ? 1. : 0.;
  for (int sweep = 0; sweep < 30; ++sweep)
  {
    bool done = true;
    for (int k = 2; k >= 0; --k)
    {
      const int p = k == 0 ? 1 : 0, q = k == 2 ? 1 : 2;
      const double x = off[k];
      // Negligible once it cannot change either diagonal entry.
      // (1e-150: strains whose squares underflow are none.)
      if (!(std::abs(x) > 1e-17 * (std::abs(a[p]) + std::abs(a[q])) + 1e-150))
      {
        off[k] = 0.;
        continue;
      }
      done = false;
      // t = tan of the angle that annihilates x: t^2 + 2 theta t - 1 = 0 with
      // theta = (a_q - a_p) / (2 x), the smaller root, without overflow.
      const double d = 0.5 * (a[q] - a[p]);
      const double t = x / (d + std::copysign(std::sqrt(d * d + x * x), d));
      const double c = 1. / std::sqrt(1. + t * t), s = t * c;
      a[p] -= t * x;
      a[q] += t * x;
      off[k] = 0.;
      // off[q] couples p and k, off[p] couples q and k.
      const double kp = off[q], kq = off[p];
      off[q] = c * kp - s * kq;
      off[p] = s * kp + c * kq;
      for (int i = 0; i < 3; ++i)
      {
        const double vp = V[i][p], vq = V[i][q];
        V[i][p] = c * vp - s * vq;
        V[i][q] = s * vp + c * vq;
      }
    }
    if (done)
      break;
  }
  for (int i = 0; i < 3; ++i)
    value[i] = a[i];
}

/// Divided differences of the logarithm, scaled by stretches so that only
/// x = e_a - e_b, the difference of two logarithmic strains, is left of them:
/// with lambda = exp(2 e) and f = ln(lambda) / 2,
///   g =  2 f[a,b] sqrt(lambda_a lambda_b)       = x / sinh x
///   p = 1 + 4 lambda_a lambda_b f[a,b,a]        = (x coth x)'
///   r = -g - 4 lambda_a sqrt(lambda_a lambda_b) f[a,a,b] = -(x / sinh x)'
/// Taylor's series (radius pi) up to 1/2, where the closed forms have lost
/// less than one digit.
struct LogDifferences
{
  double g, p, r;
};

inline LogDifferences log_differences(const double x)
{
  if (std::abs(x) < 0.5)
  {
    const double y = x * x;
    constexpr double G[]{ 1.0,
                          -0.16666666666666666,
                          0.019444444444444445,
                          -0.00205026455026455,
                          0.0002099867724867725,
                          -2.1336045641601196e-05,
                          2.1633474427786596e-06,
                          -2.192327134456764e-07,
                          2.2213930853920414e-08,
                          -2.2507674795567867e-09,
                          2.280510770721821e-10 };
    constexpr double P[]{ 0.6666666666666666,     -0.08888888888888889,
                          0.012698412698412698,   -0.0016931216931216932,
                          0.00021377799155576933, -2.5972851369676765e-05,
                          3.069632699262329e-06,  -3.5543374063967485e-07,
                          4.0514123730256185e-08, -4.561030240918436e-09,
                          5.083415171780577e-10 };
    constexpr double R[]{ 0.3333333333333333,     -0.07777777777777778,
                          0.012301587301587301,   -0.00167989417989418,
                          0.00021336045641601198, -2.5960169313343916e-05,
                          3.06925798823947e-06,   -3.554228936627266e-07,
                          4.051381463202216e-08,  -4.561021541443643e-09,
                          5.083412747819333e-10 };
    double g = G[10], p = P[10], r = R[10];
    for (int k = 9; k >= 0; --k)
    {
      g = g * y + G[k];
      p = p * y + P[k];
      r = r * y + R[k];
    }
    return { g, x * p, x * r };
  }
  const double s = std::sinh(x), c = std::cosh(x);
  return { x / s, c / s - x / (s * s), (x * c / s - 1.) / s };
}

/// k = 4 lambda_b sqrt(lambda_a lambda_c) f[a,b,c] of three logarithmic
/// strains, by the differences e_a - e_b and e_c - e_b. With u = lambda_a /
/// lambda_b - 1 and w = lambda_c / lambda_b - 1 small, the series
///   ln[1+u, 1, 1+w] = sum_k (-1)^(k-1) / k h_(k-2)(u, 0, w)
/// with complete homogeneous polynomials h; else the quotient over the largest
/// of the three differences, which loses two digits at most.
inline double log_difference_of_three(const double x_ab, const double x_cb)
{
  const double u = std::expm1(2. * x_ab), w = std::expm1(2. * x_cb);
  const double scale = 2. * std::exp(x_ab + x_cb);
  if (std::abs(u) < 0.03 && std::abs(w) < 0.03)
  {
    double h = 1., w_power = 1., sum = -0.5, sign = 1.;
    for (int k = 3; k < 14; ++k)
    {
      w_power *= w;
      h = u * h + w_power;
      sum += sign * h / k;
      sign = -sign;
    }
    return scale * sum;
  }
  const auto with_one = [](const double x, const double e)
  { return e == 0. ? 1. : 2. * x / e; };
  const double x_ac = x_ab - x_cb;
  const double e_ac = std::expm1(2. * x_ac);
  const double ac   = with_one(x_ac, e_ac) / (1. + w);
  const double a1 = with_one(x_ab, u), c1 = with_one(x_cb, w);
  const double difference = (1. + w) * e_ac; // u - w
  double result;
  if (std::abs(difference) >= std::abs(u) &&
      std::abs(difference) >= std::abs(w))
    result = (a1 - c1) / difference;
  else if (std::abs(u) >= std::abs(w))
    result = (ac - c1) / u;
  else
    result = (ac - a1) / w;
  return scale * result;
}

/// X = exp(A) - I of a symmetric A, by Taylor's series after halving A until
/// it is small, and exp(2B) - I = X^2 + 2X.
inline void exp_minus_one(const Symmetric &A, Symmetric &X)
{
  const auto product = [](const Symmetric &a, const Symmetric &b, Symmetric &c)
  {
    // of tensors that commute: the product is symmetric
    c[0] = a[0] * b[0] + a[3] * b[3] + a[5] * b[5];
    c[1] = a[3] * b[3] + a[1] * b[1] + a[4] * b[4];
    c[2] = a[5] * b[5] + a[4] * b[4] + a[2] * b[2];
    c[3] = a[0] * b[3] + a[3] * b[1] + a[5] * b[4];
    c[4] = a[3] * b[5] + a[1] * b[4] + a[4] * b[2];
    c[5] = a[0] * b[5] + a[3] * b[4] + a[5] * b[2];
  };
  double norm = 0.;
  for (int i = 0; i < 6; ++i)
    norm += (i < 3 ? 1. : 2.) * A[i] * A[i];
  norm           = std::sqrt(norm);
  int n_halvings = 0;
  while (norm > 0.25 && n_halvings < 60)
  {
    norm *= 0.5;
    ++n_halvings;
  }
  const double factor = std::ldexp(1., -n_halvings);
  Symmetric B, term, next;
  for (int i = 0; i < 6; ++i)
    X[i] = term[i] = B[i] = factor * A[i];
  double size = norm;
  for (int k = 2; k < 16 && size > 1e-17 * norm; ++k)
  {
    product(term, B, next);
    for (int i = 0; i < 6; ++i)
    {
      term[i] = next[i] / k;
      X[i] += term[i];
    }
    size *= norm / k;
  }
  for (int n = 0; n < n_halvings; ++n)
  {
    product(X, X, next);
    for (int i = 0; i < 6; ++i)
      X[i] = 2. * X[i] + next[i];
  }
}
} // namespace delassus

#endif
