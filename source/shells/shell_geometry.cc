#include <delassus/base/assert.h>
#include <delassus/shells/shell_element.h>

#include "shell_modes.h"
#include "shell_strains.h"

#include <cmath>

namespace delassus
{
namespace
{
Vector3 get(const ShellValues &z, const unsigned int vector)
{
  return { { z[3 * vector], z[3 * vector + 1], z[3 * vector + 2] } };
}

/// Products in the order of ShellPoint::membrane.
enum Product
{
  rr,
  ss,
  dd,
  rs,
  rd,
  sd
};

/// What the four tied samples of the membrane have to be added up with, so that
/// an element of any shape bends in its own plane of warping without stretching
/// (Ko, Lee, Bathe 2017). With x_d = c_r x_r + c_s x_s + (out of the plane):
struct MembraneTying
{
  double aA, aB, aC, aD, aE;

  explicit MembraneTying(const ShellValues &z)
  {
    const Vector3 xr = get(z, 0), xs = get(z, 1), xd = get(z, 2);
    const Vector3 n = unit(cross(xr, xs));
    // Duals of x_r, x_s in their plane.
    const Vector3 sn = cross(xs, n), nr = cross(n, xr);
    const double area = dot(n, cross(xr, xs));
    const double cr = dot(xd, sn) / area, cs = dot(xd, nr) / area;
    // Convex: |c_r| + |c_s| < 1, so d < 0.
    const double d = cr * cr + cs * cs - 1.;
    aA             = cr * (cr - 1.) / (2. * d);
    aB             = cr * (cr + 1.) / (2. * d);
    aC             = cs * (cs - 1.) / (2. * d);
    aD             = cs * (cs + 1.) / (2. * d);
    aE             = 2. * cr * cs / d;
  }
};

/// Rows of ShellPoint::membrane from shares of the samples: A, B of E_rr at
/// s = 1, -1, where dx/dr = x_r +- x_d; C, D of E_ss at r = 1, -1; E of E_rs in
/// the centre.
void set_row(double (&row)[6],
             const double A,
             const double B,
             const double C,
             const double D,
             const double E)
{
  row[rr] = 0.5 * (A + B);
  row[ss] = 0.5 * (C + D);
  row[dd] = 0.5 * (A + B + C + D);
  row[rs] = 0.5 * E;
  row[rd] = A - B;
  row[sd] = C - D;
}

void set_membrane(const ShellValues &z, const bool tied, ShellPoint &p)
{
  const double r = p.r, s = p.s;
  if (!tied)
  {
    // E_rr = |x_r + s x_d|^2 / 2, ...
    const double rows[3][6] = { { 0.5, 0., 0.5 * s * s, 0., s, 0. },
                                { 0., 0.5, 0.5 * r * r, 0., 0., r },
                                { 0., 0., r * s, 1., r, s } };
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int k = 0; k < 6; ++k)
        p.membrane[i][k] = rows[i][k];
    return;
  }
  const MembraneTying t(z);
  set_row(p.membrane[0],
          0.5 * (1. - 2. * t.aA + s + 2. * t.aA * s * s),
          0.5 * (1. - 2. * t.aB - s + 2. * t.aB * s * s),
          t.aC * (s * s - 1.),
          t.aD * (s * s - 1.),
          t.aE * (s * s - 1.));
  set_row(p.membrane[1],
          t.aA * (r * r - 1.),
          t.aB * (r * r - 1.),
          0.5 * (1. - 2. * t.aC + r + 2. * t.aC * r * r),
          0.5 * (1. - 2. * t.aD - r + 2. * t.aD * r * r),
          t.aE * (r * r - 1.));
  // Twice E_rs.
  set_row(p.membrane[2],
          0.5 * (r + 4. * t.aA * r * s),
          0.5 * (-r + 4. * t.aB * r * s),
          0.5 * (s + 4. * t.aC * r * s),
          0.5 * (-s + 4. * t.aD * r * s),
          2. * (1. + t.aE * r * s));
}

/// A direction across the sheet has no trace in it but rounding.
bool is_across(const Vector3 &rolling, const Vector3 &normal)
{
  return !(norm(rolling - dot(rolling, normal) * normal) >
           1e-6 * norm(rolling));
}

/// The frame of the material in the plane of @p gr, @p gs.
void set_frame(const Vector3 &gr,
               const Vector3 &gs,
               const Vector3 &rolling,
               Vector3 &e1,
               Vector3 &e2,
               Vector3 &normal)
{
  normal = unit(cross(gr, gs));
  e1 =
      is_across(rolling, normal) ? gr : rolling - dot(rolling, normal) * normal;
  e1 = unit(e1);
  e2 = cross(normal, e1);
}

/// (E_rr, E_ss, 2 E_rs) = rows times (E_11, E_22, 2 E_12), base_a = G_a .
/// e_alpha.
void strain_to_parametric(const double (&base)[2][2], double (&rows)[3][3])
{
  const double r1 = base[0][0], r2 = base[0][1], s1 = base[1][0],
               s2           = base[1][1];
  const double values[3][3] = {
    { r1 * r1, r2 * r2, r1 * r2 },
    { s1 * s1, s2 * s2, s1 * s2 },
    { 2. * r1 * s1, 2. * r2 * s2, r1 * s2 + r2 * s1 }
  };
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int k = 0; k < 3; ++k)
      rows[i][k] = values[i][k];
}
} // namespace

ShellValues shell_values(const std::array<Vector3, 4> &x,
                         const std::array<Vector3, 4> &d,
                         const std::array<double, 4> &half)
{
  ShellValues z{};
  for (unsigned int i = 0; i < 4; ++i)
    for (unsigned int c = 0; c < 3; ++c)
    {
      const double xi = 0.25 * shell_xi[i], eta = 0.25 * shell_eta[i],
                   xe = 4. * xi * eta, D = half[i] * d[i][c];
      z[c] += xi * x[i][c];
      z[3 + c] += eta * x[i][c];
      z[6 + c] += xe * x[i][c];
      z[9 + c] += 0.25 * D;
      z[12 + c] += xi * D;
      z[15 + c] += eta * D;
      z[18 + c] += xe * D;
    }
  return z;
}

ShellGeometry make_shell_geometry(const std::array<Vector3, 4> &x,
                                  const std::array<Vector3, 4> &d,
                                  const std::array<double, 4> &thickness,
                                  const Vector3 &rolling,
                                  const ShellFormulation &formulation)
{
  ShellGeometry g;
  for (unsigned int i = 0; i < 4; ++i)
    g.half[i] = 0.5 * thickness[i];
  const ShellValues z = shell_values(x, d, g.half);
  const Vector3 xr = get(z, 0), xs = get(z, 1), xd = get(z, 2), D0 = get(z, 3),
                Dr = get(z, 4), Ds = get(z, 5), Dd = get(z, 6);

  // The centre, whose vectors map the modes. Where nothing says what rolling
  // is, its axes are those of all points: constant stresses are constant in
  // them.
  Vector3 c1, c2, cn;
  set_frame(xr, xs, rolling, c1, c2, cn);
  const Vector3 along            = is_across(rolling, cn) ? c1 : rolling;
  const double centre_base[2][2] = { { dot(xr, c1), dot(xr, c2) },
                                     { dot(xs, c1), dot(xs, c2) } };
  const double centre_J          = dot(cross(xr, xs), D0);
  double inverse[2][2];
  invert(centre_base, inverse);
  double centre_T[3][3];
  strain_transformation(inverse, 1., 0., centre_T);

  const double at = std::sqrt(1. / 3.);
  g.flat          = true;
  g.area          = 0.;
  for (unsigned int q = 0; q < 4; ++q)
  {
    ShellPoint &p    = g.point[q];
    p.r              = shell_xi[q] * at;
    p.s              = shell_eta[q] * at;
    const Vector3 gr = xr + p.s * xd, gs = xs + p.r * xd, Hr = Dr + p.s * Dd,
                  Hs = Ds + p.r * Dd,
                  D  = D0 + p.r * Dr + p.s * Ds + (p.r * p.s) * Dd;
    set_membrane(z, formulation.tied_membrane, p);
    set_frame(gr, gs, along, p.e1, p.e2, p.normal);
    const Vector3 *e[2] = { &p.e1, &p.e2 };
    double longest = 0., slope = 0.;
    for (unsigned int k = 0; k < 2; ++k)
    {
      p.base[0][k]       = dot(gr, *e[k]);
      p.base[1][k]       = dot(gs, *e[k]);
      p.base_slope[0][k] = dot(Hr, *e[k]);
      p.base_slope[1][k] = dot(Hs, *e[k]);
      for (unsigned int a = 0; a < 2; ++a)
      {
        longest = std::max(longest, std::abs(p.base[a][k]));
        slope   = std::max(slope, std::abs(p.base_slope[a][k]));
      }
    }
    // Differences of coordinates of this size are known to a few of their
    // last digits.
    if (slope > 1e-12 * longest)
      g.flat = false;
    double m[2][2];
    invert(p.base, m);
    const double across = dot(D, p.normal);
    for (unsigned int k = 0; k < 2; ++k)
      for (unsigned int a = 0; a < 2; ++a)
        p.shear[k][a] = m[a][k] / across;
    p.J[0] = dot(cross(gr, gs), D);
    p.J[1] = dot(cross(Hr, gs) + cross(gr, Hs), D);
    p.J[2] = dot(cross(Hr, Hs), D);
    g.area += norm(cross(gr, gs));
    p.rest.fill(0.);
    p.rest = shell_strains(p, z);

    // Modes r on E_11, s on E_22, r and s on 2 E_12, in the axes r, s of the
    // centre, times j_0 / j: no work on stresses that are the same everywhere.
    strain_transformation(m, 1., 0., p.to_local);
    strain_to_parametric(p.base, p.from_local);
    const double shape[3][4] = { { p.r, 0., 0., 0. },
                                 { 0., p.s, 0., 0. },
                                 { 0., 0., p.r, p.s } };
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int n = 0; n < 4; ++n)
      {
        double sum = 0.;
        for (unsigned int k = 0; k < 3; ++k)
          sum += centre_T[i][k] * shape[k][n];
        p.modes[i][n] = centre_J / p.J[0] * sum;
      }
  }
  return g;
}

std::array<double, 3> shell_strain(const ShellGeometry &geometry,
                                   const ShellFormulation &formulation,
                                   const ShellValues &z,
                                   const ShellModes &modes,
                                   const unsigned int point,
                                   const double zeta)
{
  const ShellPoint &p             = geometry.point[point];
  std::array<double, n_strains> e = shell_strains(p, z);
  if (formulation.enhanced)
  {
    const EnhancedStrain enhancement(p, e.data(), modes.alpha);
    for (unsigned int i = 0; i < 3; ++i)
      e[i] += enhancement.added[i];
  }
  double base[2][2], m[2][2], T[3][3];
  for (unsigned int a = 0; a < 2; ++a)
    for (unsigned int b = 0; b < 2; ++b)
      base[a][b] = p.base[a][b] + zeta * p.base_slope[a][b];
  invert(base, m);
  strain_transformation(m, 1., 0., T);
  std::array<double, 3> E{};
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int k = 0; k < 3; ++k)
      E[i] += T[i][k] * (e[k] + zeta * (e[3 + k] + zeta * e[6 + k]));
  return E;
}

void shell_mass(const ShellGeometry &geometry,
                const ShellSection &section,
                std::array<double, 4> &mass,
                std::array<double, 4> &rotary)
{
  mass.fill(0.);
  rotary.fill(0.);
  for (const ShellPoint &p : geometry.point)
    for (unsigned int i = 0; i < 4; ++i)
    {
      const double share =
          0.25 * (1. + shell_xi[i] * p.r) * (1. + shell_eta[i] * p.s) * p.J[0];
      mass[i] += share * section.density();
      rotary[i] += share * section.second_density() * geometry.half[i] *
                   geometry.half[i];
    }
}

void shell_pressure(const std::array<Vector3, 4> &x,
                    const double p,
                    std::array<double, 12> &force,
                    std::array<std::array<double, 12>, 12> *stiffness)
{
  std::array<double, 4> none{};
  const ShellValues z = shell_values(x, x, none);
  const Vector3 xr = get(z, 0), xs = get(z, 1), xd = get(z, 2);
  force.fill(0.);
  double whole[12][12] = {};
  const double at      = std::sqrt(1. / 3.);
  for (unsigned int q = 0; q < 4; ++q)
  {
    const double r = shell_xi[q] * at, s = shell_eta[q] * at;
    const Vector3 gr = xr + s * xd, gs = xs + r * xd, area = cross(gr, gs);
    for (unsigned int i = 0; i < 4; ++i)
    {
      const double h = 0.25 * (1. + shell_xi[i] * r) * (1. + shell_eta[i] * s);
      for (unsigned int c = 0; c < 3; ++c)
        force[3 * i + c] += p * h * area[c];
      if (stiffness == nullptr)
        continue;
      // df_i = p h_i (h_j,r dx_j x g_s + g_r x h_j,s dx_j)
      //      = p h_i (h_j,s g_r - h_j,r g_s) x dx_j.
      for (unsigned int j = 0; j < 4; ++j)
      {
        const double hr = 0.25 * shell_xi[j] * (1. + shell_eta[j] * s),
                     hs = 0.25 * shell_eta[j] * (1. + shell_xi[j] * r);
        const Vector3 v = (p * h) * (hs * gr - hr * gs);
        whole[3 * i + 0][3 * j + 1] -= v[2];
        whole[3 * i + 0][3 * j + 2] += v[1];
        whole[3 * i + 1][3 * j + 0] += v[2];
        whole[3 * i + 1][3 * j + 2] -= v[0];
        whole[3 * i + 2][3 * j + 0] -= v[1];
        whole[3 * i + 2][3 * j + 1] += v[0];
      }
    }
  }
  if (stiffness != nullptr)
    for (unsigned int a = 0; a < 12; ++a)
      for (unsigned int b = 0; b < 12; ++b)
        (*stiffness)[a][b] = 0.5 * (whole[a][b] + whole[b][a]);
}
} // namespace delassus
