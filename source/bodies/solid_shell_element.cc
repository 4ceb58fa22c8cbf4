// Plain doubles, no deal.II: compiled for the processor (see
// cmake/modules.cmake).
#include <delassus/bodies/solid_shell_element.h>

#include "solid_shell_algebra.h"

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace algebra;

namespace
{
/// On which of 11, 22, 33, 2 12 a mode is.
constexpr unsigned int component_of_mode[n_solid_shell_modes] = { 0, 1, 2, 2,
                                                                  2, 3, 3 };

/// Where strains are sampled.
constexpr double sample_31[2][3] = { { 0., -1., 0. }, { 0., 1., 0. } };
constexpr double sample_23[2][3] = { { -1., 0., 0. }, { 1., 0., 0. } };
constexpr double sample_33[4][3] = { { -1., -1., 0. },
                                     { 1., -1., 0. },
                                     { -1., 1., 0. },
                                     { 1., 1., 0. } };

/// Node v is at (+-1, +-1, +-1), its bits telling which.
inline double corner(const unsigned int v, const unsigned int d)
{
  return (v >> d) & 1u ? 1. : -1.;
}

/// dN_v/dxi of the trilinear functions.
inline void gradients(const double *xi, double (&result)[8][3])
{
  for (unsigned int v = 0; v < 8; ++v)
  {
    double factor[3];
    for (unsigned int d = 0; d < 3; ++d)
      factor[d] = 0.5 * (1. + corner(v, d) * xi[d]);
    for (unsigned int d = 0; d < 3; ++d)
      result[v][d] =
          0.5 * corner(v, d) * factor[(d + 1) % 3] * factor[(d + 2) % 3];
  }
}

/// sum x_v dN_v/dxi_i in row i.
inline void
base_vectors(const double (&gradient)[8][3], const double *x, Matrix3 &g)
{
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int c = 0; c < 3; ++c)
    {
      double sum = 0.;
      for (unsigned int v = 0; v < 8; ++v)
        sum += gradient[v][i] * x[3 * v + c];
      g[i][c] = sum;
    }
}

/// The symmetric matrix of the amplitude of 11, 22, 33 or 2 12.
inline void
dyad(const double (&l)[3][3], const unsigned int component, Matrix3 &D)
{
  const unsigned int i = component == 3 ? 0 : component,
                     j = component == 3 ? 1 : component;
  for (unsigned int a = 0; a < 3; ++a)
    for (unsigned int b = 0; b < 3; ++b)
      D[a][b] = 0.5 * (l[i][a] * l[j][b] + l[j][a] * l[i][b]);
}
} // namespace

SolidShellRule::SolidShellRule(const std::vector<double> &coordinates)
{
  for (std::size_t k = 0; k + 2 < coordinates.size(); k += 3)
  {
    Point p;
    for (unsigned int d = 0; d < 3; ++d)
      p.xi[d] = coordinates[k + d];
    const double x = p.xi[0], y = p.xi[1], z = p.xi[2];
    const double modes[n_solid_shell_modes] = { x, y, z, x * z, y * z, x, y };
    std::copy_n(modes, n_solid_shell_modes, p.mode);
    gradients(p.xi, p.gradient);
    for (unsigned int s = 0; s < 2; ++s)
    {
      p.shear_31[s] = 0.5 * (1. + sample_31[s][1] * y);
      p.shear_23[s] = 0.5 * (1. + sample_23[s][0] * x);
    }
    for (unsigned int s = 0; s < 4; ++s)
      p.thickness[s] =
          0.25 * (1. + sample_33[s][0] * x) * (1. + sample_33[s][1] * y);
    points.push_back(p);
  }
}

SolidShellElement::SolidShellElement(const SolidShellRule &rule)
    : rule(rule)
    , work(rule.points.size())
{
}

bool SolidShellElement::make_points(const double (&X)[8][3],
                                    SolidShellPoint *points) const
{
  const double centre[3] = {};
  double gradient[8][3];
  gradients(centre, gradient);
  Matrix3 G0, dual0;
  base_vectors(gradient, X[0], G0);
  const double j0 = determinant(G0);
  if (!(j0 > 0.))
    return false;
  duals(G0, dual0);
  for (unsigned int q = 0; q < rule.points.size(); ++q)
  {
    SolidShellPoint &p = points[q];
    Matrix3 G, dual;
    base_vectors(rule.points[q].gradient, X[0], G);
    p.weight = determinant(G);
    if (!(p.weight > 0.))
      return false;
    duals(G, dual);
    frame_of(G, p.frame);
    multiply(dual, p.frame, p.T);
    multiply(dual0, p.frame, p.l);
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int a = 0; a < 3; ++a)
        p.l[i][a] *= std::sqrt(dot(G0[i], G0[i]) * j0 / p.weight);
  }
  return true;
}

void SolidShellElement::set(const double (&X)[8][3],
                            const double *u,
                            const SolidShellPoint *points)
{
  reference = points;
  // E_ij from G and du/dxi: small strains keep their digits.
  const auto strain = [](const Matrix3 &G,
                         const Matrix3 &du,
                         const unsigned int i,
                         const unsigned int j)
  {
    const double e = dot(G[i], du[j]) + dot(du[i], G[j]) + dot(du[i], du[j]);
    return i == j ? 0.5 * e : e;
  };
  double shear_31[2], shear_23[2], thickness[4];
  const auto sample = [&](const double(&at)[3],
                          const unsigned int i,
                          const unsigned int j,
                          double(&row)[24])
  {
    double gradient[8][3];
    gradients(at, gradient);
    Matrix3 G, du;
    base_vectors(gradient, X[0], G);
    base_vectors(gradient, u, du);
    for (unsigned int v = 0; v < 8; ++v)
      for (unsigned int c = 0; c < 3; ++c)
      {
        row[3 * v + c] = (G[i][c] + du[i][c]) * gradient[v][j];
        if (i != j)
          row[3 * v + c] += (G[j][c] + du[j][c]) * gradient[v][i];
      }
    return strain(G, du, i, j);
  };
  for (unsigned int s = 0; s < 2; ++s)
  {
    shear_31[s] = sample(sample_31[s], 0, 2, samples_31[s]);
    shear_23[s] = sample(sample_23[s], 1, 2, samples_23[s]);
  }
  for (unsigned int s = 0; s < 4; ++s)
    thickness[s] = sample(sample_33[s], 2, 2, samples_33[s]);
  for (unsigned int q = 0; q < work.size(); ++q)
  {
    const auto &p = rule.points[q];
    Work &w       = work[q];
    Matrix3 G, du;
    base_vectors(p.gradient, X[0], G);
    base_vectors(p.gradient, u, du);
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int c = 0; c < 3; ++c)
        w.g[i][c] = G[i][c] + du[i][c];
    w.volume = determinant(w.g);
    w.E[0]   = strain(G, du, 0, 0);
    w.E[1]   = strain(G, du, 1, 1);
    w.E[3]   = strain(G, du, 0, 1);
    w.E[2] = w.E[4] = w.E[5] = 0.;
    for (unsigned int s = 0; s < 2; ++s)
    {
      w.E[4] += p.shear_23[s] * shear_23[s];
      w.E[5] += p.shear_31[s] * shear_31[s];
    }
    for (unsigned int s = 0; s < 4; ++s)
      w.E[2] += p.thickness[s] * thickness[s];
  }
}

void SolidShellElement::amplitudes(const unsigned int q,
                                   const double *alpha,
                                   double *a) const
{
  std::fill_n(a, 4, 0.);
  for (unsigned int m = 0; m < n_solid_shell_modes; ++m)
    a[component_of_mode[m]] += rule.points[q].mode[m] * alpha[m];
}

bool SolidShellElement::deformation(const unsigned int q,
                                    const double *alpha,
                                    double *F)
{
  Work &w                  = work[q];
  const SolidShellPoint &p = reference[q];

  // R^T R = 1 + 2 E in the frame.
  Matrix3 E, half, local;
  for (unsigned int k = 0; k < 6; ++k)
    E[first[k]][second[k]] = E[second[k]][first[k]] =
        k < 3 ? w.E[k] : 0.5 * w.E[k];
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int b = 0; b < 3; ++b)
      half[i][b] =
          E[i][0] * p.T[0][b] + E[i][1] * p.T[1][b] + E[i][2] * p.T[2][b];
  for (unsigned int a = 0; a < 3; ++a)
    for (unsigned int b = 0; b < 3; ++b)
      local[a][b] = p.T[0][a] * half[0][b] + p.T[1][a] * half[1][b] +
                    p.T[2][a] * half[2][b];
  // R - 1 = H: small strains keep their digits.
  auto &R      = w.R;
  Matrix3 H    = {};
  const auto d = [](const double twice)
  { return twice / (1. + std::sqrt(1. + twice)); };
  const double e0 = 2. * local[0][0];
  if (!(1. + e0 > 0.))
    return false;
  H[0][0]         = d(e0);
  H[0][1]         = 2. * local[0][1] / (1. + H[0][0]);
  H[0][2]         = 2. * local[0][2] / (1. + H[0][0]);
  const double e1 = 2. * local[1][1] - H[0][1] * H[0][1];
  if (!(1. + e1 > 0.))
    return false;
  H[1][1]         = d(e1);
  H[1][2]         = (2. * local[1][2] - H[0][1] * H[0][2]) / (1. + H[1][1]);
  const double e2 = 2. * local[2][2] - H[0][2] * H[0][2] - H[1][2] * H[1][2];
  if (!(1. + e2 > 0.))
    return false;
  H[2][2] = d(e2);
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      R[i][j] = H[i][j] + (i == j ? 1. : 0.);
  auto &inverse = w.inverse;
  std::fill_n(&inverse[0][0], 9, 0.);
  for (unsigned int i = 0; i < 3; ++i)
    inverse[i][i] = 1. / R[i][i];
  inverse[0][1] = -R[0][1] * inverse[0][0] * inverse[1][1];
  inverse[1][2] = -R[1][2] * inverse[1][1] * inverse[2][2];
  inverse[0][2] =
      -(R[0][1] * inverse[1][2] + R[0][2] * inverse[2][2]) * inverse[0][0];
  multiply(p.T, inverse, w.X);

  // A = 1 + e + e e / 2 and its derivatives.
  double a[4];
  amplitudes(q, alpha, a);
  Matrix3 D[4], mode = {}, square;
  for (unsigned int k = 0; k < 4; ++k)
  {
    dyad(p.l, k, D[k]);
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        mode[i][j] += a[k] * D[k][i][j];
  }
  multiply(mode, mode, square);
  Matrix3 A_less_1, A;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
    {
      A_less_1[i][j] = mode[i][j] + 0.5 * square[i][j];
      A[i][j]        = A_less_1[i][j] + (i == j ? 1. : 0.);
    }
  if (!(determinant(A) > 0.) || !std::isfinite(a[0] + a[1] + a[2] + a[3]))
    return false;
  invert_symmetric(A, w.A_inverse);
  for (unsigned int k = 0; k < 4; ++k)
  {
    Matrix3 De, slope;
    multiply(D[k], mode, De);
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        slope[i][j] = D[k][i][j] + 0.5 * (De[i][j] + De[j][i]);
    multiply(w.A_inverse, slope, w.B[k]);
  }
  // F = (1 + H) A, as 1 + (H + (A - 1) + H (A - 1)).
  Matrix3 product;
  multiply(H, A_less_1, product);
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      F[3 * i + j] =
          (i == j ? 1. : 0.) + (H[i][j] + A_less_1[i][j] + product[i][j]);
  return true;
}

void SolidShellElement::present_frame(const unsigned int q,
                                      double (&e)[3][3]) const
{
  frame_of(work[q].g, e);
}

void SolidShellElement::set_response(const unsigned int q,
                                     const double dV,
                                     const double *stress,
                                     const double *tangent)
{
  Work &w = work[q];
  w.dV    = dV;
  std::copy_n(stress, 6, w.tau);
  std::copy_n(tangent, 36, &w.c[0][0]);
  transform(w.X, w.tau, w.cell_N);
  double N[6];
  transform(w.inverse, w.tau, N);
  to_matrix(N, w.N);
  for (unsigned int k = 0; k < 4; ++k)
  {
    // d = sym(R B^T R^-1)
    Matrix3 half, full;
    multiply_transposed(w.R, w.B[k], half);
    multiply(half, w.inverse, full);
    for (unsigned int i = 0; i < 6; ++i)
      w.d[k][i] = i < 3 ? full[i][i]
                        : full[first[i]][second[i]] + full[second[i]][first[i]];
    for (unsigned int i = 0; i < 6; ++i)
    {
      double sum = 0.;
      for (unsigned int j = 0; j < 6; ++j)
        sum += w.c[i][j] * w.d[k][j];
      w.cd[k][i] = sum;
    }
  }
}

void SolidShellElement::modes(double *force,
                              double (*stiffness)[n_solid_shell_modes]) const
{
  constexpr unsigned int n = n_solid_shell_modes;
  std::fill_n(force, n, 0.);
  std::fill_n(stiffness[0], n * n, 0.);
  for (unsigned int q = 0; q < work.size(); ++q)
  {
    const Work &w            = work[q];
    const SolidShellPoint &p = reference[q];
    const auto &phi          = rule.points[q].mode;
    // With C = R^T R, S = A^-1 N A^-1 the stress conjugate to C+:
    //   S : d2E+ = tr(A^-1 A_kl C N) + tr(N B_k C B_l^T),
    //   A_kl = (D_k D_l + D_l D_k) / 2.
    Matrix3 C, CN, Q, D[4], NB[4];
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        C[i][j] = w.R[0][i] * w.R[0][j] + w.R[1][i] * w.R[1][j] +
                  w.R[2][i] * w.R[2][j];
    multiply(C, w.N, CN);
    multiply(CN, w.A_inverse, Q); // C N A^-1
    double f[4], K[4][4];
    for (unsigned int k = 0; k < 4; ++k)
    {
      dyad(p.l, k, D[k]);
      Matrix3 half;
      multiply(w.N, w.B[k], half);
      multiply(half, C, NB[k]);
      f[k] = 0.;
      for (unsigned int i = 0; i < 6; ++i)
        f[k] += w.tau[i] * w.d[k][i];
    }
    for (unsigned int k = 0; k < 4; ++k)
      for (unsigned int l = 0; l <= k; ++l)
      {
        double value = 0.;
        for (unsigned int i = 0; i < 6; ++i)
          value += w.d[k][i] * w.cd[l][i];
        Matrix3 DD;
        multiply(D[k], D[l], DD);
        for (unsigned int i = 0; i < 3; ++i)
          for (unsigned int j = 0; j < 3; ++j)
            value += 0.5 * (DD[i][j] + DD[j][i]) * Q[j][i];
        // tr(N B_k C B_l^T)
        value += contract(NB[k], w.B[l]);
        K[k][l] = K[l][k] = value;
      }
    for (unsigned int m = 0; m < n; ++m)
    {
      const unsigned int k = component_of_mode[m];
      force[m] += w.dV * phi[m] * f[k];
      for (unsigned int o = 0; o < n; ++o)
        stiffness[m][o] += w.dV * phi[m] * phi[o] * K[k][component_of_mode[o]];
    }
  }
}

void SolidShellElement::strain_matrix(const unsigned int q,
                                      double (*B)[24]) const
{
  const auto &p = rule.points[q];
  const auto &g = work[q].g;
  for (unsigned int v = 0; v < 8; ++v)
    for (unsigned int c = 0; c < 3; ++c)
    {
      const double *dN     = p.gradient[v];
      const unsigned int i = 3 * v + c;
      B[0][i]              = g[0][c] * dN[0];
      B[1][i]              = g[1][c] * dN[1];
      B[3][i]              = g[0][c] * dN[1] + g[1][c] * dN[0];
    }
  for (unsigned int i = 0; i < 24; ++i)
  {
    B[2][i] =
        p.thickness[0] * samples_33[0][i] + p.thickness[1] * samples_33[1][i] +
        p.thickness[2] * samples_33[2][i] + p.thickness[3] * samples_33[3][i];
    B[4][i] =
        p.shear_23[0] * samples_23[0][i] + p.shear_23[1] * samples_23[1][i];
    B[5][i] =
        p.shear_31[0] * samples_31[0][i] + p.shear_31[1] * samples_31[1][i];
  }
}

void SolidShellElement::forces(double *f,
                               double (*mixed)[n_solid_shell_dofs]) const
{
  std::fill_n(f, 24, 0.);
  std::fill_n(mixed[0], n_solid_shell_modes * 24, 0.);
  for (unsigned int q = 0; q < work.size(); ++q)
  {
    const Work &w            = work[q];
    const SolidShellPoint &p = reference[q];
    const auto &phi          = rule.points[q].mode;
    double B[6][24];
    strain_matrix(q, B);
    double N[6];
    for (unsigned int k = 0; k < 6; ++k)
      N[k] = w.dV * w.cell_N[k];
    for (unsigned int i = 0; i < 24; ++i)
      f[i] += N[0] * B[0][i] + N[1] * B[1][i] + N[2] * B[2][i] +
              N[3] * B[3][i] + N[4] * B[4][i] + N[5] * B[5][i];
    // c : d_k pulled back, and S : d2E+/(da dE) = N B + B^T N.
    double rows[4][24];
    for (unsigned int k = 0; k < 4; ++k)
    {
      double by_strain[6], more[6], in_cell[6];
      transform(w.X, w.cd[k], by_strain);
      Matrix3 NB;
      multiply(w.N, w.B[k], NB);
      for (unsigned int i = 0; i < 6; ++i)
        more[i] = NB[first[i]][second[i]] + NB[second[i]][first[i]];
      transform(p.T, more, in_cell);
      for (unsigned int i = 0; i < 6; ++i)
        in_cell[i] = w.dV * (in_cell[i] + by_strain[i]);
      for (unsigned int i = 0; i < 24; ++i)
        rows[k][i] = in_cell[0] * B[0][i] + in_cell[1] * B[1][i] +
                     in_cell[2] * B[2][i] + in_cell[3] * B[3][i] +
                     in_cell[4] * B[4][i] + in_cell[5] * B[5][i];
    }
    for (unsigned int m = 0; m < n_solid_shell_modes; ++m)
    {
      const double *row = rows[component_of_mode[m]];
      for (unsigned int i = 0; i < 24; ++i)
        mixed[m][i] += phi[m] * row[i];
    }
  }
}

void SolidShellElement::tangent(double *K) const
{
  double G[8][8]   = {};
  double sum_31[2] = {}, sum_23[2] = {}, sum_33[4] = {};
  double full[24][24] = {};
  for (unsigned int q = 0; q < work.size(); ++q)
  {
    const Work &w = work[q];
    const auto &p = rule.points[q];
    // d : c : d with d = X^-T dE X^-1: c in components of the cell.
    double V[6][6], half[6][6], D[6][6];
    for (unsigned int a = 0; a < 6; ++a)
      for (unsigned int i = 0; i < 6; ++i)
      {
        const double *x = w.X[first[a]], *y = w.X[second[a]];
        V[a][i] = i < 3
                      ? x[i] * y[i]
                      : x[first[i]] * y[second[i]] + x[second[i]] * y[first[i]];
      }
    for (unsigned int a = 0; a < 6; ++a)
      for (unsigned int j = 0; j < 6; ++j)
      {
        double sum = 0.;
        for (unsigned int i = 0; i < 6; ++i)
          sum += V[a][i] * w.c[i][j];
        half[a][j] = w.dV * sum;
      }
    for (unsigned int a = 0; a < 6; ++a)
      for (unsigned int b = 0; b < 6; ++b)
      {
        double sum = 0.;
        for (unsigned int j = 0; j < 6; ++j)
          sum += half[a][j] * V[b][j];
        D[a][b] = sum;
      }
    double B[6][24], DB[6][24];
    strain_matrix(q, B);
    for (unsigned int a = 0; a < 6; ++a)
      for (unsigned int i = 0; i < 24; ++i)
        DB[a][i] = D[a][0] * B[0][i] + D[a][1] * B[1][i] + D[a][2] * B[2][i] +
                   D[a][3] * B[3][i] + D[a][4] * B[4][i] + D[a][5] * B[5][i];
    for (unsigned int i = 0; i < 24; ++i)
      for (unsigned int j = 0; j < 24; ++j)
        full[i][j] += B[0][i] * DB[0][j] + B[1][i] * DB[1][j] +
                      B[2][i] * DB[2][j] + B[3][i] * DB[3][j] +
                      B[4][i] * DB[4][j] + B[5][i] * DB[5][j];
    double N[6];
    for (unsigned int k = 0; k < 6; ++k)
      N[k] = w.dV * w.cell_N[k];
    for (unsigned int v = 0; v < 8; ++v)
    {
      const double *a = p.gradient[v];
      const double x = N[0] * a[0] + N[3] * a[1], y = N[3] * a[0] + N[1] * a[1];
      for (unsigned int o = 0; o < 8; ++o)
        G[v][o] += x * p.gradient[o][0] + y * p.gradient[o][1];
    }
    for (unsigned int s = 0; s < 2; ++s)
    {
      sum_23[s] += p.shear_23[s] * N[4];
      sum_31[s] += p.shear_31[s] * N[5];
    }
    for (unsigned int s = 0; s < 4; ++s)
      sum_33[s] += p.thickness[s] * N[2];
  }
  const auto add = [&G](const double(&at)[3],
                        const unsigned int i,
                        const unsigned int j,
                        const double N)
  {
    double gradient[8][3];
    gradients(at, gradient);
    for (unsigned int v = 0; v < 8; ++v)
      for (unsigned int o = 0; o < 8; ++o)
      {
        G[v][o] += N * gradient[v][i] * gradient[o][j];
        if (i != j)
          G[v][o] += N * gradient[v][j] * gradient[o][i];
      }
  };
  for (unsigned int s = 0; s < 2; ++s)
  {
    add(sample_31[s], 0, 2, sum_31[s]);
    add(sample_23[s], 1, 2, sum_23[s]);
  }
  for (unsigned int s = 0; s < 4; ++s)
    add(sample_33[s], 2, 2, sum_33[s]);
  for (unsigned int v = 0; v < 8; ++v)
    for (unsigned int o = 0; o < 8; ++o)
      for (unsigned int c = 0; c < 3; ++c)
        full[3 * v + c][3 * o + c] += G[v][o];
  std::copy_n(&full[0][0], 24 * 24, K);
}
} // namespace delassus
