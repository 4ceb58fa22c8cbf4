#include <delassus/rigid_bodies/rigid_body.h>

namespace delassus
{
using namespace dealii;

template <int dim>
const Point<dim> &RigidBody<dim>::position(const Configuration where) const
{
  return where == Configuration::start    ? now.x
         : where == Configuration::middle ? x_middle
                                          : x_new;
}

template <int dim>
const Rotation<dim> &RigidBody<dim>::rotation(const Configuration where) const
{
  return where == Configuration::start    ? now.R
         : where == Configuration::middle ? R_middle
                                          : R_new;
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
  template const Point<dim> &RigidBody<dim>::position(const Configuration)     \
      const;                                                                   \
  template const Rotation<dim> &RigidBody<dim>::rotation(const Configuration)  \
      const;                                                                   \
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
