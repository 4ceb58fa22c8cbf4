#include <delassus/linear_solvers/blas.h>
#include <delassus/linear_solvers/bordered_factor.h>
#include <delassus/linear_solvers/on_all_ranks.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace delassus
{
namespace
{
/// C (m x n) = alpha op(A) op(B) + beta C, k the inner dimension.
void multiply(const char *op_A,
              const char *op_B,
              const int m,
              const int n,
              const int k,
              const double alpha,
              const double *A,
              const double *B,
              const double beta,
              double *C)
{
  if (m == 0 || n == 0)
    return;
  const int lda = std::max(1, *op_A == 'N' ? m : k),
            ldb = std::max(1, *op_B == 'N' ? k : n);
  dgemm_(op_A, op_B, &m, &n, &k, &alpha, A, &lda, B, &ldb, &beta, C, &m);
}

/// The factor of a matrix that ranks share, by substructures. A dof that is
/// coupled to one of a lower rank is of the interface b, all others of the
/// interior i_r of their rank r, so that interiors are coupled through b only:
/// each rank factorizes its own part
///   A_r = A on i_r and the b_r that it touches,
/// b_r last, and all of them the Schur complement on b,
///   S = A_bb - sum_r A_br,ir A_ir,ir^-1 A_ir,br
///     = A_bb + sum_r (L_b L_b^T - A_br,br)
/// with the last block L_b of each rank's factor.
/// Sums are over ranks in their order: results are the same to the last bit
/// each time.
class SubstructuredFactor : public SymmetricFactor
{
public:
  SubstructuredFactor(const SymmetricMatrix &A,
                      const double bytes_allowed_in,
                      MPI_Comm communicator)
      : communicator(communicator)
      , size(A.n)
      , bytes_allowed(bytes_allowed_in)
  {
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);
    starts.assign(n_ranks + 1, 0);
    const int mine = A.n;
    MPI_Allgather(
        &mine, 1, MPI_INT, starts.data() + 1, 1, MPI_INT, communicator);
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    find_interface(A);
  }

  /// All ranks hold the interface's matrices and factorize S: whether there is
  /// room, and no more work than in a factor of all (in space about 10 n^2).
  bool is_worthwhile() const
  {
    const double m = interface.size(), n = starts.back();
    return 4. * sizeof(double) * m * m < 0.5 * bytes_allowed &&
           interface_work() < 10. * n * n;
  }

  /// False if a rank's part has no order with the interface last.
  bool start(const SymmetricMatrix &A)
  {
    find_sources(A);
    return refactorize(A);
  }

  bool refactorize(const SymmetricMatrix &A) override
  {
    gather_interface_block(A);
    for (std::size_t k = 0; k < source.size(); ++k)
      local.value[k] = source[k] >= 0 ? A.value[source[k]] : D[-1 - source[k]];
    const int m_r = touched.size();
    T.resize(std::size_t(m_r) * m_r);
    int suitable = 1;
    factorize_on_all(
        communicator,
        fmt::format("A rank's part of the factor of {} unknowns",
                    starts.back()),
        bytes_allowed,
        [&]()
        {
          if (local.n == 0)
            return;
          if (factor)
            factor->refactorize(local);
          else
            factor = make_bordered_factor(local, bytes_allowed, m_r);
          suitable = factor->has_border();
          if (!suitable)
            return;
          factor->border(L_b);
          const double *L = L_b.data();
          multiply("N", "T", m_r, m_r, m_r, 1., L, L, 0., T.data());
        });
    MPI_Allreduce(MPI_IN_PLACE, &suitable, 1, MPI_INT, MPI_MIN, communicator);
    if (suitable && !add_up_schur_complement())
      throw_not_positive_definite("found between the parts of ranks");
    return suitable;
  }

  unsigned int n() const override
  {
    return size;
  }

  void solve(double *X, const unsigned int n_columns) override
  {
    const int m = interface.size(), m_r = touched.size();
    const std::size_t n_interior = interior.size();
    for (unsigned int begin = 0; begin < n_columns;
         begin += right_hand_side_block)
    {
      const int count = std::min(right_hand_side_block, n_columns - begin);
      double *x       = X + std::size_t(begin) * size;
      // L z = (f, 0).
      z.assign(std::size_t(local.n) * count, 0.);
      for (int c = 0; c < count; ++c)
        for (std::size_t i = 0; i < n_interior; ++i)
          z[c * local.n + i] = x[std::size_t(c) * size + interior[i]];
      if (local.n > 0)
        factor->solve_lower(z.data(), count);
      // S x_b = f_b - sum A_bi A_ii^-1 f = f_b + sum L_b z_b.
      z_b.resize(std::size_t(m_r) * count);
      L_z.resize(z_b.size());
      for (int c = 0; c < count; ++c)
        std::copy_n(
            z.data() + c * local.n + n_interior, m_r, z_b.data() + c * m_r);
      multiply("N",
               "N",
               m_r,
               count,
               m_r,
               1.,
               L_b.data(),
               z_b.data(),
               0.,
               L_z.data());
      x_b.assign(std::size_t(m) * count, 0.);
      for (int c = 0; c < count; ++c)
      {
        for (int i = 0; i < m_r; ++i)
          x_b[std::size_t(c) * m + touched[i]] += L_z[c * m_r + i];
        for (std::size_t i = 0; i < own_interface.size(); ++i)
          x_b[std::size_t(c) * m + first_own_interface + i] +=
              x[std::size_t(c) * size + own_interface[i]];
      }
      sum_in_order(x_b);
      solve_interface(x_b, count);
      // L^T x = z with z_b := L_b^T x_b.
      for (int c = 0; c < count; ++c)
        for (int i = 0; i < m_r; ++i)
          z_b[c * m_r + i] = x_b[std::size_t(c) * m + touched[i]];
      multiply("T",
               "N",
               m_r,
               count,
               m_r,
               1.,
               L_b.data(),
               z_b.data(),
               0.,
               L_z.data());
      for (int c = 0; c < count; ++c)
        std::copy_n(
            L_z.data() + c * m_r, m_r, z.data() + c * local.n + n_interior);
      if (local.n > 0)
        factor->solve_upper(z.data(), count);
      for (int c = 0; c < count; ++c)
      {
        for (std::size_t i = 0; i < n_interior; ++i)
          x[std::size_t(c) * size + interior[i]] = z[c * local.n + i];
        for (std::size_t i = 0; i < own_interface.size(); ++i)
          x[std::size_t(c) * size + own_interface[i]] =
              x_b[std::size_t(c) * m + first_own_interface + i];
      }
    }
  }

  /// With gamma_d = -A_bi A_ii^-1 e_d of an interior dof d, on b, and gamma_d
  /// the unit vector of a d of b:
  ///   (A^-1)_de = gamma_d . S^-1 gamma_e
  ///             + (A_ii^-1)_de, if both are interior to one rank.
  void inverse_entries(const std::vector<unsigned int> &rows,
                       const std::vector<unsigned int> &columns,
                       double *E) override
  {
    const std::size_t n_rows = rows.size();
    const bool same          = rows == columns;
    // Of this rank: positions in the lists, and local numbers.
    std::vector<unsigned int> row_of, column_of, local_rows, local_columns;
    find_interior(rows, row_of, local_rows);
    find_interior(columns, column_of, local_columns);
    const int nr = local_rows.size(), nc = local_columns.size();
    const int m = interface.size(), m_r = touched.size();
    std::vector<double> block(std::size_t(nr) * nc);
    const auto find_gamma = [&](const std::vector<unsigned int> &with_rows,
                                const std::vector<unsigned int> &dofs,
                                double *entries)
    {
      // -A_bi A_ii^-1 = L_b Y_b.
      std::vector<double> Y_b(m_r * dofs.size()), gamma(Y_b.size());
      if (!dofs.empty())
        factor->inner_entries(with_rows, dofs, entries, Y_b.data());
      multiply("N",
               "N",
               m_r,
               dofs.size(),
               m_r,
               1.,
               L_b.data(),
               Y_b.data(),
               0.,
               gamma.data());
      return gamma;
    };
    const auto gamma_columns =
        find_gamma(local_rows, local_columns, block.data());
    const auto gamma_rows =
        same ? std::vector<double>() : find_gamma({}, local_rows, nullptr);

    // All gammas on all ranks; each then makes some columns.
    const auto Gc = gather_gamma(columns, column_of, gamma_columns);
    const auto Gr =
        same ? std::vector<double>() : gather_gamma(rows, row_of, gamma_rows);
    const auto share = [&](const int r)
    { return int(columns.size() * std::size_t(r) / n_ranks); };
    std::vector<double> solved(Gc.begin() + std::size_t(m) * share(rank),
                               Gc.begin() + std::size_t(m) * share(rank + 1));
    solve_interface(solved, share(rank + 1) - share(rank));
    multiply("T",
             "N",
             n_rows,
             share(rank + 1) - share(rank),
             m,
             1.,
             same ? Gc.data() : Gr.data(),
             solved.data(),
             0.,
             E + share(rank) * n_rows);
    if (m == 0)
      std::fill_n(E + share(rank) * n_rows,
                  n_rows * (share(rank + 1) - share(rank)),
                  0.);
    for (int r = 0; r < n_ranks; ++r)
      MPI_Bcast(E + share(r) * n_rows,
                n_rows * (share(r + 1) - share(r)),
                MPI_DOUBLE,
                r,
                communicator);
    // The parts within ranks.
    for (int r = 0; r < n_ranks; ++r)
    {
      int n_here[2] = { nr, nc };
      MPI_Bcast(n_here, 2, MPI_INT, r, communicator);
      if (n_here[0] == 0 || n_here[1] == 0)
        continue;
      std::vector<unsigned int> of_row = row_of, of_column = column_of;
      std::vector<double> values = block;
      of_row.resize(n_here[0]);
      of_column.resize(n_here[1]);
      values.resize(std::size_t(n_here[0]) * n_here[1]);
      MPI_Bcast(of_row.data(), n_here[0], MPI_UNSIGNED, r, communicator);
      MPI_Bcast(of_column.data(), n_here[1], MPI_UNSIGNED, r, communicator);
      MPI_Bcast(values.data(), values.size(), MPI_DOUBLE, r, communicator);
      for (int j = 0; j < n_here[1]; ++j)
        for (int i = 0; i < n_here[0]; ++i)
          E[of_row[i] + of_column[j] * n_rows] +=
              values[i + std::size_t(j) * n_here[0]];
    }
  }

  /// Of the factorization, on the rank that has most to do.
  double work() const override
  {
    double here = factor ? factor->work() : 0.;
    MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_DOUBLE, MPI_MAX, communicator);
    return here;
  }

  double n_values() const override
  {
    double here = factor ? factor->n_values() : 0.;
    MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_DOUBLE, MPI_MAX, communicator);
    return here + 0.5 * interface.size() * interface.size();
  }

  double interface_work() const
  {
    const double m = interface.size();
    return m * m * m / 3.;
  }

  std::size_t memory_consumption() const override
  {
    return (factor ? factor->memory_consumption() : 0) +
           sizeof(double) * (D.size() + S.size() + 2 * T.size() + z.size() +
                             gathered.size()) +
           local.memory_consumption() + sizeof(std::ptrdiff_t) * source.size();
  }

  const char *name() const override
  {
    return "CHOLMOD by substructures";
  }

private:
  /// Place in the interface, -1: not of it.
  int place_in_interface(const int dof) const
  {
    const auto found =
        std::lower_bound(interface.begin(), interface.end(), dof);
    return found != interface.end() && *found == dof
               ? int(found - interface.begin())
               : -1;
  }

  void find_interface(const SymmetricMatrix &A)
  {
    std::vector<int> mine;
    for (unsigned int j = 0; j < A.n; ++j)
    {
      // Rows ascend.
      const bool coupled = A.column_start[j] < A.column_start[j + 1] &&
                           A.row[A.column_start[j]] < starts[rank];
      if (coupled)
      {
        own_interface.push_back(j);
        mine.push_back(starts[rank] + j);
      }
      else
        interior.push_back(j);
    }
    const int n_mine = mine.size();
    interface_counts.resize(n_ranks);
    MPI_Allgather(
        &n_mine, 1, MPI_INT, interface_counts.data(), 1, MPI_INT, communicator);
    interface_starts.assign(n_ranks + 1, 0);
    std::partial_sum(interface_counts.begin(),
                     interface_counts.end(),
                     interface_starts.begin() + 1);
    first_own_interface = interface_starts[rank];
    interface.resize(interface_starts.back());
    MPI_Allgatherv(mine.data(),
                   n_mine,
                   MPI_INT,
                   interface.data(),
                   interface_counts.data(),
                   interface_starts.data(),
                   MPI_INT,
                   communicator);
  }

  /// The pattern of A_r, and where its values come from: k >= 0 from A, k < 0
  /// from the interface block D.
  void find_sources(const SymmetricMatrix &A)
  {
    const int m = interface.size();
    std::vector<int> local_of_own(A.n, -1);
    for (std::size_t i = 0; i < interior.size(); ++i)
      local_of_own[interior[i]] = i;
    std::vector<char> is_touched(m, 0);
    for (const int j : interior)
      for (int k = A.column_start[j]; k < A.column_start[j + 1]; ++k)
      {
        const int place = place_in_interface(A.row[k]);
        if (place >= 0)
          is_touched[place] = 1;
      }
    std::vector<int> local_of_interface(m, -1);
    for (int i = 0; i < m; ++i)
      if (is_touched[i])
      {
        local_of_interface[i] = interior.size() + touched.size();
        touched.push_back(i);
      }
    std::vector<std::vector<std::pair<int, std::ptrdiff_t>>> last(
        touched.size());
    local.n            = interior.size() + touched.size();
    local.column_start = { 0 };
    std::vector<std::pair<int, std::ptrdiff_t>> column;
    const auto add = [&]()
    {
      std::sort(column.begin(), column.end());
      for (const auto &entry : column)
      {
        local.row.push_back(entry.first);
        source.push_back(entry.second);
      }
      local.column_start.push_back(local.row.size());
    };
    for (std::size_t i = 0; i < interior.size(); ++i)
    {
      const int j = interior[i];
      column.clear();
      for (int k = A.column_start[j]; k < A.column_start[j + 1]; ++k)
      {
        const int place = place_in_interface(A.row[k]);
        if (place < 0)
          column.push_back({ local_of_own[A.row[k] - starts[rank]], k });
        else
        {
          column.push_back({ local_of_interface[place], k });
          last[local_of_interface[place] - interior.size()].push_back(
              { int(i), k });
        }
      }
      add();
    }
    for (std::size_t t = 0; t < touched.size(); ++t)
    {
      column = last[t];
      for (const int i : touched)
        column.push_back({ local_of_interface[i],
                           -1 - (std::ptrdiff_t(touched[t]) * m + i) });
      add();
    }
    local.value.resize(local.row.size());
  }

  /// D = A_bb, dense, on all ranks.
  void gather_interface_block(const SymmetricMatrix &A)
  {
    const std::size_t m = interface.size();
    D.assign(m * m, 0.);
    for (std::size_t i = 0; i < own_interface.size(); ++i)
      for (int k = A.column_start[own_interface[i]];
           k < A.column_start[own_interface[i] + 1];
           ++k)
      {
        const int place = place_in_interface(A.row[k]);
        if (place >= 0)
          D[(first_own_interface + i) * m + place] = A.value[k];
      }
    for (int r = 0; r < n_ranks; ++r)
      MPI_Bcast(D.data() + interface_starts[r] * m,
                interface_counts[r] * m,
                MPI_DOUBLE,
                r,
                communicator);
  }

  /// False if S is not positive definite.
  bool add_up_schur_complement()
  {
    const int m = interface.size();
    S           = D;
    for (int r = 0; r < n_ranks; ++r)
    {
      int m_r = touched.size();
      MPI_Bcast(&m_r, 1, MPI_INT, r, communicator);
      std::vector<int> places(touched);
      places.resize(m_r);
      MPI_Bcast(places.data(), m_r, MPI_INT, r, communicator);
      gathered.resize(std::size_t(m_r) * m_r);
      if (r == rank)
        gathered = T;
      MPI_Bcast(gathered.data(), gathered.size(), MPI_DOUBLE, r, communicator);
      for (int j = 0; j < m_r; ++j)
        for (int i = 0; i < m_r; ++i)
        {
          const std::size_t k = std::size_t(places[j]) * m + places[i];
          S[k] += gathered[std::size_t(j) * m_r + i] - D[k];
        }
    }
    int info = 0;
    if (m > 0)
      dpotrf_("L", &m, S.data(), &m, &info);
    return info == 0;
  }

  void solve_interface(std::vector<double> &x, const int count) const
  {
    const int m = interface.size();
    int info    = 0;
    if (m > 0 && count > 0)
      dpotrs_("L", &m, &count, S.data(), &m, x.data(), &m, &info);
  }

  /// The sum of all ranks' vectors, on all of them.
  void sum_in_order(std::vector<double> &x)
  {
    gathered.resize(x.size() * n_ranks);
    MPI_Allgather(x.data(),
                  x.size(),
                  MPI_DOUBLE,
                  gathered.data(),
                  x.size(),
                  MPI_DOUBLE,
                  communicator);
    for (std::size_t i = 0; i < x.size(); ++i)
    {
      x[i] = gathered[i];
      for (int r = 1; r < n_ranks; ++r)
        x[i] += gathered[r * x.size() + i];
    }
  }

  /// The dofs of a list that are interior to this rank.
  void find_interior(const std::vector<unsigned int> &dofs,
                     std::vector<unsigned int> &positions,
                     std::vector<unsigned int> &numbers) const
  {
    for (std::size_t i = 0; i < dofs.size(); ++i)
      if (int(dofs[i]) >= starts[rank] && int(dofs[i]) < starts[rank + 1])
      {
        const int own = dofs[i] - starts[rank];
        const auto found =
            std::lower_bound(interior.begin(), interior.end(), own);
        if (found == interior.end() || *found != own)
          continue;
        positions.push_back(i);
        numbers.push_back(found - interior.begin());
      }
  }

  /// gamma of all dofs of a list, column by column, on all ranks.
  std::vector<double> gather_gamma(const std::vector<unsigned int> &dofs,
                                   const std::vector<unsigned int> &mine,
                                   const std::vector<double> &gamma) const
  {
    const std::size_t m = interface.size(), m_r = touched.size();
    std::vector<double> all(m * dofs.size(), 0.);
    for (std::size_t j = 0; j < mine.size(); ++j)
      for (std::size_t i = 0; i < m_r; ++i)
        all[m * mine[j] + touched[i]] = gamma[j * m_r + i];
    if (rank == 0)
      for (std::size_t j = 0; j < dofs.size(); ++j)
      {
        const int place = place_in_interface(dofs[j]);
        if (place >= 0)
          all[m * j + place] = 1.;
      }
    // Each is of one rank: nothing is rounded.
    MPI_Allreduce(MPI_IN_PLACE,
                  all.data(),
                  all.size(),
                  MPI_DOUBLE,
                  MPI_SUM,
                  communicator);
    return all;
  }

  MPI_Comm communicator;
  const unsigned int size;
  const double bytes_allowed;
  int rank = 0, n_ranks = 1;
  std::vector<int> starts; ///< first dof of each rank
  std::vector<int> interior,
      own_interface;          ///< own dofs, from this rank's first
  std::vector<int> interface; ///< all, global numbers
  std::vector<int> interface_counts, interface_starts; ///< per rank
  int first_own_interface = 0;
  std::vector<int> touched; ///< b_r: places in the interface
  SymmetricMatrix local;    ///< A_r
  std::vector<std::ptrdiff_t> source;
  std::unique_ptr<BorderedFactor> factor; ///< of A_r
  std::vector<double> D, S, T, L_b;       ///< T = L_b L_b^T
  std::vector<double> z, z_b, L_z, x_b, gathered;
};
} // namespace

std::unique_ptr<SymmetricFactor>
make_substructured_factor(const SymmetricMatrix &A,
                          const double bytes_allowed,
                          MPI_Comm communicator,
                          const bool anyway)
{
  auto factor =
      std::make_unique<SubstructuredFactor>(A, bytes_allowed, communicator);
  if (!anyway && !factor->is_worthwhile())
    return nullptr;
  if (!factor->start(A) ||
      (!anyway && factor->interface_work() > factor->work()))
    return nullptr;
  return factor;
}
} // namespace delassus
