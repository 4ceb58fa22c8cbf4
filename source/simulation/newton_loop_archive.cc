#include <delassus/base/text.h>
#include <delassus/simulation/newton_loop.h>

#include <fmt/format.h>

namespace delassus
{
template <int dim>
void NewtonLoop<dim>::forget()
{
  has_tangent = false;
  h_of_matrix = 0.;
  frequency   = 0.;
  for (auto *scheme : model.newton_schemes)
    scheme->forget();
}

template <int dim>
void NewtonLoop<dim>::archive(Archive &archive)
{
  archive("from rest", from_rest);
  archive("iterations", n_iterations);
  archive("matrices", n_matrices);
  archive("indefinite tangents", n_indefinite);
  // What the last steps taught.
  archive("slow", slow);
  archive("held share", held_share);
  archive("steps with held", steps_with_held);
  archive("matrix steps", matrix_steps);
  bool known = true;
  for (const auto *scheme : model.newton_schemes)
    known = known && scheme->start_known;
  archive("forces known", known);
  for (auto *scheme : model.newton_schemes)
    scheme->start_known = known;
  double factor = contact.tolerance_factor;
  archive("contact tolerance", factor);
  contact.set_tolerance_factor(factor);
  std::vector<double> scales;
  for (const auto *scheme : model.newton_schemes)
    scales.push_back(scheme->mass_scale);
  archive("fictitious mass", scales);
  for (std::size_t b = 0; b < model.newton_schemes.size(); ++b)
    if (b < scales.size())
      model.newton_schemes[b]->mass_scale = scales[b];
  pieces.archive(archive);
  if (!archive.saving())
    forget();
}

template <int dim>
void NewtonLoop<dim>::tell_iteration(const unsigned int k) const
{
  if (!log.is_verbose())
    return;
  log.detail(
      fmt::format("    iteration {:2}: momentum residual {:.2e}, contact "
                  "law {:.2e}; {} with {}, error {:.1e}",
                  k,
                  momentum_error,
                  law_error,
                  counted(contact.n_contacts, "contact"),
                  counted(contact.result.sweeps, "sweep"),
                  contact.result.errors.unit_free));
}

template void NewtonLoop<2>::tell_iteration(const unsigned int) const;
template void NewtonLoop<3>::tell_iteration(const unsigned int) const;
template void NewtonLoop<2>::forget();
template void NewtonLoop<3>::forget();
template void NewtonLoop<2>::archive(Archive &);
template void NewtonLoop<3>::archive(Archive &);
} // namespace delassus
