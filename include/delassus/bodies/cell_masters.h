#ifndef delassus_bodies_cell_masters_h
#define delassus_bodies_cell_masters_h

#include <delassus/bodies/body_mesh.h>

#include <deal.II/lac/full_matrix.h>

namespace delassus
{
/// The free nodes of a cell, and the cell's nodes in terms of them:
/// u_k = sum_m T_km u_m.
template <int dim>
class CellMasters
{
public:
  CellMasters(const BodyMesh<dim> &mesh)
      : mesh(mesh)
  {
  }

  /// Returns whether a node of the cell hangs.
  bool reinit(const unsigned int *cell_nodes, const unsigned int n)
  {
    bool hangs = false;
    for (unsigned int k = 0; k < n; ++k)
      hangs = hangs || mesh.is_hanging(cell_nodes[k]);
    nodes.assign(cell_nodes, cell_nodes + n);
    if (!hangs)
      return false;
    nodes.clear();
    entries.clear();
    for (unsigned int k = 0; k < n; ++k)
      for (const auto &master : mesh.resolve(cell_nodes[k]))
      {
        const auto found = std::find(nodes.begin(), nodes.end(), master.node);
        entries.push_back(
            { k, unsigned(found - nodes.begin()), master.weight });
        if (found == nodes.end())
          nodes.push_back(master.node);
      }
    return true;
  }

  /// T^T A T, blocks of dim x dim.
  void condense(const dealii::FullMatrix<double> &A,
                dealii::FullMatrix<double> &condensed) const
  {
    condensed.reinit(dim * nodes.size(), dim * nodes.size());
    for (const auto &row : entries)
      for (const auto &column : entries)
        for (unsigned int c = 0; c < dim; ++c)
          for (unsigned int d = 0; d < dim; ++d)
            condensed(dim * row.master + c, dim * column.master + d) +=
                row.weight * column.weight *
                A(dim * row.node + c, dim * column.node + d);
  }

  std::vector<unsigned int> nodes;

private:
  struct Entry
  {
    unsigned int node, master;
    double weight;
  };
  const BodyMesh<dim> &mesh;
  std::vector<Entry> entries;
};
} // namespace delassus

#endif
