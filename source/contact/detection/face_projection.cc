#include <delassus/contact/detection/face_projection.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
double clamped(const double value)
{
  return std::min(1., std::max(0., value));
}

/// Move coordinates into the face; returns by how much they were outside.
template <int dim>
double clamp_to_face(const unsigned int n_corners, Point<dim - 1> &s)
{
  double outside = 0.;
  if (dim == 3 && n_corners == 3)
  {
    double &a = s[0], &b = s[dim - 2];
    outside          = std::max({ 0., -a, -b, a + b - 1. });
    a                = std::max(0., a);
    b                = std::max(0., b);
    const double sum = std::max(1., a + b);
    a /= sum;
    b /= sum;
  }
  else
    for (unsigned int j = 0; j < dim - 1; ++j)
    {
      const double in = clamped(s[j]);
      outside         = std::max(outside, std::abs(s[j] - in));
      s[j]            = in;
    }
  return outside;
}

/// Unclamped coordinates of the closest point of the straight face through the
/// corners.
template <int dim>
Point<dim - 1> project_on_corners(const unsigned int n_corners,
                                  const std::array<Point<dim>, 9> &X,
                                  const Point<dim> &p)
{
  Point<dim - 1> s;
  if constexpr (dim == 2)
  {
    const Tensor<1, dim> t = X[1] - X[0];
    s[0]                   = ((p - X[0]) * t) / (t * t);
  }
  else if (n_corners == 3)
  {
    const Tensor<1, dim> a = X[1] - X[0], b = X[2] - X[0], d = p - X[0];
    const double aa = a * a, ab = a * b, bb = b * b, ad = a * d, bd = b * d;
    const double det = aa * bb - ab * ab;
    s[0]             = (bb * ad - ab * bd) / det;
    s[1]             = (aa * bd - ab * ad) / det;
  }
  else
  {
    // Bilinear quadrilateral, M + u A + v B + u v C with u, v in [-1/2, 1/2]:
    // Gauss-Newton on |p - X(u, v)|^2, exact after one step for a
    // parallelogram.
    double A[3], B[3], C[3], d[3];
    for (unsigned int c = 0; c < 3; ++c)
    {
      const double e = X[2][c] - X[0][c], f = X[1][c] - X[3][c];
      A[c] = 0.5 * (e + f);
      B[c] = 0.5 * (e - f);
      C[c] = (X[0][c] - X[1][c]) + (X[2][c] - X[3][c]);
      d[c] = p[c] - 0.25 * ((X[0][c] + X[2][c]) + (X[1][c] + X[3][c]));
    }
    double u = 0., v = 0.;
    for (unsigned int k = 0; k < 10; ++k)
    {
      double aa = 0., ab = 0., bb = 0., ar = 0., br = 0.;
      for (unsigned int c = 0; c < 3; ++c)
      {
        const double a = A[c] + v * C[c], b = B[c] + u * C[c];
        const double r = d[c] - u * a - v * B[c];
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ar += a * r;
        br += b * r;
      }
      const double inverse = 1. / (aa * bb - ab * ab);
      const double du      = (bb * ar - ab * br) * inverse;
      const double dv      = (aa * br - ab * ar) * inverse;
      u += du;
      v += dv;
      if (std::abs(du) + std::abs(dv) < 1e-13)
        break;
      // Far away the map may fold over: such a point is outside anyway.
      if (std::abs(u) > 2.5 || std::abs(v) > 2.5)
        break;
    }
    s[0] = 0.5 + u;
    s[1] = 0.5 + v;
  }
  return s;
}

/// Newton's method for the minimum of |p - x(s)|^2 from a guess: Gauss-Newton
/// where the second derivative is not positive, steps halved until they reduce
/// the distance, coordinates kept within reach of the face.
template <int dim>
Point<dim - 1> closest_coordinates(const unsigned int n_nodes,
                                   const std::array<Point<dim>, 9> &X,
                                   const Point<dim> &p,
                                   Point<dim - 1> s)
{
  FaceShape<dim> shape;
  const auto distance = [&](const Point<dim - 1> &at)
  {
    shape.reinit(n_nodes, at);
    return p.distance_square(shape.position(n_nodes, X));
  };
  for (unsigned int j = 0; j < dim - 1; ++j)
    s[j] = std::min(1.25, std::max(-0.25, s[j]));
  double best = distance(s);
  for (unsigned int k = 0; k < 30; ++k)
  {
    const Tensor<1, dim> r = p - shape.position(n_nodes, X);
    std::array<Tensor<1, dim>, dim - 1> t;
    std::array<Tensor<1, dim>, dim == 2 ? 1 : 3> bend;
    for (unsigned int v = 0; v < n_nodes; ++v)
    {
      for (unsigned int j = 0; j < dim - 1; ++j)
        t[j] += shape.derivative[v][j] * X[v];
      for (unsigned int j = 0; j < bend.size(); ++j)
        bend[j] += shape.second[v][j] * X[v];
    }
    Tensor<1, dim - 1> b;
    Tensor<2, dim - 1> gauss, full;
    for (unsigned int i = 0; i < dim - 1; ++i)
    {
      b[i] = t[i] * r;
      for (unsigned int j = 0; j < dim - 1; ++j)
      {
        gauss[i][j] = t[i] * t[j];
        full[i][j]  = gauss[i][j] - r * bend[i + j];
      }
    }
    const bool positive = determinant(full) > 1e-3 * determinant(gauss) &&
                          trace(full) > 1e-3 * trace(gauss);
    const Tensor<1, dim - 1> step = invert(positive ? full : gauss) * b;
    Point<dim - 1> next;
    double reached = best;
    double length  = 1.;
    for (unsigned int i = 0; i < 12; ++i, length *= 0.5)
    {
      for (unsigned int j = 0; j < dim - 1; ++j)
        next[j] = std::min(1.25, std::max(-0.25, s[j] + length * step[j]));
      reached = distance(next);
      // Close to the minimum the distance no longer tells.
      if (reached < best || (positive && step.norm() < 1e-5))
        break;
    }
    if (!(reached < best) && !(positive && step.norm() < 1e-5))
    {
      shape.reinit(n_nodes, s);
      break;
    }
    const double moved = (next - s).norm();
    s                  = next;
    best               = reached;
    if (moved < 1e-14)
      break;
  }
  return s;
}
} // namespace

template <int dim>
FaceProjection<dim> project_on_face(const unsigned int n_nodes,
                                    const std::array<Point<dim>, 9> &X,
                                    const Point<dim> &p)
{
  FaceProjection<dim> result;
  const unsigned int n_corners = n_face_corners<dim>(n_nodes);
  result.s                     = project_on_corners<dim>(n_corners, X, p);
  if (is_quadratic_face<dim>(n_nodes))
    result.s = closest_coordinates<dim>(n_nodes, X, p, result.s);
  result.outside = clamp_to_face<dim>(n_corners, result.s);
  if constexpr (dim == 3)
    if (n_nodes == 4)
    {
      // As FaceShape, which takes longer as it finds derivatives too.
      const double s = result.s[0], r = result.s[1];
      result.weights[0] = (1. - s) * (1. - r);
      result.weights[1] = s * (1. - r);
      result.weights[2] = s * r;
      result.weights[3] = (1. - s) * r;
      return result;
    }
  const FaceShape<dim> shape(n_nodes, result.s);
  std::copy_n(shape.value.begin(), n_nodes, result.weights.begin());
  return result;
}

template <int dim>
void project_on_edge(const unsigned int n_nodes,
                     const unsigned int edge,
                     const std::array<Point<dim>, 9> &X,
                     const Point<dim> &p,
                     std::array<double, 9> &weights)
{
  weights.fill(0.);
  if constexpr (dim == 2)
  {
    weights[edge] = 1.;
    (void)n_nodes;
    (void)X;
    (void)p;
  }
  else
  {
    const unsigned int n_corners = n_face_corners<dim>(n_nodes);
    const unsigned int a = edge, b = (edge + 1) % n_corners;
    const Tensor<1, dim> t = X[b] - X[a];
    double s               = clamped(((p - X[a]) * t) / (t * t));
    if (!is_quadratic_face<dim>(n_nodes))
    {
      weights[a] = 1. - s;
      weights[b] = s;
      return;
    }
    const unsigned int m = n_corners + edge;
    FaceShape<2> line;
    for (unsigned int k = 0; k < 20; ++k)
    {
      line.reinit(3, Point<1>(s));
      const Tensor<1, dim> r =
          p - (line.value[0] * X[a] + line.value[1] * Tensor<1, dim>(X[b]) +
               line.value[2] * Tensor<1, dim>(X[m]));
      const Tensor<1, dim> d = line.derivative[0][0] * Tensor<1, dim>(X[a]) +
                               line.derivative[1][0] * Tensor<1, dim>(X[b]) +
                               line.derivative[2][0] * Tensor<1, dim>(X[m]);
      const double next = clamped(s + (d * r) / (d * d));
      const bool done   = std::abs(next - s) < 1e-14;
      s                 = next;
      if (done)
        break;
    }
    line.reinit(3, Point<1>(s));
    weights[a] = line.value[0];
    weights[b] = line.value[1];
    weights[m] = line.value[2];
  }
}

#define INSTANTIATE(dim)                                                       \
  template FaceProjection<dim> project_on_face<dim>(                           \
      const unsigned int,                                                      \
      const std::array<Point<dim>, 9> &,                                       \
      const Point<dim> &);                                                     \
  template void project_on_edge<dim>(const unsigned int,                       \
                                     const unsigned int,                       \
                                     const std::array<Point<dim>, 9> &,        \
                                     const Point<dim> &,                       \
                                     std::array<double, 9> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
