// Friction other than Coulomb's constant coefficient: Tresca, static and
// dynamic friction, friction as an expression, friction too large for the local
// problem.
#include "run_case.h"
#include "test_paths.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;

namespace
{
const double g = 9.81;

/// A flat stiff block 0.4 x 0.1 of mass 80 that slides on the plane y = 0.
std::string
slider(const std::string &law, const double v0, const double gravity = g)
{
  std::ostringstream text;
  text.precision(17);
  text << "set Gravity = 0, " << -gravity << R"(
subsection Time
  set End = 1
  set Step = 1e-3
end
subsection Material stone
  set Density = 2000
  set Young modulus = 1e9
  set Poisson ratio = 0.2
end
subsection Body block
  set Material = stone
  set Mass = lumped
  set Initial velocity = )"
       << v0 << R"(; 0
  subsection Mesh
    set Type = box
    set Size = 0.4, 0.1
    set Divisions = 4, 1
  end
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
)" << law
       << R"(
end
subsection Interaction base
  set Candidates = block/bottom
  set Antagonists = ground
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
  set Maximum sweeps = 100000
end
subsection Probe corner
  set Point = 0, 0.1
end
subsection Output
  set Interval steps = 0
end
)";
  return text.str();
}

/// When it was last faster than a thousandth of its first speed.
double stop_time(const test::Results &run, const double v0)
{
  const auto &v  = run.history.at("corner:v_x");
  double stopped = 0.;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (std::abs(v[i]) > 2e-3 * v0)
      stopped = run.history.at("time")[i];
  return stopped;
}
} // namespace

TEST(Tresca, SliderStopsWhateverItsWeight)
{
  // Friction 500 * 0.4 = 200, so v' = -2.5: stops after 0.6 s and 0.45 m.
  for (const double gravity : { g, 3. * g })
  {
    const auto run = test::run_text<2>(
        slider("  set Type = tresca\n  set Shear limit = 500", 1.5, gravity),
        { "Time/End=0.7" });
    EXPECT_NEAR(stop_time(run, 1.5), 0.6, 3e-3);
    EXPECT_NEAR(run.history.at("corner:u_x").back(), 0.45, 2e-3);
    EXPECT_LT(std::abs(run.history.at("corner:v_x").back()), 1e-6);
    EXPECT_NEAR(run.history.at("base:force_x")[300], -200., 1e-5);
    // The kinetic energy went into friction.
    EXPECT_NEAR(run.energy.at("friction_work").back(), -90., 0.5);
    EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-10);
    EXPECT_TRUE(run.summary["contact_solver"]["converged"]);
  }
}

TEST(Tresca, DoesNotActOnOpenContacts)
{
  const auto run = test::run_text<2>(
      slider("  set Type = tresca\n  set Shear limit = 500", 1.5, 0.),
      { "Body block/Mesh/Origin=0,1e-4", "Time/End=0.1" });
  EXPECT_NEAR(run.history.at("corner:v_x").back(), 1.5, 1e-12);
  EXPECT_EQ(run.history.at("base:open").back(), 5);
}

TEST(Tresca, QuasiStaticShearOfABlockInSpace)
{
  // Pressed by 1 and sheared by tau(t) in the direction (3, 4): the resultant
  // of friction follows the load up to shear limit times area, in its
  // direction.
  const std::string text = R"(
set Dimension = 3
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 0.25
end
subsection Material rubber
  set Density = 1
  set Young modulus = 1e4
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 2, 2, 0.5
    set Divisions = 3, 3, 1
  end
end
subsection Boundary condition press
  set Type = traction
  set Surfaces = block/top
  set Value = 3*t; 4*t; -20
end
subsection Obstacle ground
  set Normal = 0, 0, 1
end
subsection Contact law soap
  set Type = tresca
  set Shear limit = 5.2
end
subsection Interaction base
  set Candidates = block/bottom
  set Antagonists = ground
  set Law = soap
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-8
  set Maximum sweeps = 100000
end
subsection Output
  set Interval steps = 0
end
)";
  const auto run         = test::run_text<3>(text);
  EXPECT_NEAR(run.history.at("base:force_x").back(), -12., 1e-4);
  EXPECT_NEAR(run.history.at("base:force_y").back(), -16., 1e-4);
  EXPECT_NEAR(run.history.at("base:force_z").back(), 80., 1e-4);
  EXPECT_EQ(run.summary["equilibrium"]["steps_not_balanced"], 0);
  // Below the load nothing holds the block, however hard it is pressed.
  const auto weak =
      test::run_text<3>(text,
                        { "Contact law soap/Shear limit=4.9",
                          "Time/Step=1",
                          "Contact solver/If not converged=go on" });
  EXPECT_EQ(weak.summary["equilibrium"]["steps_not_balanced"], 1);
}

TEST(FrictionExpression, OfThePlace)
{
  // mu = 0.1 + 0.4 x. The centre of pressure is ahead of the centre of mass by
  // mu times its height, so mu_eff = 0.1 + 0.4 (0.2 + s + 0.05 mu_eff) after
  // the distance s, and s'' = -g (0.18 + 0.4 s) / 0.98 is an oscillation about
  // s = -0.45.
  const double v0 = 1., omega2 = 0.4 * g / 0.98;
  const auto run = test::run_text<2>(slider("  set Friction = 0.1 + 0.4*x", v0),
                                     { "Time/End=0.5" });
  EXPECT_NEAR(run.history.at("corner:u_x").back(),
              -0.45 + std::sqrt(0.45 * 0.45 + v0 * v0 / omega2),
              1e-3);
  EXPECT_LT(std::abs(run.history.at("corner:v_x").back()), 1e-6);
}

TEST(FrictionExpression, OfThePressure)
{
  // mu p = 0.1 p + 500: the force 0.1 N + 500 * 0.4 does not depend on how the
  // weight is distributed. A cohesion, so to say.
  const double v0 = 1., deceleration = (0.1 * 80. * g + 200.) / 80.;
  const auto run = test::run_text<2>(
      slider("  set Friction = 0.1 + 500/max(p, 800)", v0), { "Time/End=0.4" });
  EXPECT_NEAR(stop_time(run, v0), v0 / deceleration, 3e-3);
  EXPECT_NEAR(
      run.history.at("corner:u_x").back(), 0.5 * v0 * v0 / deceleration, 1e-3);
  EXPECT_EQ(run.summary["contact_solver"]["steps_friction_not_settled"], 0);
  EXPECT_GT(run.summary["contact_solver"]["friction_iterations"], 0);
}

TEST(FrictionExpression, OfTheSpeed)
{
  // v' = -g (0.2 + 0.1 v): stops after ln(1 + v0/2) / (0.1 g).
  const double v0 = 2.;
  const auto run = test::run_text<2>(slider("  set Friction = 0.2 + 0.1*v", v0),
                                     { "Time/End=0.8" });
  EXPECT_NEAR(stop_time(run, v0), std::log(1. + v0 / 2.) / (0.1 * g), 3e-3);
  EXPECT_EQ(run.summary["contact_solver"]["steps_friction_not_settled"], 0);
}

TEST(FrictionExpression, ThatNeverSettlesIsTold)
{
  // No friction at rest, enough to stop when sliding: the step has no solution.
  auto text = slider("  set Friction = if(v>0, 1, 0)", 0.);
  text.replace(text.find("Gravity = 0"), 11, "Gravity = 2");
  const auto run = test::run_text<2>(
      text, { "Time/End=3e-3", "Contact solver/If not converged=go on" });
  EXPECT_GT(run.summary["contact_solver"]["steps_friction_not_settled"], 0);
  EXPECT_FALSE(run.summary["trustworthy"]);
  EXPECT_THROW(test::run_text<2>(text, { "Time/End=3e-3" }),
               delassus::ComputationError);
  EXPECT_THROW(
      test::run_text<2>(
          text, { "Time/End=3e-3", "Contact solver/If not converged=stop" }),
      delassus::ComputationError);
}

TEST(FrictionExpression, NegativeIsAnInputError)
{
  try
  {
    test::run_text<2>(slider("  set Friction = 0.2 - x", 1.));
    FAIL() << "no error";
  }
  catch (const delassus::InputError &e)
  {
    EXPECT_NE(std::string(e.what()).find("'0.2 - x'"), std::string::npos)
        << e.what();
  }
}

TEST(StaticAndDynamicFriction, SliderWithATransitionVelocity)
{
  // v' = -g (mu_d + (mu_s - mu_d) exp(-v/v_t)) can be integrated.
  const double v0 = 1., s = 0.5, d = 0.2, t = 0.3;
  const auto run = test::run_text<2>(slider("  set Friction = 0.5\n"
                                            "  set Dynamic friction = 0.2\n"
                                            "  set Transition velocity = 0.3",
                                            v0),
                                     { "Time/End=0.5" });
  const double stop =
      t / (g * d) * std::log((d * std::exp(v0 / t) + s - d) / s);
  EXPECT_NEAR(stop_time(run, v0), stop, 3e-3);
  EXPECT_EQ(run.summary["contact_solver"]["steps_friction_not_settled"], 0);
}

TEST(StaticAndDynamicFriction, StickSlipOnAShakenTable)
{
  // The table's acceleration is 8 sin(2 pi t). A thin plate follows it up to
  // mu_s g, then slips forward with mu_d g until it is as fast as the table,
  // sticks, and slips again half a period after the first time.
  const double mu_s = 0.6, mu_d = 0.5, omega = 2. * std::acos(-1.);
  const auto table = [&](const double t)
  { return 8. / omega * (1. - std::cos(omega * t)); };
  const double slip = std::asin(mu_s * g / 8.) / omega;
  const auto plate  = [&](const double t)
  { return table(slip) + mu_d * g * (t - slip); };
  double low = slip + 0.05, high = 0.8;
  while (high - low > 1e-12)
  {
    const double middle                          = 0.5 * (low + high);
    (plate(middle) < table(middle) ? low : high) = middle;
  }
  const double stick     = low;
  const std::string text = R"(
set Gravity = 0, -9.81
subsection Time
  set End = 0.8
  set Step = 1e-3
end
subsection Material stone
  set Density = 2000
  set Young modulus = 1e9
  set Poisson ratio = 0.2
end
subsection Body plate
  set Material = stone
  set Mass = lumped
  subsection Mesh
    set Type = box
    set Size = 0.4, 0.005
    set Divisions = 8, 1
  end
end
subsection Obstacle table
  set Normal = 0, 1
  set Displacement = 8/(4*pi^2)*(2*pi*t - sin(2*pi*t)); 0
end
subsection Contact law dry
  set Friction = 0.6
  set Dynamic friction = 0.5
end
subsection Interaction base
  set Candidates = plate/bottom
  set Antagonists = table
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-8
  set Maximum sweeps = 100000
end
subsection Probe middle
  set Point = 0.2, 0.005
end
subsection Output
  set Interval steps = 0
end
)";
  for (const char *transition : { "0", "1e-3" })
  {
    const auto run = test::run_text<2>(
        text,
        { std::string("Contact law dry/Transition velocity=") + transition });
    const auto &t = run.history.at("time");
    const auto &v = run.history.at("middle:v_x");
    // When most of the nine nodes begin or cease to slip.
    std::vector<double> changes;
    bool slipping = false;
    for (std::size_t i = 0; i < t.size(); ++i)
      if ((run.history.at("base:slip")[i] >= 5) != slipping)
      {
        slipping = !slipping;
        changes.push_back(t[i]);
      }
    ASSERT_EQ(changes.size(), 3u);
    EXPECT_NEAR(changes[0], slip, 3e-3);
    EXPECT_NEAR(changes[1], stick, 3e-3);
    EXPECT_NEAR(changes[2], 0.5 + slip, 3e-3);
    EXPECT_NEAR(v[399], plate(0.4), 0.01);
    EXPECT_NEAR(v[589], table(0.59), 0.01);
  }
}

namespace
{
/// The warnings of a run's log.
std::string log_of(const std::string &text,
                   const std::vector<std::string> &changes,
                   nlohmann::json &summary)
{
  const test::TemporaryDirectory directory;
  auto overrides = changes;
  overrides.push_back("Output/Directory=" + directory.path + "/run");
  RunOptions options;
  options.quiet = true;
  Simulation<2>(read_parameters(test::write_case(directory, text), overrides),
                options,
                MPI_COMM_SELF)
      .run();
  std::ifstream(directory.path + "/run/summary.json") >> summary;
  std::ifstream log(directory.path + "/run/log.txt");
  std::ostringstream all;
  all << log.rdbuf();
  return all.str();
}

/// A slender bar whose end is against a slope of 45 degrees: it is pressed
/// along itself at first, then its other end is lifted off the slope. The bar
/// is far softer across than along, W_NN and |W_NT| of its end are nearly the
/// same: with much friction the end stays, wedged.
const char *bar = R"(
subsection Time
  set Scheme = quasi static
  set End    = 2
  set Step   = 0.1
end
subsection Material soft
  set Density       = 1
  set Young modulus = 1000
  set Poisson ratio = 0
end
subsection Body bar
  set Material = soft
  subsection Mesh
    set Type      = box
    set Size      = 1, 0.1
    set Divisions = 20, 2
  end
end
subsection Boundary condition root
  set Type     = displacement
  set Surfaces = bar/left
  set Value    = 1e-3*min(t, 1); 0.01*max(0, t - 1)
end
subsection Obstacle slope
  set Point  = 1, 0
  set Normal = -1, 1
end
subsection Contact law rough
  set Friction = 3
end
subsection Interaction end
  set Candidates  = bar/right
  set Antagonists = slope
  set Law         = rough
  set Points      = nodes
end
subsection Output
  set Interval steps = 0
end
)";
} // namespace

TEST(IllPosedFriction, WedgedContactsAreTold)
{
  nlohmann::json summary;
  std::string log       = log_of(bar, {}, summary);
  const auto &solver    = summary["contact_solver"];
  const std::string why = "that friction alone holds closed";
  EXPECT_GT(solver["ill_posed_local_problems"], 0);
  EXPECT_GT(solver["wedged_contacts"], 0);
  for (const std::string &part :
       { why, std::string("interaction 'end'"), std::string("friction 3") })
    EXPECT_NE(log.find(part), std::string::npos) << log;
  // Pressed, it is above the bound, but not wedged: the solution is the only
  // one, and nothing is told.
  log = log_of(bar, { "Time/End=1" }, summary);
  EXPECT_GT(summary["contact_solver"]["ill_posed_local_problems"], 0);
  EXPECT_EQ(summary["contact_solver"]["wedged_contacts"], 0);
  EXPECT_EQ(log.find("Warning"), std::string::npos) << log;
  // With little friction it slides off.
  log = log_of(bar, { "Contact law rough/Friction=0.3" }, summary);
  EXPECT_EQ(summary["contact_solver"]["ill_posed_local_problems"], 0);
  EXPECT_EQ(summary["contact_solver"]["wedged_contacts"], 0);
}

TEST(IllPosedFriction, RollingIsNotFrightening)
{
  // A soft cylinder squeezed between rough plates, the upper one of which
  // moves: contacts above the bound come and go, the answer is right.
  nlohmann::json summary;
  const std::string log = log_of(R"(
subsection Time
  set Scheme = quasi static
  set End  = 2
  set Step = 0.1
end
subsection Material rubber
  set Model = neo-Hookean
  set Density       = 1e-9
  set Young modulus = 3
  set Poisson ratio = 0.4
end
subsection Body roll
  set Material = rubber
  subsection Mesh
    set Type           = ball
    set Origin         = 0, 10
    set Radius         = 10
    set Ball divisions = 5
  end
end
subsection Obstacle floor
  set Normal = 0, 1
end
subsection Obstacle plate
  set Point = 0, 20
  set Normal = 0, -1
  set Displacement = 8*max(0,t-1); -2*min(1,t)
end
subsection Contact law dry
  set Friction = 0.6
end
subsection Interaction low
  set Candidates  = roll/sphere
  set Antagonists = floor
  set Law         = dry
  set Points      = nodes
end
subsection Interaction up
  set Candidates  = roll/sphere
  set Antagonists = plate
  set Law         = dry
  set Points      = nodes
end
subsection Output
  set Interval steps = 0
end
)",
                                 {},
                                 summary);
  EXPECT_LT(summary["contact_solver"]["most_wedged_share"], 0.01);
  EXPECT_EQ(log.find("friction alone"), std::string::npos) << log;
  EXPECT_EQ(log.find("Warning: friction"), std::string::npos) << log;
}

TEST(IllPosedFriction, IsCountedWithTheContact)
{
  // The rough foundation with four times its friction, coarser.
  const auto run =
      test::run_file<2>(std::string(DELASSUS_SOURCE_DIR) +
                            "/parameter_files/rough_foundation.prm",
                        { "Time/Scheme=quasi static",
                          "Time/Step=1",
                          "Body block/Mesh/Divisions=8, 8",
                          "Contact law rough/Friction=4",
                          "Output/Interval=1" });
  const auto &solver = run.summary["contact_solver"];
  EXPECT_GT(solver["ill_posed_local_problems"], 0);
  const std::string text = solver["ill_posed_contact"];
  for (const char *part : { "interaction 'base'",
                            "block/bottom against foundation",
                            "friction 4" })
    EXPECT_NE(text.find(part), std::string::npos) << text;
  const auto at = text.find("critical ");
  ASSERT_NE(at, std::string::npos) << text;
  const double critical = std::stod(text.substr(at + 9));
  EXPECT_GT(critical, 0.5);
  EXPECT_LT(critical, 4.);
}
