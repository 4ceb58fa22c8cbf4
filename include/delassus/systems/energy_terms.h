#ifndef delassus_systems_energy_terms_h
#define delassus_systems_energy_terms_h

#include <array>

namespace delassus
{
/// The terms of the energy identity of one step, exact for any theta:
///   Delta (kinetic + elastic) = external - damping - inelastic + contact
///                               + driven - numerical - integration
/// kinetic and elastic are values at the end of the step, the others are works
/// over the step.
struct EnergyTerms
{
  double kinetic = 0., elastic = 0.;
  double external  = 0.; ///< h v_theta . P_ext(theta)
  double damping   = 0.; ///< h v_theta . V v_theta
  double contact   = 0.; ///< v_theta . H P
  double driven    = 0.; ///< v_theta . (reaction impulses of driven dofs)
  double numerical = 0.; ///< what the scheme dissipates, see accept()
  double inelastic = 0.; ///< plastic and viscous work of the materials
  /// Nonlinear internal forces: the work of the mean of those at the beginning
  /// and the end of the step, less what the materials store and dissipate.
  double integration = 0.;

  static constexpr unsigned int n_terms = 9;

  std::array<double, n_terms> values() const
  {
    return { { kinetic,
               elastic,
               external,
               damping,
               contact,
               driven,
               numerical,
               inelastic,
               integration } };
  }
  void set_values(const double *values)
  {
    kinetic     = values[0];
    elastic     = values[1];
    external    = values[2];
    damping     = values[3];
    contact     = values[4];
    driven      = values[5];
    numerical   = values[6];
    inelastic   = values[7];
    integration = values[8];
  }
};
} // namespace delassus

#endif
