#include <delassus/simulation/newton_loop.h>

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
  if (!archive.saving())
    forget();
}

template void NewtonLoop<2>::forget();
template void NewtonLoop<3>::forget();
template void NewtonLoop<2>::archive(Archive &);
template void NewtonLoop<3>::archive(Archive &);
} // namespace delassus
