#include <delassus/base/exceptions.h>
#include <delassus/mesh/block_generators.h>
#include <delassus/mesh/cell_topology.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
using dealii::CellData;
using dealii::Point;
namespace ReferenceCells = dealii::ReferenceCells;

template <int dim>
using Lattice = std::array<unsigned int, dim>;

/// Sides of a block in deal.II's numbering of the faces of a hypercube: 2 d is
/// the lower, 2 d + 1 the upper side of axis d.
template <int dim>
std::vector<std::string> side_names()
{
  if (dim == 2)
    return { "left", "right", "bottom", "top" };
  return { "left", "right", "front", "back", "bottom", "top" };
}

/// A block on the integer lattice: two lattice units a cell along each axis, so
/// that centre vertices are lattice points too.
template <int dim>
struct BlockTemplate
{
  Lattice<dim> n_units;
  std::vector<Lattice<dim>> vertices;
  std::vector<CellData<dim>> cells;
  std::vector<std::vector<std::vector<unsigned int>>> sides; ///< [side][face]
};

dealii::ReferenceCell reference_cell_of(const CellPattern pattern,
                                        const int dim)
{
  if (pattern != CellPattern::tensor)
    return ReferenceCells::Triangle;
  return dim == 2 ? ReferenceCells::Quadrilateral : ReferenceCells::Hexahedron;
}

/// Quadrilaterals or hexahedra a block along each axis.
template <int dim>
Lattice<dim> boxes_of(const MeshParameters &mesh, const std::string &where)
{
  const bool triangles = mesh.pattern != CellPattern::tensor;
  if (triangles && dim == 3)
    throw InputError(where + ": triangles are for plane bodies; in 3D blocks "
                             "are made of hexahedra (pattern 'tensor').");
  Lattice<dim> n;
  n.fill(1);
  if (!mesh.divisions.empty())
  {
    if (mesh.divisions.size() != dim)
      throw InputError(
          fmt::format("{}: the divisions have {} entries; {} are needed, one "
                      "an axis.",
                      where,
                      mesh.divisions.size(),
                      dim));
    for (unsigned int d = 0; d < dim; ++d)
    {
      n[d] = mesh.divisions[d];
      if (n[d] == 0)
        throw InputError(where + ": a division is 0; each must be 1 or "
                                 "more.");
    }
  }
  if (mesh.pattern == CellPattern::eight_triangles)
    for (auto &n_d : n)
      n_d *= 2;
  return n;
}

template <int dim>
BlockTemplate<dim> make_block(const Lattice<dim> &n_boxes,
                              const CellPattern pattern)
{
  BlockTemplate<dim> block;

  std::size_t n_cells = 1, n_vertices = 1;
  Lattice<dim> stride;
  for (unsigned int d = 0; d < dim; ++d)
  {
    block.n_units[d] = 2 * n_boxes[d];
    stride[d]        = n_vertices;
    n_cells *= n_boxes[d];
    n_vertices *= n_boxes[d] + 1;
  }

  for (std::size_t v = 0; v < n_vertices; ++v)
  {
    Lattice<dim> position;
    std::size_t rest = v;
    for (unsigned int d = 0; d < dim; ++d)
    {
      position[d] = 2 * (rest % (n_boxes[d] + 1));
      rest /= n_boxes[d] + 1;
    }
    block.vertices.push_back(position);
  }

  const auto add = [&](const std::vector<unsigned int> &vertices)
  {
    CellData<dim> cell(vertices.size());
    cell.vertices = vertices;
    block.cells.push_back(cell);
  };
  for (std::size_t c = 0; c < n_cells; ++c)
  {
    Lattice<dim> index;
    std::size_t rest   = c;
    unsigned int first = 0;
    for (unsigned int d = 0; d < dim; ++d)
    {
      index[d] = rest % n_boxes[d];
      rest /= n_boxes[d];
      first += index[d] * stride[d];
    }
    std::vector<unsigned int> corners(1u << dim, first);
    for (unsigned int v = 0; v < corners.size(); ++v)
      for (unsigned int d = 0; d < dim; ++d)
        if ((v >> d) & 1u)
          corners[v] += stride[d];

    if (pattern == CellPattern::tensor)
      add(corners);
    else if (pattern == CellPattern::eight_triangles)
    {
      add({ corners[0], corners[1], corners[3] });
      add({ corners[0], corners[3], corners[2] });
    }
    else
    {
      const unsigned int centre = block.vertices.size();
      Lattice<dim> position;
      for (unsigned int d = 0; d < dim; ++d)
        position[d] = 2 * index[d] + 1;
      block.vertices.push_back(position);
      add({ corners[0], corners[1], centre });
      add({ corners[1], corners[3], centre });
      add({ corners[3], corners[2], centre });
      add({ corners[2], corners[0], centre });
    }
  }

  block.sides.resize(2 * dim);
  const auto reference_cell = reference_cell_of(pattern, dim);
  for (const auto &cell : block.cells)
    for (const auto &local_face : outward_faces(reference_cell))
    {
      std::vector<unsigned int> face;
      for (const unsigned int v : local_face)
        face.push_back(cell.vertices[v]);
      for (unsigned int d = 0; d < dim; ++d)
        for (unsigned int upper = 0; upper < 2; ++upper)
        {
          const unsigned int plane = upper * block.n_units[d];
          bool on_it               = true;
          for (const unsigned int v : face)
            on_it = on_it && block.vertices[v][d] == plane;
          if (on_it)
            block.sides[2 * d + upper].push_back(face);
        }
    }
  return block;
}

template <int dim>
void check_sizes(const MeshParameters &mesh, const std::string &where)
{
  if (mesh.size.size() != dim)
    throw InputError(
        fmt::format("{}: the size has {} entries; {} are needed ({}).",
                    where,
                    mesh.size.size(),
                    dim,
                    dim == 2 ? "length, height" : "length, thickness, height"));
  for (const double s : mesh.size)
    if (!(s > 0.) || !std::isfinite(s))
      throw InputError(fmt::format(
          "{}: the size has the entry {}; it must be positive.", where, s));
  if (!(mesh.scale > 0.) || !std::isfinite(mesh.scale))
    throw InputError(fmt::format(
        "{}: the scale is {}; it must be positive.", where, mesh.scale));
  if (!mesh.origin.empty() && mesh.origin.size() != dim)
    throw InputError(
        fmt::format("{}: the origin has {} entries; {} are needed.",
                    where,
                    mesh.origin.size(),
                    dim));
}

/// Collects placed blocks.
template <int dim>
class Assembly
{
public:
  Assembly(const MeshParameters &parameters, const CellPattern pattern)
      : parameters(parameters)
  {
    mesh.reference_cell = reference_cell_of(pattern, dim);
    for (const auto &name : side_names<dim>())
      mesh.surfaces.push_back({ name, {} });
    mesh.surfaces.push_back({ "base", {} });
    mesh.surfaces.push_back({ "crown", {} });
  }

  /// Add a piece: lattice point i of @p block along axis d goes to
  /// (first[d] + step[d] i) / n_per_block[d] block sizes from the origin.
  void add(const BlockTemplate<dim> &block,
           const Lattice<dim> &first,
           const Lattice<dim> &step,
           const Lattice<dim> &n_per_block,
           const bool is_base,
           const bool is_crown)
  {
    const std::size_t offset = mesh.vertices.size();
    if (offset + block.vertices.size() >
        std::numeric_limits<unsigned int>::max() / 2)
      throw InputError("The generated mesh has more than 2^31 vertices.");
    for (const auto &position : block.vertices)
    {
      Point<dim> x;
      for (unsigned int d = 0; d < dim; ++d)
      {
        const double origin =
            parameters.origin.empty() ? 0. : parameters.origin[d];
        x[d] = origin +
               parameters.scale * parameters.size[d] *
                   (double(first[d] + step[d] * position[d]) / n_per_block[d]);
      }
      mesh.vertices.push_back(x);
    }
    for (CellData<dim> cell : block.cells)
    {
      for (auto &v : cell.vertices)
        v += offset;
      cell.material_id = mesh.n_pieces;
      mesh.cells.push_back(cell);
    }
    const auto append = [&](const unsigned int surface, const unsigned int side)
    {
      for (std::vector<unsigned int> face : block.sides[side])
      {
        for (auto &v : face)
          v += offset;
        mesh.surfaces[surface].faces.push_back(face);
      }
    };
    for (unsigned int side = 0; side < 2 * dim; ++side)
      append(side, side);
    if (is_base)
      append(2 * dim, 2 * dim - 2);
    if (is_crown)
      append(2 * dim + 1, 2 * dim - 1);
    ++mesh.n_pieces;
  }

  MeshData<dim> mesh;

private:
  const MeshParameters &parameters;
};

template <int dim>
Lattice<dim> filled(const unsigned int value)
{
  Lattice<dim> lattice;
  lattice.fill(value);
  return lattice;
}
} // namespace

template <int dim>
MeshData<dim> make_box(const MeshParameters &parameters,
                       const std::string &where)
{
  check_sizes<dim>(parameters, where);
  const auto block =
      make_block<dim>(boxes_of<dim>(parameters, where), parameters.pattern);
  Assembly<dim> assembly(parameters, parameters.pattern);
  assembly.add(
      block, filled<dim>(0), filled<dim>(1), block.n_units, true, true);
  assembly.mesh.source = "generated box";
  return std::move(assembly.mesh);
}

template <int dim>
MeshData<dim> make_running_bond_wall(const MeshParameters &parameters,
                                     const std::string &where)
{
  check_sizes<dim>(parameters, where);
  const Lattice<dim> n_boxes = boxes_of<dim>(parameters, where);
  const double twice         = 2. * parameters.length;
  if (!(twice >= 1.) || twice != std::floor(twice) || twice > 1e9)
    throw InputError(fmt::format(
        "{}: the length is {} blocks; it must be a positive multiple "
        "of 1/2 (8 or 7.5, for instance).",
        where,
        parameters.length));
  if (parameters.n_courses == 0)
    throw InputError(where + ": the number of courses is 0; it must be 1 or "
                             "more.");
  const unsigned int n_halves  = static_cast<unsigned int>(twice);
  const unsigned int n_courses = parameters.n_courses;

  Assembly<dim> assembly(parameters, parameters.pattern);
  // A whole block spans 4 n units along x (2 a cell of a half block, 4 a cell
  // of a whole one), 2 n along the others.
  Lattice<dim> n_per_block;
  for (unsigned int d = 0; d < dim; ++d)
    n_per_block[d] = (d == 0 ? 4 : 2) * n_boxes[d];

  if (parameters.single_piece)
  {
    const bool has_halves = n_courses > 1 || n_halves % 2 == 1;
    if (has_halves && n_boxes[0] % 2 == 1)
      throw InputError(fmt::format(
          "{}: a wall in one piece needs an even number of cells along x in "
          "each block so that half blocks conform; there {} {}{}.",
          where,
          n_boxes[0] == 1 ? "is" : "are",
          n_boxes[0],
          parameters.pattern == CellPattern::four_triangles
              ? " (four triangles: use eight triangles, or 2 divisions along x)"
              : ""));
    Lattice<dim> n_all = n_boxes;
    n_all[0]           = n_boxes[0] * n_halves / 2;
    n_all[dim - 1]     = n_boxes[dim - 1] * n_courses;
    Lattice<dim> step  = filled<dim>(1);
    step[0]            = 2;
    assembly.add(make_block<dim>(n_all, parameters.pattern),
                 filled<dim>(0),
                 step,
                 n_per_block,
                 true,
                 true);
  }
  else
  {
    const auto block = make_block<dim>(n_boxes, parameters.pattern);
    for (unsigned int j = 0; j < n_courses; ++j)
    {
      unsigned int done = 0; // half blocks of this course so far
      while (done < n_halves)
      {
        const bool is_half = (j % 2 == 1 && done == 0) || done + 1 == n_halves;
        Lattice<dim> first = filled<dim>(0), step = filled<dim>(1);
        first[0]       = done * (n_per_block[0] / 2);
        first[dim - 1] = j * n_per_block[dim - 1];
        step[0]        = is_half ? 1 : 2;
        assembly.add(
            block, first, step, n_per_block, j == 0, j + 1 == n_courses);
        done += is_half ? 1 : 2;
      }
    }
  }
  assembly.mesh.source = "generated running-bond wall";
  return std::move(assembly.mesh);
}

template MeshData<2> make_box<2>(const MeshParameters &, const std::string &);
template MeshData<3> make_box<3>(const MeshParameters &, const std::string &);
template MeshData<2> make_running_bond_wall<2>(const MeshParameters &,
                                               const std::string &);
template MeshData<3> make_running_bond_wall<3>(const MeshParameters &,
                                               const std::string &);
} // namespace delassus
