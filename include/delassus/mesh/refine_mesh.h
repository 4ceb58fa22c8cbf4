#ifndef delassus_mesh_refine_mesh_h
#define delassus_mesh_refine_mesh_h

#include <delassus/mesh/element.h>
#include <delassus/mesh/mesh_data.h>

namespace delassus
{
/// Give every cell the nodes of degree 2 that it does not have yet: on the
/// exact shape if it is known; else the middle of an edge halfway between its
/// ends, the centre of a face or cell where the serendipity element (Q8, H20)
/// has it.
template <int dim>
void add_mid_nodes(MeshData<dim> &mesh);

/// Leave the corners only.
template <int dim>
void drop_mid_nodes(MeshData<dim> &mesh);

/// Cut every cell in 2^dim (tetrahedra in eight after Bey), @p n times. New
/// vertices lie on the exact shape, on cells of degree 2 where the mesh has
/// them, else on straight ones. Surfaces and pieces stay.
template <int dim>
void refine_mesh(MeshData<dim> &mesh, const unsigned int n);

/// Where the points of cells lie: on the exact shape, or on the cell's own
/// element of degree 1 or 2.
template <int dim>
class CellGeometry
{
public:
  explicit CellGeometry(const MeshData<dim> &mesh);

  /// The point @p s of the reference cell of cell @p c.
  dealii::Point<dim> operator()(const unsigned int c,
                                const dealii::Point<dim> &s) const;

private:
  const MeshData<dim> &mesh;
  Element<dim> element;
};
} // namespace delassus

#endif
