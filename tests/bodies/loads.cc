#include "bodies/make_bodies.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

namespace
{
template <int dim>
struct Resultant
{
  Tensor<1, dim> force;
  Tensor<2, dim> moment; ///< sum of x_i f_j
};

template <int dim>
Resultant<dim> resultant(const SolidBody<dim> &body, const Vector &f)
{
  Resultant<dim> r;
  for (unsigned int n = 0; n < body.n_nodes(); ++n)
    for (unsigned int j = 0; j < dim; ++j)
    {
      r.force[j] += f[dim * n + j];
      for (unsigned int i = 0; i < dim; ++i)
        r.moment[i][j] += body.nodes[n][i] * f[dim * n + j];
    }
  return r;
}

BoundaryConditionParameters condition(const BoundaryConditionType type,
                                      const std::string &value)
{
  BoundaryConditionParameters c;
  c.name  = "load";
  c.type  = type;
  c.value = value;
  return c;
}

template <int dim>
Vector surface_force(const SolidBody<dim> &body,
                     const BoundaryConditionParameters &load,
                     const std::string &surface,
                     const double t = 0.)
{
  return Loads<dim>(body, {}, { &load }, { body.surface(surface, "test") })
      .force(t);
}

/// The box [0,2] x [0,3] (x [0,4]), interior distorted.
template <int dim>
std::unique_ptr<SolidBody<dim>> box(const bool simplices,
                                    const BodyParameters &parameters = {})
{
  Grid<dim> grid = sheared_grid<dim>(simplices);
  grid.map       = [](const Point<dim> &p)
  {
    Point<dim> x;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = (2. + d) * p[d];
    return x;
  };
  return make_body(make_grid(grid), soft_stone(), parameters);
}

template <int dim>
void gravity(const bool simplices)
{
  for (const auto mass :
       { MassType::consistent, MassType::lumped, MassType::nodal })
  {
    BodyParameters parameters;
    parameters.mass       = mass;
    parameters.thickness  = 0.5;
    const auto body       = box<dim>(simplices, parameters);
    const double m        = soft_stone().density * (dim == 2 ? 6. * 0.5 : 24.);
    std::vector<double> g = { 1.5, -9.81, 3. };
    g.resize(dim);
    Loads<dim> loads(*body, g, {}, {});
    EXPECT_FALSE(loads.depends_on_time());
    const auto r = resultant(*body, loads.force(0.));
    for (unsigned int d = 0; d < dim; ++d)
      EXPECT_NEAR(r.force[d], m * g[d], 1e-12 * m);
  }
}

template <int dim>
void pressures(const bool simplices)
{
  BodyParameters parameters;
  parameters.thickness = 0.5;
  const auto body      = box<dim>(simplices, parameters);
  const auto uniform   = condition(BoundaryConditionType::pressure, "3");

  // All around: no resultant, and sum x_i f_j = -p V delta_ij.
  const double V = dim == 2 ? 3. : 24.;
  const auto all = resultant(*body, surface_force(*body, uniform, "*"));
  EXPECT_LT(all.force.norm(), 1e-12);
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      EXPECT_NEAR(all.moment[i][j], i == j ? -3. * V : 0., 1e-11);

  // On top, p = 1 + x: inward, and its moment.
  const auto linear   = condition(BoundaryConditionType::pressure, "1 + x");
  const double depth  = dim == 2 ? 0.5 : 3.; // across x
  const auto top      = resultant(*body, surface_force(*body, linear, "top"));
  const double height = dim == 2 ? 3. : 4.;
  for (unsigned int j = 0; j + 1 < dim; ++j)
    EXPECT_NEAR(top.force[j], 0., 1e-12);
  EXPECT_NEAR(top.force[dim - 1], -4. * depth, 1e-12);
  EXPECT_NEAR(top.moment[0][dim - 1], -(2. + 8. / 3.) * depth, 1e-12);
  EXPECT_NEAR(top.moment[dim - 1][dim - 1], -4. * depth * height, 1e-11);
  if (dim == 3)
  {
    EXPECT_NEAR(top.moment[1][dim - 1], -4. * 3. * 1.5, 1e-12);
  }

  // Only nodes of the surface carry it.
  const Vector f = surface_force(*body, linear, "top");
  for (unsigned int n = 0; n < body->n_nodes(); ++n)
    if (body->nodes[n][dim - 1] < height - 1e-9)
    {
      for (unsigned int c = 0; c < dim; ++c)
        EXPECT_NEAR(f[dim * n + c], 0., 1e-14);
    }
}

template <int dim>
void tractions(const bool simplices)
{
  const auto body    = box<dim>(simplices);
  const auto load    = condition(BoundaryConditionType::traction,
                              dim == 2 ? "2*t; y" : "2*t; y; z*t");
  const double width = dim == 2 ? 1. : 4.; // of the right face, across y
  const BoundaryConditionParameters *one = &load;
  Loads<dim> loads(*body, {}, { one }, { body->surface("right", "test") });
  EXPECT_TRUE(loads.depends_on_time());
  for (const double t : { 1., 0.25, 0.25, 1. })
  {
    const auto r = resultant(*body, loads.force(t));
    EXPECT_NEAR(r.force[0], 2. * t * 3. * width, 1e-11);
    EXPECT_NEAR(r.force[1], 4.5 * width, 1e-11);
    EXPECT_NEAR(r.moment[1][1], 9. * width, 1e-11);
    EXPECT_NEAR(r.moment[0][1], 2. * 4.5 * width, 1e-11);
    if (dim == 3)
    {
      EXPECT_NEAR(r.force[dim - 1], t * 3. * 8., 1e-11);
    }
  }
}

template <int dim>
void body_forces(const bool simplices)
{
  BodyParameters parameters;
  parameters.body_force = dim == 2 ? "x*t; y^0*sin(t)" : "x*t; sin(t); z";
  const auto body       = box<dim>(simplices, parameters);
  const double m        = soft_stone().density * (dim == 2 ? 6. : 24.);
  std::vector<double> g(dim, 0.);
  g[1] = -2.;
  Loads<dim> loads(*body, g, {}, {});
  EXPECT_TRUE(loads.depends_on_time());
  for (const double t : { 0., 2., 0.5, 2. })
  {
    const auto r = resultant(*body, loads.force(t));
    EXPECT_NEAR(r.force[0], m * t * 1., 1e-11);
    EXPECT_NEAR(r.force[1], m * (std::sin(t) - 2.), 1e-11);
    if (dim == 3)
    {
      EXPECT_NEAR(r.force[dim - 1], m * 2., 1e-11);
    }
    if (dim == 2 || simplices) // Gauss points exact for the product x * x
    {
      EXPECT_NEAR(r.moment[0][0], m * t * 4. / 3., 1e-11);
    }
  }
}
} // namespace

TEST(Loads, GravitySumsToTheWeight)
{
  gravity<2>(true);
  gravity<2>(false);
  gravity<3>(true);
  gravity<3>(false);
}

TEST(Loads, PressureResultantAndMoment)
{
  pressures<2>(true);
  pressures<2>(false);
  pressures<3>(true);
  pressures<3>(false);
}

TEST(Loads, Traction)
{
  tractions<2>(true);
  tractions<2>(false);
  tractions<3>(true);
  tractions<3>(false);
}

TEST(Loads, BodyForceOfPositionAndTime)
{
  body_forces<2>(true);
  body_forces<2>(false);
  body_forces<3>(true);
  body_forces<3>(false);
}

TEST(Loads, ConstantBodyForceIsGravity)
{
  BodyParameters parameters;
  parameters.body_force = "3; -2";
  const auto with       = box<2>(true, parameters);
  const auto without    = box<2>(true);
  Loads<2> a(*with, { 0., 0. }, {}, {}), b(*without, { 3., -2. }, {}, {});
  EXPECT_FALSE(a.depends_on_time());
  Vector difference = a.force(1.);
  difference -= b.force(1.);
  EXPECT_LT(difference.linfty_norm(), 1e-12 * b.force(1.).linfty_norm());
}

TEST(Loads, AxisymmetricPressureActsOnTheWholeCircle)
{
  Grid<2> grid = sheared_grid<2>(false, 2, 0.);
  grid.map = [](const Point<2> &p) { return Point<2>(0.5 + p[0], 2. * p[1]); };
  const auto body =
      make_body(make_grid(grid), soft_stone(), {}, Assumption::axisymmetric);
  const auto uniform = condition(BoundaryConditionType::pressure, "3");
  const double pi    = dealii::numbers::PI;
  EXPECT_NEAR(resultant(*body, surface_force(*body, uniform, "left")).force[0],
              3. * 2. * pi * 0.5 * 2.,
              1e-11);
  EXPECT_NEAR(resultant(*body, surface_force(*body, uniform, "top")).force[1],
              -3. * pi * (2.25 - 0.25),
              1e-11);
}

namespace
{
/// The stiffness of a pressure on all of a deformed body's surface against
/// differences: it is symmetric there.
template <int dim>
void pressure_stiffness(const Assumption assumption)
{
  auto grid = sheared_grid<dim>(false, 2, 0.);
  if (assumption == Assumption::axisymmetric)
    grid.map = [](const Point<dim> &p)
    {
      Point<dim> x = p;
      x[0] += 0.5;
      return x;
    };
  const auto body    = make_body(make_grid(grid), soft_stone(), {}, assumption);
  const auto uniform = condition(BoundaryConditionType::pressure, "3*(1 + t)");
  Loads<dim> loads(*body, {}, { &uniform }, { body->surface("*", "test") });
  ASSERT_TRUE(loads.follow());
  Vector q = body->make_vector(), x = body->make_vector();
  for (unsigned int i = 0; i < body->n_dofs(); ++i)
  {
    q[i] = 0.1 * std::sin(3. * i);
    x[i] = std::cos(5. * i);
  }
  Matrix K;
  K.reinit(body->stiffness);
  K = 0.;
  loads.add_stiffness(0.5, q, 2., K);
  Vector Kx = x, difference = x;
  K.vmult(Kx, x);
  const double step = 1e-5;
  q.add(step, x);
  difference = loads.force(0.5, &q);
  q.add(-2. * step, x);
  difference -= loads.force(0.5, &q);
  difference *= -2. / (2. * step);
  const double size = difference.linfty_norm();
  difference -= Kx;
  EXPECT_GT(size, 0.);
  EXPECT_LT(difference.linfty_norm(), 1e-8 * size);
}
} // namespace

TEST(Loads, StiffnessOfFollowingPressures)
{
  pressure_stiffness<2>(Assumption::plane_strain);
  pressure_stiffness<2>(Assumption::axisymmetric);
  pressure_stiffness<3>(Assumption::three_dimensional);
}

TEST(Expressions, ComponentsAndTime)
{
  const Expression<2> nothing(""), same("x + t"), two("x; 2*y + pi");
  EXPECT_TRUE(nothing.is_zero());
  EXPECT_EQ(nothing.value({ 1., 2. }, 3., 1), 0.);
  EXPECT_TRUE(same.depends_on_time());
  EXPECT_EQ(same.value({ 1., 2. }, 3., 0), 4.);
  EXPECT_EQ(same.value({ 1., 2. }, 3., 1), 4.);
  EXPECT_FALSE(two.depends_on_time());
  EXPECT_NEAR(two.value({ 1., 2. }, 3., 1), 4. + dealii::numbers::PI, 1e-14);
  EXPECT_FALSE(Expression<3>("sqrt(x) + tan(y)", 1).depends_on_time());
  EXPECT_TRUE(Expression<3>("sin(2*t)", 1).depends_on_time());
}
