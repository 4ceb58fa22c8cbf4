#include <delassus/bodies/solid_shell_cells.h>

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
constexpr unsigned int n_modes = n_solid_shell_modes;
constexpr unsigned int n_dofs  = n_solid_shell_dofs;

/// Three coordinates of each point, from -1 to 1.
std::vector<double> coordinates_of(const Quadrature<3> &quadrature)
{
  std::vector<double> result;
  for (const auto &p : quadrature.get_points())
    for (unsigned int d = 0; d < 3; ++d)
      result.push_back(2. * p[d] - 1.);
  return result;
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
} // namespace

Quadrature<3> solid_shell_quadrature(const unsigned int n)
{
  return QAnisotropic<3>(QGauss<1>(2), QGauss<1>(2), QGauss<1>(n));
}

SolidShellCells::SolidShellCells(const Material &material,
                                 const Quadrature<3> &quadrature)
    : material(material)
    , rule(coordinates_of(quadrature))
    , weights(quadrature.get_weights())
    , element(rule)
    , n_q(quadrature.size())
    , responses(n_q)
    , volume_ratios(n_q)
{
  for (double &w : weights)
    w *= 8.; // the cube from -1 to 1
}

bool SolidShellCells::add_cell(const std::array<Point<3>, 8> &cell_nodes)
{
  nodes.push_back(cell_nodes);
  points.resize(points.size() + n_q);
  begin_modes.resize(begin_modes.size() + n_modes, 0.);
  present.emplace_back();
  double X[8][3];
  nodes_of(nodes.size() - 1, X);
  return element.make_points(X, &points[points.size() - n_q]);
}

void SolidShellCells::nodes_of(const unsigned int cell, double (&X)[8][3]) const
{
  for (unsigned int v = 0; v < 8; ++v)
    for (unsigned int c = 0; c < 3; ++c)
      X[v][c] = nodes[cell][v][c];
}

SolidShellCells::Trouble SolidShellCells::respond(const double *alpha,
                                                  const double h,
                                                  const double *begin,
                                                  double *end,
                                                  const unsigned int n_history)
{
  Tensor<2, 3> F;
  double scale = 0., mode_volume = 0.;
  for (unsigned int q = 0; q < n_q; ++q)
  {
    if (!element.deformation(q, alpha, &F[0][0]))
      return Trouble::inside_out;
    auto &response = responses[q];
    if (!material.respond(
            F, h, begin + q * n_history, end + q * n_history, true, response))
      return Trouble::material;
    volume_ratios[q] = determinant(F);
    const double dV  = weights[q] * cell_points[q].weight;
    mode_volume += dV;
    element.set_response(
        q, dV, response.stress.data(), response.tangent[0].data());
    double square = 0.;
    for (unsigned int k = 0; k < 6; ++k)
      square += (k < 3 ? 1. : 2.) * response.stress[k] * response.stress[k];
    // What the stresses could do, and what rounding of F = 1 + H makes of
    // them.
    scale += dV * (square / material.parameters.young_modulus +
                   1e-16 * material.parameters.young_modulus);
  }
  balance.scale = scale;
  element.modes(balance.force, balance.inverse);
  // Where the energy is not convex in the modes, steps are those of a stiffer
  // material: downhill all the same. No balance is found there.
  double stiffness[n_modes][n_modes];
  std::copy_n(&balance.inverse[0][0], n_modes * n_modes, &stiffness[0][0]);
  balance.convex = invert(balance.inverse);
  for (double more = 0.03; !balance.convex && more < 100.; more *= 5.)
  {
    std::copy_n(&stiffness[0][0], n_modes * n_modes, &balance.inverse[0][0]);
    for (unsigned int a = 0; a < n_modes; ++a)
      balance.inverse[a][a] +=
          more * material.parameters.young_modulus * mode_volume;
    if (invert(balance.inverse))
      break;
  }
  balance.error = 0.;
  for (unsigned int a = 0; a < n_modes; ++a)
  {
    balance.step[a] = 0.;
    for (unsigned int b = 0; b < n_modes; ++b)
      balance.step[a] += balance.inverse[a][b] * balance.force[b];
    balance.error += balance.step[a] * balance.force[a];
  }
  return Trouble::none;
}

SolidShellCells::Trouble
SolidShellCells::find_modes(double *alpha,
                            const double h,
                            const double *begin,
                            double *end,
                            const unsigned int n_history)
{
  // Newton's method for the minimum of a convex function. A step after which
  // the slope along it is larger than before is halved. What is left is
  // condensed to first order: its square counts.
  constexpr unsigned int most = 50, most_halved = 8;
  constexpr double tolerance = 1e-14;
  Trouble trouble            = respond(alpha, h, begin, end, n_history);
  for (unsigned int k = 0; k < most && trouble == Trouble::none; ++k)
  {
    if (balance.error <= tolerance * balance.scale)
      return balance.convex ? trouble : Trouble::modes;
    double from[n_modes];
    std::copy_n(alpha, n_modes, from);
    const Balance before = balance;
    double length        = 1.;
    for (unsigned int n = 0; n < most_halved; ++n, length *= 0.5)
    {
      for (unsigned int a = 0; a < n_modes; ++a)
        alpha[a] = from[a] - length * before.step[a];
      trouble = respond(alpha, h, begin, end, n_history);
      if (trouble != Trouble::none)
        continue;
      double slope = 0.;
      for (unsigned int a = 0; a < n_modes; ++a)
        slope += balance.force[a] * before.step[a];
      if (std::abs(slope) <= before.error)
        break;
    }
  }
  return trouble == Trouble::none ? Trouble::modes : trouble;
}

SolidShellCells::Trouble SolidShellCells::evaluate(const unsigned int cell,
                                                   const double *u,
                                                   const double h,
                                                   const double *begin,
                                                   double *end,
                                                   const unsigned int n_history,
                                                   Result &result)
{
  double X[8][3];
  nodes_of(cell, X);
  cell_points = &points[std::size_t(cell) * n_q];
  element.set(X, u, cell_points);
  for (unsigned int q = 0; q < n_q; ++q)
    if (element.inside_out(q))
      return Trouble::inside_out;

  Modes &modes = present[cell];
  Trouble trouble;
  if (modes.follow)
  {
    double alpha[n_modes];
    for (unsigned int a = 0; a < n_modes; ++a)
    {
      alpha[a] = modes.alpha[a] - modes.correction[a];
      for (unsigned int i = 0; i < n_dofs; ++i)
        alpha[a] -= modes.coupling[a][i] * (u[i] - modes.u[i]);
    }
    modes.follow = false;
    trouble      = find_modes(alpha, h, begin, end, n_history);
    if (trouble == Trouble::none)
      std::copy_n(alpha, n_modes, modes.alpha);
  }
  else
    trouble = Trouble::modes;
  if (trouble != Trouble::none)
  {
    std::copy_n(&begin_modes[cell * n_modes], n_modes, modes.alpha);
    trouble = find_modes(modes.alpha, h, begin, end, n_history);
  }
  if (trouble != Trouble::none)
    return trouble;

  // f - K_ua K_aa^-1 r_a and K_uu - K_ua K_aa^-1 K_au.
  double mixed[n_modes][n_dofs];
  element.forces(result.force, mixed);
  for (unsigned int a = 0; a < n_modes; ++a)
    for (unsigned int i = 0; i < n_dofs; ++i)
      result.force[i] -= mixed[a][i] * balance.step[a];
  std::copy_n(balance.step, n_modes, modes.correction);
  std::copy_n(u, n_dofs, modes.u);
  for (unsigned int a = 0; a < n_modes; ++a)
    for (unsigned int i = 0; i < n_dofs; ++i)
    {
      double sum = 0.;
      for (unsigned int b = 0; b < n_modes; ++b)
        sum += balance.inverse[a][b] * mixed[b][i];
      modes.coupling[a][i] = sum;
    }
  modes.follow = true;
  if (result.tangent != nullptr)
  {
    element.tangent(result.tangent);
    for (unsigned int i = 0; i < n_dofs; ++i)
      for (unsigned int a = 0; a < n_modes; ++a)
        for (unsigned int j = 0; j < n_dofs; ++j)
          result.tangent[i * n_dofs + j] -= mixed[a][i] * modes.coupling[a][j];
  }

  result.stored = result.dissipated = 0.;
  for (unsigned int q = 0; q < n_q; ++q)
  {
    const auto &response = responses[q];
    const double dV      = weights[q] * cell_points[q].weight;
    result.stored += dV * response.stored;
    result.dissipated += dV * response.dissipated;
    double e[3][3];
    element.present_frame(q, e);
    const auto &tau                  = response.stress;
    const double t[3][3]             = { { tau[0], tau[3], tau[5] },
                                         { tau[3], tau[1], tau[4] },
                                         { tau[5], tau[4], tau[2] } };
    constexpr unsigned int first[6]  = { 0, 1, 2, 0, 1, 2 };
    constexpr unsigned int second[6] = { 0, 1, 2, 1, 2, 0 };
    for (unsigned int k = 0; k < 6; ++k)
    {
      double sum = 0.;
      for (unsigned int a = 0; a < 3; ++a)
        for (unsigned int b = 0; b < 3; ++b)
          sum += e[first[k]][a] * t[a][b] * e[second[k]][b];
      result.cauchy[q][k] = sum / volume_ratios[q];
    }
  }
  return Trouble::none;
}

void SolidShellCells::deformations(const unsigned int cell,
                                   const double *u,
                                   Tensor<2, 3> *F)
{
  double X[8][3];
  nodes_of(cell, X);
  cell_points = &points[std::size_t(cell) * n_q];
  element.set(X, u, cell_points);
  for (unsigned int q = 0; q < n_q; ++q)
  {
    Tensor<2, 3> local, now, rest;
    double e[3][3];
    element.present_frame(q, e);
    element.deformation(q, modes(cell), &local[0][0]);
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int a = 0; a < 3; ++a)
      {
        now[i][a]  = e[i][a];
        rest[i][a] = cell_points[q].frame[i][a];
      }
    F[q] = now * local * transpose(rest);
  }
}

void SolidShellCells::accept()
{
  for (unsigned int cell = 0; cell < present.size(); ++cell)
    std::copy_n(present[cell].alpha, n_modes, &begin_modes[cell * n_modes]);
  begin_step();
}

void SolidShellCells::begin_step()
{
  for (auto &modes : present)
    modes.follow = false;
}

void SolidShellCells::set_modes(const unsigned int cell, const double *alpha)
{
  std::copy_n(alpha, n_modes, &begin_modes[cell * n_modes]);
  std::copy_n(alpha, n_modes, present[cell].alpha);
  present[cell].follow = false;
}
} // namespace delassus
