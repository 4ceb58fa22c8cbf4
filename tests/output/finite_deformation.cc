// What result files and tables show of bodies in the Newton loop, and what a
// run leaves that has to give up.
#include "read_vtu.h"
#include "simulation/run_case.h"

#include <delassus/base/exceptions.h>
#include <delassus/bodies/results/extrapolation.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;

namespace
{
/// One cell that is pulled to 1.2 times its length by prescribed motions; free
/// across.
const char *tension = R"(
set Dimension = 3
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.1
end
subsection Material steel
  set Model             = J2
  set Density           = 7800
  set Young modulus     = 2e11
  set Poisson ratio     = 0.3
  set Yield stress      = 4e8
  set Hardening modulus = 1e10
end
subsection Material rubber
  set Model         = neo-Hookean
  set Density       = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.4
end
subsection Body bar
  set Material = steel
  subsection Mesh
    set Type      = box
    set Size      = 1, 1, 1
    set Divisions = 1, 1, 1
  end
end
subsection Body other
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Origin    = 5, 0, 0
    set Size      = 1, 1, 1
    set Divisions = 1, 1, 1
  end
end
subsection Boundary condition x
  set Type       = fixed
  set Surfaces   = bar/left, other/left
  set Components = x
end
subsection Boundary condition y
  set Type       = fixed
  set Surfaces   = bar/front, other/front
  set Components = y
end
subsection Boundary condition z
  set Type       = fixed
  set Surfaces   = bar/bottom, other/bottom
  set Components = z
end
subsection Boundary condition pulled
  set Type       = displacement
  set Surfaces   = bar/top, other/top
  set Components = z
  set Value      = 0.2 * t
end
subsection Newton
  set Tolerance = 1e-10
end
subsection Output
  set Interval steps = 10
end
)";

/// Of a single cell whose nodes are all prescribed: pressed to a shape of its
/// own in the first half of the time, turned by 70 degrees in the second.
const char *turned = R"(
set Assumption = plane strain
subsection Time
  set Scheme = quasi static
  set End    = 2
  set Step   = 0.1
end
subsection Material steel
  set Model             = J2
  set Density           = 7800
  set Young modulus     = 2e5
  set Poisson ratio     = 0.3
  set Yield stress      = 400
  set Hardening modulus = 100
end
subsection Body plate
  set Material = steel
  subsection Mesh
    set Type      = box
    set Size      = 1, 1
    set Divisions = 1, 1
  end
end
subsection Boundary condition moved
  set Type     = displacement
  set Surfaces = bottom, top
  set Value    = (x + 0.1*min(t,1)*x*y)*cos(1.2217304763960306*max(t-1,0)) - (y + min(t,1)*(0.05*y-0.08*x*y))*sin(1.2217304763960306*max(t-1,0)) - x; (x + 0.1*min(t,1)*x*y)*sin(1.2217304763960306*max(t-1,0)) + (y + min(t,1)*(0.05*y-0.08*x*y))*cos(1.2217304763960306*max(t-1,0)) - y
end
subsection Output
  set Interval steps = 10
end
)";

/// A bar that prescribed motions want to press through itself.
const char *crushed = R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.25
end
subsection Material rubber
  set Model         = neo-Hookean
  set Density       = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body bar
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Size      = 1, 1
    set Divisions = 2, 2
  end
end
subsection Boundary condition held
  set Type     = fixed
  set Surfaces = bottom
end
subsection Boundary condition pressed
  set Type     = displacement
  set Surfaces = top
  set Value    = 0; -1.7 * t
end
subsection Newton
  set Smallest step = 0.01
  set Tolerance     = 1e-10
end
subsection Output
  set Interval steps = 1
end
)";

/// A run in a directory that stays until the end of the test.
template <int dim>
struct CaseRun
{
  explicit CaseRun(const std::string &text)
      : file(test::write_case(directory, text))
      , path(directory.path + "/run")
  {
  }

  void go(std::vector<std::string> overrides = {}, const bool resume = false)
  {
    overrides.push_back("Output/Directory=" + path);
    RunOptions options;
    options.quiet  = true;
    options.resume = resume;
    Simulation<dim> simulation(
        read_parameters(file, overrides), options, MPI_COMM_SELF);
    simulation.run();
  }

  nlohmann::json summary() const
  {
    nlohmann::json json;
    std::ifstream(path + "/summary.json") >> json;
    return json;
  }

  test::TemporaryDirectory directory;
  std::string file, path;
};

void expect_all(const std::vector<float> &values,
                const std::size_t begin,
                const std::size_t end,
                const double expected,
                const double tolerance)
{
  ASSERT_GE(values.size(), end);
  for (std::size_t i = begin; i < end; ++i)
    EXPECT_NEAR(values[i], expected, tolerance) << i;
}
} // namespace

TEST(FiniteOutput, UniaxialTension)
{
  CaseRun<3> run(tension);
  run.go();
  const auto data = test::read_vtu(run.path + "/vtu/solution_000010.vtu");
  // Everything as in small strain with the logarithmic strain and tau = J s.
  const double E = 2e11, nu = 0.3, sy = 4e8, H = 1e10, e = std::log(1.2);
  const double tau    = (sy + H * e) / (1. + H / E);
  const double J      = std::exp((1. - 2. * nu) * tau / E);
  const double cauchy = tau / J, plastic = e - tau / E;
  expect_all(data.at("stress_zz"), 0, 8, cauchy, 1e-6 * cauchy);
  for (const char *none :
       { "stress_xx", "stress_yy", "stress_xy", "stress_yz", "stress_zx" })
    expect_all(data.at(none), 0, 8, 0., 1e-6 * cauchy);
  expect_all(data.at("von_mises_stress"), 0, 8, cauchy, 1e-6 * cauchy);
  expect_all(data.at("principal_stress_1"), 0, 8, cauchy, 1e-6 * cauchy);
  expect_all(data.at("plastic_strain"), 0, 8, plastic, 1e-6 * plastic);
  expect_all(data.at("volume_ratio"), 0, 8, J, 1e-6);
  expect_all(data.at("largest_log_strain"), 0, 8, e, 1e-6 * e);
  expect_all(data.at("smallest_log_strain"),
             0,
             8,
             -nu * tau / E - 0.5 * plastic,
             1e-6 * e);
  for (unsigned int i = 0; i < 8; ++i)
    EXPECT_NEAR(
        std::abs(data.at("principal_direction_1")[3 * i + 2]), 1., 1e-5);

  // The rubber beside it has the same columns and no plastic strain.
  expect_all(data.at("plastic_strain"), 8, 16, 0., 0.);
  expect_all(data.at("largest_log_strain"), 8, 16, e, 1e-6 * e);
  for (const auto &array : data)
    EXPECT_EQ(array.second.size() % 16, 0u) << array.first;

  // The same in the summary, and how the loop fared.
  const auto summary = run.summary();
  EXPECT_NEAR(
      summary["states"].back()["largest_von_mises_stress"].get<double>(),
      cauchy,
      1e-8 * cauchy);
  const auto &newton = summary["newton"];
  EXPECT_EQ(newton["matrix"], "full");
  EXPECT_GE(newton["iterations"], 10);
  EXPECT_GE(newton["matrices"], 10);
  EXPECT_LE(newton["worst_momentum_residual"], 1e-10);
  const auto history = test::read_csv(run.path + "/history.csv");
  double iterations = 0., substeps = 0.;
  for (const double n : history.at("newton_iterations"))
    iterations += n;
  for (const double n : history.at("substeps"))
    substeps += n;
  EXPECT_EQ(iterations, newton["iterations"].get<double>());
  EXPECT_EQ(substeps, newton["substeps"].get<double>());
  EXPECT_GT(history.at("smallest_substep").back(), 0.);
  EXPECT_LE(history.at("momentum_residual").back(), 1e-10);
}

TEST(FiniteOutput, RotationChangesNoInvariant)
{
  CaseRun<2> run(turned);
  run.go();
  const auto before = test::read_vtu(run.path + "/vtu/solution_000010.vtu");
  const auto after  = test::read_vtu(run.path + "/vtu/solution_000020.vtu");
  // It yields all over, more on one side than on the other; J is 1.0625.
  double most = 0.;
  for (const float s : before.at("von_mises_stress"))
    most = std::max<double>(most, s);
  EXPECT_GT(most, 400. / 1.0625);
  EXPECT_GT(before.at("plastic_strain")[3],
            2. * before.at("plastic_strain")[0]);
  for (const char *name : { "von_mises_stress",
                            "principal_stress_1",
                            "principal_stress_2",
                            "stress_zz",
                            "plastic_strain",
                            "volume_ratio",
                            "largest_log_strain",
                            "smallest_log_strain" })
  {
    double scale = 0.;
    for (const float value : before.at(name))
      scale = std::max<double>(scale, std::abs(value));
    for (unsigned int i = 0; i < 4; ++i)
      EXPECT_NEAR(before.at(name)[i], after.at(name)[i], 1e-5 * scale)
          << name << " " << i;
  }
  // The tensor itself turns: s_xy = s12 cos 2a + (s11 - s22)/2 sin 2a.
  const double a = 1.2217304763960306;
  for (unsigned int i = 0; i < 4; ++i)
    EXPECT_NEAR(
        after.at("stress_xy")[i],
        before.at("stress_xy")[i] * std::cos(2. * a) +
            0.5 * (before.at("stress_xx")[i] - before.at("stress_yy")[i]) *
                std::sin(2. * a),
        1e-5 * most);
}

TEST(FiniteOutput, ExtrapolationStaysInTheRangeOfTheCell)
{
  const double g = 0.5 / std::sqrt(3.);
  std::vector<dealii::Point<2>> gauss, corners;
  for (const double y : { -1., 1. })
    for (const double x : { -1., 1. })
    {
      gauss.emplace_back(0.5 + g * x, 0.5 + g * y);
      corners.emplace_back(0.5 + 0.5 * x, 0.5 + 0.5 * y);
    }
  const Extrapolation<2> to_corners(gauss, corners), inside(gauss, gauss);
  const std::vector<double> plastic = { 0., 0., 0.01, 0.05 };
  double most                       = 0.;
  for (unsigned int i = 0; i < 4; ++i)
  {
    EXPECT_GE(to_corners.scalar(plastic, i), 0.);
    EXPECT_LE(to_corners.scalar(plastic, i), 0.05);
    most = std::max(most, to_corners.scalar(plastic, i));
  }
  EXPECT_GT(most, 0.04);
  // Linear fields are met where they are known.
  const std::vector<double> linear = { 1., 2., 4., 5. };
  for (unsigned int i = 0; i < 4; ++i)
    EXPECT_NEAR(inside.scalar(linear, i), linear[i], 1e-14);
  // All points yield, each in its own direction: no corner goes beyond.
  const std::vector<Voigt> yielding = {
    { { 100., 0., 0., 0., 0., 0. } },
    { { 0., 100., 0., 0., 0., 0. } },
    { { 0., 0., 0., 100. / std::sqrt(3.), 0., 0. } },
    { { 300., 200., 200., 0., 0., 0. } }
  };
  for (unsigned int i = 0; i < 4; ++i)
  {
    const Voigt s  = to_corners.stress(yielding, i);
    const double p = (s[0] + s[1] + s[2]) / 3.;
    EXPECT_LE(von_mises(s), 100. * (1. + 1e-12));
    EXPECT_GE(p, 0.);
    EXPECT_LE(p, 700. / 3. + 1e-9);
  }
}

TEST(FiniteOutput, ARunThatGivesUpLeavesItsLastGoodState)
{
  CaseRun<2> run(crushed);
  std::string message;
  const auto fail =
      [&](const std::vector<std::string> &overrides, const bool resume)
  {
    message.clear();
    try
    {
      run.go(overrides, resume);
    }
    catch (const ComputationError &e)
    {
      message = e.what();
    }
  };
  fail({}, false);
  EXPECT_NE(message.find("The last good state, of t = "), std::string::npos)
      << message;
  EXPECT_NE(message.find("To go on from t = "), std::string::npos) << message;
  auto summary       = run.summary();
  const double first = summary["time"];
  EXPECT_FALSE(summary["completed"]);
  EXPECT_EQ(summary["failure"], message);
  // In the middle of the third step.
  EXPECT_EQ(summary["steps"], 2);
  EXPECT_GT(first, 0.501);
  EXPECT_LT(first, 1. / 1.7);
  EXPECT_GE(summary["newton"]["steps_cut"], 1);
  EXPECT_NEAR(summary["states"].back()["time"], first, 1e-12);

  // Resumed alike it ends where it did, with smaller steps a little later.
  fail({}, true);
  EXPECT_NE(message.find("The last good state"), std::string::npos) << message;
  EXPECT_NEAR(run.summary()["time"], first, 1e-12);
  fail({ "Newton/Smallest step=1e-4" }, true);
  EXPECT_NE(message.find("The last good state"), std::string::npos) << message;
  summary             = run.summary();
  const double second = summary["time"];
  EXPECT_GT(second, first);
  EXPECT_EQ(summary["steps"], 2);
  EXPECT_EQ(test::read_csv(run.path + "/history.csv").at("step").size(), 2u);
  EXPECT_LT(summary["energy"]["worst_relative_residual"], 1e-8);

  // Against the run that had small steps from the start.
  CaseRun<2> other(crushed);
  EXPECT_THROW(other.go({ "Newton/Smallest step=1e-4" }), ComputationError);
  EXPECT_NEAR(other.summary()["time"], second, 1e-2);
}
