#ifndef delassus_mesh_raw_mesh_h
#define delassus_mesh_raw_mesh_h

#include <delassus/mesh/cell_topology.h>

#include <set>
#include <string>
#include <vector>

namespace delassus
{
/// Cells under one name (a physical group of dimension dim, a material id).
struct CellGroup
{
  std::string name;

  /// Vertices of each cell in deal.II's order; either orientation.
  std::vector<std::vector<unsigned int>> cells;

  /// The node in the middle of each cell, no_node if it has none; empty for
  /// cells of degree 1.
  std::vector<unsigned int> centres;

  /// Names of the kinds of cells met that cannot be used ("Triangle 6").
  std::set<std::string> unusable_kinds;
};

/// What a mesh file says, before one body is taken out of it.
template <int dim>
struct RawMesh
{
  std::vector<dealii::Point<dim>> vertices;
  std::vector<CellGroup> groups;

  /// A file without groups has one group with an empty name.
  bool has_named_groups = false;

  /// Nodes in the middle of edges and faces of cells of degree 2, by their
  /// corners.
  std::unordered_map<FaceKey, unsigned int, FaceKeyHash> mid_nodes;

  /// Named groups of faces; the corners of a face in any order.
  std::vector<NamedSurface> surfaces;
};

/// The mesh of the body called @p body_name: the cells of the group
/// @p physical_name if that is not empty, else of the group with the body's
/// name, else of the only group. Cells are oriented positively and in the order
/// deal.II wants, split in connected pieces (by shared vertices; in the order
/// of their first cells), unused vertices dropped; nodes of degree 2 follow the
/// corners of all cells in the list of vertices. Surfaces keep the faces that
/// are on the boundary of this body; those without any are left out. Throws
/// InputError beginning with @p where, or with @p where_name if there is no
/// such group.
template <int dim>
MeshData<dim> extract_body(const RawMesh<dim> &raw,
                           const std::string &body_name,
                           const std::string &physical_name,
                           const std::string &where,
                           const std::string &where_name);
} // namespace delassus

#endif
