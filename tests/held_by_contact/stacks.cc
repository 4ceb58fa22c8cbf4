// Blocks on top of each other, the lowest one fixed, that only contact holds:
// whatever their moduli, the contacts carry what is loaded on them.
#include "tools/cases.h"

#include <delassus/base/exceptions.h>

#include <fmt/format.h>

using namespace test;

namespace
{
struct Stack
{
  std::vector<double> moduli;  ///< from below
  double push            = 0.; ///< traction on the left of the uppermost block
  std::string model      = ""; ///< of the material; empty: linear elastic
  double fictitious_mass = 1.;
  double press           = 1.; ///< pressure on the uppermost block
};

/// Blocks 1 x 1 under a pressure, in one step.
std::string text_of(const Stack &stack)
{
  std::string text = fmt::format(R"(
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 1
  set Fictitious mass = {}
end
subsection Boundary condition base
  set Surfaces = b0/bottom
end
subsection Boundary condition press
  set Type = pressure
  set Surfaces = b{}/top
  set Value = {}
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Output
  set Interval steps = 0
end
subsection Checks
  set If distorted = go on
end
)",
                                 stack.fictitious_mass,
                                 stack.moduli.size() - 1,
                                 stack.press);
  if (stack.push != 0.)
    text += fmt::format(R"(
subsection Boundary condition push
  set Type = traction
  set Surfaces = b{}/left
  set Value = {}; 0
end
)",
                        stack.moduli.size() - 1,
                        stack.push);
  for (unsigned int i = 0; i < stack.moduli.size(); ++i)
  {
    text +=
        fmt::format(R"(
subsection Material m{0}
  set Density = 1
  set Young modulus = {1}
  set Poisson ratio = 0
  {2}
end
subsection Body b{0}
  set Material = m{0}
  subsection Mesh
    set Type = box
    set Origin = 0, {0}
    set Size = 1, 1
    set Divisions = 3, 3
  end
end
)",
                    i,
                    stack.moduli[i],
                    stack.model.empty() ? "" : "set Model = " + stack.model);
    if (i > 0)
      text += fmt::format(R"(
subsection Interaction c{0}
  set Candidates = b{1}/top
  set Antagonists = b{0}/bottom
  set Law = dry
  set Points = nodes
end
)",
                          i,
                          i - 1);
  }
  return text;
}

/// Forces in all contacts to 1e-6, in at most @p most iterations.
void expect_carried(const Stack &stack, const unsigned int most)
{
  // Newton loops: a pressure turns with its face, which leans by as much as the
  // gaps are wrong.
  const bool newton = !stack.model.empty();
  const auto run =
      run_everywhere<2>(text_of(stack),
                        { newton ? "Contact solver/Tolerance=1e-8"
                                 : "Contact solver/Tolerance=1e-5" });
  if (!has_tables())
    return;
  std::string name =
      stack.model +
      fmt::format(" push {} s {} E", stack.push, stack.fictitious_mass);
  for (const double E : stack.moduli)
    name += fmt::format(" {:g}", E);
  for (unsigned int i = 1; i < stack.moduli.size(); ++i)
  {
    const auto force = [&](const char *component) {
      return run.history.at(fmt::format("c{}:force_{}", i, component)).back();
    };
    // Loads follow the faces of finite deformations: only their sizes are
    // known, unless nothing turns.
    if (!newton || stack.push == 0.)
    {
      EXPECT_NEAR(force("y"), -stack.press, 2e-6 * stack.press) << name;
      EXPECT_NEAR(force("x"), stack.push, 2e-6 * stack.press) << name;
    }
    else if (i > 1)
    {
      EXPECT_NEAR(
          force("y"), run.history.at("c1:force_y").back(), 2e-6 * stack.press)
          << name;
      EXPECT_NEAR(
          force("x"), run.history.at("c1:force_x").back(), 2e-6 * stack.press)
          << name;
    }
    else
    {
      EXPECT_NEAR(force("y"), -stack.press, 0.01 * stack.press) << name;
    }
  }
  if (newton)
  {
    EXPECT_LE(run.summary["newton"]["iterations"], most) << name;
    EXPECT_EQ(run.summary["newton"]["steps_cut"], 0) << name;
  }
  else
  {
    EXPECT_LE(run.summary["equilibrium"]["most_iterations"], most) << name;
    EXPECT_EQ(run.summary["equilibrium"]["steps_not_balanced"], 0) << name;
    EXPECT_LE(run.summary["equilibrium"]["worst_out_of_balance"], 1e-6) << name;
  }
}

/// The message of the error with which a run ends; on all ranks.
std::string failure(const std::string &text,
                    const std::vector<std::string> &overrides = {})
{
  try
  {
    run_everywhere<2>(text, overrides);
  }
  catch (const delassus::ComputationError &e)
  {
    return e.what();
  }
  return "";
}

const char *stop = "Contact solver/If not converged=stop";
} // namespace

TEST(HeldByContact, AnyRatioOfStiffnesses)
{
  for (const double ratio : { 1., 1e2, 1e5, 1e8, 1e-5, 1e-8 })
    for (const double push : { 0., 0.2 })
      expect_carried({ { 100., 100. * ratio }, push }, 40);
}

TEST(HeldByContact, AnyFictitiousMass)
{
  for (const double mass : { 1e-6, 1e-3, 0.1, 1., 10. })
    for (const double ratio : { 1., 1e5 })
      for (const double push : { 0., 0.2 })
        expect_carried({ { 100., 100. * ratio }, push, "", mass }, 60);
}

TEST(HeldByContact, ThreeOnTopOfEachOther)
{
  for (const auto &moduli : { std::vector<double>{ 1e2, 1e7, 1e7 },
                              std::vector<double>{ 1e2, 1e10, 1e10 },
                              std::vector<double>{ 1e2, 1e10, 1e2 },
                              std::vector<double>{ 1e10, 1e2, 1e10 },
                              std::vector<double>{ 1e2, 1e6, 1e10 } })
    for (const double push : { 0., 0.1 })
      expect_carried({ moduli, push }, 40);
}

TEST(HeldByContact, NewtonLoopsAlike)
{
  for (const char *model : { "neo-Hookean", "Saint Venant-Kirchhoff" })
  {
    for (const auto &moduli : { std::vector<double>{ 1e2, 1e2 },
                                std::vector<double>{ 1e2, 1e4 },
                                std::vector<double>{ 1e2, 1e7 },
                                std::vector<double>{ 1e2, 1e10 },
                                std::vector<double>{ 1e7, 1e2 } })
      for (const double push : { 0., 0.2 })
        expect_carried({ moduli, push, model }, 40);
    expect_carried({ { 1e2, 1e7, 1e7 }, 0.1, model }, 40);
    expect_carried({ { 1e2, 1e10, 1e10 }, 0.1, model }, 40);
  }
}

TEST(HeldByContact, WhatSlidesAwayIsNamed)
{
  // Friction holds half of the pressure.
  for (const double ratio : { 1., 1e5 })
  {
    Stack stack{ { 100., 100. * ratio }, 0.51 };
    const std::string why = failure(text_of(stack), { stop });
    EXPECT_NE(why.find("body 'b1'"), std::string::npos) << why;
    EXPECT_NE(why.find("does not hold it"), std::string::npos) << why;
    // Newton loops find it too.
    stack.model           = "neo-Hookean";
    stack.push            = 0.6;
    const std::string too = failure(text_of(stack));
    EXPECT_NE(too.find("body 'b1'"), std::string::npos) << too;
  }
  // A little less is held.
  expect_carried({ { 100., 1e7 }, 0.45 }, 60);
}

TEST(HeldByContact, WhatNothingTouchesIsNamed)
{
  // The uppermost block is pulled off.
  for (const char *model : { "", "neo-Hookean" })
  {
    Stack stack{ { 100., 1e7 }, 0., model };
    stack.press           = -1.;
    const std::string why = failure(text_of(stack), { stop });
    EXPECT_NE(why.find("body 'b1'"), std::string::npos) << why;
    EXPECT_NE(why.find("nothing touches it"), std::string::npos) << why;
  }
}

TEST(HeldByContact, WhatNothingLoadsStays)
{
  for (const char *model : { "", "neo-Hookean" })
  {
    auto text = text_of({ { 100., 1e7, 1e4 }, 0., model });
    text      = replaced(text, "Surfaces = b2/top", "Surfaces = b1/top");
    text      = replaced(text, "Origin = 0, 2", "Origin = 5, 2");
    text += "subsection Probe p\n  set Body = b2\n  set Point = 5, 2\nend\n";
    const auto run = run_everywhere<2>(text);
    if (!has_tables())
      continue;
    EXPECT_NEAR(run.history.at("c1:force_y").back(), -1., 1e-6);
    EXPECT_EQ(run.history.at("p:u_x").back(), 0.);
    EXPECT_EQ(run.history.at("p:u_y").back(), 0.);
  }
}
