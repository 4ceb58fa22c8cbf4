#include <delassus/bodies/results/cell_fields.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// What is shown of the deformation of one point.
struct PointStrain
{
  Voigt strain; ///< tensor components
  double volume_ratio, largest, smallest;
};

PointStrain strain_of(const Tensor<2, 3> &F, const bool finite)
{
  const auto shown = [](const SymmetricTensor<2, 3> &e) {
    return Voigt{ { e[0][0], e[1][1], e[2][2], e[0][1], e[1][2], e[0][2] } };
  };
  if (!finite)
  {
    SymmetricTensor<2, 3> e = symmetrize(F);
    for (unsigned int c = 0; c < 3; ++c)
      e[c][c] -= 1.;
    const auto principal = eigenvalues(e);
    return { shown(e), 1. + trace(e), principal[0], principal[2] };
  }
  // ln(b)/2 = sum of ln(lambda_a) n_a (x) n_a
  const auto pairs = eigenvectors(symmetrize(F * transpose(F)),
                                  SymmetricTensorEigenvectorMethod::jacobi);
  SymmetricTensor<2, 3> e;
  for (const auto &pair : pairs)
    e += 0.5 * std::log(pair.first) *
         symmetrize(outer_product(pair.second, pair.second));
  return { shown(e),
           determinant(F),
           0.5 * std::log(pairs[0].first),
           0.5 * std::log(pairs[2].first) };
}

/// CellFields looks at quadrature points only where there are some.
template <int dim>
const std::vector<Point<dim>> &
points_known(const InternalForces<dim> *internal,
             const std::vector<Point<dim>> &otherwise)
{
  return internal ? internal->reference_points() : otherwise;
}
} // namespace

template <int dim>
CellFields<dim>::CellFields(const SolidBody<dim> &body,
                            const InternalForces<dim> *internal,
                            const std::vector<Point<dim>> &points,
                            const std::vector<std::string> &histories)
    : body(body)
    , internal(internal)
    , values(body.element, points)
    , extrapolation(points_known(internal, points), points)
    , u(body.element.n_nodes())
    , index(histories.size(), -1)
{
  if (!internal)
    return;
  stresses.resize(internal->n_points());
  strains.resize(internal->n_points());
  scalars.assign(3 + histories.size(),
                 std::vector<double>(internal->n_points()));
  for (const auto &field : internal->law().fields())
  {
    const auto found =
        std::find(histories.begin(), histories.end(), field.name);
    if (found != histories.end())
      index[found - histories.begin()] = field.first;
  }
}

template <int dim>
void CellFields<dim>::set_state(const Vector &q,
                                const std::vector<unsigned int> *cells)
{
  nodal = std::make_unique<NodalValues<dim>>(body, q);
  if (internal)
    internal->deformations(q, F, cells);
}

template <int dim>
void CellFields<dim>::reinit(const unsigned int cell)
{
  const unsigned int *nodes = body.nodes_of_cell(cell);
  for (unsigned int k = 0; k < u.size(); ++k)
    for (unsigned int c = 0; c < dim; ++c)
      u[k][c] = (*nodal)(dim * nodes[k] + c);
  values.reinit(body.nodes, nodes);
  if (!internal)
    return;
  const bool finite = internal->law().is_finite_strain();
  for (unsigned int q = 0; q < internal->n_points(); ++q)
  {
    stresses[q] = internal->stress(cell, q);
    const auto point =
        strain_of(F[internal->place(cell) * internal->n_points() + q], finite);
    strains[q]    = point.strain;
    scalars[0][q] = point.volume_ratio;
    scalars[1][q] = point.largest;
    scalars[2][q] = point.smallest;
    for (unsigned int k = 0; k < index.size(); ++k)
      scalars[3 + k][q] =
          index[k] < 0 ? 0. : internal->history(cell, q)[index[k]];
  }
}

template <int dim>
Tensor<1, dim> CellFields<dim>::displacement(const unsigned int point) const
{
  Tensor<1, dim> result;
  for (unsigned int k = 0; k < u.size(); ++k)
    result += values.value(k, point) * u[k];
  return result;
}

template <int dim>
Voigt CellFields<dim>::engineering_strain(const unsigned int point) const
{
  Tensor<2, dim> gradient;
  for (unsigned int k = 0; k < u.size(); ++k)
    gradient += outer_product(u[k], values.gradient(k, point));
  double hoop = 0.;
  if (body.assumption == Assumption::axisymmetric)
  {
    // On the axis u_r / r tends to du_r/dr.
    const double r = values.point(point)[0];
    hoop           = r > 1e-12 * body.smallest_edge ? displacement(point)[0] / r
                                                    : gradient[0][0];
  }
  return strain_of_gradient<dim>(gradient, hoop);
}

template <int dim>
Voigt CellFields<dim>::strain(const unsigned int point) const
{
  if (internal)
    return extrapolation.strain(strains, point);
  Voigt strain = engineering_strain(point);
  for (unsigned int c = 3; c < 6; ++c)
    strain[c] *= 0.5;
  if (body.assumption == Assumption::plane_stress)
  {
    // sigma_zz = 0
    const double nu = body.material_parameters().poisson_ratio;
    strain[2]       = -nu / (1. - nu) * (strain[0] + strain[1]);
  }
  return strain;
}

template <int dim>
NodeStresses<dim>::NodeStresses(const SolidBody<dim> &body,
                                const InternalForces<dim> *internal,
                                const std::vector<unsigned int> &nodes)
    : fields(body, internal, body.element.reference_nodes())
{
  const unsigned int n = body.element.n_nodes();
  std::vector<unsigned int> n_cells(nodes.size(), 0);
  for (const unsigned int cell : body.owned_cells)
    for (unsigned int k = 0; k < n; ++k)
      for (unsigned int i = 0; i < nodes.size(); ++i)
        if (body.nodes_of_cell(cell)[k] == nodes[i])
        {
          corners.push_back({ cell, k, i });
          ++n_cells[i];
          if (cells.empty() || cells.back() != cell)
            cells.push_back(cell);
        }
  Utilities::MPI::sum(n_cells, body.communicator, n_cells);
  for (const unsigned int count : n_cells)
    share.push_back(count > 0 ? 1. / count : 0.);
}

template <int dim>
void NodeStresses<dim>::add(const Vector &q, const std::vector<double *> &sums)
{
  if (share.empty())
    return;
  fields.set_state(q, &cells);
  for (const Corner &corner : corners)
  {
    fields.reinit(corner.cell);
    const Voigt stress = fields.stress(corner.node),
                strain = fields.strain(corner.node);
    double *sum        = sums[corner.number];
    for (unsigned int c = 0; c < n_components; ++c)
    {
      sum[c] += share[corner.number] * stress[c];
      sum[n_components + c] += share[corner.number] * strain[c];
    }
  }
}

template class CellFields<2>;
template class CellFields<3>;
template class NodeStresses<2>;
template class NodeStresses<3>;
} // namespace delassus
