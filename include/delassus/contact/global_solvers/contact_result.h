#ifndef delassus_contact_global_solvers_contact_result_h
#define delassus_contact_global_solvers_contact_result_h

#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/contact/problem/contact_error.h>

#include <cstddef>
#include <string>
#include <vector>

namespace delassus
{
/// What became of a contact problem. A result that did not converge says so;
/// its impulses and errors are those of the best iterate known.
struct ContactResult
{
  bool converged      = true;
  unsigned int sweeps = 0; ///< passes over all contacts, or iterations

  /// Who found it: the method, or the methods one after another.
  std::string solver;

  /// Why it did not converge, where there is more to say than that the
  /// iterations were used up.
  std::string diagnosis;

  /// Laws soften so much that W in their variables is not positive definite:
  /// there may be no solution, or several. Nothing was iterated.
  bool indefinite = false;

  /// Contacts visited in all sweeps: fewer than sweeps times contacts where
  /// some stay open or are inactive.
  std::size_t n_visits = 0;

  ContactErrors errors; ///< recomputed from U = W P + U_free

  std::size_t n_open = 0, n_stick = 0, n_slip = 0;

  /// Contacts where mu |W_NT| / W_NN >= 1, which may have several solutions.
  std::size_t n_ill_posed = 0;

  /// The worst of them on this rank: its number, its mu and the critical
  /// W_NN / |W_NT| from which on there may be several.
  struct IllPosed
  {
    std::size_t contact = 0;
    double friction = 0., critical = 0.;
  } ill_posed;

  /// Contacts that no impulse can move (all their dofs prescribed): left open.
  std::size_t n_immovable = 0;

  std::vector<ContactStatus> status; ///< of own contacts
};
} // namespace delassus

#endif
