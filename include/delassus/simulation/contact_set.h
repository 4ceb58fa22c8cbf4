#ifndef delassus_simulation_contact_set_h
#define delassus_simulation_contact_set_h

#include <delassus/contact/kinematics/contact.h>
#include <delassus/contact/laws/law_states.h>
#include <delassus/contact/local_solvers/local_solver.h>

#include <functional>
#include <memory>
#include <vector>

namespace delassus
{
/// Contacts with what belongs to them, as a value: impulses, statuses, relative
/// velocities and gaps. Contacts are in order of interaction and candidate
/// point. Vectors may be empty where they are not known.
///
/// A step begins with begin(); what it finds is accepted or reverted.
template <int dim>
struct ContactSet
{
  std::vector<Contact<dim>> contacts;
  std::vector<ContactStatus> status;
  std::vector<double> P;         ///< impulses, dim values a contact
  std::vector<double> U;         ///< relative velocities at the end
  std::vector<double> U_start;   ///< at the beginning, with U_imp
  std::vector<double> U_imposed; ///< U_imp
  std::vector<double> gaps;      ///< g at the beginning of the step
  std::vector<double> gaps_end;  ///< and at its end
  LawStates states;              ///< what the contacts remember
  /// Whose state waits for its law to begin it; empty: none has one.
  std::vector<char> state_is_new;

  /// Keep the set as it is, for revert(). @p with_contacts: all of it;
  /// otherwise impulses and statuses of contacts that stay.
  void begin(const bool with_contacts);

  bool has_begun() const
  {
    return kept.set != nullptr;
  }

  /// What was kept is not needed any more.
  void accept();

  /// As at begin(), which is over; false if there was none.
  bool revert();

  /// Take over the impulses and statuses of the contacts that are the same as
  /// in @p before (by their keys); others begin open. An impulse is a vector in
  /// space, seen from the new frame; where @p turns(contact) it turns with the
  /// normal, as a Newton loop expects it at its next iterate.
  void
  carry_from(const ContactSet &before,
             const std::function<bool(const Contact<dim> &)> &turns = nullptr);

  /// After carry_from(): the states of the same contacts, of which contact a
  /// has n_values[a]; others are new. @p turn(contact, Q, state) where the
  /// frame was chosen anew, see frame_turn().
  void carry_states(const ContactSet &before,
                    const std::vector<unsigned int> &n_values,
                    const std::function<void(const Contact<dim> &,
                                             const LocalMatrix<dim> &,
                                             double *)> &turn);

  /// Move contacts, impulses and statuses to @p other, which gives its own.
  void swap_impulses(ContactSet &other);

  /// Impulses P = h R of reactions that persist when h changes.
  void scale_impulses(const double factor);

  /// Contacts with impulses, statuses, velocities and gaps of the end.
  void archive(Archive &archive);

private:
  /// A copy owns a copy of what is kept.
  struct Kept
  {
    std::unique_ptr<ContactSet> set;
    Kept() = default;
    Kept(const Kept &other);
    Kept(Kept &&)            = default;
    Kept &operator=(Kept &&) = default;
    Kept &operator=(const Kept &other);
  };
  Kept kept;
  bool kept_contacts = false;
  std::vector<std::size_t> partner; ///< in the set before, of carry_from()
};
} // namespace delassus

#endif
