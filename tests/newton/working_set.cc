// Contacts at rest are never missed: with the working set, runs are those of
// all contacts within reach.
#include "cases.h"

#include <gtest/gtest.h>

using test::relative;

namespace
{
/// A strip, clamped at its ends, candidates on both sides; the time scheme, the
/// obstacles and the rest of the file follow.
std::string strip(const std::string &more)
{
  return R"(
subsection Material rubber
  set Model         = neo-Hookean
  set Density       = 1
  set Young modulus = 100
  set Poisson ratio = 0.3
end
subsection Body strip
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Size      = 4, 0.1
    set Divisions = 96, 2
  end
end
subsection Boundary condition ends
  set Type     = fixed
  set Surfaces = strip/left, strip/right
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction above
  set Candidates  = strip/top
  set Antagonists = punch
  set Law         = dry
  set Points      = nodes
end
subsection Interaction below
  set Candidates  = strip/bottom
  set Antagonists = floor
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Newton
  set Tolerance = 1e-10
end
subsection Probe middle
  set Point = 2, 0
end
subsection Probe quarter
  set Point = 1, 0
end
subsection Output
  set Interval = 0
end
)" + more;
}

std::string punch(const std::string &motion)
{
  return R"(
subsection Obstacle punch
  set Type         = sphere
  set Point        = 2, 0.65
  set Radius       = 0.5
  set Displacement = )" +
         motion + R"(
end
subsection Obstacle floor
  set Type   = plane
  set Point  = 0, -0.3
  set Normal = 0, 1
end
)";
}

/// Both runs, compared step by step; contacts that had to join late.
/// @p most_rounds: problems are solved so often before all contacts are taken.
std::size_t compare(const std::string &text,
                    const std::vector<std::string> &changes,
                    const unsigned int most_rounds = 8)
{
  struct Run
  {
    std::vector<std::vector<double>> q;
    std::vector<double> normal;
    std::size_t n_late = 0, n_resting = 0, n_contacts = 0, n_taken_all = 0;
  };
  const auto run = [&](const bool with)
  {
    Run result;
    auto all = changes;
    all.push_back(std::string("Contact solver/Working set=") +
                  (with ? "true" : "false"));
    test::watch<2>(text,
                   all,
                   [&](auto &simulation, double, double)
                   {
                     simulation.contact.working.most_rounds = most_rounds;
                     const auto &scheme = *simulation.model.schemes[0];
                     result.q.emplace_back(scheme.q.begin(), scheme.q.end());
                     const auto &contact = simulation.contact;
                     double sum          = 0.;
                     for (std::size_t a = 0; a < contact.contacts.size(); ++a)
                     {
                       sum += contact.P[2 * a];
                       // The laws hold, at rest or not.
                       EXPECT_GT(contact.gaps_end[a], -1e-6);
                     }
                     result.normal.push_back(sum);
                     result.n_late      = contact.working.n_joined;
                     result.n_taken_all = contact.working.n_taken_all;
                     result.n_contacts =
                         std::max(result.n_contacts, contact.contacts.size());
                     result.n_resting += contact.working.n_at_rest();
                   });
    return result;
  };
  const Run set = run(true), all = run(false);
  EXPECT_EQ(set.q.size(), all.q.size());
  double largest = 0.;
  for (const double value : all.normal)
    largest = std::max(largest, value);
  EXPECT_GT(largest, 0.);
  for (std::size_t k = 0; k < std::min(set.q.size(), all.q.size()); ++k)
  {
    EXPECT_NEAR(set.normal[k], all.normal[k], 1e-6 * largest) << "step " << k;
    double difference = 0.;
    for (std::size_t i = 0; i < all.q[k].size(); ++i)
      difference = std::max(difference, std::abs(set.q[k][i] - all.q[k][i]));
    EXPECT_LT(difference, 1e-7) << "step " << k;
  }
  // There was something to leave out.
  EXPECT_GT(set.n_resting, 0u) << set.n_contacts << " contacts";
  EXPECT_EQ(all.n_resting, 0u);
  EXPECT_EQ(set.n_taken_all > 0, most_rounds == 0);
  return set.n_late;
}

const std::string quasi_static = R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.05
end
)";
const std::string dynamic      = R"(
subsection Time
  set End  = 0.4
  set Step = 0.01
end
)";
} // namespace

TEST(WorkingSet, OfAStripUnderAPunch)
{
  compare(strip(quasi_static + punch("0; -0.37*t")), {});
}

// A tool that comes from afar, strikes and leaves: the first step in which it
// touches is nothing like the one before.
TEST(WorkingSet, OfAFastTool)
{
  const auto n_late = compare(
      strip(quasi_static + punch("0; if(t<0.48, 0.4, if(t<0.7, -0.25, 0.3))")),
      {});
  EXPECT_GT(n_late, 0u);
}

// Contacts that join after each solution end with all of them in: none is lost.
TEST(WorkingSet, ThatKeepsGrowing)
{
  const auto n_late = compare(
      strip(quasi_static + punch("0; if(t<0.48, 0.4, if(t<0.7, -0.25, 0.3))")),
      {},
      0);
  EXPECT_GT(n_late, 0u);
}

// Back and forth over the strip, with jumps of the speed.
TEST(WorkingSet, OfRandomMotions)
{
  compare(
      strip(dynamic + punch("0.8*sin(37*t)*cos(11*t); "
                            "-0.2*min(1, t/0.05) - 0.12*sin(53*t)*sin(19*t)")),
      {});
}

// A strip that is pushed together snaps onto the floor.
TEST(WorkingSet, OfASnapThrough)
{
  const std::string text = strip(R"(
subsection Time
  set End  = 0.6
  set Step = 0.005
end
)" + punch("0; -0.06*min(1, 5*t) + max(0, t-0.25)"));
  compare(text,
          { "Boundary condition ends/Type=displacement",
            "Boundary condition ends/Value=if(x>2, -0.6*t, 0); 0",
            "Obstacle floor/Point=0, -0.08",
            "Contact solver/Update distance=2" });
}

// What an iteration need not know better it does not: no more sweeps, hardly
// more iterations, the same answer.
TEST(WorkingSet, InexactIterations)
{
  const auto run = [](const char *inexact)
  {
    std::vector<double> result(3, 0.);
    test::watch<2>(
        strip(quasi_static + punch("0; -0.37*t")),
        { "Contact solver/Solver=Gauss-Seidel",
          std::string("Contact solver/Inexact iterations=") + inexact },
        [&](const auto &simulation, double, double)
        {
          result[0] += simulation.last_attempt().last.iterations;
          result[1] += simulation.last_attempt().last.sweeps;
          const auto &q = simulation.model.schemes[0]->q;
          result[2]     = q.l2_norm();
        });
    return result;
  };
  const auto inexact = run("true"), exact = run("false");
  EXPECT_LE(inexact[0], 1.2 * exact[0]);
  EXPECT_LE(inexact[1], exact[1]);
  EXPECT_LT(relative(inexact[2], exact[2]), 1e-8);
}
