#ifndef delassus_shells_shell_section_h
#define delassus_shells_shell_section_h

#include <delassus/materials/sheet_law.h>

#include <vector>

namespace delassus
{
/// Where a layer is looked at: Gauss' points are inside, exact for polynomials
/// of degree 2n-1; Lobatto's have the faces among them, where a sheet yields
/// first, exact to 2n-3.
enum class ThicknessRule
{
  gauss,
  lobatto
};

/// Points and weights of a rule on [-1, 1], ascending; the weights' sum is 2.
/// Any number of points: at least one, two for Lobatto's.
void thickness_rule(const ThicknessRule rule,
                    const unsigned int n_points,
                    std::vector<double> &points,
                    std::vector<double> &weights);

/// One material through a share of the thickness.
struct ShellLayer
{
  const SheetLaw *law   = nullptr;
  double fraction       = 1.; ///< of the thickness
  double angle          = 0.; ///< of its rolling direction, about the director
  unsigned int n_points = 5;
  ThicknessRule rule    = ThicknessRule::gauss;
};

/// Layers from the inner face (zeta = -1) to the outer one (zeta = 1), the side
/// to which the director points.
class ShellSection
{
public:
  /// Throws InputError if the fractions are not positive with sum 1, or a layer
  /// has too few points or no law.
  explicit ShellSection(const std::vector<ShellLayer> &layers,
                        const double shear_correction = 5. / 6.);

  struct Point
  {
    double zeta, weight; ///< weights' sum is 2, the length of [-1, 1]
    const SheetLaw *law;
    double cosine, sine; ///< of the layer's angle
    bool turned;         ///< its axes are not those of the point before
    unsigned int first;  ///< of its history
  };

  const std::vector<Point> &points() const
  {
    return all_points;
  }

  /// Where a layer is, and its points: n from the first one.
  struct Layer
  {
    double from, to; ///< zeta
    unsigned int first, n;
  };
  const std::vector<Layer> &layers() const
  {
    return all_layers;
  }

  /// Of all points through the thickness at one point of the plane.
  unsigned int n_history() const
  {
    return history;
  }
  void initialize(double *history) const;

  /// Integrals over zeta in [-1, 1]: of the density; of its product with
  /// zeta^2; of k G, the shear stiffness, as G_11, G_22, G_12.
  double density() const
  {
    return mass;
  }
  double second_density() const
  {
    return second_mass;
  }
  const std::array<double, 3> &shear() const
  {
    return shear_stiffness;
  }

  bool is_elastic() const
  {
    return elastic;
  }

private:
  std::vector<Point> all_points;
  std::vector<Layer> all_layers;
  unsigned int history = 0;
  double mass = 0., second_mass = 0.;
  std::array<double, 3> shear_stiffness{};
  bool elastic = true;
};
} // namespace delassus

#endif
