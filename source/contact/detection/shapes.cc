#include <delassus/contact/detection/shapes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

Tensor<1, 3> across(const Tensor<1, 3> &axis)
{
  unsigned int least = 0;
  for (unsigned int c = 1; c < 3; ++c)
    if (std::abs(axis[c]) < std::abs(axis[least]))
      least = c;
  Tensor<1, 3> e;
  e[least] = 1.;
  e -= (e * axis) * axis;
  return e / e.norm();
}

bool same_axis(const Point<3> &a,
               const Tensor<1, 3> &axis,
               const Point<3> &b,
               const Tensor<1, 3> &direction,
               const double size)
{
  const Tensor<1, 3> d = a - b;
  return cross_product_3d(axis, direction).norm() < 1e-12 &&
         (d - (d * direction) * direction).norm() <= 1e-12 * size;
}

template <int dim>
std::string text_of_point(const Tensor<1, dim> &p)
{
  std::string result = "(";
  for (unsigned int c = 0; c < dim; ++c)
    result += fmt::format("{}{:.6g}", c > 0 ? ", " : "", p[c]);
  return result + ")";
}

template std::string text_of_point(const Tensor<1, 2> &);
template std::string text_of_point(const Tensor<1, 3> &);

// ------------------------------------------------------------------- plane

template <int dim>
PlaneShape<dim>::PlaneShape(const Point<dim> &point,
                            const Tensor<1, dim> &normal)
    : point(point)
    , normal(normal / normal.norm())
{
}

template <int dim>
double PlaneShape<dim>::distance(const Point<dim> &x) const
{
  return normal * (x - point);
}

template <int dim>
double PlaneShape<dim>::find(const Point<dim> &x,
                             const double reach,
                             std::vector<ShapeSide<dim>> &sides) const
{
  const double d = distance(x);
  if (d <= reach)
    sides.push_back({ 0, d, normal, x - d * normal });
  return d;
}

template <int dim>
double PlaneShape<dim>::side_distance(const unsigned int,
                                      const Tensor<1, dim> &,
                                      const Point<dim> &x) const
{
  return distance(x);
}

template <int dim>
bool PlaneShape<dim>::turns_into_itself(const Point<dim> &,
                                        const Tensor<1, 3> &axis) const
{
  if constexpr (dim == 3)
    return cross_product_3d(axis, normal).norm() < 1e-12;
  return false;
}

template <int dim>
ShapePicture<dim> PlaneShape<dim>::picture(const BoundingBox<dim> &around) const
{
  ShapePicture<dim> picture;
  const auto ends         = around.get_boundary_points();
  const Point<dim> middle = around.center();
  const Point<dim> foot   = middle - distance(middle) * normal;
  const double half       = 0.75 * ends.first.distance(ends.second);
  if constexpr (dim == 2)
  {
    const Tensor<1, 2> t({ normal[1], -normal[0] });
    picture.points = { foot - half * t, foot + half * t };
    picture.cells  = { { 0, 1 } };
  }
  else
  {
    const Tensor<1, 3> t = across(normal), s = cross_product_3d(normal, t);
    picture.points = { foot - half * t - half * s,
                       foot + half * t - half * s,
                       foot + half * t + half * s,
                       foot - half * t + half * s };
    picture.cells  = { { 0, 1, 2, 3 } };
  }
  return picture;
}

template <int dim>
std::string PlaneShape<dim>::describe() const
{
  return fmt::format("plane through {}, normal {}",
                     text_of_point(point),
                     text_of_point(normal));
}

// ------------------------------------------------------------------ sphere

template <int dim>
SphereShape<dim>::SphereShape(const Point<dim> &center,
                              const double radius,
                              const bool hollow)
    : center(center)
    , radius(radius)
    , hollow(hollow)
{
}

template <int dim>
double SphereShape<dim>::distance(const Point<dim> &x) const
{
  const double d = x.distance(center) - radius;
  return hollow ? -d : d;
}

template <int dim>
double SphereShape<dim>::find(const Point<dim> &x,
                              const double reach,
                              std::vector<ShapeSide<dim>> &sides) const
{
  const double d = distance(x);
  if (d > reach)
    return d;
  Tensor<1, dim> N = x - center;
  if (N.norm() == 0.)
    N[dim - 1] = 1.; // all directions are the same
  N *= (hollow ? -1. : 1.) / N.norm();
  sides.push_back({ 0, d, N, x - d * N });
  return d;
}

template <int dim>
double SphereShape<dim>::side_distance(const unsigned int,
                                       const Tensor<1, dim> &N,
                                       const Point<dim> &x) const
{
  // Beyond the centre of a ball the far side would be seen.
  const double along = N * (x - center);
  return hollow || along > 0. ? distance(x) : along - radius;
}

template <int dim>
bool SphereShape<dim>::turns_into_itself(const Point<dim> &about,
                                         const Tensor<1, 3> &axis) const
{
  if constexpr (dim == 3)
    return same_axis(center, axis, about, axis, radius);
  return center.distance(about) <= 1e-12 * radius;
}

template <int dim>
ShapePicture<dim> SphereShape<dim>::picture(const BoundingBox<dim> &) const
{
  ShapePicture<dim> picture;
  constexpr unsigned int n = 72;
  if constexpr (dim == 2)
    for (unsigned int k = 0; k < n; ++k)
    {
      const double a = 2. * numbers::PI * k / n;
      picture.points.push_back(
          center + radius * Tensor<1, 2>({ std::cos(a), std::sin(a) }));
      picture.cells.push_back({ k, (k + 1) % n });
    }
  else
    for (unsigned int i = 0; i <= n / 2; ++i)
    {
      const double b = numbers::PI * i / (n / 2);
      for (unsigned int k = 0; k < n; ++k)
      {
        const double a = 2. * numbers::PI * k / n;
        picture.points.push_back(
            center + radius * Tensor<1, 3>({ std::sin(b) * std::cos(a),
                                             std::sin(b) * std::sin(a),
                                             std::cos(b) }));
      }
      if (i > 0)
        picture.add_quads((i - 1) * n, i * n, n, true);
    }
  return picture;
}

template <int dim>
std::string SphereShape<dim>::describe() const
{
  return fmt::format("{}{} of radius {:.6g} around {}",
                     hollow ? "hollow " : "",
                     dim == 2 ? "circle" : "sphere",
                     radius,
                     text_of_point(center));
}

// ------------------------------------------------------------------- torus

TorusShape::TorusShape(const Point<3> &center,
                       const Tensor<1, 3> &axis,
                       const double radius,
                       const double minor_radius,
                       const bool hollow)
    : center(center)
    , axis(axis / axis.norm())
    , radius(radius)
    , minor_radius(minor_radius)
    , hollow(hollow)
{
}

Point<3> TorusShape::on_ring(const Point<3> &x) const
{
  Tensor<1, 3> d = x - center;
  d -= (d * axis) * axis;
  const double r = d.norm();
  return center + radius * (r > 0. ? d / r : across(axis));
}

double TorusShape::distance(const Point<3> &x) const
{
  const double d = x.distance(on_ring(x)) - minor_radius;
  return hollow ? -d : d;
}

double TorusShape::find(const Point<3> &x,
                        const double reach,
                        std::vector<ShapeSide<3>> &sides) const
{
  const double d = distance(x);
  if (d > reach)
    return d;
  Tensor<1, 3> N = x - on_ring(x);
  if (N.norm() == 0.)
    N = axis;
  N *= (hollow ? -1. : 1.) / N.norm();
  sides.push_back({ 0, d, N, x - d * N });
  return d;
}

double TorusShape::side_distance(const unsigned int,
                                 const Tensor<1, 3> &N,
                                 const Point<3> &x) const
{
  const double along = N * (x - on_ring(x));
  return hollow || along > 0. ? distance(x) : along - minor_radius;
}

bool TorusShape::turns_into_itself(const Point<3> &about,
                                   const Tensor<1, 3> &direction) const
{
  return same_axis(center, axis, about, direction, radius);
}

ShapePicture<3> TorusShape::picture(const BoundingBox<3> &) const
{
  ShapePicture<3> picture;
  constexpr unsigned int n = 48, m = 24;
  const Tensor<1, 3> e = across(axis), f = cross_product_3d(axis, e);
  for (unsigned int i = 0; i < n; ++i)
  {
    const double a       = 2. * numbers::PI * i / n;
    const Tensor<1, 3> u = std::cos(a) * e + std::sin(a) * f;
    for (unsigned int k = 0; k < m; ++k)
    {
      const double b = 2. * numbers::PI * k / m;
      picture.points.push_back(center + radius * u +
                               minor_radius *
                                   (std::cos(b) * u + std::sin(b) * axis));
    }
    picture.add_quads(i * m, ((i + 1) % n) * m, m, true);
  }
  return picture;
}

std::string TorusShape::describe() const
{
  return fmt::format("{}torus of radii {:.6g} and {:.6g} around {}, axis {}",
                     hollow ? "hollow " : "",
                     radius,
                     minor_radius,
                     text_of_point(center),
                     text_of_point(axis));
}

template class PlaneShape<2>;
template class PlaneShape<3>;
template class SphereShape<2>;
template class SphereShape<3>;
} // namespace delassus
