#ifndef delassus_bodies_dilatation_groups_h
#define delassus_bodies_dilatation_groups_h

#include <delassus/bodies/body_mesh.h>

namespace delassus
{
/// Cells that share one mean dilatation: each cell alone, or, for triangles and
/// tetrahedra of degree 1, patches of about 4 or 8 that hang together by faces.
/// So many leave about as many volume constraints as a Q4 or H8 mesh has:
/// with fewer cells a patch still locks, with more its volume is too free. The
/// patches do not depend on the number of ranks.
template <int dim>
std::vector<std::vector<unsigned int>>
make_dilatation_groups(const BodyMesh<dim> &mesh, const bool patches);
} // namespace delassus

#endif
