#ifndef delassus_materials_hardening_h
#define delassus_materials_hardening_h

#include <delassus/parameters/parameters.h>

#include <array>
#include <vector>

namespace delassus
{
/// The yield stress S as a function of the equivalent plastic strain a:
///   linear  sy + H a
///   Ludwik  sy + K a^n
///   Swift   K (e0 + a)^n
///   Voce    sy + H a + (s_inf - sy) (1 - exp(-delta a))
///   table   straight between its points, constant after the last one.
/// All rise or stay, which is what makes the return to it unique.
class Hardening
{
public:
  explicit Hardening(const MaterialParameters &material);

  /// S at the beginning of a step, and what the rise from there needs of it.
  struct Start
  {
    double strain = 0.;
    double stress = 0.;
    double power  = 0.; ///< K (e0 + a)^n, or (s_inf - sy) exp(-delta a)
  };

  Start start(const double strain) const;

  /// S(a + x) - S(a), without cancellation for small x, and S'(a + x).
  void
  rise(const Start &from, const double x, double &rise, double &slope) const;

  /// Whether S is made of straight lines: then the rate-independent return
  /// needs no iteration.
  bool is_piecewise_linear() const
  {
    return type == HardeningType::linear || type == HardeningType::table;
  }

  /// The root x of A x + S(a + x) - S(a) = f > 0 for straight lines, and the
  /// slope S'(a + x).
  double return_to_lines(const Start &from,
                         const double A,
                         const double f,
                         double &slope) const;

private:
  HardeningType type;
  double yield_stress, modulus, coefficient, exponent, initial_strain,
      saturation, rate;
  std::vector<std::array<double, 2>> table;
};
} // namespace delassus

#endif
