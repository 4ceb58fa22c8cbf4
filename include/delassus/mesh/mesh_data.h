#ifndef delassus_mesh_mesh_data_h
#define delassus_mesh_mesh_data_h

#include <deal.II/base/point.h>
#include <deal.II/grid/tria_description.h>
#include <deal.II/grid/reference_cell.h>

#include <functional>
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

constexpr unsigned int no_node = static_cast<unsigned int>(-1);

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

  /// Nodes of cells of degree 2 beyond their corners, cell by cell in the order
  /// of Element, as indices of vertices; empty for straight edges. What a file
  /// does not give is no_node until add_mid_nodes() fills it.
  std::vector<unsigned int> mid_nodes;

  /// The exact shape, if it is known: where the point s of the reference cell
  /// of cell c lies. Refined cells follow it.
  std::function<dealii::Point<dim>(const unsigned int c,
                                   const dealii::Point<dim> &s)>
      shape;

  std::vector<NamedSurface> surfaces;
  std::string source; ///< for messages: file or generator
};
} // namespace delassus

#endif
