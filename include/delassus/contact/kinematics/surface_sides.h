#ifndef delassus_contact_kinematics_surface_sides_h
#define delassus_contact_kinematics_surface_sides_h

#include <delassus/contact/kinematics/contact_surfaces.h>

namespace delassus
{
/// Faces that meet at a larger angle than this (50 degrees) have an edge
/// between them.
constexpr double cosine_of_edge = 0.6427876;

/// A side of a piece: faces that follow each other without an edge between
/// them. What it can tell apart are the forces on its nodes.
struct SurfaceSide
{
  unsigned int piece = 0;
  std::vector<unsigned int> faces;
  unsigned int n_nodes = 0; ///< free ones: those that hang have masters
  unsigned int n_inner = 0; ///< of these, not on the rim of the side
  bool few = false; ///< at most two faces along each direction: see below
};

/// The sides that faces form, in the order of their first face. A side has few
/// faces if these are at most 2 segments, 4 quadrilaterals or 8 triangles.
///
/// With a point in the middle of each face the nodes of a side feel
///   f = B r,  B_ij = N_i(x_j),
/// where the impulses r of points that alternate in sign cancel at every node
/// but those of the rim. For n faces in a row
///   smallest/largest eigenvalue of B^T B
///     = (1 + cos(n pi/(n+1))) / (1 + cos(pi/(n+1)))
/// which is 1 and 1/3 for n = 1 and 2, and about (pi/2n)^2 for many: pressures
/// that alternate are then felt by nobody, and nothing bounds them.
template <int dim>
std::vector<SurfaceSide>
find_surface_sides(const ContactSurfaces<dim> &surfaces,
                   const std::vector<unsigned int> &faces);

/// For CandidatePoints::automatic: which pieces are blocks, of whose faces all
/// sides have few; by piece, false for those without any of the faces.
template <int dim>
std::vector<bool> find_blocks(const ContactSurfaces<dim> &surfaces,
                              const std::vector<unsigned int> &faces);

/// The side on which points inside faces, of those from @p first to @p end - 1,
/// outnumber the nodes that tell their forces apart by most: those not on its
/// rim. Sides with few faces are left out: on blocks the resultants of a side
/// count.
struct CrowdedSide
{
  unsigned int n_points = 0; ///< 0: there is none
  SurfaceSide side;
};

template <int dim>
CrowdedSide find_crowded_side(const ContactSurfaces<dim> &surfaces,
                              const unsigned int first,
                              const unsigned int end);
} // namespace delassus

#endif
