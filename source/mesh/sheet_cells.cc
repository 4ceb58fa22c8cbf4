#include <delassus/base/exceptions.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/check_mesh.h>
#include <delassus/mesh/sheet_cells.h>

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

namespace delassus
{
using namespace dealii;

namespace
{
constexpr int unknown = -1;

/// The thickness of a cell: the axis of the reference cell, and whether the
/// sheet's outer side is where it is 1.
struct Direction
{
  int axis = unknown;
  bool up  = true;
};

class SheetCells
{
public:
  SheetCells(MeshData<3> &mesh, const std::string &where)
      : mesh(mesh)
      , where(where)
      , direction(mesh.cells.size())
  {
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
      for (unsigned int axis = 0; axis < 3; ++axis)
        for (unsigned int side = 0; side < 2; ++side)
          cells_of_face[face_key(face(c, axis, side))].push_back(c);
  }

  void find()
  {
    from_names();
    from_boundary();
    go_on();
    from_areas();
    go_on();
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
      if (direction[c].axis == unknown)
        refuse(c,
               candidates(c).empty()
                   ? "no pair of opposite faces of this cell is boundary on "
                     "both sides; allowed: one hexahedron through the "
                     "thickness"
                   : "pairs of opposite faces that are boundary are equally "
                     "large; allowed: name the sides of the sheet 'inner' and "
                     "'outer'");
  }

  /// Corners in the order of cells whose third direction is this one.
  void turn() const
  {
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
    {
      const Direction &d = direction[c];
      // The axes go round as before; if one is turned over, the others change
      // places.
      unsigned int a = (d.axis + 1) % 3, b = (d.axis + 2) % 3;
      if (!d.up)
        std::swap(a, b);
      const auto old = mesh.cells[c].vertices;
      for (unsigned int v = 0; v < 8; ++v)
      {
        const unsigned int through = d.up ? v >> 2 : 1u - (v >> 2);
        mesh.cells[c].vertices[v] =
            old[((v & 1u) << a) | (((v >> 1) & 1u) << b) | (through << d.axis)];
      }
    }
  }

private:
  std::vector<unsigned int> face(const unsigned int cell,
                                 const unsigned int axis,
                                 const unsigned int side) const
  {
    std::vector<unsigned int> result;
    for (unsigned int v = 0; v < 8; ++v)
      if (((v >> axis) & 1u) == side)
        result.push_back(mesh.cells[cell].vertices[v]);
    return result;
  }

  [[noreturn]] void refuse(const unsigned int cell,
                           const std::string &why) const
  {
    throw InputError(fmt::format(
        "{}: the direction through the sheet cannot be told in the cell at {}: "
        "{}.",
        where,
        to_text(mean_point(mesh.vertices, mesh.cells[cell].vertices)),
        why));
  }

  /// Axes both of whose faces are boundary.
  std::vector<unsigned int> candidates(const unsigned int cell) const
  {
    std::vector<unsigned int> axes;
    for (unsigned int axis = 0; axis < 3; ++axis)
      if (cells_of_face.at(face_key(face(cell, axis, 0))).size() == 1 &&
          cells_of_face.at(face_key(face(cell, axis, 1))).size() == 1)
        axes.push_back(axis);
    return axes;
  }

  void from_names()
  {
    std::unordered_set<FaceKey, FaceKeyHash> sides[2];
    for (const auto &surface : mesh.surfaces)
      for (unsigned int side = 0; side < 2; ++side)
        if (surface.name == (side == 0 ? "inner" : "outer"))
          for (const auto &f : surface.faces)
            sides[side].insert(face_key(f));
    if (sides[0].empty() || sides[1].empty())
      return;
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
    {
      bool on_it = false;
      for (unsigned int axis = 0; axis < 3; ++axis)
      {
        const FaceKey low  = face_key(face(c, axis, 0)),
                      high = face_key(face(c, axis, 1));
        for (const auto &side : sides)
          on_it = on_it || side.count(low) > 0 || side.count(high) > 0;
        for (const bool up : { true, false })
          if (sides[up ? 0 : 1].count(low) > 0 &&
              sides[up ? 1 : 0].count(high) > 0)
          {
            if (direction[c].axis != unknown)
              refuse(c, "two pairs of its faces are 'inner' and 'outer'");
            direction[c] = { int(axis), up };
            fixed.push_back(c);
          }
      }
      if (on_it && direction[c].axis == unknown)
        refuse(c,
               "one of its faces is 'inner' or 'outer', and the opposite one "
               "is not the other; allowed: one hexahedron through the "
               "thickness");
    }
  }

  void from_boundary()
  {
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
    {
      if (direction[c].axis != unknown)
        continue;
      const auto axes = candidates(c);
      if (axes.size() == 1)
      {
        direction[c].axis = axes[0];
        guessed.push_back(c);
      }
    }
  }

  void from_areas()
  {
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
    {
      if (direction[c].axis != unknown)
        continue;
      double largest = 0., second = 0.;
      int best = unknown;
      for (const unsigned int axis : candidates(c))
      {
        double area = 0.;
        for (unsigned int side = 0; side < 2; ++side)
        {
          const auto f  = face(c, axis, side);
          const auto &x = mesh.vertices;
          area += 0.25 *
                  cross_product_3d(x[f[3]] - x[f[0]], x[f[2]] - x[f[1]]).norm();
        }
        if (area > largest)
        {
          second  = largest;
          largest = area;
          best    = axis;
        }
        else
          second = std::max(second, area);
      }
      if (largest > 1.1 * second)
      {
        direction[c].axis = best;
        guessed.push_back(c);
      }
    }
  }

  /// From every cell whose direction is known to its neighbours. The first one
  /// of a sheet says which side is which, where names do not.
  void go_on()
  {
    visited.assign(mesh.cells.size(), false);
    for (const auto *list : { &fixed, &guessed })
      for (const unsigned int seed : *list)
      {
        if (visited[seed])
          continue;
        visited[seed] = true;
        std::vector<unsigned int> open{ seed };
        while (!open.empty())
        {
          const unsigned int c = open.back();
          open.pop_back();
          for (unsigned int turn = 1; turn < 3; ++turn)
            for (unsigned int side = 0; side < 2; ++side)
            {
              const auto f =
                  face_key(face(c, (direction[c].axis + turn) % 3, side));
              for (const unsigned int other : cells_of_face.at(f))
                if (other != c)
                  go_to(c, (direction[c].axis + turn) % 3, side, other, open);
            }
        }
      }
  }

  void go_to(const unsigned int c,
             const unsigned int axis,
             const unsigned int side,
             const unsigned int other,
             std::vector<unsigned int> &open)
  {
    // An edge of the common face through the sheet, from inside to outside.
    const Direction &d        = direction[c];
    const unsigned int corner = side << axis;
    unsigned int from         = mesh.cells[c].vertices[corner],
                 to           = mesh.cells[c].vertices[corner | (1u << d.axis)];
    if (!d.up)
      std::swap(from, to);
    unsigned int low = 0, high = 0;
    for (unsigned int v = 0; v < 8; ++v)
    {
      if (mesh.cells[other].vertices[v] == from)
        low = v;
      if (mesh.cells[other].vertices[v] == to)
        high = v;
    }
    const unsigned int bit = low ^ high;
    const int there        = bit == 1 ? 0 : bit == 2 ? 1 : 2;
    const bool up          = high > low;
    Direction &neighbour   = direction[other];
    if (neighbour.axis != unknown && neighbour.axis != there)
      refuse(other, "it is another one than in its neighbours");
    if (visited[other])
      return;
    visited[other] = true;
    // What is named stays as it is.
    if (neighbour.axis == unknown || !is_named(other))
      neighbour = { there, up };
    open.push_back(other);
  }

  bool is_named(const unsigned int cell) const
  {
    return std::binary_search(fixed.begin(), fixed.end(), cell);
  }

  MeshData<3> &mesh;
  const std::string &where;
  std::vector<Direction> direction;
  std::vector<unsigned int> fixed, guessed; ///< where known from, ascending
  std::vector<bool> visited;
  std::unordered_map<FaceKey, std::vector<unsigned int>, FaceKeyHash>
      cells_of_face;
};
} // namespace

void turn_sheet_cells(MeshData<3> &mesh, const std::string &where)
{
  if (!mesh.reference_cell.is_hyper_cube())
    throw InputError(fmt::format(
        "{}: solid shells are hexahedra, and the mesh has {}; allowed: one "
        "hexahedron through the thickness (in Gmsh: extrude quadrilaterals by "
        "one layer, with Recombine).",
        where,
        cell_kind_name(mesh.reference_cell)));
  SheetCells cells(mesh, where);
  cells.find();
  cells.turn();
}
} // namespace delassus
