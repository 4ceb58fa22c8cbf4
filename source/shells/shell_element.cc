#include <delassus/shells/shell_element.h>

#include "shell_modes.h"
#include "shell_strains.h"

#include <cmath>

namespace delassus
{
namespace
{
constexpr unsigned int n_modes = 4, n_z = n_shell_values;

/// What a point of the plane answers, per dr ds: forces of the eleven strain
/// measures, and int zeta^k C dV, k = 0 ... 4, each as 00 11 22 01 02 12 of its
/// symmetric matrix.
struct Resultants
{
  double force[n_strains];
  double moment[5][6];
  double shear[3]; ///< 00 11 01, of the two shear strains
  double stored, dissipated, thickness_strain;
  double size; ///< of the energies in it, whatever their signs
};

/// What the modes do at a point: derivatives of the membrane strain by itself
/// and by them, and the force on it times second derivatives.
struct ModeTerms
{
  double by_strain[3][3], by_modes[3][n_modes];
  double modes_modes[n_modes][n_modes], modes_strain[n_modes][3];
};

/// Add J w zeta^k T^t C T, k = 0 ... 4.
inline void add_tangent(const std::array<std::array<double, 3>, 3> &C,
                        const double (&T)[3][3],
                        const double dV,
                        const double zeta,
                        double (&moment)[5][6])
{
  double CT[3][3];
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      CT[i][j] = C[i][0] * T[0][j] + C[i][1] * T[1][j] + C[i][2] * T[2][j];
  const auto entry = [&](const unsigned int i, const unsigned int j)
  { return T[0][i] * CT[0][j] + T[1][i] * CT[1][j] + T[2][i] * CT[2][j]; };
  // Where a law's tangent is not symmetric to the last digit.
  const double values[6] = { entry(0, 0),
                             entry(1, 1),
                             entry(2, 2),
                             0.5 * (entry(0, 1) + entry(1, 0)),
                             0.5 * (entry(0, 2) + entry(2, 0)),
                             0.5 * (entry(1, 2) + entry(2, 1)) };
  double weight          = dV;
  for (unsigned int k = 0; k < 5; ++k, weight *= zeta)
    for (unsigned int i = 0; i < 6; ++i)
      moment[k][i] += weight * values[i];
}

/// Integrate through the thickness.
bool respond(const ShellPoint &p,
             const bool flat,
             const ShellSection &section,
             const std::array<double, n_strains> &e,
             const double h,
             const bool with_tangent,
             const double *begin,
             double *end,
             Resultants &result)
{
  result         = Resultants();
  double T[3][3] = {};
  SheetResponse response;
  for (const ShellSection::Point &k : section.points())
  {
    const double zeta = k.zeta;
    if (k.turned || !flat)
    {
      double base[2][2], m[2][2];
      for (unsigned int a = 0; a < 2; ++a)
        for (unsigned int b = 0; b < 2; ++b)
          base[a][b] = p.base[a][b] + zeta * p.base_slope[a][b];
      invert(base, m);
      strain_transformation(m, k.cosine, k.sine, T);
    }
    double E_parametric[3];
    std::array<double, 3> E;
    for (unsigned int i = 0; i < 3; ++i)
      E_parametric[i] = e[i] + zeta * (e[3 + i] + zeta * e[6 + i]);
    for (unsigned int i = 0; i < 3; ++i)
      E[i] = T[i][0] * E_parametric[0] + T[i][1] * E_parametric[1] +
             T[i][2] * E_parametric[2];
    if (!k.law->respond(
            E, h, begin + k.first, end + k.first, with_tangent, response))
      return false;
    const double dV = k.weight * (p.J[0] + zeta * (p.J[1] + zeta * p.J[2]));
    for (unsigned int i = 0; i < 3; ++i)
    {
      const double S =
          dV * (T[0][i] * response.stress[0] + T[1][i] * response.stress[1] +
                T[2][i] * response.stress[2]);
      result.force[i] += S;
      result.force[3 + i] += zeta * S;
      result.force[6 + i] += zeta * zeta * S;
    }
    if (with_tangent)
      add_tangent(response.tangent, T, dV, zeta, result.moment);
    result.stored += dV * response.stored;
    result.dissipated += dV * response.dissipated;
    result.thickness_strain += 0.5 * k.weight * response.thickness_strain;
  }

  // What is stored where all forces are in balance with each other, and work
  // where a law tells no energy.
  result.size = std::abs(result.stored);
  for (unsigned int i = 0; i < 9; ++i)
    result.size += std::abs(result.force[i] * e[i]);

  // Shear: elastic, the same through the thickness, with the middle's volume.
  const std::array<double, 3> &G = section.shear();
  const auto entry = [&](const unsigned int a, const unsigned int b)
  {
    return p.J[0] *
           (p.shear[0][a] * (G[0] * p.shear[0][b] + G[2] * p.shear[1][b]) +
            p.shear[1][a] * (G[2] * p.shear[0][b] + G[1] * p.shear[1][b]));
  };
  result.shear[0]  = entry(0, 0);
  result.shear[1]  = entry(1, 1);
  result.shear[2]  = entry(0, 1);
  result.force[9]  = result.shear[0] * e[9] + result.shear[2] * e[10];
  result.force[10] = result.shear[2] * e[9] + result.shear[1] * e[10];
  result.stored += 0.5 * (result.force[9] * e[9] + result.force[10] * e[10]);
  return true;
}

/// y = M x of a symmetric 3 x 3 matrix as Resultants keeps it.
template <typename Row>
inline void
multiply_add(const double (&M)[6], const Row *x, Row *y, const unsigned int n)
{
  for (unsigned int j = 0; j < n; ++j)
  {
    const double a = x[0][j], b = x[1][j], c = x[2][j];
    y[0][j] += M[0] * a + M[3] * b + M[4] * c;
    y[1][j] += M[3] * a + M[1] * b + M[5] * c;
    y[2][j] += M[4] * a + M[5] * b + M[2] * c;
  }
}

/// Inverse of a symmetric matrix by Gauss-Jordan without pivoting; false if it
/// is not positive definite.
bool invert(double (&A)[n_modes][n_modes])
{
  for (unsigned int k = 0; k < n_modes; ++k)
  {
    const double pivot = A[k][k];
    if (!(pivot > 0.))
      return false;
    A[k][k] = 1.;
    for (unsigned int j = 0; j < n_modes; ++j)
      A[k][j] /= pivot;
    for (unsigned int i = 0; i < n_modes; ++i)
    {
      if (i == k)
        continue;
      const double factor = A[i][k];
      A[i][k]             = 0.;
      for (unsigned int j = 0; j < n_modes; ++j)
        A[i][j] -= factor * A[k][j];
    }
  }
  return true;
}

/// The modes' forces, and the inverse of their stiffness.
struct ModeBalance
{
  double force[n_modes], inverse[n_modes][n_modes], step[n_modes];
  double error, scale;

  bool set(const ModeTerms (&terms)[4], const Resultants (&answer)[4])
  {
    *this = ModeBalance();
    for (unsigned int q = 0; q < 4; ++q)
    {
      const auto &m         = terms[q].by_modes;
      const auto &C         = answer[q].moment[0];
      const auto &f         = answer[q].force;
      double Cm[3][n_modes] = {};
      multiply_add(C, m, Cm, n_modes);
      for (unsigned int a = 0; a < n_modes; ++a)
      {
        force[a] += m[0][a] * f[0] + m[1][a] * f[1] + m[2][a] * f[2];
        for (unsigned int b = 0; b < n_modes; ++b)
          inverse[a][b] += m[0][a] * Cm[0][b] + m[1][a] * Cm[1][b] +
                           m[2][a] * Cm[2][b] + terms[q].modes_modes[a][b];
      }
      scale += answer[q].size;
    }
    if (!invert(inverse))
      return false;
    for (unsigned int a = 0; a < n_modes; ++a)
    {
      for (unsigned int b = 0; b < n_modes; ++b)
        step[a] += inverse[a][b] * force[b];
      error += step[a] * force[a];
    }
    return true;
  }
};

/// From the seven vectors to positions and directors of node i: dx_r/dx_i and
/// so on.
struct NodeWeights
{
  double x[3], D[4];

  NodeWeights(const unsigned int i, const double half)
  {
    const double xi = 0.25 * shell_xi[i], eta = 0.25 * shell_eta[i],
                 xe = 4. * xi * eta;
    x[0]            = xi;
    x[1]            = eta;
    x[2]            = xe;
    D[0]            = 0.25 * half;
    D[1]            = xi * half;
    D[2]            = eta * half;
    D[3]            = xe * half;
  }
};
} // namespace

ShellTrouble evaluate_shell(const ShellGeometry &g,
                            const ShellFormulation &formulation,
                            const ShellSection &section,
                            const ShellValues &z,
                            const std::array<double, 4> &half,
                            const double h,
                            const ShellTask &task,
                            const double *begin,
                            double *end,
                            ShellModes &modes,
                            ShellResult &result)
{
  const unsigned int n_history = section.n_history();
  const bool enhanced          = formulation.enhanced;
  const bool solve = enhanced && (task.solve_modes || !task.tangent);
  std::array<double, n_strains> strains[4];
  for (unsigned int q = 0; q < 4; ++q)
    strains[q] = shell_strains(g.point[q], z);

  const std::array<double, 4> before_step = modes.alpha;
  if (enhanced)
    for (unsigned int a = 0; a < n_modes; ++a)
    {
      double change = modes.correction[a];
      for (unsigned int j = 0; j < n_z; ++j)
        change += modes.coupling[a][j] * (z[j] - modes.z[j]);
      modes.alpha[a] -= change;
    }

  Resultants answer[4];
  ModeTerms terms[4];
  ModeBalance balance;
  const auto respond_all = [&]()
  {
    for (unsigned int q = 0; q < 4; ++q)
    {
      std::array<double, n_strains> e = strains[q];
      const EnhancedStrain enhancement(
          g.point[q], strains[q].data(), modes.alpha);
      if (enhanced)
        for (unsigned int i = 0; i < 3; ++i)
          e[i] += enhancement.added[i];
      if (!respond(g.point[q],
                   g.flat,
                   section,
                   e,
                   h,
                   task.tangent || solve,
                   begin + q * n_history,
                   end + q * n_history,
                   answer[q]))
        return ShellTrouble::material;
      if (enhanced)
      {
        enhancement.derivatives(terms[q].by_strain, terms[q].by_modes);
        enhancement.second_derivatives(
            answer[q].force, terms[q].modes_modes, terms[q].modes_strain);
      }
    }
    if (enhanced && !balance.set(terms, answer))
      return ShellTrouble::modes;
    return ShellTrouble::none;
  };
  const auto balance_modes = [&]()
  {
    // Newton's method for the minimum of a convex function. A step after which
    // the slope along it is larger than before is halved. (Error is no measure:
    // its metric is that of each iterate, which yielding changes.)
    constexpr unsigned int most = 50, most_halved = 8;
    // What is left of their forces is condensed to first order: its square
    // counts.
    constexpr double tolerance = 1e-14;
    // Steps that strains of order one would lose by rounding: where hardly
    // anything is strained, energies are the rounding of stresses.
    constexpr double lost = 1e-14;
    const auto is_lost    = [&]()
    {
      double largest = 0.;
      for (unsigned int a = 0; a < n_modes; ++a)
        largest = std::max(largest, std::abs(balance.step[a]));
      return largest <= lost;
    };
    ShellTrouble trouble = respond_all();
    for (unsigned int k = 0; k < most && trouble == ShellTrouble::none; ++k)
    {
      if (!solve || balance.error <= tolerance * balance.scale || is_lost())
        return trouble;
      const std::array<double, 4> from = modes.alpha;
      const ModeBalance before         = balance;
      double length                    = 1.;
      for (unsigned int n = 0; n < most_halved; ++n, length *= 0.5)
      {
        for (unsigned int a = 0; a < n_modes; ++a)
          modes.alpha[a] = from[a] - length * before.step[a];
        trouble = respond_all();
        if (trouble != ShellTrouble::none)
          continue;
        double slope = 0.;
        for (unsigned int a = 0; a < n_modes; ++a)
          slope += balance.force[a] * before.step[a];
        if (std::abs(slope) <= before.error)
          break;
      }
    }
    return trouble == ShellTrouble::none ? ShellTrouble::modes : trouble;
  };
  ShellTrouble trouble = balance_modes();
  if (trouble != ShellTrouble::none && solve)
  {
    // From where the modes were, without following the nodes.
    modes.alpha = before_step;
    trouble     = balance_modes();
  }
  if (trouble != ShellTrouble::none)
  {
    modes.alpha = before_step;
    return trouble;
  }
  modes.z = z;
  modes.correction.fill(0.);

  // Forces and tangent in the seven vectors.
  double f[n_padded] = {}, K[n_z][n_padded] = {}, Q[7][7] = {};
  double mixed[n_modes][n_padded] = {};
  result.stored = result.dissipated = 0.;
  for (unsigned int q = 0; q < 4; ++q)
  {
    const ShellPoint &p = g.point[q];
    Resultants &R       = answer[q];
    result.stored += R.stored;
    result.dissipated += R.dissipated;
    result.thickness_strain[q]    = R.thickness_strain;
    double B[n_strains][n_padded] = {};
    set_derivatives(p, z, B);
    // Of the strain before the modes, and after them.
    double before[3][n_padded];
    if (enhanced)
    {
      const auto &E = terms[q].by_strain;
      for (unsigned int j = 0; j < n_padded; ++j)
      {
        for (unsigned int i = 0; i < 3; ++i)
          before[i][j] = B[i][j];
        for (unsigned int i = 0; i < 3; ++i)
          B[i][j] = E[i][0] * before[0][j] + E[i][1] * before[1][j] +
                    E[i][2] * before[2][j];
      }
    }
    for (unsigned int i = 0; i < n_strains; ++i)
      for (unsigned int j = 0; j < n_padded; ++j)
        f[j] += R.force[i] * B[i][j];
    if (!task.tangent)
    {
      if (!enhanced)
        continue;
      // What the modes need: the membrane alone.
      double CB[3][n_padded] = {};
      for (unsigned int b = 0; b < 3; ++b)
        multiply_add(R.moment[b], B + 3 * b, CB, n_padded);
      for (unsigned int a = 0; a < n_modes; ++a)
        for (unsigned int i = 0; i < 3; ++i)
        {
          const double m = terms[q].by_modes[i][a],
                       n = terms[q].modes_strain[a][i];
          for (unsigned int j = 0; j < n_padded; ++j)
            mixed[a][j] += m * CB[i][j] + n * before[i][j];
        }
      continue;
    }
    if (enhanced)
    {
      const auto &E     = terms[q].by_strain;
      const double n[3] = { R.force[0], R.force[1], R.force[2] };
      for (unsigned int i = 0; i < 3; ++i)
        R.force[i] = E[0][i] * n[0] + E[1][i] * n[1] + E[2][i] * n[2];
    }
    add_second_derivatives(p, R.force, Q);
    double CB[n_strains][n_padded] = {};
    for (unsigned int a = 0; a < 3; ++a)
      for (unsigned int b = 0; b < 3; ++b)
        multiply_add(R.moment[a + b], B + 3 * b, CB + 3 * a, n_padded);
    for (unsigned int j = 0; j < n_padded; ++j)
    {
      CB[9][j]  = R.shear[0] * B[9][j] + R.shear[2] * B[10][j];
      CB[10][j] = R.shear[2] * B[9][j] + R.shear[1] * B[10][j];
    }
    for (unsigned int i = 0; i < n_z; ++i)
    {
      double row[n_padded] = {};
      for (unsigned int k = 0; k < n_strains; ++k)
      {
        const double b = B[k][i];
        for (unsigned int j = 0; j < n_padded; ++j)
          row[j] += b * CB[k][j];
      }
      for (unsigned int j = 0; j < n_padded; ++j)
        K[i][j] += row[j];
    }
    if (enhanced)
      for (unsigned int a = 0; a < n_modes; ++a)
        for (unsigned int i = 0; i < 3; ++i)
        {
          const double m = terms[q].by_modes[i][a],
                       n = terms[q].modes_strain[a][i];
          for (unsigned int j = 0; j < n_padded; ++j)
            mixed[a][j] += m * CB[i][j] + n * before[i][j];
        }
  }

  result.modes_error = 0.;
  if (enhanced)
  {
    result.modes_error = balance.error;
    for (unsigned int a = 0; a < n_modes; ++a)
      for (unsigned int j = 0; j < n_padded; ++j)
        f[j] -= mixed[a][j] * balance.step[a];
  }
  if (enhanced)
  {
    double coupling[n_modes][n_padded] = {};
    for (unsigned int a = 0; a < n_modes; ++a)
    {
      for (unsigned int b = 0; b < n_modes; ++b)
        for (unsigned int j = 0; j < n_padded; ++j)
          coupling[a][j] += balance.inverse[a][b] * mixed[b][j];
      modes.correction[a] = balance.step[a];
      for (unsigned int j = 0; j < n_z; ++j)
        modes.coupling[a][j] = coupling[a][j];
    }
    for (unsigned int i = 0; i < n_z && task.tangent; ++i)
      for (unsigned int a = 0; a < n_modes; ++a)
      {
        const double m = mixed[a][i];
        for (unsigned int j = 0; j < n_padded; ++j)
          K[i][j] -= m * coupling[a][j];
      }
  }

  // Nodes.
  const NodeWeights weights[4] = {
    { 0, half[0] }, { 1, half[1] }, { 2, half[2] }, { 3, half[3] }
  };
  for (unsigned int i = 0; i < 4; ++i)
    for (unsigned int c = 0; c < 3; ++c)
    {
      const NodeWeights &w = weights[i];
      result.force[6 * i + c] =
          w.x[0] * f[c] + w.x[1] * f[3 + c] + w.x[2] * f[6 + c];
      result.force[6 * i + 3 + c] = w.D[0] * f[9 + c] + w.D[1] * f[12 + c] +
                                    w.D[2] * f[15 + c] + w.D[3] * f[18 + c];
    }
  if (!task.tangent)
    return ShellTrouble::none;
  for (unsigned int a = 0; a < 7; ++a)
    for (unsigned int b = 0; b < 7; ++b)
      for (unsigned int c = 0; c < 3; ++c)
        K[3 * a + c][3 * b + c] += Q[a][b];
  double half_way[n_shell_dofs][n_padded];
  for (unsigned int i = 0; i < 4; ++i)
    for (unsigned int c = 0; c < 3; ++c)
    {
      const NodeWeights &w = weights[i];
      for (unsigned int j = 0; j < n_padded; ++j)
      {
        half_way[6 * i + c][j] =
            w.x[0] * K[c][j] + w.x[1] * K[3 + c][j] + w.x[2] * K[6 + c][j];
        half_way[6 * i + 3 + c][j] =
            w.D[0] * K[9 + c][j] + w.D[1] * K[12 + c][j] +
            w.D[2] * K[15 + c][j] + w.D[3] * K[18 + c][j];
      }
    }
  for (unsigned int row = 0; row < n_shell_dofs; ++row)
  {
    const double(&k)[n_padded] = half_way[row];
    auto &out                  = result.tangent[row];
    for (unsigned int i = 0; i < 4; ++i)
      for (unsigned int c = 0; c < 3; ++c)
      {
        const NodeWeights &w = weights[i];
        out[6 * i + c] = w.x[0] * k[c] + w.x[1] * k[3 + c] + w.x[2] * k[6 + c];
        out[6 * i + 3 + c] = w.D[0] * k[9 + c] + w.D[1] * k[12 + c] +
                             w.D[2] * k[15 + c] + w.D[3] * k[18 + c];
      }
  }
  return ShellTrouble::none;
}
} // namespace delassus
