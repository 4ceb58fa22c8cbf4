#include <delassus/contact/delassus/applied_delassus.h>

#include <algorithm>
#include <utility>

namespace delassus
{
template <int dim>
AppliedDelassus<dim>::AppliedDelassus(Product product_in,
                                      std::vector<LocalMatrix<dim>> diagonal_in)
    : product(std::move(product_in))
    , diagonal(std::move(diagonal_in))
{
}

template <int dim>
void AppliedDelassus<dim>::diagonal_block(const std::size_t a,
                                          double *block) const
{
  std::copy_n(diagonal[a].begin(), dim * dim, block);
}

template <int dim>
void AppliedDelassus<dim>::multiply(const double *P, double *U) const
{
  product(P, U);
}

template <int dim>
void AppliedDelassus<dim>::velocity_at(const std::size_t a,
                                       const double *P,
                                       const double *,
                                       double *U) const
{
  std::vector<double> plain(dim * n_contacts()), all(dim * n_contacts());
  for (std::size_t b = 0; b < n_contacts(); ++b)
    std::copy_n(P + sweep_stride<dim> * b, dim, plain.data() + dim * b);
  product(plain.data(), all.data());
  std::copy_n(all.data() + dim * a, dim, U);
}

template class AppliedDelassus<2>;
template class AppliedDelassus<3>;
} // namespace delassus
