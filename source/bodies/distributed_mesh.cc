#include <delassus/bodies/body_mesh.h>
#include <delassus/bodies/evaluate_on_all.h>
#include <delassus/bodies/expression.h>
#include <delassus/base/exceptions.h>
#include <delassus/linear_solvers/memory_budget.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/mesh_size.h>
#include <delassus/mesh/refine_mesh.h>

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/grid/grid_tools.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace delassus
{
using namespace dealii;

namespace
{
/// Fills the mesh of a body from a forest of refined cells. One scalar dof of
/// deal.II is a node.
template <int dim>
class DistributedMesh : public BodyMesh<dim>
{
public:
  DistributedMesh(const MeshData<dim> &mesh,
                  const BodyParameters &body,
                  MPI_Comm communicator)
      : BodyMesh<dim>(mesh.reference_cell, body.degree, communicator)
      , mesh(mesh)
      , geometry(mesh)
      , forest(communicator)
      , handler(forest)
  {
    make_coarse_cells();
    refine(body);
    handler.distribute_dofs(FE_Q<dim>(body.degree));
    // Along the curve of the cells: a node belongs to the first rank on it that
    // has a cell with it, so numbers do not depend on the ranks.
    DoFRenumbering::hierarchical(handler);
    number_nodes();
    collect_cells();
    replicate_nodes();
    find_hanging_nodes();
    make_pieces();
    this->make_index_sets();
    make_constraints();
    make_boundary();
  }

private:
  using Cell = typename DoFHandler<dim>::cell_iterator;

  /// A cell of this rank: its place in its coarse cell (lower corner, size).
  struct OwnedCell
  {
    Cell cell;
    unsigned int coarse;
    Point<dim> corner;
    double size;

    /// A point of the cell, in the coarse cell of the forest.
    Point<dim> in_coarse(const Point<dim> &s) const
    {
      Point<dim> t = corner;
      for (unsigned int d = 0; d < dim; ++d)
        t[d] += size * s[d];
      return t;
    }
  };

  void make_coarse_cells()
  {
    // deal.II wants the edges that cells share to point the same way, so cells
    // may be turned; their shape is that of the mesh.
    MeshData<dim> turned;
    turned.reference_cell = mesh.reference_cell;
    turned.cells          = mesh.cells;
    GridTools::consistently_order_cells(turned.cells);
    for (std::size_t c = 0; c < mesh.cells.size(); ++c)
      for (const unsigned int v : turned.cells[c].vertices)
      {
        const auto &own = mesh.cells[c].vertices;
        corner_in_mesh.push_back(std::find(own.begin(), own.end(), v) -
                                 own.begin());
      }

    std::vector<Point<dim>> vertices;
    std::vector<unsigned int> number(mesh.vertices.size(), no_node);
    std::vector<CellData<dim>> cells = turned.cells;
    for (auto &cell : cells)
      for (auto &v : cell.vertices)
      {
        if (number[v] == no_node)
        {
          number[v] = vertices.size();
          vertices.push_back(mesh.vertices[v]);
        }
        v = number[v];
      }
    forest.create_triangulation(vertices, cells, SubCellData());

    // Parts of a boundary face keep its number.
    coarse_boundary = boundary_faces(turned);
    std::map<std::pair<unsigned int, unsigned int>, unsigned int> number_of;
    for (unsigned int f = 0; f < coarse_boundary.size(); ++f)
      number_of[{ coarse_boundary[f].cell, coarse_boundary[f].local_face }] = f;
    for (const auto &cell : forest.cell_iterators_on_level(0))
      for (const unsigned int f : cell->face_indices())
        if (cell->face(f)->at_boundary())
          cell->face(f)->set_boundary_id(
              number_of.at({ unsigned(cell->index()), f }));
  }

  /// Where a point of a cell lies.
  Point<dim> position(const OwnedCell &owned, const Point<dim> &s) const
  {
    // From the coarse cell of the forest to that of the mesh: its corners are
    // the same ones in another order.
    const Point<dim> t = owned.in_coarse(s);
    Point<dim> in_mesh;
    for (unsigned int v = 0; v < (1u << dim); ++v)
    {
      const unsigned int own =
          corner_in_mesh[(std::size_t(owned.coarse) << dim) + v];
      double weight = 1.;
      for (unsigned int d = 0; d < dim; ++d)
        weight *= (v >> d) & 1u ? t[d] : 1. - t[d];
      for (unsigned int d = 0; d < dim; ++d)
        in_mesh[d] += weight * ((own >> d) & 1u);
    }
    return geometry(owned.coarse, in_mesh);
  }

  /// A cell is in a region if the expression is positive at one of the points
  /// of its lattice of 3^dim points.
  void refine(const BodyParameters &body)
  {
    const MeshParameters &parameters = body.mesh;
    const unsigned int base          = parameters.global_refinement;
    unsigned int deepest             = base;
    for (const auto &region : parameters.refinement)
      deepest = std::max(deepest, base + region.levels);
    constexpr unsigned int most = dim == 2 ? 28 : 18; // of p4est
    if (deepest > most)
      throw InputError(fmt::format(
          "{}: {} levels of refinement in all; allowed: at most {}.",
          body.where("Mesh/Refine levels", "mesh"),
          deepest,
          most));
    forest.refine_global(base);
    std::vector<Expression<dim>> regions;
    for (const auto &region : parameters.refinement)
      regions.emplace_back(
          region.region, 1, body.where("Mesh/Refine where", "mesh"));
    const Element<dim> lattice(mesh.reference_cell, 2);
    const double memory =
        MemoryBudget(LinearSolverParameters(), this->communicator).limit();
    for (unsigned int level = base; level < deepest; ++level)
    {
      double n_refined = 0.;
      const auto mark  = [&](const OwnedCell &owned)
      {
        if (static_cast<unsigned int>(owned.cell->level()) != level)
          return;
        for (unsigned int r = 0; r < regions.size(); ++r)
          if (level < base + parameters.refinement[r].levels)
            for (const auto &s : lattice.reference_nodes())
              if (regions[r].value(position(owned, s), 0.) > 0.)
              {
                typename Triangulation<dim>::cell_iterator(owned.cell)
                    ->set_refine_flag();
                ++n_refined;
                return;
              }
      };
      evaluate_on_all(this->communicator, [&]() { for_each_owned_cell(mark); });
      n_refined = Utilities::MPI::sum(n_refined, this->communicator);
      expect_fitting_cells(dim,
                           forest.n_global_active_cells() +
                               ((1u << dim) - 1.) * n_refined,
                           Utilities::MPI::n_mpi_processes(this->communicator),
                           true,
                           memory,
                           body.where("Mesh/Refine levels", "mesh"));
      forest.execute_coarsening_and_refinement();
    }
  }

  /// The cells of this rank along p4est's curve.
  template <typename Task>
  void for_each_owned_cell(const Task &task)
  {
    for (const auto coarse : forest.get_p4est_tree_to_coarse_cell_permutation())
      visit({ Cell(&forest, 0, coarse, &handler),
              static_cast<unsigned int>(coarse),
              Point<dim>(),
              1. },
            task);
  }

  template <typename Task>
  void visit(const OwnedCell &owned, const Task &task)
  {
    if (owned.cell->has_children())
    {
      for (unsigned int child = 0; child < owned.cell->n_children(); ++child)
      {
        OwnedCell part = {
          owned.cell->child(child), owned.coarse, owned.corner, 0.5 * owned.size
        };
        for (unsigned int d = 0; d < dim; ++d)
          part.corner[d] += ((child >> d) & 1u) * part.size;
        visit(part, task);
      }
    }
    else if (owned.cell->is_locally_owned())
      task(owned);
  }

  void number_nodes()
  {
    const unsigned int n_owned = handler.n_locally_owned_dofs();
    this->first_node_of_rank.assign(1, 0);
    for (const unsigned int n :
         Utilities::MPI::all_gather(this->communicator, n_owned))
      this->first_node_of_rank.push_back(this->first_node_of_rank.back() + n);
    const unsigned int rank =
        Utilities::MPI::this_mpi_process(this->communicator);
    this->first_owned_node = this->first_node_of_rank[rank];
    this->end_owned_node   = this->first_node_of_rank[rank + 1];
    this->nodes.resize(handler.n_dofs());
    this->node_piece.resize(handler.n_dofs(), no_node);
  }

  void collect_cells()
  {
    std::vector<types::global_dof_index> dofs(this->element.n_nodes());
    for_each_owned_cell(
        [&](const OwnedCell &owned)
        {
          typename DoFHandler<dim>::active_cell_iterator(owned.cell)
              ->get_dof_indices(dofs);
          const unsigned int piece = mesh.cells[owned.coarse].material_id;
          this->owned_cells.push_back(this->cell_piece.size());
          this->cell_piece.push_back(piece);
          for (unsigned int k = 0; k < dofs.size(); ++k)
          {
            this->cell_nodes.push_back(dofs[k]);
            // The first of this rank's cells decides on the last digits.
            if (this->owns_node(dofs[k]) &&
                this->node_piece[dofs[k]] == no_node)
            {
              this->nodes[dofs[k]] =
                  position(owned, this->element.reference_nodes()[k]);
              this->node_piece[dofs[k]] = piece;
            }
          }
        });
    this->n_all_cells =
        Utilities::MPI::sum(this->n_cells(), this->communicator);
    this->distributed = Utilities::MPI::n_mpi_processes(this->communicator) > 1;
  }

  /// Everybody's nodes to everybody.
  void replicate_nodes()
  {
    const unsigned int n_ranks =
        Utilities::MPI::n_mpi_processes(this->communicator);
    if (n_ranks == 1)
      return;
    std::vector<int> counts(n_ranks), offsets(n_ranks);
    const auto gather =
        [&](const int n_values, const MPI_Datatype type, void *x)
    {
      for (unsigned int r = 0; r < n_ranks; ++r)
      {
        offsets[r] = n_values * this->first_node_of_rank[r];
        counts[r]  = n_values * this->first_node_of_rank[r + 1] - offsets[r];
      }
      const int ierr = MPI_Allgatherv(MPI_IN_PLACE,
                                      0,
                                      MPI_DATATYPE_NULL,
                                      x,
                                      counts.data(),
                                      offsets.data(),
                                      type,
                                      this->communicator);
      AssertThrowMPI(ierr);
    };
    std::vector<double> x(dim * this->nodes.size());
    for (unsigned int n = this->first_owned_node; n < this->end_owned_node; ++n)
      for (unsigned int d = 0; d < dim; ++d)
        x[dim * n + d] = this->nodes[n][d];
    gather(dim, MPI_DOUBLE, x.data());
    for (unsigned int n = 0; n < this->nodes.size(); ++n)
      for (unsigned int d = 0; d < dim; ++d)
        this->nodes[n][d] = x[dim * n + d];
    gather(1, MPI_UNSIGNED, this->node_piece.data());
  }

  /// Gathered from the owners of the hanging nodes and resolved here: a master
  /// may itself hang on a coarser cell that only its own rank knows.
  void find_hanging_nodes()
  {
    IndexSet relevant;
    DoFTools::extract_locally_relevant_dofs(handler, relevant);
    AffineConstraints<double> direct(relevant);
    DoFTools::make_hanging_node_constraints(handler, direct);
    std::vector<unsigned int> numbers; // node, count, masters
    std::vector<double> weights;
    for (unsigned int n = this->first_owned_node; n < this->end_owned_node; ++n)
      if (direct.is_constrained(n))
      {
        const auto &line = *direct.get_constraint_entries(n);
        numbers.push_back(n);
        numbers.push_back(line.size());
        for (const auto &entry : line)
        {
          numbers.push_back(entry.first);
          weights.push_back(entry.second);
        }
      }
    const auto all_numbers =
        Utilities::MPI::all_gather(this->communicator, numbers);
    const auto all_weights =
        Utilities::MPI::all_gather(this->communicator, weights);
    std::map<unsigned int, std::vector<NodeWeight>> masters;
    for (unsigned int r = 0; r < all_numbers.size(); ++r)
    {
      std::size_t w = 0;
      for (std::size_t i = 0; i < all_numbers[r].size();)
      {
        auto &line           = masters[all_numbers[r][i++]];
        const unsigned int n = all_numbers[r][i++];
        for (unsigned int k = 0; k < n; ++k)
          line.push_back({ all_numbers[r][i++], all_weights[r][w++] });
      }
    }
    if (masters.empty())
      return;

    // The exact shape is given up where nodes hang: the fine side follows the
    // element of the coarse one, or there would be gaps.
    const auto resolved = [&](const auto &self,
                              const unsigned int node,
                              const double weight,
                              std::map<unsigned int, double> &sum) -> void
    {
      const auto found = masters.find(node);
      if (found == masters.end())
        sum[node] += weight;
      else
        for (const auto &master : found->second)
          self(self, master.node, weight * master.weight, sum);
    };
    this->hanging_start.assign(this->nodes.size() + 1, 0);
    auto next = masters.begin();
    for (unsigned int n = 0; n < this->nodes.size(); ++n)
    {
      if (next != masters.end() && next->first == n)
      {
        std::map<unsigned int, double> sum;
        resolved(resolved, n, 1., sum);
        Point<dim> x;
        for (const auto &entry : sum)
          if (std::abs(entry.second) > 1e-14)
          {
            this->hanging_weights.push_back({ entry.first, entry.second });
            x += entry.second * Tensor<1, dim>(this->nodes[entry.first]);
          }
        this->nodes[n] = x;
        ++next;
      }
      this->hanging_start[n + 1] = this->hanging_weights.size();
    }
  }

  void make_pieces()
  {
    this->pieces.resize(mesh.n_pieces);
    for (auto &piece : this->pieces)
      piece = { no_node, 0, no_node, 0, 0, 0., Point<dim>() };
    this->split = this->distributed;
    for (unsigned int n = 0; n < this->nodes.size(); ++n)
    {
      auto &piece = this->pieces[this->node_piece[n]];
      if (piece.first_node == no_node)
        piece.first_node = n;
      // A piece that is not a contiguous range makes the body a split one.
      this->split = this->split || piece.first_node + piece.n_nodes != n;
      ++piece.n_nodes;
    }
    for (unsigned int c = 0; c < this->n_cells(); ++c)
    {
      auto &piece = this->pieces[this->cell_piece[c]];
      if (piece.first_cell == no_node)
        piece.first_cell = c;
      this->split = this->split || piece.first_cell + piece.n_cells != c;
      ++piece.n_cells;
    }
    this->split =
        Utilities::MPI::max(this->split ? 1 : 0, this->communicator) > 0;
    if (this->split)
      for (auto &piece : this->pieces)
      {
        piece.first_node = 0;
        piece.n_nodes    = this->nodes.size();
      }
  }

  void make_constraints()
  {
    this->constraints.reinit(this->relevant_dofs);
    for (const auto dof : this->relevant_dofs)
      if (this->is_hanging(dof / dim))
      {
        this->constraints.add_line(dof);
        for (const auto &master : this->resolve(dof / dim))
          this->constraints.add_entry(
              dof, dim * master.node + dof % dim, master.weight);
      }
    this->constraints.close();
  }

  void make_boundary()
  {
    const auto &faces = this->element.faces();
    CellValues<dim> values(this->element, this->element.quadrature(false));
    std::vector<unsigned int> numbers; // cell, face, coarse face, piece, nodes
    std::vector<double> measures;
    double smallest   = std::numeric_limits<double>::max();
    unsigned int cell = 0;
    for_each_owned_cell(
        [&](const OwnedCell &owned)
        {
          const unsigned int *of_cell  = this->nodes_of_cell(cell);
          const unsigned int n_corners = this->element.n_corners();
          for (unsigned int a = 0; a < n_corners; ++a)
            for (unsigned int d = 0; d < dim; ++d)
              smallest = std::min(smallest,
                                  this->nodes[of_cell[a]].distance(
                                      this->nodes[of_cell[a ^ (1u << d)]]));
          for (const unsigned int f : owned.cell->face_indices())
            if (owned.cell->face(f)->at_boundary())
            {
              values.reinit(this->nodes, of_cell);
              double measure = 0.;
              for (unsigned int q = 0; q < values.n_points(); ++q)
                measure += values.JxW(q);
              measures.push_back(measure);
              numbers.push_back(cell);
              numbers.push_back(f);
              numbers.push_back(owned.cell->face(f)->boundary_id());
              numbers.push_back(this->cell_piece[cell]);
              for (const unsigned int k : faces[f])
                numbers.push_back(of_cell[k]);
            }
          ++cell;
        });
    this->smallest_edge = Utilities::MPI::min(smallest, this->communicator);

    const unsigned int rank =
        Utilities::MPI::this_mpi_process(this->communicator);
    const auto all_numbers =
        Utilities::MPI::all_gather(this->communicator, numbers);
    const auto all_measures =
        Utilities::MPI::all_gather(this->communicator, measures);
    std::vector<std::vector<unsigned int>> parts(coarse_boundary.size());
    for (unsigned int r = 0; r < all_numbers.size(); ++r)
    {
      std::size_t i = 0;
      for (const double measure : all_measures[r])
      {
        SkinFace face;
        face.cell         = all_numbers[r][i++];
        face.face         = all_numbers[r][i++];
        const auto coarse = all_numbers[r][i++];
        face.piece        = all_numbers[r][i++];
        face.n_nodes      = faces[face.face].size();
        face.n_corners    = n_face_corners<dim>(face.n_nodes);
        face.cell_measure = measure;
        face.nodes.fill(0);
        for (unsigned int k = 0; k < face.n_nodes; ++k)
          face.nodes[k] = all_numbers[r][i++];
        if (r != rank)
          face.cell = no_node;
        parts[coarse].push_back(this->boundary.size());
        this->boundary.push_back(face);
      }
    }

    auto &all = this->surfaces["*"];
    all.resize(this->boundary.size());
    std::iota(all.begin(), all.end(), 0u);
    std::unordered_map<FaceKey, unsigned int, FaceKeyHash> coarse_of_key;
    for (unsigned int f = 0; f < coarse_boundary.size(); ++f)
      coarse_of_key[face_key(coarse_boundary[f].vertices)] = f;
    for (const auto &named : mesh.surfaces)
    {
      auto &list = this->surfaces[named.name];
      for (const auto &face : named.faces)
      {
        const auto found = coarse_of_key.find(face_key(face));
        if (found != coarse_of_key.end())
          list.insert(list.end(),
                      parts[found->second].begin(),
                      parts[found->second].end());
      }
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  const MeshData<dim> &mesh;
  const CellGeometry<dim> geometry;
  parallel::distributed::Triangulation<dim> forest;
  DoFHandler<dim> handler;
  std::vector<BoundaryFace> coarse_boundary;
  std::vector<unsigned int>
      corner_in_mesh; ///< of each corner of each coarse cell
};
} // namespace

template <int dim>
BodyMesh<dim> make_distributed_mesh(const MeshData<dim> &mesh,
                                    const BodyParameters &body,
                                    MPI_Comm communicator)
{
  return DistributedMesh<dim>(mesh, body, communicator);
}

template BodyMesh<2>
make_distributed_mesh<2>(const MeshData<2> &, const BodyParameters &, MPI_Comm);
template BodyMesh<3>
make_distributed_mesh<3>(const MeshData<3> &, const BodyParameters &, MPI_Comm);
} // namespace delassus
