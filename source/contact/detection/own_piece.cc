#include <delassus/contact/detection/own_piece.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

namespace
{
/// How much of its length a way through the material may lose: more than cells
/// stand in a mesh that still is one.
constexpr double largest_stretch = 4.;

template <int dim>
bool have_common_node(const typename ContactSurfaces<dim>::Face &a,
                      const typename ContactSurfaces<dim>::Face &b)
{
  return std::find_first_of(a.nodes.begin(),
                            a.nodes.begin() + a.n_nodes,
                            b.nodes.begin(),
                            b.nodes.begin() + b.n_nodes) !=
         a.nodes.begin() + a.n_nodes;
}
} // namespace

template <int dim>
bool is_through_material(const ContactSurfaces<dim> &surfaces,
                         const OwnPlace<dim> &place,
                         const unsigned int f,
                         const Point<dim> &reference_foot,
                         const double distance)
{
  const Tensor<1, dim> way = place.reference - reference_foot;
  if (way.norm() > largest_stretch * distance)
    return false;
  const auto &face = surfaces.faces[f];
  bool wedge       = false;
  double depth     = face.depth;
  for (unsigned int i = 0; i < place.n_faces; ++i)
  {
    const auto &own = surfaces.faces[place.faces[i]];
    wedge           = wedge || have_common_node<dim>(own, face);
    depth           = std::min(depth, own.depth);
  }
  return -(surfaces.face_normal(f, surfaces.reference) * way) >
         (wedge ? 1e-9 * face.size : 0.5 * depth);
}

template <int dim>
Point<dim> reference_point(const ContactSurfaces<dim> &surfaces,
                           const unsigned int f,
                           const std::array<double, 9> &weights)
{
  const auto &face = surfaces.faces[f];
  Point<dim> p;
  for (unsigned int v = 0; v < face.n_nodes; ++v)
    for (unsigned int c = 0; c < dim; ++c)
      p[c] += weights[v] * surfaces.reference[dim * face.nodes[v] + c];
  return p;
}

template <int dim>
bool lies_on(const ContactSurfaces<dim> &surfaces,
             const typename ContactSurfaces<dim>::Point &point,
             const unsigned int f)
{
  const unsigned int *own = surfaces.point_faces.data() + point.first_face;
  if (std::find(own, own + point.n_faces, f) != own + point.n_faces)
    return true;
  const auto &face = surfaces.faces[f];
  const auto begin = face.nodes.begin(), end = begin + face.n_nodes;
  for (unsigned int i = 0; i < point.n_nodes; ++i)
    if (point.weights[i] != 0. && std::find(begin, end, point.nodes[i]) == end)
      return false;
  return true;
}

#define INSTANTIATE(dim)                                                       \
  template bool is_through_material(const ContactSurfaces<dim> &,              \
                                    const OwnPlace<dim> &,                     \
                                    const unsigned int,                        \
                                    const Point<dim> &,                        \
                                    const double);                             \
  template Point<dim> reference_point(const ContactSurfaces<dim> &,            \
                                      const unsigned int,                      \
                                      const std::array<double, 9> &);          \
  template bool lies_on(const ContactSurfaces<dim> &,                          \
                        const ContactSurfaces<dim>::Point &,                   \
                        const unsigned int)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
