// What a contact with an obstacle knows: its area at edges and corners, and the
// slot by which it is found again.
#include "detection/blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

namespace
{
template <int dim>
Obstacle<dim> tilted_plane(const double angle)
{
  ObstacleParameters p;
  p.name          = "plane";
  p.point         = std::vector<double>(dim, 0.);
  p.normal        = std::vector<double>(dim, 0.);
  p.normal[0]     = -std::sin(angle);
  p.normal.back() = std::cos(angle);
  return Obstacle<dim>(p);
}

/// The areas of all contacts of a block 2 x 1 (x 1), all of whose faces are
/// candidates, with a plane at its bottom.
template <int dim>
double touching_area(const unsigned int n, const double angle)
{
  Point<dim> size;
  for (unsigned int c = 0; c < dim; ++c)
    size[c] = c == 0 ? 2. : 1.;
  Block<dim> block{ Point<dim>(), size, {}, true };
  block.n.fill(n);
  Scene<dim> scene({ block },
                   "*",
                   "",
                   CandidatePoints::nodes,
                   0.1,
                   { tilted_plane<dim>(angle) });
  double area = 0.;
  for (const auto &contact : scene.detect())
    area += contact.area;
  return area;
}
} // namespace

TEST(ObstacleContacts, HaveTheAreaOfTheSideThatTouches)
{
  // Nodes at the rim of the bottom are on other sides too, which do not touch:
  // also if the block is aslant by rounding, or by more.
  for (const unsigned int n : { 1u, 3u })
    for (const double angle : { 0., 1e-15, -1e-15, 1e-3, -1e-3 })
    {
      EXPECT_NEAR(touching_area<2>(n, angle), 2., 1e-12) << n << ' ' << angle;
      EXPECT_NEAR(touching_area<3>(n, angle), 2., 1e-12) << n << ' ' << angle;
    }
}

TEST(ObstacleContacts, OfManySidesHaveSlotsOfTheirOwn)
{
  // A small block within a ring of 60 lines: each of its nodes is near all that
  // it looks at.
  ObstacleParameters ring;
  ring.name   = "ring";
  ring.type   = ObstacleType::extruded_profile;
  ring.point  = { 0., 0. };
  ring.hollow = true;
  for (unsigned int k = 0; k <= 60; ++k)
  {
    const double a = 2. * dealii::numbers::PI * (k % 60) / 60.;
    ring.profile.push_back({ std::cos(a), std::sin(a) });
  }
  Scene<2> scene(
      { { Point<2>(-0.05, -0.05), Point<2>(0.1, 0.1), { { 1, 1 } }, true } },
      "*",
      "",
      CandidatePoints::nodes,
      0.5,
      { Obstacle<2>(ring) });
  std::map<unsigned int, std::set<unsigned int>> slots;
  std::set<ContactKey> keys;
  std::map<ContactKey, Tensor<1, 2>> normals;
  const auto first = scene.detect(0., 2.);
  for (const auto &contact : first)
  {
    slots[contact.point].insert(contact.slot);
    keys.insert(contact.key());
    normals[contact.key()] = contact.normal();
  }
  EXPECT_EQ(keys.size(), first.size());
  ASSERT_EQ(slots.size(), 4u);
  for (const auto &entry : slots)
    EXPECT_GT(entry.second.size(), 16u);

  // A little farther each is found again by its key.
  scene.detector->obstacle_search.start_from(scene.x, 0., first);
  scene.move(0, Tensor<1, 2>({ 1e-3, 2e-3 }));
  unsigned int n_same = 0;
  for (const auto &contact : scene.detect(0., 2.))
    if (normals.count(contact.key()) > 0)
    {
      EXPECT_GT(normals[contact.key()] * contact.normal(), 1. - 1e-6);
      ++n_same;
    }
  EXPECT_GE(n_same, first.size() - 4);
}

TEST(ObstacleContacts, SlidingOntoAFilletTheyTurnAsMuchInsideAsOutside)
{
  // The foot of a block slides off a flat top onto the round shoulder of a
  // die, to where the normal has turned by a tenth: a little in the die or
  // out of it by rounding makes no difference.
  ObstacleParameters die;
  die.name    = "die";
  die.type    = ObstacleType::extruded_profile;
  die.point   = { 0., 0. };
  die.profile = { { -20., 0. }, { 0., 0. }, { 0., -20. } };
  die.fillets = { 4. };
  for (const double slid : { 0.002, 0.1, 0.4, 2. })
  {
    const double radius = 4., turned = slid / radius;
    std::array<Tensor<1, 2>, 2> normal;
    for (const bool inside : { false, true })
    {
      Scene<2> scene(
          { { Point<2>(-4.05, 0.), Point<2>(1., 1.), { { 1, 1 } }, true } },
          "bottom",
          "",
          CandidatePoints::nodes,
          0.2,
          { Obstacle<2>(die) });
      const auto start = scene.x;
      const auto first = scene.detect();
      ASSERT_EQ(first.size(), 2u);
      const double r = radius * (1. + (inside ? -1e-9 : 1e-9));
      scene.move(
          0,
          Point<2>(-4. + r * std::sin(turned), -4. + r * std::cos(turned)) -
              Point<2>(-4.05, 0.));
      scene.detector->obstacle_search.start_from(start, 0., first);
      bool found = false;
      for (const auto &contact : scene.detect())
      {
        const auto &node = scene.surfaces->points[contact.point].nodes[0];
        if (scene.x[2 * node] > -3.5 + radius * std::sin(turned))
          continue; // the block's other foot
        normal[inside] = contact.normal();
        found          = true;
      }
      ASSERT_TRUE(found) << slid;
      EXPECT_NEAR(normal[inside][0], std::sin(turned), 1e-7) << slid;
    }
    EXPECT_NEAR((normal[0] - normal[1]).norm(), 0., 1e-7) << slid;
  }
}
