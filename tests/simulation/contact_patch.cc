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
  set Tolerance = 1e-12
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

double
error_of(const test::Results &run, const double smallest, const double largest)
{
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

/// Relative error of the extreme principal stresses of all quadrature points.
template <int dim>
double error(const std::string &text,
             const double smallest,
             const double largest,
             const std::vector<std::string> &overrides = {})
{
  return error_of(test::run_text<dim>(text, overrides), smallest, largest);
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

TEST(ContactPatch, MortarPassesOnFacesOfDegreeTwo)
{
  const double expected = -1e4 / (1. - 0.09);
  for (const std::vector<std::string> &degrees :
       std::vector<std::vector<std::string>>{
           { "Body upper/Degree=2" },
           { "Body lower/Degree=2" },
           { "Body upper/Degree=2", "Body lower/Degree=2" } })
  {
    EXPECT_LT(
        error<2>(
            patch(2, 0.3, smooth, mortar, squeeze(2)), expected, 0., degrees),
        1e-8)
        << degrees[0];
    auto smaller = degrees;
    smaller.push_back("Body lower/Mesh/Divisions=2,2,1");
    smaller.push_back("Body upper/Mesh/Divisions=3,1,1");
    EXPECT_LT(
        error<3>(patch(3, 0.3, smooth, mortar, squeeze(3)), -1e4, 0., smaller),
        1e-8)
        << degrees[0];
  }
}

TEST(ContactPatch, MortarPassesOnTetrahedra)
{
  const test::TemporaryDirectory directory;
  std::ofstream(directory.path + "/block.geo") << R"(
If (!Exists(size)) size = 0.5; EndIf
If (!Exists(z)) z = 0; EndIf
Point(1) = {0, 0, z, size};
Point(2) = {1, 0, z, size};
Point(3) = {1, 1, z, size};
Point(4) = {0, 1, z, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
out[] = Extrude {0, 0, 0.5} { Surface{1}; };
Physical Surface("bottom") = {1};
Physical Surface("top") = {out[0]};
Physical Surface("front") = {out[2]};
Physical Surface("left") = {out[5]};
Physical Volume("block") = {out[1]};
)";
  std::string text = patch(3, 0.3, smooth, mortar, squeeze(3));
  // Gmsh's meshes in place of boxes.
  for (const char *numbers : { "size=0.6", "size=0.4, z=0.5" })
  {
    const auto begin = text.find("    set Type = box");
    const auto end   = text.find("  end", begin);
    text.replace(
        begin,
        end - begin,
        std::string("    set File = block.geo\n    set Gmsh numbers = ") +
            numbers + "\n");
  }
  const std::string file = test::write_case(directory, text);
  for (const char *degree : { "1", "2" })
    EXPECT_LT(error_of(test::run_file<3>(
                           file,
                           { std::string("Body upper/Degree=") + degree,
                             std::string("Body lower/Degree=") + degree }),
                       -1e4,
                       0.),
              1e-8)
        << degree;
}

TEST(ContactPatch, MortarPassesWithHangingNodes)
{
  for (const char *body : { "lower", "upper" })
  {
    const std::string refine =
        std::string("Body ") + body + "/Mesh/Refine where=x-0.5";
    EXPECT_LT(error<2>(patch(2, 0.3, smooth, mortar, squeeze(2)),
                       -1e4 / (1. - 0.09),
                       0.,
                       { refine }),
              1e-8)
        << body;
    EXPECT_LT(error<3>(patch(3, 0.3, smooth, mortar, squeeze(3)),
                       -1e4,
                       0.,
                       { refine,
                         "Body lower/Mesh/Divisions=2,2,1",
                         "Body upper/Mesh/Divisions=3,1,1" }),
              1e-8)
        << body;
  }
}

TEST(ContactPatch, OnePassOfPointsFails)
{
  // Points of one side against faces of the other: what is known of them.
  for (const char *kind : { "nodes", "midpoints", "gauss" })
  {
    const double e = error<2>(
        patch(2, 0., smooth, std::string("  set Points = ") + kind, squeeze(2)),
        -1e4,
        0.);
    EXPECT_GT(e, 1e-3) << kind;
    EXPECT_LT(e, 1.) << kind;
  }
}
