#include <delassus/bodies/solid_body.h>
#include <delassus/base/exceptions.h>
#include <delassus/bodies/cell_masters.h>
#include <delassus/mesh/make_mesh.h>

#include <deal.II/lac/sparsity_tools.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

namespace
{
template <int dim>
BodyMesh<dim> make_body_mesh(const BodyParameters &body,
                             const MeshData<dim> &mesh,
                             const Partition &partition,
                             MPI_Comm communicator)
{
  if (is_distributed(body.mesh))
    return make_distributed_mesh(mesh, body, communicator);
  return make_shared_mesh(mesh, body.degree, partition, communicator);
}
} // namespace

template <int dim>
SolidBody<dim>::SolidBody(const BodyParameters &body,
                          const MaterialParameters &material,
                          const Assumption assumption,
                          const MeshData<dim> &mesh,
                          const Partition &partition,
                          MPI_Comm communicator)
    : BodyMesh<dim>(make_body_mesh(body, mesh, partition, communicator))
    , assumption(assumption)
    , body(body)
    , material(material)
    , law(material, assumption)
{
  measure_pieces();
  assemble_matrices();
}

template <int dim>
void SolidBody<dim>::measure_pieces()
{
  for (auto &piece : this->pieces)
  {
    piece.volume   = 0.;
    piece.centroid = Point<dim>();
  }
  CellValues<dim> values(
      this->element,
      this->element.quadrature(assumption == Assumption::axisymmetric));
  for (unsigned int c = 0; c < this->n_cells(); ++c)
  {
    auto &piece = this->pieces[this->cell_piece[c]];
    values.reinit(this->nodes, this->nodes_of_cell(c));
    for (unsigned int q = 0; q < values.n_points(); ++q)
    {
      const Point<dim> &x = values.point(q);
      const double w      = values.JxW(q) * out_of_plane(x);
      piece.volume += w;
      piece.centroid += w * x;
    }
  }
  if (this->distributed)
  {
    std::vector<double> sums;
    for (const auto &piece : this->pieces)
    {
      sums.push_back(piece.volume);
      for (unsigned int d = 0; d < dim; ++d)
        sums.push_back(piece.centroid[d]);
    }
    Utilities::MPI::sum(sums, this->communicator, sums);
    for (unsigned int p = 0; p < this->pieces.size(); ++p)
    {
      this->pieces[p].volume = sums[(dim + 1) * p];
      for (unsigned int d = 0; d < dim; ++d)
        this->pieces[p].centroid[d] = sums[(dim + 1) * p + 1 + d];
    }
  }
  for (auto &piece : this->pieces)
    piece.centroid /= piece.volume;
}

namespace
{
/// A diagonal mass matrix of the same total (per component) as the consistent
/// one of a cell: by row sums (degree 1), or its diagonal scaled (Hinton, Rock
/// and Zienkiewicz), which is positive for any element.
template <int dim>
void lump(const FullMatrix<double> &consistent,
          const bool by_row_sums,
          std::vector<double> &diagonal)
{
  const unsigned int n = consistent.m();
  diagonal.assign(n, 0.);
  double total = 0., trace = 0.;
  for (unsigned int i = 0; i < n; ++i)
  {
    for (unsigned int j = 0; j < n; ++j)
      diagonal[i] += consistent(i, j);
    total += diagonal[i];
    trace += consistent(i, i);
  }
  if (!by_row_sums)
    for (unsigned int i = 0; i < n; ++i)
      diagonal[i] = consistent(i, i) * total / trace;
}
} // namespace

template <int dim>
void SolidBody<dim>::assemble_matrices()
{
  const auto &element  = this->element;
  const auto &owned    = this->owned_dofs;
  const unsigned int n = dim * element.n_nodes();
  CellMasters<dim> masters(*this);
  std::vector<types::global_dof_index> dofs;
  const auto find_dofs = [&]()
  {
    dofs.clear();
    for (const unsigned int node : masters.nodes)
      for (unsigned int c = 0; c < dim; ++c)
        dofs.push_back(dim * node + c);
  };

  DynamicSparsityPattern pattern(
      this->n_dofs(), this->n_dofs(), this->relevant_dofs);
  for (const unsigned int cell : this->owned_cells)
  {
    masters.reinit(this->nodes_of_cell(cell), element.n_nodes());
    find_dofs();
    std::sort(dofs.begin(), dofs.end());
    for (const auto row : dofs)
      pattern.add_entries(row, dofs.begin(), dofs.end(), true);
  }
  if (this->split)
    SparsityTools::distribute_sparsity_pattern(
        pattern, owned, this->communicator, this->relevant_dofs);
  stiffness.reinit(owned, owned, pattern, this->communicator);
  diagonal_mass = body.mass != MassType::consistent;
  if (diagonal_mass)
  {
    DynamicSparsityPattern diagonal(this->n_dofs(), this->n_dofs(), owned);
    for (const auto i : owned)
      if (!this->is_hanging(i / dim))
        diagonal.add(i, i);
    mass.reinit(owned, owned, diagonal, this->communicator);
  }
  else
    mass.reinit(owned, owned, pattern, this->communicator);

  CellValues<dim> values(
      element, element.quadrature(assumption == Assumption::axisymmetric));
  FullMatrix<double> cell_mass(n, n), cell_stiffness(n, n), condensed;
  std::vector<Tensor<1, 6>> B(n), DB(n);
  std::vector<double> diagonal;
  for (const unsigned int cell : this->owned_cells)
  {
    values.reinit(this->nodes, this->nodes_of_cell(cell));
    cell_mass      = 0.;
    cell_stiffness = 0.;
    for (unsigned int q = 0; q < values.n_points(); ++q)
    {
      const Point<dim> x = values.point(q);
      const double w     = values.JxW(q) * out_of_plane(x);
      for (unsigned int i = 0; i < n; ++i)
      {
        const unsigned int c = i % dim;
        Tensor<2, dim> gradient;
        gradient[c]        = values.gradient(i / dim, q);
        const double hoop  = assumption == Assumption::axisymmetric && c == 0
                                 ? values.value(i / dim, q) / x[0]
                                 : 0.;
        const Voigt strain = strain_of_gradient<dim>(gradient, hoop);
        const Voigt stress = law.stress(strain);
        for (unsigned int k = 0; k < 6; ++k)
        {
          B[i][k]  = strain[k];
          DB[i][k] = stress[k];
        }
      }
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
        {
          cell_stiffness(i, j) += (B[i] * DB[j]) * w;
          if (i % dim == j % dim)
            cell_mass(i, j) += law.density() * values.value(i / dim, q) *
                               values.value(j / dim, q) * w;
        }
    }

    const bool hangs =
        masters.reinit(this->nodes_of_cell(cell), element.n_nodes());
    find_dofs();
    if (hangs)
    {
      masters.condense(cell_stiffness, condensed);
      stiffness.add(dofs, condensed);
    }
    else
      stiffness.add(dofs, cell_stiffness);

    if (body.mass == MassType::nodal)
    {
      // The cell's mass in equal parts to its nodes, and on to their masters.
      double total = 0.;
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          total += cell_mass(i, j) / dim;
      for (unsigned int k = 0; k < element.n_nodes(); ++k)
        for (const auto &master : this->resolve(this->nodes_of_cell(cell)[k]))
          for (unsigned int c = 0; c < dim; ++c)
            mass.add(dim * master.node + c,
                     dim * master.node + c,
                     master.weight * (total * dim / n));
      continue;
    }
    if (hangs)
      masters.condense(cell_mass, condensed);
    const auto &consistent = hangs ? condensed : cell_mass;
    if (body.mass == MassType::consistent)
      mass.add(dofs, consistent);
    else
    {
      lump<dim>(consistent, element.degree() == 1, diagonal);
      for (unsigned int i = 0; i < dofs.size(); ++i)
        mass.add(dofs[i], dofs[i], diagonal[i]);
    }
  }
  mass.compress(VectorOperation::add);
  stiffness.compress(VectorOperation::add);
}

template <int dim>
std::vector<CarrierWeight>
SolidBody<dim>::masters(const unsigned int node) const
{
  std::vector<CarrierWeight> list;
  for (const auto &master : this->resolve(node))
    list.push_back({ master.node, master.weight });
  return list;
}

template <int dim>
double SolidBody<dim>::out_of_plane(const Point<dim> &p) const
{
  if (assumption == Assumption::axisymmetric)
    return 2. * numbers::PI * p[0];
  return dim == 2 ? body.thickness : 1.;
}

template <int dim>
Vector SolidBody<dim>::make_vector() const
{
  return Vector(this->owned_dofs, this->communicator);
}

template <int dim>
void SolidBody<dim>::distribute(Vector &x) const
{
  if (this->has_hanging_nodes())
    this->constraints.distribute(x);
}

template <int dim>
void SolidBody<dim>::add_force(const unsigned int n_nodes,
                               const unsigned int *nodes,
                               const std::vector<double> &force,
                               Vector &target) const
{
  for (unsigned int k = 0; k < n_nodes; ++k)
    if (!this->is_hanging(nodes[k]))
      for (unsigned int c = 0; c < dim; ++c)
        target[dim * nodes[k] + c] += force[dim * k + c];
    else
      for (const auto &master : this->resolve(nodes[k]))
        for (unsigned int c = 0; c < dim; ++c)
          target[dim * master.node + c] += master.weight * force[dim * k + c];
}

template <int dim>
const std::vector<unsigned int> &
SolidBody<dim>::surface(const std::string &surface_name,
                        const std::string &asked_by) const
{
  const auto it =
      this->surfaces.find(surface_name.empty() ? "*" : surface_name);
  if (it == this->surfaces.end())
    throw InputError(fmt::format("{}: the mesh of body '{}' has no surface "
                                 "'{}'.{}",
                                 asked_by,
                                 body.name,
                                 surface_name,
                                 suggest_name(surface_name, surface_names())));
  return it->second;
}

template <int dim>
std::vector<std::string> SolidBody<dim>::surface_names() const
{
  std::vector<std::string> names;
  for (const auto &entry : this->surfaces)
    if (entry.first != "*")
      names.push_back(entry.first);
  return names;
}

template <int dim>
NodalValues<dim>::NodalValues(const SolidBody<dim> &body, const Vector &x)
    : first(dim * body.first_owned_node)
{
  if (body.split)
  {
    ghosted = std::make_unique<Vector>(
        body.owned_dofs, body.relevant_dofs, body.communicator);
    *ghosted = x;
  }
  else if (body.owned_dofs.n_elements() > 0)
    values = &*x.begin();
}

template class SolidBody<2>;
template class SolidBody<3>;
template class NodalValues<2>;
template class NodalValues<3>;
} // namespace delassus
