#pragma once

#include "detection/blocks.h"

#include <cmath>

/// One piece that folds: sheets, wedges, notches, and how they are deformed.
namespace small
{
constexpr double pi = 3.14159265358979323846;

inline const std::array<CandidatePoints, 3> kinds = {
  { CandidatePoints::nodes, CandidatePoints::midpoints, CandidatePoints::gauss }
};

/// Call f for 2D and 3D, boxes and simplices.
template <typename Function>
void for_all_cells(Function &&f)
{
  for (const bool simplices : { false, true })
  {
    f(std::integral_constant<int, 2>(), simplices);
    f(std::integral_constant<int, 3>(), simplices);
  }
}

/// One surface against another of one piece, points at faces of a degree.
template <int dim>
Scene<dim> one_piece(const MeshData<dim> &mesh,
                     const CandidatePoints kind,
                     const double search_distance,
                     const unsigned int degree = 1)
{
  return Scene<dim>(mesh,
                    "*",
                    "*",
                    kind,
                    search_distance,
                    ContactFormulation::points,
                    ContactNormals::face,
                    degree);
}

/// A straight sheet along x of length 1, thickness @p t (last axis, y in 2D, z
/// in 3D) and width 0.2, in one layer of cells; then mapped.
template <int dim>
MeshData<dim> sheet(const unsigned int n,
                    const double t,
                    const bool simplices,
                    const unsigned int layers = 1)
{
  Grid<dim> grid;
  grid.simplices = simplices;
  grid.n.fill(2);
  grid.n[0]       = n;
  grid.n[dim - 1] = layers;
  grid.map        = [=](const dealii::Point<dim> &p)
  {
    dealii::Point<dim> x = p;
    if (dim == 3)
      x[1] *= 0.2;
    x[dim - 1] *= t;
    return x;
  };
  return make_grid(grid);
}

/// Move all nodes: to where a function of the reference position says.
template <int dim, typename Map>
void deform(Scene<dim> &scene, const Map &map)
{
  for (unsigned int n = 0; n < scene.surfaces->nodes.size(); ++n)
  {
    dealii::Point<dim> X;
    for (unsigned int c = 0; c < dim; ++c)
      X[c] = scene.surfaces->reference[dim * n + c];
    const dealii::Point<dim> x = map(X);
    for (unsigned int c = 0; c < dim; ++c)
      scene.x[dim * n + c] = x[c];
  }
}

/// Deformations of the plane of the first and the last axis.
template <int dim, typename Map>
void bend(Scene<dim> &scene, const Map &map)
{
  deform(scene,
         [&](const dealii::Point<dim> &X)
         {
           const dealii::Point<2> p = map(X[0], X[dim - 1]);
           dealii::Point<dim> x     = X;
           x[0]                     = p[0];
           x[dim - 1]               = p[1];
           return x;
         });
}

/// A hairpin: flat for s < a, an arc of radius r (of the lower side z = 0, the
/// inner one) and angle phi, then straight.
inline dealii::Point<2> hairpin(const double s,
                                const double z,
                                const double a,
                                const double r,
                                const double phi)
{
  // Centre of the arc below the start: the sheet folds towards its lower side.
  const double length = r * phi;
  if (s < a)
    return { s, z };
  const double angle = std::min((s - a) / r, phi);
  const double rest  = std::max(0., s - a - length);
  return { a + (r + z) * std::sin(angle) + rest * std::cos(angle),
           -r + (r + z) * std::cos(angle) - rest * std::sin(angle) };
}

/// The reference position of a contact's candidate or antagonist point.
template <int dim>
dealii::Point<dim> reference_place(const Scene<dim> &scene,
                                   const Contact<dim> &contact,
                                   const bool candidate)
{
  dealii::Point<dim> p;
  for (unsigned int i = candidate ? 0 : contact.n_candidate_entries;
       i < (candidate ? contact.n_candidate_entries : contact.n_entries);
       ++i)
    for (unsigned int c = 0; c < dim; ++c)
      p[c] += (candidate ? 1. : -1.) * contact.weights[i] *
              scene.surfaces->reference[dim * contact.nodes[i] + c];
  return p;
}

/// Triangles around a tip at the origin, angles from @p low to @p high, which
/// two straight sides leave: a knife (less than half a turn) or a notch.
inline MeshData<2> fan(const double low,
                       const double high,
                       const unsigned int sectors,
                       const unsigned int rings)
{
  MeshData<2> mesh;
  mesh.source         = "test";
  mesh.n_pieces       = 1;
  mesh.reference_cell = dealii::ReferenceCells::Triangle;
  mesh.vertices.push_back(dealii::Point<2>());
  for (unsigned int r = 1; r <= rings; ++r)
    for (unsigned int s = 0; s <= sectors; ++s)
    {
      const double angle = low + (high - low) * s / sectors;
      mesh.vertices.push_back(
          dealii::Point<2>(r * std::cos(angle), r * std::sin(angle)));
    }
  const auto index = [&](const unsigned int r, const unsigned int s)
  { return r == 0 ? 0 : 1 + (r - 1) * (sectors + 1) + s; };
  const auto add = [&](const std::vector<unsigned int> &vertices)
  {
    dealii::CellData<2> cell(3);
    cell.vertices    = vertices;
    cell.material_id = 0;
    mesh.cells.push_back(cell);
  };
  for (unsigned int r = 0; r < rings; ++r)
    for (unsigned int s = 0; s < sectors; ++s)
    {
      add({ index(r, s), index(r + 1, s), index(r + 1, s + 1) });
      if (r > 0)
        add({ index(r, s), index(r + 1, s + 1), index(r, s + 1) });
    }
  mesh.surfaces.push_back({ "lower", {} });
  mesh.surfaces.push_back({ "upper", {} });
  for (unsigned int r = 0; r < rings; ++r)
  {
    mesh.surfaces[0].faces.push_back({ index(r, 0), index(r + 1, 0) });
    mesh.surfaces[1].faces.push_back(
        { index(r, sectors), index(r + 1, sectors) });
  }
  return mesh;
}
} // namespace small
