#ifndef delassus_materials_barlat_kernel_h
#define delassus_materials_barlat_kernel_h

#include <delassus/materials/hill_kernel.h>

namespace delassus
{
/// The equivalent stress of Barlat and Lian (1989) in plane stress, the gauge
///   2 phi^M = a |K1 + K2|^M + a |K1 - K2|^M + c |2 K2|^M,
///   K1 = (T_11 + h T_22)/2,  K2^2 = ((T_11 - h T_22)/2)^2 + (p T_12)^2,
///   c = 2 sqrt(r0/(1+r0) r90/(1+r90)),  a = 2 - c,
///   h = sqrt(r0/(1+r0) (1+r90)/r90),
/// and p so that tension at 45 degrees has r45. phi is convex and of degree
/// one, the tensile stress along 1; M = 2 is Hill's of 1948.
class BarlatGauge
{
public:
  /// @p r: r0, r45, r90, for which r0, r90 > 0 and r45 > -1/2; @p M >= 2,
  /// not so large that its powers are zero (20).
  BarlatGauge(const std::array<double, 3> &r, const double M);

  struct Value
  {
    double phi;
    PlaneVector n; ///< d phi / dT
    PlaneMatrix H; ///< d^2 phi / dT^2, positive semidefinite, H T = 0
  };

  /// At T, not zero.
  void
  evaluate(const PlaneVector &T, const bool with_curvature, Value &value) const;

  /// No T with phi(T) = 1 is longer (11, 22, 12).
  double largest_stress() const;

  double a, c, h, p;

private:
  /// r of tension at 45 degrees.
  double r45() const;

  const double M;
};

/// Plasticity with this equivalent stress, isotropic hardening and Perzyna's
/// overstress:
///   f = phi - S(q) <= 0,  phi = S (1 + (eta q')^m),  eps_p' = q' dphi/dT.
/// Backward Euler: T and x = q+ - q are the saddle point of
///   (T - T_trial) . C^-1 (T - T_trial) / 2 + x phi(T) - int_0^x Y,
/// convex in T, concave in x, Y = S(q + x) (1 + (eta x / h)^m). For each x the
/// minimum T(x) is found by Newton's method, shortened where it does not go
/// down; phi(T(x)) - Y(x) falls, and its root is kept in a bracket.
class BarlatKernel
{
public:
  explicit BarlatKernel(const MaterialParameters &material);

  /// Numbers of the state: the plastic strain q.
  unsigned int n_state() const
  {
    return 1;
  }

  /// As HillKernel's.
  bool step(const PlaneVector &trial_strain,
            const double h,
            const double *begin,
            double *end,
            const bool with_tangent,
            PlaneResult &result) const;

  const PlaneElasticity elasticity;
  const BarlatGauge gauge;

  static constexpr const char *field = "plastic_strain";

private:
  struct Step
  {
    Hardening::Start start;
    double h;
    PlaneVector trial; ///< T_trial
    double phi_0;      ///< of it
    double x, Y, Y_x;  ///< x, Y(x), Y'(x)
    PlaneVector T;     ///< T(x)
    BarlatGauge::Value value;
    PlaneMatrix compliant; ///< (C^-1 + x H)^-1
    PlaneVector fall;      ///< that times n: -dT/dx
  };

  /// Y and Y' at x; Y less S of the beginning.
  double rise(Step &step) const;

  /// What is made of the value at T and x.
  bool linearize(Step &step) const;

  enum class Found
  {
    yes,
    too_far, ///< x leaves less than the yield stress
    no
  };
  /// T(x), from the T that is there.
  Found minimize(Step &step) const;

  bool solve(Step &step) const;

  Hardening hardening;
  double viscosity, rate_exponent;
  PlaneMatrix compliance{}; ///< C^-1
  double stiffness, least;  ///< largest of C; less than n.Cn of any n
};
} // namespace delassus

#endif
