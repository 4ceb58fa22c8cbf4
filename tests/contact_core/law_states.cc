// States of contact laws as a value, and the table of laws.

#include <delassus/base/archive.h>
#include <delassus/base/exceptions.h>
#include <delassus/contact/laws/law_states.h>
#include <delassus/contact/laws/law_table.h>

#include <gtest/gtest.h>

#include <set>

using namespace delassus;

namespace
{
/// Contacts with 2, 0, 1 and 3 values, filled with 10 a + i, the end with that
/// and a half.
LawStates example()
{
  LawStates states;
  states.carry_over({ 2, 0, 1, 3 },
                    std::vector<std::size_t>(4, LawStates::is_new),
                    [](const std::size_t a, double *state)
                    {
                      const unsigned int n[] = { 2, 0, 1, 3 };
                      for (unsigned int i = 0; i < n[a]; ++i)
                        state[i] = 10. * a + i;
                    });
  for (std::size_t a = 0; a < states.n_contacts(); ++a)
    for (unsigned int i = 0; i < states.n_values(a); ++i)
      states.end(a)[i] += 0.5;
  return states;
}

void expect_values(const LawStates &states,
                   const std::size_t a,
                   const std::vector<double> &begin,
                   const std::vector<double> &end)
{
  ASSERT_EQ(states.n_values(a), begin.size());
  for (std::size_t i = 0; i < begin.size(); ++i)
  {
    EXPECT_EQ(states.begin(a)[i], begin[i]) << a;
    EXPECT_EQ(states.end(a)[i], end[i]) << a;
  }
}
} // namespace


TEST(LawStates, BeginTryAcceptRevert)
{
  LawStates none;
  EXPECT_EQ(none.n_contacts(), 0u);
  EXPECT_TRUE(none.empty());
  none.accept();
  none.revert();

  LawStates states = example();
  EXPECT_FALSE(states.empty());
  ASSERT_EQ(states.n_contacts(), 4u);
  expect_values(states, 0, { 0., 1. }, { 0.5, 1.5 });
  expect_values(states, 1, {}, {});
  expect_values(states, 2, { 20. }, { 20.5 });
  expect_values(states, 3, { 30., 31., 32. }, { 30.5, 31.5, 32.5 });
  LawStates copy = states;
  copy.revert();
  expect_values(copy, 3, { 30., 31., 32. }, { 30., 31., 32. });
  states.accept();
  expect_values(states, 0, { 0.5, 1.5 }, { 0.5, 1.5 });
  expect_values(copy, 0, { 0., 1. }, { 0., 1. }); // a value of its own
}


TEST(LawStates, PersistentContactsTakeTheirStateAlong)
{
  LawStates states = example();
  std::set<std::size_t> made, turned;
  // Reordered, one gone (0), one new (1), one of another law (3, was 2).
  states.carry_over(
      { 3, 2, 0, 2 },
      { 3, LawStates::is_new, 1, 2 },
      [&](const std::size_t a, double *state)
      {
        made.insert(a);
        state[0] = state[1] = -1. - a;
      },
      [&](const std::size_t a, double *state)
      {
        turned.insert(a);
        state[0] = -state[0];
      });
  EXPECT_EQ(made, (std::set<std::size_t>{ 1, 3 }));
  EXPECT_EQ(turned, (std::set<std::size_t>{ 0 }));
  ASSERT_EQ(states.n_contacts(), 4u);
  expect_values(states, 0, { -30., 31., 32. }, { -30.5, 31.5, 32.5 });
  expect_values(states, 1, { -2., -2. }, { -2., -2. });
  expect_values(states, 2, {}, {});
  expect_values(states, 3, { -4., -4. }, { -4., -4. });
}


TEST(LawStates, GoThroughMessagesAndCheckpoints)
{
  const LawStates states = example();
  std::vector<double> message;
  for (const std::size_t a : { 3, 1, 0 })
    states.pack(a, message);
  EXPECT_EQ(message.size(), 10u);
  LawStates received;
  const double *values = message.data();
  for (const unsigned int n : { 3, 0, 2 })
    values = received.unpack(n, values);
  EXPECT_EQ(values, message.data() + message.size());
  ASSERT_EQ(received.n_contacts(), 3u);
  expect_values(received, 0, { 30., 31., 32. }, { 30.5, 31.5, 32.5 });
  expect_values(received, 1, {}, {});
  expect_values(received, 2, { 0., 1. }, { 0.5, 1.5 });

  Archive out;
  LawStates saved = states;
  saved.archive(out);
  Archive in(out.bytes(), "test");
  LawStates loaded;
  loaded.archive(in);
  in.expect_end();
  ASSERT_EQ(loaded.n_contacts(), 4u);
  expect_values(loaded, 3, { 30., 31., 32. }, { 30., 31., 32. });
  expect_values(loaded, 0, { 0., 1. }, { 0., 1. });
}


TEST(LawTable, HasEveryLawOnceWithItsNameAndFields)
{
  std::set<std::string> names;
  const auto &table = law_table<3>();
  EXPECT_EQ(table.size(), law_table<2>().size());
  for (std::size_t i = 0; i < table.size(); ++i)
  {
    EXPECT_EQ(static_cast<std::size_t>(table[i].type), i);
    EXPECT_TRUE(names.insert(table[i].name).second);
    EXPECT_STRNE(table[i].help, "");
    ContactLawParameters parameters;
    parameters.type             = table[i].type;
    parameters.normal_stiffness = 1.;
    const auto law              = make_contact_law<3>(parameters);
    EXPECT_EQ(law->name(), table[i].name);
    EXPECT_EQ(law->fields().empty(), law->n_state() == 0);
    // initialize() and update() write all of the state.
    CandidateState<3> candidate;
    candidate.h    = 0.1;
    candidate.area = 1.;
    std::vector<double> begin(law->n_state() + 1, 77.), end = begin;
    law->initialize(candidate, begin.data());
    law->update(candidate, {}, begin.data(), end.data());
    for (unsigned int k = 0; k < law->n_state(); ++k)
    {
      EXPECT_NE(begin[k], 77.) << law->name();
      EXPECT_NE(end[k], 77.) << law->name();
    }
    EXPECT_EQ(begin.back(), 77.);
    EXPECT_EQ(end.back(), 77.);
    for (const auto &field : law->fields())
    {
      double values[4] = { 77., 77., 77., 77. };
      field.evaluate({}, end.data(), values);
      EXPECT_NE(values[field.is_vector ? 2 : 0], 77.);
      EXPECT_EQ(values[field.is_vector ? 3 : 1], 77.);
    }
  }
}
