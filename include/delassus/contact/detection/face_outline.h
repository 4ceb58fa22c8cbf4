#ifndef delassus_contact_detection_face_outline_h
#define delassus_contact_detection_face_outline_h

#include <deal.II/base/point.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace delassus
{
/// The extent of a face along directions in its plane and along its normal: it
/// tells without a projection that a point is too far beside it. All bounds
/// are strict, nothing that a projection would find is lost.
///
/// Along a unit vector m square to the normal N the whole face lies in
///   m . (x - centre) in [low, high],
/// since a linear or bilinear map takes its extremes at corners. A point p at a
/// distance h beyond that interval is at least h away from every point F of the
/// face, and |(1 - N N) (p - F)| >= h too. A projection on the face is another
/// matter: on a warped one it is not along N.
template <int dim>
struct FaceOutline
{
  enum class Place
  {
    near,   ///< to be projected
    beside, ///< only edges may be near
    far     ///< neither
  };

  /// @p X: the corners, of a face of degree 1; @p N: its unit normal.
  void reinit(const unsigned int n_corners,
              const std::array<dealii::Point<dim>, 9> &X,
              const dealii::Tensor<1, dim> &N,
              const double size);

  /// Of a face that is not bounded by its corners: every point is near.
  void reinit_unbounded();

  /// Where a point p is that looks for faces within @p alert, and within @p
  /// reach beside them. @p square is set to a lower bound of the square of the
  /// distance to the face and its edges.
  Place find(const dealii::Point<dim> &p,
             const double alert,
             const double reach,
             double &square) const
  {
    square = 0.;
    if (is_unbounded)
      return Place::near;
    double r[dim], z = 0.;
    for (unsigned int c = 0; c < dim; ++c)
    {
      r[c] = p[c] - centre[c];
      z += normal[c] * r[c];
    }
    const double above = std::abs(z) + height;
    z                  = std::abs(z) - height;
    if (z > alert)
      return Place::far;
    double beyond = 0.;
    for (unsigned int k = 0; k < n_directions; ++k)
    {
      double s = 0.;
      for (unsigned int c = 0; c < dim; ++c)
        s += direction[k][c] * r[c];
      beyond = std::max(beyond, std::max(s - high[k], low[k] - s));
    }
    square = beyond * beyond + (z > 0. ? z * z : 0.);
    if (!(beyond > reach + rounding) || !(beyond > slack + warp * above) ||
        !(above < sure))
      return Place::near;
    return square > alert * alert ? Place::far : Place::beside;
  }

private:
  /// One in 2D; in 3D square to the edges of a triangle, or to the two mean
  /// edges of a quadrilateral (the third is not used).
  static constexpr unsigned int max_directions = dim == 2 ? 1 : 3;

  dealii::Point<dim> centre;
  dealii::Tensor<1, dim> normal;
  std::array<dealii::Tensor<1, dim>, max_directions> direction;
  std::array<double, max_directions> low, high;
  double height; ///< of the overhanging face, |N . (x - centre)|, and rounding
  /// What projects on the face, or at most the overhang beyond it, is less than
  /// slack + warp |N . (p - S)| beside it, S its foot.
  double slack, warp, rounding;
  double sure; ///< the largest |N . (p - S)| for which this holds
  unsigned int n_directions;
  bool is_unbounded;
};
} // namespace delassus

#endif
