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
  // With D_a = B_a^T I the div vector of node a, T_a = B_a^T tau, m = c : I,
  // kappa = I : c : I, p = tr(tau)/3, E_a = (mean div_a - D_a)/3, and the means
  // over the group of volume v,
  //
  //  K_ab = int B_a^T c B_b + (g_a . tau g_b) I
  //             + E_a (x) G_b + G_a (x) E_b + (kappa + 6 p) E_a (x) E_b
  //             + (p - pbar J) (g_b (x) g_a) + pbar J D_a (x) D_b
  //         - pbar v  mean div_a (x) mean div_b,
  //  G_a = B_a^T m + 2 T_a,   pbar v = int p dV,
  //
  // without the terms of the second and third row for plain integration, and
  // without those of tau and p for small strains. In axisymmetric bodies N/r
  // joins as the gradient of the hoop direction.
  //
  // D_a, G_a and, by B_a^T Is B_b = ((g_a . g_b) I + g_b (x) g_a)/2, the term
  // in p - pbar J are of the form of the first row: they go into c and tau.
  // What is left of the means couples all nodes of the group by two vectors,
  //
  //  mean div_a (x) Q_b + Q_a (x) mean div_b,
  //  Q_a = int B_a^T (m + 2 tau - (kappa + 6 p)/3 I)/3
  //        + (int (kappa + 6 p)/9 - pbar v)/2  mean div_a.
  //
  // Blocks a <= b are computed, the others mirrored.
  constexpr unsigned int nv         = n_voigt<dim>;
  constexpr unsigned int most_nodes = dim == 2 ? 9 : 27;
  constexpr unsigned int n_pairs    = most_nodes * (most_nodes + 1) / 2;
  const unsigned int n              = n_cell_nodes;
  const unsigned int m              = dim * group.n_nodes;
  constexpr double third            = 1. / 3.;
  const double p_mean               = mean_pressure / volume;
  double mean_factor                = 0.;
  if (mean_dilatation)
    std::fill_n(mean_force.begin(), group.n_nodes, Tensor<1, dim>());
  if (group.n_cells > 1)
    std::fill_n(K_group.begin(), std::size_t(m) * m, 0.);
  double K_cell[n_pairs][dim][dim];
  double C_w[nv][nv], tau_w[nv];
  for (unsigned int i = 0; i < group.n_cells; ++i)
  {
    const unsigned int place  = group.first_cell + i;
    const unsigned int *local = &local_node[std::size_t(place) * n];
    std::fill_n(&K_cell[0][0][0], n * (n + 1) / 2 * dim * dim, 0.);
    for (unsigned int q = 0; q < n_q; ++q)
    {
      const PointData &point = points[i * n_q + q];
      const double w         = weights[std::size_t(place) * n_q + q];
      const std::size_t at   = std::size_t(i * n_q + q) * n;
      for (unsigned int k = 0; k < nv; ++k)
      {
        tau_w[k] = finite ? w * point.response.stress[k] : 0.;
        for (unsigned int l = 0; l < nv; ++l)
          C_w[k][l] = w * point.response.tangent[k][l];
      }
      if (mean_dilatation)
      {
        const double p = third * (tau_w[0] + tau_w[1] + tau_w[2]);
        double G[nv]; // a third of G
        for (unsigned int k = 0; k < nv; ++k)
          G[k] = third * (C_w[0][k] + C_w[1][k] + C_w[2][k] + 2. * tau_w[k]);
        const double kappa  = third * (G[0] + G[1] + G[2]); // a ninth
        const double pulled = finite ? p_mean * point.J * w : 0.;
        for (unsigned int k = 0; k < nv; ++k)
          for (unsigned int l = 0; l < 3; ++l)
          {
            C_w[k][l] -= G[k];
            C_w[l][k] -= G[k];
          }
        for (unsigned int k = 0; k < 3; ++k)
          for (unsigned int l = 0; l < 3; ++l)
            C_w[k][l] += kappa + pulled;
        for (unsigned int k = 0; k < nv; ++k)
          C_w[k][k] += (k < 3 ? 2. : 1.) * (p - pulled);
        for (unsigned int k = 0; k < 3; ++k)
        {
          tau_w[k] -= p - pulled;
          G[k] -= kappa;
        }
        for (unsigned int k = 0; k < n; ++k)
        {
          double f[dim];
          transposed_b<dim>(g[at + k], axisymmetric ? hoop[at + k] : 0., G, f);
          for (unsigned int c = 0; c < dim; ++c)
            mean_force[local[k]][c] += f[c];
        }
        mean_factor += kappa;
      }
      for (unsigned int a = 0, pair = 0; a < n; ++a)
      {
        // The columns C B_a, and tau g_a.
        const auto &g_a  = g[at + a];
        const double s_a = axisymmetric ? hoop[at + a] : 0.;
        double CB[dim][nv], tau_g[dim];
        if constexpr (dim == 2)
        {
          for (unsigned int k = 0; k < nv; ++k)
          {
            CB[0][k] =
                g_a[0] * C_w[0][k] + g_a[1] * C_w[3][k] + s_a * C_w[2][k];
            CB[1][k] = g_a[1] * C_w[1][k] + g_a[0] * C_w[3][k];
          }
          CB[0][2] += s_a * tau_w[2];
          tau_g[0] = tau_w[0] * g_a[0] + tau_w[3] * g_a[1];
          tau_g[1] = tau_w[3] * g_a[0] + tau_w[1] * g_a[1];
        }
        else
        {
          for (unsigned int k = 0; k < nv; ++k)
          {
            CB[0][k] =
                g_a[0] * C_w[0][k] + g_a[1] * C_w[3][k] + g_a[2] * C_w[5][k];
            CB[1][k] =
                g_a[1] * C_w[1][k] + g_a[0] * C_w[3][k] + g_a[2] * C_w[4][k];
            CB[2][k] =
                g_a[2] * C_w[2][k] + g_a[1] * C_w[4][k] + g_a[0] * C_w[5][k];
          }
          tau_g[0] = tau_w[0] * g_a[0] + tau_w[3] * g_a[1] + tau_w[5] * g_a[2];
          tau_g[1] = tau_w[3] * g_a[0] + tau_w[1] * g_a[1] + tau_w[4] * g_a[2];
          tau_g[2] = tau_w[5] * g_a[0] + tau_w[4] * g_a[1] + tau_w[2] * g_a[2];
        }
        for (unsigned int b = a; b < n; ++b, ++pair)
        {
          const auto &g_b  = g[at + b];
          const double s_b = axisymmetric ? hoop[at + b] : 0.;
          double geometric = 0.;
          for (unsigned int c = 0; c < dim; ++c)
            geometric += tau_g[c] * g_b[c];
          for (unsigned int c = 0; c < dim; ++c)
          {
            double row[dim];
            transposed_b<dim>(g_b, s_b, CB[c], row);
            row[c] += geometric;
            for (unsigned int j = 0; j < dim; ++j)
              K_cell[pair][c][j] += row[j];
          }
        }
      }
    }
    for (unsigned int a = 0, pair = 0; a < n; ++a)
      for (unsigned int b = a; b < n; ++b, ++pair)
      {
        const unsigned int la = local[a], lb = local[b];
        for (unsigned int c = 0; c < dim; ++c)
          for (unsigned int j = 0; j < dim; ++j)
          {
            double &here =
                K_group[std::size_t(dim * la + c) * m + dim * lb + j];
            double &there =
                K_group[std::size_t(dim * lb + j) * m + dim * la + c];
            const double value = K_cell[pair][c][j];
            if (group.n_cells == 1)
              here = there = value;
            else
            {
              here += value;
              if (a != b)
                there += value;
            }
          }
      }
  }
  if (!mean_dilatation)
    return;
  if (finite)
    mean_factor -= mean_pressure;
  for (unsigned int a = 0; a < group.n_nodes; ++a)
    mean_force[a] += 0.5 * mean_factor * mean_div[a];
  for (unsigned int a = 0; a < group.n_nodes; ++a)
    for (unsigned int c = 0; c < dim; ++c)
    {
      double *row      = &K_group[std::size_t(dim * a + c) * m];
      const double div = mean_div[a][c], force = mean_force[a][c];
      for (unsigned int b = 0; b < group.n_nodes; ++b)
        for (unsigned int j = 0; j < dim; ++j)
          row[dim * b + j] += div * mean_force[b][j] + force * mean_div[b][j];
    }
}

template <int dim>
void InternalForces<dim>::take_predicted_pressure(const Group &group)
{
  const std::size_t number = &group - groups.data();
  double excess            = log_J_mean - linearized.log_J[number];
  for (unsigned int k = 0; k < group.n_nodes; ++k)
    for (unsigned int c = 0; c < dim; ++c)
      excess -=
          linearized.mean_div[group.first_node + k][c] *
          (u[dim * k + c] - linearized.displacement[group.first_node + k][c]);
  // Of a volumetric energy U(ln J): tau = U' I, c = U'' I (x) I - 2 U' 1.
  for (unsigned int i = 0; i < group.n_cells; ++i)
    for (unsigned int q = 0; q < n_q; ++q)
    {
      auto &response = points[i * n_q + q].response;
      auto &tau      = response.stress;
      auto &C        = response.tangent;
      double kappa   = 2. / 9. * (tau[0] + tau[1] + tau[2]);
      for (unsigned int k = 0; k < 3; ++k)
        for (unsigned int l = 0; l < 3; ++l)
          kappa += C[k][l] / 9.;
      const double too_much = kappa * excess;
      mean_pressure -=
          too_much * weights[std::size_t(group.first_cell + i) * n_q + q];
      for (unsigned int k = 0; k < 3; ++k)
      {
        tau[k] -= too_much;
        C[k][k] += 2. * too_much;
        C[3 + k][3 + k] += too_much;
      }
    }
}

template <int dim>
void InternalForces<dim>::remember_dilatation(const Group &group)
{
  evaluated.log_J[&group - groups.data()] = log_J_mean;
  for (unsigned int k = 0; k < group.n_nodes; ++k)
  {
    evaluated.mean_div[group.first_node + k] = mean_div[k];
    for (unsigned int c = 0; c < dim; ++c)
      evaluated.displacement[group.first_node + k][c] = u[dim * k + c];
  }
}

template <int dim>
void InternalForces<dim>::predict_pressures(const Vector &q)
{
  predicts = mean_dilatation && finite;
  if (!predicts)
    return;
  if (!knows_accepted)
  {
    evaluated.log_J.resize(groups.size());
    evaluated.displacement.resize(group_nodes.size());
    evaluated.mean_div.resize(group_nodes.size());
    if (body.split)
      *ghosted = q;
    for (const auto &group : groups)
    {
      get_displacements(group, q);
      kinematics(group);
      remember_dilatation(group);
    }
    accepted       = evaluated;
    knows_accepted = true;
  }
  // Along an extrapolated velocity volumes change in second order: the first
  // tangent has the pressures of the beginning themselves.
  linearized = accepted;
  std::fill(
      linearized.mean_div.begin(), linearized.mean_div.end(), Tensor<1, dim>());
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
    for (unsigned int a = 0; a < group.n_nodes;
         ++a, offset += offset_stride * group.n_nodes)
      if (offset[0] >= 0)
        for (unsigned int c = 0; c < dim; ++c)
        {
          double *row =
              row_values[dim * (nodes[a] - body.first_owned_node) + c];
          const double *from = &K_group[std::size_t(dim * a + c) * m];
          if (offset_stride == 1)
            for (unsigned int b = 0; b < group.n_nodes; ++b)
              for (unsigned int j = 0; j < dim; ++j)
                row[offset[b] + j] += from[dim * b + j];
          else
            for (unsigned int i = 0; i < m; ++i)
              row[offset[i]] += from[i];
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
  template void InternalForces<dim>::take_predicted_pressure(const Group &);   \
  template void InternalForces<dim>::remember_dilatation(const Group &);       \
  template void InternalForces<dim>::predict_pressures(const Vector &);        \
  template void InternalForces<dim>::scatter_force(const Group &);             \
  template void InternalForces<dim>::scatter_tangent(const Group &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
