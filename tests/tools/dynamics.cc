// Tools with a mass: their balance of momentum and energy, given motions, and
// runs that are continued.
#include "cases.h"
#include "compare_runs.h"

using namespace test;

namespace
{
/// m (v+ - v) = h (R + m g - c v_theta), from the history.
void expect_momentum(const Table &history,
                     const double h,
                     const double theta,
                     const double damping = 0.)
{
  const auto &v  = history.at("plate:tool_v_y");
  const auto &R  = history.at("plate:tool_force_y");
  const auto &u  = history.at("plate:tool_u_y");
  const double m = 2000., g = -10.;
  double v_before = -1., u_before = 0.;
  for (std::size_t i = 0; i < v.size(); ++i)
  {
    const double v_theta = theta * v[i] + (1. - theta) * v_before;
    EXPECT_NEAR(
        m * (v[i] - v_before), h * (R[i] + m * g - damping * v_theta), 1e-8 * m)
        << i;
    EXPECT_NEAR(u[i] - u_before, h * v_theta, 1e-12) << i;
    v_before = v[i];
    u_before = u[i];
  }
}
} // namespace

TEST(Drop, BalancesMomentumAndEnergy)
{
  for (const double theta : { 0.5, 1. })
  {
    const auto results =
        run_everywhere<2>(drop, { "Time/Theta=" + std::to_string(theta) });
    if (!has_tables())
      continue;
    expect_momentum(results.history, 5e-4, theta);
    EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-10);
    // It has come down, touched and goes up again, without gain of energy.
    const auto &v = results.history.at("plate:tool_v_y");
    EXPECT_LT(v[5], -1.);
    EXPECT_GT(*std::max_element(v.begin(), v.end()), theta == 0.5 ? 0.5 : 0.3);
    EXPECT_LT(v.back(), 1.01);
    EXPECT_GE(results.energy.at("kinetic")[0], 0.5 * 2000. * v[0] * v[0]);
  }
}

TEST(Drop, DashpotTakesEnergy)
{
  const auto results = run_everywhere<2>(
      with_lines(drop, "subsection Obstacle plate", "set Damping = 3e4"),
      { "Time/Theta=0.5" });
  if (!has_tables())
    return;
  expect_momentum(results.history, 5e-4, 0.5, 3e4);
  EXPECT_GT(results.energy.at("damping").back(), 0.);
  EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-10);
}

TEST(Drop, NewtonLoopsGiveTheSame)
{
  // Without lateral contraction elements of both kinds are the same.
  const auto text = replaced(drop, "Poisson ratio = 0.3", "Poisson ratio = 0");
  const auto linear = run_everywhere<2>(text, { "Time/Theta=1" });
  const auto newton = run_everywhere<2>(
      with_lines(text,
                 "subsection Material rubber",
                 "set Model = J2 small strain\nset Yield stress = 1e12"),
      { "Time/Theta=1", "Newton/Tolerance=1e-10" });
  if (!has_tables())
    return;
  expect_momentum(newton.history, 5e-4, 1.);
  EXPECT_LT(largest(newton.energy.at("relative_residual")), 1e-7);
  expect_same(linear.history,
              newton.history,
              { "plate:tool_v_y", "plate:tool_u_y", "plate:tool_force_y" },
              1e-6);
}

TEST(Drop, IsThatOfAStiffBody)
{
  // A block of the same mass, 1e5 times as stiff, in the tool's place.
  std::string text = drop;
  const auto from  = text.find("subsection Obstacle plate");
  const auto to    = text.find("subsection Contact law smooth");
  text.replace(from, to - from, R"(subsection Material hard
  set Density = 4000
  set Young modulus = 1e12
  set Poisson ratio = 0.3
end
subsection Body plate
  set Material = hard
  set Initial velocity = 0; -1
  subsection Mesh
    set Type = box
    set Origin = 0, 1.005
    set Size = 1, 0.5
    set Divisions = 5, 2
  end
end
subsection Probe middle
  set Body = plate
  set Point = 0.5, 1.25
end
)");
  text = replaced(text, "Antagonists = plate", "Antagonists = plate/bottom");
  // Up to the rebound.
  const std::vector<std::string> set = { "Time/Theta=0.5", "Time/End=0.06" };
  const auto body                    = run_everywhere<2>(text, set);
  const auto tool                    = run_everywhere<2>(drop, set);
  if (!has_tables())
    return;
  // Its vibrations are those of its velocities rather than of its place.
  const auto &u = tool.history.at("plate:tool_u_y");
  const auto &w = body.history.at("middle:u_y");
  ASSERT_EQ(u.size(), w.size());
  for (std::size_t i = 0; i < u.size(); ++i)
    EXPECT_NEAR(u[i], w[i], 0.04 * largest(u)) << i;
}

TEST(Drop, RoundToolInFiniteStrain)
{
  // Energy and momentum of a cylinder that strikes a neo-Hookean block off its
  // middle, free in both directions.
  auto text = replaced(drop,
                       "set Normal = 0, -1\n  set Point = 0, 1.005\n"
                       "  set Free = y",
                       "set Type = sphere\n  set Radius = 0.5\n"
                       "  set Point = 0.6, 1.51\n  set Free = x, y");
  text =
      with_lines(text, "subsection Material rubber", "set Model = neo-Hookean");
  text = replaced(text, "Divisions = 5, 5", "Divisions = 10, 10");
  for (const double theta : { 0.5, 1. })
  {
    const auto results =
        run_everywhere<2>(text,
                          { "Time/Theta=" + std::to_string(theta),
                            "Newton/Tolerance=1e-10",
                            "Time/End=0.04",
                            "Time/Step=1e-3" });
    if (!has_tables())
      continue;
    // Steps that are cut record the force of their last part only.
    const auto &v = results.history.at("plate:tool_v_y");
    EXPECT_GT(largest(results.history.at("plate:tool_force_y")), 1e4);
    EXPECT_GT(largest(results.history.at("plate:tool_v_x")), 1e-4);
    EXPECT_GT(*std::max_element(v.begin(), v.end()), -0.5);
    EXPECT_LT(largest(results.energy.at("relative_residual")), 1e-6);
    EXPECT_LT(results.history.at("penetration").back(), 1e-6);
  }
}

TEST(Given, VelocityIsTheRateOfTheDisplacement)
{
  auto text                  = replaced(drop,
                       "set Free = y\n  set Mass = 2000\n"
                                        "  set Initial velocity = 0, -1",
                       "set Displacement = 0; -2*t^2 - 0.5*t");
  const auto by_displacement = run_everywhere<2>(text);
  const auto by_velocity     = run_everywhere<2>(replaced(
      text, "Displacement = 0; -2*t^2 - 0.5*t", "Velocity = 0; -4*t - 0.5"));
  if (!has_tables())
    return;
  EXPECT_GT(largest(by_velocity.history.at("plate:tool_force_y")), 1e4);
  expect_same(by_displacement.history,
              by_velocity.history,
              { "plate:tool_u_y", "plate:tool_v_y", "plate:tool_force_y" },
              1e-8);
}

TEST(Ranks, DoNotMatter)
{
  // Bodies split over ranks too.
  for (const std::string &text : { std::string(drop), std::string(holder) })
  {
    const std::string body = text == drop ? "block" : "strip";
    const auto alone       = run_text<2>(text);
    for (const bool split : { false, true })
    {
      std::vector<std::string> overrides;
      if (split)
        overrides.push_back("Body " + body + "/Mesh/Distribution=shared");
      const auto all = run_everywhere<2>(text, overrides);
      if (has_tables())
        expect_same(
            alone.history,
            all.history,
            { "plate:tool_v_y", "plate:tool_u_y", "plate:tool_force_y" },
            1e-7);
    }
  }
}

TEST(Drop, LumpedMatricesGiveTheSame)
{
  // Steps below the bound of the lumped matrix, from the touch to the rebound.
  const auto text                    = with_lines(replaced(drop,
                                        "subsection Body block",
                                        "subsection Body block"
                                                           "\n  set Mass = lumped"),
                               "subsection Material rubber",
                               "set Model = neo-Hookean");
  const std::vector<std::string> set = { "Time/Theta=1",
                                         "Time/Step=1e-4",
                                         "Time/End=0.02",
                                         "Newton/Tolerance=1e-11",
                                         "Newton/Maximum iterations=200" };
  const auto full                    = run_everywhere<2>(text, set);
  for (const char *matrix : { "lumped", "two term" })
  {
    auto with = set;
    with.push_back(std::string("Newton/Matrix=") + matrix);
    const auto approximate = run_everywhere<2>(text, with);
    if (!has_tables())
      continue;
    EXPECT_GT(largest(full.history.at("plate:tool_force_y")), 0.);
    expect_same(full.history,
                approximate.history,
                { "plate:tool_v_y", "plate:tool_u_y", "plate:tool_force_y" },
                1e-6);
  }
}

TEST(Resume, IsTheSameToTheLastBit)
{
  const auto in_newton_loops =
      [](const std::string &text, const std::string &material)
  {
    return with_lines(
        text, "subsection Material " + material, "set Model = neo-Hookean");
  };
  for (const std::string &text :
       { std::string(drop),
         std::string(holder),
         in_newton_loops(drop, "rubber"),
         in_newton_loops(replaced(holder, "plane stress", "plane strain"),
                         "soft") })
  {
    std::string path;
    std::unique_ptr<TemporaryDirectory> directory;
    if (has_tables())
    {
      directory = std::make_unique<TemporaryDirectory>();
      path      = directory->path;
      write_case(*directory, text);
    }
    path = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, path);
    const bool quasi_static = text.find("quasi static") != std::string::npos;
    const auto run =
        [&](const std::string &where, const std::string &end, const bool resume)
    {
      delassus::RunOptions options;
      options.quiet  = true;
      options.resume = resume;
      delassus::Simulation<2> simulation(
          delassus::read_parameters(
              path + "/case.prm",
              { "Output/Directory=" + path + where, "Time/End=" + end }),
          options,
          MPI_COMM_WORLD);
      simulation.run();
    };
    run("/whole", quasi_static ? "1" : "0.1", false);
    run("/parts", quasi_static ? "0.5" : "0.03", false);
    run("/parts", quasi_static ? "1" : "0.1", true);
    for (const char *file : { "/history.csv", "/energy.csv" })
      if (has_tables())
      {
        EXPECT_EQ(bytes_of(path + "/whole" + file),
                  bytes_of(path + "/parts" + file));
      }
  }
}
