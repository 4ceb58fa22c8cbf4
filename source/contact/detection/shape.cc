#include <delassus/contact/detection/shape.h>
#include <delassus/contact/detection/facing.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
void ShapePicture<dim>::add_quads(const unsigned int row,
                                  const unsigned int next_row,
                                  const unsigned int n,
                                  const bool closed)
{
  for (unsigned int k = 0; k + (closed ? 0 : 1) < n; ++k)
  {
    const unsigned int j = (k + 1) % n;
    cells.push_back({ row + k, row + j, next_row + j, next_row + k });
  }
}

template <int dim>
void Shape<dim>::keep_valid(const double phi,
                            std::vector<ShapeSide<dim>> &sides)
{
  if (phi >= 0.)
    sides.erase(std::remove_if(sides.begin(),
                               sides.end(),
                               [](const ShapeSide<dim> &side)
                               { return side.only_behind; }),
                sides.end());
}

template <int dim>
double Shape<dim>::touch(const Point<dim> &x,
                         const Tensor<1, dim> &n,
                         const double reach,
                         const double depth,
                         std::vector<ShapeSide<dim>> &sides) const
{
  sides.clear();
  const double phi = find(x, std::max(reach, depth), sides);
  const auto drop  = [&](const auto &condition)
  {
    sides.erase(std::remove_if(sides.begin(), sides.end(), condition),
                sides.end());
  };
  // Exactly in a corner rounding decides which side the point is behind. At the
  // rim of a face the surface beyond may be nearer, so that phi does not say
  // whether the point has sunk in; deeper than a little it is beside the face.
  const double equal = 1e-9 * depth, sunk = 0.1 * depth;
  drop(
      [&](const ShapeSide<dim> &side)
      {
        return side.distance > reach ||
               (n.norm_square() > 0. && side.normal * n > facing) ||
               (side.distance < -equal &&
                ((phi >= 0. && !(side.at_rim && -side.distance <= sunk)) ||
                 (is_open() && -side.distance > std::max(depth, reach))));
      });
  if (sides.empty())
    return phi;

  std::sort(sides.begin(),
            sides.end(),
            [](const ShapeSide<dim> &a, const ShapeSide<dim> &b)
            {
              const double d = std::abs(a.distance), e = std::abs(b.distance);
              return d != e ? d < e : a.side < b.side;
            });
  auto nearest = std::find_if(sides.begin(),
                              sides.end(),
                              [&](const ShapeSide<dim> &s)
                              { return s.distance <= equal; });
  // On a convex edge its faces and the edge itself are as near: the one that
  // is most opposed to the candidate counts.
  for (auto side = nearest; side != sides.end(); ++side)
    if (std::abs(side->distance) <= equal &&
        side->normal * n < nearest->normal * n - 1e-6)
      nearest = side;
  if (nearest != sides.end())
  {
    // Concave: each of the two lies in front of the other.
    const ShapeSide<dim> first = *nearest;
    const Point<dim> foot      = x - first.distance * first.normal;
    drop(
        [&](const ShapeSide<dim> &side)
        {
          const Point<dim> other = x - side.distance * side.normal;
          return side.distance <= equal && side.side != first.side &&
                 !(first.normal * (side.middle - foot) > 0. &&
                   side.normal * (first.middle - other) > 0.);
        });
  }

  // Where two sides join smoothly both may claim the point.
  std::size_t n_kept = 0;
  for (std::size_t i = 0; i < sides.size(); ++i)
  {
    bool is_new = true;
    for (std::size_t j = 0; j < n_kept; ++j)
      is_new = is_new && (sides[i].normal - sides[j].normal).norm() > 1e-6;
    if (is_new)
      sides[n_kept++] = sides[i];
  }
  sides.erase(sides.begin() + n_kept, sides.end());
  return phi;
}

template <int dim>
bool Shape<dim>::bounding_box(BoundingBox<dim> &box) const
{
  // What has no end is cut at the box that its picture is asked for.
  Point<dim> one, ten;
  for (unsigned int c = 0; c < dim; ++c)
  {
    one[c] = 1.;
    ten[c] = 10.;
  }
  const auto near = picture(BoundingBox<dim>({ Point<dim>(), one })),
             far  = picture(BoundingBox<dim>({ Point<dim>(-ten), ten }));
  if (near.points.empty() || near.points != far.points)
    return false;
  Point<dim> low = near.points[0], high = low;
  for (const auto &x : near.points)
    for (unsigned int c = 0; c < dim; ++c)
    {
      low[c]  = std::min(low[c], x[c]);
      high[c] = std::max(high[c], x[c]);
    }
  // Facets lie inside of what they show.
  const double size = low.distance(high);
  for (unsigned int c = 0; c < dim; ++c)
  {
    low[c] -= 0.02 * size;
    high[c] += 0.02 * size;
  }
  box = BoundingBox<dim>({ low, high });
  return distance(high + (high - low)) > 0.;
}

template <int dim>
bool Shape<dim>::is_crossed(const Point<dim> &a, const Point<dim> &b) const
{
  const double length = a.distance(b);
  if (length == 0.)
    return false;
  const Tensor<1, dim> direction = (b - a) / length;
  // Steps as long as nothing can be nearer. At the surface the way goes on if
  // it leads along it or away.
  std::vector<ShapeSide<dim>> sides;
  double way = 0.;
  for (unsigned int k = 0; k < 200 && way < length; ++k)
  {
    const Point<dim> x = a + way * direction;
    const double phi   = distance(x);
    if (phi > 1e-6 * length)
    {
      way += phi;
      continue;
    }
    sides.clear();
    find(x, 1e-5 * length, sides);
    const auto goes_through = [&](const ShapeSide<dim> &side)
    {
      const double approach = direction * side.normal;
      return approach < 0. && side.distance + (length - way) * approach < 0.;
    };
    const ShapeSide<dim> *nearest = nullptr;
    for (const auto &side : sides)
      if (!nearest || std::abs(side.distance) < std::abs(nearest->distance))
        nearest = &side;
    if (nearest && goes_through(*nearest))
      return true;
    // Along what lies beyond the rim of a face.
    for (const auto &side : sides)
      if (side.at_rim && std::abs(side.distance) <= 1e-6 * length &&
          goes_through(side))
        return true;
    way += 0.02 * length;
  }
  return false;
}

template struct ShapePicture<2>;
template struct ShapePicture<3>;
template class Shape<2>;
template class Shape<3>;
} // namespace delassus
