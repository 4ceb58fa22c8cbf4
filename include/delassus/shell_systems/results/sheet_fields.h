#ifndef delassus_shell_systems_results_sheet_fields_h
#define delassus_shell_systems_results_sheet_fields_h

#include <delassus/bodies/results/extrapolation.h>
#include <delassus/shells/shell_model.h>

#include <string>
#include <vector>

namespace delassus
{
/// What a sheet shows at the corners of its quads, of the state that was
/// accepted last: on its inner face, in its middle and on its outer face, or on
/// both faces of every layer.
///
/// Through the thickness: elastic layers are asked with the strain of the
/// place. Others know their history at their points only; between two points
/// values are between theirs, and beyond the outermost one (with Lobatto's rule
/// it is on the face) they are those of that one. Strains are those of the
/// place. In the plane, values go from the four points to the corners as those
/// of solids do (Extrapolation): they stay in the range of the points.
///
/// Stresses are Cauchy's, in the axes of space: F S F^T / J with F = R U, U^2 =
/// I + 2 E of the element's strain, R the rotation in F = R U of its
/// displacements, J = det U times the stretch across. Transverse shear is left
/// out.
class SheetFields
{
public:
  /// @p histories: names of what laws remember, 0 for those that have it not.
  /// @p h: the length of the step that has ended. @p layers: both faces of
  /// every layer where there are several.
  SheetFields(const ShellModel &model,
              std::vector<std::string> histories,
              const double h,
              const bool layers = false);

  /// Names of what the laws of a model remember, each once.
  static void add_histories(const ShellModel &model,
                            std::vector<std::string> &names);

  /// The state is another one: find its thickness.
  void set_state();

  /// Ask for one quad.
  void reinit(const unsigned int quad);

  /// Where values are, from the inner face outwards.
  struct Level
  {
    double zeta;
    unsigned int layer;
  };
  const std::vector<Level> &levels() const
  {
    return all_levels;
  }

  struct Values
  {
    Voigt stress;
    Voigt strain;        ///< logarithmic, tensor components, axes of space
    double major, minor; ///< logarithmic strains of the plane
    double across;       ///< and that across it
    Vector3 material;    ///< the layer's rolling direction, as it has turned
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
    /// Forces and moments per present length, 11, 22, 12 in the axes of the
    /// sheet's rolling direction, as it has turned; a moment is positive where
    /// the outer face is in tension.
    std::array<double, 3> force, moment;
  };
  const Section &section(const unsigned int corner) const
  {
    return sections[corner];
  }

  /// Place at rest, displacement and director of a corner.
  Vector3 rest(const unsigned int corner, const double zeta) const;
  Vector3 displacement(const unsigned int corner, const double zeta) const;
  const Vector3 &director(const unsigned int corner) const;

  /// Stresses of all points of the quad, those through the thickness and those
  /// of the levels.
  const std::vector<Voigt> &all_stresses() const
  {
    return known_stresses;
  }

private:
  /// Present axes of the material at a place, its stretch and its strain.
  struct Frame
  {
    Vector3 e1, e2, normal;
    double U[2][2];
    double major, minor;              ///< logarithmic
    std::array<double, 3> log_strain; ///< 11, 22, 12 in e1, e2
  };
  struct Answer
  {
    Voigt stress;
    std::array<double, 3> plane; ///< the stress 11, 22, 12 in e1, e2
    double across;
  };

  /// A level between points of its layer.
  struct Between
  {
    unsigned int point[2];
    double weight[2];
  };

  /// What is known at one of the 2 x 2 points of the plane.
  struct OfPoint
  {
    std::vector<Frame> frames; ///< of levels
    std::vector<Answer> answers;
    std::vector<double> histories; ///< of a level, then of the next
    std::vector<Vector3> material;
    std::array<double, 3> force, moment;
  };

  void find_levels();
  bool find_frame(const unsigned int p, const double zeta, Frame &frame) const;
  bool ask(const unsigned int p,
           const unsigned int place,
           const double zeta,
           const Frame &frame,
           Answer &answer);
  void look_at(const unsigned int p);
  void to_corners();

  const ShellModel &model;
  const std::vector<std::string> names;
  const double h;
  const bool every_layer;
  const Extrapolation<2> extrapolation;

  // Of the section of the quads at hand.
  const ShellSection *of_levels = nullptr;
  std::vector<Level> all_levels;
  std::vector<Between> between;        ///< by level
  std::vector<std::vector<int>> index; ///< by level: of histories in the law

  std::vector<double> growth; ///< of directors: thickness over that at rest
  unsigned int quad = 0;
  ShellValues z{};
  std::array<OfPoint, 4> points;
  std::vector<Values> corners;
  std::array<Section, 4> sections;
  std::vector<Voigt> known_stresses;
  std::vector<double> scratch; ///< history of one point
  std::vector<Answer> through; ///< the thickness, at one point of the plane
  std::vector<Voigt> tensors;  ///< at the four points
  std::vector<double> scalars;
};
} // namespace delassus

#endif
