// Bodies with many contact nodes: compliance at active nodes, or W that is
// applied only, and every linear solver: the same answers.
#include "run_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{
/// A long strip that bends over an uneven start: only a part of its nodes
/// touches the plane at first. 401 nodes at the bottom: 802 dofs.
const std::string strip = R"(
set Gravity = 3, -9.81
subsection Time
  set End = 6e-3
  set Step = 1e-3
end
subsection Material rubber
  set Density = 1000
  set Young modulus = 1e7
  set Poisson ratio = 0.3
end
subsection Body strip
  set Material = rubber
  set Initial velocity = 0.1 ; -0.3 - 0.5*x
  subsection Mesh
    set Type = box
    set Origin = 0, 1e-4
    set Size = 2, 0.02
    set Divisions = 400, 2
  end
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.4
end
subsection Interaction base
  set Candidates = strip/bottom
  set Antagonists = ground
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
  set Maximum sweeps = 100000
end
subsection Probe end
  set Point = 2, 0.02
end
subsection Output
  set Interval = 1
end
)";

void expect_same(const test::Results &a, const test::Results &b)
{
  for (const char *column : { "base:force_x",
                              "base:force_y",
                              "end:u_x",
                              "end:u_y",
                              "end:v_y",
                              "base:stick",
                              "base:slip" })
  {
    if (a.history.count(column) == 0)
      continue;
    const auto &x = a.history.at(column), &y = b.history.at(column);
    double largest = 0.;
    for (const double value : x)
      largest = std::max(largest, std::abs(value));
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], y[i], 1e-6 * largest) << column << " " << i;
  }
}
} // namespace

TEST(LargeBodies, FormOfWAndLinearSolverDoNotMatter)
{
  const auto reference = test::run_text<2>(strip);
  EXPECT_EQ(reference.summary["linear_solvers"]["strip"], "1 x CHOLMOD");
  EXPECT_TRUE(reference.summary["contact_solver"]["converged"]);
  // It has landed and presses.
  EXPECT_GT(reference.history.at("base:force_y").back(), 0.);
  for (const char *type : { "mumps", "amg" })
  {
    SCOPED_TRACE(type);
    std::vector<std::string> overrides = { std::string("Linear solver/Type=") +
                                           type };
    if (overrides[0].find("amg") != std::string::npos)
      overrides.push_back("Linear solver/Tolerance=1e-12");
    expect_same(reference, test::run_text<2>(strip, overrides));
  }
  // No memory for a factor nor for a compliance.
  const auto applied = test::run_text<2>(
      strip,
      { "Linear solver/Memory limit=1e-6", "Linear solver/Tolerance=1e-13" });
  EXPECT_EQ(applied.summary["linear_solvers"]["strip"], "1 x AMG-CG");
  EXPECT_EQ(applied.summary["contact_solver"]["delassus_storage"],
            "applied only");
  expect_same(reference, applied);
}
