#include <delassus/base/assert.h>
#include <delassus/contact/global_solvers/independent_parts.h>

#include <algorithm>
#include <numeric>

namespace delassus
{
namespace
{
/// The representative of a's part; paths are halved on the way.
unsigned int root_of(std::vector<unsigned int> &parent, unsigned int a)
{
  while (parent[a] != a)
    a = parent[a] = parent[parent[a]];
  return a;
}
} // namespace


template <int dim>
std::size_t IndependentParts<dim>::find(const ContactProblem<dim> &problem)
{
  const std::size_t n = problem.n_contacts();
  const auto *W_all = dynamic_cast<const BlockSparseDelassus<dim> *>(problem.W);
  if (W_all == nullptr || W_all->n_ghosts() > 0 || n == 0)
    return 1;
  const std::size_t *rows     = W_all->row_start_data();
  const unsigned int *columns = W_all->column_data();
  const double *values        = W_all->block_data();
  parent.resize(n);
  std::iota(parent.begin(), parent.end(), 0);
  std::size_t n_parts = n;
  // Contacts that are left out of W are no parts: they go with the first one.
  for (unsigned int a = 1; a < n; ++a)
    if (!problem.laws[a].active &&
        std::all_of(values + dim * dim * rows[a],
                    values + dim * dim * rows[a + 1],
                    [](const double x) { return x == 0.; }))
    {
      parent[a] = 0;
      --n_parts;
    }
  for (unsigned int a = 0; a < n && n_parts > 1; ++a)
    for (std::size_t k = rows[a]; k < rows[a + 1]; ++k)
    {
      const unsigned int p = root_of(parent, a),
                         q = root_of(parent, columns[k]);
      const double *block  = values + dim * dim * k;
      if (p == q || std::all_of(block,
                                block + dim * dim,
                                [](const double x) { return x == 0.; }))
        continue;
      // The smallest number represents a part.
      parent[std::max(p, q)] = std::min(p, q);
      --n_parts;
    }
  if (n_parts == 1)
    return 1;

  // Parts in the order of their first contacts.
  part_of.resize(n);
  start.assign(1, 0);
  for (unsigned int a = 0; a < n; ++a)
  {
    const unsigned int root = root_of(parent, a);
    if (root == a)
    {
      part_of[a] = start.size() - 1;
      start.push_back(0);
    }
    else
      part_of[a] = part_of[root];
    ++start[part_of[a] + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  members.resize(n);
  position.resize(n);
  auto next = start;
  for (unsigned int a = 0; a < n; ++a)
  {
    position[a]                 = next[part_of[a]] - start[part_of[a]];
    members[next[part_of[a]]++] = a;
  }
  DELASSUS_ASSERT(start.size() == n_parts + 1 && start.back() == n,
                  "every contact is in one part");
  return n_parts;
}


template <int dim>
const ContactProblem<dim> &
IndependentParts<dim>::make(const ContactProblem<dim> &problem,
                            const std::size_t part,
                            const double g)
{
  const auto &W_all =
      dynamic_cast<const BlockSparseDelassus<dim> &>(*problem.W);
  const std::size_t *rows     = W_all.row_start_data();
  const unsigned int *columns = W_all.column_data();
  const double *values        = W_all.block_data();
  const std::size_t n         = size(part);
  row_start.assign(1, 0);
  column.clear();
  blocks.clear();
  one.laws.resize(n);
  one.U_free.resize(dim * n);
  for (std::size_t i = 0; i < n; ++i)
  {
    const unsigned int a = contacts(part)[i];
    for (std::size_t k = rows[a]; k < rows[a + 1]; ++k)
      // (A block of zeros may lead elsewhere.)
      if (part_of[columns[k]] == part)
      {
        column.push_back(position[columns[k]]);
        blocks.insert(
            blocks.end(), values + dim * dim * k, values + dim * dim * (k + 1));
      }
    row_start.push_back(column.size());
    one.laws[i] = problem.laws[a];
    std::copy_n(
        problem.U_free.begin() + dim * a, dim, one.U_free.begin() + dim * i);
  }
  W.reinit(row_start, column, blocks);
  one.W             = &W;
  one.impulse_scale = g;
  one.memory_limit  = problem.memory_limit;
  one.h             = problem.h;
  return one;
}

template class IndependentParts<2>;
template class IndependentParts<3>;
} // namespace delassus
