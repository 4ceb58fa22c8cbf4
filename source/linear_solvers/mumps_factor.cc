#include <delassus/linear_solvers/symmetric_factor.h>

#include <dmumps_c.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace delassus
{
namespace
{
/// L D L^T by MUMPS for positive definite matrices, in core. Matrix entries,
/// right-hand sides and solutions stay on their ranks.
class MumpsFactor : public SymmetricFactor
{
public:
  MumpsFactor(const SymmetricMatrix &A,
              const double bytes_allowed,
              MPI_Comm communicator)
      : communicator(communicator)
      , size(A.n)
  {
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);
    // Columns go to ranks in ascending order, some ranks may have none.
    first_of_rank.assign(n_ranks + 1, 0);
    int mine = A.n;
    MPI_Allgather(
        &mine, 1, MPI_INT, first_of_rank.data() + 1, 1, MPI_INT, communicator);
    for (int r = 0; r < n_ranks; ++r)
      first_of_rank[r + 1] += first_of_rank[r];
    first = first_of_rank[rank];

    mumps.comm_fortran = MPI_Comm_c2f(communicator);
    mumps.sym          = 1; // positive definite
    mumps.par          = 1; // the host works too
    run(-1);
    started = true;
    try
    {
      analyze(A, bytes_allowed);
      factorize();
    }
    catch (...)
    {
      release();
      throw;
    }
  }

  bool refactorize(const SymmetricMatrix &A) override
  {
    copy_values(A);
    factorize();
    return true;
  }

  ~MumpsFactor() override
  {
    release();
  }

  MumpsFactor(const MumpsFactor &)            = delete;
  MumpsFactor &operator=(const MumpsFactor &) = delete;

  unsigned int n() const override
  {
    return size;
  }

  void solve(double *X, const unsigned int n_columns) override
  {
    own_rows.resize(size);
    std::iota(own_rows.begin(), own_rows.end(), first + 1);
    for (unsigned int begin = 0; begin < n_columns;
         begin += right_hand_side_block)
    {
      const unsigned int count =
          std::min(right_hand_side_block, n_columns - begin);
      double *x      = X + std::size_t(begin) * size;
      icntl(20)      = 10; // distributed right-hand sides
      mumps.nloc_rhs = size;
      mumps.lrhs_loc = std::max(1u, size);
      mumps.irhs_loc = own_rows.data();
      mumps.rhs_loc  = x;
      solve_block(count);
      send_home(x, count);
    }
  }

  void inverse_entries(const std::vector<unsigned int> &rows,
                       const std::vector<unsigned int> &columns,
                       double *E) override
  {
    // Unit vectors are sparse right-hand sides: MUMPS only visits the part of
    // the elimination tree above them.
    std::vector<MUMPS_INT> starts, indices;
    std::vector<double> ones;
    std::vector<std::pair<MUMPS_INT, std::size_t>> wanted;
    for (std::size_t i = 0; i < rows.size(); ++i)
      wanted.push_back({ MUMPS_INT(rows[i] + 1), i });
    std::sort(wanted.begin(), wanted.end());
    std::fill_n(E, rows.size() * columns.size(), 0.);
    for (std::size_t begin = 0; begin < columns.size();
         begin += right_hand_side_block)
    {
      const std::size_t count =
          std::min<std::size_t>(right_hand_side_block, columns.size() - begin);
      starts.resize(count + 1);
      std::iota(starts.begin(), starts.end(), 1);
      indices.resize(count);
      for (std::size_t k = 0; k < count; ++k)
        indices[k] = columns[begin + k] + 1;
      ones.assign(count, 1.);
      icntl(20)         = 3; // sparse, on rank 0
      mumps.nz_rhs      = rank == 0 ? count : 0;
      mumps.irhs_ptr    = rank == 0 ? starts.data() : nullptr;
      mumps.irhs_sparse = rank == 0 ? indices.data() : nullptr;
      mumps.rhs_sparse  = rank == 0 ? ones.data() : nullptr;
      solve_block(count);
      for (MUMPS_INT l = 0; l < mumps.lsol_loc; ++l)
      {
        const auto range = std::equal_range(
            wanted.begin(),
            wanted.end(),
            std::pair<MUMPS_INT, std::size_t>(solution_rows[l], 0),
            [](const auto &a, const auto &b) { return a.first < b.first; });
        for (auto i = range.first; i != range.second; ++i)
          for (std::size_t k = 0; k < count; ++k)
            E[i->second + (begin + k) * rows.size()] =
                solution[k * mumps.lsol_loc + l];
      }
    }
    if (n_ranks > 1)
      for (std::size_t j = 0; j < columns.size(); ++j)
        MPI_Allreduce(MPI_IN_PLACE,
                      E + j * rows.size(),
                      rows.size(),
                      MPI_DOUBLE,
                      MPI_SUM,
                      communicator);
  }

  std::size_t memory_consumption() const override
  {
    return factor_bytes +
           (2 * sizeof(MUMPS_INT) + sizeof(double)) * values.size() +
           sizeof(double) * (solution.size() + sent.size() + received.size());
  }

  const char *name() const override
  {
    return n_ranks > 1 ? "distributed MUMPS" : "MUMPS";
  }

private:
  MUMPS_INT &icntl(const int i)
  {
    return mumps.icntl[i - 1];
  }

  /// One phase; returns INFOG(1).
  int run(const int job)
  {
    mumps.job = job;
    dmumps_c(&mumps);
    return mumps.infog[0];
  }

  void analyze(const SymmetricMatrix &A, const double bytes_allowed)
  {
    for (const int stream : { 1, 2, 3 })
      icntl(stream) = -1;
    icntl(4)  = 0;  // silent
    icntl(7)  = 5;  // METIS
    icntl(14) = 30; // per cent of workspace beyond the estimate
    icntl(18) = 3;  // each rank gives its entries
    icntl(21) = 1;  // solutions stay distributed
    icntl(27) = right_hand_side_block;
    icntl(28) = 1; // analysis on one rank

    // The triangle below the diagonal: a column of this rank is also a row.
    const std::size_t most = A.row.size() / 2 + A.n;
    rows.reserve(most);
    columns.reserve(most);
    for (unsigned int j = 0; j < A.n; ++j)
      for (int k = A.column_start[j]; k < A.column_start[j + 1]; ++k)
        if (A.row[k] <= first + int(j))
        {
          rows.push_back(first + j + 1);
          columns.push_back(A.row[k] + 1);
        }
    copy_values(A);
    mumps.n       = first_of_rank.back();
    mumps.nnz_loc = values.size();
    mumps.irn_loc = rows.data();
    mumps.jcn_loc = columns.data();
    mumps.a_loc   = values.data();

    check(run(1), "the analysis");
    // Of the rank that needs most, in millions of bytes; small ones are zero:
    // values of the factor (negative: in millions).
    const double entries =
        mumps.infog[2] >= 0 ? double(mumps.infog[2]) : -1e6 * mumps.infog[2];
    const double bytes =
        std::max(1e6 * mumps.infog[15], sizeof(double) * entries / n_ranks);
    if (bytes > bytes_allowed)
      throw MemoryLimitError(
          fmt::format("MUMPS' factor of {} unknowns", mumps.n),
          bytes,
          bytes_allowed);
  }

  void copy_values(const SymmetricMatrix &A)
  {
    values.clear();
    for (unsigned int j = 0; j < A.n; ++j)
      for (int k = A.column_start[j]; k < A.column_start[j + 1]; ++k)
        if (A.row[k] <= first + int(j))
          values.push_back(A.value[k]);
  }

  void factorize()
  {
    mumps.a_loc = values.data();
    // Where solutions end up may change.
    send_order.clear();
    receive_rows.clear();
    int status = run(2);
    // Workspaces that were too small are the estimate's fault.
    for (int again = 0; (status == -8 || status == -9) && again < 4; ++again)
    {
      icntl(14) *= 2;
      status = run(2);
    }
    if (status == -10 || status == -40)
      throw_not_positive_definite("found by MUMPS");
    check(status, "the factorization");
    if (mumps.infog[11] > 0)
      throw_not_positive_definite(
          fmt::format("{} negative pivots", mumps.infog[11]));
    // Memory allocated by MUMPS on this rank, in millions of bytes.
    factor_bytes   = 1e6 * mumps.info[15];
    mumps.lsol_loc = mumps.info[22];
    solution_rows.resize(std::max(1, mumps.lsol_loc));
  }

  void check(const int status, const char *phase) const
  {
    if (status < 0)
      throw ComputationError(fmt::format(
          "MUMPS could not factor or solve a system of {} unknowns: error {}, "
          "{} in {}{}.",
          mumps.n,
          status,
          mumps.infog[1],
          phase,
          status == -13 || status == -19 ? " (out of memory)" : ""));
  }

  void solve_block(const unsigned int count)
  {
    solution.resize(std::size_t(std::max(1, mumps.lsol_loc)) * count);
    mumps.nrhs     = count;
    mumps.sol_loc  = solution.data();
    mumps.isol_loc = solution_rows.data();
    check(run(3), "the solution");
  }

  /// From where MUMPS leaves the solution to the ranks that own the rows.
  void send_home(double *x, const unsigned int count)
  {
    const std::size_t n_here = mumps.lsol_loc;
    if (n_ranks == 1)
    {
      for (unsigned int k = 0; k < count; ++k)
        for (std::size_t l = 0; l < n_here; ++l)
          x[std::size_t(k) * size + solution_rows[l] - 1] =
              solution[k * n_here + l];
      return;
    }
    if (send_order.empty() && receive_rows.empty())
      plan_way_home();
    sent.resize(std::max<std::size_t>(1, n_here * count));
    received.resize(std::max<std::size_t>(1, std::size_t(size) * count));
    for (std::size_t l = 0; l < n_here; ++l)
      for (unsigned int k = 0; k < count; ++k)
        sent[l * count + k] = solution[k * n_here + send_order[l]];
    std::vector<int> counts[4] = {
      send_count, send_start, receive_count, receive_start
    };
    for (auto &list : counts)
      for (int &value : list)
        value *= count;
    MPI_Alltoallv(sent.data(),
                  counts[0].data(),
                  counts[1].data(),
                  MPI_DOUBLE,
                  received.data(),
                  counts[2].data(),
                  counts[3].data(),
                  MPI_DOUBLE,
                  communicator);
    for (std::size_t l = 0; l < size; ++l)
      for (unsigned int k = 0; k < count; ++k)
        x[std::size_t(k) * size + receive_rows[l]] = received[l * count + k];
  }

  void plan_way_home()
  {
    const int n_here = mumps.lsol_loc;
    send_order.resize(n_here);
    std::iota(send_order.begin(), send_order.end(), 0);
    std::sort(send_order.begin(),
              send_order.end(),
              [&](const int a, const int b)
              { return solution_rows[a] < solution_rows[b]; });
    send_count.assign(n_ranks, 0);
    std::vector<int> rows(n_here);
    int owner = 0;
    for (int l = 0; l < n_here; ++l)
    {
      rows[l] = solution_rows[send_order[l]] - 1;
      while (rows[l] >= first_of_rank[owner + 1])
        ++owner;
      ++send_count[owner];
    }
    receive_count.resize(n_ranks);
    MPI_Alltoall(send_count.data(),
                 1,
                 MPI_INT,
                 receive_count.data(),
                 1,
                 MPI_INT,
                 communicator);
    send_start.assign(n_ranks, 0);
    receive_start.assign(n_ranks, 0);
    for (int r = 1; r < n_ranks; ++r)
    {
      send_start[r]    = send_start[r - 1] + send_count[r - 1];
      receive_start[r] = receive_start[r - 1] + receive_count[r - 1];
    }
    receive_rows.resize(std::max(1u, size));
    MPI_Alltoallv(rows.data(),
                  send_count.data(),
                  send_start.data(),
                  MPI_INT,
                  receive_rows.data(),
                  receive_count.data(),
                  receive_start.data(),
                  MPI_INT,
                  communicator);
    for (unsigned int l = 0; l < size; ++l)
      receive_rows[l] -= first;
  }

  void release()
  {
    int finished = 0;
    MPI_Finalized(&finished);
    if (started && !finished)
      run(-2);
    started = false;
  }

  MPI_Comm communicator;
  const unsigned int size;
  int rank = 0, n_ranks = 1, first = 0;
  std::vector<int> first_of_rank;
  DMUMPS_STRUC_C mumps = {};
  bool started         = false;
  double factor_bytes  = 0.;
  std::vector<MUMPS_INT> rows, columns; ///< of this rank's entries
  std::vector<double> values;
  std::vector<MUMPS_INT> own_rows, solution_rows;
  std::vector<double> solution, sent, received;
  std::vector<int> send_order, receive_rows; ///< the latter local numbers
  std::vector<int> send_count, send_start, receive_count, receive_start;
};
} // namespace

std::unique_ptr<SymmetricFactor> make_mumps_factor(const SymmetricMatrix &A,
                                                   const double bytes_allowed,
                                                   MPI_Comm communicator)
{
  int running = 0;
  MPI_Initialized(&running);
  if (!running)
    throw ComputationError("MUMPS needs MPI, which has not been started.");
  return std::make_unique<MumpsFactor>(A, bytes_allowed, communicator);
}
} // namespace delassus
