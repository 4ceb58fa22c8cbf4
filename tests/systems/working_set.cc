#include <delassus/simulation/working_set.h>

#include <gtest/gtest.h>

using delassus::WorkingSet;

namespace
{
const std::vector<char> all_may = { 1, 1, 1, 0 };
}

TEST(WorkingSetAlone, TakesAllUntilItKnowsMore)
{
  WorkingSet set;
  set.choose({ 1., 10., 100., 100. }, all_may, 0);
  EXPECT_EQ(set.n_at_rest(), 0u);
  // The first has come closer by 0.5 than was expected.
  const double surprise = set.surprise({ 0.5, 10., 101., 0. }, { 1, 1, 1, 0 });
  EXPECT_DOUBLE_EQ(surprise, 0.5);
  set.learn(surprise);
  set.choose({ 0.9, 10., 100., 100. }, all_may, 0);
  EXPECT_FALSE(set.rests(0)); // within twice that
  EXPECT_TRUE(set.rests(1));
  EXPECT_TRUE(set.rests(2));
  EXPECT_FALSE(set.rests(3)); // its law may pull
  EXPECT_EQ(set.n_at_rest(), 2u);
}

TEST(WorkingSetAlone, IterationsAreDifferent)
{
  WorkingSet set;
  set.choose({ 1. }, { 1 }, 0);
  set.learn(0.1);
  // Of later iterations nothing is known yet.
  set.choose({ 1. }, { 1 }, 1);
  EXPECT_EQ(set.n_at_rest(), 0u);
  set.learn(0.01);
  set.choose({ 0.1 }, { 1 }, 1);
  EXPECT_EQ(set.n_at_rest(), 1u);
  set.choose({ 0.1 }, { 1 }, 0);
  EXPECT_EQ(set.n_at_rest(), 0u);
}

TEST(WorkingSetAlone, WhatIsViolatedJoins)
{
  WorkingSet set;
  set.choose({ 1., 1., 1. }, { 1, 1, 1 }, 0);
  set.learn(0.);
  set.choose({ 1., 1., 1. }, { 1, 1, 1 }, 0);
  ASSERT_EQ(set.n_at_rest(), 3u);
  EXPECT_EQ(set.join({ 0.1, -1e-12, 2. }), 1u);
  EXPECT_FALSE(set.rests(1));
  EXPECT_EQ(set.n_at_rest(), 2u);
  set.take_all(3);
  EXPECT_EQ(set.n_at_rest(), 0u);
}

TEST(WorkingSetAlone, WhatItHasLearnedIsArchived)
{
  WorkingSet set;
  set.choose({ 1. }, { 1 }, 0);
  set.learn(0.1);
  delassus::Archive save;
  set.archive(save);
  WorkingSet again;
  delassus::Archive load(save.bytes(), "");
  again.archive(load);
  again.choose({ 1. }, { 1 }, 0);
  EXPECT_EQ(again.n_at_rest(), 1u);
}
