#ifndef delassus_parameters_shape_parameters_h
#define delassus_parameters_shape_parameters_h

#include <string>
#include <vector>

namespace delassus
{
enum class ObstacleType
{
  plane,
  sphere, ///< a circle in 2D
  cylinder,
  cone,
  torus,
  box,
  extruded_profile, ///< a polyline with fillets along an axis (2D: as it is)
  revolved_profile, ///< a polyline with fillets about an axis
  surface           ///< triangulated (2D: segments), from a mesh file
};

/// The surface of an obstacle or a rigid body at time 0. Outward normals point
/// towards the bodies. Which entries a type uses is said in its section.
struct ShapeParameters
{
  std::string name;
  ObstacleType type = ObstacleType::plane;
  std::vector<double> point;  ///< plane: a point; others: centre, apex, origin
  std::vector<double> normal; ///< plane: towards the bodies, of length 1
  std::vector<double> axis;   ///< of cylinder, cone, torus, profiles
  double radius       = 0.; ///< sphere, cylinder, torus (to the tube's centre)
  double minor_radius = 0.; ///< torus: of the tube
  double half_angle   = 0.; ///< cone, degrees
  double length       = 0.; ///< cylinder, cone: 0 is without end
  std::vector<double> size; ///< box
  double rounding = 0.;     ///< box: radius of its edges
  std::vector<std::vector<double>> profile; ///< points (s, r) of the polyline
  std::vector<double> fillets;              ///< radius at each inner point
  std::string file;                         ///< surface: mesh
  std::string physical_name;                ///< surface: group in the mesh
  double scale       = 1.;                  ///< surface
  bool allow_scripts = false;               ///< surface: as of meshes
  bool hollow        = false; ///< the bodies are inside (bore, die cavity)
};
} // namespace delassus

#endif
