#include <delassus/contact/detection/shapes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
template <int dim>
std::string text(const Tensor<1, dim> &p)
{
  std::string result = "(";
  for (unsigned int c = 0; c < dim; ++c)
    result += fmt::format("{}{:.6g}", c > 0 ? ", " : "", p[c]);
  return result + ")";
}

/// Whether an axis through @p a is the axis through @p b along @p direction.
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

/// A closed strip of quadrilaterals between two rows of points.
void add_quads(std::vector<std::vector<unsigned int>> &cells,
               const unsigned int row,
               const unsigned int next_row,
               const unsigned int n,
               const bool closed)
{
  for (unsigned int k = 0; k + (closed ? 0 : 1) < n; ++k)
  {
    const unsigned int j = (k + 1) % n;
    cells.push_back({ row + k, row + j, next_row + j, next_row + k });
  }
}
} // namespace

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
  return fmt::format("plane through {}, normal {}", text(point), text(normal));
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
        add_quads(picture.cells, (i - 1) * n, i * n, n, true);
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
                     text(center));
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
    add_quads(picture.cells, i * m, ((i + 1) % n) * m, m, true);
  }
  return picture;
}

std::string TorusShape::describe() const
{
  return fmt::format("{}torus of radii {:.6g} and {:.6g} around {}, axis {}",
                     hollow ? "hollow " : "",
                     radius,
                     minor_radius,
                     text(center),
                     text(axis));
}

// --------------------------------------------------------------------- box

BoxShape::BoxShape(const Point<3> &low,
                   const Tensor<1, 3> &size,
                   const double rounding,
                   const bool hollow)
    : center(low + 0.5 * size)
    , core(0.5 * size - rounding * Tensor<1, 3>({ 1., 1., 1. }))
    , rounding(rounding)
    , hollow(hollow)
{
}

double BoxShape::solid_distance(const Point<3> &x) const
{
  double outside = 0., inside = -std::numeric_limits<double>::max();
  for (unsigned int c = 0; c < 3; ++c)
  {
    const double q = std::abs(x[c] - center[c]) - core[c];
    inside         = std::max(inside, q);
    outside += std::max(0., q) * std::max(0., q);
  }
  return (inside > 0. ? std::sqrt(outside) : inside) - rounding;
}

double BoxShape::distance(const Point<3> &x) const
{
  const double d = solid_distance(x);
  return hollow ? -d : d;
}

double BoxShape::find(const Point<3> &x,
                      const double reach,
                      std::vector<ShapeSide<3>> &sides) const
{
  const double phi = distance(x);
  // Where the core's closest point is, and how far beyond the core x lies.
  Tensor<1, 3> beyond;
  unsigned int code = 0, n_beyond = 0;
  // Sharp edges: which faces the point is flush with, but for rounding, and
  // the edge or corner of all these.
  const double equal = rounding > 0. || hollow ? -1. : 1e-9 * core.norm();
  std::array<bool, 3> flush;
  Tensor<1, 3> flush_normal;
  Point<3> flush_middle = center;
  unsigned int edge = 0, n_flush = 0;
  double farthest = -std::numeric_limits<double>::max();
  for (unsigned int c = 0, digit = 1; c < 3; ++c, digit *= 3)
  {
    const double d = x[c] - center[c];
    const double q = std::abs(d) - core[c];
    if (q > 0.)
    {
      beyond[c] = d > 0. ? q : -q;
      ++n_beyond;
    }
    code += digit * (q > 0. ? (d > 0. ? 2 : 0) : 1);
    farthest = std::max(farthest, q);
    flush[c] = std::abs(q) <= equal;
    if (flush[c])
    {
      ++n_flush;
      flush_normal[c] = d > 0. ? 1. : -1.;
      flush_middle[c] += flush_normal[c] * core[c];
    }
    edge += digit * (flush[c] ? (d > 0. ? 2 : 0) : 1);
  }
  const auto add_face = [&](const unsigned int c, const int sign)
  {
    const double d = core[c] + rounding - sign * (x[c] - center[c]);
    Tensor<1, 3> N;
    N[c]               = hollow ? -sign : sign;
    unsigned int digit = 1;
    for (unsigned int i = 0; i < c; ++i)
      digit *= 3;
    Point<3> middle = center;
    middle[c] += sign * (core[c] + rounding);
    const bool at_rim = n_flush > (flush[c] ? 1u : 0u);
    sides.push_back(
        { 13 + sign * digit, hollow ? d : -d, N, middle, false, at_rim });
  };

  // At an edge rounding says how far the face reaches: who has reached the
  // surface is held by the face on either side.
  if (n_flush > 0 && farthest <= equal)
  {
    for (unsigned int c = 0; c < 3; ++c)
      for (const int sign : { -1, 1 })
        add_face(c, sign);
    if (n_flush > 1)
      sides.push_back(
          { edge, phi, flush_normal / flush_normal.norm(), flush_middle });
    return phi;
  }

  if (!hollow && n_beyond > 0)
  {
    // One side: face, edge or corner of the core.
    if (phi <= reach)
    {
      const double norm = beyond.norm();
      sides.push_back({ code, phi, beyond / norm, x - (phi / norm) * beyond });
    }
    return phi;
  }
  if (hollow && rounding > 0. && n_beyond > 1)
  {
    // In a fillet; the walls of the other axes as well.
    const double norm = beyond.norm();
    if (phi <= reach)
      sides.push_back(
          { code, phi, -1. * beyond / norm, x + (phi / norm) * beyond });
    for (unsigned int c = 0; c < 3; ++c)
      if (beyond[c] == 0.)
        for (const int sign : { -1, 1 })
          if (core[c] + rounding - sign * (x[c] - center[c]) <= reach)
            add_face(c, sign);
    return phi;
  }
  for (unsigned int c = 0; c < 3; ++c)
    for (const int sign : { -1, 1 })
    {
      const double d = core[c] + rounding - sign * (x[c] - center[c]);
      if (!hollow || d <= reach)
        add_face(c, sign);
    }
  return phi;
}

double BoxShape::side_distance(const unsigned int side,
                               const Tensor<1, 3> &N,
                               const Point<3> &x) const
{
  // From the part of the core (a plane, a line or a point), less the rounding.
  Tensor<1, 3> d;
  double outward = 0.;
  for (unsigned int c = 0, code = side; c < 3; ++c, code /= 3)
    if (code % 3 != 1)
    {
      const double sign = code % 3 == 2 ? 1. : -1.;
      d[c]              = x[c] - center[c] - sign * core[c];
      outward           = sign * d[c];
    }
  if (is_flat(side))
    return (hollow ? -1. : 1.) * (outward - rounding);
  if (hollow)
    return rounding - d.norm();
  const double along = N * d;
  return (rounding > 0. && along > 0. ? d.norm() : along) - rounding;
}

bool BoxShape::is_flat(const unsigned int side) const
{
  unsigned int n_fixed = 0;
  for (unsigned int c = 0, code = side; c < 3; ++c, code /= 3)
    n_fixed += code % 3 != 1;
  return n_fixed == 1;
}

ShapePicture<3> BoxShape::picture(const BoundingBox<3> &) const
{
  // A grid on each face of the sharp box, drawn to the rounded one.
  ShapePicture<3> picture;
  std::array<std::vector<double>, 3> ticks;
  for (unsigned int c = 0; c < 3; ++c)
  {
    const unsigned int n = rounding > 0. ? 6 : 1;
    for (unsigned int k = 0; rounding > 0. && k < n; ++k)
      ticks[c].push_back(-core[c] - rounding * (1. - double(k) / n));
    ticks[c].push_back(-core[c]);
    ticks[c].push_back(core[c]);
    for (unsigned int k = 1; rounding > 0. && k <= n; ++k)
      ticks[c].push_back(core[c] + rounding * double(k) / n);
  }
  for (unsigned int c = 0; c < 3; ++c)
    for (const double sign : { -1., 1. })
    {
      const unsigned int a = (c + 1) % 3, b = (c + 2) % 3;
      for (unsigned int i = 0; i < ticks[a].size(); ++i)
      {
        const unsigned int row = picture.points.size();
        for (const double v : ticks[b])
        {
          Tensor<1, 3> p, q;
          p[c] = sign * (core[c] + rounding);
          p[a] = ticks[a][i];
          p[b] = v;
          for (unsigned int k = 0; k < 3; ++k)
            q[k] = std::min(core[k], std::max(-core[k], p[k]));
          const Tensor<1, 3> d = p - q;
          picture.points.push_back(
              center + q + (d.norm() > 0. ? rounding / d.norm() * d : d));
        }
        if (i > 0)
          add_quads(picture.cells,
                    row - ticks[b].size(),
                    row,
                    ticks[b].size(),
                    false);
      }
    }
  return picture;
}

std::string BoxShape::describe() const
{
  const Tensor<1, 3> half = core + rounding * Tensor<1, 3>({ 1., 1., 1. });
  return fmt::format(
      "{}box from {} to {}{}",
      hollow ? "hollow " : "",
      text<3>(center - half),
      text<3>(center + half),
      rounding > 0. ? fmt::format(", rounded by {:.6g}", rounding) : "");
}

// ----------------------------------------------------------------- profile

template <int dim>
ProfileShape<dim>::ProfileShape(const Profile &profile,
                                const Kind kind,
                                const Point<dim> &origin,
                                const Tensor<1, dim> &first,
                                const Tensor<1, dim> &second,
                                const std::string &name)
    : profile(profile)
    , kind(kind)
    , origin(origin)
    , first(first)
    , second(second)
    , name(name)
{
}

template <int dim>
Point<2> ProfileShape<dim>::flatten(const Point<dim> &x,
                                    Tensor<1, dim> &across_axis) const
{
  const Tensor<1, dim> d = x - origin;
  across_axis            = second;
  if (kind == Kind::revolved)
  {
    const Tensor<1, dim> radial = d - (d * first) * first;
    const double r              = radial.norm();
    if (r > 0.)
      across_axis = radial / r;
    return Point<2>(d * first, r);
  }
  return Point<2>(d * first, d * second);
}

template <int dim>
double ProfileShape<dim>::distance(const Point<dim> &x) const
{
  Tensor<1, dim> e;
  return profile.distance(flatten(x, e));
}

template <int dim>
double ProfileShape<dim>::find(const Point<dim> &x,
                               const double reach,
                               std::vector<ShapeSide<dim>> &sides) const
{
  Tensor<1, dim> e;
  const Point<2> p = flatten(x, e);
  static thread_local std::vector<ShapeSide<2>> found;
  found.clear();
  const double phi = profile.find(p, reach, found);
  for (const auto &side : found)
  {
    const Tensor<1, dim> along = x - origin - p[0] * first - p[1] * e;
    sides.push_back(
        { side.side,
          side.distance,
          side.normal[0] * first + side.normal[1] * e,
          origin + along + side.middle[0] * first + side.middle[1] * e,
          side.only_behind,
          side.at_rim });
  }
  return phi;
}

template <int dim>
double ProfileShape<dim>::side_distance(const unsigned int side,
                                        const Tensor<1, dim> &N,
                                        const Point<dim> &x) const
{
  Tensor<1, dim> e;
  const Point<2> p = flatten(x, e);
  return profile.side_distance(side, Tensor<1, 2>({ N * first, N * e }), p);
}

template <int dim>
bool ProfileShape<dim>::is_flat(const unsigned int side) const
{
  return kind != Kind::revolved && profile.is_flat(side);
}

template <int dim>
bool ProfileShape<dim>::turns_into_itself(const Point<dim> &center,
                                          const Tensor<1, 3> &axis) const
{
  if constexpr (dim == 3)
    return kind == Kind::revolved &&
           same_axis(origin,
                     first,
                     center,
                     axis,
                     std::max(1e-300, (center - origin).norm()));
  return false;
}

template <int dim>
ShapePicture<dim>
ProfileShape<dim>::picture(const BoundingBox<dim> &around) const
{
  const auto ends     = around.get_boundary_points();
  const double extent = 2. * (ends.first.distance(ends.second) +
                              around.center().distance(origin));
  ShapePicture<dim> picture;
  for (const auto &line : profile.polylines(extent))
    if constexpr (dim == 2)
    {
      for (unsigned int i = 0; i < line.size(); ++i)
      {
        if (i > 0)
          picture.cells.push_back(
              { static_cast<unsigned int>(picture.points.size() - 1),
                static_cast<unsigned int>(picture.points.size()) });
        picture.points.push_back(origin + line[i][0] * first +
                                 line[i][1] * second);
      }
    }
    else
    {
      const unsigned int n = line.size();
      const auto add_row =
          [&](const Tensor<1, dim> &shift, const Tensor<1, dim> &e)
      {
        for (const auto &p : line)
          picture.points.push_back(origin + shift + p[0] * first + p[1] * e);
      };
      if (kind == Kind::extruded)
      {
        const Tensor<1, 3> axis = cross_product_3d(first, second);
        double low = std::numeric_limits<double>::max(), high = -low;
        for (unsigned int v = 0; v < 8; ++v)
        {
          const double s = (around.vertex(v) - origin) * axis;
          low            = std::min(low, s);
          high           = std::max(high, s);
        }
        const double margin = 0.1 * (high - low);
        add_row((low - margin) * axis, second);
        add_row((high + margin) * axis, second);
        add_quads(picture.cells,
                  picture.points.size() - 2 * n,
                  picture.points.size() - n,
                  n,
                  false);
      }
      else
      {
        constexpr unsigned int m = 64;
        const unsigned int start = picture.points.size();
        const Tensor<1, 3> e = across(first), f = cross_product_3d(first, e);
        for (unsigned int k = 0; k < m; ++k)
        {
          const double a = 2. * numbers::PI * k / m;
          add_row(Tensor<1, 3>(), std::cos(a) * e + std::sin(a) * f);
          add_quads(picture.cells,
                    start + k * n,
                    start + ((k + 1) % m) * n,
                    n,
                    false);
        }
      }
    }
  return picture;
}

template <int dim>
std::string ProfileShape<dim>::describe() const
{
  return name + " at " + text(origin);
}

template class PlaneShape<2>;
template class PlaneShape<3>;
template class SphereShape<2>;
template class SphereShape<3>;
template class ProfileShape<2>;
template class ProfileShape<3>;
} // namespace delassus
