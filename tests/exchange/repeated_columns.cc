#include <delassus/contact/exchange/repeated_columns.h>

#include <gtest/gtest.h>

using namespace delassus;

namespace
{
void expect_same(const CompressedColumns &a, const CompressedColumns &b)
{
  EXPECT_EQ(a.n_rows, b.n_rows);
  EXPECT_EQ(a.n_columns, b.n_columns);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.row, b.row);
  EXPECT_EQ(a.value, b.value);
}
} // namespace

TEST(RepeatedColumns, GiveWhatCompressedOnesAre)
{
  // Entries that are given twice are added; then other values, another place,
  // fewer and more of them, another size.
  std::vector<Triplet> entries = {
    { 0, 0, 1. }, { 2, 1, 2. }, { 1, 1, 3. }, { 2, 1, 4. }, { 0, 2, 5. }
  };
  RepeatedColumns repeated;
  unsigned int n_calls = 0;
  const auto check     = [&](const std::size_t n)
  {
    const auto &made =
        repeated.make(n,
                      n,
                      [&](const auto &add)
                      {
                        ++n_calls;
                        for (const Triplet &entry : entries)
                          add(entry.row, entry.column, entry.value);
                      });
    expect_same(made, compress_columns(n, n, entries));
  };
  check(3);
  EXPECT_EQ(n_calls, 1u);
  for (auto &entry : entries)
    entry.value *= -2.;
  check(3);
  EXPECT_EQ(n_calls, 2u); // as before: once
  entries[2].row = 0;
  check(3);
  EXPECT_EQ(n_calls, 4u); // others: once more
  entries.pop_back();
  check(3);
  entries.push_back({ 1, 2, 7. });
  check(3);
  check(4);
  entries.clear();
  check(4);
}
