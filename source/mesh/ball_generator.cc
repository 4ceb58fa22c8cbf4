#include <delassus/base/exceptions.h>
#include <delassus/mesh/ball_generator.h>
#include <delassus/mesh/cell_topology.h>

#include <deal.II/base/numbers.h>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>

namespace delassus
{
namespace
{
using dealii::Point;
using dealii::Tensor;

/// The ball as the image of a cube with blocks on its sides. Coordinates C: the
/// cube is [-1, 1]^dim, the block on the upper side of axis d is 1 <= C_d <= 2
/// with the others in [-1, 1], and so on. Blocks meet along the diagonals.
template <int dim>
Point<dim> ball_position(const Point<dim> &C)
{
  unsigned int side = dim;
  Point<dim> c      = C; // on the cube
  for (unsigned int d = 0; d < dim; ++d)
    if (std::abs(C[d]) > 1.)
    {
      side = d;
      c[d] = C[d] > 0. ? 1. : -1.;
    }
  // The cube, its sides bulging.
  constexpr double half_width = dim == 2 ? 0.5 : 0.45;
  constexpr double bulge      = dim == 2 ? 0.2 : 0.15;
  Point<dim> inner;
  for (unsigned int d = 0; d < dim; ++d)
  {
    double factor = 1.;
    for (unsigned int e = 0; e < dim; ++e)
      if (e != d)
        factor += bulge * (1. - c[e] * c[e]);
    inner[d] = half_width * c[d] * factor;
  }
  if (side == dim)
    return inner;
  // Equal angles on the sphere.
  Tensor<1, dim> direction;
  for (unsigned int d = 0; d < dim; ++d)
    direction[d] = std::tan(0.25 * dealii::numbers::PI * c[d]);
  direction /= direction.norm();
  const double outwards = std::abs(C[side]) - 1.;
  Point<dim> x;
  for (unsigned int d = 0; d < dim; ++d)
    x[d] = (1. - outwards) * inner[d] + outwards * direction[d];
  return x;
}
} // namespace

template <int dim>
MeshData<dim> make_ball(const MeshParameters &parameters,
                        const std::string &where)
{
  const double radius = parameters.scale * parameters.radius;
  if (!(radius > 0.) || !std::isfinite(radius))
    throw InputError(fmt::format(
        "{}: the radius is {}; it must be positive.", where, radius));
  const int n = parameters.ball_divisions;
  if (n < 1)
    throw InputError(where + ": the divisions of the ball must be 1 or more.");

  // The part of the cube along each axis.
  std::array<int, dim> low, high;
  low.fill(-1);
  high.fill(1);
  if (parameters.type != MeshType::ball)
    high[dim - 1] = 0;
  if (parameters.type == MeshType::ball_sector)
    for (unsigned int d = 0; d + 1 < dim; ++d)
      low[d] = 0;

  MeshData<dim> mesh;
  mesh.reference_cell = dealii::ReferenceCells::get_hypercube<dim>();
  mesh.n_pieces       = 1;
  mesh.source         = "generated ball";
  Point<dim> centre;
  for (unsigned int d = 0; d < dim && !parameters.origin.empty(); ++d)
    centre[d] = parameters.origin[d];
  const auto place = [centre, radius](const Point<dim> &C)
  { return centre + radius * Tensor<1, dim>(ball_position(C)); };

  // A vertex: a point of the cube's lattice, and steps from there outwards.
  using Key = std::array<int, dim + 1>;
  std::map<Key, unsigned int> index;
  std::vector<Key> keys;
  std::vector<std::array<int, dim>> first; // lattice point of each cell
  const auto add_cells =
      [&](const std::array<int, dim> &begin, const std::array<int, dim> &end)
  {
    std::array<int, dim> at = begin;
    while (at[dim - 1] < end[dim - 1])
    {
      dealii::CellData<dim> cell(1u << dim);
      cell.material_id = 0;
      for (unsigned int v = 0; v < (1u << dim); ++v)
      {
        Key key;
        Point<dim> C;
        key[dim] = 0;
        for (unsigned int d = 0; d < dim; ++d)
        {
          key[d] = at[d] + int((v >> d) & 1u);
          C[d]   = double(key[d]) / n;
          if (std::abs(key[d]) > n)
          {
            key[dim] = std::abs(key[d]) - n;
            key[d]   = key[d] > 0 ? n : -n;
          }
        }
        const auto inserted = index.insert({ key, keys.size() });
        if (inserted.second)
        {
          keys.push_back(key);
          mesh.vertices.push_back(place(C));
        }
        cell.vertices[v] = inserted.first->second;
      }
      mesh.cells.push_back(cell);
      first.push_back(at);
      for (unsigned int d = 0; d < dim; ++d)
      {
        if (++at[d] < end[d] || d == dim - 1)
          break;
        at[d] = begin[d];
      }
    }
  };
  std::array<int, dim> begin, end;
  for (unsigned int d = 0; d < dim; ++d)
  {
    begin[d] = n * low[d];
    end[d]   = n * high[d];
  }
  add_cells(begin, end);
  for (unsigned int d = 0; d < dim; ++d)
  {
    auto from = begin, to = end;
    from[d] = -2 * n;
    to[d]   = -n;
    if (low[d] == -1)
      add_cells(from, to);
    from[d] = n;
    to[d]   = 2 * n;
    if (high[d] == 1)
      add_cells(from, to);
  }
  mesh.shape = [place, first, n](const unsigned int c, const Point<dim> &s)
  {
    Point<dim> C;
    for (unsigned int d = 0; d < dim; ++d)
      C[d] = (first[c][d] + s[d]) / n;
    return place(C);
  };

  mesh.surfaces = { { "sphere", {} } };
  if (parameters.type != MeshType::ball)
    mesh.surfaces.push_back({ "flat", {} });
  if (parameters.type == MeshType::ball_sector)
  {
    mesh.surfaces.push_back({ "left", {} });
    if (dim == 3)
      mesh.surfaces.push_back({ "front", {} });
  }
  for (const auto &face : boundary_faces(mesh))
  {
    std::array<bool, dim + 1> on;
    on.fill(true);
    for (const unsigned int v : face.vertices)
    {
      for (unsigned int d = 0; d < dim; ++d)
        on[d] = on[d] && keys[v][d] == 0;
      on[dim] = on[dim] && keys[v][dim] == n;
    }
    // Planes through the centre: the last axis is "flat", the others follow.
    unsigned int surface = 0;
    if (!on[dim])
    {
      surface = 1;
      for (unsigned int d = 0; d + 1 < dim; ++d)
        if (on[d] && low[d] == 0)
          surface = 2 + d;
    }
    mesh.surfaces[surface].faces.push_back(face.vertices);
  }
  return mesh;
}

template MeshData<2> make_ball<2>(const MeshParameters &, const std::string &);
template MeshData<3> make_ball<3>(const MeshParameters &, const std::string &);
} // namespace delassus
