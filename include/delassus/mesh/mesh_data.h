#ifndef delassus_mesh_mesh_data_h
#define delassus_mesh_mesh_data_h

#include <deal.II/base/point.h>
#include <deal.II/grid/tria_description.h>
#include <deal.II/grid/reference_cell.h>

#include <string>
#include <vector>

namespace delassus
{
/// A named group of boundary faces, each face given by the indices of its
/// vertices (2 in 2D; 3 or 4 in 3D, in deal.II's order for quadrilaterals) and
/// seen from outside: the outward normal is (t_y, -t_x) with t = x_1 - x_0 in
/// 2D, (x_1 - x_0) x (x_2 - x_0) in 3D.
struct NamedSurface
{
  std::string name;
  std::vector<std::vector<unsigned int>> faces;
};

/// The mesh of one named body as plain data: what a file or a generator gives,
/// and what a deal.II triangulation is made from. Cells are ordered piece by
/// piece; a piece is a connected component (a block), and congruent pieces of a
/// generator list their vertices and cells in the same order.
template <int dim>
struct MeshData
{
  std::vector<dealii::Point<dim>> vertices;
  std::vector<dealii::CellData<dim>> cells; ///< material_id = piece
  dealii::ReferenceCell reference_cell;
  unsigned int n_pieces = 0;
  std::vector<NamedSurface> surfaces;
  std::string source; ///< for messages: file or generator
};
} // namespace delassus

#endif
