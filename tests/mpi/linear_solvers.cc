#include "bodies/moving.h"

#include <delassus/linear_solvers/multigrid/multigrid_cg.h>

#include <deal.II/base/mpi.h>

#include <cmath>
#include <numeric>

using namespace delassus;
using namespace small;
namespace mpi = dealii::Utilities::MPI;

namespace
{
/// The effective matrix of a block held at its bottom, all of it on every rank.
template <int dim>
SymmetricMatrix block_matrix(const unsigned int n, std::vector<double> &modes)
{
  const auto body = make_body(make_grid(sheared_grid<dim>(false, n)),
                              soft_stone(),
                              {},
                              default_assumption<dim>(),
                              MPI_COMM_SELF);
  SymmetricMatrix A;
  A.n            = body->n_dofs();
  A.column_start = { 0 };
  for (unsigned int j = 0; j < A.n; ++j)
  {
    for (auto entry = body->stiffness.begin(j); entry != body->stiffness.end(j);
         ++entry)
    {
      A.row.push_back(entry->column());
      A.value.push_back(entry->value() + body->mass.el(j, entry->column()));
    }
    A.column_start.push_back(A.row.size());
  }
  modes.assign(dim * A.n, 0.);
  for (unsigned int j = 0; j < A.n; ++j)
    modes[(j % dim) * A.n + j] = 1.;
  return A;
}

/// This rank's columns; of four, rank 1 has none.
SymmetricMatrix share(const SymmetricMatrix &A, const unsigned int dim)
{
  const unsigned int rank    = mpi::this_mpi_process(MPI_COMM_WORLD);
  const unsigned int n_ranks = mpi::n_mpi_processes(MPI_COMM_WORLD);
  const auto start           = [&](const unsigned int r)
  {
    const unsigned int nodes = A.n / dim;
    if (n_ranks == 4 && r == 2)
      return dim * (nodes / 4);
    return dim * (nodes * r / n_ranks);
  };
  SymmetricMatrix mine;
  mine.first = start(rank);
  mine.n     = start(rank + 1) - mine.first;
  for (unsigned int j = 0; j <= mine.n; ++j)
    mine.column_start.push_back(A.column_start[mine.first + j] -
                                A.column_start[mine.first]);
  mine.row.assign(A.row.begin() + A.column_start[mine.first],
                  A.row.begin() + A.column_start[mine.first + mine.n]);
  mine.value.assign(A.value.begin() + A.column_start[mine.first],
                    A.value.begin() + A.column_start[mine.first + mine.n]);
  return mine;
}

enum Kind
{
  multigrid,
  mumps,
  gathered,
  substructured
};

std::unique_ptr<SymmetricFactor> make_direct(const SymmetricMatrix &mine,
                                             const Kind kind,
                                             const double bytes = 1e300)
{
  if (kind == mumps)
    return make_mumps_factor(mine, bytes, MPI_COMM_WORLD);
  if (kind == gathered)
    return make_gathered_factor(
        mine, LinearSolverType::automatic, bytes, MPI_COMM_WORLD);
  return make_substructured_factor(mine, bytes, MPI_COMM_WORLD, true);
}

template <int dim>
void compare(const unsigned int n, const Kind kind)
{
  std::vector<double> modes;
  const SymmetricMatrix A    = block_matrix<dim>(n, modes);
  const SymmetricMatrix mine = share(A, dim);
  std::unique_ptr<SymmetricFactor> factor;
  if (kind == multigrid)
  {
    MultigridOptions options;
    options.n_components = dim;
    options.tolerance    = 1e-12;
    for (unsigned int m = 0; m < dim; ++m)
      options.modes.insert(options.modes.end(),
                           modes.begin() + m * A.n + mine.first,
                           modes.begin() + m * A.n + mine.first + mine.n);
    factor = make_multigrid_cg(mine, options, MPI_COMM_WORLD);
  }
  else
  {
    // Another matrix of the same pattern first.
    SymmetricMatrix other = mine;
    for (unsigned int j = 0; j < other.n; ++j)
      for (int k = other.column_start[j]; k < other.column_start[j + 1]; ++k)
        if (other.row[k] == int(other.first + j))
          other.value[k] *= 2.;
    factor = make_direct(other, kind);
    ASSERT_TRUE(factor->refactorize(mine));
  }
  ASSERT_EQ(factor->n(), mine.n);
  const auto exact = factorize(A, 0, LinearSolverType::cholmod);

  // Numbers of columns going up and down.
  for (const unsigned int columns : { 1u, 70u, 2u })
  {
    std::vector<double> B(A.n * columns), X;
    for (unsigned int i = 0; i < B.size(); ++i)
      B[i] = std::sin(1. + i * i % 97);
    for (unsigned int c = 0; c < columns; ++c)
      X.insert(X.end(),
               B.begin() + c * A.n + mine.first,
               B.begin() + c * A.n + mine.first + mine.n);
    exact->solve(B.data(), columns);
    factor->solve(X.data(), columns);
    double largest = 0.;
    for (const double b : B)
      largest = std::max(largest, std::abs(b));
    for (unsigned int c = 0; c < columns; ++c)
      for (unsigned int i = 0; i < mine.n; ++i)
        ASSERT_NEAR(
            X[c * mine.n + i], B[c * A.n + mine.first + i], 1e-9 * largest)
            << factor->name();
  }

  std::vector<unsigned int> rows, columns;
  for (unsigned int i = 0; i < 20; ++i)
    rows.push_back((37 * i + 3) % A.n);
  for (unsigned int i = 0; i < (kind == multigrid ? 5 : 80); ++i)
    columns.push_back((53 * i + 1) % A.n);
  std::vector<double> E(rows.size() * columns.size(), 1e9), F(E.size());
  factor->inverse_entries(rows, columns, E.data());
  exact->inverse_entries(rows, columns, F.data());
  double largest = 0.;
  for (const double f : F)
    largest = std::max(largest, std::abs(f));
  for (unsigned int i = 0; i < E.size(); ++i)
    ASSERT_NEAR(E[i], F[i], 1e-9 * largest);
  // Few columns and all rows.
  std::vector<unsigned int> all(A.n);
  std::iota(all.begin(), all.end(), 0u);
  columns.resize(5);
  E.assign(all.size() * columns.size(), 1e9);
  F.resize(E.size());
  factor->inverse_entries(all, columns, E.data());
  exact->inverse_entries(all, columns, F.data());
  for (unsigned int i = 0; i < E.size(); ++i)
    ASSERT_NEAR(E[i], F[i], 1e-9 * largest);
  // A square block, as contact asks for it.
  E.assign(rows.size() * rows.size(), 1e9);
  F.resize(E.size());
  factor->inverse_entries(rows, rows, E.data());
  exact->inverse_entries(rows, rows, F.data());
  for (unsigned int i = 0; i < E.size(); ++i)
    ASSERT_NEAR(E[i], F[i], 1e-9 * largest);
}
} // namespace

TEST(SharedMatrix, Mumps)
{
  compare<2>(12, mumps);
  compare<3>(5, mumps);
}

TEST(SharedMatrix, WholeFactorOnEachRank)
{
  compare<2>(5, gathered); // dense
  compare<2>(12, gathered);
  compare<3>(5, gathered);
}

TEST(SharedMatrix, Substructures)
{
  compare<2>(5, substructured);
  compare<2>(12, substructured);
  compare<3>(5, substructured);
}

TEST(SharedMatrix, SubstructuresRepeatToTheLastBit)
{
  std::vector<double> modes;
  const auto mine = share(block_matrix<3>(5, modes), 3);
  std::vector<double> results[2];
  for (auto &x : results)
  {
    x.resize(mine.n);
    for (unsigned int i = 0; i < mine.n; ++i)
      x[i] = std::sin(1. + (mine.first + i) % 97);
    make_direct(mine, substructured)->solve(x.data(), 1);
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(SharedMatrix, SubstructuresOnlyWithRoomForTheInterface)
{
  std::vector<double> modes;
  const auto mine = share(block_matrix<2>(12, modes), 2);
  EXPECT_NE(make_substructured_factor(mine, 1e300, MPI_COMM_WORLD), nullptr);
  if (mpi::n_mpi_processes(MPI_COMM_WORLD) > 1)
  {
    EXPECT_EQ(make_substructured_factor(mine, 1000., MPI_COMM_WORLD), nullptr);
  }
}

TEST(SharedMatrix, Multigrid)
{
  compare<2>(20, multigrid);
  compare<3>(6, multigrid);
}

TEST(SharedMatrix, ErrorsOnAllRanks)
{
  std::vector<double> modes;
  SymmetricMatrix A = block_matrix<2>(12, modes);
  const auto make   = [&](const Kind kind, const double bytes)
  { make_direct(share(A, 2), kind, bytes); };
  for (const Kind kind : { mumps, gathered, substructured })
    EXPECT_THROW(make(kind, 10.), MemoryLimitError);
  for (int k = A.column_start[17]; k < A.column_start[18]; ++k)
    if (A.row[k] == 17)
      A.value[k] *= -1.;
  for (const Kind kind : { mumps, gathered, substructured })
    try
    {
      make(kind, 1e300);
      ADD_FAILURE();
    }
    catch (const NotPositiveDefinite &e)
    {
      EXPECT_NE(std::string(e.what()).find("not positive definite"),
                std::string::npos)
          << e.what();
    }
}

TEST(SharedMatrix, BudgetIsTheSameOnAllRanks)
{
  const MemoryBudget budget(LinearSolverParameters(), MPI_COMM_WORLD);
  EXPECT_EQ(budget.limit(), mpi::max(budget.limit(), MPI_COMM_WORLD));
  EXPECT_LE(budget.limit() * mpi::n_mpi_processes(MPI_COMM_WORLD),
            0.7 * available_memory() + 1e9);
}
