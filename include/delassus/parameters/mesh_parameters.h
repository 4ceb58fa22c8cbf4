#ifndef delassus_parameters_mesh_parameters_h
#define delassus_parameters_mesh_parameters_h

#include <array>
#include <map>
#include <string>
#include <vector>

namespace delassus
{
enum class MeshType
{
  file,              ///< .geo script, .msh file, or another format of deal.II
  running_bond_wall, ///< generated: blocks in running bond, half blocks at ends
  box,               ///< generated: one box (rectangle, brick)
  ball,              ///< generated: a ball (a disk in 2D)
  half_ball,         ///< its lower half
  ball_sector,       ///< the part of the half ball with x >= 0 [, y >= 0]
  rectangle,         ///< of shells: in a plane z = constant
  disk,              ///< of shells: with an O-grid, or a half or quarter of it
  cylinder,          ///< of shells: its mantle, or a part of it, about z
  sphere             ///< of shells: a part between meridians and parallels
};

/// How much of a disk there is.
enum class DiskPart
{
  full,
  half,   ///< x >= that of the centre
  quarter ///< x and y >= those of the centre
};

enum class CellPattern
{
  eight_triangles, ///< 2 x 2 quadrilaterals, each cut in two (the papers' 8 T3)
  four_triangles,  ///< one quadrilateral cut by both diagonals (4 T3)
  tensor           ///< n x m quadrilaterals (Q4) or n x m x k hexahedra (H8)
};

/// A region whose cells are refined before the run starts.
struct RefinementParameters
{
  std::string region;      ///< expression of x,y[,z]: cells with value > 0
  unsigned int levels = 1; ///< each halves the cells of the region
};

/// How a mesh is held by the MPI ranks.
enum class MeshDistribution
{
  automatic,  ///< distributed if refined locally, else shared
  shared,     ///< any cell; every rank knows all cells
  distributed ///< p4est: quadrilaterals and hexahedra only
};

struct MeshParameters
{
  MeshType type = MeshType::file;
  std::string file;                           ///< path, found and absolute
  std::map<std::string, double> gmsh_numbers; ///< passed to the .geo script
  double scale = 1.;                          ///< multiplies coordinates
  /// A .geo script may call the system, write files and read those of other
  /// folders.
  bool allow_scripts = false;

  // Generators.
  std::vector<double> origin; ///< lower corner; dim entries, default 0
  std::vector<double> size;   ///< of a block (wall) or of the box
  CellPattern pattern = CellPattern::tensor;
  std::vector<unsigned int> divisions; ///< cells a block along each axis
  unsigned int n_courses      = 1;     ///< wall: rows of blocks
  double length               = 1;     ///< wall: blocks a course (k or k+1/2)
  bool single_piece           = false; ///< wall: blocks glued
  double radius               = 0.;    ///< ball
  unsigned int ball_divisions = 2;     ///< ball: cells of half an edge

  // Of shells.
  DiskPart part      = DiskPart::full;
  double hole_radius = 0.; ///< disk: 0, none
  /// Degrees: of the cylinder from x, of the sphere the longitudes.
  std::array<double, 2> angles{ { 0., 360. } };
  std::array<double, 2> latitudes{ { 0., 90. } }; ///< degrees: sphere
  std::string cut_out; ///< expression of x,y,z: quads with value > 0 at their
                       ///< centres are left out

  std::vector<RefinementParameters> refinement;
  unsigned int global_refinement = 0;
  MeshDistribution distribution  = MeshDistribution::automatic;
};

/// Where entries were written, for errors that only the mesh brings to light:
/// by "section/entry", the text that begins such an error ("wall.prm:43:
/// section 'Body wall', entry 'Physical name' = 'wal'"). Empty for parameters
/// that come from no file.
using EntryOrigins = std::map<std::string, std::string>;
} // namespace delassus

#endif
