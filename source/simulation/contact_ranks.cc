#include <delassus/simulation/contact_ranks.h>

#include <algorithm>

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

template <int dim>
std::vector<unsigned int> ranks_of_pieces(const Model<dim> &model)
{
  std::vector<unsigned int> ranks;
  for (const auto *system : model.systems)
    for (unsigned int p = 0; p < system->skin().n_pieces(); ++p)
      ranks.push_back(system->skin().piece_owner(p));
  return ranks;
}
} // namespace

template <int dim>
ContactRanks<dim>::ContactRanks(const Model<dim> &model)
    : n_ranks(Utilities::MPI::n_mpi_processes(model.communicator))
    , rank(Utilities::MPI::this_mpi_process(model.communicator))
    , messages(*model.surfaces, ranks_of_pieces(model), model.communicator)
    , model(model)
{
  if (n_ranks == 1)
    return;
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
}

template <int dim>
std::vector<bool> ContactRanks<dim>::detected_here() const
{
  std::vector<bool> mine(model.surfaces->points.size(), true);
  for (std::size_t p = 0; p < detecting_rank.size(); ++p)
    mine[p] = detecting_rank[p] == rank;
  return mine;
}

template <int dim>
std::size_t ContactRanks<dim>::distribute(ContactSet<dim> &table)
{
  if (n_ranks == 1)
    return table.contacts.size();
  const auto &given = model.parameters.contact_solver.distribution;
  const bool choose = given == ContactDistribution::automatic;
  const std::size_t n_contacts =
      Utilities::MPI::sum(table.contacts.size(), model.communicator);
  // Only sweeps can be shared.
  const auto type      = model.parameters.contact_solver.type;
  const bool shareable = type == ContactSolverType::automatic ||
                         type == ContactSolverType::gauss_seidel ||
                         type == ContactSolverType::parallel_gauss_seidel ||
                         type == ContactSolverType::projected_gradient;
  distributed = shareable && (given == ContactDistribution::all_ranks ||
                              (choose && n_contacts >= fewest_distributed));
  if (distributed)
    messages.move(table, owner);
  if (distributed && choose)
    distributed =
        Utilities::MPI::max(table.contacts.size(), model.communicator) <
        largest_share * n_contacts;
  if (distributed)
  {
    messages.reinit(table.contacts);
    if (choose)
      distributed =
          Utilities::MPI::sum(messages.n_coupled, model.communicator) <
          largest_coupling * n_contacts;
  }
  if (!distributed)
  {
    move_to_root(table);
    messages.reinit(table.contacts);
  }
  return n_contacts;
}

template <int dim>
void ContactRanks<dim>::move_to_owners(ContactSet<dim> &table) const
{
  if (distributed)
    messages.move(table, owner);
  else
    move_to_root(table);
}

template <int dim>
void ContactRanks<dim>::move_to_root(ContactSet<dim> &table) const
{
  messages.move(table, std::vector<unsigned int>(owner.size(), 0));
}

template <int dim>
void ContactRanks<dim>::move_to_detectors(ContactSet<dim> &table) const
{
  messages.move(table, detecting_rank);
}

template <int dim>
void ContactRanks<dim>::sum_impulses(const std::vector<Contact<dim>> &contacts,
                                     const std::vector<double> &P,
                                     std::vector<double> &r)
{
  r.assign(dim * model.surfaces->nodes.size(), 0.);
  const auto add = [&](const Contact<dim> &contact, const double *P_here)
  {
    const Tensor<1, dim> impulse = contact.to_global(P_here);
    for (unsigned int i = 0; i < contact.n_entries; ++i)
      for (unsigned int c = 0; c < dim; ++c)
        r[dim * contact.nodes[i] + c] += contact.weights[i] * impulse[c];
  };
  for (unsigned int a = 0; a < contacts.size(); ++a)
    add(contacts[a], &P[dim * a]);
  if (n_ranks == 1)
    return;
  messages.tell_ghosts(P, ghost_P);
  for (unsigned int a = 0; a < messages.ghosts.size(); ++a)
    add(messages.ghosts[a], &ghost_P[dim * a]);
}

template <int dim>
void ContactRanks<dim>::share(ContactResult &result) const
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

template class ContactRanks<2>;
template class ContactRanks<3>;
} // namespace delassus
