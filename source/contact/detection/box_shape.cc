// A box, sharp or rounded.
#include <delassus/contact/detection/shapes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

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
          picture.add_quads(row - ticks[b].size(), row, ticks[b].size(), false);
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
      text_of_point<3>(center - half),
      text_of_point<3>(center + half),
      rounding > 0. ? fmt::format(", rounded by {:.6g}", rounding) : "");
}
} // namespace delassus
