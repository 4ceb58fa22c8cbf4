#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/standard_problem.h>
#include <delassus/contact/global_solvers/standard_problem_internal.h>
#include <delassus/contact/global_solvers/standard_rows.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
using internal::smallest_eigenvalue;

template <int dim>
void block_rows(const DelassusOperator<dim> &W,
                std::vector<std::size_t> &start,
                std::vector<unsigned int> &column,
                std::vector<double> &blocks)
{
  const std::size_t n = W.n_contacts();
  if (const auto *stored = dynamic_cast<const BlockSparseDelassus<dim> *>(&W))
  {
    start.assign(stored->row_start_data(), stored->row_start_data() + n + 1);
    column.assign(stored->column_data(), stored->column_data() + start[n]);
    blocks.assign(stored->block_data(),
                  stored->block_data() + dim * dim * start[n]);
    return;
  }
  std::vector<double> P(dim * n, 0.), U(dim * dim * n);
  struct Entry
  {
    unsigned int row, column;
    double block[dim * dim];
  };
  std::vector<Entry> entries;
  for (std::size_t b = 0; b < n; ++b)
  {
    for (int c = 0; c < dim; ++c)
    {
      P[dim * b + c] = 1.;
      W.multiply(P.data(), U.data() + c * dim * n);
      P[dim * b + c] = 0.;
    }
    for (std::size_t a = 0; a < n; ++a)
    {
      Entry entry;
      entry.row    = a;
      entry.column = b;
      bool zero    = a != b;
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
        {
          entry.block[i * dim + j] = U[j * dim * n + dim * a + i];
          zero                     = zero && entry.block[i * dim + j] == 0.;
        }
      if (!zero)
        entries.push_back(entry);
    }
  }
  start.assign(n + 1, 0);
  for (const Entry &entry : entries)
    ++start[entry.row + 1];
  for (std::size_t a = 0; a < n; ++a)
    start[a + 1] += start[a];
  column.resize(entries.size());
  blocks.resize(dim * dim * entries.size());
  auto next = start;
  for (const Entry &entry : entries)
  {
    const std::size_t k = next[entry.row]++;
    column[k]           = entry.column;
    std::copy_n(entry.block, dim * dim, blocks.begin() + dim * dim * k);
  }
}


template <int dim>
void StandardProblem<dim>::copy_rows()
{
  block_rows(*original->W, row_start, column, blocks);
}


/// 1 + W D.
template <int dim>
void StandardProblem<dim>::factorize_springs()
{
  GeneralFactor &F = one_plus_WD;
  F.row_start.assign(1, 0);
  F.column.clear();
  F.value.clear();
  for (std::size_t a = 0; a < changes.size(); ++a)
    for (int i = 0; i < dim; ++i)
    {
      F.column.push_back(dim * a + i);
      F.value.push_back(1.);
      for (std::size_t k = row_start[a]; k < row_start[a + 1]; ++k)
      {
        const Change &there = changes[column[k]];
        if (!there.spring)
          continue;
        for (int j = 0; j < dim; ++j)
        {
          double value = 0.;
          for (int l = 0; l < dim; ++l)
            value += blocks[dim * dim * k + i * dim + l] * there.D[l * dim + j];
          F.column.push_back(dim * column[k] + j);
          F.value.push_back(value);
        }
      }
      F.row_start.push_back(F.column.size());
    }
  F.merge_entries();
  if (!F.factorize())
    why = "contact laws that soften make W singular; a smaller time step makes "
          "the mass dominate";
}


/// calW = L W' S + C from W, block by block or, with springs, column by column.
template <int dim>
void StandardProblem<dim>::form_rows()
{
  const std::size_t n = changes.size();
  if (!has_springs)
  {
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t k = row_start[a]; k < row_start[a + 1]; ++k)
      {
        const Change &here = changes[a], &there = changes[column[k]];
        if (!here.affine && !there.affine)
          continue;
        LocalMatrix<dim> block;
        std::copy_n(blocks.begin() + dim * dim * k, dim * dim, block.begin());
        block =
            matrix_product<dim>(here.L, matrix_product<dim>(block, there.S));
        if (column[k] == a)
          block = add(block, here.C);
        std::copy_n(block.begin(), dim * dim, blocks.begin() + dim * dim * k);
      }
  }
  else
  {
    // W by columns, to which (1 + W D)^{-1} is applied.
    struct Entry
    {
      unsigned int row, column;
      LocalMatrix<dim> block;
    };
    std::vector<std::vector<std::size_t>> in_column(n);
    std::vector<unsigned int> row_of(column.size());
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t k = row_start[a]; k < row_start[a + 1]; ++k)
      {
        in_column[column[k]].push_back(k);
        row_of[k] = a;
      }
    std::vector<Entry> entries;
    std::vector<double> x[dim];
    for (std::size_t b = 0; b < n; ++b)
    {
      bool coupled = false;
      for (int j = 0; j < dim; ++j)
        x[j].assign(dim * n, 0.);
      for (const std::size_t k : in_column[b])
      {
        coupled = coupled || changes[row_of[k]].spring;
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            x[j][dim * row_of[k] + i] += blocks[dim * dim * k + i * dim + j];
      }
      for (int j = 0; j < dim && coupled; ++j)
        one_plus_WD.solve(x[j].data());
      for (std::size_t a = 0; a < n; ++a)
      {
        Entry entry = { static_cast<unsigned int>(a),
                        static_cast<unsigned int>(b),
                        {} };
        bool zero   = a != b;
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
          {
            entry.block[i * dim + j] = x[j][dim * a + i];
            zero                     = zero && entry.block[i * dim + j] == 0.;
          }
        if (zero)
          continue;
        entry.block = matrix_product<dim>(
            changes[a].L, matrix_product<dim>(entry.block, changes[b].S));
        if (a == b)
          entry.block = add(entry.block, changes[a].C);
        entries.push_back(entry);
      }
    }
    row_start.assign(n + 1, 0);
    for (const Entry &entry : entries)
      ++row_start[entry.row + 1];
    for (std::size_t a = 0; a < n; ++a)
      row_start[a + 1] += row_start[a];
    column.resize(entries.size());
    blocks.resize(dim * dim * entries.size());
    auto next = row_start;
    for (const Entry &entry : entries)
    {
      const std::size_t k = next[entry.row]++;
      column[k]           = entry.column;
      std::copy_n(
          entry.block.begin(), dim * dim, blocks.begin() + dim * dim * k);
    }
  }
  formed.reinit(row_start, column, blocks);
  standard.W = &formed;
}


/// Where laws soften: a Cholesky factor of the symmetric part of calW, a little
/// lifted because W is often singular.
template <int dim>
void StandardProblem<dim>::check_definite()
{
  if (!softens(*original))
    return;
  const std::size_t n = changes.size();
  if (standard.W != &formed)
    form_rows(); // products are then those of the rows
  SymmetricMatrix matrix;
  GeneralFactor sum; // for its lists
  sum.row_start.assign(1, 0);
  std::vector<std::vector<std::pair<int, double>>> lines(dim * n);
  double largest = 0.;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t k = row_start[a]; k < row_start[a + 1]; ++k)
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
        {
          const double value = 0.5 * blocks[dim * dim * k + i * dim + j];
          const int p = dim * a + i, q = dim * column[k] + j;
          lines[p].emplace_back(q, value);
          lines[q].emplace_back(p, value);
          if (p == q)
            largest = std::max(largest, 2. * std::abs(value));
        }
  for (std::size_t p = 0; p < lines.size(); ++p)
  {
    lines[p].emplace_back(p, 1e-10 * largest);
    for (const auto &[q, value] : lines[p])
    {
      sum.column.push_back(q);
      sum.value.push_back(value);
    }
    sum.row_start.push_back(sum.column.size());
  }
  sum.merge_entries();
  matrix.n            = dim * n;
  matrix.column_start = sum.row_start;
  matrix.row          = sum.column;
  matrix.value        = sum.value;
  try
  {
    factorize_within_memory(matrix, original->memory_limit);
  }
  catch (const MemoryLimitError &)
  {
    throw;
  }
  catch (const ComputationError &)
  {
    // Name the one that softens most, by itself.
    std::size_t worst = 0;
    double least      = 1.;
    for (std::size_t a = 0; a < n; ++a)
    {
      const double here = std::min(smallest_eigenvalue<dim>(changes[a].D),
                                   smallest_eigenvalue<dim>(changes[a].C));
      if (here < least)
      {
        least = here;
        worst = a;
      }
    }
    why = fmt::format(
        "contact laws soften so much that W in their variables is not positive "
        "definite (most at contact {}); a smaller time step makes the mass "
        "dominate",
        worst);
  }
}


#define INSTANTIATE(dim)                                                       \
  template void block_rows<dim>(const DelassusOperator<dim> &,                 \
                                std::vector<std::size_t> &,                    \
                                std::vector<unsigned int> &,                   \
                                std::vector<double> &);                        \
  template void StandardProblem<dim>::copy_rows();                             \
  template void StandardProblem<dim>::factorize_springs();                     \
  template void StandardProblem<dim>::form_rows();                             \
  template void StandardProblem<dim>::check_definite()
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
