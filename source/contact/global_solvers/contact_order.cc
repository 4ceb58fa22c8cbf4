#include <delassus/base/assert.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/contact_order.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace delassus
{
template <int dim>
void ContactOrder<dim>::collect_dense(const DelassusOperator<dim> &W)
{
  const auto *blocks = static_cast<const DenseDelassus<dim> &>(W).block_data();
  const std::size_t n_columns = W.n_columns();
  columns.clear();
  starts.assign(1, 0);
  for (std::size_t a = 0; a < n; ++a)
  {
    for (std::size_t b = 0; b < n; ++b)
    {
      const double *block = blocks + (a * n_columns + b) * dim * dim;
      if (std::any_of(
              block, block + dim * dim, [](double w) { return w != 0.; }))
        columns.push_back(b);
    }
    starts.push_back(columns.size());
  }
}


template <int dim>
std::size_t ContactOrder<dim>::breadth_first(const Cells &cells,
                                             const unsigned int first,
                                             std::vector<unsigned int> &order)
{
  ++stamp;
  std::size_t level = order.size(), here = level;
  order.push_back(first);
  mark[first] = stamp;
  while (true)
  {
    const std::size_t end = order.size();
    for (; here < end; ++here)
    {
      const unsigned int a     = order[here];
      const std::size_t before = order.size();
      const auto expand        = [&](const std::size_t cell)
      {
        for (std::size_t k = cells.cell_start[cell];
             k < cells.cell_start[cell + 1];
             ++k)
        {
          const unsigned int b = cells.contact[k];
          // Columns of other ranks' contacts have no row here.
          if (b < n && mark[b] != stamp)
          {
            mark[b] = stamp;
            order.push_back(b);
          }
        }
      };
      if (cells.cell == nullptr)
        expand(a);
      else
        for (std::size_t k = cells.contact_start[a];
             k < cells.contact_start[a + 1];
             ++k)
          // All contacts of a cell are reached at once.
          if (const unsigned int cell = cells.cell[k]; cell_mark[cell] != stamp)
          {
            cell_mark[cell] = stamp;
            expand(cell);
          }
      std::sort(order.begin() + before,
                order.end(),
                [&](const unsigned int x, const unsigned int y) {
                  return degree[x] != degree[y] ? degree[x] < degree[y] : x < y;
                });
    }
    if (order.size() == end)
      return level;
    level = end;
  }
}


template <int dim>
bool ContactOrder<dim>::by_graph(const DelassusOperator<dim> &W,
                                 std::vector<unsigned int> &order)
{
  n = W.n_contacts();
  Cells cells;
  std::size_t n_cells = n;
  if (const auto *sparse = dynamic_cast<const BlockSparseDelassus<dim> *>(&W))
  {
    cells.cell_start = sparse->row_start_data();
    cells.contact    = sparse->column_data();
  }
  else if (dynamic_cast<const DenseDelassus<dim> *>(&W) != nullptr)
  {
    collect_dense(W);
    cells.cell_start = starts.data();
    cells.contact    = columns.data();
  }
  else if (const auto *body = dynamic_cast<const BodyDelassus<dim> *>(&W))
  {
    body->pieces_of_contacts(starts, pieces);
    n_cells = 0;
    for (const unsigned int piece : pieces)
      n_cells = std::max<std::size_t>(n_cells, piece + 1);
    piece_start.assign(n_cells + 2, 0);
    for (const unsigned int piece : pieces)
      ++piece_start[piece + 2];
    std::partial_sum(
        piece_start.begin(), piece_start.end(), piece_start.begin());
    piece_contact.resize(pieces.size());
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t k = starts[a]; k < starts[a + 1]; ++k)
        piece_contact[piece_start[pieces[k] + 1]++] = a;
    cells.contact_start = starts.data();
    cells.cell          = pieces.data();
    cells.cell_start    = piece_start.data();
    cells.contact       = piece_contact.data();
  }
  order.clear();
  if (cells.cell_start == nullptr)
  {
    order.resize(n);
    std::iota(order.begin(), order.end(), 0);
    return false;
  }

  degree.assign(n, 0);
  for (std::size_t a = 0; a < n; ++a)
    if (cells.cell == nullptr)
      degree[a] = cells.cell_start[a + 1] - cells.cell_start[a];
    else
      for (std::size_t k = cells.contact_start[a];
           k < cells.contact_start[a + 1];
           ++k)
        degree[a] += cells.cell_start[cells.cell[k] + 1] -
                     cells.cell_start[cells.cell[k]];
  mark.assign(n, 0);
  cell_mark.assign(n_cells, 0);
  stamp = 0;
  order.reserve(n);
  for (unsigned int start = 0; start < n; ++start)
  {
    if (mark[start] != 0)
      continue;
    // From a contact of the last level, the one with the fewest neighbours,
    // the levels are more and smaller.
    const std::size_t begin = order.size();
    const std::size_t last  = breadth_first(cells, start, order);
    const unsigned int end  = *std::min_element(
        order.begin() + last,
        order.end(),
        [&](const unsigned int x, const unsigned int y)
        { return degree[x] != degree[y] ? degree[x] < degree[y] : x < y; });
    order.resize(begin);
    breadth_first(cells, end, order);
  }
  DELASSUS_ASSERT(order.size() == n, "every contact is visited once");
  return true;
}

template class ContactOrder<2>;
template class ContactOrder<3>;
} // namespace delassus
