#ifndef delassus_simulation_contact_statistics_h
#define delassus_simulation_contact_statistics_h

#include <delassus/simulation/contact_phase.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace delassus
{
/// How the contact problems of a run were solved, and which of its contacts may
/// have more than one solution.
class ContactStatistics
{
public:
  /// The problem of a step. @p wedged: its contacts that friction alone holds
  /// closed.
  template <int dim>
  void add_step(const ContactPhase<dim> &contact, const WedgedContacts &wedged);

  /// The first contact whose friction is above the bound of a unique solution:
  /// returns whether it is in this step. Ranks together.
  template <int dim>
  bool find_ill_posed(const ContactPhase<dim> &contact);

  /// Whether there are more contacts that no reaction can move than in any step
  /// before.
  bool more_immovable(const std::size_t n_immovable)
  {
    const bool more = n_immovable > most_immovable;
    most_immovable  = std::max(most_immovable, n_immovable);
    return more;
  }

  const std::string &ill_posed_contact() const
  {
    return ill_posed;
  }
  std::size_t sweeps() const
  {
    return n_sweeps;
  }
  std::size_t largest_number() const
  {
    return most_contacts;
  }
  double largest_error() const
  {
    return worst_error;
  }

  /// @p n_steps were made.
  nlohmann::json summary(const unsigned int n_steps) const;

  void archive(Archive &archive);

private:
  std::size_t n_sweeps = 0, most_sweeps = 0, most_contacts = 0;
  double worst_error = 0., worst_penetration = 0.;
  std::size_t n_ill_posed = 0, n_wedged = 0, most_immovable = 0;
  double most_wedged = 0.; ///< share of the normal forces, of all steps
  std::string ill_posed;   ///< the first contact whose friction is too large
  /// Who has solved the last problem of how many steps, in order of appearance.
  std::vector<std::string> methods;
  std::vector<std::size_t> steps_of_method;
};
} // namespace delassus

#endif
