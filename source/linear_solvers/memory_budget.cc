#include <delassus/linear_solvers/memory_budget.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace delassus
{
double available_memory()
{
  double available = 0.;
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("MemAvailable:", 0) == 0)
    {
      std::istringstream words(line.substr(13));
      words >> available;
      available *= 1024.;
    }
  // A container's share; "max" if there is no limit.
  std::ifstream most("/sys/fs/cgroup/memory.max");
  std::ifstream now("/sys/fs/cgroup/memory.current");
  double limit = 0., current = 0.;
  if (most >> limit && now >> current && limit > 0.)
  {
    const double left = std::max(0., limit - current);
    available         = available > 0. ? std::min(available, left) : left;
  }
  return available;
}

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
