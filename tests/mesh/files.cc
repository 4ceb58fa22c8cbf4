#include <delassus/base/exceptions.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/make_mesh.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_out.h>
#include <deal.II/grid/tria.h>

#include <gmsh.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "test_paths.h"

using namespace delassus;

namespace
{
/// A folder for the files of one test.
class MeshFiles : public ::testing::Test
{
protected:
  void SetUp() override
  {
    folder = std::filesystem::temp_directory_path() /
             ("delassus_mesh_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }

  void TearDown() override
  {
    std::filesystem::remove_all(folder);
  }

  std::string write(const std::string &name, const std::string &content) const
  {
    const std::string path = (folder / name).string();
    std::ofstream(path) << content;
    return path;
  }

  std::filesystem::path folder;
};

BodyParameters body_from(const std::string &file,
                         const std::string &name = "body")
{
  BodyParameters body;
  body.name      = name;
  body.mesh.type = MeshType::file;
  body.mesh.file = file;
  return body;
}

template <int dim>
std::string error_of(const BodyParameters &body)
{
  try
  {
    make_mesh<dim>(body);
  }
  catch (const InputError &e)
  {
    return e.what();
  }
  return "no error";
}

#define EXPECT_SAYS(text, part)                                                \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

template <int dim>
double measure(const MeshData<dim> &mesh)
{
  double sum = 0.;
  for (const auto &cell : mesh.cells)
  {
    const double m =
        cell_measure(mesh.vertices, cell.vertices, mesh.reference_cell);
    EXPECT_GT(m, 0.);
    sum += m;
  }
  return sum;
}

template <int dim>
dealii::Tensor<1, dim>
area(const MeshData<dim> &mesh, const std::string &name, double *size = nullptr)
{
  dealii::Tensor<1, dim> sum;
  for (const auto &surface : mesh.surfaces)
    if (surface.name == name)
    {
      for (const auto &face : surface.faces)
      {
        sum += face_area_vector(mesh.vertices, face);
        if (size)
          *size += face_area_vector(mesh.vertices, face).norm();
      }
      return sum;
    }
  ADD_FAILURE() << "no surface " << name;
  return sum;
}

/// deal.II accepts the cells as they are and finds the same measure.
template <int dim>
void expect_triangulable(const MeshData<dim> &mesh)
{
  dealii::Triangulation<dim> triangulation(
      dealii::Triangulation<dim>::none,
      /*check_for_distorted_cells=*/mesh.reference_cell.is_hyper_cube());
  ASSERT_NO_THROW(
      triangulation.create_triangulation(mesh.vertices, mesh.cells, {}));
  double sum = 0.;
  for (const auto &cell : triangulation.active_cell_iterators())
    sum += cell->measure();
  EXPECT_NEAR(sum, measure(mesh), 1e-10 * sum);
}

const std::string meshes = DELASSUS_SOURCE_DIR "/meshes/";
} // namespace

TEST_F(MeshFiles, TwoBlocksOfTheExample)
{
  auto body        = body_from(meshes + "two_blocks.geo", "lower");
  const auto lower = make_mesh<2>(body);
  EXPECT_EQ(lower.reference_cell, dealii::ReferenceCells::Triangle);
  EXPECT_EQ(lower.n_pieces, 1u);
  EXPECT_EQ(lower.cells.size(), 2u * 8 * 4);
  EXPECT_NEAR(measure(lower), 0.5, 1e-12);
  EXPECT_EQ(lower.surfaces.size(), 4u) << "surfaces of the other block";
  EXPECT_NEAR(area(lower, "lower_top")[1], 1., 1e-12);
  EXPECT_NEAR(area(lower, "lower_left")[0], -0.5, 1e-12);

  body.physical_name     = "upper";
  body.name              = "another name";
  body.mesh.gmsh_numbers = { { "nx", 5 },
                             { "quadrilaterals", 1 },
                             { "Geometry/length of the upper block", 0.5 } };
  body.mesh.scale        = 2.;
  body.mesh.origin       = { 10., 20. };
  const auto upper       = make_mesh<2>(body);
  EXPECT_EQ(upper.reference_cell, dealii::ReferenceCells::Quadrilateral);
  EXPECT_EQ(upper.cells.size(), 4u * 4);
  EXPECT_NEAR(measure(upper), 0.25 * 4, 1e-12);
  EXPECT_NEAR(area(upper, "upper_bottom")[1], -1., 1e-12);
  double low = 1e9, left = 1e9;
  for (const auto &x : upper.vertices)
  {
    left = std::min(left, x[0]);
    low  = std::min(low, x[1]);
  }
  EXPECT_NEAR(low, 20. + 2. * 0.5, 1e-12);
  EXPECT_NEAR(left, 10. + 2. * 0.25, 1e-12);
}

TEST_F(MeshFiles, BarOfTheExampleInAllKinds)
{
  auto body              = body_from(meshes + "bar.geo", "bar");
  body.mesh.gmsh_numbers = {
    { "nx", 7 }, { "ny", 3 }, { "nz", 2 }, { "tensor", 1 }
  };
  const auto q4 = make_mesh<2>(body);
  EXPECT_EQ(q4.cells.size(), 21u);
  EXPECT_NEAR(measure(q4), 10., 1e-11);
  expect_triangulable(q4);

  body.mesh.gmsh_numbers["depth"] = 0.5;
  const auto h8                   = make_mesh<3>(body);
  EXPECT_EQ(h8.reference_cell, dealii::ReferenceCells::Hexahedron);
  EXPECT_EQ(h8.cells.size(), 42u);
  EXPECT_NEAR(measure(h8), 5., 1e-11);
  EXPECT_NEAR(area(h8, "right")[0], 0.5, 1e-12);
  EXPECT_NEAR(area(h8, "left")[0], -0.5, 1e-12);
  double side = 0.;
  EXPECT_NEAR(area(h8, "side", &side).norm(), 0., 1e-11);
  EXPECT_NEAR(side, 2 * 10 * 1.5, 1e-10);
  expect_triangulable(h8);

  body.mesh.gmsh_numbers["tensor"] = 0;
  const auto tet4                  = make_mesh<3>(body);
  EXPECT_EQ(tet4.reference_cell, dealii::ReferenceCells::Tetrahedron);
  EXPECT_NEAR(measure(tet4), 5., 1e-11);
  side = 0.;
  EXPECT_NEAR(area(tet4, "side", &side).norm(), 0., 1e-11);
  EXPECT_NEAR(side, 30., 1e-10);
  expect_triangulable(tet4);

  body.mesh.gmsh_numbers["depth"] = 0;
  const auto t3                   = make_mesh<2>(body);
  EXPECT_EQ(t3.reference_cell, dealii::ReferenceCells::Triangle);
  EXPECT_NEAR(measure(t3), 10., 1e-11);
  // A plane script in a 3D run.
  EXPECT_SAYS(error_of<3>(body), "no cells of dimension 3");
}

TEST_F(MeshFiles, NumbersOfAScript)
{
  const auto file        = write("numbers.geo",
                          "DefineConstant[ a = 2, b = {3, Name \"Box/b\"} ];\n"
                                 "If (!Exists(c))\n  c = 1;\nEndIf\n"
                                 "own = 5; // mentions: wrong\n"
                                 "SetFactory(\"OpenCASCADE\");\n"
                                 "Rectangle(1) = {0, 0, 0, a * c * free, b};\n");
  auto body              = body_from(file);
  body.mesh.gmsh_numbers = { { "free", 1. } };
  EXPECT_NEAR(measure(make_mesh<2>(body)), 6., 1e-11);
  body.mesh.gmsh_numbers["a"] = 0.1;
  EXPECT_NEAR(measure(make_mesh<2>(body)), 0.3, 1e-12);
  body.mesh.gmsh_numbers["Box/b"] = 4;
  EXPECT_NEAR(measure(make_mesh<2>(body)), 0.4, 1e-12);
  body.mesh.gmsh_numbers["c"] = 10;
  EXPECT_NEAR(measure(make_mesh<2>(body)), 4., 1e-11);
  const auto coarse                             = make_mesh<2>(body);
  body.mesh.gmsh_numbers["Mesh.MeshSizeFactor"] = 0.5;
  EXPECT_GT(make_mesh<2>(body).cells.size(), 2 * coarse.cells.size());

  body.mesh.gmsh_numbers = { { "free", 1. }, { "own", 1. } };
  EXPECT_SAYS(error_of<2>(body), "'own' cannot be set");
  body.mesh.gmsh_numbers = { { "free", 1. }, { "wrong", 1. } };
  EXPECT_SAYS(error_of<2>(body), "no number 'wrong'");
  body.mesh.gmsh_numbers = { { "free", 1. }, { "Box/c", 1. } };
  EXPECT_SAYS(error_of<2>(body), "Did you mean 'Box/b'?");
  body.mesh.gmsh_numbers = { { "free", 1. }, { "Mesh.NoSuchThing", 1. } };
  EXPECT_SAYS(error_of<2>(body), "Mesh.NoSuchThing");

  // None of the numbers is left over for the next body.
  body.mesh.gmsh_numbers = { { "free", 1. } };
  EXPECT_NEAR(measure(make_mesh<2>(body)), 6., 1e-11);
}

namespace
{
/// Two unit squares side by side with a common edge, "one" and "two", meshed
/// with quadrilaterals or triangles and written in a format.
void write_two_squares(const std::string &file,
                       const double version,
                       const int order           = 1,
                       const bool quadrilaterals = false,
                       const bool named          = true)
{
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::model::add("squares");
  for (int i = 0; i < 3; ++i)
  {
    gmsh::model::geo::addPoint(i, 0, 0, 0.4, 2 * i + 1);
    gmsh::model::geo::addPoint(i, 1, 0, 0.4, 2 * i + 2);
    gmsh::model::geo::addLine(2 * i + 1, 2 * i + 2, i + 1);
  }
  for (int i = 0; i < 2; ++i)
  {
    gmsh::model::geo::addLine(2 * i + 1, 2 * i + 3, 10 + i);
    gmsh::model::geo::addLine(2 * i + 2, 2 * i + 4, 20 + i);
    gmsh::model::geo::addCurveLoop({ i + 1, 20 + i, -(i + 2), -(10 + i) },
                                   i + 1);
    gmsh::model::geo::addPlaneSurface({ i + 1 }, i + 1);
  }
  gmsh::model::geo::synchronize();
  for (int i = 0; i < 2; ++i)
  {
    gmsh::model::addPhysicalGroup(2, { i + 1 }, i + 1);
    if (named)
      gmsh::model::setPhysicalName(2, i + 1, i == 0 ? "one" : "two");
  }
  gmsh::model::addPhysicalGroup(1, { 10, 11 }, 5);
  gmsh::model::setPhysicalName(1, 5, "floor");
  gmsh::model::addPhysicalGroup(1, { 2 }, 6);
  gmsh::model::setPhysicalName(1, 6, "between");
  gmsh::model::addPhysicalGroup(1, { 1, 10 }, 7);
  gmsh::model::setPhysicalName(1, 7, "left and floor");
  if (quadrilaterals)
    gmsh::option::setNumber("Mesh.RecombineAll", 1);
  gmsh::model::mesh::generate(2);
  gmsh::model::mesh::setOrder(order);
  gmsh::option::setNumber("Mesh.MshFileVersion", version);
  gmsh::write(file);
  gmsh::finalize();
}
} // namespace

TEST_F(MeshFiles, MshFormats2And4KeepNames)
{
  for (const double version : { 2.2, 4.1 })
    for (const bool quadrilaterals : { false, true })
    {
      const std::string file = (folder / "squares.msh").string();
      write_two_squares(file, version, 1, quadrilaterals);
      const auto one = make_mesh<2>(body_from(file, "one"));
      const auto two = make_mesh<2>(body_from(file, "two"));
      EXPECT_EQ(one.source, file);
      for (const auto *mesh : { &one, &two })
      {
        EXPECT_EQ(mesh->reference_cell,
                  quadrilaterals ? dealii::ReferenceCells::Quadrilateral
                                 : dealii::ReferenceCells::Triangle);
        EXPECT_NEAR(measure(*mesh), 1., 1e-12);
        EXPECT_EQ(mesh->n_pieces, 1u);
        EXPECT_NEAR(area(*mesh, "floor")[1], -1., 1e-12);
        expect_triangulable(*mesh);
        for (const auto &x : mesh->vertices)
          EXPECT_TRUE(mesh == &one ? x[0] < 1 + 1e-9 : x[0] > 1 - 1e-9);
      }
      // Each body has its own side of the common edge; faces may be in
      // several groups.
      EXPECT_NEAR(area(one, "between")[0], 1., 1e-12);
      EXPECT_NEAR(area(two, "between")[0], -1., 1e-12);
      EXPECT_NEAR(area(one, "left and floor")[0], -1., 1e-12);
      EXPECT_NEAR(area(one, "left and floor")[1], -1., 1e-12);
      EXPECT_EQ(two.surfaces.size(), 2u);
    }
}

TEST_F(MeshFiles, WhichGroupIsTheBody)
{
  const std::string file = (folder / "squares.msh").string();
  write_two_squares(file, 4.1);
  auto body = body_from(file, "neither");
  EXPECT_SAYS(error_of<2>(body), "'one', 'two'");
  body.physical_name = "tow";
  EXPECT_SAYS(error_of<2>(body), "Did you mean 'two'?");
  EXPECT_SAYS(error_of<2>(body), "Body 'neither'");
  EXPECT_SAYS(error_of<2>(body), file);
  body.physical_name = "two";
  EXPECT_NEAR(measure(make_mesh<2>(body)), 1., 1e-12);

  write_two_squares(file, 4.1, 1, false, /*named=*/false);
  body.physical_name = "2";
  EXPECT_NEAR(area(make_mesh<2>(body), "between")[0], -1., 1e-12);
}

TEST_F(MeshFiles, ThirdOrderAndMixedCellsAreRefused)
{
  const std::string file = (folder / "squares.msh").string();
  write_two_squares(file, 4.1, 3);
  EXPECT_SAYS(error_of<2>(body_from(file, "one")), "triangles (T3, T6) or");
  EXPECT_SAYS(error_of<2>(body_from(file, "one")), "10");

  const auto mixed = write("mixed.geo",
                           "SetFactory(\"OpenCASCADE\");\n"
                           "Rectangle(1) = {0, 0, 0, 1, 1};\n"
                           "Rectangle(2) = {2, 0, 0, 1, 1};\n"
                           "Recombine Surface {2};\n"
                           "Transfinite Surface {2};\n");
  EXPECT_SAYS(error_of<2>(body_from(mixed)), "two kinds");
}

TEST_F(MeshFiles, PiecesAreConnectedComponents)
{
  const auto file = write("three.geo",
                          "SetFactory(\"OpenCASCADE\");\n"
                          "For i In {0:2}\n"
                          "  Rectangle(i + 1) = {i, 0, 0, 1, 1};\n"
                          "EndFor\n"
                          "Transfinite Surface {:};\n"
                          "Recombine Surface {:};\n"
                          "Physical Surface(\"blocks\") = {1, 2, 3};\n");
  const auto mesh = make_mesh<2>(body_from(file));
  EXPECT_EQ(mesh.n_pieces, 3u);
  EXPECT_NEAR(measure(mesh), 3., 1e-12);
  std::vector<double> area_of_piece(3, 0.);
  unsigned int last = 0;
  for (const auto &cell : mesh.cells)
  {
    ASSERT_GE(cell.material_id, last);
    last = cell.material_id;
    area_of_piece[last] +=
        cell_measure(mesh.vertices, cell.vertices, mesh.reference_cell);
    for (const unsigned int v : cell.vertices)
    {
      EXPECT_GE(mesh.vertices[v][0], last - 1e-12);
      EXPECT_LE(mesh.vertices[v][0], last + 1 + 1e-12);
    }
  }
  for (const double a : area_of_piece)
    EXPECT_NEAR(a, 1., 1e-12);
  // Copies of a block list their vertices alike.
  const std::size_t n = mesh.vertices.size() / 3;
  ASSERT_EQ(mesh.vertices.size(), 3 * n);
  for (std::size_t v = 0; v < n; ++v)
    EXPECT_NEAR(mesh.vertices[n + v][0] - mesh.vertices[v][0], 1., 1e-12);
}

TEST_F(MeshFiles, UnstructuredQuadrilateralsAndHexahedra)
{
  const auto file =
      write("disk.geo",
            "SetFactory(\"OpenCASCADE\");\n"
            "Disk(1) = {0, 0, 0, 1};\n"
            "Mesh.MeshSizeMax = 0.3;\n"
            "Mesh.RecombinationAlgorithm = 3;\n"
            "Recombine Surface {1};\n"
            "DefineConstant[ solid = 0 ];\n"
            "If (solid)\n"
            "  Extrude {0, 0, 1} { Surface{1}; Layers{3}; Recombine; }\n"
            "EndIf\n");
  auto body        = body_from(file);
  const auto plane = make_mesh<2>(body);
  EXPECT_EQ(plane.reference_cell, dealii::ReferenceCells::Quadrilateral);
  EXPECT_NEAR(measure(plane), 3.14, 0.06);
  expect_triangulable(plane);

  body.mesh.gmsh_numbers = { { "solid", 1 } };
  const auto solid       = make_mesh<3>(body);
  EXPECT_EQ(solid.reference_cell, dealii::ReferenceCells::Hexahedron);
  EXPECT_NEAR(measure(solid), 3.14, 0.06);
  expect_triangulable(solid);
}

TEST_F(MeshFiles, SurfaceNormalsOfAScriptDoNotMatter)
{
  // Clockwise: Gmsh's triangles point to -z.
  const auto file = write("clockwise.geo",
                          "Point(1) = {0, 0, 0}; Point(2) = {0, 1, 0};\n"
                          "Point(3) = {1, 1, 0}; Point(4) = {1, 0, 0};\n"
                          "Line(1) = {1, 2}; Line(2) = {2, 3};\n"
                          "Line(3) = {3, 4}; Line(4) = {4, 1};\n"
                          "Curve Loop(1) = {1, 2, 3, 4};\n"
                          "Plane Surface(1) = {1};\n"
                          "Physical Curve(\"left\") = {1};\n"
                          "Physical Surface(\"body\") = {1};\n");
  const auto mesh = make_mesh<2>(body_from(file));
  EXPECT_NEAR(measure(mesh), 1., 1e-12);
  EXPECT_NEAR(area(mesh, "left")[0], -1., 1e-12);
}

TEST_F(MeshFiles, ErrorsOfFiles)
{
  EXPECT_SAYS(error_of<2>(body_from((folder / "none.msh").string())),
              "does not exist");
  EXPECT_SAYS(error_of<2>(body_from((folder / "none.geo").string())),
              "does not exist");
  EXPECT_SAYS(error_of<2>(body_from(folder.string())), "directory");
  EXPECT_SAYS(error_of<2>(body_from("")), "no file");
  EXPECT_SAYS(error_of<2>(body_from(write("mesh.stl", "solid\n"))), ".stl");
  EXPECT_SAYS(error_of<2>(body_from(write("bad.msh", "not a mesh\n"))), "mesh");
  EXPECT_SAYS(
      error_of<2>(body_from(write("points.geo", "Point(1) = {0, 0, 0};\n"))),
      "no cells");
  EXPECT_SAYS(error_of<2>(body_from(write("empty.msh", ""))), "$MeshFormat");

  const std::string squares = (folder / "squares.msh").string();
  write_two_squares(squares, 4.1);
  auto body              = body_from(squares, "one");
  body.mesh.gmsh_numbers = { { "n", 1 } };
  EXPECT_SAYS(error_of<2>(body), ".geo");
  body.mesh.gmsh_numbers.clear();
  body.mesh.scale = -1;
  EXPECT_SAYS(error_of<2>(body), "scale");
  body.mesh.scale  = 1;
  body.mesh.origin = { 1. };
  EXPECT_SAYS(error_of<2>(body), "origin");

  EXPECT_SAYS(error_of<2>(body_from(write("bad.geo",
                                          "Point(1) = {0, 0, 0};\n"
                                          "Point(2 = {1, 0, 0};\n"))),
              "line 2");
}

namespace
{
/// A .msh 2.2 file of quadrilaterals (type 3) or triangles (2).
std::string msh(const std::string &nodes,
                const int n_nodes,
                const std::string &elements,
                const int n_elements)
{
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" +
         std::to_string(n_nodes) + "\n" + nodes + "$EndNodes\n$Elements\n" +
         std::to_string(n_elements) + "\n" + elements + "$EndElements\n";
}
} // namespace

TEST_F(MeshFiles, BrokenCells)
{
  const std::string unit = "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n";

  const auto good = msh(unit, 4, "1 3 2 1 1 1 2 3 4\n", 1);
  EXPECT_NEAR(
      measure(make_mesh<2>(body_from(write("good.msh", good)))), 1., 1e-14);
  const auto twisted = msh(unit, 4, "1 3 2 1 1 1 3 2 4\n", 1);
  EXPECT_SAYS(error_of<2>(body_from(write("twisted.msh", twisted))), "cell 1");

  const auto dart = msh(
      "1 0 0 0\n2 1 0 0\n3 0.2 0.2 0\n4 0 1 0\n", 4, "1 3 2 1 1 1 2 3 4\n", 1);
  EXPECT_SAYS(error_of<2>(body_from(write("dart.msh", dart))), "not convex");

  const auto flat = msh("1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n",
                        4,
                        "1 2 2 1 1 1 2 4\n2 2 2 1 1 1 2 3\n",
                        2);
  EXPECT_SAYS(error_of<2>(body_from(write("flat.msh", flat))), "flat");
  EXPECT_SAYS(error_of<2>(body_from(write("flat.msh", flat))), "cell 2 of 2");
  EXPECT_SAYS(error_of<2>(body_from(write("flat.msh", flat))), "(1, 0)");

  const auto twice = msh(unit, 4, "1 2 2 1 1 1 2 3\n2 2 2 1 1 2 3 1\n", 2);
  EXPECT_SAYS(error_of<2>(body_from(write("twice.msh", twice))), "same as");

  const auto fan = msh("1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 -1 0\n5 0 2 0\n",
                       5,
                       "1 2 2 1 1 1 2 3\n2 2 2 1 1 1 2 4\n3 2 2 1 1 1 2 5\n",
                       3);
  EXPECT_SAYS(error_of<2>(body_from(write("fan.msh", fan))), "3 cells share");

  const auto tilted =
      msh("1 0 0 0\n2 1 0 0.1\n3 1 1 0\n", 3, "1 2 2 1 1 1 2 3\n", 1);
  EXPECT_SAYS(error_of<2>(body_from(write("tilted.msh", tilted))), "plane");
}

TEST_F(MeshFiles, CellsListedInsideOutAreTurned)
{
  const std::string cube = "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n"
                           "5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n";
  for (const char *order : { "1 2 3 4 5 6 7 8", "5 6 7 8 1 2 3 4" })
  {
    const auto hexahedron = make_mesh<3>(body_from(
        write("hexahedron.msh",
              msh(cube, 8, "1 5 2 1 1 " + std::string(order) + "\n", 1))));
    EXPECT_NEAR(measure(hexahedron), 1., 1e-14);
    expect_triangulable(hexahedron);
  }
  for (const char *order : { "1 2 4 5", "1 4 2 5" })
  {
    const auto tetrahedron = make_mesh<3>(body_from(
        write("tetrahedron.msh",
              msh(cube, 8, "1 4 2 1 1 " + std::string(order) + "\n", 1))));
    EXPECT_NEAR(measure(tetrahedron), 1. / 6., 1e-14);
    EXPECT_EQ(tetrahedron.vertices.size(), 4u);
  }
}

TEST_F(MeshFiles, OtherFormatsPassThrough)
{
  dealii::Triangulation<2> triangulation;
  dealii::GridGenerator::subdivided_hyper_rectangle(triangulation,
                                                    { 4, 2 },
                                                    dealii::Point<2>(0, 0),
                                                    dealii::Point<2>(2, 1),
                                                    true);
  for (const auto &cell : triangulation.active_cell_iterators())
    cell->set_material_id(cell->center()[0] < 1 ? 1 : 7);
  const std::string file = (folder / "grid.inp").string();
  {
    dealii::GridOut grid_out;
    dealii::GridOutFlags::Ucd flags;
    flags.write_faces = true;
    grid_out.set_flags(flags);
    std::ofstream out(file);
    grid_out.write_ucd(triangulation, out);
  }
  auto body = body_from(file);
  EXPECT_SAYS(error_of<2>(body), "'material 1', 'material 7'");
  body.physical_name = "material 7";
  const auto mesh    = make_mesh<2>(body);
  EXPECT_EQ(mesh.cells.size(), 4u);
  EXPECT_NEAR(measure(mesh), 1., 1e-12);
  EXPECT_NEAR(area(mesh, "boundary 1")[0], 1., 1e-12);
  EXPECT_NEAR(area(mesh, "boundary 2")[1], -1., 1e-12);

  EXPECT_SAYS(error_of<2>(body_from(write("broken.vtk", "nonsense\n"))),
              "deal.II cannot read it");
}
