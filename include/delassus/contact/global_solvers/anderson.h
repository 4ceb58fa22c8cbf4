#ifndef delassus_contact_global_solvers_anderson_h
#define delassus_contact_global_solvers_anderson_h

#include <cstddef>
#include <functional>
#include <vector>

namespace delassus
{
/// Anderson's acceleration of a fixed-point iteration x = T(x): the next
/// iterate is the combination of the last ones for which the combined residual
/// f = T(x) - x is least,
///
///   gamma = argmin | f - dF gamma |,   x := T(x) - dT gamma,
///
/// dF and dT the differences of successive residuals and images. It knows
/// nothing of constraints, and nothing of safety: the user decides when an
/// iterate is taken back and the memory forgotten.
class Anderson
{
public:
  /// For vectors of length @p n, remembering @p memory differences.
  void reinit(std::size_t n, std::size_t memory);

  /// Start anew from the next iterate on.
  void forget();

  /// Inner products are weighted by this vector of length n; empty: not.
  std::vector<double> weight;

  /// Adds sums over ranks, if there are several.
  std::function<void(double *, std::size_t)> sum_over_ranks;

  /// @p x with image @p Tx: on return the next iterate.
  void advance(std::vector<double> &x, const std::vector<double> &Tx);

  /// Tx of the last call of advance().
  const std::vector<double> &last_image() const
  {
    return old_T;
  }

private:
  std::size_t n = 0, memory = 0;
  std::size_t n_used = 0, next = 0;
  bool fresh = true;
  std::vector<double> old_f, old_T;
  std::vector<std::vector<double>> dT, dF;
  std::vector<double> gram; ///< dF' dF, memory x memory
  std::vector<double> A, b;
};
} // namespace delassus

#endif
