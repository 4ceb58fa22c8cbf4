#include <delassus/simulation/contact_messages.h>
#include <delassus/contact/delassus/delassus_operator.h>
#include <delassus/contact/kinematics/contact_packing.h>
#include <delassus/simulation/messages.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <numeric>

namespace delassus
{
using namespace dealii;

template <int dim>
ContactMessages<dim>::ContactMessages(const ContactSurfaces<dim> &surfaces,
                                      std::vector<unsigned int> piece_rank,
                                      MPI_Comm communicator)
    : surfaces(surfaces)
    , piece_rank(std::move(piece_rank))
    , communicator(communicator)
    , n_ranks(Utilities::MPI::n_mpi_processes(communicator))
    , my_rank(Utilities::MPI::this_mpi_process(communicator))
{
}

template <int dim>
ContactMessages<dim>::~ContactMessages()
{
  finish_sends();
}

template <int dim>
void ContactMessages<dim>::finish_sends()
{
  for (auto &neighbour : neighbours)
    if (neighbour.coupled())
      MPI_Waitall(n_buffers, neighbour.requests.data(), MPI_STATUSES_IGNORE);
}

template <int dim>
void ContactMessages<dim>::reinit(const std::vector<Contact<dim>> &contacts)
{
  finish_sends();
  neighbours.clear();
  ghosts.clear();
  n_coupled = n_coupled_ghosts = 0;
  n_sent = sent_before = 0;
  if (n_ranks == 1)
    return;
  find_neighbours(contacts);
  order_sweeps(contacts.size());
}

template <int dim>
void ContactMessages<dim>::find_neighbours(
    const std::vector<Contact<dim>> &contacts)
{
  // Pieces of other ranks that own contacts act on, then own pieces of which
  // another rank has said so: between them all that two ranks share.
  std::vector<bool> touched(surfaces.n_pieces(), false);
  for (const auto &contact : contacts)
    for (unsigned int i = 0; i < contact.n_entries; ++i)
      touched[surfaces.nodes[contact.nodes[i]].piece] = true;
  std::vector<unsigned int> mine;
  for (unsigned int p = 0; p < touched.size(); ++p)
    if (touched[p] && piece_rank[p] != my_rank)
      mine.push_back(p);
  std::unordered_map<unsigned int, std::vector<unsigned int>> ranks_of_piece;
  const auto note = [&](const std::vector<std::vector<unsigned int>> &lists)
  {
    for (unsigned int r = 0; r < n_ranks; ++r)
      for (const unsigned int p : lists[r])
        ranks_of_piece[p].push_back(r);
  };
  const auto foreign = gather_lists(mine, communicator);
  note(foreign);
  mine.clear();
  for (const auto &entry : ranks_of_piece)
    if (touched[entry.first] && piece_rank[entry.first] == my_rank)
      mine.push_back(entry.first);
  note(gather_lists(mine, communicator));

  // The lists of each rank, the coupled contacts first.
  std::vector<std::vector<unsigned int>> coupled(n_ranks), touching(n_ranks);
  std::vector<unsigned int> pieces, ranks;
  is_coupled.assign(contacts.size(), false);
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const auto &contact = contacts[a];
    pieces.clear();
    ranks.clear();
    const auto add = [](std::vector<unsigned int> &list, const unsigned int i)
    {
      if (std::find(list.begin(), list.end(), i) == list.end())
        list.push_back(i);
    };
    for (unsigned int i = 0; i < contact.n_entries; ++i)
      add(pieces, surfaces.nodes[contact.nodes[i]].piece);
    for (const unsigned int p : pieces)
    {
      const auto shared = ranks_of_piece.find(p);
      if (shared != ranks_of_piece.end())
        for (const unsigned int r : shared->second)
          if (r != my_rank)
            add(ranks, r);
    }
    for (const unsigned int r : ranks)
      coupled[r].push_back(a);
    is_coupled[a]             = !ranks.empty();
    const std::size_t n_known = ranks.size();
    for (unsigned int i = 0; i < contact.n_entries; ++i)
      if (surfaces.nodes[contact.nodes[i]].owner != my_rank)
        add(ranks, surfaces.nodes[contact.nodes[i]].owner);
    for (std::size_t i = n_known; i < ranks.size(); ++i)
      touching[ranks[i]].push_back(a);
  }

  std::vector<std::vector<char>> messages(n_ranks);
  for (unsigned int r = 0; r < n_ranks; ++r)
    if (!coupled[r].empty() || !touching[r].empty())
    {
      pack_value<std::size_t>(coupled[r].size(), messages[r]);
      pack_value<std::size_t>(touching[r].size(), messages[r]);
      for (const auto *list : { &coupled[r], &touching[r] })
        for (const unsigned int a : *list)
          pack(contacts[a], messages[r]);
    }
  const auto received = send_lists(messages, communicator);
  std::vector<std::vector<Contact<dim>>> only_touching;
  for (unsigned int r = 0; r < n_ranks; ++r)
  {
    if (messages[r].empty() && received[r].empty())
      continue;
    Neighbour neighbour;
    neighbour.rank = r;
    neighbour.send = coupled[r];
    neighbour.send.insert(
        neighbour.send.end(), touching[r].begin(), touching[r].end());
    neighbour.n_send_coupled    = coupled[r].size();
    neighbour.n_receive_coupled = neighbour.n_receive_touching = 0;
    neighbour.first_coupled                                    = ghosts.size();
    neighbour.requests.fill(MPI_REQUEST_NULL);
    only_touching.emplace_back();
    if (!received[r].empty())
    {
      const char *place            = received[r].data();
      neighbour.n_receive_coupled  = unpack_value<std::size_t>(place);
      neighbour.n_receive_touching = unpack_value<std::size_t>(place);
      for (std::size_t i = 0; i < neighbour.n_receive_coupled; ++i)
        ghosts.push_back(unpack<dim>(place));
      for (std::size_t i = 0; i < neighbour.n_receive_touching; ++i)
        only_touching.back().push_back(unpack<dim>(place));
    }
    neighbours.push_back(std::move(neighbour));
  }
  n_coupled_ghosts = ghosts.size();
  for (std::size_t i = 0; i < neighbours.size(); ++i)
  {
    auto &neighbour          = neighbours[i];
    neighbour.first_touching = ghosts.size();
    ghosts.insert(
        ghosts.end(), only_touching[i].begin(), only_touching[i].end());
    neighbour.step_out.resize(dim * neighbour.send.size());
    neighbour.step_in.resize(
        dim * (neighbour.n_receive_coupled + neighbour.n_receive_touching));
    for (auto &buffer : neighbour.out)
      buffer.resize(dim * neighbour.n_send_coupled);
    neighbour.in.resize(dim * neighbour.n_receive_coupled);
  }
}

template <int dim>
void ContactMessages<dim>::order_sweeps(const std::size_t n_contacts)
{
  // Colours: the smallest that no neighbour of lower rank has. Every rank finds
  // those of all.
  std::vector<unsigned int> mine;
  for (const auto &neighbour : neighbours)
    if (neighbour.coupled())
      mine.push_back(neighbour.rank);
  const auto lists = gather_lists(mine, communicator);
  std::vector<unsigned int> colour(n_ranks, 0);
  for (unsigned int r = 0; r < n_ranks; ++r)
  {
    const auto taken = [&](const unsigned int c)
    {
      return std::any_of(lists[r].begin(),
                         lists[r].end(),
                         [&](const unsigned int other)
                         { return other < r && colour[other] == c; });
    };
    while (taken(colour[r]))
      ++colour[r];
  }
  for (auto &neighbour : neighbours)
    neighbour.lower = colour[neighbour.rank] < colour[my_rank];
  const unsigned int last_colour =
      *std::max_element(colour.begin(), colour.end());

  n_coupled = std::count(is_coupled.begin(), is_coupled.end(), true);
  // Of the others, as many before the coupled contacts as there are colours
  // before this one's.
  const std::size_t n_inner = n_contacts - n_coupled;
  const std::size_t n_before =
      last_colour > 0 ? n_inner * colour[my_rank] / last_colour : n_inner;
  this->first.clear();
  this->coupled.clear();
  this->last.clear();
  std::size_t counted = 0;
  for (std::size_t a = 0; a < n_contacts; ++a)
  {
    auto &list = is_coupled[a]        ? this->coupled
                 : counted < n_before ? this->first
                                      : this->last;
    if (!is_coupled[a])
      ++counted;
    if (!list.empty() && list.back().end == a)
      list.back().end = a + 1;
    else
      list.push_back({ a, a + 1 });
  }
}

template <int dim>
void ContactMessages<dim>::move(ContactSet<dim> &table,
                                const std::vector<unsigned int> &owner) const
{
  const bool here = std::all_of(table.contacts.begin(),
                                table.contacts.end(),
                                [&](const Contact<dim> &contact)
                                { return owner[contact.point] == my_rank; });
  if (Utilities::MPI::min(int(here), communicator) == 1)
    return;
  const bool has_status = !table.status.empty();
  std::vector<std::pair<std::vector<double> *, unsigned int>> fields;
  for (auto *vector : { &table.P, &table.U })
    fields.emplace_back(vector, dim);
  for (auto *vector : { &table.gaps, &table.gaps_end })
    fields.emplace_back(vector, 1);
  std::vector<std::vector<char>> messages(n_ranks);
  std::vector<double> state;
  for (std::size_t a = 0; a < table.contacts.size(); ++a)
  {
    auto &message = messages[owner[table.contacts[a].point]];
    pack(table.contacts[a], message);
    pack_value(has_status ? table.status[a] : ContactStatus::open, message);
    for (const auto &field : fields)
    {
      const bool present = !field.first->empty();
      pack_value(present, message);
      for (unsigned int c = 0; present && c < field.second; ++c)
        pack_value((*field.first)[field.second * a + c], message);
    }
    // What the contact remembers.
    const unsigned int n_state =
        a < table.states.n_contacts() ? table.states.n_values(a) : 0;
    pack_value(n_state, message);
    if (n_state == 0)
      continue;
    pack_value(char(a < table.state_is_new.size() && table.state_is_new[a]),
               message);
    state.clear();
    table.states.pack(a, state);
    for (const double value : state)
      pack_value(value, message);
  }
  const auto received = send_lists(messages, communicator);

  ContactSet<dim> arrived;
  std::vector<std::vector<double> *> values = {
    &arrived.P, &arrived.U, &arrived.gaps, &arrived.gaps_end
  };
  for (const auto &message : received)
    for (const char *place = message.data();
         place < message.data() + message.size();)
    {
      arrived.contacts.push_back(unpack<dim>(place));
      arrived.status.push_back(unpack_value<ContactStatus>(place));
      for (unsigned int f = 0; f < values.size(); ++f)
        if (unpack_value<bool>(place))
          for (unsigned int c = 0; c < fields[f].second; ++c)
            values[f]->push_back(unpack_value<double>(place));
      const unsigned int n_state = unpack_value<unsigned int>(place);
      arrived.state_is_new.push_back(n_state > 0 ? unpack_value<char>(place)
                                                 : 0);
      state.assign(2 * n_state, 0.);
      for (double &value : state)
        value = unpack_value<double>(place);
      arrived.states.unpack(n_state, state.data());
    }

  // All contacts of a point come from one rank, in their order.
  std::vector<std::size_t> order(arrived.contacts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(),
                   order.end(),
                   [&](const std::size_t i, const std::size_t j)
                   {
                     const auto &a = arrived.contacts[i];
                     const auto &b = arrived.contacts[j];
                     return a.interaction != b.interaction
                                ? a.interaction < b.interaction
                                : a.point < b.point;
                   });
  table = ContactSet<dim>();
  table.contacts.reserve(order.size());
  for (const std::size_t i : order)
  {
    table.contacts.push_back(std::move(arrived.contacts[i]));
    table.status.push_back(arrived.status[i]);
    state.clear();
    arrived.states.pack(i, state);
    table.states.unpack(arrived.states.n_values(i), state.data());
    table.state_is_new.push_back(arrived.state_is_new[i]);
    for (unsigned int f = 0; f < values.size(); ++f)
      if (!values[f]->empty())
        fields[f].first->insert(fields[f].first->end(),
                                values[f]->begin() + fields[f].second * i,
                                values[f]->begin() +
                                    fields[f].second * (i + 1));
  }
}

template <int dim>
void ContactMessages<dim>::tell_ghosts(const std::vector<double> &P,
                                       std::vector<double> &ghost_P)
{
  ghost_P.resize(dim * ghosts.size());
  std::vector<MPI_Request> requests;
  for (auto &neighbour : neighbours)
    if (!neighbour.step_in.empty())
    {
      requests.emplace_back();
      MPI_Irecv(neighbour.step_in.data(),
                neighbour.step_in.size(),
                MPI_DOUBLE,
                neighbour.rank,
                message_tags::impulses,
                communicator,
                &requests.back());
    }
  const std::size_t n_receives = requests.size();
  for (auto &neighbour : neighbours)
    if (!neighbour.step_out.empty())
    {
      double *to = neighbour.step_out.data();
      for (const unsigned int a : neighbour.send)
        to = std::copy_n(&P[dim * a], dim, to);
      requests.emplace_back();
      MPI_Isend(neighbour.step_out.data(),
                neighbour.step_out.size(),
                MPI_DOUBLE,
                neighbour.rank,
                message_tags::impulses,
                communicator,
                &requests.back());
    }
  MPI_Waitall(n_receives, requests.data(), MPI_STATUSES_IGNORE);
  for (const auto &neighbour : neighbours)
  {
    const double *from = neighbour.step_in.data();
    std::copy_n(from,
                dim * neighbour.n_receive_coupled,
                ghost_P.begin() + dim * neighbour.first_coupled);
    std::copy_n(from + dim * neighbour.n_receive_coupled,
                dim * neighbour.n_receive_touching,
                ghost_P.begin() + dim * neighbour.first_touching);
  }
  MPI_Waitall(requests.size() - n_receives,
              requests.data() + n_receives,
              MPI_STATUSES_IGNORE);
}

template <int dim>
void ContactMessages<dim>::start()
{
  // All ranks have sent as many messages. What is left of a solution that ended
  // early is not wanted.
  for (auto &neighbour : neighbours)
    if (neighbour.coupled())
      while (neighbour.n_received < n_sent)
        receive_from(neighbour, nullptr);
  sent_before = n_sent;
}

template <int dim>
void ContactMessages<dim>::send(const double *impulses)
{
  const unsigned int slot = n_sent++ % n_buffers;
  for (auto &neighbour : neighbours)
  {
    if (!neighbour.coupled())
      continue;
    MPI_Wait(&neighbour.requests[slot], MPI_STATUS_IGNORE);
    double *to = neighbour.out[slot].data();
    for (std::size_t i = 0; i < neighbour.n_send_coupled; ++i)
      to = std::copy_n(
          impulses + sweep_stride<dim> * neighbour.send[i], dim, to);
    MPI_Isend(neighbour.out[slot].data(),
              neighbour.out[slot].size(),
              MPI_DOUBLE,
              neighbour.rank,
              message_tags::sweep,
              communicator,
              &neighbour.requests[slot]);
  }
}

template <int dim>
void ContactMessages<dim>::receive_from(Neighbour &neighbour, double *to)
{
  MPI_Recv(neighbour.in.data(),
           neighbour.in.size(),
           MPI_DOUBLE,
           neighbour.rank,
           message_tags::sweep,
           communicator,
           MPI_STATUS_IGNORE);
  ++neighbour.n_received;
  if (to == nullptr)
    return;
  for (std::size_t i = 0; i < neighbour.n_receive_coupled; ++i)
    std::copy_n(&neighbour.in[dim * i],
                dim,
                to + sweep_stride<dim> * (neighbour.first_coupled + i));
}

template <int dim>
bool ContactMessages<dim>::receive(const unsigned int lower,
                                   const unsigned int higher,
                                   double *to)
{
  bool something_new = false;
  for (auto &neighbour : neighbours)
  {
    if (!neighbour.coupled())
      continue;
    const unsigned long last =
        sent_before + (neighbour.lower ? lower : higher) + 1;
    while (neighbour.n_received < last)
    {
      receive_from(neighbour, to);
      something_new = true;
    }
  }
  return something_new;
}

template <int dim>
void ContactMessages<dim>::sum(double *values, const std::size_t n) const
{
  MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, communicator);
}

template <int dim>
void ContactMessages<dim>::maximum(double *values, const std::size_t n) const
{
  MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, communicator);
}

template <int dim>
std::string ContactMessages<dim>::first_error(const std::string &mine) const
{
  unsigned int first = mine.empty() ? n_ranks : my_rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_UNSIGNED, MPI_MIN, communicator);
  return first == n_ranks
             ? std::string()
             : Utilities::MPI::broadcast(communicator, mine, first);
}

template class ContactMessages<2>;
template class ContactMessages<3>;
} // namespace delassus
