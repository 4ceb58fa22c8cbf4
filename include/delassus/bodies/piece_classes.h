#ifndef delassus_bodies_piece_classes_h
#define delassus_bodies_piece_classes_h

#include <delassus/bodies/driven_dofs.h>
#include <delassus/systems/carrier_inverse.h>

namespace delassus
{
/// Each piece is its own class; the pieces of a split body are one.
template <int dim>
PieceClasses separate_classes(const SolidBody<dim> &body);

/// Congruent pieces: same cells, same node positions up to a translation, same
/// driven dofs. They have the same M and K, hence share one factor of the
/// effective matrix and one compliance. (Not for axisymmetric bodies, where a
/// radial shift changes the matrices: there each piece is its own class.)
/// The pieces of a split body are one class, which stands for the whole body:
/// numbers within a piece are those of the body, and the ranks share one
/// factor.
template <int dim>
PieceClasses find_piece_classes(const SolidBody<dim> &body,
                                const DrivenDofs<dim> &driven);
} // namespace delassus

#endif
