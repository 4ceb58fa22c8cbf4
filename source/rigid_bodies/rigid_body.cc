#include <delassus/rigid_bodies/rigid_body.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
typename RigidBody<dim>::Translation RigidBody<dim>::linear(const Velocity &u)
{
  Translation a;
  for (unsigned int c = 0; c < dim; ++c)
    a[c] = u[c];
  return a;
}

template <int dim>
typename RigidBody<dim>::Turn RigidBody<dim>::angular(const Velocity &u)
{
  Turn b;
  for (unsigned int c = 0; c < n_rotations<dim>; ++c)
    b[c] = u[dim + c];
  return b;
}

template <int dim>
typename RigidBody<dim>::Velocity RigidBody<dim>::join(const Translation &a,
                                                       const Turn &b)
{
  Velocity u;
  for (unsigned int c = 0; c < dim; ++c)
    u[c] = a[c];
  for (unsigned int c = 0; c < n_rotations<dim>; ++c)
    u[dim + c] = b[c];
  return u;
}

template <int dim>
RigidBody<dim>::RigidBody(const RigidBodySettings<dim> &given)
    : settings(given)
    , J(given.mass.inertia_about(given.reference))
    , S(given.mass.center - given.reference)
{
  Assert(settings.free_axes.size() <= n_rotations<dim>, ExcInternalError());
  Assert(settings.theta >= 0.5 && settings.theta <= 1., ExcInternalError());
  const bool translates = std::find(settings.free_translations.begin(),
                                    settings.free_translations.end(),
                                    true) != settings.free_translations.end();
  any_free              = translates || !settings.free_axes.empty();
  has_offset            = settings.mass.mass > 0. && S.norm() > 0.;
  Assert(!(translates && has_offset), ExcInternalError());
  if (settings.mass.mass > 0. && trace(settings.mass.inertia) > 0.)
    // The radius of gyration about the centre of mass.
    arm = std::sqrt(trace(settings.mass.inertia) /
                    ((dim == 2 ? 1. : 2.) * settings.mass.mass));
  if (settings.length > 0.)
    arm = settings.length;

  const auto &driven = settings.driven;
  const double t     = settings.start_time;
  for (unsigned int c = 0; c < dim; ++c)
  {
    now.x[c] = settings.reference[c];
    if (!settings.free_translations[c])
      now.x[c] += driven.translation(t, c);
    else if (!settings.quasi_static)
      now.v[c] = settings.velocity[c];
  }
  now.R = Rotation<dim>::exp(driven.has_angle() ? driven.turn(t)
                                                : settings.orientation);
  if (!settings.quasi_static)
    now.v = join(linear(now.v), free_part(settings.angular_velocity));
  x_start = now.x;
  R_start = now.R;
  revert();
}

template <int dim>
typename RigidBody<dim>::Turn RigidBody<dim>::free_part(const Turn &omega) const
{
  if (settings.free_axes.size() == n_rotations<dim>)
    return omega;
  Turn result;
  for (const auto &axis : settings.free_axes)
    result += (axis * omega) * axis;
  return result;
}

template <int dim>
typename RigidBody<dim>::Translation
RigidBody<dim>::offset(const Rotation<dim> &R) const
{
  return has_offset ? R.matrix() * S : Translation();
}

template <int dim>
void RigidBody<dim>::revert()
{
  x_middle = x_shifted = x_new = now.x;
  R_middle = R_shifted = R_new = now.R;
  v_new = v_before = v_corrected = v_free = now.v;
  phi_new                                 = now.phi;
  impulse                                 = Velocity();
}

template <int dim>
typename RigidBody<dim>::Velocity
RigidBody<dim>::mean_driven_velocity(const double t, const double h) const
{
  const auto &driven = settings.driven;
  Translation v;
  if (driven.is_zero())
    return Velocity();
  for (unsigned int c = 0; c < dim; ++c)
    if (!settings.free_translations[c])
      v[c] = (driven.translation(t + h, c) - driven.translation(t, c)) / h;
  const Turn omega = (driven.turn(t + h) - driven.turn(t)) / h;
  return join(v, omega - free_part(omega));
}

template <int dim>
void RigidBody<dim>::start_driven(const double h)
{
  if (!started)
    now.v += mean_driven_velocity(
        settings.start_time + (1. - settings.theta) * h, h);
  started = true;
}

template <int dim>
void RigidBody<dim>::begin_step(const double t,
                                const double new_h,
                                const bool from_rest)
{
  t_begin            = t;
  h                  = new_h;
  const double theta = settings.theta;
  const double t_m   = t + (1. - theta) * h;
  const auto &driven = settings.driven;
  const auto load    = [&](const Expression<dim> &f, const unsigned int c)
  {
    const double end = f.value(Point<dim>(), t + h, c);
    return theta < 1. && f.depends_on_time()
               ? theta * end + (1. - theta) * f.value(Point<dim>(), t, c)
               : end;
  };
  for (unsigned int c = 0; c < dim; ++c)
    external[c] =
        load(settings.force, c) + settings.mass.mass * settings.gravity[c];
  for (unsigned int c = 0; c < n_rotations<dim>; ++c)
    external[dim + c] = load(settings.torque, c);

  driven_velocity = mean_driven_velocity(t_m, h);
  x_driven_middle = x_driven_end = now.x;
  Turn psi_middle, turn_m;
  psi_driven = Turn();
  if (!driven.is_zero())
  {
    for (unsigned int c = 0; c < dim; ++c)
    {
      if (settings.stays[c])
        continue;
      x_driven_middle[c] = settings.reference[c] + driven.translation(t_m, c);
      x_driven_end[c]    = settings.reference[c] + driven.translation(t + h, c);
    }
    turn_m     = driven.turn(t_m);
    psi_middle = turn_m - driven.turn(t);
    psi_middle -= free_part(psi_middle);
    psi_driven = driven.turn(t + h) - turn_m;
    psi_driven -= free_part(psi_driven);
  }
  start_driven(h);

  x_middle = now.x + (1. - theta) * h * linear(now.v);
  for (unsigned int c = 0; c < dim; ++c)
    if (!settings.free_translations[c])
      x_middle[c] = x_driven_middle[c];
  R_middle =
      driven.has_angle()
          ? Rotation<dim>::exp(turn_m)
          : Rotation<dim>::exp((1. - theta) * h * free_part(angular(now.v)) +
                               psi_middle) *
                now.R;
  x_shifted = x_middle;
  R_shifted = R_middle;
  if (settings.contact_theta != theta)
  {
    const double part = (1. - settings.contact_theta) * h;
    x_shifted         = now.x + part * linear(now.v);
    R_shifted         = Rotation<dim>::exp(part * angular(now.v)) * now.R;
  }
  impulse = Velocity();
  center = center_old_step = Velocity();
  // Quasi-statically nothing goes on by itself.
  set_iterate(from_rest ? Velocity() : now.v);
  v_free = v_before = v_corrected = v_new;
}

template <int dim>
void RigidBody<dim>::set_iterate(const Velocity &u)
{
  const double theta = settings.theta;
  const Turn omega   = free_part(angular(u));
  v_new              = driven_velocity + join(Translation(), omega);
  for (unsigned int c = 0; c < dim; ++c)
    if (settings.free_translations[c])
    {
      v_new[c] = u[c];
      x_new[c] = x_middle[c] + theta * h * u[c];
    }
    else
      x_new[c] = x_driven_end[c];
  R_new = settings.driven.has_angle()
              ? Rotation<dim>::exp(settings.driven.turn(t_begin + h))
              : Rotation<dim>::exp(theta * h * omega + psi_driven) * R_middle;
  if (settings.rotational_stiffness > 0.)
    phi_new = (R_new * R_start.inverse()).log(now.phi);
}

template <int dim>
typename RigidBody<dim>::Velocity RigidBody<dim>::balance() const
{
  const double theta = settings.theta, m = settings.mass.mass;
  const auto mean = [&](const auto &end, const auto &start)
  { return theta * end + (1. - theta) * start; };
  const Translation v0 = linear(now.v), v1 = linear(v_new);
  const Turn omega0 = angular(now.v), omega1 = angular(v_new);
  Translation f = h * linear(external) + linear(impulse);
  for (unsigned int c = 0; c < dim; ++c)
    if (settings.free_translations[c])
      f[c] -=
          h * (settings.damping[c] * mean(v1[c], v0[c]) +
               settings.stiffness[c] * (mean(x_new[c], now.x[c]) - x_start[c]));
  Turn g = h * angular(external) + angular(impulse) -
           h * settings.rotational_damping * mean(omega1, omega0);
  if (settings.rotational_stiffness > 0.)
    g -= h * settings.rotational_stiffness * mean(phi_new, now.phi);
  Translation weight = h * m * settings.gravity;
  if (!settings.quasi_static)
  {
    f -= m * (v1 - v0);
    g -= R_new.turn(J) * omega1 - now.R.turn(J) * omega0;
    // Seen from a reference point that is pushed about.
    weight -= m * (v1 - v0);
  }
  if (has_offset)
  {
    const Translation s0 = offset(now.R), s1 = offset(R_new);
    g += moment<dim>(mean(s1, s0), weight);
    if (!settings.quasi_static)
      f -= m * (turned_by<dim>(omega1, s1) - turned_by<dim>(omega0, s0));
  }
  return join(f, g);
}

template <int dim>
typename RigidBody<dim>::Velocity RigidBody<dim>::residual() const
{
  Velocity f      = balance();
  const Turn free = free_part(angular(f));
  for (unsigned int c = 0; c < dim; ++c)
    if (!settings.free_translations[c])
      f[c] = 0.;
  return join(linear(f), free);
}

template <int dim>
typename RigidBody<dim>::Velocity RigidBody<dim>::reaction() const
{
  return residual() - balance();
}

template <int dim>
typename RigidBody<dim>::Velocity RigidBody<dim>::augmented_balance() const
{
  Velocity f = balance();
  if (settings.quasi_static)
    for (unsigned int c = 0; c < n; ++c)
      f[c] -= h * h * (c < dim ? fictitious : rotational_fictitious) *
              (v_new[c] - center[c]);
  return f;
}

template <int dim>
std::array<double, 2> RigidBody<dim>::norms() const
{
  std::array<double, 2> largest{};
  const auto compare = [&](const unsigned int i, const Velocity &f)
  {
    for (unsigned int c = 0; c < n; ++c)
      largest[i] = std::max(largest[i], std::abs(f[c]) / (c < dim ? 1. : arm));
  };
  compare(0, residual());
  compare(1, h * external);
  compare(1, impulse);
  if (!settings.quasi_static)
  {
    const double m = settings.mass.mass;
    const Turn L0  = now.R.turn(J) * angular(now.v),
               L1  = R_new.turn(J) * angular(v_new);
    compare(1, join(m * (linear(v_new) - linear(now.v)), L1 - L0));
    compare(1, 1e-6 * join(m * linear(v_new), L1));
    compare(1, 1e-6 * join(m * linear(now.v), L0));
  }
  return largest;
}

template <int dim>
double RigidBody<dim>::effective_mass(const unsigned int c) const
{
  const double ht = h * settings.theta;
  return (settings.quasi_static ? h * h * fictitious : settings.mass.mass) +
         ht * settings.damping[c] + ht * ht * settings.stiffness[c];
}

template <int dim>
RotationTensor<dim> RigidBody<dim>::effective_inertia() const
{
  const double ht = h * settings.theta;
  RotationTensor<dim> A;
  if (!settings.quasi_static)
    A = R_new.turn(J);
  for (unsigned int c = 0; c < n_rotations<dim>; ++c)
    A[c][c] += ht * settings.rotational_damping +
               ht * ht * settings.rotational_stiffness +
               (settings.quasi_static ? h * h * rotational_fictitious : 0.);
  return A;
}

template <int dim>
RotationTensor<dim> RigidBody<dim>::rotation_tangent() const
{
  const double ht = h * settings.theta;
  // R+ turns by D theta h d omega.
  const RotationTensor<dim> D =
      ht *
      Rotation<dim>::derivative(ht * free_part(angular(v_new)) + psi_driven);
  RotationTensor<dim> A;
  for (unsigned int c = 0; c < n_rotations<dim>; ++c)
    A[c][c] = ht * settings.rotational_damping +
              (settings.quasi_static ? h * h * rotational_fictitious : 0.);
  if (!settings.quasi_static)
  {
    const RotationTensor<dim> J_new = R_new.turn(J);
    const Turn omega                = angular(v_new);
    A += J_new +
         (J_new * cross_matrix<dim>(omega) - cross_matrix<dim>(J_new * omega)) *
             D;
  }
  if (settings.rotational_stiffness > 0.)
    A += ht * settings.rotational_stiffness *
         (invert(Rotation<dim>::derivative(phi_new)) * D);
  if (has_offset)
  {
    // s+ changes by (D d omega) x s+.
    Translation weight = h * settings.mass.mass * settings.gravity;
    if (!settings.quasi_static)
      weight -= settings.mass.mass * (linear(v_new) - linear(now.v));
    const Translation s = offset(R_new);
    if constexpr (dim == 2)
      A[0][0] += settings.theta * (s * weight) * D[0][0];
    else
      A -= settings.theta * (cross_matrix<3>(weight) * cross_matrix<3>(s) * D);
  }
  return A;
}

template <int dim>
RotationTensor<dim>
RigidBody<dim>::free_inverse(const RotationTensor<dim> &A) const
{
  RotationTensor<dim> inverse;
  const auto &axes = settings.free_axes;
  const auto dyad  = [&](const unsigned int i, const unsigned int j)
  { return outer_product(axes[i], axes[j]); };
  if (axes.size() == n_rotations<dim>)
    return invert(A);
  if (axes.size() == 1)
    return dyad(0, 0) / (axes[0] * (A * axes[0]));
  if (axes.size() == 2)
  {
    Tensor<2, 2> B;
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j)
        B[i][j] = axes[i] * (A * axes[j]);
    B = invert(B);
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j)
        inverse += B[i][j] * dyad(i, j);
  }
  return inverse;
}

template <int dim>
void RigidBody<dim>::update_inverse()
{
  w = Matrix();
  for (unsigned int c = 0; c < dim; ++c)
    if (settings.free_translations[c])
      w[c][c] = 1. / effective_mass(c);
  const auto inverse = free_inverse(effective_inertia());
  for (unsigned int i = 0; i < n_rotations<dim>; ++i)
    for (unsigned int j = 0; j < n_rotations<dim>; ++j)
      w[dim + i][dim + j] = 0.5 * (inverse[i][j] + inverse[j][i]);
}

template <int dim>
typename RigidBody<dim>::Matrix RigidBody<dim>::tangent_inverse() const
{
  Matrix result;
  for (unsigned int c = 0; c < dim; ++c)
    if (settings.free_translations[c])
      result[c][c] = 1. / effective_mass(c);
  const auto inverse = free_inverse(rotation_tangent());
  for (unsigned int i = 0; i < n_rotations<dim>; ++i)
    for (unsigned int j = 0; j < n_rotations<dim>; ++j)
      result[dim + i][dim + j] = inverse[i][j];
  return result;
}

template <int dim>
bool RigidBody<dim>::find_free_velocity()
{
  if (!any_free)
  {
    v_free = v_new;
    return true;
  }
  // Newton's method. Translations are linear; so are rotations in the plane and
  // of spheres.
  constexpr unsigned int most = 30;
  const Velocity iterate      = v_new;
  double before               = std::numeric_limits<double>::max();
  bool found                  = false;
  for (unsigned int k = 0; k < most && !found; ++k)
  {
    const Matrix inverse = tangent_inverse();
    const Velocity step  = inverse * augmented_balance();
    set_iterate(v_new + step);
    const double change = angular(step).norm();
    if (!std::isfinite(step.norm()))
      return false;
    // What cancels in an angular velocity that vanishes counts as well.
    const double size = std::max({ angular(v_new).norm(),
                                   angular(now.v).norm(),
                                   angular(inverse * impulse).norm(),
                                   angular(inverse * (h * external)).norm() });
    // The last digits may go to and fro.
    found = change <= 1e-15 * size ||
            (change <= 1e-11 * size && change >= 0.5 * before);
    before = change;
  }
  v_free = v_new - w * impulse;
  set_iterate(iterate);
  return found;
}

template <int dim>
bool RigidBody<dim>::correct(const Velocity &new_impulse)
{
  impulse  = new_impulse;
  v_before = v_corrected;
  set_iterate(v_free + w * impulse);
  v_corrected = v_new;
  return std::isfinite(v_new.norm()) && std::isfinite(x_new.norm());
}

template <int dim>
void RigidBody<dim>::halve_correction()
{
  set_iterate(0.5 * (v_new + v_before));
  v_corrected = v_new;
}

template <int dim>
void RigidBody<dim>::archive(Archive &archive)
{
  Saved saved = save();
  archive("rigid body", saved);
  if (!archive.saving())
    load(saved);
}

template <int dim>
typename RigidBody<dim>::Saved RigidBody<dim>::save() const
{
  return { now.x, now.R.q, now.v, impulse, now.phi, started };
}

template <int dim>
void RigidBody<dim>::load(const Saved &saved)
{
  now.x   = saved.x;
  now.R.q = saved.R;
  now.v   = saved.v;
  now.phi = saved.phi;
  started = saved.started;
  revert();
  impulse = saved.impulse;
}

template class RigidBody<2>;
template class RigidBody<3>;
} // namespace delassus
