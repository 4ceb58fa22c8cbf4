#include <delassus/mesh/cell_topology.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
using dealii::Point;
using dealii::ReferenceCell;
using dealii::Tensor;
namespace ReferenceCells = dealii::ReferenceCells;

/// For each vertex of a cell, the vertices at the other end of its edges along
/// the (local) axes, ordered so that the determinant of the edge vectors is
/// positive for a valid cell.
template <int dim>
std::vector<std::array<unsigned int, dim>> corner_edges()
{
  std::vector<std::array<unsigned int, dim>> edges;
  for (unsigned int v = 0; v < (1u << dim); ++v)
  {
    std::array<unsigned int, dim> ends;
    unsigned int n_reversed = 0;
    for (unsigned int d = 0; d < dim; ++d)
    {
      ends[d] = v ^ (1u << d);
      n_reversed += (v >> d) & 1u;
    }
    // Each edge that runs against its axis changes the sign.
    if (n_reversed % 2 == 1)
      std::swap(ends[0], ends[1]);
    edges.push_back(ends);
  }
  return edges;
}

template <int dim>
double determinant_at(const std::vector<Point<dim>> &vertices,
                      const std::vector<unsigned int> &cell,
                      const unsigned int corner,
                      const std::array<unsigned int, dim> &ends)
{
  Tensor<2, dim> edges;
  for (unsigned int d = 0; d < dim; ++d)
    edges[d] = vertices[cell[ends[d]]] - vertices[cell[corner]];
  return dealii::determinant(edges);
}

} // namespace

const std::vector<std::vector<unsigned int>> &
outward_faces(const ReferenceCell &reference_cell)
{
  using Faces                      = std::vector<std::vector<unsigned int>>;
  static const Faces triangle      = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
  static const Faces quadrilateral = { { 2, 0 }, { 1, 3 }, { 0, 1 }, { 3, 2 } };
  static const Faces tetrahedron   = {
      { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 }
  };
  static const Faces hexahedron = { { 0, 4, 2, 6 }, { 1, 3, 5, 7 },
                                    { 0, 1, 4, 5 }, { 2, 6, 3, 7 },
                                    { 0, 2, 1, 3 }, { 4, 5, 6, 7 } };
  if (reference_cell == ReferenceCells::Triangle)
    return triangle;
  if (reference_cell == ReferenceCells::Quadrilateral)
    return quadrilateral;
  if (reference_cell == ReferenceCells::Tetrahedron)
    return tetrahedron;
  AssertThrow(reference_cell == ReferenceCells::Hexahedron,
              dealii::ExcNotImplemented());
  return hexahedron;
}

std::string cell_kind_name(const ReferenceCell &reference_cell)
{
  if (reference_cell == ReferenceCells::Triangle)
    return "T3";
  if (reference_cell == ReferenceCells::Quadrilateral)
    return "Q4";
  if (reference_cell == ReferenceCells::Tetrahedron)
    return "Tet4";
  if (reference_cell == ReferenceCells::Hexahedron)
    return "H8";
  return reference_cell.to_string();
}

template <int dim>
double smallest_jacobian(const std::vector<Point<dim>> &vertices,
                         const std::vector<unsigned int> &cell,
                         const ReferenceCell &reference_cell)
{
  if (reference_cell.is_simplex())
  {
    std::array<unsigned int, dim> ends;
    for (unsigned int d = 0; d < dim; ++d)
      ends[d] = d + 1;
    return determinant_at<dim>(vertices, cell, 0, ends);
  }
  static const auto edges = corner_edges<dim>();
  double smallest         = std::numeric_limits<double>::max();
  for (unsigned int v = 0; v < edges.size(); ++v)
    smallest =
        std::min(smallest, determinant_at<dim>(vertices, cell, v, edges[v]));
  return smallest;
}

template <int dim>
double cell_measure(const std::vector<Point<dim>> &vertices,
                    const std::vector<unsigned int> &cell,
                    const ReferenceCell &reference_cell)
{
  if (reference_cell.is_simplex())
    return smallest_jacobian(vertices, cell, reference_cell) /
           (dim == 2 ? 2. : 6.);
  // Divergence theorem with x/dim: exact for straight edges in 2D; in 3D the
  // flux of x through a bilinear face is exact with 2 x 2 Gauss points.
  const Point<dim> centre = mean_point(vertices, cell);
  double measure          = 0.;
  for (const auto &face : outward_faces(reference_cell))
  {
    if constexpr (dim == 2)
    {
      const Tensor<1, 2> a = vertices[cell[face[0]]] - centre;
      const Tensor<1, 2> b = vertices[cell[face[1]]] - centre;
      measure += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    else
    {
      std::array<Tensor<1, 3>, 4> x;
      for (unsigned int v = 0; v < 4; ++v)
        x[v] = vertices[cell[face[v]]] - centre;
      for (const double s :
           { 0.5 - 0.5 / std::sqrt(3.), 0.5 + 0.5 / std::sqrt(3.) })
        for (const double t :
             { 0.5 - 0.5 / std::sqrt(3.), 0.5 + 0.5 / std::sqrt(3.) })
        {
          const Tensor<1, 3> position = (1 - s) * (1 - t) * x[0] +
                                        s * (1 - t) * x[1] +
                                        (1 - s) * t * x[2] + s * t * x[3];
          const Tensor<1, 3> x_s = (1 - t) * (x[1] - x[0]) + t * (x[3] - x[2]);
          const Tensor<1, 3> x_t = (1 - s) * (x[2] - x[0]) + s * (x[3] - x[1]);
          measure +=
              0.25 / 3. * (position * dealii::cross_product_3d(x_s, x_t));
        }
    }
  }
  return measure;
}

template <int dim>
Tensor<1, dim> face_area_vector(const std::vector<Point<dim>> &vertices,
                                const std::vector<unsigned int> &face)
{
  Tensor<1, dim> area;
  if constexpr (dim == 2)
  {
    const Tensor<1, 2> t = vertices[face[1]] - vertices[face[0]];
    area[0]              = t[1];
    area[1]              = -t[0];
  }
  else if (face.size() == 3)
    area = 0.5 * dealii::cross_product_3d(
                     Tensor<1, 3>(vertices[face[1]] - vertices[face[0]]),
                     Tensor<1, 3>(vertices[face[2]] - vertices[face[0]]));
  else
    // Diagonals of 0, 1, 3, 2 (the cyclic order).
    area = 0.5 * dealii::cross_product_3d(
                     Tensor<1, 3>(vertices[face[3]] - vertices[face[0]]),
                     Tensor<1, 3>(vertices[face[2]] - vertices[face[1]]));
  return area;
}

template <int dim>
Point<dim> mean_point(const std::vector<Point<dim>> &vertices,
                      const std::vector<unsigned int> &indices)
{
  Point<dim> mean;
  for (const unsigned int v : indices)
    mean += Tensor<1, dim>(vertices[v]) / double(indices.size());
  return mean;
}

FaceKey face_key(const std::vector<unsigned int> &face)
{
  FaceKey key;
  key.fill(std::numeric_limits<unsigned int>::max());
  std::copy(face.begin(), face.end(), key.begin());
  std::sort(key.begin(), key.end());
  return key;
}

std::size_t FaceKeyHash::operator()(const FaceKey &key) const
{
  std::size_t hash = 0;
  for (const unsigned int v : key)
    hash = (hash ^ v) * std::size_t(0x9E3779B97F4A7C15ull) + (hash >> 29);
  return hash;
}

template <int dim>
std::unordered_map<FaceKey, unsigned int, FaceKeyHash>
count_cells_of_faces(const MeshData<dim> &mesh)
{
  const auto &local_faces = outward_faces(mesh.reference_cell);
  std::unordered_map<FaceKey, unsigned int, FaceKeyHash> n_cells;
  n_cells.reserve(mesh.cells.size() * local_faces.size());
  std::vector<unsigned int> face;
  for (const auto &cell : mesh.cells)
    for (const auto &local_face : local_faces)
    {
      face.clear();
      for (const unsigned int v : local_face)
        face.push_back(cell.vertices[v]);
      ++n_cells[face_key(face)];
    }
  return n_cells;
}

template <int dim>
std::vector<BoundaryFace> boundary_faces(const MeshData<dim> &mesh)
{
  const auto &local_faces = outward_faces(mesh.reference_cell);
  const auto n_cells      = count_cells_of_faces(mesh);

  std::vector<BoundaryFace> boundary;
  std::vector<unsigned int> face;
  for (unsigned int c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int f = 0; f < local_faces.size(); ++f)
    {
      face.clear();
      for (const unsigned int v : local_faces[f])
        face.push_back(mesh.cells[c].vertices[v]);
      if (n_cells.at(face_key(face)) == 1)
        boundary.push_back({ c, f, face });
    }
  return boundary;
}

template double smallest_jacobian<2>(const std::vector<Point<2>> &,
                                     const std::vector<unsigned int> &,
                                     const ReferenceCell &);
template double smallest_jacobian<3>(const std::vector<Point<3>> &,
                                     const std::vector<unsigned int> &,
                                     const ReferenceCell &);
template double cell_measure<2>(const std::vector<Point<2>> &,
                                const std::vector<unsigned int> &,
                                const ReferenceCell &);
template double cell_measure<3>(const std::vector<Point<3>> &,
                                const std::vector<unsigned int> &,
                                const ReferenceCell &);
template Tensor<1, 2> face_area_vector<2>(const std::vector<Point<2>> &,
                                          const std::vector<unsigned int> &);
template Tensor<1, 3> face_area_vector<3>(const std::vector<Point<3>> &,
                                          const std::vector<unsigned int> &);
template Point<2> mean_point<2>(const std::vector<Point<2>> &,
                                const std::vector<unsigned int> &);
template Point<3> mean_point<3>(const std::vector<Point<3>> &,
                                const std::vector<unsigned int> &);
template std::unordered_map<FaceKey, unsigned int, FaceKeyHash>
count_cells_of_faces<2>(const MeshData<2> &);
template std::unordered_map<FaceKey, unsigned int, FaceKeyHash>
count_cells_of_faces<3>(const MeshData<3> &);
template std::vector<BoundaryFace> boundary_faces<2>(const MeshData<2> &);
template std::vector<BoundaryFace> boundary_faces<3>(const MeshData<3> &);
} // namespace delassus
