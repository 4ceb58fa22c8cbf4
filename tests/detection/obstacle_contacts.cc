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
