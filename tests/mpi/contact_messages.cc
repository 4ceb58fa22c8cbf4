// Contacts on their way between ranks: who has ghosts of whom, what moves with
// a contact, impulses of a step and of sweeps. Surfaces and contacts are made
// by hand and known to all ranks, so that each can tell what it should have.
#include "systems/masses.h"

#include <delassus/contact/global_solvers/gauss_seidel_sweep.h>
#include <delassus/simulation/contact_ranks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace delassus;
namespace ranks = dealii::Utilities::MPI;

namespace
{
unsigned int n_ranks()
{
  return ranks::n_mpi_processes(MPI_COMM_WORLD);
}

unsigned int my_rank()
{
  return ranks::this_mpi_process(MPI_COMM_WORLD);
}

constexpr unsigned int n_pieces = 9;

/// Pieces of two nodes, of which each rank owns some, except the last: it
/// belongs to rank 0, but its second node to the last rank.
unsigned int owner_of_piece(const unsigned int piece)
{
  return piece + 1 == n_pieces ? 0 : piece * n_ranks() / (n_pieces - 1);
}

unsigned int owner_of_node(const unsigned int node)
{
  return node + 1 == 2 * n_pieces ? n_ranks() - 1 : owner_of_piece(node / 2);
}

/// A number between 0 and 1 that belongs to a contact and a purpose.
template <int dim>
double value(const Contact<dim> &contact, const unsigned int purpose)
{
  const double x = 0.37 + 0.6180339887498949 * contact.point +
                   0.77 * contact.interaction + 3.3 * contact.slot +
                   0.613 * purpose;
  return x - std::floor(x);
}

/// Points 0 ... 17 are the nodes. Interaction 0: each second node against the
/// first of the next piece, a chain over all ranks, except between pieces 3 and
/// 4; the last but one has two contacts. Interaction 1: each first node against
/// an obstacle.
template <int dim>
std::vector<Contact<dim>> all_contacts()
{
  std::vector<Contact<dim>> contacts;
  const auto add = [&](const unsigned int interaction,
                       const unsigned int point,
                       const unsigned int slot)
  {
    Contact<dim> contact;
    contact.interaction = interaction;
    contact.point       = point;
    contact.slot        = slot;
    contact.add_entry(point, 1.);
    contact.n_candidate_entries = 1;
    if (interaction == 0)
    {
      contact.face = contact.piece = point / 2 + 1;
      const double share           = value(contact, 20);
      contact.add_entry(point + 1, -share);
      contact.add_entry(point + 2, -(1. - share));
    }
    else
      contact.obstacle = 3;
    dealii::Tensor<1, dim> normal;
    for (unsigned int c = 0; c < dim; ++c)
      normal[c] = value(contact, 10 + c) - 0.5;
    contact.frame = make_frame<dim>(normal / normal.norm());
    contact.area  = value(contact, 14);
    contacts.push_back(contact);
  };
  for (unsigned int p = 0; p + 1 < n_pieces; ++p)
    if (p != 3)
      for (unsigned int slot = 0; slot < (p == 6 ? 2 : 1); ++slot)
        add(0, 2 * p + 1, slot);
  for (unsigned int p = 0; p < n_pieces; ++p)
    add(1, 2 * p, 0);
  return contacts;
}

/// Contacts with all that belongs to them, made of their keys. Of the laws of
/// three contacts one remembers nothing, one two numbers, one three.
template <int dim>
ContactSet<dim> with_values(const std::vector<Contact<dim>> &contacts)
{
  ContactSet<dim> set;
  set.contacts = contacts;
  for (const auto &contact : contacts)
  {
    set.status.push_back(
        static_cast<ContactStatus>(std::size_t(100. * value(contact, 0)) % 3));
    for (unsigned int c = 0; c < dim; ++c)
    {
      set.P.push_back(value(contact, 1 + c));
      set.U.push_back(value(contact, 4 + c));
    }
    set.gaps.push_back(value(contact, 7));
    set.gaps_end.push_back(value(contact, 8));
    const unsigned int n = contact.point % 3 == 0 ? 0 : 1 + contact.point % 3;
    std::vector<double> state; // of the beginning, then of the end
    for (unsigned int i = 0; i < 2 * n; ++i)
      state.push_back(value(contact, 30 + i));
    set.states.unpack(n, state.data());
    set.state_is_new.push_back(n > 0 && value(contact, 9) > 0.5);
  }
  return set;
}

template <int dim>
void expect_same(const ContactSet<dim> &found, const ContactSet<dim> &expected)
{
  ASSERT_EQ(found.contacts.size(), expected.contacts.size());
  for (std::size_t a = 0; a < found.contacts.size(); ++a)
  {
    const auto &one = found.contacts[a], &other = expected.contacts[a];
    EXPECT_EQ(one.key(), other.key()) << a;
    EXPECT_EQ(one.face, other.face);
    EXPECT_EQ(one.n_entries, other.n_entries);
    EXPECT_EQ(one.n_candidate_entries, other.n_candidate_entries);
    EXPECT_TRUE(one.nodes == other.nodes);
    EXPECT_TRUE(one.weights == other.weights);
    EXPECT_TRUE(one.frame == other.frame);
    EXPECT_EQ(one.area, other.area);
  }
  EXPECT_EQ(found.status, expected.status);
  EXPECT_EQ(found.P, expected.P);
  EXPECT_EQ(found.U, expected.U);
  EXPECT_EQ(found.gaps, expected.gaps);
  EXPECT_EQ(found.gaps_end, expected.gaps_end);
  EXPECT_EQ(found.state_is_new, expected.state_is_new);
  ASSERT_EQ(found.states.n_contacts(), expected.states.n_contacts());
  for (std::size_t a = 0; a < found.contacts.size(); ++a)
  {
    std::vector<double> one, other;
    found.states.pack(a, one);
    expected.states.pack(a, other);
    EXPECT_EQ(one, other) << a;
  }
}

/// The contacts whose points a rank owns.
template <int dim>
std::vector<Contact<dim>> contacts_of(const unsigned int rank,
                                      const std::vector<unsigned int> &owner)
{
  std::vector<Contact<dim>> contacts;
  for (const auto &contact : all_contacts<dim>())
    if (owner[contact.point] == rank)
      contacts.push_back(contact);
  return contacts;
}

template <int dim>
std::set<unsigned int> pieces_of(const Contact<dim> &contact)
{
  std::set<unsigned int> pieces;
  for (const unsigned int node : contact.nodes)
    pieces.insert(node / 2);
  return pieces;
}

/// Whether two contacts act on the same piece: they are coupled by W.
template <int dim>
bool are_coupled(const Contact<dim> &a, const Contact<dim> &b)
{
  const auto first = pieces_of(a), second = pieces_of(b);
  return std::any_of(first.begin(),
                     first.end(),
                     [&](const unsigned int p) { return second.count(p) > 0; });
}

template <int dim>
struct Chain
{
  Chain()
      : surfaces({}, MPI_COMM_WORLD)
  {
    surfaces.first_piece = { 0, n_pieces };
    for (unsigned int node = 0; node < 2 * n_pieces; ++node)
    {
      surfaces.nodes.push_back({ 0, node, node / 2, owner_of_node(node) });
      owner.push_back(owner_of_node(node));
    }
    std::vector<unsigned int> ranks_of_pieces;
    for (unsigned int p = 0; p < n_pieces; ++p)
      ranks_of_pieces.push_back(owner_of_piece(p));
    messages = std::make_unique<ContactMessages<dim>>(
        surfaces, ranks_of_pieces, MPI_COMM_WORLD);
  }

  ContactSurfaces<dim> surfaces;
  std::vector<unsigned int> owner; ///< of points, which are the nodes
  std::unique_ptr<ContactMessages<dim>> messages;
};

/// Away from rank 0 and back, by three ways.
template <int dim>
void check_moves()
{
  const Chain<dim> chain;
  const auto everything = with_values(all_contacts<dim>());
  const std::vector<unsigned int> root(chain.owner.size(), 0);
  ContactSet<dim> table;
  if (my_rank() == 0)
    table = everything;
  for (unsigned int shift = 0; shift < 3; ++shift)
  {
    auto owner = chain.owner;
    for (auto &rank : owner)
      rank = (rank + shift) % n_ranks();
    chain.messages->move(table, owner);
    expect_same(table, with_values(contacts_of<dim>(my_rank(), owner)));
    if (shift == 1)
      continue; // from rank to rank, not by rank 0
    chain.messages->move(table, root);
    expect_same(table, my_rank() == 0 ? everything : ContactSet<dim>());
  }
  // What is not known of any contact is not made up on the way.
  table = ContactSet<dim>();
  if (my_rank() == 0)
    table.contacts = all_contacts<dim>();
  chain.messages->move(table, chain.owner);
  EXPECT_EQ(table.contacts.size(),
            contacts_of<dim>(my_rank(), chain.owner).size());
  EXPECT_TRUE(table.P.empty());
  EXPECT_TRUE(table.gaps_end.empty());
  EXPECT_TRUE(table.states.empty());
}

template <int dim>
void check_ghosts()
{
  Chain<dim> chain;
  auto &messages = *chain.messages;
  // Twice: the second time nothing of the first is left.
  for (const bool again : { false, true })
  {
    auto owner = chain.owner;
    if (!again)
      std::reverse(owner.begin(), owner.end());
    const auto mine = contacts_of<dim>(my_rank(), owner);
    messages.reinit(mine);

    // By their definition: coupled with a contact of this rank, or acting on a
    // node of it.
    std::set<ContactKey> coupled, touching;
    std::vector<bool> is_coupled(mine.size(), false);
    for (const auto &other : all_contacts<dim>())
    {
      if (owner[other.point] == my_rank())
        continue;
      bool found = false;
      for (std::size_t a = 0; a < mine.size(); ++a)
        if (are_coupled(mine[a], other))
          found = is_coupled[a] = true;
      if (found)
        coupled.insert(other.key());
      else if (std::any_of(other.nodes.begin(),
                           other.nodes.end(),
                           [](const unsigned int node)
                           { return owner_of_node(node) == my_rank(); }))
        touching.insert(other.key());
    }
    ASSERT_EQ(messages.n_coupled_ghosts, coupled.size());
    ASSERT_EQ(messages.ghosts.size(), coupled.size() + touching.size());
    for (std::size_t g = 0; g < messages.ghosts.size(); ++g)
      EXPECT_EQ((g < coupled.size() ? coupled : touching)
                    .count(messages.ghosts[g].key()),
                1u)
          << g;
    if (n_ranks() == 1)
    {
      EXPECT_TRUE(messages.ghosts.empty());
      continue;
    }
    EXPECT_GT(ranks::sum(coupled.size(), MPI_COMM_WORLD), 0u);

    // The order of a sweep has each contact once, coupled ones in the middle.
    EXPECT_EQ(
        messages.n_coupled,
        std::size_t(std::count(is_coupled.begin(), is_coupled.end(), true)));
    std::vector<unsigned int> visits(mine.size(), 0);
    for (const auto *ranges :
         { &messages.first, &messages.coupled, &messages.last })
      for (const auto &range : *ranges)
        for (std::size_t a = range.begin; a < range.end; ++a)
        {
          ++visits.at(a);
          EXPECT_EQ(is_coupled[a], ranges == &messages.coupled);
        }
    EXPECT_EQ(visits, std::vector<unsigned int>(mine.size(), 1));

    // Impulses of the step, and again with others.
    std::vector<double> ghost_P;
    for (const double factor : { 1., -3. })
    {
      auto P = with_values(mine).P;
      for (double &value : P)
        value *= factor;
      messages.tell_ghosts(P, ghost_P);
      auto expected = with_values(messages.ghosts).P;
      for (double &value : expected)
        value *= factor;
      EXPECT_EQ(ghost_P, expected);
    }
  }
}

/// Impulses of sweeps: messages are numbered, the latest counts.
template <int dim>
void check_sweeps()
{
  Chain<dim> chain;
  auto &messages  = *chain.messages;
  const auto mine = contacts_of<dim>(my_rank(), chain.owner);
  messages.reinit(mine);
  constexpr unsigned int stride = sweep_stride<dim>;
  const auto send               = [&](const double factor)
  {
    std::vector<double> impulses(stride * mine.size() + 1, 0.);
    for (std::size_t a = 0; a < mine.size(); ++a)
      for (unsigned int c = 0; c < dim; ++c)
        impulses[stride * a + c] = factor * value(mine[a], 1 + c);
    messages.send(impulses.data());
  };
  std::vector<double> ghosts(stride * messages.ghosts.size() + 1, -7.);
  const auto expect = [&](const double factor)
  {
    for (std::size_t g = 0; g < messages.n_coupled_ghosts; ++g)
      for (unsigned int c = 0; c < dim; ++c)
        EXPECT_EQ(ghosts[stride * g + c],
                  factor * value(messages.ghosts[g], 1 + c));
  };
  const bool has_ghosts = messages.n_coupled_ghosts > 0;
  messages.start();
  send(1.);
  EXPECT_EQ(messages.receive(0, 0, ghosts.data()), has_ghosts);
  expect(1.);
  EXPECT_FALSE(messages.receive(0, 0, ghosts.data()));
  // Two behind each other: only the last one is seen.
  send(2.);
  send(3.);
  EXPECT_EQ(messages.receive(2, 2, ghosts.data()), has_ghosts);
  expect(3.);
  // A solution that ended early leaves messages that the next one must not take
  // for its own.
  send(4.);
  send(5.);
  messages.start();
  send(6.);
  EXPECT_EQ(messages.receive(0, 0, ghosts.data()), has_ghosts);
  expect(6.);

  // Reductions, and whose error is told.
  double both[2] = { my_rank() + 1., -double(my_rank()) };
  messages.sum(both, 1);
  messages.maximum(both + 1, 1);
  EXPECT_EQ(both[0], 0.5 * n_ranks() * (n_ranks() + 1));
  EXPECT_EQ(both[1], 0.);
  EXPECT_EQ(messages.first_error(""), "");
  EXPECT_EQ(messages.first_error(my_rank() + 1 == n_ranks() ? "last" : ""),
            "last");
  EXPECT_EQ(messages.first_error("rank " + std::to_string(my_rank())),
            "rank 0");
}

/// Two masses that belong to one rank.
class OwnedMasses : public test::TwoMasses
{
public:
  OwnedMasses(const unsigned int number, const unsigned int owner)
      : TwoMasses("pair" + std::to_string(number),
                  dealii::Point<2>(2. * number, 0.))
      , owner(owner)
  {
  }
  Carrier carrier(const unsigned int n) const override
  {
    auto carrier  = TwoMasses::carrier(n);
    carrier.owner = owner;
    return carrier;
  }
  unsigned int piece_owner(const unsigned int) const override
  {
    return owner;
  }

private:
  const unsigned int owner;
};

/// Pairs of masses on a floor, of which ranks own as the function says, and
/// contacts of each pair with the floor and with the next pair.
struct Row
{
  Row(const ContactDistribution distribution,
      const std::function<unsigned int(unsigned int)> &owner)
      : model(parameters(distribution), MPI_COMM_WORLD, systems(owner))
      , ranks(model)
  {
    for (unsigned int p = 0; p < model.surfaces->points.size(); ++p)
    {
      const auto &point = model.surfaces->points[p];
      Contact<2> contact;
      contact.point    = p;
      contact.obstacle = 0;
      contact.add_entry(point.nodes[0], 1.);
      contact.n_candidate_entries = 1;
      contact.frame = make_frame<2>(dealii::Tensor<1, 2>({ 0., 1. }));
      contacts.push_back(contact);
      if (p == 0)
        continue;
      contact.obstacle = -1;
      contact.slot     = 1;
      contact.add_entry(model.surfaces->points[p - 1].nodes[0], -1.);
      contact.frame = make_frame<2>(dealii::Tensor<1, 2>({ 0.8, 0.6 }));
      contacts.push_back(contact);
    }
  }

  static Parameters parameters(const ContactDistribution distribution)
  {
    Parameters p;
    ObstacleParameters floor;
    floor.name   = "floor";
    floor.point  = { 0., 0. };
    floor.normal = { 0., 1. };
    p.obstacles  = { floor };
    ContactLawParameters law;
    law.name = "smooth";
    p.laws   = { law };
    InteractionParameters interaction;
    interaction.name = "touch";
    for (unsigned int i = 0; i < n_pairs; ++i)
      interaction.candidates.push_back("pair" + std::to_string(i));
    interaction.antagonists       = { "floor" };
    interaction.law               = "smooth";
    interaction.points            = CandidatePoints::nodes;
    p.interactions                = { interaction };
    p.contact_solver.distribution = distribution;
    return p;
  }

  static std::vector<std::unique_ptr<System<2>>>
  systems(const std::function<unsigned int(unsigned int)> &owner)
  {
    std::vector<std::unique_ptr<System<2>>> result;
    for (unsigned int i = 0; i < n_pairs; ++i)
      result.push_back(std::make_unique<OwnedMasses>(i, owner(i)));
    return result;
  }

  static constexpr unsigned int n_pairs = 8;
  Model<2> model;
  ContactRanks<2> ranks;
  std::vector<Contact<2>> contacts;
};
} // namespace

TEST(ContactMessages, ContactsMoveWithAllThatTheyKnow)
{
  check_moves<2>();
  check_moves<3>();
}

TEST(ContactMessages, GhostsAreTheCoupledAndThoseAtOwnNodes)
{
  check_ghosts<2>();
  check_ghosts<3>();
}

TEST(ContactMessages, SweepsSeeTheLatestImpulses)
{
  check_sweeps<2>();
  check_sweeps<3>();
}

// Each point is looked at by one rank; contacts go to the ranks that solve them
// and back to those that have found them; and r = H P is complete at the nodes
// of each rank, whoever has the contacts.
TEST(ContactRanks, ContactsGoToTheirOwnersAndBack)
{
  // Equal shares, and all on the last rank: then each detects its share, and
  // the contacts are sent there.
  for (const bool shared : { true, false })
    for (const auto distribution :
         { ContactDistribution::all_ranks, ContactDistribution::one_rank })
    {
      const auto owner = [&](const unsigned int pair)
      { return shared ? pair * n_ranks() / Row::n_pairs : n_ranks() - 1; };
      Row row(distribution, owner);
      const auto detected = row.ranks.detected_here();
      ASSERT_EQ(detected.size(), 2 * Row::n_pairs);
      std::vector<double> how_many(detected.begin(), detected.end());
      ranks::sum(how_many, MPI_COMM_WORLD, how_many);
      EXPECT_EQ(how_many, std::vector<double>(detected.size(), 1.));
      // No rank has more than half as much again as its share.
      EXPECT_LE(std::count(detected.begin(), detected.end(), true) * n_ranks(),
                1.5 * detected.size());

      std::vector<Contact<2>> found;
      for (const auto &contact : row.contacts)
        if (detected[contact.point])
          found.push_back(contact);
      const auto start = with_values(found);
      auto table       = start;
      EXPECT_EQ(row.ranks.distribute(table), row.contacts.size());
      const bool by_all =
          n_ranks() > 1 && distribution == ContactDistribution::all_ranks;
      EXPECT_EQ(row.ranks.distributed, by_all);
      EXPECT_EQ(row.ranks.keep_detected(),
                n_ranks() == 1 || (by_all && shared));
      std::vector<Contact<2>> own;
      for (const auto &contact : row.contacts)
        if ((by_all ? owner(contact.point / 2) : 0u) == my_rank())
          own.push_back(contact);
      expect_same(table, with_values(own));

      std::vector<double> r;
      row.ranks.sum_impulses(table.contacts, table.P, r);
      const auto all = with_values(row.contacts);
      std::vector<double> complete(r.size(), 0.);
      for (std::size_t a = 0; a < all.contacts.size(); ++a)
      {
        const auto &contact = all.contacts[a];
        const auto impulse  = contact.to_global(&all.P[2 * a]);
        for (unsigned int i = 0; i < contact.n_entries; ++i)
          for (unsigned int c = 0; c < 2; ++c)
            complete[2 * contact.nodes[i] + c] +=
                contact.weights[i] * impulse[c];
      }
      const auto &nodes = row.model.surfaces->nodes;
      for (std::size_t n = 0; n < nodes.size(); ++n)
        if (nodes[n].owner == my_rank())
        {
          for (unsigned int c = 0; c < 2; ++c)
            EXPECT_NEAR(r[2 * n + c], complete[2 * n + c], 1e-14) << n;
        }

      if (n_ranks() > 1) // alone nothing is ever sent
      {
        row.ranks.move_to_root(table);
        expect_same(table, my_rank() == 0 ? all : ContactSet<2>());
        row.ranks.move_to_owners(table);
        expect_same(table, with_values(own));
        row.ranks.move_to_detectors(table);
        expect_same(table, start);
      }

      // Rank 0 has solved it: all know how.
      ContactResult result;
      result.sweeps    = my_rank() == 0 ? 17 : 3;
      result.converged = my_rank() == 0;
      row.ranks.share(result);
      EXPECT_EQ(result.sweeps, 17u);
      EXPECT_TRUE(result.converged);
      EXPECT_EQ(row.ranks.first(my_rank() == 0 ? "why" : ""), "why");
    }
}
