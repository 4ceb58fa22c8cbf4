// Rows of mortar type: consistent forces on meshes that do not match.
#include "detection/blocks.h"

#include <delassus/contact/detection/face_projection.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

namespace
{
template <int dim>
Block<dim> block(const double x,
                 const double bottom,
                 const double width,
                 const double height,
                 const unsigned int n,
                 const bool simplices)
{
  Block<dim> result;
  result.corner          = Point<dim>();
  result.corner[0]       = x;
  result.corner[dim - 1] = bottom;
  for (unsigned int d = 0; d < dim; ++d)
    result.size[d] = d == 0 ? width : d == dim - 1 ? height : 1.;
  result.n.fill(n);
  result.n[dim - 1] = 1;
  result.simplices  = simplices;
  return result;
}

template <int dim>
Scene<dim> scene_of(const std::vector<Block<dim>> &blocks)
{
  MeshData<dim> mesh;
  for (const auto &b : blocks)
    append_block(mesh, b);
  return Scene<dim>(mesh,
                    "bottom",
                    "top",
                    CandidatePoints::nodes,
                    0.5,
                    ContactFormulation::mortar);
}

/// Nodal forces of a unit pressure.
template <int dim>
std::vector<double> forces_of(const Scene<dim> &scene)
{
  std::vector<double> force(scene.surfaces->nodes.size(), 0.);
  for (const auto &contact : scene.contacts)
    for (unsigned int i = 0; i < contact.n_entries; ++i)
      force[contact.nodes[i]] +=
          contact.weights[i] * contact.area * contact.normal()[dim - 1];
  return force;
}

template <int dim>
void uniform_pressure(const bool simplices)
{
  const double g = 0.01;
  auto scene     = scene_of<dim>({ block<dim>(0., 0., 1., 1., 3, simplices),
                                   block<dim>(0., 1. + g, 1., 1., 4, simplices) });
  scene.detect();
  EXPECT_EQ(scene.contacts.size(), dim == 2 ? 5u : 25u);
  for (const auto &contact : scene.contacts)
  {
    double candidate = 0., antagonist = 0.;
    for (unsigned int i = 0; i < contact.n_entries; ++i)
      (i < contact.n_candidate_entries ? candidate : antagonist) +=
          contact.weights[i];
    EXPECT_NEAR(candidate, 1., 1e-13);
    EXPECT_NEAR(antagonist, -1., 1e-13);
    EXPECT_NEAR(contact.normal()[dim - 1], 1., 1e-14);
    const auto offset = contact.local_combination(scene.x);
    EXPECT_NEAR(offset[0], g, 1e-14);
    for (unsigned int c = 1; c < dim; ++c)
      EXPECT_NEAR(offset[c], 0., 1e-14);
  }
  // The consistent load of each node of linear faces is its tributary area.
  auto expected   = forces_of(scene);
  const auto sums = expected;
  std::fill(expected.begin(), expected.end(), 0.);
  ContactSurfaces<dim> nodal(skins_of<dim>(scene.bodies), MPI_COMM_WORLD);
  for (const char *side : { "bottom", "top" })
    nodal.add_points(nodal.add_faces(0, scene.bodies[0]->surface(side, "test")),
                     CandidatePoints::nodes,
                     {},
                     "test");
  std::map<unsigned int, double> area;
  for (const auto &point : nodal.points)
    area[nodal.nodes[point.nodes[0]].carrier] = point.area;
  unsigned int n_loaded = 0;
  for (unsigned int n = 0; n < sums.size(); ++n)
  {
    const auto &node = scene.surfaces->nodes[n];
    const double z   = scene.surfaces->reference[dim * n + dim - 1];
    if (z < 0.5 || z > 1.5)
    {
      EXPECT_EQ(sums[n], 0.);
      continue;
    }
    ++n_loaded;
    EXPECT_NEAR(sums[n], (z > 1. ? 1. : -1.) * area.at(node.carrier), 1e-13);
  }
  EXPECT_EQ(n_loaded, dim == 2 ? 4u + 5u : 16u + 25u);
}

/// A block that hangs over the end: the forces act on the common part only.
template <int dim>
void partly_covered(const bool simplices)
{
  auto scene = scene_of<dim>({ block<dim>(0., 0., 1., 1., 3, simplices),
                               block<dim>(0.43, 1., 1.3, 1., 4, simplices) });
  scene.detect();
  const auto force = forces_of(scene);
  double sum[2] = {}, moment[2] = {};
  for (unsigned int n = 0; n < force.size(); ++n)
  {
    const unsigned int side = scene.surfaces->nodes[n].piece;
    sum[side] += force[n];
    moment[side] += force[n] * scene.x[dim * n];
  }
  const double length = 1. - 0.43;
  EXPECT_NEAR(sum[1], length, 1e-13);
  EXPECT_NEAR(sum[0], -length, 1e-13);
  EXPECT_NEAR(moment[1], 0.5 * (1. - 0.43 * 0.43), 1e-13);
  EXPECT_NEAR(moment[0], -0.5 * (1. - 0.43 * 0.43), 1e-13);
}

/// A sheet of thickness 0.01 between two blocks: only the nearest counts, and
/// what was touched before does even when it is crossed.
template <int dim>
void sheet_between_blocks(const bool simplices)
{
  auto scene        = scene_of<dim>({ block<dim>(0., 0., 1., 1., 3, simplices),
                                      block<dim>(0., 1., 1., 0.01, 2, simplices),
                                      block<dim>(0., 1.0101, 1., 1., 4, simplices) });
  const auto expect = [&](const double gap)
  {
    unsigned int n_rows = 0;
    for (const auto &contact : scene.contacts)
      if (scene.piece_of_point(contact) == 2)
      {
        ++n_rows;
        EXPECT_EQ(scene.surfaces->faces[contact.face].piece, 1u);
        EXPECT_NEAR(contact.local_combination(scene.x)[0], gap, 1e-13);
      }
    EXPECT_EQ(n_rows, dim == 2 ? 5u : 25u);
  };
  scene.detect();
  expect(1e-4);
  Tensor<1, dim> down;
  down[dim - 1] = -0.02;
  scene.move(2, down);
  scene.detect_again();
  expect(1e-4 - 0.02);
}
} // namespace

TEST(Mortar, UniformPressureGivesConsistentForcesOnBothSides)
{
  for (const bool simplices : { true, false })
  {
    uniform_pressure<2>(simplices);
    uniform_pressure<3>(simplices);
  }
}

TEST(Mortar, PartlyCoveredFacesAreCutExactly)
{
  for (const bool simplices : { true, false })
  {
    partly_covered<2>(simplices);
    partly_covered<3>(simplices);
  }
}

TEST(Mortar, OnlyTheNearestOfSeveralFacesBehindEachOther)
{
  for (const bool simplices : { true, false })
  {
    sheet_between_blocks<2>(simplices);
    sheet_between_blocks<3>(simplices);
  }
}

TEST(Mortar, AnEdgeHasARowForEachSide)
{
  // A block in the corner of two others, all its boundary as candidate.
  MeshData<2> mesh;
  append_block(mesh, block<2>(0., 0., 2., 1., 5, false));
  append_block(mesh, block<2>(2., 0., 1., 3., 2, false));
  append_block(mesh, block<2>(1., 1., 1., 1., 2, false));
  Scene<2> scene(
      mesh, "*", "*", CandidatePoints::nodes, 0.1, ContactFormulation::mortar);
  scene.detect();
  Tensor<1, 2> sum;
  unsigned int n_rows = 0;
  for (const auto &contact : scene.contacts)
    if (scene.piece_of_point(contact) == 2)
    {
      ++n_rows;
      sum += contact.area * contact.normal();
      EXPECT_NEAR(std::abs(contact.normal()[0]) + std::abs(contact.normal()[1]),
                  1.,
                  1e-13);
    }
  EXPECT_EQ(n_rows, 5u); // three below, two on the one face to the right
  EXPECT_NEAR(sum[0], -1., 1e-13);
  EXPECT_NEAR(sum[1], 1., 1e-13);
}

namespace
{
/// A piece of a cylinder of radius 1 (2D: of a parabola) by quadratic faces.
template <int dim>
std::array<Point<dim>, 9> curved_face(const unsigned int n_nodes)
{
  std::array<Point<dim>, 9> X;
  const double corner[4][2] = {
    { 0., 0. }, { 1., 0. }, { 1., 1. }, { 0., 1. }
  };
  const double triangle[3][2]  = { { 0., 0. }, { 1., 0. }, { 0., 1. } };
  const unsigned int n_corners = n_face_corners<dim>(n_nodes);
  const auto at                = [&](const double a, const double b)
  {
    Point<dim> p;
    p[0]       = 0.8 * a - 0.4;
    p[1]       = b;
    p[dim - 1] = -0.5 * p[0] * p[0] - (dim == 3 ? 0.1 * b * p[0] : 0.);
    return p;
  };
  for (unsigned int v = 0; v < n_nodes; ++v)
  {
    double a[2];
    for (unsigned int c = 0; c < 2; ++c)
    {
      const auto of = [&](const unsigned int i) {
        return n_corners == 3 ? triangle[i % 3][c] : corner[i % n_corners][c];
      };
      a[c] = v < n_corners ? of(v)
             : v < 2 * n_corners
                 ? 0.5 * (of(v - n_corners) + of(v - n_corners + 1))
                 : 0.5;
      if (dim == 2 && v == 2)
        a[c] = 0.5 * (corner[0][c] + corner[1][c]);
    }
    X[v] = at(a[0], a[1]);
  }
  return X;
}

template <int dim>
void closest_point_of_curved_faces(const unsigned int n_nodes)
{
  const auto X = curved_face<dim>(n_nodes);
  for (const double s : { 0.1, 0.3, 0.45 })
    for (const double r : { 0.05, 0.3, 0.45 })
      for (const double height : { 0.4, 0.01, -0.3 })
      {
        Point<dim - 1> coordinates;
        coordinates[0]       = s;
        coordinates[dim - 2] = dim == 2 ? s : r;
        const FaceShape<dim> shape(n_nodes, coordinates);
        Tensor<1, dim> N = shape.area_vector(n_nodes, X);
        N /= N.norm();
        const Point<dim> foot = shape.position(n_nodes, X);
        const auto found = project_on_face<dim>(n_nodes, X, foot + height * N);
        Point<dim> closest;
        for (unsigned int v = 0; v < n_nodes; ++v)
          closest += found.weights[v] * X[v];
        EXPECT_LT(closest.distance(foot), 1e-10) << n_nodes << " " << height;
        EXPECT_EQ(found.outside, 0.);
      }
  // Beyond the end: said by how much.
  Point<dim> beyond = X[0];
  beyond[0] -= 0.05;
  EXPECT_GT(project_on_face<dim>(n_nodes, X, beyond).outside, 0.02);
}
} // namespace

TEST(Projection, ClosestPointOfCurvedFaces)
{
  closest_point_of_curved_faces<2>(3);
  closest_point_of_curved_faces<3>(6);
  closest_point_of_curved_faces<3>(9);
}
