#include "internal_forces/common.h"

using namespace forces;

namespace
{
/// |K d - (f(q + e d) - f(q - e d)) / 2e| / |K d| for random directions d, and
/// the lack of symmetry of K, relative. The state to begin with is one after a
/// step.
template <int dim>
void check_tangent(const SolidBody<dim> &body, const Law &law)
{
  InternalForces<dim> forces(body, body.assumption);
  const double h = 0.3;
  // Two steps: the second starts from a state with history. Large, so that
  // plastic points are well away from first yield.
  ASSERT_TRUE(forces.evaluate(deformation(body, 0.12, 0.04, 1, 0.3), h, false))
      << forces.trouble();
  forces.accept();
  const Vector q = deformation(body, 0.3, 0.1, 2, 0.7);
  ASSERT_TRUE(forces.evaluate(q, h, true)) << forces.trouble();
  if (!law.elastic)
  {
    EXPECT_GT(forces.dissipated, 0.);
  }

  const auto &K  = forces.tangent;
  double largest = 0., lack = 0.;
  for (const auto &entry : K)
  {
    largest = std::max(largest, std::abs(entry.value()));
    lack    = std::max(
        lack, std::abs(entry.value() - K.el(entry.column(), entry.row())));
  }
  EXPECT_LT(lack, 1e-12 * largest);

  Vector f = body.make_vector(), Kd = f;
  for (unsigned int k = 0; k < 3; ++k)
  {
    const Vector d = random_vector(body, 17 + k);
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
    EXPECT_LT(difference(f, Kd), 1e-7 * Kd.linfty_norm());
  }
}
} // namespace

TEST(Tangent, IsTheDerivativeOfTheForce2D)
{
  for_all<2>(all_laws,
             [](const auto &body, const auto &law, const Dilatation)
             { check_tangent(body, law); });
}

TEST(Tangent, IsTheDerivativeOfTheForce3D)
{
  for_all<3>(all_laws,
             [](const auto &body, const auto &law, const Dilatation)
             { check_tangent(body, law); });
}
