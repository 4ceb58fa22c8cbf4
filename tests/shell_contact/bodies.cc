// Sheets against rigid shapes, solids, other sheets and themselves.
#include "bodies.h"

using namespace test;

namespace
{
/// p a / (2 E) of a sheet of metal; of a block of rubber p L / E.
constexpr double half = 3. * 0.5 / (2. * 2000.), whole_block = 3. * 2. / 500.;
} // namespace

// The sheet is the candidate: on a block, points on its faces.
TEST(Bodies, SheetOnASolid)
{
  const SheetRun run(materials_and_ground + block(0., "4, 4, 2") +
                     sheet("sheet", 2.25, "metal", "4, 4") +
                     interaction("sheet/inner", "block/top") +
                     interaction("block/bottom", "ground") +
                     pressure("sheet/outer"));
  ASSERT_EQ(run.failure, "");
  EXPECT_NEAR(run.last("sheet:force_z"), 48., 1e-6);
  EXPECT_NEAR(run.last("block:force_z"), 48., 1e-6);
  EXPECT_NEAR(run.last("block:u_z"), -whole_block, 1e-6 * whole_block);
  EXPECT_NEAR(run.last("sheet:u_z"), -whole_block - half, 1e-6 * whole_block);
}

// The sheet is the antagonist: a block on it.
TEST(Bodies, SolidOnASheet)
{
  const SheetRun run(materials_and_ground + block(0.5, "4, 4, 2") +
                     sheet("sheet", 0.25, "metal", "4, 4") +
                     interaction("block/bottom", "sheet/outer") +
                     interaction("sheet/inner", "ground") +
                     pressure("block/top"));
  ASSERT_EQ(run.failure, "");
  EXPECT_NEAR(run.last("sheet:force_z"), 48., 1e-6);
  EXPECT_NEAR(run.last("block:force_z"), 48., 1e-6);
  EXPECT_NEAR(run.last("sheet:u_z"), -half, 1e-6 * whole_block);
  EXPECT_NEAR(
      run.last("block:u_z"), -whole_block - 2. * half, 1e-6 * whole_block);
}

// Two sheets, of meshes that do not match: compliances of both sides add up.
TEST(Bodies, SheetOnASheet)
{
  for (const bool whole : { false, true })
  {
    // All of the upper one against all of the lower one: sides find each other.
    const SheetRun run(materials_and_ground +
                       sheet("lower", 0.25, "metal", "4, 4") +
                       sheet("upper", 0.75, "rubber", "4, 4") +
                       interaction(whole ? "upper" : "upper/inner",
                                   whole ? "lower" : "lower/outer") +
                       interaction(whole ? "lower" : "lower/inner", "ground") +
                       pressure("upper/outer"));
    ASSERT_EQ(run.failure, "");
    EXPECT_NEAR(run.last("lower:force_z"), 48., 1e-5);
    EXPECT_NEAR(run.last("upper:force_z"), 48., 1e-5);
    EXPECT_NEAR(run.last("lower:u_z"), -half, 1e-4 * half);
    EXPECT_NEAR(run.last("upper:u_z"), -2. * half - 4. * half, 1e-4 * half);
  }
}

namespace
{
struct FoldedRun
{
  explicit FoldedRun(const std::vector<std::string> &more = {})
  {
    std::ofstream(files.path + "/folded.msh") << folded_mesh(1., 8);
    auto overrides = more;
    overrides.push_back("Body strip/Mesh/File=" + files.path + "/folded.msh");
    run = std::make_unique<SheetRun>(folded, overrides);
  }
  const TemporaryDirectory files;
  std::unique_ptr<SheetRun> run;
};
} // namespace

// The legs of a strip that is folded onto itself touch face to face, half a
// thickness of each from their middles; before, nothing does.
TEST(Bodies, FoldedStripTouchesItself)
{
  const FoldedRun free({ "Time/End=0.5" });
  ASSERT_EQ(free.run->failure, "");
  // (No face sees its back, or its neighbours.)
  EXPECT_EQ(free.run->last("self:stick") + free.run->last("self:slip"), 0.);

  const FoldedRun closed;
  const auto &run = *closed.run;
  ASSERT_EQ(run.failure, "");
  EXPECT_GT(run.last("self:normal_force"), 0.);
  EXPECT_GT(run.last("self:stick") + run.last("self:slip"), 1.);
  // Inner sides face each other: middles are a thickness apart where the end
  // presses, but for what they are pressed in, and the slope.
  // (The legs have a slope of up to 0.3 there, and have slid.)
  const double apart = 2. + run.last("upper:u_z") - run.last("lower:u_z"),
               slid  = run.last("lower:u_x") - run.last("upper:u_x");
  EXPECT_NEAR(apart, 0.1, 0.3 * std::abs(slid) + 0.05 * 0.1);
}

// A sheet that is bent to a quarter of a circle, or squeezed between plates,
// does not touch itself through its thickness.
TEST(Bodies, NoContactThroughTheThickness)
{
  const std::string self =
      "subsection Contact law own\n  set Type = frictionless\nend\n"
      "subsection Interaction self\n  set Candidates = strip\n  set "
      "Antagonists "
      "= strip\n  set Law = own\n  set Points = nodes\n  set Search distance = "
      "2\nend\n";
  const SheetRun bent(bent_strip + self);
  ASSERT_EQ(bent.failure, "");
  EXPECT_EQ(bent.last("contacts"), 0.);

  std::string text = squeezed_sheet;
  text += "subsection Interaction self\n  set Candidates = sheet\n  set "
          "Antagonists = sheet\n  set Law = plain\n  set Search distance = "
          "2\nend\n";
  const SheetRun squeezed(text, { "Obstacle upper/Displacement=0; 0; -0.1*t" });
  ASSERT_EQ(squeezed.failure, "");
  EXPECT_EQ(squeezed.last("self:normal_force"), 0.);
  EXPECT_NEAR(squeezed.last("below:force_z"), 6400., 1e-6 * 6400.);
}
