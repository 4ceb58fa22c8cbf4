#ifndef delassus_linear_solvers_memory_budget_h
#define delassus_linear_solvers_memory_budget_h

#include <delassus/base/memory.h>
#include <delassus/parameters/parameters.h>

#include <mpi.h>

#include <cstddef>

namespace delassus
{
/// The bytes that factors and compliances may take on each rank, and how many
/// of them are taken. One budget is shared by all bodies.
class MemoryBudget
{
public:
  /// The limit of the parameters on each rank, or 60 % of the memory available
  /// now on the machine (or in its control group), divided by the ranks
  /// running on it. The same on all ranks: the smallest. Collective.
  MemoryBudget(const LinearSolverParameters &parameters, MPI_Comm communicator);

  double limit() const
  {
    return bytes;
  }

  /// What may still be taken.
  double available() const
  {
    return bytes > used ? bytes - used : 0.;
  }

  void take(const double n)
  {
    used += n;
  }

  void give_back(const double n)
  {
    used -= n;
  }

private:
  double bytes, used = 0.;
};
} // namespace delassus

#endif
