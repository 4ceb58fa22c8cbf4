#include "bodies/moving.h"

#include <delassus/systems/active_compliance.h>

#include <random>

using namespace delassus;
using namespace small;

namespace
{
template <int dim>
struct Held
{
  explicit Held(const unsigned int n, const LinearSolverParameters &solver = {})
      : moving(make_grid(sheared_grid<dim>(false, n)),
               1.,
               soft_stone(),
               {},
               { condition(BoundaryConditionType::fixed,
                           "bottom",
                           "",
                           { dim - 1 }) })
      , w(*moving.body, moving.driven, moving.classes, solver)
  {
    w.reinit(0.05, 1.);
  }

  Moving<dim> moving;
  EffectiveInverse<dim> w;
};

/// All entries of @p C are those of w.
template <int dim>
void expect_exact(const ActiveCompliance<dim> &C,
                  EffectiveInverse<dim> &w,
                  const std::vector<unsigned int> &nodes)
{
  const auto exact    = w.compliance(0, nodes);
  const std::size_t n = dim * nodes.size(), m = C.n_dofs();
  double largest = 0.;
  for (const double value : exact)
    largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
    {
      ASSERT_TRUE(C.is_active(nodes[i / dim]));
      const std::size_t row    = dim * C.slot(nodes[i / dim]) + i % dim;
      const std::size_t column = dim * C.slot(nodes[j / dim]) + j % dim;
      ASSERT_LT(row, m);
      ASSERT_NEAR(
          C.values()[row * m + column], exact[i * n + j], 1e-12 * largest);
      ASSERT_EQ(C.values()[row * m + column], C.values()[column * m + row]);
    }
}

template <int dim>
void grow(const unsigned int n)
{
  Held<dim> held(n);
  std::mt19937 random(3);
  const unsigned int n_nodes = held.moving.body->n_nodes();
  for (unsigned int run = 0; run < 3; ++run)
  {
    ActiveCompliance<dim> C(held.w, 0);
    std::vector<unsigned int> all;
    for (const unsigned int count : { 1u, 40u, 3u, 25u })
    {
      // Some new ones, some old ones, some twice, in no order.
      std::vector<unsigned int> nodes;
      for (unsigned int i = 0; i < count; ++i)
        nodes.push_back(random() % n_nodes);
      nodes.push_back(nodes[0]);
      ASSERT_TRUE(C.require(nodes));
      all.insert(all.end(), nodes.begin(), nodes.end());
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
      EXPECT_EQ(C.n_dofs(), dim * all.size());
      expect_exact(C, held.w, all);
    }
    // Each column was solved for once.
    EXPECT_EQ(C.n_solved, dim * all.size());
    ASSERT_TRUE(C.require(all));
    EXPECT_EQ(C.n_solved, dim * all.size());
  }
}
} // namespace

TEST(ActiveCompliance, EqualsTheFullOneAfterAnyGrowth)
{
  grow<2>(15);
  grow<3>(5);
}

TEST(ActiveCompliance, FollowsTheStepSize)
{
  Held<2> held(15);
  ActiveCompliance<2> C(held.w, 0);
  const std::vector<unsigned int> nodes = { 7, 3, 200, 11 };
  ASSERT_TRUE(C.require(nodes));
  held.w.reinit(0.5, 1.);
  C.clear();
  EXPECT_EQ(C.n_dofs(), 0u);
  EXPECT_FALSE(C.is_active(7));
  ASSERT_TRUE(C.require(nodes));
  expect_exact(C, held.w, nodes);
}

TEST(ActiveCompliance, DropsNodesThatAreNoLongerUsed)
{
  Held<2> held(25);
  ActiveCompliance<2> C(held.w, 0);
  std::vector<unsigned int> many, few = { 600, 5, 17 };
  for (unsigned int i = 0; i < 280; ++i)
    many.push_back(i);
  ASSERT_TRUE(C.require(many));
  EXPECT_EQ(C.n_dofs(), 560u);
  ASSERT_TRUE(C.require(few));
  EXPECT_EQ(C.n_dofs(), 6u);
  EXPECT_FALSE(C.is_active(6));
  expect_exact(C, held.w, few);
  EXPECT_EQ(C.n_solved, 562u); // two of the three were known
}

TEST(ActiveCompliance, RespectsTheMemoryLimit)
{
  Held<3> free(5);
  const double taken = free.w.budget->limit() - free.w.budget->available();
  LinearSolverParameters solver;
  // Room for the factor and the compliance of 50 nodes, not for 80.
  const auto bytes = [&](const double n)
  { return ActiveCompliance<3>(free.w, 0).bytes_for(n); };
  solver.memory_limit = (taken + 1.3 * bytes(50)) / (1 << 30);
  ASSERT_GT(bytes(80), 1.3 * bytes(50));
  Held<3> held(5, solver);
  ASSERT_TRUE(held.w.notes.empty());
  const double available = held.w.budget->available();
  {
    ActiveCompliance<3> C(held.w, 0);
    std::vector<unsigned int> nodes;
    for (unsigned int i = 0; i < 50; ++i)
      nodes.push_back(2 * i);
    ASSERT_TRUE(C.require(nodes));
    EXPECT_LT(held.w.budget->available(), available);
    // Other nodes instead of these: dropped, not refused.
    for (unsigned int &node : nodes)
      ++node;
    ASSERT_TRUE(C.require(nodes));
    expect_exact(C, held.w, nodes);
    EXPECT_FALSE(C.is_active(0));
    // Too many: nothing is left, and the budget is free again.
    for (unsigned int i = 0; i < 40; ++i)
      nodes.push_back(110 + i);
    EXPECT_FALSE(C.require(nodes));
    EXPECT_EQ(C.n_dofs(), 0u);
    EXPECT_EQ(held.w.budget->available(), available);
    // And it can still do less.
    nodes.resize(30);
    ASSERT_TRUE(C.require(nodes));
    expect_exact(C, held.w, nodes);
  }
  EXPECT_EQ(held.w.budget->available(), available);
}
