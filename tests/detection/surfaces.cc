#include "detection/blocks.h"

#include <delassus/base/exceptions.h>
#include <delassus/contact/kinematics/surface_sides.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

namespace
{
/// The box [0,2] x [0,3] (x [0,4]), n boxes along each axis.
template <int dim>
MeshData<dim> box(const bool simplices, const unsigned int n)
{
  Grid<dim> grid = sheared_grid<dim>(simplices, n, 0.);
  grid.map       = [](const Point<dim> &p)
  {
    Point<dim> x;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = (2. + d) * p[d];
    return x;
  };
  return make_grid(grid);
}

template <int dim>
void points(const bool simplices,
            const CandidatePoints kind,
            const unsigned int n_expected,
            const unsigned int degree) ///< integrated exactly over the top
{
  BodyParameters parameters;
  parameters.thickness = 0.5;
  Bodies<dim> bodies;
  bodies.push_back(make_body(box<dim>(simplices, 3), soft_stone(), parameters));
  ContactSurfaces<dim> surfaces(skins_of<dim>(bodies), MPI_COMM_WORLD);
  const auto faces = surfaces.add_faces(0, bodies[0]->surface("top", "test"));
  // Given positions in any order.
  const auto range = surfaces.add_points(faces, kind, { 0.75, 0.25 }, "test");
  EXPECT_EQ(range.second - range.first, n_expected);
  const double height = dim == 2 ? 3. : 4.;
  double area = 0., first = 0., second = 0.;
  for (unsigned int p = range.first; p < range.second; ++p)
  {
    const auto &point = surfaces.points[p];
    const auto x      = surfaces.position(point, surfaces.reference);
    double sum        = 0.;
    for (unsigned int i = 0; i < point.n_nodes; ++i)
      sum += point.weights[i];
    EXPECT_NEAR(sum, 1., 1e-15);
    EXPECT_NEAR(x[dim - 1], height, 1e-14);
    EXPECT_GT(point.area, 0.);
    EXPECT_GT(point.size, 0.5);
    const auto N = surfaces.point_normal(point, surfaces.reference);
    EXPECT_NEAR(N[dim - 1], 1., 1e-14);
    area += point.area;
    first += point.area * x[0];
    second += point.area * x[0] * x[0];
  }
  const double expected = dim == 2 ? 2. * 0.5 : 6.;
  EXPECT_NEAR(area, expected, 1e-13);
  EXPECT_NEAR(first, expected, 1e-13);
  if (degree == 2)
  {
    EXPECT_NEAR(second, expected * 4. / 3., 1e-13);
  }
  for (const auto &face : surfaces.faces) // three layers of cells
    EXPECT_NEAR(face.depth, height / 3., 1e-14);
  EXPECT_NEAR(surfaces.smallest_face(),
              dim == 2 ? 2. / 3. : std::sqrt((simplices ? 0.5 : 1.) * 2. / 3.),
              1e-14);
}
} // namespace

TEST(Points, NumberAreaAndPosition)
{
  using Kind = CandidatePoints;
  for (const bool simplices : { true, false })
  {
    points<2>(simplices, Kind::nodes, 4, 1);
    points<2>(simplices, Kind::midpoints, 3, 1);
    points<2>(simplices, Kind::gauss, 6, 2);
    points<2>(simplices, Kind::positions, 6, 1);
  }
  points<3>(false, Kind::nodes, 16, 1);
  points<3>(false, Kind::midpoints, 9, 1);
  points<3>(false, Kind::gauss, 36, 2);
  points<3>(false, Kind::positions, 36, 1);
  points<3>(true, Kind::nodes, 16, 1);
  points<3>(true, Kind::midpoints, 18, 1);
  points<3>(true, Kind::gauss, 54, 2);
}

TEST(Points, SharesReachToTheMiddleBetweenPositions)
{
  Bodies<2> bodies;
  bodies.push_back(make_body(box<2>(false, 1)));
  ContactSurfaces<2> surfaces(skins_of<2>(bodies), MPI_COMM_WORLD);
  const auto faces = surfaces.add_faces(0, bodies[0]->surface("top", "test"));
  surfaces.add_points(
      faces, CandidatePoints::positions, { 1., 0., 0.4 }, "test");
  ASSERT_EQ(surfaces.points.size(), 3u);
  EXPECT_NEAR(surfaces.points[0].area, 2. * 0.2, 1e-15);
  EXPECT_NEAR(surfaces.points[1].area, 2. * 0.5, 1e-15);
  EXPECT_NEAR(surfaces.points[2].area, 2. * 0.3, 1e-15);
}

TEST(Points, PositionsNeedEdges)
{
  Bodies<3> bodies;
  bodies.push_back(make_body(box<3>(true, 1)));
  ContactSurfaces<3> surfaces(skins_of<3>(bodies), MPI_COMM_WORLD);
  const auto faces = surfaces.add_faces(0, bodies[0]->surface("top", "test"));
  EXPECT_THROW(
      surfaces.add_points(faces, CandidatePoints::positions, { 0.5 }, "test"),
      InputError);
}

TEST(Points, AxisymmetricAreaIsThatOfTheRing)
{
  Bodies<2> bodies;
  MeshData<2> mesh = box<2>(true, 2);
  for (auto &x : mesh.vertices)
    x[0] += 1.;
  bodies.push_back(make_body(mesh, soft_stone(), {}, Assumption::axisymmetric));
  ContactSurfaces<2> surfaces(skins_of<2>(bodies), MPI_COMM_WORLD);
  const auto faces = surfaces.add_faces(0, bodies[0]->surface("top", "test"));
  double area      = 0.;
  surfaces.add_points(faces, CandidatePoints::midpoints, {}, "test");
  for (const auto &point : surfaces.points)
    area += point.area;
  EXPECT_NEAR(area, dealii::numbers::PI * (9. - 1.), 1e-12);
}

// The rule of Points = automatic, and the count of points.
template <int dim>
void sides_of_a_box(const bool simplices, const unsigned int n)
{
  Bodies<dim> bodies;
  bodies.push_back(make_body(box<dim>(simplices, n)));
  ContactSurfaces<dim> surfaces(skins_of<dim>(bodies), MPI_COMM_WORLD);
  const auto faces = surfaces.add_faces(0, bodies[0]->surface("*", "test"));
  const auto sides = find_surface_sides(surfaces, faces);
  ASSERT_EQ(sides.size(), 2u * dim);
  const auto power = [](const unsigned int m) { return dim == 2 ? m : m * m; };
  for (const auto &side : sides)
  {
    EXPECT_EQ(side.faces.size(), (dim == 3 && simplices ? 2 : 1) * power(n));
    EXPECT_EQ(side.n_nodes, power(n + 1));
    EXPECT_EQ(side.n_inner, power(n - 1));
    EXPECT_EQ(side.few, n <= 2);
  }
  EXPECT_EQ(find_blocks(surfaces, faces), std::vector<bool>{ n <= 2 });
  for (const auto kind : { CandidatePoints::nodes,
                           CandidatePoints::midpoints,
                           CandidatePoints::gauss })
  {
    const auto range   = surfaces.add_points(faces, kind, {}, "test");
    const auto crowded = find_crowded_side(surfaces, range.first, range.second);
    EXPECT_EQ(crowded.n_points > 0, n > 2 && kind != CandidatePoints::nodes);
    if (crowded.n_points > 0)
    {
      EXPECT_EQ(crowded.n_points, (range.second - range.first) / (2 * dim));
    }
  }
}

TEST(Sides, OfBlocksHaveFewFaces)
{
  for (const unsigned int n : { 1, 2, 3, 5 })
    for (const bool simplices : { false, true })
    {
      sides_of_a_box<2>(simplices, n);
      sides_of_a_box<3>(simplices, n);
    }
}

// A round body has one side; its mid-points are too many, those of faces of
// degree 2 are not.
TEST(Sides, OfARoundBodyIsOne)
{
  for (const unsigned int degree : { 1, 2 })
  {
    Grid<2> grid;
    grid.n   = { { 24, 2 } };
    grid.map = [](const Point<2> &p)
    {
      const double angle = 3. * p[0];
      return Point<2>((2. - p[1]) * std::cos(angle),
                      (2. - p[1]) * std::sin(angle));
    };
    auto mesh = make_grid(grid);
    BodyParameters parameters;
    parameters.degree = degree;
    if (degree == 2)
      add_mid_nodes(mesh);
    Bodies<2> bodies;
    bodies.push_back(make_body(mesh, soft_stone(), parameters));
    ContactSurfaces<2> surfaces(skins_of<2>(bodies), MPI_COMM_WORLD);
    const auto faces =
        surfaces.add_faces(0, bodies[0]->surface("bottom", "test"));
    const auto sides = find_surface_sides(surfaces, faces);
    ASSERT_EQ(sides.size(), 1u);
    EXPECT_EQ(sides[0].n_nodes, 24 * degree + 1);
    EXPECT_EQ(sides[0].n_inner, 24 * degree - 1);
    EXPECT_FALSE(find_blocks(surfaces, faces)[0]);
    const auto mid =
        surfaces.add_points(faces, CandidatePoints::midpoints, {}, "test");
    EXPECT_EQ(find_crowded_side(surfaces, mid.first, mid.second).n_points,
              degree == 1 ? 24u : 0u);
    const auto gauss =
        surfaces.add_points(faces, CandidatePoints::gauss, {}, "test");
    EXPECT_EQ(find_crowded_side(surfaces, gauss.first, gauss.second).n_points,
              48u);
  }
}

TEST(Surfaces, FacesAndNodesAreAddedOnce)
{
  Bodies<3> bodies;
  bodies.push_back(make_body(box<3>(false, 2)));
  bodies.push_back(make_body(box<3>(true, 2)));
  ContactSurfaces<3> surfaces(skins_of<3>(bodies), MPI_COMM_WORLD);
  const auto top  = surfaces.add_faces(0, bodies[0]->surface("top", "test"));
  const auto same = surfaces.add_faces(0, bodies[0]->surface("top", "test"));
  EXPECT_EQ(top, same);
  EXPECT_EQ(surfaces.nodes.size(), 9u);
  const auto all = surfaces.add_faces(0, bodies[0]->surface("*", "test"));
  EXPECT_EQ(surfaces.faces.size(), 24u);
  EXPECT_EQ(surfaces.nodes.size(), 26u);
  EXPECT_EQ(all.size(), 24u);
  const auto other = surfaces.add_faces(1, bodies[1]->surface("*", "test"));
  EXPECT_EQ(surfaces.nodes.size(), 52u);
  EXPECT_EQ(other.front(), 24u);
  EXPECT_EQ(surfaces.n_pieces(), 2u);
  EXPECT_EQ(surfaces.faces[other.front()].piece, 1u);
  // Outward normals for the positions they have now.
  for (unsigned int f = 0; f < surfaces.faces.size(); ++f)
  {
    Point<3> centre;
    for (unsigned int v = 0; v < surfaces.faces[f].n_nodes; ++v)
      for (unsigned int c = 0; c < 3; ++c)
        centre[c] += surfaces.reference[3 * surfaces.faces[f].nodes[v] + c] /
                     surfaces.faces[f].n_nodes;
    const auto N = surfaces.face_normal(f, surfaces.reference);
    EXPECT_NEAR(N.norm(), 1., 1e-14);
    EXPECT_GT(N * (centre - Point<3>(1., 1.5, 2.)), 0.5);
  }
}

TEST(Surfaces, GatherTakesEachNodesValues)
{
  Bodies<2> bodies;
  bodies.push_back(make_body(box<2>(false, 2)));
  bodies.push_back(make_body(box<2>(true, 3)));
  ContactSurfaces<2> surfaces(skins_of<2>(bodies), MPI_COMM_WORLD);
  surfaces.add_faces(1, bodies[1]->surface("top", "test"));
  surfaces.add_faces(0, bodies[0]->surface("*", "test"));
  surfaces.add_faces(1, bodies[1]->surface("left", "test"));
  const Vector a = random_vector(*bodies[0], 1),
               b = random_vector(*bodies[1], 2);
  std::vector<double> values;
  surfaces.gather(
      [&](const unsigned int system,
          const std::vector<unsigned int> &carriers,
          double *to)
      {
        for (const unsigned int carrier : carriers)
          for (unsigned int c = 0; c < 2; ++c)
            *to++ = (system == 0 ? a : b)[2 * carrier + c];
      },
      values);
  ASSERT_EQ(values.size(), 2 * surfaces.nodes.size());
  for (unsigned int n = 0; n < surfaces.nodes.size(); ++n)
    for (unsigned int c = 0; c < 2; ++c)
      EXPECT_EQ(values[2 * n + c],
                (surfaces.nodes[n].system == 0
                     ? a
                     : b)[2 * surfaces.nodes[n].carrier + c]);
}

TEST(Frames, RightHandedAndOrthonormal)
{
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  for (unsigned int k = 0; k < 100; ++k)
  {
    Tensor<1, 3> N;
    for (unsigned int c = 0; c < 3; ++c)
      N[c] = k < 6 ? (k / 2 == c ? 1. - 2. * (k % 2) : 0.) : uniform(random);
    N /= N.norm();
    const auto F = make_frame<3>(N);
    Tensor<2, 3> rows;
    for (unsigned int i = 0; i < 9; ++i)
      rows[i / 3][i % 3] = F[i];
    EXPECT_LT((rows[0] - N).norm(), 1e-15);
    EXPECT_NEAR(determinant(rows), 1., 1e-14);
    EXPECT_LT((rows * transpose(rows) -
               Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()))
                  .norm(),
              1e-14);
    // T leans towards the axis least aligned with N.
    unsigned int axis = 0;
    for (unsigned int c = 1; c < 3; ++c)
      if (std::abs(N[c]) < std::abs(N[axis]))
        axis = c;
    EXPECT_GT(rows[1][axis], 0.8);

    Tensor<1, 2> n;
    n[0]         = std::cos(0.1 * k);
    n[1]         = std::sin(0.1 * k);
    const auto f = make_frame<2>(n);
    EXPECT_EQ(f[2], n[1]); // turned by -90 degrees
    EXPECT_EQ(f[3], -n[0]);
  }
}
