// Affine laws where W is applied by all ranks together, here threads.

#include "contact_core/affine_problems.h"

#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/global_solvers/projected_gradient.h>

#include <condition_variable>
#include <mutex>
#include <thread>

using namespace delassus;
using namespace delassus_tests;

namespace
{
/// Ranks as threads that add up.
class Meeting : public RankCoupling<2>
{
public:
  struct Room
  {
    std::mutex mutex;
    std::condition_variable changed;
    unsigned int n_here = 0, round = 0;
    std::vector<std::vector<double>> values;
    std::vector<std::vector<double>> last;
  };

  Meeting(Room &room, const unsigned int number)
      : room(room)
      , number(number)
  {
  }

  /// Everybody's values.
  std::vector<std::vector<double>> gather(const std::vector<double> &mine) const
  {
    std::unique_lock<std::mutex> lock(room.mutex);
    room.values[number]      = mine;
    const unsigned int round = room.round;
    if (++room.n_here == room.values.size())
    {
      room.last   = room.values;
      room.n_here = 0;
      ++room.round;
      room.changed.notify_all();
    }
    else
      room.changed.wait(lock, [&]() { return room.round != round; });
    return room.last;
  }

  void start() override
  {
  }
  void send(const double *) override
  {
  }
  bool receive(unsigned int, unsigned int, double *) override
  {
    return false;
  }
  void sum(double *values, const std::size_t n) const override
  {
    const auto all = gather(std::vector<double>(values, values + n));
    for (std::size_t i = 0; i < n; ++i)
    {
      values[i] = 0.;
      for (const auto &one : all)
        values[i] += one[i];
    }
  }
  void maximum(double *values, const std::size_t n) const override
  {
    const auto all = gather(std::vector<double>(values, values + n));
    for (std::size_t i = 0; i < n; ++i)
      for (const auto &one : all)
        values[i] = std::max(values[i], one[i]);
  }
  unsigned int rank() const override
  {
    return number;
  }
  std::string first_error(const std::string &mine) const override
  {
    double any = !mine.empty();
    maximum(&any, 1);
    return any > 0. && mine.empty() ? "Contact: another rank" : mine;
  }

private:
  Room &room;
  const unsigned int number;
};
} // namespace

// Products that all ranks make together.
TEST(AffineRanks, SolveOneProblemTogether)
{
  Random random(361);
  for (const auto &kinds : { std::vector<Kind>{ Kind::compliance, Kind::plain },
                             std::vector<Kind>{ Kind::spring, Kind::plain } })
    for (unsigned int i = 0; i < 5; ++i)
    {
      AffineProblem<2> affine(random, kinds);
      while (affine.test.n < 4)
        affine = AffineProblem<2>(random, kinds);
      const std::size_t n = affine.test.n, cut = 1 + random.index(n - 1);
      const auto &whole      = affine.test.problem;
      const auto alone       = make<2>(all_solvers()[1]);
      const Outcome expected = Family<2>::run(*alone, whole);
      ASSERT_TRUE(expected.converged());
      Meeting::Room room;
      room.values.resize(2);
      std::vector<double> P[2], U[2];
      bool converged[2] = {};
      const auto work   = [&](const unsigned int rank)
      {
        Meeting ranks(room, rank);
        const std::size_t begin = rank == 0 ? 0 : cut,
                          end   = rank == 0 ? cut : n;
        std::vector<LocalMatrix<2>> diagonal(end - begin);
        for (std::size_t a = begin; a < end; ++a)
          whole.W->diagonal_block(a, diagonal[a - begin].data());
        const AppliedDelassus<2> W(
            [&](const double *mine, double *u)
            {
              std::vector<double> all, image(2 * n);
              for (const auto &one : ranks.gather(
                       std::vector<double>(mine, mine + 2 * (end - begin))))
                all.insert(all.end(), one.begin(), one.end());
              whole.W->multiply(all.data(), image.data());
              std::copy(image.begin() + 2 * begin, image.begin() + 2 * end, u);
            },
            diagonal);
        ContactProblem<2> problem;
        problem.W = &W;
        problem.h = whole.h;
        problem.U_free.assign(whole.U_free.begin() + 2 * begin,
                              whole.U_free.begin() + 2 * end);
        problem.laws.assign(whole.laws.begin() + begin,
                            whole.laws.begin() + end);
        ProjectedGradient<2> solver(parameters_of(
            ContactSolverType::projected_gradient, affine_tolerance, 20000));
        converged[rank] =
            solver.solve(problem, P[rank], U[rank], &ranks).converged;
      };
      std::thread other(work, 1);
      work(0);
      other.join();
      EXPECT_TRUE(converged[0] && converged[1]);
      P[0].insert(P[0].end(), P[1].begin(), P[1].end());
      double on_P = 0., on_U = 0.;
      affine.bounds(on_P, on_U);
      EXPECT_LE(distance(expected.P, P[0]), on_P);
    }
}
