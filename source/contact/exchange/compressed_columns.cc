#include <delassus/contact/exchange/compressed_columns.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
CompressedColumns compress_columns(const std::size_t n_rows,
                                   const std::size_t n_columns,
                                   const std::vector<Triplet> &entries)
{
  // Sort by rows, then stably by columns, counting both times.
  std::vector<std::size_t> by_row(entries.size());
  {
    std::vector<std::size_t> next(n_rows + 1, 0);
    for (const Triplet &entry : entries)
      ++next[entry.row + 1];
    for (std::size_t i = 0; i < n_rows; ++i)
      next[i + 1] += next[i];
    for (std::size_t k = 0; k < entries.size(); ++k)
      by_row[next[entries[k].row]++] = k;
  }
  CompressedColumns A;
  A.n_rows    = n_rows;
  A.n_columns = n_columns;
  std::vector<std::size_t> start(n_columns + 1, 0);
  for (const Triplet &entry : entries)
    ++start[entry.column + 1];
  for (std::size_t j = 0; j < n_columns; ++j)
    start[j + 1] += start[j];
  std::vector<std::size_t> sorted(entries.size());
  {
    std::vector<std::size_t> next(start);
    for (const std::size_t k : by_row)
      sorted[next[entries[k].column]++] = k;
  }
  A.start.assign(1, 0);
  A.start.reserve(n_columns + 1);
  A.row.reserve(entries.size());
  A.value.reserve(entries.size());
  for (std::size_t j = 0; j < n_columns; ++j)
  {
    for (std::size_t s = start[j]; s < start[j + 1]; ++s)
    {
      const Triplet &entry = entries[sorted[s]];
      if (A.row.size() > A.start.back() && A.row.back() == entry.row)
        A.value.back() += entry.value;
      else
      {
        A.row.push_back(static_cast<unsigned int>(entry.row));
        A.value.push_back(entry.value);
      }
    }
    A.start.push_back(A.row.size());
  }
  return A;
}


CompressedColumns transpose(const CompressedColumns &A)
{
  CompressedColumns T;
  T.n_rows    = A.n_columns;
  T.n_columns = A.n_rows;
  T.start.assign(T.n_columns + 1, 0);
  for (const unsigned int i : A.row)
    ++T.start[i + 1];
  for (std::size_t j = 0; j < T.n_columns; ++j)
    T.start[j + 1] += T.start[j];
  T.row.resize(A.row.size());
  T.value.resize(A.row.size());
  std::vector<std::size_t> next(T.start);
  for (std::size_t j = 0; j < A.n_columns; ++j)
    for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
    {
      const std::size_t to = next[A.row[k]]++;
      T.row[to]            = static_cast<unsigned int>(j);
      T.value[to]          = A.value[k];
    }
  return T;
}


double asymmetry(const CompressedColumns &A)
{
  const CompressedColumns T = transpose(A);
  double largest = 0., difference = 0.;
  for (std::size_t j = 0; j < A.n_columns; ++j)
  {
    std::size_t k = A.start[j], l = T.start[j];
    while (k < A.start[j + 1] || l < T.start[j + 1])
    {
      const std::size_t row_a = k < A.start[j + 1] ? A.row[k] : A.n_rows;
      const std::size_t row_t = l < T.start[j + 1] ? T.row[l] : A.n_rows;
      const double a          = row_a <= row_t ? A.value[k] : 0.;
      const double t          = row_t <= row_a ? T.value[l] : 0.;
      largest                 = std::max(largest, std::abs(a));
      difference              = std::max(difference, std::abs(a - t));
      k += row_a <= row_t;
      l += row_t <= row_a;
    }
  }
  return difference == 0. ? 0. : difference / largest;
}


void complete_triangle(CompressedColumns &A)
{
  std::size_t n_above = 0, n_below = 0;
  for (std::size_t j = 0; j < A.n_columns; ++j)
    for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
      if (A.value[k] != 0.)
      {
        n_above += A.row[k] < j;
        n_below += A.row[k] > j;
      }
  if ((n_above == 0) == (n_below == 0))
    return;
  std::vector<Triplet> entries;
  entries.reserve(2 * A.row.size());
  for (std::size_t j = 0; j < A.n_columns; ++j)
    for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
    {
      entries.push_back({ A.row[k], j, A.value[k] });
      if (A.row[k] != j)
        entries.push_back({ j, A.row[k], A.value[k] });
    }
  A = compress_columns(A.n_rows, A.n_columns, entries);
}


void add_product(const CompressedColumns &A, const double *x, double *y)
{
  for (std::size_t j = 0; j < A.n_columns; ++j)
    for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
      y[A.row[k]] += A.value[k] * x[j];
}


void add_transposed_product(const CompressedColumns &A,
                            const double *x,
                            double *y)
{
  for (std::size_t j = 0; j < A.n_columns; ++j)
  {
    double sum = 0.;
    for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
      sum += A.value[k] * x[A.row[k]];
    y[j] += sum;
  }
}
} // namespace delassus
