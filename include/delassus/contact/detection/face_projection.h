#ifndef delassus_contact_detection_face_projection_h
#define delassus_contact_detection_face_projection_h

#include <delassus/systems/face_shape.h>

namespace delassus
{
/// The point of a face closest to a given one.
template <int dim>
struct FaceProjection
{
  dealii::Point<dim - 1> s; ///< in the face
  std::array<double, 9> weights;
  double outside; ///< how far beyond the face, in its coordinates
};

/// Closest-point projection on a face of any kind: straight lines and triangles
/// directly, the others by Newton's method on |p - x(s)|^2.
template <int dim>
FaceProjection<dim> project_on_face(const unsigned int n_nodes,
                                    const std::array<dealii::Point<dim>, 9> &X,
                                    const dealii::Point<dim> &p);

/// The point of an edge of a face (2D: of an end) closest to a given one, as
/// weights of the face's nodes. Edge e runs from corner e to the next.
template <int dim>
void project_on_edge(const unsigned int n_nodes,
                     const unsigned int edge,
                     const std::array<dealii::Point<dim>, 9> &X,
                     const dealii::Point<dim> &p,
                     std::array<double, 9> &weights);
} // namespace delassus

#endif
