#ifndef delassus_bodies_rigid_modes_h
#define delassus_bodies_rigid_modes_h

#include <delassus/bodies/driven_dofs.h>

#include <array>
#include <vector>

namespace delassus
{
/// Infinitesimal rigid motions of a piece: dim translations, then rotations
/// about the origin, divided by a size so that all are of the same order.
template <int dim>
struct RigidMotions
{
  static constexpr unsigned int n = dim == 2 ? 3 : 6;
  using Values                    = std::array<double, n>;

  dealii::Point<dim> origin;
  double size = 1.;
  /// Those that driven dofs leave free: factors of the n motions.
  std::vector<Values> free;

  /// Component c of all motions at the place x.
  Values at(const dealii::Point<dim> &x, const unsigned int c) const;

  /// Component c of a free motion at the place x.
  double free_value(const unsigned int motion,
                    const dealii::Point<dim> &x,
                    const unsigned int c) const;
};

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
