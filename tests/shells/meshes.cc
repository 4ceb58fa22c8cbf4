// Meshes: normals that agree, directors and folds, what is refused.
#include "statics.h"

#include <gtest/gtest.h>

#include <random>

using namespace shells;

namespace
{
std::string refused(const std::function<void()> &what)
{
  try
  {
    what();
  }
  catch (const InputError &error)
  {
    return error.what();
  }
  return "";
}

double area(const ShellMesh &mesh)
{
  double sum = 0.;
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
  {
    const auto x = mesh.corners(q);
    sum += 0.5 * norm(cross(x[2] - x[0], x[3] - x[1]));
  }
  return sum;
}

const std::vector<double> one(1000, 1e-3);
} // namespace

TEST(Meshes, GeneratedOnesAreGood)
{
  const struct
  {
    ShellMesh mesh;
    double area, tolerance;
  } cases[] = {
    { shell_rectangle(3., 2., 6, 4, 0.25), 6., 1e-12 },
    { shell_disk(2., 6, 5), 4. * pi, 0.02 },
    { shell_cylinder(2., 3., 0., 1., 8, 6, 0.25), 6., 0.01 },
    { shell_sphere(1., 0.5 * pi, 0.4 * pi, 12, 12, 0.25),
      0.5 * pi * std::sin(0.4 * pi),
      0.02 },
    // int sqrt(1 + (phi' y)^2) dx dy, phi' = pi / 24, y up to 0.55.
    { shell_twisted_strip(12., 1.1, 0.5 * pi, 24, 4),
      12. * 1.1 * (1. + pi * pi / 576. * 1.1 * 1.1 / 24.),
      0.001 },
  };
  for (const auto &c : cases)
  {
    ShellMesh mesh = c.mesh;
    EXPECT_EQ(orient(mesh, "sheet"), 0u);
    EXPECT_TRUE(check_shell_mesh(mesh, one, "sheet").empty());
    EXPECT_TRUE(find_open_joints(mesh, "sheet").empty());
    EXPECT_NEAR(area(mesh), c.area, c.tolerance * c.area);
  }
  for (const auto &mesh : { cases[0].mesh, cases[1].mesh })
    for (const Vector3 &d :
         make_directors(mesh, default_fold_angle, "sheet").director)
      EXPECT_NEAR(d[2], 1., 1e-14);
  const ShellMesh &ball  = cases[3].mesh;
  const ShellDirectors d = make_directors(ball, pi / 6., "sheet");
  EXPECT_EQ(d.director.size(), ball.nodes.size());
  for (unsigned int i = 0; i < d.director.size(); ++i)
    EXPECT_GT(dot(d.director[i], ball.nodes[d.node[i]]), 0.99);
}

TEST(Meshes, QuadsAreTurned)
{
  const ShellMesh good = shell_cylinder(2., 3., 0., 1., 8, 6);
  ShellMesh mesh       = good;
  std::mt19937 engine(1);
  unsigned int n = 0;
  for (unsigned int q = 1; q < mesh.quads.size(); ++q)
    if (engine() % 3 == 0)
    {
      std::swap(mesh.quads[q][1], mesh.quads[q][3]);
      ++n;
    }
  ASSERT_GT(n, 0u);
  EXPECT_EQ(orient(mesh, "sheet"), n);
  EXPECT_EQ(mesh.quads, good.quads);
}

TEST(Meshes, PiecesAreNumbered)
{
  ShellMesh mesh       = shell_rectangle(1., 1., 2, 1);
  const ShellMesh disk = shell_disk(1., 2, 1);
  const unsigned int n = mesh.nodes.size();
  mesh.nodes.insert(mesh.nodes.end(), disk.nodes.begin(), disk.nodes.end());
  for (auto quad : disk.quads)
  {
    for (unsigned int &node : quad)
      node += n;
    mesh.quads.push_back(quad);
  }
  std::vector<unsigned int> expected(2, 0);
  expected.resize(2 + disk.quads.size(), 1);
  EXPECT_EQ(number_pieces(mesh), expected);
}

TEST(Meshes, OneSidedSurfacesAreRefused)
{
  const unsigned int n = 20;
  ShellMesh mesh       = shell_grid(n,
                              1,
                              [](const double u, const double v)
                              {
                                const double phi = 2. * pi * u, y = v - 0.5;
                                const double r = 3. + y * std::cos(0.5 * phi);
                                return Vector3{ { r * std::cos(phi),
                                                  r * std::sin(phi),
                                                  y * std::sin(0.5 * phi) } };
                              });
  for (auto &quad : mesh.quads)
    for (unsigned int &node : quad)
      node = node == n ? n + 1 : node == 2 * n + 1 ? 0 : node;
  const std::string what = refused([&]() { orient(mesh, "belt"); });
  EXPECT_NE(what.find("belt"), std::string::npos) << what;
  EXPECT_NE(what.find("Moebius"), std::string::npos) << what;
}

TEST(Meshes, FoldsAndJunctions)
{
  // A box' corner of three plates, and a T of a fourth one on an edge.
  ShellMesh mesh;
  mesh.nodes = { { { 0., 0., 0. } }, { { 1., 0., 0. } },  { { 1., 1., 0. } },
                 { { 0., 1., 0. } }, { { 0., 0., 1. } },  { { 1., 0., 1. } },
                 { { 0., 1., 1. } }, { { 0., -1., 0. } }, { { 1., -1., 0. } } };
  mesh.quads = { { { 0, 1, 2, 3 } }, { { 0, 1, 5, 4 } }, { { 0, 3, 6, 4 } } };
  EXPECT_EQ(orient(mesh, "box"), 1u);
  ShellDirectors d = make_directors(mesh, default_fold_angle, "box");
  std::vector<unsigned int> n(mesh.nodes.size(), 0);
  for (const unsigned int node : d.node)
    ++n[node];
  EXPECT_EQ(n, (std::vector<unsigned int>{ 3, 2, 1, 2, 2, 1, 1, 0, 0 }));
  mesh.quads.push_back({ { 0, 1, 8, 7 } });
  orient(mesh, "box");
  d = make_directors(mesh, default_fold_angle, "box");
  // Three plates at the edge 0 1: each keeps its own normal there.
  EXPECT_EQ(std::count(d.node.begin(), d.node.end(), 1u), 3);

  const ElasticSheet law(1., 0.3);
  Options options;
  options.thickness = 0.1;
  ShellModel model  = make_model(mesh, law, options);
  model.set_up();
  EXPECT_EQ(model.n_rotations(0), 3u);
  EXPECT_EQ(model.n_rotations(2), 2u);
  // Seven dofs are free of stiffness: six rigid motions, and none more, as
  // turning about a director is no dof.
  ASSERT_TRUE(model.evaluate(1., {}));
  std::vector<double> turn(model.n_dofs(), 0.);
  for (unsigned int i = 0; i < model.n_nodes(); ++i)
  {
    const Vector3 w{ { 0.3, -0.2, 0.5 } };
    const Vector3 u = cross(w, mesh.nodes[i]);
    for (unsigned int c = 0; c < 3; ++c)
      turn[model.dof(i) + c] = u[c];
    for (unsigned int k = 0; k < model.n_rotations(i); ++k)
      turn[model.dof(i) + 3 + k] = dot(w, model.state().axes[i][k]);
  }
  const SymmetricMatrix &K = model.tangent();
  std::vector<double> r(model.n_unknowns(), 0.);
  double scale = 0.;
  for (unsigned int j = 0; j < K.n; ++j)
    for (int k = K.column_start[j]; k < K.column_start[j + 1]; ++k)
    {
      r[K.row[k]] += K.value[k] * turn[j];
      scale = std::max(scale, std::abs(K.value[k]));
    }
  for (const double v : r)
    EXPECT_NEAR(v, 0., 1e-14 * scale);
}

TEST(Meshes, NothingIsLeftFreeToTurnAboutItsNormal)
{
  // In a plane no fold angle makes folds.
  const ShellMesh plane = shell_rectangle(4., 4., 4, 4, 0.25);
  EXPECT_EQ(make_directors(plane, 0., "sheet").director.size(),
            plane.nodes.size());

  // Two elements that meet in a corner only have one director there.
  ShellMesh corner;
  corner.nodes = { { { 0., 0., 0. } }, { { 1., 0., 0. } }, { { 1., 1., 0. } },
                   { { 0., 1., 0. } }, { { 2., 1., 0. } }, { { 2., 2., 0. } },
                   { { 1., 2., 0. } } };
  corner.quads = { { { 0, 1, 2, 3 } }, { { 2, 4, 5, 6 } } };
  const auto directors = make_directors(corner, 0.1, "sheet");
  EXPECT_EQ(directors.director.size(), 7u);
  EXPECT_EQ(directors.corner[0][2], directors.corner[1][0]);

  // With opposite normals nothing would resist.
  std::swap(corner.quads[1][1], corner.quads[1][3]);
  const std::string told =
      refused([&]() { make_directors(corner, 0.1, "sheet"); });
  EXPECT_NE(told.find("opposite normals"), std::string::npos) << told;
  EXPECT_NE(told.find("(1, 1, 0)"), std::string::npos) << told;

  // At an angle they have two, and hold each other.
  corner.nodes[4] = { { 1., 1., 1. } };
  corner.nodes[5] = { { 1., 2., 1. } };
  EXPECT_EQ(make_directors(corner, 0.1, "sheet").director.size(), 8u);
}

TEST(Meshes, BadElementsAreRefused)
{
  const auto check = [](const std::function<void(ShellMesh &)> &spoil,
                        const double thickness = 0.1)
  {
    ShellMesh mesh = shell_rectangle(4., 4., 4, 4);
    spoil(mesh);
    return refused(
        [&]() {
          check_shell_mesh(mesh, std::vector<double>(16, thickness), "blank");
        });
  };
  const auto has = [](const std::string &what, const std::string &word)
  {
    EXPECT_NE(what.find(word), std::string::npos) << what;
    EXPECT_NE(what.find("blank"), std::string::npos) << what;
  };
  EXPECT_EQ(check([](ShellMesh &) {}), "");
  has(check([](ShellMesh &m) { m.quads[5][1] = 99; }), "only");
  has(check([](ShellMesh &m) { m.quads[5][1] = m.quads[5][2]; }),
      "element 5 at");
  has(check(
          [](ShellMesh &m) {
            m.nodes[12] = { { 0.9, 0.9, 0. } };
          }),
      "not convex");
  has(check([](ShellMesh &m) { m.nodes[12] = { { 2., 2., 5. } }; }), "warped");
  has(check([](ShellMesh &) {}, 0.), "thickness");
  has(check([](ShellMesh &) {}, std::nan("")), "thickness");
  const ShellMesh mesh = shell_rectangle(4., 4., 4, 4);
  const auto warnings =
      check_shell_mesh(mesh, std::vector<double>(16, 2.), "blank");
  ASSERT_EQ(warnings.size(), 1u);
  has(warnings[0], "15 others");
  const ElasticSheet law(1., 0.3);
  ShellLayer layer;
  has(refused([&]() { ShellSection section({ layer }); }) + " blank",
      "material");
  layer.law      = &law;
  layer.fraction = 0.9;
  has(refused([&]() { ShellSection section({ layer }); }) + " blank",
      "sum is to be 1");
}

TEST(Meshes, ModelsThatAreNoShellsAreRefused)
{
  const ElasticSheet law(1., 0.3);
  Options options;
  options.thickness      = 0.3;
  const ShellMesh mesh   = shell_cylinder(0.1, 1., 0., 1., 8, 4);
  const std::string what = refused([&]() { make_model(mesh, law, options); });
  EXPECT_NE(what.find("curvature"), std::string::npos) << what;

  // A rolling direction that a quarter of a tube meets head on.
  options.thickness = 0.01;
  ShellProperties properties;
  ShellLayer layer;
  layer.law = &law;
  properties.sections.emplace_back(std::vector<ShellLayer>{ layer });
  const ShellMesh tube = shell_cylinder(1., 1., 0., 0.5 * pi, 32, 4);
  properties.thickness_of_quad.assign(tube.quads.size(),
                                      { { 0.01, 0.01, 0.01, 0.01 } });
  properties.rolling = { { 1., 0., 0. } };
  const ShellModel model(
      tube, make_directors(tube, default_fold_angle, "tube"), properties);
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_NE(model.warnings()[0].find("rolling"), std::string::npos);
}

// At planes of symmetry and at clamps.
TEST(Meshes, RotationsThatAreFree)
{
  const ElasticSheet law(1., 0.3);
  Options options;
  options.thickness = 0.01;
  ShellModel model =
      make_model(shell_cylinder(1., 1., 0., 0.5 * pi, 8, 4), law, options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, symmetry(0));
  fix_where(
      model, [](const Vector3 &x) { return x[2] < 1e-9; }, clamped);
  model.set_up();
  const auto n_free = [&](const unsigned int node)
  {
    unsigned int n = 0;
    for (unsigned int k = 0; k < 2; ++k)
      n += model.unknown(model.dof(node) + 3 + k) >= 0;
    return n;
  };
  EXPECT_EQ(n_free(node_at(model, { { 1., 0., 0.5 } })), 2u);
  // About x only. The mean of normals is half an element off the plane.
  EXPECT_EQ(n_free(node_at(model, { { 0., 1., 0.5 } })), 1u);
  EXPECT_EQ(n_free(node_at(model, { { 1., 0., 0. } })), 0u);
}
