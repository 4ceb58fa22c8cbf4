#ifndef delassus_linear_solvers_gmres_h
#define delassus_linear_solvers_gmres_h

#include <functional>
#include <vector>

namespace delassus
{
/// GMRES (Saad and Schultz) without restarts, for operators that are close to
/// the identity: few iterations, whose vectors are kept from one call to the
/// next.
class Gmres
{
public:
  using Operator = std::function<void(const double *x, double *y)>;

  /// Solve B z = b from z = 0 until |b - B z| <= @p tolerance |b| or
  /// @p most_iterations: z is the sum of `coefficients` times the vectors that
  /// B was called with, in this order. Returns |b - B z| / |b|, by the
  /// recurrence.
  double solve(const Operator &B,
               const std::vector<double> &b,
               const double tolerance,
               const unsigned int most_iterations);

  std::vector<double> coefficients;

private:
  std::vector<std::vector<double>> basis;
  std::vector<std::vector<double>> R; ///< columns of the triangle
  std::vector<double> cosine, sine, projected;
};
} // namespace delassus

#endif
