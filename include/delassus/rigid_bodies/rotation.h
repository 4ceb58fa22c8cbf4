#ifndef delassus_rigid_bodies_rotation_h
#define delassus_rigid_bodies_rotation_h

#include <deal.II/base/tensor.h>

#include <array>

namespace delassus
{
/// Components of rotations: one in the plane (about z), three in space.
template <int dim>
constexpr unsigned int n_rotations = dim == 2 ? 1 : 3;

/// A rotation vector or an angular velocity, in space-fixed axes.
template <int dim>
using RotationVector = dealii::Tensor<1, n_rotations<dim>>;

/// A tensor of inertia; in the plane the polar moment.
template <int dim>
using RotationTensor = dealii::Tensor<2, n_rotations<dim>>;

/// omega x r.
template <int dim>
dealii::Tensor<1, dim> turned_by(const RotationVector<dim> &omega,
                                 const dealii::Tensor<1, dim> &r);

/// r x f, the moment of a force.
template <int dim>
RotationVector<dim> moment(const dealii::Tensor<1, dim> &r,
                           const dealii::Tensor<1, dim> &f);

/// The matrix of a x .; in the plane, where rotations commute, zero.
template <int dim>
RotationTensor<dim> cross_matrix(const RotationVector<dim> &a);

/// A finite rotation R: in the plane an angle of any size, in space a unit
/// quaternion, so that products do not drift away from rotations.
template <int dim>
class Rotation
{
public:
  Rotation();

  /// exp of [psi x]: by |psi| about psi.
  static Rotation exp(const RotationVector<dim> &psi);

  /// Psi of R = exp(psi), of those that differ by whole turns the one nearest
  /// to @p near.
  RotationVector<dim> log(const RotationVector<dim> &near) const;

  /// First the right one.
  Rotation operator*(const Rotation &right) const;

  Rotation inverse() const;

  dealii::Tensor<2, dim> matrix() const;

  /// R A R^T of a tensor in body axes.
  RotationTensor<dim> turn(const RotationTensor<dim> &A) const;

  /// D with exp(psi + delta) = exp(D delta) exp(psi) for small delta.
  static RotationTensor<dim> derivative(const RotationVector<dim> &psi);

  /// Angle, or quaternion (real part first).
  std::array<double, dim == 2 ? 1 : 4> q;
};
} // namespace delassus

#endif
