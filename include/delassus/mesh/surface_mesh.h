#ifndef delassus_mesh_surface_mesh_h
#define delassus_mesh_surface_mesh_h

#include <deal.II/base/point.h>

#include <array>
#include <string>
#include <vector>

namespace delassus
{
/// A surface of its own, not the boundary of a mesh: lines (2D) or triangles.
template <int dim>
struct SurfaceMesh
{
  std::vector<dealii::Point<dim>> vertices;
  std::vector<std::array<unsigned int, dim>> faces;

  /// Neighbours of each face: 2D, across its vertex k; 3D, across its edge from
  /// vertex k to vertex k + 1; -1 at the edge of a sheet.
  std::vector<std::array<int, dim>> neighbours;
  bool open = false;
};

/// Read a surface from a .geo script, a .msh or an .stl file: the physical
/// group @p physical_name, or the only one. Equal vertices are one.
/// Quadrilaterals are split. A closed surface is turned so that its normals
///   2D: (-t_y, t_x), t = x_1 - x_0;  3D: (x_1 - x_0) x (x_2 - x_0)
/// point outwards; a sheet keeps the side that the file says. Throws
/// InputError, beginning with @p where (or @p where_name if there is no such
/// group), for faces without area, faces given twice, edges with more than two
/// faces, a sheet whose faces disagree about its side, a surface with one side
/// only. Rank 0 reads; @p allow_scripts as read_gmsh().
template <int dim>
SurfaceMesh<dim> read_surface_mesh(const std::string &file,
                                   const std::string &physical_name,
                                   const double scale,
                                   const bool allow_scripts,
                                   const std::string &where,
                                   const std::string &where_name);

/// The same from vertices and faces at hand (faces of dim vertices).
template <int dim>
SurfaceMesh<dim>
make_surface_mesh(const std::vector<dealii::Point<dim>> &vertices,
                  const std::vector<std::vector<unsigned int>> &faces,
                  const std::string &where);

/// The lines of a plane surface in order, as vertices of each chain; a closed
/// one ends with its first vertex.
std::vector<std::vector<unsigned int>> chains_of(const SurfaceMesh<2> &mesh);
} // namespace delassus

#endif
