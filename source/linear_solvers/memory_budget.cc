#include <delassus/linear_solvers/memory_budget.h>

namespace delassus
{
MemoryBudget::MemoryBudget(const LinearSolverParameters &parameters,
                           MPI_Comm communicator)
    : bytes(parameters.memory_limit * 1024. * 1024. * 1024.)
{
  if (parameters.memory_limit > 0.)
    return;
  int running = 0;
  MPI_Initialized(&running);
  int ranks_here = 1;
  if (running)
  {
    MPI_Comm node;
    MPI_Comm_split_type(
        communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks_here);
    MPI_Comm_free(&node);
  }
  const double available = available_memory();
  bytes = available > 0. ? 0.6 * available / ranks_here : 1e300;
  if (running)
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_MIN, communicator);
}
} // namespace delassus
