// Points that slide over edges, joints and corners.
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
Block<dim> box(const std::array<double, 3> &corner,
               const std::array<double, 3> &size,
               const unsigned int n = 1,
               const bool simplices = false)
{
  Block<dim> block;
  for (unsigned int d = 0; d < dim; ++d)
  {
    block.corner[d] = corner[d];
    block.size[d]   = size[d];
  }
  block.n.fill(n);
  block.simplices = simplices;
  return block;
}

template <int dim>
Tensor<1, dim> axis(const unsigned int d, const double length)
{
  Tensor<1, dim> v;
  v[d] = length;
  return v;
}

/// Contacts of the last block's candidates at one of its nodes.
template <int dim>
std::vector<const Contact<dim> *> contacts_at(const Scene<dim> &scene,
                                              const Point<dim> &p)
{
  std::vector<const Contact<dim> *> found;
  for (const auto &contact : scene.contacts)
    if (scene.piece_of_point(contact) + 1 == scene.bodies[0]->pieces.size() &&
        scene.surfaces->position(scene.surfaces->points[contact.point], scene.x)
                .distance(p) < 1e-12)
      found.push_back(&contact);
  return found;
}
} // namespace

TEST(Sliding, AroundAConvexEdge)
{
  // A tiny block goes round the upper right edge of a big one; its lower left
  // node stays at distance 0.05. (y is up.)
  const double r = 0.05;
  const auto run = [&](auto dimension, const bool simplices)
  {
    constexpr int dim = decltype(dimension)::value;
    Scene<dim> scene(
        { box<dim>({ { 0., 0., 0. } }, { { 1., 1., 1. } }, 2, simplices),
          box<dim>({ { 1., 1. + r, 0.3 } },
                   { { 1e-3, 1e-3, 1e-3 } },
                   1,
                   simplices) },
        "*",
        "*",
        CandidatePoints::nodes,
        0.2);
    // Far enough for the tiny block too.
    const double reach = 0.2;
    scene.detect(0., reach);
    Point<dim> at;
    at[0] = 1.;
    at[1] = 1. + r;
    if (dim == 3)
      at[dim - 1] = 0.3;
    ContactKey key;
    // (Flush with the right side, at angle 0, it would pass by.)
    for (double angle = 0.02; angle < 1.2; angle += 0.01)
    {
      Point<dim> p;
      p[0]       = 1. + r * std::sin(angle);
      p[1]       = 1. + r * std::cos(angle);
      p[dim - 1] = dim == 3 ? 0.3 : p[dim - 1];
      scene.move(1, p - at);
      at = p;
      scene.detect_again(reach);
      const auto found = contacts_at(scene, p);
      ASSERT_EQ(found.size(), 1u) << dim << " " << angle;
      EXPECT_NEAR(found[0]->local_combination(scene.x)[0], r, 1e-9);
      EXPECT_NEAR(found[0]->normal()[0], std::sin(angle), 1e-6);
      EXPECT_NEAR(found[0]->normal()[1], std::cos(angle), 1e-6);
      if (key != ContactKey())
      {
        EXPECT_EQ(found[0]->key(), key);
      }
      key = found[0]->key();
    }
  };
  for (const bool simplices : { false, true })
  {
    run(std::integral_constant<int, 2>(), simplices);
    run(std::integral_constant<int, 3>(), simplices);
  }
}

TEST(Sliding, AtAVertexTheNormalPointsFromIt)
{
  Scene<3> scene({ box<3>({ { 0., 0., 0. } }, { { 1., 1., 1. } }),
                   box<3>({ { 1.01, 1.02, 1.03 } }, { { 0.1, 0.1, 0.1 } }) },
                 "*",
                 "*",
                 CandidatePoints::nodes,
                 0.5);
  scene.detect();
  const auto found = contacts_at(scene, Point<3>(1.01, 1.02, 1.03));
  ASSERT_EQ(found.size(), 1u);
  const double length = std::sqrt(1e-4 + 4e-4 + 9e-4);
  EXPECT_NEAR(found[0]->local_combination(scene.x)[0], length, 1e-9);
  for (unsigned int c = 0; c < 3; ++c)
    EXPECT_NEAR(found[0]->normal()[c], 0.01 * (c + 1) / length, 1e-6);
}

TEST(Sliding, NoStepAtTheJointOfTwoBlocks)
{
  // The corner of a block, all of whose boundary is candidate, crosses the
  // joint between two others of the same height: at no depth and at no distance
  // from the joint does it see the side of the next one.
  const auto run = [](auto dimension, const bool history)
  {
    constexpr int dim = decltype(dimension)::value;
    for (const double depth : { 1e-3, 1e-6, 1e-9, 0. })
      for (const double gap : { 0., 1e-4 }) // between the two
      {
        Scene<dim> scene(
            { box<dim>({ { 0., 0., 0. } }, { { 1., 1., 1. } }, 2),
              box<dim>({ { 1. + gap, 0., 0. } }, { { 1., 1., 1. } }, 2),
              box<dim>({ { 0.2, 1. - depth, 0.25 } }, { { 0.5, 0.5, 0.5 } }) },
            "*",
            "*",
            CandidatePoints::nodes,
            0.1);
        scene.detect();
        double at = 0.7;
        for (const double x : { 0.9,
                                0.999,
                                1. - 1e-6,
                                1. - 1e-9,
                                1.,
                                1. + 1e-10,
                                1. + 1e-9,
                                1. + 1e-8,
                                1. + 1e-6,
                                1. + 1e-5,
                                1.0002,
                                1.01,
                                1.1 })
        {
          scene.move(2, axis<dim>(0, x - at));
          at = x;
          if (history)
            scene.detect_again();
          else
            scene.detect();
          Point<dim> corner;
          corner[0]        = x;
          corner[1]        = 1. - depth;
          corner[dim - 1]  = dim == 3 ? 0.25 : corner[dim - 1];
          const auto found = contacts_at(scene, corner);
          ASSERT_EQ(found.size(), 1u) << dim << " " << x << " " << depth;
          EXPECT_NEAR(found[0]->normal()[1], 1., 1e-12)
              << dim << " " << x << " " << depth;
          EXPECT_NEAR(found[0]->local_combination(scene.x)[0], -depth, 1e-12);
        }
      }
  };
  for (const bool history : { false, true })
  {
    run(std::integral_constant<int, 2>(), history);
    run(std::integral_constant<int, 3>(), history);
  }
}

TEST(Sliding, ConcaveCornerHasAContactForEachSide)
{
  const double g = 1e-3;
  {
    Scene<2> scene({ box<2>({ { 0., 0., 0. } }, { { 2., 1., 0. } }, 2),
                     box<2>({ { 2., 0., 0. } }, { { 1., 3., 0. } }, 2),
                     box<2>({ { 1., 1. + g, 0. } }, { { 1. - g, 1., 0. } }) },
                   "*",
                   "*",
                   CandidatePoints::nodes,
                   0.1);
    for (unsigned int k = 0; k < 3; ++k)
    {
      if (k == 0)
        scene.detect();
      else
        scene.detect_again();
      const auto found =
          contacts_at(scene, Point<2>(2. - g, 1. + g - 1e-5 * k));
      ASSERT_EQ(found.size(), 2u);
      const bool floor_first = found[0]->normal()[1] > 0.5;
      // The order may change, the identity does not.
      for (const auto *contact : found)
      {
        const bool floor = contact->normal()[1] > 0.5;
        EXPECT_NEAR(contact->normal()[floor ? 1 : 0], floor ? 1. : -1., 1e-14);
        EXPECT_NEAR(contact->local_combination(scene.x)[0],
                    floor ? g - 1e-5 * k : g,
                    1e-13);
      }
      EXPECT_NE(found[0]->key(), found[1]->key());
      static ContactKey floor_key;
      const auto key = found[floor_first ? 0 : 1]->key();
      if (k > 0)
      {
        EXPECT_EQ(key, floor_key);
      }
      floor_key = key;
      scene.move(2, axis<2>(1, -1e-5));
    }
  }
  {
    // Three walls of a room.
    Scene<3> scene({ box<3>({ { 0., -1., 0. } }, { { 2., 1., 2. } }),
                     box<3>({ { -1., -1., 0. } }, { { 1., 3., 2. } }),
                     box<3>({ { -1., -1., -1. } }, { { 3., 3., 1. } }),
                     box<3>({ { g, 2. * g, 3. * g } }, { { 0.5, 0.5, 0.5 } }) },
                   "*",
                   "*",
                   CandidatePoints::nodes,
                   0.1);
    scene.detect();
    const auto found = contacts_at(scene, Point<3>(g, 2. * g, 3. * g));
    ASSERT_EQ(found.size(), 3u);
    Tensor<1, 3> sum;
    for (const auto *contact : found)
      sum += contact->local_combination(scene.x)[0] * contact->normal();
    for (unsigned int c = 0; c < 3; ++c)
      EXPECT_NEAR(sum[c], g * (c + 1), 1e-13);
  }
}

TEST(Sliding, AThinSheetIsNotLeftForWhatIsBehindIt)
{
  // Sheet of thickness 0.01 on a block; a block above crosses it by twice
  // that in one go.
  const auto run = [](auto dimension)
  {
    constexpr int dim = decltype(dimension)::value;
    for (const auto kind : { CandidatePoints::nodes,
                             CandidatePoints::midpoints,
                             CandidatePoints::gauss })
    {
      Scene<dim> scene(
          { box<dim>({ { 0., 0., 0. } }, { { 1., 1., 1. } }, 2),
            box<dim>({ { 0., 1., 0. } }, { { 1., 0.01, 1. } }),
            box<dim>({ { 0.1, 1.0101, 0.1 } }, { { 0.8, 0.8, 0.8 } }, 2) },
          "*",
          "*",
          kind,
          0.2);
      scene.detect();
      scene.move(2, axis<dim>(1, -0.02));
      scene.detect_again();
      unsigned int below = 0;
      for (const auto &contact : scene.contacts)
        if (scene.piece_of_point(contact) == 2)
        {
          ++below;
          EXPECT_EQ(scene.surfaces->faces[contact.face].piece, 1u);
          EXPECT_NEAR(contact.normal()[1], 1., 1e-14);
          EXPECT_NEAR(
              contact.local_combination(scene.x)[0], 1e-4 - 0.02, 1e-13);
        }
      EXPECT_GE(below, 2u);
    }
  };
  run(std::integral_constant<int, 2>());
  run(std::integral_constant<int, 3>());
}

TEST(Sliding, AveragedNormalsAreContinuous)
{
  // A block with a round top of 12 faces; a point that slides over it.
  for (const auto normals : { ContactNormals::face, ContactNormals::averaged })
  {
    MeshData<2> mesh;
    Grid<2> grid;
    grid.n   = { { 12, 1 } };
    grid.map = [](const Point<2> &p)
    {
      const double a = 1. * (p[0] - 0.5);
      return Point<2>((1. + p[1]) * std::sin(a), (1. + p[1]) * std::cos(a));
    };
    append_grid(mesh, grid);
    append_block(mesh, box<2>({ { -0.4, 2.0, 0. } }, { { 1e-3, 1e-3, 0. } }));
    Scene<2> scene(mesh,
                   "*",
                   "*",
                   CandidatePoints::nodes,
                   0.5,
                   ContactFormulation::points,
                   normals);
    double last = 0., jump = 0.;
    scene.detect(0., 0.3);
    for (unsigned int k = 0; k < 200; ++k)
    {
      scene.move(1, axis<2>(0, 0.004));
      scene.detect_again(0.3);
      for (const auto &contact : scene.contacts)
        if (scene.piece_of_point(contact) == 1)
        {
          const double angle =
              std::atan2(contact.normal()[0], contact.normal()[1]);
          const auto p = scene.surfaces->position(
              scene.surfaces->points[contact.point], scene.x);
          EXPECT_NEAR(angle, std::atan2(p[0], p[1]), 0.08);
          if (k > 0)
            jump = std::max(jump, std::abs(angle - last));
          last = angle;
          break; // one node will do
        }
    }
    if (normals == ContactNormals::averaged)
      EXPECT_LT(jump, 0.01);
    else
      EXPECT_LT(jump, 0.1);
  }
}

// A contact that moves with its bodies is what detection finds there, as long
// as its foot stays on the face: the linearization of contact stands on it.
TEST(Sliding, MovedContactsAreThoseFoundAnew)
{
  for (const auto normals : { ContactNormals::face, ContactNormals::averaged })
  {
    MeshData<2> mesh;
    Grid<2> grid;
    grid.n   = { { 12, 1 } };
    grid.map = [](const Point<2> &p)
    {
      const double a = 1. * (p[0] - 0.5);
      return Point<2>((1. + p[1]) * std::sin(a), (1. + p[1]) * std::cos(a));
    };
    append_grid(mesh, grid);
    append_block(mesh, box<2>({ { -0.41, 2.0, 0. } }, { { 0.1, 0.1, 0. } }));
    Scene<2> scene(mesh,
                   "*",
                   "*",
                   CandidatePoints::nodes,
                   0.5,
                   ContactFormulation::points,
                   normals);
    scene.detect(0., 0.3);
    const auto before = scene.contacts;
    // Everything moves a little, in its own way.
    for (std::size_t i = 0; i < scene.x.size(); ++i)
      scene.x[i] += 1e-4 * std::sin(1. + 3. * i);
    scene.detect_again(0.3);
    unsigned int n_compared = 0;
    for (const auto &old : before)
      for (const auto &found : scene.contacts)
      {
        Contact<2> moved;
        if (old.key() != found.key() || old.face != found.face ||
            !scene.detector->move_contact(old, scene.x, 0., moved))
          continue;
        ++n_compared;
        EXPECT_LT((moved.normal() - found.normal()).norm(), 1e-12);
        ASSERT_EQ(moved.n_entries, found.n_entries);
        for (unsigned int i = 0; i < moved.n_entries; ++i)
        {
          EXPECT_EQ(moved.nodes[i], found.nodes[i]);
          EXPECT_NEAR(moved.weights[i], found.weights[i], 1e-12);
        }
        // The frame is as orthogonal as it was.
        EXPECT_NEAR(moved.frame[0] * moved.frame[2] +
                        moved.frame[1] * moved.frame[3],
                    0.,
                    1e-14);
      }
    EXPECT_GT(n_compared, 0u);
  }
}

TEST(Sliding, PassageFromFaceToFaceOfAnArc)
{
  // A point at the height z over (or in) a ridge or a bowl of n facets of
  // length L that meet at the angle beta, in steps ds. Averaged normals turn by
  // beta over a facet; where the foot leaps over a vertex, by 2 |z|
  // tan(beta/2), they leap by as much of that as the leap is of L. Those of the
  // faces leap by beta. The gap is continuous with both, but for the rule for
  // near-ties.
  const auto run = [](auto dimension,
                      const bool ridge,
                      const double z,
                      const ContactNormals normals)
  {
    constexpr int dim    = decltype(dimension)::value;
    const unsigned int n = 12;
    const double R = 2., range = 1., beta = range / n;
    const double L = 2. * R * std::sin(0.5 * beta);
    MeshData<dim> mesh;
    Grid<dim> grid;
    grid.n.fill(1);
    grid.n[0] = n;
    grid.map  = [&](const Point<dim> &p)
    {
      const double a = range * (p[0] - 0.5);
      const double r = ridge ? R - 1. + p[dim - 1] : R + 1. - p[dim - 1];
      Point<dim> x   = p;
      x[0]           = r * std::sin(a);
      x[dim - 1]     = (ridge ? r : -r) * std::cos(a);
      return x;
    };
    append_grid(mesh, grid);
    const double size = 1e-3, begin = -0.4, end = 0.4;
    const auto path = [&](const double a)
    {
      const double r = ridge ? R + z : R - z;
      Point<dim> p;
      p[1]       = 0.5;
      p[0]       = r * std::sin(a);
      p[dim - 1] = (ridge ? r : -r) * std::cos(a);
      return p;
    };
    Point<dim> at                = path(begin);
    std::array<double, 3> corner = {};
    for (unsigned int d = 0; d < dim; ++d)
      corner[d] = at[d] - (d + 1 < dim ? 0.5 * size : 0.);
    append_block(mesh, box<dim>(corner, { { size, size, size } }));
    Scene<dim> scene(mesh,
                     "bottom",
                     "top",
                     CandidatePoints::midpoints,
                     0.5,
                     ContactFormulation::points,
                     normals);
    scene.detect(0., 0.1);
    const unsigned int steps = 2000;
    const double ds          = R * (end - begin) / steps;
    double angle_before = 0., gap_before = 0., turn = 0., leap = 0.;
    for (unsigned int k = 0; k <= steps; ++k)
    {
      const Point<dim> p = path(begin + (end - begin) * k / steps);
      scene.move(1, p - at);
      at = p;
      scene.detect_again(0.1);
      const Contact<dim> *contact = nullptr;
      for (const auto &c : scene.contacts)
        if (scene.piece_of_point(c) == 1 && !contact)
          contact = &c; // the nearest; in the bowl there may be others
      ASSERT_NE(contact, nullptr) << k;
      const auto N       = contact->normal();
      const double angle = std::atan2(N[0], N[dim - 1]);
      const double gap   = scene.gap(*contact);
      if (k > 0)
      {
        turn = std::max(turn, std::abs(angle - angle_before));
        leap = std::max(leap, std::abs(gap - gap_before));
      }
      angle_before = angle;
      gap_before   = gap;
    }
    const double tie = 0.5 * 0.01 * L * (1. - std::cos(beta));
    EXPECT_LT(leap, beta * ds + tie);
    const double foot = 2. * std::abs(z) * std::tan(0.5 * beta);
    if (normals == ContactNormals::averaged)
    {
      EXPECT_LT(turn, 1.1 * beta * (1.1 * ds + foot) / L);
    }
    else if (ridge == (z < 0.)) // no edge to go round
    {
      EXPECT_NEAR(turn, beta, 1e-6);
    }
    testing::Test::RecordProperty(
        std::string(normals == ContactNormals::averaged ? "averaged" : "face") +
            (ridge ? "_ridge_" : "_bowl_") + (z < 0. ? "inside_" : "outside_") +
            std::to_string(dim),
        std::to_string(turn / beta));
  };
  for (const auto normals : { ContactNormals::face, ContactNormals::averaged })
    for (const bool ridge : { true, false })
      for (const double z : { -0.01, 0.01 })
      {
        run(std::integral_constant<int, 2>(), ridge, z, normals);
        run(std::integral_constant<int, 3>(), ridge, z, normals);
      }
}
