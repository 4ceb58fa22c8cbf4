// Which contacts belong to which rank.
#include <delassus/simulation/contact_phase.h>

namespace delassus
{
using namespace dealii;

namespace
{
/// With fewer contacts a sweep takes no longer than the messages it needs.
constexpr std::size_t fewest_distributed = 2000;

/// A rank with more than this share of the contacts may as well have all.
constexpr double largest_share = 0.9;

/// With a larger share of contacts coupled across ranks, ranks would mostly
/// wait for their turn.
constexpr double largest_coupling = 0.5;
} // namespace

template <int dim>
void ContactPhase<dim>::share_candidates()
{
  // Whoever owns the candidate's node; if that is mostly one rank, equal shares
  // are detected and then sent there.
  const auto &surfaces = *model.surfaces;
  const std::size_t n  = surfaces.points.size();
  std::vector<std::size_t> count(n_ranks, 0);
  for (const auto &point : surfaces.points)
  {
    owner.push_back(surfaces.nodes[point.nodes[0]].owner);
    ++count[owner.back()];
  }
  detecting_rank = owner;
  detects_own =
      *std::max_element(count.begin(), count.end()) * n_ranks <= 1.5 * n;
  for (std::size_t p = 0; p < n && !detects_own; ++p)
    detecting_rank[p] = p * n_ranks / n;
  std::vector<bool> mine(n);
  for (std::size_t p = 0; p < n; ++p)
    mine[p] = detecting_rank[p] == rank;
  detector.restrict_to(mine);
}

template <int dim>
bool ContactPhase<dim>::choose_ranks(ContactSet<dim> &table)
{
  const auto &given = model.parameters.contact_solver.distribution;
  const bool choose = given == ContactDistribution::automatic;
  n_contacts = Utilities::MPI::sum(table.contacts.size(), model.communicator);
  // Only sweeps can be shared.
  const auto type      = model.parameters.contact_solver.type;
  const bool shareable = type == ContactSolverType::automatic ||
                         type == ContactSolverType::gauss_seidel ||
                         type == ContactSolverType::parallel_gauss_seidel ||
                         type == ContactSolverType::projected_gradient;
  bool all_ranks = shareable && (given == ContactDistribution::all_ranks ||
                                 (choose && n_contacts >= fewest_distributed));
  if (all_ranks)
    exchange.move(table, owner);
  if (all_ranks && choose)
    all_ranks = Utilities::MPI::max(table.contacts.size(), model.communicator) <
                largest_share * n_contacts;
  if (all_ranks)
  {
    exchange.reinit(table.contacts);
    if (choose)
      all_ranks = Utilities::MPI::sum(exchange.n_coupled, model.communicator) <
                  largest_coupling * n_contacts;
  }
  if (!all_ranks)
  {
    exchange.move(table, std::vector<unsigned int>(owner.size(), 0));
    exchange.reinit(table.contacts);
  }
  return all_ranks;
}

template <int dim>
void ContactPhase<dim>::distribute_contacts()
{
  ContactSet<dim> table;
  table.contacts       = contacts;
  const bool all_ranks = choose_ranks(table);
  detected.swap(contacts);
  contacts.swap(table.contacts);

  // What the new contacts start from must be where they are now.
  if (all_ranks != distributed)
  {
    table = ContactSet<dim>();
    table.swap_impulses(old);
    table.status.resize(table.contacts.size(), ContactStatus::open);
    exchange.move(
        table, all_ranks ? owner : std::vector<unsigned int>(owner.size(), 0));
    old.swap_impulses(table);
  }
  distributed = all_ranks;
  if (knows_detected())
    detected.clear();
}

template <int dim>
void ContactPhase<dim>::scatter(ContactSet<dim> table)
{
  n_contacts = table.contacts.size();
  if (n_ranks > 1)
    distributed = choose_ranks(table);
  detected.clear();
  if (!knows_detected())
  {
    ContactSet<dim> found;
    found.contacts = table.contacts;
    exchange.move(found, detecting_rank);
    detected = std::move(found.contacts);
  }
  contacts           = std::move(table.contacts);
  P                  = std::move(table.P);
  U                  = std::move(table.U);
  gaps_end           = std::move(table.gaps_end);
  states             = std::move(table.states);
  this->state_is_new = std::move(table.state_is_new);
  status             = std::move(table.status);
  delassus_stale     = true;
}

template <int dim>
void ContactPhase<dim>::share_result()
{
  struct Plain
  {
    bool converged, indefinite;
    unsigned int sweeps;
    std::size_t n_visits;
    ContactErrors errors;
    std::size_t n_open, n_stick, n_slip, n_ill_posed, n_immovable;
  } plain = { result.converged,  result.indefinite, result.sweeps,
              result.n_visits,   result.errors,     result.n_open,
              result.n_stick,    result.n_slip,     result.n_ill_posed,
              result.n_immovable };
  MPI_Bcast(&plain, sizeof(plain), MPI_BYTE, 0, model.communicator);
  result.converged   = plain.converged;
  result.indefinite  = plain.indefinite;
  result.sweeps      = plain.sweeps;
  result.n_visits    = plain.n_visits;
  result.errors      = plain.errors;
  result.n_open      = plain.n_open;
  result.n_stick     = plain.n_stick;
  result.n_slip      = plain.n_slip;
  result.n_ill_posed = plain.n_ill_posed;
  result.n_immovable = plain.n_immovable;
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
  if (distributed)
    exchange.move(table, std::vector<unsigned int>(owner.size(), 0));
  return table;
}

#define INSTANTIATE(dim)                                                       \
  template void ContactPhase<dim>::share_candidates();                         \
  template bool ContactPhase<dim>::choose_ranks(ContactSet<dim> &);            \
  template void ContactPhase<dim>::distribute_contacts();                      \
  template void ContactPhase<dim>::scatter(ContactSet<dim>);                   \
  template void ContactPhase<dim>::share_result();                             \
  template ContactSet<dim> ContactPhase<dim>::gathered() const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
