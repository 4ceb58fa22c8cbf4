#ifndef delassus_bodies_solid_shell_algebra_h
#define delassus_bodies_solid_shell_algebra_h

// Inner parts of the element of solid shells: 3 x 3 matrices.
#include <cmath>

namespace delassus
{
namespace algebra
{
using Matrix3 = double[3][3];

/// The two indices of each component.
constexpr unsigned int first[6]  = { 0, 1, 2, 0, 1, 2 };
constexpr unsigned int second[6] = { 0, 1, 2, 1, 2, 0 };

inline double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline void cross(const double *a, const double *b, double *result)
{
  result[0] = a[1] * b[2] - a[2] * b[1];
  result[1] = a[2] * b[0] - a[0] * b[2];
  result[2] = a[0] * b[1] - a[1] * b[0];
}

inline double determinant(const Matrix3 &g)
{
  double n[3];
  cross(g[0], g[1], n);
  return dot(n, g[2]);
}

/// Columns: along g_1, in the plane of g_1 and g_2, across it.
inline void frame_of(const Matrix3 &g, Matrix3 &e)
{
  double normal[3], across[3];
  cross(g[0], g[1], normal);
  cross(normal, g[0], across);
  const double a = 1. / std::sqrt(dot(g[0], g[0])),
               b = 1. / std::sqrt(dot(across, across)),
               n = 1. / std::sqrt(dot(normal, normal));
  for (unsigned int c = 0; c < 3; ++c)
  {
    e[c][0] = a * g[0][c];
    e[c][1] = b * across[c];
    e[c][2] = n * normal[c];
  }
}

/// Rows: the vectors that are dual to the rows of g.
inline void duals(const Matrix3 &g, Matrix3 &result)
{
  const double d = 1. / determinant(g);
  for (unsigned int i = 0; i < 3; ++i)
  {
    cross(g[(i + 1) % 3], g[(i + 2) % 3], result[i]);
    for (unsigned int c = 0; c < 3; ++c)
      result[i][c] *= d;
  }
}

/// x y, x^T y and x y^T.
inline void multiply(const Matrix3 &x, const Matrix3 &y, Matrix3 &z)
{
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      z[i][j] = x[i][0] * y[0][j] + x[i][1] * y[1][j] + x[i][2] * y[2][j];
}
inline void multiply_transposed(const Matrix3 &x, const Matrix3 &y, Matrix3 &z)
{
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      z[i][j] = x[i][0] * y[j][0] + x[i][1] * y[j][1] + x[i][2] * y[j][2];
}

/// sum_ij x_ij y_ij.
inline double contract(const Matrix3 &x, const Matrix3 &y)
{
  double sum = 0.;
  for (unsigned int i = 0; i < 3; ++i)
    sum += dot(x[i], y[i]);
  return sum;
}

inline void to_matrix(const double *s, Matrix3 &result)
{
  for (unsigned int k = 0; k < 6; ++k)
    result[first[k]][second[k]] = result[second[k]][first[k]] = s[k];
}

/// x s x^T of a symmetric s.
inline void transform(const Matrix3 &x, const double *s, double *result)
{
  Matrix3 full, half;
  to_matrix(s, full);
  multiply(x, full, half);
  for (unsigned int k = 0; k < 6; ++k)
    result[k] = dot(half[first[k]], x[second[k]]);
}

/// The inverse of a symmetric matrix.
inline void invert_symmetric(const Matrix3 &A, Matrix3 &result)
{
  Matrix3 rows;
  duals(A, rows);
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      result[i][j] = rows[i][j];
}
} // namespace algebra
} // namespace delassus

#endif
