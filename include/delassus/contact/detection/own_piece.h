#ifndef delassus_contact_detection_own_piece_h
#define delassus_contact_detection_own_piece_h

#include <delassus/contact/kinematics/contact_surfaces.h>

namespace delassus
{
/// A place on the surface of a piece that may touch another place of the same
/// piece.
template <int dim>
struct OwnPlace
{
  dealii::Point<dim> reference; ///< position
  const unsigned int *faces;    ///< that it lies on
  unsigned int n_faces;
};

/// Whether a place of a piece sees a face of the same piece through the
/// material between them, as the upper side of a sheet sees its lower one.
/// Opposite sides of a sheet look just like two folds that have sunk into each
/// other by its thickness: each is behind the other. Only the reference
/// configuration tells them apart. With X - Y the way from the foot on the face
/// to the place there, and |x - y| its length now, it is through the material
/// if
///   -N_Y . (X - Y) > d/2: the place was behind the face from the start, at
///     least half a cell deep (d the shallower of the two cells), where faces
///     of a slit that do not match overlap by much less; faces with a common
///     node are the sides of a wedge and need not be that far apart;
///   |X - Y| <= 4 |x - y|: and no farther apart than a stretch or shear of the
///     material explains. Layers of a roll, or what has folded, have come from
///     far away.
/// To be asked of faces that the place is behind.
template <int dim>
bool is_through_material(const ContactSurfaces<dim> &surfaces,
                         const OwnPlace<dim> &place,
                         const unsigned int face,
                         const dealii::Point<dim> &reference_foot,
                         const double distance);

/// The position of a face's point in the reference configuration.
template <int dim>
dealii::Point<dim> reference_point(const ContactSurfaces<dim> &surfaces,
                                   const unsigned int face,
                                   const std::array<double, 9> &weights);

/// Whether a candidate point lies on a face: it is one of its own, or has all
/// nodes that the point is made of.
template <int dim>
bool lies_on(const ContactSurfaces<dim> &surfaces,
             const typename ContactSurfaces<dim>::Point &point,
             const unsigned int face);
} // namespace delassus

#endif
