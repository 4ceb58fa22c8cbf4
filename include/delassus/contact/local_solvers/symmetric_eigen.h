#ifndef delassus_contact_local_solvers_symmetric_eigen_h
#define delassus_contact_local_solvers_symmetric_eigen_h

#include <delassus/contact/local_solvers/local_algebra.h>

#include <cmath>

namespace delassus
{
/// Eigenvalues of the symmetric part of A and, as columns of @p vectors, its
/// orthonormal eigenvectors, by Jacobi's rotations.
template <int dim>
void symmetric_eigen(LocalMatrix<dim> A,
                     LocalVector<dim> &values,
                     LocalMatrix<dim> &vectors)
{
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < i; ++j)
      A[i * dim + j] = A[j * dim + i] = 0.5 * (A[i * dim + j] + A[j * dim + i]);
  vectors = identity_matrix<dim>();
  // Converges quadratically: a handful of sweeps.
  for (unsigned int sweep = 0; sweep < 50; ++sweep)
  {
    double outside = 0., inside = 0.;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        (i == j ? inside : outside) += A[i * dim + j] * A[i * dim + j];
    if (!(outside > 1e-34 * inside))
      break;
    for (int p = 0; p < dim; ++p)
      for (int q = p + 1; q < dim; ++q)
      {
        if (A[p * dim + q] == 0.)
          continue;
        const double theta =
            (A[q * dim + q] - A[p * dim + p]) / (2. * A[p * dim + q]);
        const double t = (theta >= 0. ? 1. : -1.) /
                         (std::abs(theta) + std::sqrt(theta * theta + 1.));
        const double c = 1. / std::sqrt(t * t + 1.), s = t * c;
        for (int k = 0; k < dim; ++k)
        {
          const double x = A[k * dim + p], y = A[k * dim + q];
          A[k * dim + p] = c * x - s * y;
          A[k * dim + q] = s * x + c * y;
        }
        for (int k = 0; k < dim; ++k)
        {
          const double x = A[p * dim + k], y = A[q * dim + k];
          A[p * dim + k] = c * x - s * y;
          A[q * dim + k] = s * x + c * y;
        }
        for (int k = 0; k < dim; ++k)
        {
          const double x = vectors[k * dim + p], y = vectors[k * dim + q];
          vectors[k * dim + p] = c * x - s * y;
          vectors[k * dim + q] = s * x + c * y;
        }
      }
  }
  for (int i = 0; i < dim; ++i)
    values[i] = A[i * dim + i];
}
} // namespace delassus

#endif
