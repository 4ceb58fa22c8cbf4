#include "bodies/moving.h"

#include <deal.II/lac/lapack_full_matrix.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;
using namespace small;

namespace
{
/// Modes of K phi = omega^2 M phi on the dofs that are not driven, phi^T M phi
/// = 1; ascending omega.
template <int dim>
void modes(const Moving<dim> &moving,
           std::vector<double> &omega,
           std::vector<Vector> &phi)
{
  const auto &body = *moving.body;
  std::vector<unsigned int> free;
  for (unsigned int i = 0; i < body.n_dofs(); ++i)
    if (!moving.driven.is_driven(i))
      free.push_back(i);
  const unsigned int n = free.size();
  dealii::LAPACKFullMatrix<double> K(n, n), M(n, n);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
    {
      K(i, j) = body.stiffness.el(free[i], free[j]);
      M(i, j) = body.mass.el(free[i], free[j]);
    }
  std::vector<dealii::Vector<double>> vectors(n, dealii::Vector<double>(n));
  K.compute_generalized_eigenvalues_symmetric(M, vectors, 1);
  for (unsigned int k = 0; k < n; ++k)
  {
    omega.push_back(std::sqrt(K.eigenvalue(k).real()));
    Vector v = body.make_vector();
    for (unsigned int i = 0; i < n; ++i)
      v[free[i]] = vectors[k][i];
    v.compress(dealii::VectorOperation::insert);
    phi.push_back(v);
  }
}

template <int dim>
double
mass_product(const SolidBody<dim> &body, const Vector &a, const Vector &b)
{
  Vector Mb = body.make_vector();
  body.mass.vmult(Mb, b);
  return a * Mb;
}

template <int dim>
void amplification(const bool simplices, const MassType mass)
{
  BodyParameters parameters;
  parameters.mass = mass;
  for (const double theta : { 0.5, 0.6, 0.75, 1. })
  {
    Moving<dim> probe(make_grid(sheared_grid<dim>(simplices, 2)),
                      theta,
                      soft_stone(),
                      parameters,
                      { condition(BoundaryConditionType::fixed, "bottom") });
    std::vector<double> omega;
    std::vector<Vector> phi;
    modes(probe, omega, phi);
    for (const unsigned int k : { 0u, unsigned(omega.size()) / 2 })
      for (const double h_omega : { 0.3, 2. })
      {
        Moving<dim> moving(
            make_grid(sheared_grid<dim>(simplices, 2)),
            theta,
            soft_stone(),
            parameters,
            { condition(BoundaryConditionType::fixed, "bottom") });
        const double h = h_omega / omega[k];
        moving.scheme->set_step(h);
        moving.kick(phi[k]);
        // Amplitudes (omega q, v) of three successive states s: the map A
        // from one to the next has det A = |lambda|^2.
        std::array<std::array<double, 2>, 3> s;
        for (unsigned int n = 0; n < 3; ++n)
        {
          s[n] = { { omega[k] *
                         mass_product(*moving.body, phi[k], moving.scheme->q),
                     mass_product(*moving.body, phi[k], moving.scheme->v) } };
          moving.step(0.);
        }
        const auto det = [&](const unsigned int a, const unsigned int b)
        { return s[a][0] * s[b][1] - s[a][1] * s[b][0]; };
        const double w2 = h_omega * h_omega;
        EXPECT_NEAR(det(1, 2) / det(0, 1),
                    (1. + (1. - theta) * (1. - theta) * w2) /
                        (1. + theta * theta * w2),
                    1e-10)
            << "theta " << theta << ", mode " << k;
        // And it stays in the mode.
        Vector rest = moving.scheme->v;
        rest.add(-mass_product(*moving.body, phi[k], rest), phi[k]);
        EXPECT_LT(std::sqrt(mass_product(*moving.body, rest, rest)), 1e-9);
      }
  }
}
} // namespace

TEST(ThetaScheme, AmplificationOfOneMode)
{
  amplification<2>(true, MassType::consistent);
  amplification<2>(false, MassType::lumped);
  amplification<3>(true, MassType::nodal);
  amplification<3>(false, MassType::consistent);
}

TEST(ThetaScheme, ConstantForceGivesTheExactVelocity)
{
  for (const double theta : { 0.5, 0.75, 1. })
  {
    Moving<2> moving(make_grid(sheared_grid<2>(true)),
                     theta,
                     soft_stone(),
                     {},
                     {},
                     { 1.5, -10. });
    const double h = 0.01;
    moving.scheme->set_step(h);
    const unsigned int n = 25;
    for (unsigned int k = 0; k < n; ++k)
      moving.step(k * h);
    const double path = h * h * (0.5 * n * (n - 1) + n * theta);
    for (unsigned int i = 0; i < moving.body->n_dofs(); ++i)
    {
      const double g = i % 2 == 0 ? 1.5 : -10.;
      EXPECT_NEAR(moving.scheme->v[i], g * n * h, 1e-10);
      EXPECT_NEAR(moving.scheme->q[i], g * path, 1e-10);
    }
  }
}

TEST(ThetaScheme, ForceOfTimeIsWeightedByTheta)
{
  // P_ext(theta) = theta P(t+) + (1 - theta) P(t), here on a rigid motion.
  for (const double theta : { 0.5, 0.75, 1. })
  {
    BodyParameters parameters;
    parameters.body_force = "3*t^2; 0";
    Moving<2> moving(
        make_grid(sheared_grid<2>(false)), theta, soft_stone(), parameters);
    const double h = 0.1;
    moving.scheme->set_step(h);
    double v = 0.;
    for (unsigned int n = 0; n < 10; ++n)
    {
      const double t = n * h;
      moving.step(t);
      v += h * (theta * 3. * (t + h) * (t + h) + (1. - theta) * 3. * t * t);
      for (unsigned int i = 0; i < moving.body->n_dofs(); ++i)
        EXPECT_NEAR(moving.scheme->v[i], i % 2 == 0 ? v : 0., 1e-11);
    }
  }
}

TEST(ThetaScheme, RayleighDampingOfOneMode)
{
  MaterialParameters material = soft_stone();
  material.rayleigh_mass      = 0.7;
  material.rayleigh_stiffness = 0.02;
  for (const double theta : { 0.5, 0.75, 1. })
  {
    Moving<2> moving(make_grid(sheared_grid<2>(false, 2)),
                     theta,
                     material,
                     {},
                     { condition(BoundaryConditionType::fixed, "bottom") });
    std::vector<double> omega;
    std::vector<Vector> phi;
    modes(moving, omega, phi);
    const unsigned int m = 2;
    const double h = 0.4 / omega[m], k = omega[m] * omega[m];
    const double c = material.rayleigh_mass + material.rayleigh_stiffness * k;
    moving.scheme->set_step(h);
    moving.kick(phi[m]);
    double v = 1., q = h * theta;
    for (unsigned int n = 0; n < 30; ++n)
    {
      EXPECT_NEAR(
          mass_product(*moving.body, phi[m], moving.scheme->v), v, 1e-10);
      EXPECT_NEAR(mass_product(*moving.body, phi[m], moving.scheme->q),
                  q,
                  1e-10 / omega[m]);
      moving.step(n * h);
      const double v_new =
          v + (-h * c * v - h * k * (q + theta * h * v)) /
                  (1. + h * theta * c + h * h * theta * theta * k);
      q += h * (theta * v_new + (1. - theta) * v);
      v = v_new;
    }
  }
}

namespace
{
template <int dim>
void energy_identity(const bool simplices, const MassType mass)
{
  MaterialParameters material = soft_stone();
  material.rayleigh_mass      = 0.7;
  material.rayleigh_stiffness = 0.02;
  BodyParameters parameters;
  parameters.mass             = mass;
  parameters.initial_velocity = dim == 2 ? "x*y; 1-x" : "x*y; 1-x; z";
  parameters.body_force       = dim == 2 ? "sin(5*t); x" : "sin(5*t); x; 0";
  for (const double theta : { 0.5, 0.75, 1. })
  {
    Moving<dim> moving(
        make_grid(sheared_grid<dim>(simplices, 2)),
        theta,
        material,
        parameters,
        { condition(BoundaryConditionType::fixed, "bottom", "", { 0 }),
          condition(BoundaryConditionType::velocity,
                    "top",
                    dim == 2 ? "0.3*cos(7*t); 0" : "0.3*cos(7*t); 0; 0",
                    { 0 }),
          condition(BoundaryConditionType::displacement,
                    "bottom",
                    dim == 2 ? "0; 0.2*sin(3*t)*x" : "0; 0.2*sin(3*t)*x; 0",
                    { 1 }),
          condition(BoundaryConditionType::pressure, "right", "2*t") },
        std::vector<double>(dim, -1.));
    const double h = 0.02;
    moving.scheme->set_step(h);
    double energy = moving.scheme->kinetic_energy();
    EnergyTerms total;
    EXPECT_GT(energy, 0.);
    for (unsigned int n = 0; n < 20; ++n)
    {
      const Vector impulse = random_vector(*moving.body, n);
      const Vector v0      = moving.scheme->v;
      const EnergyTerms e  = moving.step(n * h, &impulse);
      const double scale   = e.kinetic + e.elastic + std::abs(e.external) +
                           e.damping + std::abs(e.contact) +
                           std::abs(e.driven) + e.numerical;
      EXPECT_NEAR(e.kinetic + e.elastic - energy,
                  e.external - e.damping + e.contact + e.driven - e.numerical,
                  1e-12 * scale)
          << "theta " << theta << ", step " << n;
      EXPECT_NEAR(
          moving.scheme->kinetic_energy(), e.kinetic, 1e-13 * e.kinetic);
      EXPECT_NEAR(
          0.5 * mass_product(*moving.body, moving.scheme->v, moving.scheme->v),
          e.kinetic,
          1e-13 * e.kinetic);
      Vector v_theta = moving.scheme->v;
      v_theta *= theta;
      v_theta.add(1. - theta, v0);
      EXPECT_NEAR(v_theta * impulse, e.contact, 1e-12 * scale);
      EXPECT_GE(e.damping, 0.);
      EXPECT_GE(e.numerical, 0.);
      energy = e.kinetic + e.elastic;
      total.external += std::abs(e.external);
      total.damping += e.damping;
      total.driven += std::abs(e.driven);
      total.elastic += e.elastic;
      total.numerical += e.numerical;
    }
    EXPECT_GT(total.external, 1e-6 * energy);
    EXPECT_GT(total.damping, 1e-6 * energy);
    EXPECT_GT(total.driven, 1e-6 * energy);
    EXPECT_GT(total.elastic, 1e-6 * energy);
    if (theta > 0.5)
    {
      EXPECT_GT(total.numerical, 1e-6 * energy);
    }
    else
    {
      EXPECT_EQ(total.numerical, 0.);
    }

    const double kinetic = moving.scheme->kinetic_energy();
    EXPECT_EQ(moving.scheme->zero_velocity(), kinetic);
    EXPECT_EQ(moving.scheme->kinetic_energy(), 0.);
    EXPECT_EQ(moving.scheme->v.linfty_norm(), 0.);
  }
}
} // namespace

TEST(ThetaScheme, EnergyIdentity)
{
  energy_identity<2>(true, MassType::consistent);
  energy_identity<2>(false, MassType::lumped);
  energy_identity<3>(true, MassType::nodal);
  energy_identity<3>(false, MassType::consistent);
}

TEST(ThetaScheme, PrescribedDisplacementIsFollowedExactly)
{
  // Only the y component is driven: its expression is the second one.
  Moving<2> moving(
      make_grid(sheared_grid<2>(true)),
      1.,
      soft_stone(),
      {},
      { condition(BoundaryConditionType::displacement,
                  "top",
                  "0; 0.1*x*sin(4*t)",
                  { 1 }),
        condition(
            BoundaryConditionType::displacement, "left", "0.01*t; 0", { 0 }) });
  const double h = 0.05;
  moving.scheme->set_step(h);
  for (unsigned int n = 0; n < 20; ++n)
  {
    moving.step(n * h);
    const double t = (n + 1) * h;
    for (const auto f : moving.body->surface("top", "test"))
      for (unsigned int v = 0; v < 2; ++v)
      {
        const unsigned int i = moving.body->boundary[f].nodes[v];
        EXPECT_NEAR(moving.scheme->q[2 * i + 1],
                    0.1 * moving.body->nodes[i][0] * std::sin(4. * t),
                    1e-14);
      }
    for (const auto f : moving.body->surface("left", "test"))
      EXPECT_NEAR(moving.scheme->q[2 * moving.body->boundary[f].nodes[0]],
                  0.01 * t,
                  1e-14);
  }
}

TEST(ThetaScheme, PrescribedDisplacementDoesNotOscillate)
{
  for (const double theta : { 0.5, 0.75 })
  {
    Moving<2> moving(make_grid(sheared_grid<2>(true)),
                     theta,
                     soft_stone(),
                     {},
                     { condition(BoundaryConditionType::displacement,
                                 "bottom",
                                 "t^2; 3*t") });
    const double h = 0.01;
    moving.scheme->set_step(h);
    const unsigned int node =
        moving.body->boundary[moving.body->surface("bottom", "test")[0]]
            .nodes[0];
    std::vector<double> x, y;
    for (unsigned int n = 0; n < 12; ++n)
    {
      moving.step(n * h);
      x.push_back(moving.scheme->v[2 * node]);
      y.push_back(moving.scheme->v[2 * node + 1]);
      const double t = (n + 1) * h;
      if (n > 0)
      {
        EXPECT_NEAR(moving.scheme->q[2 * node + 1], 3. * t, 1e-12);
        EXPECT_NEAR(moving.scheme->q[2 * node], t * t, 2. * h * h);
        EXPECT_NEAR(y.back(), 3., 1e-11);
        EXPECT_NEAR(x.back(), 2. * t, 2. * h);
      }
      // Second differences of the velocity, zero for t^2: a two-step
      // oscillation would be four times its amplitude.
      if (n > 2)
      {
        EXPECT_NEAR(x[n] - 2. * x[n - 1] + x[n - 2], 0., 1e-11);
      }
    }
  }
}

TEST(ThetaScheme, PrescribedVelocity)
{
  for (const double theta : { 0.5, 1. })
  {
    Moving<3> moving(make_grid(sheared_grid<3>(false, 2)),
                     theta,
                     soft_stone(),
                     {},
                     { condition(BoundaryConditionType::velocity,
                                 "top",
                                 "y; 0; cos(3*t)",
                                 { 0, 2 }),
                       condition(BoundaryConditionType::fixed, "bottom") });
    const double h = 0.05;
    moving.scheme->set_step(h);
    double z = 0., v = 0.;
    for (unsigned int n = 0; n < 10; ++n)
    {
      moving.step(n * h);
      const double v_new = std::cos(3. * (n + 1) * h);
      z += h * (theta * v_new + (1. - theta) * v);
      v = v_new;
      for (const auto f : moving.body->surface("top", "test"))
        for (unsigned int k = 0; k < 4; ++k)
        {
          const unsigned int i = moving.body->boundary[f].nodes[k];
          EXPECT_NEAR(moving.scheme->v[3 * i], moving.body->nodes[i][1], 1e-13);
          EXPECT_NEAR(moving.scheme->v[3 * i + 2], v, 1e-13);
          EXPECT_NEAR(moving.scheme->q[3 * i + 2], z, 1e-13);
        }
      for (const auto f : moving.body->surface("bottom", "test"))
        for (unsigned int k = 0; k < 4; ++k)
          for (unsigned int c = 0; c < 3; ++c)
            EXPECT_EQ(
                moving.scheme->v[3 * moving.body->boundary[f].nodes[k] + c],
                0.);
    }
  }
}

namespace
{
/// Linear momentum and moment of momentum about the origin of f.
template <int dim>
std::vector<double> momenta(const SolidBody<dim> &body, const Vector &f)
{
  std::vector<double> result(dim == 2 ? 3 : 6, 0.);
  for (unsigned int n = 0; n < body.n_nodes(); ++n)
  {
    const auto &x   = body.nodes[n];
    const double fx = f[dim * n], fy = f[dim * n + 1];
    for (unsigned int c = 0; c < dim; ++c)
      result[c] += f[dim * n + c];
    result[dim] += x[0] * fy - x[1] * fx;
    if (dim == 3)
    {
      const double fz = f[dim * n + dim - 1], z = x[dim - 1];
      result[dim + 1] += x[1] * fz - z * fy;
      result[dim + 2] += z * fx - x[0] * fz;
    }
  }
  return result;
}

template <int dim>
void free_flight(const bool simplices)
{
  MaterialParameters material = soft_stone();
  material.rayleigh_stiffness = 0.02; // internal: takes no momentum
  Moving<dim> moving(
      make_grid(sheared_grid<dim>(simplices, 2)), 0.75, material);
  moving.scheme->set_step(0.05);
  const Vector impulse = random_vector(*moving.body, 5);
  const auto expected  = momenta(*moving.body, impulse);
  moving.step(0., &impulse);
  for (unsigned int n = 0; n < 10; ++n)
  {
    Vector Mv = moving.body->make_vector();
    moving.body->mass.vmult(Mv, moving.scheme->v);
    const auto now = momenta(*moving.body, Mv);
    for (unsigned int i = 0; i < now.size(); ++i)
      EXPECT_NEAR(now[i], expected[i], 1e-11);
    moving.step(0.);
  }
}
} // namespace

TEST(ThetaScheme, FreeFlightKeepsMomentum)
{
  free_flight<2>(true);
  free_flight<2>(false);
  free_flight<3>(true);
  free_flight<3>(false);
}

TEST(ThetaScheme, ReportsWhatIsNotFinite)
{
  Moving<2> moving(make_grid(sheared_grid<2>(true)), 1.);
  moving.scheme->set_step(0.1);
  moving.scheme->begin_step(0., false);
  moving.scheme->contact_impulse = std::numeric_limits<double>::max();
  moving.scheme->contact_impulse *= 10.;
  EXPECT_FALSE(moving.scheme->correct());
}
