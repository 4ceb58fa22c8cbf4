#ifndef delassus_bodies_rigid_modes_h
#define delassus_bodies_rigid_modes_h

#include <delassus/bodies/driven_dofs.h>
#include <delassus/systems/rigid_motions.h>

#include <array>
#include <vector>

namespace delassus
{
/// Rigid motions of a piece that its driven dofs leave free, in the reference
/// configuration: the space of rigid motions (3 in the plane, 1 for
/// axisymmetric bodies, the axial translation, 6 in space) where their values
/// at the driven dofs vanish.
template <int dim>
unsigned int n_free_rigid_modes(const SolidBody<dim> &body,
                                const DrivenDofs<dim> &driven,
                                const Piece<dim> &piece);

/// The same of all pieces, displaced by @p u (null: not displaced). Each rank
/// has those of the pieces that it owns, of split bodies all ranks have all,
/// and call it together. The origin is the mean position of the nodes.
template <int dim>
std::vector<RigidMotions<dim>> free_rigid_motions(const SolidBody<dim> &body,
                                                  const DrivenDofs<dim> &driven,
                                                  const Vector *u = nullptr);
} // namespace delassus

#endif
