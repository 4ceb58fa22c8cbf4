#ifndef delassus_contact_detection_facing_h
#define delassus_contact_detection_facing_h

namespace delassus
{
/// A candidate and its antagonist must face each other: the cosine between
/// their outward normals is below this. It keeps a point from seeing the side
/// walls of a joint it lies in.
constexpr double facing = -0.2;

/// How far beyond the edge of a face (in its own coordinates) a projection
/// still counts: nodes that lie on a common edge must not flicker. Also what
/// distances must differ by, in sizes of a face, to outweigh opposite normals.
constexpr double overhang = 0.01;

/// Steps in a surface lower than this, in sizes of a face, do not stop what
/// slides over it.
constexpr double lowest_step = 1e-3;

/// Faces that meet at a larger angle than this (50 degrees) are not averaged.
constexpr double smooth = 0.6427876;
} // namespace delassus

#endif
