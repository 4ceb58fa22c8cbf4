#include <delassus/mesh/refine_mesh.h>
#include <delassus/mesh/cell_topology.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

namespace
{
template <int dim>
Point<dim> mean(const MeshData<dim> &mesh,
                const std::vector<unsigned int> &cell,
                const std::vector<unsigned int> &corners)
{
  Point<dim> x;
  for (const unsigned int v : corners)
    x += Tensor<1, dim>(mesh.vertices[cell[v]]) / double(corners.size());
  return x;
}

/// Numbers of all nodes of a cell of degree 2.
template <int dim>
std::vector<unsigned int> cell_nodes(const MeshData<dim> &mesh,
                                     const Element<dim> &element,
                                     const unsigned int c)
{
  std::vector<unsigned int> nodes = mesh.cells[c].vertices;
  const unsigned int n            = element.n_nodes() - element.n_corners();
  if (!mesh.mid_nodes.empty())
    nodes.insert(nodes.end(),
                 mesh.mid_nodes.begin() + std::size_t(n) * c,
                 mesh.mid_nodes.begin() + std::size_t(n) * (c + 1));
  return nodes;
}

/// The parts of a refined cell: the nodes of degree 2 of the whole that are
/// their corners.
template <int dim>
std::vector<std::vector<unsigned int>> children(const Element<dim> &element)
{
  // The node between corners a and b (a corner, if they are the same).
  const auto node = [&](const unsigned int a, const unsigned int b)
  {
    const std::vector<unsigned int> ends =
        a == b ? std::vector<unsigned int>{ a }
               : std::vector<unsigned int>{ std::min(a, b), std::max(a, b) };
    return static_cast<unsigned int>(
        std::find(element.parents().begin(), element.parents().end(), ends) -
        element.parents().begin());
  };
  std::vector<std::vector<unsigned int>> result;
  if (!element.is_simplex())
  {
    // The lattice 0, 1/2, 1 along each axis.
    const auto at = [&](const Point<dim> &s)
    {
      unsigned int k = 0;
      while (element.reference_nodes()[k].distance(s) > 0.25)
        ++k;
      return k;
    };
    for (unsigned int part = 0; part < (1u << dim); ++part)
    {
      result.emplace_back();
      for (unsigned int v = 0; v < (1u << dim); ++v)
      {
        Point<dim> s;
        for (unsigned int d = 0; d < dim; ++d)
          s[d] = 0.5 * (((part >> d) & 1u) + ((v >> d) & 1u));
        result.back().push_back(at(s));
      }
    }
    return result;
  }
  std::vector<std::vector<std::pair<unsigned int, unsigned int>>> parts;
  if (dim == 2)
    parts = { { { 0, 0 }, { 0, 1 }, { 0, 2 } },
              { { 0, 1 }, { 1, 1 }, { 1, 2 } },
              { { 0, 2 }, { 1, 2 }, { 2, 2 } },
              { { 0, 1 }, { 1, 2 }, { 0, 2 } } };
  else
    parts = { { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 } },
              { { 0, 1 }, { 1, 1 }, { 1, 2 }, { 1, 3 } },
              { { 0, 2 }, { 1, 2 }, { 2, 2 }, { 2, 3 } },
              { { 0, 3 }, { 1, 3 }, { 2, 3 }, { 3, 3 } },
              { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 3 } },
              { { 0, 1 }, { 0, 2 }, { 1, 2 }, { 1, 3 } },
              { { 0, 2 }, { 0, 3 }, { 1, 3 }, { 2, 3 } },
              { { 0, 2 }, { 1, 2 }, { 1, 3 }, { 2, 3 } } };
  for (const auto &part : parts)
  {
    result.emplace_back();
    for (const auto &ends : part)
      result.back().push_back(node(ends.first, ends.second));
    if (cell_measure(element.reference_nodes(),
                     result.back(),
                     element.reference_cell()) < 0.)
      std::swap(result.back()[dim - 1], result.back()[dim]);
  }
  return result;
}

/// Surfaces of the refined mesh: the parts of each face of @p old.
template <int dim>
std::vector<NamedSurface>
refine_surfaces(const MeshData<dim> &old,
                const Element<dim> &element,
                const std::vector<std::vector<unsigned int>> &parts,
                const std::vector<CellData<dim>> &new_cells)
{
  // [face of the whole]: (part, face of the part) that lie on it.
  const auto &local_faces = outward_faces(element.reference_cell());
  std::vector<std::vector<std::pair<unsigned int, unsigned int>>> on_face(
      local_faces.size());
  for (unsigned int f = 0; f < local_faces.size(); ++f)
  {
    const auto &nodes = element.faces()[f];
    for (unsigned int part = 0; part < parts.size(); ++part)
      for (unsigned int g = 0; g < local_faces.size(); ++g)
      {
        bool on_it = true;
        for (const unsigned int v : local_faces[g])
          on_it =
              on_it && std::find(nodes.begin(), nodes.end(), parts[part][v]) !=
                           nodes.end();
        if (on_it)
          on_face[f].emplace_back(part, g);
      }
  }
  std::unordered_map<FaceKey, BoundaryFace, FaceKeyHash> boundary;
  for (auto &face : boundary_faces(old))
  {
    const FaceKey key = face_key(face.vertices);
    boundary.emplace(key, std::move(face));
  }
  std::vector<NamedSurface> surfaces;
  for (const auto &surface : old.surfaces)
  {
    surfaces.push_back({ surface.name, {} });
    for (const auto &face : surface.faces)
    {
      const auto &found = boundary.at(face_key(face));
      for (const auto &[part, g] : on_face[found.local_face])
      {
        const auto &cell =
            new_cells[std::size_t(found.cell) * parts.size() + part];
        surfaces.back().faces.emplace_back();
        for (const unsigned int v : local_faces[g])
          surfaces.back().faces.back().push_back(cell.vertices[v]);
      }
    }
  }
  return surfaces;
}

template <int dim>
void refine_once(MeshData<dim> &mesh)
{
  const bool curved = !mesh.mid_nodes.empty();
  const Element<dim> element(mesh.reference_cell, 2),
      corners(mesh.reference_cell, 1);
  add_mid_nodes(mesh);
  const CellGeometry<dim> geometry(mesh);
  const auto parts      = children(element);
  const auto &reference = element.reference_nodes();
  const auto to_whole =
      [parts, reference, corners](const unsigned int part, const Point<dim> &s)
  {
    Point<dim> t;
    for (unsigned int v = 0; v < corners.n_nodes(); ++v)
      t += corners.value(v, s) * Tensor<1, dim>(reference[parts[part][v]]);
    return t;
  };

  MeshData<dim> fine;
  fine.vertices       = mesh.vertices;
  fine.reference_cell = mesh.reference_cell;
  fine.n_pieces       = mesh.n_pieces;
  fine.source         = mesh.source;
  std::unordered_map<FaceKey, unsigned int, FaceKeyHash> index;
  std::vector<unsigned int> around;
  for (unsigned int c = 0; c < mesh.cells.size(); ++c)
  {
    const auto nodes = cell_nodes(mesh, element, c);
    for (unsigned int part = 0; part < parts.size(); ++part)
    {
      CellData<dim> cell(element.n_corners());
      for (unsigned int v = 0; v < element.n_corners(); ++v)
        cell.vertices[v] = nodes[parts[part][v]];
      cell.material_id = mesh.cells[c].material_id;
      for (unsigned int k = element.n_corners();
           curved && k < element.n_nodes();
           ++k)
      {
        around.clear();
        for (const unsigned int v : element.parents()[k])
          around.push_back(cell.vertices[v]);
        unsigned int node = fine.vertices.size();
        if (around.size() < element.n_corners())
          node = index.insert({ face_key(around), node }).first->second;
        if (node == fine.vertices.size())
          fine.vertices.push_back(geometry(c, to_whole(part, reference[k])));
        fine.mid_nodes.push_back(node);
      }
      fine.cells.push_back(cell);
    }
  }
  fine.surfaces = refine_surfaces(mesh, element, parts, fine.cells);
  if (mesh.shape)
    fine.shape = [whole = mesh.shape, to_whole, n = parts.size()](
                     const unsigned int c, const Point<dim> &s)
    { return whole(c / n, to_whole(c % n, s)); };
  mesh = std::move(fine);
}
} // namespace

template <int dim>
CellGeometry<dim>::CellGeometry(const MeshData<dim> &mesh)
    : mesh(mesh)
    , element(mesh.reference_cell, mesh.mid_nodes.empty() ? 1 : 2)
{
}

template <int dim>
Point<dim> CellGeometry<dim>::operator()(const unsigned int c,
                                         const Point<dim> &s) const
{
  if (mesh.shape)
    return mesh.shape(c, s);
  const unsigned int n_corners = element.n_corners();
  const std::size_t n_mid      = element.n_nodes() - n_corners;
  Point<dim> x;
  for (unsigned int k = 0; k < element.n_nodes(); ++k)
  {
    const unsigned int node = k < n_corners
                                  ? mesh.cells[c].vertices[k]
                                  : mesh.mid_nodes[n_mid * c + k - n_corners];
    x += element.value(k, s) * Tensor<1, dim>(mesh.vertices[node]);
  }
  return x;
}

template <int dim>
void drop_mid_nodes(MeshData<dim> &mesh)
{
  if (mesh.mid_nodes.empty())
    return;
  mesh.mid_nodes.clear();
  unsigned int n_corners = 0;
  for (const auto &cell : mesh.cells)
    for (const unsigned int v : cell.vertices)
      n_corners = std::max(n_corners, v + 1);
  mesh.vertices.resize(n_corners);
}

template <int dim>
void add_mid_nodes(MeshData<dim> &mesh)
{
  const Element<dim> element(mesh.reference_cell, 2);
  const unsigned int first = element.n_corners();
  const std::size_t n_mid  = element.n_nodes() - first;
  mesh.mid_nodes.resize(mesh.cells.size() * n_mid, no_node);
  std::unordered_map<FaceKey, unsigned int, FaceKeyHash> index;
  std::vector<unsigned int> around;
  for (unsigned int c = 0; c < mesh.cells.size(); ++c)
  {
    const auto &cell = mesh.cells[c].vertices;
    // In the order edges, faces, centre, so that each finds those it needs.
    for (unsigned int k = first; k < element.n_nodes(); ++k)
    {
      unsigned int &node = mesh.mid_nodes[n_mid * c + k - first];
      if (node != no_node)
        continue;
      const auto &parents = element.parents()[k];
      around.clear();
      for (const unsigned int v : parents)
        around.push_back(cell[v]);
      node = mesh.vertices.size();
      if (parents.size() < element.n_corners())
        node = index.insert({ face_key(around), node }).first->second;
      if (node < mesh.vertices.size())
        continue;
      if (mesh.shape)
      {
        mesh.vertices.push_back(mesh.shape(c, element.reference_nodes()[k]));
        continue;
      }
      // Straight, plus what the edges around it deviate from straight:
      // serendipity, 1/2 of each edge for a face, 1/4 for a hexahedron.
      Point<dim> x = mean(mesh, cell, parents);
      if (parents.size() > 2)
        for (unsigned int e = first; e < element.n_nodes(); ++e)
        {
          const auto &ends = element.parents()[e];
          if (ends.size() == 2 &&
              std::includes(
                  parents.begin(), parents.end(), ends.begin(), ends.end()))
          {
            const Tensor<1, dim> deviation =
                mesh.vertices[mesh.mid_nodes[n_mid * c + e - first]] -
                mean(mesh, cell, ends);
            x += (parents.size() == 4 ? 0.5 : 0.25) * deviation;
          }
        }
      mesh.vertices.push_back(x);
    }
  }
}

template <int dim>
void refine_mesh(MeshData<dim> &mesh, const unsigned int n)
{
  for (unsigned int i = 0; i < n; ++i)
    refine_once(mesh);
}

#define INSTANTIATE(dim)                                                       \
  template class CellGeometry<dim>;                                            \
  template void drop_mid_nodes<dim>(MeshData<dim> &);                          \
  template void add_mid_nodes<dim>(MeshData<dim> &);                           \
  template void refine_mesh<dim>(MeshData<dim> &, const unsigned int)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
