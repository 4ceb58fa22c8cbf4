#include <delassus/base/exceptions.h>
#include <delassus/linear_solvers/memory_budget.h>
#include <delassus/linear_solvers/multigrid/multigrid_cg.h>
#include <delassus/linear_solvers/bordered_factor.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

using namespace delassus;

namespace
{
/// Sparse, symmetric, diagonally dominant; @p shift is added to the diagonal.
SymmetricMatrix random_matrix(const unsigned int n, const double shift)
{
  std::mt19937 random(n);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  std::vector<std::map<unsigned int, double>> columns(n);
  for (unsigned int i = 0; i < n; ++i)
  {
    columns[i][i] += 1. + shift;
    for (unsigned int k = 0; k < 4; ++k)
    {
      const unsigned int j = random() % n;
      if (j == i)
        continue;
      const double a = uniform(random);
      columns[i][j] += a;
      columns[j][i] += a;
      columns[i][i] += std::abs(a);
      columns[j][j] += std::abs(a);
    }
  }
  SymmetricMatrix A;
  A.n            = n;
  A.column_start = { 0 };
  for (const auto &column : columns)
  {
    for (const auto &entry : column)
    {
      A.row.push_back(entry.first);
      A.value.push_back(entry.second);
    }
    A.column_start.push_back(A.row.size());
  }
  return A;
}

double residual(const SymmetricMatrix &A,
                const std::vector<double> &X,
                const std::vector<double> &B)
{
  double worst = 0.;
  for (std::size_t c = 0; c < X.size() / A.n; ++c)
  {
    std::vector<double> r(B.begin() + c * A.n, B.begin() + (c + 1) * A.n);
    for (unsigned int j = 0; j < A.n; ++j)
      for (int k = A.column_start[j]; k < A.column_start[j + 1]; ++k)
        r[A.row[k]] -= A.value[k] * X[c * A.n + j];
    for (const double value : r)
      worst = std::max(worst, std::abs(value));
  }
  return worst;
}
} // namespace

TEST(LinearSolvers, DenseAndSparseSolveTheSameSystems)
{
  const SymmetricMatrix A = random_matrix(83, 0.);
  const auto dense        = factorize(A, 83);
  const auto sparse       = factorize(A, 82);
  EXPECT_EQ(std::string(dense->name()), "dense inverse");
  EXPECT_EQ(std::string(sparse->name()), "CHOLMOD");
  EXPECT_EQ(dense->n(), 83u);
  EXPECT_EQ(sparse->n(), 83u);
  EXPECT_GE(dense->memory_consumption(), 83u * 83u * sizeof(double));
  EXPECT_GT(sparse->memory_consumption(), 0u);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  // Numbers of columns going up and down: workspaces are reused.
  for (const unsigned int columns : { 1u, 3u, 150u, 64u, 2u })
  {
    std::vector<double> B(83 * columns);
    for (double &b : B)
      b = uniform(random);
    std::vector<double> X = B, Y = B;
    dense->solve(X.data(), columns);
    sparse->solve(Y.data(), columns);
    EXPECT_LT(residual(A, X, B), 1e-12);
    EXPECT_LT(residual(A, Y, B), 1e-12);
    for (std::size_t i = 0; i < X.size(); ++i)
      EXPECT_NEAR(X[i], Y[i], 1e-12);
  }
}

namespace
{
const std::vector<LinearSolverType> direct = { LinearSolverType::dense,
                                               LinearSolverType::cholmod,
                                               LinearSolverType::mumps };

std::unique_ptr<SymmetricFactor> make(const SymmetricMatrix &A,
                                      const LinearSolverType type)
{
  if (type != LinearSolverType::amg)
    return factorize(A, 0, type);
  MultigridOptions options;
  options.tolerance = 1e-13;
  return make_multigrid_cg(A, options, MPI_COMM_SELF);
}

std::vector<double> random_block(const std::size_t n, const unsigned int seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  std::vector<double> values(n);
  for (double &value : values)
    value = uniform(random);
  return values;
}

/// Laplacian of a chain on an elastic bed, scaled by D A D with entries of D
/// from 1 to 10^decades.
SymmetricMatrix scaled_chain(const unsigned int n, const double decades)
{
  SymmetricMatrix A;
  A.n            = n;
  A.column_start = { 0 };
  const auto d   = [&](const unsigned int i)
  { return std::pow(10., decades * ((7 * i) % n) / n); };
  for (unsigned int j = 0; j < n; ++j)
  {
    for (unsigned int i = j > 0 ? j - 1 : 0; i < std::min(n, j + 2); ++i)
    {
      A.row.push_back(i);
      A.value.push_back((i == j ? 2.1 : -1.) * d(i) * d(j));
    }
    A.column_start.push_back(A.row.size());
  }
  return A;
}
} // namespace

TEST(LinearSolvers, AllAgree)
{
  const SymmetricMatrix A = random_matrix(301, 0.1);
  const auto B            = random_block(301 * 70, 3);
  std::vector<double> X   = B;
  make(A, LinearSolverType::dense)->solve(X.data(), 70);
  for (const auto type : { LinearSolverType::cholmod,
                           LinearSolverType::mumps,
                           LinearSolverType::amg })
  {
    const auto factor     = make(A, type);
    std::vector<double> Y = B;
    factor->solve(Y.data(), 70);
    for (std::size_t i = 0; i < X.size(); ++i)
      ASSERT_NEAR(Y[i], X[i], 1e-11) << factor->name();
    // A block is its columns.
    std::vector<double> y(B.begin() + 301 * 69, B.end());
    factor->solve(y.data(), 1);
    for (unsigned int i = 0; i < 301; ++i)
      EXPECT_NEAR(y[i], Y[301 * 69 + i], 1e-13) << factor->name();
    EXPECT_GT(factor->memory_consumption(), 301 * sizeof(double));
  }
}

TEST(LinearSolvers, BadScaling)
{
  // Rows that differ by 16 orders of magnitude: errors in the scaled unknowns
  // D x stay those of the well scaled matrix.
  const unsigned int n     = 300;
  const SymmetricMatrix A  = scaled_chain(n, 8.);
  const SymmetricMatrix A0 = scaled_chain(n, 0.);
  const auto b             = random_block(n, 4);
  std::vector<double> y    = b;
  make(A0, LinearSolverType::dense)->solve(y.data(), 1);
  for (const auto type : direct)
  {
    std::vector<double> x = b;
    for (unsigned int i = 0; i < n; ++i)
      x[i] *= std::pow(10., 8. * ((7 * i) % n) / n);
    const auto factor = make(A, type);
    factor->solve(x.data(), 1);
    for (unsigned int i = 0; i < n; ++i)
      EXPECT_NEAR(x[i] * std::pow(10., 8. * ((7 * i) % n) / n), y[i], 1e-10)
          << factor->name();
  }
}

TEST(LinearSolvers, EntriesOfTheInverse)
{
  const unsigned int n    = 200;
  const SymmetricMatrix A = random_matrix(n, 0.1);
  std::vector<double> inverse(n * n, 0.);
  for (unsigned int i = 0; i < n; ++i)
    inverse[i * n + i] = 1.;
  make(A, LinearSolverType::dense)->solve(inverse.data(), n);
  // More than one block, in no order; a row that is asked for twice.
  std::vector<unsigned int> rows, columns;
  for (unsigned int i = 0; i < 100; ++i)
    columns.push_back((37 * i + 5) % n);
  for (unsigned int i = 0; i < 30; ++i)
    rows.push_back((91 * i + 11) % n);
  rows.push_back(rows[3]);
  for (const auto type : { LinearSolverType::dense,
                           LinearSolverType::cholmod,
                           LinearSolverType::mumps,
                           LinearSolverType::amg })
  {
    const auto factor = make(A, type);
    std::vector<double> E(rows.size() * columns.size(), 1e9);
    factor->inverse_entries(rows, columns, E.data());
    for (unsigned int j = 0; j < columns.size(); ++j)
      for (unsigned int i = 0; i < rows.size(); ++i)
        ASSERT_NEAR(
            E[i + j * rows.size()], inverse[rows[i] + n * columns[j]], 1e-12)
            << factor->name();
  }
}

TEST(LinearSolvers, EntriesOfTheInverseOfAGridInSpace)
{
  // Large enough for dense supernodes.
  const unsigned int m = 12, n = m * m * m;
  SymmetricMatrix A;
  A.n            = n;
  A.column_start = { 0 };
  for (unsigned int j = 0; j < n; ++j)
  {
    const unsigned int x = j % m, y = j / m % m, z = j / (m * m);
    const auto add = [&](const bool there, const unsigned int i, const double a)
    {
      if (there)
      {
        A.row.push_back(i);
        A.value.push_back(a);
      }
    };
    add(z > 0, j - m * m, -1.);
    add(y > 0, j - m, -1.5);
    add(x > 0, j - 1, -0.5);
    add(true, j, 6.2 + 0.01 * (j % 7));
    add(x + 1 < m, j + 1, -0.5);
    add(y + 1 < m, j + m, -1.5);
    add(z + 1 < m, j + m * m, -1.);
    A.column_start.push_back(A.row.size());
  }
  for (const unsigned int n_border : { 0u, 60u })
  {
    const auto factor = make_bordered_factor(A, 1e300, n_border);
    ASSERT_TRUE(factor->has_border());
    // A face of it, then other sets, then other values.
    std::vector<unsigned int> face, some;
    for (unsigned int i = 0; i < m * m; ++i)
      face.push_back(m * ((7 * i) % (m * m)));
    for (unsigned int i = 0; i < 70; ++i)
      some.push_back((53 * i + 1) % n);
    for (const double scale : { 1., 4. })
    {
      SymmetricMatrix B = A;
      for (double &value : B.value)
        value *= scale;
      ASSERT_TRUE(factor->refactorize(B));
      for (const auto *rows : { &face, &some })
        for (const auto *columns : { &face, &some })
        {
          std::vector<double> E(rows->size() * columns->size(), 1e9);
          std::vector<double> X(std::size_t(n) * columns->size(), 0.);
          factor->inverse_entries(*rows, *columns, E.data());
          for (std::size_t c = 0; c < columns->size(); ++c)
            X[c * n + (*columns)[c]] = 1.;
          factor->solve(X.data(), columns->size());
          for (std::size_t c = 0; c < columns->size(); ++c)
            for (std::size_t i = 0; i < rows->size(); ++i)
              ASSERT_NEAR(
                  E[i + c * rows->size()], X[c * n + (*rows)[i]], 1e-14);
        }
    }
  }
}

TEST(LinearSolvers, WhatDoesNotFitIsNotAttempted)
{
  const SymmetricMatrix A = random_matrix(300, 0.1);
  for (const auto type : direct)
    try
    {
      factorize(A, 0, type, 1000.);
      ADD_FAILURE() << "no error";
    }
    catch (const MemoryLimitError &e)
    {
      EXPECT_EQ(e.allowed, 1000.);
      EXPECT_GT(e.needed, 1000.);
      EXPECT_NE(std::string(e.what()).find("Memory limit"), std::string::npos);
    }
  // What is predicted is enough, and not out of all proportion.
  const SymmetricMatrix large = random_matrix(1000, 0.1);
  for (const auto type : { LinearSolverType::cholmod, LinearSolverType::dense })
  {
    double needed = 0.;
    try
    {
      factorize(large, 0, type, 1.);
    }
    catch (const MemoryLimitError &e)
    {
      needed = e.needed;
    }
    const auto factor = factorize(large, 0, type, needed);
    std::vector<double> x(1000 * 64, 1.);
    factor->solve(x.data(), 64);
    EXPECT_LT(needed, 3. * factor->memory_consumption());
    EXPECT_GT(needed, 0.5 * factor->memory_consumption());
  }
}

TEST(LinearSolvers, MemoryBudget)
{
  LinearSolverParameters parameters;
  parameters.memory_limit = 2.;
  MemoryBudget given(parameters, MPI_COMM_WORLD);
  EXPECT_EQ(given.limit(), 2. * 1024 * 1024 * 1024);
  given.take(1e9);
  EXPECT_EQ(given.available(), given.limit() - 1e9);
  given.take(5e9);
  EXPECT_EQ(given.available(), 0.);
  given.give_back(6e9);
  EXPECT_EQ(given.available(), given.limit());
  parameters.memory_limit = 0.;
  const MemoryBudget machine(parameters, MPI_COMM_WORLD);
  EXPECT_GT(machine.limit(), 1e7);
  EXPECT_LT(machine.limit(), 0.7 * available_memory() + 1e9);
}

TEST(LinearSolvers, OneUnknown)
{
  SymmetricMatrix A;
  A.n            = 1;
  A.column_start = { 0, 1 };
  A.row          = { 0 };
  A.value        = { 4. };
  for (const unsigned int limit : { 0u, 1u })
  {
    double x = 2.;
    factorize(A, limit)->solve(&x, 1);
    EXPECT_DOUBLE_EQ(x, 0.5);
  }
}

TEST(LinearSolvers, NotPositiveDefinite)
{
  const SymmetricMatrix A = random_matrix(40, -8.);
  // Positive diagonal, one negative eigenvalue.
  SymmetricMatrix B = scaled_chain(300, 0.);
  for (int k = B.column_start[150]; k < B.column_start[151]; ++k)
    if (B.row[k] == 150)
      B.value[k] = 0.5;
  for (const auto type : { LinearSolverType::dense,
                           LinearSolverType::cholmod,
                           LinearSolverType::mumps,
                           LinearSolverType::amg })
    for (const SymmetricMatrix *matrix :
         std::initializer_list<const SymmetricMatrix *>{ &A, &B })
      try
      {
        const auto factor = make(*matrix, type);
        // Conjugate gradients only see what the right-hand side excites.
        std::vector<double> x(matrix->n, 0.);
        x[matrix->n / 2] = 1.;
        factor->solve(x.data(), 1);
        ADD_FAILURE() << "no error of " << factor->name();
      }
      catch (const ComputationError &e)
      {
        EXPECT_NE(std::string(e.what()).find("not positive definite"),
                  std::string::npos)
            << e.what();
      }
}
