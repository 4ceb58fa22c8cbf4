#ifndef delassus_shells_shell_strains_h
#define delassus_shells_shell_strains_h

// Inner parts of the element that its geometry and its forces share.
#include <delassus/shells/shell_element.h>

namespace delassus
{
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
inline std::array<double, 11> shell_strains(const ShellPoint &p,
                                            const ShellValues &z)
{
  const double r = p.r, s = p.s;
  const double *xr = &z[0], *xs = &z[3], *xd = &z[6], *D0 = &z[9], *Dr = &z[12],
               *Ds = &z[15], *Dd = &z[18];
  double gram[6] = {};
  std::array<double, 11> e{};
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
  for (unsigned int i = 0; i < 11; ++i)
    e[i] -= p.rest[i];
  return e;
}
} // namespace delassus

#endif
