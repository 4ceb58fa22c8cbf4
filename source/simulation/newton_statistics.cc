#include <delassus/simulation/newton_statistics.h>

#include <algorithm>

namespace delassus
{
void NewtonReport::add_substep(const double h,
                               const std::size_t n_iterations,
                               const double momentum_residual)
{
  smallest_step  = substeps == 0 ? h : std::min(smallest_step, h);
  worst_residual = std::max(worst_residual, momentum_residual);
  iterations += n_iterations;
  ++substeps;
}

void NewtonStatistics::add_substep(const double h,
                                   const unsigned int iterations,
                                   const double momentum_residual)
{
  for (auto *report : { &of_step, &of_run })
    report->add_substep(h, iterations, momentum_residual);
}

void NewtonStatistics::add_cut(const unsigned int iterations)
{
  for (auto *report : { &of_step, &of_run })
  {
    report->iterations += iterations;
    ++report->cuts;
  }
}

void NewtonStatistics::set_matrices(const std::size_t n_matrices,
                                    const std::size_t n_indefinite)
{
  of_step.indefinite += n_indefinite - of_run.indefinite;
  of_run.matrices   = n_matrices;
  of_run.indefinite = n_indefinite;
}

void NewtonStatistics::end_step()
{
  of_step = NewtonReport();
}

nlohmann::json
NewtonStatistics::summary(const NewtonParameters &parameters,
                          const std::size_t n_above_tolerance) const
{
  const char *matrices[] = { "full",   "step",     "frozen",
                             "lumped", "two term", "explicit" };
  return { { "matrix", matrices[static_cast<unsigned int>(parameters.matrix)] },
           { "iterations", of_run.iterations },
           { "substeps", of_run.substeps },
           { "steps_cut", of_run.cuts },
           { "smallest_step", of_run.smallest_step },
           { "matrices", of_run.matrices },
           { "indefinite_tangents", of_run.indefinite },
           { "worst_momentum_residual", of_run.worst_residual },
           { "steps_above_tolerance", n_above_tolerance } };
}

void NewtonStatistics::archive(Archive &archive)
{
  archive("newton step", of_step);
  archive("newton run", of_run);
}
} // namespace delassus
