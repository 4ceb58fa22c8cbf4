#ifndef delassus_simulation_contact_ranks_h
#define delassus_simulation_contact_ranks_h

#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/simulation/contact_messages.h>
#include <delassus/simulation/model.h>

namespace delassus
{
/// Which rank detects a candidate point, and which one its contacts belong to.
template <int dim>
class ContactRanks
{
public:
  explicit ContactRanks(const Model<dim> &model);

  /// The points that this rank looks at.
  std::vector<bool> detected_here() const;

  /// Send the contacts of @p table, those of all ranks, to the ranks they
  /// belong to from now on: the owners of their points, or rank 0. Returns
  /// their number. Ranks together.
  std::size_t distribute(ContactSet<dim> &table);

  /// Send them to the ranks that the last distribute() has chosen, to rank 0,
  /// or to those that detect them. Ranks together.
  void move_to_owners(ContactSet<dim> &table) const;
  void move_to_root(ContactSet<dim> &table) const;
  void move_to_detectors(ContactSet<dim> &table) const;

  /// Whether the contacts of a rank are those that it has detected.
  bool keep_detected() const
  {
    return n_ranks == 1 || (distributed && detects_own);
  }

  /// r = H P at the contact nodes, complete where this rank owns them.
  void sum_impulses(const std::vector<Contact<dim>> &contacts,
                    const std::vector<double> &P,
                    std::vector<double> &r);

  /// Rank 0 has solved the problem: what all know of it.
  void share(ContactResult &result) const;

  /// A text that some rank has, on all of them; empty if none has one.
  std::string first(const std::string &mine) const
  {
    return n_ranks > 1 ? messages.first_error(mine) : mine;
  }

  const unsigned int n_ranks, rank;
  ContactMessages<dim> messages;
  std::vector<double> ghost_P; ///< impulses of its ghosts
  bool distributed = false;    ///< not all contacts belong to rank 0

private:
  const Model<dim> &model;
  std::vector<unsigned int> detecting_rank, owner; ///< of each point
  bool detects_own = true;                         ///< the two are the same
};
} // namespace delassus

#endif
