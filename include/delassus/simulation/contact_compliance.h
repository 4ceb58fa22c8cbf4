#ifndef delassus_simulation_contact_compliance_h
#define delassus_simulation_contact_compliance_h

#include <delassus/simulation/model.h>

namespace delassus
{
/// The compliances of all pieces at their contact nodes, one for each class of
/// congruent pieces. The rank that owns the representative piece of a class
/// makes it; other ranks get it when they have contacts on such a piece.
template <int dim>
class ContactCompliance
{
public:
  explicit ContactCompliance(Model<dim> &model);

  /// Make them anew, after the schemes' step size has changed. Ranks together.
  void update();

  /// Bring those of some pieces (numbered across bodies) to this rank. Ranks
  /// together, each with its own pieces.
  void provide(const std::vector<unsigned int> &pieces);

  /// Row-major, n_dofs x n_dofs; null if not on this rank.
  const double *of_piece(const unsigned int piece) const
  {
    return values[class_of_piece[piece]].data();
  }

  unsigned int n_dofs(const unsigned int piece) const
  {
    return dim * nodes[class_of_piece[piece]].size();
  }

  /// The number of a contact node in the compliance of its piece.
  unsigned int slot(const unsigned int contact_node) const
  {
    return slot_of_node[contact_node];
  }

  /// The unit of the error measure: reciprocal of the mean diagonal of the
  /// effective matrix at contact dofs.
  double impulse_scale = 0.;

private:
  Model<dim> &model;
  const unsigned int rank;
  // Classes are numbered across bodies.
  std::vector<unsigned int> first_class;        ///< of each body
  std::vector<unsigned int> class_of_piece;     ///< pieces across bodies
  std::vector<unsigned int> owner;              ///< rank, of each class
  std::vector<std::vector<unsigned int>> nodes; ///< of each class, in a piece
  std::vector<unsigned int> slot_of_node;       ///< of each contact node
  std::vector<std::vector<double>> values;      ///< of each class
};
} // namespace delassus

#endif
