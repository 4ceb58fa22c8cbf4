#ifndef delassus_bodies_cell_interior_h
#define delassus_bodies_cell_interior_h

#include <delassus/bodies/solid_body.h>
#include <delassus/systems/interior.h>

#include <deal.II/numerics/rtree.h>

#include <set>

namespace delassus
{
/// The cells of some pieces of a solid body, taken as convex with straight
/// edges.
template <int dim>
class CellInterior : public Interior<dim>
{
public:
  /// @p wanted: the pieces.
  CellInterior(const SolidBody<dim> &body,
               const std::set<unsigned int> &wanted);

  void
  find(const dealii::Point<dim> &p,
       const std::function<void(const unsigned int piece, const double depth)>
           &found) const override;

  bool is_distributed() const override
  {
    return body.distributed;
  }

private:
  using Entry = std::pair<dealii::BoundingBox<dim>, unsigned int>;

  /// How deep a point lies in the body of a cell: the smallest distance to
  /// those of its faces that are boundary (its diameter if none is); negative
  /// if the point is outside the cell.
  double depth_in_cell(const unsigned int cell,
                       const dealii::Point<dim> &p) const;

  const SolidBody<dim> &body;
  /// Faces of cells that are boundary, as cell * faces of a cell + face.
  std::set<std::size_t> boundary;
  dealii::RTree<Entry> cells;
};
} // namespace delassus

#endif
