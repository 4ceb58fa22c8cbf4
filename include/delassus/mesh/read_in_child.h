#ifndef delassus_mesh_read_in_child_h
#define delassus_mesh_read_in_child_h

#include <delassus/mesh/raw_mesh.h>

#include <functional>
#include <string>

namespace delassus
{
/// An hour: what takes a library of meshes longer is taken for endless.
constexpr double longest_meshing = 3600.;

/// What @p read reads, in a child process (see run_in_child()) of at most
/// longest_meshing seconds and nine tenths of the memory that the machine has
/// left (1 GiB at least). What it throws, and how it dies, is an InputError;
/// the latter begins with @p who ("mesh 'a.msh': Gmsh").
template <int dim>
RawMesh<dim> read_in_child(const std::function<RawMesh<dim>()> &read,
                           bool confined,
                           const std::string &who);
} // namespace delassus

#endif
