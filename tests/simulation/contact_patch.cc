// The contact patch test: two blocks with meshes that do not match.
#include "run_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{
std::string patch(const int dim,
                  const double poisson,
                  const std::string &law,
                  const std::string &interaction,
                  const std::string &conditions)
{
  std::ostringstream text;
  const std::string y = dim == 2 ? "" : "1, ";
  text << "set Dimension = " << dim << R"(
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 1
end
subsection Material rubber
  set Density = 1
  set Young modulus = 1e6
  set Poisson ratio = )"
       << poisson << R"(
end
subsection Body lower
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 1, )"
       << y << R"(0.5
    set Divisions = )"
       << (dim == 2 ? "7, 3" : "3, 4, 2") << R"(
  end
end
subsection Body upper
  set Material = rubber
  subsection Mesh
    set Type = box
    set Origin = 0, )"
       << (dim == 2 ? "" : "0, ") << R"(0.5
    set Size = 1, )"
       << y << R"(0.5
    set Divisions = )"
       << (dim == 2 ? "5, 3" : "4, 3, 2") << R"(
  end
end
)" << conditions
       << R"(
subsection Contact law joint
)" << law
       << R"(
end
subsection Interaction joint
  set Candidates = upper/bottom
  set Antagonists = lower/top
  set Law = joint
)" << interaction
       << R"(
end
subsection Contact solver
  set Tolerance = 1e-13
  set Maximum sweeps = 200000
end
subsection Output
  set Interval = 0
end
)";
  return text.str();
}

std::string condition(const std::string &name,
                      const std::string &type,
                      const std::string &surfaces,
                      const std::string &components,
                      const std::string &value)
{
  return "subsection Boundary condition " + name + "\n  set Type = " + type +
         "\n  set Surfaces = " + surfaces + "\n" +
         (components.empty() ? "" : "  set Components = " + components + "\n") +
         (value.empty() ? "" : "  set Value = " + value + "\n") + "end\n";
}

/// Both ends move along the last axis only, the sides x = 0 (and y = 0) are
/// held in their direction: a uniform stress for any Poisson ratio.
std::string squeeze(const int dim)
{
  const std::string up = dim == 2 ? "y" : "z";
  return condition("clamp", "fixed", "lower/bottom", up, "") +
         condition("press", "displacement", "upper/top", up, "-0.01*t") +
         condition("hold_x", "fixed", "upper/left, lower/left", "x", "") +
         (dim == 2
              ? ""
              : condition(
                    "hold_y", "fixed", "upper/front, lower/front", "y", ""));
}

/// Relative error of the extreme principal stresses of all quadrature points.
template <int dim>
double
error(const std::string &text, const double smallest, const double largest)
{
  const auto run    = test::run_text<dim>(text);
  const auto &state = run.summary["states"].back();
  EXPECT_TRUE(state["converged"].template get<bool>());
  return std::max(
             std::abs(
                 state["smallest_principal_stress"].template get<double>() -
                 smallest),
             std::abs(state["largest_principal_stress"].template get<double>() -
                      largest)) /
         std::abs(smallest);
}

const char *mortar = "  set Formulation = mortar";
const char *smooth = "  set Type = frictionless";
} // namespace

TEST(ContactPatch, MortarPassesInTheStripAndInTheBlock)
{
  EXPECT_LT(error<2>(patch(2, 0., smooth, mortar, squeeze(2)), -1e4, 0.), 1e-8);
  EXPECT_LT(error<3>(patch(3, 0., smooth, mortar, squeeze(3)), -1e4, 0.), 1e-8);
}

TEST(ContactPatch, MortarPassesWithPoissonRatio)
{
  // Plane strain: E / (1 - nu^2); in the plane the other stress is zero.
  EXPECT_LT(error<2>(patch(2, 0.3, smooth, mortar, squeeze(2)),
                     -1e4 / (1. - 0.09),
                     0.),
            1e-8);
  EXPECT_LT(error<3>(patch(3, 0.3, smooth, mortar, squeeze(3)), -1e4, 0.),
            1e-8);
}

TEST(ContactPatch, MortarPassesInTwoPasses)
{
  EXPECT_LT(error<2>(patch(2,
                           0.3,
                           smooth,
                           std::string(mortar) + "\n  set Passes = 2",
                           squeeze(2)),
                     -1e4 / (1. - 0.09),
                     0.),
            1e-8);
}

TEST(ContactPatch, FrictionCarriesAUniformShear)
{
  // tau = G gamma = 1000 on all sides, below mu p = 3000.
  const auto conditions =
      condition("clamp", "fixed", "lower/bottom", "", "") +
      condition("press", "displacement", "upper/top", "", "0.002*t; -0.01*t") +
      condition(
          "left", "traction", "upper/left, lower/left", "", "0; -1000*t") +
      condition(
          "right", "traction", "upper/right, lower/right", "", "0; 1000*t");
  const double root = std::sqrt(25e6 + 1e6);
  EXPECT_LT(error<2>(patch(2, 0., "  set Friction = 0.3", mortar, conditions),
                     -5000. - root,
                     -5000. + root),
            1e-8);
}

TEST(ContactPatch, OnePassOfPointsFails)
{
  // Nodes of one side against faces of the other: what is known of it. The
  // numbers are there so that a change is noticed.
  for (const char *kind : { "nodes", "midpoints", "gauss" })
  {
    const double e = error<2>(
        patch(2, 0., smooth, std::string("  set Points = ") + kind, squeeze(2)),
        -1e4,
        0.);
    EXPECT_GT(e, 0.01) << kind;
    EXPECT_LT(e, 1.) << kind;
  }
}
