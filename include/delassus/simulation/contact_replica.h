#ifndef delassus_simulation_contact_replica_h
#define delassus_simulation_contact_replica_h

#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/exchange/repeated_columns.h>
#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/simulation/contact_places.h>
#include <delassus/simulation/model.h>

namespace delassus
{
/// Blocks that stand for W^{aa} where W is not made. Only their ratios matter,
/// and zeros: 1/(mean diagonal of the bodies' matrix), @p scale, for each free
/// dof that the contact acts on; zero if none of them moves along the normal.
template <int dim>
std::vector<LocalMatrix<dim>>
estimated_blocks(const Model<dim> &model,
                 const std::vector<Contact<dim>> &contacts,
                 const double scale);

/// The contacts of all ranks that take part in a problem, known to all of them,
/// for methods that go without W. All ranks run the method alike and share what
/// is large: the matrix of the bodies, the factors and products with W.
template <int dim>
class ContactReplica
{
public:
  ContactReplica(Model<dim> &model, const ContactPlaces<dim> &places);

  /// Contacts, frames or the bodies' matrix are new; @p resting: contacts of
  /// this rank that are left out (empty: none), @p scale: of impulses. Ranks
  /// together.
  void renew(const std::vector<Contact<dim>> &contacts,
             const std::vector<char> &resting,
             const double scale);

  /// @p own: laws, U_free and the guess of this rank's contacts; @p P and @p U
  /// theirs. Contacts that are left out keep their values. Ranks together.
  ContactResult solve(const ContactProblem<dim> &own,
                      ContactSolver<dim> &method,
                      std::vector<double> &P,
                      std::vector<double> &U);

private:
  void number_unknowns();
  void make_form();

  /// U = W P of all contacts. Collective.
  void multiply(const double *P, double *U);

  Model<dim> &model;
  const ContactPlaces<dim> &places;
  const unsigned int n_ranks, rank;
  std::vector<Contact<dim>> contacts;   ///< of all ranks, one after another
  std::vector<std::size_t> first;       ///< contact of each rank, and the end
  std::vector<std::size_t> taking_part; ///< which of this rank's they are
  std::unique_ptr<AppliedDelassus<dim>> W;
  ContactProblem<dim> problem;
  GlobalForm form;
  RepeatedColumns A;
  unsigned long n_forms = 0;

  /// Unknowns of all systems, first those of rank 0, then of rank 1, ...
  std::vector<std::size_t> first_unknown; ///< of each system
  std::vector<unsigned int> number;
  std::vector<int> first_of_rank, n_of_rank;
  std::size_t n_unknowns = 0, first_own = 0, n_own = 0;

  std::vector<double> r, response;
};
} // namespace delassus

#endif
