#include <delassus/contact/global_solvers/anderson.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// Solves A x = b, A symmetric positive definite (n x n, lower part,
/// row-major), in place by Cholesky's method; false if A is not.
bool solve_small(double *A, double *b, const std::size_t n)
{
  for (std::size_t j = 0; j < n; ++j)
  {
    for (std::size_t k = 0; k < j; ++k)
      A[j * n + j] -= A[j * n + k] * A[j * n + k];
    if (!(A[j * n + j] > 0.))
      return false;
    A[j * n + j] = std::sqrt(A[j * n + j]);
    for (std::size_t i = j + 1; i < n; ++i)
    {
      for (std::size_t k = 0; k < j; ++k)
        A[i * n + j] -= A[i * n + k] * A[j * n + k];
      A[i * n + j] /= A[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
  {
    for (std::size_t k = 0; k < i; ++k)
      b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;)
  {
    for (std::size_t k = i + 1; k < n; ++k)
      b[i] -= A[k * n + i] * b[k];
    b[i] /= A[i * n + i];
  }
  return true;
}

/// Entries that are worked on at a time: what one step of the loop below leaves
/// in the cache is used by the next.
constexpr std::size_t chunk = 512;

/// sums[0] += a . y, sums[1] += b . y, eight partial sums each, so that no
/// addition waits for the last one.
void add_products(const double *a,
                  const double *b,
                  const double *y,
                  const std::size_t n,
                  double *sums)
{
  double s[8] = {}, t[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l)
    {
      s[l] += a[i + l] * y[i + l];
      t[l] += b[i + l] * y[i + l];
    }
  for (int l = 0; i < n; ++i, ++l)
  {
    s[l] += a[i] * y[i];
    t[l] += b[i] * y[i];
  }
  for (int l = 0; l < 8; ++l)
  {
    sums[0] += s[l];
    sums[1] += t[l];
  }
}
} // namespace

void Anderson::reinit(const std::size_t n_in, const std::size_t memory_in)
{
  n      = n_in;
  memory = memory_in;
  dT.resize(memory);
  dF.resize(memory);
  for (std::size_t k = 0; k < memory; ++k)
  {
    dT[k].resize(n);
    dF[k].resize(n);
  }
  old_f.resize(n);
  old_T.resize(n);
  gram.assign(memory * memory, 0.);
  A.resize(memory * memory);
  b.resize(memory + memory);
  forget();
}

void Anderson::forget()
{
  n_used = next = 0;
  fresh         = true;
}

void Anderson::advance(std::vector<double> &x, const std::vector<double> &Tx)
{
  const bool extends     = !fresh && memory > 0;
  const std::size_t here = next;
  if (extends)
  {
    next   = (next + 1) % memory;
    n_used = std::min(n_used + 1, memory);
    std::fill_n(b.begin(), 2 * n_used, 0.);
  }
  double weighted_dF[chunk], weighted_f[chunk];
  for (std::size_t begin = 0; begin < n; begin += chunk)
  {
    const std::size_t m = std::min(chunk, n - begin);
    const double *T = Tx.data() + begin, *from = x.data() + begin;
    double *last_T = old_T.data() + begin, *last_f = old_f.data() + begin;
    if (!extends)
    {
      for (std::size_t i = 0; i < m; ++i)
      {
        last_T[i] = T[i];
        last_f[i] = T[i] - from[i];
      }
      continue;
    }
    double *new_dT = dT[here].data() + begin, *new_dF = dF[here].data() + begin;
    for (std::size_t i = 0; i < m; ++i)
    {
      const double f = T[i] - from[i];
      new_dT[i]      = T[i] - last_T[i];
      new_dF[i]      = f - last_f[i];
      last_T[i]      = T[i];
      last_f[i]      = f;
    }
    const double *left = new_dF, *right = last_f;
    if (!weight.empty())
    {
      const double *w = weight.data() + begin;
      for (std::size_t i = 0; i < m; ++i)
      {
        weighted_dF[i] = w[i] * new_dF[i];
        weighted_f[i]  = w[i] * last_f[i];
      }
      left  = weighted_dF;
      right = weighted_f;
    }
    for (std::size_t j = 0; j < n_used; ++j)
      add_products(left, right, dF[j].data() + begin, m, b.data() + 2 * j);
  }
  if (extends)
  {
    if (sum_over_ranks)
      sum_over_ranks(b.data(), 2 * n_used);
    for (std::size_t j = 0; j < n_used; ++j)
      gram[here * memory + j] = gram[j * memory + here] = b[2 * j];
    for (std::size_t j = 0; j < n_used; ++j)
      b[j] = b[2 * j + 1];
  }
  fresh = false;
  if (n_used == 0)
  {
    x = Tx;
    return;
  }

  double trace = 0.;
  for (std::size_t i = 0; i < n_used; ++i)
  {
    for (std::size_t j = 0; j <= i; ++j)
      A[i * n_used + j] = gram[i * memory + j];
    trace += gram[i * memory + i];
  }
  for (std::size_t i = 0; i < n_used; ++i)
    A[i * n_used + i] += 1e-13 * trace;
  if (!solve_small(A.data(), b.data(), n_used))
  {
    forget();
    fresh = false;
    x     = Tx;
    return;
  }
  for (std::size_t begin = 0; begin < n; begin += chunk)
  {
    const std::size_t m = std::min(chunk, n - begin);
    double *to          = x.data() + begin;
    std::copy_n(Tx.data() + begin, m, to);
    for (std::size_t k = 0; k < n_used; ++k)
    {
      const double *d     = dT[k].data() + begin;
      const double factor = b[k];
      for (std::size_t i = 0; i < m; ++i)
        to[i] -= factor * d[i];
    }
  }
}
} // namespace delassus
