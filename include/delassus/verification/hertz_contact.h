#ifndef delassus_verification_hertz_contact_h
#define delassus_verification_hertz_contact_h

#include <delassus/verification/results.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace verification
{
const double pi = 3.14159265358979323846;

/// A contact of Hertz: pressure p0 sqrt(1 - x^2/a^2).
struct Hertz
{
  double a, p0;
  double moment; ///< a^2 / mean of x^2 weighted by the pressure

  double pressure(const double x) const
  {
    return p0 * std::sqrt(std::max(0., 1. - x * x / (a * a)));
  }
};

/// Of a cylinder, force F per length; E* the contact modulus.
inline Hertz line_contact(const double F, const double R, const double E_star)
{
  return { std::sqrt(4. * F * R / (pi * E_star)),
           std::sqrt(F * E_star / (pi * R)),
           4. };
}

/// Of a ball.
inline Hertz point_contact(const double F, const double R, const double E_star)
{
  const double a = std::cbrt(3. * F * R / (4. * E_star));
  return { a, 1.5 * F / (pi * a * a), 2.5 };
}

inline double plane_modulus(const double E, const double nu)
{
  return E / (1. - nu * nu);
}

/// What a run says of the contact.
struct Measured
{
  double p0 = 0.; ///< of a fit of p^2 over x^2 in the inner half, at x = 0
  double a  = 0.; ///< of the second moment of the contact forces
  double l2 = 0.; ///< error of the pressure over the contact, relative
};

/// Least squares line, weighted.
struct Line
{
  double n = 0., x = 0., y = 0., xx = 0., xy = 0.;

  void add(const double weight, const double at, const double value)
  {
    n += weight;
    x += weight * at;
    y += weight * value;
    xx += weight * at * at;
    xy += weight * at * value;
  }
  double slope() const
  {
    return (n * xy - x * y) / (n * xx - x * x);
  }
  double constant() const
  {
    return (y - slope() * x) / n;
  }
};

/// @p across: the distance from the centre of the contact. Force over area is a
/// mean weighted by the hat of its node, and so is the exact pressure @p mean
/// it is compared with.
template <typename Distance, typename Mean>
Measured measure(const Snapshot &snapshot,
                 const Hertz &exact,
                 const Distance &across,
                 const Mean &mean)
{
  double error = 0., norm = 0., force = 0., moment = 0.;
  Line inner;
  for (std::size_t i = 0; i < snapshot.points.size(); ++i)
  {
    const auto &point = snapshot.points[i];
    const double r = across(point), p = point.pressure(), e = mean(i);
    error += point.area * std::pow(p - e, 2);
    norm += point.area * e * e;
    force += point.normal_force;
    moment += point.normal_force * r * r;
    if (r < 0.5 * exact.a)
      inner.add(point.area, r * r, p * p);
  }
  return { std::sqrt(inner.constant()),
           std::sqrt(exact.moment * moment / force),
           std::sqrt(error / norm) };
}

/// Points along x, in the plane or (@p axisymmetric) about the axis x = 0.
inline Measured
measure_along_x(Snapshot snapshot, const Hertz &exact, const bool axisymmetric)
{
  snapshot.points    = snapshot.along(0);
  const auto &points = snapshot.points;
  return measure(
      snapshot,
      exact,
      [](const ContactPoint &point) { return std::abs(point.X[0]); },
      [&](const std::size_t i)
      {
        constexpr unsigned int n = 40;
        double sum = 0., size = 0.;
        const double x = points[i].X[0];
        for (const int side : { -1, 1 })
        {
          if (i + side >= points.size())
            continue;
          const double dx = points[i + side].X[0] - x;
          for (unsigned int k = 0; k < n; ++k)
          {
            const double s = (k + 0.5) / n, at = x + s * dx;
            const double weight =
                std::abs(dx) * (1. - s) * (axisymmetric ? at : 1.);
            sum += weight * exact.pressure(at);
            size += weight;
          }
        }
        return sum / size;
      });
}
} // namespace verification
} // namespace delassus

#endif
