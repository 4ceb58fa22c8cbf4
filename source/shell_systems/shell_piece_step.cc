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
  if (is_explicit())
  {
    begin_explicit_step();
    return;
  }
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

bool ShellPiece::evaluate_model(const double step, const bool with_tangent)
{
  ShellTask task;
  task.tangent = with_tangent;
  return is_shared() ? evaluate_shared(step, task)
                     : shell->evaluate(step, task, &driven);
}

void ShellPiece::find_loads(const double at, const bool with_stiffness)
{
  std::fill(load.begin(), load.end(), 0.);
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
    shell->add_force(node, node_mass[node] * settings.gravity, load);
  for (const auto &nodal : settings.loads)
  {
    if (nodal.force)
      shell->add_force(nodal.node, nodal.force(at), load);
    if (nodal.moment)
      shell->add_moment(nodal.node, nodal.moment(at), load);
  }
  for (const auto &pressure : settings.pressures)
    shell->add_pressure(
        pressure.value(at), pressure.quads, with_stiffness, load);
}

void ShellPiece::find_residual(const std::vector<double> &force,
                               const std::vector<Vector3> &d)
{
  for (unsigned int i = 0; i < residual.size(); ++i)
    residual[i] = h * (load[i] - force[i]);
  if (quasi_static)
    return;
  const double lost   = h * settings.damping[0],
               turned = h * settings.damping[1]; // shares of momentum
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node);
    for (unsigned int c = 0; c < 3; ++c)
      residual[dof + c] -= node_mass[node] * (v_new[dof + c] - v[dof + c] +
                                              lost * v_new[dof + c]);
    for (const unsigned int k : directors_of[node])
    {
      const Vector3 moment =
          director_mass[k] *
          cross(d[k], rate_new[k] - rate[k] + turned * rate_new[k]);
      for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
        residual[dof + 3 + a] -= dot(contact.axes[node][a], moment);
    }
  }
}

bool ShellPiece::evaluate(const bool with_tangent)
{
  find_driven();
  if (!evaluate_model(h, with_tangent))
    return false;
  contact.axes = shell->state().axes;
  if (at_iterate)
    set_contact_configuration(true);
  find_rates(rate_new);
  find_loads(t + h, with_tangent);

  const auto &K = shell->tangent();
  for (unsigned int u = 0; u < dof_of.size() && with_tangent; ++u)
  {
    const auto begin = K.row.begin() + K.column_start[u],
               end   = K.row.begin() + K.column_start[u + 1];
    diagonal[dof_of[u]] =
        K.value[std::lower_bound(begin, end, int(u)) - K.row.begin()];
  }
  find_residual(shell->force(), shell->state().d);
  return true;
}

void ShellPiece::free_velocity()
{
  std::fill(r.begin(), r.end(), 0.);
  std::fill(r_director.begin(), r_director.end(), Vector3{ { 0., 0., 0. } });
  if (is_explicit())
  {
    // Whatever the iterate is: the equation is linear, from the beginning.
    shifted = false;
    apply_inverse(start_residual, free_rate);
    for (unsigned int i = 0; i < free_rate.size(); ++i)
      if (shell->unknown(i) < 0)
        free_rate[i] = driven[i] / h - base[i];
    return;
  }
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
  if (is_explicit())
    return advance(step);
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
  if (is_explicit())
  {
    advance(step); // half of a turn that was possible
    return;
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
  // Explicit steps are in balance with the forces of the beginning, about its
  // axes.
  const auto &d_balance = is_explicit() ? d0 : d;
  const auto &f_balance = is_explicit() ? start_force : f;
  find_rates(rate_new);
  double used_work = 0., mean_work = 0., numerical = 0.;
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node);
    // The balance holds along rates about axes; secants of directors are not
    // such rates: d' = omega x d+ + n.
    const Vector3 omega          = turning(node, d, rate_new),
                  omega0         = turning(node, d0, rate_new);
    const Vector3 &omega_balance = is_explicit() ? omega0 : omega;
    for (unsigned int c = 0; c < 3 + shell->n_rotations(node); ++c)
    {
      const unsigned int i = dof + c;
      const double eta_end = c < 3
                                 ? v_new[i]
                                 : dot(omega, shell->state().axes[node][c - 3]),
                   eta0    = c < 3 ? v_new[i]
                                   : dot(omega0,
                                      shell->beginning().axes[node][c - 3]),
                   eta     = is_explicit() ? eta0 : eta_end;
      terms.external += h * eta * load[i];
      used_work += h * eta * f_balance[i];
      mean_work += 0.5 * h * (eta_end * f[i] + eta0 * start_force[i]);
      if (c < 3)
        terms.contact += v_new[i] * r[i];
      if (shell->unknown(i) < 0)
        terms.driven -= eta * (residual[i] + r[i]);
      if (c < 3 && !quasi_static)
      {
        terms.kinetic += 0.5 * node_mass[node] * v_new[i] * v_new[i];
        numerical += 0.5 * node_mass[node] * std::pow(v_new[i] - v[i], 2);
        terms.damping +=
            h * settings.damping[0] * node_mass[node] * v_new[i] * v_new[i];
      }
    }
    for (const unsigned int k : directors_of[node])
    {
      const Vector3 n = rate_new[k] - cross(omega_balance, d_balance[k]);
      const double b  = length(k);
      // What contact sees: the secant, or, of explicit steps, what is linear.
      const Vector3 seen =
          is_explicit() ? rate_base[k] + cross(turn_of(node, step), d0[k])
                        : rate_new[k];
      terms.contact += b * dot(seen, r_director[k]);
      numerical +=
          b * dot(seen - cross(omega_balance, d_balance[k]), r_director[k]);
      if (quasi_static)
        continue;
      const Vector3 change = rate_new[k] - rate[k];
      const double J       = director_mass[k];
      terms.kinetic += 0.5 * J * dot(rate_new[k], rate_new[k]);
      const double damping = h * settings.damping[1] * J;
      numerical += 0.5 * J * dot(change, change) - J * dot(n, change) -
                   damping * dot(n, rate_new[k]);
      terms.damping += damping * dot(rate_new[k], rate_new[k]);
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
  memory_is_new = memory_is_new || !archive.saving();
  archive("velocities", v);
  archive("rates of directors", rate);
  archive("forces at the beginning", start_force);
  archive("stored energy at the beginning", stored_before);
}
} // namespace delassus
