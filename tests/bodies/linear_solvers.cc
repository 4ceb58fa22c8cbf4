#include <delassus/base/exceptions.h>
#include <delassus/linear_solvers/symmetric_factor.h>

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
  for (const unsigned int limit : { 0u, 40u })
    try
    {
      factorize(A, limit);
      ADD_FAILURE() << "no error with limit " << limit;
    }
    catch (const ComputationError &e)
    {
      EXPECT_NE(std::string(e.what()).find("not positive definite"),
                std::string::npos)
          << e.what();
    }
}
