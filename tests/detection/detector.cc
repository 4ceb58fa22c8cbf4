#include "detection/blocks.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

namespace
{
template <int dim>
Tensor<1, dim> vector(const double a, const double b, const double c = 0.)
{
  Tensor<1, dim> v;
  v[0]       = a;
  v[1]       = b;
  v[dim - 1] = dim == 3 ? c : b;
  return v;
}

/// A block on a wider one, @p g above it, shifted by @p shift along x.
template <int dim>
std::vector<Block<dim>>
two_blocks(const bool simplices, const double g, const double shift)
{
  std::vector<Block<dim>> blocks(2);
  blocks[0].size = blocks[1].size = Point<dim>(vector<dim>(1., 1., 1.));
  blocks[0].size[0]               = 2.;
  blocks[1].corner                = Point<dim>(vector<dim>(shift, 0., 0.));
  blocks[1].corner[dim - 1]       = 1. + g;
  for (auto &block : blocks)
  {
    block.n.fill(2);
    block.simplices = simplices;
  }
  return blocks;
}
} // namespace

TEST(Detector, GapOfTwoBlocks)
{
  for (const bool simplices : { true, false })
    for (const double g : { 0.1, 0., -0.05 })
      for (const auto kind : { CandidatePoints::midpoints,
                               CandidatePoints::nodes,
                               CandidatePoints::gauss })
      {
        Scene<2> plane(
            two_blocks<2>(simplices, g, 0.33), "bottom", "top", kind);
        EXPECT_EQ(plane.detect().size(),
                  kind == CandidatePoints::midpoints ? 2u
                  : kind == CandidatePoints::nodes   ? 3u
                                                     : 4u);
        for (const auto &contact : plane.contacts)
        {
          expect_sane(plane, contact);
          EXPECT_NEAR(plane.gap(contact), g, 1e-14);
          EXPECT_NEAR(contact.normal()[1], 1., 1e-15);
          EXPECT_EQ(plane.piece_of_point(contact), 1u);
        }
        Scene<3> space(
            two_blocks<3>(simplices, g, 0.33), "bottom", "top", kind);
        EXPECT_EQ(space.detect().size(),
                  kind == CandidatePoints::nodes
                      ? 9u
                      : (simplices ? 8u : 4u) *
                            (kind == CandidatePoints::midpoints ? 1u
                             : simplices                        ? 3u
                                                                : 4u));
        for (const auto &contact : space.contacts)
        {
          expect_sane(space, contact);
          EXPECT_NEAR(space.gap(contact), g, 1e-14);
          // The antagonist point is straight below: no tangential offset.
          const auto offset = contact.local_combination(space.x);
          EXPECT_NEAR(offset[1], 0., 1e-13);
          EXPECT_NEAR(offset[2], 0., 1e-13);
          EXPECT_NEAR(contact.normal()[2], 1., 1e-15);
        }
      }
}

TEST(Detector, NothingBeyondTheEdge)
{
  for (const bool simplices : { true, false })
  {
    // The first of two mid points is 0.03 inside, then 0.03 outside.
    Scene<2> scene(two_blocks<2>(simplices, 0.01, 1.72),
                   "bottom",
                   "top",
                   CandidatePoints::midpoints);
    EXPECT_EQ(scene.detect().size(), 1u);
    scene.move(1, vector<2>(0.06, 0.));
    EXPECT_EQ(scene.detect().size(), 0u);
    Scene<3> space(two_blocks<3>(simplices, 0.01, 1.9),
                   "bottom",
                   "top",
                   CandidatePoints::nodes);
    EXPECT_EQ(space.detect().size(), 3u);
    space.move(1, vector<3>(0.12, 0., 0.));
    EXPECT_EQ(space.detect().size(), 0u);
    // Nodes exactly on the edge are not lost to rounding.
    space.move(1, vector<3>(-0.02 * (1. + 1e-13), 0., 0.));
    EXPECT_EQ(space.detect().size(), 3u);
  }
}

TEST(Detector, NothingFartherThanTheAlertDistance)
{
  Scene<2> scene(two_blocks<2>(true, 0.3, 0.5),
                 "bottom",
                 "top",
                 CandidatePoints::midpoints,
                 0.5);
  EXPECT_EQ(scene.detect(0., 0.).size(), 0u); // faces of 0.5: within 0.25
  EXPECT_EQ(scene.detect(0., 0.06).size(), 2u);
}

TEST(Detector, NeitherItselfNorTheFarSideOfAThinNeighbour)
{
  // Three plates much thinner than the search distance, slightly overlapping.
  const double thin = 0.02;
  for (const double g : { 0.002, -0.002 })
    for (const bool simplices : { true, false })
    {
      std::vector<Block<2>> plates;
      for (unsigned int k = 0; k < 3; ++k)
        plates.push_back({ Point<2>(0., k * (thin + g)),
                           Point<2>(1., thin),
                           { { 2, 1 } },
                           simplices });
      Scene<2> scene(plates, "*", "*", CandidatePoints::midpoints, 1.);
      scene.detect();
      unsigned int up = 0, down = 0;
      for (const auto &contact : scene.contacts)
      {
        const unsigned int candidate = scene.piece_of_point(contact);
        const unsigned int antagonist =
            scene.surfaces->faces[contact.face].piece;
        EXPECT_EQ(std::abs(int(candidate) - int(antagonist)), 1);
        EXPECT_NEAR(scene.gap(contact), g, 1e-14);
        EXPECT_NEAR(
            contact.normal()[1], candidate > antagonist ? 1. : -1., 1e-14);
        ++(candidate > antagonist ? up : down);
      }
      EXPECT_EQ(up, 4u);
      EXPECT_EQ(down, 4u);
      // Nodes too, whose normals at corners are oblique, never sink in by
      // more than the plates overlap.
      Scene<2> nodes(plates, "*", "*", CandidatePoints::nodes, 1.);
      EXPECT_GE(nodes.detect().size(), 12u);
      for (const auto &contact : nodes.contacts)
        EXPECT_GT(nodes.gap(contact), std::min(0., g) - 1e-14);
      Scene<2> alone({ plates[0] }, "*", "*", CandidatePoints::gauss, 10.);
      EXPECT_EQ(alone.detect().size(), 0u);
    }
}

TEST(Detector, NearestOfTwoNearlyEqualFacesAtAnyScale)
{
  // Two overlapping blocks, the second higher by a thousandth of a face: it is
  // nearer to what is above, though the first has the smaller number. Where
  // they differ by rounding only, the first is taken.
  for (const double scale : { 1e-6, 1., 1e6 })
    for (const double higher : { 1e-3, 1e-14 })
    {
      const auto at = [&](const double x, const double y)
      { return scale * Point<2>(x, y); };
      Scene<2> scene({ { at(0., 0.), at(1., 1.), { { 1, 1 } } },
                       { at(0., 0.), at(1., 1. + higher), { { 1, 1 } } },
                       { at(0.2, 1.1), at(0.5, 0.5), { { 1, 1 } } } },
                     "bottom",
                     "top",
                     CandidatePoints::midpoints);
      scene.detect();
      ASSERT_EQ(scene.contacts.size(), 1u);
      EXPECT_EQ(scene.surfaces->faces[scene.contacts[0].face].piece,
                higher > 1e-9 ? 1u : 0u)
          << scale;
    }
}

TEST(Detector, TiesGoToTheSmallestFace)
{
  // Points above the common edge (corner) of two (many) faces.
  const auto faces_below = [](const auto &scene, const auto &contact)
  {
    std::vector<unsigned int> found;
    for (unsigned int f : scene.interactions[0].faces)
    {
      // Faces that have the nearest node.
      for (unsigned int i = contact.n_candidate_entries; i < contact.n_entries;
           ++i)
        if (contact.weights[i] < -0.999)
          for (unsigned int v = 0; v < scene.surfaces->faces[f].n_nodes; ++v)
            if (scene.surfaces->faces[f].nodes[v] == contact.nodes[i])
              found.push_back(f);
    }
    return found;
  };
  Scene<2> plane(two_blocks<2>(true, 0., 0.75),
                 "bottom",
                 "top",
                 CandidatePoints::midpoints);
  plane.detect();
  ASSERT_EQ(plane.contacts.size(), 2u);
  unsigned int n_ties = 0;
  for (const auto &contact : plane.contacts)
  {
    const auto below = faces_below(plane, contact);
    if (below.empty())
      continue;
    ++n_ties;
    ASSERT_EQ(below.size(), 2u);
    EXPECT_EQ(contact.face, *std::min_element(below.begin(), below.end()));
  }
  EXPECT_EQ(n_ties, 1u);
  for (const bool simplices : { true, false })
  {
    Scene<3> space(two_blocks<3>(simplices, 0., 0.),
                   "bottom",
                   "top",
                   CandidatePoints::nodes);
    space.detect();
    EXPECT_EQ(space.contacts.size(), 9u);
    for (const auto &contact : space.contacts)
    {
      const auto below = faces_below(space, contact);
      if (!below.empty())
      {
        EXPECT_EQ(contact.face, *std::min_element(below.begin(), below.end()));
      }
    }
    // A shift smaller than rounding matters changes nothing.
    const auto before = space.contacts;
    space.move(1, vector<3>(1e-13, -1e-13, 0.));
    expect_same(space.detect(), before, 1e-12);
  }
}

namespace
{
/// One distorted face (top of a one-cell block, tilted) and the point of a
/// small block above it; the face stays plane.
template <int dim>
MeshData<dim> tilted(const bool simplices, const Point<dim> &at)
{
  MeshData<dim> mesh;
  Grid<dim> grid;
  grid.simplices = simplices;
  grid.n.fill(1);
  grid.map = [](const Point<dim> &p)
  {
    Point<dim> x = p;
    if (dim == 3) // a quadrilateral without parallel sides
    {
      x[0] *= 1. + 0.3 * p[1];
      x[1] *= 1. + 0.25 * p[0];
    }
    x[dim - 1] = p[dim - 1] * (1. + 0.2 * x[0] - (dim == 3 ? 0.1 * x[1] : 0.));
    return x;
  };
  append_grid(mesh, grid);
  grid.map = [&](const Point<dim> &p) { return at + 0.01 * p; };
  append_grid(mesh, grid);
  return mesh;
}
} // namespace

TEST(Detector, ProjectionOnTiltedFaces)
{
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.15, 0.85);
  for (unsigned int k = 0; k < 60; ++k)
    for (const bool simplices : { true, false })
    {
      const double above = 0.1 * uniform(random) * (k % 2 == 0 ? 1 : -1);
      const double a = uniform(random), b = uniform(random);
      {
        // The plane z = 1 + 0.2 x - 0.1 y.
        Scene<3> scene(
            tilted<3>(simplices,
                      Point<3>(a, b, 1. + 0.2 * a - 0.1 * b + above)),
            "bottom",
            "top",
            CandidatePoints::nodes,
            30.);
        scene.detect();
        ASSERT_EQ(scene.contacts.size(), 4u);
        Tensor<1, 3> N = vector<3>(-0.2, 0.1, 1.);
        N /= N.norm();
        for (const auto &contact : scene.contacts)
        {
          expect_sane(scene, contact);
          EXPECT_LT((contact.normal() - N).norm(), 1e-13);
          const auto p = scene.surfaces->position(
              scene.surfaces->points[contact.point], scene.x);
          EXPECT_NEAR(
              scene.gap(contact), N * (p - Point<3>(0., 0., 1.)), 1e-13);
          // Closest point: the offset is along N.
          const auto offset = contact.local_combination(scene.x);
          EXPECT_NEAR(offset[1], 0., 1e-12);
          EXPECT_NEAR(offset[2], 0., 1e-12);
        }
      }
      {
        Scene<2> scene(tilted<2>(simplices, Point<2>(a, 1. + 0.2 * a + above)),
                       "bottom",
                       "top",
                       CandidatePoints::nodes,
                       30.);
        scene.detect();
        ASSERT_EQ(scene.contacts.size(), 2u);
        for (const auto &contact : scene.contacts)
        {
          expect_sane(scene, contact);
          const auto p = scene.surfaces->position(
              scene.surfaces->points[contact.point], scene.x);
          // The line y = 1 + 0.2 x.
          Tensor<1, 2> N = vector<2>(-0.2, 1.);
          N /= N.norm();
          EXPECT_NEAR(contact.local_combination(scene.x)[1], 0., 1e-13);
          EXPECT_LT((contact.normal() - N).norm(), 1e-13);
          EXPECT_NEAR(scene.gap(contact), N * (p - Point<2>(0., 1.)), 1e-13);
        }
      }
    }
}

namespace
{
/// Nodal velocities at random (faces of simplices stay plane): the rate of the
/// gap found by detecting again is the normal part of H* v.
template <int dim>
void gap_rate()
{
  Scene<dim> scene(two_blocks<dim>(true, 0.07, 0.33),
                   "bottom",
                   "top",
                   CandidatePoints::midpoints);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  std::vector<double> v(scene.x.size());
  for (double &value : v)
    value = uniform(random);
  const auto x     = scene.x;
  const double eps = 1e-6;
  const auto at    = scene.detect();
  ASSERT_GE(at.size(), 2u);
  const auto gaps = [&](const double sign)
  {
    for (unsigned int i = 0; i < x.size(); ++i)
      scene.x[i] = x[i] + sign * eps * v[i];
    scene.detect();
    std::vector<double> result;
    for (const auto &contact : scene.contacts)
      result.push_back(scene.gap(contact));
    return result;
  };
  const auto after = gaps(1.), before = gaps(-1.);
  ASSERT_EQ(after.size(), at.size());
  ASSERT_EQ(before.size(), at.size());
  for (unsigned int k = 0; k < at.size(); ++k)
    EXPECT_NEAR((after[k] - before[k]) / (2. * eps),
                at[k].local_combination(v)[0],
                1e-8);
}
} // namespace

TEST(Detector, GapRateIsTheLocalCombinationOfVelocities)
{
  gap_rate<2>();
  gap_rate<3>();
}

TEST(Detector, LocalAndGlobalAreTransposed)
{
  Scene<3> scene(two_blocks<3>(false, 0.07, 0.33),
                 "bottom",
                 "top",
                 CandidatePoints::midpoints);
  scene.detect();
  std::vector<double> v(scene.x.size());
  for (unsigned int i = 0; i < v.size(); ++i)
    v[i] = std::sin(1. + i);
  const double P[3] = { 1., -2., 3. };
  for (const auto &contact : scene.contacts)
  {
    const auto U = contact.local_combination(v);
    const auto r = contact.to_global(P);
    double left = 0., right = 0.;
    for (unsigned int c = 0; c < 3; ++c)
    {
      left += U[c] * P[c];
      for (unsigned int i = 0; i < contact.n_entries; ++i)
        right += contact.weights[i] * v[3 * contact.nodes[i] + c] * r[c];
    }
    EXPECT_NEAR(left, right, 1e-13);
  }
}

TEST(Detector, KeyIsKeptFromFaceToFace)
{
  for (const bool simplices : { true, false })
  {
    Scene<3> scene(two_blocks<3>(simplices, 0.01, 0.2),
                   "bottom",
                   "top",
                   CandidatePoints::midpoints);
    const auto first = scene.detect();
    for (unsigned int k = 0; k < 10; ++k)
    {
      scene.move(1, vector<3>(0.07, 0., 0.));
      const auto &now = scene.detect();
      ASSERT_EQ(now.size(), first.size());
      for (unsigned int i = 0; i < now.size(); ++i)
      {
        EXPECT_EQ(now[i].key(), first[i].key());
        EXPECT_NEAR(scene.gap(now[i]), 0.01, 1e-14);
      }
    }
    EXPECT_NE(scene.contacts[0].face, first[0].face);
    // Keys are unique.
    std::map<ContactKey, unsigned int> count;
    for (const auto &contact : scene.contacts)
      EXPECT_EQ(++count[contact.key()], 1u);
  }
}

namespace
{
Obstacle<2> plane(const std::vector<double> &point,
                  const std::vector<double> &normal,
                  const std::string &displacement = "")
{
  ObstacleParameters parameters;
  parameters.name         = "floor";
  parameters.point        = point;
  parameters.normal       = normal;
  parameters.displacement = displacement;
  return Obstacle<2>(parameters);
}
} // namespace

TEST(Planes, GapToAMovingPlane)
{
  const std::vector<Block<2>> block = {
    { Point<2>(0., 0.), Point<2>(1., 1.), { { 2, 2 } }, true }
  };
  Scene<2> scene(block,
                 "*",
                 "",
                 CandidatePoints::midpoints,
                 0.5,
                 { plane({ 3., -0.1 }, { 0., 2. }, "0; 0.3*t"),
                   plane({ -0.2, 5. }, { 1., 0. }) });
  for (const double t : { 0., 0.2, 1. })
  {
    scene.detect(t);
    unsigned int below = 0, left = 0;
    for (const auto &contact : scene.contacts)
    {
      expect_sane(scene, contact);
      if (contact.obstacle == 0)
      {
        ++below;
        EXPECT_NEAR(scene.gap(contact, t), 0.1 - 0.3 * t, 1e-14);
        EXPECT_NEAR(contact.normal()[1], 1., 1e-15);
      }
      else
      {
        ++left;
        EXPECT_NEAR(scene.gap(contact, t), 0.2, 1e-14);
      }
    }
    EXPECT_EQ(below, 2u); // two faces look down, two left
    EXPECT_EQ(left, 2u);
  }
  // Out of reach, and sunk in by more than the search distance: still held.
  EXPECT_EQ(scene.detect(-10.).size(), 2u);
  EXPECT_EQ(scene.detect(3.).size(), 4u);
}

TEST(Planes, SlopeFoundAlongItsNormal)
{
  const std::vector<Block<2>> block = {
    { Point<2>(0., 0.), Point<2>(1., 1.), { { 1, 1 } } }
  };
  const double angle = 0.3;
  Scene<2> scene(block,
                 "bottom",
                 "",
                 CandidatePoints::nodes,
                 0.5,
                 { plane({ 0., 0. }, { -std::sin(angle), std::cos(angle) }) });
  scene.detect();
  ASSERT_EQ(scene.contacts.size(), 2u);
  for (const auto &contact : scene.contacts)
  {
    const auto x = scene.surfaces->position(
        scene.surfaces->points[contact.point], scene.x);
    EXPECT_NEAR(scene.gap(contact), -x[0] * std::sin(angle), 1e-15);
  }
}

TEST(Obstacles, ManyAreFoundAsByTryingAll)
{
  // Circles, boxes that turn and a plane around a block: by the tree as by
  // trying every one, in the same order.
  const std::vector<Block<2>> block = {
    { Point<2>(0., 0.), Point<2>(1., 1.), { { 8, 8 } }, true }
  };
  std::vector<Obstacle<2>> obstacles;
  obstacles.push_back(plane({ 0., -0.01 }, { 0., 1. }));
  for (unsigned int k = 0; k < 120; ++k)
  {
    ObstacleParameters p;
    p.name         = "obstacle " + std::to_string(k);
    p.type         = k % 3 == 0 ? ObstacleType::box : ObstacleType::sphere;
    const double a = 0.7 * k, r = 0.55 + 0.01 * (k % 25);
    p.point        = { 0.5 + r * std::cos(a), 0.5 + r * std::sin(a) };
    p.radius       = 0.03;
    p.size         = { 0.05, 0.08 };
    p.center       = p.point;
    p.rotation     = k % 3 == 0 ? "40*t" : "";
    p.displacement = k % 2 == 0 ? "-0.1*t; 0.05*t" : "";
    obstacles.emplace_back(p);
  }
  Scene<2> scene(
      block, "*", "", CandidatePoints::nodes, 0.5, std::move(obstacles));
  std::size_t most = 0;
  for (const double t : { 0., 0.3, 1., 2. })
  {
    std::vector<Contact<2>> all;
    const auto found = scene.detect(t);
    scene.detector->detect_by_brute_force(scene.x, t, 0., all);
    ASSERT_EQ(found.size(), all.size()) << t;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
      EXPECT_EQ(found[i].key(), all[i].key());
      EXPECT_EQ(found[i].frame, all[i].frame);
    }
    most = std::max(most, found.size());
  }
  EXPECT_GT(most, 40u);
}
