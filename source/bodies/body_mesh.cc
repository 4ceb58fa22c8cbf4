#include <delassus/bodies/body_mesh.h>
#include <delassus/mesh/cell_topology.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace delassus
{
using namespace dealii;

template <int dim>
Partition make_partition(const MeshData<dim> &mesh,
                         const double n_before,
                         const double n_total,
                         const unsigned int n_ranks,
                         const double most_whole)
{
  const auto rank_at = [&](const double k)
  { return std::min<unsigned int>(n_ranks - 1, k * n_ranks / n_total); };
  std::vector<double> cells_of_piece(mesh.n_pieces, 0.);
  for (const auto &cell : mesh.cells)
    ++cells_of_piece[cell.material_id];
  Partition partition(std::vector<unsigned int>(mesh.n_pieces));
  double counted = n_before, largest = 0.;
  for (unsigned int p = 0; p < mesh.n_pieces; ++p)
  {
    partition.piece_rank[p] = rank_at(counted + 0.5 * cells_of_piece[p]);
    counted += cells_of_piece[p];
    largest = std::max(largest, cells_of_piece[p]);
  }
  if (n_ranks == 1 || largest <= std::max(most_whole, n_total / n_ranks))
    return partition;

  std::vector<Point<dim>> centres;
  for (const auto &cell : mesh.cells)
    centres.push_back(mean_point(mesh.vertices, cell.vertices));
  // The curve is that of the box around the points, stretched to a cube: two
  // points more make it one, so that long bodies are cut across.
  Point<dim> low = centres[0], high = centres[0];
  for (const auto &centre : centres)
    for (unsigned int c = 0; c < dim; ++c)
    {
      low[c]  = std::min(low[c], centre[c]);
      high[c] = std::max(high[c], centre[c]);
    }
  double longest = 0.;
  for (unsigned int c = 0; c < dim; ++c)
    longest = std::max(longest, high[c] - low[c]);
  for (unsigned int c = 0; c < dim; ++c)
    high[c] = low[c] + longest;
  centres.push_back(low);
  centres.push_back(high);
  const auto place = Utilities::inverse_Hilbert_space_filling_curve(centres);
  auto &order      = partition.cell_order;
  order.resize(mesh.cells.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(),
            order.end(),
            [&](const unsigned int a, const unsigned int b)
            {
              const auto piece_a = mesh.cells[a].material_id,
                         piece_b = mesh.cells[b].material_id;
              return piece_a != piece_b     ? piece_a < piece_b
                     : place[a] != place[b] ? place[a] < place[b]
                                            : a < b;
            });
  for (std::size_t k = 0; k < order.size(); ++k)
    partition.rank_of_place.push_back(rank_at(n_before + k + 0.5));
  return partition;
}

template <int dim>
Point<dim> BodyMesh<dim>::centre_of_cell(const unsigned int cell) const
{
  Point<dim> centre;
  for (unsigned int v = 0; v < element.n_corners(); ++v)
    centre +=
        Tensor<1, dim>(nodes[nodes_of_cell(cell)[v]]) / element.n_corners();
  return centre;
}

template <int dim>
void BodyMesh<dim>::make_index_sets()
{
  owned_dofs.set_size(n_dofs());
  owned_dofs.add_range(dim * first_owned_node, dim * end_owned_node);
  owned_dofs.compress();
  relevant_dofs = owned_dofs;
  if (!split)
    return;
  std::vector<types::global_dof_index> more;
  const auto add = [&](const unsigned int node)
  {
    if (!owns_node(node))
      for (unsigned int c = 0; c < dim; ++c)
        more.push_back(dim * node + c);
  };
  for (const unsigned int c : owned_cells)
    for (unsigned int k = 0; k < element.n_nodes(); ++k)
    {
      const unsigned int node = nodes_of_cell(c)[k];
      add(node);
      if (is_hanging(node))
        for (const auto &master : resolve(node))
          add(master.node);
    }
  // Cells of other ranks that own nodes here belong to.
  if (!distributed)
    for (unsigned int c = 0; c < n_cells(); ++c)
    {
      bool touches = false;
      for (unsigned int k = 0; k < element.n_nodes(); ++k)
        touches = touches || owns_node(nodes_of_cell(c)[k]);
      for (unsigned int k = 0; touches && k < element.n_nodes(); ++k)
        add(nodes_of_cell(c)[k]);
    }
  std::sort(more.begin(), more.end());
  more.erase(std::unique(more.begin(), more.end()), more.end());
  relevant_dofs.add_indices(more.begin(), more.end());
  relevant_dofs.compress();
}

namespace
{
/// Fills the mesh of a body from a mesh that is known as a whole.
template <int dim>
class SharedMesh : public BodyMesh<dim>
{
public:
  SharedMesh(const MeshData<dim> &mesh,
             const unsigned int degree,
             const Partition &partition,
             MPI_Comm communicator)
      : BodyMesh<dim>(mesh.reference_cell, degree, communicator)
      , mesh(mesh)
      , partition(partition)
      , n(this->element.n_nodes())
      , n_corners(this->element.n_corners())
  {
    this->split       = partition.is_split();
    this->n_all_cells = mesh.cells.size();
    number_by_piece();
    number_cells();
    if (this->split)
      number_along_curve();
    else
      share_pieces();
    this->make_index_sets();
    this->constraints.close();
    make_boundary();
  }

private:
  unsigned int vertex(const unsigned int c, const unsigned int k) const
  {
    return k < n_corners
               ? mesh.cells[c].vertices[k]
               : mesh.mid_nodes[std::size_t(n - n_corners) * c + k - n_corners];
  }

  void number_by_piece()
  {
    std::vector<unsigned int> vertex_piece(mesh.vertices.size(), no_node);
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
      for (unsigned int k = 0; k < n; ++k)
        vertex_piece[vertex(c, k)] = mesh.cells[c].material_id;

    // Counting sort, stable: congruent pieces keep the same order of vertices.
    std::vector<unsigned int> start(mesh.n_pieces + 1, 0);
    for (const unsigned int p : vertex_piece)
      if (p != no_node)
        ++start[p + 1];
    this->pieces.resize(mesh.n_pieces);
    for (unsigned int p = 0; p < mesh.n_pieces; ++p)
    {
      this->pieces[p].n_nodes = start[p + 1];
      start[p + 1] += start[p];
      this->pieces[p].first_node = start[p];
    }
    node_of_vertex.assign(mesh.vertices.size(), no_node);
    this->nodes.resize(start.back());
    this->node_piece.resize(start.back());
    for (unsigned int v = 0; v < mesh.vertices.size(); ++v)
      if (vertex_piece[v] != no_node)
      {
        const unsigned int node = start[vertex_piece[v]]++;
        node_of_vertex[v]       = node;
        this->nodes[node]       = mesh.vertices[v];
        this->node_piece[node]  = vertex_piece[v];
      }
  }

  void number_cells()
  {
    for (auto &piece : this->pieces)
    {
      piece.first_cell = mesh.cells.size();
      piece.n_cells    = 0;
    }
    this->cell_nodes.reserve(mesh.cells.size() * n);
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
    {
      const unsigned int p = mesh.cells[c].material_id;
      this->cell_piece.push_back(p);
      this->pieces[p].first_cell = std::min(this->pieces[p].first_cell, c);
      ++this->pieces[p].n_cells;
      for (unsigned int k = 0; k < n; ++k)
        this->cell_nodes.push_back(node_of_vertex[vertex(c, k)]);
    }
  }

  /// A piece is owned as a whole by one rank.
  void share_pieces()
  {
    const unsigned int rank =
        Utilities::MPI::this_mpi_process(this->communicator);
    const unsigned int n_ranks =
        Utilities::MPI::n_mpi_processes(this->communicator);
    std::vector<unsigned int> nodes_of_rank(n_ranks, 0);
    for (unsigned int p = 0; p < this->pieces.size(); ++p)
    {
      this->pieces[p].rank = partition.piece_rank[p];
      nodes_of_rank[partition.piece_rank[p]] += this->pieces[p].n_nodes;
    }
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
      if (partition.piece_rank[this->cell_piece[c]] == rank)
        this->owned_cells.push_back(c);
    set_ranges(nodes_of_rank);
  }

  /// Nodes in the order in which the curve meets them: a node belongs to the
  /// first rank that has a cell with it.
  void number_along_curve()
  {
    const unsigned int rank =
        Utilities::MPI::this_mpi_process(this->communicator);
    std::vector<unsigned int> nodes_of_rank(
        Utilities::MPI::n_mpi_processes(this->communicator), 0);
    std::vector<unsigned int> new_number(this->nodes.size(), no_node);
    for (unsigned int place = 0; place < mesh.cells.size(); ++place)
    {
      const unsigned int c = partition.cell_order[place];
      const unsigned int r = partition.rank_of_place[place];
      if (r == rank)
        this->owned_cells.push_back(c);
      for (unsigned int k = 0; k < n; ++k)
      {
        unsigned int &number =
            new_number[this->cell_nodes[std::size_t(n) * c + k]];
        if (number == no_node)
        {
          number = this->node_id.size();
          this->node_id.push_back(this->cell_nodes[std::size_t(n) * c + k]);
          ++nodes_of_rank[r];
        }
      }
    }
    const auto old_nodes = this->nodes;
    const auto old_piece = this->node_piece;
    for (unsigned int node = 0; node < old_nodes.size(); ++node)
    {
      this->nodes[node]      = old_nodes[this->node_id[node]];
      this->node_piece[node] = old_piece[this->node_id[node]];
    }
    for (auto &node : this->cell_nodes)
      node = new_number[node];
    for (auto &node : node_of_vertex)
      if (node != no_node)
        node = new_number[node];
    for (auto &piece : this->pieces)
    {
      piece.first_node = 0;
      piece.n_nodes    = this->nodes.size();
      piece.rank       = 0;
    }
    set_ranges(nodes_of_rank);
  }

  void set_ranges(const std::vector<unsigned int> &nodes_of_rank)
  {
    const unsigned int rank =
        Utilities::MPI::this_mpi_process(this->communicator);
    this->first_node_of_rank.assign(1, 0);
    for (const unsigned int count : nodes_of_rank)
      this->first_node_of_rank.push_back(this->first_node_of_rank.back() +
                                         count);
    this->first_owned_node = this->first_node_of_rank[rank];
    this->end_owned_node   = this->first_node_of_rank[rank + 1];
  }

  void make_boundary()
  {
    const auto &faces = this->element.faces();
    CellValues<dim> values(this->element, this->element.quadrature(false));
    this->smallest_edge = std::numeric_limits<double>::max();
    // Faces with one cell.
    const auto n_cells_of_face = count_cells_of_faces(mesh);
    const auto &local_faces    = outward_faces(mesh.reference_cell);
    std::unordered_map<FaceKey, unsigned int, FaceKeyHash> index_of_face;
    std::vector<unsigned int> corners;
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
    {
      const unsigned int *of_cell = this->nodes_of_cell(c);
      double measure              = -1.;
      for (unsigned int f = 0; f < faces.size(); ++f)
      {
        corners.clear();
        for (const unsigned int v : local_faces[f])
          corners.push_back(mesh.cells[c].vertices[v]);
        const FaceKey key = face_key(corners);
        if (n_cells_of_face.at(key) != 1)
          continue;
        if (measure < 0.)
        {
          values.reinit(this->nodes, of_cell);
          measure = 0.;
          for (unsigned int q = 0; q < values.n_points(); ++q)
            measure += values.JxW(q);
        }
        SkinFace face;
        face.n_nodes      = faces[f].size();
        face.n_corners    = local_faces[f].size();
        face.piece        = this->cell_piece[c];
        face.cell         = c;
        face.face         = f;
        face.cell_measure = measure;
        face.nodes.fill(0);
        for (unsigned int k = 0; k < face.n_nodes; ++k)
          face.nodes[k] = of_cell[faces[f][k]];
        index_of_face[key] = this->boundary.size();
        this->boundary.push_back(face);
      }
      for (unsigned int a = 0; a < n_corners; ++a)
        for (unsigned int b = 0; b < a; ++b)
          if (this->element.is_simplex() || ((a ^ b) & ((a ^ b) - 1)) == 0)
            this->smallest_edge = std::min(
                this->smallest_edge,
                this->nodes[of_cell[a]].distance(this->nodes[of_cell[b]]));
    }

    auto &all = this->surfaces["*"];
    all.resize(this->boundary.size());
    std::iota(all.begin(), all.end(), 0u);
    for (const auto &named : mesh.surfaces)
    {
      auto &list = this->surfaces[named.name];
      for (const auto &face : named.faces)
      {
        const auto it = index_of_face.find(face_key(face));
        if (it != index_of_face.end())
          list.push_back(it->second);
      }
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  const MeshData<dim> &mesh;
  const Partition &partition;
  const unsigned int n, n_corners;
  std::vector<unsigned int> node_of_vertex;
};
} // namespace

template <int dim>
BodyMesh<dim> make_shared_mesh(const MeshData<dim> &mesh,
                               const unsigned int degree,
                               const Partition &partition,
                               MPI_Comm communicator)
{
  return SharedMesh<dim>(mesh, degree, partition, communicator);
}

template struct BodyMesh<2>;
template struct BodyMesh<3>;
template Partition make_partition<2>(const MeshData<2> &,
                                     const double,
                                     const double,
                                     const unsigned int,
                                     const double);
template Partition make_partition<3>(const MeshData<3> &,
                                     const double,
                                     const double,
                                     const unsigned int,
                                     const double);
template BodyMesh<2> make_shared_mesh<2>(const MeshData<2> &,
                                         const unsigned int,
                                         const Partition &,
                                         MPI_Comm);
template BodyMesh<3> make_shared_mesh<3>(const MeshData<3> &,
                                         const unsigned int,
                                         const Partition &,
                                         MPI_Comm);
} // namespace delassus
