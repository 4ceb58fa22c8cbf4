// Conditions that prescribe the motion of the same nodes.
#include "make_bodies.h"

#include <delassus/base/exceptions.h>
#include <delassus/bodies/driven_dofs.h>

#include <gtest/gtest.h>

using namespace delassus;
using namespace dealii;
using namespace small;

namespace
{
/// 4 x 4 quadrilaterals on the unit square; the nodes of the left side are off
/// it by rounding.
MeshData<2> square()
{
  Grid<2> grid;
  grid.n   = { { 4, 4 } };
  grid.map = [](const Point<2> &p)
  { return Point<2>(p[0] == 0. ? 1e-17 : p[0], p[1]); };
  return make_grid(grid);
}

BoundaryConditionParameters
condition(const std::string &name,
          const BoundaryConditionType type,
          const std::string &value,
          const std::vector<unsigned int> &components = {})
{
  BoundaryConditionParameters result;
  result.name       = name;
  result.type       = type;
  result.value      = value;
  result.components = components;
  return result;
}

template <typename Error, typename Task>
std::string error_of(const Task &task)
{
  try
  {
    task();
  }
  catch (const Error &e)
  {
    return e.what();
  }
  return "";
}

constexpr auto fixed_type   = BoundaryConditionType::fixed;
constexpr auto displacement = BoundaryConditionType::displacement;
constexpr auto velocity     = BoundaryConditionType::velocity;
} // namespace

TEST(SharedDofs, ConditionsThatAgreeAreAccepted)
{
  const auto body = make_body(square());
  const std::vector<
      std::pair<BoundaryConditionParameters, BoundaryConditionParameters>>
      pairs = {
        // A plane of symmetry and a motion that keeps it, up to rounding.
        { condition("axis", fixed_type, "", { 0 }),
          condition("move", displacement, "0.02*t*x; 0.02*t*y") },
        { condition("move", displacement, "0.02*t*x; 0.02*t*y"),
          condition("axis", fixed_type, "", { 0 }) },
        { condition("axis", velocity, "0; 0", { 0 }),
          condition("move", velocity, "x; sin(t)") },
        { condition("a", displacement, "0.3*t; 1e-3*sin(9*t)"),
          condition("b", displacement, "0.1*3*t; sin(9*t)/1000") },
        // A displacement and the velocity that leads to it.
        { condition("a", displacement, "0.5*t; -2*t"),
          condition("b", velocity, "0.5; -2") },
        // One that has no value at the start, where no step asks for it.
        { condition("a", displacement, "x*t; 0*y/t"),
          condition("b", displacement, "x*t; 0", { 0 }) }
      };
  for (const auto &pair : pairs)
  {
    TimeParameters time;
    time.step = 0.01;
    DrivenDofs<2> driven(*body, time);
    driven.add(pair.first, body->surface("left", "test"));
    const unsigned int n = driven.n_dofs();
    driven.add(pair.second, body->surface("top", "test"));
    // Nodes of the second surface that the first has not.
    EXPECT_GT(driven.n_dofs(), n);
    for (const double t : { 0., 0.17, 0.5, 0.99 })
      EXPECT_NO_THROW(driven.watch(t, 0.01, 1.)) << pair.first.value;
    // The corner belongs to the first.
    for (unsigned int i = 0; i < body->n_nodes(); ++i)
      if (body->nodes[i].distance(Point<2>(0., 1.)) < 1e-12 &&
          driven.is_driven(2 * i))
      {
        EXPECT_EQ(driven.condition_of(2 * i), 0u);
      }
  }
}

TEST(SharedDofs, OneConditionOnSurfacesThatMeet)
{
  const auto body = make_body(square());
  DrivenDofs<2> driven(*body);
  const auto move = condition("move", displacement, "0.1*t*x; 0.2*t*y");
  driven.add(move, body->surface("left", "test"));
  driven.add(move, body->surface("top", "test"));
  EXPECT_EQ(driven.n_dofs(), 2u * 9u);
}

TEST(SharedDofs, ConditionsThatDifferAreRefused)
{
  const auto body = make_body(square());
  struct Case
  {
    BoundaryConditionParameters first, second;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases = {
    { condition("left", displacement, "0.1; 0"),
      condition("top", displacement, "0.2; 0"),
      { "'left' and 'top'",
        "component x",
        "0.1 (displacement)",
        "0.2 (disp" } },
    { condition("left", fixed_type, ""),
      condition("top", displacement, "0; -0.5*t"),
      { "component y", "0 (fixed)", "-0.03125 (displacement)", "t = 0.0625" } },
    // The same at the start and at the end.
    { condition("left", velocity, "1; 0", { 0 }),
      condition("top", velocity, "1 + 0.001*sin(pi*t); 0"),
      { "1 (velocity)" } },
    // The same at all times that are regular parts of the duration.
    { condition("left", displacement, "0; 1"),
      condition("top", displacement, "0; cos(32*pi*t)"),
      { "1 (displacement)" } },
    { condition("left", displacement, "t*t; 0"),
      condition("top", velocity, "t; 0"),
      { "(displacement) and", "(velocity)" } }
  };
  for (const Case &one : cases)
  {
    DrivenDofs<2> driven(*body);
    driven.add(one.first, body->surface("left", "test"));
    const std::string text = error_of<InputError>(
        [&]() {
          driven.add(
              one.second, body->surface("top", "test"), "case.prm:7: entry");
        });
    EXPECT_EQ(text.find("case.prm:7: entry: contradictory settings"), 0u)
        << text;
    EXPECT_NE(text.find("at the node near (1e-17, 1)"), std::string::npos)
        << text;
    for (const auto &part : one.parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST(SharedDofs, AreWatchedInEveryStep)
{
  const auto body = make_body(square());
  DrivenDofs<2> driven(*body); // from 0 to 1
  driven.add(condition("left", fixed_type, "", { 0 }),
             body->surface("left", "test"));
  driven.add(condition("top", displacement, "max(0, t - 1); -t"),
             body->surface("top", "test"));
  EXPECT_NO_THROW(driven.watch(0.9, 0.1, 1.));
  const std::string text =
      error_of<ComputationError>([&]() { driven.watch(1., 0.5, 1.); });
  for (const char *part :
       { "'left' and 'top'", "0 (fixed)", "0.5 (displacement)", "t = 1.5" })
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}
