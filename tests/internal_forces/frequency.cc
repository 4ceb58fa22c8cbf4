#include "internal_forces/common.h"

using namespace forces;

namespace
{
template <int dim>
void check_bound(const SolidBody<dim> &body)
{
  InternalForces<dim> forces(body, body.assumption);
  const Vector q = deformation(body, 0.15, 0.05, 3, 0.4);
  ASSERT_TRUE(forces.evaluate(q, 0.3, true)) << forces.trouble();
  const double bound = forces.frequency_bound();
  // Power iteration with the lumped mass.
  Vector ones = body.make_vector(), mass = ones, x = random_vector(body, 4);
  ones = 1.;
  body.mass.vmult(mass, ones);
  bool positive = true;
  for (unsigned int i = 0; i < body.n_dofs(); ++i)
    positive = positive && mass[i] > 1e-12 * mass.linfty_norm();
  if (!positive)
  {
    // No lumped mass by sums of rows: nothing is a bound.
    EXPECT_GT(bound, 1e8);
    return;
  }
  Vector y         = x;
  double frequency = 0.;
  for (unsigned int k = 0; k < 3000; ++k)
  {
    forces.tangent.vmult(y, x);
    for (unsigned int i = 0; i < body.n_dofs(); ++i)
      y[i] /= mass[i];
    y.compress(dealii::VectorOperation::insert);
    frequency = std::sqrt(y.l2_norm() / x.l2_norm());
    x         = y;
    x /= y.l2_norm();
  }
  std::cout << body.element.name() << " assumption " << int(body.assumption)
            << ": bound " << bound << ", true " << frequency << ", ratio "
            << bound / frequency << std::endl;
  EXPECT_GE(bound, frequency * (1. - 1e-9));
  // H27 are the worst: 2.3, all others below 1.85.
  EXPECT_LE(bound, (body.element.n_nodes() == 27 ? 2.5 : 1.9) * frequency);
}
} // namespace

TEST(InternalForces, FrequencyBound)
{
  const auto test =
      [](const auto &body, const auto &, const Dilatation dilatation)
  {
    if (dilatation == Dilatation::full)
      check_bound(body);
  };
  for_all<2>({ "neo_hookean", "j2" }, test, 3);
  for_all<3>({ "neo_hookean", "j2" }, test, 2);
}
