#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/row_product.h>
#include <delassus/contact/global_solvers/standard_rows.h>
#include <delassus/contact/problem/contact_error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// The non-zero blocks of any operator, from its columns.
template <int dim>
void copy_blocks(const DelassusOperator<dim> &W,
                 std::vector<std::size_t> &start,
                 std::vector<unsigned int> &column,
                 std::vector<double> &blocks)
{
  const std::size_t n = W.n_contacts();
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
} // namespace


template <int dim>
bool StandardRows<dim>::supports(const ContactProblem<dim> &problem)
{
  for (const auto &law : problem.laws)
    if (law.active && !law.is_shift())
      return false;
  return problem.W == nullptr || problem.W->n_ghosts() == 0;
}


template <int dim>
void StandardRows<dim>::reinit(const ContactProblem<dim> &problem)
{
  const std::size_t n = problem.n_contacts();
  if (const auto *W = dynamic_cast<const BlockSparseDelassus<dim> *>(problem.W))
  {
    row_start = W->row_start_data();
    column    = W->column_data();
    blocks    = W->block_data();
  }
  else
  {
    if (problem.W == nullptr)
      own_start.assign(1, 0);
    else
      copy_blocks(*problem.W, own_start, own_column, own_blocks);
    row_start = own_start.data();
    column    = own_column.data();
    blocks    = own_blocks.data();
  }

  g      = effective_impulse_scale(problem);
  norm_q = norm_of_free_velocity(problem);
  q.resize(dim * n);
  mu.resize(n);
  threshold.resize(n);
  D.resize(n);
  fixed.resize(n);
  double largest = 0.;
  for (std::size_t a = 0; a < n; ++a)
  {
    const ChangeOfVariables<dim> &law = problem.laws[a];
    LocalMatrix<dim> W;
    problem.W->diagonal_block(a, W.data());
    D[a] = 0.;
    for (int c = 0; c < dim; ++c)
    {
      D[a] += W[c * dim + c] / dim;
      q[dim * a + c] = problem.U_free[dim * a + c] + law.shift[c];
    }
    mu[a]        = law.friction;
    threshold[a] = law.threshold;
    fixed[a]     = !law.active;
    largest      = std::max(largest, W[0]);
  }
  n_fixed = n_immovable = 0;
  for (std::size_t a = 0; a < n; ++a)
  {
    LocalMatrix<dim> W;
    problem.W->diagonal_block(a, W.data());
    if (!fixed[a] && !(W[0] > 1e-15 * largest && D[a] > 0.))
    {
      fixed[a] = 1;
      ++n_immovable;
    }
    n_fixed += fixed[a];
  }
}


template <int dim>
void StandardRows<dim>::velocities(const double *r, double *u) const
{
  const std::size_t n_contacts = n();
  for (std::size_t a = 0; a < n_contacts; ++a)
  {
    const std::size_t begin = row_start[a];
    internal::row_product<dim, dim>(blocks + dim * dim * begin,
                                    column + begin,
                                    row_start[a + 1] - begin,
                                    r,
                                    u + dim * a,
                                    0);
    for (int c = 0; c < dim; ++c)
      u[dim * a + c] += q[dim * a + c];
  }
}

template class StandardRows<2>;
template class StandardRows<3>;
} // namespace delassus
