// Elastic bars thrown against a rigid wall (Doyen, Ern, Piperno 2011): E = 900,
// rho = 1, L = 10, A = 1, c = 30, as bars of plane solid elements with nu = 0.
#include "run_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{
std::string bar(const unsigned int n_cells,
                const std::string &theta,
                const double end,
                const double courant)
{
  std::ostringstream text;
  text.precision(17);
  text << R"(
subsection Time
  set End = )"
       << end << "\n  set Step = " << courant * (10. / n_cells) / 30.
       << "\n  set Theta = " << theta << R"(
end
subsection Material elastic
  set Density = 1
  set Young modulus = 900
  set Poisson ratio = 0
end
subsection Body bar
  set Material = elastic
  set Mass = lumped
  subsection Mesh
    set Type = box
    set Origin = 0, 5
    set Size = 1, 10
    set Divisions = 1, )"
       << n_cells << R"(
  end
end
subsection Obstacle wall
  set Normal = 0, 1
end
subsection Contact law smooth
  set Type = frictionless
end
subsection Interaction foot
  set Candidates = bar/bottom
  set Antagonists = wall
  set Law = smooth
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Probe foot
  set Point = 0, 5
end
subsection Probe head
  set Point = 0, 15
end
subsection Output
  set Interval = 100
end
)";
  return text.str();
}

/// Impulse, first and last instant and mean of the reaction between two times.
struct ContactPhase
{
  double impulse = 0., begin = 0., end = 0., mean = 0.;
};

ContactPhase
contact_between(const test::Results &run, const double from, const double to)
{
  const auto &t = run.history.at("time");
  const auto &f = run.history.at("foot:force_y");
  ContactPhase phase;
  bool found = false;
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t[i] >= from && t[i] <= to)
    {
      phase.impulse += f[i] * (t[i] - t[i - 1]);
      if (f[i] > 1.)
      {
        if (!found)
          phase.begin = t[i - 1];
        found     = true;
        phase.end = t[i];
      }
    }
  phase.mean = phase.impulse / (phase.end - phase.begin);
  return phase;
}

double
at(const test::Results &run, const std::string &column, const double time)
{
  const auto &t = run.history.at("time");
  std::size_t i = 0;
  while (i + 1 < t.size() && t[i] < time - 1e-9)
    ++i;
  return run.history.at(column)[i];
}
} // namespace

TEST(BarWall, PressureDurationAndRebound)
{
  // Contact from 0.5 to 0.5 + 2 L/c at the pressure rho c v0 = 300; the bar
  // leaves undeformed at +10.
  const auto run   = test::run_text<2>(bar(200, "0.5", 1.6, 1.),
                                     { "Body bar/Initial velocity=0;-10" });
  const auto phase = contact_between(run, 0., 1.6);
  const double h   = 10. / 200 / 30.;
  EXPECT_NEAR(phase.impulse, 200., 0.01 * 200.);
  EXPECT_NEAR(phase.begin, 0.5, h);
  EXPECT_NEAR(phase.end, 1.16667, 0.02);
  EXPECT_NEAR(at(run, "head:u_y", 0.5 + 1. / 3.), -5. - 3.3333, 0.05);
  // In the middle of the contact the pressure is the plateau.
  const auto &t = run.history.at("time");
  const auto &f = run.history.at("foot:force_y");
  double mean   = 0.;
  unsigned n    = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > 0.6 && t[i] < 1.05)
    {
      mean += f[i];
      ++n;
    }
  EXPECT_NEAR(mean / n, 300., 3.);
}

TEST(BarWall, EnergyDuringContact)
{
  const auto run = test::run_text<2>(bar(200, "0.5", 1.1, 1.),
                                     { "Body bar/Initial velocity=0;-10" });
  const auto &t  = run.energy.at("time");
  for (std::size_t i = 0; i < t.size(); ++i)
  {
    if (std::abs(t[i] - 0.75) < 1e-3)
    {
      EXPECT_NEAR(run.energy.at("elastic")[i], 375., 10.);
      EXPECT_NEAR(run.energy.at("kinetic")[i], 125., 10.);
    }
    if (std::abs(t[i] - 1.0) < 1e-3)
    {
      EXPECT_NEAR(run.energy.at("elastic")[i], 250., 10.);
      EXPECT_NEAR(run.energy.at("kinetic")[i], 250., 10.);
    }
  }
}

TEST(BarWall, PressureErrorFallsUnderRefinement)
{
  std::vector<double> errors;
  for (const unsigned int n : { 25u, 50u, 100u })
  {
    const auto run = test::run_text<2>(bar(n, "1", 1.3, 0.5),
                                       { "Body bar/Initial velocity=0;-10" });
    const auto &t  = run.history.at("time");
    const auto &f  = run.history.at("foot:force_y");
    double error   = 0.;
    for (std::size_t i = 1; i < t.size(); ++i)
    {
      const double exact = t[i] > 0.5 && t[i] < 0.5 + 2. / 3. ? 300. : 0.;
      error += std::pow(f[i] - exact, 2) * (t[i] - t[i - 1]);
    }
    errors.push_back(std::sqrt(error / (2. / 3.)) / 300.);
  }
  // A jump spread over a width ~ sqrt(h): the L2 error falls like h^(1/4).
  EXPECT_LT(errors[1], 0.92 * errors[0]);
  EXPECT_LT(errors[2], 0.92 * errors[1]);
  EXPECT_LT(errors[2], 0.25);
}

TEST(BarWall, ClosedContactDoesNotRing)
{
  // The law on g~ = g + (1 - theta) h U_N, theta < 1: g~ is zero after the step
  // of the impact, so the foot is at rest from the next one on. The law on g
  // itself would give g+ = (1 - theta) (g - g-), a contact that rings on and
  // fades by sqrt(1 - theta) a step only. The pressure does not alternate.
  for (const char *theta : { "0.5", "0.75" })
  {
    const auto run     = test::run_text<2>(bar(50, theta, 1.0, 0.1),
                                       { "Body bar/Initial velocity=0;-10" });
    const auto &t      = run.history.at("time");
    const auto &f      = run.history.at("foot:force_y");
    const auto &v      = run.history.at("foot:v_y");
    std::size_t impact = 0;
    while (impact < f.size() && f[impact] == 0.)
      ++impact;
    ASSERT_LT(impact + 10, f.size()) << theta;
    EXPECT_NEAR(t[impact], 0.5, 2e-3) << theta;
    double level = 0.;
    for (std::size_t i = impact + 1; i < t.size(); ++i)
    {
      EXPECT_LT(std::abs(v[i]), 1e-6 * 10.) << theta << " step " << i;
      level += f[i];
    }
    level /= t.size() - impact - 1;
    EXPECT_NEAR(level, 300., 9.) << theta;
    for (std::size_t i = impact + 4; i < t.size(); ++i)
      if (t[i] > 0.55)
      {
        EXPECT_LT(std::abs(f[i] - 2. * f[i - 1] + f[i - 2]) / 4., 1e-3 * level)
            << theta << " step " << i;
      }
  }
}

TEST(BarBounce, TwoContactsUnderGravity)
{
  // g = 10, h0 = 5: contacts [1, 1.667] with 300 -> 500 and [3.667, 4.333]
  // with 500 -> 300, impulse 266.667 each; positions from the reference in
  // which the bar touches the wall.
  const auto run =
      test::run_text<2>(bar(100, "0.5", 5., 1.),
                        { "Gravity=0,-10", "Checks/If distorted=go on" });
  const auto first = contact_between(run, 0.9, 2.);
  EXPECT_NEAR(first.impulse, 266.667, 0.01 * 266.667);
  EXPECT_NEAR(first.begin, 1., 0.01);
  EXPECT_NEAR(first.end, 1.66667, 0.05);
  EXPECT_NEAR(at(run, "foot:force_y", 1.2), 360., 36.);
  EXPECT_NEAR(at(run, "foot:force_y", 1.5), 450., 45.);
  EXPECT_NEAR(5. + at(run, "foot:u_y", 2.), 1.66667, 0.1);
  EXPECT_NEAR(5. + at(run, "head:u_y", 2.), 2.77778, 0.1);
  EXPECT_NEAR(5. + at(run, "foot:u_y", 2.5), 4.02778, 0.1);
  EXPECT_NEAR(5. + at(run, "head:u_y", 2.5), 4.02778, 0.1);
  const auto second = contact_between(run, 3.5, 4.6);
  EXPECT_NEAR(second.impulse, 266.667, 0.03 * 266.667);
  EXPECT_NEAR(second.begin, 3.66667, 0.05);
}

TEST(BarBounce, EnergyLossAndPositionConverge)
{
  // Each nodal impact loses the kinetic energy of the impacting node, which is
  // proportional to the mesh size; after two contacts both ends are at 4.44444.
  std::vector<double> losses, errors;
  for (const unsigned int n : { 50u, 100u, 200u })
  {
    const auto run =
        test::run_text<2>(bar(n, "0.5", 5., 1.),
                          { "Gravity=0,-10", "Checks/If distorted=go on" });
    losses.push_back(run.energy.at("external_work").back() -
                     run.energy.at("kinetic").back() -
                     run.energy.at("elastic").back());
    errors.push_back(std::abs(5. + 0.5 * at(run, "head:u_y", 5.) +
                              0.5 * at(run, "foot:u_y", 5.) - 4.44444));
  }
  EXPECT_GT(losses[2], 0.);
  EXPECT_LT(losses[0], 0.03 * 500.);
  EXPECT_NEAR(losses[1] / losses[0], 0.5, 0.1);
  EXPECT_NEAR(losses[2] / losses[1], 0.5, 0.1);
  EXPECT_LT(errors[1], 0.75 * errors[0]);
  EXPECT_LT(errors[2], 0.75 * errors[1]);
  EXPECT_LT(errors[2], 0.025 * 4.44444);
}
