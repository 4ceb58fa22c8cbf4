// Stages with known answers.
#include "staged_case.h"
#include "test_paths.h"

using namespace test;

namespace
{
/// A bar of length 10 and section 1 x 2, E = 2.1e5, without lateral
/// contraction.
std::string bar(const std::string &stages,
                const std::string &divisions = "7, 2",
                const std::string &material  = "")
{
  return R"(
set Assumption = plane stress
subsection Time
  set Scheme = quasi static
  set Step   = 0.5
end
subsection Material steel
  set Density = 7.8e-9
  set Young modulus = 2.1e5
  set Poisson ratio = 0
)" + material +
         R"(
end
subsection Body bar
  set Material  = steel
  set Thickness = 2
  subsection Mesh
    set Type = box
    set Size = 10, 1
    set Divisions = )" +
         divisions + R"(
  end
end
subsection Boundary condition wall
  set Type = fixed
  set Surfaces = bar/left
end
subsection Boundary condition pull
  set Type = displacement
  set Surfaces = bar/right
  set Components = x
  set Value = 0.01*t
end
subsection Output
  set Interval steps = 0
end
subsection Probe end
  set Point = 10, 1
end
)" + stages;
}
} // namespace

TEST(Stages, ReactionsOfAReleasedConditionGoToZero)
{
  StagedCase run(bar(R"(
subsection Stage stretch
  set End = 2
end
subsection Stage let go
  set End      = 6
  set At start = release pull, write
end
)"));
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  const auto &t      = results.history.at("time");
  const auto &u      = results.history.at("end:u_x");
  const auto &force  = results.history.at("pull:reaction_x");
  ASSERT_EQ(t.size(), 12u);
  for (std::size_t i = 0; i < t.size(); ++i)
  {
    const bool held       = t[i] < 2.25;
    const double expected = held ? 0.01 * t[i] : 0.02 * (6. - t[i]) / 4.;
    EXPECT_NEAR(u[i], expected, 1e-12 * 0.02) << "t = " << t[i];
    EXPECT_NEAR(force[i], held ? 2.1e5 * 2. / 10. * u[i] : 0., 1e-8 * 840.);
  }
  EXPECT_LT(results.summary["energy"]["worst_relative_residual"], 1e-12);
  EXPECT_EQ(results.summary["energy"]["event"], 0.);
  // Tables, files and summary say which stage it was.
  EXPECT_EQ(run.last_column("run/history.csv")[0], "stage");
  EXPECT_EQ(run.last_column("run/history.csv")[4], "stretch");
  EXPECT_EQ(run.last_column("run/energy.csv")[5], "let go");
  ASSERT_EQ(results.summary["stages"].size(), 2u);
  EXPECT_EQ(results.summary["stages"][1]["name"], "let go");
  EXPECT_EQ(results.summary["stages"][1]["step"], 4);
  ASSERT_EQ(results.summary["states"].size(), 2u);
  EXPECT_EQ(results.summary["states"][0]["step"], 4);
  EXPECT_EQ(results.summary["states"][0]["stage"], "let go");
  EXPECT_NE(bytes_of(run.path + "/run/vtu/solution_000012.vtu")
                .find("108 101 116 32 103 111 0"), // "let go"
            std::string::npos);
}

TEST(Stages, PlasticStrainStaysWhenTheForceIsGone)
{
  // In one direction s = sy + H a, e = s / E + a; without force e = a.
  for (const bool finite : { false, true })
  {
    const std::string law =
        std::string("set Model = ") + (finite ? "J2" : "J2 small strain") +
        "\nset Yield stress = 300\nset Hardening modulus = 1e4\n";
    auto text = bar(R"(
subsection Newton
  set Tolerance = 1e-11
end
subsection Stage stretch
  set End = 20
  set Step = 1
end
subsection Stage let go
  set End      = 24
  set At start = release pull
  subsection Newton
    set Matrix = step
  end
end
)",
                    "3, 1",
                    law);
    // The end may contract.
    const std::string fixed = "  set Type = fixed\n  set Surfaces = bar/left\n";
    text.replace(
        text.find(fixed), fixed.size(), fixed + "  set Components = x\n");
    text += "subsection Boundary condition axis\n  set Type = fixed\n"
            "  set Surfaces = bar/bottom\n  set Components = y\nend\n";
    StagedCase run(text);
    run.run<2>("run");
    if (my_rank() != 0)
      continue;
    const auto results = run.results("run");
    const auto &u      = results.history.at("end:u_x");
    const double e     = finite ? std::log(1.02) : 0.02;
    const double a     = (e - 300. / 2.1e5) / (1. + 1e4 / 2.1e5);
    if (!finite)
    {
      EXPECT_NEAR(
          results.history.at("end:stress_xx")[19], 300. + 1e4 * a, 1e-8 * 300.);
    }
    EXPECT_NEAR(u.back(), 10. * (finite ? std::exp(a) - 1. : a), 1e-6 * 0.2)
        << finite;
    EXPECT_NEAR(results.history.at("end:stress_xx").back(), 0., 1e-6 * 300.);
  }
}

TEST(Stages, ABarThatIsLetGoSuddenlySwings)
{
  // One cell: the end has a third of the mass, on a spring E A / L. The
  // midpoint rule has the frequency tan(w' h / 2) = w h / 2, and loses nothing.
  StagedCase run(bar(R"(
subsection Stage stretch
  set End = 2
end
subsection Stage swing
  set End    = 2.00004
  set Step   = 4e-7
  set Scheme = dynamic
  set Theta  = 0.5
  set Boundary conditions = wall
end
)",
                     "1, 1"));
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  const auto &u      = results.history.at("end:u_x");
  const double h = 4e-7, k = 2.1e5 * 2. / 10., m = 7.8e-9 * 20. / 3.;
  const double omega = 2. / h * std::atan(0.5 * h * std::sqrt(k / m));
  ASSERT_EQ(u.size(), 104u);
  double least = 1.;
  for (unsigned int n = 1; n <= 100; ++n)
  {
    EXPECT_NEAR(u[3 + n], 0.02 * std::cos(n * omega * h), 1e-9 * 0.02) << n;
    least = std::min(least, u[3 + n]);
  }
  EXPECT_LT(least, -0.0199); // it has gone through half a period
  const double energy = 0.5 * k * 0.02 * 0.02;
  EXPECT_NEAR(results.energy.at("kinetic").back() +
                  results.energy.at("elastic").back(),
              energy,
              1e-10 * energy);
  EXPECT_LT(results.summary["energy"]["worst_relative_residual"], 1e-10);
}

TEST(Stages, VelocitiesThatAreTakenAwayAreInTheEnergyBalance)
{
  // Swinging, then at rest (an action), then without inertia.
  StagedCase run(bar(R"(
subsection Stage stretch
  set End = 2
end
subsection Stage swing
  set End    = 2.00001
  set Step   = 4e-7
  set Scheme = dynamic
  set Theta  = 0.5
  set Boundary conditions = wall
end
subsection Stage again
  set End      = 2.00002
  set Step     = 5e-7
  set Theta    = 0.7
  set Scheme   = dynamic
  set At start = zero velocity
end
subsection Stage rest
  set End  = 3.00002
end
)"));
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results      = run.results("run");
  const auto &e           = results.energy;
  const auto &kinetic     = e.at("kinetic");
  const auto &event       = e.at("event");
  const std::size_t swing = 4 + 25, again = swing + 20;
  ASSERT_EQ(kinetic.size(), again + 2);
  ASSERT_GT(kinetic[swing - 1], 1e-3);
  EXPECT_NEAR(event[swing], -kinetic[swing - 1], 1e-12 * kinetic[swing - 1]);
  EXPECT_NEAR(event[again],
              -kinetic[swing - 1] - kinetic[again - 1],
              1e-12 * kinetic[swing - 1]);
  EXPECT_EQ(kinetic.back(), 0.);
  EXPECT_NEAR(results.history.at("end:u_x").back(), 0., 1e-12);
  // All that has come in has gone somewhere.
  const std::size_t i = kinetic.size() - 1;
  const double sum    = e.at("driven_work")[i] + e.at("external_work")[i] +
                     e.at("event")[i] - e.at("numerical_dissipation")[i] -
                     e.at("kinetic")[i] - e.at("elastic")[i];
  EXPECT_NEAR(sum, 0., 1e-10 * e.at("driven_work")[i]);
  EXPECT_LT(results.summary["energy"]["worst_relative_residual"], 1e-10);
}

TEST(Stages, AConditionThatComesLaterGoesOnFromWhereTheBodyIs)
{
  // Pulled by a force to 0.004 first; then moved by 0.01 a unit of time.
  StagedCase run(bar(R"(
subsection Boundary condition load
  set Type = traction
  set Surfaces = bar/right
  set Value = 84*min(t, 1); 0
end
subsection Stage load
  set End = 1
  set Boundary conditions = wall, load
end
subsection Stage move
  set End = 3
  set Boundary conditions = wall, pull
end
subsection Stage on
  set End = 4
end
)"));
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  const auto &t      = results.history.at("time");
  const auto &u      = results.history.at("end:u_x");
  for (std::size_t i = 0; i < t.size(); ++i)
    EXPECT_NEAR(
        u[i], t[i] < 1.25 ? 0.004 * t[i] : 0.004 + 0.01 * (t[i] - 1.), 1e-12);
  EXPECT_LT(results.summary["energy"]["worst_relative_residual"], 1e-12);
}

TEST(Stages, ConditionsWithARateBeginWithIt)
{
  // Theta = 1/2: the end moves as prescribed from the first step on, whatever
  // the body did before.
  StagedCase run(bar(R"(
subsection Stage stretch
  set End = 2
end
subsection Stage move
  set End    = 2.001
  set Step   = 1e-4
  set Scheme = dynamic
  set Theta  = 0.5
end
)"));
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  const auto &t      = results.history.at("time");
  for (std::size_t i = 4; i < t.size(); ++i)
  {
    EXPECT_NEAR(results.history.at("end:u_x")[i], 0.01 * t[i], 1e-9 * 0.02);
    EXPECT_NEAR(results.history.at("end:v_x")[i], 0.01, 1e-6 * 0.01);
  }
  EXPECT_GT(results.summary["energy"]["event"], 0.);
  EXPECT_LT(results.summary["energy"]["worst_relative_residual"], 1e-10);
}

namespace
{
/// A block on the ground that a tool presses; both have friction.
const char *pressed = R"(
subsection Time
  set Scheme = quasi static
  set Step = 0.25
end
subsection Material rubber
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 0.4, 0.2
    set Divisions = 8, 4
  end
end
subsection Boundary condition ground
  set Type = fixed
  set Surfaces = block/bottom
end
subsection Obstacle tool
  set Normal = 0, -1
  set Point = 0, 0.2
  set Displacement = 0; -0.01*t
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction press
  set Candidates  = block/top
  set Antagonists = tool
  set Law = dry
end
subsection Contact solver
  set Tolerance = 1e-11
end
subsection Output
  set Interval steps = 0
end
subsection Probe middle
  set Point = 0.2, 0.1
end
)";
} // namespace

TEST(Stages, WithoutItsToolABlockSpringsBack)
{
  for (const std::string what : { "Interactions", "Tools" })
  {
    StagedCase run(std::string(pressed) + R"(
subsection Stage press
  set End = 1
end
subsection Stage spring back
  set End = 1.5
  set )" + what + R"( = none
end
)");
    run.run<2>("run");
    if (my_rank() != 0)
      continue;
    const auto results = run.results("run");
    const auto &h      = results.history;
    EXPECT_LT(h.at("press:force_y")[3], -1000.);
    EXPECT_EQ(h.at("press:force_y").back(), 0.);
    EXPECT_EQ(h.at("contacts").back(), 0.);
    EXPECT_GT(h.at("largest_displacement")[3], 0.009);
    EXPECT_LT(h.at("largest_displacement").back(), 1e-12);
    EXPECT_LT(std::abs(h.at("middle:stress_yy").back()),
              1e-10 * std::abs(h.at("middle:stress_yy")[3]));
    EXPECT_LT(results.summary["energy"]["worst_relative_residual"], 1e-8);
  }
}

TEST(Stages, ContactForcesThatAreReleasedGoToZero)
{
  // The tool's forces stay as loads and become less: a linear block gives way
  // in proportion, at every point.
  StagedCase run(std::string(pressed) + R"(
subsection Stage press
  set End = 1
end
subsection Stage spring back
  set End      = 2
  set At start = release press
end
)");
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  const auto &h      = results.history;
  ASSERT_EQ(h.at("time").size(), 8u);
  for (const char *column :
       { "largest_displacement", "middle:u_y", "middle:stress_yy" })
  {
    const auto &values = h.at(column);
    for (unsigned int k = 1; k <= 4; ++k)
      EXPECT_NEAR(values[3 + k],
                  values[3] * (1. - 0.25 * k),
                  1e-8 * std::abs(values[3]))
          << column << " " << k;
  }
  EXPECT_EQ(h.at("contacts").back(), 0.);
  EXPECT_LT(results.summary["energy"]["worst_relative_residual"], 1e-8);
}

TEST(Stages, AToolThatComesBackFindsItsContactsAgain)
{
  // Pressed, free, and pressed again as far: the same force, as if it had
  // never been away, where nothing slips.
  std::string text         = pressed;
  const std::string motion = "-0.01*t";
  text.replace(text.find(motion), motion.size(), "-0.01*min(t, 1)");
  text.replace(text.find("Friction = 0.3"), 14, "Friction = 0.0");
  StagedCase run(text + R"(
subsection Stage press
  set End = 1
end
subsection Stage free
  set End = 1.5
  set Tools = none
end
subsection Stage again
  set End = 2
  set Tools = tool
end
)");
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto &force = run.results("run").history.at("press:force_y");
  ASSERT_EQ(force.size(), 8u);
  EXPECT_EQ(force[5], 0.);
  EXPECT_NEAR(force[7], force[3], 1e-8 * std::abs(force[3]));
}

TEST(Stages, AFreeToolStandsStillWhileItIsAway)
{
  // A heavy plate falls on the block and is taken away in its motion; what it
  // had of kinetic energy is told. When it is back, at rest where it stood, the
  // block has come up and pushes it out.
  std::string text         = pressed;
  const std::string motion = "  set Displacement = 0; -0.01*t\n";
  text.replace(text.find(motion),
               motion.size(),
               "  set Free = y\n  set Mass = 10\n  set Force = 0; -100\n");
  const std::string scheme = "  set Scheme = quasi static\n";
  text.replace(text.find(scheme), scheme.size(), "");
  StagedCase run(text + R"(
subsection Stage fall
  set End  = 0.01
  set Step = 1e-3
end
subsection Stage away
  set End   = 0.02
  set Step  = 1e-3
  set Tools = none
end
subsection Stage back
  set End   = 0.03
  set Step  = 1e-3
  set Tools = all
end
)");
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  const auto &u      = results.history.at("tool:tool_u_y");
  const auto &v      = results.history.at("tool:tool_v_y");
  EXPECT_LT(v[9], -0.001);
  EXPECT_NEAR(u[10], u[9], 1e-12 * std::abs(u[9]));
  for (unsigned int k = 10; k < 20; ++k)
  {
    EXPECT_EQ(u[k], u[10]);
    EXPECT_EQ(v[k], 0.);
  }
  EXPECT_GT(v[20], 0.);
  EXPECT_LT(results.summary["energy"]["event"],
            -0.5 * 10. * v[9] * v[9] * 0.99);
  EXPECT_LT(results.summary["energy"]["worst_relative_residual"], 1e-8);
}

TEST(Stages, ContactsAndTheirImpulsesPersist)
{
  // The same settings in two stages: as in one.
  const std::string ends[] = { R"(
subsection Stage press
  set End = 2
end
)",
                               R"(
subsection Stage first
  set End = 1
end
subsection Stage second
  set End = 2
end
)" };
  Results results[2];
  for (unsigned int i = 0; i < 2; ++i)
  {
    StagedCase run(pressed + ends[i]);
    run.run<2>("run");
    results[i] = run.results("run");
  }
  if (my_rank() != 0)
    return;
  for (const char *column :
       { "press:force_y", "middle:u_x", "middle:u_y", "middle:stress_xx" })
    for (unsigned int k = 0; k < 8; ++k)
      EXPECT_NEAR(results[0].history.at(column)[k],
                  results[1].history.at(column)[k],
                  1e-8 * std::abs(results[0].history.at(column)[7]))
          << column << " row " << k;
}

TEST(Stages, AStripThatIsDrawnSpringsBack)
{
  StagedCase run(
      bytes_of(DELASSUS_SOURCE_DIR "/parameter_files/springback.prm"));
  run.run<2>("run");
  if (my_rank() != 0)
    return;
  const auto results = run.results("run");
  const auto &h      = results.history;
  // The holder's force is there until the tools are gone.
  const std::size_t drawn = 19;
  ASSERT_EQ(h.at("time")[drawn], 1.);
  EXPECT_NEAR(h.at("holder:tool_force_y")[drawn], 200., 1e-3);
  EXPECT_EQ(h.at("tools:normal_force").back(), 0.);
  // The support that holds in the last stage has nothing to carry: the forces
  // that are let go are in balance.
  const auto &support = h.at("height:reaction_y");
  for (std::size_t i = drawn + 1; i < support.size(); ++i)
    EXPECT_LT(std::abs(support[i]), 1e-5 * 200.);
  // The strip keeps its height at the support, and its edge comes down as it
  // opens; all that is left are stresses that balance each other.
  EXPECT_EQ(h.at("middle:u_y").back(), h.at("middle:u_y")[drawn]);
  EXPECT_LT(h.at("edge:u_y").back(), h.at("edge:u_y")[drawn] - 0.5);
  EXPECT_LT(results.energy.at("elastic").back(),
            0.5 * results.energy.at("elastic")[drawn]);
  EXPECT_LT(results.summary["energy"]["worst_relative_residual"], 1e-6);
  EXPECT_TRUE(results.summary["trustworthy"]);
  // Points slide onto the rounded shoulders without a jump of their normals.
  EXPECT_EQ(results.summary["newton"]["steps_cut"], 0);
}
