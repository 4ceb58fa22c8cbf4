#include <delassus/simulation/contact_compliance.h>
#include <delassus/base/exceptions.h>
#include <delassus/simulation/messages.h>

#include <fmt/format.h>

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
void ContactCompliance<dim>::update()
{
  std::vector<unsigned int> pieces_in_class(nodes.size(), 0);
  for (const unsigned int c : class_of_piece)
    ++pieces_in_class[c];
  double diagonal_sum = 0., diagonal_count = 0.;
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    for (unsigned int k = first_class[b]; k < first_class[b + 1]; ++k)
    {
      values[k] = std::vector<double>();
      if (nodes[k].empty())
        continue;
      const std::size_t n = dim * nodes[k].size();
      if (n * n > (std::size_t(1) << 30))
        throw ComputationError(fmt::format(
            "Body '{}' has {} nodes on contact surfaces in one piece: their "
            "compliance would take {:.0f} GiB. Restrict the contact surfaces "
            "to where contact can happen.",
            model.bodies[b]->name(),
            nodes[k].size(),
            n * n * 8. / (1 << 30)));
      // A split body is one class of one piece, known to all ranks and counted
      // by one.
      const bool split = model.bodies[b]->split;
      if (!split && rank != owner[k])
        continue;
      auto &w               = model.schemes[b]->w;
      const unsigned int c  = k - first_class[b];
      values[k]             = w.compliance(c, nodes[k]);
      const double diagonal = w.effective_diagonal(c, nodes[k]);
      const double n_dofs   = (split ? 1. : pieces_in_class[k]) * n;
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
void ContactCompliance<dim>::provide(const std::vector<unsigned int> &pieces)
{
  const unsigned int n_ranks =
      Utilities::MPI::n_mpi_processes(model.communicator);
  if (n_ranks == 1)
    return;
  std::vector<std::vector<unsigned int>> wanted(n_ranks);
  for (const unsigned int piece : pieces)
  {
    const unsigned int k = class_of_piece[piece];
    if (!values[k].empty() || nodes[k].empty())
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
