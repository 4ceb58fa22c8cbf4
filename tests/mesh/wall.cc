#include <delassus/base/exceptions.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/make_mesh.h>

#include <deal.II/grid/tria.h>

#include <gtest/gtest.h>

#include <map>

using namespace delassus;

namespace
{
template <int dim>
BodyParameters
wall(const CellPattern pattern, const double length, const unsigned int courses)
{
  BodyParameters body;
  body.name           = "wall";
  body.mesh.type      = MeshType::running_bond_wall;
  body.mesh.pattern   = pattern;
  body.mesh.length    = length;
  body.mesh.n_courses = courses;
  body.mesh.size      = { 0.1, 0.05 };
  if (dim == 3)
    body.mesh.size = { 0.1, 0.04, 0.05 };
  return body;
}

template <int dim>
double measure(const MeshData<dim> &mesh)
{
  double sum = 0.;
  for (const auto &cell : mesh.cells)
    sum += cell_measure(mesh.vertices, cell.vertices, mesh.reference_cell);
  return sum;
}

template <int dim>
dealii::Tensor<1, dim> area(const MeshData<dim> &mesh, const std::string &name)
{
  for (const auto &surface : mesh.surfaces)
    if (surface.name == name)
    {
      dealii::Tensor<1, dim> sum;
      for (const auto &face : surface.faces)
        sum += face_area_vector(mesh.vertices, face);
      return sum;
    }
  ADD_FAILURE() << "no surface " << name;
  return {};
}

template <int dim>
void expect_tensor(const dealii::Tensor<1, dim> &a,
                   const std::array<double, dim> &b)
{
  for (unsigned int d = 0; d < dim; ++d)
    EXPECT_NEAR(a[d], b[d], 1e-12) << "component " << d;
}

/// Vertices of every piece, in the order of the mesh.
template <int dim>
std::vector<std::vector<unsigned int>>
vertices_of_pieces(const MeshData<dim> &mesh)
{
  std::vector<std::vector<unsigned int>> pieces(mesh.n_pieces);
  std::vector<int> owner(mesh.vertices.size(), -1);
  for (const auto &cell : mesh.cells)
    for (const unsigned int v : cell.vertices)
    {
      EXPECT_TRUE(owner[v] == -1 || owner[v] == int(cell.material_id));
      owner[v] = cell.material_id;
    }
  for (unsigned int v = 0; v < owner.size(); ++v)
  {
    EXPECT_GE(owner[v], 0) << "vertex without a cell";
    pieces[owner[v]].push_back(v);
  }
  return pieces;
}

std::string error_of(const BodyParameters &body, const int dim = 2)
{
  try
  {
    if (dim == 2)
      make_mesh<2>(body);
    else
      make_mesh<3>(body);
  }
  catch (const InputError &e)
  {
    return e.what();
  }
  return "";
}
} // namespace

TEST(Wall, PapersWallHas144BlocksOf8Triangles)
{
  const auto mesh = make_mesh<2>(wall<2>(CellPattern::eight_triangles, 8, 17));
  EXPECT_EQ(mesh.n_pieces, 144u);
  EXPECT_EQ(mesh.cells.size(), 144u * 8);
  EXPECT_EQ(mesh.vertices.size(), 144u * 9);
  EXPECT_EQ(mesh.reference_cell, dealii::ReferenceCells::Triangle);
  EXPECT_NEAR(measure(mesh), 0.8 * 0.85, 1e-13);

  // Blocks a course: 8, 9, 8, ...; cells piece by piece.
  std::map<int, int> n_blocks;
  for (const auto &piece : vertices_of_pieces(mesh))
    ++n_blocks[std::lround(mesh.vertices[piece[0]][1] / 0.05)];
  ASSERT_EQ(n_blocks.size(), 17u);
  for (const auto &[course, n] : n_blocks)
    EXPECT_EQ(n, course % 2 == 0 ? 8 : 9);
  for (std::size_t c = 1; c < mesh.cells.size(); ++c)
    EXPECT_GE(mesh.cells[c].material_id, mesh.cells[c - 1].material_id);
}

TEST(Wall, SurfacesCoverTheirSidesWithOutwardNormals)
{
  const auto mesh = make_mesh<2>(wall<2>(CellPattern::eight_triangles, 8, 17));
  expect_tensor<2>(area(mesh, "bottom"), { { 0., -0.8 * 17 } });
  expect_tensor<2>(area(mesh, "top"), { { 0., 0.8 * 17 } });
  expect_tensor<2>(area(mesh, "left"), { { -0.05 * 144, 0. } });
  expect_tensor<2>(area(mesh, "right"), { { 0.05 * 144, 0. } });
  expect_tensor<2>(area(mesh, "base"), { { 0., -0.8 } });
  expect_tensor<2>(area(mesh, "crown"), { { 0., 0.8 } });
}

TEST(Wall, JointsAreExactlyClosed)
{
  BodyParameters body = wall<2>(CellPattern::four_triangles, 7.5, 6);
  body.mesh.origin    = { 0.3, -0.7 };
  body.mesh.scale     = 1.3;
  const auto mesh     = make_mesh<2>(body);
  EXPECT_EQ(mesh.n_pieces, 48u);
  EXPECT_EQ(mesh.vertices.size(), 48u * 5);
  std::map<double, int> n_at_y, n_at_x;
  double x_max = -1e9;
  for (const auto &surface : mesh.surfaces)
    for (const auto &face : surface.faces)
      for (const unsigned int v : face)
      {
        ++n_at_y[mesh.vertices[v][1]];
        ++n_at_x[mesh.vertices[v][0]];
        x_max = std::max(x_max, mesh.vertices[v][0]);
      }
  // 7 bed joint levels; 16 half-block positions: no rounded doubles beside.
  EXPECT_EQ(n_at_y.size(), 7u);
  EXPECT_EQ(n_at_x.size(), 16u);
  EXPECT_EQ(n_at_x.begin()->first, 0.3);
  EXPECT_NEAR(x_max, 0.3 + 1.3 * 0.75, 1e-15);
  EXPECT_EQ(n_at_y.begin()->first, -0.7);
}

template <int dim>
void test_congruence(const CellPattern pattern)
{
  const auto mesh   = make_mesh<dim>(wall<dim>(pattern, 3, 4));
  const auto pieces = vertices_of_pieces(mesh);
  const auto width  = [&](const std::vector<unsigned int> &piece)
  {
    double low = 1e9, high = -1e9;
    for (const unsigned int v : piece)
    {
      low  = std::min(low, mesh.vertices[v][0]);
      high = std::max(high, mesh.vertices[v][0]);
    }
    return high - low;
  };
  const std::size_t n_cells = mesh.cells.size() / mesh.n_pieces;
  unsigned int n_half       = 0;
  for (unsigned int p = 0; p < mesh.n_pieces; ++p)
  {
    const bool half = width(pieces[p]) < 0.075;
    n_half += half;
    const unsigned int like = half ? 3 : 0; // first half and whole block
    ASSERT_NEAR(width(pieces[p]), half ? 0.05 : 0.1, 1e-15);
    ASSERT_EQ(pieces[p].size(), pieces[like].size());
    const auto shift =
        mesh.vertices[pieces[p][0]] - mesh.vertices[pieces[like][0]];
    for (std::size_t i = 0; i < pieces[p].size(); ++i)
      EXPECT_LT(
          (mesh.vertices[pieces[p][i]] - mesh.vertices[pieces[like][i]] - shift)
              .norm(),
          1e-15);
    for (std::size_t c = 0; c < n_cells; ++c)
      for (unsigned int v = 0; v < mesh.cells[0].vertices.size(); ++v)
        EXPECT_EQ(mesh.cells[p * n_cells + c].vertices[v] - pieces[p][0],
                  mesh.cells[like * n_cells + c].vertices[v] - pieces[like][0]);
  }
  EXPECT_EQ(n_half, 4u);
}

TEST(Wall, BlocksOfOneWidthAreCongruent)
{
  test_congruence<2>(CellPattern::eight_triangles);
  test_congruence<2>(CellPattern::four_triangles);
  test_congruence<2>(CellPattern::tensor);
  test_congruence<3>(CellPattern::tensor);
}

TEST(Wall, ThreeDimensionalBlocks)
{
  BodyParameters body = wall<3>(CellPattern::tensor, 4, 3);
  body.mesh.divisions = { 2, 2, 2 };
  const auto mesh     = make_mesh<3>(body);
  EXPECT_EQ(mesh.n_pieces, 13u);
  EXPECT_EQ(mesh.cells.size(), 13u * 8);
  EXPECT_EQ(mesh.vertices.size(), 13u * 27);
  EXPECT_NEAR(measure(mesh), 0.4 * 0.04 * 0.15, 1e-15);
  expect_tensor<3>(area(mesh, "bottom"), { { 0., 0., -0.4 * 0.04 * 3 } });
  expect_tensor<3>(area(mesh, "top"), { { 0., 0., 0.4 * 0.04 * 3 } });
  expect_tensor<3>(area(mesh, "left"), { { -0.04 * 0.05 * 13, 0., 0. } });
  expect_tensor<3>(area(mesh, "right"), { { 0.04 * 0.05 * 13, 0., 0. } });
  expect_tensor<3>(area(mesh, "front"), { { 0., -0.4 * 0.15, 0. } });
  expect_tensor<3>(area(mesh, "back"), { { 0., 0.4 * 0.15, 0. } });
  expect_tensor<3>(area(mesh, "base"), { { 0., 0., -0.4 * 0.04 } });
  expect_tensor<3>(area(mesh, "crown"), { { 0., 0., 0.4 * 0.04 } });

  // deal.II agrees on orientation, measure and boundary.
  dealii::Triangulation<3> triangulation;
  triangulation.create_triangulation(mesh.vertices, mesh.cells, {});
  double volume = 0.;
  for (const auto &cell : triangulation.active_cell_iterators())
  {
    EXPECT_GT(cell->measure(), 0.);
    volume += cell->measure();
  }
  EXPECT_NEAR(volume, 0.4 * 0.04 * 0.15, 1e-15);
}

template <int dim>
void test_single_piece(const CellPattern pattern,
                       const std::vector<unsigned int> &divisions,
                       const double length)
{
  BodyParameters body    = wall<dim>(pattern, length, 5);
  body.mesh.single_piece = true;
  body.mesh.divisions    = divisions;
  const auto mesh        = make_mesh<dim>(body);
  const double depth     = dim == 3 ? 0.04 : 1.;
  EXPECT_EQ(mesh.n_pieces, 1u);
  EXPECT_NEAR(measure(mesh), length * 0.1 * 5 * 0.05 * depth, 1e-13);
  // Conforming: what has one cell only is the outer boundary.
  double outer = 0.;
  for (const auto &face : boundary_faces(mesh))
    outer += face_area_vector(mesh.vertices, face.vertices).norm();
  double expected = 2 * depth * (length * 0.1 + 0.25);
  if (dim == 3)
    expected += 2 * length * 0.1 * 0.25;
  EXPECT_NEAR(outer, expected, 1e-13);
  std::array<double, dim> up{}, down{};
  up[dim - 1]   = length * 0.1 * depth;
  down[dim - 1] = -up[dim - 1];
  expect_tensor<dim>(area(mesh, "top"), up);
  expect_tensor<dim>(area(mesh, "crown"), up);
  expect_tensor<dim>(area(mesh, "base"), down);
}

TEST(Wall, SinglePieceConforms)
{
  test_single_piece<2>(CellPattern::eight_triangles, {}, 8);
  test_single_piece<2>(CellPattern::eight_triangles, {}, 4.5);
  test_single_piece<2>(CellPattern::tensor, { 4, 3 }, 4.5);
  test_single_piece<2>(CellPattern::four_triangles, { 2, 1 }, 3);
  test_single_piece<3>(CellPattern::tensor, { 2, 2, 2 }, 3.5);
}

TEST(Wall, LengthOfHalfABlock)
{
  const auto mesh = make_mesh<2>(wall<2>(CellPattern::tensor, 0.5, 2));
  EXPECT_EQ(mesh.n_pieces, 2u);
  EXPECT_NEAR(measure(mesh), 0.05 * 0.1, 1e-15);
}

TEST(Wall, BadSettingsAreSaid)
{
  auto body        = wall<2>(CellPattern::tensor, 8, 2);
  body.mesh.length = 7.3;
  EXPECT_NE(error_of(body).find("7.3"), std::string::npos);
  EXPECT_NE(error_of(body).find("Body 'wall'"), std::string::npos);
  body.mesh.length = 0.;
  EXPECT_NE(error_of(body), "");
  body = wall<2>(CellPattern::tensor, 8, 0);
  EXPECT_NE(error_of(body).find("courses"), std::string::npos);
  body           = wall<2>(CellPattern::tensor, 8, 2);
  body.mesh.size = { 0.1 };
  EXPECT_NE(error_of(body).find("length, height"), std::string::npos);
  body.mesh.size = { 0.1, -1. };
  EXPECT_NE(error_of(body).find("-1"), std::string::npos);
  body                = wall<2>(CellPattern::tensor, 8, 2);
  body.mesh.divisions = { 2, 0 };
  EXPECT_NE(error_of(body).find("division"), std::string::npos);
  body.mesh.divisions = { 2 };
  EXPECT_NE(error_of(body).find("divisions"), std::string::npos);
  body             = wall<2>(CellPattern::tensor, 8, 2);
  body.mesh.origin = { 1, 2, 3 };
  EXPECT_NE(error_of(body).find("origin"), std::string::npos);
  body            = wall<2>(CellPattern::tensor, 8, 2);
  body.mesh.scale = 0.;
  EXPECT_NE(error_of(body).find("scale"), std::string::npos);
  EXPECT_NE(error_of(wall<3>(CellPattern::eight_triangles, 8, 2), 3).find("3D"),
            std::string::npos);
  body                   = wall<2>(CellPattern::four_triangles, 8, 2);
  body.mesh.single_piece = true;
  EXPECT_NE(error_of(body).find("even number"), std::string::npos);
}

TEST(Box, CellsAndSurfaces)
{
  BodyParameters body;
  body.name           = "bar";
  body.mesh.type      = MeshType::box;
  body.mesh.size      = { 2., 0.5 };
  body.mesh.divisions = { 8, 2 };
  auto plane          = make_mesh<2>(body);
  EXPECT_EQ(plane.n_pieces, 1u);
  EXPECT_EQ(plane.cells.size(), 16u);
  EXPECT_NEAR(measure(plane), 1., 1e-14);
  expect_tensor<2>(area(plane, "right"), { { 0.5, 0. } });
  expect_tensor<2>(area(plane, "base"), { { 0., -2. } });

  body.mesh.pattern = CellPattern::four_triangles;
  plane             = make_mesh<2>(body);
  EXPECT_EQ(plane.cells.size(), 64u);
  EXPECT_NEAR(measure(plane), 1., 1e-14);

  body.mesh.pattern   = CellPattern::tensor;
  body.mesh.size      = { 2., 0.5, 0.25 };
  body.mesh.divisions = { 4, 2, 1 };
  body.mesh.origin    = { 1., 1., 1. };
  const auto solid    = make_mesh<3>(body);
  EXPECT_EQ(solid.cells.size(), 8u);
  EXPECT_NEAR(measure(solid), 0.25, 1e-14);
  EXPECT_EQ(solid.vertices[0], dealii::Point<3>(1., 1., 1.));
  expect_tensor<3>(area(solid, "back"), { { 0., 0.5, 0. } });
}
