// One contact problem shared among ranks, here threads: the same answer as from
// one, also where sweeping all ranks at once does not converge.
#include "synthetic_wall.h"

#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace delassus;
using namespace delassus_tests;

namespace
{
/// What the ranks have in common: messages and sums.
struct Post
{
  explicit Post(const unsigned int n_ranks)
      : n_ranks(n_ranks)
  {
  }

  void put(const unsigned int from,
           const unsigned int to,
           std::vector<double> message)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    boxes[{ from, to }].push_back(std::move(message));
    changed.notify_all();
  }

  std::vector<double> take(const unsigned int from, const unsigned int to)
  {
    std::unique_lock<std::mutex> lock(mutex);
    auto &box = boxes[{ from, to }];
    changed.wait(lock, [&]() { return !box.empty(); });
    std::vector<double> message = std::move(box.front());
    box.pop_front();
    return message;
  }

  /// Everybody's values, in the order of ranks.
  std::vector<std::vector<double>> gather(const unsigned int rank,
                                          const std::vector<double> &mine)
  {
    for (unsigned int to = 0; to < n_ranks; ++to)
      put(rank + n_ranks, to, mine);
    std::vector<std::vector<double>> all;
    for (unsigned int from = 0; from < n_ranks; ++from)
      all.push_back(take(from + n_ranks, rank));
    return all;
  }

  const unsigned int n_ranks;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<unsigned int, unsigned int>,
           std::deque<std::vector<double>>>
      boxes;
};

/// The part of a problem that belongs to one rank.
struct Part
{
  BodyDelassusData<2> data;
  std::vector<unsigned int> own, ghosts; ///< numbers in the whole problem
};

Part part_of(const BodyDelassusData<2> &whole,
             const std::vector<unsigned int> &owner,
             const unsigned int rank)
{
  Part part;
  std::set<unsigned int> pieces;
  const auto begin = [&](const unsigned int a) { return whole.h_start[a]; };
  const auto end   = [&](const unsigned int a) { return whole.h_start[a + 1]; };
  for (unsigned int a = 0; a < owner.size(); ++a)
    if (owner[a] == rank)
    {
      part.own.push_back(a);
      for (std::size_t e = begin(a); e < end(a); ++e)
        pieces.insert(whole.entries[e].piece);
    }
  for (unsigned int a = 0; a < owner.size(); ++a)
  {
    bool coupled = false;
    for (std::size_t e = begin(a); e < end(a); ++e)
      coupled = coupled || pieces.count(whole.entries[e].piece) > 0;
    if (owner[a] != rank && coupled)
      part.ghosts.push_back(a);
  }
  part.data.piece_compliance = whole.piece_compliance;
  part.data.piece_n_dofs     = whole.piece_n_dofs;
  part.data.h_start.push_back(0);
  for (const auto *list : { &part.own, &part.ghosts })
    for (const unsigned int a : *list)
    {
      for (std::size_t e = begin(a); e < end(a); ++e)
        if (pieces.count(whole.entries[e].piece) > 0)
          part.data.entries.push_back(whole.entries[e]);
      part.data.h_start.push_back(part.data.entries.size());
      part.data.frame.push_back(whole.frame[a]);
    }
  part.data.n_ghosts = part.ghosts.size();
  return part;
}

/// Ranks as threads, each of its own colour.
class ThreadCoupling : public RankCoupling<2>
{
public:
  ThreadCoupling(Post &post,
                 const unsigned int rank,
                 const Part &part,
                 const std::vector<Part> &parts,
                 const std::vector<unsigned int> &owner)
      : post(post)
      , my_rank(rank)
      , part(part)
      , owner(owner)
      , n_received(post.n_ranks, 0)
      , to(post.n_ranks)
      , from(post.n_ranks)
  {
    std::map<unsigned int, unsigned int> index;
    for (unsigned int i = 0; i < part.own.size(); ++i)
      index[part.own[i]] = i;
    std::vector<bool> is_coupled(part.own.size(), false);
    for (unsigned int r = 0; r < post.n_ranks; ++r)
      for (const unsigned int a : parts[r].ghosts)
        if (owner[a] == rank)
        {
          to[r].push_back(index[a]);
          is_coupled[index[a]] = true;
        }
    for (unsigned int g = 0; g < part.ghosts.size(); ++g)
      from[owner[part.ghosts[g]]].push_back(g);
    const std::size_t n = part.own.size();
    for (std::size_t a = 0; a < n; ++a)
      (is_coupled[a]                                    ? coupled
       : a * (post.n_ranks - 1) < n * std::size_t(rank) ? first
                                                        : last)
          .push_back({ a, a + 1 });
  }

  void start() override
  {
  }

  void send(const double *impulses) override
  {
    for (unsigned int r = 0; r < post.n_ranks; ++r)
      if (!to[r].empty())
      {
        std::vector<double> message;
        for (const unsigned int a : to[r])
          message.insert(message.end(), impulses + 2 * a, impulses + 2 * a + 2);
        post.put(my_rank, r, message);
      }
  }

  bool receive(const unsigned int lower,
               const unsigned int higher,
               double *ghosts) override
  {
    bool something_new = false;
    for (unsigned int r = 0; r < post.n_ranks; ++r)
      while (!from[r].empty() &&
             n_received[r] < (r < my_rank ? lower : higher) + 1)
      {
        const auto message = post.take(r, my_rank);
        for (unsigned int i = 0; i < from[r].size(); ++i)
          for (unsigned int c = 0; c < 2; ++c)
            ghosts[2 * from[r][i] + c] = message[2 * i + c];
        ++n_received[r];
        something_new = true;
      }
    return something_new;
  }

  void sum(double *values, const std::size_t n) const override
  {
    reduce(values, n, [](const double a, const double b) { return a + b; });
  }
  void maximum(double *values, const std::size_t n) const override
  {
    reduce(values,
           n,
           [](const double a, const double b) { return std::max(a, b); });
  }
  unsigned int rank() const override
  {
    return my_rank;
  }
  std::string first_error(const std::string &mine) const override
  {
    for (const auto &text :
         post.gather(my_rank, std::vector<double>(mine.begin(), mine.end())))
      if (!text.empty())
        return std::string(text.begin(), text.end());
    return "";
  }

private:
  template <typename Function>
  void reduce(double *values, const std::size_t n, const Function &f) const
  {
    const auto all =
        post.gather(my_rank, std::vector<double>(values, values + n));
    for (std::size_t i = 0; i < n; ++i)
    {
      values[i] = all[0][i];
      for (std::size_t r = 1; r < all.size(); ++r)
        values[i] = f(values[i], all[r][i]);
    }
  }

  Post &post;
  const unsigned int my_rank;
  const Part &part;
  const std::vector<unsigned int> &owner;
  std::vector<unsigned int> n_received;
  std::vector<std::vector<unsigned int>> to, from;
};

std::unique_ptr<DelassusOperator<2>> make_W(const BodyDelassusData<2> &data,
                                            const unsigned int storage)
{
  if (storage == 0)
    return std::make_unique<BodyDelassus<2>>(data);
  auto sparse =
      std::make_unique<BlockSparseDelassus<2>>(assemble_block_sparse(data));
  if (storage == 1)
    return sparse;
  return std::make_unique<DenseDelassus<2>>(*sparse);
}

ContactProblem<2> make_problem(const DelassusOperator<2> &W,
                               const std::vector<double> &U_free,
                               const double friction)
{
  ContactProblem<2> problem;
  problem.W      = &W;
  problem.U_free = U_free;
  problem.laws.resize(U_free.size() / 2);
  for (auto &law : problem.laws)
    law.friction = friction;
  return problem;
}

ContactSolverParameters to_tolerance(const double tolerance)
{
  ContactSolverParameters parameters;
  parameters.tolerance  = tolerance;
  parameters.max_sweeps = 200000;
  return parameters;
}

struct Solution
{
  std::vector<double> P, U;
  std::vector<ContactResult> results; ///< one a rank
  std::vector<std::string> errors;
};

Solution solve_together(const BodyDelassusData<2> &whole,
                        const std::vector<double> &U_free,
                        const double friction,
                        const std::vector<unsigned int> &owner,
                        const unsigned int n_ranks,
                        const unsigned int storage,
                        const ContactSolverParameters &parameters)
{
  std::vector<Part> parts;
  for (unsigned int r = 0; r < n_ranks; ++r)
    parts.push_back(part_of(whole, owner, r));
  Post post(n_ranks);
  Solution solution;
  solution.P.resize(U_free.size());
  solution.U.resize(U_free.size());
  solution.results.resize(n_ranks);
  solution.errors.resize(n_ranks);
  std::vector<std::thread> threads;
  for (unsigned int r = 0; r < n_ranks; ++r)
    threads.emplace_back(
        [&, r]()
        {
          const Part &part = parts[r];
          ThreadCoupling coupling(post, r, part, parts, owner);
          const auto W = make_W(part.data, storage);
          std::vector<double> own_U_free, P, U;
          for (const unsigned int a : part.own)
            own_U_free.insert(own_U_free.end(),
                              U_free.begin() + 2 * a,
                              U_free.begin() + 2 * a + 2);
          const auto problem = make_problem(*W, own_U_free, friction);
          GaussSeidel<2> solver(parameters);
          try
          {
            solution.results[r] = solver.solve(problem, P, U, &coupling);
          }
          catch (const ComputationError &e)
          {
            solution.errors[r] = e.what();
            return;
          }
          for (unsigned int i = 0; i < part.own.size(); ++i)
            for (unsigned int c = 0; c < 2; ++c)
            {
              solution.P[2 * part.own[i] + c] = P[2 * i + c];
              solution.U[2 * part.own[i] + c] = U[2 * i + c];
            }
        });
  for (auto &thread : threads)
    thread.join();
  return solution;
}

double largest(const std::vector<double> &values)
{
  double result = 0.;
  for (const double value : values)
    result = std::max(result, std::abs(value));
  return result;
}

double difference(const std::vector<double> &a, const std::vector<double> &b)
{
  std::vector<double> d(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    d[i] = a[i] - b[i];
  return largest(d);
}

/// A light rigid slab that heavy blocks fall on, one contact each: all contacts
/// are coupled through the slab, W = 1/m_slab (1 1^T) + 1/m_block I.
struct Slab
{
  Slab(const unsigned int n, const double mass_of_slab)
  {
    rigid.assign(4 * n * n, 0.);
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        for (unsigned int c = 0; c < 2; ++c)
          rigid[(2 * i + c) * 2 * n + 2 * j + c] = 1. / mass_of_slab;
    block = { 1., 0., 0., 1. };
    data.piece_compliance.push_back(rigid.data());
    data.piece_n_dofs.push_back(2 * n);
    data.h_start.push_back(0);
    for (unsigned int i = 0; i < n; ++i)
    {
      data.piece_compliance.push_back(block.data());
      data.piece_n_dofs.push_back(2);
      data.entries.push_back({ i + 1, 0, 1. });
      data.entries.push_back({ 0, i, -1. });
      data.h_start.push_back(data.entries.size());
      data.frame.push_back({ { 0., 1., 1., 0. } });
      // All fall, at different speeds; some also slide.
      U_free.push_back(-1. - 0.1 * i);
      U_free.push_back(i % 2 == 0 ? 0.3 : -0.1);
    }
  }

  std::vector<double> rigid, block, U_free;
  BodyDelassusData<2> data;
};
} // namespace


TEST(RankCoupling, WallOnSeveralRanksSolvesTheWholeProblem)
{
  const SyntheticWall wall(4, 3);
  const std::size_t n = wall.data.n_contacts();
  for (const double friction : { 0., 0.5 })
    for (const unsigned int storage : { 0, 1, 2 })
    {
      const auto W = make_W(wall.data, storage);
      std::vector<double> P, U;
      ContactSolverParameters parameters = to_tolerance(1e-8);
      GaussSeidel<2> solver(parameters);
      const auto problem = make_problem(*W, wall.U_free, friction);
      const auto alone   = solver.solve(problem, P, U);
      ASSERT_TRUE(alone.converged);
      for (const unsigned int n_ranks : { 1, 2, 4 })
      {
        SCOPED_TRACE(std::to_string(storage) + ", " + std::to_string(n_ranks));
        // Contacts of a block go together, as candidates do.
        std::vector<unsigned int> owner(n);
        for (std::size_t a = 0; a < n; ++a)
          owner[a] = wall.data.entries[wall.data.h_start[a]].piece * n_ranks /
                     wall.n_blocks;
        const auto together = solve_together(wall.data,
                                             wall.U_free,
                                             friction,
                                             owner,
                                             n_ranks,
                                             storage,
                                             parameters);
        for (const auto &result : together.results)
        {
          EXPECT_TRUE(result.converged);
          EXPECT_EQ(result.sweeps, together.results[0].sweeps);
          EXPECT_EQ(result.n_open + result.n_stick + result.n_slip, n);
          // Another order of the contacts, but no other method.
          EXPECT_LT(result.sweeps, 2 * alone.sweeps);
        }
        // The error they found is that of the whole problem.
        std::vector<double> U_whole;
        const auto errors = compute_errors(problem, together.P, U_whole);
        EXPECT_NEAR(errors.unit_free,
                    together.results[0].errors.unit_free,
                    1e-6 * errors.unit_free);
        EXPECT_LT(difference(U_whole, together.U), 1e-12);
        // Impulses are not unique, as a block has more contacts than dofs,
        // and with friction velocities need not be.
        if (friction == 0.)
        {
          EXPECT_LT(difference(together.U, U), 1e-5 * largest(wall.U_free));
        }
      }
    }
}


TEST(RankCoupling, OtherOrdersOfSweepsSolveTheWholeProblem)
{
  const SyntheticWall wall(4, 3);
  const std::size_t n = wall.data.n_contacts();
  std::vector<unsigned int> owner(n);
  for (std::size_t a = 0; a < n; ++a)
    owner[a] =
        wall.data.entries[wall.data.h_start[a]].piece * 3 / wall.n_blocks;
  const auto W       = make_W(wall.data, 1);
  const auto problem = make_problem(*W, wall.U_free, 0.);
  std::vector<double> P, U;
  GaussSeidel<2> solver(to_tolerance(1e-8));
  ASSERT_TRUE(solver.solve(problem, P, U).converged);
  for (const SweepOrder order :
       { SweepOrder::forward, SweepOrder::random, SweepOrder::graph })
    for (const unsigned int storage : { 0, 1 })
    {
      ContactSolverParameters parameters = to_tolerance(1e-8);
      parameters.order                   = order;
      parameters.acceleration            = storage == 0 ? 0 : 6;
      const auto together                = solve_together(
          wall.data, wall.U_free, 0., owner, 3, storage, parameters);
      EXPECT_TRUE(together.results[0].converged);
      std::vector<double> U_whole;
      EXPECT_LT(compute_errors(problem, together.P, U_whole).unit_free,
                1.01e-8);
      EXPECT_LT(difference(together.U, U), 1e-5 * largest(wall.U_free));
    }
}


TEST(RankCoupling, ConvergesWhereSweepsOfAllRanksAtOnceDoNot)
{
  constexpr unsigned int n = 12, n_ranks = 4;
  const Slab slab(n, 0.01);
  std::vector<unsigned int> owner(n);
  for (unsigned int a = 0; a < n; ++a)
    owner[a] = a * n_ranks / n;
  const auto W = make_W(slab.data, 1);
  std::vector<double> P, U;
  GaussSeidel<2> solver(to_tolerance(1e-10));
  const auto problem = make_problem(*W, slab.U_free, 0.3);
  ASSERT_TRUE(solver.solve(problem, P, U).converged);

  // Each rank solves its contacts exactly for the others' last impulses, all at
  // the same time: too much by a factor of n_ranks, then too little.
  {
    std::vector<double> all(2 * n, 0.);
    for (unsigned int i = 0; i < 20; ++i)
    {
      std::vector<double> next(2 * n, 0.);
      for (unsigned int r = 0; r < n_ranks; ++r)
      {
        std::vector<double> others = all, U_others(2 * n), own_U_free;
        for (unsigned int a = 0; a < n; ++a)
          if (owner[a] == r)
            others[2 * a] = others[2 * a + 1] = 0.;
        W->multiply(others.data(), U_others.data());
        Part part = part_of(slab.data, owner, r);
        for (const unsigned int a : part.own)
          for (unsigned int c = 0; c < 2; ++c)
            own_U_free.push_back(slab.U_free[2 * a + c] + U_others[2 * a + c]);
        part.data.entries.resize(part.data.h_start[part.own.size()]);
        part.data.h_start.resize(part.own.size() + 1);
        part.data.frame.resize(part.own.size());
        part.data.n_ghosts = 0;
        const auto own_W   = make_W(part.data, 1);
        std::vector<double> own_P, own_U;
        GaussSeidel<2> exact(to_tolerance(1e-10));
        exact.solve(make_problem(*own_W, own_U_free, 0.3), own_P, own_U);
        for (unsigned int k = 0; k < part.own.size(); ++k)
          for (unsigned int c = 0; c < 2; ++c)
            next[2 * part.own[k] + c] = own_P[2 * k + c];
      }
      all = next;
    }
    EXPECT_GT(difference(all, P), 0.5 * largest(P));
  }

  for (const unsigned int storage : { 0, 1, 2 })
  {
    const auto together = solve_together(slab.data,
                                         slab.U_free,
                                         0.3,
                                         owner,
                                         n_ranks,
                                         storage,
                                         to_tolerance(1e-10));
    EXPECT_TRUE(together.results[0].converged);
    EXPECT_LT(difference(together.P, P), 1e-6 * largest(P)) << storage;
  }
}


TEST(RankCoupling, AnErrorOnOneRankIsThrownOnAll)
{
  Slab slab(6, 1.);
  slab.U_free[8] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<unsigned int> owner = { 0, 0, 1, 1, 2, 2 };
  const auto together                   = solve_together(
      slab.data, slab.U_free, 0.3, owner, 3, 1, to_tolerance(1e-10));
  for (const auto &error : together.errors)
  {
    EXPECT_FALSE(error.empty());
    EXPECT_EQ(error, together.errors[2]);
  }
}
