// One element of any shape: rigid motions, symmetry, tangent and energy.
#include "statics.h"

#include <gtest/gtest.h>

#include <random>

using namespace shells;

namespace
{
/// Distorted, warped, with directors off its normals and of any thickness.
struct Skew
{
  std::array<Vector3, 4> x{ { { { 1.1, 0.9, 0.2 } },
                              { { -0.8, 1.2, -0.1 } },
                              { { -1.2, -0.7, 0.15 } },
                              { { 0.9, -1.1, -0.2 } } } };
  std::array<Vector3, 4> d{ { unit({ { 0.1, 0.05, 1. } }),
                              unit({ { -0.1, 0.1, 1. } }),
                              unit({ { 0.02, -0.15, 1. } }),
                              unit({ { 0.1, -0.1, 1. } }) } };
  std::array<double, 4> thickness{ { 0.2, 0.25, 0.22, 0.3 } };
  Vector3 rolling{ { 1., 0.5, 0. } };
};

ShellSection layered(const ElasticSheet &a, const ElasticSheet &b)
{
  ShellLayer one, two;
  one.law      = &a;
  one.fraction = 0.3;
  one.angle    = 0.4;
  one.n_points = 3;
  two.law      = &b;
  two.fraction = 0.7;
  two.n_points = 4;
  two.rule     = ThicknessRule::lobatto;
  return ShellSection({ one, two });
}

double largest(const ShellResult &result)
{
  double value = 0.;
  for (const auto &row : result.tangent)
    for (const double v : row)
      value = std::max(value, std::abs(v));
  return value;
}
} // namespace

TEST(Element, NoForcesInRigidMotions)
{
  const ElasticSheet soft(1., 0.3), stiff(5., 0.2);
  const ShellSection section = layered(soft, stiff);
  for (const bool tied : { false, true })
  {
    const ShellFormulation formulation{ tied, true };
    const Skew skew;
    const ShellGeometry g = make_shell_geometry(
        skew.x, skew.d, skew.thickness, skew.rolling, formulation);
    const Vector3 turn{ { 1.3, -2.1, 0.7 } };
    Skew moved;
    for (unsigned int i = 0; i < 4; ++i)
    {
      moved.x[i] = rotated(turn, skew.x[i]) + Vector3{ { 3., -2., 5. } };
      moved.d[i] = rotated(turn, skew.d[i]);
    }
    ShellModes modes;
    ShellResult result;
    ASSERT_EQ(evaluate_shell(g,
                             formulation,
                             section,
                             shell_values(moved.x, moved.d, g.half),
                             g.half,
                             1.,
                             {},
                             nullptr,
                             nullptr,
                             modes,
                             result),
              ShellTrouble::none);
    // Strains are differences of products of coordinates up to 10.
    for (const double f : result.force)
      EXPECT_NEAR(f, 0., 1e-13 * largest(result));
  }
}

namespace
{
/// Singular: exactly six (and one a node, turning a director about itself,
/// which is none of the model's dofs).
unsigned int n_zero_modes(const ShellResult &result, const Skew &at)
{
  // The element in 20 dofs, reduced by Gauss elimination with full pivoting.
  double K[20][20];
  double T[24][20] = {};
  for (unsigned int i = 0; i < 4; ++i)
  {
    const auto t = tangents(at.d[i]);
    for (unsigned int c = 0; c < 3; ++c)
    {
      T[6 * i + c][5 * i + c]     = 1.;
      T[6 * i + 3 + c][5 * i + 3] = cross(t[0], at.d[i])[c];
      T[6 * i + 3 + c][5 * i + 4] = cross(t[1], at.d[i])[c];
    }
  }
  for (unsigned int a = 0; a < 20; ++a)
    for (unsigned int b = 0; b < 20; ++b)
    {
      K[a][b] = 0.;
      for (unsigned int i = 0; i < 24; ++i)
        for (unsigned int j = 0; j < 24; ++j)
          K[a][b] += T[i][a] * result.tangent[i][j] * T[j][b];
    }
  double first = 0.;
  for (unsigned int k = 0; k < 20; ++k)
  {
    unsigned int pivot = k;
    for (unsigned int i = k; i < 20; ++i)
      if (std::abs(K[i][i]) > std::abs(K[pivot][pivot]))
        pivot = i;
    for (unsigned int i = 0; i < 20; ++i)
      std::swap(K[i][k], K[i][pivot]);
    for (unsigned int i = 0; i < 20; ++i)
      std::swap(K[k][i], K[pivot][i]);
    first = std::max(first, K[k][k]);
    if (!(K[k][k] > 1e-12 * first))
      return 20 - k;
    for (unsigned int i = k + 1; i < 20; ++i)
      for (unsigned int j = k + 1; j < 20; ++j)
        K[i][j] -= K[i][k] * K[k][j] / K[k][k];
  }
  return 0;
}
} // namespace

TEST(Element, SixZeroModesWhateverItsShape)
{
  const ElasticSheet soft(1., 0.3), stiff(5., 0.2);
  const ShellSection section = layered(soft, stiff);
  std::mt19937 engine(7);
  for (unsigned int trial = 0; trial < 20; ++trial)
    for (const bool tied : { false, true })
      for (const bool enhanced : { false, true })
      {
        const ShellFormulation formulation{ tied, enhanced };
        Skew skew;
        for (auto &x : skew.x)
          for (double &c : x)
            c += 0.5 * (engine() / 4294967296. - 0.5);
        const ShellGeometry g = make_shell_geometry(
            skew.x, skew.d, skew.thickness, skew.rolling, formulation);
        ShellModes modes;
        ShellResult result;
        ASSERT_EQ(evaluate_shell(g,
                                 formulation,
                                 section,
                                 shell_values(skew.x, skew.d, g.half),
                                 g.half,
                                 1.,
                                 {},
                                 nullptr,
                                 nullptr,
                                 modes,
                                 result),
                  ShellTrouble::none);
        EXPECT_EQ(n_zero_modes(result, skew), 6u)
            << trial << " " << tied << enhanced;
      }
}

// Force and tangent are the first and second derivatives of the energy along
// positions and directors, in a configuration far from the reference.
TEST(Element, ForceAndTangentAreDerivatives)
{
  const ElasticSheet soft(1., 0.3), stiff(5., 0.2);
  const ShellSection section = layered(soft, stiff);
  for (const bool tied : { false, true })
    for (const bool enhanced : { false, true })
    {
      const ShellFormulation formulation{ tied, enhanced };
      const Skew skew;
      const ShellGeometry g = make_shell_geometry(
          skew.x, skew.d, skew.thickness, skew.rolling, formulation);
      ASSERT_FALSE(g.flat);
      std::array<double, 24> q;
      for (unsigned int i = 0; i < 4; ++i)
      {
        const Vector3 turn{ { 1. + 0.1 * i, -0.3 * i, 0.5 } };
        const Vector3 x = rotated({ { 1., 0.2, 0.5 } }, skew.x[i]),
                      d = rotated(turn, skew.d[i]);
        for (unsigned int c = 0; c < 3; ++c)
        {
          q[6 * i + c]     = x[c] * (1. + 0.1 * c) + 0.05 * i;
          q[6 * i + 3 + c] = d[c];
        }
      }
      ShellModes modes;
      const auto evaluate = [&](const std::array<double, 24> &q)
      {
        std::array<Vector3, 4> x, d;
        for (unsigned int i = 0; i < 4; ++i)
          for (unsigned int c = 0; c < 3; ++c)
          {
            x[i][c] = q[6 * i + c];
            d[i][c] = q[6 * i + 3 + c];
          }
        ShellResult result;
        ShellTask task;
        task.solve_modes = true;
        EXPECT_EQ(evaluate_shell(g,
                                 formulation,
                                 section,
                                 shell_values(x, d, g.half),
                                 g.half,
                                 1.,
                                 task,
                                 nullptr,
                                 nullptr,
                                 modes,
                                 result),
                  ShellTrouble::none);
        return result;
      };
      const ShellResult at = evaluate(q);
      double force         = 0.;
      for (const double f : at.force)
        force = std::max(force, std::abs(f));
      // Fourth-order polynomials: central differences are exact to eps^2.
      const double eps = 1e-5;
      for (unsigned int j = 0; j < 24; ++j)
      {
        auto more = q, less = q;
        more[j] += eps;
        less[j] -= eps;
        const ShellResult a = evaluate(more), b = evaluate(less);
        EXPECT_NEAR(
            (a.stored - b.stored) / (2. * eps), at.force[j], 1e-8 * force);
        for (unsigned int i = 0; i < 24; ++i)
        {
          EXPECT_NEAR((a.force[i] - b.force[i]) / (2. * eps),
                      at.tangent[i][j],
                      1e-8 * largest(at));
          EXPECT_NEAR(at.tangent[i][j], at.tangent[j][i], 1e-14 * largest(at));
        }
      }
    }
}

// The same along rotations, at nodes with two and with three of them: a fold.
TEST(Model, TangentIsTheDerivativeAlongRotations)
{
  const ElasticSheet law(2., 0.3);
  const ShellMesh mesh = shell_grid(
      4,
      2,
      [](const double u, const double v)
      {
        return u < 0.5 ? Vector3{ { 2. * u, v, 0.1 * v * v } }
                       : Vector3{ { 1., v, 2. * u - 1. + 0.1 * v * v } };
      },
      0.2);
  Options options;
  options.thickness = 0.1;
  ShellModel model  = make_model(mesh, law, options);
  model.set_up();
  unsigned int n_folds = 0;
  for (unsigned int n = 0; n < model.n_nodes(); ++n)
    n_folds += model.n_rotations(n) == 3;
  EXPECT_EQ(n_folds, 3u);

  std::mt19937 engine(3);
  std::vector<double> dq(model.n_dofs());
  for (double &v : dq)
    v = 0.4 * (engine() / 4294967296. - 0.5);
  model.update(dq);
  model.accept();
  ShellTask task;
  task.solve_modes = true;
  ASSERT_TRUE(model.evaluate(1., task));
  const SymmetricMatrix K         = model.tangent();
  const std::vector<double> force = model.force();
  ASSERT_EQ(model.n_unknowns(), model.n_dofs());
  std::vector<std::vector<double>> dense(
      model.n_dofs(), std::vector<double>(model.n_dofs(), 0.));
  double largest = 0.;
  for (unsigned int j = 0; j < K.n; ++j)
    for (int k = K.column_start[j]; k < K.column_start[j + 1]; ++k)
    {
      dense[K.row[k]][j] = K.value[k];
      largest            = std::max(largest, std::abs(K.value[k]));
    }
  // Energy along lines of increments: its second derivative is dq.K dq, of any
  // direction, which a symmetric matrix is known by.
  for (unsigned int trial = 0; trial < 40; ++trial)
  {
    double first = 0., second = 0.;
    for (double &v : dq)
      v = engine() / 4294967296. - 0.5;
    for (unsigned int i = 0; i < dq.size(); ++i)
    {
      first += force[i] * dq[i];
      for (unsigned int j = 0; j < dq.size(); ++j)
        second += dq[i] * dense[i][j] * dq[j];
    }
    const auto energy = [&](const double s)
    {
      std::vector<double> step = dq;
      for (double &v : step)
        v *= s;
      model.revert();
      model.update(step);
      EXPECT_TRUE(model.evaluate(1., task));
      return model.stored();
    };
    const double eps = 2e-4, a = energy(-2. * eps), b = energy(-eps),
                 c = energy(0.), d = energy(eps), e = energy(2. * eps);
    EXPECT_NEAR((a - 8. * b + 8. * d - e) / (12. * eps),
                first,
                1e-7 * std::abs(second));
    EXPECT_NEAR((-a + 16. * b - 30. * c + 16. * d - e) / (12. * eps * eps),
                second,
                1e-6 * std::abs(second));
  }
  for (unsigned int i = 0; i < dq.size(); ++i)
    for (unsigned int j = 0; j < i; ++j)
      EXPECT_NEAR(dense[i][j], dense[j][i], 1e-13 * largest);
}

// Free shells: forces have no resultant and no moment, where they are now.
TEST(Model, ForcesHaveNoResultant)
{
  const ElasticSheet law(2., 0.3);
  const ShellMesh mesh = shell_cylinder(1., 1., 0., 2., 4, 3, 0.25);
  Options options;
  options.thickness = 0.1;
  ShellModel model  = make_model(mesh, law, options);
  model.set_up();
  std::mt19937 engine(3);
  std::vector<double> dq(model.n_dofs());
  for (double &v : dq)
    v = 0.4 * (engine() / 4294967296. - 0.5);
  model.update(dq);
  ASSERT_TRUE(model.evaluate(1., {}));
  double scale = 0.;
  for (const double f : model.force())
    scale += std::abs(f);
  const auto resultant = model.resultant();
  for (unsigned int c = 0; c < 3; ++c)
  {
    EXPECT_NEAR(resultant[0][c], 0., 1e-14 * scale);
    EXPECT_NEAR(resultant[1][c], 0., 1e-14 * scale);
  }
}

namespace
{
/// Elastic, stiffer along the rolling direction.
class Orthotropic : public ElasticSheet
{
public:
  Orthotropic()
      : ElasticSheet(1., 0.)
  {
  }
  bool respond(const std::array<double, 3> &E,
               const double,
               const double *,
               double *,
               const bool,
               SheetResponse &response) const override
  {
    response         = SheetResponse();
    response.tangent = {
      { { { 5., 0.5, 0. } }, { { 0.5, 2., 0. } }, { { 0., 0., 0.7 } } }
    };
    for (unsigned int i = 0; i < 3; ++i)
    {
      for (unsigned int k = 0; k < 3; ++k)
        response.stress[i] += response.tangent[i][k] * E[k];
      response.stored += 0.5 * response.stress[i] * E[i];
    }
    return true;
  }
};
} // namespace

// The rolling direction goes with the sheet, whatever its nodes' order and the
// place in space; layers are turned against it.
TEST(Section, RollingDirectionAndLayers)
{
  const Orthotropic law;
  const auto energy = [&](const double rolling, const double layer_angle)
  {
    ShellLayer layer;
    layer.law   = &law;
    layer.angle = layer_angle;
    const ShellSection section({ layer });
    const ShellFormulation formulation;
    // Stretched along x of the sheet by E_11 = 0.1, then turned in space.
    const Vector3 turn{ { 0.3, 1.1, -0.4 } };
    std::array<Vector3, 4> x, now, d, d_now;
    for (unsigned int i = 0; i < 4; ++i)
    {
      const Vector3 place{ { 0.7 * shell_xi[i] + 0.1 * (i == 2),
                             0.5 * shell_eta[i] - 0.1 * (i == 1),
                             0. } },
          stretched{ { std::sqrt(1.2) * place[0], place[1], 0. } };
      x[i]     = rotated({ { 0., 0.5, 0. } }, place);
      d[i]     = rotated({ { 0., 0.5, 0. } }, { { 0., 0., 1. } });
      now[i]   = rotated(turn, stretched);
      d_now[i] = rotated(turn, { { 0., 0., 1. } });
    }
    const Vector3 along = rotated(
        { { 0., 0.5, 0. } }, { { std::cos(rolling), std::sin(rolling), 0. } });
    const ShellGeometry g = make_shell_geometry(
        x, d, { { 0.1, 0.1, 0.1, 0.1 } }, along, formulation);
    ShellModes modes;
    ShellResult result;
    EXPECT_EQ(evaluate_shell(g,
                             formulation,
                             section,
                             shell_values(now, d_now, g.half),
                             g.half,
                             1.,
                             {},
                             nullptr,
                             nullptr,
                             modes,
                             result),
              ShellTrouble::none);
    return result.stored / (0.5 * 0.01 * 0.1 * g.area);
  };
  EXPECT_NEAR(energy(0., 0.), 5., 1e-12);
  EXPECT_NEAR(energy(0.5 * pi, 0.), 2., 1e-12);
  EXPECT_NEAR(energy(0., 0.5 * pi), 2., 1e-12);
  EXPECT_NEAR(energy(0.3, -0.3), 5., 1e-12);
  // E_11 = c^2 E, E_22 = s^2 E, 2 E_12 = -2 c s E in axes turned by 30 degrees.
  const double c2 = 0.75, s2 = 0.25;
  EXPECT_NEAR(energy(0., pi / 6.),
              5. * c2 * c2 + 2. * s2 * s2 + c2 * s2 + 0.7 * 4. * c2 * s2,
              1e-12);
}

TEST(Section, RulesThroughTheThickness)
{
  for (const ThicknessRule rule :
       { ThicknessRule::gauss, ThicknessRule::lobatto })
    for (unsigned int n = rule == ThicknessRule::gauss ? 1 : 2; n < 30; ++n)
    {
      std::vector<double> x, w;
      thickness_rule(rule, n, x, w);
      const unsigned int exact =
          rule == ThicknessRule::gauss ? 2 * n - 1 : 2 * n - 3;
      for (unsigned int k = 0; k <= exact; ++k)
      {
        double sum = 0.;
        for (unsigned int i = 0; i < n; ++i)
          sum += w[i] * std::pow(x[i], k);
        EXPECT_NEAR(sum, k % 2 == 0 ? 2. / (k + 1.) : 0., 1e-13)
            << n << " " << k;
      }
      for (unsigned int i = 1; i < n; ++i)
        EXPECT_LT(x[i - 1], x[i]);
    }
}
