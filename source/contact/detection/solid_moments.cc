// Volume, centre and second moments of the shapes. Solids bounded by planes,
// cylinders and so on by formulas, the others by the divergence theorem,
//   integral of f over the solid = integral of F . n over its surface, div F =
//   f,
// with quadratures that are exact for polynomials on straight pieces and
// triangles, and to rounding on arcs.
#include <delassus/contact/detection/shapes.h>
#include <delassus/contact/detection/surface_shape.h>

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace delassus
{
using namespace dealii;

namespace
{
constexpr double pi = numbers::PI;

const char *hollow_reason =
    "it is hollow, and what lies around the cavity is not known";
const char *endless_reason = "it has no end";
const char *open_reason    = "it is open and encloses nothing";
const char *nested_reason  = "a part of it lies within another";

/// S along an axis, and across it in each direction.
SymmetricTensor<2, 3>
about_axis(const Tensor<1, 3> &axis, const double along, const double across)
{
  SymmetricTensor<2, 3> S;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = i; j < 3; ++j)
      S[i][j] = (i == j ? across : 0.) + (along - across) * axis[i] * axis[j];
  return S;
}
} // namespace

template <int dim>
std::string PlaneShape<dim>::solid_moments(SolidMoments<dim> &) const
{
  return endless_reason;
}

template <int dim>
std::string SphereShape<dim>::solid_moments(SolidMoments<dim> &moments) const
{
  if (hollow)
    return hollow_reason;
  moments.volume =
      dim == 2 ? pi * radius * radius : 4. / 3. * pi * radius * radius * radius;
  moments.center = center;
  moments.second = moments.volume * radius * radius / (dim + 2.) *
                   unit_symmetric_tensor<dim>();
  return "";
}

std::string TorusShape::solid_moments(SolidMoments<3> &moments) const
{
  if (hollow)
    return hollow_reason;
  const double a2 = minor_radius * minor_radius;
  moments.volume  = 2. * pi * pi * radius * a2;
  moments.center  = center;
  moments.second =
      moments.volume *
      about_axis(axis, 0.25 * a2, 0.5 * radius * radius + 3. / 8. * a2);
  return "";
}

std::string BoxShape::solid_moments(SolidMoments<3> &moments) const
{
  if (hollow)
    return hollow_reason;
  // The rounded box is cut at the faces of its core: parts beyond none of them
  // (the core), one (slabs), two (quarters of cylinders) and three (eighths of
  // a ball). Means over the part of a ball's dimension k: of the distance xi
  // beyond one face, and of its square.
  const double r = rounding;
  const std::array<double, 4>
      content      = { { 1., 2. * r, pi * r * r, 0. } },
      mean         = { { 0., 0.5 * r, 4. * r / (3. * pi), 3. / 8. * r } },
      mean_squared = { { 0., r * r / 3., r * r / 4., r * r / 5. } };
  moments.center   = center;
  moments.volume   = 0.;
  moments.second   = SymmetricTensor<2, 3>();
  for (unsigned int beyond = 0; beyond < 8; ++beyond)
  {
    unsigned int k = 0;
    for (unsigned int c = 0; c < 3; ++c)
      k += beyond >> c & 1u;
    double volume = k == 3 ? 4. / 3. * pi * r * r * r : content[k];
    for (unsigned int c = 0; c < 3; ++c)
      if (!(beyond >> c & 1u))
        volume *= 2. * core[c];
    moments.volume += volume;
    for (unsigned int c = 0; c < 3; ++c)
      moments.second[c][c] +=
          volume *
          (beyond >> c & 1u
               ? core[c] * core[c] + 2. * core[c] * mean[k] + mean_squared[k]
               : core[c] * core[c] / 3.);
  }
  return "";
}

// ----------------------------------------------------------------- profile

std::string Profile::integrate(
    const std::function<void(const Point &, const Vector &)> &add) const
{
  if (open)
    return open_reason;
  for (const auto &piece : pieces)
    if (!std::isfinite(piece.s0) || !std::isfinite(piece.s1))
      return endless_reason;
  if (has_nested_chains())
    return nested_reason;
  // Degree 5; trigonometric polynomials of degree 4 over less than half a turn.
  static const QGauss<1> straight(3), arc(16);
  for (const auto &piece : pieces)
  {
    if (piece.mirrored)
      continue;
    const auto &rule = piece.is_arc ? arc : straight;
    const double turn =
        std::atan2(piece.n0[0] * piece.n1[1] - piece.n0[1] * piece.n1[0],
                   piece.n0 * piece.n1);
    for (unsigned int g = 0; g < rule.size(); ++g)
    {
      const double s = rule.point(g)[0], w = rule.weight(g);
      if (!piece.is_arc)
      {
        add(piece.a + s * (piece.b - piece.a),
            w * piece.a.distance(piece.b) * piece.n0);
        continue;
      }
      const double cos = std::cos(s * turn), sin = std::sin(s * turn);
      const Vector n({ cos * piece.n0[0] - sin * piece.n0[1],
                       sin * piece.n0[0] + cos * piece.n0[1] });
      add(piece.center + (piece.concave ? -1. : 1.) * piece.radius * n,
          w * piece.radius * std::abs(turn) * n);
    }
  }
  return "";
}

bool Profile::has_nested_chains() const
{
  // First pieces of the chains, and the end of the last.
  std::vector<unsigned int> first;
  for (unsigned int p = 0; p < pieces.size(); ++p)
    if (p == 0 || pieces[p].joint0 < 0 ||
        joints[pieces[p].joint0].before != int(p) - 1)
      first.push_back(p);
  if (first.size() == 1)
    return false;
  first.push_back(pieces.size());
  for (unsigned int a = 0; a + 1 < first.size(); ++a)
    for (unsigned int b = 0; b + 1 < first.size(); ++b)
    {
      if (a == b)
        continue;
      // The angle under which the chain b is seen from a point of a.
      const Point &x = pieces[first[a]].a;
      double angle   = 0.;
      for (unsigned int p = first[b]; p < first[b + 1]; ++p)
      {
        const Vector from = pieces[p].a - x, to = pieces[p].b - x;
        angle += std::atan2(from[0] * to[1] - from[1] * to[0], from * to);
      }
      if (std::abs(angle) > pi)
        return true;
    }
  return false;
}

template <int dim>
std::string ProfileShape<dim>::solid_moments(SolidMoments<dim> &moments) const
{
  if (kind == Kind::extruded)
    return profile.is_open() ? open_reason : endless_reason;
  // About the first point of the line, so that its place costs no digits; of
  // solids of revolution along the axis only.
  Point<2> o;
  bool is_first = true;
  double V      = 0.;
  Tensor<1, 2> first_moment;
  SymmetricTensor<2, 2> S;
  const auto add = [&](const Point<2> &x, const Tensor<1, 2> &n)
  {
    if (is_first)
      o = kind == Kind::revolved ? Point<2>(x[0], 0.) : x;
    is_first             = false;
    const Tensor<1, 2> p = x - o;
    if (kind == Kind::revolved)
    {
      // dV = 2 pi r dr ds; F along r.
      const double q = pi * p[1] * p[1] * n[1];
      V += q;
      first_moment[0] += p[0] * q;
      S[0][0] += p[0] * p[0] * q;
      S[1][1] += 0.25 * p[1] * p[1] * q;
      return;
    }
    V += 0.5 * (p * n);
    for (unsigned int c = 0; c < 2; ++c)
    {
      first_moment[c] += 0.5 * p[c] * p[c] * n[c];
      S[c][c] += p[c] * p[c] * p[c] * n[c] / 3.;
    }
    S[0][1] += 0.5 * p[0] * p[0] * p[1] * n[0];
  };
  const std::string reason = profile.integrate(add);
  if (!reason.empty())
    return reason;
  if (V <= 0.)
    return hollow_reason;
  const Tensor<1, 2> c = first_moment / V;
  for (unsigned int i = 0; i < 2; ++i)
    for (unsigned int j = i; j < 2; ++j)
      S[i][j] -= V * c[i] * c[j];
  moments.volume = V;
  moments.center = origin + (o[0] + c[0]) * first + (o[1] + c[1]) * second;
  if constexpr (dim == 3)
    moments.second = about_axis(first, S[0][0], S[1][1]);
  else
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = i; j < 2; ++j)
        moments.second[i][j] =
            S[0][0] * first[i] * first[j] + S[1][1] * second[i] * second[j] +
            S[0][1] * (first[i] * second[j] + second[i] * first[j]);
  return "";
}

// ----------------------------------------------------------------- surface

bool SurfaceShape::has_nested_parts() const
{
  // Parts that edges connect.
  std::vector<unsigned int> part(triangles.size());
  std::iota(part.begin(), part.end(), 0u);
  const auto root = [&](unsigned int t)
  {
    while (part[t] != t)
      t = part[t] = part[part[t]];
    return t;
  };
  for (const auto &edge : edges)
    if (edge.second >= 0)
      part[root(edge.first)] = root(edge.second);
  std::vector<unsigned int> roots;
  for (unsigned int t = 0; t < triangles.size(); ++t)
  {
    part[t] = root(t);
    if (part[t] == t)
      roots.push_back(t);
  }
  if (roots.size() == 1)
    return false;
  // Solid angles of all parts, seen from a point of each.
  std::vector<double> angle(triangles.size());
  for (const unsigned int from : roots)
  {
    const Point<3> &x = vertices[triangles[from].vertices[0]];
    std::fill(angle.begin(), angle.end(), 0.);
    for (unsigned int t = 0; t < triangles.size(); ++t)
    {
      if (part[t] == from)
        continue;
      std::array<Tensor<1, 3>, 3> a;
      std::array<double, 3> l;
      for (unsigned int k = 0; k < 3; ++k)
      {
        a[k] = vertices[triangles[t].vertices[k]] - x;
        l[k] = a[k].norm();
      }
      angle[part[t]] +=
          2. * std::atan2(a[0] * cross_product_3d(a[1], a[2]),
                          l[0] * l[1] * l[2] + (a[0] * a[1]) * l[2] +
                              (a[1] * a[2]) * l[0] + (a[2] * a[0]) * l[1]);
    }
    for (const unsigned int other : roots)
      if (std::abs(angle[other]) > 2. * pi)
        return true;
  }
  return false;
}

std::string SurfaceShape::solid_moments(SolidMoments<3> &moments) const
{
  if (open)
    return open_reason;
  if (has_nested_parts())
    return nested_reason;
  // Tetrahedra from one vertex to the triangles.
  const Point<3> o = vertices[triangles[0].vertices[0]];
  double V         = 0.;
  Tensor<1, 3> first_moment;
  SymmetricTensor<2, 3> S;
  for (const auto &triangle : triangles)
  {
    std::array<Tensor<1, 3>, 3> a;
    for (unsigned int k = 0; k < 3; ++k)
      a[k] = vertices[triangle.vertices[k]] - o;
    const Tensor<1, 3> sum = a[0] + a[1] + a[2];
    const double v         = a[0] * cross_product_3d(a[1], a[2]) / 6.;
    V += v;
    first_moment += 0.25 * v * sum;
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = i; j < 3; ++j)
        S[i][j] += v / 20. *
                   (sum[i] * sum[j] + a[0][i] * a[0][j] + a[1][i] * a[1][j] +
                    a[2][i] * a[2][j]);
  }
  if (V <= 0.)
    return hollow_reason;
  const Tensor<1, 3> c = first_moment / V;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = i; j < 3; ++j)
      S[i][j] -= V * c[i] * c[j];
  moments.volume = V;
  moments.center = o + c;
  moments.second = S;
  return "";
}

template std::string PlaneShape<2>::solid_moments(SolidMoments<2> &) const;
template std::string PlaneShape<3>::solid_moments(SolidMoments<3> &) const;
template std::string SphereShape<2>::solid_moments(SolidMoments<2> &) const;
template std::string SphereShape<3>::solid_moments(SolidMoments<3> &) const;
template std::string ProfileShape<2>::solid_moments(SolidMoments<2> &) const;
template std::string ProfileShape<3>::solid_moments(SolidMoments<3> &) const;
} // namespace delassus
