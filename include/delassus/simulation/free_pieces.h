#ifndef delassus_simulation_free_pieces_h
#define delassus_simulation_free_pieces_h

#include <delassus/simulation/contact_phase.h>

namespace delassus
{
/// The pieces that driven dofs leave some rigid motion, in quasi-static steps:
/// whether what acts on each of them is in balance, and how strongly contact
/// resists its rigid motions.
///
/// Balance: internal forces have no resultant. So of each piece the impulses
/// h P_ext + H P along its free rigid motions must vanish, whatever its
/// stiffness; they are compared with the impulses that act on this piece.
///
/// Resistance: a piece of modulus E, volume V and length L has a stiffness of
/// the order k = E V / L^2. Against a rigid motion it is pushed through chains
/// of pieces that touch until something holds them (driven dofs, an obstacle).
/// The softest member of a chain is its stiffness, and the stiffest chain
/// resists: B = max over chains of min k. The fictitious mass that rigid
/// motions meet is in proportion to B, not to k. All ranks know all of it.
template <int dim>
class FreePieces
{
public:
  FreePieces(Model<dim> &model, ContactPhase<dim> &contact);

  bool any = false; ///< such pieces, or tools, in a quasi-static run

  /// What acts on the pieces, after apply_impulses().
  void find_balance();

  /// Of each piece, numbered across systems: the impulses that act on it,
  /// summed, at least a thousandth of those of the piece with most; and the
  /// largest resultant (moments as forces on the arm of the piece's size)
  /// divided by that. Zero for pieces that are held.
  std::vector<double> size, error;
  double largest_size = 0., worst = 0.; ///< of all
  unsigned int worst_piece = 0;

  /// In words: the piece, what is out of balance, what touches it.
  std::string description(const unsigned int piece) const;

  bool is_free(const unsigned int piece) const
  {
    return free[piece];
  }

  /// After a contact solution: lower the fictitious mass of classes of pieces
  /// and of tools that less resists than was thought. Returns whether that has
  /// changed something; the compliances of linear bodies and tools are then
  /// new. Ranks together.
  bool find_resistance();

  /// The same for the classes of these pieces, by a factor, since their
  /// balance is found slowly.
  bool lower(const std::vector<unsigned int> &pieces, const double factor);

  /// Whether less of the fictitious mass than was asked for is in its rigid
  /// motions.
  bool is_softly_held(const unsigned int piece) const;

  /// The shares of the fictitious mass.
  void archive(Archive &archive);

private:
  /// The system of a piece and the number within it.
  std::pair<unsigned int, unsigned int> body_of(const unsigned int piece) const;

  double &share_of(const unsigned int system, const unsigned int piece) const;
  void apply_shares();

  Model<dim> &model;
  ContactPhase<dim> &contact;
  std::vector<unsigned int> first_piece; ///< of each system
  std::vector<bool> free;
  std::vector<double> stiffness;  ///< k of each piece
  std::vector<double> resisting;  ///< what its fictitious mass was chosen for
  std::vector<double> resultants; ///< of all rigid motions of each piece
  std::vector<bool> touched;      ///< by the last find_resistance()
};
} // namespace delassus

#endif
