// Triangulated obstacles against analytic ones, and surfaces that are none.
#include <delassus/base/exceptions.h>
#include <delassus/contact/detection/obstacle.h>
#include <delassus/contact/detection/surface_shape.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <unistd.h>

using namespace delassus;
using dealii::Point;
using dealii::Tensor;

namespace
{
/// The quadrilaterals or lines of a picture as a surface of its own, some of
/// them turned around.
template <int dim>
SurfaceMesh<dim> surface_of(const Shape<dim> &shape)
{
  Point<dim> low, high;
  for (unsigned int c = 0; c < dim; ++c)
    high[c] = 1.;
  const auto picture = shape.picture(dealii::BoundingBox<dim>({ low, high }));
  std::vector<std::vector<unsigned int>> faces;
  for (std::size_t i = 0; i < picture.cells.size(); ++i)
  {
    const auto &c = picture.cells[i];
    if (dim == 2)
      faces.push_back(i % 3 == 0 ? std::vector<unsigned int>{ c[1], c[0] } : c);
    else
    {
      // Quadrilaterals at a pole are triangles.
      const auto is_flat =
          [&](const unsigned int a, const unsigned int b, const unsigned int d)
      {
        const auto &p = picture.points;
        return p[a].distance(p[b]) < 1e-9 || p[b].distance(p[d]) < 1e-9 ||
               p[a].distance(p[d]) < 1e-9;
      };
      if (!is_flat(c[0], c[1], c[2]))
        faces.push_back({ c[0], c[1], c[2] });
      if (!is_flat(c[0], c[2], c[3]))
        faces.push_back(i % 3 == 0
                            ? std::vector<unsigned int>{ c[0], c[3], c[2] }
                            : std::vector<unsigned int>{ c[0], c[2], c[3] });
    }
  }
  return make_surface_mesh<dim>(picture.points, faces, "surface");
}

ObstacleParameters box_parameters(const bool hollow)
{
  ObstacleParameters p;
  p.name   = "box";
  p.type   = ObstacleType::box;
  p.point  = { -1., -0.8, -0.6 };
  p.size   = { 2., 1.5, 1. };
  p.hollow = hollow;
  return p;
}

std::string error_of(const std::vector<Point<3>> &x,
                     const std::vector<std::vector<unsigned int>> &faces)
{
  try
  {
    make_surface_mesh<3>(x, faces, "part.stl");
  }
  catch (const InputError &e)
  {
    return e.what();
  }
  return "";
}

/// A file of its own, removed at the end.
class TextFile
{
public:
  TextFile(const std::string &name, const std::string &text)
      : path((std::filesystem::temp_directory_path() /
              ("delassus_" + std::to_string(getpid()) + "_" + name))
                 .string())
  {
    std::ofstream(path) << text;
  }
  ~TextFile()
  {
    std::filesystem::remove(path);
  }
  const std::string path;
};
} // namespace

TEST(Triangles, OfABoxAreTheBox)
{
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.6, 1.6);
  for (const bool hollow : { false, true })
  {
    const Obstacle<3> box(box_parameters(hollow));
    const auto mesh = surface_of(*box.shape);
    EXPECT_FALSE(mesh.open);
    EXPECT_EQ(mesh.vertices.size(), 8u);
    const SurfaceShape shape(mesh, Point<3>(), hollow, "box");
    std::vector<ShapeSide<3>> a, b;
    for (unsigned int k = 0; k < 3000; ++k)
    {
      Point<3> x;
      Tensor<1, 3> n;
      for (unsigned int c = 0; c < 3; ++c)
      {
        x[c] = uniform(random);
        n[c] = uniform(random);
      }
      n /= n.norm();
      const double phi = box.shape->distance(x);
      EXPECT_NEAR(shape.distance(x), phi, 1e-14) << x;
      // The same constraints, in a small and in a large reach.
      for (const double reach : { 0.2, 1. })
      {
        if (phi < -reach)
          continue;
        box.shape->touch(x, n, reach, 0.1, a);
        shape.touch(x, n, reach, 0.1, b);
        const auto has = [](const std::vector<ShapeSide<3>> &sides,
                            const ShapeSide<3> &wanted)
        {
          for (const auto &side : sides)
            if ((side.normal - wanted.normal).norm() < 1e-12 &&
                std::abs(side.distance - wanted.distance) < 1e-12)
              return true;
          return false;
        };
        std::ostringstream message;
        message << x << " n " << n << " reach " << reach << " phi " << phi;
        const std::string where = message.str();
        if (phi >= 0.)
        {
          ASSERT_EQ(a.size(), b.size()) << where;
          for (const auto &side : a)
            EXPECT_TRUE(has(b, side)) << where;
        }
        else
        {
          // Behind the surface triangles are looked for within reach only.
          for (const auto &side : b)
            EXPECT_TRUE(has(a, side)) << where;
          for (const auto &side : a)
            if (side.distance < 0. && side.distance >= phi - 1e-12)
            {
              EXPECT_TRUE(has(b, side)) << where;
            }
        }
        for (const auto &side : b)
          EXPECT_NEAR(shape.side_distance(side.side, side.normal, x),
                      side.distance,
                      1e-14);
      }
    }
  }
}

TEST(Triangles, OfASphereAreNearIt)
{
  ObstacleParameters p;
  p.type   = ObstacleType::sphere;
  p.point  = { 0., 0., 0. };
  p.radius = 1.;
  const Obstacle<3> ball(p);
  const auto mesh = surface_of(*ball.shape);
  const SurfaceShape shape(mesh, Point<3>(), false, "ball");
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.6, 1.6);
  for (unsigned int k = 0; k < 1000; ++k)
  {
    const Point<3> x(uniform(random), uniform(random), uniform(random));
    // Chords of 72 and 36 parts: 1 - cos(pi / 36) at most, twice.
    EXPECT_NEAR(shape.distance(x), ball.shape->distance(x), 0.01);
  }
}

TEST(Triangles, FromAFileThatMovesLikeTheBox)
{
  const TextFile file("box.geo", R"(
SetFactory("OpenCASCADE");
Box(1) = {-10, -8, -6, 20, 15, 10};
Mesh.MeshSizeMin = 7; Mesh.MeshSizeMax = 7;
)");
  auto parameters          = box_parameters(false);
  parameters.displacement  = "0.2*t; sin(t); 0";
  parameters.rotation      = "70*t";
  parameters.rotation_axis = { 0.6, 0., 0.8 };
  parameters.center        = { 0.2, 0.1, 0. };
  const Obstacle<3> box(parameters);
  parameters.type  = ObstacleType::surface;
  parameters.file  = file.path;
  parameters.scale = 0.1;
  parameters.point = { 0., 0., 0. };
  const Obstacle<3> surface(parameters);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.6, 1.6);
  for (unsigned int k = 0; k < 500; ++k)
  {
    const Point<3> x(uniform(random), uniform(random), uniform(random));
    const double t = uniform(random), h = 0.01;
    EXPECT_NEAR(surface.distance(x, t), box.distance(x, t), 1e-12);
    EXPECT_LT((surface.velocity(x, t, h) - box.velocity(x, t, h)).norm(),
              1e-13);
  }
}

TEST(Triangles, LinesFromAFileAreAProfile)
{
  const TextFile file("die.geo", R"(
Point(1) = {-3, 0, 0}; Point(2) = {-1, 0, 0}; Point(3) = {-1, -1, 0};
Point(4) = {1, -1, 0}; Point(5) = {1, 0.5, 0}; Point(6) = {3, 0.5, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5};
Line(5) = {5, 6};
Physical Curve("die") = {1, 2, 3, 4, 5};
Physical Curve("other") = {5};
Mesh.MeshSizeMin = 0.1; Mesh.MeshSizeMax = 0.1;
)");
  ObstacleParameters p;
  p.type          = ObstacleType::surface;
  p.point         = { 0., 0. };
  p.file          = file.path;
  p.physical_name = "die";
  const Obstacle<2> surface(p);
  p.type    = ObstacleType::extruded_profile;
  p.profile = { { -3., 0. }, { -1., 0. }, { -1., -1. },
                { 1., -1. }, { 1., 0.5 }, { 3., 0.5 } };
  const Obstacle<2> profile(p);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-2.5, 2.5);
  std::vector<ShapeSide<2>> a, b;
  for (unsigned int k = 0; k < 2000; ++k)
  {
    const Point<2> x(uniform(random), uniform(random));
    Tensor<1, 2> n({ uniform(random), uniform(random) });
    n /= n.norm();
    EXPECT_NEAR(surface.distance(x, 0.), profile.distance(x, 0.), 1e-13);
    // Joints in a straight line are not seen.
    profile.touch(x, n, 0., 0.08, 0.05, a);
    surface.touch(x, n, 0., 0.08, 0.05, b);
    EXPECT_EQ(a.size(), b.size()) << x << " n " << n;
  }
  p.type = ObstacleType::surface;
  for (const std::string name : { "", "dye" })
  {
    p.physical_name = name;
    try
    {
      Obstacle<2> wrong(p);
      FAIL() << name;
    }
    catch (const InputError &e)
    {
      EXPECT_NE(std::string(e.what()).find("die"), std::string::npos)
          << e.what();
    }
  }
}

TEST(Triangles, WhatIsNoSurfaceIsRefused)
{
  const std::vector<Point<3>> x = { Point<3>(0, 0, 0), Point<3>(1, 0, 0),
                                    Point<3>(0, 1, 0), Point<3>(1, 1, 0),
                                    Point<3>(0, 0, 1), Point<3>(2, 0, 0) };
  const auto says = [](const std::string &message, const std::string &part)
  {
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message.rfind("part.stl: ", 0), 0u) << message;
  };
  says(error_of(x, {}), "no triangles");
  says(error_of(x, { { 0, 1, 5 } }), "no area");
  says(error_of(x, { { 0, 1, 1 } }), "no area");
  says(error_of(x, { { 0, 1, 2 }, { 1, 2, 0 } }), "twice");
  says(error_of(x, { { 0, 1, 2 }, { 1, 0, 4 }, { 0, 1, 3 } }), "non-manifold");
  says(error_of(x, { { 0, 1, 2 }, { 1, 2, 3 } }), "disagree");
  EXPECT_EQ(error_of(x, { { 0, 1, 2 }, { 1, 3, 2 } }), "");
  // A band with a half twist.
  std::vector<Point<3>> band;
  std::vector<std::vector<unsigned int>> faces;
  const unsigned int n = 12;
  for (unsigned int i = 0; i < n; ++i)
  {
    const double a = 2. * std::acos(-1.) * i / n;
    for (const double s : { -0.3, 0.3 })
      band.emplace_back((1. + s * std::cos(a / 2)) * std::cos(a),
                        (1. + s * std::cos(a / 2)) * std::sin(a),
                        s * std::sin(a / 2));
    const unsigned int j = (i + 1) % n;
    const unsigned int c = j == 0 ? 1 : 2 * j, d = j == 0 ? 0 : 2 * j + 1;
    faces.push_back({ 2 * i, c, 2 * i + 1 });
    faces.push_back({ c, d, 2 * i + 1 });
  }
  const std::string message = error_of(band, faces);
  EXPECT_TRUE(message.find("one side") != std::string::npos ||
              message.find("disagree") != std::string::npos)
      << message;
}

TEST(Triangles, AnOpenSheetHasASide)
{
  // A square sheet, normals up.
  const std::vector<Point<3>> x = {
    Point<3>(0, 0, 0), Point<3>(1, 0, 0), Point<3>(0, 1, 0), Point<3>(1, 1, 0)
  };
  const auto mesh =
      make_surface_mesh<3>(x, { { 0, 1, 2 }, { 1, 3, 2 } }, "sheet");
  EXPECT_TRUE(mesh.open);
  const SurfaceShape sheet(mesh, Point<3>(), false, "sheet");
  EXPECT_NEAR(sheet.distance(Point<3>(0.3, 0.3, 0.2)), 0.2, 1e-15);
  EXPECT_NEAR(sheet.distance(Point<3>(0.3, 0.3, -0.2)), -0.2, 1e-15);
  EXPECT_NEAR(sheet.distance(Point<3>(1.3, 0.3, 0.4)), 0.5, 1e-15);
  std::vector<ShapeSide<3>> sides;
  const Tensor<1, 3> down({ 0., 0., -1. });
  // Sunk in a little, within a cell; far behind it is somewhere else.
  sheet.touch(Point<3>(0.3, 0.3, -0.05), down, 0.1, 0.1, sides);
  EXPECT_EQ(sides.size(), 1u);
  sheet.touch(Point<3>(0.3, 0.3, -0.5), down, 0.1, 0.1, sides);
  EXPECT_TRUE(sides.empty());
  // Exactly over the edge between its triangles: one contact.
  sheet.touch(Point<3>(0.5, 0.5, 0.), down, 0.1, 0.1, sides);
  ASSERT_EQ(sides.size(), 1u);
  EXPECT_NEAR(sides[0].normal[2], 1., 1e-15);
  EXPECT_TRUE(
      sheet.is_crossed(Point<3>(0.3, 0.3, 0.5), Point<3>(0.3, 0.3, -0.5)));
}
