#pragma once

#include <delassus/rigid_bodies/rigid_body.h>

#include <gtest/gtest.h>

#include <cmath>

namespace test
{
using namespace delassus;
using dealii::Point;
using dealii::Tensor;
constexpr double pi = dealii::numbers::PI;

template <int dim>
using Where = typename RigidBody<dim>::Configuration;

/// A body with these principal moments along x, y, z, all free.
inline RigidBodySettings<3> free_top(const Tensor<1, 3> &principal,
                                     const double mass = 1.)
{
  RigidBodySettings<3> s;
  s.mass.mass = mass;
  for (unsigned int c = 0; c < 3; ++c)
  {
    s.mass.inertia[c][c] = principal[c];
    Tensor<1, 3> e;
    e[c] = 1.;
    s.free_axes.push_back(e);
  }
  s.free_translations = { { true, true, true } };
  return s;
}

/// A body in the plane, all free.
inline RigidBodySettings<2> free_disk(const double mass, const double inertia)
{
  RigidBodySettings<2> s;
  s.mass.mass          = mass;
  s.mass.inertia[0][0] = inertia;
  s.free_axes          = { Tensor<1, 1>({ 1. }) };
  s.free_translations  = { { true, true } };
  return s;
}

template <int dim>
DrivenMotion<dim> driving(const std::string &displacement,
                          const std::string &velocity,
                          const std::string &angle,
                          const std::string &angular_velocity,
                          const RotationVector<dim> &axis,
                          const double step = 0.01)
{
  return DrivenMotion<dim>(displacement,
                           velocity,
                           angle,
                           angular_velocity,
                           axis,
                           0.,
                           step,
                           [](const std::string &entry) { return entry; });
}

template <int dim>
RotationVector<dim> omega(const RigidBody<dim> &body)
{
  RotationVector<dim> result;
  for (unsigned int c = 0; c < n_rotations<dim>; ++c)
    result[c] = body.velocity(Where<dim>::start)[dim + c];
  return result;
}

/// Potential terms are in the balance: kinetic + elastic, and what the residual
/// of the identity is measured against.
struct Energies
{
  double before = 0., largest_residual = 0., size = 0.;

  void add(const EnergyTerms &e)
  {
    const double now   = e.kinetic + e.elastic;
    const double works = e.external - e.damping - e.inelastic + e.contact +
                         e.driven - e.numerical - e.integration;
    size = std::max({ size, now, std::abs(e.external), std::abs(e.driven) });
    largest_residual =
        std::max(largest_residual, std::abs(now - before - works));
    before = now;
  }
};

/// A step without contact.
template <int dim>
EnergyTerms step(RigidBody<dim> &body,
                 const double t,
                 const double h,
                 const typename RigidBody<dim>::Velocity &impulse =
                     typename RigidBody<dim>::Velocity())
{
  body.begin_step(t, h);
  // Without gyroscopic terms one round is exact.
  for (unsigned int k = 0; k < 60; ++k)
  {
    body.update_inverse();
    EXPECT_TRUE(body.find_free_velocity());
    EXPECT_TRUE(body.correct(impulse));
    const auto norms = body.norms();
    if (norms[0] <= 1e-11 * norms[1])
      break;
  }
  return body.accept();
}
} // namespace test
