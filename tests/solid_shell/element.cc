// The element by itself: derivatives, invariances, patches.
#include "internal_forces/common.h"
#include "statics.h"

#include <deal.II/lac/lapack_full_matrix.h>

using namespace sheets;

namespace
{
/// A curved, warped and tapered sheet of irregular cells.
MeshData<3> irregular_sheet(const unsigned int n = 2)
{
  return sheet_grid(
      n,
      n,
      [](const double u, const double v, const double zeta)
      {
        const double x = 1.3 * u + 0.2 * v, y = 1.1 * v - 0.1 * u;
        const double t = 0.15 + 0.05 * u - 0.04 * v;
        return Point<3>(x + 0.03 * zeta * (0.5 - v),
                        y - 0.04 * zeta * u,
                        0.3 * x * x - 0.2 * x * y + 0.5 * zeta * t);
      },
      0.25);
}

const std::vector<std::string> finite_laws = { "svk",
                                               "neo_hookean",
                                               "j2",
                                               "j2_kinematic",
                                               "maxwell" };

template <typename Test>
void for_all_laws(const Test &test)
{
  for (const auto &name : finite_laws)
  {
    SCOPED_TRACE(name);
    const auto law  = forces::make_law(name);
    const auto body = solid_shell_body(irregular_sheet(), law.parameters);
    test(*body, law);
  }
}

/// Random moves of the nodes by @p rough of the thickness, turned.
Vector moved(const SolidBody<3> &body,
             const double size,
             const double rough,
             const unsigned int seed,
             const double angle)
{
  return forces::deformation(body, size, rough, seed, angle);
}

double largest_entry(const Matrix &K)
{
  double largest = 0.;
  for (const auto &entry : K)
    largest = std::max(largest, std::abs(entry.value()));
  return largest;
}
} // namespace

TEST(SolidShell, TangentIsTheDerivativeAndSymmetric)
{
  for_all_laws(
      [](const auto &body, const auto &law)
      {
        InternalForces<3> forces(body, body.assumption);
        const double h = 0.3;
        ASSERT_TRUE(forces.evaluate(moved(body, 0.12, 0.04, 1, 0.3), h, false))
            << forces.trouble();
        forces.accept();
        // (Saint Venant-Kirchhoff is unstable where it is pressed to .6.)
        const Vector q = moved(body, 0.2, 0.1, 2, 0.7);
        ASSERT_TRUE(forces.evaluate(q, h, true)) << forces.trouble();
        if (!law.elastic)
        {
          EXPECT_GT(forces.dissipated, 0.);
        }
        const auto &K = forces.tangent;
        double lack   = 0.;
        for (const auto &entry : K)
          lack = std::max(
              lack,
              std::abs(entry.value() - K.el(entry.column(), entry.row())));
        EXPECT_LT(lack, 1e-12 * largest_entry(K));
        Vector f = body.make_vector(), Kd = f;
        for (unsigned int k = 0; k < 3; ++k)
        {
          const Vector d = small::random_vector(body, 17 + k);
          K.vmult(Kd, d);
          const double e = 2e-6 * body.smallest_edge;
          Vector x       = q;
          x.add(e, d);
          ASSERT_TRUE(forces.evaluate(x, h, false));
          f = forces.force;
          x.add(-2. * e, d);
          ASSERT_TRUE(forces.evaluate(x, h, false));
          f -= forces.force;
          f /= 2. * e;
          EXPECT_LT(forces::difference(f, Kd), 2e-7 * Kd.linfty_norm());
        }
      });
}

TEST(SolidShell, ForcesAreTheDerivativeOfTheStoredEnergy)
{
  for (const auto *name : { "svk", "neo_hookean" })
  {
    const auto body =
        solid_shell_body(irregular_sheet(), forces::make_law(name).parameters);
    InternalForces<3> forces(*body, body->assumption);
    const Vector q = moved(*body, 0.2, 0.1, 2, 0.7),
                 d = small::random_vector(*body, 5);
    const double e = 1e-6 * body->smallest_edge;
    Vector x       = q;
    ASSERT_TRUE(forces.evaluate(q, 1., false)) << forces.trouble();
    const double slope = forces.force * d;
    x.add(e, d);
    ASSERT_TRUE(forces.evaluate(x, 1., false));
    const double above = forces.stored;
    x.add(-2. * e, d);
    ASSERT_TRUE(forces.evaluate(x, 1., false));
    EXPECT_NEAR(
        (above - forces.stored) / (2. * e), slope, 1e-7 * std::abs(slope));
  }
}

TEST(SolidShell, TurnsWithTheBody)
{
  // A history, then the same deformation turned: forces turn, stresses too,
  // energies stay.
  for_all_laws(
      [](const auto &body, const auto &)
      {
        const Vector q1   = moved(body, 0.1, 0.05, 1, 0.),
                     q2   = moved(body, 0.2, 0.08, 2, 0.);
        const auto R      = forces::rotation<3>(2.3);
        const auto turned = [&](const Vector &q)
        {
          Vector result = body.make_vector();
          for (unsigned int n = 0; n < body.n_nodes(); ++n)
          {
            Tensor<1, 3> x = body.nodes[n];
            for (unsigned int c = 0; c < 3; ++c)
              x[c] += q[3 * n + c];
            x = R * x;
            for (unsigned int c = 0; c < 3; ++c)
              result[3 * n + c] = x[c] - body.nodes[n][c];
          }
          return result;
        };
        InternalForces<3> a(body, body.assumption), b(body, body.assumption);
        for (const auto *q : { &q1, &q2 })
        {
          ASSERT_TRUE(a.evaluate(*q, 0.3, false)) << a.trouble();
          ASSERT_TRUE(b.evaluate(turned(*q), 0.3, false)) << b.trouble();
          EXPECT_NEAR(a.stored, b.stored, 1e-10 * a.stored);
          EXPECT_NEAR(a.dissipated, b.dissipated, 1e-10 * a.stored);
          double off = 0.;
          for (unsigned int n = 0; n < body.n_nodes(); ++n)
          {
            Tensor<1, 3> fa, fb;
            for (unsigned int c = 0; c < 3; ++c)
            {
              fa[c] = a.force[3 * n + c];
              fb[c] = b.force[3 * n + c];
            }
            off = std::max(off, (R * fa - fb).norm());
          }
          EXPECT_LT(off, 1e-10 * a.force.linfty_norm());
          a.accept();
          b.accept();
        }
        std::vector<Tensor<2, 3>> Fa, Fb;
        a.deformations(q2, Fa);
        b.deformations(turned(q2), Fb);
        for (unsigned int k = 0; k < Fa.size(); ++k)
          EXPECT_LT((R * Fa[k] - Fb[k]).norm(), 1e-9);
        const auto s = a.stress(1, 3), t = b.stress(1, 3);
        const Tensor<2, 3> sigma({ { s[0], s[3], s[5] },
                                   { s[3], s[1], s[4] },
                                   { s[5], s[4], s[2] } }),
            tau({ { t[0], t[3], t[5] },
                  { t[3], t[1], t[4] },
                  { t[5], t[4], t[2] } });
        EXPECT_LT((R * sigma * transpose(R) - tau).norm(), 1e-9 * sigma.norm());
      });
}

TEST(SolidShell, SixZeroModes)
{
  for (unsigned int shape = 0; shape < 3; ++shape)
  {
    const auto mesh =
        shape < 2
            ? irregular_sheet(1 + shape)
            : sheet_grid(1,
                         1,
                         [](const double u, const double v, const double z)
                         {
                           const double phi = 0.8 * u, r = 3. + 0.02 * z;
                           return Point<3>(r * std::sin(phi),
                                           2. * v + 0.1 * z * u,
                                           r * std::cos(phi));
                         });
    const auto body = solid_shell_body(mesh, elastic(700., 0.3));
    InternalForces<3> forces(*body, body->assumption);
    // Also in a turned position.
    for (const double angle : { 0., 1.1 })
    {
      const Vector q = forces::affine(*body, forces::rotation<3>(angle));
      ASSERT_TRUE(forces.evaluate(q, 1., true));
      EXPECT_LT(forces.force.linfty_norm(), 1e-12 * 700.);
      dealii::LAPACKFullMatrix<double> K(body->n_dofs(), body->n_dofs());
      for (const auto &entry : forces.tangent)
        K(entry.row(), entry.column()) = entry.value();
      dealii::Vector<double> values;
      dealii::FullMatrix<double> vectors;
      K.compute_eigenvalues_symmetric(-1e30, 1e30, 1e-14, values, vectors);
      const double largest = values[values.size() - 1];
      EXPECT_LT(std::abs(values[0]), 1e-11 * largest);
      EXPECT_LT(values[5], 1e-11 * largest);
      EXPECT_GT(values[6], 1e-9 * largest);
    }
  }
}

namespace
{
/// A flat sheet of irregular prisms with sloping thickness.
MeshData<3> flat_sheet(const double t)
{
  return sheet_grid(
      4,
      3,
      [=](const double u, const double v, const double zeta)
      { return Point<3>(2. * u, 1.5 * v, 0.5 * t * zeta); },
      0.3);
}

/// The nodes of edges go where @p u says, the others begin off it by a
/// twentieth of the thickness times the size of the strains; returns the
/// largest error, over the largest displacement.
double patch_error(Statics &statics,
                   const double size,
                   const std::function<Tensor<1, 3>(const Point<3> &)> &u)
{
  double largest = 0., error = 0.;
  statics.q = small::random_vector(*statics.body, 3);
  statics.q *= 0.005 * size;
  for (unsigned int n = 0; n < statics.body->n_nodes(); ++n)
  {
    const auto &x = statics.node(n);
    const bool edge =
        x[0] < 1e-9 || x[0] > 2. - 1e-9 || x[1] < 1e-9 || x[1] > 1.5 - 1e-9;
    for (unsigned int c = 0; c < 3; ++c)
    {
      largest                 = std::max(largest, std::abs(u(x)[c]));
      statics.held[3 * n + c] = edge;
      if (edge)
        statics.q[3 * n + c] = 0.;
      statics.q[3 * n + c] += u(x)[c];
    }
  }
  EXPECT_TRUE(statics.go_to(1., 1.)) << statics.forces.trouble();
  for (unsigned int n = 0; n < statics.body->n_nodes(); ++n)
    error =
        std::max(error, (statics.displacement(n) - u(statics.node(n))).norm());
  return error / largest;
}
} // namespace

TEST(SolidShell, MembranePatch)
{
  // Uniform strain of a sheet whose faces are free, small and large; stresses
  // are the same everywhere, none across.
  for (const double size : { 1e-6, 0.3 })
  {
    Statics statics(flat_sheet(0.1), elastic(700., 0.3));
    Tensor<2, 2> H;
    H[0][0] = size, H[0][1] = 0.3 * size, H[1][0] = 0.2 * size,
    H[1][1] = -0.4 * size;
    // Saint Venant-Kirchhoff: E_33 = -nu / (1 - nu) (E_11 + E_22).
    double trace = 0.;
    for (unsigned int i = 0; i < 2; ++i)
    {
      trace += H[i][i];
      for (unsigned int k = 0; k < 2; ++k)
        trace += 0.5 * H[k][i] * H[k][i];
    }
    const double stretch = std::sqrt(1. - 2. * 0.3 / 0.7 * trace);
    const double error   = patch_error(statics,
                                     size,
                                     [&](const Point<3> &x)
                                     {
                                       Tensor<1, 3> u;
                                       for (unsigned int i = 0; i < 2; ++i)
                                         u[i] = H[i][0] * x[0] + H[i][1] * x[1];
                                       u[2] = (stretch - 1.) * x[2];
                                       return u;
                                     });
    EXPECT_LT(error, 1e-9);
    const auto &mean = statics.forces.stress(0, 0);
    EXPECT_GT(std::abs(mean[0]), 100. * size);
    for (const unsigned int cell : statics.body->owned_cells)
      for (unsigned int q = 0; q < statics.forces.n_points(); ++q)
        for (unsigned int c = 0; c < 6; ++c)
        {
          EXPECT_NEAR(statics.forces.stress(cell, q)[c],
                      mean[c],
                      1e-8 * std::abs(mean[0]));
          if (c == 2 || c > 3)
          {
            EXPECT_NEAR(mean[c], 0., 1e-8 * std::abs(mean[0]));
          }
        }
  }
}

TEST(SolidShell, BendingPatch)
{
  // w = kappa x^2 / 2 + tau x y, straight normals; sigma_33 = 0 by the modes.
  // So small that deflections stretch it by nothing.
  const double kappa = 1e-7, twist = 4e-8;
  Statics statics(flat_sheet(0.1), elastic(700., 0.3));
  statics.tolerance = 1e-12;
  const double error =
      patch_error(statics,
                  kappa,
                  [&](const Point<3> &x)
                  {
                    Tensor<1, 3> u;
                    u[0] = -x[2] * (kappa * x[0] + twist * x[1]);
                    u[1] = -x[2] * twist * x[0];
                    u[2] = 0.5 * kappa * x[0] * x[0] + twist * x[0] * x[1];
                    return u;
                  });
  EXPECT_LT(error, 1e-6);
  // sigma_xx = -E / (1 - nu^2) kappa z, sigma_zz = 0.
  const double E1 = 700. / (1. - 0.09), z = 0.05 / std::sqrt(3.);
  for (const unsigned int cell : statics.body->owned_cells)
    for (unsigned int q = 0; q < statics.forces.n_points(); ++q)
    {
      const auto &s = statics.forces.stress(cell, q);
      EXPECT_NEAR(std::abs(s[0]), E1 * kappa * z, 3e-5 * E1 * kappa * z);
      EXPECT_NEAR(s[2], 0., 3e-5 * E1 * kappa * z);
      EXPECT_NEAR(
          std::abs(s[3]), 700. / 1.3 * twist * z, 3e-5 * E1 * kappa * z);
    }
}

TEST(SolidShell, NewtonIsQuadratic)
{
  for (const auto *name : { "svk", "j2" })
  {
    Statics statics(irregular_sheet(3), forces::make_law(name).parameters);
    statics.hold([](const Point<3> &x) { return x[0] < 0.3; }, { 0, 1, 2 });
    Tensor<1, 3> g;
    g[2] = 0.2;
    g[0] = 0.1;
    statics.add_weight(g);
    ASSERT_TRUE(statics.go_to(1., 1.)) << statics.forces.trouble();
    const auto &w = statics.works;
    ASSERT_GE(w.size(), 3u);
    EXPECT_EQ(statics.n_cuts, 0u);
    EXPECT_LT(w.size(), 16u);
    // Works of residuals are squares: the exponent of each correction is twice
    // that of the one before, so that of the work is too.
    const unsigned int last = w.size() - 1;
    const double scale      = statics.forces.stored;
    EXPECT_LT(w[last] / scale,
              10. * std::pow(w[last - 1] / scale, 1.6) + 1e-22);
  }
}

TEST(SolidShell, EvaluatingTwiceIsTheSameAsOnceAndStateGoesOn)
{
  for_all_laws(
      [](const auto &body, const auto &)
      {
        const Vector q1 = moved(body, 0.1, 0.05, 1, 0.2),
                     q2 = moved(body, 0.2, 0.08, 2, 0.3),
                     q3 = moved(body, 0.05, 0.1, 3, 0.);
        InternalForces<3> a(body, body.assumption), b(body, body.assumption);
        ASSERT_TRUE(a.evaluate(q1, 0.3, true));
        a.accept();
        // Another attempt at the second step leaves nothing behind.
        a.begin_step();
        ASSERT_TRUE(a.evaluate(q3, 0.3, true));
        a.begin_step();
        ASSERT_TRUE(a.evaluate(q2, 0.3, false));
        ASSERT_TRUE(b.evaluate(q1, 0.3, true));
        b.accept();
        std::vector<double> state(a.state_size() * body.n_cells());
        InternalForces<3> c(body, body.assumption);
        for (unsigned int cell = 0; cell < body.n_cells(); ++cell)
        {
          b.get_state(cell, &state[cell * a.state_size()]);
          c.set_state(cell, &state[cell * a.state_size()]);
        }
        b.begin_step();
        ASSERT_TRUE(b.evaluate(q2, 0.3, false));
        ASSERT_TRUE(c.evaluate(q2, 0.3, false));
        EXPECT_EQ(forces::difference(a.force, b.force), 0.);
        EXPECT_EQ(forces::difference(c.force, b.force), 0.);
        std::vector<Tensor<2, 3>> Fb, Fc;
        b.accept();
        c.accept();
        b.deformations(q2, Fb);
        c.deformations(q2, Fc);
        for (unsigned int k = 0; k < Fb.size(); ++k)
          EXPECT_EQ((Fb[k] - Fc[k]).norm(), 0.);
      });
}
