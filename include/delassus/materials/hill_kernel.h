#ifndef delassus_materials_hill_kernel_h
#define delassus_materials_hill_kernel_h

#include <delassus/materials/hardening.h>
#include <delassus/materials/logarithmic_plane.h>
#include <delassus/parameters/parameters.h>

namespace delassus
{
/// Hooke's law in plane stress, isotropic or orthotropic in the axes of the
/// plane, and the strain across it:
///   T = C eps,  eps_33 = -(across_1 T_11 + across_2 T_22).
struct PlaneElasticity
{
  /// Of the entries `Young modulus` and `Poisson ratio`, or of the moduli of
  /// Model = orthotropic.
  explicit PlaneElasticity(const MaterialParameters &material);

  PlaneVector stress(const PlaneVector &strain) const
  {
    return { { C[0][0] * strain[0] + C[0][1] * strain[1],
               C[0][1] * strain[0] + C[1][1] * strain[1],
               C[2][2] * strain[2] } };
  }

  double thickness_strain(const PlaneVector &stress) const
  {
    return -(across_1 * stress[0] + across_2 * stress[1]);
  }

  PlaneMatrix C{};
  double across_1, across_2; ///< nu_13 / E_1, nu_23 / E_2
  double young_3, G_13, G_23;
};

/// What a kernel answers to an elastic trial strain in the plane.
struct PlaneResult
{
  PlaneVector stress, flow; ///< T, and the plastic strain increment
  PlaneMatrix tangent;      ///< dT/deps
  double thickness = 0.;    ///< elastic strain across the plane
  bool flows       = false; ///< else flow is zero, and the state is kept
  double stored = 0., dissipated = 0.;
};

/// Hill's plasticity of 1948 in plane stress (von Mises' with r = 1), isotropic
/// hardening, back stresses and Perzyna's overstress. With xi = T - sum_j X_j,
///   q^2 = xi^T P xi,  f = q - S(p) <= 0,  q = S (1 + (eta p')^m),
///   eps_p' = p' n,  n = P xi / q,
///   P_11 = 1, P_12 = -r0/(1+r0), P_22 = r0 (1+r90) / (r90 (1+r0)),
///   P_33 = (r0+r90) (1+2 r45) / (r90 (1+r0)),
/// so that S is the stress of the tensile test along 1, and p its plastic
/// strain; and, by Ziegler's direction and the recall of Armstrong and
/// Frederick,
///   X_j' = p' (C_j xi / q - gamma_j X_j),
/// with gamma = 0 that of Prager for von Mises (X as a stress of the plane
/// whose deviator is his B).
///
/// Backward Euler, in axes in which elasticity is diagonal and P the unit
/// matrix (A C A^T = diag(lambda), A^T A = P, fixed). There x = p+ - p solves
///   |zeta_i / (Y + x mu_i)| = 1,  Y = S(p + x) (1 + (eta x / h)^m),
///   zeta = T_trial - sum w_j X_j,  mu_i = lambda_i + sum w_j C_j,
///   w_j = 1 / (1 + gamma_j x).
/// 1 over the left side rises nearly straight: one root, safely bracketed.
///
/// A law with recall has no potential, and its tangent is not symmetric: n
/// turns along the back stresses too. What is returned is the symmetric part,
/// exact where loading is proportional, else off by a share of order x gamma
/// |X| / q of what flow takes off the elastic one.
class HillKernel
{
public:
  explicit HillKernel(const MaterialParameters &material);

  /// Numbers of the state: p, then the back stresses, X_11 X_22 X_12 each.
  unsigned int n_state() const
  {
    return 1 + 3 * n_back;
  }

  bool step(const PlaneVector &trial_strain,
            const double h,
            const double *begin,
            double *end,
            const bool with_tangent,
            PlaneResult &result) const;

  const PlaneElasticity elasticity;

  static constexpr const char *field = "plastic_strain";

private:
  static constexpr unsigned int max_back_stresses =
      MaterialParameters::max_back_stresses;

  /// A step on the way to its root; vectors in the diagonal axes.
  struct Step
  {
    Hardening::Start start;
    double h;
    double zeta_0[3], q_0;               ///< eta and |eta| at x = 0
    double back[max_back_stresses][3];   ///< X_j of the beginning
    double x, Y, Y_x;                    ///< x, Y(x), Y'(x)
    double zeta[3], shift[3], zeta_x[3]; ///< eta, eta - zeta_0, eta'
    double C, C_x; ///< sum w_j C_j, and the derivative of x times it
  };

  /// Y and Y' at x; Y less S of the beginning.
  double rise(Step &step) const;

  /// What the back stresses make of zeta and mu at x.
  void recall(Step &step) const;

  /// What is to become f by the choice of x, and its derivative.
  double residual(Step &step, double &slope) const;

  /// The root x. False: none was found.
  bool solve(Step &step) const;

  Hardening hardening;
  double viscosity, rate_exponent;
  unsigned int n_back = 0;
  bool recalls        = false; ///< whether any gamma is not 0
  double back_modulus[max_back_stresses], back_rate[max_back_stresses];
  double A[3][3], B[3][3]; ///< stress to the diagonal axes; strain (A^-T)
  double lambda[3], lambda_min, lambda_max;
};
} // namespace delassus

#endif
