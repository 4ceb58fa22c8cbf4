// Bodies whose contacts have a stiffness, against dense elimination.
#include <delassus/contact/global_solvers/contact_matrix.h>
#include <delassus/linear_solvers/general_factor.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace delassus;

namespace
{
CompressedColumns compress(const std::vector<std::vector<double>> &A)
{
  CompressedColumns result;
  result.n_rows    = A.size();
  result.n_columns = A[0].size();
  result.start.push_back(0);
  for (std::size_t j = 0; j < result.n_columns; ++j)
  {
    for (std::size_t i = 0; i < result.n_rows; ++i)
      if (A[i][j] != 0.)
      {
        result.row.push_back(i);
        result.value.push_back(A[i][j]);
      }
    result.start.push_back(result.row.size());
  }
  return result;
}

std::vector<double> dense_solve(const std::vector<std::vector<double>> &A,
                                std::vector<double> b)
{
  GeneralFactor factor;
  factor.row_start.assign(1, 0);
  for (const auto &row : A)
  {
    for (std::size_t j = 0; j < row.size(); ++j)
    {
      factor.column.push_back(j);
      factor.value.push_back(row[j]);
    }
    factor.row_start.push_back(factor.column.size());
  }
  EXPECT_TRUE(factor.factorize());
  factor.solve(b.data());
  return b;
}

/// A chain of springs, contacts that act on two neighbours each.
struct Scene
{
  static constexpr int n = 40, n_contacts = 9;
  std::vector<std::vector<double>> A, H;
  std::vector<LocalMatrix<3>> S, K;
  std::vector<double> o, e;
  GlobalForm form;
  std::mt19937 random{ 7 };

  double number()
  {
    return std::uniform_real_distribution<double>(-1., 1.)(random);
  }

  Scene()
      : A(n, std::vector<double>(n, 0.))
      , H(n, std::vector<double>(3 * n_contacts, 0.))
      , S(n_contacts, LocalMatrix<3>{})
      , K(n_contacts, LocalMatrix<3>{})
      , o(3 * n_contacts, 0.)
      , e(3 * n_contacts, 0.)
  {
    for (int i = 0; i < n; ++i)
    {
      A[i][i] = 2.5 + 0.1 * i;
      if (i > 0)
        A[i][i - 1] = A[i - 1][i] = -1.;
    }
    for (int a = 0; a < n_contacts; ++a)
    {
      for (int c = 0; c < 3; ++c)
        for (int i = 4 * a; i < 4 * a + 6 && i < n; ++i)
          H[i][3 * a + c] = number();
      // Stiff, with friction that follows the pressure.
      S[a]    = { 1e5, 0., 0., 0., 2., 0.5, 0., 0.5, 3. };
      K[a]    = S[a];
      K[a][3] = 3e4 * number();
      K[a][6] = 3e4 * number();
      for (int c = 0; c < 3; ++c)
      {
        o[3 * a + c] = 0.1 * number();
        e[3 * a + c] = number();
      }
    }
    form.A = compress(A);
    form.H = compress(H);
  }

  /// (A + H K H^T) x = H (e - K o).
  std::vector<double> reference() const
  {
    auto B = A;
    std::vector<double> b(n, 0.);
    for (int a = 0; a < n_contacts; ++a)
      for (int c = 0; c < 3; ++c)
        for (int i = 0; i < n; ++i)
        {
          double f = e[3 * a + c];
          for (int d = 0; d < 3; ++d)
          {
            f -= K[a][3 * c + d] * o[3 * a + d];
            for (int j = 0; j < n; ++j)
              B[i][j] += H[i][3 * a + c] * K[a][3 * c + d] * H[j][3 * a + d];
          }
          b[i] += H[i][3 * a + c] * f;
        }
    return dense_solve(B, b);
  }

  /// What GMRES leaves, 1e-12, times the stiffness of contacts, 1e5.
  void compare(ContactMatrix<3> &matrix)
  {
    std::vector<double> x;
    matrix.solve(K, o, e, 1e-12, 0., x);
    const auto exact = reference();
    double size = 0., error = 0.;
    for (int i = 0; i < n; ++i)
    {
      size += exact[i] * exact[i];
      error += std::pow(x[i] - exact[i], 2);
    }
    EXPECT_LT(std::sqrt(error / size), 1e-7);
  }
};
} // namespace

TEST(ContactMatrix, FrictionIsNotSymmetric)
{
  Scene scene;
  ContactMatrix<3> matrix;
  matrix.reinit(scene.form, 0.);
  ASSERT_TRUE(matrix.factorize(scene.S));
  scene.compare(matrix);
  // Symmetric: the factor alone.
  scene.K           = scene.S;
  const auto before = matrix.n_solutions;
  scene.compare(matrix);
  EXPECT_EQ(matrix.n_solutions, before + 1);
}

TEST(ContactMatrix, ContactsThatHaveChangedSinceTheFactor)
{
  Scene scene;
  ContactMatrix<3> matrix;
  matrix.reinit(scene.form, 0.);
  ASSERT_TRUE(matrix.factorize(scene.S));
  scene.K[2].fill(0.);
  scene.K[5] = { 1e5, 0., 0., 0., 1e5, 0., 0., 0., 1e5 };
  scene.compare(matrix);
}

TEST(ContactMatrix, PatternsAreKept)
{
  Scene scene;
  ContactMatrix<3> matrix;
  matrix.reinit(scene.form, 0.);
  ASSERT_TRUE(matrix.factorize(scene.S));
  EXPECT_EQ(matrix.n_analyses, 1u);
  for (double &value : scene.form.A.value)
    value *= 1.1;
  for (auto &row : scene.A)
    for (double &value : row)
      value *= 1.1;
  matrix.reinit(scene.form, 0.);
  ASSERT_TRUE(matrix.factorize(scene.S));
  EXPECT_EQ(matrix.n_analyses, 1u);
  scene.compare(matrix);
  // A contact between unknowns that nothing coupled so far.
  scene.H[0][0] = scene.H[39][0] = 1.;
  scene.form.H                   = compress(scene.H);
  matrix.reinit(scene.form, 0.);
  ASSERT_TRUE(matrix.factorize(scene.S));
  EXPECT_EQ(matrix.n_analyses, 2u);
  scene.compare(matrix);
}

TEST(ContactMatrix, TellsWhereItIsNotDefinite)
{
  Scene scene;
  ContactMatrix<3> matrix;
  matrix.reinit(scene.form, 0.);
  scene.S[0][0] = -1e5;
  EXPECT_FALSE(matrix.factorize(scene.S));
  scene.S[0][0] = 1e5;
  EXPECT_TRUE(matrix.factorize(scene.S));
  scene.compare(matrix);
}
