#include <delassus/contact/detection/detector.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/numerics/rtree.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
RigidPlane<dim>::RigidPlane(const ObstacleParameters &parameters)
    : name(parameters.name)
    , motion(parameters.displacement)
{
  for (unsigned int c = 0; c < dim; ++c)
  {
    point[c]  = parameters.point[c];
    normal[c] = parameters.normal[c];
  }
  normal /= normal.norm();
}

template <int dim>
Tensor<1, dim> RigidPlane<dim>::displacement(const double t) const
{
  Tensor<1, dim> d;
  if (!motion.is_zero())
    for (unsigned int c = 0; c < dim; ++c)
      d[c] = motion.value(dealii::Point<dim>(), t, c);
  return d;
}

template <int dim>
Detector<dim>::Detector(const ContactSurfaces<dim> &surfaces,
                        const std::vector<Interaction> &interactions,
                        const std::vector<RigidPlane<dim>> &planes)
    : surfaces(surfaces)
    , interactions(interactions)
    , planes(planes)
{
}

namespace
{
/// A candidate and its antagonist must face each other: the cosine between
/// their outward normals is below this. It keeps a point from seeing the side
/// walls of a joint it lies in.
constexpr double facing = -0.2;

/// How far beyond the edge of a face (in its own coordinates) a projection
/// still counts: nodes that lie on a common edge must not flicker.
constexpr double overhang = 0.01;

/// Coordinates of the point of a face closest to p, as weights of its nodes;
/// returns how far outside the face the projection was, in face coordinates.
template <int dim>
double project(const std::array<Point<dim>, 4> &X,
               const unsigned int n,
               const Point<dim> &p,
               std::array<double, 4> &weights)
{
  const auto clamp = [](const double value)
  { return std::min(1., std::max(0., value)); };
  if (n == 2)
  {
    const Tensor<1, dim> t = X[1] - X[0];
    const double xi        = ((p - X[0]) * t) / (t * t);
    const double in        = clamp(xi);
    weights                = { { 1. - in, in, 0., 0. } };
    return std::abs(xi - in);
  }
  if (n == 3)
  {
    const Tensor<1, dim> a = X[1] - X[0], b = X[2] - X[0], d = p - X[0];
    const double aa = a * a, ab = a * b, bb = b * b, ad = a * d, bd = b * d;
    const double det = aa * bb - ab * ab;
    double s = (bb * ad - ab * bd) / det, r = (aa * bd - ab * ad) / det;
    double outside   = std::max({ 0., -s, -r, s + r - 1. });
    s                = std::max(0., s);
    r                = std::max(0., r);
    const double sum = std::max(1., s + r);
    s /= sum;
    r /= sum;
    weights = { { 1. - s - r, s, r, 0. } };
    return outside;
  }
  // Bilinear quadrilateral: Gauss-Newton on |p - X(xi, eta)|^2, exact after one
  // step for a parallelogram.
  double xi = 0.5, eta = 0.5;
  for (unsigned int k = 0; k < 10; ++k)
  {
    Tensor<1, dim> r = p - Point<dim>(), a, b;
    r -= (1. - xi) * (1. - eta) * X[0] + xi * (1. - eta) * X[1] +
         xi * eta * X[2] + (1. - xi) * eta * X[3];
    a               = (1. - eta) * (X[1] - X[0]) + eta * (X[2] - X[3]);
    b               = (1. - xi) * (X[3] - X[0]) + xi * (X[2] - X[1]);
    const double aa = a * a, ab = a * b, bb = b * b, ar = a * r, br = b * r;
    const double det  = aa * bb - ab * ab;
    const double dxi  = (bb * ar - ab * br) / det;
    const double deta = (aa * br - ab * ar) / det;
    xi += dxi;
    eta += deta;
    if (std::abs(dxi) + std::abs(deta) < 1e-13)
      break;
    // Far away the map may fold over: such a point is outside anyway.
    if (std::abs(xi) > 3. || std::abs(eta) > 3.)
      break;
  }
  const double x = clamp(xi), y = clamp(eta);
  weights = { { (1. - x) * (1. - y), x * (1. - y), x * y, (1. - x) * y } };
  return std::max(std::abs(xi - x), std::abs(eta - y));
}
} // namespace

template <int dim>
void Detector<dim>::try_face(const typename ContactSurfaces<dim>::Point &point,
                             const Point<dim> &position,
                             const Tensor<1, dim> &normal,
                             const unsigned int f,
                             const Tensor<1, dim> &N,
                             const double alert,
                             const std::vector<double> &x,
                             Best &best) const
{
  const auto &face = surfaces.faces[f];
  if (face.piece == point.piece)
    return;
  if (N * normal > facing)
    return;
  std::array<Point<dim>, 4> X;
  for (unsigned int v = 0; v < face.n_nodes; ++v)
    for (unsigned int c = 0; c < dim; ++c)
      X[v][c] = x[dim * face.nodes[v] + c];
  std::array<double, 4> weights;
  const double outside = project<dim>(X, face.n_nodes, position, weights);
  if (outside > overhang)
    return;
  Tensor<1, dim> d = position - Point<dim>();
  for (unsigned int v = 0; v < face.n_nodes; ++v)
    d -= weights[v] * X[v];
  const double gap = N * d;
  if (std::abs(gap) > alert)
    return;
  // Through its own piece a point sees the far side of the piece behind it, as
  // if it had sunk in by both thicknesses. A true penetration stays within the
  // cells that touch.
  if (-gap > std::max(point.depth, face.depth))
    return;
  // The nearest face; where several are as near (a joint of faces), the one
  // the point is inside of, then the one with the smallest number.
  const double score = std::abs(gap) + outside * face.size;
  const double equal = 1e-9 * face.size;
  if (score < best.score - equal ||
      (score < best.score + equal && f < best.face))
    best = { score, f, weights };
}

template <int dim>
void Detector<dim>::add_face_contact(const unsigned int interaction,
                                     const unsigned int p,
                                     const Best &best,
                                     const std::vector<double> &x,
                                     std::vector<Contact<dim>> &contacts) const
{
  const auto &point = surfaces.points[p];
  const auto &face  = surfaces.faces[best.face];
  Contact<dim> contact;
  contact.interaction         = interaction;
  contact.point               = p;
  contact.obstacle            = -1;
  contact.face                = best.face;
  contact.n_candidate_entries = point.n_nodes;
  contact.area                = point.area;
  for (unsigned int i = 0; i < point.n_nodes; ++i)
    contact.add_entry(point.nodes[i], point.weights[i]);
  for (unsigned int i = 0; i < face.n_nodes; ++i)
    contact.add_entry(face.nodes[i], -best.weights[i]);
  contact.frame = make_frame<dim>(surfaces.face_normal(best.face, x));
  contacts.push_back(contact);
}

template <int dim>
void Detector<dim>::add_plane_contacts(
    const unsigned int interaction,
    const unsigned int p,
    const Point<dim> &position,
    const Tensor<1, dim> &normal,
    const double alert,
    const double t,
    std::vector<Contact<dim>> &contacts) const
{
  const auto &point = surfaces.points[p];
  for (const unsigned int o : interactions[interaction].obstacles)
  {
    const auto &plane = planes[o];
    const double gap =
        plane.normal * (position - plane.point - plane.displacement(t));
    // A body that has sunk in (a coarse start) must still be held: there is
    // no far side of a half-space.
    if (gap > alert || plane.normal * normal > facing)
      continue;
    Contact<dim> contact;
    contact.interaction         = interaction;
    contact.point               = p;
    contact.obstacle            = o;
    contact.face                = 0;
    contact.n_candidate_entries = point.n_nodes;
    contact.area                = point.area;
    for (unsigned int i = 0; i < point.n_nodes; ++i)
      contact.add_entry(point.nodes[i], point.weights[i]);
    contact.frame = make_frame<dim>(plane.normal);
    contacts.push_back(contact);
  }
}

template <int dim>
void Detector<dim>::detect(const std::vector<double> &x,
                           const double t,
                           const double reach,
                           std::vector<Contact<dim>> &contacts)
{
  contacts.clear();
  contacts.reserve(surfaces.points.size());
  face_normals.resize(surfaces.faces.size());
  std::vector<std::pair<BoundingBox<dim>, unsigned int>> boxes, found;
  for (unsigned int k = 0; k < interactions.size(); ++k)
  {
    const auto &interaction = interactions[k];
    boxes.clear();
    for (const unsigned int f : interaction.faces)
    {
      const auto &face = surfaces.faces[f];
      Point<dim> low, high;
      for (unsigned int c = 0; c < dim; ++c)
      {
        low[c]  = std::numeric_limits<double>::max();
        high[c] = std::numeric_limits<double>::lowest();
        for (unsigned int v = 0; v < face.n_nodes; ++v)
        {
          low[c]  = std::min(low[c], x[dim * face.nodes[v] + c]);
          high[c] = std::max(high[c], x[dim * face.nodes[v] + c]);
        }
        // What try_face() accepts lies this close to the box: at a corner
        // of a triangle two overhangs add up, and where the face has no
        // extent along an axis the rest is for rounding.
        const double margin =
            3. * overhang * (high[c] - low[c]) + 1e-9 * face.size;
        low[c] -= margin;
        high[c] += margin;
      }
      boxes.emplace_back(BoundingBox<dim>({ low, high }), f);
      face_normals[f] = surfaces.face_normal(f, x);
    }
    const auto tree = pack_rtree(boxes);
    for (unsigned int p = interaction.first_point; p < interaction.end_point;
         ++p)
    {
      const auto &point           = surfaces.points[p];
      const Point<dim> position   = surfaces.position(point, x);
      const Tensor<1, dim> normal = surfaces.point_normal(point, x);
      const double alert = interaction.search_distance * point.size + reach;
      if (!boxes.empty())
      {
        Point<dim> low = position, high = position;
        for (unsigned int c = 0; c < dim; ++c)
        {
          low[c] -= alert;
          high[c] += alert;
        }
        found.clear();
        tree.query(
            boost::geometry::index::intersects(BoundingBox<dim>({ low, high })),
            std::back_inserter(found));
        Best best{ std::numeric_limits<double>::max(),
                   std::numeric_limits<unsigned int>::max(),
                   {} };
        for (const auto &entry : found)
          try_face(point,
                   position,
                   normal,
                   entry.second,
                   face_normals[entry.second],
                   alert,
                   x,
                   best);
        if (best.face != std::numeric_limits<unsigned int>::max())
          add_face_contact(k, p, best, x, contacts);
      }
      add_plane_contacts(k, p, position, normal, alert, t, contacts);
    }
  }
}

template <int dim>
void Detector<dim>::detect_by_brute_force(
    const std::vector<double> &x,
    const double t,
    const double reach,
    std::vector<Contact<dim>> &contacts) const
{
  contacts.clear();
  for (unsigned int k = 0; k < interactions.size(); ++k)
    for (unsigned int p = interactions[k].first_point;
         p < interactions[k].end_point;
         ++p)
    {
      const auto &point           = surfaces.points[p];
      const Point<dim> position   = surfaces.position(point, x);
      const Tensor<1, dim> normal = surfaces.point_normal(point, x);
      const double alert = interactions[k].search_distance * point.size + reach;
      Best best{ std::numeric_limits<double>::max(),
                 std::numeric_limits<unsigned int>::max(),
                 {} };
      for (const unsigned int f : interactions[k].faces)
        try_face(point,
                 position,
                 normal,
                 f,
                 surfaces.face_normal(f, x),
                 alert,
                 x,
                 best);
      if (best.face != std::numeric_limits<unsigned int>::max())
        add_face_contact(k, p, best, x, contacts);
      add_plane_contacts(k, p, position, normal, alert, t, contacts);
    }
}

template class RigidPlane<2>;
template class RigidPlane<3>;
template class Detector<2>;
template class Detector<3>;
} // namespace delassus
