#ifndef delassus_bodies_results_cell_fields_h
#define delassus_bodies_results_cell_fields_h

#include <delassus/bodies/internal_forces.h>
#include <delassus/bodies/results/extrapolation.h>

namespace delassus
{
/// Stress, strain and what a material remembers at given points of the cells of
/// one body, as results show them. Linear elastic bodies: of the displacements
/// there. Bodies in the Newton loop: extrapolated from what their quadrature
/// points know.
template <int dim>
class CellFields
{
public:
  /// @p points of the reference cell; @p histories, names of material fields.
  CellFields(const SolidBody<dim> &body,
             const InternalForces<dim> *internal,
             const std::vector<dealii::Point<dim>> &points,
             const std::vector<std::string> &histories = {});

  /// Look at the state with the displacements @p q; if @p cells are given, at
  /// these only. Collective.
  void set_state(const Vector &q,
                 const std::vector<unsigned int> *cells = nullptr);

  /// The values below are those of this cell, one of this rank.
  void reinit(const unsigned int cell);

  /// The element at the points.
  const CellValues<dim> &shape() const
  {
    return values;
  }

  dealii::Tensor<1, dim> displacement(const unsigned int point) const;

  Voigt stress(const unsigned int point) const
  {
    return internal ? extrapolation.stress(stresses, point)
                    : body.elasticity().stress(engineering_strain(point));
  }

  /// Tensor components (xy is half the angle). Small strains are those of the
  /// reference configuration; of finite ones the logarithmic strain ln(b)/2 in
  /// the axes of space, b = F F^T, as the Cauchy stress.
  Voigt strain(const unsigned int point) const;

  /// In the Newton loop: volume ratio, largest and smallest principal
  /// logarithmic strain (of small strains: 1 + trace and the principal
  /// strains), then the histories, 0 for those that the material has not.
  unsigned int n_scalars() const
  {
    return scalars.size();
  }
  double scalar(const unsigned int k, const unsigned int point) const
  {
    return extrapolation.scalar(scalars[k], point);
  }

private:
  /// Of a linear elastic body; shear strains are angles.
  Voigt engineering_strain(const unsigned int point) const;

  const SolidBody<dim> &body;
  const InternalForces<dim> *internal;
  CellValues<dim> values;
  const Extrapolation<dim> extrapolation;
  std::unique_ptr<NodalValues<dim>> nodal;
  std::vector<dealii::Tensor<1, dim>> u;
  std::vector<dealii::Tensor<2, 3>> F; ///< of all quadrature points
  // Of the quadrature points of the cell.
  std::vector<Voigt> stresses, strains;
  std::vector<std::vector<double>> scalars;
  std::vector<int> index; ///< of the histories in this body's material
};

/// Stress and strain at chosen nodes of a body: the mean over the cells that
/// share a node of what results show there.
template <int dim>
class NodeStresses
{
public:
  /// Components that are written: those of a plane problem that are not always
  /// zero.
  static constexpr unsigned int n_components = dim == 2 ? 4 : 6;

  /// Collective.
  NodeStresses(const SolidBody<dim> &body,
               const InternalForces<dim> *internal,
               const std::vector<unsigned int> &nodes);

  /// This rank's part of the sums: for node i, stresses and strains are added
  /// to sums[i], n_components each. Collective.
  void add(const Vector &q, const std::vector<double *> &sums);

private:
  struct Corner
  {
    unsigned int cell, node, number; ///< of the cell's node, of `nodes`
  };

  CellFields<dim> fields;
  std::vector<Corner> corners; ///< of this rank's cells
  std::vector<unsigned int> cells;
  std::vector<double> share; ///< 1 / number of cells of each node
};
} // namespace delassus

#endif
