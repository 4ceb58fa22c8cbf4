#ifndef delassus_bodies_rigid_modes_h
#define delassus_bodies_rigid_modes_h

#include <delassus/bodies/driven_dofs.h>

namespace delassus
{
/// Rigid motions of a piece that its driven dofs leave free: dimension of the
/// space of rigid modes (3 in the plane, 1 for axisymmetric bodies, the axial
/// translation, 6 in space) minus the rank of their values at the driven dofs.
template <int dim>
unsigned int n_free_rigid_modes(const SolidBody<dim> &body,
                                const DrivenDofs<dim> &driven,
                                const Piece<dim> &piece);
} // namespace delassus

#endif
