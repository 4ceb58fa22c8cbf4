// All ranks come to the same verdict on a run, and say it with the same words.
#include "tools/cases.h"

#include <delassus/base/exceptions.h>

namespace
{
using namespace test;

/// Two blocks of triangles and of quadrilaterals, so that two ranks have one
/// each, under a lid that goes down by @p depth; the second one may be free.
std::string blocks(const std::string &depth, const bool held)
{
  std::string text = R"(
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 0.1
end
subsection Material m
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Body first
  set Material = m
  subsection Mesh
    set Type = box
    set Cells = 8 T3
    set Size = 1, 1
  end
end
subsection Body second
  set Material = m
  subsection Mesh
    set Type = box
    set Origin = 2, 0
    set Size = 1, 1
    set Divisions = 4, 4
  end
end
subsection Boundary condition fix
  set Surfaces = first/bottom
end
subsection Obstacle lid
  set Point = 0, 1
  set Normal = 0, -1
  set Displacement = 0; -)" +
                     depth + R"(*t
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction press
  set Candidates = first/top, second/top
  set Antagonists = lid
  set Law = dry
  set Points = nodes
end
subsection Output
  set Interval steps = 0
end
)";
  if (held)
    text += "subsection Boundary condition fix_second\n  set Surfaces = "
            "second/bottom\nend\n";
  return text;
}

/// What run() throws, on this rank.
std::string error_of(const std::string &text,
                     const std::vector<std::string> &overrides = {})
{
  std::string error;
  try
  {
    run_everywhere<2>(text, overrides);
  }
  catch (const delassus::ComputationError &e)
  {
    error = e.what();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return error;
}

#define EXPECT_SAYS(text, part)                                                \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

void expect_same_everywhere(const std::string &text)
{
  for (const auto &other :
       dealii::Utilities::MPI::all_gather(MPI_COMM_WORLD, text))
    EXPECT_EQ(other, text);
}

TEST(Verdict, DistortedBodiesEndAllRanks)
{
  const auto error = error_of(blocks("1.5", true));
  EXPECT_SAYS(error, "body 'first': the cell at (");
  EXPECT_SAYS(error, "The last good state, of t = 0.");
  expect_same_everywhere(error);
  EXPECT_EQ(error_of(blocks("1.5", true), { "Checks/If distorted=go on" }), "");
  EXPECT_EQ(error_of(blocks("0.01", true)), "");
}

// Nothing is below the second block.
TEST(Verdict, ForcesOutOfBalanceFailOnAllRanks)
{
  const auto error = error_of(blocks("0.01", false) + R"(
subsection Boundary condition push
  set Type = traction
  set Surfaces = second/top
  set Value = 0; -1
end
)");
  EXPECT_SAYS(error,
              "NOT TRUSTWORTHY: forces are out of balance in 10 of 10 "
              "steps, the first at t = 0.1");
  expect_same_everywhere(error);
}
} // namespace
