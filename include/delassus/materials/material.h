#ifndef delassus_materials_material_h
#define delassus_materials_material_h

#include <delassus/parameters/parameters.h>

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// Stress and strain in the order xx yy zz xy yz zx; shear strains are
/// engineering ones (gamma = 2 eps).
using Voigt = std::array<double, 6>;

/// A fourth-order tensor with minor symmetries on vectors of that order: with
/// d = (d_xx, d_yy, d_zz, 2 d_xy, 2 d_yz, 2 d_zx), (C d)_i is a stress.
using VoigtMatrix = std::array<std::array<double, 6>, 6>;

/// What a material answers at one point, at the end of the step.
struct MaterialResponse
{
  /// Kirchhoff stress tau = J sigma (small strain: sigma).
  Voigt stress{};

  /// Consistent with the algorithm that found the stress, symmetric. Finite
  /// strain: c of L_v tau = c : d, the Lie derivative of the Kirchhoff stress,
  /// so that the change of the first Piola-Kirchhoff stress, pushed forward, is
  /// (c_ijkl + delta_ik tau_jl) l_kl. Small strain: d sigma / d eps.
  VoigtMatrix tangent{};

  /// Elastic energy, per reference volume, and what a back stress has stored.
  double stored = 0.;

  /// Plastic and viscous work of the step, per reference volume: stress less
  /// back stress, times inelastic strain increment (what isotropic hardening
  /// keeps of it included), never negative but by rounding.
  double dissipated = 0.;
};

/// A value of the history that is worth looking at.
struct MaterialField
{
  std::string name;   ///< "plastic_strain"
  unsigned int first; ///< index in the history
};

/// A material law, written once in 3D. The deformation gradient F = dx/dX
/// comes in, stress and consistent tangent go out; history goes from the state
/// at the beginning of the step to that at its end, and whoever owns it
/// accepts or reverts. A law has no state: one object serves all points.
/// Nothing here allocates.
class Material
{
public:
  virtual ~Material() = default;

  /// Small-strain laws take the strain sym(F) - I, know no rotation and are
  /// used on the reference configuration.
  virtual bool is_finite_strain() const = 0;

  /// Numbers a point remembers.
  virtual unsigned int n_history() const = 0;

  /// The history of a virgin point.
  virtual void initialize(double *history) const = 0;

  /// The response to F at the end of a step of length @p h (> 0) that began
  /// with @p begin; @p end may not be @p begin. Returns false, with nothing to
  /// be used, if there is no answer (det F <= 0, a local iteration that does
  /// not converge): the step is to be cut.
  virtual bool respond(const dealii::Tensor<2, 3> &F,
                       const double h,
                       const double *begin,
                       double *end,
                       const bool with_tangent,
                       MaterialResponse &response) const = 0;

  /// What output shows of the history.
  virtual std::vector<MaterialField> fields() const
  {
    return {};
  }

  /// Whether the response depends on the past or on h: elastic ones do not.
  virtual bool is_elastic() const = 0;

  double density() const
  {
    return parameters.density;
  }
  double shear_modulus() const
  {
    return parameters.young_modulus / (2. * (1. + parameters.poisson_ratio));
  }
  double bulk_modulus() const
  {
    return parameters.young_modulus /
           (3. * (1. - 2. * parameters.poisson_ratio));
  }

  const MaterialParameters parameters;

protected:
  explicit Material(const MaterialParameters &parameters)
      : parameters(parameters)
  {
  }
};

/// The law that the parameters name; plane stress wraps it.
std::unique_ptr<Material> make_material(const MaterialParameters &parameters,
                                        const Assumption assumption);
} // namespace delassus

#endif
