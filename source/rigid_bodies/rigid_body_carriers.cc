#include <delassus/rigid_bodies/rigid_body.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

template <int dim>
Point<dim> RigidBody<dim>::position(const Configuration where) const
{
  switch (where)
  {
    case Configuration::start:
      return now.x;
    case Configuration::middle:
      return x_middle;
    case Configuration::shifted:
      return x_shifted;
    case Configuration::predicted:
      return x_shifted + h * linear(v_new);
    default:
      return x_new;
  }
}

template <int dim>
Rotation<dim> RigidBody<dim>::rotation(const Configuration where) const
{
  switch (where)
  {
    case Configuration::start:
      return now.R;
    case Configuration::middle:
      return R_middle;
    case Configuration::shifted:
      return R_shifted;
    case Configuration::predicted:
      return Rotation<dim>::exp(h * angular(v_new)) * R_shifted;
    default:
      return R_new;
  }
}

template <int dim>
bool RigidBody<dim>::turns() const
{
  return !settings.free_axes.empty() || settings.driven.turns();
}

template <int dim>
unsigned int RigidBody<dim>::n_free() const
{
  return std::count(settings.free_translations.begin(),
                    settings.free_translations.end(),
                    true) +
         settings.free_axes.size();
}

template <int dim>
bool RigidBody<dim>::is_linear() const
{
  // J(R+) omega+ is linear if J does not change with R, as are weights without
  // a lever.
  if (settings.free_axes.empty())
    return true;
  // Equilibria are those of the place that a body has turned to, and a step may
  // turn it far.
  if (has_offset || settings.quasi_static)
    return false;
  if (dim == 2)
    return true;
  if (settings.free_axes.size() == 1 && !settings.driven.turns())
    return true;
  const double mean     = trace(J) / n_rotations<dim>;
  RotationTensor<dim> D = J;
  for (unsigned int c = 0; c < n_rotations<dim>; ++c)
    D[c][c] -= mean;
  return settings.rotational_stiffness == 0. && D.norm() <= 1e-12 * mean;
}

template <int dim>
typename RigidBody<dim>::Velocity RigidBody<dim>::displacement() const
{
  return join(now.x - settings.reference, now.phi);
}

template <int dim>
typename RigidBody<dim>::Velocity RigidBody<dim>::load() const
{
  const Turn torque = free_part(angular(external));
  Velocity f        = h * join(linear(external), torque);
  for (unsigned int c = 0; c < dim; ++c)
    if (!settings.free_translations[c])
      f[c] = 0.;
  return f;
}

template <int dim>
void RigidBody<dim>::for_each_effective_entry(
    const std::function<void(unsigned int, unsigned int, double)> &add) const
{
  unsigned int i = 0;
  for (unsigned int c = 0; c < dim; ++c)
    if (settings.free_translations[c])
    {
      add(i, i, effective_mass(c));
      ++i;
    }
  const RotationTensor<dim> A = effective_inertia();
  const auto &axes            = settings.free_axes;
  for (unsigned int a = 0; a < axes.size(); ++a)
    for (unsigned int b = 0; b < axes.size(); ++b)
      add(i + a, i + b, axes[a] * (A * axes[b]));
}

template <int dim>
double RigidBody<dim>::mean_effective_mass() const
{
  double sum = 0.;
  for_each_effective_entry(
      [&](const unsigned int i, const unsigned int j, const double value)
      {
        const bool translation = i + settings.free_axes.size() < n_free();
        if (i == j)
          sum += translation ? value : value / (arm * arm);
      });
  return any_free ? sum / n_free() : 0.;
}

template <int dim>
RotationTensor<dim> RigidBody<dim>::inertia(const Configuration where) const
{
  return rotation(where).turn(J);
}

template <int dim>
RotationVector<dim>
RigidBody<dim>::angular_momentum(const Configuration where) const
{
  return inertia(where) * angular(velocity(where));
}

template <int dim>
Point<dim> RigidBody<dim>::place(const Point<dim> &X,
                                 const Configuration where) const
{
  return position(where) + rotation(where).matrix() * (X - settings.reference);
}

template <int dim>
Point<dim> RigidBody<dim>::rest_place(const Point<dim> &x,
                                      const Configuration where) const
{
  return settings.reference +
         transpose(rotation(where).matrix()) * (x - position(where));
}

template <int dim>
typename RigidBody<dim>::Carriers
RigidBody<dim>::carriers(const Configuration where) const
{
  Carriers result;
  result[0]              = position(where);
  const Tensor<2, dim> R = rotation(where).matrix();
  for (unsigned int k = 0; k < dim; ++k)
    for (unsigned int c = 0; c < dim; ++c)
      result[1 + k][c] = arm * R[c][k];
  return result;
}

template <int dim>
typename RigidBody<dim>::Carriers
RigidBody<dim>::carrier_velocities(const Velocity &u,
                                   const Configuration where) const
{
  Carriers result  = carriers(where);
  const Turn omega = angular(u);
  result[0]        = linear(u);
  for (unsigned int k = 1; k < n_carriers; ++k)
    result[k] = turned_by<dim>(omega, result[k]);
  return result;
}

template <int dim>
typename RigidBody<dim>::Velocity
RigidBody<dim>::generalized_impulse(const Carriers &impulses,
                                    const Configuration where) const
{
  const Carriers arms = carriers(where);
  Turn tau;
  for (unsigned int k = 1; k < n_carriers; ++k)
    tau += moment<dim>(arms[k], impulses[k]);
  return join(impulses[0], tau);
}

template <int dim>
void RigidBody<dim>::carrier_compliance(const Configuration where,
                                        std::vector<double> &compliance) const
{
  compliance.assign(n_carrier_dofs * n_carrier_dofs, 0.);
  if (!any_free)
    return;
  // Columns of B: velocities of the carriers for unit velocities.
  std::array<Carriers, n> B;
  for (unsigned int c = 0; c < n; ++c)
  {
    Velocity unit;
    unit[c] = 1.;
    B[c]    = carrier_velocities(unit, where);
  }
  for (unsigned int i = 0; i < n_carrier_dofs; ++i)
    for (unsigned int j = 0; j < n_carrier_dofs; ++j)
    {
      double sum = 0.;
      for (unsigned int a = 0; a < n; ++a)
        for (unsigned int b = 0; b < n; ++b)
          sum += B[a][i / dim][i % dim] * w[a][b] * B[b][j / dim][j % dim];
      compliance[i * n_carrier_dofs + j] = sum;
    }
}

#define INSTANTIATE(dim)                                                       \
  template Point<dim> RigidBody<dim>::position(const Configuration) const;     \
  template Rotation<dim> RigidBody<dim>::rotation(const Configuration) const;  \
  template bool RigidBody<dim>::is_linear() const;                             \
  template bool RigidBody<dim>::turns() const;                                 \
  template unsigned int RigidBody<dim>::n_free() const;                        \
  template RigidBody<dim>::Velocity RigidBody<dim>::displacement() const;      \
  template RigidBody<dim>::Velocity RigidBody<dim>::load() const;              \
  template void RigidBody<dim>::for_each_effective_entry(                      \
      const std::function<void(unsigned int, unsigned int, double)> &) const;  \
  template double RigidBody<dim>::mean_effective_mass() const;                 \
  template RotationTensor<dim> RigidBody<dim>::inertia(const Configuration)    \
      const;                                                                   \
  template RotationVector<dim> RigidBody<dim>::angular_momentum(               \
      const Configuration) const;                                              \
  template Point<dim> RigidBody<dim>::place(const Point<dim> &,                \
                                            const Configuration) const;        \
  template Point<dim> RigidBody<dim>::rest_place(const Point<dim> &,           \
                                                 const Configuration) const;   \
  template RigidBody<dim>::Carriers RigidBody<dim>::carriers(                  \
      const Configuration) const;                                              \
  template RigidBody<dim>::Carriers RigidBody<dim>::carrier_velocities(        \
      const Velocity &, const Configuration) const;                            \
  template RigidBody<dim>::Velocity RigidBody<dim>::generalized_impulse(       \
      const Carriers &, const Configuration) const;                            \
  template void RigidBody<dim>::carrier_compliance(                            \
      const Configuration, std::vector<double> &) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
