#ifndef delassus_simulation_equilibrium_h
#define delassus_simulation_equilibrium_h

#include <delassus/simulation/model.h>

namespace delassus
{
/// The quasi-static step of pieces that only contact holds: find the velocity
/// at which the fictitious mass exerts nothing,
///
///   f = M_f (v+(c) - c) = 0,
///
/// where v+(c) solves the step, contact included, with the centre c (see
/// ThetaScheme). Taking c := v+ again and again is the proximal-point method,
/// which converges wherever there is an equilibrium; the steps c := c + omega
/// (v+ - c) are lengthened by Aitken's secant, from one number for all pieces.
template <int dim>
class Equilibrium
{
public:
  explicit Equilibrium(Model<dim> &model);

  /// A step begins; centres are those of advance_free_motion().
  void begin();

  /// After apply_impulses(): true if the step is in balance or if no more can
  /// be done, false if it is to be solved again from the new v_free.
  bool accept();

  bool needed = false; ///< quasi-static, and some piece only contact holds

  // Of the step at hand.
  unsigned int iterations = 0;
  /// Sum of |f| over all dofs divided by the sum of internal, external or
  /// contact impulses, whichever is largest.
  double out_of_balance = 0.;
  bool balanced         = true;

private:
  Model<dim> &model;
  const double tolerance;
  std::vector<Vector> step, old_step; ///< v+ - c, now and before
  std::vector<Vector> work;
  double omega = 1., smallest = 0.;
  unsigned int since_smallest = 0;
};
} // namespace delassus

#endif
