// The step of a sheet.
#include <delassus/base/exceptions.h>
#include <delassus/shell_systems/shell_piece.h>

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
Vector3 ShellPiece::turning(const unsigned int node,
                            const std::vector<Vector3> &d,
                            const std::vector<Vector3> &rates) const
{
  // omega x d_k = rate_k as well as it can be:
  //   sum (1 - d_k d_k^t) omega = sum d_k x rate_k.
  const auto &list = directors_of[node];
  Vector3 right{ { 0., 0., 0. } };
  for (const unsigned int k : list)
    right = right + cross(d[k], rates[k]);
  if (list.size() < 2)
    return right; // nothing turns about the director itself
  dealii::Tensor<2, 3> left;
  for (const unsigned int k : list)
    for (unsigned int a = 0; a < 3; ++a)
      for (unsigned int b = 0; b < 3; ++b)
        left[a][b] += (a == b ? 1. : 0.) - d[k][a] * d[k][b];
  const dealii::Tensor<1, 3> omega =
      dealii::invert(left) *
      dealii::Tensor<1, 3>({ right[0], right[1], right[2] });
  return { { omega[0], omega[1], omega[2] } };
}

void ShellPiece::find_rates(std::vector<Vector3> &rates) const
{
  const auto &d = shell->state().d, &d0 = shell->beginning().d;
  for (unsigned int k = 0; k < d.size(); ++k)
    rates[k] = 1. / h * (d[k] - d0[k]);
}

void ShellPiece::set_initial_velocity()
{
  const auto &places = shell->reference().nodes;
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node);
    if (settings.velocity)
    {
      const Vector3 value = settings.velocity(places[node]);
      for (unsigned int c = 0; c < 3; ++c)
        if (shell->unknown(dof + c) >= 0)
          v[dof + c] = value[c];
    }
    if (!settings.angular_velocity)
      continue;
    const Vector3 turn = settings.angular_velocity(places[node]);
    Vector3 allowed{ { 0., 0., 0. } }; // about free axes
    for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
      if (shell->unknown(dof + 3 + a) >= 0)
      {
        const Vector3 &axis = shell->state().axes[node][a];
        allowed             = allowed + dot(turn, axis) * axis;
      }
    for (const unsigned int k : directors_of[node])
      rate[k] = cross(allowed, shell->state().d[k]);
  }
}

void ShellPiece::begin_step(const double new_t,
                            const double new_h,
                            const bool from_rest)
{
  t = new_t;
  h = new_h;
  shell->revert();
  std::fill(r.begin(), r.end(), 0.);
  std::fill(r_director.begin(), r_director.end(), Vector3{ { 0., 0., 0. } });
  std::fill(step.begin(), step.end(), 0.);
  std::fill(free_rate.begin(), free_rate.end(), 0.);
  std::fill(dq.begin(), dq.end(), 0.);
  std::fill(held.begin(), held.end(), 0.);
  shifted = has_held = false;
  if (from_rest)
    std::fill(v_new.begin(), v_new.end(), 0.);
  else
  {
    v_new = v;
    for (unsigned int node = 0; node < shell->n_nodes(); ++node)
    {
      const unsigned int dof = shell->dof(node);
      const Vector3 turn     = turning(node, shell->beginning().d, rate);
      for (unsigned int c = 0; c < 3; ++c)
        dq[dof + c] = h * v[dof + c];
      for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
        dq[dof + 3 + a] = h * dot(turn, shell->beginning().axes[node][a]);
    }
    shell->update(dq);
  }
  find_rates(rate_new);
  v_base       = v_new;
  rate_base    = rate_new;
  contact.axes = shell->state().axes;
  set_contact_configuration(false);
}

void ShellPiece::find_driven()
{
  std::fill(driven.begin(), driven.end(), 0.);
  const ShellState &now = shell->state(), &begin = shell->beginning();
  std::map<unsigned int, Vector3> turns; // of nodes, in the step
  for (const auto &motion : settings.motions)
  {
    const unsigned int c = static_cast<unsigned int>(motion.component);
    if (c >= 3)
    {
      auto &turn =
          turns.emplace(motion.node, Vector3{ { 0., 0., 0. } }).first->second;
      turn[c - 3] += motion.value(t + h) - motion.value(t);
      continue;
    }
    const unsigned int i = shell->dof(motion.node) + c;
    if (shell->unknown(i) < 0)
      driven[i] = shell->reference().nodes[motion.node][c] +
                  motion.value(t + h) - now.x[motion.node][c];
  }
  // The rotation that is left from the iterate to where directors are to be.
  std::vector<Vector3> missing;
  for (const auto &[node, turn] : turns)
  {
    missing.resize(n_directors());
    for (const unsigned int k : directors_of[node])
      missing[k] = rotated(turn, begin.d[k]) - now.d[k];
    Vector3 left = turning(node, now.d, missing);
    // Its sine so far.
    const double sine = std::min(1., norm(left));
    if (directors_of[node].size() == 1)
    {
      const unsigned int k = directors_of[node][0];
      const double cosine  = 1. + dot(missing[k], now.d[k]);
      left                 = std::atan2(sine, cosine) * unit(left);
    }
    else
      left = std::asin(sine) * unit(left);
    for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
    {
      const unsigned int i = shell->dof(node) + 3 + a;
      if (shell->unknown(i) < 0)
        driven[i] = dot(left, now.axes[node][a]);
    }
  }
}

bool ShellPiece::evaluate(const bool with_tangent)
{
  find_driven();
  ShellTask task;
  task.tangent = with_tangent;
  if (!shell->evaluate(h, task, &driven))
    return false;
  contact.axes = shell->state().axes;
  if (at_iterate)
    set_contact_configuration(true);
  find_rates(rate_new);

  std::fill(load.begin(), load.end(), 0.);
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
    shell->add_force(node, node_mass[node] * settings.gravity, load);
  for (const auto &nodal : settings.loads)
  {
    if (nodal.force)
      shell->add_force(nodal.node, nodal.force(t + h), load);
    if (nodal.moment)
      shell->add_moment(nodal.node, nodal.moment(t + h), load);
  }
  for (const auto &pressure : settings.pressures)
    shell->add_pressure(
        pressure.value(t + h), pressure.quads, with_tangent, load);

  const auto &K = shell->tangent();
  for (unsigned int u = 0; u < dof_of.size() && with_tangent; ++u)
  {
    const auto begin = K.row.begin() + K.column_start[u],
               end   = K.row.begin() + K.column_start[u + 1];
    diagonal[dof_of[u]] =
        K.value[std::lower_bound(begin, end, int(u)) - K.row.begin()];
  }

  const auto &d = shell->state().d;
  for (unsigned int i = 0; i < residual.size(); ++i)
    residual[i] = h * (load[i] - shell->force()[i]);
  if (quasi_static)
    return true;
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node);
    for (unsigned int c = 0; c < 3; ++c)
      residual[dof + c] -= node_mass[node] * (v_new[dof + c] - v[dof + c]);
    for (const unsigned int k : directors_of[node])
    {
      const Vector3 moment =
          director_mass[k] * cross(d[k], rate_new[k] - rate[k]);
      for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
        residual[dof + 3 + a] -= dot(contact.axes[node][a], moment);
    }
  }
  return true;
}

void ShellPiece::make_matrix(const double fictitious)
{
  const auto &K = shell->tangent();
  if (A.n != K.n || A.row.size() != K.row.size())
    A = K;
  for (std::size_t i = 0; i < K.value.size(); ++i)
    A.value[i] = h * h * K.value[i];
  if (quasi_static && fictitious == 0.)
    return;
  const double share = (quasi_static ? 0. : 1.) + h * h * fictitious;
  const auto &d      = shell->state().d;
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node), n = shell->n_rotations(node);
    // Rotations: the second derivative of J |d - d_0 - h d'|^2 / (2 h) along
    // increments that turn, times h.
    double block[3][3] = {};
    for (const unsigned int k : directors_of[node])
    {
      const double J  = director_mass[k];
      const Vector3 G = quasi_static ? Vector3{ { 0., 0., 0. } }
                                     : (h * J) * (rate_new[k] - rate[k]);
      for (unsigned int a = 0; a < n; ++a)
        for (unsigned int b = 0; b < n; ++b)
        {
          const Vector3 &e = contact.axes[node][a], &f = contact.axes[node][b];
          block[a][b] +=
              share * J * dot(cross(e, d[k]), cross(f, d[k])) +
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
          *value += share * node_mass[node];
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
  if (A.n == 0 || (inverse && inverse->refactorize(A)))
    return;
  inverse.reset();
  inverse = delassus::factorize(A, 250, solver.type, bytes_allowed);
}

void ShellPiece::free_velocity()
{
  shifted   = false;
  v_base    = v_new;
  rate_base = rate_new;
  shell->mark();
  // What is prescribed enters through the tangent, A (dq / h) = h K dq.
  for (unsigned int i = 0; i < residual.size(); ++i)
    work[i] = residual[i] - h * shell->pull()[i] + held[i];
  apply_inverse(work, free_rate);
  if (has_held)
    std::fill(held.begin(), held.end(), 0.);
  has_held = false;
  for (unsigned int i = 0; i < residual.size(); ++i)
    if (shell->unknown(i) < 0)
      free_rate[i] = driven[i] / h;
  std::fill(r.begin(), r.end(), 0.);
  std::fill(r_director.begin(), r_director.end(), Vector3{ { 0., 0., 0. } });
}

bool ShellPiece::correct()
{
  apply_inverse(r, step);
  bool finite = true;
  for (unsigned int i = 0; i < step.size(); ++i)
  {
    step[i] += free_rate[i];
    dq[i]  = h * step[i];
    finite = finite && std::isfinite(dq[i]);
  }
  if (!finite)
    return false;
  shell->go_back();
  shell->update(dq);
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
    for (unsigned int i = shell->dof(node); i < shell->dof(node) + 3; ++i)
      v_new[i] = v_base[i] + step[i];
  return true;
}

void ShellPiece::halve_correction()
{
  for (unsigned int i = 0; i < step.size(); ++i)
  {
    step[i] *= 0.5;
    dq[i] = h * step[i];
  }
  shell->go_back();
  shell->update(dq);
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
    for (unsigned int i = shell->dof(node); i < shell->dof(node) + 3; ++i)
      v_new[i] = v_base[i] + step[i];
}

void ShellPiece::add_norms(ImpulseNorms &norms) const
{
  const auto &f = shell->force();
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node);
    Vector3 inertia{ { 0., 0., 0. } };
    if (!quasi_static)
      for (const unsigned int k : directors_of[node])
        inertia = inertia + director_mass[k] * cross(shell->state().d[k],
                                                     rate_new[k] - rate[k]);
    for (unsigned int c = 0; c < 3 + shell->n_rotations(node); ++c)
    {
      const unsigned int i = dof + c;
      // Moments as impulses on the size of an element.
      const double arm = c < 3 ? 1. : size_of[node];
      if (shell->unknown(i) >= 0)
        norms.residual += std::pow((residual[i] + r[i]) / arm, 2);
      if (!quasi_static)
        norms.inertia +=
            std::pow((c < 3 ? node_mass[node] * (v_new[i] - v[i])
                            : dot(inertia, contact.axes[node][c - 3])) /
                         arm,
                     2);
      norms.internal += std::pow(h * f[i] / arm, 2);
      norms.external += std::pow(h * load[i] / arm, 2);
      norms.contact += std::pow(r[i] / arm, 2);
      // Strains are differences of products of positions and of directors.
      norms.rounding += std::pow(
          h * diagonal[i] * (c < 3 ? shell->state().x[node][c] : 1.) / arm, 2);
    }
  }
  // What tools on both sides press against each other moves nothing, but is
  // known no better than they are.
  for (unsigned int k = 0; k < n_directors(); ++k)
    norms.contact += std::pow(dot(shell->state().d[k], r_director[k]), 2);
}

EnergyTerms ShellPiece::accept()
{
  EnergyTerms terms;
  const auto &d = shell->state().d, &d0 = shell->beginning().d;
  const auto &f = shell->force();
  find_rates(rate_new);
  double used_work = 0., mean_work = 0., numerical = 0.;
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node);
    // The balance holds along rates about axes; secants of directors are not
    // such rates: d' = omega x d+ + n.
    const Vector3 omega  = turning(node, d, rate_new),
                  omega0 = turning(node, d0, rate_new);
    for (unsigned int c = 0; c < 3 + shell->n_rotations(node); ++c)
    {
      const unsigned int i = dof + c;
      const double eta =
                       c < 3 ? v_new[i] : dot(omega, contact.axes[node][c - 3]),
                   eta0 = c < 3 ? v_new[i]
                                : dot(omega0,
                                      shell->beginning().axes[node][c - 3]);
      terms.external += h * eta * load[i];
      used_work += h * eta * f[i];
      mean_work += 0.5 * h * (eta * f[i] + eta0 * start_force[i]);
      if (c < 3)
        terms.contact += v_new[i] * r[i];
      if (shell->unknown(i) < 0)
        terms.driven -= eta * (residual[i] + r[i]);
      if (c < 3 && !quasi_static)
      {
        terms.kinetic += 0.5 * node_mass[node] * v_new[i] * v_new[i];
        numerical += 0.5 * node_mass[node] * std::pow(v_new[i] - v[i], 2);
      }
    }
    for (const unsigned int k : directors_of[node])
    {
      const Vector3 n = rate_new[k] - cross(omega, d[k]);
      const double b  = length(k);
      terms.contact += b * dot(rate_new[k], r_director[k]);
      numerical += b * dot(n, r_director[k]);
      if (quasi_static)
        continue;
      const Vector3 change = rate_new[k] - rate[k];
      const double J       = director_mass[k];
      terms.kinetic += 0.5 * J * dot(rate_new[k], rate_new[k]);
      numerical += 0.5 * J * dot(change, change) - J * dot(n, change);
    }
  }
  terms.elastic   = shell->stored();
  terms.inelastic = shell->dissipated();
  terms.numerical = numerical + used_work - mean_work;
  terms.integration =
      mean_work - (shell->stored() - stored_before) - shell->dissipated();
  stored_before = shell->stored();
  start_force   = f;
  v             = v_new;
  rate          = rate_new;
  shell->accept();
  return terms;
}

double ShellPiece::kinetic_energy() const
{
  if (quasi_static)
    return 0.;
  double sum = 0.;
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
    for (unsigned int c = 0; c < 3; ++c)
      sum += 0.5 * node_mass[node] * std::pow(v[shell->dof(node) + c], 2);
  for (unsigned int k = 0; k < n_directors(); ++k)
    sum += 0.5 * director_mass[k] * dot(rate[k], rate[k]);
  return sum;
}

double ShellPiece::zero_velocity()
{
  const double kinetic = kinetic_energy();
  std::fill(v.begin(), v.end(), 0.);
  std::fill(rate.begin(), rate.end(), Vector3{ { 0., 0., 0. } });
  return kinetic;
}

void ShellPiece::archive(Archive &archive)
{
  archive("shell", *shell);
  archive("velocities", v);
  archive("rates of directors", rate);
  archive("forces at the beginning", start_force);
  archive("stored energy at the beginning", stored_before);
}
} // namespace delassus
