// Translations, driven motions, springs, dashpots, pendulums, resumed runs.
#include "bodies.h"

#include <boost/math/special_functions/ellint_1.hpp>

using namespace test;

TEST(Rotations, ExponentialAndLogarithm)
{
  for (const auto &psi : { Tensor<1, 3>({ 0.3, -1.1, 0.7 }),
                           Tensor<1, 3>({ 1e-9, 2e-9, -1e-9 }),
                           Tensor<1, 3>({ 0., 3.1, 0. }),
                           Tensor<1, 3>({ 0., 0., 0. }),
                           Tensor<1, 3>({ 4., -9., 7. }) })
  {
    const auto R = Rotation<3>::exp(psi);
    // Rodrigues' formula.
    const double a = psi.norm();
    Tensor<2, 3> expected;
    const auto X = cross_matrix<3>(psi);
    for (unsigned int i = 0; i < 3; ++i)
      expected[i][i] = 1.;
    if (a > 0.)
      expected += std::sin(a) / a * X +
                  0.5 * std::pow(std::sin(0.5 * a) / (0.5 * a), 2) * (X * X);
    EXPECT_LE((R.matrix() - expected).norm(), 1e-14);
    EXPECT_LE((R.log(psi) - psi).norm(), 1e-14 * (1. + a));
    EXPECT_LE(((R * R.inverse()).matrix() - Rotation<3>().matrix()).norm(),
              1e-14);
    // D delta, by differences.
    const Tensor<1, 3> delta({ 0.2, 0.5, -0.3 });
    const double e = 1e-5;
    const Tensor<1, 3> zero;
    const Tensor<1, 3> turn = (Rotation<3>::exp(psi + e * delta) *
                               Rotation<3>::exp(psi - e * delta).inverse())
                                  .log(zero) /
                              (2. * e);
    EXPECT_LE((turn - Rotation<3>::derivative(psi) * delta).norm(), 1e-9);
  }
  // Two pieces of code for the same number.
  const Tensor<1, 3> below({ 0.09999999, 0., 0. }),
      above({ 0.1000001, 0., 0. });
  EXPECT_LE(
      (Rotation<3>::derivative(below) - Rotation<3>::derivative(above)).norm(),
      1e-7);
  // In the plane the angle counts turns.
  const auto R = Rotation<2>::exp(Tensor<1, 1>({ 5. }));
  EXPECT_EQ((R * R).log(Tensor<1, 1>())[0], 10.);
  EXPECT_NEAR(R.matrix()[0][1], -std::sin(5.), 1e-15);
}

TEST(Motion, FreeFall)
{
  // Velocities are exact for any theta, places for theta = 1/2.
  for (const double theta : { 0.5, 0.8, 1. })
  {
    auto s             = free_top(Tensor<1, 3>({ 1., 2., 2.5 }), 3.);
    s.velocity         = Tensor<1, 3>({ 1., 2., 3. });
    s.gravity          = Tensor<1, 3>({ 0., 0., -10. });
    s.angular_velocity = Tensor<1, 3>({ 0., 0., 2. });
    s.theta            = theta;
    RigidBody<3> body(s);
    const double h = 0.01;
    Energies energies;
    energies.before = body.kinetic_energy();
    for (unsigned int i = 0; i < 100; ++i)
      energies.add(step(body, i * h, h));
    const auto &v = body.velocity(Where<3>::start);
    const auto &x = body.position(Where<3>::start);
    EXPECT_NEAR(v[2], 3. - 10., 1e-12);
    EXPECT_NEAR(x[0], 1., 1e-13);
    EXPECT_NEAR(x[2], 3. - 5. - 10. * (theta - 0.5) * h, 1e-12);
    EXPECT_NEAR(
        body.rotation(Where<3>::start).log(Tensor<1, 3>({ 0., 0., 2. }))[2],
        2.,
        1e-12);
    EXPECT_LE(energies.largest_residual, 1e-13 * energies.size);
  }
}

TEST(Motion, LoadsAreTakenAtTheta)
{
  // F = t in the plane: v = t^2 / 2 exactly for theta = 1/2.
  auto s   = free_disk(2., 0.5);
  s.force  = Expression<2>("4*t; 0", 2);
  s.torque = Expression<2>("3*t", 1);
  s.theta  = 0.5;
  RigidBody<2> body(s);
  for (unsigned int i = 0; i < 50; ++i)
    step(body, 0.02 * i, 0.02);
  EXPECT_NEAR(body.velocity(Where<2>::start)[0], 1., 1e-13);
  EXPECT_NEAR(body.velocity(Where<2>::start)[2], 3., 1e-13);
}

TEST(Motion, DrivenRotationIsExact)
{
  // A tool: angle about an oblique axis through a pivot that is displaced too.
  const Tensor<1, 3> axis({ 2. / 3., -1. / 3., 2. / 3. });
  for (const double theta : { 0.5, 1. })
  {
    RigidBodySettings<3> s;
    s.reference = Point<3>(1., 2., 3.);
    s.theta     = theta;
    s.driven = driving<3>("sin(t); t^2; 0", "", "90*t + 20*sin(3*t)", "", axis);
    RigidBody<3> body(s);
    EXPECT_FALSE(body.is_free());
    const double h = 0.013;
    for (unsigned int i = 0; i < 100; ++i)
    {
      const auto terms = step(body, i * h, h);
      const double t   = (i + 1) * h;
      const double a   = (90. * t + 20. * std::sin(3. * t)) * pi / 180.;
      EXPECT_LE((body.rotation(Where<3>::start).matrix() -
                 Rotation<3>::exp(a * axis).matrix())
                    .norm(),
                1e-14);
      EXPECT_LE((body.position(Where<3>::start) -
                 Point<3>(1. + std::sin(t), 2. + t * t, 3.))
                    .norm(),
                1e-14);
      EXPECT_EQ(terms.kinetic, 0.);
      // Velocities are the mean ones of [t_m, t_m + h].
      const double t_m = i * h + (1. - theta) * h;
      EXPECT_NEAR(body.velocity(Where<3>::start)[0],
                  (std::sin(t_m + h) - std::sin(t_m)) / h,
                  1e-12);
    }
  }
}

TEST(Motion, DrivenAngularVelocity)
{
  // About one axis its integral, exactly; about a turning axis to second order.
  RigidBodySettings<3> s;
  s.theta  = 0.5;
  s.driven = driving<3>("", "0; 3*t^2; 0", "", "0; 5*t^4; 0", Tensor<1, 3>());
  RigidBody<3> body(s);
  for (unsigned int i = 0; i < 100; ++i)
    step(body, 0.01 * i, 0.01);
  EXPECT_LE((body.rotation(Where<3>::start).matrix() -
             Rotation<3>::exp(Tensor<1, 3>({ 0., 1., 0. })).matrix())
                .norm(),
            1e-14);
  EXPECT_NEAR(body.position(Where<3>::start)[1], 1., 1e-14);

  // omega = (cos t, sin t, 0): in axes that turn with it a constant rotation.
  std::array<double, 3> error;
  for (unsigned int k = 0; k < 3; ++k)
  {
    const double h = 0.05 / (1 << k);
    s.driven = driving<3>("", "", "", "cos(t); sin(t); 0", Tensor<1, 3>(), h);
    RigidBody<3> turning(s);
    for (unsigned int i = 0; i < std::lround(2. / h); ++i)
      step(turning, i * h, h);
    const auto exact = Rotation<3>::exp(Tensor<1, 3>({ 0., 0., 2. })) *
                       Rotation<3>::exp(Tensor<1, 3>({ 2., 0., -2. }));
    error[k] =
        (turning.rotation(Where<3>::start).matrix() - exact.matrix()).norm();
  }
  EXPECT_NEAR(error[0] / error[1], 4., 0.2);
  EXPECT_NEAR(error[1] / error[2], 4., 0.1);
}

TEST(Motion, FreeAndDrivenComponentsTogether)
{
  // A wheel spun by its drive about x falls in z: the drive's work is the
  // change of the energy of rotation.
  auto s              = free_top(Tensor<1, 3>({ 2., 1.5, 1. }), 4.);
  s.free_axes         = {};
  s.free_translations = { { false, false, true } };
  s.gravity           = Tensor<1, 3>({ 0., 0., -10. });
  s.driven = driving<3>("t^2; 0; 0", "", "", "10*t; 0; 0", Tensor<1, 3>());
  for (const double theta : { 0.5, 1. })
  {
    s.theta = theta;
    RigidBody<3> body(s);
    Energies energies;
    const double h = 0.01;
    double driven  = 0.;
    body.start_driven(h);
    energies.before = body.kinetic_energy();
    for (unsigned int i = 0; i < 100; ++i)
    {
      const auto terms = step(body, i * h, h);
      energies.add(terms);
      driven += terms.driven;
      EXPECT_NEAR(
          terms.driven, terms.kinetic - energies.before + terms.driven, 1e-12);
    }
    EXPECT_LE(energies.largest_residual, 1e-13 * energies.size);
    EXPECT_NEAR(body.position(Where<3>::start)[0], 1., 1e-14);
    EXPECT_NEAR(body.velocity(Where<3>::start)[2], -10., 1e-12);
    EXPECT_NEAR(driven, 0.5 * 2. * 100. + 0.5 * 4. * 4., 0.03 * driven);
  }
}

TEST(Motion, ThetaSchemeOfSpringsAndDashpots)
{
  // One oscillator in x, one about z: |lambda|^2 of the theta-scheme, and the
  // identity of energies.
  for (const double theta : { 0.5, 0.55, 1. })
  {
    auto s                 = free_disk(2., 0.5);
    s.stiffness[0]         = 2.;
    s.rotational_stiffness = 0.5;
    s.velocity[0]          = 1.;
    s.angular_velocity[0]  = 1.;
    s.theta                = theta;
    RigidBody<2> body(s);
    Energies energies;
    energies.before      = body.kinetic_energy();
    const double h       = 0.1;
    const double lambda2 = (1. + (1. - theta) * (1. - theta) * h * h) /
                           (1. + theta * theta * h * h);
    double e_before = body.kinetic_energy();
    for (unsigned int i = 0; i < 40; ++i)
    {
      const auto terms = step(body, i * h, h);
      energies.add(terms);
      EXPECT_NEAR(
          terms.kinetic + terms.elastic, lambda2 * e_before, 1e-13 * e_before);
      e_before = terms.kinetic + terms.elastic;
    }
    EXPECT_LE(energies.largest_residual, 1e-14 * energies.size);
    EXPECT_NEAR(body.position(Where<2>::start)[0],
                body.rotation(Where<2>::start).q[0],
                1e-12);
  }
  // The step by hand, with a dashpot.
  auto s         = free_disk(2., 0.5);
  s.stiffness[0] = 3.;
  s.damping[0]   = 0.7;
  s.velocity[0]  = 1.;
  s.theta        = 0.6;
  RigidBody<2> body(s);
  const auto terms = step(body, 0., 0.1);
  const double w   = 1. / (2. + 0.1 * 0.6 * 0.7 + 0.01 * 0.36 * 3.);
  const double v   = 1. + w * (-0.1 * 0.7 - 0.1 * 3. * 0.6 * 0.1);
  EXPECT_NEAR(body.velocity(Where<2>::start)[0], v, 1e-15);
  const double v_theta = 0.6 * v + 0.4;
  EXPECT_NEAR(terms.damping, 0.1 * 0.7 * v_theta * v_theta, 1e-15);
}

TEST(Motion, RotationalSpringInSpace)
{
  // A sphere on a torsional spring turns about one axis as the oscillator, far
  // beyond half a turn; and with an asymmetric body energy is balanced.
  auto s                 = free_top(Tensor<1, 3>({ 1., 1., 1. }));
  s.rotational_stiffness = 1.;
  s.theta                = 0.5;
  const Tensor<1, 3> axis({ 2. / 3., -1. / 3., 2. / 3. });
  s.angular_velocity = 9. * axis;
  RigidBody<3> body(s);
  const double h = 1e-3;
  double largest = 0.;
  for (unsigned int i = 0; i < 1571; ++i)
  {
    const auto terms = step(body, i * h, h);
    largest          = std::max(largest, terms.elastic);
  }
  EXPECT_NEAR(largest, 40.5, 1e-4);
  EXPECT_NEAR(omega(body).norm(), 0., 5e-3);

  s                      = free_top(Tensor<1, 3>({ 1., 2., 2.7 }));
  s.rotational_stiffness = 3.;
  s.rotational_damping   = 0.2;
  s.angular_velocity     = Tensor<1, 3>({ 1., 0.5, -0.4 });
  for (const double theta : { 0.5, 1. })
  {
    s.theta = theta;
    RigidBody<3> asymmetric(s);
    Energies energies;
    energies.before = asymmetric.kinetic_energy();
    const double e0 = energies.before;
    for (unsigned int i = 0; i < 2000; ++i)
      energies.add(step(asymmetric, 0.02 * i, 0.02));
    EXPECT_LE(energies.largest_residual, 1e-13 * energies.size);
    EXPECT_LE(energies.before, 0.05 * e0);
  }
}

TEST(Motion, PendulumInPlaneAndSpace)
{
  // A bar on a hinge let go at 120 degrees: a quarter of the period is
  // K(sin(60 degrees)) / omega, to second order; in the plane and, about an
  // oblique axis, in space alike.
  const double m = 2., g = 9.81, l = 0.5, J = 0.3;
  const double w0      = std::sqrt(m * g * l / (J + m * l * l));
  const double quarter = boost::math::ellint_1(std::sin(pi / 3.)) / w0;
  std::array<double, 2> error;
  for (unsigned int k = 0; k < 2; ++k)
  {
    const unsigned int n = 200u << k;
    const double h       = quarter / n;
    auto s               = free_disk(m, J);
    s.free_translations  = { { false, false } };
    s.mass.center        = Point<2>(1., 2. - l);
    s.reference          = Point<2>(1., 2.);
    s.gravity            = Tensor<1, 2>({ 0., -g });
    s.orientation        = Tensor<1, 1>({ 2. * pi / 3. });
    s.theta              = 0.5;
    RigidBody<2> plane(s);

    // Axes (u, v, a) in place of (x, y, z).
    const Tensor<1, 3> a({ 2. / 3., -1. / 3., 2. / 3. }),
        u({ 1. / std::sqrt(2.), 0., -1. / std::sqrt(2.) });
    const Tensor<1, 3> v = cross_product_3d(a, u);
    auto s3              = free_top(Tensor<1, 3>({ J, J, J }), m);
    s3.free_translations = { { false, false, false } };
    s3.free_axes         = { a };
    s3.mass.center       = Point<3>(-l * v);
    s3.gravity           = -g * v;
    s3.orientation       = 2. * pi / 3. * a;
    s3.theta             = 0.5;
    RigidBody<3> space(s3);
    Energies energies;
    for (unsigned int i = 0; i < n; ++i)
    {
      energies.add(step(plane, i * h, h));
      step(space, i * h, h);
    }
    error[k] = plane.rotation(Where<2>::start).q[0];
    EXPECT_LE(energies.largest_residual, 1e-13 * energies.size);
    EXPECT_NEAR(omega(space) * a, omega(plane)[0], 1e-10);
    EXPECT_LE((omega(space) - (omega(space) * a) * a).norm(), 1e-13);
    // Energy: m g l (1 - cos 120).
    EXPECT_NEAR(0.5 * (J + m * l * l) * std::pow(omega(plane)[0], 2),
                1.5 * m * g * l,
                1e-3);
  }
  EXPECT_NEAR(error[0] / error[1], 4., 0.2);
  EXPECT_LE(std::abs(error[1]), 1e-4);
}

TEST(Motion, PendulumOnAMovingHinge)
{
  // Small swings of a pendulum whose hinge is shaken, x = a sin(O t), against
  // the oscillator phi'' + w0^2 phi = -(m l / J) x''; and energy.
  const double m = 2., g = 9.81, l = 0.5, J = 0.3;
  const double Jo = J + m * l * l, w02 = m * g * l / Jo, O = 7.;
  auto s              = free_disk(m, J);
  s.free_translations = { { false, false } };
  s.mass.center       = Point<2>(0., -l);
  s.gravity           = Tensor<1, 2>({ 0., -g });
  s.theta             = 0.5;
  const double a      = 1e-5;
  s.driven = driving<2>("1e-5*sin(7*t); 0", "", "", "", Tensor<1, 1>());
  // phi = A sin(O t) if it starts so.
  const double A        = m * l / Jo * a * O * O / (w02 - O * O);
  s.angular_velocity[0] = A * O;
  RigidBody<2> body(s);
  Energies energies;
  const double h = 1e-3;
  double worst   = 0.;
  body.start_driven(h);
  energies.before = body.kinetic_energy();
  for (unsigned int i = 0; i < 2000; ++i)
  {
    energies.add(step(body, i * h, h));
    worst = std::max(worst,
                     std::abs(body.rotation(Where<2>::start).q[0] -
                              A * std::sin(O * (i + 1) * h)));
  }
  EXPECT_LE(worst, 0.02 * std::abs(A));
  EXPECT_LE(energies.largest_residual, 1e-12 * energies.size);
}

TEST(Motion, OnlyOneRotationIsFree)
{
  // An asymmetric body on an axle that is no principal axis: it turns evenly,
  // and the bearings take the moments.
  auto s = free_top(Tensor<1, 3>({ 1., 2., 2.7 }));
  const Tensor<1, 3> a({ 0.6, 0.8, 0. });
  s.free_axes        = { a };
  s.angular_velocity = 3. * a;
  s.theta            = 0.5;
  RigidBody<3> body(s);
  for (unsigned int i = 0; i < 100; ++i)
  {
    step(body, 0.01 * i, 0.01);
    EXPECT_LE((omega(body) - 3. * a).norm(), 1e-12);
  }
}

TEST(Motion, ResumesBitForBit)
{
  auto s                 = free_top(Tensor<1, 3>({ 1., 2., 2.7 }), 2.);
  s.angular_velocity     = Tensor<1, 3>({ 1., 0.5, -0.4 });
  s.velocity             = Tensor<1, 3>({ 0.1, 0.2, 0.3 });
  s.rotational_stiffness = 0.3;
  s.stiffness            = Tensor<1, 3>({ 1., 0., 2. });
  s.free_translations[1] = false;
  s.driven = driving<3>("0; sin(t); 0", "", "", "", Tensor<1, 3>());
  s.theta  = 0.5;
  RigidBody<3> one(s), two(s);
  for (unsigned int i = 0; i < 20; ++i)
    step(one, 0.05 * i, 0.05);
  Archive save;
  one.archive(save);
  Archive load(save.bytes(), "test");
  two.archive(load);
  load.expect_end();
  for (unsigned int i = 20; i < 40; ++i)
  {
    const auto a = step(one, 0.05 * i, 0.05), b = step(two, 0.05 * i, 0.05);
    EXPECT_EQ(a.values(), b.values());
  }
  EXPECT_EQ(one.velocity(Where<3>::start), two.velocity(Where<3>::start));
  EXPECT_EQ(one.position(Where<3>::start), two.position(Where<3>::start));
  EXPECT_EQ(one.rotation(Where<3>::start).q, two.rotation(Where<3>::start).q);
}

TEST(Motion, RevertGoesBack)
{
  auto s             = free_top(Tensor<1, 3>({ 1., 2., 2.7 }), 2.);
  s.angular_velocity = Tensor<1, 3>({ 1., 0.5, -0.4 });
  RigidBody<3> one(s), two(s);
  // A step that is not accepted, then a shorter one.
  one.begin_step(0., 0.5);
  one.update_inverse();
  one.find_free_velocity();
  RigidBody<3>::Velocity r;
  r[4] = 1.;
  one.correct(r);
  one.revert();
  EXPECT_EQ(one.rotation(Where<3>::end).q, one.rotation(Where<3>::start).q);
  EXPECT_EQ(step(one, 0., 0.1).values(), step(two, 0., 0.1).values());
}

namespace
{
/// One quasi-static step without contact; the number of rounds.
template <int dim>
unsigned int balance(RigidBody<dim> &body, const double t, const double h)
{
  body.begin_step(t, h);
  double omega = 1.;
  for (unsigned int k = 0; k < 200; ++k)
  {
    body.update_inverse();
    if (k > 0)
    {
      // Aitken's secant.
      const auto look = body.look_at_center();
      if (k > 1 && look.change_times_change > 0.)
        omega *= -look.old_times_change / look.change_times_change;
      body.move_center(omega);
    }
    EXPECT_TRUE(body.find_free_velocity());
    body.correct(typename RigidBody<dim>::Velocity());
    const auto norms = body.norms();
    if (norms[0] <= 1e-11 * norms[1])
      return k;
  }
  ADD_FAILURE() << "no balance";
  return 200;
}
} // namespace

TEST(Motion, QuasiStaticSprings)
{
  // No mass: springs balance the loads, whatever the fictitious mass.
  for (const double fictitious : { 0.01, 1., 100. })
  {
    auto s                 = free_disk(0., 0.);
    s.quasi_static         = true;
    s.stiffness            = Tensor<1, 2>({ 5., 2. });
    s.rotational_stiffness = 3.;
    s.force                = Expression<2>("10*t; 2*t", 2);
    s.torque               = Expression<2>("6*t", 1);
    RigidBody<2> body(s);
    body.set_fictitious(fictitious, fictitious);
    const Tensor<1, 3> axis({ 2. / 3., -1. / 3., 2. / 3. });
    auto s3                 = free_top(Tensor<1, 3>(), 0.);
    s3.quasi_static         = true;
    s3.stiffness            = Tensor<1, 3>({ 1., 1., 1. });
    s3.rotational_stiffness = 3.;
    s3.torque               = Expression<3>("4*t; -2*t; 4*t", 3);
    RigidBody<3> space(s3);
    space.set_fictitious(fictitious, fictitious);
    Energies energies;
    for (unsigned int i = 0; i < 4; ++i)
    {
      const double h = 0.25, t = (i + 1) * h;
      balance(body, i * h, h);
      energies.add(body.accept());
      EXPECT_NEAR(body.position(Where<2>::start)[0], 2. * t, 1e-9);
      EXPECT_NEAR(body.rotation(Where<2>::start).q[0], 2. * t, 1e-9);
      balance(space, i * h, h);
      space.accept();
      EXPECT_LE(
          (space.rotation(Where<3>::start).log(Tensor<1, 3>()) - 2. * t * axis)
              .norm(),
          1e-9);
    }
    EXPECT_EQ(body.kinetic_energy(), 0.);
    EXPECT_LE(energies.largest_residual, 1e-9 * energies.size);
  }
}
