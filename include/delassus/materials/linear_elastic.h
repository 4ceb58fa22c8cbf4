#ifndef delassus_materials_linear_elastic_h
#define delassus_materials_linear_elastic_h

#include <delassus/materials/material.h>

namespace delassus
{
/// Isotropic linear elasticity, sigma = D eps, written once in 3D. The plane
/// assumptions only change D and which strains are not zero:
/// plane strain: eps_zz = 0; plane stress: sigma_zz = 0, eps_zz eliminated;
/// axisymmetric: x is the radius, y the axis, zz the hoop direction.
class LinearElastic
{
public:
  LinearElastic(const MaterialParameters &material,
                const Assumption assumption);

  const dealii::Tensor<2, 6> &elasticity_matrix() const
  {
    return D;
  }

  Voigt stress(const Voigt &strain) const;

  double density() const
  {
    return material.density;
  }

  /// Speed of pressure waves, sqrt((lambda + 2 mu) / rho) (for plane stress
  /// that of a plate).
  double pressure_wave_speed() const;

private:
  MaterialParameters material;
  dealii::Tensor<2, 6> D;
};

/// Strain of one displacement gradient, du_i/dx_j; @p hoop is u_r / r for
/// axisymmetric bodies, else 0.
template <int dim>
Voigt strain_of_gradient(const dealii::Tensor<2, dim> &gradient,
                         const double hoop);

double von_mises(const Voigt &stress);

/// The stress as a tensor of the problem's space: in 2D its plane part.
template <int dim>
dealii::SymmetricTensor<2, dim> stress_tensor(const Voigt &stress);
} // namespace delassus

#endif
