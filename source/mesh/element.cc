#include <delassus/mesh/element.h>
#include <delassus/mesh/cell_topology.h>

#include <deal.II/base/derivative_form.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// The corners of a cell whose mean is the point @p s (a node of degree 2).
template <int dim>
std::vector<unsigned int> parents_of(const ReferenceCell &cell,
                                     const Point<dim> &s)
{
  std::vector<unsigned int> corners;
  for (const unsigned int v : cell.vertex_indices())
  {
    bool contributes = true;
    if (cell.is_simplex())
    {
      double coordinate = v == 0 ? 1. : s[v - 1]; // barycentric
      if (v == 0)
        for (unsigned int d = 0; d < dim; ++d)
          coordinate -= s[d];
      contributes = coordinate > 0.25;
    }
    else
      for (unsigned int d = 0; d < dim; ++d)
        contributes &= std::abs(s[d] - ((v >> d) & 1u)) < 0.75;
    if (contributes)
      corners.push_back(v);
  }
  return corners;
}

/// Corners of a face, cyclic and seen from outside, beginning as deal.II does.
template <int dim>
std::vector<unsigned int> face_corners(const ReferenceCell &cell,
                                       const unsigned int face)
{
  std::vector<unsigned int> corners = outward_faces(cell)[face];
  if (dim == 2)
    return corners;
  // deal.II's own order, which may look inwards; cyclic.
  std::vector<unsigned int> own;
  for (unsigned int v = 0; v < corners.size(); ++v)
    own.push_back(cell.face_to_cell_vertices(face, v, 1));
  if (own.size() == 4)
  {
    std::swap(own[2], own[3]);
    std::swap(corners[2], corners[3]);
  }
  // Which of the two it is, told by the successor of its first corner.
  const auto at =
      std::find(corners.begin(), corners.end(), own[0]) - corners.begin();
  if (corners[(at + 1) % corners.size()] != own[1])
    std::reverse(own.begin(), own.end());
  return own;
}
} // namespace

template <int dim>
Element<dim>::Element(const ReferenceCell &reference_cell,
                      const unsigned int degree)
    : cell(reference_cell)
{
  if (cell.is_simplex())
    fe = std::make_shared<FE_SimplexP<dim>>(degree);
  else
    fe = std::make_shared<FE_Q<dim>>(degree);
  for (const auto &s : fe->get_unit_support_points())
    corners_of_node.push_back(parents_of<dim>(cell, s));

  const auto node_between = [&](std::vector<unsigned int> corners)
  {
    std::sort(corners.begin(), corners.end());
    return std::find(corners_of_node.begin(), corners_of_node.end(), corners) -
           corners_of_node.begin();
  };
  for (unsigned int f = 0; f < cell.n_faces(); ++f)
  {
    const auto corners              = face_corners<dim>(cell, f);
    std::vector<unsigned int> nodes = corners;
    if (degree == 2)
    {
      const unsigned int n = corners.size();
      for (unsigned int e = 0; e < (dim == 2 ? 1 : n); ++e)
        nodes.push_back(node_between({ corners[e], corners[(e + 1) % n] }));
      if (n == 4)
        nodes.push_back(node_between(corners));
    }
    nodes_of_face.push_back(nodes);
  }
}

template <int dim>
std::string Element<dim>::name() const
{
  if (degree() == 1)
    return cell_kind_name(cell);
  const std::string linear = cell_kind_name(cell);
  return linear.substr(0, linear.size() - 1) + std::to_string(n_nodes());
}

template <int dim>
Quadrature<dim> Element<dim>::quadrature(const bool axisymmetric) const
{
  // M has degree 2 p; n points along an edge integrate degree 2 n - 1.
  if (is_simplex())
    return QGaussSimplex<dim>(degree() + (axisymmetric ? 2 : 1));
  return QGauss<dim>(degree() + 1);
}

template <int dim>
Quadrature<dim - 1> Element<dim>::face_quadrature() const
{
  if constexpr (dim == 3)
    if (is_simplex())
      return QGaussSimplex<2>(degree() + 1);
  return QGauss<dim - 1>(degree() + 1);
}

template <int dim>
CellValues<dim>::CellValues(const Element<dim> &element,
                            const std::vector<Point<dim>> &points,
                            const std::vector<double> &weights)
    : n(element.n_nodes())
    , weight(weights)
    , jacobian(points.size())
    , gradients(points.size() * n)
    , x(points.size())
{
  for (const auto &s : points)
    for (unsigned int k = 0; k < n; ++k)
    {
      shape.push_back(element.value(k, s));
      reference_gradients.push_back(element.gradient(k, s));
    }
}

template <int dim>
void CellValues<dim>::reinit(const std::vector<Point<dim>> &positions,
                             const unsigned int *nodes)
{
  for (unsigned int q = 0; q < x.size(); ++q)
  {
    const double *N            = &shape[q * n];
    const Tensor<1, dim> *grad = &reference_gradients[q * n];
    // x = sum N_k x_k, J_ij = sum x_k,i dN_k/ds_j
    Point<dim> position;
    DerivativeForm<1, dim, dim> J;
    for (unsigned int i = 0; i < dim; ++i)
    {
      position[i] = N[0] * positions[nodes[0]][i];
      for (unsigned int j = 0; j < dim; ++j)
        J[i][j] = grad[0][j] * positions[nodes[0]][i];
    }
    for (unsigned int k = 1; k < n; ++k)
    {
      const Point<dim> &x_k = positions[nodes[k]];
      for (unsigned int i = 0; i < dim; ++i)
      {
        position[i] += N[k] * x_k[i];
        for (unsigned int j = 0; j < dim; ++j)
          J[i][j] += grad[k][j] * x_k[i];
      }
    }
    x[q]                   = position;
    jacobian[q]            = J.determinant();
    const auto covariant   = J.covariant_form(); // J^{-T}
    Tensor<1, dim> *result = &gradients[q * n];
    for (unsigned int k = 0; k < n; ++k)
      result[k] = apply_transformation(covariant, grad[k]);
  }
}

template class Element<2>;
template class Element<3>;
template class CellValues<2>;
template class CellValues<3>;
} // namespace delassus
