#ifndef delassus_shell_systems_results_sheet_fields_h
#define delassus_shell_systems_results_sheet_fields_h

#include <delassus/bodies/results/extrapolation.h>
#include <delassus/shells/shell_model.h>

#include <string>
#include <vector>

namespace delassus
{
/// What a sheet shows at the corners of its quads: on the faces of its layers
/// and, where there is one layer, in its middle. Everything is of the last
/// accepted state.
///
/// Stresses are Cauchy's in the axes of space. Elastic layers are asked with
/// the strain of the place; of others it is what the point of the layer knows
/// that is nearest through the thickness (with Lobatto's rule it is on the
/// face), since its history is known there only. In the plane values go from
/// the four points to the corners as those of solids do (Extrapolation).
class SheetFields
{
public:
  /// @p histories: names of what laws remember, 0 for those that have it not.
  SheetFields(const ShellModel &model, std::vector<std::string> histories);

  /// Names of what the laws of a model remember, each once.
  static void add_histories(const ShellModel &model,
                            std::vector<std::string> &names);

  /// Where values are: zeta in [-1, 1] and the layer; two of each layer, from
  /// the inner face outwards, but three where there is one layer.
  struct Level
  {
    double zeta;
    unsigned int layer;
  };
  const std::vector<Level> &levels() const
  {
    return all_levels;
  }

  /// Ask for one quad.
  void reinit(const unsigned int quad);

  struct Values
  {
    Voigt stress;        ///< xx yy zz xy yz zx
    double major, minor; ///< logarithmic strains of the plane
    std::vector<double> histories;
  };
  const Values &values(const unsigned int level,
                       const unsigned int corner) const
  {
    return corners[4 * level + corner];
  }

  /// Of a corner, for all levels.
  struct Section
  {
    double thickness, thinning; ///< present; 1 - present / original
    /// Forces and moments per present length: 11, 22, 12 in the axes of the
    /// material, as it has turned; a moment is positive where the outer face is
    /// in tension.
    std::array<double, 3> force, moment;
    Vector3 rolling; ///< the first of these axes
  };
  const Section &section(const unsigned int corner) const
  {
    return sections[corner];
  }

  /// Place at rest and displacement of a corner at @p zeta.
  Vector3 rest(const unsigned int corner, const double zeta) const;
  Vector3 displacement(const unsigned int corner, const double zeta) const;

  const ShellState &state() const
  {
    return model.beginning();
  }

private:
  /// At one of the 2 x 2 points of the plane.
  struct PointValues
  {
    std::vector<Voigt> stress; ///< of levels
    std::vector<double> major, minor;
    std::vector<double> histories; ///< all of a level, then the next
    double thickness_strain;
    std::array<double, 3> force, moment;
    Vector3 rolling;
  };

  /// The present frame of the material at a point, and the stretch there.
  struct Frame
  {
    Vector3 e1, e2;
    double U[2][2];
    std::array<double, 2> log_strain; ///< larger, smaller
  };
  Frame frame(const unsigned int point, const double zeta) const;

  /// Cauchy's stress from S in the axes e_1, e_2 at rest: 11, 22, 12 in the
  /// present ones.
  static std::array<double, 3> cauchy(const std::array<double, 3> &S,
                                      const Frame &frame,
                                      const double thickness_strain);

  /// Ask the law of a point through the thickness, at @p zeta; S in the axes
  /// e_1, e_2 of the sheet.
  SheetResponse ask(const ShellSection::Point &place,
                    const unsigned int point,
                    const double zeta) const;

  void look_at(const unsigned int point);
  void to_corners();

  const ShellModel &model;
  const std::vector<std::string> names;
  std::vector<Level> all_levels;
  std::vector<unsigned int> nearest; ///< point of the section, by level
  std::vector<std::vector<int>> index; ///< by level: of histories in the law
  Extrapolation<2> extrapolation;

  unsigned int quad = 0;
  ShellValues z{}, z_rest{};
  std::array<PointValues, 4> points;
  std::vector<Values> corners;
  std::array<Section, 4> sections;
  mutable std::vector<double> scratch; ///< history of one point
  std::vector<Voigt> stresses;
  std::vector<double> scalars;
};
} // namespace delassus

#endif
