#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>

#include "dimensions.h"
#include "random_problems.h"
#include "synthetic_wall.h"

#include <gtest/gtest.h>

#include <set>

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <typename T>
class DelassusTest : public ::testing::Test
{
};
TYPED_TEST_SUITE(DelassusTest, Dimensions);

/// H as a full matrix over all dofs of all pieces, and W = H^T C H from it.
template <int dim>
std::vector<double> brute_force(const BodyDelassusData<dim> &data)
{
  const std::size_t n = dim * data.n_contacts();
  std::vector<std::size_t> first(1, 0);
  for (const unsigned int n_p : data.piece_n_dofs)
    first.push_back(first.back() + n_p);
  const std::size_t n_dofs = first.back();
  std::vector<double> H(n * n_dofs, 0.); // row i: the velocity i
  for (std::size_t a = 0; a < data.n_contacts(); ++a)
    for (std::size_t e = data.h_start[a]; e < data.h_start[a + 1]; ++e)
      for (int i = 0; i < dim; ++i)
        for (int c = 0; c < dim; ++c)
          H[(dim * a + i) * n_dofs + first[data.entries[e].piece] +
            dim * data.entries[e].node + c] +=
              data.entries[e].weight * data.frame[a][i * dim + c];
  std::vector<double> W(n * n, 0.);
  for (std::size_t p = 0; p < data.piece_n_dofs.size(); ++p)
  {
    const std::size_t n_p = data.piece_n_dofs[p];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n_p; ++k)
        {
          const double left = H[i * n_dofs + first[p] + k];
          if (left != 0.)
            for (std::size_t l = 0; l < n_p; ++l)
              W[i * n + j] += left * data.piece_compliance[p][k * n_p + l] *
                              H[j * n_dofs + first[p] + l];
        }
  }
  return W;
}

template <int dim>
std::vector<double> random_values(Random &random, const std::size_t n)
{
  std::vector<double> values(n);
  for (double &x : values)
    x = random.normal();
  return values;
}
} // namespace

TYPED_TEST(DelassusTest, AllStoragesAreTheSameOperator)
{
  constexpr int dim = TypeParam::value;
  Random random(21);
  const RandomBodies<dim> bodies(random, 12, 40);
  const std::size_t n = 40;
  const DenseDelassus<dim> dense(n, brute_force<dim>(bodies.data));
  const BlockSparseDelassus<dim> sparse = assemble_block_sparse(bodies.data);
  const BodyDelassus<dim> body(bodies.data);
  EXPECT_EQ(sparse.n_contacts(), n);
  EXPECT_LT(sparse.n_blocks(), n * n);

  const DelassusOperator<dim> *operators[] = { &dense, &sparse, &body };
  const std::vector<double> P = random_values<dim>(random, dim * n);
  std::vector<double> padded(sweep_stride<dim> * n, 0.);
  for (std::size_t a = 0; a < n; ++a)
    std::copy_n(
        P.begin() + dim * a, dim, padded.begin() + sweep_stride<dim> * a);

  // The reference, entry by entry.
  std::vector<double> expected(dim * n, 0.);
  double size = 0.;
  for (std::size_t i = 0; i < dim * n; ++i)
  {
    for (std::size_t j = 0; j < dim * n; ++j)
      expected[i] += dense(i, j) * P[j];
    size = std::max(size, std::abs(expected[i]));
  }

  for (const auto *W : operators)
  {
    SCOPED_TRACE(W->name());
    std::vector<double> U(dim * n);
    W->multiply(P.data(), U.data());
    for (std::size_t i = 0; i < dim * n; ++i)
      EXPECT_NEAR(U[i], expected[i], 1e-13 * size);

    AlignedVector<double> buffer(W->sweep_buffer_size());
    W->begin_sweep(padded.data(), buffer.data());
    for (std::size_t a = 0; a < n; ++a)
    {
      LocalVector<dim> local;
      W->velocity_at(a, padded.data(), buffer.data(), local.data());
      for (int c = 0; c < dim; ++c)
        EXPECT_NEAR(local[c], expected[dim * a + c], 1e-13 * size);
      LocalMatrix<dim> block;
      W->diagonal_block(a, block.data());
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          EXPECT_NEAR(block[i * dim + j],
                      dense(dim * a + i, dim * a + j),
                      1e-13 * size);
    }

    // Change impulses one after the other and compare with the product.
    std::vector<double> moved = P, moved_padded = padded;
    for (unsigned int k = 0; k < 100; ++k)
    {
      const std::size_t a = random.index(n);
      LocalVector<dim> dP;
      for (int c = 0; c < dim; ++c)
      {
        dP[c] = random.normal();
        moved[dim * a + c] += dP[c];
        moved_padded[sweep_stride<dim> * a + c] += dP[c];
      }
      W->change_impulse(a, dP.data(), buffer.data());
    }
    W->multiply(moved.data(), U.data());
    for (std::size_t a = 0; a < n; ++a)
    {
      LocalVector<dim> local;
      W->velocity_at(a, moved_padded.data(), buffer.data(), local.data());
      for (int c = 0; c < dim; ++c)
        EXPECT_NEAR(local[c], U[dim * a + c], 1e-12 * size);
    }
  }

  // From operator to dense.
  const DenseDelassus<dim> copied(body);
  for (std::size_t i = 0; i < dim * n; ++i)
    for (std::size_t j = 0; j < dim * n; ++j)
      EXPECT_NEAR(copied(i, j), dense(i, j), 1e-13 * size);
}

TYPED_TEST(DelassusTest, AssembledPatternAndSymmetry)
{
  constexpr int dim = TypeParam::value;
  Random random(22);
  const RandomBodies<dim> bodies(random, 30, 60);
  const BlockSparseDelassus<dim> W = assemble_block_sparse(bodies.data);
  const auto &data                 = bodies.data;
  for (std::size_t a = 0; a < 60; ++a)
  {
    std::set<unsigned int> pieces, coupled;
    for (std::size_t e = data.h_start[a]; e < data.h_start[a + 1]; ++e)
      pieces.insert(data.entries[e].piece);
    for (unsigned int b = 0; b < 60; ++b)
      for (std::size_t e = data.h_start[b]; e < data.h_start[b + 1]; ++e)
        if (pieces.count(data.entries[e].piece))
          coupled.insert(b);
    const std::vector<unsigned int> row(W.column_data() + W.row_start_data()[a],
                                        W.column_data() +
                                            W.row_start_data()[a + 1]);
    EXPECT_EQ(row, std::vector<unsigned int>(coupled.begin(), coupled.end()));
  }
  const DenseDelassus<dim> dense(W);
  for (std::size_t i = 0; i < dim * 60; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_EQ(dense(i, j), dense(j, i));
}

TYPED_TEST(DelassusTest, AssemblingAgainReusesTheStorage)
{
  constexpr int dim = TypeParam::value;
  Random random(23);
  const RandomBodies<dim> large(random, 12, 60), small(random, 12, 20);
  BodyAssembler<dim> assembler;
  BlockSparseDelassus<dim> W;
  assembler.assemble(large.data, W);
  const double *storage = W.block_data();
  assembler.assemble(small.data, W);
  EXPECT_EQ(storage, W.block_data());
  EXPECT_EQ(W.n_contacts(), 20u);
  const DenseDelassus<dim> again(W), fresh(assemble_block_sparse(small.data));
  for (std::size_t i = 0; i < dim * 20; ++i)
    for (std::size_t j = 0; j < dim * 20; ++j)
      EXPECT_EQ(again(i, j), fresh(i, j));
}

TYPED_TEST(DelassusTest, DataThatDoNotFitAreRefused)
{
  constexpr int dim = TypeParam::value;
  constexpr int d2  = dim * dim;
  using Sparse      = BlockSparseDelassus<dim>;
  const std::vector<double> one(d2, 1.), two(2 * d2, 1.);
  EXPECT_NO_THROW(Sparse({ 0, 1 }, { 0 }, one));
  EXPECT_THROW(Sparse({ 0, 1 }, { 0 }, two), ComputationError);
  EXPECT_THROW(Sparse({ 0, 1 }, { 1 }, one), ComputationError);
  EXPECT_THROW(Sparse({ 0, 1, 2 }, { 1, 0 }, two),
               ComputationError); // no diagonal
  EXPECT_THROW(DenseDelassus<dim>(2, one), ComputationError);

  Random random(24);
  RandomBodies<dim> bodies(random, 5, 4);
  bodies.data.entries[1].node = 1000;
  EXPECT_THROW(assemble_block_sparse(bodies.data), ComputationError);
  EXPECT_THROW(BodyDelassus<dim>{ bodies.data }, ComputationError);
  bodies.data.entries[1] = { 77, 0, 1. };
  EXPECT_THROW(assemble_block_sparse(bodies.data), ComputationError);
}

TYPED_TEST(DelassusTest, NoContacts)
{
  constexpr int dim = TypeParam::value;
  BodyDelassusData<dim> data;
  data.h_start = { 0 };
  const auto W = assemble_block_sparse(data);
  EXPECT_EQ(W.n_contacts(), 0u);
  W.multiply(nullptr, nullptr);
  const BodyDelassus<dim> body(data);
  EXPECT_EQ(body.n_contacts(), 0u);
}

TEST(SyntheticWallTest, SixteenContactsOnAnInnerBlock)
{
  const SyntheticWall wall(8, 9);
  std::vector<std::set<std::size_t>> contacts(wall.n_blocks);
  for (std::size_t a = 0; a < wall.data.n_contacts(); ++a)
    for (std::size_t e = wall.data.h_start[a]; e < wall.data.h_start[a + 1];
         ++e)
      contacts[wall.data.entries[e].piece].insert(a);
  EXPECT_EQ(contacts[4 * 9 + 4].size(), 16u);
  EXPECT_EQ(contacts[3 * 9 + 5].size(), 16u);
}

TEST(DelassusCostTest, LargeWallsOfSmallBlocksAreNotAssembled)
{
  const SyntheticWall small(12, 12), large(100, 100);
  const DelassusCost<2> little(small.data), much(large.data);
  const auto W = assemble_block_sparse(small.data);
  EXPECT_GE(little.n_blocks, W.n_blocks());
  EXPECT_LT(little.n_blocks, 1.3 * W.n_blocks());
  EXPECT_NEAR(little.bytes, W.memory_consumption(), 0.3 * little.bytes);
  EXPECT_FALSE(little.prefers_matrix_free());
  EXPECT_TRUE(much.prefers_matrix_free());
}

// A product that fails is not remembered as one that was made.
TEST(AppliedDelassusTest, FailedProductsAreNotRemembered)
{
  bool fails = false;
  const AppliedDelassus<2> W(
      [&](const double *P, double *U)
      {
        if (fails)
          throw ComputationError("no answer");
        for (unsigned int i = 0; i < 4; ++i)
          U[i] = 2. * P[i];
      },
      std::vector<LocalMatrix<2>>(2),
      /* remembers */ true);
  const std::vector<double> P = { 1., 2., 3., 4. }, other = { 4., 3., 2., 1. };
  std::vector<double> U(4);
  W.multiply(other.data(), U.data());
  fails = true;
  EXPECT_THROW(W.multiply(P.data(), U.data()), ComputationError);
  EXPECT_THROW(W.multiply(P.data(), U.data()), ComputationError);
  fails = false;
  W.multiply(P.data(), U.data());
  for (unsigned int i = 0; i < 4; ++i)
    EXPECT_EQ(U[i], 2. * P[i]);
}
