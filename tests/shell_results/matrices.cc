// Runs with contact whose iterates are corrected by other matrices.
#include "sheet_runs.h"

using namespace test;

namespace
{
/// A strip, held at one end, that is blown down on a punch and slides on it.
const char *struck_strip = R"(
set Dimension = 3
set Gravity   = 0, 0, 0
subsection Time
  set End   = 0.12
  set Step  = 0.001
  set Theta = 1
end
subsection Newton
  set Matrix         = MATRIX
  TOLERANCE
  set Largest strain = 0
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Material rubber
  set Model         = MODEL
  set Density       = 1
  set Young modulus = 1e3
  set Poisson ratio = 0.3
  set Rayleigh mass = 0.5
end
subsection Body strip
  set Type      = shell
  set Material  = rubber
  set Thickness = 0.2
  set Initial velocity = 0; 0; -6*x
  subsection Shell
    INERTIA
  end
  subsection Mesh
    set Type      = rectangle
    set Size      = 6, 2
    set Divisions = 6, 2
  end
end
subsection Boundary condition held
  set Type     = clamped
  set Surfaces = strip/left
end
subsection Obstacle punch
  set Type   = sphere
  set Point  = 4.6, 1.1, -2.3
  set Radius = 2
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction pressed
  set Candidates  = strip/inner
  set Antagonists = punch
  set Law         = dry
  set Points      = POINTS
end
subsection Probe end
  set Point = 6, 1, 0
end
subsection Output
  set Interval = 0.12
end
)";

std::string
with(std::string text, const std::string &from, const std::string &to)
{
  return text.replace(text.find(from), from.size(), to);
}

std::string strip(const std::string &matrix,
                  const std::string &model  = "Saint Venant-Kirchhoff",
                  const std::string &points = "gauss")
{
  // The sheet's own inertia, so that all solve the same equations.
  const bool by_mass =
      matrix == "lumped" || matrix == "two term" || matrix == "explicit";
  std::string text = with(struck_strip, "MATRIX", matrix);
  text             = with(text, "MODEL", model);
  text             = with(text, "POINTS", points);
  text             = with(
      text, "TOLERANCE", matrix == "explicit" ? "" : "set Tolerance = 1e-10");
  // The compliance through the thickness gives the blow back: the strip is then
  // struck harder than this law can bear with points inside faces.
  return with(text,
              "INERTIA",
              std::string(by_mass ? "set Scaled inertia = false\n    " : "") +
                  "set Compliance = " + (points == "nodes" ? "true" : "false"));
}
} // namespace

// The same steps, to the tolerance of the loops; explicit ones are in balance
// of energy and stay in front of the punch.
TEST(SheetMatrices, AgreeInContact)
{
  for (const std::string points : { "gauss", "nodes" })
  {
    const SheetRun full(strip("full", "Saint Venant-Kirchhoff", points)),
        frozen(strip("frozen", "Saint Venant-Kirchhoff", points)),
        lumped(strip("lumped", "Saint Venant-Kirchhoff", points)),
        two(strip("two term", "Saint Venant-Kirchhoff", points)),
        by_law(strip("explicit", "Saint Venant-Kirchhoff", points));
    for (const SheetRun *run : { &full, &frozen, &lumped, &two, &by_law })
      ASSERT_EQ(run->failure, "");
    double most = 0.;
    for (const double force : full.history.at("pressed:force_z"))
      most = std::max(most, std::abs(force));
    EXPECT_GT(most, 1.);
    const auto compare =
        [&](const SheetRun &a, const SheetRun &b, const double tolerance)
    {
      for (const char *column : { "end:u_x", "end:u_z" })
      {
        const auto &x = a.history.at(column), &y = b.history.at(column);
        ASSERT_EQ(x.size(), y.size());
        double size = 0.;
        for (const double value : y)
          size = std::max(size, std::abs(value));
        for (std::size_t i = 0; i < x.size(); ++i)
          ASSERT_NEAR(x[i], y[i], tolerance * size) << column << i;
      }
    };
    compare(frozen, full, 1e-6);
    compare(lumped, full, 1e-6);
    compare(two, full, 1e-6);
    EXPECT_LT(double(by_law.summary["energy"]["worst_relative_residual"]),
              1e-8);
    double impulse = 0.;
    for (const double force : by_law.history.at("pressed:force_z"))
      impulse += force;
    EXPECT_GT(impulse, 0.);
  }
}

// Above the bound steps are cut, and the run says why where they may not be.
TEST(SheetMatrices, RefuseStepsAboveTheBound)
{
  const SheetRun cut(with(strip("lumped"), "Step  = 0.001", "Step  = 0.06"));
  EXPECT_EQ(cut.failure, "");
  EXPECT_LT(double(cut.summary["newton"]["smallest_step"]), 0.06);
  const SheetRun refused(
      with(with(strip("explicit"), "Step  = 0.001", "Step  = 0.06"),
           "set Largest strain = 0",
           "set Largest strain = 0\n  set Smallest step = 0.9"));
  EXPECT_NE(refused.failure.find("above the bound"), std::string::npos)
      << refused.failure;
}
