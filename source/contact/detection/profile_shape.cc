// Profiles in the plane, drawn out and turned in space.
#include <delassus/contact/detection/shapes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
ProfileShape<dim>::ProfileShape(const Profile &profile,
                                const Kind kind,
                                const Point<dim> &origin,
                                const Tensor<1, dim> &first,
                                const Tensor<1, dim> &second,
                                const std::string &name)
    : profile(profile)
    , kind(kind)
    , origin(origin)
    , first(first)
    , second(second)
    , name(name)
{
}

template <int dim>
Point<2> ProfileShape<dim>::flatten(const Point<dim> &x,
                                    Tensor<1, dim> &across_axis) const
{
  const Tensor<1, dim> d = x - origin;
  across_axis            = second;
  if (kind == Kind::revolved)
  {
    const Tensor<1, dim> radial = d - (d * first) * first;
    const double r              = radial.norm();
    if (r > 0.)
      across_axis = radial / r;
    return Point<2>(d * first, r);
  }
  return Point<2>(d * first, d * second);
}

template <int dim>
double ProfileShape<dim>::distance(const Point<dim> &x) const
{
  Tensor<1, dim> e;
  return profile.distance(flatten(x, e));
}

template <int dim>
double ProfileShape<dim>::find(const Point<dim> &x,
                               const double reach,
                               std::vector<ShapeSide<dim>> &sides) const
{
  Tensor<1, dim> e;
  const Point<2> p = flatten(x, e);
  static thread_local std::vector<ShapeSide<2>> found;
  found.clear();
  const double phi = profile.find(p, reach, found);
  for (const auto &side : found)
  {
    const Tensor<1, dim> along = x - origin - p[0] * first - p[1] * e;
    sides.push_back(
        { side.side,
          side.distance,
          side.normal[0] * first + side.normal[1] * e,
          origin + along + side.middle[0] * first + side.middle[1] * e,
          side.only_behind,
          side.at_rim });
  }
  return phi;
}

template <int dim>
double ProfileShape<dim>::side_distance(const unsigned int side,
                                        const Tensor<1, dim> &N,
                                        const Point<dim> &x) const
{
  Tensor<1, dim> e;
  const Point<2> p = flatten(x, e);
  return profile.side_distance(side, Tensor<1, 2>({ N * first, N * e }), p);
}

template <int dim>
bool ProfileShape<dim>::is_flat(const unsigned int side) const
{
  return kind != Kind::revolved && profile.is_flat(side);
}

template <int dim>
bool ProfileShape<dim>::turns_into_itself(const Point<dim> &center,
                                          const Tensor<1, 3> &axis) const
{
  if constexpr (dim == 3)
    return kind == Kind::revolved &&
           same_axis(origin,
                     first,
                     center,
                     axis,
                     std::max(1e-300, (center - origin).norm()));
  return false;
}

template <int dim>
ShapePicture<dim>
ProfileShape<dim>::picture(const BoundingBox<dim> &around) const
{
  const auto ends     = around.get_boundary_points();
  const double extent = 2. * (ends.first.distance(ends.second) +
                              around.center().distance(origin));
  ShapePicture<dim> picture;
  for (const auto &line : profile.polylines(extent))
    if constexpr (dim == 2)
    {
      for (unsigned int i = 0; i < line.size(); ++i)
      {
        if (i > 0)
          picture.cells.push_back(
              { static_cast<unsigned int>(picture.points.size() - 1),
                static_cast<unsigned int>(picture.points.size()) });
        picture.points.push_back(origin + line[i][0] * first +
                                 line[i][1] * second);
      }
    }
    else
    {
      const unsigned int n = line.size();
      const auto add_row =
          [&](const Tensor<1, dim> &shift, const Tensor<1, dim> &e)
      {
        for (const auto &p : line)
          picture.points.push_back(origin + shift + p[0] * first + p[1] * e);
      };
      if (kind == Kind::extruded)
      {
        const Tensor<1, 3> axis = cross_product_3d(first, second);
        double low = std::numeric_limits<double>::max(), high = -low;
        for (unsigned int v = 0; v < 8; ++v)
        {
          const double s = (around.vertex(v) - origin) * axis;
          low            = std::min(low, s);
          high           = std::max(high, s);
        }
        const double margin = 0.1 * (high - low);
        add_row((low - margin) * axis, second);
        add_row((high + margin) * axis, second);
        picture.add_quads(
            picture.points.size() - 2 * n, picture.points.size() - n, n, false);
      }
      else
      {
        constexpr unsigned int m = 64;
        const unsigned int start = picture.points.size();
        const Tensor<1, 3> e = across(first), f = cross_product_3d(first, e);
        for (unsigned int k = 0; k < m; ++k)
        {
          const double a = 2. * numbers::PI * k / m;
          add_row(Tensor<1, 3>(), std::cos(a) * e + std::sin(a) * f);
          picture.add_quads(start + k * n, start + ((k + 1) % m) * n, n, false);
        }
      }
    }
  return picture;
}

template <int dim>
std::string ProfileShape<dim>::describe() const
{
  return name + " at " + text_of_point(origin);
}

template class ProfileShape<2>;
template class ProfileShape<3>;
} // namespace delassus
