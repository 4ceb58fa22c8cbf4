#ifndef delassus_mesh_ball_generator_h
#define delassus_mesh_ball_generator_h

#include <delassus/mesh/mesh_data.h>
#include <delassus/parameters/parameters.h>

#include <string>

namespace delassus
{
/// A ball (a disk in 2D) of quadrilaterals or hexahedra with its exact shape
/// (MeshData::shape): a cube in the middle and blocks between its sides and the
/// sphere, `Ball divisions` cells along half an edge of the cube and as many
/// outwards. A half ball is the lower one, below the centre (last axis); a ball
/// sector its part with x >= 0 (and y >= 0 in 3D) seen from the centre, for
/// problems with symmetry. `Origin` is the centre.
///
/// Surfaces: "sphere"; "flat" (the cut through the centre, facing up) of the
/// half ball and the sector; "left" (x-) and in 3D "front" (y-) of the sector.
///
/// @p where begins the messages of an InputError.
template <int dim>
MeshData<dim> make_ball(const MeshParameters &mesh, const std::string &where);
} // namespace delassus

#endif
