#ifndef delassus_output_contact_traction_h
#define delassus_output_contact_traction_h

#include <delassus/output/contact_output.h>

namespace delassus
{
/// What the contacts of a step exert on the surfaces of the bodies, node by
/// node: dim + 1 values for each contact node, the pressure and the traction in
/// global axes (forces on this body per area).
///
/// A contact with the reaction r and the weights w_i in its row of H puts the
/// force w_i r on the node i (on the antagonist's nodes the weights are
/// negative). It is divided by the node's tributary area as the contact sees
/// it,
///   A_i = sum over faces of max(0, n_i . n),   n_i = int N_i dA,
/// n the outward direction along the contact's normal: faces around an edge
/// count as far as they face the antagonist. The pressure is that of the normal
/// part of r. Triangles of degree 2 have no area at their corners: the share of
/// a corner goes to the middles of its edges, and it shows their mean.
///
/// Faces of sheets have vertices of their own on both sides, which the weights
/// on directors tell apart: values are the vertices'.
///
/// @p places says which pieces are shown in their present configuration.
template <int dim>
std::vector<double>
contact_tractions(const std::vector<PiecePlace<dim>> &places,
                  const ContactFields<dim> &fields);
} // namespace delassus

#endif
