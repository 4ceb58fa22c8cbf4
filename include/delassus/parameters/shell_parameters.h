#ifndef delassus_parameters_shell_parameters_h
#define delassus_parameters_shell_parameters_h

#include <delassus/parameters/mesh_parameters.h>

#include <string>
#include <vector>

namespace delassus
{
enum class CorrectingMatrix;

/// What a section 'Body NAME' describes.
enum class BodyType
{
  solid,
  shell,
  solid_shell ///< a solid of one hexahedron through a sheet
};

/// One material through a share of a sheet, from the inner face outwards.
struct ShellLayerParameters
{
  std::string material;
  double fraction = 1.; ///< of the thickness
  double angle    = 0.; ///< degrees, of its rolling direction
};

enum class ShellRule
{
  gauss,
  lobatto
};

/// A body of type shell.
struct ShellParameters
{
  std::string name;
  MeshParameters mesh;
  std::string physical_name; ///< of the group of quads; default: the body's
                             ///< name, or all
  std::string thickness;     ///< expression of x,y,z
  std::vector<ShellLayerParameters> layers; ///< at least one
  unsigned int n_points   = 5;              ///< through each layer
  ShellRule rule          = ShellRule::gauss;
  double shear_correction = 5. / 6.;
  double fold_angle       = 5.;          ///< degrees
  std::vector<double> rolling_direction; ///< empty: x
  bool turn_over        = false;         ///< the outer side is the other one
  bool enhanced         = true;          ///< modes of bending in the plane
  bool follow_thickness = true;          ///< what straining leaves of it
  bool compliant        = true; ///< contact: through half the thickness
  /// Of lumped masses: rotary inertia at least mass times area over 8.
  bool scaled_inertia = true;
  std::string body_force; ///< expressions of x,y,z,t: per unit mass
  std::string initial_velocity, initial_angular_velocity; ///< of x,y,z
  bool has_matrix = false; ///< of its own, not that of section Newton
  CorrectingMatrix matrix{};
  EntryOrigins origins; ///< by entry of the section: "Mesh/File"

  /// What begins an error of the entry (see BodyParameters::where).
  std::string where(const std::string &entry,
                    const std::string &otherwise) const
  {
    const auto found = origins.find(entry);
    return found != origins.end() ? found->second
                                  : "Body '" + name + "', " + otherwise;
  }
};
} // namespace delassus

#endif
