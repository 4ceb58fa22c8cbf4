// Equilibria of rigid bodies, their energy, and the end of a step.
#include <delassus/rigid_bodies/rigid_body.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
bool RigidBody<dim>::set_fictitious(const double translations,
                                    const double rotations)
{
  const bool changed =
      fictitious != translations || rotational_fictitious != rotations;
  fictitious            = translations;
  rotational_fictitious = rotations;
  return changed;
}

template <int dim>
typename RigidBody<dim>::CenterLook RigidBody<dim>::look_at_center()
{
  CenterLook look;
  for (unsigned int c = 0; c < n; ++c)
  {
    const double mass = h * h * (c < dim ? fictitious : rotational_fictitious);
    const double unit = c < dim ? 1. : arm;
    center_step[c]    = any_free ? v_new[c] - center[c] : 0.;
    const double change = center_step[c] - center_old_step[c];
    look.f += std::abs(mass * center_step[c]) / unit;
    look.old_times_change += mass * center_old_step[c] * change;
    look.change_times_change += mass * change * change;
    look.travel = std::max(look.travel, h * std::abs(v_new[c]) * unit);
  }
  return look;
}

template <int dim>
void RigidBody<dim>::move_center(const double factor)
{
  center += factor * center_step;
  center_old_step = center_step;
}

template <int dim>
double RigidBody<dim>::kinetic_energy() const
{
  // Driven bodies have none of their own; those that stand still have none, but
  // for what they come with from another stage of the run.
  if (settings.quasi_static || (!any_free && !settings.driven.is_zero()))
    return 0.;
  const Translation v = linear(now.v);
  const Turn omega    = angular(now.v);
  return settings.mass.mass *
             (0.5 * (v * v) + v * turned_by<dim>(omega, offset(now.R))) +
         0.5 * (omega * (now.R.turn(J) * omega));
}

template <int dim>
double RigidBody<dim>::zero_velocity()
{
  const double before = kinetic_energy();
  for (unsigned int c = 0; c < dim; ++c)
    if (settings.free_translations[c])
      now.v[c] = 0.;
  now.v = join(linear(now.v), angular(now.v) - free_part(angular(now.v)));
  revert();
  return before - kinetic_energy();
}

template <int dim>
EnergyTerms RigidBody<dim>::accept()
{
  EnergyTerms terms;
  if (any_free)
  {
    const double theta = settings.theta, m = settings.mass.mass;
    const double k_r = settings.rotational_stiffness;
    const auto mean  = [&](const auto &end, const auto &start)
    { return theta * end + (1. - theta) * start; };
    const Translation v0 = linear(now.v), v1 = linear(v_new);
    const Turn omega0 = angular(now.v), omega1 = angular(v_new);
    const Translation v_theta = mean(v1, v0);
    const Turn omega_theta    = mean(omega1, omega0);
    const Velocity u_theta    = join(v_theta, omega_theta);
    const Translation s0 = offset(now.R), s1 = offset(R_new),
                      s_theta = mean(s1, s0);
    terms.external =
        h * (u_theta * external +
             omega_theta * moment<dim>(s_theta, m * settings.gravity));
    terms.contact = u_theta * impulse;
    terms.driven  = u_theta * reaction();
    terms.damping =
        h * settings.rotational_damping * (omega_theta * omega_theta);
    for (unsigned int c = 0; c < dim; ++c)
      if (settings.free_translations[c])
      {
        const double k = settings.stiffness[c], d = x_new[c] - x_start[c];
        terms.damping += h * settings.damping[c] * v_theta[c] * v_theta[c];
        terms.elastic += 0.5 * k * d * d;
        terms.numerical +=
            (theta - 0.5) * k * (x_new[c] - now.x[c]) * (x_new[c] - now.x[c]);
      }
    if (k_r > 0.)
    {
      const Turn change = phi_new - now.phi;
      terms.elastic += 0.5 * k_r * (phi_new * phi_new);
      terms.numerical += (theta - 0.5) * k_r * (change * change);
      // Rotation vectors do not change by h omega.
      terms.integration +=
          k_r * (mean(phi_new, now.phi) * (h * omega_theta - change));
    }
    if (settings.quasi_static)
      terms.numerical += u_theta * (balance() - augmented_balance());
    else
    {
      const Turn L0 = now.R.turn(J) * omega0, L1 = R_new.turn(J) * omega1;
      const Translation e0 = turned_by<dim>(omega0, s0),
                        e1 = turned_by<dim>(omega1, s1);
      terms.kinetic = 0.5 * m * (v1 * v1) + m * (v1 * e1) + 0.5 * (omega1 * L1);
      // The last term: the inertia has turned.
      terms.numerical += (theta - 0.5) * (m * ((v1 - v0) * (v1 - v0)) +
                                          (omega1 - omega0) * (L1 - L0)) +
                         0.5 * (omega0 * L1 - omega1 * L0);
      terms.integration +=
          m * ((v1 - v0) * (turned_by<dim>(omega_theta, s_theta) -
                            ((1. - theta) * e1 + theta * e0)));
    }
  }
  if (turns() && settings.rotational_stiffness == 0.)
    phi_new = (R_new * R_start.inverse()).log(now.phi);
  now.x   = x_new;
  now.R   = R_new;
  now.v   = v_new;
  now.phi = phi_new;
  return terms;
}

#define INSTANTIATE(dim)                                                       \
  template bool RigidBody<dim>::set_fictitious(const double, const double);    \
  template RigidBody<dim>::CenterLook RigidBody<dim>::look_at_center();        \
  template void RigidBody<dim>::move_center(const double);                     \
  template double RigidBody<dim>::kinetic_energy() const;                      \
  template double RigidBody<dim>::zero_velocity();                             \
  template EnergyTerms RigidBody<dim>::accept()
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
