#include <delassus/systems/face_shape.h>

#include <gtest/gtest.h>

#include <vector>

using namespace delassus;
using dealii::Point;
using dealii::Tensor;

namespace
{
/// Coordinates of a face's nodes in the order of SkinFace.
template <int dim>
std::vector<Point<dim - 1>> node_coordinates(const unsigned int n_nodes)
{
  std::vector<Point<dim - 1>> s;
  if constexpr (dim == 2)
    s = { Point<1>(0.), Point<1>(1.), Point<1>(0.5) };
  else if (n_face_corners<dim>(n_nodes) == 3)
    s = { Point<2>(0., 0.),  Point<2>(1., 0.),   Point<2>(0., 1.),
          Point<2>(0.5, 0.), Point<2>(0.5, 0.5), Point<2>(0., 0.5) };
  else
    s = { Point<2>(0., 0.),  Point<2>(1., 0.),  Point<2>(1., 1.),
          Point<2>(0., 1.),  Point<2>(0.5, 0.), Point<2>(1., 0.5),
          Point<2>(0.5, 1.), Point<2>(0., 0.5), Point<2>(0.5, 0.5) };
  s.resize(n_nodes);
  return s;
}

template <int dim>
void check(const unsigned int n_nodes)
{
  const auto nodes = node_coordinates<dim>(n_nodes);
  for (unsigned int i = 0; i < n_nodes; ++i)
  {
    const FaceShape<dim> shape(n_nodes, nodes[i]);
    for (unsigned int k = 0; k < n_nodes; ++k)
      EXPECT_NEAR(shape.value[k], i == k ? 1. : 0., 1e-15);
  }
  Point<dim - 1> s;
  for (unsigned int j = 0; j < dim - 1; ++j)
    s[j] = 0.23 + 0.34 * j;
  const FaceShape<dim> shape(n_nodes, s);
  double sum = 0.;
  for (unsigned int k = 0; k < n_nodes; ++k)
    sum += shape.value[k];
  EXPECT_NEAR(sum, 1., 1e-15);

  // Differences of values and of derivatives (polynomials of degree 2 in each
  // coordinate: central differences are exact up to rounding).
  const double d = 1e-3;
  for (unsigned int j = 0; j < dim - 1; ++j)
  {
    Point<dim - 1> before = s, after = s;
    before[j] -= d;
    after[j] += d;
    const FaceShape<dim> a(n_nodes, before), b(n_nodes, after);
    for (unsigned int k = 0; k < n_nodes; ++k)
    {
      EXPECT_NEAR(
          (b.value[k] - a.value[k]) / (2. * d), shape.derivative[k][j], 1e-11);
      for (unsigned int i = 0; i < dim - 1; ++i)
        EXPECT_NEAR((b.derivative[k][i] - a.derivative[k][i]) / (2. * d),
                    shape.second[k][i + j],
                    1e-10);
    }
  }
}
} // namespace

TEST(FaceShape, LagrangePolynomialsAndDerivatives)
{
  for (const unsigned int n : { 2, 3 })
    check<2>(n);
  for (const unsigned int n : { 3, 4, 6, 9 })
    check<3>(n);
}

TEST(FaceShape, NormalsAndAreas)
{
  // A circle's arc as a parabola; its normal at the middle is that of the
  // circle, to the side of -90 degrees from the direction of the nodes.
  const std::vector<Point<2>> arc = { { 1., 0. }, { 0., 1. }, { 0.8, 0.8 } };
  const FaceShape<2> middle(3, Point<1>(0.5));
  EXPECT_NEAR(middle.position(3, arc).distance(arc[2]), 0., 1e-15);
  const auto n = middle.area_vector(3, arc);
  EXPECT_NEAR(n[0], 1., 1e-15);
  EXPECT_NEAR(n[1], 1., 1e-15);

  // Counter-clockwise seen from above: up. The area of a plane rectangle is
  // that of its map, for linear and quadratic nodes.
  for (const unsigned int n_nodes : { 4, 9 })
  {
    std::vector<Point<3>> x;
    for (const auto &s : node_coordinates<3>(n_nodes))
      x.emplace_back(2. * s[0], 3. * s[1], 0.5);
    const FaceShape<3> shape(n_nodes, Point<2>(0.3, 0.9));
    const auto a = shape.area_vector(n_nodes, x);
    EXPECT_NEAR((a - Tensor<1, 3>({ 0., 0., 6. })).norm(), 0., 1e-14);
    const auto p = FaceShape<3>(n_nodes, FaceShape<3>::middle(n_nodes))
                       .position(n_nodes, x);
    EXPECT_NEAR(p.distance(Point<3>(1., 1.5, 0.5)), 0., 1e-15);
  }
}
