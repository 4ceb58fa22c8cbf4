#include <delassus/base/exceptions.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/check_mesh.h>
#include <delassus/mesh/element.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace delassus
{
namespace
{
/// A determinant below this fraction of (longest edge)^dim is a flat cell: it
/// is well above the rounding of the determinant and far below any cell that
/// could be computed with.
constexpr double flat_cell = 1e-10;

template <int dim>
double size_of(const MeshData<dim> &mesh, const dealii::CellData<dim> &cell)
{
  double size = 0.;
  for (const unsigned int v : cell.vertices)
    size = std::max(size,
                    mesh.vertices[v].distance(mesh.vertices[cell.vertices[0]]));
  return size;
}

template <int dim>
std::string describe(const MeshData<dim> &mesh, const std::size_t c)
{
  return fmt::format(
      "cell {} of {} ({}), at {},",
      c + 1,
      mesh.cells.size(),
      cell_kind_name(mesh.reference_cell),
      to_text(mean_point(mesh.vertices, mesh.cells[c].vertices)));
}

template <int dim>
void check_cells(const MeshData<dim> &mesh, const std::string &where)
{
  std::vector<unsigned int> sorted;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
  {
    const auto &cell = mesh.cells[c];
    sorted           = cell.vertices;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      throw InputError(where + ": " + describe(mesh, c) +
                       " has the same vertex twice.");

    const double size  = size_of(mesh, cell);
    const double limit = flat_cell * std::pow(size, dim);
    const double jacobian =
        smallest_jacobian(mesh.vertices, cell.vertices, mesh.reference_cell);
    if (jacobian > limit)
      continue;
    const double measure =
        cell_measure(mesh.vertices, cell.vertices, mesh.reference_cell);
    if (std::abs(measure) <= limit)
      throw InputError(
          fmt::format("{}: {} is flat: its {} is {:.3g} for a size of {:.3g}.",
                      where,
                      describe(mesh, c),
                      dim == 2 ? "area" : "volume",
                      measure,
                      size));
    if (measure < 0.)
      throw InputError(where + ": " + describe(mesh, c) +
                       " is inverted: its measure is negative.");
    throw InputError(where + ": " + describe(mesh, c) +
                     " is twisted or not convex: the mapping folds at one "
                     "of its corners.");
  }
}

template <int dim>
void check_duplicates(const MeshData<dim> &mesh, const std::string &where)
{
  using Key = std::pair<std::vector<unsigned int>, std::size_t>;
  std::vector<Key> keys(mesh.cells.size());
  for (std::size_t c = 0; c < keys.size(); ++c)
  {
    keys[c] = { mesh.cells[c].vertices, c };
    std::sort(keys[c].first.begin(), keys[c].first.end());
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i].first == keys[i - 1].first)
      throw InputError(fmt::format("{}: {} is the same as cell {}.",
                                   where,
                                   describe(mesh, keys[i].second),
                                   keys[i - 1].second + 1));
}
} // namespace

template <int dim>
std::string to_text(const dealii::Point<dim> &point)
{
  std::string text = "(";
  for (unsigned int d = 0; d < dim; ++d)
    text += (d == 0 ? "" : ", ") + fmt::format("{:.6g}", point[d]);
  return text + ")";
}

template <int dim>
void check_mesh(const MeshData<dim> &mesh, const std::string &where)
{
  if (mesh.cells.empty())
    throw InputError(where + ": the mesh has no cells.");
  for (const auto &x : mesh.vertices)
    for (unsigned int d = 0; d < dim; ++d)
      if (!std::isfinite(x[d]))
        throw InputError(where + ": a vertex is at " + to_text(x) +
                         ", which is not a position.");
  check_cells(mesh, where);
  check_duplicates(mesh, where);

  const auto n_cells = count_cells_of_faces(mesh);
  for (const auto &[key, n] : n_cells)
    if (n > 2)
    {
      std::vector<unsigned int> face;
      for (const unsigned int v : key)
        if (v < mesh.vertices.size())
          face.push_back(v);
      throw InputError(
          fmt::format("{}: {} cells share the face at {}; the mesh overlaps "
                      "itself.",
                      where,
                      n,
                      to_text(mean_point(mesh.vertices, face))));
    }

  std::set<std::string> names;
  for (const auto &surface : mesh.surfaces)
  {
    if (!names.insert(surface.name).second)
      throw InputError(where + ": two surfaces are called '" + surface.name +
                       "'.");
    for (const auto &face : surface.faces)
    {
      const auto found = n_cells.find(face_key(face));
      if (found == n_cells.end() || found->second != 1)
        throw InputError(
            fmt::format("{}: the face at {} of the surface '{}' is not on "
                        "the boundary of the body.",
                        where,
                        to_text(mean_point(mesh.vertices, face)),
                        surface.name));
    }
  }
}

template <int dim>
void check_curved_cells(const MeshData<dim> &mesh, const std::string &where)
{
  const Element<dim> element(mesh.reference_cell, 2);
  CellValues<dim> values(element, element.reference_nodes());
  const std::size_t n_mid = element.n_nodes() - element.n_corners();
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
  {
    std::vector<unsigned int> nodes = mesh.cells[c].vertices;
    nodes.insert(nodes.end(),
                 mesh.mid_nodes.begin() + n_mid * c,
                 mesh.mid_nodes.begin() + n_mid * (c + 1));
    values.reinit(mesh.vertices, nodes.data());
    const double limit =
        flat_cell * std::pow(size_of(mesh, mesh.cells[c]), dim);
    for (unsigned int k = 0; k < values.n_points(); ++k)
      if (!(values.determinant(k) > limit))
        throw InputError(fmt::format(
            "{}: {} folds near {}: its curved edges are too strongly bent. "
            "Refine the mesh there, or let Gmsh optimize it "
            "(Mesh.HighOrderOptimize).",
            where,
            describe(mesh, c),
            to_text(values.point(k))));
  }
}

template void check_curved_cells<2>(const MeshData<2> &, const std::string &);
template void check_curved_cells<3>(const MeshData<3> &, const std::string &);
template std::string to_text<2>(const dealii::Point<2> &);
template std::string to_text<3>(const dealii::Point<3> &);
template void check_mesh<2>(const MeshData<2> &, const std::string &);
template void check_mesh<3>(const MeshData<3> &, const std::string &);
} // namespace delassus
