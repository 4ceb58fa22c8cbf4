// Rotations in space: tops without and with moments, against exact solutions.
#include "bodies.h"

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

using namespace test;

namespace
{
/// Euler's top in body axes, J1 < J2 < J3, with the intermediate component zero
/// at the start; 2E J2 < L^2 (about the axis of the largest moment) or more.
struct EulerTop
{
  Tensor<1, 3> J, start;

  Tensor<1, 3> omega(const double t) const
  {
    const double E2 = J[0] * start[0] * start[0] + J[2] * start[2] * start[2];
    const double L2 =
        J[0] * J[0] * start[0] * start[0] + J[2] * J[2] * start[2] * start[2];
    double I1 = J[0], I2 = J[1], I3 = J[2];
    const bool about_largest = L2 > E2 * J[1];
    if (!about_largest)
      std::swap(I1, I3);
    // omega_2 = -+ a_2 sn, the sign by Euler's equation J2 w2' = (J3-J1) w1 w3.
    const double a1 = std::sqrt((E2 * I3 - L2) / (I1 * (I3 - I1)));
    const double a2 = std::sqrt((E2 * I3 - L2) / (I2 * (I3 - I2)));
    const double a3 = std::sqrt((L2 - E2 * I1) / (I3 * (I3 - I1)));
    const double p  = std::sqrt((L2 - E2 * I1) * (I3 - I2) / (I1 * I2 * I3));
    const double k =
        std::sqrt((I2 - I1) * (E2 * I3 - L2) / ((I3 - I2) * (L2 - E2 * I1)));
    double cn, dn;
    const double sn   = boost::math::jacobi_elliptic(k, p * t, &cn, &dn);
    const double s1   = start[about_largest ? 0 : 2] < 0. ? -1. : 1.,
                 s3   = start[about_largest ? 2 : 0] < 0. ? -1. : 1.;
    const double rate = (J[2] - J[0]) * start[0] * start[2] / J[1];
    Tensor<1, 3> w;
    w[about_largest ? 0 : 2] = s1 * a1 * cn;
    w[1]                     = (rate > 0. ? 1. : -1.) * a2 * sn;
    w[about_largest ? 2 : 0] = s3 * a3 * dn;
    return w;
  }
};

struct TopError
{
  double omega, momentum, energy, largest_energy;
};

TopError run_top(const EulerTop &top,
                 const double theta,
                 const double h,
                 const double end)
{
  auto s             = free_top(top.J);
  s.angular_velocity = top.start;
  s.theta            = theta;
  // In any orientation.
  s.orientation      = Tensor<1, 3>({ 0.3, -1.1, 0.7 });
  const auto R0      = Rotation<3>::exp(s.orientation).matrix();
  s.angular_velocity = R0 * top.start;
  RigidBody<3> body(s);
  const auto L0   = body.angular_momentum(Where<3>::start);
  const double E0 = body.kinetic_energy();
  TopError error  = {};
  Energies energies;
  energies.before      = E0;
  const unsigned int n = std::lround(end / h);
  for (unsigned int i = 0; i < n; ++i)
  {
    energies.add(step(body, i * h, h));
    const auto R               = body.rotation(Where<3>::start).matrix();
    const Tensor<1, 3> in_body = transpose(R) * omega(body);
    error.omega =
        std::max(error.omega, (in_body - top.omega((i + 1) * h)).norm());
    error.momentum = std::max(
        error.momentum,
        (body.angular_momentum(Where<3>::start) - L0).norm() / L0.norm());
    error.energy = body.kinetic_energy() / E0 - 1.;
    error.largest_energy =
        std::max(error.largest_energy, std::abs(error.energy));
  }
  EXPECT_LE(energies.largest_residual, 1e-12 * energies.size);
  return error;
}
} // namespace

TEST(Tops, EllipticFunctionsSolveEulersEquations)
{
  for (const auto &start : { Tensor<1, 3>({ 0.4, 0., 1. }),
                             Tensor<1, 3>({ 1., 0., 0.2 }),
                             Tensor<1, 3>({ -1., 0., 0.2 }) })
  {
    const EulerTop top = { Tensor<1, 3>({ 1., 2., 2.7 }), start };
    EXPECT_LE((top.omega(0.) - start).norm(), 1e-14);
    for (const double t : { 0.3, 2., 7. })
    {
      const double d = 1e-4;
      const auto w   = top.omega(t);
      const Tensor<1, 3> rate =
          (8. * (top.omega(t + d) - top.omega(t - d)) -
           (top.omega(t + 2. * d) - top.omega(t - 2. * d))) /
          (12. * d);
      for (unsigned int c = 0; c < 3; ++c)
      {
        const unsigned int a = (c + 1) % 3, b = (c + 2) % 3;
        EXPECT_NEAR(
            top.J[c] * rate[c], (top.J[a] - top.J[b]) * w[a] * w[b], 1e-9);
      }
    }
  }
}

TEST(Tops, AsymmetricWithoutMoments)
{
  for (const auto &start :
       { Tensor<1, 3>({ 0.4, 0., 1. }), Tensor<1, 3>({ 1., 0., 0.2 }) })
  {
    const EulerTop top = { Tensor<1, 3>({ 1., 2., 2.7 }), start };
    for (const double theta : { 1., 0.5 })
    {
      std::array<TopError, 3> e;
      for (unsigned int k = 0; k < 3; ++k)
        e[k] = run_top(top, theta, 0.02 / (1 << k), 8.);
      const double expected = theta == 1. ? 2. : 4.;
      EXPECT_NEAR(e[0].omega / e[1].omega, expected, 0.1 * expected) << theta;
      EXPECT_NEAR(e[1].omega / e[2].omega, expected, 0.05 * expected) << theta;
      for (const auto &error : e)
        EXPECT_LE(error.momentum, 2e-12) << theta;
      EXPECT_LE(e[2].omega, theta == 1. ? 2e-2 : 1e-4);
      if (theta == 1.)
      {
        // Implicit Euler loses energy, in proportion to h.
        EXPECT_LT(e[2].energy, 0.);
        EXPECT_NEAR(e[1].energy / e[2].energy, 2., 0.1);
      }
      RecordProperty("omega_" + std::to_string(theta) + "_" +
                         std::to_string(start[0]),
                     std::to_string(e[2].omega));
      std::cout << "theta " << theta << ": error of omega " << e[0].omega << " "
                << e[1].omega << " " << e[2].omega << ", energy " << e[2].energy
                << ", momentum " << e[2].momentum << '\n';
    }
  }
}

TEST(Tops, MidpointEnergyDoesNotDrift)
{
  // Symmetric in time: energy comes back, over some hundred turns of the
  // unstable axis too.
  const EulerTop top = { Tensor<1, 3>({ 1., 2., 2.7 }),
                         Tensor<1, 3>({ 0.05, 0., 1. }) };
  const auto some    = run_top(top, 0.5, 0.05, 50.);
  const auto more    = run_top(top, 0.5, 0.05, 1000.);
  EXPECT_LE(more.largest_energy, 1.05 * some.largest_energy);
  EXPECT_LE(more.largest_energy, 1e-4);
  EXPECT_LE(more.momentum, 1e-11);
  std::cout << "largest change of energy " << some.largest_energy
            << " after 50, " << more.largest_energy << " after 1000\n";
}

TEST(Tops, StepsThatTurnFar)
{
  // One radian a step: the equations are solved, momentum stays.
  const EulerTop top = { Tensor<1, 3>({ 1., 2., 2.7 }),
                         Tensor<1, 3>({ 0.4, 0., 1. }) };
  for (const double theta : { 0.5, 0.7, 1. })
    EXPECT_LE(run_top(top, theta, 0.9, 90.).momentum, 1e-11) << theta;
}

TEST(Tops, ImplicitEulerEndsAboutTheLargestMoment)
{
  // What it dissipates is energy that momentum allows: the end is the rotation
  // about the axis of the largest moment.
  auto s             = free_top(Tensor<1, 3>({ 1., 2., 2.7 }));
  s.angular_velocity = Tensor<1, 3>({ 1., 0.1, 0.1 });
  RigidBody<3> body(s);
  const auto L  = body.angular_momentum(Where<3>::start);
  double before = body.kinetic_energy();
  for (unsigned int i = 0; i < 4000; ++i)
  {
    step(body, 0.2 * i, 0.2);
    EXPECT_LE(body.kinetic_energy(), before * (1. + 1e-13));
    before = body.kinetic_energy();
  }
  EXPECT_NEAR(before, 0.5 * (L * L) / 2.7, 1e-6 * before);
}

TEST(Tops, LossOfImplicitEuler)
{
  // (h^2/2) |omega x L|^2 in the norm of J^-1, as h goes to zero.
  auto s             = free_top(Tensor<1, 3>({ 1., 2., 2.7 }));
  s.angular_velocity = Tensor<1, 3>({ 1., 0.6, 0.8 });
  const Tensor<1, 3> L({ 1., 1.2, 2.16 });
  const auto moment = cross_product_3d(s.angular_velocity, L);
  const double rate =
      0.5 * (moment[0] * moment[0] + moment[1] * moment[1] / 2. +
             moment[2] * moment[2] / 2.7);
  const double h = 1e-4;
  RigidBody<3> body(s);
  const double before = body.kinetic_energy();
  const auto terms    = step(body, 0., h);
  EXPECT_NEAR(terms.numerical / (h * h * rate), 1., 1e-3);
  EXPECT_NEAR((before - terms.kinetic) / (h * h * rate), 1., 1e-3);
}

TEST(Tops, HeavySymmetricTop)
{
  // A top that stands on its tip under gravity, at the angle beta, in regular
  // precession: J1 cos(beta) O^2 - J3 w3 O + m g l = 0, slow and fast.
  const double m = 0.5, g = 9.81, l = 0.04, J1c = 2e-4, J3 = 1.5e-4;
  const double J1 = J1c + m * l * l, w3 = 250., beta = 0.6;
  for (const bool fast : { false, true })
  {
    const double a = J1 * std::cos(beta), b = J3 * w3, c = m * g * l;
    const double root = std::sqrt(b * b - 4. * a * c);
    // Without cancellation.
    const double rate   = fast ? (b + root) / (2. * a) : 2. * c / (b + root);
    auto s              = free_top(Tensor<1, 3>({ J1c, J1c, J3 }), m);
    s.free_translations = { { false, false, false } };
    s.mass.center       = Point<3>(0., 0., l);
    s.gravity           = Tensor<1, 3>({ 0., 0., -g });
    s.orientation       = Tensor<1, 3>({ 0., beta, 0. });
    const Tensor<1, 3> axis({ std::sin(beta), 0., std::cos(beta) });
    const Tensor<1, 3> z({ 0., 0., 1. });
    // Spin about the axis and precession about z, together w3 along the axis.
    s.angular_velocity = rate * z + (w3 - rate * std::cos(beta)) * axis;
    for (const double theta : { 0.5, 1. })
    {
      s.theta          = theta;
      double previous  = 0.;
      const double end = 0.5 * 2. * pi / rate;
      for (unsigned int k = 0; k < 3; ++k)
      {
        const unsigned int n = (fast ? 400 : 4000) << k;
        const double h       = end / n;
        RigidBody<3> body(s);
        const double Lz = body.angular_momentum(Where<3>::start)[2];
        Energies energies;
        energies.before = body.kinetic_energy();
        for (unsigned int i = 0; i < n; ++i)
          energies.add(step(body, i * h, h));
        // After half a turn the axis is on the other side.
        const auto R = body.rotation(Where<3>::start).matrix();
        const double error =
            (R * z - Tensor<1, 3>({ -std::sin(beta), 0., std::cos(beta) }))
                .norm();
        EXPECT_NEAR(body.angular_momentum(Where<3>::start)[2],
                    Lz,
                    1e-11 * std::abs(Lz));
        EXPECT_LE(energies.largest_residual, 1e-11 * energies.size);
        if (k == 2)
        {
          EXPECT_NEAR(
              previous / error, theta == 1. ? 2. : 4., theta == 1. ? 0.3 : 0.4)
              << fast << ' ' << theta;
          EXPECT_LE(error, theta == 1. ? 0.2 : 2e-3);
          std::cout << (fast ? "fast" : "slow") << " precession " << rate
                    << ", theta " << theta << ": error " << error << '\n';
        }
        previous = error;
      }
    }
  }
}
