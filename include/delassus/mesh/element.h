#ifndef delassus_mesh_element_h
#define delassus_mesh_element_h

#include <deal.II/base/point.h>
#include <deal.II/base/quadrature.h>
#include <deal.II/fe/fe.h>
#include <deal.II/grid/reference_cell.h>

#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// The scalar Lagrange element of a cell, of degree 1 or 2: T3, T6, Q4, Q9,
/// Tet4, Tet10, H8, H27. Geometry and displacements use the same one
/// (isoparametric): x(s) = sum_k N_k(s) x_k. Nodes are in deal.II's order:
/// corners, middles of edges, of faces, of the cell.
template <int dim>
class Element
{
public:
  Element(const dealii::ReferenceCell &reference_cell,
          const unsigned int degree);

  unsigned int n_nodes() const
  {
    return fe->n_dofs_per_cell();
  }

  unsigned int n_corners() const
  {
    return cell.n_vertices();
  }

  bool is_simplex() const
  {
    return cell.is_simplex();
  }

  const dealii::ReferenceCell &reference_cell() const
  {
    return cell;
  }

  unsigned int degree() const
  {
    return fe->degree;
  }

  /// "T3", "H27".
  std::string name() const;

  double value(const unsigned int node, const dealii::Point<dim> &s) const
  {
    return fe->shape_value(node, s);
  }

  dealii::Tensor<1, dim> gradient(const unsigned int node,
                                  const dealii::Point<dim> &s) const
  {
    return fe->shape_grad(node, s);
  }

  /// The nodes of the reference cell.
  const std::vector<dealii::Point<dim>> &reference_nodes() const
  {
    return fe->get_unit_support_points();
  }

  /// The corners in whose middle a node lies: itself for a corner, the ends of
  /// an edge, the corners of a face or of the cell.
  const std::vector<std::vector<unsigned int>> &parents() const
  {
    return corners_of_node;
  }

  /// The nodes of each face in the order of FaceShape, seen from outside.
  const std::vector<std::vector<unsigned int>> &faces() const
  {
    return nodes_of_face;
  }

  /// For K and M, exact for cells with straight edges (parallelepipeds, for
  /// tensor cells); one degree more where a radius multiplies.
  dealii::Quadrature<dim> quadrature(const bool axisymmetric) const;

  /// For loads on faces; in FaceShape's coordinates.
  dealii::Quadrature<dim - 1> face_quadrature() const;

private:
  dealii::ReferenceCell cell;
  std::shared_ptr<const dealii::FiniteElement<dim>> fe;
  std::vector<std::vector<unsigned int>> corners_of_node, nodes_of_face;
};

/// The element at the quadrature points of one cell with given node positions.
template <int dim>
class CellValues
{
public:
  CellValues(const Element<dim> &element,
             const std::vector<dealii::Point<dim>> &points,
             const std::vector<double> &weights = {});

  CellValues(const Element<dim> &element,
             const dealii::Quadrature<dim> &quadrature)
      : CellValues(element, quadrature.get_points(), quadrature.get_weights())
  {
  }

  /// @p nodes: the cell's node numbers in @p positions.
  void reinit(const std::vector<dealii::Point<dim>> &positions,
              const unsigned int *nodes);

  unsigned int n_points() const
  {
    return jacobian.size();
  }

  double value(const unsigned int node, const unsigned int q) const
  {
    return shape[q * n + node];
  }

  /// With respect to positions.
  const dealii::Tensor<1, dim> &gradient(const unsigned int node,
                                         const unsigned int q) const
  {
    return gradients[q * n + node];
  }

  double JxW(const unsigned int q) const
  {
    return weight[q] * jacobian[q];
  }

  /// Determinant of dx/ds.
  double determinant(const unsigned int q) const
  {
    return jacobian[q];
  }

  const dealii::Point<dim> &point(const unsigned int q) const
  {
    return x[q];
  }

private:
  const unsigned int n;
  std::vector<double> weight, shape, jacobian;
  std::vector<dealii::Tensor<1, dim>> reference_gradients, gradients;
  std::vector<dealii::Point<dim>> x;
};
} // namespace delassus

#endif
