#ifndef delassus_shells_shell_mesh_h
#define delassus_shells_shell_mesh_h

#include <delassus/shells/vector3.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace delassus
{
/// Quadrilaterals in space; the normal of one is that about which its nodes go
/// round counterclockwise.
struct ShellMesh
{
  std::vector<Vector3> nodes;
  std::vector<std::array<unsigned int, 4>> quads;

  std::array<Vector3, 4> corners(const unsigned int quad) const
  {
    const auto &q = quads[quad];
    return { { nodes[q[0]], nodes[q[1]], nodes[q[2]], nodes[q[3]] } };
  }

  Vector3 centre(const unsigned int quad) const;
};

/// Turn quads so that normals agree across every edge that two quads share; the
/// first quad of each connected part stays as it is. Edges of three and more
/// quads (T-junctions) connect nothing. Returns how many were turned. Throws
/// InputError, naming the body and the place, where it cannot be done: a
/// surface with one side only.
unsigned int orient(ShellMesh &mesh, const std::string &name);

/// The piece of each quad, numbered in the order of their first quads: what
/// shares a node is one piece.
std::vector<unsigned int> number_pieces(const ShellMesh &mesh);

/// Throws InputError if a quad is no element: nodes that do not exist or are
/// the same, no area, a corner that is not convex, warped by more than 60
/// degrees, no thickness. Returns warnings: thicker than wide. @p thickness has
/// one value for each quad.
std::vector<std::string> check_shell_mesh(const ShellMesh &mesh,
                                          const std::vector<double> &thickness,
                                          const std::string &name);

/// Edges at which the sheet ends although it seems to go on: a node in the
/// middle of one, joined to its end by such an edge (a hanging node: an element
/// meets two smaller ones), throws InputError with the place; edges that lie on
/// each other with nodes of their own, and nodes of another part on one, are
/// told as warnings, for slits may be meant.
std::vector<std::string> find_open_joints(const ShellMesh &mesh,
                                          const std::string &name);

/// Normals at the nodes: one for each group of quads around a node whose
/// normals agree there across the edges that they share. A node with several
/// directors is at a fold, where two parts meet at an angle or more than two
/// parts meet.
struct ShellDirectors
{
  std::vector<Vector3> director;  ///< of length one
  std::vector<unsigned int> node; ///< that it belongs to

  /// The directors of the corners of each quad.
  std::vector<std::array<unsigned int, 4>> corner;
};

/// @p fold_angle (radian): the largest between normals of neighbours that are
/// one smooth surface. Directors are means of the quads' normals at the node,
/// weighted by their angles there.
ShellDirectors make_directors(const ShellMesh &mesh,
                              const double fold_angle,
                              const std::string &name);

/// Put the directors at nodes where @p on_plane is true into the plane with
/// this normal: at a plane of symmetry the mean of the normals on one side is
/// off by half the angle of an element.
void keep_directors_in_plane(
    ShellDirectors &directors,
    const ShellMesh &mesh,
    const Vector3 &normal,
    const std::function<bool(const Vector3 &)> &on_plane);

/// Five degrees.
constexpr double default_fold_angle = 3.14159265358979323846 / 36.;

/// n_u x n_v quads of x(u, v), u and v in [0, 1]. Nodes inside are moved at
/// random, in u and v, by up to @p distortion of a cell. The same @p seed gives
/// the same mesh everywhere. Node (i, j) has the number i + j (n_u + 1).
ShellMesh shell_grid(const unsigned int n_u,
                     const unsigned int n_v,
                     const std::function<Vector3(double, double)> &x,
                     const double distortion = 0.,
                     const unsigned int seed = 1);

/// [0, length] x [0, width] in the plane z = 0.
ShellMesh shell_rectangle(const double length,
                          const double width,
                          const unsigned int n_along,
                          const unsigned int n_across,
                          const double distortion = 0.,
                          const unsigned int seed = 1);

/// A disk about the origin in the plane z = 0: a square of n x n quads and a
/// ring of n_ring quads around it on each side.
ShellMesh shell_disk(const double radius,
                     const unsigned int n,
                     const unsigned int n_ring);

/// (R cos phi, R sin phi, z), phi from @p from to @p to, z in [0, length];
/// normals point outwards. u goes with phi, v with z.
ShellMesh shell_cylinder(const double radius,
                         const double length,
                         const double from,
                         const double to,
                         const unsigned int n_around,
                         const unsigned int n_along,
                         const double distortion = 0.,
                         const unsigned int seed = 1);

/// A part of a sphere, longitude phi from 0 to @p longitude, latitude from 0 at
/// the equator to @p latitude; normals point outwards. u goes with phi, v with
/// the latitude: a hole is left at the pole.
ShellMesh shell_sphere(const double radius,
                       const double longitude,
                       const double latitude,
                       const unsigned int n_around,
                       const unsigned int n_up,
                       const double distortion = 0.,
                       const unsigned int seed = 1);

/// Along x from 0 to @p length, across y at the beginning, turned about x by
/// @p angle at the end.
ShellMesh shell_twisted_strip(const double length,
                              const double width,
                              const double angle,
                              const unsigned int n_along,
                              const unsigned int n_across,
                              const double distortion = 0.,
                              const unsigned int seed = 1);
} // namespace delassus

#endif
