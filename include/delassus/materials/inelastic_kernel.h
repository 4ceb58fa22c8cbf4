#ifndef delassus_materials_inelastic_kernel_h
#define delassus_materials_inelastic_kernel_h

#include <delassus/materials/hardening.h>
#include <delassus/materials/spectral.h>
#include <delassus/parameters/parameters.h>

namespace delassus
{
/// What an inelastic kernel answers to an elastic trial strain E. The stress
/// is T = kappa tr(Ee) I + 2 G dev(Ee) of the elastic strain Ee = E - flow,
/// and whatever the law,
///   dT/dE = bulk I x I + shear P - drop N x N,
/// P the projector on deviators, N a deviator of length 1.
struct InelasticResult
{
  Symmetric stress;
  Symmetric flow;   ///< inelastic strain increment, a deviator
  Symmetric normal; ///< N
  double bulk = 0., shear = 0., drop = 0.;
  bool flows    = false; ///< else flow and drop are zero, and the state is kept
  double stored = 0., dissipated = 0.;
};

/// Von Mises' plasticity, f = q(T - B) - S(a) <= 0 with q = sqrt(3/2) |dev|,
/// isotropic hardening S, Prager's back stress B' = 2/3 H_k Ep', and Perzyna's
/// overstress,
///   a' = 1/eta <f / S>^(1/m),   that is  q = S (1 + (eta a')^m).
/// Backward Euler: the return is radial, x = a+ - a solves
///   q_trial - (3 G + H_k) x = S(a + x) (1 + (eta x / h)^m).
class J2Kernel
{
public:
  explicit J2Kernel(const MaterialParameters &material);

  /// Numbers of the state: a, then B if there is kinematic hardening.
  unsigned int n_state() const
  {
    return has_back_stress() ? 7 : 1;
  }

  /// Without, T is coaxial with E.
  bool has_back_stress() const
  {
    return H_kinematic > 0.;
  }

  /// @p state is that of the beginning, and its B (in the axes of E) and a are
  /// replaced by those of the end. False: no root found. Without the tangent
  /// normal, shear and drop are not told.
  bool step(const Symmetric &E,
            const double h,
            const bool with_tangent,
            double (&state)[7],
            InelasticResult &result) const;

  static constexpr const char *field = "plastic_strain";

private:
  /// The root x > 0 of R(x) = f and R'(x) there, where
  ///   R = A x + S(a + x) (1 + (eta x / h)^m) - S(a) rises from R(0) = 0.
  bool solve(const Hardening::Start &start,
             const double q_trial,
             const double f,
             const double h,
             double &x,
             double &slope) const;

  Hardening hardening;
  double G, K, H_kinematic, viscosity, rate_exponent;
};

/// Maxwell's fluid in the deviator, elastic in the volume: viscous rate
/// dev(T) / (2 eta), backward Euler:
///   dev T = 2 G dev E / (1 + h G / eta).
/// A shear stress relaxes as exp(-t G / eta).
class MaxwellKernel
{
public:
  explicit MaxwellKernel(const MaterialParameters &material)
      : G(material.young_modulus / (2. * (1. + material.poisson_ratio)))
      , K(material.young_modulus / (3. * (1. - 2. * material.poisson_ratio)))
      , viscosity(material.viscosity)
  {
  }

  /// The equivalent viscous strain, for output only.
  unsigned int n_state() const
  {
    return 1;
  }

  bool has_back_stress() const
  {
    return false;
  }

  bool step(const Symmetric &E,
            const double h,
            const bool with_tangent,
            double (&state)[7],
            InelasticResult &result) const;

  static constexpr const char *field = "viscous_strain";

private:
  double G, K, viscosity;
};
} // namespace delassus

#endif
