// What sheets show, against closed forms, element by element.
#include <delassus/materials/linear_elastic.h>
#include <delassus/materials/sheet_laws.h>
#include <delassus/shell_systems/results/sheet_fields.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

using namespace delassus;

namespace
{
using Plane = std::array<std::array<double, 2>, 2>;

MaterialParameters elastic(const double nu)
{
  MaterialParameters material;
  material.model         = MaterialModel::saint_venant_kirchhoff;
  material.density       = 1.;
  material.young_modulus = 1000.;
  material.poisson_ratio = nu;
  return material;
}

ShellModel make_model(const ShellMesh &mesh,
                      const std::vector<ShellLayer> &layers,
                      const double thickness,
                      const Vector3 &rolling = { { 1., 0., 0. } },
                      const bool follow      = true)
{
  ShellProperties properties;
  properties.sections.emplace_back(layers);
  properties.thickness_of_quad.assign(
      mesh.quads.size(), { { thickness, thickness, thickness, thickness } });
  properties.rolling          = rolling;
  properties.follow_thickness = follow;
  ShellModel model(
      mesh, make_directors(mesh, default_fold_angle, "sheet"), properties);
  model.set_up();
  return model;
}

ShellLayer layer_of(const SheetLaw &law,
                    const double fraction = 1.,
                    const double angle    = 0.)
{
  ShellLayer layer;
  layer.law      = &law;
  layer.fraction = fraction;
  layer.angle    = angle;
  return layer;
}

/// Bring nodes to places, turn directors by rotation vectors, accept.
void move(ShellModel &model,
          const std::function<Vector3(const Vector3 &)> &place,
          const std::function<Vector3(const Vector3 &)> &turn)
{
  std::vector<double> dq(model.n_dofs(), 0.);
  for (unsigned int n = 0; n < model.n_nodes(); ++n)
  {
    const Vector3 X = model.reference().nodes[n],
                  u = place(X) - model.state().x[n], theta = turn(X);
    for (unsigned int c = 0; c < 3; ++c)
      dq[model.dof(n) + c] = u[c];
    for (unsigned int k = 0; k < model.n_rotations(n); ++k)
      dq[model.dof(n) + 3 + k] = dot(theta, model.state().axes[n][k]);
  }
  model.update(dq);
  ShellTask task;
  task.tangent = false;
  ASSERT_TRUE(model.evaluate(1., task)) << model.trouble();
  model.accept();
}

const Vector3 no_turn{ { 0., 0., 0. } };

/// A stretch in the plane, a turn in it, and one in space.
struct Motion
{
  Plane U{ { { { 1.2, 0.1 } }, { { 0.1, 0.9 } } } };
  double angle = M_PI / 6.;
  Vector3 turn{ { 0.5, -0.8, 0. } };

  Vector3 rotate(const Vector3 &a) const
  {
    const double c = std::cos(angle), s = std::sin(angle);
    return rotated(turn,
                   { { c * a[0] - s * a[1], s * a[0] + c * a[1], a[2] } });
  }
  Vector3 place(const Vector3 &X) const
  {
    return rotate({ { U[0][0] * X[0] + U[0][1] * X[1],
                      U[1][0] * X[0] + U[1][1] * X[1],
                      0. } });
  }
};

/// Components of a tensor of the turned plane in space: xx yy zz xy yz zx.
Voigt in_space(const Plane &T, const double across, const Motion &motion)
{
  const Vector3 e[3]           = { motion.rotate({ { 1., 0., 0. } }),
                                   motion.rotate({ { 0., 1., 0. } }),
                                   motion.rotate({ { 0., 0., 1. } }) };
  const unsigned int rows[]    = { 0, 1, 2, 0, 1, 2 },
                     columns[] = { 0, 1, 2, 1, 2, 0 };
  Voigt result{};
  for (unsigned int k = 0; k < 6; ++k)
  {
    const unsigned int a = rows[k], b = columns[k];
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j)
        result[k] += T[i][j] * e[i][a] * e[j][b];
    result[k] += across * e[2][a] * e[2][b];
  }
  return result;
}

Plane product(const Plane &A, const Plane &B)
{
  Plane C{};
  for (unsigned int i = 0; i < 2; ++i)
    for (unsigned int j = 0; j < 2; ++j)
      for (unsigned int k = 0; k < 2; ++k)
        C[i][j] += A[i][k] * B[k][j];
  return C;
}

double det(const Plane &A)
{
  return A[0][0] * A[1][1] - A[0][1] * A[1][0];
}

/// Axes turned by an angle: components there.
Plane turned(const Plane &A, const double angle)
{
  const double c = std::cos(angle), s = std::sin(angle);
  const Plane Q{ { { { c, s } }, { { -s, c } } } },
      Qt{ { { { c, -s } }, { { s, c } } } };
  return product(product(Q, A), Qt);
}
} // namespace

TEST(SheetFields, UniformStretchTurnedInSpace)
{
  constexpr double nu = 0.3, E_modulus = 1000., t = 0.04, rolling = 0.35;
  const auto law = make_sheet_law(elastic(nu));
  ShellModel model =
      make_model(shell_rectangle(2., 1., 3, 2, 0.2),
                 { layer_of(*law) },
                 t,
                 { { std::cos(rolling), std::sin(rolling), 0. } });
  const Motion motion;
  move(
      model,
      [&](const Vector3 &X) { return motion.place(X); },
      [&](const Vector3 &) { return motion.turn; });

  const Plane C = product(motion.U, motion.U);
  Plane E       = C, S;
  for (unsigned int i = 0; i < 2; ++i)
    E[i][i] -= 1.;
  for (auto &row : E)
    for (double &value : row)
      value *= 0.5;
  const double c = E_modulus / (1. - nu * nu);
  S = { { { { c * (E[0][0] + nu * E[1][1]), c * (1. - nu) * E[0][1] } },
          { { c * (1. - nu) * E[0][1], c * (E[1][1] + nu * E[0][0]) } } } };
  const double third =
      std::sqrt(1. - 2. * nu / (1. - nu) * (E[0][0] + E[1][1]));
  Plane sigma = product(product(motion.U, S), motion.U);
  for (auto &row : sigma)
    for (double &value : row)
      value /= det(motion.U) * third;
  // ln U by its axes.
  const double half   = 0.5 * (motion.U[0][0] - motion.U[1][1]),
               mean   = 0.5 * (motion.U[0][0] + motion.U[1][1]),
               radius = std::hypot(half, motion.U[0][1]),
               major = std::log(mean + radius), minor = std::log(mean - radius),
               phi = 0.5 * std::atan2(motion.U[0][1], half);
  const Plane logarithm =
      turned({ { { { major, 0. } }, { { 0., minor } } } }, -phi);
  const Voigt stress = in_space(sigma, 0., motion),
              strain = in_space(logarithm, std::log(third), motion);
  const Plane along  = turned(sigma, rolling);
  const Vector3 material =
      motion.rotate({ { std::cos(rolling), std::sin(rolling), 0. } });

  SheetFields fields(model, {}, 1.);
  const Vector3 normal = motion.rotate({ { 0., 0., 1. } });
  for (unsigned int q = 0; q < model.n_quads(); ++q)
  {
    fields.reinit(q);
    ASSERT_EQ(fields.levels().size(), 3u);
    for (unsigned int i = 0; i < 4; ++i)
    {
      for (unsigned int l = 0; l < 3; ++l)
      {
        const auto &values = fields.values(l, i);
        for (unsigned int k = 0; k < 6; ++k)
        {
          EXPECT_NEAR(values.stress[k], stress[k], 1e-10 * E_modulus);
          EXPECT_NEAR(values.strain[k], strain[k], 1e-12);
        }
        EXPECT_NEAR(values.major, major, 1e-12);
        EXPECT_NEAR(values.minor, minor, 1e-12);
        EXPECT_NEAR(values.across, std::log(third), 1e-12);
        EXPECT_NEAR(norm(values.material - material), 0., 1e-12);
        const double zeta = fields.levels()[l].zeta;
        const Vector3 X =
            model.reference().nodes[model.reference().quads[q][i]];
        EXPECT_NEAR(norm(fields.rest(i, zeta) + fields.displacement(i, zeta) -
                         motion.place(X) - 0.5 * zeta * t * third * normal),
                    0.,
                    1e-12);
        EXPECT_NEAR(fields.rest(i, zeta)[2], 0.5 * zeta * t, 1e-15);
      }
      const auto &section = fields.section(i);
      EXPECT_NEAR(section.thickness, t * third, 1e-13);
      EXPECT_NEAR(section.thinning, 1. - third, 1e-12);
      const double forces[] = { along[0][0], along[1][1], along[0][1] };
      for (unsigned int k = 0; k < 3; ++k)
      {
        EXPECT_NEAR(section.force[k], forces[k] * t * third, 1e-11 * E_modulus);
        EXPECT_NEAR(section.moment[k], 0., 1e-12 * E_modulus);
      }
      EXPECT_NEAR(norm(fields.director(i) - normal), 0., 1e-12);
    }
  }
}

namespace
{
/// One element whose middle keeps its length while its ends are turned against
/// each other: its stretch is 1 + z kappa.
double bend(ShellModel &model,
            const double length,
            const double angle,
            const double stretch = 1.)
{
  move(
      model,
      [&](const Vector3 &X) -> Vector3 {
        return { { stretch * X[0], X[1], 0. } };
      },
      [&](const Vector3 &X) -> Vector3 {
        return { { 0., (X[0] > 0.5 * length ? 0.5 : -0.5) * angle, 0. } };
      });
  return 2. * std::sin(0.5 * angle) / length;
}
} // namespace

TEST(SheetFields, PureBending)
{
  constexpr double E_modulus = 1000., t = 0.1, b = 0.5 * t, length = 0.5;
  const auto law = make_sheet_law(elastic(0.));
  ShellModel model =
      make_model(shell_rectangle(length, 0.3, 1, 1), { layer_of(*law) }, t);
  const double kappa = bend(model, length, 0.6);
  SheetFields fields(model, {}, 1.);
  fields.reinit(0);
  for (unsigned int i = 0; i < 4; ++i)
  {
    for (unsigned int l = 0; l < 3; ++l)
    {
      const double stretch = 1. + fields.levels()[l].zeta * b * kappa,
                   strain  = std::log(stretch);
      const auto &values   = fields.values(l, i);
      EXPECT_NEAR(values.stress[0],
                  E_modulus * stretch * 0.5 * (stretch * stretch - 1.),
                  1e-10 * E_modulus);
      EXPECT_NEAR(values.stress[1], 0., 1e-10 * E_modulus);
      EXPECT_NEAR(values.major, std::max(strain, 0.), 1e-12);
      EXPECT_NEAR(values.minor, std::min(strain, 0.), 1e-12);
    }
    // Positive: the outer face, to which the normals (z) point, is in tension.
    const auto &section = fields.section(i);
    const double b3 = b * b * b, k2 = kappa * kappa;
    EXPECT_GT(fields.values(2, i).stress[0], 0.);
    EXPECT_NEAR(section.force[0], E_modulus * k2 * b3, 1e-12 * E_modulus);
    EXPECT_NEAR(section.moment[0],
                E_modulus * kappa * b3 * (2. / 3. + 0.2 * k2 * b * b),
                1e-12 * E_modulus);
    EXPECT_NEAR(section.moment[0],
                E_modulus * t * t * t / 12. * kappa,
                0.01 * section.moment[0]);
    EXPECT_NEAR(section.moment[1], 0., 1e-12 * E_modulus);
  }
}

TEST(SheetFields, BothFacesOfEveryLayer)
{
  MaterialParameters material;
  material.model            = MaterialModel::orthotropic;
  material.density          = 1.;
  material.young_moduli     = { { 1000., 100., 100. } };
  material.poisson_ratios   = { { 0.25, 0.25, 0.25 } };
  material.shear_moduli     = { { 60., 60., 40. } };
  const auto law            = make_sheet_law(material);
  constexpr double angles[] = { 0.5, -1.1 };
  ShellModel model          = make_model(
      shell_rectangle(1., 1., 2, 2, 0.2),
      { layer_of(*law, 0.3, angles[0]), layer_of(*law, 0.7, angles[1]) },
      0.02);
  const Motion motion;
  move(
      model,
      [&](const Vector3 &X) { return motion.place(X); },
      [&](const Vector3 &) { return motion.turn; });
  Plane E = product(motion.U, motion.U);
  for (unsigned int i = 0; i < 2; ++i)
    E[i][i] -= 1.;
  for (auto &row : E)
    for (double &value : row)
      value *= 0.5;
  SheetFields fields(model, {}, 1., true), faces(model, {}, 1.);
  fields.reinit(1);
  faces.reinit(1);
  ASSERT_EQ(fields.levels().size(), 4u);
  ASSERT_EQ(faces.levels().size(), 3u);
  const double zeta[] = { -1., -0.4, -0.4, 1. };
  for (unsigned int l = 0; l < 4; ++l)
  {
    EXPECT_NEAR(fields.levels()[l].zeta, zeta[l], 1e-15);
    EXPECT_EQ(fields.levels()[l].layer, l / 2);
    const double angle = angles[l / 2];
    const Plane there  = turned(E, angle);
    SheetResponse response;
    double nothing[1] = {};
    ASSERT_TRUE(law->respond({ { there[0][0], there[1][1], 2. * there[0][1] } },
                             1.,
                             nothing,
                             nothing,
                             false,
                             response));
    const auto &T = response.stress;
    Plane sigma   = product(
        product(motion.U,
                turned({ { { { T[0], T[2] } }, { { T[2], T[1] } } } }, -angle)),
        motion.U);
    for (auto &row : sigma)
      for (double &value : row)
        value /= det(motion.U) * std::exp(response.thickness_strain);
    const Voigt stress = in_space(sigma, 0., motion);
    const Vector3 material =
        motion.rotate({ { std::cos(angle), std::sin(angle), 0. } });
    for (unsigned int i = 0; i < 4; ++i)
    {
      for (unsigned int k = 0; k < 6; ++k)
      {
        EXPECT_NEAR(fields.values(l, i).stress[k], stress[k], 1e-8);
        if (l == 0 || l == 3)
        {
          EXPECT_NEAR(
              faces.values(l == 0 ? 0 : 2, i).stress[k], stress[k], 1e-8);
        }
      }
      EXPECT_NEAR(norm(fields.values(l, i).material - material), 0., 1e-12);
    }
  }
  // The middle is in the second layer.
  EXPECT_EQ(faces.levels()[1].layer, 1u);
}

// The forces on the nodes are those of the section, and what yields is asked
// again without flowing any further, with and without a rate.
TEST(SheetFields, SectionForcesOfWhatHasYielded)
{
  constexpr double t = 0.1, length = 0.5, width = 0.3;
  for (const bool has_rate : { false, true })
    for (const bool follow : { true, false })
    {
      MaterialParameters material;
      material.model             = MaterialModel::j2;
      material.density           = 1.;
      material.young_modulus     = 1000.;
      material.poisson_ratio     = 0.3;
      material.yield_stress      = 5.;
      material.hardening_modulus = 20.;
      material.viscosity         = has_rate ? 3. : 0.;
      material.rate_exponent     = 0.5;
      const auto law             = make_sheet_law(material);
      // Lobatto's points are on the faces.
      ShellLayer layer = layer_of(*law);
      layer.rule       = ThicknessRule::lobatto;
      ShellModel model = make_model(shell_rectangle(length, width, 1, 1),
                                    { layer },
                                    t,
                                    { { 1., 0., 0. } },
                                    follow);
      double angle     = 0.;
      for (unsigned int step = 1; step <= 3; ++step)
      {
        bend(model, length, 0.2, 1. + 0.05 * step);
        angle += 0.2;
      }
      std::vector<std::string> names;
      SheetFields::add_histories(model, names);
      ASSERT_EQ(names, std::vector<std::string>{ "plastic_strain" });
      SheetFields fields(model, names, 1.);
      fields.reinit(0);
      // Internal forces of the end, and their moment about y.
      double force = 0., moment = 0.;
      for (unsigned int n = 0; n < model.n_nodes(); ++n)
        if (model.reference().nodes[n][0] > 0.5 * length)
        {
          force += model.force()[model.dof(n)];
          for (unsigned int k = 0; k < model.n_rotations(n); ++k)
            moment += model.force()[model.dof(n) + 3 + k] *
                      model.beginning().axes[n][k][1];
        }
      double most_stress = 0., most_strain = 0., least_strain = 1.;
      for (const auto &stress : fields.all_stresses())
        most_stress = std::max(most_stress, von_mises(stress));
      for (unsigned int p = 0; p < 4; ++p)
        for (const auto &point : model.section(0).points())
        {
          const double strain = model.accepted_history(
              0, p)[point.first + law->fields()[0].first];
          most_strain  = std::max(most_strain, strain);
          least_strain = std::min(least_strain, strain);
        }
      EXPECT_GT(least_strain, 0.01);
      for (unsigned int i = 0; i < 4; ++i)
      {
        const auto &section = fields.section(i);
        EXPECT_NEAR(section.force[0] * width, force, 1e-6 * std::abs(force));
        EXPECT_NEAR(section.moment[0] * width * std::cos(0.5 * angle),
                    moment,
                    1e-6 * std::abs(moment));
        EXPECT_NEAR(section.thickness,
                    t * std::exp(model.accepted_thickness_strain(0)[0]),
                    1e-10);
        for (unsigned int l = 0; l < 3; ++l)
        {
          const auto &values = fields.values(l, i);
          EXPECT_LE(von_mises(values.stress), most_stress * (1. + 1e-12));
          EXPECT_GE(values.histories[0], least_strain);
          EXPECT_LE(values.histories[0], most_strain);
        }
        // The face is shown as its nearest point.
        const auto &point = model.section(0).points().back();
        EXPECT_NEAR(
            fields.values(2, i).histories[0],
            model.accepted_history(0, 0)[point.first + law->fields()[0].first],
            1e-9);
        if (!has_rate)
        {
          // The law yields by J sigma.
          const auto &values = fields.values(2, i);
          EXPECT_NEAR(von_mises(values.stress) *
                          std::exp(values.major + values.minor + values.across),
                      5. + 20. * values.histories[0],
                      1e-6);
        }
      }
    }
}

// An iterate that is given up leaves what is shown as it was.
TEST(SheetFields, AreThoseOfTheAcceptedState)
{
  MaterialParameters material = elastic(0.3);
  material.model              = MaterialModel::j2;
  material.yield_stress       = 5.;
  const auto law              = make_sheet_law(material);
  ShellModel model =
      make_model(shell_rectangle(0.5, 0.3, 1, 1), { layer_of(*law) }, 0.1);
  bend(model, 0.5, 0.2, 1.05);
  SheetFields before(model, { "plastic_strain" }, 1.);
  before.reinit(0);
  std::vector<double> dq(model.n_dofs(), 0.);
  for (unsigned int n = 0; n < model.n_nodes(); ++n)
    dq[model.dof(n)] = 0.1 * model.reference().nodes[n][0];
  model.update(dq);
  model.evaluate(1., ShellTask()); // whether it has an answer or not
  SheetFields after(model, { "plastic_strain" }, 1.);
  after.reinit(0);
  for (unsigned int l = 0; l < 3; ++l)
    for (unsigned int i = 0; i < 4; ++i)
    {
      EXPECT_EQ(before.values(l, i).stress, after.values(l, i).stress);
      EXPECT_EQ(before.values(l, i).histories, after.values(l, i).histories);
      EXPECT_EQ(before.section(i).thickness, after.section(i).thickness);
    }
}
