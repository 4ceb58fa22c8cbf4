#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

// Every rank runs every test; a failure on any of them is a failure of all.
int main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  ::testing::InitGoogleTest(&argc, argv);
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
  {
    auto &listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  return dealii::Utilities::MPI::max(RUN_ALL_TESTS(), MPI_COMM_WORLD);
}
