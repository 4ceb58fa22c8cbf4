// Steps that fail are cut and leave nothing behind; times asked for are hit.
#include "cases.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

using test::relative;

// A step that is taken back leaves history, contacts and impulses as they were:
// its halves are bit for bit the steps of a run that takes halves at once.
TEST(StepControl, ARejectedStepLeavesNothingBehind)
{
  // One step of 1.6e-6 is more than the loop can do.
  const auto run =
      [](const std::vector<std::string> &changes, std::vector<double> &sizes)
  {
    std::vector<double> state;
    test::watch<2>(test::rod(),
                   changes,
                   [&](const auto &simulation, double, const double h)
                   {
                     const auto &scheme = *simulation.model.schemes[0];
                     state.assign(scheme.q.begin(), scheme.q.end());
                     for (const unsigned int cell : scheme.body.owned_cells)
                       for (unsigned int q = 0; q < 4; ++q)
                         state.push_back(
                             scheme.internal_forces()->history(cell, q)[9]);
                     state.insert(state.end(),
                                  simulation.contact.P.begin(),
                                  simulation.contact.P.end());
                     sizes.push_back(h);
                   });
    return state;
  };
  std::vector<double> cut, whole;
  const auto a =
      run({ "Time/Step=1.6e-6", "Time/End=1.6e-6", "Newton/Largest strain=0" },
          cut);
  ASSERT_EQ(cut.size(), 1u);
  ASSERT_DOUBLE_EQ(cut[0], 8e-7); // cut once, then two halves
  const auto b =
      run({ "Time/Step=8e-7", "Time/End=1.6e-6", "Newton/Largest strain=0" },
          whole);
  ASSERT_EQ(whole.size(), 2u);
  EXPECT_EQ(a, b);
}

TEST(StepControl, TimesAskedForAreHit)
{
  const auto run = test::run_text<2>(
      test::rod(), { "Time/Step=4e-7", "Newton/Largest strain=0.02" });
  const auto &time = run.history.at("time");
  ASSERT_EQ(time.size(), 5u);
  for (unsigned int i = 0; i < 5; ++i)
    EXPECT_NEAR(time[i], 4e-7 * (i + 1), 1e-18);
  // Near what steps of a twentieth give; implicit Euler is of first order.
  const auto fine = test::run_text<2>(test::rod(), { "Time/Step=2e-8" });
  EXPECT_LT(relative(run.history.at("top:u_y").back(),
                     fine.history.at("top:u_y").back()),
            2e-2);
}

// Above the bound of an approximate matrix steps are cut below it.
TEST(StepControl, TheBoundOfExplicitStepsIsEnforced)
{
  double smallest = 1., largest = 0.;
  test::watch<2>(test::explicit_rod(),
                 { "Time/Step=2e-7" },
                 [&](const auto &, double, const double h)
                 {
                   smallest = std::min(smallest, h);
                   largest  = std::max(largest, h);
                 });
  // Speed of waves 4586 m/s, cells of 0.64 mm: about 2/omega = 1.1e-7 s.
  EXPECT_LT(largest, 1.3e-7);
  EXPECT_GT(smallest, 2e-8);
}

TEST(StepControl, GivesUpWithADiagnosis)
{
  // The top is driven through the floor.
  try
  {
    test::run_text<2>(test::block(),
                      { "Boundary condition top/Value=0; -2*t",
                        "Newton/Smallest step=0.05" });
    FAIL();
  }
  catch (const delassus::ComputationError &e)
  {
    const std::string text = e.what();
    EXPECT_NE(text.find("The step from t = "), std::string::npos) << text;
    EXPECT_NE(text.find("failed down to h = "), std::string::npos) << text;
    EXPECT_NE(text.find("last good state"), std::string::npos) << text;
  }
}

// Compressed strongly a tangent loses its definiteness: a fictitious mass in
// the correcting matrix helps over it, and the answer is an equilibrium.
TEST(StepControl, IndefiniteTangentsArePassed)
{
  std::size_t n_indefinite = 0;
  double N = 0., reaction = 0.;
  test::watch<2>(test::block(),
                 { "Material rubber/Model=Saint Venant-Kirchhoff",
                   "Boundary condition top/Value=0; -0.34*t",
                   "Time/End=1",
                   "Newton/Maximum iterations=100" },
                 [&](const auto &simulation, double, double)
                 {
                   n_indefinite = simulation.last_attempt().of_run.n_indefinite;
                   N            = 0.;
                   for (unsigned int a = 0; a < simulation.contact.P.size();
                        a += 2)
                     N += simulation.contact.P[a];
                   reaction = simulation.model.schemes[0]->reactions[1];
                 });
  EXPECT_GT(n_indefinite, 0u);
  EXPECT_LT(relative(N / 0.1, -reaction), 1e-6);
}

// Corrections that would turn cells inside out are shortened; prescribed
// motions are where they should be all the same.
TEST(StepControl, ShortenedCorrectionsReachPrescribedMotions)
{
  std::size_t n_stepped_back = 0;
  test::watch<2>(test::block(),
                 { "Boundary condition top/Value=1.2*t; -1.1*t",
                   "Newton/Largest strain=0",
                   "Newton/Largest slip=0",
                   "Time/End=0.6",
                   "Time/Step=0.6" },
                 [&](const auto &simulation, const double t, double)
                 {
                   n_stepped_back =
                       simulation.last_attempt().of_run.n_stepped_back;
                   const auto &scheme = *simulation.model.schemes[0];
                   for (unsigned int n = 0; n < scheme.body.n_nodes(); ++n)
                     if (scheme.body.nodes[n][1] == 1.)
                     {
                       EXPECT_NEAR(scheme.q(2 * n), 1.2 * t, 1e-12);
                       EXPECT_NEAR(scheme.q(2 * n + 1), -1.1 * t, 1e-12);
                     }
                 });
  EXPECT_GT(n_stepped_back, 0u);
}
