#ifndef delassus_simulation_folding_faces_h
#define delassus_simulation_folding_faces_h

#include <delassus/contact/kinematics/contact_surfaces.h>
#include <delassus/systems/skin.h>

#include <functional>

namespace delassus
{
/// Faces of a skin beside the surface @p surface (numbers of its skin's
/// faces) that may fold over the surface's rim onto what it is pressed against,
/// as the sides of a block that is upset between platens do: those around its
/// rim, no farther than half of its extent, and none with prescribed nodes of
/// its own (symmetry planes, clamps).
template <int dim>
std::vector<unsigned int> folding_faces(
    const Skin<dim> &skin,
    const std::function<bool(unsigned int carrier, unsigned int c)> &is_driven,
    const std::vector<unsigned int> &surface);

/// Candidate points at the nodes of @p faces (numbers in @p surfaces), other
/// than those that are points from @p first on.
template <int dim>
void add_further_nodes(ContactSurfaces<dim> &surfaces,
                       const std::vector<unsigned int> &faces,
                       const unsigned int first,
                       const std::string &asked_by);
} // namespace delassus

#endif
