// A block with a slot from the right to the middle that is squeezed until the
// sides of the slot touch, one piece. By symmetry its upper half does what half
// the block does on a rigid plane in the middle, as long as frames are not
// updated (sides that tilt have other normals than the plane).
#include "run_case.h"
#include "slotted_block.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace test::slotted;

namespace
{
test::Results run(const bool half,
                  const bool dynamic,
                  const std::string &law,
                  const std::string &interaction,
                  const std::vector<std::string> &overrides = {})
{
  const test::TemporaryDirectory directory;
  write_mesh(directory.path + "/block.msh", half);
  const auto result = test::run_file<2>(
      test::write_case(directory, squeeze(half, dynamic, law, interaction)),
      overrides);
  EXPECT_LT(result.summary["energy"]["worst_relative_residual"], 1e-10);
  for (const double converged : result.history.at("converged"))
    EXPECT_EQ(converged, 1.);
  return result;
}

const char *smooth = "  set Type = frictionless\n";
const char *rough  = "  set Friction = 0.5\n";
const char *nodes  = "  set Points = nodes\n";
} // namespace

TEST(SelfContact, TheSlotOfASqueezedBlockCloses)
{
  for (const bool dynamic : { false, true })
  {
    const auto half =
        run(true, dynamic, smooth, sides("block/upper", "plane", nodes));
    const auto &force    = half.history.at("joint:normal_force");
    const auto &reaction = half.history.at("press:reaction_y");
    const auto &elastic  = half.energy.at("elastic");
    // It does close, and carries a good part of the load.
    EXPECT_GT(force.back(), 0.2 * std::abs(reaction.back()));
    EXPECT_EQ(force.front(), 0.);
    if (!dynamic)
    {
      EXPECT_NEAR(half.history.at("middle:reaction_y").back() + force.back(),
                  -reaction.back(),
                  1e-8 * force.back());
    }
    // One side against the other, the other against the one, both against both
    // (the points of both sides share the force), with friction that the
    // symmetry leaves without work.
    for (const char *law : { smooth, rough })
      for (const auto &interaction :
           { sides("block/upper", "block/lower", nodes),
             sides("block/lower", "block/upper", nodes),
             sides("block/upper",
                   "block/lower",
                   std::string(nodes) + "  set Passes = 2\n"),
             sides("block", "block", nodes) })
      {
        SCOPED_TRACE(interaction);
        const auto whole = run(false, dynamic, law, interaction);
        const auto &f    = whole.history.at("joint:normal_force");
        ASSERT_EQ(f.size(), force.size());
        for (std::size_t n = 0; n < f.size(); ++n)
        {
          EXPECT_NEAR(f[n], force[n], 1e-7 * force.back()) << n;
          EXPECT_NEAR(whole.history.at("press:reaction_y")[n],
                      reaction[n],
                      1e-7 * std::abs(reaction.back()));
          EXPECT_NEAR(whole.energy.at("elastic")[n],
                      2. * elastic[n],
                      1e-7 * elastic.back());
        }
      }
  }
}

TEST(SelfContact, RowsOfMortarTypeAndMidpoints)
{
  // Other discretizations of the same sides: the same by symmetry whichever
  // side is the candidate, and near the force of nodes.
  const auto reference =
      run(true, false, smooth, sides("block/upper", "plane", nodes))
          .history.at("joint:normal_force")
          .back();
  for (const std::string more : { "  set Formulation = mortar\n",
                                  "  set Points = midpoints\n",
                                  "  set Points = gauss\n" })
  {
    const auto a =
        run(false, false, smooth, sides("block/upper", "block/lower", more));
    const auto b =
        run(false, false, smooth, sides("block/lower", "block/upper", more));
    const double f = a.history.at("joint:normal_force").back();
    EXPECT_NEAR(b.history.at("joint:normal_force").back(), f, 1e-7 * f);
    EXPECT_NEAR(f, reference, 0.05 * reference) << more;
    EXPECT_NEAR(a.history.at("joint:force_y").back(), f, 1e-7 * f);
    EXPECT_NEAR(b.history.at("joint:force_y").back(), -f, 1e-7 * f);
  }
}

TEST(SelfContact, FramesThatFollowTheSides)
{
  // Detection again in every step; sides tilt by less than 1 %, whose cosine is
  // 1 - 5e-5.
  const auto half =
      run(true, false, smooth, sides("block/upper", "plane", nodes));
  const double f = half.history.at("joint:normal_force").back();
  for (const std::string both : { "block/upper", "block" })
  {
    const auto whole =
        run(false,
            false,
            smooth,
            sides(both, both == "block" ? both : "block/lower", nodes),
            { "Contact solver/Update distance=0" });
    EXPECT_NEAR(whole.history.at("joint:normal_force").back(), f, 5e-5 * f);
  }
}
