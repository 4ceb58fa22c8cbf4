// Bodies larger than the share of a rank: cut along a curve, or held by p4est.
#include "run_on_all.h"

#include <deal.II/base/mpi.h>

namespace
{
/// A cantilever that swings after a push at its end, or bends slowly.
const char *cantilever = R"(
set Assumption = plane stress
subsection Time
  set End = 2
  set Step = 0.1
end
subsection Material steel
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Body beam
  set Material = steel
  set Body force = 0; -0.1*x*t
  subsection Mesh
    set Type = box
    set Size = 10, 2
    set Divisions = 10, 2
  end
end
subsection Boundary condition clamp
  set Type = displacement
  set Surfaces = left
  set Value = 0.01*t; 0
end
subsection Boundary condition push
  set Type = traction
  set Surfaces = right
  set Value = 0.5; -1
end
subsection Probe end
  set Point = 10, 1
end
subsection Output
  set Interval steps = 10
end
)";

/// Two blocks on the ground, pressed and pushed: the lower one slides.
const char *blocks = R"(
subsection Time
  set End = 0.2
  set Step = 0.02
end
subsection Material rubber
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Body lower
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 2, 1
    set Divisions = 6, 3
  end
end
subsection Body upper
  set Material = rubber
  subsection Mesh
    set Type = box
    set Origin = 0.5, 1
    set Size = 1, 1
    set Divisions = 4, 4
  end
end
subsection Boundary condition load
  set Type = pressure
  set Surfaces = upper/top
  set Value = 10
end
subsection Boundary condition push
  set Type = traction
  set Surfaces = lower/left
  set Value = 5; 0
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.2
end
subsection Interaction base
  set Candidates = lower/bottom
  set Antagonists = ground
  set Law = dry
  set Points = nodes
end
subsection Interaction joint
  set Candidates = upper/bottom
  set Antagonists = lower/top
  set Law = dry
  set Points = gauss
end
subsection Contact solver
  set Tolerance = 1e-9
  set Maximum sweeps = 100000
end
subsection Output
  set Interval steps = 10
end
)";

/// The results of all ranks together and of one alone; only rank 0 has them.
std::pair<test::Results, test::Results>
run_both(const char *text, const std::vector<std::string> &overrides)
{
  // A file that all ranks see.
  std::string file;
  std::unique_ptr<test::TemporaryDirectory> directory;
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
  {
    directory = std::make_unique<test::TemporaryDirectory>();
    file      = test::write_case(*directory, text);
  }
  file          = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, file);
  auto together = test::run_on_all<2>(file, overrides);
  auto alone    = test::run_file<2>(file, overrides, MPI_COMM_SELF);
  MPI_Barrier(MPI_COMM_WORLD);
  return { std::move(together), std::move(alone) };
}

void compare(std::vector<std::string> overrides, const bool dynamic)
{
  if (dynamic)
    overrides.insert(overrides.end(),
                     { "Time/Theta=0.5", "Material steel/Rayleigh mass=0.1" });
  else
    overrides.push_back("Time/Scheme=quasi static");
  const auto [together, alone] = run_both(cantilever, overrides);
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
    return;
  ASSERT_GT(std::abs(alone.history.at("end:u_y").back()), 1e-2);
  test::expect_same(alone.history,
                    together.history,
                    { "end:u_x",
                      "end:u_y",
                      "end:v_y",
                      "clamp:reaction_x",
                      "clamp:reaction_y",
                      "largest_displacement" },
                    1e-8);
  test::expect_same(alone.energy,
                    together.energy,
                    { "kinetic", "elastic", "external_work" },
                    1e-8);
  EXPECT_LT(together.summary["energy"]["worst_relative_residual"], 1e-10);
}

void compare_contact(const std::vector<std::string> &overrides)
{
  const auto [together, alone] = run_both(blocks, overrides);
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
    return;
  // It slides: the push of 5 less the friction of 0.2 times 10.
  EXPECT_GT(alone.history.at("largest_speed").back(), 0.05);
  test::expect_same(alone.history,
                    together.history,
                    { "base:force_x",
                      "base:force_y",
                      "joint:force_y",
                      "largest_displacement",
                      "largest_speed",
                      "contacts" },
                    1e-5);
  test::expect_same(alone.energy,
                    together.energy,
                    { "kinetic", "elastic", "external_work", "friction_work" },
                    1e-5);
  EXPECT_LT(together.summary["energy"]["worst_relative_residual"], 1e-10);
}
} // namespace

TEST(SplitBodies, ContactOfCutBodies)
{
  const std::vector<std::string> cut = {
    "Body lower/Mesh/Distribution=shared", "Body upper/Mesh/Distribution=shared"
  };
  compare_contact(cut);
  auto shared_factor = cut;
  shared_factor.push_back("Linear solver/Reproducible=false");
  compare_contact(shared_factor);
  auto quadratic = cut;
  quadratic.insert(quadratic.end(),
                   { "Body lower/Degree=2", "Body upper/Degree=2" });
  compare_contact(quadratic);
}

TEST(SplitBodies, ContactOfRefinedBodies)
{
  compare_contact(
      { "Body lower/Mesh/Refine where=0.3 - y; 0.8 - (x-1)^2 - (y-1)^2",
        "Body upper/Mesh/Refine where=1.3 - y",
        "Body upper/Mesh/Refine levels=2" });
}

TEST(SplitBodies, CutAlongACurve)
{
  for (const bool dynamic : { false, true })
  {
    for (const char *reproducible : { "true", "false" })
      compare({ "Body beam/Mesh/Distribution=shared",
                std::string("Linear solver/Reproducible=") + reproducible },
              dynamic);
    compare({ "Body beam/Mesh/Distribution=shared",
              "Body beam/Degree=2",
              "Body beam/Mass=lumped" },
            dynamic);
  }
}

TEST(SplitBodies, RefinedLocally)
{
  const std::string mesh                 = "Body beam/Mesh/";
  const std::vector<std::string> refined = {
    mesh + "Refine where=1 - x; 0.5 - (x-5)^2 - y^2", mesh + "Refine levels=2"
  };
  for (const bool dynamic : { false, true })
  {
    compare(refined, dynamic);
    auto quadratic = refined;
    quadratic.push_back("Body beam/Degree=2");
    compare(quadratic, dynamic);
  }
}
