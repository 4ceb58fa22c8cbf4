#ifndef delassus_simulation_contact_zone_h
#define delassus_simulation_contact_zone_h

#include <delassus/contact/detection/interaction.h>

#include <vector>

namespace delassus
{
/// Where some candidates of a piece are closed, in points.
template <int dim>
struct ContactZone
{
  /// Points across a zone that are enough.
  static constexpr double enough = 4.5;

  double across         = 0.; ///< points; 0: nothing to remark
  unsigned int n_closed = 0, n_around = 0;
  dealii::Point<dim> place;
};

/// Cosine between normals of one side of a body, at least.
constexpr double same_side = 0.5;

/// Whether normals are the same, but for a degree or two.
template <int dim>
bool are_parallel(const std::vector<dealii::Tensor<1, dim>> &normals);

/// The zone of the points @p closed, of one piece and candidates of the
/// interaction. A zone that fills its side of the piece is not limited by the
/// shape of what touches it: nothing to remark. At an end of the side, where a
/// plane of symmetry may be, only half of a zone is seen.
template <int dim>
ContactZone<dim> measure_zone(const ContactSurfaces<dim> &surfaces,
                              const Interaction &interaction,
                              std::vector<unsigned int> closed);
} // namespace delassus

#endif
