#ifndef delassus_contact_delassus_row_product_h
#define delassus_contact_delassus_row_product_h

#include <cstddef>

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace delassus
{
// The inner loop of an assembled W: sum over k of block_k P_{column(k)}, the
// blocks of one row contiguous and row-major. Included by the sources of the
// contact modules only, since its code depends on the processor they are
// compiled for.
//
// `column` is a pointer to indices, or ConsecutiveColumns for a dense row;
// `stride` is the distance between impulses (dim, or sweep_stride<dim>);
// `ahead` the distance, in values, of the blocks to ask the memory for: a visit
// is too long for the processor to look into the next rows by itself.
namespace internal
{
constexpr std::ptrdiff_t prefetch_distance = 768;

struct ConsecutiveColumns
{
  std::size_t operator[](const std::size_t k) const
  {
    return k;
  }
};

#if defined(__AVX2__) && defined(__FMA__)

// One 2 x 2 block is one register (w00 w01 w10 w11), multiplied by (p0 p1 p0
// p1); pairs are added at the end. Four sums hide the latency.
template <std::size_t stride, typename Columns>
inline void row_product_2d(const double *blocks,
                           const Columns column,
                           const std::size_t n,
                           const double *P,
                           double *U,
                           [[maybe_unused]] const std::ptrdiff_t ahead)
{
  __m256d sum0 = _mm256_setzero_pd(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  const auto impulse = [&](const std::size_t k)
  {
    return _mm256_broadcast_pd(
        reinterpret_cast<const __m128d *>(P + stride * column[k]));
  };
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4)
  {
    const double *w = blocks + 4 * k;
    __builtin_prefetch(w + ahead);
    __builtin_prefetch(w + ahead + 8);
    sum0 = _mm256_fmadd_pd(_mm256_loadu_pd(w), impulse(k), sum0);
    sum1 = _mm256_fmadd_pd(_mm256_loadu_pd(w + 4), impulse(k + 1), sum1);
    sum2 = _mm256_fmadd_pd(_mm256_loadu_pd(w + 8), impulse(k + 2), sum2);
    sum3 = _mm256_fmadd_pd(_mm256_loadu_pd(w + 12), impulse(k + 3), sum3);
  }
  for (; k < n; ++k)
    sum0 = _mm256_fmadd_pd(_mm256_loadu_pd(blocks + 4 * k), impulse(k), sum0);
  sum0 = _mm256_add_pd(_mm256_add_pd(sum0, sum1), _mm256_add_pd(sum2, sum3));
  const __m128d low = _mm256_castpd256_pd128(sum0);
  _mm_storeu_pd(U, _mm_hadd_pd(low, _mm256_extractf128_pd(sum0, 1)));
}

#else

template <std::size_t stride, typename Columns>
inline void row_product_2d(const double *blocks,
                           const Columns column,
                           const std::size_t n,
                           const double *P,
                           double *U,
                           [[maybe_unused]] const std::ptrdiff_t ahead)
{
  double U0 = 0., U1 = 0.;
  for (std::size_t k = 0; k < n; ++k)
  {
    const double *w = blocks + 4 * k;
    const double *p = P + stride * column[k];
    U0 += w[0] * p[0] + w[1] * p[1];
    U1 += w[2] * p[0] + w[3] * p[1];
  }
  U[0] = U0;
  U[1] = U1;
}

#endif

#if defined(__AVX512F__) && defined(__AVX512VL__)

// A 3 x 3 block is one register (w00 w01 w02 w10 w11 w12 w20 w21), multiplied
// by (p0 p1 p2 p0 p1 p2 p0 p1), and the ninth value.
template <std::size_t stride, typename Columns>
inline void row_product_3d(const double *blocks,
                           const Columns column,
                           const std::size_t n,
                           const double *P,
                           double *U,
                           [[maybe_unused]] const std::ptrdiff_t ahead)
{
  const __m512i index = _mm512_setr_epi64(0, 1, 2, 0, 1, 2, 0, 1);
  __m512d sum0 = _mm512_setzero_pd(), sum1 = sum0;
  double last0 = 0., last1 = 0.;
  const auto impulse = [&](const double *p)
  {
    const __m256d values =
        stride == 4 ? _mm256_loadu_pd(p) : _mm256_maskz_loadu_pd(7, p);
    // (The masked form because GCC 12 warns about the other's own code.)
    return _mm512_maskz_permutexvar_pd(
        0xff, index, _mm512_castpd256_pd512(values));
  };
  std::size_t k = 0;
  for (; k + 2 <= n; k += 2)
  {
    const double *w = blocks + 9 * k;
    const double *p = P + stride * column[k];
    const double *r = P + stride * column[k + 1];
    __builtin_prefetch(w + ahead);
    __builtin_prefetch(w + ahead + 8);
    sum0 = _mm512_fmadd_pd(_mm512_loadu_pd(w), impulse(p), sum0);
    last0 += w[8] * p[2];
    sum1 = _mm512_fmadd_pd(_mm512_loadu_pd(w + 9), impulse(r), sum1);
    last1 += w[17] * r[2];
  }
  if (k < n)
  {
    const double *w = blocks + 9 * k;
    const double *p = P + stride * column[k];
    sum0            = _mm512_fmadd_pd(_mm512_loadu_pd(w), impulse(p), sum0);
    last0 += w[8] * p[2];
  }
  double values[8];
  _mm512_storeu_pd(values, _mm512_add_pd(sum0, sum1));
  U[0] = values[0] + values[1] + values[2];
  U[1] = values[3] + values[4] + values[5];
  U[2] = values[6] + values[7] + (last0 + last1);
}

#else

template <std::size_t stride, typename Columns>
inline void row_product_3d(const double *blocks,
                           const Columns column,
                           const std::size_t n,
                           const double *P,
                           double *U,
                           [[maybe_unused]] const std::ptrdiff_t ahead)
{
  double U0 = 0., U1 = 0., U2 = 0.;
  for (std::size_t k = 0; k < n; ++k)
  {
    const double *w = blocks + 9 * k;
    const double *p = P + stride * column[k];
    U0 += w[0] * p[0] + w[1] * p[1] + w[2] * p[2];
    U1 += w[3] * p[0] + w[4] * p[1] + w[5] * p[2];
    U2 += w[6] * p[0] + w[7] * p[1] + w[8] * p[2];
  }
  U[0] = U0;
  U[1] = U1;
  U[2] = U2;
}

#endif

template <int dim, std::size_t stride, typename Columns>
inline void row_product(const double *blocks,
                        const Columns column,
                        const std::size_t n,
                        const double *P,
                        double *U,
                        const std::ptrdiff_t ahead)
{
  if constexpr (dim == 2)
    row_product_2d<stride>(blocks, column, n, P, U, ahead);
  else
    row_product_3d<stride>(blocks, column, n, P, U, ahead);
}
} // namespace internal
} // namespace delassus

#endif
