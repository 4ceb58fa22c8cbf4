#include <delassus/simulation/contact_compliance.h>
#include <delassus/simulation/messages.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

template <int dim>
ContactCompliance<dim>::ContactCompliance(Model<dim> &model)
    : model(model)
    , rank(Utilities::MPI::this_mpi_process(model.communicator))
{
  first_class.push_back(0);
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
  {
    const auto &classes = *model.classes[b];
    for (const unsigned int c : classes.class_of_piece)
      class_of_piece.push_back(first_class[b] + c);
    for (const unsigned int piece : classes.representative)
      owner.push_back(model.bodies[b]->pieces[piece].rank);
    first_class.push_back(first_class[b] + classes.n_classes());
  }

  // The contact nodes of a class: those of any of its pieces, so that congruent
  // pieces share one compliance.
  const auto &surfaces = *model.surfaces;
  nodes.resize(first_class.back());
  values.resize(nodes.size());
  const auto in_piece = [&](const auto &node)
  {
    const unsigned int piece = node.piece - surfaces.first_piece[node.body];
    return node.node - model.bodies[node.body]->pieces[piece].first_node;
  };
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
  // Alike on all ranks. Up to this many dofs all columns are soon solved for;
  // of larger surfaces mostly a small part is in contact. In a Newton loop they
  // are solved for again in each iteration.
  const std::size_t most_dofs = model.is_nonlinear() ? 24 : 768;
  by_active_nodes.assign(nodes.size(), false);
  active.resize(nodes.size());
  active_order.resize(nodes.size());
  active_slot.resize(nodes.size());
  n_active.assign(nodes.size(), 0);
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    for (unsigned int k = first_class[b]; k < first_class[b + 1]; ++k)
    {
      const double n = dim * nodes[k].size();
      by_active_nodes[k] =
          n > 0 && (model.bodies[b]->split || n > most_dofs ||
                    sizeof(double) * n * n > 0.5 * model.memory->limit());
      if (by_active_nodes[k] && (model.bodies[b]->split || rank == owner[k]))
        active[k] = std::make_unique<ActiveCompliance<dim>>(model.schemes[b]->w,
                                                            k - first_class[b]);
    }
}

template <int dim>
void ContactCompliance<dim>::update()
{
  if (by_active_nodes.empty())
    choose_forms();
  history.assign(nodes.size(), {});
  std::vector<unsigned int> pieces_in_class(nodes.size(), 0);
  for (const unsigned int c : class_of_piece)
    ++pieces_in_class[c];
  double diagonal_sum = 0., diagonal_count = 0.;
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    for (unsigned int k = first_class[b]; k < first_class[b + 1]; ++k)
    {
      const bool split = model.bodies[b]->split;
      values[k]        = std::vector<double>();
      active_order[k].clear();
      if (active[k])
        active[k]->clear();
      if (nodes[k].empty() || (!split && rank != owner[k]))
        continue;
      auto &w              = model.schemes[b]->w;
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
        diagonal_sum += n_dofs * diagonal;
        diagonal_count += n_dofs;
      }
    }
  diagonal_sum   = Utilities::MPI::sum(diagonal_sum, model.communicator);
  diagonal_count = Utilities::MPI::sum(diagonal_count, model.communicator);
  impulse_scale  = diagonal_sum > 0. ? diagonal_count / diagonal_sum : 0.;
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
  for (unsigned int k = 0; k < nodes.size() && k < earlier.size(); ++k)
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
  const unsigned int n_ranks =
      Utilities::MPI::n_mpi_processes(model.communicator);
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
    for (const auto &list :
         Utilities::MPI::all_gather(model.communicator, used))
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
  const bool split = model.bodies[body]->split;
  std::vector<unsigned int> order; // empty: it does not fit
  if (active[k])
  {
    if (active[k]->require(used))
      order = active[k]->nodes();
    // One that is not used yet needs nothing; 1 says that it fits.
    order.push_back(order.empty() && !used.empty() ? 0 : 1);
  }
  if (n_ranks > 1 && !split)
    order = Utilities::MPI::broadcast(model.communicator, order, owner[k]);
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
  const auto who = Utilities::MPI::all_gather(model.communicator, missing);
  if (missing)
  {
    values[k].resize(n * n);
    MPI_Recv(values[k].data(),
             n * n,
             MPI_DOUBLE,
             owner[k],
             message_tags::compliance,
             model.communicator,
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
                 model.communicator);
  return true;
}

template <int dim>
void ContactCompliance<dim>::provide_all_nodes(
    const std::vector<unsigned int> &pieces)
{
  const unsigned int n_ranks =
      Utilities::MPI::n_mpi_processes(model.communicator);
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
  const auto asked = exchange_lists(wanted, model.communicator);
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
                model.communicator,
                &requests.back());
    }
  for (unsigned int r = 0; r < n_ranks; ++r)
    for (const unsigned int k : wanted[r])
      MPI_Recv(values[k].data(),
               values[k].size(),
               MPI_DOUBLE,
               r,
               message_tags::compliance,
               model.communicator,
               MPI_STATUS_IGNORE);
  MPI_Waitall(requests.size(), requests.data(), MPI_STATUSES_IGNORE);
}

template class ContactCompliance<2>;
template class ContactCompliance<3>;
} // namespace delassus
