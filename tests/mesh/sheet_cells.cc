// The direction through the hexahedra of a sheet.
#include <delassus/base/exceptions.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/check_mesh.h>
#include <delassus/mesh/make_mesh.h>
#include <delassus/mesh/sheet_cells.h>

#include <gtest/gtest.h>

#include <random>

using namespace delassus;
using dealii::Point;

namespace
{
BodyParameters box(const std::vector<double> &size,
                   const std::vector<unsigned int> &divisions)
{
  BodyParameters body;
  body.name           = "sheet";
  body.type           = BodyType::solid_shell;
  body.mesh.type      = MeshType::box;
  body.mesh.size      = size;
  body.mesh.divisions = divisions;
  return body;
}

/// All rotations of a cube, as what becomes of its corners.
std::vector<std::array<unsigned int, 8>> rotations()
{
  std::vector<std::array<unsigned int, 8>> result;
  for (unsigned int code = 0; code < 48; ++code)
  {
    std::array<unsigned int, 3> axis{ { 0, 1, 2 } };
    for (unsigned int k = 0; k < code / 8; ++k)
      std::next_permutation(axis.begin(), axis.end());
    const bool odd           = code / 8 == 1 || code / 8 == 2 || code / 8 == 5;
    const unsigned int flips = code % 8;
    const bool turns = (flips & 1u) ^ ((flips >> 1) & 1u) ^ (flips >> 2);
    if (odd != turns)
      continue;
    std::array<unsigned int, 8> to{};
    for (unsigned int v = 0; v < 8; ++v)
      for (unsigned int d = 0; d < 3; ++d)
        to[v] |= (((v >> d) ^ (flips >> d)) & 1u) << axis[d];
    result.push_back(to);
  }
  return result;
}

/// Each cell turned at random.
void shuffle(MeshData<3> &mesh)
{
  std::mt19937 random(5);
  const auto all = rotations();
  EXPECT_EQ(all.size(), 24u);
  for (auto &cell : mesh.cells)
  {
    const auto old = cell.vertices;
    const auto &to = all[random() % all.size()];
    for (unsigned int v = 0; v < 8; ++v)
      cell.vertices[v] = old[to[v]];
    EXPECT_GT(cell_measure(mesh.vertices, cell.vertices, mesh.reference_cell),
              0.);
  }
}

/// The third direction is @p axis, in all cells the same way; cells are right
/// ones.
void expect_through(const MeshData<3> &mesh,
                    const unsigned int axis,
                    const double sign = 0.)
{
  double all = sign;
  for (const auto &cell : mesh.cells)
  {
    EXPECT_GT(
        smallest_jacobian(mesh.vertices, cell.vertices, mesh.reference_cell),
        0.);
    for (unsigned int v = 0; v < 4; ++v)
    {
      const auto d =
          mesh.vertices[cell.vertices[v + 4]] - mesh.vertices[cell.vertices[v]];
      EXPECT_NEAR(std::abs(d[axis]), d.norm(), 1e-12);
      if (all == 0.)
        all = d[axis];
      EXPECT_GT(all * d[axis], 0.);
    }
  }
}

std::string error_of(MeshData<3> mesh)
{
  try
  {
    turn_sheet_cells(mesh, "sheet.prm:5");
  }
  catch (const InputError &e)
  {
    return e.what();
  }
  return "no error";
}
} // namespace

TEST(SheetCells, OfBoxesGoThroughTheThickness)
{
  expect_through(make_mesh<3>(box({ 4., 3., .1 }, { 5, 4, 1 })), 2);
  expect_through(make_mesh<3>(box({ 4., .1, 3. }, { 5, 1, 4 })), 1);
  expect_through(make_mesh<3>(box({ .1, 4., 3. }, { 1, 5, 4 })), 0);
  // A strip one cell wide, and a single cell: the larger faces.
  expect_through(make_mesh<3>(box({ 4., 1., .1 }, { 5, 1, 1 })), 2);
  expect_through(make_mesh<3>(box({ 4., .1, 1. }, { 1, 1, 1 })), 1);
}

TEST(SheetCells, GoOnWhateverTheOrderOfCorners)
{
  auto mesh = make_mesh<3>(box({ 4., 3., .1 }, { 5, 4, 1 }));
  shuffle(mesh);
  turn_sheet_cells(mesh, "test");
  expect_through(mesh, 2);
  // A strip with a cell whose sides are as large as its faces: its neighbours
  // know.
  mesh = make_mesh<3>(box({ 4., 1., .6 }, { 5, 1, 1 }));
  for (auto &x : mesh.vertices)
    if (x[0] > 3.9)
      x[1] *= 0.3;
  shuffle(mesh);
  turn_sheet_cells(mesh, "test");
  expect_through(mesh, 2);
}

TEST(SheetCells, NamesDecide)
{
  // Through the width, against the areas, and downwards.
  auto mesh = make_mesh<3>(box({ 4., 1., .1 }, { 5, 1, 1 }));
  for (auto &surface : mesh.surfaces)
  {
    if (surface.name == "front")
      surface.name = "outer";
    if (surface.name == "back")
      surface.name = "inner";
  }
  shuffle(mesh);
  turn_sheet_cells(mesh, "test");
  expect_through(mesh, 1, -1.);
}

TEST(SheetCells, RefusedWithThePlace)
{
  auto plain   = box({ 1., 1., 1. }, { 1, 1, 1 });
  plain.type   = BodyType::solid;
  auto mesh    = make_mesh<3>(plain);
  auto message = error_of(mesh);
  for (const auto *part : { "sheet.prm:5",
                            "cannot be told in the cell at (0.5, 0.5, 0.5)",
                            "equally large",
                            "'inner' and 'outer'" })
    EXPECT_NE(message.find(part), std::string::npos) << message;
  // Two cells through the thickness.
  plain.mesh.size      = { 4., 3., .1 };
  plain.mesh.divisions = { 4, 4, 2 };
  mesh                 = make_mesh<3>(plain);
  message              = error_of(mesh);
  EXPECT_NE(message.find("one hexahedron through the thickness"),
            std::string::npos)
      << message;
  for (auto &surface : mesh.surfaces)
    if (surface.name == "top" || surface.name == "bottom")
      surface.name = surface.name == "top" ? "outer" : "inner";
  message = error_of(mesh);
  EXPECT_NE(message.find("the opposite one is not the other"),
            std::string::npos)
      << message;
}
