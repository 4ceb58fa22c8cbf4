#include <delassus/base/exceptions.h>
#include <delassus/mesh/element.h>
#include <delassus/mesh/raw_mesh.h>

#include <deal.II/grid/grid_tools.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace delassus
{
namespace
{
using dealii::CellData;
using dealii::ReferenceCell;
namespace ReferenceCells = dealii::ReferenceCells;

constexpr unsigned int nowhere = no_node;

/// Union-find with path halving; the smaller root wins, so that a component is
/// named by its first vertex.
class Components
{
public:
  explicit Components(const std::size_t n)
      : parent(n)
  {
    std::iota(parent.begin(), parent.end(), 0u);
  }

  unsigned int root(unsigned int i)
  {
    while (parent[i] != i)
    {
      parent[i] = parent[parent[i]];
      i         = parent[i];
    }
    return i;
  }

  void join(const unsigned int i, const unsigned int j)
  {
    const unsigned int a = root(i), b = root(j);
    parent[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<unsigned int> parent;
};

std::string quoted_list(const std::vector<std::string> &names)
{
  std::string text;
  for (const auto &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

template <int dim>
const CellGroup &choose_group(const RawMesh<dim> &raw,
                              const std::string &body_name,
                              const std::string &physical_name,
                              const std::string &where,
                              const std::string &where_name)
{
  if (raw.groups.empty())
    throw InputError(
        fmt::format("{}: there are no cells of dimension {}.", where, dim));
  std::vector<std::string> names;
  for (const auto &group : raw.groups)
    names.push_back(group.name);
  const auto find = [&](const std::string &name) -> const CellGroup *
  {
    for (const auto &group : raw.groups)
      if (raw.has_named_groups && group.name == name)
        return &group;
    return nullptr;
  };

  const char *kind = dim == 2 ? "surface" : "volume";
  if (!physical_name.empty())
  {
    if (const CellGroup *group = find(physical_name))
      return *group;
    throw InputError(fmt::format(
        "{}: there is no physical {} '{}'. {}{}",
        where_name,
        kind,
        physical_name,
        raw.has_named_groups ? "The mesh has " + quoted_list(names) + "."
                             : "The mesh has no physical groups: leave the "
                               "name away to take all its cells.",
        raw.has_named_groups ? suggest_name(physical_name, names) : ""));
  }
  if (const CellGroup *group = find(body_name))
    return *group;
  if (raw.groups.size() == 1)
    return raw.groups[0];
  throw InputError(fmt::format(
      "{}: the mesh has several physical {}s, {}, and none is called '{}' like "
      "the body: say which one it is.{}",
      where_name,
      kind,
      quoted_list(names),
      body_name,
      suggest_name(body_name, names)));
}

template <int dim>
ReferenceCell kind_of(const CellGroup &group, const std::string &where)
{
  const std::string allowed =
      dim == 2 ? "triangles (T3, T6) or quadrilaterals (Q4, Q8, Q9)"
               : "tetrahedra (Tet4, Tet10) or hexahedra (H8, H20, H27)";
  const std::string of_group =
      group.name.empty() ? "" : " of the group '" + group.name + "'";
  if (!group.unusable_kinds.empty())
    throw InputError(fmt::format(
        "{}: the cells{} include {}; the cells of a body must all be {}.",
        where,
        of_group,
        quoted_list(
            { group.unusable_kinds.begin(), group.unusable_kinds.end() }),
        allowed));
  if (group.cells.empty())
    throw InputError(
        fmt::format("{}: there are no cells{}.",
                    where,
                    group.name.empty() ? " in the mesh" : of_group));

  const std::size_t n_simplex = dim + 1;
  std::size_t n_simplices =
      std::count_if(group.cells.begin(),
                    group.cells.end(),
                    [&](const auto &c) { return c.size() == n_simplex; });
  if (n_simplices != 0 && n_simplices != group.cells.size())
    throw InputError(fmt::format("{}: the cells{} are of two kinds, {} {} and "
                                 "{} {}; the cells of a body "
                                 "must all be {}.",
                                 where,
                                 of_group,
                                 n_simplices,
                                 dim == 2 ? "triangles" : "tetrahedra",
                                 group.cells.size() - n_simplices,
                                 dim == 2 ? "quadrilaterals" : "hexahedra",
                                 allowed));
  return n_simplices != 0 ? ReferenceCells::get_simplex<dim>()
                          : ReferenceCells::get_hypercube<dim>();
}

/// The nodes of degree 2 of the cells whose corners are known, where the file
/// has them. @p raw_vertex: number in the file of each vertex, @p raw_cell of
/// each cell.
template <int dim>
void take_mid_nodes(const RawMesh<dim> &raw,
                    const CellGroup &group,
                    const std::vector<unsigned int> &raw_vertex,
                    const std::vector<unsigned int> &raw_cell,
                    MeshData<dim> &mesh)
{
  const Element<dim> element(mesh.reference_cell, 2);
  std::unordered_map<unsigned int, unsigned int> new_index;
  std::vector<unsigned int> corners;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int k = element.n_corners(); k < element.n_nodes(); ++k)
    {
      corners.clear();
      for (const unsigned int v : element.parents()[k])
        corners.push_back(raw_vertex[mesh.cells[c].vertices[v]]);
      unsigned int node = nowhere;
      if (corners.size() == element.n_corners())
      {
        if (raw_cell[c] < group.centres.size())
          node = group.centres[raw_cell[c]];
      }
      else
      {
        const auto found = raw.mid_nodes.find(face_key(corners));
        if (found != raw.mid_nodes.end())
          node = found->second;
      }
      if (node != nowhere)
      {
        const auto inserted = new_index.insert({ node, mesh.vertices.size() });
        if (inserted.second)
          mesh.vertices.push_back(raw.vertices[node]);
        node = inserted.first->second;
      }
      mesh.mid_nodes.push_back(node);
    }
}

/// Mirror a cell: the same vertices, the other sign of its measure.
void mirror(std::vector<unsigned int> &cell,
            const ReferenceCell &reference_cell)
{
  if (reference_cell.is_simplex() ||
      reference_cell == ReferenceCells::Quadrilateral)
    std::swap(cell[1], cell[2]);
  else
    for (unsigned int v = 0; v < 4; ++v)
      std::swap(cell[v], cell[v + 4]);
}
} // namespace

template <int dim>
MeshData<dim> extract_body(const RawMesh<dim> &raw,
                           const std::string &body_name,
                           const std::string &physical_name,
                           const std::string &where,
                           const std::string &where_name)
{
  const CellGroup &group =
      choose_group(raw, body_name, physical_name, where, where_name);

  MeshData<dim> mesh;
  mesh.reference_cell = kind_of<dim>(group, where);

  // Pieces, numbered by their first cells.
  Components components(raw.vertices.size());
  for (const auto &cell : group.cells)
    for (const unsigned int v : cell)
      components.join(cell[0], v);
  std::vector<unsigned int> piece_of_root(raw.vertices.size(), nowhere);
  std::vector<std::vector<unsigned int>> cells_of_piece;
  for (unsigned int c = 0; c < group.cells.size(); ++c)
  {
    unsigned int &piece = piece_of_root[components.root(group.cells[c][0])];
    if (piece == nowhere)
    {
      piece = cells_of_piece.size();
      cells_of_piece.emplace_back();
    }
    cells_of_piece[piece].push_back(c);
  }
  mesh.n_pieces = cells_of_piece.size();

  // Vertices piece by piece, in the order of the file within a piece: copies of
  // a block that the file lists in the same order stay alike.
  std::vector<unsigned int> new_index(raw.vertices.size(), nowhere);
  std::vector<unsigned int> used, raw_vertex, raw_cell;
  for (unsigned int p = 0; p < mesh.n_pieces; ++p)
  {
    used.clear();
    for (const unsigned int c : cells_of_piece[p])
      for (const unsigned int v : group.cells[c])
        used.push_back(v);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const unsigned int v : used)
    {
      new_index[v] = mesh.vertices.size();
      mesh.vertices.push_back(raw.vertices[v]);
      raw_vertex.push_back(v);
    }
    for (const unsigned int c : cells_of_piece[p])
    {
      CellData<dim> cell(group.cells[c].size());
      for (unsigned int v = 0; v < cell.vertices.size(); ++v)
        cell.vertices[v] = new_index[group.cells[c][v]];
      cell.material_id = p;
      if (cell_measure(mesh.vertices, cell.vertices, mesh.reference_cell) < 0.)
        mirror(cell.vertices, mesh.reference_cell);
      mesh.cells.push_back(cell);
      raw_cell.push_back(c);
    }
  }
  if (mesh.reference_cell.is_hyper_cube())
    dealii::GridTools::consistently_order_cells(mesh.cells);
  if (!raw.mid_nodes.empty())
    take_mid_nodes(raw, group, raw_vertex, raw_cell, mesh);

  // Surfaces: faces of this body's boundary, with its outward orientation.
  std::unordered_map<FaceKey, std::vector<unsigned int>, FaceKeyHash> boundary;
  for (auto &face : boundary_faces(mesh))
  {
    const FaceKey key = face_key(face.vertices);
    boundary.emplace(key, std::move(face.vertices));
  }
  std::vector<unsigned int> renumbered;
  for (const auto &surface : raw.surfaces)
  {
    NamedSurface kept{ surface.name, {} };
    std::set<FaceKey> seen;
    for (const auto &face : surface.faces)
    {
      renumbered.clear();
      for (const unsigned int v : face)
        renumbered.push_back(new_index[v]);
      if (renumbered.size() > 4 ||
          std::count(renumbered.begin(), renumbered.end(), nowhere) > 0)
        continue;
      const auto found = boundary.find(face_key(renumbered));
      if (found != boundary.end() && seen.insert(found->first).second)
        kept.faces.push_back(found->second);
    }
    if (!kept.faces.empty())
      mesh.surfaces.push_back(std::move(kept));
  }
  return mesh;
}

template MeshData<2> extract_body<2>(const RawMesh<2> &,
                                     const std::string &,
                                     const std::string &,
                                     const std::string &,
                                     const std::string &);
template MeshData<3> extract_body<3>(const RawMesh<3> &,
                                     const std::string &,
                                     const std::string &,
                                     const std::string &,
                                     const std::string &);
} // namespace delassus
