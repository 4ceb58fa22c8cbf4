#ifndef delassus_contact_global_solvers_standard_problem_internal_h
#define delassus_contact_global_solvers_standard_problem_internal_h

#include <delassus/contact/local_solvers/symmetric_eigen.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

// Small functions that the parts of StandardProblem share.
namespace delassus::internal
{
/// Negative eigenvalues of this share of the largest are rounding.
constexpr double relative_rounding = 1e-13;

/// Of the symmetric part; zero if it is not negative.
template <int dim>
double smallest_eigenvalue(const LocalMatrix<dim> &A)
{
  LocalVector<dim> values;
  LocalMatrix<dim> vectors;
  symmetric_eigen<dim>(A, values, vectors);
  double least = 0., largest = 0.;
  for (const double value : values)
  {
    least   = std::min(least, value);
    largest = std::max(largest, std::abs(value));
  }
  return least >= -relative_rounding * largest ? 0. : least;
}

template <int dim>
LocalVector<dim> local_values(const double *values, const std::size_t a)
{
  LocalVector<dim> result;
  std::copy_n(values + dim * a, dim, result.begin());
  return result;
}

template <int dim>
LocalMatrix<dim> transposed(const LocalMatrix<dim> &A)
{
  LocalMatrix<dim> B;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      B[i * dim + j] = A[j * dim + i];
  return B;
}

/// But for rounding.
template <int dim>
bool is_near(const LocalMatrix<dim> &A, const LocalMatrix<dim> &B)
{
  return norm(subtract(A, B)) <= 1e-12 * (norm(A) + norm(B));
}
} // namespace delassus::internal

#endif
