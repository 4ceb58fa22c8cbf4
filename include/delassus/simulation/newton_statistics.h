#ifndef delassus_simulation_newton_statistics_h
#define delassus_simulation_newton_statistics_h

#include <delassus/base/archive.h>
#include <delassus/parameters/parameters.h>

#include <nlohmann/json.hpp>

#include <cstddef>

namespace delassus
{
/// What Newton loops did, in a step or in a run.
struct NewtonReport
{
  std::size_t iterations = 0; ///< those of attempts that failed included
  std::size_t substeps = 0, cuts = 0;
  double smallest_step = 0., worst_residual = 0.;
  std::size_t matrices   = 0; ///< of the run
  std::size_t indefinite = 0; ///< tangents

  void add_substep(const double h,
                   const std::size_t n_iterations,
                   const double momentum_residual);
};

/// What they did in the step in work, and in the run.
class NewtonStatistics
{
public:
  /// A substep was accepted, or failed and is cut.
  void add_substep(const double h,
                   const unsigned int iterations,
                   const double momentum_residual);
  void add_cut(const unsigned int iterations);

  /// Totals of the run so far.
  void set_matrices(const std::size_t n_matrices,
                    const std::size_t n_indefinite);

  void end_step();

  const NewtonReport &step() const
  {
    return of_step;
  }
  const NewtonReport &run() const
  {
    return of_run;
  }

  nlohmann::json summary(const NewtonParameters &parameters,
                         const std::size_t n_above_tolerance) const;

  void archive(Archive &archive);

private:
  NewtonReport of_step, of_run;
};
} // namespace delassus

#endif
