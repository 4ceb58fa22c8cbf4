#ifndef delassus_linear_solvers_on_all_ranks_h
#define delassus_linear_solvers_on_all_ranks_h

#include <delassus/linear_solvers/symmetric_factor.h>

namespace delassus
{
/// Call @p factorize on this rank, and throw on all ranks what one of them
/// throws. @p what and @p bytes_allowed: of the message of a MemoryLimitError.
/// Collective.
template <typename Function>
void factorize_on_all(MPI_Comm communicator,
                      const std::string &what,
                      const double bytes_allowed,
                      const Function &factorize)
{
  enum
  {
    fine,
    not_definite,
    no_memory,
    failed
  };
  int state        = fine;
  double needed    = 0.;
  std::string text = "A matrix could not be factored on another rank.";
  try
  {
    factorize();
  }
  catch (const MemoryLimitError &e)
  {
    state  = no_memory;
    needed = e.needed;
  }
  catch (const NotPositiveDefinite &)
  {
    state = not_definite;
  }
  catch (const std::exception &e)
  {
    state = failed;
    text  = e.what();
  }
  MPI_Allreduce(MPI_IN_PLACE, &state, 1, MPI_INT, MPI_MAX, communicator);
  if (state == not_definite)
    throw_not_positive_definite("found by one of the ranks that share it");
  if (state == no_memory)
  {
    MPI_Allreduce(MPI_IN_PLACE, &needed, 1, MPI_DOUBLE, MPI_MAX, communicator);
    throw MemoryLimitError(what, needed, bytes_allowed);
  }
  if (state == failed)
    throw ComputationError(text);
}
} // namespace delassus

#endif
