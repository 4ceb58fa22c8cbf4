#include <delassus/materials/linear_elastic.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
LinearElastic::LinearElastic(const MaterialParameters &material,
                             const Assumption assumption)
    : material(material)
{
  const double E  = material.young_modulus;
  const double nu = material.poisson_ratio;
  const double mu = E / (2. * (1. + nu));
  // Plane stress is 3D elasticity with lambda replaced by
  // 2 lambda mu / (lambda + 2 mu) = E nu / (1 - nu^2) in the plane.
  const double lambda = assumption == Assumption::plane_stress
                            ? E * nu / (1. - nu * nu)
                            : E * nu / ((1. + nu) * (1. - 2. * nu));
  for (unsigned int i = 0; i < 3; ++i)
  {
    for (unsigned int j = 0; j < 3; ++j)
      D[i][j] = lambda;
    D[i][i] += 2. * mu;
    D[3 + i][3 + i] = mu;
  }
  if (assumption == Assumption::plane_stress)
    for (unsigned int i = 0; i < 3; ++i)
      D[i][2] = D[2][i] = 0.;
}

Voigt LinearElastic::stress(const Voigt &strain) const
{
  Voigt sigma{};
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
      sigma[i] += D[i][j] * strain[j];
  return sigma;
}

double LinearElastic::pressure_wave_speed() const
{
  return std::sqrt(D[0][0] / material.density);
}

template <int dim>
Voigt strain_of_gradient(const dealii::Tensor<2, dim> &gradient,
                         const double hoop)
{
  Voigt strain{};
  strain[0] = gradient[0][0];
  strain[1] = gradient[1][1];
  strain[3] = gradient[0][1] + gradient[1][0];
  if constexpr (dim == 3)
  {
    strain[2] = gradient[2][2];
    strain[4] = gradient[1][2] + gradient[2][1];
    strain[5] = gradient[2][0] + gradient[0][2];
  }
  else
    strain[2] = hoop;
  return strain;
}

double von_mises(const Voigt &s)
{
  const double d0 = s[0] - s[1], d1 = s[1] - s[2], d2 = s[2] - s[0];
  return std::sqrt(0.5 * (d0 * d0 + d1 * d1 + d2 * d2) +
                   3. * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

template <int dim>
dealii::SymmetricTensor<2, dim> stress_tensor(const Voigt &stress)
{
  dealii::SymmetricTensor<2, dim> sigma;
  sigma[0][0] = stress[0];
  sigma[1][1] = stress[1];
  sigma[0][1] = stress[3];
  if constexpr (dim == 3)
  {
    sigma[2][2] = stress[2];
    sigma[1][2] = stress[4];
    sigma[0][2] = stress[5];
  }
  return sigma;
}

template dealii::SymmetricTensor<2, 2> stress_tensor<2>(const Voigt &);
template dealii::SymmetricTensor<2, 3> stress_tensor<3>(const Voigt &);
template Voigt strain_of_gradient<2>(const dealii::Tensor<2, 2> &,
                                     const double);
template Voigt strain_of_gradient<3>(const dealii::Tensor<2, 3> &,
                                     const double);
} // namespace delassus
