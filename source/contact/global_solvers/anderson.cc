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
  f.resize(n);
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

double Anderson::product(const std::vector<double> &x,
                         const std::vector<double> &y) const
{
  double sum = 0.;
  if (weight.empty())
    for (std::size_t i = 0; i < n; ++i)
      sum += x[i] * y[i];
  else
    for (std::size_t i = 0; i < n; ++i)
      sum += weight[i] * x[i] * y[i];
  return sum;
}

void Anderson::advance(std::vector<double> &x, const std::vector<double> &Tx)
{
  for (std::size_t i = 0; i < n; ++i)
    f[i] = Tx[i] - x[i];
  if (!fresh && memory > 0)
  {
    const std::size_t here = next;
    for (std::size_t i = 0; i < n; ++i)
    {
      dT[here][i] = Tx[i] - old_T[i];
      dF[here][i] = f[i] - old_f[i];
    }
    next   = (next + 1) % memory;
    n_used = std::min(n_used + 1, memory);
    for (std::size_t j = 0; j < n_used; ++j)
      b[j] = product(dF[here], dF[j]);
    for (std::size_t j = 0; j < n_used; ++j)
      b[n_used + j] = product(dF[j], f);
    if (sum_over_ranks)
      sum_over_ranks(b.data(), 2 * n_used);
    for (std::size_t j = 0; j < n_used; ++j)
      gram[here * memory + j] = gram[j * memory + here] = b[j];
    std::copy_n(b.begin() + n_used, n_used, b.begin());
  }
  old_T = Tx;
  old_f = f;
  fresh = false;
  x     = Tx;
  if (n_used == 0)
    return;

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
    old_T = Tx;
    old_f = f;
    fresh = false;
    return;
  }
  for (std::size_t k = 0; k < n_used; ++k)
    for (std::size_t i = 0; i < n; ++i)
      x[i] -= b[k] * dT[k][i];
}
} // namespace delassus
