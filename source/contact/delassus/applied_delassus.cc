#include <delassus/contact/delassus/applied_delassus.h>

#include <algorithm>
#include <utility>

namespace delassus
{
template <int dim>
AppliedDelassus<dim>::AppliedDelassus(Product product_in,
                                      std::vector<LocalMatrix<dim>> diagonal_in,
                                      const bool remembers)
    : product(std::move(product_in))
    , diagonal(std::move(diagonal_in))
    , remembers(remembers)
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
  const std::size_t n = dim * n_contacts();
  if (!remembers)
  {
    product(P, U);
    return;
  }
  if (std::all_of(P, P + n, [](const double p) { return p == 0.; }))
  {
    std::fill_n(U, n, 0.);
    return;
  }
  for (const Known &pair : known)
    if (pair.P.size() == n && std::equal(pair.P.begin(), pair.P.end(), P))
    {
      std::copy(pair.U.begin(), pair.U.end(), U);
      return;
    }
  Known &pair = known[oldest];
  oldest      = (oldest + 1) % known.size();
  pair.P.clear(); // until the product is there: it may throw
  product(P, U);
  pair.P.assign(P, P + n);
  pair.U.assign(U, U + n);
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
