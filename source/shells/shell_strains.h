#ifndef delassus_shells_shell_strains_h
#define delassus_shells_shell_strains_h

// Inner parts of the element that its geometry and its forces share.
#include <delassus/shells/shell_element.h>

namespace delassus
{
/// Strain measures, and values of the seven vectors padded to whole vector
/// registers.
constexpr unsigned int n_strains = 11, n_padded = 24;

inline void invert(const double (&a)[2][2], double (&b)[2][2])
{
  // b[a][alpha] = m^a . e_alpha, of a[a][alpha] = G_a . e_alpha: m^a . G_b is
  // one where a = b, so b is the transpose of the inverse.
  const double d = 1. / (a[0][0] * a[1][1] - a[0][1] * a[1][0]);
  b[0][0]        = d * a[1][1];
  b[0][1]        = -d * a[1][0];
  b[1][0]        = -d * a[0][1];
  b[1][1]        = d * a[0][0];
}

/// (E_11, E_22, 2 E_12) = T (E_rr, E_ss, 2 E_rs) in axes that are turned from
/// e_1, e_2 by an angle with this cosine and sine; m[a][alpha] = m^a . e_alpha.
inline void strain_transformation(const double (&m)[2][2],
                                  const double cosine,
                                  const double sine,
                                  double (&T)[3][3])
{
  const double r1 = cosine * m[0][0] + sine * m[0][1],
               r2 = cosine * m[0][1] - sine * m[0][0],
               s1 = cosine * m[1][0] + sine * m[1][1],
               s2 = cosine * m[1][1] - sine * m[1][0];
  T[0][0]         = r1 * r1;
  T[0][1]         = s1 * s1;
  T[0][2]         = r1 * s1;
  T[1][0]         = r2 * r2;
  T[1][1]         = s2 * s2;
  T[1][2]         = r2 * s2;
  T[2][0]         = 2. * r1 * r2;
  T[2][1]         = 2. * s1 * s2;
  T[2][2]         = r1 * s2 + s1 * r2;
}

/// The strain measures at a point of the plane: (E_rr, E_ss, 2 E_rs) of the
/// powers zeta^0 (tied), zeta^1 and zeta^2, and 2 E_r zeta, 2 E_s zeta (tied,
/// at zeta = 0).
inline std::array<double, n_strains> shell_strains(const ShellPoint &p,
                                                   const ShellValues &z)
{
  const double r = p.r, s = p.s;
  const double *xr = &z[0], *xs = &z[3], *xd = &z[6], *D0 = &z[9], *Dr = &z[12],
               *Ds = &z[15], *Dd = &z[18];
  double gram[6] = {};
  std::array<double, n_strains> e{};
  for (unsigned int c = 0; c < 3; ++c)
  {
    gram[0] += xr[c] * xr[c];
    gram[1] += xs[c] * xs[c];
    gram[2] += xd[c] * xd[c];
    gram[3] += xr[c] * xs[c];
    gram[4] += xr[c] * xd[c];
    gram[5] += xs[c] * xd[c];
    const double gr = xr[c] + s * xd[c], gs = xs[c] + r * xd[c],
                 Hr = Dr[c] + s * Dd[c], Hs = Ds[c] + r * Dd[c];
    e[3] += gr * Hr;
    e[4] += gs * Hs;
    e[5] += gr * Hs + gs * Hr;
    e[6] += 0.5 * Hr * Hr;
    e[7] += 0.5 * Hs * Hs;
    e[8] += Hr * Hs;
    // Of the samples at s = 1, -1 (r = 1, -1), (1 + s)/2 of the one and
    // (1 - s)/2 of the other.
    e[9] += xr[c] * (D0[c] + s * Ds[c]) + xd[c] * (Ds[c] + s * D0[c]);
    e[10] += xs[c] * (D0[c] + r * Dr[c]) + xd[c] * (Dr[c] + r * D0[c]);
  }
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int k = 0; k < 6; ++k)
      e[i] += p.membrane[i][k] * gram[k];
  for (unsigned int i = 0; i < n_strains; ++i)
    e[i] -= p.rest[i];
  return e;
}
/// The strain measures' derivatives by the seven vectors.
inline void set_derivatives(const ShellPoint &p,
                            const ShellValues &z,
                            double (&B)[n_strains][n_padded])
{
  const double r = p.r, s = p.s;
  const double *xr = &z[0], *xs = &z[3], *xd = &z[6], *D0 = &z[9], *Dr = &z[12],
               *Ds = &z[15], *Dd = &z[18];
  const double(&L)[3][6] = p.membrane;
  for (unsigned int c = 0; c < 3; ++c)
  {
    const double gr = xr[c] + s * xd[c], gs = xs[c] + r * xd[c],
                 Hr = Dr[c] + s * Dd[c], Hs = Ds[c] + r * Dd[c];
    for (unsigned int i = 0; i < 3; ++i)
    {
      B[i][c]     = 2. * L[i][0] * xr[c] + L[i][3] * xs[c] + L[i][4] * xd[c];
      B[i][3 + c] = 2. * L[i][1] * xs[c] + L[i][3] * xr[c] + L[i][5] * xd[c];
      B[i][6 + c] = 2. * L[i][2] * xd[c] + L[i][4] * xr[c] + L[i][5] * xs[c];
    }
    B[3][c]      = Hr;
    B[3][6 + c]  = s * Hr;
    B[3][12 + c] = gr;
    B[3][18 + c] = s * gr;

    B[4][3 + c]  = Hs;
    B[4][6 + c]  = r * Hs;
    B[4][15 + c] = gs;
    B[4][18 + c] = r * gs;

    B[5][c]      = Hs;
    B[5][3 + c]  = Hr;
    B[5][6 + c]  = s * Hs + r * Hr;
    B[5][12 + c] = gs;
    B[5][15 + c] = gr;
    B[5][18 + c] = r * gr + s * gs;

    B[6][12 + c] = Hr;
    B[6][18 + c] = s * Hr;

    B[7][15 + c] = Hs;
    B[7][18 + c] = r * Hs;

    B[8][12 + c] = Hs;
    B[8][15 + c] = Hr;
    B[8][18 + c] = s * Hs + r * Hr;

    B[9][c]      = D0[c] + s * Ds[c];
    B[9][6 + c]  = Ds[c] + s * D0[c];
    B[9][9 + c]  = xr[c] + s * xd[c];
    B[9][15 + c] = xd[c] + s * xr[c];

    B[10][3 + c]  = D0[c] + r * Dr[c];
    B[10][6 + c]  = Dr[c] + r * D0[c];
    B[10][9 + c]  = xs[c] + r * xd[c];
    B[10][12 + c] = xd[c] + r * xs[c];
  }
}

/// Sum of force times second derivative: the same number for all components of
/// a pair of vectors.
inline void add_second_derivatives(const ShellPoint &p,
                                   const double (&f)[n_strains],
                                   double (&Q)[7][7])
{
  const double r = p.r, s = p.s;
  const auto add = [&Q](const unsigned int a, const unsigned int b, double v)
  {
    Q[a][b] += v;
    if (a != b)
      Q[b][a] += v;
  };
  double n[6] = {};
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int k = 0; k < 6; ++k)
      n[k] += f[i] * p.membrane[i][k];
  add(0, 0, 2. * n[0]);
  add(1, 1, 2. * n[1]);
  add(2, 2, 2. * n[2]);
  add(0, 1, n[3]);
  add(0, 2, n[4]);
  add(1, 2, n[5]);
  add(0, 4, f[3]);
  add(0, 6, s * f[3] + r * f[5]);
  add(0, 5, f[5]);
  add(1, 5, f[4]);
  add(1, 6, r * f[4] + s * f[5]);
  add(1, 4, f[5]);
  add(2, 4, s * f[3] + r * f[5]);
  add(2, 5, r * f[4] + s * f[5]);
  add(2, 6, s * s * f[3] + r * r * f[4] + 2. * r * s * f[5]);
  add(4, 4, f[6]);
  add(5, 5, f[7]);
  add(4, 5, f[8]);
  add(4, 6, s * f[6] + r * f[8]);
  add(5, 6, r * f[7] + s * f[8]);
  add(6, 6, s * s * f[6] + r * r * f[7] + 2. * r * s * f[8]);
  add(0, 3, f[9]);
  add(0, 5, s * f[9]);
  add(2, 5, f[9]);
  add(2, 3, s * f[9] + r * f[10]);
  add(1, 3, f[10]);
  add(1, 4, r * f[10]);
  add(2, 4, f[10]);
}

} // namespace delassus

#endif
