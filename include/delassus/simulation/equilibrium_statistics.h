#ifndef delassus_simulation_equilibrium_statistics_h
#define delassus_simulation_equilibrium_statistics_h

#include <delassus/base/archive.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>

namespace delassus
{
/// How the equilibria of quasi-static (sub)steps were found.
struct EquilibriumStatistics
{
  std::size_t iterations = 0, most_iterations = 0;
  double worst_out_of_balance = 0.;

  void add(const std::size_t n_iterations, const double out_of_balance)
  {
    iterations += n_iterations;
    most_iterations      = std::max(most_iterations, n_iterations);
    worst_out_of_balance = std::max(worst_out_of_balance, out_of_balance);
  }

  nlohmann::json summary(const std::size_t n_not_balanced) const
  {
    return { { "iterations", iterations },
             { "most_iterations", most_iterations },
             { "worst_out_of_balance", worst_out_of_balance },
             { "steps_not_balanced", n_not_balanced } };
  }

  void archive(Archive &archive)
  {
    archive("equilibrium iterations", iterations);
    archive("most equilibrium iterations", most_iterations);
    archive("worst out of balance", worst_out_of_balance);
  }
};
} // namespace delassus

#endif
