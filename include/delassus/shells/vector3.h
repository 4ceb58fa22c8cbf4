#ifndef delassus_shells_vector3_h
#define delassus_shells_vector3_h

#include <array>
#include <cmath>

namespace delassus
{
/// A vector in space, of plain doubles.
using Vector3 = std::array<double, 3>;

inline Vector3 operator+(const Vector3 &a, const Vector3 &b)
{
  return { { a[0] + b[0], a[1] + b[1], a[2] + b[2] } };
}

inline Vector3 operator-(const Vector3 &a, const Vector3 &b)
{
  return { { a[0] - b[0], a[1] - b[1], a[2] - b[2] } };
}

inline Vector3 operator*(const double s, const Vector3 &a)
{
  return { { s * a[0], s * a[1], s * a[2] } };
}

inline double dot(const Vector3 &a, const Vector3 &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Vector3 cross(const Vector3 &a, const Vector3 &b)
{
  return { { a[1] * b[2] - a[2] * b[1],
             a[2] * b[0] - a[0] * b[2],
             a[0] * b[1] - a[1] * b[0] } };
}

inline double norm(const Vector3 &a)
{
  return std::sqrt(dot(a, a));
}

/// a / |a|; zero stays zero.
inline Vector3 unit(const Vector3 &a)
{
  const double length = norm(a);
  return length > 0. ? 1. / length * a : a;
}

/// exp([theta x]) a = a + sin|t|/|t| t x a + (1 - cos|t|)/|t|^2 t x (t x a).
inline Vector3 rotated(const Vector3 &theta, const Vector3 &a)
{
  const double t2 = dot(theta, theta), t = std::sqrt(t2);
  // 1 - cos t = 2 sin^2(t/2) does not cancel; below 1e-4 the next terms of the
  // series, t^4/120, are beyond the last digit.
  const double half = std::sin(0.5 * t);
  const double s    = t > 1e-4 ? std::sin(t) / t : 1. - t2 / 6.,
               c    = t > 1e-4 ? 2. * half * half / t2 : 0.5 - t2 / 24.;
  const Vector3 ta  = cross(theta, a);
  return a + s * ta + c * cross(theta, ta);
}

/// Unit vectors t1, t2 with t1 x t2 = d, made from the coordinate axis that is
/// least aligned with the unit vector d.
inline std::array<Vector3, 2> tangents(const Vector3 &d)
{
  unsigned int least = 0;
  for (unsigned int c = 1; c < 3; ++c)
    if (std::abs(d[c]) < std::abs(d[least]))
      least = c;
  Vector3 axis{ { 0., 0., 0. } };
  axis[least]      = 1.;
  const Vector3 t1 = unit(axis - dot(axis, d) * d);
  return { { t1, cross(d, t1) } };
}
} // namespace delassus

#endif
