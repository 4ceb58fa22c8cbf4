#ifndef delassus_contact_global_solvers_visits_h
#define delassus_contact_global_solvers_visits_h

#include <delassus/contact/local_solvers/local_algebra.h>

#include <algorithm>

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace delassus
{
// How the sweep marks contacts and stores impulses. Included by sources of this
// module only (see row_product.h).
namespace internal
{
/// PreparedContact::kind of a contact whose law is a shift. The others (affine
/// laws, and ill-posed contacts in 2D) have their index in `special` plus one.
constexpr unsigned int plain = 0;

/// Never visited: inactive or immovable.
constexpr unsigned char never = 255;

/// One store for the whole impulse, so that the next row can load it as one.
template <int dim>
inline void store_impulse(double *to, const LocalVector<dim> &P)
{
#if defined(__AVX2__) && defined(__FMA__)
  if constexpr (dim == 2)
    _mm_storeu_pd(to, _mm_set_pd(P[1], P[0]));
  else
    _mm256_storeu_pd(to, _mm256_set_pd(0., P[2], P[1], P[0]));
#else
  std::copy_n(P.data(), dim, to);
#endif
}

/// Back into the cone (or cylinder) along straight lines: normal part first.
template <int dim>
inline void limit_to_cone(LocalVector<dim> &P,
                          const double friction,
                          const double threshold = 0.)
{
  P[0]                    = std::max(0., P[0]);
  const double tangential = tangential_norm(P);
  const double bound      = threshold + friction * P[0];
  if (tangential > bound)
    for (int c = 1; c < dim; ++c)
      P[c] *= bound / tangential;
}
} // namespace internal
} // namespace delassus

#endif
