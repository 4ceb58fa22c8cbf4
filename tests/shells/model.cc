// What a system will ask of the model: folds, steps that are taken back, frozen
// matrices, mass, thinning, loads.
#include "statics.h"

#include <gtest/gtest.h>

using namespace shells;

// A post and an arm: moments go round the fold as in a frame of beams.
TEST(Model, FoldsCarryMoments)
{
  const double a = 2., b = 3., width = 0.5, t = 0.02, E = 1e6, P = 1e-6;
  const ElasticSheet law(E, 0.);
  const unsigned int n = 20;
  const ShellMesh mesh =
      shell_grid(n,
                 2,
                 [=](const double u, const double v)
                 {
                   const double s = u * 2.;
                   return s <= 1. ? Vector3{ { 0., v * width, s * b } }
                                  : Vector3{ { (s - 1.) * a, v * width, b } };
                 });
  Options options;
  options.thickness = t;
  ShellModel model  = make_model(mesh, law, options);
  fix_where(
      model, [](const Vector3 &x) { return x[2] < 1e-9; }, clamped);
  model.set_up();
  EXPECT_EQ(model.n_rotations(n / 2), 3u);
  Statics statics(model);
  statics.loads = [&](double, bool, std::vector<double> &load)
  {
    for (unsigned int j = 0; j < 3; ++j)
      model.add_force(
          n + j * (n + 1), { { 0., 0., j == 1 ? 0.5 * P : 0.25 * P } }, load);
  };
  statics.linear();
  const double EI    = E * width * t * t * t / 12.,
               exact = P * (a * a * a / 3. + a * a * b) / EI;
  // One in 400 is what elements of this size leave out.
  EXPECT_NEAR(displacement(model, 2 * n + 1)[2], exact, 0.01 * exact);
}

// A step that is taken back leaves nothing behind, to the last bit.
TEST(Model, RevertedStepsLeaveNothing)
{
  const LogSheet law(200., 0.3, 0.5, 10.);
  Options options;
  options.thickness = 0.05;
  ShellModel model =
      make_model(shell_rectangle(1., 1., 3, 3, 0.3), law, options);
  for (unsigned int j = 0; j < 4; ++j)
    model.clamp(4 * j);
  model.set_up();
  std::vector<double> dq(model.n_dofs());
  for (unsigned int i = 0; i < dq.size(); ++i)
    dq[i] = 0.01 * std::sin(3. * i);
  ASSERT_TRUE(model.evaluate(1., {}));
  model.update(dq);
  ASSERT_TRUE(model.evaluate(1., {}));
  EXPECT_GT(model.dissipated(), 0.);
  model.accept();
  const auto twice = [&]()
  {
    model.update(dq);
    EXPECT_TRUE(model.evaluate(1., {}));
    return model.force();
  };
  const auto first = twice();
  model.revert();
  const auto second = twice();
  EXPECT_EQ(first, second);
}

// An iterate without an answer leaves the modes as they were: the next one is
// as if it had not been tried.
TEST(Model, IteratesWithoutAnswer)
{
  const LogSheet law(200., 0.3);
  Options options;
  options.thickness = 0.05;
  ShellModel model  = make_model(shell_rectangle(1., 1., 1, 1), law, options);
  model.set_up();
  std::vector<double> dq(model.n_dofs(), 0.), squeeze(model.n_dofs(), 0.);
  for (unsigned int i = 0; i < dq.size(); ++i)
    dq[i] = 0.02 * std::sin(3. * i);
  // All nodes on one line: C is singular.
  for (unsigned int n = 0; n < model.n_nodes(); ++n)
    squeeze[model.dof(n)] = -model.reference().nodes[n][0];
  ASSERT_TRUE(model.evaluate(1., {}));
  ShellModes modes[2];
  for (const bool fail : { false, true })
  {
    model.revert();
    if (fail)
    {
      model.update(squeeze);
      EXPECT_FALSE(model.evaluate(1., {}));
      EXPECT_NE(model.trouble().find("element 0 at (0.5, 0.5, 0)"),
                std::string::npos)
          << model.trouble();
      for (double &v : squeeze)
        v = -v;
      model.update(squeeze);
    }
    model.update(dq);
    ASSERT_TRUE(model.evaluate(1., {}));
    modes[fail] = model.state().modes[0];
  }
  for (unsigned int a = 0; a < 4; ++a)
    EXPECT_NEAR(modes[0].alpha[a], modes[1].alpha[a], 1e-15);
}

// Enhanced modes found in each element, or by condensation with the nodes, or
// with a matrix that never changes: one solution.
TEST(Model, ModesAreFoundEitherWay)
{
  const ElasticSheet law(1e4, 0.3);
  Options options;
  options.thickness = 0.1;
  Vector3 end[3];
  for (unsigned int way = 0; way < 3; ++way)
  {
    ShellModel model =
        make_model(shell_rectangle(2., 1., 4, 2, 0.3), law, options);
    fix_where(
        model, [](const Vector3 &x) { return x[0] < 1e-9; }, clamped);
    model.set_up();
    Statics statics(model);
    const unsigned int tip = 4;
    statics.loads = [&](const double factor, bool, std::vector<double> &load) {
      model.add_force(tip, { { 0., 0.2 * factor, 0.002 * factor } }, load);
    };
    if (way < 2)
    {
      statics.solve_modes = way == 1;
      ASSERT_TRUE(statics.go_to(1., 1.));
    }
    else
    {
      ASSERT_TRUE(model.evaluate(1., {}));
      const auto factor = make_cholmod_factor(model.tangent(), 1e300);
      ShellTask task;
      task.tangent = false;
      double first = 0., change = 1.;
      unsigned int k = 0;
      for (; k < 500 && change > 1e-13 * first; ++k)
      {
        ASSERT_TRUE(model.evaluate(1., task));
        std::vector<double> load(model.n_dofs(), 0.), x(model.n_unknowns()),
            dq(model.n_dofs(), 0.);
        statics.loads(1., false, load);
        for (unsigned int i = 0; i < dq.size(); ++i)
          if (model.unknown(i) >= 0)
            x[model.unknown(i)] = load[i] - model.force()[i];
        factor->solve(x.data(), 1);
        change = 0.;
        for (unsigned int i = 0; i < dq.size(); ++i)
          if (model.unknown(i) >= 0)
          {
            dq[i] = x[model.unknown(i)];
            change += std::abs(dq[i]);
          }
        first = std::max(first, change);
        model.update(dq);
      }
      EXPECT_LT(k, 500u);
    }
    end[way] = displacement(model, tip);
  }
  for (const unsigned int way : { 1u, 2u })
    for (unsigned int c = 0; c < 3; ++c)
      EXPECT_NEAR(end[way][c], end[0][c], 1e-9 * norm(end[0]));
}

namespace
{
/// The lowest frequency of a model at rest, by inverse iteration.
double frequency(ShellModel &model, const double least_rotary)
{
  const std::vector<double> mass = model.lumped_mass(least_rotary);
  EXPECT_TRUE(model.evaluate(1., {}));
  const auto factor = make_cholmod_factor(model.tangent(), 1e300);
  std::vector<double> m(model.n_unknowns()), x(model.n_unknowns());
  for (unsigned int i = 0; i < mass.size(); ++i)
    if (model.unknown(i) >= 0)
      m[model.unknown(i)] = mass[i];
  for (unsigned int i = 0; i < x.size(); ++i)
    x[i] = 1. + 0.1 * std::sin(double(i));
  double square = 0.;
  for (unsigned int k = 0; k < 200; ++k)
  {
    std::vector<double> y = x;
    for (unsigned int i = 0; i < y.size(); ++i)
      y[i] *= m[i];
    factor->solve(y.data(), 1);
    // Rayleigh's quotient x.m x / (x.m y).
    double xx = 0., xy = 0., yy = 0.;
    for (unsigned int i = 0; i < y.size(); ++i)
    {
      xx += x[i] * m[i] * x[i];
      xy += x[i] * m[i] * y[i];
      yy += y[i] * m[i] * y[i];
    }
    const double next = xx / xy;
    for (unsigned int i = 0; i < y.size(); ++i)
      x[i] = y[i] / std::sqrt(yy);
    if (std::abs(next - square) < 1e-12 * next)
      break;
    square = next;
  }
  return std::sqrt(square) / (2. * pi);
}
} // namespace

// 5.30: simply supported plate; waves m, n by a quarter of it. 5.31:
// cantilever.
TEST(Mass, Frequencies)
{
  const ElasticSheet law(2e11, 0.3, 8000.);
  Options options;
  options.thickness = 0.05;
  const struct
  {
    unsigned int m, n;
    double reference;
  } modes[] = { { 1, 1, 2.37672 }, { 1, 2, 5.94181 }, { 2, 2, 9.50689 } };
  for (const auto &mode : modes)
  {
    double f[2];
    for (const bool scaled : { false, true })
    {
      ShellModel model =
          make_model(shell_rectangle(5., 5., 16, 16), law, options);
      fix_where(model,
                [](const Vector3 &) { return true; },
                { ShellComponent::x, ShellComponent::y });
      const std::vector<ShellComponent> held[2] = {
        { ShellComponent::z, ShellComponent::rotation_x },
        { ShellComponent::z, ShellComponent::rotation_y }
      };
      fix_where(
          model, [](const Vector3 &x) { return x[0] < 1e-9; }, held[0]);
      fix_where(
          model, [](const Vector3 &x) { return x[1] < 1e-9; }, held[1]);
      fix_where(
          model,
          [](const Vector3 &x) { return x[0] > 5. - 1e-9; },
          mode.m == 1 ? symmetry(0) : held[0]);
      fix_where(
          model,
          [](const Vector3 &x) { return x[1] > 5. - 1e-9; },
          mode.n == 1 ? symmetry(1) : held[1]);
      model.set_up();
      f[scaled] = frequency(model, scaled ? 0.125 : 0.);
    }
    std::printf("plate f%u%u: %.5f Hz, with scaled rotary inertia %.5f, "
                "exact %.5f\n",
                mode.m,
                mode.n,
                f[0],
                f[1],
                mode.reference);
    EXPECT_NEAR(f[0], mode.reference, 0.01 * mode.reference);
    EXPECT_NEAR(f[1], mode.reference, 0.01 * mode.reference);
  }

  const ElasticSheet beam(1.2e6, 0., 3.1314e-4);
  options.thickness = 0.1;
  ShellModel model = make_model(shell_rectangle(10., 1., 16, 1), beam, options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, clamped);
  model.set_up();
  const double f = frequency(model, 0.);
  std::printf("cantilever: %.4f Hz, exact 10\n", f);
  EXPECT_NEAR(f, 10., 0.1);
}

// Mass of what there is: layers by their shares; rotary inertia by its exact
// value at a thickness that does not vary.
TEST(Mass, OfLayers)
{
  const ElasticSheet light(1., 0.3, 2.), heavy(1., 0.3, 10.);
  ShellLayer a, b;
  a.law      = &light;
  a.fraction = 0.25;
  b.law      = &heavy;
  b.fraction = 0.75;
  ShellProperties properties;
  properties.sections.emplace_back(std::vector<ShellLayer>{ a, b });
  const ShellMesh mesh = shell_rectangle(2., 3., 4, 5, 0.3);
  const double t       = 0.1;
  properties.thickness_of_quad.assign(20, { { t, t, t, t } });
  ShellModel model(
      mesh, make_directors(mesh, default_fold_angle, "sheet"), properties);
  model.set_up();
  double mass = 0., rotary = 0.;
  const auto values = model.lumped_mass(0.);
  for (unsigned int n = 0; n < model.n_nodes(); ++n)
  {
    mass += values[model.dof(n)];
    rotary += values[model.dof(n) + 3];
  }
  EXPECT_NEAR(mass, 6. * t * (0.25 * 2. + 0.75 * 10.), 1e-12 * mass);
  // int rho z^2 dz: the light layer from -t/2 to -t/4.
  const double exact =
      6. * t * t * t / 24. * (2. * (1. - 0.125) + 10. * (1. + 0.125));
  EXPECT_NEAR(rotary, exact, 1e-12 * exact);
  std::vector<double> load(model.n_dofs(), 0.);
  model.add_gravity({ { 0., 0., -9.81 } }, load);
  double weight = 0.;
  for (unsigned int n = 0; n < model.n_nodes(); ++n)
    weight += load[model.dof(n) + 2];
  EXPECT_NEAR(weight, -9.81 * mass, 1e-12 * 9.81 * mass);
}

// A balloon: a sphere's octant under a pressure that follows, p R / (2 t) at
// strains of a few percents, in few iterations.
TEST(Pressure, Balloon)
{
  const double R = 1., t = 0.01, E = 100., nu = 0.3;
  const ElasticSheet law(E, nu);
  Options options;
  options.thickness = t;
  options.director  = [](const Vector3 &x) { return x; };
  // Three patches of a cube's corner, brought out to the sphere.
  ShellMesh mesh;
  const unsigned int n        = 8;
  std::vector<Vector3> &nodes = mesh.nodes;
  const auto number           = [&nodes](const Vector3 &x)
  {
    for (unsigned int i = 0; i < nodes.size(); ++i)
      if (norm(nodes[i] - x) < 1e-9)
        return i;
    nodes.push_back(x);
    return static_cast<unsigned int>(nodes.size() - 1);
  };
  for (unsigned int face = 0; face < 3; ++face)
  {
    const auto place = [&](const unsigned int i, const unsigned int j)
    {
      Vector3 x;
      x[face]           = 1.;
      x[(face + 1) % 3] = std::tan(0.25 * pi * i / n);
      x[(face + 2) % 3] = std::tan(0.25 * pi * j / n);
      return number(unit(x));
    };
    for (unsigned int j = 0; j < n; ++j)
      for (unsigned int i = 0; i < n; ++i)
        mesh.quads.push_back({ { place(i, j),
                                 place(i + 1, j),
                                 place(i + 1, j + 1),
                                 place(i, j + 1) } });
  }
  EXPECT_EQ(orient(mesh, "balloon"), 0u);
  ShellModel model = make_model(mesh, law, options);
  for (unsigned int c = 0; c < 3; ++c)
    fix_where(
        model, [c](const Vector3 &x) { return x[c] < 1e-9; }, symmetry(c));
  model.set_up();
  std::vector<unsigned int> all(mesh.quads.size());
  for (unsigned int q = 0; q < all.size(); ++q)
    all[q] = q;
  Statics statics(model);
  const double p = 0.05;
  statics.loads  = [&](const double factor,
                      const bool with_stiffness,
                      std::vector<double> &load)
  { model.add_pressure(factor * p, all, with_stiffness, load); };
  ASSERT_TRUE(statics.go_to(1., 1.));
  EXPECT_LT(statics.n_iterations, 12u);
  // S = E/(1-nu) (L^2 - 1)/2 on t, p on the sphere of radius R L:
  // 2 t S L = p R L^2 (thin, of constant reference thickness).
  double L = 1.;
  for (unsigned int k = 0; k < 50; ++k)
    L -= (2. * t * E / (1. - nu) * 0.5 * (L * L - 1.) - p * R * L) /
         (2. * t * E / (1. - nu) * L - p * R);
  for (unsigned int i = 0; i < model.n_nodes(); ++i)
    EXPECT_NEAR(norm(model.state().x[i]), L, 0.005 * L);
}
