#include <delassus/simulation/contact_statistics.h>

#include <algorithm>

namespace delassus
{
template <int dim>
void ContactStatistics::add_step(const ContactPhase<dim> &contact,
                                 const WedgedContacts &wedged)
{
  const auto &result = contact.result;
  n_sweeps += result.sweeps;
  most_sweeps       = std::max<std::size_t>(most_sweeps, result.sweeps);
  most_contacts     = std::max(most_contacts, contact.n_contacts);
  worst_penetration = std::max(worst_penetration, result.errors.penetration);
  worst_error       = std::max(worst_error, result.errors.unit_free);
  n_ill_posed += result.n_ill_posed;
  n_wedged += wedged.n;
  most_wedged = std::max(most_wedged, wedged.share);
  if (contact.n_contacts == 0)
    return;
  const std::size_t k =
      std::find(methods.begin(), methods.end(), result.solver) -
      methods.begin();
  if (k == methods.size())
  {
    methods.push_back(result.solver);
    steps_of_method.push_back(0);
  }
  ++steps_of_method[k];
}

template <int dim>
bool ContactStatistics::find_ill_posed(const ContactPhase<dim> &contact)
{
  if (contact.result.n_ill_posed == 0 || !ill_posed.empty())
    return false;
  ill_posed = contact.ill_posed_contact();
  return true;
}

nlohmann::json ContactStatistics::summary(const unsigned int n_steps) const
{
  nlohmann::json steps = nlohmann::json::object();
  for (std::size_t k = 0; k < methods.size(); ++k)
    steps[methods[k]] = steps_of_method[k];
  return { { "steps_solved_by", steps },
           { "sweeps", n_sweeps },
           { "mean_sweeps", n_steps > 0 ? double(n_sweeps) / n_steps : 0. },
           { "most_sweeps", most_sweeps },
           { "worst_error", worst_error },
           { "worst_penetration", worst_penetration },
           { "ill_posed_local_problems", n_ill_posed },
           { "ill_posed_contact", ill_posed },
           { "wedged_contacts", n_wedged },
           { "most_wedged_share", most_wedged } };
}

void ContactStatistics::archive(Archive &archive)
{
  archive("worst penetration", worst_penetration);
  archive("worst error", worst_error);
  archive("sweeps", n_sweeps);
  archive("most sweeps", most_sweeps);
  archive("most contacts", most_contacts);
  archive("ill posed", n_ill_posed);
  archive("immovable", most_immovable);
  archive("wedged", n_wedged);
  archive("most wedged", most_wedged);
  archive("ill posed contact", ill_posed);
  std::string names; // one a line
  for (const auto &method : methods)
    names += method + "\n";
  archive("methods", names);
  archive("steps of methods", steps_of_method);
  methods.clear();
  for (std::size_t end = 0; (end = names.find('\n')) != std::string::npos;
       names.erase(0, end + 1))
    methods.push_back(names.substr(0, end));
}

#define INSTANTIATE(dim)                                                       \
  template void ContactStatistics::add_step(const ContactPhase<dim> &,         \
                                            const WedgedContacts &);           \
  template bool ContactStatistics::find_ill_posed(const ContactPhase<dim> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
