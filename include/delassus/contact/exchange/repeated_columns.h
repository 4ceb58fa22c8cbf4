#ifndef delassus_contact_exchange_repeated_columns_h
#define delassus_contact_exchange_repeated_columns_h

#include <delassus/contact/exchange/compressed_columns.h>

namespace delassus
{
/// A sparse matrix that is made again and again from entries that come in the
/// same order: the places where they go are found once.
class RepeatedColumns
{
public:
  /// @p give: calls its argument with (row, column, value) for all entries;
  /// called twice if they are others than the last time.
  template <typename Give>
  const CompressedColumns &
  make(const std::size_t n_rows, const std::size_t n_columns, const Give &give)
  {
    if (begin(n_rows, n_columns))
      give([this](const std::size_t row,
                  const std::size_t column,
                  const double value) { repeat(row, column, value); });
    if (!is_repeated())
    {
      given.clear();
      give(
          [this](const std::size_t row,
                 const std::size_t column,
                 const double value) {
            given.push_back({ row, column, value });
          });
      record(n_rows, n_columns);
    }
    return matrix;
  }

private:
  /// Whether there is something that may be repeated.
  bool begin(const std::size_t n_rows, const std::size_t n_columns);

  void
  repeat(const std::size_t row, const std::size_t column, const double value)
  {
    ++n_given;
    if (n_same < places.size() && rows[n_same] == row &&
        columns[n_same] == column)
      matrix.value[places[n_same++]] += value;
  }

  bool is_repeated() const
  {
    return n_same > 0 && n_same == places.size() && n_given == n_same;
  }

  void record(const std::size_t n_rows, const std::size_t n_columns);

  CompressedColumns matrix;
  std::vector<Triplet> given;
  std::vector<unsigned int> rows, columns; ///< of each entry
  std::vector<std::size_t> places;         ///< in matrix.value
  std::size_t n_given = 0, n_same = 0;     ///< entries, as recorded
};
} // namespace delassus

#endif
