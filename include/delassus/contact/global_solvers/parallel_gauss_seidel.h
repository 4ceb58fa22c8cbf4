#ifndef delassus_contact_global_solvers_parallel_gauss_seidel_h
#define delassus_contact_global_solvers_parallel_gauss_seidel_h

#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/thread_team.h>

#include <atomic>
#include <memory>

namespace delassus
{
/// Gauss-Seidel by several threads on an assembled W, as RankCoupling does it
/// with ranks, but on one array of impulses. The contacts are cut into one part
/// a thread along the graph of coupled contacts, so that few are coupled with
/// another part. Parts with coupled contacts have different colours; a thread
/// visits those of its contacts that are coupled with other parts after the
/// lower colours have visited theirs and before the higher ones do (a backward
/// sweep the other way round), and its other contacts meanwhile. Every contact
/// sees the latest impulses of all others: a true Gauss-Seidel sweep, in an
/// order that depends on the number of threads and on nothing else, so that
/// results are the same from run to run.
///
/// All else is GaussSeidel's: orders (within the parts), acceleration, settled
/// contacts, errors. Other storages of W, several ranks, and problems where
/// most contacts are coupled across parts are left to one thread.
template <int dim>
class ParallelGaussSeidel : public GaussSeidel<dim>
{
public:
  /// Throws InputError for values out of range.
  explicit ParallelGaussSeidel(const ContactSolverParameters &parameters);

  const char *name() const override
  {
    return "parallel Gauss-Seidel";
  }

  /// Threads that the last solve used.
  unsigned int n_threads_used() const
  {
    return sparse == nullptr ? 1 : parts.size();
  }

protected:
  using typename GaussSeidel<dim>::SweepSums;
  using typename GaussSeidel<dim>::Marks;

  void start_threads(const ContactProblem<dim> &problem) override;
  void finish_threads() override;
  bool sweep_by_threads(bool forward, SweepSums &sums) override;
  bool errors_by_threads(const ContactProblem<dim> &problem,
                         const std::vector<double> &P,
                         std::vector<double> &U,
                         ErrorSums &sums) override;
  void visit_all_again() override;
  bool is_paused(std::size_t a) const override;

private:
  /// One thread's contacts, on cache lines of its own.
  struct alignas(64) Part
  {
    std::vector<unsigned int> first, coupled, last; ///< in order of visits
    std::vector<unsigned int> before, after; ///< coupled parts by their colour
    Marks marks;                             ///< of all contacts; own ones used
    ReproducibleRandom random;
    std::size_t begin = 0, end = 0; ///< rows whose errors it computes
    unsigned int colour = 0;
    SweepSums sums;
    ErrorSums errors;
    alignas(64) std::atomic<unsigned int> done{ 0 }; ///< sweep of coupled ones
  };

  bool has_same_pattern(const BlockSparseDelassus<dim> &W) const;
  void make_parts(const BlockSparseDelassus<dim> &W);
  void cut(const BlockSparseDelassus<dim> &W);
  void find_coupled(const BlockSparseDelassus<dim> &W);
  void find_colours();
  void sort_contacts();

  ThreadTeam team;
  const BlockSparseDelassus<dim> *sparse = nullptr; ///< null: one thread

  std::vector<std::unique_ptr<Part>> parts;
  std::vector<unsigned int> part_of; ///< of each contact
  std::vector<char> is_coupled;      ///< with another part
  std::vector<char> are_neighbours;  ///< parts, row by row
  std::vector<std::size_t> n_own;    ///< contacts not coupled, of each part
  std::size_t n_coupled = 0;
  unsigned int n_sweeps = 0;

  // The pattern of W that the parts were made for.
  std::vector<std::size_t> row_start;
  std::vector<unsigned int> column;
  std::vector<unsigned int> along_graph;
};
} // namespace delassus

#endif
