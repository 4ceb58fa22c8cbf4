#include <delassus/bodies/internal_forces.h>
#include <delassus/bodies/cell_masters.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// Components of stress and strain that a problem of this dimension has: xx yy
/// zz xy [yz zx].
template <int dim>
constexpr unsigned int n_voigt = dim == 2 ? 4 : 6;

/// B^T s of one node with gradient g (and hoop term N/r in 2D).
template <int dim>
inline void transposed_b(const Tensor<1, dim> &g,
                         const double hoop,
                         const double *s,
                         double *result)
{
  if constexpr (dim == 2)
  {
    result[0] = g[0] * s[0] + g[1] * s[3] + hoop * s[2];
    result[1] = g[1] * s[1] + g[0] * s[3];
  }
  else
  {
    result[0] = g[0] * s[0] + g[1] * s[3] + g[2] * s[5];
    result[1] = g[1] * s[1] + g[0] * s[3] + g[2] * s[4];
    result[2] = g[2] * s[2] + g[1] * s[4] + g[0] * s[5];
    (void)hoop;
  }
}

/// The columns C B of one node, dim of them.
template <int dim>
inline void c_times_b(const VoigtMatrix &C,
                      const Tensor<1, dim> &g,
                      const double hoop,
                      double (*CB)[n_voigt<dim>])
{
  for (unsigned int i = 0; i < n_voigt<dim>; ++i)
    if constexpr (dim == 2)
    {
      CB[0][i] = g[0] * C[0][i] + g[1] * C[3][i] + hoop * C[2][i];
      CB[1][i] = g[1] * C[1][i] + g[0] * C[3][i];
    }
    else
    {
      CB[0][i] = g[0] * C[0][i] + g[1] * C[3][i] + g[2] * C[5][i];
      CB[1][i] = g[1] * C[1][i] + g[0] * C[3][i] + g[2] * C[4][i];
      CB[2][i] = g[2] * C[2][i] + g[1] * C[4][i] + g[0] * C[5][i];
      (void)hoop;
    }
}
} // namespace

template <int dim>
void InternalForces<dim>::add_forces(const Group &group)
{
  // f_a = int B_a^T tau + tr(tau) (mean div_a - div_a)/3; the mean part is
  // 3 int p times the mean div over three.
  const unsigned int n = n_cell_nodes;
  std::fill_n(f_group.begin(), dim * group.n_nodes, 0.);
  for (unsigned int i = 0; i < group.n_cells; ++i)
  {
    const unsigned int place  = group.first_cell + i;
    const unsigned int *local = &local_node[std::size_t(place) * n];
    for (unsigned int q = 0; q < n_q; ++q)
    {
      const double w       = weights[std::size_t(place) * n_q + q];
      const std::size_t at = std::size_t(i * n_q + q) * n;
      Voigt s              = points[i * n_q + q].response.stress;
      if (mean_dilatation)
      {
        // The deviator; the pressure acts on the mean.
        const double p = (s[0] + s[1] + s[2]) / 3.;
        for (unsigned int c = 0; c < 3; ++c)
          s[c] -= p;
      }
      for (double &value : s)
        value *= w;
      for (unsigned int k = 0; k < n; ++k)
      {
        double f[dim];
        transposed_b<dim>(
            g[at + k], axisymmetric ? hoop[at + k] : 0., s.data(), f);
        for (unsigned int c = 0; c < dim; ++c)
          f_group[dim * local[k] + c] += f[c];
      }
    }
  }
  if (mean_dilatation)
    for (unsigned int k = 0; k < group.n_nodes; ++k)
      for (unsigned int c = 0; c < dim; ++c)
        f_group[dim * k + c] += mean_pressure * mean_div[k][c];
}

template <int dim>
void InternalForces<dim>::add_tangent(const Group &group)
{
  // With D_a the div vector of node a, E_a = (mean div_a - D_a)/3, T_a = B_a^T
  // tau, m = c : I, kappa = I : c : I, p = tr(tau)/3 and the means over the
  // group of volume v,
  //
  //  K_ab = int B_a^T c B_b + (g_a . tau g_b) I
  //             + E_a (x) G_b + G_a (x) E_b + (kappa + 6 p) E_a (x) E_b
  //             + (p - pbar J) (g_b (x) g_a) + pbar J D_a (x) D_b
  //         - pbar v  mean div_a (x) mean div_b,
  //  G_a = B_a^T m + 2 T_a,   pbar v = int p dV,
  //
  // without the terms of the second and third row for plain integration, and
  // without those of tau and p for small strains. In axisymmetric bodies N/r
  // joins as the gradient of the hoop direction. The upper blocks are
  // computed, the others mirrored.
  constexpr unsigned int nv         = n_voigt<dim>;
  constexpr unsigned int most_nodes = dim == 2 ? 9 : 27;
  const unsigned int n              = n_cell_nodes;
  const unsigned int m              = dim * group.n_nodes;
  std::fill_n(K_group.begin(), std::size_t(m) * m, 0.);
  double CB[most_nodes][dim][nv], tau_g[most_nodes][dim];
  double D[most_nodes][dim], E[most_nodes][dim], G[most_nodes][dim];
  const double p_mean = mean_pressure / volume;
  for (unsigned int i = 0; i < group.n_cells; ++i)
  {
    const unsigned int place  = group.first_cell + i;
    const unsigned int *local = &local_node[std::size_t(place) * n];
    for (unsigned int q = 0; q < n_q; ++q)
    {
      const PointData &point = points[i * n_q + q];
      const auto &C          = point.response.tangent;
      const auto &tau        = point.response.stress;
      const double w         = weights[std::size_t(place) * n_q + q];
      const std::size_t at   = std::size_t(i * n_q + q) * n;
      const double p         = (tau[0] + tau[1] + tau[2]) / 3.;
      double mm[nv], kappa = 0.;
      if (mean_dilatation)
      {
        for (unsigned int k = 0; k < nv; ++k)
          mm[k] = C[0][k] + C[1][k] + C[2][k];
        kappa = mm[0] + mm[1] + mm[2] + (finite ? 6. * p : 0.);
      }
      for (unsigned int b = 0; b < n; ++b)
      {
        const auto &g_b  = g[at + b];
        const double s_b = axisymmetric ? hoop[at + b] : 0.;
        c_times_b<dim>(C, g_b, s_b, CB[b]);
        if (finite)
        {
          if constexpr (dim == 2)
          {
            tau_g[b][0] = tau[0] * g_b[0] + tau[3] * g_b[1];
            tau_g[b][1] = tau[3] * g_b[0] + tau[1] * g_b[1];
          }
          else
          {
            tau_g[b][0] = tau[0] * g_b[0] + tau[3] * g_b[1] + tau[5] * g_b[2];
            tau_g[b][1] = tau[3] * g_b[0] + tau[1] * g_b[1] + tau[4] * g_b[2];
            tau_g[b][2] = tau[5] * g_b[0] + tau[4] * g_b[1] + tau[2] * g_b[2];
          }
        }
        if (mean_dilatation)
        {
          transposed_b<dim>(g_b, s_b, mm, G[b]);
          for (unsigned int c = 0; c < dim; ++c)
          {
            D[b][c] = g_b[c];
            if (finite)
              G[b][c] += 2. * tau_g[b][c];
          }
          if (axisymmetric)
          {
            D[b][0] += s_b;
            if (finite)
              G[b][0] += 2. * tau[2] * s_b;
          }
          for (unsigned int c = 0; c < dim; ++c)
            E[b][c] = (mean_div[local[b]][c] - D[b][c]) / 3.;
        }
      }
      const double swapped =
          finite && mean_dilatation ? p - p_mean * point.J : 0.;
      const double doubled = finite && mean_dilatation ? p_mean * point.J : 0.;
      for (unsigned int a = 0; a < n; ++a)
      {
        const auto &g_a  = g[at + a];
        const double s_a = axisymmetric ? hoop[at + a] : 0.;
        for (unsigned int b = a; b < n; ++b)
        {
          double block[dim][dim];
          for (unsigned int j = 0; j < dim; ++j)
          {
            double column[dim];
            transposed_b<dim>(g_a, s_a, CB[b][j], column);
            for (unsigned int c = 0; c < dim; ++c)
              block[c][j] = column[c];
          }
          if (finite)
          {
            double geometric = 0.;
            for (unsigned int c = 0; c < dim; ++c)
              geometric += g_a[c] * tau_g[b][c];
            for (unsigned int c = 0; c < dim; ++c)
              block[c][c] += geometric;
            if (axisymmetric)
              block[0][0] += s_a * hoop[at + b] * (tau[2] + swapped);
          }
          if (mean_dilatation)
            for (unsigned int c = 0; c < dim; ++c)
              for (unsigned int j = 0; j < dim; ++j)
                block[c][j] += E[a][c] * (G[b][j] + kappa * E[b][j]) +
                               G[a][c] * E[b][j] +
                               swapped * g_a[j] * g[at + b][c] +
                               doubled * D[a][c] * D[b][j];
          const unsigned int la = local[a], lb = local[b];
          for (unsigned int c = 0; c < dim; ++c)
          {
            double *row = &K_group[std::size_t(dim * la + c) * m + dim * lb];
            for (unsigned int j = 0; j < dim; ++j)
              row[j] += w * block[c][j];
          }
          if (a != b)
            for (unsigned int j = 0; j < dim; ++j)
            {
              double *row = &K_group[std::size_t(dim * lb + j) * m + dim * la];
              for (unsigned int c = 0; c < dim; ++c)
                row[c] += w * block[c][j];
            }
        }
      }
    }
  }
  if (finite && mean_dilatation)
    for (unsigned int a = 0; a < group.n_nodes; ++a)
      for (unsigned int c = 0; c < dim; ++c)
      {
        double *row         = &K_group[std::size_t(dim * a + c) * m];
        const double factor = mean_pressure * mean_div[a][c];
        for (unsigned int b = 0; b < group.n_nodes; ++b)
          for (unsigned int j = 0; j < dim; ++j)
            row[dim * b + j] -= factor * mean_div[b][j];
      }
}

template <int dim>
void InternalForces<dim>::scatter_force(const Group &group)
{
  const unsigned int *nodes = &group_nodes[group.first_node];
  if (direct)
  {
    double *values =
        body.owned_dofs.n_elements() > 0 ? &*force.begin() : nullptr;
    for (unsigned int a = 0; a < group.n_nodes; ++a)
      if (body.owns_node(nodes[a]))
        for (unsigned int c = 0; c < dim; ++c)
          values[dim * (nodes[a] - body.first_owned_node) + c] +=
              f_group[dim * a + c];
    return;
  }
  body.add_force(group.n_nodes, nodes, f_group, force);
}

template <int dim>
void InternalForces<dim>::scatter_tangent(const Group &group)
{
  const unsigned int *nodes = &group_nodes[group.first_node];
  const unsigned int m      = dim * group.n_nodes;
  if (direct)
  {
    const int *offset = &offsets[first_offset[&group - groups.data()]];
    for (unsigned int a = 0; a < group.n_nodes; ++a, offset += group.n_nodes)
      if (offset[0] >= 0)
        for (unsigned int c = 0; c < dim; ++c)
        {
          double *row =
              row_values[dim * (nodes[a] - body.first_owned_node) + c];
          const double *from = &K_group[std::size_t(dim * a + c) * m];
          for (unsigned int b = 0; b < group.n_nodes; ++b)
            for (unsigned int j = 0; j < dim; ++j)
              row[offset[b] + j] += from[dim * b + j];
        }
    return;
  }
  FullMatrix<double> K(m, m), condensed;
  for (unsigned int i = 0; i < m; ++i)
    for (unsigned int j = 0; j < m; ++j)
      K(i, j) = K_group[std::size_t(i) * m + j];
  CellMasters<dim> masters(body);
  const bool hangs = masters.reinit(nodes, group.n_nodes);
  std::vector<types::global_dof_index> dofs;
  for (const unsigned int node : masters.nodes)
    for (unsigned int c = 0; c < dim; ++c)
      dofs.push_back(dim * node + c);
  if (hangs)
    masters.condense(K, condensed);
  tangent.add(dofs, hangs ? condensed : K);
}

#define INSTANTIATE(dim)                                                       \
  template void InternalForces<dim>::add_forces(const Group &);                \
  template void InternalForces<dim>::add_tangent(const Group &);               \
  template void InternalForces<dim>::scatter_force(const Group &);             \
  template void InternalForces<dim>::scatter_tangent(const Group &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
