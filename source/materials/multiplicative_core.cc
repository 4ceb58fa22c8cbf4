// Plain doubles, no deal.II: compiled for the processor (see
// cmake/modules.cmake).
#include <delassus/materials/multiplicative.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// The two axes of each shear component.
constexpr int first[3]  = { 0, 1, 2 };
constexpr int second[3] = { 1, 2, 0 };

/// U: stress in Cartesian axes = U times stress in the axes of the columns of
/// Q. Rates of deformation (engineering shear) turn back by U^T.
inline void turning_matrix(const double (&Q)[3][3], double (&U)[6][6])
{
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i)
    {
      const int j     = second[i];
      const int b     = second[a];
      U[i][a]         = Q[i][a] * Q[i][a];
      U[3 + i][a]     = Q[i][a] * Q[j][a];
      U[i][3 + a]     = 2. * Q[i][a] * Q[i][b];
      U[3 + i][3 + a] = Q[i][a] * Q[j][b] + Q[j][a] * Q[i][b];
    }
}

template <bool block>
inline void turn(const double (&U)[6][6], const double (&B)[6][6], double *c)
{
  double Y[6][6]; // U B
  for (int i = 0; i < 6; ++i)
    if (block)
    {
      for (int b = 0; b < 3; ++b)
      {
        Y[i][b]     = U[i][0] * B[0][b] + U[i][1] * B[1][b] + U[i][2] * B[2][b];
        Y[i][3 + b] = U[i][3 + b] * B[3 + b][3 + b];
      }
    }
    else
      for (int b = 0; b < 6; ++b)
      {
        double sum = 0.;
        for (int a = 0; a < 6; ++a)
          sum += U[i][a] * B[a][b];
        Y[i][b] = sum;
      }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j)
    {
      double sum = 0.;
      for (int b = 0; b < 6; ++b)
        sum += Y[i][b] * U[j][b];
      c[6 * i + j] = c[6 * j + i] = sum;
    }
}

/// N^T A N (to the axes of N) or N A N^T (back).
inline void turn_symmetric(const double (&N)[3][3], const bool back, double *A)
{
  const double full[3][3] = { { A[0], A[3], A[5] },
                              { A[3], A[1], A[4] },
                              { A[5], A[4], A[2] } };
  const auto n            = [&](const int i, const int j)
  { return back ? N[j][i] : N[i][j]; };
  double half[3][3];
  for (int i = 0; i < 3; ++i)
    for (int b = 0; b < 3; ++b)
      half[i][b] =
          full[i][0] * n(0, b) + full[i][1] * n(1, b) + full[i][2] * n(2, b);
  const auto entry = [&](const int a, const int b) {
    return n(0, a) * half[0][b] + n(1, a) * half[1][b] + n(2, a) * half[2][b];
  };
  for (int i = 0; i < 3; ++i)
  {
    A[i]     = entry(i, i);
    A[3 + i] = entry(first[i], second[i]);
  }
}

/// Fi^{-1} - I after the flow: Fi^{-1} exp(-flow), with X = exp(-flow) - I.
inline void flow_on(const double *begin, const Symmetric &X, double *end)
{
  const double full[3][3] = { { X[0], X[3], X[5] },
                              { X[3], X[1], X[4] },
                              { X[5], X[4], X[2] } };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      end[3 * i + j] =
          begin[3 * i + j] + full[i][j] + begin[3 * i] * full[0][j] +
          begin[3 * i + 1] * full[1][j] + begin[3 * i + 2] * full[2][j];
}

/// What T off the axes of C adds to B: the terms T_ac k_abc, a != c.
inline void add_shear_stress_terms(const double (&e)[3],
                                   const Symmetric &T,
                                   const double (&g)[3],
                                   const double (&r)[3],
                                   double (&B)[6][6])
{
  for (int s = 0; s < 3; ++s)
  {
    const int a = first[s], c = second[s], b = 3 - a - c;
    const double t = T[3 + s];
    if (t == 0.)
      continue;
    // k_aac = -g - r, k_acc = -g + r.
    B[a][3 + s] += t * (-g[s] - r[s]);
    B[3 + s][a] = B[a][3 + s];
    B[c][3 + s] += t * (-g[s] + r[s]);
    B[3 + s][c]    = B[c][3 + s];
    const double k = log_difference_of_three(e[a] - e[b], e[c] - e[b]);
    const int ab = 3 + (s + 2) % 3, bc = 3 + (s + 1) % 3;
    B[ab][bc] += 0.5 * t * k;
    B[bc][ab] = B[ab][bc];
  }
}
} // namespace

template <typename Kernel>
bool multiplicative_response(const Kernel &kernel,
                             const double *F,
                             const double h,
                             const double *begin,
                             double *end,
                             double *stress,
                             double *tangent,
                             double &stored,
                             double &dissipated)
{
  const double det = F[0] * (F[4] * F[8] - F[5] * F[7]) -
                     F[1] * (F[3] * F[8] - F[5] * F[6]) +
                     F[2] * (F[3] * F[7] - F[4] * F[6]);
  if (!(det > 0.) || !std::isfinite(det))
    return false;

  // Fe - I and C - I from F - I and Fi^{-1} - I: small strains keep their
  // digits.
  double H[3][3], He[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      H[i][j] = F[3 * i + j] - (i == j ? 1. : 0.);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      He[i][j] = H[i][j] + begin[3 * i + j] + H[i][0] * begin[j] +
                 H[i][1] * begin[3 + j] + H[i][2] * begin[6 + j];
  Symmetric M;
  for (int i = 0; i < 3; ++i)
  {
    const int j = second[i];
    M[i]        = 2. * He[i][i] + He[0][i] * He[0][i] + He[1][i] * He[1][i] +
           He[2][i] * He[2][i];
    M[3 + i] = He[i][j] + He[j][i] + He[0][i] * He[0][j] + He[1][i] * He[1][j] +
               He[2][i] * He[2][j];
  }
  double m[3], N[3][3], e[3];
  eigen_symmetric(M, m, N);
  Symmetric E = { 0., 0., 0., 0., 0., 0. };
  for (int a = 0; a < 3; ++a)
  {
    if (!(1. + m[a] > 0.))
      return false;
    E[a] = e[a] = 0.5 * log_one_plus(m[a]);
  }

  // The kernel, in the axes of C.
  double state[7]    = { begin[9] };
  const bool coaxial = !kernel.has_back_stress();
  if (!coaxial)
  {
    for (int i = 0; i < 6; ++i)
      state[1 + i] = begin[10 + i];
    turn_symmetric(N, false, state + 1);
  }
  InelasticResult result;
  if (!kernel.step(E, h, tangent != nullptr, state, result))
    return false;
  stored     = result.stored;
  dissipated = result.dissipated;
  if (!result.flows)
    std::copy_n(begin, 9 + kernel.n_state(), end);
  else
  {
    Symmetric X = { 0., 0., 0., 0., 0., 0. };
    if (coaxial)
      for (int a = 0; a < 3; ++a)
        X[a] = exp_less_one(-result.flow[a]);
    else
    {
      Symmetric minus;
      for (int i = 0; i < 6; ++i)
        minus[i] = -result.flow[i];
      exp_minus_one(minus, X);
      turn_symmetric(N, true, state + 1);
      std::copy_n(state + 1, 6, end + 10);
    }
    turn_symmetric(N, true, X);
    flow_on(begin, X, end);
    end[9] = state[0];
  }

  const Symmetric &T = result.stress;
  if (coaxial)
  {
    // tau = sum T_a n_a (x) n_a, n_a = Fe N_a / sqrt(lambda_a).
    for (int i = 0; i < 6; ++i)
      stress[i] = 0.;
    for (int a = 0; a < 3; ++a)
    {
      const double scale = T[a] / (1. + m[a]);
      double n[3];
      for (int i = 0; i < 3; ++i)
        n[i] = N[i][a] + He[i][0] * N[0][a] + He[i][1] * N[1][a] +
               He[i][2] * N[2][a];
      for (int i = 0; i < 3; ++i)
      {
        stress[i] += scale * n[i] * n[i];
        stress[3 + i] += scale * n[first[i]] * n[second[i]];
      }
    }
    if (tangent == nullptr)
      return true;
  }

  // Axes on the current configuration.
  double Q[3][3], U[6][6];
  for (int a = 0; a < 3; ++a)
  {
    const double scale = 1. / std::sqrt(1. + m[a]);
    for (int i = 0; i < 3; ++i)
      Q[i][a] = scale * (N[i][a] + He[i][0] * N[0][a] + He[i][1] * N[1][a] +
                         He[i][2] * N[2][a]);
  }
  turning_matrix(Q, U);
  double g[3] = { 1., 1., 1. }, p[3] = {}, r[3] = {};
  for (int s = 0; s < 3; ++s)
  {
    const auto of = log_differences(e[first[s]] - e[second[s]]);
    g[s]          = of.g;
    p[s]          = of.p;
    r[s]          = of.r;
  }
  if (!coaxial)
    for (int i = 0; i < 6; ++i)
      stress[i] = U[i][0] * T[0] + U[i][1] * T[1] + U[i][2] * T[2] +
                  U[i][3] * g[0] * T[3] + U[i][4] * g[1] * T[4] +
                  U[i][5] * g[2] * T[5];
  if (tangent == nullptr)
    return true;

  double B[6][6];
  for (int a = 0; a < 3; ++a)
  {
    for (int b = 0; b < 3; ++b)
      B[a][b] = result.bulk - result.shear / 3. -
                result.drop * result.normal[a] * result.normal[b];
    B[a][a] += result.shear - 2. * T[a];
  }
  for (int s = 0; s < 3; ++s)
  {
    const double Ta = T[first[s]], Tb = T[second[s]];
    B[3 + s][3 + s] =
        0.5 * (g[s] * g[s] * result.shear + (Ta - Tb) * p[s] - (Ta + Tb));
  }
  if (coaxial)
    turn<true>(U, B, tangent);
  else
  {
    const double *n = result.normal;
    for (int s = 0; s < 3; ++s)
    {
      for (int a = 0; a < 3; ++a)
        B[a][3 + s] = B[3 + s][a] = -result.drop * g[s] * n[3 + s] * n[a];
      const int t     = second[s];
      B[3 + s][3 + t] = B[3 + t][3 + s] =
          -result.drop * g[s] * g[t] * n[3 + s] * n[3 + t];
      B[3 + s][3 + s] -= result.drop * g[s] * g[s] * n[3 + s] * n[3 + s];
    }
    add_shear_stress_terms(e, T, g, r, B);
    turn<false>(U, B, tangent);
  }
  return true;
}

template bool multiplicative_response<J2Kernel>(const J2Kernel &,
                                                const double *,
                                                const double,
                                                const double *,
                                                double *,
                                                double *,
                                                double *,
                                                double &,
                                                double &);
template bool multiplicative_response<MaxwellKernel>(const MaxwellKernel &,
                                                     const double *,
                                                     const double,
                                                     const double *,
                                                     double *,
                                                     double *,
                                                     double *,
                                                     double &,
                                                     double &);
} // namespace delassus
