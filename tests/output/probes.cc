// Stresses and strains at probes and in result files, and reactions of
// conditions that share nodes.
#include "read_vtu.h"
#include "simulation/run_case.h"

#include <delassus/materials/linear_elastic.h>
#include <delassus/bodies/results/extrapolation.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;

namespace
{
/// A square whose boundary moves by 0.01 t (2x + y, x - 3y): uniform strain.
/// Conditions meet at the corners and agree there.
const char *stretched = R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.5
end
subsection Material soft
  set Density       = 1
  set Young modulus = 1000
  set Poisson ratio = 0.25
end
subsection Body plate
  set Material  = soft
  set Thickness = 0.5
  subsection Mesh
    set Type      = box
    set Size      = 1, 1
    set Divisions = 3, 3
  end
end
subsection Boundary condition sides
  set Type     = displacement
  set Surfaces = left, right
  set Value    = 0.01*t*(2*x + y); 0.01*t*(x - 3*y)
end
subsection Boundary condition ends
  set Type     = displacement
  set Surfaces = bottom, top
  set Value    = 0.02*t*x + 0.01*t*y; 0.01*t*x - 0.03*t*y
end
subsection Probe inside
  set Point = 0.34, 0.66
end
subsection Probe corner
  set Point = 1, 1
end
subsection Output
  set Interval steps = 2
end
)";

/// As it is in a run directory that is thrown away.
struct StretchedRun
{
  explicit StretchedRun(const std::string &text,
                        std::vector<std::string> overrides = {})
  {
    overrides.push_back("Output/Directory=" + directory.path + "/run");
    RunOptions options;
    options.quiet = true;
    Simulation<2>(read_parameters(test::write_case(directory, text), overrides),
                  options,
                  MPI_COMM_SELF)
        .run();
    history = test::read_csv(directory.path + "/run/history.csv");
    fields  = test::read_vtu(directory.path + "/run/vtu/solution_000002.vtu");
  }

  const test::TemporaryDirectory directory;
  test::Table history;
  std::map<std::string, std::vector<float>> fields;
};
} // namespace

TEST(Probes, UniformStrain)
{
  const double e_xx = 0.02, e_yy = -0.03, e_xy = 0.01;
  const double E = 1000., nu = 0.25;
  const double G = E / 2. / (1. + nu);
  for (const char *assumption : { "plane strain", "plane stress" })
    for (const char *model : { "linear elastic", "J2 small strain" })
      for (const char *degree : { "1", "2" })
      {
        std::vector<std::string> changes = {
          std::string("Assumption=") + assumption,
          std::string("Material soft/Model=") + model,
          std::string("Body plate/Degree=") + degree
        };
        if (std::string(model) == "J2 small strain")
          changes.push_back("Material soft/Yield stress=1e6");
        const StretchedRun run(stretched, changes);
        const bool plane_stress = std::string(assumption) == "plane stress";
        const double e_zz = plane_stress ? -nu / (1. - nu) * (e_xx + e_yy) : 0.;
        const double mean = e_xx + e_yy + e_zz;
        const double lambda = E * nu / (1. + nu) / (1. - 2. * nu);
        const std::map<std::string, double> expected = {
          { "strain_xx", e_xx },
          { "strain_yy", e_yy },
          { "strain_zz", e_zz },
          { "strain_xy", e_xy },
          { "stress_xx", lambda * mean + 2. * G * e_xx },
          { "stress_yy", lambda * mean + 2. * G * e_yy },
          { "stress_zz", lambda * mean + 2. * G * e_zz },
          { "stress_xy", 2. * G * e_xy }
        };
        for (const auto &[name, value] : expected)
        {
          const double size = name[3] == 'e' ? 30. : 0.03;
          for (const char *probe : { "inside:", "corner:" })
            EXPECT_NEAR(run.history.at(probe + name).back(), value, 1e-8 * size)
                << name << " " << model << " " << assumption;
          for (const float shown : run.fields.at(name))
            ASSERT_NEAR(shown, value, 1e-6 * size)
                << name << " " << model << " " << assumption;
        }
        // Linear in time: half at the first step.
        EXPECT_NEAR(run.history.at("inside:strain_xx")[0], 0.01, 1e-9);

        // All reactions together are in balance, and every shared corner
        // counts once: the sides have both corners of each.
        const auto of = [&](const std::string &name)
        { return run.history.at(name).back(); };
        EXPECT_NEAR(of("sides:reaction_x") + of("ends:reaction_x"), 0., 1e-6);
        EXPECT_NEAR(of("sides:reaction_y") + of("ends:reaction_y"), 0., 1e-6);
      }
}

TEST(Probes, LogarithmicStrain)
{
  // x' = 1.5 x turned by 30 degrees: the axis of the strain turns too.
  const double c = std::cos(M_PI / 6.), s = std::sin(M_PI / 6.);
  const StretchedRun run(stretched,
                         { "Material soft/Model=neo-Hookean",
                           "Newton/Largest strain=0",
                           "Boundary condition sides/Value="
                           "(1+0.5*t)*x*cos(pi/6*t) - y*sin(pi/6*t) - x; "
                           "(1+0.5*t)*x*sin(pi/6*t) + y*cos(pi/6*t) - y",
                           "Boundary condition ends/Value="
                           "(1+0.5*t)*x*cos(pi/6*t) - y*sin(pi/6*t) - x; "
                           "(1+0.5*t)*x*sin(pi/6*t) + y*cos(pi/6*t) - y" });
  const double e                               = std::log(1.5);
  const std::map<std::string, double> expected = { { "strain_xx", e * c * c },
                                                   { "strain_yy", e * s * s },
                                                   { "strain_zz", 0. },
                                                   { "strain_xy", e * c * s } };
  for (const auto &[name, value] : expected)
  {
    EXPECT_NEAR(run.history.at("inside:" + name).back(), value, 1e-7) << name;
    for (const float shown : run.fields.at(name))
      ASSERT_NEAR(shown, value, 1e-6) << name;
  }
  for (const float shown : run.fields.at("largest_log_strain"))
    ASSERT_NEAR(shown, e, 1e-6);
}

TEST(Probes, MeanOfTheCellsThatShareTheNode)
{
  // Bending: Q4 cells show different stresses at a node that they share.
  const StretchedRun run(
      stretched,
      { "Boundary condition sides/Value=0.1*t*x*y; -0.05*t*x*x",
        "Boundary condition sides/Surfaces=right",
        "Boundary condition ends/Type=fixed",
        "Boundary condition ends/Value=",
        "Boundary condition ends/Surfaces=left" });
  const auto &x = run.fields.at("stress_xx");
  ASSERT_EQ(x.size(), 36u);
  // The node (1/3, 2/3) is the corner of the cells 3, 4, 6 and 7, counted from
  // the lower left along x; their corners are along x, then along y.
  const double mean =
      0.25 * (x[4 * 3 + 3] + x[4 * 4 + 2] + x[4 * 6 + 1] + x[4 * 7 + 0]);
  double spread = 0.;
  for (const unsigned int i : { 15u, 18u, 25u, 28u })
    spread = std::max(spread, std::abs(x[i] - mean));
  EXPECT_GT(spread, 1e-3 * std::abs(mean));
  EXPECT_NEAR(run.history.at("inside:stress_xx").back(),
              mean,
              1e-5 * (std::abs(mean) + spread));
}

TEST(Extrapolation, OfAStrainStaysInThePlaneAndWithinItsPoints)
{
  std::vector<dealii::Point<2>> from;
  std::vector<Voigt> values;
  double most = 0., lowest = 1e9, highest = -1e9;
  for (const double y : { 0.2113, 0.7887 })
    for (const double x : { 0.2113, 0.7887 })
    {
      from.emplace_back(x, y);
      values.push_back({ { x, y - 2. * x, 0., 0.3 * y, 0., 0. } });
      most    = std::max(most, von_mises(values.back()));
      lowest  = std::min(lowest, y - x);
      highest = std::max(highest, y - x);
    }
  const std::vector<dealii::Point<2>> to = {
    { 0., 0. }, { 1., 0. }, { 0., 1. }, { 1., 1. }, { 0.5, 0.5 }
  };
  const Extrapolation<2> extrapolation(from, to);
  for (unsigned int i = 0; i < to.size(); ++i)
  {
    const Voigt strain = extrapolation.strain(values, i);
    EXPECT_EQ(strain[2], 0.);
    const double trace = strain[0] + strain[1];
    EXPECT_GE(trace, lowest - 1e-12);
    EXPECT_LE(trace, highest + 1e-12);
    EXPECT_LE(von_mises(strain), most * (1. + 1e-12));
  }
  // In the middle nothing is in the way of the polynomial.
  const Voigt middle = extrapolation.strain(values, 4);
  EXPECT_NEAR(middle[0], 0.5, 1e-12);
  EXPECT_NEAR(middle[1], -0.5, 1e-12);
  EXPECT_NEAR(middle[3], 0.15, 1e-12);
}
