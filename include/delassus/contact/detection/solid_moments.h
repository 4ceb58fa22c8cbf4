#ifndef delassus_contact_detection_solid_moments_h
#define delassus_contact_detection_solid_moments_h

#include <deal.II/base/point.h>
#include <deal.II/base/symmetric_tensor.h>

namespace delassus
{
/// What mass properties need of a solid: integrals over its volume (2D: area).
template <int dim>
struct SolidMoments
{
  double volume = 0.;
  dealii::Point<dim> center;
  /// Integral of (x - center) (x) (x - center).
  dealii::SymmetricTensor<2, dim> second;
};
} // namespace delassus

#endif
