#include <delassus/contact/detection/surface_shape.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace delassus
{
using namespace dealii;

namespace
{
/// What rounding may move a point by, in sizes of the surface.
constexpr double rounding = 1e-9;
} // namespace

SurfaceShape::SurfaceShape(const SurfaceMesh<3> &mesh,
                           const Point<3> &origin,
                           const bool hollow,
                           const std::string &name)
    : vertices(mesh.vertices)
    , open(mesh.open)
{
  for (auto &v : vertices)
    v += origin - Point<3>();
  this->name = fmt::format("{}{} surface {} of {} triangles",
                           hollow ? "hollow " : "",
                           open ? "open" : "closed",
                           name,
                           mesh.faces.size());
  vertex_normals.resize(vertices.size());
  vertex_edges.resize(vertices.size());
  std::map<std::pair<unsigned int, unsigned int>, unsigned int> edge_number;
  std::vector<std::pair<BoundingBox<3>, unsigned int>> boxes;
  for (unsigned int f = 0; f < mesh.faces.size(); ++f)
  {
    Triangle triangle;
    triangle.vertices = mesh.faces[f];
    if (hollow)
      std::swap(triangle.vertices[0], triangle.vertices[1]);
    const auto x = [&](const unsigned int k)
    { return vertices[triangle.vertices[k % 3]]; };
    triangle.normal = cross_product_3d(x(1) - x(0), x(2) - x(0));
    triangle.normal /= triangle.normal.norm();
    Point<3> low = x(0), high = x(0);
    for (unsigned int k = 0; k < 3; ++k)
    {
      for (unsigned int c = 0; c < 3; ++c)
      {
        low[c]  = std::min(low[c], x(k)[c]);
        high[c] = std::max(high[c], x(k)[c]);
      }
      const Tensor<1, 3> a = x(k + 1) - x(k), b = x(k + 2) - x(k);
      const double angle =
          std::acos(std::min(1., std::max(-1., a * b / (a.norm() * b.norm()))));
      vertex_normals[triangle.vertices[k]] += angle * triangle.normal;
      const unsigned int v = triangle.vertices[k],
                         w = triangle.vertices[(k + 1) % 3];
      const auto key       = std::minmax(v, w);
      const auto inserted  = edge_number.emplace(
          std::make_pair(key.first, key.second), edges.size());
      triangle.edges[k] = inserted.first->second;
      if (inserted.second)
      {
        edges.push_back({ v, w, int(f), -1, Kind::boundary, triangle.normal });
        vertex_edges[v].push_back(edges.size() - 1);
        vertex_edges[w].push_back(edges.size() - 1);
      }
      else
        edges[triangle.edges[k]].second = f;
    }
    boxes.emplace_back(BoundingBox<3>({ low, high }), f);
    triangles.push_back(triangle);
  }
  for (const auto &v : vertices)
    size = std::max(size, v.distance(vertices[0]));
  for (auto &n : vertex_normals)
    if (n.norm() > 0.)
      n /= n.norm();
  for (auto &edge : edges)
    if (edge.second >= 0)
    {
      const auto &one = triangles[edge.first], &two = triangles[edge.second];
      edge.normal = one.normal + two.normal;
      if (edge.normal.norm() > 0.)
        edge.normal /= edge.normal.norm();
      // Along the edge as the first triangle goes, its outward direction in
      // its plane is along x normal: towards it the other normal turns at a
      // convex edge.
      const Tensor<1, 3> along = vertices[edge.b] - vertices[edge.a];
      const double turn =
          cross_product_3d(one.normal, two.normal) * along / along.norm();
      edge.kind = turn < -1e-7                   ? Kind::concave
                  : turn > 1e-7                  ? Kind::convex
                  : one.normal * two.normal > 0. ? Kind::smooth
                                                 : Kind::convex;
    }
  tree = pack_rtree(boxes);
}

SurfaceShape::Foot SurfaceShape::project(const unsigned int triangle,
                                         const Point<3> &x) const
{
  const auto &v     = triangles[triangle].vertices;
  const Point<3> &A = vertices[v[0]], &B = vertices[v[1]], &C = vertices[v[2]];
  // Regions of the plane around a triangle, by the signs of the products of
  // its edges with the ways from its corners.
  const Tensor<1, 3> ab = B - A, ac = C - A, ax = x - A;
  const double d1 = ab * ax, d2 = ac * ax;
  if (d1 <= 0. && d2 <= 0.)
    return { A, 4 };
  const Tensor<1, 3> bx = x - B;
  const double d3 = ab * bx, d4 = ac * bx;
  if (d3 >= 0. && d4 <= d3)
    return { B, 5 };
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0. && d1 >= 0. && d3 <= 0.)
    return { A + (d1 / (d1 - d3)) * ab, 1 };
  const Tensor<1, 3> cx = x - C;
  const double d5 = ab * cx, d6 = ac * cx;
  if (d6 >= 0. && d5 <= d6)
    return { C, 6 };
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0. && d2 >= 0. && d6 <= 0.)
    return { A + (d2 / (d2 - d6)) * ac, 3 };
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0. && d4 - d3 >= 0. && d5 - d6 >= 0.)
    return { B + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (C - B), 2 };
  const double sum = va + vb + vc;
  return { A + (vb / sum) * ab + (vc / sum) * ac, 0 };
}

bool SurfaceShape::is_at_rim(const Triangle &triangle, const Point<3> &x) const
{
  for (unsigned int k = 0; k < 3; ++k)
  {
    const Edge &edge = edges[triangle.edges[k]];
    if (edge.kind != Kind::convex && edge.kind != Kind::boundary)
      continue;
    const Tensor<1, 3> along = vertices[edge.b] - vertices[edge.a];
    const Tensor<1, 3> out   = cross_product_3d(along, triangle.normal);
    if (std::abs(out * (x - vertices[edge.a])) <=
        rounding * size * along.norm())
      return true;
  }
  return false;
}

bool SurfaceShape::sees_vertex(const unsigned int v, const Point<3> &x) const
{
  const Tensor<1, 3> d = x - vertices[v];
  for (const unsigned int e : vertex_edges[v])
  {
    const unsigned int w = edges[e].a == v ? edges[e].b : edges[e].a;
    if (d * (vertices[w] - vertices[v]) > 0.)
      return false;
  }
  return true;
}

void SurfaceShape::look(const unsigned int f,
                        const Point<3> &x,
                        const double reach,
                        double &nearest,
                        double &phi,
                        std::vector<ShapeSide<3>> *sides) const
{
  const Triangle &triangle = triangles[f];
  const Foot foot          = project(f, x);
  const Tensor<1, 3> d     = x - foot.point;
  const double distance    = d.norm();
  const double height  = triangle.normal * (x - vertices[triangle.vertices[0]]);
  const bool on_edge   = foot.feature >= 1 && foot.feature <= 3;
  const unsigned int e = on_edge ? triangle.edges[foot.feature - 1]
                                 : numbers::invalid_unsigned_int;
  const unsigned int v = foot.feature >= 4 ? triangle.vertices[foot.feature - 4]
                                           : numbers::invalid_unsigned_int;
  const Tensor<1, 3> &normal = on_edge            ? edges[e].normal
                               : foot.feature > 0 ? vertex_normals[v]
                                                  : triangle.normal;
  if (distance < nearest)
  {
    nearest = distance;
    phi     = d * normal >= 0. ? distance : -distance;
  }
  if (!sides || distance > std::max(reach, 0.))
    return;

  const auto add = [&](const unsigned int side,
                       const double value,
                       const Tensor<1, 3> &N,
                       const bool only_behind = false,
                       const bool at_rim      = false)
  {
    for (const auto &other : *sides)
      if (other.side == side)
        return;
    Point<3> middle = foot.point;
    if (side == f)
      middle = (1. / 3.) * (vertices[triangle.vertices[0]] +
                            (vertices[triangle.vertices[1]] - Point<3>()) +
                            (vertices[triangle.vertices[2]] - Point<3>()));
    sides->push_back({ side, value, N, middle, only_behind, at_rim });
  };
  const auto add_feature = [&](const unsigned int side)
  {
    // On a smooth surface the mean normal; else from the closest point to x.
    if (distance <= 2. * rounding * size)
      add(side, distance, normal);
    else if (d * normal > 0.)
      add(side, distance, d / distance);
  };
  const Tensor<1, 3> out = d - (d * triangle.normal) * triangle.normal;
  const double beyond    = out.norm();
  // At a convex edge it is rounding that says whether the foot lies on the
  // triangle: who has reached the surface is held by it on either side.
  const bool rim = height <= rounding * size && beyond <= rounding * size &&
                   is_at_rim(triangle, x);
  if (rim)
    add(f, height, triangle.normal, false, true);
  if (foot.feature == 0)
    add(f, height, triangle.normal);
  else if (on_edge)
  {
    const Edge &edge = edges[e];
    const int other  = edge.first == int(f) ? edge.second : edge.first;
    // Beyond a smooth edge the other triangle is nearer; on it, one of them
    // must do.
    if (edge.kind == Kind::smooth)
    {
      if (beyond <= 1e-9 * size)
        add(f, height, triangle.normal);
    }
    else if (edge.kind == Kind::concave)
    {
      // In the corner the half-spaces of both triangles hold: this one as far
      // as the other stands above it, farther only for a point that has sunk
      // into the other.
      double extent = 0.;
      for (const unsigned int w : triangles[other].vertices)
        extent = std::max(extent, (vertices[w] - foot.point) * out);
      add(f,
          height,
          triangle.normal,
          beyond > 1e-9 * size && beyond * beyond > extent);
    }
    else if (other < 0 ||
             project(other, x).point.distance(foot.point) <= 1e-9 * size)
      add_feature(triangles.size() + e);
  }
  else
  {
    // The two edges of this triangle at the vertex.
    const unsigned int k = foot.feature - 4;
    const Kind one       = edges[triangle.edges[k]].kind,
               two       = edges[triangle.edges[(k + 2) % 3]].kind;
    const auto holds     = [](const Kind kind)
    { return kind == Kind::concave || kind == Kind::smooth; };
    if (holds(one) && holds(two))
    {
      const bool corner = one == Kind::concave || two == Kind::concave;
      if (corner || beyond <= 1e-9 * size)
        add(f, height, triangle.normal, corner && beyond > 1e-9 * size);
    }
    else if (sees_vertex(v, x))
      add_feature(triangles.size() + edges.size() + v);
  }
}

double SurfaceShape::find(const Point<3> &x,
                          const double reach,
                          std::vector<ShapeSide<3>> &sides) const
{
  double nearest = std::numeric_limits<double>::infinity(), phi = nearest;
  const Tensor<1, 3> r({ reach, reach, reach });
  const BoundingBox<3> box({ x - r, x + r });
  for (auto it = tree.qbegin(boost::geometry::index::intersects(box));
       it != tree.qend();
       ++it)
    look(it->second, x, reach, nearest, phi, &sides);
  keep_valid(phi, sides);
  return phi;
}

double SurfaceShape::distance(const Point<3> &x) const
{
  double nearest = std::numeric_limits<double>::infinity(), phi = nearest;
  // A few triangles whose boxes are near bound the distance; then all that can
  // be nearer.
  for (auto it = tree.qbegin(boost::geometry::index::nearest(x, 4));
       it != tree.qend();
       ++it)
    look(it->second, x, 0., nearest, phi, nullptr);
  const double bound = nearest * (1. + 1e-12);
  const Tensor<1, 3> r({ bound, bound, bound });
  for (auto it = tree.qbegin(boost::geometry::index::intersects(
           BoundingBox<3>({ x - r, x + r })));
       it != tree.qend();
       ++it)
    look(it->second, x, 0., nearest, phi, nullptr);
  return phi;
}

double SurfaceShape::side_distance(const unsigned int side,
                                   const Tensor<1, 3> &N,
                                   const Point<3> &x) const
{
  if (side < triangles.size())
    return triangles[side].normal * (x - vertices[triangles[side].vertices[0]]);
  if (side < triangles.size() + edges.size())
    return N * (x - vertices[edges[side - triangles.size()].a]);
  return N * (x - vertices[side - triangles.size() - edges.size()]);
}

ShapePicture<3> SurfaceShape::picture(const BoundingBox<3> &) const
{
  ShapePicture<3> picture;
  picture.points = vertices;
  for (const auto &triangle : triangles)
    picture.cells.push_back(
        { triangle.vertices[0], triangle.vertices[1], triangle.vertices[2] });
  return picture;
}

std::string SurfaceShape::describe() const
{
  return name;
}
} // namespace delassus
