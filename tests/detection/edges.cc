// A point exactly under the edge of an obstacle touches the face beside it,
// wherever the obstacle is and however it is turned: rounding must not decide.
#include <delassus/contact/detection/obstacle.h>
#include <delassus/contact/detection/surface_shape.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;
using dealii::Point;
using dealii::Tensor;

namespace
{
/// A punch whose lower face z = 0 (2D: y = 0) ends at x = -1 and x = 1.
template <int dim>
std::vector<ObstacleParameters> punches(const double shift, const double angle)
{
  std::vector<ObstacleParameters> all;
  const auto add = [&](const std::string &name, const ObstacleType type)
  {
    ObstacleParameters p;
    p.name                = name;
    p.type                = type;
    p.rotation            = std::to_string(angle);
    p.rotation_axis       = { 0., 1., 0. };
    std::vector<double> o = { shift, 0.7 * shift, -0.3 * shift };
    o.resize(dim);
    p.center = p.point = o;
    all.push_back(p);
    return &all.back();
  };
  auto *p     = add("box", ObstacleType::box);
  p->point[0] = shift - 1.;
  p->size     = { 2., 1.5, 1. };
  p->size.resize(dim);
  if (dim == 3)
    p->size = { 2., 4., 1. }, p->point[1] -= 2.;
  p          = add("profile", ObstacleType::extruded_profile);
  p->profile = {
    { -1., 0. }, { -1., 1. }, { 1., 1. }, { 1., 0. }, { -1., 0. }
  };
  p->axis    = { 0., -1., 0. };
  p->normal  = { 0., 0., 1. };
  p          = add("sheet", ObstacleType::extruded_profile);
  p->profile = { { 1., 0. }, { -1., 0. } };
  p->axis    = { 0., -1., 0. };
  p->normal  = { 0., 0., 1. };
  if (dim == 3)
  {
    p         = add("cylinder", ObstacleType::cylinder);
    p->axis   = { 0., 0., 1. };
    p->radius = 1.;
    p->length = 2.;
  }
  return all;
}

/// All sides that a candidate below the punch sees, which looks up.
template <int dim>
std::vector<ShapeSide<dim>> seen(const Obstacle<dim> &obstacle,
                                 const Point<dim> &at_rest,
                                 const Tensor<1, dim> &n)
{
  std::vector<ShapeSide<dim>> sides;
  const Point<dim> x = obstacle.place(at_rest, 0.);
  const Tensor<1, dim> turned =
      obstacle.place(at_rest + n, 0.) - obstacle.place(at_rest, 0.);
  obstacle.touch(x, turned / turned.norm(), 0., 0.2, 0.2, sides);
  return sides;
}

template <int dim>
void check_edges(const double shift, const double angle)
{
  // What positions of this size are rounded to.
  const double ulp = 2e-16 * std::max(2., shift);
  Tensor<1, dim> up;
  up[dim - 1] = 1.;
  for (const auto &parameters : punches<dim>(shift, angle))
  {
    const Obstacle<dim> obstacle(parameters);
    Tensor<1, dim> expected = obstacle.place(Point<dim>() - up, 0.) -
                              obstacle.place(Point<dim>(), 0.);
    expected /= expected.norm();
    for (const double edge : { -1., 1. })
      for (const double height : { -0.01, -4. * ulp, 0., 4. * ulp, 0.05 })
        for (const double beyond : { -4. * ulp, -ulp, 0., ulp, 4. * ulp })
        {
          Point<dim> x;
          for (unsigned int c = 0; c < dim; ++c)
            x[c] = parameters.center[c];
          x[0] += edge + beyond * edge;
          x[dim - 1] -= height;
          const auto sides = seen(obstacle, x, up);
          ASSERT_EQ(sides.size(), 1u)
              << parameters.name << " in " << dim << "D, edge " << edge
              << ", height " << height << ", beyond " << beyond / ulp
              << " roundings, shifted by " << shift << ", turned by " << angle;
          EXPECT_LT((sides[0].normal - expected).norm(), 1e-6)
              << parameters.name << ", edge " << edge << ", height " << height
              << ", beyond " << beyond / ulp;
          EXPECT_NEAR(sides[0].distance, height, 100. * ulp);
        }
    // Who is beyond the edge by more than rounding, and below it, has passed.
    Point<dim> x;
    for (unsigned int c = 0; c < dim; ++c)
      x[c] = parameters.center[c];
    x[0] += 1. + 1e-6;
    x[dim - 1] += 0.01;
    EXPECT_TRUE(seen(obstacle, x, up).empty()) << parameters.name;
  }
}
} // namespace

TEST(Edges, ExactlyUnderAnEdgeIsUnderTheFace)
{
  for (const double shift : { 0., 1e3 })
    for (const double angle : { 0., 30., 137. })
    {
      check_edges<2>(shift, angle);
      check_edges<3>(shift, angle);
    }
}

// The corner of a body on the corner of an obstacle: one contact, with the
// normal between the faces. What looks along one of them touches the other.
TEST(Edges, CornerOnCornerIsOneContact)
{
  for (const auto &parameters : punches<2>(0., 0.))
    if (parameters.name != "sheet")
    {
      const Obstacle<2> obstacle(parameters);
      const auto diagonal =
          seen<2>(obstacle, Point<2>(1., 0.), Tensor<1, 2>({ -1., 1. }));
      ASSERT_EQ(diagonal.size(), 1u);
      EXPECT_NEAR(diagonal[0].normal[0], std::sqrt(0.5), 1e-12);
      const auto side =
          seen<2>(obstacle, Point<2>(1., 0.), Tensor<1, 2>({ -1., 0. }));
      ASSERT_EQ(side.size(), 1u);
      EXPECT_NEAR(side[0].normal[0], 1., 1e-12);
    }
  for (const auto &parameters : punches<3>(0., 0.))
    if (parameters.name == "box")
    {
      const Obstacle<3> obstacle(parameters);
      const auto diagonal = seen<3>(
          obstacle, Point<3>(1., 2., 0.), Tensor<1, 3>({ -1., -1., 1. }));
      ASSERT_EQ(diagonal.size(), 1u);
      EXPECT_NEAR(diagonal[0].normal[0], std::sqrt(1. / 3.), 1e-12);
      const auto below =
          seen<3>(obstacle, Point<3>(1., 2., 0.), Tensor<1, 3>({ 0., 0., 1. }));
      ASSERT_EQ(below.size(), 1u);
      EXPECT_NEAR(below[0].normal[2], -1., 1e-12);
    }
}

// The same of a triangulated box.
TEST(Edges, OfTriangles)
{
  for (const double shift : { 0., 1e3 })
  {
    std::vector<Point<3>> x;
    for (unsigned int v = 0; v < 8; ++v)
      x.emplace_back(v & 1 ? 1. : -1., v & 2 ? 1. : -1., v & 4 ? 1. : 0.);
    const std::vector<std::vector<unsigned int>> quads = {
      { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
      { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 }
    };
    std::vector<std::vector<unsigned int>> triangles;
    for (const auto &q : quads)
    {
      triangles.push_back({ q[0], q[1], q[2] });
      triangles.push_back({ q[0], q[2], q[3] });
    }
    const Point<3> origin(shift, 0.7 * shift, -0.3 * shift);
    const SurfaceShape shape(
        make_surface_mesh<3>(x, triangles, "box"), origin, false, "box");
    const Tensor<1, 3> up({ 0., 0., 1. });
    const double ulp = 2e-16 * std::max(2., shift);
    std::vector<ShapeSide<3>> sides;
    // Along an edge, at a corner, and where the diagonal ends.
    for (const double y : { -1., -0.3, 0.2, 1. })
      for (const double height : { -0.01, -4. * ulp, 0., 4. * ulp, 0.05 })
        for (const double beyond : { -4. * ulp, -ulp, 0., ulp, 4. * ulp })
        {
          const Point<3> p = origin + Tensor<1, 3>({ 1. + beyond, y, -height });
          shape.touch(p, up, 0.2, 0.2, sides);
          ASSERT_EQ(sides.size(), 1u)
              << "y " << y << ", height " << height << ", beyond "
              << beyond / ulp << " roundings, shifted by " << shift;
          EXPECT_LT((sides[0].normal + up).norm(), 1e-6)
              << "y " << y << ", height " << height << ", beyond "
              << beyond / ulp;
          EXPECT_NEAR(sides[0].distance, height, 100. * ulp);
        }
    shape.touch(
        origin + Tensor<1, 3>({ 1. + 1e-6, 0.2, 0.01 }), up, 0.2, 0.2, sides);
    EXPECT_TRUE(sides.empty());
  }
}
