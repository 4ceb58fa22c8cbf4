// Finite deformations, plasticity and contact: the results on all ranks against
// those on one, and runs that are stopped and resumed.
#include "run_on_all.h"
#include "newton/cases.h"
#include "stop_and_resume.h"

using namespace test;

namespace
{
/// A block of soft metal that falls on a plane, turned a little by its speed.
const char *falling_block = R"(
set Dimension = 3
subsection Time
  set End  = 0.02
  set Step = 1e-3
end
subsection Material metal
  set Model             = J2
  set Density           = 1000
  set Young modulus     = 1e7
  set Poisson ratio     = 0.3
  set Yield stress      = 1e5
  set Hardening modulus = 1e5
end
subsection Body block
  set Material         = metal
  set Initial velocity = 2; 0; -8
  set Mass             = lumped
  subsection Mesh
    set Type      = box
    set Size      = 0.1, 0.1, 0.2
    set Origin    = 0, 0, 0.001
    set Divisions = 2, 2, 4
  end
end
subsection Obstacle ground
  set Normal = 0, 0, 1
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction foot
  set Candidates  = block/bottom
  set Antagonists = ground
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Newton
  set Tolerance = 1e-9
end
subsection Probe corner
  set Point = 0.1, 0.1, 0.201
end
subsection Output
  set Interval steps = 5
end
)";

const Case taylor = example("taylor_bar.prm",
                            { "Body rod/Mesh/Divisions=3, 12",
                              "Time/End=6e-6",
                              "Newton/Tolerance=1e-9",
                              "Contact solver/Tolerance=1e-10",
                              "Output/Interval=2e-6" });

/// The file of falling_block, known to all ranks.
struct FallingBlock
{
  FallingBlock()
      : file(directory.path + "/case.prm")
  {
    if (rank_in(MPI_COMM_WORLD) == 0)
      std::ofstream(file) << falling_block;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Case with(const std::vector<std::string> &overrides) const
  {
    return { file, overrides };
  }
  SharedDirectory directory;
  std::string file;
};

template <int dim>
void expect_same_on_all(const Case &what,
                        const std::vector<std::string> &history,
                        const double tolerance)
{
  const auto together = run_on_all<dim>(what.file, what.overrides);
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  const auto alone = run_file<dim>(what.file, what.overrides);
  expect_same(alone.history, together.history, history, tolerance);
  expect_same(alone.energy,
              together.energy,
              { "kinetic", "elastic", "inelastic_work" },
              tolerance);
  EXPECT_LT(together.summary["energy"]["worst_relative_residual"], 1e-10);
  EXPECT_GT(together.summary["energy"]["inelastic_work"], 0.);
  for (const char *stress : { "largest_von_mises_stress",
                              "smallest_principal_stress",
                              "smallest_principal_moment_stress" })
  {
    const double a = alone.summary["states"].back()[stress];
    const double b = together.summary["states"].back()[stress];
    EXPECT_NEAR(a, b, 1e2 * tolerance * std::abs(a)) << stress;
  }
}

const std::vector<std::string> block_history = {
  "foot:force_x", "foot:force_z",         "contacts",
  "corner:u_x",   "corner:u_z",           "corner:v_z",
  "substeps",     "largest_displacement", "largest_speed"
};
const std::vector<std::string> cut_block = {
  "Body block/Mesh/Distribution=shared"
};
const std::vector<std::string> refined_block = {
  "Body block/Mesh/Refine where=0.05 - z"
};
} // namespace

TEST(FiniteDeformation, TaylorBarOnAllRanks)
{
  expect_same_on_all<2>(
      taylor,
      { "foot:force_y", "top:u_y", "foot:u_x", "largest_displacement" },
      1e-6);
}

TEST(FiniteDeformation, BlockOnAllRanks)
{
  const FallingBlock block;
  expect_same_on_all<3>(block.with({}), block_history, 1e-6);
  expect_same_on_all<3>(block.with(cut_block), block_history, 1e-6);
}

TEST(FiniteDeformation, RefinedBlockOnAllRanks)
{
  const FallingBlock block;
  expect_same_on_all<3>(block.with(refined_block), block_history, 1e-6);
}

// A tangent that is not positive definite is found by all ranks together.
TEST(FiniteDeformation, IndefiniteTangentsOnAllRanks)
{
  const SharedDirectory directory;
  const std::string file = directory.path + "/case.prm";
  if (rank_in(MPI_COMM_WORLD) == 0)
    std::ofstream(file) << test::block();
  MPI_Barrier(MPI_COMM_WORLD);
  const std::vector<std::string> pushed = {
    "Boundary condition top/Value=if(t<1, 0, 0.8*(t-1)); -0.2*min(t, 1)",
    "Body block/Mesh/Divisions=16, 8"
  };
  auto cut = pushed;
  cut.push_back("Body block/Mesh/Distribution=shared");
  const auto together = run_on_all<2>(file, cut);
  if (rank_in(MPI_COMM_WORLD) == 0)
  {
    const auto alone = run_file<2>(file, pushed);
    EXPECT_GT(together.summary["newton"]["indefinite_tangents"], 0);
    expect_same(alone.history,
                together.history,
                { "base:force_x", "base:force_y", "top:reaction_x" },
                1e-6);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(FiniteDeformation, ResumedBitForBit)
{
  const FallingBlock block;
  stop_and_resume<2>(taylor, { 2, 7 });
  auto every_step = taylor;
  every_step.overrides.push_back("Newton/Matrix=step");
  stop_and_resume<2>(every_step, { 5 });
  stop_and_resume<3>(block.with({}), { 3, 8 });
  stop_and_resume<3>(block.with(cut_block), { 4 });
  stop_and_resume<3>(block.with(refined_block), { 4 });
}

TEST(FiniteDeformation, MatricesAreRenewedAtCheckpoints)
{
  // Both runs have checkpoints where the second one is stopped.
  for (const std::string matrix : { "frozen", "lumped", "explicit" })
    stop_and_resume<2>(
        example(
            "taylor_bar.prm",
            { "Body rod/Mesh/Divisions=3, 12",
              "Newton/Matrix=" + matrix,
              "Newton/Frozen steps=5",
              "Output/Checkpoint steps=3",
              "Output/Interval=1e-6",
              matrix == "frozen" ? "Time/End=5e-6" : "Time/End=0.8e-6",
              matrix == "frozen" ? "Time/Step=0.5e-6" : "Time/Step=0.05e-6" }),
        { 6 });
}

TEST(FiniteDeformation, ResumedOnAnotherNumberOfRanks)
{
  const FallingBlock falling;
  for (const auto &overrides :
       { std::vector<std::string>{}, cut_block, refined_block })
  {
    const Case block = falling.with(overrides);
    const SharedDirectory directory;
    const bool root         = rank_in(MPI_COMM_WORLD) == 0;
    const std::string whole = directory.path + "/whole",
                      fewer = directory.path + "/fewer",
                      more  = directory.path + "/more";
    run<3>(block, fewer, false, 6, MPI_COMM_WORLD);
    if (root)
    {
      run<3>(block, whole, false, 0, MPI_COMM_SELF);
      run<3>(block, fewer, true, 0, MPI_COMM_SELF);
      run<3>(block, more, false, 6, MPI_COMM_SELF);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    run<3>(block, more, true, 0, MPI_COMM_WORLD);
    if (!root)
      continue;
    for (const auto &other : { fewer, more })
    {
      expect_near(read_csv(whole + "/history.csv"),
                  read_csv(other + "/history.csv"),
                  block_history,
                  1e-6);
      expect_near(read_csv(whole + "/energy.csv"),
                  read_csv(other + "/energy.csv"),
                  { "kinetic", "elastic", "inelastic_work" },
                  1e-6);
    }
  }
}
