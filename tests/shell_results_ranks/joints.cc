// A sheet that is tied to a block: the same on all numbers of ranks.
#include "ranks/run_on_all.h"
#include "shell_results/joined_sheets.h"

using namespace test;

TEST(Joints, AreTheSameOnAllRanks)
{
  const std::string text = text_of({ strip, at_rest, load, to_block });
  const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
  std::string file;
  std::unique_ptr<TemporaryDirectory> directory;
  if (rank == 0)
  {
    directory = std::make_unique<TemporaryDirectory>();
    file      = write_case(*directory, text);
  }
  file           = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, file);
  const auto all = run_on_all<3>(file, {});
  if (rank == 0)
  {
    const auto one = run_file<3>(file);
    // To the tolerances of the loops, 1e-10.
    expect_same(
        all.history, one.history, { "end:u_z", "held:reaction_z" }, 1e-7);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}
