#ifndef delassus_contact_kinematics_face_quadrature_h
#define delassus_contact_kinematics_face_quadrature_h

#include <delassus/systems/face_shape.h>

#include <array>
#include <cmath>

namespace delassus
{
/// Gauss points of [0, 1], exact for polynomials of degree 5.
constexpr unsigned int n_line_points = 3;
inline const std::array<double, 3> &line_points()
{
  static const std::array<double, 3> points = {
    { 0.5 - 0.5 * std::sqrt(0.6), 0.5, 0.5 + 0.5 * std::sqrt(0.6) }
  };
  return points;
}
constexpr std::array<double, 3> line_weights = {
  { 5. / 18., 8. / 18., 5. / 18. }
};

/// A rule of the triangle, exact for polynomials of degree 5 (Radon): points in
/// barycentric coordinates, weights of sum 1.
constexpr unsigned int n_triangle_points = 7;
struct TrianglePoint
{
  std::array<double, 3> l;
  double weight;
};
inline const std::array<TrianglePoint, 7> &triangle_points()
{
  static const std::array<TrianglePoint, 7> rule = []
  {
    std::array<TrianglePoint, 7> r;
    const double root = std::sqrt(15.);
    r[0]              = { { { 1. / 3., 1. / 3., 1. / 3. } }, 9. / 40. };
    for (unsigned int k = 0; k < 2; ++k)
    {
      const double sign = k == 0 ? 1. : -1.;
      const double a    = (6. - sign * root) / 21.;
      for (unsigned int i = 0; i < 3; ++i)
      {
        auto &point = r[1 + 3 * k + i];
        point.l.fill(a);
        point.l[i]   = 1. - 2. * a;
        point.weight = (155. - sign * root) / 1200.;
      }
    }
    return r;
  }();
  return rule;
}

/// Call f(shape functions, weight, coordinates) at the quadrature points of a
/// face; the weights are those of the face's coordinates (sum 1, triangles
/// 1/2).
template <int dim, typename Function>
void for_face_quadrature(const unsigned int n_nodes, Function &&f)
{
  FaceShape<dim> shape;
  const auto &p = line_points();
  if constexpr (dim == 2)
    for (unsigned int i = 0; i < n_line_points; ++i)
    {
      const dealii::Point<1> s(p[i]);
      shape.reinit(n_nodes, s);
      f(shape, line_weights[i], s);
    }
  else if (n_face_corners<dim>(n_nodes) == 3)
    for (const auto &point : triangle_points())
    {
      const dealii::Point<2> s(point.l[1], point.l[2]);
      shape.reinit(n_nodes, s);
      f(shape, 0.5 * point.weight, s);
    }
  else
    for (unsigned int j = 0; j < n_line_points; ++j)
      for (unsigned int i = 0; i < n_line_points; ++i)
      {
        const dealii::Point<2> s(p[i], p[j]);
        shape.reinit(n_nodes, s);
        f(shape, line_weights[i] * line_weights[j], s);
      }
}
} // namespace delassus

#endif
