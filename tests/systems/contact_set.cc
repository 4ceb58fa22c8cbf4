// The contact set as a value.
#include <delassus/simulation/contact_set.h>

#include <gtest/gtest.h>

#include <map>

using namespace delassus;

namespace
{
template <int dim>
Contact<dim> contact(const unsigned int point,
                     const int obstacle,
                     const unsigned int piece,
                     const dealii::Tensor<1, dim> &normal)
{
  Contact<dim> result;
  result.point    = point;
  result.obstacle = obstacle;
  result.piece    = piece;
  result.frame    = make_frame<dim>(normal);
  result.add_entry(point, 1.);
  return result;
}

dealii::Tensor<1, 2> direction(const double angle)
{
  dealii::Tensor<1, 2> n;
  n[0] = std::cos(angle);
  n[1] = std::sin(angle);
  return n;
}

ContactSet<2> three()
{
  ContactSet<2> set;
  set.contacts = { contact<2>(1, -1, 4, direction(0.3)),
                   contact<2>(1, -1, 7, direction(0.9)),
                   contact<2>(2, 5, 0, direction(1.5)) };
  set.P        = { 1., 0.2, 2., -0.1, 3., 0.5 };
  set.status   = { ContactStatus::stick,
                   ContactStatus::slip,
                   ContactStatus::open };
  set.U        = { 0., 0., 0., 1., 2., 3. };
  return set;
}
} // namespace

// More obstacles, points, pieces and slots than any packed number could hold.
TEST(ContactSet, KeysDoNotAlias)
{
  std::map<ContactKey, unsigned int> seen;
  const auto n = direction(0.);
  for (const int obstacle : { -1, 0, 4094, 4095, 4096, 8191, 65536, 1 << 20 })
    for (const unsigned int piece : { 0u, 1u, 1u << 16, 1u << 31 })
      for (const unsigned int point : { 0u, 1u, 0xffffffffu })
        for (const unsigned int slot : { 0u, 1u, 15u, 16u, 4096u })
          for (const unsigned int interaction : { 0u, 1u, 65536u })
          {
            auto c        = contact<2>(point, obstacle, piece, n);
            c.slot        = slot;
            c.interaction = interaction;
            EXPECT_EQ(++seen[c.key()], 1u);
          }
}

TEST(ContactSet, RevertsOrAccepts)
{
  const ContactSet<2> start = three();
  for (const bool with_contacts : { true, false })
  {
    auto set = start;
    EXPECT_FALSE(set.revert()); // nothing has begun
    set.begin(with_contacts);
    const auto copy = set; // a copy has its own beginning
    set.P[0]        = 9.;
    set.status[2]   = ContactStatus::stick;
    if (with_contacts)
    {
      set.contacts.pop_back();
      set.P.resize(4);
      set.U.clear();
    }
    EXPECT_TRUE(set.has_begun());
    EXPECT_TRUE(set.revert());
    EXPECT_FALSE(set.has_begun());
    EXPECT_EQ(set.P, start.P);
    EXPECT_EQ(set.status, start.status);
    EXPECT_EQ(set.contacts.size(), 3u);
    EXPECT_EQ(set.U, start.U);
    EXPECT_TRUE(copy.has_begun());

    set.begin(with_contacts);
    set.P[0] = 9.;
    set.accept();
    EXPECT_FALSE(set.revert());
    EXPECT_EQ(set.P[0], 9.);
  }
}

// Impulses are vectors in space; they go with the same candidate, antagonist
// piece and slot, and with nothing else.
TEST(ContactSet, CarriesImpulsesOfTheSameContacts)
{
  const auto before = three();
  ContactSet<2> now;
  now.contacts = { contact<2>(0, -1, 4, direction(0.)),
                   contact<2>(1, -1, 4, direction(0.5)),
                   contact<2>(1, -1, 8, direction(0.9)), // another piece
                   contact<2>(2, 5, 0, direction(1.6)) };
  now.carry_from(before);
  const auto expect_same = [&](const unsigned int i, const unsigned int k)
  {
    const auto difference = now.contacts[i].to_global(&now.P[2 * i]) -
                            before.contacts[k].to_global(&before.P[2 * k]);
    EXPECT_LT(difference.norm(), 1e-15);
    EXPECT_EQ(now.status[i], before.status[k]);
  };
  expect_same(1, 0);
  expect_same(3, 2);
  for (const unsigned int i : { 0, 2 })
  {
    EXPECT_EQ(now.P[2 * i], 0.);
    EXPECT_EQ(now.P[2 * i + 1], 0.);
    EXPECT_EQ(now.status[i], ContactStatus::open);
  }
  // Turned with the normal they keep their components.
  now.carry_from(before, [](const Contact<2> &) { return true; });
  EXPECT_NEAR(now.P[2], before.P[0], 1e-15);
  EXPECT_NEAR(now.P[3], before.P[1], 1e-15);
}

TEST(ContactSet, ArchiveRestoresIt)
{
  auto set     = three();
  set.gaps_end = { 0.1, 0., 0.3 };
  Archive out;
  set.archive(out);
  ContactSet<2> read;
  Archive in(out.bytes(), "test");
  read.archive(in);
  in.expect_end();
  EXPECT_EQ(read.P, set.P);
  EXPECT_EQ(read.status, set.status);
  EXPECT_EQ(read.U, set.U);
  EXPECT_EQ(read.gaps_end, set.gaps_end);
  ASSERT_EQ(read.contacts.size(), 3u);
  for (unsigned int i = 0; i < 3; ++i)
    EXPECT_EQ(read.contacts[i].key(), set.contacts[i].key());
}
