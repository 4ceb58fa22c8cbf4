#ifndef delassus_mesh_block_generators_h
#define delassus_mesh_block_generators_h

#include <delassus/mesh/mesh_data.h>
#include <delassus/parameters/parameters.h>

#include <string>

namespace delassus
{
/// Generated block meshes. The last axis is up: in 2D x runs along the wall and
/// y up; in 3D x runs along the wall, y through its thickness and z up. `Size`
/// follows the axes: (length, height) or (length, thickness, height).
///
/// Each block is cut in n x m (x k) equal boxes (`Divisions`, 1 each if not
/// given) and every box gets the pattern: one Q4 or H8 (tensor), 2 x 2
/// quadrilaterals each cut from lower left to upper right (eight triangles), or
/// four triangles around a centre vertex. Vertices are numbered along x
/// first, then y, then z (centre vertices follow); cells likewise.
///
/// Coordinates are origin + scale * size * (integer / integer) with the same
/// integers on both sides of a joint, so that joints are closed exactly.
///
/// Surfaces: "left" (x-), "right" (x+), "bottom", "top" (last axis), in 3D also
/// "front" (y-) and "back" (y+), each with that face of every block; "base" is
/// the bottom of the lowest course, "crown" the top of the highest.
///
/// @p where begins the messages of an InputError (body and section).

/// One box: one piece.
template <int dim>
MeshData<dim> make_box(const MeshParameters &mesh, const std::string &where);

/// Running bond: courses j = 0, 2, ... begin with a whole block, courses
/// j = 1, 3, ... with a half block, and a half block closes a course where
/// needed, so that both ends are flush. `Length` is k or k + 1/2 blocks. Half
/// blocks have the cells of a whole block at half the width. Every block is a
/// piece with its own vertices; pieces are numbered along x, course by course.
///
/// With single_piece the blocks are glued to one conforming piece: half blocks
/// then have half as many cells along x, so that whole blocks need an even
/// number of them wherever there are half blocks, and only the outer faces
/// remain in the surfaces.
template <int dim>
MeshData<dim> make_running_bond_wall(const MeshParameters &mesh,
                                     const std::string &where);
} // namespace delassus

#endif
