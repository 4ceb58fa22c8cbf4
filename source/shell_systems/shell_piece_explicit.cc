// Explicit steps of a sheet.
#include <delassus/shell_systems/shell_piece.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
void ShellPiece::begin_explicit_step()
{
  v_new        = v;
  contact.axes = shell->beginning().axes;
  set_contact_configuration(false);
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node);
    const Vector3 turn     = turning(node, shell->beginning().d, rate);
    for (unsigned int c = 0; c < 3; ++c)
      base[dof + c] = v[dof + c];
    for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
      base[dof + 3 + a] = dot(turn, contact.axes[node][a]);
  }
  // Secants of the motion that goes on, which others are told from.
  shell->mark();
  v_base = v;
  std::fill(free_rate.begin(), free_rate.end(), 0.);
  if (advance(free_rate, /* in_balance */ false))
    find_rates(rate_base);
  else
    rate_base = rate; // too far for a step: the next one says so
  shell->go_back();
  v_new    = v;
  rate_new = rate_base;
}

void ShellPiece::evaluate_beginning(const bool is_first)
{
  if (is_first)
  {
    find_driven();
    find_loads(t, false);
  }
  find_residual(start_force, shell->beginning().d);
  if (is_first)
    start_residual = residual;
}

bool ShellPiece::advance(const std::vector<double> &change,
                         const bool in_balance)
{
  shell->go_back();
  bool possible = true;
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node), n = shell->n_rotations(node);
    for (unsigned int c = 0; c < 3; ++c)
    {
      v_new[dof + c] = base[dof + c] + change[dof + c];
      dq[dof + c]    = h * v_new[dof + c];
    }
    double square = 0.;
    bool given    = n > 2;
    for (unsigned int a = 0; a < n; ++a)
    {
      const unsigned int i = dof + 3 + a;
      dq[i]                = h * (base[i] + change[i]);
      square += dq[i] * dq[i];
      given = given || (shell->unknown(i) < 0 && dq[i] != 0.);
    }
    if (given && in_balance)
    {
      possible = turn_fold(node, change) && possible;
      continue;
    }
    // d x (exp(theta) d - d) is the sine of the angle.
    const double sine = std::sqrt(square);
    possible          = possible && sine < 1.;
    if (!given && sine > 0. && sine < 1.)
      for (unsigned int a = 0; a < n; ++a)
        dq[dof + 3 + a] *= std::asin(sine) / sine;
  }
  if (!possible)
    return false;
  shell->update(dq);
  find_rates(rate_new);
  return true;
}

bool ShellPiece::turn_fold(const unsigned int node,
                           const std::vector<double> &change)
{
  // theta of the free axes such that, about these,
  //   sum J (a x d) . (d' - d'_base) = M change,   d' = (exp(theta) d - d)/h.
  // What M^-1 makes of what is left of it is of the order of theta^2 of it.
  const auto &d          = shell->beginning().d;
  const unsigned int dof = shell->dof(node), n = shell->n_rotations(node);
  double M[3][3] = {};
  add_rotary_block(node, 1., d, M);
  int first           = -1;
  unsigned int n_free = 0;
  for (unsigned int a = 0; a < n; ++a)
    if (shell->unknown(dof + 3 + a) >= 0)
    {
      first = first < 0 ? shell->unknown(dof + 3 + a) : first;
      ++n_free;
    }
  if (n_free == 0)
    return true;
  // As ShellMassInverse has it, with damping.
  const double damped = 1. + h * settings.damping[1];
  double defect[3], correction[3];
  for (unsigned int k = 0; k < 50; ++k)
  {
    Vector3 turn{ { 0., 0., 0. } };
    for (unsigned int a = 0; a < n; ++a)
      turn = turn + dq[dof + 3 + a] * contact.axes[node][a];
    Vector3 moment{ { 0., 0., 0. } };
    for (const unsigned int i : directors_of[node])
      moment =
          moment +
          director_mass[i] *
              cross(d[i], 1. / h * (rotated(turn, d[i]) - d[i]) - rate_base[i]);
    double largest = 0.;
    unsigned int u = 0;
    for (unsigned int a = 0; a < n; ++a)
    {
      if (shell->unknown(dof + 3 + a) < 0)
        continue;
      defect[u] = -dot(contact.axes[node][a], moment);
      for (unsigned int b = 0; b < n; ++b)
        if (shell->unknown(dof + 3 + b) >= 0)
          defect[u] += M[a][b] * change[dof + 3 + b];
      ++u;
    }
    for (u = 0; u < n_free; ++u)
    {
      correction[u] = 0.;
      for (unsigned int w = 0; w < n_free; ++w)
        correction[u] += h * damped *
                         mass_inverse->inverse(first + u, first + w) *
                         defect[w];
      largest = std::max(largest, std::abs(correction[u]));
    }
    u = 0;
    for (unsigned int a = 0; a < n; ++a)
      if (shell->unknown(dof + 3 + a) >= 0)
        dq[dof + 3 + a] += correction[u++];
    if (!(largest < 1.))
      return false;
    if (largest <= 1e-15)
      return true;
  }
  return true;
}

bool ShellPiece::end_step()
{
  if (!evaluate_model(h, false))
    return false;
  find_residual(start_force, shell->beginning().d);
  return true;
}
} // namespace delassus
