// Fields that the element has to show exactly, on distorted meshes, and bending
// in the plane.
#include "statics.h"

#include <gtest/gtest.h>

using namespace shells;

namespace
{
const ShellFormulation all[4] = { { false, false },
                                  { true, false },
                                  { false, true },
                                  { true, true } };

/// A distorted square in a plane of its own, displaced at its edge by u(x, y)
/// and its director's increments by theta = rot(x, y), all small: whether nodes
/// inside follow, and the energy.
struct Patch
{
  double worst = 0., energy = 0.;

  Patch(const ShellFormulation &formulation,
        const std::function<Vector3(double, double)> &u,
        const std::function<Vector3(double, double)> &theta,
        const SheetLaw &law,
        const double thickness)
  {
    Options options;
    options.thickness   = thickness;
    options.formulation = formulation;
    ShellModel model =
        make_model(shell_rectangle(1., 1., 4, 4, 0.35, 5), law, options);
    const auto on_edge = [](const Vector3 &x)
    { return std::min(x[0], x[1]) < 1e-9 || std::max(x[0], x[1]) > 1. - 1e-9; };
    fix_where(model, on_edge, clamped);
    model.set_up();
    std::vector<double> wanted(model.n_dofs());
    double largest_u = 0., largest_turn = 0.;
    for (unsigned int n = 0; n < model.n_nodes(); ++n)
    {
      const Vector3 &x = model.reference().nodes[n];
      const Vector3 un = u(x[0], x[1]), tn = theta(x[0], x[1]);
      for (unsigned int c = 0; c < 3; ++c)
        wanted[model.dof(n) + c] = un[c];
      for (unsigned int k = 0; k < 2; ++k)
        wanted[model.dof(n) + 3 + k] = dot(tn, model.state().axes[n][k]);
      largest_u    = std::max(largest_u, norm(un));
      largest_turn = std::max(largest_turn, norm(tn));
    }
    std::vector<double> driven(model.n_dofs(), 0.);
    for (unsigned int i = 0; i < model.n_dofs(); ++i)
      if (model.unknown(i) < 0)
        driven[i] = wanted[i];
    EXPECT_TRUE(model.evaluate(1., {}, &driven));
    std::vector<double> x(model.n_unknowns());
    for (unsigned int i = 0; i < model.n_dofs(); ++i)
      if (model.unknown(i) >= 0)
        x[model.unknown(i)] = -model.pull()[i];
    make_cholmod_factor(model.tangent(), 1e300)->solve(x.data(), 1);
    for (unsigned int n = 0; n < model.n_nodes(); ++n)
      for (unsigned int k = 0; k < 5; ++k)
      {
        const unsigned int i = model.dof(n) + k;
        const double value   = model.unknown(i) >= 0 ? x[model.unknown(i)]
                                                     : driven[i],
                     scale   = k < 3 ? largest_u : largest_turn;
        if (scale > 0.)
          worst = std::max(worst, std::abs(value - wanted[i]) / scale);
      }
    // The quadratic part of the energy of a small multiple.
    const double small = 1e-6;
    std::vector<double> dq(model.n_dofs());
    for (unsigned int i = 0; i < dq.size(); ++i)
      dq[i] = small * wanted[i];
    model.update(dq);
    ShellTask task;
    task.tangent = false;
    EXPECT_TRUE(model.evaluate(1., task));
    energy = model.stored() / (small * small);
  }
};
} // namespace

TEST(Patch, Membrane)
{
  const double E = 7., nu = 0.3, t = 0.02;
  const ElasticSheet law(E, nu);
  const double e1 = 1e-3, e2 = -4e-4, g = 7e-4;
  for (const ShellFormulation &formulation : all)
  {
    const Patch patch(
        formulation,
        [=](const double x, const double y) {
          return Vector3{ { e1 * x + g * y, e2 * y, 0. } };
        },
        [](double, double) {
          return Vector3{ { 0., 0., 0. } };
        },
        law,
        t);
    EXPECT_LT(patch.worst, 1e-11);
    const double exact =
        0.5 * t * E / (1. - nu * nu) *
        (e1 * e1 + e2 * e2 + 2. * nu * e1 * e2 + 0.5 * (1. - nu) * g * g);
    EXPECT_NEAR(patch.energy, exact, 1e-5 * exact);
  }
}

TEST(Patch, Bending)
{
  const double E = 7., nu = 0.3, t = 0.02;
  const ElasticSheet law(E, nu);
  const double a = 1e-3, b = -4e-4, c = 7e-4;
  for (const ShellFormulation &formulation : all)
  {
    // w = (a x^2 + b y^2) / 2 + c x y, d = (-w,x, -w,y): theta = (w,y, -w,x).
    const Patch patch(
        formulation,
        [=](const double x, const double y) {
          return Vector3{
            { 0., 0., 0.5 * (a * x * x + b * y * y) + c * x * y }
          };
        },
        [=](const double x, const double y) {
          return Vector3{ { b * y + c * x, -(a * x + c * y), 0. } };
        },
        law,
        t);
    // Deflections of a thin plate by the tied shear are those of the parabola
    // at nodes.
    EXPECT_LT(patch.worst, 1e-9);
    const double exact =
        0.5 * t * t * t / 12. * E / (1. - nu * nu) *
        (a * a + b * b + 2. * nu * a * b + 2. * (1. - nu) * c * c);
    EXPECT_NEAR(patch.energy, exact, 1e-5 * exact);
  }
}

// Constant shear needs moments spread over the sheet to be in balance: its
// energy is asked for.
TEST(Patch, Shear)
{
  const double E = 7., nu = 0.3, t = 0.02;
  const ElasticSheet law(E, nu);
  const double gx = 1e-3, gy = 3e-4;
  for (const ShellFormulation &formulation : all)
  {
    const Patch patch(
        formulation,
        [=](const double x, const double y) {
          return Vector3{ { 0., 0., gx * x + gy * y } };
        },
        [](double, double) {
          return Vector3{ { 0., 0., 0. } };
        },
        law,
        t);
    const double exact =
        0.5 * t * 5. / 6. * E / (2. * (1. + nu)) * (gx * gx + gy * gy);
    EXPECT_NEAR(patch.energy, exact, 1e-5 * exact);
  }
}

// Ten elements of 1 x 1 bent in their plane by a couple at the end: Bernoulli's
// beam, which is exact.
TEST(Patch, BendingInThePlane)
{
  const double E = 100., L = 10., b = 1., t = 0.1, M = 1e-3;
  const ElasticSheet law(E, 0.);
  double tip[2];
  for (const bool enhanced : { false, true })
  {
    Options options;
    options.thickness            = t;
    options.formulation.enhanced = enhanced;
    ShellModel model = make_model(shell_rectangle(L, b, 10, 1), law, options);
    for (const unsigned int n : { 0u, 11u })
      model.fix(n, ShellComponent::x);
    model.fix(0, ShellComponent::y);
    for (unsigned int n = 0; n < model.n_nodes(); ++n)
    {
      model.fix(n, ShellComponent::z);
      model.fix(n, ShellComponent::rotation_x);
      model.fix(n, ShellComponent::rotation_y);
    }
    model.set_up();
    Statics statics(model);
    statics.loads = [&](double, bool, std::vector<double> &load)
    {
      model.add_force(10, { { M / b, 0., 0. } }, load);
      model.add_force(21, { { -M / b, 0., 0. } }, load);
    };
    statics.linear();
    tip[enhanced] = displacement(model, 10)[1];
  }
  const double exact = M * L * L / (2. * E * t * b * b * b / 12.);
  std::printf("bending in the plane, 10 x 1: %.4f without modes, %.4f with\n",
              tip[0] / exact,
              tip[1] / exact);
  EXPECT_NEAR(tip[1], exact, 0.01 * exact);
  EXPECT_LT(tip[0], 0.7 * exact);
}

// Pressure: forces of a closed surface have no resultant, and the stiffness is
// the derivative.
TEST(Pressure, StiffnessIsTheDerivative)
{
  const std::array<Vector3, 4> x{ { { { 1.1, 0.9, 0.2 } },
                                    { { -0.8, 1.2, -0.1 } },
                                    { { -1.2, -0.7, 0.15 } },
                                    { { 0.9, -1.1, -0.2 } } } };
  std::array<double, 12> f, more, less;
  std::array<std::array<double, 12>, 12> K, whole;
  shell_pressure(x, 2., f, &K);
  const double eps = 1e-5;
  for (unsigned int j = 0; j < 12; ++j)
  {
    auto a = x, b = x;
    a[j / 3][j % 3] += eps;
    b[j / 3][j % 3] -= eps;
    shell_pressure(a, 2., more, nullptr);
    shell_pressure(b, 2., less, nullptr);
    for (unsigned int i = 0; i < 12; ++i)
      whole[i][j] = (more[i] - less[i]) / (2. * eps);
  }
  for (unsigned int i = 0; i < 12; ++i)
    for (unsigned int j = 0; j < 12; ++j)
      EXPECT_NEAR(K[i][j], 0.5 * (whole[i][j] + whole[j][i]), 1e-9);
  // Along the normal, with the area of the middle.
  const Vector3 area = 0.5 * cross(x[0] - x[2], x[1] - x[3]);
  for (unsigned int c = 0; c < 3; ++c)
    EXPECT_NEAR(f[c] + f[3 + c] + f[6 + c] + f[9 + c], 2. * area[c], 1e-13);
}
