#include <delassus/linear_solvers/blas.h>
#include <delassus/linear_solvers/supernodal_entries.h>

#include <algorithm>
#include <numeric>

namespace delassus
{
namespace
{
/// The parts of CHOLMOD's supernodal factor. Supernode k has the columns
/// begin(k) ... begin(k+1)-1 of L; its values are a dense block, column by
/// column, whose first rows are these columns' own, then those below.
struct Supernodes
{
  explicit Supernodes(const cholmod_factor &L)
      : first(static_cast<const int *>(L.super))
      , index_start(static_cast<const int *>(L.pi))
      , value_start(static_cast<const int *>(L.px))
      , index(static_cast<const int *>(L.s))
      , value(static_cast<const double *>(L.x))
  {
  }

  int n_columns(const int k) const
  {
    return first[k + 1] - first[k];
  }

  int n_rows(const int k) const
  {
    return index_start[k + 1] - index_start[k];
  }

  const double *block(const int k) const
  {
    return value + value_start[k];
  }

  const int *first, *index_start, *value_start, *index;
  const double *value;
};

/// Of L^{-1} at all unit vectors at once: up to a quarter of a gigabyte. What
/// is larger than a part of that is not kept.
constexpr double most_values       = 32e6;
constexpr std::size_t most_to_keep = 8000000;

/// Columns that are solved for at a time: many, for the sake of the dense
/// products, in no more than some ten megabytes.
std::size_t columns_at_a_time(const std::size_t n_rows)
{
  return std::clamp<std::size_t>(
      4000000 / std::max<std::size_t>(1, n_rows), 64, 512);
}
} // namespace

void SupernodalEntries::reinit(const cholmod_factor &L)
{
  const Supernodes part(L);
  const int n            = L.n;
  const int n_supernodes = L.nsuper;
  const int *permutation = static_cast<const int *>(L.Perm);
  inverse_permutation.resize(n);
  for (int i = 0; i < n; ++i)
    inverse_permutation[permutation[i]] = i;
  supernode_of.resize(n);
  for (int k = 0; k < n_supernodes; ++k)
    std::fill(supernode_of.begin() + part.first[k],
              supernode_of.begin() + part.first[k + 1],
              k);
  parent.resize(n_supernodes);
  largest_below = 0;
  for (int k = 0; k < n_supernodes; ++k)
  {
    const int n_below = part.n_rows(k) - part.n_columns(k);
    largest_below     = std::max(largest_below, n_below);
    parent[k] =
        n_below > 0
            ? supernode_of[part.index[part.index_start[k] + part.n_columns(k)]]
            : -1;
  }
  visited.assign(n_supernodes, 0);
  range.resize(n_supernodes);
  first_of.assign(n_supernodes, 0);
  rows.clear();
  columns.clear();
  parts.clear();
}

void SupernodalEntries::visit(const int supernode)
{
  for (int k = supernode; k >= 0 && !visited[k]; k = parent[k])
  {
    visited[k] = 1;
    parts.push_back(k);
  }
}

void SupernodalEntries::find_union(const cholmod_factor &L,
                                   const unsigned int n_border)
{
  const Supernodes part(L);
  for (const int k : parts)
    visited[k] = 0;
  parts.clear();
  for (const auto *list : { &rows, &columns })
    for (const unsigned int dof : *list)
      visit(supernode_of[inverse_permutation[dof]]);
  // The border in any case, also for dofs that nothing connects to it.
  if (n_border > 0)
    visit(supernode_of[L.n - n_border]);
  // Parents have higher numbers than their children.
  std::sort(parts.begin(), parts.end());
  n_union = 0;
  for (const int k : parts)
  {
    first_of[k] = n_union;
    n_union += part.n_columns(k);
  }
  const auto place = [&](const int row)
  {
    const int k = supernode_of[row];
    return first_of[k] + row - part.first[k];
  };
  below_start.assign(1, 0);
  below.clear();
  for (const int k : parts)
  {
    for (int i = part.index_start[k] + part.n_columns(k);
         i < part.index_start[k + 1];
         ++i)
      below.push_back(place(part.index[i]));
    below_start.push_back(below.size());
  }
  const auto places =
      [&](const std::vector<unsigned int> &dofs, std::vector<int> &list)
  {
    list.clear();
    for (const unsigned int dof : dofs)
      list.push_back(place(inverse_permutation[dof]));
  };
  places(rows, row_place);
  places(columns, column_place);

  // Unit vectors in the order of the tree: the ones that reach a supernode
  // follow one another.
  const auto sorted = [](std::vector<int> list)
  {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  };
  units = sorted(column_place);
  // One solution for rows and columns, if it is not much more and fits.
  std::vector<int> both = units;
  both.insert(both.end(), row_place.begin(), row_place.end());
  both    = sorted(std::move(both));
  one_way = both.size() <= 2 * units.size() &&
            double(n_union + largest_below) * both.size() < most_values;
  if (one_way)
    units = std::move(both);
  const auto number = [&](std::vector<int> &list)
  {
    for (int &value : list)
      value =
          std::lower_bound(units.begin(), units.end(), value) - units.begin();
  };
  row_unit    = row_place;
  column_unit = column_place;
  number(column_unit);
  if (one_way)
    number(row_unit);
}

void SupernodalEntries::find_ranges(const int begin, const int end)
{
  for (const int k : parts)
    range[k] = { end - begin, 0 };
  const auto extend = [&](const int k, const std::pair<int, int> &by)
  {
    range[k].first  = std::min(range[k].first, by.first);
    range[k].second = std::max(range[k].second, by.second);
  };
  std::size_t p = 0;
  for (int u = begin; u < end; ++u)
  {
    while (p + 1 < parts.size() && first_of[parts[p + 1]] <= units[u])
      ++p;
    extend(parts[p], { u - begin, u - begin + 1 });
  }
  for (const int k : parts)
    if (parent[k] >= 0 && range[k].first < range[k].second)
      extend(parent[k], range[k]);
}

void SupernodalEntries::solve_lower(const cholmod_factor &L)
{
  const Supernodes part(L);
  const double one = 1., zero = 0.;
  const int n_places = n_union;
  for (std::size_t p = 0; p < parts.size(); ++p)
  {
    const int k = parts[p], nc = part.n_columns(k), nr = part.n_rows(k);
    const int nb = nr - nc, first = range[k].first;
    const int count = range[k].second - first;
    if (count <= 0)
      continue;
    double *x = X.data() + first * n_union + first_of[k];
    dtrsm_("L",
           "L",
           "N",
           "N",
           &nc,
           &count,
           &one,
           part.block(k),
           &nr,
           x,
           &n_places);
    if (nb == 0)
      continue;
    dgemm_("N",
           "N",
           &nb,
           &count,
           &nc,
           &one,
           part.block(k) + nc,
           &nr,
           x,
           &n_places,
           &zero,
           update.data(),
           &nb);
    const int *places = below.data() + below_start[p];
    for (int j = 0; j < count; ++j)
    {
      double *column  = X.data() + (first + j) * n_union;
      const double *u = update.data() + std::size_t(j) * nb;
      for (int i = 0; i < nb; ++i)
        column[places[i]] -= u[i];
    }
  }
}

void SupernodalEntries::solve_upper(const cholmod_factor &L, const int count)
{
  const Supernodes part(L);
  const double one = 1., minus_one = -1.;
  const int n_places = n_union;
  for (std::size_t p = parts.size(); p-- > 0;)
  {
    const int k = parts[p], nc = part.n_columns(k), nr = part.n_rows(k);
    const int nb = nr - nc;
    double *x    = X.data() + first_of[k];
    if (nb > 0)
    {
      const int *places = below.data() + below_start[p];
      for (int j = 0; j < count; ++j)
      {
        const double *column = X.data() + j * n_union;
        double *u            = update.data() + std::size_t(j) * nb;
        for (int i = 0; i < nb; ++i)
          u[i] = column[places[i]];
      }
      dgemm_("T",
             "N",
             &nc,
             &count,
             &nb,
             &minus_one,
             part.block(k) + nc,
             &nr,
             update.data(),
             &nb,
             &one,
             x,
             &n_places);
    }
    dtrsm_("L",
           "L",
           "T",
           "N",
           &nc,
           &count,
           &one,
           part.block(k),
           &nr,
           x,
           &n_places);
  }
}

void SupernodalEntries::set_units(const int begin, const int end)
{
  find_ranges(begin, end);
  X.assign(n_union * (end - begin), 0.);
  update.resize(std::size_t(largest_below) * (end - begin));
  for (int u = begin; u < end; ++u)
    X[(u - begin) * n_union + units[u]] = 1.;
}

void SupernodalEntries::multiply_lower(const cholmod_factor &L,
                                       const std::size_t n_places)
{
  const Supernodes part(L);
  const std::size_t n_units = units.size();
  const double one          = 1.;
  const int n = n_units, distance = n_union;
  product.assign(n_units * n_units, 0.);
  for (const int k : parts)
  {
    const int first = range[k].first, count = range[k].second - first;
    const int n_rows =
        std::min<int>(part.n_columns(k), int(n_places) - first_of[k]);
    if (count > 0 && n_rows > 0)
      dsyrk_("L",
             "T",
             &count,
             &n_rows,
             &one,
             X.data() + first * n_union + first_of[k],
             &distance,
             &one,
             product.data() + first * (n_units + 1),
             &n);
  }
}

void SupernodalEntries::copy_product(double *E) const
{
  const std::size_t n_rows = rows.size(), n_units = units.size();
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < n_rows; ++i)
    {
      const std::size_t a = row_unit[i], b = column_unit[j];
      E[i + j * n_rows] = product[std::max(a, b) + std::min(a, b) * n_units];
    }
}

void copy_last_block(const cholmod_factor &L, const unsigned int n, double *to)
{
  const Supernodes part(L);
  const int first = L.n - n;
  for (int k = L.nsuper; k-- > 0 && part.first[k + 1] > first;)
    for (int c = std::max(0, first - part.first[k]); c < part.n_columns(k); ++c)
      for (int r = c; r < part.n_rows(k); ++r)
        to[part.index[part.index_start[k] + r] - first +
           std::size_t(part.first[k] + c - first) * n] =
            part.block(k)[r + std::size_t(c) * part.n_rows(k)];
}

void SupernodalEntries::compute(const cholmod_factor &L,
                                const unsigned int n_border,
                                const std::vector<unsigned int> &wanted_rows,
                                const std::vector<unsigned int> &wanted_columns,
                                double *E,
                                double *Y_b)
{
  if (wanted_columns.empty() || (wanted_rows.empty() && !Y_b))
    return;
  if (wanted_rows != rows || wanted_columns != columns ||
      n_border != with_border)
  {
    with_border = n_border;
    rows        = wanted_rows;
    columns     = wanted_columns;
    find_union(L, n_border);
  }
  // The border is last.
  const std::size_t n_rows = rows.size(), n_units = units.size();
  const std::size_t n_inner    = n_union - n_border;
  const std::size_t block_size = one_way ? n_units : columns_at_a_time(n_union);
  solved.resize(one_way ? 0 : n_rows * n_units);
  border.resize(Y_b ? n_border * n_units : 0);
  for (std::size_t begin = 0; begin < n_units; begin += block_size)
  {
    const std::size_t end = std::min(begin + block_size, n_units);
    set_units(begin, end);
    solve_lower(L);
    for (std::size_t u = begin; u < end && Y_b; ++u)
      std::copy_n(X.data() + (u - begin) * n_union + n_inner,
                  n_border,
                  border.data() + u * n_border);
    if (n_rows == 0)
      continue;
    if (one_way)
    {
      // A_ii^{-1} = Y_i^T Y_i with L Y = unit vectors.
      multiply_lower(L, n_inner);
      copy_product(E);
      continue;
    }
    for (std::size_t u = begin; u < end; ++u)
      std::fill_n(X.data() + (u - begin) * n_union + n_inner, n_border, 0.);
    solve_upper(L, end - begin);
    for (std::size_t u = begin; u < end; ++u)
      for (std::size_t i = 0; i < n_rows; ++i)
        solved[i + u * n_rows] = X[(u - begin) * n_union + row_place[i]];
  }
  for (std::size_t j = 0; j < columns.size(); ++j)
  {
    if (!one_way)
      std::copy_n(
          solved.data() + column_unit[j] * n_rows, n_rows, E + j * n_rows);
    if (Y_b)
      std::copy_n(border.data() + column_unit[j] * n_border,
                  n_border,
                  Y_b + j * n_border);
  }
  for (auto *values : { &X, &update })
    if (values->size() > most_to_keep)
      *values = std::vector<double>();
}

std::size_t SupernodalEntries::memory_consumption() const
{
  return sizeof(double) *
             (X.capacity() + update.capacity() + product.capacity() +
              solved.capacity() + border.capacity()) +
         sizeof(int) * (2 * supernode_of.capacity() + below.capacity());
}
} // namespace delassus
