// Mass properties of shapes: formulas, fine triangulations, invariance.
#include <delassus/contact/detection/shapes.h>
#include <delassus/contact/detection/surface_shape.h>
#include <delassus/rigid_bodies/mass_properties.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>

using namespace delassus;
using dealii::Point;
using dealii::SymmetricTensor;
using dealii::Tensor;

namespace
{
constexpr double pi = dealii::numbers::PI;

ShapeParameters shape(const ObstacleType type, const std::vector<double> &point)
{
  ShapeParameters p;
  p.type  = type;
  p.point = point;
  return p;
}

template <int dim>
std::shared_ptr<const Shape<dim>> made(const ShapeParameters &p)
{
  return make_shape<dim>(
      p, [](const std::string &entry) { return "entry " + entry; });
}

template <int dim>
SolidMoments<dim> moments(const Shape<dim> &shape)
{
  SolidMoments<dim> result;
  EXPECT_EQ(shape.solid_moments(result), "") << shape.describe();
  return result;
}

template <int dim>
MassProperties<dim> mass(const ShapeParameters &p, const double density)
{
  return mass_properties<dim>(moments<dim>(*made<dim>(p)), density);
}

/// The surface of a shape's picture; its points are on the shape. Points that
/// coincide (poles, seams) are one, quadrilaterals two triangles.
SurfaceShape triangulated(const ShapePicture<3> &picture)
{
  std::map<std::array<long, 3>, unsigned int> number;
  std::vector<Point<3>> vertices;
  std::vector<unsigned int> id;
  for (const auto &x : picture.points)
  {
    std::array<long, 3> key;
    for (unsigned int c = 0; c < 3; ++c)
      key[c] = std::lround(x[c] * 1e9);
    const auto entry = number.emplace(key, vertices.size());
    if (entry.second)
      vertices.push_back(x);
    id.push_back(entry.first->second);
  }
  std::vector<std::vector<unsigned int>> faces;
  for (const auto &cell : picture.cells)
    for (unsigned int k = 0; k + 2 < cell.size(); ++k)
    {
      const std::vector<unsigned int> face = { id[cell[0]],
                                               id[cell[k + 1]],
                                               id[cell[k + 2]] };
      if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0])
        faces.push_back(face);
    }
  return SurfaceShape(
      make_surface_mesh<3>(vertices, faces, "test"), Point<3>(), false, "test");
}

template <typename T>
void expect_close(const T &a,
                  const T &b,
                  const double tolerance,
                  const std::string &what)
{
  EXPECT_LE((a - b).norm(), tolerance * b.norm())
      << what << ": " << a << " and " << b;
}

/// Closed shapes of all kinds in space.
std::map<std::string, ShapeParameters> solids()
{
  using T                        = ObstacleType;
  const std::vector<double> axis = { 1. / 3., 2. / 3., -2. / 3. };
  std::map<std::string, ShapeParameters> all;
  auto p        = shape(T::sphere, { 0.2, 0.1, -0.1 });
  p.radius      = 1.3;
  all["sphere"] = p;

  p               = shape(T::cylinder, { 0.2, -0.3, 0.4 });
  p.axis          = axis;
  p.radius        = 0.9;
  p.length        = 1.5;
  all["cylinder"] = p;
  p.rounding      = 0.3;

  all["rounded cylinder"] = p;
  p.type                  = T::cone;
  p.radius                = 0.;
  p.half_angle            = 25.;
  p.rounding              = 0.;
  all["cone"]             = p;
  p.radius                = 0.5;
  p.rounding              = 0.1;

  all["rounded cone"] = p;

  p              = shape(T::torus, { 0.3, 0.1, -0.2 });
  p.axis         = axis;
  p.radius       = 1.2;
  p.minor_radius = 0.4;
  all["torus"]   = p;

  p          = shape(T::box, { -1., -0.8, 0.3 });
  p.size     = { 2., 1.5, 1.2 };
  all["box"] = p;
  p.rounding = 0.4;

  all["rounded box"] = p;

  // A pulley with fillets, inside and outside.
  p             = shape(T::revolved_profile, { 0.1, 0.2, 0.3 });
  p.axis        = axis;
  p.profile     = { { 0., 0.4 },  { 0., 2. },   { 0.5, 2. },
                    { 0.7, 1.5 }, { 1.1, 1.5 }, { 1.3, 2. },
                    { 1.8, 2. },  { 1.8, 0.4 }, { 0., 0.4 } };
  p.fillets     = { 0.1 };
  all["pulley"] = p;
  // A meridian from the axis to the axis.
  p.profile     = { { 0., 0. }, { 0., 2. }, { 1., 1. }, { 1.5, 0. } };
  p.fillets     = { 0.3, 0.2 };
  all["turned"] = p;
  return all;
}
} // namespace

TEST(Mass, FormulasInSpace)
{
  const double rho = 7.85;
  const auto all   = solids();
  const auto along = [&](const MassProperties<3> &m, const Tensor<1, 3> &a)
  { return a * (m.inertia * a); };
  const Tensor<1, 3> axis({ 1. / 3., 2. / 3., -2. / 3. });
  const Tensor<1, 3> side = across(axis);

  auto m = mass<3>(all.at("sphere"), rho);
  EXPECT_NEAR(m.mass, rho * 4. / 3. * pi * std::pow(1.3, 3), 1e-13 * m.mass);
  EXPECT_NEAR(along(m, axis), 0.4 * m.mass * 1.69, 1e-13 * m.mass);

  m = mass<3>(all.at("cylinder"), rho);
  EXPECT_NEAR(m.mass, rho * pi * 0.81 * 1.5, 1e-13 * m.mass);
  EXPECT_NEAR(along(m, axis), 0.5 * m.mass * 0.81, 1e-13 * m.mass);
  EXPECT_NEAR(
      along(m, side), m.mass * (3. * 0.81 + 2.25) / 12., 1e-13 * m.mass);
  expect_close<Tensor<1, 3>>(m.center,
                             Tensor<1, 3>({ 0.2, -0.3, 0.4 }) + 0.75 * axis,
                             1e-14,
                             "cylinder");

  // A cone of height H: centre at 3/4 H from the tip.
  m              = mass<3>(all.at("cone"), rho);
  const double H = 1.5, R = H * std::tan(25. * pi / 180.);
  EXPECT_NEAR(m.mass, rho * pi * R * R * H / 3., 1e-13 * m.mass);
  EXPECT_NEAR(along(m, axis), 0.3 * m.mass * R * R, 1e-13 * m.mass);
  EXPECT_NEAR(along(m, side),
              m.mass * (3. / 20. * R * R + 3. / 80. * H * H),
              1e-13 * m.mass);
  expect_close<Tensor<1, 3>>(m.center,
                             Tensor<1, 3>({ 0.2, -0.3, 0.4 }) + 0.75 * H * axis,
                             1e-14,
                             "cone");

  m = mass<3>(all.at("torus"), rho);
  EXPECT_NEAR(m.mass, rho * 2. * pi * pi * 1.2 * 0.16, 1e-13 * m.mass);
  EXPECT_NEAR(along(m, axis), m.mass * (1.44 + 0.75 * 0.16), 1e-13 * m.mass);
  EXPECT_NEAR(
      along(m, side), m.mass * (0.5 * 1.44 + 0.625 * 0.16), 1e-13 * m.mass);

  m = mass<3>(all.at("box"), rho);
  EXPECT_NEAR(m.mass, rho * 3.6, 1e-13 * m.mass);
  EXPECT_NEAR(m.inertia[0][0], m.mass * (2.25 + 1.44) / 12., 1e-13 * m.mass);
  EXPECT_NEAR(m.inertia[2][2], m.mass * (4. + 2.25) / 12., 1e-13 * m.mass);
  EXPECT_EQ(m.inertia[0][1], 0.);

  // Rounded as far as it goes: a cube is a ball, a cylinder a capsule.
  auto p     = shape(ObstacleType::box, { -1., -1., -1. });
  p.size     = { 2., 2., 2. };
  p.rounding = 1.;
  m          = mass<3>(p, rho);
  EXPECT_NEAR(m.mass, rho * 4. / 3. * pi, 1e-13 * m.mass);
  EXPECT_NEAR(m.inertia[1][1], 0.4 * m.mass, 1e-13 * m.mass);
  p          = shape(ObstacleType::cylinder, { 0., 0., 0. });
  p.axis     = { 0., 0., 1. };
  p.radius   = 1.;
  p.length   = 3.;
  p.rounding = 1.;
  m          = mass<3>(p, rho);
  EXPECT_NEAR(m.mass, rho * pi * (1. + 4. / 3.), 1e-12 * m.mass);
  // Cylinder of length 1, halves of a ball with centres 3/8 beyond its ends.
  const double mc = rho * pi, mb = rho * pi * 4. / 3.;
  EXPECT_NEAR(m.inertia[2][2], 0.5 * mc + 0.4 * mb, 1e-12 * m.mass);
  EXPECT_NEAR(m.inertia[0][0],
              mc * (0.25 + 1. / 12.) + mb * (0.4 + 0.25 + 2. * 0.5 * 0.375),
              1e-12 * m.mass);
}

TEST(Mass, FormulasInThePlane)
{
  auto p         = shape(ObstacleType::sphere, { 0.3, 0.2 });
  p.radius       = 1.5;
  auto m         = mass_properties<2>(moments<2>(*made<2>(p)), 2., 0.1);
  const double A = pi * 2.25;
  EXPECT_NEAR(m.mass, 0.2 * A, 1e-14);
  EXPECT_NEAR(m.inertia[0][0], 0.5 * m.mass * 2.25, 1e-14);

  p      = shape(ObstacleType::box, { 1., 2. });
  p.size = { 3., 1.5 };
  m      = mass<2>(p, 2.);
  EXPECT_NEAR(m.mass, 9., 1e-13);
  EXPECT_NEAR(m.inertia[0][0], 9. / 12. * (9. + 2.25), 1e-12);
  EXPECT_NEAR(m.center.distance(Point<2>(2.5, 2.75)), 0., 1e-14);

  // Rounded corners: less four squares r^2, and four quarters of a circle.
  p.rounding = 0.5;
  m          = mass<2>(p, 1.);
  EXPECT_NEAR(m.mass, 4.5 - (4. - pi) * 0.25, 1e-13);
  // x^2 over the rounded rectangle, by the formula of the rounded box.
  const auto x2 = [](const double a, const double b, const double r)
  {
    const double q = 4. * r / (3. * pi);
    return 4. * a * b * a * a / 3. +                       // core
           4. * r * b * (a * a + a * r + r * r / 3.) +     // beyond in x
           4. * r * a * a * a / 3. +                       // beyond in y
           pi * r * r * (a * a + 2. * a * q + r * r / 4.); // corners
  };
  const double second = x2(1., 0.25, 0.5) + x2(0.25, 1., 0.5);
  EXPECT_NEAR(m.inertia[0][0], second, 1e-12);

  // An L of two rectangles.
  p         = shape(ObstacleType::extruded_profile, { 10., -20. });
  p.profile = { { 0., 0. }, { 2., 0. }, { 2., 1. }, { 1., 1. },
                { 1., 3. }, { 0., 3. }, { 0., 0. } };
  m         = mass<2>(p, 1.);
  EXPECT_NEAR(m.mass, 4., 1e-13);
  const Point<2> c((2. * 1. + 2. * 0.5) / 4., (2. * 0.5 + 2. * 2.) / 4.);
  EXPECT_NEAR((m.center - Point<2>(10., -20.) - c).norm(), 0., 1e-13);
  const auto part = [&](const double b, const double h, const Point<2> &x)
  { return b * h * ((b * b + h * h) / 12. + (x - c).norm_square()); };
  EXPECT_NEAR(m.inertia[0][0],
              part(2., 1., Point<2>(1., 0.5)) + part(1., 2., Point<2>(0.5, 2.)),
              1e-12);
}

TEST(Mass, PolygonsOfCircleConverge)
{
  // A closed polygon with n corners on a circle.
  for (const unsigned int n : { 64, 128 })
  {
    auto p = shape(ObstacleType::extruded_profile, { 0., 0. });
    for (unsigned int k = 0; k < n; ++k)
      p.profile.push_back(
          { std::cos(2. * pi * k / n), std::sin(2. * pi * k / n) });
    p.profile.push_back(p.profile.front());
    const auto m     = mass<2>(p, 1.);
    const double phi = 2. * pi / n;
    EXPECT_NEAR(m.mass, 0.5 * n * std::sin(phi), 1e-12);
    EXPECT_NEAR(m.inertia[0][0], m.mass / 6. * (2. + std::cos(phi)), 1e-12);
  }
}

TEST(Mass, FineTriangulations)
{
  // Pictures have 48 to 72 points around: errors of (2 pi / n)^2 / 6.
  const dealii::BoundingBox<3> box(
      { Point<3>(-3., -3., -3.), Point<3>(3., 3., 3.) });
  for (const auto &[name, p] : solids())
  {
    const auto exact   = made<3>(p);
    const auto surface = triangulated(exact->picture(box));
    const auto a = moments<3>(*exact), b = moments<3>(surface);
    // Facets of convex arcs lie inside. Pictures of tubes have 24 points.
    const double close = name == "box" ? 1e-13 : name == "torus" ? 0.03 : 0.015;
    EXPECT_NEAR(b.volume, a.volume, close * a.volume) << name;
    EXPECT_LE(a.center.distance(b.center), 0.2 * close) << name;
    EXPECT_LE((a.second - b.second).norm(), 2. * close * a.second.norm())
        << name;
  }
}

TEST(Mass, TriangulationsConverge)
{
  // Spheres with more and more triangles; errors go down with their size
  // squared, and the extrapolated values are those of the formulas.
  std::array<SolidMoments<3>, 3> found;
  for (unsigned int level = 0; level < 3; ++level)
  {
    const unsigned int n = 16u << level;
    ShapePicture<3> picture;
    for (unsigned int i = 0; i <= n; ++i)
      for (unsigned int k = 0; k < 2 * n; ++k)
      {
        const double a = pi * i / n, b = pi * k / n;
        picture.points.push_back(Point<3>(1. + std::sin(a) * std::cos(b),
                                          2. + std::sin(a) * std::sin(b) * 0.5,
                                          3. + std::cos(a) * 2.));
        if (i > 0)
        {
          const unsigned int j = (k + 1) % (2 * n);
          picture.cells.push_back({ (i - 1) * 2 * n + k,
                                    (i - 1) * 2 * n + j,
                                    i * 2 * n + j,
                                    i * 2 * n + k });
        }
      }
    found[level] = moments<3>(triangulated(picture));
  }
  // An ellipsoid with the half axes 1, 1/2, 2.
  const double V = 4. / 3. * pi;
  SymmetricTensor<2, 3> S;
  S[0][0]                           = V / 5.;
  S[1][1]                           = V / 20.;
  S[2][2]                           = V * 4. / 5.;
  const std::array<double, 3> error = {
    { V - found[0].volume, V - found[1].volume, V - found[2].volume }
  };
  EXPECT_NEAR(error[0] / error[1], 4., 0.05);
  EXPECT_NEAR(error[1] / error[2], 4., 0.02);
  EXPECT_NEAR((4. * found[2].volume - found[1].volume) / 3., V, 1e-5 * V);
  EXPECT_LE(((4. * found[2].second - found[1].second) / 3. - S).norm(),
            1e-4 * S.norm());
  EXPECT_LE(found[0].center.distance(Point<3>(1., 2., 3.)), 1e-13);
}

TEST(Mass, TetrahedronIsExact)
{
  // One corner at the origin, edges along the axes: V = abc/6, centre a/4,
  // integral of x^2 V a^2/10, of xy V ab/20, about the corner.
  const double a = 1., b = 2., c = 3.;
  const Tensor<1, 3> shift({ 5., -7., 11. });
  const std::vector<Point<3>> x = { Point<3>(shift),
                                    Point<3>(a, 0., 0.) + shift,
                                    Point<3>(0., b, 0.) + shift,
                                    Point<3>(0., 0., c) + shift };
  const SurfaceShape surface(
      make_surface_mesh<3>(
          x, { { 0, 1, 2 }, { 0, 1, 3 }, { 0, 2, 3 }, { 1, 2, 3 } }, "test"),
      Point<3>(),
      false,
      "test");
  const auto m = moments<3>(surface);
  EXPECT_NEAR(m.volume, 1., 1e-14);
  EXPECT_NEAR(
      (m.center - Point<3>(shift) - Point<3>(a / 4., b / 4., c / 4.)).norm(),
      0.,
      1e-13);
  EXPECT_NEAR(m.second[0][0], a * a * (1. / 10. - 1. / 16.), 1e-13);
  EXPECT_NEAR(m.second[2][2], c * c * (1. / 10. - 1. / 16.), 1e-13);
  EXPECT_NEAR(m.second[1][2], b * c * (1. / 20. - 1. / 16.), 1e-13);
}

TEST(Mass, ParallelAxes)
{
  const auto m = mass<3>(solids().at("rounded box"), 3.);
  const Point<3> p(1., -2., 0.5);
  const auto J         = m.inertia_about(p);
  const Tensor<1, 3> s = m.center - p;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      EXPECT_NEAR(J[i][j],
                  m.inertia[i][j] +
                      m.mass * ((i == j ? s * s : 0.) - s[i] * s[j]),
                  1e-12);
}

TEST(Mass, TurnsWithTheShape)
{
  // A cylinder along any axis: J turned, and the same principal moments; a
  // translated one the same inertia.
  auto p        = solids().at("rounded cone");
  const auto m  = mass<3>(p, 2.);
  p.axis        = { 0., 0., 1. };
  const auto m0 = mass<3>(p, 2.);
  EXPECT_NEAR(m.mass, m0.mass, 1e-13 * m.mass);
  // The rotation that takes z to the axis.
  const Tensor<1, 3> z({ 0., 0., 1. }), a({ 1. / 3., 2. / 3., -2. / 3. });
  const Tensor<1, 3> n = cross_product_3d(z, a);
  const auto R = Rotation<3>::exp(std::atan2(n.norm(), z * a) / n.norm() * n);
  expect_close<Tensor<2, 3>>(m.inertia, R.turn(m0.inertia), 1e-13, "turned");
  p.point       = { 100., 200., -300. };
  const auto m1 = mass<3>(p, 2.);
  expect_close<Tensor<2, 3>>(m1.inertia, m0.inertia, 1e-11, "moved");
}

TEST(Mass, Units)
{
  // Steel in m, kg and in mm, t: masses differ by 1e3, inertias by 1e-3 * 1e6.
  auto p        = solids().at("rounded box");
  const auto si = mass<3>(p, 7850.);
  for (auto *v : { &p.point, &p.size })
    for (double &x : *v)
      x *= 1e3;
  p.rounding *= 1e3;
  const auto mm = mass<3>(p, 7850e-12);
  EXPECT_NEAR(mm.mass, 1e-3 * si.mass, 1e-13 * mm.mass);
  expect_close<Tensor<2, 3>>(mm.inertia, 1e3 * si.inertia, 1e-13, "units");
}

TEST(Mass, WhatEnclosesNothing)
{
  using T           = ObstacleType;
  const auto reason = [](const auto &shape)
  {
    SolidMoments<3> m;
    return shape.solid_moments(m);
  };
  auto p   = shape(T::plane, { 0., 0., 0. });
  p.normal = { 0., 0., 1. };
  EXPECT_NE(reason(*made<3>(p)).find("no end"), std::string::npos);
  p        = shape(T::cylinder, { 0., 0., 0. });
  p.axis   = { 0., 0., 1. };
  p.radius = 1.;
  EXPECT_NE(reason(*made<3>(p)).find("no end"), std::string::npos);
  p.type       = T::cone;
  p.half_angle = 20.;
  EXPECT_NE(reason(*made<3>(p)), "");
  for (auto [name, q] : solids())
  {
    q.hollow = true;
    EXPECT_NE(reason(*made<3>(q)).find("hollow"), std::string::npos) << name;
  }
  p         = shape(T::extruded_profile, { 0., 0., 0. });
  p.axis    = { 0., 1., 0. };
  p.normal  = { 0., 0., 1. };
  p.profile = { { 0., 0. }, { 1., 0. }, { 1., 1. }, { 0., 0. } };
  EXPECT_NE(reason(*made<3>(p)).find("no end"), std::string::npos);
  p.profile = { { 0., 0. }, { 1., 0. }, { 1., 1. } };
  EXPECT_NE(reason(*made<3>(p)).find("open"), std::string::npos);
  p.type    = T::revolved_profile;
  p.profile = { { 0., 0.5 }, { 1., 0.5 }, { 1., 1. } };
  EXPECT_NE(reason(*made<3>(p)).find("open"), std::string::npos);

  // A sheet, and a box within a box.
  const auto box = [](const double a, std::vector<Point<3>> &x, auto &faces)
  {
    const unsigned int n = x.size();
    for (unsigned int v = 0; v < 8; ++v)
      x.push_back(Point<3>(v & 1 ? a : -a, v & 2 ? a : -a, v & 4 ? a : -a));
    for (const std::array<unsigned int, 4> &f :
         { std::array<unsigned int, 4>{ { 0, 1, 3, 2 } },
           { { 4, 5, 7, 6 } },
           { { 0, 1, 5, 4 } },
           { { 2, 3, 7, 6 } },
           { { 0, 2, 6, 4 } },
           { { 1, 3, 7, 5 } } })
    {
      faces.push_back({ n + f[0], n + f[1], n + f[2] });
      faces.push_back({ n + f[0], n + f[2], n + f[3] });
    }
  };
  std::vector<Point<3>> x;
  std::vector<std::vector<unsigned int>> faces;
  box(1., x, faces);
  const auto surface = [&](const bool hollow)
  {
    return SurfaceShape(
        make_surface_mesh<3>(x, faces, "test"), Point<3>(), hollow, "test");
  };
  EXPECT_EQ(reason(surface(false)), "");
  EXPECT_NE(reason(surface(true)).find("hollow"), std::string::npos);
  box(0.5, x, faces);
  EXPECT_NE(reason(surface(false)).find("within"), std::string::npos);
  x     = { Point<3>(0., 0., 0.), Point<3>(1., 0., 0.), Point<3>(0., 1., 0.) };
  faces = { { 0, 1, 2 } };
  EXPECT_NE(reason(surface(false)).find("open"), std::string::npos);
}
