#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/sweep_views.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
template <int dim>
BlockSparseDelassus<dim>::BlockSparseDelassus()
    : row_start(1, 0)
{
}

template <int dim>
BlockSparseDelassus<dim>::BlockSparseDelassus(
    const std::vector<std::size_t> &row_start,
    const std::vector<unsigned int> &column,
    const std::vector<double> &blocks)
{
  reinit(row_start, column, blocks);
}


template <int dim>
void BlockSparseDelassus<dim>::reinit(const std::vector<std::size_t> &rows,
                                      const std::vector<unsigned int> &columns,
                                      const std::vector<double> &values)
{
  if (rows.empty() || rows.front() != 0 || rows.back() != columns.size() ||
      !std::is_sorted(rows.begin(), rows.end()) ||
      values.size() != columns.size() * dim * dim)
    throw ComputationError(fmt::format(
        "Block-sparse W: {} row starts, {} columns and {} values do "
        "not describe a matrix of {} x {} blocks.",
        rows.size(),
        columns.size(),
        values.size(),
        dim,
        dim));
  ghosts = 0;
  row_start.assign(rows.begin(), rows.end());
  column.assign(columns.begin(), columns.end());
  blocks.assign(values.begin(), values.end());
  find_diagonal();
}


template <int dim>
void BlockSparseDelassus<dim>::find_diagonal()
{
  const std::size_t n = row_start.size() - 1;
  diagonal.resize(n);
  for (std::size_t a = 0; a < n; ++a)
  {
    bool found = false;
    for (std::size_t k = row_start[a]; k < row_start[a + 1]; ++k)
    {
      if (column[k] >= n + ghosts)
        throw ComputationError(
            fmt::format("Block-sparse W: row {} has a block in column {}, "
                        "but there are {} contacts.",
                        a,
                        column[k],
                        n + ghosts));
      if (column[k] == a)
      {
        diagonal[a] = k;
        found       = true;
      }
    }
    if (!found)
      throw ComputationError(
          fmt::format("Block-sparse W: row {} has no diagonal block.", a));
  }
}


template <int dim>
void BlockSparseDelassus<dim>::diagonal_block(const std::size_t a,
                                              double *block) const
{
  std::copy_n(blocks.data() + dim * dim * diagonal[a], dim * dim, block);
}


template <int dim>
void BlockSparseDelassus<dim>::multiply(const double *P, double *U) const
{
  const BlockSparseSweep<dim> view(*this);
  const std::size_t n = n_contacts();
  for (std::size_t a = 0; a < n; ++a)
    view.template velocity_at<dim>(
        a, P, nullptr, U + dim * a, internal::prefetch_distance);
}


template <int dim>
void BlockSparseDelassus<dim>::velocity_at(const std::size_t a,
                                           const double *P,
                                           const double *buffer,
                                           double *U) const
{
  BlockSparseSweep<dim>(*this).velocity_at(a, P, buffer, U);
}


template <int dim>
std::size_t BlockSparseDelassus<dim>::memory_consumption() const
{
  return blocks.size() * sizeof(double) + column.size() * sizeof(unsigned int) +
         row_start.size() * sizeof(std::size_t);
}

template class BlockSparseDelassus<2>;
template class BlockSparseDelassus<3>;
} // namespace delassus
