// Plasticity through the thickness, history and thinning.
#include "statics.h"

#include <gtest/gtest.h>

using namespace shells;

TEST(LogSheet, TangentIsTheDerivative)
{
  const LogSheet law(200., 0.3, 1., 5.);
  for (const std::array<double, 3> &E :
       { std::array<double, 3>{ { 0.2, -0.1, 0.15 } },
         { { 0.001, 0.002, 0.0005 } },
         { { 0.1, 0.1, 0. } } })
  {
    double begin[4] = { 0.01, -0.02, 0.005, 0.03 }, end[4];
    delassus::SheetResponse at, more, less;
    ASSERT_TRUE(law.respond(E, 1., begin, end, true, at));
    const double eps = 1e-6;
    for (unsigned int j = 0; j < 3; ++j)
    {
      auto a = E, b = E;
      a[j] += eps;
      b[j] -= eps;
      ASSERT_TRUE(law.respond(a, 1., begin, end, true, more));
      ASSERT_TRUE(law.respond(b, 1., begin, end, true, less));
      for (unsigned int i = 0; i < 3; ++i)
        EXPECT_NEAR((more.stress[i] - less.stress[i]) / (2. * eps),
                    at.tangent[i][j],
                    1e-4 * 200.);
    }
  }
}

namespace
{
/// A strip one element wide, plane strain across it, bent to a circle of radius
/// R, then let go.
struct Bent
{
  double moment, radius;
  unsigned int n_iterations;
};

Bent bend(const double R,
          const unsigned int n_points,
          const ThicknessRule rule,
          const double length_over_R)
{
  const double t = 0.78, E = 206e3, nu = 0.3, yield = 167.;
  const LogSheet law(E, nu, yield);
  const unsigned int n = 4;
  // Elements turn by a degree each and so: what chords shorten is left out.
  const double L = length_over_R * R, width = L / n;
  Options options;
  options.thickness = t;
  options.n_points  = n_points;
  options.rule      = rule;
  ShellModel model  = make_model(shell_rectangle(L, width, n, 1), law, options);
  const auto across = { ShellComponent::y,
                        ShellComponent::rotation_x,
                        ShellComponent::rotation_z };
  fix_where(
      model, [](const Vector3 &) { return true; }, across);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, clamped);
  fix_where(model,
            [=](const Vector3 &x) { return x[0] > L * (1. - 1e-9); },
            { ShellComponent::rotation_y });
  model.set_up();
  const unsigned int end[2] = { n, 2 * n + 1 };
  // The dof of the ends about y.
  const auto dof_about_y = [&](const unsigned int node)
  {
    const auto &axes     = model.state().axes[node];
    const unsigned int k = std::abs(axes[0][1]) > 0.5 ? 0 : 1;
    return std::pair<unsigned int, double>(model.dof(node) + 3 + k, axes[k][1]);
  };
  Statics statics(model);
  statics.motion =
      [&](const double from, const double to, std::vector<double> &dq)
  {
    for (const unsigned int node : end)
    {
      const auto dof = dof_about_y(node);
      dq[dof.first]  = (to - from) * L / R * dof.second;
    }
  };
  Bent result;
  EXPECT_TRUE(statics.go_to(1., 0.02)) << model.trouble();
  double M = 0.;
  for (const unsigned int node : end)
  {
    const auto dof = dof_about_y(node);
    M += model.force()[dof.first] * dof.second;
  }
  result.moment       = M / width;
  result.n_iterations = statics.n_iterations;

  // Turn back until no moment is left.
  double turn = 1., before_turn = 1., before = result.moment, slope = 0.;
  for (unsigned int k = 0; k < 30; ++k)
  {
    const double E_plane = E / (1. - nu * nu);
    if (k == 0)
      slope = E_plane * t * t * t / 12. / R;
    const double next = turn - before / slope;
    // Factors go down: as a motion of its own.
    statics.motion =
        [&](const double from, const double to, std::vector<double> &dq)
    {
      for (const unsigned int node : end)
      {
        const auto dof = dof_about_y(node);
        dq[dof.first]  = (to - from) * (next - turn) * L / R * dof.second;
      }
    };
    EXPECT_TRUE(statics.go_to(statics.factor + 1., k == 0 ? 0.1 : 1.))
        << model.trouble();
    M = 0.;
    for (const unsigned int node : end)
    {
      const auto dof = dof_about_y(node);
      M += model.force()[dof.first] * dof.second;
    }
    M /= width;
    before_turn = turn;
    turn        = next;
    if (k > 0)
      slope = (M - before) / (turn - before_turn);
    before = M;
    if (std::abs(M) < 1e-9 * result.moment)
      break;
  }
  result.radius = R / turn;
  return result;
}
} // namespace

// 5.20: M = s (t^2/4 - c^2/3), c = s / (E' kappa), s = 2 yield / sqrt(3),
// kappa after = kappa - 12 M / (E' t^3). Points through the thickness see the
// edge of the plastic zone only by chance.
TEST(Plastic, BendingAndSpringback)
{
  const double t = 0.78, E = 206e3 / (1. - 0.09), s = 2. * 167. / std::sqrt(3.);
  std::printf("%6s %8s %3s %10s %10s %10s %10s\n",
              "R",
              "rule",
              "n",
              "M",
              "exact",
              "R after",
              "exact");
  for (const double R : { 5.39, 50. })
    for (const ThicknessRule rule :
         { ThicknessRule::gauss, ThicknessRule::lobatto })
      for (const unsigned int n : { 5u, 7u, 15u })
      {
        const double c = s * R / E, M = s * (t * t / 4. - c * c / 3.),
                     after = 1. / (1. / R - 12. * M / (E * t * t * t));
        const Bent bent    = bend(R, n, rule, 0.05);
        std::printf("%6.2f %8s %3u %10.4f %10.4f %10.4f %10.4f\n",
                    R,
                    rule == ThicknessRule::gauss ? "Gauss" : "Lobatto",
                    n,
                    bent.moment,
                    M,
                    bent.radius,
                    after);
        if (n >= 7)
        {
          EXPECT_NEAR(bent.radius, after, (n == 7 ? 0.01 : 0.001) * after);
        }
      }
}

// A distorted sheet stretched by 30 % where the material hardens by less than
// its stress: all points stay alike, with a tangent that stays definite.
TEST(Plastic, UniformStretch)
{
  const double E = 200e3, yield = 200., H = 400.;
  const LogSheet law(E, 0.3, yield, H);
  for (const double across : { 0., -0.5, 1. })
  {
    Options options;
    options.thickness        = 0.02;
    options.follow_thickness = true;
    ShellModel model =
        make_model(shell_rectangle(1., 1., 4, 4, 0.35, 5), law, options);
    fix_where(
        model,
        [](const Vector3 &x) {
          return std::min(x[0], x[1]) < 1e-9 ||
                 std::max(x[0], x[1]) > 1. - 1e-9;
        },
        clamped);
    model.set_up();
    Statics statics(model);
    const auto stretch = [=](const double at) {
      return Vector3{ { 1. + 0.3 * at, 1. + 0.3 * across * at, 1. } };
    };
    statics.motion =
        [&](const double from, const double to, std::vector<double> &dq)
    {
      // All nodes, and off the solution by a little where they are free.
      const Vector3 d = stretch(to) - stretch(from);
      for (unsigned int n = 0; n < model.n_nodes(); ++n)
        for (unsigned int c = 0; c < 2; ++c)
          dq[model.dof(n) + c] = d[c] * model.reference().nodes[n][c] +
                                 (model.unknown(model.dof(n) + c) < 0
                                      ? 0.
                                      : 1e-4 * std::sin(7. * n + c));
      model.update(dq);
      std::fill(dq.begin(), dq.end(), 0.);
    };
    ASSERT_TRUE(statics.go_to(1., 0.05)) << model.trouble();
    EXPECT_EQ(statics.n_cuts, 0u);
    EXPECT_EQ(statics.n_indefinite, 0u);
    const Vector3 at = stretch(1.);
    for (unsigned int n = 0; n < model.n_nodes(); ++n)
      for (unsigned int c = 0; c < 3; ++c)
        EXPECT_NEAR(
            model.state().x[n][c], at[c] * model.reference().nodes[n][c], 1e-7);
    for (unsigned int q = 0; q < model.n_quads(); ++q)
      for (unsigned int p = 0; p < 4; ++p)
      {
        // The rolling direction is not given: the trace is the same in all.
        const auto E = model.strain(q, p, 0.3);
        EXPECT_NEAR(
            E[0] + E[1], 0.5 * (at[0] * at[0] + at[1] * at[1] - 2.), 1e-6);
        // Plastic strain grew.
        EXPECT_GT(model.history(q, p)[3], 0.2);
      }
    EXPECT_EQ(model.largest_increment(), 0.);
    // Plastic volume does not change; elastic one by the order of yield / E.
    for (unsigned int q = 0; q < model.n_quads(); ++q)
      EXPECT_NEAR(model.thickness(q), 0.02 / (at[0] * at[1]), 0.02 * 2e-3);
    EXPECT_NEAR(model.state().half[0][0], 0.01 / (at[0] * at[1]), 2e-5);
  }
}
