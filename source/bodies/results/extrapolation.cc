#include <delassus/bodies/results/extrapolation.h>
#include <delassus/materials/linear_elastic.h>

#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
Extrapolation<dim>::Extrapolation(const std::vector<Point<dim>> &from,
                                  const std::vector<Point<dim>> &to)
{
  // The mean where points are too few for a plane.
  const unsigned int n = from.size();
  weights.assign(to.size(), std::vector<double>(n, 1. / n));
  if (n <= dim)
    return;
  Point<dim> centre;
  for (const auto &x : from)
    centre += x / double(n);
  FullMatrix<double> A(dim, dim);
  for (const auto &x : from)
    for (unsigned int c = 0; c < dim; ++c)
      for (unsigned int d = 0; d < dim; ++d)
        A(c, d) += (x - centre)[c] * (x - centre)[d];
  A.gauss_jordan();
  for (unsigned int i = 0; i < to.size(); ++i)
    for (unsigned int k = 0; k < n; ++k)
      for (unsigned int c = 0; c < dim; ++c)
        for (unsigned int d = 0; d < dim; ++d)
          weights[i][k] +=
              (to[i] - centre)[c] * A(c, d) * (from[k] - centre)[d];
}

template <int dim>
double Extrapolation<dim>::scalar(const std::vector<double> &values,
                                  const unsigned int i) const
{
  const auto range = std::minmax_element(values.begin(), values.end());
  double value     = 0.;
  for (unsigned int k = 0; k < values.size(); ++k)
    value += weights[i][k] * values[k];
  return std::min(std::max(value, *range.first), *range.second);
}

namespace
{
/// Mean over the points, and the deviation from it at the point asked for.
struct MeanAndRise
{
  Voigt mean{}, rise{};
  std::vector<double> pressures; ///< thirds of the traces
  double most = 0.;              ///< largest von Mises norm

  MeanAndRise(const std::vector<Voigt> &values,
              const std::vector<double> &weights)
  {
    for (unsigned int k = 0; k < values.size(); ++k)
    {
      const auto &s = values[k];
      for (unsigned int c = 0; c < 6; ++c)
      {
        mean[c] += s[c] / values.size();
        rise[c] += weights[k] * s[c];
      }
      pressures.push_back((s[0] + s[1] + s[2]) / 3.);
      most = std::max(most, von_mises(s));
    }
    for (unsigned int c = 0; c < 6; ++c)
      rise[c] -= mean[c];
  }
};

double pressure(const Voigt &s)
{
  return (s[0] + s[1] + s[2]) / 3.;
}

Voigt deviator(Voigt s)
{
  const double p = pressure(s);
  for (unsigned int c = 0; c < 3; ++c)
    s[c] -= p;
  return s;
}

/// The factor in [0, 1], of deviators, with |mean + factor rise| = most if 1 is
/// too far.
double factor_within(const Voigt &mean, const Voigt &rise, const double most)
{
  const auto product = [](const Voigt &a, const Voigt &b)
  {
    return 1.5 * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) +
           3. * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
  };
  const double a = product(rise, rise), b = product(mean, rise),
               c = product(mean, mean) - most * most;
  if (!(a + 2. * b + c > 0. && a > 0.))
    return 1.;
  return std::max(
      0., std::min(1., (-b + std::sqrt(std::max(0., b * b - a * c))) / a));
}
} // namespace

template <int dim>
Voigt Extrapolation<dim>::stress(const std::vector<Voigt> &values,
                                 const unsigned int i) const
{
  const MeanAndRise of(values, weights[i]);
  const double p   = scalar(of.pressures, i);
  const Voigt mean = deviator(of.mean), rise = deviator(of.rise);
  const double factor = factor_within(mean, rise, of.most);
  Voigt result;
  for (unsigned int k = 0; k < 6; ++k)
    result[k] = mean[k] + factor * rise[k] + (k < 3 ? p : 0.);
  return result;
}

template <int dim>
Voigt Extrapolation<dim>::strain(const std::vector<Voigt> &values,
                                 const unsigned int i) const
{
  const MeanAndRise of(values, weights[i]);
  double factor  = factor_within(deviator(of.mean), deviator(of.rise), of.most);
  const double p = scalar(of.pressures, i) - pressure(of.mean),
               whole = pressure(of.rise);
  if (std::abs(whole) > std::abs(p))
    factor = std::min(factor, p / whole);
  Voigt result;
  for (unsigned int k = 0; k < 6; ++k)
    result[k] = of.mean[k] + factor * of.rise[k];
  return result;
}

template class Extrapolation<2>;
template class Extrapolation<3>;
} // namespace delassus
