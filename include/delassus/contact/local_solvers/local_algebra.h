#ifndef delassus_contact_local_solvers_local_algebra_h
#define delassus_contact_local_solvers_local_algebra_h

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace delassus
{
/// A vector in the local frame of one contact, normal component first:
/// (N, T) in 2D, (N, T, S) in 3D.
template <int dim>
using LocalVector = std::array<double, dim>;

/// A dim x dim matrix in the local frame of one contact, row-major.
template <int dim>
using LocalMatrix = std::array<double, dim * dim>;

// The sizes are spelled std::size_t because that is what std::array deduces;
// n is always the dimension.

template <std::size_t n>
inline double dot(const std::array<double, n> &x,
                  const std::array<double, n> &y)
{
  double sum = 0.;
  for (std::size_t i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}

template <std::size_t n>
inline double norm(const std::array<double, n> &x)
{
  return std::sqrt(dot(x, x));
}

/// |x_T|, the length of the components after the normal one.
template <std::size_t n>
inline double tangential_norm(const std::array<double, n> &x)
{
  if (n == 2)
    return std::abs(x[1]);
  double sum = 0.;
  for (std::size_t i = 1; i < n; ++i)
    sum += x[i] * x[i];
  return std::sqrt(sum);
}

template <std::size_t n>
inline std::array<double, n> add(const std::array<double, n> &x,
                                 const std::array<double, n> &y)
{
  std::array<double, n> z;
  for (std::size_t i = 0; i < n; ++i)
    z[i] = x[i] + y[i];
  return z;
}

template <std::size_t n>
inline std::array<double, n> subtract(const std::array<double, n> &x,
                                      const std::array<double, n> &y)
{
  std::array<double, n> z;
  for (std::size_t i = 0; i < n; ++i)
    z[i] = x[i] - y[i];
  return z;
}

template <std::size_t n>
inline std::array<double, n> scale(const double factor,
                                   const std::array<double, n> &x)
{
  std::array<double, n> z;
  for (std::size_t i = 0; i < n; ++i)
    z[i] = factor * x[i];
  return z;
}

/// y = A x.
template <int dim>
inline LocalVector<dim> multiply(const LocalMatrix<dim> &A,
                                 const LocalVector<dim> &x)
{
  LocalVector<dim> y;
  for (int i = 0; i < dim; ++i)
  {
    double sum = 0.;
    for (int j = 0; j < dim; ++j)
      sum += A[i * dim + j] * x[j];
    y[i] = sum;
  }
  return y;
}

/// y = A^T x.
template <int dim>
inline LocalVector<dim> multiply_transposed(const LocalMatrix<dim> &A,
                                            const LocalVector<dim> &x)
{
  LocalVector<dim> y{};
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      y[j] += A[i * dim + j] * x[i];
  return y;
}

/// A B.
template <int dim>
inline LocalMatrix<dim> matrix_product(const LocalMatrix<dim> &A,
                                       const LocalMatrix<dim> &B)
{
  LocalMatrix<dim> C{};
  for (int i = 0; i < dim; ++i)
    for (int k = 0; k < dim; ++k)
      for (int j = 0; j < dim; ++j)
        C[i * dim + j] += A[i * dim + k] * B[k * dim + j];
  return C;
}

template <int dim>
inline LocalMatrix<dim> identity_matrix()
{
  LocalMatrix<dim> I{};
  for (int i = 0; i < dim; ++i)
    I[i * dim + i] = 1.;
  return I;
}

template <int dim>
inline LocalMatrix<dim> diagonal_matrix(const LocalVector<dim> &d)
{
  LocalMatrix<dim> D{};
  for (int i = 0; i < dim; ++i)
    D[i * dim + i] = d[i];
  return D;
}

template <std::size_t n>
inline bool is_finite(const std::array<double, n> &x)
{
  // x - x is zero for finite values and NaN otherwise.
  double sum = 0.;
  for (std::size_t i = 0; i < n; ++i)
    sum += x[i] - x[i];
  return sum == 0.;
}

/// The inverse of an n x n matrix (row-major) by elimination with partial
/// pivoting; returns false if a pivot vanishes.
template <std::size_t n>
inline bool invert_small(std::array<double, n * n> A,
                         std::array<double, n * n> &inverse)
{
  inverse.fill(0.);
  for (std::size_t i = 0; i < n; ++i)
    inverse[i * n + i] = 1.;
  for (std::size_t k = 0; k < n; ++k)
  {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k]))
        pivot = i;
    if (!(std::abs(A[pivot * n + k]) > 0.))
      return false;
    if (pivot != k)
      for (std::size_t j = 0; j < n; ++j)
      {
        std::swap(A[k * n + j], A[pivot * n + j]);
        std::swap(inverse[k * n + j], inverse[pivot * n + j]);
      }
    const double reciprocal = 1. / A[k * n + k];
    for (std::size_t j = 0; j < n; ++j)
    {
      A[k * n + j] *= reciprocal;
      inverse[k * n + j] *= reciprocal;
    }
    for (std::size_t i = 0; i < n; ++i)
      if (i != k)
      {
        const double factor = A[i * n + k];
        if (factor != 0.)
          for (std::size_t j = 0; j < n; ++j)
          {
            A[i * n + j] -= factor * A[k * n + j];
            inverse[i * n + j] -= factor * inverse[k * n + j];
          }
      }
  }
  return true;
}
} // namespace delassus

#endif
