#include <delassus/rigid_bodies/rigid_skin.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// The points of a picture, those at the same place once, and for each point
/// the number of the one that stands for it.
template <int dim>
std::vector<unsigned int> merge_points(const ShapePicture<dim> &picture,
                                       const double size)
{
  std::map<std::array<long long, dim>, unsigned int> seen;
  std::vector<unsigned int> result;
  for (unsigned int i = 0; i < picture.points.size(); ++i)
  {
    std::array<long long, dim> place;
    for (unsigned int c = 0; c < dim; ++c)
      place[c] = std::llround((picture.points[i][c] - picture.points[0][c]) /
                              (1e-7 * size));
    result.push_back(seen.insert({ place, i }).first->second);
  }
  return result;
}

/// The normal of a face by its corners, as of SkinFace, not of length one.
template <int dim>
Tensor<1, dim> corner_normal(const std::vector<Point<dim>> &x)
{
  if constexpr (dim == 2)
    return Tensor<1, 2>({ x[1][1] - x[0][1], -(x[1][0] - x[0][0]) });
  else
    return x.size() == 3 ? cross_product_3d(x[1] - x[0], x[2] - x[0])
                         : cross_product_3d(x[2] - x[0], x[3] - x[1]);
}
} // namespace

template <int dim>
RigidSkin<dim>::RigidSkin(std::vector<unsigned int> rank_of_body)
    : ranks(std::move(rank_of_body))
{
}

template <int dim>
void RigidSkin<dim>::add(const Body &body,
                         const Shape<dim> &shape,
                         const double thickness,
                         const bool with_faces)
{
  const unsigned int piece = names.size();
  const auto start         = Body::Configuration::start;
  names.push_back(body.settings.name);
  number[names.back()] = piece;
  centres.push_back(body.position(start));
  references.push_back(body.carriers(start));
  lengths.push_back(body.length());
  faces_of.emplace_back();
  thicknesses.push_back(thickness);
  if (!with_faces)
    return;
  Point<dim> centre;
  double radius;
  if (shape.is_ball(centre, radius))
  {
    Ball ball;
    ball.piece  = piece;
    ball.radius = radius;
    ball.area =
        dim == 2 ? 2. * radius * thickness : numbers::PI * radius * radius;
    ball.masters.push_back({ n_of_body * piece, 1. });
    const Tensor<1, dim> X = centre - body.settings.reference;
    // Rounding of a computed centre is no eccentricity.
    for (unsigned int k = 0; k < dim; ++k)
      if (std::abs(X[k]) > 1e-12 * radius)
        ball.masters.push_back(
            { n_of_body * piece + 1 + k, X[k] / body.length() });
    all_balls.push_back(ball);
    return;
  }

  const auto picture = shape.picture(BoundingBox<dim>());
  Point<dim> low = picture.points[0], high = low;
  for (const auto &x : picture.points)
    for (unsigned int c = 0; c < dim; ++c)
    {
      low[c]  = std::min(low[c], x[c]);
      high[c] = std::max(high[c], x[c]);
    }
  const double size = low.distance(high);
  double depth      = size;
  for (unsigned int c = 0; c < dim; ++c)
    depth = std::min(depth, 0.5 * (high[c] - low[c]));
  const auto same = merge_points<dim>(picture, size);
  std::vector<unsigned int> vertex(picture.points.size(),
                                   numbers::invalid_unsigned_int);
  for (const auto &cell : picture.cells)
  {
    // Corners that fall together make a triangle of a quadrilateral.
    std::vector<unsigned int> corners;
    for (const unsigned int i : cell)
      if (std::find(corners.begin(), corners.end(), same[i]) == corners.end())
        corners.push_back(same[i]);
    if (corners.size() < dim)
      continue;
    std::vector<Point<dim>> x;
    Point<dim> middle;
    for (const unsigned int i : corners)
    {
      x.push_back(picture.points[i]);
      middle += Tensor<1, dim>(picture.points[i]) / double(corners.size());
    }
    const Tensor<1, dim> normal = corner_normal<dim>(x);
    const double extent =
        dim == 2 ? normal.norm() : std::sqrt(0.5 * normal.norm());
    if (!(extent > 1e-9 * size))
      continue;
    const Tensor<1, dim> out = 1e-3 * extent / normal.norm() * normal;
    if (shape.distance(middle + out) < shape.distance(middle - out))
      std::reverse(corners.begin(), corners.end());
    SkinFace face;
    face.nodes.fill(0);
    face.n_nodes = face.n_corners = corners.size();
    face.piece                    = piece;
    face.cell = face.face = 0;
    face.cell_measure     = depth * std::pow(extent, int(dim) - 1) /
                        (dim == 3 && corners.size() == 3 ? dim : 1.);
    for (unsigned int v = 0; v < corners.size(); ++v)
    {
      unsigned int &known = vertex[corners[v]];
      if (known == numbers::invalid_unsigned_int)
      {
        known = first_vertex() + vertices.size();
        vertices.push_back(
            { piece, picture.points[corners[v]] - body.settings.reference });
      }
      face.nodes[v] = known;
    }
    faces_of.back().push_back(faces.size());
    all_faces.push_back(faces.size());
    faces.push_back(face);
  }
}

template <int dim>
const std::vector<unsigned int> &
RigidSkin<dim>::surface(const std::string &surface_name,
                        const std::string &asked_by) const
{
  if (surface_name.empty() || surface_name == "*")
    return all_faces;
  const auto found = number.find(surface_name);
  if (found == number.end())
    throw InputError(fmt::format("{}: there is no rigid body '{}'.{}",
                                 asked_by,
                                 surface_name,
                                 suggest_name(surface_name, names)));
  return faces_of[found->second];
}

template <int dim>
std::vector<typename Skin<dim>::Ball>
RigidSkin<dim>::balls(const std::string &surface_name) const
{
  if (surface_name.empty() || surface_name == "*")
    return all_balls;
  std::vector<Ball> result;
  const auto found = number.find(surface_name);
  for (const auto &ball : all_balls)
    if (found != number.end() && ball.piece == found->second)
      result.push_back(ball);
  return result;
}

template <int dim>
typename Skin<dim>::Carrier RigidSkin<dim>::carrier(const unsigned int n) const
{
  Carrier result;
  result.piece   = piece_of(n);
  result.owner   = ranks[result.piece];
  result.depends = is_vertex(n);
  const auto &of = references[result.piece];
  if (!result.depends)
    result.reference = Point<dim>(of[n % n_of_body]);
  else
    for (const auto &master : masters(n))
      result.reference += master.weight * of[master.carrier % n_of_body];
  return result;
}

template <int dim>
std::vector<CarrierWeight> RigidSkin<dim>::masters(const unsigned int n) const
{
  if (!is_vertex(n))
    return { { n, 1. } };
  const unsigned int piece          = piece_of(n);
  std::vector<CarrierWeight> result = { { n_of_body * piece, 1. } };
  for (unsigned int k = 0; k < dim; ++k)
    result.push_back(
        { n_of_body * piece + 1 + k, coordinates(n)[k] / lengths[piece] });
  return result;
}

template <int dim>
typename Skin<dim>::Frame RigidSkin<dim>::frame(const unsigned int piece) const
{
  Frame frame;
  for (unsigned int k = 0; k < n_of_body; ++k)
    frame.carriers[k] = n_of_body * piece + k;
  frame.length = lengths[piece];
  return frame;
}

template class RigidSkin<2>;
template class RigidSkin<3>;
} // namespace delassus
