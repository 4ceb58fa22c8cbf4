#include <delassus/contact/exchange/repeated_columns.h>

#include <algorithm>

namespace delassus
{
bool RepeatedColumns::begin(const std::size_t n_rows,
                            const std::size_t n_columns)
{
  n_given = n_same = 0;
  std::fill(matrix.value.begin(), matrix.value.end(), 0.);
  return !places.empty() && matrix.n_rows == n_rows &&
         matrix.n_columns == n_columns;
}

void RepeatedColumns::record(const std::size_t n_rows,
                             const std::size_t n_columns)
{
  matrix = compress_columns(n_rows, n_columns, given);
  rows.clear();
  columns.clear();
  places.clear();
  for (const Triplet &entry : given)
  {
    rows.push_back(entry.row);
    columns.push_back(entry.column);
    places.push_back(
        std::lower_bound(matrix.row.begin() + matrix.start[entry.column],
                         matrix.row.begin() + matrix.start[entry.column + 1],
                         entry.row) -
        matrix.row.begin());
  }
  given = std::vector<Triplet>();
}
} // namespace delassus
