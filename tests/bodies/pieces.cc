#include "bodies/make_bodies.h"

#include <delassus/base/exceptions.h>
#include <delassus/mesh/block_generators.h>
#include <delassus/systems/find_surfaces.h>
#include <delassus/time_integration/theta_scheme.h>

#include <gtest/gtest.h>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

namespace
{
template <int dim>
MeshData<dim>
wall(const double length, const unsigned int courses, const double scale = 1.)
{
  MeshParameters mesh;
  mesh.type    = MeshType::running_bond_wall;
  mesh.size    = dim == 2 ? std::vector<double>{ 0.4, 0.2 }
                          : std::vector<double>{ 0.4, 0.3, 0.2 };
  mesh.pattern = dim == 2 ? CellPattern::eight_triangles : CellPattern::tensor;
  mesh.length  = length;
  mesh.n_courses = courses;
  mesh.scale     = scale;
  return make_running_bond_wall<dim>(mesh, "test");
}

BoundaryConditionParameters
fixed(const std::vector<unsigned int> &components = {})
{
  BoundaryConditionParameters condition;
  condition.name       = "fixed";
  condition.type       = BoundaryConditionType::fixed;
  condition.components = components;
  return condition;
}

template <int dim>
Tensor<1, dim> area_vector(const SolidBody<dim> &body, const SkinFace &face)
{
  std::array<Point<dim>, 4> x;
  for (unsigned int v = 0; v < face.n_nodes; ++v)
    x[v] = body.nodes[face.nodes[v]];
  Tensor<1, dim> a;
  if constexpr (dim == 2)
    a = Point<2>((x[1] - x[0])[1], -(x[1] - x[0])[0]);
  else if (face.n_nodes == 3)
    a = 0.5 * dealii::cross_product_3d(x[1] - x[0], x[2] - x[0]);
  else
    a = 0.5 * dealii::cross_product_3d(x[2] - x[0], x[3] - x[1]);
  return a;
}

template <int dim>
void normals(const bool simplices)
{
  MeshData<dim> mesh = make_grid(sheared_grid<dim>(simplices, 3, 0.5));
  Grid<dim> box      = sheared_grid<dim>(simplices, 2, 0.5);
  box.map            = [](const Point<dim> &p)
  {
    Point<dim> x;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = 10. + (1. + d) * p[d];
    return x;
  };
  append_grid(mesh, box);
  const auto body = make_body(mesh);
  // Divergence theorem, piece by piece: sum of n A = 0, of x . n A = dim V.
  std::vector<Tensor<1, dim>> sum(2);
  std::vector<double> flux(2, 0.), area(2, 0.);
  for (const auto &face : body->boundary)
  {
    const auto a = area_vector(*body, face);
    Point<dim> centre;
    for (unsigned int v = 0; v < face.n_nodes; ++v)
    {
      centre += 1. / face.n_nodes * body->nodes[face.nodes[v]];
      EXPECT_EQ(body->node_piece[face.nodes[v]], face.piece);
    }
    EXPECT_GT(a * (centre - body->centre_of_cell(face.cell)), 0.);
    EXPECT_EQ(body->cell_piece[face.cell], face.piece);
    sum[face.piece] += a;
    flux[face.piece] += a * Tensor<1, dim>(centre);
    area[face.piece] += a.norm();
  }
  for (unsigned int p = 0; p < 2; ++p)
  {
    EXPECT_LT(sum[p].norm(), 1e-12);
    EXPECT_NEAR(flux[p], dim * body->pieces[p].volume, 1e-11);
  }
  EXPECT_NEAR(area[1], dim == 2 ? 6. : 22., 1e-12);
  EXPECT_NEAR(body->pieces[1].volume, dim == 2 ? 2. : 6., 1e-12);

  // Named faces look where their name says.
  for (const auto f : body->surface("top", "test"))
    if (body->boundary[f].piece == 1)
    {
      EXPECT_NEAR(area_vector(*body, body->boundary[f])[dim - 1],
                  area_vector(*body, body->boundary[f]).norm(),
                  1e-13);
    }
  EXPECT_EQ(body->surface("*", "test").size(), body->boundary.size());
  EXPECT_EQ(body->surface("", "test").size(), body->boundary.size());
}
} // namespace

TEST(Pieces, BoundaryNormalsPointOutwards)
{
  normals<2>(true);
  normals<2>(false);
  normals<3>(true);
  normals<3>(false);
}

TEST(Pieces, NodesAreNumberedPieceByPiece)
{
  // Two pieces whose vertices alternate in the mesh, and a vertex nobody uses.
  MeshData<2> mesh = make_grid(sheared_grid<2>(true, 2));
  Grid<2> far      = sheared_grid<2>(true, 2);
  far.map          = [](const Point<2> &p) { return p + Point<2>(10., 0.); };
  append_grid(mesh, far);
  const unsigned int n = mesh.vertices.size() / 2;
  std::vector<Point<2>> shuffled(2 * n + 1, Point<2>(77., 77.));
  const auto moved = [&](const unsigned int v)
  { return v < n ? 2 * v + 1 : 2 * (v - n) + 2; };
  for (unsigned int v = 0; v < 2 * n; ++v)
    shuffled[moved(v)] = mesh.vertices[v];
  mesh.vertices = shuffled;
  for (auto &cell : mesh.cells)
    for (auto &v : cell.vertices)
      v = moved(v);
  for (auto &surface : mesh.surfaces)
    for (auto &face : surface.faces)
      for (auto &v : face)
        v = moved(v);

  const auto body = make_body(mesh);
  ASSERT_EQ(body->n_nodes(), 2 * n);
  ASSERT_EQ(body->pieces.size(), 2u);
  unsigned int next_node = 0, next_cell = 0;
  for (unsigned int p = 0; p < 2; ++p)
  {
    const auto &piece = body->pieces[p];
    EXPECT_EQ(piece.first_node, next_node);
    EXPECT_EQ(piece.first_cell, next_cell);
    next_node += piece.n_nodes;
    next_cell += piece.n_cells;
    for (unsigned int i = piece.first_node; i < next_node; ++i)
    {
      EXPECT_EQ(body->node_piece[i], p);
      EXPECT_EQ(body->nodes[i][0] > 5., p == 1);
    }
  }
  EXPECT_EQ(next_node, body->n_nodes());
  EXPECT_EQ(next_cell, mesh.cells.size());
  ASSERT_EQ(body->n_cells(), mesh.cells.size());
  for (unsigned int c = 0; c < body->n_cells(); ++c)
    for (unsigned int v = 0; v < mesh.cells[c].vertices.size(); ++v)
      EXPECT_EQ(body->nodes[body->nodes_of_cell(c)[v]],
                mesh.vertices[mesh.cells[c].vertices[v]]);
  // Matrices do not couple pieces.
  for (unsigned int i = 0; i < 2 * n; ++i)
    for (auto entry = body->stiffness.begin(i); entry != body->stiffness.end(i);
         ++entry)
      EXPECT_LT(entry->column(), 2 * n);
}

TEST(Pieces, SmallestEdge)
{
  Grid<2> grid;
  grid.n          = { { 4, 2 } };
  const auto body = make_body(make_grid(grid));
  EXPECT_DOUBLE_EQ(body->smallest_edge, 0.25);
}

TEST(Pieces, UnknownSurfaceSuggestsTheNearestName)
{
  const auto body = make_body(wall<2>(3., 3));
  try
  {
    body->surface("botom", "Section 'Boundary condition base'");
    ADD_FAILURE() << "no error";
  }
  catch (const InputError &e)
  {
    const std::string message = e.what();
    EXPECT_NE(message.find("Did you mean 'bottom'?"), std::string::npos)
        << message;
    EXPECT_NE(message.find("Boundary condition base"), std::string::npos);
    EXPECT_NE(message.find("'body'"), std::string::npos);
  }
}

TEST(Pieces, FindSurfaces)
{
  std::vector<std::unique_ptr<SolidBody<2>>> bodies;
  BodyParameters parameters;
  parameters.name = "wall";
  bodies.push_back(make_body(wall<2>(2., 2), soft_stone(), parameters));
  parameters.name = "floor";
  bodies.push_back(
      make_body(make_grid(sheared_grid<2>(true)), soft_stone(), parameters));

  auto found = find_surfaces(skins_of<2>(bodies), "top", "test");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].body, 1u);
  found = find_surfaces(skins_of<2>(bodies), "crown", "test");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].body, 0u);
  found = find_surfaces(skins_of<2>(bodies), "floor/top", "test");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].body, 1u);
  EXPECT_EQ(found[0].surface, "top");
  found = find_surfaces(skins_of<2>(bodies), "floor", "test");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].surface, "*");
  for (const std::string wrong : { "flor", "flor/top", "floor/tip" })
    try
    {
      find_surfaces(skins_of<2>(bodies), wrong, "test");
      ADD_FAILURE() << wrong;
    }
    catch (const InputError &e)
    {
      EXPECT_NE(std::string(e.what()).find("Did you mean"), std::string::npos)
          << e.what();
    }
}

TEST(Classes, WallHasWholeAndHalfBlocks)
{
  for (const double scale : { 1., 1e-6, 1e6 })
  {
    const auto body = make_body(wall<2>(4., 6, scale));
    DrivenDofs<2> driven(*body);
    const auto classes = find_piece_classes(*body, driven);
    EXPECT_EQ(classes.n_classes(), 2u);
    for (unsigned int p = 0; p < body->pieces.size(); ++p)
      EXPECT_NEAR(
          body->pieces[p].volume,
          body->pieces[classes.representative[classes.class_of_piece[p]]]
              .volume,
          1e-12 * body->pieces[p].volume);

    // Whole blocks of the lowest course are held: a class of their own.
    driven.add(fixed(), body->surface("base", "test"));
    const auto held = find_piece_classes(*body, driven);
    EXPECT_EQ(held.n_classes(), 3u);
    for (unsigned int p = 0; p < 4; ++p)
      EXPECT_EQ(held.class_of_piece[p], held.class_of_piece[0]);
    for (unsigned int p = 4; p < body->pieces.size(); ++p)
      EXPECT_NE(held.class_of_piece[p], held.class_of_piece[0]);
  }
  const auto body = make_body(wall<3>(4., 6));
  DrivenDofs<3> driven(*body);
  EXPECT_EQ(find_piece_classes(*body, driven).n_classes(), 2u);
}

TEST(Classes, PiecesOfAClassHaveTheSameMatrices)
{
  const auto body = make_body(wall<2>(3., 3));
  DrivenDofs<2> driven(*body);
  const auto classes = find_piece_classes(*body, driven);
  for (unsigned int p = 0; p < body->pieces.size(); ++p)
  {
    const auto &a = body->pieces[p];
    const auto &b =
        body->pieces[classes.representative[classes.class_of_piece[p]]];
    ASSERT_EQ(a.n_nodes, b.n_nodes);
    for (unsigned int i = 0; i < 2 * a.n_nodes; ++i)
      for (unsigned int j = 0; j < 2 * a.n_nodes; ++j)
      {
        EXPECT_NEAR(
            body->stiffness.el(2 * a.first_node + i, 2 * a.first_node + j),
            body->stiffness.el(2 * b.first_node + i, 2 * b.first_node + j),
            1e-9 * 700.);
        EXPECT_NEAR(body->mass.el(2 * a.first_node + i, 2 * a.first_node + j),
                    body->mass.el(2 * b.first_node + i, 2 * b.first_node + j),
                    1e-12);
      }
  }
}

TEST(Classes, ADifferentShapeOfTheSameVolumeIsNotCongruent)
{
  // Same counts and volumes: a box, a mirrored one (other diagonals), a sheared
  // one, and a copy of the first.
  MeshData<2> mesh;
  for (unsigned int k = 0; k < 4; ++k)
  {
    Grid<2> grid;
    grid.simplices = true;
    grid.n         = { { 2, 1 } };
    grid.map       = [k](const Point<2> &p)
    { return Point<2>(3. * k + p[0] + (k == 2 ? 0.1 * p[1] : 0.), p[1]); };
    append_grid(mesh, grid);
    if (k == 1) // the first cells' diagonal turned
    {
      auto &a      = mesh.cells[mesh.cells.size() - 4].vertices;
      auto &b      = mesh.cells[mesh.cells.size() - 3].vertices;
      const auto v = a[0], w = a[1], y = a[2], z = b[2];
      a = { v, w, z };
      b = { w, y, z };
    }
  }
  const auto body = make_body(mesh);
  DrivenDofs<2> driven(*body);
  const auto classes = find_piece_classes(*body, driven);
  EXPECT_EQ(classes.class_of_piece, (std::vector<unsigned int>{ 0, 1, 2, 0 }));
}

TEST(Classes, AxisymmetricPiecesAreNeverCongruent)
{
  MeshData<2> mesh = wall<2>(3., 3);
  for (auto &x : mesh.vertices)
    x[0] += 1.;
  const unsigned int n = mesh.n_pieces;
  const auto body = make_body(mesh, soft_stone(), {}, Assumption::axisymmetric);
  DrivenDofs<2> driven(*body);
  EXPECT_EQ(find_piece_classes(*body, driven).n_classes(), n);
}

TEST(DrivenDofs, TwoConditionsOnOneDofAreAnError)
{
  const auto body = make_body(make_grid(sheared_grid<2>(true)));
  DrivenDofs<2> driven(*body);
  driven.add(fixed({ 1 }), body->surface("bottom", "test"));
  driven.add(fixed(), body->surface("left", "test")); // both fixed: agreed
  EXPECT_EQ(driven.n_dofs(), 4u + 8u - 1u);
  BoundaryConditionParameters pull = fixed({ 0 });
  pull.name                        = "pull";
  pull.type                        = BoundaryConditionType::velocity;
  pull.value                       = "1; 0";
  driven.add(pull, body->surface("right", "test"));
  pull.components = {};
  pull.name       = "push";
  EXPECT_THROW(driven.add(pull, body->surface("top", "test")), InputError);
}

namespace
{
/// Thick cylinder under internal pressure, plane strain along the axis:
/// largest error of the radial displacement of a ring 1 < r < 2.
double thick_cylinder_error(const bool simplices, const unsigned int n)
{
  Grid<2> grid;
  grid.simplices = simplices;
  grid.n         = { { n, 2 } };
  grid.map = [](const Point<2> &p) { return Point<2>(1. + p[0], 0.5 * p[1]); };
  const auto body =
      make_body(make_grid(grid), soft_stone(), {}, Assumption::axisymmetric);
  BoundaryConditionParameters pressure;
  pressure.type  = BoundaryConditionType::pressure;
  pressure.value = "2";
  DrivenDofs<2> driven(*body);
  driven.add(fixed({ 1 }), body->surface("bottom", "test"));
  driven.add(fixed({ 1 }), body->surface("top", "test"));
  const auto classes = find_piece_classes(*body, driven);
  Loads<2> loads(*body, {}, { &pressure }, { body->surface("left", "test") });
  // One implicit step much longer than any period: the static solution.
  ThetaScheme<2> scheme(*body, driven, classes, loads, TimeParameters());
  scheme.set_step(1e6);
  scheme.begin_step(0., false);
  EXPECT_TRUE(scheme.correct());
  const double E = 700., nu = 0.3, p = 2., a2 = 1., b2 = 4.;
  double error = 0.;
  for (unsigned int i = 0; i < body->n_nodes(); ++i)
  {
    const double r = body->nodes[i][0];
    const double exact =
        (1. + nu) * p * a2 / (E * (b2 - a2)) * ((1. - 2. * nu) * r + b2 / r);
    error = std::max(error, std::abs(scheme.q_new[2 * i] / exact - 1.));
    EXPECT_NEAR(scheme.q_new[2 * i + 1], 0., 0.1 * exact / n);
  }
  return error;
}
} // namespace

TEST(Axisymmetric, ThickCylinderConvergesToLame)
{
  for (const bool simplices : { false, true })
  {
    const double coarse = thick_cylinder_error(simplices, 8);
    const double fine   = thick_cylinder_error(simplices, 16);
    EXPECT_LT(fine, 1.1e-3);
    EXPECT_NEAR(coarse / fine, 4., 0.6) << coarse << ' ' << fine;
  }
}
