#ifndef delassus_time_integration_fictitious_mass_h
#define delassus_time_integration_fictitious_mass_h

#include <delassus/bodies/piece_classes.h>

namespace delassus
{
/// Factors f of the fictitious mass M_f = h^2 f M of each class of pieces:
///   f = share (c/L)^2,
/// c = sqrt(E/rho) and L the longest side of the piece. In proportion to M, so
/// that it is the same for all meshes; a rigid translation meets share E V /
/// L^2, of the order of share times the stiffness of the piece. Where what
/// holds it is softer, it meets less: EffectiveInverse::set_rigid_share(). Zero
/// for pieces whose rigid motions are all blocked by driven dofs, unless @p
/// also_held.
template <int dim>
std::vector<double> choose_fictitious_mass(const SolidBody<dim> &body,
                                           const DrivenDofs<dim> &driven,
                                           const PieceClasses &classes,
                                           const double share,
                                           const bool also_held = false);
} // namespace delassus

#endif
