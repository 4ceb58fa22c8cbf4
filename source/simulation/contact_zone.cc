#include <delassus/simulation/contact_zone.h>
#include <delassus/contact/kinematics/contact.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
bool are_parallel(const std::vector<Tensor<1, dim>> &normals)
{
  constexpr double same = 0.9994;
  for (const auto &normal : normals)
    if (normal * normals[0] < same)
      return false;
  return true;
}

template <int dim>
ContactZone<dim> measure_zone(const ContactSurfaces<dim> &surfaces,
                              const Interaction &interaction,
                              std::vector<unsigned int> closed)
{
  ContactZone<dim> zone;
  // Once each, and the normal of their middle.
  std::sort(closed.begin(), closed.end());
  closed.erase(std::unique(closed.begin(), closed.end()), closed.end());
  if (closed.empty())
    return zone;
  Tensor<1, dim> normal;
  double area = 0., size = 0.;
  for (const unsigned int p : closed)
  {
    const auto &point = surfaces.points[p];
    normal += surfaces.point_normal(point, surfaces.reference);
    area += point.area;
    size += point.size;
  }
  if (normal.norm() == 0.)
    return zone;
  normal /= normal.norm();
  size = dim == 3 && area > 0. ? std::sqrt(area / closed.size())
                               : size / closed.size();

  // The points of the same side of the piece, and how far both reach along the
  // tangents.
  const auto frame  = make_frame<dim>(normal);
  const auto extend = [&](std::array<double, 2>(&range)[dim],
                          const unsigned int p,
                          const bool first)
  {
    const Point<dim> x =
        surfaces.position(surfaces.points[p], surfaces.reference);
    for (unsigned int r = 1; r < dim; ++r)
    {
      double s = 0.;
      for (unsigned int c = 0; c < dim; ++c)
        s += frame[dim * r + c] * x[c];
      range[r] = first ? std::array<double, 2>{ { s, s } }
                       : std::array<double, 2>{ { std::min(range[r][0], s),
                                                  std::max(range[r][1], s) } };
    }
  };
  std::array<double, 2> around[dim] = {}, inside[dim] = {};
  const unsigned int piece = surfaces.points[closed[0]].piece;
  unsigned int n_around    = 0;
  for (unsigned int p = interaction.first_point; p < interaction.end_point; ++p)
  {
    const auto &point = surfaces.points[p];
    if (point.piece == piece &&
        surfaces.point_normal(point, surfaces.reference) * normal > same_side)
      extend(around, p, n_around++ == 0);
  }
  for (unsigned int i = 0; i < closed.size(); ++i)
    extend(inside, closed[i], i == 0);
  // A zone that fills the face is not limited by its shape.
  if (2 * closed.size() >= n_around)
    return zone;
  double across = 0.;
  for (unsigned int r = 1; r < dim; ++r)
  {
    const bool low  = inside[r][0] <= around[r][0] + 0.75 * size;
    const bool high = inside[r][1] >= around[r][1] - 0.75 * size;
    if (low && high)
      continue;
    // At an end of the surface, a plane of symmetry, half of a zone is seen.
    const double extent =
        dim == 2 ? closed.size() - 1. : (inside[r][1] - inside[r][0]) / size;
    const double here = 1. + (low || high ? 2. : 1.) * extent;
    across            = across == 0. ? here : std::min(across, here);
  }
  if (across == 0. || across >= zone.enough)
    return zone;
  zone.across   = across;
  zone.n_closed = closed.size();
  zone.n_around = n_around;
  zone.place    = surfaces.position(surfaces.points[closed[closed.size() / 2]],
                                 surfaces.reference);
  return zone;
}

#define INSTANTIATE(dim)                                                       \
  template bool are_parallel<dim>(const std::vector<Tensor<1, dim>> &);        \
  template ContactZone<dim> measure_zone<dim>(const ContactSurfaces<dim> &,    \
                                              const Interaction &,             \
                                              std::vector<unsigned int>)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
