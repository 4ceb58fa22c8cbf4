// Whole runs with obstacles made of triangles (in the plane of lines) against
// the same runs with the shapes they stand for.
#include "run_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{
/// A soft block held at its bottom, with an obstacle called tool that moves
/// down into its top. The obstacle's lines go into its section.
std::string pressed_block(const int dim,
                          const std::string &mesh,
                          const std::string &obstacle)
{
  return "set Dimension = " + std::to_string(dim) + R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.25
end
subsection Material rubber
  set Density       = 1000
  set Young modulus = 1e7
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type = box
)" + mesh +
         R"(  end
end
subsection Boundary condition hold
  set Surfaces = block/bottom
end
subsection Obstacle tool
)" + obstacle +
         R"(end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction press
  set Candidates  = block/top
  set Antagonists = tool
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance      = 1e-10
  set Maximum sweeps = 100000
end
subsection Probe middle
  set Point = )" +
         (dim == 2 ? "0, 0" : "0, 0, 0") + R"(
end
subsection Output
  set Interval = 0
end
)";
}

test::Results run(const int dim, const std::string &text)
{
  return dim == 2 ? test::run_text<2>(text) : test::run_text<3>(text);
}

/// All columns agree to @p tolerance of the largest value of their kind.
void expect_same(const test::Results &a,
                 const test::Results &b,
                 const std::vector<std::string> &columns,
                 const double tolerance)
{
  double largest = 0.;
  for (const auto &column : columns)
    for (const double value : a.history.at(column))
      largest = std::max(largest, std::abs(value));
  EXPECT_GT(largest, 0.);
  for (const auto &column : columns)
  {
    ASSERT_EQ(a.history.at(column).size(), b.history.at(column).size());
    for (std::size_t i = 0; i < a.history.at(column).size(); ++i)
      EXPECT_NEAR(
          a.history.at(column)[i], b.history.at(column)[i], tolerance * largest)
          << column << " row " << i;
  }
}

using Vertex = dealii::Point<3>;

/// A sphere of radius @p R about the origin as an STL file with its vertices on
/// it: rings of facets of the angle @p step up to @p cap from the lowest point,
/// larger ones above. Returns the largest distance of the facets below
/// @p cap from the sphere: the ball of radius R less that fits inside there.
double write_sphere(const std::string &file,
                    const double R,
                    const double step,
                    const double cap)
{
  const double pi = std::acos(-1.);
  std::vector<double> angles;
  for (double angle = step; angle < cap + step; angle += step)
    angles.push_back(angle);
  const std::size_t n_fine = angles.size();
  const double from        = angles.back();
  for (int k = 1; k < 8; ++k)
    angles.push_back(from + (pi - from) * k / 8.);
  const int n         = std::ceil(2. * pi * std::sin(cap) / step);
  const auto position = [&](const std::size_t ring, const int k) -> Vertex
  {
    const double phi = 2. * pi * (k % n) / n, a = angles[ring];
    return { R * std::sin(a) * std::cos(phi),
             R * std::sin(a) * std::sin(phi),
             -R * std::cos(a) };
  };
  std::ofstream out(file);
  out.precision(17);
  out << "solid sphere\n";
  double nearest = R;
  const auto add =
      [&](const Vertex &a, const Vertex &b, const Vertex &c, const bool fine)
  {
    const auto normal = dealii::cross_product_3d(b - a, c - a);
    if (fine)
      nearest = std::min(nearest, std::abs(normal * a) / normal.norm());
    out << "facet normal 0 0 0\nouter loop\n";
    for (const auto *x : { &a, &b, &c })
      out << "vertex " << *x << "\n";
    out << "endloop\nendfacet\n";
  };
  const Vertex low(0., 0., -R), high(0., 0., R);
  for (int k = 0; k < n; ++k)
  {
    add(low, position(0, k + 1), position(0, k), true);
    for (std::size_t ring = 0; ring + 1 < angles.size(); ++ring)
    {
      const bool fine = ring + 1 < n_fine;
      add(position(ring, k),
          position(ring, k + 1),
          position(ring + 1, k),
          fine);
      add(position(ring, k + 1),
          position(ring + 1, k + 1),
          position(ring + 1, k),
          fine);
    }
    add(position(angles.size() - 1, k),
        position(angles.size() - 1, k + 1),
        high,
        false);
  }
  out << "endsolid sphere\n";
  return R - nearest;
}
} // namespace

TEST(Lines, OfAPunchDoWhatTheBoxDoes)
{
  // Down, then sideways: corners, friction and the work of the obstacle. The
  // lines are the box, so that nothing but the solver's tolerance may differ.
  const test::TemporaryDirectory directory;
  std::ofstream(directory.path + "/punch.geo") << R"(
Point(1) = {-0.31, 0.01, 0}; Point(2) = {0.27, 0.01, 0};
Point(3) = {0.27, 0.31, 0};  Point(4) = {-0.31, 0.31, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Transfinite Curve {1, 3} = 8; Transfinite Curve {2, 4} = 4;
Physical Curve("punch") = {1, 2, 3, 4};
Mesh 1;
)";
  const std::string mesh = "    set Origin = -1, -0.5\n    set Size = 2, 0.5\n"
                           "    set Divisions = 32, 8\n";
  const std::string motion = "  set Displacement = 0.02*max(0, t-0.5); "
                             "-0.04*min(t, 0.5)\n";
  const auto box =
      run(2,
          pressed_block(2,
                        mesh,
                        "  set Type = box\n  set Point = -0.31, 0.01\n"
                        "  set Size = 0.58, 0.3\n" +
                            motion));
  const auto lines =
      run(2,
          pressed_block(2,
                        mesh,
                        "  set Type = surface\n  set File = " + directory.path +
                            "/punch.geo\n" + motion));
  EXPECT_LT(box.history.at("press:force_y").back(), -1e4);
  EXPECT_GT(std::abs(box.history.at("press:force_x").back()), 1e2);
  expect_same(box, lines, { "press:force_x", "press:force_y" }, 1e-7);
  expect_same(box, lines, { "middle:u_x", "middle:u_y" }, 1e-7);
  EXPECT_NEAR(lines.energy.at("obstacle_work").back(),
              box.energy.at("obstacle_work").back(),
              1e-7 * box.energy.at("obstacle_work").back());
}

TEST(Triangles, OfAPunchDoWhatTheBoxDoes)
{
  const test::TemporaryDirectory directory;
  std::ofstream(directory.path + "/punch.geo") << R"(SetFactory("OpenCASCADE");
Box(1) = {-0.31, -0.23, 0.01, 0.58, 0.47, 0.3};
Physical Surface("punch") = Boundary{ Volume{1}; };
Mesh.MeshSizeMax = 0.15;
)";
  const std::string mesh =
      "    set Origin = -0.5, -0.5, -0.25\n    set Size = 1, 1, 0.25\n"
      "    set Divisions = 10, 10, 3\n";
  const std::string motion = "  set Displacement = 0.01*max(0, t-0.5); "
                             "-0.005*max(0, t-0.5); -0.04*min(t, 0.5)\n";
  const auto box =
      run(3,
          pressed_block(3,
                        mesh,
                        "  set Type = box\n  set Point = -0.31, -0.23, 0.01\n"
                        "  set Size = 0.58, 0.47, 0.3\n" +
                            motion));
  const auto triangles =
      run(3,
          pressed_block(3,
                        mesh,
                        "  set Type = surface\n  set File = " + directory.path +
                            "/punch.geo\n" + motion));
  EXPECT_LT(box.history.at("press:force_z").back(), -1e4);
  expect_same(box,
              triangles,
              { "press:force_x", "press:force_y", "press:force_z" },
              1e-7);
  expect_same(
      box, triangles, { "middle:u_x", "middle:u_y", "middle:u_z" }, 1e-7);
}

TEST(Triangles, OfABallPressAsTheBallDoes)
{
  // A ball made of facets contains the ball of radius R - e and lies in that of
  // radius R, e the largest distance of a facet from the sphere. Without
  // friction the elastic energy is the least one that keeps the block outside:
  // it lies between those of the two balls. Nodes that touch follow the facets,
  // which are within e of the sphere.
  const test::TemporaryDirectory directory;
  const double R = 2., depth = 0.02, height = R + 0.0005;
  const double e = write_sphere(directory.path + "/ball.stl", R, 0.025, 0.22);
  EXPECT_GT(e, 0.);
  EXPECT_LT(e, 0.02 * depth); // or the bounds say little
  const std::string mesh =
      "    set Origin = -0.5, -0.5, -0.5\n    set Size = 1, 1, 0.5\n"
      "    set Divisions = 12, 12, 5\n";
  const auto results = [&](const std::string &shape)
  {
    std::ostringstream text;
    text.precision(17);
    text << shape << "  set Point = 0, 0, " << height
         << "\n  set Displacement = 0; 0; " << -depth << "*t\n";
    std::string file = pressed_block(3, mesh, text.str());
    file.replace(file.find("set Friction = 0.3"), 18, "set Friction = 0");
    return run(3, file);
  };
  const auto sphere = [&](const double radius)
  {
    std::ostringstream text;
    text.precision(17);
    text << "  set Type = sphere\n  set Radius = " << radius << "\n";
    return text.str();
  };
  const auto ball = results(sphere(R)), smaller = results(sphere(R - e));
  const auto facets = results(
      "  set Type = surface\n  set File = " + directory.path + "/ball.stl\n");
  const auto last = [](const test::Results &run, const char *column)
  { return run.history.at(column).back(); };
  const auto elastic = [](const test::Results &run)
  { return run.energy.at("elastic").back(); };
  // Rounding and tolerance aside.
  const double slack = 1e-6 * elastic(ball);
  EXPECT_LE(elastic(facets), elastic(ball) + slack);
  EXPECT_GE(elastic(facets), elastic(smaller) - slack);
  EXPECT_LE(-last(facets, "press:force_z"), -last(ball, "press:force_z"));
  EXPECT_GE(-last(facets, "press:force_z"), -last(smaller, "press:force_z"));
  EXPECT_NEAR(last(facets, "middle:u_z"), last(ball, "middle:u_z"), e);
  EXPECT_NEAR(last(ball, "middle:u_z"), 0.0005 - depth, 1e-6 * depth);
  // Facets are not a ball: forces sideways vanish with their size only.
  for (const char *column : { "press:force_x", "press:force_y" })
    EXPECT_LT(std::abs(last(facets, column)),
              last(smaller, "press:force_z") - last(ball, "press:force_z"));
}

TEST(Conveyor, CarriesABlockInSpace)
{
  // A plane that moves by V at an angle to the cells: the block slides at mu g
  // in the direction of V until t = |V| / (mu g), then rides. The plane's work
  // is m V^2, half of it lost by friction.
  const double g = 9.81, mu = 0.3, Vx = 0.6, Vy = -0.8;
  const auto run      = test::run_text<3>(R"(set Dimension = 3
set Gravity = 0, 0, -9.81
subsection Time
  set End  = 0.5
  set Step = 2e-3
end
subsection Material stone
  set Density       = 2000
  set Young modulus = 1e9
  set Poisson ratio = 0.2
end
subsection Body block
  set Material = stone
  set Mass     = lumped
  subsection Mesh
    set Type      = box
    set Size      = 0.4, 0.3, 0.1
    set Divisions = 2, 2, 1
  end
end
subsection Obstacle belt
  set Normal       = 0, 0, 1
  set Displacement = 0.6*t; -0.8*t; 0
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction base
  set Candidates  = block/bottom
  set Antagonists = belt
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance      = 1e-10
  set Maximum sweeps = 100000
end
subsection Probe corner
  set Point = 0, 0, 0.1
end
subsection Output
  set Interval = 1
end
)");
  const auto &t       = run.history.at("time");
  const std::size_t i = 50, j = 150;
  ASSERT_GT(t.size(), 240u);
  ASSERT_LT(t[j], 1. / (mu * g));
  for (const auto &[column, V] :
       { std::pair<const char *, double>{ "corner:v_x", Vx },
         { "corner:v_y", Vy } })
  {
    const auto &v = run.history.at(column);
    EXPECT_NEAR((v[j] - v[i]) / (t[j] - t[i]), mu * g * V, 2e-3 * mu * g);
    EXPECT_NEAR(v.back(), V, 2e-3);
  }
  const double mass = run.summary["mass"];
  EXPECT_NEAR(run.energy.at("obstacle_work").back(), mass, 0.01 * mass);
  EXPECT_NEAR(run.energy.at("friction_work").back(), -0.5 * mass, 0.01 * mass);
  EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-11);
}
