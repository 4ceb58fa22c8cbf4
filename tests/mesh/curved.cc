#include <delassus/mesh/ball_generator.h>
#include <delassus/mesh/block_generators.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/check_mesh.h>
#include <delassus/mesh/make_mesh.h>
#include <delassus/mesh/refine_mesh.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace delassus;
using dealii::Point;

namespace
{
constexpr double pi = 3.14159265358979323846;

/// Area or volume with the nodes the mesh has.
template <int dim>
double measure(const MeshData<dim> &mesh)
{
  const Element<dim> element(mesh.reference_cell,
                             mesh.mid_nodes.empty() ? 1 : 2);
  CellValues<dim> values(element, element.quadrature(false));
  const std::size_t n_mid = element.n_nodes() - element.n_corners();
  double sum              = 0.;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
  {
    std::vector<unsigned int> nodes = mesh.cells[c].vertices;
    for (unsigned int k = 0; k < n_mid; ++k)
      nodes.push_back(mesh.mid_nodes[n_mid * c + k]);
    values.reinit(mesh.vertices, nodes.data());
    for (unsigned int q = 0; q < values.n_points(); ++q)
      sum += values.JxW(q);
  }
  return sum;
}

template <int dim>
double area_of(const MeshData<dim> &mesh, const std::string &name)
{
  double area = 0.;
  for (const auto &surface : mesh.surfaces)
    if (surface.name == name)
      for (const auto &face : surface.faces)
        area += face_area_vector(mesh.vertices, face).norm();
  return area;
}

/// A body whose mesh is a script written for it.
class Script
{
public:
  explicit Script(const std::string &text)
      : folder(std::filesystem::temp_directory_path() /
               ("delassus_refined_" + std::to_string(getpid())))
  {
    std::filesystem::create_directories(folder);
    body.name      = "body";
    body.mesh.type = MeshType::file;
    body.mesh.file = (folder / "mesh.geo").string();
    std::ofstream(body.mesh.file) << text;
  }

  ~Script()
  {
    std::filesystem::remove_all(folder);
  }

  BodyParameters body;

private:
  std::filesystem::path folder;
};

/// A unit disk of quadrilaterals, n along each side of five blocks.
std::string disk_of_quadrilaterals(const unsigned int n)
{
  return "n = " + std::to_string(n) + R"(;
Point(1) = {0, 0, 0};
For i In {0:3}
  Point(10 + i) = {0.4 * Cos((2*i + 1) * Pi/4), 0.4 * Sin((2*i + 1) * Pi/4), 0};
  Point(20 + i) = {Cos((2*i + 1) * Pi/4), Sin((2*i + 1) * Pi/4), 0};
EndFor
For i In {0:3}
  Line(30 + i) = {10 + i, 10 + (i + 1) % 4};
  Circle(40 + i) = {20 + i, 1, 20 + (i + 1) % 4};
  Line(50 + i) = {10 + i, 20 + i};
EndFor
Curve Loop(1) = {30, 31, 32, 33};
Plane Surface(1) = {1};
For i In {0:3}
  Curve Loop(2 + i) = {50 + i, 40 + i, -(50 + (i + 1) % 4), -(30 + i)};
  Plane Surface(2 + i) = {2 + i};
EndFor
Transfinite Curve {30, 31, 32, 33, 40, 41, 42, 43, 50, 51, 52, 53} = n + 1;
Transfinite Surface {1, 2, 3, 4, 5};
Recombine Surface {1, 2, 3, 4, 5};
Mesh.ElementOrder = 2;
)";
}

std::string with_size(const std::string &shape, const double h)
{
  const std::string size = std::to_string(h);
  return "SetFactory(\"OpenCASCADE\");\n" + shape +
         "Mesh.MeshSizeMin = " + size + ";\nMesh.MeshSizeMax = " + size +
         ";\nMesh.ElementOrder = 2;\n";
}

/// The order at which the measure of a shape converges when its cells are
/// halved.
template <int dim>
double order_of_convergence(const std::string &coarse,
                            const std::string &fine,
                            const double exact)
{
  std::vector<double> errors;
  for (const auto &text : { coarse, fine })
  {
    Script script(text);
    script.body.degree = 2;
    const auto mesh    = make_mesh<dim>(script.body);
    check_curved_cells(mesh, "test");
    errors.push_back(std::abs(measure(mesh) - exact) / exact);
  }
  EXPECT_LT(errors[0], 1e-2);
  return std::log2(errors[0] / errors[1]);
}
} // namespace

TEST(SecondOrder, CurvedMeshesConverge)
{
  // Degree 2: the boundary is met to O(h^4) in measure (degree 1: h^2).
  EXPECT_NEAR(order_of_convergence<2>(
                  disk_of_quadrilaterals(2), disk_of_quadrilaterals(4), pi),
              4.,
              0.2);
  // Gmsh does not halve free meshes exactly.
  const std::string disk   = "Disk(1) = {0, 0, 0, 1};\n",
                    sphere = "Sphere(1) = {0, 0, 0, 1};\n";
  EXPECT_GT(
      order_of_convergence<2>(with_size(disk, 0.5), with_size(disk, 0.25), pi),
      3.);
  EXPECT_GT(order_of_convergence<3>(
                with_size(sphere, 0.5), with_size(sphere, 0.25), 4. / 3. * pi),
            3.);
}

TEST(SecondOrder, SerendipityAndLagrangeCellsOfTheSameShape)
{
  // A cylinder of hexahedra, H27 and H20; the centres of H20 are interpolated.
  std::vector<double> volumes;
  for (const bool incomplete : { false, true })
  {
    Script script(disk_of_quadrilaterals(2) +
                  "Extrude {0, 0, 2} { Surface{1, 2, 3, 4, 5}; Layers{2}; "
                  "Recombine; }\n"
                  "Mesh.SecondOrderIncomplete = " +
                  std::string(incomplete ? "1" : "0") + ";\n");
    script.body.degree = 2;
    const auto mesh    = make_mesh<3>(script.body);
    EXPECT_EQ(Element<3>(mesh.reference_cell, 2).name(), "H27");
    volumes.push_back(measure(mesh));
    EXPECT_NEAR(volumes.back(), 2. * pi, 1e-3 * 2. * pi);
    // Degree 1 uses the corners.
    script.body.degree = 1;
    const auto linear  = make_mesh<3>(script.body);
    EXPECT_TRUE(linear.mid_nodes.empty());
    EXPECT_LT(measure(linear), 0.99 * 2. * pi);
  }
  EXPECT_NEAR(volumes[0], volumes[1], 1e-4);
}

TEST(GlobalRefinement, KeepsShapeAndSurfaces)
{
  MeshParameters box;
  box.size = { 2., 1. };
  for (const auto pattern : { CellPattern::tensor,
                              CellPattern::eight_triangles,
                              CellPattern::four_triangles })
  {
    box.pattern  = pattern;
    auto mesh    = make_box<2>(box, "test");
    const auto n = mesh.cells.size();
    refine_mesh(mesh, 2);
    check_mesh(mesh, "test");
    EXPECT_EQ(mesh.cells.size(), 16 * n);
    EXPECT_NEAR(measure(mesh), 2., 1e-13);
    EXPECT_NEAR(area_of(mesh, "top"), 2., 1e-13);
    EXPECT_NEAR(area_of(mesh, "left"), 1., 1e-13);
  }
  box.size    = { 2., 1., 3. };
  box.pattern = CellPattern::tensor;
  auto brick  = make_box<3>(box, "test");
  refine_mesh(brick, 2);
  check_mesh(brick, "test");
  EXPECT_EQ(brick.cells.size(), 64u);
  EXPECT_NEAR(measure(brick), 6., 1e-13);
  EXPECT_NEAR(area_of(brick, "front"), 6., 1e-13);

  // Tetrahedra from Gmsh, of degree 2 on a sphere: finer cells stay on the
  // coarse cells' shape.
  Script script("SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\n"
                "Physical Surface(\"skin\") = {1};\n"
                "Physical Volume(\"body\") = {1};\n"
                "Mesh.MeshSizeMin = 0.7;\nMesh.MeshSizeMax = 0.7;\n"
                "Mesh.ElementOrder = 2;\n");
  script.body.degree                 = 2;
  const auto coarse                  = make_mesh<3>(script.body);
  script.body.mesh.global_refinement = 1;
  const auto fine                    = make_mesh<3>(script.body);
  check_mesh(fine, "test");
  EXPECT_EQ(fine.cells.size(), 8 * coarse.cells.size());
  EXPECT_NEAR(measure(fine), measure(coarse), 1e-12);
  ASSERT_EQ(fine.surfaces.size(), 1u);
  EXPECT_EQ(fine.surfaces[0].faces.size(), 4 * coarse.surfaces[0].faces.size());
  EXPECT_GT(area_of(fine, "skin"), area_of(coarse, "skin"));
}

TEST(Ball, PartsSurfacesAndConvergence)
{
  const auto make = [](const MeshType type, const unsigned int dim)
  {
    MeshParameters parameters;
    parameters.type   = type;
    parameters.radius = 2.;
    parameters.origin.assign(dim, 1.);
    return parameters;
  };
  struct Part
  {
    MeshType type;
    double share_2d, share_3d;
  };
  for (const auto &part : { Part{ MeshType::ball, 1., 1. },
                            Part{ MeshType::half_ball, 0.5, 0.5 },
                            Part{ MeshType::ball_sector, 0.25, 0.125 } })
  {
    auto disk = make_ball<2>(make(part.type, 2), "test");
    check_mesh(disk, "test");
    add_mid_nodes(disk);
    check_curved_cells(disk, "test");
    const double area  = part.share_2d * pi * 4.;
    const double error = std::abs(measure(disk) - area) / area;
    EXPECT_LT(error, 1e-3);
    drop_mid_nodes(disk);
    refine_mesh(disk, 1);
    add_mid_nodes(disk);
    EXPECT_LT(std::abs(measure(disk) - area) / area, error / 12.);
    for (const auto &surface : disk.surfaces)
      if (surface.name == "sphere")
      {
        for (const auto &face : surface.faces)
          for (const unsigned int v : face)
            EXPECT_NEAR(disk.vertices[v].distance(Point<2>(1., 1.)), 2., 1e-13);
      }

    auto ball = make_ball<3>(make(part.type, 3), "test");
    check_mesh(ball, "test");
    add_mid_nodes(ball);
    check_curved_cells(ball, "test");
    const double volume = part.share_3d * 4. / 3. * pi * 8.;
    EXPECT_NEAR(measure(ball), volume, 3e-3 * volume);
    if (part.type != MeshType::ball)
      for (const auto &surface : ball.surfaces)
        if (surface.name != "sphere")
        {
          // Planes through the centre, looking up, left or to the front.
          dealii::Tensor<1, 3> sum;
          for (const auto &face : surface.faces)
            sum += face_area_vector(ball.vertices, face);
          const unsigned int axis =
              surface.name == "flat" ? 2 : (surface.name == "left" ? 0 : 1);
          const double sign = surface.name == "flat" ? 1. : -1.;
          EXPECT_GT(sign * sum[axis], 0.9 * sum.norm());
          EXPECT_NEAR(sum.norm(), std::abs(sum[axis]), 1e-13);
        }
  }
}
