// Laws that remember, in whole runs.
#include "newton/cases.h"
#include "read_vtu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

using test::relative;

namespace
{
/// A block of 1 x 0.5 on the floor, which a vertical and a horizontal
/// acceleration of its own pull.
std::string block(const std::string &law, const std::string &pull)
{
  return R"(
set Assumption = plane strain
subsection Time
  set End  = 1
  set Step = 0.01
end
subsection Material stone
  set Density       = 2000
  set Young modulus = 1e9
  set Poisson ratio = 0
end
subsection Body block
  set Material   = stone
  set Body force = )" +
         pull + R"(
  subsection Mesh
    set Type      = box
    set Size      = 1, 0.5
    set Divisions = 4, 2
  end
end
subsection Obstacle floor
  set Type   = plane
  set Point  = 0, 0
  set Normal = 0, 1
end
subsection Contact law joint
)" + law +
         R"(
end
subsection Interaction base
  set Candidates  = block/bottom
  set Antagonists = floor
  set Law         = joint
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Probe top
  set Point = 0.5, 0.5
end
subsection Probe foot
  set Point = 0.5, 0
end
subsection Output
  set Interval = 0
end
)";
}

const std::string cohesive = R"(
  set Type             = cohesive
  set Tensile strength = 5000
  set Friction         = 0.4
  set Cohesive friction = 0.6)";

const std::string elastic = R"(
  set Type                 = elastic joint
  set Normal stiffness     = 1e6
  set Tangential stiffness = 4e5
  set Friction             = 0.5)";

/// The contacts that contact.pvd of a run shows, by time.
std::map<double, std::map<std::string, std::vector<float>>>
shown_contacts(const std::string &directory)
{
  std::ifstream in(directory + "/contact.pvd");
  std::stringstream text;
  text << in.rdbuf();
  const std::string series = text.str();
  const std::regex entry("timestep=\"([^\"]*)\"[^>]*file=\"([^\"]*)\"");
  std::map<double, std::map<std::string, std::vector<float>>> shown;
  for (std::sregex_iterator found(series.begin(), series.end(), entry), end;
       found != end;
       ++found)
    shown[std::stod((*found)[1])] =
        test::read_vtu(directory + "/" + (*found)[2].str());
  return shown;
}
} // namespace

// The bond holds 5000 N/m over 1 m: a pull of 20 t/m2 * 0.5 m * a breaks it at
// a = 5 m/s2, that is at t = 0.5 of a = 10 t.
TEST(Joints, BondBreaksAtItsStrength)
{
  const auto run = test::run_text<2>(block(cohesive, "0; 10*t"));
  const auto &t  = run.history.at("time");
  const auto &u  = run.history.at("top:u_y");
  const auto &f  = run.history.at("base:force_y");
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] < 0.495)
    {
      // In equilibrium with the pull, but for the inertia of small motions.
      EXPECT_NEAR(f[i], -1000. * 10. * t[i], 30.) << t[i];
      EXPECT_LT(std::abs(u[i]), 1e-5) << t[i];
    }
    else if (t[i] > 0.525)
    {
      EXPECT_EQ(f[i], 0.) << t[i];
    }
  EXPECT_GT(u.back(), 0.1);
}

// Without the law's memory the block would be caught again when it comes back:
// a bond that is broken stays broken.
TEST(Joints, BrokenBondsDoNotHeal)
{
  const auto run = test::run_text<2>(
      block(cohesive, "0; if(t<0.6, 20*t, if(t<1.4, -20, 20*(t-1.4)))"),
      { "Time/End=2.2" });
  const auto &t             = run.history.at("time");
  const auto &f             = run.history.at("base:force_y");
  double most_tension_later = 0., most_pressure_later = 0.;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > 0.6)
    {
      most_tension_later  = std::min(most_tension_later, f[i]);
      most_pressure_later = std::max(most_pressure_later, f[i]);
    }
  EXPECT_EQ(most_tension_later, 0.);
  EXPECT_GT(most_pressure_later, 1000.);
}

// Pressed in by weight over stiffness; elastic in shear until friction gives
// way, and back along the same line after unloading.
TEST(Joints, ElasticJointSettlesShearsAndRemembersItsSlip)
{
  const std::string quasi_static = "Time/Scheme=quasi static";
  // Weight 10 m/s2 * 1000 kg/m = 1e4 N: 0.01 m into k = 1e6 N/m.
  const auto settled =
      test::run_text<2>(block(elastic, "0; -10"), { quasi_static });
  // The block itself is squeezed by 1e4 * 0.25 / 1e9.
  EXPECT_NEAR(settled.history.at("top:u_y").back(), -0.01, 1e-5);
  // 2 m/s2 sideways: 2000 N below mu N = 5000 N; s = 2000/4e5 = 5 mm.
  const auto sheared =
      test::run_text<2>(block(elastic, "2*t; -10"), { quasi_static });
  EXPECT_NEAR(sheared.history.at("foot:u_x").back(), 0.005, 2e-5);
  // And back: nothing is left.
  const auto unloaded = test::run_text<2>(
      block(elastic, "if(t<0.5, 4*t, 4*(1-t)); -10"), { quasi_static });
  EXPECT_NEAR(unloaded.history.at("foot:u_x").back(), 0., 1e-6);
}

// What laws store and dissipate, from their own states, against what is known
// of them from outside.
TEST(Joints, EnergyOfTheLawsIsTold)
{
  // The weight is put on at once: half of its work, 1e4 N * 0.01 m, is stored,
  // k u^2 / 2 = 50, half is lost in the one step of implicit Euler. Then
  // sheared by s = 5 mm in 100 steps, k_T s^2 / 2 = 5, and tilted by M = 2000 N
  // * 0.25 m, M^2 / (2 k I) = 4/3 with I = 3/32 m^3 of the five nodes; a
  // hundredth of it is lost.
  const auto sheared = test::run_text<2>(
      block(elastic, "2*t; -10"),
      { "Time/Scheme=quasi static", "Contact solver/Tolerance=1e-12" });
  const auto &stored = sheared.energy.at("law_stored");
  const auto &lost   = sheared.energy.at("law_dissipation");
  EXPECT_NEAR(stored[1], 50., 0.01);
  EXPECT_NEAR(lost[1], 50., 0.01);
  EXPECT_NEAR(stored.back(), 50. + 19. / 3., 0.01);
  EXPECT_NEAR(lost.back(), 50. + 0.19 / 3., 0.01);
  EXPECT_NEAR(sheared.summary["energy"]["law_stored"], stored.back(), 1e-9);
  // Nothing else takes from contact: the works of its impulses are these, to
  // the solver's tolerance in 100 steps.
  for (std::size_t i = 1; i < stored.size(); ++i)
    EXPECT_NEAR(stored[i] + lost[i],
                -sheared.energy.at("contact_normal_work")[i] -
                    sheared.energy.at("contact_tangential_work")[i],
                1e-12 * 100. * (stored.back() + lost.back()))
        << i;

  // A bond does no work until it breaks, and then c times the opening of that
  // step: 5000 N/m on 1 m. (Pulled beyond its strength, not just up to it.)
  const auto broken =
      test::run_text<2>(block(cohesive, "0; 10.07*t"), { "Time/Theta=1" });
  const auto &spent = broken.energy.at("law_dissipation");
  const auto &f     = broken.history.at("base:force_y");
  double expected = 0., opening = 0.;
  for (std::size_t i = 1; i < f.size(); ++i)
    if (f[i] != 0.)
      opening = broken.history.at("foot:u_y")[i];
    else if (expected == 0.)
      expected = 5000. * opening;
  EXPECT_GT(expected, 0.);
  EXPECT_NEAR(spent.back(), expected, 0.05 * expected);
  EXPECT_NEAR(spent.back(),
              -broken.energy.at("contact_normal_work").back(),
              1e-6 * expected);
  for (const double value : broken.energy.at("law_stored"))
    EXPECT_EQ(value, 0.);

  // Laws that remember nothing have no such columns.
  const auto plain = test::run_text<2>(block("  set Friction = 0.4", "0; -10"),
                                       { "Time/End=0.1" });
  EXPECT_EQ(plain.energy.count("law_stored"), 0u);
}

// The state is in checkpoints: a run that goes on is the run that was not
// interrupted, and result files show the state by the law's name.
TEST(Joints, StatesAreResumedAndShown)
{
  const test::TemporaryDirectory directory;
  const auto run = [&](const std::string &name,
                       const std::string &text,
                       std::vector<std::string> changes,
                       const bool resume)
  {
    changes.push_back("Output/Directory=" + directory.path + "/" + name);
    delassus::RunOptions options;
    options.quiet  = true;
    options.resume = resume;
    delassus::Simulation<2> simulation(
        delassus::read_parameters(test::write_case(directory, text), changes),
        options,
        MPI_COMM_SELF);
    simulation.run();
    return test::read_csv(directory.path + "/" + name + "/history.csv");
  };
  const std::string every_second = "Output/Interval steps=2";
  const auto glued               = block(cohesive, "0.5; 10*t");
  const auto whole               = run("whole", glued, { every_second }, false);
  run("cut", glued, { "Time/End=0.3", every_second }, false);
  const auto resumed = run("cut", glued, { every_second }, true);
  EXPECT_EQ(whole.at("top:u_y"), resumed.at("top:u_y"));
  EXPECT_EQ(whole.at("base:force_y"), resumed.at("base:force_y"));
  EXPECT_GT(whole.at("top:u_y").back(), 0.05);

  // Bonds that the run was resumed with are those that it had.
  const auto shown = shown_contacts(directory.path + "/whole");
  const auto after = shown_contacts(directory.path + "/cut");
  EXPECT_GT(shown.size(), 40u);
  for (const auto &[t, fields] : shown)
    EXPECT_EQ(fields.at("intact"), after.at(t).at("intact")) << t;

  // "intact" of a bond that is only pulled: 1 until that reaches its strength
  // at t = 0.5, 0 as soon as the base carries nothing. What is broken only
  // presses, or has pulled by its strength in the step in which it broke.
  const auto pulled =
      run("pulled", block(cohesive, "0; 10*t"), { every_second }, false);
  unsigned int n_whole = 0, n_broken = 0;
  for (const auto &[t, fields] : shown_contacts(directory.path + "/pulled"))
  {
    const auto &intact = fields.at("intact");
    ASSERT_EQ(intact.size(), fields.at("gap").size());
    const auto step = std::lround(t / 0.01);
    if (step == 0) // no step has been made
      continue;
    const auto &steps    = pulled.at("step");
    const auto row       = std::find(steps.begin(), steps.end(), step);
    const double carried = pulled.at("base:force_y").at(row - steps.begin());
    for (std::size_t a = 0; a < intact.size(); ++a)
    {
      if (t < 0.495)
      {
        EXPECT_EQ(intact[a], 1.f) << t;
      }
      else if (carried == 0.)
      {
        EXPECT_EQ(intact[a], 0.f) << t;
      }
      const double normal = fields.at("normal_force")[a];
      if (intact[a] == 0.f && normal < 0.)
      {
        const double strength = 5000. * fields.at("area")[a];
        EXPECT_NEAR(normal, -strength, 1e-5 * strength) << t;
      }
      ++(intact[a] == 1.f ? n_whole : n_broken);
    }
  }
  EXPECT_GT(n_whole, 0u);
  EXPECT_GT(n_broken, 0u);

  // "elastic_displacement" of a joint, in the axes of the plane: what its
  // springs are deformed by, e = -r / (k A) of each component. 2 m/s2 sideways
  // shear it by 5 mm, the weight presses it in by 1 cm on average.
  run("springs",
      block(elastic, "2*t; -10"),
      { "Time/Scheme=quasi static", "Output/Interval steps=50" },
      false);
  const auto springs = shown_contacts(directory.path + "/springs");
  ASSERT_FALSE(springs.empty());
  const auto &last = springs.rbegin()->second;
  EXPECT_NEAR(springs.rbegin()->first, 1., 1e-12);
  ASSERT_EQ(last.count("elastic_displacement"), 1u);
  const auto &e = last.at("elastic_displacement"), &r = last.at("reaction");
  const auto &area = last.at("area");
  ASSERT_EQ(area.size(), 5u);
  ASSERT_EQ(e.size(), 15u);   // vectors of files have three components
  const double single = 1e-6; // of numbers of single precision
  double settled = 0., length = 0.;
  for (std::size_t a = 0; a < area.size(); ++a)
  {
    EXPECT_NEAR(e[3 * a], -r[3 * a] / (4e5 * area[a]), single * 0.005);
    EXPECT_NEAR(e[3 * a + 1], -r[3 * a + 1] / (1e6 * area[a]), single * 0.01);
    EXPECT_NEAR(e[3 * a], 0.005, 2e-5);
    settled += e[3 * a + 1] * area[a];
    length += area[a];
  }
  EXPECT_NEAR(length, 1., single);
  EXPECT_NEAR(settled, -0.01, single * 0.01);
}
