#include <delassus/rigid_bodies/driven_motion.h>

#include <array>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
TimeIntegral<dim>::TimeIntegral(const Expression<dim> &rate,
                                const unsigned int n_components,
                                const double start,
                                const double step)
    : rate(rate)
    , n_components(n_components)
    , start(start)
    , step(step)
    , way(n_components, 0.)
{
}

template <int dim>
double TimeIntegral<dim>::integral(const double from,
                                   const double to,
                                   const unsigned int component) const
{
  constexpr std::array<double, 3> x = { { -0.7745966692414834,
                                          0.,
                                          0.7745966692414834 } },
                                  w = { { 5. / 18., 8. / 18., 5. / 18. } };
  double sum                        = 0.;
  for (unsigned int g = 0; g < 3; ++g)
    sum += w[g] * rate.value(Point<dim>(),
                             0.5 * (from + to + x[g] * (to - from)),
                             component);
  return (to - from) * sum;
}

template <int dim>
double TimeIntegral<dim>::value(const double t,
                                const unsigned int component) const
{
  if (rate.is_zero())
    return 0.;
  const double n = std::max(0., std::floor((t - start) / step));
  while (way.size() <= n * n_components)
  {
    const double from = start + (way.size() / n_components - 1.) * step;
    for (unsigned int c = 0; c < n_components; ++c)
      way.push_back(way[way.size() - n_components] +
                    integral(from, from + step, c));
  }
  const double from = start + n * step;
  return way[static_cast<std::size_t>(n) * n_components + component] +
         (t == from ? 0. : integral(from, t, component));
}

template <int dim>
double DrivenMotion<dim>::translation(const double t,
                                      const unsigned int component) const
{
  const double d = displacement.value(Point<dim>(), t, component);
  return way.is_zero() ? d : d + way.value(t, component);
}

template <int dim>
RotationVector<dim> DrivenMotion<dim>::turn(const double t) const
{
  if (has_angle())
    return angle.value(Point<dim>(), t) * numbers::PI / 180. * axis;
  RotationVector<dim> psi;
  for (unsigned int c = 0; c < n_rotations<dim>; ++c)
    psi[c] = turned.value(t, c);
  return psi;
}

template class TimeIntegral<2>;
template class TimeIntegral<3>;
template class DrivenMotion<2>;
template class DrivenMotion<3>;
} // namespace delassus
