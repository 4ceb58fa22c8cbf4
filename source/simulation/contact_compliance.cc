#include <delassus/simulation/contact_compliance.h>
#include <delassus/simulation/messages.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

template <int dim>
ContactCompliance<dim>::ContactCompliance(
    const std::vector<System<dim> *> &systems,
    const ContactSurfaces<dim> &surfaces,
    const MemoryBudget &memory,
    MPI_Comm communicator)
    : systems(systems)
    , surfaces(surfaces)
    , memory(memory)
    , communicator(communicator)
    , n_ranks(Utilities::MPI::n_mpi_processes(communicator))
    , rank(Utilities::MPI::this_mpi_process(communicator))
    , version(systems.size(), 0)
    , diagonal_sum(systems.size(), 0.)
    , diagonal_count(systems.size(), 0.)
{
  first_class.push_back(0);
  for (unsigned int b = 0; b < systems.size(); ++b)
  {
    const auto &classes = systems[b]->piece_classes();
    for (const unsigned int c : classes.class_of_piece)
      class_of_piece.push_back(first_class[b] + c);
    for (const unsigned int piece : classes.representative)
      owner.push_back(systems[b]->skin().piece_owner(piece));
    first_class.push_back(first_class[b] + classes.n_classes());
  }

  // The contact nodes of a class: those of any of its pieces, so that congruent
  // pieces share one compliance.
  nodes.resize(first_class.back());
  values.resize(nodes.size());
  const auto in_piece = [&](const auto &node)
  { return systems[node.system]->skin().number_in_piece(node.carrier); };
  for (const auto &node : surfaces.nodes)
    nodes[class_of_piece[node.piece]].push_back(in_piece(node));
  for (auto &list : nodes)
  {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  slot_of_node.reserve(surfaces.nodes.size());
  for (const auto &node : surfaces.nodes)
  {
    const auto &list = nodes[class_of_piece[node.piece]];
    slot_of_node.push_back(
        std::lower_bound(list.begin(), list.end(), in_piece(node)) -
        list.begin());
  }
}

template <int dim>
void ContactCompliance<dim>::choose_forms()
{
  by_active_nodes.assign(nodes.size(), false);
  active.resize(nodes.size());
  active_order.resize(nodes.size());
  active_slot.resize(nodes.size());
  n_active.assign(nodes.size(), 0);
  history.assign(nodes.size(), {});
  for (unsigned int b = 0; b < systems.size(); ++b)
  {
    // Alike on all ranks. Up to this many dofs all columns are soon solved for;
    // of larger surfaces mostly a small part is in contact. In a Newton loop
    // they are solved for again in each iteration.
    const std::size_t most_dofs = systems[b]->is_linear() ? 768 : 24;
    const bool split            = systems[b]->skin().is_split();
    for (unsigned int k = first_class[b]; k < first_class[b + 1]; ++k)
    {
      const double n = dim * nodes[k].size();
      by_active_nodes[k] =
          n > 0 && (split || n > most_dofs ||
                    sizeof(double) * n * n > 0.5 * memory.limit());
      if (by_active_nodes[k] && (split || rank == owner[k]))
        active[k] = std::make_unique<ActiveCompliance<dim>>(
            systems[b]->inverse(), k - first_class[b]);
    }
  }
}

template <int dim>
void ContactCompliance<dim>::update()
{
  if (by_active_nodes.empty())
    choose_forms();
  std::vector<unsigned int> pieces_in_class(nodes.size(), 0);
  for (const unsigned int c : class_of_piece)
    ++pieces_in_class[c];
  for (unsigned int b = 0; b < systems.size(); ++b)
  {
    auto &w = systems[b]->inverse();
    if (version[b] == w.version)
      continue;
    version[b]       = w.version;
    const bool split = systems[b]->skin().is_split();
    diagonal_sum[b] = diagonal_count[b] = 0.;
    for (unsigned int k = first_class[b]; k < first_class[b + 1]; ++k)
    {
      history[k].clear();
      values[k] = std::vector<double>();
      active_order[k].clear();
      if (active[k])
        active[k]->clear();
      if (nodes[k].empty() || (!split && rank != owner[k]))
        continue;
      const unsigned int c = k - first_class[b];
      if (!by_active_nodes[k] && !w.is_diagonal())
        values[k] = w.compliance(c, nodes[k]);
      // A split body is one class of one piece, known to all ranks and counted
      // by one.
      const double diagonal = w.effective_diagonal(c, nodes[k]);
      const double n_dofs =
          (split ? 1. : pieces_in_class[k]) * dim * nodes[k].size();
      if (!split || rank == 0)
      {
        diagonal_sum[b] += n_dofs * diagonal;
        diagonal_count[b] += n_dofs;
      }
    }
  }
  // Like W, it is that of the softer ones of different bodies: with the mean of
  // their diagonals errors of a soft one on a stiff one would hardly count.
  std::vector<double> sum(systems.size()), count(systems.size());
  Utilities::MPI::sum(diagonal_sum, communicator, sum);
  Utilities::MPI::sum(diagonal_count, communicator, count);
  double n = 0., reciprocals = 0.;
  for (unsigned int b = 0; b < systems.size(); ++b)
    if (sum[b] > 0.)
    {
      n += count[b];
      reciprocals += count[b] * (count[b] / sum[b]);
    }
  impulse_scale = n > 0. ? reciprocals / n : 0.;
}

template <int dim>
bool ContactCompliance<dim>::provide(
    const std::vector<unsigned int> &pieces,
    const std::vector<unsigned int> &contact_nodes)
{
  provide_all_nodes(pieces);
  std::vector<std::vector<unsigned int>> used(nodes.size());
  for (const unsigned int node : contact_nodes)
    if (by_active_nodes[class_of_node(node)])
      used[class_of_node(node)].push_back(slot_of_node[node]);
  bool fits = true;
  for (unsigned int k = 0; k < nodes.size(); ++k)
    if (by_active_nodes[k] && !provide_active_nodes(k, std::move(used[k])))
      fits = false;
  return fits;
}

template <int dim>
void ContactCompliance<dim>::repeat(const History &earlier)
{
  for (unsigned int b = 0; b < systems.size(); ++b)
    for (unsigned int k = first_class[b];
         k < first_class[b + 1] && k < earlier.size() &&
         systems[b]->is_linear() && !systems[b]->inverse().is_diagonal();
         ++k)
      if (by_active_nodes[k])
        for (const auto &positions : earlier[k])
          provide_active_nodes(k, positions);
}

template <int dim>
bool ContactCompliance<dim>::provide_active_nodes(
    const unsigned int k,
    std::vector<unsigned int> used)
{
  // All nodes that any rank needs, as positions in nodes[k].
  const auto make_unique = [](std::vector<unsigned int> &list)
  {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  make_unique(used);
  const bool wanted = !used.empty();
  if (n_ranks > 1)
  {
    std::vector<unsigned int> all;
    for (const auto &list : Utilities::MPI::all_gather(communicator, used))
      all.insert(all.end(), list.begin(), list.end());
    used.swap(all);
    make_unique(used);
  }
  const std::vector<unsigned int> positions = used;
  for (unsigned int &position : used)
    position = nodes[k][position];

  const unsigned int body =
      std::upper_bound(first_class.begin(), first_class.end(), k) -
      first_class.begin() - 1;
  const bool split = systems[body]->skin().is_split();
  std::vector<unsigned int> order; // empty: it does not fit
  if (active[k])
  {
    if (active[k]->require(used))
      order = active[k]->nodes();
    // One that is not used yet needs nothing; 1 says that it fits.
    order.push_back(order.empty() && !used.empty() ? 0 : 1);
  }
  if (n_ranks > 1 && !split)
    order = Utilities::MPI::broadcast(communicator, order, owner[k]);
  const bool fits = order.back() == 1;
  order.pop_back();
  const bool changed = order != active_order[k];
  if (changed)
    history[k].push_back(positions);
  active_order[k] = order;
  n_active[k]     = order.size();
  active_slot[k].assign(nodes[k].size(), 0);
  for (unsigned int s = 0; s < order.size(); ++s)
    active_slot[k]
               [std::lower_bound(nodes[k].begin(), nodes[k].end(), order[s]) -
                nodes[k].begin()] = s;
  if (n_ranks == 1 || split || !fits)
    return fits;

  // To the ranks that want it and do not have it.
  const std::size_t n = std::size_t(dim) * order.size();
  const int missing =
      wanted && !active[k] && (changed || values[k].size() != n * n);
  const auto who = Utilities::MPI::all_gather(communicator, missing);
  if (missing)
  {
    values[k].resize(n * n);
    MPI_Recv(values[k].data(),
             n * n,
             MPI_DOUBLE,
             owner[k],
             message_tags::compliance,
             communicator,
             MPI_STATUS_IGNORE);
  }
  else if (active[k])
    for (unsigned int r = 0; r < n_ranks; ++r)
      if (who[r])
        MPI_Send(active[k]->values(),
                 n * n,
                 MPI_DOUBLE,
                 r,
                 message_tags::compliance,
                 communicator);
  return true;
}

template <int dim>
void ContactCompliance<dim>::provide_all_nodes(
    const std::vector<unsigned int> &pieces)
{
  if (n_ranks == 1)
    return;
  std::vector<std::vector<unsigned int>> wanted(n_ranks);
  for (const unsigned int piece : pieces)
  {
    const unsigned int k = class_of_piece[piece];
    if (!values[k].empty() || nodes[k].empty() || by_active_nodes[k])
      continue;
    const std::size_t n = dim * nodes[k].size();
    values[k].resize(n * n);
    wanted[owner[k]].push_back(k);
  }
  const auto asked = send_lists(wanted, communicator);
  std::vector<MPI_Request> requests;
  for (unsigned int r = 0; r < n_ranks; ++r)
    for (const unsigned int k : asked[r])
    {
      requests.emplace_back();
      MPI_Isend(values[k].data(),
                values[k].size(),
                MPI_DOUBLE,
                r,
                message_tags::compliance,
                communicator,
                &requests.back());
    }
  for (unsigned int r = 0; r < n_ranks; ++r)
    for (const unsigned int k : wanted[r])
      MPI_Recv(values[k].data(),
               values[k].size(),
               MPI_DOUBLE,
               r,
               message_tags::compliance,
               communicator,
               MPI_STATUS_IGNORE);
  MPI_Waitall(requests.size(), requests.data(), MPI_STATUSES_IGNORE);
}

template class ContactCompliance<2>;
template class ContactCompliance<3>;
} // namespace delassus
