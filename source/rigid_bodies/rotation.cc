#include <delassus/rigid_bodies/rotation.h>

#include <deal.II/base/numbers.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
Tensor<1, dim> turned_by(const RotationVector<dim> &omega,
                         const Tensor<1, dim> &r)
{
  if constexpr (dim == 2)
    return Tensor<1, 2>({ -omega[0] * r[1], omega[0] * r[0] });
  else
    return cross_product_3d(omega, r);
}

template <int dim>
RotationVector<dim> moment(const Tensor<1, dim> &r, const Tensor<1, dim> &f)
{
  if constexpr (dim == 2)
    return Tensor<1, 1>({ r[0] * f[1] - r[1] * f[0] });
  else
    return cross_product_3d(r, f);
}

template <int dim>
RotationTensor<dim> cross_matrix(const RotationVector<dim> &a)
{
  RotationTensor<dim> A;
  if constexpr (dim == 3)
    for (unsigned int i = 0; i < 3; ++i)
    {
      A[i][(i + 1) % 3] = -a[(i + 2) % 3];
      A[i][(i + 2) % 3] = a[(i + 1) % 3];
    }
  else
    (void)a;
  return A;
}

template <int dim>
Rotation<dim>::Rotation()
    : q{}
{
  if (dim == 3)
    q[0] = 1.;
}

template <int dim>
Rotation<dim> Rotation<dim>::exp(const RotationVector<dim> &psi)
{
  Rotation R;
  if constexpr (dim == 2)
    R.q[0] = psi[0];
  else
  {
    const double a      = psi.norm();
    const double factor = a > 0. ? std::sin(0.5 * a) / a : 0.5;
    R.q[0]              = std::cos(0.5 * a);
    for (unsigned int c = 0; c < 3; ++c)
      R.q[1 + c] = factor * psi[c];
  }
  return R;
}

template <int dim>
RotationVector<dim> Rotation<dim>::log(const RotationVector<dim> &near) const
{
  if constexpr (dim == 2)
  {
    (void)near; // the angle knows its turns
    return Tensor<1, 1>({ q[0] });
  }
  else
  {
    Tensor<1, 3> axis({ q[1], q[2], q[3] });
    const double sine = axis.norm();
    double angle      = 2. * std::atan2(sine, q[0]);
    if (sine > 0.)
      axis /= sine;
    else if (near.norm() > 0.)
      axis = near / near.norm();
    const double turn = 2. * numbers::PI;
    angle += turn * std::round((near * axis - angle) / turn);
    return angle * axis;
  }
}

template <int dim>
Rotation<dim> Rotation<dim>::operator*(const Rotation &right) const
{
  Rotation R;
  if constexpr (dim == 2)
    R.q[0] = q[0] + right.q[0];
  else
  {
    const auto &p = right.q;
    R.q           = { { q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3],
                        q[0] * p[1] + q[1] * p[0] + q[2] * p[3] - q[3] * p[2],
                        q[0] * p[2] - q[1] * p[3] + q[2] * p[0] + q[3] * p[1],
                        q[0] * p[3] + q[1] * p[2] - q[2] * p[1] + q[3] * p[0] } };
    const double norm = std::sqrt(R.q[0] * R.q[0] + R.q[1] * R.q[1] +
                                  R.q[2] * R.q[2] + R.q[3] * R.q[3]);
    for (double &c : R.q)
      c /= norm;
  }
  return R;
}

template <int dim>
Rotation<dim> Rotation<dim>::inverse() const
{
  Rotation R = *this;
  for (unsigned int c = dim == 2 ? 0 : 1; c < q.size(); ++c)
    R.q[c] = -q[c];
  return R;
}

template <int dim>
Tensor<2, dim> Rotation<dim>::matrix() const
{
  Tensor<2, dim> R;
  if constexpr (dim == 2)
  {
    R[0][0] = R[1][1] = std::cos(q[0]);
    R[1][0]           = std::sin(q[0]);
    R[0][1]           = -R[1][0];
  }
  else
    for (unsigned int i = 0; i < 3; ++i)
    {
      const unsigned int j = (i + 1) % 3, k = (i + 2) % 3;
      const double a = q[1 + i], b = q[1 + j], c = q[1 + k];
      R[i][i] = 1. - 2. * (b * b + c * c);
      R[i][j] = 2. * (a * b - q[0] * c);
      R[j][i] = 2. * (a * b + q[0] * c);
    }
  return R;
}

template <int dim>
RotationTensor<dim> Rotation<dim>::turn(const RotationTensor<dim> &A) const
{
  if constexpr (dim == 2)
    return A;
  else
  {
    const Tensor<2, 3> R = matrix();
    return R * A * transpose(R);
  }
}

template <int dim>
RotationTensor<dim> Rotation<dim>::derivative(const RotationVector<dim> &psi)
{
  RotationTensor<dim> D;
  for (unsigned int i = 0; i < n_rotations<dim>; ++i)
    D[i][i] = 1.;
  if constexpr (dim == 3)
  {
    // I + (1 - cos a) / a^2 [psi x] + (a - sin a) / a^3 [psi x]^2.
    const double a = psi.norm(), a2 = a * a;
    const double half = a > 0. ? std::sin(0.5 * a) / (0.5 * a) : 1.;
    const double third =
        a < 0.1 ? 1. / 6. - a2 / 120. * (1. - a2 / 42. * (1. - a2 / 72.))
                : (a - std::sin(a)) / (a2 * a);
    const Tensor<2, 3> X = cross_matrix<3>(psi);
    D += 0.5 * half * half * X + third * (X * X);
  }
  else
    (void)psi;
  return D;
}

#define INSTANTIATE(dim)                                                       \
  template Tensor<1, dim> turned_by<dim>(const RotationVector<dim> &,          \
                                         const Tensor<1, dim> &);              \
  template RotationVector<dim> moment<dim>(const Tensor<1, dim> &,             \
                                           const Tensor<1, dim> &);            \
  template RotationTensor<dim> cross_matrix<dim>(const RotationVector<dim> &); \
  template class Rotation<dim>
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
