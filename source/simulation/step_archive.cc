#include <delassus/base/text.h>
#include <delassus/simulation/step.h>

#include <fmt/format.h>

namespace delassus
{
template <int dim>
void Step<dim>::forget()
{
  for (auto *system : model.systems)
    system->forget();
  contact.solvers.forget();
}

template <int dim>
void Step<dim>::archive(Archive &archive)
{
  archive("from rest", learned.from_rest);
  archive("iterations", of_run.n_iterations);
  archive("matrices", of_run.n_matrices);
  archive("indefinite tangents", of_run.n_indefinite);
  // What the last steps taught.
  archive("slow", learned.slow);
  archive("held share", learned.held_share);
  archive("steps with held", learned.steps_with_held);
  archive("last residuals", learned.history);
  archive("last errors of laws", learned.law_history);
  double factor = contact.solvers.tolerance_factor;
  archive("contact tolerance", factor);
  contact.solvers.set_tolerance_factor(factor);
  for (auto *system : model.systems)
    system->archive(archive);
  pieces.archive(archive);
}

template <int dim>
void Step<dim>::carry_over(Archive &archive)
{
  archive("iterations", of_run.n_iterations);
  archive("matrices", of_run.n_matrices);
  archive("indefinite tangents", of_run.n_indefinite);
  for (auto *system : model.systems)
    system->archive(archive);
}

template <int dim>
void Step<dim>::tell_iteration(const unsigned int k) const
{
  if (!log.is_verbose())
    return;
  log.detail(
      fmt::format("    iteration {:2}: momentum residual {:.2e}, contact "
                  "law {:.2e}; {} with {}, error {:.1e}",
                  k,
                  last.momentum_error,
                  last.law_error,
                  counted(contact.n_contacts, "contact"),
                  counted(contact.result.sweeps, "sweep"),
                  contact.result.errors.unit_free));
}

template void Step<2>::tell_iteration(const unsigned int) const;
template void Step<3>::tell_iteration(const unsigned int) const;
template void Step<2>::forget();
template void Step<3>::forget();
template void Step<2>::carry_over(Archive &);
template void Step<3>::carry_over(Archive &);
template void Step<2>::archive(Archive &);
template void Step<3>::archive(Archive &);
} // namespace delassus
