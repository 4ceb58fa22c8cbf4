#ifndef delassus_bodies_evaluate_on_all_h
#define delassus_bodies_evaluate_on_all_h

#include <delassus/base/exceptions.h>

#include <deal.II/base/mpi.h>

namespace delassus
{
/// Call @p evaluate, which looks at expressions at this rank's points: the
/// InputError of the first rank that has one is thrown on all of them, so that
/// none is left waiting for it. Collective.
template <typename Function>
void evaluate_on_all(MPI_Comm communicator, const Function &evaluate)
{
  namespace mpi      = dealii::Utilities::MPI;
  const auto n_ranks = mpi::n_mpi_processes(communicator);
  if (n_ranks == 1)
  {
    evaluate();
    return;
  }
  std::string error;
  unsigned int first = n_ranks;
  try
  {
    evaluate();
  }
  catch (const InputError &e)
  {
    error = e.what();
    first = mpi::this_mpi_process(communicator);
  }
  first = mpi::min(first, communicator);
  if (first < n_ranks)
    throw InputError(mpi::broadcast(communicator, error, first));
}
} // namespace delassus

#endif
