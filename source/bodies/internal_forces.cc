#include <delassus/bodies/internal_forces.h>
#include <delassus/materials/spectral.h>
#include <delassus/bodies/cell_masters.h>
#include <delassus/bodies/dilatation_groups.h>
#include <delassus/bodies/solid_shell_cells.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/lac/sparsity_tools.h>

#include <Epetra_CrsMatrix.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
constexpr unsigned int nowhere = std::numeric_limits<unsigned int>::max();

/// Points for forces: strains of a simplex of degree p have degree p-1.
template <int dim>
Quadrature<dim> force_quadrature(const SolidBody<dim> &body,
                                 const bool axisymmetric,
                                 const unsigned int points_through)
{
  if constexpr (dim == 3)
    if (body.parameters().type == BodyType::solid_shell)
      return solid_shell_quadrature(points_through);
  const auto &element = body.element;
  if (element.is_simplex())
    return QGaussSimplex<dim>(element.degree() + (axisymmetric ? 1 : 0));
  return element.quadrature(axisymmetric);
}

template <int dim>
bool wants_mean_dilatation(const SolidBody<dim> &body,
                           const Material &material,
                           const Assumption assumption)
{
  const auto &parameters = body.parameters();
  if (assumption == Assumption::plane_stress ||
      parameters.type == BodyType::solid_shell)
    return false;
  if (parameters.dilatation != Dilatation::automatic)
    return parameters.dilatation == Dilatation::mean;
  return parameters.degree == 1 &&
         (!material.is_elastic() || material.parameters.poisson_ratio >= 0.4);
}
} // namespace

template <int dim>
InternalForces<dim>::InternalForces(const SolidBody<dim> &body,
                                    const Assumption assumption,
                                    const unsigned int points_through)
    : force(body.make_vector())
    , body(body)
    , axisymmetric(assumption == Assumption::axisymmetric)
    , plane_stress(assumption == Assumption::plane_stress)
    , material(make_material(body.material_parameters(), assumption))
    , finite(material->is_finite_strain())
    , mean_dilatation(wants_mean_dilatation(body, *material, assumption))
    , quadrature(force_quadrature(body,
                                  axisymmetric,
                                  points_through > 0       ? points_through
                                  : material->is_elastic() ? 2
                                                           : 5))
    , n_q(quadrature.size())
    , n_history(material->n_history())
    , n_cell_nodes(body.element.n_nodes())
    , n_more(0)
{
  make_groups();
  make_pattern();
  precompute();
  make_solid_shell();
}

template <int dim>
InternalForces<dim>::~InternalForces() = default;

template <int dim>
void InternalForces<dim>::make_groups()
{
  const bool patches =
      mean_dilatation && body.has_simplices() && body.element.degree() == 1;
  std::vector<bool> own(body.n_cells(), false);
  for (const unsigned int cell : body.owned_cells)
    own[cell] = true;
  place_of_cell.assign(body.n_cells(), nowhere);
  counts = own;
  std::vector<unsigned int> place(body.n_nodes(), nowhere);
  for (const auto &list : make_dilatation_groups(body, patches))
  {
    // Those that act on this rank's nodes, and those of its cells: all nodes
    // of a cell may be others'.
    bool mine = false;
    for (const unsigned int cell : list)
    {
      mine = mine || own[cell];
      for (unsigned int k = 0; k < n_cell_nodes && !body.distributed; ++k)
        mine = mine || body.owns_node(body.nodes_of_cell(cell)[k]);
    }
    if (!mine)
      continue;
    Group group;
    group.first_cell = cells.size();
    group.n_cells    = list.size();
    group.first_node = group_nodes.size();
    for (const unsigned int cell : list)
    {
      place_of_cell[cell] = cells.size();
      cells.push_back(cell);
      for (unsigned int k = 0; k < n_cell_nodes; ++k)
      {
        const unsigned int node = body.nodes_of_cell(cell)[k];
        if (place[node] == nowhere)
        {
          place[node] = group_nodes.size() - group.first_node;
          group_nodes.push_back(node);
        }
        local_node.push_back(place[node]);
      }
    }
    group.n_nodes = group_nodes.size() - group.first_node;
    for (unsigned int i = 0; i < group.n_nodes; ++i)
      place[group_nodes[group.first_node + i]] = nowhere;
    groups.push_back(group);
  }
  // Points are stored in the order of `cells`.
  std::vector<unsigned int> dofs;
  for (const unsigned int node : group_nodes)
    dofs.push_back(node);
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  needed_dofs.set_size(body.n_dofs());
  for (const unsigned int node : dofs)
    needed_dofs.add_range(dim * node, dim * node + dim);
  needed_dofs.compress();
  if (body.split)
  {
    IndexSet relevant = needed_dofs;
    relevant.add_indices(body.owned_dofs);
    ghosted =
        std::make_unique<Vector>(body.owned_dofs, relevant, body.communicator);
  }
}

template <int dim>
void InternalForces<dim>::make_pattern()
{
  const auto &owned = body.owned_dofs;
  direct            = !body.distributed && !body.has_hanging_nodes();
  IndexSet rows     = body.relevant_dofs;
  rows.add_indices(needed_dofs);
  rows.add_indices(owned);
  DynamicSparsityPattern pattern(body.n_dofs(), body.n_dofs(), rows);
  CellMasters<dim> masters(body);
  std::vector<types::global_dof_index> dofs;
  for (const auto &group : groups)
  {
    // The group's nodes stand in for those of a cell.
    masters.reinit(&group_nodes[group.first_node], group.n_nodes);
    dofs.clear();
    for (const unsigned int node : masters.nodes)
      for (unsigned int c = 0; c < dim; ++c)
        dofs.push_back(dim * node + c);
    std::sort(dofs.begin(), dofs.end());
    for (const auto row : dofs)
      pattern.add_entries(row, dofs.begin(), dofs.end(), true);
  }
  if (body.distributed)
    SparsityTools::distribute_sparsity_pattern(
        pattern, owned, body.communicator, rows);
  tangent.reinit(owned, owned, pattern, body.communicator);
  if (!direct)
    return;

  // Columns of other ranks' nodes come in any order.
  offset_stride = body.split ? dim : 1;
  const auto &K = tangent.trilinos_matrix();
  row_values.assign(owned.n_elements(), nullptr);
  const unsigned int first = dim * body.first_owned_node;
  std::vector<std::pair<unsigned int, int>> columns;
  for (const auto &group : groups)
  {
    first_offset.push_back(offsets.size());
    const unsigned int *nodes = &group_nodes[group.first_node];
    for (unsigned int a = 0; a < group.n_nodes; ++a)
    {
      if (!body.owns_node(nodes[a]))
      {
        offsets.insert(offsets.end(), offset_stride * group.n_nodes, -1);
        continue;
      }
      int n = 0, *indices = nullptr;
      double *values = nullptr;
      for (unsigned int c = dim; c-- > 0;)
      {
        K.ExtractMyRowView(K.LRID(int(dim * nodes[a] + c)), n, values, indices);
        row_values[dim * nodes[a] + c - first] = values;
      }
      columns.clear();
      for (int k = 0; k < n; ++k)
        columns.emplace_back(K.GCID(indices[k]), k);
      std::sort(columns.begin(), columns.end());
      for (unsigned int b = 0; b < group.n_nodes; ++b)
      {
        const auto at =
            std::lower_bound(columns.begin(),
                             columns.end(),
                             std::pair<unsigned int, int>(dim * nodes[b], -1));
        AssertThrow(columns.end() - at >= dim,
                    ExcMessage("a row of the tangent lacks columns"));
        for (unsigned int c = 0; c < offset_stride; ++c)
          offsets.push_back(at[c].second);
        for (unsigned int c = 0; c < dim; ++c)
          AssertThrow(
              at[c].first == dim * nodes[b] + c &&
                  (offset_stride > 1 || at[c].second == at->second + int(c)),
              ExcMessage("columns of a node are not side by side"));
      }
    }
  }
}

template <int dim>
void InternalForces<dim>::precompute()
{
  CellValues<dim> values(body.element, quadrature);
  const std::size_t n_all = std::size_t(cells.size()) * n_q;
  gradients.reserve(n_all * n_cell_nodes);
  weights.reserve(n_all);
  for (unsigned int i = 0; i < cells.size(); ++i)
  {
    values.reinit(body.nodes, body.nodes_of_cell(cells[i]));
    for (unsigned int q = 0; q < n_q; ++q)
    {
      for (unsigned int k = 0; k < n_cell_nodes; ++k)
      {
        gradients.push_back(values.gradient(k, q));
        if (i == 0)
          shape.push_back(values.value(k, q));
      }
      weights.push_back(values.JxW(q) * body.out_of_plane(values.point(q)));
      if (axisymmetric)
        radii.push_back(values.point(q)[0]);
    }
  }
  begin.resize(n_all * n_history);
  for (std::size_t i = 0; i < n_all && n_history > 0; ++i)
    material->initialize(&begin[i * n_history]);
  end = begin;
  accepted_stress.assign(n_all, Voigt{});
  present_stress = accepted_stress;

  unsigned int most_cells = 0, most_nodes = 0;
  for (const auto &group : groups)
  {
    most_cells = std::max(most_cells, group.n_cells);
    most_nodes = std::max(most_nodes, group.n_nodes);
  }
  points.resize(std::size_t(most_cells) * n_q);
  g.resize(points.size() * n_cell_nodes);
  hoop.assign(axisymmetric ? g.size() : 0, 0.);
  u.resize(dim * most_nodes);
  mean_div.resize(most_nodes);
  mean_force.resize(most_nodes);
  f_group.resize(dim * most_nodes);
  K_group.resize(std::size_t(dim * most_nodes) * dim * most_nodes);
}

template <int dim>
bool InternalForces<dim>::evaluate(const Vector &q,
                                   const double h,
                                   const bool with_tangent)
{
  if (body.split)
    *ghosted = q;
  force = 0.;
  if (with_tangent)
    tangent = 0.;
  trouble_text.clear();
  stored = dissipated = 0.;
  bool good           = true;
  for (const auto &group : groups)
  {
    get_displacements(group, q);
    if (solid_shell)
    {
      good = evaluate_solid_shell(group, h, with_tangent);
      if (!good)
        break;
      scatter_force(group);
      if (with_tangent)
        scatter_tangent(group);
      continue;
    }
    good = kinematics(group) && respond(group, h, with_tangent);
    if (!good)
      break;
    add_forces(group);
    scatter_force(group);
    if (with_tangent)
    {
      if (predicts)
        take_predicted_pressure(group);
      add_tangent(group);
      scatter_tangent(group);
    }
    if (predicts)
      remember_dilatation(group);
  }
  if (with_tangent && predicts)
    linearized = evaluated;
  if (Utilities::MPI::min(int(good), body.communicator) == 0)
  {
    // Nothing of this is used, but what was added must not wait.
    if (!direct)
    {
      force.compress(VectorOperation::add);
      tangent.compress(VectorOperation::add);
    }
    return false;
  }
  if (!direct)
  {
    force.compress(VectorOperation::add);
    if (with_tangent)
      tangent.compress(VectorOperation::add);
  }
  return true;
}

template <int dim>
void InternalForces<dim>::get_displacements(const Group &group, const Vector &q)
{
  const unsigned int *nodes = &group_nodes[group.first_node];
  if (body.split)
  {
    for (unsigned int i = 0; i < group.n_nodes; ++i)
      for (unsigned int c = 0; c < dim; ++c)
        u[dim * i + c] = (*ghosted)(dim * nodes[i] + c);
    return;
  }
  const double *values = &*q.begin() - dim * std::size_t(body.first_owned_node);
  for (unsigned int i = 0; i < group.n_nodes; ++i)
    for (unsigned int c = 0; c < dim; ++c)
      u[dim * i + c] = values[dim * nodes[i] + c];
}

template <int dim>
bool InternalForces<dim>::kinematics(const Group &group)
{
  // F = I + sum u_a Grad N_a, and the means of div over the group.
  const unsigned int n    = n_cell_nodes;
  double reference_volume = 0., trace = 0.;
  volume = 0.;
  for (unsigned int i = 0; i < group.n_cells; ++i)
  {
    const unsigned int place  = group.first_cell + i;
    const unsigned int *local = &local_node[std::size_t(place) * n];
    for (unsigned int q = 0; q < n_q; ++q)
    {
      PointData &point        = points[i * n_q + q];
      const std::size_t index = std::size_t(place) * n_q + q;
      const Tensor<1, dim> *G = &gradients[index * n];
      double F[dim][dim]      = {};
      double u_r              = 0.;
      for (unsigned int k = 0; k < n; ++k)
      {
        const double *u_k = &u[dim * local[k]];
        for (unsigned int c = 0; c < dim; ++c)
          for (unsigned int d = 0; d < dim; ++d)
            F[c][d] += u_k[c] * G[k][d];
        if (axisymmetric)
          u_r += shape[q * n + k] * u_k[0];
      }
      Tensor<2, 3> &full = point.F;
      full               = 0.;
      for (unsigned int c = 0; c < dim; ++c)
      {
        F[c][c] += 1.;
        for (unsigned int d = 0; d < dim; ++d)
          full[c][d] = F[c][d];
      }
      if (dim == 2)
        full[2][2] = axisymmetric ? 1. + u_r / radii[index] : 1.;
      const double w = weights[index];
      reference_volume += w;
      Tensor<1, dim> *present = &g[std::size_t(i * n_q + q) * n];
      if (!finite)
      {
        // The reference configuration, with the trace of the strain.
        point.J = 1.;
        trace += w * (full[0][0] + full[1][1] + full[2][2] - 3.);
        volume += w;
        std::copy_n(G, n, present);
        if (axisymmetric)
          for (unsigned int k = 0; k < n; ++k)
            hoop[std::size_t(i * n_q + q) * n + k] =
                shape[q * n + k] / radii[index];
        continue;
      }
      Tensor<2, dim> inverse; // F^-1
      double J;
      if constexpr (dim == 2)
      {
        J              = F[0][0] * F[1][1] - F[0][1] * F[1][0];
        const double d = 1. / J;
        inverse[0][0]  = F[1][1] * d;
        inverse[1][1]  = F[0][0] * d;
        inverse[0][1]  = -F[0][1] * d;
        inverse[1][0]  = -F[1][0] * d;
      }
      else
      {
        Tensor<2, dim> F_;
        for (unsigned int c = 0; c < dim; ++c)
          for (unsigned int d = 0; d < dim; ++d)
            F_[c][d] = F[c][d];
        J       = determinant(F_);
        inverse = invert(F_);
      }
      J *= dim == 2 ? full[2][2] : 1.;
      if (!(J > 0.) || !std::isfinite(J) || !(full[2][2] > 0. || dim == 3))
      {
        note_trouble(cells[place], q, "is turned inside out");
        return false;
      }
      point.J = J;
      volume += J * w;
      for (unsigned int k = 0; k < n; ++k)
        for (unsigned int d = 0; d < dim; ++d)
        {
          double sum = 0.;
          for (unsigned int c = 0; c < dim; ++c)
            sum += G[k][c] * inverse[c][d];
          present[k][d] = sum;
        }
      if (axisymmetric)
      {
        const double r = 1. / (radii[index] * full[2][2]);
        for (unsigned int k = 0; k < n; ++k)
          hoop[std::size_t(i * n_q + q) * n + k] = shape[q * n + k] * r;
      }
    }
  }
  if (!mean_dilatation)
    return true;

  // Mean of div, weighted by present volumes, and Fbar.
  std::fill_n(mean_div.begin(), group.n_nodes, Tensor<1, dim>());
  const double J_mean     = volume / reference_volume;
  log_J_mean              = finite ? std::log(J_mean) : 0.;
  const double trace_mean = trace / reference_volume;
  for (unsigned int i = 0; i < group.n_cells; ++i)
  {
    const unsigned int place  = group.first_cell + i;
    const unsigned int *local = &local_node[std::size_t(place) * n];
    for (unsigned int q = 0; q < n_q; ++q)
    {
      PointData &point = points[i * n_q + q];
      const double share =
          point.J * weights[std::size_t(place) * n_q + q] / volume;
      const std::size_t at = std::size_t(i * n_q + q) * n;
      for (unsigned int k = 0; k < n; ++k)
      {
        mean_div[local[k]] += share * g[at + k];
        if (axisymmetric)
          mean_div[local[k]][0] += share * hoop[at + k];
      }
      if (finite)
        point.F *= cube_root(J_mean / point.J);
      else
      {
        const double missing = (trace_mean - (point.F[0][0] + point.F[1][1] +
                                              point.F[2][2] - 3.)) /
                               3.;
        for (unsigned int c = 0; c < 3; ++c)
          point.F[c][c] += missing;
      }
    }
  }
  return true;
}

template <int dim>
bool InternalForces<dim>::respond(const Group &group,
                                  const double h,
                                  const bool with_tangent)
{
  mean_pressure = 0.;
  for (unsigned int i = 0; i < group.n_cells; ++i)
  {
    const unsigned int place = group.first_cell + i;
    const bool counted       = counts[cells[place]];
    for (unsigned int q = 0; q < n_q; ++q)
    {
      PointData &point        = points[i * n_q + q];
      const std::size_t index = std::size_t(place) * n_q + q;
      auto &response          = point.response;
      if (!material->respond(point.F,
                             h,
                             begin.data() + index * n_history,
                             end.data() + index * n_history,
                             with_tangent,
                             response))
      {
        note_trouble(cells[place], q, "finds no stress");
        return false;
      }
      const double w = weights[index];
      if (counted)
      {
        stored += w * response.stored;
        dissipated += w * response.dissipated;
      }
      const auto &tau = response.stress;
      mean_pressure += w * (tau[0] + tau[1] + tau[2]) / 3.;
      // Cauchy; the volume ratio is that of the material, which in plane stress
      // has found ln F_zz.
      double J =
          finite ? (mean_dilatation ? determinant(point.F) : point.J) : 1.;
      if (finite && plane_stress)
        J *= std::exp(end[(index + 1) * n_history - 1]);
      const double reciprocal = 1. / J;
      for (unsigned int k = 0; k < 6; ++k)
        present_stress[index][k] = tau[k] * reciprocal;
    }
  }
  return true;
}

template <int dim>
void InternalForces<dim>::note_trouble(const unsigned int cell,
                                       const unsigned int q,
                                       const std::string &what)
{
  const auto centre = body.centre_of_cell(cell);
  std::string where;
  for (unsigned int c = 0; c < dim; ++c)
    where += fmt::format("{}{:.4g}", c > 0 ? ", " : "", centre[c]);
  (void)q;
  trouble_text =
      fmt::format("body '{}': the cell at ({}) {}", body.name(), where, what);
}

template <int dim>
void InternalForces<dim>::accept()
{
  begin.swap(end);
  accepted_stress.swap(present_stress);
  if (solid_shell)
    solid_shell->accept();
  stored_before  = stored;
  knows_accepted = predicts;
  if (predicts)
    accepted = evaluated;
}

template class InternalForces<2>;
template class InternalForces<3>;
} // namespace delassus
