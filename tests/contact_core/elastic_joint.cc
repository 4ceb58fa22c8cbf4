// The elastic joint with one contact: forces against displacements, cycles,
// periods, energies, and frames that are chosen anew.

#include "contact_core/dimensions.h"
#include "contact_core/law_steps.h"
#include "contact_core/random_problems.h"

#include <delassus/base/exceptions.h>
#include <delassus/contact/laws/frame_turn.h>

#include <cmath>

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <typename T>
class ElasticJointTest : public ::testing::Test
{
};
TYPED_TEST_SUITE(ElasticJointTest, Dimensions);

constexpr double k_N = 3e6, k_T = 1e6, mu = 0.4, area = 0.02;

ContactLawParameters joint()
{
  ContactLawParameters parameters;
  parameters.name                 = "mortar";
  parameters.type                 = ContactLawType::elastic_joint;
  parameters.friction             = mu;
  parameters.normal_stiffness     = k_N;
  parameters.tangential_stiffness = k_T;
  return parameters;
}
} // namespace


// Pressed in by delta: R_N = k_N A delta on the way in and on the way out; no
// tension.
TYPED_TEST(ElasticJointTest, NormalForceIsTheSpringAndHoldsNoTension)
{
  constexpr int dim = TypeParam::value;
  for (const double theta : { 1., 0.5 })
  {
    MassOnGround<dim> mass(joint(), driven, area, theta);
    mass.start();
    const double h = 0.01;
    LocalVector<dim> v{};
    for (const double speed : { -1e-3, 1e-3 })
      for (unsigned int i = 0; i < (speed < 0 ? 10 : 15); ++i)
      {
        v[0] = speed;
        mass.drive(h, v, i % 3 == 0);
        // theta = 1/2: the gap that the condition looks at, half a step ahead.
        const double gap = mass.q[0] + (1. - theta) * h * mass.v[0];
        EXPECT_NEAR(mass.force[0],
                    std::max(0., -k_N * area * gap),
                    1e-9 * k_N * area * 1e-4);
        EXPECT_EQ(mass.solution.status == ContactStatus::open,
                  mass.force[0] == 0.);
      }
    EXPECT_EQ(mass.force[0], 0.);
    EXPECT_EQ(mass.stored, 0.);
  }
}


// Sheared to and fro under constant pressure: the hysteresis of a spring and a
// slider, exact at every step (radial return), and its area.
TYPED_TEST(ElasticJointTest, ShearCyclesAreThoseOfSpringAndSlider)
{
  constexpr int dim = TypeParam::value;
  const double h = 0.01, delta = 2e-4, N = k_N * area * delta;
  MassOnGround<dim> mass(joint(), driven, area);
  mass.start();
  LocalVector<dim> v{};
  v[0] = -delta / h;
  mass.drive(h, v);
  v[0]                   = 0.;
  const double u_elastic = mu * N / (k_T * area);
  const double step      = u_elastic / 8.;
  const double closed_at = mass.all_dissipated;
  LocalVector<dim> u{}, e{}; // total and elastic tangential displacement
  double loop   = 0.;
  const auto go = [&](const unsigned int n, const double direction)
  {
    for (unsigned int i = 0; i < n; ++i)
    {
      const LocalVector<dim> before = mass.force;
      v[1]                          = direction * 0.8 * step / h;
      if (dim == 3)
        v[dim - 1] = direction * 0.6 * step / h;
      if (dim == 2)
        v[1] = direction * step / h;
      mass.drive(h, v, i % 2 == 0);
      LocalVector<dim> du = scale(h, v);
      u                   = add(u, du);
      e                   = add(e, du);
      const double size   = tangential_norm(e) * k_T * area;
      if (size > mu * N)
        e = scale(mu * N / size, e);
      for (int c = 1; c < dim; ++c)
      {
        EXPECT_NEAR(mass.force[c], -k_T * area * e[c], 1e-9 * N);
        EXPECT_NEAR(mass.states.begin(0)[c], e[c], 1e-9 * u_elastic);
      }
      EXPECT_NEAR(mass.force[0], N, 1e-9 * N);
      if (std::abs(size - mu * N) > 1e-9 * mu * N)
      {
        EXPECT_EQ(mass.solution.status,
                  size > mu * N ? ContactStatus::slip : ContactStatus::stick);
      }
      // Trapezoids of the curve.
      for (int c = 1; c < dim; ++c)
        loop -= 0.5 * (before[c] + mass.force[c]) * du[c];
    }
  };
  go(8, 1.); // to the cone, exactly
  EXPECT_NEAR(tangential_norm(mass.force), mu * N, 1e-9 * N);
  EXPECT_NEAR(mass.all_sliding, 0., 1e-12 * N * u_elastic);
  go(12, 1.);
  EXPECT_NEAR(mass.all_sliding, mu * N * 12. * step, 1e-9 * N * u_elastic);
  // Unloading is elastic, with the slope of loading; no force is left at the
  // slip, not at zero.
  go(8, -1.);
  EXPECT_NEAR(tangential_norm(mass.force), 0., 1e-9 * N);
  EXPECT_NEAR(tangential_norm(u), 12. * step, 1e-9 * u_elastic);
  // A closed cycle from here: back to the other side and again.
  loop                 = 0.;
  const double sliding = mass.all_sliding, dissipated = mass.all_dissipated;
  go(20, -1.); // 8 elastic, 12 sliding
  go(28, 1.);  // 16 elastic, 12 sliding
  go(8, -1.);  // to zero force
  EXPECT_NEAR(mass.all_sliding - sliding, mu * N * 24. * step, 1e-9 * N);
  EXPECT_NEAR(loop, mu * N * 24. * step, 1e-9 * N * u_elastic);
  // What implicit springs lose beside: 1/2 k de^2 a step, 32 elastic ones.
  EXPECT_NEAR(mass.all_dissipated - dissipated,
              32. * 0.5 * k_T * area * step * step,
              1e-9 * N * u_elastic);
  EXPECT_GT(closed_at, 0.);
}


// A mass that bounces on its joint: 2 pi sqrt(m / (k A)), in both directions.
TYPED_TEST(ElasticJointTest, PeriodsAreThoseOfMassAndSpring)
{
  constexpr int dim = TypeParam::value;
  const double m = 2., gravity = 10.;
  for (const int c : { 0, dim - 1 })
  {
    MassOnGround<dim> mass(joint(), m, area);
    mass.start();
    const double k      = (c == 0 ? k_N : k_T) * area;
    const double period = 2. * M_PI * std::sqrt(m / k);
    const double h      = period / 2000.;
    LocalVector<dim> F{};
    F[0]      = -m * gravity;
    mass.q[0] = -m * gravity / (k_N * area); // at rest
    // Small enough neither to open nor to slide.
    mass.v[c]         = 0.1 * m * gravity / k * 2. * M_PI / period;
    const double rest = mass.q[c];
    double last       = 0.;
    unsigned int n    = 0;
    double before     = mass.q[c] - rest;
    while (n < 6 && mass.time < 20. * period)
    {
      mass.step(h, F);
      EXPECT_NE(mass.solution.status, ContactStatus::open);
      const double now = mass.q[c] - rest;
      if (before < 0. && now >= 0.)
      {
        const double crossing = mass.time - h * now / (now - before);
        if (n > 0)
        {
          EXPECT_NEAR(crossing - last, period, 1e-4 * period);
        }
        last = crossing;
        ++n;
      }
      before = now;
    }
    EXPECT_EQ(n, 6u);
  }
}


// Dropped, it rebounds: energy is that of the fall less what implicit Euler
// takes, and goes to it with h.
TYPED_TEST(ElasticJointTest, ReboundKeepsItsEnergyAsStepsGetSmaller)
{
  constexpr int dim = TypeParam::value;
  double lost[2];
  for (const unsigned int refined : { 0, 1 })
  {
    MassOnGround<dim> mass(joint(), 2., area);
    mass.start();
    const double omega = std::sqrt(k_N * area / 2.);
    const double h     = (refined ? 0.002 : 0.004) / omega;
    mass.q[0]          = 1e-3;
    mass.v[0]          = -1.;
    if (dim == 3)
      mass.v[1] = 0.3;
    bool touched       = false;
    double kinetic     = dot(mass.v, mass.v); // m / 2 = 1
    const double start = kinetic;
    while (mass.time < 10. / omega + 1e-2 && !(touched && mass.force[0] == 0.))
    {
      const LocalVector<dim> v = mass.v;
      mass.step(h, {});
      touched = touched || mass.force[0] > 0.;
      // The whole balance: kinetic energy, contact, implicit Euler's own loss.
      const LocalVector<dim> dv = subtract(mass.v, v);
      const double now          = dot(mass.v, mass.v);
      EXPECT_NEAR(now - kinetic + dot(dv, dv) + mass.work, 0., 1e-12);
      kinetic = now;
    }
    EXPECT_TRUE(touched);
    EXPECT_GT(mass.v[0], 0.9);
    EXPECT_EQ(mass.states.begin(0)[0], 0.);
    lost[refined] = start - kinetic - mass.all_sliding;
  }
  EXPECT_GT(lost[1], 0.);
  EXPECT_NEAR(lost[0] / lost[1], 2., 0.1);
}


TYPED_TEST(ElasticJointTest, WithoutTangentialStiffnessItIsRigidInShear)
{
  constexpr int dim               = TypeParam::value;
  ContactLawParameters parameters = joint();
  parameters.tangential_stiffness = 0.;
  MassOnGround<dim> mass(parameters, 2., area);
  mass.start();
  LocalVector<dim> F{};
  F[0]      = -20.;
  F[1]      = 7.9; // below mu N once it is pressed in
  mass.q[0] = -20. / (k_N * area);
  for (unsigned int i = 0; i < 50; ++i)
    mass.step(1e-3, F);
  EXPECT_NEAR(mass.force[1], -7.9, 1e-9);
  EXPECT_EQ(mass.q[1], 0.);
  EXPECT_EQ(mass.states.begin(0)[1], 0.);
}


// Bodies that turn together, and tangents that are chosen anew: the force in
// global axes is the same.
TEST(ElasticJoint, ForcesDoNotDependOnTheChoiceOfTangents)
{
  Random random(71);
  const double h = 0.01;
  MassOnGround<3> kept(joint(), driven, area), turned(joint(), driven, area);
  kept.start();
  turned.start();
  double angle = 0.; // of the tangents of `turned`
  for (unsigned int i = 0; i < 60; ++i)
  {
    const double more = random.uniform(-3., 3.);
    const double c = std::cos(more), s = std::sin(more);
    // Components in tangents that are turned by `more`.
    const LocalMatrix<3> Q = { { 1., 0., 0., 0., c, s, 0., -s, c } };
    turned.law->turn(Q, turned.states.begin(0));
    turned.states.revert();
    angle += more;
    LocalVector<3> v = { { i == 0 ? -2e-2 : 0.,
                           random.uniform(-1e-2, 1e-2),
                           random.uniform(-1e-2, 1e-2) } };
    kept.drive(h, v);
    const double C = std::cos(angle), S = std::sin(angle);
    turned.drive(h, { { v[0], C * v[1] + S * v[2], C * v[2] - S * v[1] } });
    const auto &R = turned.force;
    EXPECT_NEAR(kept.force[0], R[0], 1e-9 * 12.);
    EXPECT_NEAR(kept.force[1], C * R[1] - S * R[2], 1e-9 * 12.);
    EXPECT_NEAR(kept.force[2], S * R[1] + C * R[2], 1e-9 * 12.);
    EXPECT_NEAR(kept.stored, turned.stored, 1e-9 * kept.stored);
  }
}


TEST(ElasticJoint, FramesTurnWithTheirNormals)
{
  Random random(72);
  for (unsigned int i = 0; i < 100; ++i)
  {
    // A frame, the same turned by a small rotation about a tangent direction
    // (the shortest one for its normal), and tangents turned about the normal.
    const LocalMatrix<3> before = random_rotation<3>(random);
    const double tilt = random.uniform(0., 3.), phi = random.uniform(0., 6.);
    const double spin = random.uniform(0., 6.);
    // In the frame itself: normal tilted towards (0, cos phi, sin phi).
    const double a = std::cos(tilt), b = std::sin(tilt);
    const double p = std::cos(phi), q = std::sin(phi);
    // R = rotation in the plane of e_N and d = (0, p, q), rows of R^T:
    // turned e_N = a e_N + b d; turned d = -b e_N + a d; rest stays.
    const double n[3] = { a, b * p, b * q };
    const double d[3] = { -b, a * p, a * q };
    const double r[3] = { 0., -q, p };
    // e_T = p d - q r, e_S = q d + p r.
    LocalMatrix<3> local;
    for (int k = 0; k < 3; ++k)
    {
      local[k]     = n[k];
      local[3 + k] = p * d[k] - q * r[k];
      local[6 + k] = q * d[k] + p * r[k];
    }
    LocalMatrix<3> carried = matrix_product<3>(local, before), after = carried;
    const double c = std::cos(spin), s = std::sin(spin);
    for (int k = 0; k < 3; ++k)
    {
      after[3 + k] = c * carried[3 + k] + s * carried[6 + k];
      after[6 + k] = c * carried[6 + k] - s * carried[3 + k];
    }
    const LocalMatrix<3> Q        = frame_turn<3>(before, after);
    const LocalMatrix<3> expected = { { 1., 0., 0., 0., c, s, 0., -s, c } };
    for (int k = 0; k < 9; ++k)
      EXPECT_NEAR(Q[k], expected[k], 1e-10) << tilt;
  }
  const LocalMatrix<2> first  = random_rotation<2>(random),
                       second = random_rotation<2>(random);
  EXPECT_EQ(frame_turn<2>(first, second), identity_matrix<2>());
}


TEST(ElasticJoint, NonsenseIsRefused)
{
  for (const double value : { 0., -1., std::nan("") })
  {
    ContactLawParameters parameters = joint();
    parameters.normal_stiffness     = value;
    EXPECT_THROW(make_contact_law<2>(parameters), InputError);
    parameters                      = joint();
    parameters.tangential_stiffness = value;
    if (value != 0.)
    {
      EXPECT_THROW(make_contact_law<2>(parameters), InputError);
    }
  }
  // No area, no force.
  const auto law = make_contact_law<2>(joint());
  CandidateState<2> candidate;
  candidate.h         = 0.1;
  const double zero[] = { 0., 0. };
  EXPECT_FALSE(law->prepare(candidate, zero, zero).active);
}
