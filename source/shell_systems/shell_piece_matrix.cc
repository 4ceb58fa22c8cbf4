// Matrices that correct the iterates of a sheet.
#include <delassus/base/exceptions.h>
#include <delassus/shell_systems/shell_piece.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
void ShellPiece::make_matrix(const double fictitious)
{
  if (by_mass())
  {
    make_mass_inverse();
    return;
  }
  const auto &K = shell->tangent();
  if (A.n != K.n || A.row.size() != K.row.size())
    A = K;
  for (std::size_t i = 0; i < K.value.size(); ++i)
    A.value[i] = h * h * K.value[i];
  if (quasi_static && fictitious == 0.)
    return;
  const double share_of[2] = {
    (quasi_static ? 0. : 1. + h * settings.damping[0]) + h * h * fictitious,
    (quasi_static ? 0. : 1. + h * settings.damping[1]) + h * h * fictitious
  };
  const auto &d = shell->state().d;
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node), n = shell->n_rotations(node);
    // Rotations: the second derivative of
    //   J |d - d_0 - h d'|^2 / (2 h) + alpha J |d - d_0|^2 / 2
    // along increments that turn, times h.
    double block[3][3] = {};
    for (const unsigned int k : directors_of[node])
    {
      const double J  = director_mass[k];
      const Vector3 G = quasi_static
                            ? Vector3{ { 0., 0., 0. } }
                            : (h * J) * (rate_new[k] - rate[k] +
                                         h * settings.damping[1] * rate_new[k]);
      for (unsigned int a = 0; a < n; ++a)
        for (unsigned int b = 0; b < n; ++b)
        {
          const Vector3 &e = contact.axes[node][a], &f = contact.axes[node][b];
          block[a][b] +=
              share_of[1] * J * dot(cross(e, d[k]), cross(f, d[k])) +
              0.5 * (dot(e, d[k]) * dot(f, G) + dot(f, d[k]) * dot(e, G)) -
              dot(e, f) * dot(d[k], G);
        }
    }
    for (unsigned int j = 0; j < 3 + n; ++j)
    {
      const int column = shell->unknown(dof + j);
      if (column < 0)
        continue;
      double *value = A.value.data() + own_rows[column];
      for (unsigned int i = 0; i < 3 + n; ++i)
      {
        if (shell->unknown(dof + i) < 0)
          continue;
        if (i == j && i < 3)
          *value += share_of[0] * node_mass[node];
        else if (i >= 3 && j >= 3)
          *value += block[i - 3][j - 3];
        ++value;
      }
    }
  }
}

void ShellPiece::factorize(const LinearSolverParameters &solver,
                           const double bytes_allowed)
{
  if (by_mass() || A.n == 0 || (inverse && inverse->refactorize(A)))
    return;
  inverse.reset();
  inverse = delassus::factorize(A, 250, solver.type, bytes_allowed);
}

// -- The mass as matrix ------------------------------------------------------

void ShellPiece::add_rotary_block(const unsigned int node,
                                  const double factor,
                                  const std::vector<Vector3> &d,
                                  double (&block)[3][3]) const
{
  const unsigned int n = shell->n_rotations(node);
  for (const unsigned int k : directors_of[node])
    for (unsigned int a = 0; a < n; ++a)
      for (unsigned int b = 0; b < n; ++b)
        block[a][b] += factor * director_mass[k] *
                       dot(cross(contact.axes[node][a], d[k]),
                           cross(contact.axes[node][b], d[k]));
}

void ShellPiece::make_mass_inverse()
{
  const bool is_known = mass_inverse != nullptr && h == h_of_mass && !folds;
  if (!is_known)
  {
    if (mass_inverse == nullptr)
      mass_inverse = std::make_unique<ShellMassInverse>();
    mass_inverse->clear();
    const auto &d     = is_explicit() ? shell->beginning().d : shell->state().d;
    const double lost = 1. + h * settings.damping[0],
                 turned = 1. + h * settings.damping[1];
    for (unsigned int node = 0; node < shell->n_nodes(); ++node)
    {
      const unsigned int dof = shell->dof(node), n = shell->n_rotations(node);
      double block[3][3] = {};
      for (unsigned int c = 0; c < 3; ++c)
        if (shell->unknown(dof + c) >= 0)
        {
          block[0][0] = lost * node_mass[node];
          mass_inverse->add_block(1, block);
        }
      double all[3][3] = {}, kept[3][3] = {};
      add_rotary_block(node, turned, d, all);
      unsigned int n_kept = 0, which[3];
      for (unsigned int a = 0; a < n; ++a)
        if (shell->unknown(dof + 3 + a) >= 0)
          which[n_kept++] = a;
      if (n == 2)
        // About tangents of one director: a number, whatever its direction.
        for (unsigned int a = 0; a < n_kept; ++a)
        {
          block[0][0] = turned * director_mass[directors_of[node][0]];
          mass_inverse->add_block(1, block);
        }
      else if (n_kept > 0)
      {
        for (unsigned int a = 0; a < n_kept; ++a)
          for (unsigned int b = 0; b < n_kept; ++b)
            kept[a][b] = all[which[a]][which[b]];
        mass_inverse->add_block(n_kept, kept);
      }
    }
    h_of_mass = h;
  }
  if (kind == CorrectingMatrix::two_term)
    mass_inverse->set_stiffness(shell->tangent(), h * h);
}

void ShellPiece::for_each_entry(
    const std::function<void(unsigned int, unsigned int, double)> &add) const
{
  if (by_mass())
  {
    mass_inverse->for_each_mass(add);
    return;
  }
  for (unsigned int j = 0; j < A.n; ++j)
    for (int k = A.column_start[j]; k < A.column_start[j + 1]; ++k)
      add(A.row[k], j, A.value[k]);
}

void ShellPiece::add_own_compliance(const unsigned int carrier, double *C) const
{
  for (unsigned int c = 0; c < 3; ++c)
    for_each_unknown(carrier,
                     c,
                     [&](const unsigned int u, const double left)
                     {
                       for (unsigned int e = 0; e < 3; ++e)
                         for_each_unknown(
                             carrier,
                             e,
                             [&](const unsigned int w, const double right) {
                               C[3 * c + e] +=
                                   left * mass_inverse->inverse(u, w) * right;
                             });
                     });
}

bool ShellPiece::evaluate_tangent()
{
  // The state at the beginning of an explicit step has this history.
  const bool good = evaluate_model(is_explicit() ? 1e-12 * h : h, true);
  if (is_explicit())
    shell->revert();
  return good;
}

double ShellPiece::highest_frequency(const bool anew)
{
  // Power iteration on M^-1 K from a vector that changes its sign from unknown
  // to unknown, as the highest modes do, or from the last one. With x^t M x = 1
  // and y = M^-1 K x the value is the root of y^t M y = y^t K x.
  constexpr unsigned int most = 60;
  constexpr double settled = 1e-3, margin = 1.05;
  make_mass_inverse();
  const auto &K          = shell->tangent();
  const unsigned int n   = K.n;
  std::vector<double> &x = highest_mode, y(n), Kx(n);
  const bool from_anew   = anew || x.size() != n;
  if (from_anew)
  {
    x.resize(n);
    for (unsigned int u = 0; u < n; ++u)
      x[u] =
          std::sin(12.9898 * (u + 1.)) * std::sqrt(mass_inverse->inverse(u, u));
  }
  mass_inverse->multiply_mass(x.data(), y.data());
  double length = 0., value = 0.;
  for (unsigned int u = 0; u < n; ++u)
    length += x[u] * y[u];
  for (unsigned int k = 0; k < most && length > 0.; ++k)
  {
    const double scale = 1. / std::sqrt(length);
    for (double &component : x)
      component *= scale;
    for (unsigned int u = 0; u < n; ++u)
    {
      double sum = 0.;
      for (int e = K.column_start[u]; e < K.column_start[u + 1]; ++e)
        sum += K.value[e] * x[K.row[e]];
      Kx[u] = sum;
    }
    mass_inverse->multiply_inverse(Kx.data(), y.data());
    length = 0.;
    for (unsigned int u = 0; u < n; ++u)
      length += y[u] * Kx[u];
    x.swap(y);
    const double before = value;
    value               = std::sqrt(std::max(length, 0.));
    if (std::abs(value - before) < settled * value && (!from_anew || k >= 30))
      break;
  }
  return margin * std::sqrt(value);
}
} // namespace delassus
