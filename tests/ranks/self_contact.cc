// A body that touches itself, whole on one rank and cut over all of them.
#include "run_on_all.h"
#include "simulation/slotted_block.h"

using namespace test;

namespace
{
void same_on_all(const bool dynamic,
                 const std::vector<std::string> &more,
                 const double tolerance,
                 const double longer = 0.)
{
  std::string file;
  std::unique_ptr<TemporaryDirectory> directory;
  const bool first =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  if (first)
  {
    directory = std::make_unique<TemporaryDirectory>();
    slotted::write_mesh(directory->path + "/block.msh", false, longer);
    file = write_case(
        *directory,
        slotted::squeeze(
            false,
            dynamic,
            "  set Friction = 0.5\n",
            slotted::sides("block", "block", "  set Points = nodes\n")));
  }
  file = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, file);
  // By each rank for itself: reading a mesh is collective.
  const auto alone = run_file<2>(file, more);
  for (const bool cut : { false, true })
  {
    auto overrides = more;
    if (cut)
      overrides.push_back("Body block/Mesh/Distribution=shared");
    const auto together = run_on_all<2>(file, overrides);
    if (!first)
      continue;
    EXPECT_GT(alone.history.at("joint:normal_force").back(), 0.);
    expect_same(alone.history,
                together.history,
                { "joint:normal_force", "press:reaction_y", "contacts" },
                tolerance);
    expect_same(
        alone.energy, together.energy, { "elastic", "kinetic" }, tolerance);
  }
}
} // namespace

TEST(SelfContact, OnAllRanks)
{
  same_on_all(false, {}, 1e-7);
  same_on_all(true, {}, 1e-7);
}

TEST(SelfContact, OfAFiniteDeformationOnAllRanks)
{
  const std::vector<std::string> rubber = { "Material rubber/Model=neo-Hookean",
                                            "Newton/Tolerance=1e-10" };
  same_on_all(false, rubber, 1e-6);
  // Nodes opposite to nodes would touch the one or the other face as roundings
  // say, on one rank too, and the first impact differs by a factor of 4.
  same_on_all(true, rubber, 1e-6, 0.05);
}
