#include <delassus/bodies/solid_body.h>
#include <delassus/base/exceptions.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/tria_accessor.h>
#include <deal.II/lac/sparsity_tools.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
SolidBody<dim>::SolidBody(const BodyParameters &body,
                          const MaterialParameters &material,
                          const Assumption assumption,
                          MeshData<dim> mesh,
                          const std::vector<unsigned int> &piece_rank,
                          MPI_Comm communicator)
    : assumption(assumption)
    , communicator(communicator)
    , triangulation(
          communicator,
          Triangulation<dim>::none,
          /* artificial cells */ false,
          parallel::shared::Triangulation<dim>::partition_custom_signal)
    , body(body)
    , material(material)
    , law(material, assumption)
{
  sort_nodes_by_piece(mesh);
  make_triangulation(mesh, piece_rank);
  distribute_dofs();
  make_boundary(mesh);
  assemble_matrices();
}

template <int dim>
void SolidBody<dim>::sort_nodes_by_piece(MeshData<dim> &mesh)
{
  const unsigned int none = std::numeric_limits<unsigned int>::max();
  std::vector<unsigned int> vertex_piece(mesh.vertices.size(), none);
  for (const auto &cell : mesh.cells)
    for (const unsigned int v : cell.vertices)
      vertex_piece[v] = cell.material_id;

  // Counting sort, stable: congruent pieces keep the same order of vertices.
  std::vector<unsigned int> start(mesh.n_pieces + 1, 0);
  for (const unsigned int p : vertex_piece)
    if (p != none)
      ++start[p + 1];
  pieces.resize(mesh.n_pieces);
  for (unsigned int p = 0; p < mesh.n_pieces; ++p)
  {
    pieces[p].n_nodes = start[p + 1];
    start[p + 1] += start[p];
    pieces[p].first_node = start[p];
  }
  std::vector<unsigned int> new_index(mesh.vertices.size(), none);
  nodes.resize(start.back());
  node_piece.resize(start.back());
  for (unsigned int v = 0; v < mesh.vertices.size(); ++v)
    if (vertex_piece[v] != none)
    {
      const unsigned int n = start[vertex_piece[v]]++;
      new_index[v]         = n;
      nodes[n]             = mesh.vertices[v];
      node_piece[n]        = vertex_piece[v];
    }
  for (auto &cell : mesh.cells)
    for (auto &v : cell.vertices)
      v = new_index[v];
  for (auto &named : mesh.surfaces)
    for (auto &face : named.faces)
      for (auto &v : face)
        v = new_index[v];
  mesh.vertices = nodes;
}

template <int dim>
void SolidBody<dim>::make_triangulation(
    const MeshData<dim> &mesh,
    const std::vector<unsigned int> &piece_rank)
{
  cell_piece.resize(mesh.cells.size());
  for (unsigned int c = 0; c < mesh.cells.size(); ++c)
    cell_piece[c] = mesh.cells[c].material_id;
  for (unsigned int p = 0; p < pieces.size(); ++p)
  {
    pieces[p].rank       = piece_rank[p];
    pieces[p].first_cell = mesh.cells.size();
    pieces[p].n_cells    = 0;
  }
  for (unsigned int c = 0; c < mesh.cells.size(); ++c)
  {
    auto &piece      = pieces[cell_piece[c]];
    piece.first_cell = std::min(piece.first_cell, c);
    ++piece.n_cells;
  }

  // A piece is owned as a whole by one rank.
  triangulation.signals.create.connect(
      [&]()
      {
        for (const auto &cell : triangulation.active_cell_iterators())
          cell->set_subdomain_id(pieces[cell->material_id()].rank);
      });
  triangulation.create_triangulation(mesh.vertices, mesh.cells, SubCellData());
}

template <int dim>
void SolidBody<dim>::distribute_dofs()
{
  simplices = triangulation.all_reference_cells_are_simplex();
  if (simplices)
  {
    fe      = std::make_unique<FESystem<dim>>(FE_SimplexP<dim>(1), dim);
    mapping = std::make_unique<MappingFE<dim>>(FE_SimplexP<dim>(1));
    // Exact for the mass of linear simplices; one degree more where the
    // radius multiplies it.
    quadrature =
        QGaussSimplex<dim>(assumption == Assumption::axisymmetric ? 3 : 2);
    face_quadrature = QGaussSimplex<dim - 1>(2);
  }
  else
  {
    fe              = std::make_unique<FESystem<dim>>(FE_Q<dim>(1), dim);
    mapping         = std::make_unique<MappingFE<dim>>(FE_Q<dim>(1));
    quadrature      = QGauss<dim>(2);
    face_quadrature = QGauss<dim - 1>(2);
  }
  if constexpr (dim == 2)
    face_quadrature = QGauss<1>(2);

  dof_handler.reinit(triangulation);
  dof_handler.distribute_dofs(*fe);

  // Dof c of node n becomes dim*n + c.
  const IndexSet original = dof_handler.locally_owned_dofs();
  std::vector<types::global_dof_index> new_numbers(original.n_elements());
  cells.reserve(triangulation.n_active_cells());
  for (const auto &cell : dof_handler.active_cell_iterators())
  {
    cells.push_back(cell);
    if (cell->is_locally_owned())
      for (const unsigned int v : cell->vertex_indices())
        for (unsigned int c = 0; c < dim; ++c)
          new_numbers[original.index_within_set(cell->vertex_dof_index(v, c))] =
              dim * cell->vertex_index(v) + c;
  }
  dof_handler.renumber_dofs(new_numbers);
  owned_dofs = dof_handler.locally_owned_dofs();
  if (owned_dofs.n_elements() > 0)
  {
    first_owned_node = owned_dofs.nth_index_in_set(0) / dim;
    end_owned_node   = first_owned_node + owned_dofs.n_elements() / dim;
  }
  first_node_of_rank.assign(1, 0);
  for (const auto &owned :
       Utilities::MPI::all_gather(communicator, owned_dofs.n_elements()))
    first_node_of_rank.push_back(first_node_of_rank.back() + owned / dim);
  constraints.close();
}

namespace
{
/// Sorted node numbers: a face's identity.
template <typename Nodes>
std::array<unsigned int, 4> face_key(const Nodes &face_nodes,
                                     const unsigned int n)
{
  std::array<unsigned int, 4> key;
  key.fill(std::numeric_limits<unsigned int>::max());
  std::copy_n(face_nodes.begin(), n, key.begin());
  std::sort(key.begin(), key.end());
  return key;
}
} // namespace

template <int dim>
void SolidBody<dim>::make_boundary(const MeshData<dim> &mesh)
{
  smallest_edge = std::numeric_limits<double>::max();
  for (auto &piece : pieces)
  {
    piece.volume   = 0.;
    piece.centroid = Point<dim>();
  }
  FEValues<dim> values(
      *mapping, *fe, quadrature, update_quadrature_points | update_JxW_values);
  std::map<std::array<unsigned int, 4>, unsigned int> index_of_face;
  for (const auto &cell : cells)
  {
    const unsigned int c = cell->active_cell_index();
    auto &piece          = pieces[cell_piece[c]];
    values.reinit(typename Triangulation<dim>::cell_iterator(cell));
    for (const unsigned int q : values.quadrature_point_indices())
    {
      const Point<dim> x = values.quadrature_point(q);
      const double w     = values.JxW(q) * out_of_plane(x);
      piece.volume += w;
      piece.centroid += w * x;
    }
    for (const unsigned int l : cell->line_indices())
      smallest_edge =
          std::min(smallest_edge,
                   cell->line(l)->vertex(0).distance(cell->line(l)->vertex(1)));

    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary())
      {
        BodyFace face;
        face.n_nodes      = cell->face(f)->n_vertices();
        face.n_corners    = face.n_nodes;
        face.piece        = cell_piece[c];
        face.cell         = c;
        face.face         = f;
        face.cell_measure = cell->measure();
        face.nodes.fill(0);
        for (unsigned int v = 0; v < face.n_nodes; ++v)
          face.nodes[v] = cell->face(f)->vertex_index(v);
        if (face.n_nodes == 4) // lexicographic to cyclic
          std::swap(face.nodes[2], face.nodes[3]);
        const Point<dim> &a = nodes[face.nodes[0]];
        Tensor<1, dim> normal;
        if constexpr (dim == 2)
        {
          const Tensor<1, dim> t = nodes[face.nodes[1]] - a;
          normal[0]              = t[1];
          normal[1]              = -t[0];
        }
        else
          normal = cross_product_3d(nodes[face.nodes[1]] - a,
                                    nodes[face.nodes[face.n_nodes - 1]] - a);
        if (normal * (a - cell->center()) < 0)
          std::reverse(face.nodes.begin(), face.nodes.begin() + face.n_nodes);
        index_of_face[face_key(face.nodes, face.n_nodes)] = boundary.size();
        boundary.push_back(face);
      }
  }
  for (auto &piece : pieces)
    piece.centroid /= piece.volume;

  auto &all = surfaces["*"];
  all.resize(boundary.size());
  for (unsigned int f = 0; f < boundary.size(); ++f)
    all[f] = f;
  for (const auto &named : mesh.surfaces)
  {
    auto &faces = surfaces[named.name];
    for (const auto &face : named.faces)
    {
      const auto it = index_of_face.find(face_key(face, face.size()));
      if (it != index_of_face.end())
        faces.push_back(it->second);
    }
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  }
}

template <int dim>
void SolidBody<dim>::assemble_matrices()
{
  DynamicSparsityPattern pattern(
      dof_handler.n_dofs(), dof_handler.n_dofs(), owned_dofs);
  for (const auto &cell : cells)
    if (cell->is_locally_owned())
    {
      std::vector<types::global_dof_index> dofs(fe->n_dofs_per_cell());
      cell->get_dof_indices(dofs);
      std::sort(dofs.begin(), dofs.end());
      for (const auto row : dofs)
        pattern.add_entries(row, dofs.begin(), dofs.end(), true);
    }
  stiffness.reinit(owned_dofs, owned_dofs, pattern, communicator);
  diagonal_mass = body.mass != MassType::consistent;
  if (diagonal_mass)
  {
    DynamicSparsityPattern diagonal(
        dof_handler.n_dofs(), dof_handler.n_dofs(), owned_dofs);
    for (const auto i : owned_dofs)
      diagonal.add(i, i);
    mass.reinit(owned_dofs, owned_dofs, diagonal, communicator);
  }
  else
    mass.reinit(owned_dofs, owned_dofs, pattern, communicator);

  FEValues<dim> values(*mapping,
                       *fe,
                       quadrature,
                       update_values | update_gradients | update_JxW_values |
                           update_quadrature_points);
  const unsigned int n = fe->n_dofs_per_cell();
  FullMatrix<double> cell_mass(n, n), cell_stiffness(n, n);
  std::vector<types::global_dof_index> dofs(n);
  std::vector<Tensor<1, 6>> B(n), DB(n);
  for (const auto &cell : cells)
    if (cell->is_locally_owned())
    {
      values.reinit(cell);
      cell_mass      = 0.;
      cell_stiffness = 0.;
      for (const unsigned int q : values.quadrature_point_indices())
      {
        const Point<dim> x = values.quadrature_point(q);
        const double w     = values.JxW(q) * out_of_plane(x);
        for (unsigned int i = 0; i < n; ++i)
        {
          const unsigned int c = fe->system_to_component_index(i).first;
          Tensor<2, dim> gradient;
          gradient[c]        = values.shape_grad(i, q);
          const double hoop  = assumption == Assumption::axisymmetric && c == 0
                                   ? values.shape_value(i, q) / x[0]
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
        {
          const unsigned int ci = fe->system_to_component_index(i).first;
          for (unsigned int j = 0; j < n; ++j)
          {
            cell_stiffness(i, j) += (B[i] * DB[j]) * w;
            if (ci == fe->system_to_component_index(j).first)
              cell_mass(i, j) += law.density() * values.shape_value(i, q) *
                                 values.shape_value(j, q) * w;
          }
        }
      }
      cell->get_dof_indices(dofs);
      stiffness.add(dofs, cell_stiffness);
      if (body.mass == MassType::consistent)
        mass.add(dofs, cell_mass);
      else
      {
        double total = 0.; // of the cell, once per component
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            total += cell_mass(i, j) / dim;
        for (unsigned int i = 0; i < n; ++i)
        {
          double row_sum = 0.;
          for (unsigned int j = 0; j < n; ++j)
            row_sum += cell_mass(i, j);
          mass.add(dofs[i],
                   dofs[i],
                   body.mass == MassType::lumped ? row_sum : total * dim / n);
        }
      }
    }
  mass.compress(VectorOperation::add);
  stiffness.compress(VectorOperation::add);
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
  return Vector(owned_dofs, communicator);
}

template <int dim>
void SolidBody<dim>::distribute(Vector &x) const
{
  if (has_hanging_nodes())
    constraints.distribute(x);
}

template <int dim>
const std::vector<unsigned int> &
SolidBody<dim>::surface(const std::string &surface_name,
                        const std::string &asked_by) const
{
  const auto it = surfaces.find(surface_name.empty() ? "*" : surface_name);
  if (it == surfaces.end())
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
  for (const auto &entry : surfaces)
    if (entry.first != "*")
      names.push_back(entry.first);
  return names;
}

template class SolidBody<2>;
template class SolidBody<3>;
} // namespace delassus
