// The contacts of a step on their ranks.
#include <delassus/simulation/contact_phase.h>

namespace delassus
{
using namespace dealii;

template <int dim>
void ContactPhase<dim>::distribute_contacts()
{
  const bool before = ranks.distributed;
  ContactSet<dim> table;
  table.contacts = contacts;
  n_contacts     = ranks.distribute(table);
  found.elsewhere.swap(contacts);
  contacts.swap(table.contacts);

  // What the new contacts start from must be where they are now.
  if (ranks.distributed != before)
  {
    table = ContactSet<dim>();
    table.swap_impulses(old);
    table.status.resize(table.contacts.size(), ContactStatus::open);
    ranks.move_to_owners(table);
    old.swap_impulses(table);
  }
  if (ranks.keep_detected())
    found.elsewhere.clear();
}

template <int dim>
void ContactPhase<dim>::scatter(ContactSet<dim> table)
{
  n_contacts = ranks.distribute(table);
  found.elsewhere.clear();
  if (!ranks.keep_detected())
  {
    ContactSet<dim> detected;
    detected.contacts = table.contacts;
    ranks.move_to_detectors(detected);
    found.elsewhere = std::move(detected.contacts);
  }
  contacts           = std::move(table.contacts);
  P                  = std::move(table.P);
  U                  = std::move(table.U);
  gaps_end           = std::move(table.gaps_end);
  states             = std::move(table.states);
  this->state_is_new = std::move(table.state_is_new);
  status             = std::move(table.status);
  delassus.stale     = true;
}

template <int dim>
ContactSet<dim> ContactPhase<dim>::gathered() const
{
  ContactSet<dim> table;
  table.contacts = contacts;
  table.status   = status;
  table.status.resize(contacts.size(), ContactStatus::open);
  table.P        = P;
  table.U        = U;
  table.gaps     = gaps;
  table.gaps_end = gaps_end;
  if (states.n_contacts() == contacts.size())
  {
    table.states       = states;
    table.state_is_new = this->state_is_new;
  }
  // Between detection and solution some are those of other contacts.
  for (auto *values : { &table.P, &table.U })
    if (values->size() != dim * contacts.size())
      values->clear();
  for (auto *values : { &table.gaps, &table.gaps_end })
    if (values->size() != contacts.size())
      values->clear();
  if (ranks.distributed)
    ranks.move_to_root(table);
  return table;
}

#define INSTANTIATE(dim)                                                       \
  template void ContactPhase<dim>::distribute_contacts();                      \
  template void ContactPhase<dim>::scatter(ContactSet<dim>);                   \
  template ContactSet<dim> ContactPhase<dim>::gathered() const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
