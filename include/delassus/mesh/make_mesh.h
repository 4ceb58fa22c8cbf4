#ifndef delassus_mesh_make_mesh_h
#define delassus_mesh_make_mesh_h

#include <delassus/mesh/mesh_data.h>
#include <delassus/parameters/parameters.h>

namespace delassus
{
/// Whether p4est holds and refines a mesh (see MeshDistribution).
bool is_distributed(const MeshParameters &mesh);

/// The mesh of @p body from its file or generator, checked: positive cell
/// measures, one kind of cell, no duplicate cells, surfaces made of boundary
/// faces. It is refined as a whole and has the nodes of the body's degree,
/// unless it is to be distributed: then p4est refines it, and nodes of degree 2
/// in it only say how its cells are curved. Throws InputError naming the body,
/// the file and what is wrong; also if its cells, before it is generated or
/// refined, are seen not to fit into @p memory bytes (0: no limit) on each of
/// @p n_ranks.
template <int dim>
MeshData<dim> make_mesh(const BodyParameters &body,
                        double memory        = 0.,
                        unsigned int n_ranks = 1);
} // namespace delassus

#endif
