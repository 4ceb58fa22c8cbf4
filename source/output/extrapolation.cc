#include <delassus/output/extrapolation.h>
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

template <int dim>
Voigt Extrapolation<dim>::stress(const std::vector<Voigt> &values,
                                 const unsigned int i) const
{
  // Mean over the points, and the deviation from it at the point asked for.
  Voigt mean{}, rise{};
  std::vector<double> pressures;
  double most = 0.;
  for (unsigned int k = 0; k < values.size(); ++k)
  {
    const auto &s = values[k];
    for (unsigned int c = 0; c < 6; ++c)
    {
      mean[c] += s[c] / values.size();
      rise[c] += weights[i][k] * s[c];
    }
    pressures.push_back((s[0] + s[1] + s[2]) / 3.);
    most = std::max(most, von_mises(s));
  }
  const double p = scalar(pressures, i);
  for (unsigned int c = 0; c < 6; ++c)
    rise[c] -= mean[c];
  for (Voigt *s : { &mean, &rise })
  {
    const double trace = ((*s)[0] + (*s)[1] + (*s)[2]) / 3.;
    for (unsigned int c = 0; c < 3; ++c)
      (*s)[c] -= trace;
  }
  // |mean + factor rise| = most, if factor = 1 is too far.
  const auto product = [](const Voigt &a, const Voigt &b)
  {
    return 1.5 * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) +
           3. * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
  };
  const double a = product(rise, rise), b = product(mean, rise),
               c = product(mean, mean) - most * most;
  double factor  = 1.;
  if (a + 2. * b + c > 0. && a > 0.)
    factor = std::max(
        0., std::min(1., (-b + std::sqrt(std::max(0., b * b - a * c))) / a));
  Voigt result;
  for (unsigned int k = 0; k < 6; ++k)
    result[k] = mean[k] + factor * rise[k] + (k < 3 ? p : 0.);
  return result;
}

template class Extrapolation<2>;
template class Extrapolation<3>;
} // namespace delassus
