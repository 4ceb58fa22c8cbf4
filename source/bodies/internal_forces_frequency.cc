#include <delassus/bodies/internal_forces.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
double InternalForces<dim>::frequency_bound() const
{
  const auto &K = tangent.trilinos_matrix();
  const auto &M = body.mass.trilinos_matrix();
  double most   = 0.;
  for (int i = 0; i < K.NumMyRows(); ++i)
  {
    int n = 0, *indices = nullptr;
    double *values   = nullptr;
    double stiffness = 0., mass = 0.;
    K.ExtractMyRowView(i, n, values, indices);
    for (int k = 0; k < n; ++k)
      stiffness += std::abs(values[k]);
    M.ExtractMyRowView(i, n, values, indices);
    for (int k = 0; k < n; ++k)
      mass += values[k];
    // Without a mass of its own (corners of quadratic simplices) nothing is a
    // bound; hanging nodes have no row.
    if (stiffness > 0.)
      most = mass > 0. ? std::max(most, stiffness / mass)
                       : std::numeric_limits<double>::infinity();
  }
  return std::sqrt(Utilities::MPI::max(most, body.communicator));
}

template <int dim>
double InternalForces<dim>::highest_frequency(const bool anew)
{
  // Power iteration on D^-1/2 K D^-1/2, D the lumped mass, from a vector that
  // changes sign from node to node, as the highest modes do, or the last one.
  if (anew)
  {
    highest_mode = body.make_vector();
    mass_scale   = body.make_vector();
  }
  auto &x = highest_mode, &scale = mass_scale;
  Vector y      = x;
  const auto &M = body.mass.trilinos_matrix();
  for (int i = 0; i < M.NumMyRows() && anew; ++i)
  {
    int n = 0, *indices = nullptr;
    double *values = nullptr, mass = 0.;
    M.ExtractMyRowView(i, n, values, indices);
    for (int k = 0; k < n; ++k)
      mass += values[k];
    scale.begin()[i]       = mass > 0. ? 1. / std::sqrt(mass) : 0.;
    const unsigned int dof = dim * body.first_owned_node + i;
    x.begin()[i] = scale.begin()[i] > 0. ? std::sin(12.9898 * (dof + 1.)) : 0.;
  }
  double value = 0.;
  for (unsigned int iteration = 0; iteration < 30; ++iteration)
  {
    const double norm = x.l2_norm();
    if (!(norm > 0.))
      return 0.;
    x /= norm;
    y = x;
    y.scale(scale);
    tangent.vmult(x, y);
    x.scale(scale);
    const double before = value;
    value               = x.l2_norm();
    if (!anew && std::abs(value - before) < 1e-3 * value)
      break;
  }
  return std::min(1.05 * std::sqrt(value), frequency_bound());
}

template double InternalForces<2>::frequency_bound() const;
template double InternalForces<3>::frequency_bound() const;
template double InternalForces<2>::highest_frequency(const bool);
template double InternalForces<3>::highest_frequency(const bool);
} // namespace delassus
