#ifndef delassus_rigid_bodies_mass_properties_h
#define delassus_rigid_bodies_mass_properties_h

#include <delassus/contact/detection/solid_moments.h>
#include <delassus/rigid_bodies/rotation.h>

namespace delassus
{
/// Mass, its centre, and the tensor of inertia about it in space axes (in the
/// plane the polar moment), of the body at rest.
template <int dim>
struct MassProperties
{
  double mass = 0.;
  dealii::Point<dim> center;
  RotationTensor<dim> inertia;

  /// About another point: J + m (|s|^2 I - s (x) s), s from there to the
  /// centre.
  RotationTensor<dim> inertia_about(const dealii::Point<dim> &point) const;
};

/// Of a solid of uniform density; in the plane of this thickness:
/// J = rho (tr S I - S), S its second moments.
template <int dim>
MassProperties<dim> mass_properties(const SolidMoments<dim> &moments,
                                    const double density,
                                    const double thickness = 1.);
} // namespace delassus

#endif
