#include "internal_forces/common.h"

#include <delassus/bodies/dilatation_groups.h>

using namespace forces;

namespace
{
const std::vector<std::string> elastic_laws = { "linear",
                                                "svk",
                                                "neo_hookean" };
const std::vector<std::string> finite_laws  = { "svk",
                                                "neo_hookean",
                                                "j2",
                                                "maxwell" };

/// d . f against the change of the stored energy along d.
template <int dim>
void check_energy(const SolidBody<dim> &body)
{
  InternalForces<dim> forces(body, body.assumption);
  const Vector q = deformation(body, 0.3, 0.1, 2, 0.7);
  ASSERT_TRUE(forces.evaluate(q, 1., false)) << forces.trouble();
  const Vector f      = forces.force;
  const double energy = forces.stored;
  EXPECT_GT(energy, 0.);
  EXPECT_EQ(forces.dissipated, 0.);
  for (unsigned int k = 0; k < 3; ++k)
  {
    const Vector d = random_vector(body, 17 + k);
    const double e = 1e-4 * body.smallest_edge;
    // Of fourth order: the energy is a large number.
    double values[4];
    unsigned int n = 0;
    for (const double step : { 2. * e, e, -e, -2. * e })
    {
      Vector x = q;
      x.add(step, d);
      ASSERT_TRUE(forces.evaluate(x, 1., false));
      values[n++] = forces.stored;
    }
    const double slope =
        (-values[0] + 8. * values[1] - 8. * values[2] + values[3]) / (12. * e);
    EXPECT_NEAR(
        f * d, slope, 1e-9 * energy / e * 1e-4 + 1e-8 * std::abs(slope));
  }
}

template <int dim>
void check_objectivity(const SolidBody<dim> &body)
{
  // Axisymmetric bodies only move along their axis.
  const bool axisymmetric = body.assumption == Assumption::axisymmetric;
  const auto R            = axisymmetric ? identity<dim>() : rotation<dim>(2.1);
  Tensor<1, dim> shift;
  for (unsigned int d = axisymmetric ? 1 : 0; d < dim; ++d)
    shift[d] = 3.4 - 1.3 * d;
  const auto move = [&](const Vector &q)
  {
    Vector result = body.make_vector();
    for (unsigned int node = 0; node < body.n_nodes(); ++node)
    {
      Tensor<1, dim> x = body.nodes[node];
      for (unsigned int c = 0; c < dim; ++c)
        x[c] += q[dim * node + c];
      x = R * x + shift;
      for (unsigned int c = 0; c < dim; ++c)
        result[dim * node + c] = x[c] - body.nodes[node][c];
    }
    result.compress(dealii::VectorOperation::insert);
    return result;
  };
  InternalForces<dim> plain(body, body.assumption),
      moved(body, body.assumption);
  const Vector zero = body.make_vector();
  ASSERT_TRUE(moved.evaluate(move(zero), 0.3, true));
  const double stiffness =
      moved.tangent.linfty_norm() * body.smallest_edge; // a force
  EXPECT_LT(moved.force.linfty_norm(), 1e-13 * stiffness);
  EXPECT_LT(std::abs(moved.stored), 1e-15 * stiffness);

  for (unsigned int step = 0; step < 2; ++step)
  {
    const Vector q = deformation(body, 0.15 + 0.1 * step, 0.08, 5 + step);
    ASSERT_TRUE(plain.evaluate(q, 0.3, false));
    ASSERT_TRUE(moved.evaluate(move(q), 0.3, false));
    const double scale = plain.force.linfty_norm();
    for (unsigned int node = 0; node < body.n_nodes(); ++node)
    {
      Tensor<1, dim> f;
      for (unsigned int c = 0; c < dim; ++c)
        f[c] = plain.force[dim * node + c];
      f = R * f;
      for (unsigned int c = 0; c < dim; ++c)
        EXPECT_NEAR(f[c], moved.force[dim * node + c], 1e-11 * scale);
    }
    EXPECT_NEAR(plain.stored, moved.stored, 1e-12 * plain.stored);
    EXPECT_NEAR(plain.dissipated,
                moved.dissipated,
                1e-12 * (plain.stored + plain.dissipated));
    plain.accept();
    moved.accept();
  }
}

/// A uniform F: no force inside, and the stress of the law everywhere.
template <int dim>
void check_patch(const SolidBody<dim> &body)
{
  InternalForces<dim> forces(body, body.assumption);
  const bool axisymmetric = body.assumption == Assumption::axisymmetric;
  auto F                  = rotation<dim>(0.5) * stretch<dim>(0.2);
  if (axisymmetric)
  {
    F       = identity<dim>();
    F[0][0] = 1.2, F[1][1] = 0.9;
  }
  ASSERT_TRUE(forces.evaluate(affine(body, F), 0.3, false)) << forces.trouble();
  forces.accept();

  // The law alone.
  Tensor<2, 3> full;
  full[2][2] = axisymmetric ? F[0][0] : 1.;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      full[i][j] = F[i][j];
  const auto &law = forces.law();
  std::vector<double> begin(law.n_history() + 1), end(begin);
  law.initialize(begin.data());
  MaterialResponse response;
  ASSERT_TRUE(
      law.respond(full, 0.3, begin.data(), end.data(), false, response));
  double J = 1.;
  if (law.is_finite_strain())
  {
    if (body.assumption == Assumption::plane_stress)
      full[2][2] = std::exp(end[law.n_history() - 1]);
    J = determinant(full);
  }
  double size = 0.;
  for (const double s : response.stress)
    size = std::max(size, std::abs(s) / J);
  double volume = 0.;
  for (const auto &piece : body.pieces)
    volume += piece.volume;
  for (const unsigned int cell : body.owned_cells)
    for (unsigned int q = 0; q < forces.n_points(); ++q)
    {
      for (unsigned int k = 0; k < 6; ++k)
        EXPECT_NEAR(
            forces.stress(cell, q)[k], response.stress[k] / J, 1e-11 * size);
      for (unsigned int k = 0; k < law.n_history(); ++k)
        EXPECT_NEAR(forces.history(cell, q)[k], end[k], 1e-11);
    }
  if (axisymmetric)
    return; // integrals of irregular cells with a radius are not exact
  EXPECT_NEAR(
      forces.stored, response.stored * volume, 1e-11 * std::abs(forces.stored));
  std::vector<bool> on_boundary(body.n_nodes(), false);
  for (const auto &face : body.boundary)
    for (unsigned int v = 0; v < face.n_nodes; ++v)
      on_boundary[face.nodes[v]] = true;
  const double scale    = forces.force.linfty_norm();
  unsigned int n_inside = 0;
  for (unsigned int i = 0; i < body.n_dofs(); ++i)
    if (!on_boundary[i / dim])
    {
      ++n_inside;
      EXPECT_NEAR(forces.force[i], 0., 1e-11 * scale);
    }
  EXPECT_GT(n_inside, 0u);
}
} // namespace

TEST(InternalForces, AreTheDerivativeOfTheStoredEnergy)
{
  const auto test = [](const auto &body, const auto &, const Dilatation)
  { check_energy(body); };
  for_all<2>(elastic_laws, test);
  for_all<3>(elastic_laws, test);
}

TEST(InternalForces, TurnWithTheBody)
{
  const auto test = [](const auto &body, const auto &, const Dilatation)
  { check_objectivity(body); };
  for_all<2>(finite_laws, test);
  for_all<3>(finite_laws, test);
}

TEST(InternalForces, UniformDeformation)
{
  const auto test = [](const auto &body, const auto &, const Dilatation)
  { check_patch(body); };
  for_all<2>(all_laws, test, 3);
  for_all<3>(all_laws, test, 2);
}

TEST(InternalForces, LinearElasticIsTheStiffnessMatrix)
{
  const auto test =
      [](const auto &body, const auto &, const Dilatation dilatation)
  {
    constexpr int dim = std::decay_t<decltype(body.nodes[0])>::dimension;
    if (dilatation != Dilatation::full)
      return;
    InternalForces<dim> forces(body, body.assumption);
    const Vector q = random_vector(body, 3);
    ASSERT_TRUE(forces.evaluate(q, 1., true));
    Vector f = body.make_vector();
    body.stiffness.vmult(f, q);
    // Simplices of axisymmetric bodies: integrals with 1/r, not exact.
    const bool exact =
        body.assumption != Assumption::axisymmetric || !body.has_simplices();
    EXPECT_LT(difference(f, forces.force),
              (exact ? 1e-13 : 5e-3) * f.linfty_norm());
    forces.tangent.vmult(f, q);
    EXPECT_LT(difference(f, forces.force), 1e-13 * f.linfty_norm());
    EXPECT_NEAR(0.5 * (q * f), forces.stored, 1e-12 * forces.stored);
  };
  for_all<2>({ "linear" }, test, 3, false);
  for_all<3>({ "linear" }, test, 2, false);
}

TEST(InternalForces, LargestStrainIncrement)
{
  const auto body = irregular_body<3>(false,
                                      1,
                                      make_law("neo_hookean").parameters,
                                      Dilatation::full,
                                      Assumption::three_dimensional);
  InternalForces<3> forces(*body, body->assumption);
  const auto F0         = rotation<3>(0.2) * stretch<3>(0.1);
  const auto F1         = rotation<3>(0.3) * stretch<3>(0.2);
  const double expected = ((F1 - F0) * invert(F1)).norm();
  EXPECT_NEAR(
      forces.largest_strain_increment(affine(*body, F0), affine(*body, F1)),
      expected,
      1e-12);
}

TEST(InternalForces, LargestStrainIncrementHasTheHoopDirection)
{
  const auto body = irregular_body<2>(false,
                                      1,
                                      make_law("neo_hookean").parameters,
                                      Dilatation::full,
                                      Assumption::axisymmetric);
  InternalForces<2> forces(*body, body->assumption);
  const Vector zero = body->make_vector();
  const Vector q    = nodal_vector(*body,
                                [](const Point<2> &x, const unsigned int c)
                                { return c == 0 ? 0.25 * x[0] : 0.; });
  // l = dF F^-1 = diag(0.2, 0, 0.2).
  EXPECT_NEAR(
      forces.largest_strain_increment(zero, q), 0.2 * std::sqrt(2.), 1e-12);
}
