#ifndef delassus_parameters_rigid_body_parameters_h
#define delassus_parameters_rigid_body_parameters_h

#include <delassus/parameters/shape_parameters.h>

#include <array>
#include <string>
#include <vector>

namespace delassus
{
enum class RigidBodyScheme
{
  automatic,      ///< theta of the run
  implicit_euler, ///< theta = 1
  midpoint        ///< theta = 1/2: Moreau's
};

/// A body that does not deform. Vectors are in space-fixed axes, expressions
/// are of t; empty: not given.
struct RigidBodyParameters
{
  std::string name;
  ShapeParameters shape;

  double density   = 0.;      ///< 0: not given
  double thickness = 1.;      ///< 2D
  double mass      = 0.;      ///< 0: not given
  std::vector<double> center; ///< of mass; empty: that of the shape
  /// About the centre of mass: one number (2D; 3D: about the only free axis),
  /// principal moments along x, y, z, or xx, yy, zz, xy, yz, zx.
  std::vector<double> inertia;
  std::vector<double> pivot; ///< point of rotation; empty: centre of mass

  std::array<bool, 6> free{}; ///< x, y, z, rx, ry, rz (2D: x, y, rz)
  /// 3D: the only free rotation is that about rotation_axis.
  bool free_about_axis = false;
  std::vector<double> rotation_axis; ///< 3D, of length 1

  std::string displacement, velocity;     ///< of components that are not free
  std::string rotation;                   ///< angle in degrees about the axis
  std::string angular_velocity;           ///< radians per time
  std::string force, torque;              ///< on free components
  std::vector<double> stiffness, damping; ///< of each translation
  double rotational_stiffness = 0., rotational_damping = 0.;
  std::vector<double> orientation; ///< rotation vector in degrees
  std::vector<double> initial_velocity, initial_angular_velocity;
  RigidBodyScheme scheme = RigidBodyScheme::automatic;
};
} // namespace delassus

#endif
