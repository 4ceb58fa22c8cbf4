// How steps are divided into substeps, with attempts that are made up.
#include <delassus/simulation/substep_control.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

using namespace delassus;
using After = SubstepControl::AfterFailure;
using Limit = SubstepControl::Limit;

namespace
{
/// What became of a step H.
struct Division
{
  std::vector<double> tried, accepted;
  bool gave_up = false;

  double sum() const
  {
    return std::accumulate(accepted.begin(), accepted.end(), 0.);
  }
};

/// Substeps from s of size h that @p good can solve take 3 iterations.
Division divide(SubstepControl &control,
                const double H,
                const std::function<bool(double s, double h)> &good)
{
  Division division;
  control.begin(H);
  while (!control.done() && division.tried.size() < 10000)
  {
    const double h = control.next();
    division.tried.push_back(h);
    control.spend(3);
    if (!good(control.part_done, h))
    {
      if (control.failed(h, 0.5) != After::give_up)
        continue;
      division.gave_up = true;
      return division;
    }
    control.judge_limit(h, 0.);
    control.accepted(h, 3);
    division.accepted.push_back(h);
  }
  control.finish();
  return division;
}

const auto always = [](double, double) { return true; };
} // namespace

TEST(Substeps, StepsThatSucceedAreNotDivided)
{
  for (const bool is_newton : { false, true })
  {
    SubstepControl control({}, 0.1, is_newton);
    for (unsigned int i = 0; i < 3; ++i)
      EXPECT_EQ(divide(control, 0.1, always).tried, std::vector<double>{ 0.1 });
    // A shorter one at the end of a run.
    EXPECT_EQ(divide(control, 0.03, always).tried, std::vector<double>{ 0.03 });
  }
}

TEST(Substeps, LinearOnesAreHalvedAndBeginWholeAgain)
{
  SubstepControl control({}, 1., false);
  const auto division =
      divide(control, 1., [](double, double h) { return h <= 0.25; });
  EXPECT_EQ(division.tried,
            (std::vector<double>{ 1., 0.5, 0.25, 0.25, 0.25, 0.25 }));
  EXPECT_EQ(division.accepted.size(), 4u);
  EXPECT_EQ(divide(control, 1., always).tried, std::vector<double>{ 1. });
}

TEST(Substeps, LinearOnesGiveUpBelowASixtyFourth)
{
  SubstepControl control({}, 1., false);
  const auto division =
      divide(control, 0.7, [](double s, double) { return s > 0.; });
  EXPECT_TRUE(division.gave_up);
  ASSERT_EQ(division.tried.size(), 7u);
  EXPECT_DOUBLE_EQ(division.tried.back(), 0.7 / 64.);
  // A sixty-fourth itself is tried to the end, whatever roundings do.
  SubstepControl patient({}, 1., false);
  const auto fine = divide(
      patient, 0.7, [](double, double h) { return h < 0.7 / 64 * 1.0001; });
  EXPECT_FALSE(fine.gave_up);
  EXPECT_EQ(fine.accepted.size(), 64u);
  EXPECT_NEAR(fine.sum(), 0.7, 1e-14);
}

TEST(Substeps, WhatIsDoneOfALinearStepIsKeptByAResumedRun)
{
  // Nothing works beyond the half, in which quarters do.
  SubstepControl control({}, 1., false);
  const auto first = divide(
      control, 1., [](double s, double h) { return s < 0.49 && h <= 0.25; });
  EXPECT_TRUE(first.gave_up);
  EXPECT_DOUBLE_EQ(first.sum(), 0.5);
  Archive saved;
  control.archive(saved);
  SubstepControl resumed({}, 1., false);
  Archive loaded(saved.bytes(), "");
  resumed.archive(loaded);
  EXPECT_DOUBLE_EQ(resumed.part_done, 0.5);
  // With the size of where it got difficult, to the same end.
  const auto second = divide(resumed, 1., always);
  EXPECT_EQ(second.tried, (std::vector<double>{ 0.25, 0.25 }));
  EXPECT_EQ(resumed.part_done, 0.);
}

TEST(Substeps, NewtonLoopsGrowAgainWhereTheyAreEasy)
{
  SubstepControl control({}, 1., true);
  // Hard in the first tenth.
  const auto division = divide(
      control, 1., [](double s, double h) { return s > 0.1 || h < 0.05; });
  EXPECT_FALSE(division.gave_up);
  EXPECT_NEAR(division.sum(), 1., 1e-14);
  EXPECT_GT(division.accepted.back(), 0.2);
  // Step by step, since equal parts may be shorter than what is allowed.
  for (std::size_t i = 1; i < division.accepted.size(); ++i)
    EXPECT_LT(division.accepted[i], 1.5 * 1.5 * division.accepted[i - 1]);
  divide(control, 1., always);
  EXPECT_EQ(divide(control, 1., always).accepted.size(), 1u);
}

TEST(Substeps, NewtonLoopsAreBoundedInSizeAndInIterations)
{
  NewtonParameters parameters;
  parameters.smallest_step = 0.01;
  SubstepControl control(parameters, 1., true);
  const auto never = divide(control, 1., [](double, double) { return false; });
  EXPECT_TRUE(never.gave_up);
  EXPECT_EQ(never.tried.size(), 7u); // 1/64 is the last above 0.01
  EXPECT_GE(never.tried.back(), 0.01);

  parameters.max_step_iterations = 30;
  SubstepControl counted(parameters, 1., true);
  const auto many =
      divide(counted, 1., [](double, double h) { return h < 0.02; });
  EXPECT_TRUE(counted.too_many());
  EXPECT_GE(counted.n_spent(), 30u);
  // Explicit ones may take as many as their bound asks for.
  parameters.matrix = CorrectingMatrix::lumped;
  SubstepControl bounded(parameters, 1., true);
  EXPECT_FALSE(
      divide(bounded, 1., [](double, double h) { return h < 0.02; }).gave_up);
  EXPECT_FALSE(bounded.too_many());
}

TEST(Substeps, LimitsShortenStepsUnlessTheBodyJumps)
{
  // Strain in proportion to h: a step of a fifth is within the limit.
  SubstepControl smooth({}, 1., true);
  smooth.begin(1.);
  double h = smooth.next();
  EXPECT_EQ(smooth.judge_limit(h, 4.), Limit::exceeded);
  EXPECT_EQ(smooth.failed(h, SubstepControl::shrink(4.)), After::cut);
  h = smooth.next();
  EXPECT_NEAR(h, 0.2, 1e-12); // five equal parts
  EXPECT_EQ(smooth.judge_limit(h, 4. * h), Limit::kept);

  // The same strain however short the step is.
  SubstepControl snap({}, 1., true);
  snap.begin(1.);
  h = snap.next();
  EXPECT_EQ(snap.judge_limit(h, 4.), Limit::exceeded);
  EXPECT_EQ(snap.failed(h, 0.25), After::cut);
  h = snap.next();
  EXPECT_EQ(snap.judge_limit(h, 4.), Limit::jump);
  snap.accepted(h, 5);
  EXPECT_DOUBLE_EQ(snap.next(), 0.75); // as large as before it

  // More than ten times the limit is a collapse.
  SubstepControl collapse({}, 1., true);
  collapse.begin(1.);
  h = collapse.next();
  EXPECT_EQ(collapse.judge_limit(h, 40.), Limit::exceeded);
  EXPECT_EQ(collapse.failed(h, 0.1), After::cut);
  EXPECT_EQ(collapse.judge_limit(collapse.next(), 40.), Limit::exceeded);
}
