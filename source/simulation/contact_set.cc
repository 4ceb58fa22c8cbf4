#include <delassus/simulation/contact_set.h>
#include <delassus/contact/laws/frame_turn.h>

namespace delassus
{
using namespace dealii;

template <int dim>
ContactSet<dim>::Kept::Kept(const Kept &other)
    : set(other.set ? std::make_unique<ContactSet>(*other.set) : nullptr)
{
}

template <int dim>
typename ContactSet<dim>::Kept &
ContactSet<dim>::Kept::operator=(const Kept &other)
{
  set = other.set ? std::make_unique<ContactSet>(*other.set) : nullptr;
  return *this;
}

template <int dim>
void ContactSet<dim>::begin(const bool with_contacts)
{
  if (!kept.set)
    kept.set = std::make_unique<ContactSet>();
  auto &at_start  = *kept.set;
  kept_contacts   = with_contacts;
  at_start.P      = P;
  at_start.status = status;
  if (!with_contacts)
    return;
  at_start.contacts     = contacts;
  at_start.U            = U;
  at_start.U_start      = U_start;
  at_start.U_imposed    = U_imposed;
  at_start.gaps         = gaps;
  at_start.gaps_end     = gaps_end;
  at_start.states       = states;
  at_start.state_is_new = state_is_new;
}

template <int dim>
void ContactSet<dim>::accept()
{
  kept.set.reset();
}

template <int dim>
bool ContactSet<dim>::revert()
{
  if (!kept.set)
    return false;
  const std::unique_ptr<ContactSet> at_start = std::move(kept.set);
  P.swap(at_start->P);
  status.swap(at_start->status);
  if (!kept_contacts)
  {
    states.revert();
    return true;
  }
  std::swap(states, at_start->states);
  state_is_new.swap(at_start->state_is_new);
  contacts.swap(at_start->contacts);
  U.swap(at_start->U);
  U_start.swap(at_start->U_start);
  U_imposed.swap(at_start->U_imposed);
  gaps.swap(at_start->gaps);
  gaps_end.swap(at_start->gaps_end);
  return true;
}

template <int dim>
void ContactSet<dim>::carry_from(
    const ContactSet &before,
    const std::function<bool(const Contact<dim> &)> &turns)
{
  // Both lists are in order of interaction and candidate point, each with the
  // few antagonists it has: one pass over both finds all partners.
  const auto comes_before = [](const Contact<dim> &a, const Contact<dim> &b)
  {
    return a.interaction != b.interaction ? a.interaction < b.interaction
                                          : a.point < b.point;
  };
  const auto &old = before.contacts;
  U.clear();
  P.assign(dim * contacts.size(), 0.);
  status.assign(contacts.size(), ContactStatus::open);
  partner.assign(contacts.size(), LawStates::is_new);
  std::size_t first = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
  {
    const auto &contact = contacts[i];
    while (first < old.size() && comes_before(old[first], contact))
      ++first;
    std::size_t k = first;
    while (k < old.size() && old[k].key() != contact.key() &&
           !comes_before(contact, old[k]))
      ++k;
    if (k == old.size() || old[k].key() != contact.key())
      continue;
    partner[i]             = k;
    Tensor<1, dim> impulse = old[k].to_global(&before.P[dim * k]);
    if (turns && turns(contact) && old[k].normal() * contact.normal() > 0.5)
      impulse =
          shortest_rotation<dim>(old[k].normal(), contact.normal()) * impulse;
    for (unsigned int r = 0; r < dim; ++r)
      for (unsigned int c = 0; c < dim; ++c)
        P[dim * i + r] += contact.frame[dim * r + c] * impulse[c];
    if (k < before.status.size())
      status[i] = before.status[k];
  }
}

template <int dim>
void ContactSet<dim>::carry_states(
    const ContactSet &before,
    const std::vector<unsigned int> &n_values,
    const std::function<
        void(const Contact<dim> &, const LocalMatrix<dim> &, double *)> &turn)
{
  state_is_new.assign(contacts.size(), 0);
  for (std::size_t a = 0; a < contacts.size(); ++a)
    if (partner[a] != LawStates::is_new &&
        partner[a] < before.state_is_new.size())
      state_is_new[a] = before.state_is_new[partner[a]];
  states = before.states;
  states.carry_over(
      n_values,
      partner,
      [&](const std::size_t a, double *) { state_is_new[a] = 1; },
      [&](const std::size_t a, double *state)
      {
        turn(contacts[a],
             frame_turn<dim>(before.contacts[partner[a]].frame,
                             contacts[a].frame),
             state);
      });
}

template <int dim>
void ContactSet<dim>::swap_impulses(ContactSet &other)
{
  contacts.swap(other.contacts);
  P.swap(other.P);
  status.swap(other.status);
  std::swap(states, other.states);
  state_is_new.swap(other.state_is_new);
}

template <int dim>
void ContactSet<dim>::scale_impulses(const double factor)
{
  for (double &impulse : P)
    impulse *= factor;
}

template <int dim>
void ContactSet<dim>::archive(Archive &archive)
{
  archive("contacts", contacts);
  archive("impulses", P);
  archive("statuses", status);
  archive("relative velocities", U);
  archive("gaps", gaps_end);
  states.archive(archive);
  archive("new states", state_is_new);
}

template struct ContactSet<2>;
template struct ContactSet<3>;
} // namespace delassus
