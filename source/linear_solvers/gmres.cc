#include <delassus/linear_solvers/gmres.h>

#include <cmath>
#include <cstddef>

namespace delassus
{
namespace
{
double dot(const std::vector<double> &x, const std::vector<double> &y)
{
  double sum = 0.;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += x[i] * y[i];
  return sum;
}
} // namespace

double Gmres::solve(const Operator &B,
                    const std::vector<double> &b,
                    const double tolerance,
                    const unsigned int most_iterations)
{
  const std::size_t n = b.size();
  coefficients.clear();
  const double size = std::sqrt(dot(b, b));
  if (!(size > 0.) || !std::isfinite(size))
    return size;
  if (basis.size() < most_iterations + 1)
    basis.resize(most_iterations + 1);
  R.resize(most_iterations);
  cosine.resize(most_iterations);
  sine.resize(most_iterations);
  projected.assign(most_iterations + 1, 0.);
  basis[0] = b;
  for (double &value : basis[0])
    value /= size;
  projected[0]    = 1.; // of the residual, in units of |b|
  unsigned int k  = 0;
  double residual = 1.;
  while (k < most_iterations && residual > tolerance)
  {
    std::vector<double> &next = basis[k + 1], &column = R[k];
    next.resize(n);
    column.assign(k + 2, 0.);
    B(basis[k].data(), next.data());
    // Orthogonal to the others, twice: rounding.
    for (unsigned int pass = 0; pass < 2; ++pass)
      for (unsigned int i = 0; i <= k; ++i)
      {
        const double along = dot(basis[i], next);
        column[i] += along;
        for (std::size_t j = 0; j < n; ++j)
          next[j] -= along * basis[i][j];
      }
    const double length = std::sqrt(dot(next, next));
    // Rotations make the Hessenberg matrix a triangle.
    for (unsigned int i = 0; i < k; ++i)
    {
      const double upper = column[i];
      column[i]          = cosine[i] * upper + sine[i] * column[i + 1];
      column[i + 1]      = cosine[i] * column[i + 1] - sine[i] * upper;
    }
    const double diagonal = std::hypot(column[k], length);
    if (!(diagonal > 0.) || !std::isfinite(diagonal))
      break;
    cosine[k]        = column[k] / diagonal;
    sine[k]          = length / diagonal;
    column[k]        = diagonal;
    projected[k + 1] = -sine[k] * projected[k];
    projected[k]     = cosine[k] * projected[k];
    residual         = std::abs(projected[k + 1]);
    ++k;
    if (!(length > 0.))
      break;
    for (double &value : next)
      value /= length;
  }
  std::vector<double> &y = projected;
  for (unsigned int i = k; i-- > 0;)
  {
    for (unsigned int j = i + 1; j < k; ++j)
      y[i] -= R[j][i] * y[j];
    y[i] /= R[i][i];
  }
  for (unsigned int i = 0; i < k; ++i)
    coefficients.push_back(size * y[i]);
  return residual;
}
} // namespace delassus
