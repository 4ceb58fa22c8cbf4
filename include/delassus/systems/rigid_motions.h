#ifndef delassus_systems_rigid_motions_h
#define delassus_systems_rigid_motions_h

#include <deal.II/base/point.h>

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
} // namespace delassus

#endif
