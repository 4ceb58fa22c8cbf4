// Signed distance and normals of every shape against finite differences and
// against points sampled on its surface.
#include <delassus/base/exceptions.h>
#include <delassus/contact/detection/obstacle.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace delassus;
using dealii::Point;
using dealii::Tensor;

namespace
{
ObstacleParameters named(const std::string &name, const ObstacleType type)
{
  ObstacleParameters p;
  p.name = name;
  p.type = type;
  return p;
}

/// Obstacles of all kinds, around the origin and a few units large.
std::vector<ObstacleParameters> obstacles_2d()
{
  std::vector<ObstacleParameters> all;
  auto p   = named("plane", ObstacleType::plane);
  p.point  = { 0.3, -0.2 };
  p.normal = { 0.6, 0.8 };
  all.push_back(p);
  for (const bool hollow : { false, true })
  {
    p        = named("circle", ObstacleType::sphere);
    p.hollow = hollow;
    p.point  = { 0.2, 0.1 };
    p.radius = 1.3;
    all.push_back(p);
    for (const double rounding : { 0., 0.4 })
    {
      p          = named("box", ObstacleType::box);
      p.hollow   = hollow;
      p.point    = { -1., -0.8 };
      p.size     = { 2., 1.5 };
      p.rounding = rounding;
      all.push_back(p);
    }
    for (const bool fillets : { false, true })
    {
      // A step with a groove, open; and an L, closed.
      p         = named("die", ObstacleType::extruded_profile);
      p.hollow  = hollow;
      p.point   = { 0.1, 0. };
      p.profile = { { -3., 0. }, { -1., 0. }, { -0.5, -1. },
                    { 1., -1. }, { 1., 0.5 }, { 3., 0.7 } };
      if (fillets)
        p.fillets = { 0.3, 0.2, 0.4, 0.25 };
      all.push_back(p);
      p         = named("angle", ObstacleType::extruded_profile);
      p.hollow  = hollow;
      p.point   = { -0.5, -0.5 };
      p.profile = { { 0., 0. },  { 2., 0. }, { 2., 0.7 }, { 0.6, 0.7 },
                    { 0.6, 2. }, { 0., 2. }, { 0., 0. } };
      if (fillets)
        p.fillets = { 0.2 };
      all.push_back(p);
    }
  }
  return all;
}

std::vector<ObstacleParameters> obstacles_3d()
{
  const std::vector<double> axis = { 1. / 3., 2. / 3., -2. / 3. };
  std::vector<ObstacleParameters> all;
  auto p   = named("plane", ObstacleType::plane);
  p.point  = { 0.3, -0.2, 0.1 };
  p.normal = { 0.6, 0., 0.8 };
  all.push_back(p);
  for (const bool hollow : { false, true })
  {
    p        = named("sphere", ObstacleType::sphere);
    p.hollow = hollow;
    p.point  = { 0.2, 0.1, -0.1 };
    p.radius = 1.3;
    all.push_back(p);
    for (const double length : { 0., 1.5 })
      for (const double rounding : { 0., 0.3 })
      {
        if (length == 0. && rounding > 0.)
          continue;
        p          = named("cylinder", ObstacleType::cylinder);
        p.hollow   = hollow;
        p.point    = { 0.2, -0.3, 0.4 };
        p.axis     = axis;
        p.radius   = 0.9;
        p.length   = length;
        p.rounding = rounding;
        all.push_back(p);
        p.name       = "cone";
        p.type       = ObstacleType::cone;
        p.half_angle = 25.;
        p.rounding   = 0.5 * rounding;
        for (const double radius : { 0., 0.5 })
        {
          p.radius = radius;
          all.push_back(p);
        }
      }
    p              = named("torus", ObstacleType::torus);
    p.hollow       = hollow;
    p.point        = { 0., 0.1, 0. };
    p.axis         = axis;
    p.radius       = 1.;
    p.minor_radius = 0.35;
    all.push_back(p);
    for (const double rounding : { 0., 0.35 })
    {
      p          = named("box", ObstacleType::box);
      p.hollow   = hollow;
      p.point    = { -1., -0.8, -0.6 };
      p.size     = { 2., 1.5, 1. };
      p.rounding = rounding;
      all.push_back(p);
    }
    for (const bool fillets : { false, true })
    {
      p         = named("extruded", ObstacleType::extruded_profile);
      p.hollow  = hollow;
      p.point   = { 0.1, 0., 0. };
      p.axis    = { 0., 1., 0. };
      p.normal  = { 0., 0., 1. };
      p.profile = { { -3., 0. }, { -1., 0. }, { -0.5, -1. },
                    { 1., -1. }, { 1., 0.5 }, { 3., 0.7 } };
      if (fillets)
        p.fillets = { 0.3, 0.2, 0.4, 0.25 };
      all.push_back(p);
      // A reel: both ends on the axis; and a ring.
      p         = named("reel", ObstacleType::revolved_profile);
      p.hollow  = hollow;
      p.point   = { 0., 0., -0.2 };
      p.axis    = axis;
      p.profile = { { -1., 0. },  { -1., 1. },  { -0.6, 1. }, { -0.4, 0.5 },
                    { 0.5, 0.5 }, { 0.7, 1.1 }, { 1., 1.1 },  { 1.2, 0. } };
      if (fillets)
        p.fillets = { 0.1 };
      all.push_back(p);
      p.name    = "ring";
      p.profile = {
        { -0.5, 0.5 }, { 0.5, 0.6 }, { 0.4, 1.2 }, { -0.4, 1. }, { -0.5, 0.5 }
      };
      if (fillets)
        p.fillets = { 0.15 };
      all.push_back(p);
    }
  }
  return all;
}

template <int dim>
std::string title(const Obstacle<dim> &obstacle)
{
  return obstacle.shape->describe();
}

template <int dim>
void check(const std::vector<ObstacleParameters> &all)
{
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-2., 2.);
  dealii::BoundingBox<dim> box;
  {
    Point<dim> low, high;
    for (unsigned int c = 0; c < dim; ++c)
    {
      low[c]  = -4.;
      high[c] = 4.;
    }
    box = dealii::BoundingBox<dim>({ low, high });
  }
  for (const auto &parameters : all)
  {
    const Obstacle<dim> obstacle(parameters);
    const Shape<dim> &shape = *obstacle.shape;
    // Points drawn for pictures lie on the surface.
    const auto picture = shape.picture(box);
    ASSERT_FALSE(picture.points.empty()) << title(obstacle);
    for (const auto &x : picture.points)
      EXPECT_LT(std::abs(shape.distance(x)), 1e-12) << title(obstacle);

    unsigned int n_behind = 0, n_checked = 0;
    std::vector<ShapeSide<dim>> sides;
    for (unsigned int k = 0; k < 2000; ++k)
    {
      Point<dim> x;
      for (unsigned int c = 0; c < dim; ++c)
        x[c] = uniform(random);
      const double phi = shape.distance(x);
      n_behind += phi < 0.;
      // No point of the surface is nearer (the picture is a sample of it).
      for (std::size_t i = 0; i < picture.points.size(); i += 7)
        ASSERT_GE(x.distance(picture.points[i]), std::abs(phi) - 1e-12)
            << title(obstacle);

      sides.clear();
      const double same = shape.find(x, 100., sides);
      ASSERT_NEAR(same, phi, 1e-13) << title(obstacle);
      ASSERT_FALSE(sides.empty() && phi > 0.) << title(obstacle) << " " << x;
      // Outside: the nearest side is the distance, its foot lies on the
      // surface, and its normal is the gradient of the distance.
      const ShapeSide<dim> *nearest = nullptr;
      for (const auto &side : sides)
      {
        EXPECT_NEAR(side.normal.norm(), 1., 1e-12);
        EXPECT_NEAR(shape.side_distance(side.side, side.normal, x),
                    side.distance,
                    1e-13)
            << title(obstacle) << " side " << side.side;
        if (side.distance >= 0. &&
            (!nearest || side.distance < nearest->distance))
          nearest = &side;
      }
      if (phi < 0. || !nearest)
        continue;
      ASSERT_NEAR(nearest->distance, phi, 1e-13) << title(obstacle);
      EXPECT_LT(
          std::abs(shape.distance(x - nearest->distance * nearest->normal)),
          1e-12)
          << title(obstacle);
      // Away from ridges, where two sides are as near.
      Tensor<1, dim> gradient;
      const double e = 1e-6;
      for (unsigned int c = 0; c < dim; ++c)
      {
        Tensor<1, dim> d;
        d[c]        = e;
        gradient[c] = (shape.distance(x + d) - shape.distance(x - d)) / (2 * e);
      }
      if (std::abs(gradient.norm() - 1.) > 1e-6)
        continue;
      ++n_checked;
      EXPECT_LT((gradient - nearest->normal).norm(), 1e-6)
          << title(obstacle) << " " << x;
    }
    EXPECT_GT(n_checked, 20u) << title(obstacle);
    EXPECT_GT(n_behind, 10u) << title(obstacle);
  }
}
} // namespace

TEST(Shapes, DistanceAndNormalsInThePlane)
{
  check<2>(obstacles_2d());
}

TEST(Shapes, DistanceAndNormalsInSpace)
{
  check<3>(obstacles_3d());
}

TEST(Shapes, HollowIsTheOtherSide)
{
  for (const auto type :
       { ObstacleType::sphere, ObstacleType::cylinder, ObstacleType::torus })
  {
    auto p         = named("x", type);
    p.point        = { 0., 0., 0. };
    p.axis         = { 0., 0., 1. };
    p.radius       = 1.;
    p.minor_radius = 0.5;
    p.length       = type == ObstacleType::cylinder ? 2. : 0.;
    const Obstacle<3> solid(p);
    p.hollow = true;
    const Obstacle<3> hollow(p);
    for (const double z : { -0.3, 0.1, 0.7, 3. })
      for (const double x : { 0.2, 0.9, 2. })
        EXPECT_NEAR(solid.distance(Point<3>(x, 0.1, z), 0.),
                    -hollow.distance(Point<3>(x, 0.1, z), 0.),
                    1e-14);
  }
}

namespace
{
/// Sides seen by a candidate that looks in direction n.
std::vector<ShapeSide<2>> seen(const Obstacle<2> &obstacle,
                               const Point<2> &x,
                               const Tensor<1, 2> &n,
                               const double reach = 0.1)
{
  std::vector<ShapeSide<2>> sides;
  obstacle.touch(x, n / n.norm(), 0., reach, 0.1, sides);
  return sides;
}

Tensor<1, 2> v(const double x, const double y)
{
  return Tensor<1, 2>({ x, y });
}

ObstacleParameters corner()
{
  auto p    = named("corner", ObstacleType::extruded_profile);
  p.point   = { 0., 0. };
  p.profile = { { -5., 0. }, { 0., 0. }, { 0., 5. } };
  return p;
}
} // namespace

TEST(Corners, AConcaveOneHoldsOnBothSides)
{
  const Obstacle<2> obstacle(corner());
  // In front of both, behind one, behind both, exactly in the corner.
  for (const auto &x : { Point<2>(-0.05, 0.05),
                         Point<2>(-0.05, -0.01),
                         Point<2>(0.01, 0.03),
                         Point<2>(0.01, -0.02),
                         Point<2>(0., 0.),
                         Point<2>(6e-17, 3e-17),
                         Point<2>(-6e-17, -3e-17),
                         Point<2>(6e-17, -3e-17) })
  {
    const auto sides = seen(obstacle, x, v(1., -1.));
    ASSERT_EQ(sides.size(), 2u) << x;
    for (const auto &side : sides)
      if (side.normal[1] > 0.5)
      {
        EXPECT_NEAR(side.distance, x[1], 1e-15);
      }
      else
      {
        EXPECT_NEAR(side.normal[0], -1., 1e-15);
        EXPECT_NEAR(side.distance, -x[0], 1e-15);
      }
  }
  // A point that looks down only does not feel the wall.
  EXPECT_EQ(seen(obstacle, Point<2>(-0.05, 0.05), v(0., -1.)).size(), 1u);
  // Far from the wall.
  EXPECT_EQ(seen(obstacle, Point<2>(-2., 0.05), v(1., -1.)).size(), 1u);
}

TEST(Corners, AConvexOneHoldsOnce)
{
  auto p  = named("table", ObstacleType::box);
  p.point = { -5., -1. };
  p.size  = { 5., 1. };
  const Obstacle<2> table(p);
  // On top, off the edge, beside, and sunk in: always one side.
  const auto top = seen(table, Point<2>(-0.01, 0.02), v(-1., -1.));
  ASSERT_EQ(top.size(), 1u);
  EXPECT_NEAR(top[0].normal[1], 1., 1e-15);
  const auto edge = seen(table, Point<2>(0.03, 0.04), v(-1., -1.));
  ASSERT_EQ(edge.size(), 1u);
  EXPECT_NEAR(edge[0].distance, 0.05, 1e-15);
  EXPECT_NEAR(edge[0].normal[0], 0.6, 1e-14);
  const auto side = seen(table, Point<2>(0.03, -0.04), v(-1., -1.));
  ASSERT_EQ(side.size(), 1u);
  EXPECT_NEAR(side[0].normal[0], 1., 1e-15);
  const auto sunk = seen(table, Point<2>(-0.02, -0.01), v(-1., -1.));
  ASSERT_EQ(sunk.size(), 1u);
  EXPECT_NEAR(sunk[0].distance, -0.01, 1e-15);
  EXPECT_NEAR(sunk[0].normal[1], 1., 1e-15);
  // Deep inside only what faces the point counts: nearer to the bottom, but
  // it came from above.
  const auto deep = seen(table, Point<2>(-2., -0.9), v(0., -1.));
  ASSERT_EQ(deep.size(), 1u);
  EXPECT_NEAR(deep[0].normal[1], 1., 1e-15);
  // Below it nothing holds a point that looks down.
  EXPECT_TRUE(seen(table, Point<2>(-2., -1.05), v(0., -1.), 3.).empty());
}

TEST(Corners, AFilletIsPassedWithoutAJump)
{
  auto p    = corner();
  p.profile = { { -5., 0. }, { 0., 0. }, { 0., 2. }, { 3., 2. } };
  p.fillets = { 0.5, 0.4 };
  const Obstacle<2> obstacle(p);
  // Along the profile at a small distance, from the floor up the wall and over
  // the top: the normal turns by no more than the way divided by the smallest
  // radius of the path.
  Point<2> x(-2., 0.05);
  Tensor<1, 2> before = v(0., 1.);
  const double step   = 0.01;
  unsigned int n      = 0;
  while (x[0] < 1. && n < 2000)
  {
    std::vector<ShapeSide<2>> sides;
    obstacle.touch(x, -before, 0., 0.2, 0.1, sides);
    ASSERT_EQ(sides.size(), 1u) << x;
    EXPECT_LT((sides[0].normal - before).norm(), step / 0.35) << x;
    before = sides[0].normal;
    x -= (sides[0].distance - 0.05) * before;
    x += step * v(before[1], -before[0]);
    ++n;
  }
  EXPECT_GE(x[0], 1.);
  EXPECT_NEAR(x[1], 2.05, 1e-3);
}

TEST(Thin, AWayThroughItIsNoticed)
{
  auto p  = named("plate", ObstacleType::box);
  p.point = { -5., -0.01 };
  p.size  = { 5., 0.01 };
  const Obstacle<2> plate(p);
  EXPECT_TRUE(plate.shape->is_crossed(Point<2>(-1., 0.2), Point<2>(-1., -0.3)));
  EXPECT_TRUE(plate.shape->is_crossed(Point<2>(-1., 0.), Point<2>(-1., -0.3)));
  EXPECT_TRUE(
      plate.shape->is_crossed(Point<2>(-1., -1e-13), Point<2>(-1.2, -0.3)));
  // Past its edge, away from it, along it.
  EXPECT_FALSE(plate.shape->is_crossed(Point<2>(0.1, 0.2), Point<2>(0.1, -1.)));
  EXPECT_FALSE(plate.shape->is_crossed(Point<2>(-1., 0.2), Point<2>(1., -0.1)));
  EXPECT_FALSE(plate.shape->is_crossed(Point<2>(-1., 0.), Point<2>(-1., 1.)));
  EXPECT_FALSE(plate.shape->is_crossed(Point<2>(-1., 0.), Point<2>(1., 0.)));
  EXPECT_FALSE(plate.shape->is_crossed(Point<2>(-1., 0.1), Point<2>(3., 0.1)));
}

TEST(Motion, OfARigidBody)
{
  auto p          = named("moving", ObstacleType::box);
  p.point         = { -1., -0.8, -0.6 };
  p.size          = { 2., 1.5, 1. };
  p.displacement  = "0.3*t; t^2; -0.1*t";
  p.rotation      = "40*t";
  p.center        = { 0.5, 0.2, 0.1 };
  p.rotation_axis = { 2. / 3., 1. / 3., 2. / 3. };
  const Obstacle<3> obstacle(p);
  const double t = 0.7, h             = 1e-6;
  const Point<3> X(0.3, -1.2, 0.7), x = obstacle.place(X, t);
  EXPECT_LT(obstacle.rest_place(x, t).distance(X), 1e-14);
  EXPECT_NEAR(obstacle.distance(x, t), obstacle.shape->distance(X), 1e-14);
  // Distances are kept, and the velocity is that of the material point.
  const Point<3> Y(1., 0.4, -0.3);
  EXPECT_NEAR(x.distance(obstacle.place(Y, t)), X.distance(Y), 1e-14);
  const Tensor<1, 3> fd = (obstacle.place(X, t + h) - x) / h;
  EXPECT_LT((obstacle.velocity(x, t, h) - fd).norm(), 1e-5);
  // The normal part of U_imp is the rate of the gap at a fixed point.
  std::vector<ShapeSide<3>> sides;
  Tensor<1, 3> n = obstacle.place(Y, t) - x;
  obstacle.touch(x, n / n.norm(), t, 2., 0.1, sides);
  ASSERT_FALSE(sides.empty());
  for (const auto &side : sides)
  {
    const auto U = obstacle.imposed_velocity(side.side, side.normal, x, t, h);
    const double rate =
        (obstacle.distance(x, t + h) - obstacle.distance(x, t)) / h;
    EXPECT_NEAR(U * side.normal, rate, 1e-5);
    // And the tangential part the velocity of the surface.
    const auto V = obstacle.velocity(x - side.distance * side.normal, t, h);
    const Tensor<1, 3> slip = U + V;
    EXPECT_LT((slip - (slip * side.normal) * side.normal).norm(), 1e-9);
  }
}

TEST(Motion, OfACylinderThatTurnsAboutItsAxis)
{
  auto p          = named("roll", ObstacleType::cylinder);
  p.point         = { 0., 0., 0. };
  p.axis          = { 0., 1., 0. };
  p.radius        = 2.;
  p.rotation      = "100*t";
  p.center        = { 0., 3., 0. };
  p.rotation_axis = { 0., 1., 0. };
  const Obstacle<3> roll(p);
  const Point<3> x(0., 0.4, 2.1);
  std::vector<ShapeSide<3>> sides;
  roll.touch(x, Tensor<1, 3>({ 0., 0., -1. }), 0.3, 0.5, 0.1, sides);
  ASSERT_EQ(sides.size(), 1u);
  EXPECT_NEAR(sides[0].distance, 0.1, 1e-14);
  // omega y x R z = omega R x, whatever the step; no recession.
  const auto U =
      roll.imposed_velocity(sides[0].side, sides[0].normal, x, 0.3, 0.1);
  const double speed = 100. * std::acos(-1.) / 180. * 2.;
  EXPECT_NEAR(U[0], -speed, 1e-12 * speed);
  EXPECT_NEAR(U[2], 0., 1e-12 * speed);
  dealii::BoundingBox<3> box({ Point<3>(-1., -1., -1.), Point<3>(1., 1., 1.) });
  EXPECT_EQ(roll.travel(box, 0., 1.), 0.);
}

TEST(BadShapes, AreNamed)
{
  const auto error = [](const ObstacleParameters &p) -> std::string
  {
    try
    {
      Obstacle<2> obstacle(p);
    }
    catch (const InputError &e)
    {
      return e.what();
    }
    return "";
  };
  auto p    = corner();
  p.fillets = { 6. };
  EXPECT_NE(error(p).find("fillets"), std::string::npos) << error(p);
  p         = corner();
  p.profile = { { 0., 0. }, { 1., 0. }, { 1., 0. } };
  EXPECT_NE(error(p).find("the same"), std::string::npos) << error(p);
  p.profile = { { 0., 0. }, { 1., 0. }, { 0.5, 0. } };
  EXPECT_NE(error(p).find("turns back"), std::string::npos) << error(p);
  p.profile = { { 0., 0. }, { 2., 0. }, { 2., 1. }, { 1., 1. }, { 1., -1. } };
  EXPECT_NE(error(p).find("crosses itself"), std::string::npos) << error(p);
}
