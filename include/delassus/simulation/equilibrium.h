#ifndef delassus_simulation_equilibrium_h
#define delassus_simulation_equilibrium_h

#include <delassus/simulation/free_pieces.h>

namespace delassus
{
/// The quasi-static step of pieces that only contact holds: find the velocity
/// at which the fictitious mass exerts nothing,
///
///   f = M_f (v+(c) - c) = 0,
///
/// where v+(c) solves the step, contact included, with the centre c (see
/// ThetaScheme). Taking c := v+ again and again is the proximal-point method,
/// which converges wherever there is an equilibrium, by M_f / (M_f + K) an
/// iteration where contact resists with the stiffness K: FreePieces keeps the
/// fictitious mass well below K. The steps c := c + omega (v+ - c) are
/// lengthened by Aitken's secant, piece by piece.
///
/// A step is in balance when f, and the resultants of all that acts, are small
/// for every piece against the impulses on that piece.
template <int dim>
class Equilibrium
{
public:
  Equilibrium(Model<dim> &model, ContactPhase<dim> &contact);

  /// A step begins; centres are those of advance_free_motion().
  void begin();

  /// After apply_impulses(): true if the step is in balance or if no more can
  /// be done, false if it is to be solved again from the new v_free.
  bool accept();

  /// All systems are linear, quasi-static, and some piece only contact holds.
  bool needed = false;

  // Of the step at hand.
  unsigned int iterations = 0;
  /// Of the worst piece: the sum of |f|, or the largest resultant,
  /// divided by the impulses that act on it.
  double out_of_balance = 0.;
  bool balanced         = true;
  std::string reason; ///< which piece is not in balance, and why

  FreePieces<dim> pieces;

private:
  /// Aitken's secant for one piece: products of its last step with the
  /// change since then, and of the change with itself, in the metric M_f.
  struct Secant
  {
    double omega = 1., smallest = 0.;
    unsigned int since_smallest = 0;
    void reset();
    void update(const double old_times_change,
                const double change_times_change,
                const double error);
  };

  /// |f| of each piece, Aitken's products and how far it has moved, summed over
  /// ranks.
  void sum_over_pieces();
  void judge();
  void move_centers();
  /// Contact may be known too roughly for what is asked for, or the fictitious
  /// mass may be too large. Returns whether that has changed.
  bool help();

  Model<dim> &model;
  ContactPhase<dim> &contact;
  const double tolerance;
  double length = 0.;          ///< of all bodies together
  std::vector<Secant> secants; ///< of pieces
  std::vector<double> f, products, travel, errors;
  std::vector<double> history;   ///< worst errors
  unsigned int since_change = 0; ///< iterations with this fictitious mass
};
} // namespace delassus

#endif
