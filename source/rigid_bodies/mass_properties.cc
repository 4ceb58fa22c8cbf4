#include <delassus/rigid_bodies/mass_properties.h>

namespace delassus
{
using namespace dealii;

namespace
{
/// tr S I - S; in the plane tr S.
template <int dim>
RotationTensor<dim> inertia_of(const SymmetricTensor<2, dim> &S)
{
  RotationTensor<dim> J;
  for (unsigned int i = 0; i < n_rotations<dim>; ++i)
  {
    J[i][i] = trace(S);
    for (unsigned int j = 0; j < 3 && dim == 3; ++j)
      J[i][j] -= S[i][j];
  }
  return J;
}
} // namespace

template <int dim>
RotationTensor<dim>
MassProperties<dim>::inertia_about(const Point<dim> &point) const
{
  const Tensor<1, dim> s = center - point;
  return inertia + mass * inertia_of<dim>(symmetrize(outer_product(s, s)));
}

template <int dim>
MassProperties<dim> mass_properties(const SolidMoments<dim> &moments,
                                    const double density,
                                    const double thickness)
{
  const double per_volume = dim == 2 ? density * thickness : density;
  MassProperties<dim> result;
  result.mass    = per_volume * moments.volume;
  result.center  = moments.center;
  result.inertia = per_volume * inertia_of<dim>(moments.second);
  return result;
}

template struct MassProperties<2>;
template struct MassProperties<3>;
template MassProperties<2>
mass_properties<2>(const SolidMoments<2> &, const double, const double);
template MassProperties<3>
mass_properties<3>(const SolidMoments<3> &, const double, const double);
} // namespace delassus
