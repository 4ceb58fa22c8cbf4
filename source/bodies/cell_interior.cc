#include <delassus/bodies/cell_interior.h>

namespace delassus
{
using namespace dealii;

template <int dim>
CellInterior<dim>::CellInterior(const SolidBody<dim> &body,
                                const std::set<unsigned int> &wanted)
    : body(body)
{
  for (const auto &face : body.boundary)
    if (face.cell != no_node && wanted.count(face.piece) > 0)
      boundary.insert(std::size_t(face.cell) * body.element.faces().size() +
                      face.face);
  std::vector<Entry> boxes;
  std::vector<Point<dim>> corners(body.element.n_corners());
  for (unsigned int cell = 0; cell < body.n_cells(); ++cell)
  {
    if (wanted.count(body.cell_piece[cell]) == 0)
      continue;
    for (unsigned int v = 0; v < corners.size(); ++v)
      corners[v] = body.nodes[body.nodes_of_cell(cell)[v]];
    boxes.emplace_back(BoundingBox<dim>(corners), cell);
  }
  cells = pack_rtree(boxes);
}

template <int dim>
double CellInterior<dim>::depth_in_cell(const unsigned int cell,
                                        const Point<dim> &p) const
{
  const unsigned int *nodes = body.nodes_of_cell(cell);
  double diameter           = 0.;
  for (unsigned int a = 0; a < body.element.n_corners(); ++a)
    for (unsigned int b = 0; b < a; ++b)
      diameter = std::max(diameter,
                          body.nodes[nodes[a]].distance(body.nodes[nodes[b]]));
  double depth            = diameter;
  const Point<dim> centre = body.centre_of_cell(cell);
  const auto &faces       = body.element.faces();
  for (unsigned int f = 0; f < faces.size(); ++f)
  {
    const Point<dim> &x = body.nodes[nodes[faces[f][0]]];
    const auto edge     = [&](const unsigned int v)
    { return body.nodes[nodes[faces[f][v]]] - x; };
    Tensor<1, dim> normal;
    if constexpr (dim == 2)
    {
      normal[0] = edge(1)[1];
      normal[1] = -edge(1)[0];
    }
    else
      normal = cross_product_3d(edge(1),
                                edge(n_face_corners<dim>(faces[f].size()) - 1));
    normal /= normal.norm();
    if (normal * (x - centre) < 0.)
      normal *= -1.;
    const double distance = normal * (x - p);
    if (distance < -1e-9 * diameter)
      return -1.;
    if (boundary.count(std::size_t(cell) * faces.size() + f) > 0)
      depth = std::min(depth, distance);
  }
  return depth;
}

template <int dim>
void CellInterior<dim>::find(
    const Point<dim> &p,
    const std::function<void(const unsigned int piece, const double depth)>
        &found) const
{
  std::vector<Entry> near;
  cells.query(boost::geometry::index::intersects(p), std::back_inserter(near));
  for (const auto &entry : near)
  {
    const double depth = depth_in_cell(entry.second, p);
    if (depth >= 0.)
      found(body.cell_piece[entry.second], depth);
  }
}

template class CellInterior<2>;
template class CellInterior<3>;
} // namespace delassus
