#include <delassus/linear_solvers/on_all_ranks.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace delassus
{
namespace
{
/// The factor of a matrix that ranks share, all of it on each of them. What it
/// computes depends on the numbers it gets and on nothing else, in particular
/// not on which message comes first; columns of the inverse, which cost most,
/// are shared between the ranks.
class GatheredFactor : public SymmetricFactor
{
public:
  GatheredFactor(const SymmetricMatrix &A,
                 const LinearSolverType type,
                 const double bytes_allowed,
                 MPI_Comm communicator)
      : communicator(communicator)
      , size(A.n)
      , type(type)
      , bytes_allowed(bytes_allowed)
  {
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);
    counts = gather_count(A.n);
    starts = starts_of(counts);

    refactorize(A);
  }

  bool refactorize(const SymmetricMatrix &A) override
  {
    const SymmetricMatrix whole = gather(A);
    factorize_on_all(
        communicator,
        fmt::format("The factor of {} unknowns on each rank ('Reproducible = "
                    "false' shares it)",
                    starts.back()),
        bytes_allowed,
        [&]()
        {
          if (!factor || !factor->refactorize(whole))
            factor = factorize(whole, 250, type, bytes_allowed);
          description = std::string(factor->name()) + " on each rank";
        });
    return true;
  }

  unsigned int n() const override
  {
    return size;
  }

  void solve(double *X, const unsigned int n_columns) override
  {
    const std::size_t n_all = starts.back();
    for (unsigned int begin = 0; begin < n_columns;
         begin += right_hand_side_block)
    {
      const unsigned int count =
          std::min(right_hand_side_block, n_columns - begin);
      double *x = X + std::size_t(begin) * size;
      block.resize(n_all * count);
      for (unsigned int k = 0; k < count; ++k)
        MPI_Allgatherv(x + std::size_t(k) * size,
                       size,
                       MPI_DOUBLE,
                       block.data() + k * n_all,
                       counts.data(),
                       starts.data(),
                       MPI_DOUBLE,
                       communicator);
      factor->solve(block.data(), count);
      for (unsigned int k = 0; k < count; ++k)
        std::copy_n(block.data() + k * n_all + starts[rank],
                    size,
                    x + std::size_t(k) * size);
    }
  }

  void inverse_entries(const std::vector<unsigned int> &rows,
                       const std::vector<unsigned int> &columns,
                       double *E) override
  {
    const auto first = [&](const int r)
    { return columns.size() * std::size_t(r) / n_ranks; };
    const std::vector<unsigned int> mine(columns.begin() + first(rank),
                                         columns.begin() + first(rank + 1));
    factor->inverse_entries(rows, mine, E + first(rank) * rows.size());
    for (int r = 0; r < n_ranks; ++r)
      for (std::size_t j = first(r); j < first(r + 1); ++j)
        MPI_Bcast(
            E + j * rows.size(), rows.size(), MPI_DOUBLE, r, communicator);
  }

  std::size_t memory_consumption() const override
  {
    return factor->memory_consumption() + sizeof(double) * block.size();
  }

  const char *name() const override
  {
    return description.c_str();
  }

private:
  std::vector<int> gather_count(const std::size_t mine) const
  {
    std::vector<int> all(n_ranks);
    const int value = mine;
    MPI_Allgather(&value, 1, MPI_INT, all.data(), 1, MPI_INT, communicator);
    return all;
  }

  /// Where each part begins, and the sum.
  static std::vector<int> starts_of(const std::vector<int> &counts)
  {
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.);
    if (sum > std::numeric_limits<int>::max())
      throw ComputationError(
          "The matrix of a body split over ranks is too large for one of them. "
          "Set Type = amg or Reproducible = false in section 'Linear solver'.");
    std::vector<int> starts(counts.size() + 1, 0);
    std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
    return starts;
  }

  /// All columns on every rank. Collective.
  SymmetricMatrix gather(const SymmetricMatrix &A) const
  {
    std::vector<int> lengths(A.n), all_lengths(starts.back());
    for (unsigned int j = 0; j < A.n; ++j)
      lengths[j] = A.column_start[j + 1] - A.column_start[j];
    MPI_Allgatherv(lengths.data(),
                   A.n,
                   MPI_INT,
                   all_lengths.data(),
                   counts.data(),
                   starts.data(),
                   MPI_INT,
                   communicator);
    const auto entry_counts = gather_count(A.row.size());
    const auto entry_starts = starts_of(entry_counts);
    SymmetricMatrix whole;
    whole.n            = starts.back();
    whole.column_start = starts_of(all_lengths);
    whole.row.resize(entry_starts.back());
    whole.value.resize(entry_starts.back());
    MPI_Allgatherv(A.row.data(),
                   A.row.size(),
                   MPI_INT,
                   whole.row.data(),
                   entry_counts.data(),
                   entry_starts.data(),
                   MPI_INT,
                   communicator);
    MPI_Allgatherv(A.value.data(),
                   A.value.size(),
                   MPI_DOUBLE,
                   whole.value.data(),
                   entry_counts.data(),
                   entry_starts.data(),
                   MPI_DOUBLE,
                   communicator);
    return whole;
  }

  MPI_Comm communicator;
  const unsigned int size;
  const LinearSolverType type;
  const double bytes_allowed;
  int rank = 0, n_ranks = 1;
  std::vector<int> counts, starts; ///< columns of each rank
  std::unique_ptr<SymmetricFactor> factor;
  std::string description;
  std::vector<double> block;
};
} // namespace

std::unique_ptr<SymmetricFactor>
make_gathered_factor(const SymmetricMatrix &A,
                     const LinearSolverType type,
                     const double bytes_allowed,
                     MPI_Comm communicator)
{
  return std::make_unique<GatheredFactor>(A, type, bytes_allowed, communicator);
}
} // namespace delassus
