#include <delassus/base/exceptions.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/make_mesh.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include "test_paths.h"

using namespace delassus;

namespace
{
template <typename T>
void expect_same_everywhere(const T value)
{
  EXPECT_EQ(dealii::Utilities::MPI::max(value, MPI_COMM_WORLD), value);
  EXPECT_EQ(dealii::Utilities::MPI::min(value, MPI_COMM_WORLD), value);
}

BodyParameters bar()
{
  BodyParameters body;
  body.name              = "bar";
  body.mesh.file         = DELASSUS_SOURCE_DIR "/meshes/bar.geo";
  body.mesh.gmsh_numbers = { { "depth", 0.5 }, { "nx", 7 }, { "tensor", 0 } };
  return body;
}
} // namespace

TEST(MeshOnRanks, EverybodyHasTheMeshThatRankZeroMade)
{
  const auto mesh = make_mesh<3>(bar());
  EXPECT_EQ(mesh.reference_cell, dealii::ReferenceCells::Tetrahedron);
  EXPECT_EQ(mesh.n_pieces, 1u);
  double volume = 0., sum = 0.;
  for (const auto &cell : mesh.cells)
    volume += cell_measure(mesh.vertices, cell.vertices, mesh.reference_cell);
  EXPECT_NEAR(volume, 5., 1e-11);
  for (const auto &x : mesh.vertices)
    sum += x.norm();
  expect_same_everywhere(volume);
  expect_same_everywhere(sum);
  ASSERT_EQ(mesh.surfaces.size(), 3u);
  double right = 0.;
  for (const auto &surface : mesh.surfaces)
    if (surface.name == "right")
      for (const auto &face : surface.faces)
        right += face_area_vector(mesh.vertices, face)[0];
  EXPECT_NEAR(right, 0.5, 1e-12);
}

TEST(MeshOnRanks, AnErrorReachesEverybody)
{
  BodyParameters body            = bar();
  body.mesh.gmsh_numbers["deth"] = 1.;
  try
  {
    make_mesh<3>(body);
    ADD_FAILURE() << "no error";
  }
  catch (const InputError &e)
  {
    EXPECT_NE(std::string(e.what()).find("Did you mean 'depth'?"),
              std::string::npos)
        << e.what();
  }
}
