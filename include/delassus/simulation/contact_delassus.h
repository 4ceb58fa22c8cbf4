#ifndef delassus_simulation_contact_delassus_h
#define delassus_simulation_contact_delassus_h

#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/exchange/export_problem.h>
#include <delassus/contact/exchange/repeated_columns.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/simulation/contact_compliance.h>
#include <delassus/simulation/contact_places.h>
#include <delassus/simulation/contact_ranks.h>
#include <delassus/simulation/contact_replica.h>

namespace delassus
{
/// W of the present contacts, from the compliances of the systems, or what
/// stands for it: products with it, and the matrices it is made of.
template <int dim>
class ContactDelassus
{
public:
  /// @p contacts: those of this rank, now and later.
  ContactDelassus(Model<dim> &model,
                  const std::vector<Contact<dim>> &contacts,
                  const ContactPlaces<dim> &places,
                  ContactRanks<dim> &ranks);

  /// After the w of a system has changed. Ranks together.
  void update_compliance();

  /// W, if contacts, frames or compliances are new. Ranks together.
  void update(ContactProblem<dim> &problem);

  /// The matrices A and H of @p n_contacts contacts of all ranks, for solvers
  /// that ask the problem for them.
  void offer_global_form(ContactProblem<dim> &problem,
                         const std::size_t n_contacts);

  // On rank 0, from all ranks.
  CompressedColumns gather(const std::size_t n_contacts);
  void gather_global_form(const std::size_t n_contacts, GlobalForm &form);

  /// Unknowns of the global form: the first of each system, and their number.
  std::vector<std::size_t> first_unknowns() const;

  /// The solver that chooses its methods has not reached its tolerance with W:
  /// where a body that hardly anything holds is pressed from both sides W loses
  /// by rounding what it gives way by. Returns whether it can go without W from
  /// now on. Ranks together.
  bool spare(const ContactProblem<dim> &problem);

  bool spared = false; ///< once it has been so

  const DelassusOperator<dim> &operator*() const
  {
    return *W;
  }

  ContactCompliance<dim> compliance;
  bool stale        = true;  ///< W belongs to other contacts
  bool applied_only = false; ///< W has no blocks, only products

  /// The contacts as all ranks know them, if they solve the problem together
  /// without W.
  ContactReplica<dim> replica;
  bool replicated = false;

  std::size_t bytes = 0; ///< of all ranks
  std::string storage_name;
  std::string note; ///< what users should know of the last W; empty: nothing

  std::size_t n_closed = 0; ///< contacts of this rank that press

  /// The rows of W, for those who need them although the solver does not.
  /// Returns false, on all ranks, if they do not fit. Ranks together.
  bool make_rows()
  {
    return fill_data();
  }

  /// Contacts of this rank that have no row in W (WorkingSet); empty: none. To
  /// be set, with `stale`, before update().
  std::vector<char> resting;

private:
  /// Returns false, on all ranks, if a compliance does not fit into memory.
  bool fill_data();
  void find_resting_ghosts();

  /// The entries of w of single carriers, of systems marked.
  void gather_diagonal(const std::vector<char> &by_nodes);

  /// Entries of H of a contact as far as it has a row.
  unsigned int n_entries(const std::size_t a) const
  {
    return resting.empty() || !resting[a] ? contacts[a].n_entries : 0;
  }

  /// Whether the solver has no use for W itself: products with it, by the
  /// factors of the systems, and the matrices A and H are enough.
  /// On several ranks they all solve the problem then (ContactReplica). Alike
  /// on all ranks, which call it together.
  bool goes_without_W(const ContactProblem<dim> &problem) const;
  double cost_with_W() const;
  double cost_without_W() const;

  /// W that is applied only, by all ranks together.
  void make_applied();
  void apply(const double *P, double *U);

  /// W is there: its size and its name.
  void describe();

  Model<dim> &model;
  const std::vector<Contact<dim>> &contacts;
  const ContactPlaces<dim> &places;
  ContactRanks<dim> &ranks;
  BodyDelassusData<dim> data;
  std::vector<double> lumped_inverse, node_compliance, ghost_rests;
  std::array<std::vector<double>, dim> diagonal_columns;
  std::vector<unsigned int> pieces; ///< that own contacts act on, increasing
  BodyAssembler<dim> assembler;
  std::unique_ptr<DelassusOperator<dim>> W;
  /// A and H, if a solver has asked for them.
  struct Global
  {
    GlobalForm form;
    bool stale = true;
    RepeatedColumns A;
    unsigned long n_made = 0;
  };
  Global global;
  std::vector<double> response_P, response_nodes, response_r; ///< of apply()
};
} // namespace delassus

#endif
