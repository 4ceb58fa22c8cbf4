#ifndef delassus_simulation_contact_compliance_h
#define delassus_simulation_contact_compliance_h

#include <delassus/contact/kinematics/contact_surfaces.h>
#include <delassus/systems/system.h>
#include <delassus/systems/active_compliance.h>

namespace delassus
{
/// The compliances of all pieces at their contact nodes, one for each class of
/// congruent pieces. The rank that owns the representative piece of a class
/// makes it (of a body that is split over ranks, all of them together); other
/// ranks get it when they have contacts on such a piece.
///
/// Pieces with few contact nodes have them all, made once. Those with many have
/// the nodes that present contacts act on (ActiveCompliance).
template <int dim>
class ContactCompliance
{
public:
  ContactCompliance(const std::vector<System<dim> *> &systems,
                    const ContactSurfaces<dim> &surfaces,
                    const MemoryBudget &memory,
                    MPI_Comm communicator);

  /// Make those anew of systems whose w has changed. Ranks together.
  void update();

  /// Bring those of some pieces (numbered across systems) to this rank, with at
  /// least these contact nodes. Ranks together, each with its own. Returns
  /// false, on all ranks, if one would not fit into its memory.
  bool provide(const std::vector<unsigned int> &pieces,
               const std::vector<unsigned int> &contact_nodes);

  /// How the active nodes came about, which decides on the last bits of the
  /// compliances: for each class the nodes asked for, time after time. Known to
  /// all ranks.
  using History = std::vector<std::vector<std::vector<unsigned int>>>;
  History history;

  /// Do the same again for linear systems, whose w stays, after update(). Ranks
  /// together.
  void repeat(const History &earlier);

  /// Row-major, n_dofs x n_dofs; null if not on this rank.
  const double *of_piece(const unsigned int piece) const
  {
    const unsigned int k = class_of_piece[piece];
    return active[k] ? active[k]->values() : values[k].data();
  }

  unsigned int n_dofs(const unsigned int piece) const
  {
    const unsigned int k = class_of_piece[piece];
    return dim * (by_active_nodes[k] ? n_active[k] : nodes[k].size());
  }

  /// The number of a contact node in the compliance of its piece.
  unsigned int slot(const unsigned int contact_node) const
  {
    const unsigned int k = class_of_node(contact_node);
    const unsigned int i = slot_of_node[contact_node];
    return by_active_nodes[k] ? active_slot[k][i] : i;
  }

  /// The unit of the error measure: mean over contact dofs of the reciprocal of
  /// the mean diagonal of their system's effective matrix.
  double impulse_scale = 0.;

private:
  unsigned int class_of_node(const unsigned int contact_node) const
  {
    return class_of_piece[surfaces.nodes[contact_node].piece];
  }

  void choose_forms();
  void provide_all_nodes(const std::vector<unsigned int> &pieces);
  bool provide_active_nodes(const unsigned int k,
                            std::vector<unsigned int> used);

  const std::vector<System<dim> *> systems;
  const ContactSurfaces<dim> &surfaces;
  const MemoryBudget &memory;
  MPI_Comm communicator;
  const unsigned int n_ranks, rank;
  std::vector<unsigned int> version;                ///< of each system's w
  std::vector<double> diagonal_sum, diagonal_count; ///< of each system
  // Classes are numbered across systems.
  std::vector<unsigned int> first_class;        ///< of each system
  std::vector<unsigned int> class_of_piece;     ///< pieces across systems
  std::vector<unsigned int> owner;              ///< rank, of each class
  std::vector<std::vector<unsigned int>> nodes; ///< of each class, in a piece
  std::vector<unsigned int> slot_of_node;       ///< of each contact node
  std::vector<std::vector<double>> values;      ///< of each class

  // Classes with many contact nodes; lists by position in `nodes`.
  std::vector<bool> by_active_nodes;
  std::vector<std::unique_ptr<ActiveCompliance<dim>>>
      active; ///< on ranks that make it
  std::vector<std::vector<unsigned int>> active_order; ///< node of each slot
  std::vector<std::vector<unsigned int>> active_slot;
  std::vector<unsigned int> n_active;
};
} // namespace delassus

#endif
