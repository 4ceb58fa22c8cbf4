#ifndef delassus_materials_sheet_law_h
#define delassus_materials_sheet_law_h

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
struct MaterialParameters;

/// What a sheet's material answers at one point of the thickness, in the
/// material's axes: 1 along the rolling direction, 2 across it in the plane.
struct SheetResponse
{
  /// Second Piola-Kirchhoff stress S_11, S_22, S_12.
  std::array<double, 3> stress{};

  /// dS / d(E_11, E_22, 2 E_12), consistent with the algorithm that found the
  /// stress.
  std::array<std::array<double, 3>, 3> tangent{};

  /// ln of the stretch across the plane.
  double thickness_strain = 0.;

  /// Elastic energy (and what back stresses have stored), and what the step has
  /// dissipated, per reference volume.
  double stored = 0., dissipated = 0.;
};

/// A material in plane stress. Green's strain E = (C - I)/2 in the plane comes
/// in, stress and consistent tangent go out; history goes from the state at the
/// beginning of the step to that at its end, and whoever owns it accepts or
/// reverts. A law has no state: one object serves all points. Nothing here
/// allocates.
class SheetLaw
{
public:
  virtual ~SheetLaw() = default;

  /// Numbers a point remembers, and those of a virgin point.
  virtual unsigned int n_history() const         = 0;
  virtual void initialize(double *history) const = 0;

  /// The response to @p E = (E_11, E_22, 2 E_12) at the end of a step of length
  /// @p h (> 0) that began with @p begin; @p end may not be @p begin. Returns
  /// false, with nothing to be used, if there is no answer: the step is to be
  /// cut.
  virtual bool respond(const std::array<double, 3> &E,
                       const double h,
                       const double *begin,
                       double *end,
                       const bool with_tangent,
                       SheetResponse &response) const = 0;

  /// G_13 and G_23 (without the correction 5/6): transverse shear is elastic.
  virtual std::array<double, 2> shear_moduli() const = 0;

  /// Modulus across the plane, for the sheet's own compliance there.
  virtual double thickness_modulus() const = 0;

  virtual double density() const  = 0;
  virtual bool is_elastic() const = 0;

  /// Values of the history that are worth looking at: name and index.
  struct Field
  {
    std::string name;
    unsigned int first;
  };
  virtual std::vector<Field> fields() const
  {
    return {};
  }
};

/// The law that the parameters name. What is made of solids' laws or for sheets
/// alone: doc/materials.md.
std::unique_ptr<SheetLaw> make_sheet_law(const MaterialParameters &parameters);
} // namespace delassus

#endif
