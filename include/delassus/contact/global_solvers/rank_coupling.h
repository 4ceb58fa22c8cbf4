#ifndef delassus_contact_global_solvers_rank_coupling_h
#define delassus_contact_global_solvers_rank_coupling_h

#include <cstddef>
#include <string>
#include <vector>

namespace delassus
{
/// A contact problem whose contacts are shared among ranks: what a solver on
/// one rank needs of the others. Each rank has the rows of W of its own
/// contacts; the impulses of other ranks' contacts that these are coupled with
/// are ghosts, columns of W after the own ones.
///
/// Ranks with coupled contacts are neighbours, and neighbours have different
/// colours. A sweep visits coupled contacts colour by colour, each with the
/// latest impulses of its neighbours, so that the whole is a true Gauss-Seidel
/// sweep: it converges whenever that of one rank does, however strong the
/// coupling. Ranks do not wait for their turn, because contacts that are
/// coupled with no other rank may be visited at any time: a forward sweep
/// visits `first`, then `coupled`, then `last`; a backward one the reverse.
template <int dim>
class RankCoupling
{
public:
  /// Own contacts begin ... end-1.
  struct Range
  {
    std::size_t begin, end;
  };

  virtual ~RankCoupling() = default;

  std::vector<Range> first, coupled, last; ///< each increasing

  /// A new exchange begins: messages are numbered from zero.
  virtual void start() = 0;

  /// The next message: the impulses of own coupled contacts to the neighbours.
  /// @p impulses as in a sweep, contact a at sweep_stride<dim> * a.
  virtual void send(const double *impulses) = 0;

  /// Wait for the messages up to number @p lower of neighbours with a lower
  /// colour and up to number @p higher of the others. The latest impulses go
  /// to @p ghosts, ghost g at sweep_stride<dim> * g; false if nothing is new.
  virtual bool
  receive(unsigned int lower, unsigned int higher, double *ghosts) = 0;

  // Over all ranks, the same result on each.
  virtual void sum(double *values, std::size_t n) const     = 0;
  virtual void maximum(double *values, std::size_t n) const = 0;

  virtual unsigned int rank() const = 0;

  /// The first message of any rank that is not empty.
  virtual std::string first_error(const std::string &mine) const = 0;
};
} // namespace delassus

#endif
